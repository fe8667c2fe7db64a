"""A short sample of Tools/torture."""
import os
import pathlib
import shutil
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
STOL = pathlib.Path(os.environ.get("STOL_BINARY", ROOT / ".build-test/release/stol"))


@unittest.skipUnless(STOL.exists(), "the command stol has not been built")
@unittest.skipUnless(shutil.which("strace"), "strace is missing: Tools/setup --tests")
class TortureTests(unittest.TestCase):
    def test_a_sample_holds(self):
        done = subprocess.run([ROOT / "Tools/torture", "--sample", "10", "--stol", STOL],
                              capture_output=True, text=True)
        print(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
