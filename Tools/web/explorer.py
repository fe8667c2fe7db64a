"""A running explorer, what it is given to show, and how tests ask it without a browser."""
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tools/ncbi"))
import schema1  # noqa: E402

BUILD = ROOT / ".build-web"
STOL = pathlib.Path(os.environ.get("STOL_BINARY", ROOT / ".build-release/release/stol"))

def stol(*arguments, home):
    """Runs a command of stol, which must succeed; returns what it prints."""
    done = subprocess.run([STOL, *arguments], env={**os.environ, "STOL_HOME": str(home)}, text=True,
                          capture_output=True, timeout=120, check=False)
    if done.returncode != 0:
        raise AssertionError(f"stol {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def write_database(path, taxa, names=(), traits=(), references=(), id_space=None):
    """Writes a taxonomy: rows of (id, parent, rank, name), (taxon, name, lang, type),
    (taxon, key, value, unit) and (taxon, citation, url)."""
    with sqlite3.connect(path) as database:
        database.executescript(schema1.SCHEMA + "INSERT INTO schema_version (version) VALUES (1);")
        database.executemany("INSERT INTO taxa (id, parent_id, rank, scientific_name) VALUES (?,?,?,?)", taxa)
        database.executemany("INSERT INTO names (taxon_id, name, lang, name_type) VALUES (?,?,?,?)", names)
        database.executemany("INSERT INTO traits (taxon_id, trait_key, trait_value, unit) VALUES (?,?,?,?)", traits)
        database.executemany("INSERT INTO refs (taxon_id, citation, url, ref_type) VALUES (?,?,?,'other')", references)
        if id_space:
            database.execute("INSERT INTO dataset (key, value) VALUES ('id_space', ?)", (id_space,))
    database.close()


def small_database(path):
    """A few cats and an oak, with an id and a name that the built-in database does not have."""
    write_database(path, [
        (1, None, "domain", "Eukaryota"), (2, 1, "kingdom", "Metazoa"), (3, 2, "family", "Felidae"),
        (4, 3, "genus", "Panthera"), (9689, 4, "species", "Panthera leo"), (6, 4, "species", "Panthera stolensis"),
        (7, 1, "kingdom", "Viridiplantae"), (8, 7, "genus", "Quercus"), (9, 8, "species", "Quercus robur"),
    ], [(9689, "lion", "en", "common"), (6, "house cat of stol", "en", "common"), (9, "English oak", "en", "common")])


_prepared = None


def prepared_home():
    """A data directory in which the built-in database is ready, made once for all tests."""
    global _prepared
    if _prepared is None:
        _prepared = tempfile.TemporaryDirectory(prefix="stol-web-")
        stol("query", "show", "lion", home=_prepared.name)
    return pathlib.Path(_prepared.name)


class Explorer:
    """`stol serve` in a process of its own, on a free port; ends with the `with` statement."""

    def __init__(self, *arguments, home=None, files=None):
        self._folder = tempfile.TemporaryDirectory(prefix="stol-web-")
        self.folder = pathlib.Path(self._folder.name)
        self.home = pathlib.Path(home) if home else self.folder / "home"
        if not home:
            shutil.copytree(prepared_home(), self.home)
        limit = ["prlimit", f"--nofile={files}"] if files else []
        self.errors = open(self.folder / "errors", "w+b")
        self.process = subprocess.Popen(
            [*limit, STOL, "serve", "--data-dir", self.home, *arguments], stdout=subprocess.PIPE,
            stderr=self.errors, stdin=subprocess.DEVNULL)
        line = self.process.stdout.readline().decode()
        self.address = line.strip().rstrip("/")
        if not re.fullmatch(r"http://127\.0\.0\.1:\d+", self.address):
            self.close()
            raise AssertionError(f"stol serve said {line!r}")
        self.port = int(self.address.rpartition(":")[2])
        self.host = f"127.0.0.1:{self.port}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.errors.close()
        self._folder.cleanup()

    # What it is asked.

    def get(self, target, headers=(), method="GET", body=None):
        """Asks as a well-behaved client; returns status, fields by lower-case name, and bytes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, target, body, dict(headers))
            response = connection.getresponse()
            return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
        finally:
            connection.close()

    def json(self, target):
        status, _, body = self.get(target)
        if status != 200:
            raise AssertionError(f"{target}: {status} {body[:200]!r}")
        return json.loads(body)

    @property
    def token(self):
        """What a page of this server puts into its forms."""
        return re.search(rb'name="token" value="([0-9a-f]{32})"', self.get("/taxon/ncbi:9689")[2]).group(1).decode()

    def post(self, target, fields, **headers):
        return self.get(target, {
            "Origin": self.address, "Content-Type": "application/x-www-form-urlencoded", **headers,
        }, "POST", urllib.parse.urlencode({"token": self.token, **fields}))

    def connect(self, timeout=10):
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    # What it takes.

    @property
    def resident(self):
        """Bytes of memory that the process holds."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"^VmRSS:\s+(\d+) kB", text, re.M).group(1)) * 1024

    @property
    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))
