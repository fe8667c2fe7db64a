import GRDB

/// What belongs to records that are asked for in the order of their rows: one pass over the file for all of them.
struct OwnedRecords {
  private let kind: JournalRecord.Kind
  private let source: RecordSource
  private let cursor: RowCursor
  private let records: ExportedRecords
  /// The row that is read next, and what it belongs to.
  private var next: (row: Row, owner: Int64)?

  /// The column of those that belong to others that says to what.
  static func owner(of kind: JournalRecord.Kind) -> String {
    kind == .identification ? "occurrence_id" : "target_id"
  }

  init(_ kind: JournalRecord.Kind, _ records: ExportedRecords) throws {
    (self.kind, self.records) = (kind, records)
    source = .of(kind)
    cursor = try Row.fetchCursor(
      records.database, sql: source.live(by: "t.\(Self.owner(of: kind)), t.id"))
    try step()
  }

  private mutating func step() throws {
    next = try cursor.next().map { row in
      let record = RecordRow(row: row, indexes: source.indexes)
      return (row, try record.value(Self.owner(of: kind)))
    }
  }

  /// What belongs to a record that is open, in the order of its rows.
  ///
  /// - Parameter owner: the row of the record, behind that of the one before.
  /// - Returns: it.
  /// - Throws: `StoreError`
  mutating func of(_ owner: Int64) throws -> [JournalRecord] {
    var found: [JournalRecord] = []
    while let (row, of) = next, of <= owner {
      if of == owner, let record = try records.open(row, source, kind) { found.append(record) }
      try step()
    }
    return found
  }
}
