import Foundation
import TestSupport
import Testing

@testable import STOLImport
@testable import STOLTrust
@testable import STOLPack

@Suite("Whose containers are accepted")
struct TrustTests {
  private func path(_ kind: TestContainer.Kind, _ folder: TemporaryFolder) throws -> String {
    try TestContainer.write(kind, to: folder("a.stol"))
    return folder("a.stol")
  }

  @Test(arguments: TestContainer.Kind.allCases)
  func aRootKeySignsNoDatabases(_ kind: TestContainer.Kind) throws {
    let folder = try TemporaryFolder()
    let path = try path(kind, folder)
    let key = try TestContainer.key.verifyingKey
    var keyring = Keyring(builtIn: [])
    try keyring.addRoot(key, label: "root")
    #expect(throws: ContainerError.keyOfKeyrings(key.id)) {
      try TestContainer.read(path, by: keyring)
    }
  }

  @Test(arguments: TestContainer.Kind.allCases)
  func unknownSignersAreRefused(_ kind: TestContainer.Kind) throws {
    let folder = try TemporaryFolder()
    let path = try path(kind, folder)
    let stranger = Keyring(only: try TestKey.signing(9).verifyingKey)
    let id = try TestContainer.key.verifyingKey.id
    #expect(throws: kind == .plain ? ContainerError.signatureInvalid : .unknownKey(id)) {
      try TestContainer.read(path, by: stranger)
    }
    #expect(throws: ContainerError.unknownKey(kind == .plain ? nil : id)) {
      try TestContainer.read(path, by: Keyring(builtIn: []))
    }
  }

  @Test(arguments: TestContainer.Kind.allCases)
  func revokedSignersAreRefused(_ kind: TestContainer.Kind) throws {
    let folder = try TemporaryFolder()
    let path = try path(kind, folder)
    var keyring = try TestContainer.keyring
    let id = try TestContainer.key.verifyingKey.id
    keyring.revoke(id)
    #expect(throws: ContainerError.revokedKey(id)) { try TestContainer.read(path, by: keyring) }
  }

  @Test(arguments: TestContainer.Kind.allCases)
  func rotationAcceptsTheNextKeyAndThenItOnly(_ kind: TestContainer.Kind) throws {
    let folder = try TemporaryFolder()
    let (first, second) = (try TestKey.signing(1), try TestKey.signing(2))
    try TestContainer.write(kind, to: folder("1.stol"), key: first)
    try TestContainer.write(kind, to: folder("2.stol"), key: second)
    let root = try TestKey.signing(3)
    var keyring = Keyring(
      builtIn: [(first.verifyingKey, .current), (root.verifyingKey, .root)])
    try TestContainer.read(folder("1.stol"), by: keyring)
    #expect(throws: ContainerError.self) { try TestContainer.read(folder("2.stol"), by: keyring) }
    let ring = try SignedKeyring(
      version: 1, rootKeys: [root.verifyingKey], currentKeys: [first.verifyingKey],
      nextKeys: [second.verifyingKey], signedBy: root)
    try keyring.apply(ring)
    try TestContainer.read(folder("1.stol"), by: keyring)
    try TestContainer.read(folder("2.stol"), by: keyring)
    try keyring.apply(ring.rotated(nextKeys: [], revokesOld: true, signedBy: root))
    #expect(throws: ContainerError.revokedKey(first.verifyingKey.id)) {
      try TestContainer.read(folder("1.stol"), by: keyring)
    }
    try TestContainer.read(folder("2.stol"), by: keyring)
  }

  /// A key that was added for one dataset signs no other, and nothing without a name.
  @Test(arguments: TestContainer.Kind.allCases)
  func aKeyIsOfItsDatasets(_ kind: TestContainer.Kind) throws {
    let folder = try TemporaryFolder()
    let path = try path(kind, folder)
    let key = try TestContainer.key.verifyingKey
    let dataset = kind == .plain ? nil : try TestContainer.release.dataset
    let other = try #require(DatasetID("other"))
    for isUnnamed in [false, true] {
      var keyring = Keyring(builtIn: [])
      try keyring.add(
        key, label: "a", for: KeyScope(datasets: [other], includesUnnamed: isUnnamed))
      if kind == .plain && isUnnamed {
        try TestContainer.read(path, by: keyring)
      } else {
        #expect(throws: ContainerError.keyOutOfScope(key.id, dataset)) {
          try TestContainer.read(path, by: keyring)
        }
      }
      guard let dataset else { continue }
      try keyring.add(key, label: "a", for: KeyScope(datasets: [dataset]))
      try TestContainer.read(path, by: keyring)
    }
  }

  @Test func aForgedKeyIDIsRefused() throws {
    // The id of a trusted key in a container that another key signed.
    let folder = try TemporaryFolder()
    let stranger = try TestKey.signing(9)
    let trusted = try TestContainer.key.verifyingKey
    for kind in [TestContainer.Kind.release, .database] {
      try TestContainer.write(kind, to: folder("a.stol"), key: stranger)
      var bytes = try folder.bytes(of: "a.stol")
      let wanted = stranger.verifyingKey.id.bytes
      let place = try #require(
        (0..<bytes.count - 8).first { Array(bytes[$0..<$0 + 8]) == wanted })
      bytes.replaceSubrange(place..<place + 8, with: trusted.id.bytes)
      let path = try folder.write(bytes, to: "a.stol")
      #expect(throws: ContainerError.signatureInvalid) { try TestContainer.read(path) }
    }
  }

  @Test func aVersion2SignatureIsNoneOfVersion1() throws {
    // Version 2 signs more than 36 bytes, whatever it carries, and so does a keyring.
    #expect(ContainerLayout.V2.domain.count + ContainerLayout.V2.signature.lowerBound > 36)
    let ring = try SignedKeyring(
      version: 1, rootKeys: [TestContainer.key.verifyingKey],
      currentKeys: [TestKey.signing(9).verifyingKey], signedBy: TestContainer.key)
    let signedText = ring.fileText.split(separator: "\n").dropLast().joined(separator: "\n")
    #expect(signedText.utf8.count > 36)
  }

  @Test func releasesAreChecked() throws {
    for text in ["a", "0.9-b", String(repeating: "x", count: 64)] {
      #expect(DatasetID(text)?.text == text)
    }
    for text in ["", "A", "a b", "a/b", "ä", "a\0", String(repeating: "x", count: 65)] {
      #expect(DatasetID(text) == nil)
    }
    for (text, seconds) in [
      ("1970-01-01T00:00:00Z", 0), ("2026-01-01T00:00:00Z", 1_767_225_600),
      ("2024-02-29T23:59:59Z", 1_709_251_199), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ] as [(String, UInt64)] {
      let time = try #require(BuildTime(text))
      #expect(time.secondsSince1970 == seconds && time.description == text)
    }
    #expect(BuildTime("2026-01-01 00:00:00") == BuildTime("2026-01-01"))
    for text in [
      "", "2026", "2026-13-01", "2026-02-29", "2026-01-00", "2026-01-01T24:00:00Z", "1969-12-31",
      "2026-01-01T00:00:00+01:00", "2026-1-1", "2026-01-01T00:00:60Z", "2026-01-01T00:0:000Z",
    ] { #expect(BuildTime(text) == nil, "\(text)") }
    #expect(BuildTime(secondsSince1970: 253_402_300_800) == nil)
  }

  @Test func theWriterRefusesWhatIsNoDatabase() throws {
    let folder = try TemporaryFolder()
    let writer = ContainerWriter(
      schemaVersion: 1, release: try TestContainer.release, key: try TestContainer.key)
    let text = try folder.write(Array("not a database".utf8), to: "text")
    #expect(throws: ContainerWriter.Failure.notADatabase(path: text)) {
      try writer.writeVersion1(database: text, to: folder("a.stol"))
    }
    let database = try folder.write(
      Data(contentsOf: URL(fileURLWithPath: TestContainer.database)), to: "one.sqlite")
    _ = try folder.write([1], to: "one.sqlite-wal")
    #expect(throws: ContainerWriter.Failure.unfinishedJournal(path: database)) {
      try writer.writeVersion2(database: database, pack: nil, to: folder("a.stol"))
    }
    let other = TestContainer.vectors.appendingPathComponent("v2/valid/roots.stolpack").path
    #expect(throws: ContainerWriter.Failure.self) {
      try writer.writeVersion2(database: TestContainer.database, pack: other, to: folder("a.stol"))
    }
    #expect(try folder.contents == ["one.sqlite", "one.sqlite-wal", "text"])
  }
}
