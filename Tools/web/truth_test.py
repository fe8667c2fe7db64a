"""What the explorer says of random taxa of four databases, beside what their rows say.

The oracle reads the SQLite databases and walks from row to row; it shares no code with the explorer.
"""
import bisect
import copy
import csv
import gzip
import html
import io
import os
import pathlib
import random
import re
import sqlite3
import subprocess
import tempfile
import unittest
import urllib.parse

from explorer import ROOT, Explorer, small_database, stol, write_database

DATA = pathlib.Path(os.environ.get("STOL_TEST_DATA", ROOT.parent / "shared/data"))
# As many taxa of each database are looked at; and lists, comparisons, and pictures of clades.
TAXA = int(os.environ.get("STOL_TEST_TAXA", 500))
SEED = int(os.environ.get("STOL_TEST_SEED", random.randrange(1 << 32)))
PLACELESS = {"no rank", "clade", "unranked", ""}

# What is drawn, and the clades of which that is true: of all that is in them and not in those behind the stroke.
DRAWN = {
    "a person": "Homo", "a monkey or ape": "Simiiformes Hominidae Hylobatidae Cercopithecidae Platyrrhini", "a cat": "Felis",
    "a big cat": "Panthera", "a dog, fox or wolf": "Canidae", "a bear": "Ursus Ursinae", "a bat": "Chiroptera",
    "a mouse or rat": "Murinae Mus Rattus Apodemus Peromyscus", "an elephant": "Elephantidae",
    "a whale": "Mysticeti Balaenidae Balaenopteridae Eschrichtiidae Neobalaenidae", "a perching bird": "Passeriformes",
    "an owl": "Strigiformes", "a turtle": "Testudines", "a crocodile": "Crocodylia", "a frog": "Anura",
    "a salamander": "Caudata Urodela / Sirenidae Amphiumidae", "a beetle": "Coleoptera / Staphylinidae",
    "a butterfly or moth": "Lepidoptera", "a spider": "Araneae", "a scorpion": "Scorpiones", "a crab": "Brachyura",
    "a shell of two halves": "Bivalvia / Teredinidae Solenidae Pharidae", "an octopus": "Octopoda",
    "a starfish": "Asteroidea / Solasteridae Labidiasteridae Heliasteridae",
    "a sea urchin": "Echinoidea / Irregularia Clypeasteroida Spatangoida",
    "a ray": "Batoidea Myliobatiformes Rajiformes Torpediniformes / Rhinopristiformes Pristidae Rhinobatidae Rhinidae",
    "grass": "Poaceae / Bambusoideae", "a mushroom": "Amanita",
}
SIGNS = {"birds": {"Aves"}, "flowering plants": {"Magnoliopsida", "Angiospermae", "Magnoliophyta"}, "seed plants": {"Spermatophyta"},
         "bacteria": {"Bacteria"}, "archaea": {"Archaea"}, "viruses": {"Viruses"}}
# What must never be drawn of what; the names are in one database or another.
NEVER = {"Panthera leo": "a cat", "Homo sapiens": "a bear", "Hyaenidae": "a cat", "Equus caballus": "a bear"}


class Tree:
    """A taxonomy as its rows have it."""

    def __init__(self, path):
        with sqlite3.connect(path) as database:
            columns = {row[1] for row in database.execute("PRAGMA table_info(taxa)")}
            text = "COALESCE(source_id, id)" if "source_id" in columns else "id"
            rows = database.execute(f"SELECT id, parent_id, rank, scientific_name, {text} FROM taxa").fetchall()
            self.facts = dict(database.execute("SELECT key, value FROM dataset")) if database.execute(
                "SELECT 1 FROM sqlite_master WHERE name = 'dataset'").fetchone() else {}
            self.codes = dict(database.execute("SELECT id, conservation FROM taxa WHERE conservation IS NOT NULL"))
        database.close()
        self.parent = {row[0]: row[1] for row in rows}
        self.rank = {row[0]: row[2] for row in rows}
        self.name = {row[0]: row[3] for row in rows}
        self.text = {row[0]: str(row[4]) for row in rows}
        self.of_text = {text: taxon for taxon, text in self.text.items()}
        self.children = {}
        for taxon, parent in self.parent.items():
            self.children.setdefault(parent, []).append(taxon)
        # The places of taxa in a walk from parents to children, and where the walk leaves each.
        self.place, self.end, self.places_of_rank, self.species, self.tips = {}, {}, {}, {}, {}
        self.sums = {}
        stack = [(root, False) for root in self.children[None]]
        while stack:
            taxon, is_left = stack.pop()
            if is_left:
                self.end[taxon] = len(self.place)
                below = self.children.get(taxon, ())
                self.species[taxon] = (self.rank[taxon] == "species") + sum(map(self.species.get, below))
                codes = [self.codes.get(taxon, "NE")] if self.rank[taxon] == "species" else []
                sums = [len(codes), self.rank[taxon] == "genus", sum(code not in ("NE", "DD", "NA", "") for code in codes),
                        sum(code in ("CR", "EN", "VU") for code in codes)]
                self.sums[taxon] = [sum(column) for column in zip(sums, *map(self.sums.get, below))]
                self.tips[taxon] = int(self.rank[taxon] == "species" or not below) + sum(map(self.tips.get, below))
                continue
            self.places_of_rank.setdefault(self.rank[taxon], []).append(len(self.place))
            self.place[taxon] = len(self.place)
            stack.append((taxon, True))
            stack += [(child, False) for child in self.children.get(taxon, ())]

    def counts(self, taxon):
        """How much is in a clade: species, genera, species that are assessed, and those of them that are threatened."""
        return dict(zip(COUNTS, self.sums[taxon]))

    def lineage(self, taxon):
        """The taxon and what is above it, up to its root."""
        while taxon is not None:
            yield taxon
            taxon = self.parent[taxon]

    def ancestor(self, taxa):
        """The last common ancestor, or None."""
        first, *others = taxa
        shared = [set(self.lineage(taxon)) for taxon in others]
        return next((taxon for taxon in self.lineage(first) if all(taxon in other for other in shared)), None)

    def count(self, rank, taxon):
        """How many taxa of a rank are in a clade, the clade among them."""
        places = self.places_of_rank.get(rank, ())
        return bisect.bisect_left(places, self.end[taxon]) - bisect.bisect_left(places, self.place[taxon])

    def kin(self, taxon, ancestor):
        """How many taxa of its rank have this last common ancestor with a taxon."""
        rank = self.rank[taxon]
        if taxon == ancestor:
            return self.count(rank, taxon) - 1
        branch = next(step for step in self.lineage(taxon) if self.parent[step] == ancestor)
        return self.count(rank, ancestor) - self.count(rank, branch)

    def nearest(self, taxon):
        """The last ancestor that a taxon shares with others of its rank, outside of and not around it."""
        for ancestor in list(self.lineage(taxon))[1:]:
            count = self.kin(taxon, ancestor) - (self.rank[ancestor] == self.rank[taxon])
            if count > 0:
                return ancestor, count
        return None, 0


COUNTS = ("speciesCount", "genusCount", "assessedCount", "threatenedCount")


def further(counts):
    """What a row says of genera and threatened species."""
    said = [f"in {counts['genusCount']:,} genera"] if counts["genusCount"] > 1 else []
    if counts["assessedCount"]:
        said.append(f"{counts['threatenedCount']:,} of {counts['assessedCount']:,} assessed threatened")
    return ", ".join(said) or None


def random_database(path, draw):
    """A forest with ranks that are missing, repeated, or say nothing, and many siblings."""
    ranks = ["kingdom", "phylum", "class", "order", "family", "genus", "species", "subspecies"]
    taxa, levels = [(1, None, "no rank", "Omnia")], {1: 0}
    for number in range(2, 3001):
        parent = draw.choice(range(max(1, number - draw.choice([3, 40, 3000])), number))
        level = min(7, levels[parent] + draw.choice([0, 1, 1, 1, 2]))
        levels[number] = level
        rank = draw.choice(["clade", "no rank"]) if draw.random() < 0.1 else ranks[level]
        taxa.append((number, parent, rank, f"Taxon{number:04}us"))
    write_database(path, [], id_space="random")
    with sqlite3.connect(path) as database:
        # The eight ranks of the schema are a view: any word is a rank.
        database.executescript("""
          DROP TABLE taxa;
          CREATE TABLE taxa (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES taxa(id), rank TEXT NOT NULL,
            scientific_name TEXT NOT NULL, author TEXT, year INTEGER, status TEXT NOT NULL DEFAULT 'accepted', conservation TEXT);
          UPDATE schema_version SET version = 2;""")
        database.executemany("INSERT INTO taxa (id, parent_id, rank, scientific_name) VALUES (?,?,?,?)", taxa)
        database.executemany("INSERT INTO names (taxon_id, name, lang, name_type) VALUES (?,?,'en','common')",
                             [(number, f"animal {number}") for number in range(1, 3001, 3)])
    database.close()


class Shown:
    """An explorer of one database, beside its rows."""

    def __init__(self, name, path, *arguments):
        self.name, self.tree, self.explorer = name, Tree(path), Explorer(*arguments)
        self.draw = random.Random(f"{SEED} {name}")
        any_taxon = next(iter(self.tree.text.values()))
        answer = self.explorer.json("/tree.json")["children"][0]["address"]
        self.space = answer.rpartition(":")[0]
        assert any_taxon

    def address(self, taxon):
        text = "".join(letter if re.fullmatch(r"[A-Za-z0-9_~-]", letter) else
                       "".join(f"%{byte:02X}" for byte in letter.encode()) for letter in self.tree.text[taxon])
        return f"{self.space}:{text}"

    def taxon(self, address):
        """The taxon of an address, or of the path of its page."""
        return self.tree.of_text[urllib.parse.unquote(address.rpartition(":")[2])]

    def page(self, target):
        status, _, body = self.explorer.get(target)
        assert status == 200, (self.name, target, status)
        return body.decode()

    def sample(self, count, taxa=None):
        taxa = sorted(taxa if taxa is not None else self.tree.parent)
        # Half of them from all, half from what is not a species: most clades are few.
        few = [taxon for taxon in taxa if self.tree.rank[taxon] != "species"]
        return [self.draw.choice(few if few and number % 2 else taxa) for number in range(count)]


def words(markup):
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", markup)).split())


def parts(markup, pattern):
    return re.findall(pattern, markup, re.S)


class TruthTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        print(f"seed {SEED}")
        folder = tempfile.TemporaryDirectory(prefix="stol-web-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.shown = []
        built_in = cls.folder / "default.sqlite"
        built_in.write_bytes(gzip.decompress((ROOT / "Sources/CDefaultDatabase/default.sqlite.gz").read_bytes()))
        cls.add("built-in", built_in)
        random_database(cls.folder / "random.sqlite", random.Random(SEED))
        cls.add("random", cls.folder / "random.sqlite", packed=True)
        for name in ("birds", "bench500k_rich"):
            source = DATA / f"reference/{name}.sqlite.zst"
            if source.exists():
                subprocess.run(["zstd", "-dq", source, "-o", cls.folder / f"{name}.sqlite"], check=True)
                cls.add(name, cls.folder / f"{name}.sqlite", packed=True)
            else:
                print(f"{source} is missing: that database is not looked at")

    @classmethod
    def add(cls, name, path, packed=False):
        arguments = []
        if packed:
            pack = path.with_suffix(".stolpack")
            stol("pack", path, "-o", pack, "--quiet", home=cls.folder / "home")
            arguments = ["--pack", pack]
        shown = Shown(name, path, *arguments)
        cls.addClassCleanup(shown.explorer.close)
        cls.shown.append(shown)

    def each(self, count, taxa=None):
        for shown in self.shown:
            for taxon in shown.sample(count, taxa and taxa(shown.tree)):
                yield shown, shown.tree, taxon

    def kinship(self, tree, said, taxon, other, subjects="both"):
        """What a sentence says of two taxa, against their last common ancestor."""
        ancestor = tree.ancestor([taxon, other])
        if ancestor is None:
            return self.assertEqual(said, "they stand in different trees of this database")
        rank, name = tree.rank[ancestor], tree.name[ancestor]
        clade = name if rank in ("no rank", "unranked", "") else f"the {rank} {name}"
        if ancestor in (taxon, other):
            return self.assertRegex(said, rf" is in {re.escape(clade)}( \(|$)")
        return self.assertRegex(said, rf"\A{subjects} are in {re.escape(clade)}( \(|$)")

    def test_kinship_and_ties(self):
        """The page of a taxon: what it belongs to, how much is below, who is closest and how many are as close."""
        ties = alone = cards = 0
        for shown, tree, taxon in self.each(TAXA):
            page = shown.page(f"/taxon/{shown.address(taxon)}")
            with self.subTest(shown.name, taxon=taxon, name=tree.name[taxon]):
                facts = parts(re.search(r'<section class="facts">(.*?)</section>', page, re.S)[1], r"<li>(.*?)</li>")
                said = [words(fact) for fact in facts]
                parent, rank = tree.parent[taxon], tree.rank[taxon]
                kind = "has no rank" if rank in ("no rank", "unranked") else rf"is an? {re.escape(rank)}"
                if parent is None:
                    self.assertRegex(said[0], rf"\AThis {kind} and a root of the tree\.")
                else:
                    above = tree.name[parent] if tree.rank[parent] in ("no rank", "unranked") else f"the {tree.rank[parent]} {tree.name[parent]}"
                    self.assertRegex(said[0], rf"\AThis {kind} in {re.escape(above)}[ .]")
                below = len(tree.children.get(taxon, ()))
                sentence = f"It has {'one branch' if below == 1 else f'{below:,} branches'} directly below it."
                self.assertEqual(sentence in said, below > 0, said)
                self.assertNotRegex(words(page), r"\b(cousins?|\d steps? (away|apart))\b")
                closest = [(fact, text) for fact, text in zip(facts, said) if "closest" in text]
                ancestor, count = tree.nearest(taxon)
                if rank in PLACELESS or ancestor is None:
                    self.assertEqual(closest, [])
                elif closest:
                    fact, text = closest[0]
                    other = shown.taxon(re.search(r'href="/taxon/([^"]*)"', fact)[1])
                    self.assertEqual((tree.rank[other], tree.ancestor([taxon, other])), (rank, ancestor))
                    number = re.match(r"One of its ([\d,]+) closest relatives of the same rank here is ", text)
                    if tree.rank[ancestor] != rank:
                        self.assertEqual(int(number[1].replace(",", "")) if number else 1, count, text)
                    self.kinship(tree, text.rpartition(": ")[2].removesuffix("."), taxon, other, "all" if number else "both")
                    ties, alone = ties + bool(number), alone + (not number)
                for card in parts(page.partition('id="relatives"')[2].partition("</section>")[0], r'<li class="card">(.*?)</li>'):
                    other = shown.taxon(re.search(r'href="/taxon/([^"]*)"', card)[1])
                    note = words(re.search(r'<span class="note">(.*?)</span>', card, re.S)[1])
                    note, comma, tie = note.rpartition(", one of ") if ", one of " in note else (note, "", "")
                    self.kinship(tree, note, taxon, other)
                    kin = tree.kin(taxon, tree.ancestor([taxon, other]))
                    self.assertEqual(int(tie.split()[0].replace(",", "")) if comma else 1, kin, card)
                    cards += 1
        print(f"{ties} ties, {alone} closest alone, {cards} relatives")
        self.assertGreater(min(ties, alone), 20)

    def test_pictures_say_what_they_are(self):
        found = set()
        for shown, tree, taxon in self.each(TAXA):
            with self.subTest(shown.name, taxon=taxon, name=tree.name[taxon]):
                found.add(self.picture(shown, tree, taxon))
        # What people know, wherever it is.
        for shown in self.shown:
            for taxon, name in shown.tree.name.items():
                if name in NEVER or name in ("Panthera tigris", "Myotis myotis", "Struthio camelus", "Aves", "Mammalia", "Felidae"):
                    with self.subTest(shown.name, name=name):
                        self.picture(shown, shown.tree, taxon)
        self.assertGreater(len(found), 6)

    def picture(self, shown, tree, taxon):
        """Checks the drawing of a taxon and what its page says of it; returns what is drawn."""
        drawing = shown.page(f"/taxon/{shown.address(taxon)}/drawing.svg")
        drawn = re.search(r"<title>Drawing of (.*?)</title>", drawing)[1]
        said = html.unescape(re.search(r"<desc>(.*?)</desc>", drawing)[1])
        self.assertNotEqual(drawn, NEVER.get(tree.name[taxon]))
        page = shown.page(f"/taxon/{shown.address(taxon)}")
        self.assertEqual(words(re.search(r"<figcaption>(.*?)</figcaption>", page, re.S)[1]), said)
        self.assertIn(drawn, said.lower())
        above = {tree.name[step] for step in tree.lineage(taxon)}
        clades, _, others = DRAWN.get(drawn, "").partition(" / ")
        if said.startswith("A drawing of one of them"):
            self.assertTrue(tree.children.get(taxon) or tree.rank[taxon] not in ("species", "genus"), said)
            known = [one for one, name in tree.name.items() if name in clades.split()]
            self.assertTrue(not known or any(tree.place[taxon] <= tree.place[one] < tree.end[taxon] for one in known), (drawn, tree.name[taxon]))
        elif said.startswith("A drawing of"):
            if clades:
                self.assertTrue(above & set(clades.split()), (drawn, above))
                self.assertFalse(above & set(others.split()), (drawn, above))
        elif "the sign of" in said:
            group = re.search(r"the sign of (.*?) here", said)[1]
            self.assertTrue(above & SIGNS[group], (group, above))
        else:
            self.assertEqual(said, "There is no picture of it here: this is the tree of life.")
        return drawn

    def test_a_picture_of_an_ancestor_says_whose_it_is(self):
        """The sample of images: every taxon has that of its nearest ancestor, or of itself, and says so."""
        shown = copy.copy(self.shown[0])
        shown.explorer = Explorer()
        self.addCleanup(shown.explorer.close)
        tree = shown.tree
        container = ROOT / "Format/vectors"
        stol("media", "add", container / "media/valid/sample.stol-media", "--key", container / "container/test.pub", home=shown.explorer.home)
        own = others = 0
        lion = next(taxon for taxon, name in tree.name.items() if name == "Panthera leo")
        for taxon in [lion, tree.parent[lion], *tree.children[lion], *shown.sample(TAXA // 2)]:
            with self.subTest(taxon=taxon, name=tree.name[taxon]):
                image = shown.explorer.json(f"/taxon/{shown.address(taxon)}.json")["image"]
                page = shown.page(f"/taxon/{shown.address(taxon)}")
                caption = words(re.search(r"<figcaption>(.*?)</figcaption>", page, re.S)[1])
                if image is None:
                    self.assertNotIn("By ", caption)
                    continue
                owner = tree.of_text[str(image["taxonID"])]
                self.assertIn(owner, tree.lineage(taxon))
                self.assertIn(f"By {image['author']}, {image['licence']}.", caption)
                clade = "" if tree.rank[owner] in ("no rank", "unranked") else f"the {tree.rank[owner]} "
                if owner == taxon:
                    self.assertFalse(caption.startswith("Of "), caption)
                    own += 1
                else:
                    self.assertRegex(caption, rf"\AOf {clade}{re.escape(tree.name[owner])}( \([^)]*\))?, to which it belongs: ")
                    others += 1
        print(f"{own} own pictures, {others} of ancestors")
        self.assertGreater(min(own, others), 0)

    def test_areas_are_proportional(self):
        """Whatever a picture says is sized by species is, and says how many there are."""
        cells = 0
        for shown, tree, taxon in self.each(TAXA // 10, lambda tree: [taxon for taxon in tree.parent if tree.children.get(taxon)]):
            for form in ("wide", "narrow"):
                picture = shown.explorer.json(f"/icicle/{shown.address(taxon)}.json?format={form}")
                with self.subTest(shown.name, taxon=taxon, name=tree.name[taxon], form=form):
                    sizes = tree.species if tree.species[taxon] else tree.tips
                    self.assertEqual(picture["measure"], "species" if tree.species[taxon] else "tips")
                    for cell in picture["cells"]:
                        cells += 1
                        if cell["id"] is not None:
                            one = tree.of_text[str(cell["id"])]
                            self.assertEqual((cell["speciesCount"], cell["count"]), (tree.species[one], sizes[one]))
                        self.assertAlmostEqual(cell["width"], picture["width"] * cell["count"] / sizes[taxon], delta=0.06)
            page = shown.page(f"/icicle/{shown.address(taxon)}")
            measure = "species" if tree.species[taxon] else "the tips of its branches"
            self.assertTrue(words(re.search(r"<h1>(.*?)</h1>", page, re.S)[1]).endswith(f"sized by {measure}"))
        self.assertGreater(cells, TAXA)

    def test_counts_and_orders(self):
        """Species, genera and threatened species of clades; children with the counts, by name, size and prominence."""
        threats = bars = 0
        for shown, tree, taxon in self.each(TAXA // 5, lambda tree: [taxon for taxon in tree.parent if tree.children.get(taxon)]):
            with self.subTest(shown.name, taxon=taxon, name=tree.name[taxon]):
                below, rest = [], [taxon]
                while rest:
                    one = rest.pop()
                    below.append(one)
                    rest += tree.children.get(one, ())
                species = [one for one in below if tree.rank[one] == "species"]
                genera = sum(tree.rank[one] == "genus" for one in below)
                assessed = [tree.codes[one] for one in species if tree.codes.get(one, "NE") not in ("NE", "DD", "NA")]
                threatened = sum(code in ("CR", "EN", "VU") for code in assessed)
                described = shown.explorer.json(f"/taxon/{shown.address(taxon)}.json")
                self.assertEqual([described[name] for name in ("speciesCount", "genusCount", "assessedCount", "threatenedCount")],
                                 [len(species), genera, len(assessed), threatened])
                page = words(shown.page(f"/taxon/{shown.address(taxon)}"))
                said = re.search(r"([\d,]+) species of it are here(?:, in ([\d,]+) genera)?\.", page)
                self.assertEqual(bool(said), len(species) > 1)
                if said:
                    self.assertEqual([int(number.replace(",", "")) for number in (said[1], said[2] or "0")],
                                     [len(species), genera if genera > 1 else 0])
                said = re.search(r"Of its ([\w,]+) species with an assessed status in the Red List here, ([\w,]+) (?:is|are) threatened", page)
                self.assertEqual(bool(said), bool(assessed) and len(species) > 1)
                if said:
                    self.assertEqual([1 if number == "one" else int(number.replace(",", "")) for number in said.groups()],
                                     [len(assessed), threatened])
                    threats += 1
                self.share(shown, tree, taxon)
                children = tree.children[taxon]
                for order in ("name", "size", "prominence"):
                    found, number, count = [], 1, None
                    while count is None or len(found) < min(count, 300):
                        branch = shown.explorer.json(f"/tree/{shown.address(taxon)}.json?sort={order}&page={number}")
                        for child, species_count, counts in zip(branch["children"], branch["speciesCounts"], branch["counts"], strict=True):
                            one = shown.taxon(child["address"])
                            self.assertEqual((tree.parent[one], species_count), (taxon, tree.species[one]))
                            self.assertEqual(counts, tree.counts(one))
                            found.append(one)
                        number, count = number + 1, branch["childCount"]
                    self.assertEqual((count, len(set(found))), (len(children), len(found)))
                    if order == "size":
                        sizes = [tree.species[one] for one in found]
                        self.assertEqual(sizes, sorted(map(tree.species.get, children), reverse=True)[:len(sizes)])
                    self.orders(shown, taxon, order, found)
                    if order == "name":
                        self.assertEqual([tree.name[one] for one in found],
                                         sorted((tree.name[one] for one in children), key=str.encode)[:len(found)])
                rows = parts(shown.page(f"/tree/{shown.address(taxon)}"), r'<li data-id="([^"]*)".*?</li>')
                markup = shown.page(f"/tree/{shown.address(taxon)}")
                for address in rows:
                    one = shown.taxon(html.unescape(address))
                    row = markup.partition(f'data-id="{address}"')[2].partition("</li>")[0]
                    bar = re.search(r'<span class="count">([\d,]+) species</span><svg[^>]*><rect width="([\d.]+)"', row)
                    self.assertEqual(bool(bar), tree.species[one] > 0 and tree.rank[one] != "species")
                    said = re.search(r'<span class="further">(.*?)</span>', row)
                    self.assertEqual(said[1] if said else None, further(tree.counts(one)) if bar else None)
                    if bar:
                        bars += 1
                        self.assertEqual(int(bar[1].replace(",", "")), tree.species[one])
                        self.assertAlmostEqual(float(bar[2]), 100 * tree.species[one] / tree.species[taxon], delta=0.06)
        print(f"{threats} shares of threatened species, {bars} bars")
        self.assertGreater(bars, TAXA // 4)

    def share(self, shown, tree, taxon):
        """How much of what it stands directly below a taxon is, in a sentence and as a bar."""
        page = shown.page(f"/taxon/{shown.address(taxon)}")
        facts = re.search(r'<section class="facts">(.*?)</section>', page, re.S)[1]
        said = [fact for fact in parts(facts, r"<li>(.*?)</li>") if re.match(r"It (has [\d,]+ of the|is one of the) ", fact)]
        parent = tree.parent[taxon]
        own, whole = tree.species[taxon], tree.species.get(parent, 0)
        self.assertEqual(len(said), int(parent is not None and own > 0 and whole > 1), facts)
        if not said:
            return
        clade = tree.name[parent] if tree.rank[parent] in ("no rank", "unranked") else f"the {tree.rank[parent]} {tree.name[parent]}"
        begin = f"It is one of the {whole:,} species of " if tree.rank[taxon] == "species" else f"It has {own:,} of the {whole:,} species of "
        self.assertTrue(words(said[0]).startswith(begin + clade), said)
        bar = re.search(r'<svg class="bar"[^>]*><rect width="([\d.]+)"', said[0])
        self.assertEqual(bool(bar), tree.rank[taxon] != "species")
        if bar:
            self.assertAlmostEqual(float(bar[1]), 100 * own / whole, delta=0.06)

    def orders(self, shown, taxon, order, found):
        """The page of a taxon has the first twelve in the same order, and the table all of them."""
        page = shown.page(f"/taxon/{shown.address(taxon)}?sort={order}")
        cards = parts(page.partition('<section id="below">')[2].partition("</section>")[0], r'<li class="card">.*?href="/taxon/([^"]*)"')
        self.assertEqual([shown.taxon(html.unescape(card)) for card in cards], found[:12])
        table = shown.page(f"/tree/{shown.address(taxon)}.csv?sort={order}")
        rows = list(csv.DictReader(io.StringIO(table)))
        self.assertEqual(len(rows), len(shown.tree.children[taxon]))
        self.assertEqual([shown.tree.of_text[row["id"]] for row in rows][:len(found)], found)
        for row, one in zip(rows, found):
            self.assertEqual({name: int(row[name]) for name in COUNTS}, shown.tree.counts(one))
            self.assertEqual((row["scientificName"], row["rank"]), (shown.tree.name[one], shown.tree.rank[one]))

    def test_numbers_of_lists(self):
        """Relatives and results of a search: their counts, bars as long as their part of the largest, and what a full bar means."""
        bars = 0
        for shown, tree, taxon in self.each(TAXA // 5):
            for target in (f"/taxon/{shown.address(taxon)}", "/search?q=" + urllib.parse.quote(tree.name[taxon].split()[0])):
                with self.subTest(shown.name, target=target):
                    page = shown.page(target)
                    part = page.partition('id="relatives"' if "/taxon/" in target else 'id="results"')[2].partition("</section>")[0]
                    cards = [(shown.taxon(html.unescape(re.search(r'href="/taxon/([^"]*)"', card)[1])), card)
                             for card in parts(part, r'<li class="card">(.*?)</li>')]
                    most = max((tree.species[one] for one, _ in cards), default=0)
                    shown_bars = 0
                    for one, card in cards:
                        bar = re.search(r'<span class="count">([\d,]+) species</span><svg[^>]*><rect width="([\d.]+)"', card)
                        self.assertEqual(bool(bar), tree.species[one] > 0 and tree.rank[one] != "species")
                        if bar:
                            shown_bars += 1
                            self.assertEqual(int(bar[1].replace(",", "")), tree.species[one])
                            self.assertAlmostEqual(float(bar[2]), 100 * tree.species[one] / most, delta=0.06)
                            said = re.search(r'<span class="further">(.*?)</span>', card)
                            self.assertEqual(said[1] if said else None, further(tree.counts(one)))
                    legend = re.search(r"A full bar stands for ([\d,]+) species, the most in this list", words(part))
                    self.assertEqual(bool(legend), shown_bars > 1)
                    if legend:
                        self.assertEqual(int(legend[1].replace(",", "")), most)
                    bars += shown_bars
        print(f"{bars} bars in lists")
        self.assertGreater(bars, TAXA // 10)

    def test_pictures_are_those_of_the_pack(self):
        """Rows show a picture only of the taxon itself; galleries those in the clade, none twice, with author and licence."""
        shown = copy.copy(self.shown[0])
        shown.explorer = Explorer()
        self.addCleanup(shown.explorer.close)
        tree = shown.tree
        vectors = ROOT / "Format/vectors"
        stol("media", "add", vectors / "media/valid/sample.stol-media", "--key", vectors / "container/test.pub", home=shown.explorer.home)
        everything = shown.explorer.json("/pictures.json")
        owners = [tree.of_text[str(one["taxon"]["id"])] for one in everything["pictures"]]
        self.assertEqual(len(owners), everything["pictureCount"])
        self.assertGreater(len(owners), 1)
        lion = next(taxon for taxon, name in tree.name.items() if name == "Panthera leo")
        some = [lion, *tree.lineage(lion), *owners, *shown.sample(TAXA // 5)]
        for taxon in some:
            with self.subTest(taxon=taxon, name=tree.name[taxon]):
                inside = [one for one in owners if tree.place[taxon] <= tree.place[one] < tree.end[taxon]]
                gallery = shown.explorer.json(f"/pictures/{shown.address(taxon)}.json")
                self.assertEqual([tree.of_text[str(one["taxon"]["id"])] for one in gallery["pictures"]], inside)
                described = shown.explorer.json(f"/taxon/{shown.address(taxon)}.json")
                self.assertEqual((gallery["pictureCount"], described["pictureCount"]), (len(inside), len(inside)))
                page = shown.page(f"/pictures/{shown.address(taxon)}")
                for one in gallery["pictures"]:
                    self.assertIn(html.escape(f"{one['title']}. By {one['author']}, {one['licence']}.", quote=False), page.replace("&#39;", "'").replace("&quot;", '"'))
                if tree.children.get(taxon):
                    for row in parts(shown.page(f"/tree/{shown.address(taxon)}"), r"<li data-id=.*?</li>"):
                        one = shown.taxon(html.unescape(re.search(r'data-id="([^"]*)"', row)[1]))
                        self.assertEqual("/thumbnail" in row, one in owners)
        for one in everything["pictures"]:
            for size in ("small", "large"):
                status, fields, body = shown.explorer.get(one["thumbnail"].replace("size=large", f"size={size}"))
                self.assertEqual((status, fields["content-type"], body[8:12]), (200, "image/webp", b"WEBP"))
        status, fields, _ = shown.explorer.get(f"/taxon/{shown.address(tree.parent[lion])}/thumbnail?number=99")
        self.assertEqual((status, fields["location"]), (302, f"/taxon/{shown.address(tree.parent[lion])}/drawing.svg"))

    def test_comparisons(self):
        """Two to eight taxa: every pair by its last common ancestor, and nothing left out."""
        for shown in self.shown:
            tree = shown.tree
            for number in range(TAXA // 5):
                taxa = list(dict.fromkeys(shown.sample(shown.draw.choice([2, 2, 3, 5, 8]))))
                if len(taxa) < 2:
                    continue
                target = "/compare?" + "&".join("taxon=" + urllib.parse.quote(shown.address(taxon), safe="") for taxon in taxa)
                page = shown.page(target)
                with self.subTest(shown.name, number=number, taxa=taxa):
                    ancestor = tree.ancestor(taxa)
                    lead = re.search(r'<p class="lead">(.*?)</p>', page, re.S)[1]
                    if ancestor is None:
                        self.assertIn("no common ancestor", lead)
                    else:
                        self.assertIn(f'href="/taxon/{shown.address(ancestor)}"', lead)
                        self.assertEqual("holds" in lead, ancestor in taxa)
                    pairs = [(a, b) for place, a in enumerate(taxa) for b in taxa[place + 1:]]
                    if len(taxa) <= 3:
                        facts = parts(re.search(r'<section class="facts">(.*?)</section>', page, re.S)[1], r"<li>(.*?)</li>")
                        self.assertEqual(len(facts), len(pairs))
                        for (a, b), fact in zip(pairs, facts):
                            self.kinship(tree, words(fact.partition("</b>: ")[2]).partition(". ")[0].removesuffix("."), a, b)
                    else:
                        rows = parts(re.search(r'<table class="traits matrix">(.*?)</table>', page, re.S)[1], r"<tr>(.*?)</tr>")[1:]
                        self.assertEqual(len(rows), len(taxa))
                        for a, row in zip(taxa, rows):
                            for b, cell in zip(taxa, parts(row, r"<td>(.*?)</td>"), strict=True):
                                shared = tree.ancestor([a, b])
                                self.assertIn("–" if a == b else "none" if shared is None else f'href="/taxon/{shown.address(shared)}"', cell)
            nine = "/compare?" + "&".join("taxon=" + urllib.parse.quote(shown.address(taxon), safe="") for taxon in shown.sample(9))
            self.assertEqual(shown.explorer.get(nine)[0], 400)

    def test_the_first_page_offers_what_is_there(self):
        """Every example is found, every number is right, and nothing is asked for that the database lacks."""
        for shown in self.shown:
            tree = shown.tree
            with self.subTest(shown.name):
                page = shown.page("/")
                species = sum(map(tree.species.get, tree.children[None]))
                self.assertIn(f"{species:,} species", words(page))
                doors = [shown.taxon(door) for door in parts(page, r'class="door" href="/tree/([^"]*)"')]
                self.assertTrue(2 <= len(doors) <= 12 and len(set(doors)) == len(doors), doors)
                if "Panthera leo" not in tree.name.values():
                    for target in ("/", "/search", "/compare"):
                        self.assertNotRegex(words(shown.page(target)), r"(?i)\b(lion|honeybee|tyrannosaurus)\b", target)
                for target in ("/search", "/compare"):
                    for example in set(parts(shown.page(target), r'class="chip" href="(/[^"]*)"')):
                        found = shown.page(html.unescape(example))
                        self.assertNotIn("Nothing found", found)
                        self.assertNotIn("No name is like", found)
                        self.assertNotIn("Which “", found)

    def test_statuses_are_those_of_the_rows(self):
        meanings = {"EX": "no reasonable doubt", "EW": "survive only", "CR": "extremely high risk", "EN": "very high risk", "VU": "a high risk",
                    "NT": "close to it", "LC": "neither threatened nor near", "DD": "Too little is known", "NE": "not yet been assessed"}
        count = 0
        for shown in self.shown:
            codes = shown.tree.codes
            for taxon in shown.sample(min(len(codes), TAXA // 10), codes):
                page = words(shown.page(f"/taxon/{shown.address(taxon)}"))
                self.assertIn(meanings[codes[taxon]], page)
                count += 1
        print(f"{count} statuses")


class FavoritesTests(unittest.TestCase):
    """What pages say of favourites once another database answers, and once the first one does again."""

    def test_a_switch_says_what_became_of_favourites(self):
        with Explorer() as explorer:
            for taxon in (9689, 9606, 33208):
                self.assertEqual(explorer.post("/favorites", {"taxon": taxon, "action": "add"})[0], 303)
            token, pages = explorer.token, ("/favorites", "/settings/databases")
            for page in pages:
                self.assertNotIn(b"In this database, of", explorer.get(page)[2])
            small, passphrase = explorer.folder / "small.sqlite", explorer.folder / "passphrase"
            small_database(small)
            passphrase.write_text("a passphrase\n")
            stol("db", "keygen", "-o", explorer.folder / "release", "--passphrase-file", passphrase, home=explorer.home)
            stol("db", "sign", small, "-o", explorer.folder / "small.stol", "--key", explorer.folder / "release.key",
                 "--dataset", "small", "--release", "1", "--passphrase-file", passphrase, home=explorer.home)
            stol("db", "keys", "add", explorer.folder / "release.pub", "--dataset", "small", home=explorer.home)
            stol("db", "import", explorer.folder / "small.stol", home=explorer.home)
            # Lions and animals are in it, under ids of its own; humans are not.
            for page in pages:
                said = words(explorer.get(page)[2].decode())
                self.assertIn("In this database, of 3 favourites: 2 were found by their names, 1 is not in it.", said, page)
            self.assertIn("It stays a favourite", words(explorer.get("/favorites")[2].decode()))
            # The page that a token is read from is in no other database.
            form = urllib.parse.urlencode({"token": token, "action": "deactivate"})
            fields = {"Origin": explorer.address, "Content-Type": "application/x-www-form-urlencoded"}
            self.assertEqual(explorer.get("/settings/databases", fields, "POST", form)[0], 303)
            for page in pages:
                self.assertNotIn(b"In this database, of", explorer.get(page)[2])
            self.assertEqual({one["outcome"] for one in explorer.json("/favorites.json")["favorites"]}, {"same"})


if __name__ == "__main__":
    unittest.main()
