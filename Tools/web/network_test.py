"""What the tests of the network log stand on: a log would show whatever a page asked of anybody else."""
import unittest

from browser import Browser, requests, strangers
from explorer import Explorer
from pages import all_pages


class NetworkTests(unittest.TestCase):
    def log(self, look):
        """The network log of a browser that has looked at something."""
        with Explorer() as explorer:
            browser = Browser(explorer)
            try:
                look(browser)
            finally:
                events = browser.close()
        return explorer, events

    def test_pages_ask_nobody_but_their_server(self):
        """All pages, one after the other, and nothing in the log but this server."""
        def look(browser):
            for _, target in all_pages(browser.explorer):
                browser.visit(target)
        explorer, events = self.log(look)
        asked = requests(events)
        self.assertGreaterEqual(len(asked), 40)
        self.assertTrue(all(address.startswith(explorer.address + "/") for address in asked), asked)
        self.assertEqual(strangers(events, {explorer.host}), [])

    def test_a_page_that_asked_somebody_else_would_be_found(self):
        """Images, frames, styles and connections of another machine, and of another port of this one."""
        pages = {
            "image": "<img src='http://evil.example/a.png'>",
            "other port": "<img src='http://127.0.0.1:9/a.png'>",
            "secure": "<img src='https://127.0.0.1:9/a.png'>",
            "frame": "<iframe src='https://evil.example/'></iframe>",
            "style": "<link rel='stylesheet' href='http://evil.example/a.css'>",
            "script": "<script>fetch('http://evil.example/')</script>",
            "socket": "<script>new WebSocket('ws://127.0.0.1:9/')</script>",
            "localhost": "<img src='http://localhost:9/'>",
        }
        for name, page in pages.items():
            with self.subTest(name):
                def look(browser, page=page):
                    browser.driver.get(f"data:text/html,<title>ready</title>{page}")
                    browser.run("return new Promise(done => setTimeout(done, 300))")
                explorer, events = self.log(look)
                self.assertTrue(strangers(events, {explorer.host}))

    def test_a_policy_of_the_server_stops_such_a_page(self):
        """What a page of this server tried to load, run or send elsewhere does not even begin."""
        def look(browser):
            browser.visit("/")
            browser.run("""
              const image = document.createElement('img');
              image.src = 'http://evil.example/a.png';
              document.body.append(image);
              const script = document.createElement('script');
              script.textContent = 'document.title = "injected"';
              document.body.append(script);
              document.querySelector('h1').setAttribute('style', 'color: rgb(1, 2, 3)');
              document.querySelector('h1').setAttribute('onclick', 'document.title = "injected"');
              document.querySelector('h1').click();
              return fetch('http://evil.example/').catch(() => 0);""")
            browser.run("return new Promise(done => setTimeout(done, 300))")
            self.assertNotIn("injected", browser.driver.title)
            self.assertNotEqual(browser.run("return getComputedStyle(document.querySelector('h1')).color"), "rgb(1, 2, 3)")
        explorer, events = self.log(look)
        self.assertEqual(strangers(events, {explorer.host}), [])


if __name__ == "__main__":
    unittest.main()
