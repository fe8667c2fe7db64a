import Foundation
import Loads
import STOLPack

/// Times the kernels over one pack and prints them as one JSON object: `Growth PACK SEED`.
///
/// What is asked is drawn from the pack by the seed; all of it is asked once before it is timed. Where
/// answers are slow, as many are timed as could be warmed in ten seconds; `NAME_asked` says how many.
@main
struct Growth {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let seed = UInt64(arguments[2]) else {
      FileHandle.standardError.write(Data("usage: Growth PACK SEED\n".utf8))
      exit(2)
    }
    let pack = try Pack(path: arguments[1])
    var figures: [String: Double] = [
      "taxa": Double(pack.taxonCount), "names": Double(pack.nameCount),
      "words": Double(pack.wordCount), "bytes": Double(pack.byteCount),
    ]
    figures["open_us"] = try opening(arguments[1]).median
    var load = Load(pack, seed: seed)
    figures["lca_ns"] = commonAncestors(&load)
    figures["ancestors_ns"] = ancestors(&load)
    figures["relatives_us"] = relatives(&load).median
    for (name, queries) in searches(&load) {
      let times = searchTimes(queries, pack)
      figures["\(name)_asked"] = Double(times.count)
      figures["\(name)_us"] = times.median
      figures["\(name)_p99_us"] = times[times.count * 99 / 100]
    }
    let json = try JSONSerialization.data(withJSONObject: figures, options: [.sortedKeys])
    print(String(decoding: json, as: UTF8.self))
  }

  /// Microseconds of a hundred openings, ascending.
  private static func opening(_ path: String) throws -> [Double] {
    try (0..<100).map { _ in
      let start = now()
      let pack = try Pack(path: path)
      let time = microseconds(since: start)
      keep(pack.taxonCount)
      return time
    }.sorted()
  }

  /// Mean nanoseconds for the common ancestor of two random taxa.
  private static func commonAncestors(_ load: inout Load) -> Double {
    let pairs = (0..<2_000_000).map { _ in (load.taxon(), load.taxon()) }
    let view = load.pack.view
    return meanNanoseconds(pairs.count) {
      var sum = 0
      for (a, b) in pairs { sum &+= view.tree.lowestCommonAncestor(a, b)?.index ?? -1 }
      return sum
    }
  }

  /// Mean nanoseconds for the list of all ancestors of a random taxon.
  private static func ancestors(_ load: inout Load) -> Double {
    let taxa = (0..<500_000).map { _ in load.taxon() }
    let view = load.pack.view
    return meanNanoseconds(taxa.count) {
      taxa.reduce(0) { $0 &+ view.tree.ancestors(of: $1).count }
    }
  }

  /// Microseconds for the ten closest relatives of random species, ascending.
  private static func relatives(_ load: inout Load) -> [Double] {
    let species = (0..<20_000).map { _ in load.species() }
    let view = load.pack.view
    return times(of: species) { view.relatives(of: $0, limit: 10).count }
  }

  private static func searches(_ load: inout Load) -> [(name: String, queries: [SearchQuery])] {
    [
      ("exact", load.queries(20_000) { SearchQuery($0.name(), mode: .exact, limit: 20) }),
      ("complete", load.queries(20_000) { $0.completion(of: 1...8, edits: 0) }),
      (
        "fuzzy",
        load.queries(10_000) { load in
          let text = load.misspelt(load.name(), edits: load.number(in: 1...2))
          return SearchQuery(text, mode: .fuzzy, maximumDistance: 2, limit: 20)
        }
      ),
      ("typo", load.queries(10_000) { $0.completion(of: 4...16, edits: 1) }),
    ]
  }

  /// Microseconds of each search, ascending.
  private static func searchTimes(_ queries: [SearchQuery], _ pack: Pack) -> [Double] {
    let view = pack.view
    var session = SearchSession()
    return times(of: queries) { query in
      session.search(query, in: view)
      return session.hits.count
    }
  }

  /// Microseconds of `body` for each of `questions`, or as many as could be warmed, ascending.
  private static func times<Question>(
    of questions: [Question], _ body: (Question) -> Int
  ) -> [Double] {
    let start = now()
    var warmCount = 0
    for question in questions where warmCount < 100 || now() - start < 10_000_000_000 {
      keep(body(question))
      warmCount += 1
    }
    return questions.prefix(warmCount).map { question in
      let start = now()
      let result = body(question)
      let time = microseconds(since: start)
      keep(result)
      return time
    }.sorted()
  }

  /// Nanoseconds of `body` for each of `count` things: the best of five means, the first run warms.
  private static func meanNanoseconds(_ count: Int, _ body: () -> Int) -> Double {
    keep(body())
    let times = (0..<5).map { _ in
      let start = now()
      keep(body())
      return microseconds(since: start)
    }
    return (times.min() ?? 0) * 1_000 / Double(count)
  }

  private static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

  private static func microseconds(since start: UInt64) -> Double { Double(now() - start) / 1_000 }

  /// Takes a result, so that the work for it is not left out.
  @inline(never) @_optimize(none)
  private static func keep(_ value: Int) {}
}

extension [Double] {
  /// The middle of ascending values.
  fileprivate var median: Double { self[count / 2] }
}
