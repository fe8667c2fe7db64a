"""Writes a database of schema version 3 of Format/DATABASE.md."""

import os
import sqlite3
from pathlib import Path
from typing import Dict, NamedTuple, Optional, Sequence

import ncbi
import schema1

SCHEMA = """
CREATE TABLE schema_version (version INTEGER NOT NULL, applied_at TEXT NOT NULL);
CREATE TABLE dataset (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE sources (
    position INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT, release TEXT, licence TEXT, citation TEXT, url TEXT);
CREATE TABLE taxa (
    id INTEGER PRIMARY KEY, source_id TEXT, parent_id INTEGER REFERENCES taxa(id), rank TEXT NOT NULL,
    scientific_name TEXT NOT NULL, author TEXT, year INTEGER,
    status TEXT NOT NULL DEFAULT 'accepted' CHECK (status IN ('accepted','provisional','synonym')),
    conservation TEXT, code TEXT, status_text TEXT, sensu TEXT, source INTEGER REFERENCES sources(position),
    prominence INTEGER);
CREATE TABLE names (
    id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL REFERENCES taxa(id) ON DELETE CASCADE,
    name TEXT NOT NULL, lang TEXT NOT NULL,
    name_type TEXT NOT NULL CHECK (name_type IN ('common','synonym','vernacular','trade')),
    is_preferred INTEGER NOT NULL DEFAULT 0, source_id TEXT, author TEXT, year INTEGER, rank TEXT, status TEXT,
    status_text TEXT, code TEXT, sensu TEXT, source INTEGER REFERENCES sources(position));
CREATE TABLE refs (
    id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL REFERENCES taxa(id) ON DELETE CASCADE,
    citation TEXT NOT NULL, url TEXT,
    ref_type TEXT NOT NULL CHECK (ref_type IN ('taxonomy','ecology','morphology','conservation','other')),
    name_id INTEGER REFERENCES names(id) ON DELETE CASCADE, source INTEGER REFERENCES sources(position));
CREATE TABLE traits (
    id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL REFERENCES taxa(id) ON DELETE CASCADE,
    trait_key TEXT NOT NULL, trait_value TEXT NOT NULL, unit TEXT,
    source_ref INTEGER REFERENCES refs(id), source INTEGER REFERENCES sources(position));
"""

INDEXES = schema1.INDEXES + "CREATE INDEX idx_taxa_source_id ON taxa(source_id);\n"


class Source(NamedTuple):
    """Where rows come from."""
    kind: str
    name: str
    release: str
    licence: str
    citation: str
    url: str


class Taxon(NamedTuple):
    """A node; its source is a position of the sources from 1, as below."""
    id: int
    parent: Optional[int]
    rank: str
    scientific_name: str
    author: Optional[str]
    year: Optional[int]
    source: int
    prominence: Optional[int]


class Name(NamedTuple):
    """A further name of a taxon."""
    taxon: int
    name: str
    lang: str
    name_type: str
    is_preferred: int
    source: int


class Reference(NamedTuple):
    """What a taxon or a trait cites."""
    taxon: int
    citation: str
    url: Optional[str]
    ref_type: str
    source: int


class Trait(NamedTuple):
    """What a taxon is, with the position of its reference from 1."""
    taxon: int
    key: str
    value: str
    reference: int
    source: int


class Content(NamedTuple):
    """The rows of a database, in the order of their ids."""
    dataset: Dict[str, str]
    sources: Sequence[Source]
    taxa: Sequence[Taxon]
    names: Sequence[Name]
    references: Sequence[Reference]
    traits: Sequence[Trait]


def write(path: Path, content: Content, indexes: bool = False) -> None:
    """Writes the file beside its place and moves it there when it is complete; equal content gives equal bytes.

    Without indexes it is for shipping: they are made after unpacking.
    """
    partial = path.with_name(path.name + ".partial")
    try:
        partial.unlink(missing_ok=True)
        _fill(partial, content, indexes)
        os.replace(partial, path)
    except (OSError, sqlite3.OperationalError) as error:
        raise ncbi.DataError(f"cannot write {path}: {error}")
    finally:
        partial.unlink(missing_ok=True)


def _fill(path: Path, content: Content, indexes: bool) -> None:
    database = sqlite3.connect(path, isolation_level=None)
    try:
        database.execute("PRAGMA page_size = 4096")
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA synchronous = OFF")
        database.executescript(SCHEMA)
        database.execute("BEGIN")
        database.execute("INSERT INTO schema_version VALUES (3, ?)", (ncbi.APPLIED_AT,))
        database.executemany("INSERT INTO dataset VALUES (?, ?)", sorted(content.dataset.items()))
        database.executemany("INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?, ?)",
                             [(i, *source) for i, source in enumerate(content.sources, start=1)])
        database.executemany(
            "INSERT INTO taxa (id, parent_id, rank, scientific_name, author, year, source, prominence, source_id)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", [(*taxon, str(taxon.id)) for taxon in content.taxa])
        database.executemany(
            "INSERT INTO names (taxon_id, name, lang, name_type, is_preferred, source, status) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(*name, "synonym" if name.name_type == "synonym" else None) for name in content.names])
        database.executemany(
            "INSERT INTO refs (taxon_id, citation, url, ref_type, source) VALUES (?, ?, ?, ?, ?)", content.references)
        database.executemany(
            "INSERT INTO traits (taxon_id, trait_key, trait_value, source_ref, source) VALUES (?, ?, ?, ?, ?)",
            content.traits)
        database.execute("COMMIT")
        if indexes:
            database.executescript(INDEXES)
        database.execute("VACUUM")
    finally:
        database.close()
