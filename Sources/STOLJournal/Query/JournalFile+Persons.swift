import GRDB

/// A person, and in how many live events he or she took part.
public struct CountedPerson: Equatable, Sendable {
  /// The person.
  public let person: Person
  /// In how many events.
  public let eventCount: Int
}

extension JournalFile {
  /// The live persons by name, then UUID.
  ///
  /// - Complexity: O(n log n)
  package func persons() throws -> [CountedPerson] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT r.uuid, p.name, p.orcid,
            (SELECT count(DISTINCT e.event_id) FROM event_person e JOIN record x ON x.id = e.event_id
              WHERE e.person_id = p.id AND x.deleted_ms IS NULL) AS n
          FROM person p JOIN record r ON r.id = p.id WHERE r.deleted_ms IS NULL
          ORDER BY p.name, r.uuid
          """
      ).map { row in
        var person = Person(id: try row.uuid("uuid"), name: try row.value("name"))
        person.orcid = try row.value("orcid")
        return CountedPerson(person: person, eventCount: try row.value("n"))
      }
    }
  }

  /// The live places with a name, or where there is none, with the name in another case of ASCII letters; by UUID.
  ///
  /// - Complexity: O(number of places)
  package func places(named name: String) throws -> [PlaceDot] {
    try read { database in
      for collation in ["BINARY", "NOCASE"] {
        let rows = try Row.fetchAll(
          database,
          sql: """
            SELECT r.uuid, p.kind, p.name, p.latitude_e7, p.longitude_e7, p.uncertainty_m
            FROM place p JOIN record r ON r.id = p.id
            WHERE p.name = ? COLLATE \(collation) AND r.deleted_ms IS NULL ORDER BY r.uuid
            """, arguments: [name])
        if !rows.isEmpty {
          return try rows.map(PlaceDot.init)
        }
      }
      return []
    }
  }
}
