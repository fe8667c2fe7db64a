"""Counts the instructions of a small fixed workload, so that no change makes stol slower unseen.

Time differs from run to run and from machine to machine; instructions hardly do.
They are counted by valgrind and compared with ``instructions.tsv``.  After a
change that is meant to cost more, or that makes things cheaper:

    STOL_UPDATE_INSTRUCTIONS=1 python3 -m unittest discover -s Tools/tests -p instructions_test.py
"""

import csv
import os
import random
import re
import shutil
import sqlite3
import subprocess
import tempfile
import unittest
import zlib
from pathlib import Path
from typing import Dict, List, Tuple

ROOT = Path(__file__).resolve().parents[2]
STOL = ROOT / ".build-test" / "release" / "stol"
DATABASE = ROOT / "Sources" / "CDefaultDatabase" / "default.sqlite.gz"
COUNTS = Path(__file__).with_name("instructions.tsv")
TOLERANCE = 0.10


def toolchain() -> str:
    text = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    version = re.search(r"Swift version (\S+)", text)
    return f"{version.group(1) if version else 'unknown'} {os.uname().machine}"


def misspelt(name: str, generator: random.Random) -> str:
    place = generator.randrange(len(name))
    return name[:place] + generator.choice("abcdefghijklmnopqrstuvwxyz") + name[place + 1:]


@unittest.skipUnless(shutil.which("valgrind"), "valgrind is missing")
@unittest.skipUnless(STOL.exists(), "stol has not been built by Tools/test")
class Instructions(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        # Valgrind stumbles over the debugging information of some compilers.
        self.stol = self.folder / "stol"
        subprocess.run(["strip", "--strip-debug", "-o", self.stol, STOL], check=True)
        self.database = self.folder / "default.sqlite"
        self.database.write_bytes(zlib.decompress(DATABASE.read_bytes(), wbits=31))
        self.pack = self.folder / "default.stolpack"
        with sqlite3.connect(self.database) as connection:
            rows = connection.execute("SELECT id, scientific_name FROM taxa ORDER BY id").fetchall()
        self.rows: List[Tuple[int, str]] = random.Random(1).sample(rows, 4_000)

    def count(self, arguments: List[str], lines: List[str]) -> int:
        """The instructions of one run that reads `lines`."""
        report = self.folder / "report"
        done = subprocess.run(
            ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
             f"--log-file={report}", str(self.stol), *arguments],
            input="".join(line + "\n" for line in lines), text=True, capture_output=True,
            env={**os.environ, "STOL_HOME": str(self.folder / "home")})
        self.assertIn(done.returncode, (0, 1), done.stderr)
        found = re.search(r"I +refs: +([\d,]+)", report.read_text())
        assert found is not None, report.read_text()
        return int(found.group(1).replace(",", ""))

    def measured(self) -> Dict[str, int]:
        generator = random.Random(2)
        names = [name for _, name in self.rows]
        ask = ["--pack", str(self.pack), "--tsv"]
        counts = {"start": self.count(["--version"], [])}
        counts["pack"] = self.count(["pack", str(self.database), "-o", str(self.pack)], [])
        counts["search, exact"] = self.count(
            ["query", "search", "-", "--mode", "exact", *ask], names)
        counts["search, fuzzy"] = self.count(
            ["query", "search", "-", "--mode", "fuzzy", *ask],
            [misspelt(name, generator) for name in names[:400]])
        counts["complete"] = self.count(
            ["query", "complete", "-", *ask],
            [name[:generator.randint(1, 8)] for name in names[:1_000]])
        counts["lca"] = self.count(
            ["query", "lca", "-", *ask],
            [f"{a}\t{b}" for (a, _), (b, _) in zip(self.rows, reversed(self.rows))])
        counts["relatives"] = self.count(
            ["query", "relatives", "-", *ask], [str(number) for number, _ in self.rows[:500]])
        return {work: count - (0 if work == "start" else counts["start"])
                for work, count in counts.items()}

    def test_workload_takes_as_many_as_before(self) -> None:
        counts = self.measured()
        used = toolchain()
        if os.environ.get("STOL_UPDATE_INSTRUCTIONS"):
            with COUNTS.open("w") as file:
                file.write("toolchain\twork\tinstructions\n")
                for work, count in counts.items():
                    file.write(f"{used}\t{work}\t{count}\n")
        with COUNTS.open() as file:
            known = {row["work"]: int(row["instructions"])
                     for row in csv.DictReader(file, delimiter="\t") if row["toolchain"] == used}
        if not known:
            self.skipTest(f"no counts are known for {used}; see the beginning of this file")
        for work, count in counts.items():
            print(f"{work}: {count:,} instructions, {count / known[work]:.3f} of {known[work]:,}")
        for work, count in counts.items():
            with self.subTest(work):
                self.assertLessEqual(
                    abs(count / known[work] - 1), TOLERANCE,
                    f"{count:,} instructions where {known[work]:,} were taken before; if that is "
                    "meant, see the beginning of this file")


if __name__ == "__main__":
    unittest.main()
