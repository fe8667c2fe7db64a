import GRDB

/// Which records others may not know exactly, or not at all: Format/JOURNAL.md, "What others may know".
struct SharingPlan {
  /// What of all records that are not open holds.
  fileprivate(set) var levels: [Int64: Privacy] = [:]
  /// Those of them that lie in wide cells.
  fileprivate(set) var wide: Set<Int64> = []
  /// The cells of those that leave, each as its centre.
  private(set) var cells: [Int64: Position] = [:]

  /// Nothing that is not open.
  init() {}

  /// What follows from the records of a journal and the threats to some of its occurrences.
  ///
  /// - Parameters:
  ///   - database: the journal.
  ///   - threatened: the occurrences of threatened taxa.
  ///   - ignoresDeleted: whether live records alone keep others from knowing anything; what is deleted does
  ///     until a purge, else.
  /// - Throws: `StoreError`
  /// - Complexity: O(number of records), and a few look-ups for each that is not open
  init(
    _ database: Database, threatened: [(occurrence: Int64, threat: Threat)],
    ignoresDeleted: Bool = false
  ) throws {
    var builder = SharingPlanBuilder(database: database, ignoresDeleted: ignoresDeleted)
    try builder.takeWords()
    for (occurrence, threat) in threatened {
      try builder.hold(.occurrence, occurrence, .obscured, isWide: threat == .critical)
    }
    try builder.spread()
    try builder.withholdDrafts()
    self = builder.plan
    cells = try builder.cells()
  }

  /// How exactly others may know a record.
  func level(of id: Int64) -> Privacy { levels[id] ?? .open }
}

/// Finds out what a plan holds.
///
/// A record is *held* that others may not know exactly for its own sake: by its word, that of what it is in, or a
/// threatened taxon. An individual is held with any of its occurrences, and all of its occurrences with it. What lies
/// beside something that is held is *hidden* with it: the rest of its event, what is at its place, what is near.
/// Deleted records do so too, though nothing of them leaves: to delete what is to be kept from others would publish
/// what it was in.
struct SharingPlanBuilder {
  typealias Kind = JournalRecord.Kind
  struct Item {
    let kind: Kind
    let id: Int64
    /// Whether it lies in a wide cell, as far as that is known.
    var isWide = false
    /// What it is about, where it is a photo.
    var about: Int64?
  }

  let database: Database
  let ignoresDeleted: Bool
  private(set) var plan = SharingPlan()
  /// What is held, by kind.
  private(set) var held: [Kind: Set<Int64>] = [:]
  /// Places that say so themselves, however large they are.
  private var statedPlaces: Set<Int64> = []
  /// Events in which something was that is held, and places where it was.
  private(set) var eventsOfHeld: Set<Int64> = []
  private(set) var placesOfHeld: Set<Int64> = []
  /// A part of each that is open: as long as it is, nobody need look at the others.
  private var openParts: [Int64: Int64] = [:]

  init(database: Database, ignoresDeleted: Bool) {
    (self.database, self.ignoresDeleted) = (database, ignoresDeleted)
  }

  /// Which rows `r` of `record` count, as SQL.
  var counts: String { ignoresDeleted ? Self.isLive : "TRUE" }

  private static let isLive = "r.deleted_ms IS NULL"
  /// Live rows of what is live, and of what was deleted those that were deleted with it: its id is the first argument.
  private static let isAsLive =
    "r.deleted_ms IS (SELECT x.deleted_ms FROM record x WHERE x.id = ?1)"

  // MARK: - Looking things up

  private func ids(_ sql: String, _ id: Int64) throws -> [Int64] {
    try Int64.fetchAll(database.cachedStatement(sql: sql), arguments: [id])
  }

  /// The records in a column of which a record stands.
  private func referrers(
    _ table: Kind, _ column: String, _ id: Int64, where condition: String
  ) throws -> [Int64] {
    try ids(
      """
      SELECT t.id FROM \(table.rawValue) t JOIN record r ON r.id = t.id AND \(condition)
      WHERE t.\(column) = ?1
      """, id)
  }

  func one(_ column: String, of table: Kind, _ id: Int64) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(
        sql: "SELECT \(column) FROM \(table.rawValue) WHERE id = ?"), arguments: [id])
  }

  /// The records that lie in one, whose word is theirs too.
  ///
  /// - Parameters:
  ///   - item: what they lie in.
  ///   - condition: which of them, as SQL; nil for all that count.
  /// - Returns: them.
  /// - Throws: `StoreError`
  private func contents(of item: Item, where condition: String? = nil) throws -> [Item] {
    let condition = condition ?? counts
    func items(_ kind: Kind, _ column: String) throws -> [Item] {
      try referrers(kind, column, item.id, where: condition).map { Item(kind: kind, id: $0) }
    }
    switch item.kind {
    case .place:
      return try items(.place, "parent_id") + items(.event, "place_id")
        + items(.organism, "place_id")
    case .event: return try items(.event, "parent_id") + items(.occurrence, "event_id")
    case .organism: return try items(.occurrence, "organism_id")
    case .collection:
      let rows = try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT r.id, r.kind FROM collection_item c
              JOIN record r ON r.id = c.record_id AND \(condition)
            WHERE c.collection_id = ?1
            """), arguments: [item.id])
      return try rows.map { Item(kind: try $0.word("kind"), id: try $0.value("id")) }
    case .occurrence, .identification, .note, .measure, .person, .photo: return []
    }
  }

  // MARK: - What is held

  /// Makes a record known less exactly.
  ///
  /// - Returns: whether that is new.
  mutating func mark(_ id: Int64, _ level: Privacy, isWide: Bool) -> Bool {
    let stricter = plan.level(of: id).stricter(level)
    let isNew = plan.levels.updateValue(stricter, forKey: id) != stricter
    return isWide && plan.wide.insert(id).inserted || isNew
  }

  /// Holds all records that say so, with all that is in them.
  mutating func takeWords() throws {
    var waiting: [(item: Item, level: Privacy)] = []
    for kind in [Kind.collection, .place, .event, .organism, .occurrence] {
      let isHome = kind == .place ? "t.kind = '\(Place.Kind.home.rawValue)'" : "FALSE"
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT t.id, t.privacy FROM \(kind.rawValue) t
            JOIN record r ON r.id = t.id AND \(counts)
          WHERE t.privacy != 'open' OR \(isHome)
          """)
      while let row = try rows.next() {
        // Where somebody lives is for nobody to know.
        let word = try row.word("privacy") as Privacy
        waiting.append((Item(kind: kind, id: try row.value("id")), word.stricter(.obscured)))
      }
    }
    while let (item, level) = waiting.popLast() {
      let isNew = mark(item.id, level, isWide: false)
      guard held[item.kind, default: []].insert(item.id).inserted || isNew else { continue }
      if item.kind == .place { statedPlaces.insert(item.id) }
      for part in try contents(of: item) { waiting.append((part, level)) }
    }
  }

  /// Holds a record, with the individual that it is of and all of that one's occurrences.
  mutating func hold(
    _ kind: JournalRecord.Kind, _ id: Int64, _ level: Privacy, isWide: Bool
  ) throws {
    let isNew = mark(id, level, isWide: isWide)
    held[kind, default: []].insert(id)
    guard isNew else { return }
    switch kind {
    case .occurrence:
      if let organism = try one("organism_id", of: .occurrence, id) {
        try hold(.organism, organism, .obscured, isWide: plan.wide.contains(id))
      }
    case .organism:
      for occurrence in try referrers(.occurrence, "organism_id", id, where: counts) {
        try hold(.occurrence, occurrence, .obscured, isWide: plan.wide.contains(id))
      }
    default: break
    }
  }

  // MARK: - What lies beside it

  mutating func spread() throws {
    guard !plan.levels.isEmpty else { return }
    // What was held by its word holds its individual too.
    for id in held[.occurrence] ?? [] {
      guard let organism = try one("organism_id", of: .occurrence, id) else { continue }
      try hold(.organism, organism, .obscured, isWide: plan.wide.contains(id))
    }
    eventsOfHeld = held[.event] ?? []
    var waiting: [Item] = []
    for id in held[.occurrence] ?? [] {
      guard let event = try one("event_id", of: .occurrence, id) else { continue }
      eventsOfHeld.insert(event)
      waiting.append(Item(kind: .event, id: event, isWide: plan.wide.contains(id)))
    }
    for item in waiting { try hide(item) }
    placesOfHeld = statedPlaces
    for (kind, all) in [(Kind.event, eventsOfHeld), (.organism, held[.organism] ?? [])] {
      for id in all {
        guard let place = try spot(of: kind, id) else { continue }
        placesOfHeld.insert(place)
        try hide(Item(kind: .place, id: place, isWide: plan.wide.contains(id)))
      }
    }
    try hideNear()
    try hideEmptied()
    try withholdEmptied()
    try withholdLinked()
  }

  /// Hides what others would know of but for its parts, none of which they may know: a place, a trip or a tree that
  /// nothing is to be seen of says where or when something was.
  ///
  /// Of something deleted those are meant that were deleted with it. A trip lets go of its parts then: it is
  /// hidden unless others might know what was seen in it.
  private mutating func hideEmptied() throws {
    var waiting = Array(plan.levels.keys)
    if !ignoresDeleted {
      let trips = try Int64.fetchAll(
        database,
        sql: """
          SELECT e.id FROM event e JOIN record r ON r.id = e.id
          WHERE e.kind = ? AND r.deleted_ms NOT NULL
          """, arguments: [Event.Kind.trip.rawValue])
      for trip in trips { waiting += try hideIfEmpty(Item(kind: .event, id: trip)) }
    }
    while let part = waiting.popLast() {
      let owners = try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT r.id, r.kind FROM record r WHERE \(counts) AND r.id IN (
              SELECT event_id FROM occurrence WHERE id = ?1
              UNION ALL SELECT organism_id FROM occurrence WHERE id = ?1
              UNION ALL SELECT parent_id FROM event WHERE id = ?1
              UNION ALL SELECT place_id FROM event WHERE id = ?1
              UNION ALL SELECT place_id FROM organism WHERE id = ?1
              UNION ALL SELECT parent_id FROM place WHERE id = ?1)
            """), arguments: [part])
      for row in owners {
        waiting += try hideIfEmpty(Item(kind: row.word("kind"), id: row.value("id")))
      }
    }
  }

  /// Hides a record unless it has a part that is open.
  ///
  /// - Returns: the ids of what was open before.
  private mutating func hideIfEmpty(_ owner: Item) throws -> [Int64] {
    guard plan.level(of: owner.id) == .open else { return [] }
    if let part = openParts[owner.id], plan.level(of: part) == .open { return [] }
    let parts = try contents(of: owner, where: Self.isAsLive)
    if let part = parts.first(where: { plan.level(of: $0.id) == .open }) {
      openParts[owner.id] = part.id
      return []
    }
    return try hide(owner)
  }

  /// Keeps back events and individuals of which nothing else is known than what is kept back.
  private mutating func withholdEmptied() throws {
    for id in held[.occurrence] ?? [] where plan.level(of: id) == .private {
      for column in ["event_id", "organism_id"] {
        guard let owner = try one(column, of: .occurrence, id),
          plan.level(of: owner) != .private,
          try referrers(.occurrence, column, owner, where: Self.isLive)
            .allSatisfy({ plan.level(of: $0) == .private })
        else { continue }
        plan.levels[owner] = .private
      }
    }
  }

  /// Keeps back photos with a file that is a photo of something else too, where one of both is not open: who has it of
  /// both knows that they are near.
  private mutating func withholdLinked() throws {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT p.id, p.media_id, p.target_id, n.target_id AS about_id FROM photo p
          JOIN record r ON r.id = p.id AND \(counts)
          LEFT JOIN note n ON n.id = p.target_id
        WHERE p.media_id IN (
          SELECT q.media_id FROM photo q JOIN record r ON r.id = q.id AND \(counts)
          GROUP BY q.media_id HAVING count(*) > 1)
        """)
    var closed: Set<Int64> = []
    for row in rows {
      let about = try row.value("about_id") as Int64?
      let ids = [try row.value("id") as Int64, try row.value("target_id"), about ?? 0]
      if ids.contains(where: { plan.level(of: $0) != .open }) {
        closed.insert(try row.value("media_id"))
      }
    }
    for row in rows {
      guard closed.contains(try row.value("media_id")) else { continue }
      plan.levels[try row.value("id")] = .private
    }
  }

  /// Keeps back drafts with what was seen in them: they count nowhere.
  mutating func withholdDrafts() throws {
    let drafts = try Int64.fetchAll(
      database, sql: "SELECT id FROM event WHERE status = ?",
      arguments: [Event.Status.draft.rawValue])
    for draft in drafts {
      let seen = try referrers(.occurrence, "event_id", draft, where: counts)
      for id in [draft] + seen { plan.levels[id] = .private }
    }
  }

  /// The place of an event or an individual, where it is one that is gone to, and no part of the world.
  private func spot(of kind: Kind, _ id: Int64) throws -> Int64? {
    guard let place = try one("place_id", of: kind, id) else { return nil }
    return try isLarge(place) ? nil : place
  }

  /// Whether a place is a part of the world, and none that is gone to.
  func isLarge(_ place: Int64) throws -> Bool {
    let kind = try String.fetchOne(
      database.cachedStatement(sql: "SELECT kind FROM place WHERE id = ?"), arguments: [place])
    return kind == Place.Kind.region.rawValue || kind == Place.Kind.area.rawValue
  }

  /// Hides a record, with all that is in it, and an occurrence with its event; what of it is one lies in cells of one
  /// size.
  ///
  /// - Returns: the ids of what was open before.
  @discardableResult
  mutating func hide(_ first: Item) throws -> [Int64] {
    var waiting = [first]
    var closed: [Int64] = []
    while let item = waiting.popLast() {
      let wasOpen = plan.level(of: item.id) == .open
      guard mark(item.id, .obscured, isWide: item.isWide) else { continue }
      if wasOpen { closed.append(item.id) }
      let isWide = plan.wide.contains(item.id)
      func add(_ kind: Kind, _ id: Int64?) {
        if let id { waiting.append(Item(kind: kind, id: id, isWide: isWide)) }
      }
      switch item.kind {
      case .occurrence:
        add(.event, try one("event_id", of: .occurrence, item.id))
        // An individual of which this is not the only occurrence may be known exactly by others.
        if let organism = try one("organism_id", of: .occurrence, item.id),
          plan.level(of: organism) != .open
        {
          add(.organism, organism)
        }
      case .event:
        for id in try referrers(.occurrence, "event_id", item.id, where: counts) {
          add(.occurrence, id)
        }
        if eventsOfHeld.contains(item.id) { add(.place, try spot(of: .event, item.id)) }
      case .organism:
        for id in try referrers(.occurrence, "organism_id", item.id, where: counts) {
          add(.occurrence, id)
          if plan.wide.contains(id), !isWide {
            waiting.append(Item(kind: .organism, id: item.id, isWide: true))
          }
        }
        if held[.organism]?.contains(item.id) ?? false {
          add(.place, try spot(of: .organism, item.id))
        }
      default: for part in try contents(of: item) { add(part.kind, part.id) }
      }
    }
    return closed
  }
}
