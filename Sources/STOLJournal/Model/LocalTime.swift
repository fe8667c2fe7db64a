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
    var bytes = Array(text.utf8.prefix(20))
    guard [4, 7, 10, 16, 19].contains(bytes.count) else { return nil }
    let count = bytes.count
    if count > 10, bytes[10] == UInt8(ascii: " ") { bytes[10] = UInt8(ascii: "T") }
    bytes += Array("0001-01-01T00:00:00".utf8)[count...]
    guard bytes.prefix(4) != Array("0000".utf8)[...],
      let first = secondsSince1970(stating: bytes[...])
    else { return nil }
    let length: Int
    switch count {
    case 4, 7:
      let (days, _) = first.flooredDivision(by: day)
      let date = CivilDate(days: days)
      let isYear = count == 4
      let nextMonth = isYear || date.month == 12 ? 1 : date.month + 1
      let nextYear = isYear || date.month == 12 ? date.year + 1 : date.year
      length = (CivilDate(year: nextYear, month: nextMonth, day: 1).days - days) * day
    case 10: length = day
    case 16: length = 60
    default: length = 1
    }
    return LocalTime(
      text: String(decoding: bytes[..<count], as: UTF8.self), first: first,
      last: first + length - 1)
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
