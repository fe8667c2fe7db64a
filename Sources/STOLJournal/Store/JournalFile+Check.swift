import GRDB
import STOLStore

extension JournalFile {
  /// Whether all is as Format/JOURNAL.md says: the file, and what follows from the records.
  ///
  /// - Returns: what is not, in a line each; nothing where all is well.
  /// - Throws: `StoreError`, where the file cannot be read at all.
  /// - Complexity: O(n log n)
  package func check() throws -> [String] {
    try readAlone { database in
      let usual = try Self.enlargeCache(database)
      defer { Self.setCache(usual, database) }
      // SQLite goes by what this connection read last of the index of words, which may be another one by now.
      _ = try Int64.fetchOne(database, sql: "SELECT rowid FROM journal_text LIMIT 1")
      let report = try String.fetchAll(database, sql: "PRAGMA integrity_check(20)")
      // Nothing else can be asked of a damaged file: its values may be of any type.
      guard report == ["ok"] else { return report.map { "file: \($0)" } }
      var faults: [String] = []
      for row in try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").prefix(20) {
        faults.append(
          "\(row[0] as String): row \(row[1] as Int64? ?? 0) refers to no \(row[2] as String)")
      }
      faults += try Self.faultsOfRecords(database)
      faults += try Self.faultsOfDerivedTables(database)
      return faults
    }
  }

  /// Makes all that follows from the records anew.
  ///
  /// - Throws: `StoreError`; then nothing has changed.
  package func rebuild() throws {
    try file.withDatabase(isChange: true) { database in
      try database.inTransaction(.immediate) {
        try DerivedTables.rebuild(database)
        return .commit
      }
    }
  }

  /// What is stated of records beside what foreign keys and types keep.
  private static func faultsOfRecords(_ database: Database) throws -> [String] {
    var faults: [String] = []
    for kind in JournalRecord.Kind.allCases.map(\.rawValue) {
      let rows = try Int64.fetchAll(
        database,
        sql: """
          SELECT * FROM (SELECT id FROM record r WHERE kind = '\(kind)'
            AND NOT EXISTS (SELECT 1 FROM \(kind) WHERE id = r.id) LIMIT 5)
          UNION ALL
          SELECT * FROM (SELECT id FROM \(kind) t WHERE NOT EXISTS (
            SELECT 1 FROM record WHERE id = t.id AND kind = '\(kind)') LIMIT 5)
          LIMIT 5
          """)
      faults += rows.map { "\(kind): record \($0) is not in both tables" }
    }
    // A live record refers to live ones only.
    for (table, column) in [
      ("place", "parent_id"), ("event", "parent_id"), ("event", "place_id"),
      ("organism", "place_id"), ("occurrence", "event_id"), ("occurrence", "organism_id"),
      ("identification", "occurrence_id"), ("note", "target_id"),
      ("measure", "target_id"), ("photo", "target_id"),
    ] {
      let rows = try Int64.fetchAll(
        database,
        sql: """
          SELECT t.id FROM \(table) t JOIN record r ON r.id = t.id JOIN record x ON x.id = t.\(column)
          WHERE r.deleted_ms IS NULL AND x.deleted_ms NOT NULL LIMIT 5
          """)
      faults += rows.map {
        "\(table): record \($0) is live and refers to a deleted one (\(column))"
      }
    }
    let items = try Int64.fetchAll(
      database,
      sql: """
        SELECT i.record_id FROM collection_item i JOIN record r ON r.id = i.record_id
          JOIN record c ON c.id = i.collection_id
        WHERE r.deleted_ms IS NULL AND c.deleted_ms NOT NULL LIMIT 5
        """)
    faults += items.map { "collection_item: record \($0) is live in a deleted collection" }
    let members = try Int64.fetchAll(
      database,
      sql: """
        SELECT p.event_id FROM event_person p JOIN record r ON r.id = p.event_id
          JOIN record x ON x.id = p.person_id
        WHERE r.deleted_ms IS NULL AND x.deleted_ms NOT NULL LIMIT 5
        """)
    faults += members.map { "event_person: record \($0) is live with a deleted person" }
    // The length of a text is that in letters.
    let batches = try Int64.fetchAll(
      database,
      sql: """
        SELECT id FROM batch WHERE byte_count <> (
          SELECT ifnull(sum(length(CAST(before AS BLOB))), 0) FROM revision WHERE batch_id = batch.id)
        LIMIT 5
        """)
    faults += batches.map { "batch: batch \($0) has another number of bytes than it says" }
    try addFaultsOfEachRecord(database, &faults)
    return faults
  }

  /// Every record can be read, says what can be, and its sort keys follow from its times.
  private static func addFaultsOfEachRecord(
    _ database: Database, _ faults: inout [String]
  ) throws {
    let reader = RecordReader(database: database, references: RecordReader.References())
    var rows: [JournalRecord.Kind: RecordRows] = [:]
    for kind in JournalRecord.Kind.allCases { rows[kind] = try RecordRows(kind, database) }
    let cursor = try Row.fetchCursor(database, sql: "SELECT * FROM record ORDER BY id")
    while let row = try cursor.next(), faults.count < 100 {
      let row = RecordRow(row: row, indexes: RecordReader.headIndexes)
      let id: Int64 = try row.value("id")
      do {
        let head = try RecordReader.Head(row)
        guard let own = try rows[head.kind]?.row(id) else {
          throw RecordReader.broken("record \(id) is in no table")
        }
        let record = try reader.record(head, own)
        try record.validate()
        let moments = try head.moments()
        let groups = JournalRecord.groups(of: head.kind).map(\.name)
        if moments.changedMs != head.changedMs || head.deletedMs != nil && !moments.isDeleted
          || !moments.groups.allSatisfy({ groups.contains($0.key) && $0.value > head.createdMs })
        {
          faults.append("record \(id): its moments do not fit each other")
        }
        if try !areKeysRight(record, own) {
          faults.append(
            "\(head.kind.rawValue): sort keys of record \(id) do not follow from its times")
        }
      } catch let error as DatabaseError {
        faults.append("record \(id): \(error.message ?? "unreadable")")
      } catch let error as JournalError {
        faults.append("record \(id): \(error)")
      }
    }
  }

  private static func areKeysRight(_ record: JournalRecord, _ row: RecordRow) throws -> Bool {
    switch record {
    case .event(let event):
      return try row.value("start_ms") as Int64? == event.startMs
        && row.value("end_ms") as Int64? == event.endMs
        && row.value("start_day") as Int? == event.start.dayNumber
    case .occurrence(let occurrence):
      return try row.value("local_ms") as Int64? == occurrence.time?.firstMs(offsetMin: nil)
        && row.value("local_day") as Int? == occurrence.time?.dayNumber
    default: return true
    }
  }
}

/// The rows of a kind of records, asked for in the order of their ids.
private final class RecordRows {
  private let cursor: RowCursor
  private let indexes: [String: Int]
  private var current: RecordRow?
  private var id: Int64 = .min

  init(_ kind: JournalRecord.Kind, _ database: Database) throws {
    let source = RecordSource.of(kind)
    cursor = try Row.fetchCursor(database, sql: source.all)
    indexes = source.indexes
  }

  /// The row with an id, which is greater than the one asked for last; nil where there is none.
  func row(_ wanted: Int64) throws -> RecordRow? {
    while id < wanted {
      current = try cursor.next().map { RecordRow(row: $0, indexes: indexes) }
      id = try current?.value("id") ?? .max
    }
    return id == wanted ? current : nil
  }
}
