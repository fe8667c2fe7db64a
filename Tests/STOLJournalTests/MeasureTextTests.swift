import STOLData
import Testing

@testable import STOLJournal

/// Texts of measures that look like numbers.
@Suite("Texts of measures that look like numbers")
struct MeasureTextTests {
  private static let texts = ["0012", "+5", "1.5", "-0", "00", "12", "99999999999999999999", "-7"]

  /// A text comes back as one from a table, or is left out and counted.
  @Test(arguments: JournalTable.Form.allCases)
  func textsOfMeasuresStayTexts(form: JournalTable.Form) throws {
    let journal = try TestJournal().open()
    let event = Event(kind: .visit, start: try LocalTime("2020-03-15"))
    let seen = Occurrence(event: event.id)
    var records: [JournalRecord] = [.event(event), .occurrence(seen)]
    for (index, text) in Self.texts.enumerated() {
      var measure = Measure(target: seen.id, type: "x-tag\(index)", text: text)
      measure.time = event.start
      records.append(.measure(measure))
    }
    var girth = Measure(target: seen.id, type: "girth_mm", text: "big")
    girth.time = event.start
    try journal.save(records + [.measure(girth)])
    let (text, report) = try TestTable.text(of: journal, as: form)
    #expect(report.leftOut == ["measures": 3])
    let other = try TestJournal().open()
    _ = try TestTable.import(text, into: other)
    let found = try other.liveRecords().compactMap { kept -> String? in
      guard case .measure(let measure) = kept.record else { return nil }
      return measure.number == nil ? measure.text : nil
    }
    #expect(Set(found) == Set(Self.texts).subtracting(["12", "-7"]))
    for target in [journal, other] {
      var options = ImportOptions()
      for updates in [false, true] {
        options.updates = updates
        let (rows, summary) = try TestTable.import(text, into: target, options)
        #expect(rows.map(\.outcome) == [.same] && summary.batch == nil, "\(rows)")
      }
    }
  }

  @Test func zerosBeforeANumberAreNotDropped() throws {
    #expect(try MeasureType.parse("x-tag=0012").text == "0012")
    #expect(try MeasureType.parse("x-tag=0").number == 0)
    #expect(try MeasureType.parse("x-tag=-12").number == -12)
    let journal = try TestJournal().open()
    let map = ["name=name", "tag=x-tag", "=date=2020"]
    _ = try TestTable.import("name,tag\nAcer,0012\nMalus,12\n", map, into: journal)
    let found = try journal.liveRecords().compactMap { kept -> String? in
      guard case .measure(let measure) = kept.record else { return nil }
      return measure.text ?? measure.number.map { "number \($0)" }
    }
    #expect(found == ["0012", "number 12"])
  }
}
