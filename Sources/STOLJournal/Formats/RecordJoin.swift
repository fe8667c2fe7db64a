import GRDB

/// The records of a journal as others may have them, for formats that put several into one: each is read when it is
/// asked for, in one state of the file.
///
/// What was asked for last is kept, so that memory does not depend on how many records there are.
final class RecordJoin {
  /// An occurrence, with what it was taken for, the last of which holds, and the notes on it.
  struct Seen {
    let occurrence: Occurrence
    let names: [Identification]
    let notes: [Note]
    /// What others may not know of it.
    let hidden: (generalizations: String?, withheld: String?)
  }

  let records: ExportedRecords
  private var recent = RecentValues<JournalID, SharedRecord?>(limit: 4096)
  private var recentNotes = RecentValues<JournalID, [Note]>(limit: 4096)
  private var recentMeasures = RecentValues<JournalID, [Measure]>(limit: 4096)
  /// The rows of what is obscured, by the UUIDs under which others have them.
  private var obscured: [JournalID: Int64] = [:]
  let measureCount, photoCount, noteCount: Int

  fileprivate init(_ records: ExportedRecords) throws {
    self.records = records
    measureCount = try records.count(of: .measure)
    photoCount = try records.count(of: .photo)
    noteCount = try records.count(of: .note)
    guard let sharing = records.sharing else { return }
    for kind in [JournalRecord.Kind.event, .organism, .occurrence] {
      let rows = try Row.fetchCursor(
        records.database,
        sql: "SELECT t.id, r.uuid FROM \(kind.rawValue) t JOIN record r ON r.id = t.id")
      while let row = try rows.next() {
        let id = try row.value(at: 0) as Int64
        guard sharing.level(of: id) == .obscured else { continue }
        obscured[sharing.name(try row.uuid("uuid"))] = id
      }
    }
    try countWithheld(sharing)
  }

  /// Lets the sharing count what no format asks for: persons, collections, and what something was taken for that others
  /// may not know.
  private func countWithheld(_ sharing: Sharing) throws {
    for kind in [JournalRecord.Kind.person, .collection] { _ = try records.count(of: kind) }
    let rows = try Row.fetchCursor(
      records.database,
      sql: """
        SELECT t.id, t.occurrence_id FROM identification t CROSS JOIN record r ON r.id = t.id
        WHERE r.deleted_ms IS NULL
        """)
    while let row = try rows.next() {
      let (id, owner) = (try row.value(at: 0) as Int64, try row.value(at: 1) as Int64)
      guard sharing.level(of: id) != .open || sharing.level(of: owner) != .open else { continue }
      _ = try records.shared(id)
    }
  }

  // MARK: - Looking things up

  /// The row of a record, by the UUID under which others have it.
  private func head(_ id: JournalID) throws -> RecordReader.Head? {
    if let row = obscured[id] { return try records.reader.head(row) }
    return try records.reader.head(id)
  }

  /// A record; nil where there is none.
  private func record(_ id: JournalID?) throws -> SharedRecord? {
    guard let id else { return nil }
    return try recent.value(of: id) {
      guard let head = try head(id), let shared = try records.shared(head),
        shared.record.id == id
      else { return nil }
      return shared
    }
  }

  func event(_ id: JournalID?) throws -> Event? {
    if case .event(let event) = try record(id)?.record { event } else { nil }
  }
  func organism(_ id: JournalID?) throws -> Organism? {
    if case .organism(let organism) = try record(id)?.record { organism } else { nil }
  }
  func place(_ id: JournalID?) throws -> Place? {
    if case .place(let place) = try record(id)?.record { place } else { nil }
  }
  func person(_ id: JournalID) throws -> Person? {
    if case .person(let person) = try record(id)?.record { person } else { nil }
  }
  func occurrence(_ id: JournalID) throws -> Occurrence? {
    if case .occurrence(let occurrence) = try record(id)?.record { occurrence } else { nil }
  }

  /// What others may not know of a record.
  func hidden(of id: JournalID) throws -> (generalizations: String?, withheld: String?) {
    let found = try record(id)
    return (found?.generalizations, found?.withheld)
  }

  /// The names of collections, in their order.
  func collectionNames(_ ids: Set<JournalID>) throws -> [String] {
    try ids.compactMap { id -> String? in
      if case .collection(let found) = try record(id)?.record { found.name } else { nil }
    }.sorted()
  }

  // MARK: - What belongs to a record

  /// The records that say something about one, in the order of their rows.
  private func owned(_ kind: JournalRecord.Kind, by id: JournalID) throws -> [JournalRecord] {
    guard let head = try head(id) else { return [] }
    return try rows(of: kind, OwnedRecords.owner(of: kind), head.id).compactMap { row in
      try records.shared(row)?.record
    }
  }

  /// The rows of a kind in a column of which a record stands.
  private func rows(
    of kind: JournalRecord.Kind, _ column: String, _ row: Int64
  ) throws -> [Int64] {
    try Int64.fetchAll(
      records.database.cachedStatement(
        sql: "SELECT id FROM \(kind.rawValue) WHERE \(column) = ? ORDER BY id"), arguments: [row])
  }

  /// The notes on a record, in their order.
  func notes(on id: JournalID) throws -> [Note] {
    guard noteCount > 0 else { return [] }
    return try recentNotes.value(of: id) { try owned(.note, by: id).compactMap(\.asNote) }
  }

  /// How many notes there are on all records of a kind.
  func noteCount(onAll kind: JournalRecord.Kind) throws -> Int {
    try owners(of: .note, among: kind).reduce(0) { try $0 + notes(on: $1).count }
  }

  /// How many notes say when they were written.
  func timedNoteCount() throws -> Int {
    try records.count(of: .note, where: "t.local_time IS NOT NULL")
  }

  /// What was measured of a record.
  func measures(of id: JournalID) throws -> [Measure] {
    guard measureCount > 0 else { return [] }
    return try recentMeasures.value(of: id) {
      try owned(.measure, by: id).compactMap { record in
        if case .measure(let measure) = record { measure } else { nil }
      }
    }
  }

  /// The photos of a record.
  func photos(of id: JournalID) throws -> [Photo] {
    try owned(.photo, by: id).compactMap { record in
      if case .photo(let photo) = record { photo } else { nil }
    }
  }

  /// What an occurrence was taken for, the last of which holds.
  func identifications(of id: JournalID) throws -> [Identification] {
    try owned(.identification, by: id).compactMap(\.asIdentification)
  }

  /// An occurrence that was looked up, with what belongs to it.
  func seen(_ occurrence: Occurrence) throws -> Seen {
    Seen(
      occurrence: occurrence, names: try identifications(of: occurrence.id),
      notes: try notes(on: occurrence.id), hidden: try hidden(of: occurrence.id))
  }

  /// The occurrences of an event or an individual, the earliest first.
  func occurrences(of id: JournalID) throws -> [Occurrence] {
    guard let head = try head(id) else { return [] }
    let column = head.kind == .event ? "event_id" : "organism_id"
    var found: [(isObscured: Bool, occurrence: Occurrence, startMs: Int64)] = []
    for row in try rows(of: .occurrence, column, head.id) {
      guard let shared = try records.shared(row), case .occurrence(let seen) = shared.record,
        seen.event == id || seen.organism == id
      else { continue }
      let made = try time(of: seen)
      let start = made.map { $0.time.firstMs(offsetMin: $0.utcOffsetMin) } ?? .max
      found.append((shared.isObscured, seen, start))
    }
    // What is obscured comes in the order of its new UUIDs, which says nothing of when it was kept.
    let hidden = found.filter(\.isObscured).sorted { $0.occurrence.id < $1.occurrence.id }
    return (found.filter { !$0.isObscured } + hidden).enumerated()
      .sorted { ($0.element.startMs, $0.offset) < ($1.element.startMs, $1.offset) }
      .map(\.element.occurrence)
  }

  // MARK: - What is said in another record

  /// When an occurrence was: its own time, else the beginning of the event.
  func time(of occurrence: Occurrence) throws -> (time: LocalTime, utcOffsetMin: Int?)? {
    guard let event = try event(occurrence.event) else { return nil }
    return (occurrence.time ?? event.start, event.utcOffsetMin)
  }

  /// Where an occurrence was, as Format/JOURNAL.md says it of sightings.
  func position(of occurrence: Occurrence) throws -> Position? {
    if let position = occurrence.position { return position }
    let (event, organism) = (try event(occurrence.event), try organism(occurrence.organism))
    return try organism?.position ?? event?.position
      ?? place(event?.place ?? organism?.place)?.position
  }

  /// Where an individual is, else where one of its occurrences was, the earliest first.
  func position(of organism: Organism, seen occurrences: [Occurrence]) throws -> Position? {
    if let position = try organism.position ?? place(organism.place)?.position { return position }
    for occurrence in occurrences.reversed() {
      if let position = try position(of: occurrence) { return position }
    }
    return nil
  }

  // MARK: - All of a kind

  /// Gives all of a kind; see `ExportedRecords.forEach`.
  func forEach(_ kind: JournalRecord.Kind, _ body: (JournalRecord) throws -> Void) throws {
    try records.forEach(kind) { shared, _ in try body(shared.record) }
  }

  /// Gives occurrences in the order of an export, each with what belongs to it.
  ///
  /// - Parameters:
  ///   - isTimed: those alone that have a time of their own, or have none; nil for all.
  ///   - body: gets each; what it throws ends it.
  /// - Throws: `StoreError`; what `body` throws.
  /// - Complexity: O(n) for n occurrences
  func forEachOccurrence(isTimed: Bool? = nil, _ body: (Seen) throws -> Void) throws {
    var names = try OwnedRecords(.identification, records)
    var notes = try OwnedRecords(.note, records)
    let condition = isTimed.map { "t.local_time IS \($0 ? "NOT " : "")NULL" }
    try records.forEach(.occurrence, where: condition) { shared, row in
      guard case .occurrence(let occurrence) = shared.record else { return }
      let hidden = (shared.generalizations, shared.withheld)
      if shared.isObscured {
        // Nobody else may know the notes on it.
        let name = try rows(of: .identification, "occurrence_id", row).compactMap {
          try records.shared($0)?.record.asIdentification
        }
        return try body(Seen(occurrence: occurrence, names: name, notes: [], hidden: hidden))
      }
      let seen = Seen(
        occurrence: occurrence, names: try names.of(row).compactMap(\.asIdentification),
        notes: try notes.of(row).compactMap(\.asNote), hidden: hidden)
      try body(seen)
    }
  }

  /// The records of one kind about which there are records of another kind, in the order of their rows; of those that
  /// are obscured none.
  ///
  /// - Parameters:
  ///   - kind: the kind of what says something.
  ///   - owner: the kind of what it is about.
  ///   - count: how many there have to be.
  /// - Returns: the UUIDs under which others have them.
  /// - Throws: `StoreError`
  func owners(
    of kind: JournalRecord.Kind, among owner: JournalRecord.Kind, atLeast count: Int = 1
  ) throws -> [JournalID] {
    let column = OwnedRecords.owner(of: kind)
    let rows = try Row.fetchCursor(
      records.database,
      sql: """
        SELECT o.id, o.uuid FROM (
          SELECT t.\(column) AS id FROM \(kind.rawValue) t CROSS JOIN record r ON r.id = t.id
          WHERE r.deleted_ms IS NULL GROUP BY t.\(column) HAVING count(*) >= ?) t
        CROSS JOIN record o ON o.id = t.id
        WHERE o.kind = ? AND o.deleted_ms IS NULL ORDER BY t.id
        """, arguments: [count, owner.rawValue])
    var owners: [JournalID] = []
    while let row = try rows.next() {
      if let sharing = records.sharing, sharing.level(of: try row.value(at: 0)) != .open {
        continue
      }
      owners.append(try row.uuid("uuid"))
    }
    return owners
  }
}

extension JournalRecord {
  fileprivate var asNote: Note? { if case .note(let note) = self { note } else { nil } }
  fileprivate var asIdentification: Identification? {
    if case .identification(let identification) = self { identification } else { nil }
  }
}

extension JournalFile {
  /// Gives the records of a query as others may have them, or with nil as they are, in one state of the file.
  ///
  /// - Throws: `StoreError`; what `body` throws.
  func withRecords<Value>(
    of query: SightingQuery?, by sharing: Sharing?, _ body: (RecordJoin) throws -> Value
  ) throws -> Value {
    try read { database in
      let join = try RecordJoin(ExportedRecords(self, database, of: query, by: sharing))
      do {
        return try body(join)
      } catch let error as DatabaseError {
        throw error
      } catch {
        throw ForeignError(error: error)
      }
    }
  }
}
