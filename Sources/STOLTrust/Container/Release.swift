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
    let rest = bytes.dropFirst(19)
    guard rest.isEmpty || rest.elementsEqual("Z".utf8),
      let seconds = STOLSystem.secondsSince1970(stating: bytes.prefix(19)), seconds >= 0
    else { return nil }
    secondsSince1970 = UInt64(seconds)
  }

  /// The moment as `2026-01-31T12:00:00Z`.
  public var description: String {
    timeText(secondsSince1970: Int(secondsSince1970)) + "Z"
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
