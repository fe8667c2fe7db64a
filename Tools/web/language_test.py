"""The explorer in other languages than English: what is asked for and what is chosen, no English left over, lines from
right to left, and the theme that was chosen."""
import html.parser
import pathlib
import re
import unittest

import axe_playwright_python

from access_test import ASK
from browser import BrowserTests, Keys
from explorer import ROOT, Explorer
from pages import LION, OAK, PAGES, WITH_FAVORITES

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
WORDS = ROOT / "Sources/CExplorerAssets/words"
TAGS = {"en": "en", "de": "de", "fr": "fr", "es": "es", "pt": "pt", "zh": "zh-Hans", "ja": "ja", "ar": "ar"}
# Programs, and the journal, speak English alone.
UNTRANSLATED = {"api"} | {name for name in PAGES if name.startswith("journal")}
VOID = {"input", "img", "link", "meta", "source", "br"}
# Each two of these come together: a language, a width, a theme, and whether scripts run.
PAIRS = [
    ("ar", 390, "dark", True), ("ar", 768, "light", False), ("ar", 1440, "dark", True),
    ("zh", 390, "light", False), ("zh", 768, "dark", True), ("zh", 1440, "light", True),
    ("de", 390, "dark", True), ("de", 1440, "dark", False),
]
SHOWN = ["/", "/search?q=oak", "/search?q=qqqxxxzzzjjj", "/tree/ncbi:33208", f"/taxon/ncbi:{LION}", "/taxon/ncbi:9681",
         f"/compare?taxon=ncbi%3A{LION}&taxon=ncbi%3A{OAK}", f"/taxon/ncbi:{LION}/lineage", "/icicle", "/icicle/ncbi:9681",
         "/favorites", "/match?text=Panthera+leo%0AFelis+leo%0A", "/settings", "/privacy", "/nothing", "/journal"]


def catalogue(language):
    """The messages of a language by their keys; of each key all forms."""
    messages = {}
    for line in (WORDS / f"{language}.txt").read_text(encoding="utf-8").splitlines():
        key, separator, text = line.partition(" = ")
        if separator and not line.startswith("#"):
            messages.setdefault(key.split(".")[0] if not key.startswith(("rank ", "term ")) else key, []).append(text)
    return messages


def pattern(text):
    """A text with anything in its places."""
    return "".join(".*" if piece.startswith("{") else re.escape(piece) for piece in re.split(r"(\{\w+\})", text))


class Texts(html.parser.HTMLParser):
    """The texts of a page that are its own: no names, no code, nothing that says that it is in English."""

    def __init__(self, page):
        super().__init__()
        self.open, self.texts, self.root = [], [], {}
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "html":
            self.root = attributes
        is_foreign = bool(self.open) and self.open[-1][1] or tag in ("bdi", "code", "script") or attributes.get("lang") in ("en", "la")
        if not is_foreign:
            self.texts += [attributes[name] for name in ("aria-label", "placeholder", "data-label", "data-filter") if attributes.get(name)]
        if tag not in VOID:
            self.open.append((tag, is_foreign))

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if data.strip() and not (self.open and self.open[-1][1]):
            self.texts.append(" ".join(data.split()))


class LanguageTests(unittest.TestCase):
    """Without a browser."""

    @classmethod
    def setUpClass(cls):
        cls.explorer = Explorer()
        cls.addClassCleanup(cls.explorer.close)

    def page(self, target, language, **headers):
        status, fields, body = self.explorer.get(target, {"Accept-Language": language, **headers})
        return status, fields, body.decode()

    def tearDown(self):
        self.explorer.post("/settings", {"language": "auto", "theme": "system"})

    def test_a_page_comes_in_the_language_that_is_preferred(self):
        for asked, wanted in [("de", "de"), ("de-AT,en;q=0.5", "de"), ("nl, fr;q=0.3, es;q=0.4", "es"), ("zh-CN", "zh"), ("ja;q=0, ar", "ar"),
                              ("", "en"), ("*", "en"), ("pt-BR", "pt"), ("tlh", "en"), ("de;q=x", "en")]:
            _, fields, text = self.page("/", asked)
            self.assertEqual(fields["content-language"], TAGS[wanted], asked)
            self.assertEqual(fields["vary"], "Accept-Language")
            direction = "rtl" if wanted == "ar" else "ltr"
            self.assertIn(f'<html lang="{TAGS[wanted]}" dir="{direction}">', text)
            self.assertIn(catalogue(wanted)["homeHeading"][0], text)

    def test_answers_in_two_languages_never_share_a_tag(self):
        for target in ("/", f"/taxon/ncbi:{LION}", "/icicle.svg", "/tree.json", "/nothing.json"):
            tags = [self.page(target, tag)[1].get("etag") for tag in TAGS.values()]
            known = [tag for tag in tags if tag]
            self.assertEqual(len(set(known)), len(known), target)
            if known:
                self.assertEqual(self.page(target, "de", **{"If-None-Match": tags[0]})[0], 200, target)
                self.assertEqual(self.page(target, "de", **{"If-None-Match": tags[1]})[0], 304, target)

    def test_programs_are_answered_in_english(self):
        for target in ("/taxon/999999999999.json", "/api/subtree?format=x", "/nothing.json"):
            self.assertEqual(self.page(target, "de")[2], self.page(target, "en")[2], target)

    def test_a_choice_overrides_the_browser(self):
        for language, tag in TAGS.items():
            status, fields, _ = self.explorer.post("/settings", {"language": language, "theme": "system", "return": "/tree"})
            self.assertEqual((status, fields["location"]), (303, "/tree"))
            self.assertEqual(self.page("/", "es")[1]["content-language"], tag)
            # An address has the last word.
            self.assertEqual(self.page("/?lang=fr", "es")[1]["content-language"], "fr")
        self.explorer.post("/settings", {"language": "auto", "theme": "system"})
        self.assertEqual(self.page("/", "es")[1]["content-language"], "es")

    def test_a_choice_needs_the_token_and_stays_here(self):
        for fields in ({"token": "0" * 32, "language": "de", "theme": "dark"}, {"language": "xx", "theme": "dark"},
                       {"language": "de", "theme": "<b>"}):
            self.assertIn(self.explorer.post("/settings", fields)[0], (400, 403))
        for elsewhere in ("http://evil.example/", "//evil.example", "/nothing", "javascript:x"):
            _, fields, _ = self.explorer.post("/settings", {"language": "de", "theme": "dark", "return": elsewhere})
            self.assertEqual(fields["location"], "/settings")

    def test_no_english_is_left_over(self):
        """Every text of the catalogue that a German page says is German."""
        english, german = catalogue("en"), catalogue("de")
        spoken = {text for texts in german.values() for text in texts}
        foreign = [re.compile(pattern(text)) for key, texts in english.items() for text in texts
                   if text not in spoken and len(re.sub(r"\{\w+\}|\W", "", text)) > 2]
        own = [re.compile(pattern(text)) for text in spoken if len(re.sub(r"\{\w+\}|\W", "", text)) > 2]
        for taxon in (LION, OAK, 33208):
            self.explorer.post("/favorites", {"taxon": taxon, "action": "add"})
        count = 0
        for name, target in {**PAGES, **WITH_FAVORITES}.items():
            if name in UNTRANSLATED:
                continue
            page = Texts(self.page(target, "de")[2])
            self.assertEqual(page.root, {"lang": "de", "dir": "ltr"})
            for text in page.texts:
                count += 1
                if any(one.fullmatch(text) for one in foreign) and not any(one.fullmatch(text) for one in own):
                    self.fail(f"{target} says {text!r}")
                self.assertNotRegex(text, r"\{\w+\}", target)
        self.assertGreater(count, 1000)

    def test_what_is_left_over_would_be_found(self):
        self.assertIn("Search", Texts('<html lang="de"><h1>Search</h1><bdi>Name</bdi>').texts)
        self.assertNotIn("Name", Texts('<html lang="de"><h1>Search</h1><bdi>Name</bdi>').texts)

    def test_every_language_answers_every_page(self):
        for name, target in PAGES.items():
            wanted = self.page(target, "en")[0]
            for language, tag in TAGS.items():
                status, _, text = self.page(target, tag)
                self.assertEqual(status, wanted, f"{target} in {language}")
                self.assertNotRegex(re.sub(r"(?s)<code.*?</code>|<main[^>]*lang=\"en\".*?</main>", "", text), r">[^<]*\{[a-z]\w*\}[^<]*<", f"{name} in {language}")


class LanguageBrowserTests(BrowserTests):
    """What a person sees, each two of language, width, theme and scripts together."""

    def test_pages_fit_and_speak_one_language(self):
        count = 0
        for taxon in (LION, OAK):
            self.explorer.post("/favorites", {"taxon": taxon, "action": "add"})
        for language, width, theme, scripts in PAIRS:
            self.explorer.post("/settings", {"language": language, "theme": theme})
            self.browser.command("Emulation.setScriptExecutionDisabled", value=not scripts)
            # The system says the opposite.
            self.browser.look(width, dark=theme == "light")
            for target in SHOWN:
                with self.subTest(target, language=language, width=width, theme=theme, scripts=scripts):
                    self.browser.visit(target)
                    self.browser.one("h1")
                    root = self.browser.run("""const root = document.documentElement; return [root.lang, root.dir,
                        root.scrollWidth, getComputedStyle(root).colorScheme, getComputedStyle(document.body).direction]""")
                    direction = "rtl" if language == "ar" else "ltr"
                    self.assertEqual(root[:2] + root[3:], [TAGS[language], direction, theme, direction])
                    self.assertLessEqual(root[2], width)
                    if scripts:
                        self.browser.run(AXE)
                        self.assertEqual(self.browser.driver.execute_async_script(ASK), [])
                    count += 1
        self.assertEqual(count, len(PAIRS) * len(SHOWN))

    def test_the_switch_of_the_footer_works_with_one_click(self):
        self.browser.visit("/tree")
        self.browser.click("footer button", "Français")
        self.browser.until(lambda: self.browser.run("return document.documentElement.lang") == "fr", "French")
        self.browser.at("/tree")
        self.browser.click("footer button", "English")
        self.browser.until(lambda: self.browser.run("return document.documentElement.lang") == "en", "English")

    def test_scripts_speak_the_language_of_the_page(self):
        self.explorer.post("/settings", {"language": "ar", "theme": "system"})
        words = catalogue("ar")
        self.browser.visit(f"/taxon/ncbi:{LION}")
        self.browser.click("form.heart button")
        self.browser.until(lambda: self.browser.one("form.heart .word").text == words["favorite"][0], "the word of the heart")
        self.browser.click("form.heart button")
        self.browser.visit("/tree/ncbi:9681")
        self.browser.one("[role=treeitem]")
        self.assertIn(words["lookInside"][0], self.browser.one("[role=treeitem] .about").text)
        # What is inside lies to the left.
        self.browser.one("[role=treeitem]").click()
        self.browser.run("document.querySelector('[role=treeitem]').focus()")
        self.browser.press(Keys.ARROW_LEFT)
        self.browser.one("[role=treeitem][aria-expanded=true] [role=treeitem]")
        self.browser.press(Keys.ARROW_RIGHT)
        self.browser.until(lambda: not self.browser.all("[role=treeitem][aria-expanded=true]"), "a branch that is closed")
        self.browser.visit("/icicle")
        self.browser.until(lambda: self.browser.run("return document.querySelector('.life canvas')?.getAttribute('aria-label')")
                           == words["lifeKeys"][0], "the words of the picture")

    def end(self):
        self.browser.driver.get_log("browser")  # The page that is not there says so.
        super().end()


if __name__ == "__main__":
    unittest.main()
