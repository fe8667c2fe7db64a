"""What is yours stays yours: favourites, images and bookmarks over pairs of databases that share numbers.

Each pair is a database that a person had and one that comes after it. What must be seen in either is
worked out from the rows of their sources (stories.py), and compared with the command and the explorer.
"""
import collections
import functools
import json
import os
import pathlib
import random
import re
import sqlite3
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import stories  # noqa: E402
from stories import Release, Synonym, Taxon, resolve  # noqa: E402
from story_pairs import KEY, STOL, Database, Explorer, make_pairs, stol  # noqa: E402

SEED = int(os.environ.get("STOL_TEST_SEED", "20"))
OUTCOMES = ["same", "merged", "deleted", "by name", "by synonym", "ambiguous", "absent"]


def over_pairs(test):
    """Makes a test of a pair of databases one of all pairs."""
    @functools.wraps(test)
    def run(self):
        for old, new in self.pairs:
            with self.subTest(old=old.name, new=new.name, seed=SEED):
                test(self, old, new)
    return run


@unittest.skipUnless(os.path.exists(STOL), "the command stol has not been built")
class StoriesTest(unittest.TestCase):
    maxDiff = 3000

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="stol-stories-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        with ThreadPoolExecutor(2) as pool:
            cls.pairs = make_pairs(cls.folder, pool, SEED)
        cls.homes = 0

    def home(self):
        """A new home that trusts who signed the databases."""
        StoriesTest.homes += 1
        home = self.folder / f"home-{self.homes}"
        home.mkdir()
        stol(home, "db", "keys", "add", f"{KEY}.pub", "--dataset", "stories")
        return home

    @staticmethod
    @functools.cache
    def chosen(old, new, count):
        """Ids of the old database: as many as there are of each outcome in the new, up to a count, in no order."""
        by_outcome = collections.defaultdict(list)
        ids = list(old.release.taxa)
        random.Random(SEED).shuffle(ids)
        if len(ids) > 20_000:  # The others are nowhere in the new one.
            names = set(new.release.named) | set(new.release.synonyms)
            rest = [id for id in ids if old.release.taxa[id].name.lower() not in names]
            ids = [id for id in ids if old.release.taxa[id].name.lower() in names] + rest[:50]
            ids += [id for id in new.release.taxa if id in old.release.taxa][:50]
        for id in dict.fromkeys(ids):
            by_outcome[resolve(old.release.reference(id), new.release)[0]].append(id)
        chosen = [id for found in by_outcome.values() for id in found[:count]]
        random.Random(SEED).shuffle(chosen)
        return chosen

    # What is expected of a list of references, the last one first, in a database.

    @staticmethod
    def expected_each(references, database):
        rows = []
        for reference in reversed(references):
            word, id, _ = resolve(reference, database.release)
            taxon = database.release.taxa.get(id)
            rows.append((word, taxon and taxon.id, taxon and taxon.name, taxon and taxon.rank,
                         f"{reference.get('idSpace', 'unstated')}:{reference['id']}", reference["name"]))
        return rows

    @classmethod
    def expected_list(cls, references, database):
        """Those that lead to one taxon are one row, which names the others."""
        rows, places = [], {}
        for row in cls.expected_each(references, database):
            if row[2] and row[1] in places:
                rows[places[row[1]]][-1].append(row[4])
                continue
            if row[2]:
                places[row[1]] = len(rows)
            rows.append((*row, []))
        return rows

    @staticmethod
    def told(rows):
        return [(row["outcome"], row["id"] and str(row["id"]), row["scientificName"], row["rank"], row["reference"], row["addedName"],
                 row["others"]) for row in rows]

    def test_pairs_have_every_outcome(self):
        counts = collections.Counter()
        for old, new in self.pairs:
            counts.update(resolve(old.release.reference(id), new.release)[0] for id in self.chosen(old, new, 20))
        self.assertEqual([word for word in OUTCOMES if counts[word] < 10], [], counts)
        self.assertGreaterEqual(len(self.pairs), 5)

    # Favourites.

    def fill(self, home, old, new):
        """Adds favourites of the old database, and some of a file; returns their references, the first one first."""
        ids = self.chosen(old, new, 12)
        added = stol(home, "favorites", "add", "-", text="".join(f"{id}\n" for id in ids))
        self.assertEqual(added.splitlines(), [f"added\t{id}" for id in ids])
        # Of a third database: a name that both may have, and one that nobody has.
        name = next(taxon.name for taxon in new.release.taxa.values() if taxon.name not in
                    {old.release.taxa[id].name for id in ids} and taxon.rank == "genus")
        further = [{"idSpace": "third", "id": ids[0], "name": name, "rank": "genus"},
                   {"idSpace": "third", "id": ids[1], "name": "Nusquam visum", "rank": "species"}]
        stol(home, "favorites", "import", "-", text="".join(json.dumps(line) + "\n" for line in further))
        return [old.release.reference(id) for id in ids] + further

    @staticmethod
    def everything(home):
        """All that is said of favourites, byte for byte."""
        return [stol(home, "favorites", *what) for what in (
            ["list", "--json"], ["list", "--sort", "scientific"], ["export"], ["export", "--json"], ["count"])]

    def shown_by(self, server):
        """The list of the explorer, which must say on its page what it says to programs."""
        rows = server.json("/favorites.json")["favorites"]
        status, _, page = server.page("/favorites")
        self.assertEqual(status, 200)
        cards = re.findall(r'<label class="choose">.*?(?=<label class="choose">|</form>)', page, re.S)
        self.assertEqual(len(cards), len(rows))
        for card, row in zip(cards, rows, strict=True):
            name = row["scientificName"] or row["addedName"]
            self.assertIn(name, re.sub("<[^>]*>", "", card))
            said = {"merged": "has become part of this", "deleted": "has withdrawn it", "by name": "found by its name",
                    "by synonym": "a synonym of this", "ambiguous": "Several taxa", "absent": "Not in this database",
                    "same": f"Added as {row['addedName']}." if name != row["addedName"] else ""}[row["outcome"]]
            self.assertIn(said, card, row)
            # What is known may have a drawing that fits; what is not has none.
            self.assertFalse("<img" in card and row["scientificName"] is None, row)
        return rows

    @over_pairs
    def test_favourites(self, old, new):
        home = self.home()
        old.answer(home)
        references = self.fill(home, old, new)
        before = self.everything(home)
        self.assertEqual(self.told(json.loads(before[0])), self.expected_list(references, old))
        self.assertEqual(before[4], f"{len(references)}\n")
        expected = self.expected_list(references, new)
        with Explorer(home=home / "stol") as server:
            self.assertEqual(self.told(self.shown_by(server)), self.expected_list(references, old))
            for _ in range(2):
                self.check_switch(home, server, old, new, references, expected)
                self.assertEqual(self.everything(home), before)
                self.assertEqual(self.told(self.shown_by(server)), self.expected_list(references, old))
        # Taken along to where the new database answers, and from there back to the old one.
        other = self.home()
        new.answer(other)
        stol(other, "favorites", "import", "-", text=before[3])
        self.assertEqual(self.told(json.loads(stol(other, "favorites", "list", "--json"))), expected)
        old.answer(other)
        self.assertEqual(self.everything(other), before)

    def check_switch(self, home, server, old, new, references, expected):
        """Goes to the new database, adds and removes what has the numbers of the old, and goes back."""
        foretold, listed = new.rehearsed(home), json.loads(stol(home, "favorites", "list", "--json"))
        self.assertEqual(self.told(listed), self.expected_list(references, old))
        new.answer(home)
        now = stol(home, "favorites", "list", "--json")
        self.assertEqual(self.told(json.loads(now)), expected)
        self.assertEqual(self.told(self.shown_by(server)), expected)
        # What was foretold is what happened, and what was told of before was so.
        self.assertEqual([(row["then"], row["nameThen"], row["reference"], row["addedName"]) for row in foretold],
                         [(word, name, written, added) for word, _, name, _, written, added
                          in self.expected_each(references, new)])
        was = {row["reference"]: (row["outcome"], row["scientificName"]) for row in listed}
        for row in foretold:
            if row["reference"] in was:
                self.assertEqual((row["now"], row["nameNow"]), was[row["reference"]])
        # A taxon that has the number of a favourite is none, and may become one more.
        shown = {id for _, id, name, *_ in expected if name}
        numbers = [reference["id"] for reference in references[:-2] if reference["id"] in new.release.taxa
                   and reference["id"] not in shown and old.release.space != new.release.space]
        for change, word in (("add", "added"), ("remove", "removed")):
            if numbers:
                said = stol(home, "favorites", change, "-", text="".join(f"{id}\n" for id in numbers))
                self.assertEqual(said.splitlines(), [f"{word}\t{id}" for id in numbers])
        self.assertEqual(stol(home, "favorites", "list", "--json"), now)
        old.answer(home)

    @over_pairs
    def test_the_explorer_switches(self, old, new):
        """The same with nothing but the explorer: hearts, an import, and the way back."""
        if new.container is None:
            return
        home = self.home()
        old.answer(home)
        with Explorer(home=home / "stol") as server:
            ids = self.chosen(old, new, 2)
            references = [old.release.reference(id) for id in ids]
            for id in ids:
                # A form names a taxon by what its page says.
                page = server.page(f"/taxon/{old.space}:{id}")[2]
                named = re.search(r'name="taxon" value="([^"]+)"', page)[1]
                self.assertEqual(server.post("/favorites", {"action": "add", "taxon": named})[0], 303)
            before = self.shown_by(server)
            self.assertEqual(self.told(before), self.expected_list(references, old))
            for _ in range(2):
                self.import_by(server, new)
                self.assertEqual(self.told(self.shown_by(server)), self.expected_list(references, new))
                if old.container:
                    self.import_by(server, old)
                else:
                    page = server.page("/settings/databases")[2]
                    found = sum(row[2] is not None for row in self.expected_list(references, old))
                    self.assertRegex(page, f"If you switch: {found} favourites")
                    self.assertEqual(server.post("/settings/databases", {"action": "deactivate"})[0], 303)
                self.assertEqual(self.shown_by(server), before)

    def import_by(self, server, database):
        fields = {"path": str(database.container), "downgrade": "yes"}
        before = server.json("/favorites.json")
        self.assertEqual(server.post("/settings/databases/import", fields)[0], 303)
        state = self.until_import_ends(server)
        if before["favorites"]:
            # Nothing has changed yet, and it is said what would.
            self.assertEqual(state["state"], "waiting", state)
            self.assertEqual(server.json("/favorites.json"), before)
            self.assertIn("If you switch: ", server.page("/settings/databases/import")[2])
            self.assertEqual(server.post("/settings/databases/import", {"action": "install"})[0], 303)
            state = self.until_import_ends(server)
        self.assertEqual(state["state"], "done", state)

    @staticmethod
    def until_import_ends(server):
        for _ in range(3_000):
            state = server.json("/settings/databases/import.json")
            if state["state"] != "running":
                break
            time.sleep(0.01)
        return state

    # Batches.

    @over_pairs
    def test_references_in_batch_and_differences(self, old, new):
        references = [old.release.reference(id) for id in old.release.taxa]
        text = "".join(json.dumps(reference) + "\n" for reference in references)
        pack = ["--pack", new.pack] if new.container else []
        rows = stol(self.folder, "db", "resolve-references", "-", "--jsonl", *pack, text=text).splitlines()
        outcomes = {}
        for reference, line in zip(references, rows, strict=True):
            row = json.loads(line)
            word, id, candidates = outcomes[reference["id"]] = resolve(reference, new.release)
            told = (row["outcome"], row["id"] if row["id"] is None else str(row["id"]), row["scientificName"],
                    set(row["candidates"]))
            self.assertEqual(told, (word, id, new.release.taxa[id].name if id else None, candidates), reference)
        counts = json.loads(stol(self.folder, "db", "diff", old.pack, new.pack, "--summary", "--json"))
        self.assertEqual({row["change"]: row["count"] for row in counts if row["count"]},
                         stories.differences(old.release, new.release, outcomes))

    # Bookmarks.

    def bookmark(self, id, space, database):
        """Status, name, and a word of an address with its id space in a database."""
        release = database.release
        if space != database.space:
            return 404, None, "Of another database"
        if id in release.taxa:
            return 200, release.taxa[id].name, ""
        into = release.merged.get(id) or next((taxon.id for taxon in release.synonym_ids.get(id, ())), None)
        if into:
            return 200, release.taxa[into].name, "has been merged into this"
        return 404, None, "deleted by its source" if id in release.deleted else "in the active database"

    @over_pairs
    def test_bookmarks(self, old, new):
        home = self.home()
        old.answer(home)
        ids = self.chosen(old, new, 5) + list(old.release.merged)[:3] + list(old.release.deleted)[:3]
        with Explorer(home=home / "stol") as server:
            for database, asked in ((old, ids), (new, ids), (old, ids[:5])):
                database.answer(home)
                for id in asked:
                    self.check_bookmark(server, f"{old.space}:{id}", self.bookmark(id, old.space, database))
                    self.check_short(server, id, database)
                self.check_shown(server)

    def check_shown(self, server):
        """Every address that the tree shows leads where it says, that of a root without an id as well."""
        for taxon in server.json("/tree.json")["children"]:
            for place in ("taxon", "tree"):
                told = server.json(f"/{place}/{taxon['address']}.json")["taxon"]
                self.assertEqual(told["scientificName"], taxon["scientificName"])
                self.assertEqual(server.get(f"/{place}/{taxon['address']}")[0], 200)

    def check_bookmark(self, server, address, expected):
        status, name, words = expected
        found = server.page(f"/taxon/{address}")
        self.assertEqual(found[0], status, address)
        title = re.sub("<[^>]*>", "", re.search("<h1.*?</h1>", found[2], re.S)[0])
        self.assertIn(name or "", title, address)
        self.assertIn(words, found[2], address)
        code, _, body = server.get(f"/taxon/{address}.json")
        told = json.loads(body)
        self.assertEqual((code, told.get("taxon", {}).get("scientificName")), (status, name), address)
        if status == 200:
            self.assertEqual(told["mergedFrom"], address if words else None)
        else:
            self.assertIn(words, f"{told['error']} {told['detail']}", address)
            self.assertIn(address, f"{told['error']} {told['detail']}")

    def check_short(self, server, id, database):
        """The form of older pages: a redirect where the active database has the number, and never a text."""
        for form in ("", ".json"):
            status, place, page = server.page(f"/taxon/{id}{form}")
            if id.isdecimal() and id in database.release.taxa:
                self.assertEqual((status, place), (302, f"/taxon/{database.space}:{id}{form}"))
            else:
                expected = self.bookmark(id, database.space, database) if id.isdecimal() else (404, None, "")
                self.assertEqual(status, expected[0], id)
                self.assertIn(expected[1] or "", page)

    # Images.

    def make_images(self, old, new):
        """A signed pack of images of the old database, and what it has: (reference, title, bytes) in its order."""
        folder = self.folder / f"images-{old.name}-{new.name}"
        folder.mkdir()
        ids = self.chosen(old, new, 4)
        ids += [id for id, taxon in old.release.taxa.items() if taxon.rank in ("genus", "family", "kingdom")
                and taxon.name.lower() in new.release.named][:5]
        images, kept = [], []
        for number, id in enumerate(dict.fromkeys(ids)):
            reference, content = old.release.reference(id), b"\x89PNG\r\n\x1a\n" + f"{old.name} {id}".encode()
            (folder / f"{number}.png").write_bytes(content)
            kept.append((reference, f"Picture {number} of {reference['name']}", content))
            images.append({"taxon": reference, "file": f"{number}.png", "title": kept[-1][1], "author": "stol",
                           "licence": "CC0-1.0", "source": "", "type": "png"})
        (folder / "manifest.json").write_text(json.dumps(
            {"title": "Images", "licence": "CC0-1.0", "buildTime": "2026-01-01T00:00:00Z", "images": images}))
        made = self.folder / f"{folder.name}.stol-media"
        stol(self.folder, "media", "sign", folder, "-o", made, "--key", f"{KEY}.key", "--id", "stories",
             "--release", 1, "--passphrase-file", self.folder / "passphrase", "-q")
        return made, kept

    @over_pairs
    def test_images(self, old, new):
        made, kept = self.make_images(old, new)
        home = self.home()
        stol(home, "media", "add", made, "--key", f"{KEY}.pub", "-q")
        with Explorer(home=home / "stol") as server:
            for database in (old, new, old):
                database.answer(home)
                self.check_images(home, server, kept, database)

    def check_images(self, home, server, kept, database):
        release, whose = database.release, {}
        for reference, title, content in kept:
            found = resolve(reference, release)[1]
            if found:
                whose.setdefault(found, (title, content))
        # Those that have one, those below them, those with the number of one, and any.
        parents = collections.defaultdict(list)
        for taxon in release.taxa.values():
            parents[taxon.parent].append(taxon.id)
        asked = list(whose) + [id for owner in whose for id in parents[owner][:1]]
        asked += [reference["id"] for reference, *_ in kept if reference["id"] in release.taxa]
        asked += random.Random(SEED).sample(list(release.taxa), 5)
        for number, id in enumerate(dict.fromkeys(asked)):
            owner = next((above.id for above in reversed(release.path(id)) if above.id in whose), None)
            title, content = whose.get(owner, (None, None))
            told = server.json(f"/taxon/{database.space}:{id}.json")["image"]
            self.assertEqual(told and (told["title"], str(told["taxonID"])), title and (title, owner), id)
            status, _, page = server.page(f"/taxon/{database.space}:{id}")
            caption = re.sub("<[^>]*>", "", re.search("<figcaption>.*?</figcaption>", page, re.S)[0])
            self.assertEqual(title is not None and f"{title}." in caption, title is not None, caption)
            is_above = owner is not None and owner != id
            self.assertEqual("to which it belongs" in caption, is_above, caption)
            status, _, body = server.get(f"/taxon/{database.space}:{id}/image")
            self.assertEqual((status, body if status == 200 else None), (200, content) if owner else (404, None))
            if number % 8 == 0:
                self.check_image(home, release, id, owner, title, content)

    def check_image(self, home, release, id, owner, title, content):
        """The same of the command."""
        output = home / "image"
        output.unlink(missing_ok=True)
        stol(home, "media", "image", id, "-o", output, status=(0,) if owner else (1,))
        self.assertEqual(output.read_bytes() if owner else None, content if owner else None)

    # Small stories.

    def cats(self, name, kind, space, *species):
        """A small database of rows (id, name, synonyms)."""
        taxa = [Taxon("1", "", "kingdom", "Animalia"), Taxon("2", "1", "genus", "Panthera")]
        release = Release(space, taxa + [Taxon(id, "2", "species", called, "", [*synonyms])
                                         for id, called, *synonyms in species])
        written = getattr(stories, f"write_{kind}")(release, self.folder / name)
        return Database(name, release, written, self.folder)

    def test_a_bookmark_of_a_list_without_id_space(self):
        """Two lists that do not say what their ids are ids of have addresses of their own."""
        first = self.cats("first", "coldp", None, ("5", "Panthera leo"))
        second = self.cats("second", "coldp", None, ("5", "Panthera tigris"))
        home = self.home()
        first.answer(home)
        with Explorer(home=home / "stol") as server:
            address = server.json("/search.json?q=Panthera+leo")["results"][0]["address"]
            self.assertEqual(server.get(f"/taxon/{address}")[0], 200)
            second.answer(home)
            status, _, page = server.page(f"/taxon/{address}")
            self.assertEqual(status, 404)
            self.assertIn("Of another database", page)

    def add_old_rows(self, home, *ids):
        """Adds favourites as the first version did: numbers and times."""
        stol(home, "favorites", "count")
        file = sqlite3.connect(home / "stol/Favorites/favorites.sqlite")
        file.executemany("INSERT INTO favorites (taxon_id) VALUES (?)", [(id,) for id in ids])
        file.commit()
        file.close()

    def test_favourites_of_the_first_version_are_of_what_was_active_then(self):
        first = self.cats("v1-one", "gbif", "gbif", ("9689", "Cecropis abyssinica"), ("9694", "Ninox rufa"))
        second = self.cats("v1-two", "itis", "itis", ("9689", "Quercus robur"), ("9694", "Quercus rubra"))
        for switch in (["import", second.container, "-q", "--allow-downgrade"], ["deactivate"], ["delete", "--yes"]):
            with self.subTest(switch=switch[0]):
                home = self.home()
                first.answer(home)
                time.sleep(0.05)  # The clock of files lags behind.
                self.add_old_rows(home, 9689, 9694)
                stol(home, "db", *switch)
                listed = json.loads(stol(home, "favorites", "list", "--json"))
                self.assertEqual({(row["reference"], row["addedName"]) for row in listed}, {
                    ("gbif:9689", "Cecropis abyssinica"), ("gbif:9694", "Ninox rufa")})

    def test_a_homonym_in_another_kingdom_is_another_taxon(self):
        """Two lists that do not say what their ids are ids of: a bird and a plant of one name and one number."""
        lists = []
        for kingdom, author in (("Animalia", "Vieillot, 1816"), ("Plantae", "L.")):
            release = Release(None, [Taxon("1", "", "kingdom", kingdom), Taxon("5", "1", "genus", "Oenanthe", author)])
            written = stories.write_coldp(release, self.folder / f"homonym-{kingdom}")
            lists.append(Database(f"homonym-{kingdom}", release, written, self.folder))
        bird, plant = lists
        reference = stol(self.folder, "db", "references", "5", "--pack", bird.pack)
        for database, outcome in ((bird, "same"), (plant, "absent")):
            told = stol(self.folder, "db", "resolve-references", "-", "--jsonl", "--pack", database.pack, text=reference)
            self.assertEqual(json.loads(told)["outcome"], outcome)

    def test_a_heart_of_a_page_of_another_database_is_refused(self):
        first = self.cats("heart-1", "gbif", "gbif", ("5", "Panthera leo"), ("6", "Panthera onca"))
        second = self.cats("heart-2", "itis", "itis", ("5", "Quercus robur"), ("6", "Quercus rubra"))
        home = self.home()
        first.answer(home)
        with Explorer(home=home / "stol") as server:
            named = re.search(r'name="taxon" value="([^"]+)"', server.page("/taxon/gbif:5")[2])[1]
            compared = "/compare?taxon=gbif%3A5&taxon=gbif%3A6"
            self.assertEqual(server.page("/compare?taxon=5&taxon=6")[:2], (302, compared))
            second.answer(home)
            for action in ("add", "remove"):
                self.assertEqual(server.post("/favorites", {"action": action, "taxon": named})[0], 409)
            self.assertEqual(server.json("/favorites.json")["favorites"], [])
            page = server.page(compared)[2]
            self.assertIn("of another database", page)
            self.assertNotIn("Quercus", page)

    def test_what_is_no_reference_is_invalid_and_the_others_go_on(self):
        rows = stol(self.folder, "db", "resolve-references", "-", "--json",
                    text='ncbi:9689\nnonsense\n\n{"name":"x"}\n \t\n  ncbi:9694 \n')
        self.assertEqual([(row["reference"], row["outcome"], row["candidates"]) for row in json.loads(rows)], [
            ("ncbi:9689", "same", []), ("nonsense", "invalid", []), ("", "invalid", []), ('{"name":"x"}', "invalid", []), (" \t", "invalid", []),
            ("ncbi:9694", "same", [])])

    def test_what_the_list_shows_of_another_database_can_be_removed(self):
        home = self.home()
        lines = [{"idSpace": "gbif", "id": "777777777", "name": "Nusquam visum"}, {"id": "4CGXP", "name": "Nusquam"},
                 {"idSpace": "a", "id": "888888888", "name": "Unus"}, {"idSpace": "b", "id": "888888888", "name": "Alter"}]
        stol(home, "favorites", "import", "-", text="".join(json.dumps(line) + "\n" for line in lines))
        self.assertEqual(stol(home, "favorites", "remove", "777777777", "4CGXP"), "removed\t777777777\nremoved\t4CGXP\n")
        # Of several with one id none is meant.
        self.assertEqual(stol(home, "favorites", "remove", "888888888"), "unchanged\t888888888\n")
        self.assertEqual(stol(home, "favorites", "remove", "-", text="a:888888888\nb:888888888\n"),
                         "removed\ta:888888888\nremoved\tb:888888888\n")
        self.assertEqual(stol(home, "favorites", "count"), "0\n")

    def test_a_rehearsal_refuses_what_the_import_refuses(self):
        first = self.cats("one", "gbif", "gbif", ("5", "Panthera leo"))
        second = self.cats("two", "gbif", "gbif", ("5", "Panthera tigris"))
        home = self.home()
        first.answer(home)
        stol(home, "db", "import", second.container, "-q", status=(5,))
        stol(home, "db", "import", second.container, "--dry-run", status=(5,))

    def test_a_rehearsal_refuses_what_activating_refuses(self):
        database = self.cats("activated", "gbif", "gbif", ("5", "Panthera leo"))
        home = self.home()
        stol(home, "db", "import", database.container, "--no-activate", "-q")
        stol(home, "db", "activate", "--dry-run")
        reference = next((home / "stol/Databases").glob("reference-*"))
        (reference / "reference.stolpack").write_bytes(b"of another stol")
        stol(home, "db", "activate", "--dry-run")
        self.assertEqual((reference / "reference.stolpack").read_bytes(), b"of another stol")
        with open(reference / "reference.sqlite", "r+b") as file:
            file.seek(200)
            file.write(b"damage")
        for arguments in (["--dry-run"], []):
            stol(home, "db", "activate", *arguments, status=(3,))

    def test_a_taxon_with_the_id_of_a_favourite_can_be_one(self):
        """A release has given the id of a favourite to another taxon."""
        first = self.cats("before", "gbif", "gbif", ("5", "Panthera leo"))
        second = self.cats("after", "gbif", "gbif", ("5", "Puma concolor"))
        home = self.home()
        first.answer(home)
        stol(home, "favorites", "add", "5")
        second.answer(home)
        self.assertEqual(json.loads(stol(home, "favorites", "list", "--json"))[0]["outcome"], "ambiguous")
        self.assertEqual(stol(home, "favorites", "toggle", "5"), "added\t5\n")
        first.answer(home)
        self.assertEqual(json.loads(stol(home, "favorites", "list", "--json"))[-1]["scientificName"], "Panthera leo")


if __name__ == "__main__":
    unittest.main()
