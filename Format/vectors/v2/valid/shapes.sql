-- Capitals and underscores of all kinds, in more shapes than phrases state themselves, and names that no shape gives.
CREATE TABLE schema_version (version INTEGER NOT NULL, applied_at TEXT NOT NULL);
INSERT INTO schema_version VALUES (1, '2026-01-01T00:00:00Z');
CREATE TABLE taxa (id INTEGER PRIMARY KEY, parent_id INTEGER, rank TEXT NOT NULL, scientific_name TEXT NOT NULL,
  author TEXT, year INTEGER, status TEXT NOT NULL DEFAULT 'accepted', conservation TEXT);
CREATE TABLE names (id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL, name TEXT NOT NULL, lang TEXT NOT NULL,
  name_type TEXT NOT NULL, is_preferred INTEGER NOT NULL DEFAULT 0);

-- 300 strains whose nine letters have capitals in all ways, so that all have the same folded words.
INSERT INTO taxa (id, parent_id, rank, scientific_name) VALUES (1, NULL, 'genus', 'Aus');
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 299)
INSERT INTO taxa (id, parent_id, rank, scientific_name) SELECT i + 1000, 1, 'species',
  'Aus ' || substr('xX', 1 + (i & 1), 1) || substr('xX', 1 + (i >> 1 & 1), 1) || substr('xX', 1 + (i >> 2 & 1), 1)
  || substr('xX', 1 + (i >> 3 & 1), 1) || substr('xX', 1 + (i >> 4 & 1), 1) || substr('xX', 1 + (i >> 5 & 1), 1)
  || substr('xX', 1 + (i >> 6 & 1), 1) || substr('xX', 1 + (i >> 7 & 1), 1) || substr('xX', 1 + (i >> 8 & 1), 1) FROM n;
INSERT INTO taxa (id, parent_id, rank, scientific_name) VALUES
  (2, 1, 'species', 'Aus sp. BOLD:AAA1234'), (3, 1, 'species', 'Aus sp. BOLD:AAB0001'),
  (4, 1, 'species', 'Aus sp. bold_2 mRNA'), (5, 1, 'species', 'aus'), (6, 1, 'species', 'AUS'),
  (7, 1, 'species', 'A_B'), (8, 1, 'species', 'A b'), (9, 1, 'species', 'a_'), (10, 1, 'species', '_'),
  (11, 1, 'species', '12 34_5x'), (12, 1, 'species', '"Aus" bus'), (13, 1, 'species', 'Aus  bus'),
  (14, 1, 'species', 'Aus × bus'), (15, 1, 'species', 'Äus'), (16, 1, 'species', 'Лев X'),
  (17, 1, 'species', 'лев X_y'), (18, 1, 'species', char(8203)), (19, 1, 'species', '(Aus) bus');
INSERT INTO names (id, taxon_id, name, lang, name_type, is_preferred) VALUES
  (1, 2, 'the Red Fox', 'en', 'common', 1), (2, 2, 'The Red Fox', 'en', 'common', 0), (3, 2, 'the red fox', 'en', 'common', 0),
  (4, 3, 'red_fox', 'en', 'common', 0), (5, 3, 'Rêd Fox', 'en', 'common', 0), (6, 3, char(8203), 'en', 'common', 0),
  (7, 3, 'deFOX', 'en', 'common', 0), (8, 10, 'X', 'en', 'common', 0);
