import Benchmark
import Foundation
import STOLData
import STOLPack

/// What is asked: the pack named by STOL_BENCH_PACK, or the embedded default.
private func openPack() throws -> (pack: Pack, path: String) {
  if let path = ProcessInfo.processInfo.environment["STOL_BENCH_PACK"] {
    return (try Pack(path: path), path)
  }
  let folder = FileManager.default.temporaryDirectory.path + "/stol-benchmarks"
  let bundled = BundledDatabase(in: DataDirectory(override: folder))
  return (try bundled.open(), bundled.packPath)
}

/// Pairs of taxa, the same in every run: a linear congruential generator (Knuth's MMIX).
private func randomPairs(_ taxonCount: Int, count: Int) -> [(TaxonOrdinal, TaxonOrdinal)] {
  var state: UInt64 = 1
  func next() -> TaxonOrdinal {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return TaxonOrdinal(rawValue: UInt32((state >> 33) % UInt64(taxonCount)))
  }
  return (0..<count).map { _ in (next(), next()) }
}

/// The textbook's way, on plain arrays: lift the deeper one, then both.
private struct WalkingParents {
  let parents: [UInt32]
  let depths: [UInt32]

  init(_ pack: Pack) {
    let view = pack.view
    var parents: [UInt32] = []
    var depths: [UInt32] = []
    for index in 0..<pack.taxonCount {
      let taxon = TaxonOrdinal(rawValue: UInt32(index))
      parents.append(view.tree.parent(of: taxon)?.rawValue ?? .max)
      depths.append(UInt32(view.tree.depth(of: taxon)))
    }
    self.parents = parents
    self.depths = depths
  }

  func lowestCommonAncestor(_ a: TaxonOrdinal, _ b: TaxonOrdinal) -> UInt32 {
    var a = a.rawValue
    var b = b.rawValue
    var depthA = depths[Int(a)]
    var depthB = depths[Int(b)]
    while depthA > depthB {
      a = parents[Int(a)]
      depthA -= 1
    }
    while depthB > depthA {
      b = parents[Int(b)]
      depthB -= 1
    }
    while a != b {
      a = parents[Int(a)]
      b = parents[Int(b)]
      if a == .max || b == .max { return a == b ? a : .max }
    }
    return a
  }
}

let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .throughput], scalingFactor: .one, maxDuration: .seconds(3))
  guard let (pack, path) = try? openPack() else { fatalError("no pack to ask") }
  let pairCount = 100_000
  let pairs = randomPairs(pack.taxonCount, count: pairCount)

  Benchmark("open") { benchmark in
    for _ in benchmark.scaledIterations { blackHole(try? Pack(path: path)) }
  }
  Benchmark("LCA of 100,000 random pairs: sparse table") { benchmark in
    let view = pack.view
    for _ in benchmark.scaledIterations {
      for (a, b) in pairs { blackHole(view.tree.lowestCommonAncestor(a, b)) }
    }
  }
  Benchmark("LCA of 100,000 random pairs: walking the pack's parents") { benchmark in
    let view = pack.view
    for _ in benchmark.scaledIterations {
      for (a, b) in pairs { blackHole(view.tree.lowestCommonAncestorByWalking(a, b)) }
    }
  }
  let walking = WalkingParents(pack)
  Benchmark("LCA of 100,000 random pairs: walking plain arrays") { benchmark in
    for _ in benchmark.scaledIterations {
      for (a, b) in pairs { blackHole(walking.lowestCommonAncestor(a, b)) }
    }
  }
  Benchmark("ten relatives of 1,000 random taxa") { benchmark in
    let view = pack.view
    for _ in benchmark.scaledIterations {
      for (a, _) in pairs.prefix(1000) { blackHole(view.relatives(of: a, limit: 10)) }
    }
  }
  Benchmark("compare 1,000 random pairs") { benchmark in
    let view = pack.view
    for _ in benchmark.scaledIterations {
      for (a, b) in pairs.prefix(1000) { blackHole(view.compare(a, b)) }
    }
  }
  let names = pairs.prefix(1000).map { pack.view.names.scientificName(of: $0.0) }
  searches("exact search for 1,000 scientific names", pack, names) {
    SearchQuery($0, mode: .exact)
  }
  searches("complete 1,000 beginnings of four letters", pack, names) {
    SearchQuery(String($0.prefix(4)), order: .prominence, limit: 10)
  }
  // The fourth letter is lost.
  searches("fuzzy search for 1,000 misspelt names", pack, names) {
    SearchQuery(String($0.prefix(3) + $0.dropFirst(4)), mode: .fuzzy, limit: 20)
  }
}

private func searches(
  _ title: String, _ pack: Pack, _ names: [String], _ query: (String) -> SearchQuery
) {
  let queries = names.map(query)
  Benchmark(title) { benchmark in
    let view = pack.view
    var session = SearchSession()
    for _ in benchmark.scaledIterations {
      for query in queries { session.search(query, in: view) }
      blackHole(session.hits)
    }
  }
}
