"""Tables that are not as usual: of what can be read once, of parts of structs, with numbers as names of columns.

    Tools/wheel --test
"""
import unittest

from python_package import PACK, numpy, pandas, pyarrow, stol


class TableTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pack = stol.open(PACK)

    def test_columns_that_can_be_read_once(self):
        names = ["Panthera leo", "Oenanthe"]
        expected = {"name": names, "kingdom": ["Metazoa", "Plantae"], "x": [1, 2], "taxonID": [9689, 48043]}
        for once in (iter, lambda rows: (row for row in rows), lambda rows: map(lambda row: row, rows)):
            found = self.pack.match({"name": once(names), "kingdom": once(["Metazoa", "Plantae"]), "x": once([1, 2])}, add="taxonID")
            self.assertEqual(found, expected)
        with self.assertRaisesRegex(ValueError, "the column 'x' has 3 rows, and there are 2 names"):
            self.pack.match({"name": iter(names), "x": iter([1, 2, 3])})
        found = self.pack.match({"genus": iter(["Panthera"]), "specificEpithet": iter(["leo"])}, add="taxonID")
        self.assertEqual(found, {"genus": ["Panthera"], "specificEpithet": ["leo"], "taxonID": [9689]})

    @unittest.skipIf(pyarrow is None, "pyarrow is missing")
    def test_parts_of_columns_of_structs_are_tables(self):
        rows = [{"name": name, "x": number} for number, name in enumerate(["Panthera tigris", "Panthera leo", None, "Oenanthe"])]
        structs = pyarrow.array(rows, pyarrow.struct([("name", pyarrow.string()), ("x", pyarrow.int64())]))
        whole = self.pack.match(structs, add="taxonID").to_pylist()
        self.assertEqual([row["taxonID"] for row in whole], [9694, 9689, None, None])
        chunked = pyarrow.chunked_array([structs[:1], structs[1:]])

        class Other:
            """What is of no library."""
            def __init__(self, array):
                self.__arrow_c_array__ = array.__arrow_c_array__
        for start in range(5):
            for end in range(start, 5):
                for given in (structs[start:end], chunked[start:end], Other(structs[start:end])):
                    found = self.pack.match(given, add="taxonID")
                    self.assertEqual((found.column_names, found.to_pylist()), (["name", "x", "taxonID"], whole[start:end]))
        null = pyarrow.array([*rows, None], structs.type)
        for given in (null, null[1:], pyarrow.chunked_array([null])[2:], Other(null[1:])):
            with self.assertRaisesRegex(ValueError, "a table of which whole rows are null"):
                self.pack.match(given)

    @unittest.skipIf(pandas is None, "pandas is missing")
    def test_columns_with_numbers_as_names(self):
        frame = pandas.DataFrame([["Panthera leo", "x"]])
        for name in (0, frame.columns.to_numpy()[0], numpy.uint8(0)):
            self.assertEqual(self.pack.match(frame, name=name, add="taxonID")["taxonID"].tolist(), [9689])
        with self.assertRaisesRegex(TypeError, "a column is given by its name"):
            self.pack.match(frame, name=0.5)


if __name__ == "__main__":
    unittest.main()
