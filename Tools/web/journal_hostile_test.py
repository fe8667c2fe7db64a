"""The journal under a flood and a kill: large files, a thousand notes at once, a server that ends in the middle of an import."""
import concurrent.futures
import http.client
import pathlib
import random
import tempfile
import threading
import time
import unittest

from explorer import Explorer, stol
from journal_exchange_test import EBIRD

MB = 1 << 20
BOUNDARY = "----stol-test"


def head(fields, field, name):
    """What stands before the bytes of a file in a form."""
    texts = "".join(f"--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{key}\"\r\n\r\n{value}\r\n" for key, value in fields.items())
    return (texts + f"--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\r\n").encode()


class Peak:
    """The most memory that a server holds while something happens."""

    def __init__(self, explorer):
        self.explorer, self.bytes, self.isEnded = explorer, explorer.resident, False

    def __enter__(self):
        self.before = self.bytes
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()
        return self

    def watch(self):
        while not self.isEnded:
            self.bytes = max(self.bytes, self.explorer.resident)
            time.sleep(0.005)

    def __exit__(self, *_):
        self.isEnded = True
        self.thread.join()

    @property
    def growth(self):
        return self.bytes - self.before


def send(explorer, target, fields, field, name, size, stated=None, byte=b"x"):
    """Sends a form with a file of so many bytes, a piece at a time; returns the status, None where it was closed without one."""
    start, end = head(fields, field, name), f"\r\n--{BOUNDARY}--\r\n".encode()
    connection = http.client.HTTPConnection("127.0.0.1", explorer.port, timeout=120)
    try:
        connection.putrequest("POST", target)
        connection.putheader("Origin", explorer.address)
        connection.putheader("Content-Type", f"multipart/form-data; boundary={BOUNDARY}")
        connection.putheader("Content-Length", str(stated or len(start) + size + len(end)))
        connection.endheaders()
        try:
            connection.send(start)
            for _ in range(size >> 16):
                connection.send(byte * 65536)
            connection.send(byte * (size & 0xFFFF) + end)
        except (BrokenPipeError, ConnectionResetError):
            # It was refused before all had come.
            pass
        return connection.getresponse().status
    except (http.client.RemoteDisconnected, ConnectionResetError):
        return None
    finally:
        connection.close()


class LargeTests(unittest.TestCase):
    def test_a_large_file_to_import_is_never_in_memory(self):
        with Explorer() as explorer:
            self.assertEqual(send(explorer, "/journal/import", {"token": explorer.token, "action": "send"}, "file", "a.csv", 100), 303)
            with Peak(explorer) as peak:
                self.assertEqual(send(explorer, "/journal/import", {"token": explorer.token, "action": "send"}, "file", "a.csv", 63 * MB), 303)
            self.assertEqual(explorer.json("/journal/import.json")["state"], "unreadable")
            self.assertLess(peak.growth, 40 * MB)
            print(f"\n63 MB to import: {peak.growth / MB:.0f} MB more memory")

    def test_large_photos_at_once_wait_for_each_other(self):
        with Explorer() as explorer:
            fields = {"token": explorer.token, "id": "0", "taxon": "Quercus robur", "when": "2025"}
            with Peak(explorer) as one:
                self.assertEqual(send(explorer, "/journal/new", fields, "photo", "a.jpg", 40 * MB), 400)
            with Peak(explorer) as many, concurrent.futures.ThreadPoolExecutor(6) as pool:
                statuses = list(pool.map(lambda _: send(explorer, "/journal/new", fields, "photo", "a.jpg", 40 * MB), range(6)))
            # Those that had to wait too long were closed without an answer; none was kept.
            self.assertLessEqual(set(statuses), {400, None})
            self.assertIn(400, statuses)
            print(f"\na photo of 40 MB: {one.growth / MB:.0f} MB more memory; six at once: {many.growth / MB:.0f} MB more")
            self.assertLess(many.bytes - one.before, 2.5 * 40 * MB)
            self.assertEqual(explorer.get("/journal")[0], 200)

    def test_more_than_64_mb_is_refused_before_it_is_read(self):
        with Explorer() as explorer:
            token = explorer.token
            for target, field in (("/journal/import", "file"), ("/journal/new", "photo")):
                # The first page takes memory of its own.
                explorer.get(target)
                with Peak(explorer) as peak:
                    status = send(explorer, target, {"token": token, "action": "send"}, field, "a", 1 * MB, stated=80 * MB)
                self.assertEqual(status, 413, target)
                self.assertLess(peak.growth, 8 * MB)

    def test_a_file_from_elsewhere_is_refused_before_it_is_read(self):
        with Explorer() as explorer:
            for target, field in (("/journal/import", "file"), ("/journal/new", "photo")):
                explorer.get(target)
                with Peak(explorer) as peak:
                    self.assertEqual(send(explorer, target, {"token": "0" * 32, "action": "send"}, field, "a", 60 * MB), 403)
                self.assertLess(peak.growth, 8 * MB)


class FloodTests(unittest.TestCase):
    def test_a_thousand_notes_at_once_are_kept_once_each(self):
        with Explorer() as explorer, concurrent.futures.ThreadPoolExecutor(32) as pool:
            token = explorer.token
            ids = [f"00000000-0000-7000-8000-{number:012x}" for number in range(1000)]

            def note(number):
                body = f"token={token}&id={ids[number % 1000]}&kind=walk&taxon=Quercus+robur&when=2025-05-04"
                return explorer.get("/journal/new", {"Origin": explorer.address, "Content-Type": "application/x-www-form-urlencoded"}, "POST", body)[:2]
            with Peak(explorer) as peak:
                answers = list(pool.map(note, range(1200)))
            self.assertEqual({status for status, _ in answers}, {303})
            self.assertEqual(sum("done=new" in fields["location"] for _, fields in answers), 1000)
            self.assertEqual(explorer.json("/journal.json")["count"], 1000)
            self.assertLess(peak.growth, 60 * MB)
            print(f"\n1,200 notes by 32 clients: {peak.growth / MB:.0f} MB more memory")


class KillTests(unittest.TestCase):
    """SIGKILL in the middle of an import leaves all of the file in the journal, or nothing."""

    rows = 4000

    def file(self):
        rows = "".join(f"S{number},,Anas platyrhynchos,1,{number % 9 + 1},US-NY,Tompkins,L{number % 50},Woods {number % 50},42.4,-76.45,2022-12-0{number % 9 + 1},"
                       "06:05 AM,eBird - Casual Observation,,0,,,,,,,\n" for number in range(1, self.rows + 1))
        return (EBIRD + rows).encode()

    def begin(self, explorer):
        """Sends the file; returns the fields of the form that imports it."""
        start = head({"token": explorer.token, "action": "send"}, "file", "MyEBirdData.csv")
        status = explorer.get("/journal/import", {"Origin": explorer.address, "Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}, "POST",
                              start + self.file() + f"\r\n--{BOUNDARY}--\r\n".encode())[0]
        self.assertEqual(status, 303)
        state = explorer.json("/journal/import.json")
        self.assertEqual(state["state"], "waiting")
        return {"action": "import", "upload": state["upload"]}

    def test_a_killed_server_leaves_all_or_nothing(self):
        dice = random.Random(29)
        with tempfile.TemporaryDirectory(prefix="stol-web-") as folder:
            home = pathlib.Path(folder) / "home"
            with Explorer() as first:
                stol("journal", "add", "Quercus robur", "--when", "2025", home=first.home)
                first.home.rename(home)
            counts = []
            for number in range(8):
                with Explorer(home=home) as explorer:
                    self.assertEqual(explorer.json("/journal.json")["count"], 1)
                    form = self.begin(explorer)

                    def ask(explorer=explorer, form=form):
                        try:
                            explorer.post("/journal/import", form)
                        except (OSError, http.client.HTTPException):
                            pass
                    thread = threading.Thread(target=ask)
                    thread.start()
                    # From at once to, mostly, after its end.
                    time.sleep(number * dice.uniform(0.05, 0.3))
                    explorer.process.kill()
                    thread.join()
                with Explorer(home=home) as explorer:
                    count = explorer.json("/journal.json")["count"]
                    self.assertIn(count, (1, 1 + self.rows))
                    counts.append(count)
                    stol("journal", "check", home=home)
                    if count > 1:
                        stol("journal", "undo", home=home)
                        self.assertEqual(explorer.json("/journal.json")["count"], 1)
            print(f"\nrecords after each kill: {counts}")
            # Files that were sent to a killed server are gone with the next one.
            self.assertFalse([path for path in pathlib.Path(tempfile.gettempdir()).glob("stol.*") if str(path).count(f".{explorer.process.pid}.")])


if __name__ == "__main__":
    unittest.main()
