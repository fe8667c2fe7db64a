import Foundation
import GRDB
import Logging
import STOLPack
import STOLSystem
import TestSupport
import Testing

@testable import STOLData
@testable import STOLImport
@testable import STOLTrust

@Suite("Imports")
struct ImportTests {
  /// A data directory and what lies in its folder of databases.
  private struct Home {
    let folder: TemporaryFolder
    var directory: DataDirectory { DataDirectory(override: folder("home")) }
    var store: ReferenceStore { ReferenceStore(in: directory) }

    init() throws { folder = try TemporaryFolder() }

    @discardableResult
    func importing(
      _ path: String, _ change: (inout ReferenceImport.Options) -> Void = { _ in },
      progress: (ImportProgress) throws -> Void = { _ in }
    ) throws -> InstalledReference {
      var options = ReferenceImport.Options()
      change(&options)
      return try ReferenceImport(
        of: path, into: directory, trusting: try TestContainer.keyring, options: options
      ).run(progress: progress)
    }

    /// All files, with their bytes.
    var files: [String: Data] {
      get throws {
        var files: [String: Data] = [:]
        let root = folder("home")
        for name in try FileManager.default.subpathsOfDirectory(atPath: root) {
          files[name] = FileManager.default.contents(atPath: root + "/" + name)
        }
        return files
      }
    }
  }

  @Test(arguments: [(UInt32?.none, false), (1, false), (1, true)])
  func installsEveryKindOfContainer(_ release: UInt32?, _ isVersion2: Bool) throws {
    let home = try Home()
    let path = try TestDatabase.container(in: home.folder, release: release, version2: isVersion2)
    var stages: [ImportProgress.Stage] = []
    var last = -1.0
    let installed = try home.importing(
      path,
      progress: { step in
        if stages.last != step.stage { stages.append(step.stage) }
        #expect(step.fractionCompleted >= last)
        last = step.fractionCompleted
      })
    #expect(stages == ImportProgress.Stage.allCases)
    #expect(installed.isActive)
    #expect(installed.releaseNumber == release ?? 0)
    #expect(installed.dataset == (release == nil ? nil : "test"))
    let active = try DatabaseSnapshot(
      in: home.directory, onFallback: { Issue.record("fell back: \($0)") })
    #expect(active.source == .reference(installed))
    #expect(active.pack.taxonCount == 3)
    #expect(
      try home.files.keys.sorted() == [
        "Databases/reference-1/reference.sqlite", "Databases/reference-1/reference.stolpack",
        "Databases/reference.txt",
      ] + (release == nil ? [] : ["Databases/releases.txt"]))
    let original = FileManager.default.contents(atPath: path + ".sqlite")
    #expect(try home.files["Databases/reference-1/reference.sqlite"] == original)
  }

  @Test func aNewerReleaseReplacesTheOldOne() throws {
    let home = try Home()
    try home.importing(TestDatabase.container(in: home.folder, release: 1))
    let before = try DatabaseSnapshot(in: home.directory)
    let second = try TestDatabase.container(
      TestDatabase.other, in: home.folder, name: "b.stol", release: 2)
    let installed = try home.importing(second)
    #expect(installed.generation == 2)
    #expect(try DatabaseSnapshot(in: home.directory).pack.taxonCount == 4)
    // The old mapping answers on, though its files are gone.
    #expect(before.pack.taxonCount == 3)
    guard case .found = before.pack.view.resolve("Panthera leo") else {
      Issue.record("the old pack no longer answers")
      return
    }
    #expect(try home.files["Databases/reference-1/reference.stolpack"] == nil)
  }

  @Test func olderReleasesAndOtherDatasetsHaveToBeAskedFor() throws {
    let home = try Home()
    try home.importing(TestDatabase.container(in: home.folder, release: 2))
    let before = try home.files
    let older = try TestDatabase.container(in: home.folder, name: "b.stol", release: 1)
    #expect(throws: ImportError.downgrade(installed: 2, offered: 1)) { try home.importing(older) }
    let plain = try TestDatabase.container(in: home.folder, name: "c.stol", release: nil)
    #expect(throws: ImportError.otherDataset(installed: "test", offered: nil)) {
      try home.importing(plain)
    }
    let changed = try TestDatabase.container(
      TestDatabase.other, in: home.folder, name: "d.stol", release: 2)
    #expect(throws: ImportError.downgrade(installed: 2, offered: 2)) { try home.importing(changed) }
    let other = try TestDatabase.container(
      in: home.folder, name: "e.stol", dataset: "other", release: 9)
    #expect(throws: ImportError.otherDataset(installed: "test", offered: "other")) {
      try home.importing(other)
    }
    #expect(try home.files == before)
    #expect(try home.importing(home.folder("a.stol")).releaseNumber == 2)
    #expect(try home.importing(older) { $0.allowsDowngrade = true }.releaseNumber == 1)
    #expect(try home.importing(other) { $0.allowsOtherDataset = true }.dataset == "other")
  }

  /// What was the highest release stays known: neither deleting nor another dataset opens a way back.
  @Test func theHighestReleaseIsNeverForgotten() throws {
    let home = try Home()
    let second = try TestDatabase.container(in: home.folder, release: 2)
    let first = try TestDatabase.container(in: home.folder, name: "b.stol", release: 1)
    let changed = try TestDatabase.container(
      TestDatabase.other, in: home.folder, name: "c.stol", release: 2)
    let other = try TestDatabase.container(
      in: home.folder, name: "d.stol", dataset: "other", release: 1)
    let plain = try TestDatabase.container(in: home.folder, name: "e.stol", release: nil)
    try home.importing(second)
    func refusesOlder() {
      #expect(throws: ImportError.downgrade(installed: 2, offered: 1)) {
        try home.importing(first) { $0.allowsOtherDataset = true }
      }
      #expect(throws: ImportError.downgrade(installed: 2, offered: 2)) {
        try home.importing(changed) { $0.allowsOtherDataset = true }
      }
    }
    refusesOlder()
    try home.store.delete()
    refusesOlder()
    for container in [other, plain] {
      try home.importing(container) { $0.allowsOtherDataset = true }
      refusesOlder()
    }
    #expect(
      try home.importing(first) {
        $0.allowsOtherDataset = true
        $0.allowsDowngrade = true
      }.releaseNumber == 1)
    // Whoever went back once is asked again.
    refusesOlder()
    #expect(try home.importing(second).releaseNumber == 2)
    let path = home.store.folder + "/releases.txt"
    try Data("stol-releases-1\nother 1".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: ReferenceStore.Failure.recordDamaged(path: path)) {
      try home.importing(second)
    }
  }

  /// Makes a pack one of format 1, which states its length and checksum in the same places.
  private static func makeOlder(_ bytes: inout [UInt8]) {
    bytes[8] = 1
    let checksum = Checksum.of(Array(bytes[..<124]))
    for place in 0..<4 { bytes[124 + place] = UInt8(truncatingIfNeeded: checksum >> (place * 8)) }
  }

  /// A pack that travels is that of its database, byte for byte, or the container is refused.
  @Test func aPackOfAnotherDatabaseIsRefused() throws {
    let home = try Home()
    let database = home.folder("a.sqlite")
    try TestDatabase.write(TestDatabase.sound, to: database)
    let time = try #require(BuildTime("2026-01-01T00:00:00Z"))
    let id = try #require(DatasetID("test"))
    let writer = ContainerWriter(
      schemaVersion: 1, release: Release(dataset: id, number: 1, buildTime: time),
      key: try TestContainer.key)
    _ = try PackCompiler(path: database).compile(to: home.folder("own"))
    func container(_ name: String, _ change: (inout [UInt8]) throws -> Void) throws -> String {
      var bytes = try home.folder.bytes(of: "own")
      try change(&bytes)
      let pack = try home.folder.write(bytes, to: name)
      try writer.writeParts(
        [(database, .database), (pack, .pack)], to: pack + ".stol", { _, _ in })
      return pack + ".stol"
    }
    for compiles in [true, false] {
      #expect(
        try home.importing(container("good") { _ in }) { $0.compiles = compiles }.releaseNumber == 1
      )
      let junk = try container("junk") { $0 = Array($0.prefix(16)) + [7, 7, 7] }
      #expect(throws: PackError.self) { try home.importing(junk) { $0.compiles = compiles } }
      // The number of an older format alone makes no pack of it.
      let numbered = try container("numbered") { bytes in
        bytes.replaceSubrange(8..<10, with: [1, 0])
        bytes.replaceSubrange(10..., with: repeatElement(7, count: 4000))
      }
      #expect(throws: PackError.self) { try home.importing(numbered) { $0.compiles = compiles } }
      let cut = try container("cut") { bytes in
        Self.makeOlder(&bytes)
        bytes.removeLast()
      }
      #expect(throws: PackError.self) { try home.importing(cut) { $0.compiles = compiles } }
      let older = try container("older") { Self.makeOlder(&$0) }
      let installed = try home.importing(older) { $0.compiles = compiles }
      let pack = FileManager.default.contents(atPath: home.store.packPath(installed))
      #expect(try pack.map(Array.init) == home.folder.bytes(of: "own"))
      let newer = try container("newer") { $0[8] = 99 }
      #expect(throws: PackError.unsupportedVersion(got: 99, expected: Int(Pack.formatVersion))) {
        try home.importing(newer) { $0.compiles = compiles }
      }
      let foreign = try container("foreign") { bytes in
        let other = home.folder("other-\(compiles).sqlite")
        try TestDatabase.write(TestDatabase.other, to: other)
        _ = try PackCompiler(path: other).compile(to: home.folder("other"))
        bytes = try home.folder.bytes(of: "other")
      }
      #expect(throws: ImportError.otherPack(reason: "it was compiled from another one")) {
        try home.importing(foreign) { $0.compiles = compiles }
      }
    }
  }

  @Test func cancellingAtAnyPointChangesNothing() throws {
    let home = try Home()
    try home.importing(TestDatabase.container(in: home.folder, release: 1))
    let before = try home.files
    let next = try TestDatabase.container(
      TestDatabase.other, in: home.folder, name: "b.stol", release: 2)
    var steps = 0
    var cancelled = 0
    while true {
      var count = 0
      do {
        try home.importing(
          next,
          progress: { _ in
            count += 1
            if count > steps { throw CancellationError() }
          })
        break
      } catch is CancellationError {
        cancelled += 1
        #expect(try home.files == before, "cancelled at step \(steps)")
        steps += 1
      }
    }
    #expect(cancelled >= ImportProgress.Stage.allCases.count)
    #expect(try DatabaseSnapshot(in: home.directory).pack.taxonCount == 4)
    print("\(cancelled) cancelled imports, nothing changed")
  }

  @Test func everyFlippedBitLeavesTheOldReference() throws {
    let home = try Home()
    try home.importing(TestDatabase.container(in: home.folder, release: 1))
    let before = try home.files
    let path = try TestDatabase.container(
      TestDatabase.other, in: home.folder, name: "b.stol", release: 2)
    let bytes = try home.folder.bytes(of: "b.stol")
    // Every bit is refused in the tests of containers; here a sample goes all the way.
    for bit in stride(from: 0, to: bytes.count * 8, by: 131) {
      var wrong = bytes
      wrong[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = try home.folder.write(wrong, to: "b.stol")
      #expect(throws: (any Error).self, "bit \(bit)") { try home.importing(path) }
    }
    #expect(try home.files == before)
  }

  @Test func switchesAndDeletes() throws {
    let home = try Home()
    let store = home.store
    #expect(throws: ReferenceStore.Failure.notInstalled) { try store.setActive(true) }
    let installed = try home.importing(TestDatabase.container(in: home.folder)) {
      $0.activates = false
    }
    #expect(!installed.isActive)
    #expect(try DatabaseSnapshot(in: home.directory).source == .bundled)
    #expect(try store.setActive(true).isActive)
    #expect(try DatabaseSnapshot(in: home.directory).source != .bundled)
    #expect(try !store.setActive(false).isActive)
    try store.delete()
    #expect(try store.installed() == nil)
    #expect(try home.files.keys.allSatisfy { !$0.contains("reference") })
    try store.delete()
    try home.importing(home.folder("a.stol"))
    #expect(try DatabaseSnapshot(in: home.directory).source != .bundled)
  }

  @Test(arguments: ["missing", "emptied", "state"])
  func aReferenceThatCannotBeUsedFallsBack(_ damage: String) throws {
    let home = try Home()
    let installed = try home.importing(TestDatabase.container(in: home.folder))
    let store = home.store
    switch damage {
    case "missing":
      try FileManager.default.removeItem(atPath: store.packPath(installed))
    case "emptied":
      try Data().write(to: URL(fileURLWithPath: store.packPath(installed)))
      try Data().write(to: URL(fileURLWithPath: store.databasePath(installed)))
    default:
      try Data("stol-reference-1\nnonsense".utf8).write(
        to: URL(fileURLWithPath: store.folder + "/reference.txt"))
    }
    var reasons: [String] = []
    let active = try DatabaseSnapshot(in: home.directory, onFallback: { reasons.append($0) })
    #expect(active.source == .bundled)
    #expect(reasons.count == 1)
    if damage != "state" { #expect(try store.installed()?.isActive == false) }
    try home.importing(home.folder("a.stol"))
    #expect(try DatabaseSnapshot(in: home.directory).source != .bundled)
  }

  @Test func aDamagedPackIsCompiledAgain() throws {
    let home = try Home()
    let installed = try home.importing(TestDatabase.container(in: home.folder))
    let path = home.store.packPath(installed)
    let sound = FileManager.default.contents(atPath: path)
    try Data("no pack".utf8).write(to: URL(fileURLWithPath: path))
    let active = try DatabaseSnapshot(
      in: home.directory, onFallback: { Issue.record("fell back: \($0)") })
    #expect(active.source == .reference(installed))
    #expect(FileManager.default.contents(atPath: path) == sound)
  }

  @Test func leftoversOfAKilledImportAreRemoved() throws {
    let home = try Home()
    try home.importing(TestDatabase.container(in: home.folder))
    let before = try home.files
    let databases = home.store.folder
    for name in ["incoming", "reference-7"] {
      try FileManager.default.createDirectory(
        atPath: databases + "/" + name, withIntermediateDirectories: true)
      try Data([1]).write(to: URL(fileURLWithPath: databases + "/\(name)/reference.sqlite"))
    }
    try Data([1]).write(to: URL(fileURLWithPath: databases + "/reference.txt.99.tmp"))
    home.store.recover()
    #expect(try home.files == before)
  }

  @Test func whatAKilledProcessReceivedIsRemovedAndWhatALivingOneReceivesIsNot() throws {
    let home = try Home()
    try home.importing(TestDatabase.container(in: home.folder))
    let before = try home.files
    // No system numbers processes so high.
    let killed = [
      "upload-2147483647.stol", "upload-2147483647.stol.2147483647.tmp", "upload-.stol",
    ]
    let living = URL(fileURLWithPath: home.store.uploadPath)
    for path in killed.map({ home.store.folder + "/" + $0 }) {
      try Data([1]).write(to: URL(fileURLWithPath: path))
    }
    try Data([1]).write(to: living)
    home.store.recover()
    #expect(FileManager.default.fileExists(atPath: living.path))
    try FileManager.default.removeItem(at: living)
    #expect(try home.files == before)
  }

  @Test func importsAtOnceLeaveOneWholeGeneration() async throws {
    let home = try Home()
    let paths = try (1...4).map { number in
      try TestDatabase.container(
        number % 2 == 0 ? TestDatabase.other : TestDatabase.sound, in: home.folder,
        name: "\(number).stol", release: UInt32(number))
    }
    try home.importing(paths[0])
    await withTaskGroup(of: Void.self) { group in
      for path in paths + paths {
        group.addTask { _ = try? home.importing(path) { $0.allowsDowngrade = true } }
      }
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<50 {
            let active = try? DatabaseSnapshot(
              in: home.directory, onFallback: { Issue.record("fell back: \($0)") })
            guard let active, case .reference(let reference) = active.source else {
              Issue.record("no reference")
              return
            }
            #expect(active.pack.taxonCount == (reference.releaseNumber % 2 == 0 ? 4 : 3))
          }
        }
      }
    }
    let files = try home.files.keys.filter { $0.hasPrefix("Databases/") }
    #expect(files.count == 4, "\(files)")
  }
}

@Suite("Providers")
struct ProviderTests {
  @Test func switchesWhileQueriesRun() async throws {
    let folder = try TemporaryFolder()
    let directory = DataDirectory(override: folder("home"))
    let provider = try LocalDatabaseProvider(directory: directory)
    #expect(await !provider.isReferenceDBActive)
    let bundledCount = await provider.activeConfig.taxaCount
    await #expect(throws: ReferenceStore.Failure.notInstalled) {
      try await provider.activateReferenceDB()
    }
    let keyring = try TestContainer.keyring
    let importer = ReferenceImporter(
      directory: directory, provider: provider, logger: Logger(label: "test")
    ) { keyring }
    var changes = await provider.changes().makeAsyncIterator()
    var progress = importer.progress.makeAsyncIterator()
    let path = try TestDatabase.container(in: folder)
    try await importer.importReferenceDB(from: URL(fileURLWithPath: path))
    #expect(await changes.next()?.taxaCount == 3)
    #expect(await progress.next()?.stage == .copying)
    #expect(await provider.isReferenceDBActive)
    let names = try await provider.snapshot().connection.read { database in
      try String.fetchAll(database, sql: "SELECT scientific_name FROM taxa ORDER BY id")
    }
    #expect(names == ["Animalia", "Panthera", "Panthera leo"])
    try await provider.deactivateReferenceDB(delete: false)
    #expect(await changes.next()?.source == .bundled)
    try await provider.activateReferenceDB()
    #expect(await changes.next()?.taxaCount == 3)
    let kept = provider.snapshot()
    try await provider.deactivateReferenceDB(delete: true)
    #expect(await provider.activeConfig.taxaCount == bundledCount)
    #expect(await !provider.isReferenceDBActive)
    #expect(kept.pack.taxonCount == 3)
  }

  @Test func cancelsAndRefusesASecondImport() async throws {
    let folder = try TemporaryFolder()
    let directory = DataDirectory(override: folder("home"))
    let keyring = try TestContainer.keyring
    let importer = ReferenceImporter(
      directory: directory, provider: nil, logger: Logger(label: "test")
    ) { keyring }
    let path = try TestDatabase.container(in: folder)
    // The lock of another import makes this one wait.
    let staging = try ReferenceStore(in: directory).stage()
    var progress = importer.progress.makeAsyncIterator()
    let task = Task { try await importer.importReference(at: path) }
    #expect(await progress.next()?.stage == .copying)
    await #expect(throws: ImportError.importAlreadyInProgress) {
      try await importer.importReference(at: path)
    }
    await importer.cancelImport()
    await #expect(throws: CancellationError.self) { try await task.value }
    _ = consume staging
    #expect(try ReferenceStore(in: directory).installed() == nil)
  }
}
