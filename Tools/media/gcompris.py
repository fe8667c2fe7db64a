"""Photographs of animals in GCompris, each with its author, licence and source in a README beside it."""

import re
import urllib.parse
from pathlib import Path, PurePosixPath
from typing import Dict, Iterator

import ncbi
import packages
import rcc
from picture import Picture
from taxa import Exceptions, Taxa

PACKAGE = packages.Package("gcompris-qt-data", "3.1-2", "e9cf06ab2105529068df73085784e835d2ff03f870d2a8091f09125d40abac9f")
# Where the pictures show one kind of animal each.
RESOURCES = ("explore_world_animals.rcc", "explore_farm_animals.rcc", "erase.rcc", "categorization.rcc")
FOLDERS = ("animals", "erase/resource", "fishes")
FIELDS = ("Copyright", "License", "Source", "Comments", "Files")
PUBLIC_DOMAIN = "public domain"


def credits(readme: str) -> Iterator[Dict[str, str]]:
    """The paragraphs of a README: the value of each field, the files of several lines in one."""
    for paragraph in re.split(r"\n\s*\n", readme):
        found: Dict[str, str] = {}
        field = ""
        for line in paragraph.splitlines():
            name, colon, value = line.partition(":")
            if colon and name in FIELDS:
                field, line = name, value
            if field:
                found[field] = f"{found.get(field, '')} {line.strip()}".strip()
        if found:
            yield found


def licence(text: str) -> str:
    """A licence as SPDX writes it, or that there is none."""
    return PUBLIC_DOMAIN if text.lower() == PUBLIC_DOMAIN else text.replace(" ", "-")


def title_of(address: str) -> str:
    """What a page of Wikimedia Commons calls its picture; empty for other pages."""
    name = PurePosixPath(urllib.parse.unquote(address)).name
    return name.partition(":")[2].rpartition(".")[0].replace("_", " ") if name.startswith("File:") else ""


def pictures(taxa: Taxa, exceptions: Exceptions, cache: Path) -> Iterator[Picture]:
    """All pictures that have a source, in the order of the READMEs."""
    resources = packages.files(packages.find(PACKAGE, cache), "usr/share/gcompris-qt/rcc/")
    for name in RESOURCES:
        files = {file.path: file.data for file in rcc.files(resources[name])}
        for path in sorted(files):
            folder = path.rpartition("/")[0]
            if not path.endswith("/README") or not folder.endswith(FOLDERS):
                continue
            for credit in credits(files[path].decode("utf-8")):
                for file in credit.get("Files", "").split():
                    if file.endswith(".webp") and "Source" in credit:
                        yield picture(taxa, exceptions, file, files[f"{folder}/{file}"], credit)


def picture(taxa: Taxa, exceptions: Exceptions, file: str, data: bytes, credit: Dict[str, str]) -> Picture:
    """A picture: of what its source names, or else its file."""
    if not credit.get("Copyright") or not credit.get("License"):
        raise ncbi.DataError(f"{PACKAGE.name}: {file} is without author or licence")
    key, stem, title = f"gcompris {file}", file.rpartition(".")[0].replace("_", " "), title_of(credit["Source"])
    taxon = exceptions.taxon[key] if key in exceptions.taxon else taxa.in_text(title) or taxa.called(stem)
    changes = f"; changed by GCompris: {credit['Comments']}" if credit.get("Comments") else ""
    return Picture(key, data, title or stem.capitalize(), credit["Copyright"], licence(credit["License"]),
                   f"{credit['Source']}, from GCompris 3.1{changes}", taxon)
