#if Encryption
import Foundation
import STOLData
import STOLTrust
import TestSupport
import Testing

@testable import STOLJournal

/// Locked journals of every version that there ever was, in Format/vectors/journal: `locked-N`, in `locked-N.jsonl` what
/// it says, and in `locked-N.recovery` its recovery code.
@Suite("Locked journals of before")
struct LockVectorTests {
  private static let vectors = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }.appendingPathComponent("Format/vectors/journal")
  private static let passphrase = "an oak"

  @Test func theyAreOpenedByPassphraseAndByRecoveryCode() throws {
    let home = try TestJournal()
    let folder = home.directory.journal
    try FileManager.default.copyItem(
      at: Self.vectors.appendingPathComponent("locked-1"), to: URL(fileURLWithPath: folder))
    func text(_ name: String) throws -> String {
      try String(contentsOf: Self.vectors.appendingPathComponent(name), encoding: .utf8)
    }
    let expected = try text("locked-1.jsonl")
    func check(_ passphrase: String) throws {
      let secret = try secret(passphrase)
      let journal = try home.open(passphrase: { secret })
      #expect(try JournalLines.text(of: journal) == expected)
      #expect(try journal.check() == [] && journal.checkMedia() == MediaReport())
      try journal.eachPhoto { photo in
        let thumbnail = try journal.thumbnail(of: photo.file, .small)
        #expect(thumbnail != nil)
      }
    }
    try check(Self.passphrase)
    let code = try text("locked-1.recovery").trimmingCharacters(in: .whitespacesAndNewlines)
    try JournalLock.change(
      in: home.directory, openedBy: .recoveryCode(try secret(code)), to: try secret("a beech"),
      cost: .least)
    try check("a beech")
    try JournalLock.unlock(folder: folder, try secret("a beech"))
    #expect(try JournalLines.text(of: home.open()) == expected)
  }

  /// Makes the vector of a new version, where there is none.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["STOL_MAKE_JOURNAL_VECTOR"] != nil))
  func makeTheVector() throws {
    let home = try TestJournal()
    do {
      let journal = try home.open()
      let walk = try Walk()
      let files = try [JPEGSample.halved, .rgb].enumerated().map { number, sample in
        try PhotoFile(sample.bytes, name: "oak-\(number).jpg")
      }
      try journal.save(
        walk.records + files.map { .photo($0.photo(of: walk.oak.id)) }, files: files)
      try journal.delete(walk.bird.id)
      _ = try journal.makeThumbnails()
      try Data(try JournalLines.text(of: journal).utf8).write(
        to: Self.vectors.appendingPathComponent("locked-1.jsonl"))
    }
    let left = try JournalLock.lock(
      folder: home.directory.journal, try secret(Self.passphrase), .least
    ) { code in
      try Data("\(code)\n".utf8).write(
        to: Self.vectors.appendingPathComponent("locked-1.recovery"))
    }
    #expect(left == [])
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: home.directory.journal),
      to: Self.vectors.appendingPathComponent("locked-1"))
  }
}
#endif
