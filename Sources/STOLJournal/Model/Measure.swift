/// Something measured or judged at one time (dwc:MeasurementOrFact): the girth of a tree, the pH of a lake.
public struct Measure: Hashable, Sendable, Codable {
  /// Its identity.
  public var id: JournalID
  /// What was measured: a place, an event, an organism or an occurrence.
  public var target: JournalID
  /// What about it: the key of a `MeasureType`, or one's own as "x-bark_mm".
  public var type: String
  /// How much, in the unit of the type.
  public var number: Int?
  /// What was found, in words, or the number as it was written.
  public var text: String?
  /// How it was measured.
  public var method: String?
  /// When it was measured.
  public var time: LocalTime?
  /// What else there is to say.
  public var remarks: String?

  /// A measure, of which `number`, `text` or both are to be given.
  public init(
    id: JournalID = JournalID(), target: JournalID, type: String, number: Int? = nil,
    text: String? = nil
  ) {
    self.id = id
    self.target = target
    self.type = type
    self.number = number
    self.text = text
  }

  func validate() throws(JournalError) {
    let known = MeasureType.builtIn.first { $0.key == type }
    guard known != nil || MeasureType.isOwn(type) else {
      throw .invalid(
        field: "type", value: type,
        remedy: "one of \(MeasureType.builtIn.map(\.key).joined(separator: ", ")), or one's own, "
          + MeasureType.ownForm)
    }
    guard number != nil || text != nil else {
      throw .invalid(field: "number", value: "", remedy: "give a number or a text")
    }
    if let known, !known.isNumber {
      guard number == nil else {
        throw .invalid(
          field: "number", value: number.map(String.init) ?? "",
          remedy: "words, as text, for \(type) is no number")
      }
      if let text, !known.words.isEmpty, !known.words.contains(text) {
        throw .invalid(
          field: "text", value: text, remedy: "one of \(known.words.joined(separator: ", "))")
      }
    }
    let limit = 1_000_000_000_000_000
    try require(number, "number", (known == nil ? -limit : 0)...limit)
    try requireName(text, "text")
    try requireName(method, "method")
    try requireText(remarks, "remarks")
  }

  /// Whether a table, in which a number and words look alike, gives its words back as words.
  var isToldByText: Bool {
    guard number == nil, let text else { return true }
    guard let known = MeasureType.builtIn.first(where: { $0.key == type }) else {
      return MeasureType.own(text).text == text
    }
    return !known.isNumber
  }

  /// Why the number is hardly right, where its type says so; nil where nothing speaks against it.
  public var finding: String? {
    guard let number, let known = MeasureType.builtIn.first(where: { $0.key == type }) else {
      return nil
    }
    if let low = known.low, number < low {
      return "\(known.title) of \(known.written(number)), under \(known.written(low))"
    }
    if let high = known.high, number > high {
      return "\(known.title) of \(known.written(number)), over \(known.written(high))"
    }
    return nil
  }
}

/// What can be measured, in which unit, and between which numbers it usually lies.
public struct MeasureType: Hashable, Sendable {
  /// Its key, which ends with the unit: "girth_mm".
  public let key: String
  /// The word of the unit, "mm"; nil where there is none.
  public let unit: String?
  /// What is under it is a finding.
  public let low: Int?
  /// What is over it is a finding.
  public let high: Int?
  /// What it is called.
  public let title: String
  /// The words that it may be; none where it is a number, or any words.
  public let words: [String]
  /// Whether it is a number.
  public let isNumber: Bool
  /// The decimals of numbers without a unit.
  let decimals: Int

  private init(
    _ key: String, _ title: String, unit: String? = nil, _ range: ClosedRange<Int>? = nil,
    words: [String] = [], decimals: Int = 0
  ) {
    self.key = key
    self.title = title
    self.unit = unit
    (low, high) = (range?.lowerBound, range?.upperBound)
    self.words = words
    isNumber = range != nil
    self.decimals = decimals
  }

  /// Those that every journal knows.
  public static let builtIn: [MeasureType] = [
    // At 1.3 or 1.37 m above the ground; the thickest known is 11.6 m.
    MeasureType("dbh_mm", "diameter at breast height", unit: "mm", 1...12_000),
    MeasureType("girth_mm", "girth", unit: "mm", 1...37_700),
    MeasureType("height_cm", "height", unit: "cm", 1...12_000),
    MeasureType("crown_cm", "width of the crown", unit: "cm", 1...20_000),
    MeasureType("stems", "number of stems", 1...1000),
    MeasureType("health", "health", words: ["good", "fair", "poor", "dead"]),
    MeasureType("phenology", "phenology"),
    MeasureType("yield_g", "yield", unit: "g", 0...2_000_000),
    MeasureType("length_mm", "length", unit: "mm", 1...35_000),
    MeasureType("mass_g", "mass", unit: "g", 1...200_000_000),
    MeasureType("ph_x100", "pH", 200...1200, decimals: 2),
  ]

  /// The key without its unit, as one types it: "girth".
  public var name: String {
    let suffixes = (unit.map { ["_\($0)"] } ?? []) + ["_x100"]
    return suffixes.first { key.hasSuffix($0) }.map { String(key.dropLast($0.count)) } ?? key
  }

  /// A number of the type with its unit.
  public func written(_ number: Int) -> String {
    DecimalText.text(number, decimals: decimals) + (unit.map { " \($0)" } ?? "")
  }

  static let ownForm = "x- with small letters, digits, - and _, as x-bark_mm"

  /// What a cell of a table of the journal says of one's own type: a number where it is one as the journal writes it.
  static func own(_ cell: String) -> (number: Int?, text: String?) {
    let number = Int(cell).flatMap { String($0) == cell ? $0 : nil }
    return (number, number == nil ? cell : nil)
  }

  /// Whether digits begin with a zero that says nothing.
  private static func hasIdleZeros(_ text: String) -> Bool {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    guard digits.first == UInt8(ascii: "0"), let second = digits.dropFirst().first else {
      return false
    }
    return second != UInt8(ascii: ".")
  }

  /// Whether a key may be one of somebody's own.
  static func isOwn(_ key: String) -> Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return key.hasPrefix("x-") && (3...64).contains(key.utf8.count)
      && key.utf8.allSatisfy {
        letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "-")
          || $0 == UInt8(ascii: "_")
      }
  }

  /// What a text such as "girth=1.83m", "health=good", "ph=6.5" or "x-bark_mm=7" states.
  ///
  /// The unit must be there where the type has one, and be one of its dimension: mm, cm, m, km, in, ft; g, kg, lb.
  /// Digits are read exactly, and the number is rounded to the nearest whole one of the type's unit, a half away
  /// from zero: an inch is 25.4 mm, so "girth=1in" is 25. One's own type has whole numbers, or words.
  ///
  /// - Returns: the key of the type, and the number or the words.
  /// - Throws: `JournalError.invalid`
  public static func parse(
    _ text: String
  ) throws(JournalError) -> (type: String, number: Int?, text: String?) {
    guard let sign = text.firstIndex(of: "=") else {
      throw .invalid(field: "measure", value: text, remedy: "name=value, as girth=1.83m")
    }
    let name = String(text[..<sign])
    let value = String(text[text.index(after: sign)...])
    guard !value.isEmpty else {
      throw .invalid(field: name, value: "", remedy: "say how much it is")
    }
    guard let known = builtIn.first(where: { $0.key == name || $0.name == name }) else {
      guard isOwn(name) else {
        throw .invalid(
          field: "measure", value: name,
          remedy: "one of \(builtIn.map(\.name).joined(separator: ", ")), or one's own, \(ownForm)")
      }
      // No number begins with zeros that say nothing: "0012" is what somebody calls it.
      guard !hasIdleZeros(value), let number = ExactDecimal(value) else {
        return (name, nil, value)
      }
      guard number.decimals == 0 else {
        throw .invalid(
          field: name, value: value,
          remedy: "a whole number: put a smaller unit into the name, as x-bark_mm")
      }
      return (name, number.digits, nil)
    }
    guard known.isNumber else {
      guard known.words.isEmpty || known.words.contains(value) else {
        throw .invalid(
          field: known.name, value: value,
          remedy: "one of \(known.words.joined(separator: ", "))")
      }
      return (known.key, nil, value)
    }
    let number: Int
    if let unit = known.unit {
      number = try Units.number(value, in: unit, known.name)
    } else {
      // The key says in what the number is, "ph_x100=685"; the name does not, "ph=6.85".
      let decimals = name == known.key ? 0 : known.decimals
      guard let exact = ExactDecimal(value), exact.decimals <= decimals,
        let whole = exact.scaled(by: decimals == 2 ? 100 : 1, over: 1)
      else {
        let isScaled = decimals < known.decimals
        throw .invalid(
          field: name, value: value,
          remedy: decimals > 0
            ? "a number with at most \(decimals) decimals"
            : "a whole number" + (isScaled ? ", or \(known.name)=\(value)" : ""))
      }
      number = whole
    }
    guard number >= 0 else {
      throw .invalid(field: known.name, value: value, remedy: "nothing below 0")
    }
    return (known.key, number, nil)
  }
}
