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
      repairedCase(text, rank, line), authorship: authorship, rank: rank,
      mayHoldAuthorship: mayHoldAuthorship)
    if parts.kind == .informal { note(.nameKeptWhole, line, text) }
    return parts
  }

  /// A name in the case that names have; one that had another is counted.
  func repairedCase(_ text: String, _ rank: SourceRank?, _ line: Int?) -> String {
    guard let repaired = NameCase.repaired(text, rank: rank) else { return text }
    note(.nameCaseRepaired, line, text)
    return repaired
  }
}
