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
  /// What else is known of it.
  public let record: NameRecord
  /// Where it comes from, or nil where that is not known.
  public let source: DataSource?
}

extension PackView {
  /// The common names and synonyms of `ordinal`.
  public func furtherNames(of ordinal: TaxonOrdinal) -> [TaxonName] {
    names.furtherNames(of: ordinal).map { name in
      TaxonName(
        taxonID: ids[ordinal], name: names.text(of: name),
        language: names.languages[names.language(of: name)], nameType: names.type(of: name),
        isPreferred: names.isPreferred(name), record: names.record(of: name),
        source: source(ofName: name))
    }
  }

  /// The traits of `ordinal`.
  public func traitList(of ordinal: TaxonOrdinal) -> [Trait] {
    traits.pairs(of: ordinal).map { traits.trait($0) }
  }

  /// The ids that the source retired in favour of `ordinal`; those of its synonyms stand in their records.
  ///
  /// - Complexity: O(number of merged ids)
  public func mergedIDs(into ordinal: TaxonOrdinal) -> [TaxonID] {
    ids.mergedIDs(into: ordinal)
  }
}
