package import STOLPack

/// What became of one input: the one vocabulary of all answers, single or in a batch, as text, as JSON
/// and over HTTP.
package enum AnswerStatus: String, CaseIterable, Sendable {
  /// The whole name, in folded form and perhaps with its authors behind it, or the id is that of the taxon.
  case exact = "exact"
  /// The whole name is a synonym; the accepted taxon follows.
  case synonym = "synonym"
  /// The whole text is a common name of one taxon only.
  case common = "common"
  /// The source retired the id in favour of another taxon, which follows.
  case merged = "merged"
  /// The source retired the id.
  case deleted = "deleted"
  /// A whole name within the distance.
  case fuzzy = "fuzzy"
  /// Only a beginning, some words, or a higher taxon matched.
  case partial = "partial"
  /// Several taxa fit equally.
  case ambiguous = "ambiguous"
  /// Nothing fits.
  case notFound = "not_found"
  /// No question: blank, too long, not UTF-8, or of the wrong number of taxa.
  case invalid = "invalid"

  /// Whether a taxon follows.
  package var isFound: Bool {
    switch self {
    case .exact, .synonym, .common, .merged, .fuzzy, .partial: true
    case .deleted, .ambiguous, .notFound, .invalid: false
    }
  }

  /// Which status of a member says what a set is: the greatest.
  var precedenceInSet: Int {
    switch self {
    case .exact, .synonym, .common, .merged, .fuzzy, .partial: 0
    case .deleted, .notFound: 1
    case .ambiguous: 2
    case .invalid: 3
    }
  }
}

extension TaxonResolution {
  /// The status of an answer about what a text stands for.
  package var status: AnswerStatus {
    switch self {
    case .found: .exact
    case .merged: .merged
    case .synonym: .synonym
    case .common: .common
    case .ambiguous: .ambiguous
    case .deleted: .deleted
    case .notFound: .notFound
    case .invalid: .invalid
    }
  }
}
