public import STOLPack

/// Which taxa a search may return, in the words of the data; nil asks for nothing.
public struct TaxonFilter: Hashable, Sendable {
  /// The rank.
  public var rank: TaxonRank?
  /// The status.
  public var status: TaxonStatus?
  /// The IUCN code.
  public var conservationStatus: String?
  /// The language of the name that matches, as a BCP 47 tag; "en" covers "en-GB", and stands
  /// for it where a pack has no "en-GB".
  public var language: String?
  /// Traits that the taxon must have: of each key one of its values, or any for nil.
  public var traits: [TraitTerm] = []
  /// The clade that the taxon must be in.
  public var within: TaxonID?

  /// A filter that lets everything through.
  public init(rank: TaxonRank? = nil, within: TaxonID? = nil) {
    self.rank = rank
    self.within = within
  }

  /// A trait to ask for.
  public struct TraitTerm: Hashable, Sendable {
    /// The key, as in "habitat".
    public var key: String
    /// The value, as in "marine"; nil for any.
    public var value: String?

    /// A trait to ask for.
    public init(key: String, value: String? = nil) {
      self.key = key
      self.value = value
    }
  }

  /// The filter in the numbers of a pack.
  ///
  /// - Throws: `SearchError.unknownValue` with what the pack has instead. Ranks, codes and languages
  ///   are the same in capitals and small letters.
  /// - Complexity: O(rows of the pack's tables of ranks, languages and traits)
  public func resolved(in view: borrowing PackView) throws(SearchError) -> SearchFilter {
    var filter = SearchFilter()
    if let rank {
      filter.rank = RankRow(
        rawValue: try Self.row(of: rank.rawValue, in: view.taxa.ranks.all.map(\.rawValue), "rank"))
    }
    if let status {
      filter.status = StatusRow(
        rawValue: try Self.row(of: status.rawValue, in: view.taxa.statuses.all, "status"))
    }
    if let conservationStatus {
      let codes = view.taxa.conservationCodes.all
      filter.conservation = ConservationRow(
        rawValue: try Self.row(of: conservationStatus, in: codes, "conservation code"))
    }
    if let language { filter.languages = try Self.rows(ofLanguage: language, in: view) }
    for term in traits {
      let pairs = view.traits.pairs(key: term.key, value: term.value)
      if pairs.isEmpty, view.traits.keys.row(of: term.key) == nil {
        throw .unknownValue(of: "trait", given: term.key, known: view.traits.keys.all)
      }
      filter.traits.append(Set(pairs))
    }
    if let within {
      let none = TaxonOrdinal(rawValue: 0)
      filter.clade = view.ids.resolve(within).taxon.map { view.tree.subtree(of: $0) } ?? none..<none
    }
    return filter
  }

  /// The rows of a language: those of its tag, else of the tag without its last parts.
  ///
  /// - Throws: `SearchError.unknownValue` where no name has it.
  /// - Complexity: O(number of languages)
  package static func rows(
    ofLanguage language: String, in view: borrowing PackView
  ) throws(SearchError) -> Set<LanguageRow> {
    let known = view.names.languages.all
    let rows = LanguagePreference.chain(language).lazy.map { wanted in
      known.indices.filter { row in
        let language = known[row].lowercased()
        return language == wanted || language.hasPrefix(wanted + "-")
      }
    }.first { !$0.isEmpty }
    guard let rows else { throw .unknownValue(of: "language", given: language, known: known) }
    return Set(rows.map { LanguageRow(rawValue: $0) })
  }

  private static func row(
    of text: String, in table: [String], _ field: String
  ) throws(SearchError) -> Int {
    let wanted = text.lowercased()
    if let row = table.firstIndex(where: { $0.lowercased() == wanted && !$0.isEmpty }) {
      return row
    }
    throw .unknownValue(of: field, given: text, known: table.filter { !$0.isEmpty })
  }
}
