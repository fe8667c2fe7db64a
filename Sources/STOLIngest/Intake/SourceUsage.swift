package import STOLPack
package import STOLNames

/// What one row of a source says about one name.
///
/// Texts are as their `Normalising` functions return them; empty where a row says nothing.
package struct SourceUsage {
  /// The source's own id.
  package var id = ""
  /// The scientific name without authorship.
  package var name = ""
  /// The authorship.
  package var authorship = ""
  /// The year of description.
  package var year: Int?
  /// The rank; nil where the row states none.
  package var rank: SourceRank?
  /// What the row says it is; nil where it says nothing.
  package var status: TaxonomicStatus?
  /// The id of the parent.
  package var parentID = ""
  /// The name of the parent, with or without authorship, for rows without its id, or with one that
  /// is not there.
  package var parentName = ""
  /// The ids of the accepted taxa; several for a synonym pro parte.
  package var acceptedIDs: [String] = []
  /// The text that `acceptedIDs` are parts of; if it is itself an id, the parts do not count.
  package var undividedAcceptedID = ""
  /// The name of the accepted taxon, for rows without its id, or with one that is not there.
  package var acceptedName = ""
  /// The names of higher taxa by rank, in columns of the row, the highest first.
  package var classification: [(rank: TaxonRank, name: String)] = []
  /// The IUCN code.
  package var conservation: String?
  /// The number of the line in its file, for messages.
  package var line = 0

  package init() {}
}
