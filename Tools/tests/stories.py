"""Releases of taxonomies as rows, how sources write them, and what a reference leads to in them.

What is expected is worked out from the rows alone, by the table of Format/DATABASE.md, "Taxon
references": nothing here asks stol.
"""
import collections
import copy
import dataclasses
import re
import sqlite3

KINGDOMS = {"metazoa": "animalia", "viridiplantae": "plantae"}
APART = {"animalia", "plantae", "fungi", "bacteria", "archaea", "viruses"}
AUTHORS = ["", "", "Linnaeus, 1758", "Miller, 1768", "Smith, 1901", "Zapfe, 1950"]
STEMS = ["albid", "viridan", "montan", "robust", "pallid", "sylvatic", "maritim", "parvul"]
SYLLABLES = ["Bal", "Cor", "Dem", "Fal", "Gor", "Lam", "Mir", "Nep"]


@dataclasses.dataclass
class Synonym:
    name: str
    author: str = ""
    id: str = ""


@dataclasses.dataclass
class Taxon:
    id: str
    parent: str
    rank: str
    name: str
    author: str = ""
    synonyms: list = dataclasses.field(default_factory=list)
    provisional: bool = False


class Release:
    """One release of a source: its taxa by id, and the ids that it has retired."""

    def __init__(self, space, taxa, merged=(), deleted=()):
        self.space = space
        self.taxa = {taxon.id: taxon for taxon in taxa}
        self.merged, self.deleted = dict(merged), set(deleted)
        self.index()

    def index(self):
        """Makes the look-ups; to be called after any change."""
        self.named, self.synonyms, self.synonym_ids = (collections.defaultdict(list) for _ in range(3))
        for taxon in self.taxa.values():
            self.named[taxon.name.lower()].append(taxon)
            for synonym in taxon.synonyms:
                self.synonyms[synonym.name.lower()].append((taxon, synonym))
                if synonym.id:
                    self.synonym_ids[synonym.id].append(taxon)

    def path(self, id):
        """A taxon's ancestors, the highest first, and the taxon."""
        path = []
        while id:
            path.append(self.taxa[id])
            id = self.taxa[id].parent
        return path[::-1]

    def reference(self, id):
        """What stol keeps of a taxon."""
        taxon, path = self.taxa[id], self.path(id)
        kingdoms = [above.name for above in path if above.rank in ("domain", "kingdom")]
        kept = {"idSpace": self.space, "id": id, "name": taxon.name, "authorship": taxon.author, "rank": taxon.rank,
                "kingdoms": kingdoms or [above.name for above in path[:-1][:2]]}
        return {key: value for key, value in kept.items() if value}

    def kingdoms(self, id):
        return [above.name for above in self.path(id)]


def apart(names):
    """The kingdoms among names that nothing is in two of."""
    return {KINGDOMS.get(name.lower(), name.lower()) for name in names} & APART


def same_author(a, b):
    return not a or not b or a.strip("()") == b.strip("()")


def epithet(name):
    """The last word without the ending that follows the gender of the genus."""
    return re.sub(r"(?<=...)(us|um|is|er|a|e)$", "", name.lower().split()[-1])


def is_named(reference, taxon):
    """Whether a taxon has the name of a reference, as its own or as that of a synonym."""
    return reference["name"].lower() in {name.lower() for name in (taxon.name, *(each.name for each in taxon.synonyms))}


def is_kin(reference, taxon, release):
    """Whether a taxon's name follows from that of a reference: a synonym, or genus or epithet and kingdom."""
    old, new = reference["name"].lower(), taxon.name.lower()
    if is_named(reference, taxon):
        return True
    a, b = apart(reference.get("kingdoms", [])), apart(release.kingdoms(taxon.id))
    return (not a or not b or bool(a & b)) and is_alike(old, new)


def is_alike(a, b):
    """Whether two names of species, or below, have genus or epithet in common."""
    a, b = a.lower(), b.lower()
    return " " in a and " " in b and (a.split()[0] == b.split()[0] or epithet(a) == epithet(b))


def named(reference, release):
    """Ids of the taxa that a reference fits by their names, and of those that it fits by their synonyms."""
    def fits(taxon, author):
        a, b = apart(reference.get("kingdoms", [])), apart(release.kingdoms(taxon.id))
        ranks = {reference["rank"], taxon.rank}
        return ((len(ranks) == 1 or "no rank" in ranks) and (not a or not b or a & b)
                and same_author(reference.get("authorship", ""), author))

    name = reference["name"].lower()
    taxa = {taxon.id for taxon in release.named.get(name, ()) if fits(taxon, taxon.author)}
    return taxa, {taxon.id for taxon, synonym in release.synonyms.get(name, ()) if fits(taxon, synonym.author)}


def resolve(reference, release):
    """The outcome of a reference: a word, the id of the taxon or None, and ids of candidates."""
    id, space = reference["id"], reference.get("idSpace")
    taxa, synonyms = named(reference, release)
    if space == release.space:
        taxon = release.taxa.get(id)
        if space is None:
            # Ids of nobody knows what: they decide between taxa that fit alike, and nothing else.
            into = taxon.id if taxon else release.merged.get(id)
            if not into and id in release.synonym_ids:
                into = release.synonym_ids[id][0].id
            if into in (taxa or synonyms) or into in taxa:
                return "same" if taxon else "merged", into, set()
        elif taxon:
            # A name that is another's now was not given up by a rename: the id was given away.
            is_same = is_named(reference, taxon) or is_kin(reference, taxon, release) and not taxa - {id}
            return ("same", id, set()) if is_same else ("ambiguous", None, {id} | taxa)
        elif id in release.merged:
            return "merged", release.merged[id], set()
        elif id in release.synonym_ids:
            into = release.synonym_ids[id][0]
            names = [synonym.name for synonym in into.synonyms if synonym.id == id]
            if is_kin(reference, into, release) or is_alike(reference["name"], names[0]):
                return "merged", into.id, set()
            return "ambiguous", None, {into.id} | taxa
        else:
            return "deleted" if id in release.deleted else "absent", None, set()
    for word, found in ("by name", taxa), ("by synonym", synonyms):
        if found:
            return (word, *found, set()) if len(found) == 1 else ("ambiguous", None, found)
    return "absent", None, set()


def differences(old, new, outcomes):
    """How many changes of each kind there are from one release to another; `outcomes` is of each old id."""
    counts = collections.Counter()
    is_by_id = old.space == new.space and old.space is not None
    if is_by_id:
        matches = {id: id for id in old.taxa if id in new.taxa}
    else:
        matches = {id: found for id, (word, found, _) in outcomes.items() if word in ("same", "by name")}
    known = set(matches.values())
    for id, before in old.taxa.items():
        if id not in matches:
            word = outcomes[id][0]
            counts[{"absent": "removed", "by synonym": "merged"}.get(word, word)] += 1
            continue
        after = new.taxa[matches[id]]
        if before.name != after.name and outcomes[id][0] == "ambiguous":
            counts["reused"] += 1
            continue
        counts["renamed"] += before.name != after.name
        counts["rank"] += before.rank != after.rank
        counts["status"] += before.provisional != after.provisional
        above = [matches[taxon.id] for taxon in old.path(id)[:-1] if taxon.id in matches]
        now = [taxon.id for taxon in new.path(after.id)[:-1] if taxon.id in known]
        counts["moved"] += above[-1:] != now[-1:]
    for id, taxon in new.taxa.items():
        if id in known:
            continue
        counts["added"] += 1
        wholes = old.synonym_ids[id] if is_by_id and id in old.synonym_ids else []
        if not wholes and taxon.name.lower() not in old.named:
            wholes = [whole for whole, _ in old.synonyms.get(taxon.name.lower(), ())]
        counts["split"] += len({whole.id for whole in wholes}) == 1 and wholes[0].id in matches
    return {kind: count for kind, count in counts.items() if count}


# What is made up.

def made_up(random, space, form=str, kingdoms=("Animalia", "Plantae", "Fungi"), root=None, has_ids=True):
    """A release of some 200 taxa whose names, and whose numbers, others of the same kind have as well.

    Genera of one name in two kingdoms, species of one name by two authors, and synonyms of all kinds
    come about by chance, often.
    """
    numbers = iter(random.sample(range(2, 700), 500))
    new = lambda: form(next(numbers))
    taxa = [root] if root else []
    author = lambda: random.choice(AUTHORS) if has_ids else ""
    for kingdom in kingdoms:
        top = Taxon(new(), root.id if root else "", "kingdom", kingdom)
        taxa.append(top)
        for _ in range(3):
            family = Taxon(new(), top.id, "family", random.choice(SYLLABLES) + random.choice(("ar", "on")) + "idae")
            taxa.append(family)
            for _ in range(5):
                genus = Taxon(new(), family.id, "genus", random.choice(SYLLABLES) + random.choice(("aria", "ella")))
                taxa.append(genus)
                for stem in random.sample(STEMS, 4):
                    species = Taxon(new(), genus.id, "species", f"{genus.name} {stem}{random.choice(('a', 'us'))}", author())
                    taxa.append(species)
                    if random.random() < 0.4:
                        name = f"{random.choice(SYLLABLES)}{random.choice(('aria', 'ella'))} {random.choice(STEMS)}a"
                        species.synonyms.append(Synonym(name, author(), new() if has_ids else ""))
    return Release(space, taxa)


def next_release(random, release, form=str, keeps_retired=False):
    """The release after one: everything that happens to taxa happens to some.

    With `keeps_retired` the source lists merged and deleted ids, as NCBI does; else a merged taxon is
    a synonym with its id, and what is gone is gone.
    """
    taxa = copy.deepcopy(release.taxa)
    merged, deleted = dict(release.merged), set(release.deleted)
    used = set(taxa) | set(release.synonym_ids) | set(merged) | deleted
    numbers = (form(number) for number in range(100_000, 200_000) if form(number) not in used)
    parents = {taxon.parent for taxon in taxa.values()}
    leaves = [id for id, taxon in taxa.items() if taxon.rank == "species" and id not in parents]
    genera = [taxon for taxon in taxa.values() if taxon.rank == "genus"]
    events = ["merged", "deleted", "gone", "reused", "genus", "genus, synonym", "epithet", "other", "other, synonym", "moved",
              "rank", "split", "provisional"] + ["kept"] * 14
    random.shuffle(leaves)
    for number, id in enumerate(leaves):
        event = events[number % len(events)]
        taxon = taxa[id]
        sister = next((taxa[other] for other in leaves if other in taxa and other != id
                       and taxa[other].parent == taxon.parent), None)
        old = Synonym(taxon.name, taxon.author)
        if event == "merged" and sister:
            del taxa[id]
            if keeps_retired:
                merged = {one: sister.id if into == id else into for one, into in merged.items()}
                merged[id] = sister.id
            else:
                old.id = id
            sister.synonyms += [old] + taxon.synonyms
        elif event in ("deleted", "gone"):
            del taxa[id]
            if event == "deleted" and keeps_retired:
                deleted.add(id)
                merged = {one: into for one, into in merged.items() if into != id}
        elif event == "reused" and sister and not keeps_retired:
            del taxa[id]
            sister.synonyms.append(Synonym(f"Alienus {random.choice(STEMS)}oides", "", id))
        elif event.startswith("genus"):
            genus = random.choice(genera)
            taxon.name, taxon.parent = f"{genus.name} {taxon.name.split(' ', 1)[1]}", genus.id
        elif event == "epithet":
            taxon.name = taxon.name.split()[0] + " novissimus"
        elif event.startswith("other"):
            taxon.name = f"Reusedia {random.choice(STEMS)}oides{number}"
        elif event == "moved":
            taxon.parent = random.choice(genera).id
        elif event == "rank":
            taxon.rank = "subspecies"
        elif event == "provisional" and not keeps_retired:
            taxon.provisional = True
        elif event == "split" and taxon.synonyms:
            part = taxon.synonyms.pop()
            own = part.id or next(numbers)
            taxa[own] = Taxon(own, taxon.parent, "species", part.name, part.author)
        if event.endswith("synonym") and taxon.name != old.name:
            taxon.synonyms.append(old)
    for genus in genera[::3]:
        own = next(numbers)
        taxa[own] = Taxon(own, genus.id, "species", f"{genus.name} recentis")
    return Release(release.space, taxa.values(), {one: into for one, into in merged.items() if into in taxa}, deleted)


# How sources write it: each returns what `stol ingest` is given.

def write_ncbi(release, folder):
    folder.mkdir()
    def dump(name, rows):
        text = "".join("\t|\t".join(map(str, row)) + "\t|\n" for row in rows)
        (folder / f"{name}.dmp").write_text(text)

    taxa = release.taxa.values()
    dump("nodes", [(taxon.id, taxon.parent or taxon.id, taxon.rank) for taxon in taxa])
    dump("names", [(taxon.id, taxon.name, "", "scientific name") for taxon in taxa]
         + [(taxon.id, synonym.name, "", "synonym") for taxon in taxa for synonym in taxon.synonyms])
    dump("merged", release.merged.items())
    dump("delnodes", [(id,) for id in release.deleted])
    return ["ncbi", folder]


def write_gbif(release, folder):
    folder.mkdir()
    rows = []
    def add(id, parent, is_synonym, rank, name, author, is_doubtful=False):
        row = ["\\N"] * 30
        writer, _, year = author.partition(", ")
        row[0], row[1], row[3] = id, parent or "\\N", "t" if is_synonym else "f"
        row[4] = "SYNONYM" if is_synonym else "DOUBTFUL" if is_doubtful else "ACCEPTED"
        row[5], row[18], row[19] = rank.upper(), f"{name} {author}".strip(), name
        row[24], row[25] = writer or "\\N", year or "\\N"
        rows.append("\t".join(row) + "\n")

    for taxon in release.taxa.values():
        add(taxon.id, taxon.parent, False, taxon.rank, taxon.name, taxon.author, taxon.provisional)
        for synonym in taxon.synonyms:
            add(synonym.id, taxon.id, True, taxon.rank, synonym.name, synonym.author)
    (folder / "simple.txt").write_text("".join(rows))
    return ["gbif", folder]


def write_itis(release, folder):
    folder.mkdir()
    ranks = {"kingdom": 10, "family": 140, "genus": 180, "species": 220}
    authors = {author: number for number, author in enumerate(sorted(set(AUTHORS) - {""}), 1)}
    numbers = {name: number for number, name in enumerate(("Animalia", "Plantae", "Fungi"), 3)}
    with sqlite3.connect(folder / "ITIS.sqlite") as database:
        database.executescript("""
            CREATE TABLE taxonomic_units (tsn INTEGER PRIMARY KEY, complete_name TEXT, n_usage TEXT,
              parent_tsn INTEGER, taxon_author_id INTEGER, kingdom_id INTEGER, rank_id INTEGER,
              uncertain_prnt_ind TEXT);
            CREATE TABLE taxon_authors_lkp (taxon_author_id INTEGER, taxon_author TEXT);
            CREATE TABLE kingdoms (kingdom_id INTEGER, kingdom_name TEXT);
            CREATE TABLE synonym_links (tsn INTEGER, tsn_accepted INTEGER);""")
        database.executemany("INSERT INTO taxon_authors_lkp VALUES (?, ?)", [(n, a) for a, n in authors.items()])
        database.executemany("INSERT INTO kingdoms VALUES (?, ?)", [(n, k) for k, n in numbers.items()])
        unit = "INSERT INTO taxonomic_units VALUES (?, ?, ?, ?, ?, ?, ?, NULL)"
        for taxon in release.taxa.values():
            kingdom = numbers[release.path(taxon.id)[0].name]
            database.execute(unit, (taxon.id, taxon.name, "valid", taxon.parent or 0, authors.get(taxon.author, 0),
                                    kingdom, ranks[taxon.rank]))
            for synonym in taxon.synonyms:
                database.execute(unit, (synonym.id, synonym.name, "invalid", 0, authors.get(synonym.author, 0),
                                        kingdom, ranks[taxon.rank]))
                database.execute("INSERT INTO synonym_links VALUES (?, ?)", (synonym.id, taxon.id))
    database.close()
    return ["itis", folder / "ITIS.sqlite"]


def write_coldp(release, folder):
    folder.mkdir()
    rows = [("ID", "parentID", "status", "rank", "scientificName", "authorship")]
    for taxon in release.taxa.values():
        status = "provisionally accepted" if taxon.provisional else "accepted"
        rows.append((taxon.id, taxon.parent, status, taxon.rank, taxon.name, taxon.author))
        rows += [(synonym.id, taxon.id, "synonym", taxon.rank, synonym.name, synonym.author)
                 for synonym in taxon.synonyms]
    (folder / "NameUsage.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))
    return ["coldp", folder] + (["--id-space", release.space] if release.space else [])


def write_dwca(release, folder):
    folder.mkdir()
    terms = ["scientificName", "scientificNameAuthorship", "taxonRank", "parentNameUsageID", "acceptedNameUsageID",
             "taxonomicStatus"]
    fields = "".join(f'<field index="{number}" term="http://rs.tdwg.org/dwc/terms/{term}"/>'
                     for number, term in enumerate(terms, 1))
    (folder / "meta.xml").write_text(
        '<archive xmlns="http://rs.tdwg.org/dwc/text/"><core fieldsTerminatedBy="\\t" linesTerminatedBy="\\n" '
        'ignoreHeaderLines="1" rowType="http://rs.tdwg.org/dwc/terms/Taxon"><files><location>taxon.txt</location>'
        f'</files><id index="0"/>{fields}</core></archive>')
    rows = [["taxonID", *terms]]
    for taxon in release.taxa.values():
        rows.append([taxon.id, taxon.name, taxon.author, taxon.rank, taxon.parent, "", "accepted"])
        rows += [[synonym.id, synonym.name, synonym.author, taxon.rank, "", taxon.id, "synonym"]
                 for synonym in taxon.synonyms]
    (folder / "taxon.txt").write_text("".join("\t".join(row) + "\n" for row in rows))
    return ["dwca", folder] + (["--id-space", release.space] if release.space else [])


def read_built_in(path):
    """The built-in taxonomy, from its SQLite file."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        taxa = {id: Taxon(str(id), str(parent) if parent else "", rank, name, author or "")
                for id, parent, rank, name, author in
                database.execute("SELECT id, parent_id, rank, scientific_name, author FROM taxa ORDER BY id")}
        for id, name in database.execute("SELECT taxon_id, name FROM names WHERE name_type = 'synonym'"):
            taxa[id].synonyms.append(Synonym(name))
    database.close()
    return Release("ncbi", taxa.values())


def part(release, *families):
    """The taxa of some families, with what is above them."""
    children = collections.defaultdict(list)
    for taxon in release.taxa.values():
        children[taxon.parent].append(taxon)
    kept, waiting = {}, [taxon for name in families for taxon in release.named[name.lower()]]
    for taxon in list(waiting):
        kept.update((above.id, copy.deepcopy(above)) for above in release.path(taxon.id))
    while waiting:
        taxon = waiting.pop()
        kept[taxon.id] = copy.deepcopy(taxon)
        waiting += children[taxon.id]
    return kept
