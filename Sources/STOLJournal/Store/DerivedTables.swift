import GRDB
import STOLPack

/// What follows from the records: sightings, boxes, tallies, text (Format/JOURNAL.md, "Derived tables").
struct DerivedTables {
  let database: Database
  /// The greatest id of a record before this batch, or when all was brought up to date last.
  let lastBefore: Int64
  private var occurrences: Set<Int64> = []
  private var events: Set<Int64> = []
  private var organisms: Set<Int64> = []
  private var places: Set<Int64> = []
  private var texts: Set<Int64> = []
  /// By how much the number of sightings of a taxon changes; 0 where only their times may.
  private var taxa: [Int64: Int] = [:]
  var days: [Int64: Int] = [:]
  var cells = CellTallies()
  /// So many new sightings are counted before the tallies of cells, which are many, are written.
  var heldCount = 1 << 16

  init(database: Database) throws {
    self.database = database
    lastBefore = try Self.lastID(database)
  }

  private static func lastID(_ database: Database) throws -> Int64 {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT max(id) FROM record")) ?? 0
  }

  /// Whether a record was not there then, so that nothing follows from it yet.
  func isNew(_ id: Int64) -> Bool { id > lastBefore }

  /// The sightings as they follow from the records; `WHERE` or nothing may stand behind it.
  static let sightings = """
    SELECT o.id AS occurrence_id, e.id AS event_id, i.taxon_ref_id,
      coalesce(e.place_id, g.place_id) AS place_id,
      CASE WHEN o.latitude_e7 NOT NULL THEN o.latitude_e7
        WHEN g.latitude_e7 NOT NULL THEN g.latitude_e7
        WHEN e.latitude_e7 NOT NULL THEN e.latitude_e7 ELSE p.latitude_e7 END AS latitude_e7,
      CASE WHEN o.latitude_e7 NOT NULL THEN o.longitude_e7
        WHEN g.latitude_e7 NOT NULL THEN g.longitude_e7
        WHEN e.latitude_e7 NOT NULL THEN e.longitude_e7 ELSE p.longitude_e7 END AS longitude_e7,
      CASE WHEN o.latitude_e7 NOT NULL THEN o.uncertainty_m
        WHEN g.latitude_e7 NOT NULL THEN g.uncertainty_m
        WHEN e.latitude_e7 NOT NULL THEN e.uncertainty_m ELSE p.uncertainty_m END AS uncertainty_m,
      coalesce(o.local_ms - ifnull(e.utc_offset_min, 0) * 60000, e.start_ms) AS at_ms,
      coalesce(o.local_time, e.local_start) AS local_time,
      CASE WHEN o.local_time NOT NULL THEN o.local_day ELSE e.start_day END AS day,
      o.presence = 'present' AS is_present,
      CAST(substr(coalesce(o.local_time, e.local_start), 1, 4) AS INTEGER) AS year,
      CAST(nullif(substr(coalesce(o.local_time, e.local_start), 6, 2), '') AS INTEGER) AS month,
      e.kind AS kind
    FROM occurrence o
      JOIN record r ON r.id = o.id AND r.deleted_ms IS NULL
      JOIN event e ON e.id = o.event_id AND e.status = 'saved'
      JOIN record s ON s.id = e.id AND s.deleted_ms IS NULL
      LEFT JOIN organism g ON g.id = o.organism_id
      LEFT JOIN place p ON p.id = coalesce(e.place_id, g.place_id)
      LEFT JOIN identification i ON i.id = (
        SELECT max(id) FROM identification WHERE occurrence_id = o.id)
    """

  /// The boxes of places as they follow from the records.
  static let placeBoxes = """
    SELECT p.id, p.longitude_e7 AS min_lon, p.longitude_e7 AS max_lon, p.latitude_e7 AS min_lat,
      p.latitude_e7 AS max_lat
    FROM place p JOIN record r ON r.id = p.id AND r.deleted_ms IS NULL
    WHERE p.latitude_e7 NOT NULL
    """

  /// The boxes of sightings.
  static let sightingBoxes = """
    SELECT occurrence_id AS id, longitude_e7 AS min_lon, longitude_e7 AS max_lon,
      latitude_e7 AS min_lat, latitude_e7 AS max_lat FROM sighting WHERE latitude_e7 NOT NULL
    """

  static let taxonTallies = """
    SELECT t.taxon_ref_id, t.n AS sighting_count, f.at_ms AS first_ms, f.occurrence_id AS first_id,
      f.local_time AS first_time, l.at_ms AS last_ms, l.occurrence_id AS last_id,
      l.local_time AS last_time
    FROM (SELECT taxon_ref_id, count(*) AS n FROM sighting
        WHERE is_present AND taxon_ref_id NOT NULL GROUP BY taxon_ref_id) t
      CROSS JOIN sighting f ON f.occurrence_id = (
        SELECT occurrence_id \(present("t.taxon_ref_id", first: true)))
      CROSS JOIN sighting l ON l.occurrence_id = (
        SELECT occurrence_id \(present("t.taxon_ref_id", first: false)))
    """

  /// The first or the last present sighting of a reference; of one moment, the one that was kept first is first.
  private static func present(_ reference: String, first isFirst: Bool) -> String {
    let order = isFirst ? "" : " DESC"
    return """
      FROM sighting WHERE taxon_ref_id = \(reference) AND is_present
      ORDER BY at_ms\(order), occurrence_id\(order) LIMIT 1
      """
  }

  static let dayTallies = """
    SELECT day, count(*) AS sighting_count FROM sighting WHERE is_present AND day NOT NULL
    GROUP BY day
    """

  /// Makes one of letters that differ in case and accents, as the search for names does.
  static let fold = DatabaseFunction("fold", argumentCount: 1, pure: true) { values in
    String.fromDatabaseValue(values[0]).map(Folder.fold)
  }

  /// The text of records as it follows from them: `id`, `name`, `body`; more conditions may stand behind it.
  static let journalTexts = """
    SELECT r.id AS id,
      fold(CASE r.kind WHEN 'place' THEN p.name
        WHEN 'organism' THEN ifnull(g.name, '') WHEN 'collection' THEN c.name
        WHEN 'person' THEN h.name
        WHEN 'occurrence' THEN ifnull(i.verbatim_name, '')
          || CASE WHEN x.name <> '' THEN char(10) || x.name ELSE '' END
        ELSE '' END) AS name,
      fold(ltrim(CASE r.kind
        WHEN 'place' THEN ifnull(char(10) || p.locality, '') || ifnull(char(10) || p.water_body, '')
          || ifnull(char(10) || p.country, '')
          || ifnull(char(10) || d.season, '') || ifnull(char(10) || d.description, '')
        WHEN 'event' THEN ifnull(char(10) || e.protocol, '') || ifnull(char(10) || e.weather, '')
          || ifnull(char(10) || e.remarks, '')
        WHEN 'occurrence' THEN ifnull(char(10) || o.behaviour, '')
          || ifnull(char(10) || o.remarks, '')
        ELSE '' END
      || ifnull((SELECT char(10) || group_concat(tag, char(10)) FROM (
          SELECT tag FROM tagging WHERE record_id = r.id ORDER BY tag)), '')
      || ifnull((SELECT char(10) || group_concat(text, char(10)) FROM (
          SELECT n.text AS text FROM note n JOIN record t ON t.id = n.id
          WHERE n.target_id = r.id AND t.deleted_ms IS NULL ORDER BY n.id)), ''),
      char(10))) AS body
    FROM record r
      LEFT JOIN place p ON p.id = r.id LEFT JOIN event e ON e.id = r.id
      LEFT JOIN organism g ON g.id = r.id LEFT JOIN occurrence o ON o.id = r.id
      LEFT JOIN dive_site d ON d.place_id = r.id LEFT JOIN person h ON h.id = r.id
      LEFT JOIN collection c ON c.id = r.id
      LEFT JOIN identification i ON r.kind = 'occurrence' AND i.id = (
        SELECT max(id) FROM identification WHERE occurrence_id = r.id)
      LEFT JOIN taxon_ref x ON x.id = i.taxon_ref_id
    WHERE r.deleted_ms IS NULL AND r.kind NOT IN ('identification', 'note', 'measure', 'photo')
    """

  // MARK: - Noting

  /// Notes that a record changes; called before and after it does.
  mutating func note(_ kind: JournalRecord.Kind, _ id: Int64) throws {
    var id = id
    if kind == .identification || kind == .note {
      let owner = try Int64.fetchOne(
        database.cachedStatement(
          sql: kind == .note
            ? "SELECT target_id FROM note WHERE id = ?"
            : "SELECT occurrence_id FROM identification WHERE id = ?"), arguments: [id])
      guard let owner else { return }
      id = owner
    }
    note(kind, of: id)
  }

  /// Notes that a record changes, by itself, or by the occurrence that it identifies or what it is a note of.
  mutating func note(_ kind: JournalRecord.Kind, of id: Int64) {
    // All that is new is looked at in one go.
    guard !isNew(id) else { return }
    switch kind {
    case .place: places.insert(id)
    case .event: events.insert(id)
    case .organism: organisms.insert(id)
    case .occurrence, .identification: occurrences.insert(id)
    case .measure, .photo: return
    case .note, .collection, .person: break
    }
    texts.insert(id)
  }

  /// Takes what follows from a record away, before it is removed.
  mutating func forget(_ head: RecordReader.Head) throws {
    if head.kind == .occurrence { try replaceSighting(head.id, with: nil) }
    if head.kind == .place { try setBox("place_box", head.id, nil) }
    try setText(head.id, nil)
  }

  // MARK: - Refreshing

  /// Brings all up to date that follows from what has changed, and forgets what that was.
  mutating func refresh() throws {
    try addNew()
    try refreshNoted()
    self = try DerivedTables(database: database)
  }

  /// Brings up to date what follows from records that were there before, and forgets which of them have changed.
  mutating func refreshNoted() throws {
    try expand()
    for id in occurrences.sorted() where !isNew(id) {
      let new = try Row.fetchOne(
        database.cachedStatement(sql: Self.sightings + " WHERE o.id = ?"), arguments: [id])
      try replaceSighting(id, with: new)
    }
    for id in places.sorted() {
      let box = try Row.fetchOne(
        database.cachedStatement(sql: Self.placeBoxes + " AND p.id = ?"), arguments: [id])
      try setBox("place_box", id, box)
    }
    for id in texts.sorted() {
      let text = try Row.fetchOne(
        database.cachedStatement(sql: Self.journalTexts + " AND r.id = ?"), arguments: [id])
      try setText(id, text)
    }
    try refreshTallies()
    (occurrences, events, organisms, places, texts) = ([], [], [], [], [])
    (taxa, days, cells) = ([:], [:], CellTallies())
  }

  /// Adds what follows from records that were not there before.
  private mutating func addNew() throws {
    guard try Self.lastID(database) > lastBefore else { return }
    for sql in [
      "INSERT INTO sighting \(Self.sightings) WHERE o.id > ?",
      "INSERT INTO sighting_box \(Self.sightingBoxes) AND occurrence_id > ?",
      "INSERT INTO place_box \(Self.placeBoxes) AND p.id > ?",
      "INSERT INTO journal_text (rowid, name, body) \(Self.journalTexts) AND r.id > ?",
    ] {
      try database.cachedStatement(sql: sql).execute(arguments: [lastBefore])
    }
    let sightings = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT \(CountedSighting.columns.joined(separator: ", ")) FROM sighting
          WHERE occurrence_id > ?
          """), arguments: [lastBefore])
    var counted = 0
    while let row = try sightings.next() {
      count(try CountedSighting(Array(row.databaseValues)), 1)
      counted += 1
      guard counted % heldCount == 0 else { continue }
      try cells.write(database)
      cells = CellTallies()
    }
  }

  /// Adds the occurrences whose sightings follow from what was noted.
  private mutating func expand() throws {
    func ids(_ sql: String, _ id: Int64) throws -> [Int64] {
      try Int64.fetchAll(database.cachedStatement(sql: sql), arguments: [id])
    }
    for place in places {
      events.formUnion(try ids("SELECT id FROM event WHERE place_id = ?", place))
      organisms.formUnion(try ids("SELECT id FROM organism WHERE place_id = ?", place))
    }
    for event in events {
      occurrences.formUnion(try ids("SELECT id FROM occurrence WHERE event_id = ?", event))
    }
    for organism in organisms {
      occurrences.formUnion(try ids("SELECT id FROM occurrence WHERE organism_id = ?", organism))
    }
  }

  private static let columns = [
    "occurrence_id", "event_id", "taxon_ref_id", "place_id", "latitude_e7", "longitude_e7",
    "uncertainty_m", "at_ms", "local_time", "day", "is_present", "year", "month", "kind",
  ]

  private mutating func replaceSighting(_ id: Int64, with new: Row?) throws {
    let old = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT * FROM sighting WHERE occurrence_id = ?"),
      arguments: [id])
    guard old != new else { return }
    if let old { count(try Self.counted(old), -1) }
    if let new {
      count(try Self.counted(new), 1)
      let marks = Self.columns.map { _ in "?" }.joined(separator: ", ")
      try database.cachedStatement(
        sql:
          "INSERT OR REPLACE INTO sighting (\(Self.columns.joined(separator: ", "))) VALUES (\(marks))"
      ).execute(arguments: StatementArguments(Self.columns.map { new[$0] as DatabaseValue }))
    } else {
      try database.cachedStatement(sql: "DELETE FROM sighting WHERE occurrence_id = ?")
        .execute(arguments: [id])
    }
    let box = try Row.fetchOne(
      database.cachedStatement(sql: Self.sightingBoxes + " AND occurrence_id = ?"),
      arguments: [id])
    try setBox("sighting_box", id, box)
  }

  private static func counted(_ sighting: Row) throws -> CountedSighting {
    try CountedSighting(CountedSighting.columns.map { sighting[$0] as DatabaseValue })
  }

  /// Counts a sighting once more, or once less.
  mutating func count(_ sighting: CountedSighting, _ number: Int) {
    guard sighting.isPresent else { return }
    if let taxon = sighting.taxon { taxa[taxon, default: 0] += number }
    if let day = sighting.day { days[day, default: 0] += number }
    cells.count(sighting, number)
  }

  private func setBox(_ table: String, _ id: Int64, _ box: Row?) throws {
    guard let box else {
      try database.cachedStatement(sql: "DELETE FROM \(table) WHERE id = ?")
        .execute(arguments: [id])
      return
    }
    try database.cachedStatement(
      sql:
        "INSERT OR REPLACE INTO \(table) (id, min_lon, max_lon, min_lat, max_lat) VALUES (?, ?, ?, ?, ?)"
    ).execute(arguments: StatementArguments(box.databaseValues))
  }

  private func setText(_ id: Int64, _ text: Row?) throws {
    let old = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT name, body FROM journal_text WHERE rowid = ?"),
      arguments: [id])
    let new = try text.map {
      (name: try $0.value("name") as String, body: try $0.value("body") as String)
    }
    if let old, let new, Self.text(old, 0) == new.name, Self.text(old, 1) == new.body { return }
    if old != nil {
      try database.cachedStatement(sql: "DELETE FROM journal_text WHERE rowid = ?")
        .execute(arguments: [id])
    }
    guard let new else { return }
    try database.cachedStatement(
      sql: "INSERT INTO journal_text (rowid, name, body) VALUES (?, ?, ?)"
    )
    .execute(arguments: [id, new.name, new.body])
  }

  /// A text of the full-text index, whose columns have no type.
  static func text(_ row: Row, _ column: Int) -> String? {
    String.fromDatabaseValue(row[column] as DatabaseValue)
  }

  private func refreshTallies() throws {
    for (taxon, change) in taxa.sorted(by: { $0.key < $1.key }) {
      try database.cachedStatement(
        sql: """
          INSERT INTO taxon_tally VALUES (?1, ?2, 0, 0, '', 0, 0, '')
          ON CONFLICT (taxon_ref_id) DO UPDATE SET sighting_count = sighting_count + ?2
          """
      ).execute(arguments: [taxon, change])
      try database.cachedStatement(
        sql: "DELETE FROM taxon_tally WHERE taxon_ref_id = ? AND sighting_count = 0"
      ).execute(arguments: [taxon])
      try database.cachedStatement(
        sql: """
          UPDATE taxon_tally SET
            (first_ms, first_id, first_time) = (
              SELECT at_ms, occurrence_id, local_time \(Self.present("?1", first: true))),
            (last_ms, last_id, last_time) = (
              SELECT at_ms, occurrence_id, local_time \(Self.present("?1", first: false)))
          WHERE taxon_ref_id = ?1
          """
      ).execute(arguments: [taxon])
    }
    for (day, change) in days.sorted(by: { $0.key < $1.key }) where change != 0 {
      try database.cachedStatement(
        sql: """
          INSERT INTO day_tally (day, sighting_count) VALUES (?1, ?2)
          ON CONFLICT (day) DO UPDATE SET sighting_count = sighting_count + ?2
          """
      ).execute(arguments: [day, change])
      try database.cachedStatement(
        sql: "DELETE FROM day_tally WHERE day = ? AND sighting_count = 0"
      ).execute(arguments: [day])
    }
    try cells.write(database)
  }

  // MARK: - From the beginning

  /// Makes all derived tables anew.
  static func rebuild(_ database: Database) throws {
    for table in [
      "sighting", "taxon_tally", "day_tally", "cell", "facet_tally", "sighting_box", "place_box",
      "journal_text",
    ] {
      try database.execute(sql: "DELETE FROM \(table)")
    }
    try database.execute(
      sql: """
        INSERT INTO sighting \(sightings);
        INSERT INTO taxon_tally \(taxonTallies);
        INSERT INTO day_tally \(dayTallies);
        INSERT INTO cell \(CellTallies.cellRows);
        INSERT INTO facet_tally \(CellTallies.facetRows);
        INSERT INTO sighting_box \(sightingBoxes);
        INSERT INTO place_box \(placeBoxes);
        INSERT INTO journal_text (rowid, name, body) \(journalTexts);
        INSERT INTO journal_text (journal_text) VALUES ('optimize');
        """)
  }
}
