"""What people come for, done in a browser: seven tasks with the mouse, again with the keyboard alone, and four
of them without scripts.

A task begins at a page that is already there and ends with what the person wanted to see.
"""
import re
import unittest

from selenium.webdriver.support.ui import Select

from browser import BrowserTests, Keys
from explorer import small_database, stol
from pages import NAMES, matching

LION = 9689
# The way down from the carnivores; each name as it stands in the rows of the tree.
CARNIVORES = 33554
WAY = ["Feliformia", "Felidae", "Pantherinae", "Panthera"]

# A table with a name that somebody has to look at, and what it becomes once that is decided.
TABLE = "id,scientificName,note\n1,Panthera leo,a\n2,Panthera lexx,b\n3,Panthera lexx,c\n"
MATCHED = """id,scientificName,note,status,taxonID,reason
1,Panthera leo,a,exact,9689,name
2,Panthera lexx,b,exact,9689,decided
3,Panthera lexx,c,exact,9689,decided
"""

# What has the focus, and the widths of the rings around it: its own, or that of what stands for it.
RINGS = """
  const element = document.activeElement, rings = [];
  const look = (node, part) => {
    const style = getComputedStyle(node, part);
    if (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 && style.content !== 'none')
      rings.push(style.outlineWidth);
  };
  look(element);
  for (const part of ['::before', '::after']) look(element, part);
  if (element.firstElementChild) look(element.firstElementChild);
  for (let node = element; node && !node.matches('main, body'); node = node.parentElement) look(node);
  return [element === document.body ? '' : element.outerHTML.slice(0, 80), rings];
"""


class Tasks(BrowserTests):
    """What a task ends with, however it was done."""

    def see_lion(self):
        self.browser.at(f"/taxon/ncbi:{LION}")
        self.assertRegex(self.browser.heading, r"(?i)lion\s+Panthera leo")

    def see_comparison(self):
        self.browser.at(r"/compare\?.*")
        self.assertRegex(self.browser.heading, r"(?i)lion and .*oak|lion and .*Quercus")
        self.assertRegex(self.browser.one("main").text, r"last common ancestor.*Eukaryot")

    def see_saved_lion(self):
        self.browser.at("/favorites")
        self.assertRegex(self.browser.one("ul.favorites").text, "Panthera leo")

    def see_exported_lion(self):
        lines = self.browser.file("favourites.txt").splitlines()
        self.assertTrue(any("Panthera leo" in line for line in lines), lines)
        self.assertFalse(any(str(LION) in line for line in lines), "names only, no ids")

    def see_open_name(self):
        self.browser.until(lambda: self.browser.heading == "Matched names", "the answers")
        self.assertEqual(self.browser.path, "/match")
        text = self.browser.one("main").text
        self.assertRegex(text, "3 rows. Look at one name: 0 decided")
        self.assertRegex(text, "as in row 2")

    def see_matched(self):
        """The file has the rows as they were, and what was decided."""
        self.assertEqual(self.browser.file("matched.csv"), MATCHED)

    def see_privacy(self):
        self.browser.at("/privacy")
        self.assertRegex(self.browser.one("main").text, r"(?s)We collect no data\..*no cookies, no tracking")

    def container(self):
        """A signed database whose signer this explorer trusts."""
        folder, home = self.explorer.folder, self.explorer.home
        small_database(folder / "small.sqlite")
        passphrase = folder / "passphrase"
        passphrase.write_text("a passphrase\n")
        stol("db", "keygen", "-o", folder / "release", "--passphrase-file", passphrase, home=home)
        stol("db", "sign", folder / "small.sqlite", "-o", folder / "small.stol", "--key", folder / "release.key",
             "--dataset", "small", "--release", "1", "--passphrase-file", passphrase, home=home)
        stol("db", "keys", "add", folder / "release.pub", "--dataset", "small", home=home)
        return folder / "small.stol"

    def see_imported(self):
        self.browser.until(lambda: re.search("installed", self.browser.heading), "the end of the import")
        self.assertRegex(self.browser.one("main").text, "(?i)small, release 1 answers now")
        self.assertEqual(self.explorer.json("/settings/databases.json")["active"], "reference")
        # It answers what only it knows, and the page of a taxon comes from it.
        hits = self.explorer.json("/search.json?q=panthera+stolensis")["results"]
        self.assertEqual([hit["scientificName"] for hit in hits][:1], ["Panthera stolensis"])

    def see_built_in(self):
        self.browser.at("/settings/databases")
        self.browser.until(lambda: re.search("The built-in database answers now", self.browser.one("main").text),
                           "the built-in database")
        names = [hit["scientificName"] for hit in self.explorer.json("/search.json?q=panthera+stolensis")["results"]]
        self.assertNotIn("Panthera stolensis", names)
        self.assertEqual(self.explorer.json("/search.json?q=panthera+leo")["results"][0]["id"], LION)


class MouseTasks(Tasks):
    """With the mouse; keys only for what has to be typed."""

    def choose(self, selector, text, name):
        """Types a name and takes the suggestion; without suggestions the text stands as it is."""
        self.browser.click(selector)
        self.browser.press(text)
        if self.scripts:
            self.browser.click("[role=option]", name)

    def test_find_a_lion_by_a_misspelt_name(self):
        self.browser.visit("/")
        self.choose("#q", "pantera leo", "Panthera leo")
        if not self.scripts:
            self.browser.click("main button", "^Find$")
            self.browser.at(r"/search\?q=pantera\+leo")
            self.browser.click("#results a", "Panthera leo")
        self.see_lion()

    def test_walk_from_carnivores_down_to_a_lion(self):
        self.browser.visit("/")
        self.browser.click("a.door", "^Animals")
        self.browser.at("/tree/ncbi:33208")
        self.browser.visit(f"/tree/ncbi:{CARNIVORES}")
        for name in WAY:
            if self.scripts:
                # Branches open in place.
                row = self.browser.one(f"[role=treeitem][aria-level='{WAY.index(name) + 1}']", rf"\b{name}\b")
                self.browser.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", row)
                row.find_element("css selector", ".twisty").click()
                self.browser.until(lambda row=row: row.get_attribute("aria-expanded") == "true", f"what is in {name}")
            else:
                self.browser.click("ul.tree a.taxon", rf"\b{name}$")
                self.browser.until(lambda name=name: re.search(rf"\b{name}$", self.browser.heading), name)
        self.browser.click("ul.tree a.taxon", r"\bPanthera leo$")
        if not self.scripts:
            self.browser.click("main a", "(?i)^About lion$")
        self.see_lion()

    def test_compare_it_with_an_oak(self):
        self.browser.visit(f"/taxon/ncbi:{LION}")
        self.browser.click("main a", "^Compare with")
        self.browser.at(r"/compare\?taxon=ncbi%3A9689")
        self.choose("#taxon-1", "oak", r"\bQuercus\b")
        self.browser.click("main button", "^Compare$")
        self.see_comparison()

    def test_save_and_export_favourites(self):
        self.browser.visit(f"/taxon/ncbi:{LION}")
        self.assertEqual(self.browser.one("form.heart button").get_attribute("aria-pressed"), "false")
        self.browser.click("form.heart button")
        self.browser.until(lambda: self.browser.one("form.heart button").get_attribute("aria-pressed") == "true",
                           "the favourite")
        self.assertEqual(self.browser.one("#favorite-count").text.strip(), "1")
        self.browser.click("header a", "^Favourites")
        self.see_saved_lion()
        self.browser.click("main a", "^Export names$")
        self.see_exported_lion()

    def test_match_names_decide_and_download(self):
        self.browser.visit("/")
        self.browser.click("header a", "^Match$")
        self.browser.at("/match")
        if self.scripts:
            # What the dialog of the system does once a file is chosen there.
            file = self.explorer.folder / "sightings.csv"
            file.write_text(TABLE)
            self.browser.one("#file").send_keys(str(file))
        else:
            self.browser.click("#text")
            self.browser.press(TABLE)
        self.browser.click("summary", "^Options$")
        self.browser.one("#add").clear()
        self.browser.click("#add")
        self.browser.press("status,taxonID,reason")
        self.browser.click("main button", "^Match$")
        self.see_open_name()
        choice = self.browser.one("select", "Panthera lexx")
        Select(choice).select_by_visible_text(next(
            option.text for option in Select(choice).options if option.text.startswith("Panthera leo")))
        self.browser.click("main button", "^Apply decisions$")
        self.browser.until(lambda: "one name: 1 decided" in self.browser.one("main").text, "the decision")
        self.browser.click("main button", "^Download the table$")
        self.see_matched()

    def test_import_a_database_and_switch_back(self):
        container = self.container()
        self.browser.visit("/settings")
        self.browser.click("main a", "^Databases$")
        self.browser.at("/settings/databases")
        if self.scripts:
            # What the dialog of the system does once a file is chosen there.
            self.browser.one("#file").send_keys(str(container))
        else:
            self.browser.click("#path")
            self.browser.press(str(container))
        self.browser.click("main button", "^Import$")
        self.see_imported()
        self.browser.click("main a", "^Databases$")
        self.browser.click("main button", "^Switch to the built-in database$")
        self.see_built_in()

    def test_drop_a_file_on_the_form_of_names(self):
        """What a browser tells the page when a person drops a file there, beside its field."""
        self.browser.visit("/match")
        self.browser.until(lambda: self.browser.run("""
          const form = document.querySelector('form[data-drop]'), dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([arguments[0]], 'sightings.csv', {type: 'text/csv'}));
          const over = new DragEvent('dragover', {dataTransfer, bubbles: true, cancelable: true});
          form.querySelector('textarea').dispatchEvent(over);
          if (!over.defaultPrevented || !form.classList.contains('over')) return false;
          form.querySelector('textarea').dispatchEvent(new DragEvent('drop', {dataTransfer, bubbles: true, cancelable: true}));
          return !form.classList.contains('over') && form.querySelector('#file').files[0].name === 'sightings.csv'""", TABLE),
            "the file that was dropped")
        self.browser.click("main button", "^Match$")
        self.see_open_name()

    def test_read_the_privacy_page(self):
        self.browser.visit("/")
        self.browser.click("footer a", "^Privacy$")
        self.see_privacy()


class KeyboardTasks(Tasks):
    """With the keyboard alone: nothing is pressed but keys once the first page is there."""

    def enter(self, role, name):
        self.browser.tab_to(role, name)
        self.browser.press(Keys.ENTER)

    def choose(self, text, name):
        """Types a name into the field with the focus and takes the suggestion with arrow keys."""
        self.browser.press(text)
        if not self.scripts:
            return False
        self.browser.one("[role=option]", name)
        for _ in range(10):
            self.browser.press(Keys.ARROW_DOWN)
            active = self.browser.focused.get_attribute("aria-activedescendant")
            if active and re.search(name, self.browser.name_of(self.browser.one(f"#{active}"))):
                self.assertEqual(self.browser.one(f"#{active}").get_attribute("aria-selected"), "true")
                self.browser.press(Keys.ENTER)
                return True
        raise AssertionError(f"arrow keys did not reach {name}")

    def test_find_a_lion_by_a_misspelt_name(self):
        self.browser.visit("/")
        self.browser.tab_to("searchbox|combobox", "Whom do you want to meet")
        if not self.choose("pantera leo", "Panthera leo"):
            self.browser.press(Keys.ENTER)
            self.browser.at(r"/search\?q=pantera\+leo")
            self.enter("link", "Panthera leo")
        self.see_lion()

    def test_find_a_lion_without_taking_a_suggestion(self):
        self.browser.visit("/search")
        self.browser.tab_to("searchbox|combobox", "Name of an animal")
        self.browser.press("pantera leo", Keys.ENTER)
        self.browser.at(r"/search\?q=pantera\+leo.*")
        self.enter("link", "Panthera leo")
        self.see_lion()

    def test_walk_from_carnivores_down_to_a_lion(self):
        self.browser.visit("/")
        self.enter("link", "^Animals")
        self.browser.at("/tree/ncbi:33208")
        self.browser.visit(f"/tree/ncbi:{CARNIVORES}")
        if not self.scripts:
            for name in WAY:
                self.enter("link", rf"(?<!About )\b{name}$")
                self.browser.until(lambda name=name: re.search(rf"\b{name}$", self.browser.heading), name)
            self.enter("link", r"(?<!About )\bPanthera leo$")
            self.browser.at(f"/tree/ncbi:{LION}")
            return self.enter("link", "(?i)^About lion$") or self.see_lion()
        self.browser.tab_to("treeitem", ".")
        for name in WAY:
            self.down_to(name)
            self.browser.press(Keys.ARROW_RIGHT)
            self.browser.until(lambda: self.browser.focused.get_attribute("aria-expanded") == "true", name)
            self.browser.press(Keys.ARROW_RIGHT)
        self.down_to("Panthera leo")
        self.browser.press(Keys.ENTER)
        return self.see_lion()

    def down_to(self, name):
        for _ in range(120):
            if re.search(rf"\b{name}\b", self.browser.name_of(self.browser.focused)):
                return
            self.browser.press(Keys.ARROW_DOWN)
        raise AssertionError(f"arrow keys did not reach {name}")

    def test_compare_it_with_an_oak(self):
        self.browser.visit(f"/taxon/ncbi:{LION}")
        self.enter("link", "^Compare with")
        self.browser.at(r"/compare\?taxon=ncbi%3A9689")
        self.browser.tab_to("searchbox|combobox", "^Second")
        self.choose("oak", r"\bQuercus\b")
        self.enter("button", "^Compare$")
        self.see_comparison()

    def test_save_and_export_favourites(self):
        self.browser.visit(f"/taxon/ncbi:{LION}")
        self.enter("button", "(?i)favourite.*lion")
        self.browser.until(lambda: self.browser.one("form.heart button").get_attribute("aria-pressed") == "true",
                           "the favourite")
        self.browser.visit(f"/taxon/ncbi:{LION}")
        self.enter("link", "^Favourites")
        self.see_saved_lion()
        self.enter("link", "^Export names$")
        self.see_exported_lion()

    def test_match_names_decide_and_download(self):
        self.browser.visit("/")
        self.enter("link", "^Match$")
        self.browser.at("/match")
        self.browser.tab_to("textbox", "^Names, one a line")
        self.browser.press(TABLE)
        self.browser.tab_to(".*", "^Options$")
        self.browser.press(Keys.SPACE)
        self.browser.tab_to("textbox", "^Columns to add$")
        self.browser.press("status,taxonID,reason")  # Tab has chosen what stood there.
        self.enter("button", "^Match$")
        self.see_open_name()
        choice = self.browser.tab_to("combobox", "Panthera lexx")
        for _ in range(10):
            self.browser.press(Keys.ARROW_DOWN)
            if Select(choice).first_selected_option.text.startswith("Panthera leo"):
                break
        self.enter("button", "^Download the table$")
        self.see_matched()

    def test_import_a_database_and_switch_back(self):
        container = self.container()
        self.browser.visit("/settings")
        self.enter("link", "^Databases$")
        self.browser.at("/settings/databases")
        if self.scripts:
            # The dialog of the system is not the page's; what it does once a file is chosen there.
            self.browser.tab_to(".*", "Choose a file").send_keys(str(container))
        else:
            self.browser.tab_to("textbox", "Where the file lies")
            self.browser.press(str(container))
        self.enter("button", "^Import$")
        self.see_imported()
        self.enter("link", "^Databases$")
        self.browser.at("/settings/databases")
        self.enter("button", "^Switch to the built-in database$")
        self.see_built_in()

    def test_read_the_privacy_page(self):
        self.browser.visit("/")
        self.enter("link", "^Privacy$")
        self.see_privacy()

    def test_skip_to_the_content(self):
        """The first key leads past the navigation: the next one reaches the content."""
        self.browser.visit("/")
        self.browser.tab_to("link", "^Skip to the content$", most=1)
        self.browser.press(Keys.ENTER, Keys.TAB)
        self.assertTrue(self.browser.run("return document.getElementById('main').contains(document.activeElement)"))

    def test_whatever_has_the_focus_shows_it(self):
        """Every stop of Tab has a ring around it, on every page that a task needs."""
        for target in ["/", "/search?q=oak", "/tree/ncbi:33208", f"/taxon/ncbi:{LION}", "/compare", "/match", matching(NAMES), "/settings/databases", "/privacy"]:
            self.browser.visit(target)
            for _ in range(25):
                self.browser.press(Keys.TAB)
                place, rings = self.browser.run(RINGS)
                if not place:
                    break
                self.assertTrue(rings, (target, place))


def load_tests(loader, _, __):
    """The tests of the classes that say how a task is done; the first four also without scripts."""
    suite = unittest.TestSuite()
    for tasks in (MouseTasks, KeyboardTasks):
        suite.addTests(loader.loadTestsFromTestCase(tasks))
        without = type(f"{tasks.__name__}WithoutScripts", (tasks,), {
            "scripts": False, "__module__": __name__, "__doc__": "The same with scripts turned off."})
        suite.addTests(without(name) for name in loader.getTestCaseNames(without)
                       if re.match("test_(find|walk|compare|match|scripts)", name))
    suite.addTest(ScriptsTest("test_scripts_are_off_where_they_are_said_to_be"))
    return suite


class ScriptsTest(BrowserTests):
    """Proves what the tests without scripts stand on."""

    scripts = False

    def test_scripts_are_off_where_they_are_said_to_be(self):
        self.browser.visit("/")
        page = "data:text/html,<title>off</title><script>document.title='on'</script>"
        self.browser.driver.get(page)
        self.assertEqual(self.browser.driver.title, "off")
        self.browser.command("Emulation.setScriptExecutionDisabled", value=False)
        self.browser.driver.get(page)
        self.assertEqual(self.browser.driver.title, "on")


if __name__ == "__main__":
    unittest.main()
