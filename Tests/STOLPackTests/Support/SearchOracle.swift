import STOLPack

/// What a search must find, from the rows and the documentation alone.
///
/// Simple enough to be trusted: every name is compared with every query as a list of words, every
/// hit is sorted by a list of numbers. Only folding is the library's own; it has tests of its own.
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
    var words: [[UInt8]]
    /// "" for the scientific name, else the type of the row.
    var type: String
    var language: String
    var isPreferred: Bool
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
  }

  let tree: ForestOracle
  /// All names by their number.
  let names: [Name]
  private let traits: [Int64: [TraitRow]]
  private let sizes: [Int]
  private let places: [Int]
  private let known: Set<Int>

  init(_ taxonomy: TestTaxonomy) {
    let tree = ForestOracle(taxonomy)
    var names = tree.ids.enumerated().map { position, id in
      Name(
        number: position, taxon: position, text: tree.name(id), words: Self.words(tree.name(id)),
        type: "", language: "la", isPreferred: false)
    }
    let rowByID = Dictionary(uniqueKeysWithValues: taxonomy.taxa.map { ($0.id, $0) })
    // A synonym leads on until a taxon of the tree.
    func accepted(_ id: Int64) -> Int? {
      guard let row = rowByID[id] else { return nil }
      return row.status == "synonym" ? row.parentID.flatMap { accepted($0) } : tree.positions[id]
    }
    for position in tree.ids.indices {
      for row in taxonomy.names where accepted(row.taxonID) == position {
        names.append(
          Name(
            number: names.count, taxon: position, text: row.name, words: Self.words(row.name),
            type: row.type, language: row.language, isPreferred: row.isPreferred))
      }
      for row in taxonomy.taxa where row.status == "synonym" && accepted(row.id) == position {
        names.append(
          Name(
            number: names.count, taxon: position, text: row.scientificName,
            words: Self.words(row.scientificName), type: "synonym", language: "la",
            isPreferred: false))
      }
    }
    self.tree = tree
    self.names = names
    traits = Dictionary(grouping: taxonomy.traits) { $0.taxonID }
    sizes = tree.ids.map { id in tree.ids.filter { tree.lineage($0).contains(id) }.count }
    places = tree.placesByName()
    known = Set(names.filter { !["", "synonym"].contains($0.type) }.map(\.taxon))
  }

  private static func words(_ text: String) -> [[UInt8]] {
    Folder.fold(text).utf8.split(separator: 32).map { Array($0) }
  }

  /// The hits of a search, all of them, in order.
  func search(
    _ text: String, mode: SearchQuery.Mode, order: SearchQuery.Order, filter: Filter
  ) -> [Hit] {
    let isPhrase = text.count >= 2 && text.first == "\"" && text.last == "\""
    let query = Self.words(isPhrase ? String(text.dropFirst().dropLast()) : text)
    var best: [Int: (key: [Int], hit: Hit)] = [:]
    for name in names where passes(name, filter) {
      let matchClass: Int?
      if query.isEmpty {
        // Browsing: the taxa themselves.
        let isBrowsing =
          !filter.isEmpty && !isPhrase && (name.type.isEmpty || filter.languages != nil)
        matchClass = isBrowsing ? MatchClass.allWords.rawValue : nil
      } else if isPhrase {
        let found = Self.phraseMatch(query, name.words)
        matchClass = mode == .exact && found != MatchClass.exactName.rawValue ? nil : found
      } else {
        matchClass = Self.match(query, name.words, isExact: mode == .exact)
      }
      guard let matchClass else { continue }
      let kind = name.type.isEmpty ? 0 : name.type == "synonym" ? 2 : 1
      let key = [matchClass, kind, name.isPreferred ? 0 : 1, name.number]
      if let other = best[name.taxon], other.key.lexicographicallyPrecedes(key) { continue }
      let hit = Hit(taxon: name.taxon, name: name.number, matchClass: matchClass)
      best[name.taxon] = (key, hit)
    }
    return best.values.map { ($0.hit, key($0.hit, order)) }
      .sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
  }

  /// How well a taxon is known comes before or after its rank and status; then the name, then the id.
  private func key(_ hit: Hit, _ order: SearchQuery.Order) -> [Int] {
    let row = tree.rows[tree.ids[hit.taxon]]
    let rank = PackWriter.schemaRanks.firstIndex(of: row?.rank ?? "") ?? -1
    let status = row?.status == "accepted" ? 0 : 1
    let isUnknown = known.contains(hit.taxon) ? 0 : 1
    let smallness = UInt32(sizes[hit.taxon]).leadingZeroBitCount
    let middle =
      order == .relevance
      ? [rank, status, isUnknown, smallness] : [isUnknown, smallness, rank, status]
    return [hit.matchClass] + middle + [places[hit.taxon]]
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

  /// Equal; begun by the query; or holding its words, each a different one, the last one begun.
  private static func match(_ query: [[UInt8]], _ name: [[UInt8]], isExact: Bool) -> Int? {
    if query == name { return MatchClass.exactName.rawValue }
    if isExact { return nil }
    let text = Array(name.joined(separator: [32]))
    if text.starts(with: query.joined(separator: [32])) { return MatchClass.namePrefix.rawValue }
    guard let last = query.last else { return nil }
    var rest = name
    for word in query.dropLast() {
      guard let place = rest.firstIndex(of: word) else { return nil }
      rest.remove(at: place)
    }
    return rest.contains { $0.starts(with: last) } ? MatchClass.allWords.rawValue : nil
  }

  /// Equal; begun by the words of the phrase; or holding them next to each other.
  private static func phraseMatch(_ query: [[UInt8]], _ name: [[UInt8]]) -> Int? {
    if query == name { return MatchClass.exactName.rawValue }
    if name.starts(with: query) { return MatchClass.namePrefix.rawValue }
    let isThere = name.indices.contains { name[$0...].starts(with: query) }
    return isThere ? MatchClass.allWords.rawValue : nil
  }
}
