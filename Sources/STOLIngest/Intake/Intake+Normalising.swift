extension Intake {
  /// A text without markup and control characters; what was removed is counted.
  package func clean(_ text: String, line: Int?) -> String {
    let (clean, found) = NameCleaner.clean(text)
    guard !found.isEmpty else { return clean }
    if found.contains(.markup) { findings.add(.markupInName, account.place(line, text)) }
    if found.contains(.controlCharacters) {
      findings.add(.controlCharactersInName, account.place(line, clean))
    }
    if found.contains(.tooLong) { findings.add(.textTooLong, account.place(line, clean)) }
    return clean
  }

  /// The rank that a word means; unknown ones are counted.
  package func rank(_ text: String, line: Int?) -> SourceRank? {
    guard let rank = SourceRank(text) else { return nil }
    if !rank.isKnown { findings.add(.unknownRank, account.place(line, text)) }
    return rank
  }

  /// The standing that a word means; unknown ones are counted.
  package func status(_ text: String, line: Int?) -> TaxonomicStatus? {
    guard !text.isEmpty else { return nil }
    let status = TaxonomicStatus(text)
    if status == nil { findings.add(.unknownStatus, account.place(line, text)) }
    return status
  }

  /// The IUCN code that a text means; others are counted.
  package func conservationCode(_ text: String, line: Int?) -> String? {
    guard !text.isEmpty else { return nil }
    let code = ConservationCode(text)
    if code == nil { findings.add(.unknownConservationCode, account.place(line, text)) }
    return code?.rawValue
  }
}
