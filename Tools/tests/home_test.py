"""What stol keeps: on a disk that takes nothing, damaged or lost while it is used, and left behind by killed commands."""
import contextlib
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from container_test import ROOT, STOL  # noqa: E402

KEY = ROOT / "Format/vectors/container/test"
# What a shell does before it becomes the command: a disk of its own, which nothing outside sees.
DISKS = {
    "read-only": 'mount -t tmpfs -o size=8m,mode=700 tmpfs "$0" && cp -a "$1/." "$0" && mount -o remount,ro "$0"',
    "full": 'mount -t tmpfs -o size=64k,mode=700 tmpfs "$0" && cp -a "$1/." "$0" && { cat /dev/zero >"$0/filler" 2>/dev/null; true; }',
}


def may_mount():
    probe = ["unshare", "-m", "sh", "-c", "mount -t tmpfs tmpfs /mnt"]
    try:
        return subprocess.run(probe, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@unittest.skipUnless(STOL.exists(), "the command stol has not been built")
class HomeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.home = self.folder / "home"
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        self.environment = {**os.environ, "STOL_HOME": str(self.home), "TMPDIR": str(self.temporary)}

    def stol(self, *arguments, status=0, disk=None):
        """Runs the command, on a copy of the home on a disk of that kind; returns what it says."""
        done = subprocess.run(self.command(disk, *arguments), text=True, capture_output=True, env=self.environment,
                              stdin=subprocess.DEVNULL, timeout=120, check=False)
        self.assertEqual(done.returncode, status, (arguments, disk, done.stderr))
        return done.stdout, done.stderr

    def command(self, disk, *arguments):
        command = [str(STOL), *map(str, arguments)]
        if not disk:
            return command
        self.home.mkdir(mode=0o700, exist_ok=True)
        kept = self.folder / "kept"
        kept.mkdir(exist_ok=True)
        subprocess.run(["cp", "-a", f"{self.home}/.", kept], check=True)
        return ["unshare", "-m", "sh", "-c", DISKS[disk] + ' && shift && exec "$@"', str(self.home), str(kept), *command]

    @contextlib.contextmanager
    def explorer(self, disk=None):
        """A running explorer: a function that gives the status and the text of an address, and what it said."""
        process = subprocess.Popen(self.command(disk, "serve"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=self.environment)
        try:
            address = process.stdout.readline().strip()
            self.assertRegex(address, r"\Ahttp://127", process.stderr.read() if not address else "")

            def get(path):
                try:
                    with urllib.request.urlopen(address + path, timeout=60) as answer:
                        return answer.status, answer.read().decode()
                except urllib.error.HTTPError as error:
                    return error.code, error.read().decode()
            yield get, process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)
            process.stdout.close()
            process.stderr.close()

    def database(self, name="a", species="Panthera leo"):
        """A small database; returns its path."""
        table, mapping, path = (self.folder / f"{name}{suffix}" for suffix in (".csv", ".map", ".sqlite"))
        table.write_text(f"id,parent,rank,name\n1,,kingdom,Animalia\n2,1,genus,{species.split()[0]}\n3,2,species,{species}\n")
        mapping.write_text("id = id\nparent = parent\nrank = rank\nname = name\n")
        self.stol("ingest", "csv", table, "--mapping", mapping, "-o", path, "-q")
        return path

    def signing(self, database, container, *options):
        passphrase = self.folder / "passphrase"
        passphrase.write_text("test\n")
        return ("db", "sign", database, "-o", container, "--key", f"{KEY}.key", "--passphrase-file", passphrase, "--dataset",
                "small", "--release", 1, "--build-time", "2026-01-31T12:00:00Z", "-q", *options)

    def installed(self):
        """Installs a small database; returns where its files lie."""
        container = self.folder / "a.stol"
        self.stol(*self.signing(self.database(), container))
        self.stol("db", "import", container, "--key", f"{KEY}.pub", "-q")
        return self.home / "Databases/reference-1"

    # A disk that takes nothing.

    @unittest.skipUnless(may_mount(), "mounts are not allowed here")
    def test_what_was_kept_is_read_where_nothing_can_be_kept(self):
        self.stol("favorites", "add", "Panthera leo", "-q")
        for disk, word in (("read-only", "read-only"), ("full", "no space")):
            with self.subTest(disk):
                listed, said = self.stol("favorites", "list", "--no-header", disk=disk)
                self.assertRegex(listed, r"\A9689\t.*Panthera leo")
                self.assertEqual(said, "")
                self.assertIn(word, self.stol("favorites", "add", "tiger", disk=disk, status=6)[1])
                self.assertIn("Panthera leo", self.stol("query", "search", "lion", disk=disk)[0])
                self.assertIn("citation", self.stol("query", "show", "9689", "--json", disk=disk)[0])
                with self.explorer(disk) as (get, process):
                    self.assertEqual(get("taxon/ncbi:9689")[0], 200)
                    self.assertIn("Panthera leo", get("favorites")[1])

    @unittest.skipUnless(may_mount(), "mounts are not allowed here")
    def test_what_was_kept_is_read_without_a_temporary_folder(self):
        self.stol("favorites", "add", "Panthera leo", "-q")
        self.environment["TMPDIR"] = str(self.folder / "nowhere")
        for disk in DISKS:
            with self.subTest(disk):
                self.assertRegex(self.stol("favorites", "list", "--no-header", disk=disk)[0], r"\A9689\t.*Panthera leo")

    @unittest.skipUnless(may_mount(), "mounts are not allowed here")
    def test_an_empty_home_where_nothing_can_be_kept_answers(self):
        for disk in DISKS:
            with self.subTest(disk):
                self.assertEqual(self.stol("favorites", "list", "--no-header", disk=disk)[0], "")
                self.assertEqual(self.stol("favorites", "count", disk=disk)[0].strip(), "0")
                with self.explorer(disk) as (get, process):
                    self.assertEqual(get("")[0], 200)
                    self.assertIn("Panthera leo", get("taxon/ncbi:9689")[1])
                    self.assertEqual(get("favorites")[0], 200)

    @unittest.skipUnless(may_mount(), "mounts are not allowed here")
    def test_the_explorer_says_that_favourites_cannot_be_kept(self):
        process = subprocess.Popen(self.command("read-only", "serve", "--port", "0"), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, env=self.environment)
        self.assertRegex(process.stdout.readline(), r"\Ahttp://127")
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=30)
        self.assertRegex(said, r"\Astol: favourites cannot be kept: .*read-only.*STOL_HOME\n\Z")

    # Damaged and lost while it is used.

    def test_a_damaged_bundled_database_is_unpacked_again(self):
        show = self.stol("query", "show", "9689", "--json")
        path = self.home / "Databases/bundled.sqlite"
        whole = path.read_bytes()
        for place, length in ((100, len(whole) - 100), (len(whole) // 2, 1)):
            path.write_bytes(whole[:place] + bytes(255 - byte for byte in whole[place:place + length]) + whole[place + length:])
            self.assertEqual(self.stol("query", "show", "9689", "--json"), show)
            self.assertEqual(path.read_bytes(), whole)
        path.write_bytes(whole[:100] + bytes(len(whole) - 100))
        with self.explorer() as (get, _):
            status, page = get("taxon/ncbi:9689")
            self.assertEqual(status, 200)
            self.assertNotIn("references cannot be read", page)

    def test_a_page_is_shown_without_references_that_cannot_be_read(self):
        path = self.installed() / "reference.sqlite"
        whole = path.read_bytes()
        with self.explorer() as (get, _):
            path.write_bytes(whole[:100] + bytes(len(whole) - 100))
            status, page = get("taxon/unstated:3")
            if status == 404:
                status, page = get("taxon/3")
            self.assertEqual(status, 200)
            self.assertIn("The references cannot be read", page)

    def test_lost_references_are_said(self):
        (self.installed() / "reference.sqlite").unlink()
        shown, said = self.stol("query", "show", "Panthera leo", "--json")
        self.assertIn("Panthera leo", shown)
        self.assertRegex(said, r"without references: .*reference\.sqlite: lost.*stol db import")

    def test_a_lost_pack_is_compiled_again_from_a_sound_database_only(self):
        folder = self.installed()
        pack = folder / "reference.stolpack"
        whole = pack.read_bytes()
        pack.unlink()
        self.assertRegex(self.stol("query", "search", "lion")[1], "stol db activate")
        self.stol("db", "activate", "-q")
        self.assertEqual(pack.read_bytes(), whole)
        other = self.database("b", "Evilus malus")
        (folder / "reference.sqlite").write_bytes(other.read_bytes())
        pack.write_bytes(b"no pack")
        shown, said = self.stol("query", "search", "lion")
        self.assertRegex(said, "reference database cannot be used.*changed since it was installed")
        self.assertNotIn("Evilus", shown)
        self.stol("db", "activate", status=3)

    def test_the_unpacked_pack_of_an_older_stol_is_removed(self):
        databases = self.home / "Databases"
        databases.mkdir(parents=True, mode=0o700)
        (databases / "bundled.stolpack").write_bytes(b"old")
        self.stol("query", "search", "lion")
        self.assertEqual(list(databases.iterdir()), [])

    # Folders that others can write to.

    def test_a_folder_inside_that_others_can_write_to_is_refused(self):
        for name in ("Keys", "Databases", "Favorites", "Media"):
            inside = self.home / name
            inside.mkdir(parents=True, exist_ok=True)
            self.home.chmod(0o755)
            inside.chmod(0o777)
            said = self.stol("db", "keys", "list", status=2)[1]
            self.assertIn(f"{name}: others can write there", said)
            inside.chmod(0o755)
        self.stol("db", "keys", "list")

    # Signing and verifying.

    def test_what_is_signed_is_what_was_checked(self):
        database, container = self.database(), self.folder / "a.stol"
        other = self.database("b", "Evilus malus")
        changed = self.folder / "changed.sqlite"
        # The other one takes the name as soon as the first has been compiled.
        for _ in range(20):
            changed.write_bytes(database.read_bytes())
            process = subprocess.Popen([STOL, *map(str, self.signing(changed, container))], env=self.environment,
                                       stderr=subprocess.PIPE, text=True)
            swapped = False
            while process.poll() is None and not swapped:
                if any(name.startswith("a.stol.stolpack.") for name in os.listdir(self.folder)):
                    (self.folder / "c.sqlite").write_bytes(other.read_bytes())
                    os.replace(self.folder / "c.sqlite", changed)
                    swapped = True
            said = process.communicate()[1]
            if process.returncode == 0:
                # The swap came too late: what is in it must be the first.
                self.stol("db", "import", container, "--key", f"{KEY}.pub", "--allow-downgrade", "-q")
                self.assertIn("Panthera leo", self.stol("query", "children", "2")[0])
                container.unlink()
            else:
                self.assertIn("changed while it was read", said)

    def test_what_is_no_file_is_said_and_not_waited_for(self):
        pipe, link = self.folder / "pipe", self.folder / "link"
        os.mkfifo(pipe)
        link.symlink_to(self.database())
        self.assertIn("a pipe or a device", self.stol(*self.signing(pipe, self.folder / "x.stol"), status=2)[1])
        self.assertIn("name the file that it leads to", self.stol(*self.signing(link, self.folder / "x.stol"), status=2)[1])
        pack = self.folder / "a.stolpack"
        self.stol("pack", self.folder / "a.sqlite", "-o", pack, "-q")
        for name in ("pipe", "nosuch"):
            said = self.stol("verify", pack, "--database", self.folder / name, status=6)[1]
            self.assertNotIn("NSCocoa", said)
            self.assertIn(f"{name}: open failed", said)
        for words in (("query", "lca", 1, 2, "--pack"), ("verify",), ("match",), ("inspect",), ("pack", "-o", "x", "-q"),
                      ("db", "import"), ("media", "add"), ("db", "keys", "add", "--dataset", "x")):
            self.assertIn("pipe: open failed: Invalid argument; it is a pipe or a device", self.stol(*words, pipe, status=6)[1])

    def test_a_limit_on_the_length_of_files_is_an_error(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4 << 10, 4 << 10))

        database, folder = self.database(), self.folder / "out"
        folder.mkdir()
        for words in (("pack", database, "-o", folder / "a.stolpack"), ("db", "built-in", "-o", folder / "life")):
            done = subprocess.run(self.command(None, *words), text=True, capture_output=True, env=self.environment,
                                  preexec_fn=limit, timeout=120, check=False)
            self.assertEqual(done.returncode, 6, (words, done))
            self.assertIn("see ulimit -f", done.stderr)
            self.assertEqual(list(folder.iterdir()), [], words)

    def test_what_a_killed_command_left_of_the_built_in_taxonomy_is_removed(self):
        left = [self.folder / f"life{suffix}.99999999.tmp" for suffix in (".sqlite", ".stolpack")]
        for path in left:
            path.touch()
        self.stol("db", "built-in", "-o", self.folder / "life")
        self.assertEqual([path for path in left if path.exists()], [])

    def test_temporary_files_of_killed_commands_alone_are_removed(self):
        database, pack = self.database(), self.folder / "p.stolpack"
        kept = ["p.stolpack.notes.2025.tmp-keep", "p.stolpack.99999999.tmpl", "p.stolpack.2025.tmp.txt", "p.stolpack.tmp",
                "p.stolpack.notes.99999999.tmp", "p.stolpack.099.tmp", f"p.stolpack.{os.getpid()}.tmp"]
        gone = ["p.stolpack.99999999.tmp", "p.stolpack.scratch.99999999.tmp", "p.stolpack.99999999.tmp-journal",
                "p.stolpack.stolpack.99999999.tmp.99999999.tmp"]
        for name in kept + gone:
            (self.folder / name).touch()
        self.stol("pack", database, "-o", pack, "-q")
        names = set(os.listdir(self.folder))
        self.assertEqual([name for name in kept if name not in names], [])
        self.assertEqual([name for name in gone if name in names], [])

    def test_an_ended_verification_leaves_nothing(self):
        self.stol("query", "show", "9689")
        container = self.folder / "a.stol"
        self.stol(*self.signing(self.home / "Databases/bundled.sqlite", container))
        arguments = [STOL, "verify", container, "--key", f"{KEY}.pub", "-q"]
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            process = subprocess.Popen(arguments, env=self.environment, stderr=subprocess.DEVNULL)
            while process.poll() is None and not list(self.temporary.glob("stol.*/reference.sqlite*")):
                time.sleep(0.001)
            process.send_signal(number)
            process.wait(30)
            if number == signal.SIGKILL:
                self.assertEqual(len(list(self.temporary.iterdir())), 1)
                subprocess.run(arguments, env=self.environment, check=True)
            self.assertEqual(list(self.temporary.iterdir()), [], number)

    def test_an_old_list_of_keys_says_what_to_do(self):
        keys = self.home / "Keys"
        keys.mkdir(parents=True, mode=0o700)
        (keys / "keys.txt").write_text("stol-keys-1\n")
        said = self.stol("db", "keys", "list", status=3)[1]
        self.assertRegex(said, r"keys\.txt: line 1: of an older stol.*stol db keys add NAME\.pub --dataset ID")
        (keys / "keys.txt").write_bytes(b"\xff")
        said = self.stol("db", "keys", "list", status=3)[1]
        self.assertRegex(said, r"keys\.txt: .*nothing is trusted meanwhile, for a revocation may be lost: put back a copy")

    def test_a_root_key_signs_no_container(self):
        container = self.folder / "a.stol"
        self.stol(*self.signing(self.database(), container))
        self.stol("db", "keys", "add", f"{KEY}.pub", "--root")
        for words in (("verify", container), ("db", "import", container)):
            self.assertIn("one key signs databases or keyrings", self.stol(*words, "--key", f"{KEY}.pub", status=2)[1])


if __name__ == "__main__":
    unittest.main()
