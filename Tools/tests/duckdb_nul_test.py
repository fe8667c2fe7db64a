"""Texts with a NUL in them, at which they would end in C.

    Tools/duckdb --test
"""
import unittest

from duckdb_test import PACK, column, connect, duckdb, needs_extension


@needs_extension
class NulTests(unittest.TestCase):
    def setUp(self):
        self.database = connect()
        self.addCleanup(self.database.close)

    def test_none_is_cut_off_at_a_nul(self):
        calls = (("* FROM stol_search({})", "lion", "the text"), ("* FROM stol_within({})", "9681", "the taxon"),
                 ("* FROM stol_search('lion', rank := {})", "species", "rank"), ("* FROM stol_search('lion', mode := {})", "exact", "mode"),
                 ("* FROM stol_search('lion', within := {})", "Felidae", "the taxon"),
                 ("stol_match('Oenanthe', {}, 'Metazoa')", "kingdom", "argument 2"),
                 ("stol_match('Oenanthe', 'kingdom', 'Metazoa', {}, 'x')", "authorship", "argument 4"), ("stol_rank(9694, {})", "family", "a rank"))
        for call, text, what in calls:
            self.assertGreater(len(self.database.execute(f"SELECT {call.format(repr(text))}").fetchall()), 0)
            for wrong in (f"'{text}' || chr(0) || 'junk'", f"'{text}' || chr(0)", f"chr(0) || '{text}'", f"'{text}' || chr(0) || repeat('x', 100)"):
                with self.assertRaisesRegex(duckdb.Error, f"{what} has a character NUL", msg=call):
                    self.database.execute(f"SELECT {call.format(wrong)}").fetchall()
            if call.startswith("*"):
                with self.assertRaisesRegex(duckdb.Error, f"{what} has a character NUL", msg=call):
                    self.database.execute(f"SELECT {call.format('?')}", [text + "\0junk"]).fetchall()
        with self.assertRaisesRegex(duckdb.Error, "the path of a pack has a character NUL"):
            self.database.execute("CALL stol_attach(?)", [f"{PACK}\0junk"])
        # The pack before is attached still, and what stands in columns counts as a whole.
        self.assertEqual(self.database.execute("SELECT stol_taxon('lion' || chr(0) || 'junk'), stol_name(9689)").fetchall(), [(None, "Panthera leo")])

    def test_long_and_odd_texts_without_one(self):
        for text in ("lion", "lion's \\0 \U0001f981", "x" * 12, "x" * 13, "l\u00f6we " * 70, ""):
            self.assertIsInstance(self.database.execute("SELECT * FROM stol_search(?)", [text]).fetchall(), list)
        self.assertEqual(column(self.database, "SELECT id FROM stol_search('panthera leo persica', hits := 1, mode := 'exact')"), [83386])
        self.assertEqual(column(self.database, "SELECT count(*) FROM stol_within('9681'::JSON::VARCHAR)"),
                         column(self.database, "SELECT count(*) FROM stol_within(9681)"))


if __name__ == "__main__":
    unittest.main()
