-- Only roots: parents of width 0 in two blocks.
CREATE TABLE schema_version (version INTEGER NOT NULL, applied_at TEXT NOT NULL);
INSERT INTO schema_version VALUES (1, '2026-01-01T00:00:00Z');
CREATE TABLE taxa (id INTEGER PRIMARY KEY, parent_id INTEGER, rank TEXT NOT NULL, scientific_name TEXT NOT NULL,
  author TEXT, year INTEGER, status TEXT NOT NULL DEFAULT 'accepted', conservation TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
INSERT INTO taxa (id, rank, scientific_name) SELECT i * 1000003, 'genus', printf('Root%c', 96 + i) FROM n;
