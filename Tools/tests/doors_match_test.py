"""stol_match of the C library gives the answers of `stol match`: 100,000 names, right, misspelt, with authors and hints, garbage."""
import csv
import io
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from door import (EXACT_ONLY, GBIF, LAYOUTS, NO_HIGHER, NONE, PACK, ROOT, SCANNED, STOL, PackTests, misspelt, needs_command,
                  needs_library)

DATA = Path(os.environ.get("STOL_TEST_DATA", ROOT.parent / "shared/data"))
REAL = (("reference/match/gnparser.tsv", "input"), ("reference/match/match.tsv", "input"))
COUNT = 100_000
HINTS = ("kingdom", "phylum", "class", "order", "family", "genus")
HEADER = ("scientificName", "scientificNameAuthorship", "taxonRank", "nomenclaturalCode", *HINTS)
ADDED = ("status", "score", "reason", "taxonID", "matchedName", "edits")
GARBAGE = ("", " ", "NA", "n/a", "?", "-", "42", "x", "sp.", "BOLD:AAA1234", "Tobacco mosaic virus", "Aus bus × cus", "Aus x bus", "×Aus bus",
           "Panthera leo tigris onca pardus uncia", "uncultured bacterium", "Aus \"bus\"", "a, b", "lion\ttiger", "Löwe", "狮", b"\xff\xfe",
           b"Panthera \xc3", "x" * 512, "x" * 513, "Panthera leo" + " " * 500, "cf. Panthera leo", "Panthera / Neofelis", "Panthera leo or tigris")


@needs_library
class MatchTests(PackTests):
    """What is the same in every layout, and the answers of the command."""
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        taxa = list(range(cls.count))
        cls.ids = [str(number) for number in cls.pack.ids(taxa)]
        cls.names = cls.pack.texts("scientificName", taxa)
        cls.authors, cls.ranks = cls.pack.texts("author", taxa), cls.pack.texts("rank", taxa)
        cls.further = cls.pack.texts_of_names(list(range(cls.count, cls.count + cls.pack.facts().name_count)))
        cls.higher = cls.pack.rank_columns(taxa, HINTS)
        cls.real = []
        for path, column in REAL:
            if (DATA / path).exists():
                with open(DATA / path, newline="", encoding="utf-8") as file:
                    cls.real += [row[column] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]

    def name(self, taxon):
        """A name as somebody may write that of a taxon, and its authorship where that is said apart."""
        name, author, pick = self.names[taxon], self.authors[taxon], self.random.choice
        kind = self.random.randrange(20)
        if kind < 4 or not name:
            return name, ""
        if kind < 7:
            return misspelt(name, self.random), ""
        if kind == 7:
            return misspelt(misspelt(name, self.random), self.random), ""
        if kind < 10:
            return f"{name} {author or pick(('L.', 'Linnaeus, 1758', '(Linnaeus, 1758)', 'Mill.'))}", ""
        if kind == 10:
            return f"{misspelt(name, self.random)} {author or '(L.) Mill.'}", ""
        if kind == 11:
            return name, author or pick(("L.", "Linnaeus, 1758", "Cuvier, 1817"))
        if kind == 12:
            return f"{name.split()[0]} {pick(('sp.', 'spp.', 'cf. alba', 'sp. nov.', 'nosuchepithet', 'sp. 2', 'aff. minor'))}", ""
        if kind == 13:
            return f"{name} {pick(('subsp. minor', 'var. alba', 'minor', 'f. rosea'))}", ""
        if kind == 14:
            return pick((name.upper(), name.lower(), name.swapcase(), f" {name}  ", name.replace(" ", "_"), f"{name[:1]}. {name.split()[-1]}",
                         name.replace("m", "rn"), name.replace("l", "1"), name.replace("us", "a"))), ""
        if kind < 17:
            return pick(self.further), ""
        if kind == 17 and self.real:
            return pick(self.real), ""
        if kind == 18:
            return pick(GARBAGE), ""
        return pick((name.split()[-1], f"{name}, {pick(self.names)}", f"{name} {pick(self.names)}", name[:-3], name + "us")), ""

    def rows(self, count):
        """Rows of a table under HEADER."""
        rows = []
        for _ in range(count):
            taxon = self.random.randrange(self.count)
            name, authorship = self.name(taxon)
            rank = self.ranks[taxon] if not self.random.randrange(6) else self.random.choice(("", "", "", "", "species", "sp.", "genus", "nonsense"))
            code = self.random.choice(("", "", "", "", "", "", "ICZN", "ICN", "ICNP", "x"))
            hints = [""] * len(HINTS)
            if not self.random.randrange(3):
                # Most are right, some are those of another taxon, or nothing that the pack knows.
                of = taxon if self.random.randrange(5) else self.random.randrange(self.count)
                for place in self.random.sample(range(len(HINTS)), self.random.randrange(1, 4)):
                    ancestor = self.higher[place][of]
                    hints[place] = self.names[ancestor] if ancestor != NONE else self.random.choice(("", "Plantae", "Animalia", "Nosuchia", "Palmae"))
            rows.append([name, authorship, rank, code, *hints])
        return rows

    def match(self, rows, **options):
        columns = list(zip(*rows)) if rows else [()] * len(HEADER)
        return self.pack.match(list(columns[0]), *map(list, columns[1:4]), [(rank, list(column)) for rank, column in zip(HINTS, columns[4:])],
                               **options)

    def command(self, rows, *arguments):
        """What the command says of rows."""
        def cell(text):
            return b'"' + (text if isinstance(text, bytes) else text.encode()).replace(b'"', b'""') + b'"'
        data = b"".join(b",".join(map(cell, row)) + b"\n" for row in [HEADER, *rows])
        with tempfile.TemporaryDirectory() as home:
            done = subprocess.run([STOL, "match", "-", "--quiet", "--pack", str(PACK), *arguments], input=data, capture_output=True,
                                  env={**os.environ, "STOL_HOME": home}, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return list(csv.DictReader(io.StringIO(done.stdout.decode(errors="replace"), newline="")))

    def assert_is_what_the_command_says(self, rows, *arguments, **options):
        """The statuses that came."""
        added = ",".join((*ADDED, "candidates") if options.get("candidates") else ADDED)
        said = self.command(rows, "--add", added, *arguments)
        found = self.match(rows, **options)
        texts = self.pack.texts_of_names([match[1] for match in found])
        for row, one, match, text in zip(rows, said, found, texts, strict=True):
            taxon, _, status, difference, edits, score, reason = match[:7]
            mine = {"status": status, "reason": reason, "matchedName": text, "taxonID": "", "score": "", "edits": ""}
            if taxon != NONE:
                mine.update(taxonID=self.ids[taxon], score=str(score), edits=str(edits))
            self.assertEqual(mine, {name: one[name] for name in mine}, row)
            # The reason has the word for the difference, but where the common ancestor is the answer.
            if difference in (None, "none") or reason.startswith("the common ancestor"):
                self.assertEqual(difference is None, taxon == NONE and status != "exact", row)
            else:
                self.assertIn(difference, reason.split("; "), row)
            if options.get("candidates"):
                names = self.pack.texts_of_names(match[7][1])
                parts = [re.escape(f"{self.ids[candidate]} {name}") + ".*" for candidate, name in zip(match[7][0], names)]
                self.assertRegex(one["candidates"], "^" + "; ".join(parts) + "$", row)
        return {match[2] for match in found}

    @needs_command
    def test_names_have_the_answers_of_the_command(self):
        statuses = self.assert_is_what_the_command_says(self.rows(COUNT))
        self.assertEqual(statuses, {"exact", "synonym", "fuzzy", "partial", "ambiguous", "not_found", "invalid"})

    @needs_command
    def test_options_and_candidates_are_those_of_the_command(self):
        rows = self.rows(4_000)
        self.assert_is_what_the_command_says(rows, candidates=True)
        for arguments, options in ((("--exact",), {"flags": EXACT_ONLY}), (("--no-higher",), {"flags": NO_HIGHER}),
                                   (("--ocr",), {"flags": SCANNED}), (("--exact", "--no-higher"), {"flags": EXACT_ONLY | NO_HIGHER}),
                                   (("--min-score", "50"), {"least": 50}), (("--min-score", "100"), {"least": 100})):
            self.assert_is_what_the_command_says(rows, *arguments, **options)

    @needs_command
    def test_the_ways_of_gbif_are_those_of_the_command(self):
        rows = self.rows(4_000)
        for row, one, match in zip(rows, self.command(rows, "--format", "gbif"), self.match(rows, flags=GBIF), strict=True):
            self.assertEqual((match[6], str(match[5]) if match[0] != NONE else "100"), (one["note"], one["confidence"]), row)

    def test_layouts_nulls_and_single_rows_change_nothing(self):
        rows = [[name if isinstance(name, bytes) or name else None for name in row] for row in self.rows(1_500)]
        expected = self.match(rows, candidates=True)
        for layout in LAYOUTS:
            self.assertEqual(self.match(rows, candidates=True, layout=layout, nulls=True, shift=3), expected)
        # The same one by one, and in any order of hints.
        for row, match in list(zip(rows, expected))[:300]:
            self.assertEqual(self.match([row], candidates=True), [match])
        columns = list(zip(*rows))
        turned = [(rank.upper(), list(column)) for rank, column in zip(HINTS, columns[4:])][::-1]
        self.assertEqual(self.pack.match(list(columns[0]), *map(list, columns[1:4]), turned, candidates=True), expected)
        self.assertEqual(self.match([]), [])
        # One row for all.
        names = [row[0] for row in rows]
        alike = self.pack.match(names, hints=[("kingdom", ["Plantae"]), ("family", [None])], ranks=["species"])
        self.assertEqual(alike, self.pack.match(names, hints=[("kingdom", ["Plantae"] * len(rows))], ranks=["species"] * len(rows)))
        self.assertNotEqual(alike, self.pack.match(names))

    def test_names_alone_are_matched_as_with_empty_columns(self):
        names = [self.name(taxon)[0] for taxon in self.taxa(5_000)]
        self.assertEqual(self.pack.match(names), self.match([[name, *[""] * (len(HEADER) - 1)] for name in names]))


if __name__ == "__main__":
    unittest.main()
