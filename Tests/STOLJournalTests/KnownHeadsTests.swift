import TestSupport
import Testing

@testable import STOLJournal

@Suite("Rows of records that are known")
struct KnownHeadsTests {
  /// What was added may be there; of others hardly one seems to be.
  @Test func noneThatIsThereIsDenied() {
    var generator = SeededGenerator(seed: 7)
    func ids() -> [JournalID] {
      (0..<200_000).map { number in
        let id = JournalID(milliseconds: Int64(number / 64), using: &generator)
        return number % 3 == 0 ? id : id.derived("event")
      }
    }
    var possible = PossibleIDs()
    let known = ids()
    for id in known { possible.insert(id) }
    #expect(known.allSatisfy(possible.mayContain))
    #expect(ids().filter(possible.mayContain).count < 20)
  }

  /// Records that are looked for, added and removed by the thousand, against the file.
  @Test(arguments: [0, 50])
  func headsAreThoseOfTheFile(storedCount: Int) throws {
    let journal = try TestJournal().open()
    var generator = SeededGenerator(seed: UInt64(storedCount))
    func place() -> Place {
      Place(
        id: JournalID(milliseconds: 1, using: &generator).derived("place"), kind: .site, name: "a")
    }
    var ids: [JournalID] = []
    let stored = (0..<storedCount).map { _ in place() }
    ids += stored.map(\.id)
    try journal.save(stored.map { .place($0) })
    try journal.change("save") { writer in
      for number in 0..<6_000 {
        let new = place()
        #expect(try writer.head(new.id) == nil)
        if number % 2 == 0 {
          let id = try writer.add(new.id, .place)
          try writer.write(.place(new), id: id)
          ids.append(new.id)
        }
        guard number % 5 == 0, let id = ids.randomElement(using: &generator) else { continue }
        let (head, wanted) = (try writer.head(id), try writer.reader.head(id))
        #expect(head?.id == wanted?.id && head?.deletedMs == wanted?.deletedMs)
        if let head, number % 10 == 0 { try writer.remove(head) }
      }
    }
  }
}
