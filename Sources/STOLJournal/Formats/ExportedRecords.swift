import GRDB

/// The live records of a query as others may have them, in one state of the file.
struct ExportedRecords {
  let reader: RecordReader
  let sharing: Sharing?
  private let chosen: ChosenRecords?

  /// Finds out which they are.
  ///
  /// - Parameters:
  ///   - journal: the journal.
  ///   - database: its file, while nobody changes what is read of it.
  ///   - query: which sightings are meant, with all that they refer to; nil for all records.
  ///   - sharing: what others may have; nil for all of it.
  /// - Throws: `StoreError`
  init(
    _ journal: JournalFile, _ database: Database, of query: SightingQuery?, by sharing: Sharing?
  ) throws {
    try sharing?.begin(journal, database)
    let chosen = try query.map { try ChosenRecords($0, journal, sharing, database) }
    try sharing?.takeCollections(database) { chosen?.contains($0) ?? true }
    (self.sharing, self.chosen) = (sharing, chosen)
    reader = RecordReader(database: database, references: RecordReader.References())
  }

  var database: Database { reader.database }

  /// Whether all that is live is among them, as it is.
  var isWhole: Bool { sharing == nil && chosen == nil }

  /// Gives those of a kind: the open ones in the order of their rows, what is part of another one behind that; then
  /// those that are obscured in the order of their new UUIDs, which says nothing of when they were kept.
  ///
  /// - Parameters:
  ///   - kind: which kind.
  ///   - condition: which of its rows `t`, as SQL; nil for all.
  ///   - body: gets each, with the id of its row; what it throws ends it.
  /// - Throws: `StoreError`; what `body` throws.
  func forEach(
    _ kind: JournalRecord.Kind, where condition: String? = nil,
    _ body: (SharedRecord, Int64) throws -> Void
  ) throws {
    var obscured: [(id: JournalID, row: Int64)] = []
    // A file may be a photo of one thing alone, so that it is asked but once what becomes of it.
    var photos: [Int64: SharedRecord] = [:]
    try forEachRow(kind, where: condition) { head, record in
      guard let shared = try self.shared(record, head) else { return }
      guard shared.isObscured else { return try body(shared, head.id) }
      obscured.append((shared.record.id, head.id))
      if kind == .photo { photos[head.id] = shared }
    }
    for (_, row) in obscured.sorted(by: { $0.id < $1.id }) {
      if let shared = try photos[row] ?? self.shared(row) { try body(shared, row) }
    }
  }

  private func forEachRow(
    _ kind: JournalRecord.Kind, where condition: String?,
    _ body: (RecordReader.Head, JournalRecord) throws -> Void
  ) throws {
    let isNested = kind == .place || kind == .event
    let source = RecordSource.of(kind)
    let rows = try Row.fetchCursor(
      database, sql: source.live(where: isNested ? "t.parent_id IS NULL" : condition, by: "t.id"))
    while let row = try rows.next() {
      let head = try source.head(kind, row)
      guard try chosen?.contains(head, database) ?? true else { continue }
      try body(head, reader.record(head, RecordRow(row: row, indexes: source.indexes)))
    }
    guard isNested else { return }
    // What is part of another one is in another order than its rows, and is looked up one by one.
    let parts = try Row.fetchCursor(database, sql: JournalFile.exportSQL(kind, isOfParts: true))
    while let row = try parts.next() {
      let head = try RecordReader.Head(row)
      guard try chosen?.contains(head, database) ?? true else { continue }
      try body(head, reader.record(head))
    }
  }

  /// What others may have of a record that is one of them; nil for nothing.
  func shared(_ record: JournalRecord, _ head: RecordReader.Head) throws -> SharedRecord? {
    guard let sharing else { return SharedRecord(record: record) }
    return try sharing.shared(record, head, reader)
  }

  /// The record of a row as others may have it; nil where it is none of them.
  func shared(_ row: Int64) throws -> SharedRecord? { try shared(try reader.head(row)) }

  /// The record of what `record` says as others may have it; nil where it is none of them.
  func shared(_ head: RecordReader.Head) throws -> SharedRecord? {
    guard head.deletedMs == nil, try chosen?.contains(head, database) ?? true else { return nil }
    return try shared(try reader.record(head), head)
  }

  /// The record of a row that says something about one of them, which others may have as it is; what it is about is
  /// open.
  func open(_ row: Row, _ source: RecordSource, _ kind: JournalRecord.Kind) throws -> JournalRecord?
  {
    let head = try source.head(kind, row)
    let record = try reader.record(head, RecordRow(row: row, indexes: source.indexes))
    guard let sharing, sharing.level(of: head.id) != .open || record.saysWhoIdentifiedIt else {
      return record
    }
    return try shared(record, head)?.record
  }

  /// How many of a kind there are; of those alone whose row `t` a condition holds for, as SQL, where there is one.
  func count(of kind: JournalRecord.Kind, where condition: String? = nil) throws -> Int {
    guard isWhole else {
      var count = 0
      try forEach(kind, where: condition) { _, _ in count += 1 }
      return count
    }
    return try Int.fetchOne(
      database,
      sql: """
        SELECT count(*) FROM \(kind.rawValue) t CROSS JOIN record r ON r.id = t.id
        WHERE r.deleted_ms IS NULL AND \(condition ?? "TRUE")
        """) ?? 0
  }
}

extension JournalRecord {
  /// Whether it is an identification that says whose it is.
  fileprivate var saysWhoIdentifiedIt: Bool {
    if case .identification(let it) = self { it.withoutIdentifier != it } else { false }
  }
}
