"""The map of land: what is committed is what Tools/make-coast writes, and its parts do what they say.

    STOL_COAST_PACKAGE=r-cran-rnaturalearthdata.deb    takes that file and not the network
"""
import base64
import importlib.machinery
import importlib.util
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COAST = ROOT / "Sources/STOLJournal/Coast"


def tool():
    loader = importlib.machinery.SourceFileLoader("make_coast", str(ROOT / "Tools/make-coast"))
    loaded = importlib.util.module_from_spec(importlib.util.spec_from_loader("make_coast", loader))
    loader.exec_module(loaded)
    return loaded


def downloaded(folder):
    """The file of the package, or None where there is no network."""
    if "STOL_COAST_PACKAGE" in os.environ:
        return os.environ["STOL_COAST_PACKAGE"]
    if not shutil.which("apt-get"):
        return None
    module = tool()
    done = subprocess.run(["apt-get", "download", "-qq", f"{module.PACKAGE}={module.VERSION}"],
                          cwd=folder, capture_output=True, check=False)
    found = list(pathlib.Path(folder).glob("*.deb"))
    return str(found[0]) if done.returncode == 0 and found else None


def is_inside(lines, y, x):
    """Whether a point that no line has as a corner is in an odd number of lines."""
    count = 0
    for line in lines:
        for (b, a), (d, c) in zip(line, line[1:] + line[:1]):
            if (b > y) != (d > y) and a + (y - b) / (d - b) * (c - a) > x:
                count += 1
    return count % 2 == 1


class CoastTests(unittest.TestCase):
    def test_what_is_committed_is_what_is_written(self):
        with tempfile.TemporaryDirectory() as folder:
            package = downloaded(folder)
            if package is None:
                self.skipTest("the package cannot be downloaded")
            for _ in range(2):
                module = tool()
                module.FOLDER = pathlib.Path(folder)
                module.sys.argv = ["make-coast", package]
                with open(os.devnull, "w") as quiet:
                    printed, module.sys.stdout = module.sys.stdout, quiet
                    try:
                        module.main()
                    finally:
                        module.sys.stdout = printed
                for _, name, _, _ in module.MAPS:
                    self.assertEqual((pathlib.Path(folder) / f"{name}.swift").read_bytes(),
                                     (COAST / f"{name}.swift").read_bytes(), name)

    def test_the_maps_are_small(self):
        for name, limit in (("LandTable110", 60_000), ("LandTable50", 400_000)):
            text = (COAST / f"{name}.swift").read_text()
            binary = base64.b64decode(re.sub(r"\s", "", text.split('"""')[1]), validate=True)
            self.assertLess(len(binary), limit, name)
            self.assertGreater(len(binary), 5_000, name)
            self.assertIn("public domain", text)

    def test_a_border_of_two_is_no_coast(self):
        module = tool()
        # Three squares in a row, and one in the middle of a large one.
        squares = [[(y, x), (y, x + s), (y + s, x + s), (y + s, x), (y, x)]
                   for y, x, s in ((0, 0, 2), (0, 2, 2), (0, 4, 2), (10, 10, 9))]
        hole = [(12, 12), (12, 15), (15, 15), (15, 12), (12, 12)]
        lines = list(module.outline(squares + [hole, hole[::-1]]))
        self.assertEqual(sum(len(line) for line in lines), 8 + 4)
        for y in range(20):
            for x in range(20):
                point = (y + 0.5, x + 0.5)
                self.assertEqual(is_inside(lines, *point), is_inside([s[:-1] for s in squares], *point), point)

    def test_simpler_lines_stay_near(self):
        module = tool()
        source = random.Random(1)
        for _ in range(50):
            line = []
            while len(line) < 40:
                corner = (source.randrange(100), source.randrange(100))
                if corner not in line:
                    line.append(corner)
            self.assertEqual(set(module.simplified(line, 0.0)) - set(line), set())
            kept = module.simplified(line, 5.0)
            self.assertEqual(kept, [corner for corner in line if corner in kept])
            for y, x in line:
                near = min(self.distance(y, x, a, b) for a, b in zip(kept, kept[1:] + kept[:1]))
                self.assertLessEqual(near, 5.0 + 1e-9)

    @staticmethod
    def distance(y, x, a, b):
        (p, q), (r, s) = a, b
        length = (r - p) ** 2 + (s - q) ** 2
        share = max(0, min(1, ((y - p) * (r - p) + (x - q) * (s - q)) / length)) if length else 0
        return ((y - p - share * (r - p)) ** 2 + (x - q - share * (s - q)) ** 2) ** 0.5

    def test_numbers_are_read_as_they_are_written(self):
        module = tool()
        for value in (0, 1, -1, 63, 64, -64, -65, 18_000, -36_000, 10 ** 9):
            number = shift = 0
            for byte in module.number(value):
                number |= (byte & 127) << shift
                shift += 7
            self.assertEqual(number >> 1 ^ -(number & 1), value)

    def test_values_of_r_are_read(self):
        module = tool()
        text = struct.pack(">ii", 9 | 64 << 12, 2) + b"ab"
        names = struct.pack(">i", 1) + struct.pack(">ii", 9, 5) + b"names"
        data = (b"X\n" + struct.pack(">3i", 2, 0x040202, 0x020300)
                + struct.pack(">ii", 14 | 512, 2) + struct.pack(">2d", 1.5, -2)
                + struct.pack(">i", 2 | 1024) + names
                + struct.pack(">ii", 16, 2) + text + struct.pack(">ii", 9, -1)
                + struct.pack(">i", 254))
        value = module.Reader(data).item()
        self.assertEqual(value.content, (1.5, -2.0))
        self.assertEqual(value.attributes["names"].content, ["ab", None])
        for end in range(2, len(data)):
            with self.assertRaises((ValueError, struct.error)):
                module.Reader(data[:end]).item()

    def test_another_package_is_refused(self):
        with tempfile.NamedTemporaryFile() as file:
            done = subprocess.run([ROOT / "Tools/make-coast", file.name], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("SHA-256", done.stderr)


if __name__ == "__main__":
    unittest.main()
