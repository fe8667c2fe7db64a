"""The taxa of the built-in taxonomy by what people call them.

A common name means the most prominent taxon that has it, as it does for a search, unless another one that is neither above
it nor below it is nearly as prominent: then it means none.  ``pictures.tsv`` says what a picture shows whose package calls
it by no such name, or by one of something else; a dash there leaves the picture out.
"""

import gzip
import re
import sqlite3
import tempfile
from pathlib import Path
from typing import Dict, Iterator, NamedTuple, Optional, Set

import ncbi
import tables

DATABASE = Path(__file__).resolve().parent.parent.parent / "Sources" / "CDefaultDatabase" / "default.sqlite.gz"
TABLE = Path(__file__).resolve().parent / "pictures.tsv"
COLUMNS = ["picture", "scientific_name", "remark"]
LEFT_OUT = "-"
# How much less prominent another taxon of the same name must be.
MARGIN = 4
LONGEST_NAME = 4


class Taxon(NamedTuple):
    """A taxon of the database."""
    parent: Optional[int]
    rank: str
    scientific_name: str
    prominence: int


class Taxa:
    """The taxa of a database of schema version 3."""

    def __init__(self, connection: sqlite3.Connection):
        self.by_id: Dict[int, Taxon] = {
            row[0]: Taxon(*row[1:]) for row in
            connection.execute("SELECT id, parent_id, rank, scientific_name, coalesce(prominence, 0) FROM taxa")}
        self._scientific: Dict[str, Set[int]] = {}
        self._common: Dict[str, Set[int]] = {}
        for taxon, row in self.by_id.items():
            self._scientific.setdefault(row.scientific_name, set()).add(taxon)
        for taxon, name, lang in connection.execute("SELECT taxon_id, name, lang FROM names WHERE lang IN ('en', 'la')"):
            names, key = (self._common, plain(name)) if lang == "en" else (self._scientific, name)
            names.setdefault(key, set()).add(taxon)

    def called(self, name: str) -> Optional[int]:
        """The taxon that an English name means."""
        found = sorted(self._common.get(plain(name), ()), key=lambda taxon: (-self.by_id[taxon].prominence, taxon))
        for other in found[1:]:
            is_near = self.by_id[found[0]].prominence - self.by_id[other].prominence < MARGIN
            if is_near and other not in self._line(found[0]) and found[0] not in self._line(other):
                return None
        return found[0] if found else None

    def named(self, scientific_name: str) -> Optional[int]:
        """The taxon of a scientific name: one of which it is no synonym first, then the most prominent one."""
        found = self._scientific.get(scientific_name, ())
        return max(found, default=None, key=lambda taxon: (
            self.by_id[taxon].scientific_name == scientific_name, self.by_id[taxon].prominence, -taxon))

    def in_text(self, text: str) -> Optional[int]:
        """The longest scientific name in a text, or else its longest common name, of several words; of such ones the first."""
        words = re.findall(r"[A-Za-z]+", text)
        for find, longest in ((lambda name: self.named(name.capitalize()), 3), (self.called, LONGEST_NAME)):
            for length in range(longest, 1, -1):
                for i in range(len(words) - length + 1):
                    found = find(" ".join(words[i:i + length]))
                    if found is not None:
                        return found
        return None

    def _line(self, taxon: int) -> Iterator[int]:
        """The taxon and all that is above it."""
        here: Optional[int] = taxon
        while here is not None:
            yield here
            here = self.by_id[here].parent


def plain(name: str) -> str:
    """A name without the case and the hyphens in which spellings differ."""
    return name.lower().replace("-", " ")


def built_in(path: Path = DATABASE) -> Taxa:
    """The taxa of the database that stol carries."""
    with tempfile.NamedTemporaryFile(suffix=".sqlite") as file:
        file.write(gzip.decompress(path.read_bytes()))
        file.flush()
        connection = sqlite3.connect(file.name)
        try:
            return Taxa(connection)
        finally:
            connection.close()


class Exceptions:
    """What pictures show whose packages say it in no name that the taxonomy has."""

    def __init__(self, taxa: Taxa, path: Path = TABLE):
        self.taxon: Dict[str, Optional[int]] = {}
        for picture, name, _ in tables.read(path, COLUMNS):
            taxon = taxa.named(name)
            if name != LEFT_OUT and taxon is None:
                raise ncbi.DataError(f"{path}: {picture}: {name} is not in the built-in taxonomy")
            if picture in self.taxon:
                raise ncbi.DataError(f"{path}: {picture} occurs twice")
            self.taxon[picture] = taxon
