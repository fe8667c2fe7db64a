import Foundation
import GRDB
public import STOLPack

/// Compiles a SQLite taxonomy into a pack.
public struct PackCompiler {
  /// What is being done, for progress.
  public enum Stage: Equatable, Sendable {
    /// Rows of the named table have been read.
    case reading(table: String, rowCount: Int)
    /// The pack is being made.
    case packing(PackWriter.Stage)
  }

  private let path: String
  private let treatsWarningsAsErrors: Bool
  private let onStage: (Stage) -> Void
  private let isCancelled: () -> Bool
  /// How often reading is reported.
  private static let reportInterval = 1 << 15

  /// A compiler for the database at `path`.
  ///
  /// - Parameters:
  ///   - path: the database.
  ///   - treatsWarningsAsErrors: whether the first warning ends the work.
  ///   - onStage: called now and then.
  ///   - isCancelled: asked while rows are read; once true, `CompileError.cancelled` is thrown.
  public init(
    path: String, treatsWarningsAsErrors: Bool = false,
    onStage: @escaping (Stage) -> Void = { _ in },
    isCancelled: @escaping () -> Bool = { false }
  ) {
    self.path = path
    self.treatsWarningsAsErrors = treatsWarningsAsErrors
    self.isCancelled = isCancelled
    self.onStage = onStage
  }

  /// Writes the pack to `packPath`.
  ///
  /// - Throws: `CompileError`, with table, row and reason; a pack that was there before stays.
  /// - Complexity: O(n log n); about 4 s and 250 MB for 500,000 taxa.
  public func compile(to packPath: String) throws -> PackWriter.Report {
    let database = try TaxonomyDatabase(path: path)
    var writer = PackWriter(treatsWarningsAsErrors: treatsWarningsAsErrors)
    try database.read { database in
      let version = try database.taxonomySchemaVersion()
      guard version <= TaxonomyDatabase.supportedSchemaVersion else {
        throw CompileError.schemaTooNew(
          found: version, supported: TaxonomyDatabase.supportedSchemaVersion)
      }
      writer.setSource(try SourceFingerprint(path: path), schemaVersion: version)
      try readTaxa(database, &writer)
      try readNames(database, &writer)
      try readCollapsedTaxa(database, &writer)
      try readTraits(database, &writer)
      try readRetiredIDs(database, &writer)
      try readDataset(database, &writer)
    }
    return try writer.finish(path: packPath) { onStage(.packing($0)) }
  }

  private func readTaxa(_ database: Database, _ writer: inout PackWriter) throws {
    let columns = [
      "id", "parent_id", "rank", "scientific_name", "author", "year", "status", "conservation",
    ]
    try database.requireColumns(columns, of: "taxa")
    try forEachRow(
      database, "taxa",
      """
      SELECT id, parent_id, CAST(rank AS BLOB), CAST(scientific_name AS BLOB),
        CAST(author AS BLOB), year, CAST(status AS BLOB), CAST(conservation AS BLOB)
      FROM taxa ORDER BY id
      """
    ) { row in
      try writer.add(
        TaxonRow(
          id: row.id, parentID: row.integer(1, "parent_id"), rank: row.requiredText(2, "rank"),
          scientificName: row.requiredText(3, "scientific_name"), author: row.text(4, "author"),
          year: row.integer(5, "year"), status: row.requiredText(6, "status"),
          conservation: row.text(7, "conservation")))
    }
  }

  private func readNames(_ database: Database, _ writer: inout PackWriter) throws {
    let columns = ["id", "taxon_id", "name", "lang", "name_type", "is_preferred"]
    guard try database.hasOptionalTable("names", columns: columns) else { return }
    try forEachRow(
      database, "names",
      """
      SELECT id, taxon_id, CAST(name AS BLOB), CAST(lang AS BLOB), CAST(name_type AS BLOB),
        is_preferred
      FROM names ORDER BY id
      """
    ) { row in
      try writer.add(
        NameRow(
          id: row.id, taxonID: row.requiredInteger(1, "taxon_id"),
          name: row.requiredText(2, "name"), language: row.requiredText(3, "lang"),
          type: row.requiredText(4, "name_type"),
          isPreferred: row.integer(5, "is_preferred") ?? 0 != 0))
    }
  }

  /// Taxa of ranks that are not kept: their names lead to the taxon that they stand for, as do their ids.
  private func readCollapsedTaxa(
    _ database: Database, _ writer: inout PackWriter
  ) throws {
    let columns = ["id", "into_id", "scientific_name"]
    guard try database.hasOptionalTable("collapsed_taxa", columns: columns) else {
      // Its name before: without a word, names and ids would be lost.
      guard try !database.tableExists("folded_taxa") else {
        throw CompileError.missing(table: "collapsed_taxa", column: nil)
      }
      return
    }
    try forEachRow(
      database, "collapsed_taxa",
      """
      SELECT id, into_id, CAST(scientific_name AS BLOB) FROM collapsed_taxa
      WHERE into_id IS NOT NULL ORDER BY id
      """
    ) { row in
      let target = try row.requiredInteger(1, "into_id")
      try writer.addCollapsedTaxon(
        row.id, name: row.requiredText(2, "scientific_name"), into: target)
    }
  }

  private func readTraits(_ database: Database, _ writer: inout PackWriter) throws {
    let columns = ["id", "taxon_id", "trait_key", "trait_value", "unit"]
    guard try database.hasOptionalTable("traits", columns: columns) else { return }
    try forEachRow(
      database, "traits",
      """
      SELECT id, taxon_id, CAST(trait_key AS BLOB), CAST(trait_value AS BLOB), CAST(unit AS BLOB)
      FROM traits ORDER BY id
      """
    ) { row in
      try writer.add(
        TraitRow(
          id: row.id, taxonID: row.requiredInteger(1, "taxon_id"),
          key: row.requiredText(2, "trait_key"), value: row.requiredText(3, "trait_value"),
          unit: row.text(4, "unit")))
    }
  }

  private func readRetiredIDs(_ database: Database, _ writer: inout PackWriter) throws {
    if try database.hasOptionalTable("merged_taxa", columns: ["id", "into_id"]) {
      try forEachRow(database, "merged_taxa", "SELECT id, into_id FROM merged_taxa ORDER BY id") {
        row in writer.addMergedID(row.id, into: try row.requiredInteger(1, "into_id"))
      }
    }
    if try database.hasOptionalTable("deleted_taxa", columns: ["id"]) {
      try forEachRow(database, "deleted_taxa", "SELECT id FROM deleted_taxa ORDER BY id") { row in
        writer.addDeletedID(row.id)
      }
    }
  }

  private func readDataset(_ database: Database, _ writer: inout PackWriter) throws {
    guard try database.hasOptionalTable("dataset", columns: ["key", "value"]) else { return }
    try forEachRow(
      database, "dataset",
      "SELECT rowid, CAST(key AS BLOB), CAST(value AS BLOB) FROM dataset ORDER BY key"
    ) { row in
      try writer.addDatasetValue(row.requiredText(2, "value"), for: row.requiredText(1, "key"))
    }
  }

  private func forEachRow(
    _ database: Database, _ table: String, _ sql: String, _ body: (RowReader) throws -> Void
  ) throws {
    let rows = try Row.fetchCursor(database, sql: sql)
    var rowCount = 0
    while let row = try rows.next() {
      try body(RowReader(row, table: table))
      rowCount += 1
      if rowCount % Self.reportInterval == 0 {
        onStage(.reading(table: table, rowCount: rowCount))
        if isCancelled() { throw CompileError.cancelled }
      }
    }
  }
}

extension SourceFingerprint {
  /// The fingerprint of the database file at `path`.
  ///
  /// - Complexity: O(length of the file)
  init(path: String) throws {
    self.init()
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? file.close() }
      var whole = Checksum()
      while let chunk = try file.read(upToCount: 1 << 20), !chunk.isEmpty {
        // The header changes with every write to the file.
        if byteCount == 0 { stamp = Checksum.of(Array(chunk.prefix(100))) }
        byteCount += UInt64(chunk.count)
        whole.update(chunk.bytes)
      }
      checksum = whole.value
    } catch {
      throw TaxonomyDatabase.unreadable(path, error)
    }
  }
}
