/// What was found odd in a source, counted by kind, with a few examples of each.
///
/// Nothing is left out of a database without being counted here.
package final class Findings {
  /// How many examples of each kind are kept.
  package static let exampleLimit = 10
  /// How long an example may be, in Unicode scalars.
  private static let exampleLength = 200

  /// The number and the first examples of one kind.
  package struct Count: Hashable, Sendable, Encodable {
    /// How often it was found.
    package var count = 0
    /// The first of them, as "file, line: what".
    package var examples: [String] = []
  }

  /// By kind, in the order in which kinds are declared.
  package private(set) var counts: [Finding: Count] = [:]

  package init() {}

  /// Counts one finding; the example is made only if it is kept.
  package func add(_ finding: Finding, _ example: @autoclosure () -> String) {
    counts[finding, default: Count()].count += 1
    if counts[finding, default: Count()].examples.count < Self.exampleLimit {
      let text = String(
        String.UnicodeScalarView(example().unicodeScalars.prefix(Self.exampleLength)))
      counts[finding, default: Count()].examples.append(text)
    }
  }

  /// Counts many findings of a kind that has no examples of its own.
  package func add(_ finding: Finding, count: Int) {
    if count > 0 { counts[finding, default: Count()].count += count }
  }
}

/// A kind of oddity; the raw value is its key in reports.
package enum Finding: String, CaseIterable, Sendable {
  // Lines
  /// A row with more or fewer columns than its file has: missing ones are empty, further ones are ignored.
  case wrongColumnCount
  /// A row that is longer than any row may be: left out.
  case rowTooLong
  /// A quoted field that never ends: the rest of the row is taken as it is.
  case unclosedQuote
  /// Bytes that are not in the stated encoding: each is shown as U+FFFD.
  case invalidEncoding
  /// A description of the dataset that is damaged or too long: what it would say stays unknown.
  case unreadableMetadata
  /// A table that meta.xml names and that is not there: passed over.
  case missingTable

  // Names
  /// A row without a name: left out.
  case emptyName
  /// Markup in a name: removed.
  case markupInName
  /// Control characters in a name: removed.
  case controlCharactersInName

  // MARK: - Normalising
  /// A text of more bytes than a database may hold: its end was cut off.
  case textTooLong
  /// A rank that no vocabulary has: the taxon counts as unranked.
  case unknownRank
  /// A language that no vocabulary has: "und".
  case unknownLanguage
  /// A standing that no vocabulary has.
  case unknownStatus
  /// A conservation status that is no category of the IUCN: left out.
  case unknownConservationCode
  /// A name that is no scientific name, or cannot be read as one: kept whole.
  case nameKeptWhole

  // MARK: - Links
  /// An id that an earlier row has: the later row is left out.
  case duplicateID
  /// A name that is part of no tree: left out.
  case bareName
  /// A synonym that names no accepted taxon: left out.
  case synonymWithoutAccepted
  /// A synonym whose accepted taxon is not there: left out.
  case missingAccepted
  /// A synonym of a name that has no place itself: left out.
  case synonymOfBareName
  /// A synonym of a synonym: it becomes one of the accepted taxon.
  case chainedSynonym
  /// Synonyms of each other: the first becomes a doubtful taxon.
  case synonymCycle
  /// A synonym of several taxa: each of them gets the name, the id leads to the first.
  case synonymProParte
  /// A parent that is not there: what the columns of the row say takes its place, or the taxon
  /// becomes a root.
  case missingParent
  /// A parent that is a synonym: its accepted taxon takes its place.
  case parentIsSynonym
  /// A parent that has no place itself: what the columns of the row say takes its place.
  case parentIsBareName
  /// Taxa above each other: the highest one loses its parent.
  case parentCycle
  /// A link to a name that several taxa have: the first accepted one is taken.
  case ambiguousName
  /// A higher taxon that only columns name: a taxon is made.
  case implicitTaxon

  // MARK: - Ranks
  /// A taxon whose rank is not below that of its parent: kept as it is.
  case rankNotBelowParent
  /// A taxon of a rank that is not kept, below no taxon of one that is: its children become roots.
  case foldedWithoutRank
  /// A taxon with more than 200 ancestors: it is put beside its parent.
  case tooDeep
  /// Taxa of one name: all are kept.
  case homonym
  /// A taxon whose name never came: it is named by its id.
  case missingName

  // MARK: - Further rows
  /// A row about a taxon that the source does not have, or that found no place: left out.
  case unknownTaxon
  /// Two IUCN codes for one taxon: the first is kept.
  case conflictingConservation
  /// A merged id that leads to no taxon: left out.
  case mergedIntoUnknown
  /// A reference that the source does not have: left out.
  case unknownReference

  // MARK: - Sources that are added
  /// The same id for another name in the source that comes first: not taken for the same taxon.
  case otherNameOfID
  /// A name that several taxa of the first source have: nothing is added to any.
  case ambiguousMatch
}
