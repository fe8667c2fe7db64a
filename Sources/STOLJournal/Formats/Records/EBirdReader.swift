package import STOLFormats
import STOLSystem

/// Reads one's own observations as eBird gives them out, MyEBirdData.csv: one submission is one event.
///
/// A row is told from others by its submission and its species. Rows may end before the last columns.
package final class EBirdReader: ImportReader {
  private let table: ForeignTable
  /// The events so far, each with what tells whether a row says the same of it.
  private var submissions: [JournalID: JournalID] = [:]

  package var beside: ImportBeside { table.beside }
  package var byteCount: Int? { table.byteCount }

  /// Whether the first bytes of a file are the header of such a table.
  static func isHeader(_ head: [UInt8]) -> Bool {
    let names = TableHeader.names(in: head)
    return ["Submission ID", "Common Name", "Scientific Name"].allSatisfy(names.contains)
  }

  /// Reads a table.
  ///
  /// - Parameters:
  ///   - stream: the file, at its beginning.
  ///   - fileName: what it is called.
  /// - Throws: `JournalError.invalid` for one without the columns, `FormatError`.
  package init(_ stream: SourceStream, fileName: String) throws {
    table = try ForeignTable(stream, fileName: fileName, isRagged: true)
    for column in ["Submission ID", "Scientific Name", "Date"] where !table.has(column) {
      throw JournalError.invalid(
        field: "file", value: fileName, remedy: "a table with the column \(column), as eBird has it"
      )
    }
  }

  package func next() throws -> Result<ImportRow, ImportRefusal>? {
    try table.next { try row() }
  }

  // MARK: - Records

  private func row() throws -> ImportRow {
    guard let submission = table.text("Submission ID") else {
      throw table.refusal("Submission ID", "is missing", "each row of eBird has one")
    }
    let event = JournalID(naming: [Self.source, "submission", submission])
    let shared = JournalID(naming: Self.sharedColumns.map { table.text($0) ?? "" })
    var records: [JournalRecord] = []
    // What all rows of a submission say is there once its first one is, unless one says otherwise.
    let isKnown = submissions[event] == shared
    if !isKnown { records = try self.submission(event) }
    let (scientific, common) = (table.text("Scientific Name"), table.text("Common Name"))
    let occurrence = try occurrence(
      JournalID(naming: [Self.source, submission, scientific ?? common ?? ""]), in: event)
    records.append(.occurrence(occurrence))
    if let catalogue = table.text("ML Catalog Numbers") {
      var measure = Measure(
        id: occurrence.id.derived(Self.catalogue), target: occurrence.id, type: Self.catalogue,
        text: catalogue)
      measure.time = try start()
      records.append(.measure(measure))
    }
    if let name = scientific ?? common {
      records.append(
        .identification(
          Self.identification(of: occurrence.id, name, common: scientific == nil ? nil : common)))
    } else {
      table.flag("Scientific Name", "has no name")
    }
    var row = try table.row(records, Self.sources)
    row.hints = [ImportRow.Hint(rank: "class", name: "Aves")]
    row.commonName = scientific == nil ? nil : common
    row.hasCommonName = scientific == nil && common != nil
    // Where it may not be kept, each row says why.
    if !records.contains(where: { $0.position?.isNullIsland ?? false }) {
      submissions[event] = submissions[event] ?? shared
    }
    return row
  }

  /// The columns that are the same in all rows of a submission.
  private static let sharedColumns = [
    "State/Province", "County", "Location ID", "Location", "Latitude", "Longitude", "Date", "Time",
    "Protocol", "Duration (Min)", "All Obs Reported", "Distance Traveled (km)",
    "Area Covered (ha)", "Number of Observers", "Checklist Comments",
  ]

  /// The records of a submission: its places, the event and its efforts.
  private func submission(_ id: JournalID) throws -> [JournalRecord] {
    var records = try place()
    var event = try makeEvent(id)
    event.place = records.last?.id
    if event.place == nil { event.position = try table.position("Latitude", "Longitude") }
    records.append(.event(event))
    return records + (try efforts(of: event))
  }

  /// What the UUIDs of its records are named after.
  static let source = "ebird"
  /// Measures of an event, and of an occurrence, that the journal has no field for.
  static let distance = "x-distance_m"
  static let area = "x-area_m2"
  static let observers = "x-observers"
  static let catalogue = "x-ml_catalog_numbers"

  /// What fields of records are made of.
  private static let sources: KeyValuePairs = [
    "name": "Location", "country": "State/Province", "latitude": "Latitude",
    "longitude": "Longitude", "local_end": "Duration (Min)", "effort_value": "Duration (Min)",
    "date": "Date", "protocol": "Protocol", "count": "Count", "behaviour": "Breeding Code",
    "verbatim_name": "Scientific Name", "text": "ML Catalog Numbers",
    "number": "Number of Observers", "remarks": "Observation Details",
  ]

  /// What an occurrence was taken for: its UUID is made of both names.
  static func identification(
    of occurrence: JournalID, _ name: String, common: String?
  ) -> Identification {
    var identification = Identification(
      id: occurrence.derived(
        "identification\n" + [name, common].compactMap { $0 }.joined(separator: "\n")),
      occurrence: occurrence, verbatimName: name)
    identification.remarks = common
    return identification
  }

  /// The location, in a county and a state where these are stated; nothing where it has no name.
  private func place() throws -> [JournalRecord] {
    let (state, county) = (table.text("State/Province"), table.text("County"))
    let (key, name) = (table.text("Location ID"), table.text("Location"))
    let position = try table.position("Latitude", "Longitude")
    guard let title = name ?? key else { return [] }
    var places: [Place] = []
    func add(_ kind: Place.Kind, _ name: String, _ words: [String]) {
      var place = Place(id: JournalID(naming: [Self.source] + words), kind: kind, name: name)
      place.parent = places.last?.id
      place.country = Self.country(of: state)
      places.append(place)
    }
    if let state { add(.region, state, ["region", state]) }
    if let county { add(.area, county, ["area", state ?? "", county]) }
    let words =
      key.map { [$0] } ?? [title, position?.latitudeText ?? "", position?.longitudeText ?? ""]
    add(.site, title, ["site"] + words)
    places[places.count - 1].position = position
    return places.map { .place($0) }
  }

  /// The country of a state as "US-NY"; nil for the high seas.
  private static func country(of state: String?) -> String? {
    guard let state, let code = state.split(separator: "-").first, code.utf8.count == 2,
      code.utf8.allSatisfy((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains), code != "XX"
    else { return nil }
    return String(code)
  }

  private func makeEvent(_ id: JournalID) throws -> Event {
    let how = table.text("Protocol")
    let isIncidental = ["Casual", "Incidental", "Historical"].contains { how?.contains($0) ?? true }
    var event = Event(
      id: id, kind: isIncidental ? .visit : .survey, start: try start())
    event.protocol = how
    if let seconds = try table.number("Duration (Min)", times: 60) {
      let isWhole = seconds.isMultiple(of: 60)
      event.effortValue = isWhole ? seconds / 60 : seconds
      event.effortUnit = isWhole ? "min" : "s"
      event.end = Self.end(of: event.start, after: seconds)
    }
    switch table.text("All Obs Reported") {
    case "1": event.isCompleteList = true
    case "0", nil: break
    default: throw table.refusal("All Obs Reported", "is neither 1 nor 0", "1 or 0")
    }
    event.remarks = table.text("Checklist Comments")
    return event
  }

  /// The date with the time of day, by a clock of 12 hours or of 24; old files have the month first.
  private func start() throws -> LocalTime {
    guard let date = table.text("Date") else {
      throw table.refusal("Date", "is missing", "each row of eBird has one")
    }
    guard let day = try? CellText.time(date, .mdy, "Date").time, !day.hasTimeOfDay,
      day.dayNumber != nil
    else { throw table.refusal("Date", "is no date", "as 2026-03-15 or 03-15-2026") }
    guard let clock = table.text("Time") else { return day }
    guard let time = CellText.timeOfDay(clock), let start = try? LocalTime("\(day.text)T\(time)")
    else { throw table.refusal("Time", "is no time", "as 06:05 AM or 06:05") }
    return start
  }

  /// The end of what took so many seconds; nil where no time of day says when it began, or it took none.
  private static func end(of start: LocalTime, after seconds: Int) -> LocalTime? {
    guard start.hasTimeOfDay, (1...longestS).contains(seconds) else { return nil }
    let text = timeText(secondsSince1970: start.firstSecond + seconds)
    return try? LocalTime(text.hasSuffix(":00") ? String(text.dropLast(3)) : text)
  }

  /// A month; what took longer has a number that is none of minutes.
  private static let longestS = 31 * 86_400

  private func efforts(of event: Event) throws -> [JournalRecord] {
    let numbers = [
      (Self.distance, try table.number("Distance Traveled (km)", times: 1000)),
      (Self.area, try table.number("Area Covered (ha)", times: 10_000)),
      (Self.observers, try table.whole("Number of Observers")),
    ]
    return numbers.compactMap { type, number in
      guard let number else { return nil }
      var measure = Measure(
        id: event.id.derived(type), target: event.id, type: type, number: number)
      measure.time = event.start
      return .measure(measure)
    }
  }

  private func occurrence(_ id: JournalID, in event: JournalID) throws -> Occurrence {
    var occurrence = Occurrence(id: id, event: event)
    if let count = table.text("Count"), count != "X", count != "x" {
      occurrence.count = try table.whole("Count")
      occurrence.countKind = .exact
      if occurrence.count == 0 { (occurrence.presence, occurrence.countKind) = (.absent, nil) }
    }
    occurrence.behaviour = table.text("Breeding Code")
    occurrence.remarks = table.text("Observation Details")
    return occurrence
  }
}

/// The header of a table, for whoever asks what it is.
enum TableHeader {
  /// The names of columns in the first line of a file, whatever separates them.
  static func names(in head: [UInt8]) -> Set<String> {
    let text = String(decoding: head.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
    let cells = text.split { $0 == "," || $0 == "\t" || $0 == ";" }
    return Set(cells.map { $0.trimmed { $0 == "\"" || $0 == " " || $0 == "\u{FEFF}" } })
  }
}
