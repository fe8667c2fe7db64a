import STOLData
import STOLPack
import Testing

@testable import STOLJournal

@Suite("The made-up journal")
struct DemoTests {
  private static let pack = Result { try BundledDatabase.open() }

  @Test func itIsWholeAndAddedButOnce() throws {
    let home = try TestJournal()
    let journal = try home.open()
    let records = try DemoJournal.records(in: Self.pack.get())
    #expect(try !journal.hasLiveRecords(but: []))
    try journal.save(records, as: .import)
    #expect(try journal.check() == [])
    #expect(try !journal.hasLiveRecords(but: Set(records.map(\.id))))
    #expect(try journal.hasLiveRecords(but: Set(records.dropFirst().map(\.id))))
    let again = try journal.save(
      try DemoJournal.records(in: Self.pack.get()), as: .import)
    #expect(again.batch == nil)
    #expect(again.results.allSatisfy { $0 == .same })
    let figures = try journal.keyFigures()
    #expect(figures.organismCount == 6 && figures.diveCount == 4)
    #expect(figures.maxDepthMm == 31_000)
    #expect(
      try journal.places(
        {
          var query = PlaceQuery()
          query.state = .wishlist
          return query
        }()
      ).places.map(\.name) == ["Old Anchor"])
  }

  @Test func itsNamesAreThoseOfTheBuiltInTaxonomyButForOneToDecide() throws {
    let home = try TestJournal()
    let journal = try home.open()
    try journal.save(try DemoJournal.records(in: Self.pack.get()))
    #expect(try journal.openNames().map(\.verbatimName) == ["Coccinela septempunctata"])
    let life = try journal.lifeList(SightingQuery(), in: Self.pack.get())
    #expect(life.allSatisfy { $0.outcome == "same" })
    let names = Set(life.compactMap(\.currentName))
    #expect(names.isSuperset(of: ["Malus domestica", "Osmia", "Chelonia mydas"]))
    // What was looked for and not seen is on no list, and what was seen once is.
    #expect(life.first { $0.currentName == "Pterois volitans" }?.sightingCount == 1)
  }
}
