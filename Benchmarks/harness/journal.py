"""A journal of a city: 100,000 places and a million occurrences, made up, kept, asked and changed.

Beside it the same positions in plain SQLite, with an index over latitude and longitude in place of an R*Tree, and
without any.
"""

import json
import os
import random
import shutil
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import common
from common import MEGABYTE, Extent, Figure
from running import duration

HOME = common.WORK / "data" / "journal"
KINDS = ("p50", "p90", "p99", "most")


class Call(NamedTuple):
    """What JournalLoads times: goals in milliseconds of half of all calls, and of 99 of 100."""

    key: str
    title: str
    p50: Optional[float]
    p99: Optional[float]
    seed: str = ""


CALLS = [
    Call("places2", "places of a view of 2 degrees, at most 500", 1, 10, "< 200 ms"),
    Call("places20", "places of a view of 20 degrees, at most 500", None, 100, "< 200 ms"),
    Call("sightings05", "sightings of a view of half a degree, at most 1,000", 2, 20, "< 200 ms"),
    Call("sightings2", "sightings of a view of 2 degrees, at most 1,000", None, 200, "< 200 ms"),
    Call("map05", "map of half a degree, at most 1,000 dots, else clusters", 2, 20, "< 200 ms"),
    Call("map2", "map of 2 degrees, likewise", None, 100, "< 200 ms"),
    Call("calendar", "days of a year with their sightings", 1, 5),
    Call("life", "life list of all that was seen", 5, 20),
    Call("search", "places by 3 to 6 letters", 2, 30, "< 100 ms"),
    Call("searchAll", "all records by 1 to 4 letters", None, 100, "< 100 ms"),
    Call("detail", "an event with all that is its own", 1, 10, "< 100 ms"),
    Call("page500", "a page of 500 sightings", None, 100),
    Call("start", "open the journal, and its last 50 sightings", None, 200, "< 2 s"),
    Call("figures", "key figures, species among them", None, 100),
    Call("save", "save an event with 10 occurrences", 5, 25, "< 100 ms"),
    Call("update", "change a remark of an event", None, 100, "< 100 ms"),
    Call("delete", "delete an event with 10 occurrences", None, 100, "< 100 ms"),
    Call("undo", "bring it back", None, 100, "< 100 ms"),
]
IMPORT_GOAL_S = 120
START_GOAL_MS = 200
# How much longer a locked journal may take, beside what Argon2id takes to make the key.
LOCKED_GOAL = 3
LOCKED_START_GOAL_MS = 60
MEMORY_GOAL_MB = 50
# Photos of 3 MB kept in a second, and a page of them with their small thumbnails.
PHOTOS_GOAL = 20
PHOTO_PAGE_GOAL_MS = 50
# What a photo takes on the disk, with what is written beside it meanwhile, and what is left for others.
PHOTO_BYTES = 3_400_000
ROOM_BYTES = 5_000_000_000
# How much slower a scan of a million rows has to be.
SCAN_GOAL = 10


def loads(verb: str, data: common.Data, places: int, occurrences: int,
          home: Path = HOME) -> Tuple[Dict[str, Any], common.Cost]:
    """What JournalLoads finds, and what the process took."""
    output = home / f"{verb}.json"
    cost = common.cost_of([common.own_program("JournalLoads"), verb, home / "Journal", data.pack, common.SEED,
                           places, occurrences, output])
    found = json.loads(output.read_text())
    if found["faults"]:
        raise SystemExit(f"bench: the journal after {verb}: {found['faults'][0]}")
    return found, cost


def views(connection: sqlite3.Connection, count: int, degrees: float) -> List[Tuple[int, int, int, int]]:
    """South, north, west and east around sightings."""
    draw = random.Random(common.SEED)
    ids = connection.execute("SELECT min(id), max(id) FROM sighting_box").fetchone()
    half = int(degrees * 10_000_000 / 2)
    found = []
    while len(found) < count:
        row = connection.execute(
            "SELECT latitude_e7, longitude_e7 FROM sighting WHERE occurrence_id >= ? AND latitude_e7 NOT NULL "
            "ORDER BY occurrence_id LIMIT 1", (draw.randint(*ids),)).fetchone()
        found.append((row[0] - half, row[0] + half, row[1] - half, row[1] + half))
    return found


def beside(count: int) -> Dict[str, List[float]]:
    """Milliseconds of each way to find what lies in a view; all have to find the same."""
    plain = HOME / "plain.sqlite"
    connection = sqlite3.connect(plain)
    connection.execute("ATTACH ? AS journal", (str(HOME / "Journal" / "journal.sqlite"),))
    connection.executescript("""
        CREATE TABLE seen (id INTEGER PRIMARY KEY, latitude_e7 INTEGER, longitude_e7 INTEGER, at_ms INTEGER);
        INSERT INTO seen SELECT occurrence_id, latitude_e7, longitude_e7, at_ms FROM journal.sighting;
        CREATE INDEX seen_position ON seen (latitude_e7, longitude_e7);
        """)
    inside = "latitude_e7 BETWEEN ? AND ? AND longitude_e7 BETWEEN ? AND ?"
    ways = {
        "R*Tree": "SELECT occurrence_id, at_ms FROM journal.sighting WHERE occurrence_id IN (SELECT id "
                  "FROM journal.sighting_box WHERE min_lat >= ? AND max_lat <= ? AND min_lon >= ? AND max_lon <= ?)",
        "index": f"SELECT id, at_ms FROM seen INDEXED BY seen_position WHERE {inside}",
        "scan": f"SELECT id, at_ms FROM seen NOT INDEXED WHERE {inside}",
    }
    times: Dict[str, List[float]] = {way: [] for way in ways}
    for view in views(connection, count, 0.5):
        answers = []
        for way, query in ways.items():
            start = time.perf_counter()
            rows = connection.execute(query, view).fetchall()
            times[way].append((time.perf_counter() - start) * 1000)
            answers.append(sorted(rows))
        if answers[0] != answers[1] or answers[0] != answers[2]:
            raise SystemExit(f"bench: the R*Tree finds {len(answers[0])} sightings, a scan {len(answers[2])}")
    connection.close()
    plain.unlink()
    return times


def start_of_command(data: common.Data, count: int) -> List[float]:
    """Milliseconds of whole processes that list what was seen last."""
    command = [str(word) for word in (common.stol(), "journal", "list", "--limit", "50", "--quiet", "--pack", data.pack,
                                      "--data-dir", HOME)]
    return [duration(command).wall * 1000 for _ in range(count)]


def photos(data: common.Data, wanted: int) -> Dict[str, Any]:
    """What photos take, as many as the disk has room for."""
    home = HOME / "photos"
    os.makedirs(home, mode=0o700)
    count = max(10, min(wanted, (shutil.disk_usage(home).free - ROOM_BYTES) // PHOTO_BYTES))
    common.say(f"journal: {count:,} photos" + (f", for {wanted:,} there is no room" if count < wanted else ""))
    found, cost = loads("photos", data, count, 0, home)
    shutil.rmtree(home)
    times = {key: [value / 1000 for value in values] for key, values in found["times"].items()}
    return {"count": count, "bytes": found["bytes"], "memory_mb": cost.memory,
            "a_second": count / (sum(times["keep"]) / 1000), **{key: summary(values) for key, values in times.items()}}


def measure(data: common.Data, extent: Extent) -> Dict[str, Any]:
    places, occurrences = extent.pick((200, 2_000), (10_000, 100_000), (100_000, 1_000_000))
    shutil.rmtree(HOME, ignore_errors=True)
    os.makedirs(HOME, mode=0o700)
    common.say(f"journal: making {places:,} places and {occurrences:,} occurrences")
    made, making = loads("make", data, places, occurrences)
    shutil.copytree(HOME / "Journal", HOME / "copy")
    common.say("journal: asking")
    asked, cost = loads("ask", data, places, occurrences)
    starts = start_of_command(data, extent.pick(1, 5, 10))
    ways = beside(extent.pick(5, 50, 200))
    common.say("journal: changing")
    changed, _ = loads("change", data, places, occurrences)
    common.say("journal: locked")
    shutil.rmtree(HOME / "Journal")
    (HOME / "copy").rename(HOME / "Journal")
    locking, _ = loads("lock", data, places, occurrences)
    locked = {**loads("ask", data, places, occurrences)[0]["times"],
              **loads("change", data, places, occurrences)[0]["times"]}
    times = {**made["times"], **asked["times"], **changed["times"]}
    result: Dict[str, Any] = {
        "photos": photos(data, extent.pick(10, 100, 10_000)),
        "places": places, "occurrences": occurrences, "bytes": made["bytes"], "rows": asked["rows"],
        "import_s": sum(made["times"]["import"]) / 1e6, "check_s": sum(made["times"]["check"]) / 1e6,
        "import_memory_mb": making.memory, "memory_mb": cost.memory,
        "start_ms": common.median(starts),
        "calls": {call.key: summary([value / 1000 for value in times[call.key]]) for call in CALLS},
        "lock_s": sum(locking["times"]["lock"]) / 1e6, "locked_bytes": locking["bytes"],
        "locked": {call.key: summary([value / 1000 for value in locked[call.key]]) for call in CALLS},
        "ways": {way: summary(values) for way, values in ways.items()},
    }
    result["figures"] = [figure._asdict() for figure in figures(result, extent)]
    shutil.rmtree(HOME)
    return result


def summary(values: List[float]) -> Dict[str, float]:
    return {"count": len(values), "p50": common.median(values), "p90": common.percentile(values, 0.9),
            "p99": common.percentile(values, 0.99), "most": max(values)}


def figures(result: Dict[str, Any], extent: Extent) -> List[Figure]:
    note = f"{result['occurrences']:,} occurrences"
    found = [
        Figure("journal", "import of all", result["import_s"], "s", IMPORT_GOAL_S, note=note),
        Figure("journal", "whole command that lists 50", result["start_ms"], "ms", START_GOAL_MS, "< 2 s",
               command="stol journal list --limit 50"),
        Figure("journal", "peak memory of all questions", result["memory_mb"], "MB", MEMORY_GOAL_MB, "< 50 MB")]
    for call in CALLS:
        for kind, goal in (("p50", call.p50), ("p99", call.p99)):
            if goal is not None:
                found.append(Figure("journal", f"{call.title}, {kind}", result["calls"][call.key][kind], "ms",
                                    goal, call.seed if kind == "p99" else ""))
    for call in CALLS:
        plain, locked = (result[kind][call.key]["p50"] for kind in ("calls", "locked"))
        if call.p50 is not None:
            found.append(Figure("journal", f"{call.title}, locked over not locked", locked / plain, "x", LOCKED_GOAL,
                                is_ratio=True))
    found.append(Figure(
        "journal", "open a locked journal, more than one that is not",
        result["locked"]["start"]["p50"] - result["calls"]["start"]["p50"], "ms", LOCKED_START_GOAL_MS))
    kept = result["photos"]
    note = f"{kept['count']:,} photos of {common.number(kept['bytes'] / kept['count'] / MEGABYTE)} MB"
    found += [
        Figure("journal", "photos kept in a second", kept["a_second"], "/s", PHOTOS_GOAL, at_least=True,
               note=note),
        Figure("journal", "a page of 50 photos and their thumbnails, p99", kept["page"]["p99"], "ms",
               PHOTO_PAGE_GOAL_MS, note=note)]
    tree = result["ways"]["R*Tree"]
    for way, goal in (("index", None), ("scan", SCAN_GOAL if extent is Extent.FULL else None)):
        found.append(Figure("journal", f"view of half a degree, {way} over R*Tree",
                            result["ways"][way]["p50"] / tree["p50"], "x", goal, at_least=True,
                            is_ratio=goal is not None))
    return found


def report(result: Dict[str, Any]) -> str:
    def row(title: str, times: Dict[str, float]) -> List[str]:
        return [title, f"{times['count']:,}", *(common.number(times[kind]) for kind in KINDS)]

    rows = [row(call.title, result["calls"][call.key]) for call in CALLS]
    rows += [row(f"locked: {call.title}", result["locked"][call.key]) for call in CALLS]
    kept = result["photos"]
    rows += [row(title, kept[key]) for key, title in (
        ("keep", "keep a photo"), ("thumbnail", "make its thumbnails"),
        ("page", "a page of 50 photos and their thumbnails"))]
    rows += [row(f"sightings of half a degree by {way}, in Python", times)
             for way, times in result["ways"].items()]
    return "\n".join([
        f"{result['places']:,} places and {result['occurrences']:,} occurrences, imported in "
        f"{common.number(result['import_s'])} s and checked in {common.number(result['check_s'])} s: "
        f"{common.number(result['bytes'] / MEGABYTE)} MB on disk, at most "
        f"{common.number(result['import_memory_mb'])} MB in memory. It was locked in "
        f"{common.number(result['lock_s'])} s, {common.number(result['locked_bytes'] / MEGABYTE)} MB. "
        f"{kept['count']:,} photos of {common.number(kept['bytes'] / kept['count'] / MEGABYTE)} MB were kept in a "
        f"journal of their own, {common.number(kept['a_second'])} a second, with at most "
        f"{common.number(kept['memory_mb'])} MB in memory. Milliseconds:",
        common.table(["what", "calls", *KINDS], rows, right=range(1, 6))])


if __name__ == "__main__":
    extent = common.extent(sys.argv)
    found = measure(common.data_for(extent), extent)
    common.save("journal", found)
    print(report(found))
