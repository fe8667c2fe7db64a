"""Whole processes of the command as it is shipped: one question, many questions on all processors, compiling.

Beside them the ``sqlite3`` command answers the same questions from the same database, with the
indexes that they need in a copy of it.  One megabyte is 1,000,000 bytes here, of memory too.
"""

import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any, Callable, Dict, List, NamedTuple, Optional

import common
from common import MEGABYTE, Extent
from pagecache import FEW_PAGES, make_cold, read_ahead_kilobytes, write_back
from running import Duration, Peak, clean_environment, duration, peak, throughput
from sqlite_command import SQLiteCommand, indexed_copy


# One question -------------------------------------------------------------------------------

class Question(NamedTuple):
    """One question to both."""

    name: str
    words: List[str]       # what follows "stol query"
    sql: Optional[str]     # what SQLite is asked, if it can answer that


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def questions(database: Path) -> List[Question]:
    """Lions and tigers, or two other species where there are none."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        def species(name: str, share: float) -> str:
            row = connection.execute("SELECT 1 FROM taxa WHERE scientific_name = ?", (name,))
            if row.fetchone():
                return name
            return connection.execute(
                "SELECT scientific_name FROM taxa WHERE rank = 'species' AND id >= "
                "(SELECT min(id) + ? * (max(id) - min(id)) FROM taxa) ORDER BY id LIMIT 1",
                (share,)).fetchone()[0]

        a, b = species("Panthera leo", 0.3), species("Felis catus", 0.6)
        common_name = connection.execute(
            "SELECT n.name FROM names n JOIN taxa t ON t.id = n.taxon_id "
            "WHERE t.scientific_name = ? ORDER BY n.is_preferred DESC, n.id", (a,)).fetchone()
    word = (common_name[0] if common_name else a).split()[0]
    typed = a[:5].lower()
    misspelt = a[:3] + a[4:]
    lineage = ("{0}(id, parent, depth) AS (SELECT id, parent_id, 0 FROM taxa WHERE "
               "scientific_name = {1} UNION ALL SELECT t.id, t.parent_id, depth + 1 FROM taxa t "
               "JOIN {0} ON t.id = {0}.parent)")
    taxon = f"(SELECT id FROM taxa WHERE scientific_name = {quoted(a)})"
    return [
        Question("search", ["search", word],
                 "SELECT t.id, t.rank, t.scientific_name, s.name FROM search_fts f "
                 "JOIN search_names s ON s.rowid = f.rowid JOIN taxa t ON t.id = s.taxon_id "
                 f"WHERE search_fts MATCH {quoted(word + '*')} ORDER BY f.rank LIMIT 20"),
        Question("search, misspelt", ["search", misspelt], None),
        Question("complete", ["complete", typed],
                 "SELECT t.id, t.rank, t.scientific_name, s.name FROM search_names s "
                 f"JOIN taxa t ON t.id = s.taxon_id WHERE folded >= {quoted(typed)} "
                 f"AND folded < {quoted(typed + chr(0x10FFFF))} ORDER BY folded LIMIT 10"),
        Question("lca", ["lca", a, b],
                 f"WITH RECURSIVE {lineage.format('a', quoted(a))}, "
                 f"{lineage.format('b', quoted(b))} "
                 "SELECT t.id, t.rank, t.scientific_name, a.depth + b.depth FROM a "
                 "JOIN b ON b.id = a.id JOIN taxa t ON t.id = a.id ORDER BY a.depth LIMIT 1"),
        Question("show", ["show", a],
                 f"SELECT * FROM taxa WHERE id = {taxon}; "
                 f"SELECT name, lang, name_type FROM names WHERE taxon_id = {taxon}; "
                 f"SELECT trait_key, trait_value FROM traits WHERE taxon_id = {taxon}; "
                 f"SELECT citation, url FROM refs WHERE taxon_id = {taxon}"),
    ]


def ask(command: List[str], files: List[Path], warm_runs: int, cold_runs: int) -> Dict[str, Any]:
    """How long a question takes and how much memory, with warm and with cold page cache."""
    for _ in range(3):
        duration(command)
    runs = [duration(command) for _ in range(warm_runs)]
    warm = [run.wall * 1000 for run in runs]
    peaks = sorted((peak(command) for _ in range(5)), key=lambda found: found.resident)
    cold, left = [], 0
    for _ in range(cold_runs):
        left = max(left, make_cold(files))
        cold.append(duration(command).wall * 1000)
    return {
        "warm_ms": statistics.median(warm), "warm_least_ms": min(warm),
        "cpu_ms": statistics.median(run.cpu * 1000 for run in runs),
        "cold_ms": statistics.median(cold), "cold_least_ms": min(cold),
        "pages_left": left, "peak_mb": peaks[-1].resident / MEGABYTE,
        "anonymous_mb": peaks[-1].anonymous / MEGABYTE if peaks[-1].anonymous >= 0 else None,
    }


def measure_questions(data: common.Data, stol: Path, sqlite: SQLiteCommand,
                      extent: Extent) -> Dict[str, Any]:
    warm_runs, cold_runs = extent.pick((2, 1), (20, 8), (50, 20))
    # References are read from a database that lies beside the pack.
    files = [data.pack, stol, data.database]
    write_back(files + sqlite.files)
    rows = []
    for question in questions(data.database):
        common.say(f"process: {question.name}")
        command = [str(stol), "query", *question.words, "--pack", str(data.pack)]
        row = {"name": question.name, "words": question.words,
               "stol": ask(command, files, warm_runs, cold_runs)}
        if question.sql:
            row["sqlite"] = ask(sqlite.question(question.sql), sqlite.files, warm_runs, cold_runs)
        rows.append(row)
    nothing = [shutil.which("true") or "/bin/true"]
    floor = statistics.median(duration(nothing).wall * 1000 for _ in range(warm_runs))
    return {"rows": rows, "floor_ms": floor, "warm_runs": warm_runs, "cold_runs": cold_runs}


# Many questions -----------------------------------------------------------------------------

def write_lines(name: str, count: int, line: Callable[[], str]) -> Path:
    path = common.WORK / "data" / f"process-{name}.txt"
    with path.open("w", encoding="utf-8") as file:
        file.writelines(line() + "\n" for _ in range(count))
    return path


# What a line of a batch says of a text that leads to a taxon, or to several of one name.
FOUND = {b"exact", b"synonym", b"common", b"fuzzy", b"ambiguous"}


def check_batch(command: List[str], lines: Path, must_be_found: bool) -> int:
    """Asks the first lines only and looks at what comes out; how many of them found something."""
    with lines.open("rb") as file:
        first = b"".join(line for line, _ in zip(file, range(10_000)))
    answer = subprocess.run(command, input=first, stdout=subprocess.PIPE, env=clean_environment())
    rows = answer.stdout.split(b"\n")[1:-1]
    # Several taxa of one name are found too: the line is "ambiguous" and names them.
    found = sum(row.split(b"\t")[1] in FOUND for row in rows)
    asked = first.count(b"\n")
    if len(rows) != asked or (must_be_found and found != asked):
        words = " ".join(word.replace(f"{common.ROOT}/", "") for word in command)
        raise SystemExit(f"bench: {words}: {asked} lines asked, {len(rows)} answered, "
                         f"{found} found")
    return found * 100 // asked


def measure_batches(data: common.Data, stol: Path, extent: Extent) -> List[Dict[str, Any]]:
    draw = random.Random(common.SEED)
    ids = [taxon for (taxon,) in common.rows(data.database, "SELECT id FROM taxa ORDER BY id")]
    names = [name for (name,) in common.rows(
        data.database, "SELECT scientific_name FROM taxa UNION ALL SELECT name FROM names")
        if not set(name) & set("\t\n\r\"")]
    folded = [name.lower() for name in names]
    many = extent.pick(2_000, 200_000, 1_000_000)
    pairs = write_lines("pairs", many, lambda: f"{draw.choice(ids)}\t{draw.choice(ids)}")
    exact = write_lines("names", many, lambda: draw.choice(names))
    fuzzy = write_lines("misspelt", many // 10, lambda: common.misspelt(
        draw.choice(folded), draw.randint(1, 2), draw).strip() or "a")
    repeats = extent.pick(1, 1, 3)
    batches = [("LCA of pairs of ids", ["lca", "-"], pairs, True),
               ("exact names", ["search", "-", "--mode", "exact"], exact, True),
               ("fuzzy names, 1 or 2 edits", ["search", "-", "--mode", "fuzzy"], fuzzy, False)]
    rows = []
    for name, words, lines, must_be_found in batches:
        common.say(f"process: {name}")
        count = sum(1 for _ in lines.open("rb"))
        command = [str(stol), "query", *words, "--pack", str(data.pack), "--quiet", "--tsv"]
        # Pairs of different trees have no common ancestor; those of one tree all have one.
        found = check_batch(command, lines, must_be_found and words[0] != "lca")
        runs = [throughput(command, lines) for _ in range(repeats)]
        rows.append({"name": name, "words": words, "found_percent": found,
                     **batch_row(count, runs, peak(command, stdin=str(lines)))})
    return rows


def measure_all_batches(data: common.Data, stol: Path, sqlite: SQLiteCommand,
                        extent: Extent) -> Dict[str, Any]:
    result: Dict[str, Any] = {"rows": measure_batches(data, stol, extent)}
    common.say(f"process: exact names with {sqlite.name}")
    exact = common.WORK / "data" / "process-names.txt"
    command = sqlite.exact_names(exact)
    result["sqlite"] = {
        "name": f"exact names, {sqlite.name}",
        **batch_row(result["rows"][1]["lines"], [throughput(command, exact)], peak(command))}
    whole = common.whole_ncbi() if extent is Extent.FULL else None
    if whole:
        common.say("process: batches over all of NCBI")
        result["ncbi"] = measure_batches(whole, stol, extent)
    return result


def batch_row(lines: int, runs: List[Duration], most: Peak) -> Dict[str, Any]:
    seconds = statistics.median(run.wall for run in runs)
    return {"lines": lines, "seconds": seconds, "per_second": lines / seconds,
            "cpu_seconds": statistics.median(run.cpu for run in runs),
            "peak_mb": most.resident / MEGABYTE}


# Compiling ----------------------------------------------------------------------------------

def measure_compiling(data: common.Data, stol: Path, extent: Extent) -> Dict[str, Any]:
    common.say("process: compiling")
    pack = common.WORK / "data" / "process.stolpack"
    command = [str(stol), "pack", str(data.database), "-o", str(pack), "--quiet"]
    data.database.read_bytes()  # The cache is warm, whatever ran before.
    seconds = []
    for _ in range(extent.pick(1, 1, 3)):
        pack.unlink(missing_ok=True)
        seconds.append(duration(command).wall)
    pack.unlink(missing_ok=True)
    most = peak(command)
    content = pack.read_bytes()
    pack.unlink()
    taxa, authors = common.rows(data.database, "SELECT count(*), count(author) FROM taxa")[0]
    packer = zlib.compressobj(6, wbits=31)
    gzip_count = len(packer.compress(content)) + len(packer.flush())
    return {"taxa": taxa, "authors": authors, "seconds": statistics.median(seconds),
            "peak_mb": most.resident / MEGABYTE, "pack_bytes": len(content),
            "bytes_a_taxon": len(content) / taxa, "gzip_mb": gzip_count / MEGABYTE}


# Two releases -------------------------------------------------------------------------------

def next_release(database: Path) -> Path:
    """A copy in which of every hundred taxa two are renamed, two moved and one is gone."""
    path = common.WORK / "data" / "process-next.sqlite"
    shutil.copyfile(database, path)
    with sqlite3.connect(path) as connection:
        connection.executescript("""
            UPDATE taxa SET scientific_name = scientific_name || 'oides' WHERE id % 50 = 7;
            UPDATE taxa SET parent_id = (SELECT parent_id FROM taxa p WHERE p.id = taxa.parent_id)
              WHERE id % 50 = 11 AND rank = 'species';
            CREATE TEMP TABLE gone AS SELECT id FROM taxa WHERE id % 100 = 13 AND rank = 'species';
            DELETE FROM names WHERE taxon_id IN gone;
            DELETE FROM traits WHERE taxon_id IN gone;
            DELETE FROM refs WHERE taxon_id IN gone;
            DELETE FROM taxa WHERE id IN gone;
            """)
    connection.close()
    return path


def measure_diff(data: common.Data, stol: Path, extent: Extent) -> Dict[str, Any]:
    common.say("process: what changed from one release to the next")
    database = next_release(data.database)
    pack = database.with_suffix(".stolpack")
    common.run([stol, "pack", database, "-o", pack, "--quiet"])
    command = [str(stol), "db", "diff", str(data.pack), str(pack), "--tsv"]
    changes = common.run(command).count("\n") - 1
    seconds = [duration(command).wall for _ in range(extent.pick(1, 1, 3))]
    most = peak(command)
    database.unlink()
    pack.unlink()
    return {"changes": changes, "seconds": statistics.median(seconds),
            "peak_mb": most.resident / MEGABYTE}


# The part -----------------------------------------------------------------------------------

def figures(result: Dict[str, Any]) -> List[common.Figure]:
    found = []
    for row in result["questions"]["rows"]:
        words = " ".join(f'"{word}"' if " " in word else word for word in row["words"])
        command = f"stol query {words} --pack {result['data']}.stolpack"
        answer = row["stol"]
        is_cold = answer["pages_left"] <= FEW_PAGES
        found += [
            common.Figure("process", f"{row['name']}, warm", answer["warm_ms"], "ms", 2.2, "< 2 s",
                          command=command),
            common.Figure("process", f"{row['name']}, cold", answer["cold_ms"], "ms", 20,
                          command=command,
                          note="" if is_cold else "the page cache could not be emptied"),
            common.Figure("process", f"{row['name']}, peak RSS", answer["peak_mb"], "MB", 16,
                          command=command)]
        if "sqlite" in row:
            found.append(common.Figure(
                "process", f"{row['name']}, sqlite3 over stol, warm",
                row["sqlite"]["warm_ms"] / answer["warm_ms"], "x", at_least=True, is_ratio=True))
    batch = result["batch"]
    for row, goal in zip(batch["rows"], (2_500_000, 1_200_000, 80_000)):
        found.append(common.Figure(
            "process", f"batch, {row['name']}", row["per_second"], "/s", goal, at_least=True,
            command=f"stol query {' '.join(row['words'])} < LINES"))
    for row, goal in zip(batch.get("ncbi", []), (2_000_000, 800_000, 25_000)):
        found.append(common.Figure(
            "process", f"all of NCBI: batch, {row['name']}", row["per_second"], "/s", goal, at_least=True,
            command=f"stol query {' '.join(row['words'])} < LINES"))
    found.append(common.Figure(
        "process", "the command without the built-in data", result["binary_mb"], "MB", 40))
    found.append(common.Figure(
        "process", "batch, exact names, stol over sqlite3",
        batch["rows"][1]["per_second"] / batch["sqlite"]["per_second"], "x", at_least=True,
        is_ratio=True))
    compiling, command = result["compiling"], f"stol pack {result['data']}.sqlite -o PACK"
    note = "authors counted" if compiling["authors"] else ""
    found += [
        common.Figure("process", "compile from SQLite", compiling["seconds"], "s", 1.2,
                      command=command),
        common.Figure("process", "compile, peak RSS", compiling["peak_mb"], "MB", 400,
                      command=command),
        common.Figure("process", "pack, a taxon", compiling["bytes_a_taxon"], "bytes", 32,
                      command=command, note=note),
        common.Figure("process", "pack after gzip", compiling["gzip_mb"], "MB", 12, "<= 20 MB",
                      command=f"gzip -6 -c {result['data']}.stolpack | wc -c")]
    # The goal is that of 2.6 million taxa, 60 s, by share.
    found += [
        common.Figure("process", "diff of two releases", result["diff"]["seconds"], "s",
                      60 * compiling["taxa"] / 2_600_000, command="stol db diff OLD NEW --tsv"),
        common.Figure("process", "diff, peak RSS", result["diff"]["peak_mb"], "MB", 1_000,
                      command="stol db diff OLD NEW --tsv")]
    return found


def binary_bytes(stol: Path) -> int:
    """The length of the command without the built-in taxonomy, which it carries as it is in the repository."""
    folder = common.ROOT / "Sources" / "CDefaultDatabase"
    data = sum((folder / name).stat().st_size for name in ("default.sqlite.gz", "default.stolpack"))
    return stol.stat().st_size - data


def measure(data: common.Data, extent: Extent) -> Dict[str, Any]:
    """Everything about whole processes."""
    stol = common.stol()
    sqlite = SQLiteCommand(indexed_copy(data.database))
    result: Dict[str, Any] = {
        "data": data.name, "origin": data.origin, "sqlite": sqlite.name,
        "read_ahead_kb": read_ahead_kilobytes(data.pack),
        "questions": measure_questions(data, stol, sqlite, extent),
        "batch": measure_all_batches(data, stol, sqlite, extent),
        "binary_mb": binary_bytes(stol) / MEGABYTE,
        "compiling": measure_compiling(data, stol, extent),
        "diff": measure_diff(data, stol, extent),
    }
    result["figures"] = [figure._asdict() for figure in figures(result)]
    return result


def report(result: Dict[str, Any]) -> str:
    """The tables of a result."""
    def cells(answer: Optional[Dict[str, Any]]) -> List[str]:
        names = ("warm_ms", "warm_least_ms", "cpu_ms", "cold_ms", "peak_mb")
        return [common.number(answer[name]) if answer else "-" for name in names]

    asked = result["questions"]
    rows = []
    for row in asked["rows"]:
        anonymous = row["stol"]["anonymous_mb"]
        rows.append([" ".join(row["words"]), *cells(row["stol"]),
                     "-" if anonymous is None else common.number(anonymous),
                     *cells(row.get("sqlite"))])
    name = result["sqlite"]
    left = max(row["stol"]["pages_left"] for row in asked["rows"])
    parts = [
        f"One question, one process ({result['data']}): medians of {asked['warm_runs']} warm and "
        f"{asked['cold_runs']} cold runs",
        common.table(["stol query", "warm ms", "least", "cpu ms", "cold ms", "peak MB", "anon MB",
                      f"{name}: warm ms", "least", "cpu ms", "cold ms", "peak MB"], rows,
                     right=range(1, 12)),
        f"A process that does nothing takes {common.number(asked['floor_ms'])} ms. Before a cold "
        f"run pack, command and database have at most {left} pages in the cache; the disk reads "
        f"{result['read_ahead_kb'] or '?'} kB at once. {name} completes in the order of letters, "
        "not of prominence; similar names it does not find.",
        "",
        "Many questions, from a file to a pipe, on all processors",
        common.table(
            ["batch", "lines", "found", "s", "cpu s", "a second", "peak MB"],
            [[row["name"], f"{row['lines']:,}",
              f"{row['found_percent']} %" if "found_percent" in row else "",
              *(common.number(row[name])
                for name in ("seconds", "cpu_seconds", "per_second", "peak_mb"))]
             for row in [*result["batch"]["rows"], result["batch"]["sqlite"],
                         *({**row, "name": f"all of NCBI: {row['name']}"}
                           for row in result["batch"].get("ncbi", []))]],
            right=range(1, 7)),
        "",
        "Compiling",
        common.table(
            ["taxa", "s", "peak MB", "pack MB", "bytes a taxon", "gzip MB"],
            [[f"{result['compiling']['taxa']:,}", common.number(result["compiling"]["seconds"]),
              common.number(result["compiling"]["peak_mb"]),
              common.number(result["compiling"]["pack_bytes"] / MEGABYTE),
              common.number(result["compiling"]["bytes_a_taxon"]),
              common.number(result["compiling"]["gzip_mb"])]], right=range(6)),
        "",
        "What changed from one release to the next",
        common.table(
            ["changes", "s", "peak MB"],
            [[f"{result['diff']['changes']:,}", common.number(result["diff"]["seconds"]),
              common.number(result["diff"]["peak_mb"])]], right=range(3)),
    ]
    return "\n".join(parts)


if __name__ == "__main__":
    extent = common.extent(sys.argv)
    found = measure(common.data_for(extent), extent)
    common.save("process", found)
    print(report(found))
