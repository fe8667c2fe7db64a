"""Runs the tests of this folder, says how long each part takes, and ends with a line of counts."""
import concurrent.futures
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
# What mostly waits, and so runs beside the others.
ASIDE = "slow_test"
# So many processes share the rest, for a browser and the server that it asks take turns; and how long one module
# may take at most.
SHARES, MODULE_SECONDS = 2, 600
# What takes longest begins first.
LONGEST = ("access_test", "journal_test", "tasks_test", "zoom_test")


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


def run_apart(name):
    """Runs a module in a process of its own, prints what it has said, and returns its counts: one failure of what did not end."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen([sys.executable, __file__, name], stdout=output, stderr=subprocess.STDOUT)
        try:
            process.wait(MODULE_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        finally:
            process.kill()
            process.wait()
        output.seek(0)
        lines = output.read().decode().splitlines() or [""]
    counts = re.fullmatch(r"(\d+) passed, (\d+) failed, (\d+) skipped", lines[-1])
    # The last line is the module's own sum, unless it came to none.
    said = lines[:-1] if counts else [*lines, f"{name} did not come to its end, for which it had {MODULE_SECONDS} s"]
    print("\n".join([f"== {name}", *said]), flush=True)
    return tuple(map(int, counts.groups())) if counts else (0, 1, 0)


def run_all():
    """Runs all modules; returns counts as `run` does."""
    modules = sorted(path.stem for path in FOLDER.glob("*_test.py") if path.stem != ASIDE)
    modules.sort(key=lambda name: name not in LONGEST)
    total = (0, 0, 0)
    with concurrent.futures.ThreadPoolExecutor(1) as aside, concurrent.futures.ThreadPoolExecutor(SHARES) as shares:
        tasks = [aside.submit(run_apart, ASIDE)] + [shares.submit(run_apart, name) for name in modules]
        for done in concurrent.futures.as_completed(tasks):
            total = tuple(a + b for a, b in zip(total, done.result()))
    return total


def main():
    raise_loopback()
    counts = run(sys.argv[1:]) if sys.argv[1:] else run_all()
    print("{} passed, {} failed, {} skipped".format(*counts))
    return 0 if counts[0] and not counts[1] else 1


if __name__ == "__main__":
    sys.exit(main())
