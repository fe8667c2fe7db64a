import STOLSystem

/// The identity of a record: a UUID that whoever first has the record makes, and that nobody changes.
public struct JournalID: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// A new one of version 7 (RFC 9562): the later it is made, the greater, by the millisecond.
  public init() {
    var generator = SystemRandomNumberGenerator()
    self.init(milliseconds: currentMilliseconds(), using: &generator)
  }

  /// One of version 7 that was made at a moment, with random bits of `generator`.
  package init(milliseconds: Int64, using generator: inout some RandomNumberGenerator) {
    let time = UInt64(max(0, milliseconds)) << 16
    high = time | 0x7000 | UInt64.random(in: 0...0xFFF, using: &generator)
    low = 1 << 63 | UInt64.random(in: 0..<1 << 62, using: &generator)
  }

  /// The UUID that a text is: 32 hexadecimal digits, with hyphens as usual or without any; nil for another text.
  ///
  /// - Complexity: O(1)
  public init?(_ text: String) {
    let count = text.utf8.prefix(37).count
    let isPlain = count == 32
    guard isPlain || count == 36 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for (index, byte) in text.utf8.enumerated() {
      switch index {
      case 8 where !isPlain, 13 where !isPlain, 18 where !isPlain, 23 where !isPlain:
        guard byte == UInt8(ascii: "-") else { return nil }
      default:
        guard let digit = Self.value(ofDigit: byte) else { return nil }
        // 16 digits fill a half, and push the first ones out into the other.
        high = high << 4 | low >> 60
        low = low << 4 | digit
      }
    }
    (self.high, self.low) = (high, low)
  }

  /// The UUID that 16 bytes are; nil for another number of bytes.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for byte in bytes {
      // 8 bytes fill a half, and push the first ones out into the other.
      high = high << 8 | low >> 56
      low = low << 8 | UInt64(byte)
    }
    (self.high, self.low) = (high, low)
  }

  /// The UUID of what belongs to a record, always the same: of version 8, by two FNV-1a hashes of 64 bits
  /// (Fowler, Noll and Vo) of the record's bytes and a label.
  package func derived(_ label: String) -> JournalID { JournalID(hashing: bytes + label.utf8) }

  /// The UUID of version 8 that some bytes give, always the same.
  package init(hashing bytes: some Collection<UInt8>) {
    func hash(_ start: UInt64) -> UInt64 {
      bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
    let (a, b) = (hash(0xCBF2_9CE4_8422_2325), hash(0x6C62_272E_07BB_0142))
    self.init(high: a & ~0xF000 | 0x8000, low: b & ~(3 << 62) | 1 << 63)
  }

  /// The UUID of version 8 with the bits of a digest.
  init(digest: [UInt8]) {
    func half(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(
      high: half(digest.prefix(8)) & ~0xF000 | 0x8000,
      low: half(digest.dropFirst(8).prefix(8)) & ~(3 << 62) | 1 << 63)
  }

  private init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// Whether it was made of what it stands for, and not of when.
  var isOfVersion8: Bool { high >> 12 & 0xF == 8 }

  /// Its 16 bytes.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16)
    for half in [high, low] {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: half >> shift))
      }
    }
    return bytes
  }

  private static func value(ofDigit byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }
}

extension JournalID: Comparable, CustomStringConvertible {
  /// Orders by the bytes, those of version 7 by when they were made.
  public static func < (a: JournalID, b: JournalID) -> Bool {
    (a.high, a.low) < (b.high, b.low)
  }

  /// The usual form: lower-case digits in groups of 8, 4, 4, 4 and 12.
  public var description: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(36)
    add(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Adds the usual form.
  func add(to bytes: inout [UInt8]) {
    for place in 0..<32 {
      if place == 8 || place == 12 || place == 16 || place == 20 {
        bytes.append(UInt8(ascii: "-"))
      }
      let half = place < 16 ? high : low
      let digit = UInt8(truncatingIfNeeded: half >> (60 - UInt64(place & 15) * 4)) & 0xF
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}

extension JournalID: Codable {
  /// Reads the usual form.
  ///
  /// - Throws: `DecodingError` for a text that is no UUID.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = JournalID(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is no UUID: 32 hexadecimal digits")
    }
    self = id
  }

  /// Writes the usual form.
  ///
  /// - Throws: what `encoder` throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
