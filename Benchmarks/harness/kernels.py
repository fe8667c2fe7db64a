"""What single calls take, in the process."""

import json
import os
import re
import subprocess
import sys
from typing import Any, Dict, List

import common
from common import Extent, Figure

# What Latency prints: key, the figure taken, title, unit, goal, goal over all of NCBI, budget of the seed.
GOALS = [
    ("open", "p50", "open", "us", 200, 200, "< 3 s"),
    ("lca", "p50", "LCA, random pairs", "ns", 30, None, "< 50 ms"),
    ("exact", "p50", "exact name, p50", "us", 0.35, 0.7, ""),
    ("complete", "p50", "autocomplete, 1 to 8 letters, p50", "us", 2.5, 5, "< 100 ms"),
    ("complete", "p99", "autocomplete, 1 to 8 letters, p99", "us", 50, 200, "< 100 ms"),
    ("fuzzy1", "p50", "fuzzy k = 2, one edit, p50", "us", 15, 50, "< 100 ms"),
    ("fuzzy1", "p99", "fuzzy k = 2, one edit, p99", "us", 150, 500, "< 100 ms"),
    ("fuzzy2", "p50", "fuzzy k = 2, two edits, p50", "us", 15, 50, "< 100 ms"),
    ("fuzzy2", "p99", "fuzzy k = 2, two edits, p99", "us", 150, 500, "< 100 ms"),
    ("best1", "p50", "best match only, one edit, p50", "us", 10, 25, ""),
    ("best1", "p99", "best match only, one edit, p99", "us", None, 300, ""),
    ("best2", "p50", "best match only, two edits, p50", "us", None, None, ""),
    ("typo", "p50", "completion with an error, 4 to 16 letters, p50", "us", 60, 300, ""),
    ("typo", "p99", "completion with an error, 4 to 16 letters, p99", "us", 400, 3_000, ""),
    ("inside", "p50", "inside words, 3 to 8 letters, p50", "us", 50, None, ""),
    ("inside", "p99", "inside words, 3 to 8 letters, p99", "us", 500, None, ""),
    ("hostileFuzzy", "most", "hostile queries, fuzzy, worst", "us", 1_000, 5_000, ""),
    ("hostileAuto", "most", "hostile queries, auto, worst", "us", 1_500, 8_000, ""),
    ("relatives", "p50", "ten relatives of a species, p50", "us", 3, None, "< 10 ms"),
    ("relatives", "p99", "ten relatives of a species, p99", "us", 30, 60, "< 10 ms"),
    ("compare", "p50", "compare two taxa", "us", 3, 3, "< 50 ms"),
]


def latency(data: common.Data, extent: Extent) -> Dict[str, Any]:
    command = [common.program("Latency"), data.pack, str(common.SEED), "--json"]
    return json.loads(common.run(command + ([] if extent is Extent.FULL else ["--quick"])))


def measure(data: common.Data, extent: Extent) -> Dict[str, Any]:
    found = latency(data, extent)
    figures = [Figure("kernels", title, found[key][kind], unit, goal, seed)
               for key, kind, title, unit, goal, _, seed in GOALS]
    result: Dict[str, Any] = {"latency": found}
    whole = common.whole_ncbi() if extent is Extent.FULL else None
    if whole:
        common.say("kernels: all of NCBI")
        result["ncbi"] = latency(whole, extent)
        figures += [Figure("kernels", f"all of NCBI: {title}", result["ncbi"][key][kind], unit, goal)
                    for key, kind, title, unit, _, goal, _ in GOALS]
    walking = found["lcaWalking"]["p50"] / found["lca"]["p50"]
    figures.append(Figure("kernels", "LCA against walking parents in the pack", walking, "x", 4,
                          at_least=True, is_ratio=True))
    figures.append(Figure("kernels", "LCA against walking parents in plain arrays",
                          found["lcaArrays"]["p50"] / found["lca"]["p50"], "x", 4,
                          at_least=True, note="arrays held in memory, which a pack does not need"))
    figures.append(Figure("kernels", "objects allocated by warm searches",
                          found["allocations"]["most"], "", 0, is_ratio=True))
    result["kernels"] = [] if extent is Extent.QUICK else kernels(data, extent)
    result["figures"] = [figure._asdict() for figure in figures]
    return result


def kernels(data: common.Data, extent: Extent) -> List[Dict[str, Any]]:
    """What ordo-one/benchmark measures of the target Kernels, stages of compiling among it."""
    common.say("kernels: thousands of calls each, by package-benchmark")
    environment = {**os.environ, "STOL_BENCH_PACK": str(data.pack),
                   "STOL_BENCH_DATABASE": str(data.database),
                   "STOL_BENCH_MILLISECONDS": str(extent.pick(10, 2_000, 2_000))}
    if extent is Extent.SMOKE:
        # The program alone runs every benchmark; the plugin would build it once more.
        common.run([common.program("Kernels")], env=environment, stderr=subprocess.DEVNULL)
        return []
    text = common.run(
        ["swift", "package", "--package-path", common.ROOT / "Benchmarks",
         "--scratch-path", common.ROOT / "Benchmarks" / ".build-bench", "benchmark",
         "--target", "Kernels", "--no-progress", "--format", "markdown"],
        env=environment, stderr=subprocess.DEVNULL)
    rows = []
    for part in re.split(r"^### ", text, flags=re.MULTILINE)[1:]:
        title = part.splitlines()[0].strip()
        for line in part.splitlines():
            cells = [cell.strip() for cell in line.split("|")[1:-1]]
            if len(cells) == 9 and re.fullmatch(r"[\d.]+", cells[1]):
                metric = cells[0].rstrip(" *")
                rows.append({"title": title, "metric": metric, "p50": cells[3], "p90": cells[5],
                             "p99": cells[6], "samples": cells[8]})
    if not rows:
        raise SystemExit("bench: package-benchmark has measured nothing")
    return rows


def calls(found: Dict[str, Any]) -> str:
    """A table of what Latency printed."""
    rows = [[row["title"], f"{row['count']:,}", row["unit"]]
            + [common.number(row[kind]) for kind in ("p50", "p90", "p99", "most", "mean")]
            for row in found.values() if "p50" in row]
    return common.table(["what", "calls", "unit", "p50", "p90", "p99", "most", "mean"], rows,
                        right=[1, 3, 4, 5, 6, 7])


def report(result: Dict[str, Any]) -> str:
    parts = [calls(result["latency"])]
    if "ncbi" in result:
        parts += ["", "All of NCBI, every node", calls(result["ncbi"])]
    if result["kernels"]:
        columns = ("title", "metric", "p50", "p90", "p99", "samples")
        parts += ["", "By package-benchmark (the target Kernels)", common.table(
            columns, [[row[column] for column in columns] for row in result["kernels"]],
            right=[2, 3, 4, 5])]
    return "\n".join(parts)


if __name__ == "__main__":
    extent = common.extent(sys.argv)
    result = measure(common.data_for(extent), extent)
    common.save("kernels", result)
    print(report(result))
