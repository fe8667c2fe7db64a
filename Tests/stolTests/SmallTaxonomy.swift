import Foundation
import GRDB
import Testing

/// A small taxonomy with two trees, a homonym, synonyms, merged ids and hostile names, compiled by
/// the command once for all tests.
enum SmallTaxonomy {
  static let sql = """
    CREATE TABLE schema_version (version INTEGER NOT NULL);
    INSERT INTO schema_version VALUES (1);
    CREATE TABLE taxa (id INTEGER PRIMARY KEY, parent_id INTEGER, rank TEXT NOT NULL,
      scientific_name TEXT NOT NULL, author TEXT, year INTEGER,
      status TEXT NOT NULL DEFAULT 'accepted', conservation TEXT);
    CREATE TABLE names (id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL, name TEXT NOT NULL,
      lang TEXT NOT NULL, name_type TEXT NOT NULL, is_preferred INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE refs (id INTEGER PRIMARY KEY, taxon_id INTEGER, citation TEXT, url TEXT,
      ref_type TEXT);
    CREATE TABLE traits (id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL, trait_key TEXT NOT NULL,
      trait_value TEXT NOT NULL, unit TEXT, source_ref INTEGER);
    CREATE TABLE dataset (key TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE merged_taxa (id INTEGER PRIMARY KEY, into_id INTEGER NOT NULL);
    CREATE TABLE deleted_taxa (id INTEGER PRIMARY KEY);
    INSERT INTO taxa VALUES
      (1, NULL, 'domain', 'Eukaryota', NULL, NULL, 'accepted', NULL),
      (2, 1, 'kingdom', 'Animalia', 'Linnaeus', 1758, 'accepted', NULL),
      (4, 2, 'class', 'Mammalia', 'Linnaeus', 1758, 'accepted', NULL),
      (5, 4, 'order', 'Carnivora', NULL, NULL, 'accepted', NULL),
      (6, 5, 'family', 'Felidae', NULL, NULL, 'accepted', NULL),
      (7, 6, 'genus', 'Panthera', 'Oken', 1816, 'accepted', NULL),
      (8, 7, 'species', 'Panthera leo', '(Linnaeus)', 1758, 'accepted', 'VU'),
      (9, 7, 'species', 'Panthera tigris', '(Linnaeus)', 1758, 'accepted', 'EN'),
      (10, 7, 'species', 'Panthera onca', '(Linnaeus)', 1758, 'accepted', 'NT'),
      (11, 6, 'genus', 'Felis', NULL, NULL, 'accepted', NULL),
      (12, 11, 'species', 'Felis catus', NULL, NULL, 'doubtful', NULL),
      (13, 5, 'family', 'Canidae', NULL, NULL, 'accepted', NULL),
      (14, 13, 'genus', 'Canis', NULL, NULL, 'accepted', NULL),
      (15, 14, 'species', 'Canis lupus', 'Linnaeus', 1758, 'accepted', 'LC'),
      (20, 8, 'species', 'Felis leo', 'Linnaeus', 1758, 'synonym', NULL),
      (30, 1, 'kingdom', 'Plantae', NULL, NULL, 'accepted', NULL),
      (31, 30, 'genus', 'Prunella', NULL, NULL, 'accepted', NULL),
      (32, 31, 'species', 'Prunella vulgaris', NULL, NULL, 'accepted', NULL),
      (33, 2, 'family', 'Prunella', NULL, NULL, 'accepted', NULL),
      (34, 33, 'species', 'Prunella modularis', NULL, NULL, 'accepted', 'LC'),
      (100, NULL, 'domain', 'Viruses', NULL, NULL, 'accepted', NULL),
      (101, 100, 'species', 'Evil' || char(8238) || char(27) || '[31mname' || char(155), '=cmd()',
        NULL, 'accepted', NULL);
    INSERT INTO names VALUES
      (1, 8, 'Lion', 'en', 'common', 1), (2, 8, 'Löwe', 'de', 'common', 1),
      (3, 9, 'Tiger', 'en', 'common', 1), (4, 10, 'Jaguar', 'en', 'common', 1),
      (5, 15, 'Gray wolf', 'en', 'common', 1), (6, 15, 'Wolf', 'en', 'common', 0),
      (7, 12, 'Cat', 'en', 'common', 1), (8, 34, 'Dunnock', 'en', 'common', 1),
      (9, 9, '虎', 'zh-Hans', 'common', 1),
      (10, 101, 'tab' || char(9) || 'line' || char(10) || 'back\\slash', 'en', 'common', 0),
      (11, 101, '=1+1,"b"', 'fr', 'trade', 0), (12, 32, 'Self-heal', 'en', 'common', 1);
    INSERT INTO refs VALUES
      (1, 8, 'Linnaeus 1758', 'https://doi.org/10.5962/bhl.title.542', 'taxonomy');
    INSERT INTO traits VALUES
      (1, 8, 'habitat', 'savanna', NULL, NULL), (2, 8, 'diet', 'carnivore', NULL, NULL),
      (3, 9, 'diet', 'carnivore', NULL, NULL), (4, 9, 'habitat', 'forest', NULL, NULL),
      (5, 8, 'body_length_mm', '1900', 'mm', NULL);
    INSERT INTO dataset VALUES ('name', 'Small'), ('release', '2026-01'), ('licence', 'CC0');
    INSERT INTO merged_taxa VALUES (900, 8);
    INSERT INTO deleted_taxa VALUES (901);
    """

  private static let compiled = Result {
    let path = SharedHome.path + "/small.sqlite"
    try FileManager.default.createDirectory(
      atPath: SharedHome.path, withIntermediateDirectories: true)
    try Self.write(sql, to: path)
    let outcome = try Command()("pack", path, "-q")
    #expect(outcome.status == 0, "\(outcome.errorText)")
    return SharedHome.path + "/small.stolpack"
  }

  /// Makes a database.
  static func write(_ sql: String, to path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// The path of the pack, with its database beside it.
  static var pack: String { get throws { try compiled.get() } }

  /// The path of the database.
  static var database: String { get throws { String(try pack.dropLast(9)) + ".sqlite" } }

  /// The command, asking the small pack.
  static var command: Command { get throws { Command(pack: try pack) } }
}
