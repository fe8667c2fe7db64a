"""Tests of the independent reader, Tools/read-pack, and of its agreement with the command stol."""
import json
import os
import pathlib
import random
import struct
import subprocess
import tempfile
import unittest
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VECTORS = ROOT / "Format/vectors/v1"
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


class VectorTests(unittest.TestCase):
    def test_dumps_every_vector(self):
        for pack in sorted((VECTORS / "valid").glob("*.stolpack")):
            self.assertEqual(read("dump", pack).stdout,
                             pack.with_suffix(".jsonl").read_text(encoding="utf-8"), pack.name)
            self.assertEqual(read("check", pack).stdout, "ok\n", pack.name)

    def test_reports_every_damage(self):
        lines = (VECTORS / "invalid/cases.tsv").read_text().splitlines()[1:]
        self.assertGreaterEqual(len(lines), 72)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "damaged.stolpack"
            for line in lines:
                case = line.split("\t")
                path.write_bytes(damaged(case))
                wanted = 0 if case[4] == "never" else 3
                self.assertEqual(read("check", path).returncode, wanted, case[0])

    def test_lca_equals_a_walk(self):
        for name in ("blocks", "life", "many", "roots"):
            pack = VECTORS / f"valid/{name}.stolpack"
            taxa = [json.loads(line) for line in
                    pack.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()]
            parents = {t["id"]: t["parent"] for t in taxa if "ordinal" in t}

            def path(taxon):
                return [] if taxon is None else path(parents[taxon]) + [taxon]

            pairs = [(a, b) for a in parents for b in parents]
            expected = []
            for a, b in pairs:
                common = [x for x, y in zip(path(a), path(b)) if x == y]
                expected.append(str(common[-1]) if common else "-")
            text = "".join(f"{a}\t{b}\n" for a, b in pairs)
            self.assertEqual(read("lca", pack, text=text).stdout.split("\n")[:-1], expected, name)


@unittest.skipUnless(STOL.exists(), "the command stol has not been built")
class AgreementTests(unittest.TestCase):
    """Both readers give the same answers on the embedded default taxonomy."""

    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory()
        cls.environment = {**os.environ, "STOL_HOME": cls.home.name, "STOL_PACK": ""}
        subprocess.run([STOL, "query", "search", "lion", "-q"], env=cls.environment, check=True,
                       stdout=subprocess.DEVNULL)
        cls.pack = pathlib.Path(cls.home.name) / "Databases/bundled.stolpack"
        dump = read("dump", cls.pack).stdout.split("\n")
        cls.ids = [json.loads(line)["id"] for line in dump if line.startswith('{"ordinal"')]

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
        self.assertEqual(ours, read("lca", self.pack, text=text).stdout.splitlines(), seed)
        text = "".join(f"{a}\n" for a, _ in pairs)
        ours = [line.split("\t")[2].replace(";", "\t") for line in self.ask("lineage", text=text)]
        self.assertEqual(ours, read("lineage", self.pack, text=text).stdout.splitlines(), seed)

    def test_check_passes(self):
        self.assertEqual(read("check", self.pack).stdout, "ok\n")


if __name__ == "__main__":
    unittest.main()
