import Foundation
import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLImport
@testable import STOLTrust
@testable import STOLMedia

@Suite("Installing media packs")
struct MediaImportTests {
  @Test func installsAndListsAPack() throws {
    let home = try Home()
    var stages: [MediaProgress.Stage] = []
    let added = try home.add(
      TestMedia.container(in: home.folder), progress: { stages.append($0.stage) })
    var seen: [MediaProgress.Stage] = []
    for stage in stages where seen.last != stage { seen.append(stage) }
    #expect(seen == MediaProgress.Stage.allCases)
    #expect(added.id.text == "animals" && added.imageCount == 2 && added.releaseNumber == 1)
    #expect(added.title == "Test" && added.licence == "CC0-1.0" && !added.isBundled)
    #expect(added.buildTime == "2026-01-01T00:00:00Z" && added.damage == nil)
    #expect(home.store.packs == [added])
    #expect(try home.files.keys.sorted() == ["animals.stolimages"])
    #expect(home.store.storageByteCount == added.byteCount)
    let archive = try home.folder.bytes(of: "a.stol-media.stolimages")
    #expect(try home.folder.bytes(of: "home/Media/animals.stolimages") == archive)
  }

  @Test func aNewerReleaseReplacesTheOldOneAndOthersStay() throws {
    let home = try Home()
    try home.add(TestMedia.container(in: home.folder))
    try home.add(TestMedia.container(in: home.folder, "b", id: "plants", taxa: [30]))
    try home.add(TestMedia.container(in: home.folder, "c", release: 2, taxa: [1, 4, 8]))
    #expect(home.store.packs.map(\.imageCount) == [3, 1])
    #expect(home.store.ids.map(\.text) == ["animals", "plants"])
  }

  @Test func refusesADowngradeUnlessAsked() throws {
    let home = try Home()
    let old = try TestMedia.container(in: home.folder, "old", release: 1)
    let other = try TestMedia.container(in: home.folder, "other", release: 2, content: "!")
    let new = try TestMedia.container(in: home.folder, "new", release: 2)
    try home.add(new)
    let before = try home.files
    let id = try TestMedia.id("animals")
    expectError(.downgrade(pack: id, installed: 2, offered: 1)) { try home.add(old) }
    expectError(.downgrade(pack: id, installed: 2, offered: 2)) { try home.add(other) }
    #expect(try home.files == before)
    try home.add(new)
    #expect(try home.files == before)
    #expect(try home.add(old, allowingDowngrade: true).releaseNumber == 1)
  }

  @Test func refusesStrangersAndOtherContainers() throws {
    let home = try Home()
    let path = try TestMedia.container(in: home.folder)
    let work = MediaImport(of: path, into: home.directory, trusting: Keyring(builtIn: []))
    let signer = try TestMedia.key.verifyingKey.id
    expectError(.container(.unknownKey(signer))) { _ = try work.run() }
    let release = try Container(path: path).header.release
    try ContainerWriter(schemaVersion: 1, release: release, key: try TestMedia.key).writeVersion2(
      database: TestMedia.vectors.appendingPathComponent("v2/valid/one.sqlite").path, pack: nil,
      to: home.folder("b.stol"))
    expectError(.container(.otherContent(found: .database, wanted: .media))) {
      try home.add(home.folder("b.stol"))
    }
    let keyring = try TestMedia.keyring
    let other = ReferenceImport(of: path, into: home.directory, trusting: keyring)
    #expect(throws: ContainerError.otherContent(found: .media, wanted: .database)) {
      _ = try other.run()
    }
    #expect(throws: MediaError.self) { try home.add(home.folder("missing")) }
    #expect(try home.files.isEmpty)
  }

  @Test func whatStopsItLeavesNothing() throws {
    struct Stop: Error {}
    let home = try Home()
    let path = try TestMedia.container(in: home.folder)
    for stage in MediaProgress.Stage.allCases {
      #expect(throws: Stop.self) {
        try home.add(path, progress: { if $0.stage == stage { throw Stop() } })
      }
      #expect(try home.files.isEmpty, "\(stage)")
    }
  }

  @Test func removesWhatAKilledOneLeft() throws {
    let home = try Home()
    let incoming = home.directory.media + "/incoming"
    func leave() throws {
      try FileManager.default.createDirectory(
        atPath: incoming, withIntermediateDirectories: true)
      try home.folder.write([1, 2, 3], to: "home/Media/incoming/images.1.tmp")
    }
    try leave()
    try home.add(TestMedia.container(in: home.folder))
    #expect(try home.files.keys.sorted() == ["animals.stolimages"])
    try leave()
    home.store.recover()
    #expect(try home.files.keys.sorted() == ["animals.stolimages"])
    try leave()
    try home.store.delete(TestMedia.id("animals"))
    #expect(try home.files.isEmpty)
  }

  @Test func installationsAtOnceEndWithOneWholePack() async throws {
    let home = try Home()
    let paths = try (0..<6).map {
      try TestMedia.container(in: home.folder, "\($0)", taxa: Array(1...($0 + 1)))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for path in paths {
        group.addTask { try home.add(path, allowingDowngrade: true) }
      }
      try await group.waitForAll()
    }
    let pack = try #require(home.store.packs.first)
    #expect(pack.damage == nil && (1...6).contains(pack.imageCount))
    #expect(try home.files.keys.sorted() == ["animals.stolimages"])
  }

  @Test func everyTruncationAndDamagedByteIsRefusedAndLeavesNothing() throws {
    let home = try Home()
    let whole = try home.folder.bytes(
      of: URL(fileURLWithPath: TestMedia.container(in: home.folder, taxa: [8])).lastPathComponent)
    for length in whole.indices {
      let path = try home.folder.write(whole[..<length], to: "x")
      #expect(throws: MediaError.self, "\(length)") { try home.add(path) }
    }
    for offset in whole.indices {
      var bytes = whole
      bytes[offset] ^= 1 << UInt8(offset % 8)
      let path = try home.folder.write(bytes, to: "x")
      #expect(throws: MediaError.self, "\(offset)") { try home.add(path) }
    }
    #expect(try home.files.isEmpty)
    try home.add(home.folder.write(whole, to: "x"))
  }

  @Test func everyBitFlipIsRefused() throws {
    let folder = try TemporaryFolder()
    let whole = try folder.bytes(
      of: URL(fileURLWithPath: TestMedia.container(in: folder, taxa: [8])).lastPathComponent)
    let keyring = try TestMedia.keyring
    for bit in 0..<whole.count * 8 {
      var bytes = whole
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      let path = try folder.write(bytes, to: "x")
      #expect(throws: (any Error).self, "\(bit)") {
        _ = try MediaImport.check(Container(path: path).verified(by: keyring))
      }
    }
  }

  /// A signer whose tool is broken, or who means harm: right signature, damaged archive.
  @Test func everyDamageOfASignedArchiveIsRefused() throws {
    let folder = try TemporaryFolder()
    let whole = try folder.bytes(
      of: URL(fileURLWithPath: TestMedia.archive(in: folder, taxa: [8])).lastPathComponent)
    func check(_ bytes: [UInt8], pieces: Int = 7) throws(MediaError) {
      var check = MediaArchiveCheck(byteCount: bytes.count)
      for start in stride(from: 0, to: bytes.count, by: pieces) {
        try check.update(Array(bytes[start..<min(start + pieces, bytes.count)]))
      }
      _ = try check.finish()
    }
    for pieces in 1...whole.count { try check(whole, pieces: pieces) }
    for bit in 0..<whole.count * 8 {
      var bytes = whole
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: MediaError.self, "\(bit)") { try check(bytes) }
    }
    for length in whole.indices {
      #expect(throws: MediaError.self, "\(length)") { try check(Array(whole[..<length])) }
    }
    #expect(throws: MediaError.self) { try check(whole + [0]) }
  }

  @Test func aBombIsRefusedBeforeItIsUnpacked() throws {
    let home = try Home()
    // 64 MiB of zeros behind a good archive: a few KB in the container.
    var bytes = try home.folder.bytes(
      of: URL(fileURLWithPath: TestMedia.archive(in: home.folder)).lastPathComponent)
    bytes += [UInt8](repeating: 0, count: 64 << 20)
    let path = try TestMedia.sign(home.folder.write(bytes, to: "x"), as: home.folder("y"))
    #expect(try Container(path: path).byteCount < 1 << 17)
    var unpacked = 0
    let container = try Container(path: path).verified(by: try TestMedia.keyring)
    #expect(throws: MediaError.self) {
      _ = try MediaImport.check(container, into: { unpacked += $0.count })
    }
    #expect(unpacked == 0)
    #expect(throws: MediaError.self) { try home.add(path) }
    #expect(try home.files.isEmpty)
  }
}
