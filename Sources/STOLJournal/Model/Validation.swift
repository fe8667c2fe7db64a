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
  var bounds = "a whole number from \(range.lowerBound) to \(range.upperBound)"
  if let unit = PeoplesUnit(of: field) {
    bounds +=
      " (\(unit.text(range.lowerBound)) to \(unit.text(range.upperBound)), and it is \(unit.text(number)))"
  }
  throw .invalid(field: field, value: String(number), remedy: remedy ?? bounds)
}

/// Two numbers of which the first is not greater.
func requireOrder(
  _ low: Int?, _ lowField: String, _ high: Int?, _ highField: String
) throws(JournalError) {
  guard let low, let high, low > high else { return }
  var order = "at most \(highField), which is \(high)"
  if let unit = PeoplesUnit(of: lowField) {
    order += " (\(unit.text(low)) is more than \(unit.text(high)))"
  }
  throw .invalid(field: lowField, value: String(low), remedy: order)
}

/// The unit in which people say what a field has in the one that its name ends with.
private struct PeoplesUnit {
  private let word: String
  /// How many of the last digits stand behind the point.
  private let decimals: Int
  private var zero = 0

  init?(of field: String) {
    switch field.split(separator: "_").last {
    case "mm": (word, decimals) = ("m", 3)
    case "cm": (word, decimals) = ("m", 2)
    case "ml": (word, decimals) = ("l", 3)
    case "mbar": (word, decimals) = ("bar", 3)
    case "permille": (word, decimals) = ("%", 1)
    case "g": (word, decimals) = ("kg", 3)
    case "ck": (word, decimals, zero) = ("C", 2, 27_315)
    default: return nil
    }
  }

  func text(_ number: Int) -> String {
    // What is far out of bounds may be any number.
    let (above, overflows) = number.subtractingReportingOverflow(zero)
    return "\(DecimalText.text(overflows ? number : above, decimals: decimals)) \(word)"
  }
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
