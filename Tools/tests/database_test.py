"""The writer of databases from packages: what it writes, and that a file is there whole or not at all."""
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parent.parent / "ncbi")]

import citations  # noqa: E402
import database  # noqa: E402
import ncbi  # noqa: E402
from container_test import STOL  # noqa: E402

CONTENT = database.Content(
    dataset=ncbi.dataset("lions", "Lions", "made up"), sources=(citations.NCBI, citations.WIKIDATA),
    taxa=[database.Taxon(9688, None, "genus", "Panthera", None, None, 1, None),
          database.Taxon(9689, 9688, "species", "Panthera leo", "(Linnaeus)", 1758, 1, 41)],
    names=[database.Name(9689, "lion", "en", "common", 1, 1), database.Name(9689, "Felis leo", "la", "synonym", 0, 2)],
    references=[database.Reference(9689, "A book", "https://example.org", "taxonomy", 1)],
    traits=[database.Trait(9689, "diet", "carnivore", 1, 1)])


class DatabaseTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def asked(self, path, query):
        connection = sqlite3.connect(path)
        self.addCleanup(connection.close)
        return connection.execute(query).fetchall()

    def test_every_source_states_licence_citation_and_address(self):
        for source in CONTENT.sources:
            self.assertTrue(all(source), source)

    def test_equal_content_gives_equal_bytes(self):
        for name in ("a", "b"):
            database.write(self.folder / name, CONTENT, indexes=True)
        self.assertEqual((self.folder / "a").read_bytes(), (self.folder / "b").read_bytes())
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"a", "b"})

    def test_indexes_are_written_where_they_are_asked_for(self):
        for indexes, number in ((False, 0), (True, database.INDEXES.count("CREATE INDEX"))):
            database.write(self.folder / "made", CONTENT, indexes)
            query = "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
            self.assertEqual(self.asked(self.folder / "made", query), [(number,)])

    def test_rows_come_out_as_they_went_in(self):
        database.write(self.folder / "made", CONTENT)
        self.assertEqual(self.asked(self.folder / "made", "SELECT id, source_id, parent_id, prominence FROM taxa"),
                         [(9688, "9688", None, None), (9689, "9689", 9688, 41)])
        self.assertEqual(self.asked(self.folder / "made", "SELECT name, status, source FROM names"),
                         [("lion", None, 1), ("Felis leo", "synonym", 2)])

    def test_a_file_that_cannot_be_written_leaves_the_old_one(self):
        path = self.folder / "made"
        path.mkdir()
        with self.assertRaises(ncbi.DataError):
            database.write(path, CONTENT)
        self.assertEqual([entry.name for entry in self.folder.iterdir()], ["made"])

    @unittest.skipUnless(STOL.exists(), "the command stol has not been built")
    def test_stol_compiles_it(self):
        database.write(self.folder / "made.sqlite", CONTENT, indexes=True)
        pack = self.folder / "made.stolpack"
        done = subprocess.run([STOL, "pack", self.folder / "made.sqlite", "-o", pack], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run([STOL, "query", "search", "lion", "--pack", pack], capture_output=True, text=True, check=False)
        self.assertIn("9689\tspecies\tPanthera leo", done.stdout)


if __name__ == "__main__":
    unittest.main()
