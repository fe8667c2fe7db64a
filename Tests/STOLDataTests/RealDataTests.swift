import Foundation
import GRDB
import STOLData
import STOLPack
import Synchronization
import TestSupport
import Testing

/// Real taxonomies of `SharedData`, unpacked and compiled.
enum RealData {
  private static let zstd: String? = [
    "/usr/bin/zstd", "/usr/local/bin/zstd", "/opt/homebrew/bin/zstd",
  ]
  .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Whether the file is there and can be unpacked.
  static func isAvailable(_ name: String) -> Bool {
    zstd != nil && SharedData.has(name)
  }

  /// A database unpacked and compiled in a folder of its own.
  final class Compiled: Sendable {
    let folder: TemporaryFolder
    let pack: Pack
    var databasePath: String { folder("a.sqlite") }

    init(_ name: String) throws {
      folder = try TemporaryFolder()
      let zstd = try #require(RealData.zstd)
      let arguments = ["-dqf", SharedData.path(name), "-o", folder("a.sqlite")]
      try #require(try ChildProcess.run(zstd, arguments) == .status(0))
      _ = try PackCompiler(path: folder("a.sqlite")).compile(to: folder("a.stolpack"))
      pack = try Pack(path: folder("a.stolpack"))
    }
  }

  /// Kept for all tests of a run.
  static let bench = Result {
    let compiled = try Compiled("ncbi/bench500k.sqlite.zst")
    benchFolder.withLock { $0 = compiled.folder.path }
    atexit {
      RealData.benchFolder.withLock { try? FileManager.default.removeItem(atPath: $0) }
    }
    return compiled
  }

  private static let benchFolder = Mutex("")
}

/// The ten closest species by the definition, over rows of SQLite.
struct RelativesOracle {
  private var parents: [Int: Int] = [:]
  private var names: [[UInt8]] = []
  /// The number of main ranks among each taxon and its ancestors.
  private var depths: [Int] = []
  /// The number of ancestors of each taxon.
  private var heights: [Int] = []
  private(set) var ids: [Int64] = []
  /// The species at or below each taxon.
  private var speciesBelow: [[Int32]] = []
  private(set) var species: [Int] = []

  init(_ path: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    var parentIDs: [Int64?] = []
    var isMain: [Bool] = []
    let mainRanks: Set<String> = [
      "domain", "superkingdom", "acellular root", "kingdom", "phylum", "class", "order", "family",
      "genus", "nothogenus", "species", "nothospecies",
    ]
    try queue.read { database in
      let rows = try Row.fetchCursor(
        database,
        sql: "SELECT id, parent_id, rank = 'species', CAST(scientific_name AS BLOB), rank "
          + "FROM taxa WHERE status <> 'synonym'")
      while let row = try rows.next() {
        if row[2] as Bool { species.append(ids.count) }
        ids.append(row[0])
        parentIDs.append(row[1])
        names.append(Array(row[3] as Data))
        isMain.append(mainRanks.contains(row[4]))
      }
    }
    let index = Dictionary(uniqueKeysWithValues: zip(ids, ids.indices))
    for (taxon, parent) in parentIDs.enumerated() {
      if let parent { parents[taxon] = index[parent] }
    }
    heights = ids.indices.map { self.path($0).count - 1 }
    depths = ids.indices.map { self.path($0).count { isMain[$0] } }
    speciesBelow = [[Int32]](repeating: [], count: ids.count)
    for taxon in species {
      for ancestor in self.path(taxon) { speciesBelow[ancestor].append(Int32(taxon)) }
    }
  }

  private func path(_ taxon: Int) -> [Int] {
    var path = [taxon]
    while let last = path.last, let parent = parents[last] { path.append(parent) }
    return path
  }

  /// `id/distance` of the closest, clade after clade: the deeper the common ancestor, the closer.
  func relatives(of taxon: Int, limit: Int = 10) -> [String] {
    let path = path(taxon)
    var found: [(distance: Int, taxon: Int)] = []
    for (height, ancestor) in path.enumerated() where found.count < limit {
      let inner = height > 0 ? path[height - 1] : -1
      var level: [(distance: Int, taxon: Int)] = []
      for number in speciesBelow[ancestor] {
        let other = Int(number)
        guard other != taxon, height == 0 || !isBelow(other, inner) else { continue }
        level.append((depths[taxon] + depths[other] - 2 * depths[ancestor], other))
      }
      // Names decide among the closest only.
      let distances = level.map(\.distance).sorted()
      if let greatest = distances.prefix(limit - found.count).last {
        level.removeAll { $0.distance > greatest }
      }
      level.sort { a, b in
        if a.distance != b.distance { return a.distance < b.distance }
        let (x, y) = (names[a.taxon], names[b.taxon])
        return x == y ? ids[a.taxon] < ids[b.taxon] : x.lexicographicallyPrecedes(y)
      }
      found += level
    }
    return found.prefix(limit).map { "\(ids[$0.taxon])/\($0.distance)" }
  }

  private func isBelow(_ taxon: Int, _ ancestor: Int) -> Bool {
    var taxon = taxon
    while heights[taxon] > heights[ancestor], let parent = parents[taxon] { taxon = parent }
    return taxon == ancestor
  }
}

@Suite(
  "500,000 real taxa", .serialized,
  .enabled(
    if: RealData.isAvailable("ncbi/bench500k.sqlite.zst"),
    "needs ../shared/data/ncbi/bench500k.sqlite.zst, and zstd"))
struct BenchDataTests {
  private let data: RealData.Compiled

  init() throws { data = try RealData.bench.get() }

  @Test func compilesAndVerifies() throws {
    #expect(data.pack.taxonCount == 500_000)
    try data.pack.verify()
  }

  @Test(
    .enabled(
      if: SharedData.has("ncbi/lca/bench500k.tsv"), "needs ../shared/data/ncbi/lca/bench500k.tsv"))
  func findsTheAncestorOfEveryPair() throws {
    let lines = try Self.lines("ncbi/lca/bench500k.tsv")
    #expect(lines.count == 20_000)
    let pack = data.pack
    let view = pack.view
    var wrong: [String] = []
    for line in lines {
      let ids = try line.split(separator: "\t").map { TaxonID(rawValue: try #require(Int64($0))) }
      let a = try pack.taxon(ids[0].rawValue)
      let b = try pack.taxon(ids[1].rawValue)
      if view.tree.lowestCommonAncestor(a, b) != view.ids.taxon(ids[2]) { wrong.append(line) }
      if view.tree.lowestCommonAncestor(b, a) != view.ids.taxon(ids[2]) { wrong.append(line) }
    }
    #expect(wrong == [])
  }

  @Test(
    .enabled(
      if: SharedData.has("ncbi/lca/bench500k_multi.tsv"),
      "needs ../shared/data/ncbi/lca/bench500k_multi.tsv"))
  func findsTheAncestorOfEverySet() throws {
    let lines = try Self.lines("ncbi/lca/bench500k_multi.tsv")
    #expect(lines.count == 500)
    let pack = data.pack
    let view = pack.view
    var wrong: [String] = []
    for line in lines {
      let parts = line.split(separator: "\t")
      var taxa: [TaxonOrdinal] = []
      for text in parts[0].split(separator: ",") {
        taxa.append(try pack.taxon(try #require(Int64(text))))
      }
      let expected = TaxonID(rawValue: try #require(Int64(parts[1])))
      if view.tree.lowestCommonAncestor(taxa) != view.ids.taxon(expected) { wrong.append(line) }
    }
    #expect(wrong == [])
  }

  @Test func findsTheClosestRelativesOf2_000Species() throws {
    let oracle = try RelativesOracle(data.databasePath)
    let seed = UInt64.random(in: 0 ... .max)
    print("seed of the species: \(seed)")
    var random = SeededGenerator(seed: seed)
    let chosen = oracle.species.shuffled(using: &random).prefix(2_000)
    let wrong = try wrongRelatives(chosen, oracle, data.pack)
    #expect(wrong == [], "seed \(seed)")
  }

  @Test func readsEveryRowBack() throws {
    try expectEveryRow(of: data.pack, equals: data.databasePath)
  }

  private static func lines(_ name: String) throws -> [String] {
    let text = try String(contentsOfFile: SharedData.path(name), encoding: .utf8)
    return text.split(separator: "\n").dropFirst().map(String.init)
  }
}

@Suite("Reference data")
struct ReferenceDataTests {
  static let files = ["reference/bench500k_rich.sqlite.zst", "reference/birds.sqlite.zst"]

  @Test(
    .enabled(
      if: files.allSatisfy(RealData.isAvailable),
      "needs ../shared/data/reference/{bench500k_rich,birds}.sqlite.zst, and zstd"),
    arguments: files)
  func readsEveryRowBack(_ name: String) throws {
    let data = try RealData.Compiled(name)
    try data.pack.verify()
    try expectEveryRow(of: data.pack, equals: data.databasePath)
  }
}

/// The species, of those chosen, whose relatives in the pack are not those of the oracle.
func wrongRelatives(
  _ chosen: ArraySlice<Int>, _ oracle: RelativesOracle, _ pack: Pack
) throws -> [Int64] {
  let view = pack.view
  var wrong: [Int64] = []
  for taxon in chosen {
    let ordinal = try pack.taxon(oracle.ids[taxon])
    let found = view.relatives(of: ordinal, limit: 10).map {
      "\(view.ids[$0.taxon].rawValue)/\($0.distance)"
    }
    if found != oracle.relatives(of: taxon) { wrong.append(oracle.ids[taxon]) }
  }
  return wrong
}

/// Compares everything that a pack holds with the rows of its database, byte for byte.
func expectEveryRow(of pack: Pack, equals path: String) throws {
  var configuration = Configuration()
  configuration.readonly = true
  let queue = try DatabaseQueue(path: path, configuration: configuration)
  var taxa: [Int64: [String]] = [:]
  var names: [Int64: [String]] = [:]
  var traits: [Int64: Set<String>] = [:]
  func text(_ row: Row) -> String {
    row.map { $1.isNull ? "" : String(describing: $1.storage.value ?? "") }.joined(separator: "|")
  }
  try queue.read { database in
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT id, parent_id, rank, scientific_name, author, year,
          replace(status, 'doubtful', 'provisional'), conservation FROM taxa
        WHERE status <> 'synonym'
        """)
    while let row = try rows.next() { taxa[row[0], default: []].append(text(row)) }
    let named = try Row.fetchCursor(
      database,
      sql: "SELECT taxon_id, name, lang, name_type, is_preferred FROM names ORDER BY id")
    while let row = try named.next() { names[row[0], default: []].append(text(row)) }
    let with = try Row.fetchCursor(
      database, sql: "SELECT taxon_id, trait_key, trait_value, unit FROM traits")
    while let row = try with.next() { traits[row[0], default: []].insert(text(row)) }
  }
  let view = pack.view
  #expect(pack.taxonCount == taxa.count)
  var wrong: [String] = []
  func compare(_ got: [String], _ wanted: [String]) {
    guard got.map({ Array($0.utf8) }) != wanted.map({ Array($0.utf8) }) else { return }
    if wrong.count < 20 { wrong.append("\(got) is not \(wanted)") }
  }
  for ordinal in view.tree.taxa {
    let taxon = view.taxon(ordinal)
    let id = taxon.id.rawValue
    let parent = taxon.parentID.map { String($0.rawValue) } ?? ""
    let year = taxon.year.map(String.init) ?? ""
    compare(
      [
        "\(id)|\(parent)|\(taxon.rank)|\(taxon.scientificName)|\(taxon.author ?? "")|\(year)|"
          + "\(taxon.status)|\(taxon.conservationStatus ?? "")"
      ], taxa[id] ?? [])
    compare(
      view.furtherNames(of: ordinal).map {
        "\(id)|\($0.name)|\($0.language)|\($0.nameType.rawValue)|\($0.isPreferred ? 1 : 0)"
      }, names[id] ?? [])
    compare(
      view.traitList(of: ordinal).map { "\(id)|\($0.key)|\($0.value)|\($0.unit ?? "")" }.sorted(),
      (traits[id] ?? []).sorted())
  }
  #expect(wrong == [])
}
