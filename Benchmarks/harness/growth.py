"""How figures change as the data grows: made-up taxonomies of four sizes beside real ones."""

import json
import math
import shutil
import sys
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple

import common
import made
import plot as plotting
import usage
from common import MEGABYTE, Extent, Figure

FOLDER = common.WORK / "data"
MADE = (10_000, 100_000, 500_000, 10_000_000)
QUICK = (10_000, 100_000)
SMOKE = (1_000, 4_000)
# Larger files are not left behind, unless that is asked for.
LARGE = 500_000_000
# Bytes that the largest one needs: on disk a taxon for database, its indexes and pack; in memory.
DISK_PER_TAXON, MEMORY = 300, 9e9
# What takes less than so many seconds is compiled several times, for the median.
SHORT_COMPILE, REPEATS = 20, 3


class Kernel(NamedTuple):
    key: str
    title: str
    unit: str
    expected: str                   # the exponent that theory gives
    goal: Optional[float] = None    # the greatest exponent that is allowed
    is_ratio: bool = False


KERNELS = (
    Kernel("compile_cpu_s", "compile, processor time", "s", "1, n log n", 1.05, True),
    Kernel("rss_mb", "compile, peak memory", "MB", "1", 1.1, True),
    Kernel("bytes_per_taxon", "pack, bytes a taxon", "B", "0, log n bits a number"),
    Kernel("open_us", "open", "us", "0", 0.1, True),
    Kernel("lca_ns", "LCA, random pairs", "ns", "0, cache misses aside"),
    Kernel("ancestors_ns", "all ancestors", "ns", "0, cache misses aside"),
    Kernel("relatives_us", "ten relatives, p50", "us", "0, cache misses aside"),
    Kernel("exact_us", "exact name, p50", "us", "0, cache misses aside"),
    Kernel("complete_us", "autocomplete, p50", "us", "0, cache misses aside"),
    Kernel("complete_p99_us", "autocomplete, p99", "us", "below 1"),
    Kernel("fuzzy_us", "fuzzy k = 2, p50", "us", "below 1", 1, True),
    Kernel("fuzzy_p99_us", "fuzzy k = 2, p99", "us", "below 1", 1, True),
    Kernel("typo_us", "completion with an error, p50", "us", "below 1", 1),
    Kernel("typo_p99_us", "completion with an error, p99", "us", "below 1", 1),
)
RSS_GOAL_MB = 8_000
# All of NCBI: seconds and megabytes to ingest it, seconds and megabytes to compile it, bytes a node.
INGEST_GOAL_S, INGEST_GOAL_MB, COMPILE_GOAL_S, COMPILE_GOAL_MB, BYTES_GOAL = 60, 1_500, 10, 800, 48


# Data ---------------------------------------------------------------------------------------

class Source(NamedTuple):
    name: str
    kind: str                                # "made" or "real"
    database: Callable[[], Optional[Path]]   # makes it unless it is there; None if that fails


def made_source(taxa: int) -> Source:
    def database() -> Optional[Path]:
        path = FOLDER / f"made-{taxa}.sqlite"
        if not path.exists():
            common.say(f"growth: making up {taxa:,} taxa")
            path.parent.mkdir(parents=True, exist_ok=True)
            made.write(path, taxa)
        return path
    return Source(f"{short(taxa)} made", "made", database)


def short(taxa: float) -> str:
    """10k, 2.24M."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if taxa >= size:
            return f"{taxa / size:.3g}{letter}"
    return f"{taxa:.0f}"


def obstacle(taxa: int) -> Optional[str]:
    """Why a taxonomy of this size cannot be measured here, if it cannot."""
    if taxa <= max(QUICK):
        return None
    FOLDER.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(FOLDER).free
    if free < taxa * DISK_PER_TAXON:
        return f"{taxa * DISK_PER_TAXON / 1e9:.0f} GB of disk needed, {free / 1e9:.0f} GB free"
    memory = usage.available()
    if taxa == MADE[-1] and memory < MEMORY:
        return f"{MEMORY / 1e9:.0f} GB of memory needed, {memory / 1e9:.0f} GB free"
    return None


# Measuring ----------------------------------------------------------------------------------

def measured(source: Source, database: Path, pack: Path) -> Dict[str, Any]:
    kernels = common.program("Growth")
    common.say(f"growth: {source.name}: compiling")
    compile = [common.stol(), "pack", database, "-o", pack, "--quiet"]
    runs = [common.cost_of(compile)]
    if runs[0].seconds < SHORT_COMPILE:
        runs += [common.cost_of(compile) for _ in range(REPEATS - 1)]
    seconds, processor, memory = (common.median(values) for values in zip(*runs))
    common.say(f"growth: {source.name}: asking")
    found: Dict[str, Any] = json.loads(common.run([kernels, pack, str(common.SEED)]))
    found.update(name=source.name, kind=source.kind, compile_s=seconds, compile_cpu_s=processor,
                 rss_mb=memory, bytes_per_taxon=found["bytes"] / found["taxa"])
    if common.ingest_cost(database).exists():
        found["ingest"] = json.loads(common.ingest_cost(database).read_text())
    return found


def measure(data: common.Data, extent: Extent, keep: bool = False) -> Dict[str, Any]:
    """Measures all sizes; `keep` leaves large databases and packs in place."""
    sizes = extent.pick(SMOKE, QUICK, MADE)
    sources = [made_source(taxa) for taxa in sizes]
    sources.append(Source(data.name, "real", lambda: data.database))
    if extent is Extent.FULL:
        sources.append(Source("all of NCBI", "real", common.all_of_ncbi))
    points: List[Dict[str, Any]] = []
    skipped: List[str] = []
    for source, taxa in zip(sources, [*sizes, 0, 0]):
        reason = obstacle(taxa)
        database = None if reason else source.database()
        if database is None:
            skipped.append(f"{source.name}: {reason or 'the data could not be made'}")
            common.say(f"growth: skipped {skipped[-1]}")
            continue
        pack = FOLDER / f"growth-{database.stem}.stolpack"
        try:
            points.append(measured(source, database, pack))
        finally:
            if not keep:
                pack.unlink(missing_ok=True)
                if database != data.database and database.stat().st_size > LARGE:
                    database.unlink()
    points.sort(key=lambda point: point["taxa"])
    exponents = fitted(points)
    return {"points": points, "exponents": exponents, "skipped": skipped,
            "figures": [figure._asdict() for figure in figures(points, exponents)]}


def slope(points: Sequence[Tuple[float, float]]) -> float:
    """The exponent e of the power n^e that fits best: least squares over the logarithms."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    return (sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys))
            / sum((x - x_mean) ** 2 for x in xs))


def fitted(points: Iterable[Dict[str, Any]]) -> Dict[str, float]:
    """The exponent of each kernel over the made-up sizes."""
    ours = [point for point in points if point["kind"] == "made"]
    if len(ours) < 2:
        return {}
    return {kernel.key: slope([(point["taxa"], point[kernel.key]) for point in ours])
            for kernel in KERNELS}


def figures(points: Sequence[Dict[str, Any]], exponents: Dict[str, float]) -> List[Figure]:
    found = []
    for point in points:
        if point["kind"] == "made" and point["taxa"] == MADE[-1]:
            found.append(Figure("growth", f"compile {short(point['taxa'])} taxa, peak memory",
                                point["rss_mb"], "MB", RSS_GOAL_MB, note="made up"))
        if "ingest" in point:
            found += whole(point)
    sizes = [point["taxa"] for point in points if point["kind"] == "made"]
    for kernel in KERNELS:
        if kernel.key in exponents:
            found.append(Figure(
                "growth", f"{kernel.title}: exponent of growth", exponents[kernel.key], "",
                kernel.goal, is_ratio=kernel.is_ratio,
                note=f"{short(min(sizes))} to {short(max(sizes))}; expected {kernel.expected}"))
    return found


def whole(point: Dict[str, Any]) -> List[Figure]:
    """What ingesting and compiling a whole source takes."""
    name, note = point["name"], f"{point['taxa']:,} nodes"
    return [
        Figure("growth", f"{name}: ingest", point["ingest"]["seconds"], "s", INGEST_GOAL_S, note=note),
        Figure("growth", f"{name}: ingest, peak memory", point["ingest"]["memory"], "MB", INGEST_GOAL_MB,
               note=note),
        Figure("growth", f"{name}: compile", point["compile_s"], "s", COMPILE_GOAL_S, note=note),
        Figure("growth", f"{name}: compile, peak memory", point["rss_mb"], "MB", COMPILE_GOAL_MB, note=note),
        Figure("growth", f"{name}: bytes a taxon", point["bytes_per_taxon"], "B", BYTES_GOAL, note=note)]


# The report ---------------------------------------------------------------------------------

def report(result: Dict[str, Any]) -> str:
    points = result["points"]
    header = ["", *(point["name"] for point in points)]

    def cells(key: str, text: Callable[[float], str] = common.number) -> List[str]:
        return [text(point[key]) for point in points]

    rows = [["taxa", *cells("taxa", "{:,.0f}".format)],
            ["further names", *cells("names", "{:,.0f}".format)],
            ["different words", *cells("words", "{:,.0f}".format)],
            ["compile, elapsed, s", *cells("compile_s")]]
    rows += [[f"{kernel.title}, {kernel.unit}", *cells(kernel.key)] for kernel in KERNELS]
    parts = [common.table(header, rows, right=range(1, len(header)))]
    if result["exponents"]:
        lines = []
        for kernel in KERNELS:
            found = result["exponents"][kernel.key]
            verdict = "" if kernel.goal is None else "holds" if found <= kernel.goal else "MISSED"
            goal = "" if kernel.goal is None else f"<= {kernel.goal:g}"
            lines.append([kernel.title, f"{found:.2f}", kernel.expected, goal, verdict])
        parts.append("Exponents over the made-up sizes: a figure grows as n to this power.\n"
                     + common.table(["", "measured", "expected", "goal", ""], lines, right=[1, 3]))
    parts += [f"Skipped: {reason}." for reason in result["skipped"]]
    return "\n\n".join(parts)


def plot(result: Dict[str, Any], path: Path) -> None:
    """Draws the figures over the number of taxa."""
    panels = []
    for title, unit, keys in (
            ("compile: processor", "s", ["compile_cpu_s"]), ("compile: memory", "MB", ["rss_mb"]),
            ("pack", "bytes a taxon", ["bytes_per_taxon"]), ("open", "us", ["open_us"]),
            ("LCA, random pairs", "ns", ["lca_ns"]), ("all ancestors", "ns", ["ancestors_ns"]),
            ("ten relatives", "us", ["relatives_us"]), ("exact name", "us", ["exact_us"]),
            ("autocomplete", "us", ["complete_us", "complete_p99_us"]),
            ("fuzzy, k = 2", "us", ["fuzzy_us", "fuzzy_p99_us"]),
            ("misspelt completion", "us", ["typo_us", "typo_p99_us"])):
        lines, marks = [], []
        for key in keys:
            label = "" if len(keys) == 1 else "p99" if "_p99" in key else "p50"
            lines.append(plotting.Series(label, [
                (point["taxa"], point[key]) for point in result["points"]
                if point["kind"] == "made"]))
            marks.append(plotting.Series(label, [
                (point["taxa"], point[key]) for point in result["points"]
                if point["kind"] == "real"]))
        exponent = result["exponents"].get(keys[0])
        note = "" if exponent is None else f"n^{exponent:.2f}"
        panels.append(plotting.Panel(title, unit, note, lines, marks))
    plotting.write(path, "stol: growth with the number of taxa", panels)


def main(arguments: Sequence[str]) -> int:
    unknown = set(arguments) - {"--smoke", "--quick", "--keep"}
    if unknown:
        print("usage: growth.py [--smoke | --quick] [--keep]", file=sys.stderr)
        return 2
    extent = common.extent(arguments)
    result = measure(common.data_for(extent), extent, keep="--keep" in arguments)
    common.save("growth", result)
    plot(result, common.WORK / "results" / "growth.svg")
    print(report(result))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
