import STOLSystem

/// Writes occurrences as comma-separated values that the importer of iNaturalist takes: one observation a row.
enum INaturalistExport {
  static let header =
    "Taxon name,Date observed,Description,Place name,Latitude / y coord / northing,"
    + "Longitude / x coord / easting,Tags,Geoprivacy\n"

  static func write(
    _ journal: JournalFile, _ query: SightingQuery?, _ sharing: Sharing?, to sink: inout ExportSink
  ) throws -> ExportReport {
    try journal.withRecords(of: query, by: sharing) { records in
      var report = ExportReport()
      try sink.append(header)
      let count = try rows.write(records, to: &sink, &report) { seen, report in
        try row(seen, records, &report)
      }
      report.lose("measures", records.measureCount)
      report.add("observations", count)
      return report
    }
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

  private static let rows = OccurrenceRows(
    place: heldOfPlace, event: heldOfEvent, organism: position.union(["place", "privacy"]),
    occurrence: heldOfOccurrence, name: heldOfName)

  private static func row(
    _ seen: RecordJoin.Seen, _ records: RecordJoin, _ report: inout ExportReport
  ) throws -> String? {
    let occurrence = seen.occurrence
    guard occurrence.presence == .present else {
      report.lose("occurrence of what was absent")
      return nil
    }
    let event = try records.event(occurrence.event)
    guard let event, case let time = occurrence.time ?? event.start, time.dayNumber != nil else {
      report.lose("occurrence without a whole date")
      return nil
    }
    report.lose("identifications before the last", seen.names.count - 1)
    let spot = try records.position(of: occurrence)
    report.addPosition(spot, isObscured: seen.hidden.generalizations != nil)
    let organism = try records.organism(occurrence.organism)
    let place = try records.place(event.place ?? organism?.place)
    let privacies = [occurrence.privacy, event.privacy, organism?.privacy, place?.privacy]
    let privacy = privacies.compactMap { $0 }.reduce(Privacy.open) { $0.stricter($1) }
    let texts = ([occurrence.remarks] + seen.notes.map(\.text)).compactMap { $0 }
    let tags = occurrence.tags.subtracting([INaturalistObservation.obscuredTag]).sorted()
    report.lose("commas in tags, now spaces", tags.count { $0.contains(",") })
    var cells: [String?] = [seen.names.last?.verbatimName]
    cells.append(date(time, event.utcOffsetMin))
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
