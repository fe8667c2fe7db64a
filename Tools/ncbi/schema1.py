"""The tables of schema version 1, for small databases of tests and benchmarks, and its indexes, which version 3 has, too."""

SCHEMA = """
CREATE TABLE schema_version (
    version     INTEGER NOT NULL,
    applied_at  TEXT    NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ','now'))
);
CREATE TABLE taxa (
    id              INTEGER PRIMARY KEY,
    parent_id       INTEGER REFERENCES taxa(id),
    rank            TEXT    NOT NULL
        CHECK (rank IN ('domain','kingdom','phylum','class','order','family','genus','species')),
    scientific_name TEXT    NOT NULL,
    author          TEXT,
    year            INTEGER,
    status          TEXT    NOT NULL DEFAULT 'accepted'
        CHECK (status IN ('accepted','synonym','doubtful')),
    conservation    TEXT
);
CREATE TABLE names (
    id          INTEGER PRIMARY KEY,
    taxon_id    INTEGER NOT NULL REFERENCES taxa(id) ON DELETE CASCADE,
    name        TEXT    NOT NULL,
    lang        TEXT    NOT NULL,
    name_type   TEXT    NOT NULL
        CHECK (name_type IN ('common','synonym','vernacular','trade')),
    is_preferred INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE refs (
    id          INTEGER PRIMARY KEY,
    taxon_id    INTEGER NOT NULL REFERENCES taxa(id) ON DELETE CASCADE,
    citation    TEXT    NOT NULL,
    url         TEXT,
    ref_type    TEXT    NOT NULL
        CHECK (ref_type IN ('taxonomy','ecology','morphology','conservation','other'))
);
CREATE TABLE traits (
    id          INTEGER PRIMARY KEY,
    taxon_id    INTEGER NOT NULL REFERENCES taxa(id) ON DELETE CASCADE,
    trait_key   TEXT    NOT NULL,
    trait_value TEXT    NOT NULL,
    unit        TEXT,
    source_ref  INTEGER REFERENCES refs(id)
);
CREATE TABLE dataset (
    key         TEXT PRIMARY KEY,
    value       TEXT NOT NULL
);
"""

INDEXES = """
CREATE INDEX idx_taxa_parent ON taxa(parent_id);
CREATE INDEX idx_taxa_rank   ON taxa(rank);
CREATE INDEX idx_taxa_status ON taxa(status);
CREATE INDEX idx_taxa_name   ON taxa(scientific_name);
CREATE INDEX idx_names_taxon ON names(taxon_id);
CREATE INDEX idx_names_lang  ON names(lang);
CREATE INDEX idx_names_type  ON names(name_type);
CREATE INDEX idx_refs_taxon  ON refs(taxon_id);
CREATE INDEX idx_traits_taxon ON traits(taxon_id);
CREATE INDEX idx_traits_key  ON traits(trait_key);
"""
