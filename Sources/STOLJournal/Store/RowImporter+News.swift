import GRDB

extension RowImporter {
  /// A row of a file that may be the journal's own, with its records as they will be.
  ///
  /// - Parameter row: what stands there.
  /// - Returns: the row, and the first record that it is about of those that were there before.
  /// - Throws: `ImportRefusal`, what the database throws.
  func news(in row: ImportRow) throws -> (row: ImportRow, known: JournalID?) {
    guard let roundTrip, lastID > 0 else { return (row, nil) }
    let reader = writer.reader
    var surroundings = Surroundings(reader)
    var known: JournalID?
    func take(_ head: RecordReader.Head) throws {
      known = known ?? head.uuid
      try surroundings.add(head)
    }
    for record in row.records {
      switch record.kind {
      case .place, .event, .organism, .occurrence: break
      default: continue
      }
      if let head = try writer.head(record.id) {
        guard head.deletedMs == nil, head.id <= lastID else { continue }
        try take(head)
        if roundTrip == .subsurface, head.kind == .place { try surroundings.addDive(at: head) }
      } else if roundTrip == .subsurface, record.kind == .place,
        let dive = try divesAsSites()[record.id], let head = try writer.head(dive)
      {
        try take(head)
      }
    }
    guard known != nil else { return (row, nil) }
    var row = row
    let echo = try FormatEcho(of: surroundings.records, in: roundTrip)
    do {
      row.records = try echo.news(of: row.records)
    } catch let error as JournalError {
      throw ImportRefusal(error, line: row.line)
    }
    return (row, known)
  }

  /// The dives that have a position and no place, by the UUIDs that a log of Subsurface has for their sites.
  private func divesAsSites() throws -> [JournalID: JournalID] {
    if let siteDives { return siteDives }
    let rows = try Row.fetchCursor(
      writer.database,
      sql: """
        SELECT r.uuid FROM event e JOIN record r ON r.id = e.id
        WHERE e.kind = 'dive' AND e.place_id IS NULL AND e.latitude_e7 IS NOT NULL
          AND r.deleted_ms IS NULL AND r.id <= ?
        """, arguments: [lastID])
    var dives: [JournalID: JournalID] = [:]
    while let row = try rows.next() {
      let dive = try row.uuid("uuid")
      dives[dive.derived("site")] = dive
    }
    siteDives = dives
    return dives
  }
}
