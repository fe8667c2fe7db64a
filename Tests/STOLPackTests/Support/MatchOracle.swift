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
  /// Which words are those of the query.
  let asked: SearchQuery.Words
  /// Whether words are those of the query as they are, and stand anywhere in words of a name.
  let isContained: Bool

  init(
    _ text: String, maximumDistance: Int?, words asked: SearchQuery.Words = .anyForm,
    isContained: Bool = false
  ) {
    self.asked = asked
    self.isContained = isContained
    isQuoted =
      text.unicodeScalars.count > 1 && text.unicodeScalars.first == "\""
      && text.unicodeScalars.last == "\""
    words = Self.words(
      isQuoted ? String(String.UnicodeScalarView(text.unicodeScalars.dropFirst().dropLast())) : text
    )
    whole = Self.joined(words)
    let nearest = whole.count < 3 ? 0 : whole.count < 5 ? 1 : 2
    greatest = min(max(maximumDistance ?? nearest, 0), 3)
  }

  /// The folded words of a text.
  static func words(_ text: String) -> [[UInt32]] {
    Folder.fold(text).unicodeScalars.split(separator: " ").map { $0.map(\.value) }
  }

  /// Words with one space between them.
  static func joined(_ words: [[UInt32]]) -> [UInt32] {
    Array(words.joined(separator: [32]))
  }

  /// The first class that holds, whatever the mode; the language is nil for scientific names.
  func match(_ name: [[UInt32]], _ language: String? = nil) -> Match? {
    strictMatch(name, language) ?? (looksInside ? insideMatch(name) : nil) ?? similarMatch(name)
  }

  /// The class among the first six.
  func strictMatch(_ name: [[UInt32]], _ language: String? = nil) -> Match? {
    // Of what is being typed, one or two letters are hardly a word.
    let isBarelyBegun = asked == .asTyped && words.count == 1 && whole.count < 3
    if isBarelyBegun, words == name { return Match(matchClass: 0, distance: 0) }
    if !isBarelyBegun, let whole = wholeClass(name, language) {
      return Match(matchClass: whole, distance: 0)
    }
    if Self.joined(name).starts(with: whole) { return Match(matchClass: 4, distance: 0) }
    return hasAllWords(name, language) ? Match(matchClass: 5, distance: 0) : nil
  }

  /// Whether `auto` finds what stands inside words whatever else there is.
  var looksInside: Bool {
    asked == .anyForm && !isQuoted && !words.isEmpty
      && words.joined().allSatisfy(FormsOracle.isOfScriptWithoutSpaces)
  }

  /// Each word of the query stands somewhere in a word of the name.
  func insideMatch(_ name: [[UInt32]]) -> Match? {
    let isInside = words.allSatisfy { word in
      name.contains { other in other.indices.contains { other[$0...].starts(with: word) } }
    }
    return isInside ? Match(matchClass: 5, distance: 0) : nil
  }

  /// The class among the first four, for which every word of the query is a whole word.
  private func wholeClass(_ name: [[UInt32]], _ language: String?) -> Int? {
    if words == name { return 0 }
    if words.count == name.count,
      zip(name, words).allSatisfy({ isForm($0, of: $1, language).isForm })
    {
      return 1
    }
    // Several words that the name has without a space between them.
    if asked == .anyForm, !isQuoted, !isContained, words.count > 1, name.count == 1,
      name[0] == words.flatMap({ $0 })
    {
      return 1
    }
    var rest: [[UInt32]?] = name
    for word in words {
      guard let place = place(of: word, in: rest, language) else { return nil }
      rest[place] = nil
    }
    let heads = FormsOracle.heads(of: name, in: language)
    let hasHead = name.indices.contains { place in
      words.contains { word in
        let form = isForm(name[place], of: word, language)
        return form.isForm && (form.endsPart || heads.contains(place))
      }
    }
    return hasHead ? 2 : 3
  }

  /// Where a word stands as it is, else where another form of it does first.
  private func place(
    of word: [UInt32], in rest: [[UInt32]?], _ language: String?
  ) -> Int? {
    rest.firstIndex { $0 == word }
      ?? rest.firstIndex { $0.map { isForm($0, of: word, language).isForm } ?? false }
  }

  func isForm(
    _ word: [UInt32], of asked: [UInt32], _ language: String?
  ) -> (isForm: Bool, endsPart: Bool) {
    self.asked == .anyForm && !isQuoted && !isContained
      ? FormsOracle.isForm(word, of: asked, in: language) : (word == asked, false)
  }

  /// The words of the query that a name holds, the last one perhaps only begun.
  func wordsFound(in name: [[UInt32]], _ language: String?) -> Set<Int> {
    Set(
      words.indices.filter { index in
        name.contains {
          isForm($0, of: words[index], language).isForm
            || index == words.count - 1 && $0.starts(with: words[index])
        }
      })
  }

  /// The class among the last three.
  func similarMatch(_ name: [[UInt32]]) -> Match? {
    let distances = StringAlignment.distances(from: whole, toPrefixesOf: Self.joined(name))
    if let distance = distances.last, distance <= greatest {
      return Match(matchClass: 7, distance: distance)
    }
    if whole.count > greatest, let distance = distances.min(), distance <= greatest {
      return Match(matchClass: 8, distance: distance)
    }
    return wordDistance(name, mayCompleteLast: true).map { Match(matchClass: 9, distance: $0) }
  }

  /// The class in fuzzy mode, where every word of the query is a whole word.
  func completeMatch(_ name: [[UInt32]], _ language: String? = nil) -> Match? {
    if words == name { return Match(matchClass: 0, distance: 0) }
    if !isQuoted, let found = wholeClass(name, language) {
      return Match(matchClass: found, distance: 0)
    }
    let distance = StringAlignment.distance(whole, Self.joined(name))
    if distance <= greatest { return Match(matchClass: 7, distance: distance) }
    guard !isQuoted else { return nil }
    return wordDistance(name, mayCompleteLast: false).map { Match(matchClass: 9, distance: $0) }
  }

  /// Equal; or holding the words of the phrase next to each other, with the head or without.
  func phraseMatch(_ name: [[UInt32]], _ language: String? = nil) -> Match? {
    if words == name { return Match(matchClass: 0, distance: 0) }
    guard name.indices.contains(where: { name[$0...].starts(with: words) }) else { return nil }
    let hasHead = FormsOracle.heads(of: name, in: language).contains { words.contains(name[$0]) }
    return Match(matchClass: hasHead ? 2 : 3, distance: 0)
  }

  /// Whether a name holds the words, each a different one, the last one perhaps only begun.
  private func hasAllWords(_ name: [[UInt32]], _ language: String?) -> Bool {
    guard let last = words.last else { return false }
    var rest: [[UInt32]?] = name
    for word in words.dropLast() {
      guard let place = place(of: word, in: rest, language) else { return false }
      rest[place] = nil
    }
    return rest.contains { $0?.starts(with: last) ?? false }
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
