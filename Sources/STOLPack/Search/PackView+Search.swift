extension PackView {
  /// Finds names.
  ///
  /// Hits are ordered by match class, then as `query.order` says, then by scientific name (UTF-8
  /// bytes) and id; a taxon appears once, with its best name. An empty text lists the taxa that pass
  /// the filter, if there is one; where it asks for a language, those with a name in it. The result
  /// is the first `limit` hits of that order.
  ///
  /// - Complexity: O(m log m) for m matching names, besides a few lookups in the vocabulary.
  public func search(_ query: SearchQuery) -> [SearchHit] {
    guard query.limit > 0 else { return [] }
    var collector = HitCollector(query: query)
    let isPhrase = query.text.count > 1 && query.text.hasPrefix("\"") && query.text.hasSuffix("\"")
    let words = FoldedQuery(query.text)
    if words.isEmpty {
      guard !query.filter.isEmpty, query.text.allSatisfy(\.isWhitespace) else { return [] }
      for taxon in query.filter.clade ?? tree.taxa where taxon < taxonCount {
        offer(NameOrdinal(taxon), .allWords, to: &collector)
        guard query.filter.languages != nil else { continue }
        for name in names.furtherNames(of: TaxonOrdinal(taxon)) {
          offer(NameOrdinal(name), .allWords, to: &collector)
        }
      }
    } else {
      forEachMatch(words, mode: query.mode == .exact ? .exact : isPhrase ? .phrase : .prefix) {
        name, matchClass in offer(name, matchClass, to: &collector)
      }
    }
    return ranked(collector)
  }

  /// The words that begin with the last word of the query, and those equal to the others.
  private struct Pattern {
    var words: [Int]
    var last: Range<Int>
  }

  private enum Matching {
    case exact, prefix, phrase
  }

  /// Calls `body` with every name that matches, some of them twice.
  private func forEachMatch(
    _ query: FoldedQuery, mode: Matching, _ body: (NameOrdinal, MatchClass) -> Void
  ) {
    var pattern = Pattern(words: [], last: 0..<0)
    for word in query.words.dropLast() {
      guard let number = names.vocabulary.find(word.span) else { return }
      pattern.words.append(number)
    }
    let last = query.words.last ?? []
    let whole = names.vocabulary.find(last.span)
    if mode == .prefix {
      pattern.last = names.vocabulary.words(withPrefix: last.span)
    } else {
      guard let whole else { return }
      pattern.last = whole..<whole + 1
    }
    func check(_ name: NameOrdinal) {
      guard let matchClass = match(name, pattern, wholeLast: whole, isPhrase: mode == .phrase),
        mode != .exact || matchClass == .exactName
      else { return }
      body(name, matchClass)
    }
    let rarest = pattern.words.min { nameCount(of: $0) < nameCount(of: $1) }
    if let rarest,
      pattern.last.count > 1 || nameCount(of: rarest) < nameCount(of: pattern.last.lowerBound)
    {
      forEachName(with: rarest, check)
    } else {
      for word in pattern.last { forEachName(with: word, check) }
    }
  }

  /// Calls `body` with every name that holds `word`.
  private func forEachName(with word: Int, _ body: (NameOrdinal) -> Void) {
    for row in postings.rows(of: word) {
      let name = postings[row]
      guard name.index < names.count else { continue }
      body(name)
      forEachBinomial(under: name, body)
    }
  }

  /// Calls `body` with the names that take their first word from the one-word name `name`.
  private func forEachBinomial(under name: NameOrdinal, _ body: (NameOrdinal) -> Void) {
    guard names.isScientific(name), case .uninomial = names.form(of: name) else { return }
    let genus = TaxonOrdinal(name.index)
    for index in tree.subtree(of: genus).dropFirst()
    where tree.storedParent(index) == name.index &+ 1 && names.takesFirstWordFromParent(index) {
      body(NameOrdinal(index))
    }
  }

  /// About how many names hold `word`.
  private func nameCount(of word: Int) -> Int {
    let rows = postings.rows(of: word)
    var count = rows.count
    for row in rows.prefix(16) where names.isScientific(postings[row]) {
      count &+= tree.subtree(of: TaxonOrdinal(postings[row].index)).count &- 1
    }
    return count
  }

  /// How `name` matches, or nil.
  private func match(
    _ name: NameOrdinal, _ pattern: Pattern, wholeLast: Int?, isPhrase: Bool
  ) -> MatchClass? {
    var words: [Int] = []
    names.forEachWord(of: name) { words.append($0) }
    let count = pattern.words.count
    guard words.count > count else { return nil }
    if words.starts(with: pattern.words), pattern.last.contains(words[count]) {
      return words.count == count + 1 && words[count] == wholeLast ? .exactName : .namePrefix
    }
    if isPhrase {
      let sequence = pattern.words + [pattern.last.lowerBound]
      let isThere = words.indices.contains { words[$0...].starts(with: sequence) }
      return isThere ? .allWords : nil
    }
    for word in pattern.words {
      guard let index = words.firstIndex(of: word) else { return nil }
      words.remove(at: index)
    }
    return words.contains { pattern.last.contains($0) } ? .allWords : nil
  }

  /// Keeps a match if its taxon passes the filter.
  private func offer(
    _ name: NameOrdinal, _ matchClass: MatchClass, to collector: inout HitCollector
  ) {
    let taxon = names.taxon(of: name)
    guard passes(taxon, name, collector.query.filter) else { return }
    collector.candidates.append(
      HitCollector.Candidate(
        key: key(taxon, matchClass, collector.query.order), taxon: taxon, name: name,
        matchClass: matchClass))
  }

  private func passes(_ taxon: TaxonOrdinal, _ name: NameOrdinal, _ filter: SearchFilter) -> Bool {
    if let languages = filter.languages {
      let language = names.isScientific(name) ? names.latin : names.language(of: name)
      guard let language, languages.contains(language) else { return false }
    }
    return passes(taxon, filter)
  }

  /// Whether a taxon passes a filter, whatever its names.
  ///
  /// - Complexity: O(1), or O(log n) where the filter asks for traits.
  public func passes(_ taxon: TaxonOrdinal, _ filter: SearchFilter) -> Bool {
    if let clade = filter.clade, !clade.contains(taxon.index) { return false }
    if let rank = filter.rank, taxa.rank(of: taxon) != rank { return false }
    if let status = filter.status, taxa.status(of: taxon) != status { return false }
    if let code = filter.conservation, taxa.conservation(of: taxon) != code { return false }
    guard !filter.traits.isEmpty else { return true }
    let pairs = traits.pairs(of: taxon)
    return filter.traits.allSatisfy { wanted in pairs.contains { wanted.contains($0) } }
  }

  /// The place of a hit in the order, but for names and ids: less comes first.
  private func key(
    _ taxon: TaxonOrdinal, _ matchClass: MatchClass, _ order: SearchQuery.Order
  ) -> UInt32 {
    let rank = UInt32(min(taxa.rank(of: taxon), 255))
    let status = UInt32(min(taxa.status(of: taxon), 15))
    let isUnknown: UInt32 = taxa.hasCommonName(taxon) ? 0 : 1
    let size = UInt32(tree.subtree(of: taxon).count)
    let smallness = UInt32(size.leadingZeroBitCount)
    let rankAndStatus = rank << 4 | status
    let prominence = isUnknown << 5 | smallness
    let rest =
      order == .relevance ? rankAndStatus << 6 | prominence : prominence << 12 | rankAndStatus
    return UInt32(matchClass.rawValue) << 18 | rest
  }

  /// One hit a taxon, in order.
  private func ranked(_ collector: HitCollector) -> [SearchHit] {
    var candidates = collector.candidates
    candidates.sort { a, b in
      if a.taxon != b.taxon { return a.taxon < b.taxon }
      if a.key != b.key { return a.key < b.key }
      return nameRank(a.name) < nameRank(b.name)
    }
    var last: TaxonOrdinal?
    candidates.removeAll { candidate in
      defer { last = candidate.taxon }
      return candidate.taxon == last
    }
    let limit = collector.query.limit
    // Names are compared only among those that can be in the result.
    if candidates.count > limit {
      let keys = candidates.map(\.key).sorted()
      let worst = keys[limit - 1]
      candidates.removeAll { $0.key > worst }
    }
    candidates.sort { a, b in
      a.key != b.key ? a.key < b.key : order(a.taxon, b.taxon) < 0
    }
    return candidates.prefix(limit).map {
      SearchHit(
        taxon: $0.taxon, name: $0.name, matchClass: $0.matchClass, distance: 0,
        relevanceScore: HitCollector.score($0.key))
    }
  }

  /// Scientific names before common ones before synonyms; preferred ones first; then by number.
  private func nameRank(_ name: NameOrdinal) -> Int {
    guard !names.isScientific(name) else { return 0 }
    let type = names.type(of: name) == .synonym ? 2 : 1
    return (type << 1 | (names.isPreferred(name) ? 0 : 1)) << 32 | name.index
  }
}

/// The matches of one query.
private struct HitCollector {
  struct Candidate {
    let key: UInt32
    let taxon: TaxonOrdinal
    let name: NameOrdinal
    let matchClass: MatchClass
  }

  let query: SearchQuery
  var candidates: [Candidate] = []

  init(query: SearchQuery) { self.query = query }

  /// A number in 0...1 that falls as the key grows; four decimals tell classes and ranks apart.
  static func score(_ key: UInt32) -> Double { 1 - Double(key) / Double(1 << 21) }
}

/// The words of a query, folded.
struct FoldedQuery {
  let words: [[UInt8]]
  var isEmpty: Bool { words.isEmpty }

  init(_ text: String) {
    var folder = Folder()
    var folded: [UInt8] = []
    let isQuoted = text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
    folder.fold(isQuoted ? String(text.dropFirst().dropLast()) : text, into: &folded)
    words = folded.split(separator: UInt8(ascii: " ")).map { Array($0) }
  }
}
