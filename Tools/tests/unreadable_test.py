"""What a person keeps, where they may not look at it or not write to it: no answer says that there is nothing."""
import fcntl
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from container_test import STOL  # noqa: E402

# The user who owns nothing, as whom a superuser asks, who may look at everything.
NOBODY = 65534


@unittest.skipUnless(STOL.exists(), "the command stol has not been built")
class UnreadableTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.stol, self.user = STOL, {}
        if os.geteuid() == 0:
            self.folder.chmod(0o755)
            self.stol = pathlib.Path(shutil.copy(STOL, self.folder / "stol"))
            self.user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        self.home = self.folder / "home"
        self.home.mkdir()
        if self.user:
            os.chown(self.home, NOBODY, NOBODY)
        try:
            added = self.ask("add", "Panthera leo", "--when", "2026")
        except PermissionError:
            self.skipTest("another user may not run the command here")
        self.assertEqual(added.returncode, 0, added.stderr)
        self.journal = next(path for path in self.home.rglob("journal.sqlite"))

    def ask(self, *words):
        return subprocess.run(
            [self.stol, "journal", *words], capture_output=True, text=True, timeout=60, cwd=self.folder,
            env={"PATH": os.environ["PATH"], "STOL_HOME": str(self.home)}, **self.user)

    def test_a_folder_that_nobody_may_look_into_is_not_empty(self):
        backup = self.home / "backup.jsonl"
        self.assertEqual(self.ask("export", "--exact", "-o", str(backup)).returncode, 0)
        kept = backup.read_bytes()
        self.assertEqual(kept.count(b"\n"), 3)
        folder = self.journal.parent
        for words in (["check"], ["status"], ["list"], ["add", "wolf"],
                      ["export", "--exact", "-o", str(backup), "--force"]):
            folder.chmod(0)
            try:
                told = self.ask(*words)
            finally:
                folder.chmod(0o700)
            self.assertEqual(told.returncode, 6, (words, told))
            self.assertIn(str(folder), told.stderr)
            self.assertEqual(told.stdout, "", words)
        self.assertEqual(backup.read_bytes(), kept)
        self.assertEqual(self.ask("list", "--no-header").stdout.count("\n"), 1)

    def test_a_file_that_nobody_may_write_to_is_read(self):
        self.journal.chmod(0o400)
        for words in (["check"], ["list"], ["status"]):
            told = self.ask(*words)
            self.assertEqual(told.returncode, 0, (words, told))
        refused = self.ask("add", "wolf")
        self.assertEqual(refused.returncode, 6, refused)
        self.assertIn(str(self.journal), refused.stderr)
        self.journal.chmod(0o600)
        self.assertEqual(self.ask("add", "wolf").returncode, 0)
        self.assertEqual(self.ask("list", "--no-header").stdout.count("\n"), 2)

    def test_a_file_that_another_process_is_at_work_on_is_read(self):
        descriptor = os.open(self.journal.parent, os.O_RDONLY)
        self.addCleanup(os.close, descriptor)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        for words in (["list"], ["status"], ["life"], ["export", "--exact", "-o", "-"],
                      ["history"]):
            told = self.ask(*words)
            self.assertEqual(told.returncode, 0, (words, told))
        for words in (["add", "wolf"], ["check"]):
            told = self.ask(*words)
            self.assertEqual(told.returncode, 6, (words, told))
            self.assertIn("another process", told.stderr)
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        self.assertEqual(self.ask("list", "--no-header").stdout.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
