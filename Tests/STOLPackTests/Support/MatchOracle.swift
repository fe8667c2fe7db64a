import STOLPack

/// Whether and how a query matches a name, by the definition of the match classes.
///
/// Everything counts Unicode scalars of folded text. Only folding is the library's own.
struct MatchOracle {
  /// A class and a distance; less comes first.
  struct Match: Equatable {
    var matchClass: Int
    var distance: Int
  }

  /// Whether the text stands in double quotes.
  let isQuoted: Bool
  /// The folded words of the text, without its quotes.
  let words: [[UInt32]]
  /// The folded text, without its quotes.
  let whole: [UInt32]
  /// The greatest distance of a match.
  let greatest: Int

  init(_ text: String, maximumDistance: Int?) {
    isQuoted =
      text.unicodeScalars.count > 1 && text.unicodeScalars.first == "\""
      && text.unicodeScalars.last == "\""
    words = Self.words(
      isQuoted ? String(String.UnicodeScalarView(text.unicodeScalars.dropFirst().dropLast())) : text
    )
    whole = Self.joined(words)
    greatest = min(max(maximumDistance ?? (whole.count < 5 ? 1 : 2), 0), 3)
  }

  /// The folded words of a text.
  static func words(_ text: String) -> [[UInt32]] {
    Folder.fold(text).unicodeScalars.split(separator: " ").map { $0.map(\.value) }
  }

  /// Words with one space between them.
  static func joined(_ words: [[UInt32]]) -> [UInt32] {
    Array(words.joined(separator: [32]))
  }

  /// The first class that holds, whatever the mode.
  func match(_ name: [[UInt32]]) -> Match? {
    strictMatch(name) ?? similarMatch(name)
  }

  /// The class among the first three.
  func strictMatch(_ name: [[UInt32]]) -> Match? {
    let isFound: [Bool] = [
      words == name,
      Self.joined(name).starts(with: whole),
      hasAllWords(name),
    ]
    return isFound.firstIndex(of: true).map { Match(matchClass: $0, distance: 0) }
  }

  /// The class among the last three.
  func similarMatch(_ name: [[UInt32]]) -> Match? {
    let distances = StringAlignment.distances(from: whole, toPrefixesOf: Self.joined(name))
    if let distance = distances.last, distance <= greatest {
      return Match(matchClass: 3, distance: distance)
    }
    if whole.count > greatest, let distance = distances.min(), distance <= greatest {
      return Match(matchClass: 4, distance: distance)
    }
    return wordDistance(name, mayCompleteLast: true).map { Match(matchClass: 5, distance: $0) }
  }

  /// The class in fuzzy mode, where every word of the query is a whole word.
  func completeMatch(_ name: [[UInt32]]) -> Match? {
    let isFound = [
      words == name,
      !isQuoted && name.starts(with: words),
      !isQuoted && holdsAllWords(name),
    ]
    if let found = isFound.firstIndex(of: true) { return Match(matchClass: found, distance: 0) }
    let distance = StringAlignment.distance(whole, Self.joined(name))
    if distance <= greatest { return Match(matchClass: 3, distance: distance) }
    guard !isQuoted else { return nil }
    return wordDistance(name, mayCompleteLast: false).map { Match(matchClass: 5, distance: $0) }
  }

  /// Whether a name holds the words, each a different one.
  private func holdsAllWords(_ name: [[UInt32]]) -> Bool {
    var rest = name
    for word in words {
      guard let place = rest.firstIndex(of: word) else { return false }
      rest.remove(at: place)
    }
    return true
  }

  /// Equal; begun by the words of the phrase; or holding them next to each other.
  func phraseMatch(_ name: [[UInt32]]) -> Match? {
    let isFound = [
      words == name,
      name.starts(with: words),
      name.indices.contains { name[$0...].starts(with: words) },
    ]
    return isFound.firstIndex(of: true).map { Match(matchClass: $0, distance: 0) }
  }

  /// Whether a name holds the words, each a different one, the last one perhaps only begun.
  private func hasAllWords(_ name: [[UInt32]]) -> Bool {
    guard let last = words.last else { return false }
    var rest = name
    for word in words.dropLast() {
      guard let place = rest.firstIndex(of: word) else { return false }
      rest.remove(at: place)
    }
    return rest.contains { $0.starts(with: last) }
  }

  /// The least total distance of all words to different words of the name, if it is small enough.
  private func wordDistance(_ name: [[UInt32]], mayCompleteLast: Bool) -> Int? {
    guard words.count <= name.count else { return nil }
    let costs = words.enumerated().map { index, word in
      let isBegun = mayCompleteLast && index == words.count - 1 && whole.count > greatest
      return name.map {
        isBegun
          ? StringAlignment.distance(word, toPrefixOf: $0) : StringAlignment.distance(word, $0)
      }
    }
    return Self.leastSum(costs[...], Set(name.indices), budget: greatest)
  }

  /// The least sum of one number of each row, all from different columns, if within the budget.
  ///
  /// Equal columns are one with a count, and what is known of the rest is not counted again: names of
  /// many short words have too many assignments to try each.
  static func leastSum(_ costs: ArraySlice<[Int]>, _ free: Set<Int>, budget: Int) -> Int? {
    let columns = Dictionary(grouping: free) { column in costs.map { $0[column] } }
    var known: [[Int]: Int?] = [:]
    var left = columns.map { (costs: $0.key, count: $0.value.count) }
    func leastSum(fromRow row: Int, budget: Int) -> Int? {
      guard row < costs.count else { return 0 }
      let key = left.map { $0.count } + [row, budget]
      if let least = known[key] { return least }
      var least: Int?
      for column in left.indices where left[column].count > 0 {
        let cost = left[column].costs[row]
        guard cost <= budget, least != 0 else { continue }
        left[column].count -= 1
        if let rest = leastSum(fromRow: row + 1, budget: budget - cost) {
          least = min(least ?? .max, cost + rest)
        }
        left[column].count += 1
      }
      known[key] = .some(least)
      return least
    }
    return leastSum(fromRow: 0, budget: budget)
  }
}
