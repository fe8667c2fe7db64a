"""The built-in taxonomy: where each row comes from, what it calls taxa, and the readers of the packages that it is made from."""
import csv
import gzip
import os
import pathlib
import sqlite3
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "Sources/CDefaultDatabase"
# Another file that Tools/make-default has made, to be tried before it is taken.
DATABASE = pathlib.Path(os.environ.get("STOL_DEFAULT_DATABASE", FOLDER / "default.sqlite.gz"))
WORDS = ROOT / "Tests/STOLServicesTests/Words"
sys.path.insert(0, str(ROOT / "Tools/ncbi"))

import cldr  # noqa: E402
import italian  # noqa: E402
import nodes as tree  # noqa: E402
import prominence  # noqa: E402
import wordnet  # noqa: E402


def rows(path):
    """The rows of a table below its first line."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


class DefaultTaxonomyTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(cls.folder.name) / "default.sqlite"
        path.write_bytes(gzip.decompress(DATABASE.read_bytes()))
        cls.database = sqlite3.connect(path)

    @classmethod
    def tearDownClass(cls):
        cls.database.close()
        cls.folder.cleanup()

    def one(self, query, *values):
        return self.database.execute(query, values).fetchone()[0]

    def test_every_source_states_licence_citation_and_address(self):
        sources = self.database.execute("SELECT kind, name, release, licence, citation, url FROM sources").fetchall()
        self.assertGreater(len(sources), 3)
        page = (FOLDER / "LICENCES.md").read_text(encoding="utf-8")
        for source in sources:
            self.assertTrue(all(source), source)
            scheme, _, place = source[-1].partition("://")
            self.assertIn(scheme, ("https", "http"), source)
            self.assertIn(place, page)
            self.assertIn(source[3].removesuffix(" (NCBI Taxonomy)"), page)

    def test_every_row_has_a_source(self):
        for table in ("taxa", "names", "refs", "traits"):
            self.assertGreater(self.one(f"SELECT count(*) FROM {table}"), 0)
            self.assertEqual(self.one(
                f"SELECT count(*) FROM {table} WHERE source IS NULL OR source NOT IN (SELECT position FROM sources)"), 0, table)

    def test_every_trait_cites_a_reference_of_its_taxon(self):
        self.assertEqual(self.one("SELECT count(*) FROM traits LEFT JOIN refs ON refs.id = source_ref"
                                  " WHERE refs.taxon_id IS NOT traits.taxon_id"), 0)

    def test_no_code_of_the_red_list_is_in_it(self):
        self.assertEqual(self.one("SELECT count(*) FROM taxa WHERE conservation IS NOT NULL"), 0)

    def test_it_is_the_whole_line_of_every_taxon(self):
        self.assertEqual(self.one("SELECT version FROM schema_version"), 3)
        self.assertEqual(self.one("SELECT count(*) FROM taxa WHERE parent_id IS NULL"), 1)
        self.assertEqual(self.one("SELECT count(*) FROM taxa WHERE parent_id NOT IN (SELECT id FROM taxa)"), 0)
        self.assertEqual(self.one("SELECT count(*) FROM taxa WHERE source_id <> id"), 0)
        self.assertGreater(self.one("SELECT count(DISTINCT rank) FROM taxa"), 30)

    def test_prominence_is_from_0_to_63(self):
        self.assertEqual(self.one("SELECT count(*) FROM taxa WHERE prominence IS NULL OR prominence NOT BETWEEN 0 AND 63"), 0)
        lion, kin = (self.one("SELECT prominence FROM taxa WHERE scientific_name = ?", name)
                     for name in ("Panthera leo", "Panthera leo leo"))
        self.assertGreater(lion, kin)

    def test_it_is_small(self):
        self.assertLessEqual(sum(path.stat().st_size for path in (DATABASE, FOLDER / "default.stolpack")), 20_000_000)

    def test_a_name_is_there_once(self):
        self.assertEqual(self.database.execute(
            "SELECT taxon_id, name, lang FROM names GROUP BY taxon_id, name, lang HAVING count(*) > 1").fetchall(), [])
        self.assertEqual(self.database.execute(
            "SELECT taxon_id FROM names WHERE is_preferred AND lang = 'en' GROUP BY taxon_id HAVING count(*) > 1").fetchall(), [])

    def test_words_of_people_lead_to_taxa_that_are_there(self):
        known = {name for name, in self.database.execute("SELECT scientific_name FROM taxa")}
        for table in ("words.tsv", "words500.tsv"):
            for row in rows(WORDS / table):
                self.assertTrue(known & set(row["expected"].split("|")), row)

    def test_the_words_are_of_ten_languages(self):
        listed = rows(WORDS / "words.tsv")
        self.assertGreaterEqual(len(listed), 300)
        self.assertGreaterEqual({row["language"] for row in listed}, set("en de fr es it pt nl ru zh ja".split()))
        self.assertEqual(len({(row["query"], row["language"]) for row in listed}), len(listed))
        self.assertEqual(len(rows(WORDS / "words500.tsv")), 500)

    def test_emoji_mean_what_the_database_calls_them(self):
        for line in cldr.read_table():
            self.assertEqual(self.one("SELECT scientific_name FROM taxa WHERE id = ?", line.taxon), line.scientific_name)


class PackageTests(unittest.TestCase):
    def test_what_is_said_of_faces_is_left_out(self):
        entries = "".join(
            f'<annotation cp="{face}" type="tts">tête de {name}</annotation><annotation cp="{face}">{name} | tête</annotation>'
            for face, name in (("🐭", "souris"), ("🐮", "vache"), ("🐯", "tigre"), ("🦁", "lion")))
        language = cldr.Language([f"<ldml>{entries}<annotation cp='🐻' type='tts'>ours</annotation></ldml>".encode()])
        self.assertEqual([language.name(emoji) for emoji in "🦁🐻🐍"], ["lion", "ours", None])

    def test_authorities_are_apart_from_names(self):
        for text, expected in (
                ("Panthera leo", ("Panthera leo", None, None)),
                ("Oenanthe pileata (Gmelin, 1789)", ("Oenanthe pileata", "(Gmelin)", 1789)),
                ("Morganella <beetle>", ("Morganella", None, None))):
            self.assertEqual(tree.split_authority(text), expected)

    def test_glosses_say_habitats_and_diets(self):
        self.assertEqual(list(wordnet.traits("large feline of forests in most of Asia; endangered")), [("habitat", "forest")])
        self.assertEqual(list(wordnet.traits("a fish of the Black Sea not found in rivers")), [])
        self.assertEqual(list(wordnet.traits("predatory marine fish")), [("diet", "carnivore"), ("habitat", "marine")])

    def test_synsets_of_the_older_wordnet_are_found(self):
        eagle = wordnet.Synset(1, wordnet.ANIMAL, ["eagle"], [], [], "a large bird of prey with broad wings")
        lion = wordnet.Synset(2, wordnet.ANIMAL, ["lion", "Panthera_leo"], [], [], "a feline")
        by_word = {"eagle": [eagle], "lion": [lion], "Panthera_leo": [lion]}
        for words, gloss, expected in ((["king_of_beasts", "Panthera_leo"], "", lion), (["eagle"], "a bird of prey with broad wings", eagle),
                                       (["eagle"], "a coin of gold", None), (["lion"], "", None)):
            self.assertEqual(italian.like(words, gloss, by_word), expected, words)
        table = """INSERT INTO t VALUES ('n#00000001',' lion king"s_lion ',NULL,'a "big" cat');\n"""
        self.assertEqual(list(italian.rows(table)), [("n#00000001", ["lion", "king's_lion"], "a 'big' cat")])

    def test_words_a_letter_apart_are_near(self):
        for one, other, near in (("rubecola", "rubecula", True), ("leo", "leon", True), ("leo", "leo", False),
                                 ("abc", "acb", False), ("abc", "bc", True), ("abc", "abd", True)):
            self.assertEqual(wordnet.is_near(one, other), near, (one, other))
            self.assertEqual(wordnet.is_near(other, one), near, (one, other))

    def test_mentions_are_counted_in_plural_too(self):
        counted = prominence.mentions(["<p>Lions and a <b>lion</b>, wolves; two honey bees.</p>"], {"lion", "honey bee", "bee"})
        self.assertEqual(dict(counted), {"lion": 2, "honey bee": 1, "bee": 1})

    def test_more_evidence_is_never_less_prominent(self):
        least = prominence.of(prominence.Evidence())
        most = prominence.of(prominence.Evidence(1300, 1, True, 20, 120, True, 30_000, 10_000))
        self.assertEqual(least, 0)
        self.assertLessEqual(most, prominence.MAXIMUM)
        for changed in ({"article_letters": 500}, {"wordnet": 9}, {"languages": 100}, {"is_listed": True}, {"mentions": 50}):
            self.assertGreater(prominence.of(prominence.Evidence(**changed)), least)


if __name__ == "__main__":
    unittest.main()
