"""The journal in a browser: notes in a few touches, the map, what is found again, and every page at every width."""
import base64
import datetime
import re
import unittest

from access_test import ASK, AXE
from browser import ActionChains, BrowserTests, Keys
from explorer import Explorer, stol

PAGES = ["/journal", "/journal?kind=dive", "/journal?taxon=nothing", "/journal/life", "/journal/life?sort=name", "/journal/life/tree",
         "/journal/calendar?year=2025", "/journal/map", "/journal/map?at=0,0&z=0", "/journal/map?at=51.15,-2.7&z=20",
         "/journal/map?show=places", "/journal/map?label=variety", "/journal/collections", "/journal/new?kind=dive&when=2025",
         "/journal/photos", "/journal/new", "/journal/new?kind=dive", "/journal/new?kind=tree"]
# What comes in and leaves, and what it amounts to.
EXCHANGE = ["/journal/statistics", "/journal/statistics.json", "/journal/export", "/journal/export.json?format=json&for=myself", "/journal/import",
            "/journal/import.json"]


def records(explorer):
    """The pages of one sighting, event, place and individual of each kind that there is."""
    sightings = explorer.json("/journal.json")["sightings"]
    for sighting in sightings[:2] + sightings[-2:]:
        yield f"/journal/sighting/{sighting['sighting']}"
        event = explorer.json(f"/journal/event/{sighting['event']}.json")
        yield f"/journal/event/{event['event']}"
        if event["place"]:
            yield f"/journal/place/{event['place']}"
        organism = explorer.json(f"/journal/sighting/{sighting['sighting']}.json")["organism"]
        if organism:
            yield f"/journal/organism/{organism}"
    for collection in explorer.json("/journal/collections.json")["collections"][:1]:
        yield f"/journal/collection/{collection['collection']}"


class Journal(BrowserTests):
    def count(self):
        return self.explorer.json("/journal.json").get("count", 0)

    def fill(self, name, text):
        field = self.browser.one(f"#{name}")
        field.clear()
        field.send_keys(text)


class NoteTests(Journal):
    def picture(self):
        """A photo as a camera makes it."""
        data = self.browser.run("""
          const canvas = document.createElement('canvas'); canvas.width = 640; canvas.height = 480;
          const pen = canvas.getContext('2d'); pen.fillStyle = '#2a6'; pen.fillRect(0, 0, 640, 480);
          pen.fillStyle = '#952'; pen.fillRect(280, 200, 80, 280); return canvas.toDataURL('image/jpeg');""")
        path = self.explorer.folder / "oak.jpg"
        path.write_bytes(base64.b64decode(data.partition(",")[2]))
        return str(path)

    def note_an_oak(self):
        self.browser.visit("/journal/new")
        photo = self.picture()
        self.browser.click("label.choose", "A tree")
        self.browser.click("#what")
        self.browser.press("quercus robur")
        self.browser.click("[role=option]", "Quercus robur")
        self.fill("at", "51.15, -2.7")
        self.fill("accuracy", "4")
        self.fill("individual", "By the gate")
        self.browser.until(lambda: "excellent, within 4 m" in self.browser.one("#review").text, "the review line")
        self.browser.click(".save")
        self.browser.at(r"/journal/sighting/[0-9a-f-]+\?done=new&batch=\d+")
        return photo

    def test_an_oak_with_a_photo_in_three_touches_after_the_first(self):
        photo = self.note_an_oak()
        self.assertIn("Quercus robur", self.browser.heading)
        first = self.browser.path
        # One.
        self.browser.click("a", "The same again here")
        self.browser.at(r"/journal/new\?again=.*")
        # Two.
        self.browser.one("#photo").send_keys(photo)
        # Three.
        self.browser.click(".save")
        self.browser.at(r"/journal/sighting/[0-9a-f-]+\?done=new&batch=\d+")
        self.assertNotEqual(self.browser.path, first)
        self.assertIn("Quercus robur", self.browser.heading)
        self.assertEqual(self.count(), 2)
        image = self.browser.one(".photo-grid img")
        self.browser.until(lambda: image.get_property("naturalWidth") > 100, "the small image")
        # Both are visits to one tree.
        self.browser.click("a", "All its visits")
        self.browser.at("/journal/organism/.*")
        self.assertEqual(len(self.browser.all(".years a")), 2)
        # And the photo is on the page of photos.
        self.browser.visit("/journal/photos")
        self.assertEqual(len(self.browser.all(".photo-grid img")), 1)

    def test_a_double_submit_is_one_record_and_the_page_says_so(self):
        self.browser.visit("/journal/new")
        self.fill("what", "Quercus robur")
        # The first time its answer is lost on the way.
        status = self.browser.driver.execute_async_script("""
          const [done] = arguments, form = document.querySelector('form.entry');
          fetch(form.action, {method: 'POST', body: new FormData(form)}).then(answer => done(answer.url));""")
        self.assertIn("done=new", status)
        self.browser.click(".save")
        self.browser.at(r"/journal/sighting/[0-9a-f-]+\?done=same")
        self.assertIn("there is one record of it", self.browser.one(".done").text)
        self.assertEqual(self.count(), 1)
        # And nobody's double click is two.
        self.browser.visit("/journal/new")
        self.fill("what", "Quercus robur")
        ActionChains(self.browser.driver).double_click(self.browser.one(".save")).perform()
        self.browser.at(r"/journal/sighting/[0-9a-f-]+\?done=.*")
        self.assertEqual(self.count(), 2)

    def test_what_was_kept_can_be_undone_and_done_again(self):
        self.note_an_oak()
        self.browser.click("button", "Undo")
        self.browser.at(r"/journal\?done=undone&batch=\d+")
        self.assertEqual(self.count(), 0)
        self.browser.click("button", "Redo")
        self.browser.until(lambda: self.count() == 1, "the note again")

    def test_a_dive_with_six_species(self):
        self.browser.visit("/journal/new")
        self.browser.click("label.choose", "A dive")
        self.fill("depth", "12")
        self.fill("duration", "46")
        self.fill("tank", "12l,200-60bar,EAN32")
        self.fill("place", "Old Anchor")
        self.browser.until(lambda: "12 m, 46 min, 200 to 60 bar, 12 l, EAN32" in self.browser.one("#review").text, "the review line")
        names = ["Chelonia mydas=2", "Pterois volitans", "Amphiprion ocellaris=4+", "Manta birostris", "Sepia officinalis", "Chromis=~40"]
        self.fill("more", Keys.ENTER.join(names))
        self.browser.click(".save")
        self.browser.at(r"/journal/event/[0-9a-f-]+\?done=new&batch=\d+")
        self.assertEqual(len(self.browser.all(".sightings > li")), 6)
        self.assertIn("200 to 60 bar", self.browser.one(".quick").text)

    def test_a_name_that_is_merely_alike_is_a_question(self):
        self.browser.visit("/journal/new")
        self.fill("what", "Panthera lea")
        self.browser.click(".save")
        self.browser.at(r"/journal/sighting/[0-9a-f-]+\?done=new.*")
        self.assertIn("not identified", self.browser.heading)
        self.assertIsNone(self.explorer.json("/journal.json")["sightings"][0]["taxon"])
        self.browser.click("button", "It is this")
        self.browser.at(r"/journal/sighting/[0-9a-f-]+\?done=identified&batch=\d+")
        self.assertEqual(self.explorer.json("/journal.json")["sightings"][0]["taxon"]["scientificName"], "Panthera leo")


class FindTests(Journal):
    def setUp(self):
        super().setUp()
        stol("journal", "demo", home=self.explorer.home)
        self.year = datetime.date.today().year - 1
        for name, when in [("Ophrys apifera", f"{self.year}-05-04"), ("Orchis militaris", f"{self.year}-05-20"),
                           ("Orchis militaris", f"{self.year}-06-20"), ("Ophrys apifera", f"{self.year - 1}-05-04"),
                           ("Quercus robur", f"{self.year}-05-04")]:
            stol("journal", "add", name, "--when", when, "--at", "47.1,8.2", "--accuracy", "5", home=self.explorer.home)

    def test_last_mays_orchids_on_the_map(self):
        self.browser.visit("/journal/map")
        self.browser.click("#only")
        self.browser.press("orchid")
        self.browser.click("[role=option]", "Orchidaceae")
        self.browser.click(".narrow .button")
        self.browser.at("/journal/map.taxon=.*")
        self.browser.click(".facets a", r"\AMay\b")
        self.browser.at("/journal/map.*month=5.*")
        self.browser.click(".facets a", rf"\A{self.year}\b")
        self.browser.at(f"/journal/map.*year={self.year}.*")
        self.assertRegex(self.browser.one("main > .lead").text, r"\A2 sightings")
        self.browser.click(".lead a", "As a list")
        self.browser.at("/journal.*")
        names = sorted(self.browser.name_of(item) for item in self.browser.all(".sightings .taxon"))
        self.assertEqual(len(names), 2)
        self.assertRegex(names[0] + names[1], "Ophrys apifera.*Orchis militaris|Orchis militaris.*Ophrys apifera")

    def test_the_map_moves_by_links_keys_and_the_way_back(self):
        self.browser.visit("/journal/map?at=0,0&z=0")
        total = sum(int(number.text) for number in self.browser.all(".mark .number"))
        singles = len(self.browser.all(".mark .pin"))
        self.assertEqual(total + singles, self.explorer.json("/journal/map.json?at=0,0&z=0")["count"])
        self.browser.until(lambda: self.browser.run("return performance.getEntriesByType('resource').some(e => e.name.endsWith('journal-map.js'))"), "the script")
        self.browser.click(".map-controls a", "Nearer")
        self.browser.at(r"/journal/map\?at=.*&z=1")
        self.browser.press("+")
        self.browser.at(r"/journal/map\?at=.*&z=2")
        self.browser.press(Keys.ARROW_RIGHT)
        self.browser.until(lambda: "at=0.00,0.00" not in self.browser.path and "at=0,0" not in self.browser.path, "a map farther east")
        self.browser.driver.back()
        self.browser.at(r"/journal/map\?at=0,0&z=2")
        self.browser.visit("/journal/map?at=0,0&z=0")
        # Whoever follows numbers comes to what they stand for.
        for _ in range(24):
            numbers = self.browser.all(".mark .number")
            if not numbers:
                break
            before = self.browser.path
            numbers[0].find_element("xpath", "..").click()
            self.browser.until(lambda before=before: self.browser.path != before, "a nearer map, or a list")
            if not self.browser.path.startswith("/journal/map"):
                break
        self.assertRegex(self.browser.path, r"\A/journal")

    def test_every_page_fits_and_axe_finds_nothing(self):
        for target in [*PAGES, *records(self.explorer)]:
            self.browser.visit(target)
            self.browser.run(AXE)
            for width in (390, 768, 1440):
                for dark in (False, True):
                    self.browser.look(width, dark=dark)
                    with self.subTest(target=target, width=width, dark=dark):
                        wide = self.browser.run("return document.documentElement.scrollWidth")
                        self.assertLessEqual(wide, width)
                        if width != 768:
                            self.assertEqual(self.browser.driver.execute_async_script(ASK), [])

    def end(self):
        self.browser.driver.get_log("browser")
        super().end()


class PlainTests(Journal):
    """Without a script."""

    scripts = False

    def test_a_note_and_all_that_shows_it(self):
        self.browser.visit("/journal")
        self.browser.click("main a", "Note something")
        self.browser.at("/journal/new")
        self.fill("what", "Quercus robur")
        self.fill("when", "2025-05-04 09:44")
        self.fill("at", "51.15, -2.7")
        self.browser.click(".save")
        self.browser.at(r"/journal/sighting/[0-9a-f-]+\?done=new&batch=\d+")
        for target in ("/journal", "/journal/life", "/journal/calendar", "/journal/map"):
            self.browser.visit(target)
            text = self.browser.one("main").text
            self.assertRegex(text, "Quercus robur|4 May|In 2025", target)
        self.browser.click(".map-controls a", "Farther")
        self.browser.at(r"/journal/map\?at=.*z=\d+")
        self.browser.click(".mark")
        self.browser.at("/journal/sighting/.*")
        self.browser.click("a", "The same again here")
        self.browser.click(".save")
        self.browser.at(r"/journal/sighting/[0-9a-f-]+\?done=new&batch=\d+")
        self.assertEqual(self.count(), 2)


class LockedTests(unittest.TestCase):
    def test_a_locked_journal_shows_that_it_is_locked_and_nothing_else(self):
        with Explorer() as explorer:
            stol("journal", "demo", home=explorer.home)
            targets = [*PAGES, *records(explorer), "/journal.json", "/journal/life.json", "/journal/complete.json?q=m",
                       *EXCHANGE]
            passphrase = explorer.folder / "passphrase"
            passphrase.write_text("correct horse battery staple\n")
            stol("journal", "lock", "--quiet", "--journal-passphrase-file", passphrase, home=explorer.home)
            for target in targets:
                status, fields, body = explorer.get(target)
                self.assertEqual((status, fields["cache-control"]), (403, "no-store"), target)
                self.assertIn(b"The journal is locked", body)
                self.assertNotRegex(body, rb"Malus|Chelonia|Marrow|Lantern")
            self.assertEqual(explorer.post("/journal", {"action": "undo", "batch": "1"})[0], 403)
            stol("journal", "unlock", "--quiet", "--journal-passphrase-file", passphrase, home=explorer.home)
            self.assertEqual(explorer.get("/journal")[0], 200)

    def test_nothing_of_the_journal_is_kept_by_anything(self):
        with Explorer() as explorer:
            stol("journal", "demo", home=explorer.home)
            for target in [*PAGES, *records(explorer), "/journal.json", "/journal/map.json", "/journal/complete.json?q=m"]:
                status, fields, body = explorer.get(target)
                self.assertEqual((status, fields["cache-control"]), (200, "no-store"), target)
                title = re.search(rb"<title>(.*?)</title>", body)
                if title:
                    self.assertNotRegex(title[1], rb"Malus|Chelonia|Marrow|Lantern", target)
            for target in ("/journal/sighting/x", f"/journal/event/{'0' * 8}-0000-7000-8000-{'0' * 12}"):
                self.assertEqual(explorer.get(target)[0], 404)
            position = explorer.get("/")[1]["permissions-policy"]
            self.assertIn("geolocation=()", position)
            self.assertIn("geolocation=(self)", explorer.get("/journal/new")[1]["permissions-policy"])


if __name__ == "__main__":
    unittest.main()
