#if Encryption
import Foundation
import STOLStore
import STOLSystem
import STOLTrust
import TestSupport
import Testing

@testable import STOLJournal

@Suite("A locked journal that is damaged, or not locked to the end")
struct LockDamageTests {
  private static func flipped(
    _ bytes: Data, _ generator: inout SeededGenerator, at index: Int? = nil
  ) -> Data {
    var bytes = bytes
    let index = index ?? Int.random(in: 0..<bytes.count, using: &generator)
    bytes[bytes.startIndex + index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    return bytes
  }

  /// A bit anywhere in the keys costs nothing: they are there twice.
  @Test func aBitOfTheKeysIsMended() throws {
    let journal = try PrivateJournal(entries: 1, photos: 0)
    try journal.lock()
    let whole = try #require(try KeyFile.read(in: journal.folder))
    let url = URL(fileURLWithPath: "\(journal.folder)/key.json")
    let bytes = try Data(contentsOf: url)
    var generator = SeededGenerator(seed: 1)
    for index in 0..<bytes.count {
      try Self.flipped(bytes, &generator, at: index).write(to: url)
      #expect(try KeyFile.read(in: journal.folder) == whole, "byte \(index)")
    }
    // One in each line, not in what ends it.
    let lineCount = bytes.count / 2
    let line = bytes.prefix(lineCount - 1)
    for _ in 0..<200 {
      let first = Self.flipped(line, &generator)
      let second = Self.flipped(line, &generator)
      try (first + [0x0A] + second + [0x0A]).write(to: url)
      let error = #expect(throws: StoreError.self) { try journal.open() }
      guard case .noKeys(url.path, _)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(error?.kind == .damaged)
    }
    for count in [0, 1, lineCount / 2, lineCount - 2] {
      try bytes.prefix(count).write(to: url)
      #expect(throws: StoreError.self) { try journal.open() }
    }
    // One whole line is enough, whatever has become of the rest.
    for count in (lineCount - 1)..<bytes.count {
      try bytes.prefix(count).write(to: url)
      #expect(try KeyFile.read(in: journal.folder) == whole, "\(count) bytes")
    }
    for count in 1...lineCount {
      try bytes.suffix(bytes.count - count).write(to: url)
      #expect(try KeyFile.read(in: journal.folder) == whole, "without \(count) bytes")
    }
    for text in [line + "\r\n".utf8 + line, "\u{FEFF}".utf8 + line + [0x0A], bytes + bytes] {
      try Data(text).write(to: url)
      #expect(try KeyFile.read(in: journal.folder) == whole)
    }
    try FileManager.default.removeItem(at: url)
    let error = #expect(throws: StoreError.self) { try journal.open() }
    #expect(error == .noKeys(path: url.path, reason: "is missing, and the journal is locked"))
    try bytes.write(to: url)
    _ = try journal.contents()
  }

  /// Whatever bit of a file is another one: what is read is what was kept, or an error that says so.
  @Test func aBitOfAnyOtherFileIsFound() throws {
    let journal = try PrivateJournal(entries: 30, photos: 3)
    try journal.lock()
    let before = try journal.contents()
    let files = try journal.files()
    var generator = SeededGenerator(seed: 2)
    for path in files.keys.sorted() where path != "key.json" && !path.hasSuffix("-shm") {
      let bytes = try #require(files[path])
      guard !bytes.isEmpty else { continue }
      let few = path.hasPrefix("sealed/thumbnails") ? 4 : path.hasPrefix("sealed") ? 20 : 200
      for round in 0..<Sweep.count(few: few, full: 20 * few) {
        // The first bytes of a file say how the rest is read.
        let index = round < few / 2 ? round % min(bytes.count, 100) : nil
        try journal.put(files)
        let damaged = Self.flipped(bytes, &generator, at: index)
        try damaged.write(to: URL(fileURLWithPath: "\(journal.folder)/\(path)"))
        do {
          let found = try journal.open()
          let (faults, media) = (try found.check(), try found.checkMedia())
          guard faults.isEmpty && media.faults.isEmpty else {
            #expect(path.hasPrefix("sealed/media") == faults.isEmpty)
            continue
          }
          #expect(media.orphans == [])
          #expect(try journal.contents() == before, "\(path), byte \(String(describing: index))")
        } catch let error as StoreError {
          guard case .kept(journal.home.path, _, _) = error else {
            Issue.record("\(path): \(error)")
            continue
          }
          // It is left as it is.
          let now = try Data(contentsOf: URL(fileURLWithPath: "\(journal.folder)/\(path)"))
          #expect(now == damaged)
        }
      }
    }
    try journal.put(files)
    #expect(try journal.contents() == before)
  }

  @Test func aDamagedPhotoIsNamedAndNothingIsUnlocked() throws {
    let journal = try PrivateJournal(entries: 3, photos: 3)
    try journal.lock()
    let before = try journal.contents()
    let files = try journal.files()
    let path = try #require(files.keys.filter { $0.hasPrefix("sealed/media") }.min())
    var generator = SeededGenerator(seed: 3)
    try Self.flipped(try #require(files[path]), &generator)
      .write(to: URL(fileURLWithPath: "\(journal.folder)/\(path)"))
    let faults = try journal.open().checkMedia().faults
    #expect(faults.count == 1 && faults[0].contains(path))
    let error = #expect(throws: JournalError.self) {
      try JournalLock.unlock(folder: journal.folder, journal.passphrase)
    }
    #expect("\(error as Any)".contains(path))
    #expect(try journal.readableWords() == [])
    try #require(files[path]).write(to: URL(fileURLWithPath: "\(journal.folder)/\(path)"))
    #expect(try journal.contents() == before)
    try JournalLock.unlock(folder: journal.folder, journal.passphrase)
    #expect(try journal.contents() == before)
  }

  /// What a file manager leaves among sealed files keeps nothing from being unlocked, and stays.
  @Test(arguments: ["sealed/media", "sealed/media/ab", "sealed/thumbnails", "sealed/thumbnails/64"])
  func aFileOfSomethingElseStays(folder: String) throws {
    let journal = try PrivateJournal(entries: 3, photos: 3)
    try journal.lock()
    let before = try journal.contents()
    let stray = URL(fileURLWithPath: "\(journal.folder)/\(folder)/.DS_Store")
    try FileManager.default.createDirectory(
      at: stray.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data([1, 2, 3]).write(to: stray)
    try JournalLock.unlock(folder: journal.folder, journal.passphrase)
    #expect(try journal.contents() == before)
    #expect(try JournalLock.isLocked(in: journal.home.directory) == false)
    #expect(try Data(contentsOf: stray) == Data([1, 2, 3]))
    // It is as good as new to lock again, and unlock.
    try journal.lock()
    try JournalLock.unlock(folder: journal.folder, journal.passphrase)
    #expect(try journal.contents() == before)
  }

  /// A file among those that can be read is named, wherever it lies; what a killed process left is removed.
  @Test func whatStaysReadableIsNamed() throws {
    let journal = try PrivateJournal(entries: 3, photos: 3)
    let names = ["media/notes.txt", "media/ab/notes.txt", "thumbnails/mine.txt"]
    let left = "media/ab/cdef.999.tmp"
    for name in names + [left] {
      let url = URL(fileURLWithPath: "\(journal.folder)/\(name)")
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data([1]).write(to: url)
    }
    let named = try JournalLock.lock(
      folder: journal.folder, journal.passphrase, .least, { _ in })
    #expect(named.sorted() == names.map { "\(journal.folder)/\($0)" }.sorted())
    #expect(!FileManager.default.fileExists(atPath: "\(journal.folder)/\(left)"))
  }

  /// A damaged file is kept, and the new one is locked as the old one was.
  @Test func aDamagedFileIsSetAsideAndTheNewOneIsLocked() throws {
    let journal = try PrivateJournal(entries: 3, photos: 0)
    try journal.lock()
    let url = URL(fileURLWithPath: journal.home.path)
    var bytes = try Data(contentsOf: url)
    for index in 0..<4096 { bytes[index] = 0 }
    try bytes.write(to: url)
    #expect(throws: StoreError.self) { try journal.open() }
    let aside = try JournalFile.setAside(
      in: journal.home.directory, passphrase: { journal.passphrase })
    #expect(aside == "\(journal.folder)/journal.damaged-1.sqlite")
    #expect(try journal.open().keyFigures().sightingCount == 0)
    try journal.open().save(try Walk().records)
    #expect(throws: StoreError.locked(path: journal.home.path)) { try journal.home.open() }
    #expect(try journal.readableWords() == [])
  }

  /// What is there when the process ends between two steps, of each of them.
  @Test func whatWasInterruptedGoesOnOrBack() throws {
    let journal = try PrivateJournal(entries: 3, photos: 3)
    let before = try journal.contents()
    let plain = try journal.files()
    try journal.lock()
    let locked = try journal.files()
    let key = try #require(try KeyFile.read(in: journal.folder))
    try key.with(.changing).write(in: journal.folder)
    let changing = try #require(try journal.files()["key.json"])
    let (database, keys) = ("journal.sqlite", "key.json")
    func isSealed(_ path: String) -> Bool { path.hasPrefix("sealed/") }
    let sealed = locked.filter { isSealed($0.key) }
    let readable = plain.filter { $0.key.contains("/") }
    var generator = SeededGenerator(seed: 4)
    for round in 0..<40 {
      var files: [String: Data] = [keys: changing]
      let isLocked = round % 2 == 1
      // What the file of the journal says holds; of the other files some are there, and some parts of one.
      files[database] = isLocked ? locked[database] : plain[database]
      for (path, bytes) in isLocked ? sealed : readable { files[path] = bytes }
      for (path, bytes) in isLocked ? readable : sealed where Bool.random(using: &generator) {
        let isWhole = Bool.random(using: &generator)
        files[isWhole ? path : "\(path).999999.tmp"] = isWhole ? bytes : bytes.prefix(9)
      }
      let temporary = isLocked ? plain[database] : locked[database]
      files["journal.sqlite.999999.tmp"] = try #require(temporary).prefix(5000)
      try journal.put(files)
      #expect(try JournalLock.isInterrupted(in: journal.home.directory))
      if isLocked {
        #expect(throws: StoreError.locked(path: journal.home.path)) { try journal.home.open() }
      }
      #expect(try JournalLock.isLocked(in: journal.home.directory) == isLocked)
      #expect(try journal.contents() == before, "round \(round)")
      #expect(try !JournalLock.isInterrupted(in: journal.home.directory))
      let names = try journal.files().keys.filter { $0.contains("/") }
      #expect(names.allSatisfy { isSealed($0) == isLocked })
      #expect(try !journal.files().keys.contains { $0.contains(".tmp") })
      switch round % 4 {
      case 0: try journal.lock()
      case 1: try JournalLock.unlock(folder: journal.folder, journal.passphrase)
      default: continue
      }
      #expect(try journal.contents() == before)
      if !isLocked { #expect(try journal.readableWords() == []) }
    }
  }

  /// The keys are all that could still read something of it.
  @Test func aDamagedFileThatNeedsTheKeysKeepsThem() throws {
    let journal = try PrivateJournal(entries: 2, photos: 1)
    let file = URL(fileURLWithPath: journal.home.path)
    // One that was set aside before can be read by anybody.
    let readable = "\(journal.folder)/journal.damaged-1.sqlite"
    try FileManager.default.copyItem(atPath: journal.home.path, toPath: readable)
    _ = try JournalLock.lock(folder: journal.folder, journal.passphrase, .least) { _ in }
    let contents = try journal.contents()
    let whole = try Data(contentsOf: file)
    var damaged = whole
    for index in 4096..<12_288 { damaged[index] ^= 0x55 }
    try damaged.write(to: file)
    let passphrase = journal.passphrase
    let aside = try #require(
      try JournalFile.setAside(in: journal.home.directory, passphrase: { passphrase }))
    for ending in ["-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: journal.home.path + ending)
    }
    try whole.write(to: file)
    let files = try journal.files()
    #expect(throws: JournalError.needsKeys(path: aside)) {
      try JournalLock.unlock(folder: journal.folder, passphrase)
    }
    #expect(try journal.files().filter { !$0.key.hasPrefix("journal.sqlite-") } == files)
    #expect(try journal.contents() == contents)
    try FileManager.default.removeItem(atPath: aside)
    try JournalLock.unlock(folder: journal.folder, passphrase)
    #expect(try journal.contents() == contents && fileExists(readable))
  }
}
#endif
