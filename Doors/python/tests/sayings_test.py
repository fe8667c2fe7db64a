"""What is said of names that are ambiguous.

    .build-doors/python/bin/python -m unittest discover -s Doors/python/tests -p '*_test.py'    # after Tools/wheel --test
"""
import pathlib
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "Tools/tests"))
from python_package import PACK, stol  # noqa: E402


class SayingTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pack = stol.open(PACK)

    def test_names_that_are_ambiguous_come_with_their_ids(self):
        for key in ("Oenanthe", b"Oenanthe", "Oenanthe sp."):
            with self.assertRaisesRegex(KeyError, "is ambiguous: choose one of the ids") as raised:
                self.pack[key]
            self.assertEqual(set(str(raised.exception).rstrip("\"'").split("ids ")[1].split(", ")), {"48043", "245059"}, key)


if __name__ == "__main__":
    unittest.main()
