import Dispatch
import Foundation
import STOLData
import STOLPack
import STOLSystem
import TestSupport
import Testing

@testable import STOLJournal

@Suite("The journal as a service")
struct ServiceTests {
  /// The database that comes with stol.
  private struct Bundled: SnapshotSource {
    let database: DatabaseSnapshot

    init(_ home: TestJournal) throws { database = try DatabaseSnapshot(in: home.directory) }

    func snapshot() -> DatabaseSnapshot { database }
  }

  static func service(_ home: TestJournal) throws -> LocalJournal {
    LocalJournal(try home.open(readsBeside: true), try Bundled(home))
  }

  /// The first elements of a stream; fewer, where they do not come for half a minute.
  private static func first<Element: Sendable>(
    _ count: Int, of stream: AsyncStream<Element>
  ) async -> [Element] {
    let found = Locked<[Element]>([])
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await element in stream {
          let isEnough = found.withLock { found in
            found.append(element)
            return found.count == count
          }
          if isEnough { break }
        }
      }
      group.addTask { try? await Task.sleep(for: .seconds(30)) }
      await group.next()
      group.cancelAll()
    }
    return found.withLock { $0 }
  }

  // MARK: - Reading and changing

  @Test func itAnswersAsTheFileDoes() async throws {
    let home = try TestJournal()
    let journal = try Self.service(home)
    let walk = try Walk()
    let saved = try await journal.save(walk.records)
    #expect(saved.results.allSatisfy { $0 == .new })
    #expect(try await journal.save(walk.records).batch == nil)
    let file = try home.open()
    #expect(try await journal.record(walk.oak.id) == file.record(walk.oak.id))
    #expect(try await journal.record(JournalID()) == nil)
    let places = try await journal.places(PlaceQuery())
    #expect(places.places.map(\.id) == [walk.place.id] && !places.isCut)
    #expect(try await journal.map(of: PlaceQuery()) == file.map(of: PlaceQuery()))
    let sightings = try await journal.sightings(SightingQuery())
    #expect(try sightings.sightings == file.sightings(SightingQuery()).sightings)
    #expect(sightings.sightings.count == 2 && sightings.next == nil)
    #expect(try await journal.map(of: SightingQuery()) == file.map(of: SightingQuery()))
    let pack = try Bundled(home).pack
    #expect(
      try await journal.facets(of: SightingQuery()) == file.facets(of: SightingQuery(), in: pack))
    #expect(try await journal.lifeList() == file.lifeList(SightingQuery(), in: pack))
    #expect(try await journal.lifeList().map(\.taxon.name) == ["Quercus robur"])
    #expect(try await journal.reading(of: "quercus robur").taxon?.name == "Quercus robur")

    let deletion = try await journal.delete(walk.event.id)
    #expect(Set(deletion.deleted).isSuperset(of: [walk.oak.id, walk.bird.id]))
    #expect(try await journal.delete(walk.event.id).batch == nil)
    let batch = try #require(deletion.batch)
    #expect(try await journal.sightings(SightingQuery()).sightings.isEmpty)
    #expect(try await journal.undo(batch: batch) > batch)
    #expect(try await journal.sightings(SightingQuery()) == sightings)
    await #expect(throws: JournalError.unknown(id: JournalID(hashing: [1]), needed: "record")) {
      try await journal.delete(JournalID(hashing: [1]))
    }
    #expect(try file.check() == [])
  }

  /// Within a change everything is as it was before; where reading waited for it, this would end the process.
  @Test func readingWaitsForNoChange() throws {
    let home = try TestJournal()
    let file = try home.open(readsBeside: true)
    var walk = try Walk()
    try file.save(walk.records)
    walk.place.name = "Oak Wood"
    try file.change("save") { writer in
      let head = try #require(try writer.reader.head(walk.place.id))
      #expect(try writer.replace(head, with: .place(walk.place)))
      #expect(try file.places(PlaceQuery()).places.map(\.name) == ["Beech Wood"])
    }
    #expect(try file.places(PlaceQuery()).places.map(\.name) == ["Oak Wood"])
    #expect(try file.check() == [])
    withExtendedLifetime(home) {}
  }

  /// Another process holds the lock for as long as it likes.
  @Test func readingWaitsForNoOtherProcess() async throws {
    let home = try TestJournal()
    let journal = try Self.service(home)
    let walk = try Walk()
    try await journal.save(walk.records)
    let lock = try FolderLock(path: home.directory.journal) {}
    defer { _ = lock }
    #expect(try await journal.sightings(SightingQuery()).sightings.count == 2)
    #expect(try await journal.lifeList().count == 1)
    withExtendedLifetime(home) {}
  }

  @Test func whatIsReadAtOnceIsOneState() async throws {
    let home = try TestJournal()
    let journal = try Self.service(home)
    let walk = try Walk()
    try await journal.save(walk.records)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<20 {
          let deletion = try await journal.delete(walk.event.id)
          if let batch = deletion.batch { try await journal.undo(batch: batch) }
        }
      }
      for _ in 0..<6 {
        group.addTask {
          for _ in 0..<20 {
            // Both of the walk's, or none.
            let count = try await journal.sightings(SightingQuery()).sightings.count
            #expect(count == 2 || count == 0)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try home.open().check() == [])
  }

  @Test func anotherFileOfTheNameIsRead() async throws {
    let home = try TestJournal()
    let journal = try Self.service(home)
    var walk = try Walk()
    try await journal.save(walk.records)
    #expect(try await journal.lifeList().map(\.taxon.name) == ["Quercus robur"])
    let other = try TestJournal()
    walk.oakName.taxon = taxon(14, "Quercus petraea")
    try other.open().save(walk.records)
    let news = journal.changes
    for ending in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: home.path + ending)
    }
    try FileManager.default.copyItem(atPath: other.path, toPath: home.path)
    #expect(try await journal.lifeList().map(\.taxon.name) == ["Quercus petraea"])
    #expect(await Self.first(1, of: news) == [.unknown])
    withExtendedLifetime((home, other)) {}
  }

  @Test func whatIsCancelledBeforeItBeginsDoesNothing() async throws {
    let home = try TestJournal()
    let journal = try Self.service(home)
    let records = try Walk().records
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await journal.save(records)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try home.open().history() == [])
  }

  // MARK: - Changes

  /// The records of each change are those that the history tells of.
  private static func expect(_ changes: [JournalChange], areThoseOf file: JournalFile) throws {
    let history = Dictionary(uniqueKeysWithValues: try file.history().map { ($0.id, $0) })
    for change in changes {
      let batch = try #require(change.batch.flatMap { history[$0] })
      let records = try #require(change.records)
      #expect(batch.what == change.what && records.values.joined().count == batch.recordCount)
      for (kind, ids) in records {
        for id in ids {
          #expect(try file.history(of: id).map(\.id).contains(batch.id))
          if let kept = try file.record(id) { #expect(kept.record.kind == kind) }
        }
      }
    }
  }

  @Test func everyListenerIsToldOfWhatIsChangedFromThenOn() async throws {
    let home = try TestJournal()
    let journal = try Self.service(home)
    let walk = try Walk()
    try await journal.save([.place(walk.place)])
    let first = journal.changes
    let saved = try await journal.save(walk.records)
    let second = journal.changes
    let deletion = try await journal.delete(walk.bird.id)
    let undo = try await journal.undo(batch: try #require(deletion.batch))
    let all = await Self.first(3, of: first)
    #expect(all.map(\.batch) == [saved.batch, deletion.batch, undo])
    #expect(all.map(\.what) == ["save", "delete", "undo"])
    #expect(all[1].records == [.occurrence: [walk.bird.id]])
    try Self.expect(all, areThoseOf: home.open())
    #expect(await Self.first(2, of: second) == Array(all.dropFirst()))
    withExtendedLifetime(home) {}
  }

  @Test func whatAnotherProcessChangesIsTold() async throws {
    let home = try TestJournal()
    let journal = try Self.service(home)
    let changes = journal.changes
    let writer = try ChildProcess(
      builtProgram("JournalWriter"), [home.directory.journal, "1", "0", "5"],
      output: .nullDevice)
    let told = await Self.first(5, of: changes)
    #expect(writer.waitUnlessItHangs() == .status(0))
    #expect(told.map(\.what) == ["save", "save", "save", "delete", "undo"])
    try Self.expect(told, areThoseOf: home.open())
  }

  @Test func nothingIsAskedWhileNobodyListens() async throws {
    let home = try TestJournal()
    let journal = try Self.service(home)
    #expect(!journal.isWatching)
    let task = Task { for await _ in journal.changes {} }
    for _ in 0..<10_000 where !journal.isWatching { try await Task.sleep(for: .milliseconds(1)) }
    #expect(journal.isWatching)
    var other: AsyncStream<JournalChange>? = journal.changes
    task.cancel()
    await task.value
    #expect(journal.isWatching && other != nil)
    other = nil
    #expect(!journal.isWatching)
    try await journal.save(try Walk().records)
    #expect(!journal.isWatching)
    withExtendedLifetime(home) {}
  }

  /// What is purged, or is too much to name, may be anything.
  @Test func whatTheHistoryDoesNotTellMayBeAnything() throws {
    let home = try TestJournal()
    let (file, other) = (try home.open(), try home.open())
    let begun = try #require(try file.changes(since: nil))
    #expect(begun.changes == [])
    let unchanged = try #require(try file.changes(since: begun.seen))
    #expect(unchanged.changes == [] && unchanged.seen == begun.seen)
    try other.save(try Walk().records)
    let saved = try #require(try file.changes(since: begun.seen))
    #expect(saved.changes.map(\.what) == ["save"])
    try other.purge()
    let purged = try #require(try file.changes(since: saved.seen))
    #expect(purged.changes == [])
    #expect(try file.changes(since: begun.seen)?.changes == [.unknown])
    try other.save((0..<3).map { .person(Person(name: "P\($0)")) })
    for (limit, isNamed) in [(2, false), (3, true)] {
      let last = try #require(try file.changes(since: purged.seen, recordLimit: limit)).changes
      #expect(last.count == 1 && last[0].batch != nil && (last[0].records != nil) == isNamed)
    }
    withExtendedLifetime(home) {}
  }

  // MARK: - Files

  private static let table = """
    id,species,lat,lon,date
    1,Quercus robur,42.1,-76.1,2019-05-01
    2,Nothing known,42.2,-76.2,2019-05-02
    3,Quercus robur,142.3,-76.3,2019-05-03
    4,Cervus elaphus,42.4,-76.4,2019-05-04

    """
  private static let columns = [
    "=source=test", "id=id", "species=name", "lat=latitude", "lon=longitude", "date=date",
  ]

  @Test func anImportTellsOfEachRow() async throws {
    let (home, other) = (try TestJournal(), try TestJournal())
    let journal = try Self.service(home)
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.table.utf8, to: "trees.csv")
    var events: [ImportEvent] = []
    for try await event in journal.importing(ImportSource(path: path, columns: Self.columns)) {
      events.append(event)
    }
    let (rows, summary) = try TestTable.import(
      Self.table, Self.columns, into: other.open(), looksUpNames: true)
    #expect(rows.map(\.outcome) == [.new, .new, .refused, .new])
    #expect(
      events == [.began(.csv, unread: [])] + rows.map { .row($0) } + [.finished(summary)])
    #expect(try home.dump() == other.dump())
    let batch = try #require(summary.batch)
    try await journal.undo(batch: batch)
    #expect(try await journal.sightings(SightingQuery()).sightings.isEmpty)
    withExtendedLifetime(home) {}
  }

  @Test func whatIsNoFileEndsTheStream() async throws {
    let home = try TestJournal()
    let journal = try Self.service(home)
    let folder = try TemporaryFolder()
    let image = try folder.write([0xFF, 0xD8, 0xFF, 0xE0], to: "oak.jpg")
    await #expect(throws: UnreadFile.self) {
      for try await _ in journal.importing(ImportSource(path: image)) {}
    }
    let path = try folder.write(Self.table.utf8, to: "trees.csv")
    await #expect(throws: JournalError.self) {
      for try await _ in journal.importing(ImportSource(path: path, columns: ["a=nothing"])) {}
    }
    var options = ImportOptions()
    options.isStrict = true
    await #expect(throws: ImportRefusal.self) {
      let source = ImportSource(path: path, columns: Self.columns)
      for try await _ in journal.importing(source, options) {}
    }
    #expect(try await journal.sightings(SightingQuery()).sightings.isEmpty)
    withExtendedLifetime(home) {}
  }

  /// Rows that come until a number of them is there, and then only once somebody lets them.
  private final class HeldReader: ImportReader {
    private let reader: any ImportReader
    private var count: Int
    private let goesOn: DispatchSemaphore

    init(_ reader: any ImportReader, after count: Int, _ goesOn: DispatchSemaphore) {
      (self.reader, self.count, self.goesOn) = (reader, count, goesOn)
    }

    func next() throws -> Result<ImportRow, ImportRefusal>? {
      if count == 0 { goesOn.wait() }
      count -= 1
      return try reader.next()
    }
  }

  /// Cancelled by the task, or no longer listened to; the last time all rows have been read, but not the end.
  @Test(arguments: [0, 1, 3, 4], [true, false])
  func aCancelledImportKeepsNothing(rowCount: Int, byTask: Bool) async throws {
    let home = try TestJournal()
    let journal = try Self.service(home)
    try await journal.save(try Walk().records)
    let before = try home.dump()
    let goesOn = DispatchSemaphore(value: 0)
    let told = Locked(0)
    let task = Task {
      let stream = journal.importing(ImportOptions()) {
        let reader = try TestTable.reader(Self.table, Self.columns)
        return OpenImport(
          format: .csv, unread: [], reader: HeldReader(reader, after: rowCount, goesOn))
      }
      for try await event in stream {
        let count = told.withLock { told in
          told += 1
          return told
        }
        if case .finished = event { Issue.record("It was kept.") }
        if count == rowCount + 1, !byTask { break }
      }
    }
    if byTask {
      for _ in 0..<30_000 where told.withLock({ $0 }) <= rowCount {
        try await Task.sleep(for: .milliseconds(1))
      }
      task.cancel()
    }
    try await task.value
    goesOn.signal()
    // Changes come one after another.
    await #expect(throws: JournalError.unknownBatch(0)) { try await journal.undo(batch: 0) }
    #expect(told.withLock { $0 } == rowCount + 1)
    #expect(try home.dump() == before)
    #expect(try home.open().history().count == 1)
  }

  @Test(arguments: ExportFormat.allCases, [false, true])
  func anExportIsThatOfTheFile(format: ExportFormat, isExact: Bool) async throws {
    let home = try TestJournal()
    let journal = try Self.service(home)
    var walk = try Walk()
    walk.bird.privacy = .obscured
    try await journal.save(walk.records)
    let folder = try TemporaryFolder()
    let path = folder("walk.\(format.fileExtension)")
    guard isExact || format != .archive else {
      // It has everything, which is not for others.
      await #expect(throws: JournalError.self) { try await journal.export(as: format, to: path) }
      #expect(!FileManager.default.fileExists(atPath: path))
      return
    }
    if format == .dwca {
      // Nobody has said whose it is.
      await #expect(throws: JournalError.self) { try await journal.export(as: format, to: path) }
      #expect(!FileManager.default.fileExists(atPath: path))
    }
    let dataset = try DatasetDescription(licence: .by, creator: "Ada Lark")
    let report = try await journal.export(
      nil, as: format, describedBy: dataset, isExact: isExact, to: path)
    #expect((report.sharing == SharingCounts()) == isExact)
    let bytes = Locked([UInt8]())
    let privacy = isExact ? ExportPrivacy.exact : .shared(try Bundled(home).pack)
    let expected = try home.open().export(format, for: privacy, by: "stol", as: dataset) { piece in
      bytes.withLock { $0 += piece }
    }
    #expect(report == expected)
    #expect(try folder.bytes(of: "walk.\(format.fileExtension)") == bytes.withLock { $0 })
  }
}
