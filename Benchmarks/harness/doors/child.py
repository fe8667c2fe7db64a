"""The process of one door: ``python -m doors.child PART --pack FILE ...``, which prints what it found as JSON.

Each part runs in the Python that has what it needs.  Rates are of the fastest of some runs, since other work on a machine
only ever takes time; answers are looked at, for what is timed must have been done.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import threading
import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Callable, Dict, List

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

RANKS = ("domain", "kingdom", "phylum", "class", "order", "family", "genus", "species")
SEED = 20_240_907
THREADS = 8


def fastest(work: Callable[[], Any], runs: int) -> float:
    """Seconds of the fastest run."""
    least = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        work()
        least = min(least, time.perf_counter() - start)
    return least


def mapped(path: str) -> Dict[str, int]:
    """Kilobytes of this process: of the mappings of a file, resident and by share; and what is its own alone."""
    found = {"rss": 0, "pss": 0, "private": 0}
    for part in re.split(r"(?m)^(?=[0-9a-f]+-[0-9a-f]+ )", Path("/proc/self/smaps").read_text()):
        sizes = {name: int(size) for name, size in re.findall(r"(?m)^(Rss|Pss|Anonymous):\s+(\d+) kB", part)}
        if path in part.split("\n")[0]:
            found["rss"] += sizes["Rss"]
            found["pss"] += sizes["Pss"]
        found["private"] += sizes.get("Anonymous", 0)
    return found


# Python -------------------------------------------------------------------------------------

def starting(pack: str, runs: int) -> Dict[str, float]:
    """Milliseconds from the first line of a program to its first answer, and how many of these numpy takes."""
    def least(program: str) -> float:
        return min(float(subprocess.run([sys.executable, "-c", program, pack], check=True, capture_output=True, text=True).stdout)
                   for _ in range(runs))
    before, after = "import sys, time\nstart = time.perf_counter()\n", "\nprint(1000 * (time.perf_counter() - start))"
    return {"first_answer_ms": least(before + "import stol\nstol.open(sys.argv[1]).resolve('Homo sapiens')" + after),
            "numpy_ms": least(before + "import numpy" + after)}


def sharer(pack: str, names: List[str], barrier: Any, queue: Any) -> None:
    import stol
    stol.open(pack).resolve(names)
    barrier.wait()
    queue.put(mapped(pack))
    # Nobody goes before all have looked.
    barrier.wait()


def memory(pack: str, names: List[str]) -> Dict[str, float]:
    """Shares of the mapping in processes that all have asked for the same, and what a thread adds to one process."""
    import stol
    context = get_context("spawn")
    barrier, queue = context.Barrier(4), context.Queue()
    processes = [context.Process(target=sharer, args=(pack, names, barrier, queue)) for _ in range(4)]
    for process in processes:
        process.start()
    found = [queue.get() for _ in processes]
    for process in processes:
        process.join()
    opened = stol.open(pack)
    opened.resolve(names)
    opened.match(names[:1_000], add="taxonID")
    before, ready, done = mapped(pack)["private"], threading.Barrier(THREADS + 1), threading.Barrier(THREADS + 1)

    def ask() -> None:
        answer = opened.resolve(names[:1_000]), opened.match(names[:1_000], add="taxonID"), opened.search(names[:10], limit=3)
        ready.wait()
        done.wait()
        del answer

    threads = [threading.Thread(target=ask) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    ready.wait()
    growth = mapped(pack)["private"] - before
    done.wait()
    for thread in threads:
        thread.join()
    return {"rss_mb": max(one["rss"] for one in found) / 1000, "pss_sum_mb": sum(one["pss"] for one in found) / 1000,
            "thread_mb": growth / THREADS / 1000}


def rates(pack: Any, names: Any, repeated: Any, ids: Any, runs: int) -> Dict[str, float]:
    """Rows a second of what is asked with columns of any kind."""
    return {"names": len(names) / fastest(lambda: pack.resolve(names), runs),
            "names_repeated": len(repeated) / fastest(lambda: pack.resolve(repeated), runs),
            "lineage": len(ids) / fastest(lambda: pack.lineage(ids, ranks=RANKS), runs)}


def python(options: argparse.Namespace) -> Dict[str, Any]:
    import numpy
    import polars
    import pyarrow
    import stol
    from stol._threads import use_threads
    result: Dict[str, Any] = {**starting(options.pack, options.runs * 3)}
    pack, count, draw = stol.open(options.pack), options.rows, numpy.random.default_rng(SEED)
    every = numpy.arange(len(pack), dtype=numpy.uint32)
    ids = pack.ids(every)
    ids = ids[ids != stol.NO_ID]
    a, b = draw.choice(ids, count), draw.choice(ids, count)
    first, second = pack.taxa(a), pack.taxa(b)
    names = pyarrow.array(pack.names(every, ordinals=True)).drop_null()
    even = names.take(pyarrow.array(draw.integers(0, len(names), count)))
    shares = numpy.cumsum(1 / numpy.arange(1, len(names) + 1))
    repeated = names.take(pyarrow.array(numpy.minimum(numpy.searchsorted(shares / shares[-1], draw.random(count)), len(names) - 1)))
    assert numpy.array_equal(pack.ids(pack.lca(first, second, ordinals=True)), pack.lca(a, b))
    assert pack.lca(a, a).tolist() == a.tolist()
    column = pyarrow.array(a)
    for threads in (1, 2):
        use_threads(threads)
        result[f"threads_{threads}"] = {
            "lca": count / fastest(lambda: pack.lca(a, b), options.runs),
            "lca_ordinals": count / fastest(lambda: pack.lca(first, second, ordinals=True), options.runs),
            **rates(pack, even, repeated, column, options.runs)}
    made = {"list": pyarrow.Array.to_pylist, "numpy": lambda column: column.to_numpy(zero_copy_only=False), "pandas": pyarrow.Array.to_pandas,
            "polars": polars.from_arrow}
    result["kinds"] = {kind: rates(pack, make(even), make(repeated), make(column), options.runs) for kind, make in made.items()}
    statuses = pack.resolve(even)[1].value_counts().to_pylist()
    result["found_percent"] = 100 * sum(entry["counts"] for entry in statuses if entry["values"] in ("exact", "synonym", "ambiguous")) / count
    result["memory"] = memory(options.pack, even.to_pylist())
    return result


# Beside it ----------------------------------------------------------------------------------

def taxopy(options: argparse.Namespace) -> Dict[str, Any]:
    """LCAs, lineages and names one by one, as this library is asked."""
    asked = Objects(options, "Taxopy")
    result, library, taxonomy = asked.result, asked.peer.library, asked.peer.taxonomy
    # Each name is looked for among all of them.
    names, ids = asked.names[:1 + options.rows // 50], asked.ids[:options.rows]
    result["names"] = len(names) / fastest(lambda: library.taxid_from_name(names, taxonomy), options.runs)
    result["lineage"] = len(ids) / fastest(
        lambda: [list(map(library.Taxon(taxon, taxonomy).rank_name_dictionary.get, RANKS)) for taxon in ids], options.runs)
    return result


def ete4(options: argparse.Namespace) -> Dict[str, Any]:
    """LCAs in a tree of objects; names and lineages in its own database, which it makes of NCBI's files."""
    asked = Objects(options, "ETE4")
    result, names, ids = asked.result, asked.names[:options.rows], asked.ids[:1 + options.rows // 10]
    # The tree goes before another one comes.
    del asked.peer
    taxonomy = asked.taxonomy()
    result["names"] = len(names) / fastest(lambda: taxonomy.get_name_translator(names), options.runs)
    result["lineage"] = len(ids) / fastest(lambda: [taxonomy.get_rank(taxonomy.get_lineage(taxon)) for taxon in ids], options.runs)
    return result


class Objects:
    """A library that holds the tree as objects: how fast it loads and finds LCAs, and what else it may be asked."""

    def __init__(self, options: argparse.Namespace, kind: str) -> None:
        import random
        from peers import trees
        import common
        import usage
        self.database, self.folder = Path(options.database), Path(options.folder) / kind.lower()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.peer = getattr(trees, kind)(self.database, self.folder)
        self.peer.build()
        start = time.perf_counter()
        self.peer.load()
        loaded = time.perf_counter() - start
        draw = random.Random(SEED)
        taxa = common.rows(self.database, "SELECT id, scientific_name FROM taxa")
        drawn = [draw.choice(taxa) for _ in range(2 * options.rows)]
        self.ids, self.names = [taxon for taxon, _ in drawn], [name for _, name in drawn]
        pairs, ask = list(zip(self.ids[::2], self.ids[1::2])), self.peer.ask("lca")
        self.result = {"load_s": loaded, "lca": len(pairs) / fastest(lambda: [ask(pair) for pair in pairs], options.runs),
                       "peak_mb": usage.own_peak() / 1e6}

    def taxonomy(self) -> Any:
        """The database of ete4, of files as NCBI's taxdump has them, with a root over all."""
        import ete4 as library
        import tarfile
        import common
        made, dump = self.folder / "taxa.sqlite", self.folder / "taxdump.tar.gz"
        # It writes where it is.
        os.chdir(self.folder)
        if not made.exists() or made.stat().st_mtime < self.database.stat().st_mtime:
            made.unlink(missing_ok=True)
            taxa = common.rows(self.database, "SELECT id, coalesce(parent_id, 1), rank, scientific_name FROM taxa")
            taxa = [(1, 1, "no rank", "root"), *(row for row in taxa if row[0] != 1)]
            rows = {"nodes": [(taxon, parent, rank, *[""] * 10) for taxon, parent, rank, _ in taxa],
                    "names": [(taxon, name, "", "scientific name") for taxon, _, _, name in taxa], "merged": []}
            with tarfile.open(dump, "w:gz") as archive:
                for part, lines in rows.items():
                    path = self.folder / f"{part}.dmp"
                    path.write_text("".join("\t|\t".join(map(str, line)) + "\t|\n" for line in lines))
                    archive.add(path, path.name)
        return library.NCBITaxa(dbfile=str(made), taxdump_file=str(dump))


# DuckDB -------------------------------------------------------------------------------------

def duckdb(options: argparse.Namespace) -> Dict[str, Any]:
    """A table of occurrences in memory, on two threads."""
    import duckdb as library
    database = library.connect(config={"allow_unsigned_extensions": "true"})
    database.execute(f"LOAD '{options.extension}'")
    database.execute("SET threads = 2")
    database.execute("CALL stol_attach(?)", [options.pack])
    # What SQL does by itself: names by a join, the least and the greatest id of a group.
    database.execute("CREATE TABLE known AS SELECT name, min(id) AS id FROM stol_taxa() GROUP BY name HAVING count(*) = 1")
    result: Dict[str, Any] = {"version": library.__version__}
    for kind in ("even", "repeated"):
        database.execute(f"CREATE OR REPLACE TABLE rows AS FROM read_parquet('{options.folder}/{kind}/*.parquet') LIMIT {options.rows}")

        def ask(question: str) -> Callable[[], int]:
            return lambda: database.execute(question).fetchone()[0]

        rows = ask("SELECT count(*) FROM rows")()
        of_events = "SELECT count(*) FROM (SELECT {} AS taxon FROM rows GROUP BY eventID) WHERE taxon IS NOT NULL"
        questions = {
            "names": "SELECT count_if(stol_taxon(scientificName) = truth) FROM rows",
            "joined": "SELECT count_if(id = truth) FROM rows LEFT JOIN known ON name = scientificName",
            "matched": "SELECT count_if(stol_match(scientificName).id = truth) FROM rows",
            "lca": of_events.format("stol_lca(truth)"), "ends": of_events.format("min(truth) + max(truth)"),
            "rank": "SELECT count(stol_rank(truth, 'family')) FROM rows", "name": "SELECT count(stol_name(truth)) FROM rows"}
        result[kind] = {name: rows / fastest(ask(question), options.runs) for name, question in questions.items()}
        result[kind].update(rows=rows, right_percent=100 * ask(questions["matched"])() / rows)
    return result


# Spark --------------------------------------------------------------------------------------

def spark(options: argparse.Namespace) -> Dict[str, Any]:
    """Tables of occurrences on a cluster of two workers of one core, by stol and by a dictionary that is sent to them."""
    root = Path(__file__).resolve().parents[3]
    sys.path.insert(0, str(root / "Tools" / "tests"))
    from cluster import Cluster
    from pyspark.sql import functions as F
    from stol import spark as door
    import common
    cluster = Cluster(memory="2g")
    session = cluster.session("1g", **{"spark.sql.files.maxPartitionBytes": "32m"})
    try:
        result: Dict[str, Any] = {}
        for kind in ("even", "repeated"):
            table = session.read.parquet(str(Path(options.folder) / kind))
            rows = table.count()

            def timed(work: Callable[[], Any]) -> Any:
                worked, start = cluster.processor_seconds(), time.perf_counter()
                found = work()
                seconds, worked = time.perf_counter() - start, cluster.processor_seconds() - worked
                return {"seconds": seconds, "per_second": rows / seconds, "core_us": 1e6 * worked / rows,
                        **({"right_percent": 100 * found / rows} if found else {})}

            def right(matched: Any, taxon: str = "taxonID") -> int:
                """How many rows have the taxon whose name was written, perhaps misspelt."""
                return matched.agg(F.sum((F.col(taxon) == F.col("truth")).cast("int"))).first()[0]

            def match(distinct: Any) -> Any:
                return door.match(table, pack=options.pack, add=["status", "taxonID"], distinct=distinct)

            found: Dict[str, Any] = {"rows": rows}
            # The first jobs compile what all others use.
            right(match(False).limit(100_000))
            found["read"] = timed(lambda: table.agg(F.sum(F.length("scientificName"))).first() and 0)
            found["through_python"] = timed(lambda: table.mapInArrow(lambda batches: batches, table.schema).agg(F.sum("truth")).first() and 0)
            found["each_row"] = timed(lambda: right(match(False)))
            found["distinct"] = timed(lambda: right(match(True)))
            found["chosen"] = timed(lambda: right(match(None)))
            found["names"] = table.select("scientificName").distinct().count()
            found["lca"] = timed(lambda: door.lca(table, "eventID", "truth", pack=options.pack).agg(F.count("lca")).first() and 0)
            known = {name: taxon for taxon, name in common.rows(
                Path(options.database), "SELECT min(id), scientific_name FROM taxa GROUP BY scientific_name HAVING count(*) = 1")}
            sent = session.sparkContext.broadcast(known)

            def looked_up(batches: Any) -> Any:
                import pyarrow
                names = sent.value
                for batch in batches:
                    taxa = pyarrow.array([names.get(name) for name in batch.column("scientificName").to_pylist()], pyarrow.int64())
                    yield pyarrow.RecordBatch.from_arrays([*batch.columns, taxa], [*batch.schema.names, "taxonID"])

            from pyspark.sql.types import LongType, StructField, StructType
            schema = StructType([*table.schema.fields, StructField("taxonID", LongType())])
            found["dictionary"] = timed(lambda: right(table.mapInArrow(looked_up, schema)))
            sent.destroy()
            result[kind] = found
        return result
    finally:
        session.stop()
        cluster.stop()


PARTS: Dict[str, Callable[[argparse.Namespace], Dict[str, Any]]] = {
    "python": python, "taxopy": taxopy, "ete4": ete4, "duckdb": duckdb, "spark": spark}


def main() -> None:
    parser = argparse.ArgumentParser(prog="doors.child", description=__doc__.split("\n")[0])
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--pack", required=True)
    parser.add_argument("--database", required=True)
    parser.add_argument("--folder", required=True, help="where tables and indexes lie")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--extension", help="that of DuckDB")
    given = parser.parse_args()
    given.pack = os.path.realpath(given.pack)
    # Spark says much on standard output and error; the last line is the answer.
    print(json.dumps(PARTS[given.part](given)))


if __name__ == "__main__":
    main()
