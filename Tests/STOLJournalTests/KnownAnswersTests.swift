import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Numbers that are counted once for each state of a journal")
struct KnownAnswersTests {
  /// What one reader says of all.
  private struct Said: Equatable {
    let figures: KeyFigures
    let life: [LifeEntry]
    let statistics: JournalStatistics

    init(_ journal: JournalFile, _ pack: Pack) throws {
      figures = try journal.keyFigures()
      life = try journal.lifeList(SightingQuery(), in: pack)
      statistics = try journal.statistics(in: pack)
    }
  }

  private func reference(_ name: String, _ pack: Pack) throws -> TaxonReference {
    let view = pack.view
    let found = view.resolve(name).taxon
    let stated = found.flatMap { view.reference(to: $0) }
    return try #require(stated)
  }

  @Test(arguments: 0..<Sweep.count(few: 4, full: 200), [false, true])
  func theyAreThoseOfTheStateThatIsRead(seed: Int, readsBeside: Bool) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let folder = try TemporaryFolder()
    let space = "INSERT INTO dataset VALUES ('id_space', 'cats');"
    let packs = try [space, ""].map { more in
      try Pack(
        path: try Taxonomy.compile(Taxonomy.cats + more, in: folder, "taxa\(more.count)"))
    }
    let home = try TestJournal()
    // One changes it and asks, one asks alone, and one has never asked before.
    let (writer, reader) = (
      try home.open(readsBeside: readsBeside), try home.open(readsBeside: readsBeside)
    )
    var events: [JournalID] = []
    for _ in 0..<30 {
      switch Int.random(in: 0..<5, using: &generator) {
      case 0 where !events.isEmpty:
        let index = Int.random(in: events.indices, using: &generator)
        try writer.delete(events.remove(at: index))
      case 1 where !events.isEmpty:
        // Where all was undone, nothing is left.
        _ = try? writer.undo()
        events = try writer.sightings(SightingQuery()).sightings.map(\.event)
      default:
        let kind: Event.Kind = Bool.random(using: &generator) ? .dive : .visit
        let day = Int.random(in: 1...28, using: &generator)
        let event = Event(kind: kind, start: try LocalTime(day < 10 ? "2026-03" : "2025-02-\(day)"))
        let occurrence = Occurrence(event: event.id)
        let name =
          ["Panthera leo", "Panthera tigris", "Felidae"].randomElement(using: &generator) ?? ""
        let identification = Identification(
          occurrence: occurrence.id, verbatimName: name, taxon: try reference(name, packs[0]),
          match: .exact)
        try writer.save([.event(event), .occurrence(occurrence), .identification(identification)])
        events.append(event.id)
      }
      let pack = packs[Int.random(in: 0...1, using: &generator)]
      let truth = try Said(try home.open(), pack)
      #expect(try Said(writer, pack) == truth)
      #expect(try Said(reader, pack) == truth)
      #expect(try Said(reader, pack) == truth)
    }
  }
}
