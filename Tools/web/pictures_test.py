"""Pictures of a media pack in a browser: rows, suggestions, galleries, and what is saved of a page."""
import csv
import io
import unittest

from access_test import ASK, AXE
from browser import BrowserTests, Keys
from explorer import ROOT, Explorer, stol
from pages import ANIMALS, CATS, LION, OAK

VECTORS = ROOT / "Format/vectors"
# Whether every picture in the window is one that the browser could show.
SHOWN = """return [...document.querySelectorAll(arguments[0])].map(
    image => [image.getAttribute('src'), image.complete && image.naturalWidth > 0])"""


def add_pictures(explorer):
    """Adds the sample of four pictures: a lion, whales, a leaf, a tree."""
    stol("media", "add", VECTORS / "media/valid/sample.stol-media", "--key", VECTORS / "container/test.pub", home=explorer.home)


class PictureTests(BrowserTests):
    def setUp(self):
        super().setUp()
        add_pictures(self.explorer)

    def shown(self, selector):
        """The addresses of pictures, once all of them can be seen."""
        self.browser.until(lambda: (found := self.browser.run(SHOWN, selector)) and all(is_there for _, is_there in found),
                           f"pictures {selector}")
        return [address for address, _ in self.browser.run(SHOWN, selector)]

    def test_small_pictures_stand_beside_names(self):
        """In suggestions, results, comparisons, favourites, and rows that open."""
        lion = f"/taxon/ncbi:{LION}/thumbnail"
        self.browser.visit("/")
        self.browser.click("#q")
        self.browser.press("panthera leo")
        self.browser.one("[role=option]")
        self.assertIn(lion, self.shown("[role=option] img"))
        self.browser.visit("/search?q=lion")
        self.assertIn(lion, self.shown(".results img.thumb"))
        self.browser.visit(f"/compare?taxon=ncbi%3A{LION}&taxon=ncbi%3A{OAK}")
        self.assertIn(lion, self.shown(".card img.thumb"))
        self.explorer.post("/favorites", {"taxon": LION, "action": "add"})
        self.browser.visit("/favorites")
        self.assertEqual(self.shown(".favorites img.thumb"), [lion])
        self.browser.visit("/tree/ncbi:338153")
        self.browser.click("[role=treeitem] .twisty")
        self.browser.one("[role=treeitem] [role=treeitem]")
        for row in self.browser.run("return [...document.querySelectorAll('[role=treeitem] .thumb')].map(image => image.getAttribute('src'))"):
            self.assertRegex(row, r"\A/taxon/ncbi:\d+/(drawing\.svg|thumbnail)\Z")

    def test_a_photograph_stands_in_its_box_of_all_life(self):
        """Close to the lion its own picture is asked for, made small; far from it none is."""
        asked = "return performance.getEntriesByType('resource').map(one => new URL(one.name)).map(one => one.pathname + one.search)"
        self.browser.visit("/icicle/ncbi:338153")
        self.browser.until(lambda: f"/taxon/ncbi:{LION}/thumbnail?size=large" in self.browser.run(asked), "the photograph")
        boxes = self.explorer.json(f"/api/tree?to=ncbi:{LION}&at=ncbi:{LION}")["path"]
        with_pictures = {picture["taxon"]["address"] for picture in self.explorer.json("/pictures.json")["pictures"]}
        self.assertEqual({box["box"] for box in boxes if box.get("hasPicture")}, with_pictures & {box["box"] for box in boxes})
        self.assertIn(f"ncbi:{LION}", with_pictures)
        self.browser.visit("/icicle")
        self.browser.until(lambda: any(one.startswith("/api/tree") for one in self.browser.run(asked)), "the whole picture")
        self.assertFalse([one for one in self.browser.run(asked) if "/thumbnail" in one])

    def test_a_gallery_is_walked_with_keys_and_mouse(self):
        self.browser.visit("/pictures")
        pictures = self.browser.all(".gallery .enlarge")
        self.assertEqual(len(pictures), 4)
        self.shown(".gallery img")
        self.browser.tab_to("link", self.browser.name_of(pictures[0]))
        self.browser.press(Keys.ENTER)
        self.browser.one("dialog[open] img")
        self.assertEqual(self.browser.one("dialog .count").text, "1 of 4")
        self.shown("dialog img")
        for key, place in [(Keys.ARROW_RIGHT, 2), (Keys.END, 4), (Keys.ARROW_RIGHT, 4), (Keys.ARROW_LEFT, 3), (Keys.HOME, 1)]:
            self.browser.press(key)
            self.assertEqual(self.browser.one("dialog .count").text, f"{place} of 4")
        self.assertRegex(self.browser.one("dialog figcaption").text, r"By stol, CC0-1\.0\.")
        self.browser.press(Keys.ESCAPE)
        self.browser.until(lambda: not self.browser.all("dialog[open]"), "the end of the dialog")
        self.assertIn("enlarge", self.browser.focused.get_attribute("class"))
        self.browser.click(".gallery li:nth-child(3) .enlarge")
        self.assertEqual(self.browser.one("dialog .count").text, "3 of 4")
        self.browser.click("dialog button", "Next")
        self.assertEqual(self.browser.one("dialog .count").text, "4 of 4")
        # A stroke of a finger to the right leads back.
        self.browser.run("""
          const image = document.querySelector('dialog img');
          image.dispatchEvent(new PointerEvent('pointerdown', {clientX: 100}));
          image.dispatchEvent(new PointerEvent('pointerup', {clientX: 200}));""")
        self.assertEqual(self.browser.one("dialog .count").text, "3 of 4")
        self.browser.click("dialog button", "Close")
        self.browser.until(lambda: not self.browser.all("dialog[open]"), "the end of the dialog")
        self.browser.visit(f"/taxon/ncbi:{LION}")
        self.browser.click(".portrait .enlarge")
        self.browser.one("dialog[open] img")
        self.browser.press(Keys.ESCAPE)

    def test_axe_finds_nothing_where_there_are_pictures(self):
        for target in ("/pictures", f"/taxon/ncbi:{LION}", f"/taxon/ncbi:{ANIMALS}", f"/pictures/ncbi:{CATS}"):
            for width in (390, 1440):
                for dark in (False, True):
                    self.browser.look(width, dark=dark)
                    self.browser.visit(target)
                    with self.subTest(target, width=width, dark=dark):
                        self.browser.run(AXE)
                        self.assertEqual(self.browser.driver.execute_async_script(ASK), [])
                        self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), width)
        self.browser.visit("/pictures")
        self.browser.click(".gallery .enlarge")
        self.browser.one("dialog[open] img")
        self.browser.run(AXE)
        self.assertEqual(self.browser.driver.execute_async_script(ASK), [])

    def test_a_name_is_found_among_many(self):
        self.browser.visit(f"/taxon/ncbi:{LION}")
        self.browser.click("summary", "Names")
        count = len(self.browser.all(".names dt"))
        self.assertGreater(count, 12)
        self.browser.click("input.filter")
        self.browser.press("lowe")
        found = self.browser.until(lambda: 0 < len(rows := self.browser.all(".names dt")) < count and rows, "fewer names")
        self.assertIn("German", [row.text for row in found])
        self.assertTrue(all("lowe" in row.lower().replace("ö", "o").replace("ø", "o") for row in
                            self.browser.run("return [...document.querySelectorAll('.names > div:not([hidden])')].map(row => row.textContent)")))
        self.browser.press("qqqq")
        self.browser.until(lambda: not self.browser.all(".names dt"), "no names")
        self.assertIn("None of them", self.browser.one(".part[data-filter]").text)

    def test_a_picture_is_saved_as_png(self):
        self.browser.visit(f"/compare?taxon=ncbi%3A{LION}&taxon=ncbi%3A{OAK}")
        self.browser.click("figcaption button", "PNG")
        saved = self.browser.downloads / "compare.png"
        self.browser.until(lambda: saved.exists() and saved.stat().st_size > 0, "the picture")
        head = saved.read_bytes()[:24]
        self.assertTrue(head.startswith(b"\x89PNG"))
        self.assertGreater(int.from_bytes(head[16:20], "big"), 600)


class PlainTests(BrowserTests):
    """Without scripts."""

    scripts = False

    def test_a_picture_is_a_link_to_itself(self):
        add_pictures(self.explorer)
        self.browser.visit("/pictures")
        self.browser.click(".gallery .enlarge")
        self.browser.until(lambda: self.browser.path.endswith("/image?number=1"), "the picture")
        self.browser.until(lambda: self.browser.run("return document.images[0]?.naturalWidth > 0"), "the picture itself")

    def end(self):
        # The browser's own page around a picture has a style, which the policy refuses.
        complaints = self.browser.driver.get_log("browser")
        self.assertEqual([line for line in complaints if "inline style" not in line["message"]], [])
        super().end()


class UndoTests(BrowserTests):
    """Without scripts as with them."""

    scripts = False

    def test_what_was_removed_is_put_back(self):
        for taxon in (LION, OAK):
            self.explorer.post("/favorites", {"taxon": taxon, "action": "add"})
        self.browser.visit("/favorites?sort=common")
        self.browser.click(".favorites input", "(?i)lion")
        self.browser.click("form .button", "Remove chosen")
        self.assertIn("Lion is no favourite any more.", self.browser.one(".undo").text)
        self.assertEqual([one["id"] for one in self.explorer.json("/favorites.json")["favorites"]], [OAK])
        self.browser.click(".undo button", "Put back")
        self.browser.at(r"/favorites\?sort=common")
        self.assertEqual({one["id"] for one in self.explorer.json("/favorites.json")["favorites"]}, {LION, OAK})
        self.assertEqual(self.browser.all(".undo"), [])
        # An address that says so is no proof.
        self.browser.visit(f"/favorites?removed=ncbi%3A{LION}")
        self.assertEqual(self.browser.all(".undo"), [])


class SavedTests(unittest.TestCase):
    """Tables and trees, byte for byte."""

    def test_tables_have_what_pages_have(self):
        with Explorer() as explorer:
            explorer.post("/favorites", {"taxon": LION, "action": "add"})
            for target, first in [(f"/tree/ncbi:{CATS}", None), ("/search", "q=panthera"), ("/favorites", None),
                                  ("/compare", f"taxon=ncbi%3A{LION}&taxon=ncbi%3A{OAK}")]:
                query = f"?{first}" if first else ""
                status, fields, text = explorer.get(f"{target}.csv{query}")
                self.assertEqual((status, fields["content-type"]), (200, "text/csv; charset=utf-8"))
                self.assertRegex(fields["content-disposition"], r'\Aattachment; filename="[a-z0-9-]+\.csv"\Z')
                rows = list(csv.reader(io.StringIO(text.decode())))
                status, fields, text = explorer.get(f"{target}.tsv{query}")
                self.assertEqual((status, fields["content-type"]), (200, "text/tab-separated-values; charset=utf-8"))
                self.assertEqual([line.split("\t") for line in text.decode().splitlines()], rows)
                self.assertGreater(len(rows), 1)
                self.assertEqual({len(row) for row in rows}, {len(rows[0])})
            self.assertEqual(explorer.get("/compare.csv")[0], 400)
            hits = [str(hit["id"]) for hit in explorer.json("/search.json?q=panthera")["results"]]
            table = csv.DictReader(io.StringIO(explorer.get("/search.csv?q=panthera")[2].decode()))
            self.assertEqual([row["id"] for row in table], hits)

    def test_what_a_page_offers_to_save_is_there(self):
        with Explorer() as explorer:
            for target in (f"/taxon/ncbi:{CATS}", "/search?q=cat", f"/compare?taxon=ncbi%3A{LION}&taxon=ncbi%3A{OAK}", f"/tree/ncbi:{CATS}"):
                page = explorer.get(target)[2].decode().partition('<nav class="downloads"')[2].partition("</nav>")[0]
                links = [part.partition('"')[0].replace("&amp;", "&") for part in page.split('href="')[1:]]
                self.assertGreater(len(links), 2)
                for link in links:
                    self.assertEqual(explorer.get(link)[0], 200, link)
                if "search" not in target:
                    self.assertRegex(explorer.get(links[-1])[2].decode(), r"\A\(.*\)[^()]*;\s*\Z")


if __name__ == "__main__":
    unittest.main()
