import Foundation
import STOLData
import STOLPack
import Synchronization
import TestSupport
import Testing

/// Searches of real names against brute force, with a printed seed.
@Suite(
  "Searches of real names", .serialized,
  .enabled(
    if: RealData.isAvailable("ncbi/bench500k.sqlite.zst"),
    "needs ../shared/data/ncbi/bench500k.sqlite.zst, and zstd"))
struct RealSearchTests {
  private static let seed =
    ProcessInfo.processInfo.environment["STOL_TEST_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0...0xFFFF_FFFF)
  private static let bench = Result { try RealNames(RealData.bench.get().databasePath) }

  private let pack: Pack
  private let names: RealNames

  init() throws {
    pack = try RealData.bench.get().pack
    names = try Self.bench.get()
  }

  /// What differed in the cases run so far.
  private struct Outcome {
    var caseCount = 0
    var hitCount = 0
    var wrong: [String] = []
  }

  /// Runs cases on all cores: each number makes a query and says which mode brute force has to play.
  private func outcome(
    _ count: Int, _ query: @Sendable (Int, inout SeededGenerator) -> SearchQuery
  ) -> Outcome {
    let outcome = Mutex(Outcome())
    let workerCount = ProcessInfo.processInfo.activeProcessorCount
    DispatchQueue.concurrentPerform(iterations: workerCount) { worker in
      let view = pack.view
      var session = SearchSession()
      for number in stride(from: worker, to: count, by: workerCount) {
        var generator = SeededGenerator(seed: Self.seed &+ UInt64(number))
        let query = query(number, &generator)
        let search = RealSearch(query, in: names)
        let all =
          switch query.mode {
          case .fuzzy: search.fuzzyHits()
          case .contains: search.containedHits()
          case .auto, .prefix, .exact: search.autoHits()
          }
        let expected = Array(all.prefix(query.limit))
        session.search(query, in: view)
        let got = session.hits.map { hit(of: $0, in: view) }
        outcome.withLock {
          $0.caseCount += 1
          $0.hitCount += expected.count
          guard got != expected, $0.wrong.count < 10 else { return }
          let place = zip(got, expected).prefix { $0 == $1 }.count
          $0.wrong.append(
            "case \(number) \(query.mode) k=\(query.maximumDistance ?? -1) \(query.words) "
              + "\(query.text.debugDescription): \(got.count) hits, expected \(expected.count); "
              + "at \(place) \(got.dropFirst(place).prefix(1)), "
              + "expected \(expected.dropFirst(place).prefix(1))")
        }
      }
    }
    return outcome.withLock { $0 }
  }

  private func hit(of hit: SearchHit, in view: borrowing PackView) -> RealSearch.Hit {
    let isScientific = hit.name.rawValue < UInt32(view.taxonCount)
    return RealSearch.Hit(
      id: view.ids[hit.taxon].rawValue, name: view.names.text(of: hit.name),
      isSynonym: !isScientific && view.names.type(of: hit.name) == .synonym,
      matchClass: hit.matchClass.rawValue, distance: hit.distance)
  }

  /// A name of any kind, as often of a genus or higher, or common, as of a species.
  private static func name(_ names: RealNames, _ generator: inout SeededGenerator) -> String {
    let kind = Int.random(in: 0..<3, using: &generator)
    while true {
      guard let name = names.names.randomElement(using: &generator) else { return "" }
      let isSpecies = name.kind == 0 && name.wordCount > 1
      switch kind {
      case 0 where name.kind > 0: return name.text
      case 1 where name.kind == 0 && !isSpecies: return name.text
      case 2: return name.text
      default: continue
      }
    }
  }

  /// The name; sometimes some of its words, in any order.
  private static func words(_ text: String, _ generator: inout SeededGenerator) -> String {
    let words = text.split(separator: " ")
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return words.shuffled(using: &generator).joined(separator: " ")
    case 1:
      return words.shuffled(using: &generator)
        .prefix(Int.random(in: 1...max(1, words.count), using: &generator)).joined(separator: " ")
    default: return text
    }
  }

  @Test func fuzzySearchMissesNothingAndAddsNothing() {
    let outcome = outcome(Sweep.count(few: 200, full: 20_000)) { number, generator in
      let text = Self.misspelt(
        Self.words(Self.name(names, &generator), &generator), count: number % 4, &generator)
      return SearchQuery(
        text, mode: .fuzzy,
        maximumDistance: [nil, nil, 0, 1, 2, 3, 3].randomElement(using: &generator) ?? nil,
        words: Bool.random(using: &generator) ? .anyForm : .asTyped, limit: .max)
    }
    print("fuzzy: seed \(Self.seed), \(outcome.caseCount) cases, \(outcome.hitCount) hits")
    #expect(outcome.wrong == [], "seed \(Self.seed)")
  }

  /// "Thrips" is a genus, and what members of a family are called.
  @Test(arguments: [SearchQuery.Words.anyForm, .asTyped])
  func aTaxonsOwnNameGoesBeforeWhatOthersAreCalled(_ words: SearchQuery.Words) {
    let outcome = outcome(4) { number, _ in
      SearchQuery(
        number < 2 ? "Thrips" : "thrips", mode: number.isMultiple(of: 2) ? .fuzzy : .auto,
        maximumDistance: 0, words: words, limit: .max)
    }
    #expect(outcome.wrong == [])
    #expect(outcome.hitCount > 4)
  }

  @Test func completionMissesNothingAndAddsNothing() {
    let outcome = outcome(Sweep.count(few: 50, full: 5_000)) { number, generator in
      let name = Self.words(Self.name(names, &generator), &generator)
      let length = Int.random(in: 1...16, using: &generator)
      let text = Self.misspelt(String(name.prefix(length)), count: number % 3, &generator)
      return SearchQuery(
        text, mode: .auto, maximumDistance: [nil, nil, nil, 1, 3][number % 5],
        words: Bool.random(using: &generator) ? .anyForm : .asTyped,
        limit: [10, 20, .max].randomElement(using: &generator) ?? 10)
    }
    print("completion: seed \(Self.seed), \(outcome.caseCount) cases, \(outcome.hitCount) hits")
    #expect(outcome.wrong == [], "seed \(Self.seed)")
  }

  /// Pieces of words, of one letter or many, alone and two of them.
  @Test func whatStandsInsideWordsIsFound() {
    let outcome = outcome(Sweep.count(few: 60, full: 5_000)) { number, generator in
      let words = Self.name(names, &generator).split(separator: " ").map { word in
        let start = Int.random(in: 0..<word.count, using: &generator)
        let count = Int.random(in: 1...9, using: &generator)
        return String(word.dropFirst(start).prefix(count))
      }
      let text = words.shuffled(using: &generator).prefix(number % 3 + 1).joined(separator: " ")
      return SearchQuery(
        text, mode: number % 4 == 0 ? .auto : .contains,
        limit: [10, 20, .max].randomElement(using: &generator) ?? 10)
    }
    print("inside: seed \(Self.seed), \(outcome.caseCount) cases, \(outcome.hitCount) hits")
    #expect(outcome.wrong == [], "seed \(Self.seed)")
  }

  /// Edits of every kind at any position; spaces are as likely to be hit as all letters together.
  private static func misspelt(
    _ text: String, count: Int, _ generator: inout SeededGenerator
  ) -> String {
    var letters = Array(text)
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz") + letters
    for _ in 0..<count {
      let letter = alphabet.randomElement(using: &generator) ?? "a"
      let place = Int.random(in: 0...letters.count, using: &generator)
      let spaces = letters.indices.filter { letters[$0] == " " }
      let space = spaces.randomElement(using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0 where place < letters.count: letters.remove(at: place)
      case 1 where place < letters.count: letters[place] = letter
      case 2 where place + 1 < letters.count: letters.swapAt(place, place + 1)
      case 3: letters.insert(" ", at: place)
      case 4: if let space { letters.remove(at: space) }
      case 5: if let space { letters[space] = letter }
      case 6: if let space, space + 1 < letters.count { letters.swapAt(space, space + 1) }
      default: letters.insert(letter, at: place)
      }
    }
    return String(letters)
  }

  /// A misspelling from life, with the name that was meant.
  private struct Pair {
    var query: String
    var expected: String
  }

  private static func pairs() throws -> [Pair] {
    let path = SharedData.path("reference/fuzzy/dev.tsv")
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst()
      .map { line in
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        return Pair(query: String(fields[0]), expected: String(fields[1]))
      }
  }

  private static let isDevAvailable = SharedData.has("reference/fuzzy/dev.tsv")

  @Test(.enabled(if: isDevAvailable, "needs ../shared/data/reference/fuzzy/dev.tsv"))
  func misspellingsFromLifeEqualBruteForce() throws {
    let pairs = try Self.pairs()
    let kinds: [(SearchQuery.Mode, Int?)] = [(.fuzzy, nil), (.fuzzy, 3), (.auto, nil)]
    // All names in every way, or some of them spread over the list.
    let all = pairs.count * kinds.count
    let count = Sweep.count(few: all / 12, full: all)
    let outcome = outcome(count) { number, _ in
      let chosen = number * (all / count)
      let (mode, distance) = kinds[number % kinds.count]
      return SearchQuery(
        pairs[chosen / kinds.count].query, mode: mode, maximumDistance: distance, limit: .max)
    }
    print("dev.tsv: \(outcome.caseCount) cases, \(outcome.hitCount) hits")
    #expect(outcome.wrong == [])
  }

  @Test(
    .enabled(if: isDevAvailable, "needs ../shared/data/reference/fuzzy/dev.tsv"),
    .disabled(if: Sweep.isAlone, "every run tries all"))
  func whatWasMeantIsNearest() throws {
    var idsByName: [String: Set<Int64>] = [:]
    for name in names.names where name.kind == 0 {
      idsByName[name.text, default: []].insert(names.taxa[name.taxon].id)
    }
    let pairs = try Self.pairs().filter { idsByName[$0.query] == nil }
    let view = pack.view
    var session = SearchSession()
    var counts: [String: Int] = [:]
    for pair in pairs {
      guard let meant = idsByName[pair.expected] else { continue }
      let scalars = { (text: String) in Folder.fold(text).unicodeScalars.map(\.value) }
      let distance = BoundedDistance.whole(
        scalars(pair.query), scalars(pair.expected), within: BoundedDistance.far - 1)
      let nearest = RealSearch(SearchQuery(pair.query), in: names).nearest(within: distance)
      let isNearest = !nearest.ids.isDisjoint(with: meant)
      func isFirst(_ mode: SearchQuery.Mode, _ distance: Int?) -> Bool {
        session.search(
          SearchQuery(pair.query, mode: mode, maximumDistance: distance, limit: 1), in: view)
        return session.hits.first.map { meant.contains(view.ids[$0.taxon].rawValue) } ?? false
      }
      func isFound(_ distance: Int?) -> Bool {
        session.search(
          SearchQuery(pair.query, mode: .fuzzy, maximumDistance: distance, limit: .max), in: view)
        return session.hits.contains { meant.contains(view.ids[$0.taxon].rawValue) }
      }
      let facts = [
        ("pairs", true), ("nearest", isNearest), ("found, k nil", isFound(nil)),
        ("found, k 3", isFound(3)), ("first, fuzzy, k nil", isFirst(.fuzzy, nil)),
        ("first, fuzzy, k 3", isFirst(.fuzzy, 3)), ("first, auto, k nil", isFirst(.auto, nil)),
        ("first, auto, k 3", isFirst(.auto, 3)),
      ]
      for (fact, holds) in facts where holds {
        counts["\(fact), in all", default: 0] += 1
        counts["\(fact), within 3", default: 0] += distance <= 3 ? 1 : 0
      }
    }
    print(
      counts.sorted { $0.key < $1.key }.map { "dev.tsv: \($0.key): \($0.value)" }
        .joined(separator: "\n"))
    for scope in ["in all", "within 3"] {
      let share = Double(counts["nearest, \(scope)"] ?? 0) / Double(counts["pairs, \(scope)"] ?? 0)
      #expect(share >= 0.995, "\(scope)")
    }
    // Whatever is near enough is found.
    #expect(counts["found, k 3, within 3"] == counts["pairs, within 3"])
  }
}
