extension Intake {
  /// The tag of the language that a text means; unknown ones are counted, missing ones are not.
  package func language(_ text: String, line: Int?) -> String {
    guard !text.isEmpty else { return LanguageTag.unknown }
    let tag = LanguageTag.canonical(text)
    if tag == LanguageTag.unknown { findings.add(.unknownLanguage, account.place(line, text)) }
    return tag
  }
}
