"""Pairs of databases that share numbers, as `stol` makes them of rows, and an explorer to ask about them."""
import functools
import hashlib
import html
import json
import os
import pathlib
import random
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / "Tools/tests"), str(TOP / "Tools/web")]
import explorer  # noqa: E402
import stories  # noqa: E402
from stories import Release, Synonym, Taxon  # noqa: E402

STOL = os.environ.get("STOL", str(TOP / ".build-test/release/stol"))
explorer.STOL = STOL
KEY = TOP / "Format/vectors/container/test"


class Explorer(explorer.Explorer):
    @functools.cached_property
    def token(self):
        return re.search(rb'name="token" value="([0-9a-f]{32})"', self.get("/settings/databases")[2]).group(1).decode()

    def page(self, target):
        status, fields, body = self.get(target)
        return status, fields.get("location"), html.unescape(body.decode())


def stol(home, *arguments, text=None, status=(0,)):
    """Runs the command with its files below `home`; returns what it prints."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("STOL_", "XDG_"))}
    environment.update(HOME=str(home), STOL_HOME=str(home / "stol"))
    done = subprocess.run([STOL, *map(str, arguments)], input=text, env=environment, capture_output=True, text=True,
                          timeout=120, check=False)
    if done.returncode not in status:
        raise AssertionError(f"{arguments}: {done.returncode} {done.stderr}")
    return done.stdout


class Database:
    """A release, and the files that stol makes of it."""

    def __init__(self, name, release, written=None, folder=None):
        self.name, self.release, self.container, self.database = name, release, None, None
        if written is None:
            self.pack = "built-in"
            return
        self.pack = folder / f"{name}.stolpack"
        self.database = database = folder / f"{name}.sqlite"
        stol(folder, "ingest", *written, "-o", database, "-q")
        stol(folder, "pack", database, "-o", self.pack)
        self.container = folder / f"{name}.stol"
        stol(folder, "db", "sign", database, "-o", self.container, "--key", f"{KEY}.key", "--dataset", "stories",
             "--release", 1, "--passphrase-file", folder / "passphrase", "-q")

    def answer(self, home):
        """Makes it the database that answers."""
        if self.container:
            stol(home, "db", "import", self.container, "--allow-downgrade", "-q")
        else:
            stol(home, "db", "deactivate", "-q", status=(0, 1))

    def rehearsed(self, home):
        """What is said to become of favourites if it answered."""
        switch = ["import", self.container, "--allow-downgrade"] if self.container else ["deactivate"]
        return json.loads(stol(home, "db", *switch, "--dry-run", "--json"))

    @functools.cached_property
    def space(self):
        """What stands before an id in an address."""
        if self.release.space:
            return self.release.space
        return f"unstated-{hashlib.sha256(self.database.read_bytes()).hexdigest()[:8]}"


BORROWED_RANKS = ("kingdom", "phylum", "class", "order", "family", "genus", "species")


def borrowed(generator, built_in, space, families, kingdoms):
    """A database of another source with the names of some families, each with the id of another taxon."""
    kept = stories.part(built_in, *families)
    drawn = generator.sample(list(built_in.taxa), len(kept) + 400)
    ids, numbers = dict(zip(kept, drawn)), iter(drawn[len(kept):])
    taxa = []
    for old in kept.values():
        # The letter becomes the sign of a hybrid.
        if old.rank not in BORROWED_RANKS or " x " in old.name or old.name.startswith("x "):
            continue
        above = [taxon.id for taxon in built_in.path(old.id)[:-1] if taxon.rank in BORROWED_RANKS]
        parent = ids[above[-1]] if above else ""
        taxa.append(Taxon(ids[old.id], parent, old.rank, kingdoms.get(old.name, old.name), old.author))
    species = [taxon for taxon in taxa if taxon.rank == "species"]
    generator.shuffle(species)
    for number, taxon in enumerate(species[:60]):
        old, author = taxon.name, taxon.author
        if number % 4 == 0:  # Found by its synonym.
            taxon.name = "Novogenus " + old.split(" ", 1)[1]
            taxon.synonyms.append(Synonym(old, author, next(numbers)))
        elif number % 4 == 1:  # Two of one name.
            taxa.append(Taxon(next(numbers), taxon.parent, "species", old, author))
        elif number % 4 == 2:  # Said by somebody else.
            taxon.author = "Zapfe, 1950"
        else:  # A name that was of two.
            taxon.name = f"Alius separatus{number}"
            for other in species[70 + number:72 + number]:
                other.synonyms.append(Synonym(old, author, next(numbers)))
    return Release(space, taxa)


def make_pairs(folder, pool, seed):
    """The pairs of databases, from a seed."""
    (folder / "passphrase").write_text("test\n")
    stol(folder, "db", "built-in", "-o", folder / "life")
    rows = stories.read_built_in(folder / "life.sqlite")
    built_in = Database("built-in", rows)
    kinds = {name: getattr(stories, f"write_{name}") for name in ("ncbi", "gbif", "itis", "coldp", "dwca")}

    def made(name, kind, release):
        return pool.submit(lambda: Database(name, release, kinds[kind](release, folder / name), folder))

    def draw(number):
        return random.Random(seed * 1000 + number)

    birds = made("birds", "gbif", borrowed(
        draw(1), rows, "gbif", ["Hirundinidae", "Strigidae", "Corvidae", "Felidae"], {"Metazoa": "Animalia"}))
    plants = made("plants", "dwca", borrowed(
        draw(2), rows, "wfo", ["Fagaceae", "Rosaceae", "Pinaceae", "Canidae"],
        {"Metazoa": "Plantae", "Viridiplantae": "Plantae"}))
    root = Taxon("1", "", "no rank", "root")
    kept = stories.part(rows, "Felidae", "Canidae", "Ursidae", "Fagaceae", "Strigidae")
    for taxon in kept.values():
        if taxon.id != root.id:
            taxon.parent = taxon.parent or root.id
    first = Release("ncbi", [root, *kept.values()])
    for other in first.taxa.values():  # The built-in taxonomy has few synonyms.
        other.author = ""  # The dump has none.
        if other.rank == "species" and int(other.id) % 3 == 0:
            other.synonyms.append(Synonym(f"Vetusgenus {other.name.split(' ', 1)[1]}{other.id}"))
    first = stories.next_release(draw(3), Release("ncbi", first.taxa.values()), keeps_retired=True)
    second = stories.next_release(draw(4), first, keeps_retired=True)
    ncbi = [made("ncbi-1", "ncbi", first), made("ncbi-2", "ncbi", second)]
    gbif = made("gbif", "gbif", stories.made_up(draw(5), "gbif"))
    itis = made("itis", "itis", stories.made_up(draw(6), "itis"))
    text = stories.made_up(draw(7), "col", form=lambda number: f"{number:X}X".replace("0", "Y"))
    texts = [made("col-1", "coldp", text),
             made("col-2", "coldp", stories.next_release(draw(8), text, form=lambda number: f"N-{number}"))]
    unstated = [made("checklist", "coldp", stories.made_up(draw(9), None)),
                made("archive", "dwca", stories.made_up(draw(10), None))]
    pairs = [(built_in, birds), (built_in, plants), ncbi, (gbif, itis), texts, unstated, (unstated[1], texts[0]),
             (birds, built_in)]
    return [tuple(one if one is built_in else one.result() for one in pair) for pair in pairs]
