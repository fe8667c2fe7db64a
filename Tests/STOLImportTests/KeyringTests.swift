import Foundation
import TestSupport
import Testing

@testable import STOLImport
@testable import STOLTrust

@Suite("Keyrings")
struct KeyringTests {
  /// A keyring whose root key is 200, and recovery key 201, unless others are named.
  private func ring(
    _ version: Int, roots: [UInt8] = [200], recovery: [UInt8] = [], current: [UInt8],
    next: [UInt8] = [], revoked: [UInt8] = [], by signer: UInt8 = 200
  ) throws -> SignedKeyring {
    try SignedKeyring(
      version: version, rootKeys: keys(roots), recoveryKeys: keys(recovery),
      currentKeys: keys(current), nextKeys: keys(next), revokedIDs: revoked.map { try id($0) },
      signedBy: TestKey.signing(signer))
  }

  private func keys(_ bytes: [UInt8]) throws -> [VerifyingKey] {
    try bytes.map { try TestKey.signing($0).verifyingKey }
  }

  private func id(_ byte: UInt8) throws -> KeyID { try TestKey.signing(byte).verifyingKey.id }

  /// A keyring with built-in keys: 200 is the root.
  private func keyring(_ bytes: UInt8...) throws -> Keyring {
    Keyring(
      builtIn: try [(TestKey.signing(200).verifyingKey, .root)]
        + bytes.map { (try TestKey.signing($0).verifyingKey, .current) })
  }

  private func trusted(_ keyring: Keyring) -> Set<KeyID> { Set(keyring.trustedKeys.map(\.id)) }

  private static let mammals = KeyScope(datasets: [DatasetID("mammals")].compactMap { $0 })

  @Test func rotatesToTheNextKeyAndRevokesTheOld() throws {
    var keyring = try keyring(1)
    let first = try ring(1, current: [1], next: [2])
    try keyring.apply(first)
    #expect(trusted(keyring) == [try id(1), try id(2)])
    let second = try first.rotated(
      nextKeys: keys([3]), revokesOld: true, signedBy: TestKey.signing(200))
    #expect(second.version == 2)
    try keyring.apply(second)
    #expect(trusted(keyring) == [try id(2), try id(3)])
    #expect(throws: KeyError.revoked(try id(1))) { try keyring.trustedKey(id(1), for: nil) }
    #expect(throws: KeyError.revoked(try id(1))) {
      try keyring.add(TestKey.signing(1).verifyingKey, label: "again", for: Self.mammals)
    }
    // A revoked key stays so, even if a later keyring lists it.
    try keyring.apply(ring(3, current: [1, 2]))
    #expect(trusted(keyring) == [try id(2)])
    let third = try second.rotated(
      nextKeys: [], revokesOld: false, signedBy: TestKey.signing(200))
    #expect(third.revokedIDs == [try id(1)])
    #expect(third.currentKeys == (try keys([3])))
    #expect(throws: KeyError.self) {
      try third.rotated(nextKeys: keys([4]), revokesOld: false, signedBy: TestKey.signing(200))
    }
  }

  @Test func onlyRootKeysSignKeyrings() throws {
    var keyring = try keyring(1)
    try keyring.add(TestKey.signing(5).verifyingKey, label: "theirs", for: Self.mammals)
    let before = keyring
    // One that is built in, one that a person added, one that nobody knows.
    #expect(throws: KeyError.notARoot(try id(1))) {
      try keyring.apply(ring(1, current: [1], by: 1))
    }
    #expect(throws: KeyError.notARoot(try id(5))) {
      try keyring.apply(ring(2_147_483_647, roots: [6], current: [7], revoked: [200, 1], by: 5))
    }
    #expect(throws: KeyError.unknown(try id(9))) { try keyring.apply(ring(1, current: [9], by: 9)) }
    #expect(keyring == before)
    // Nor does a root sign databases.
    #expect(throws: KeyError.unknown(try id(200))) { try keyring.trustedKey(id(200), for: nil) }
    #expect(throws: KeyError.otherRole(try id(200))) {
      try keyring.add(TestKey.signing(200).verifyingKey, label: "x", for: Self.mammals)
    }
    #expect(throws: KeyError.otherRole(try id(1))) {
      try keyring.addRoot(TestKey.signing(1).verifyingKey, label: "x")
    }
    // A root that a person added does, and may bring in others.
    try keyring.addRoot(TestKey.signing(6).verifyingKey, label: "ours")
    try keyring.apply(ring(1, roots: [7], current: [8], by: 6))
    try keyring.apply(ring(2, roots: [7], current: [8], next: [9], by: 7))
    #expect(trusted(keyring) == [try id(1), try id(8), try id(9), try id(5)])
  }

  @Test func addedKeysAreOfSomeDatasets() throws {
    var keyring = try keyring()
    let key = try TestKey.signing(5).verifyingKey
    let birds = try #require(DatasetID("birds"))
    let mammals = try #require(DatasetID("mammals"))
    try keyring.add(key, label: "theirs", for: Self.mammals)
    #expect(try keyring.trustedKey(key.id, for: mammals) == key)
    #expect(throws: KeyError.outOfScope(key.id, birds)) {
      try keyring.trustedKey(key.id, for: birds)
    }
    #expect(throws: KeyError.outOfScope(key.id, nil)) { try keyring.trustedKey(key.id, for: nil) }
    try keyring.add(key, label: "more", for: KeyScope(datasets: [birds], includesUnnamed: true))
    for dataset in [birds, mammals, nil] {
      #expect(try keyring.trustedKey(key.id, for: dataset) == key)
    }
    #expect(keyring.entries.last?.scope?.names == ["birds", "mammals", "@unnamed"])
  }

  /// Whoever steals a root key cannot keep the others out for good.
  @Test func recoveryKeysAreTheLastWord() throws {
    var keyring = try keyring(1)
    try keyring.apply(ring(1, recovery: [201], current: [1]))
    for stolen in [
      try ring(2, recovery: [], current: [66]), try ring(2, recovery: [66], current: [67]),
      try ring(2, recovery: [201, 66], current: [67]),
      try ring(2, recovery: [66], current: [67], revoked: [201]),
    ] {
      #expect(throws: KeyError.recoveryKeyNeeded(try id(200))) { try keyring.apply(stolen) }
    }
    // The thief gets this far, and is thrown out.
    try keyring.apply(ring(101, roots: [66], recovery: [201], current: [67], revoked: [1]))
    #expect(trusted(keyring) == [try id(67)])
    try keyring.apply(
      ring(
        102, roots: [210], recovery: [202], current: [2], revoked: [200, 66, 67, 201], by: 201))
    #expect(trusted(keyring) == [try id(2)])
    #expect(throws: KeyError.revoked(try id(66))) {
      try keyring.apply(ring(103, roots: [66], recovery: [202], current: [67], by: 66))
    }
    #expect(throws: KeyError.revoked(try id(201))) {
      try keyring.apply(ring(103, roots: [210], recovery: [202], current: [2], by: 201))
    }
    try keyring.apply(ring(103, roots: [210], recovery: [202], current: [3], by: 210))
    #expect(trusted(keyring) == [try id(3)])
  }

  @Test func somebodyCanAlwaysSignTheNext() throws {
    var keyring = try keyring(1)
    keyring.revoke(try id(7))
    #expect(throws: KeyError.noRootLeft) { try keyring.apply(ring(1, roots: [7], current: [1])) }
    #expect(throws: KeyError.self) { try ring(1, roots: [], current: [1]) }
  }

  @Test func versionsDoNotJump() throws {
    var keyring = try keyring(1)
    for version in [101, 2_147_483_647] {
      #expect(throws: KeyError.keyringJump(version: version, applied: 0)) {
        try keyring.apply(ring(version, current: [1]))
      }
    }
    try keyring.apply(ring(100, current: [1]))
    #expect(throws: KeyError.keyringJump(version: 201, applied: 100)) {
      try keyring.apply(ring(201, current: [1]))
    }
    try keyring.apply(ring(200, current: [1]))
    #expect(keyring.appliedVersion == 200)
  }

  @Test func refusesWrongSignatures() throws {
    var keyring = try keyring(1)
    let text = try ring(1, current: [1]).fileText
    let forged = text.replacingOccurrences(of: "version 1", with: "version 2")
    #expect(throws: KeyError.signatureInvalid) {
      try keyring.apply(SignedKeyring(fileText: forged))
    }
    #expect(keyring == (try self.keyring(1)))
  }

  @Test func everyFlippedBitAndTruncationIsRefused() throws {
    let text = try ring(7, recovery: [201], current: [1], next: [2], revoked: [3]).fileText
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
    let second = try ring(2, current: [1], next: [2])
    try keyring.apply(second)
    #expect(throws: KeyError.olderKeyring(version: 1, applied: 2)) {
      try keyring.apply(ring(1, current: [1]))
    }
    #expect(throws: KeyError.conflictingKeyring(version: 2)) {
      try keyring.apply(ring(2, current: [1]))
    }
    let before = keyring
    try keyring.apply(second)
    #expect(keyring == before)
  }

  @Test func contradictionsAreRefused() throws {
    #expect(throws: KeyError.self) { try ring(1, current: []) }
    #expect(throws: KeyError.self) { try ring(1, current: [1, 1]) }
    #expect(throws: KeyError.self) { try ring(1, current: [1], next: [1]) }
    #expect(throws: KeyError.self) { try ring(1, current: [200]) }
    #expect(throws: KeyError.self) { try ring(1, recovery: [200], current: [1]) }
    #expect(throws: KeyError.self) { try ring(1, current: [1], revoked: [1]) }
    #expect(throws: KeyError.self) { try ring(0, current: [1]) }
    #expect(throws: KeyError.self) { try ring(1, current: Array(1...64)) }
  }

  @Test func isKeptInTheFolderOfKeys() throws {
    let folder = try TemporaryFolder()
    let keys = folder("home/Keys")
    #expect(try Keyring(folder: keys, builtIn: []).trustedKeys.isEmpty)
    let first = try TestKey.signing(1).verifyingKey
    let saved = try Keyring.update(folder: keys) { ring throws(KeyError) in
      try ring.add(first, label: "from\nthe web\u{202E}", for: Self.mammals)
    }
    #expect(saved.entries.map(\.origin) == [.added(label: "fromtheweb")])
    #expect(try Keyring(folder: keys) == saved)
    let applied = try ring(4, recovery: [201], current: [2], next: [3], revoked: [5])
    let root = try TestKey.signing(200).verifyingKey
    let after = try Keyring.update(folder: keys) { ring throws(KeyError) in
      try ring.addRoot(root, label: "root")
      try ring.apply(applied)
    }
    #expect(Set(after.rootKeys.map(\.id)) == [try id(200), try id(201)])
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
    #expect(text == "stol-keys-2\nrevoked \(id)\n")
    for wrong in [
      "", String(text.dropLast()), text + "x\n", "stol-keys-1\n", text + "added x\n", text + "\n",
      "stol-keys-2\nring 1\n", "stol-keys-2\nring 01 00\n", "stol-keys-2\nring 99999999999 00\n",
    ] {
      _ = try folder.write(wrong.utf8, to: "keys.txt")
      #expect(throws: KeyError.self, "\(wrong.debugDescription)") {
        try Keyring(folder: folder.path)
      }
    }
  }

  @Test func aFileOfAnOlderStolSaysWhatToDo() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("stol-keys-1\nrevoked 0123456789abcdef\n".utf8, to: "keys.txt")
    let error = #expect(throws: KeyError.self) { try Keyring(folder: folder.path) }
    #expect(error?.description.contains("stol db keys add NAME.pub --dataset ID") == true)
  }

  @Test func aKeyOfKeyringsIsNotTakenForContainers() throws {
    let ring = try keyring(1)
    let root = try TestKey.signing(200).verifyingKey
    #expect(throws: KeyError.otherRole(root.id)) { try ring.only(root) }
    for byte: UInt8 in [1, 2] {
      let key = try TestKey.signing(byte).verifyingKey
      #expect(try ring.only(key) == Keyring(only: key))
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
