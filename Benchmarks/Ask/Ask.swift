import Foundation
import STOLPack

/// Asks a pack one question for each line of the input:
/// `Ask PACK MODE [--limit N] [--distance K] < QUERIES > RESULTS`.
///
/// The mode is `exact`, `prefix`, `complete`, `fuzzy`, or `lca` with the ids of two taxa and a tab
/// between them on each line. All questions are asked once to warm up and to keep the answers, then
/// once more, one by one, against the clock. Each line of the output is a JSON object: "ns", the time
/// of the question; "ids" and "names", the taxa found and their folded names. What opening the pack
/// took, what reading the clock takes and the most memory go to standard error as one JSON object.
@main
struct Ask {
  static func main() {
    do {
      let order = try Order(CommandLine.arguments.dropFirst())
      let base = peakKilobytes()
      let start = now()
      let pack = try Pack(path: order.pack)
      let opened = now() - start
      let lines = readAll()
      let results =
        order.mode == .lca ? try ancestors(lines, in: pack) : searches(lines, order, in: pack)
      try write(results)
      let notes = Notes(
        open_ns: opened, clock_ns: clockCost(), base_kb: base, peak_kb: peakKilobytes())
      FileHandle.standardError.write(try JSONEncoder().encode(notes) + Data("\n".utf8))
    } catch {
      FileHandle.standardError.write(Data("Ask: \(error)\n".utf8))
      exit(2)
    }
  }

  private static func searches(_ lines: [String], _ order: Order, in pack: Pack) -> [Result] {
    let view = pack.view
    let queries = lines.map(order.query)
    var session = SearchSession()
    var results: [Result] = queries.map { query in
      session.search(query, in: view)
      var result = Result()
      for hit in session.hits {
        result.ids.append(view.ids[hit.taxon].rawValue)
        result.names.append(Folder.fold(view.names.text(of: hit.name)))
      }
      return result
    }
    for (index, query) in queries.enumerated() {
      let start = now()
      session.search(query, in: view)
      results[index].ns = now() - start
    }
    return results
  }

  /// Ids in, id out: what finding the taxa by their ids takes is part of the time.
  private static func ancestors(_ lines: [String], in pack: Pack) throws -> [Result] {
    let view = pack.view
    let pairs = try lines.map(Pair.init)
    var results: [Result] = pairs.map { pair in
      guard let ancestor = ancestor(pair, view) else { return Result() }
      let name = view.names.scientificName(of: ancestor)
      return Result(ids: [view.ids[ancestor].rawValue], names: [Folder.fold(name)])
    }
    for (index, pair) in pairs.enumerated() {
      let start = now()
      let found = ancestor(pair, view).map { view.ids[$0].rawValue }
      results[index].ns = now() - start
      precondition(found == results[index].ids.first, "two answers to one question")
    }
    return results
  }

  private static func ancestor(_ pair: Pair, _ view: borrowing PackView) -> TaxonOrdinal? {
    guard let a = view.ids.taxon(pair.a), let b = view.ids.taxon(pair.b) else { return nil }
    return view.tree.lowestCommonAncestor(a, b)
  }

  private static func readAll() -> [String] {
    var lines: [String] = []
    while let line = readLine() { lines.append(line) }
    return lines
  }

  private static func write(_ results: [Result]) throws {
    let encoder = JSONEncoder()
    for result in results {
      FileHandle.standardOutput.write(try encoder.encode(result) + Data("\n".utf8))
    }
  }

  private static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// The most memory of this process since it started, where the system tells.
  private static func peakKilobytes() -> Int? {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(separator: " ", omittingEmptySubsequences: true).compactMap { Int($0) }.first
  }

  private static func clockCost() -> UInt64 {
    let costs = (0..<1_001).map { _ in
      let start = now()
      return now() - start
    }
    return costs.sorted()[costs.count / 2]
  }
}

/// What the command line asks for.
private struct Order {
  enum Mode: String { case exact, prefix, complete, fuzzy, lca }

  let pack: String
  let mode: Mode
  var limit = 20
  var distance: Int?

  init(_ arguments: ArraySlice<String>) throws {
    var words = arguments
    guard let pack = words.popFirst(), let word = words.popFirst(), let mode = Mode(rawValue: word)
    else { throw Misuse() }
    self.pack = pack
    self.mode = mode
    while let option = words.popFirst() {
      guard let number = words.popFirst().flatMap({ Int($0) }) else { throw Misuse() }
      switch option {
      case "--limit": limit = number
      case "--distance": distance = number
      default: throw Misuse()
      }
    }
  }

  func query(_ text: String) -> SearchQuery {
    switch mode {
    case .exact: SearchQuery(text, mode: .exact, limit: limit)
    case .prefix: SearchQuery(text, mode: .prefix, limit: limit)
    case .fuzzy: SearchQuery(text, mode: .fuzzy, maximumDistance: distance, limit: limit)
    case .complete, .lca:
      SearchQuery(text, maximumDistance: distance, words: .asTyped, limit: limit)
    }
  }
}

private struct Misuse: Error, CustomStringConvertible {
  let description =
    "usage: Ask PACK exact|prefix|complete|fuzzy|lca [--limit N] [--distance K] < QUERIES"
}

/// Two taxa by their ids.
private struct Pair {
  let a: TaxonID
  let b: TaxonID

  init(_ line: String) throws {
    let ids = line.split(separator: "\t").compactMap { Int64($0) }
    guard ids.count == 2 else { throw NoPair(line: line) }
    a = TaxonID(rawValue: ids[0])
    b = TaxonID(rawValue: ids[1])
  }
}

private struct NoPair: Error, CustomStringConvertible {
  let line: String
  var description: String { "not two ids with a tab between them: \(line)" }
}

private struct Result: Encodable {
  var ns: UInt64 = 0
  var ids: [Int64] = []
  var names: [String] = []
}

// The names of the members are those of the JSON.
private struct Notes: Encodable {
  let open_ns: UInt64
  let clock_ns: UInt64
  let base_kb: Int?
  let peak_kb: Int?
}
