"""Structs of fields that share a name, which Spark has and Arrow has not.

    Tools/spark --test
"""
import os
import sys
import unittest

os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
try:
    from pyspark.sql import SparkSession
    from stol import spark
except ImportError as error:
    raise unittest.SkipTest(f"Tools/spark --test has all that it needs: {error}") from error

from door import PACK


class StructTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").config(
            "spark.sql.shuffle.partitions", "2").getOrCreate()
        cls.addClassCleanup(cls.session.stop)

    def test_fields_that_share_a_name_do_not_go_through_python(self):
        twice = "named_struct('x', 1, 'x', 2)"
        for sql in (twice, f"array({twice})", f"map('k', {twice})", f"named_struct('s', {twice})", "named_struct('x', 1, 'X', 2)", "named_struct('x', 1)"):
            table = self.session.sql(f"SELECT id, IF(id = 0, 'Panthera leo', NULL) AS name, {sql} AS s FROM range(2)")
            kind = table.schema["s"].dataType
            self.assertEqual(spark._travels(kind), twice not in sql, sql)
            for distinct in (None, True, False):
                found = spark.match(table, "name", pack=PACK, add=["status"], distinct=distinct)
                self.assertEqual(found.schema["s"].dataType, kind)
                rows = found.selectExpr("id", "name", "to_json(struct(s))", "status").orderBy("id").collect()
                expected = table.selectExpr("to_json(struct(s))").collect()
                self.assertEqual([tuple(row) for row in rows], [(0, "Panthera leo", expected[0][0], "exact"), (1, None, expected[1][0], "invalid")], sql)
        table = self.session.sql(f"SELECT {twice} AS s, 9689 AS taxon")
        with self.assertRaisesRegex(TypeError, "the column 's' is struct<x:int,x:int>, which Python cannot hand on: cast it to string"):
            spark.lca(table, "s", "taxon", pack=PACK)


if __name__ == "__main__":
    unittest.main()
