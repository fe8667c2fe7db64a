import GRDB

extension RecordWriter {
  /// Writes what there is to dive at, at a place.
  func write(_ site: DiveSite?, of place: Int64) throws {
    try database.cachedStatement(sql: "DELETE FROM dive_site WHERE place_id = ?")
      .execute(arguments: [place])
    guard let site else { return }
    try database.cachedStatement(
      sql: """
        INSERT INTO dive_site (place_id, kind, entry, difficulty, min_depth_mm, max_depth_mm, water,
          season, description) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      place, site.kind?.rawValue, site.entry?.rawValue, site.difficulty, site.minDepthMm,
      site.maxDepthMm, site.water?.rawValue, site.season, site.description,
    ])
  }

  /// Writes who took part in an event.
  func write(_ participants: Set<Participant>, of event: Int64, isLive: Bool) throws {
    try database.cachedStatement(sql: "DELETE FROM event_person WHERE event_id = ?")
      .execute(arguments: [event])
    for participant in participants.sorted() {
      try database.cachedStatement(
        sql: "INSERT INTO event_person (event_id, person_id, role, number) VALUES (?, ?, ?, ?)"
      ).execute(arguments: [
        event, try id(of: participant.person, [.person], isLive: isLive),
        participant.role.rawValue, participant.number,
      ])
    }
  }
}
