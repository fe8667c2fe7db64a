/// Writes occurrences in the record format of eBird, extended: 19 columns without a header, one row for each.
///
/// eBird takes what was seen on one whole day at one place. A count that nobody knows is an X. The names are those
/// that somebody wrote, for those of eBird are known there.
enum EBirdExport {
  static func write(
    _ journal: JournalFile, _ query: SightingQuery?, _ sharing: Sharing?, to sink: inout ExportSink
  ) throws -> ExportReport {
    try journal.withRecords(of: query, by: sharing) { records in
      var report = ExportReport()
      let count = try rows.write(records, to: &sink, &report) { seen, report in
        try row(seen, records, &report)
      }
      let used = try records.owners(of: .measure, among: .event).reduce(0) { sum, event in
        try sum + records.measures(of: event).count { held.contains($0.type) }
      }
      report.lose("measures", records.measureCount - used)
      report.add("occurrences", count)
      return report
    }
  }

  private static let held = [EBirdReader.distance, EBirdReader.area, EBirdReader.observers]
  private static let position: Set<String> = [
    "id", "recordKind", "position.latitudeE7", "position.longitudeE7",
  ]
  private static let heldOfPlace = position.union(["kind", "name", "parent", "country"])
  private static let heldOfEvent = position.union([
    "kind", "start", "end", "place", "protocol", "effortValue", "effortUnit", "isCompleteList",
    "remarks",
  ])
  private static let heldOfOccurrence = position.union([
    "event", "time", "organism", "presence", "count", "countKind", "remarks",
  ])
  private static let heldOfName: Set<String> = [
    "id", "recordKind", "occurrence", "verbatimName", "match", "remarks",
  ]

  private static let rows = OccurrenceRows(
    place: heldOfPlace, event: heldOfEvent, organism: position.union(["place"]),
    occurrence: heldOfOccurrence, name: heldOfName)

  private static func row(
    _ seen: RecordJoin.Seen, _ records: RecordJoin, _ report: inout ExportReport
  ) throws -> String? {
    let occurrence = seen.occurrence
    guard occurrence.presence == .present else {
      report.lose("occurrence of what was absent")
      return nil
    }
    guard let name = seen.names.last else {
      report.lose("occurrence without a name")
      return nil
    }
    let event = try records.event(occurrence.event)
    guard let event, case let start = occurrence.time ?? event.start, start.dayNumber != nil else {
      report.lose("occurrence without a whole date")
      return nil
    }
    report.lose("identifications before the last", seen.names.count - 1)
    let common = commonName(name)
    if common == nil, name.remarks != nil { report.lose("identification.remarks") }
    if occurrence.countKind ?? .exact != .exact { report.lose("occurrence.countKind") }
    let place = try records.place(event.place)
    let (state, country) = try region(of: place, records)
    let words = name.verbatimName.split(separator: " ", maxSplits: 1).map(String.init)
    let measures = try records.measures(of: event.id)
    func measured(_ type: String) -> Int? { measures.first { $0.type == type }?.number }
    let spot = try records.position(of: occurrence)
    report.addPosition(spot, isObscured: seen.hidden.generalizations != nil)
    let remarks = ([occurrence.remarks] + seen.notes.map(\.text)).compactMap { $0 }
    var cells: [String?] = [common, words.first, words.dropFirst().first]
    cells.append(occurrence.count.map(String.init) ?? "X")
    cells.append(remarks.joined(separator: CellText.separator))
    cells.append(place?.name ?? spot.map { "\($0.latitudeText), \($0.longitudeText)" })
    cells += [spot?.latitudeText, spot?.longitudeText, date(start)]
    cells.append(start.hasTimeOfDay ? String(start.text.dropFirst(11).prefix(5)) : nil)
    cells += [state, country, kind(of: event)]
    cells.append(measured(EBirdReader.observers).map(String.init))
    cells.append(minutes(of: event, &report))
    cells.append(event.isCompleteList ? "Y" : "N")
    // A mile is 1609.344 m, an acre 4046.8564224 m2.
    cells.append(decimal(measured(EBirdReader.distance), times: 78_125, over: 12_573))
    cells.append(decimal(measured(EBirdReader.area), times: 390_625_000, over: 158_080_329))
    cells.append(event.remarks)
    return ForeignCSV.line(cells, &report)
  }

  /// The common name that stood beside the name where it came from, for its UUID is made of both.
  private static func commonName(_ name: Identification) -> String? {
    guard let remarks = name.remarks else { return nil }
    return [remarks, ImportNames.withoutRemark(remarks)].compactMap { $0 }.first { text in
      EBirdReader.identification(of: name.occurrence, name.verbatimName, common: text).id == name.id
    }
  }

  /// The state and the country of a place: eBird calls states "US-NY", and takes "NY" beside "US".
  private static func region(
    of place: Place?, _ records: RecordJoin
  ) throws -> (state: String?, country: String?) {
    var (state, country): (String?, String?) = (nil, nil)
    var step = place
    var depth = 0
    while let here = step, depth < JournalLimits.nestingCount {
      country = country ?? here.country
      if here.kind == .region, state == nil, let code = here.country,
        here.name.hasPrefix(code + "-")
      {
        state = String(here.name.dropFirst(code.count + 1))
      }
      step = try records.place(here.parent)
      depth += 1
    }
    return (state.flatMap { $0.isEmpty ? nil : $0 }, country)
  }

  /// The date as eBird takes it, the month first.
  private static func date(_ time: LocalTime) -> String {
    let parts = time.text.prefix(10).split(separator: "-")
    return "\(parts[1])/\(parts[2])/\(parts[0])"
  }

  /// The protocol in a word of eBird's importer.
  private static func kind(of event: Event) -> String {
    let words = ["Traveling", "Stationary", "Area", "Historical"]
    return words.first { event.protocol?.contains($0) ?? false } ?? "Casual"
  }

  /// How long it took, in whole minutes, as eBird has it.
  private static func minutes(of event: Event, _ report: inout ExportReport) -> String? {
    switch (event.effortUnit, event.effortValue) {
    case ("min", let value?): return String(value)
    case ("h", let value?) where value < 1_000_000: return String(value * 60)
    case ("s", let value?):
      report.lose("seconds of event.effortValue", value.isMultiple(of: 60) ? 0 : 1)
      return String((value + 30) / 60)
    case (_?, _): report.lose("event.effortValue in another unit than time")
    default: break
    }
    guard event.start.hasTimeOfDay, let end = event.end, end.hasTimeOfDay else { return nil }
    return String((end.firstSecond - event.start.firstSecond + 30) / 60)
  }

  /// A number of metres in miles, or of square metres in acres, with four decimals.
  private static func decimal(
    _ number: Int?, times numerator: Int, over denominator: Int
  ) -> String? {
    number.flatMap { ExactDecimal(String($0)) }?.scaled(by: numerator, over: denominator)
      .map { DecimalText.text($0, decimals: 4) }
  }
}

/// Writes comma-separated values for other programs.
enum ForeignCSV {
  /// A line of cells as RFC 4180 has it; line ends within cells become spaces, which importers take for new rows.
  static func line(_ cells: [String?], _ report: inout ExportReport) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      if index > 0 { line += "," }
      var text = cell ?? ""
      if text.utf8.contains(where: { $0 < 0x20 }) {
        report.lose("line ends and tabs in texts, now spaces")
        text = String(text.map { $0.isNewline || $0 < " " ? " " : $0 })
      }
      let isQuoted = text.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ",") }
      if isQuoted { text = "\"" + text.replacing("\"", with: "\"\"") + "\"" }
      line += text
    }
    return line + "\n"
  }
}
