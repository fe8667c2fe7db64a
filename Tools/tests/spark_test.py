"""stol.spark on a cluster of two workers: the answers of Pack, one mapping a node, and what is wrong.

    Tools/spark --test
"""
import doctest
import os
import pathlib
import random
import re
import shutil
import subprocess
import tempfile
import unittest

try:
    import numpy
    import pyarrow
    import pyarrow.parquet
    import pyspark  # noqa: F401
    import stol
    from pyspark.errors import PySparkException
    from pyspark.sql import functions as F
    from stol import spark
except ImportError as error:
    raise unittest.SkipTest(f"Tools/spark --test has all that it needs: {error}") from error

from cluster import Cluster
from door import PACK, ROOT, SEED, STOL, misspelt, needs_command

ROWS = 200_000
ADDED = ("status", "score", "taxonID", "matchedName", "family")


def drawn(names, generator):
    """Names as tables have them: few of them often, some in capitals, with authors, misspelt, and nothing at all."""
    shares = 1 / numpy.arange(1, len(names) + 1)
    places = numpy.random.default_rng(SEED).choice(len(names), ROWS, p=shares / shares.sum())
    kinds = (lambda name: misspelt(name, generator), str.upper, lambda name: f"{name} (Linnaeus, 1758)", lambda name: f"{name} sp.",
             lambda name: None, lambda name: "", lambda name: "no such name")
    return [generator.choice(kinds)(names[place]) if generator.random() < 0.1 else names[place] for place in places]


class SparkTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.pack = stol.open(PACK)
        generator = random.Random(SEED)
        every = numpy.arange(len(cls.pack), dtype=numpy.uint32)
        names = [name for name in cls.pack.names(every, ordinals=True) if name and len(name) > 2]
        generator.shuffle(names)
        cls.names = drawn(names, generator)
        ids = [number for number in cls.pack.ids(every).tolist() if number != stol.NO_ID]
        cls.ids = [generator.choice(ids) if generator.random() < 0.95 else generator.choice((None, -7)) for _ in range(ROWS)]
        cls.events = [generator.randrange(ROWS // 20) for _ in range(ROWS)]
        rows = pyarrow.table({"number": list(range(ROWS)), "scientificName": cls.names, "event.ID": cls.events, "taxon": cls.ids})
        for part in range(4):
            pyarrow.parquet.write_table(rows.slice(part * ROWS // 4, ROWS // 4), cls.folder / f"rows{part}.parquet")
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.stop)
        cls.session = cls.cluster.session()
        cls.addClassCleanup(cls.session.stop)
        cls.table = cls.session.read.parquet(*map(str, sorted(cls.folder.glob("*.parquet"))))

    def matched(self, names):
        found = self.pack.match(pyarrow.table({"name": pyarrow.array(names, pyarrow.string())}), add=ADDED).to_pydict()
        return list(zip(*(found[word] for word in ADDED)))

    def rows(self, table):
        """Rows of a table by their numbers."""
        columns = table.orderBy("number").toArrow().to_pydict()
        return list(zip(*(columns[word] for word in ADDED)))

    def test_a_column_that_is_called_like_a_key_is_left_alone(self):
        table = self.session.createDataFrame([("Panthera leo", "mine", "ours"), (None, "yours", None)], "name string, `stol key 0` string, `Stol_stol key 0` string")
        for distinct in (True, False):
            found = spark.match(table, "name", pack=PACK, add="status", distinct=distinct)
            self.assertEqual(found.columns, [*table.columns, "status"])
            self.assertEqual(sorted(tuple(row)[1:] for row in found.collect()), [("mine", "ours", "exact"), ("yours", None, "invalid")])
        for wrong in (1, "yes", "auto"):
            with self.assertRaisesRegex(TypeError, "distinct is True or False"):
                spark.match(table, "name", pack=PACK, distinct=wrong)

    def test_answers_are_those_of_the_pack_whichever_way(self):
        expected = self.matched(self.names)
        statuses = {row[0] for row in expected}
        self.assertLessEqual({"exact", "fuzzy", "not_found", "invalid"}, statuses)
        for distinct in (None, True, False):
            found = spark.match(self.table, pack=PACK, add=ADDED, distinct=distinct)
            self.assertEqual(found.columns, [*self.table.columns, *ADDED])
            self.assertEqual(self.rows(found), expected, distinct)

    @needs_command
    def test_answers_are_those_of_the_command(self):
        names = sorted({name for name in self.names if name})[:100_000]
        lines = self.folder / "names.txt"
        lines.write_text("".join(name + "\n" for name in names))
        said = subprocess.run([STOL, "match", lines, "--pack", PACK, "--add", ",".join(ADDED), "--quiet"], capture_output=True, text=True,
                              check=True).stdout.splitlines()
        table = self.session.createDataFrame(list(enumerate(names)), "number long, scientificName string")
        found = self.rows(spark.match(table, pack=PACK, add=ADDED))
        self.assertEqual(["\t".join("" if cell is None else str(cell) for cell in row) for row in found],
                         [line.split("\t", 1)[1] for line in said[-len(names):]])

    def test_names_that_repeat_are_matched_once_each(self):
        def joins(table):
            return "Join" in spark.match(table, pack=PACK, add=["status"])._jdf.queryExecution().optimizedPlan().toString()

        def named(form, count):
            return self.session.range(0, 200_000, 1, 4).select(F.format_string(form, F.pmod(F.hash("id"), F.lit(count))).alias("scientificName"))
        self.assertTrue(joins(named("Panthera %d", 500)))
        # Nearly none of them stands twice in a sample, so that there may be any number.
        self.assertFalse(joins(named("Panthera %d", 1 << 30)))
        # They repeat, but too seldom for those that do not to be few.
        self.assertFalse(joins(self.table))

    def test_a_column_that_is_there_keeps_its_name(self):
        table = self.session.createDataFrame([("Panthera leo", "seen")], "scientificName string, Status string")
        found = spark.match(table, pack=PACK, add=["status"]).collect()
        self.assertEqual([row.asDict() for row in found], [{"scientificName": "Panthera leo", "Status": "seen", "stol_status": "exact"}])

    def test_hints_tell_namesakes_apart(self):
        table = self.session.createDataFrame([(0, "Oenanthe", "Animalia"), (1, "Oenanthe", "Plantae"), (2, "Oenanthe", None)],
                                             "number long, name string, kingdom string")
        for distinct in (True, False):
            found = self.rows(spark.match(table, "name", pack=PACK, add=ADDED, hints={"kingdom": "kingdom"}, distinct=distinct))
            self.assertEqual([row[0] for row in found], ["exact", "exact", "ambiguous"])
            self.assertNotEqual(found[0][2], found[1][2])
            # They are found by what they are called, as Pack.match and the command find them.
            self.assertEqual(self.rows(spark.match(table, "name", pack=PACK, add=ADDED, distinct=distinct)), found)

    def test_columns_that_say_more_are_found_by_their_names(self):
        rows = [("Oenanthe", "Vieillot, 1816", "Genus", None, "Aves", 1), ("Oenanthe", "L.", "genus", "ICN", None, 2),
                ("Oenanthe", None, None, "ICZN", None, 3), ("Oenanthe", None, None, None, "Magnoliopsida", None),
                ("Pantera leo", None, None, None, None, 5)]
        columns = ("scientificName", "scientific_name_authorship", "taxonRank", "dwc:nomenclaturalCode", "Class", "tribe")
        fields = ", ".join(f"`{name}` {'long' if name == 'tribe' else 'string'}" for name in columns)
        table = self.session.createDataFrame([(number, *row) for number, row in enumerate(rows)], "number long, " + fields)
        said = self.pack.match({name: [row[place] for row in rows] for place, name in enumerate(columns)}, add=ADDED)
        alone = self.pack.match([row[0] for row in rows], add=ADDED)
        self.assertNotEqual(said["taxonID"], alone["taxonID"])
        for distinct in (True, False):
            self.assertEqual(self.rows(spark.match(table, pack=PACK, add=ADDED, distinct=distinct)), list(zip(*(said[word] for word in ADDED))))
        with self.assertRaisesRegex(TypeError, "the column 'order' is double, and by its name it says the order of the names"):
            spark.match(self.session.createDataFrame([("Panthera leo", 1.5)], "name string, order double"), "name", pack=PACK)

    def test_a_stream_is_matched_row_by_row(self):
        stream = self.session.readStream.schema(self.table.schema).option("pathGlobFilter", "*.parquet").parquet(str(self.folder)).select("number", "scientificName")
        query = spark.match(stream, pack=PACK, add=ADDED).writeStream.format("memory").queryName("matched").trigger(availableNow=True).start()
        self.addCleanup(query.stop)
        query.awaitTermination()
        few = self.rows(self.session.table("matched").where("number < 100"))
        self.assertEqual(few, self.rows(spark.match(self.table.where("number < 100"), pack=PACK, add=ADDED)))

    def test_columns_that_say_more_are_those_that_were_named(self):
        rows = [("Oenanthe", "L.", "genus", "ICN", None), ("Oenanthe", "Vieillot, 1816", "genus", "ICZN", None), ("Oenanthe", None, None, "ICN", None),
                ("Oenanthe", None, None, "ICZN", None), ("Panthera leo", "Linnaeus, 1758", "species", "ICZN", "Felis catus"),
                ("Pantera leo", None, "genus", None, "Panthera leo"), ("Felis catus", "Nobody, 1999", None, None, "Felis catus"), (None,) * 5]
        columns = ("called", "by", "level", "codex", "kind")
        table = self.session.createDataFrame([(number, *row) for number, row in enumerate(rows)],
                                             "number long, " + ", ".join(f"{name} string" for name in columns))
        given = {name: [row[place] for row in rows] for place, name in enumerate(columns)}
        answers = {}
        for more in ({"code": "codex"}, {"hints": {"species": "kind"}},
                     {"code": "codex", "rank": "level", "authorship": "by", "hints": {"species": "kind"}}):
            said = self.pack.match(given, add=(*ADDED, "species"), name="called", **more)
            expected = answers[str(more)] = [tuple(said[word][row] for word in (*ADDED, "species")) for row in range(len(rows))]
            for distinct in (True, False):
                found = spark.match(table, "called", pack=PACK, add=[*ADDED, "species"], distinct=distinct, **more).orderBy("number")
                self.assertEqual([row[len(columns) + 1:] for row in found.collect()], expected, (more, distinct))
        # Columns that were not asked with would change nothing.
        self.assertEqual(len(set(map(tuple, answers.values()))), 3)

    def test_names_of_columns_are_found_as_spark_finds_them(self):
        few = self.table.where("number < 5")
        self.assertEqual(self.rows(spark.match(few, "SCIENTIFICNAME", pack=PACK, add=ADDED)),
                         self.rows(spark.match(few, pack=PACK, add=ADDED)))
        found = spark.lca(few, ["EVENT.id"], "TAXON", pack=PACK)
        self.assertEqual(found.columns, ["event.ID", "lca"])
        self.assertGreater(found.count(), 0)
        twice = self.session.createDataFrame([("Panthera leo", "Panthera tigris")], "name string, Name string")
        with self.assertRaisesRegex(ValueError, "more than one column 'name'"):
            spark.match(twice, "name", pack=PACK)
        self.session.conf.set("spark.sql.caseSensitive", "true")
        self.addCleanup(self.session.conf.unset, "spark.sql.caseSensitive")
        with self.assertRaisesRegex(ValueError, "no column 'SCIENTIFICNAME'"):
            spark.match(self.table, "SCIENTIFICNAME", pack=PACK)
        self.assertEqual(spark.match(twice, "Name", pack=PACK, add=["taxonID"]).first().taxonID, 9694)

    def test_columns_that_python_cannot_hand_on(self):
        names = ["Panthera leo", "PANTHERA LEO", "Pantera tigris", None]
        rows = [(number, name, place, "9689") for number, (name, place) in enumerate(zip(names, ("a", "A", "b", None)))]
        table = self.session.createDataFrame(rows, "number long, name string, place string, taxon string").selectExpr(
            "number", "name COLLATE UTF8_LCASE AS name", "place COLLATE UTF8_LCASE AS place", "taxon COLLATE UTF8_LCASE AS taxon",
            "make_interval(1, 2) AS years", "INTERVAL '1' DAY AS day", "INTERVAL '1-2' YEAR TO MONTH AS months", "array(INTERVAL '1' DAY) AS days")
        for distinct in (None, True, False):
            found = spark.match(table, "name", pack=PACK, add=ADDED, distinct=distinct)
            self.assertEqual([field.dataType for field in found.schema.fields[:8]], [field.dataType for field in table.schema.fields])
            self.assertEqual(self.rows(found.select("number", *ADDED)), self.matched(names), distinct)
            self.assertEqual(found.where("place = 'a' AND day = INTERVAL '1' DAY").count(), 2)
        self.assertEqual({row.lca for row in spark.lca(table, "number", "taxon", pack=PACK).collect()}, {9689})
        for name in ("place", "years", "day", "months", "days"):
            with self.assertRaisesRegex(TypeError, f"the column '{name}' is .*cast it to string"):
                spark.lca(table, name, "taxon", pack=PACK)

    def test_ancestors_of_groups(self):
        groups = {}
        for event, number in zip(self.events, self.ids):
            groups.setdefault(event, []).append(number)
        expected = dict(zip(groups, self.pack.lca_groups([[number for number in members if number] for members in groups.values()])))
        for kind in ("bigint", "string"):
            found = spark.lca(self.table.withColumn("taxon", F.col("taxon").cast(kind)), "event.ID", "taxon", pack=PACK)
            self.assertEqual(found.columns, ["event.ID", "lca"])
            self.assertEqual({row[0]: row[1] for row in found.collect()}, expected)
        table = self.session.createDataFrame([("a", 1, 9689), ("a", 1, 9694), ("a", 2, 9606), ("b", 1, None), ("b", 1, -7)],
                                             "place string, year int, taxon int")
        found = spark.lca(table, ["place", "year"], "taxon", pack=PACK).collect()
        self.assertEqual({tuple(row) for row in found}, {("a", 1, self.pack.lca(9689, 9694)), ("a", 2, 9606), ("b", 1, None)})

    def test_the_ancestor_takes_no_name_that_a_group_has(self):
        table = self.session.createDataFrame([("a", "x", 9689), ("a", "x", 9694)], "LCA string, stol_lca string, taxon int")
        for by, name in (("LCA", "stol_lca"), (["LCA", "stol_lca"], "stol_stol_lca"), ("stol_lca", "lca")):
            found = spark.lca(table, by, "taxon", pack=PACK)
            self.assertEqual(found.columns[-1], name)
            self.assertEqual(found.first()[-1], self.pack.lca(9689, 9694))

    def test_a_node_has_one_mapping(self):
        path = self.folder / "mapped.stolpack"
        shutil.copy(PACK, path)

        def measured(batches):
            from pyspark import BarrierTaskContext
            for batch in batches:
                pack = spark._open(str(path))
                pack.match(pyarrow.table({"name": batch.columns[0]}), add=["status"])
            # Both have it mapped from here to the second barrier.
            BarrierTaskContext.get().barrier()
            text = pathlib.Path("/proc/self/smaps").read_text()
            BarrierTaskContext.get().barrier()
            fields = {"Rss": 0, "Pss": 0, "Anonymous": 0}
            parts = [part for part in re.split(r"(?m)^(?=[0-9a-f]+-[0-9a-f]+ )", text) if str(path) in part.split("\n")[0]]
            for part in parts:
                for name in fields:
                    fields[name] += int(re.search(rf"(?m)^{name}:\s+(\d+) kB", part).group(1))
            yield pyarrow.RecordBatch.from_pydict({name: [value] for name, value in {"pid": os.getpid(), "parts": len(parts), **fields}.items()})

        names = self.table.select("scientificName").repartition(2)
        rows = names.mapInArrow(measured, "pid long, parts long, Rss long, Pss long, Anonymous long", barrier=True).collect()
        self.assertEqual(len({row.pid for row in rows}), 2)
        for row in rows:
            self.assertGreater(row.Rss, 0)
            self.assertEqual(row.Anonymous, 0)
            # A worker that mapped the file for each batch would have more than one.
            self.assertLess(row.parts, 3)
        # Pages that both have count half in each: together they are one mapping.
        self.assertLess(sum(row.Pss for row in rows), 1.2 * max(row.Rss for row in rows))

    def test_a_file_that_was_sent(self):
        path = self.folder / "sent.stolpack"
        shutil.copy(PACK, path)
        self.session.sparkContext.addFile(str(path))
        found = spark.match(self.table.limit(10), pack="sent.stolpack", add=["status"]).collect()
        self.assertEqual(len(found), 10)

    def test_what_is_wrong_is_said_at_once(self):
        numbers = self.table.select(F.col("number").alias("scientificName"))
        for error, said, call in (
                (FileNotFoundError, "put it there on every node", lambda: spark.match(self.table, pack="/none/here.stolpack")),
                (stol.PackError, "", lambda: spark.match(self.table, pack=__file__)),
                (TypeError, "is bigint: cast it to string", lambda: spark.match(numbers, pack=PACK)),
                (ValueError, "no column 'name'", lambda: spark.match(self.table, "name", pack=PACK)),
                (ValueError, "tribble", lambda: spark.match(self.table, pack=PACK, add=["tribble"])),
                (TypeError, "cast it to string or bigint", lambda: spark.lca(self.table.withColumn("taxon", F.lit(1.5)), "event.ID", "taxon", pack=PACK)),
                (TypeError, "the table is a DataFrame of Spark, not list", lambda: spark.match(["Panthera leo"], pack=PACK)),
                (TypeError, "a column is given by its name", lambda: spark.match(self.table, [1], pack=PACK)),
                (TypeError, "a column is given by its name", lambda: spark.match(self.table, F.col("scientificName"), pack=PACK)),
                (TypeError, "a column is given by its name", lambda: spark.lca(self.table, F.col("number"), "taxon", pack=PACK)),
                (TypeError, "hints are columns by ranks", lambda: spark.match(self.table, pack=PACK, hints={5: "scientificName"})),
                (TypeError, "add is names of columns", lambda: spark.match(self.table, pack=PACK, add=["status", 5])),
                (ValueError, "no column 'event'", lambda: spark.lca(self.table, "event", "taxon", pack=PACK))):
            with self.subTest(said):
                with self.assertRaises(error) as raised:
                    call()
                self.assertIn(said, str(raised.exception))

    def test_a_pack_that_goes_or_is_another_meanwhile(self):
        path = self.folder / "changing.stolpack"
        shutil.copy(PACK, path)
        found = spark.match(self.table, pack=path, add=["status"], distinct=False)
        # The same bytes as another file are the same pack.
        shutil.copy(PACK, path.with_suffix(".new"))
        os.replace(path.with_suffix(".new"), path)
        self.assertEqual(found.count(), ROWS)
        other = sorted((ROOT / "Format/vectors/v2/valid").glob("*.stolpack"))[0]
        shutil.copy(other, path.with_suffix(".new"))
        os.replace(path.with_suffix(".new"), path)
        with self.assertRaisesRegex(PySparkException, "is another pack than the one that was asked first"):
            found.agg(F.count("status")).collect()
        path.unlink()
        with self.assertRaisesRegex(PySparkException, "has no pack at .*call spark.sparkContext.addFile"):
            found.agg(F.count("status")).collect()

    def test_the_readme_is_short_and_right(self):
        readme = ROOT / "Doors/spark/README.md"
        self.assertLess(len(readme.read_text().splitlines()), 100)
        text = readme.read_text().replace('"/data/taxa.stolpack"', repr(str(PACK))).replace("```", "")
        table = self.session.createDataFrame([("e1", "Panthera leo"), ("e1", "Panthera tigrs"), ("e2", "Homo sapiens"), ("e2", None)],
                                             "eventID string, scientificName string")
        test = doctest.DocTestParser().get_doctest(text, {"table": table}, readme.name, str(readme), 0)
        self.assertGreater(len(test.examples), 3)
        said = []
        doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
        self.assertEqual("".join(said), "", "".join(said))


if __name__ == "__main__":
    unittest.main()
