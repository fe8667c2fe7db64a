"""Emoji of animals and plants: the pictures of the font Noto Color Emoji, each a PNG of 136 by 128 points.

What they show says ``emoji.tsv`` of the words of CLDR, and ``pictures.tsv`` of some more.  Author and licence are those
that the font states of itself.
"""

import io
import sys
from pathlib import Path
from typing import Dict, Iterator, Optional

import cldr
import ncbi
import packages
from picture import Picture
from taxa import Exceptions, Taxa

PACKAGE = packages.Package("fonts-noto-color-emoji", "2.042-0+deb12u1",
                           "a5ab0f69c7938423862320d9aca5dd187b3fd879d6a9a57dd52e17c3fa8d2751")
FONT = "NotoColorEmoji.ttf"
ENGLISH = "annotations/en.xml"
# Names by their numbers in fonts.
MANUFACTURER, LICENCE_ADDRESS = 8, 14
LICENCES = {"http://scripts.sil.org/OFL": "OFL-1.1", "https://scripts.sil.org/OFL": "OFL-1.1"}
DEBIANS_MODULES = "/usr/lib/python3/dist-packages"
LIGATURE = 4


class Font:
    """The pictures of a colour font by the emoji that they show."""

    def __init__(self, data: bytes):
        self._font = library().TTFont(io.BytesIO(data), lazy=True)
        self._glyphs: Dict[int, str] = self._font.getBestCmap()
        self._pictures = self._font["CBDT"].strikeData[0]
        self._ligatures: Dict[str, list] = {}
        for lookup in self._font["GSUB"].table.LookupList.Lookup:
            for table in lookup.SubTable if lookup.LookupType == LIGATURE else ():
                for first, ligatures in table.ligatures.items():
                    self._ligatures.setdefault(first, []).extend(ligatures)

    def name(self, number: int) -> str:
        """What the font says of itself."""
        return str(self._font["name"].getDebugName(number))

    def picture(self, emoji: str) -> Optional[bytes]:
        """The PNG of an emoji, which may be of several characters."""
        glyphs = [self._glyphs.get(ord(character)) for character in emoji]
        found = glyphs[0]
        if len(glyphs) > 1:
            found = next((ligature.LigGlyph for ligature in self._ligatures.get(glyphs[0] or "", ())
                          if ligature.Component == glyphs[1:]), None)
        return bytes(self._pictures[found].imageData) if found in self._pictures else None


def library():
    """fontTools, also where this Python is another than Debian's, whose module it is."""
    try:
        from fontTools import ttLib
    except ImportError:
        sys.path.append(DEBIANS_MODULES)
        try:
            from fontTools import ttLib
        except ImportError:
            raise ncbi.DataError("fontTools is missing: apt-get install python3-fonttools")
    return ttLib


def pictures(taxa: Taxa, exceptions: Exceptions, cache: Path) -> Iterator[Picture]:
    """All pictures, in the order of the tables."""
    font = Font(packages.files(packages.find(PACKAGE, cache), "usr/share/fonts/truetype/noto/")[FONT])
    address = font.name(LICENCE_ADDRESS)
    if address not in LICENCES:
        raise ncbi.DataError(f"{FONT} is under another licence than the OFL: {address}")
    names = cldr.Language([packages.files(packages.find(packages.CLDR, cache), "usr/share/unicode/cldr/common/")[ENGLISH]]).names
    shown: Dict[str, Optional[int]] = {line.emoji: line.taxon for line in cldr.read_table()}
    shown.update({key.partition(" ")[2]: taxon for key, taxon in exceptions.taxon.items() if key.startswith("emoji ")})
    for emoji, taxon in shown.items():
        data = font.picture(emoji) or font.picture(emoji + cldr.AS_PICTURE)
        if data is None:
            raise ncbi.DataError(f"{FONT} has no picture of {emoji}")
        title = names.get(emoji, "").capitalize() or (taxa.by_id[taxon].scientific_name if taxon is not None else emoji)
        yield Picture(f"emoji {emoji}", data, title, font.name(MANUFACTURER),
                      LICENCES[address], f"Noto Color Emoji, {emoji}, https://github.com/googlefonts/noto-emoji", taxon)
