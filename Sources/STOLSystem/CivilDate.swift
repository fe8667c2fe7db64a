/// A date of the Gregorian calendar: Hinnant, "chrono-Compatible Low-Level Date Algorithms".
package struct CivilDate: Equatable, Sendable {
  package let year, month, day: Int

  /// A date, which need not be one: `days` of it is then that of another.
  package init(year: Int, month: Int, day: Int) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The date that lies `days` after 1970-01-01.
  package init(days: Int) {
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
  }

  /// The days from 1970-01-01 to it.
  package var days: Int {
    let shifted = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = shifted.flooredDivision(by: 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

/// The seconds from 1970 to the moment that `text` states, in UTC: `2026-01-31T12:00:00`, a space for the
/// T, or a date alone.
package func secondsSince1970(stating text: ArraySlice<UInt8>) -> Int? {
  guard text.count == 10 || text.count == 19 else { return nil }
  for (byte, wanted) in zip(text, "0000-00-00T00:00:00".utf8) {
    let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    let isSpace = wanted == UInt8(ascii: "T") && byte == UInt8(ascii: " ")
    guard wanted == UInt8(ascii: "0") ? isDigit : byte == wanted || isSpace else { return nil }
  }
  func number(_ start: Int, _ count: Int) -> Int {
    text.dropFirst(start).prefix(count).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
  let date = CivilDate(year: number(0, 4), month: number(5, 2), day: number(8, 2))
  let (hour, minute, second) = (number(11, 2), number(14, 2), number(17, 2))
  guard CivilDate(days: date.days) == date, hour < 24, minute < 60, second < 60 else { return nil }
  return ((date.days * 24 + hour) * 60 + minute) * 60 + second
}

/// The moment so many seconds after 1970, in UTC: `2026-01-31T12:00:00`.
package func timeText(secondsSince1970 seconds: Int) -> String {
  let (days, time) = seconds.flooredDivision(by: 86_400)
  let date = CivilDate(days: days)
  return "\(date.year.digits(4))-\(date.month.digits(2))-\(date.day.digits(2))"
    + "T\((time / 3600).digits(2)):\((time / 60 % 60).digits(2)):\((time % 60).digits(2))"
}

extension BinaryInteger {
  /// Its digits, with zeros in front up to `width`.
  package func digits(_ width: Int, radix: Int = 10) -> String {
    let digits = String(self, radix: radix)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension SignedInteger {
  /// The quotient rounded down, and the remainder, which is not negative.
  package func flooredDivision(by divisor: Self) -> (quotient: Self, remainder: Self) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
