"""Names with all that sources say of them: author, year, rank, status, own id.

What the command answers is compared with the rows of real sources, read here by the plainest means
there are: columns and regular expressions.  Sources that are not there are skipped, visibly.
"""

import csv
import gzip
import json
import os
import random
import re
import sqlite3
import subprocess
import tempfile
import unicodedata
import unittest
import zipfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
STOL = os.environ.get("STOL", str(TOP / ".build-test/release/stol"))
DATA = Path(os.environ.get("STOL_TEST_DATA", TOP.parent / "shared/data"))

YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")


def year(authorship):
    """The first year of an authorship."""
    found = YEAR.search(authorship)
    return int(found[1]) if found else None


def squeezed(text):
    """Single spaces, none at the ends, nor a comma, and nothing that nobody sees; None for nothing."""
    composed = unicodedata.normalize("NFC", text or "")
    shown = "".join(letter for letter in composed if unicodedata.category(letter) != "Cf")
    return " ".join(shown.split()).rstrip(",") or None


def closed(text):
    """The sign of a hybrid without a space after it, the letter x for it too."""
    return re.sub(r"\bx(?=[A-Z])", "×", text).replace("× ", "×")


def address(text):
    """What can be an address; names of files and numbers are none."""
    doi = text.lower().removeprefix("doi:").strip()
    if doi.startswith("10.") and "/" in doi or text.lower().startswith("doi:"):
        return f"https://doi.org/{text[4:].strip() if doi != text.lower() else text}"
    return text if text.lower().startswith(("http://", "https://", "www.")) else None


def table_of_vascan(path):
    """The rows of VASCAN, by the names of their columns."""
    with zipfile.ZipFile(path) as archive, archive.open("taxon.txt") as file:
        lines = file.read().decode().rstrip("\n").split("\n")
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def status_of_synonym(text):
    """What a row that calls a name a synonym says of its use, behind the authors.

    "A misapplied name is found and says that it is misapplied": auct. is authors who meant another taxon.
    """
    use = re.search(r"\s(auct(?:t|s|orum)?\.?(?=[\s,]|$)|p\.\s?p\.|pro parte\b|sensu\b(?!\s+auct))", text)
    if use is None or use[1] == "sensu":
        return "synonym"
    return "misapplied" if use[1].startswith("auct") else "in-part"


class Names:
    """The names of a database as the command tells them: (id of the name, taxon) to its fields."""

    def __init__(self, kind, source, folder, ids):
        database, pack = f"{folder}/{kind}.sqlite", f"{folder}/{kind}.stolpack"
        for command in (["ingest", kind, str(source), "-o", database], ["pack", database, "-o", pack]):
            subprocess.run([STOL, *command], check=True, capture_output=True)
        lines = "\n".join(ids) + "\n"
        answers = subprocess.run([STOL, "query", "show", "--pack", pack, "--jsonl", "-"], input=lines,
                                 check=True, capture_output=True, text=True).stdout.splitlines()
        self.taxa = {}
        self.synonyms = {}
        for text, line in zip(ids, answers, strict=True):
            for answer in json.loads(line).get("results", []):
                self.taxa[str(answer["id"])] = answer
                self.synonyms.update(
                    ((str(name["id"]), str(answer["id"])), name) for name in answer["names"] if name["id"])


class RecordsTest(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def source(self, path):
        path = DATA / path
        if not path.exists():
            self.skipTest(f"{path} is not there")
        return path

    @staticmethod
    def says_the_same(row, name):
        """Whether what is told of a name is what its row says."""
        _, accepted, text, authorship, rank, status = row
        written = name["scientificName"] if accepted is None else name["name"]
        found = " ".join(filter(None, [written, name["author"], name["sensu"]]))
        # What stands behind the authors about the name, as "nom. cons.", is told apart from them.
        told = (name["statusText"] or "").split("; ")[-1]
        whole = [closed(found), closed(f"{found} {told}")]
        stated = [" ".join(filter(None, [name["author"], further])) for further in ("", told, name["sensu"])]
        # The comma before it joins the two.
        whole += [f"{written} {name['author']}, {told}"]
        stated += [f"{name['author']}, {told}"]
        # What nobody can take apart stays whole.
        is_whole = not authorship and name["author"] is None and squeezed(text) == written
        # The authors of an autonym stand within it.
        bare = squeezed(squeezed(text).replace(authorship or "", "", 1)) or ""
        # Authors may stand within the name, those of its species.
        words = iter(squeezed(text).split())
        is_within = authorship == name["author"] and all(word in words for word in written.split())
        return ((closed(squeezed(text)) in whole or closed(bare) == closed(written) or is_within)
                and (not authorship or authorship in stated)
                and (name["year"] == year(text) or is_whole) and name["rank"] == rank
                and (accepted is None or status in (None, name["status"])))

    def compare(self, names, rows):
        """`rows`: id, accepted id or None, name with authorship, authorship, rank, status or None."""
        wrong = []
        for row in rows:
            own, accepted = row[:2]
            name = names.taxa.get(own) if accepted is None else names.synonyms.get((own, accepted))
            if name is None:
                wrong.append((row, None))
                continue
            if not self.says_the_same(row, name):
                wrong.append((row, name))
        self.assertEqual(wrong[:5], [], f"{len(wrong)} of {len(rows)}")
        self.assertGreater(len(rows), 100)

    def test_mammalia(self):
        """The dump of NCBI that is there has scientific and common names only."""
        folder = self.source("ncbi/mammalia")
        with open(folder / "names.dmp", encoding="utf-8") as file:
            table = [[cell.strip("\t\n") for cell in line.split("|")] for line in file]
        with open(folder / "nodes.dmp", encoding="utf-8") as file:
            ranks = {row[0]: row[2] for row in ([cell.strip("\t\n") for cell in line.split("|")] for line in file)}
        names = Names("ncbi", folder, self.folder, list(ranks))
        common = {}
        for own, text, _, kind in (row[:4] for row in table):
            if kind == "scientific name":
                answer = names.taxa[own]
                self.assertEqual((answer["scientificName"], answer["rank"]), (squeezed(text), ranks[own]))
                self.assertTrue(answer["author"] is answer["year"] is answer["sensu"] is None)
            else:
                common.setdefault(own, set()).add(" ".join(text.split()))
        for own, answer in names.taxa.items():
            self.assertEqual({name["name"] for name in answer["names"]}, common.get(own, set()))
            self.assertTrue(all(name["author"] is name["status"] is None and name["lang"] == "en"
                                for name in answer["names"]))
        self.assertGreater(len(common), 4000)

    def test_references_of_vascan(self):
        """Every `nameAccordingTo` is a reference of its name, and nothing else is."""
        path = self.source("reference/dwca/vascan.zip")
        table = table_of_vascan(path)
        names = Names("dwca", path, self.folder, [line["taxonID"] for line in table])
        expected, found = {}, {}
        for line in table:
            is_synonym = line["taxonomicStatus"] == "synonym"
            # Of a synonym of several taxa the first has its reference.
            for accepted in line["acceptedNameUsageID"].split("|")[:1] if is_synonym else [line["taxonID"]]:
                text = names.synonyms[line["taxonID"], accepted]["name"] if is_synonym else None
                if line["nameAccordingTo"]:
                    reference = (squeezed(line["nameAccordingTo"]), address(line["nameAccordingToID"]), text)
                    expected.setdefault(accepted, set()).add(reference)
        for own, answer in names.taxa.items():
            for reference in answer["references"]:
                found.setdefault(own, set()).add((reference["citation"], reference["url"], reference["name"]))
        wrong = [own for own in expected.keys() | found.keys() if expected.get(own) != found.get(own)]
        shown = [(own, expected.get(own, set()) ^ found.get(own, set())) for own in wrong[:3]]
        self.assertEqual(shown, [], f"{len(wrong)} of {len(expected)}")
        self.assertGreater(len(expected), 5000)

    def test_vascan(self):
        path = self.source("reference/dwca/vascan.zip")
        table = table_of_vascan(path)
        rows = []
        for line in table:
            is_synonym = line["taxonomicStatus"] == "synonym"
            for accepted in line["acceptedNameUsageID"].split("|") if is_synonym else [None]:
                # One name, "amesike polygonifolia", has its genus in lower case, which is repaired.
                name = line["scientificName"]
                name = name.replace("amesike", "Amesike")
                rows.append((line["taxonID"], accepted, name,
                             squeezed(line["scientificNameAuthorship"]), line["taxonRank"],
                             status_of_synonym(line["scientificName"]) if is_synonym else None))
        self.compare(Names("dwca", path, self.folder, [line["taxonID"] for line in table]), rows)

    def test_cites(self):
        folder = self.source("reference/coldp_cites")
        with open(folder / "NameUsage.tsv", encoding="utf-8") as file:
            table = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        rows = [(line["ID"], line["parentID"] if line["status"] == "synonym" else None,
                 f"{line['scientificName']} {line['authorship']}", squeezed(line["authorship"]),
                 line["rank"] or None,
                 # "auct.non", without a space, is part of a name that is kept whole.
                 status_of_synonym(line["scientificName"].split("auct.non")[0]) if line["status"] == "synonym" else None)
                for line in table]
        self.compare(Names("coldp", folder, self.folder, [line["ID"] for line in table]), rows)

    def test_itis(self):
        path = self.source("reference/itis/ITIS.sqlite")
        with sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True) as database:
            rows = [(str(tsn), None if accepted is None else str(accepted), f"{name} {author or ''}",
                     squeezed(author), rank.lower(), accepted and "synonym")
                    for tsn, accepted, name, author, rank in database.execute("""
                        SELECT t.tsn, s.tsn_accepted, t.complete_name, a.taxon_author, u.rank_name
                        FROM taxonomic_units t LEFT JOIN synonym_links s USING (tsn)
                        LEFT JOIN taxon_authors_lkp a ON a.taxon_author_id = t.taxon_author_id
                        JOIN taxon_unit_types u ON u.rank_id = t.rank_id AND u.kingdom_id = t.kingdom_id
                        """)]
        self.compare(Names("itis", path, self.folder, [row[0] for row in rows]), rows)

    def tree(self, kind, source):
        """Each id of a source with its name, authorship, rank and the id of its parent, as ingested."""
        database = f"{self.folder}/{kind}.sqlite"
        subprocess.run([STOL, "ingest", kind, str(source), "-o", database], check=True, capture_output=True)
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            return {own: rest for own, *rest in connection.execute("""
                SELECT t.source_id, t.scientific_name, t.author, t.rank, p.source_id
                FROM taxa t LEFT JOIN taxa p ON p.id = t.parent_id WHERE t.source_id IS NOT NULL""")}

    def test_moths(self):
        path = self.source("reference/coldp_ptero/ptero-yaml.coldp.zip")
        with zipfile.ZipFile(path) as archive:
            def table(name):
                return list(csv.DictReader(archive.read(f"data/{name}.csv").decode("utf-8-sig").splitlines()))
            names = {line["ID"]: line for line in table("name")}
            taxa, synonyms = table("taxon"), table("synonym")
        found = self.tree("coldp", path)
        wrong = []
        for line in taxa:
            name = names[line["nameID"]]
            stated = [name["scientificName"], squeezed(name["authorship"]), name["rank"].lower(),
                      line["parentID"] or None]
            if found.get(line["ID"]) != stated:
                wrong.append((line["ID"], stated, found.get(line["ID"])))
        self.assertEqual(wrong[:3], [], f"{len(wrong)} of {len(taxa)}")
        self.assertEqual(len(found), len(taxa))
        with sqlite3.connect(f"file:{self.folder}/coldp.sqlite?mode=ro", uri=True) as connection:
            pairs = set(connection.execute("""
                SELECT n.name, t.source_id FROM names n JOIN taxa t ON t.id = taxon_id
                WHERE name_type = 'synonym'"""))
        lost = [line for line in synonyms
                if (names[line["nameID"]]["scientificName"], line["taxonID"]) not in pairs
                and found[line["taxonID"]][0] != names[line["nameID"]]["scientificName"]]
        self.assertEqual(lost[:3], [], f"{len(lost)} of {len(synonyms)}")
        self.assertGreater(len(synonyms), 500)

    def test_open_tree(self):
        for folder in ("ncbi_aster", "prev_aster"):
            path = self.source(f"reference/ott_aster/{folder}")
            with open(path / "taxonomy.tsv", encoding="utf-8") as file:
                table = [line.rstrip("\n").split("\t|\t") for line in file][1:]
            found = self.tree("ott", path)
            parents = {line[0].removeprefix("ott"): line[1].removeprefix("ott") for line in table}
            wrong = []
            kept = 0
            for line in table:
                own = line[0].removeprefix("ott")
                if own not in found:
                    # Open Tree's own signs of what is no taxon.
                    if not {"was_container", "not_otu", "inconsistent", "merged"} & set(line[6].split(",")):
                        wrong.append((line, None))
                    continue
                kept += 1
                name, author, rank, parent = found[own]
                written = re.sub(r"\bx (?=[a-z])", "× ", line[2])
                if name != line[2] and not written.startswith(name) or rank != line[3] or (parent or "") != parents[own]:
                    wrong.append((line, found[own]))
            self.assertEqual(wrong[:3], [], f"{len(wrong)} of {len(table)}")
            self.assertEqual(kept, len(found))

    def test_gbif(self):
        path = self.source("reference/gbif_simple/simple.txt.gz")
        with gzip.open(path, "rt", encoding="utf-8") as file:
            table = [["" if cell == "\\N" else cell for cell in line.rstrip("\n").split("\t")]
                     for line in file]
        rows = []
        for cells in table:
            is_synonym = cells[3] == "t"
            rows.append((cells[0], cells[1] if is_synonym else None, cells[18], squeezed(cells[24]),
                         cells[5].lower().replace("_", " "), None))
        self.compare(Names("gbif", path, self.folder, [cells[0] for cells in table]), rows)

    # Twenty rows of each source, by readers that share nothing: id, accepted id, name with authors, authors,
    # rank, status, parent id (None where it is not told).

    @staticmethod
    def rows_of_ncbi(folder):
        def table(name):
            return [[cell.strip("\t\n") for cell in line.split("|")]
                    for line in (folder / name).read_text(encoding="utf-8").splitlines()]
        nodes = {row[0]: row for row in table("nodes.dmp")}
        names = table("names.dmp")
        authorities = {}
        for own, text, _, kind in (row[:4] for row in names):
            if kind == "authority":
                authorities.setdefault(own, []).append(text)
        for own, text, _, kind in (row[:4] for row in names):
            if kind == "scientific name" and own in nodes:
                parent = nodes[own][1]
                # The first that says who named it.
                text = next((whole for whole in authorities.get(own, []) if whole.startswith(text + " ")), text)
                yield own, None, text, None, nodes[own][2], None, parent if parent in nodes and parent != own else None

    @staticmethod
    def rows_of_vascan(path):
        for line in table_of_vascan(path):
            is_synonym = line["taxonomicStatus"] == "synonym"
            yield (line["taxonID"], line["acceptedNameUsageID"].split("|")[0] if is_synonym else None,
                   line["scientificName"].replace("amesike", "Amesike"), squeezed(line["scientificNameAuthorship"]),
                   line["taxonRank"], None, None if is_synonym else line["parentNameUsageID"] or None)

    @staticmethod
    def rows_of_cites(folder):
        with open(folder / "NameUsage.tsv", encoding="utf-8") as file:
            for line in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                is_synonym = line["status"] == "synonym"
                yield (line["ID"], line["parentID"] if is_synonym else None,
                       f"{line['scientificName']} {line['authorship']}", squeezed(line["authorship"]),
                       line["rank"] or None, None, None if is_synonym else line["parentID"] or None)

    @staticmethod
    def rows_of_moths(path):
        with zipfile.ZipFile(path) as archive:
            tables = {name: list(csv.DictReader(archive.read(f"data/{name}.csv").decode("utf-8-sig").splitlines()))
                      for name in ("name", "taxon")}
        names = {line["ID"]: line for line in tables["name"]}
        for line in tables["taxon"]:
            name = names[line["nameID"]]
            yield (line["ID"], None, f"{name['scientificName']} {name['authorship']}", squeezed(name["authorship"]),
                   name["rank"].lower(), None, line["parentID"] or None)

    @staticmethod
    def rows_of_itis(path):
        with sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True) as database:
            for own, accepted, name, author, rank, parent in database.execute("""
                    SELECT t.tsn, s.tsn_accepted, t.complete_name, a.taxon_author, u.rank_name,
                      (SELECT tsn FROM taxonomic_units p WHERE p.tsn = t.parent_tsn)
                    FROM taxonomic_units t LEFT JOIN synonym_links s USING (tsn)
                    LEFT JOIN taxon_authors_lkp a ON a.taxon_author_id = t.taxon_author_id
                    JOIN taxon_unit_types u ON u.rank_id = t.rank_id AND u.kingdom_id = t.kingdom_id"""):
                yield (str(own), accepted and str(accepted), f"{name} {author or ''}", squeezed(author), rank.lower(), None,
                       None if accepted or not parent else str(parent))

    @staticmethod
    def rows_of_gbif(path):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            table = [["" if cell == "\\N" else cell for cell in line.rstrip("\n").split("\t")] for line in file]
        ids = {cells[0] for cells in table}
        for cells in table:
            is_synonym = cells[3] == "t"
            yield (cells[0], cells[1] if is_synonym else None, cells[18], squeezed(cells[24]),
                   cells[5].lower().replace("_", " "), None,
                   cells[1] if not is_synonym and cells[1] in ids else None)

    @staticmethod
    def rows_of_open_tree(folder):
        # A synonym that is the taxon's own name with authors says who gave that: the first one.
        authored = {}
        with open(folder / "synonyms.tsv", encoding="utf-8") as file:
            header, *lines = [line.rstrip("\n").split("\t|\t") for line in file]
        place = {name: index for index, name in enumerate(header)}
        for line in lines:
            authored.setdefault(line[place["uid"]], []).append(line[place["name"]])
        with open(folder / "taxonomy.tsv", encoding="utf-8") as file:
            for line in [line.rstrip("\n").split("\t|\t") for line in file][1:]:
                # Open Tree's own signs of what is no taxon.
                if not {"was_container", "not_otu", "inconsistent", "merged"} & set(line[6].split(",")):
                    name = next((text for text in authored.get(line[0], [])
                                 if re.fullmatch(re.escape(line[2]) + r" (\(|[^\W\d_])[^×]*", text)
                                 and not text[len(line[2]) + 1].islower()), line[2])
                    yield (line[0].removeprefix("ott"), None, re.sub(r"\bx (?=[a-z])", "× ", name), None,
                           line[3], None, line[1].removeprefix("ott") or None)

    def test_twenty_rows_of_each_source(self):
        seed = int(os.environ.get("STOL_TEST_SEED", random.randrange(1 << 32)))
        for kind, path, reader in (
                ("ncbi", "ncbi/mammalia", self.rows_of_ncbi),
                ("ncbi", "reference/ncbi_names_sample", self.rows_of_ncbi),
                ("dwca", "reference/dwca/vascan.zip", self.rows_of_vascan),
                ("coldp", "reference/coldp_cites", self.rows_of_cites),
                ("coldp", "reference/coldp_ptero/ptero-yaml.coldp.zip", self.rows_of_moths),
                ("itis", "reference/itis/ITIS.sqlite", self.rows_of_itis),
                ("gbif", "reference/gbif_simple/simple.txt.gz", self.rows_of_gbif),
                ("ott", "reference/ott_aster/ncbi_aster", self.rows_of_open_tree),
                ("ott", "reference/ott_aster/prev_aster", self.rows_of_open_tree)):
            with self.subTest(path, seed=seed):
                source = self.source(path)
                rows = list(reader(source))
                database = f"{self.folder}/sample.sqlite"
                subprocess.run([STOL, "ingest", kind, str(source), "-o", database], check=True, capture_output=True)
                with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
                    connection.row_factory = sqlite3.Row
                    for row in random.Random(seed).sample(rows, min(20, len(rows))):
                        own, accepted, *_, parent = row
                        found = [dict(name) for name in connection.execute(
                            """SELECT t.scientific_name AS scientificName, t.author, t.year, t.rank, t.sensu,
                                 t.status_text AS statusText, p.source_id AS parent
                               FROM taxa t LEFT JOIN taxa p ON p.id = t.parent_id WHERE t.source_id = ?"""
                            if accepted is None else
                            """SELECT n.name, n.author, n.year, n.rank, n.sensu, n.status_text AS statusText,
                                 n.status, NULL AS parent
                               FROM names n JOIN taxa t ON t.id = taxon_id WHERE n.source_id = ? AND t.source_id = ?""",
                            [own] if accepted is None else [own, accepted])]
                        self.assertEqual(len(found), 1, (row, found))
                        self.assertTrue(self.says_the_same(row[:-1], found[0]), (row, found[0]))
                        if parent is not None:
                            self.assertEqual(found[0]["parent"], parent, (row, found[0]))


if __name__ == "__main__":
    unittest.main()
