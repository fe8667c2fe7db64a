"""What axe-core finds on every kind of page: nothing."""
import pathlib
import unittest

import axe_playwright_python

from browser import BrowserTests
from pages import all_pages

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
ASK = """
  const done = arguments[arguments.length - 1];
  axe.run(document, {resultTypes: ['violations']}).then(
    result => done(result.violations.map(violation => [violation.id, violation.impact,
      violation.nodes.map(node => node.target.join(' ') + ': ' + node.any.concat(node.all, node.none).map(
        check => check.message).join('; '))])),
    error => done([['failed', String(error), []]]));
"""


class AccessTests(BrowserTests):
    def violations(self):
        self.browser.run(AXE)
        return self.browser.driver.execute_async_script(ASK)

    def test_axe_finds_nothing_on_any_page(self):
        """Light and dark, on a telephone and on a large screen."""
        count = 0
        for name, target in all_pages(self.explorer):
            self.browser.visit(target)
            for width in (360, 1440):
                for dark in (False, True):
                    self.browser.look(width, dark=dark)
                    with self.subTest(name, target=target, width=width, dark=dark):
                        self.assertEqual(self.violations(), [])
                        count += 1
        self.assertGreaterEqual(count, 150)

    def test_axe_finds_nothing_where_scripts_have_opened_something(self):
        """With suggestions below a field, a branch of the tree that is open, and a file to choose."""
        for dark in (False, True):
            self.browser.look(360, dark=dark)
            self.browser.visit("/")
            self.browser.click("#q")
            self.browser.press("panthera")
            self.browser.one("[role=option]")
            self.assertEqual(self.violations(), [])
            self.browser.visit("/tree/ncbi:9681")
            self.browser.click("[role=treeitem] .twisty")
            self.browser.one("[role=treeitem][aria-expanded=true] [role=treeitem]")
            self.assertEqual(self.violations(), [])

    def test_axe_would_find_something(self):
        """What is found on a page that has been damaged."""
        self.browser.visit("/")
        self.browser.run("""
          document.documentElement.removeAttribute('lang');
          document.querySelector('main').append(document.createElement('button'));
          document.querySelector('h1').style.color = 'transparent';
          document.querySelector('footer p').style.color = '#ccc';""")
        found = {violation[0] for violation in self.violations()}
        self.assertLessEqual({"html-has-lang", "button-name", "color-contrast"}, found)

    def end(self):
        self.browser.driver.get_log("browser")  # Pages that are not there say so; tasks_test looks at all others.
        super().end()


if __name__ == "__main__":
    unittest.main()
