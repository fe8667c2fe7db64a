import GRDB

/// Records with all that formats of other programs join to them: what they refer to, what is said of them, and when
/// an individual was seen.
struct Surroundings {
  private let reader: RecordReader
  private var found: [Int64: JournalRecord] = [:]

  /// The records, in the order of their rows.
  var records: [JournalRecord] { found.sorted { $0.key < $1.key }.map(\.value) }

  /// Nothing yet.
  init(_ reader: RecordReader) { self.reader = reader }

  /// Adds a live record.
  ///
  /// - Throws: what the database throws.
  mutating func add(_ head: RecordReader.Head) throws {
    try addAlone(head)
    for kind in [JournalRecord.Kind.identification, .measure, .note] {
      try add(kind, OwnedRecords.owner(of: kind), of: head)
    }
    guard head.kind == .organism else { return }
    for occurrence in try rows(.occurrence, "organism_id", of: head) { try add(occurrence) }
  }

  /// Adds a dive at a place, as by one alone places that are no dive sites are written.
  ///
  /// - Throws: what the database throws.
  mutating func addDive(at place: RecordReader.Head) throws {
    let dive = try rows(.event, "place_id", of: place).first { head in
      guard case .event(let event) = try reader.record(head) else { return false }
      return event.kind == .dive && event.status == .saved && event.start.dayNumber != nil
    }
    if let dive { try addAlone(dive) }
  }

  /// Adds a record with what it refers to.
  private mutating func addAlone(_ head: RecordReader.Head) throws {
    guard head.deletedMs == nil, found[head.id] == nil else { return }
    let record = try reader.record(head)
    found[head.id] = record
    for (_, id, _) in record.references {
      if let other = try reader.head(id) { try addAlone(other) }
    }
  }

  private mutating func add(
    _ kind: JournalRecord.Kind, _ column: String, of head: RecordReader.Head
  ) throws {
    // What nothing can be said of has no such column.
    guard kind != .identification || head.kind == .occurrence else { return }
    for owned in try rows(kind, column, of: head) { try addAlone(owned) }
  }

  private func rows(
    _ kind: JournalRecord.Kind, _ column: String, of head: RecordReader.Head
  ) throws -> [RecordReader.Head] {
    try Int64.fetchAll(
      reader.database.cachedStatement(
        sql: """
          SELECT t.id FROM \(kind.rawValue) t JOIN record r ON r.id = t.id
          WHERE t.\(column) = ? AND r.deleted_ms IS NULL ORDER BY t.id
          """), arguments: [head.id]
    ).map { try reader.head($0) }
  }
}
