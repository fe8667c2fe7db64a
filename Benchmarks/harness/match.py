"""Tables of names through ``stol match``, as a whole process, beside what else can be done with names here.

Clean names are all names of the data, each once, in random order. Wild names are species with authors, years, tags,
capitals, subgenera, varieties, marks of open nomenclature and letters changed. Absent names are what a scanner makes
of words of names: 98 of 100 are no name of the data. The wide table has 200,000 rows of 20 columns and 20,000 names.

Beside it: a copy of the wide table by Python's csv module; a dict of Python from names to ids, as taxopy and taxonkit find
names, which finds nothing that is spelt otherwise; and the distance to every species by rapidfuzz, which is how taxamatch
and its like work without their filters.
"""

import csv
import os
import random
import sys
import time
from pathlib import Path
from typing import Any, Callable, Dict, List, Sequence

import common
from common import MEGABYTE, Extent, Figure
from running import Duration, duration, peak, throughput

AUTHORS = ("L.", "Linnaeus, 1758", "(L.) Mill.", "DC.", "(Fabricius, 1775)", "Smith & Jones, 1901", "Walker",
           "(Pallas) Willd. ex Steud.", "Hook. f.", "Müller, 1820", "Kuntze", "(Sw.) Urb.", "Fairmaire, 1896")
SCANNED = (("rn", "m"), ("m", "rn"), ("cl", "d"), ("d", "cl"), ("e", "c"), ("c", "e"), ("h", "b"), ("b", "h"), ("u", "n"),
           ("n", "u"), ("l", "i"), ("i", "l"), ("o", "e"), ("t", "f"), ("ii", "u"), ("s", "f"))
CELLS = ("12.5", "note, with comma", "abc", "2011-03-04", 'a "q"', "", "Smith")
COLUMNS = 20
# What matching should do, on two cores.
CLEAN, WILD, ABSENT, COPIES, MEMORY = 1_000_000, 150_000, 60_000, 3, 64
# The same over all of NCBI.
NCBI_CLEAN, NCBI_WILD = 600_000, 50_000


# Names --------------------------------------------------------------------------------------

class Names:
    """Names of the data, and what people and scanners make of them."""

    def __init__(self, data: common.Data) -> None:
        self.draw = random.Random(common.SEED)
        self.all = sorted({name for (name,) in common.rows(data.database, "SELECT scientific_name FROM taxa")})
        self.draw.shuffle(self.all)
        self.species = [name for name in self.all if self.is_binomial(name)]
        if not self.species:
            raise SystemExit("bench: the data have no names of two words")
        self.genera = sorted({name.split()[0] for name in self.species})
        self.epithets = sorted({name.split()[1] for name in self.species})
        self.known = set(self.all)

    @staticmethod
    def is_binomial(name: str) -> bool:
        words = name.split(" ")
        return (len(words) == 2 and all(word.isascii() and word.isalpha() for word in words)
                and words[0].istitle() and words[1].islower())

    def wild(self) -> str:
        draw = self.draw
        name = draw.choice(self.species)
        genus, epithet = name.split()
        author = draw.choice(AUTHORS)
        kinds: Sequence[tuple] = (
            (30, lambda: f"{name} {author}"), (10, lambda: name), (8, lambda: f"<i>{name}</i> {author}"),
            (6, lambda: name.upper()), (6, lambda: f"{genus} cf. {epithet}"),
            (6, lambda: f"{genus} sp. {draw.randint(1, 9)}"),
            (6, lambda: f"{name} var. {draw.choice(self.epithets)} {author}"),
            (4, lambda: f"{genus} ({draw.choice(self.genera)}) {epithet}"), (4, lambda: f"{genus[0]}. {epithet}"),
            (8, lambda: self.misspelt(name, 1)), (4, lambda: f"{self.misspelt(name, 1)} {author}"),
            (3, lambda: self.misspelt(name, 2)),
            (3, lambda: f"{genus} {self.misspelt(draw.choice(self.epithets), 3)}"), (2, lambda: f"{genus} × {epithet}"))
        return draw.choices([make for _, make in kinds], [share for share, _ in kinds])[0]()

    def misspelt(self, name: str, edits: int) -> str:
        """The same with letters changed behind the first one, which people seldom get wrong."""
        return name[0] + (common.misspelt(name[1:], edits, self.draw).strip() or "a")

    def scanned(self, word: str) -> str:
        for _ in range(self.draw.randint(1, 4)):
            old, new = self.draw.choice(SCANNED)
            if (place := word.find(old, 1)) > 0:
                word = word[:place] + new + word[place + len(old):]
        return word

    def absent(self) -> str:
        """Two words of names as a scanner reads them; one in fifty is a name of the data."""
        draw = self.draw
        if draw.random() < 0.02:
            return draw.choice(self.species)
        while True:
            genus, epithet = draw.choice(self.genera), draw.choice(self.epithets)
            if draw.random() < 0.65:
                genus = self.scanned(genus)
            if draw.random() < 0.4:
                epithet = self.scanned(epithet)
            if draw.random() < 0.15:
                genus = self.scanned(genus)[:draw.randint(4, 9)]
            if (name := f"{genus} {epithet}") not in self.known:
                return name


def write_lines(name: str, lines: Sequence[str]) -> Path:
    path = common.WORK / "data" / f"match-{name}.txt"
    path.write_text("".join(line + "\n" for line in lines))
    return path


def write_table(names: Names, count: int) -> Path:
    path = common.WORK / "data" / "match-wide.csv"
    draw = names.draw
    some = draw.sample(names.species, min(len(names.species), count // 10))
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "scientificName", "family", *(f"c{n}" for n in range(COLUMNS - 3))])
        for number in range(count):
            name = draw.choice(some)
            if draw.random() < 0.3:
                name += f" {draw.choice(AUTHORS)}"
            writer.writerow([number, name, "", *draw.choices(CELLS, k=COLUMNS - 3)])
    return path


# Peers --------------------------------------------------------------------------------------

COPY = ("import csv, sys\n"
        "with open(sys.argv[1], newline='') as file, open(sys.argv[2], 'w', newline='') as copy:\n"
        "    csv.writer(copy).writerows(csv.reader(file))\n")

BRUTE = ("import sys, time\n"
         "from rapidfuzz import process\n"
         "from rapidfuzz.distance import OSA\n"
         "names = open(sys.argv[1]).read().splitlines()\n"
         "asked = open(sys.argv[2]).read().splitlines()\n"
         "start = time.perf_counter()\n"
         "for name in asked:\n"
         "    process.extractOne(name, names, scorer=OSA.distance, score_cutoff=2)\n"
         "print(len(asked) / (time.perf_counter() - start))\n")


def dict_rate(names: Names, lines: List[str]) -> Dict[str, float]:
    """Names a second by a dict, and how many of a hundred it finds: taxopy and taxonkit look up exact names so."""
    ids = {name: number for number, name in enumerate(names.all)}
    start = time.perf_counter()
    found = [ids.get(line) for line in lines]
    seconds = time.perf_counter() - start
    return {"per_second": len(lines) / seconds,
            "found_percent": 100 * sum(number is not None for number in found) / len(lines)}


def brute_rate(species: Path, asked: Path) -> float:
    """Names a second by the distance to every species; 0 where rapidfuzz is not to be had."""
    python = common.environment("rapidfuzz", ["rapidfuzz"])
    return float(common.run([python, "-c", BRUTE, species, asked])) if python else 0


# The part -----------------------------------------------------------------------------------

def middle(measured: Callable[[], Duration], repeats: int) -> Duration:
    return sorted((measured() for _ in range(repeats)), key=lambda run: run.wall)[repeats // 2]


def found_percent(command: Sequence[str]) -> float:
    """How many of a hundred rows have a taxon: what a command is timed for must have been done."""
    rows = common.run([*command, "--add", "status"]).splitlines()
    taken = sum(row.rsplit("\t", 1)[-1] in ("exact", "synonym", "fuzzy", "partial") for row in rows)
    return 100 * taken / len(rows)


def measure_lists(data: common.Data, names: Names, kinds: Sequence[str], extent: Extent) -> List[Dict[str, Any]]:
    """A row for each kind of names."""
    rows = []
    for name in kinds:
        common.say(f"match: {data.name}: {name} names")
        lines = names.all if name == "clean" else [
            getattr(names, name)() for _ in range(extent.pick(500, 100_000, 200_000))]
        path = write_lines(name, lines)
        command = [str(common.stol()), "match", str(path), "--pack", str(data.pack), "--quiet"]
        run = middle(lambda: throughput(command, path), extent.pick(1, 1, 3))
        rows.append({
            "name": name, "lines": len(lines), "seconds": run.wall, "cpu_seconds": run.cpu,
            "per_second": len(lines) / run.wall, "found_percent": found_percent(command),
            "peak_mb": peak(command).resident / MEGABYTE, "dict": dict_rate(names, lines)})
    return rows


def measure(data: common.Data, extent: Extent) -> Dict[str, Any]:
    stol, names = str(common.stol()), Names(data)
    count = extent.pick(500, 100_000, 200_000)
    repeats = extent.pick(1, 1, 3)
    result: Dict[str, Any] = {
        "data": data.name, "cores": os.cpu_count(),
        "rows": measure_lists(data, names, ("clean", "wild", "absent"), extent)}
    whole = common.whole_ncbi() if extent is Extent.FULL else None
    if whole:
        result["ncbi"] = measure_lists(whole, Names(whole), ("clean", "wild"), extent)
    common.say("match: a wide table")
    table = write_table(names, count)
    command = [stol, "match", str(table), "--pack", str(data.pack), "--quiet"]
    copy = common.WORK / "data" / "match-copy.csv"
    # Both read the table once before, and write to a file.
    made = [middle(lambda: throughput(command, table), repeats),
            middle(lambda: duration([sys.executable, "-c", COPY, str(table), str(copy)]), repeats)]
    copy.unlink(missing_ok=True)
    result["table"] = {
        "rows": count, "columns": COLUMNS, "megabytes": table.stat().st_size / MEGABYTE, "seconds": made[0].wall,
        "copy_seconds": made[1].wall, "peak_mb": peak(command).resident / MEGABYTE}
    result["pack_mb"] = data.pack.stat().st_size / MEGABYTE
    common.say("match: every distance, by rapidfuzz")
    asked = write_lines("sample", [names.misspelt(names.draw.choice(names.species), 1)
                                   for _ in range(extent.pick(20, 50, 200))])
    result["brute_per_second"] = brute_rate(write_lines("species", names.species), asked)
    result["figures"] = [figure._asdict() for figure in figures(result)]
    return result


def figures(result: Dict[str, Any]) -> List[Figure]:
    found = []
    titles = {"clean": "clean names", "wild": "wild names", "absent": "scanned strings, 98 of 100 absent"}
    for row, goal in zip(result["rows"], (CLEAN, WILD, ABSENT)):
        found.append(Figure("match", f"match, {titles[row['name']]}", row["per_second"], "/s", goal, at_least=True,
                            command="stol match NAMES.txt", note=f"{result['cores']} cores"))
    for row, goal in zip(result.get("ncbi", []), (NCBI_CLEAN, NCBI_WILD)):
        found.append(Figure("match", f"all of NCBI: match, {titles[row['name']]}", row["per_second"], "/s", goal,
                            at_least=True, command="stol match NAMES.txt", note=f"{result['cores']} cores"))
    table = result["table"]
    found.append(Figure("match", f"match, a table of {table['rows']:,} rows and {table['columns']} columns, "
                        "over a copy by Python", table["seconds"] / table["copy_seconds"], "x", COPIES, is_ratio=True,
                        command="stol match TABLE.csv"))
    most = max([table["peak_mb"], *(row["peak_mb"] for row in result["rows"])])
    found.append(Figure("match", "match, peak RSS beside the pack", most - result["pack_mb"], "MB", MEMORY,
                        command="stol match NAMES.txt"))
    if result["brute_per_second"]:
        found.append(Figure("match", "match, wild names over every distance by rapidfuzz",
                            result["rows"][1]["per_second"] / result["brute_per_second"], "x", at_least=True,
                            is_ratio=True, note="rapidfuzz on one core"))
    return found


def report(result: Dict[str, Any]) -> str:
    """The tables of a result."""
    rows = [[name, f"{row['lines']:,}", common.number(row["found_percent"]), *(
        common.number(row[key]) for key in ("seconds", "cpu_seconds", "per_second", "peak_mb")),
        common.number(row["dict"]["per_second"]), common.number(row["dict"]["found_percent"])]
        for name, row in [*((row["name"], row) for row in result["rows"]),
                          *((f"all of NCBI: {row['name']}", row) for row in result.get("ncbi", []))]]
    table = result["table"]
    brute = result["brute_per_second"]
    return "\n".join([
        f"Names of {result['data']}, a line each, from a file to a pipe, {result['cores']} cores, with the usual columns; "
        "found: % that have a taxon, a higher one too",
        common.table(["names", "lines", "found %", "s", "cpu s", "a second", "peak MB", "dict, a second", "found %"],
                     rows, right=range(1, 9)),
        "",
        f"A table of {table['rows']:,} rows and {table['columns']} columns, {common.number(table['megabytes'])} MB",
        common.table(["", "s", "peak MB"], [
            ["stol match", common.number(table["seconds"]), common.number(table["peak_mb"])],
            ["a copy by Python's csv module", common.number(table["copy_seconds"]), "-"]], right=[1, 2]),
        "",
        f"The pack has {common.number(result['pack_mb'])} MB, of which peaks count what was read. The dict is one of Python "
        "in memory, as taxopy and taxonkit find names: it finds nothing that is written otherwise, and starting it is not "
        "counted. " + (f"The distance to every species by rapidfuzz: {common.number(brute)} names a second on one core. "
                       if brute else "rapidfuzz was not to be had. ")
        + "gnparser states 9,000 names a second a thread for reading names, gnmatcher about 8,000 strings a second on 12 "
        "hyper-threads for matching them; neither runs here.",
    ])


if __name__ == "__main__":
    extent = common.extent(sys.argv)
    found = measure(common.data_for(extent), extent)
    common.save("match", found)
    print(report(found))
