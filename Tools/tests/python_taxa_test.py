"""Taxa as objects of the Python package, its trees beside the command's, where it finds packs, and its types.

    Tools/wheel --test
"""
import json
import os
import pathlib
import pickle
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from unittest import mock

from door import STOL, needs_command
from python_package import PACK, ROOT, SEED, stol

EXAMPLE = '''
from typing import Optional
import numpy
import stol

pack: stol.Pack = stol.open("taxa.stolpack")
one: tuple[Optional[stol.Id], str] = pack.resolve("lion")
ids, statuses = pack.resolve(["lion", None], within=9681)
many: list[Optional[stol.Id]] = ids
words: list[str] = statuses
name: Optional[str] = pack.names(9689)
names: list[Optional[str]] = pack.names([9689, 9606], "common_name", language="de")
array: numpy.ndarray[tuple[int], numpy.dtype[numpy.int64]] = numpy.array([9689])
found = pack.lca(array, array)
for hit in pack.search("pantera leo", limit=3):
    print(hit.name.upper(), hit.distance + 1)
lion: stol.Taxon = pack["Panthera leo"]
parent: Optional[stol.Taxon] = lion.parent
print([child.name.upper() for child in lion.children], [taxon.rank for taxon in lion.lineage], lion in pack["Felidae"])
comparison: stol.Comparison = pack.compare(lion, 9694)
distance: Optional[int] = comparison.distance
tree: str = pack.newick([9689, 9694], collapse=True)
table = pack.match({"scientificName": ["Pantera leo"], "kingdom": "Animalia"}, add="status,taxonID,family")
try:
    stol.open()
except (stol.PackError, OSError) as error:
    print(error)
'''


def command(*arguments):
    """What the command says of the pack; taxa that have nothing in common are an end of their own."""
    done = subprocess.run([STOL, *map(str, arguments), "--pack", str(PACK)], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise AssertionError(f"{arguments}: {done.stderr}")
    return done.stdout


class TaxaTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        print(f"STOL_TEST_SEED={SEED}", file=sys.stderr)
        cls.random = random.Random(SEED)
        cls.pack = stol.open(PACK)

    def some(self, count):
        return [stol.Taxon(self.pack, self.random.randrange(len(self.pack))) for _ in range(count)]

    def test_a_taxon_says_what_the_columns_say(self):
        for taxon in self.some(30):
            self.assertEqual(self.pack[taxon.id], taxon)
            self.assertEqual([taxon.name, taxon.rank, taxon.authorship, taxon.common_name, taxon.common_name_in("fr")],
                             [*(self.pack.names(taxon.id, field) for field in ("scientific_name", "rank", "authorship", "common_name")),
                              self.pack.names(taxon.id, "common_name", language="fr")])
            self.assertEqual([ancestor.name for ancestor in taxon.lineage], self.pack.lineage(taxon.id))
            self.assertEqual(taxon.lineage[-1], taxon)
            self.assertEqual(taxon.parent, taxon.lineage[-2] if len(taxon.lineage) > 1 else None)
            self.assertIn(taxon, taxon.parent.children if taxon.parent else self.pack.roots)
            self.assertEqual([child.id for child in taxon.children], self.pack.children(taxon.id))
            self.assertTrue(all(child.parent == taxon and child in taxon and taxon not in child for child in taxon.children))
            self.assertEqual([below.id for below in taxon.descendants], self.pack.subtree(taxon.id).tolist()[1:])
            for rank in ("family", "genus"):
                found = taxon.ancestor(rank)
                self.assertEqual(found and found.name, self.pack.lineage(taxon.id, [rank])[rank])
            self.assertEqual(taxon.newick(labels="id"), self.pack.newick(taxon.id, labels="id"))
            self.assertEqual(self.pack.newick([taxon, 9606, self.pack["lion"]]), self.pack.newick([taxon.id, 9606, 9689]))
            self.assertEqual(pickle.loads(pickle.dumps(taxon)), taxon)
            self.assertEqual(len({taxon, self.pack[taxon.id]}), 1)
        self.assertEqual(sum(1 for _ in self.pack), len(self.pack))
        self.assertEqual([root.name for root in self.pack.roots], ["root"])
        self.assertEqual(repr(self.pack["lion"]), "<Taxon 9689: Panthera leo, species>")
        self.assertTrue("lion" in self.pack and 9689 in self.pack and "no such name" not in self.pack and 3 not in self.pack)

    def test_names_of_none_or_of_several_raise(self):
        for key, said in (("no such name", "not_found"), ("", "invalid"), ("Oenanthe", "245059, 48043"), (3, "not_found")):
            with self.assertRaisesRegex(KeyError, said):
                self.pack[key]
        other = stol.Pack(PACK)
        for call in (lambda: self.pack.compare(self.pack["lion"], other["lion"]), lambda: self.pack.newick(other["lion"]),
                     lambda: self.pack.newick([9689, 3]), lambda: self.pack.newick(9689, labels="colour"), lambda: self.pack.compare(9689, 3)):
            self.assertRaises(ValueError, call)
        self.assertNotEqual(other["lion"], self.pack["lion"])
        with self.assertRaisesRegex(ValueError, "of another pack"):
            _ = other["lion"] in self.pack["Felidae"]

    @needs_command
    def test_trees_are_those_of_the_command(self):
        for taxon in [taxon.lineage[max(0, len(taxon.lineage) - 3)] for taxon in self.some(8)] + self.pack["Felidae"].children[:2]:
            for options, ours in (((), {}), (("--labels", "id"), {"labels": "id"}), (("--collapse",), {"collapse": True})):
                self.assertEqual(self.pack.newick(taxon, **ours) + "\n", command("query", "subtree", taxon.id, "--newick", *options))
        for count in (2, 3, 20):
            for options, ours in (((), {}), (("--labels", "id"), {"labels": "id"}), (("--collapse",), {"collapse": True})):
                ids = [taxon.id for taxon in self.some(count)] + [2157]
                self.assertEqual(self.pack.newick(ids, **ours) + "\n", command("query", "subtree", *ids, "--newick", *options))

    def test_labels_are_quoted_where_they_must_be(self):
        for text, label in (("Panthera", "Panthera"), ("Panthera leo", "'Panthera leo'"), ("d'Orbigny", "'d''Orbigny'"), ("", "''"),
                            ("Ærø-1.2", "Ærø-1.2"), ("a\u202eb", "a\\u{202e}b"), ("a\nb", "'a\\u{a}b'"), ("a_b", "'a_b'")):
            self.assertEqual(stol._taxon._label(text), label)

    @needs_command
    def test_comparisons_are_those_of_the_command(self):
        pairs = [(a, b) for a, b in zip(self.some(20), self.some(20))]
        pairs += [(taxon, taxon) for taxon in self.some(2)] + [(taxon, self.random.choice(taxon.lineage)) for taxon in self.some(10)]
        pairs += [(self.pack["lion"], self.pack["Archaea"])]
        for a, b in pairs:
            found, said = self.pack.compare(a, b.id), json.loads(command("query", "compare", a.id, b.id, "--json"))[0]
            self.assertEqual([found.distance, found.ancestor and found.ancestor.id, found.description],
                             [said["distance"], said["lca"] and said["lca"]["id"], said["sharedCladeDescription"]])
            self.assertEqual([[taxon.id for taxon in path] for path in (found.path_from_a, found.path_from_b)],
                             [[taxon["id"] for taxon in said[path]] for path in ("pathFromA", "pathFromB")])
            self.assertEqual(a.lca(b), found.ancestor)

    def test_notebooks_show_trees_in_which_nothing_is_code(self):
        for shown in (self.pack, self.pack["lion"], self.pack["Felidae"], self.pack["Mammalia"], self.pack.compare(9689, 9694),
                      self.pack.compare(9689, 2157), self.pack.compare(9689, 9681), self.pack.compare(9689, 9689), *self.some(5)):
            xml.etree.ElementTree.fromstring(f"<div>{shown._repr_html_()}</div>")
        self.assertIn("<b><i>Panthera leo</i></b>", self.pack["lion"]._repr_html_())
        self.assertIn("more</li>", self.pack["Quercus"]._repr_html_())
        with mock.patch.object(stol.Taxon, "name", "<script>\u202e"):
            self.assertIn("&lt;script&gt;\\u{202e}", self.pack["lion"]._repr_html_())

    def test_types_are_those_that_are_said(self):
        try:
            import mypy  # noqa: F401
        except ImportError:
            self.skipTest("mypy is missing")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "example.py"
            path.write_text(EXAMPLE)
            environment = {**os.environ, "MYPYPATH": str(ROOT / "Doors/python")} if "site-packages" not in stol.__file__ else None
            done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", folder, str(path)], capture_output=True, text=True,
                                  check=False, env=environment, cwd=folder)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            path.write_text(EXAMPLE + "name.upper()\nlion.colour\n")
            done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", folder, str(path)], capture_output=True, text=True,
                                  check=False, env=environment, cwd=folder)
            self.assertIn("Found 2 errors", done.stdout)


class InstalledTests(unittest.TestCase):
    """Which pack is asked where none is named."""
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        nothing = {"STOL_HOME": str(self.folder / "home"), "XDG_CACHE_HOME": str(self.folder / "cache"), "PATH": str(self.folder / "bin")}
        for patch in (mock.patch.dict(os.environ, nothing), mock.patch.dict(sys.modules, {"stol_data": None})):
            patch.start()
            self.addCleanup(patch.stop)
        os.environ.pop("STOL_PACK", None)
        (self.folder / "bin").mkdir()

    def reference(self, active="yes", first="stol-reference-1"):
        databases = self.folder / "home/Databases"
        (databases / "reference-3").mkdir(parents=True, exist_ok=True)
        shutil.copy(PACK, databases / "reference-3/reference.stolpack")
        (databases / "reference.txt").write_text(f"{first}\ngeneration 3\nactive {active}\nrelease 0\nkey k\ndigest d\n")
        for path in (self.folder / "home", databases, databases / "reference-3"):
            path.chmod(0o755)
        (databases / "reference-3/reference.stolpack").chmod(0o644)
        return databases / "reference-3/reference.stolpack"

    def test_nothing_is_installed(self):
        with self.assertRaisesRegex(FileNotFoundError, "pip install stol-data"):
            stol.open()
        os.environ["STOL_HOME"] = "home"
        with self.assertRaisesRegex(OSError, "begins with /"):
            stol.open()

    def test_the_variable_comes_first(self):
        self.reference()
        os.environ["STOL_PACK"] = str(PACK)
        self.assertIs(stol.open(), stol.open(PACK))
        os.environ["STOL_PACK"] = str(self.folder / "none.stolpack")
        self.assertRaises(FileNotFoundError, stol.open)

    def test_the_active_reference(self):
        path = self.reference()
        self.assertEqual(stol.open().path, str(path))
        os.environ.pop("STOL_HOME")
        os.environ["XDG_DATA_HOME"] = str(self.folder)
        shutil.move(self.folder / "home", self.folder / "stol")
        self.assertEqual(stol.open().path, str(self.folder / "stol/Databases/reference-3/reference.stolpack"))

    def test_a_reference_that_is_inactive_or_damaged(self):
        self.reference(active="no")
        self.assertRaises(FileNotFoundError, stol.open)
        for wrong in ({"active": "maybe"}, {"first": "stol-reference-9"}, {"first": "\udcff"}):
            try:
                path = self.reference(**wrong)
            except UnicodeEncodeError:
                path = self.reference()
                path.parent.with_name("reference.txt").write_bytes(b"\xff\xfe")
            with self.assertRaisesRegex(stol.PackError, "damaged"):
                stol.open()

    @unittest.skipUnless(hasattr(os, "geteuid"), "no users")
    def test_what_others_could_have_changed_is_refused(self):
        path = self.reference()
        for part in (path, path.parent, path.parent.parent, path.parent.parent.parent):
            mode = part.stat().st_mode
            part.chmod(0o777)
            with self.assertRaisesRegex(PermissionError, "others can write"):
                stol.open()
            part.chmod(mode)
        self.assertEqual(stol.open().resolve("lion"), (9689, "common"))

    def test_the_package_of_data(self):
        sys.modules["stol_data"] = mock.Mock(PATH=PACK)
        self.assertIs(stol.open(), stol.open(PACK))

    def test_the_wheel_of_data_has_the_taxonomy_of_the_command(self):
        del sys.modules["stol_data"]
        try:
            import stol_data
        except ImportError:
            self.skipTest("the wheel stol-data is not installed")
        self.assertEqual(stol_data.PATH.read_bytes(), PACK.read_bytes())
        self.assertEqual(stol.open().path, str(stol_data.PATH))

    def test_the_pack_in_the_command(self):
        program = self.folder / "bin/stol"
        magic = PACK.read_bytes()[:8]
        for content in (b"", b"#!/bin/sh\n", magic, (b"x" * 64 + magic) * 5):
            program.write_bytes(content)
            program.chmod(0o755)
            self.assertRaises(FileNotFoundError, stol.open)
        program.write_bytes(magic + b"x" * 120 + PACK.read_bytes() + b"more")
        pack = stol.open()
        self.assertEqual(pack.resolve("lion"), (9689, "common"))
        self.assertEqual(pathlib.Path(pack.path).read_bytes(), PACK.read_bytes())
        self.assertIs(stol.open(), pack)
        self.assertEqual([path.stat().st_mode & 0o777 for path in (self.folder / "cache/stol").iterdir()], [0o600])

    @unittest.skipUnless(sys.platform == "linux", "names of files are UTF-8 here")
    def test_a_path_that_is_no_unicode(self):
        path = os.path.join(os.fsencode(self.folder), b"\xff.stolpack")
        shutil.copy(PACK, path)
        for given in (path, os.fsdecode(path)):
            with self.assertRaisesRegex(ValueError, "is no UTF-8.*: rename the file"):
                stol.open(given)
        os.symlink(path, self.folder / "link.stolpack")
        self.assertEqual(stol.open(self.folder / "link.stolpack").resolve("lion"), (9689, "common"))

    def test_a_copy_that_is_damaged_is_made_anew(self):
        program = self.folder / "bin/stol"
        program.write_bytes(PACK.read_bytes())
        program.chmod(0o755)
        path = pathlib.Path(stol.open().path)
        for damaged in (b"", PACK.read_bytes()[:5000], PACK.read_bytes()[:-9] + bytes(9)):
            path.write_bytes(damaged)
            os.utime(path, ns=(1, len(damaged)))
            self.assertEqual(stol.open().resolve("lion"), (9689, "common"))
            self.assertEqual(path.read_bytes(), PACK.read_bytes())
            self.assertEqual(list(path.parent.iterdir()), [path])

    @unittest.skipUnless(hasattr(os, "geteuid"), "no users")
    def test_folders_that_cannot_be_looked_at_are_passed_over(self):
        """As another user where this one may look everywhere."""
        def found(user=65534, code="", **variables):
            program = ("import os, sys, stol\nif os.geteuid() == 0:\n    os.setgroups([])\n    os.setgid(int(sys.argv[1]))\n"
                       "    os.setuid(int(sys.argv[1]))\n" + code + "\ntry: print(stol.open().path)\n"
                       "except OSError as error: print(type(error).__name__, error)")
            environment = {"PATH": str(self.folder / "bin"), "PYTHONPATH": str(pathlib.Path(stol.__file__).parent.parent), **variables}
            environment.update((name, value) for name, value in os.environ.items() if name in ("STOL_LIBRARY", "LD_LIBRARY_PATH"))
            done = subprocess.run([sys.executable, "-c", program, str(user)], env=environment, cwd=self.folder / "bin", capture_output=True, text=True)
            self.assertEqual(done.stderr, "")
            return done.stdout.strip()
        self.folder.chmod(0o755)
        closed, temporary = self.folder / "closed", self.folder / "temporary"
        for folder, mode in ((closed, 0), (temporary, 0o1777)):
            folder.mkdir()
            folder.chmod(mode)
        self.addCleanup(closed.chmod, 0o700)
        program = self.folder / "bin/stol"
        program.write_bytes(PACK.read_bytes())
        program.chmod(0o755)
        (self.folder / "bin").chmod(0o555)
        self.addCleanup((self.folder / "bin").chmod, 0o755)
        for home in (closed, closed / "none", "none"):
            with self.subTest(home):
                path = pathlib.Path(found(HOME=str(home), TMPDIR=str(temporary)))
                self.assertEqual((path.parent.parent, path.read_bytes()), (temporary, PACK.read_bytes()))
                self.assertRegex(found(HOME=str(home), TMPDIR=str(closed)), "^OSError .*copied nowhere .*set XDG_CACHE_HOME")
                code = f"import types; sys.modules['stol_data'] = types.SimpleNamespace(PATH={str(PACK)!r})"
                self.assertEqual(found(HOME=str(home), code=code), str(PACK))
                self.assertRegex(found(HOME=str(home), PATH="/none"), "^FileNotFoundError .*pip install stol-data")
        if os.geteuid() == 0:
            # A user whom nobody knows has no home, and no folder called "~" either.
            self.assertIn(str(temporary), found(54321, TMPDIR=str(temporary)))

    @needs_command
    def test_the_command_itself(self):
        (self.folder / "bin/stol").symlink_to(os.path.abspath(STOL))
        self.assertEqual(stol.open().resolve("lion"), (9689, "common"))


if __name__ == "__main__":
    unittest.main()
