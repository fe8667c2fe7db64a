public import STOLPack

/// What became of a name.
public enum MatchStatus: String, CaseIterable, Sendable {
  /// The accepted name of a taxon, letter for letter but for case and marks on letters.
  case exact
  /// A synonym of a taxon, likewise.
  case synonym
  /// A name that differs by its ending, or by one or two letters.
  case fuzzy
  /// A higher taxon: the name itself is not known.
  case partial
  /// Several taxa fit equally.
  case ambiguous
  /// Nothing fits.
  case notFound = "not_found"
  /// No name: blank, or longer than a name can be.
  case invalid
}

/// How a name that was found differs from the one that was asked for.
public enum NameDifference: String, CaseIterable, Sendable {
  /// Not at all, but for case and marks on letters.
  case none
  /// By what endings and spellings of one word differ in: gender, "-ii" and "-i", doubled letters.
  case ending
  /// By letters that scanners take for one another.
  case scanner = "scanned letters"
  /// By a letter of an epithet.
  case epithet
  /// By letters of an epithet, two of them.
  case epithetTwo = "epithet, two letters"
  /// By a letter of the genus.
  case genus
  /// By a letter of the genus and one of an epithet.
  case genusAndEpithet = "genus and epithet"
  /// By two letters of the genus.
  case genusTwo = "genus, two letters"
  /// By a letter of a name of one word.
  case uninomial
  /// By two letters of a name of one word.
  case uninomialTwo = "uninomial, two letters"
  /// By more than two letters.
  case farther = "more than two letters"
  /// It is the name without its last epithet, or without the one before.
  case fewerEpithets = "fewer epithets"
  /// It is the genus of the name.
  case genusOnly = "genus only"
  /// It is the lowest taxon that was given as a hint.
  case hint
}

/// A name of a taxon that was weighed.
public struct MatchCandidate: Equatable, Sendable {
  /// The name: of a taxon, or a synonym.
  public let name: NameOrdinal
  /// The taxon that the name is of.
  public let taxon: TaxonOrdinal
  /// How it differs from what was asked for.
  public let difference: NameDifference
  /// The letters that have to be changed, taken together.
  public let edits: Int
  /// The points, with what each part gave; 100 less what differs.
  public internal(set) var points: [MatchPoint] = []

  /// The sum of the points.
  public var total: Int { points.reduce(0) { $0 + $1.value } }
}

/// What one part of a comparison gave.
public struct MatchPoint: Equatable, Sendable {
  /// What was compared, as in "author".
  public let part: String
  /// What it gave.
  public let value: Int
}

/// What a name stands for, and why.
public struct NameMatch: Sendable {
  /// What became of it.
  public internal(set) var status: MatchStatus
  /// The taxon; nil where it is none, or several.
  public internal(set) var taxon: TaxonOrdinal?
  /// The name of it that matched; nil for a common ancestor.
  public internal(set) var name: NameOrdinal?
  /// How the name differs from what was asked for; nil where nothing was found.
  public internal(set) var difference: NameDifference?
  /// The letters that have to be changed.
  public internal(set) var edits = 0
  /// How many of a hundred such answers are right.
  public internal(set) var score = 0
  /// Why, in a few words.
  public internal(set) var reason: String
  /// What was weighed, the best first.
  public internal(set) var candidates: [MatchCandidate] = []

  init(_ status: MatchStatus, _ reason: String) {
    self.status = status
    self.reason = reason
  }

  /// A name that differs in nothing.
  init(
    _ status: MatchStatus, _ reason: String, taxon: TaxonOrdinal, name: NameOrdinal, score: Int
  ) {
    self.status = status
    self.reason = reason
    self.taxon = taxon
    self.name = name
    difference = NameDifference.none
    self.score = score
  }
}

extension NameMatch {
  /// What cannot be asked.
  package static func invalid(_ reason: String) -> NameMatch { NameMatch(.invalid, reason) }

  /// What a person has decided: a taxon, or none.
  package static func decided(_ taxon: TaxonOrdinal?, _ reason: String) -> NameMatch {
    var match = NameMatch(taxon == nil ? .notFound : .exact, reason)
    match.taxon = taxon
    match.name = taxon.map { NameOrdinal(rawValue: $0.rawValue) }
    match.difference = taxon == nil ? nil : NameDifference.none
    match.score = taxon == nil ? 0 : 100
    return match
  }
}
