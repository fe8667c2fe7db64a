"""Italian names of animals and plants: those of MultiWordNet, whose synsets are those of WordNet 1.6.

A synset of WordNet 1.6 is the one of WordNet 3.0 that has a scientific name in common with it, or a word and most words
of what it says of itself.
"""

import re
from typing import Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

import wordnet

FILES = ("multiwordnet/db/english/english_synset.sql", "multiwordnet/db/italian/italian_synset.sql")
ROW = re.compile(r"""VALUES \((['"])(n#\d+)\1,\s*(['"])(.*?)\3,\s*(?:NULL|(['"]).*?\5),\s*(?:NULL|(['"])(.*?)\6)\);""")
PLAIN = re.compile(r"[A-Za-zÀ-ÿ][a-zà-ÿ' -]+")
LIKENESS = 60  # hundredths of the words of both glosses that are in both


class Word(NamedTuple):
    """A name of what a synset of WordNet 3.0 means."""
    offset: int
    text: str


def rows(text: str) -> Iterator[Tuple[str, List[str], str]]:
    """Id, words and gloss of the synsets of nouns of a table, which writes apostrophes in two odd ways."""
    for match in ROW.finditer(text.replace("\x92", "\u2019")):
        yield match[2], match[4].replace('"', "'").split(), (match[7] or "").replace('"', "'")


def words(net: wordnet.WordNet, english: str, italian: str) -> Iterator[Word]:
    """The Italian words of synsets, but for scientific names."""
    by_word: Dict[str, List[wordnet.Synset]] = {}
    for _, synset in sorted(net.synsets.items()):
        for word in synset.words:
            by_word.setdefault(word, []).append(synset)
    same: Dict[str, int] = {}
    for key, own, gloss in rows(english):
        synset = like(own, gloss, by_word)
        if synset is not None:
            same[key] = synset.offset
    for key, own, _ in rows(italian):
        if key not in same:
            continue
        for word in own:
            text = word.replace("_", " ").replace("\u2019", "'").strip()
            is_scientific = wordnet.BINOMIAL.fullmatch(word) or word in net.synsets[same[key]].words and word[:1].isupper()
            if PLAIN.fullmatch(text) and not is_scientific:
                yield Word(same[key], text)


def like(own: List[str], gloss: str, by_word: Dict[str, List[wordnet.Synset]]) -> Optional[wordnet.Synset]:
    """The synset of WordNet 3.0 that means the same."""
    for word in own:
        if wordnet.BINOMIAL.fullmatch(word):
            for synset in by_word.get(word, ()):
                return synset
    said = plain_words(gloss)
    for word in own:
        for synset in by_word.get(word, ()):
            other = plain_words(synset.gloss)
            if said and 100 * len(said & other) >= LIKENESS * len(said | other):
                return synset
    return None


def plain_words(gloss: str) -> Set[str]:
    """The words of a gloss before its examples."""
    return set(re.findall(r"[a-z]+", gloss.partition('; "')[0].lower()))
