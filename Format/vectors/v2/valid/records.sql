-- Schema 3: an implied root, ids that are texts, ranks without a place, records of names, two sources.
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
INSERT INTO sources VALUES
  (1, 'coldp', 'Checklist of test', '2026-10', 'CC BY 4.0', 'Tester A (2026). Checklist of test.', 'https://example.org/checklist'),
  (4, 'csv', 'Names beside it', NULL, NULL, NULL, NULL);
INSERT INTO taxa VALUES
  (-1, NULL, NULL, 'no rank', 'implied root', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, NULL),
  (6184890455530221757, 'BAC', -1, 'superkingdom', 'Bacteria', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, 1),
  (6448308152205823567, 'EUK', -1, 'superkingdom', 'Eukaryota', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, 1),
  (5276543507490264049, 'unplaced', NULL, 'unranked', 'Adrift', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, 1),
  (33154, '33154', 6448308152205823567, 'clade', 'Opisthokonta', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, 1),
  (6082209442308709679, '033154', 33154, 'kingdom', 'Animalia', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, 1),
  (6499546760469003157, '4CGXP', 6082209442308709679, 'no rank', 'Carnivora group', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, 1),
  (7418835202041565403, 'urn:lsid:example.org:taxa:9688', 6499546760469003157, 'genus', 'Panthera', 'Oken', 1816, 'accepted', NULL, 'ICZN', NULL, NULL, 1),
  (8950729599198012721, 'wfo-0000000001', 7418835202041565403, 'species', 'Panthera leo', '(Linnaeus)', 1758, 'accepted', 'VU', 'ICZN', 'accepted name', NULL, 1),
  (8950730698709640932, 'wfo-0000000002', 8950729599198012721, 'subspecies', 'Panthera leo leo', '(Linnaeus)', 1758, 'accepted', NULL, 'ICZN', NULL, NULL, 1),
  (8950731798221269147, 'wfo-0000000003', 8950729599198012721, 'subspecies', 'Panthera leo melanochaita', '(Ch. H. Smith)', 1842, 'provisional', NULL, 'ICZN', 'provisionally accepted', NULL, 1),
  (5174654696640994141, '-7', 7418835202041565403, 'species', 'Panthera onca', '(Linnaeus)', 1758, 'accepted', NULL, 'ICZN', NULL, NULL, NULL),
  (5661441265494313511, 'Ünïcode id', 6448308152205823567, 'Stamm', 'Plantae', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, 4),
  (5260775044415218677, 'G1', 5661441265494313511, 'genus', 'Nasturtium', 'W.T.Aiton', 1812, 'accepted', NULL, 'ICN', NULL, NULL, 4),
  (6047950007773976795, 'G1-1', 5260775044415218677, 'species', 'Nasturtium officinale', 'W.T.Aiton', 1812, 'accepted', NULL, 'ICN', NULL, 'sensu lato', 4),
  (6047951107285605006, 'G1-2', 5260775044415218677, 'cultivar', 'Nasturtium officinale ''Aqua''', NULL, NULL, 'accepted', NULL, 'ICNCP', NULL, NULL, 4),
  (8026504480663138727, 'b', 6184890455530221757, 'species', 'Escherichia coli', '(Migula)', 1895, 'accepted', NULL, 'ICNP', NULL, NULL, 1),
  (8376699211699256367, 'b-K12', 8026504480663138727, 'strain', 'Escherichia coli K-12', NULL, NULL, 'accepted', NULL, NULL, NULL, NULL, 1),
  (9142612732582020914, 'syn-1', 8950729599198012721, 'species', 'Felis leo', 'Linnaeus', 1758, 'synonym', NULL, 'ICZN', 'basionym', NULL, 1);
INSERT INTO names VALUES
  (1, 8950729599198012721, 'lion', 'en', 'common', 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4),
  (2, 8950729599198012721, 'Leo leo', 'la', 'synonym', 0, 'syn-2', 'Frisch', 1775, 'species', 'heterotypic', 'later synonym', 'ICZN', NULL, 1),
  (3, 8950729599198012721, 'Felis leo barbaricus', 'la', 'synonym', 0, 'syn-3', 'Meyer', 1826, 'trinomen', 'in-part', NULL, NULL, NULL, 1),
  (4, 5174654696640994141, 'Felis leo barbaricus', 'la', 'synonym', 0, 'syn-3', 'Meyer', 1826, 'trinomen', 'in-part', NULL, NULL, NULL, 1),
  (5, 6047950007773976795, 'Rorippa sylvestris', 'la', 'synonym', 0, 'syn-4', '(L.) Besser', 1821, 'species', 'misapplied', NULL, 'ICN', 'sensu Busch, 1930', 4),
  (6, 6047950007773976795, 'Cardamine fontana', 'la', 'synonym', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1),
  (7, 6047950007773976795, 'watercress', 'en', 'vernacular', 1, NULL, NULL, NULL, NULL, NULL, 'trade name in use', NULL, NULL, 4),
  (8, 8026504480663138727, 'Bacterium coli', 'la', 'synonym', 0, NULL, 'Migula', NULL, NULL, 'homotypic', NULL, NULL, NULL, NULL),
  (9, 8950731798221269147, 'Löwe', 'de', 'common', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO refs VALUES
  (1, 8950729599198012721, 'Linnaeus, C. (1758). Systema Naturae, 10th edition.', NULL, 'taxonomy', NULL, 1),
  (2, 6047950007773976795, 'Busch, N. (1930). A flora.', NULL, 'taxonomy', 5, 4);
INSERT INTO traits VALUES
  (1, 8950729599198012721, 'habitat', 'savanna', NULL, NULL, 1),
  (2, 8950729599198012721, 'habitat', 'savanna', NULL, NULL, 4),
  (3, 6047950007773976795, 'habitat', 'stream', NULL, 2, 4),
  (4, 8026504480663138727, 'habitat', 'gut', NULL, NULL, NULL);
INSERT INTO merged_taxa VALUES
  (7871106599570728901, 'OLD1', 8950729599198012721),
  (77, '77', 7871106599570728901);
INSERT INTO deleted_taxa VALUES
  (8142785741999277260, 'GONE'),
  (78, '78');
INSERT INTO dataset VALUES
  ('id', 'vector-records'),
  ('name', 'Test vector'),
  ('release', '2'),
  ('licence', 'CC0-1.0'),
  ('id_space', 'vector');
