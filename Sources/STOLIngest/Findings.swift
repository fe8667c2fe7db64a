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
}
