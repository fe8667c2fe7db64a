import Foundation
import GRDB
import STOLData
import STOLStore
import STOLSystem
import Testing

@testable import STOLJournal

@Suite("A damaged journal")
struct DamageTests {
  /// What may become of a file.
  enum Damage: CaseIterable {
    case truncated, emptied, flippedHeader, unknownForm, zeroedPage, text, foreign, tableless

    func apply(to bytes: Data) throws -> Data {
      var bytes = bytes
      switch self {
      case .truncated: return bytes.prefix(bytes.count / 2)
      case .emptied: return Data()
      case .flippedHeader: bytes[3] ^= 1
      case .unknownForm: bytes[47] = 9
      case .zeroedPage: bytes.replaceSubrange(4096..<8192, with: Data(count: 4096))
      case .text: return Data("my journal\n".utf8)
      case .foreign:
        return try Self.database("CREATE TABLE other (a); INSERT INTO other VALUES (1)")
      case .tableless: return try Self.database("PRAGMA user_version = 0; VACUUM")
      }
      return bytes
    }

    private static func database(_ sql: String) throws -> Data {
      let home = try TestJournal()
      try FileManager.default.createDirectory(
        atPath: home.directory.journal, withIntermediateDirectories: true)
      try home.inside { try $0.execute(sql: sql) }
      return try Data(contentsOf: URL(fileURLWithPath: home.path))
    }
  }

  private static func files(_ home: TestJournal) throws -> [String: Data] {
    let folder = home.directory.journal
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return Dictionary(
      uniqueKeysWithValues: try names.map {
        ($0, try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0)))
      })
  }

  @Test(arguments: Damage.allCases)
  func itIsLeftAsItIsUntilItsOwnerDecides(damage: Damage) throws {
    let home = try TestJournal()
    try home.open().save(try Walk().records)
    #expect(try JournalFile.setAside(in: home.directory) == nil)
    let file = URL(fileURLWithPath: home.path)
    try damage.apply(to: try Data(contentsOf: file)).write(to: file)
    let before = try Self.files(home)
    for _ in 0..<2 {
      let error = #expect(throws: StoreError.self) { try home.open() }
      guard case .kept(home.path, let reason, let remedy)? = error else {
        Issue.record("\(damage): \(String(describing: error))")
        return
      }
      #expect(!reason.isEmpty && remedy.contains("--set-aside"))
      #expect(try !JournalFile.damage(in: home.directory).isEmpty)
      #expect(try Self.files(home) == before)
    }
    for number in 1...2 {
      let aside = try #require(try JournalFile.setAside(in: home.directory))
      #expect(aside == home.directory.journal + "/journal.damaged-\(number).sqlite")
      #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == before["journal.sqlite"])
      let journal = try home.open()
      #expect(try journal.keyFigures() == KeyFigures())
      #expect(journal.damagedFiles.count == number)
      #expect(try JournalFile.setAside(in: home.directory) == nil)
      try before["journal.sqlite"]?.write(to: file)
    }
  }

  /// SQLite would make an empty file and delete the log, which may have all that was saved last.
  @Test(arguments: [true, false])
  func aLogWithoutItsFileIsDamage(isEmptied: Bool) throws {
    let home = try TestJournal()
    let journal = try home.open()
    try journal.save(try Walk().records)
    let log = try Data(contentsOf: URL(fileURLWithPath: home.path + "-wal"))
    #expect(!log.isEmpty)
    if isEmptied {
      try Data().write(to: URL(fileURLWithPath: home.path))
    } else {
      try FileManager.default.removeItem(atPath: home.path)
    }
    let error = #expect(throws: StoreError.self) { try home.open() }
    #expect(error?.kind == .damaged)
    if !isEmptied { #expect(throws: StoreError.self) { try journal.keyFigures() } }
    #expect(try Data(contentsOf: URL(fileURLWithPath: home.path + "-wal")) == log)
  }

  @Test func aJournalThatIsGoneBeginsAnew() throws {
    let home = try TestJournal()
    #expect(try JournalFile.damage(in: home.directory) == [])
    #expect(try JournalFile.setAside(in: home.directory) == nil)
    let journal = try home.open()
    #expect(try JournalFile.damage(in: home.directory) == [])
    try FileManager.default.removeItem(atPath: home.directory.journal)
    try journal.save(try Walk().records)
    #expect(try home.open().keyFigures().sightingCount == 2)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: home.directory.journal)
        .allSatisfy { $0.hasPrefix("journal.sqlite") && !$0.hasSuffix(".tmp") })
  }
}
