"""Stamps of Tux Paint: photographs and drawings of animals, plants and what grows on them, cut out.

A stamp shows what the first line of the text beside it says ("A crow.").  All are under the GPL, version 2 or later, by the
package's own word; ``credits.tsv`` has the authors, and the other licences, that its changelog and CONTRIBUTORS.txt state.
"""

import fnmatch
import re
from pathlib import Path
from typing import Iterator, List, NamedTuple

import ncbi
import packages
import tables
from picture import Picture
from taxa import Exceptions, Taxa

PACKAGE = packages.Package("tuxpaint-stamps-default", "2022.06.04-1",
                           "6db6c1bfc870a47f1499d6203b083522eacb57c5f9c87d468f2e92eb6d9d5f34")
FOLDERS = ("animals", "plants", "food")
# Drawn for fun, or made of plastic.
NO_LIKENESSES = ("cartoon", "toys", "plastic", "dessert")
CREDITS = Path(__file__).resolve().parent / "credits.tsv"
COLUMNS = ["stamps", "author", "licence", "source"]
ARTICLE = re.compile(r"^(?:an?|the|some|two|a pair of|a bunch of|a head of) ")
NOTE = re.compile(r"\s*[(,].*")


class Credit(NamedTuple):
    """Who made the stamps whose paths match one of some patterns."""
    stamps: List[str]
    author: str
    licence: str
    source: str


def read_credits(path: Path = CREDITS) -> List[Credit]:
    """The lines of the table, the one of all stamps last."""
    rows = tables.read(path, COLUMNS)
    if not rows or rows[-1][0] != "*":
        raise ncbi.DataError(f"{path}: the last line must be that of all stamps, *")
    return [Credit(row[0].split(), *row[1:]) for row in rows]


def name_of(text: str) -> str:
    """What a stamp shows, by the first line of its text."""
    return NOTE.sub("", ARTICLE.sub("", text.strip().lower()).rstrip(".!"))


def pictures(taxa: Taxa, exceptions: Exceptions, cache: Path) -> Iterator[Picture]:
    """All stamps that are likenesses, by their paths."""
    files = packages.files(packages.find(PACKAGE, cache), "usr/share/tuxpaint/stamps/", (".png", ".txt"))
    credits = read_credits()
    for path in sorted(files):
        stem = path.rpartition(".")[0]
        folders = stem.split("/")[:-1]
        if not path.endswith(".png") or folders[0] not in FOLDERS or set(folders) & set(NO_LIKENESSES):
            continue
        text = files[f"{stem}.txt"].decode("utf-8").partition("\n")[0].strip()
        credit = next(credit for credit in credits if any(fnmatch.fnmatch(stem, pattern) for pattern in credit.stamps))
        key = f"stamp {stem}"
        taxon = exceptions.taxon[key] if key in exceptions.taxon else taxa.called(name_of(text))
        source = f"Tux Paint Stamps 2022.06.04, {path}, https://tuxpaint.org"
        yield Picture(key, files[path], text.rstrip("."), credit.author, credit.licence,
                      f"{credit.source}; {source}" if credit.source else source, taxon)
