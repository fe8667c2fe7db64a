"""Tests of the independent reader, Tools/read-pack, and of its agreement with the command stol."""
import contextlib
import json
import os
import pathlib
import random
import sqlite3
import struct
import subprocess
import tempfile
import unittest
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VECTORS = ROOT / "Format/vectors/v2"
READER = ROOT / "Tools/read-pack"
STOL = pathlib.Path(os.environ.get("STOL_BINARY", ROOT / ".build-test/release/stol"))


def read(*arguments, text=""):
    return subprocess.run([READER, *arguments], input=text, text=True, encoding="utf-8",
                          capture_output=True, check=False)


def damaged(line):
    """The bytes of one case of invalid/cases.tsv, as its README lays out."""
    _, base, damage, repaired, _ = line
    data = bytearray((VECTORS / f"valid/{base}.stolpack").read_bytes())
    entries = []
    for index in range(struct.unpack_from("<I", data, 12)[0]):
        at = 128 + 64 * index
        name = bytes(data[at:at + 16]).rstrip(b"\0").decode()
        entries.append((name, *struct.unpack_from("<QQ", data, at + 16)))
    place, value = damage.split("=")
    if place == "length":
        length = int(value) + (len(data) if value[0] in "+-" else 0)
        return bytes(data[:length]) + bytes(max(0, length - len(data)))
    if "+" in place:
        section, offset = place.split("+")
        offset = int(offset) + next(entry[1] for entry in entries if entry[0] == section)
    else:
        offset = int(place) % len(data)
    patch = bytes.fromhex(value)
    data[offset:offset + len(patch)] = patch
    if repaired == "yes":
        for index, (_, start, length) in enumerate(entries):
            struct.pack_into("<I", data, 128 + 64 * index + 56, zlib.crc32(data[start:start + length]))
        struct.pack_into("<I", data, 120, zlib.crc32(data[128:128 + 64 * len(entries)]))
        struct.pack_into("<I", data, 124, zlib.crc32(data[:124]))
    return bytes(data)


class OwnIdTests(unittest.TestCase):
    def test_the_id_of_a_synonym_of_several_taxa_is_none_of_them(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "x.sqlite")
            with contextlib.closing(sqlite3.connect(path)) as database:
                database.executescript("""
                    CREATE TABLE schema_version (version INTEGER NOT NULL);
                    INSERT INTO schema_version VALUES (3);
                    CREATE TABLE dataset (key TEXT PRIMARY KEY, value TEXT);
                    CREATE TABLE sources (position INTEGER PRIMARY KEY, kind, name, release, licence, citation, url);
                    CREATE TABLE taxa (id INTEGER PRIMARY KEY, source_id, parent_id, rank, scientific_name, author,
                      year, status DEFAULT 'accepted', conservation, code, status_text, sensu, source);
                    CREATE TABLE names (id INTEGER PRIMARY KEY, taxon_id, name, lang, name_type, is_preferred,
                      source_id, author, year, rank, status, status_text, code, sensu, source);
                    INSERT INTO taxa (id, source_id, parent_id, rank, scientific_name) VALUES
                      (1, '1', NULL, 'genus', 'Elymus'), (2, '2', 1, 'species', 'Elymus repens'),
                      (3, '3', 1, 'species', 'Elymus trachycaulus');
                    INSERT INTO names (id, taxon_id, name, lang, name_type, is_preferred, source_id) VALUES
                      (1, 2, 'Elymus vulgaris', 'la', 'synonym', 0, '102'),
                      (2, 3, 'Elymus vulgaris', 'la', 'synonym', 0, '102'),
                      (3, 3, 'Triticum durum', 'la', 'synonym', 0, '103');
                """)
                database.commit()
            subprocess.run([STOL, "pack", path, "-q"], check=True)
            answers = read("lineage", path.with_suffix(".stolpack"), text="102\n103\n")
            self.assertEqual(answers.stdout, "?\n1\t3\n")


class VectorTests(unittest.TestCase):
    def test_dumps_every_vector(self):
        for pack in sorted((VECTORS / "valid").glob("*.stolpack")):
            self.assertEqual(read("dump", pack).stdout,
                             pack.with_suffix(".jsonl").read_text(encoding="utf-8"), pack.name)
            self.assertEqual(read("check", pack).stdout, "ok\n", pack.name)

    def test_reports_every_damage(self):
        lines = (VECTORS / "invalid/cases.tsv").read_text().splitlines()[1:]
        self.assertGreaterEqual(len(lines), 100)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "damaged.stolpack"
            for line in lines:
                case = line.split("\t")
                path.write_bytes(damaged(case))
                wanted = 0 if case[4] == "never" else 3
                self.assertEqual(read("check", path).returncode, wanted, case[0])

    def test_lca_equals_a_walk(self):
        for name in ("blocks", "life", "many", "numbers", "records", "roots"):
            pack = VECTORS / f"valid/{name}.stolpack"
            taxa = [json.loads(line) for line in
                    pack.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()]
            taxa = [t for t in taxa if "ordinal" in t]
            main = [t["mainDepth"] for t in taxa]

            def path(taxon):
                return [] if taxon is None else path(taxa[taxon]["parent"]) + [taxon]

            known = [t["ordinal"] for t in taxa if t["id"] is not None]
            pairs = [(a, b) for a in known for b in known]
            ancestors, distances = [], []
            for a, b in pairs:
                common = [x for x, y in zip(path(a), path(b)) if x == y]
                identifier = taxa[common[-1]]["id"] if common else "-"
                ancestors.append("" if identifier is None else str(identifier))
                distances.append(str(main[a] + main[b] - 2 * main[common[-1]]) if common else "-")
            text = "".join(f"{taxa[a]['id']}\t{taxa[b]['id']}\n" for a, b in pairs)
            self.assertEqual(read("lca", pack, text=text).stdout.split("\n")[:-1], ancestors, name)
            self.assertEqual(read("distance", pack, text=text).stdout.split("\n")[:-1], distances,
                             name)

    def test_main_depth_counts_main_ranks(self):
        for pack in sorted((VECTORS / "valid").glob("*.jsonl")):
            lines = [json.loads(line) for line in pack.read_text(encoding="utf-8").splitlines()]
            main = {rank["rank"] for rank in lines[0]["pack"]["ranks"] if rank["main"]}
            depths = []
            for taxon in (line for line in lines if "ordinal" in line):
                above = 0 if taxon["parent"] is None else depths[taxon["parent"]]
                depths.append(above + (taxon["rank"] in main))
                self.assertEqual(taxon["mainDepth"], depths[-1], pack.name)

    def test_reads_ids_as_the_source_writes_them(self):
        def ask(name, *ids):
            return read("lca", VECTORS / f"valid/{name}.stolpack",
                        text="".join(f"{i}\n" for i in ids)).stdout.split("\n")[:-1]

        for name in ("blocks", "life", "many", "numbers", "records", "roots"):
            dump = (VECTORS / f"valid/{name}.jsonl").read_text(encoding="utf-8").splitlines()
            ids = [str(t["id"]) for t in map(json.loads, dump) if t.get("id") is not None]
            self.assertEqual(ask(name, *ids), ids, name)
        self.assertEqual(ask("records", "33154", "033154", "0033154", "-1", "", "4cgxp", "-7"),
                         ["33154", "033154", "?", "?", "?", "?", "-7"])
        # The third is that of a name of two taxa.
        self.assertEqual(ask("records", "syn-1", "syn-2", "syn-3", "syn-4", "OLD1", "77", "GONE"),
                         ["wfo-0000000001"] * 2 + ["?", "G1-1", "wfo-0000000001", "wfo-0000000001", "?"])
        self.assertEqual(ask("numbers", "9607", "9609", "9610", "A-1", "12", "13", "14", "15", "09606"),
                         ["9606", "9598", "9606", "9598", "9606", "9606", "9606", "?", "?"])


@unittest.skipUnless(STOL.exists(), "the command stol has not been built")
class AgreementTests(unittest.TestCase):
    """Both readers give the same answers on the embedded default taxonomy."""

    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory()
        cls.environment = {**os.environ, "STOL_HOME": cls.home.name, "STOL_PACK": ""}
        subprocess.run([STOL, "db", "built-in", "-o", pathlib.Path(cls.home.name) / "life"],
                       env=cls.environment, check=True, stderr=subprocess.DEVNULL)
        cls.pack = pathlib.Path(cls.home.name) / "life.stolpack"
        dump = read("dump", cls.pack).stdout.split("\n")
        taxa = (json.loads(line)["id"] for line in dump if line.startswith('{"ordinal"'))
        cls.ids = [taxon for taxon in taxa if taxon is not None]

    @classmethod
    def tearDownClass(cls):
        cls.home.cleanup()

    def ask(self, *arguments, text):
        return subprocess.run([STOL, "query", *arguments, "-", "--no-header"], input=text, text=True,
                              encoding="utf-8", env=self.environment, capture_output=True,
                              check=True).stdout.splitlines()

    def test_lca_and_lineage_agree(self):
        seed = random.randrange(1 << 32)
        generator = random.Random(seed)
        pairs = [(generator.choice(self.ids), generator.choice(self.ids)) for _ in range(5000)]
        text = "".join(f"{a}\t{b}\n" for a, b in pairs)
        ours = [line.split("\t")[2] or "-" for line in self.ask("lca", text=text)]
        # An implied root, which has no id, is nothing in both.
        theirs = [line or "-" for line in read("lca", self.pack, text=text).stdout.splitlines()]
        self.assertEqual(ours, theirs, seed)
        text = "".join(f"{a}\n" for a, _ in pairs)
        ours = [line.split("\t")[2].replace(";", "\t") for line in self.ask("lineage", text=text)]
        self.assertEqual(ours, read("lineage", self.pack, text=text).stdout.splitlines(), seed)

    def test_check_passes(self):
        self.assertEqual(read("check", self.pack).stdout, "ok\n")


if __name__ == "__main__":
    unittest.main()
