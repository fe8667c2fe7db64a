import STOLPack

/// What every field is held to: Format/JOURNAL.md, "Numbers, times, texts".
func requireText(
  _ text: String?, _ field: String, limit: Int = JournalLimits.textByteCount
) throws(JournalError) {
  guard let text else { return }
  guard !text.isEmpty else {
    throw .invalid(field: field, value: "", remedy: "leave it out, or write something")
  }
  guard text.utf8.count <= limit else {
    throw .invalid(
      field: field, value: String(text.prefix(40)) + "\u{2026}",
      remedy: "at most \(limit) bytes, and it has \(text.utf8.count): shorten it")
  }
  guard !text.utf8.contains(0) else {
    throw .invalid(
      field: field, value: String(text.filter { $0 != "\0" }.prefix(40)),
      remedy: "take out the character NUL")
  }
}

/// A text of one line, such as a name.
func requireName(_ text: String?, _ field: String) throws(JournalError) {
  try requireText(text, field, limit: JournalLimits.nameByteCount)
  guard let text else { return }
  // Most names are of ASCII, and begin with a letter.
  if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }), text.utf8.first != 0x20 { return }
  guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
    throw .invalid(
      field: field,
      value: String(text.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) }),
      remedy: "one line, without control characters")
  }
  guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
    throw .invalid(field: field, value: text, remedy: "more than spaces")
  }
}

/// A whole number.
func require(
  _ number: Int?, _ field: String, _ range: ClosedRange<Int>, _ remedy: String? = nil
) throws(JournalError) {
  guard let number, !range.contains(number) else { return }
  throw .invalid(
    field: field, value: String(number),
    remedy: remedy ?? "a whole number from \(range.lowerBound) to \(range.upperBound)")
}

/// Two numbers of which the first is not greater.
func requireOrder(
  _ low: Int?, _ lowField: String, _ high: Int?, _ highField: String
) throws(JournalError) {
  guard let low, let high, low > high else { return }
  throw .invalid(
    field: lowField, value: String(low), remedy: "at most \(highField), which is \(high)")
}

/// The tags of a record.
func requireTags(_ tags: Set<String>) throws(JournalError) {
  guard tags.count <= JournalLimits.listCount else {
    throw .invalid(
      field: "tags", value: "\(tags.count) tags", remedy: "at most \(JournalLimits.listCount)")
  }
  for tag in tags { try requireName(tag, "tag") }
  var seen: Set<String> = []
  for tag in tags.sorted() where !seen.insert(asciiLowercased(tag)).inserted {
    throw .invalid(
      field: "tag", value: tag, remedy: "the same tag is there in another case: keep one of them")
  }
}

/// A text with the capitals of ASCII alone made small, as SQLite's NOCASE compares.
func asciiLowercased(_ text: String) -> String {
  String(decoding: text.utf8.map(\.lowercasedASCII), as: UTF8.self)
}
