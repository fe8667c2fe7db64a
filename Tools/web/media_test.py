"""Packs of images and keys in a browser and byte for byte: sent, refused, trusted, removed."""
import re
import unittest

from browser import BrowserTests
from explorer import ROOT, Explorer

VECTORS = ROOT / "Format/vectors"
SAMPLE, KEY = VECTORS / "media/valid/sample.stol-media", VECTORS / "container/test.pub"


class MediaTests(BrowserTests):
    """With a person who chooses files."""

    refusing = r"/settings/media/import\.json"

    def send(self, path):
        self.browser.visit("/settings/media")
        self.browser.one("input[type=file]", "^Choose a file").send_keys(str(path))
        self.browser.click("main button", "^Install it$")
        self.browser.until(lambda: self.browser.path == "/settings/media/import", "how far it is")
        self.browser.until(lambda: self.explorer.json("/settings/media/import.json")["state"] not in ("receiving", "running"),
                           "the end of it")
        self.browser.visit("/settings/media/import")

    def test_install_and_remove(self):
        self.send(SAMPLE)
        self.browser.until(lambda: "trust whoever made it" in self.browser.heading, "the question whom to trust")
        self.browser.one("input[type=file]").send_keys(str(KEY))
        self.browser.click("main button", "^Look at it$")
        self.browser.click("label.choose", "^I have compared")
        self.browser.click("main button", "^Trust it for these$")
        self.browser.until(lambda: self.browser.heading == "The pack is installed", "the pack")
        self.browser.click("main a", "^All pictures|^Every|^Pictures")
        self.browser.one("ul.gallery img")
        self.browser.visit("/settings/media")
        self.browser.click("main a", "Delete")
        self.browser.until(lambda: re.search(r"\ARemove .*\?\Z", self.browser.heading), "the question")
        self.browser.click("main a", "^Keep")
        self.assertEqual(len(self.explorer.json("/settings/media.json")["packs"]), 1)
        self.browser.click("main a", "Delete")
        self.browser.click("main button", "^Delete$")
        self.browser.at("/settings/media")
        self.assertEqual(self.explorer.json("/settings/media.json")["packs"], [])
        # And whom one trusts.
        self.browser.click("main a", "^Trusted keys$")
        self.browser.click("main a", "^Stop trusting")
        self.browser.click("main button", "^Stop trusting it$")
        self.browser.at("/settings/keys")
        self.assertEqual(self.explorer.json("/settings/keys.json")["keys"], [])

    def test_what_is_no_pack_is_refused(self):
        picture = self.explorer.folder / "picture.stol-media"
        picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(300_000))
        cut = self.explorer.folder / "cut.stol-media"
        cut.write_bytes(SAMPLE.read_bytes()[:-100])
        for path, words in [(picture, "It is not such a file"), (cut, "Get it again"),
                            (VECTORS / "container/valid/v2.stol", "It holds a database")]:
            with self.subTest(path.name):
                self.send(path)
                self.assertEqual(self.browser.heading, "The file was not taken")
                self.assertRegex(self.browser.one("main").text, words)
                self.assertRegex(self.browser.one("main").text, "Nothing has changed")
        self.assertEqual(self.explorer.json("/settings/media.json")["packs"], [])


class MediaWithoutScriptsTests(MediaTests):
    """The same with scripts turned off."""

    scripts = False


class UploadTests(unittest.TestCase):
    """Byte for byte: what is sent by whom, and what is left of it."""

    def setUp(self):
        self.explorer = Explorer()
        self.addCleanup(self.explorer.close)

    def form(self, content, token=None, **fields):
        token = self.explorer.token if token is None else token
        parts = [("token", token), *fields.items()]
        head = b"".join(f"--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n".encode()
                        for name, value in parts)
        return head + b"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n" + content + b"\r\n--b--\r\n"

    def post(self, target, body, content="multipart/form-data; boundary=b", origin=None, **headers):
        return self.explorer.get(target, {"Origin": origin or self.explorer.address, "Content-Type": content, **headers},
                                 "POST", body)

    @property
    def left(self):
        return sorted(path.name for path in self.explorer.home.glob("*/upload-*"))

    def test_both_ways_to_send_end_alike(self):
        sample = SAMPLE.read_bytes()
        status, fields, _ = self.post("/settings/media/import", self.form(sample))
        self.assertEqual((status, fields.get("location")), (303, "/settings/media/import"))
        self.assertEqual(self.settled()["state"], "untrusted")
        status, _, _ = self.post("/settings/media/import.json", sample, "application/octet-stream",
                                 **{"Stol-Token": self.explorer.token})
        self.assertEqual(status, 202)
        self.assertEqual(self.settled()["state"], "untrusted")
        self.assertEqual(len(self.left), 1)
        self.explorer.post("/settings/media/import", {"action": "cancel"})
        self.assertEqual(self.left, [])

    def settled(self):
        for _ in range(1000):
            state = self.explorer.json("/settings/media/import.json")
            if state["state"] not in ("receiving", "running"):
                return state
        raise AssertionError(state)

    def test_nothing_is_taken_without_a_token_of_this_server(self):
        sample, bare = SAMPLE.read_bytes(), "application/octet-stream"
        for target in ["/settings/media/import", "/settings/databases/import"]:
            for name, (status, _, _) in {
                "no token": self.post(target, self.form(sample, "")),
                "a wrong token": self.post(target, self.form(sample, "0" * 32)),
                "the token behind the file": self.post(
                    target, self.form(sample, "") .replace(b"--b--", b"--b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n"
                                                           + self.explorer.token.encode() + b"\r\n--b--")),
                "no token beside a body": self.post(target + ".json", sample, bare),
                "another origin": self.post(target, self.form(sample), origin="http://evil.example"),
            }.items():
                self.assertEqual(status, 403, (target, name))
            self.assertEqual(self.explorer.json(target + ".json")["state"], "none")
        for target, fields in [("/settings/keys", {"text": KEY.read_text()}),
                               ("/settings/keys/trust", {"key": KEY.read_text().split()[2], "dataset": "a", "compared": "yes"}),
                               ("/settings/keys/forget", {"key": KEY.read_text().split()[1], "action": "revoke"}),
                               ("/settings/media/delete", {"pack": "sample"})]:
            self.assertEqual(self.explorer.post(target, {**fields, "token": "0" * 32})[0], 403, target)
            self.assertEqual(self.explorer.post(target, fields, Origin="http://evil.example")[0], 403, target)
        self.assertEqual(self.explorer.json("/settings/keys.json")["keys"], [])
        self.assertEqual(self.left, [])

    def test_what_cannot_be_read_is_refused_and_nothing_is_left(self):
        whole = self.form(SAMPLE.read_bytes())
        bodies = {
            "not a form": b"hello", "no boundary at all": b"", "cut in the file": whole[:-200],
            "cut in the last boundary": whole[:-6], "cut in a text": whole[:60],
        }
        for name, body in bodies.items():
            with self.subTest(name):
                status, _, _ = self.post("/settings/media/import", body)
                self.assertIn(status, (303, 400), name)
                self.assertNotIn(self.settled()["state"], ("untrusted", "done"))
                self.assertEqual(self.left, [])
        for content in ["multipart/form-data", "multipart/form-data; boundary=", "text/plain", "application/json", ""]:
            status, _, _ = self.post("/settings/media/import", whole, content)
            self.assertIn(status, (400, 415), content)
        self.assertEqual(self.post("/settings/keys", self.form(b"x" * 100_000))[0], 413)

    def test_a_file_that_is_none_ends_at_its_first_bytes(self):
        """A long picture is not written to the disk to find out what it is."""
        status, _, body = self.post("/settings/media/import.json", b"\xff\xd8\xff" + bytes(50 << 20), "application/octet-stream",
                                    **{"Stol-Token": self.explorer.token})
        self.assertEqual(status, 415)
        self.assertIn(b"failed", body)
        self.assertEqual(self.left, [])

    def test_a_file_of_any_length_takes_no_memory(self):
        """What begins as a container and goes on for 200 MB goes to the disk, and is removed once it is refused."""
        head = SAMPLE.read_bytes()[:400]
        self.explorer.get("/settings/media")
        before = self.explorer.resident
        status, _, _ = self.post("/settings/media/import", self.form(head + bytes(200 << 20)))
        self.assertEqual(status, 303)
        self.assertEqual(self.settled()["state"], "failed")
        self.assertEqual(self.left, [])
        self.assertLess(self.explorer.resident - before, 40e6)


if __name__ == "__main__":
    unittest.main()
