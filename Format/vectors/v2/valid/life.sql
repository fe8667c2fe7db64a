-- A small forest with everything that a pack can hold.
CREATE TABLE schema_version (version INTEGER NOT NULL, applied_at TEXT NOT NULL);
INSERT INTO schema_version VALUES (1, '2026-01-01T00:00:00Z');
CREATE TABLE taxa (id INTEGER PRIMARY KEY, parent_id INTEGER, rank TEXT NOT NULL, scientific_name TEXT NOT NULL,
  author TEXT, year INTEGER, status TEXT NOT NULL DEFAULT 'accepted', conservation TEXT);
INSERT INTO taxa VALUES
  (2, NULL, 'domain', 'Bacteria', NULL, NULL, 'accepted', NULL),
  (2759, NULL, 'domain', 'Eukaryota', NULL, NULL, 'accepted', NULL),
  (561, 2, 'genus', 'Escherichia', 'Castellani & Chalmers', 1919, 'accepted', NULL),
  (562, 561, 'species', 'Escherichia coli', '(Migula)', 1895, 'accepted', NULL),
  (33208, 2759, 'kingdom', 'Metazoa', NULL, NULL, 'accepted', NULL),
  (33090, 2759, 'kingdom', 'Viridiplantae', NULL, NULL, 'accepted', NULL),
  (9681, 33208, 'family', 'Felidae', 'Fischer von Waldheim', 1817, 'accepted', NULL),
  (9688, 9681, 'genus', 'Panthera', 'Oken', 1816, 'accepted', NULL),
  (9689, 9688, 'species', 'Panthera leo', '(Linnaeus)', 1758, 'accepted', 'VU'),
  (9690, 9688, 'species', 'Panthera onca', '(Linnaeus)', 1758, 'accepted', 'NT'),
  (9694, 9688, 'species', 'Panthera tigris', '(Linnaeus)', 1758, 'accepted', 'EN'),
  (9682, 9681, 'genus', 'Felis', 'Linnaeus', 1758, 'accepted', NULL),
  (9685, 9682, 'species', 'Felis catus', 'Linnaeus', 1758, 'accepted', NULL),
  (100, 9689, 'species', 'Felis leo', 'Linnaeus', 1758, 'synonym', NULL),
  (101, 100, 'species', 'Leo leo', NULL, NULL, 'synonym', NULL),
  (9592, 33208, 'genus', 'Gorilla', 'I. Geoffroy', 1852, 'accepted', NULL),
  (9593, 9592, 'species', 'Gorilla gorilla', '(Savage)', 1847, 'accepted', 'CR'),
  (200, 33208, 'genus', 'Centropogon', 'Günther', 1860, 'accepted', NULL),
  (201, 33090, 'genus', 'Centropogon', 'C.Presl', 1836, 'accepted', NULL),
  (202, 33090, 'species', 'Viola × wittrockiana', 'Gams', 1925, 'doubtful', NULL),
  (-7, 33090, 'species', 'Quercus robur', 'L.', 1753, 'accepted', 'LC'),
  (9223372036854775807, 33090, 'species', 'Rosa "Peace"', NULL, NULL, 'doubtful', NULL);
CREATE TABLE names (id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL, name TEXT NOT NULL, lang TEXT NOT NULL,
  name_type TEXT NOT NULL, is_preferred INTEGER NOT NULL DEFAULT 0);
INSERT INTO names VALUES
  (1, 9689, 'lion', 'en', 'common', 1), (2, 9689, 'African Lion', 'en', 'vernacular', 0),
  (3, 9689, 'León', 'es', 'common', 1), (4, 9689, 'Löwe', 'de', 'common', 1),
  (5, 9689, 'λιοντάρι', 'el', 'common', 1), (6, 9689, 'лев', 'ru', 'common', 1),
  (7, 9689, 'أسد', 'ar', 'common', 1), (8, 9689, 'सिंह', 'hi', 'common', 1),
  (9, 9689, 'ライオン', 'ja', 'common', 1), (10, 9689, '獅', 'zh-Hant', 'common', 1),
  (11, 9689, '사자', 'ko', 'common', 1), (12, 9694, 'tiger', 'en', 'common', 1),
  (13, 9694, 'Felis tigris', 'la', 'synonym', 0), (14, 9685, 'Cat', 'en', 'common', 1),
  (15, 9685, 'house  cat', 'en', 'vernacular', 0), (16, 100, 'king of beasts', 'en', 'trade', 0),
  (17, 9593, 'western gorilla', 'en', 'common', 1), (18, -7, 'English oak', 'en', 'common', 1),
  (19, 2, 'bacteria', 'en', 'common', 1), (20, 9685, 'mc''Cat–o‘Nine', 'en', 'vernacular', 0);
CREATE TABLE traits (id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL, trait_key TEXT NOT NULL,
  trait_value TEXT NOT NULL, unit TEXT, source_ref INTEGER);
INSERT INTO traits VALUES
  (1, 9689, 'habitat', 'savanna', NULL, NULL), (2, 9689, 'habitat', 'grassland', NULL, NULL),
  (3, 9694, 'habitat', 'forest', NULL, NULL), (4, 9689, 'diet', 'carnivore', NULL, NULL),
  (5, 9694, 'diet', 'carnivore', NULL, NULL), (6, 9689, 'body_length_mm', '1900', 'mm', NULL),
  (7, 9689, 'diet', 'carnivore', NULL, NULL);
CREATE TABLE refs (id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL, citation TEXT NOT NULL, url TEXT, ref_type TEXT NOT NULL);
INSERT INTO refs VALUES (1, 9689, 'Linnaeus, C. (1758). Systema Naturae, 10th edition.', NULL, 'taxonomy');
CREATE TABLE merged_taxa (id INTEGER PRIMARY KEY, into_id INTEGER NOT NULL);
INSERT INTO merged_taxa VALUES (5000, 9694), (5001, 100);
CREATE TABLE deleted_taxa (id INTEGER PRIMARY KEY);
INSERT INTO deleted_taxa VALUES (6000), (-6000);
CREATE TABLE dataset (key TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO dataset VALUES ('id', 'vector-life'), ('name', 'Test vector'), ('release', '1'), ('licence', 'CC0-1.0');
