"""What every page has, and every answer: a crawler follows the links from the first page."""
import collections
import html.parser
import json
import re
import unittest
import urllib.parse
import xml.etree.ElementTree

from browser import BrowserTests
from explorer import Explorer
from pages import MISSING, all_pages

PAGES, OTHERS = 300, 600
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " \
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
TYPES = {"/assets/main.js": "text/javascript; charset=utf-8", "/assets/look.css": "text/css; charset=utf-8"}
# Attributes that lead somewhere; here always to a path, or to a place of the same page.
ADDRESSES = {"href", "src", "srcset", "action", "formaction", "poster", "data", "xlink:href", "cite", "background"}
# Elements that have no end.
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Page(html.parser.HTMLParser):
    """What a page is made of."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loads, self.twins, self.problems, self.open = [], [], [], [], [], []
        self.titles, self.headings, self.references = [], [], []
        self.feed(text)
        self.close()
        if self.open:
            self.problems.append(f"open at the end: {self.open}")

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        if len(set(names)) != len(names):
            self.problems.append(f"an attribute twice in <{tag}>: {names}")
        values = dict(attributes)
        for name, value in attributes:
            if name == "style" or name.startswith("on") or (
                    name in ADDRESSES and not re.match(r"/(?!/)|#", value or "")):
                self.problems.append(f"{name} in <{tag}>")
        if tag in ("style", "base", "object", "embed", "iframe") or (tag == "script" and "src" not in values):
            self.problems.append(f"<{tag}>")
        if "id" in values:
            self.ids.append(values["id"])
        for name in ("for", "aria-labelledby", "aria-describedby", "aria-controls"):
            self.references += (values.get(name) or "").split()
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag == "link" and values.get("rel") == "alternate":
            self.twins.append(values["href"])
        else:
            self.loads += [values[name] for name in ("src", "href", "srcset") if values.get(name)]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes something else")

    def handle_data(self, data):
        if self.open[-1:] == ["title"] and "svg" not in self.open:
            self.titles.append(data)
        if self.open[-1:] == ["h1"] or "h1" in self.open:
            self.headings.append(data)
        if self.open[-1:] == ["script"] and data.strip():
            self.problems.append("a script within the page")


class LinkTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.explorer = Explorer()
        cls.addClassCleanup(cls.explorer.close)

    def fetch(self, target):
        """An answer that has what all answers have."""
        status, fields, body = self.explorer.get(target)
        self.assertEqual(fields.get("content-security-policy"), POLICY)
        self.assertEqual(fields.get("x-content-type-options"), "nosniff")
        self.assertFalse([name for name in fields if name.startswith("access-control-")])
        self.assertNotIn("set-cookie", fields)
        self.assertEqual(int(fields["content-length"]), len(body))
        return status, fields["content-type"], body

    def inside(self, target, link):
        """The path and query that a link of a page leads to, which never is another server's."""
        whole = urllib.parse.urljoin(self.explorer.address + target, link)
        self.assertTrue(whole.startswith(self.explorer.address + "/"), link)
        return urllib.parse.urldefrag(whole)[0][len(self.explorer.address):]

    def check_page(self, target, body, wanted=200):
        page = Page(body.decode("utf-8", errors="strict"))
        self.assertEqual(page.problems, [])
        twice = [name for name, count in collections.Counter(page.ids).items() if count > 1]
        self.assertEqual(twice, [], "ids that are there twice")
        self.assertLessEqual(set(page.references), set(page.ids))
        for link in page.links:
            if link.startswith("#"):
                self.assertIn(link[1:], page.ids)
        self.assertTrue("".join(page.titles).strip() and "".join(page.headings).strip(), "title and heading")
        self.assertLessEqual(len(page.twins), 1)
        return page

    def check_other(self, target, kind, body):
        if kind.startswith("application/json"):
            document = json.loads(body.decode("utf-8", errors="strict"))
            if not target.startswith("/openapi.json"):
                self.assertEqual(document.get("apiVersion"), 2)
        elif kind.startswith("image/svg+xml"):
            root = xml.etree.ElementTree.fromstring(body.decode("utf-8", errors="strict"))
            self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
            for element in root.iter():
                self.assertNotRegex(element.tag, r"(script|foreignObject)\Z")
                self.assertFalse([name for name in element.attrib if re.match(r"(?i)on|style\Z", name)], element.tag)
        elif kind.startswith("text/"):
            body.decode("utf-8", errors="strict")
        if target in TYPES:
            self.assertEqual(kind, TYPES[target])

    def test_every_link_leads_somewhere(self):
        """From the first page on, nearest pages first; what pages load and their twins in JSON, too."""
        seen, pages, others = {"/"}, collections.deque(["/"]), collections.deque()
        page_count = other_count = 0
        kinds = collections.Counter()
        while pages and page_count < PAGES or others and other_count < OTHERS:
            if pages and page_count < PAGES:
                target = pages.popleft()
                page_count += 1
            else:
                target = others.popleft()
                other_count += 1
            with self.subTest(target):
                status, kind, body = self.fetch(target)
                self.assertEqual(status, 200)
                if not kind.startswith("text/html"):
                    kinds[kind] += 1
                    self.check_other(target, kind, body)
                    continue
                kinds[kind] += 1
                page = self.check_page(target, body)
                for links, queue in [(page.links, pages), (page.loads + page.twins, others)]:
                    for link in links:
                        # A word that begins with # stays on the page.
                        found = self.inside(target, link)
                        if found not in seen:
                            seen.add(found)
                            queue.append(found)
        self.assertEqual(page_count, PAGES)
        self.assertGreaterEqual(kinds["application/json; charset=utf-8"], 100, kinds)
        self.assertGreaterEqual(kinds["image/svg+xml; charset=utf-8"], 20, kinds)

    def test_every_kind_of_page_is_well_made(self):
        for name, target in all_pages(self.explorer):
            with self.subTest(name):
                status, kind, body = self.fetch(target)
                self.assertEqual((status, kind), (MISSING.get(name, 200), "text/html; charset=utf-8"))
                page = self.check_page(target, body)
                for twin in page.twins:
                    status, kind, body = self.fetch(self.inside(target, twin))
                    self.assertEqual((status, kind), (200, "application/json; charset=utf-8"))
                    self.check_other(twin, kind, body)

    def test_head_says_what_get_says(self):
        """The same status and fields, and no body."""
        for name, target in all_pages(self.explorer):
            with self.subTest(name):
                status, fields, body = self.explorer.get(target, method="HEAD")
                other, others, _ = self.explorer.get(target)
                for every in (fields, others):
                    every.pop("date", None)
                self.assertEqual((status, fields, body), (other, others, b""))

    def test_a_page_with_a_fault_would_be_found(self):
        for fault in ["<p style='a'>x</p>", "<p onclick='a'>x</p>", "<a href='javascript:a'>x</a>", "<script>a</script>",
                      "<style>a</style>", "<p><b>x</p>", "<p id='a' id='b'>x</p>", "<iframe src='/'></iframe>", "<div>"]:
            with self.subTest(fault):
                self.assertTrue(Page(f"<!doctype html><title>a</title><h1>a</h1>{fault}").problems)


class WidthTests(BrowserTests):
    def wide(self):
        """What is wider than the window, and how far the page can be scrolled sideways."""
        return self.browser.run("""
          const root = document.documentElement;
          return root.scrollWidth <= root.clientWidth ? [] : [root.scrollWidth,
            [...document.querySelectorAll('main *')].filter(element => element.getBoundingClientRect().right > root.clientWidth)
              .slice(0, 5).map(element => element.outerHTML.slice(0, 100))]""")

    def test_nothing_scrolls_sideways(self):
        """At 320 px, which is also what 1,280 px are at a zoom of 400 %."""
        self.browser.look(320, 640)
        for name, target in all_pages(self.explorer):
            with self.subTest(name):
                self.browser.visit(target)
                self.assertEqual(self.wide(), [])
        self.browser.run("document.querySelector('h1').style.width = '400px'; "
                         "document.querySelector('main').style.cssText = 'overflow: visible; min-width: 400px'")
        self.assertTrue(self.wide(), "a page that is too wide would be found")

    def end(self):
        self.browser.driver.get_log("browser")  # Some of the pages are not there.
        super().end()


if __name__ == "__main__":
    unittest.main()
