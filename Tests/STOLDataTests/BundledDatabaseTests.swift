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
    var isPrepared = false
    let pack = try bundled.open { isPrepared = true }
    #expect(isPrepared)
    #expect(pack.taxonCount >= 40_000)
    try pack.verify()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder("home/Databases"))
    #expect(names.sorted() == ["bundled.sqlite", "bundled.stolpack"])
    try expectEveryRow(of: pack, equals: bundled.databasePath)
    let source = try SourceDatabase(beside: bundled.packPath, of: pack)
    #expect(source != nil)
  }

  @Test func secondOpenWritesNothing() throws {
    let folder = try TemporaryFolder()
    let bundled = BundledDatabase(in: DataDirectory(override: folder("home")))
    _ = try bundled.open()
    let paths = [bundled.packPath, bundled.databasePath]
    let before = try paths.map(Self.identity)
    _ = try bundled.open { Issue.record("prepared twice") }
    #expect(try paths.map(Self.identity) == before)
  }

  enum Damage: CaseIterable {
    case empty, truncated, header, otherPack
  }

  @Test(arguments: Damage.allCases)
  func rebuildsADamagedPack(_ damage: Damage) throws {
    let folder = try TemporaryFolder()
    let bundled = BundledDatabase(in: DataDirectory(override: folder("home")))
    _ = try bundled.open()
    let url = URL(fileURLWithPath: bundled.packPath)
    let whole = try Data(contentsOf: url)
    switch damage {
    case .empty: try Data().write(to: url)
    case .truncated: try whole.prefix(whole.count / 2).write(to: url)
    case .header:
      var bytes = whole
      bytes[20] ^= 0xFF
      try bytes.write(to: url)
    case .otherPack:
      try TestDatabase.write(
        TestDatabase.looseTables + TestDatabase.goodTaxa, to: folder("a.sqlite"))
      _ = try PackCompiler(path: folder("a.sqlite")).compile(to: bundled.packPath)
    }
    var isPrepared = false
    let pack = try bundled.open { isPrepared = true }
    #expect(isPrepared)
    try pack.verify()
    #expect(try Data(contentsOf: url) == whole)
  }

  @Test func findsTheClosestRelativesOfSpecies() throws {
    let folder = try TemporaryFolder()
    let bundled = BundledDatabase(in: DataDirectory(override: folder("home")))
    let pack = try bundled.open()
    let oracle = try RelativesOracle(bundled.databasePath)
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
    let error = #expect(throws: BundledDatabase.Failure.self) { try bundled.open() }
    let text = try #require(error).description
    #expect(text.contains(folder("file")) && !text.contains("Error Domain"))
  }

  private static func identity(_ path: String) throws -> String {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let number = attributes[.systemFileNumber] as? Int ?? 0
    return "\(number) \(String(describing: attributes[.modificationDate]))"
  }
}
