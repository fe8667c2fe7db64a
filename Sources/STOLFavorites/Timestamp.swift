import Foundation
import STOLSystem

/// A moment as `created_at` states it: UTC, to the millisecond.
struct Timestamp: Comparable {
  /// The milliseconds since 1970.
  let milliseconds: Int64

  /// The first and the last moment with a year of four digits; texts of others have another order.
  private static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

  /// The moment that lies so many milliseconds after 1970, or the nearest one that has a text.
  init(milliseconds: Int64) {
    self.milliseconds = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound)
  }

  /// The moment now.
  static var now: Timestamp {
    Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
  }

  /// The moment as a date.
  var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

  /// The next moment, or this one if it is the last.
  var next: Timestamp { Timestamp(milliseconds: milliseconds + 1) }

  /// Orders by time.
  static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

  /// Reads `YYYY-MM-DDTHH:MM:SS.SSSZ`; a space for the T, another number of decimals and a missing Z
  /// are taken too.
  init?(text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 19, bytes.count <= 40, bytes[4] == UInt8(ascii: "-"),
      bytes[7] == UInt8(ascii: "-"), [UInt8(ascii: "T"), UInt8(ascii: " ")].contains(bytes[10]),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
      let day = Self.number(bytes[8..<10]), let hour = Self.number(bytes[11..<13]),
      let minute = Self.number(bytes[14..<16]), let second = Self.number(bytes[17..<19]),
      hour < 24, minute < 60, second < 60
    else { return nil }
    var rest = bytes[19...]
    if rest.last == UInt8(ascii: "Z") { rest.removeLast() }
    var fraction: Int64 = 0
    if !rest.isEmpty {
      let digits = rest.dropFirst()
      guard rest.first == UInt8(ascii: "."), !digits.isEmpty, Self.number(digits) != nil else {
        return nil
      }
      for place in 0..<3 {
        let digit = place < digits.count ? digits[digits.startIndex + place] : UInt8(ascii: "0")
        fraction = fraction * 10 + Int64(digit - UInt8(ascii: "0"))
      }
    }
    let date = CivilDate(year: Int(year), month: Int(month), day: Int(day))
    guard CivilDate(days: date.days) == date else { return nil }
    milliseconds =
      ((Int64(date.days) * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + fraction
  }

  /// The moment as `YYYY-MM-DDTHH:MM:SS.SSSZ`.
  var text: String {
    let (day, time) = milliseconds.flooredDivision(by: 86_400_000)
    let date = CivilDate(days: Int(day))
    var text = ""
    func append(_ value: some SignedInteger, _ width: Int, _ end: String) {
      let digits = String(value)
      text += String(repeating: "0", count: max(0, width - digits.count)) + digits + end
    }
    append(date.year, 4, "-")
    append(date.month, 2, "-")
    append(date.day, 2, "T")
    append(time / 3_600_000, 2, ":")
    append(time / 60_000 % 60, 2, ":")
    append(time / 1000 % 60, 2, ".")
    append(time % 1000, 3, "Z")
    return text
  }

  /// The number that decimal digits stand for; what exceeds 18 of them is left out.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    var value: Int64 = 0
    for (place, byte) in digits.enumerated() {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      if place < 18 { value = value * 10 + Int64(byte - UInt8(ascii: "0")) }
    }
    return value
  }
}
