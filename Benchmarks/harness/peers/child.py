"""The process of one peer: ``python -m peers.child --peer NAME --input FILE --output FILE``.

Its memory and its loading are its own.  With ``--build`` it only writes the index.
"""

import argparse
import gc
import json
import time
from pathlib import Path
from typing import Any, Dict, List, Sequence

import common
import usage
from peers.fuzzy import RapidFuzz
from peers.known import PEERS
from peers.peer import Answer, Ask, Peer, Question

COUNTS = (1_000, 500, 200, 100, 50, 20, 10)     # questions asked: the most that the time allows


def timed(ask: Ask, asked: Sequence[Question]) -> List[float]:
    """Microseconds of each question, without the garbage collector."""
    clock, times = time.perf_counter_ns, []
    gc.disable()
    for question in asked:
        start = clock()
        ask(question)
        times.append((clock() - start) / 1000)
    gc.enable()
    return times


def how_many(ask: Ask, asked: Sequence[Question], seconds: float) -> int:
    """The most questions of COUNTS that can be asked twice in the time."""
    sample = asked[:5]
    start = time.perf_counter()
    for question in sample:
        ask(question)
    each = (time.perf_counter() - start) / max(1, len(sample))
    fitting = [count for count in COUNTS if 2 * count * each <= seconds]
    return min(len(asked), fitting[0] if fitting else COUNTS[-1])


def names_of(answer: Answer) -> Answer:
    """Names without what stands beside them."""
    if isinstance(answer, list):
        return [entry[0] if isinstance(entry, tuple) else entry for entry in answer]
    return answer


def serve(peer: Peer, asked: Dict[str, Any]) -> Dict[str, Any]:
    base = usage.own_peak()
    start = time.perf_counter()
    peer.load()
    result: Dict[str, Any] = {"load_s": time.perf_counter() - start, "base_mb": base / 1e6,
                              "version": peer.version(), "works": {}}
    for work in peer.works:
        ask = peer.ask(work)
        every = asked["questions"][work]
        chosen = every[:how_many(ask, every, asked["seconds"])]
        answers = [names_of(ask(question)) for question in chosen]      # also warms
        times = timed(ask, chosen)
        empty = peer.empty()
        texts = [question if isinstance(question, str) else "" for question in chosen]
        timed(empty, texts)
        result["works"][work] = {"us": times, "empty_us": common.median(timed(empty, texts)),
                                 "answers": answers}
    result["peak_mb"] = usage.own_peak() / 1e6
    size = peer.index_bytes()
    result["index_mb"] = size and size / 1e6
    result["note"] = peer.note
    result["extra"] = peer.extra(asked["questions"])
    return result


def oracle(asked: Dict[str, Any], database: Path) -> Dict[str, Any]:
    """All names within EDITS of each misspelt name, by brute force on all cores."""
    peer = RapidFuzz(database, database.parent)
    peer.load()
    texts = asked["questions"]["fuzzy"]
    near: List[List[str]] = []
    for place in range(0, len(texts), 16):
        near += peer.table(texts[place:place + 16], -1)
    return {"near": near}


def main() -> None:
    parser = argparse.ArgumentParser(prog="peers.child", description=__doc__.split("\n")[0])
    parser.add_argument("--peer", required=True, choices=[*PEERS, "oracle"])
    parser.add_argument("--input", required=True, type=Path, help="questions, as JSON")
    parser.add_argument("--output", required=True, type=Path, help="answers, as JSON")
    parser.add_argument("--build", action="store_true", help="only write the index")
    arguments = parser.parse_args()
    asked = json.loads(arguments.input.read_text())
    database = Path(asked["database"])
    if arguments.peer == "oracle":
        result = oracle(asked, database)
    else:
        peer = PEERS[arguments.peer](database, Path(asked["folder"]))
        if arguments.build:
            start = time.perf_counter()
            peer.build()
            result = {"build_s": time.perf_counter() - start}
        else:
            result = serve(peer, asked)
    arguments.output.write_text(json.dumps(result))


if __name__ == "__main__":
    main()
