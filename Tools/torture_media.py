"""The part `media` of Tools/torture: installations of media packs that are killed, or whose calls fail.

Release 1 of a pack is installed, release 2 is added.  SIGKILL at every system call of that, and ENOSPC
and EIO of every call that may fail, once and for good: afterwards one of the two releases is installed
and its images are those that were signed, a command that ends well installed the second, and the next
installation leaves nothing else behind.
"""
import collections
import json
import pathlib
import shutil
import subprocess

CALLS = ("openat", "read", "pread64", "write", "pwrite64", "fsync", "rename", "mkdir", "unlink",
         "unlinkat", "rmdir", "flock", "fstat", "getdents64", "close")
FAILING = tuple(call for call in CALLS if call != "close")
TAXON = 9689


class Broken(Exception):
    """A case whose outcome must not be."""


class MediaTorture:
    def __init__(self, torture, injecting):
        """Signs two releases, and makes a home in which the first is installed."""
        self.torture, self.injecting = torture, injecting
        self.home, self.base = torture.folder / "media-home", torture.folder / "media-base"
        self.image = torture.folder / "image.png"
        root = pathlib.Path(__file__).resolve().parent
        key = torture.folder / "torture"
        self.packs, self.images = {}, {}
        for release in (1, 2):
            source = torture.folder / f"images-{release}"
            subprocess.run([root / "make-sample-media", "--drawn", source], check=True)
            if release == 2:
                # Another picture of the same taxon.
                shutil.copy(source / "whale.png", source / "lion.png")
            pack = torture.folder / f"sample-{release}.stol-media"
            torture.must("media", "sign", source, "-o", pack, "--key", f"{key}.key", "--id", "sample",
                         "--release", release, "--passphrase-file", torture.folder / "passphrase",
                         home=self.base)
            self.packs[release], self.images[release] = pack, (source / "lion.png").read_bytes()
        torture.must("db", "keys", "add", f"{key}.pub", "--dataset", "sample", home=self.base)
        torture.must("query", "show", "lion", home=self.base)
        torture.must("media", "add", self.packs[1], home=self.base)

    def restore(self):
        shutil.rmtree(self.home, ignore_errors=True)
        shutil.copytree(self.base, self.home)

    def add(self, prefix):
        return self.torture.run("media", "add", self.packs[2], "--quiet", home=self.home, prefix=prefix)

    def calls(self):
        """Which call of an installation, counted for each name, is which; from its first look at home."""
        self.restore()
        log = self.torture.folder / "media-calls"
        self.add(("strace", "-f", "-qq", "-o", log, "-e", f"trace={','.join(CALLS)}"))
        counted = self.torture.counted(log, self.home)
        return {name: range(first, last + 1) for name, (first, last) in counted.items()}

    def check(self, case):
        """What must be so after any case; returns the release that is installed."""
        answer = self.torture.run("media", "list", "--json", home=self.home)
        if answer.returncode != 0:
            raise Broken(f"{case}: list ends with {answer.returncode}: {answer.stderr.strip()}")
        packs = json.loads(answer.stdout)
        if len(packs) != 1 or packs[0]["release"] not in (1, 2):
            raise Broken(f"{case}: {answer.stdout.strip()}")
        release = packs[0]["release"]
        shown = self.torture.run("media", "image", TAXON, "-o", self.image, "--quiet", home=self.home)
        if shown.returncode != 0 or self.image.read_bytes() != self.images[release]:
            raise Broken(f"{case}: release {release} with another image: {shown.stderr.strip()}")
        left = sorted(path.name for path in (self.home / "Media").iterdir())
        if left != ["releases.txt", "sample.stolimages"]:
            raise Broken(f"{case}: left over: {left}")
        return release

    def kills(self):
        cases = [(name, number) for name, numbers in self.calls().items() for number in numbers]
        outcomes = collections.Counter()
        chosen = self.torture.chosen(cases)
        for name, number in chosen:
            self.restore()
            self.add(self.injecting(self.torture.folder, f"{name}:signal=KILL:when={number}"))
            outcomes[self.check(f"kill at {name} {number}")] += 1
        return len(chosen), outcomes

    def errors(self):
        cases = [(name, number, error, forever) for name, numbers in self.calls().items()
                 if name in FAILING for number in numbers
                 for error in ("ENOSPC", "EIO") for forever in ("", "+")]
        chosen = self.torture.chosen(cases)
        for name, number, error, forever in chosen:
            case = f"{error} of {name} {number}{forever}"
            self.restore()
            done = self.add(self.injecting(
                self.torture.folder, f"{name}:error={error}:when={number}{forever}"))
            if done.returncode not in range(7):
                raise Broken(f"{case}: exit code {done.returncode}: {done.stderr.strip()}")
            release = self.check(case)
            if done.returncode == 0 and release != 2:
                raise Broken(f"{case}: says that it installed, but release {release} is there")
        return len(chosen)
