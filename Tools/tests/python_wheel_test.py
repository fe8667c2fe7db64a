"""The wheels that Tools/wheel has built: what is in them, and on which systems they run.

    Tools/wheel --test
"""
import os
import pathlib
import re
import subprocess
import sys
import unittest
import zipfile

from door import PACK, ROOT

FOLDER = pathlib.Path(os.environ.get("STOL_WHEELS", ROOT / ".build-doors/wheel"))


def wheel(name):
    """The wheel of a package."""
    found = sorted(FOLDER.glob(f"{name}-*.whl"))
    if not found:
        raise unittest.SkipTest(f"{FOLDER} has no wheel {name}: Tools/wheel builds it")
    return found[0]


class WheelTests(unittest.TestCase):
    def test_the_wheel_is_small_and_whole(self):
        path = wheel("stol")
        self.assertLess(path.stat().st_size, 4_000_000)
        with zipfile.ZipFile(path) as archive:
            names = {name for name in archive.namelist() if name.startswith("stol/")}
            (licence,) = [name for name in archive.namelist() if name.endswith(".dist-info/licenses/LICENSE")]
            self.assertEqual(archive.read(licence), (ROOT / "LICENSE").read_bytes())
            metadata = archive.read(licence.replace("licenses/LICENSE", "METADATA")).decode()
            self.assertRegex(metadata, r"\nLicense-File: LICENSE\n")
        modules = {f"stol/{path.name}" for path in (ROOT / "Doors/python/stol").iterdir() if path.suffix == ".py"}
        self.assertEqual(names, modules | {"stol/py.typed", "stol/libstol.so.1"})

    def test_it_runs_where_its_name_says(self):
        path = wheel("stol")
        try:
            import auditwheel  # noqa: F401
        except ImportError:
            self.skipTest("auditwheel is missing")
        said = subprocess.run([sys.executable, "-m", "auditwheel", "show", str(path)], capture_output=True, text=True, check=True).stdout
        able = re.search(r'platform\s+tag:\s+"manylinux_2_(\d+)_', said)
        named = re.search(r"-py3-none-manylinux_2_(\d+)_", path.name)
        self.assertLessEqual(int(able[1]), int(named[1]), said)

    def test_the_wheel_of_data(self):
        with zipfile.ZipFile(wheel("stol_data")) as archive:
            self.assertEqual(archive.read("stol_data/default.stolpack"), PACK.read_bytes())
            self.assertIn("stol_data/py.typed", archive.namelist())
        taxa = int.from_bytes(PACK.read_bytes()[24:28], "little")
        self.assertIn(f"{taxa:,} taxa", (ROOT / "Doors/python/data/README.md").read_text().replace("\n", " "))


if __name__ == "__main__":
    unittest.main()
