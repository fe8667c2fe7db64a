import STOLData
import Testing

@testable import STOLJournal

@Suite("Records as lines")
struct FormatsTests {
  /// Exported, imported into an empty journal, and exported again: the same bytes.
  @Test func linesMakeTheSameJournal() throws {
    let journal = try TestJournal().open()
    let walk = try Walk()
    try journal.save(walk.records)
    try journal.save([
      .identification(Identification(occurrence: walk.oak.id, verbatimName: "Oak \"é\"\u{2028}")),
      .note(Note(target: walk.place.id, text: String(repeating: "\n\\", count: 32_768))),
    ])
    try journal.delete(walk.bird.id)
    let text = try JournalLines.text(of: journal)
    let other = try TestJournal().open()
    let records = try text.split(separator: "\n").map { line in
      try JournalLines.record(String(line))
    }
    #expect(try other.rehearse(records).results.allSatisfy { $0 == .new })
    #expect(try other.liveRecords().isEmpty && other.history().isEmpty)
    #expect(try other.save(records, as: .import).results.count == records.count)
    #expect(try JournalLines.text(of: other) == text)
    #expect(try other.check() == [])
    #expect(try other.save(records, as: .import).batch == nil)
    #expect(try other.history().map(\.what) == ["import"])
    try other.undo()
    #expect(try other.liveRecords().isEmpty)
  }

  @Test(arguments: [
    ("", "line"), ("[]", "line"), ("{}", "recordKind"), ("{\"recordKind\":\"tree\"}", "recordKind"),
    ("{\"recordKind\":\"note\"}", "id"),
    ("{\"recordKind\":\"note\",\"id\":\"x\",\"target\":\"y\",\"text\":\"a\"}", "id"),
    ("{\"recordKind\":\"note\",\"id\":7}", "id"),
    (
      "{\"recordKind\":\"event\",\"kind\":\"visit\",\"status\":\"saved\",\"isCompleteList\":false,"
        + "\"id\":\"0192f3a4-5b6c-7d8e-9fab-cdef01234567\",\"start\":\"2026-02-30\"}", "start"
    ),
  ])
  func aLineThatIsNoneIsRefusedByItsMember(line: String, member: String) throws {
    let error = #expect(throws: JournalError.self) { try JournalLines.record(line) }
    guard case .invalid(let field, _, let remedy)? = error else {
      Issue.record("no member is named")
      return
    }
    #expect(field == member && !remedy.isEmpty)
    #expect(!remedy.contains("cannot be"))
  }

  @Test func whatIsMissingOfListsIsEmpty() throws {
    let record = try JournalLines.record(
      """
      {"recordKind":"place","id":"0192f3a45b6c7d8e9fabcdef01234567","kind":"site","name":"A"}
      """)
    guard case .place(let place) = record else {
      Issue.record("no place")
      return
    }
    #expect(place.tags.isEmpty && place.states.isEmpty && place.collections.isEmpty)
  }
}
