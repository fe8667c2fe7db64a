"""A headless Chromium that is driven as a person would drive it, and that keeps a log of its own network."""
import base64
import json
import pathlib
import re
import shutil
import tempfile
import time
import unittest

from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from explorer import Explorer

# Debian's. Chromium without a window of its own, so also without what a desktop browser asks the
# network on its own account: accounts, updates, word lists.
CHROMIUM, DRIVER = shutil.which("chromium-headless-shell"), shutil.which("chromedriver")
# What a task may take, and how often Tab may be pressed to reach something.
# How often it looks for what should come, every fiftieth of a second: what never comes ends a test.
LOOKS, MOST_TABS = 400, 120


class Browser:
    """A browser that looks at an explorer. Closing it tells what it asked of the network."""

    def __init__(self, explorer, scripts=True, width=1024, height=800, dark=False):
        self.explorer, self.scripts = explorer, scripts
        self._folder = tempfile.TemporaryDirectory(prefix="stol-web-")
        self.folder = pathlib.Path(self._folder.name)
        self.downloads = self.folder / "downloads"
        self.log = self.folder / "net.json"
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for argument in [
            "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--no-first-run", "--disable-quic",
            f"--log-net-log={self.log}",
            # Whatever a page wanted of another machine would be in the log, and would not get there.
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        ]:
            options.add_argument(argument)
        # What the page says to its console.
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        self.driver.set_page_load_timeout(20)
        self.driver.set_script_timeout(60)
        self.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))
        self.command("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.look(width, height, dark)

    def command(self, name, **parameters):
        return self.driver.execute_cdp_cmd(name, parameters)

    def look(self, width, height=800, dark=False):
        """Sets the size of the window, and whether the system is dark."""
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}])

    def close(self):
        """Ends the browser; returns the events of its network log."""
        self.driver.quit()
        try:
            return read_log(self.log)
        finally:
            self._folder.cleanup()

    # Looking.

    def visit(self, target):
        self.driver.get(self.explorer.address + target)

    @property
    def path(self):
        address = self.driver.current_url
        return address[len(self.explorer.address):] if address.startswith(self.explorer.address) else address

    @property
    def heading(self):
        return self.one("h1").text

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def all(self, selector):
        return [element for element in self.driver.find_elements(By.CSS_SELECTOR, selector) if element.is_displayed()]

    def one(self, selector, name=""):
        """The first visible element that a selector and a name fit, as soon as there is one."""
        return self.until(lambda: next(
            (element for element in self.all(selector) if not name or re.search(name, self.name_of(element))), None),
            f"{selector} named {name!r}")

    @staticmethod
    def name_of(element):
        """What a screen reader says of it."""
        return " ".join((element.accessible_name or element.text).split())

    def until(self, condition, what):
        """The first true value of a condition; elements may go while a page is left."""
        failure = None
        for _ in range(LOOKS):
            try:
                if value := condition():
                    return value
                failure = None
            except Exception as error:  # The page changed under it, or the server is gone.
                failure = error
            time.sleep(0.02)
        if failure:
            raise AssertionError(f"{what} did not come") from failure
        raise AssertionError(f"{what} did not come; at {self.path}: {self.one_line()}")

    def one_line(self):
        return " ".join(self.driver.find_element(By.TAG_NAME, "body").text.split())[:300]

    def at(self, pattern):
        """Waits for a page whose path fits."""
        self.until(lambda: re.search(rf"\A{pattern}\Z", self.path), f"the page {pattern}")
        self.one("h1")

    def file(self, name):
        """What was saved under a name, once it is complete."""
        return self.until(lambda: (self.downloads / name).exists() and (self.downloads / name).read_text(),
                          f"the file {name}")

    # Touching.

    def click(self, selector, name=""):
        """Moves the mouse there and presses it; fails where something lies over it."""
        element = self.one(selector, name)
        ActionChains(self.driver).scroll_to_element(element).perform()
        element.click()

    def press(self, *keys):
        """Presses keys on whatever has the focus."""
        chain = ActionChains(self.driver, duration=0)
        for key in keys:
            chain.send_keys(key)
        chain.perform()

    @property
    def focused(self):
        return self.driver.switch_to.active_element

    def tab_to(self, role, name, most=MOST_TABS):
        """Presses Tab until something of this role and name has the focus; where it has, that can be seen."""
        for _ in range(most):
            self.press(Keys.TAB)
            element = self.focused
            if re.search(name, self.name_of(element)) and re.fullmatch(role, element.aria_role):
                return element
        raise AssertionError(f"{most} times Tab did not reach {role} {name!r} at {self.path}")

    def picture(self, path):
        """Writes the whole page as a PNG."""
        data = self.command("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(data))


# The network log --------------------------------------------------------------------------------

def read_log(path):
    """The events of a network log as (type, parameters)."""
    text = path.read_text(encoding="utf-8", errors="replace")
    log = json.loads(text)
    names = {number: name for name, number in log["constants"]["logEventTypes"].items()}
    return [(names[event["type"]], event.get("params") or {}) for event in log["events"]]


# Chromium asks the kernel which way a packet to here would take, to know whether there is IPv6. None is
# sent, for one that was would be found.
PROBE = "[2001:4860:4860::8888]:443"


def strangers(events, hosts):
    """Everything in a log that went, or wanted to go, anywhere but to the hosts ("127.0.0.1:49152")."""
    found = []
    for kind, parameters in events:
        for key in ("url", "original_url"):
            address = parameters.get(key)
            if isinstance(address, str) and not re.match(
                    r"(data|blob|about|devtools|chrome|view-source):", address):
                match = re.match(r"http://([^/?#]*)([/?#]|\Z)", address)
                if not match or match.group(1) not in hosts:
                    found.append((kind, address))
        if kind.startswith(("TCP_CONNECT", "SOCKET_CONNECT")):
            for address in [parameters.get("address"), *parameters.get("address_list", [])]:
                if address and address not in hosts and (kind, address) != ("SOCKET_CONNECT", PROBE):
                    found.append((kind, address))
        if kind in ("UDP_BYTES_SENT", "DNS_TRANSACTION", "DNS_TRANSACTION_QUERY", "QUIC_SESSION"):
            found.append((kind, str(parameters)))
        if kind in ("HOST_RESOLVER_MANAGER_REQUEST", "HOST_RESOLVER_MANAGER_JOB", "HOST_RESOLVER_SYSTEM_TASK"):
            host = parameters.get("host") or parameters.get("hostname")
            if host and re.sub(r"\A\w+://", "", host) not in hosts:
                found.append((kind, host))
    return found


def requests(events):
    """The addresses that were asked for."""
    return {parameters["url"] for kind, parameters in events if kind == "URL_REQUEST_START_JOB" and "url" in parameters}


class BrowserTests(unittest.TestCase):
    """Tests with a fresh explorer and a fresh browser each; each ends by looking into the network log."""

    scripts = True
    # Which pages may refuse something, as a test wants to see; a browser notes that like an error.
    refusing = None

    def setUp(self):
        self.explorer = Explorer(*self.arguments())
        self.addCleanup(self.explorer.close)
        self.browser = Browser(self.explorer, scripts=self.scripts)
        self.addCleanup(self.end)

    def arguments(self):
        return []

    def end(self):
        complaints = self.browser.driver.get_log("browser")
        events = self.browser.close()
        self.assertTrue(requests(events), "the log is empty")
        self.assertEqual(strangers(events, {self.explorer.host}), [])
        self.assertEqual([
            line["message"] for line in complaints if line["level"] == "SEVERE"
            and not (self.refusing and re.search(rf"{self.refusing} - .* status of 4\d\d ", line["message"]))], [])

