"""A journal whose writer is killed at any moment: for Tools/torture.

Entries of eight records each are imported, deleted and brought back, and sightings are saved, by commands that are
killed, while another process adds what it sees to the same file.  After each kill an entry is there whole, deleted
whole or not there at all; what was acknowledged is as it was acknowledged.  The file lives on from kill to kill, with
the log that SQLite left beside it; it is looked at in a copy, so that only the next command recovers it.

A system call that fails, and a power failure, leave the state before a command or the one after it, and no file is
set aside.
"""
import concurrent.futures
import fcntl
import json
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import tempfile
import threading
import time

import powerloss

RECORDS = 8
ENTRIES = 48
# So many kills in one file, then another one begins.
ROUND = 200
FAILING = ("openat", "read", "pread64", "write", "pwrite64", "fsync", "fdatasync", "flock", "fstat",
           "fcntl", "ftruncate", "unlink")
ERRORS = ("EIO", "ENOSPC", "EACCES")
ABSENT, LIVE, DELETED = "absent", "live", "deleted"
# Whether a record is deleted, if there is one.
STATES = {None: ABSENT, False: LIVE, True: DELETED}


class Lost(Exception):
    """What was lost, or is there by half."""


def uuid(seed, entry, record=0):
    return f"0192f3a4-{seed:04x}-7000-8000-{entry:08x}{record:04x}"


def lines(seed, entry):
    """An event, three occurrences, what they were taken for, and a note, as JSON lines."""
    event = uuid(seed, entry)
    records = [{"recordKind": "event", "id": event, "kind": "visit", "status": "saved", "isCompleteList": False,
                "start": f"2026-01-{10 + entry % 20}"}]
    for number in (1, 2, 3):
        seen = uuid(seed, entry, number)
        records += [
            {"recordKind": "occurrence", "id": seen, "event": event, "presence": "present",
             "position": {"latitudeE7": entry * 1000, "longitudeE7": number * 1000}},
            {"recordKind": "identification", "id": uuid(seed, entry, 3 + number), "occurrence": seen,
             "verbatimName": "Tortura sp.", "match": "none"}]
    records.append({"recordKind": "note", "id": uuid(seed, entry, 7), "target": event, "text": "n"})
    return "".join(json.dumps(record) + "\n" for record in records)


class File:
    """The journal of a data directory, looked at in a copy."""

    def __init__(self, home, copy):
        self.folder = pathlib.Path(home) / "Journal"
        self.copy = pathlib.Path(copy)
        self.copy.mkdir(exist_ok=True)

    def look(self, question):
        """What `question` says of a connection to a copy; nothing where there is no file yet."""
        if not (self.folder / "journal.sqlite").exists():
            return None
        lock = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            names = {path.name for path in self.folder.iterdir()}
            if not names <= {"journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"}:
                raise Lost(f"left over: {sorted(names)}")
            for name in ("journal.sqlite", "journal.sqlite-wal"):
                (self.copy / name).unlink(missing_ok=True)
                if name in names:
                    shutil.copyfile(self.folder / name, self.copy / name)
        finally:
            os.close(lock)
        connection = sqlite3.connect(self.copy / "journal.sqlite")
        try:
            if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'record'").fetchone():
                return None
            return question(connection)
        finally:
            connection.close()

    def states(self):
        """Of each record's UUID, in 32 digits, whether it is deleted; the file must be sound."""
        def question(connection):
            report = connection.execute("PRAGMA integrity_check").fetchone()[0]
            if report != "ok":
                raise Lost(f"the file is damaged: {report}")
            sightings, occurrences = connection.execute(
                "SELECT (SELECT count(*) FROM sighting), (SELECT count(*) FROM record "
                "WHERE kind = 'occurrence' AND deleted_ms IS NULL)").fetchone()
            if sightings != occurrences:
                raise Lost(f"{occurrences} occurrences, {sightings} sightings")
            return {bytes(id).hex(): deleted is not None for id, deleted in connection.execute(
                "SELECT uuid, deleted_ms FROM record")}
        return self.look(question) or {}

    def state(self, seed, entry, states):
        """Whether all of an entry is there, or a record of this UUID."""
        if isinstance(entry, str):
            return STATES[states.get(entry.replace("-", ""))]
        found = {states.get(uuid(seed, entry, record).replace("-", "")) for record in range(RECORDS)}
        if len(found) != 1:
            raise Lost(f"entry {entry} is there by half")
        return STATES[found.pop()]

    def last_batch(self, seed, entry):
        """The batch that changed an entry last, its word, and the numbers of the entries that it changed."""
        def question(connection):
            batch, what = connection.execute(
                "SELECT id, what FROM batch WHERE id = (SELECT max(batch_id) FROM revision WHERE record_uuid = ?)",
                (bytes.fromhex(uuid(seed, entry).replace("-", "")),)).fetchone()
            rows = connection.execute("SELECT record_uuid FROM revision WHERE batch_id = ?", (batch,))
            return batch, what, {int(bytes(id).hex()[20:28], 16) for (id,) in rows}
        return self.look(question)


class Writer:
    """One data directory, whose commands are killed."""

    def __init__(self, stol, pack, seed, memory):
        self.stol, self.seed = str(stol), seed
        self.random = random.Random(seed)
        self.home = pathlib.Path(memory) / f"home-{seed}"
        self.file = File(self.home, pathlib.Path(memory) / f"copy-{seed}")
        self.environment = {"PATH": os.environ["PATH"], "STOL_HOME": str(self.home), "STOL_PACK": str(pack)}
        self.known = {entry: ABSENT for entry in range(ENTRIES)}
        self.kills = self.acknowledged = self.halfway = self.settled = 0
        self.saves, self.others, self.fault = {}, [], None
        self.is_done = threading.Event()

    def command(self, *words):
        return subprocess.Popen([self.stol, "journal", *map(str, words)], env=self.environment,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def write_beside(self):
        """Another process: adds, one after the other, and is never killed."""
        while not self.is_done.is_set():
            id = uuid(self.seed, 1_000_000 + len(self.others))
            process = self.command("add", "Tortura akia", "--id", id, "--when", "2026", "--quiet")
            output, errors = process.communicate()
            if process.returncode != 0 or not output.startswith(f"new\t{id}\t".encode()):
                self.fault = f"the other process: {output!r} {errors.decode(errors='replace')}"
                return
            self.others.append(id)

    def draw(self):
        """A change: what is called, what it reads, and what each acknowledged line makes of entries."""
        live = [entry for entry, state in self.known.items() if state == LIVE]
        absent = [entry for entry, state in self.known.items() if state == ABSENT]
        deleted = [entry for entry, state in self.known.items() if state == DELETED]
        verb = self.random.choices(("add", "import", "delete", "undo"), (20, 30, 25, 25))[0]
        if verb == "add":
            id = uuid(self.seed, 2_000_000 + len(self.saves))
            self.saves[id] = ABSENT
            return ["add", "Tortura akia", "--id", id, "--when", "2026", "--quiet"], "", [{id: LIVE}]
        if verb == "delete" and live:
            chosen = self.random.sample(live, min(len(live), self.random.randint(1, 3)))
            return ["delete", *(uuid(self.seed, entry) for entry in chosen)], "", [dict.fromkeys(chosen, DELETED)]
        if verb == "undo" and live + deleted:
            entry = self.random.choice(live + deleted)
            batch, what, entries = self.file.last_batch(self.seed, entry)
            # What was changed again since cannot be undone.
            if all(self.file.last_batch(self.seed, other)[0] == batch for other in entries):
                after = {"import": ABSENT, "delete": LIVE}.get(what)
                if after:
                    return ["undo", batch], "", [dict.fromkeys(entries, after)]
        pool = absent + live
        if not pool:
            # What was deleted last was not changed since.
            batch, _, entries = max((self.file.last_batch(self.seed, entry) for entry in deleted),
                                    key=lambda found: int(found[0]))
            return ["undo", batch], "", [dict.fromkeys(entries, LIVE)]
        chosen = self.random.sample(pool, min(len(pool), self.random.randint(1, 10)))
        text = "".join(lines(self.seed, entry) for entry in chosen)
        return ["import", "-", "-q"], text, [dict.fromkeys(chosen, LIVE)]

    def kill_one(self):
        """Begins a change, kills it at a random moment, and looks at what is left."""
        words, text, changes = self.draw()
        process = self.command(*words)
        try:
            process.stdin.write(text.encode())
            process.stdin.close()
        except BrokenPipeError:
            pass
        time.sleep(self.random.uniform(0, self.longest))
        is_over = process.poll() is not None
        process.kill()
        output, errors = process.stdout.read().decode(), process.stderr.read().decode(errors="replace")
        process.wait()
        process.stdout.close()
        process.stderr.close()
        if errors or process.returncode not in (0, -9):
            raise Lost(f"{words[:2]} ended with {process.returncode}: {errors}")
        # A change of its own is acknowledged by its line; an import by all of its lines, and the first will do.
        done = min(output.count("\n"), len(changes))
        states = self.file.states()
        known = self.saves if words[0] == "add" else self.known
        for change in changes[:done]:
            known.update(change)
            self.acknowledged += len(change)
        begun = changes[done] if done < len(changes) else {}
        if any(self.file.state(self.seed, entry, states) == state != (self.known | self.saves)[entry]
               for entry, state in begun.items()):
            # Who ended before the others were told of a commit may have left it in the log, where who reads the files
            # finds it; the next commit of those who have the journal open meanwhile takes its place.
            self.settle()
            states = self.file.states()
        is_begun = None
        for entry, state in (self.known | self.saves).items():
            found = self.file.state(self.seed, entry, states)
            if entry in begun and begun[entry] != state:
                # All of what was begun is there, or none.
                is_begun = found == begun[entry] if is_begun is None else is_begun
                state = begun[entry] if is_begun else state
            if found != state:
                raise Lost(f"{words[0]}: entry {entry} is {found}, not {state}")
        if is_begun:
            known.update(begun)
            self.halfway += 1
        self.kills += process.returncode < 0
        # What is slower or faster later on is followed.
        self.longest = min(5.0, max(0.002, self.longest * (0.95 if is_over else 1.05)))

    def settle(self):
        """Adds something more, which is acknowledged."""
        id = uuid(self.seed, 3_000_000 + self.settled)
        self.settled += 1
        process = self.command("add", "Tortura akia", "--id", id, "--when", "2026", "--quiet")
        output, errors = process.communicate()
        if process.returncode != 0:
            raise Lost(f"add: {output!r} {errors.decode(errors='replace')}")
        self.saves[id] = LIVE

    def begin(self):
        """Imports an entry, to know how long that takes: kills are spread over all of it."""
        start = time.monotonic()
        process = self.command("import", "-", "-q")
        _, errors = process.communicate(lines(self.seed, 0).encode())
        if process.returncode != 0:
            raise Lost(f"the first import: {errors.decode(errors='replace')}")
        self.known[0] = LIVE
        self.longest = 1.3 * (time.monotonic() - start)

    def run(self, kills):
        self.begin()
        other = threading.Thread(target=self.write_beside)
        other.start()
        try:
            while self.kills < kills:
                self.kill_one()
                if self.fault:
                    raise Lost(self.fault)
        finally:
            self.is_done.set()
            other.join()
        states = self.file.states()
        for id in self.others:
            if states.get(id.replace("-", "")) is not False:
                raise Lost(f"the other process lost {id}")
        report = subprocess.run([self.stol, "journal", "check"], env=self.environment, capture_output=True,
                                text=True)
        if report.stdout != "ok\n":
            raise Lost(f"check: {report.stdout}{report.stderr}")
        return self


def torture(stol, pack, kills):
    """Kills so many commands, in two data directories at once; says what came of it."""
    # A kill takes nothing from the kernel, so that memory is as good as a disk, and quicker.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    done = []
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        rounds = max(2, -(-kills // ROUND))

        def one(seed):
            writer = Writer(stol, pack, seed, folder).run(-(-kills // rounds))
            shutil.rmtree(writer.home)
            return writer
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            done = list(pool.map(one, range(1, rounds + 1)))
    return (sum(writer.kills for writer in done),
            f"{sum(writer.acknowledged for writer in done):,} changes of entries acknowledged, none lost, none half; "
            f"{sum(writer.halfway for writer in done)} done but not yet acknowledged; "
            f"{sum(len(writer.others) for writer in done):,} saves of another process beside them")


class Changes:
    """Each kind of change to a journal with some entries: what it is and what it leaves."""

    SEED = 0

    def __init__(self, stol, pack, folder):
        self.stol = str(stol)
        self.folder = pathlib.Path(folder)
        self.home, self.base = self.folder / "journal-home", self.folder / "journal-base"
        self.environment = {"PATH": os.environ["PATH"], "STOL_PACK": str(pack)}
        self.input = self.folder / "journal-input"
        first = "".join(lines(self.SEED, entry) for entry in range(4))
        shutil.rmtree(self.base, ignore_errors=True)
        for words, text in ((("import", "-", "-q"), first), (("delete", uuid(self.SEED, 0)), "")):
            done = self.run(words, text, home=self.base)
            if done.returncode != 0:
                raise Lost(f"{words}: {done.stderr}")
        self.cases = [
            (("import", "-", "-q"), "".join(lines(self.SEED, entry) for entry in (5, 6)), {5: LIVE, 6: LIVE}),
            (("delete", uuid(self.SEED, 1)), "", {1: DELETED}),
            (("undo", "2"), "", {0: LIVE}),
            (("purge", "--yes"), "", {0: ABSENT}),
        ]
        self.before = {0: DELETED, 1: LIVE, 2: LIVE, 3: LIVE, 5: ABSENT, 6: ABSENT}

    def restore(self):
        shutil.rmtree(self.home, ignore_errors=True)
        shutil.copytree(self.base, self.home)

    def run(self, words, text, prefix=(), home=None):
        self.input.write_text(text)
        with self.input.open("rb") as file:
            return subprocess.run(
                [*map(str, prefix), self.stol, "journal", *words], stdin=file, capture_output=True, text=True,
                env={**self.environment, "STOL_HOME": str(home or self.home)}, timeout=120)

    def check(self, case, change, must_be_done=False):
        """Fails unless the journal is as it was, or as the change makes it; says which."""
        report = self.run(("check",), "")
        if report.stdout != "ok\n" or report.stderr:
            raise Lost(f"{case}: check: {report.stdout}{report.stderr}")
        aside = [path.name for path in (self.home / "Journal").iterdir() if "damaged" in path.name]
        if aside:
            raise Lost(f"{case}: a sound journal was set aside")
        file = File(self.home, self.folder / "journal-copy")
        states = file.states()
        found = {entry: file.state(self.SEED, entry, states) for entry in self.before}
        after = {**self.before, **change}
        if found not in (self.before, after) or must_be_done and found != after:
            raise Lost(f"{case}: {found}")
        return found == after


def numbered_calls(log, home):
    """Of each call in a log of strace its number, from the first one on that has to do with a folder."""
    counts, begun = {}, False
    for line in log.read_text(errors="replace").splitlines():
        call = re.match(r"\d+\s+(\w+)\(", line)
        if not call:
            continue
        counts[call[1]] = counts.get(call[1], 0) + 1
        begun = begun or str(home) in line
        if begun:
            yield call[1], counts[call[1]]


def break_calls(stol, pack, folder, limit):
    """Lets each system call of a change fail once, and all from it on."""
    changes = Changes(stol, pack, folder)
    log = changes.folder / "journal-calls"
    cases = []
    for words, text, change in changes.cases:
        changes.restore()
        changes.run(words, text, ("strace", "-f", "-qq", "-o", log))
        for call, number in numbered_calls(log, changes.home):
            if call in FAILING:
                error = ERRORS[len(cases) % len(ERRORS)]
                cases += [(words, text, change, call, error, number, forever) for forever in ("", "+")]
    if limit:
        cases = random.Random(1).sample(cases, min(limit, len(cases)))
    for words, text, change, call, error, number, forever in cases:
        case = f"journal {words[0]}: {error} of {call} {number}{forever}"
        changes.restore()
        done = changes.run(words, text, ("strace", "-f", "-qq", "-o", "/dev/null", "-e",
                                         f"inject={call}:error={error}:when={number}{forever}"))
        if done.returncode not in (0, 3, 6):
            raise Lost(f"{case}: exit code {done.returncode}: {done.stderr.strip()}")
        # Where nothing can be written any more, nothing can be said.
        is_mute = (call, forever) == ("write", "+")
        if done.returncode != 0 and not is_mute and not done.stderr.startswith("stol: "):
            raise Lost(f"{case}: says {done.stderr.strip()!r}")
        changes.check(case, change, must_be_done=done.returncode == 0)
    return len(cases)


class Latest(random.Random):
    """Draws the last moment: the power fails when all is done."""

    def randint(self, a, b):
        return b


def lose_power(stol, pack, folder, count):
    """Looks at so many disks as a failure of power may leave them during a change."""
    changes = Changes(stol, pack, folder)
    log = changes.folder / "journal-operations"
    draw, last = random.Random(7), Latest(7)
    done = 0
    recordings = []
    changes.restore()
    base = powerloss.snapshot(changes.home)
    files = [path for path, content in base.items() if content is not None]
    for words, text, change in changes.cases:
        changes.restore()
        ended = changes.run(words, text, ("strace", "-f", "-qq", "-xx", "-s", 1 << 20, "-o", log,
                                          "-e", f"trace={powerloss.CALLS}"))
        if ended.returncode != 0:
            raise Lost(f"journal {words[0]}: {ended.stderr}")
        recordings.append((words, change, powerloss.Recording(log, changes.home, files)))
    for number in range(count):
        words, change, recording = recordings[number % len(recordings)]
        is_last = number % 10 == 9
        powerloss.materialize(recording.crash(base, last if is_last else draw), changes.home)
        done += changes.check(f"journal {words[0]}: power loss, state {number}", change, must_be_done=is_last)
    return done, sum(len(recording.operations) for _, _, recording in recordings)
