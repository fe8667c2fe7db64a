"""Names that would do something if they were more than text: a whole database of them, on every page."""
import json
import pathlib
import tempfile
import unittest
import urllib.parse

from browser import BrowserTests
from explorer import Explorer, stol, write_database
from links_test import Page
from pages import matching

MARK = "stolen"
LONG = 5000
# What could become an element, an attribute, an address, a script or a style; and what disturbs text.
HOSTILE = [
    f"<script>document.title='{MARK}'</script>", f"</title><script>document.title='{MARK}'</script>",
    f"<img src=x onerror=\"document.title='{MARK}'\">", f"\"><svg onload=\"document.title='{MARK}'\">",
    f"' onmouseover='document.title=\"{MARK}\"' x='", f"\" autofocus onfocus=\"document.title='{MARK}'\" x=\"",
    f"javascript:document.title='{MARK}'", f"</textarea></select><{MARK}>", "</bdi></a></main></body></html>",
    "<!-- comment", "--> <b>bold</b>", "]]>", "<![CDATA[x", "<?xml version='1.0'?>", "&lt;&amp;&#60;&#x3c;&quot;&apos;&",
    "&amp", "&#0;", "${7*7}{{7*7}}#{7*7}", "%3Cscript%3E", "\\u003cscript\\u003e", "\\", "\"", "'", "`", "<", ">", "&", "=",
    "../../etc/passwd", "a/b?c=d&e=f#g", "\u202eright to left\u202c", "\u2066isolate", "\u200fmark\u200e", "zero\u200bwidth\u200dx",
    "\ufeffmark", "line\u2028separator\u2029x", "a\tb", "a\nb", "a\rb", "\x1b[31mred", "\x07bell", "\x7f", "\u0085",
    "combining " + "e\u0301" * 40, "\U0001F981" * 30, "\U000E0041tags", "名前" * 20, "اسم" * 20, "x" * LONG, "long words " * 400,
    "Aus bus", "{}", "[]", "null", "undefined", "__proto__", "constructor", "0", "-1", "1e9999",
]


def hostile_pack(folder):
    """A pack with the names above wherever a database has text."""
    taxa, names, traits, references = [(1, None, "domain", "Root"), (2, 1, "family", "Hostilidae")], [], [], []
    for number, name in enumerate(HOSTILE):
        genus, species = 100 + number, 1000 + number
        taxa += [(genus, 2, "genus", name), (species, genus, "species", f"{name} {name}"[:LONG])]
        names += [(genus, name, "en", "common"), (species, name, "en", "common"),
                  (species, f"other {name}", "de", "synonym"), (species, name, "fr", "vernacular")]
        traits += [(species, "habitat", name[:200], name[:20]), (species, name[:200], "value", None)]
        references += [(species, name, name)]
    write_database(folder / "hostile.sqlite", taxa, names, traits, references, id_space="hostile")
    stol("pack", folder / "hostile.sqlite", "-o", folder / "hostile.stolpack", "--quiet", home=folder / "home")
    return folder / "hostile.stolpack"


def matching_all():
    """Pages that match the names above, as many at a time as an address has room for."""
    for number in range(0, len(HOSTILE), 6):
        lines = [name.replace("\n", " ").replace("\r", " ") for name in HOSTILE[number:number + 6] if len(name) < 300]
        yield matching("scientificName\tx\n" + "".join(f"{line}\t{line}\n" for line in lines))[:4000].rstrip("%0123456789ABCDEF")


class PageTests(unittest.TestCase):
    """What the server sends, read as HTML and as JSON."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="stol-web-")
        cls.addClassCleanup(folder.cleanup)
        cls.explorer = Explorer("--pack", hostile_pack(pathlib.Path(folder.name)))
        cls.addClassCleanup(cls.explorer.close)

    def targets(self):
        yield from ["/", "/tree", "/tree/hostile:2", "/tree/hostile:2?rank=genus", "/tree/hostile:2?rank=species", "/icicle", "/icicle/hostile:2", "/favorites"]
        for number in range(len(HOSTILE)):
            yield from [f"/taxon/hostile:{1000 + number}", f"/taxon/hostile:{100 + number}", f"/tree/hostile:{100 + number}",
                        f"/compare?taxon=hostile%3A{1000 + number}&taxon=hostile%3A1000"]
        yield f"/taxon/hostile:{1000}/lineage"
        yield from matching_all()

    def test_pages_have_no_element_that_a_name_made(self):
        """Read as HTML, each page is well made and has no script, style or handler; as JSON it has the name."""
        for target in self.targets():
            with self.subTest(target):
                status, _, body = self.explorer.get(target)
                self.assertEqual(status, 200)
                page = Page(body.decode())
                self.assertEqual(page.problems, [])
                self.assertFalse([link for link in page.links + page.loads if not link.startswith(("/", "#"))])
        for number, name in enumerate(HOSTILE):
            with self.subTest(name[:40]):
                document = json.loads(self.explorer.get(f"/taxon/hostile:{100 + number}.json")[2])
                self.assertEqual(document["taxon"]["scientificName"], name)

    def test_what_is_asked_for_is_text_too(self):
        """What a visitor types comes back on the page: in the field, in sentences, in links."""
        for name in HOSTILE:
            if len(name) > 1000:
                continue
            for target in ["/search?q=", "/search?rank=genus&q=", "/tree/hostile:2?habitat=", "/compare?taxon=hostile%3A1000&taxon=",
                           "/search?within=2&lang=", "/match?text=", "/match?text=name%2Cx%0A", "/match?minScore=1&text=a%2Cb%0A", "/match?text=lion&add=",
                           "/search?sort=", "/favorites?sort=", "/search?rank=", "/search?conservation=",
                           "/journal/export?format=", "/journal/export?format=dwca&licence=CC0-1.0&creator=", "/journal/export?tag=", "/journal/statistics?taxon=",
                           "/journal/export?format=csv&taxon="]:
                target += urllib.parse.quote(name, safe="")
                with self.subTest(target):
                    status, _, body = self.explorer.get(target)
                    self.assertIn(status, (200, 400))
                    self.assertEqual(Page(body.decode()).problems, [])
            twin = self.explorer.get("/search.json?q=" + urllib.parse.quote(name, safe=""))
            self.assertEqual(json.loads(twin[2])["apiVersion"], 2)
            twin = self.explorer.json("/api/match?name=" + urllib.parse.quote(name, safe=""))
            # A byte order mark before a text is no letter of it.
            self.assertEqual([result["input"] for result in twin["results"]], [name.removeprefix("\ufeff")])


class BrowserEscapeTests(BrowserTests):
    """What a browser makes of it, with scripts running."""

    def arguments(self):
        folder = tempfile.TemporaryDirectory(prefix="stol-web-")
        self.addCleanup(folder.cleanup)
        return ["--pack", hostile_pack(pathlib.Path(folder.name))]

    def test_a_browser_makes_nothing_of_names_but_text(self):
        """The pages as Chromium reads them, with scripts running: no element, frame or title is anybody else's."""
        known = set()
        for target in ["/tree/hostile:2", "/tree/hostile:2?rank=species", "/search?rank=genus&q=", "/search?q=script", *matching_all(), "/compare?taxon=hostile%3A1000&taxon=hostile%3A1003",
                       "/icicle", *(f"/taxon/hostile:{1000 + number}" for number in range(0, len(HOSTILE)))]:
            with self.subTest(target):
                self.browser.visit(target)
                found = self.browser.run("""
                  return [document.title, window.length,
                    [...document.querySelectorAll('main :not(link[rel="modulepreload"][href^="/assets/"])')].map(element => element.localName),
                    [...document.querySelectorAll('*')].flatMap(element => [...element.attributes].map(each => each.name))
                      .filter(name => /^on|^style$/.test(name)),
                    document.querySelectorAll('body > main').length]""")
                self.assertNotEqual(found[0], MARK)
                self.assertEqual((found[1], found[3], found[4]), (0, [], 1))
                known |= set(found[2])
        allowed = set("""a abbr article b bdi button canvas circle clippath code dd defs details div dl dt figcaption figure form g h1 h2 h3
            header i img input label li line mark nav ol option p path picture polygon polyline rect section select small source
            span strong summary svg table tbody td text textarea th thead title tr tspan ul use desc clipPath""".split())
        self.assertLessEqual(known, allowed)

    def test_suggestions_are_text(self):
        """What scripts make of names: suggestions below a field, and branches that open in place."""
        self.browser.visit("/")
        for text in ["<script", "<img src", "\"><svg", "</bdi>"]:
            self.browser.click("#q")
            self.browser.run("document.getElementById('q').value = ''")
            self.browser.press(text)
            self.browser.one("[role=option]")
            self.assertEqual(self.browser.run("return document.querySelectorAll("
                                              "'[role=listbox] :is(script, svg, img:not(.thumb), iframe, a, b)').length"), 0)
            for address in self.browser.run("return [...document.querySelectorAll('[role=listbox] img')].map(image => image.getAttribute('src'))"):
                self.assertRegex(address, r"\A/taxon/[a-z0-9-]+:\d+/drawing\.svg\Z")
        self.browser.visit("/tree/hostile:1")
        self.browser.click("[role=treeitem] .twisty")
        self.browser.one("[role=treeitem] [role=treeitem]")
        # In names there is nothing but names, and around them no picture but the page's own: a bar, a drawing.
        for selector in ("[role=tree] .taxon :not(span, i, bdi)", "[role=tree] :is(script, iframe, b)",
                         "[role=tree] svg:not(.share > .bar)", "[role=tree] img:not(.what > .thumb[src$='/drawing.svg'])"):
            self.assertEqual(self.browser.run("return document.querySelectorAll(arguments[0]).length", selector), 0, selector)
        self.assertNotEqual(self.browser.driver.title, MARK)


if __name__ == "__main__":
    unittest.main()
