package import STOLFormats

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

  /// Counts what readers of tables find.
  package var ofRows: TableFinding.Handler {
    { self.add(Finding($0), $1()) }
  }

  /// Why rows that might have been taxa were left out, with the first one.
  var firstLeftOut: String? {
    let kinds: [Finding] = [
      .rowTooLong, .emptyName, .unfitID, .lineageTooLong, .bareName, .synonymWithoutAccepted,
      .missingAccepted, .synonymOfBareName, .synonymCycle,
    ]
    for kind in kinds {
      guard let example = counts[kind]?.examples.first else { continue }
      return "\(example): \(kind.rule)"
    }
    return nil
  }

  /// Counts many findings of a kind that has no examples of its own.
  package func add(_ finding: Finding, count: Int) {
    if count > 0 { counts[finding, default: Count()].count += count }
  }
}

/// A kind of oddity; the raw value is its key in reports, and `rule` says what it is.
package enum Finding: String, CaseIterable, Sendable {
  // Lines
  case wrongColumnCount
  case rowTooLong
  case unclosedQuote
  case invalidEncoding
  case windows1252
  case unreadableMetadata
  case missingTable

  // Names
  case emptyName
  case markupInName
  case controlCharactersInName
  case unfitID
  case lineageTooLong

  // Vocabularies
  case textTooLong
  case unknownRank
  case unknownLanguage
  case unknownStatus
  case unknownConservationCode
  case nameKeptWhole
  case nameCaseRepaired
  case impossibleYear
  case unknownNameClass
  case authorityWithoutName

  // Links
  case duplicateID
  case bareName
  case synonymWithoutAccepted
  case missingAccepted
  case synonymOfBareName
  case chainedSynonym
  case synonymCycle
  case synonymProParte
  case missingParent
  case parentIsSynonym
  case parentIsBareName
  case parentCycle
  case ambiguousName
  case implicitTaxon

  // Ranks
  case rankNotBelowParent
  case otherRoot
  case collapsedWithoutAncestor
  case tooDeep
  case homonym
  case missingName

  // Further rows
  case unknownTaxon
  case conflictingConservation
  case mergedIntoUnknown
  case unknownReference
  case aboutCollapsedTaxon
  case retiredIDInUse

  // Added sources
  case otherNameOfID
  case ambiguousMatch
  case acceptedIsSynonym
  case otherAuthorship
  case possibleHomonym
  case otherPlace
  case conflictingSynonym
  case regroupsTaxa
}

extension Finding {
  /// A finding in a table.
  init(_ finding: TableFinding) {
    self =
      switch finding {
      case .wrongColumnCount: .wrongColumnCount
      case .rowTooLong: .rowTooLong
      case .unclosedQuote: .unclosedQuote
      case .invalidEncoding: .invalidEncoding
      case .windows1252: .windows1252
      }
  }
}
