package import STOLNames

extension Intake {
  /// A text without markup and control characters; what was removed is counted.
  package func clean(_ text: String, line: Int?) -> String {
    let (clean, found) = NameCleaner.clean(text)
    guard !found.isEmpty else { return clean }
    if found.contains(.markup) { note(.markupInName, line, text) }
    if found.contains(.controlCharacters) {
      note(.controlCharactersInName, line, clean)
    }
    if found.contains(.tooLong) { note(.textTooLong, line, clean) }
    return clean
  }

  /// The rank that a word means, without markup and control characters; unknown ones are counted.
  package func rank(_ text: String, line: Int?) -> SourceRank? {
    guard let rank = SourceRank(NameCleaner.clean(text).text) else { return nil }
    if !rank.isKnown { note(.unknownRank, line, rank.canonicalName) }
    return rank
  }

  /// The standing that a word means; unknown ones are counted.
  package func status(_ text: String, line: Int?) -> TaxonomicStatus? {
    guard !text.isEmpty else { return nil }
    if let known = statuses[text] { return known }
    let status = TaxonomicStatus(text)
    // Sources have few words for it.
    if let status, statuses.count < 1_000 { statuses[text] = status }
    if status == nil { note(.unknownStatus, line, text) }
    return status
  }

  /// Takes what a row says of the standing of its name.
  func takeStatus(_ text: String, of usage: inout SourceUsage) {
    usage.status = status(text, line: usage.line > 0 ? usage.line : nil)
    usage.statusText = NameCleaner.clean(text).text
  }

  /// The IUCN code that a text means; others are counted.
  package func conservationCode(_ text: String, line: Int?) -> String? {
    guard !text.isEmpty else { return nil }
    let code = ConservationCode(text)
    if code == nil { note(.unknownConservationCode, line, text) }
    return code?.rawValue
  }

  /// The tag of the language that a code or word means; unknown ones are counted.
  package func language(_ text: String, line: Int?) -> String {
    guard !text.isEmpty else { return LanguageTag.unknown }
    let tag = LanguageTag.canonical(text)
    if tag == LanguageTag.unknown, text != tag { note(.unknownLanguage, line, text) }
    return tag
  }
}

extension NameParts {
  /// The rank that a name shows by itself: two words are a species, more are within one, as the
  /// marker between them says; a word alone shows none.
  package var shownRank: SourceRank? {
    guard kind == .scientific else { return nil }
    var words = canonicalName.split(separator: " ").filter { $0 != "\u{D7}" }
    // A name in parentheses is that of a subgenus.
    words.removeAll { $0.hasPrefix("(") }
    guard words.count > 1 else { return nil }
    if let marker = words.dropFirst().last(where: { $0.hasSuffix(".") }) {
      return SourceRank(String(marker))
    }
    return words.count == 2 ? .species : SourceRank("infraspecific name")
  }
}
