-- The smallest pack: one taxon, no further table.
CREATE TABLE schema_version (version INTEGER NOT NULL, applied_at TEXT NOT NULL);
INSERT INTO schema_version VALUES (1, '2026-01-01T00:00:00Z');
CREATE TABLE taxa (id INTEGER PRIMARY KEY, parent_id INTEGER, rank TEXT NOT NULL, scientific_name TEXT NOT NULL,
  author TEXT, year INTEGER, status TEXT NOT NULL DEFAULT 'accepted', conservation TEXT);
INSERT INTO taxa (id, rank, scientific_name) VALUES (1, 'domain', 'Life');
