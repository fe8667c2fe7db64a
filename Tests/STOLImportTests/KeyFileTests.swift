import Foundation
import STOLSystem
import TestSupport
import Testing

@testable import STOLImport
@testable import STOLTrust
@testable import STOLPack

@Suite("Key files")
struct KeyFileTests {
  @Test func secretKeyComesBackWithItsPassphraseOnly() throws {
    let folder = try TemporaryFolder()
    let key = try SigningKey()
    try key.write(
      to: folder("a.key"), passphrase: TestKey.passphrase("correct horse"), cost: .least)
    let again = try SigningKey(
      path: folder("a.key"), passphrase: TestKey.passphrase("correct horse"))
    #expect(again.verifyingKey == key.verifyingKey)
    #expect(try again.signature(of: [5]) == (try key.signature(of: [5])))
    for wrong in ["", "correct hors", "correct horse ", "Correct horse"] {
      #expect(throws: KeyError.wrongPassphrase) {
        try SigningKey(path: folder("a.key"), passphrase: TestKey.passphrase(wrong))
      }
    }
  }

  @Test func secretKeyFileIsTheOwnersOnlyAndNeverReplaced() throws {
    let folder = try TemporaryFolder()
    let passphrase = try TestKey.passphrase("x")
    try SigningKey().write(to: folder("a.key"), passphrase: passphrase, cost: .least)
    let mode = try FileManager.default.attributesOfItem(atPath: folder("a.key"))[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let before = try folder.bytes(of: "a.key")
    #expect(
      throws: KeyError.system(
        SystemError(operation: "open", path: folder("a.key"), code: .fileExists))
    ) {
      try SigningKey().write(to: folder("a.key"), passphrase: passphrase, cost: .least)
    }
    #expect(try folder.bytes(of: "a.key") == before)
  }

  @Test func everyFlippedBitAndTruncationOfASecretKeyIsRefused() throws {
    let folder = try TemporaryFolder()
    let passphrase = try TestKey.passphrase("x")
    try SigningKey().write(to: folder("a.key"), passphrase: passphrase, cost: .least)
    let bytes = try folder.bytes(of: "a.key")
    #expect(bytes.count == 136)
    for bit in 0..<bytes.count * 8 {
      // A greater cost that is still allowed would be paid for nothing here.
      if (64..<128).contains(bit) { continue }
      var wrong = bytes
      wrong[bit / 8] ^= 1 << UInt8(bit % 8)
      let path = try folder.write(wrong, to: "b.key")
      #expect(throws: KeyError.self) { try SigningKey(path: path, passphrase: passphrase) }
    }
    for count in 0..<bytes.count {
      let path = try folder.write(bytes.prefix(count), to: "b.key")
      #expect(throws: KeyError.self) { try SigningKey(path: path, passphrase: passphrase) }
    }
  }

  @Test func costsThatNobodyCanPayAreRefusedAtOnce() throws {
    let folder = try TemporaryFolder()
    let passphrase = try TestKey.passphrase("x")
    try SigningKey().write(to: folder("a.key"), passphrase: passphrase, cost: .least)
    for (offset, value) in [(8, UInt32.max), (8, 17), (8, 0), (12, UInt32.max), (12, 7)] {
      var bytes = try folder.bytes(of: "a.key")
      var wrong: [UInt8] = []
      LittleEndian.append(value, to: &wrong)
      bytes.replaceSubrange(offset..<offset + 4, with: wrong)
      let path = try folder.write(bytes, to: "b.key")
      #expect(
        throws: KeyError.malformedBytes(offset: 8, reason: "Argon2id parameters out of range")
      ) {
        try SigningKey(path: path, passphrase: passphrase)
      }
    }
  }

  @Test func secretsAreNeverPrinted() throws {
    let key = try TestKey.signing(0x41)
    var dumped = ""
    dump(key, to: &dumped)
    let secret = try TestKey.secret([0x41, 0x41, 0x41])
    dump(secret, to: &dumped)
    for text in [dumped, "\(key)", "\(secret)", String(reflecting: key)] {
      #expect(!text.contains("65") && !text.contains("AAA") && !text.contains("4141"), "\(text)")
    }
  }

  @Test func passphraseIsWipedWhereItWas() throws {
    var bytes: [UInt8] = Array("secret".utf8)
    let moved = SecretBytes(moving: &bytes)
    #expect(moved?.count == 6 && bytes.isEmpty)
  }

  @Test func publicKeyIsOneLine() throws {
    let folder = try TemporaryFolder()
    let key = try TestKey.signing(3).verifyingKey
    try key.write(to: folder("a.pub"))
    #expect(try VerifyingKey(path: folder("a.pub")) == key)
    let line = "stol-ed25519 \(key.id) \(Hexadecimal.text(key.bytes))"
    #expect(try folder.bytes(of: "a.pub") == Array((line + "\n").utf8))
    let path = try folder.write(line.utf8, to: "b.pub")
    #expect(try VerifyingKey(path: path) == key)
  }

  @Test func malformedPublicKeysAreRefused() throws {
    let folder = try TemporaryFolder()
    let key = try TestKey.signing(3).verifyingKey
    let text = key.fileText
    let other = try TestKey.signing(4).verifyingKey
    let wrong = [
      "", "\n", text + "\n", text + text, " " + text, text.uppercased(),
      text.replacingOccurrences(of: " ", with: "  "),
      text.replacingOccurrences(of: "\(key.id)", with: "\(other.id)"),
      String(text.dropLast(2)), text.replacingOccurrences(of: "\n", with: "00\n"),
      text.replacingOccurrences(of: "\n", with: "\r\n"), text + String(repeating: "x", count: 1000),
      "stol-ed25519 0000000000000000 \(String(repeating: "0", count: 64))\n",
    ]
    for text in wrong {
      let path = try folder.write(text.utf8, to: "a.pub")
      #expect(throws: KeyError.self, "\(text.debugDescription)") { try VerifyingKey(path: path) }
    }
    let bytes = Array(text.utf8)
    for bit in 0..<(bytes.count - 1) * 8 {
      var wrong = bytes
      wrong[bit / 8] ^= 1 << UInt8(bit % 8)
      let path = try folder.write(wrong, to: "a.pub")
      #expect(throws: KeyError.self, "bit \(bit)") { try VerifyingKey(path: path) }
    }
  }

  @Test func foldersPipesAndDevicesAreNoKeys() throws {
    let folder = try TemporaryFolder()
    try folder.makePipe("pipe")
    for path in [folder.path, folder("pipe"), "/dev/zero", folder("absent")] {
      #expect(throws: KeyError.self) { try VerifyingKey(path: path) }
      #expect(throws: KeyError.self) {
        try SigningKey(path: path, passphrase: TestKey.passphrase("x"))
      }
    }
  }
}
