import GRDB
import STOLStore

/// A tag or a collection, and how many live records have it.
public struct CountedName: Equatable, Sendable {
  /// The collection; nil for a tag.
  public let id: JournalID?
  /// The name, or the tag.
  public let name: String
  /// How many live records have it.
  public let count: Int
}

/// A few numbers about all of the journal; drafts and what is deleted count nowhere.
public struct KeyFigures: Equatable, Sendable {
  /// The live places.
  public var placeCount = 0
  /// The saved events, trips among them.
  public var eventCount = 0
  /// The individuals.
  public var organismCount = 0
  /// The occurrences of what was there.
  public var sightingCount = 0
  /// The different references to taxa of those.
  public var taxonRefCount = 0
  /// The saved dives.
  public var diveCount = 0
  /// How long they were, where that is known.
  public var diveSeconds = 0
  /// The deepest one; nil where no depth is known.
  public var maxDepthMm: Int?
}

extension JournalFile {
  /// The live records that are a record's own: of an occurrence its identifications, the first one first; of an
  /// event and an organism its occurrences; of all four that can have some their notes, measures and
  /// photos; of a note its photos.
  package func parts(of id: JournalID) throws -> [KeptRecord] {
    try read { database in
      let reader = RecordReader(database: database)
      guard let head = try reader.head(id) else {
        throw JournalError.unknown(id: id, needed: "record")
      }
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM record WHERE deleted_ms IS NULL AND id IN (
            SELECT id FROM identification WHERE occurrence_id = ?1
            UNION ALL SELECT id FROM occurrence WHERE event_id = ?1 OR organism_id = ?1
            UNION ALL SELECT id FROM note WHERE target_id = ?1
            UNION ALL SELECT id FROM measure WHERE target_id = ?1
            UNION ALL SELECT id FROM photo WHERE target_id = ?1)
          ORDER BY id
          """, arguments: [head.id])
      return try rows.map { KeptRecord(try reader.stored(try RecordReader.Head($0))) }
    }
  }

  /// The collections by name, each with how many live records are in it.
  package func collections() throws -> [CountedName] {
    try counted(
      """
      SELECT r.uuid, c.name, (SELECT count(*) FROM collection_item i JOIN record x
          ON x.id = i.record_id WHERE i.collection_id = c.id AND x.deleted_ms IS NULL) AS n
      FROM collection c JOIN record r ON r.id = c.id WHERE r.deleted_ms IS NULL
      ORDER BY c.name, r.uuid
      """)
  }

  /// The collections of a name; where none has just that, those whose names differ in the case of letters alone.
  package func collections(named name: String) throws -> [JournalID] {
    let all = try collections()
    let exact = all.filter { $0.name == name }
    let wanted = name.lowercased()
    return (exact.isEmpty ? all.filter { $0.name.lowercased() == wanted } : exact).compactMap(\.id)
  }

  /// The collection that is meant by a text: the one with that UUID, else the one of that name; nil where none is.
  ///
  /// - Throws: `JournalError.severalCollections`, `StoreError`
  package func collection(_ text: String) throws -> JournalCollection? {
    if let id = JournalID(text), case .collection(let collection)? = try record(id)?.record {
      return collection
    }
    let known = try collections(named: text)
    guard known.count < 2 else { throw JournalError.severalCollections(name: text, known) }
    guard let id = known.first, case .collection(let collection)? = try record(id)?.record else {
      return nil
    }
    return collection
  }

  /// The collection that is meant by a text, or one of that name that is not kept yet, to which all who begin it at
  /// once give the same UUID.
  ///
  /// - Throws: `JournalError.severalCollections`, `StoreError`
  package func collection(named name: String) throws -> JournalCollection {
    if let known = try collection(name) { return known }
    let id = JournalID(naming: ["collection", name])
    // That of one that was deleted, or has another name by now, is taken.
    return JournalCollection(id: try record(id) == nil ? id : JournalID(), name: name)
  }

  /// The tags by name, each with how many live records have it.
  package func tags() throws -> [CountedName] {
    try counted(
      """
      SELECT NULL AS uuid, min(t.tag) AS name, count(*) AS n FROM tagging t
        JOIN record r ON r.id = t.record_id WHERE r.deleted_ms IS NULL GROUP BY t.tag ORDER BY t.tag
      """)
  }

  /// The countries that live places name, in order.
  package func countries() throws -> [String] {
    try read { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT DISTINCT p.country FROM place p JOIN record r ON r.id = p.id
          WHERE r.deleted_ms IS NULL AND p.country NOT NULL ORDER BY p.country
          """)
    }
  }

  private func counted(_ sql: String) throws -> [CountedName] {
    try read { database in
      try Row.fetchAll(database, sql: sql).map { row in
        let hasID = (row["uuid"] as DatabaseValue) != .null
        return CountedName(
          id: try hasID ? row.uuid("uuid") : nil, name: try row.value("name"),
          count: try row.value("n"))
      }
    }
  }

  /// A few numbers about all of the journal.
  ///
  /// - Complexity: O(number of places, events and organisms), once for each state of the journal
  package func keyFigures() throws -> KeyFigures {
    try read { database in
      try known(\.figures, in: nil, database) { try keyFigures(database) }
    }
  }

  private func keyFigures(_ database: Database) throws -> KeyFigures {
    // Few are deleted, and those have an index.
    let live = "WHERE t.id NOT IN (SELECT id FROM record WHERE deleted_ms NOT NULL)"
    func number(_ sql: String) throws -> Int { try Int.fetchOne(database, sql: sql) ?? 0 }
    var figures = KeyFigures()
    figures.placeCount = try number("SELECT count(*) FROM place t \(live)")
    figures.eventCount = try number("SELECT count(*) FROM event t \(live) AND t.status = 'saved'")
    figures.organismCount = try number("SELECT count(*) FROM organism t \(live)")
    // Each has a kind.
    figures.sightingCount = try number(
      """
      SELECT sum(sighting_count) FROM facet_tally
      WHERE level = 0 AND y = 0 AND x = 0 AND facet = 'kind'
      """)
    figures.taxonRefCount = try number("SELECT count(*) FROM taxon_tally")
    let dives = try Row.fetchOne(
      database,
      sql: """
        SELECT count(*) AS n, ifnull(sum(d.duration_s), 0) AS seconds,
          max(d.max_depth_mm) AS depth
        FROM event t LEFT JOIN dive d ON d.event_id = t.id
        \(live) AND t.kind = 'dive' AND t.status = 'saved'
        """)
    if let dives {
      figures.diveCount = try dives.value("n")
      figures.diveSeconds = try dives.value("seconds")
      figures.maxDepthMm = try dives.value("depth")
    }
    return figures
  }

  /// The number of sightings of each day that has any, in order.
  ///
  /// - Parameter days: the first and the last, as `LocalTime` counts them.
  /// - Returns: the days with their numbers.
  /// - Throws: `StoreError`
  package func calendar(_ days: ClosedRange<Int>) throws -> [(day: Int, sightingCount: Int)] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: "SELECT day, sighting_count FROM day_tally WHERE day BETWEEN ? AND ? ORDER BY day",
        arguments: [days.lowerBound, days.upperBound]
      ).map { (try $0.value("day"), try $0.value("sighting_count")) }
    }
  }

  /// What is kept under a key, such as the collection that was used last.
  package func setting(_ key: String) throws -> String? {
    try read { database in
      try String.fetchOne(
        database, sql: "SELECT value FROM setting WHERE key = ?", arguments: [key])
    }
  }

  /// Keeps something under a key, or with nil forgets it, in no batch.
  package func set(_ key: String, to value: String?) throws {
    try requireName(key, "key")
    try requireText(value, "value")
    try file.withDatabase(isChange: true) { database in
      try database.inTransaction(.immediate) {
        if let value {
          try database.execute(
            sql: "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)",
            arguments: [key, value])
        } else {
          try database.execute(sql: "DELETE FROM setting WHERE key = ?", arguments: [key])
        }
        return .commit
      }
    }
  }
}
