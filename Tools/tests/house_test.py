"""Rules of the house that no compiler checks."""
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# Where `unsafe` may be written.
BRIDGES = ("Sources/STOLSystem", "Sources/STOLPack/Bytes", "Sources/STOLGzip",
           "Sources/STOLTrust/Cryptography", "Sources/STOLTrust/CryptoKit", "Sources/STOLTrust/Sodium",
           "Sources/STOLTrust/SQLite",
           # connections that get a key
           "Sources/STOLStore/Encryption",
           # libarchive, expat, libzstd, libmarisa
           "Sources/STOLFormats/Archive", "Sources/STOLFormats/Expat", "Sources/STOLFormats/Zstd",
           "Sources/STOLIngest/Marisa",
           # libjpeg
           "Sources/STOLJournal/JPEG",
           # libjpeg, libwebp, libpng
           "Sources/STOLServer/Thumbnails",
           # the files of the explorer inside the program
           "Sources/STOLServer/Assets",
           # pointers of programs in other languages
           "Doors/c/Sources/Door/Bridge")

# The rooms, each with those below it that it may know; the command may know all.
ARROWS = {
    "STOLSystem": "",
    "STOLGzip": "STOLSystem",
    "STOLPack": "STOLSystem",
    "STOLFormats": "STOLSystem STOLGzip",
    "STOLNames": "STOLPack",
    "STOLMatch": "STOLPack STOLNames",
    "STOLTrust": "STOLSystem STOLGzip STOLPack",
    "STOLStore": "STOLSystem STOLTrust",
    "STOLData": "STOLSystem STOLGzip STOLPack STOLTrust STOLNames",
    "STOLSearch": "STOLSystem STOLPack STOLMatch STOLData",
    "STOLCompare": "STOLSystem STOLPack STOLData",
    "STOLDiagnostics": "STOLSystem STOLPack STOLData",
    "STOLImport": "STOLSystem STOLPack STOLData STOLTrust",
    "STOLFavorites": "STOLSystem STOLPack STOLData STOLStore",
    "STOLMedia": "STOLSystem STOLPack STOLData STOLTrust",
    "STOLJournal": "STOLSystem STOLPack STOLTrust STOLNames STOLMatch STOLData STOLStore STOLFormats STOLMedia",
    "STOLIngest": "STOLSystem STOLPack STOLFormats STOLNames",
    "STOLAnswers": "STOLSystem STOLGzip STOLPack STOLFormats STOLMatch STOLData STOLSearch STOLCompare",
    "STOLServer": "STOLSystem STOLPack STOLFormats STOLMatch STOLData STOLSearch STOLCompare STOLAnswers STOLFavorites STOLMedia "
                  "STOLImport STOLTrust STOLDiagnostics STOLJournal STOLStore",
}
# Libraries of others, each with the rooms that may know it.
LIBRARIES = {
    "GRDB": {"STOLData", "STOLStore", "STOLFavorites", "STOLJournal", "STOLIngest"},
    "CSodium": {"STOLTrust"}, "CryptoKit": {"STOLTrust"}, "Crypto": {"STOLTrust"}, "CSQLite": {"STOLTrust"}, "CSQLiteMC": {"STOLTrust"},
    "CZlib": {"STOLGzip"},
    "CArchive": {"STOLFormats"}, "CExpat": {"STOLFormats"}, "CZstd": {"STOLFormats"},
    "CMarisa": {"STOLIngest"}, "CJPEG": {"STOLJournal"}, "CPictures": {"STOLServer"}, "Yams": {"STOLIngest"},
    "Hummingbird": {"STOLServer"}, "ArgumentParser": {"stol"},
}
# The built-in taxonomy: 20 MB with its pack, as default_taxonomy_test.py says.
LARGE_FILES = {"Sources/CDefaultDatabase/default.sqlite.gz", "Sources/CDefaultDatabase/default.stolpack"}
# Tables of data.
LONG_FILES = {"Sources/STOLPack/Search/FoldingTable.swift"}


def tracked():
    """The files of the repository."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    return [ROOT / name for name in names.decode().split("\0") if name]


def shipped():
    """The Swift files of what people use: of the rooms, and of the doors to other languages."""
    yield from sorted((ROOT / "Sources").rglob("*.swift"))
    for folder in sorted((ROOT / "Doors").glob("*/Sources")):
        yield from sorted(folder.rglob("*.swift"))


def imported(path):
    """What a Swift file imports."""
    return set(re.findall(
        r"^\s*(?:@\w+ )*(?:(?:public|package|internal|private) )?import (\w+)",
        path.read_text(encoding="utf-8"), re.M))


def imports():
    """Each source file of a room with its room and what it imports."""
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        yield path.relative_to(ROOT / "Sources").parts[0], path, imported(path)


class HouseTests(unittest.TestCase):
    def test_unsafe_lives_in_one_folder_and_the_bridges_to_c(self):
        allowed = [ROOT / folder for folder in BRIDGES]
        for path in shipped():
            if re.search(r"\bunsafe\b", path.read_text(encoding="utf-8")):
                self.assertIn(path.parent, allowed, path)

    def test_every_unsafe_function_states_its_invariant(self):
        for folder in BRIDGES:
            for path in (ROOT / folder).glob("*.swift"):
                text = path.read_text(encoding="utf-8")
                if re.search(r"\bunsafe\b", text):
                    self.assertIn("// SAFETY:", text, path)

    def test_arrows_between_rooms_point_down(self):
        manifest = (ROOT / "Package.swift").read_text(encoding="utf-8")
        declared = {
            name: set(re.findall(r'"(STOL\w+)"', dependencies)) for name, dependencies in re.findall(
                r'\.target\(\s*name: "(STOL\w+)"(?:,\s*dependencies: \[(.*?)\],\s*(?:exclude|swiftSettings))?',
                manifest, re.S)}
        umbrella = declared.pop("STOL", None)
        self.assertEqual(declared, {room: set(below.split()) for room, below in ARROWS.items()})
        order = list(ARROWS)
        for room, below in ARROWS.items():
            for other in below.split():
                self.assertLess(order.index(other), order.index(room), f"{room} knows {other}")
        self.assertTrue(umbrella is None or umbrella <= set(ARROWS))

    def test_the_documentation_names_all_rooms_and_products(self):
        manifest = (ROOT / "Package.swift").read_text(encoding="utf-8")
        page = (ROOT / "Sources/stol.docc/stol.md").read_text(encoding="utf-8")
        products = dict(re.findall(r'\.library\(\s*name: "(\w+)",\s*targets: \[(.*?)\]', manifest, re.S))
        tables = [set(re.findall(r"^\| `(\w+)` \|", table, re.M)) for table in page.split("\n\n")]
        self.assertIn(set(products), tables)
        self.assertIn({*ARROWS, "STOL"}, tables)
        for name, targets in products.items():
            line = re.search(rf"^\| `{name}` \|.*\|(.*)\|$", page, re.M)[1]
            self.assertLessEqual(set(re.findall(r"`(\w+)`", line)), set(re.findall(r'"(\w+)"', targets)), name)

    def test_rooms_import_what_they_may_know(self):
        for room, path, names in imports():
            if room in ARROWS:
                rooms = {name for name in names if name.startswith("STOL")} - {room}
                self.assertLessEqual(rooms, set(ARROWS[room].split()), path)
            for library in names & set(LIBRARIES):
                self.assertIn(room, LIBRARIES[library], f"{path} imports {library}")

    def test_one_room_calls_the_system(self):
        for room, path, names in imports():
            if names & {"Glibc", "Musl", "Darwin"}:
                self.assertEqual(room, "STOLSystem", path)

    def test_the_engine_is_without_a_system(self):
        for room, path, names in imports():
            if room == "STOLPack":
                allowed = {"STOLSystem"} if path.parent.name == "File" else set()
                self.assertLessEqual(names, allowed, path)

    def test_what_doors_carry_is_without_foundation(self):
        for room, path, names in imports():
            if room in {"STOLPack", "STOLNames", "STOLMatch"}:
                self.assertNotIn("Foundation", names, path)

    def test_doors_know_the_engine_and_the_matcher_alone(self):
        for path in shipped():
            if path.is_relative_to(ROOT / "Doors"):
                self.assertLessEqual(imported(path), {"STOLPack", "STOLMatch", "CDoor"}, path)

    def test_no_type_of_a_library_is_public(self):
        for path in (ROOT / "Sources").rglob("*.swift"):
            self.assertNotRegex(
                path.read_text(encoding="utf-8"),
                r"(?m)^public import (GRDB|C[A-Z]\w*|Yams|Hummingbird|NIO\w*|ArgumentParser)", path)

    def test_source_files_are_short(self):
        for path in shipped():
            if str(path.relative_to(ROOT)) not in LONG_FILES:
                self.assertLessEqual(len(path.read_text(encoding="utf-8").splitlines()), 500, path)

    def test_files_are_small_and_none_is_a_build_product(self):
        for path in tracked():
            if path.exists() and str(path.relative_to(ROOT)) not in LARGE_FILES:
                self.assertLessEqual(path.stat().st_size, 5 << 20, path)
            self.assertNotRegex(str(path.relative_to(ROOT)), r"(^|/)(\.build[^/]*/|Package\.resolved$)")

    def test_no_test_looks_at_a_clock(self):
        """Steps, calls or instructions are counted; what ends a hang sleeps and counts, or sets an alarm."""
        clocks = re.compile(  # In pieces, so that a search for these names does not find this test.
            r"\b((Continuous|Suspending)Clock|Dispatch(?:Time)|clock_get(?:time)|gettimeof(?:day)|systemUp(?:time)"
            r"|time(?:Limit))\b|\bDate(?:\(\)|\.(?:now)\b)|timeIntervalSince(?:Now)|performance\.(?:now)"
            r"|\bti(?:me)\.(time|monotonic|perf_counter|process_time|thread_time)(_ns)?\(")
        reports = {ROOT / "Tools/web/load.py", ROOT / "Tools/web/run.py"}  # They measure and report; no test.
        for path in tracked():
            folder = path.relative_to(ROOT).parts
            is_test = folder[0] == "Tests" and path.suffix == ".swift" or (
                folder[:2] in (("Tools", "tests"), ("Tools", "web")) and path.suffix == ".py")
            if is_test and path.exists() and path not in reports:
                self.assertNotRegex(path.read_text(encoding="utf-8"), clocks, path)

    def test_readme_is_short(self):
        self.assertLess(len((ROOT / "README.md").read_text().splitlines()), 150)


if __name__ == "__main__":
    unittest.main()
