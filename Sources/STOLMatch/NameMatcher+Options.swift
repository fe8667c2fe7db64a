extension NameMatcher {
  /// What counts as an answer.
  public struct Options: Sendable {
    /// The least score of an answer, from 0 to 100; what has less is only a candidate.
    public var leastScore: Int = 90
    /// Whether only whole names count, spelt as they are, whose authors do not contradict.
    public var isStrict = false
    /// Whether a higher taxon is an answer where the name itself is not known.
    public var allowsHigherTaxa = true
    /// Whether several taxa that fit equally are answered by their common ancestor however high that is,
    /// and a name that its kingdom contradicts by the lowest hint, as GBIF's service does.
    public var followsGBIF = false
    /// Whether letters that scanners take for one another make no other name, as "rn" and "m".
    public var allowsScannerErrors = false
    /// The most candidates that an answer names.
    public var candidateLimit = 10

    /// The least score that is an answer of GBIF's service.
    public static let leastScoreOfGBIF = 80

    /// What is usual.
    public init() {}
  }
}
