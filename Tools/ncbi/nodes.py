"""NCBI Taxonomy with every node and NCBI's own rank words."""

import re
from typing import Dict, Iterable, Iterator, List, Optional, Set, Tuple

import ncbi

# The package numbers the ranks of NCBI in this order from 1.
RANKS = ("biotype", "clade", "class", "cohort", "family", "forma", "forma specialis", "genotype", "genus",
         "infraclass", "infraorder", "isolate", "kingdom", "morph", "order", "parvorder", "pathogroup", "phylum",
         "section", "series", "serogroup", "serotype", "species", "species group", "species subgroup", "strain",
         "subclass", "subcohort", "subfamily", "subgenus", "subkingdom", "suborder", "subphylum", "subsection",
         "subspecies", "subtribe", "subvariety", "superclass", "superfamily", "superkingdom", "superorder",
         "superphylum", "tribe", "varietas", "no rank")
# Ranks below which nothing is a group that people name.
SPECIES_AND_BELOW = {"species", "subspecies", "varietas", "subvariety", "forma", "forma specialis", "strain", "isolate",
                     "biotype", "genotype", "morph", "pathogroup", "serogroup", "serotype"}

METAZOA = 33208
VIRIDIPLANTAE = 33090
OTHER_ENTRIES = 28384
UNCLASSIFIED_ENTRIES = 12908

AUTHORITY = re.compile(
    r"(?P<name>[A-Z][a-z]+(?: [a-z-]+)?) (?P<author>\(?(?:[A-Z]|d'|de |van |von |in )[^\d<]*), (?P<year>\d{4})\)?")
HOMONYM = re.compile(r"(?P<name>[^<]+) <[^>]*>")


def split_authority(name: str) -> Tuple[str, Optional[str], Optional[int]]:
    """A name apart from the authority, or the class in angle brackets, that NCBI adds where several taxa share it."""
    homonym = HOMONYM.fullmatch(name)
    name = homonym["name"] if homonym else name
    match = AUTHORITY.fullmatch(name)
    if match is None:
        return name, None, None
    author = match["author"] + (")" if match["author"].startswith("(") else "")
    return match["name"], author, int(match["year"])


class Nodes:
    """The tree: parents, ranks and scientific names by NCBI's ids."""

    def __init__(self, wheel: ncbi.Wheel):
        records = wheel.nodes()
        self.parent: Dict[int, Optional[int]] = {
            taxon: None if node.parent == taxon else node.parent for taxon, node in records.items()}
        self.rank: Dict[int, str] = {taxon: RANKS[node.rank - 1] for taxon, node in records.items()}
        self.formal: Set[int] = {taxon for taxon, node in records.items() if node.formal}
        self.full_name = wheel.scientific_names()
        self.scientific_name: Dict[int, str] = {}
        self.by_name: Dict[str, List[int]] = {}
        for taxon in sorted(self.full_name):
            if taxon in self.parent:
                name = split_authority(self.full_name[taxon])[0]
                self.scientific_name[taxon] = name
                self.by_name.setdefault(name, []).append(taxon)
        self.children: Dict[int, List[int]] = {}
        for taxon in sorted(self.parent):
            above = self.parent[taxon]
            if above is not None:
                self.children.setdefault(above, []).append(taxon)

    def line(self, taxon: int) -> Iterator[int]:
        """The taxon and its ancestors, the root last."""
        here: Optional[int] = taxon
        while here is not None:
            yield here
            here = self.parent[here]

    def depth(self, taxon: int) -> int:
        """How many ancestors the taxon has."""
        return sum(1 for _ in self.line(taxon)) - 1

    def is_below(self, taxon: int, ancestor: int) -> bool:
        """Whether the ancestor is the taxon or above it."""
        return ancestor in self.line(taxon)

    def below(self, ancestor: int) -> Set[int]:
        """The ancestor and all taxa below it."""
        found, waiting = set(), [ancestor]
        while waiting:
            taxon = waiting.pop()
            found.add(taxon)
            waiting.extend(self.children.get(taxon, ()))
        return found

    def with_ancestors(self, taxa: Iterable[int]) -> Set[int]:
        """The taxa and all that is above them."""
        found: Set[int] = set()
        for taxon in taxa:
            for above in self.line(taxon):
                if above in found:
                    break
                found.add(above)
        return found

    def common_ancestor(self, taxa: Iterable[int]) -> int:
        """The deepest node that has all taxa below it or is one of them."""
        shared: Optional[List[int]] = None
        for taxon in taxa:
            line = list(self.line(taxon))[::-1]
            if shared is None:
                shared = line
            length = next((i for i, (a, b) in enumerate(zip(shared, line)) if a != b), min(len(shared), len(line)))
            shared = shared[:length]
        assert shared
        return shared[-1]
