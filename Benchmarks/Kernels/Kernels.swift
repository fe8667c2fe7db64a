import Benchmark
import Foundation
import Loads
import STOLData
import STOLPack

/// What is asked: the pack named by STOL_BENCH_PACK, or the embedded default.
private func openPack() throws -> (pack: Pack, path: String) {
  if let path = ProcessInfo.processInfo.environment["STOL_BENCH_PACK"] {
    return (try Pack(path: path), path)
  }
  let path = FileManager.default.temporaryDirectory.path + "/stol-benchmarks.stolpack"
  try BundledDatabase.writePack(to: path)
  return (try BundledDatabase.open(), path)
}

let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .throughput, .instructions], scalingFactor: .one,
    maxDuration: .milliseconds(
      ProcessInfo.processInfo.environment["STOL_BENCH_MILLISECONDS"].flatMap { Int($0) } ?? 2_000))
  guard let (pack, path) = try? openPack() else { fatalError("no pack to ask") }
  // The same in every run.
  var load = Load(pack, seed: 1)
  let pairs = (0..<100_000).map { _ in (load.taxon(), load.taxon()) }
  Benchmark("open") { benchmark in
    for _ in benchmark.scaledIterations { blackHole(try? Pack(path: path)) }
  }
  tree(pack, pairs)
  let names = pairs.prefix(1000).map { pack.view.names.scientificName(of: $0.0) }
  search(pack, names)
  if let database = ProcessInfo.processInfo.environment["STOL_BENCH_DATABASE"] {
    compilation(of: database)
  }
}

private func tree(_ pack: Pack, _ pairs: [(TaxonOrdinal, TaxonOrdinal)]) {
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
  Benchmark("ancestors of 1,000 random taxa") { benchmark in
    let view = pack.view
    for _ in benchmark.scaledIterations {
      for (a, _) in pairs.prefix(1000) { blackHole(view.tree.ancestors(of: a)) }
    }
  }
  // The commonest rank is that of species.
  let view = pack.view
  let ranks = Dictionary(grouping: pairs.map(\.0)) { view.taxa.rank(of: $0) }
  let species = ranks.values.max { $0.count < $1.count } ?? []
  Benchmark("ten relatives of 1,000 random species") { benchmark in
    let view = pack.view
    for _ in benchmark.scaledIterations {
      for taxon in species.prefix(1000) { blackHole(view.relatives(of: taxon, limit: 10)) }
    }
  }
  Benchmark("compare 1,000 random pairs") { benchmark in
    let view = pack.view
    for _ in benchmark.scaledIterations {
      for (a, b) in pairs.prefix(1000) { blackHole(view.compare(a, b)) }
    }
  }
}

private func search(_ pack: Pack, _ names: [String]) {
  Benchmark("fold 1,000 names") { benchmark in
    var folder = Folder()
    var output: [UInt8] = []
    for _ in benchmark.scaledIterations {
      for name in names { folder.fold(name, into: &output) }
      blackHole(output)
    }
  }
  searches("exact search for 1,000 names", pack, names) { SearchQuery($0, mode: .exact) }
  for length in [1, 2, 4, 8] {
    searches("complete 1,000 beginnings of \(length) letters", pack, names) {
      SearchQuery(String($0.prefix(length)), words: .asTyped, limit: 10)
    }
    searches("prefix search for 1,000 beginnings of \(length) letters", pack, names) {
      SearchQuery(String($0.prefix(length)), mode: .prefix, limit: 20)
    }
  }
  // The fourth letter is lost.
  func misspelt(_ name: String) -> String { String(name.prefix(3) + name.dropFirst(4)) }
  for distance in 1...3 {
    searches("fuzzy search for 1,000 misspelt names, distance \(distance)", pack, names) {
      SearchQuery(misspelt($0), mode: .fuzzy, maximumDistance: distance, limit: 20)
    }
  }
  let words = names.flatMap { $0.split(separator: " ").map(String.init) }
  for length in [5, 8, 12] {
    let chosen = words.filter { $0.count == length }.prefix(100)
    searches("fuzzy search for \(chosen.count) words of \(length) letters", pack, Array(chosen)) {
      SearchQuery(misspelt($0), mode: .fuzzy, limit: 20)
    }
  }
}

/// The whole compilation, and when each of its stages began, in milliseconds.
private func compilation(of database: String) {
  let output = FileManager.default.temporaryDirectory.path + "/stol-benchmarks.stolpack"
  let stages = PackWriter.Stage.allCases.map { stage in
    (stage, BenchmarkMetric.custom("until \(stage.rawValue) (ms)", polarity: .prefersSmaller))
  }
  Benchmark(
    "compile",
    configuration: .init(
      metrics: [.wallClock] + stages.map(\.1), maxDuration: .seconds(10), maxIterations: 3)
  ) { benchmark in
    for _ in benchmark.scaledIterations {
      let start = ContinuousClock.now
      let compiler = PackCompiler(path: database) { stage in
        guard case .packing(let begun) = stage else { return }
        for (stage, metric) in stages where stage == begun {
          benchmark.measurement(metric, Int((ContinuousClock.now - start) / .milliseconds(1)))
        }
      }
      _ = try compiler.compile(to: output)
    }
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
