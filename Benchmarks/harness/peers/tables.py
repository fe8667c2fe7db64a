"""The report: a table for each kind of question."""

import textwrap
from typing import Any, Dict, List, Optional

import common
from peers.peer import PREFIX_LIMIT
from peers.stol import FUZZY_LIMIT


def time_text(microseconds: float) -> str:
    if microseconds >= 10_000:
        return f"{common.number(microseconds / 1000)} ms"
    return f"{common.number(microseconds)} us"


def report(result: Dict[str, Any]) -> str:
    """All systems in a table for each work, what was skipped, and how to read it."""
    def share(value: Optional[float]) -> str:
        return "" if value is None else f"{100 * value:.2f} %" if 0.9995 > value > 0.99 \
            else f"{100 * value:.1f} %"

    def plain(value: Optional[float]) -> str:
        return "" if value is None else common.number(value)

    def seconds(value: Optional[float]) -> str:
        return "" if value is None else time_text(value * 1e6) if value < 1 \
            else f"{common.number(value)} s"

    def noted(row: Dict[str, Any]) -> str:
        system = str(label.get(row["work"], row["system"]))
        return f"{system}, {kinds[row['work']]}" if system == "stol" else system

    titles = {"exact": "Exact names",
              "prefix": f"Beginnings of 3 to 8 letters, {PREFIX_LIMIT} results",
              "fuzzy": "Misspelt names, within two edits",
              "lca": "Lowest common ancestor of two ids"}
    same = {"complete": "prefix", "fuzzy, all": "fuzzy"}
    label = {"complete": "stol, completion", "fuzzy, all": "stol, all hits"}
    kinds = {"exact": "exact names", "prefix": "beginnings", "fuzzy": "misspelt names",
             "lca": "LCA"}
    rows_of: Dict[str, List[Dict[str, Any]]] = {work: [] for work in titles}
    for row in result["systems"]:
        if not row["skipped"]:
            rows_of[same.get(row["work"], row["work"])].append(row)
    parts = [f"{result['data']}; {result['names']:,} names, seed {result['seed']}"
             + ("" if result["extent"] == "full" else f", {result['extent']} run")]
    for work, members in rows_of.items():
        if not members:
            continue
        lines = [[label.get(row["work"], row["system"]), row["version"], time_text(row["p50_us"]),
                  time_text(row["p99_us"]), time_text(row["empty_us"]), f"{row['queries']:,}",
                  share(row["finds_right"]), seconds(row["load_s"]), plain(row["peak_mb"]),
                  plain(row["index_mb"]), share(row["recall"]), share(row.get("recall_shared"))]
                 for row in sorted(members, key=lambda row: row["p50_us"])]
        header = ["system", "version", "p50", "p99", "empty call", "queries", "right", "load",
                  "peak MB", "index MB"]
        if work == "fuzzy":
            header += ["recall", f"of first {result['shared_queries']}"]
        parts.append(titles[work] + "\n" + common.table(
            header, [line[:len(header)] for line in lines], right=range(2, len(header))))
    whole = [row for row in result["ncbi"] if not row["skipped"]]
    if whole:
        parts.append("Misspelt names in all of NCBI, every node\n" + common.table(
            ["system", "p50", "mean", "p99", "queries", "right", "load", "index MB"],
            [[row["system"], *(time_text(row[key]) for key in ("p50_us", "mean_us", "p99_us")),
              f"{row['queries']:,}", share(row["finds_right"]), seconds(row["load_s"]), plain(row["index_mb"])]
             for row in whole], right=range(1, 8)))
    absent = [f"{row['system']} ({row['work']}): {row['skipped']}"
              for row in [*result["systems"], *result["ncbi"]] if row["skipped"]]
    if "skipped" in result["oracle"]:
        absent.append(f"recall: {result['oracle']['skipped']}")
    if absent:
        parts.append("Skipped\n" + "\n".join(f"  {line}" for line in absent))
    notes = {f"{noted(row)}: {row['note']}": None
             for row in result["systems"] if not row["skipped"] and row["note"]}
    batch = [f"rapidfuzz, many texts in one call: {time_text(row['batch_us'])} each"
             for row in result["systems"] if row.get("batch_us")]
    parts.append("How they were asked\n" + "\n".join(
        textwrap.fill(line, 100, initial_indent="  ", subsequent_indent="    ")
        for line in [*notes, *batch]))
    right = share(result["oracle"].get("finds_right")) or "an unknown share"
    parts.append(
        "Peers are called from Python and stol from Swift; what an empty call takes stands beside\n"
        "the times and is part of them. Loading a peer imports its library. Questions are asked\n"
        "once to warm up, then one by one; slow peers are asked fewer, always the first ones.\n"
        "recall: of all names within two edits, for stol by taxon. Short names have many of them,\n"
        f"so that stol has to be asked for more than the {FUZZY_LIMIT} best.\n"
        "right: the misspelt name is among the results, or the answer is right. Two edits\n"
        "at one place may be three by optimal string alignment: the oracle itself finds\n"
        f"{right} of them.")
    missed = [entry for row in result["systems"] if row["work"] == "fuzzy, all"
              for entry in row.get("missed", [])]
    if missed:
        texts = result["oracle"]["queries"]
        parts.append("stol missed\n" + "\n".join(
            f"  {entry['name']!r} for {texts[entry['query']]!r}" for entry in missed))
    return "\n\n".join(parts)
