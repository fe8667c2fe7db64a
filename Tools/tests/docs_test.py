"""Every public symbol is documented, and every link in the documentation leads somewhere."""
import pathlib
import shutil
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILT = ROOT / ".build-test"


@unittest.skipUnless((BUILT / "release/Modules").exists(), "the library has not been built")
@unittest.skipUnless(shutil.which("docc"), "docc is missing; it comes with Swift")
class DocsTests(unittest.TestCase):
    def test_every_public_symbol_is_documented(self):
        done = subprocess.run([ROOT / "Tools/docs", "--check", "--built", BUILT],
                              capture_output=True, text=True)
        print(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
