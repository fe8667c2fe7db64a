"""An application's manners: search from everywhere, a port that stays, answers that are not sent twice, addresses that
hold what is open, and pages to print."""
import re
import subprocess
import unittest

from browser import ActionChains, BrowserTests, Keys
from explorer import STOL, Explorer, prepared_home

USUAL = 7865
# Where a page has no field of its own.
FIELDS = ["/tree", "/taxon/ncbi:9689", "/compare", "/match", "/favorites", "/settings", "/settings/databases", "/privacy", "/icicle", "/nothing"]


class KeyTests(BrowserTests):
    def test_a_slash_and_control_k_lead_to_the_search_field(self):
        for target in FIELDS[:-1] + ["/", "/search?q=oak"]:
            for is_slash in (True, False):
                self.browser.visit(target)
                field = "q" if target == "/" or target.startswith("/search") else "find"
                self.browser.until(lambda: self.browser.run("return document.querySelector('#find, #q').getAttribute('role')") == "combobox",
                                   "the script of the field")
                if is_slash:
                    self.browser.press("/")
                else:
                    ActionChains(self.browser.driver).key_down(Keys.CONTROL).send_keys("k").key_up(Keys.CONTROL).perform()
                self.browser.until(lambda field=field: self.browser.focused.get_attribute("id") == field, f"{field} at {target}")
                self.assertNotIn("/", self.browser.focused.get_attribute("value"))

    def test_a_slash_in_a_field_is_a_letter(self):
        self.browser.visit("/compare")
        self.browser.click("#taxon-0")
        self.browser.press("a/b")
        self.assertEqual(self.browser.focused.get_attribute("value"), "a/b")
        self.assertEqual(self.browser.focused.get_attribute("id"), "taxon-0")

    def test_search_from_a_page_that_is_about_something_else(self):
        self.browser.visit("/settings")
        self.browser.click("#find")
        self.browser.press("panthera leo")
        self.browser.click("[role=option]", "Panthera leo")
        self.browser.at("/taxon/ncbi:9689")
        self.browser.click("#find")
        self.browser.press("quercus", Keys.ENTER)
        self.browser.at(r"/search\?q=quercus")

    def test_opened_branches_are_in_the_address(self):
        self.browser.visit("/tree/ncbi:33554")

        def names():
            return [self.browser.name_of(item) for item in self.browser.all("[role=treeitem][aria-expanded=true] > .row .taxon")]

        for name in ("Feliformia", "Felidae"):
            row = self.browser.one("[role=treeitem]", rf"\b{name}\b")
            row.find_element("css selector", ".twisty").click()
            self.browser.until(lambda row=row: row.get_attribute("aria-expanded") == "true", name)
        self.assertRegex(self.browser.path, r"\A/tree/ncbi:33554#open=ncbi%3A\d+,ncbi%3A\d+\Z")
        opened = names()
        self.assertEqual(len(opened), 2)
        address = self.browser.path
        self.browser.visit("/settings")
        self.browser.visit(address)
        self.browser.until(lambda: names() == opened, "what was open")
        self.browser.all("[role=treeitem][aria-expanded=true] > .row .twisty")[0].click()
        self.browser.until(lambda: "#" not in self.browser.path, "an address without what is closed")
        # What cannot be read opens nothing.
        for bad in ("#open=%E0%A4%A,nothing", "#open=", "#open=" + ",".join(["x"] * 500)):
            self.browser.visit("/tree/ncbi:33554" + bad)
            self.browser.one("[role=treeitem]")
            self.assertEqual(names(), [])

    def test_what_opens_in_place_looks_as_its_own_page(self):
        """Rows that a script makes are the rows that the server writes."""
        def rows(selector):
            return self.browser.run("""return [...document.querySelectorAll(arguments[0])].map((row) => row.innerHTML.replace(
                /<a[^>]*aria-label="Look inside[^>]*>[^<]*<.a>/, ''))""", f"{selector} > .row > .what")
        for parent, child in ((33554, 379584), (7742, 7776), (33208, 6072)):
            self.browser.visit(f"/tree/ncbi:{child}")
            self.browser.one("[role=treeitem]")
            wanted = rows("[role=treeitem]")
            self.browser.visit(f"/tree/ncbi:{parent}#open=ncbi:{child}")
            self.browser.until(lambda: len(rows("[role=treeitem] [role=treeitem]")) == len(wanted), "what is below")
            self.assertEqual(rows("[role=treeitem] [role=treeitem]"), wanted)
            self.assertTrue(any("<svg" in row for row in wanted) and any("<img" in row for row in wanted), wanted)

    def test_print_has_no_controls(self):
        self.browser.visit("/taxon/ncbi:9689")
        self.browser.command("Emulation.setEmulatedMedia", media="print")
        try:
            for selector in ("header.site", "footer.site", "form", ".actions"):
                self.assertEqual(self.browser.all(selector), [], selector)
            self.assertEqual(self.browser.run("return getComputedStyle(document.documentElement).backgroundColor"), "rgb(255, 255, 255)")
            self.assertIn("Panthera leo", self.browser.one("main").text)
        finally:
            self.browser.command("Emulation.setEmulatedMedia", media="")


class FieldTests(unittest.TestCase):
    """Without a script."""

    def test_every_page_has_one_search_field(self):
        with Explorer() as explorer:
            for target in [*FIELDS, "/", "/search"]:
                page = explorer.get(target)[2].decode()
                self.assertEqual(len(re.findall(r'<form[^>]*role="search"[^>]*action="/search"', page)), 1, target)

    def test_what_is_known_is_not_sent_again(self):
        with Explorer() as explorer:
            for target in ["/", "/taxon/ncbi:9689", "/assets/look.css", "/assets/main.js", "/complete.json?q=lion", "/search.json?q=lion",
                           "/icicle.svg", "/taxon/ncbi:9689/drawing.svg", "/assets/pictures.css", "/tree/ncbi:9681.csv"]:
                status, fields, body = explorer.get(target)
                tag = fields["etag"]
                self.assertRegex(tag, r'\A"[0-9a-f]+-[0-9a-f]+"\Z')
                self.assertEqual((status, int(tag.strip('"').partition("-")[2], 16)), (200, len(body)))
                for known in (tag, f'"a", W/{tag}', "*"):
                    status, again, nothing = explorer.get(target, {"If-None-Match": known})
                    self.assertEqual((status, nothing, again["etag"]), (304, b"", tag), target)
                    self.assertIn("content-security-policy", again)
                self.assertEqual(explorer.get(target, {"If-None-Match": '"a"'})[0], 200)
            self.assertNotIn("etag", explorer.get("/nothing")[1])
            before = explorer.get("/taxon/ncbi:9689")[1]["etag"]
            explorer.post("/favorites", {"taxon": "9689", "action": "add"})
            self.assertEqual(explorer.get("/taxon/ncbi:9689", {"If-None-Match": before})[0], 200, "its heart has changed")

    def test_the_usual_port_or_the_next_is_taken_and_said(self):
        explorers = [Explorer(), Explorer()]
        try:
            first, second = (explorer.port for explorer in explorers)
            self.assertTrue(USUAL <= first < second, (first, second))
            said = (explorers[1].folder / "errors").read_text()
            self.assertIn(f"port {USUAL} is taken; {explorers[1].address}/ is the next that is free", said)
            refused = subprocess.run([STOL, "serve", "--data-dir", prepared_home(), "--port", str(first)], capture_output=True,
                                     text=True, timeout=30, check=False)
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn(f"port {first} is taken", refused.stderr)
        finally:
            for explorer in explorers:
                explorer.close()


if __name__ == "__main__":
    unittest.main()
