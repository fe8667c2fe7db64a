"""The Python package of Doors/python: columns of every kind, threads, forks, errors, and its README.

    Tools/wheel --test
"""
import doctest
import multiprocessing
import os
import pathlib
import pickle
import random
import shutil
import sys
import tempfile
import threading
import unittest

from door import LIBRARY, PACK, ROOT, SEED, Door
from door import Pack as DoorPack

try:
    import numpy
except ImportError as error:
    raise unittest.SkipTest("numpy is missing") from error
try:
    import stol
except ImportError:
    if not LIBRARY.exists():
        raise unittest.SkipTest(f"{LIBRARY} is missing: Tools/doors builds it") from None
    os.environ.setdefault("STOL_LIBRARY", str(LIBRARY))
    sys.path.insert(0, str(ROOT / "Doors/python"))
    import stol


def library(name):
    try:
        return __import__(name)
    except ImportError:
        return None


pandas, polars, pyarrow = library("pandas"), library("polars"), library("pyarrow")
# More rows than are looked through one by one.
MANY = 3_000


class Exported:
    """What knows nothing but to export Arrow's C data."""
    def __init__(self, column):
        self.column = column

    def __arrow_c_array__(self, requested_schema=None):
        return self.column.__arrow_c_array__(requested_schema)


def columns_of_texts(rows):
    """The same texts as every kind of column that is there."""
    yield "tuple", tuple(rows)
    yield "numpy object", numpy.array(rows, object)
    if None not in rows:
        yield "numpy", numpy.array(rows)
    if pandas:
        index = [f"row {row}" for row in range(len(rows))]
        yield "pandas", pandas.Series(rows, index=index)
        yield "pandas object", pandas.Series(rows, index=index, dtype=object)
        yield "pandas category", pandas.Series(rows, index=index, dtype="category")
    if polars:
        yield "polars", polars.Series(rows, dtype=polars.String)
        yield "polars sliced", polars.Series(["x", None, *rows, "y"], dtype=polars.String).slice(2, len(rows))
        yield "polars chunked", polars.concat([polars.Series(rows[:5], dtype=polars.String),
                                               polars.Series(rows[5:], dtype=polars.String)], rechunk=False)
        yield "polars categorical", polars.Series(rows, dtype=polars.Categorical)
    if pyarrow:
        for kind in (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()):
            yield f"pyarrow {kind}", pyarrow.array(rows, kind)
            yield f"pyarrow {kind} sliced", pyarrow.array(["x" * 40, None, *rows, "y"], kind).slice(2, len(rows))
        yield "pyarrow dictionary", pyarrow.array(rows).dictionary_encode()
        yield "pyarrow chunked", pyarrow.chunked_array([rows[:7], [], rows[7:]], pyarrow.string())
        yield "exported", Exported(pyarrow.array(rows, pyarrow.large_string()))


def columns_of_numbers(rows):
    yield "tuple", tuple(rows)
    if None not in rows:
        yield "numpy", numpy.array(rows)
        yield "numpy strided", numpy.repeat(numpy.array(rows, numpy.int32), 2)[::2]
        yield "numpy unsigned", numpy.array(rows).astype(numpy.uint64)
    if pandas:
        yield "pandas", pandas.Series(rows)
        yield "pandas Int64", pandas.Series(rows, dtype="Int64")
    if polars:
        yield "polars", polars.Series(rows, dtype=polars.Int64)
        yield "polars sliced", polars.Series([5, None, *rows], dtype=polars.Int32).slice(2)
    if pyarrow:
        yield "pyarrow", pyarrow.array(rows, pyarrow.int64())
        yield "pyarrow chunked", pyarrow.chunked_array([rows[:3], rows[3:]], pyarrow.int32())
        yield "exported", Exported(pyarrow.array([None, *rows], pyarrow.int64()).slice(1))


def plain(column):
    """A column as a list, None where there is nothing."""
    if isinstance(column, (list, tuple)):
        return [row if not isinstance(row, numpy.ndarray) else row.tolist() for row in column]
    if isinstance(column, numpy.ndarray):
        return [None if row == stol.NO_ID or row is None else row for row in column.tolist()]
    if pandas and isinstance(column, pandas.Series):
        return [None if not isinstance(row, list) and pandas.isna(row) else row for row in column.tolist()]
    return column.to_pylist() if hasattr(column, "to_pylist") else column.to_list()


def in_child(pack, names, queue):
    queue.put(pack.resolve(names))


class PythonTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        print(f"STOL_TEST_SEED={SEED}", file=sys.stderr)
        cls.random = random.Random(SEED)
        cls.pack = stol.open(PACK)
        library = stol._library.LIBRARY._name
        cls.door = DoorPack(Door(library), PACK)
        cls.addClassCleanup(cls.door.close)
        taxa = [cls.random.randrange(len(cls.pack)) for _ in range(40)]
        names = cls.door.texts("scientificName", taxa) + cls.door.texts("commonName", taxa)
        cls.names = [name or None for name in names] + ["Oenanthe", "no such name", "9606", "", "Ærøskøbing"]
        cls.random.shuffle(cls.names)
        cls.taxa, cls.ids = taxa, cls.door.ids(taxa)

    def assert_kind(self, answer, given, label):
        """Whether an answer is of the kind of what was given."""
        if isinstance(given, Exported):
            given = given.column
        kinds = {"pandas": "pandas", "polars": "polars", "pyarrow": "pyarrow", "numpy": "numpy"}
        self.assertEqual(kinds.get(type(answer).__module__.split(".")[0], "list"),
                         kinds.get(type(given).__module__.split(".")[0], "list"), label)
        self.assertEqual(len(answer), len(given), label)
        if pandas and isinstance(given, pandas.Series):
            self.assertTrue(answer.index.equals(given.index), label)

    def test_names_of_every_kind_of_column(self):
        for rows in (self.names, [name for name in self.names if name is not None], [self.random.choice(self.names) for _ in range(MANY)],
                     [None, None]):
            taxa, _, statuses = self.door.resolve(rows)
            expected = [None if taxon == stol.NO_TAXON else number for taxon, number in zip(taxa, self.door.ids(taxa))]
            for label, given in columns_of_texts(rows):
                ids, words = self.pack.resolve(given)
                self.assert_kind(ids, given, label)
                self.assert_kind(words, given, label)
                self.assertEqual(plain(ids), expected, label)
                self.assertEqual(plain(words), statuses, label)
                self.assertEqual(self.pack.taxa(given).tolist(), self.door.taxa_of_id_texts(rows)[0] if any(rows) else [stol.NO_TAXON] * 2, label)

    def test_ids_of_every_kind_of_column(self):
        for rows in ([*self.ids, 7, -1], [*self.ids, None, 9606, None]):
            taxa = [stol.NO_TAXON if row is None else taxon for row, taxon in zip(rows, self.door.taxa_of_ids([row or 0 for row in rows])[0])]
            texts = [text or None for text in self.door.texts("scientificName", taxa)]
            lineages = [[text or None for text in self.door.texts("scientificName", lineage)] for lineage in self.door.lineages(taxa)]
            ranks = ("genus", "order")
            columns = [[text or None for text in self.door.texts("scientificName", column)] for column in self.door.rank_columns(taxa, ranks)]
            ancestors = self.door.lca_pairs(taxa, taxa[::-1])
            expected = [None if taxon == stol.NO_TAXON else number for taxon, number in zip(ancestors, self.door.ids(ancestors))]
            for label, given in columns_of_numbers(rows):
                self.assertEqual(self.pack.taxa(given).tolist(), taxa, label)
                names = self.pack.names(given)
                self.assert_kind(names, given, label)
                self.assertEqual(plain(names), texts, label)
                self.assertEqual(plain(self.pack.lineage(given)), lineages, label)
                table = self.pack.lineage(given, ranks)
                for rank, column in zip(ranks, columns):
                    self.assertEqual(plain(table[rank]), column, (label, rank))
                found = self.pack.lca(given, rows[::-1])
                self.assert_kind(found, given, label)
                self.assertEqual(plain(found), expected, label)
                ordinals = self.pack.ids(self.pack.taxa(given))
                self.assertEqual(plain(ordinals), plain(self.pack.ids(taxa)), label)

    def test_lists_of_every_kind(self):
        lists = [[self.random.choice(self.ids) for _ in range(self.random.randrange(4))] for _ in range(50)] + [[9606, 7], [7]]
        found = self.door.lca_lists([[taxon for taxon in self.door.taxa_of_ids(members)[0] if taxon != stol.NO_TAXON] for members in lists])
        expected = [None if taxon == stol.NO_TAXON else number for taxon, number in zip(found, self.door.ids(found))]
        kinds = [("list", lists), ("texts", [[str(member) for member in members] for members in lists])]
        kinds += [("pandas", pandas.Series(lists))] if pandas else []
        kinds += [("polars", polars.Series(lists)), ("polars sliced", polars.Series([[1], *lists]).slice(1))] if polars else []
        if pyarrow:
            kinds += [("pyarrow", pyarrow.array(lists)), ("large", pyarrow.array([[1], *lists], pyarrow.large_list(pyarrow.int64())).slice(1)),
                      ("chunked", pyarrow.chunked_array([lists[:3], lists[3:]], pyarrow.list_(pyarrow.int64()))),
                      ("exported", Exported(pyarrow.array(lists)))]
        for label, given in kinds:
            self.assertEqual(plain(self.pack.lca_groups(given)), expected, label)

    def test_searches_of_every_kind_of_column(self):
        rows = [name[:-1] if name and self.random.randrange(2) else name for name in self.names] * 2
        expected = [[(self.door.ids([hit[0]])[0], self.door.texts_of_names([hit[1]])[0], hit[4]) for hit in hits]
                    for hits in self.door.search(rows, mode="fuzzy", limit=3)]
        flat = [(row, *hit) for row, hits in enumerate(expected) for hit in hits]
        for label, given in columns_of_texts(rows):
            found = self.pack.search(given, mode="fuzzy", limit=3)
            if isinstance(found, list):
                self.assertEqual([[(hit.id, hit.name, hit.distance) for hit in hits] for hits in found], expected, label)
            else:
                self.assertEqual(list(zip(*(plain(found[name]) for name in ("row", "id", "name", "distance")))), flat, label)
        self.assertEqual(self.pack.search([None]), [[]])
        self.assertEqual([hit.kind for hit in self.pack.search("lion", mode="exact")], ["common"])
        self.assertTrue(all(hit.match in ("exact_name", "name_prefix", "all_words") for hit in self.pack.complete("pan")))

    def test_one_value(self):
        self.assertEqual(self.pack.resolve("Panthera leo"), (9689, "exact"))
        self.assertEqual(self.pack.resolve("no such name"), (None, "not_found"))
        self.assertEqual(self.pack.names(9689, "common_name"), "lion")
        self.assertIsNone(self.pack.lca(9689, 7))
        self.assertEqual(self.pack.lineage("ncbi:9689")[-1], "Panthera leo")
        self.assertEqual(self.pack.lineage(9689, field="id")[-2:], [9688, 9689])

    def test_children_and_subtrees(self):
        for taxon, number in zip(self.taxa, self.ids):
            lineage = self.door.lineages([taxon])[0]
            for ancestor in lineage[-3:]:
                (end,), (identifier,) = self.door.column("subtree_ends", [ancestor]), self.door.ids([ancestor])
                below = list(range(ancestor, end))
                self.assertEqual(self.pack.subtree(identifier).tolist(), self.door.ids(below))
                parents = self.door.column("parents", below)
                self.assertEqual(self.pack.children(identifier),
                                 self.door.ids([child for child, parent in zip(below, parents) if parent == ancestor and child != ancestor]))
            self.assertEqual(self.pack.subtree(taxon, ordinals=True)[0], taxon)
        self.assertEqual(self.pack.children(9606), [])
        with self.assertRaises(ValueError):
            self.pack.children(7)

    def test_ids_that_are_texts(self):
        found = 0
        for path in sorted((ROOT / "Format/vectors/v2/valid").glob("*.stolpack")):
            pack = stol.open(path)
            ids = pack.ids(numpy.arange(len(pack), dtype=numpy.uint32))
            if pack.has_text_ids and len(pack):
                found += 1
                known = [number for number in ids if number]
                self.assertTrue(all(isinstance(number, str) for number in known))
                self.assertEqual(pack.lca(known, known), known)
                self.assertEqual(pack.subtree(known[-1])[0], known[-1])
                with self.assertRaises(TypeError):
                    pack.taxa([1])
        self.assertGreater(found, 0)

    def test_what_is_wrong_raises(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "some.stolpack"
            self.assertRaises(OSError, stol.open, path)
            path.write_bytes(b"no pack")
            self.assertRaises(stol.PackError, stol.open, path)
            shutil.copy(PACK, path)
            pack = stol.open(path)
            self.assertIs(stol.open(str(path)), pack)
            # Another file in its place is another pack; the first goes on.
            shutil.copy(PACK, path.with_suffix(".new"))
            os.replace(path.with_suffix(".new"), path)
            self.assertIsNot(stol.open(path), pack)
            self.assertEqual(pack.resolve("lion"), (9689, "common"))
        for call in (lambda: self.pack.names([1], "colour"), lambda: self.pack.search("x", mode="guess"), lambda: self.pack.lca([1], [1, 2]),
                     lambda: self.pack.ids([len(self.pack)]), lambda: self.pack.ids([-1]), lambda: self.pack.lineage([1], ["tribble"]),
                     lambda: self.pack.resolve("x", within=7), lambda: self.pack.search("x", limit=0),
                     lambda: self.pack.names(numpy.zeros((2, 2), int))):
            self.assertRaises(ValueError, call)
        for call in (lambda: self.pack.names([1.5]), lambda: self.pack.lca(["a", 1.5], ["b", "c"]), lambda: self.pack.ids(["x"])):
            self.assertRaises(TypeError, call)
        self.assertEqual(self.pack.fact("id_space"), "ncbi")
        self.assertIsNone(self.pack.fact("none"))

    def test_threads_forks_and_pickles(self):
        rows = [self.random.choice(self.names) for _ in range(MANY)]
        expected, found = self.pack.resolve(rows), [None] * 8
        threads = [threading.Thread(target=lambda number=number: found.__setitem__(number, self.pack.resolve(rows))) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue(all(answer == expected for answer in found))
        self.assertIs(pickle.loads(pickle.dumps(self.pack)), self.pack)
        for method in ("fork", "spawn"):
            context = multiprocessing.get_context(method)
            queue = context.Queue()
            child = context.Process(target=in_child, args=(self.pack, rows, queue))
            child.start()
            self.assertEqual(queue.get(), expected)
            child.join()
            self.assertEqual(child.exitcode, 0)

    def test_the_readme_is_short_and_right(self):
        readme = ROOT / "Doors/python/README.md"
        self.assertLess(len(readme.read_text().splitlines()), 100)
        text = readme.read_text().replace('"default.stolpack"', repr(str(PACK))).replace("```", "")
        test = doctest.DocTestParser().get_doctest(text, {}, readme.name, str(readme), 0)
        self.assertGreater(len(test.examples), 8)
        said = []
        doctest.DocTestRunner().run(test, out=said.append)
        self.assertEqual("".join(said), "")


if __name__ == "__main__":
    unittest.main()
