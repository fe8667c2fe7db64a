/// What is asked about one name: the name as somebody wrote it, and what else is known of it.
public struct MatchQuery: Sendable {
  /// The name, perhaps with its authors behind it.
  public var name: String
  /// Who gave the name, where that is said apart from it.
  public var authorship: String?
  /// The rank that the name is said to have, as in "species".
  public var rank: String?
  /// The nomenclatural code, as in "ICZN".
  public var code: String?
  /// Higher taxa that it is said to be in, each with its rank, as ("kingdom", "Plantae"); the highest
  /// first.
  public var hints: [(rank: String, name: String)]

  /// A question about a name.
  public init(
    _ name: String, authorship: String? = nil, rank: String? = nil, code: String? = nil,
    hints: [(rank: String, name: String)] = []
  ) {
    self.name = name
    self.authorship = authorship
    self.rank = rank
    self.code = code
    self.hints = hints
  }
}
