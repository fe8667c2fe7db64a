-- Words enough for tries of several levels and stored completions; every name is made up.
CREATE TABLE schema_version (version INTEGER NOT NULL, applied_at TEXT NOT NULL);
INSERT INTO schema_version VALUES (1, '2026-01-01T00:00:00Z');
CREATE TABLE taxa (id INTEGER PRIMARY KEY, parent_id INTEGER, rank TEXT NOT NULL, scientific_name TEXT NOT NULL,
  author TEXT, year INTEGER, status TEXT NOT NULL DEFAULT 'accepted', conservation TEXT);
CREATE TABLE names (id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL, name TEXT NOT NULL, lang TEXT NOT NULL,
  name_type TEXT NOT NULL, is_preferred INTEGER NOT NULL DEFAULT 0);

-- 17 homonyms. Only the subtrees of the first 16 count, so that z has no completions: the last one
-- holds all other taxa.
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 17)
INSERT INTO taxa (id, parent_id, rank, scientific_name) SELECT i, NULL, 'domain', 'Zona' FROM n;

-- q counts 65 names and has completions; w counts 64 and has none.
INSERT INTO taxa (id, parent_id, rank, scientific_name) VALUES
  (100, 17, 'phylum', 'Quarta'), (101, 100, 'class', 'Quartopsida'), (102, 101, 'order', 'Quartales'),
  (103, 102, 'family', 'Quartidae'), (104, 103, 'genus', 'Quartus'),
  (120, 17, 'phylum', 'Wurta'), (121, 120, 'class', 'Wurtopsida'), (122, 121, 'order', 'Wurtales'),
  (123, 122, 'family', 'Wurtidae'), (124, 123, 'genus', 'Wurtus');
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
INSERT INTO taxa (id, parent_id, rank, scientific_name) SELECT 105 + i, 104, 'species', 'Quartus ' || char(97 + i) || 'ma' FROM n;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 8)
INSERT INTO taxa (id, parent_id, rank, scientific_name) SELECT 125 + i, 124, 'species', 'Wurtus ' || char(97 + i) || 'ma' FROM n;
INSERT INTO names VALUES (1, 120, 'wa', 'en', 'common', 0), (2, 121, 'we', 'en', 'common', 0),
  (3, 122, 'wi', 'en', 'common', 0), (4, 123, 'wo', 'en', 'common', 0);

-- 33 words that share 16 bytes, down to the deepest level of a trie.
INSERT INTO taxa (id, parent_id, rank, scientific_name) VALUES (200, 17, 'class', 'Hypothetobacteriia'),
  (201, 200, 'order', 'Hypothetobacteriales'), (202, 201, 'family', 'Hypothetobacteriaceae');
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 29)
INSERT INTO taxa (id, parent_id, rank, scientific_name)
SELECT 210 + i, 202, 'genus', 'Hypothetobacteri' || char(97 + i % 20) || substr('mirabilissimus-extraordinarius', 1, i * 2) FROM n;

-- Genera, two of the same name, and species. Epithets begin as genera do.
INSERT INTO taxa (id, parent_id, rank, scientific_name, status) VALUES
  (300, 17, 'family', 'Bromidae', 'accepted'), (301, 17, 'family', 'Brosidae', 'accepted'),
  (302, 300, 'genus', 'Bro', 'accepted'), (303, 301, 'genus', 'Brona', 'doubtful'),
  (304, 300, 'genus', 'Bromia', 'accepted'), (305, 301, 'genus', 'Bromia', 'accepted');
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 24)
INSERT INTO taxa (id, parent_id, rank, scientific_name)
SELECT 400 + i, 300 + i % 2, 'genus', substr('BroBruCalCorPan', 1 + i / 5 * 3, 3) || substr('nellsteratentiuszoni', 1 + i % 5 * 4, 4) FROM n;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 49)
INSERT INTO taxa (id, parent_id, rank, scientific_name, status)
SELECT 500 + i, genus.id, 'species', genus.scientific_name || ' ' || substr('brosta bropis calida corvus panica brosus albula', 1 + i * 3 % 7 * 7, 6),
  CASE WHEN i % 8 = 5 THEN 'doubtful' ELSE 'accepted' END
FROM n JOIN taxa genus ON genus.id = 400 + i % 25;

-- Which name of a taxon is shown for bro, and which taxa come first.
INSERT INTO names VALUES
  (10, 302, 'bro', 'en', 'common', 0), (11, 302, 'bro', 'de', 'common', 1), (12, 302, 'Bro', 'la', 'synonym', 1),
  (13, 400, 'old brown', 'en', 'common', 1), (14, 400, 'brown', 'en', 'vernacular', 0), (15, 400, 'broun', 'sco', 'common', 0),
  (16, 417, 'Bro', 'la', 'synonym', 0), (17, 417, 'brown', 'en', 'common', 1),
  (18, 416, 'grey brosk', 'en', 'trade', 0), (19, 416, 'small brosk', 'en', 'common', 1), (20, 303, 'brosk', 'en', 'common', 0),
  (21, 304, 'false bromia', 'en', 'common', 1), (22, 305, 'false bromia', 'en', 'common', 1),
  (23, 415, 'Brotera', 'la', 'synonym', 0), (24, 301, 'bro bro', 'en', 'common', 1), (25, 417, 'brown', 'fr', 'trade', 1),
  (26, 501, 'ブロ', 'ja', 'common', 1), (27, 501, '브로', 'ko', 'common', 1), (28, 501, 'ब्रो', 'hi', 'common', 1),
  (29, 501, 'Brö', 'de', 'common', 1), (30, 501, 'bröderna', 'sv', 'common', 1), (31, 501, 'брат', 'ru', 'common', 1);

-- More words that begin with bro, so that the node of the word bro has children, and 48 of four letters.
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 15)
INSERT INTO names SELECT 40 + i, 400 + i, 'Bro' || substr('talirukedopigufevozahebiwymoxacu', 1 + i * 2, 2) || substr('nes', 1 + i % 3), 'la', 'synonym', 0 FROM n;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 15)
INSERT INTO names SELECT 400 + i, 210 + i, substr('talirukedopigufevonahebidymoxacu', 1 + i * 2, 2) || 'ho ' || substr('talirukedopigufevonahebidymoxacu', 1 + i * 2, 2) || 'ke ' || substr('talirukedopigufevonahebidymoxacu', 1 + i * 2, 2) || 'lu', 'mis', 'common', 0 FROM n;

-- Cyrillic: nodes that end within a scalar, and completions of letters of two bytes.
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 69)
INSERT INTO names SELECT 100 + i, 210 + i % 20, 'птица ' || substr('папопуписмехпыпю', 1 + i % 8 * 2, 2) || substr('лнртйк', 1 + i / 8 % 6, 1), 'ru', 'common', i % 2 FROM n;

-- 17 words that share exactly 15 bytes, and as many of 162 bytes that share 160 at one end or the other.
-- 16 of the latter begin with one byte, so that its node has no children.
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 16)
INSERT INTO names SELECT 200 + i, 210 + i % 30, 'pseudobacterium' || char(97 + i / 3) || substr('yzy', 1, i % 3), 'en', 'common', 0 FROM n;
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 16)
INSERT INTO names SELECT 300 + i, 210 + i % 30, printf('%.160c%s %s%.160c', 'y', char(1393 + i), char(1393 + i), 'x'), 'en', 'trade', 0 FROM n;
INSERT INTO names VALUES (340, 501, 'ա', 'hy', 'common', 1);

-- Letters that share bits, and words of 62 to 64 letters.
INSERT INTO names VALUES (350, 502, 'aз зaз б баз', 'mul', 'vernacular', 0), (351, 502, 'sassafras мямлить 10ˣ10 x-y', 'en', 'trade', 0),
  (352, 503, printf('%.62c %.63c %.64c', 'g', 'g', 'g'), 'en', 'common', 0);
