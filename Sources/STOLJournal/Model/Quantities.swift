/// A length or a depth in whole millimetres.
public struct Length: Hashable, Sendable {
  /// The millimetres.
  public let mm: Int

  /// What a text such as "22m", "183 cm" or "72ft" states, rounded to the nearest millimetre.
  ///
  /// - Throws: `JournalError.invalid`
  public init(_ text: String, field: String = "length") throws(JournalError) {
    mm = try Units.number(text, in: "mm", field)
  }

  /// In metres, with all decimals that are not zero.
  public static func metres(_ mm: Int) -> String { DecimalText.text(mm, decimals: 3) + " m" }
}

/// A temperature in hundredths of a kelvin.
public struct Temperature: Hashable, Sendable {
  /// The hundredths of a kelvin.
  public let ck: Int

  /// What a text such as "26.5C", "80F" or "300 K" states, rounded to the nearest hundredth of a kelvin.
  ///
  /// - Throws: `JournalError.invalid`
  public init(_ text: String, field: String = "temperature") throws(JournalError) {
    ck = try Units.number(text, in: "ck", field)
  }

  /// In degrees Celsius, with all decimals that are not zero.
  public static func celsius(_ ck: Int) -> String {
    let (difference, overflow) = ck.subtractingReportingOverflow(27_315)
    return DecimalText.text(overflow ? ck : difference, decimals: 2) + " C"
  }
}

/// A pressure in millibars.
public struct Pressure: Hashable, Sendable {
  /// The millibars.
  public let mbar: Int

  /// What a text such as "200bar" or "3000 psi" states, rounded to the nearest millibar.
  ///
  /// - Throws: `JournalError.invalid`
  public init(_ text: String, field: String = "pressure") throws(JournalError) {
    mbar = try Units.number(text, in: "mbar", field)
  }
}

/// A volume in millilitres.
public struct Volume: Hashable, Sendable {
  /// The millilitres.
  public let ml: Int

  /// What a text such as "12l" states, rounded to the nearest millilitre.
  ///
  /// - Throws: `JournalError.invalid`
  public init(_ text: String, field: String = "volume") throws(JournalError) {
    ml = try Units.number(text, in: "ml", field)
  }
}

/// A mass in grams.
public struct Mass: Hashable, Sendable {
  /// The grams.
  public let g: Int

  /// What a text such as "4kg" or "8 lb" states, rounded to the nearest gram.
  ///
  /// - Throws: `JournalError.invalid`
  public init(_ text: String, field: String = "mass") throws(JournalError) {
    g = try Units.number(text, in: "g", field)
  }
}

/// A span of time in whole seconds.
public struct TimeSpan: Hashable, Sendable {
  /// The seconds.
  public let s: Int

  /// What a text such as "52min", "1h5min" or "52 min 30 s" states, rounded to the nearest second.
  ///
  /// - Throws: `JournalError.invalid`
  public init(_ text: String, field: String = "duration") throws(JournalError) {
    var total = 0
    var rest = text[...]
    repeat {
      let end = rest.indices.first { index in
        let next = rest.index(after: index)
        return rest[index].isLetter && (next == rest.endIndex || !rest[next].isLetter)
      }
      let part = end.map { rest[...$0] } ?? rest
      let seconds: Int
      do throws(JournalError) {
        seconds = try Units.number(String(part), in: "s", field)
      } catch {
        throw .invalid(
          field: field, value: text, remedy: "a number with a unit, s, min or h, as 52min or 1h5min"
        )
      }
      let (sum, overflow) = total.addingReportingOverflow(seconds)
      guard !overflow, seconds >= 0 else {
        throw .invalid(field: field, value: text, remedy: "a span of time, not below 0")
      }
      total = sum
      rest = rest[part.endIndex...].drop { $0 == " " }
    } while !rest.isEmpty
    s = total
  }
}
