import Foundation
import GRDB
import STOLFormats
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Importing much at once")
struct LargeImportTests {
  private static func records(_ seed: UInt64, count: Int = 400) throws -> [JournalRecord] {
    var maker = RandomRecords(seed: seed)
    return try (0..<count).compactMap { number in
      let record = try maker.next()
      // Of two collections with one name an import makes one, and the same note again it leaves out.
      switch record {
      case .collection(let collection):
        return .collection(JournalCollection(id: collection.id, name: "collection \(number)"))
      case .note(var note):
        note.text += " \(number)"
        return .note(note)
      default: return record
      }
    }
  }

  private static func `import`(
    _ records: some Sequence<JournalRecord>, into journal: JournalFile, updates: Bool = false,
    stepCount: Int = 20_000
  ) throws -> ImportSummary {
    let lines = try records.map { try JournalLines.line(of: $0) + "\n" }.joined()
    var options = ImportOptions()
    options.updates = updates
    options.acceptsNullIsland = true
    let summary = try journal.importing(
      JournalLinesReader(ByteChunks(Array(lines.utf8))), options, stepCount: stepCount)
    #expect(summary.rowCounts[.refused] == nil)
    return summary
  }

  /// What all tables hold but the history, without when it was kept.
  private static func timeless(_ home: TestJournal) throws -> String {
    try home.inside { try $0.execute(sql: "UPDATE record SET created_ms = 0, changed_ms = 0") }
    return try home.dump()
  }

  /// An import is the same journal at once, in pieces, with what follows brought up to date once or often, and as
  /// a save.
  @Test(arguments: [UInt64(1), 2, 3, 4])
  func piecesMakeTheSameJournal(seed: UInt64) throws {
    let records = try Self.records(seed)
    let homes = try (0..<4).map { _ in try TestJournal() }
    let journals = try homes.map { try $0.open() }
    let whole = try Self.import(records, into: journals[0])
    #expect(whole.newRecordCount == records.count)
    let half = records.count / 2
    _ = try Self.import(records.prefix(half), into: journals[1])
    _ = try Self.import(records.dropFirst(half), into: journals[1])
    _ = try Self.import(records, into: journals[2], stepCount: 7)
    try journals[3].save(records)
    for journal in journals { #expect(try journal.check() == []) }
    let dumps = try homes.map { try Self.timeless($0) }
    for dump in dumps.dropFirst() { #expect(dump == dumps[0]) }
  }

  /// The same record, later and elsewhere.
  private static func changed(_ record: JournalRecord, _ number: Int) throws -> JournalRecord {
    let position = Position(latitudeE7: number * 1_000, longitudeE7: -number, uncertaintyM: nil)
    switch record {
    case .place(var place):
      place.position = position
      return .place(place)
    case .event(var event):
      event.remarks = "again"
      event.status = .saved
      return .event(event)
    case .organism(var organism):
      organism.position = position
      return .organism(organism)
    case .occurrence(var seen):
      seen.remarks = "again"
      return .occurrence(seen)
    case .photo(var photo):
      photo.caption = "again"
      return .photo(photo)
    case .identification, .note, .measure, .collection, .person: return record
    }
  }

  /// A file that changes what is there and adds to it leaves what a rebuild makes, and is undone as one.
  @Test(arguments: [UInt64(5), 6, 7, 8], [1, 9, 20_000])
  func aMixedImportLeavesWhatFollowsRight(seed: UInt64, stepCount: Int) throws {
    let records = try Self.records(seed)
    let home = try TestJournal()
    let journal = try home.open()
    try journal.save(Array(records.prefix(records.count / 2)))
    let before = try home.dump()
    let mixed = try records.enumerated().map { try Self.changed($1, $0) }
    let summary = try Self.import(mixed, into: journal, updates: true, stepCount: stepCount)
    #expect(summary.newRecordCount > 50 && summary.updatedRecordCount > 20)
    #expect(try journal.check() == [])
    let after = try home.dump()
    try journal.rebuild()
    #expect(try home.dump() == after)
    try journal.undo()
    #expect(try home.dump() == before)
    #expect(try journal.check() == [])
    try journal.undo(batch: try #require(try journal.history().first?.id))
    #expect(try home.dump() == after)
  }

  /// What is read without Foundation is what Foundation reads, or is left to it.
  @Test(arguments: [UInt64(21), 22, 23])
  func aRecordIsWhatFoundationReads(seed: UInt64) throws {
    var mutator = JSONMutator(generator: SeededGenerator(seed: seed &+ 100))
    var (ownCount, sameCount, leftCount) = (0, 0, 0)
    for record in try Self.records(seed, count: 3000) {
      let line = Array(try JournalLines.line(of: record).utf8)
      let node = try JSONScanner.document(line)
      if let own = JournalRecord(node) {
        #expect(own == record)
        ownCount += 1
      }
      let text = mutator.mutated(node, line)
      guard let other = try? JSONScanner.document(Array(text.utf8)) else { continue }
      guard let read = JournalRecord(other) else {
        leftCount += 1
        continue
      }
      try JournalMembers.check(other)
      #expect(
        try JSONDecoder().decode(JournalRecord.self, from: Data(text.utf8)) == read, "\(text)")
      sameCount += 1
    }
    #expect(ownCount > 1000 && sameCount > 100 && leftCount > 100)
  }

  /// A record may be added and changed in one batch.
  @Test func whatIsAddedAndChangedAtOnceIsWhatItWasChangedTo() throws {
    let home = try TestJournal()
    let journal = try home.open()
    var place = Place(kind: .site, name: "Reef")
    (place.locality, place.tags, place.elevationCm) = ("south", ["wet", "deep"], 100)
    let changed = try journal.edit([place.id], adding: [.place(place)]) { record in
      guard case .place(var place) = record else { return record }
      (place.locality, place.tags, place.elevationCm) = (nil, ["wet"], 200)
      return .place(place)
    }
    #expect(try changed.results.map { try $0.get() } == [.updated])
    (place.locality, place.tags, place.elevationCm) = (nil, ["wet"], 200)
    #expect(try journal.record(place.id)?.record == .place(place))
    #expect(try journal.check() == [])
    try journal.undo()
    #expect(try journal.record(place.id) == nil)
  }

  /// Facets that are too many for the memory are compared a part at a time.
  @Test(arguments: [1, 7, 50, 1 << 18])
  func aCheckInPartsFindsTheSame(heldCount: Int) throws {
    let home = try TestJournal()
    let journal = try home.open()
    try journal.save(try Self.records(31))
    func faults() throws -> [String] {
      try journal.read { try DerivedComparison.faults($0, heldCount: heldCount) }
    }
    #expect(try faults() == [])
    let changes = [
      "UPDATE facet_tally SET sighting_count = 99 WHERE facet = 'FACET'",
      "DELETE FROM facet_tally WHERE facet = 'FACET' AND level = 0",
      "INSERT INTO facet_tally VALUES (8, 255, 255, 'FACET', '77', 1)",
      "INSERT INTO facet_tally VALUES (8, 255, 255, 'FACET', '077', 1)",
    ]
    for facet in ["taxon", "year", "month", "kind"] {
      for change in changes {
        try home.inside { try $0.execute(sql: change.replacing("FACET", with: facet)) }
        #expect(try faults().contains { $0.hasPrefix("facet_tally") }, "\(change) \(facet)")
        try journal.rebuild()
      }
    }
  }

  @Test(arguments: [
    ("0192f3a4-5b6c-7d8e-9fab-cdef01234567", true), ("0192F3A45B6C7D8E9FABCDEF01234567", true),
    ("0192f3a4-5b6c-7d8e-9fab-cdef0123456", false), ("0192f3a45b6c7d8e9fabcdef0123456", false),
    ("0192f3a4-5b6c-7d8e-9fab-cdef012345678", false),
    ("0192f3a4-5b6c-7d8e-9fab_cdef01234567", false),
    ("0192f3a4-5b6c-7d8e-9fabcdef-01234567", false),
    ("0192f3a4-5b6c-7d8e-9fab-cdef0123456g", false), ("0192f3a45b6c7d8e9fabcdef012345é", false),
    ("", false),
  ])
  func aUUIDIsReadDigitByDigit(text: String, isOne: Bool) {
    let id = JournalID(text)
    #expect((id != nil) == isOne)
    guard let id else { return }
    #expect(id.description == "0192f3a4-5b6c-7d8e-9fab-cdef01234567")
    #expect(id.bytes.count == 16 && id.bytes.first == 0x01 && id.bytes.last == 0x67)
    #expect(JournalID(bytes: id.bytes) == id)
  }
}
