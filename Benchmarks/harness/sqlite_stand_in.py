"""Stands in for the sqlite3 command: FILE SQL, or FILE SQL NAMES with a query for each line."""

import sqlite3
import sys

connection = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
if len(sys.argv) > 3:
    for line in open(sys.argv[3], encoding="utf-8"):
        name = line.rstrip("\n")
        rows = connection.execute(sys.argv[2], (name,)).fetchall()
        print(name, *(rows[0] if rows else ()), sep="\t")
else:
    for statement in sys.argv[2].split(";"):
        for row in connection.execute(statement):
            print(*row, sep="|")
