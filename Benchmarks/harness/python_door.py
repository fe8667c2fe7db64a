"""Measures the Python package beside taxopy and ete4 on the taxonomy of one pack.

    Tools/wheel --bench [PACK] [ROWS]

Every figure is the best of some runs, in rows a second; peers are asked fewer rows, as many as a second or so allows.
"""
import contextlib
import importlib
import io
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import time

import numpy

import stol

RANKS = ("domain", "kingdom", "phylum", "class", "order", "family", "genus", "species")


def say(what, who, rate, goal=""):
    print(f"{what:<44}{who:<16}{rate:>14,.0f}/s  {goal}", flush=True)


def best(call, runs=3):
    """The least seconds that a call takes."""
    least = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        call()
        least = min(least, time.perf_counter() - start)
    return least


def columns_of(values):
    """The same column as each library has it."""
    yield "numpy", numpy.array(values, object if isinstance(values[0], str) else None)
    for name, make in (("pandas", "Series"), ("polars", "Series"), ("pyarrow", "array")):
        with contextlib.suppress(ImportError):
            yield name, getattr(importlib.import_module(name), make)(values)


def measure_stol(pack, rows):
    source = numpy.random.default_rng(1)
    taxa, others = (source.integers(0, len(pack), rows).astype(numpy.uint32) for _ in range(2))
    ids, other_ids = pack.ids(taxa), pack.ids(others)
    say("LCA of pairs of ids", "stol", rows / best(lambda: pack.lca(ids, other_ids)), "8 M/s")
    say("LCA of pairs of ordinals", "stol", rows / best(lambda: pack.lca(taxa, others, ordinals=True)), "80 M/s")
    all_names = pack.names(numpy.arange(len(pack), dtype=numpy.uint32), ordinals=True)
    names = list(dict.fromkeys(name for name in all_names if name))[:rows]
    repeated = [names[number] for number in (source.zipf(1.3, rows) - 1) % min(58_000, len(names))]
    for kind, column in columns_of(names):
        say(f"{len(names):,} exact names, none twice", f"stol, {kind}", len(names) / best(lambda column=column: pack.resolve(column)), "2.5 M/s")
    for kind, column in columns_of(repeated):
        say("exact names that repeat", f"stol, {kind}", rows / best(lambda column=column: pack.resolve(column)), "8 M/s")
    for kind, column in columns_of(ids):
        say("lineage in eight columns", f"stol, {kind}", rows / best(lambda column=column: pack.lineage(column, RANKS)), "3 M/s")
    return names


def measure_peers(pack, names, rows):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_dump(folder, pack)
        ids = pack.ids(numpy.random.default_rng(2).integers(0, len(pack), min(rows, 20_000)).astype(numpy.uint32)).tolist()
        pairs = list(zip(ids[::2], ids[1::2]))
        with contextlib.suppress(ImportError):
            import taxopy
            files = {f"{part}_dmp": str(folder / f"{part}.dmp") for part in ("nodes", "names", "merged")}
            taxa = taxopy.TaxDb(**files, keep_files=True)
            some = names[:min(rows, 200)]
            say("exact names", "taxopy", len(some) / best(lambda: taxopy.taxid_from_name(some, taxa), 1))
            say("LCA of pairs of ids", "taxopy", len(pairs) / best(
                lambda: [taxopy.find_lca([taxopy.Taxon(a, taxa), taxopy.Taxon(b, taxa)], taxa) for a, b in pairs], 1))
            say("lineage in eight columns", "taxopy", len(ids[:5_000]) / best(
                lambda: [list(map(taxopy.Taxon(taxid, taxa).rank_name_dictionary.get, RANKS)) for taxid in ids[:5_000]], 1))
        with contextlib.suppress(ImportError):
            import ete4
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                ncbi = ete4.NCBITaxa(dbfile=str(folder / "taxa.sqlite"), taxdump_file=str(folder / "taxdump.tar.gz"))
            some = names[:20_000]
            say("exact names", "ete4", len(some) / best(lambda: ncbi.get_name_translator(some), 1))
            say("LCA of pairs of ids", "ete4", len(pairs[:200]) / best(lambda: [ncbi.get_topology(list(pair)).name for pair in pairs[:200]], 1))
            say("lineage in eight columns", "ete4", len(ids[:1_000]) / best(lambda: [ncbi.get_rank(ncbi.get_lineage(taxid)) for taxid in ids[:1_000]], 1))
            ncbi.db.close()


def write_dump(folder, pack):
    """All taxa of a pack as NCBI's taxdump has them, below one root."""
    def line(*fields):
        return "\t|\t".join(map(str, fields)) + "\t|\n"
    taxa = numpy.arange(len(pack), dtype=numpy.uint32)
    ids = pack.ids(taxa).tolist()
    parents = [lineage[-2] if len(lineage) > 1 else 1 for lineage in pack.lineage(ids, field="id")]
    with open(folder / "nodes.dmp", "w", encoding="utf-8") as nodes, open(folder / "names.dmp", "w", encoding="utf-8") as names:
        if 1 not in ids:
            nodes.write(line(1, 1, "no rank", *[""] * 10))
            names.write(line(1, "root", "", "scientific name"))
        for taxid, parent, rank, name in zip(ids, parents, pack.names(ids, "rank"), pack.names(ids)):
            nodes.write(line(taxid, parent, rank, *[""] * 10))
            names.write(line(taxid, name, "", "scientific name"))
    (folder / "merged.dmp").touch()
    with tarfile.open(folder / "taxdump.tar.gz", "w:gz") as archive:
        for part in ("nodes.dmp", "names.dmp", "merged.dmp"):
            archive.add(folder / part, part)


def measure_start(path, runs):
    """Milliseconds to the first answer, beside those of numpy alone."""
    for what, code in (("numpy alone", "import numpy"), ("import, open and the first answer", f"import stol; stol.open({path!r}).lca(1, 2)")):
        seconds = best(lambda code=code: subprocess.run([sys.executable, "-c", code], check=True), runs)
        print(f"{what:<44}{1000 * seconds:>10.0f} ms", flush=True)


def main():
    path, rows = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    pack = stol.open(path)
    print(f"{len(pack):,} taxa, {len(os.sched_getaffinity(0))} processors")
    measure_start(path, 7 if rows > 10_000 else 1)
    measure_peers(pack, measure_stol(pack, rows), rows)


if __name__ == "__main__":
    main()
