/// What an id, or a text that should name one taxon, stands for.
public enum TaxonResolution: Equatable, Sendable {
  /// This taxon, by id or by name.
  case found(TaxonOrdinal)
  /// This taxon, through an id that was merged into it, or that of its synonym.
  case merged(TaxonOrdinal)
  /// Several taxa, best known first; never for an id.
  case ambiguous([TaxonOrdinal])
  /// An id that was deleted.
  case deleted
  /// Nothing that the source has heard of.
  case notFound
  /// Blank, or longer than a query may be; never for an id.
  case invalid

  /// The taxon, where it is one.
  public var taxon: TaxonOrdinal? {
    switch self {
    case .found(let taxon), .merged(let taxon): taxon
    case .ambiguous, .deleted, .notFound, .invalid: nil
    }
  }
}

extension PackView {
  /// The taxon that `text` names: an id, else a scientific name, else a common name or synonym,
  /// else what its source calls by this text.
  ///
  /// Nothing is guessed: a name of several taxa is ambiguous, unless `filter` leaves one of them.
  /// Scientific names go before others, as do preferred common names before further ones.
  ///
  /// - Complexity: O(log n) for an id or a rare name.
  public func resolve(_ text: String, filter: SearchFilter = SearchFilter()) -> TaxonResolution {
    if let id = Int64(text) { return ids.resolve(TaxonID(rawValue: id)) }
    guard text.utf8.count <= SearchQuery.maximumByteCount,
      text.contains(where: { !$0.isWhitespace })
    else { return .invalid }
    let hits = search(
      SearchQuery(text, mode: .exact, order: .prominence, limit: .max, filter: filter))
    for tier in NameTier.allCases {
      let taxa = hits.filter { self.tier(of: $0.name) == tier }.map { $0.taxon }
      if taxa.count == 1 { return .found(taxa[0]) }
      if taxa.count > 1 { return .ambiguous(taxa) }
    }
    return ids.resolve(TaxonID(sourceText: text))
  }

  /// Names that may have been meant by a text that names nothing, three at most, best known first.
  ///
  /// What is spelled alike, else what begins like the longest possible beginning of the text.
  public func nearMisses(_ text: String, filter: SearchFilter = SearchFilter()) -> [NameOrdinal] {
    var query = SearchQuery(text, mode: .fuzzy, order: .prominence, limit: 3, filter: filter)
    while query.text.count > 2 {
      let hits = search(query)
      guard hits.isEmpty else { return hits.map { $0.name } }
      query.text.removeLast()
      query.mode = .prefix
    }
    return []
  }

  private enum NameTier: CaseIterable {
    case scientific, preferred, other
  }

  private func tier(of name: NameOrdinal) -> NameTier {
    if names.isScientific(name) { return .scientific }
    return names.isPreferred(name) ? .preferred : .other
  }
}
