extension Dive.Tank {
  /// What a text such as "12l,200-60bar,EAN32" states: volume, pressure at the start and at the end, gas and what
  /// it is for, in any order, commas between.
  ///
  /// The gas is air (20.9 % oxygen), EAN32, O2, TX18/45, or what Dive.Tank.Use has for use.
  ///
  /// - Throws: `JournalError.invalid`
  public init(_ text: String) throws(JournalError) {
    self.init()
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let part = asciiLowercased(String(part.filter { $0 != " " }))
      if let use = Use(rawValue: part) {
        guard self.use == nil else { throw Self.twice(text, "what it is for") }
        self.use = use
      } else if let gas = Self.gas(part) {
        guard o2Permille == nil else { throw Self.twice(text, "a gas") }
        (o2Permille, hePermille) = (gas.oxygen, gas.helium)
      } else if part.hasSuffix("bar") || part.hasSuffix("psi") {
        guard startMbar == nil else { throw Self.twice(text, "pressures") }
        (startMbar, endMbar) = try Self.pressures(part)
      } else if part.hasSuffix("l") {
        guard volumeMl == nil else { throw Self.twice(text, "a volume") }
        volumeMl = try Volume(part, field: "tank").ml
      } else {
        throw .invalid(
          field: "tank", value: text,
          remedy:
            "'\(part)' is none of volume (12l), pressures (200-60bar), gas (air, EAN32, O2, TX18/45) "
            + "and use (\(Use.allCases.map(\.rawValue).joined(separator: ", ")))")
      }
    }
    try validate()
  }

  private static func twice(_ text: String, _ what: String) -> JournalError {
    .invalid(
      field: "tank", value: text, remedy: "say \(what) once; each tank has a text of its own")
  }

  /// "200-60bar", "200bar-60bar" or "200bar".
  private static func pressures(_ text: String) throws(JournalError) -> (Int?, Int?) {
    let unit = text.suffix(4) == "mbar" ? "mbar" : String(text.suffix(3))
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard ends.count <= 2 else {
      throw .invalid(field: "tank", value: text, remedy: "at the start and at the end: 200-60bar")
    }
    func pressure(_ text: String) throws(JournalError) -> Int {
      try Pressure(text.last?.isNumber == true ? text + unit : text, field: "tank").mbar
    }
    return (try pressure(ends[0]), ends.count == 2 ? try pressure(ends[1]) : nil)
  }

  /// The permille of oxygen and helium; nil for what is no gas.
  private static func gas(_ text: String) -> (oxygen: Int, helium: Int?)? {
    if text == "air" { return (209, nil) }
    if text == "o2" { return (1000, nil) }
    func permille(_ text: some StringProtocol) -> Int? {
      ExactDecimal(text).flatMap { $0.digits < 0 ? nil : $0.scaled(by: 10, over: 1) }
    }
    for beginning in ["eanx", "ean", "nx"] where text.hasPrefix(beginning) {
      return permille(text.dropFirst(beginning.count)).map { ($0, nil) }
    }
    for beginning in ["trimix", "tx"] where text.hasPrefix(beginning) {
      let parts = text.dropFirst(beginning.count).split(
        separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, let oxygen = permille(parts[0]), let helium = permille(parts[1])
      else { return nil }
      return (oxygen, helium)
    }
    return nil
  }
}

/// What was seen, and how many, as one types it: "Chelonia mydas=2".
public struct CountedText: Hashable, Sendable {
  /// What it was.
  public let name: String
  /// How many; 0 of what was looked for and not seen.
  public let count: Int?
  /// What the count says.
  public let countKind: Occurrence.CountKind?

  /// What a text states: a name, and behind "=" a count, "2+" for two or more and "~20" for about 20.
  ///
  /// - Throws: `JournalError.invalid`
  public init(_ text: String) throws(JournalError) {
    guard let sign = text.lastIndex(of: "=") else {
      (name, count, countKind) = (text, nil, nil)
      return
    }
    var number = text[text.index(after: sign)...]
    var kind = Occurrence.CountKind.exact
    if number.hasPrefix("~") {
      number = number.dropFirst()
      kind = .about
    } else if number.hasSuffix("+") {
      number = number.dropLast()
      kind = .least
    }
    guard let exact = ExactDecimal(number), exact.decimals == 0, exact.digits >= 0 else {
      throw .invalid(
        field: "count", value: text,
        remedy: "a name and a count, as \"Chelonia mydas=2\", =2+ or =~20")
    }
    name = String(text[..<sign])
    count = exact.digits
    countKind = exact.digits == 0 ? nil : kind
  }
}
