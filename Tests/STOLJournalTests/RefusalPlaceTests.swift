import Testing

@testable import STOLJournal

/// Where a refusal says that something is.
@Suite("Places of what an import refuses")
struct RefusalPlaceTests {
  private static let nobody = "00000000-0000-4000-8000-0000000000ff"
  private static let id = "00000000-0000-4000-8000-000000000001"

  @Test(arguments: [
    (
      "{\"recordKind\":\"note\",\"id\":\"\(id)\",\"target\":\"\(nobody)\",\"text\":\"a\"}", "target"
    ),
    (
      "{\"recordKind\":\"organism\",\"id\":\"\(id)\",\"status\":\"alive\",\"place\":\"\(nobody)\"}",
      "place"
    ),
    (
      "{\"recordKind\":\"occurrence\",\"id\":\"\(id)\",\"event\":\"\(nobody)\",\"presence\":\"present\"}",
      "event"
    ),
    (
      "{\"recordKind\":\"organism\",\"id\":\"\(id)\",\"status\":\"alive\",\"collections\":[\"\(nobody)\"]}",
      "collections"
    ),
  ])
  func aReferenceToNothingIsNamed(line: String, member: String) throws {
    let journal = try TestJournal().open()
    var rows: [ImportedRow] = []
    _ = try journal.importing(JournalLinesReader(ByteChunks(Array(line.utf8)))) { rows.append($0) }
    #expect(rows.map { $0.refusal?.column } == [member])
    #expect(rows.map { $0.refusal?.value } == [Self.nobody])
    #expect(rows.allSatisfy { $0.refusal?.reason.contains("UUID of no") == true })
  }

  /// The greatest numbers that a record may have come back from every export.
  @Test(arguments: [ExportFormat.csv, .tsv, .json, .jsonl])
  func theGreatestNumbersComeBack(format: ExportFormat) throws {
    let journal = try TestJournal().open()
    let event = Event(kind: .visit, start: try LocalTime("2026-03-15"))
    var seen = Occurrence(event: event.id)
    (seen.count, seen.countKind) = (1_000_000_000_000, .about)
    let most = 1_000_000_000_000_000
    var records: [JournalRecord] = [.event(event), .occurrence(seen)]
    for type in ["mass_g", "yield_g", "length_mm", "height_cm", "stems", "ph_x100", "x-leaves"] {
      var measure = Measure(target: seen.id, type: type, number: most)
      measure.time = event.start
      records.append(.measure(measure))
    }
    try journal.save(records)
    let bytes = try journal.exported(format).bytes
    let other = try TestJournal().open()
    let text = String(decoding: bytes, as: UTF8.self)
    let reader: any ImportReader =
      switch format {
      case .csv, .tsv:
        try TableImportReader(
          TestTable.stream(bytes), fileName: "a",
          delimiter: UInt8(ascii: format == .tsv ? "\t" : ","), mapping: TableMapping())
      case .json: try JournalDocumentReader(ByteChunks(bytes))
      default: JournalLinesReader(ByteChunks(bytes))
      }
    var refusals: [ImportRefusal] = []
    _ = try other.importing(reader) { row in if let it = row.refusal { refusals.append(it) } }
    #expect(refusals == [], "\(text)")
    #expect(try TestTable.records(of: other) == TestTable.records(of: journal))
  }

  @Test func aGreatCountComesBackFromUmiLog() throws {
    let journal = try TestJournal().open()
    let event = Event(kind: .dive, start: try LocalTime("2026-03-15"))
    var seen = Occurrence(event: event.id)
    (seen.count, seen.countKind) = (1_000_000_000_000, .exact)
    try journal.save([.event(event), .occurrence(seen)])
    let (rows, refusals) = try UmiLogReader(ByteChunks(try journal.exported(.umilog).bytes)).all()
    #expect(refusals == [] && rows.flatMap(\.records).contains(.occurrence(seen)))
  }
}
