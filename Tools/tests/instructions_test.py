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
import sqlite3
import subprocess
import unittest
import zlib
from pathlib import Path
from typing import Dict, List, Tuple

from counting import ROOT, Counting

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


def hostile(generator: random.Random) -> List[str]:
    """Texts that nobody would type, up to the longest that is taken: 512 bytes."""
    syllables = ["ant", "her", "leo", "ris", "ara", "ina", "ata", "ens", "ell", "ium"]
    texts = [letter * 512 for letter in "aeilnorstx"]
    texts += [f"{letter} " * 256 for letter in "aeilnorstx"]
    texts += ["".join(syllables) * 17, " ".join(syllables) * 12, "leo " * 128, "é" * 256]
    texts += ["".join(generator.choice("a ") for _ in range(512)) for _ in range(10)]
    texts += ["".join(chr(generator.randrange(97, 123)) for _ in range(512)) for _ in range(10)]
    return texts


class Instructions(Counting):
    def setUp(self) -> None:
        super().setUp()
        self.database = self.folder / "default.sqlite"
        self.database.write_bytes(zlib.decompress(DATABASE.read_bytes(), wbits=31))
        self.pack = self.folder / "default.stolpack"
        with sqlite3.connect(self.database) as connection:
            rows = connection.execute("SELECT id, scientific_name FROM taxa ORDER BY id").fetchall()
        self.rows: List[Tuple[int, str]] = random.Random(1).sample(rows, 4_000)

    def asked(self, words: str, lines: List[str]) -> int:
        """The instructions of so many questions; how many threads take how many of them is chance."""
        return self.count("query", *words.split(), "--pack", self.pack, "--tsv", "--threads", "1",
                          lines="".join(line + "\n" for line in lines))

    def favourites(self) -> None:
        """Ten thousand of them, in the data directory."""
        folder = self.folder / "home" / "Favorites"
        folder.mkdir(parents=True, exist_ok=True)
        with sqlite3.connect(folder / "favorites.sqlite") as connection:
            connection.executescript("""
                CREATE TABLE favorites (taxon_id INTEGER PRIMARY KEY, created_at TEXT NOT NULL
                  DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')));
                CREATE INDEX idx_favorites_created ON favorites(created_at DESC);
                CREATE TABLE favorite_references (taxon_id INTEGER PRIMARY KEY, id_space TEXT, id TEXT NOT NULL,
                  name TEXT, author TEXT, year INTEGER, rank TEXT, kingdoms TEXT, created_at TEXT NOT NULL);
                PRAGMA user_version = 2;
                """)
            ids = [number * 7919 % 3_000_017 for number in range(10_000)]
            time = "2026-01-01T00:00:00.000Z"
            connection.executemany("INSERT INTO favorites VALUES (?, ?)", ((own, time) for own in ids))
            connection.executemany(
                "INSERT INTO favorite_references VALUES (?, 'ncbi', ?, ?, NULL, NULL, 'species', 'Metazoa', ?)",
                ((own, str(own), f"Genus species{own}", time) for own in ids))
        connection.close()

    def measured(self) -> Dict[str, int]:
        generator = random.Random(2)
        names = [name for _, name in self.rows]
        counts = {"start": self.count("--version")}
        counts["pack"] = self.count("pack", self.database, "-o", self.pack)
        counts["search, exact"] = self.asked("search - --mode exact", names)
        counts["search, fuzzy"] = self.asked(
            "search - --mode fuzzy", [misspelt(name, generator) for name in names[:400]])
        counts["complete"] = self.asked(
            "complete -", [name[:generator.randint(1, 8)] for name in names[:1_000]])
        counts["lca"] = self.asked(
            "lca -", [f"{a}\t{b}" for (a, _), (b, _) in zip(self.rows, reversed(self.rows))])
        counts["relatives"] = self.asked("relatives -", [str(number) for number, _ in self.rows[:500]])
        for mode in ("auto", "fuzzy"):
            counts[f"hostile, {mode}"] = self.asked(f"search - --mode {mode}", hostile(generator))
        self.favourites()
        counts["favourites"] = self.count("favorites", "count", "--pack", self.pack)
        return {work: count - (0 if work == "start" else counts["start"])
                for work, count in counts.items()}

    def test_plain_command_line_starts_without_the_parser(self) -> None:
        subprocess.run([self.stol, "pack", self.database, "-o", self.pack], check=True, capture_output=True)
        plain = self.count("query", "search", "lion", "--pack", self.pack)
        # "=" is left to the parser; half of what is left is loading shared libraries.
        parsed = self.count("query", "search", "lion", f"--pack={self.pack}")
        print(f"a plain line: {plain:,} instructions, {plain / parsed:.3f} of {parsed:,}")
        self.assertLess(plain, 0.7 * parsed)

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
