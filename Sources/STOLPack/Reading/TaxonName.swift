/// One further name of a taxon, as an owned value.
public struct TaxonName: Hashable, Sendable {
  /// The taxon that it names.
  public let taxonID: TaxonID
  /// The name as the source spells it.
  public let name: String
  /// A BCP 47 language tag.
  public let language: String
  /// What kind of name it is.
  public let nameType: NameType
  /// Whether it is the preferred common name of its language.
  public let isPreferred: Bool
}

extension PackView {
  /// The common names and synonyms of `ordinal`.
  public func furtherNames(of ordinal: TaxonOrdinal) -> [TaxonName] {
    names.furtherNames(of: ordinal).map { name in
      TaxonName(
        taxonID: ids[ordinal], name: names.text(of: name),
        language: names.languages[names.language(of: name)], nameType: names.type(of: name),
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
