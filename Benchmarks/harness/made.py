"""A made-up taxonomy of any size: ``python3 made.py NUMBER FILE``.

A SQLite database of schema version 1 with the shape of half a million taxa of
NCBI: as many taxa of each rank, as skewed numbers of children and of uses of an
epithet, as many different words, further names for every ninth taxon.  The
same number gives the same rows, on every machine.

Memory is constant: the names of a taxon follow from its number, so none is
kept.  Ten million taxa take two to three minutes.
"""

import os
import random
import sqlite3
import sys
from functools import lru_cache
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Tools" / "ncbi"))

import ncbi  # noqa: E402
import schema1  # noqa: E402

SEED = 1
SMALLEST = 100


class Rank(NamedTuple):
    name: str
    count: int       # in half a million taxa
    growth: float    # the count grows with this power of the number of taxa
    skips: float     # the share of taxa whose parent is two ranks up


HALF_MILLION = 500_000
RANKS = (
    Rank("domain", 1, 0, 0), Rank("kingdom", 2, 0, 0), Rank("phylum", 56, 0.25, 0.38),
    Rank("class", 211, 0.5, 0.15), Rank("order", 1_104, 0.75, 0.07),
    Rank("family", 7_469, 1, 0.04), Rank("genus", 76_205, 1, 0.007),
)  # the rest are species, all in a genus

NAMES_PER_TAXON = 54_771 / HALF_MILLION
COMMON, VERNACULAR = 0.627, 0.240  # shares of the further names; the rest are synonyms


# Words --------------------------------------------------------------------------------------

MASK = (1 << 64) - 1


def scrambled(number: int) -> int:
    """64 bits that look random, the same for the same number."""
    mixed = number * 0x9E37_79B9_7F4A_7C15 & MASK
    mixed = (mixed ^ mixed >> 32) * 0xD6E8_FEB8_6659_FD93 & MASK
    return mixed ^ mixed >> 32


class Skew:
    """Draws numbers from 0 on, the small ones most often, without end: a Pareto distribution.

    The exponent decides how the number of different ones grows, the scale how
    often the first ones come.
    """

    def __init__(self, exponent: float, scale: float):
        self._power, self._scale = -1 / exponent, scale

    def __call__(self, chance: float) -> int:
        """The number for a chance from 0 up to, but not including, 1."""
        return int(self._scale * ((1 - chance) ** self._power - 1))


def repeated(stock: Sequence[str], slots: int) -> List[str]:
    """So many slots with the words of a stock, the first ones more often, none missing."""
    weights = [1 / (place + len(stock) / 16) for place in range(len(stock))]
    share = (slots - len(stock)) / sum(weights)
    table = [word for word, weight in zip(stock, weights) for _ in range(1 + int(weight * share))]
    return table + list(stock[:slots - len(table)])


def roots(generator: random.Random, count: int, onsets: str, vowels: str, codas: str) -> List[str]:
    """Different syllables."""
    parts = [text.split(" ") for text in (onsets, vowels, codas)]
    found: Dict[str, None] = {}
    while len(found) < count:
        found["".join(part[int(len(part) * generator.random() ** 1.4)] for part in parts)] = None
    return list(found)


def latin_roots() -> List[str]:
    return roots(random.Random(SEED), 2_400,
                 "c p m s t l r b d n  h f g v z j x ch tr ph br st cr sp gl pr qu",
                 "a o e i u y ae eu", "r n l c t s d m p g b v f x z st nt ll ph")


def english_roots() -> List[str]:
    return roots(random.Random(SEED + 1), 900,
                 "b s r g w c p h f t l m d n br st bl sh gr sp cr k wh tr fl",
                 "a o i e u ea oo ai ee", "n r d ck t l ll rn nd st sh p m rd ng wn k tt bb rr")


LATIN = repeated(latin_roots(), 1 << 12)
ENGLISH = repeated(english_roots(), 1 << 11)
GENUS_ENDINGS = repeated(
    "a us ia is um es ella ina ops on opsis ium ys aria ites ax".split(" "), 64)
LONG_ENDINGS = repeated(
    "ensis ata ica atus alis oides ana icus inus ina osa atum ella ulata iana ifera iformis icola "
    "escens iceps ipes icum aris ulus osus ifolia anum".split(" "), 64)
SHORT_ENDINGS = repeated("i a us is ii ae um e ensis ana ata".split(" "), 64)
ENGLISH_ENDINGS = repeated(["", "er", "y", "le", "ed", "et", "ing", "en", "ow", "ish"], 64)
HIGHER_ENDINGS = {"kingdom": ["ae"], "phylum": ["ophyta", "ozoa", "ata", "ida"],
                  "class": ["opsida", "ia", "ea", "oda"],
                  "order": ["ales", "ida", "iformes", "oidea"],
                  "family": ["idae", "aceae", "idae", "idae"]}

# Names on their own: the numbers that are scrambled do not meet.
FIRST_GENUS, FIRST_HIGHER, FIRST_ENGLISH = 1 << 100, 1 << 104, 1 << 108

EPITHETS = Skew(0.24, 450)
WORDS = Skew(0.42, 90)


@lru_cache(maxsize=1 << 16)
def epithet(number: int) -> str:
    """The epithet with this place in the order of use; the common ones are short."""
    bits = scrambled(number)
    if number < 1_000 or bits >> 60 < 5:
        return LATIN[bits & 4095] + LONG_ENDINGS[bits >> 24 & 63]
    if bits >> 60 < 12:
        return (LATIN[bits & 4095] + "oiia"[bits >> 32 & 3] + LATIN[bits >> 12 & 4095]
                + SHORT_ENDINGS[bits >> 24 & 63])
    return (LATIN[bits & 4095] + "ae"[bits >> 32 & 1] + LATIN[bits >> 12 & 4095]
            + LONG_ENDINGS[bits >> 24 & 63])


@lru_cache(maxsize=1 << 16)
def genus(number: int) -> str:
    bits = scrambled(FIRST_GENUS + number)
    middle = LATIN[bits >> 44 & 4095] + "o" if bits >> 60 < 1 else ""
    return (LATIN[bits & 4095] + "oaio"[bits >> 32 & 3] + middle + LATIN[bits >> 12 & 4095]
            + GENUS_ENDINGS[bits >> 24 & 63]).capitalize()


def higher(rank: str, number: int) -> str:
    bits = scrambled(FIRST_HIGHER + (len(rank) << 80) + number)
    ending = HIGHER_ENDINGS[rank]
    return (LATIN[bits & 4095] + "oaio"[bits >> 32 & 3] + LATIN[bits >> 12 & 4095]
            + ending[(bits >> 24) % len(ending)]).capitalize()


@lru_cache(maxsize=1 << 14)
def english(number: int) -> str:
    bits = scrambled(FIRST_ENGLISH + number)
    if bits >> 60 < 2:
        return (ENGLISH[bits & 2047] + ENGLISH[bits >> 11 & 2047]).capitalize() + "'s"
    if bits >> 60 < 5:
        return ENGLISH[bits & 2047] + "-" + ENGLISH[bits >> 11 & 2047] + "ed"
    first = ENGLISH[bits >> 33 & 2047] if bits >> 60 < 10 else ""
    return first + ENGLISH[bits & 2047] + ENGLISH_ENDINGS[bits >> 24 & 63]


# The tree -----------------------------------------------------------------------------------

class Level(NamedTuple):
    """The taxa of one rank; their ids follow one another."""
    rank: str
    first: int
    count: int
    skips: float


def levels(taxa: int) -> List[Level]:
    """The ranks of a tree of so many taxa, the highest first."""
    scale = taxa / HALF_MILLION
    found: List[Level] = []
    first = 1
    for rank in RANKS:
        count = max(1, round(rank.count * min(1, scale) ** rank.growth
                             if rank.growth < 1 else rank.count * scale))
        if scale > 1 and 0 < rank.growth < 1:
            count = round(rank.count * scale ** rank.growth)
        found.append(Level(rank.name, first, count, rank.skips))
        first += count
    return found + [Level("species", first, taxa - first + 1, 0)]


# Extra children go by the power of a chance: a tenth of the parents has half of them.  The least
# chance is not 0, or one genus would have a tenth of all species.
POWER, LEAST = 5.0, 0.16
LOW, SPAN = LEAST ** POWER, 1 - LEAST ** POWER


def skewed(count: int, chance: float) -> int:
    """A parent among `count`, the first ones far more often."""
    return int(count * (((LEAST + (1 - LEAST) * chance) ** POWER) - LOW) / SPAN)


Row = Tuple[int, Optional[int], str, str, str]


def taxa_of(tree: Sequence[Level]) -> Iterator[Row]:
    chance = random.Random(SEED + 2).random
    yield 1, None, "domain", "Fictabiota", "accepted"
    for place in range(1, len(tree)):
        level, above = tree[place], tree[place - 1]
        rank, count, skips = level.rank, above.count, level.skips
        for number in range(level.count):
            # Every parent has a child before one has two.
            parent = number if number < count else skewed(count, chance())
            parent_id = above.first + parent
            if rank == "species":
                name = f"{genus(parent)} {epithet(EPITHETS(chance()))}"
            else:
                name = genus(number) if rank == "genus" else higher(rank, number)
                if number >= count and chance() < skips:
                    over = tree[place - 2]
                    parent_id = over.first + skewed(over.count, chance())
            yield (level.first + number, parent_id, rank, name,
                   "doubtful" if chance() < 8e-6 else "accepted")


def names_of(tree: Sequence[Level]) -> Iterator[Tuple[int, str, str, str, int]]:
    chance = random.Random(SEED + 3).random
    genera = tree[-2].count
    last = tree[-1].first + tree[-1].count - 1
    for _ in range(round(NAMES_PER_TAXON * last)):
        taxon, kind = 1 + int(last * chance()), chance()
        if kind >= COMMON + VERNACULAR:
            name = f"{genus(skewed(genera, chance()))} {epithet(EPITHETS(chance()))}"
            yield taxon, name, "la", "synonym", 0
            continue
        count = 1 + int(3 * chance() ** 1.1)
        name = " ".join(english(WORDS(chance())) for _ in range(count))
        is_common = kind < COMMON
        yield taxon, name, "en", "common" if is_common else "vernacular", int(is_common)


# Writing ------------------------------------------------------------------------------------

def write(path: Union[str, Path], taxa: int, indexes: bool = True) -> None:
    """Writes a database of exactly so many taxa, replacing one that is there.

    The indexes are those of the schema, made at the end.
    """
    if taxa < SMALLEST:
        raise ValueError(f"at least {SMALLEST} taxa are needed")
    path = Path(path)
    partial = path.with_name(path.name + ".partial")
    partial.unlink(missing_ok=True)
    try:
        _fill(partial, taxa, indexes)
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
    for cached in (epithet, genus, english):
        cached.cache_clear()


def _fill(path: Path, taxa: int, indexes: bool) -> None:
    tree = levels(taxa)
    database = sqlite3.connect(path, isolation_level=None)
    try:
        for setting in ("page_size = 4096", "journal_mode = OFF", "synchronous = OFF",
                        "foreign_keys = OFF", "cache_size = -65536"):
            database.execute(f"PRAGMA {setting}")
        database.executescript(schema1.SCHEMA)
        database.execute("BEGIN")
        database.execute("INSERT INTO schema_version VALUES (1, ?)", (ncbi.APPLIED_AT,))
        database.executemany("INSERT INTO dataset VALUES (?, ?)", [
            ("id", f"made-{taxa}"), ("name", f"Made-up taxonomy of {taxa:,} taxa"),
            ("licence", "public domain"), ("release", "1"),
            ("source", "Benchmarks/harness/made.py")])
        database.executemany(
            "INSERT INTO taxa (id, parent_id, rank, scientific_name, status)"
            " VALUES (?, ?, ?, ?, ?)", taxa_of(tree))
        database.executemany(
            "INSERT INTO names (taxon_id, name, lang, name_type, is_preferred)"
            " VALUES (?, ?, ?, ?, ?)", names_of(tree))
        database.execute("COMMIT")
        if indexes:
            database.executescript(schema1.INDEXES)
    finally:
        database.close()


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 2 or not arguments[0].isdecimal() or int(arguments[0]) < SMALLEST:
        print(f"usage: made.py NUMBER FILE  (NUMBER from {SMALLEST} on)", file=sys.stderr)
        return 2
    write(arguments[1], int(arguments[0]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
