public import STOLData

/// A taxon that a name may mean.
public struct NameSuggestion: Equatable, Sendable {
  /// The taxon.
  public let taxon: TaxonReference
  /// Its name that is like the one that was written.
  public let matchedName: String
  /// How the two differ, in a few words; "none" where they do not.
  public let difference: String
}

/// What can be made of a name as somebody wrote it.
///
/// Only what is whole and spelt as the database spells it is an identification: a name that is merely similar may
/// be that of something quite different. *Cercis canadensis* is a tree, *Cervus canadensis* an elk.
public struct NameReading: Equatable, Sendable {
  /// What was written.
  public let verbatimName: String
  /// The taxon that it is; nil where a person has to say so.
  public let taxon: TaxonReference?
  /// What is said beside the taxon, or all of a name that is of several.
  public let qualifier: String?
  /// The cultivar, without quotation marks.
  public let cultivar: String?
  /// The words of `stol match` for what was found, and for why.
  public let status: String, reason: String
  /// What it may mean, the best first, where it is no taxon.
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
