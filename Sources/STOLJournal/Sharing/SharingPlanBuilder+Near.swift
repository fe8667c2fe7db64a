import GRDB

/// What lies beside something that is held, by where and when it was.
extension SharingPlanBuilder {
  /// Hides what lies so near to something that is held that it would say where that is.
  mutating func hideNear() throws {
    let spots = [held[.occurrence], held[.organism], eventsOfHeld, placesOfHeld]
      .compactMap { $0 }.reduce(into: Set<Int64>()) { $0.formUnion($1) }
    var cells = NearCells()
    try forEachPosition { item, position, months in
      let id = item.about ?? item.id
      if spots.contains(id) { cells.add(position, months, isWide: plan.wide.contains(id)) }
    }
    guard !cells.isEmpty else { return }
    let dated = try datedFacts()
    var found: [Item] = []
    var facts: [Int64] = []
    try forEachPosition { item, position, months in
      if plan.level(of: item.id) == .open, let isWide = cells.isWide(near: position, months) {
        found.append(Item(kind: item.kind, id: item.id, isWide: isWide))
      }
      // Of a tree that everybody may know a note says that somebody was there that day.
      for fact in dated[item.id] ?? [] where cells.isWide(near: position, [fact.months]) != nil {
        facts.append(fact.id)
      }
    }
    for item in found {
      // Where a part of the world lies says nothing of what is there.
      if item.kind == .place, try isLarge(item.id) { continue }
      try hide(item)
    }
    for id in facts { _ = mark(id, .obscured, isWide: false) }
  }

  /// What is said about records at a time, by what it is about, without photos that say where they were taken.
  private func datedFacts() throws -> [Int64: [(id: Int64, months: Months)]] {
    var found: [Int64: [(id: Int64, months: Months)]] = [:]
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT f.id, f.target_id AS about_id, f.local_time FROM note f
          JOIN record r ON r.id = f.id AND r.deleted_ms IS NULL WHERE f.local_time NOT NULL
        UNION ALL SELECT f.id, f.target_id, f.local_time FROM measure f
          JOIN record r ON r.id = f.id AND r.deleted_ms IS NULL WHERE f.local_time NOT NULL
        UNION ALL SELECT f.id, coalesce(n.target_id, f.target_id), f.local_time FROM photo f
          JOIN record r ON r.id = f.id AND r.deleted_ms IS NULL
          LEFT JOIN note n ON n.id = f.target_id
        WHERE f.local_time NOT NULL AND f.latitude_e7 IS NULL
        """)
    while let row = try rows.next() {
      guard let months = Months(try row.value("local_time") as String?) else { continue }
      found[try row.value("about_id"), default: []].append((try row.value("id"), months))
    }
    return found
  }

  /// Gives all records that are somewhere, their own position or that which holds for them, with the months in
  /// which they were there; photos that say where they were taken too.
  func forEachPosition(
    _ body: (Item, Position, [Months]) throws -> Void
  ) throws {
    for (kind, sql) in positions {
      let rows = try Row.fetchCursor(database, sql: sql)
      while let row = try rows.next() {
        guard let position = try row.position else { continue }
        let event = Months(
          try row.value("local_start") as String?, try row.value("local_end") as String?)
        let own = Months(try row.value("local_time") as String?)
        let item = Item(
          kind: kind, id: try row.value("id"),
          about: kind == .photo ? try row.value("about_id") : nil)
        try body(item, position, [event, own].compactMap { $0 })
      }
    }
  }

  private var positions: [(kind: Kind, sql: String)] {
    [
      (
        .place,
        """
        SELECT t.id, \(Self.columns(["t"])), NULL AS local_start, NULL AS local_end,
          NULL AS local_time
        FROM place t JOIN record r ON r.id = t.id AND \(counts)
        """
      ),
      (
        .organism,
        """
        SELECT t.id, \(Self.columns(["t", "p"])), NULL AS local_start, NULL AS local_end,
          t.planted AS local_time
        FROM organism t JOIN record r ON r.id = t.id AND \(counts)
          LEFT JOIN place p ON p.id = t.place_id
        """
      ),
      (
        .event,
        """
        SELECT t.id, \(Self.columns(["t", "p"])), t.local_start, t.local_end, NULL AS local_time
        FROM event t JOIN record r ON r.id = t.id AND \(counts)
          LEFT JOIN place p ON p.id = t.place_id
        """
      ),
      (
        .occurrence,
        """
        SELECT t.id, \(Self.columns(["t", "g", "e", "p"])), e.local_start, e.local_end,
          t.local_time
        FROM occurrence t JOIN record r ON r.id = t.id AND \(counts)
          JOIN event e ON e.id = t.event_id LEFT JOIN organism g ON g.id = t.organism_id
          LEFT JOIN place p ON p.id = coalesce(e.place_id, g.place_id)
        """
      ),
      (
        .photo,
        """
        SELECT t.id, coalesce(n.target_id, t.target_id) AS about_id, \(Self.columns(["t"])),
          e.local_start, e.local_end, t.local_time
        FROM photo t JOIN record r ON r.id = t.id AND \(counts)
          LEFT JOIN note n ON n.id = t.target_id
          LEFT JOIN occurrence o ON o.id = coalesce(n.target_id, t.target_id)
          LEFT JOIN event e ON e.id = coalesce(o.event_id, n.target_id, t.target_id)
        WHERE t.latitude_e7 NOT NULL
        """
      ),
    ]
  }

  /// The columns of the first of some tables that has a position.
  private static func columns(_ tables: [String]) -> String {
    ["latitude_e7", "longitude_e7", "uncertainty_m"].map { column in
      let cases = tables.map { "WHEN \($0).latitude_e7 NOT NULL THEN \($0).\(column)" }
      return "CASE \(cases.joined(separator: " ")) END AS \(column)"
    }.joined(separator: ", ")
  }
}
