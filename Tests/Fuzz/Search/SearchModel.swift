import FuzzSupport
import STOLPack

/// Compares searches in one pack with each other and with every name.
final class SearchModel {
  // SAFETY: libFuzzer calls from one thread.
  nonisolated(unsafe) static let shared = SearchModel()
  private let pack: Pack
  private let names: [[[UInt32]]]
  /// The languages of names that are no scientific ones.
  private let languages: [String?]
  private let taxa: [TaxonOrdinal]
  /// A warm one, which must answer as a new one does.
  private var session = SearchSession()

  /// With the last pack that the environment names.
  init?() {
    guard let bytes = Fuzzer.files("STOL_FUZZ_PACKS").last,
      let pack = try? Pack(PackBytes(copying: bytes))
    else { return nil }
    self.pack = pack
    let view = pack.view
    let count = pack.taxonCount + pack.nameCount
    let ordinals = (0..<count).map { NameOrdinal(rawValue: UInt32($0)) }
    var names: [[[UInt32]]] = []
    var taxa: [TaxonOrdinal] = []
    var languages: [String?] = []
    for name in ordinals {
      let isCommon = !view.names.isScientific(name) && view.names.type(of: name) != .synonym
      languages.append(isCommon ? view.names.languages[view.names.language(of: name)] : nil)
      names.append(MatchOracle.words(view.names.text(of: name)))
      taxa.append(view.names.taxon(of: name))
    }
    self.names = names
    self.taxa = taxa
    self.languages = languages
  }

  func check(_ input: SearchInput) {
    let pack = pack
    check(input, in: pack.view)
  }

  private func check(_ input: SearchInput, in view: borrowing PackView) {
    // Bytes that are no UTF-8 must do no harm.
    session.search(input.text.span, SearchQuery("", mode: input.mode, limit: 10), in: view)
    let text = String(decoding: input.text, as: UTF8.self)
    var query = SearchQuery(
      text, mode: input.mode, maximumDistance: input.maximumDistance, words: input.words,
      limit: input.limit, filter: input.searchFilter(view))
    let hits = view.search(query)
    Fuzzer.require(hits.count <= query.limit, "more hits than asked for")
    session.search(query, in: view)
    Fuzzer.require(session.hits == hits, "a warm session answers something else")
    query.limit = .max
    let all = view.search(query)
    Fuzzer.require(Array(all.prefix(input.limit)) == hits, "the limit changes the order")
    requireOrder(all, query)
    for hit in all { Fuzzer.require(view.passes(hit.taxon, query.filter), "passed a filter") }
    guard query.filter.languages == nil, input.isCompared else { return }
    requireEqualToEveryName(all, query, view)
  }

  /// Each taxon once, classes and distances ascending, scores descending.
  private func requireOrder(_ hits: [SearchHit], _ query: SearchQuery) {
    Fuzzer.require(Set(hits.map(\.taxon)).count == hits.count, "a taxon twice")
    let greatest = query.maximumDistance ?? 2
    for hit in hits {
      Fuzzer.require((0...greatest).contains(hit.distance), "distance \(hit.distance)")
      Fuzzer.require(
        hit.matchClass > .acrossNames || hit.distance == 0, "an exact match with edits")
      Fuzzer.require((0...1).contains(hit.relevanceScore), "score \(hit.relevanceScore)")
    }
    for (a, b) in zip(hits, hits.dropFirst()) {
      let isAscending = (a.matchClass.rawValue, a.distance) <= (b.matchClass.rawValue, b.distance)
      Fuzzer.require(isAscending, "classes out of order")
      Fuzzer.require(a.relevanceScore >= b.relevanceScore, "scores out of order")
    }
  }

  /// The taxa, classes and distances that comparing every name gives.
  private func requireEqualToEveryName(
    _ hits: [SearchHit], _ query: SearchQuery, _ view: borrowing PackView
  ) {
    let oracle = MatchOracle(
      query.text, maximumDistance: query.maximumDistance, words: query.words,
      isContained: query.mode == .contains)
    guard !oracle.words.isEmpty else { return }
    var strict = best(view, query.filter) { oracle.strictMatch($0, $1) }
    switch query.mode {
    case .exact: strict = strict.filter { $0.value.matchClass == 0 }
    case .fuzzy: strict = best(view, query.filter) { oracle.completeMatch($0, $1) }
    case .contains where !oracle.isQuoted:
      strict = best(view, query.filter) { oracle.strictMatch($0, $1) ?? oracle.insideMatch($0) }
    case .prefix, .auto, .contains:
      if query.mode == .auto, oracle.looksInside {
        strict = best(view, query.filter) { oracle.strictMatch($0, $1) ?? oracle.insideMatch($0) }
      }
      if oracle.isQuoted {
        strict = best(view, query.filter) { oracle.phraseMatch($0, $1) }
      } else if query.mode == .auto, strict.count < 3 {
        let across = taxaWithAllWords(oracle)
        strict = best(view, query.filter) { oracle.match($0, $1) }
        let passing = best(view, query.filter) { name, language in
          oracle.wordsFound(in: name, language).isEmpty ? nil : .init(matchClass: 6, distance: 0)
        }
        for (taxon, match) in passing
        where across.contains(taxon) && strict[taxon]?.matchClass ?? 9 > 6 {
          strict[taxon] = match
        }
        if strict.isEmpty, query.words == .anyForm {
          strict = best(view, query.filter) { name, _ in oracle.insideMatch(name) }
        }
      }
    }
    let found = hits.map {
      ($0.taxon, MatchOracle.Match(matchClass: $0.matchClass.rawValue, distance: $0.distance))
    }
    let asTable = Dictionary(uniqueKeysWithValues: found)
    Fuzzer.require(
      asTable == strict,
      "\(query.mode) \(query.text.debugDescription) k=\(oracle.greatest): "
        + "\(hits.count) taxa, \(strict.count) by comparing every name")
  }

  /// The taxa that have each word of a query in some name.
  private func taxaWithAllWords(_ oracle: MatchOracle) -> Set<TaxonOrdinal> {
    guard (2...64).contains(oracle.words.count) else { return [] }
    var found: [TaxonOrdinal: Set<Int>] = [:]
    for (number, name) in names.enumerated() {
      found[taxa[number], default: []].formUnion(
        oracle.wordsFound(in: name, languages[number]))
    }
    return Set(found.filter { $0.value.count == oracle.words.count }.keys)
  }

  /// The best match of each taxon that passes.
  private func best(
    _ view: borrowing PackView, _ filter: SearchFilter,
    _ match: ([[UInt32]], String?) -> MatchOracle.Match?
  ) -> [TaxonOrdinal: MatchOracle.Match] {
    var result: [TaxonOrdinal: MatchOracle.Match] = [:]
    for number in names.indices {
      let (words, taxon) = (names[number], taxa[number])
      guard !words.isEmpty, view.passes(taxon, filter), let match = match(words, languages[number])
      else { continue }
      if let other = result[taxon],
        (other.matchClass, other.distance) <= (match.matchClass, match.distance)
      {
        continue
      }
      result[taxon] = match
    }
    return result
  }
}
