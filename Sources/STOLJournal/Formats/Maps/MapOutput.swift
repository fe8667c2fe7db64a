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

  private let index: RecordIndex
  private let form: Form
  private(set) var report = ExportReport()
  private var table = JournalTable.Report()
  private let writer = TableWriter(.csv, .uuid, measures: [], isShared: true)
  private var shownEvents: Set<JournalID> = []

  init(_ index: RecordIndex, _ form: Form) { (self.index, self.form) = (index, form) }

  /// Gives all of it, places first.
  mutating func forEach(_ body: (MapOutput) throws -> Void) throws {
    for place in index.places {
      try report.loseAll(of: .place(place), but: Self.heldOfPlace)
      try give(output(place), body)
    }
    for organism in index.organisms {
      let occurrences = index.occurrences(of: organism.id)
      guard form == .points || occurrences.isEmpty else { continue }
      try give(output(organism, occurrences), body)
    }
    for occurrence in index.occurrences {
      let names = index.identifications(of: occurrence.id)
      report.lose("identifications before the last", max(0, names.count - 1))
      guard form == .features || occurrence.organism == nil || occurrence.position != nil else {
        // It is in the point of its individual.
        continue
      }
      shownEvents.insert(occurrence.event)
      try give(output(occurrence, names), body)
    }
    for event in index.events.values {
      if shownEvents.contains(event.id) {
        try report.loseAll(of: .event(event), but: Self.heldOfEvent)
      } else {
        report.lose("event without a sighting that is shown")
      }
    }
    report.lose("measures", index.measureCount)
    report.lose("photos", index.photoCount)
    report.lose("note.time", index.timedNoteCount)
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
  }

  private mutating func output(_ place: Place) -> MapOutput {
    var output = MapOutput(
      kind: .place, id: place.id, name: place.name, position: place.position,
      type: place.kind.rawValue)
    output.elevationCm = place.elevationCm
    output.comment = place.locality
    output.text = text(of: [place.id])
    output.cells = writer.cells(TableParts(nil, of: nil, at: place, in: index), &table)
    return output
  }

  private mutating func output(_ organism: Organism, _ occurrences: [Occurrence]) -> MapOutput {
    let last = occurrences.last
    let names = occurrences.flatMap { index.identifications(of: $0.id) }
    var output = MapOutput(
      kind: .organism, id: organism.id,
      name: organism.name ?? names.last?.verbatimName ?? "\(organism.id)",
      position: index.position(of: organism), type: JournalRecord.Kind.organism.rawValue)
    output.elevationCm = organism.elevationCm
    output.made = last.flatMap { index.time(of: $0) }
    output.text = text(of: [organism.id] + occurrences.map(\.id))
    output.cells = writer.cells(TableParts(last, of: organism, at: nil, in: index), &table)
    if let last { shownEvents.insert(last.event) }
    report.lose(
      "sightings of an individual before the last",
      occurrences.dropLast().count { $0.position == nil })
    return output
  }

  private mutating func output(
    _ occurrence: Occurrence, _ names: [Identification]
  ) -> MapOutput {
    let organism = index.organism(occurrence.organism)
    var output = MapOutput(
      kind: .occurrence, id: occurrence.id,
      name: names.last?.verbatimName ?? organism?.name ?? "\(occurrence.id)",
      position: index.position(of: occurrence), type: JournalRecord.Kind.occurrence.rawValue)
    output.comment = occurrence.remarks
    output.made = index.time(of: occurrence)
    output.text = text(of: [occurrence.id])
    output.cells = writer.cells(
      TableParts(occurrence, of: organism, at: nil, in: index), &table)
    return output
  }

  /// What is written about some records.
  private func text(of ids: [JournalID]) -> String? {
    JoinedNotes.text(ids.flatMap { index.notes(on: $0) }.map(\.text)).text
  }
}
