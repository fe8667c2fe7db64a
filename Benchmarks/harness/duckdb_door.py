"""The extension of Doors/duckdb over tables of millions of rows, beside what DuckDB does with tables of its own.

    Tools/duckdb --bench PACK [ROWS]

Names and ids are those of the pack, drawn evenly, and as real columns repeat them, a few of them most of the time (Zipf).
A table of names and ids, joined by name, is the peer of stol_taxon; least and greatest id by group, that of stol_lca.
Prints a line of JSON for each figure: millions of rows a second, and nanoseconds of the processors for a row, which
work beside it changes less.
"""
import json
import statistics
import sys
import time

import duckdb

ROWS, RUNS, GROUP, BATCH = 10_000_000, 3, 100, 2_000_000
# What these should do, on two threads.
EXACT, LCA = 3, 20


def prepare(database, rows):
    """Tables of names and ids, drawn with a fixed seed."""
    database.execute("SET threads = 2")
    database.execute("CREATE TABLE taxa AS SELECT row_number() OVER (ORDER BY hash(name)) - 1 AS place, id, name FROM stol_taxa() WHERE id IS NOT NULL")
    database.execute("CREATE TABLE names AS SELECT name, min(id) AS id FROM taxa GROUP BY name HAVING count(*) = 1")
    (count,) = database.execute("SELECT count(*) FROM taxa").fetchone()
    for table, place in (("even", "floor(u * $count)"), ("zipf", "floor($count ** u) - 1")):
        database.execute("SELECT setseed(0.5)")
        database.execute(f"CREATE TABLE {table} AS SELECT row, id, name FROM (SELECT row, ({place})::BIGINT AS place "
                         "FROM (SELECT range AS row, random() AS u FROM range($rows))) JOIN taxa USING (place)",
                         {"count": count, "rows": rows})
    database.execute(f"CREATE TABLE wild AS SELECT row, CASE WHEN hash(row) % 20 = 0 AND length(name) > 6 "
                     f"THEN name[:5] || name[7:] ELSE name END AS name FROM even WHERE row < {min(rows, BATCH)}")


def rate(database, sql, rows):
    """Millions of rows a second, nanoseconds of processors a row, the medians of some runs, and what it answers."""
    took, worked = [], []
    for _ in range(RUNS):
        start, before = time.perf_counter(), time.process_time()
        (answer,) = database.execute(sql).fetchone()
        worked.append(time.process_time() - before)
        took.append(time.perf_counter() - start)
    return rows / statistics.median(took) / 1e6, statistics.median(worked) / rows * 1e9, answer


def main():
    extension, pack = sys.argv[1:3]
    rows = int(sys.argv[3]) if len(sys.argv) > 3 else ROWS
    database = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    database.execute(f"LOAD '{extension}'")
    database.execute("CALL stol_attach(?)", [pack])
    prepare(database, rows)
    groups = f"(SELECT row // {GROUP} AS bag, {{}} FROM {{}} GROUP BY bag)"
    for what, sql, count, goal in (
            ("names drawn evenly: stol_taxon", "SELECT count(stol_taxon(name)) FROM even", rows, EXACT),
            ("names drawn evenly: join of a table", "SELECT count(names.id) FROM even LEFT JOIN names USING (name)", rows, None),
            ("names as they repeat: stol_taxon", "SELECT count(stol_taxon(name)) FROM zipf", rows, EXACT),
            ("names as they repeat: join of a table", "SELECT count(names.id) FROM zipf LEFT JOIN names USING (name)", rows, None),
            ("groups of 100 ids: stol_lca", f"SELECT count(v) FROM {groups.format('stol_lca(id) AS v', 'even')}", rows, LCA),
            ("groups of 100 ids: min and max", f"SELECT count(v) FROM {groups.format('min(id) + max(id) AS v', 'even')}", rows, None),
            ("all ids: stol_lca", "SELECT stol_lca(id) FROM even", rows, LCA),
            ("groups of 100 ids as they repeat: stol_lca", f"SELECT count(v) FROM {groups.format('stol_lca(id) AS v', 'zipf')}", rows, LCA),
            ("ids drawn evenly: stol_rank(id, 'family')", "SELECT count(stol_rank(id, 'family')) FROM even", rows, None),
            ("ids drawn evenly: stol_name", "SELECT count(stol_name(id)) FROM even", rows, None),
            ("names, 5 of 100 misspelt: stol_match", "SELECT count(stol_match(name).id) FROM wild", min(rows, BATCH), None)):
        figure, work, answer = rate(database, sql, count)
        print(json.dumps({"what": what, "million_rows_a_second": round(figure, 2), "goal": goal, "ns_a_row": round(work), "answer": answer}),
              flush=True)


if __name__ == "__main__":
    main()
