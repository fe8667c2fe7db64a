import GRDB

extension RecordReader {
  func measure(_ head: Head, _ row: RecordRow) throws -> Measure {
    var measure = Measure(
      id: head.uuid, target: try uuid(row, "target_id", "target_uuid"),
      type: try row.value("type"), number: try row.value("number"), text: try row.value("text"))
    measure.method = try row.value("method")
    measure.time = try row.time("local_time")
    measure.remarks = try row.value("remarks")
    return measure
  }

  func person(_ head: Head, _ row: RecordRow) throws -> Person {
    var person = Person(id: head.uuid, name: try row.value("name"))
    person.orcid = try row.value("orcid")
    return person
  }

  /// What there is to dive at, at a place.
  func diveSite(_ place: Int64) throws -> DiveSite? {
    guard
      let row = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM dive_site WHERE place_id = ?"),
        arguments: [place])
    else { return nil }
    var site = DiveSite()
    site.kind = try row.wordIfAny("kind")
    site.entry = try row.wordIfAny("entry")
    site.difficulty = try row.value("difficulty")
    site.minDepthMm = try row.value("min_depth_mm")
    site.maxDepthMm = try row.value("max_depth_mm")
    site.water = try row.wordIfAny("water")
    site.season = try row.value("season")
    site.description = try row.value("description")
    return site
  }

  /// Who took part in an event.
  func participants(_ event: Int64) throws -> Set<Participant> {
    let rows = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT * FROM event_person WHERE event_id = ?"),
      arguments: [event])
    return Set(
      try rows.map { row in
        Participant(
          person: try head(row.value("person_id") as Int64).uuid, role: try row.word("role"),
          number: try row.value("number"))
      })
  }
}
