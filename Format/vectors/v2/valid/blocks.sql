-- 120 taxa of uneven depth over eight blocks, so that every row of the sparse table is used.
CREATE TABLE schema_version (version INTEGER NOT NULL, applied_at TEXT NOT NULL);
INSERT INTO schema_version VALUES (1, '2026-01-01T00:00:00Z');
CREATE TABLE taxa (id INTEGER PRIMARY KEY, parent_id INTEGER, rank TEXT NOT NULL, scientific_name TEXT NOT NULL,
  author TEXT, year INTEGER, status TEXT NOT NULL DEFAULT 'accepted', conservation TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120)
INSERT INTO taxa (id, parent_id, rank, scientific_name)
SELECT i, CASE WHEN i = 1 THEN NULL WHEN i % 7 = 0 THEN i - 1 ELSE (i * i + 3) % (i - 1) + 1 END,
  'genus', printf('Node%c%c', 97 + i / 26, 97 + i % 26) FROM n;
