/// Texts in blocks of 16, each without what it shares with the first one of its block.
///
/// PACK.md section 8; Witten, Moffat and Bell 1999, "Managing Gigabytes", section 4.1. Any one is read
/// without the others of its block but for their lengths. What lies outside reads as empty.
struct FrontCodedTexts: ~Escapable {
  private let text: RawSpan
  private let blocks: PackedColumn

  /// Views `text`, in which block `n` begins at `blocks[n]`.
  @_lifetime(copy text, copy blocks)
  init(_ text: RawSpan, blocks: PackedColumn) {
    self.text = text
    self.blocks = blocks
  }

  /// Where the block of text `number` begins.
  @inline(__always)
  func blockOffset(of number: Int) -> Int { blocks[number &>> 4] }

  /// A sum of what is read of a block first.
  @inline(__always)
  func touch(_ offset: Int) -> UInt64 { text.uint64(at: offset) ^ text.uint64(at: offset &+ 64) }

  /// A reader that stands at text `number`.
  @inline(__always) @_lifetime(copy self)
  func cursor(at number: Int) -> Cursor {
    var cursor = Cursor(text, offset: blocks[number &>> 4])
    var left = number & (Layout.wordsPerBlock &- 1)
    while left > 0 {
      cursor.advance()
      left &-= 1
    }
    return cursor
  }

  /// Appends the bytes of text `number`.
  ///
  /// - Complexity: O(length)
  func append(_ number: Int, to output: inout [UInt8]) {
    cursor(at: number).append(to: &output)
  }

  /// Whether text `number` has exactly these bytes.
  ///
  /// - Complexity: O(length)
  func equals(_ number: Int, _ bytes: Span<UInt8>) -> Bool {
    end(of: number, in: FoldedText(folded: bytes), from: 0) == bytes.count
  }

  /// Where text `number` ends if it stands in `text` from `start` on, else nil.
  ///
  /// - Complexity: O(length)
  @inline(never)
  func end(of number: Int, in text: borrowing FoldedText, from start: Int) -> Int? {
    let cursor = cursor(at: number)
    let end = start &+ cursor.count
    return end <= text.count && cursor.stands(in: text, at: start) ? end : nil
  }

  /// Reads the texts of one block, one after another.
  struct Cursor: ~Escapable {
    private let text: RawSpan
    private var offset: Int
    private let headOffset: Int
    /// The length of the first text of the block.
    let headCount: Int
    /// How many bytes the current text shares with the first one.
    private(set) var shared = 0
    /// The number of its other bytes.
    private(set) var suffixCount: Int

    /// A reader of the block at `offset`, at its first text.
    @inline(__always) @_lifetime(copy text)
    init(_ text: RawSpan, offset: Int) {
      self.text = text
      var end = offset
      (_, headCount) = Self.lengths(text, &end)
      headOffset = end
      suffixCount = headCount
      self.offset = end &+ headCount
    }

    /// The length of the current text.
    @inline(__always)
    var count: Int { shared &+ suffixCount }

    /// Byte `index` of the first text of the block.
    @inline(__always)
    func headByte(_ index: Int) -> UInt8 { text.uint8(at: headOffset &+ index) }

    /// Byte `index` of the current text.
    @inline(__always)
    func byte(_ index: Int) -> UInt8 {
      let start = index < shared ? headOffset : offset &- suffixCount &- shared
      return text.uint8(at: start &+ index)
    }

    /// Where some bytes first end in the current text, of those that begin at `start` or later; nil if
    /// there are none.
    @inline(__always)
    func end(of bytes: Span<UInt8>, from start: Int) -> Int? {
      guard bytes.count > 0 else { return start }
      let first = bytes[0]
      var start = start
      while start &+ bytes.count <= count {
        if byte(start) == first {
          var index = 1
          while index < bytes.count, byte(start &+ index) == bytes[index] { index &+= 1 }
          if index >= bytes.count { return start &+ index }
        }
        start &+= 1
      }
      return nil
    }

    /// Appends the current text.
    @inline(__always)
    func append(to output: inout [UInt8]) {
      if shared > 0 {
        output.append(contentsOf: text.clamped(headOffset..<headOffset &+ shared))
      }
      output.append(contentsOf: text.clamped(offset &- suffixCount..<offset))
    }

    /// Whether the current text stands in `other` from `start` on, where there are as many bytes.
    @inline(__always)
    func stands(in other: borrowing FoldedText, at start: Int) -> Bool {
      Self.stand(text, at: headOffset, shared, in: other, at: start)
        && Self.stand(
          text, at: offset &- suffixCount, suffixCount, in: other, at: start &+ shared)
    }

    /// Whether `count` bytes stand in `other` from `start` on, where there are as many.
    @inline(__always)
    private static func stand(
      _ text: RawSpan, at offset: Int, _ count: Int, in other: borrowing FoldedText, at start: Int
    ) -> Bool {
      var done = 0
      while done &+ 8 <= count {
        if text.uint64(at: offset &+ done) != other.eight(start &+ done) { return false }
        done &+= 8
      }
      return done == count
        || text.few(at: offset &+ done, count &- done) == other.few(start &+ done, count &- done)
    }

    /// Moves to the next text.
    @inline(__always) @_lifetime(self: copy self)
    mutating func advance() {
      (shared, suffixCount) = Self.lengths(text, &offset)
      shared = min(shared, headCount)
      offset &+= suffixCount
    }

    /// The two lengths before a text.
    @inline(__always)
    private static func lengths(_ text: RawSpan, _ offset: inout Int) -> (Int, Int) {
      let lengths = Int(text.uint8(at: offset))
      offset &+= 1
      var shared = lengths &>> 4
      var suffixCount = lengths & 15
      if shared == 15 { shared &+= number(text, &offset) }
      if suffixCount == 15 { suffixCount &+= number(text, &offset) }
      // What lies outside the text is zero; a damaged length must not be walked for long.
      return (shared, min(suffixCount, Layout.maximumNameByteCount))
    }

    /// A LEB128 number of at most three bytes.
    private static func number(_ text: RawSpan, _ offset: inout Int) -> Int {
      var value = 0
      var shift = 0
      while shift < 21 {
        let byte = Int(text.uint8(at: offset))
        offset &+= 1
        value |= (byte & 0x7F) &<< shift
        if byte < 0x80 { break }
        shift &+= 7
      }
      return value
    }
  }
}
