"""Misspelt names from full-text indexes: FTS5 of SQLite, and tantivy."""

import re
import sqlite3
from typing import Any, Dict, List

import common
from peers.fuzzy import nearness
from peers.peer import EDITS, Ask, Peer
from peers.sqlite import SQLite


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
        self.near = nearness()
        self.connection = self.connect()
        self.match("aa")

    def match(self, expression: str) -> List[str]:
        found = self.connection.execute("SELECT name FROM names WHERE names MATCH ? "
                                        f"ORDER BY rank LIMIT {self.candidates}", (expression,))
        return [row[0] for row in found]


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
