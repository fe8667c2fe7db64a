"""What stol answers to the same questions, from the program Ask."""

import json
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Sequence, Tuple

import common
from peers.peer import EDITS, PREFIX_LIMIT, measured
from peers.truth import Truth, fuzzy_quality, quality

FUZZY_LIMIT = 20        # hits in the timed run
ALL_LIMIT = 10_000      # hits where recall is measured


def ask_stol(program: Path, pack: Path, mode: str, lines: Sequence[str],
             *options: Any) -> Tuple[List[Dict[str, Any]], Dict[str, Any]]:
    """The answers of the program Ask, and its notes."""
    done = subprocess.run([str(program), str(pack), mode, *map(str, options)],
                          input="".join(line + "\n" for line in lines), capture_output=True,
                          text=True)
    if done.returncode != 0:
        raise SystemExit(f"bench: Ask {mode} failed: {done.stderr.strip()}")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != len(lines):
        raise SystemExit(f"bench: Ask {mode} answered {len(answers)} of {len(lines)} questions")
    return answers, json.loads(done.stderr)


def fuzzy_results(data: common.Data, asked: Sequence[str], truth: Truth) -> Dict[str, Any]:
    """Misspelt names alone, the best of each."""
    answers, notes = ask_stol(common.program("Ask"), data.pack, "fuzzy", asked, "--limit", FUZZY_LIMIT,
                              "--distance", EDITS)
    taxa = [set(answer["ids"]) for answer in answers]
    result = measured("stol", common.run([common.stol(), "--version"]).split()[1].rstrip(","), "fuzzy",
                      [answer["ns"] / 1000 for answer in answers], notes["clock_ns"] / 1000,
                      f"the {FUZZY_LIMIT} best, also by words in any order")
    result.update(fuzzy_quality(truth, lambda place, name: truth.taxa[name] <= taxa[place], len(answers)),
                  load_s=notes["open_ns"] / 1e9, index_mb=data.pack.stat().st_size / 1e6)
    return result


def stol_results(data: common.Data, asked: Dict[str, List[Any]],
                 truth: Truth) -> List[Dict[str, Any]]:
    program = common.program("Ask")
    version = common.run([common.stol(), "--version"]).split()[1].rstrip(",")
    pairs = [f"{a}\t{b}" for a, b in asked["lca"]]
    works: List[Tuple[str, str, Sequence[str], int, str]] = [
        ("exact", "exact", asked["exact"], 20, ""),
        ("prefix", "prefix", asked["prefix"], PREFIX_LIMIT,
         "words inside names too; the best of all that match, not the first"),
        ("complete", "complete", asked["prefix"], PREFIX_LIMIT,
         "best known first, and what is similar where few match"),
        ("fuzzy", "fuzzy", asked["fuzzy"], FUZZY_LIMIT,
         f"the {FUZZY_LIMIT} best, also by words in any order"),
        ("fuzzy, all", "fuzzy", asked["fuzzy"], ALL_LIMIT,
         f"up to {ALL_LIMIT:,} hits, also by words in any order"),
        ("lca", "lca", pairs, 1, "ids in, id out; as fine as the clock is"),
    ]
    results: List[Dict[str, Any]] = []
    opened: List[float] = []
    for work, mode, lines, limit, note in works:
        distance = ["--distance", EDITS] if mode == "fuzzy" else []
        answers, notes = ask_stol(program, data.pack, mode, lines, "--limit", limit, *distance)
        taxa = [set(answer["ids"]) for answer in answers]
        result = measured("stol", version, work, [answer["ns"] / 1000 for answer in answers],
                          notes["clock_ns"] / 1000, note)
        opened.append(notes["open_ns"] / 1e9)
        result["index_mb"] = data.pack.stat().st_size / 1e6
        if "peak_kb" in notes:
            result.update(base_mb=notes["base_kb"] / 1000, peak_mb=notes["peak_kb"] / 1000)
        if mode == "fuzzy":
            result.update(fuzzy_quality(truth, lambda place, name: truth.taxa[name] <= taxa[place],
                                        len(answers)))
            result["full"] = sum(len(answer["ids"]) == limit for answer in answers)
        elif mode == "lca":
            found = [answer["ids"][0] if answer["ids"] else None for answer in answers]
            result.update(quality(work, asked, truth, found))
        elif mode == "exact":
            right = [truth.taxa[name] <= taxa[place] for place, name in enumerate(lines)]
            result["finds_right"] = sum(right) / max(1, len(right))
        else:
            # Folding drops marks, so that names are told by their taxa here.
            found = [[name for taxon in hits for name in truth.names[taxon]] for hits in taxa]
            result.update(quality("prefix", asked, truth, found))
        results.append(result)
    for result in results:
        result["load_s"] = common.median(opened)
    return results
