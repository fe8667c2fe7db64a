"""Rules of the house that no compiler checks."""
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# Where `unsafe` may be written.
BRIDGES = ("Sources/STOLPack/Bytes", "Sources/STOLGzip", "Sources/STOLImport/Sodium",
           "Sources/STOLImport/SQLite",
           # libarchive, expat, libmarisa, libzstd
           "Sources/STOLIngest/Archive", "Sources/STOLIngest/Expat", "Sources/STOLIngest/Marisa",
           "Sources/STOLIngest/Zstd",
           # the files of the explorer inside the program
           "Sources/STOLServer/Assets")


def tracked():
    """The files of the repository."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    return [ROOT / name for name in names.decode().split("\0") if name]


class HouseTests(unittest.TestCase):
    def test_unsafe_lives_in_one_folder_and_the_bridges_to_c(self):
        allowed = [ROOT / folder for folder in BRIDGES]
        for path in (ROOT / "Sources").rglob("*.swift"):
            if re.search(r"\bunsafe\b", path.read_text(encoding="utf-8")):
                self.assertIn(path.parent, allowed, path)

    def test_every_unsafe_function_states_its_invariant(self):
        for folder in BRIDGES:
            for path in (ROOT / folder).glob("*.swift"):
                text = path.read_text(encoding="utf-8")
                if re.search(r"\bunsafe\b", text):
                    self.assertIn("// SAFETY:", text, path)

    def test_pack_depends_on_nothing(self):
        for path in (ROOT / "Sources/STOLPack").rglob("*.swift"):
            imports = re.findall(r"^\s*(?:\w+ )?import (\w+)", path.read_text(encoding="utf-8"), re.M)
            self.assertLessEqual(set(imports), {"Glibc", "Musl", "Darwin", "os", "Synchronization"}, path)

    def test_files_are_small_and_none_is_a_build_product(self):
        for path in tracked():
            if path.exists():
                self.assertLessEqual(path.stat().st_size, 5 << 20, path)
            self.assertNotRegex(str(path.relative_to(ROOT)), r"(^|/)(\.build[^/]*/|Package\.resolved$)")

    def test_readme_is_short(self):
        self.assertLess(len((ROOT / "README.md").read_text().splitlines()), 150)


if __name__ == "__main__":
    unittest.main()
