/// What takes the sections of a pack, in the order of `Section.allCases`.
protocol SectionOutput: ~Copyable {
  associatedtype Failure: Error

  mutating func write(_ section: Section, _ encoded: EncodedSection) throws(Failure)
}

/// One section, ready to be written.
struct EncodedSection {
  var bytes: [UInt8]
  var count: Int
  var width = 0
  var base: Int64 = 0
  var parameter = 0
}

extension EncodedSection {
  /// Plain bytes.
  static func plain(_ bytes: [UInt8]) -> EncodedSection {
    EncodedSection(bytes: bytes, count: bytes.count)
  }

  /// Parents in blocks of sixteen, each with the places of its minima: PACK.md section 5.
  ///
  /// The width is the least that holds them all, unless it is given.
  static func parents(_ values: [UInt32], width: Int? = nil) -> EncodedSection {
    let width = width ?? UInt64(values.max() ?? 0).significantBitCount
    let total = ParentColumn.byteCount(count: values.count, width: width)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(total)
    for start in stride(from: 0, to: max(values.count, 1), by: Layout.blockSize) {
      let block = values[start..<min(start + Layout.blockSize, values.count)]
      var nibbles: UInt64 = 0
      var least = start
      var suffix: [Int] = []
      for row in block.indices {
        if values[row] < values[least] { least = row }
        nibbles |= UInt64(least - start) << UInt64((row - start) * 4)
        while let last = suffix.last, values[last] >= values[row] { suffix.removeLast() }
        suffix.append(row)
      }
      bytes.appendLittleEndian(nibbles)
      bytes.appendLittleEndian(suffix.reduce(UInt16(0)) { $0 | 1 << UInt16($1 - start) })
      let parents = packedBytes(count: Layout.blockSize, width: width) {
        start + $0 < block.endIndex ? UInt64(values[start + $0]) : 0
      }
      bytes.append(contentsOf: parents.prefix(2 * width))
    }
    bytes.append(contentsOf: repeatElement(0, count: total - bytes.count))
    return EncodedSection(bytes: bytes, count: values.count, width: width)
  }

  /// Integers of as many bits as the largest one needs.
  static func packed(_ values: [UInt32]) -> EncodedSection {
    let width = UInt64(values.max() ?? 0).significantBitCount
    return packed(count: values.count, width: width) { UInt64(values[$0]) }
  }

  /// Integers of `width` bits, or of 64 where that is more than a packed section can hold.
  static func packed(
    count: Int, width: Int, base: Int64 = 0, _ value: (Int) -> UInt64
  ) -> EncodedSection {
    let width = width > Layout.maximumPackedWidth ? 64 : width
    return EncodedSection(
      bytes: packedBytes(count: count, width: width, value), count: count, width: width, base: base)
  }

  /// 64-bit integers, stored as their difference from the least one.
  static func based(_ values: [Int64]) -> EncodedSection {
    let base = values.min() ?? 0
    let span = UInt64(bitPattern: (values.max() ?? 0) &- base)
    return packed(count: values.count, width: span.significantBitCount, base: base) {
      UInt64(bitPattern: values[$0] &- base)
    }
  }

  /// What stands for no year.
  static let noYear = Int64.min

  /// Years, 0 for none: the year less the base, plus one.
  static func years(_ years: [Int64]) -> EncodedSection {
    let stated = years.lazy.filter { $0 != noYear }
    let base = stated.min() ?? 0
    let span = stated.max().map { UInt64(bitPattern: $0 &- base) &+ 1 } ?? 0
    return .packed(count: years.count, width: span.significantBitCount, base: base) {
      years[$0] == noYear ? 0 : UInt64(bitPattern: years[$0] &- base) &+ 1
    }
  }

  /// A non-decreasing sequence in Elias-Fano code.
  ///
  /// The width is the one that makes it smallest, unless it is given.
  static func monotone(_ values: [Int], width: Int? = nil) -> EncodedSection {
    let bound = values.last ?? 0
    let width = width ?? MonotoneShape.bestWidth(count: values.count, bound: bound)
    let shape = MonotoneShape(count: values.count, width: width, bound: bound)
    let mask = (1 << width) - 1
    var bytes = packedBytes(count: values.count, width: width) { UInt64(values[$0] & mask) }
    var high = [UInt8](repeating: 0, count: shape.highByteCount)
    var samples: [UInt8] = []
    for (row, value) in values.enumerated() {
      let position = value >> width + row
      if row % MonotoneShape.sampleInterval == 0 { samples.appendLittleEndian(UInt32(position)) }
      high[position / 8] |= 1 << UInt8(position % 8)
    }
    samples.append(contentsOf: repeatElement(0, count: shape.sampleByteCount - samples.count))
    bytes += high
    bytes += samples
    return EncodedSection(bytes: bytes, count: values.count, width: width, parameter: bound)
  }

  /// A table of strings.
  static func strings(_ strings: [String]) -> EncodedSection {
    var bytes: [UInt8] = []
    var end = 0
    bytes.appendLittleEndian(UInt32(0))
    for text in strings {
      end += text.utf8.count
      bytes.appendLittleEndian(UInt32(end))
    }
    for text in strings { bytes.append(contentsOf: text.utf8) }
    return EncodedSection(bytes: bytes, count: strings.count)
  }

  private static func packedBytes(
    count: Int, width: Int, _ value: (Int) -> UInt64
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Layout.packedByteCount(count: count, width: width))
    var word: UInt64 = 0
    var filled = 0
    for row in 0..<(width == 0 ? 0 : count) {
      let bits = value(row)
      word |= bits << UInt64(filled)
      filled += width
      if filled >= 64 {
        bytes.appendLittleEndian(word)
        filled -= 64
        word = filled == 0 ? 0 : bits >> UInt64(width - filled)
      }
    }
    if filled > 0 { bytes.appendLittleEndian(word) }
    let total = Layout.packedByteCount(count: count, width: width)
    bytes.append(contentsOf: repeatElement(0, count: total - bytes.count))
    return bytes
  }
}

extension UInt64 {
  /// The number of bits without the leading zeros.
  var significantBitCount: Int { bitWidth - leadingZeroBitCount }
}
