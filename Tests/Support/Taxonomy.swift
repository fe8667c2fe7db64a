import GRDB
import STOLData

/// Databases in stol's schema, and packs beside them.
public enum Taxonomy {
  /// All tables of the schema.
  public static let tables = """
    CREATE TABLE schema_version (version INTEGER NOT NULL);
    INSERT INTO schema_version VALUES (1);
    CREATE TABLE taxa (
      id INTEGER PRIMARY KEY, parent_id INTEGER, rank TEXT, scientific_name TEXT, author TEXT,
      year INTEGER, status TEXT DEFAULT 'accepted', conservation TEXT);
    CREATE TABLE names (
      id INTEGER PRIMARY KEY, taxon_id INTEGER, name TEXT, lang TEXT, name_type TEXT,
      is_preferred INTEGER DEFAULT 0);
    CREATE TABLE refs (
      id INTEGER PRIMARY KEY, taxon_id INTEGER, citation TEXT, url TEXT, ref_type TEXT);
    CREATE TABLE traits (
      id INTEGER PRIMARY KEY, taxon_id INTEGER, trait_key TEXT, trait_value TEXT, unit TEXT,
      source_ref INTEGER);
    CREATE TABLE dataset (key TEXT PRIMARY KEY, value TEXT);
    CREATE TABLE merged_taxa (id INTEGER PRIMARY KEY, into_id INTEGER);
    CREATE TABLE deleted_taxa (id INTEGER PRIMARY KEY);

    """

  /// All tables of schema version 3: every rank, ids as texts, records of names.
  public static let recordTables = """
    CREATE TABLE schema_version (version INTEGER NOT NULL);
    INSERT INTO schema_version VALUES (3);
    CREATE TABLE sources (
      position INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT, release TEXT, licence TEXT,
      citation TEXT, url TEXT);
    CREATE TABLE taxa (
      id INTEGER PRIMARY KEY, source_id TEXT, parent_id INTEGER, rank TEXT NOT NULL,
      scientific_name TEXT NOT NULL, author TEXT, year INTEGER,
      status TEXT NOT NULL DEFAULT 'accepted', conservation TEXT, code TEXT, status_text TEXT,
      sensu TEXT, source INTEGER);
    CREATE TABLE names (
      id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL, name TEXT NOT NULL, lang TEXT NOT NULL,
      name_type TEXT NOT NULL, is_preferred INTEGER NOT NULL DEFAULT 0, source_id TEXT,
      author TEXT, year INTEGER, rank TEXT, status TEXT, status_text TEXT, code TEXT, sensu TEXT,
      source INTEGER);
    CREATE TABLE refs (
      id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL, citation TEXT NOT NULL, url TEXT,
      ref_type TEXT NOT NULL, name_id INTEGER, source INTEGER);
    CREATE TABLE traits (
      id INTEGER PRIMARY KEY, taxon_id INTEGER, trait_key TEXT, trait_value TEXT, unit TEXT,
      source_ref INTEGER, source INTEGER);
    CREATE TABLE dataset (key TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE merged_taxa (
      id INTEGER PRIMARY KEY, source_id TEXT NOT NULL, into_id INTEGER NOT NULL);
    CREATE TABLE deleted_taxa (id INTEGER PRIMARY KEY, source_id TEXT NOT NULL);

    """

  /// Cats, an oak and a virus: two trees, names in four languages, traits, references, an id that was
  /// merged and one that was deleted.
  public static let cats = """
    INSERT INTO taxa VALUES
      (1, NULL, 'domain', 'Eukaryota', NULL, NULL, 'accepted', NULL),
      (2, 1, 'kingdom', 'Metazoa', NULL, NULL, 'accepted', NULL),
      (3, 2, 'order', 'Carnivora', 'Bowdich', 1821, 'accepted', NULL),
      (4, 3, 'family', 'Felidae', NULL, NULL, 'accepted', NULL),
      (5, 4, 'genus', 'Panthera', 'Oken', 1816, 'accepted', NULL),
      (6, 5, 'species', 'Panthera leo', '(Linnaeus, 1758)', 1758, 'accepted', 'VU'),
      (7, 5, 'species', 'Panthera tigris', '(Linnaeus, 1758)', 1758, 'accepted', 'EN'),
      (8, 3, 'family', 'Canidae', NULL, NULL, 'accepted', NULL),
      (9, 8, 'genus', 'Canis', NULL, NULL, 'accepted', NULL),
      (10, 9, 'species', 'Canis lupus', 'Linnaeus, 1758', 1758, 'accepted', 'LC'),
      (11, 1, 'kingdom', 'Viridiplantae', NULL, NULL, 'accepted', NULL),
      (12, 11, 'genus', 'Quercus', NULL, NULL, 'accepted', NULL),
      (13, 12, 'species', 'Quercus robur', 'L.', 1753, 'accepted', 'LC'),
      (20, NULL, 'domain', 'Viruses', NULL, NULL, 'doubtful', NULL),
      (21, 20, 'species', 'Influenza A virus', NULL, NULL, 'accepted', NULL);
    INSERT INTO names VALUES
      (1, 6, 'lion', 'en', 'common', 1), (2, 6, 'African lion', 'en', 'vernacular', 0),
      (3, 6, 'leão', 'pt', 'common', 1), (4, 6, 'Löwe', 'de', 'common', 1),
      (5, 6, 'Felis leo', 'la', 'synonym', 0), (6, 7, 'tiger', 'en', 'common', 0),
      (7, 7, 'tigre', 'pt-BR', 'common', 1), (8, 13, 'oak', 'en', 'trade', 0),
      (9, 13, 'English oak', 'en-GB', 'common', 1), (10, 10, 'Wolf', 'de', 'common', 0);
    INSERT INTO refs VALUES
      (1, 6, 'Linnaeus, C. 1758. Systema Naturae', 'https://doi.org/10.5962/bhl.title.542', 'taxonomy'),
      (2, 6, 'IUCN Red List', NULL, 'conservation');
    INSERT INTO traits VALUES
      (1, 6, 'diet', 'carnivore', NULL, NULL), (2, 7, 'diet', 'carnivore', NULL, NULL),
      (3, 6, 'habitat', 'savanna', NULL, NULL), (4, 7, 'habitat', 'forest', NULL, NULL),
      (5, 6, 'body_length', '1.9', 'm', NULL), (6, 7, 'body_length', '2200', 'mm', NULL);
    INSERT INTO dataset VALUES ('name', 'Cats and others'), ('licence', 'CC0-1.0');
    INSERT INTO merged_taxa VALUES (106, 6);
    INSERT INTO deleted_taxa VALUES (107);

    """

  /// Makes `NAME.sqlite` and `NAME.stolpack` in `folder` from rows.
  ///
  /// - Returns: the path of the pack.
  public static func compile(
    _ rows: String, tables: String = tables, in folder: TemporaryFolder, _ name: String = "taxa"
  ) throws -> String {
    let database = folder(name + ".sqlite")
    let queue = try DatabaseQueue(path: database)
    try queue.writeWithoutTransaction { try $0.execute(sql: tables + rows) }
    try queue.close()
    let pack = folder(name + ".stolpack")
    _ = try PackCompiler(path: database).compile(to: pack)
    return pack
  }
}
