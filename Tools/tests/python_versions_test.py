"""Versions of the libraries whose columns are read.

    Tools/wheel --test
"""
import sys
import types
import unittest
from unittest import mock

from python_package import PACK, ROOT, polars, stol


class VersionTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pack = stol.open(PACK)

    def test_libraries_that_are_too_old(self):
        """A module of each version stands for it: only the name of the type and the version are looked at."""
        for library, old, oldest in (("pyarrow", "12.0.1", "16.0"), ("pyarrow", "15.0.2", "16.0"), ("polars", "0.19.19", "1.4"), ("polars", "1.3.0", "1.4")):
            given = type("Column", (), {"__module__": library + ".lib"})()
            with mock.patch.dict(sys.modules, {library: types.SimpleNamespace(__version__=old, Series=type(given))}):
                for ask in (self.pack.names, self.pack.resolve, self.pack.match, self.pack.search, self.pack.lca_groups, self.pack.lineage, self.pack.taxa,
                            lambda rows: self.pack.lca(rows, 9689)):
                    with self.assertRaises(ImportError) as raised:
                        ask(given)
                    self.assertEqual(str(raised.exception), f"this is {library} {old}, and stol reads columns of {library} {oldest} or later: "
                                                            f"pip install '{library}>={oldest}'")
                # Columns of others are answered without it.
                self.assertEqual(self.pack.names([9689]), ["Panthera leo"])
            for version in (oldest, oldest + ".0rc1", "99.0.0.dev1+gabc", "main"):
                with mock.patch.dict(sys.modules, {library: types.SimpleNamespace(__version__=version)}):
                    with self.assertRaises((TypeError, AttributeError)):
                        self.pack.names(given)

    def test_the_versions_stand_where_people_look(self):
        project = (ROOT / "Doors/python/pyproject.toml").read_text()
        readme = " ".join((ROOT / "Doors/python/README.md").read_text().split())
        self.assertIn("columns of a pyarrow before 16 or a polars before 1.4 are an `ImportError`", readme)
        self.assertIn('polars = ["polars>=1.4"]\npyarrow = ["pyarrow>=16"]\n', project)

    @unittest.skipIf(polars is None, "polars is missing")
    def test_polars_without_categories_of_columns(self):
        """As it was before 1.32, when it could not hand such on."""
        rows = ["lion", "tiger", None] * 1000
        columns = [polars.Series(rows), polars.Series(rows, dtype=polars.Categorical), polars.Series(rows, dtype=polars.Enum(["lion", "tiger"]))]
        expected = [self.pack.resolve(column)[0].to_list() for column in columns]
        self.assertEqual(expected, [[9689, 9694, None] * 1000] * 3)
        module = types.SimpleNamespace(**{name: getattr(polars, name) for name in ("Series", "String", "Categorical", "Enum", "select", "when")})
        with mock.patch.dict(sys.modules, polars=module):
            self.assertEqual([self.pack.resolve(column)[0].to_list() for column in columns], expected)


if __name__ == "__main__":
    unittest.main()
