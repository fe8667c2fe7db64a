import Foundation
import GRDB
import STOLData
import STOLSystem
import TestSupport
import Testing

@testable import STOLJournal

@Suite("The log of a journal that others use too")
struct LogTests {
  /// Whoever reads already, and opens the file to change it, keeps the locks that it has, so that nobody who ends
  /// meanwhile deletes the log that it writes to.
  @Test func nobodyDeletesTheLogOfWhoeverReadFirst() throws {
    let home = try TestJournal()
    try home.open().save([.person(Person(name: "First"))])
    let journal = try {
      let lock = try FolderLock(path: home.directory.journal)
      defer { _ = lock }
      let journal = try home.open(readsBeside: true)
      #expect(try journal.persons().count == 1)
      return journal
    }()
    try journal.save([.person(Person(name: "Second"))])
    let log = try #require(FileIdentity(path: journal.path + "-wal"))
    let writer = try ChildProcess(
      builtProgram("JournalWriter"), [home.directory.journal, "1", "0", "2"], output: .nullDevice)
    #expect(writer.waitUnlessItHangs() == .status(0))
    #expect(FileIdentity(path: journal.path + "-wal") == log)
    try journal.save([.person(Person(name: "Third"))])
    #expect(try home.inside { try Int.fetchOne($0, sql: "SELECT count(*) FROM person") } == 3)
    #expect(try home.open().persons().count == 3)
    withExtendedLifetime(journal) {}
  }

  /// A damaged file is read, and looked at, beside connections that keep their locks.
  @Test func nobodyDeletesTheLogOfWhoeverLooksForDamage() throws {
    let home = try TestJournal()
    let journal = try home.open(readsBeside: true)
    try journal.save([.person(Person(name: "First"))])
    let log = try #require(FileIdentity(path: journal.path + "-wal"))
    #expect(try JournalFile.damage(in: home.directory) == [])
    let writer = try ChildProcess(
      builtProgram("JournalWriter"), [home.directory.journal, "1", "0", "2"], output: .nullDevice)
    #expect(writer.waitUnlessItHangs() == .status(0))
    #expect(FileIdentity(path: journal.path + "-wal") == log)
    withExtendedLifetime(journal) {}
  }

  /// Whoever ends beside others that are at work leaves the log to the next one.
  @Test func whoeverEndsBesideOthersLeavesTheLog() throws {
    let home = try TestJournal()
    var journal: JournalFile? = try home.open()
    let path = try #require(journal?.path)
    try journal?.save([.person(Person(name: "First"))])
    let lock = try FolderLock(path: home.directory.journal)
    let log = try #require(FileIdentity(path: path + "-wal"))
    journal = nil
    #expect(FileIdentity(path: path + "-wal") == log)
    _ = consume lock
    #expect(try home.open().persons().count == 1)
  }
}
