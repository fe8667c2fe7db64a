import Foundation
import STOLFormats
import STOLMedia
import STOLSystem
@testable import STOLTrust
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Archives of the journal")
struct ArchiveTests {
  private static func secret(_ text: String) throws -> SecretBytes {
    var bytes = Array(text.utf8)
    return try #require(SecretBytes(moving: &bytes))
  }

  /// A journal with random records, and photos of some.
  private static func journal(_ seed: UInt64, count: Int = 300) throws -> JournalFile {
    let journal = try TestJournal().open()
    var maker = RandomRecords(seed: seed)
    // Random photos have no files.
    try journal.save((0..<count).compactMap { _ in try maker.next() }.filter { $0.kind != .photo })
    try PhotoSample.saveWalk(in: journal)
    return journal
  }

  static func archive(
    _ journal: JournalFile, sealedWith passphrase: String? = nil
  ) throws -> [UInt8] {
    let bytes = Locked([UInt8]())
    _ = try journal.archive(
      of: nil, by: "stol test", sealedWith: try passphrase.map(secret), cost: .least
    ) { piece in bytes.withLock { $0 += piece } }
    return bytes.withLock { $0 }
  }

  /// A stream of bytes, in pieces of odd lengths.
  private static func stream(_ bytes: [UInt8]) -> SourceStream {
    var rest = bytes[...]
    return SourceStream(name: "a.stoljournal") { () throws(FormatError) in
      let piece = rest.prefix(4099)
      rest = rest.dropFirst(piece.count)
      return Array(piece)
    }
  }

  @discardableResult
  static func take(
    _ bytes: [UInt8], into journal: JournalFile, _ passphrase: String? = nil,
    isDryRun: Bool = false, photos: PhotoChoice = .keep, updates: Bool = false
  ) throws -> (summary: ImportSummary, rows: [ImportedRow]) {
    var options = ImportOptions()
    options.isDryRun = isDryRun
    options.updates = updates
    let source = try OpenImport(
      stream(bytes), fileName: "a.stoljournal", as: nil, by: TableMapping(),
      photos: PhotoImport(photos), into: journal, options,
      passphrase: {
        guard let passphrase else { throw SealError.unavailable }
        return try secret(passphrase)
      })
    #expect(source.format == .archive)
    var rows: [ImportedRow] = []
    let summary = try journal.importing(source.reader, options) { rows.append($0) }
    return (summary, rows)
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func exportImportAndExportGiveEqualBytes(seed: UInt64) throws {
    let journal = try Self.journal(seed)
    let open = try Self.archive(journal)
    let sealed = try Self.archive(journal, sealedWith: "an oak")
    for (bytes, passphrase) in [(open, nil), (sealed, "an oak" as String?)] {
      let home = try TestJournal()
      let other = try home.open()
      // A rehearsal keeps nothing.
      let rehearsed = try Self.take(bytes, into: other, passphrase, isDryRun: true)
      #expect(rehearsed.summary.rowCounts[.refused] == nil && other.media.folder.paths().isEmpty)
      #expect(try other.liveRecords().isEmpty)
      let (summary, rows) = try Self.take(bytes, into: other, passphrase)
      #expect(summary.rowCounts[.refused] == nil && summary.batch != nil)
      #expect(rows.map(\.line) == Array(1...rows.count))
      #expect(try Self.archive(other) == open)
      #expect(try other.exported(.jsonl).bytes == journal.exported(.jsonl).bytes)
      #expect(try other.check() == [])
      #expect(try other.checkMedia() == MediaReport())
      // Once more changes nothing.
      #expect(try Self.take(bytes, into: other, passphrase).summary.batch == nil)
    }
  }

  @Test func theSealIsAnotherEachTimeAndHoldsTheSame() throws {
    let journal = try Self.journal(4, count: 20)
    let open = try Self.archive(journal)
    let sealed = try (0..<2).map { _ in try Self.archive(journal, sealedWith: "an oak") }
    #expect(sealed[0] != sealed[1] && sealed[0].count == sealed[1].count)
    for bytes in sealed {
      var rest = bytes[...]
      let reader = try SealedReader(try Self.secret("an oak")) {
        defer { rest = rest.dropFirst(1000) }
        return Array(rest.prefix(1000))
      }
      var all: [UInt8] = []
      while case let piece = try reader.next(), !piece.isEmpty { all += piece }
      #expect(all == open)
      for text in ["Beech Wood", "Ada Lark", "quercus robur", "stol-journal", "media/"] {
        #expect(Data(bytes).range(of: Data(text.utf8)) == nil)
      }
    }
  }

  @Test(arguments: ["", "an oa", "An oak", "an oak "])
  func anotherPassphraseSaysSo(passphrase: String) throws {
    let bytes = try Self.archive(try Self.journal(5, count: 10), sealedWith: "an oak")
    let journal = try TestJournal().open()
    #expect(throws: SealError.wrongPassphrase) {
      try Self.take(bytes, into: journal, passphrase)
    }
  }

  /// The command tar reads it, and finds the records as lines and the photos as files.
  @Test func anybodyCanOpenAnUnsealedOne() throws {
    let journal = try Self.journal(6, count: 50)
    let folder = try TemporaryFolder()
    try folder.write(try Self.archive(journal), to: "a.stoljournal")
    let process = try ChildProcess(
      "/bin/tar", ["xf", folder("a.stoljournal"), "-C", folder.path])
    #expect(process.wait() == .status(0))
    let parts = try FileManager.default.contentsOfDirectory(atPath: folder("records")).sorted()
    let lines = try parts.flatMap { name in
      try Zstd.decompress(try folder.bytes(of: "records/\(name)"), path: name, limit: 1 << 24)
    }
    let live = try lines.split(separator: UInt8(ascii: "\n")).filter { line in
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
      return object["deletedMs"] == nil
    }.map { try JournalLines.line(of: try ArchiveLine.record(Array($0)).record) + "\n" }
    #expect(Array(live.joined().utf8) == (try journal.exported(.jsonl).bytes))
    let media = MediaFolder(path: folder("media"))
    #expect(media.folder.paths().count == 2)
    for path in media.folder.paths() {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(media.path(of: SHA256.digest(of: [UInt8](bytes))) == path)
    }
  }

  // MARK: - Damage

  /// Cut anywhere, nothing is kept, and what is said names the file.
  @Test(arguments: [nil, "an oak"])
  func whatIsCutOffIsRefusedWhole(passphrase: String?) throws {
    let bytes = try Self.archive(try Self.journal(7, count: 30), sealedWith: passphrase)
    var generator = SeededGenerator(seed: 7)
    // A tar archive may go without the zeros behind its end.
    let least = passphrase == nil ? try #require(Self.lastEntryStart(bytes)) : bytes.count
    let cuts = (0..<60).map { _ in Int.random(in: 0..<least, using: &generator) }
    let home = try TestJournal()
    for count in cuts + [0, 1, 56, 73, 512, least - 1] {
      try Self.expectRefused(Array(bytes[..<count]), passphrase, by: home, "\(count) bytes")
    }
  }

  private static func lastEntryStart(_ bytes: [UInt8]) -> Int? {
    let name = Array("end.json".utf8) + [0]
    return Array(stride(from: 0, to: bytes.count, by: 512)).last { bytes[$0...].starts(with: name) }
  }

  private static func expectRefused(
    _ bytes: [UInt8], _ passphrase: String?, by home: TestJournal, _ comment: Comment
  ) throws {
    let journal = try home.open()
    #expect(throws: (any Error).self, comment) { try take(bytes, into: journal, passphrase) }
    #expect(try journal.liveRecords().isEmpty && journal.history().isEmpty, comment)
  }

  /// A bit that is another one is found wherever it is; in an unsealed one, wherever anything stands.
  @Test(arguments: [nil, "an oak"], [UInt64(8), 9])
  func aFlippedBitIsFound(passphrase: String?, seed: UInt64) throws {
    let original = try Self.journal(seed, count: 30)
    let bytes = try Self.archive(original, sealedWith: passphrase)
    let lines = try original.exported(.jsonl).bytes
    var generator = SeededGenerator(seed: seed)
    var refusedCount = 0
    var journal = try TestJournal().open()
    for _ in 0..<100 {
      var changed = bytes
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      do {
        _ = try Self.take(changed, into: journal, passphrase)
        // What stands between the entries of a tar archive says nothing.
        #expect(passphrase == nil, "byte \(place)")
        #expect(try journal.exported(.jsonl).bytes == lines, "byte \(place)")
        #expect(try journal.checkMedia().faults.isEmpty)
        journal = try TestJournal().open()
      } catch {
        refusedCount += 1
        #expect(try journal.liveRecords().isEmpty, "byte \(place)")
      }
    }
    #expect(refusedCount > (passphrase == nil ? 30 : 99))
  }

  @Test func whatNoArchiveHasIsRefused() throws {
    let walk = try Walk()
    let text = try ArchiveLine.text(
      of: .place(walk.place), RecordMoments(createdMs: 1), isLive: true)
    let line = Array("\(text)\n".utf8)
    let packed = try Zstd.compress(line)
    let head = Array("{\"format\":\"stol-journal-archive\",\"version\":1,\"writer\":\"w\"}\n".utf8)
    let later = Array("{\"format\":\"stol-journal-archive\",\"version\":2,\"writer\":\"w\"}\n".utf8)
    let part = JournalArchive.partName(1, SHA256.digest(of: packed))
    let second = JournalArchive.partName(2, SHA256.digest(of: packed))
    let photo = PhotoSample.full.jpeg()
    let media = JournalArchive.name(of: SHA256.digest(of: photo))
    let end = JournalArchive.end(fileCount: 0, partCount: 1, recordCount: 1)
    let good: [(String, [UInt8])] = [
      ("stol-journal.json", head), (part, packed), ("end.json", end),
    ]
    let bomb = try Zstd.compress([UInt8](repeating: 32, count: 64 << 20))
    let bombPart = JournalArchive.partName(1, SHA256.digest(of: bomb))
    let bad: [[(String, [UInt8])]] = [
      [good[0]], [good[0], good[1]], [good[0], good[2]], [good[0], good[1], good[2], good[2]],
      [("stol-journal.json", later), good[1], good[2]],
      [("stol-journal.json", Array("{}".utf8)), good[1], good[2]],
      [good[0], (second, packed), good[2]], [good[0], good[1], good[1], good[2]],
      [good[0], (part, packed + [0]), good[2]],
      [good[0], good[1], (media, photo), good[2]],
      [good[0], ("media/ab/cd", photo), good[1], good[2]],
      [good[0], ("../x", line), good[1], good[2]], [good[0], (bombPart, bomb), good[2]],
      [good[0], good[0], good[1], good[2]],
    ]
    func archive(_ entries: [(String, [UInt8])]) throws -> [UInt8] {
      let bytes = Locked([UInt8]())
      let tar = try TarWriter { piece in bytes.withLock { $0 += piece } }
      for (name, content) in entries { try tar.append(name, content) }
      try tar.finish()
      return bytes.withLock { $0 }
    }
    let (summary, _) = try Self.take(try archive(good), into: try TestJournal().open())
    #expect(summary.newRecordCount == 1)
    let home = try TestJournal()
    for (number, entries) in bad.enumerated() {
      try Self.expectRefused(try archive(entries), nil, by: home, "archive \(number)")
    }
  }

  // MARK: - What is there

  @Test func aPhotoThatIsGoneIsCountedAndItsRecordRefused() throws {
    let journal = try Self.journal(10, count: 5)
    let gone = try #require(journal.media.folder.paths().first)
    try FileManager.default.removeItem(atPath: gone)
    let bytes = Locked([UInt8]())
    let report = try journal.export(.archive, for: .exact, by: "stol test") { piece in
      bytes.withLock { $0 += piece }
    }
    #expect(report.losses.values.reduce(0, +) == 1)
    let other = try TestJournal().open()
    let (summary, _) = try Self.take(bytes.withLock { $0 }, into: other)
    #expect((1...2).contains(try #require(summary.rowCounts[.refused])))
    #expect(try other.check() == [] && other.checkMedia() == MediaReport())
  }

  @Test func photosAreLeftOutWhereNobodyWantsThem() throws {
    let journal = try Self.journal(11, count: 5)
    let other = try TestJournal().open()
    let (summary, _) = try Self.take(try Self.archive(journal), into: other, photos: .skip)
    #expect(summary.rowCounts[.refused] == nil && other.media.folder.paths().isEmpty)
    #expect(try other.photos(limit: 10).isEmpty)
  }

  @Test func whatIsThereStays() throws {
    let home = try TestJournal()
    let journal = try home.open()
    var walk = try Walk()
    try journal.save(walk.records)
    let bytes = try Self.archive(journal)
    walk.place.name = "Oak Wood"
    try journal.save([.place(walk.place)])
    let (summary, _) = try Self.take(bytes, into: journal)
    #expect(summary.rowCounts == [.same: 10] && summary.batch == nil)
    guard case .place(let place)? = try journal.record(walk.place.id)?.record else {
      Issue.record("the place is gone")
      return
    }
    #expect(place.name == "Oak Wood")
  }

  @Test func theServiceBacksUpAndTakesBack() async throws {
    let folder = try TemporaryFolder()
    let path = folder("walk.stoljournal")
    let home = try TestJournal()
    let journal = try ServiceTests.service(home)
    try await journal.save(try Walk().records)
    let report = try await journal.backUp(to: path, passphrase: try Self.secret("an oak"))
    #expect(report.written.first?.count == 10)
    let other = try ServiceTests.service(try TestJournal())
    var source = ImportSource(path: path)
    await #expect(throws: JournalError.self) {
      for try await _ in other.importing(source) {}
    }
    source.passphrase = try Self.secret("an oak")
    var finished: ImportSummary?
    for try await event in other.importing(source) {
      if case .finished(let summary) = event { finished = summary }
    }
    #expect(finished?.newRecordCount == 10)
  }

  // MARK: - Vectors

  private static let vectors = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }.appendingPathComponent("Format/vectors/journal").path

  @Test(arguments: [nil, "an oak"])
  func theVectorsAreRead(passphrase: String?) throws {
    let name = passphrase == nil ? "archive-1.stoljournal" : "archive-1.sealed.stoljournal"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(Self.vectors)/\(name)"))
    let journal = try TestJournal().open()
    let (summary, _) = try Self.take([UInt8](bytes), into: journal, passphrase)
    #expect(summary.newRecordCount == summary.rowCount - 1)
    let lines = try Data(contentsOf: URL(fileURLWithPath: "\(Self.vectors)/archive-1.jsonl"))
    #expect(try journal.exported(.jsonl).bytes == [UInt8](lines))
    #expect(journal.media.folder.paths().count == 2)
  }

  /// Makes the vectors of a new version, where there are none.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["STOL_MAKE_JOURNAL_VECTOR"] != nil))
  func makeTheVectors() throws {
    let journal = try Self.journal(0, count: 0)
    var place = Place(kind: .spot, name: "Ford")
    let other = Place(kind: .spot, name: "Weir")
    try journal.save([.place(place), .place(other)])
    place.name = "Old ford"
    try journal.save([.place(place)])
    try journal.delete(other.id)
    for (name, bytes) in [
      ("archive-1.jsonl", try journal.exported(.jsonl).bytes),
      ("archive-1.stoljournal", try Self.archive(journal)),
      ("archive-1.sealed.stoljournal", try Self.archive(journal, sealedWith: "an oak")),
    ] {
      try Data(bytes).write(to: URL(fileURLWithPath: "\(Self.vectors)/\(name)"))
    }
  }
}
