"""Tests of the independent verifier of containers, Tools/verify-container, and of its agreement with stol."""
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VECTORS = ROOT / "Format/vectors/container"
VERIFIER = ROOT / "Tools/verify-container"
PYTHON = ROOT / ".build-python/bin/python3"
STOL = pathlib.Path(os.environ.get("STOL_BINARY", ROOT / ".build-test/release/stol"))


def verify(key, *paths):
    """What the verifier says of each file."""
    done = subprocess.run([VERIFIER, key, *paths], text=True, capture_output=True, check=False)
    if done.returncode == 77:
        raise unittest.SkipTest(done.stderr.splitlines()[-1])
    if done.returncode not in (0, 3):
        raise AssertionError(done.stderr)
    return [line.split("\t")[1] for line in done.stdout.splitlines()]


def damaged(data, damage):
    """The bytes of one case, as the README of the vectors lays out."""
    place, _, value = damage.partition("=")
    if place == "length":
        length = int(value) + (len(data) if value[0] in "+-" else 0)
        return data[:length] + bytes(max(0, length - len(data)))
    if place == "-":
        return data
    patch = bytes.fromhex(value)
    return data[:int(place)] + patch + data[int(place) + len(patch):]


class ContainerTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def stol(self, *arguments, **options):
        return subprocess.run([STOL, *arguments], capture_output=True, check=False,
                              env={**os.environ, "STOL_HOME": str(self.folder / "home")}, **options)

    def test_every_case_ends_as_it_must(self):
        cases = [line.split("\t") for line in (VECTORS / "cases.tsv").read_text().splitlines()[1:]]
        self.assertGreaterEqual(len(cases), 112)
        for key in ("test", "other"):
            chosen = [case for case in cases if case[2] == key]
            paths = []
            for number, (name, damage, _, _) in enumerate(chosen):
                paths.append(self.folder / f"{number}.stol")
                paths[-1].write_bytes(damaged((VECTORS / name).read_bytes(), damage))
            said = verify(VECTORS / f"{key}.pub", *paths)
            for case, outcome in zip(chosen, said):
                self.assertEqual(outcome, case[3], case)

    @unittest.skipUnless(STOL.exists(), "the command stol has not been built")
    def test_agrees_on_random_damage(self):
        seed = random.randrange(1 << 32)
        generator = random.Random(seed)
        paths = []
        for number in range(200):
            vector = generator.choice(sorted((VECTORS / "valid").glob("*.stol")))
            data = bytearray(vector.read_bytes())
            for _ in range(generator.choice((0, 1, 1, 2))):
                data[generator.randrange(len(data))] = generator.randrange(256)
            paths.append(self.folder / f"{number}.stol")
            paths[-1].write_bytes(data)
        key = VECTORS / "test.pub"
        for path, outcome in zip(paths, verify(key, *paths)):
            done = self.stol("verify", path, "--key", key)
            self.assertEqual(done.returncode == 0, outcome == "ok", (seed, path.name, done.stderr))

    @unittest.skipUnless(STOL.exists(), "the command stol has not been built")
    def test_a_file_made_from_the_specification_verifies(self):
        key, made = VECTORS / "test.pub", self.folder / "made.stol"
        verify(key, VECTORS / "valid/v1.stol")  # Skips, or leaves PyNaCl installed.
        subprocess.run([PYTHON, ROOT / "Tools/tests/sign_v1.py", VECTORS / "test.key", "test",
                        ROOT / "Format/vectors/v2/valid/life.sqlite", made], check=True)
        done = self.stol("verify", made, "--key", key)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"magic      ok, container version 1\n", done.stdout)
        done = self.stol("db", "import", made, "--key", key)
        self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipUnless(STOL.exists(), "the command stol has not been built")
    def test_what_stol_signs_verifies(self):
        verify(VECTORS / "test.pub", VECTORS / "valid/v1.stol")
        passphrase = self.folder / "passphrase"
        passphrase.write_text("another one\n")
        name = self.folder / "new"
        database = ROOT / "Format/vectors/v2/valid/life.sqlite"
        self.assertEqual(self.stol("db", "keygen", "-o", name, "--passphrase-file", passphrase).returncode, 0)
        for options in ([], ["--format", "2"], ["--format", "2", "--with-pack"]):
            made = self.folder / "made.stol"
            done = self.stol("db", "sign", database, "-o", made, "--key", f"{name}.key", "--dataset", "a.b-c",
                             "--release", "4294967295", "--passphrase-file", passphrase, *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(verify(f"{name}.pub", made), ["ok"])
            done = self.stol("db", "import", made, "--key", f"{name}.pub")
            self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
