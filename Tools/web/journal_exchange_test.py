"""The journal in a browser: what comes in, what leaves, what keeps others out, and what it amounts to."""
import csv
import io
import json
import os
import pathlib
import re
import unittest
import zipfile

from access_test import ASK, AXE
from browser import BrowserTests, requests, strangers
from explorer import Explorer, stol

EBIRD = """Submission ID,Common Name,Scientific Name,Taxonomic Order,Count,State/Province,County,Location ID,Location,Latitude,Longitude,\
Date,Time,Protocol,Duration (Min),All Obs Reported,Distance Traveled (km),Area Covered (ha),Number of Observers,Breeding Code,\
Observation Details,Checklist Comments,ML Catalog Numbers
"""
# Known, then misspelt, then one that nobody knows, and a count that is none.
NAMES = ["Anas platyrhynchos", "Columba livja", "Corvus coraks", "Pica pika", "Turdus merola", "Quisquam ignotus"]


def ebird(names=NAMES):
    rows = [f"S{number},,{name},1,{number},US-NY,Tompkins,L9,Sapsucker Woods,42.479,-76.451,2022-12-0{number},06:05 AM,"
            "eBird - Casual Observation,,0,,,,,,,\n" for number, name in enumerate(names, 1)]
    return EBIRD + "".join(rows) + rows[0].replace("S1,", "S9,").replace(",1,1,", ",1,many,")


class Exchange(BrowserTests):
    def fill(self, name, text):
        field = self.browser.one(f"#{name}")
        field.clear()
        field.send_keys(text)

    def count(self):
        return self.explorer.json("/journal.json").get("count", 0)

    def counts(self, selector=".counts"):
        """The numbers of the tables, by what stands beside them."""
        rows = self.browser.run("return [...document.querySelectorAll(arguments[0] + ' tr')].map(row => [...row.cells].map(cell => cell.innerText))", selector)
        return {what: int(count.replace(",", "")) for what, count in rows}

    def saved(self, pattern):
        """What the browser has saved under a name that fits."""
        def found():
            files = [path for path in self.browser.downloads.glob("*") if re.fullmatch(pattern, path.name)]
            return files and files[0].stat().st_size > 0 and files[0].read_bytes()
        return self.browser.until(found, f"a file {pattern}")

    def end(self):
        # A refusal is a status that the console names.
        self.browser.driver.get_log("browser")
        super().end()


class ImportTests(Exchange):
    def file(self, text=None):
        path = self.explorer.folder / "MyEBirdData.csv"
        path.write_text(ebird() if text is None else text)
        return str(path)

    def send(self, text=None):
        self.browser.visit("/journal/import")
        self.browser.one("#file").send_keys(self.file(text))
        self.browser.click(".save", "Look into it")
        self.browser.at("/journal/import")

    def test_an_ebird_file_with_four_names_to_decide_and_its_undo(self):
        self.browser.visit("/journal")
        self.browser.click("main a", "Bring in what you have")
        self.browser.at("/journal/import")
        self.send()
        self.assertIn("Nothing of it is kept yet", self.browser.one("main > .lead").text)
        self.assertTrue(self.explorer.json("/journal.json")["isEmpty"])
        self.assertEqual(self.counts()["refused"], 1)
        self.assertIn("many", self.browser.one("#odd").text)
        self.assertIn("5 names need a decision", self.browser.one("#names").text)
        decisions = self.browser.all(".decision")
        self.assertEqual(len(decisions), 5)
        # None is chosen before somebody does.
        for decision in decisions:
            self.assertEqual(self.browser.run("return arguments[0].querySelector(':checked').value", decision), "")
        for name in ("Columba livia", "Corvus corax", "Pica pica", "Turdus merula"):
            self.browser.click(".decision label", name)
        self.browser.click(".save", "Bring it in")
        self.browser.at("/journal/import")
        self.assertIn("is in the journal", self.browser.one(".done").text)
        self.assertEqual(self.count(), 6)
        taxa = {item["verbatimName"]: (item["taxon"] or {}).get("scientificName") for item in self.explorer.json("/journal.json")["sightings"]}
        self.assertEqual(taxa, {
            "Anas platyrhynchos": "Anas platyrhynchos", "Columba livja": "Columba livia", "Corvus coraks": "Corvus corax",
            "Pica pika": "Pica pica", "Turdus merola": "Turdus merula", "Quisquam ignotus": None})
        # The same once more is there already.
        self.send()
        self.assertEqual(self.counts()["there already"], 6)
        self.browser.click("button", "Let go of it")
        self.browser.at("/journal/import")
        self.browser.visit("/journal/import")
        self.send()
        self.browser.click(".save", "Bring it in")
        self.browser.one(".done")
        self.assertIn("nothing has changed", self.browser.one(".done").text)
        self.assertEqual(self.count(), 6)
        stol("journal", "undo", home=self.explorer.home)
        self.assertEqual(self.count(), 0)

    def test_an_import_is_undone_by_its_button(self):
        self.send()
        self.browser.click(".save", "Bring it in")
        self.browser.click("button", "Undo all of it")
        self.browser.at(r"/journal\?done=undone&batch=\d+")
        self.assertEqual(self.count(), 0)

    def test_what_cannot_be_read_says_why(self):
        self.send("%PDF-1.4 nothing of ours")
        self.assertIn("cannot be read", self.browser.one("[role=alert]").text)
        self.assertNotIn("/tmp", self.browser.one("main").text)
        self.assertTrue(self.explorer.json("/journal.json")["isEmpty"])


class ExportTests(Exchange):
    def setUp(self):
        super().setUp()
        stol("journal", "demo", home=self.explorer.home)
        stol("journal", "add", "Diospyros egrettarum", "--when", "2025-05-04", "--at", "-20.3712,57.7231", "--privacy", "obscured", home=self.explorer.home)

    def test_what_leaves_for_a_friend_is_shown_before(self):
        self.browser.visit("/journal")
        self.browser.click("main a", "Give out")
        self.browser.at("/journal/export")
        self.browser.click("label.choose", "Others")
        self.browser.click(".save", "Show what would leave")
        self.browser.at(r"/journal/export\?.*")
        shown = self.counts()
        self.browser.click(".save", "Save the file")
        text = self.saved(r"journal_[\d_-]+\.csv").decode()
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual(shown["occurrences"], len(rows))
        with_position = [row for row in rows if any(row[name] for name in row if name.endswith("latitude"))]
        obscured = [row for row in with_position if row["data_generalizations"]]
        self.assertEqual(shown["positions as a cell of the map only"], len(obscured))
        self.assertEqual(shown["exact positions"], len(with_position) - len(obscured))
        self.assertEqual(len(obscured), 1)
        self.assertNotIn("57.7231", text)

    def test_everything_for_oneself_as_json_and_as_gbif_takes_it(self):
        self.browser.visit("/journal/export?format=json&for=myself")
        shown = self.counts()
        self.browser.click(".save", "Save the file")
        records = json.loads(self.saved(r"journal_[\d_-]+\.json"))["records"]
        kinds = [record["recordKind"] for record in records]
        for word, kind in (("sightings", "occurrence"), ("notes", "note"), ("photos", "photo"), ("persons", "person"), ("places", "place")):
            self.assertEqual(shown[word], kinds.count(kind), word)
        self.assertEqual(shown["exact positions"], sum("position" in record for record in records))
        self.browser.visit("/journal/export?format=dwca&for=others&licence=CC0-1.0&creator=Ada")
        shown = self.counts()
        self.browser.click(".save", "Save the file")
        with zipfile.ZipFile(io.BytesIO(self.saved(r"dwca_[\d_-]+\.zip"))) as archive:
            tables = {name: list(csv.DictReader(io.TextIOWrapper(archive.open(name), "utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE))
                      for name in archive.namelist() if name.endswith(".txt")}
        rows = [row for table in tables.values() for row in table if row.get("decimalLatitude")]
        self.assertEqual(shown["exact positions"] + shown["positions as a cell of the map only"], len(rows))
        self.assertEqual(shown["positions as a cell of the map only"], sum(bool(row["dataGeneralizations"]) for row in rows))

    def test_an_archive_comes_back_as_it_was(self):
        before = self.count()
        self.browser.visit("/journal/export?format=archive&for=myself")
        self.fill("passphrase", "under the oak")
        self.fill("again", "under the oak")
        self.browser.click(".save", "Save the file")
        path = self.explorer.folder / "copy.stoljournal"
        path.write_bytes(self.saved(r"journal_[\d_-]+\.stoljournal"))
        self.assertNotIn(b"Malus", path.read_bytes())
        with Explorer() as other:
            self.browser.explorer, mine = other, self.explorer
            self.addCleanup(setattr, self.browser, "explorer", mine)
            self.browser.visit("/journal/import")
            self.browser.one("#file").send_keys(str(path))
            self.browser.click(".save", "Look into it")
            self.assertIn("sealed", self.browser.one("[role=alert]").text)
            self.browser.one("#file").send_keys(str(path))
            self.browser.click("summary", "archive with a passphrase")
            self.fill("passphrase", "under the oak")
            self.browser.click(".save", "Look into it")
            self.browser.click(".save", "Bring it in")
            self.browser.one(".done")
            self.assertEqual(other.json("/journal.json")["count"], before)
            self.browser.explorer = mine
            self.hosts = {other.host}

    def end(self):
        self.browser.driver.get_log("browser")
        events = self.browser.close()
        self.assertTrue(requests(events), "the log is empty")
        self.assertEqual(strangers(events, {self.explorer.host} | getattr(self, "hosts", set())), [])


class LockTests(Exchange):
    def test_lock_forget_and_recover(self):
        stol("journal", "demo", home=self.explorer.home)
        self.browser.visit("/journal")
        self.browser.click("main a", r"\ALock\Z")
        self.browser.at("/journal/lock")
        self.fill("passphrase", "under the oak")
        self.fill("again", "under the oak")
        self.browser.click(".save", "Lock the journal")
        code = self.browser.one("#code-shown").text
        self.assertRegex(code, r"\A([0-9A-Z]{4}-){8}[0-9A-Z]{4}\Z")
        # It is in no address, and shown this once.
        self.assertEqual(self.browser.path, "/journal/lock")
        self.fill("written", code.lower().replace("-", " "))
        self.browser.click(".save", "It is written down")
        self.browser.at(r"/journal/lock\?done=confirmed")
        self.assertNotIn(code, self.browser.driver.page_source)
        self.browser.visit("/journal")
        self.assertEqual(self.browser.heading, "The journal is locked")
        self.browser.click("main a", "Open it")
        self.fill("passphrase", "under the ash")
        self.browser.click(".save", "Open it")
        self.assertIn("not its passphrase", self.browser.one("[role=alert]").text)
        # The passphrase is lost.
        self.fill("code", code)
        self.fill("new", "by the gate")
        self.fill("again", "by the gate")
        self.browser.click(".save", "Give it a new passphrase")
        self.browser.at(r"/journal/lock\?done=recovered")
        self.browser.visit("/journal")
        self.assertEqual(self.browser.heading, "Journal")
        self.assertGreater(self.count(), 0)
        self.browser.visit("/journal/lock")
        self.browser.click(".save", "Shut it now")
        self.browser.at("/journal/lock")
        self.assertEqual(self.explorer.get("/journal.json")[0], 403)
        # What is locked here is locked for commands too, by the new passphrase.
        passphrase = self.explorer.folder / "passphrase"
        passphrase.write_text("by the gate\n")
        stol("journal", "unlock", "--quiet", "--journal-passphrase-file", passphrase, home=self.explorer.home)
        self.assertEqual(self.explorer.json("/journal/lock.json")["state"], "unprotected")
        self.assertEqual(self.explorer.get("/journal")[0], 200)


class StatisticsTests(Exchange):
    def test_numbers_lead_to_what_they_count(self):
        stol("journal", "demo", home=self.explorer.home)
        self.browser.visit("/journal")
        self.browser.click("nav.chips a", "Statistics")
        self.browser.at("/journal/statistics")
        numbers = self.explorer.json("/journal/statistics.json")
        month = max(numbers["months"], key=lambda month: month["sightingCount"])
        self.browser.click("#months tbody tr:nth-child({}) a".format(month["month"]))
        self.browser.at(rf"/journal\?month={month['month']}")
        self.assertIn(f"{month['sightingCount']} sightings in all", self.browser.one("main").text)


class FitTests(Exchange):
    """Every page at every width, light and dark, as axe looks at it."""

    def look(self, target=None):
        if target:
            self.browser.visit(target)
        self.browser.run(AXE)
        for width in (320, 390, 1440):
            for dark in (False, True):
                self.browser.look(width, dark=dark)
                with self.subTest(target=target or self.browser.heading, width=width, dark=dark):
                    self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), width)
                    small = self.browser.run("""
                      return [...document.querySelectorAll('main :is(button, input, select, summary, a.button, a.chip)')].filter(element => {
                        const target = element.closest('label') ?? element, box = target.getBoundingClientRect();
                        return element.type !== 'hidden' && box.height > 0 && box.height < 43.9;}).map(element => element.outerHTML.slice(0, 200))""")
                    self.assertEqual(small, [])
                    if width != 320:
                        self.assertEqual(self.browser.driver.execute_async_script(ASK), [])

    def picture(self, name):
        """Where STOL_SHOTS names a folder, the page in it."""
        folder = os.environ.get("STOL_SHOTS")
        for width in (390, 1440) if folder else ():
            for dark in (False, True):
                self.browser.look(width, dark=dark)
                self.browser.picture(pathlib.Path(folder) / f"{name}-{width}-{'dark' if dark else 'light'}.png")

    def test_every_page_fits_and_axe_finds_nothing(self):
        for name, target in [("import-empty", "/journal/import"), ("export-empty", "/journal/export"), ("lock-empty", "/journal/lock"),
                             ("statistics-empty", "/journal/statistics")]:
            self.look(target)
        stol("journal", "demo", home=self.explorer.home)
        stol("journal", "add", "Diospyros egrettarum", "--when", "2019-05-04", "--at", "-20.3712,57.7231", home=self.explorer.home)
        for name, target in [("export", "/journal/export"), ("export-wrong", "/journal/export?format=archive&for=others"),
                             ("export-csv", "/journal/export?format=csv&for=others"),
                             ("export-json", "/journal/export?format=json&for=myself&taxon=trees"),
                             ("export-archive", "/journal/export?format=archive&for=myself&tag=veteran"),
                             ("statistics", "/journal/statistics"), ("statistics-dives", "/journal/statistics?kind=dive"),
                             ("list", "/journal"), ("lock", "/journal/lock")]:
            self.look(target)
            self.picture(name)
        path = self.explorer.folder / "MyEBirdData.csv"
        for name, text in (("import-unreadable", "%PDF-1.4"), ("import-table", "tree,kind,seen\n1,Quercus robur,2024-05-04\n"), ("import", ebird())):
            path.write_text(text)
            self.browser.visit("/journal/import")
            self.browser.one("#file").send_keys(str(path))
            self.browser.click(".save", "Look into it")
            self.browser.one(".decision, [role=alert], .decide, .counts")
            self.look("/journal/import")
            self.picture(name)
        self.browser.click(".save", "Bring it in")
        self.browser.one(".done")
        self.look("/journal/import")
        self.picture("import-done")
        self.browser.visit("/journal/lock")
        self.fill("passphrase", "under the oak")
        self.fill("again", "under the oak")
        self.browser.click(".save", "Lock the journal")
        self.browser.one("#code-shown")
        self.look()
        self.picture("lock-code")
        self.look("/journal/lock")
        self.picture("lock-locked")
        self.look("/journal")
        self.fill_and_open()
        self.look("/journal/lock")
        self.picture("lock-opened")

    def fill_and_open(self):
        self.browser.visit("/journal/lock")
        self.fill("passphrase", "under the oak")
        self.browser.click(".save", "Open it")
        self.browser.at("/journal")


class PlainTests(ImportTests):
    """The same without a script."""

    scripts = False


if __name__ == "__main__":
    unittest.main()
