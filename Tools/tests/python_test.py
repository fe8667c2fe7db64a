"""The Python package of Doors/python: columns of every kind, threads, forks, errors, and its README.

    Tools/wheel --test
"""
import copy
import doctest
import mmap
import multiprocessing
import os
import pathlib
import pickle
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from unittest import mock

from door import PackTests, needs_library
from python_package import PACK, ROOT, SEED, Door, DoorPack, numpy, pandas, polars, pyarrow, stol

# A pack of another database.
OTHER = next((ROOT / "Format/vectors/v2/valid").glob("*.stolpack"))
# So many calls take longer than a tick of the clock, at which a file is looked at.
ASKED = 100_000
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
        yield "pyarrow dictionary", pyarrow.array(rows, pyarrow.int64()).dictionary_encode()
        yield "pyarrow dictionary sliced", pyarrow.array([5, None, *rows], pyarrow.int64()).dictionary_encode().slice(2)
        yield "pyarrow dictionary with a null", pyarrow.array(rows, pyarrow.float64()).dictionary_encode("encode")


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
        for rows in ([*self.ids, 3, -1], [*self.ids, None, 9606, None]):
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
        lists = [[self.random.choice(self.ids) for _ in range(self.random.randrange(4))] for _ in range(50)] + [[9606, 3], [3]]
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
        self.assertTrue(all(hit.match in ("exact_name", "head_word", "whole_words", "name_prefix", "all_words") for hit in self.pack.complete("pan")))

    def test_one_value(self):
        self.assertEqual(self.pack.resolve("Panthera leo"), (9689, "exact"))
        self.assertEqual(self.pack.resolve("no such name"), (None, "not_found"))
        self.assertEqual(self.pack.names(9689, "common_name"), "lion")
        self.assertIsNone(self.pack.lca(9689, 3))
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
        self.assertEqual(self.pack.children(63221), [])
        with self.assertRaises(ValueError):
            self.pack.children(3)

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
                     lambda: self.pack.resolve("x", within=3), lambda: self.pack.search("x", limit=0),
                     lambda: self.pack.names(numpy.zeros((2, 2), int))):
            self.assertRaises(ValueError, call)
        for call in (lambda: self.pack.names([1.5]), lambda: self.pack.lca(["a", 1.5], ["b", "c"]), lambda: self.pack.ids(["x"])):
            self.assertRaises(TypeError, call)
        self.assertEqual(self.pack.fact("id_space"), "ncbi")
        self.assertIsNone(self.pack.fact("none"))

    def test_wrong_arguments_say_what_would_be_right(self):
        pack = self.pack
        wrong = [
            (TypeError, "add is names of columns", lambda: pack.match(["lion"], add=["status", 5])),
            (TypeError, "hints are columns by ranks", lambda: pack.match({"name": ["lion"]}, hints={5: "name"})),
            (TypeError, "hints are columns by ranks", lambda: pack.match({"name": ["lion"]}, hints=["name"])),
            (TypeError, "that of 'class' is None: leave it out", lambda: pack.match({"name": ["lion"]}, hints={"class": None})),
            (TypeError, "a column is given by its name", lambda: pack.match({"name": ["lion"]}, rank=["name"])),
            (ValueError, "without a table", lambda: pack.match(["lion"], name="")),
            (TypeError, "exact is True or False", lambda: pack.match(["lion"], exact="no")),
            (TypeError, "higher is True or False", lambda: pack.match(["lion"], higher=0)),
            (TypeError, "mode is one of", lambda: pack.search("lion", mode=["auto"])),
            (TypeError, "field is one of", lambda: pack.names([9689], 5)),
            (TypeError, "labels is one of", lambda: pack.newick(9689, labels=None)),
            (ValueError, "1 or more", lambda: pack.search("lion", limit=0)),
            (ValueError, "the column 'x' has 1 rows, and there are 2 names", lambda: pack.match({"name": ["lion", "tiger"], "x": [1]}))]
        # A single text that is a name and no id is a mistake; among many rows it has no answer.
        for call in (lambda: pack.names("Panthera leo"), lambda: pack.lineage("Panthera leo"), lambda: pack.lca(9689, "Felis catus"),
                     lambda: pack.lca("Felis catus", 9689), lambda: pack.newick("Felidae"), lambda: pack.taxa("Felidae"),
                     lambda: pack.lineage("Felidae", ["order"])):
            wrong.append((ValueError, r"no taxon has the id .*; the one of a name is pack\['", call))
        if pandas:
            index = pandas.MultiIndex.from_tuples([("lion", 1)])
            wrong += [(TypeError, "get_level_values", lambda: pack.resolve(index)),
                      (TypeError, "one of", lambda: pack.search("x", mode=pandas.Series(["auto"])))]
        if polars:
            lazy = polars.DataFrame({"name": ["lion"]}).lazy()
            wrong += [(TypeError, r"collect\(\)", lambda: pack.match(lazy)),
                      (TypeError, "mode is one of", lambda: pack.search("x", mode=polars.Series(["auto"]))),
                      (TypeError, "a column is given by its name", lambda: pack.match({"name": ["lion"]}, name=polars.Series([None])))]
        if pyarrow:
            wrong += [(TypeError, r"as_py\(\)", lambda: pack.names(pyarrow.scalar(9689))),
                      (TypeError, r"choose one of its columns", lambda: pack.names(Exported(pyarrow.array([{"name": "lion"}]))))]
        for kind, said, call in wrong:
            with self.assertRaisesRegex(kind, said):
                call()
        self.assertEqual(pack.names(["Panthera leo", None, "9689", " ncbi:9689 "]), [None, None, "Panthera leo", "Panthera leo"])
        self.assertEqual([pack.names(given) for given in ("", None, "3", "-1", "ncbi:9689", "09689")], [None, None, None, None, "Panthera leo", None])
        for call in (lambda: pack["x" * 1_000_000], lambda: pack.names("x" * 1_000_000), lambda: pack.resolve("x", rank="\0" * 1_000_000),
                     lambda: pack.names([object, "x" * 1_000_000]), lambda: pack.search("x", mode="x" * 1_000_000)):
            with self.assertRaises((KeyError, ValueError, TypeError)) as raised:
                call()
            self.assertLess(len(str(raised.exception)), 400)

    def test_a_file_that_is_written_over(self):
        """Pages that are gone end a process; where they are not read, an error says so."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "some.stolpack"
            shutil.copy(PACK, path)
            pack = stol.open(path)
            lion = pack["lion"]
            os.utime(path, ns=(1, 1))
            self.assertRaises(stol.PackError, lambda: [pack.resolve("lion") for _ in range(ASKED)])
            for call in (lambda: pack.resolve("lion"), lambda: pack.names([9689]), lambda: lion.name, lambda: pack.search("lion"),
                         lambda: pack.match(["lion"]), lambda: pack.lca(9689, 9685)):
                with self.assertRaisesRegex(stol.PackError, "written over.*by renaming"):
                    call()
            # Opened again, it is what it is now.
            self.assertEqual(stol.open(path).resolve("lion"), (9689, "common"))
            # What was seen is remembered: a process of its own would end where it reads a page that is gone.
            code = ("import os, shutil, stol, sys; path = sys.argv[1]; shutil.copy(sys.argv[2], path); pack = stol.open(path)\n"
                    "os.utime(path, ns=(1, 1))\n"
                    "try: [pack.fact('name') for _ in range(int(sys.argv[3]))]\n"
                    "except stol.PackError: open(path, 'w').close()\n"
                    "try: pack.resolve('Panthera leo')\n"
                    "except stol.PackError as error: print(os.path.getsize(path), error)")
            done = subprocess.run([sys.executable, "-c", code, path, PACK, str(ASKED)], capture_output=True, text=True, check=False,
                                  env={**os.environ, "PYTHONPATH": str(pathlib.Path(stol.__file__).parent.parent)})
            self.assertRegex(done.stdout, "^0 .*written over", done.stderr)

    def test_what_was_pickled_is_of_one_pack(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "some.stolpack"
            shutil.copy(PACK, path)
            pack = stol.open(path)
            lion = pack["lion"]
            kept = {name: pickle.dumps(value) for name, value in (("pack", pack), ("taxon", lion), ("list", [lion, pack.roots]))}
            # The same pack at the same path has the same taxa.
            os.replace(shutil.copy(PACK, path.with_suffix(".new")), path)
            again = pickle.loads(kept["taxon"])
            self.assertIsNot(again.pack, pack)
            self.assertEqual((again.id, again.name), (9689, "Panthera leo"))
            # Copies go on with the file that they are of.
            os.replace(shutil.copy(OTHER, path.with_suffix(".new")), path)
            for same in (copy.copy(lion), copy.deepcopy(lion), copy.deepcopy([lion])[0]):
                self.assertEqual((same, same.name), (lion, "Panthera leo"))
            self.assertIs(copy.deepcopy(pack), pack)
            for name, data in kept.items():
                with self.assertRaisesRegex(stol.PackError, "another pack than the one that was pickled", msg=name):
                    pickle.loads(data)

    def test_what_is_missing_has_no_answer(self):
        for value in (None, float("nan"), *([pandas.NA, pandas.NaT] if pandas else [])):
            self.assertEqual(self.pack.resolve(["lion", value, "tiger"]), ([9689, None, 9694], ["common", "invalid", "common"]), repr(value))
            self.assertEqual(self.pack.names([9689, value]), ["Panthera leo", None], repr(value))
            self.assertEqual(self.pack.resolve([value, value]), ([None, None], ["invalid"] * 2), repr(value))
            self.assertEqual(self.pack.resolve(value), (None, "invalid"), repr(value))
            self.assertEqual(self.pack.lca([9689, value], [value, 9606]), [None, None], repr(value))
            self.assertEqual(self.pack.lca_groups([[9689, value, 9694], value, [value]]), [9688, None, None], repr(value))
            self.assertEqual(self.pack.search([value]), [[]], repr(value))
        floats = numpy.array([9689, numpy.nan, 9606.0])
        self.assertEqual(plain(self.pack.names(floats)), ["Panthera leo", None, "Homo sapiens"])
        kinds = [pandas.Series(floats)] if pandas else []
        kinds += [polars.Series(floats), polars.Series([9689.0, None, 9606.0])] if polars else []
        kinds += [pyarrow.array(floats), pyarrow.array([9689, None, 9606], pyarrow.float32())] if pyarrow else []
        for given in kinds:
            self.assertEqual(plain(self.pack.lca(given, [9694, 9694, 9694])), [9688, None, 1437010], type(given))
        # Of sixteen bits, in which few ids are.
        halves = numpy.array([2, numpy.nan, 1239], numpy.float16)
        kinds = [halves] + ([pandas.Series(halves)] if pandas else []) + ([pyarrow.array(halves, from_pandas=True), pyarrow.array(halves)] if pyarrow else [])
        kinds += [polars.Series(halves)] if polars else []
        for given in kinds:
            self.assertEqual(plain(self.pack.names(given)), ["Bacteria", None, "Bacillota"], type(given))
        for dtype in (int, "u4", "u8", float, object, str):
            masked = numpy.ma.array([9689, 9694, 9606], mask=[False, True, False]).astype(dtype)
            self.assertEqual(plain(self.pack.names(masked)), ["Panthera leo", None, "Homo sapiens"], dtype)
            self.assertEqual(plain(self.pack.names(list(masked))), plain(self.pack.names(masked)), dtype)
        masked = numpy.ma.array([1, 2], numpy.uint32, mask=[True, False])
        self.assertEqual(plain(self.pack.ids(masked)), [None, *plain(self.pack.ids([2]))])
        self.assertEqual(plain(self.pack.lca(numpy.ma.array([9689, 9606], mask=[False, True]), [9694, 9606])), [9688, None])
        for empty in ([], numpy.array([], object), numpy.array([], int)):
            self.assertEqual([len(column) for column in self.pack.resolve(empty)], [0, 0])
            self.assertEqual([len(column) for column in self.pack.lineage(empty, ["genus"]).values()], [0])
            self.assertEqual((len(self.pack.lineage(empty)), len(self.pack.names(empty)), len(self.pack.lca(empty, empty))), (0, 0, 0))
            self.assertEqual(list(self.pack.search(empty)), [])

    @unittest.skipUnless(pandas and pyarrow, "pandas or pyarrow is missing")
    def test_views_of_texts_in_pandas(self):
        for rows in (self.names, self.names * MANY):
            given = pandas.Series(rows, name="taxon").astype(pandas.ArrowDtype(pyarrow.string_view()))
            self.assertEqual(tuple(map(plain, self.pack.resolve(given))), self.pack.resolve(rows))
            self.assertTrue(self.pack.resolve(given)[0].index.equals(given.index))
        given = pandas.Series(["9689", None], index=[7, 7], name="taxon", dtype=pandas.ArrowDtype(pyarrow.string_view()))
        self.assertEqual((plain(self.pack.names(given)), self.pack.names(given).name), (["Panthera leo", None], "taxon"))
        found = self.pack.match(pandas.DataFrame({"name": pandas.Series(["Panthera leo", None], dtype=given.dtype)}), add="taxonID")
        self.assertEqual(plain(found["taxonID"]), [9689, None])
        lists = pandas.Series(pyarrow.array([[9689]], pyarrow.list_view(pyarrow.int64())), dtype=pandas.ArrowDtype(pyarrow.list_view(pyarrow.int64())))
        self.assertRaisesRegex(TypeError, "not of whole numbers or texts", self.pack.names, lists)

    @unittest.skipUnless(pyarrow, "pyarrow is missing")
    def test_lists_that_are_none_hide_their_members(self):
        members = pyarrow.array([5, 9689, 9685, 9606, None, 9694, 9689])
        for kind, offsets in ((pyarrow.ListArray, pyarrow.int32()), (pyarrow.LargeListArray, pyarrow.int64())):
            places, mask = pyarrow.array([0, 1, 3, 4, 6, 7], offsets), pyarrow.array([False, True, False, False, True])
            lists = kind.from_arrays(places, members, mask=mask)
            for given, expected in ((lists, [None, None, 9606, 9694, None]), (lists.slice(1, 3), [None, 9606, 9694])):
                self.assertEqual(plain(self.pack.lca_groups(given)), expected, given)

    def test_types_of_answers_do_not_depend_on_the_rows(self):
        def types(table):
            if isinstance(table, dict):
                return {name: types(column) for name, column in table.items()}
            if hasattr(table, "columns"):
                return {name: types(table[name]) for name in getattr(table, "column_names", table.columns)}
            kind = getattr(table, "type", None) or table.dtype
            return str(kind), str(kind.categories.dtype) if hasattr(kind, "categories") and pandas and isinstance(table, pandas.Series) else ""
        every = self.pack.ids(numpy.arange(len(self.pack), dtype=numpy.uint32)).tolist()
        asks = [(self.pack.lineage, every, [-7]), (lambda ids: self.pack.lineage(ids, field="id"), every[:MANY], [-7]),
                (lambda ids: self.pack.lineage(ids, ["genus", "order"]), every, [-7]),
                (lambda ids: self.pack.lineage(ids, ["genus"], field="id"), every, [-7]), (self.pack.names, every, [-7]),
                (lambda names: self.pack.match(names, add="main,status,score,reason,taxonID,lineage,candidates,edits,matchedName"),
                 self.names * 10, ["no such thing at all"]),
                (lambda names: dict(enumerate(self.pack.resolve(names))), self.names * 1000, ["no such thing at all"]),
                (self.pack.search, self.names, ["no such thing at all"])]
        for ask, many, none in asks:
            # What makes columns of the same type of rows that are there, none, or missing.
            kinds = [lambda rows: pandas.Series(rows, dtype="Int64" if none == [-7] else object)] if pandas else []
            kinds += [lambda rows: polars.Series(rows, dtype=polars.Int64 if none == [-7] else polars.String)] if polars else []
            kinds += [lambda rows: pyarrow.array(rows, pyarrow.int64() if none == [-7] else pyarrow.string())] if pyarrow else []
            for make in kinds:
                expected = types(ask(make(many)))
                for rows in (many[1:3], none, [None], []):
                    self.assertEqual(types(ask(make(rows))), expected, (expected, rows))

    def test_tables_without_columns_have_as_many_rows(self):
        kinds = [("pandas", pandas.Series, len)] if pandas else []
        kinds += [("pandas", pandas.Index, len)] if pandas else []
        # Older ones have no rows without columns.
        kinds += [("polars", polars.Series, lambda table: table.height)] if polars and polars.DataFrame({"x": [1]}).drop("x").height else []
        kinds += [("pyarrow", make, lambda table: table.num_rows) for make in (pyarrow.array, lambda rows: Exported(pyarrow.array(rows)))] if pyarrow else []
        for label, make, height in kinds:
            names, ids = make(["lion", None, "tiger"]), make([9689, None, 9694])
            for found in (self.pack.match(names, add=[]), self.pack.match(names, add=""), self.pack.lineage(ids, []), self.pack.lineage(ids, [], "id")):
                self.assertEqual((len(found.columns), height(found)), (0, 3), label)
                self.assertEqual(type(found).__module__.split(".")[0], label)
        for found in (self.pack.match(["lion"], add=[]), self.pack.lineage(numpy.array([9689]), []), self.pack.match("lion", add=[])):
            self.assertEqual(found, {})

    def test_names_of_columns_are_kept(self):
        for module in filter(None, (pandas, polars)):
            make = (lambda rows, name: pandas.Series(rows, name=name)) if module is pandas else (lambda rows, name: polars.Series(name, rows))
            ids, texts = make([9689, 9606], "taxon"), make(["9689", "9606"], "taxon")
            for answer in (self.pack.names(ids), self.pack.names(texts), self.pack.lca(ids, make([9694, 9606], "other")), self.pack.lca(texts, ids),
                           self.pack.lineage(ids), self.pack.lineage(ids, field="id"), self.pack.lca_groups(make([[9689, 9694]], "taxon")),
                           self.pack.ids(make([1, 2], "taxon")), self.pack.lca(make([1, 2], "taxon"), make([1, 2], "other"), ordinals=True)):
                self.assertIsInstance(answer, module.Series)
                self.assertEqual(answer.name, "taxon")
            self.assertEqual(list(self.pack.lineage(ids, ["genus"]).columns), ["genus"])

    def test_classes_derived_from_columns(self):
        rows = ["lion", None, "Homo sapiens"]
        for module in filter(None, (pandas, polars)):
            derived = type("Derived", (module.Series,), {"__module__": __name__})
            for answer in self.pack.resolve(derived(rows)):
                self.assertIsInstance(answer, module.Series)
            self.assertEqual(plain(self.pack.resolve(derived(rows))[0]), [9689, None, 9606])
            table = type("Table", (module.DataFrame,), {"__module__": __name__})({"name": rows})
            found = self.pack.match(table, add="taxonID")
            self.assertIsInstance(found, module.DataFrame)
            self.assertEqual(plain(found["taxonID"]), self.pack.match(rows)["taxonID"])

    def test_texts_that_are_no_unicode_are_invalid(self):
        rows = ["lion", "li\udcffon", "\ud800", "Ærøskøbing", b"\xff\xfe", b"tiger", "x" * 600]
        expected = ["common", "invalid", "invalid", "not_found", "invalid", "common", "invalid"]
        for given in (rows, numpy.array(rows, object), *([pandas.Series(rows, dtype=object)] if pandas else []), rows * 500):
            self.assertEqual(plain(self.pack.resolve(given)[1]), expected * (len(given) // len(rows)))
        self.assertEqual([len(hits) for hits in self.pack.search(rows[1:3], mode="fuzzy")], [0, 0])

    def test_bytes_that_can_be_written_to_are_no_numbers(self):
        for given in (bytearray(b"12"), memoryview(b"12"), memoryview(b"12").cast("c")):
            for call in (self.pack.resolve, self.pack.names, self.pack.taxa, self.pack.lineage, self.pack.search, self.pack.match, self.pack.ids,
                         lambda given: self.pack.resolve([given]), lambda given: self.pack.lca([9606], given),
                         lambda given: self.pack.match({"name": given}), lambda given: self.pack.names(numpy.array([given, None], object)[:1])):
                with self.assertRaisesRegex(TypeError, r"of bytes is no name or id, and no column: give bytes\(...\)"):
                    call(given)
            for groups in (given, [given]):
                self.assertRaisesRegex(TypeError, "no (column of )?list", self.pack.lca_groups, groups)
            self.assertNotIn(given, self.pack)
            # What stands beside names may be anything.
            self.assertEqual(self.pack.match({"name": ["Panthera leo"], "more": given}, add="taxonID")["taxonID"], [9689])
        self.assertEqual(self.pack.resolve(b"tiger"), (9694, "common"))
        self.assertEqual(self.pack.names(memoryview(numpy.array([9689, 9606]))), ["Panthera leo", "Homo sapiens"])

    def test_columns_of_the_wrong_type_raise(self):
        columns = [1.5, [1.5], [float("inf")], [True], [[1]], [{"lion": 1}], {"lion": 1}, [object()], [1j], object(), open,
                   numpy.array([1.5]), numpy.array([numpy.inf]), numpy.array([True]),
                   numpy.array([1j]), numpy.timedelta64(9689, "ns"), [numpy.timedelta64(9689)]]
        for unit in ("D", "s", "ns", "ps"):
            columns += [numpy.array([9689], f"datetime64[{unit}]"), numpy.array([9689], f"timedelta64[{unit}]"),
                        numpy.array([], f"datetime64[{unit}]"), list(numpy.array([9689], f"datetime64[{unit}]"))]
        if pandas:
            columns += [pandas.DataFrame({"name": ["lion"]}), pandas.Series([True]), pandas.Series([1.5]),
                        pandas.Series([["lion"]])]
            dates = [pandas.Series(pandas.to_datetime(["2020-01-01"])), pandas.Series(pandas.to_timedelta([9689]))]
            columns += [column for date in dates for column in (date, date.astype("category"), pandas.Index(date), date.tolist())]
        if polars:
            columns += [polars.DataFrame({"name": ["lion"]}), polars.LazyFrame({"name": ["lion"]}), polars.col("name"),
                        polars.Series([1.5]), polars.Series([True]), polars.Series([["lion"]])]
        if pyarrow:
            columns += [pyarrow.table({"name": ["lion"]}), pyarrow.array([1.5]), pyarrow.array([True]), pyarrow.array([["lion"]]),
                        pyarrow.array([{"name": "lion"}]), pyarrow.scalar(1)]
        for column in columns:
            for method in (self.pack.names, self.pack.resolve, self.pack.lineage, self.pack.search, lambda given: self.pack.lca(given, [1])):
                with self.assertRaises(TypeError, msg=repr(column)):
                    method(column)
        for groups in (5, "lion", [5], ["lion"], {"a": [1]}, [[1.5]], None):
            with self.assertRaises(TypeError, msg=repr(groups)):
                self.pack.lca_groups(groups)
        for call in (lambda: stol.open(5), lambda: self.pack[[1]], lambda: self.pack.search("lion", limit="many"),
                     lambda: stol.use_threads("two")):
            self.assertRaises(TypeError, call)

    def test_what_does_not_fit_into_types_of_c_raises(self):
        nul = "species\0x"
        for call in (lambda: self.pack.search("lion", limit=2**64 + 1), lambda: self.pack.search("lion", limit=-2**64 + 1),
                     lambda: self.pack.search("lion", edits=2**32 + 1), lambda: self.pack.search("lion", edits=-1),
                     lambda: self.pack.search("lion", edits=4), lambda: self.pack.complete("lion", limit=2**63),
                     lambda: self.pack.resolve("lion", rank=nul), lambda: self.pack.search("lion", rank=nul),
                     lambda: self.pack.lineage([9689], [nul]), lambda: self.pack.names(9689, "common_name", language="en\0x"),
                     lambda: self.pack.fact("name\0x"), lambda: self.pack.match(["lion"], add="status," + nul),
                     lambda: self.pack.match({"name": ["lion"], "a": ["b"]}, hints={"family\0x": "a"})):
            self.assertRaises(ValueError, call)
        for call in (lambda: stol.use_threads(1.5), lambda: self.pack.search("lion", limit=2.5), lambda: self.pack.search("lion", edits=1.0),
                     lambda: self.pack.resolve("lion", rank=3), lambda: self.pack.lineage([9689], [3]), lambda: self.pack.fact(3),
                     lambda: self.pack.names(9689, "common_name", language=b"en"), lambda: self.pack.match("lion", min_score=90.5)):
            self.assertRaises(TypeError, call)
        self.assertEqual(len(self.pack.search("lion", limit=numpy.int64(2), edits=numpy.int8(1))), 2)

    @unittest.skipUnless(pyarrow, "pyarrow is missing")
    def test_numbers_in_dictionaries(self):
        for codes, values, expected in (([0, None, 1], [9689, None], ["Panthera leo", None, None]), ([None, None], [], [None, None]),
                                        ([1, 0], [9606, 9689], ["Panthera leo", "Homo sapiens"]), ([], [], [])):
            given = pyarrow.DictionaryArray.from_arrays(pyarrow.array(codes, pyarrow.int8()), pyarrow.array(values, pyarrow.int64()))
            self.assertEqual(plain(self.pack.names(given)), expected)
            self.assertEqual(plain(self.pack.names(pyarrow.chunked_array([given, given]))), expected * 2)

    def test_what_is_no_single_taxon(self):
        for call in (lambda: self.pack.children("lion"), lambda: self.pack.resolve("lion", within="Felidae"), lambda: self.pack.subtree("lion"),
                     lambda: self.pack.compare("lion", 9606)):
            with self.assertRaisesRegex(ValueError, r"no taxon has the id '(lion|Felidae)'; the one of a name is pack\["):
                call()
        self.assertRaisesRegex(ValueError, "2 ids, where one", self.pack.children, [9681, 9606])
        columns = [["lion"], ("lion",), {"lion"}, {}, slice(1), numpy.array(["lion"])]
        columns += [pandas.Series(["lion"]), pandas.Series([], dtype=object)] if pandas else []
        columns += [polars.Series(["lion"])] if polars else []
        columns += [pyarrow.array(["lion"])] if pyarrow else []
        for column in columns:
            with self.assertRaisesRegex(TypeError, "for many: resolve"):
                self.pack[column]
            self.assertNotIn(column, self.pack)
        for key in (True, False, numpy.bool_(True), 1.5, None, float("nan"), object(), b"\xff", 3, "no such name"):
            self.assertNotIn(key, self.pack)
            self.assertRaises((KeyError, TypeError), self.pack.__getitem__, key)
        for key in ("lion", b"lion", 9689, 9689.0, numpy.int64(9689), "9689", self.pack["lion"]):
            self.assertIn(key, self.pack)

    def test_truths_among_many_rows_raise(self):
        for wrong in (True, False, numpy.bool_(True)):
            for rows in (["lion", 1, 0, wrong], ["lion", 1, wrong] * MANY, ["lion", wrong, 1, 0] * MANY, ["lion"] * MANY + [wrong]):
                for given in (rows, numpy.array(rows, object)):
                    self.assertRaisesRegex(TypeError, str(bool(wrong)), self.pack.resolve, given)
        self.assertEqual(self.pack.resolve(["lion", 1] * MANY), self.pack.resolve(["lion", "1"] * MANY))

    @unittest.skipUnless(pyarrow, "pyarrow is missing")
    def test_chunks_share_what_they_have_in_common(self):
        rows = [self.random.choice(self.names) for _ in range(MANY)]
        expected = self.pack.resolve(rows)
        bounds = sorted(self.random.randrange(MANY) for _ in range(50))
        cut = [rows[start:end] for start, end in zip([0, *bounds], [*bounds, MANY])]
        shared = pyarrow.chunked_array([pyarrow.array(piece, pyarrow.string()) for piece in cut]).dictionary_encode()
        own = pyarrow.chunked_array([pyarrow.array(piece, pyarrow.string()).dictionary_encode() for piece in cut])
        for given in (shared, own, pyarrow.chunked_array([pyarrow.array(piece, pyarrow.large_string()) for piece in cut])):
            self.assertEqual(tuple(map(plain, self.pack.resolve(given))), expected)
        with mock.patch.object(stol._pack, "call", wraps=stol._pack.call) as call:
            self.pack.resolve(shared)
        self.assertEqual([names[0][0] for names in call.call_args_list].count("resolve"), 1)

    def test_rows_that_repeat_are_asked_once(self):
        few, many = [f"name {row % 50}" for row in range(MANY)], [f"name {row}" for row in range(MANY)]
        several = many[:-100] + many[:100]
        kinds = [("list", lambda rows: rows), ("numpy", lambda rows: numpy.array(rows, object))]
        kinds += [("pandas", pandas.Series)] if pandas else []
        kinds += [("polars", polars.Series)] if polars else []
        kinds += [("pyarrow", pyarrow.array)] if pyarrow else []
        for label, make in kinds:
            for rows, is_dear, asked in ((few, False, 50), (few, True, 50), (many, False, MANY), (several, False, MANY), (several, True, MANY - 100)):
                (part,) = stol._columns.read_texts(make(rows), is_dear)
                self.assertEqual((part.texts.count, len(part)), (asked, MANY), label)

    @unittest.skipUnless(pyarrow, "pyarrow is missing")
    def test_texts_beyond_two_gigabytes(self):
        # A file of holes: what lies between the texts is never read.
        with tempfile.TemporaryFile() as file:
            file.seek(5 << 29)
            file.write(b"Panthera leotiger")
            file.flush()
            start = 5 << 29
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
                places = numpy.array([start, start + 12, start + 17], numpy.int64)
                column = pyarrow.LargeStringArray.from_buffers(2, pyarrow.py_buffer(places), pyarrow.py_buffer(mapped))
                self.assertEqual(plain(self.pack.resolve(column)[0]), [9689, 9694])
                del column

    @unittest.skipUnless(pyarrow, "pyarrow is missing")
    def test_chunks_with_more_texts_than_one_array_holds(self):
        for rows in ([self.random.choice(self.names[:50]) for _ in range(MANY)], [f"name {row}" for row in range(MANY)]):
            bounds = [0, 0, *sorted(self.random.randrange(MANY) for _ in range(20)), MANY]
            column = pyarrow.chunked_array([rows[start:end] for start, end in zip(bounds, bounds[1:])], pyarrow.string())
            for most, layout in ((column.nbytes, 64), (column.nbytes + 1, 32)):
                with mock.patch.object(stol._columns, "MOST_BYTES", most):
                    self.assertEqual(tuple(map(plain, self.pack.resolve(column))), self.pack.resolve(rows))
                    parts = stol._columns.read_texts(column, is_dear=True)
                    self.assertEqual({part.texts.layout for part in parts}, {layout})
                    self.assertEqual(stol._columns.listed_column(parts), rows)
                    self.assertEqual({part.texts.count for part in parts if len(part)}, {len({*rows} - {None})})
            for count in (1, 100, MANY - 1, 2 * MANY):
                with mock.patch.object(stol._columns, "_SAMPLE", count):
                    self.assertEqual(stol._columns._sample_of_chunks(column).to_pylist(), rows[::-(-MANY // count)])

    @unittest.skipUnless(pyarrow, "pyarrow is missing")
    def test_answers_with_more_texts_than_one_array_holds(self):
        ids = [9689, None, 9694, *[9689] * 50]
        for ask in (lambda given: self.pack.names(given), lambda given: self.pack.lineage(given),
                    lambda given: self.pack.match(given, add="acceptedName")["acceptedName"].combine_chunks()):
            expected = ask(pyarrow.array(ids))
            texts = expected.flatten() if pyarrow.types.is_large_list(expected.type) else expected
            texts = texts.drop_null()
            # The texts of all rows, of which few are different.
            byte_count = sum(len(text) for text in texts.to_pylist())
            for most, kind in ((byte_count, pyarrow.large_string()), (byte_count + 1, pyarrow.string())):
                with mock.patch.object(stol._columns, "MOST_BYTES", most):
                    answer = ask(pyarrow.array(ids))
                self.assertEqual(answer.to_pylist(), expected.to_pylist())
                self.assertEqual(getattr(answer.type, "value_type", answer.type), kind)

    def test_a_pack_that_is_closed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "some.stolpack"
            shutil.copy(PACK, path)
            pack = stol.open(path)
            lion = pack["lion"]
            self.assertFalse(pack.is_closed)
            # Calls that are under way have the file to their end.
            rows = [self.random.choice(self.names) for _ in range(MANY)]
            expected, found = pack.resolve(rows), []

            def ask():
                try:
                    while True:
                        found.append(pack.resolve(rows))
                        started.release()
                except ValueError as error:
                    found.append(str(error))
            started = threading.Semaphore(0)
            threads = [threading.Thread(target=ask) for _ in range(4)]
            for thread in threads:
                thread.start()
            for _ in range(8):
                started.acquire()
            pack.close()
            for thread in threads:
                thread.join()
            self.assertTrue(all(answer == expected or "closed" in answer for answer in found))
            self.assertEqual(sum("closed" in answer for answer in found), 4)
            for call in (lambda: pack.resolve("lion"), lambda: pack.names([1]), lambda: pack.search("lion"), lambda: lion.name,
                         lambda: pack.lineage([9689]), lambda: pack.lca([1], [1]), lambda: pack.fact("name"), lambda: pack.newick(9689),
                         lambda: pack.subtree(9689), lambda: pack["lion"], lambda: pack.lca_groups([[1]]), lambda: 9689 in lion,
                         lambda: lion.lca(9606)):
                with self.assertRaisesRegex(ValueError, "closed"):
                    call()
            self.assertTrue(pack.is_closed)
            self.assertIn("closed", repr(lion))
            pack.close()
            self.assertEqual(stol.open(path).resolve("lion"), (9689, "common"))

    def test_what_stops_a_call_in_the_middle_leaves_nothing_behind(self):
        rows = [str(number) for number in range(5 * stol._threads.BLOCK)]
        ids = numpy.arange(len(rows))
        names, columns = stol._columns.slice_of, stol._pack.place
        for stop in (KeyboardInterrupt, MemoryError):
            for threads in (1, 2, 4):
                stol.use_threads(threads)
                self.addCleanup(stol.use_threads, None)
                for call, module, name, step in ((lambda: self.pack.resolve(rows), stol._columns, "slice_of", names),
                                                 (lambda: self.pack.lca(ids, ids), stol._pack, "place", columns),
                                                 (lambda: self.pack.lineage(ids, ["genus"]), stol._pack, "place", columns)):
                    calls = iter(range(100))

                    def stopping(*arguments, step=step, calls=calls, stop=stop):
                        if next(calls) == 4:
                            raise stop
                        return step(*arguments)
                    before = threading.active_count()
                    with mock.patch.object(module, name, stopping), self.assertRaises(stop):
                        call()
                    self.assertEqual(threading.active_count(), before)
                    self.assertEqual(self.pack.resolve("lion"), (9689, "common"))
        self.assertRaises(ValueError, stol.use_threads, 0)

    def test_blocks_of_dear_rows_are_short(self):
        """By a clock of its own, on which a row takes as long as is said."""
        for seconds, count in ((1.0, 50), (0.01, 1000), (1e-6, 100_000), (0.0, 100_000)):
            now, blocks = [0.0], []

            def work(start, end):
                blocks.append((start, end))
                now[0] += seconds * (end - start)
                return range(start, end)
            stol.use_threads(1)
            self.addCleanup(stol.use_threads, None)
            with mock.patch.object(stol._threads.time, "perf_counter", lambda: now[0]):
                found = stol._threads.in_short_blocks(count, work, 4096)
            self.assertEqual([row for rows in found for row in rows], list(range(count)))
            sizes = [end - start for start, end in blocks]
            self.assertEqual(sizes[0], 1)
            usual = max(1, min(4096, int(0.05 / seconds) if seconds else 4096))
            self.assertLessEqual(max(sizes[1:]), usual + 1)
            self.assertGreaterEqual(sizes[-2], min(usual, 4096) - 1)
        self.assertEqual(stol._threads.in_short_blocks(0, work, 10), [])

    def test_what_stops_short_blocks_in_the_middle(self):
        for threads in (1, 4):
            stol.use_threads(threads)
            self.addCleanup(stol.use_threads, None)
            for stop in (KeyboardInterrupt, MemoryError):
                before, asked = threading.active_count(), []

                def work(start, end):
                    asked.append(start)
                    if len(asked) == 5:
                        raise stop
                    return start
                with self.assertRaises(stop):
                    stol._threads.in_short_blocks(1_000_000, work, 16)
                self.assertEqual(threading.active_count(), before)
                # The other threads end with what they have begun.
                self.assertLess(len(asked), 1_000)
            found = stol._threads.in_short_blocks(10_000, lambda start, end: (start, end), 64)
            self.assertEqual([start for start, _ in found], [0, *(end for _, end in found[:-1])])
            self.assertEqual(found[-1][1], 10_000)

    def test_threads_change_no_answer(self):
        ids = numpy.array([self.random.choice(self.ids) for _ in range(3 * stol._threads.BLOCK + 7)])
        answers = []
        for threads in (1, 3):
            stol.use_threads(threads)
            self.addCleanup(stol.use_threads, None)
            answers.append([plain(self.pack.lca(ids, ids[::-1].copy())), plain(self.pack.names(ids)), plain(self.pack.ids(self.pack.taxa(ids))),
                            {rank: plain(column) for rank, column in self.pack.lineage(ids, ["genus", "class"]).items()},
                            plain(self.pack.lineage(ids, field="id"))])
        self.assertEqual(*answers)

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

    def test_libstol_is_asked_first_once(self):
        for outcomes, asked in (([None], 1), ([UnicodeDecodeError("utf-8", b"", 0, 1, "of a damaged pack"), None], 2)):
            question = mock.Mock(side_effect=outcomes)
            with mock.patch.dict(stol._first._QUESTIONS, {"test": question}):
                for _ in range(3):
                    stol._first.ask(self.pack, "test")
            stol._first._asked.remove("test")
            self.assertEqual(question.call_count, asked)

    @unittest.skipUnless(hasattr(os, "register_at_fork"), "processes are not forked here")
    def test_no_process_is_forked_while_something_is_made_ready(self):
        started, goes_on, order = threading.Event(), threading.Event(), []

        def work():
            with stol._threads.forks_wait:
                started.set()
                goes_on.wait()
                order.append("ready")
        thread = threading.Thread(target=work)
        thread.start()
        started.wait()
        # What is registered last is called first, before the fork waits for the work.
        os.register_at_fork(before=goes_on.set)
        child = os.fork()
        if not child:
            # The child may make ready what it needs itself.
            with stol._threads.forks_wait:
                os._exit(0 if order == ["ready"] else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        thread.join()

    @unittest.skipUnless(hasattr(os, "fork"), "processes are not forked here")
    def test_forks_while_another_thread_asks_first(self):
        """In processes of their own, STOL_TEST_FORKS of them; the child would hang if it were forked in the middle of it."""
        program = """
import os, signal, sys, threading, stol
begun = threading.Event()

def ask():
    begun.set()
    table = {"name": ["Pantera leo (L.)", "Oenanthe"], "kingdom": ["Animalia", "Plantae"]}
    found = stol.open(sys.argv[1]).match(table, add="taxonID")["taxonID"]
    stol._columns.pyarrow()
    return found

thread = threading.Thread(target=ask)
thread.start()
begun.wait()
for _ in range(int(sys.argv[2])):
    pass
child = os.fork()
if not child:
    signal.alarm(60)
    os._exit(0 if ask() == [9689, 48043] else 1)
thread.join()
sys.exit(os.waitpid(child, 0)[1] != 0)
"""
        package = str(pathlib.Path(stol.__file__).parent.parent)
        for _ in range(int(os.environ.get("STOL_TEST_FORKS", "3"))):
            steps = str(self.random.randrange(1_000_000))
            done = subprocess.run([sys.executable, "-c", program, PACK, steps], env={**os.environ, "PYTHONPATH": package}, capture_output=True,
                                  text=True)
            self.assertEqual(done.returncode, 0, (steps, done.stderr))

    def test_calls_import_nothing(self):
        # A child that is forked while a thread imports would wait for that import for ever.
        program = f"""
import sys, stol
stol.use_threads(2)
before = set(sys.modules)
pack = stol.open({str(PACK)!r})
lion = pack["lion"]
rows = ["lion", "tiger", "Oenanthe", "9606", "x"]
pack.match(rows), pack.match({{"name": rows, "kingdom": "Animalia"}}, add="main,reason,candidates,lineage"), pack.resolve(rows)
pack.search(rows), pack.lineage([9606] * 5), pack.lca_groups([[9606]]), pack._repr_html_(), lion._repr_html_(), lion.children
pack.newick([9606, 9689]), pack.compare(9606, 9689)._repr_html_(), list(stol._open._packs_in(b""))
stol._threads.in_blocks(5, range, 2)
print(*sorted(set(sys.modules) - before))
"""
        package = str(pathlib.Path(stol.__file__).parent.parent)
        done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": package}, capture_output=True, text=True)
        self.assertEqual((done.stdout.strip(), done.stderr), ("", ""))

    def test_few_modules_are_imported_beside_numpy(self):
        program = "import sys, numpy\nbefore = set(sys.modules)\nimport stol\nprint(*sorted({'shutil', 'tempfile', 'random'} & set(sys.modules) - before))"
        done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(pathlib.Path(stol.__file__).parent.parent)},
                              capture_output=True, text=True)
        self.assertEqual((done.stdout.strip(), done.stderr), ("", ""))

    def test_the_readme_is_short_and_right(self):
        readme = ROOT / "Doors/python/README.md"
        self.assertLess(len(readme.read_text().splitlines()), 100)
        text = readme.read_text().replace("stol.open()  ", f"stol.open({str(PACK)!r})  ").replace("```", "")
        test = doctest.DocTestParser().get_doctest(text, {}, readme.name, str(readme), 0)
        self.assertGreater(len(test.examples), 8)
        said = []
        doctest.DocTestRunner().run(test, out=said.append)
        self.assertEqual("".join(said), "")


@needs_library
class QuestionTests(PackTests):
    """100,000 questions of each kind, to which the C library gives the answers of the command."""
    COUNT = 100_000
    RANKS = ("kingdom", "class", "family", "genus")

    def assert_same(self, found, expected):
        """Whether two long columns are the same; says which rows are not."""
        wrong = [(row, *pair) for row, pair in enumerate(zip(found, expected)) if pair[0] != pair[1]]
        self.assertEqual((len(found), wrong[:3]), (len(expected), []))

    def test_names(self):
        rows = self.texts(self.COUNT)
        taxa, _, statuses = self.pack.resolve(rows)
        ids, words = stol.open(PACK).resolve(rows)
        self.assert_same(ids, self.pack.ids(taxa))
        self.assert_same(words, statuses)
        rows = [f"{row} {self.random.choice(('L.', 'sp.', 'Linnaeus, 1758'))}" if isinstance(row, str) and self.random.random() < 0.3 else row
                for row in self.random.sample(rows, self.COUNT // 5)]
        found = stol.open(PACK).match(rows, add="status,taxonID,reason,candidates")
        expected = self.pack.match(rows, candidates=True)
        self.assert_same(found["status"], [match[2] for match in expected])
        self.assert_same(found["taxonID"], self.pack.ids([match[0] for match in expected]))
        self.assert_same(found["reason"], [match[6] for match in expected])
        self.assert_same(found["candidates"], [self.pack.ids(match[7][0]) for match in expected])

    def test_ids(self):
        pack, first, second = stol.open(PACK), self.taxa(self.COUNT), self.taxa(self.COUNT)
        ids, others = self.pack.ids(first), self.pack.ids(second)
        self.assert_same(pack.lca(ids, others), self.pack.ids(self.pack.lca_pairs(first, second)))
        self.assert_same(pack.names(others), [text or None for text in self.pack.texts("scientificName", second)])
        found = pack.lineage(others, self.RANKS)
        for rank, column in zip(self.RANKS, self.pack.rank_columns(second, self.RANKS)):
            self.assert_same(found[rank], [text or None for text in self.pack.texts("scientificName", column)])
        groups = [first[start:start + self.random.randrange(6)] for start in range(0, self.COUNT, 5)]
        self.assert_same(pack.lca_groups([self.pack.ids(members) for members in groups]), self.pack.ids(self.pack.lca_lists(groups)))


if __name__ == "__main__":
    unittest.main()
