"""The pack of well-known organisms: the readers of its packages, what pictures show, and the pack where the packages are here."""
import argparse
import importlib.machinery
import importlib.util
import json
import pathlib
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOL = ROOT / "Tools/make-sample-media"
sys.path[:0] = [str(ROOT / "Tools/media"), str(ROOT / "Tools/ncbi"), str(pathlib.Path(__file__).resolve().parent)]

import art4apps  # noqa: E402
import container_test  # noqa: E402
import drawn  # noqa: E402
import emoji  # noqa: E402
import gcompris  # noqa: E402
import ncbi  # noqa: E402
import packages  # noqa: E402
import rcc  # noqa: E402
import scaling  # noqa: E402
import stamps  # noqa: E402
import taxa  # noqa: E402
from container_test import STOL  # noqa: E402
from picture import Picture  # noqa: E402

PACKAGES = (gcompris.PACKAGE, stamps.PACKAGE, emoji.PACKAGE, art4apps.PACKAGE, packages.CLDR)
# What the packages may be under, each in Debian's main.
LICENCES = {"public domain", "CC0-1.0", "CC-BY-2.0", "CC-BY-3.0", "CC-BY-SA-2.5", "CC-BY-SA-3.0", "CC-BY-SA-4.0", "OFL-1.1", "GFDL",
            "GFDL-1.2-or-later", "GPL-2.0-or-later", "GPL-2.0-or-later, CC-BY-SA or GFDL", "GFDL or CC-BY-SA-2.5"}
BEGINNINGS = {"png": b"\x89PNG\r\n\x1a\n", "jpeg": b"\xff\xd8\xff", "webp": b"RIFF"}


def what_is_missing():
    """What the pack needs and is not here, in one line; empty where all is."""
    cache = ncbi.default_cache() / "debs"
    missing = [package.file_name for package in PACKAGES if not (cache / package.file_name).exists()]
    if shutil.which("cwebp") is None:
        missing.append("cwebp")
    try:
        emoji.library()
    except ncbi.DataError:
        missing.append("fontTools")
    return ", ".join(missing)


def resources(files):
    """What rcc writes of files in one folder: pairs of a name and content, compressed where it is long."""
    names, data, nodes = b"", b"", []
    for name, flags, second in [("", 2, 1), ("pictures", 2, 2)] + [(name, None, content) for name, content in files]:
        place = len(names)
        names += struct.pack(">HI", len(name), 0) + name.encode("utf-16-be")
        if flags is not None:
            nodes.append(struct.pack(">IHIIQ", place, flags, 1 if second == 1 else len(files), second, 0))
            continue
        is_long = len(second) > 20
        content = struct.pack(">I", len(second)) + zlib.compress(second) if is_long else second
        nodes.append(struct.pack(">IHIIQ", place, int(is_long), 0, len(data), 0))
        data += struct.pack(">I", len(content)) + content
    tree = b"".join(nodes)
    start = 24
    return struct.pack(">4sIIIII", b"qres", 3, start, start + len(tree), start + len(tree) + len(data), 0) + tree + data + names


def small_taxa():
    """A lion, a fox, and two kinds of robins that have nothing to do with each other."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE taxa (id, parent_id, rank, scientific_name, prominence)")
    connection.execute("CREATE TABLE names (taxon_id, name, lang)")
    connection.executemany("INSERT INTO taxa VALUES (?, ?, ?, ?, ?)", [
        (1, None, "clade", "Animalia", 40), (2, 1, "genus", "Panthera", 20), (3, 2, "species", "Panthera leo", 41),
        (4, 1, "species", "Erithacus rubecula", 20), (5, 1, "species", "Turdus migratorius", 18), (6, 1, "genus", "Vulpes", 24),
        (7, 6, "species", "Vulpes vulpes", 23), (8, 1, "species", "Pteropus poliocephalus", 5), (9, 2, "species", "Panthera prisca", 50)])
    connection.executemany("INSERT INTO names VALUES (?, ?, ?)", [
        (3, "lion", "en"), (4, "robin", "en"), (5, "robin", "en"), (6, "fox", "en"), (7, "fox", "en"), (7, "Canis vulpes", "la"),
        (8, "Grey-headed flying fox", "en"), (9, "Panthera leo", "la"), (3, "Löwe", "de")])
    return taxa.Taxa(connection)


class ReadingTests(unittest.TestCase):
    def test_resources_of_qt_come_out_as_they_went_in(self):
        files = [("a.webp", b"RIFF"), ("README", b"Copyright: somebody\nLicense: CC0-1.0\n" * 3)]
        self.assertEqual([(file.path, file.data) for file in rcc.files(resources(files))],
                         [(f"/pictures/{name}", content) for name, content in files])
        with self.assertRaises(ncbi.DataError):
            list(rcc.files(b"rubbish" * 10))

    def test_credits_are_read_in_any_order_and_over_lines(self):
        readme = ("Copyright: A: B\nSource: https://example.org/File:A_(b).jpg\nLicense: CC-BY-SA 4.0\nComments: cropping\nFiles: a.webp\n\n"
                  "Files:\nb.webp\nc.webp\nCopyright: C\nLicense: Public domain\n")
        first, second = gcompris.credits(readme)
        self.assertEqual((first["Copyright"], first["Source"], first["Files"]), ("A: B", "https://example.org/File:A_(b).jpg", "a.webp"))
        self.assertEqual(second["Files"], "b.webp c.webp")
        self.assertEqual([gcompris.licence(credit["License"]) for credit in (first, second)], ["CC-BY-SA-4.0", "public domain"])
        self.assertEqual(gcompris.title_of(first["Source"]), "A (b)")
        self.assertEqual(gcompris.title_of("https://example.org/photos/23072904076/"), "")

    def test_stamps_are_called_by_their_text(self):
        for text, expected in (("A crow.", "crow"), ("An European Bear!", "european bear"), ("A ginger 'root'.", "ginger 'root'"),
                               ("A peacock (a male peafowl).", "peacock"), ("A hen, brown.", "hen"), ("Hibiscus", "hibiscus")):
            self.assertEqual(stamps.name_of(text), expected)

    def test_the_last_credit_is_of_all_stamps(self):
        credits = stamps.read_credits()
        self.assertEqual(credits[-1].stamps, ["*"])
        for credit in credits:
            self.assertTrue(credit.author)
            self.assertIn(credit.licence, LICENCES)
        listed = [stamp for credit in credits for stamp in credit.stamps]
        self.assertEqual(len(set(listed)), len(listed))

    def test_plurals_are_said_of_one(self):
        self.assertEqual([art4apps.singular(name) for name in ("plums", "cherries", "fig")], ["plum", "cherry", "fig"])

    def test_sizes_are_in_the_head(self):
        extended = b"RIFF....WEBPVP8X" + bytes(8) + (1919).to_bytes(3, "little") + (1079).to_bytes(3, "little")
        lossless = b"RIFF....WEBPVP8L" + bytes(5) + (99 | 49 << 14).to_bytes(4, "little")
        plain = b"RIFF....WEBPVP8 " + bytes(10) + struct.pack("<HH", 640, 480)
        png = b"\x89PNG\r\n\x1a\n" + bytes(8) + struct.pack(">II", 136, 128)
        for data, expected in ((extended, (1920, 1080)), (lossless, (100, 50)), (plain, (640, 480)), (png, (136, 128))):
            self.assertEqual(scaling.size(Picture("", data, "", "", "", "", None)), expected)


class TaxaTests(unittest.TestCase):
    def test_a_common_name_means_the_prominent_one_if_one_is(self):
        known = small_taxa()
        self.assertEqual([known.called(name) for name in ("Lion", "robin", "fox", "löwe", "grey headed flying-fox")], [3, None, 6, None, 8])

    def test_an_accepted_name_goes_before_a_synonym(self):
        known = small_taxa()
        self.assertEqual([known.named(name) for name in ("Panthera leo", "Canis vulpes", "Panthera")], [3, 7, 2])

    def test_titles_of_photographs_name_taxa(self):
        known = small_taxa()
        for title, expected in (("Erithacus rubecula - Vulpes vulpes", 4), ("Lion (panthera leo) 2", 3), ("A Grey headed flying fox 1", 8),
                                ("fox", None), ("Vulpes", None)):
            self.assertEqual(known.in_text(title), expected, title)

    def test_every_exception_is_in_the_built_in_taxonomy(self):
        known = taxa.built_in()
        exceptions = taxa.Exceptions(known)
        self.assertGreater(len(exceptions.taxon), 100)
        self.assertEqual({key.partition(" ")[0] for key in exceptions.taxon}, {"gcompris", "stamp", "emoji", "art4apps"})

    def test_an_exception_that_is_no_taxon_is_refused(self):
        with tempfile.NamedTemporaryFile("w", suffix=".tsv") as file:
            file.write("picture\tscientific_name\tremark\nstamp a\tPanthera onca\t\n")
            file.flush()
            with self.assertRaises(ncbi.DataError):
                taxa.Exceptions(small_taxa(), pathlib.Path(file.name))


@unittest.skipIf(what_is_missing(), f"missing, which Tools/make-sample-media would fetch or name: {what_is_missing()}")
class PackTests(unittest.TestCase):
    setUp = container_test.ContainerTests.setUp
    stol = container_test.ContainerTests.stol

    def make(self, *arguments):
        return subprocess.run([TOOL, *arguments], capture_output=True, text=True, check=False)

    def test_the_pack_has_300_taxa_with_authors_and_licences(self):
        pictures = self.folder / "pictures"
        done = self.make("--folder", pictures)
        self.assertEqual(done.returncode, 0, done.stderr)
        images = json.loads((pictures / "manifest.json").read_text())["images"]
        self.assertEqual(len({image["taxon"]["id"] for image in images}), 300)
        self.assertEqual({image["file"] for image in images} | {"manifest.json"}, {path.name for path in pictures.iterdir()})
        self.assertEqual({image["licence"] for image in images} - LICENCES, set())
        for image in images:
            data = (pictures / image["file"]).read_bytes()
            self.assertTrue(data.startswith(BEGINNINGS[image["type"]]), image)
            self.assertLess(len(data), 100_000, image)
            for member in ("title", "author", "licence", "source"):
                self.assertTrue(0 < len(image[member].encode()) <= 1000, (member, image))
        shown = {image["taxon"]["name"] for image in images}
        self.assertLessEqual({"Panthera leo", "Canis lupus", "Aves", "Zea mays", "Homo sapiens", "Araneae", "Spheniscidae"}, shown)
        if STOL.exists():
            passphrase, pack, key = self.folder / "passphrase", self.folder / "signed.stol-media", self.folder / "key"
            passphrase.write_text("test\n")
            self.assertEqual(self.stol("db", "keygen", "-o", key, "--passphrase-file", passphrase).returncode, 0)
            done = self.stol("media", "sign", pictures, "-o", pack, "--key", f"{key}.key", "--id", "well-known", "--release", "1",
                             "--passphrase-file", passphrase)
            self.assertEqual(done.returncode, 0, done.stderr)
            done = self.stol("media", "add", pack, "--key", f"{key}.pub")
            self.assertEqual(done.returncode, 0, done.stderr)
            for image in images:
                done = self.stol("media", "image", image["taxon"]["id"], "-o", self.folder / "out")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual((self.folder / "out").read_bytes(), (pictures / image["file"]).read_bytes(), image)


@unittest.skipUnless(STOL.exists(), "the command stol has not been built")
class SigningTests(unittest.TestCase):
    setUp = container_test.ContainerTests.setUp
    stol = container_test.ContainerTests.stol

    def test_a_key_is_made_once_and_signs(self):
        loader = importlib.machinery.SourceFileLoader("make_sample_media", str(TOOL))
        tool = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
        writes_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
        self.addCleanup(setattr, sys, "dont_write_bytecode", writes_bytecode)
        loader.exec_module(tool)
        drawn.write(self.folder / "drawn")
        passphrase, keys = self.folder / "passphrase", []
        passphrase.write_text("test\n")
        for release in (1, 2):
            pack = self.folder / "few.stol-media"
            tool.sign(self.folder / "drawn", argparse.Namespace(
                stol=STOL, key=None, output=pack, id="few", release=release, passphrase_file=str(passphrase)))
            self.assertEqual(self.stol("verify", pack, "--key", self.folder / "few.pub").returncode, 0)
            keys.append((self.folder / "few.pub").read_bytes())
        self.assertEqual(keys[0], keys[1])


if __name__ == "__main__":
    unittest.main()
