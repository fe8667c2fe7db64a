/// Reads the messages of a FIT file (Flexible and Interoperable Data Transfer, protocol 1 and 2), one after another.
///
/// What is damaged is named in `faults`, and what is whole before it is given all the same. Fields of developers are
/// passed over. Several files may stand one behind the other in one; each has messages of its own.
package struct FITDecoder {
  /// What is wrong with a file.
  package struct Fault: Equatable, Sendable {
    /// The byte where it is, from 0.
    package let offset: Int
    /// What it is.
    package let reason: String
  }

  /// What is wrong so far.
  package private(set) var faults: [Fault] = []

  private let bytes: [UInt8]
  private var position = 0
  /// Where the messages of the file that is read end; those of it that are there.
  private var end = 0
  /// Where the file begins that the last message is of.
  package private(set) var start = 0
  /// Whether the file that is read has its checksum behind its messages.
  private var isWhole = false
  /// The definitions by their local numbers.
  private var definitions = [Definition?](repeating: nil, count: 16)
  /// The time that was said last, which compressed ones are counted from.
  private var lastTime: UInt32 = 0

  /// What the messages of a local number look like.
  struct Definition {
    struct Field {
      let number: UInt8
      let baseType: UInt8
      /// Where it begins in a message.
      let offset: Int
      let byteCount: Int
    }

    let message: Int
    let isBigEndian: Bool
    let fields: [Field]
    let byteCount: Int
  }

  /// Whether bytes begin as a FIT file does.
  package static func isFIT(_ head: some Collection<UInt8>) -> Bool {
    head.dropFirst(8).starts(with: Array(".FIT".utf8))
  }

  /// Reads bytes that are there.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    begin()
  }

  /// Goes to the messages of the file that begins here.
  private mutating func begin() {
    start = position
    definitions = [Definition?](repeating: nil, count: 16)
    let rest = bytes[position...]
    guard rest.count >= 12, Self.isFIT(rest), let headByteCount = rest.first.map({ Int($0) }),
      headByteCount >= 12, rest.count >= headByteCount
    else {
      fail(
        position == 0 ? "it does not begin as a FIT file" : "something follows that is no FIT file")
      position = bytes.count
      end = bytes.count
      return
    }
    let dataByteCount = number(4, at: start + 4, isBigEndian: false)
    if headByteCount >= 14 {
      let stated = number(2, at: start + 12, isBigEndian: false)
      // Nothing stated is 0.
      if stated != 0, stated != UInt64(Self.checksum(bytes[start..<(start + 12)])) {
        fail("the checksum of the header is another one")
      }
    }
    position += headByteCount
    let available = bytes.count - position
    if dataByteCount + 2 <= UInt64(available) {
      end = position + Int(dataByteCount)
      isWhole = true
      let stated = number(2, at: end, isBigEndian: false)
      if stated != UInt64(Self.checksum(bytes[start..<end])) {
        faults.append(Fault(offset: end, reason: "the checksum of the file is another one"))
      }
    } else {
      end = min(bytes.count, position + Int(min(dataByteCount, UInt64(available))))
      isWhole = false
      faults.append(
        Fault(
          offset: bytes.count,
          reason: "it ends too early: \(dataByteCount + 2) bytes are to follow the header, and "
            + "\(available) do"))
    }
  }

  private mutating func fail(_ reason: String) {
    faults.append(Fault(offset: position, reason: reason))
  }

  /// The next message; nil at the end of the file, or where it goes no further.
  package mutating func next() -> FITMessage? {
    while true {
      while position < end {
        let header = bytes[position]
        if header & 0x80 != 0 {
          return message(Int(header >> 5 & 3), timeOffset: UInt32(header & 31))
        }
        if header & 0x40 != 0 {
          guard define(Int(header & 15), hasDeveloperFields: header & 0x20 != 0) else { return nil }
          continue
        }
        return message(Int(header & 15), timeOffset: nil)
      }
      guard isWhole else { return nil }
      position = end + 2
      guard position < bytes.count else { return nil }
      isWhole = false
      begin()
    }
  }

  /// Ends it where it goes no further.
  private mutating func stop(_ reason: String) {
    // That a file is cut was said already.
    if isWhole { fail(reason) }
    (position, end, isWhole) = (bytes.count, bytes.count, false)
  }

  private mutating func define(_ local: Int, hasDeveloperFields: Bool) -> Bool {
    var at = position + 1
    func has(_ count: Int) -> Bool { at + count <= end }
    guard has(5) else {
      stop("a definition is cut")
      return false
    }
    let isBigEndian = bytes[at + 1] != 0
    let message = Int(number(2, at: at + 2, isBigEndian: isBigEndian))
    let count = Int(bytes[at + 4])
    at += 5
    guard has(3 * count) else {
      stop("a definition is cut")
      return false
    }
    var (fields, offset): ([Definition.Field], Int) = ([], 0)
    for _ in 0..<count {
      let byteCount = Int(bytes[at + 1])
      fields.append(
        Definition.Field(
          number: bytes[at], baseType: bytes[at + 2] & 0x1F, offset: offset, byteCount: byteCount))
      offset += byteCount
      at += 3
    }
    if hasDeveloperFields {
      guard has(1), at + 1 + 3 * Int(bytes[at]) <= end else {
        stop("a definition is cut")
        return false
      }
      let developerCount = Int(bytes[at])
      at += 1
      for _ in 0..<developerCount {
        offset += Int(bytes[at + 1])
        at += 3
      }
    }
    definitions[local] = Definition(
      message: message, isBigEndian: isBigEndian, fields: fields, byteCount: offset)
    position = at
    return true
  }

  private mutating func message(_ local: Int, timeOffset: UInt32?) -> FITMessage? {
    guard let definition = definitions[local] else {
      stop("a message comes before its definition")
      return nil
    }
    let first = position + 1
    guard first + definition.byteCount <= end else {
      stop("a message is cut")
      return nil
    }
    position = first + definition.byteCount
    var message = FITMessage(definition, bytes[first..<position])
    if let timeOffset {
      // Five bits of the time; where they are less than those before, they have run over.
      lastTime = lastTime &+ ((timeOffset &- (lastTime & 31)) & 31)
      message.time = lastTime
    } else if let time = message.integer(FITMessage.timeField).flatMap({ UInt32(exactly: $0) }) {
      lastTime = time
      message.time = time
    }
    return message
  }

  private func number(_ count: Int, at offset: Int, isBigEndian: Bool) -> UInt64 {
    FITMessage.number(bytes[offset..<(offset + count)], isBigEndian: isBigEndian)
  }

  /// The checksum of some bytes: CRC-16 with the polynomial 0x8005, the lowest bits first.
  package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt16 {
    var sum: UInt16 = 0
    for byte in bytes {
      sum ^= UInt16(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xA001 }
    }
    return sum
  }
}

/// A message of a FIT file.
package struct FITMessage {
  /// When it was, in seconds since 1989-12-31T00:00:00Z.
  package fileprivate(set) var time: UInt32?
  private let definition: FITDecoder.Definition
  private let bytes: ArraySlice<UInt8>

  static let timeField: UInt8 = 253

  fileprivate init(_ definition: FITDecoder.Definition, _ bytes: ArraySlice<UInt8>) {
    (self.definition, self.bytes) = (definition, bytes)
  }

  /// What kind of message it is.
  package var number: Int { definition.message }

  private func field(_ number: UInt8) -> (baseType: UInt8, bytes: ArraySlice<UInt8>)? {
    guard let field = definition.fields.first(where: { $0.number == number }) else { return nil }
    let first = bytes.startIndex + field.offset
    return (field.baseType, bytes[first..<(first + field.byteCount)])
  }

  /// Whether a field is there and says something.
  package func has(_ number: UInt8) -> Bool {
    integer(number) != nil || decimal(number) != nil || text(number) != nil
  }

  /// How many bytes a number of a base type has, whether it has a sign, and the bits that say nothing.
  private static func form(_ baseType: UInt8) -> (byteCount: Int, isSigned: Bool, none: UInt64)? {
    switch baseType {
    case 0, 2, 13: (1, false, 0xFF)
    case 1: (1, true, 0x7F)
    case 3: (2, true, 0x7FFF)
    case 4: (2, false, 0xFFFF)
    case 5: (4, true, 0x7FFF_FFFF)
    case 6: (4, false, 0xFFFF_FFFF)
    case 10: (1, false, 0)
    case 11: (2, false, 0)
    case 12: (4, false, 0)
    case 14: (8, true, 0x7FFF_FFFF_FFFF_FFFF)
    case 15: (8, false, .max)
    case 16: (8, false, 0)
    default: nil
    }
  }

  /// The whole number of a field, of several the first; nil where it says nothing, is of another type, or has more
  /// than 40 bits, which no field of the profile needs.
  package func integer(_ number: UInt8) -> Int? {
    guard let (baseType, bytes) = field(number), let form = Self.form(baseType),
      bytes.count >= form.byteCount
    else { return nil }
    let value = Self.number(bytes.prefix(form.byteCount), isBigEndian: definition.isBigEndian)
    guard value != form.none else { return nil }
    let shift = UInt64(64 - 8 * form.byteCount)
    let signed =
      form.isSigned
      ? Int(Int64(bitPattern: value << shift) >> Int64(shift)) : Int(exactly: value) ?? .max
    return signed.magnitude < 1 << 40 ? signed : nil
  }

  /// The number of a field with a floating point; nil where it says nothing, or is of another type.
  package func decimal(_ number: UInt8) -> Double? {
    guard let (baseType, bytes) = field(number) else { return nil }
    let value: Double
    switch (baseType, bytes.count) {
    case (8, 4...):
      let bits = Self.number(bytes.prefix(4), isBigEndian: definition.isBigEndian)
      value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case (9, 8...):
      value = Double(
        bitPattern: Self.number(bytes.prefix(8), isBigEndian: definition.isBigEndian))
    default: return nil
    }
    return value.isFinite ? value : nil
  }

  /// The text of a field up to its end; nil where it is empty, or the field of another type.
  package func text(_ number: UInt8) -> String? {
    guard let (baseType, bytes) = field(number), baseType == 7 else { return nil }
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }

  static func number(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> UInt64 {
    isBigEndian
      ? bytes.reduce(0) { $0 << 8 | UInt64($1) }
      : bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
