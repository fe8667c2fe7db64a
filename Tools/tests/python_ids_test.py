"""Ids of the Python package: those that are none, taxa in their place, and one beside a column.

    Tools/wheel --test
"""
import unittest

from python_package import PACK, ROOT, numpy, pandas, polars, pyarrow, stol

TEXT_IDS = ROOT / "Format/vectors/v2/valid/records.stolpack"


class Exported:
    """What knows nothing but to export Arrow's C data."""
    def __init__(self, column):
        self.column = column

    def __arrow_c_array__(self, requested_schema=None):
        return self.column.__arrow_c_array__(requested_schema)


def columns_of_nothing():
    """Two rows without an id, as every kind of column that is there."""
    yield "list", [None, None]
    yield "NaN", [float("nan"), None]
    yield "objects", numpy.array([None, numpy.nan], object)
    yield "floats", numpy.array([numpy.nan, numpy.nan])
    yield "masked", numpy.ma.array([5, 6], mask=[True, True])
    if pandas:
        for dtype in (float, object, "Int64", "string", "category"):
            yield f"pandas {dtype}", pandas.Series([None, None], dtype=dtype)
    if polars:
        for dtype in (polars.Null, polars.Int64, polars.String):
            yield f"polars {dtype}", polars.Series([None, None], dtype=dtype)
    if pyarrow:
        for kind in (pyarrow.null(), pyarrow.int32(), pyarrow.float64(), pyarrow.string()):
            yield f"pyarrow {kind}", pyarrow.nulls(2, kind)
            yield f"exported {kind}", Exported(pyarrow.nulls(2, kind))


def lists_of_nothing():
    yield "lists", [[None], []]
    yield "no list", [None, [float("nan")]]
    if pandas:
        yield "pandas", pandas.Series([[], [None]])
    if polars:
        for dtype in (polars.Null, polars.Int64, polars.String):
            yield f"polars {dtype}", polars.Series([[None], []], dtype=polars.List(dtype))
    if pyarrow:
        for kind in (pyarrow.null(), pyarrow.int32(), pyarrow.string()):
            given = pyarrow.array([[None], []], pyarrow.list_(kind))
            yield f"pyarrow {kind}", given
            yield f"exported {kind}", Exported(given)


def plain(column):
    """A column as a list, None where there is nothing."""
    for name in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, name):
            column = getattr(column, name)()
    return [None if str(row) in ("nan", "<NA>", str(stol.NO_ID)) else row for row in column]


class IdTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pack, cls.other = stol.open(PACK), stol.open(TEXT_IDS)
        cls.lion, cls.tiger, cls.human = (cls.pack[name] for name in ("Panthera leo", "Panthera tigris", "Homo sapiens"))

    def test_columns_without_an_id_have_no_answer_in_packs_of_both_kinds(self):
        for pack in (self.pack, self.other):
            known = next(taxon.id for taxon in pack if taxon.id is not None)
            for label, given in columns_of_nothing():
                with self.subTest(label, text_ids=pack.has_text_ids):
                    self.assertEqual(pack.taxa(given).tolist(), [stol.NO_TAXON] * 2)
                    self.assertEqual(plain(pack.names(given)), [None] * 2)
                    self.assertEqual([members if members is None else list(members) for members in plain(pack.lineage(given))], [[], []])
                    self.assertEqual(plain(pack.lineage(given, ["genus"])["genus"]), [None] * 2)
                    self.assertEqual(plain(pack.lca(given, given)), [None] * 2)
                    self.assertEqual(plain(pack.lca(given, known)), [None] * 2)
            for label, given in lists_of_nothing():
                with self.subTest(label, text_ids=pack.has_text_ids):
                    self.assertEqual(plain(pack.lca_groups(given)), [None] * 2)
            for nothing in (None, float("nan")):
                self.assertEqual((pack.names(nothing), pack.lca(nothing, known), pack.lineage(nothing)), (None, None, []))
            self.assertEqual((pack.names([]), pack.lca_groups([]), plain(pack.names(numpy.array([])))), ([], [], []))

    @unittest.skipUnless(pyarrow, "pyarrow is missing")
    def test_lists_of_texts_that_are_exported(self):
        known = [taxon.id for taxon in self.other if taxon.id is not None][:2]
        given = pyarrow.array([known[:1], None, [known[1], None], [], known], pyarrow.large_list(pyarrow.string_view())).slice(1)
        expected = self.other.lca_groups(given.to_pylist())
        self.assertEqual(expected[:3], [None, known[1], None])
        self.assertEqual(plain(self.other.lca_groups(Exported(given))), expected)
        with self.assertRaisesRegex(TypeError, "not of lists of ids"):
            self.other.lca_groups(Exported(pyarrow.array(known)))

    def test_numbers_where_ids_are_texts(self):
        for name, call in (("ids", lambda: self.other.names([None, 7])), ("a", lambda: self.other.lca([7], ["7"])),
                           ("b", lambda: self.other.lca(["7"], numpy.array([7]))), ("groups", lambda: self.other.lca_groups([[], [7]])),
                           ("within", lambda: self.other.search("x", within=7)), ("taxa", lambda: self.other.newick([7])),
                           ("the taxon", lambda: self.other.children(7))):
            with self.assertRaisesRegex(TypeError, rf"ids of this pack are texts, and {name} has the number 7: give texts, as str\(7\)"):
                call()

    def test_ids_of_synonyms_that_are_texts_where_those_of_taxa_are_numbers(self):
        pack = stol.open(ROOT / "Format/vectors/v2/valid/numbers.stolpack")
        self.assertFalse(pack.has_text_ids)
        chimp = pack.names(["A-1", "9598"])
        self.assertEqual(chimp, ["Pan troglodytes"] * 2)
        for ask in (pack.names, pack.taxa, pack.lineage, pack.children, pack.newick, lambda given: pack.lca(given, 9606),
                    lambda given: pack.lca(9606, given), lambda given: pack.search("Pan", within=given),
                    lambda given: pack.resolve("Pan", within=given), lambda given: pack.compare(given, 9606).distance,
                    lambda given: given in pack["Pan"], lambda given: pack["Homo sapiens"].lca(given)):
            self.assertEqual(plain([ask("A-1")]), plain([ask("9598")]))
        for wrong in ("A-2", "Pan"):
            with self.assertRaisesRegex(ValueError, "no taxon has the id"):
                pack.names(wrong)

    def test_numbers_without_a_sign_that_are_greater_than_any_id(self):
        pack = stol.open(ROOT / "Format/vectors/v2/valid/numbers.stolpack")
        self.assertEqual(pack.names(9606), "Homo sapiens")
        # As whole numbers with a sign it would be -5, which is an id.
        self.assertIsNotNone(pack.names(-5))
        rows = [2 ** 64 - 5, None, 9606]
        columns = [("list", rows), ("masked", numpy.ma.array([2 ** 64 - 5, 0, 9606], numpy.uint64, mask=[False, True, False]))]
        columns += [("pandas", pandas.Series(rows, dtype="UInt64"))] if pandas else []
        columns += [("polars", polars.Series(rows, dtype=polars.UInt64))] if polars else []
        columns += [("pyarrow", pyarrow.array(rows, pyarrow.uint64()))] if pyarrow else []
        columns += [("pandas of pyarrow", pandas.Series(rows, dtype="uint64[pyarrow]"))] if pandas and pyarrow else []
        for label, given in columns:
            with self.subTest(label):
                self.assertEqual(plain(pack.names(given)), [None, None, "Homo sapiens"])
                self.assertEqual(plain(pack.lca(given, given)), [None, None, 9606])

    def test_taxa_in_the_place_of_ids(self):
        pack, lion, tiger, human = self.pack, self.lion, self.tiger, self.human
        self.assertEqual(pack.lca(lion, human), 1437010)
        self.assertEqual(pack.names(lion, "rank"), "species")
        self.assertEqual(pack.lca([lion, 9606, None], [tiger, lion, lion]), [9688, 1437010, None])
        self.assertEqual(pack.lca_groups([[lion, 9694], (human,), []]), [9688, 9606, None])
        self.assertEqual(pack.taxa([lion, 9694, "9606"]).tolist(), [lion.ordinal, tiger.ordinal, human.ordinal])
        self.assertEqual(pack.taxa(iter([lion])).tolist(), [lion.ordinal])
        self.assertEqual(pack.names(numpy.array([lion, 9606], object)).tolist(), ["Panthera leo", "Homo sapiens"])
        self.assertEqual(pack.lineage([lion], ["genus"]), {"genus": ["Panthera"]})
        self.assertEqual(pack.lineage(lion)[-1], "Panthera leo")
        self.assertEqual(pack.children(lion.parent), pack.children(9688))
        self.assertEqual(pack.subtree(lion).tolist(), pack.subtree(9689).tolist())
        self.assertEqual(pack.newick((lion, 9694)), pack.newick([9689, 9694]))
        self.assertEqual(pack.compare(lion, 9606).ancestor.id, 1437010)
        self.assertEqual(pack.resolve("Oenanthe", within=pack["Aves"])[0], 245059)
        self.assertEqual(pack.lca([lion], [tiger.ordinal], ordinals=True), [lion.parent.ordinal])
        if pandas:
            self.assertEqual(plain(pack.names(pandas.Series([lion, None, 9606]))), ["Panthera leo", None, "Homo sapiens"])
        root = self.other.roots[0]
        self.assertEqual(self.other.taxa([root]).tolist(), [root.ordinal])
        for call in (lambda: pack.names(root), lambda: pack.names([9606, root]), lambda: pack.lca_groups([[root]]),
                     lambda: root in lion, lambda: lion.lca(root), lambda: pack.compare(lion, root)):
            with self.assertRaisesRegex(ValueError, "is of another pack"):
                call()
        self.assertEqual(pack[lion], lion)
        for wrong in ([lion, 1.5], [1.5], numpy.array([1.5]), [True]):
            with self.assertRaisesRegex(TypeError, "is no name or id: names are texts, and ids whole numbers or texts"):
                pack.names(wrong)
        for call in (lambda: pack.resolve(lion), lambda: pack.match([lion]), lambda: pack.search([lion])):
            with self.assertRaisesRegex(TypeError, "give its .name or its .id"):
                call()

    def test_the_ancestor_of_a_taxon_and_an_id(self):
        for other in (self.human, 9606, "9606", "ncbi:9606"):
            self.assertEqual(self.lion.lca(other), self.pack["Boreoeutheria"])
        with self.assertRaisesRegex(ValueError, r"pack\['Homo sapiens'\]"):
            self.lion.lca("Homo sapiens")

    def test_what_is_in_a_taxon(self):
        cats = self.pack["Felidae"]
        for inside in (self.lion, 9689, numpy.int64(9689), "9689", "ncbi:9689"):
            self.assertIn(inside, cats)
        for outside in (self.human, 9606, cats, cats.id, 3, None):
            self.assertNotIn(outside, cats)
        with self.assertRaisesRegex(TypeError, r"pack\['lion'\] in taxon"):
            _ = "lion" in cats
        for wrong in ([9689], numpy.array([9689]), object(), 1.5, True):
            with self.assertRaises(TypeError):
                _ = wrong in cats

    @unittest.skipUnless(pandas, "pandas is missing")
    def test_rows_of_pandas_are_paired_by_their_position(self):
        first, second = pandas.Series([9689, 9606], index=["a", "b"]), pandas.Series([9694, 9606], index=["b", "a"])
        for a, b in ((first, second), (first.astype(str), second), (first, second.astype("Int64"))):
            answer = self.pack.lca(a, b)
            self.assertEqual((plain(answer), list(answer.index)), ([9688, 9606], ["a", "b"]))
            self.assertEqual(plain(self.pack.lca(a, b[["a", "b"]])), [1437010, 1437010])
        self.assertIn("whatever the indexes of pandas say", stol.Pack.lca.__doc__)

    def test_one_value_beside_a_column(self):
        columns = [[9606, 9694], numpy.array([9606, 9694])]
        columns += [pandas.Series([9606, 9694], index=["a", "b"], name="id")] if pandas else []
        columns += [polars.Series("id", [9606, 9694])] if polars else []
        for column in columns:
            for answer in (self.pack.lca(9689, column), self.pack.lca(column, self.lion), self.pack.lca("9689", column)):
                self.assertEqual((type(answer), plain(answer)), (type(column), [1437010, 9688]))
        if pandas:
            answer = self.pack.lca(9689, columns[2])
            self.assertEqual((answer.name, list(answer.index)), ("id", ["a", "b"]))
        with self.assertRaisesRegex(ValueError, "a has 1 rows and b 2: give as many, or one value"):
            self.pack.lca([9689], columns[0])


if __name__ == "__main__":
    unittest.main()
