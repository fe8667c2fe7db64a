"""What is said of names that are ambiguous, and of files that are not as they were.

    Tools/wheel --test
"""
import os
import pathlib
import shutil
import tempfile
import unittest

from python_package import PACK, stol


class SayingTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pack = stol.open(PACK)

    def test_names_that_are_ambiguous_come_with_their_ids(self):
        for key in ("Oenanthe", b"Oenanthe", "Oenanthe sp."):
            with self.assertRaisesRegex(KeyError, "is ambiguous: choose one of the ids") as raised:
                self.pack[key]
            self.assertEqual(set(str(raised.exception).rstrip("\"'").split("ids ")[1].split(", ")), {"48043", "245059"}, key)

    def test_a_file_whose_time_was_set_is_not_said_to_be_written_over_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "taxa.stolpack"
            shutil.copy(PACK, path)
            pack = stol.open(path)
            os.utime(path, ns=(1, 1))
            # The file is looked at at each tick of the clock.
            with self.assertRaisesRegex(stol.PackError, "written over, or its time set, .*: open it again, and replace packs by renaming"):
                for _ in range(1_000_000):
                    pack.names(9689)
            self.assertEqual(stol.open(path).names(9689), "Panthera leo")
            pack.close()
            stol.open(path).close()


if __name__ == "__main__":
    unittest.main()
