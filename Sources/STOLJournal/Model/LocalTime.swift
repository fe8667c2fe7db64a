import STOLSystem

/// A date, or a date and a time of day, as somebody lived it: the clock on the wall, and no zone.
///
/// How exact it is shows in its text: "2026", "2026-03", "2026-03-15", "2026-03-15T09:44",
/// "2026-03-15T09:44:30".
public struct LocalTime: Hashable, Sendable {
  /// The text.
  public let text: String
  /// The first second of it, counted from 1970 as if the clock were that of UTC.
  let firstSecond: Int
  /// The last second of it, likewise.
  let lastSecond: Int

  /// The local time that a text states; a space may stand for the T.
  ///
  /// - Throws: `JournalError.invalid` for a text that states none, or no day of the calendar.
  public init(_ text: String, field: String = "time") throws(JournalError) {
    guard let time = Self.read(text) else {
      throw .invalid(field: field, value: text, remedy: Self.form)
    }
    self = time
  }

  private static let form =
    "a date of the calendar as 2026, 2026-03 or 2026-03-15, or with a time as 2026-03-15T09:44 or "
    + "2026-03-15T09:44:30"

  private init(text: String, first: Int, last: Int) {
    self.text = text
    firstSecond = first
    lastSecond = last
  }

  private static let day = 86_400

  private static func read(_ text: String) -> LocalTime? {
    // The year, month, day, hour, minute and second as one number, as far as they are there.
    var (number, count, hasSpace) = (0, 0, false)
    for byte in text.utf8 {
      switch count {
      case 4, 7: guard byte == UInt8(ascii: "-") else { return nil }
      case 10:
        hasSpace = byte == UInt8(ascii: " ")
        guard hasSpace || byte == UInt8(ascii: "T") else { return nil }
      case 13, 16: guard byte == UInt8(ascii: ":") else { return nil }
      case 19: return nil
      default:
        guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        number = number * 10 + Int(byte - UInt8(ascii: "0"))
      }
      count += 1
    }
    // It begins with the first month, the first day and at midnight.
    switch count {
    case 4: number = number * 10_000_000_000 + 101_000_000
    case 7: number = number * 100_000_000 + 1_000_000
    case 10: number *= 1_000_000
    case 16: number *= 100
    case 19: break
    default: return nil
    }
    func pair(_ unit: Int) -> Int { number / unit % 100 }
    let date = CivilDate(
      year: number / 10_000_000_000, month: pair(100_000_000), day: pair(1_000_000))
    let (hour, minute, second, days) = (pair(10_000), pair(100), pair(1), date.days)
    guard date.year > 0, CivilDate(days: days) == date, hour < 24, minute < 60, second < 60
    else { return nil }
    let length: Int
    switch count {
    case 4, 7:
      let isYear = count == 4
      let nextMonth = isYear || date.month == 12 ? 1 : date.month + 1
      let nextYear = isYear || date.month == 12 ? date.year + 1 : date.year
      length = (CivilDate(year: nextYear, month: nextMonth, day: 1).days - days) * day
    case 10: length = day
    case 16: length = 60
    default: length = 1
    }
    let first = days * day + (hour * 60 + minute) * 60 + second
    return LocalTime(
      text: hasSpace ? text.replacing(" ", with: "T") : text, first: first,
      last: first + length - 1)
  }

  /// The days from 1970-01-01 to the first and to the last date that there is: 0001-01-01 and 9999-12-31.
  package static let dayRange = -719_162...2_932_896

  /// Whether any of it may have been within some days.
  func mayBe(within days: ClosedRange<Int>) -> Bool {
    firstDay <= days.upperBound && days.lowerBound <= lastDay
  }

  /// Whether it has a time of day.
  public var hasTimeOfDay: Bool { text.utf8.count > 10 }

  /// The days from 1970-01-01 to its date, or nil where only the year or the month is known.
  public var dayNumber: Int? {
    text.utf8.count < 10 ? nil : firstSecond.flooredDivision(by: Self.day).quotient
  }

  /// The days from 1970-01-01 to the first day of it.
  public var firstDay: Int { firstSecond.flooredDivision(by: Self.day).quotient }

  /// The days from 1970-01-01 to the last day of it.
  public var lastDay: Int { lastSecond.flooredDivision(by: Self.day).quotient }

  /// Its first moment in milliseconds since 1970; without an offset it is taken for one of UTC.
  func firstMs(offsetMin: Int?) -> Int64 { Int64(firstSecond - (offsetMin ?? 0) * 60) * 1000 }

  /// Its last moment, likewise.
  func lastMs(offsetMin: Int?) -> Int64 {
    Int64(lastSecond - (offsetMin ?? 0) * 60) * 1000 + 999
  }
}

extension LocalTime: Codable {
  /// Reads the text.
  ///
  /// - Throws: `DecodingError` for a text that states no time.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let time = Self.read(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text.prefix(40))' is no time: \(Self.form)")
    }
    self = time
  }

  /// Writes the text.
  ///
  /// - Throws: what `encoder` throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
