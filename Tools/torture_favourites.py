"""Favourites whose writer is killed at any moment: for Tools/torture.

A child gets ids through a pipe and acknowledges each one that it has added, removed or toggled.  It is
killed at a random moment, while a second process writes the log into the file again and again, as any other
stol may at any time.  What it acknowledged must then be in the file, and nothing else but, maybe,
the one change that it was about to acknowledge.  The file lives on from kill to kill, with the log that
SQLite left beside it; it is looked at in a copy, so that only the next child recovers it.

A system call that fails is no damage: then the list stays, and is not set aside.
"""
import concurrent.futures
import fcntl
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

LINES = 40
FAILING = ("openat", "read", "pread64", "write", "pwrite64", "fsync", "fdatasync", "flock", "fstat",
           "fcntl", "ftruncate", "unlink")
ERRORS = ("EIO", "ENOSPC", "EACCES")


# Another process that has the file open, checkpoints and closes, each time with the lock on the folder.
CHECKPOINTER = """
import fcntl, os, random, sqlite3, sys, threading, time
folder = sys.argv[1]
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
file = folder + "/favorites.sqlite"
done = 0
while True:
    if os.path.exists(file):
        lock = os.open(folder, os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.exists(file) and os.path.getsize(file):
            connection = sqlite3.connect(file, timeout=10)
            for _ in range(random.randrange(3)):
                kind = random.choice(("PASSIVE", "FULL", "RESTART", "TRUNCATE"))
                connection.execute(f"PRAGMA wal_checkpoint({kind})").fetchall()
            connection.close()
        os.close(lock)
    time.sleep(random.uniform(0, 0.003))
"""


class Lost(Exception):
    """A favourite that was lost or made up."""


class Writer:
    """One data directory, whose children are killed."""

    def __init__(self, stol, pack, ids, seed, memory):
        self.stol = str(stol)
        self.ids = ids
        self.random = random.Random(seed)
        self.home = pathlib.Path(memory) / f"home-{seed}"
        self.copy = pathlib.Path(memory) / f"copy-{seed}"
        self.copy.mkdir()
        self.environment = {"PATH": os.environ["PATH"], "STOL_HOME": str(self.home),
                            "STOL_PACK": str(pack)}
        self.known = set()
        self.kills = self.acknowledged = self.halfway = 0

    def stored(self):
        """The ids in the file as it lies there."""
        folder = self.home / "Favorites"
        if not (folder / "favorites.sqlite").exists():
            return set()
        lock = os.open(folder, os.O_RDONLY)
        try:
            # The second process stays away meanwhile.
            fcntl.flock(lock, fcntl.LOCK_EX)
            return self.stored_in(folder)
        finally:
            os.close(lock)

    def stored_in(self, folder):
        names = {path.name for path in folder.iterdir()}
        if not names <= {"favorites.sqlite", "favorites.sqlite-wal", "favorites.sqlite-shm"}:
            raise Lost(f"left over: {sorted(names)}")
        for name in ("favorites.sqlite", "favorites.sqlite-wal"):
            (self.copy / name).unlink(missing_ok=True)
            if name in names:
                shutil.copyfile(folder / name, self.copy / name)
        connection = sqlite3.connect(self.copy / "favorites.sqlite")
        try:
            report = connection.execute("PRAGMA integrity_check").fetchone()[0]
            if report != "ok":
                raise Lost(f"the file is damaged: {report}")
            if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                return set()
            rows = connection.execute("SELECT taxon_id, created_at FROM favorites").fetchall()
            references = connection.execute(
                "SELECT taxon_id, created_at FROM favorite_references WHERE id IS NOT NULL").fetchall()
        finally:
            connection.close()
        if len({time for _, time in rows}) != len(rows):
            raise Lost("two favourites of one time")
        if set(references) != set(rows):
            raise Lost(f"references of other favourites: {sorted(set(references) ^ set(rows))}")
        return {row[0] for row in rows}

    def child(self, *arguments):
        return subprocess.Popen([self.stol, "favorites", *arguments], env=self.environment,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def kill_one(self):
        """Starts a child, kills it, and looks at what is left."""
        verb = self.random.choices(("add", "remove", "toggle", "clear"), (50, 15, 30, 5))[0]
        if verb == "clear":
            process = self.child("clear", "--yes", "--quiet")
            time.sleep(self.random.uniform(0, 0.012))
            answers = self.end(process)
            allowed = [set()] if process.returncode == 0 else [self.known, set()]
        else:
            sent = [self.random.choice(self.ids) for _ in range(LINES)]
            process = self.child(verb, "-")
            process.stdin.write("".join(f"{id}\n" for id in sent).encode())
            process.stdin.flush()
            answers = []
            if self.random.random() < 0.3:
                # While the file is made, opened or recovered.
                time.sleep(self.random.uniform(0, 0.008))
            else:
                for _ in range(self.random.randrange(LINES - 1)):
                    answers.append(process.stdout.readline())
                time.sleep(self.random.uniform(0, 0.0005))
            answers += self.end(process)
            for answer, id in zip(answers, sent):
                if answer.endswith(b"\n"):
                    self.acknowledge(verb, answer, id)
            whole = sum(answer.endswith(b"\n") for answer in answers)
            allowed = [self.known]
            if whole < len(sent):
                allowed.append(changed(verb, self.known, sent[whole]))
        found = self.stored()
        if found not in allowed:
            raise Lost(f"{verb}: lost {sorted(self.known - found)}, made up {sorted(found - self.known)}")
        self.halfway += found != self.known
        self.known = found
        self.kills += process.returncode < 0

    def end(self, process):
        process.kill()
        output, errors = process.stdout.read(), process.stderr.read()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            pipe.close()
        if errors or process.returncode not in (0, -9):
            raise Lost(f"a child ended with {process.returncode}: {errors.decode(errors='replace')}")
        return output.splitlines(keepends=True)

    def acknowledge(self, verb, answer, id):
        after = changed(verb, self.known, id)
        word = ("unchanged" if after == self.known else "added" if id in after else "removed")
        if answer.decode() != f"{word}\t{id}\n":
            raise Lost(f"{verb} {id}: acknowledged {answer!r}, expected {word}")
        self.known = after
        self.acknowledged += 1

    def run(self, kills):
        folder = self.home / "Favorites"
        other = subprocess.Popen([sys.executable, "-c", CHECKPOINTER, str(folder)], stdin=subprocess.PIPE)
        try:
            while self.kills < kills:
                self.kill_one()
            if other.poll() is not None:
                raise Lost(f"the second process ended with {other.returncode}")
        finally:
            other.stdin.close()
            other.wait()
        count = subprocess.run([self.stol, "favorites", "count"], env=self.environment, check=True,
                               capture_output=True, text=True).stdout
        if int(count) != len(self.known):
            raise Lost(f"{count.strip()} favourites counted, {len(self.known)} are there")
        return self


def changed(verb, known, id):
    """What a change makes of the favourites."""
    if verb == "remove" or verb == "toggle" and id in known:
        return known - {id}
    return known | {id}


def torture(stol, pack, ids, kills):
    """Kills so many children, in two data directories at once; says what came of it."""
    # A kill takes nothing from the kernel, so that memory is as good as a disk, and quicker.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        writers = [Writer(stol, pack, ids, seed, folder) for seed in (1, 2)]
        with concurrent.futures.ThreadPoolExecutor(len(writers)) as pool:
            done = list(pool.map(lambda writer: writer.run(kills // len(writers)), writers))
    acknowledged = sum(writer.acknowledged for writer in done)
    halfway = sum(writer.halfway for writer in done)
    return (sum(writer.kills for writer in done),
            f"{acknowledged:,} changes acknowledged, none lost; {halfway} done but not yet acknowledged")


def break_calls(stol, pack, ids, folder, limit):
    """Lets each system call of an addition fail once; the list before it must outlast that."""
    base, home, log = (pathlib.Path(folder) / name for name in ("sound", "broken", "calls"))
    environment = {"PATH": os.environ["PATH"], "STOL_PACK": str(pack)}

    def run(where, *prefix):
        return subprocess.run([*map(str, prefix), str(stol), "favorites", "add", str(ids[-1])],
                              env={**environment, "STOL_HOME": str(where)}, capture_output=True, text=True)

    subprocess.run([str(stol), "favorites", "add", *map(str, ids[:50])], check=True, capture_output=True,
                   env={**environment, "STOL_HOME": str(base)})
    shutil.copytree(base, home)
    run(home, "strace", "-f", "-qq", "-o", log)
    cases, counts, begun = [], {}, False
    for line in log.read_text(errors="replace").splitlines():
        call = re.match(r"\d+\s+(\w+)\(", line)
        if not call:
            continue
        counts[call[1]] = counts.get(call[1], 0) + 1
        begun = begun or str(home) in line
        if begun and call[1] in FAILING:
            cases.append((call[1], ERRORS[len(cases) % len(ERRORS)], counts[call[1]]))
    if limit:
        cases = random.Random(1).sample(cases, min(limit, len(cases)))
    for call, error, number in cases:
        case = f"{error} of {call} {number}"
        shutil.rmtree(home)
        shutil.copytree(base, home)
        done = run(home, "strace", "-f", "-qq", "-o", "/dev/null", "-e",
                   f"inject={call}:error={error}:when={number}")
        if done.returncode not in (0, 3, 6):
            raise Lost(f"{case}: exit code {done.returncode}: {done.stderr.strip()}")
        if any("damaged" in path.name for path in (home / "Favorites").iterdir()):
            raise Lost(f"{case}: a sound list was set aside")
        connection = sqlite3.connect(home / "Favorites" / "favorites.sqlite")
        found = {row[0] for row in connection.execute("SELECT taxon_id FROM favorites")}
        connection.close()
        needed = set(ids[:50]) | ({ids[-1]} if done.returncode == 0 else set())
        if not needed <= found <= needed | {ids[-1]}:
            raise Lost(f"{case}: {len(found)} favourites, {len(needed)} expected")
    return len(cases)
