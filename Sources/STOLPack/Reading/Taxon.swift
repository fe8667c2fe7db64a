/// One taxon, as an owned value with the names of the seed's JSON.
public struct Taxon: Identifiable, Hashable, Sendable {
  /// The stable id.
  public let id: TaxonID
  /// The id of the parent, or nil for a root.
  public let parentID: TaxonID?
  /// The rank.
  public let rank: TaxonRank
  /// The scientific name without authorship.
  public let scientificName: String
  /// The authorship.
  public let author: String?
  /// The year of description.
  public let year: Int?
  /// Accepted or doubtful.
  public let status: TaxonStatus
  /// The IUCN code.
  public let conservationStatus: String?
}

/// One further name of a taxon, as an owned value.
public struct TaxonName: Hashable, Sendable {
  /// The taxon that it names.
  public let taxonID: TaxonID
  /// The name as the source spells it.
  public let name: String
  /// A BCP 47 language tag.
  public let lang: String
  /// What kind of name it is.
  public let nameType: NameType
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
      rank: rank(of: ordinal), scientificName: names.scientificName(of: ordinal),
      author: author.isEmpty ? nil : author, year: taxa.year(of: ordinal),
      status: TaxonStatus(rawValue: taxa.statuses[taxa.status(of: ordinal)]),
      conservationStatus: code.isEmpty ? nil : code)
  }

  /// The rank of `ordinal`.
  public func rank(of ordinal: TaxonOrdinal) -> TaxonRank {
    TaxonRank(rawValue: taxa.ranks[taxa.rank(of: ordinal)])
  }

  /// The common names and synonyms of `ordinal`.
  public func furtherNames(of ordinal: TaxonOrdinal) -> [TaxonName] {
    names.furtherNames(of: ordinal).map { number in
      let name = NameOrdinal(number)
      return TaxonName(
        taxonID: ids[ordinal], name: names.text(of: name),
        lang: names.languages[names.language(of: name)], nameType: names.type(of: name),
        isPreferred: names.isPreferred(name))
    }
  }

  /// The traits of `ordinal`.
  public func traitList(of ordinal: TaxonOrdinal) -> [Trait] {
    traits.pairs(of: ordinal).map { traits.trait($0) }
  }

  /// The ids of merged taxa, synonyms among them, that stand for `ordinal` now.
  ///
  /// - Complexity: O(number of merged ids)
  public func mergedIDs(into ordinal: TaxonOrdinal) -> [TaxonID] {
    ids.mergedIDs(into: ordinal)
  }
}
