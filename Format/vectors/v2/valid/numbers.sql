-- Schema 3: ids that are numbers, some retired, some of synonyms; every rank; no sources and no implied root.
CREATE TABLE schema_version (version INTEGER NOT NULL, applied_at TEXT NOT NULL);
INSERT INTO schema_version VALUES (3, '2026-11-23T00:00:00Z');
CREATE TABLE sources (position INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT, release TEXT, licence TEXT,
  citation TEXT, url TEXT);
CREATE TABLE taxa (id INTEGER PRIMARY KEY, source_id TEXT, parent_id INTEGER REFERENCES taxa(id), rank TEXT NOT NULL,
  scientific_name TEXT NOT NULL, author TEXT, year INTEGER, status TEXT NOT NULL DEFAULT 'accepted', conservation TEXT,
  code TEXT, status_text TEXT, sensu TEXT, source INTEGER REFERENCES sources(position));
CREATE TABLE names (id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL, name TEXT NOT NULL, lang TEXT NOT NULL,
  name_type TEXT NOT NULL, is_preferred INTEGER NOT NULL DEFAULT 0, source_id TEXT, author TEXT, year INTEGER, rank TEXT,
  status TEXT, status_text TEXT, code TEXT, sensu TEXT, source INTEGER REFERENCES sources(position));
CREATE TABLE refs (id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL, citation TEXT NOT NULL, url TEXT,
  ref_type TEXT NOT NULL, name_id INTEGER REFERENCES names(id), source INTEGER REFERENCES sources(position));
CREATE TABLE traits (id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL, trait_key TEXT NOT NULL, trait_value TEXT NOT NULL,
  unit TEXT, source_ref INTEGER REFERENCES refs(id), source INTEGER REFERENCES sources(position));
CREATE TABLE dataset (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE merged_taxa (id INTEGER PRIMARY KEY, source_id TEXT NOT NULL, into_id INTEGER NOT NULL);
CREATE TABLE deleted_taxa (id INTEGER PRIMARY KEY, source_id TEXT NOT NULL);
CREATE INDEX idx_taxa_source_id ON taxa(source_id);
INSERT INTO taxa VALUES
  (1, '1', NULL, 'no rank', 'root', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, NULL),
  (10239, '10239', 1, 'acellular root', 'Viruses', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, NULL),
  (2759, '2759', 1, 'domain', 'Eukaryota', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, NULL),
  (33208, '33208', 2759, 'kingdom', 'Metazoa', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, NULL),
  (9604, '9604', 33208, 'family', 'Hominidae', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, NULL),
  (207598, '207598', 9604, 'subfamily', 'Homininae', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, NULL),
  (9605, '9605', 207598, 'genus', 'Homo', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, NULL),
  (9606, '9606', 9605, 'species', 'Homo sapiens', 'Linnaeus', 1758, 'accepted', NULL, NULL, NULL, NULL, NULL),
  (63221, '63221', 9606, 'subspecies', 'Homo sapiens neanderthalensis', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, NULL),
  (9596, '9596', 207598, 'genus', 'Pan', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, NULL),
  (9598, '9598', 9596, 'species', 'Pan troglodytes', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, NULL),
  (9007199254740993, '9007199254740993', 9605, 'species', 'Homo sp. Altai', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, NULL),
  (-5, '-5', 9605, 'species', 'Homo sp. Denisova', NULL, NULL, 'provisional', NULL, NULL, NULL, NULL, NULL),
  (9610, '9610', 9606, 'species', 'Homo europaeus', 'Linnaeus', 1758, 'synonym', NULL, NULL, NULL, NULL, NULL);
INSERT INTO names VALUES
  (1, 9606, 'human', 'en', 'common', 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (2, 9606, 'Homo sapiens sapiens', 'la', 'synonym', 0, '9607', 'Linnaeus', 1758, NULL, 'synonym', NULL, NULL, NULL, NULL),
  (3, 9598, 'Simia troglodytes', 'la', 'synonym', 0, '9609', 'Blumenbach', 1775, 'species', 'homotypic', NULL, NULL, NULL, NULL),
  (4, 9598, 'Troglodytes niger', 'la', 'synonym', 0, 'A-1', NULL, NULL, NULL, 'heterotypic', NULL, NULL, NULL, NULL),
  (5, 9605, 'Pithecanthropus', 'la', 'synonym', 0, '9609', NULL, NULL, 'genus', 'ambiguous', NULL, NULL, NULL, NULL),
  (6, 63221, 'Neandertal', 'en', 'common', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO merged_taxa VALUES
  (12, '12', 9606),
  (13, '13', 12),
  (14, '14', 9610);
INSERT INTO deleted_taxa VALUES
  (15, '15'),
  (-16, '-16');
INSERT INTO dataset VALUES
  ('id', 'vector-numbers'),
  ('id_space', 'ncbi');
