import STOLMatch

/// Why names are no identifications, as the ends of sentences.
enum NameReason {
  /// What became of a name in a database.
  static func sentence(_ match: NameMatch) -> String {
    switch match.status {
    case .exact, .synonym:
      contradiction(match)
        ?? (match.status == .exact ? "the name of one taxon" : "a synonym of one taxon")
    case .fuzzy: similarity(match.difference)
    case .partial: part(match)
    case .ambiguous:
      match.candidates.contains { $0.difference == .none }
        ? "several taxa have that name" : "no name that is known is it, and several are like it"
    case .notFound:
      contradiction(match)
        ?? (match.candidates.isEmpty
          ? "no name that is known is like it" : "no name that is known is near enough")
    case .invalid: "it is no name"
    }
  }

  /// What the best candidate contradicts.
  private static func contradiction(_ match: NameMatch) -> String? {
    let best = match.candidates.first { $0.name == match.name } ?? match.candidates.first
    guard let worst = best?.points.filter({ $0.value < 0 }).min(by: { $0.value < $1.value }) else {
      return nil
    }
    switch worst.part {
    case "author": return "the database has other authors for the name"
    case "year": return "the database has another year for the name"
    case "rank": return "the name that is known is of another rank"
    case "code": return "the name that is known is one under another code"
    case "misapplied": return "the name is known as one that is misapplied"
    case "doubtful": return "the database itself is not sure of the name"
    case "ending", "epithet", "genus", "synonym": return nil
    default: return "the name that is known is in another \(worst.part) than was said"
    }
  }

  private static func similarity(_ difference: NameDifference?) -> String {
    let known = "the name is not known, only one that differs by "
    return switch difference {
    case .ending: known + "its ending"
    case .scanner: known + "letters that look alike"
    case .epithet: known + "a letter of its second word or of one behind it"
    case .epithetTwo: known + "two letters of its second word or of one behind it"
    case .genus, .uninomial: known + "a letter of its first word"
    case .genusTwo, .uninomialTwo: known + "two letters of its first word"
    case .genusAndEpithet: known + "a letter in each of its words"
    case .farther: known + "more than two letters"
    case .fewerEpithets, .genusOnly, .hint, .some(.none), nil:
      "the name is not known, only one like it"
    }
  }

  private static func part(_ match: NameMatch) -> String {
    guard match.name != nil else { return "several taxa fit equally, all within one" }
    return switch match.difference {
    case .fewerEpithets: "the name is not known, only a part of it"
    case .genusOnly: "the name is not known, only its genus"
    case .hint: "the name is not known, only the higher taxon that it is said to be in"
    default: contradiction(match) ?? "only a part of the name is known"
    }
  }
}
