import Foundation
import STOLPack

/// Latencies of single searches over a pack, as percentiles: `Latency PACK [SEED]`.
///
/// Queries are names of the pack, drawn with a printed seed, with random edits; all of them are asked
/// once before they are timed.
@main
struct Latency {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 1 else { return print("usage: Latency PACK [SEED]") }
    let pack = try Pack(path: arguments[1])
    let seed = arguments.count > 2 ? UInt64(arguments[2]) ?? 1 : UInt64.random(in: 0..<1 << 32)
    print("\(pack.taxonCount) taxa, \(pack.nameCount) further names, seed \(seed)")
    print("microseconds".padded(34), ["count", "p50", "p99", "most", "mean"].columns)
    var load = Load(pack, seed: seed)
    report("exact", load.queries(20_000) { SearchQuery($0.name(), mode: .exact, limit: 20) }, pack)
    let beginnings = load.queries(20_000) { load in
      let count = Int.random(in: 1...8, using: &load.generator)
      return completion(String(load.name().prefix(count)))
    }
    report("complete, 1 to 8 letters", beginnings, pack)
    // Fewer hits than three make a search go on to what is similar.
    let common = beginnings.filter { query in
      var query = query
      query.mode = .prefix
      return pack.view.search(query).count > 2
    }
    report("of these, three hits or more", common, pack)
    for edits in 1...2 {
      report(
        "fuzzy, 2 edits allowed, \(edits) made",
        load.queries(10_000) { load in
          let text = load.misspelt(load.name(), edits: edits)
          return SearchQuery(text, mode: .fuzzy, maximumDistance: 2, limit: 20)
        }, pack)
    }
    report(
      "complete with an error, 4 to 16",
      load.queries(10_000) { load in
        let count = Int.random(in: 4...16, using: &load.generator)
        return completion(load.misspelt(String(load.name().prefix(count)), edits: 1))
      }, pack)
    for mode in [SearchQuery.Mode.fuzzy, .auto] {
      report(
        "hostile, \(mode.rawValue)",
        load.queries(10_000) { SearchQuery($0.hostileText(), mode: mode, limit: 20) }, pack)
    }
    report(
      "fuzzy, 3 edits allowed and made",
      load.queries(1_000) { load in
        let text = load.misspelt(load.name(), edits: 3)
        return SearchQuery(text, mode: .fuzzy, maximumDistance: 3, limit: 20)
      }, pack)
  }

  private static func completion(_ text: String) -> SearchQuery {
    SearchQuery(text, order: .prominence, limit: 10)
  }

  private static func report(_ what: String, _ queries: [SearchQuery], _ pack: Pack) {
    let view = pack.view
    var session = SearchSession()
    for query in queries { session.search(query, in: view) }
    var times = queries.map { query in
      let start = clock_gettime_nsec()
      session.search(query, in: view)
      return Double(clock_gettime_nsec() - start) / 1_000
    }
    times.sort()
    let values = [times[times.count / 2], times[times.count * 99 / 100], times[times.count - 1]]
    let mean = times.reduce(0, +) / Double(times.count)
    print(
      what.padded(34),
      (["\(times.count)"] + (values + [mean]).map { String(format: "%.2f", $0) }).columns)
  }

  private static func clock_gettime_nsec() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
}

/// Queries made of the names of a pack.
private struct Load {
  let pack: Pack
  var generator: Generator

  /// SplitMix64 (Steele, Lea and Flood 2014).
  struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return mixed ^ mixed >> 31
    }
  }

  init(_ pack: Pack, seed: UInt64) {
    self.pack = pack
    generator = Generator(state: seed)
  }

  mutating func queries(_ count: Int, _ query: (inout Load) -> SearchQuery) -> [SearchQuery] {
    (0..<count).map { _ in query(&self) }
  }

  mutating func name() -> String {
    let count = UInt32(pack.taxonCount + pack.nameCount)
    let name = NameOrdinal(rawValue: .random(in: 0..<count, using: &generator))
    return pack.view.names.text(of: name)
  }

  mutating func misspelt(_ text: String, edits: Int) -> String {
    var letters = Array(text)
    for _ in 0..<edits {
      let letter = "abcdefghijklmnopqrstuvwxyz ".randomElement(using: &generator) ?? "a"
      let place = Int.random(in: 0...max(0, letters.count - 1), using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: letters.insert(letter, at: place)
      case 1 where !letters.isEmpty: letters.remove(at: place)
      case 2 where place + 1 < letters.count: letters.swapAt(place, place + 1)
      case _ where !letters.isEmpty: letters[place] = letter
      default: letters.append(letter)
      }
    }
    return String(letters)
  }

  /// One letter many times, common pieces of names, random letters, 512 random bytes.
  mutating func hostileText() -> String {
    func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
    switch number(0...4) {
    case 0:
      let letter = "abcdefghijklmnopqrstuvwxyz".randomElement(using: &generator) ?? "a"
      return String(
        repeating: letter, count: number(0...3) == 0 ? number(60...512) : number(1...20))
    case 1:
      let letter = String("abcdefghijklmnopqrstuvwxyz".randomElement(using: &generator) ?? "a")
      return Array(repeating: letter, count: number(1...8)).joined(separator: " ")
    case 2:
      let pieces = ["ens", "nsi", "sis", "ata", "ica", "ina", "ide", "us ", "is ", "a c"]
      return (0..<number(1...6)).map { _ in pieces[number(0...pieces.count - 1)] }.joined()
    case 3:
      let letters = (0..<number(1...12)).map { _ in UInt8(number(97...122)) }
      return String(decoding: letters, as: UTF8.self)
    default:
      let bytes = (0..<170).map { _ in UInt8(number(0...255)) }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}

extension String {
  fileprivate func padded(_ count: Int) -> String {
    padding(toLength: count, withPad: " ", startingAt: 0)
  }
}

extension [String] {
  fileprivate var columns: String {
    map { String(repeating: " ", count: Swift.max(0, 10 - $0.count)) + $0 }.joined()
  }
}
