"""A newcomer's walk: from the first page of `stol serve`, by what stands on the screen and nothing else.

Nobody has read anything, given a command or named an address. What is clicked is found by the words that a person sees.
"""
import re
import unittest

from browser import BrowserTests
from explorer import small_database, stol

LIST = "Panthera leo\nPanthera lexx\nQuercus robur\n"


class WalkTests(BrowserTests):
    """One visit, from finding a lion to a list of names that is matched in a database of one's own."""

    refusing = "/settings/keys/trust"

    def sent_by_a_friend(self):
        """A database and the key of whoever made it; this explorer trusts nobody yet."""
        folder, other = self.explorer.folder, self.explorer.folder / "friend"
        small_database(folder / "small.sqlite")
        passphrase = folder / "passphrase"
        passphrase.write_text("a passphrase\n")
        stol("db", "keygen", "-o", folder / "friend-of-cats", "--passphrase-file", passphrase, home=other)
        stol("db", "sign", folder / "small.sqlite", "-o", folder / "small.stol", "--key", folder / "friend-of-cats.key",
             "--dataset", "small", "--release", "1", "--passphrase-file", passphrase, home=other)
        return folder / "small.stol", folder / "friend-of-cats.pub"

    @property
    def text(self):
        return self.browser.one("main").text

    def wait_for(self, words):
        self.browser.until(lambda: re.search(words, self.text), words)

    def type_into(self, label, text):
        """Clicks the field that has a label, and types."""
        field = self.browser.one("input, textarea", label)
        field.click()
        self.browser.press(text)

    def test_find_zoom_compare_like_import_match(self):
        self.browser.visit("/")
        self.find()
        self.zoom()
        self.compare()
        self.like()
        self.bring_a_database()
        self.match()

    def find(self):
        self.type_into("Whom do you want to meet", "lion")
        self.browser.click("main button", "^Find$")
        self.browser.click("#results a", "Panthera leo")
        self.browser.until(lambda: re.search("(?i)lion", self.browser.heading), "the lion")
        self.assertRegex(self.text, "family Felidae|Felidae")

    def zoom(self):
        """From the first page into the picture of all life, closer, and out again."""
        self.browser.click("header a.brand")
        self.browser.click("main a", "^The whole picture$")
        self.browser.at(r"/icicle.*")
        first = self.browser.path
        if self.scripts:
            self.browser.until(lambda: self.figures()["frames"] and not self.figures()["questions"], "the picture")
            for _ in range(12):
                self.browser.click("section.life button", "^Zoom in$")
                self.browser.until(lambda: not self.figures()["isFlying"] and not self.figures()["questions"], "rest")
                if self.place() != "all":
                    break
            self.assertNotEqual(self.place(), "all", "twelve times closer is somewhere")
            self.browser.click("section.life button", "^Out to what holds this$")
            self.browser.until(lambda: not self.figures()["isFlying"], "rest")
        else:
            self.browser.click("main a", "cellular organisms")
            self.browser.until(lambda: self.browser.path != first, "one branch")
            self.assertIn("cellular organisms", self.browser.heading)
            self.browser.click("main a", "Eukaryota")
            self.browser.until(lambda: "Eukaryot" in self.browser.heading, "a branch of it")

    def figures(self):
        return self.browser.run("return document.querySelector('section.life').life?.figures") or {
            "frames": 0, "questions": 1, "isFlying": True}

    def place(self):
        return self.browser.run("return document.querySelector('section.life').life.place")

    def compare(self):
        self.browser.click("header a", "^Compare$")
        self.type_into("^First", "lion")
        self.choose("Panthera leo")
        self.type_into("^Second", "oak")
        self.choose(r"\bQuercus\b")
        self.browser.click("main button", "^Compare$")
        self.wait_for("last common ancestor")
        self.assertRegex(self.text, "Eukaryot")

    def choose(self, name):
        if self.scripts:
            self.browser.click("[role=option]", name)

    def like(self):
        self.browser.click("main a", r"Panthera leo$")
        self.browser.until(lambda: re.search("(?i)^lion", self.browser.heading), "the lion")
        self.browser.click("form.heart button", "(?i)favourite")
        self.browser.until(lambda: self.browser.one("#favorite-count").text.strip() == "1", "one favourite")
        self.browser.click("header a", "^Favourites")
        self.wait_for("Panthera leo")

    def bring_a_database(self):
        """A file and a key that a friend sent: chosen, looked at, compared, trusted, installed."""
        container, key = self.sent_by_a_friend()
        self.browser.click("header a", "^Settings$")
        self.browser.click("main a", "^Databases$")
        self.browser.one("input[type=file]", "^Choose a file").send_keys(str(container))
        self.browser.click("main button", "^Import$")
        self.browser.until(lambda: "trust whoever made it" in self.browser.heading, "the question whom to trust")
        self.browser.one("input[type=file]", "^Choose a file").send_keys(str(key))
        self.browser.click("main button", "^Look at it$")
        self.browser.until(lambda: self.browser.heading == "Trust this key?", "the key")
        # All that its owner has is there to compare, and what waits.
        digits = key.read_text().split()[2]
        self.assertEqual(self.browser.one("code.digits").text.replace(" ", "").replace("\n", ""), digits)
        self.assertRegex(self.text, r"friend-of-cats(?s:.*)small, release 1: waits for your decision")
        self.browser.click("main button", "^Trust it for these$")
        self.wait_for("Compare the digits first")
        self.assertEqual(self.explorer.json("/settings/keys.json")["keys"], [])
        self.browser.click("label.choose", "^I have compared the digits")
        self.browser.click("main button", "^Trust it for these$")
        self.browser.until(lambda: self.browser.heading == "Import this database?", "what would become of favourites")
        self.browser.click("main button", "^Install it$")
        self.browser.until(lambda: self.browser.heading == "The database is installed", "the database")

    def match(self):
        self.browser.click("header a", "^Match$")
        self.type_into("^Names, one a line", LIST)
        self.browser.click("main button", "^Match$")
        self.browser.until(lambda: self.browser.heading == "Matched names", "the answers")
        self.assertRegex(self.text, "3 rows")


class WalkWithoutScriptsTests(WalkTests):
    """The same with scripts turned off."""

    scripts = False


if __name__ == "__main__":
    unittest.main()
