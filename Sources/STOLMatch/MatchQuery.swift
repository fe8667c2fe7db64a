import STOLNames

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

  /// The hints without spaces around their names, as cells of tables have them.
  var plainHints: [(rank: String, name: String)] {
    guard hints.contains(where: { Self.mayHaveSpaces(around: $0.name) }) else { return hints }
    return hints.map { ($0.rank, trimmingSpaces($0.name)) }
  }

  private static func mayHaveSpaces(around name: String) -> Bool {
    guard let first = name.utf8.first, let last = name.utf8.last else { return false }
    let letters: ClosedRange<UInt8> = 0x21...0x7F
    return !(letters ~= first && letters ~= last)
  }
}
