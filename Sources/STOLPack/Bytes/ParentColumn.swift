/// The parents of taxa in preorder, sixteen to a block, with what finds the least of a range at once.
///
/// PACK.md section 5. A block is a nibble for each taxon, the place of the least parent from the
/// start of the block to it; a bit for each place whose parent is less than all after it; and the
/// parents, `width` bits each. All of it lies in one or two cache lines. A row outside reads as 0.
struct ParentColumn: ~Escapable {
  private let bytes: RawSpan
  private let width: Int
  private let mask: UInt64
  private let blockByteCount: Int
  /// The number of taxa.
  let count: Int

  /// The bytes of a block before the parents: sixteen nibbles and sixteen bits.
  private static let headByteCount = 10

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, count: Int, width: Int) {
    // What the reads below rely on; a section of another length reads as no taxa.
    let isComplete =
      width <= Layout.maximumOrdinalWidth
      && bytes.byteCount == Self.byteCount(count: count, width: width)
    self.bytes = bytes
    self.count = isComplete ? count : 0
    self.width = width
    mask = (1 &<< UInt64(width)) &- 1
    blockByteCount = Self.headByteCount &+ 2 &* width
  }

  /// The length of the section: whole blocks, and a tail so that any parent is one 64-bit load.
  static func byteCount(count: Int, width: Int) -> Int {
    let blocks = Int64(Layout.blockCount(count)) * Int64(headByteCount + 2 * width)
    return Int(clamping: blocks + Int64(Layout.packedTail))
  }

  /// The parent of the taxon in `row`: its ordinal plus one, 0 for a root.
  @inline(__always)
  subscript(row: Int) -> Int {
    guard row >= 0, row < count else { return 0 }
    return parent(row & 15, blockStart: (row &>> 4) &* blockByteCount)
  }

  /// The least parent from `row` to the end of its block.
  @inline(__always)
  func minimumToBlockEnd(from row: Int) -> Int {
    guard row >= 0, row < count else { return 0 }
    let start = (row &>> 4) &* blockByteCount
    // SAFETY: `row` is in a block, which init has seen is there in full.
    let bits = unsafe bytes.uncheckedUInt64(at: start &+ 8)
    let places = UInt32(truncatingIfNeeded: bits & 0xFFFF) &>> UInt32(truncatingIfNeeded: row & 15)
    return parent((row &+ places.trailingZeroBitCount) & 15, blockStart: start)
  }

  /// The least parent from the start of its block to `row`.
  @inline(__always)
  func minimumFromBlockStart(to row: Int) -> Int {
    guard row >= 0, row < count else { return 0 }
    let start = (row &>> 4) &* blockByteCount
    // SAFETY: `row` is in a block, which init has seen is there in full.
    let nibbles = unsafe bytes.uncheckedUInt64(at: start)
    let place = nibbles &>> UInt64(truncatingIfNeeded: (row & 15) &* 4) & 15
    return parent(Int(truncatingIfNeeded: place), blockStart: start)
  }

  /// The least parent from `first` to `last`, which lie in one block.
  func minimumInBlock(from first: Int, through last: Int) -> Int {
    var least = self[first]
    var row = first &+ 1
    while row <= last {
      least = min(least, self[row])
      row &+= 1
    }
    return least
  }

  @inline(__always)
  private func parent(_ place: Int, blockStart: Int) -> Int {
    let bit = place &* width
    // SAFETY: the caller's block is there in full, `place` is below 16, and the section ends in
    // eight more bytes.
    let word = unsafe bytes.uncheckedUInt64(at: blockStart &+ Self.headByteCount &+ bit &>> 3)
    return Int(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: bit & 7) & mask)
  }
}
