"""The same names and the same questions for stol and for what else answers them.

Every peer runs in a process of its own, with the Python of a virtual environment that has what it
needs: `run` starts these, `child` is what they do.  Peers are called from Python, and what an empty
call takes is measured beside them.  Distances are of optimal string alignment between names in
lower case; spaces in questions are single.
"""

from typing import Any, Dict, List, Optional, Set

import common
from common import Extent
from peers.known import PEERS, SPARE
from peers.peer import measured, skipped
from peers.ratios import figures, figures_of_all
from peers.run import Absent, Failure, Run
from peers.stol import fuzzy_results, stol_results
from peers.tables import report
from peers.truth import Truth, compare_recall, oracle_note, quality, questions

__all__ = ["figures", "measure", "report"]


def measure(data: common.Data, extent: Extent) -> Dict[str, Any]:
    """Asks every peer and stol the same questions."""
    names = common.folded_names(data.database)
    truth = Truth(data.database)
    asked = questions(names, sorted(truth.parents), extent.pick(20, 100, 1_000))
    truth.right = asked["right"]
    run = Run(data, asked, extent, seconds=extent.pick(0.1, 2, 60))
    common.say("peers: all names within two edits, by brute force")
    try:
        truth.near = run.near() or []
    except Failure as failure:
        raise SystemExit(f"bench: the oracle: {failure}") from failure
    for place, text in enumerate(asked["fuzzy"] if truth.near else []):
        if not all(name in truth.taxa for name in truth.near[place]):
            raise SystemExit(f"bench: the oracle knows a name near {text!r} that nothing has")

    systems = []
    present: Set[str] = set()
    for name, kind in PEERS.items():
        if SPARE.get(name) in present:
            continue
        common.say(f"peers: {kind.system}")
        try:
            found = run.peer(name)
        except Failure as failure:
            if extent is Extent.SMOKE and not isinstance(failure, Absent):
                raise SystemExit(f"bench: {kind.system}: {failure}") from failure
            systems.append(skipped(kind.system, kind.works, str(failure)))
            continue
        present.add(name)
        for work, part in found["works"].items():
            result = measured(kind.system, found["version"], work, part["us"],
                              part["empty_us"], found["note"])
            result.update(load_s=found["load_s"], build_s=found["build_s"],
                          base_mb=found["base_mb"], peak_mb=found["peak_mb"],
                          index_mb=found["index_mb"], **found["extra"])
            result.update(quality(work, asked, truth, part["answers"]))
            systems.append(result)
    common.say("peers: stol")
    systems = stol_results(data, asked, truth) + systems
    shared = compare_recall(systems, truth)
    whole = misspelt_in_all(extent)
    return {
        "data": data.origin, "names": len(names), "seed": common.SEED, "extent": extent.name.lower(),
        "systems": systems, "oracle": oracle_note(truth, asked), "shared_queries": shared,
        "ncbi": whole, "figures": [figure._asdict() for figure in
                                   figures(systems) + figures_of_all(whole)],
    }


# The fastest peer that misses nothing, and how many misspelt names it and stol are asked for in all of NCBI.
FASTEST, MISSPELT_IN_ALL = "tantivy", 400


def misspelt_in_all(extent: Extent) -> List[Dict[str, Any]]:
    """Misspelt names of all of NCBI, which is what most people load; empty where it is not to be had."""
    whole: Optional[common.Data] = common.whole_ncbi() if extent is Extent.FULL else None
    if whole is None:
        return []
    common.say(f"peers: {FASTEST}, all of NCBI")
    names, truth = common.folded_names(whole.database), Truth(whole.database)
    asked = questions(names, sorted(truth.parents), MISSPELT_IN_ALL)
    truth.right = asked["right"]
    systems = [fuzzy_results(whole, asked["fuzzy"], truth)]
    try:
        found = Run(whole, asked, extent, seconds=60).peer(FASTEST)
    except Failure as failure:
        return [*systems, skipped(FASTEST, ("fuzzy",), str(failure))]
    part = found["works"]["fuzzy"]
    systems.append(measured(FASTEST, found["version"], "fuzzy", part["us"], part["empty_us"], found["note"]))
    systems[-1].update(quality("fuzzy", asked, truth, part["answers"]), load_s=found["load_s"],
                       peak_mb=found["peak_mb"], index_mb=found["index_mb"])
    return systems
