/// What a person measured, with its unit, as "1.83m", "72 in" or "60 bar".
///
/// This is the one place where such texts are read. Digits are taken exactly, and the result is rounded to the
/// nearest whole number of the unit asked for, a half away from zero: an inch is 25.4 mm, so "1in" is 25 mm. A
/// number without a unit, with an unknown one, or with one of another dimension is an error: none is guessed.
enum Units {
  /// What can be measured.
  enum Dimension: String {
    case length, mass, volume, pressure, temperature, duration
  }

  /// A unit: `numerator` by `denominator` of the smallest one of its dimension, once `hundredths` are added.
  struct Unit {
    let word: String
    let dimension: Dimension
    let numerator: Int
    let denominator: Int
    let hundredths: Int

    init(
      _ word: String, _ dimension: Dimension, _ numerator: Int, over denominator: Int = 1,
      plusHundredths hundredths: Int = 0
    ) {
      self.word = word
      self.dimension = dimension
      self.numerator = numerator
      self.denominator = denominator
      self.hundredths = hundredths
    }
  }

  /// All that are known.
  ///
  /// The smallest units are 0.1 mm, 10 ug, 1 ml, 1 mbar, 0.01 K and 1 s.
  static let all: [Unit] = [
    Unit("mm", .length, 10), Unit("cm", .length, 100), Unit("m", .length, 10_000),
    Unit("km", .length, 10_000_000), Unit("in", .length, 254), Unit("ft", .length, 3048),
    Unit("g", .mass, 100_000), Unit("kg", .mass, 100_000_000), Unit("lb", .mass, 45_359_237),
    Unit("ml", .volume, 1), Unit("l", .volume, 1000),
    Unit("mbar", .pressure, 1), Unit("bar", .pressure, 1000),
    // A pound-force by a square inch: 4.4482216152605 N by 0.00064516 m2.
    Unit("psi", .pressure, 6_894_757_293, over: 100_000_000),
    Unit("k", .temperature, 100), Unit("c", .temperature, 100, plusHundredths: 27_315),
    Unit("f", .temperature, 500, over: 9, plusHundredths: 45_967),
    Unit("s", .duration, 1), Unit("min", .duration, 60), Unit("h", .duration, 3600),
  ]

  /// How many of the smallest units a unit is that a number may be asked for in.
  private static func smallest(_ word: String) -> Int {
    all.first { $0.word == word }?.numerator ?? 1
  }

  /// The number of units that a text states.
  ///
  /// - Parameters:
  ///   - text: a number and a unit, with a space between or none.
  ///   - unit: the word of a unit without an offset, in which the answer is; "ck" is 0.01 K.
  ///   - field: what it is, for the error.
  /// - Returns: the number, rounded to the nearest.
  /// - Throws: `JournalError.invalid`
  static func number(
    _ text: String, in unit: String, _ field: String
  ) throws(JournalError) -> Int {
    let dimension = unit == "ck" ? .temperature : all.first { $0.word == unit }?.dimension
    guard let dimension else {
      throw .invalid(field: field, value: text, remedy: "'\(unit)' is no unit of the journal")
    }
    let words = all.filter { $0.dimension == dimension }.map(\.written).joined(separator: ", ")
    let form = "a number with a point and a unit (\(words)), as \(example(dimension))"
    let end = text.firstIndex { !"+-.0123456789".contains($0) } ?? text.endIndex
    guard let number = ExactDecimal(text[..<end]) else {
      throw .invalid(field: field, value: text, remedy: form)
    }
    let written = asciiLowercased(
      String(text[end...].drop { $0 == " " || $0 == "\u{A0}" || $0 == "\u{B0}" }))
    guard !written.isEmpty else {
      throw .invalid(field: field, value: text, remedy: "say the unit: " + form)
    }
    guard let known = all.first(where: { $0.word == written }) else {
      throw .invalid(field: field, value: text, remedy: "'\(written)' is no unit here: " + form)
    }
    guard known.dimension == dimension else {
      throw .invalid(
        field: field, value: text,
        remedy: "\(known.written) is a unit of \(known.dimension.rawValue): " + form)
    }
    let (ratio, overflow) = known.denominator.multipliedReportingOverflow(by: smallest(unit))
    // Of grams in grams nothing is multiplied that goes beyond all measure on the way.
    let divisor = greatestCommonDivisor(known.numerator, ratio)
    guard !overflow,
      let value = number.scaled(
        plusHundredths: known.hundredths, by: known.numerator / divisor, over: ratio / divisor)
    else { throw .invalid(field: field, value: text, remedy: "fewer digits") }
    return value
  }

  private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
    b == 0 ? a : greatestCommonDivisor(b, a % b)
  }

  private static func example(_ dimension: Dimension) -> String {
    switch dimension {
    case .length: "1.83m"
    case .mass: "4kg"
    case .volume: "12l"
    case .pressure: "200bar"
    case .temperature: "26.5C"
    case .duration: "52min"
    }
  }
}

extension Units.Unit {
  /// The unit as one writes it.
  var written: String {
    dimension == .temperature ? word.uppercased() : word
  }
}
