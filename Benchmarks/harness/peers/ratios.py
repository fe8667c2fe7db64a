"""The figures: how much longer than stol each peer takes, and the recall of stol."""

from typing import Any, Dict, List, Optional, Sequence

from common import Figure
from peers.sqlite import TunedSQLite


def answering(systems: Sequence[Dict[str, Any]], work: str) -> List[Dict[str, Any]]:
    """The peers that have figures for a work."""
    return [row for row in systems
            if row["work"] == work and not row["skipped"] and row["system"] != "stol"]


def own(row: Dict[str, Any]) -> float:
    """The median without the call."""
    return max(0.001, float(row["p50_us"]) - float(row["empty_us"]))


def figures(systems: Sequence[Dict[str, Any]]) -> List[Figure]:
    stol = {row["work"]: row for row in systems if row["system"] == "stol"}
    found: List[Figure] = []

    def ratio(what: str, measured: float, goal: Optional[float], note: str) -> None:
        found.append(Figure("peers", what, measured, "x", goal, at_least=True,
                            is_ratio=goal is not None, note=note))

    for work, what in (("exact", "exact name"), ("prefix", "beginning, 10 results")):
        for row in answering(systems, work):
            goal = 10.0 if row["system"] == TunedSQLite.system else None
            with_call = row["p50_us"] / stol[work]["p50_us"]
            ratio(f"{what}: {row['system']} against stol", own(row) / own(stol[work]), goal,
                  f"medians less an empty call; {with_call:.1f} x with it")

    near = answering(systems, "fuzzy")
    complete = [row for row in near if (row["recall"] or 0) >= 0.99]
    best = min(complete, key=lambda row: float(row["p50_us"]), default=None)
    fuzzy = stol["fuzzy"]
    for row in near:
        goal = 100.0 if row is best else None
        which = "best with recall >= 99 %; " if row is best else ""
        recall = "unknown" if row["recall"] is None else f"{100 * row['recall']:.1f} %"
        ratio(f"two edits: {row['system']} against stol", row["p50_us"] / fuzzy["p50_us"], goal,
              f"{which}medians; its recall {recall}")
    everything = stol["fuzzy, all"]
    if everything["recall"] is not None:
        found.append(Figure(
            "peers", "two edits: recall of stol", 100 * everything["recall"], "%", 100,
            at_least=True, is_ratio=True,
            note=f"{everything['pairs']:,} names near {everything['queries']:,} questions"
            + (f"; {everything['full']} had more hits" if everything["full"] else "")))

    trees = [row for row in answering(systems, "lca") if row["system"] != TunedSQLite.system]
    for row in answering(systems, "lca"):
        ratio(f"LCA: {row['system']} against stol", own(row) / own(stol["lca"]), None,
              "medians less an empty call")
    for row in trees:
        ratio(f"cold start: {row['system']} against stol", row["load_s"] / stol["lca"]["load_s"],
              100, "loading against opening the pack")
        if stol["lca"]["peak_mb"]:
            added, own_added = (each["peak_mb"] - each["base_mb"] for each in (row, stol["lca"]))
            ratio(f"memory: {row['system']} against stol", row["peak_mb"] / stol["lca"]["peak_mb"],
                  100, f"peaks of whole processes; {added / max(0.1, own_added):.0f} x by what "
                  "each added after it started")
    return found


def figures_of_all(systems: Sequence[Dict[str, Any]]) -> List[Figure]:
    """What the fastest peer takes over all of NCBI for each time that stol takes."""
    if len(systems) < 2 or systems[1]["skipped"]:
        return []
    stol, peer = systems
    return [Figure("peers", f"all of NCBI, two edits: {peer['system']} against stol, {title}",
                   peer[key] / stol[key], "x", 1, at_least=True, is_ratio=True,
                   note=f"{stol['queries']} questions")
            for key, title in (("p50_us", "median"), ("mean_us", "mean"), ("p99_us", "p99"))]
