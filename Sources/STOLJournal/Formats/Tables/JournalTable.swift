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
    /// How many rows say exactly where something was, and how many say a cell of the grid.
    package internal(set) var exactPositionCount = 0, obscuredPositionCount = 0
    /// How many notes and tags had " | " in them, and have " / " now.
    package internal(set) var changedTextCount = 0
    /// How many records, or parts of them, are in none of its cells, by what they are.
    package internal(set) var leftOut: [String: Int] = [:]
  }

  /// Writes occurrences with all that is in their columns.
  ///
  /// - Parameters:
  ///   - journal: the journal.
  ///   - query: which sightings; what was absent is among them where it says so. Nil for all occurrences, drafts too.
  ///   - sharing: what others may have; nil for all of it.
  ///   - form: what separates cells.
  ///   - ids: how UUIDs are written.
  ///   - write: takes bytes, in order.
  /// - Returns: what is in no cell.
  /// - Throws: what `write` throws; `StoreError`.
  /// - Complexity: O(number of occurrences)
  static func write(
    _ journal: JournalFile, _ query: SightingQuery? = nil, by sharing: Sharing? = nil,
    as form: Form, ids: IDForm = .uuid,
    to write: ([UInt8]) throws -> Void
  ) throws -> Report {
    let wanted = try query.map { try Set(journal.allSightings($0)) }
    return try journal.read { database in
      try sharing?.begin(journal, database)
      let table = TableWriter(
        form, ids, measures: try measures(database, sharing), isShared: sharing != nil)
      var report = Report()
      var written: [Int64] = []
      var obscured: [(id: JournalID, parts: TableParts)] = []
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
        if wanted != nil { written.append(head.id) }
        if let sharing, sharing.level(of: head.id) != .open {
          if let parts = try TableParts(shared: head, reader, by: sharing),
            let id = parts.occurrence?.id
          {
            obscured.append((id, parts))
          }
          continue
        }
        let parts = try TableParts(head, reader, sharing, &report)
        try ForeignError.wrapping { try write(table.row(parts, &report)) }
        report.rowCount += 1
        if parts.position != nil { report.exactPositionCount += 1 }
      }
      // Nor does their order say when they were kept.
      for (_, parts) in obscured.sorted(by: { $0.id < $1.id }) {
        try ForeignError.wrapping { try write(table.row(parts, &report)) }
        report.rowCount += 1
        if parts.position != nil { report.obscuredPositionCount += 1 }
      }
      try countLeftOut(wanted == nil ? nil : written, database, &report)
      return report
    }
  }

  /// What was measured of occurrences and individuals, of open ones where it is for others.
  private static func measures(_ database: Database, _ sharing: Sharing?) throws -> [String] {
    var types: Set<String> = []
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT DISTINCT m.type, \(sharing == nil ? "0, 0" : "m.target_id, m.id") FROM measure m
          JOIN record r ON r.id = m.id AND r.deleted_ms IS NULL
          JOIN record t ON t.id = m.target_id AND t.deleted_ms IS NULL
            AND t.kind IN ('organism', 'occurrence')
        """)
    while let row = try rows.next() {
      if let sharing {
        guard sharing.level(of: try row.value(at: 1)) == .open,
          sharing.level(of: try row.value(at: 2)) == .open
        else { continue }
      }
      types.insert(try row.value(at: 0))
    }
    return types.sorted()
  }

  /// Counts what no column has: of some occurrences and what they refer to, or with nil of all of the journal.
  private static func countLeftOut(
    _ occurrences: [Int64]?, _ database: Database, _ report: inout Report
  ) throws {
    let isWhole = occurrences == nil
    let counts = partCounts + (isWhole ? recordCounts : [])
    let row = try Row.fetchOne(
      database,
      sql: scope(isWhole: isWhole) + " SELECT "
        + counts.map { "(\($0.sql))" }.joined(separator: ",\n  "),
      arguments: occurrences.map { ["[\($0.map(String.init).joined(separator: ","))]"] } ?? [])
    guard let row else { return }
    for (index, count) in counts.enumerated() {
      let number: Int = row[index]
      if number > 0 { report.leftOut[count.what, default: 0] += number }
    }
  }

  /// The records that are written: `seen` has a row for each occurrence, `written` all that has a kind of its own
  /// columns.
  private static func scope(isWhole: Bool) -> String {
    let live = "SELECT id FROM record WHERE deleted_ms IS NULL AND kind ="
    return """
      WITH chosen(id) AS MATERIALIZED (
        \(isWhole ? "\(live) 'occurrence'" : "SELECT value FROM json_each(?)")),
      seen(id, event_id, organism_id, place_id) AS MATERIALIZED (
        SELECT o.id, o.event_id, o.organism_id, coalesce(e.place_id, g.place_id)
        FROM chosen CROSS JOIN occurrence o ON o.id = chosen.id JOIN event e ON e.id = o.event_id
          LEFT JOIN organism g ON g.id = o.organism_id),
      events(id) AS MATERIALIZED (
        \(isWhole ? "\(live) 'event'" : "SELECT event_id FROM seen")),
      places(id) AS MATERIALIZED (
        \(isWhole ? "\(live) 'place'" : "SELECT place_id FROM seen WHERE place_id NOT NULL")),
      organisms(id) AS MATERIALIZED (SELECT organism_id FROM seen WHERE organism_id NOT NULL)
      """
  }

  /// What is left out of the records that have a row.
  private static let partCounts: [(what: String, sql: String)] = [
    (
      "parents of events",
      """
      SELECT count(*) FROM event WHERE parent_id NOT NULL AND id IN (SELECT event_id FROM seen)
      """
    ),
    (
      "parents of places",
      """
      SELECT count(*) FROM place WHERE parent_id NOT NULL AND id IN (SELECT place_id FROM seen)
      """
    ),
    (
      "places of individuals",
      """
      SELECT count(*) FROM organism WHERE place_id NOT NULL AND id IN (SELECT id FROM organisms)
        AND (id, place_id) NOT IN (SELECT organism_id, place_id FROM seen
          WHERE organism_id NOT NULL AND place_id NOT NULL)
      """
    ),
    (
      "times of notes",
      """
      SELECT count(*) FROM note n JOIN record r ON r.id = n.id AND r.deleted_ms IS NULL
      WHERE n.local_time NOT NULL AND n.target_id IN (SELECT id FROM chosen UNION ALL
        SELECT id FROM events UNION ALL SELECT id FROM places UNION ALL SELECT id FROM organisms)
      """
    ),
    (
      "photos",
      """
      SELECT count(*) FROM photo p JOIN record r ON r.id = p.id AND r.deleted_ms IS NULL
        LEFT JOIN note n ON n.id = p.target_id
      WHERE ifnull(n.target_id, p.target_id) IN (SELECT id FROM chosen UNION ALL
        SELECT id FROM events UNION ALL SELECT id FROM places UNION ALL SELECT id FROM organisms)
      """
    ),
    ("dives", "SELECT count(*) FROM dive WHERE event_id IN (SELECT id FROM events)"),
    ("dive sites", "SELECT count(*) FROM dive_site WHERE place_id IN (SELECT id FROM places)"),
    (
      "persons of events",
      "SELECT count(*) FROM event_person WHERE event_id IN (SELECT id FROM events)"
    ),
  ]

  /// What has no row at all.
  private static let recordCounts: [(what: String, sql: String)] = [
    (
      "events without occurrences",
      "SELECT count(*) FROM events WHERE id NOT IN (SELECT event_id FROM seen)"
    ),
    (
      "individuals without occurrences",
      """
      SELECT count(*) FROM record WHERE kind = 'organism' AND deleted_ms IS NULL
        AND id NOT IN (SELECT id FROM organisms)
      """
    ),
    (
      "places without occurrences",
      """
      SELECT count(*) FROM places
      WHERE id NOT IN (SELECT place_id FROM seen WHERE place_id NOT NULL)
      """
    ),
    (
      "privacy of collections",
      """
      SELECT count(*) FROM collection c JOIN record r ON r.id = c.id AND r.deleted_ms IS NULL
      WHERE c.privacy != 'open'
      """
    ),
    ("persons", "SELECT count(*) FROM record WHERE kind = 'person' AND deleted_ms IS NULL"),
  ]
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
