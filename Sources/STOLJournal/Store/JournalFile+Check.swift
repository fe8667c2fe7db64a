import GRDB
import STOLStore

extension JournalFile {
  /// Whether all is as Format/JOURNAL.md says: the file, and what follows from the records.
  ///
  /// - Returns: what is not, in a line each; nothing where all is well.
  /// - Throws: `StoreError`, where the file cannot be read at all.
  /// - Complexity: O(n log n)
  package func check() throws -> [String] {
    try read { database in
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

  private static func faultsOfDerivedTables(_ database: Database) throws -> [String] {
    let columns = "id, min_lon, max_lon, min_lat, max_lat"
    let pairs = [
      ("sighting", "SELECT * FROM sighting", DerivedTables.sightings),
      ("taxon_tally", "SELECT * FROM taxon_tally", DerivedTables.taxonTallies),
      ("day_tally", "SELECT * FROM day_tally", DerivedTables.dayTallies),
      ("cell", "SELECT * FROM cell", CellTallies.cellRows),
      ("facet_tally", "SELECT * FROM facet_tally", CellTallies.facetRows),
      ("sighting_box", "SELECT \(columns) FROM sighting_box", DerivedTables.sightingBoxes),
      ("place_box", "SELECT \(columns) FROM place_box", DerivedTables.placeBoxes),
      ("journal_text", "SELECT rowid, name, body FROM journal_text", DerivedTables.journalTexts),
    ]
    var faults: [String] = []
    for (table, stored, made) in pairs {
      for (first, second, word) in [(stored, made, "too much"), (made, stored, "missing or other")]
      {
        let row = try Row.fetchOne(
          database, sql: "SELECT * FROM (\(first)) EXCEPT SELECT * FROM (\(second)) LIMIT 1")
        if let row { faults.append("\(table): row \(row[0] as DatabaseValue) is \(word)") }
      }
    }
    for table in JournalLayout.boxes {
      let report = try String.fetchOne(database, sql: "SELECT rtreecheck(?)", arguments: [table])
      if let report, report != "ok" { faults.append("\(table): \(report)") }
    }
    do {
      try database.execute(
        sql: "INSERT INTO journal_text (journal_text) VALUES ('integrity-check')")
    } catch let error as DatabaseError {
      faults.append("journal_text: \(error.message ?? "its index is damaged")")
    }
    return faults
  }

  /// What is stated of records beside what foreign keys and types keep.
  private static func faultsOfRecords(_ database: Database) throws -> [String] {
    var faults: [String] = []
    for kind in JournalRecord.Kind.allCases.map(\.rawValue) {
      let rows = try Int64.fetchAll(
        database,
        sql: """
          SELECT id FROM (SELECT id FROM record WHERE kind = '\(kind)' EXCEPT SELECT id FROM \(kind))
          UNION ALL
          SELECT id FROM (SELECT id FROM \(kind) EXCEPT SELECT id FROM record WHERE kind = '\(kind)')
          LIMIT 5
          """)
      faults += rows.map { "\(kind): record \($0) is not in both tables" }
    }
    // A live record refers to live ones only.
    for (table, column) in [
      ("place", "parent_id"), ("event", "parent_id"), ("event", "place_id"),
      ("organism", "place_id"), ("occurrence", "event_id"), ("occurrence", "organism_id"),
      ("identification", "occurrence_id"), ("note", "target_id"),
      ("measure", "target_id"),
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
    // Every record can be read, says what can be, and its sort keys follow from its times.
    let reader = RecordReader(database: database)
    let cursor = try Row.fetchCursor(database, sql: "SELECT * FROM record")
    while let row = try cursor.next(), faults.count < 100 {
      let id: Int64 = try row.value("id")
      do {
        let head = try RecordReader.Head(row)
        let record = try reader.record(head)
        try record.validate()
        if try !areKeysRight(record, id, database) {
          faults.append(
            "\(head.kind.rawValue): sort keys of record \(id) do not follow from its times")
        }
      } catch let error as DatabaseError {
        faults.append("record \(id): \(error.message ?? "unreadable")")
      } catch let error as JournalError {
        faults.append("record \(id): \(error)")
      }
    }
    return faults
  }

  private static func areKeysRight(
    _ record: JournalRecord, _ id: Int64, _ database: Database
  ) throws -> Bool {
    switch record {
    case .event(let event):
      let keys = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT start_ms, end_ms, start_day FROM event WHERE id = ?"),
        arguments: [id])
      return keys.map(numbers)
        == [Int(event.startMs), Int(event.endMs), event.start.dayNumber]
    case .occurrence(let occurrence):
      let keys = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT local_ms, local_day FROM occurrence WHERE id = ?"),
        arguments: [id])
      let time = occurrence.time
      return keys.map(numbers)
        == [(time?.firstMs(offsetMin: nil)).map(Int.init), time?.dayNumber]
    default: return true
    }
  }

  private static func numbers(_ row: Row) -> [Int?] {
    row.databaseValues.map { Int.fromDatabaseValue($0) }
  }
}
