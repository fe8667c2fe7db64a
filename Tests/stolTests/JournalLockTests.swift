#if Encryption
import Foundation
import TestSupport
import Testing

@Suite("stol journal lock, unlock and passphrase")
struct JournalLockTests {
  private static func file(_ home: CommandHome, _ name: String, _ text: String) throws -> String {
    let path = home.folder(name)
    try "\(text)\n".write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test func itIsLockedOpenedAndUnlocked() throws {
    let home = try CommandHome("journal")
    expect(try home("add", "Panthera leo", "--when", "2026-03-15", "--no-collection"), status: 0)
    let lines = try home("export", "--exact", "--format", "jsonl").text
    let key = ["--journal-passphrase-file", try Self.file(home, "secret", "an oak")]
    let wrong = ["--journal-passphrase-file", try Self.file(home, "wrong", "a beech")]
    for words in ["unlock", "passphrase"] {
      expectError(try home([words] + key), status: 2, saying: "stol journal lock")
    }
    let locked = try home(["lock"] + key)
    expect(locked, status: 0)
    let code = locked.text
    #expect(code.wholeMatch(of: /([0-9A-Z]{4}-){8}[0-9A-Z]{4}\n/) != nil)
    #expect(locked.errorText.contains("the journal is locked") && !locked.errorText.contains(code))
    expectError(try home(["lock"] + key), status: 2, saying: "locked already")
    // Nobody can be asked here.
    expectError(try home("list"), status: 2, saying: "--journal-passphrase-file")
    expectError(try home(["list"] + wrong), status: 2, saying: "another passphrase opens it")
    #expect(try home(["export", "--exact", "--format", "jsonl"] + key).text == lines)
    expect(try home(["check"] + key), status: 0)

    let codeFile = try Self.file(home, "code", code)
    let new = try Self.file(home, "new", "an ash")
    expectError(
      try home(["passphrase", "--new-passphrase-file", new] + wrong), status: 2,
      saying: "another passphrase opens it")
    let changed = try home(
      "passphrase", "--recovery-code-file", codeFile, "--new-passphrase-file", new)
    expect(changed, status: 0)
    #expect(changed.text == "")
    expectError(try home(["list"] + key), status: 2, saying: "another passphrase opens it")
    let again = ["--journal-passphrase-file", new]
    let renewed = try home(
      ["passphrase", "--new-recovery-code", "--new-passphrase-file", new] + again)
    expect(renewed, status: 0)
    #expect(renewed.text != code && renewed.text.utf8.count == code.utf8.count)
    expectError(
      try home("passphrase", "--recovery-code-file", codeFile, "--new-passphrase-file", new),
      status: 2, saying: "another recovery code opens it")
    expectError(
      try home("passphrase", "--recovery-code-file", new, "--new-passphrase-file", new),
      status: 2, saying: "nine groups of four")
    expectError(try home(["unlock"] + wrong), status: 2, saying: "another passphrase opens it")
    expect(try home(["unlock"] + again), status: 0)
    #expect(try home("export", "--exact", "--format", "jsonl").text == lines)
  }
}
#else
import TestSupport
import Testing

@Suite("stol journal lock, without what encrypts")
struct JournalLockTests {
  @Test func itSaysWhyItCannotBeDone() throws {
    let home = try CommandHome("journal")
    expect(try home("add", "Panthera leo", "--no-collection"), status: 0)
    let key = home.folder("secret")
    try "an oak\n".write(toFile: key, atomically: true, encoding: .utf8)
    expectError(
      try home("lock", "--journal-passphrase-file", key), status: 2, saying: "Tools/build")
    expect(try home("list"), status: 0)
  }
}
#endif
