import GRDB

/// Writes the journal as a table: one row for each occurrence, in columns that the import knows.
package enum JournalTable {
  /// How cells are written.
  package enum Form: String, Sendable, CaseIterable {
    case csv, tsv
  }

  /// How UUIDs are written.
  package enum IDForm: String, Sendable, CaseIterable {
    case uuid, urn
  }

  /// What a table does not say.
  package struct Report: Equatable, Sendable {
    /// How many rows it has.
    package internal(set) var rowCount = 0
    /// How many notes and tags had " | " in them, and have " / " now.
    package internal(set) var changedTextCount = 0
    /// How many records, or parts of them, are in none of its cells, by what they are.
    package internal(set) var leftOut: [String: Int] = [:]
  }

  /// Writes occurrences with all that is in their columns: positions too.
  ///
  /// - Parameters:
  ///   - journal: the journal.
  ///   - query: which sightings; what was absent is among them where it says so. Nil for all occurrences, drafts too.
  ///   - form: what separates cells.
  ///   - ids: how UUIDs are written.
  ///   - escape: makes the bytes behind a place in an array a cell.
  ///   - write: takes bytes, in order.
  /// - Returns: what is in no cell.
  /// - Throws: what `write` throws; `StoreError`.
  /// - Complexity: O(number of occurrences)
  package static func write(
    _ journal: JournalFile, _ query: SightingQuery? = nil, as form: Form, ids: IDForm = .uuid,
    escape: @escaping (_ bytes: inout [UInt8], _ start: Int) -> Void,
    to write: ([UInt8]) throws -> Void
  ) throws -> Report {
    let wanted = try query.map { try Set(journal.allSightings($0)) }
    return try journal.read { database in
      let table = TableWriter(form, ids, escape, measures: try measures(database))
      var report = Report()
      let reader = RecordReader(database: database)
      try ForeignError.wrapping { try write(table.header()) }
      let cursor = try Row.fetchCursor(
        database,
        sql: """
          SELECT * FROM record WHERE kind = 'occurrence' AND deleted_ms IS NULL ORDER BY id
          """)
      while let row = try cursor.next() {
        let head = try RecordReader.Head(row)
        if let wanted, !wanted.contains(head.uuid) { continue }
        let parts = try TableParts(head, reader, &report)
        try ForeignError.wrapping { try write(table.row(parts, &report)) }
        report.rowCount += 1
      }
      if wanted == nil { try countLeftOut(database, &report) }
      return report
    }
  }

  /// What was measured of occurrences and individuals.
  private static func measures(_ database: Database) throws -> [String] {
    try String.fetchAll(
      database,
      sql: """
        SELECT DISTINCT m.type FROM measure m
          JOIN record r ON r.id = m.id AND r.deleted_ms IS NULL
          JOIN record t ON t.id = m.target_id AND t.deleted_ms IS NULL
            AND t.kind IN ('organism', 'occurrence')
        ORDER BY m.type
        """)
  }

  /// Counts what no column has, of all of the journal.
  private static func countLeftOut(_ database: Database, _ report: inout Report) throws {
    let counts = [
      (
        "events without occurrences",
        """
        SELECT count(*) FROM event e JOIN record r ON r.id = e.id AND r.deleted_ms IS NULL
        WHERE NOT EXISTS (SELECT 1 FROM occurrence o JOIN record x ON x.id = o.id
          AND x.deleted_ms IS NULL WHERE o.event_id = e.id)
        """
      ),
      (
        "individuals without occurrences",
        """
        SELECT count(*) FROM organism g JOIN record r ON r.id = g.id AND r.deleted_ms IS NULL
        WHERE NOT EXISTS (SELECT 1 FROM occurrence o JOIN record x ON x.id = o.id
          AND x.deleted_ms IS NULL WHERE o.organism_id = g.id)
        """
      ),
      (
        "places without events and individuals",
        """
        SELECT count(*) FROM place p JOIN record r ON r.id = p.id AND r.deleted_ms IS NULL
        WHERE NOT EXISTS (SELECT 1 FROM event WHERE place_id = p.id)
          AND NOT EXISTS (SELECT 1 FROM organism WHERE place_id = p.id)
        """
      ),
      (
        "times of notes",
        """
        SELECT count(*) FROM note n JOIN record r ON r.id = n.id AND r.deleted_ms IS NULL
        WHERE n.local_time NOT NULL
        """
      ),
      (
        "persons",
        "SELECT count(*) FROM record WHERE kind = 'person' AND deleted_ms IS NULL"
      ),
      (
        "dive sites",
        """
        SELECT count(*) FROM dive_site d JOIN record r ON r.id = d.place_id AND r.deleted_ms IS NULL
        """
      ),
      (
        "dives",
        "SELECT count(*) FROM dive d JOIN record r ON r.id = d.event_id AND r.deleted_ms IS NULL"
      ),
    ]
    for (name, sql) in counts {
      let count = try Int.fetchOne(database, sql: sql) ?? 0
      if count > 0 { report.leftOut[name, default: 0] += count }
    }
  }
}

extension JournalFile {
  /// The occurrences of all sightings that fit.
  fileprivate func allSightings(_ query: SightingQuery) throws -> [JournalID] {
    var (query, ids) = (query, [JournalID]())
    query.limit = 1000
    repeat {
      let (page, next) = try sightings(query)
      ids += page.map(\.occurrence)
      query.after = next
    } while query.after != nil
    return ids
  }
}
