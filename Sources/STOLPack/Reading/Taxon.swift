/// One taxon, as an owned value with the names of the seed's JSON.
public struct Taxon: Identifiable, Hashable, Sendable {
  /// The stable id.
  public let id: TaxonID
  /// The id of the parent, or nil for a root.
  public let parentID: TaxonID?
  /// The rank, as in "species".
  public let rank: String
  /// The scientific name without authorship.
  public let scientificName: String
  /// The authorship.
  public let author: String?
  /// The year of description.
  public let year: Int?
  /// "accepted" or "doubtful".
  public let status: String
  /// The IUCN code.
  public let conservationStatus: String?
}

/// One further name of a taxon, as an owned value.
public struct TaxonName: Hashable, Sendable {
  /// The name as the source spells it.
  public let name: String
  /// A BCP 47 language tag.
  public let language: String
  /// What kind of name it is.
  public let type: NameType
  /// Whether it is the preferred common name of its language.
  public let isPreferred: Bool
}

extension PackView {
  /// All columns of `ordinal`.
  ///
  /// - Complexity: O(length of its texts)
  public func taxon(_ ordinal: TaxonOrdinal) -> Taxon {
    let author = taxa.authors[taxa.author(of: ordinal)]
    let code = taxa.conservationCodes[taxa.conservation(of: ordinal)]
    return Taxon(
      id: ids[ordinal], parentID: tree.parent(of: ordinal).map { ids[$0] },
      rank: taxa.ranks[taxa.rank(of: ordinal)], scientificName: names.scientificName(of: ordinal),
      author: author.isEmpty ? nil : author, year: taxa.year(of: ordinal),
      status: taxa.statuses[taxa.status(of: ordinal)],
      conservationStatus: code.isEmpty ? nil : code)
  }

  /// The common names and synonyms of `ordinal`.
  public func furtherNames(of ordinal: TaxonOrdinal) -> [TaxonName] {
    names.furtherNames(of: ordinal).map { number in
      let name = NameOrdinal(number)
      return TaxonName(
        name: names.text(of: name), language: names.languages[names.language(of: name)],
        type: names.type(of: name), isPreferred: names.isPreferred(name))
    }
  }

  /// The traits of `ordinal`.
  public func traitList(of ordinal: TaxonOrdinal) -> [Trait] {
    traits.pairs(of: ordinal).map { traits.trait($0) }
  }

  /// The common name to show for `ordinal` in the language row `language`: the preferred one, or the
  /// first; nil if it has none in that language.
  ///
  /// - Complexity: O(log n + number of its names)
  public func commonName(of ordinal: TaxonOrdinal, language: Int?) -> String? {
    guard let language, taxa.hasCommonName(ordinal) else { return nil }
    var first: NameOrdinal?
    for number in names.furtherNames(of: ordinal) {
      let name = NameOrdinal(number)
      guard names.language(of: name) == language, names.type(of: name) != .synonym else { continue }
      if names.isPreferred(name) { return names.text(of: name) }
      first = first ?? name
    }
    return first.map { names.text(of: $0) }
  }

  /// The ids of merged taxa, synonyms among them, that stand for `ordinal` now.
  ///
  /// - Complexity: O(number of merged ids)
  public func mergedIDs(into ordinal: TaxonOrdinal) -> [TaxonID] {
    ids.mergedIDs(into: ordinal)
  }
}
