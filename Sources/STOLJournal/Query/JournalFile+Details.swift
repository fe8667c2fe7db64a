import GRDB

/// What one's own events say about a place and the places within it; none of it is stored.
public struct PlaceFacts: Equatable, Sendable, Codable {
  /// The saved events, trips left out.
  public var eventCount = 0
  /// The dives among them.
  public var diveCount = 0
  /// How long those were, where that is known.
  public var diveSeconds = 0
  /// When one was there first, as lived.
  public var firstTime: String?
  /// When one was there last.
  public var lastTime: String?
  /// The mean of the mean depths of dives.
  public var meanDepthMm: Int?
  /// The deepest point of all dives.
  public var maxDepthMm: Int?
  /// The mean of the temperatures of the water: of each dive the mean of the coldest and the warmest.
  public var meanWaterCk: Int?
  /// The mean of the visibilities.
  public var meanVisibilityCm: Int?
  /// The sightings of what was there.
  public var sightingCount = 0
  /// The different references to taxa of those.
  public var taxonRefCount = 0
}

/// A place with all that a page about it shows, as of one moment.
public struct PlaceDetail: Equatable, Sendable {
  /// The place.
  public let place: KeptRecord
  /// The places that it is part of, the highest first.
  public let parents: [PlaceDot]
  /// What one's own events say about it.
  public let facts: PlaceFacts
  /// Its notes, measures and photos, those that were kept first at first.
  public let parts: [KeptRecord]
}

/// Somebody who took part in an event, by name.
public struct NamedParticipant: Equatable, Sendable, Codable {
  /// Who it was.
  public let person: JournalID
  /// What he or she is called.
  public let name: String
  /// As what.
  public let role: Participant.Role
}

/// Something seen in an event, in a line.
public struct SeenInEvent: Equatable, Sendable, Codable {
  /// The occurrence.
  public let occurrence: JournalID
  /// What somebody wrote that it is.
  public let verbatimName: String?
  /// The name of the taxon, as the database called it then.
  public let scientificName: String?
  /// Whether it was there.
  public let presence: Occurrence.Presence
  /// How many.
  public let count: Int?
}

/// An event with all that a page about it shows, as of one moment.
public struct EventDetail: Equatable, Sendable {
  /// The event.
  public let event: KeptRecord
  /// Its place with those that it is part of, the highest first.
  public let places: [PlaceDot]
  /// Who took part, by name.
  public let participants: [NamedParticipant]
  /// What was seen, in the order in which it was kept.
  public let seen: [SeenInEvent]
  /// Its occurrences, notes, measures and photos.
  public let parts: [KeptRecord]
}

extension JournalFile {
  /// A place with all that is known of it.
  ///
  /// - Throws: `JournalError.unknown` where no place has the UUID.
  /// - Complexity: O(number of events and sightings there)
  package func detail(ofPlace id: JournalID) throws -> PlaceDetail {
    try read { database in
      let (head, reader) = try Self.head(id, .place, database)
      let parents = try Self.places(from: head.id, database).dropLast()
      return PlaceDetail(
        place: KeptRecord(try reader.stored(head)), parents: Array(parents),
        facts: try Self.facts(ofPlace: head.id, database),
        parts: try Self.kept(
          """
          SELECT id FROM note WHERE target_id = ?1 UNION ALL
          SELECT id FROM measure WHERE target_id = ?1 UNION ALL
          SELECT id FROM photo WHERE target_id = ?1
          """, head.id, reader))
    }
  }

  /// Where an occurrence was, by its own word or else that of its organism, its event or its place; nil where none
  /// says so, or where it is deleted.
  ///
  /// - Throws: `JournalError.unknown` where no occurrence has the UUID.
  package func position(ofOccurrence id: JournalID) throws -> Position? {
    try read { database in
      let (head, reader) = try Self.head(id, .occurrence, database)
      return try reader.sightingPosition(head.id)
    }
  }

  /// An event with all that is known of it.
  ///
  /// - Throws: `JournalError.unknown` where no event has the UUID.
  package func detail(ofEvent id: JournalID) throws -> EventDetail {
    try read { database in
      let (head, reader) = try Self.head(id, .event, database)
      let stored = try reader.stored(head)
      let place = try Int64.fetchOne(
        database, sql: "SELECT place_id FROM event WHERE id = ?", arguments: [head.id])
      let participants = try Row.fetchAll(
        database,
        sql: """
          SELECT r.uuid, p.name, e.role FROM event_person e JOIN person p ON p.id = e.person_id
            JOIN record r ON r.id = p.id WHERE e.event_id = ? ORDER BY e.role, p.name, r.uuid
          """, arguments: [head.id])
      let seen = try Row.fetchAll(
        database,
        sql: """
          SELECT r.uuid, i.verbatim_name, x.name, o.presence, o.count
          FROM occurrence o JOIN record r ON r.id = o.id
            LEFT JOIN identification i ON i.id = (
              SELECT max(id) FROM identification WHERE occurrence_id = o.id)
            LEFT JOIN taxon_ref x ON x.id = i.taxon_ref_id
          WHERE o.event_id = ? AND r.deleted_ms IS NULL ORDER BY o.id
          """, arguments: [head.id])
      return EventDetail(
        event: KeptRecord(stored),
        places: try place.map { try Self.places(from: $0, database) } ?? [],
        participants: try participants.map { row in
          NamedParticipant(
            person: try row.uuid("uuid"), name: try row.value("name"), role: try row.word("role"))
        },
        seen: try seen.map { row in
          SeenInEvent(
            occurrence: try row.uuid("uuid"), verbatimName: try row.value("verbatim_name"),
            scientificName: try row.value("name"), presence: try row.word("presence"),
            count: try row.value("count"))
        },
        parts: try Self.kept(
          """
          SELECT id FROM occurrence WHERE event_id = ?1 UNION ALL
          SELECT id FROM note WHERE target_id = ?1 UNION ALL
          SELECT id FROM measure WHERE target_id = ?1 UNION ALL
          SELECT id FROM photo WHERE target_id = ?1
          """, head.id, reader))
    }
  }

  private static func head(
    _ id: JournalID, _ kind: JournalRecord.Kind, _ database: Database
  ) throws -> (RecordReader.Head, RecordReader) {
    let reader = RecordReader(database: database)
    guard let head = try reader.head(id), head.kind == kind else {
      throw JournalError.unknown(id: id, needed: kind.rawValue)
    }
    return (head, reader)
  }

  /// The live records among some, in the order of their ids.
  private static func kept(
    _ ids: String, _ id: Int64, _ reader: RecordReader
  ) throws -> [KeptRecord] {
    try Row.fetchAll(
      reader.database,
      sql: "SELECT * FROM record WHERE deleted_ms IS NULL AND id IN (\(ids)) ORDER BY id",
      arguments: [id]
    ).map { KeptRecord(try reader.stored(try RecordReader.Head($0))) }
  }

  /// A place and those that it is part of, the highest first.
  private static func places(from id: Int64, _ database: Database) throws -> [PlaceDot] {
    try Row.fetchAll(
      database,
      sql: """
        WITH RECURSIVE above(id, depth) AS (
          SELECT ?1, 1 UNION
          SELECT p.parent_id, depth + 1 FROM above JOIN place p ON p.id = above.id
          WHERE p.parent_id NOT NULL AND depth <= ?2)
        SELECT r.uuid, p.kind, p.name, p.latitude_e7, p.longitude_e7, p.uncertainty_m
        FROM above JOIN place p ON p.id = above.id JOIN record r ON r.id = p.id
        ORDER BY above.depth DESC
        """, arguments: [id, JournalLimits.nestingCount]
    ).map(PlaceDot.init)
  }

  private static func facts(ofPlace id: Int64, _ database: Database) throws -> PlaceFacts {
    let within = """
      WITH RECURSIVE part(id) AS (
        SELECT ?1 UNION SELECT p.id FROM place p JOIN part ON p.parent_id = part.id)
      """
    // Casts of what a damaged file may hold end at the greatest number.
    let row = try Row.fetchOne(
      database,
      sql: """
        \(within)
        SELECT count(*) AS events, ifnull(sum(e.kind = 'dive'), 0) AS dives,
          ifnull(sum(d.duration_s), 0) AS seconds, max(d.max_depth_mm) AS deepest,
          CAST(round(avg(d.mean_depth_mm)) AS INTEGER) AS depth,
          CAST(round(avg((ifnull(d.water_min_ck, d.water_max_ck)
            + ifnull(d.water_max_ck, d.water_min_ck)) / 2.0)) AS INTEGER) AS water,
          CAST(round(avg(d.visibility_cm)) AS INTEGER) AS visibility,
          min(e.start_ms) AS first, max(e.start_ms) AS last
        FROM event e JOIN record r ON r.id = e.id AND r.deleted_ms IS NULL
          LEFT JOIN dive d ON d.event_id = e.id
        WHERE e.place_id IN (SELECT id FROM part) AND e.status = 'saved' AND e.kind <> 'trip'
        """, arguments: [id])
    let seen = try Row.fetchOne(
      database,
      sql: """
        \(within)
        SELECT count(*) AS n, count(DISTINCT taxon_ref_id) AS taxa FROM sighting
        WHERE place_id IN (SELECT id FROM part) AND is_present
        """, arguments: [id])
    var facts = PlaceFacts()
    guard let row, let seen else { return facts }
    facts.eventCount = try row.value("events")
    facts.diveCount = try row.value("dives")
    facts.diveSeconds = try row.value("seconds")
    facts.maxDepthMm = try row.value("deepest")
    facts.meanDepthMm = try row.value("depth")
    facts.meanWaterCk = try row.value("water")
    facts.meanVisibilityCm = try row.value("visibility")
    facts.sightingCount = try seen.value("n")
    facts.taxonRefCount = try seen.value("taxa")
    func time(_ ms: Int64?) throws -> String? {
      try ms.flatMap { ms in
        try String.fetchOne(
          database,
          sql: """
            \(within)
            SELECT e.local_start FROM event e JOIN record r ON r.id = e.id AND r.deleted_ms IS NULL
            WHERE e.place_id IN (SELECT id FROM part) AND e.status = 'saved' AND e.kind <> 'trip'
              AND e.start_ms = ?2 ORDER BY e.id LIMIT 1
            """, arguments: [id, ms])
      }
    }
    facts.firstTime = try time(row.value("first"))
    facts.lastTime = try time(row.value("last"))
    return facts
  }
}
