import GRDB
import STOLData
import Testing

@testable import STOLJournal

@Suite("Deleting in the journal, and undoing it")
struct DeletingTests {
  private let home: TestJournal
  private let journal: JournalFile
  private let walk: Walk

  init() throws {
    home = try TestJournal()
    journal = try home.open()
    walk = try Walk()
    try journal.save(walk.records)
  }

  private func isLive(_ id: JournalID) throws -> Bool {
    try #require(try journal.record(id)).deletedAt == nil
  }

  @Test func anEventTakesItsOccurrencesAlong() throws {
    let before = try home.dump()
    let (batch, deleted) = try journal.delete(walk.event.id)
    #expect(
      Set(deleted) == [
        walk.event.id, walk.oak.id, walk.bird.id, walk.oakName.id, walk.note.id,
      ])
    for id in [walk.place.id, walk.tree.id, walk.orchard.id] { #expect(try isLive(id)) }
    #expect(try journal.keyFigures().sightingCount == 0)
    #expect(try journal.search("acorns").hits.isEmpty)
    #expect(try journal.check() == [])
    #expect(try journal.undo().undone == batch)
    #expect(try home.dump() == before)
    #expect(try journal.check() == [])
  }

  @Test func deletingTwiceChangesNothing() throws {
    try journal.delete(walk.event.id)
    let before = try home.dump()
    #expect(try journal.delete(walk.event.id).batch == nil)
    #expect(try home.dump() == before)
    #expect(throws: JournalError.deleted(id: walk.oak.id)) {
      try journal.save([.occurrence(walk.oak)])
    }
    #expect(throws: JournalError.deleted(id: walk.event.id)) {
      try journal.save([.occurrence(Occurrence(event: walk.event.id))])
    }
    #expect(throws: JournalError.self) { try journal.delete(JournalID()) }
  }

  @Test func aTreeTakesItsOccurrencesAndVisitsOfItsOwnAlong() throws {
    let own = Event(kind: .visit, start: try LocalTime("2026-04-01"))
    var again = Occurrence(event: own.id)
    again.organism = walk.tree.id
    let noted = Event(kind: .visit, start: try LocalTime("2026-04-02"))
    var third = Occurrence(event: noted.id)
    third.organism = walk.tree.id
    let note = Note(target: noted.id, text: "cold")
    try journal.save([
      .event(own), .occurrence(again), .event(noted), .occurrence(third), .note(note),
    ])
    try journal.delete(walk.tree.id)
    for id in [walk.oak.id, again.id, third.id, own.id, walk.girth.id] { #expect(try !isLive(id)) }
    for id in [walk.event.id, walk.bird.id, noted.id, note.id, walk.place.id] {
      #expect(try isLive(id))
    }
    #expect(try journal.check() == [])
  }

  @Test func aPlaceLeavesItsPositionBehind() throws {
    let before = try home.dump()
    var child = Place(kind: .spot, name: "Pond")
    child.parent = walk.place.id
    try journal.save([.place(child)])
    try journal.delete(walk.place.id)
    guard case .event(let event)? = try journal.record(walk.event.id)?.record,
      case .organism(let tree)? = try journal.record(walk.tree.id)?.record,
      case .place(let pond)? = try journal.record(child.id)?.record
    else {
      Issue.record("gone")
      return
    }
    #expect(event.place == nil && event.position == walk.place.position)
    #expect(tree.place == nil && tree.position == walk.place.position)
    #expect(pond.parent == nil)
    #expect(
      try journal.sightings(SightingQuery()).sightings.map(\.position?.uncertaintyM) == [30, 30])
    #expect(try journal.check() == [])
    try journal.undo()
    try journal.undo()
    #expect(try home.dump() == before)
  }

  @Test func whoBeginsACollectionAtOnceBeginsTheSame() throws {
    let home = try TestJournal()
    let journal = try home.open()
    let first = try journal.collection(named: "Orchard")
    #expect(try journal.collection(named: "Orchard") == first)
    #expect(try journal.collection(named: "orchard").id != first.id)
    try journal.save([.collection(first)])
    #expect(try journal.collection(named: "Orchard").id == first.id)
    #expect(try journal.collection(named: "ORCHARD").id == first.id)
    try journal.save([.collection(JournalCollection(id: first.id, name: "Trees"))])
    let second = try journal.collection(named: "Orchard")
    #expect(second.id != first.id)
    try journal.save([.collection(second)])
    try journal.delete(first.id)
    #expect(try journal.collection(named: "Orchard") == second)
    #expect(try journal.collections().map(\.name) == ["Orchard"])
    // Of several of a name none is taken by its place.
    let third = JournalCollection(name: "Orchard")
    try journal.save([.collection(third)])
    let both = [second.id, third.id].sorted { "\($0)" < "\($1)" }
    #expect(throws: JournalError.severalCollections(name: "Orchard", both)) {
      try journal.collection(named: "Orchard")
    }
    try journal.save([.collection(JournalCollection(id: third.id, name: "orchard"))])
    #expect(try journal.collection(named: "orchard").id == third.id)
    #expect(throws: JournalError.severalCollections(name: "oRCHARD", both)) {
      try journal.collection(named: "oRCHARD")
    }
  }

  @Test func aCollectionLeavesItsRecords() throws {
    #expect(try journal.collections().map(\.count) == [1])
    try journal.delete(walk.orchard.id)
    guard case .organism(let tree)? = try journal.record(walk.tree.id)?.record else {
      Issue.record("gone")
      return
    }
    #expect(try isLive(tree.id) && tree.collections.isEmpty)
    #expect(try journal.collections().isEmpty)
    #expect(try journal.check() == [])
  }

  @Test func partsOfATripStay() throws {
    var trip = Event(kind: .trip, start: try LocalTime("2026-03"))
    var walk = walk
    trip.remarks = "Palau"
    walk.event.parent = trip.id
    try journal.save([.event(trip), .event(walk.event)])
    try journal.delete(trip.id)
    #expect(try isLive(walk.event.id))
    #expect(try journal.check() == [])
  }

  @Test func undoingWhatWasAddedRemovesIt() throws {
    let fresh = try TestJournal()
    let empty = try fresh.open()
    let before = try fresh.dump()
    try empty.save(walk.records)
    let (_, by) = try empty.undo()
    #expect(try fresh.dump() == before)
    #expect(try empty.record(walk.oak.id) == nil)
    // An undo is undone too: what was removed comes back under the ids that it had.
    try empty.undo(batch: by)
    for record in walk.records { #expect(try empty.record(record.id)?.record == record) }
    #expect(try empty.check() == [])
    // It can be saved again at once.
    #expect(try empty.save(walk.records).batch == nil)
  }

  @Test func theOrderOfIdentificationsOutlivesAnUndo() throws {
    var names: [Identification] = []
    for number in 1...5 {
      let name = Identification(
        occurrence: walk.bird.id, verbatimName: "name \(number)", taxon: taxon(number, "A b"),
        match: .chosen)
      names.append(name)
      try journal.save([.identification(name)])
    }
    try journal.delete(walk.event.id)
    let (_, by) = try journal.undo()
    try journal.undo(batch: by)
    try journal.undo()
    let parts = try journal.parts(of: walk.bird.id).map(\.record)
    #expect(parts == names.map { .identification($0) })
    #expect(try journal.check() == [])
  }

  @Test func undoGoesBackStepByStepUnlessSomethingWasChangedSince() throws {
    var walk = walk
    walk.event.weather = "rain"
    let second = try #require(try journal.save([.event(walk.event)]).batch)
    walk.event.weather = "hail"
    let third = try #require(try journal.save([.event(walk.event)]).batch)
    #expect(
      throws: JournalError.changedSince(batch: second, later: third, id: walk.event.id)
    ) {
      try journal.undo(batch: second)
    }
    let (_, fourth) = try journal.undo()
    #expect(throws: JournalError.alreadyUndone(batch: third, by: fourth)) {
      try journal.undo(batch: third)
    }
    // The third and the fourth leave nothing.
    let fifth = try journal.undo(batch: second).by
    #expect(try journal.record(walk.event.id)?.record == .event(self.walk.event))
    // But to have the third again would bring back the second, which is undone.
    #expect(throws: JournalError.changedSince(batch: fourth, later: fifth, id: walk.event.id)) {
      try journal.undo(batch: fourth)
    }
    #expect(try journal.history().map(\.isUndone) == [false, false, true, true, false])
    #expect(throws: JournalError.unknownBatch(99)) { try journal.undo(batch: 99) }
    try journal.undo()
    #expect(throws: JournalError.nothingToUndo) { try journal.undo() }
    #expect(try journal.check() == [])
  }

  @Test func whatOthersReferToIsNotUndone() throws {
    let first = try #require(try journal.history().last?.id)
    let before = try home.dump()
    for record: JournalRecord in [
      .occurrence(Occurrence(event: walk.event.id)),
      .identification(Identification(occurrence: walk.bird.id, verbatimName: "b")),
      .note(Note(target: walk.place.id, text: "n")),
    ] {
      try journal.save([record])
      let saved = try home.dump()
      #expect(throws: JournalError.inUse(batch: first)) { try journal.undo(batch: first) }
      #expect(try home.dump() == saved)
      try journal.undo()
    }
    var other = Organism()
    other.collections = [walk.orchard.id]
    try journal.save([.organism(other)])
    #expect(throws: JournalError.inUse(batch: first)) { try journal.undo(batch: first) }
    try journal.undo()
    #expect(try home.dump() == before)
  }

  @Test func whatGotNewPartsSinceIsNotDeletedAgain() throws {
    try journal.delete(walk.event.id)
    let (_, by) = try journal.undo()
    try journal.save([.occurrence(Occurrence(event: walk.event.id))])
    let before = try home.dump()
    #expect(throws: JournalError.inUse(batch: by)) { try journal.undo(batch: by) }
    #expect(try home.dump() == before)
    #expect(try journal.check() == [])
  }

  @Test func nothingIsPutBackAtAPlaceThatIsDeleted() throws {
    var walk = walk
    walk.event.place = nil
    walk.tree.place = nil
    let batch = try journal.save([.event(walk.event), .organism(walk.tree)]).batch
    try journal.delete(walk.place.id)
    #expect(throws: JournalError.deleted(id: walk.place.id)) { try journal.undo(batch: batch) }
    #expect(try journal.check() == [])
  }

  @Test func theHistoryIsHeldToItsBytes() throws {
    try journal.save([.place(Place(kind: .spot, name: "A"))])
    home.time.pass(days: 2)
    try home.inside {
      // Fewer letters than the limit has bytes, but more bytes.
      try $0.execute(
        sql: """
          WITH RECURSIVE piece(number) AS (
            SELECT 1 UNION ALL SELECT number + 1 FROM piece WHERE number < 68)
          INSERT INTO revision SELECT 1, CAST(printf('%016d', number) AS BLOB), 'place',
            replace(hex(zeroblob(250000)), '0', 'é') FROM piece;
          UPDATE batch SET byte_count = 68 * 1000000 WHERE id = 1;
          UPDATE sqlite_sequence SET seq = 254 WHERE name = 'batch'
          """)
    }
    try journal.save([.place(Place(kind: .spot, name: "B"))])
    #expect(try journal.history().map(\.id) == [255, 2, 1])
    try journal.save([.place(Place(kind: .spot, name: "C"))])
    #expect(try journal.history().map(\.id) == [256, 255, 2])
  }

  /// Bytes and not letters, and each text that was kept once.
  @Test func aBatchCountsTheBytesThatItKeeps() throws {
    var place = Place(kind: .spot, name: "Höhle")
    try journal.save([.place(place)])
    place.locality = "Übersee"
    try journal.save([.place(place)])
    _ = try journal.edit([place.id, place.id]) { record in
      guard case .place(var place) = record else { return record }
      place.name += "é"
      return .place(place)
    }
    try journal.undo()
    try journal.delete(place.id)
    #expect(try journal.check() == [])
    let (counts, texts) = try home.inside { database in
      (
        try Int.fetchAll(database, sql: "SELECT byte_count FROM batch ORDER BY id"),
        try String.fetchAll(
          database,
          sql: "SELECT ifnull(before, '') FROM revision WHERE batch_id > 1 ORDER BY batch_id")
      )
    }
    #expect(counts == [0] + texts.map(\.utf8.count))
    #expect(texts.contains { $0.utf8.count > $0.count })
  }

  @Test func ninetyDaysCanBeUndone() throws {
    home.time.pass(days: 60)
    try journal.save([.place(Place(kind: .spot, name: "A"))])
    home.time.pass(days: 31)
    try journal.save([.place(Place(kind: .spot, name: "B"))])
    #expect(try journal.history().map(\.id) == [3, 2])
    home.time.pass(days: 365)
    // The last one stays.
    #expect(try journal.history().map(\.id) == [3, 2])
    try journal.undo()
    #expect(try journal.history().map(\.what) == ["undo"])
  }
}
