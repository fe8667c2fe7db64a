"""Single values in columns: what is none, what only looks like a whole number, and what is too great for one.

    Tools/wheel --test
"""
import decimal
import unittest

from python_package import PACK, ROOT, numpy, stol

VECTORS = ROOT / "Format/vectors/v2/valid"


class ValueTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pack = stol.open(PACK)

    def test_what_is_equal_to_a_whole_number_does_not_hide_behind_it(self):
        for wrong in (1 + 0j, numpy.complex64(1), True, numpy.bool_(True), numpy.timedelta64(1), numpy.timedelta64(1, "s")):
            for times in (1, 1000):
                with self.assertRaisesRegex(TypeError, "is no name or id", msg=wrong):
                    self.pack.resolve(["lion", 1, wrong] * times)
        # What is a whole number is one, whatever its type.
        ids = self.pack.resolve(["lion", 9689, 9689.0, numpy.int32(9689), decimal.Decimal(9689), None] * 1000)[0]
        self.assertEqual(ids, [9689, 9689, 9689, 9689, 9689, None] * 1000)

    def test_numbers_that_are_none(self):
        missing = [None, float("nan"), numpy.float16("nan"), numpy.float32("nan"), numpy.float64("nan"), numpy.longdouble("nan"), decimal.Decimal("nan"),
                   numpy.datetime64("NaT"), numpy.timedelta64("NaT")]
        for each in missing:
            self.assertIsNone(self.pack.names(each))
            self.assertEqual(self.pack.names([9689, each]), ["Panthera leo", None])
            self.assertEqual(self.pack.names(numpy.array([9689, each], object)).tolist(), ["Panthera leo", None])
            self.assertEqual(self.pack.resolve(["lion", each])[0], [9689, None])
            self.assertEqual(self.pack.resolve(["lion", each] * 1000)[0], [9689, None] * 1000)
        self.assertEqual(self.pack.names(list(numpy.array([9689, numpy.nan], numpy.float32))), ["Panthera leo", None])
        for wrong in (numpy.float32(1.5), decimal.Decimal("1.5"), numpy.datetime64(1, "s")):
            with self.assertRaises(TypeError):
                self.pack.names([wrong])

    def test_numbers_that_are_too_great_are_not_named_as_others(self):
        texts = stol.open(VECTORS / "records.stolpack")
        for ids in (numpy.array([2 ** 63], numpy.uint64), [2 ** 70], [-2 ** 70], numpy.array([1e30])):
            with self.assertRaisesRegex(TypeError, "and ids has a number: give texts, as str of each of ids$"):
                texts.names(ids)
            self.assertEqual(list(self.pack.names(ids)), [None])
        with self.assertRaisesRegex(TypeError, r"and ids has the number 7: give texts, as str\(7\)$"):
            texts.names(numpy.array([7], numpy.uint64))
        found = self.pack.names(numpy.array([9689, 2 ** 64 - 1, 2 ** 63, 1 << 62], numpy.uint64))
        self.assertEqual(found.tolist(), ["Panthera leo", None, None, None])


if __name__ == "__main__":
    unittest.main()
