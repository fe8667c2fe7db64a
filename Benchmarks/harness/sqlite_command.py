"""The ``sqlite3`` command, which answers beside stol, and the indexed copy that it is asked.

Where the command is missing, Python's module answers in a process of its own.
"""

import shutil
import sqlite3
import sys
from pathlib import Path
from typing import List

import common

STAND_IN = Path(__file__).resolve().parent / "sqlite_stand_in.py"


class SQLiteCommand:
    """How to ask one database."""

    def __init__(self, database: Path) -> None:
        self.database = database
        self.command = shutil.which("sqlite3")
        self.name = "sqlite3" if self.command else "Python's sqlite3"

    @property
    def files(self) -> List[Path]:
        """What must be dropped for a cold start; this process itself keeps Python's in memory."""
        return [self.database] + ([Path(self.command).resolve()] if self.command else [])

    def stand_in(self, *words: str) -> List[str]:
        return [sys.executable, "-I", "-S", str(STAND_IN), str(self.database), *words]

    def question(self, sql: str) -> List[str]:
        if not self.command:
            return self.stand_in(sql)
        return [self.command, "-readonly", str(self.database), sql]

    def exact_names(self, lines: Path) -> List[str]:
        """One row for each line of a file: the taxon with that name."""
        columns = "t.id, t.rank, t.scientific_name, s.name"
        if not self.command:
            return self.stand_in(
                f"SELECT {columns} FROM search_names s JOIN taxa t ON t.id = s.taxon_id "
                "WHERE s.folded = lower(?)", str(lines))
        # One row with the name is looked up, so that homonyms give one line.
        return [self.command, "-readonly", str(self.database), "-cmd", ".mode ascii",
                "-cmd", '.separator "\\t" "\\n"', "-cmd", "CREATE TEMP TABLE asked (name TEXT)",
                "-cmd", f'.import "{lines}" asked',
                f"SELECT q.name, {columns} FROM asked q LEFT JOIN search_names s ON s.rowid = "
                "(SELECT rowid FROM search_names WHERE folded = lower(q.name) LIMIT 1) "
                "LEFT JOIN taxa t ON t.id = s.taxon_id"]


def indexed_copy(database: Path) -> Path:
    """The database with all names in one table, an index over them in lower case, and FTS5."""
    copy = common.WORK / "data" / f"{database.stem}.indexed.sqlite"
    if copy.exists() and copy.stat().st_mtime >= database.stat().st_mtime:
        return copy
    common.say("making the indexed copy for SQLite")
    partial = copy.with_suffix(".partial")
    copy.parent.mkdir(parents=True, exist_ok=True)
    partial.unlink(missing_ok=True)
    shutil.copyfile(database, partial)
    with sqlite3.connect(partial) as connection:
        connection.executescript("""
            PRAGMA journal_mode = OFF;
            CREATE TABLE search_names (folded TEXT, name TEXT, taxon_id INTEGER);
            INSERT INTO search_names SELECT lower(scientific_name), scientific_name, id FROM taxa;
            INSERT INTO search_names SELECT lower(name), name, taxon_id FROM names;
            CREATE INDEX search_names_folded ON search_names (folded);
            CREATE VIRTUAL TABLE search_fts USING
              fts5(name, content = 'search_names', prefix = '2 3 4');
            INSERT INTO search_fts (search_fts) VALUES ('rebuild');
            INSERT INTO search_fts (search_fts) VALUES ('optimize');
            ANALYZE;
            """)
    connection.close()
    partial.replace(copy)
    return copy
