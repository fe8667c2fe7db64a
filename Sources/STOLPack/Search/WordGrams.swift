/// Which blocks of the vocabulary have which short sequences of letters, so that words are found by what stands
/// inside them.
///
/// PACK.md section 8: one row of bits for each value of a hash, one bit for each block; a word can only be in blocks
/// that have the bits of all its sequences. Faloutsos and Christodoulakis 1984, "Signature files", by columns.
struct WordGrams: ~Escapable {
  private let bits: RawSpan
  /// The bytes of one row.
  private let rowByteCount: Int

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, header: Header, directory: borrowing Directory) {
    bits = bytes.section(.wordGrams, directory)
    rowByteCount = Layout.gramRowByteCount(wordCount: header.wordCount)
  }

  /// Calls `body` with the blocks that have the bits of all `rows`, ascending; with all where there are none.
  ///
  /// - Complexity: O(b / 64 for each row) for b blocks.
  @inline(__always)
  func forEachBlock(in rows: [UInt8], _ body: (Int) -> Void) {
    for offset in stride(from: 0, to: rowByteCount, by: 8) {
      var blocks = UInt64.max
      for row in rows {
        blocks &= bits.uint64(at: Int(row) &* rowByteCount &+ offset)
        if blocks == 0 { break }
      }
      while blocks != 0 {
        body(offset &* 8 &+ blocks.trailingZeroBitCount)
        blocks &= blocks &- 1
      }
    }
  }

  /// Appends the rows of the sequences of letters of a word: of all three letters that follow each other, and of each
  /// letter of a script without spaces between words, alone and with the next one, instead.
  ///
  /// - Complexity: O(length)
  static func appendRows(of word: Span<UInt32>, to rows: inout [UInt8]) {
    for start in word.indices {
      if isOfScriptWithoutSpaces(word[start]) {
        rows.append(row(of: word, from: start, count: 1))
        if start &+ 1 < word.count { rows.append(row(of: word, from: start, count: 2)) }
      } else if start &+ 2 < word.count {
        rows.append(row(of: word, from: start, count: 3))
      }
    }
  }

  /// Whether a letter is Chinese, Japanese, Thai, Lao, Tibetan, Burmese or Khmer, which are written without spaces between words.
  static func isOfScriptWithoutSpaces(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x0E00...0x109F, 0x1780...0x17FF, 0x3005...0x3007, 0x3040...0x30FF, 0x31F0...0x31FF,
      0x3400...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }

  private static func row(of word: Span<UInt32>, from start: Int, count: Int) -> UInt8 {
    var hash: UInt32 = 0
    for index in start..<start &+ count { hash = (hash ^ word[index]) &* 0x9E37_79B1 }
    return UInt8(truncatingIfNeeded: hash &>> 24)
  }
}

/// The rows of `word.grams`, made from one word after another.
struct WordGramBuilder {
  /// The section.
  private(set) var bytes: [UInt8]
  private let rowByteCount: Int
  private var rows: [UInt8] = []

  init(wordCount: Int) {
    rowByteCount = Layout.gramRowByteCount(wordCount: wordCount)
    bytes = [UInt8](repeating: 0, count: Layout.gramRowCount * rowByteCount)
  }

  /// Notes the letters of a word.
  mutating func note(_ word: Int, _ scalars: [UInt32]) {
    rows.removeAll(keepingCapacity: true)
    WordGrams.appendRows(of: scalars.span, to: &rows)
    let block = word / Layout.wordsPerBlock
    for row in rows { bytes[Int(row) * rowByteCount + block / 8] |= 1 << UInt8(block % 8) }
  }
}
