import Foundation
import TestSupport
import Testing

@testable import STOLImport
@testable import STOLTrust

@Suite("Keyrings")
struct KeyringTests {
  private func ring(
    _ version: Int, current: [UInt8], next: [UInt8] = [], revoked: [UInt8] = [], by signer: UInt8
  ) throws -> SignedKeyring {
    try SignedKeyring(
      version: version, currentKeys: current.map { try TestKey.signing($0).verifyingKey },
      nextKeys: next.map { try TestKey.signing($0).verifyingKey },
      revokedIDs: revoked.map { try id($0) }, signedBy: TestKey.signing(signer))
  }

  private func id(_ byte: UInt8) throws -> KeyID { try TestKey.signing(byte).verifyingKey.id }

  private func keyring(_ bytes: UInt8...) throws -> Keyring {
    Keyring(builtIn: try bytes.map { try TestKey.signing($0).verifyingKey })
  }

  private func trusted(_ keyring: Keyring) -> Set<KeyID> { Set(keyring.trustedKeys.map(\.id)) }

  @Test func rotatesToTheNextKeyAndRevokesTheOld() throws {
    var keyring = try keyring(1)
    try keyring.apply(ring(1, current: [1], next: [2], by: 1))
    #expect(trusted(keyring) == [try id(1), try id(2)])
    try keyring.apply(ring(2, current: [2], next: [3], revoked: [1], by: 2))
    #expect(trusted(keyring) == [try id(2), try id(3)])
    #expect(throws: KeyError.revoked(try id(1))) { try keyring.trustedKey(id(1)) }
    #expect(throws: KeyError.revoked(try id(1))) {
      try keyring.apply(ring(3, current: [1], by: 1))
    }
    #expect(throws: KeyError.revoked(try id(1))) {
      try keyring.add(TestKey.signing(1).verifyingKey, label: "again")
    }
    // A revoked key stays so, even if a later keyring lists it.
    try keyring.apply(ring(3, current: [1, 2], by: 2))
    #expect(trusted(keyring) == [try id(2)])
  }

  @Test func refusesUnknownSignersAndWrongSignatures() throws {
    var keyring = try keyring(1)
    #expect(throws: KeyError.unknown(try id(9))) { try keyring.apply(ring(1, current: [9], by: 9)) }
    let text = try ring(1, current: [1], by: 1).fileText
    let forged = text.replacingOccurrences(of: "version 1", with: "version 2")
    #expect(throws: KeyError.signatureInvalid) {
      try keyring.apply(SignedKeyring(fileText: forged))
    }
    #expect(keyring == (try self.keyring(1)))
  }

  @Test func everyFlippedBitAndTruncationIsRefused() throws {
    let text = try ring(7, current: [1], next: [2], revoked: [3], by: 1).fileText
    let folder = try TemporaryFolder()
    let bytes = Array(text.utf8)
    var damaged: [[UInt8]] = (0..<bytes.count).map { Array(bytes.prefix($0)) }
    for bit in 0..<bytes.count * 8 {
      var wrong = bytes
      wrong[bit / 8] ^= 1 << UInt8(bit % 8)
      damaged.append(wrong)
    }
    for wrong in damaged {
      let path = try folder.write(wrong, to: "ring")
      var keyring = try keyring(1)
      #expect(throws: KeyError.self) { try keyring.apply(SignedKeyring(path: path)) }
    }
    var keyring = try keyring(1)
    try keyring.apply(SignedKeyring(path: folder.write(bytes, to: "ring")))
    #expect(keyring.appliedVersion == 7)
  }

  @Test func refusesAnOlderKeyringAndAnotherOfTheSameVersion() throws {
    var keyring = try keyring(1)
    let second = try ring(2, current: [1], next: [2], by: 1)
    try keyring.apply(second)
    #expect(throws: KeyError.olderKeyring(version: 1, applied: 2)) {
      try keyring.apply(ring(1, current: [1], by: 1))
    }
    #expect(throws: KeyError.conflictingKeyring(version: 2)) {
      try keyring.apply(ring(2, current: [1], by: 1))
    }
    let before = keyring
    try keyring.apply(second)
    #expect(keyring == before)
  }

  @Test func contradictionsAreRefused() throws {
    #expect(throws: KeyError.self) { try ring(1, current: [], by: 1) }
    #expect(throws: KeyError.self) { try ring(1, current: [1, 1], by: 1) }
    #expect(throws: KeyError.self) { try ring(1, current: [1], next: [1], by: 1) }
    #expect(throws: KeyError.self) { try ring(1, current: [1], revoked: [1], by: 1) }
    #expect(throws: KeyError.self) { try ring(0, current: [1], by: 1) }
    #expect(throws: KeyError.self) { try ring(1, current: Array(1...65), by: 1) }
  }

  @Test func isKeptInTheFolderOfKeys() throws {
    let folder = try TemporaryFolder()
    let keys = folder("home/Keys")
    #expect(try Keyring(folder: keys, builtIn: []).trustedKeys.isEmpty)
    let first = try TestKey.signing(1).verifyingKey
    let saved = try Keyring.update(folder: keys) { ring throws(KeyError) in
      try ring.add(first, label: "from\nthe web\u{202E}")
    }
    #expect(saved.entries.map(\.origin) == [.added(label: "fromtheweb")])
    #expect(try Keyring(folder: keys) == saved)
    let applied = try ring(4, current: [2], next: [3], revoked: [5], by: 1)
    let after = try Keyring.update(folder: keys) { ring throws(KeyError) in try ring.apply(applied)
    }
    #expect(try Keyring(folder: keys) == after)
    #expect(trusted(after) == [try id(1), try id(2), try id(3)])
    #expect(after.appliedVersion == 4)
    #expect(after.revokedIDs == [try id(5)])
    _ = try Keyring.update(folder: keys) { ring throws(KeyError) in try ring.remove(first.id) }
    #expect(trusted(try Keyring(folder: keys)) == [try id(2), try id(3)])
    #expect(throws: KeyError.unknown(first.id)) {
      try Keyring.update(folder: keys) { ring throws(KeyError) in try ring.remove(first.id) }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: keys) == ["keys.txt"])
  }

  @Test func aDamagedFileTrustsNothing() throws {
    let folder = try TemporaryFolder()
    let id = try id(1)
    _ = try Keyring.update(folder: folder.path) { ring throws(KeyError) in ring.revoke(id) }
    let text = String(decoding: try folder.bytes(of: "keys.txt"), as: UTF8.self)
    #expect(text == "stol-keys-1\nrevoked \(id)\n")
    for wrong in [
      "", String(text.dropLast()), text + "x\n", "stol-keys-2\n", text + "added x\n", text + "\n",
      "stol-keys-1\nring 1\n", "stol-keys-1\nring 01 00\n", "stol-keys-1\nring 99999999999 00\n",
    ] {
      _ = try folder.write(wrong.utf8, to: "keys.txt")
      #expect(throws: KeyError.self, "\(wrong.debugDescription)") {
        try Keyring(folder: folder.path)
      }
    }
  }

  @Test func changesOfManyAreAllKept() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    let ids = try (1...16).map { try id($0) }
    await withTaskGroup(of: Void.self) { group in
      for id in ids {
        group.addTask {
          _ = try? Keyring.update(folder: path) { ring throws(KeyError) in ring.revoke(id) }
        }
      }
    }
    #expect(try Keyring(folder: path).revokedIDs == Set(ids))
  }
}
