import Testing

@testable import STOLJournal

@Suite("Bad records in JSON")
struct BadRecordTests {
  private static func `import`(
    _ lines: [String], into journal: JournalFile, updates: Bool = false
  ) throws -> [ImportedRow] {
    var options = ImportOptions()
    options.updates = updates
    var rows: [ImportedRow] = []
    let text = lines.joined(separator: "\n")
    let summary = try journal.importing(
      JournalLinesReader(ByteChunks(Array(text.utf8))), options
    ) { rows.append($0) }
    #expect(summary.rowCount == lines.count)
    return rows
  }

  private static func line(_ event: Event) throws -> String {
    try JournalLines.line(of: .event(event))
  }

  private static func event(in parent: JournalID? = nil) throws -> Event {
    var event = Event(kind: .trip, start: try LocalTime("2026"))
    event.parent = parent
    return event
  }

  @Test(arguments: [false, true])
  func whatStandsInItselfOrTooDeepIsRefusedAlone(isBackwards: Bool) throws {
    let journal = try TestJournal().open()
    var own = try Self.event()
    own.parent = own.id
    var chain = [try Self.event()]
    for _ in 1..<10 { chain.append(try Self.event(in: chain[chain.count - 1].id)) }
    let last = try Self.event()
    let lines = try ([own] + chain + [last]).map(Self.line)
    let rows = try Self.import(lines, into: journal)
    // The tenth refers to the ninth, which is not kept.
    var outcomes = Array(repeating: ImportedRow.Outcome.new, count: 12)
    for index in [0, 9, 10] { outcomes[index] = .refused }
    #expect(rows.map(\.outcome) == outcomes)
    let refusal = try #require(rows[0].refusal)
    #expect(refusal.line == 1 && refusal.column == "parent" && refusal.value == "\(own.id)")
    #expect(rows[9].refusal?.line == 10 && rows[9].refusal?.value == "\(chain[7].id)")
    #expect(rows[9].refusal?.reason.contains("more than 7") == true)
    #expect(rows[10].refusal?.description.contains("\(chain[8].id)") == true)
    #expect(try journal.keyFigures().eventCount == 9)
    // Neither does one that is there come to stand below itself, or too deep.
    let kept = try JournalLines.text(of: journal)
    chain[0].parent = isBackwards ? chain[2].id : last.id
    let updated = try Self.import([try Self.line(chain[0])], into: journal, updates: true)
    #expect(updated[0].refusal?.column == "parent")
    #expect(try JournalLines.text(of: journal) == kept)
    #expect(try journal.check() == [])
  }
}
