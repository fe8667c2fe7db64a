"""Tests of media packs: the sample images, the vectors, and the agreement of Tools/verify-container with stol."""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import container_test  # noqa: E402
from container_test import ROOT, STOL, damaged, verify  # noqa: E402

VECTORS = ROOT / "Format/vectors/media"
KEYS = ROOT / "Format/vectors/container"


class MediaTests(unittest.TestCase):
    setUp = container_test.ContainerTests.setUp
    stol = container_test.ContainerTests.stol

    def draw(self, name):
        folder = self.folder / name
        subprocess.run([ROOT / "Tools/make-sample-media", "--drawn", folder], check=True)
        return {path.name: path.read_bytes() for path in folder.iterdir()}

    def test_the_drawn_sample_is_the_same_every_time_and_complete(self):
        first = self.draw("a")
        self.assertEqual(first, self.draw("b"))
        manifest = json.loads(first["manifest.json"])
        self.assertEqual({image["file"] for image in manifest["images"]} | {"manifest.json"}, set(first))
        for image in manifest["images"]:
            self.assertEqual((image["licence"], image["author"]), ("CC0-1.0", "stol"))
            self.assertTrue(first[image["file"]].startswith(b"\x89PNG\r\n\x1a\n"))
            self.assertLess(len(first[image["file"]]), 1000)

    def test_every_case_ends_as_it_must(self):
        cases = [line.split("\t") for line in (VECTORS / "cases.tsv").read_text().splitlines()[1:]]
        self.assertGreaterEqual(len(cases), 120)
        for key in ("test", "other"):
            chosen = [case for case in cases if case[2] == key]
            paths = []
            for number, (name, damage, _, _) in enumerate(chosen):
                paths.append(self.folder / f"{number}.stol-media")
                paths[-1].write_bytes(damaged((VECTORS / name).read_bytes(), damage))
            for case, outcome in zip(chosen, verify(KEYS / f"{key}.pub", *paths)):
                self.assertEqual(outcome, case[3], case)

    def test_every_vector_is_small_and_has_a_case(self):
        listed = {line.split("\t")[0] for line in (VECTORS / "cases.tsv").read_text().splitlines()[1:]}
        found = {str(path.relative_to(VECTORS)) for path in VECTORS.rglob("*.stol-media")}
        self.assertEqual(listed, found)
        for path in VECTORS.rglob("*.stol-media"):
            self.assertLess(path.stat().st_size, 4096, path)

    @unittest.skipUnless(STOL.exists(), "the command stol has not been built")
    def test_the_sample_is_written_byte_for_byte(self):
        self.draw("sample")
        made, passphrase = self.folder / "made.stol-media", self.folder / "passphrase"
        passphrase.write_text("test\n")
        done = self.stol("media", "sign", self.folder / "sample", "-o", made, "--key", KEYS / "test.key", "--id",
                         "sample", "--release", "1", "--passphrase-file", passphrase)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(made.read_bytes(), (VECTORS / "valid/sample.stol-media").read_bytes())

    @unittest.skipUnless(STOL.exists(), "the command stol has not been built")
    def test_a_sample_can_be_installed_and_its_images_come_out(self):
        sample = self.draw("sample")
        done = self.stol("media", "add", VECTORS / "valid/sample.stol-media", "--key", KEYS / "test.pub")
        self.assertEqual(done.returncode, 0, done.stderr)
        out = self.folder / "out.png"
        for taxon, name in (("Panthera leo", "lion.png"), ("9689", "lion.png"), ("Balaenopteridae", "whale.png"),
                            ("Viridiplantae", "leaf.png"), ("Homo sapiens", "tree.png")):
            done = self.stol("media", "image", taxon, "-o", out)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(out.read_bytes(), sample[name], done.stderr)

    @unittest.skipUnless(STOL.exists() and shutil.which("strace"), "needs the command stol, and strace")
    def test_a_killed_installation_leaves_the_old_release_or_the_new_one(self):
        self.draw("sample")
        passphrase, new = self.folder / "passphrase", self.folder / "new.stol-media"
        passphrase.write_text("test\n")
        done = self.stol("media", "sign", self.folder / "sample", "-o", new, "--key", KEYS / "test.key", "--id",
                         "sample", "--release", "2", "--passphrase-file", passphrase)
        self.assertEqual(done.returncode, 0, done.stderr)
        old, key = VECTORS / "valid/sample.stol-media", KEYS / "test.pub"
        self.assertEqual(self.stol("media", "add", old, "--key", key).returncode, 0)
        archive = self.folder / "home/Media/sample.stolimages"
        first = archive.read_bytes()
        environment = {**os.environ, "STOL_HOME": str(self.folder / "home")}
        found = set()
        for call in ("openat", "pread64", "pwrite64", "mkdir", "flock", "fsync", "rename", "unlink", "unlinkat", "rmdir"):
            for number in range(1, 100):
                killed = subprocess.run(
                    ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace=?{call}", "-e",
                     f"inject=?{call}:signal=SIGKILL:when={number}", STOL, "media", "add", new, "--key", key],
                    capture_output=True, check=False, env=environment)
                after = archive.read_bytes()
                found.add((killed.returncode == 0, after == first))
                listed = json.loads(self.stol("media", "list", "--json").stdout)
                self.assertEqual([(pack["state"], pack["release"]) for pack in listed],
                                 [("installed", 1 if after == first else 2)], (call, number))
                self.assertEqual(sorted(path.name for path in archive.parent.iterdir()),
                                 ["releases.txt", archive.name], (call, number))
                archive.write_bytes(first)
                if killed.returncode == 0:
                    break
        # Killed before the last rename and after it, and not at all.
        self.assertEqual(found, {(False, True), (False, False), (True, False)})

    @unittest.skipUnless(STOL.exists(), "the command stol has not been built")
    def test_agrees_on_random_manifests(self):
        verify(KEYS / "test.pub", KEYS / "valid/v2.stol")  # Skips, or leaves PyNaCl installed.
        seed = random.randrange(1 << 32)
        script = ROOT / "Tools/tests/damage_media.py"
        subprocess.run([container_test.PYTHON, script, str(seed), self.folder], check=True)
        paths = sorted(self.folder.glob("*.stol-media"))
        self.assertGreaterEqual(len(paths), 200)
        for path, outcome in zip(paths, verify(KEYS / "test.pub", *paths)):
            done = self.stol("verify", path, "--key", KEYS / "test.pub")
            self.assertEqual(done.returncode == 0, outcome == "ok", (seed, path.name, outcome, done.stderr))
            self.assertIn(done.returncode, (0, 2, 3), (seed, path.name))


if __name__ == "__main__":
    unittest.main()
