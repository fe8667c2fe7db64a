import STOLMedia
import TestSupport
import Testing

@testable import STOLJournal

/// What exports find in the file record by record, against the same found among all records in memory.
@Suite("Records that are looked up")
struct RecordJoinTests {
  private static let dataset = Result {
    try DatasetDescription(licence: .by, creator: "Ada B. Lark")
  }

  /// Expects an archive to be what the oracle says.
  private static func check(_ journal: JournalFile, _ privacy: ExportPrivacy) throws {
    let (bytes, report) = try journal.exported(.dwca, for: privacy)
    let archive = try DarwinCoreFiles(bytes)
    let oracle = try DarwinCoreOracle(
      journal, try journal.sharing(for: privacy), try dataset.get())
    let others: Set<String> = ["meta.xml", "eml.xml"]
    #expect(Set(archive.files.keys).subtracting(others) == Set(oracle.files.map(\.name)))
    for (name, text) in oracle.files { #expect(archive.files[name] == text, "\(name)") }
    #expect(report.written == oracle.report.written)
    #expect(report.losses == oracle.report.losses)
    #expect(report.sharing == oracle.report.sharing)
  }

  @Test(arguments: 0..<Sweep.count(few: 12, full: 500))
  func archivesOfRandomRecordsAreThoseOfAnOracle(seed: Int) throws {
    let journal = try TestJournal().open()
    var maker = RandomRecords(seed: UInt64(seed))
    let records = try (0..<400).compactMap { _ in try maker.next() }
    // Every second one has neither dives nor effort, so that its core is of occurrences.
    let isPlain = seed.isMultiple(of: 2)
    try journal.save(
      records.map { record in
        guard isPlain, case .event(var event) = record else { return record }
        (event.kind, event.dive) = (event.kind == .dive ? .visit : event.kind, nil)
        (event.effortValue, event.effortUnit, event.isCompleteList) = (nil, nil, false)
        return .event(event)
      })
    try Self.check(journal, .exact)
    try Self.check(journal, .shared(try SharingJournals.pack.get()))
  }

  @Test(arguments: 0..<Sweep.count(few: 12, full: 500))
  func archivesForOthersAreThoseOfAnOracle(seed: Int) throws {
    let made = try SharingJournals(seed: UInt64(seed))
    let journal = try TestJournal().open()
    try journal.save(made.records, files: made.files)
    let privacy = ExportPrivacy.shared(try SharingJournals.pack.get())
    try Self.check(journal, privacy)
    // What is deleted is in no archive, nor what is about it.
    var generator = SeededGenerator(seed: UInt64(seed))
    for record in made.records where Int.random(in: 0..<20, using: &generator) == 0 {
      _ = try? journal.delete([record.id])
    }
    try Self.check(journal, .exact)
    try Self.check(journal, privacy)
  }

  /// Records are found with what belongs to them in whatever order they are asked for.
  @Test(arguments: [UInt64(1), 2, 3])
  func whatBelongsToARecordIsThatOfAnOracle(seed: UInt64) throws {
    let journal = try TestJournal().open()
    var maker = RandomRecords(seed: seed)
    try journal.save(try (0..<400).compactMap { _ in try maker.next() })
    let oracle = try OracleIndex(journal, nil, nil, keepsFacts: true)
    try journal.withRecords(of: nil, by: nil) { records in
      var seen: [Occurrence] = []
      try records.forEachOccurrence { found in
        let id = found.occurrence.id
        seen.append(found.occurrence)
        #expect(
          found.names == oracle.identifications(of: id) && found.notes == oracle.notes(on: id))
      }
      #expect(seen == oracle.occurrences)
      for occurrence in seen.reversed() {
        let id = occurrence.id
        #expect(try records.identifications(of: id) == oracle.identifications(of: id))
        #expect(try records.notes(on: id) == oracle.notes(on: id))
        #expect(try records.measures(of: id) == oracle.measures(of: id))
        #expect(try records.photos(of: id) == oracle.photos(of: id))
        #expect(try records.position(of: occurrence) == oracle.position(of: occurrence))
        #expect(try records.event(occurrence.event) == oracle.events[occurrence.event])
      }
      for organism in oracle.organisms {
        #expect(try records.organism(organism.id) == organism)
        let occurrences = try records.occurrences(of: organism.id)
        #expect(occurrences == oracle.occurrences(of: organism.id))
        #expect(
          try records.position(of: organism, seen: occurrences) == oracle.position(of: organism))
      }
      for event in oracle.events.values {
        #expect(
          try records.collectionNames(event.collections)
            == oracle.collectionNames(event.collections))
      }
    }
  }

  @Test func theLastValuesAreKept() {
    var values = RecentValues<Int, Int>(limit: 4)
    var made: [Int] = []
    for key in [1, 2, 1, 3, 4, 1, 5, 6, 7, 8, 9, 10, 1, 10] {
      let value = values.value(of: key) {
        made.append(key)
        return key * 2
      }
      #expect(value == key * 2)
    }
    #expect(made == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1])
  }
}
