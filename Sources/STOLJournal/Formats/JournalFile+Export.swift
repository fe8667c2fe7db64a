import GRDB

extension JournalFile {
  /// Gives live records, each after those that it refers to; always in the same order, also from a journal that
  /// has read them in this order.
  ///
  /// - Parameters:
  ///   - query: which sightings are meant: their occurrences are given and all that these refer to, with what is
  ///     written about it; nil for all records. Its limit and its cursor are of no account.
  ///   - body: gets each record; what it throws ends it.
  /// - Throws: `StoreError`; what `body` throws.
  /// - Complexity: O(n log n)
  package func forEachRecord(
    of query: SightingQuery? = nil, _ body: (JournalRecord) throws -> Void
  ) throws {
    try forEachRecord(of: query, by: nil) { try body($0.record) }
  }

  /// Gives live records as others may have them, each after those that it refers to: of each kind the open ones as
  /// above, then those that are obscured in the order of their new UUIDs, which says nothing of when they were kept.
  ///
  /// - Parameters:
  ///   - query: as above.
  ///   - sharing: what others may have; nil for all of it.
  ///   - kinds: which of them.
  ///   - body: as above.
  /// - Throws: `StoreError`; what `body` throws.
  func forEachRecord(
    of query: SightingQuery?, by sharing: Sharing?,
    kinds: [JournalRecord.Kind] = JournalFile.exportOrder, _ body: (SharedRecord) throws -> Void
  ) throws {
    var failure: (any Error)?
    try read { database in
      failure = try records(database, of: query, by: sharing, kinds: kinds, body: body)
    }
    if let failure { throw failure }
  }

  /// Gives the records of some kinds, as `forEachRecord` does.
  ///
  /// - Returns: what `body` has thrown: what a file cannot take is no fault of the journal's.
  func records(
    _ database: Database, of query: SightingQuery?, by sharing: Sharing? = nil,
    kinds: [JournalRecord.Kind] = JournalFile.exportOrder, body: (SharedRecord) throws -> Void
  ) throws -> (any Error)? {
    let records = try ExportedRecords(self, database, of: query, by: sharing)
    do {
      for kind in kinds {
        try records.forEach(kind) { shared, _ in try ForeignError.wrapping { try body(shared) } }
      }
    } catch let error as ForeignError {
      return error.error
    }
    return nil
  }

  /// Gives the records of some kinds with what the file notes of them, in the order of `forEachRecord`, where no query
  /// chooses the deleted ones too.
  ///
  /// - Returns: what `body` has thrown.
  func keptRecords(
    _ database: Database, of query: SightingQuery?,
    kinds: [JournalRecord.Kind] = JournalFile.exportOrder,
    body: (RecordReader.Head, JournalRecord) throws -> Void
  ) throws -> (any Error)? {
    let chosen = try query.map { try ChosenRecords($0, self, nil, database) }
    let reader = RecordReader(database: database)
    for kind in kinds {
      let cursor = try Row.fetchCursor(
        database, sql: Self.exportSQL(kind, withDeleted: chosen == nil))
      while let row = try cursor.next() {
        let head = try RecordReader.Head(row)
        guard try chosen?.contains(head, database) ?? true else { continue }
        let record = try reader.record(head)
        do { try body(head, record) } catch { return error }
      }
    }
    return nil
  }

  /// Kinds that others refer to come first.
  static let exportOrder: [JournalRecord.Kind] = [
    .collection, .person, .place, .event, .organism, .occurrence, .identification, .measure, .note,
    .photo,
  ]

  /// The records of a kind, those without a parent first, or of places and events those alone that have one.
  static func exportSQL(
    _ kind: JournalRecord.Kind, withDeleted: Bool = false, isOfParts: Bool = false
  ) -> String {
    let table = kind.rawValue
    let condition = withDeleted ? "TRUE" : "r.deleted_ms IS NULL"
    switch kind {
    case .place, .event:
      return """
        WITH RECURSIVE part(id, depth) AS (
          SELECT t.id, 0 FROM \(table) t JOIN record r ON r.id = t.id
            WHERE t.parent_id IS NULL AND \(condition)
          UNION ALL SELECT t.id, depth + 1 FROM part JOIN \(table) t ON t.parent_id = part.id
            JOIN record r ON r.id = t.id WHERE \(condition))
        SELECT r.* FROM part JOIN record r ON r.id = part.id
        WHERE depth >= \(isOfParts ? 1 : 0) ORDER BY depth, r.id
        """
    default:
      return """
        SELECT r.* FROM \(table) t JOIN record r ON r.id = t.id WHERE \(condition) ORDER BY r.id
        """
    }
  }
}

/// The occurrences of a query, and all that these refer to.
struct ChosenRecords {
  private var ids: Set<Int64> = []

  /// Of what others may know but roughly nothing is meant that would say more.
  init(
    _ query: SightingQuery, _ journal: JournalFile, _ sharing: Sharing?, _ database: Database
  ) throws {
    var query = query
    query.after = nil
    let parts = try journal.parts(query, database)
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT o.id, o.event_id, o.organism_id, e.place_id, g.place_id AS home_id
        FROM sighting s JOIN occurrence o ON o.id = s.occurrence_id
          JOIN event e ON e.id = o.event_id LEFT JOIN organism g ON g.id = o.organism_id
        \(parts.sql)
        """, arguments: parts.arguments)
    var (events, places): (Set<Int64>, Set<Int64>) = ([], [])
    while let row = try rows.next() {
      let (id, event) = (try row.value("id") as Int64, try row.value("event_id") as Int64)
      ids.formUnion([id, event])
      if let sharing, sharing.level(of: id) != .open {
        if let organism = try row.value("organism_id") as Int64?,
          sharing.level(of: organism) != .open
        {
          ids.insert(organism)
        }
        continue
      }
      if let organism = try row.value("organism_id") as Int64? { ids.insert(organism) }
      events.insert(event)
      for column in ["place_id", "home_id"] {
        if let place = try row.value(column) as Int64? { places.insert(place) }
      }
    }
    var trips: [Int64] = []
    for event in events {
      for trip in try addParents(of: event, in: "event", database) {
        let place = try Int64.fetchOne(
          database.cachedStatement(sql: "SELECT place_id FROM event WHERE id = ?"),
          arguments: [trip])
        if let place { places.insert(place) }
        trips.append(trip)
      }
    }
    for place in places {
      ids.insert(place)
      _ = try addParents(of: place, in: "place", database)
    }
    let collections = try Int64.fetchAll(
      database,
      sql: """
        SELECT DISTINCT collection_id FROM collection_item
        WHERE record_id IN (SELECT value FROM json_each(?))
        """, arguments: ["[" + ids.map(String.init).joined(separator: ",") + "]"])
    ids.formUnion(collections)
    for event in Array(events) + trips {
      ids.formUnion(
        try Int64.fetchAll(
          database.cachedStatement(sql: "SELECT person_id FROM event_person WHERE event_id = ?"),
          arguments: [event]))
    }
  }

  /// Adds what a place or an event is part of, and gives what was not there.
  private mutating func addParents(
    of id: Int64, in table: String, _ database: Database
  ) throws -> [Int64] {
    var added: [Int64] = []
    var next: Int64? = id
    while let id = next {
      next = try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT parent_id FROM \(table) WHERE id = ?"),
        arguments: [id])
      if let parent = next, ids.insert(parent).inserted { added.append(parent) }
    }
    return added
  }

  /// Whether the record with an id is one of them.
  func contains(_ id: Int64) -> Bool { ids.contains(id) }

  /// Whether a record is one of them, or says something about one.
  func contains(_ head: RecordReader.Head, _ database: Database) throws -> Bool {
    switch head.kind {
    case .identification, .note, .measure:
      let column = head.kind == .identification ? "occurrence_id" : "target_id"
      let owner = try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT \(column) FROM \(head.kind.rawValue) WHERE id = ?"),
        arguments: [head.id])
      return owner.map(ids.contains) ?? false
    case .photo:
      // Of a note it is what the note is about.
      let owners = try Int64.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT p.target_id FROM photo p WHERE p.id = ?1
            UNION ALL SELECT n.target_id FROM photo p JOIN note n ON n.id = p.target_id
              WHERE p.id = ?1
            """), arguments: [head.id])
      return owners.contains(where: ids.contains)
    default: return ids.contains(head.id)
    }
  }
}
