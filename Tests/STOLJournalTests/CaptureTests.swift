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

  /// What is entered again under a UUID changes what is said, and nothing else.
  @Test func whatIsNotSaidAgainStays() throws {
    let journal = try TestJournal().open()
    let reading = NameReading(
      verbatimName: "Old oak", taxon: nil, qualifier: nil, cultivar: nil, status: "not_found",
      reason: "no name that is known is like it", suggestions: [])
    func live(_ id: JournalID) throws -> JournalRecord? {
      try journal.record(id).flatMap { $0.deletedAt == nil ? $0.record : nil }
    }
    var first = Capture(reading: reading, time: try LocalTime("2026-03-04T10:30"))
    (first.count, first.tags, first.utcOffsetMin) = (3, ["old"], 60)
    first.position = Position(latitudeE7: 5, longitudeE7: 7, uncertaintyM: 4)
    first.collection = JournalCollection(name: "Orchard")
    try journal.save(first.records(isTimed: true, over: live))
    let before = try first.records.compactMap { try live($0.id) }
    #expect(before == first.records)
    let second = Capture(id: first.id, reading: reading, time: try LocalTime("2026-05-05"))
    let outcome = try journal.save(try second.records(isTimed: false, over: live))
    #expect(outcome.batch == nil && outcome.results.allSatisfy { $0 == .same })
    var third = second
    (third.count, third.tags) = (0, ["new"])
    try journal.save(try third.records(isTimed: true, over: live))
    guard case .occurrence(let seen)? = try live(first.id),
      case .event(let visit)? = try live(seen.event)
    else {
      Issue.record("no occurrence")
      return
    }
    #expect(seen.presence == .absent && seen.count == 0 && seen.countKind == nil)
    #expect(seen.tags == ["new"] && seen.collections.count == 1)
    #expect(visit.start.text == "2026-05-05" && visit.utcOffsetMin == 60)
    #expect(visit.position == first.position)
    #expect(try journal.check() == [])
  }
}
