@testable import STOLPack
import TestSupport
import Testing

/// Columns and indexes against plain arrays.
struct ColumnTests {
  /// The widths that a packed section may have: PACK.md section 4.
  private static let widths = Array(0...56) + [64]

  @Test func packedColumnsOfEveryWidthReadBackWhatWasWritten() {
    var generator = SeededGenerator(seed: 1)
    var mismatches = Mismatches()
    for width in Self.widths {
      let greatest = width == 64 ? UInt64.max : (1 << UInt64(width)) - 1
      for count in [0, 1, 2, 7, 8, 9, 63, 64, 65, 200] {
        var values = (0..<count).map { _ in UInt64.random(in: 0...greatest, using: &generator) }
        if count > 2 {
          values[0] = greatest
          values[1] = 0
          values[count - 1] = greatest
        }
        let base = Int64.random(in: .min ... .max, using: &generator)
        let encoded = EncodedSection.packed(count: count, width: width, base: base) { values[$0] }
        mismatches.compare(
          encoded.bytes.count, (count * width + 63) / 64 * 8 + 8, "bytes of width \(width)")
        let column = PackedColumn(encoded.bytes.rawSpan, count: count, width: width, base: base)
        for (row, value) in values.enumerated() {
          mismatches.compare(column.raw(row), value, "width \(width), row \(row) of \(count)")
          mismatches.compare(
            column.signed(row), base &+ Int64(bitPattern: value), "width \(width), row \(row)")
        }
        // The bits one after the other, as PACK.md numbers them.
        let bits = (0..<count * width).map { encoded.bytes[$0 / 8] >> UInt8($0 % 8) & 1 }
        for row in 0..<count {
          let value = (0..<width).reduce(UInt64(0)) {
            $0 | UInt64(bits[row * width + $1]) << UInt64($1)
          }
          mismatches.compare(value, values[row], "bits of width \(width), row \(row)")
        }
      }
    }
    let first = mismatches.first
    #expect(first == nil)
  }

  @Test func packedRowsOutsideTheColumnReadAsZero() {
    var mismatches = Mismatches()
    for width in Self.widths {
      let encoded = EncodedSection.packed(count: 5, width: width, base: 7) { _ in
        width == 64 ? .max : (1 << UInt64(width)) - 1
      }
      let column = PackedColumn(encoded.bytes.rawSpan, count: 5, width: width, base: 7)
      for row in [-1, 5, 6, 1000, Int.max, Int.min, Int.max / 8] {
        mismatches.compare(column.raw(row), 0, "width \(width), row \(row)")
        mismatches.compare(column.signed(row), 7, "width \(width), row \(row)")
      }
      // Fewer bytes than the count asks for: no values at all.
      let short = PackedColumn(
        encoded.bytes.rawSpan, count: width == 0 ? 5 : 70, width: width, base: 7)
      mismatches.compare(short.count, width == 0 ? 5 : 0, "rows of a short section")
      mismatches.compare(short.raw(0), 0, "row of a short section")
    }
    let first = mismatches.first
    #expect(first == nil)
  }

  @Test(arguments: TestSeeds.first(20))
  func monotoneColumnsReadBackWhatWasWritten(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    var sequences: [[Int]] = [
      [], [0], [1], [Int(UInt32.max)], [Int](repeating: 0, count: 200),
      [Int](repeating: 77, count: 200), Array(0..<300), [0, Int(UInt32.max)],
      [Int](repeating: 0, count: 100) + [Int](repeating: 1 << 31, count: 100),
      [Int](repeating: 3, count: 64) + [1 << 20] + [Int](repeating: (1 << 20) + 1, count: 63),
    ]
    for _ in 0..<20 {
      let count = Int.random(in: 0...500, using: &generator)
      let bound = 1 << Int.random(in: 0...34, using: &generator)
      sequences.append(
        (0..<count).map { _ in Int.random(in: 0..<bound, using: &generator) }.sorted())
    }
    // One step over thousands of zeros among the high bits, which begin and end at any place of a word.
    for place in [0, 1, 63, 64, 65, 1_500, 1_999] {
      let step = Int.random(in: 2_001...4_000, using: &generator)
      sequences.append((0..<2_000).map { $0 < place ? $0 / 40 : step + $0 / 40 })
    }
    for values in sequences { Self.check(values, &mismatches, &generator) }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  private static func check(
    _ values: [Int], _ mismatches: inout Mismatches, _ generator: inout SeededGenerator
  ) {
    let encoded = EncodedSection.monotone(values)
    let column = MonotoneColumn(
      encoded.bytes.rawSpan, count: encoded.count, width: encoded.width, bound: encoded.parameter)
    let what = "\(values.count) values up to \(values.last ?? 0)"
    mismatches.compare(encoded.parameter, values.last ?? 0, "parameter of \(what)")
    mismatches.compare(column.count, values.count, "count of \(what)")
    for (row, value) in values.enumerated() {
      mismatches.compare(column[row], value, "\(what), row \(row)")
    }
    for row in [-1, values.count, values.count + 1, Int.max, Int.min] {
      mismatches.compare(column[row], 0, "\(what), row \(row)")
    }
    for row in 0..<max(0, values.count - 1) {
      mismatches.compare(column.range(row), values[row]..<values[row + 1], "\(what), range \(row)")
    }
    for row in [-1, values.count - 1, values.count, Int.max - 1] {
      mismatches.compare(column.range(row), 0..<0, "\(what), range \(row)")
    }
    let bounds =
      values.flatMap { [$0, $0 + 1] }.shuffled(using: &generator).prefix(100) + [0, 1, 1 << 40]
    for bound in bounds {
      let expected = values.firstIndex { $0 >= bound } ?? values.count
      mismatches.compare(column.lowerBound(bound), expected, "\(what), from \(bound)")
    }
  }

  @Test(arguments: TestSeeds.first(10))
  func parentBlocksGiveTheMinimaOfTheArray(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    for count in [0, 1, 2, 15, 16, 17, 31, 32, 33, 100] {
      for greatest: UInt32 in [0, 1, 3, 15, 255, 70_000, .max] {
        let values = (0..<count).map { _ in UInt32.random(in: 0...greatest, using: &generator) }
        let encoded = EncodedSection.parents(values)
        let column = ParentColumn(encoded.bytes.rawSpan, count: count, width: encoded.width)
        let parents = values.map { Int($0) }
        for row in 0..<count {
          let block = row / 16 * 16
          let end = min(block + 16, count)
          let what = "row \(row) of \(count), up to \(greatest)"
          mismatches.compare(column[row], parents[row], what)
          mismatches.compare(
            column.minimumFromBlockStart(to: row), parents[block...row].min(), what)
          mismatches.compare(column.minimumToBlockEnd(from: row), parents[row..<end].min(), what)
          for last in row..<end {
            mismatches.compare(
              column.minimumInBlock(from: row, through: last), parents[row...last].min(), what)
          }
        }
        for row in [-1, count, count + 16, Int.max] {
          mismatches.compare(column[row], 0, "row \(row) of \(count)")
          mismatches.compare(column.minimumFromBlockStart(to: row), 0, "row \(row) of \(count)")
          mismatches.compare(column.minimumToBlockEnd(from: row), 0, "row \(row) of \(count)")
        }
      }
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  @Test func checksumsAreThoseOfZlib() {
    let known: [(String, UInt32)] = [
      ("", 0), ("a", 0xE8B7_BE43), ("abc", 0x3524_41C2), ("123456789", 0xCBF4_3926),
      ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
    ]
    for (text, expected) in known {
      let got = Checksum.of(Array(text.utf8))
      #expect(got == expected, "\(text)")
    }
    let zeros = Checksum.of([UInt8](repeating: 0, count: 32))
    #expect(zeros == 0x190A_55AD)
    let ones = Checksum.of([UInt8](repeating: 0xFF, count: 32))
    #expect(ones == 0xFF6C_AB0B)
  }

  @Test(arguments: TestSeeds.first(5))
  func checksumsDoNotDependOnHowBytesAreCut(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    for count in 0...70 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let expected = Self.bitwiseChecksum(bytes)
      mismatches.compare(Checksum.of(bytes), expected, "\(count) bytes")
      for cut in 0...count {
        var checksum = Checksum()
        checksum.update(Array(bytes[..<cut]).rawSpan)
        checksum.update(Array(bytes[cut...]).rawSpan)
        mismatches.compare(checksum.value, expected, "\(count) bytes cut at \(cut)")
      }
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  /// CRC-32 one bit at a time.
  ///
  /// Simple enough to be trusted: the division of polynomials as the standard has it, no table.
  private static func bitwiseChecksum(_ bytes: [UInt8]) -> UInt32 {
    var remainder: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      for bit in 0..<8 {
        let isOdd = (remainder ^ UInt32(byte >> UInt8(bit))) & 1 == 1
        remainder >>= 1
        if isOdd { remainder ^= 0xEDB8_8320 }
      }
    }
    return remainder ^ 0xFFFF_FFFF
  }
}
