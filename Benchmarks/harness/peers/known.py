"""All peers by name, in the order of a quick run."""

from typing import Dict, Type

from peers.full_text import SeedSQLite, Tantivy, TrigramSQLite
from peers.fuzzy import PostgreSQL, RapidFuzz
from peers.peer import Peer
from peers.sqlite import TunedSQLite, UsualSQLite
from peers.trees import ETE3, ETE4, Taxopy

PEERS: Dict[str, Type[Peer]] = {
    "sqlite": TunedSQLite, "rapidfuzz": RapidFuzz, "tantivy": Tantivy, "sqlite-fts5": SeedSQLite,
    "sqlite-usual": UsualSQLite, "sqlite-trigram": TrigramSQLite, "postgresql": PostgreSQL,
    "taxopy": Taxopy, "ete4": ETE4, "ete3": ETE3,
}
# Asked only where the other could not be.
SPARE = {"ete3": "ete4"}
