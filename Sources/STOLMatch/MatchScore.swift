/// How many of a hundred answers are right: by what differs, then by what else agrees or contradicts.
///
/// The shares by difference are those of misspellings from life over half a million taxa of which the right name
/// is known, less what so few cases leave open; `Tools/tests/match_test.py` holds them against such a list.
enum MatchScore {
  /// The share that is right where nothing but the name is known, in thousands.
  static func base(_ difference: NameDifference) -> Int {
    switch difference {
    case .none: 990
    case .ending: 985
    case .scanner: 950
    case .epithet: 970
    case .genus: 930
    case .epithetTwo: 826
    case .genusAndEpithet: 800
    case .genusTwo: 600
    case .uninomial: 800
    case .uninomialTwo: 450
    case .farther: 450
    case .fewerEpithets, .genusOnly: 960
    case .hint: 950
    }
  }

  /// The score of a candidate, from 0 to 100.
  ///
  /// That a higher taxon agrees makes up for nothing that contradicts, and is no evidence for a letter that
  /// differs: all species of a genus are in one family, and most like names in one class. Of higher taxa that
  /// contradict the worst counts: an older classification differs in several. GBIF's service sums all up.
  static func score(of candidate: MatchCandidate, followingGBIF: Bool) -> Int {
    guard !followingGBIF else {
      let evidence = candidate.points.reduce(0) { sum, point in
        differences.contains(point.part) ? sum : sum + point.value
      }
      return score(evidence: evidence, candidate.difference)
    }
    var (agreement, authors, contradiction, worstHint) = (0, 0, 0, 0)
    for point in candidate.points where !differences.contains(point.part) {
      let isHint = MatchPoints.isHint(point.part)
      if point.value < 0, isHint {
        worstHint = min(worstHint, point.value)
      } else if point.value < 0 {
        contradiction += point.value
      } else if !isHint || isTold(candidate.difference, by: point.part) {
        agreement += point.value
        if point.part == "author" { authors += point.value }
      }
    }
    let evidence =
      worstHint < 0
      ? worstHint + contradiction : contradiction < 0 ? contradiction + authors : agreement
    return score(evidence: evidence, candidate.difference)
  }

  /// Whether a higher taxon that agrees makes it likelier that a name with such a difference is the right one.
  private static func isTold(_ difference: NameDifference, by rank: String) -> Bool {
    switch difference {
    case .none, .ending, .hint: true
    case .genus, .genusTwo, .uninomial, .uninomialTwo, .genusAndEpithet:
      ["family", "subfamily", "tribe", "given genus"].contains(rank)
    case .scanner, .epithet, .epithetTwo, .farther, .fewerEpithets, .genusOnly: false
    }
  }

  /// The score of a candidate for which the points of all but its spelling sum up to `evidence`.
  static func score(evidence: Int, _ difference: NameDifference) -> Int {
    let base = Double(base(difference)) / 1000
    let right =
      switch evidence {
      case 9...: 1 - (1 - base) / 4
      case 4...: 1 - (1 - base) / 2
      case 0...: base
      case (-4)...: base * 0.98
      case (-15)...: base * 0.92
      case (-20)...: base * 0.85
      case (-40)...: base * 0.6
      default: base * 0.2
      }
    return Int((right * 100).rounded())
  }

  /// The most that a name has of which whoever wrote it was not sure, or which is that of another taxon too.
  static let doubted = 94

  /// The points for what differs, and for what kind of name it is.
  static let differences: Set<String> = ["name", "ending", "epithet", "genus", "synonym"]
}
