/// A folded text to look up: its bytes, read eight at once.
///
/// Most texts that are asked for are plain: folding does no more than make small letters of capitals.
/// These need not be folded first, as setting one bit of each byte does the same.
struct FoldedText: ~Escapable {
  private let bytes: RawSpan
  private let caseBits: UInt64

  /// A text that is folded already.
  @_lifetime(copy text)
  init(folded text: Span<UInt8>) {
    bytes = text.rawSpan
    caseBits = 0
  }

  /// A text as it is written, which must be plain.
  @_lifetime(copy text)
  init(plain text: Span<UInt8>) {
    bytes = text.rawSpan
    caseBits = .bytes(0x20)
  }

  /// The number of bytes.
  @inline(__always)
  var count: Int { bytes.byteCount }

  /// The byte at `offset`, 0 outside the text.
  @inline(__always)
  func byte(_ offset: Int) -> UInt8 {
    bytes.uint8(at: offset) | UInt8(truncatingIfNeeded: offset < count ? caseBits : 0)
  }

  /// The eight bytes from `offset` on, which are there.
  @inline(__always)
  func eight(_ offset: Int) -> UInt64 { bytes.uint64(at: offset) | caseBits }

  /// `count` bytes from `offset` on, from one to seven, which are there, and zeros above them.
  @inline(__always)
  func few(_ offset: Int, _ count: Int) -> UInt64 {
    bytes.few(at: offset, count) | caseBits &>> UInt64(truncatingIfNeeded: 64 &- 8 &* count)
  }

  /// Whether folding a text only makes small letters of capitals, so that each byte with bit 5 set is the
  /// folded one, and leaves something.
  ///
  /// It says no of some such texts too, as of those with brackets. All of eight bytes at once: Warren 2012,
  /// "Hacker's Delight", section 6-1.
  ///
  /// - Complexity: O(length)
  static func isPlain(_ text: Span<UInt8>) -> Bool {
    let bytes = text.rawSpan
    let count = bytes.byteCount
    let space = UInt8(ascii: " ")
    guard count > 0, bytes.uint8(at: 0) != space, bytes.uint8(at: count &- 1) != space else {
      return false
    }
    guard count >= 8 else {
      // Letters in the place of what is missing.
      let letters = .bytes(0x61) &<< UInt64(truncatingIfNeeded: 8 &* count)
      return arePlain(bytes.few(at: 0, count) | letters)
    }
    // Each eight but the first begins with the last byte of those before it, so that two spaces are seen.
    var offset = 0
    while offset &+ 8 < count {
      guard arePlain(bytes.uint64(at: offset)) else { return false }
      offset &+= 7
    }
    return arePlain(bytes.uint64(at: count &- 8))
  }

  /// Whether eight bytes are letters of ASCII and what stands from the space to the question mark, without
  /// double quotes and without two spaces that follow each other.
  @inline(__always)
  private static func arePlain(_ bytes: UInt64) -> Bool {
    let folded = bytes | .bytes(0x20)
    let letters = (folded &+ .bytes(0x1F)) & ~(folded &+ .bytes(0x05))
    let others = ((~bytes & .bytes(0x40)) &<< 1) & ((bytes & .bytes(0x20)) &<< 2)
    let quotes = ~((bytes ^ .bytes(0x22)) &+ .bytes(0x7F))
    let spaces = ~((bytes ^ .bytes(0x20)) &+ .bytes(0x7F)) & .bytes(0x80)
    return bytes & .bytes(0x80) == 0
      && (letters | others) & ~quotes & .bytes(0x80) == .bytes(0x80)
      && spaces & (spaces &<< 8) == 0
  }
}
