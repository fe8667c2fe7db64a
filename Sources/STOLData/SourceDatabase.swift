public import STOLPack
import STOLSystem
import GRDB

/// A citation for a taxon.
public struct TaxonReference: Hashable, Sendable {
  /// The taxon.
  public let taxonID: TaxonID
  /// The full citation.
  public let citation: String
  /// A DOI or address, shown but never fetched.
  public let url: String?
  /// "taxonomy", "ecology", "morphology", "conservation" or "other".
  public let refType: String
}

/// The SQLite database beside a pack, for what the pack leaves to it: references.
public struct SourceDatabase {
  private let database: TaxonomyDatabase
  var queue: DatabaseQueue { database.queue }

  /// Opens the database from which `pack`, at `packPath`, was compiled: the file beside it with the
  /// suffix `.sqlite`.
  ///
  /// - Returns: nil if no such file is there.
  /// - Throws: `PackError.wrongSource` if it is another database; `CompileError` if it is none.
  /// - Complexity: O(1)
  public init?(beside packPath: String, of pack: Pack) throws {
    guard let path = Self.path(beside: packPath),
      let file = try? RegularFile(path: path, followsLinks: true)
    else { return nil }
    try pack.requireSource(file)
    database = try TaxonomyDatabase(path: path)
  }

  /// Where the database of a pack is; nil where that has another name than packs have.
  static func path(beside packPath: String) -> String? {
    guard packPath.hasSuffix(".stolpack") else { return nil }
    return String(packPath.dropLast(".stolpack".count)) + ".sqlite"
  }

  /// The references of the taxon with this id, in the order of their rows.
  ///
  /// - Throws: `CompileError` if the table cannot be read; a missing table has no references.
  public func references(of id: TaxonID) throws -> [TaxonReference] {
    try database.read { try Self.references(of: id, in: $0) }
  }

  /// The references of the taxon with this id in a database that is open.
  static func references(of id: TaxonID, in database: Database) throws -> [TaxonReference] {
    let columns = ["id", "taxon_id", "citation", "url", "ref_type"]
    guard try database.hasOptionalTable("refs", columns: columns) else { return [] }
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT id, CAST(citation AS BLOB), CAST(url AS BLOB), CAST(ref_type AS BLOB)
        FROM refs WHERE taxon_id = ? ORDER BY id
        """, arguments: [id.rawValue])
    var result: [TaxonReference] = []
    while let row = try rows.next() {
      let reader = try RowReader(row, table: "refs")
      result.append(
        TaxonReference(
          taxonID: id, citation: try reader.requiredText(1, "citation"),
          url: try reader.text(2, "url"),
          refType: try reader.requiredText(3, "ref_type")))
    }
    return result
  }
}
