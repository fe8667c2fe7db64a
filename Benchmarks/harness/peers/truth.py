"""What is asked, what is right, and how much of it was found."""

import random
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Set

import common
from peers.fuzzy import RapidFuzz
from peers.peer import EDITS, Answer


def questions(names: Sequence[str], ids: Sequence[int], count: int) -> Dict[str, List[Any]]:
    """Questions of each kind of work, and under "right" what the misspelt names were."""
    draw = random.Random(common.SEED)
    chosen = draw.sample(names, min(count, len(names)))
    misspelt, right = [], []
    for index, name in enumerate(chosen):
        text = " ".join(common.misspelt(name, 1 + index % EDITS, draw).split())
        misspelt.append(text or name)
        right.append(name)
    long_enough = [name for name in draw.sample(names, min(2 * count, len(names)))
                   if len(name) >= 3][:count]
    return {
        "exact": draw.sample(names, min(count, len(names))),
        "prefix": [name[:draw.randint(3, 8)].strip() for name in long_enough],
        "fuzzy": misspelt,
        "right": right,
        "lca": [[draw.choice(ids), draw.choice(ids)] for _ in range(count)],
    }


class Truth:
    """The right answers: those of the oracle, of a walk up the parents, of a look at each name."""

    def __init__(self, database: Path) -> None:
        self.taxa: Dict[str, Set[int]] = {}
        self.parents: Dict[int, Optional[int]] = {}
        for taxon, parent, name in common.rows(
                database, "SELECT id, parent_id, scientific_name FROM taxa"):
            self.parents[taxon] = parent
            self.taxa.setdefault(name.lower(), set()).add(taxon)
        for taxon, name in common.rows(database, "SELECT taxon_id, name FROM names"):
            self.taxa.setdefault(name.lower(), set()).add(taxon)
        self.names: Dict[int, List[str]] = {}
        for name, taxa in self.taxa.items():
            for taxon in taxa:
                self.names.setdefault(taxon, []).append(name)
        self.near: List[Set[str]] = []      # for each misspelt name, all names within EDITS
        self.right: List[str] = []          # and the one that it was

    def ancestor(self, a: int, b: int) -> Optional[int]:
        above = set()
        walk: Optional[int] = a
        while walk is not None:
            above.add(walk)
            walk = self.parents[walk]
        walk = b
        while walk is not None and walk not in above:
            walk = self.parents[walk]
        return walk


def fuzzy_quality(truth: Truth, finds: Callable[[int, str], bool], count: int) -> Dict[str, Any]:
    """Recall of all names within EDITS, and how often the misspelt name itself was found."""
    right = sum(finds(place, truth.right[place]) for place in range(count))
    result: Dict[str, Any] = {"finds_right": right / max(1, count)}
    if truth.near:
        pairs = [(place, name) for place in range(count) for name in sorted(truth.near[place])]
        missed = [(place, name) for place, name in pairs if not finds(place, name)]
        result.update(recall=1 - len(missed) / max(1, len(pairs)), pairs=len(pairs),
                      misses=missed)
    return result


def quality(work: str, asked: Dict[str, List[Any]], truth: Truth,
            answers: Sequence[Answer]) -> Dict[str, Any]:
    count = len(answers)
    if work == "fuzzy":
        sets = [set(answer) for answer in answers]
        return fuzzy_quality(truth, lambda place, name: name in sets[place], count)
    if work == "lca":
        right = [truth.ancestor(*pair) == found for pair, found in zip(asked["lca"], answers)]
    elif work == "exact":
        right = [name in found for name, found in zip(asked["exact"], answers)]
    else:
        right = [any(name.startswith(start) for name in found)
                 for start, found in zip(asked["prefix"], answers)]
    return {"finds_right": sum(right) / max(1, count)}


def compare_recall(systems: Sequence[Dict[str, Any]], truth: Truth) -> int:
    """Adds the recall of the first questions, which all answered; returns how many these are."""
    near = [row for row in systems if row.get("misses") is not None]
    shared = min((int(row["queries"]) for row in near), default=0)
    pairs = sum(map(len, truth.near[:shared]))
    for row in near:
        misses = row.pop("misses")
        row["recall_shared"] = 1 - sum(place < shared for place, _ in misses) / max(1, pairs)
        if row["work"] == "fuzzy, all":
            row["missed"] = [{"query": place, "name": name} for place, name in misses]
    return shared


def oracle_note(truth: Truth, asked: Dict[str, List[Any]]) -> Dict[str, Any]:
    if not truth.near:
        return {"skipped": f"could not install {' '.join(RapidFuzz.packages)} from PyPI"}
    right = sum(name in near for name, near in zip(truth.right, truth.near))
    return {"pairs": sum(map(len, truth.near)), "finds_right": right / max(1, len(truth.near)),
            "queries": asked["fuzzy"]}
