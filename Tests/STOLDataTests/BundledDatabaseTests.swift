import Foundation
import STOLData
import STOLPack
import TestSupport
import Testing

@Suite("The bundled database", .serialized)
struct BundledDatabaseTests {
  @Test func opensAndVerifies() throws {
    let folder = try TemporaryFolder()
    let bundled = BundledDatabase(in: DataDirectory(override: folder("home")))
    let pack = try BundledDatabase.open()
    #expect(pack.taxonCount >= 40_000)
    #expect(pack.view.idSpace == "ncbi")
    try pack.verify()
    // Nothing has been written yet.
    #expect(try folder.contents == [])
    let database = try bundled.unpack()
    #expect(database == bundled.databasePath)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder("home/Databases"))
    #expect(names == ["bundled.sqlite"])
    try expectEveryRow(of: pack, equals: database)
  }

  /// The pack in the program is what the database in the program compiles to, byte for byte: else run
  /// Tools/make-default-pack.
  @Test func thePackIsThatOfTheDatabase() throws {
    let folder = try TemporaryFolder()
    let database = try BundledDatabase(in: DataDirectory(override: folder.path)).unpack()
    try BundledDatabase.writePack(to: folder("own.stolpack"))
    try Pack(path: folder("own.stolpack")).requireCompiled(
      from: database, itself: folder("own.stolpack"), scratch: folder("scratch"))
    #expect(try folder.contents == ["Databases", "own.stolpack"])
  }

  @Test func unpacksOnceUnlessItIsLost() throws {
    let folder = try TemporaryFolder()
    let bundled = BundledDatabase(in: DataDirectory(override: folder("home")))
    let path = try bundled.unpack()
    let before = try Self.identity(path)
    #expect(try bundled.unpack() == path)
    #expect(try Self.identity(path) == before)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    var changed = whole
    changed[changed.count / 2] ^= 1
    for damage in [
      Data(), whole.prefix(whole.count / 2), Data("SQLite format 3\0".utf8), changed,
      whole.prefix(100) + Data(count: whole.count - 100),
    ] {
      try damage.write(to: URL(fileURLWithPath: path))
      _ = try bundled.unpack()
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == whole)
    }
  }

  @Test func findsTheClosestRelativesOfSpecies() throws {
    let folder = try TemporaryFolder()
    let bundled = BundledDatabase(in: DataDirectory(override: folder("home")))
    let pack = try BundledDatabase.open()
    let oracle = try RelativesOracle(bundled.unpack())
    #expect(oracle.species.count > 40_000)
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    let count = Sweep.count(few: 4_000, full: oracle.species.count)
    let chosen = oracle.species.shuffled(using: &random).prefix(count)
    let wrong = try wrongRelatives(chosen, oracle, pack)
    #expect(wrong == [], "seed \(seed)")
  }

  @Test func saysWhereItCannotWrite() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(fileURLWithPath: folder("file")))
    let bundled = BundledDatabase(in: DataDirectory(override: folder("file")))
    let error = #expect(throws: BundledDatabase.Failure.self) { try bundled.unpack() }
    let text = try #require(error).description
    #expect(text.contains(folder("file")) && !text.contains("Error Domain"))
  }

  private static func identity(_ path: String) throws -> String {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let number = attributes[.systemFileNumber] as? Int ?? 0
    return "\(number) \(String(describing: attributes[.modificationDate]))"
  }
}
