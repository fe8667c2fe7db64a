"""The engine alone, as a WebAssembly module without imports, answers what it answers natively."""
import gzip
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import unittest

from read_pack_test import damaged

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VECTORS = ROOT / "Format/vectors/v2"
ALONE = ROOT / "Tests/EngineAlone"
BUILT = ROOT / ".build-wasm"
RELEASE = pathlib.Path(os.environ.get("STOL_BINARY", ROOT / ".build-test/release/stol")).parent
NATIVE = RELEASE / "EngineAnswers"
TOOLCHAIN = pathlib.Path(shutil.which("swiftc") or "swiftc").resolve().parent
TARGET = "wasm32-unknown-none-wasm"
UNICODE = TOOLCHAIN.parent / "lib/swift/embedded" / TARGET / "libswiftUnicodeDataTables.a"
FLAGS = ["-target", TARGET, "-wmo", "-parse-as-library", "-Osize", "-swift-version", "6", "-package-name", "stol",
         "-enable-experimental-feature", "Embedded", "-enable-experimental-feature", "Lifetimes",
         "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature", "InternalImportsByDefault",
         "-enable-upcoming-feature", "MemberImportVisibility"]
ASKED = 1000


def run(*command):
    subprocess.run([str(part) for part in command], check=True, cwd=ROOT)


def build():
    """All of STOLPack but what touches files, and what asks it, as one module; linked by the toolchain itself."""
    BUILT.mkdir(exist_ok=True)
    engine = sorted(path for path in (ROOT / "Sources/STOLPack").rglob("*.swift") if path.parent.name != "File")
    run(TOOLCHAIN / "swiftc", *FLAGS, "-c", *engine, ALONE / "PackView+Answer.swift", ALONE / "Wasm/Exports.swift",
        "-module-name", "STOLPack", "-o", BUILT / "engine.o")
    run(TOOLCHAIN / "clang", "-target", "wasm32-unknown-none", "-Oz", "-ffreestanding", "-fno-builtin",
        "-c", ALONE / "Wasm/platform.c", "-o", BUILT / "platform.o")
    module = BUILT / "engine.wasm"
    run(TOOLCHAIN / "wasm-ld", "--no-entry", "--gc-sections", "--strip-all", "--stack-first",
        "-z", "stack-size=1048576", BUILT / "engine.o", BUILT / "platform.o", UNICODE, "-o", module)
    return module


def misspelt(name, chance):
    """`name` with an edit or two."""
    letters = list(name)
    for _ in range(chance.randint(1, 2)):
        place = chance.randrange(len(letters))
        letters[place:place + chance.randint(0, 1)] = chance.choice(["", "a", "e", "s", "th"])
    return "".join(letters) or name


def questions(pack):
    """Of every kind, about the taxa of a pack."""
    chance = random.Random(17)
    dump = subprocess.run([ROOT / "Tools/read-pack", "dump", pack], check=True, capture_output=True).stdout
    taxa = [line for line in map(json.loads, dump.splitlines()) if "ordinal" in line]
    names = [taxon["scientificName"] for taxon in taxa]
    names += [name["name"] for taxon in taxa for name in taxon["names"]]
    languages = sorted({name["lang"] for taxon in taxa for name in taxon["names"]} | {"en", "pt-BR"})

    def taxon():
        return str(chance.choice(taxa)["id"])

    def name():
        return chance.choice(names).replace("\t", " ")

    def beginning():
        text = name()
        return text[:chance.randint(1, len(text))]

    kinds = {
        "lca": lambda: "\t".join(taxon() for _ in range(chance.randint(2, 5))),
        "tree": lambda: "\t".join(taxon() for _ in range(chance.randint(1, 9))),
        "lineage": taxon, "children": taxon, "taxon": taxon, "relatives": taxon,
        "compare": lambda: taxon() + "\t" + taxon(),
        "names": lambda: taxon() + "\t" + chance.choice(languages),
        "exact": name, "complete": beginning, "auto": beginning, "resolve": lambda: chance.choice([name, taxon])(),
        "fuzzy": lambda: misspelt(name(), chance), "fuzzy3": lambda: misspelt(name(), chance),
        "meant": lambda: misspelt(name(), chance)}
    order = list(kinds)
    return [f"{order[n % len(order)]}\t{kinds[order[n % len(order)]]()}" for n in range(ASKED)]


def answers(command, asked):
    return subprocess.run([str(part) for part in command], input="".join(line + "\n" for line in asked),
                          text=True, encoding="utf-8", check=True, capture_output=True).stdout.splitlines()


@unittest.skipUnless(NATIVE.exists(), "EngineAnswers has not been built")
@unittest.skipUnless(shutil.which("node"), "node is missing: Tools/setup --tests")
@unittest.skipUnless(UNICODE.exists(), "this toolchain has no Embedded Swift for WebAssembly")
class EngineAloneTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.module = build()
        cls.alone = ["node", ALONE / "Wasm/run.mjs", cls.module]

    def compare(self, pack):
        asked = questions(pack)
        native, alone = answers([NATIVE, pack], asked), answers([*self.alone, pack], asked)
        self.assertEqual(len(native), ASKED)
        for question, expected, got in zip(asked, native, alone):
            self.assertEqual(got, expected, question)
        self.assertEqual(len(alone), ASKED)

    def test_answers_equal_about_the_embedded_taxonomy(self):
        with tempfile.TemporaryDirectory() as folder:
            database = pathlib.Path(folder) / "default.sqlite"
            database.write_bytes(gzip.decompress((ROOT / "Sources/CDefaultDatabase/default.sqlite.gz").read_bytes()))
            pack = database.with_suffix(".stolpack")
            run(RELEASE / "stol", "pack", database, "-o", pack, "--quiet")
            self.compare(pack)
        print(f"{ASKED} answers are equal; the module has {self.module.stat().st_size:,} bytes")

    def test_answers_equal_about_the_vectors(self):
        for pack in sorted((VECTORS / "valid").glob("*.stolpack")):
            self.compare(pack)

    def test_damaged_packs_are_refused_alike_and_end_nothing(self):
        lines = (VECTORS / "invalid/cases.tsv").read_text().splitlines()[1:]
        asked = questions(VECTORS / "valid/life.stolpack")[:100]
        with tempfile.TemporaryDirectory() as folder:
            pack = pathlib.Path(folder) / "damaged.stolpack"
            for line in lines:
                data = damaged(line.split("\t"))
                pack.write_bytes(data)
                if data:  # An empty file is no pack that could be mapped.
                    native, alone = answers([NATIVE, pack], asked), answers([*self.alone, pack], asked)
                    self.assertEqual(len(alone), len(native), line)
                    # A number that takes more than 32 bits may be refused for another reason.
                    if len(native) > 1:
                        self.assertEqual(alone, native, line)


if __name__ == "__main__":
    unittest.main()
