"""Runs the tests of this folder, says how long each part takes, and ends with a line of counts."""
import fcntl
import pathlib
import re
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import warnings

FOLDER = pathlib.Path(__file__).resolve().parent
SLOWEST = 30
# What mostly waits, and so runs beside the others; and how long it may take at most.
ASIDE, ASIDE_SECONDS = "slow_test", 300


class Result(unittest.TextTestResult):
    """Says what each module took."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.seconds = {}

    def startTest(self, test):
        super().startTest(test)
        self.began = time.monotonic()

    def stopTest(self, test):
        super().stopTest(test)
        took = time.monotonic() - self.began
        module = type(test).__module__
        self.seconds[module] = self.seconds.get(module, 0) + took
        if took > SLOWEST:
            self.stream.writeln(f"\n{test.id()} took {took:.0f} s")


def raise_loopback():
    """Raises the loopback device of a network without any other, as `unshare --net` makes it."""
    get, put, up = 0x8913, 0x8914, 1  # SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as device:
        name, flags = struct.unpack("16sh", fcntl.ioctl(device, get, struct.pack("16sh", b"lo", 0)))
        if not flags & up:
            fcntl.ioctl(device, put, struct.pack("16sh", name, flags | up))


def run(names):
    """Runs tests; returns how many passed, failed and were skipped."""
    loader = unittest.defaultTestLoader
    suite = unittest.TestSuite(loader.loadTestsFromName(name) for name in names)
    warnings.simplefilter("ignore", ResourceWarning)
    result = unittest.TextTestRunner(resultclass=Result).run(suite)
    for module, seconds in result.seconds.items():
        print(f"{module}: {seconds:.0f} s")
    # A test fails once, however many of its cases do.
    failed = len({str(getattr(test, "test_case", test)) for test, _ in [*result.failures, *result.errors]})
    skipped = len(result.skipped)
    return max(0, result.testsRun - failed - skipped), failed, skipped


def finish(process, output):
    """What the tests that ran beside the others have said; counts as `run` does."""
    try:
        process.wait(ASIDE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    output.seek(0)
    *lines, last = output.read().decode().splitlines() or [""]
    print("\n".join(lines))
    counts = re.fullmatch(r"(\d+) passed, (\d+) failed, (\d+) skipped", last)
    return tuple(map(int, counts.groups())) if counts else (0, 1, 0)


def main():
    raise_loopback()
    names = sys.argv[1:]
    if names:
        counts = run(names)
    else:
        with tempfile.TemporaryFile() as output:
            aside = subprocess.Popen([sys.executable, __file__, ASIDE], stdout=output, stderr=subprocess.STDOUT)
            try:
                counts = run(sorted(path.stem for path in FOLDER.glob("*_test.py") if path.stem != ASIDE))
            except BaseException:
                aside.terminate()
                raise
            counts = tuple(a + b for a, b in zip(counts, finish(aside, output)))
    print("{} passed, {} failed, {} skipped".format(*counts))
    return 0 if counts[0] and not counts[1] else 1


if __name__ == "__main__":
    sys.exit(main())
