"""A journal that is locked and unlocked while everything fails: for Tools/torture.

The command is killed at its system calls, each of them fails, once or for good, and the power fails.  Whatever comes of
it, the next command finds the journal as it was, and either locked, so that no file has a word of it, or not locked.
"""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess

import powerloss
import torture_journal

FAILING = ("openat", "read", "pread64", "write", "pwrite64", "fsync", "fdatasync", "flock", "fcntl", "ftruncate",
           "mkdir", "rename", "unlink", "rmdir", "ioctl", "mmap")
ERRORS = ("EIO", "ENOSPC", "EACCES")
# Calls at which a process is killed: all that change files, and some others.
KILLING = ("write", "pwrite64", "pwritev", "fsync", "fdatasync", "rename", "unlink", "mkdir", "rmdir", "ftruncate",
           "openat", "close", "flock", "fcntl")
EVENT, SEEN = "0192f3a4-0000-7000-8000-000000000001", "0192f3a4-0000-7000-8000-000000000002"
WORDS = (b"Secretwood", b"Quercus occulta", b"under the oak", b"oak-1.jpg", b"JFIF", b"SQLite format 3")
PASSPHRASE = "a passphrase"


class Lost(Exception):
    """What was lost, or can be read."""


def photo(number):
    """The least that is taken for a JPEG image."""
    frame = bytes([0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0])
    scan = bytes([0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, number, 4, 0xFF, 0xD9])
    return bytes([0xFF, 0xD8, 0xFF, 0xE0, 0, 16]) + b"JFIF\0\1\1\0\0\1\0\1\0\0" + frame + scan + bytes(40_000 * number)


class Locks:
    """A journal that is locked, the same one that is not, and what it says."""

    def __init__(self, stol, pack, folder):
        self.stol, self.folder = str(stol), pathlib.Path(folder)
        self.home = self.folder / "lock-home"
        self.environment = {"PATH": os.environ["PATH"], "STOL_PACK": str(pack)}
        self.secret = self.folder / "lock-secret"
        self.secret.write_text(f"{PASSPHRASE}\n")
        # A program of the tests that locks with a key which costs nothing: all moments are more than there is time
        # for where each of them takes what Argon2id takes.
        self.writer = pathlib.Path(stol).resolve().parent / "JournalWriter"
        shutil.rmtree(self.home, ignore_errors=True)
        entry = self.folder / "lock-entry"
        entry.write_text("".join(json.dumps(record) + "\n" for record in (
            {"recordKind": "event", "id": EVENT, "kind": "visit", "status": "saved", "isCompleteList": False,
             "start": "2026-03-15", "remarks": "Secretwood"},
            {"recordKind": "occurrence", "id": SEEN, "event": EVENT, "presence": "present"},
            {"recordKind": "note", "id": SEEN[:-1] + "3", "target": SEEN, "text": "under the oak"},
            {"recordKind": "identification", "id": SEEN[:-1] + "4", "occurrence": SEEN,
             "verbatimName": "Quercus occulta", "match": "none"})))
        self.must("import", entry, "-q")
        for number in (1, 2):
            image = self.folder / f"oak-{number}.jpg"
            image.write_bytes(photo(number))
            self.must("photo", "add", SEEN, image, "-q")
        self.must("photo", "thumbnail", "-q")
        self.before = self.said()
        self.bases = {}
        for words in ("lock", "unlock"):
            self.bases[words] = self.folder / f"lock-base-{words}"
            shutil.rmtree(self.bases[words], ignore_errors=True)
            shutil.copytree(self.home, self.bases[words])
            done = self.run_cheaply(words)
            if done.returncode != 0:
                raise Lost(f"{words}: exit code {done.returncode}: {done.stderr}")

    def run(self, *words, prefix=(), patience=300):
        """Runs a command; one that takes longer is killed with all that it has begun."""
        with subprocess.Popen(
                [*map(str, prefix), self.stol, "journal", *map(str, words), "--journal-passphrase-file", self.secret],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                start_new_session=True, env={**self.environment, "STOL_HOME": str(self.home)}) as process:
            try:
                said = process.communicate(timeout=patience)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                raise
            return subprocess.CompletedProcess(process.args, process.returncode, *said)

    def run_cheaply(self, words, prefix=()):
        """Locks or unlocks by the same code with the cheap key; by the command where that program is not there."""
        if not self.writer.exists():
            return self.run(words, prefix=prefix)
        return subprocess.run(
            [*map(str, prefix), self.writer, self.home, words, PASSPHRASE], stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=300, env=self.environment)

    def must(self, *words):
        done = self.run(*words)
        if done.returncode != 0:
            raise Lost(f"{words}: exit code {done.returncode}: {done.stderr}")
        return done.stdout

    def said(self):
        return self.must("export", "--format", "jsonl", "--exact", "-q"), self.must("check", "-q")

    def restore(self, words):
        shutil.rmtree(self.home, ignore_errors=True)
        shutil.copytree(self.bases[words], self.home)

    def check(self, case, words, must_be_done=False):
        """Fails unless all is there, and can be read by nobody else where it is locked; says whether it was done."""
        if self.said() != self.before:
            raise Lost(f"{case}: it says something else")
        folder = self.home / "Journal"
        is_locked = (folder / "key.json").exists()
        if must_be_done and is_locked != (words == "lock"):
            raise Lost(f"{case}: said that it is done")
        files = [path for path in folder.rglob("*") if path.is_file()]
        left = [path.name for path in files if "damaged" in path.name or ".tmp" in path.name and "key" not in path.name]
        if left:
            raise Lost(f"{case}: left over: {left}")
        for path in files:
            content = path.read_bytes() + path.name.encode() if is_locked else b""
            found = [word for word in WORDS if word in content]
            if found:
                raise Lost(f"{case}: {path.name} has {found}")
            if not is_locked and "sealed" in path.parts:
                raise Lost(f"{case}: {path.name} is sealed, and nothing is locked")
        return is_locked == (words == "lock")

    def calls(self, words, run):
        """Of each call the numbers from the first on that has to do with the journal."""
        self.restore(words)
        log = self.folder / "lock-calls"
        done = run(words, prefix=("strace", "-f", "-qq", "-o", log))
        if done.returncode != 0:
            raise Lost(f"{words}: {done.stderr}")
        return torture_journal.numbered_calls(log, self.home)


def kill(locks, limit):
    """Kills the command at some of its calls, or where there is no limit at each, with the cheap key then."""
    run = locks.run if limit else locks.run_cheaply
    cases = [(words, call, number) for words in ("lock", "unlock") for call, number in locks.calls(words, run)
             if call in KILLING]
    if limit:
        cases = random.Random(2).sample(cases, min(limit, len(cases)))
    halfway = 0
    for words, call, number in cases:
        locks.restore(words)
        run(words, prefix=("strace", "-f", "-qq", "-o", "/dev/null", "-e",
                           f"inject={call}:signal=KILL:when={number}"))
        halfway += locks.check(f"journal {words}: killed at {call} {number}", words)
    return len(cases), halfway


def break_calls(locks, limit):
    """Lets each call fail once, and all from it on."""
    cases = [(words, call, ERRORS[number % len(ERRORS)], number, forever) for words in ("lock", "unlock")
             for call, number in locks.calls(words, locks.run) if call in FAILING for forever in ("", "+")]
    if limit:
        cases = random.Random(1).sample(cases, min(limit, len(cases)))
    for words, call, error, number, forever in cases:
        case = f"journal {words}: {error} of {call} {number}{forever}"
        locks.restore(words)
        # libdispatch tries again each second to begin a thread for which there is no memory.
        may_wait = (call, forever) == ("mmap", "+")
        try:
            done = locks.run(words, patience=20 if may_wait else 300,
                             prefix=("strace", "-f", "-qq", "-o", "/dev/null", "-e",
                                     f"inject={call}:error={error}:when={number}{forever}"))
        except subprocess.TimeoutExpired:
            if not may_wait:
                raise
            locks.check(case, words)
            continue
        if done.returncode not in (0, 2, 3, 6):
            raise Lost(f"{case}: exit code {done.returncode}: {done.stderr.strip()}")
        is_mute = (call, forever) == ("write", "+")
        if done.returncode != 0 and not is_mute and not done.stderr.startswith("stol: "):
            raise Lost(f"{case}: says {done.stderr.strip()!r}")
        locks.check(case, words, must_be_done=done.returncode == 0)
    return len(cases)


def lose_power(locks, count):
    """Looks at so many disks as a failure of power may leave them."""
    draw, done, recordings = random.Random(7), 0, []
    for words in ("lock", "unlock"):
        locks.restore(words)
        base = powerloss.snapshot(locks.home)
        files = [path for path, content in base.items() if content is not None]
        log = locks.folder / "lock-operations"
        ended = locks.run(words, prefix=("strace", "-f", "-qq", "-xx", "-s", 1 << 20, "-o", log,
                                         "-e", f"trace={powerloss.CALLS}"))
        if ended.returncode != 0:
            raise Lost(f"journal {words}: {ended.stderr}")
        recordings.append((words, base, powerloss.Recording(log, locks.home, files)))
    for number in range(count):
        words, base, recording = recordings[number % 2]
        powerloss.materialize(recording.crash(base, draw), locks.home)
        done += locks.check(f"journal {words}: power loss, state {number}", words)
    return done


def torture(stol, pack, folder, sample):
    """All of it; `sample` cases of each kind, or all of them where it is 0."""
    locks = Locks(stol, pack, folder)
    kills, halfway = kill(locks, sample)
    broken = break_calls(locks, sample)
    states = sample or 1000
    lost = lose_power(locks, states)
    return kills + broken + states, (
        f"{kills} kills, {halfway} after it was locked or unlocked; {broken} calls that failed; {states} states after a "
        f"loss of power, {lost} of them locked or unlocked")
