public import STOLPack
import STOLSystem
import GRDB

/// A citation for a taxon.
public struct TaxonCitation: Hashable, Sendable {
  /// The taxon.
  public let taxonID: TaxonID
  /// The full citation.
  public let citation: String
  /// A DOI or address, shown but never fetched.
  public let url: String?
  /// "taxonomy", "ecology", "morphology", "conservation" or "other".
  public let refType: String
  /// The further name of the taxon that it is about; nil for the taxon itself.
  public let name: String?
  /// What tells that name from others that are spelled so: its own id, who gave it, when, in which sense.
  public let nameRecord: NameRecord?
  /// The keys of the traits of the taxon that it is given for, ascending.
  public let traits: [String]
  /// The number of the source that has it, from 1; nil where that is not known.
  public let source: Int?
}

/// The SQLite database beside a pack, for what the pack leaves to it: references.
public struct SourceDatabase: Sendable {
  private let database: TaxonomyDatabase
  var queue: DatabaseQueue { database.queue }

  /// Opens the database from which `pack`, at `packPath`, was compiled: the file beside it with the
  /// suffix `.sqlite`.
  ///
  /// - Returns: nil if no such file is there.
  /// - Throws: `PackError.wrongSource` if it is another database; `CompileError` if it is none;
  ///   `SystemError` if it cannot be opened.
  /// - Complexity: O(1)
  public init?(beside packPath: String, of pack: Pack) throws {
    guard let path = Self.path(beside: packPath) else { return nil }
    do {
      try pack.requireSource(try RegularFile(path: path, followsLinks: true))
    } catch let error as SystemError where error.code == .noSuchFile {
      return nil
    }
    database = try TaxonomyDatabase(path: path)
  }

  /// Opens the database of the bundled taxonomy, which is unpacked where it has not been.
  ///
  /// - Throws: `BundledDatabase.Failure` where there is no room for it.
  public init(of bundled: BundledDatabase) throws { database = try bundled.opened() }

  /// Where the database of a pack is; nil where that has another name than packs have.
  static func path(beside packPath: String) -> String? {
    guard packPath.hasSuffix(".stolpack") else { return nil }
    return String(packPath.dropLast(".stolpack".count)) + ".sqlite"
  }

  /// The references of the taxon with this id, in the order of their rows.
  ///
  /// - Throws: `CompileError` if the table cannot be read; a missing table has no references.
  public func references(of id: TaxonID) throws -> [TaxonCitation] {
    try database.read { try Self.references(of: id, in: $0) }
  }

  /// The references of the taxon with this id in a database that is open.
  static func references(of id: TaxonID, in database: Database) throws -> [TaxonCitation] {
    let columns = ["id", "taxon_id", "citation", "url", "ref_type"]
    guard try database.hasOptionalTable("refs", columns: columns) else { return [] }
    let hasNames = try database.taxonomySchemaVersion() >= 3
    if hasNames {
      try database.requireColumns(["name_id", "source"], of: "refs")
      try database.requireColumns(["id", "name"] + Self.nameColumns, of: "names")
    }
    // The number of a source is its place among them.
    let further =
      hasNames
      ? """
      (SELECT count(*) FROM sources a JOIN sources b ON b.position <= a.position
          WHERE a.position = refs.source), CAST(names.name AS BLOB),
        CAST(names.source_id AS BLOB), CAST(names.author AS BLOB), CAST(names.sensu AS BLOB),
        names.year
      """ : "NULL, NULL"
    let traits = try Self.traitKeys(of: id, in: database)
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT refs.id, CAST(citation AS BLOB), CAST(url AS BLOB), CAST(ref_type AS BLOB),
          \(further)
        FROM refs \(hasNames ? "LEFT JOIN names ON names.id = refs.name_id" : "")
        WHERE refs.taxon_id = ? ORDER BY refs.id
        """, arguments: [id.rawValue])
    var result: [TaxonCitation] = []
    while let row = try rows.next() {
      let reader = try RowReader(row, table: "refs")
      result.append(
        TaxonCitation(
          taxonID: id, citation: try reader.requiredText(1, "citation"),
          url: try reader.text(2, "url"),
          refType: try reader.requiredText(3, "ref_type"), name: try reader.text(5, "name_id"),
          nameRecord: try nameRecord(reader), traits: traits[reader.id, default: []].sorted(),
          source: try reader.integer(4, "source").flatMap { $0 > 0 ? Int($0) : nil }))
    }
    return result
  }

  /// The columns that tell a name from others that are spelled so.
  private static let nameColumns = ["source_id", "author", "sensu", "year"]

  /// The record in the columns after the name; nil without a name.
  private static func nameRecord(_ reader: borrowing RowReader) throws -> NameRecord? {
    guard try reader.text(5, "name_id") != nil else { return nil }
    var record = NameRecord()
    record.sourceID = try reader.text(6, nameColumns[0])
    record.authorship = try reader.text(7, nameColumns[1])
    record.sensu = try reader.text(8, nameColumns[2])
    record.year = try reader.integer(9, nameColumns[3]).map { Int($0) }
    return record
  }

  /// The keys of the traits of a taxon by the ids of the references that are given for them.
  private static func traitKeys(
    of id: TaxonID, in database: Database
  ) throws -> [Int64: Set<String>] {
    let columns = ["id", "taxon_id", "trait_key", "source_ref"]
    guard try database.hasOptionalTable("traits", columns: columns) else { return [:] }
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT id, source_ref, CAST(trait_key AS BLOB) FROM traits
        WHERE taxon_id = ? AND source_ref IS NOT NULL
        """, arguments: [id.rawValue])
    var result: [Int64: Set<String>] = [:]
    while let row = try rows.next() {
      let reader = try RowReader(row, table: "traits")
      guard let reference = try reader.integer(1, "source_ref") else { continue }
      result[reference, default: []].insert(try reader.requiredText(2, "trait_key"))
    }
    return result
  }
}
