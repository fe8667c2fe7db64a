/// Which letters a word has, which of the commonest it has twice, and how many in all, in 32 bits:
/// PACK.md section 8.
///
/// An edit takes at most one letter away and adds at most one, so that sets rule most words out
/// before a single letter is compared.
struct LetterSet: Equatable {
  /// Bits 0 to 19 for letters, 20 to 25 for second ones, 26 to 31 for the length, 63 for all that
  /// are longer.
  var rawValue: UInt32

  static let bitCount: UInt32 = 26
  static let bits: UInt32 = 1 &<< bitCount &- 1
  /// The greatest length; it stands for all that are greater.
  static let greatestLength = 63
  /// The letters with a bit of their own for the second one have the lowest bits.
  private static let repeatable: UInt32 = 0b11_1111
  private static let repeatedShift: UInt32 = 20
  /// The number of the bit of each of a to z.
  private static let bitNumbers: [UInt8] = [
    0, 16, 10, 13, 1, 17, 15, 14, 2, 19, 19, 7, 11, 6, 3, 12, 19, 5, 4, 8, 9, 17, 19, 19, 18, 19,
  ]

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The set of the scalars of a word.
  init(_ scalars: some Sequence<UInt32>) {
    self.init(rawValue: 0)
    for scalar in scalars { self = inserting(scalar) }
  }

  /// The set with one more letter.
  func inserting(_ scalar: UInt32) -> LetterSet {
    let length = min(rawValue &>> Self.bitCount &+ 1, UInt32(Self.greatestLength))
    let bit = Self.bit(scalar)
    let repeated = (rawValue & bit & Self.repeatable) &<< Self.repeatedShift
    return LetterSet(
      rawValue: rawValue & Self.bits | bit | repeated | length &<< Self.bitCount)
  }

  private static func bit(_ scalar: UInt32) -> UInt32 {
    let letter = scalar &- 97
    return 1 &<< (letter < 26 ? UInt32(bitNumbers[Int(letter)]) : (scalar &+ 13) % bitCount)
  }

  /// The number of letters, at most 63.
  var length: Int { Int(rawValue &>> Self.bitCount) }

  /// Whether the length may be greater than it says.
  @inline(__always)
  var isLong: Bool { length == Self.greatestLength }

  /// Adds the letters of another word; the length stays the greatest of all.
  @inline(__always)
  mutating func formUnion(_ other: LetterSet) {
    let longest = max(rawValue &>> Self.bitCount, other.rawValue &>> Self.bitCount)
    let repeated = (rawValue & other.rawValue & Self.repeatable) &<< Self.repeatedShift
    rawValue =
      (rawValue | other.rawValue) & Self.bits | repeated | longest &<< Self.bitCount
  }

  /// Keeps the letters that another word has too, and the lesser length.
  mutating func formIntersection(_ other: LetterSet) {
    let shortest = min(rawValue &>> Self.bitCount, other.rawValue &>> Self.bitCount)
    rawValue = rawValue & other.rawValue & Self.bits | shortest &<< Self.bitCount
  }

  /// Adds a space.
  mutating func insertSpace() { rawValue |= Self.bit(0x20) }

  /// Whether more than `limit`, at most three, of the letters are not in `other`.
  @inline(__always)
  func exceeds(_ other: LetterSet, by limit: Int) -> Bool {
    var rest = rawValue & ~other.rawValue & Self.bits
    if limit > 0 { rest &= rest &- 1 }
    if limit > 1 { rest &= rest &- 1 }
    if limit > 2 { rest &= rest &- 1 }
    return rest != 0
  }

  /// Whether some of the letters are not in each of four other sets.
  @inline(__always)
  func exceedsEach(_ others: SIMD4<UInt32>) -> SIMDMask<SIMD4<Int32>> {
    let missing = SIMD4<UInt32>(repeating: rawValue & Self.bits) & ~others
    return missing .!= 0
  }

  /// The fewest edits, as far as letters and lengths tell, between a word with these letters and one with those
  /// of `other`, or a beginning of it; `limit + 1` where more than `limit` are needed.
  @inline(__always)
  func leastEdits(to other: LetterSet, limit: Int, isPrefix: Bool) -> Int {
    var missing = rawValue & ~other.rawValue & Self.bits
    var further = isPrefix ? 0 : other.rawValue & ~rawValue & Self.bits
    let longer = length &- other.length
    // Of lengths that are not counted to their end the difference is no less.
    var edits = isPrefix ? max(0, longer) : abs(longer)
    var count = 0
    while missing | further != 0, count <= limit {
      missing &= missing &- 1
      further &= further &- 1
      count &+= 1
    }
    edits = max(edits, count)
    return min(edits, limit &+ 1)
  }
}
