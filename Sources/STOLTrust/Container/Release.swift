import STOLSystem

/// The id of a dataset: 1 to 64 of the characters a to z, 0 to 9, dot and hyphen.
public struct DatasetID: Hashable, Sendable, CustomStringConvertible {
  /// The greatest number of characters.
  public static let limit = 64
  /// The id as text.
  public let text: String

  /// The id with this text, or nil if it breaks the rule.
  public init?(_ text: String) {
    self.init(bytes: text.utf8)
  }

  init?(bytes: some Collection<UInt8>) {
    let isValid = bytes.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "."), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isValid, (1...Self.limit).contains(bytes.count) else { return nil }
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// The text.
  public var description: String { text }
}

/// A moment in UTC, in whole seconds.
public struct BuildTime: Hashable, Sendable, CustomStringConvertible {
  /// The last second of the year 9999.
  static let greatest: UInt64 = 253_402_300_799
  /// Seconds since the beginning of 1970.
  public let secondsSince1970: UInt64

  /// The moment that many seconds after the beginning of 1970, before the year 10000.
  public init?(secondsSince1970: UInt64) {
    guard secondsSince1970 <= Self.greatest else { return nil }
    self.secondsSince1970 = secondsSince1970
  }

  /// The moment written `2026-01-31T12:00:00Z`, or as SQLite does, `2026-01-31 12:00:00`, or as a
  /// date; from 1970 on.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    let pattern = Array("0000-00-00T00:00:00Z".utf8)
    guard [10, 19, 20].contains(bytes.count) else { return nil }
    for (byte, wanted) in zip(bytes, pattern) {
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      let isSpace = wanted == UInt8(ascii: "T") && byte == UInt8(ascii: " ")
      guard wanted == UInt8(ascii: "0") ? isDigit : byte == wanted || isSpace else { return nil }
    }
    func number(_ start: Int, _ count: Int) -> Int {
      bytes.dropFirst(start).prefix(count).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
    let (year, month, day) = (number(0, 4), number(5, 2), number(8, 2))
    let (hour, minute, second) = (number(11, 2), number(14, 2), number(17, 2))
    let date = CivilDate(year: year, month: month, day: day)
    guard year >= 1970, CivilDate(days: date.days) == date, hour < 24, minute < 60, second < 60
    else { return nil }
    secondsSince1970 = UInt64(((date.days * 24 + hour) * 60 + minute) * 60 + second)
  }

  /// The moment as `2026-01-31T12:00:00Z`.
  public var description: String {
    let second = Int(secondsSince1970 % 86_400)
    let date = CivilDate(days: Int(secondsSince1970 / 86_400))
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(date.year)-\(two(date.month))-\(two(date.day))"
      + "T\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))Z"
  }
}

/// Which release of which dataset a container holds.
public struct Release: Hashable, Sendable {
  /// The dataset.
  public let dataset: DatasetID
  /// Grows from release to release, from 1.
  public let number: UInt32
  /// When the database was built.
  public let buildTime: BuildTime

  /// A release; nil for number 0, which stands for containers that name none.
  public init?(dataset: DatasetID, number: UInt32, buildTime: BuildTime) {
    guard number > 0 else { return nil }
    self.dataset = dataset
    self.number = number
    self.buildTime = buildTime
  }
}
