import Loads
import STOLPack

/// Latencies of single calls over a pack: `Latency PACK [SEED] [--json] [--quick]`.
///
/// Queries are names of the pack, drawn with a printed seed, with random edits; all of them are asked
/// once before they are timed.
@main
final class Latency {
  static func main() throws {
    let options = CommandLine.arguments.dropFirst()
    let arguments = options.filter { !$0.hasPrefix("--") }
    guard let path = arguments.first else {
      return print("usage: Latency PACK [SEED] [--json] [--quick]")
    }
    let seed = arguments.dropFirst().first.flatMap { UInt64($0) } ?? .random(in: 0..<1 << 32)
    let latency = Latency(
      path: path, pack: try Pack(path: path), seed: seed, isQuick: options.contains("--quick"))
    latency.measureTree()
    latency.measureSearch()
    #if os(Linux)
    latency.countAllocations()
    #endif
    let pack = latency.pack
    try latency.timings.print(
      asJSON: options.contains("--json"),
      title: "\(pack.taxonCount) taxa, \(pack.nameCount) further names, seed \(seed)")
  }

  let path: String
  let pack: Pack
  let isQuick: Bool
  private var load: Load
  private var timings = Timings()

  private init(path: String, pack: Pack, seed: UInt64, isQuick: Bool) {
    self.path = path
    self.pack = pack
    self.isQuick = isQuick
    load = Load(pack, seed: seed)
  }

  private func some(_ count: Int) -> Int { isQuick ? count / 10 : count }

  // MARK: - Tree

  private func measureTree() {
    timings.record(
      "open", "open", "us", (0..<100).map { _ in Timings.time { try? Pack(path: path) } })
    let pairs = (0..<some(1_000_000)).map { _ in (load.taxon(), load.taxon()) }
    let walking = WalkingParents(pack)
    // One after the other in short turns, so that all have the same share of a busy machine.
    var rounds: [[Double]] = [[], [], []]
    let pack = pack
    let view = pack.view
    for _ in 0..<10 {
      rounds[0].append(mean(pairs) { view.tree.lowestCommonAncestor($0, $1) })
      rounds[1].append(mean(pairs) { view.tree.lowestCommonAncestorByWalking($0, $1) })
      rounds[2].append(mean(pairs) { walking.lowestCommonAncestor($0, $1) })
    }
    timings.record("lca", "LCA, means of 10 rounds of random pairs", "ns", rounds[0])
    timings.record("lcaWalking", "the same, walking the pack's parents", "ns", rounds[1])
    timings.record("lcaArrays", "the same, walking plain arrays", "ns", rounds[2])
    timings.record(
      "ancestors", "ancestors", "us",
      pairs.prefix(10_000).map { pair in Timings.time { view.tree.ancestors(of: pair.0) } })
    timings.record(
      "compare", "compare", "us",
      pairs.prefix(10_000).map { pair in Timings.time { view.compare(pair.0, pair.1) } })
    // The rank of most taxa is that of species.
    let taxa = pairs.prefix(some(150_000)).map(\.0)
    let ranks = Dictionary(grouping: taxa.prefix(1_000)) { view.taxa.rank(of: $0) }
    let species = ranks.max { $0.value.count < $1.value.count }?.key
    timings.record(
      "relatives", "ten relatives of a species", "us",
      taxa.filter { view.taxa.rank(of: $0) == species }.map { taxon in
        Timings.time { view.relatives(of: taxon, limit: 10) }
      })
  }

  /// The mean time of a call in nanoseconds.
  private func mean<Answer>(
    _ pairs: [(TaxonOrdinal, TaxonOrdinal)], _ call: (TaxonOrdinal, TaxonOrdinal) -> Answer
  ) -> Double {
    let start = Timings.now()
    for (a, b) in pairs { Timings.keep(call(a, b)) }
    return Double(Timings.now() - start) / Double(pairs.count)
  }

  // MARK: - Search

  private func measureSearch() {
    let exact = load.queries(some(20_000)) { SearchQuery($0.name(), mode: .exact, limit: 20) }
    search("exact", "exact", exact)
    let beginnings = load.queries(some(20_000)) { $0.completion(of: 1...8, edits: 0) }
    search("complete", "complete, 1 to 8 letters", beginnings)
    // Fewer hits than three make a search go on to what is similar.
    let pack = pack
    let common = beginnings.filter { query in
      var query = query
      query.mode = .prefix
      return pack.view.search(query).count > 2
    }
    search("completeCommon", "of these, three hits or more", common)
    for edits in 1...2 {
      let fuzzy = load.queries(some(10_000)) { load in
        let text = load.misspelt(load.name(), edits: edits)
        return SearchQuery(text, mode: .fuzzy, maximumDistance: 2, limit: 20)
      }
      search("fuzzy\(edits)", "fuzzy, 2 edits allowed, \(edits) made", fuzzy)
    }
    let typos = load.queries(some(10_000)) { $0.completion(of: 4...16, edits: 1) }
    search("typo", "complete with an error, 4 to 16 letters", typos)
    for (key, mode) in [("hostileFuzzy", SearchQuery.Mode.fuzzy), ("hostileAuto", .auto)] {
      let hostile = load.queries(some(100_000)) {
        SearchQuery($0.hostileText(), mode: mode, limit: 20)
      }
      search(key, "hostile, \(mode.rawValue)", hostile, repeatsSlow: true)
    }
    let inside = load.queries(some(10_000)) { load in
      SearchQuery(load.piece(of: 3...8), mode: .contains, limit: 20)
    }
    search("inside", "inside words, 3 to 8 letters", inside)
    let far = load.queries(some(1_000)) { load in
      let text = load.misspelt(load.name(), edits: 3)
      return SearchQuery(text, mode: .fuzzy, maximumDistance: 3, limit: 20)
    }
    search("fuzzy3", "fuzzy, 3 edits allowed and made", far)
    for edits in 1...2 {
      let best = load.queries(some(10_000)) { load in
        let text = load.misspelt(load.name(), edits: edits)
        return SearchQuery(text, mode: .fuzzy, maximumDistance: 2, limit: 1)
      }
      search("best\(edits)", "fuzzy, best match only, \(edits) made", best)
    }
  }

  /// Times searches, as many as take some seconds.
  ///
  /// Where the worst of them is asked for, what takes over 2 ms is asked twice again and the least time
  /// counts, for a machine stops a process now and then.
  private func search(
    _ key: String, _ title: String, _ queries: [SearchQuery], repeatsSlow: Bool = false
  ) {
    let pack = pack
    let view = pack.view
    var session = SearchSession()
    let end = Timings.now() + Self.mostSeconds * 1_000_000_000
    var count = 0
    for query in queries where Timings.now() < end {
      session.search(query, in: view)
      count += 1
    }
    var times: [Double] = []
    times.reserveCapacity(count)
    for query in queries.prefix(count) {
      var least = Double.infinity
      for _ in 0..<3 {
        let start = Timings.now()
        session.search(query, in: view)
        least = min(least, Double(Timings.now() - start) / 1_000)
        if !repeatsSlow || least < 2_000 { break }
      }
      times.append(least)
    }
    timings.record(key, title, "us", times)
  }

  /// How long queries of one kind are asked, once before they are timed.
  private static let mostSeconds: UInt64 = 10

  #if os(Linux)
  /// How many objects one warm search allocates.
  private func countAllocations() {
    guard AllocationCounter.start() else { return }
    let pack = pack
    let view = pack.view
    var session = SearchSession()
    var queries = load.queries(some(2_000)) { $0.completion(of: 1...16, edits: 1) }
    queries += load.queries(some(2_000)) { load in
      SearchQuery(load.misspelt(load.name(), edits: 2), mode: .fuzzy, limit: 20)
    }
    for query in queries { session.search(query, in: view) }
    var counts: [Double] = []
    counts.reserveCapacity(queries.count)
    for query in queries {
      let before = AllocationCounter.count
      session.search(query, in: view)
      counts.append(Double(AllocationCounter.count - before))
    }
    timings.record("allocations", "objects that a warm search allocates", "", counts)
  }
  #endif
}
