"""Reads the tables beside these tools: tab-separated, without quotes, the columns named in the first line."""

import csv
from pathlib import Path
from typing import List, Sequence

import ncbi


def read(path: Path, columns: Sequence[str]) -> List[List[str]]:
    """The lines behind the first."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    if not rows or rows[0] != list(columns):
        raise ncbi.DataError(f"{path}: the first line must name the columns {', '.join(columns)}")
    for line, row in enumerate(rows[1:], start=2):
        if len(row) != len(columns):
            raise ncbi.DataError(f"{path}:{line}: {len(row)} columns instead of {len(columns)}")
    return rows[1:]
