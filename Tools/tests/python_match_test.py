"""Matching by the Python package: the answers of `stol match` to the same tables, and tables of every kind.

    Tools/wheel --test
"""
import csv
import io
import random
import subprocess
import sys
import unittest
import unittest.mock

from door import STOL, needs_command
from python_package import PACK, ROOT, SEED, numpy, pandas, polars, pyarrow, stol

COLUMNS = "status,score,reason,taxonID,acceptedName,acceptedAuthorship,rank,matchedName,edits,distance,lineage,family,main"
HEADER = ("scientificName", "scientificNameAuthorship", "taxonRank", "nomenclaturalCode", "kingdom", "family", "remarks")


def text(value):
    """A cell as the command writes it."""
    return "" if value is None else str(value)


def plain(column):
    if isinstance(column, (list, tuple)):
        return list(column)
    if isinstance(column, numpy.ndarray):
        return [None if value is None or value == stol.NO_ID else value for value in column.tolist()]
    if pandas and isinstance(column, pandas.Series):
        return [None if value is None or value is pandas.NA or value != value else value for value in column.tolist()]
    return column.to_pylist() if hasattr(column, "to_pylist") else column.to_list()


class Streamed:
    """What knows nothing but to export Arrow's C data."""
    def __init__(self, given):
        for name in ("__arrow_c_stream__", "__arrow_c_array__"):
            if hasattr(given, name):
                setattr(self, name, getattr(given, name))
                return


class MatchTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        print(f"STOL_TEST_SEED={SEED}", file=sys.stderr)
        cls.random = random.Random(SEED)
        cls.pack = stol.open(PACK)
        cls.rows = [cls.row() for _ in range(400)] + [
            ("", "", "", "", "", "", "x"), ("Oenanthe", "", "", "", "Plantae", "", ""), ("Oenanthe", "", "", "", "Animalia", "", ""),
            ("Oenanthe", "", "", "", "", "", ""), ("Quercus sp.", "", "", "", "", "", ""), ("Pantera leo (Linnaeus, 1758)", "", "", "", "", "", ""),
            ("Panthera leo", "Linnaeus, 1758", "species", "ICZN", "Animalia", "Felidae", ""), ("no such name", "", "", "", "", "Felidae", "")]

    @classmethod
    def row(cls):
        """A name as somebody may have written it, with what stands beside it."""
        taxon = stol.Taxon(cls.pack, cls.random.randrange(len(cls.pack)))
        name, choice = taxon.name, cls.random.random()
        if choice < 0.4:
            place = cls.random.randrange(len(name))
            name = name[:place] + cls.random.choice(["", "a", name[place] * 2]) + name[place + 1:]
        elif choice < 0.5:
            name = f"{name} {taxon.authorship or 'L.'}"
        elif choice < 0.6:
            name = name.split(" ")[0] + cls.random.choice([" sp.", " cf. nigra", " spp", " ×"])
        family, kingdom = taxon.ancestor("family"), taxon.ancestor("kingdom")

        def sometimes(value):
            return value.name if value and cls.random.random() < 0.4 else ""
        return (name, taxon.authorship or "" if cls.random.random() < 0.3 else "", taxon.rank if cls.random.random() < 0.3 else "",
                cls.random.choice(["", "", "ICZN", "ICN"]), sometimes(kingdom), sometimes(family), "")

    def assert_same(self, found, expected, label):
        """Whether two long columns are the same; says in which row they are not."""
        self.assertEqual(len(found), len(expected), label)
        wrong = next((row for row, pair in enumerate(zip(found, expected)) if pair[0] != pair[1]), None)
        if wrong is not None:
            self.fail(f"{label}, row {wrong}: {found[wrong]!r}, not {expected[wrong]!r}")

    def table(self, rows=None):
        rows = self.rows if rows is None else rows
        return {name: [row[number] for row in rows] for number, name in enumerate(HEADER)}

    @needs_command
    def test_answers_are_those_of_the_command(self):
        given = io.StringIO()
        writer = csv.writer(given)
        writer.writerow(HEADER)
        writer.writerows(self.rows)
        for options, ours in (((), {}), (("--exact",), {"exact": True}), (("--no-higher",), {"higher": False}), (("--ocr",), {"ocr": True}),
                              (("--min-score", "50"), {"min_score": 50})):
            done = subprocess.run([STOL, "match", "-", "--add", COLUMNS, "--pack", str(PACK), *options], input=given.getvalue(),
                                  capture_output=True, text=True, check=True)
            header, *said = csv.reader(io.StringIO(done.stdout))
            found = self.pack.match(self.table(), add=COLUMNS, **ours)
            self.assertEqual(list(found), header)
            for name, cells in zip(header, zip(*said)):
                self.assert_same([text(value) for value in found[name]], cells, (name, options))

    def test_tables_of_every_kind(self):
        rows = self.rows * 3
        given = self.table(rows)
        expected = self.pack.match(given, add=COLUMNS + ",candidates")
        self.assertEqual([name for name in expected if name not in HEADER][:3], ["status", "score", "reason"])
        self.assertIn("stol_family", expected)
        kinds = [pandas.DataFrame(given, index=[f"row {row}" for row in range(len(rows))])] if pandas else []
        kinds += [pandas.DataFrame(given).astype("category")] if pandas else []
        kinds += [polars.DataFrame(given)] if polars else []
        kinds += [pyarrow.table(given), pyarrow.RecordBatch.from_pydict(given), pyarrow.concat_tables([pyarrow.table(given).slice(0, 5),
                                                                                                   pyarrow.table(given).slice(5)])] if pyarrow else []
        kinds += [{name: numpy.array(column, object) for name, column in given.items()}, {name: tuple(column) for name, column in given.items()}]
        for table in kinds:
            found = self.pack.match(table, add=COLUMNS + ",candidates")
            names = list(found) if isinstance(found, dict) else list(getattr(found, "column_names", found.columns))
            self.assertEqual(names, list(expected), type(table))
            for name in names:
                column = [list(value) if isinstance(value, numpy.ndarray) else value for value in plain(found[name])]
                self.assert_same(column, expected[name], (type(table), name))
            if pandas and isinstance(table, pandas.DataFrame):
                self.assertTrue(found.index.equals(table.index))
                self.assertEqual(list(table.columns), list(HEADER))

    @unittest.skipUnless(pyarrow, "pyarrow is missing")
    def test_tables_that_speak_the_interface_of_arrow(self):
        given = self.table(self.rows[-12:])
        names = pyarrow.array(given["scientificName"])
        given = {**given, "year": [1.5, None, *range(10)], "number": [None, *range(11)], "kingdom": pyarrow.array(given["kingdom"]).dictionary_encode()}
        table = pyarrow.table(given)
        expected = pyarrow.table(self.pack.match(table, add="status,taxonID,candidates"))
        struct, batch = table.to_struct_array().combine_chunks(), table.combine_chunks().to_batches()[0]
        cut = pyarrow.concat_tables([table.slice(0, 5), table.slice(5)])
        for label, make in (("stream", lambda: Streamed(cut)), ("array", lambda: Streamed(batch)), ("reader", lambda: cut.to_reader()),
                            ("structs", lambda: struct), ("chunks", lambda: table.to_struct_array()), ("sliced", lambda: Streamed(batch.slice(4))),
                            ("batch", lambda: batch), ("empty", lambda: Streamed(table.slice(0, 0)))):
            wanted = expected.slice({"sliced": 4, "empty": 12}.get(label, 0))
            with self.subTest(label):
                found = self.pack.match(make(), add=["status", "taxonID", "candidates"])
                self.assertIsInstance(found, pyarrow.RecordBatch if label == "batch" else pyarrow.Table)
                self.assertEqual(found.to_pydict(), wanted.to_pydict())
            if label not in ("batch", "structs", "chunks"):
                with self.subTest(label + " without pyarrow"), unittest.mock.patch.object(stol._columns, "pyarrow", lambda: None):
                    found = self.pack.match(Streamed(make()), add=["status", "taxonID", "candidates"])
                    self.assertEqual(found, wanted.to_pydict())
        by_hand = self.pack.match(Streamed(table), name="scientificName", hints={"kingdom": "kingdom"}, add="taxonID")
        self.assertEqual(plain(by_hand["taxonID"]), plain(expected["taxonID"]))
        # A column is no table, and has answers alone.
        self.assertEqual(plain(self.pack.match(Streamed(names), add="status")["status"]), self.pack.match(plain(names), add="status")["status"])
        # A stream is read once: a column of it as well as a table.
        once = pyarrow.RecordBatchReader.from_batches(table.schema, iter([batch]))
        self.assertEqual(self.pack.match(once, add="status").num_rows, 12)
        for said, wrong in ((r"\.read_all\(\)", lambda: self.pack.resolve(cut.to_reader())),
                            ("pip install pyarrow", lambda: self.pack.match(Streamed(pyarrow.table({"name": ["lion"], "flag": [True]}))))):
            with unittest.mock.patch.object(stol._columns, "pyarrow", lambda: None), self.assertRaisesRegex(TypeError, said):
                wrong()

    @unittest.skipUnless(pyarrow, "pyarrow is missing")
    def test_whole_rows_that_are_null_are_left_out_first(self):
        rows = pyarrow.array([{"name": "Panthera leo"}, None])
        for make in (lambda: rows, lambda: pyarrow.chunked_array([rows]), lambda: Streamed(rows), lambda: Streamed(pyarrow.chunked_array([rows]))):
            for library in (stol._columns.pyarrow, lambda: None):
                with unittest.mock.patch.object(stol._columns, "pyarrow", library), \
                        self.assertRaisesRegex(ValueError, r"^a table of which whole rows are null: leave them out, as drop_null\(\)"):
                    self.pack.match(make(), add="taxonID")
        self.assertEqual(plain(self.pack.match(rows.drop_null(), add="taxonID")["taxonID"]), [9689])

    @unittest.skipUnless(polars, "polars is missing")
    def test_a_lazy_table_is_collected_first(self):
        with self.assertRaisesRegex(TypeError, r"give match what its \.collect\(\) makes"):
            self.pack.match(polars.LazyFrame({"name": ["lion"]}))

    def test_errors_of_tables_name_the_column(self):
        for given, options, said in (
                ({"name": [1.5]}, {}, "the column 'name': 1.5 is no name"), ({"name": ["lion"], "flag": [True]}, {"rank": "flag"}, "the column 'flag': True"),
                ({"genus": ["Aus"], "specificEpithet": [1.5]}, {}, "the column 'genus' and 'specificEpithet': 1.5"),
                ({"name": ["lion"], "family": numpy.array([1j])}, {}, "the column 'family': 1j")):
            with self.assertRaisesRegex(TypeError, said):
                self.pack.match(given, **options)
        with self.assertRaisesRegex(TypeError, "^1.5 is no name"):
            self.pack.match([1.5])

    def test_columns_of_names_alone(self):
        names = [row[0] for row in self.rows] * 5
        alone = {name: column for name, column in self.pack.match({"name": names}).items() if name != "name"}
        for name, column in self.pack.match(names).items():
            self.assert_same(column, alone[name], name)
        nulls = [name or None for name in names]
        for given in ([pandas.Series(names), pandas.Series(nulls)] if pandas else []) + ([polars.Series(nulls)] if polars else []) \
                + ([pyarrow.array(names), pyarrow.array(nulls).dictionary_encode(), pyarrow.chunked_array([nulls[:7], nulls[7:]])] if pyarrow else []):
            found = self.pack.match(given)
            for name in alone:
                self.assert_same(plain(found[name]), alone[name], (type(given), name))
        one = self.pack.match("Pantera leo (Linnaeus, 1758)", add="status,taxonID,edits,genus,lineage,candidates")
        self.assertEqual({name: one[name] for name in ("status", "taxonID", "edits", "genus")},
                         {"status": "fuzzy", "taxonID": 9689, "edits": 1, "genus": "Panthera"})
        self.assertIn(9689, one["candidates"])
        self.assertTrue(one["lineage"].endswith("Panthera; Panthera leo"))
        self.assertEqual(self.pack.match([]), {name: [] for name in alone})
        self.assertEqual(self.pack.match([None, float("nan"), "li\udcffon"])["status"], ["invalid"] * 3)

    def test_nulls_among_names_alone(self):
        names = [f"Panthera {number}" for number in range(126)] + ["Panthera leo", "Pantera tigris"]
        expected = [*["invalid"] * 2, *self.pack.match(names)["status"], "invalid"]
        given = [None, None, *names, None]
        columns = [given] + ([pandas.Series(given).astype("category")] if pandas else []) + ([polars.Series(given)] if polars else [])
        if pyarrow:
            # With codes of a byte, the greatest of which is 127.
            coded = pyarrow.array(given).dictionary_encode().cast(pyarrow.dictionary(pyarrow.int8(), pyarrow.string()))
            columns += [pyarrow.array(given), coded, pyarrow.chunked_array([coded.slice(0, 2), coded.slice(2)])]
        for column in columns:
            with unittest.mock.patch.object(stol._columns, "read_texts", side_effect=stol._columns.read_texts) as read:
                self.assert_same(plain(self.pack.match(column)["status"]), expected, type(column))
            self.assertEqual(read.call_count, 1)
        without = pyarrow and pyarrow.DictionaryArray.from_arrays(pyarrow.array(range(128), pyarrow.int8()), pyarrow.array(names))
        for column in [without, pyarrow.chunked_array([without, without])] if pyarrow else []:
            self.assert_same(plain(self.pack.match(column)["status"]), expected[2:-1] * (len(column) // 128), type(column))

    def test_columns_are_found_as_the_command_finds_them(self):
        for table in ({"Genus": ["Panthera"], "specific epithet": ["leo"]}, {"dwc:scientificName": ["Panthera leo"]},
                      {"http://rs.tdwg.org/dwc/terms/scientificName": ["Panthera leo"]}, {"TAXON_NAME": ["Panthera leo"]}):
            self.assertEqual(self.pack.match(table, add="taxonID")["taxonID"], [9689], table)
        table = {"Art": ["Oenanthe", "Oenanthe"], "Reich": ["Plantae", "Animalia"]}
        plants, birds = self.pack.match(table, name="Art", hints={"kingdom": "Reich"}, add="taxonID")["taxonID"]
        self.assertEqual({plants, birds}, {245059, 48043})
        self.assertEqual(self.pack.match({"name": ["Oenanthe", "Panthera leo"], "kingdom": "Plantae"}, add="taxonID")["taxonID"][0], plants)
        for call in (lambda: self.pack.match(table), lambda: self.pack.match(table, name="Arten"), lambda: self.pack.match(["lion"], name="Art"),
                     lambda: self.pack.match(["lion"], add="colour"), lambda: self.pack.match(["lion"], min_score=101),
                     lambda: self.pack.match({"name": ["lion"], "kingdom": ["Plantae", "Animalia"]}),
                     lambda: self.pack.match(table, name="Art", hints={"colour": "Reich"})):
            self.assertRaises(ValueError, call)
        for word in ("matchedID", "points", "status,matchedAuthorship"):
            with self.assertRaisesRegex(ValueError, "only the command `stol match` has"):
                self.pack.match(["lion"], add=word)
        for call in (lambda: self.pack.match([1.5]), lambda: self.pack.match({"name": [["lion"]]}), lambda: self.pack.match({"name": [True]})):
            self.assertRaises(TypeError, call)

    def test_a_wrong_word_is_refused_before_anything_is_matched(self):
        for given in (["lion"], "lion", {"name": ["lion"], "kingdom": ["Animalia"]}):
            with unittest.mock.patch.object(stol._match, "call", side_effect=AssertionError("it was matched")) as call:
                for wrong in ("statuss", "status,Statuss", ["taxonID", "statuss"]):
                    with self.assertRaisesRegex(ValueError, "(?i)add has 'statuss', which is no column and no rank: columns are status, score, .*, "
                                                            "candidates, and the pack has no rank .* only kingdom, phylum"):
                        self.pack.match(given, add=wrong)
                self.assertEqual(call.call_count, 0)
        self.assertEqual(self.pack.match(["Panthera leo"], add="STATUS, Family,,taxonid"), {"status": ["exact"], "family": ["Felidae"], "taxonID": [9689]})

    def test_lineages_without_an_implied_root(self):
        # A pack of several trees, the first of which has a root that no source has.
        pack = stol.open(ROOT / "Format/vectors/v2/valid/records.stolpack")
        self.assertTrue(pack.has_implied_root)
        self.assertGreater(len(pack.roots), 1)
        found = pack.match([taxon.name for taxon in pack], add="taxonID,lineage")
        known = [(pack[number], text) for number, text in zip(found["taxonID"], found["lineage"]) if number is not None]
        self.assertEqual({taxon in pack.roots[0] for taxon, _ in known}, {False, True})
        for taxon, text in known:
            self.assertEqual(text, "; ".join(each.name for each in taxon.lineage if each.id is not None))

    def test_a_single_value_of_a_dictionary_stands_in_every_row(self):
        one_by_one = {"name": ["Oenanthe"] * 2, "class": ["Aves", "Magnoliopsida"]}
        found = self.pack.match({**one_by_one, "name": "Oenanthe"}, add="taxonID")
        self.assertEqual(found, {"name": "Oenanthe", "class": ["Aves", "Magnoliopsida"], "taxonID": [245059, 48043]})
        self.assertEqual(found["taxonID"], self.pack.match(one_by_one, add="taxonID")["taxonID"])
        cats = [9689, 9694]
        for genus, epithet in (("Panthera", ["leo", "tigris"]), (["Panthera"] * 2, ["leo", "tigris"]), ("Panthera", ("leo", "tigris")),
                               ("Panthera", numpy.array(["leo", "tigris"]))):
            self.assertEqual(self.pack.match({"genus": genus, "specificEpithet": epithet}, add="taxonID")["taxonID"], cats)
        self.assertEqual(self.pack.match({"genus": ["Panthera", "Felis"], "specificEpithet": "leo", "n": [1, 2]}, add="taxonID")["taxonID"][0], 9689)
        self.assertEqual(self.pack.match({"name": "Panthera leo", "n": [1, 2]}, add="taxonID")["taxonID"], [9689] * 2)
        self.assertEqual(self.pack.match({"name": "Panthera leo", "n": []}, add="taxonID")["taxonID"], [])
        self.assertEqual(self.pack.match({"genus": "Panthera", "specificEpithet": "leo", "kingdom": "Animalia"}, add="taxonID")["taxonID"], [9689])
        self.assertEqual(self.pack.match({"name": "Panthera leo", "kingdom": "Animalia"}, add="taxonID")["taxonID"], 9689)
        for wrong in ({"name": "Oenanthe", "class": ["Aves", "Aves"], "n": [1]}, {"genus": ["Panthera"] * 3, "specificEpithet": ["leo", "tigris"]}):
            with self.assertRaisesRegex(ValueError, "rows, and there are"):
                self.pack.match(wrong)

    def test_rows_that_repeat_are_asked_once(self):
        rows = self.rows * 20
        found = self.pack.match(self.table(rows), add="status,taxonID,reason")
        once = self.pack.match(self.table(), add="status,taxonID,reason")
        for name in ("status", "taxonID", "reason"):
            self.assert_same(found[name], once[name] * 20, name)
        distinct = [[f"{row[0]} {number}" if number % 50 == 0 else row[0], *row[1:]] for number, row in enumerate(rows)]
        for threads in (1, 3):
            stol.use_threads(threads)
            self.addCleanup(stol.use_threads, None)
            answers = self.pack.match(self.table(distinct), add="status,taxonID,reason,candidates")
            for row in (0, 7, 50, len(rows) - 1):
                one = self.pack.match(self.table(distinct[row:row + 1]), add="status,taxonID,reason,candidates")
                self.assertEqual([answers[name][row] for name in one], [one[name][0] for name in one])


if __name__ == "__main__":
    unittest.main()
