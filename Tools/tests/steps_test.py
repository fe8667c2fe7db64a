"""Counts instructions of sources and databases that are large in one way: eight times the rows may
take no more than twelve times as many, where something quadratic would take sixty-four."""
import csv
import functools
import sqlite3
import unittest

from counting import Counting

FEW, MANY, MOST = 250, 2_000, 12
HIGHER = ("kingdom", "family", "genus")
COLUMNS = ("taxonID", "scientificName", "scientificNameAuthorship", "taxonRank", "parentNameUsageID",
           "parentNameUsage", "acceptedNameUsageID", *HIGHER)


def letters(number):
    return "".join("abcdefghij"[int(digit)] for digit in str(number))


def row(shape, number, count):
    """One row of a source of so many; the shapes are those of LargeSourceTests."""
    found = {"taxonID": number + 1, "scientificName": f"Nomen{letters(number % 10)}", "taxonRank": "genus"}
    before = "" if number == 0 else number
    is_even = number % 2 == 0
    if shape == "chain, down":
        found["parentNameUsageID"] = before
    elif shape == "chain, up":
        found["parentNameUsageID"] = "" if number + 1 == count else number + 2
    elif shape == "chain of clades":
        found.update(parentNameUsageID=before, taxonRank="clade" if number else "family")
    elif shape == "chain with columns":
        found.update(parentNameUsageID=before, kingdom="Regnum", family="Familia",
                     taxonRank="clade" if number else "genus")
    elif shape == "chain of synonyms":
        found["acceptedNameUsageID"] = before
    elif shape == "many synonyms of one":
        found["acceptedNameUsageID"] = 1 if number else ""
    elif shape == "many accepted":
        found["acceptedNameUsageID"] = "|".join(map(str, range(max(1, number - 20), max(1, number))))
    elif shape == "one name by name":
        found.update(scientificName="Nomen", scientificNameAuthorship="Smith" if is_even else "Miller",
                     parentNameUsage="Nomen Miller" if is_even else "Nomen Smith")
    elif shape == "one name with many authors":
        found["parentNameUsage"] = f"Nomen A{letters(number)}"
    elif shape == "one name in columns":
        found.update(scientificName="Nomen" if is_even else "Nomen novum",
                     taxonRank="genus" if is_even else "species", genus="" if is_even else "Nomen")
    elif shape == "one id":
        found["taxonID"] = 1
    return found


SHAPES = ("chain, down", "chain, up", "chain of clades", "chain with columns", "chain of synonyms",
          "many synonyms of one", "many accepted", "one name by name", "one name with many authors",
          "one name in columns", "one id")


class StepsTests(Counting):
    def assert_grows_with_rows(self, what, start, count):
        """`count` gives the instructions for so many rows; those of a `start` do not count."""
        few, many = count(FEW), count(MANY)
        growth = (many - start) / (few - start)
        print(f"{what}: {few - start:,} instructions, {growth:.1f} times as many for {MANY // FEW} times the rows")
        self.assertLess(growth, MOST, what)

    def test_ingest(self):
        def count(shape, rows):
            path = self.folder / "taxa.tsv"
            with path.open("w", newline="") as file:
                table = csv.DictWriter(file, COLUMNS, restval="", delimiter="\t", lineterminator="\n")
                table.writeheader()
                table.writerows(row(shape, number, rows) for number in range(rows))
            database = self.folder / "taxa.sqlite"
            database.unlink(missing_ok=True)
            return self.count("ingest", "dwca", path, "-o", database, "--quiet")
        start = count(SHAPES[0], 1)
        for shape in SHAPES:
            with self.subTest(shape):
                self.assert_grows_with_rows(shape, start, functools.partial(count, shape))

    def test_pack_of_a_chain_of_synonyms(self):
        def count(rows):
            path = self.folder / "synonyms.sqlite"
            path.unlink(missing_ok=True)
            with sqlite3.connect(path) as connection:
                connection.executescript("""
                    CREATE TABLE schema_version (version INTEGER NOT NULL);
                    INSERT INTO schema_version VALUES (1);
                    CREATE TABLE taxa (id INTEGER PRIMARY KEY, parent_id INTEGER, rank TEXT NOT NULL,
                      scientific_name TEXT NOT NULL, author TEXT, year INTEGER,
                      status TEXT NOT NULL DEFAULT 'accepted', conservation TEXT);
                    INSERT INTO taxa (id, rank, scientific_name) VALUES (1, 'genus', 'Panthera');
                    """)
                connection.executemany(
                    "INSERT INTO taxa (id, parent_id, rank, scientific_name, status) "
                    "VALUES (?, ?, 'species', ?, 'synonym')",
                    ((100 + i, 99 + i if i else 1, f"Synonym {i}") for i in range(rows)))
            connection.close()
            return self.count("pack", path, "-o", self.folder / "synonyms.stolpack", "--quiet")
        self.assert_grows_with_rows("a chain of synonyms, packed", count(1), count)


if __name__ == "__main__":
    unittest.main()
