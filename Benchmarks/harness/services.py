"""What an app's calls take: the services, with every value that a screen shows."""

import json
import shutil
import sqlite3
import sys
from pathlib import Path
from typing import Any, Dict

import common
from common import Extent, Figure

# What Services prints: key, the figure taken, title, goal in microseconds.
GOALS = [
    ("compare", "p50", "compare in the pack, without names", 3),
    ("compareNames", "p50", "compare with all columns and common names", 100),
    ("list", "p50", "a list of 50 taxa with common names", 300),
    ("favourite", "p50", "whether a taxon is a favourite", 0.1),
    ("favourites", "p50", "open 10,000 favourites", 5_000),
    ("resolve", "p50", "resolve 100,000 references, half of them by name", 1_000_000),
]


def favourites(data: common.Data) -> Path:
    """A data directory with 10,000 favourites, or all taxa where there are fewer."""
    home = common.WORK / "data" / "favourites"
    shutil.rmtree(home, ignore_errors=True)
    (home / "Favorites").mkdir(parents=True)
    # Without facts nobody says what the ids are ids of, and the names decide.
    has_facts = common.rows(data.database, "SELECT 1 FROM sqlite_schema WHERE name = 'dataset'")
    facts = common.rows(data.database, "SELECT key, value FROM dataset") if has_facts else []
    space = dict(facts).get("id_space")
    taxa = common.rows(data.database, "SELECT id, scientific_name, rank FROM taxa ORDER BY id LIMIT 10000")
    with sqlite3.connect(home / "Favorites" / "favorites.sqlite") as connection:
        # As the second version of the file is: DATABASE.md.
        connection.executescript("""
            CREATE TABLE favorites (taxon_id INTEGER PRIMARY KEY, created_at TEXT NOT NULL
              DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')));
            CREATE INDEX idx_favorites_created ON favorites(created_at DESC);
            CREATE TABLE favorite_references (taxon_id INTEGER PRIMARY KEY, id_space TEXT, id TEXT NOT NULL,
              name TEXT, author TEXT, year INTEGER, rank TEXT, kingdoms TEXT, created_at TEXT NOT NULL);
            PRAGMA user_version = 2;
            """)
        connection.executemany("INSERT INTO favorites (taxon_id) VALUES (?)", [row[:1] for row in taxa])
        connection.executemany(
            "INSERT INTO favorite_references (taxon_id, id_space, id, name, rank, created_at) "
            "SELECT taxon_id, ?, ?, ?, ?, created_at FROM favorites WHERE taxon_id = ?",
            [(space, str(taxon), name, rank, taxon) for taxon, name, rank in taxa])
    connection.close()
    return home


def measure(data: common.Data, extent: Extent) -> Dict[str, Any]:
    command = [common.program("Services"), data.pack, favourites(data), str(common.SEED), "--json"]
    found = json.loads(common.run(command + ([] if extent is Extent.FULL else ["--quick"])))
    figures = [Figure("services", title, found[key][kind], "us", goal, "")
               for key, kind, title, goal in GOALS]
    return {"latency": found, "figures": [figure._asdict() for figure in figures]}


def report(result: Dict[str, Any]) -> str:
    kinds = ("p50", "p90", "p99", "most", "mean")
    rows = [[found["title"], f"{found['count']:,}", found["unit"]]
            + [common.number(found[kind]) for kind in kinds]
            for found in result["latency"].values()]
    return common.table(["what", "calls", "unit", *kinds], rows, right=[1, 3, 4, 5, 6, 7])


if __name__ == "__main__":
    extent = common.extent(sys.argv)
    result = measure(common.data_for(extent), extent)
    common.save("services", result)
    print(report(result))
