import STOLSystem

/// Writes occurrences as comma-separated values that the importer of iNaturalist takes: one observation a row.
enum INaturalistExport {
  static let header =
    "Taxon name,Date observed,Description,Place name,Latitude / y coord / northing,"
    + "Longitude / x coord / easting,Tags,Geoprivacy\n"

  static func write(
    _ journal: JournalFile, _ query: SightingQuery?, _ sharing: Sharing?, to sink: inout ExportSink
  ) throws -> ExportReport {
    let index = try RecordIndex(journal, query, sharing)
    var report = ExportReport()
    var count = 0
    try sink.append(header)
    for occurrence in index.occurrences {
      guard let row = try row(occurrence, index, &report) else { continue }
      try sink.append(row)
      count += 1
    }
    for place in index.places { try report.loseAll(of: .place(place), but: heldOfPlace) }
    for event in index.events.values {
      try report.loseAll(of: .event(event), but: heldOfEvent)
      report.lose("note on an event", index.notes(on: event.id).count)
    }
    for organism in index.organisms {
      try report.loseAll(of: .organism(organism), but: position.union(["place", "privacy"]))
    }
    report.lose("measures", index.measureCount)
    report.lose("photos", index.photoCount)
    report.add("observations", count)
    return report
  }

  private static let position: Set<String> = [
    "id", "recordKind", "position.latitudeE7", "position.longitudeE7",
  ]
  private static let heldOfPlace = position.union(["kind", "name", "privacy"])
  private static let heldOfEvent = position.union([
    "kind", "start", "utcOffsetMin", "place", "privacy",
  ])
  private static let heldOfOccurrence = position.union([
    "event", "time", "organism", "presence", "remarks", "tags", "privacy",
  ])
  private static let heldOfName: Set<String> = [
    "id", "recordKind", "occurrence", "verbatimName", "match",
  ]

  private static func row(
    _ occurrence: Occurrence, _ index: RecordIndex, _ report: inout ExportReport
  ) throws -> String? {
    guard occurrence.presence == .present else {
      report.lose("occurrence of what was absent")
      return nil
    }
    guard let event = index.events[occurrence.event], let time = index.time(of: occurrence),
      time.time.dayNumber != nil
    else {
      report.lose("occurrence without a whole date")
      return nil
    }
    try report.loseAll(of: .occurrence(occurrence), but: heldOfOccurrence)
    let names = index.identifications(of: occurrence.id)
    if let last = names.last { try report.loseAll(of: .identification(last), but: heldOfName) }
    report.lose("identifications before the last", names.count - 1)
    let notes = index.notes(on: occurrence.id)
    for note in notes {
      try report.loseAll(of: .note(note), but: ["id", "recordKind", "target", "text"])
    }
    let spot = index.position(of: occurrence)
    let organism = index.organism(occurrence.organism)
    let place = index.place(event.place ?? organism?.place)
    let privacies = [occurrence.privacy, event.privacy, organism?.privacy, place?.privacy]
    let privacy = privacies.compactMap { $0 }.reduce(Privacy.open) { $0.stricter($1) }
    let texts = ([occurrence.remarks] + notes.map(\.text)).compactMap { $0 }
    let tags = occurrence.tags.subtracting([INaturalistObservation.obscuredTag]).sorted()
    report.lose("commas in tags, now spaces", tags.count { $0.contains(",") })
    var cells: [String?] = [names.last?.verbatimName]
    cells.append(date(time.time, time.utcOffsetMin))
    cells.append(texts.joined(separator: CellText.separator))
    cells += [place?.name, spot?.latitudeText, spot?.longitudeText]
    cells.append(tags.map { $0.replacing(",", with: " ") }.joined(separator: ","))
    cells.append(privacy.rawValue)
    return ForeignCSV.line(cells, &report)
  }

  /// The local time, with the offset of the clock where that is known.
  private static func date(_ time: LocalTime, _ offsetMin: Int?) -> String {
    guard time.hasTimeOfDay else { return time.text }
    let seconds = time.text.utf8.count == 16 ? time.text + ":00" : time.text
    guard let offsetMin else { return seconds }
    let size = abs(offsetMin)
    return seconds + (offsetMin < 0 ? "-" : "+") + (size / 60).digits(2) + ":"
      + (size % 60).digits(2)
  }
}
