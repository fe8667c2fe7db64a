/// The forms of a word that go with numbers, as CLDR names them.
enum PluralForm: String, CaseIterable, Sendable {
  case zero, one, two, few, many, other
}

extension PageLanguage {
  /// The forms that its words have: CLDR 47, plural rules for cardinal numbers.
  var pluralForms: [PluralForm] {
    switch self {
    case .en, .de: [.one, .other]
    case .fr, .es, .pt: [.one, .many, .other]
    case .zh, .ja: [.other]
    case .ar: PluralForm.allCases
    }
  }

  /// The form that goes with a whole number.
  func pluralForm(of number: Int) -> PluralForm {
    switch self {
    case .zh, .ja: return .other
    case .en, .de: return number == 1 ? .one : .other
    case .fr, .es, .pt:
      if number == 1 || number == 0 && self != .es { return .one }
      return number != 0 && number % 1_000_000 == 0 ? .many : .other
    case .ar:
      switch (number, number % 100) {
      case (0, _): return .zero
      case (1, _): return .one
      case (2, _): return .two
      case (_, 3...10): return .few
      case (_, 11...99): return .many
      default: return .other
      }
    }
  }

  /// The form that goes with a number, whole or not.
  func pluralForm(of number: Double) -> PluralForm {
    if let whole = Int(exactly: number) { return pluralForm(of: whole) }
    return (self == .fr || self == .pt) && abs(number) < 2 ? .one : .other
  }
}
