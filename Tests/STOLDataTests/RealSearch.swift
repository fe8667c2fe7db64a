import STOLPack
import TestSupport

/// Brute force for one query over all names of a database.
///
/// Every name is looked at. What saves time is provable in a line: lengths differ by no more than the
/// distance, and one edit makes at most one letter disappear and one appear. What passes is compared
/// in full, by the definition of the match classes.
struct RealSearch {
  /// A taxon with its best name.
  struct Hit: Equatable, Sendable {
    var id: Int64
    var name: String
    var isSynonym: Bool
    var matchClass: Int
    var distance: Int
  }

  private typealias Match = (matchClass: Int, distance: Int)

  private let all: RealNames
  private let whole: [UInt32]
  private let letters: UInt64
  private let words: [[UInt32]]
  private let bound: Int
  private let asked: SearchQuery.Words
  /// Whether words count as they are, and inside others.
  private let isContained: Bool
  /// Of each word of the query, which words of the database are forms of it in some language.
  private let possibleForms: [[Bool]]

  init(_ query: SearchQuery, in names: RealNames) {
    all = names
    whole = Folder.fold(query.text).unicodeScalars.map(\.value)
    letters = RealNames.letters(whole)
    words = whole.split(separator: 32).map { Array($0) }
    let nearest = whole.count < 3 ? 0 : whole.count < 5 ? 1 : 2
    bound = min(max(query.maximumDistance ?? nearest, 0), 3)
    asked = query.words
    isContained = query.mode == .contains
    let isTyped = query.words == .asTyped || isContained
    possibleForms = words.map { word in
      var forms = [Bool](repeating: false, count: names.words.count)
      if let row = names.row(of: word) { forms[row] = true }
      if !isTyped {
        for row in names.rowsWithStem(of: word) {
          let text = names.words[row].text
          guard text.first == word.first else { continue }
          if FormsOracle.isForm(text, of: word, in: "en").isForm { forms[row] = true }
        }
      }
      return forms
    }
  }

  /// Whether a last word, and the query itself, may be the beginning of something similar.
  private var mayBegin: Bool { whole.count > bound }

  // MARK: - Searches

  /// All hits of fuzzy mode.
  func fuzzyHits() -> [Hit] {
    guard !words.isEmpty else { return [] }
    let costs = words.map { wholeCosts($0) }
    return hits { name in
      if let strict = strictClass(name, isComplete: true) { return strict }
      guard wholeDistance(name) <= bound || hasWords(name, costs) else { return nil }
      return similarClass(name, isComplete: true)
    }
  }

  /// All hits of auto mode.
  func autoHits() -> [Hit] {
    // What has no letters finds nothing.
    guard !words.isEmpty else { return [] }
    let strict = hits { strictClass($0) }
    guard strict.count < 3 else { return strict }
    let across = taxaWithAllWords()
    var costs = words.map { wholeCosts($0) }
    if mayBegin, let last = words.last { costs[costs.count - 1] = begunCosts(last) }
    let found = hits { name in
      let isAcross = across.contains(all.names[name].taxon) && !wordsFound(in: name).isEmpty
      if isAcross { return strictClass(name) ?? (6, 0) }
      // Each of these letters costs an edit, whether the words are in order or not.
      if let strict = strictClass(name) { return strict }
      guard (letters & ~all.letters[name]).nonzeroBitCount <= bound else { return nil }
      let isMember =
        wholeDistance(name) <= bound || begunDistance(name) <= bound || hasWords(name, costs)
      return isMember ? similarClass(name) : nil
    }
    guard found.isEmpty, asked == .anyForm else { return found }
    return hits { isInside($0) ? (5, 0) : nil }
  }

  /// All hits of the mode for what stands inside words.
  func containedHits() -> [Hit] {
    guard !words.isEmpty else { return [] }
    return hits { strictClass($0) ?? (isInside($0) ? (5, 0) : nil) }
  }

  /// Whether each word of the query stands somewhere in a word of a name.
  private func isInside(_ name: Int) -> Bool {
    let rows = all.rows[all.rowRange(of: name)]
    return words.allSatisfy { word in
      rows.contains { row in
        let text = all.words[Int(row)].text
        return text.indices.contains { text[$0...].starts(with: word) }
      }
    }
  }

  /// The least distance to any name up to `bound`, and the ids of the taxa that have such a name.
  func nearest(within bound: Int) -> (distance: Int, ids: Set<Int64>) {
    var least = (distance: bound + 1, ids: Set<Int64>())
    for name in all.names.indices where isPossible(name, within: bound) {
      let distance = BoundedDistance.whole(whole, all.names[name].whole, within: bound)
      if distance < least.distance { least = (distance, []) }
      if distance == least.distance { least.ids.insert(all.taxa[all.names[name].taxon].id) }
    }
    return least
  }

  /// The best hit of each taxon, in order.
  private func hits(_ match: (Int) -> Match?) -> [Hit] {
    var best: [Int: (key: [Int], hit: Hit, isScientific: Bool)] = [:]
    for number in all.names.indices {
      guard let match = match(number) else { continue }
      let name = all.names[number]
      let taxon = all.taxa[name.taxon]
      let key = [
        match.matchClass, match.distance, name.kind, name.isPreferred ? 0 : 1, number,
      ]
      if let other = best[name.taxon], other.key.lexicographicallyPrecedes(key) { continue }
      let hit = Hit(
        id: taxon.id, name: name.text, isSynonym: name.kind == 2, matchClass: match.matchClass,
        distance: match.distance)
      best[name.taxon] = (key, hit, name.kind == 0)
    }
    return best.map { taxon, found in
      (key: key(found.hit, found.isScientific, all.taxa[taxon]), hit: found.hit)
    }
    .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.hit)
  }

  private func key(_ hit: Hit, _ isScientific: Bool, _ taxon: RealNames.Taxon) -> [Int] {
    // The taxon whose own name it is goes before those that are called so besides.
    let isFurther = hit.matchClass == 0 && !isScientific ? 1 : 0
    return [
      hit.matchClass, hit.distance, isFurther, 63 - taxon.prominence, taxon.rank, taxon.status,
      taxon.place,
    ]
  }

  // MARK: - Classes

  /// The class among the first six; the last word of a complete query is a whole word.
  private func strictClass(_ name: Int, isComplete: Bool = false) -> Match? {
    if asked == .anyForm, !isContained, words.count > 1, all.names[name].wordCount == 1,
      all.names[name].whole == words.flatMap({ $0 })
    {
      return (1, 0)
    }
    guard words.count <= all.names[name].wordCount else { return nil }
    let rows = all.rows[all.rowRange(of: name)]
    // Every word but the last one is there in some form, whatever the language.
    let mayHold = words.indices.dropLast().allSatisfy { word in
      rows.contains { possibleForms[word][Int($0)] }
    }
    guard mayHold else { return nil }
    let text = all.names[name].whole
    if text == whole { return (0, 0) }
    let isBarelyBegun = asked == .asTyped && words.count == 1 && whole.count < 3 && !isComplete
    if !isBarelyBegun, let found = wholeClass(name, rows) { return (found, 0) }
    if isComplete { return nil }
    if text.starts(with: whole) { return (4, 0) }
    guard let last = words.last,
      rows.contains(where: { all.words[Int($0)].text.starts(with: last) })
    else { return nil }
    var rest: [[UInt32]?] = all.wordTexts(of: name)
    for word in words.dropLast() {
      guard let place = place(of: word, in: rest, all.names[name].language) else { return nil }
      rest[place] = nil
    }
    return rest.contains { $0?.starts(with: last) ?? false } ? (5, 0) : nil
  }

  /// The class among the first four, for which every word of the query is a whole word.
  private func wholeClass(_ name: Int, _ rows: ArraySlice<Int32>) -> Int? {
    guard rows.contains(where: { possibleForms[words.count - 1][Int($0)] }) else { return nil }
    let texts = all.wordTexts(of: name)
    let language = all.names[name].language
    if texts.count == words.count,
      zip(texts, words).allSatisfy({ form($0, $1, language).isForm })
    {
      return 1
    }
    var rest: [[UInt32]?] = texts
    for word in words {
      guard let place = place(of: word, in: rest, language) else { return nil }
      rest[place] = nil
    }
    let heads = FormsOracle.heads(of: texts, in: language)
    let hasHead = texts.indices.contains { place in
      words.contains { word in
        let found = form(texts[place], word, language)
        return found.isForm && (found.endsPart || heads.contains(place))
      }
    }
    return hasHead ? 2 : 3
  }

  private func place(of word: [UInt32], in rest: [[UInt32]?], _ language: String?) -> Int? {
    rest.firstIndex { $0 == word }
      ?? rest.firstIndex { $0.map { form($0, word, language).isForm } ?? false }
  }

  private func form(
    _ word: [UInt32], _ asked: [UInt32], _ language: String?
  ) -> (isForm: Bool, endsPart: Bool) {
    self.asked == .anyForm && !isContained
      ? FormsOracle.isForm(word, of: asked, in: language) : (word == asked, false)
  }

  /// The words of the query that a name holds, the last one perhaps only begun.
  private func wordsFound(in name: Int) -> Set<Int> {
    let rows = all.rows[all.rowRange(of: name)]
    let language = all.names[name].language
    return Set(
      words.indices.filter { index in
        rows.contains { row in
          let text = all.words[Int(row)].text
          return possibleForms[index][Int(row)] && form(text, words[index], language).isForm
            || index == words.count - 1 && text.starts(with: words[index])
        }
      })
  }

  /// The taxa that have each word of the query in some name.
  private func taxaWithAllWords() -> Set<Int> {
    guard (2...64).contains(words.count) else { return [] }
    var found: [Int: Set<Int>] = [:]
    for name in all.names.indices {
      let words = wordsFound(in: name)
      if !words.isEmpty { found[all.names[name].taxon, default: []].formUnion(words) }
    }
    return Set(found.filter { $0.value.count == words.count }.keys)
  }

  private func similarClass(_ name: Int, isComplete: Bool = false) -> Match? {
    let text = all.names[name].whole
    let distance = BoundedDistance.whole(whole, text, within: bound)
    if distance <= bound { return (7, distance) }
    if mayBegin, !isComplete {
      let distance = BoundedDistance.prefix(whole, text, within: bound)
      if distance <= bound { return (8, distance) }
    }
    let rows = all.rows[all.rowRange(of: name)].map(Int.init)
    let least = leastSum(words.count - 1, rows, bound) { index, row in
      let isBegun = index == words.count - 1 && mayBegin && !isComplete
      let text = all.words[row].text
      return UInt8(
        isBegun
          ? BoundedDistance.prefix(words[index], text, within: bound)
          : BoundedDistance.whole(words[index], text, within: bound))
    }
    return least <= bound ? (9, least) : nil
  }

  private func wholeDistance(_ name: Int) -> Int {
    guard isPossible(name, within: bound) else { return BoundedDistance.far }
    return BoundedDistance.whole(whole, all.names[name].whole, within: bound)
  }

  private func begunDistance(_ name: Int) -> Int {
    guard mayBegin, all.counts[name] + bound >= whole.count else { return BoundedDistance.far }
    return BoundedDistance.prefix(whole, all.names[name].whole, within: bound)
  }

  /// Whether length and letters of a name allow that it is within the bound of the query.
  private func isPossible(_ name: Int, within bound: Int) -> Bool {
    abs(all.counts[name] - whole.count) <= bound
      && (all.letters[name] & ~letters).nonzeroBitCount <= bound
      && (letters & ~all.letters[name]).nonzeroBitCount <= bound
  }

  // MARK: - Words

  /// The distance of a word of the query to every word.
  private func wholeCosts(_ word: [UInt32]) -> [UInt8] {
    let letters = RealNames.letters(word)
    return all.words.map {
      guard (letters & ~$0.letters).nonzeroBitCount <= bound,
        ($0.letters & ~letters).nonzeroBitCount <= bound
      else { return UInt8(BoundedDistance.far) }
      return UInt8(BoundedDistance.whole(word, $0.text, within: bound))
    }
  }

  /// The distance of a word of the query to the beginning of every word.
  private func begunCosts(_ word: [UInt32]) -> [UInt8] {
    let letters = RealNames.letters(word)
    return all.words.map {
      guard (letters & ~$0.letters).nonzeroBitCount <= bound else {
        return UInt8(BoundedDistance.far)
      }
      return UInt8(BoundedDistance.prefix(word, $0.text, within: bound))
    }
  }

  /// Whether the words of the query find different words of a name within the bound.
  private func hasWords(_ name: Int, _ costs: [[UInt8]]) -> Bool {
    let range = all.rowRange(of: name)
    // Every word has at least one that it could have.
    for word in costs.indices.reversed() {
      guard range.contains(where: { costs[word][Int(all.rows[$0])] <= bound }) else { return false }
    }
    let rows = all.rows[range].map(Int.init)
    return leastSum(words.count - 1, rows, bound) { costs[$0][$1] } <= bound
  }

  /// The least total cost of the words of the query up to `last`, each with one of the rows.
  private func leastSum(
    _ last: Int, _ rows: [Int], _ budget: Int, _ cost: (Int, Int) -> UInt8
  ) -> Int {
    guard last >= 0 else { return 0 }
    var least = BoundedDistance.far
    for (place, row) in rows.enumerated() where least > 0 {
      let first = Int(cost(last, row))
      guard first <= budget else { continue }
      var others = rows
      others.remove(at: place)
      least = min(least, first + leastSum(last - 1, others, budget - first, cost))
    }
    return least
  }
}

/// Optimal string alignment distances that need not be known beyond a bound.
enum BoundedDistance {
  /// More than any bound.
  static let far = 99

  /// The distance of two texts, or `far`.
  static func whole(_ a: [UInt32], _ b: [UInt32], within bound: Int) -> Int {
    guard abs(a.count - b.count) <= bound else { return far }
    return last(a, b, within: bound) { row in row.last ?? far }
  }

  /// The least distance between `a` and a prefix of `b`, or `far`.
  static func prefix(_ a: [UInt32], _ b: [UInt32], within bound: Int) -> Int {
    guard a.count - b.count <= bound else { return far }
    // A longer prefix needs more insertions than there may be.
    return last(a, Array(b.prefix(a.count + bound)), within: bound) { row in row.min() ?? far }
  }

  /// What `pick` takes from the last row of the matrix, where cells farther than `bound` from the
  /// diagonal are `far`, for they need as many insertions or deletions.
  private static func last(
    _ a: [UInt32], _ b: [UInt32], within bound: Int, _ pick: ([Int]) -> Int
  ) -> Int {
    var before = [Int](repeating: far, count: b.count + 1)
    var row = before
    var above = Array(0...b.count)
    for i in 1..<a.count + 1 {
      for j in row.indices { row[j] = far }
      if i <= bound { row[0] = i }
      for j in max(1, i - bound)..<max(1, i - bound, min(b.count, i + bound) + 1) {
        var cell = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        cell = min(cell, above[j] + 1, row[j - 1] + 1)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          cell = min(cell, before[j - 2] + 1)
        }
        row[j] = cell
      }
      // No cell is less than the least one of the row above it.
      guard row.contains(where: { $0 <= bound }) else { return far }
      (before, above, row) = (above, row, before)
    }
    let distance = pick(above)
    return distance <= bound ? distance : far
  }
}
