import Testing

@testable import STOLJournal

@Suite("Losses of many records")
struct LossCounterTests {
  @Test(arguments: [UInt64(1), 2, 3])
  func lossesThatAreCountedByShapeAreThoseOfEachRecord(seed: UInt64) throws {
    var maker = RandomRecords(seed: seed)
    let held: Set<String> = ["id", "recordKind", "name", "position.latitudeE7", "taxon.name"]
    var (each, together, counter) = (ExportReport(), ExportReport(), LossCounter(but: held))
    for _ in 0..<3000 {
      guard let record = try maker.next() else { continue }
      try each.loseAll(of: record, but: held)
      try counter.add(record)
    }
    counter.add(to: &together)
    #expect(each == together && !each.losses.isEmpty)
  }
}
