#if Encryption
import Foundation
import GRDB
import GRDBSQLite
import STOLData
import STOLStore
import STOLSystem
import STOLTrust
import TestSupport
import Testing

@testable import STOLJournal

@Suite("A journal that is locked")
struct LockTests {
  /// What GRDB calls, and what is called beside it, is the SQLite that can encrypt.
  @Test func oneSQLiteDoesEverything() throws {
    let queue = try DatabaseQueue()
    let (version, cipher) = try queue.read { database in
      (
        try String.fetchOne(database, sql: "SELECT sqlite_version()"),
        try String.fetchOne(database, sql: "SELECT sqlite3mc_version()")
      )
    }
    #expect(version == "3.51.3" && cipher?.hasPrefix("SQLite3 Multiple Ciphers") == true)
    // SAFETY: a text that is never freed.
    #expect(unsafe String(cString: sqlite3_libversion()) == version)
  }

  @Test func nothingOfItCanBeReadAndAllOfItComesBack() throws {
    let journal = try PrivateJournal()
    let before = try journal.contents()
    #expect(!(try journal.readableWords().isEmpty))
    try journal.lock()
    #expect(try journal.readableWords() == [])
    let names = try journal.files().keys
    #expect(names.filter { !$0.hasPrefix("sealed/") }.sorted() == ["journal.sqlite", "key.json"])
    #expect(names.filter { $0.hasPrefix("sealed/media/") }.count == 4)
    #expect(names.filter { $0.hasPrefix("sealed/thumbnails/") }.count == 8)
    #expect(try journal.contents() == before)
    #expect(try journal.readableWords() == [])
    // What is kept while it is locked cannot be read either.
    var (word, photos) = ("Quercus nova", 0)
    do {
      let open = try journal.open()
      let event = Event(kind: .visit, start: try LocalTime("2026-03-16"))
      let seen = Occurrence(event: event.id)
      let file = try PhotoFile(JPEGSample.rgb.bytes, name: "new.jpg")
      try open.save(
        [
          .event(event), .occurrence(seen),
          .identification(Identification(occurrence: seen.id, verbatimName: word)),
          .photo(file.photo(of: seen.id)),
        ], files: [file])
      #expect(try open.thumbnail(of: file.file, .small) != nil)
      #expect(try open.removeOrphans() == [])
      for (_, bytes) in try journal.files() { #expect(bytes.range(of: Data(word.utf8)) == nil) }
      #expect(try journal.readableWords() == [])
      try open.eachPhoto { _ in photos += 1 }
      word = try open.exported(.jsonl).bytes.count.description
    }
    #expect(photos == 5)
    let later = try journal.contents()
    try JournalLock.unlock(folder: journal.folder, journal.passphrase)
    #expect(try journal.contents() == later && later != before)
    #expect(try journal.open().exported(.jsonl).bytes.count.description == word)
    #expect(!(try journal.files().keys.contains { $0.hasPrefix("sealed") || $0 == "key.json" }))
    #expect(throws: JournalError.notLocked) {
      try JournalLock.unlock(folder: journal.folder, journal.passphrase)
    }
    // The same keys are never there again.
    try journal.lock()
    #expect(try journal.contents() == later)
    #expect(throws: JournalError.alreadyLocked) { try journal.lock() }
  }

  /// Done-means of issue 25.
  @Test func aThousandEntriesAndFiftyPhotosCannotBeRead() throws {
    let journal = try PrivateJournal(entries: 1000, photos: 50)
    try journal.lock()
    #expect(try journal.readableWords() == [])
    let files = try journal.files()
    #expect(files.keys.count { $0.hasPrefix("sealed/media/") } == 50)
    // What cannot be told from noise has all bytes about as often.
    var counts = [Int](repeating: 0, count: 256)
    let bytes = try #require(files["journal.sqlite"])
    for byte in bytes { counts[Int(byte)] += 1 }
    let mean = Double(bytes.count) / 256
    #expect(counts.allSatisfy { abs(Double($0) - mean) < 8 * mean.squareRoot() + 64 })
  }

  @Test func onlyItsPassphraseOrItsRecoveryCodeOpensIt() throws {
    let journal = try PrivateJournal(entries: 3, photos: 1)
    let before = try journal.contents()
    let directory = journal.home.directory
    #expect(try !JournalLock.isLocked(in: directory))
    let code = try journal.lock()
    #expect(try JournalLock.isLocked(in: directory))
    let keyPath = "\(journal.folder)/key.json"
    let files = try journal.files()
    #expect(throws: StoreError.locked(path: journal.home.path)) { try journal.home.open() }
    for wrong in ["Under the oak", "under the oak ", "", code] {
      #expect(throws: StoreError.wrongPassphrase(path: keyPath)) {
        try journal.open(try secret(wrong))
      }
      #expect(throws: StoreError.wrongPassphrase(path: keyPath)) {
        try JournalLock.unlock(folder: journal.folder, try secret(wrong))
      }
      #expect(throws: StoreError.wrongPassphrase(path: keyPath)) {
        try JournalLock.change(
          in: directory, openedBy: .passphrase(try secret(wrong)), to: try secret("x"),
          cost: .least)
      }
    }
    #expect(try journal.files() == files)
    // A slip of the pen is none of the codes; another code is another one.
    let slip = code.replacing(/.$/) { $0.output == "0" ? "1" : "0" }
    #expect(throws: JournalError.self) {
      try JournalLock.change(
        in: directory, openedBy: .recoveryCode(try secret(slip)), to: try secret("x"))
    }
    #expect(throws: StoreError.wrongRecoveryCode(path: keyPath)) {
      try JournalLock.change(
        in: directory, openedBy: .recoveryCode(try secret(try RecoveryCode().text)),
        to: try secret("x"))
    }
    #expect(try journal.files() == files)
    // As somebody types it.
    let typed = code.lowercased().replacing("-", with: " ").replacing("1", with: "l")
      .replacing("0", with: "o")
    try JournalLock.change(
      in: directory, openedBy: .recoveryCode(try secret(typed)), to: try secret("new"),
      cost: .least)
    #expect(throws: StoreError.wrongPassphrase(path: keyPath)) { try journal.open() }
    #expect(try journal.contents(try secret("new")) == before)
    // Nothing else was written.
    let changed = try journal.files().filter { files[$0.key] != $0.value }.keys
    #expect(changed.allSatisfy { $0 == "key.json" || $0.hasPrefix("journal.sqlite-") })
    // A new code takes the place of the old one.
    let new = Locked("")
    try JournalLock.change(
      in: directory, openedBy: .passphrase(try secret("new")), to: nil, cost: .least,
      showing: { text in new.withLock { $0 = text } })
    #expect(throws: StoreError.wrongRecoveryCode(path: keyPath)) {
      try JournalLock.change(
        in: directory, openedBy: .recoveryCode(try secret(code)), to: try secret("x"))
    }
    try JournalLock.change(
      in: directory, openedBy: .recoveryCode(try secret(new.withLock { $0 })),
      to: journal.passphrase, cost: .least)
    #expect(try journal.contents() == before)
  }

  @Test func whoHasItOpenMeanwhileFindsItLocked() throws {
    let journal = try PrivateJournal(entries: 3, photos: 1)
    let path = journal.home.path
    let (without, with) = (try journal.home.open(readsBeside: true), try journal.open())
    let before = try JournalLines.text(of: without)
    try journal.lock()
    for _ in 0..<2 {
      #expect(throws: StoreError.locked(path: path)) { try JournalLines.text(of: without) }
      let event = Event(kind: .visit, start: try LocalTime("2026"))
      #expect(throws: StoreError.locked(path: path)) { try without.save([.event(event)]) }
    }
    #expect(try JournalLines.text(of: with) == before)
    #expect(try with.checkMedia() == MediaReport())
    let event = Event(kind: .visit, start: try LocalTime("2026"))
    try with.save([.event(event)])
    try JournalLock.unlock(folder: journal.folder, journal.passphrase)
    #expect(try without.record(event.id) != nil && with.record(event.id) != nil)
    #expect(try with.checkMedia() == MediaReport() && without.checkMedia() == MediaReport())
    try without.save([.event(Event(kind: .visit, start: try LocalTime("2025")))])
  }

  @Test func aCodeThatCannotBeShownLeavesItUnlocked() throws {
    struct Full: Error {}
    let journal = try PrivateJournal(entries: 3, photos: 2)
    let before = try journal.files()
    let contents = try journal.contents()
    #expect(throws: Full.self) {
      try JournalLock.lock(folder: journal.folder, journal.passphrase, .least) { _ in throw Full() }
    }
    #expect(try journal.files().keys.sorted() == before.keys.sorted())
    #expect(try journal.contents() == contents)
  }

  @Test func whatIsNoneOfItsFilesStaysAndIsNamed() throws {
    let journal = try PrivateJournal(entries: 2, photos: 1)
    let other = "\(journal.folder)/media/ab/list.txt"
    try FileManager.default.createDirectory(
      atPath: "\(journal.folder)/media/ab", withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: other))
    let left = try JournalLock.lock(folder: journal.folder, journal.passphrase, .least) { _ in }
    #expect(left == [other])
    #expect(FileManager.default.contents(atPath: other) == Data("mine".utf8))
    try JournalLock.unlock(folder: journal.folder, journal.passphrase)
    #expect(FileManager.default.contents(atPath: other) == Data("mine".utf8))
  }

  @Test func itIsToldHowFarItIs() throws {
    let journal = try PrivateJournal(entries: 3, photos: 2)
    var counts: [Int] = []
    _ = try JournalLock.lock(
      folder: journal.folder, journal.passphrase, .least, onFile: { counts.append($0) }
    ) { _ in counts.append(0) }
    // Two photos with two thumbnails each, then the file of the journal.
    #expect(counts == [1, 2, 3, 4, 5, 6, 0])
    counts = []
    try JournalLock.unlock(
      folder: journal.folder, journal.passphrase, onFile: { counts.append($0) })
    #expect(counts == [1, 2, 3, 4, 5, 6])
  }

  @Test func whatIsNotSealedBesideItIsNamed() throws {
    let journal = try PrivateJournal(entries: 2, photos: 1)
    let (open, backup) = (try journal.open(), "\(journal.folder)/backup")
    try FileManager.default.createDirectory(
      atPath: backup, withIntermediateDirectories: true)
    let archive = try ArchiveTests.archive(open)
    let sealed = try ArchiveTests.archive(open, sealedWith: "an oak")
    let lines = try open.exported(.jsonl).bytes
    for (name, bytes) in [
      ("a.stoljournal", archive), ("b.stoljournal", sealed), ("journal.jsonl", lines),
      ("trees.csv", lines), ("backup/c.stoljournal", archive), ("backup/d.stoljournal", sealed),
      ("backup/journal-v0.sqlite", lines), ("backup/journal.gpx", lines),
    ] {
      try Data(bytes).write(to: URL(fileURLWithPath: "\(journal.folder)/\(name)"))
    }
    let left = try JournalLock.lock(folder: journal.folder, journal.passphrase, .least) { _ in }
    let names = [
      "a.stoljournal", "backup/c.stoljournal", "backup/journal-v0.sqlite", "backup/journal.gpx",
      "journal.jsonl", "trees.csv",
    ]
    #expect(left == names.map { "\(journal.folder)/\($0)" })
  }

  @Test func aRecoveryCodeIsNineGroupsWithoutLettersThatLookLikeDigits() throws {
    var seen: Set<String> = []
    for _ in 0..<200 {
      let text = try RecoveryCode().text
      #expect(text.wholeMatch(of: /([0-9A-HJKMNP-TV-Z]{4}-){8}[0-9A-HJKMNP-TV-Z]{4}/) != nil)
      #expect(RecoveryCode(typed: try secret(text))?.text == text)
      #expect(seen.insert(text).inserted)
      // Two that are exchanged are seen, but for the few that have the same check.
    }
    var missed = 0
    for text in seen {
      var digits = Array(text)
      guard digits[0] != digits[1] else { continue }
      digits.swapAt(0, 1)
      if RecoveryCode(typed: try secret(String(digits))) != nil { missed += 1 }
    }
    #expect(missed == 0)
  }
}
#endif
