"""Exact names, beginnings and ancestors from SQLite, with the indexes that suit them best."""

import sqlite3
from pathlib import Path
from typing import List, Optional, Sequence, Tuple

import common
from peers.peer import PREFIX_LIMIT, Ask, Peer


class SQLite(Peer):
    """Exact names and beginnings by index, ancestors by a recursive query."""

    works: Sequence[str] = ("exact", "prefix", "lca")
    is_quick = True
    options = "immutable=1"     # how the index is opened
    exact = "SELECT name, taxon FROM names WHERE name = ?"
    prefix = f"SELECT name, taxon FROM names WHERE name >= ? AND name < ? LIMIT {PREFIX_LIMIT}"
    ancestors = """
        WITH RECURSIVE
        a(id, parent) AS (SELECT id, parent FROM tree WHERE id = ?1 UNION ALL
                          SELECT tree.id, tree.parent FROM a JOIN tree ON tree.id = a.parent),
        b(id, parent) AS (SELECT id, parent FROM tree WHERE id = ?2 UNION ALL
                          SELECT tree.id, tree.parent FROM b JOIN tree ON tree.id = b.parent)
        SELECT id FROM a WHERE id IN (SELECT id FROM b) LIMIT 1"""

    def version(self) -> str:
        return sqlite3.sqlite_version

    @property
    def index(self) -> Path:
        return self.folder / "index.sqlite"

    def connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(f"file:{self.index}?{self.options}", uri=True,
                                     isolation_level=None)
        connection.execute("PRAGMA mmap_size = 4000000000")
        connection.execute("PRAGMA cache_size = -262144")
        return connection

    def create(self, *statements: str) -> sqlite3.Connection:
        connection = sqlite3.connect(self.index, isolation_level=None)
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        for statement in statements:
            connection.execute(statement)
        return connection

    def finish(self, connection: sqlite3.Connection) -> None:
        connection.execute("COMMIT")
        connection.execute("ANALYZE")
        connection.execute("VACUUM")
        connection.close()

    def all_names(self) -> List[Tuple[str, int]]:
        """Every name in lower case with its taxon, in order."""
        found = common.rows(self.database, "SELECT scientific_name, id FROM taxa "
                                           "UNION ALL SELECT name, taxon_id FROM names")
        return sorted({(name.lower(), taxon) for name, taxon in found})

    def copy_tree(self, connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE tree(id INTEGER PRIMARY KEY, parent INTEGER)")
        connection.executemany(
            "INSERT INTO tree VALUES (?, ?)",
            common.rows(self.database, "SELECT id, parent_id FROM taxa ORDER BY id"))

    def load(self) -> None:
        self.connection = self.connect()
        self.connection.execute("SELECT 1 FROM names LIMIT 1").fetchone()

    def ask(self, work: str) -> Ask:
        execute = self.connection.execute
        if work == "lca":
            def ancestor(pair: List[int]) -> Optional[int]:
                row = execute(self.ancestors, pair).fetchone()
                return row[0] if row else None
            return ancestor
        if work == "exact":
            return lambda name: execute(self.exact, (name,)).fetchall()
        return lambda start: execute(self.prefix, (start, start + "\U0010FFFF")).fetchall()

    def empty(self) -> Ask:
        execute = self.connection.execute
        return lambda question: execute("SELECT ?", (question,)).fetchall()


class TunedSQLite(SQLite):
    system = "SQLite, tuned"
    note = ("names in lower case in a table WITHOUT ROWID, one look-up each; immutable=1, no "
            "locks; mapped into memory")

    def build(self) -> None:
        connection = self.create("CREATE TABLE names(name TEXT, taxon INTEGER, "
                                 "PRIMARY KEY (name, taxon)) WITHOUT ROWID")
        connection.executemany("INSERT INTO names VALUES (?, ?)", self.all_names())
        self.copy_tree(connection)
        self.finish(connection)


class UsualSQLite(SQLite):
    system = "SQLite, as usual"
    works = ("exact", "prefix")
    options = "mode=ro"
    note = "an ordinary table, its index COLLATE NOCASE; read-only; mapped into memory"

    def build(self) -> None:
        connection = self.create("CREATE TABLE names(id INTEGER PRIMARY KEY, "
                                 "name TEXT COLLATE NOCASE, taxon INTEGER)")
        connection.executemany("INSERT INTO names(name, taxon) VALUES (?, ?)", self.all_names())
        connection.execute("CREATE INDEX names_by_name ON names(name)")
        self.finish(connection)
