"""The doors: the same pack from Python, DuckDB and Spark, beside what else answers there.

Python asks columns of a million rows; taxopy and ete4 the same one by one. DuckDB and Spark have tables of occurrences,
of which 5 % of the names are misspelt: drawn evenly, where each row is matched on its own, and as in real data, where few
species make most records. On Spark a dictionary from names to ids that is sent to all workers answers beside it.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

import common
from common import MEGABYTE, Extent, Figure

HARNESS = Path(__file__).resolve().parents[1]
# A process that has not ended after so many seconds never will.
TIMEOUT = 3_600
OTHERS = ("taxopy", "ete4")

# The goals.
LCA, ORDINALS, NAMES, REPEATED, LINEAGE = 8e6, 80e6, 2.5e6, 8e6, 3e6
DUCK_NAMES, DUCK_LCA = 3e6, 20e6
SPARK_EVEN, SPARK_REPEATED, RIGHT = 300_000, 600_000, 99.5
WHEEL, FIRST_ANSWER, THREAD = 4, 50, 5


class Doors:
    """Where the doors are, built, and who asks through them."""

    def __init__(self, data: common.Data, extent: Extent) -> None:
        self.data = data
        self.folder = common.WORK / "doors" / data.name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.rows = extent.pick(2_000, 1_000_000, 1_000_000)
        self.occurrences = extent.pick(20_000, 2_000_000, 20_000_000)
        self.runs = extent.pick(1, 2, 5)
        self.wheel = Path(last_line(common.ROOT / "Tools" / "wheel"))

    def python(self) -> Path:
        """A Python with the wheel of now."""
        python = common.environment("doors", ["numpy", "pandas", "polars", "pyarrow"])
        if python is None:
            raise SystemExit("bench: numpy, pandas, polars and pyarrow are not to be had")
        common.run([python, "-m", "pip", "install", "-q", "--force-reinstall", "--no-deps", self.wheel])
        return python

    def child(self, python: Path, part: str, rows: int, runs: int, *options: Any) -> Dict[str, Any]:
        """What a process says on its last line."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("STOL_")}
        done = subprocess.run(
            [str(python), "-m", "doors.child", part, "--pack", str(self.data.pack), "--database", str(self.data.database),
             "--folder", str(self.folder), "--rows", str(rows), "--runs", str(runs), *map(str, options)],
            cwd=HARNESS, capture_output=True, text=True, timeout=TIMEOUT, env=environment)
        if done.returncode != 0:
            raise SystemExit(f"bench: {part}: {(done.stderr.strip().splitlines() or ['no word'])[-1]}")
        result: Dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return result

    def make_occurrences(self, python: Path) -> None:
        for kind, options in (("even", []), ("repeated", ["--repeated"])):
            table, note = self.folder / kind, self.folder / f"{kind}.made"
            made_of = f"{self.occurrences} {self.data.database.stat().st_mtime_ns}"
            if note.exists() and note.read_text() == made_of:
                continue
            shutil.rmtree(table, ignore_errors=True)
            common.run([python, "-m", "doors.occurrences", "--database", self.data.database, "--rows", self.occurrences, *options, table],
                       cwd=HARNESS)
            note.write_text(made_of)


def last_line(tool: Path) -> str:
    return common.run([tool]).splitlines()[-1]


def measure(data: common.Data, extent: Extent) -> Dict[str, Any]:
    doors = Doors(data, extent)
    python = doors.python()
    common.say("doors: Python")
    result: Dict[str, Any] = {
        "data": data.name, "rows": doors.rows, "wheel_mb": doors.wheel.stat().st_size / MEGABYTE,
        "python": doors.child(python, "python", doors.rows, doors.runs), "others": {}}
    for name in OTHERS:
        other = common.environment(name, [name])
        if other is None:
            continue
        common.say(f"doors: {name}")
        result["others"][name] = doors.child(other, name, extent.pick(20, 1_000, 10_000), 1)
    common.say("doors: making occurrences")
    doors.make_occurrences(python)
    if (common.ROOT / "Tools" / "duckdb").exists():
        common.say("doors: DuckDB")
        extension = Path(last_line(common.ROOT / "Tools" / "duckdb"))
        result["duckdb"] = doors.child(extension.parent / "python" / "bin" / "python3", "duckdb", min(doors.occurrences, 10_000_000),
                                       extent.pick(1, 1, 3), "--extension", extension)
    common.say("doors: Spark")
    result["spark"] = doors.child(Path(last_line(common.ROOT / "Tools" / "spark")), "spark", doors.occurrences, 1)
    result["figures"] = [figure._asdict() for figure in figures(result)]
    return result


def figures(result: Dict[str, Any]) -> List[Figure]:
    def figure(what: str, measured: float, unit: str, goal: Optional[float] = None, **more: Any) -> Figure:
        return Figure("doors", what, measured, unit, goal, at_least=unit in ("/s", "x") or "right" in what, **more)

    python = result["python"]
    one, two, memory = python["threads_1"], python["threads_2"], python["memory"]
    found = [
        figure("Python, LCA of pairs of ids, one thread", one["lca"], "/s", LCA),
        figure("Python, LCA of pairs of ordinals, one thread", one["lca_ordinals"], "/s", ORDINALS),
        figure("Python, exact names, two threads", two["names"], "/s", NAMES),
        figure("Python, exact names that repeat, two threads", two["names_repeated"], "/s", REPEATED),
        figure("Python, lineages as eight columns, two threads", two["lineage"], "/s", LINEAGE),
        figure("the wheel", result["wheel_mb"], "MB", WHEEL),
        figure("import and first answer", python["first_answer_ms"], "ms", FIRST_ANSWER,
               note=f"numpy alone {common.number(python['numpy_ms'])} ms"),
        figure("mapping of four processes by PSS, over the greatest by RSS", memory["pss_sum_mb"] / memory["rss_mb"], "of one", 1.1),
        figure("own memory of a further thread", memory["thread_mb"], "MB", THREAD)]
    for name, other in result["others"].items():
        found += [figure(f"Python, {what} over {name}", one[key] / other[key], "x", is_ratio=True)
                  for what, key in (("LCA", "lca"), ("exact names", "names"), ("lineages", "lineage"))]
    if "duckdb" in result:
        even, repeated = result["duckdb"]["even"], result["duckdb"]["repeated"]
        found += [figure("DuckDB, exact names", even["names"], "/s", DUCK_NAMES, note="two threads"),
                  figure("DuckDB, matched names that repeat", repeated["matched"], "/s", note="two threads"),
                  figure("DuckDB, LCA by GROUP BY", even["lca"], "/s", DUCK_LCA, note="two threads")]
    even, repeated = result["spark"]["even"], result["spark"]["repeated"]
    found += [
        figure("Spark, each row matched", even["each_row"]["per_second"], "/s", SPARK_EVEN, note="two workers of one core"),
        figure("Spark, names as in real data", repeated["chosen"]["per_second"], "/s", SPARK_REPEATED, note="two workers of one core"),
        figure("Spark, right of a hundred", even["each_row"]["right_percent"], "%", RIGHT),
        figure("Spark, names as in real data over a dictionary that is sent",
               repeated["chosen"]["per_second"] / repeated["dictionary"]["per_second"], "x", is_ratio=True)]
    return found


def report(result: Dict[str, Any]) -> str:
    """The tables of a result."""
    def rates(values: Dict[str, Any], keys: Sequence[str]) -> List[str]:
        return [common.number(values[key]) if key in values else "" for key in keys]

    columns = ("lca", "lca_ordinals", "names", "names_repeated", "lineage")
    python = result["python"]
    rows = [["stol, 1 thread", *rates(python["threads_1"], columns)], ["stol, 2 threads", *rates(python["threads_2"], columns)],
            *([f"{kind}, 2 threads", *rates(values, columns)] for kind, values in python["kinds"].items()),
            *([name, *rates(other, columns)] for name, other in result["others"].items())]
    parts = [
        f"Python ({result['data']}), columns of {result['rows']:,} rows; rows a second",
        common.table(["", "LCA of ids", "of ordinals", "exact names", "that repeat", "eight ranks"], rows, right=range(1, 6)), "",
        "Columns are those of pyarrow, or of numpy for ids and ordinals, unless said. Of a hundred names "
        f"{common.number(python['found_percent'])} are found. taxopy and ete4 are asked as they are made for, and load first: " + (", ".join(
            f"{name} in {common.number(other['load_s'])} s with {common.number(other['peak_mb'])} MB" for name, other in result["others"].items())
            or "neither was to be had") + "."]
    if "duckdb" in result:
        duck = result["duckdb"]
        parts += ["", f"DuckDB {duck['version']}, two threads; rows a second", common.table(
            ["names", "rows", "exact", "by a join", "matched", "right %", "LCA by GROUP BY", "min and max", "family", "name"],
            [[kind, f"{duck[kind]['rows']:,}", *rates(duck[kind], ("names", "joined", "matched", "right_percent", "lca", "ends", "rank", "name"))]
             for kind in ("even", "repeated")], right=range(1, 10))]
    ways = [("read", "the names are read"), ("through_python", "all columns through Python and back"), ("each_row", "stol, each row matched"),
            ("distinct", "stol, each name once"), ("chosen", "stol, as a sample says"), ("dictionary", "a dictionary that is sent"),
            ("lca", "stol, LCA of events")]
    rows = []
    for kind in ("even", "repeated"):
        table = result["spark"][kind]
        rows += [[f"{kind}: {title}", *rates(table[way], ("seconds", "per_second", "core_us", "right_percent"))] for way, title in ways]
    table = result["spark"]
    parts += ["", f"Spark, {table['even']['rows']:,} rows, of which {table['even']['names']:,} names differ if drawn evenly, "
              f"{table['repeated']['names']:,} as in real data; two workers of one core",
              common.table(["", "s", "rows a second", "core us a row", "right %"], rows, right=range(1, 5))]
    return "\n".join(parts)
