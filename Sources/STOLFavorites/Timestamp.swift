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
    guard (19...40).contains(bytes.count),
      let seconds = secondsSince1970(stating: bytes.prefix(19))
    else { return nil }
    var rest = bytes[19...]
    if rest.last == UInt8(ascii: "Z") { rest.removeLast() }
    var fraction: Int64 = 0
    if !rest.isEmpty {
      let digits = rest.dropFirst()
      guard rest.first == UInt8(ascii: "."), !digits.isEmpty,
        digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
      else { return nil }
      for place in 0..<3 {
        let digit = place < digits.count ? digits[digits.startIndex + place] : UInt8(ascii: "0")
        fraction = fraction * 10 + Int64(digit - UInt8(ascii: "0"))
      }
    }
    milliseconds = Int64(seconds) * 1000 + fraction
  }

  /// The moment as `YYYY-MM-DDTHH:MM:SS.SSSZ`.
  var text: String {
    let (seconds, rest) = milliseconds.flooredDivision(by: 1000)
    return "\(timeText(secondsSince1970: Int(seconds))).\(rest.digits(3))Z"
  }
}
