import GRDB
import STOLNames
import STOLPack

/// Reads the tables of a taxonomy of schema version 1, 2 or 3 for the writer of a pack:
/// Format/DATABASE.md.
struct TaxonomyRows {
  let database: Database
  let version: Int
  /// Calls the body with each row of a query; the first argument names its table.
  let forEachRow: (_ table: String, _ sql: String, (RowReader) throws -> Void) throws -> Void

  /// Whether names and ids have their records in their own rows.
  private var hasRecords: Bool { version >= 3 }

  /// Adds all rows, each table by its key.
  ///
  /// - Throws: `CompileError`, with table, row and reason.
  func read(into writer: inout PackWriter) throws {
    let sources = try readSources(&writer)
    try readTaxa(&writer, sources)
    try readNames(&writer, sources)
    if !hasRecords { try readCollapsedTaxa(&writer) }
    try readTraits(&writer, sources)
    try readRetiredIDs(&writer)
    try readDataset(&writer)
  }

  /// The sources by their positions.
  private func readSources(_ writer: inout PackWriter) throws -> SourceNumbers {
    var numbers: [Int64: Int] = [:]
    let columns = ["position", "kind", "name", "release", "licence", "citation", "url"]
    guard version >= 2, try database.hasOptionalTable("sources", columns: columns) else {
      return SourceNumbers(numbers: numbers)
    }
    let texts = columns.dropFirst().map { "CAST(\($0) AS BLOB)" }.joined(separator: ", ")
    try forEachRow("sources", "SELECT position, \(texts) FROM sources ORDER BY position") { row in
      numbers[row.id] = try writer.addSource(
        DataSource(
          kind: row.text(1, "kind"), name: row.text(2, "name"), release: row.text(3, "release"),
          licence: row.text(4, "licence"), citation: row.text(5, "citation"),
          url: row.text(6, "url")))
    }
    return SourceNumbers(numbers: numbers)
  }

  private func readTaxa(_ writer: inout PackWriter, _ sources: SourceNumbers) throws {
    var columns = [
      "id", "parent_id", "rank", "scientific_name", "author", "year", "status", "conservation",
    ]
    if hasRecords { columns += ["source_id", "code", "status_text", "sensu", "source"] }
    try database.requireColumns(columns, of: "taxa")
    let further =
      hasRecords
      ? """
      CAST(source_id AS BLOB), CAST(code AS BLOB), CAST(status_text AS BLOB), CAST(sensu AS BLOB), source
      """ : "\(try sourceID(of: "taxa.id")), NULL, NULL, NULL, NULL"
    // A column of its own, which no version asks for.
    let names = Set(try database.columns(in: "taxa").map { $0.name.lowercased() })
    let prominence = names.contains("prominence") ? "prominence" : "NULL"
    try forEachRow(
      "taxa",
      """
      SELECT id, parent_id, CAST(rank AS BLOB), CAST(scientific_name AS BLOB),
        CAST(author AS BLOB), year, CAST(status AS BLOB), CAST(conservation AS BLOB), \(further),
        \(prominence)
      FROM taxa ORDER BY id
      """
    ) { row in
      let parentID = try row.integer(1, "parent_id")
      let sourceID = try row.text(8, "source_id")
      let isImplied = hasRecords && sourceID == nil && row.id == -1 && parentID == nil
      if hasRecords, sourceID == nil, !isImplied {
        throw CompileError.row(
          table: "taxa", id: row.id, reason: .emptyText(column: "source_id"))
      }
      try writer.add(
        TaxonRow(
          id: row.id, parentID: parentID, rank: row.requiredText(2, "rank"),
          scientificName: row.requiredText(3, "scientific_name"), author: row.text(4, "author"),
          year: row.integer(5, "year"), status: row.requiredText(6, "status"),
          conservation: row.text(7, "conservation"), sourceID: sourceID,
          code: row.text(9, "code"), statusText: row.text(10, "status_text"),
          sensu: row.text(11, "sensu"), source: sources.number(row, 12),
          prominence: row.integer(13, "prominence"),
          isImpliedRoot: isImplied))
    }
  }

  private func readNames(_ writer: inout PackWriter, _ sources: SourceNumbers) throws {
    var columns = ["id", "taxon_id", "name", "lang", "name_type", "is_preferred"]
    let records = [
      "source_id", "author", "year", "rank", "status", "status_text", "code", "sensu", "source",
    ]
    if hasRecords { columns += records }
    guard try database.hasOptionalTable("names", columns: columns) else { return }
    var further = "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL"
    var details = ""
    if hasRecords {
      further = records.map { ["year", "source"].contains($0) ? $0 : "CAST(\($0) AS BLOB)" }
        .joined(separator: ", ")
    } else if try version >= 2
      && database.hasOptionalTable("name_details", columns: ["name_id", "author", "year", "rank"])
    {
      further = """
        NULL, CAST(d.author AS BLOB), d.year, CAST(d.rank AS BLOB), NULL, NULL, NULL, NULL, NULL
        """
      details = "LEFT JOIN name_details d ON d.name_id = n.id"
    }
    try forEachRow(
      "names",
      """
      SELECT n.id, n.taxon_id, CAST(n.name AS BLOB), CAST(n.lang AS BLOB),
        CAST(n.name_type AS BLOB), n.is_preferred, \(further)
      FROM names n \(details) ORDER BY n.id
      """
    ) { row in
      try writer.add(
        NameRow(
          id: row.id, taxonID: row.requiredInteger(1, "taxon_id"),
          name: row.requiredText(2, "name"), language: row.requiredText(3, "lang"),
          type: row.requiredText(4, "name_type"),
          isPreferred: row.integer(5, "is_preferred") ?? 0 != 0,
          sourceID: row.text(6, "source_id"), author: row.text(7, "author"),
          year: row.integer(8, "year"), rank: row.text(9, "rank"), status: row.text(10, "status"),
          statusText: row.text(11, "status_text"), code: row.text(12, "code"),
          sensu: row.text(13, "sensu"), source: sources.number(row, 14)))
    }
  }

  /// Taxa of ranks that are not kept: their names lead to the taxon that they stand for, as do their ids.
  private func readCollapsedTaxa(_ writer: inout PackWriter) throws {
    let columns = ["id", "into_id", "scientific_name"]
    guard try database.hasOptionalTable("collapsed_taxa", columns: columns) else {
      // Its name before: without a word, names and ids would be lost.
      guard try !database.tableExists("folded_taxa") else {
        throw CompileError.missing(table: "collapsed_taxa", column: nil)
      }
      return
    }
    let present = Set(try database.columns(in: "collapsed_taxa").map { $0.name.lowercased() })
    let rank = present.contains("rank") ? "CAST(rank AS BLOB)" : "NULL"
    let author = present.contains("author") ? "CAST(author AS BLOB)" : "NULL"
    let year = present.contains("year") ? "year" : "NULL"
    try forEachRow(
      "collapsed_taxa",
      """
      SELECT id, into_id, CAST(scientific_name AS BLOB), \(rank), \(author), \(year),
        \(try sourceID(of: "collapsed_taxa.id"))
      FROM collapsed_taxa WHERE into_id IS NOT NULL ORDER BY id
      """
    ) { row in
      let target = try row.requiredInteger(1, "into_id")
      try writer.addCollapsedTaxon(
        row.id, name: row.requiredText(2, "scientific_name"), into: target,
        rank: row.text(3, "rank"), author: row.text(4, "author"), year: row.integer(5, "year"),
        sourceID: row.text(6, "source_id"))
    }
  }

  /// What gives the text of an id in a query of schema version 2, where it is no number.
  private func sourceID(of id: String) throws -> String {
    guard version >= 2, try database.hasOptionalTable("source_ids", columns: ["id", "source_id"])
    else { return "NULL" }
    return "(SELECT CAST(s.source_id AS BLOB) FROM source_ids s WHERE s.id = \(id))"
  }

  private func readTraits(_ writer: inout PackWriter, _ sources: SourceNumbers) throws {
    var columns = ["id", "taxon_id", "trait_key", "trait_value", "unit"]
    if hasRecords { columns.append("source") }
    guard try database.hasOptionalTable("traits", columns: columns) else { return }
    try forEachRow(
      "traits",
      """
      SELECT id, taxon_id, CAST(trait_key AS BLOB), CAST(trait_value AS BLOB), CAST(unit AS BLOB),
        \(hasRecords ? "source" : "NULL")
      FROM traits ORDER BY id
      """
    ) { row in
      try writer.add(
        TraitRow(
          id: row.id, taxonID: row.requiredInteger(1, "taxon_id"),
          key: row.requiredText(2, "trait_key"), value: row.requiredText(3, "trait_value"),
          unit: row.text(4, "unit"), source: sources.number(row, 5)))
    }
  }

  private func readRetiredIDs(_ writer: inout PackWriter) throws {
    if try database.hasOptionalTable("merged_taxa", columns: ["id", "into_id"]) {
      try forEachRow("merged_taxa", "SELECT id, into_id FROM merged_taxa ORDER BY id") { row in
        writer.addMergedID(row.id, into: try row.requiredInteger(1, "into_id"))
      }
    }
    if try database.hasOptionalTable("deleted_taxa", columns: ["id"]) {
      try forEachRow("deleted_taxa", "SELECT id FROM deleted_taxa ORDER BY id") { row in
        writer.addDeletedID(row.id)
      }
    }
  }

  private func readDataset(_ writer: inout PackWriter) throws {
    guard try database.hasOptionalTable("dataset", columns: ["key", "value"]) else { return }
    try forEachRow(
      "dataset",
      "SELECT rowid, CAST(key AS BLOB), CAST(value AS BLOB) FROM dataset ORDER BY key"
    ) { row in
      let (key, value) = (try row.requiredText(1, "key"), try row.requiredText(2, "value"))
      // References and addresses are written with it.
      guard key != "id_space" || IDSpace.isStatable(value) else {
        throw CompileError.row(table: row.table, id: row.id, reason: .noIDSpace(value))
      }
      try writer.addDatasetValue(value, for: key)
    }
  }
}

/// The numbers of sources by their positions in the table `sources`.
private struct SourceNumbers {
  let numbers: [Int64: Int]

  /// The number of the source that a column of a row names, or nil for none.
  ///
  /// - Throws: `CompileError.row` if there is no such source.
  func number(_ row: RowReader, _ index: Int) throws(CompileError) -> Int? {
    guard let position = try row.integer(index, "source") else { return nil }
    guard let number = numbers[position] else {
      throw .row(table: row.table, id: row.id, reason: .unknownSource(position))
    }
    return number
  }
}
