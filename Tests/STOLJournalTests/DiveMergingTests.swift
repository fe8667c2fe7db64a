import Testing

@testable import STOLJournal

@Suite("What files do not say of dives")
struct DiveMergingTests {
  /// What a file does not say of a dive and of its site stays, as all that it does not say.
  @Test func whatAFileDoesNotSayOfADiveStays() throws {
    let journal = try TestJournal().open()
    var event = Event(kind: .dive, start: try LocalTime("2020-03-15T09:44"))
    var log = Dive()
    (log.suit, log.mode, log.visibilityCm) = ("5 mm", .openCircuit, 900)
    (log.maxDepthMm, log.tanks) = (22_000, [Dive.Tank()])
    var (place, site) = (Place(kind: .site, name: "Blue Corner"), DiveSite())
    (site.kind, site.season) = (.wall, "May")
    (event.dive, event.place, place.diveSite) = (log, place.id, site)
    try journal.save([.event(event), .place(place)])
    var (said, saidPlace) = (Event(id: event.id, kind: .dive, start: event.start), place)
    var (saidLog, saidSite) = (Dive(), DiveSite())
    (saidLog.maxDepthMm, saidSite.difficulty) = (23_000, 4)
    (said.dive, saidPlace.diveSite) = (saidLog, saidSite)
    var options = ImportOptions()
    options.updates = true
    let lines = try [JournalRecord.event(said), .place(saidPlace)].map {
      try JournalLines.line(of: $0)
    }
    let reader = JournalLinesReader(ByteChunks(Array(lines.joined(separator: "\n").utf8)))
    #expect(try journal.importing(reader, options).updatedRecordCount == 2)
    (log.maxDepthMm, site.difficulty) = (23_000, 4)
    (event.dive, place.diveSite) = (log, site)
    let records = try journal.liveRecords().map(\.record)
    #expect(Set(records) == [.event(event), .place(place)], "\(records)")
  }
}
