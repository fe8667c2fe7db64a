import Foundation
import GRDB
import STOLData
import STOLPack
import TestSupport
import Testing

/// Databases made from SQL.
enum TestDatabase {
  /// The tables without constraints, so that any value can be stored.
  static let looseTables = """
    CREATE TABLE schema_version (version);
    INSERT INTO schema_version VALUES (1);
    CREATE TABLE taxa (
      id, parent_id, rank, scientific_name, author, year, status DEFAULT 'accepted', conservation);
    CREATE TABLE names (id, taxon_id, name, lang, name_type, is_preferred DEFAULT 0);
    CREATE TABLE refs (id, taxon_id, citation, url, ref_type);
    CREATE TABLE traits (id, taxon_id, trait_key, trait_value, unit, source_ref);
    CREATE TABLE dataset (key, value);
    CREATE TABLE merged_taxa (id, into_id);
    CREATE TABLE deleted_taxa (id);

    """

  /// The same tables, with the key of `taxa`.
  static var keyedTables: String {
    looseTables.replacingOccurrences(
      of: "taxa (\n  id,", with: "taxa (\n  id INTEGER PRIMARY KEY,")
  }

  /// Four taxa that compile without a warning.
  static let goodTaxa = """
    INSERT INTO taxa (id, parent_id, rank, scientific_name) VALUES
      (1, NULL, 'domain', 'Eukaryota'), (2, 1, 'family', 'Felidae'),
      (3, 2, 'genus', 'Panthera'), (4, 3, 'species', 'Panthera leo');

    """

  /// Makes the database at `path`.
  static func write(_ sql: String, to path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// Compiles a database made from `sql` and opens the pack.
  static func pack(_ sql: String) throws -> Pack {
    let folder = try TemporaryFolder()
    try write(sql, to: folder("a.sqlite"))
    _ = try PackCompiler(path: folder("a.sqlite")).compile(to: folder("a.stolpack"))
    return try Pack(PackBytes(copying: bytes(of: folder("a.stolpack"))))
  }

  static func bytes(of path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }
}

extension Pack {
  /// The taxon with this id.
  func taxon(_ id: Int64) throws -> TaxonOrdinal {
    let found = view.ids.taxon(TaxonID(rawValue: id))
    return try #require(found, "no taxon \(id)")
  }
}
