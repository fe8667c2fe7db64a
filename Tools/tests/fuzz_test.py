"""Tools/fuzz explains itself, and its corpus holds where the targets have been built."""
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PRODUCTS = [ROOT / ".build-fuzz/release" / name for name in ("FuzzPack", "FuzzContainer", "FuzzSearch", "FuzzSources",
                                                         "FuzzNames")]


class FuzzTests(unittest.TestCase):
    def run_fuzz(self, *arguments):
        return subprocess.run([ROOT / "Tools/fuzz", *arguments], capture_output=True, text=True)

    def test_help_names_every_target(self):
        done = self.run_fuzz("--help")
        self.assertEqual(done.returncode, 0, done.stderr)
        for target in ("pack", "container", "search", "sources", "names"):
            self.assertIn(f"  {target} ", done.stdout)

    def test_an_unknown_target_is_refused(self):
        self.assertEqual(self.run_fuzz("1", "nothing").returncode, 2)

    @unittest.skipUnless(all(path.exists() for path in PRODUCTS), "no fuzz target has been built: Tools/fuzz 0")
    def test_the_corpus_holds(self):
        done = self.run_fuzz("0", "--no-build")
        print(done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
