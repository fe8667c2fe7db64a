package import STOLMatch

/// A service of others whose fields and limits `stol match` can have.
package enum MatchService: String, CaseIterable, Sendable {
  /// GBIF's species match.
  case gbif
  /// GNverifier.
  case gn

  /// The least score that is an answer there.
  package var leastScore: Int {
    switch self {
    case .gbif: NameMatcher.Options.leastScoreOfGBIF
    case .gn: 50
    }
  }

  /// Its fields, as columns.
  package var columns: [(name: String, column: MatchColumn)] {
    switch self {
    case .gbif: MatchColumn.gbifColumns
    case .gn: MatchColumn.gnColumns
    }
  }
}

extension NameMatcher.Options {
  /// Takes what counts as an answer from a service, but for what was asked otherwise.
  package mutating func follow(_ service: MatchService?, leastScore: Int? = nil) {
    if let least = leastScore ?? service?.leastScore { self.leastScore = least }
    followsGBIF = service == .gbif
  }
}
