"""The part `writers` of Tools/torture: commands that write one file, killed, or with calls that fail.

`ingest`, `pack`, `db sign` and `media sign` write over a file of before.  SIGKILL at every system call from
the first look at the folder of that file on, and ENOSPC and EIO of every call that may fail, once and for
good: afterwards the file is that of before or the new one, whole; a command that ends well wrote the new
one, one that fails says so and leaves nothing beside it; and the next run leaves the new file alone in
its folder, whatever the killed one left.
"""
import collections
import shutil
import sqlite3
import subprocess

CALLS = ("openat", "read", "pread64", "write", "pwrite64", "fsync", "fdatasync", "rename", "mkdir", "unlink",
         "unlinkat", "rmdir", "flock", "fcntl", "fstat", "ftruncate", "getdents64", "close")
FAILING = tuple(call for call in CALLS if call not in ("close", "fcntl"))


class Broken(Exception):
    """A case whose outcome must not be."""


class Writer:
    """One command that writes `output`."""

    def __init__(self, torture, injecting, name, inputs, arguments, verifies):
        """`inputs` are the source of before and the new one; `arguments(input, output)` is the command."""
        self.torture, self.injecting, self.name, self.inputs = torture, injecting, name, inputs
        self.arguments, self.verifies = arguments, verifies
        self.folder = torture.folder / f"writer-{name}"
        self.home, self.temporary = self.folder / "home", self.folder / "tmp"
        self.output = self.folder / "out" / f"output{self.suffix()}"
        self.folder.mkdir()
        self.contents = []
        for source in inputs:
            self.clear()
            done = self.write(source)
            if done.returncode != 0:
                raise Broken(f"{name}: {done.stderr.strip()}")
            self.contents.append(self.content())
        if self.contents[0] == self.contents[1]:
            raise Broken(f"{name}: both sources give the same")
        # What every case begins with.
        self.clear()
        self.write(inputs[0])
        self.base = self.output.read_bytes()

    def suffix(self):
        return {"ingest": ".sqlite", "pack": ".stolpack", "db-sign": ".stol", "media-sign": ".stol-media"}[self.name]

    def clear(self):
        for folder in (self.home, self.temporary, self.output.parent):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()

    def restore(self):
        self.clear()
        self.output.write_bytes(self.base)

    def write(self, source, prefix=()):
        return self.torture.run(*self.arguments(source, self.output), home=self.home,
                                prefix=("env", f"TMPDIR={self.temporary}", *prefix))

    def content(self):
        """What the file says: its bytes may hold the time of day."""
        return self.verifies(self.output)

    def calls(self):
        self.restore()
        log = self.torture.folder / "writer-calls"
        self.write(self.inputs[1], ("strace", "-f", "-qq", "-o", log, "-e", f"trace={','.join(CALLS)}"))
        counted = self.torture.counted(log, self.output.parent)
        return {name: range(first, last + 1) for name, (first, last) in counted.items()}

    def check(self, case):
        """What the file is after a case: 0 that of before, 1 the new one."""
        found = self.content()
        if found not in self.contents:
            raise Broken(f"{self.name}: {case}: neither the old file nor the new one")
        return self.contents.index(found)

    def beside(self):
        return sorted(path.name for folder in (self.output.parent, self.temporary)
                      for path in folder.iterdir() if path != self.output)

    def kills(self, outcomes):
        cases = self.torture.chosen((name, number) for name, numbers in self.calls().items()
                                    for number in numbers)
        for name, number in cases:
            case = f"kill at {name} {number}"
            self.restore()
            self.write(self.inputs[1], self.injecting(
                self.torture.folder, f"{name}:signal=KILL:when={number}"))
            outcomes["old" if self.check(case) == 0 else "new"] += 1
            outcomes["left"] += bool(self.beside())
            done = self.write(self.inputs[1])
            if done.returncode != 0 or self.check(f"{case}, then again") != 1:
                raise Broken(f"{self.name}: {case}: the next run fails: {done.stderr.strip()}")
            if self.beside():
                raise Broken(f"{self.name}: {case}: left after the next run: {self.beside()}")
        return len(cases)

    def errors(self):
        cases = self.torture.chosen(
            (name, number, error, forever) for name, numbers in self.calls().items()
            if name in FAILING for number in numbers
            for error in ("ENOSPC", "EIO") for forever in ("", "+"))
        for name, number, error, forever in cases:
            case = f"{error} of {name} {number}{forever}"
            self.restore()
            done = self.write(self.inputs[1], self.injecting(
                self.torture.folder, f"{name}:error={error}:when={number}{forever}"))
            if done.returncode not in range(7):
                raise Broken(f"{self.name}: {case}: exit code {done.returncode}: {done.stderr.strip()}")
            if done.returncode != 0 and not done.stderr.startswith("stol: "):
                raise Broken(f"{self.name}: {case}: says {done.stderr.strip()!r}")
            if self.check(case) != 1 and done.returncode == 0:
                raise Broken(f"{self.name}: {case}: says that it wrote the file")
            if done.returncode != 0 and self.beside() and name not in ("unlink", "unlinkat"):
                raise Broken(f"{self.name}: {case}: left {self.beside()}")
        return len(cases)


def writers(torture, injecting, write_database):
    """The four commands, each with two sources."""
    passphrase = ("--passphrase-file", torture.folder / "passphrase", "--key", torture.folder / "torture.key")
    tables, databases, images = [], [], []
    mapping = torture.folder / "writer.mapping"
    mapping.write_text("id = id\nparent = parent_id\nrank = rank\nname = name\n")
    root = __file__.rsplit("/", 1)[0]
    for number, species in ((1, 30), (2, 50)):
        table = torture.folder / f"writer-{number}.csv"
        rows = ["id,parent_id,rank,name", "1,,family,Torturidae", "2,1,genus,Tortura"]
        rows += [f"{10 + i},2,species,Tortura {'abcdefghij'[i % 10]}{'klmnopqrst'[i // 10]}ia"
                 for i in range(species)]
        table.write_text("\n".join(rows) + "\n")
        tables.append(table)
        database = torture.folder / f"writer-{number}.sqlite"
        write_database(database, species)
        databases.append(database)
        folder = torture.folder / f"writer-images-{number}"
        subprocess.run([f"{root}/make-sample-media", "--drawn", folder], check=True)
        if number == 2:
            shutil.copy(folder / "whale.png", folder / "lion.png")
        images.append(folder)

    def whole(path):
        """The bytes, which are the same each time; a database holds the time of day."""
        return rows(path) if path.suffix == ".sqlite" else path.read_bytes()

    def rows(path):
        connection = sqlite3.connect(path)
        try:
            if connection.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                return "damaged"
            return [line for line in connection.iterdump()
                    if not line.startswith(('INSERT INTO "schema_version"', 'INSERT INTO "dataset"'))]
        finally:
            connection.close()

    return [
        Writer(torture, injecting, "ingest", tables,
               lambda source, output: ("ingest", "csv", source, "--mapping", mapping, "-o", output, "--quiet"), whole),
        Writer(torture, injecting, "pack", databases,
               lambda source, output: ("pack", source, "-o", output, "--quiet"), whole),
        Writer(torture, injecting, "db-sign", databases,
               lambda source, output: ("db", "sign", source, "-o", output, "--dataset", "torture",
                                       "--release", 1, *passphrase, "--quiet"), whole),
        Writer(torture, injecting, "media-sign", images,
               lambda source, output: ("media", "sign", source, "-o", output, "--id", "sample",
                                       "--release", 1, *passphrase, "--quiet"), whole),
    ]


def torture(torture, injecting, write_database):
    """Returns the number of cases and what came of them."""
    texts, count = [], 0
    for writer in writers(torture, injecting, write_database):
        outcomes = collections.Counter()
        kills, errors = writer.kills(outcomes), writer.errors()
        texts.append(f"{writer.name}: {kills} kills, {outcomes['new']} new, {outcomes['left']} left files; "
                     f"{errors} failing calls")
        count += kills + errors
    return count, "; ".join(texts)
