public import STOLData

/// A taxon that a name may mean.
public struct NameSuggestion: Equatable, Sendable {
  /// The taxon.
  public let taxon: TaxonReference
  /// Its name that is like the one that was written.
  public let matchedName: String
  /// How the two differ, in a few words; "none" where they do not, `commonName` where it is one of those.
  public let difference: String

  /// The difference of a taxon for which the text is a common name, which several taxa may have.
  public static let commonName = "common name"

  /// A suggestion.
  public init(taxon: TaxonReference, matchedName: String, difference: String) {
    self.taxon = taxon
    self.matchedName = matchedName
    self.difference = difference
  }
}

/// What can be made of a name as somebody wrote it.
///
/// Only what is whole and spelt as the database spells it is an identification: a name that is merely similar may
/// be that of something quite different. *Cercis canadensis* is a tree, *Cervus canadensis* an elk. A common name
/// is none either: another book may give it to another taxon.
///
/// A cultivar of a plant, a common name of the taxon and words that say how a name is meant are no part of it: "Aus bus
/// 'Cus'", "Aus bus (Red Aus)", "Aus sp.", "Aus bus s.l.". A
/// form that the database does not have, "Aus bus f. cus", is of the species by its own words, as "Aus sp." is of the
/// genus. Whatever else stands in or beside a name may be a doubt, and makes it a suggestion.
public struct NameReading: Equatable, Sendable {
  /// What was written.
  public let verbatimName: String
  /// The taxon that it is; nil where a person has to say so.
  public let taxon: TaxonReference?
  /// What is said beside the taxon, or all of a name that is of several.
  public let qualifier: String?
  /// The cultivar, without quotation marks.
  public let cultivar: String?
  /// The word of `stol match` for what was found; "common" where all of it is a common name of one taxon, "partial"
  /// where a name is known, and more is said than that.
  public let status: String
  /// Why, as a person would say it.
  public let reason: String
  /// What it may mean, where it is no taxon: what is spelt so, all that have it as a common name, then what is
  /// merely similar.
  public let suggestions: [NameSuggestion]

  /// The identification of an occurrence that follows.
  public func identification(
    of occurrence: JournalID, id: JournalID = JournalID()
  ) -> Identification {
    var identification = Identification(
      id: id, occurrence: occurrence, verbatimName: verbatimName)
    identification.taxon = taxon
    identification.match = taxon == nil ? .none : .exact
    identification.qualifier = qualifier
    identification.cultivar = cultivar
    return identification
  }
}
