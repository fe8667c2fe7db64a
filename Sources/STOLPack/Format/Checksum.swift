/// CRC-32 as in zlib, PNG and ISO 3309, eight bytes a step.
///
/// Kounavis and Berry 2005, "A systematic approach to building high performance, software-based,
/// CRC generators" (slicing-by-8). It finds damage; it is no protection against forgery.
public struct Checksum: Sendable {
  private static let tables: [UInt32] = makeTables()
  private var state: UInt32 = .max

  /// A checksum of nothing yet.
  public init() {}

  /// The checksum of all bytes so far.
  public var value: UInt32 { ~state }

  /// The checksum of `bytes`.
  static func of(_ bytes: RawSpan) -> UInt32 {
    var checksum = Checksum()
    checksum.update(bytes)
    return checksum.value
  }

  /// The checksum of `bytes`.
  package static func of(_ bytes: [UInt8]) -> UInt32 { of(bytes.rawSpan) }

  /// Adds `bytes`.
  ///
  /// - Complexity: O(n), about a byte in a nanosecond.
  public mutating func update(_ bytes: RawSpan) {
    let tables = Self.tables.span
    var crc = state
    var offset = 0
    while offset &+ 8 <= bytes.byteCount {
      let word = bytes.uint64(at: offset) ^ UInt64(crc)
      crc = tables[0x700 &+ Int(word & 0xFF)] ^ tables[0x600 &+ Int(word &>> 8 & 0xFF)]
      crc ^= tables[0x500 &+ Int(word &>> 16 & 0xFF)] ^ tables[0x400 &+ Int(word &>> 24 & 0xFF)]
      crc ^= tables[0x300 &+ Int(word &>> 32 & 0xFF)] ^ tables[0x200 &+ Int(word &>> 40 & 0xFF)]
      crc ^= tables[0x100 &+ Int(word &>> 48 & 0xFF)] ^ tables[Int(word &>> 56)]
      offset &+= 8
    }
    while offset < bytes.byteCount {
      crc = tables[Int((crc ^ UInt32(bytes.uint8(at: offset))) & 0xFF)] ^ (crc &>> 8)
      offset &+= 1
    }
    state = crc
  }

  /// Adds `bytes`.
  ///
  /// - Complexity: O(n)
  package mutating func update(_ bytes: [UInt8]) { update(bytes.rawSpan) }

  private static func makeTables() -> [UInt32] {
    let polynomial: UInt32 = 0xEDB8_8320
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var crc = UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ polynomial : crc >> 1 }
      tables[byte] = crc
    }
    for index in 256..<tables.count {
      let crc = tables[index - 256]
      tables[index] = tables[Int(crc & 0xFF)] ^ crc >> 8
    }
    return tables
  }
}
