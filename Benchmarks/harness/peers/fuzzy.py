"""Misspelt names by their distance: rapidfuzz over all names, and trigrams of PostgreSQL."""

import os
import shutil
import subprocess
import time
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence

import common
from peers.peer import EDITS, Ask, Peer

Near = Callable[[str, Iterable[str]], List[str]]


def nearness() -> Near:
    """What keeps the names within EDITS of a text; this imports rapidfuzz."""
    from rapidfuzz.distance import OSA
    distance = OSA.distance

    def near(text: str, names: Iterable[str]) -> List[str]:
        return [name for name in names if distance(text, name, score_cutoff=EDITS) <= EDITS]
    return near


class RapidFuzz(Peer):
    """Brute force over all names."""

    system = "rapidfuzz, brute force"
    works = ("fuzzy",)
    packages = ("rapidfuzz", "numpy")
    is_quick = True

    def load(self) -> None:
        import numpy
        from rapidfuzz import process
        from rapidfuzz.distance import OSA
        self.numpy, self.process, self.scorer = numpy, process, OSA.distance
        self.names = common.folded_names(self.database)

    def extract(self, text: str) -> List[str]:
        found = self.process.extract(text, self.names, scorer=self.scorer, score_cutoff=EDITS,
                                     limit=None)
        return [entry[0] for entry in found]

    def table(self, texts: Sequence[str], workers: int) -> List[List[str]]:
        distances = self.process.cdist(texts, self.names, scorer=self.scorer, score_cutoff=EDITS,
                                       dtype=self.numpy.uint8, workers=workers)
        return [[self.names[i] for i in self.numpy.flatnonzero(line <= EDITS)]
                for line in distances]

    def ask(self, work: str) -> Ask:
        one_line: Ask = lambda text: self.table([text], 1)[0]
        ways: Dict[str, Ask] = {"process.extract": self.extract, "process.cdist": one_line}
        costs = {}
        for name, way in ways.items():
            way("panthera")
            start = time.perf_counter()
            for text in ("panthera loe", "pantera", "felis catus"):
                way(text)
            costs[name] = time.perf_counter() - start
        fastest = min(costs, key=lambda name: costs[name])
        self.note = f"optimal string alignment over all names by {fastest}, one thread"
        return ways[fastest]

    def extra(self, questions: Dict[str, List[Any]]) -> Dict[str, Any]:
        texts = questions["fuzzy"][:32]
        start = time.perf_counter()
        self.table(texts, 1)
        return {"batch_us": (time.perf_counter() - start) * 1e6 / max(1, len(texts))}


class PostgreSQL(Peer):
    """In one transaction that is rolled back: nothing stays in the database."""

    system = "PostgreSQL pg_trgm"
    works = ("fuzzy",)
    packages = ("psycopg[binary]", "rapidfuzz")
    note = ("GIN trigrams of a temporary table, similarity >= 0.4, then the distance by rapidfuzz; "
            "memory is the client's")

    def reason_to_skip(self) -> str:
        if not shutil.which("psql"):
            return "no psql on the PATH"
        query = "SELECT count(*) FROM pg_available_extensions WHERE name = 'pg_trgm'"
        done = subprocess.run(["psql", "-X", "-w", "-qAt", "-c", query], capture_output=True,
                              text=True, env={"PGCONNECT_TIMEOUT": "3", **os.environ})
        if done.returncode != 0:
            return "no server: " + (done.stderr.strip().splitlines() or ["psql failed"])[0]
        return "" if done.stdout.strip() == "1" else "the server has no pg_trgm"

    def version(self) -> str:
        return self.connection.info.parameter_status("server_version") or ""

    def load(self) -> None:
        import psycopg
        self.near = nearness()
        self.connection = psycopg.connect()
        self.cursor = self.connection.cursor()
        execute = self.cursor.execute
        execute("SET LOCAL temp_buffers = '512MB'")
        execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        execute("CREATE TEMPORARY TABLE stol_names(name text)")
        with self.cursor.copy("COPY stol_names FROM STDIN") as copy:
            for name in common.folded_names(self.database):
                copy.write_row((name,))
        execute("CREATE INDEX stol_trigrams ON stol_names USING gin (name gin_trgm_ops)")
        execute("ANALYZE stol_names")
        execute("SET LOCAL pg_trgm.similarity_threshold = 0.4")

    def ask(self, work: str) -> Ask:
        def answer(text: str) -> List[str]:
            self.cursor.execute("SELECT name FROM stol_names WHERE name %% %s", (text,),
                                prepare=True)
            return self.near(text, (name for (name,) in self.cursor.fetchall()))
        return answer

    def empty(self) -> Ask:
        def answer(text: str) -> Any:
            self.cursor.execute("SELECT %s", (text,), prepare=True)
            return self.cursor.fetchall()
        return answer

    def index_bytes(self) -> Optional[int]:
        self.cursor.execute("SELECT pg_relation_size('stol_trigrams')")
        return int(self.cursor.fetchone()[0])

    def extra(self, questions: Dict[str, List[Any]]) -> Dict[str, Any]:
        self.connection.rollback()
        return {}
