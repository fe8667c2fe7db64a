"""Counts the instructions of stol by valgrind: they hardly differ from run to run, as time does."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STOL = ROOT / ".build-test" / "release" / "stol"


@unittest.skipUnless(shutil.which("valgrind"), "valgrind is missing: Tools/setup --tests")
@unittest.skipUnless(STOL.exists(), "stol has not been built by Tools/test")
class Counting(unittest.TestCase):
    """Tests that count; each has a folder of its own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        # Valgrind stumbles over the debugging information of some compilers.
        self.stol = self.folder / "stol"
        subprocess.run(["strip", "--strip-debug", "-o", self.stol, STOL], check=True)

    def count(self, *arguments: object, lines: str = "") -> int:
        """The instructions of one run that reads `lines`."""
        report = self.folder / "report"
        done = subprocess.run(
            ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
             f"--log-file={report}", str(self.stol), *map(str, arguments)],
            input=lines, text=True, capture_output=True,
            env={**os.environ, "STOL_HOME": str(self.folder / "home")})
        self.assertIn(done.returncode, (0, 1), done.stderr)
        found = re.search(r"I +refs: +([\d,]+)", report.read_text())
        assert found is not None, report.read_text()
        return int(found.group(1).replace(",", ""))
