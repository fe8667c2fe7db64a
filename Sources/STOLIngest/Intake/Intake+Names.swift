import STOLNames

extension Intake {
  /// The parts of a name as a source writes it; one that cannot be read is counted.
  ///
  /// - Parameters:
  ///   - text: the name, cleaned, with or without authorship.
  ///   - authorship: what a column of its own says.
  ///   - rank: its rank.
  ///   - mayHoldAuthorship: whether `text` may hold an authorship.
  ///   - line: where it stands.
  /// - Returns: its parts.
  func nameParts(
    _ text: String, authorship: String = "", rank: SourceRank?, mayHoldAuthorship: Bool = true,
    line: Int?
  ) -> NameParts {
    let parts = ScientificNameParser.parse(
      text, authorship: authorship, rank: rank, mayHoldAuthorship: mayHoldAuthorship)
    if parts.kind == .informal { note(.nameKeptWhole, line, text) }
    return parts
  }
}
