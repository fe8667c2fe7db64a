import STOLAnswers
import STOLJournal

/// What an export has in it, counted by writing it.
struct JournalLeaving: Sendable {
  let choice: JournalExportChoice
  let report: ExportReport
  let byteCount: Int

  /// What tells it from another one: the numbers that a page shows of it.
  var mark: String { EntityTag(of: RowWriter.object { write(to: &$0) }).text.filter { $0 != "\"" } }

  /// A number with what it is of.
  typealias Line = (what: String, count: Int)

  /// What is in the file.
  var written: [Line] {
    guard [.json, .jsonl, .archive].contains(choice.format) else {
      return report.written.map { ($0.what, $0.count) }
    }
    let counts = report.recordCounts ?? [:]
    // Of these it is said also where there are none.
    let asked: Set<String> = ["occurrence", "photo", "person", "note"]
    let kinds = Self.kinds.filter { asked.contains($0.kind) || counts[$0.kind] != nil }
    let others = report.written.filter { $0.what != "records" }
    return kinds.map { ($0.word, counts[$0.kind] ?? 0) } + others.map { ($0.what, $0.count) }
  }

  /// The positions in the file, exact and obscured.
  var positions: [Line] {
    [("exact positions", report.exactPositionCount)]
      + (choice.isExact
        ? [] : [("positions as a cell of the map only", report.obscuredPositionCount)])
  }

  /// What others get less exactly.
  var generalised: [Line] { Self.lines(report.sharing.generalised) }

  /// What others do not get at all.
  var withheld: [Line] {
    let positions = report.sharing.withheldPositionCount
    return Self.lines(report.sharing.withheld)
      + (positions > 0 ? [("positions among those", positions)] : [])
  }

  /// What the format has no room for, in the library's words.
  var losses: [Line] { report.losses.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

  /// What is written otherwise than it was.
  var changes: [Line] { report.changes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

  private static func lines(_ counts: [String: Int]) -> [Line] {
    let known = kinds.compactMap { kind in counts[kind.kind].map { (kind.word, $0) } }
    let others = counts.filter { entry in !kinds.contains { $0.kind == entry.key } }
    return known + others.sorted { $0.key < $1.key }.map { (words[$0.key] ?? $0.key, $0.value) }
  }

  /// The kinds of records in the words of a page.
  private static let kinds: [(kind: String, word: String)] = [
    ("occurrence", "sightings"), ("identification", "names given to them"),
    ("event", "walks, dives and visits"), ("place", "places"), ("organism", "individuals"),
    ("measure", "measures"), ("note", "notes"), ("photo", "photos"),
    ("collection", "collections"), ("person", "persons"),
  ]

  private static let words = [
    "event.persons": "who took part, of walks, dives and visits",
    "event.dive.logs.serial": "serial numbers of dive computers, of dives",
    "identification.remarks": "who gave a name, of names",
  ]

  /// Writes its members.
  func write(to json: inout RowWriter) {
    json.text("format", choice.format.rawValue)
    json.text("for", choice.isExact ? "myself" : "others")
    json.bool("isWhole", report.isWhole)
    Self.write("written", report.written.map { ($0.what, $0.count) }, to: &json)
    Self.write("records", report.recordCounts, to: &json)
    json.object("positions") { json in
      json.number("exact", report.exactPositionCount)
      json.number("obscured", report.obscuredPositionCount)
      json.number("withheld", report.sharing.withheldPositionCount)
    }
    Self.write("generalised", report.sharing.generalised, to: &json)
    Self.write("withheld", report.sharing.withheld, to: &json)
    Self.write("losses", report.losses, to: &json)
    Self.write("changes", report.changes, to: &json)
    json.bool("knowsThreats", report.sharing.knowsThreats)
    json.number("unknownTaxonCount", report.sharing.unknownCount)
  }

  private static func write(
    _ name: String, _ counts: [String: Int]?, to json: inout RowWriter
  ) {
    write(name, (counts ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, to: &json)
  }

  private static func write(_ name: String, _ lines: [Line], to json: inout RowWriter) {
    json.objects(name, lines) { json, line in
      json.text("what", line.what)
      json.number("count", line.count)
    }
  }
}
