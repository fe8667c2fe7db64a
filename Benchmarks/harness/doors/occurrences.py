"""Tables of occurrences: ``python -m doors.occurrences --database FILE --rows N [--repeated] FOLDER``.

A row has a number, a name, the id that the name is of, and an event that groups a hundred rows or so. Names are those that
one taxon alone has; a share is misspelt by one edit behind the first letter, each row anew. Names are drawn evenly, or as
in real data, where few species make most records: the n-th most frequent one is drawn in proportion to 1/n.
"""

import argparse
import random
import sys
from pathlib import Path

import numpy
import pyarrow
import pyarrow.parquet

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import common  # noqa: E402

MISSPELT = 0.05
ROWS_OF_A_FILE = 1_000_000
ROWS_OF_AN_EVENT = 100


def known_names(database: Path):
    """Names of several words that one taxon has, and their ids."""
    rows = common.rows(database, "SELECT min(id), scientific_name FROM taxa WHERE scientific_name GLOB '[A-Z]* [a-z]*' "
                       "AND scientific_name NOT GLOB '*[^A-Za-z -]*' GROUP BY scientific_name HAVING count(*) = 1")
    further = {name for (name,) in common.rows(database, "SELECT name FROM names")}
    rows = [row for row in rows if row[1] not in further]
    return numpy.array([taxon for taxon, _ in rows], numpy.int64), [name for _, name in rows]


def misspelt(name: str, draw: random.Random) -> str:
    return name[0] + (common.misspelt(name[1:], 1, draw).strip() or "a")


def write(database: Path, folder: Path, rows: int, is_repeated: bool) -> None:
    ids, names = known_names(database)
    numbers, draw = numpy.random.default_rng(common.SEED), random.Random(common.SEED)
    order = numbers.permutation(len(names))
    shares = 1 / numpy.arange(1, len(names) + 1) if is_repeated else numpy.ones(len(names))
    ends = numpy.cumsum(shares / shares.sum())
    column = pyarrow.array(names)
    folder.mkdir(parents=True)
    for first in range(0, rows, ROWS_OF_A_FILE):
        count = min(ROWS_OF_A_FILE, rows - first)
        taken = order[numpy.minimum(numpy.searchsorted(ends, numbers.random(count)), len(names) - 1)]
        wrong = numpy.flatnonzero(numbers.random(count) < MISSPELT)
        spelt = column.take(pyarrow.array(taken)).to_pylist()
        for row in wrong.tolist():
            spelt[row] = misspelt(spelt[row], draw)
        pyarrow.parquet.write_table(pyarrow.table({
            "occurrenceID": numpy.arange(first, first + count), "scientificName": spelt, "truth": ids[taken],
            "eventID": numbers.integers(0, max(1, rows // ROWS_OF_AN_EVENT), count)}), folder / f"{first:012}.parquet")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="doors.occurrences", description=__doc__.split("\n")[0])
    parser.add_argument("--database", type=Path, required=True)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--repeated", action="store_true")
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    write(given.database, given.folder, given.rows, given.repeated)
