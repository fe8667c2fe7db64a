import STOLData
import Testing

@testable import STOLJournal

@Suite("Something that was seen, entered at once")
struct CaptureTests {
  private func capture(_ name: String, _ taxon: TaxonReference?) throws -> Capture {
    Capture(
      reading: NameReading(
        verbatimName: name, taxon: taxon, qualifier: "cf.", cultivar: nil, status: "exact",
        reason: "", suggestions: []),
      time: try LocalTime("2026-03-15"))
  }

  @Test func itsRecordsSayWhatItSays() throws {
    let journal = try TestJournal().open()
    var capture = try capture("panthera  LEO", taxon(8, "Panthera leo"))
    capture.utcOffsetMin = 180
    capture.position = Position(latitudeE7: -15_000_000, longitudeE7: 362_500_000, uncertaintyM: 4)
    capture.count = 2
    capture.tags = ["dry"]
    capture.collection = JournalCollection(name: "Mara")
    capture.note = "Two cubs"
    try journal.save(capture.records)
    let seen = try #require(try journal.sightings(SightingQuery()).sightings.first)
    #expect(seen.occurrence == capture.id && seen.verbatimName == "panthera  LEO")
    #expect(seen.taxon == capture.reading.taxon && seen.position == capture.position)
    #expect(seen.time == capture.time && seen.count == 2 && seen.isPresent)
    guard case .event(let event)? = try journal.record(seen.event)?.record,
      case .occurrence(let occurrence)? = try journal.record(capture.id)?.record
    else {
      Issue.record("no event or occurrence")
      return
    }
    #expect(event.kind == .visit && event.utcOffsetMin == 180)
    #expect(occurrence.countKind == .exact && occurrence.tags == ["dry"])
    #expect(try journal.collections().map(\.name) == ["Mara"])
    #expect(try journal.collections().map(\.id) == occurrence.collections.map { $0 })
    #expect(try journal.search("cubs").hits.map(\.id) == [capture.id])
    #expect(try journal.check() == [])
  }

  @Test func enteredAgainItIsTheSame() throws {
    let journal = try TestJournal().open()
    var first = try capture("oak", nil)
    first.note = "old"
    #expect(try journal.save(first.records).batch != nil)
    #expect(try journal.save(first.records).batch == nil)
    let other = try capture("oak", nil)
    #expect(try journal.save(other.records).results.allSatisfy { $0 == .new })
    // No count is no kind of count.
    for record in other.records { try record.validate() }
    #expect(other.records.map(\.kind) == [.event, .occurrence, .identification])
  }
}
