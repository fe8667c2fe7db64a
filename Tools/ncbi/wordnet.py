"""Names of animals and plants in WordNet 3.0, and which taxa of NCBI they mean.

A synset is a list of words with one meaning. Three kinds of them lead to a taxon:

- "Felidae, family Felidae": the group of that name;
- "lion, king of beasts, Panthera leo": the species of that name. Where NCBI has moved it to another genus, the taxon
  with the same epithet that NCBI or Wikipedia calls by one of the same common names; where WordNet misspells an epithet
  by a letter, the one of that genus;
- "shark": the deepest node that has most of the taxa of all kinds of sharks below it, if few others that WordNet knows
  are below it.
"""

import re
from collections import Counter
from typing import Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

import nodes as tree

ANIMAL, PLANT = 5, 20
GROUP_WORDS = ("kingdom", "phylum", "division", "class", "order", "family", "genus", "species")
GROUP = re.compile(rf"(?:sub|super|infra)?(?:{'|'.join(GROUP_WORDS)})_([A-Z][a-z-]+)")
BINOMIAL = re.compile(r"[A-Z][a-z]+(?:_[a-z]+(?:-[a-z]+)*){1,2}")
# A node is what a common word means if its species that WordNet knows and the kinds of the word agree by so many hundredths
# (twice those in both, of the sum of both): where others call it so, where WordNet says so, and else, of so many kinds at least.
CALLED_AGREEMENT, MEMBER_AGREEMENT, AGREEMENT, KINDS = 50, 75, 90, 3

# Words for what is no one group, or for another than the few kinds that WordNet has would say.
NO_GROUPS = {"anapsid", "aquatic_vertebrate", "boa", "bottom-feeder", "cabbage_butterfly", "chelonian", "coneflower", "constrictor",
             "diapsid", "ectoparasite", "fish", "gadfly", "gymnosperm", "homopterous_insect", "invertebrate", "mullet",
             "mushroom", "parasitic_plant", "pelagic_bird", "plant_louse", "reptile", "venomous_lizard", "whiting", "wildcat"}


class Synset(NamedTuple):
    """A meaning: its words as WordNet writes them, and what it points to."""
    offset: int
    file: int
    words: List[str]
    hyponyms: List[int]
    groups: List[int]
    gloss: str


class Word(NamedTuple):
    """A word for a taxon, with how often texts have it in this sense, and whether that is its first sense."""
    taxon: int
    text: str
    is_latin: bool
    count: int
    is_first: bool


class WordNet:
    """The nouns of WordNet for animals and plants."""

    def __init__(self, files: Dict[str, bytes]):
        self.synsets: Dict[int, Synset] = {}
        self._key: Dict[Tuple[str, int], str] = {}
        for line in files["data.noun"].decode("latin-1").splitlines():
            if not line.startswith(" "):
                self._read(line)
        self._count = {key: int(count) for key, _, count in
                       (line.split() for line in files["cntlist.rev"].decode("latin-1").splitlines())}
        self._first: Dict[str, int] = {}
        for line in files["index.noun"].decode("latin-1").splitlines():
            if not line.startswith(" "):
                fields = line.split()
                self._first[fields[0]] = int(fields[6 + int(fields[3])])

    def _read(self, line: str) -> None:
        fields, gloss = line.partition(" | ")[0].split(), line.partition(" | ")[2].strip()
        offset, file, count = int(fields[0]), int(fields[1]), int(fields[3], 16)
        if file not in (ANIMAL, PLANT):
            return
        words = [fields[4 + 2 * i] for i in range(count)]
        for i, word in enumerate(words):
            self._key[word, offset] = f"{word.lower()}%1:{file:02}:{int(fields[5 + 2 * i], 16):02}::"
        pointers = fields[5 + 2 * count:]
        pairs = [(pointers[i], int(pointers[i + 1])) for i in range(0, len(pointers) - 3, 4)]
        self.synsets[offset] = Synset(offset, file, words, [to for sign, to in pairs if sign in ("~", "~i")],
                                      [to for sign, to in pairs if sign == "#m"], gloss)

    def count(self, word: str, offset: int) -> int:
        """How often the word has this sense in the texts that WordNet has counted."""
        return self._count.get(self._key[word, offset], 0)

    def is_first(self, word: str, offset: int) -> bool:
        """Whether this is the first sense of the word."""
        return self._first.get(word.lower()) == offset


def common_words(synset: Synset) -> List[str]:
    """The words that are no scientific names."""
    return [word for word in synset.words if not is_latin(word, synset)]


def is_latin(word: str, synset: Synset) -> bool:
    """Whether a word is a scientific name, or says the rank of one."""
    return bool(GROUP.fullmatch(word) or f"_{word}" in {w[w.find("_"):] for w in synset.words if GROUP.fullmatch(w)}
                or BINOMIAL.fullmatch(word) and word.split("_")[1] not in ENGLISH_SECOND_WORDS)


ENGLISH_SECOND_WORDS: Set[str] = set()


class Resolver:
    """Finds the taxa of synsets."""

    def __init__(self, wordnet: WordNet, nodes: tree.Nodes, names: Dict[int, Set[str]]):
        """Takes the lower-case English names that others give to taxa."""
        self._wordnet, self._nodes, self._names = wordnet, nodes, names
        # "Tasmanian_devil" looks like a binomial, but its second word is one of English, too.
        plain = Counter(word for synset in wordnet.synsets.values() for lemma in synset.words
                        if lemma.islower() for word in lemma.split("_"))
        ENGLISH_SECOND_WORDS.update(plain)
        self._epithets: Dict[str, List[int]] = {}
        self._genera: Dict[str, List[str]] = {}
        for name, taxa in nodes.by_name.items():
            words = name.split(" ")
            if len(words) == 2:
                self._genera.setdefault(words[0], []).append(name)
            if 2 <= len(words) <= 3 and words[-1].islower():
                self._epithets.setdefault(stem(words[-1]), []).extend(taxa)
        self.taxon: Dict[int, int] = {}
        for synset in wordnet.synsets.values():
            taxon = self._named(synset)
            if taxon is not None:
                self.taxon[synset.offset] = taxon
        self.groups: Dict[int, int] = {}
        self._resolve_groups()

    def _named(self, synset: Synset) -> Optional[int]:
        """The taxon whose scientific name is among the words."""
        for word in synset.words:
            group = GROUP.fullmatch(word)
            if group:
                found = self._scientific(group[1], synset.file, word.split("_")[0])
                if found is not None:
                    return found
        if any(GROUP.fullmatch(word) for word in synset.words):
            return None
        latin = [word.replace("_", " ") for word in synset.words if BINOMIAL.fullmatch(word)]
        for name in latin:
            found = self._scientific(name, synset.file, "")
            if found is not None:
                return found
        common = {word.replace("_", " ").lower() for word in common_words(synset)}
        for find in (lambda name: self._moved(name, synset.file, common), lambda name: self._misspelt(name, synset.file)):
            for name in latin:
                found = find(name)
                if found is not None:
                    return found
        return None

    def _misspelt(self, name: str, file: int) -> Optional[int]:
        """The one species of the genus whose epithet is other by one letter."""
        genus, _, epithet = name.partition(" ")
        if len(epithet) < 5:
            return None
        found = [taxon for other in self._genera.get(genus, ()) if is_near(other.partition(" ")[2], epithet)
                 for taxon in self._nodes.by_name[other] if self._fits(taxon, file)]
        return found[0] if len(found) == 1 else None

    def _scientific(self, name: str, file: int, rank: str) -> Optional[int]:
        """The one taxon of the name in the kingdom, of the rank where several have it."""
        found = [taxon for taxon in self._nodes.by_name.get(name, ()) if self._fits(taxon, file)]
        if len(found) > 1 and rank:
            found = [taxon for taxon in found if self._nodes.rank[taxon] == rank] or found[:1]
        return found[0] if len(found) == 1 else None

    def _fits(self, taxon: int, file: int) -> bool:
        is_animal = self._nodes.is_below(taxon, tree.METAZOA)
        return is_animal == (file == ANIMAL) or file == ANIMAL and not self._nodes.is_below(taxon, tree.VIRIDIPLANTAE)

    def _moved(self, name: str, file: int, common: Set[str]) -> Optional[int]:
        """The taxon with the same epithet that others call by a common name of the synset."""
        found = {taxon for taxon in self._epithets.get(stem(name.split(" ")[-1]), ())
                 if self._fits(taxon, file) and self._names.get(taxon, set()) & common}
        return min(found) if found else None

    def _resolve_groups(self) -> None:
        """Finds nodes for the synsets of common words alone, by their kinds."""
        known = {taxon for offset, taxon in self.taxon.items()
                 if common_words(self._wordnet.synsets[offset]) and self._is_low(taxon)}
        below = Counter(above for taxon in known for above in self._nodes.line(taxon))
        for offset, synset in self._wordnet.synsets.items():
            if (offset not in self.taxon and len(synset.words) == len(common_words(synset))
                    and synset.words[0] not in NO_GROUPS):
                node = self._group(synset, self._kinds(offset) & known, below)
                if node is not None:
                    self.groups[offset] = node

    def _group(self, synset: Synset, kinds: Set[int], below: Dict[int, int]) -> Optional[int]:
        """The node that agrees best with the kinds: others call it so, WordNet says they are its members, or it is deepest."""
        counts = Counter(above for taxon in kinds for above in self._nodes.line(taxon))
        words = {form for word in common_words(synset) for form in forms(word.replace("_", " ").lower())}
        members = {self.taxon[group] for group in synset.groups if group in self.taxon}
        best: Optional[Tuple[int, ...]] = None
        for node, count in counts.items():
            if self._is_low(node):
                continue
            agreement = 200 * count // (len(kinds) + below[node])
            is_called_so = bool(words & self._names.get(node, set()))
            is_member = node in members
            least = CALLED_AGREEMENT if is_called_so else MEMBER_AGREEMENT if is_member else AGREEMENT
            if agreement < least or len(kinds) < (2 if is_called_so or is_member else KINDS):
                continue
            rank = (is_called_so, is_member, agreement, self._nodes.depth(node), -node)
            best = max(best, rank) if best else rank
        return -best[-1] if best else None

    def _is_low(self, taxon: int) -> bool:
        return self._nodes.rank[taxon] in tree.SPECIES_AND_BELOW

    def _kinds(self, offset: int) -> Set[int]:
        """The taxa of a synset and of all its kinds."""
        found, waiting, seen = set(), [offset], set()
        while waiting:
            here = waiting.pop()
            if here in seen or here not in self._wordnet.synsets:
                continue
            seen.add(here)
            if here in self.taxon:
                found.add(self.taxon[here])
            waiting.extend(self._wordnet.synsets[here].hyponyms)
        return found

    def taxa(self) -> Dict[int, int]:
        """The taxa of synsets by their offsets."""
        return {**self.taxon, **self.groups}

    def words(self) -> Iterator[Word]:
        """All words with their taxa, in the order of the synsets."""
        for offset, synset in sorted(self._wordnet.synsets.items()):
            taxon = self.taxon.get(offset, self.groups.get(offset))
            if taxon is None:
                continue
            for word in synset.words:
                if not GROUP.fullmatch(word):
                    yield Word(taxon, word.replace("_", " "), is_latin(word, synset),
                               self._wordnet.count(word, offset), self._wordnet.is_first(word, offset))


def stem(epithet: str) -> str:
    """An epithet without the ending that follows the gender of its genus."""
    return re.sub(r"(us|a|um|is|e|er|ra|rum)$", "", epithet)


def forms(text: str) -> Set[str]:
    """An English name and its plural."""
    return {text, text + "s", text + "es", text[:-1] + "ies" if text.endswith("y") else text}


def is_near(one: str, other: str) -> bool:
    """Whether two words differ by one letter that is replaced, left out or added."""
    if abs(len(one) - len(other)) > 1 or one == other:
        return False
    start = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    return one[start + (len(one) >= len(other)):] == other[start + (len(other) >= len(one)):]


# What glosses say of where a taxon lives and what it eats, in lower case: "Black Sea" is a place.
HABITATS = {
    "forest": r"forests?|woodlands?|rainforests?", "savanna": r"savannas?|savannahs?",
    "grassland": r"grasslands?|prairies?|steppes?|meadows?|grassy plains", "desert": r"deserts?",
    "mountain": r"mountains?|mountainous|alpine", "wetland": r"marsh|marshes|swamps?|bogs?|wetlands?|marshlands?|boggy|swampy",
    "freshwater": r"freshwater|fresh-water|rivers?|streams?|lakes?|ponds?|aquatic plant",
    "marine": r"marine|saltwater|salt-water|oceanic|pelagic|sea-dwelling", "coast": r"seashores?|seacoasts?|coastal",
    "polar": r"arctic|antarctic|polar"}
DIETS = {
    "carnivore": r"carnivorous|predatory|flesh-eating", "herbivore": r"herbivorous|grazing|plant-eating|leaf-eating",
    "omnivore": r"omnivorous", "insectivore": r"insectivorous|insect-eating|feeds? (?:chiefly |mainly )?on insects",
    "piscivore": r"fish-eating|feeds? (?:chiefly |mainly )?on fish(?:es)?", "nectarivore": r"nectar-feeding|feeds? on nectar",
    "parasite": r"parasitic", "saprotroph": r"saprophytic|saprobic"}
WORDS = {key: {value: re.compile(rf"(?<![\w-])(?:{words})(?![\w-])") for value, words in vocabulary.items()}
         for key, vocabulary in (("diet", DIETS), ("habitat", HABITATS))}
NEGATION = re.compile(r"\b(?:not|non|without|no|unlike|resembling|related to|destructive|damages?|used|host)\b")


def traits(gloss: str) -> Iterator[Tuple[str, str]]:
    """The habitats and diets that a gloss names before its examples, unless something else is said there, too."""
    sentence = gloss.partition('; "')[0]
    if NEGATION.search(sentence):
        return
    for key, vocabulary in sorted(WORDS.items()):
        for value, words in sorted(vocabulary.items()):
            if words.search(sentence):
                yield key, value
