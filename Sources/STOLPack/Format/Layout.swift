/// The constants of PACK.md.
enum Layout {
  /// PACK.md section 2: 0x89 "STOL" CR LF 0x1A.
  static let magic: [UInt8] = [0x89, 0x53, 0x54, 0x4F, 0x4C, 0x0D, 0x0A, 0x1A]
  /// The version of the format that this module writes and reads.
  static let majorVersion = 2
  /// Grows when optional sections are added; readers ignore it.
  static let minorVersion = 0
  /// PACK.md section 2.
  static let headerByteCount = 128
  /// PACK.md section 2: what the flags of the header mean.
  static let impliedRootFlag: UInt32 = 1 << 0
  static let textIDsFlag: UInt32 = 1 << 1
  /// PACK.md section 2: the bytes of the SHA-256 of a database.
  static let digestByteCount = 32
  /// PACK.md section 2: where it begins.
  static let digestOffset = 64
  /// PACK.md section 5: the texts of one source.
  static let factsPerSource = 6
  /// PACK.md section 6: the key of an implied root.
  static let impliedRootID: Int64 = -1
  /// PACK.md section 3: the size of one directory entry.
  static let entryByteCount = 64
  /// PACK.md section 3: the most sections that a reader accepts.
  static let maximumSectionCount = 256
  /// PACK.md section 3: the length of a section's name, padded with NUL.
  static let sectionNameByteCount = 16
  /// PACK.md section 3: every section starts at a multiple of this.
  static let alignment = 64
  /// PACK.md section 4: a packed section ends in this many zero bytes, so that any value can be read
  /// as one 64-bit load.
  static let packedTail = 8
  /// PACK.md section 4: wider values take all 64 bits.
  static let maximumPackedWidth = 56
  /// PACK.md section 4: the widest values of all packed sections but those of ids and years.
  static let maximumOrdinalWidth = 32
  /// PACK.md section 4: the widest depths.
  static let maximumDepthWidth = 8
  /// PACK.md section 3: the most values that one section may hold.
  static let maximumValueCount: Int64 = 1 << 32
  /// PACK.md section 5: the most taxa.
  static let maximumTaxonCount = Int(Int32.max)
  /// PACK.md section 5: the greatest depth, so that every walk to a root is short.
  static let maximumDepth = 255
  /// PACK.md section 5: the taxa of one block of the range-minimum structure.
  static let blockSize = 16
  /// PACK.md section 7: the longest name, in bytes of UTF-8.
  static let maximumNameByteCount = 65_536
  /// PACK.md section 7: the most words of one name; each takes a letter and a space.
  static let maximumPhraseWordCount = maximumNameByteCount / 2
  /// PACK.md section 7: the shapes that phrases state themselves; each of those takes a byte.
  static let commonShapeCount = 255
  /// PACK.md section 8: the texts of one front-coded block.
  static let wordsPerBlock = 16
  /// PACK.md section 8: the rows of `word.grams`.
  static let gramRowCount = 256

  /// The bytes of one of them: a bit for each block of words, in whole words of 64.
  static func gramRowByteCount(wordCount: Int) -> Int {
    (wordCount / wordsPerBlock + (wordCount % wordsPerBlock).signum() + 63) / 64 * 8
  }

  /// The length of a packed section.
  static func packedByteCount(count: Int, width: Int) -> Int {
    Int(clamping: (Int64(count) * Int64(width) + 63) / 64 * 8 + Int64(packedTail))
  }

  /// The number of blocks of the range-minimum structure.
  static func blockCount(_ taxonCount: Int) -> Int {
    max(1, taxonCount / blockSize + (taxonCount % blockSize).signum())
  }

  /// The number of minima of the sparse table over `blockCount` blocks.
  static func sparseCount(_ blockCount: Int) -> Int {
    levelStart(Int.bitWidth - blockCount.leadingZeroBitCount, blockCount: blockCount)
  }

  /// Where row `level` of the sparse table starts; row k holds `blockCount - 2^k + 1` minima.
  @inline(__always)
  static func levelStart(_ level: Int, blockCount: Int) -> Int {
    level &* (blockCount &+ 1) &- ((1 &<< level) &- 1)
  }
}

/// How the values of a section are stored: PACK.md section 4.
enum Encoding: UInt8 {
  /// Plain bytes.
  case bytes = 0
  /// Sixteen packed integers and the places of their minima, block after block.
  case blocks = 1
  /// Integers of a fixed number of bits.
  case packed = 2
  /// A non-decreasing sequence in Elias-Fano code.
  case monotone = 3
  /// Strings with their offsets.
  case strings = 4
}
