"""The form for a note in a browser: drafts, tracks, a tap on the map, and the pages that show what came of it."""
import unittest

from browser import ActionChains
from explorer import stol
from journal_test import Journal

TRACK = ("<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>"
         + "".join(f"<trkpt lat=\"51.{15 + minute}\" lon=\"-2.7\"><time>2025-05-04T07:{40 + minute}:00Z</time></trkpt>" for minute in range(10))
         + "</trkseg></trk></gpx>")


class Entry(Journal):
    def value(self, name):
        return self.browser.one(f"#{name}").get_property("value")

    def track(self):
        path = self.explorer.folder / "walk.gpx"
        path.write_text(TRACK)
        return str(path)

    def drafts(self):
        return self.browser.run("return Object.keys(localStorage).length")

    def kept(self):
        self.browser.click(".save")
        self.browser.at(r"/journal/(sighting|event)/[0-9a-f-]+\?done=(new|same).*")

    def tap(self, x, y):
        """Presses the small map so many pixels from its left and upper edge."""
        ActionChains(self.browser.driver).scroll_to_element(self.browser.one("#spot")).perform()
        box = self.browser.run("const box = document.querySelector('#spot').getBoundingClientRect(); return [box.left, box.top, box.width, box.height]")
        action = ActionChains(self.browser.driver)
        action.w3c_actions.pointer_action.move_to_location(int(box[0] + x), int(box[1] + y))
        action.w3c_actions.pointer_action.click()
        action.perform()
        return box


class DraftTests(Entry):
    def test_a_reload_and_a_closed_page_lose_nothing(self):
        self.browser.visit("/journal/new")
        self.browser.until(lambda: "stays in this browser" in self.browser.one("#draft-hint").text, "the script")
        self.browser.click("label.choose", "A dive")
        self.browser.click("#what")
        self.browser.press("quercus robur")
        self.browser.click("[role=option]", "Quercus robur")
        self.fill("depth", "12")
        self.fill("note", "by the gate\nin the rain")
        first = self.browser.run("return document.querySelector('[name=id]').value")
        self.browser.until(self.drafts, "a draft")
        self.browser.driver.refresh()
        self.browser.click("#draft button", "Go on with it")
        self.assertEqual((self.value("depth"), self.value("note")), ("12", "by the gate\nin the rain"))
        self.assertIn("English oak", self.browser.one("#review").text)
        self.assertEqual(self.browser.run("return document.querySelector('[name=id]').value"), first)
        self.assertTrue(self.browser.run("return document.querySelector('#kind-dive').checked"))
        # A page that is closed, as by a crash, and another one later.
        self.fill("duration", "46")
        self.browser.until(lambda: "46" in self.browser.run("return Object.values(localStorage).join()"), "the draft")
        self.browser.driver.switch_to.new_window("tab")
        self.browser.visit("/journal/new")
        self.browser.click("#draft button", "Go on with it")
        self.assertEqual(self.value("duration"), "46")
        self.kept()
        self.browser.until(lambda: self.drafts() == 0, "no draft any more")
        self.assertEqual(self.count(), 1)
        taxon = self.explorer.json("/journal.json")["sightings"][0]["taxon"]
        self.assertEqual(taxon["scientificName"], "Quercus robur")
        self.browser.visit("/journal/new")
        self.browser.one("#draft-hint")
        self.assertEqual(self.browser.all("#draft button"), [])

    def test_a_draft_that_was_sent_is_kept_once(self):
        self.browser.visit("/journal/new")
        self.fill("what", "Quercus robur")
        self.browser.until(self.drafts, "a draft")
        # Its answer is lost on the way.
        self.browser.driver.execute_async_script("""
          const [done] = arguments, form = document.querySelector('form.entry');
          fetch(form.action, {method: 'POST', body: new FormData(form)}).then(() => done());""")
        self.assertEqual(self.count(), 1)
        self.browser.visit("/journal/new")
        self.browser.click("#draft button", "Go on with it")
        self.kept()
        self.assertIn("there is one record of it", self.browser.one(".done").text)
        self.assertEqual(self.count(), 1)

    def test_a_draft_can_be_thrown_away_and_an_error_keeps_it(self):
        self.browser.visit("/journal/new")
        self.fill("what", "Quercus robur")
        self.fill("at", "nowhere")
        self.browser.click(".save")
        self.browser.until(lambda: "It is not kept yet" in self.browser.one("#wrong").text, "the error")
        self.assertEqual(self.drafts(), 1)
        self.browser.visit("/journal/new")
        self.browser.click("#draft button", "Throw it away")
        self.assertEqual(self.drafts(), 0)
        self.assertEqual(self.value("what"), "")

    def test_a_journal_with_a_passphrase_has_no_drafts(self):
        self.browser.visit("/journal/new")
        self.fill("what", "Quercus robur")
        self.browser.until(self.drafts, "a draft")
        self.browser.click(".save")
        self.browser.at("/journal/sighting/.*")
        self.browser.visit("/journal/new")
        self.fill("what", "Quercus petraea")
        self.browser.until(self.drafts, "a draft")
        passphrase = self.explorer.folder / "passphrase"
        passphrase.write_text("correct horse battery staple\n")
        stol("journal", "lock", "--quiet", "--journal-passphrase-file", passphrase, home=self.explorer.home)
        self.browser.visit("/journal")
        self.browser.one("h1", "The journal is locked")
        self.browser.until(lambda: self.drafts() == 0, "no draft any more")
        self.browser.visit("/journal/lock")
        self.fill("passphrase", "correct horse battery staple")
        self.browser.click(".main", "Open it")
        self.browser.at("/journal")
        self.browser.visit("/journal/new")
        self.assertIn("no draft of this is kept", self.browser.one("#draft-hint").text)
        self.fill("what", "Quercus petraea")
        self.browser.driver.refresh()
        self.browser.one("#what")
        self.assertEqual(self.drafts(), 0)

    def end(self):
        # A refusal is a status that the console names.
        self.browser.driver.get_log("browser")
        super().end()


class SpotTests(Entry):
    def test_a_tap_on_the_map_is_a_position(self):
        self.browser.visit("/journal/new")
        self.fill("what", "Quercus robur")
        self.browser.click("summary", "From a track, or on a map")
        self.browser.until(lambda: self.browser.run("return performance.getEntriesByType('resource').some(e => e.name.endsWith('journal-entry.js'))"), "the script")
        box = self.tap(135, 45)
        self.assertEqual((box[2] - 2, box[3] - 2), (270, 180))
        self.browser.until(lambda: self.value("at"), "a position")
        north, east = map(float, self.value("at").split(","))
        # In the middle of the world from west to east, and halfway to the north pole.
        self.assertAlmostEqual(east, 0, delta=3)
        self.assertAlmostEqual(north, 60, delta=3)
        coarse = int(self.value("accuracy"))
        self.assertEqual(self.browser.run("return document.querySelector('#mapz').value"), "2")
        # Nearer, it is more exact.
        for _ in range(4):
            self.tap(135, 90)
        self.assertLess(int(self.value("accuracy")), coarse / 100)
        self.browser.click(".spot-moves button", "Farther")
        self.assertEqual(self.browser.run("return document.querySelector('#mapz').value"), "8")
        self.kept()
        position = self.explorer.json("/journal.json")["sightings"][0]["position"]
        self.assertAlmostEqual(position["latitude"], north, delta=3)

    def test_a_track_says_where_it_was(self):
        self.browser.visit("/journal/new")
        self.fill("what", "Quercus robur")
        self.fill("when", "2025-05-04 09:44:20")
        self.browser.click("summary", "From a track, or on a map")
        self.browser.one("#track").send_keys(self.track())
        self.fill("offset", "+2")
        self.browser.click("button", "Read the position")
        self.browser.until(lambda: "20 s away in time" in self.browser.one("#wrong").text, "the position")
        self.assertTrue(self.value("at").startswith("51.19"))
        self.assertTrue(self.explorer.json("/journal.json")["isEmpty"])
        self.kept()
        self.assertAlmostEqual(self.explorer.json("/journal.json")["sightings"][0]["position"]["latitude"], 51.1933333, places=5)

    def test_enter_in_a_field_keeps_the_note(self):
        self.browser.visit("/journal/new")
        self.fill("what", "Quercus robur")
        self.browser.click("#count")
        self.browser.press("3\n")
        self.browser.at(r"/journal/sighting/[0-9a-f-]+\?done=new.*")


class PlainEntryTests(Entry):
    """Without a script."""

    scripts = False

    def test_a_tap_and_a_track_and_a_look_without_scripts(self):
        self.browser.visit("/journal/new")
        self.assertIn("Without scripts no draft is kept", self.browser.one("#draft-hint").text)
        self.fill("what", "Quercus robur")
        self.fill("when", "2025-05-04 09:44:20")
        self.browser.click("summary", "From a track, or on a map")
        self.browser.click("#spot")
        self.browser.until(lambda: "from the map" in self.browser.one("#wrong").text, "the tap")
        # In the middle of the map.
        north, east = map(float, self.value("at").split(","))
        self.assertAlmostEqual(north, 0, delta=2)
        self.assertAlmostEqual(east, 0, delta=2)
        self.browser.click(".spot-moves button", "Nearer")
        self.browser.one("#spot")
        self.fill("at", "")
        self.fill("offset", "+2")
        self.browser.one("#track").send_keys(self.track())
        self.browser.click("button", "Look it over first")
        self.browser.until(lambda: "20 s away in time" in self.browser.one("#wrong").text, "the position")
        self.assertIn("51.19", self.browser.one("#review").text)
        self.assertTrue(self.explorer.json("/journal.json")["isEmpty"])
        self.kept()
        self.assertEqual(self.count(), 1)
        # Into a collection, and the map of that.
        self.browser.click("summary", "Collections")
        self.fill("collection", "Orchard")
        self.browser.click("button", "Put it there")
        self.browser.at(r"/journal/sighting/[0-9a-f-]+\?done=collected.*")
        self.browser.click("a", "Orchard")
        self.browser.at("/journal/collection/.*")
        self.assertEqual(len(self.browser.all(".sightings > li")), 1)
        self.assertEqual(len(self.browser.all(".mark")), 1)
        # On the tree of life, and from there back to what was seen.
        self.browser.visit("/journal/life")
        self.browser.click("a", "On the tree of life")
        self.browser.at("/journal/life/tree")
        self.browser.click("summary", "The same as a list|list")
        self.browser.click(".clades a", "Quercus robur")
        self.browser.at("/journal.taxon=.*")
        self.assertEqual(len(self.browser.all(".sightings > li")), 1)


class MapStateTests(Entry):
    def test_names_places_and_the_map_that_is_kept(self):
        stol("journal", "demo", home=self.explorer.home)
        stol("journal", "add", "Malus domestica 'Gala'", "--when", "2025-05-04", "--at", "47.1,8.2", home=self.explorer.home)
        self.browser.visit("/journal/map?at=47.1,8.2&z=12")
        self.browser.until(lambda: "domestica" in self.browser.one(".ground .label").text, "the species")
        self.browser.click(".chips a", "Variety")
        self.browser.until(lambda: self.browser.one(".ground .label").text == "Gala", "the variety")
        self.browser.click(".map-controls a", "Farther")
        self.browser.at(r"/journal/map\?.*z=11.*label=variety.*")
        self.browser.click("button", "Begin with this map next time")
        self.browser.at(r"/journal/map\?.*done=map-kept.*")
        self.browser.visit("/journal/map")
        self.assertEqual(self.browser.one(".ground").get_attribute("data-z"), "11")
        self.assertEqual(self.browser.one(".ground .label").text, "Gala")
        self.browser.click(".chips a", "All places")
        self.browser.at(r"/journal/map\?.*show=places.*")
        self.browser.click(".map-controls a", "All of mine")
        self.browser.until(lambda: self.browser.all(".pin.place, .pin.wish, .mark .number"), "places")
        status, fields, drawing = self.explorer.get("/journal/map.svg?at=47.1,8.2&z=12&label=variety")
        self.assertEqual((status, fields["content-type"]), (200, "image/svg+xml; charset=utf-8"))
        self.assertIn(b">Gala<", drawing)


if __name__ == "__main__":
    unittest.main()
