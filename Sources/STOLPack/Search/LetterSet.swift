/// Which letters a word has and how many, in 32 bits: PACK.md section 8.
///
/// An edit takes at most one letter away and adds at most one, so that sets rule most words out
/// before a single letter is compared.
struct LetterSet: Equatable {
  /// Bits 0 to 25 for letters, 26 to 31 for the length, 63 for all that are longer.
  var rawValue: UInt32

  private static let letterCount: UInt32 = 26
  private static let letters: UInt32 = 1 &<< 26 &- 1
  private static let greatestLength: UInt32 = 63

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The set of the scalars of a word.
  init(_ scalars: some Sequence<UInt32>) {
    self.init(rawValue: 0)
    for scalar in scalars { self = inserting(scalar) }
  }

  /// The set with one more letter.
  @inline(__always)
  func inserting(_ scalar: UInt32) -> LetterSet {
    let length = min(rawValue &>> Self.letterCount &+ 1, Self.greatestLength)
    return LetterSet(
      rawValue: rawValue & Self.letters | Self.bit(scalar) | length &<< Self.letterCount)
  }

  /// a to z have a bit each, which other scalars share by their number.
  private static func bit(_ scalar: UInt32) -> UInt32 {
    1 &<< ((scalar &+ letterCount &- 97 % letterCount) % letterCount)
  }

  /// The number of letters, at most 63.
  var length: Int { Int(rawValue &>> Self.letterCount) }

  /// Adds the letters of another word; the length stays the greatest of all.
  @inline(__always)
  mutating func formUnion(_ other: LetterSet) {
    let longest = max(rawValue &>> Self.letterCount, other.rawValue &>> Self.letterCount)
    rawValue = (rawValue | other.rawValue) & Self.letters | longest &<< Self.letterCount
  }

  /// Adds a space.
  mutating func insertSpace() { rawValue |= Self.bit(0x20) }

  /// Whether more than `limit`, at most three, of the letters are not in `other`.
  @inline(__always)
  func exceeds(_ other: LetterSet, by limit: Int) -> Bool {
    var rest = rawValue & ~other.rawValue & Self.letters
    if limit > 0 { rest &= rest &- 1 }
    if limit > 1 { rest &= rest &- 1 }
    if limit > 2 { rest &= rest &- 1 }
    return rest != 0
  }
}
