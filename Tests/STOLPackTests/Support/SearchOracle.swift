import STOLPack

/// What a search must find, from the rows and the documentation alone.
///
/// Simple enough to be trusted: every name is compared with every query by `MatchOracle`, every hit
/// is sorted by a list of numbers. Only folding is the library's own; it has tests of its own.
struct SearchOracle {
  /// One name of one taxon.
  struct Name {
    /// Its number in the pack.
    var number: Int
    /// The ordinal of its taxon.
    var taxon: Int
    /// As written.
    var text: String
    /// Its folded words.
    var words: [[UInt32]]
    /// "" for the scientific name, else the type of the row.
    var type: String
    var language: String
    var isPreferred: Bool

    /// The language of a name that is no scientific one.
    var commonLanguage: String? { type.isEmpty || type == "synonym" ? nil : language }
  }

  /// What may be hit, in the words of the source.
  struct Filter {
    var rank: String?
    var clade: Int64?
    var status: String?
    var conservation: String?
    var languages: Set<String>?
    /// A key, and a value or nil for any.
    var traits: [(key: String, value: String?)] = []

    var isEmpty: Bool {
      rank == nil && clade == nil && status == nil && conservation == nil && languages == nil
        && traits.isEmpty
    }
  }

  /// A name that a search found.
  struct Hit: Equatable {
    var taxon: Int
    var name: Int
    var matchClass: Int
    var distance: Int
  }

  let taxonomy: TestTaxonomy
  let tree: ForestOracle
  /// All names by their number.
  let names: [Name]
  private let traits: [Int64: [TraitRow]]
  private let places: [Int]
  /// How well known each taxon is.
  let prominences: [Int]

  init(_ taxonomy: TestTaxonomy) {
    let tree = ForestOracle(taxonomy)
    var names = tree.ids.enumerated().map { position, id in
      Name(
        number: position, taxon: position, text: tree.name(id),
        words: MatchOracle.words(tree.name(id)), type: "", language: "la", isPreferred: false)
    }
    let rowByID = Dictionary(uniqueKeysWithValues: taxonomy.taxa.map { ($0.id, $0) })
    // A synonym leads on until a taxon of the tree.
    func accepted(_ id: Int64) -> Int? {
      guard let row = rowByID[id] else { return nil }
      return row.status == "synonym" ? row.parentID.flatMap { accepted($0) } : tree.positions[id]
    }
    let further = Dictionary(grouping: taxonomy.names) { accepted($0.taxonID) }
    let synonyms = Dictionary(grouping: taxonomy.taxa.filter { $0.status == "synonym" }) {
      accepted($0.id)
    }
    for position in tree.ids.indices {
      for row in further[position] ?? [] {
        names.append(
          Name(
            number: names.count, taxon: position, text: row.name,
            words: MatchOracle.words(row.name), type: row.type, language: row.language,
            isPreferred: row.isPreferred))
      }
      for row in synonyms[position] ?? [] {
        names.append(
          Name(
            number: names.count, taxon: position, text: row.scientificName,
            words: MatchOracle.words(row.scientificName), type: "synonym", language: "la",
            isPreferred: false))
      }
    }
    self.taxonomy = taxonomy
    self.tree = tree
    self.names = names
    traits = Dictionary(grouping: taxonomy.traits) { $0.taxonID }
    places = tree.placesByName()
    let common = Dictionary(grouping: names.filter { $0.commonLanguage != nil }) { $0.taxon }
    let factCounts = Dictionary(grouping: taxonomy.traits) { accepted($0.taxonID) }
      .mapValues { Set($0.map { [$0.key, $0.value, $0.unit ?? ""] }).count }
    let weights = tree.ids.enumerated().map { position, id -> Int in
      let own = common[position] ?? []
      let languages = Set(own.map(\.language)).count
      let isListed = !(tree.rows[id]?.conservation ?? "").isEmpty
      return 1 + (own.isEmpty ? 0 : 16 + 2 * own.count + 8 * languages)
        + 4 * (factCounts[position] ?? 0) + (isListed ? 8 : 0)
    }
    var sums = weights.map { _ in 0 }
    for (position, id) in tree.ids.enumerated() {
      for ancestor in tree.lineage(id) { sums[tree.positions[ancestor] ?? 0] += weights[position] }
    }
    prominences = tree.ids.enumerated().map { position, id in
      if let stated = tree.rows[id]?.prominence { return Int(stated) }
      return min(63, max(Self.logarithm(weights[position]), Self.logarithm(sums[position]) / 2))
    }
  }

  /// Four times the logarithm to the base of two, linear between powers of two, rounded down.
  private static func logarithm(_ weight: Int) -> Int {
    var (power, exponent) = (1, 0)
    while power * 2 <= weight { (power, exponent) = (power * 2, exponent + 1) }
    return 4 * exponent + 4 * (weight - power) / power
  }

  /// The hits of a search, all of them, in order.
  func search(
    _ text: String, mode: SearchQuery.Mode, maximumDistance: Int? = nil,
    words: SearchQuery.Words = .anyForm, preferring languages: Set<String> = [],
    filter: Filter = Filter()
  ) -> [Hit] {
    guard text.utf8.count <= SearchQuery.maximumByteCount else { return [] }
    let query = MatchOracle(
      text, maximumDistance: maximumDistance, words: words, isContained: mode == .contains)
    func inOrder(_ hits: [Hit]) -> [Hit] { self.inOrder(hits, preferring: languages) }
    // A name that folds to nothing is found by browsing only.
    let passing = names.filter { passes($0, filter) && (query.words.isEmpty || !$0.words.isEmpty) }
    func hits(_ match: (Name) -> MatchOracle.Match?) -> [Hit] {
      passing.compactMap { name in
        match(name).map {
          Hit(
            taxon: name.taxon, name: name.number, matchClass: $0.matchClass, distance: $0.distance)
        }
      }
    }
    let inQuotes = query.isQuoted && mode != .fuzzy ? MatchOracle.words(text) : []
    let found = hits {
      !inQuotes.isEmpty && $0.words == inQuotes ? .init(matchClass: 0, distance: 0) : nil
    }
    if !found.isEmpty {
      guard mode != .exact, !query.words.isEmpty else { return inOrder(found) }
      let others = hits { name in
        query.phraseMatch(name.words, name.commonLanguage).map {
          .init(matchClass: max(2, $0.matchClass), distance: 0)
        }
      }
      return inOrder(found + others)
    }
    if query.words.isEmpty {
      // Browsing: the taxa themselves.
      guard !filter.isEmpty, text.allSatisfy(\.isWhitespace) else { return [] }
      let found = passing.filter { $0.type.isEmpty || filter.languages != nil }
      return inOrder(
        found.map { Hit(taxon: $0.taxon, name: $0.number, matchClass: 5, distance: 0) })
    }
    switch mode {
    case .exact:
      return inOrder(hits { query.words == $0.words ? query.strictMatch($0.words) : nil })
    case .fuzzy:
      return inOrder(hits { query.completeMatch($0.words, $0.commonLanguage) })
    case .prefix, .auto, .contains:
      if query.isQuoted {
        return inOrder(hits { query.phraseMatch($0.words, $0.commonLanguage) })
      }
      let isInside = mode == .contains || mode == .auto && query.looksInside
      let found = hits {
        query.strictMatch($0.words, $0.commonLanguage)
          ?? (isInside ? query.insideMatch($0.words) : nil)
      }
      let isEnough = Set(found.map(\.taxon)).count >= 3
      if mode != .auto || isEnough { return inOrder(found) }
      let all = hits { query.match($0.words, $0.commonLanguage) } + acrossNames(query, passing)
      guard all.isEmpty, words == .anyForm else { return inOrder(all) }
      return inOrder(hits { query.insideMatch($0.words) })
    }
  }

  /// The names with a word of the query of taxa that have all of them in some of their names.
  private func acrossNames(_ query: MatchOracle, _ passing: [Name]) -> [Hit] {
    guard (2...64).contains(query.words.count) else { return [] }
    var found: [Int: Set<Int>] = [:]
    for name in names {
      found[name.taxon, default: []].formUnion(
        query.wordsFound(in: name.words, name.commonLanguage))
    }
    return passing.filter {
      found[$0.taxon]?.count == query.words.count
        && !query.wordsFound(in: $0.words, $0.commonLanguage).isEmpty
    }
    .map { Hit(taxon: $0.taxon, name: $0.number, matchClass: 6, distance: 0) }
  }

  /// The best hit of each taxon, the best taxon first.
  private func inOrder(_ hits: [Hit], preferring languages: Set<String>) -> [Hit] {
    var best: [Int: (key: ArraySlice<Int>, hit: Hit)] = [:]
    for hit in hits {
      let name = names[hit.name]
      let kind = name.type.isEmpty ? 0 : name.type == "synonym" ? 2 : 1
      let key =
        key(hit, preferring: languages).prefix(3) + [kind, name.isPreferred ? 0 : 1, name.number]
      if let other = best[hit.taxon], other.key.lexicographicallyPrecedes(key) { continue }
      best[hit.taxon] = (key, hit)
    }
    return best.values.map {
      (hit: $0.hit, key: key($0.hit, preferring: languages) + [places[$0.hit.taxon]])
    }
    .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.hit)
  }

  /// The place of a hit in the order but for name and id, which decide between equal keys.
  func key(_ hit: Hit, preferring languages: Set<String> = []) -> [Int] {
    let row = tree.rows[tree.ids[hit.taxon]]
    let rank = MainRank.allCases.map(\.name).firstIndex(of: row?.rank ?? "") ?? -1
    let status = row?.status == "accepted" ? 0 : 1
    // Of whole names, those that are scientific come first; in all classes but the similar ones, other languages
    // come last.
    let name = names[hit.name]
    let isFurther = hit.matchClass == 0 && !name.type.isEmpty
    let isOther =
      !languages.isEmpty && hit.matchClass < 7
      && name.commonLanguage.map { !languages.contains($0) } ?? false
    return [
      hit.matchClass, hit.distance, (isFurther ? 1 : 0) + (isOther ? 1 : 0),
      63 - prominences[hit.taxon], rank, status,
    ]
  }

  private func passes(_ name: Name, _ filter: Filter) -> Bool {
    let id = tree.ids[name.taxon]
    guard let row = tree.rows[id] else { return false }
    if let rank = filter.rank, row.rank != rank { return false }
    if let status = filter.status, row.status != status { return false }
    if let code = filter.conservation, (row.conservation ?? "") != code { return false }
    if let clade = filter.clade, !tree.lineage(id).contains(clade) { return false }
    if let languages = filter.languages, !languages.contains(name.language) { return false }
    return filter.traits.allSatisfy { key, value in
      (traits[id] ?? []).contains { $0.key == key && (value == nil || $0.value == value) }
    }
  }
}
