"""Names of organisms in many languages: those of their emoji in Unicode CLDR.

``emoji.tsv`` says which taxon an emoji shows, in which languages its name is one of something else ("ewe"), and what
NCBI calls the taxon.  Languages that call an emoji the "face of a lion" are left with "lion": of its keywords the one that
begins most like what follows, or precedes, what they say of all faces.
"""

import os
import xml.etree.ElementTree
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Set

import ncbi
import tables

TABLE = Path(__file__).resolve().parent / "emoji.tsv"
FACES = "🐭🐮🐯🐰🐱🐴🐶🐷🐵"
INHERITED = "↑↑↑"
AS_PICTURE = "\ufe0f"  # which CLDR leaves out
FOLDERS = ("annotations", "annotationsDerived")


class Emoji(NamedTuple):
    """A line of the table."""
    emoji: str
    taxon: int
    scientific_name: str
    but_in: Set[str]


class Word(NamedTuple):
    """A name of a taxon in a language."""
    taxon: int
    text: str
    lang: str


def read_table(path: Path = TABLE) -> List[Emoji]:
    """The lines of the table."""
    return [Emoji(emoji.replace(AS_PICTURE, ""), int(taxon), name, set(but_in.split()))
            for emoji, taxon, name, but_in in tables.read(path, ("emoji", "taxon_id", "scientific_name", "except"))]


class Language:
    """The annotations of one language."""

    def __init__(self, documents: Sequence[bytes]):
        self.names: Dict[str, str] = {}
        self.keywords: Dict[str, List[str]] = {}
        for document in documents:
            for entry in xml.etree.ElementTree.fromstring(document).iter("annotation"):
                text = (entry.text or "").strip()
                if not text or INHERITED in text:
                    continue
                if entry.get("type") == "tts":
                    self.names[entry.get("cp", "")] = text
                else:
                    self.keywords[entry.get("cp", "")] = [word.strip() for word in text.split("|")]
        faces = [self.names[face] for face in FACES if face in self.names]
        self._before = beginning(faces)
        self._after = beginning([name[::-1] for name in faces])[::-1]

    def name(self, emoji: str) -> Optional[str]:
        """What the language calls the organism that an emoji shows."""
        name = self.names.get(emoji)
        if name is None:
            return None
        rest = name
        if self._before and name.startswith(self._before):
            rest = name[len(self._before):]
        elif self._after and name.endswith(self._after):
            rest = name[:-len(self._after)]
        if rest == name:
            return name
        generic = {word for face in FACES for word in self.keywords.get(face, ())}
        alike = [(len(os.path.commonprefix([word.lower(), rest.lower()])), -len(word), word)
                 for word in self.keywords.get(emoji, ()) if word not in generic and word != name]
        length, _, word = max(alike, default=(0, 0, ""))
        return word if length > 0 else None


def beginning(names: Sequence[str]) -> str:
    """How most names begin, with three letters or two ideographs; empty where they do not begin alike."""
    best, found = 2, ""
    for name in names:
        for length in range(2 if name[:1] > "\u2e80" else 3, len(name)):
            alike = sum(other.startswith(name[:length]) for other in names)
            if alike * 3 >= len(names) * 2 and (alike, length) > (best, len(found)):
                best, found = alike, name[:length]
    return found


def words(files: Dict[str, bytes], table: Sequence[Emoji]) -> Iterator[Word]:
    """All names, by language; a name that a language shares with the one it comes from is given once."""
    locales = sorted({name.split("/")[1].removesuffix(".xml") for name in files if name.split("/")[0] in FOLDERS})
    known: Dict[str, Dict[str, Optional[str]]] = {}
    for locale in locales:
        if locale == "root":
            continue
        documents = [files[f"{folder}/{locale}.xml"] for folder in FOLDERS if f"{folder}/{locale}.xml" in files]
        language, tag, parent = Language(documents), locale.replace("_", "-"), locale.rpartition("_")[0]
        known[locale] = {line.emoji: language.name(line.emoji) for line in table}
        for line in table:
            name = known[locale][line.emoji]
            if name and tag not in line.but_in and name != known.get(parent, {}).get(line.emoji):
                yield Word(line.taxon, name, tag)
