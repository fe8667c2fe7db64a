import Foundation
import TestSupport
import Testing

@Suite("stol journal backup and restore")
struct JournalBackupTests {
  private static let id = "0192f3a4-5b6c-7d8e-9fab-cdef01234567"

  private static func orchard() throws -> CommandHome {
    let home = try CommandHome("journal")
    expect(
      try home(
        "add", "Panthera leo", "--id", id, "--at", "42.45331,-76.4807", "--when", "2026-03-15",
        "--collection", "Orchard", "--note", "under the oak"), status: 0)
    expect(try home("add", "wolf", "--when", "2025", "--no-collection"), status: 0)
    return home
  }

  @Test(arguments: [true, false])
  func whatWasLostComesBack(isSealed: Bool) throws {
    let home = try Self.orchard()
    let lines = try home("export", "--exact", "--format", "jsonl").text
    let (file, secret) = (home.folder("a.stoljournal"), home.folder("secret"))
    try "an oak\n".write(toFile: secret, atomically: true, encoding: .utf8)
    let seal = isSealed ? ["--passphrase-file", secret] : ["--unsealed"]
    let backup = try home(["backup", "-o", file] + seal)
    expect(backup, status: 0)
    #expect(backup.text == "" && backup.errorText.contains("records, 0 files of photos to \(file)"))
    expectError(try home(["backup", "-o", file] + seal), status: 2, saying: "--force")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    #expect((bytes.range(of: Data("stol-journal".utf8)) == nil) == isSealed)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)

    let other = try CommandHome("journal")
    let key = isSealed ? ["--passphrase-file", secret] : []
    let rehearsal = try other(["restore", file, "--dry-run"] + key)
    expect(rehearsal, status: 0)
    #expect(rehearsal.errorText.contains("nothing was kept"))
    #expect(try other("export", "--exact", "--format", "jsonl").text == "")
    // Nobody is asked, so nothing is kept without --yes.
    expectError(try other(["restore", file] + key), status: 2, saying: "--yes")
    #expect(try other("export", "--exact", "--format", "jsonl").text == "")
    expect(try other(["restore", file, "--yes"] + key), status: 0)
    #expect(try other("export", "--exact", "--format", "jsonl").text == lines)
    let again = try other(["restore", file, "--yes"] + key)
    expect(again, status: 0)
    #expect(again.errorText.contains("0 new records; 0 updated; nothing changed"))
    expect(try other("undo"), status: 0)
    #expect(try other("export", "--exact", "--format", "jsonl").text == "")
    // 'import' takes it too, and 'export' writes the same.
    let third = try CommandHome("journal")
    expect(try third(["import", file] + key), status: 0)
    let copy = third.folder("b.stoljournal")
    expect(try third(["export", "-o", copy, "--unsealed"]), status: 0)
    if !isSealed { #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == bytes) }
  }

  @Test func whatIsNotTheArchiveOrItsPassphraseSaysSo() throws {
    let home = try Self.orchard()
    let (file, secret) = (home.folder("a.stoljournal"), home.folder("secret"))
    try "an oak\n".write(toFile: secret, atomically: true, encoding: .utf8)
    expect(try home("backup", "-o", file, "--passphrase-file", secret), status: 0)
    try "an elm\n".write(toFile: secret, atomically: true, encoding: .utf8)
    for command in ["restore", "import"] {
      expectError(
        try home(command, file, "--dry-run", "--passphrase-file", secret), status: 2,
        saying: "a.stoljournal: wrong passphrase")
    }
    expectError(try home("restore", file, "--dry-run"), status: 2, saying: "--passphrase-file")
    try "an oak\n".write(toFile: secret, atomically: true, encoding: .utf8)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    bytes[bytes.count - 100] ^= 1
    try bytes.write(to: URL(fileURLWithPath: file))
    let other = try CommandHome("journal")
    expectError(
      try other("restore", file, "--yes", "--passphrase-file", secret), status: 3, saying: "damaged"
    )
    #expect(try other("export", "--exact", "--format", "jsonl").text == "")
    try "id,name\n".write(toFile: file, atomically: true, encoding: .utf8)
    expectError(
      try other("restore", file, "--yes"), status: 3, saying: "no archive of the journal")
    expectError(try other("restore", home.folder("none")), status: 6, saying: "none")
    expectError(try home("backup", "-o", "-", "--unsealed"), status: 2, saying: "standard output")
    expectError(
      try home("export", "--unsealed", "--format", "json"), status: 2, saying: "--format archive")
    expectError(
      try home("backup", "-o", file, "--unsealed", "--passphrase-file", secret), status: 2,
      saying: "choose one")
  }

  @Test func aBackupIsPutBesideTheJournal() throws {
    let home = try Self.orchard()
    expect(try home("backup", "--unsealed"), status: 0)
    let folder = home.folder("home/Journal/backup")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let form = /journal_\d{4}-\d{2}-\d{2}_\d{6}\.stoljournal/
    #expect(names.count == 1 && names.allSatisfy { $0.wholeMatch(of: form) != nil })
    #expect(try home("check").lines.last == "ok")
    expect(try home("restore", "\(folder)/\(names[0])", "--yes", "-q"), status: 0)
  }

  /// What was deleted goes into an empty journal as that, and is there already the second time.
  @Test func deletedRecordsAreCountedAsSuch() throws {
    let home = try Self.orchard()
    let (file, other) = (home.folder("a.stoljournal"), home.folder("other"))
    expect(try home("delete", Self.id), status: 0)
    expect(try home("backup", "-o", file, "--unsealed"), status: 0)
    func counts() throws -> [String: Int] {
      let taken = try home("restore", file, "--yes", "--data-dir", other, "--no-header")
      let rows = taken.lines.map { $0.components(separatedBy: "\t") }.filter { $0.count == 2 }
      return Dictionary(rows.map { ($0[0], Int($0[1]) ?? -1) }) { first, _ in first }
    }
    let first = try counts()
    let deleted = try #require(first["deleted"])
    #expect(deleted > 0 && first["same"] == 0)
    let second = try counts()
    #expect(second["deleted"] == 0 && second["same"] == deleted + (first["new"] ?? 0))
  }

  @Test func aRecordThatWasChangedLaterStaysUnlessItMayBeUpdated() throws {
    let home = try Self.orchard()
    let file = home.folder("a.stoljournal")
    expect(try home("edit", Self.id, "--count", "2"), status: 0)
    expect(try home("backup", "-o", file, "--unsealed"), status: 0)
    expect(try home("edit", Self.id, "--count", "3"), status: 0)
    func isCounted(_ count: Int) throws -> Bool {
      try home("show", Self.id).text.contains("\"count\":\(count),")
    }
    #expect(try isCounted(3))
    expect(try home("restore", file, "--yes"), status: 0)
    #expect(try isCounted(3))
    expect(try home("restore", file, "--yes", "--update"), status: 0)
    #expect(try isCounted(2))
  }
}
