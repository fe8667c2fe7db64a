"""How well known a taxon is, from 0 to 63, by what the packages have about it.

Points are added up; bits(n) is the number of binary digits of n, 0 for 0:

- 3 for an article of the English Wikipedia, bits(letters of its beginning / 64) more, at most 5, 3 more if its title is a
  common name, and 2 more if that is one word;
- 2 for a common name by NCBI;
- for WordNet 4 and 2 bits(how often texts have the word in this sense), 3 more if it is the first sense of the word, of the
  best of its words; 1 where it has the scientific name alone;
- 2 and bits(languages) / 2 for names of CLDR;
- 5 for being listed in well-known.tsv;
- bits(mentions) for how often the beginnings of all articles mention the best of its common names, at most 15;
- for a taxon above species bits(members with an article) / 2, at most 7.

Up to 40 points count whole, those above it a half.
"""

import re
from collections import Counter
from typing import Dict, Iterable, NamedTuple, Set

MAXIMUM = 63
WHOLE = 40
LONGEST_PHRASE = 3
TAG = re.compile(r"<[^>]*>")
WORD = re.compile(r"[a-z][a-z'-]*[a-z]|[a-z]")


class Evidence(NamedTuple):
    """What the packages have about a taxon."""
    article_letters: int = -1  # -1 without an article
    common_title_words: int = 0
    has_common_name: bool = False
    wordnet: int = 0  # points
    languages: int = 0
    is_listed: bool = False
    mentions: int = 0
    members: int = 0


def of(evidence: Evidence) -> int:
    """The prominence that follows from the evidence."""
    points = evidence.wordnet
    if evidence.article_letters >= 0:
        points += 3 + min(5, (evidence.article_letters // 64).bit_length())
        if evidence.common_title_words:
            points += 5 if evidence.common_title_words == 1 else 3
    if evidence.has_common_name:
        points += 2
    if evidence.languages:
        points += 2 + evidence.languages.bit_length() // 2
    if evidence.is_listed:
        points += 5
    points += min(15, evidence.mentions.bit_length())
    points += min(7, evidence.members.bit_length() // 2)
    return min(MAXIMUM, points if points <= WHOLE else WHOLE + (points - WHOLE) // 2)


def of_word(is_latin: bool, count: int, is_first: bool) -> int:
    """The points for a word of WordNet."""
    return 1 if is_latin else 4 + 2 * count.bit_length() + (3 if is_first else 0)


def mentions(texts: Iterable[str], names: Set[str]) -> Counter:
    """How often texts have each name, or its plural; names are in lower case, of at most three words."""
    found: Counter = Counter()
    singular: Dict[str, str] = {plural(name): name for name in names}
    singular.update((name, name) for name in names)
    firsts = {name.split(" ")[0] for name in singular}
    for text in texts:
        words = WORD.findall(TAG.sub(" ", text).lower())
        for i, word in enumerate(words):
            if word in firsts:
                for length in range(1, LONGEST_PHRASE + 1):
                    name = singular.get(" ".join(words[i:i + length]))
                    if name is not None and i + length <= len(words):
                        found[name] += 1
    return found


def plural(name: str) -> str:
    """The regular plural of an English name."""
    if re.search(r"[^aeiou]y$", name):
        return name[:-1] + "ies"
    return name + ("es" if re.search(r"(s|x|z|ch|sh)$", name) else "s")
