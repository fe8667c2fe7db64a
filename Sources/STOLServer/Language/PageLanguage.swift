/// A language in which the explorer speaks.
enum PageLanguage: String, CaseIterable, Sendable {
  case en, de, fr, es, pt, zh, ja, ar

  /// Its BCP 47 tag.
  var tag: String { self == .zh ? "zh-Hans" : rawValue }

  /// What it calls itself.
  var ownName: String {
    switch self {
    case .en: "English"
    case .de: "Deutsch"
    case .fr: "Français"
    case .es: "Español"
    case .pt: "Português"
    case .zh: "简体中文"
    case .ja: "日本語"
    case .ar: "العربية"
    }
  }

  /// Whether its lines run from right to left.
  var isRightToLeft: Bool { self == .ar }

  /// The language that a tag asks for, or what is left of it without its last parts: RFC 4647, section 3.4.
  init?(tag: some StringProtocol) {
    guard let first = tag.split(separator: "-").first,
      let known = Self(rawValue: first.lowercased())
    else { return nil }
    self = known
  }

  /// What stands between the parts of an enumeration.
  var comma: String {
    switch self {
    case .zh, .ja: "、"
    case .ar: "، "
    case .en, .de, .fr, .es, .pt: ", "
    }
  }

  // MARK: - Numbers

  /// What stands between groups of three digits.
  private var groupSeparator: Character {
    switch self {
    case .en, .zh, .ja, .ar: ","
    case .de, .es, .pt: "."
    case .fr: "\u{202F}"
    }
  }

  /// What stands before the digits of a fraction.
  var decimalSeparator: Character {
    switch self {
    case .en, .zh, .ja, .ar: "."
    case .de, .fr, .es, .pt: ","
    }
  }

  /// Digits in groups of three, as CLDR has it; Spanish leaves four digits together.
  func grouped(_ number: some BinaryInteger) -> String {
    let digits = String(number.magnitude)
    guard digits.count > (self == .es ? 4 : 3) else { return String(number) }
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(groupSeparator) }
      text.append(digit)
    }
    return text
  }
}
