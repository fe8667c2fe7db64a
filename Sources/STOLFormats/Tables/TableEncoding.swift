/// Gives the bytes of a stream as UTF-8, without a byte order mark.
///
/// What has no meaning in the stated encoding becomes the byte `invalid`, which is valid nowhere in
/// UTF-8, so that whoever checks the result finds it where it is.
struct TextDecoder {
  static let invalid: UInt8 = 0xFF

  private let stream: SourceStream
  private var encoding: TableLayout.Encoding
  private var isAtStart = true
  /// Bytes that make no whole character yet; at the start, no whole mark.
  private var rest: [UInt8] = []
  private var highSurrogate: UInt32?

  init(_ stream: SourceStream, _ encoding: TableLayout.Encoding) {
    self.stream = stream
    self.encoding = encoding
  }

  /// The next bytes; none at the end.
  mutating func next() throws(FormatError) -> [UInt8] {
    if isAtStart {
      isAtStart = false
      rest = try stream.head(3)
      takeMark()
      if !rest.isEmpty {
        let bytes = decoded(rest)
        if !bytes.isEmpty { return bytes }
      }
    }
    while true {
      let bytes = try stream.next()
      if bytes.isEmpty { return end() }
      if encoding == .utf8 { return bytes }
      let text = decoded(rest + bytes)
      if !text.isEmpty { return text }
    }
  }

  private mutating func takeMark() {
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) {
      encoding = .utf8
      rest.removeFirst(3)
    } else if rest.starts(with: [0xFF, 0xFE]) {
      encoding = .utf16LittleEndian
      rest.removeFirst(2)
    } else if rest.starts(with: [0xFE, 0xFF]) {
      encoding = .utf16BigEndian
      rest.removeFirst(2)
    }
  }

  /// What is left when nothing more comes.
  private mutating func end() -> [UInt8] {
    let isBroken = !rest.isEmpty || highSurrogate != nil
    rest = []
    highSurrogate = nil
    return isBroken ? [Self.invalid] : []
  }

  /// Decodes bytes that include `rest`, and keeps what is left of them there.
  private mutating func decoded(_ bytes: [UInt8]) -> [UInt8] {
    rest = []
    switch encoding {
    case .utf8: return bytes
    case .latin1, .windows1252: return decodedSingle(bytes)
    case .utf16LittleEndian, .utf16BigEndian: return decodedUTF16(bytes)
    }
  }

  private func decodedSingle(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      if byte < 0x80 {
        text.append(byte)
      } else if byte < 0xA0, encoding == .windows1252 {
        let scalar = Self.windows1252[Int(byte) - 0x80]
        if scalar == 0 { text.append(Self.invalid) } else { Self.append(UInt32(scalar), to: &text) }
      } else {
        Self.append(UInt32(byte), to: &text)
      }
    }
    return text
  }

  private mutating func decodedUTF16(_ bytes: [UInt8]) -> [UInt8] {
    let isLittle = encoding == .utf16LittleEndian
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    for offset in stride(from: 0, to: bytes.count - 1, by: 2) {
      let (first, second) = (UInt32(bytes[offset]), UInt32(bytes[offset + 1]))
      let unit = isLittle ? second << 8 | first : first << 8 | second
      if let high = highSurrogate {
        highSurrogate = nil
        if 0xDC00...0xDFFF ~= unit {
          Self.append(0x10000 + (high - 0xD800) << 10 + (unit - 0xDC00), to: &text)
          continue
        }
        text.append(Self.invalid)
      }
      switch unit {
      case 0xD800...0xDBFF: highSurrogate = unit
      case 0xDC00...0xDFFF: text.append(Self.invalid)
      default: Self.append(unit, to: &text)
      }
    }
    if bytes.count % 2 == 1 { rest = [bytes[bytes.count - 1]] }
    return text
  }

  /// Bytes that are not UTF-8 as Windows-1252, in UTF-8; nil for valid ones, and for those that hold
  /// letters of UTF-8 too, which are damaged.
  static func windows1252(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
    let repaired = String(decoding: bytes, as: UTF8.self).unicodeScalars
    guard repaired.allSatisfy({ $0.isASCII || $0 == "\u{FFFD}" }) else { return nil }
    var text: [UInt8] = []
    for byte in bytes {
      let value = 0x80..<0xA0 ~= byte ? UInt32(windows1252[Int(byte) - 0x80]) : UInt32(byte)
      if value == 0, byte != 0 { return nil }
      append(value, to: &text)
    }
    return text
  }

  private static func append(_ value: UInt32, to text: inout [UInt8]) {
    if let scalar = Unicode.Scalar(value) { text += scalar.utf8 }
  }

  /// The character that a byte of Windows-1252 stands for; nil where that is none.
  static func windows1252(_ byte: UInt8) -> UInt16? {
    guard 0x80..<0xA0 ~= byte else { return UInt16(byte) }
    let value = windows1252[Int(byte) - 0x80]
    return value == 0 ? nil : value
  }

  /// What 0x80 to 0x9F stand for, and zero for the five that stand for nothing.
  private static let windows1252: [UInt16] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
    0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]
}
