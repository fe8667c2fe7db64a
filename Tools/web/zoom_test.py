"""One picture of all life: from everything to a lion and on to an oak, by wheel, keys, buttons and search."""
import json
import random
import unittest

from access_test import ASK, AXE
from browser import BrowserTests, Keys
from truth_test import Tree

LION, CATS, OAK = "ncbi:9689", "ncbi:9681", "ncbi:3511"
# What is drawn in one frame at most.
MOST_BOXES = 4000
MOST_BYTES = 30_000


class ZoomTests(BrowserTests):
    def life(self, what):
        return self.browser.run(f"return document.querySelector('section.life').life?.{what}")

    def rest(self):
        """Waits until nothing moves and nothing is asked for."""
        self.browser.until(lambda: (figures := self.life("figures")) and figures["frames"] and not figures["isFlying"]
                           and not figures["questions"], "rest")
        for _ in range(3):
            self.browser.driver.execute_async_script("setTimeout(arguments[0], 260)")
            self.browser.until(lambda: not self.life("figures")["questions"], "rest")

    def visit(self, target="/icicle"):
        self.browser.visit(target)
        self.rest()

    def moves(self, is_calm=False):
        self.browser.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-reduced-motion", "value": "reduce" if is_calm else "no-preference"}])

    def seen(self, name):
        """Where a box lies on the canvas: its middle, its width and height."""
        return self.browser.run("return document.querySelector('section.life').life.seen(arguments[0])", name)

    def wheel(self, x, y, notches):
        canvas = self.browser.one("canvas")
        size = canvas.size
        self.browser.command("Input.dispatchMouseEvent", type="mouseWheel", deltaX=0, deltaY=-120 * notches,
                             x=canvas.rect["x"] - self.scrolled[0] + min(max(x, 1), size["width"] - 1),
                             y=canvas.rect["y"] - self.scrolled[1] + min(max(y, 1), size["height"] - 1))

    @property
    def scrolled(self):
        return self.browser.run("return [scrollX, scrollY]")

    def check_labels(self):
        """No label overlaps another or leaves the picture."""
        size = self.browser.run("const box = document.querySelector('canvas').getBoundingClientRect(); return [box.width, box.height]")
        labels = self.life("labels")
        for index, one in enumerate(labels):
            self.assertGreaterEqual(min(one["width"], one["height"]), 10)
            for other in labels[:index]:
                self.assertFalse(
                    one["x"] < other["x"] + other["width"] and other["x"] < one["x"] + one["width"]
                    and one["y"] < other["y"] + other["height"] and other["y"] < one["y"] + one["height"], (one, other))
        self.assertLess(self.life("figures")["boxes"], MOST_BOXES)
        self.assertLess(len(labels), 400)
        return size

    def test_by_wheel_from_all_life_to_a_lion(self):
        self.visit()
        self.assertEqual(self.browser.path, "/icicle")
        way = [step["box"] for step in self.explorer.json(f"/api/tree?to={LION}")["path"]]
        for _ in range(60):
            if self.life("place") == LION:
                break
            # The deepest box of the way that is known, or what holds it.
            spot = next(filter(None, map(self.seen, reversed(way))))
            self.wheel(spot["x"], spot["y"], 2)
            self.rest()
        self.assertEqual(self.life("place"), LION)
        self.browser.at(rf"/icicle/{LION}(#.*)?")
        self.assertIn("Panthera leo", self.browser.heading)
        self.check_labels()
        place = self.browser.path
        before = self.seen(LION)
        self.visit(place)
        self.assertEqual(self.browser.path, place)
        after = self.seen(LION)
        for side in before:
            self.assertAlmostEqual(before[side], after[side], delta=1)

    def test_by_keys(self):
        self.visit(f"/icicle/{CATS}")
        canvas = self.browser.tab_to("application", "All life")
        self.assertEqual(canvas.tag_name, "canvas")
        self.assertIn("Felidae", self.browser.heading)
        self.browser.press(Keys.BACKSPACE)
        self.rest()
        self.assertNotEqual(self.life("place"), CATS)
        self.browser.press(Keys.HOME)
        self.rest()
        self.browser.at("/icicle")
        self.browser.press("+", "+", "+", Keys.ARROW_LEFT, Keys.ARROW_UP)
        self.rest()
        self.assertRegex(self.browser.path, "#")
        self.browser.press(*["-"] * 8)
        self.rest()
        self.browser.at("/icicle(#.*)?")
        self.browser.press(Keys.ENTER)
        self.rest()
        self.assertNotEqual(self.life("place"), "all")

    def test_by_buttons_and_the_list(self):
        self.visit()
        for _ in range(3):
            self.browser.click("button", "Zoom in")
        self.rest()
        self.assertIn("#", self.browser.path)
        for _ in range(6):
            self.browser.click("button", "Zoom out")
        self.browser.click("button", "^All life")
        self.rest()
        self.browser.at("/icicle")
        self.browser.click("summary", "What is here")
        way = [step for step in self.explorer.json(f"/api/tree?to={LION}")["path"]]
        for step in way:
            if self.browser.path.startswith(f"/icicle/{step['box']}"):
                continue
            name = step.get("scientificName") or rf"\+{step['memberCount']:,} more"
            self.browser.click(".life-list a", rf"{name}\Z")
            self.rest()
        self.browser.at(f"/icicle/{LION}")
        said = self.browser.driver.find_element("id", "status").get_attribute("textContent")
        self.assertIn("Panthera leo", said)
        self.assertIn("species", said)
        self.browser.click(".life-way a", "Cats|Felidae|[Cc]at family")
        self.rest()
        self.browser.at(f"/icicle/{CATS}")
        self.browser.click("button", "^Out")
        self.rest()
        self.assertNotEqual(self.life("place"), CATS)

    def test_search_flies_there(self):
        self.visit()
        self.browser.press("/")
        self.browser.press("panthera leo")
        self.browser.click("[role=option]", "Panthera leo")
        self.browser.until(lambda: self.life("place") == LION, "the lion")
        self.rest()
        self.browser.at(f"/icicle/{LION}")
        self.assertEqual(self.browser.focused.tag_name, "canvas")
        # Once more, it is a species that one is at: its page.
        self.browser.press(Keys.ENTER)
        self.rest()

    def test_a_flight_from_lion_to_oak(self):
        self.moves()
        self.browser.visit("/icicle?from=lion&to=ncbi:3511")
        self.assertIn("Eukaryota", self.browser.one("p.flight").text)
        self.browser.until(lambda: self.life("place") == LION, "the lion")
        self.browser.until(lambda: self.life("figures")["isFlying"], "the flight")
        self.browser.until(lambda: self.life("place") == OAK, "the oak")
        self.rest()
        self.browser.at(f"/icicle/{OAK}")
        figures = self.life("figures")
        self.assertGreater(figures["frames"], 10)
        print(f"flight: {figures['frames']} frames, {figures['total'] / figures['frames']:.2f} ms each, "
              f"{figures['worst']:.1f} ms at worst, {len(figures['requests'])} requests")
        self.check_labels()

    def test_a_flight_is_a_jump_for_whoever_wants_no_motion(self):
        self.browser.visit("/icicle?from=lion&to=oak")
        self.browser.until(lambda: (self.life("place") or "").startswith("ncbi:"), "the end")
        self.rest()
        self.assertFalse(self.life("figures")["isFlying"])
        self.assertNotEqual(self.life("place"), LION)

    def test_a_touch_ends_a_flight(self):
        self.moves()
        self.browser.visit("/icicle?from=lion&to=ncbi:3511")
        self.browser.until(lambda: self.life("figures") and self.life("figures")["isFlying"], "the flight")
        self.browser.one("canvas").click()
        self.browser.until(lambda: not self.life("figures")["isFlying"] or self.life("place") != OAK, "the end")

    def test_it_fits_everywhere_and_axe_finds_nothing(self):
        for target in ("/icicle", f"/icicle/{CATS}", f"/icicle/{LION}"):
            for width, height in ((390, 844), (768, 1024), (1440, 900)):
                for dark in (False, True):
                    self.browser.look(width, height, dark)
                    self.visit(target)
                    with self.subTest(target, width=width, dark=dark):
                        self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), width)
                        self.check_labels()
                        self.browser.run(AXE)
                        self.assertEqual(self.browser.driver.execute_async_script(ASK), [])

    def test_what_an_address_cannot_mean_is_passed_over(self):
        for bad in ("#", "#1,2", "#a,b,c", "#1e99,0,1", "#0,0,0", "#0,0,-1", "#NaN,0,1"):
            self.visit(f"/icicle/{CATS}{bad}")
            self.assertEqual(self.life("place"), CATS, bad)


class PlainZoomTests(BrowserTests):
    scripts = False

    def test_without_scripts_there_are_pictures_and_links(self):
        self.browser.visit(f"/icicle/{CATS}")
        self.assertTrue(self.browser.all("svg.picture"))
        self.assertEqual(self.browser.all("canvas"), [])
        self.browser.visit("/icicle?from=lion&to=ncbi:3511")
        self.assertIn("Eukaryota", self.browser.one("p.flight").text)
        self.assertTrue(self.browser.all("svg.picture"))


class BoxTests(BrowserTests):
    def test_boxes_of_the_built_in_database_against_its_rows(self):
        seed = random.randrange(1 << 32)
        print(f"seed {seed}")
        drawn = random.Random(seed)
        self.browser.visit("/icicle")
        path = next(self.explorer.home.rglob("*.sqlite"))
        tree = Tree(path)
        species, everything = tree.species, sorted(tree.parent)
        names = ["all"] + [f"ncbi:{tree.text[taxon]}" for taxon in drawn.sample(everything, 150)]
        while names:
            name = names.pop()
            status, _, body = self.explorer.get(f"/api/tree?at={name}&to={name}" if name != "all" else "/api/tree")
            self.assertEqual(status, 200, name)
            self.assertLessEqual(len(body), MOST_BYTES)
            answer = json.loads(body)
            for box in answer["opened"]:
                self.check(box, tree, species)
            for step in answer["path"]:
                self.assertEqual(step["sizes"][step["index"]], step["size"])
        self.assertTrue(names == [])

    def check(self, box, tree, species):
        if "boxes" not in box:
            return
        name = box["box"].split(",")[0]
        taxon = None if name == "all" else tree.of_text[name.split(":")[1]]
        below = box["boxes"]
        children = tree.children[taxon]
        if "memberCount" not in box:
            self.assertEqual(sum(one.get("memberCount", 1) for one in below), len(children))
            self.assertEqual(box["speciesCount"], sum(map(species.get, children)) + (taxon is not None and tree.rank[taxon] == "species"))
        else:
            self.assertEqual(sum(one.get("memberCount", 1) for one in below), box["memberCount"])
        for one in below:
            if "memberCount" in one:
                self.assertEqual(one["box"].split(",")[0], name)
            else:
                child = tree.of_text[one["box"].split(":")[1]]
                self.assertEqual(tree.parent[child], taxon)
                self.assertEqual(one["scientificName"][:79], tree.name[child][:79])
                self.assertEqual(one["speciesCount"], species[child])
            self.check(one, tree, species)


if __name__ == "__main__":
    unittest.main()
