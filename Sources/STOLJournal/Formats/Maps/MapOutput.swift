import STOLSystem

/// What a map shows of a record.
struct MapOutput {
  /// What it is of.
  let kind: JournalRecord.Kind
  let id: JournalID
  /// What stands beside it on a map.
  let name: String
  /// Where it is; nil where nobody knows.
  let position: Position?
  /// Metres above the sea, times 100.
  var elevationCm: Int?
  var comment: String?
  /// When it was seen last.
  var made: (time: LocalTime, utcOffsetMin: Int?)?
  /// What is written about it.
  var text: String?
  /// What kind of place it is, else what it is.
  var type: String
  /// All that the journal knows of it, in the columns of a table.
  var cells: [(field: TableField, text: String)] = []
  /// Whether others may know but roughly where it was.
  var isObscured = false

  /// The moments of the years 1 to 9999.
  private static let firstSecond = -62_135_596_800
  private static let lastSecond = 253_402_300_799

  /// When it was seen last in UTC, where that is known to be a moment.
  var moment: String? {
    guard let made, made.time.hasTimeOfDay, let offset = made.utcOffsetMin else { return nil }
    let seconds = made.time.firstSecond - offset * 60
    guard (Self.firstSecond...Self.lastSecond).contains(seconds) else { return nil }
    return timeText(secondsSince1970: seconds) + "Z"
  }
}

/// Gives what of a journal has a place on a map, and counts what has none.
struct MapExport {
  /// What a format can show.
  enum Form {
    /// Points alone, and one for an individual with all of its occurrences at its place.
    case points
    /// Each occurrence by itself, also without a position.
    case features
  }

  private let records: RecordJoin
  private let form: Form
  private(set) var report = ExportReport()
  private var table = JournalTable.Report()
  private let writer = TableWriter(.csv, .uuid, measures: [], isShared: true)
  private var shownEvents: Set<JournalID> = []

  init(_ records: RecordJoin, _ form: Form) { (self.records, self.form) = (records, form) }

  /// Gives all of it, places first.
  mutating func forEach(_ body: (MapOutput) throws -> Void) throws {
    var losses = LossCounter(but: Self.heldOfPlace)
    try records.forEach(.place) { record in
      guard case .place(let place) = record else { return }
      try losses.add(record)
      try give(try output(place), body)
    }
    losses.add(to: &report)
    try records.forEach(.organism) { record in
      guard case .organism(let organism) = record else { return }
      let occurrences = try records.occurrences(of: organism.id)
      guard form == .points || occurrences.isEmpty else { return }
      try give(try output(organism, occurrences.map { try records.seen($0) }), body)
    }
    try records.forEachOccurrence { seen in
      report.lose("identifications before the last", max(0, seen.names.count - 1))
      let occurrence = seen.occurrence
      guard form == .features || occurrence.organism == nil || occurrence.position != nil else {
        // It is in the point of its individual.
        return
      }
      shownEvents.insert(occurrence.event)
      try give(try output(seen), body)
    }
    losses = LossCounter(but: Self.heldOfEvent)
    try records.forEach(.event) { record in
      if shownEvents.contains(record.id) {
        try losses.add(record)
      } else {
        report.lose("event without a sighting that is shown")
      }
    }
    losses.add(to: &report)
    report.lose("measures", records.measureCount)
    report.lose("photos", records.photoCount)
    report.lose("note.time", try records.timedNoteCount())
    report.lose("\" | \" in texts, now \" / \"", table.changedTextCount)
  }

  private static let position: Set<String> = [
    "id", "recordKind", "position.latitudeE7", "position.longitudeE7", "position.uncertaintyM",
    "privacy", "tags", "collections",
  ]
  private static let heldOfPlace = position.union([
    "kind", "name", "elevationCm", "locality", "waterBody", "country", "states",
  ])
  private static let heldOfEvent = position.union([
    "kind", "status", "place", "start", "end", "utcOffsetMin", "protocol", "effortValue",
    "effortUnit", "isCompleteList", "weather", "remarks",
  ])

  private mutating func give(_ output: MapOutput, _ body: (MapOutput) throws -> Void) throws {
    guard form == .features || output.position != nil else {
      return report.lose("\(output.kind.rawValue) without a position")
    }
    try body(output)
    report.add(form == .points ? "points" : "features")
    report.addPosition(output.position, isObscured: output.isObscured)
  }

  private mutating func output(_ place: Place) throws -> MapOutput {
    var output = MapOutput(
      kind: .place, id: place.id, name: place.name, position: place.position,
      type: place.kind.rawValue)
    output.elevationCm = place.elevationCm
    output.comment = place.locality
    output.text = Self.text(try records.notes(on: place.id))
    output.cells = writer.cells(try TableParts(nil, of: nil, at: place, in: records), &table)
    return output
  }

  private mutating func output(
    _ organism: Organism, _ seen: [RecordJoin.Seen]
  ) throws -> MapOutput {
    let last = seen.last
    var output = MapOutput(
      kind: .organism, id: organism.id,
      name: organism.name ?? seen.flatMap(\.names).last?.verbatimName ?? "\(organism.id)",
      position: try records.position(of: organism, seen: seen.map(\.occurrence)),
      type: JournalRecord.Kind.organism.rawValue)
    output.elevationCm = organism.elevationCm
    output.made = try last.flatMap { try records.time(of: $0.occurrence) }
    output.text = Self.text(try records.notes(on: organism.id) + seen.flatMap(\.notes))
    let parts = try TableParts(last, of: organism, at: nil, in: records)
    output.isObscured = parts.hidden.generalizations != nil
    output.cells = writer.cells(parts, &table)
    if let last { shownEvents.insert(last.occurrence.event) }
    report.lose(
      "sightings of an individual before the last",
      seen.dropLast().count { $0.occurrence.position == nil })
    return output
  }

  private mutating func output(_ seen: RecordJoin.Seen) throws -> MapOutput {
    let occurrence = seen.occurrence
    let organism = try records.organism(occurrence.organism)
    var output = MapOutput(
      kind: .occurrence, id: occurrence.id,
      name: seen.names.last?.verbatimName ?? organism?.name ?? "\(occurrence.id)",
      position: try records.position(of: occurrence),
      type: JournalRecord.Kind.occurrence.rawValue)
    output.comment = occurrence.remarks
    output.made = try records.time(of: occurrence)
    output.text = Self.text(seen.notes)
    output.isObscured = seen.hidden.generalizations != nil
    output.cells = writer.cells(
      try TableParts(seen, of: organism, at: nil, in: records), &table)
    return output
  }

  /// What some notes say.
  private static func text(_ notes: [Note]) -> String? { JoinedNotes.text(notes.map(\.text)).text }
}
