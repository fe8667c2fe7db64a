"""The same names and the same questions for stol and for what else answers them.

Every peer runs in a process of its own, ``python peers.py --peer NAME --input FILE --output FILE``,
so that its memory and its loading are its own.  Its index is built before that, by another process
(``--build``), and kept in ``.build-bench/peers``.

Peers are called from Python, and what an empty call takes is measured beside them.  Distances are
of optimal string alignment between names in lower case; spaces in questions are single.
"""

import argparse
import gc
import json
import os
import platform
import random
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Set, Tuple

import common
from common import Figure

EDITS = 2
PREFIX_LIMIT = 10
FUZZY_LIMIT = 20        # hits of stol in the timed run
ALL_LIMIT = 10_000      # hits of stol where recall is measured
COUNTS = (1_000, 500, 200, 100, 50, 20, 10)     # questions asked: the most that the time allows
TIMEOUT = 1_800         # seconds for one process of a peer
QUICK_SECONDS = 20      # no further peer is begun after this in a quick run

Question = Any          # a text, or two ids
Answer = Any            # names, or an id or None
Ask = Callable[[Question], Answer]


# Questions ----------------------------------------------------------------------------------

def questions(names: Sequence[str], ids: Sequence[int], count: int) -> Dict[str, List[Any]]:
    """Questions of each kind of work, and under "right" what the misspelt names were."""
    draw = random.Random(common.SEED)
    chosen = draw.sample(names, min(count, len(names)))
    misspelt, right = [], []
    for index, name in enumerate(chosen):
        text = " ".join(common.misspelt(name, 1 + index % EDITS, draw).split())
        misspelt.append(text or name)
        right.append(name)
    long_enough = [name for name in draw.sample(names, min(2 * count, len(names)))
                   if len(name) >= 3][:count]
    return {
        "exact": draw.sample(names, min(count, len(names))),
        "prefix": [name[:draw.randint(3, 8)].strip() for name in long_enough],
        "fuzzy": misspelt,
        "right": right,
        "lca": [[draw.choice(ids), draw.choice(ids)] for _ in range(count)],
    }


class Truth:
    """The right answers: those of the oracle, of a walk up the parents, of a look at each name."""

    def __init__(self, database: Path) -> None:
        self.taxa: Dict[str, Set[int]] = {}
        self.parents: Dict[int, Optional[int]] = {}
        for taxon, parent, name in rows(
                database, "SELECT id, parent_id, scientific_name FROM taxa"):
            self.parents[taxon] = parent
            self.taxa.setdefault(name.lower(), set()).add(taxon)
        for taxon, name in rows(database, "SELECT taxon_id, name FROM names"):
            self.taxa.setdefault(name.lower(), set()).add(taxon)
        self.names: Dict[int, List[str]] = {}
        for name, taxa in self.taxa.items():
            for taxon in taxa:
                self.names.setdefault(taxon, []).append(name)
        self.near: List[Set[str]] = []      # for each misspelt name, all names within EDITS
        self.right: List[str] = []          # and the one that it was

    def ancestor(self, a: int, b: int) -> Optional[int]:
        above = set()
        walk: Optional[int] = a
        while walk is not None:
            above.add(walk)
            walk = self.parents[walk]
        walk = b
        while walk is not None and walk not in above:
            walk = self.parents[walk]
        return walk


def rows(database: Path, query: str) -> List[Tuple[Any, ...]]:
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        return connection.execute(query).fetchall()


# Peers --------------------------------------------------------------------------------------

class Peer:
    """A system that answers some of the works; `folder` is where its index lies."""

    system = ""
    works: Sequence[str] = ()
    packages: Sequence[str] = ()
    is_quick = False        # whether it takes part in a quick run
    note = ""

    def __init__(self, database: Path, folder: Path) -> None:
        self.database = database
        self.folder = folder

    def reason_to_skip(self) -> str:
        return ""

    def version(self) -> str:
        return version_of(self.packages[0])

    def build(self) -> None:
        """Writes the index into the empty folder."""

    def load(self) -> None:
        """Opens what `build` has written; what this takes is reported."""

    def ask(self, work: str) -> Ask:
        raise NotImplementedError

    def empty(self) -> Ask:
        """A question that does nothing, asked as the others are."""
        return lambda question: None

    def index_bytes(self) -> Optional[int]:
        total = sum(file.stat().st_size for file in self.folder.rglob("*") if file.is_file())
        return total or None

    def extra(self, questions: Dict[str, List[Any]]) -> Dict[str, Any]:
        """Figures that only this peer has."""
        return {}


def version_of(package: str) -> str:
    from importlib.metadata import version
    return version(re.split(r"[\[<>=]", package)[0])


class SQLite(Peer):
    """Exact names and beginnings by index, ancestors by a recursive query."""

    works = ("exact", "prefix", "lca")
    is_quick = True

    def version(self) -> str:
        return sqlite3.sqlite_version

    @property
    def index(self) -> Path:
        return self.folder / "index.sqlite"

    def connect(self, options: str) -> sqlite3.Connection:
        connection = sqlite3.connect(f"file:{self.index}?{options}", uri=True,
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
        found = rows(self.database, "SELECT scientific_name, id FROM taxa "
                                    "UNION ALL SELECT name, taxon_id FROM names")
        return sorted({(name.lower(), taxon) for name, taxon in found})

    def copy_tree(self, connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE tree(id INTEGER PRIMARY KEY, parent INTEGER)")
        connection.executemany("INSERT INTO tree VALUES (?, ?)",
                               rows(self.database, "SELECT id, parent_id FROM taxa ORDER BY id"))

    ancestors = """
        WITH RECURSIVE
        a(id, parent) AS (SELECT id, parent FROM tree WHERE id = ?1 UNION ALL
                          SELECT tree.id, tree.parent FROM a JOIN tree ON tree.id = a.parent),
        b(id, parent) AS (SELECT id, parent FROM tree WHERE id = ?2 UNION ALL
                          SELECT tree.id, tree.parent FROM b JOIN tree ON tree.id = b.parent)
        SELECT id FROM a WHERE id IN (SELECT id FROM b) LIMIT 1"""

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
    exact = "SELECT name, taxon FROM names WHERE name = ?"
    prefix = f"SELECT name, taxon FROM names WHERE name >= ? AND name < ? LIMIT {PREFIX_LIMIT}"

    def build(self) -> None:
        connection = self.create("CREATE TABLE names(name TEXT, taxon INTEGER, "
                                 "PRIMARY KEY (name, taxon)) WITHOUT ROWID")
        connection.executemany("INSERT INTO names VALUES (?, ?)", self.all_names())
        self.copy_tree(connection)
        self.finish(connection)

    def load(self) -> None:
        self.connection = self.connect("immutable=1")
        self.connection.execute("SELECT 1 FROM names LIMIT 1").fetchone()


class UsualSQLite(SQLite):
    system = "SQLite, as usual"
    works = ("exact", "prefix")
    note = "an ordinary table, its index COLLATE NOCASE; read-only; mapped into memory"
    exact = "SELECT name, taxon FROM names WHERE name = ?"
    prefix = f"SELECT name, taxon FROM names WHERE name >= ? AND name < ? LIMIT {PREFIX_LIMIT}"

    def build(self) -> None:
        connection = self.create("CREATE TABLE names(id INTEGER PRIMARY KEY, "
                                 "name TEXT COLLATE NOCASE, taxon INTEGER)")
        connection.executemany("INSERT INTO names(name, taxon) VALUES (?, ?)", self.all_names())
        connection.execute("CREATE INDEX names_by_name ON names(name)")
        self.finish(connection)

    def load(self) -> None:
        self.connection = self.connect("mode=ro")
        self.connection.execute("SELECT 1 FROM names LIMIT 1").fetchone()


class FullTextSQLite(SQLite):
    """Candidates from FTS5, their distances by rapidfuzz."""

    works = ("fuzzy",)
    packages = ("rapidfuzz", "numpy")
    is_quick = False
    tokenizer = ""
    candidates = 0

    def build(self) -> None:
        connection = self.create(
            f"CREATE VIRTUAL TABLE names USING fts5(name, tokenize = '{self.tokenizer}')")
        connection.executemany("INSERT INTO names(name) VALUES (?)",
                               ((name,) for name in common.folded_names(self.database)))
        connection.execute("INSERT INTO names(names) VALUES ('optimize')")
        self.finish(connection)

    def load(self) -> None:
        from rapidfuzz.distance import OSA
        self.distance = OSA.distance
        self.connection = self.connect("immutable=1")
        self.match("aa")

    def match(self, expression: str) -> List[str]:
        found = self.connection.execute("SELECT name FROM names WHERE names MATCH ? "
                                        f"ORDER BY rank LIMIT {self.candidates}", (expression,))
        return [row[0] for row in found]

    def near(self, text: str, names: Iterable[str]) -> List[str]:
        return [name for name in names if self.distance(text, name, score_cutoff=EDITS) <= EDITS]


class SeedSQLite(FullTextSQLite):
    system = "SQLite FTS5, first design"
    is_quick = True
    tokenizer = "unicode61 remove_diacritics 2"
    candidates = 20
    note = ("all words, the last one as a beginning; where that finds fewer than three, the names "
            "within two edits among the 20 best with any of the words as a beginning")

    def ask(self, work: str) -> Ask:
        def answer(text: str) -> List[str]:
            words = [f'"{word}"' for word in re.findall(r"\w+", text.replace("_", " "))]
            if not words:
                return []
            found = self.match(" ".join(words) + "*")
            if len(found) >= 3:
                return found
            broader = self.match(" OR ".join(word + "*" for word in words))
            return self.near(text, dict.fromkeys(found + broader))
        return answer


class TrigramSQLite(FullTextSQLite):
    system = "SQLite FTS5, trigrams"
    tokenizer = "trigram"
    candidates = 200
    note = "names with any trigram of the text, the 200 best by bm25, then their distance"

    def reason_to_skip(self) -> str:
        return "" if sqlite3.sqlite_version_info >= (3, 34) else "SQLite older than 3.34"

    def ask(self, work: str) -> Ask:
        def answer(text: str) -> List[str]:
            grams = {text[i:i + 3].replace('"', '""') for i in range(len(text) - 2)}
            if not grams:
                return []
            return self.near(text, self.match(" OR ".join(f'"{gram}"' for gram in sorted(grams))))
        return answer


class Tantivy(Peer):
    system = "tantivy"
    works = ("fuzzy",)
    packages = ("tantivy",)
    is_quick = True
    note = "fuzzy term over whole names (raw), distance 2, a swap costs one; one segment"

    def schema(self) -> Any:
        import tantivy
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("name", stored=True, tokenizer_name="raw", index_option="basic")
        return builder.build()

    def build(self) -> None:
        import tantivy
        index = tantivy.Index(self.schema(), path=str(self.folder))
        writer = index.writer(heap_size=1_000_000_000, num_threads=1)
        for name in common.folded_names(self.database):
            writer.add_document(tantivy.Document(name=name))
        writer.commit()
        writer.wait_merging_threads()

    def load(self) -> None:
        import tantivy
        self.library = tantivy
        self.fields = self.schema()
        self.index = tantivy.Index(self.fields, path=str(self.folder))
        self.index.reload()
        self.searcher = self.index.searcher()

    def ask(self, work: str) -> Ask:
        make, searcher, fields = self.library.Query.fuzzy_term_query, self.searcher, self.fields

        def answer(text: str) -> List[str]:
            query = make(fields, "name", text, distance=EDITS, transposition_cost_one=True)
            hits = searcher.search(query, limit=1_000, count=False).hits
            return [searcher.doc(place)["name"][0] for _, place in hits]
        return answer

    def extra(self, questions: Dict[str, List[Any]]) -> Dict[str, Any]:
        return {"segments": self.searcher.num_segments}


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
        from rapidfuzz.distance import OSA
        self.distance = OSA.distance
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
            return [name for (name,) in self.cursor.fetchall()
                    if self.distance(text, name, score_cutoff=EDITS) <= EDITS]
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


class Taxopy(Peer):
    system = "taxopy"
    works = ("lca",)
    packages = ("taxopy",)
    note = "both Taxon objects and find_lca; load reads nodes.dmp and names.dmp"

    def build(self) -> None:
        taxa = rows(self.database, "SELECT id, parent_id, rank, scientific_name FROM taxa")
        with open(self.folder / "nodes.dmp", "w") as nodes, \
                open(self.folder / "names.dmp", "w") as names:
            for taxon, parent, rank, name in taxa:
                above = taxon if parent is None else parent
                nodes.write(f"{taxon}\t|\t{above}\t|\t{rank}\t|\n")
                names.write(f"{taxon}\t|\t{name}\t|\t\t|\tscientific name\t|\n")

    def load(self) -> None:
        import taxopy
        self.library = taxopy
        self.taxonomy = taxopy.TaxDb(nodes_dmp=str(self.folder / "nodes.dmp"),
                                     names_dmp=str(self.folder / "names.dmp"))

    def ask(self, work: str) -> Ask:
        taxon, find, taxonomy = self.library.Taxon, self.library.find_lca, self.taxonomy
        error = self.library.exceptions.LCAError

        def answer(pair: List[int]) -> Optional[int]:
            try:
                return int(find([taxon(pair[0], taxonomy), taxon(pair[1], taxonomy)],
                                taxonomy).taxid)
            except error:
                return None
        return answer


class ETE(Peer):
    """A tree of objects, read from Newick; several roots get one above them, named 0."""

    works = ("lca",)
    note = "load reads Newick and looks up the nodes by id"

    def build(self) -> None:
        children: Dict[Optional[int], List[int]] = {}
        for taxon, parent in rows(self.database, "SELECT id, parent_id FROM taxa ORDER BY id"):
            children.setdefault(parent, []).append(taxon)
        pieces: List[str] = []
        waiting: List[Any] = [0]
        children[0] = children.get(None, [])
        while waiting:
            item = waiting.pop()
            below = children.get(item, []) if isinstance(item, int) else []
            if not below:
                pieces.append(str(item))
                continue
            pieces.append("(")
            waiting.append(f"){item}")
            for place, child in enumerate(reversed(below)):
                waiting.extend([","] if place else [])
                waiting.append(child)
        (self.folder / "tree.nwk").write_text("".join(pieces) + ";")

    def load(self) -> None:
        self.tree = self.read((self.folder / "tree.nwk").read_text())
        self.nodes = {int(node.name): node for node in self.tree.traverse()}

    def read(self, newick: str) -> Any:
        raise NotImplementedError

    def ancestor(self, a: Any, b: Any) -> Any:
        raise NotImplementedError

    def ask(self, work: str) -> Ask:
        nodes, ancestor = self.nodes, self.ancestor

        def answer(pair: List[int]) -> Optional[int]:
            a, b = nodes[pair[0]], nodes[pair[1]]
            return int((a if a is b else ancestor(a, b)).name) or None
        return answer


class ETE4(ETE):
    system = "ete4"
    packages = ("ete4",)

    def read(self, newick: str) -> Any:
        from ete4 import Tree
        return Tree(newick, parser=8)

    def ancestor(self, a: Any, b: Any) -> Any:
        return self.tree.common_ancestor(a, b)


class ETE3(ETE):
    system = "ete3"
    packages = ("ete3", "six", "numpy", "setuptools")

    def read(self, newick: str) -> Any:
        from ete3 import Tree
        return Tree(newick, format=8)

    def ancestor(self, a: Any, b: Any) -> Any:
        return self.tree.get_common_ancestor(a, b)


# In the order of a quick run.
PEERS: Dict[str, type] = {
    "sqlite": TunedSQLite, "rapidfuzz": RapidFuzz, "tantivy": Tantivy, "sqlite-fts5": SeedSQLite,
    "sqlite-usual": UsualSQLite, "sqlite-trigram": TrigramSQLite, "postgresql": PostgreSQL,
    "taxopy": Taxopy, "ete4": ETE4, "ete3": ETE3,
}
SPARE = {"ete3": "ete4"}    # asked only where the other could not be


# In the process of a peer -------------------------------------------------------------------

def peak_megabytes() -> float:
    """The most memory of this process; what forked it may count in getrusage, not here."""
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if platform.system() == "Darwin" else peak / 1024


def timed(ask: Ask, asked: Sequence[Question]) -> List[float]:
    """Microseconds of each question, without the garbage collector."""
    clock, times = time.perf_counter_ns, []
    gc.disable()
    for question in asked:
        start = clock()
        ask(question)
        times.append((clock() - start) / 1000)
    gc.enable()
    return times


def how_many(ask: Ask, asked: Sequence[Question], seconds: float) -> int:
    """The most questions of COUNTS that can be asked twice in the time."""
    sample = asked[:5]
    start = time.perf_counter()
    for question in sample:
        ask(question)
    each = (time.perf_counter() - start) / max(1, len(sample))
    fitting = [count for count in COUNTS if 2 * count * each <= seconds]
    return min(len(asked), fitting[0] if fitting else COUNTS[-1])


def names_of(answer: Answer) -> Answer:
    """Names without what stands beside them."""
    if isinstance(answer, list):
        return [entry[0] if isinstance(entry, tuple) else entry for entry in answer]
    return answer


def serve(peer: Peer, asked: Dict[str, Any]) -> Dict[str, Any]:
    base = peak_megabytes()
    start = time.perf_counter()
    peer.load()
    result: Dict[str, Any] = {"load_s": time.perf_counter() - start, "base_mb": base,
                              "version": peer.version(), "works": {}}
    for work in peer.works:
        ask = peer.ask(work)
        every = asked["questions"][work]
        chosen = every[:how_many(ask, every, asked["seconds"])]
        answers = [names_of(ask(question)) for question in chosen]      # also warms
        times = timed(ask, chosen)
        empty = peer.empty()
        texts = [question if isinstance(question, str) else "" for question in chosen]
        timed(empty, texts)
        result["works"][work] = {"us": times, "empty_us": common.median(timed(empty, texts)),
                                 "answers": answers}
    result["peak_mb"] = peak_megabytes()
    size = peer.index_bytes()
    result["index_mb"] = size and size / 1e6
    result["note"] = peer.note
    result["extra"] = peer.extra(asked["questions"])
    return result


def oracle(asked: Dict[str, Any], database: Path) -> Dict[str, Any]:
    """All names within EDITS of each misspelt name, by brute force on all cores."""
    peer = RapidFuzz(database, database.parent)
    peer.load()
    texts = asked["questions"]["fuzzy"]
    near: List[List[str]] = []
    for place in range(0, len(texts), 16):
        near += peer.table(texts[place:place + 16], -1)
    return {"near": near}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--peer", required=True, choices=[*PEERS, "oracle"])
    parser.add_argument("--input", required=True, type=Path, help="questions, as JSON")
    parser.add_argument("--output", required=True, type=Path, help="answers, as JSON")
    parser.add_argument("--build", action="store_true", help="only write the index")
    arguments = parser.parse_args()
    asked = json.loads(arguments.input.read_text())
    database = Path(asked["database"])
    if arguments.peer == "oracle":
        result = oracle(asked, database)
    else:
        peer = PEERS[arguments.peer](database, Path(asked["folder"]))
        if arguments.build:
            start = time.perf_counter()
            peer.build()
            result = {"build_s": time.perf_counter() - start}
        else:
            result = serve(peer, asked)
    arguments.output.write_text(json.dumps(result))


# The peers, one after another ---------------------------------------------------------------

class Failure(Exception):
    """Why a peer has no figures."""


class Run:
    """One run of the comparison: where its files lie and what is asked."""

    def __init__(self, data: common.Data, asked: Dict[str, List[Any]], seconds: float) -> None:
        self.started = time.monotonic()
        self.data = data
        self.asked = asked
        self.seconds = seconds
        self.folder = common.WORK / "peers" / data.name
        self.folder.mkdir(parents=True, exist_ok=True)

    def child(self, python: Any, name: str, *options: str) -> Dict[str, Any]:
        """What a process of a peer writes."""
        source, target = self.folder / f"{name}.in.json", self.folder / f"{name}.out.json"
        source.write_text(json.dumps({
            "database": str(self.data.database), "folder": str(self.folder / name),
            "seconds": self.seconds, "questions": self.asked}))
        target.unlink(missing_ok=True)
        try:
            done = subprocess.run(
                [str(python), __file__, "--peer", name, "--input", str(source), "--output",
                 str(target), *options], capture_output=True, text=True, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            raise Failure(f"not done after {TIMEOUT} s")
        if done.returncode != 0 or not target.exists():
            last = (done.stderr.strip().splitlines() or [f"code {done.returncode}"])[-1]
            raise Failure(f"failed: {last}")
        result: Dict[str, Any] = json.loads(target.read_text())
        source.unlink()
        target.unlink()
        return result

    def built(self, python: Any, name: str) -> float:
        """Seconds that building the index took, now or when it was made."""
        folder, stamp = self.folder / name, self.folder / f"{name}.built.json"
        made_from = self.data.database.stat()
        current = {"size": made_from.st_size, "time": made_from.st_mtime_ns,
                   "script": Path(__file__).stat().st_mtime_ns}
        if stamp.exists():
            known = json.loads(stamp.read_text())
            if known["made_from"] == current:
                return float(known["build_s"])
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        seconds = float(self.child(python, name, "--build")["build_s"])
        stamp.write_text(json.dumps({"made_from": current, "build_s": seconds}))
        return seconds

    def peer(self, name: str, quick: bool) -> Dict[str, Any]:
        kind = PEERS[name]
        if quick and not kind.is_quick:     # type: ignore
            raise Failure("not part of a quick run")
        if quick and time.monotonic() - self.started > QUICK_SECONDS:
            raise Failure("no time left in a quick run")
        reason = kind(self.data.database, self.folder / name).reason_to_skip()
        if reason:
            raise Failure(reason)
        python: Any = sys.executable
        if kind.packages:
            python = common.environment("-".join(package_names(kind)), kind.packages)
            if python is None:
                raise Failure(f"could not install {' '.join(kind.packages)} from PyPI")
        build_s = self.built(python, name)
        return {**self.child(python, name), "build_s": build_s}

    def near(self) -> Optional[List[Set[str]]]:
        """The oracle's answers, or None where it cannot be installed."""
        python = common.environment("-".join(package_names(RapidFuzz)), RapidFuzz.packages)
        if python is None:
            return None
        return [set(names) for names in self.child(python, "oracle")["near"]]


def package_names(kind: type) -> List[str]:
    return [re.split(r"[\[<>=]", package)[0] for package in kind.packages]     # type: ignore


# stol ---------------------------------------------------------------------------------------

def ask_stol(program: Path, pack: Path, mode: str, lines: Sequence[str],
             *options: Any) -> Tuple[List[Dict[str, Any]], Dict[str, Any]]:
    """The answers of the program Ask, and its notes."""
    done = subprocess.run([str(program), str(pack), mode, *map(str, options)],
                          input="".join(line + "\n" for line in lines), capture_output=True,
                          text=True)
    if done.returncode != 0:
        raise SystemExit(f"bench: Ask {mode} failed: {done.stderr.strip()}")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != len(lines):
        raise SystemExit(f"bench: Ask {mode} answered {len(answers)} of {len(lines)} questions")
    return answers, json.loads(done.stderr)


def stol_results(data: common.Data, asked: Dict[str, List[Any]],
                 truth: Truth) -> List[Dict[str, Any]]:
    program = common.program("Ask")
    version = common.run([common.stol(), "--version"]).split()[1].rstrip(",")
    pairs = [f"{a}\t{b}" for a, b in asked["lca"]]
    works: List[Tuple[str, str, Sequence[str], int, str]] = [
        ("exact", "exact", asked["exact"], 20, ""),
        ("prefix", "prefix", asked["prefix"], PREFIX_LIMIT,
         "words inside names too; the best of all that match, not the first"),
        ("complete", "complete", asked["prefix"], PREFIX_LIMIT,
         "best known first, and what is similar where few match"),
        ("fuzzy", "fuzzy", asked["fuzzy"], FUZZY_LIMIT,
         f"the {FUZZY_LIMIT} best, also by words in any order"),
        ("fuzzy, all", "fuzzy", asked["fuzzy"], ALL_LIMIT,
         f"up to {ALL_LIMIT:,} hits, also by words in any order"),
        ("lca", "lca", pairs, 1, "ids in, id out; as fine as the clock is"),
    ]
    results = []
    for work, mode, lines, limit, note in works:
        distance = ["--distance", EDITS] if mode == "fuzzy" else []
        answers, notes = ask_stol(program, data.pack, mode, lines, "--limit", limit, *distance)
        taxa = [set(answer["ids"]) for answer in answers]
        result = measured("stol", version, work, [answer["ns"] / 1000 for answer in answers],
                          notes["clock_ns"] / 1000, note)
        result.update(load_s=notes["open_ns"] / 1e9, index_mb=data.pack.stat().st_size / 1e6)
        if "peak_kb" in notes:
            result.update(base_mb=notes["base_kb"] / 1024, peak_mb=notes["peak_kb"] / 1024)
        if mode == "fuzzy":
            result.update(fuzzy_quality(truth, lambda place, name: truth.taxa[name] <= taxa[place],
                                        len(answers)))
            result["full"] = sum(len(answer["ids"]) == limit for answer in answers)
        elif mode == "lca":
            found = [answer["ids"][0] if answer["ids"] else None for answer in answers]
            result.update(quality(work, asked, truth, found))
        elif mode == "exact":
            right = [truth.taxa[name] <= taxa[place] for place, name in enumerate(lines)]
            result["finds_right"] = sum(right) / max(1, len(right))
        else:
            # Folding drops marks, so that names are told by their taxa here.
            found = [[name for taxon in hits for name in truth.names[taxon]] for hits in taxa]
            result.update(quality("prefix", asked, truth, found))
        results.append(result)
    return results


# What was measured --------------------------------------------------------------------------

def measured(system: str, version: str, work: str, times: Sequence[float], empty: float,
             note: str) -> Dict[str, Any]:
    return {"system": system, "version": version, "work": work, "p50_us": common.median(times),
            "p99_us": common.percentile(times, 0.99), "empty_us": empty, "recall": None,
            "finds_right": None, "queries": len(times), "load_s": None, "peak_mb": None,
            "index_mb": None, "skipped": "", "note": note}


def skipped(system: str, works: Sequence[str], reason: str) -> Dict[str, Any]:
    return {"system": system, "version": "", "work": ", ".join(works), "skipped": reason}


def fuzzy_quality(truth: Truth, finds: Callable[[int, str], bool], count: int) -> Dict[str, Any]:
    """Recall of all names within EDITS, and how often the misspelt name itself was found."""
    right = sum(finds(place, truth.right[place]) for place in range(count))
    result: Dict[str, Any] = {"finds_right": right / max(1, count)}
    if truth.near:
        pairs = [(place, name) for place in range(count) for name in sorted(truth.near[place])]
        missed = [(place, name) for place, name in pairs if not finds(place, name)]
        result.update(recall=1 - len(missed) / max(1, len(pairs)), pairs=len(pairs),
                      misses=missed)
    return result


def compare_recall(systems: Sequence[Dict[str, Any]], truth: Truth) -> int:
    """Adds the recall of the first questions, which all answered; returns how many these are."""
    near = [row for row in systems if row.get("misses") is not None]
    shared = min((int(row["queries"]) for row in near), default=0)
    pairs = sum(map(len, truth.near[:shared]))
    for row in near:
        misses = row.pop("misses")
        row["recall_shared"] = 1 - sum(place < shared for place, _ in misses) / max(1, pairs)
        if row["work"] == "fuzzy, all":
            row["missed"] = [{"query": place, "name": name} for place, name in misses]
    return shared


def quality(work: str, asked: Dict[str, List[Any]], truth: Truth,
            answers: Sequence[Answer]) -> Dict[str, Any]:
    count = len(answers)
    if work == "fuzzy":
        sets = [set(answer) for answer in answers]
        return fuzzy_quality(truth, lambda place, name: name in sets[place], count)
    if work == "lca":
        right = [truth.ancestor(*pair) == found for pair, found in zip(asked["lca"], answers)]
    elif work == "exact":
        right = [name in found for name, found in zip(asked["exact"], answers)]
    else:
        right = [any(name.startswith(start) for name in found)
                 for start, found in zip(asked["prefix"], answers)]
    return {"finds_right": sum(right) / max(1, count)}


def measure(data: common.Data, quick: bool) -> Dict[str, Any]:
    """Asks every peer and stol the same questions; keeps and returns what was found."""
    started = time.monotonic()
    names = common.folded_names(data.database)
    truth = Truth(data.database)
    asked = questions(names, sorted(truth.parents), 100 if quick else 1_000)
    truth.right = asked["right"]
    run = Run(data, asked, seconds=2 if quick else 60)
    common.say("peers: all names within two edits, by brute force")
    truth.near = run.near() or []
    for place, text in enumerate(asked["fuzzy"] if truth.near else []):
        if not all(name in truth.taxa for name in truth.near[place]):
            raise SystemExit(f"bench: the oracle knows a name near {text!r} that nothing has")

    systems = []
    present: Set[str] = set()
    for name, kind in PEERS.items():
        if SPARE.get(name) in present:
            continue
        common.say(f"peers: {kind.system}")         # type: ignore
        try:
            found = run.peer(name, quick)
        except Failure as failure:
            systems.append(skipped(kind.system, kind.works, str(failure)))     # type: ignore
            continue
        present.add(name)
        for work, part in found["works"].items():
            result = measured(kind.system, found["version"], work, part["us"],  # type: ignore
                              part["empty_us"], found["note"])
            result.update(load_s=found["load_s"], build_s=found["build_s"],
                          base_mb=found["base_mb"], peak_mb=found["peak_mb"],
                          index_mb=found["index_mb"], **found["extra"])
            result.update(quality(work, asked, truth, part["answers"]))
            systems.append(result)
    common.say("peers: stol")
    systems = stol_results(data, asked, truth) + systems
    shared = compare_recall(systems, truth)
    result = {
        "data": data.origin, "names": len(names), "seed": common.SEED, "quick": quick,
        "systems": systems, "oracle": oracle_note(truth, asked), "shared_queries": shared,
        "seconds": 0.0,
        "figures": [figure._asdict() for figure in figures(systems)],
    }
    result["seconds"] = time.monotonic() - started
    common.save("peers", result)
    return result


def oracle_note(truth: Truth, asked: Dict[str, List[Any]]) -> Dict[str, Any]:
    if not truth.near:
        return {"skipped": f"could not install {' '.join(RapidFuzz.packages)} from PyPI"}
    right = sum(name in near for name, near in zip(truth.right, truth.near))
    return {"pairs": sum(map(len, truth.near)), "finds_right": right / max(1, len(truth.near)),
            "queries": asked["fuzzy"]}


# Figures ------------------------------------------------------------------------------------

def answering(systems: Sequence[Dict[str, Any]], work: str) -> List[Dict[str, Any]]:
    """The peers that have figures for a work."""
    return [row for row in systems
            if row["work"] == work and not row["skipped"] and row["system"] != "stol"]


def own(row: Dict[str, Any]) -> float:
    """The median without the call."""
    return max(0.001, float(row["p50_us"]) - float(row["empty_us"]))


def figures(systems: Sequence[Dict[str, Any]]) -> List[Figure]:
    stol = {row["work"]: row for row in systems if row["system"] == "stol"}
    command = "Tools/bench peers"
    found: List[Figure] = []

    def ratio(what: str, measured: float, goal: Optional[float], note: str) -> None:
        found.append(Figure("peers", what, measured, "x", goal, at_least=True,
                            is_ratio=goal is not None, command=command, note=note))

    for work, what in (("exact", "exact name"), ("prefix", "beginning, 10 results")):
        for row in answering(systems, work):
            goal = 10.0 if row["system"] == TunedSQLite.system else None
            with_call = row["p50_us"] / stol[work]["p50_us"]
            ratio(f"{what}: {row['system']} against stol", own(row) / own(stol[work]), goal,
                  f"medians less an empty call; {with_call:.1f} x with it")

    near = answering(systems, "fuzzy")
    complete = [row for row in near if (row["recall"] or 0) >= 0.99]
    best = min(complete, key=lambda row: float(row["p50_us"]), default=None)
    fuzzy = stol["fuzzy"]
    for row in near:
        goal = 100.0 if row is best else None
        which = "best with recall >= 99 %; " if row is best else ""
        recall = "unknown" if row["recall"] is None else f"{100 * row['recall']:.1f} %"
        ratio(f"two edits: {row['system']} against stol", row["p50_us"] / fuzzy["p50_us"], goal,
              f"{which}medians; its recall {recall}")
    everything = stol["fuzzy, all"]
    if everything["recall"] is not None:
        found.append(Figure(
            "peers", "two edits: recall of stol", 100 * everything["recall"], "%", 100,
            at_least=True, is_ratio=True, command=command,
            note=f"{everything['pairs']:,} names near {everything['queries']:,} questions"
            + (f"; {everything['full']} had more hits" if everything["full"] else "")))

    trees = [row for row in answering(systems, "lca") if row["system"] != TunedSQLite.system]
    for row in answering(systems, "lca"):
        ratio(f"LCA: {row['system']} against stol", own(row) / own(stol["lca"]), None,
              "medians less an empty call")
    for row in trees:
        ratio(f"cold start: {row['system']} against stol", row["load_s"] / stol["lca"]["load_s"],
              100, "loading against opening the pack")
        if stol["lca"]["peak_mb"]:
            added, own_added = (each["peak_mb"] - each["base_mb"] for each in (row, stol["lca"]))
            ratio(f"memory: {row['system']} against stol", row["peak_mb"] / stol["lca"]["peak_mb"],
                  100, f"peaks of whole processes; {added / max(0.1, own_added):.0f} x by what "
                  "each added after it started")
    return found


# The report ---------------------------------------------------------------------------------

def time_text(microseconds: float) -> str:
    if microseconds >= 10_000:
        return f"{common.number(microseconds / 1000)} ms"
    return f"{common.number(microseconds)} us"


def report(result: Dict[str, Any]) -> str:
    """All systems in a table for each work, what was skipped, and how to read it."""
    def share(value: Optional[float]) -> str:
        return "" if value is None else f"{100 * value:.2f} %" if 0.9995 > value > 0.99 \
            else f"{100 * value:.1f} %"

    def plain(value: Optional[float]) -> str:
        return "" if value is None else common.number(value)

    def seconds(value: Optional[float]) -> str:
        return "" if value is None else time_text(value * 1e6) if value < 1 \
            else f"{common.number(value)} s"

    def noted(row: Dict[str, Any]) -> str:
        system = str(label.get(row["work"], row["system"]))
        return f"{system}, {kinds[row['work']]}" if system == "stol" else system

    titles = {"exact": "Exact names",
              "prefix": f"Beginnings of 3 to 8 letters, {PREFIX_LIMIT} results",
              "fuzzy": "Misspelt names, within two edits",
              "lca": "Lowest common ancestor of two ids"}
    same = {"complete": "prefix", "fuzzy, all": "fuzzy"}
    label = {"complete": "stol, completion", "fuzzy, all": "stol, all hits"}
    kinds = {"exact": "exact names", "prefix": "beginnings", "fuzzy": "misspelt names",
             "lca": "LCA"}
    rows_of: Dict[str, List[Dict[str, Any]]] = {work: [] for work in titles}
    for row in result["systems"]:
        if not row["skipped"]:
            rows_of[same.get(row["work"], row["work"])].append(row)
    parts = [f"{result['data']}; {result['names']:,} names, seed {result['seed']}"
             + (", quick run" if result["quick"] else "")]
    for work, members in rows_of.items():
        if not members:
            continue
        lines = [[label.get(row["work"], row["system"]), row["version"], time_text(row["p50_us"]),
                  time_text(row["p99_us"]), time_text(row["empty_us"]), f"{row['queries']:,}",
                  share(row["finds_right"]), seconds(row["load_s"]), plain(row["peak_mb"]),
                  plain(row["index_mb"]), share(row["recall"]), share(row.get("recall_shared"))]
                 for row in sorted(members, key=lambda row: row["p50_us"])]
        header = ["system", "version", "p50", "p99", "empty call", "queries", "right", "load",
                  "peak MB", "index MB"]
        if work == "fuzzy":
            header += ["recall", f"of first {result['shared_queries']}"]
        parts.append(titles[work] + "\n" + common.table(
            header, [line[:len(header)] for line in lines], right=range(2, len(header))))
    absent = [f"{row['system']} ({row['work']}): {row['skipped']}"
              for row in result["systems"] if row["skipped"]]
    if "skipped" in result["oracle"]:
        absent.append(f"recall: {result['oracle']['skipped']}")
    if absent:
        parts.append("Skipped\n" + "\n".join(f"  {line}" for line in absent))
    notes = {f"{noted(row)}: {row['note']}": None
             for row in result["systems"] if not row["skipped"] and row["note"]}
    batch = [f"rapidfuzz, many texts in one call: {time_text(row['batch_us'])} each"
             for row in result["systems"] if row.get("batch_us")]
    parts.append("How they were asked\n" + "\n".join(f"  {line}" for line in [*notes, *batch]))
    right = share(result["oracle"].get("finds_right")) or "an unknown share"
    parts.append(
        "Peers are called from Python and stol from Swift; what an empty call takes stands beside\n"
        "the times and is part of them. Loading a peer imports its library. Questions are asked\n"
        "once to warm up, then one by one; slow peers are asked fewer, always the first ones.\n"
        "recall: of all names within two edits, for stol by taxon. Short names have many of them,\n"
        f"so that stol has to be asked for more than the {FUZZY_LIMIT} best.\n"
        "right: the misspelt name is among the results, or the answer is right. Two edits\n"
        "at one place may be three by optimal string alignment: the oracle itself finds\n"
        f"{right} of them.")
    missed = [entry for row in result["systems"] if row["work"] == "fuzzy, all"
              for entry in row.get("missed", [])]
    if missed:
        texts = result["oracle"]["queries"]
        parts.append("stol missed\n" + "\n".join(
            f"  {entry['name']!r} for {texts[entry['query']]!r}" for entry in missed))
    parts.append(common.figure_table([Figure(**figure) for figure in result["figures"]]))
    return "\n\n".join(parts)


if __name__ == "__main__":
    main()
