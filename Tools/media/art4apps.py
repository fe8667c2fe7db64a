"""Drawings of Art4Apps in pySioGame, each named after what it shows.

Art4Apps is a collection of pictures of words by Smart4Kids; CREDITS.txt of the package says so and states their licence,
CC BY-SA, of which GCompris, which has pictures of it too, says that it is version 3.0.
"""

from pathlib import Path
from typing import Iterator, Optional

import packages
from picture import Picture
from taxa import Exceptions, Taxa

PACKAGE = packages.Package("pysiogame", "4.20.01-1", "6b22766dfd8ef3a046c2665fe2598ac8a1ecee3d331bda38accf53de65bc59bf")
FOLDERS = ("animals", "fruit_n_veg")


def singular(name: str) -> str:
    """A noun that may be in plural, as it is said of one."""
    return name[:-3] + "y" if name.endswith("ies") else name.removesuffix("s")


def pictures(taxa: Taxa, exceptions: Exceptions, cache: Path) -> Iterator[Picture]:
    """All drawings of organisms, by their names."""
    files = packages.files(packages.find(PACKAGE, cache), "usr/share/games/pysiogame/res/images/art4apps/", (".jpg",))
    for path in sorted(files):
        folder, _, file = path.partition("/")
        if folder not in FOLDERS:
            continue
        key, name = f"art4apps {file}", file.removesuffix(".jpg").replace("_", " ")
        taxon: Optional[int] = exceptions.taxon.get(key)
        if key not in exceptions.taxon:
            taxon = taxa.called(name) or taxa.called(singular(name))
        yield Picture(key, files[path], name.capitalize(), "Smart4Kids (Art4Apps)", "CC-BY-SA-3.0",
                      f"Art4Apps, {file}, http://www.art4apps.org, from pySioGame 4.20.01", taxon)
