import FuzzSupport
import STOLPack

/// What a damaged pack is asked.
enum Questions {
  /// One word, several, letters of several lengths, misspellings, what stored completions answer.
  private static let texts = [
    "panthera leo", "lev", "qartus ama", "獅子 x", "hypothetobacterium", "\"king of\"",
  ]
  /// Of the vectors: current, merged, deleted, unknown.
  private static let ids: [TaxonID] = [9689, -7, 101, 5000, -6000, 1, 160]
  private static let beginnings = ["h", "qu", "p"]

  /// Questions of every kind; the answers may be anything.
  static func ask(_ pack: Pack) {
    let view = pack.view
    let taxa = someTaxa(view)
    guard let first = taxa.first, let last = taxa.last else { return }
    for id in ids { _ = view.ids.resolve(id) }
    _ = view.ids.mergedPairs.count + view.ids.deletedIDs.count
    _ = view.tree.lowestCommonAncestor(taxa)
    _ = view.tree.lowestCommonAncestorByWalking(first, last)
    _ = view.tree.inducedSubtree(taxa)
    _ = view.tree.roots.prefix(20).map { view.tree.children(of: $0) }
    let languages = LanguagePreference("pt-BR", in: view.names)
    for taxon in taxa {
      _ = view.tree.lowestCommonAncestor(first, taxon)
      _ = view.tree.ancestors(of: taxon)
      _ = view.taxon(taxon)
      _ = view.furtherNames(of: taxon)
      _ = view.traitList(of: taxon)
      _ = view.commonName(of: taxon, in: languages)
      _ = view.nameGroups(of: taxon, in: languages)
      _ = view.mergedIDs(into: taxon)
      _ = view.sourceID(of: taxon).map { view.ids.resolve(sourceID: $0) }
      _ = view.record(of: NameOrdinal(rawValue: taxon.rawValue))
      _ = view.source(of: taxon)
      _ = view.sourcedTraits(of: taxon)
      _ = view.linnaeanDistance(first, taxon)
    }
    _ = view.relatives(of: last, limit: 10)
    _ = view.compare(first, last)
    _ = view.newick(of: first) { $0.rawValue % 5 != 4 }
    _ = view.resolve("лев")
    _ = view.nearMisses("pantera loe")
    _ = view.dataset.id
    let tour = EulerTour(of: view.tree)
    if tour.count > 0 { _ = tour[min(5, tour.count - 1)] }
    _ = pack.sections
    search(view, first)
  }

  /// Every kind of search, with one session.
  private static func search(_ view: borrowing PackView, _ taxon: TaxonOrdinal) {
    var session = SearchSession()
    for (number, text) in texts.enumerated() {
      for mode in SearchQuery.Mode.allCases {
        let query = SearchQuery(
          text, mode: mode, maximumDistance: number % 3,
          words: number % 2 == 0 ? .asTyped : .anyForm, limit: 10)
        session.search(query, in: view)
        Fuzzer.require(session.hits.count <= 10, "more hits than asked for")
      }
    }
    for text in beginnings {
      session.search(SearchQuery(text, words: .asTyped, limit: 10), in: view)
    }
    var filter = SearchFilter()
    filter.clade = view.tree.subtree(of: taxon)
    filter.traits = [[TraitPair(rawValue: 0), TraitPair(rawValue: 1)]]
    session.search(SearchQuery("", limit: 10, filter: filter), in: view)
    filter.traits = []
    filter.languages = Set((0...2).map { LanguageRow(rawValue: $0) })
    session.search(SearchQuery("a", mode: .prefix, limit: 10, filter: filter), in: view)
  }

  /// What must be so in a pack that is verified.
  static func requireSense(of pack: Pack) {
    let view = pack.view
    let taxa = someTaxa(view)
    for a in taxa {
      for b in taxa {
        Fuzzer.require(
          view.tree.lowestCommonAncestor(a, b) == view.tree.lowestCommonAncestorByWalking(a, b),
          "the common ancestor of \(a.rawValue) and \(b.rawValue)")
      }
      Fuzzer.require(view.ids.taxon(view.ids[a]) == a, "the id of \(a.rawValue)")
      let relatives = view.relatives(of: a, limit: 10)
      Fuzzer.require(
        relatives.allSatisfy { view.linnaeanDistance(a, $0.taxon) == $0.distance },
        "the relatives of \(a.rawValue)")
      // Whether names fold to their words is the writer's business: PACK.md section 12.
      let hits = view.search(SearchQuery(view.names.scientificName(of: a), mode: .exact))
      Fuzzer.require(Set(hits.map(\.taxon)).count == hits.count, "a taxon twice")
    }
  }

  /// The first taxa, the last and some between.
  private static func someTaxa(_ view: borrowing PackView) -> [TaxonOrdinal] {
    let count = view.taxonCount
    guard count > 0 else { return [] }
    return [0, 1, 3, 7, count / 3, count / 2, count - 1].filter { $0 < count }
      .map { TaxonOrdinal(rawValue: UInt32($0)) }
  }
}
