"""The memory of an open pack, and what becomes of its answers where memory is short.

The program Child plays a child's session over a pack: names typed letter by letter, hits looked at,
clades browsed, relatives, comparisons.  It runs without a limit and with memory limits, each time
from a cold page cache; the answers must be the same.  One megabyte is 1,000,000 bytes here.
"""

import json
import os
import resource
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import common
import usage
from common import MEGABYTE, Extent
from pagecache import PAGE, CachedFile, make_cold, read_ahead_kilobytes, write_back

# 8 MB is less than the smaller pack, so that pages must go in any case.
LIMITS = (256, 64, 32, 16, 8)
NCBI_LIMITS = (256, 64, 32, 16)
# How many queries without and with a limit: of the smaller pack, of it when quick, of all of NCBI.
QUERIES = (100_000, 30_000)
QUICK_QUERIES = (100_000, 20_000)
SMOKE_QUERIES = (2_000, 1_000)
NCBI_QUERIES = (20_000, 2_000)
# What a session may keep for itself, in megabytes; the median of completions under limits, in microseconds.
PRIVATE_GOALS = {"bench500k": 0.6, "ncbi-all": 1.5}
COMPLETION_GOALS = {("ncbi-all", 64): 30, ("ncbi-all", 16): 300}
# A run with a limit may take so long: a disk that reads much at once makes a squeeze very slow.
RUN_SECONDS = 300
UNFINISHED = f"not done in {RUN_SECONDS} s"
KINDS = ("complete", "search", "show", "children", "relatives", "compare")
# After so many queries the squeeze looks at the memory in use.
QUERIES_A_PAUSE = 20
SQUEEZED_BYTES = 1 << 20


# Limits -------------------------------------------------------------------------------------

def memory_groups() -> Iterator[Path]:
    """Control groups (version 2) that limit memory: that of this process and those around it."""
    try:
        mounts = Path("/proc/self/mountinfo").read_text().splitlines()
        groups = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    roots = [Path(line.split()[4]) for line in mounts if line.split(" - ")[1].startswith("cgroup2")]
    own = [line[len("0::/"):] for line in groups if line.startswith("0::/")]
    if not roots or not own:
        return
    group = roots[0] / own[0]
    while group == roots[0] or roots[0] in group.parents:
        try:
            if "memory" in (group / "cgroup.subtree_control").read_text().split():
                yield group
        except OSError:
            pass
        group = group.parent


@contextmanager
def control_group() -> Iterator[Optional[Path]]:
    """A new group whose memory can be limited, or None where none is to be had."""
    made: Optional[Path] = None
    for parent in memory_groups():
        group = parent / f"stol-bench-{os.getpid()}"
        try:
            group.mkdir()
        except OSError:
            continue
        if os.access(group / "memory.max", os.W_OK) and os.access(parent / "cgroup.procs", os.W_OK):
            made = group
            break
        group.rmdir()
    try:
        yield made
    finally:
        if made:
            made.rmdir()


class Outcome(NamedTuple):
    """What came of one run."""

    printed: Optional[Dict[str, Any]]   # None if the child died
    failure: str
    seconds: float
    most_used: int      # anonymous memory and cached pages of the pack, in bytes; 0 if not known
    squeezes: int


def outcome(text: str, code: int, start: float, most_used: int = 0, squeezes: int = 0) -> Outcome:
    seconds = time.perf_counter() - start
    if code != 0:
        return Outcome(None, f"ended with code {code}", seconds, most_used, squeezes)
    return Outcome(json.loads(text), "", seconds, most_used, squeezes)


def run_free(command: Sequence[str]) -> Outcome:
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    return outcome(done.stdout, done.returncode, start)


def run_in_group(command: Sequence[str], group: Path, limit: int) -> Outcome:
    """With a limit on all memory that the process brings in, the page cache too; no swap."""
    (group / "memory.max").write_text(str(limit))
    swap = group / "memory.swap.max"
    if swap.exists():
        swap.write_text("0")

    def enter() -> None:
        (group / "cgroup.procs").write_text(str(os.getpid()))

    start = time.perf_counter()
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, preexec_fn=enter,
                              timeout=RUN_SECONDS)
    except subprocess.TimeoutExpired:
        return Outcome(None, UNFINISHED, time.perf_counter() - start, 0, 0)
    highest = group / "memory.peak"
    most = int(highest.read_text()) if highest.exists() else 0
    return outcome(done.stdout, done.returncode, start, most)


def run_squeezed(command: Sequence[str], pack: Path, limit: int) -> Outcome:
    """With a limit on private memory, and pages of the pack taken away wherever they exceed it.

    The child stops after every few queries.  Where its anonymous memory and the pages of the pack
    in the page cache are more than the limit, it drops its mappings, and this process takes pages
    out of the cache, one part of the file after the other, until a quarter of the limit is free.
    Between two stops the limit can be exceeded.
    """
    def enter() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))

    start = time.perf_counter()
    process = subprocess.Popen([*command, str(QUERIES_A_PAUSE)], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, preexec_fn=enter)
    status = Path(f"/proc/{process.pid}/status")
    most, squeezes, hand = 0, 0, 0
    with CachedFile(pack) as file:
        while True:
            byte = os.read(process.stdout.fileno(), 1)
            if byte != b".":
                break
            if time.perf_counter() - start > RUN_SECONDS:
                process.kill()
                process.wait()
                return Outcome(None, UNFINISHED, RUN_SECONDS, most, squeezes)
            anonymous = usage.kilobytes(status)["RssAnon"] * 1024
            used = anonymous + file.cached_pages() * PAGE
            most = max(most, used)
            if used > limit:
                squeezes += 1
                os.write(process.stdin.fileno(), b"d")
                os.read(process.stdout.fileno(), 1)
                for _ in range(2 * file.byte_count // SQUEEZED_BYTES + 2):
                    if used <= limit * 3 // 4:
                        break
                    file.drop(hand, SQUEEZED_BYTES)
                    hand = (hand + SQUEEZED_BYTES) % max(file.byte_count, 1)
                    used = anonymous + file.cached_pages() * PAGE
            os.write(process.stdin.fileno(), b"c")
    text = byte + process.stdout.read()
    process.stdin.close()
    return outcome(text.decode(), process.wait(), start, most, squeezes)


# The part -----------------------------------------------------------------------------------

def row(limit: Optional[int], found: Outcome, pages_left: int, checksum: str) -> Dict[str, Any]:
    """What is kept of one run; `limit` in bytes."""
    kept: Dict[str, Any] = {
        "limit_mb": limit // MEGABYTE if limit else None, "seconds": found.seconds,
        "pages_left_before": pages_left, "squeezes": found.squeezes,
        "most_used_mb": found.most_used / MEGABYTE, "failure": found.failure, "is_equal": False,
    }
    if not found.printed:
        return kept
    kept["child"] = found.printed
    kept["is_equal"] = not checksum or found.printed["checksum"] == checksum
    before, after = (found.printed["memory"][name] for name in ("before", "after"))
    grown = after["anonymous_kb"] - before["anonymous_kb"]
    kept["dirty_mb"] = (grown + after["pack_dirty_kb"]) * 1024 / MEGABYTE
    kinds = found.printed["kinds"].values()
    for faults in ("major_faults", "minor_faults"):
        kept[faults] = sum(kind[faults] for kind in kinds) / found.printed["queries"]
    return kept


def measure_pack(child: Path, name: str, pack: Path, limits: Sequence[int],
                 counts: Tuple[int, int]) -> Dict[str, Any]:
    """All runs over one pack; answers under limits are compared with those of as many without."""
    queries, limited_queries = counts
    write_back([child, pack])

    def command(count: int) -> List[str]:
        return [str(child), str(pack), str(common.SEED), str(count)]

    common.say(f"memory: {name}, no limit")
    left = make_cold([pack])
    free = row(None, run_free(command(queries)), left, "")
    if "child" not in free:
        raise SystemExit(f"bench: Child {free['failure']}")
    checksum = free["child"]["checksum"]
    if limited_queries != queries:
        checksum = run_free(command(limited_queries)).printed["checksum"]
    rows = []
    way = ""
    for limit in limits:
        common.say(f"memory: {name}, {limit} MB")
        left = make_cold([pack])
        with control_group() as group:
            if group:
                way = "memory.max of a control group: all memory, page cache included, no swap"
                found = run_in_group(command(limited_queries), group, limit * MEGABYTE)
            else:
                way = ("RLIMIT_DATA, and pages of the pack dropped from the cache where they and "
                       "the anonymous memory exceed the limit, looked at every "
                       f"{QUERIES_A_PAUSE} queries; code is not counted")
                found = run_squeezed(command(limited_queries), pack, limit * MEGABYTE)
        rows.append(row(limit * MEGABYTE, found, left, checksum))
    return {"name": name, "pack_mb": pack.stat().st_size / MEGABYTE, "way": way, "queries": queries,
            "limited_queries": limited_queries, "read_ahead_kb": read_ahead_kilobytes(pack),
            "free": free, "rows": rows}


def figures(result: Dict[str, Any]) -> List[common.Figure]:
    found = []
    for pack in result["packs"]:
        name, free = pack["name"], pack["free"]
        command = f"Child {name}.stolpack {common.SEED} {pack['queries']}"
        found += [
            common.Figure("memory", f"{name}: private dirty after {pack['queries']:,} queries",
                          free["dirty_mb"], "MB", PRIVATE_GOALS.get(name), "20-30 MB", command=command),
            common.Figure("memory", f"{name}: pack pages in memory after them",
                          free["child"]["cached_pages"] * PAGE / MEGABYTE, "MB", command=command,
                          note=f"of {common.number(pack['pack_mb'])} MB")]
        wrong = [row for row in pack["rows"] if not row["is_equal"]]
        notes = [f"{row['limit_mb']} MB: {row['failure'] or 'other answers'}" for row in wrong]
        beyond = [row["most_used_mb"] for row in pack["rows"]
                  if row["most_used_mb"] > row["limit_mb"]]
        if beyond:
            notes.append("no hard limit on the cache: up to "
                         f"{common.number(max(beyond))} MB between two looks")
        least = min(row["limit_mb"] for row in pack["rows"])
        found.append(common.Figure(
            "memory", f"{name}: limits from {least} MB up that change or end answers", len(wrong),
            "", 0, command="Benchmarks/harness/memory.py", note="; ".join(notes)))
        for row in pack["rows"]:
            if row["limit_mb"] <= 16 and "child" in row:
                found.append(common.Figure(
                    "memory", f"{name}: major faults a query under {row['limit_mb']} MB",
                    row["major_faults"], "", command="Benchmarks/harness/memory.py"))
            goal = COMPLETION_GOALS.get((name, row["limit_mb"]))
            if goal and "child" in row:
                found.append(common.Figure(
                    "memory", f"{name}: completion under {row['limit_mb']} MB, p50",
                    row["child"]["kinds"]["complete"]["p50_us"], "us", goal,
                    command="Benchmarks/harness/memory.py"))
    return found


def measure(data: common.Data, extent: Extent) -> Dict[str, Any]:
    """The session over the pack of `data`, and in full over one of all of NCBI too."""
    child = common.program("Child")
    limits = extent.pick((16,), (16,), LIMITS)
    counts = extent.pick(SMOKE_QUERIES, QUICK_QUERIES, QUERIES)
    result: Dict[str, Any] = {"skipped": "", "packs": [
        measure_pack(child, data.name, data.pack, limits, counts)]}
    if extent is Extent.SMOKE:
        for row in result["packs"][0]["rows"]:
            if not row["is_equal"]:
                raise SystemExit(f"bench: Child {row['failure'] or 'gives other answers'}")
    if extent is Extent.FULL:
        database = common.all_of_ncbi()
        if database:
            pack = common.packed_from(database)
            result["packs"].append(measure_pack(child, "ncbi-all", pack, NCBI_LIMITS, NCBI_QUERIES))
        else:
            result["skipped"] = "all of NCBI: the database could not be made"
    result["figures"] = [figure._asdict() for figure in figures(result)]
    return result


def report(result: Dict[str, Any]) -> str:
    """The tables of a result."""
    parts: List[str] = []
    for pack in result["packs"]:
        parts += report_pack(pack)
    if result["skipped"]:
        parts += [f"Skipped: {result['skipped']}.", ""]
    return "\n".join(parts)


def report_pack(pack: Dict[str, Any]) -> List[str]:
    free = pack["free"]
    child = free["child"]
    megabytes = {moment: {name: common.number(value * 1024 / MEGABYTE)
                          for name, value in memory.items()}
                 for moment, memory in child["memory"].items()}
    moments = [("before", "before opening"), ("opened", "opened"), ("tenth", "after a tenth"),
               ("after", "after all queries")]
    memory = common.table(
        ["", "private dirty MB", "of the pack", "anonymous MB", "RSS MB", "pack RSS MB"],
        [[text, *(megabytes[moment][name] for name in
                  ("private_dirty_kb", "pack_dirty_kb", "anonymous_kb", "resident_kb",
                   "pack_resident_kb"))] for moment, text in moments], right=range(1, 6))
    kinds = common.table(
        ["query", "number", "p50 us", "p90 us", "p99 us", "max us", "major faults",
         "minor faults"],
        [[kind, f"{found['count']:,}",
          *(common.number(found[name]) for name in ("p50_us", "p90_us", "p99_us", "max_us")),
          f"{found['major_faults']:,}", f"{found['minor_faults']:,}"]
         for kind, found in ((kind, child["kinds"].get(kind)) for kind in KINDS) if found],
        right=range(1, 8))
    limits = common.table(
        ["limit MB", "answers", "s", "complete p50 us", "p99 us", "show p50 us", "p99 us",
         "max us", "major a query", "minor a query", "pack pages", "grown MB", "most MB",
         "squeezes"],
        [limit_cells(row, pack) for row in [free, *pack["rows"]]], right=range(2, 14))
    left = max(row["pages_left_before"] for row in [free, *pack["rows"]])
    peak = common.number(child["peak_rss_kb"] * 1024 / MEGABYTE)
    return [
        f"{pack['name']}: {child['taxa']:,} taxa, {common.number(pack['pack_mb'])} MB; "
        f"{child['queries']:,} queries without a limit, from a cold cache, peak RSS {peak} MB",
        memory, "", kinds, "",
        f"Under limits, {pack['limited_queries']:,} queries each. {pack['way'][:1].upper()}"
        f"{pack['way'][1:]}. At most {left} pages of the pack are in the cache at the start; the "
        f"disk reads {pack['read_ahead_kb'] or '?'} kB at once.",
        limits, ""]


def limit_cells(row: Dict[str, Any], pack: Dict[str, Any]) -> List[str]:
    name = str(row["limit_mb"] or "none")
    if "child" not in row:
        return [name, row["failure"]] + [""] * 12
    kinds, child = row["child"]["kinds"], row["child"]
    answers = "equal" if row["is_equal"] else "DIFFER"
    return [name, answers, common.number(row["seconds"]),
            *(common.number(kinds[kind][value]) for kind in ("complete", "show")
              for value in ("p50_us", "p99_us")),
            common.number(max(kind["max_us"] for kind in kinds.values())),
            common.number(row["major_faults"]), common.number(row["minor_faults"]),
            f"{child['cached_pages']:,}/{child['pack_pages']:,}",
            common.number(row["dirty_mb"]),
            common.number(row["most_used_mb"]) if row["most_used_mb"] else "-",
            f"{row['squeezes']:,}"]


if __name__ == "__main__":
    extent = common.extent(sys.argv)
    found = measure(common.data_for(extent), extent)
    common.save("memory", found)
    print(report(found))
