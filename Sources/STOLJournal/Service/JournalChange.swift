import GRDB

/// What somebody changed in the journal, in this process or in another one.
public struct JournalChange: Equatable, Sendable {
  /// The batch, which `undo` takes; nil where the history does not tell what has changed.
  public let batch: Int64?
  /// What it was, as `JournalBatch.what` has it; nil likewise.
  public let what: String?
  /// The records that it added, changed or deleted; nil where they are more than `recordLimit`, or the history does
  /// not tell: whoever shows any asks for them again.
  public let records: [JournalRecord.Kind: Set<JournalID>]?

  /// The most records that a change names.
  public static let recordLimit = 10_000

  /// That anything may have changed.
  static let unknown = JournalChange(batch: nil, what: nil, records: nil)
}

/// How far somebody has seen what happened to the journal.
struct SeenChanges: Equatable, Sendable {
  /// The file, as the label of connections to it.
  fileprivate var file: String
  /// What SQLite says of it, which is another number once anybody has changed it.
  fileprivate var version: Int64
  /// The last batch.
  fileprivate(set) var batch: Int64
}

extension JournalFile {
  /// What happened since somebody looked last.
  ///
  /// - Parameters:
  ///   - seen: how far that was; nil to begin.
  ///   - recordLimit: the most records that a change names.
  /// - Returns: the changes, in their order, and how far they go; nil where nothing happens, as the journal is but a
  ///   copy in memory.
  /// - Throws: `StoreError`
  /// - Complexity: O(1) where nobody has changed the file.
  func changes(
    since seen: SeenChanges?, recordLimit: Int = JournalChange.recordLimit
  ) throws -> (changes: [JournalChange], seen: SeenChanges)? {
    try watch { database in
      let file = database.configuration.label ?? ""
      let version =
        try Int64.fetchOne(database.cachedStatement(sql: "PRAGMA data_version")) ?? 0
      if let seen, seen.file == file, seen.version == version { return ([], seen) }
      // Numbers of batches are given once, and without gaps.
      let last =
        try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'batch'")
        ?? 0
      let now = SeenChanges(file: file, version: version, batch: last)
      guard let seen else { return ([], now) }
      guard seen.file == file, seen.batch <= last else { return ([.unknown], now) }
      let rows = try Row.fetchAll(
        database, sql: "SELECT id, what FROM batch WHERE id > ? ORDER BY id",
        arguments: [seen.batch])
      var changes: [JournalChange] = Int64(rows.count) < last - seen.batch ? [.unknown] : []
      for row in rows {
        let batch: Int64 = try row.value("id")
        changes.append(
          JournalChange(
            batch: batch, what: try row.value("what"),
            records: try Self.records(of: batch, limit: recordLimit, database)))
      }
      return (changes, now)
    }
  }

  /// The records that a batch changed; nil where they are too many.
  private static func records(
    of batch: Int64, limit: Int, _ database: Database
  ) throws -> [JournalRecord.Kind: Set<JournalID>]? {
    let rows = try Row.fetchCursor(
      database, sql: "SELECT record_uuid, kind FROM revision WHERE batch_id = ? LIMIT ?",
      arguments: [batch, limit + 1])
    var records: [JournalRecord.Kind: Set<JournalID>] = [:]
    var count = 0
    while let row = try rows.next() {
      count += 1
      guard count <= limit else { return nil }
      records[try row.word("kind"), default: []].insert(try row.uuid("record_uuid"))
    }
    return records
  }
}
