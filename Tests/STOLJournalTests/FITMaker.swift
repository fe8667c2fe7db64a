/// A FIT file while it is made.
struct FITMaker {
  var bytes: [UInt8] = []
  var isBigEndian = false

  /// A field: its number, its base type with the bit for several bytes, and its bytes.
  struct Field {
    let number: UInt8
    let baseType: UInt8
    let bytes: [UInt8]
  }

  private func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
    let low = (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    return isBigEndian ? low.reversed() : low
  }

  func uint8(_ number: UInt8, _ value: Int) -> Field {
    Field(number: number, baseType: 2, bytes: bytes(UInt64(value), 1))
  }
  func enumeration(_ number: UInt8, _ value: Int) -> Field {
    Field(number: number, baseType: 0, bytes: bytes(UInt64(value), 1))
  }
  func sint8(_ number: UInt8, _ value: Int) -> Field {
    Field(number: number, baseType: 1, bytes: [UInt8(bitPattern: Int8(value))])
  }
  func uint16(_ number: UInt8, _ value: Int) -> Field {
    Field(number: number, baseType: 0x84, bytes: bytes(UInt64(value), 2))
  }
  func uint32(_ number: UInt8, _ value: Int) -> Field {
    Field(number: number, baseType: 0x86, bytes: bytes(UInt64(value), 4))
  }
  func sint32(_ number: UInt8, _ value: Int) -> Field {
    Field(
      number: number, baseType: 0x85,
      bytes: bytes(UInt64(UInt32(bitPattern: Int32(value))), 4))
  }
  func float32(_ number: UInt8, _ value: Float) -> Field {
    Field(number: number, baseType: 0x88, bytes: bytes(UInt64(value.bitPattern), 4))
  }
  func text(_ number: UInt8, _ value: String) -> Field {
    Field(number: number, baseType: 7, bytes: Array(value.utf8) + [0])
  }

  /// Adds a message with its definition.
  ///
  /// - Parameters:
  ///   - number: what kind of message it is.
  ///   - fields: what it says.
  ///   - timeOffset: the five bits of a compressed time.
  ///   - developerBytes: bytes of a developer's field, which nobody reads.
  mutating func add(
    _ number: Int, _ fields: [Field], timeOffset: UInt8? = nil, developerBytes: [UInt8] = []
  ) {
    let local: UInt8 = UInt8(number % 4)
    bytes.append(0x40 | local | (developerBytes.isEmpty ? 0 : 0x20))
    bytes += [0, isBigEndian ? 1 : 0] + self.bytes(UInt64(number), 2) + [UInt8(fields.count)]
    for field in fields { bytes += [field.number, UInt8(field.bytes.count), field.baseType] }
    if !developerBytes.isEmpty { bytes += [1, 0, UInt8(developerBytes.count), 0] }
    bytes.append(timeOffset.map { 0x80 | local << 5 | $0 } ?? local)
    bytes += fields.flatMap(\.bytes) + developerBytes
  }

  /// The whole file, with its header and its checksums.
  func file(headByteCount: Int = 14) -> [UInt8] {
    let count = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
    var head: [UInt8] = [UInt8(headByteCount), 0x20, 0x54, 0x08] + count + Array(".FIT".utf8)
    if headByteCount == 14 { head += Self.checksum(head) }
    let whole = head + bytes
    return whole + Self.checksum(whole)
  }

  /// The checksum as the table of the protocol's description has it, half a byte at a time.
  static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    let table: [UInt16] = [
      0x0000, 0xCC01, 0xD801, 0x1400, 0xF001, 0x3C00, 0x2800, 0xE401, 0xA001, 0x6C00, 0x7800,
      0xB401,
      0x5000, 0x9C01, 0x8801, 0x4400,
    ]
    var sum: UInt16 = 0
    for byte in bytes {
      for half in [byte & 0xF, byte >> 4] {
        let entry = table[Int(sum & 0xF)]
        sum = sum >> 4 & 0x0FFF ^ entry ^ table[Int(half)]
      }
    }
    return [UInt8(sum & 0xFF), UInt8(sum >> 8)]
  }

  /// A dive with all that is read of one.
  static func dive(isBigEndian: Bool = false) -> FITMaker {
    var maker = FITMaker(isBigEndian: isBigEndian)
    let start = 1_085_923_326
    maker.add(
      0, [maker.enumeration(0, 4), maker.uint16(1, 1), maker.uint16(2, 4223), maker.uint32(3, 77)])
    maker.add(258, [maker.float32(5, 1025)])
    maker.add(259, [maker.uint8(0, 0), maker.uint8(1, 32), maker.enumeration(2, 1)])
    maker.add(259, [maker.uint8(0, 0), maker.uint8(1, 50), maker.enumeration(2, 0)])
    maker.add(
      20,
      [maker.uint32(253, start), maker.uint32(92, 1546), maker.sint8(13, 27), maker.uint8(3, 99)],
      developerBytes: [1, 2, 3])
    // Three seconds later, by a compressed time, though its five bits have run over.
    maker.add(20, [maker.uint32(92, 9000)], timeOffset: UInt8((start + 3) & 31))
    maker.add(
      20, [maker.uint32(92, 0xFFFF_FFFF), maker.sint8(13, -1)], timeOffset: UInt8((start + 34) & 31)
    )
    maker.add(319, [maker.uint32(253, start + 40), maker.uint32(0, 555), maker.uint16(1, 20_243)])
    maker.add(21, [maker.uint32(253, start + 41), maker.enumeration(0, 57), maker.uint32(3, 0)])
    maker.add(
      20, [maker.uint32(253, start + 60), maker.uint32(92, 200), maker.sint8(13, 26)])
    maker.add(323, [maker.uint32(0, 555), maker.uint16(1, 20_243), maker.uint16(2, 8480)])
    maker.add(
      268,
      [
        maker.uint16(0, 18), maker.uint32(2, 9212), maker.uint32(3, 14_313), maker.uint32(10, 91),
        maker.uint32(11, 3_390_767),
      ])
    maker.add(
      18,
      [
        maker.uint32(2, start), maker.sint32(3, 334_643_022), maker.sint32(4, -990_372_990),
        maker.enumeration(5, 53), maker.enumeration(6, 53), maker.uint32(7, 3_451_948),
      ])
    maker.add(34, [maker.uint32(253, start), maker.uint32(5, start - 14_400)])
    return maker
  }
}
