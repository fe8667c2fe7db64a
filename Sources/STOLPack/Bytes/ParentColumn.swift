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
    self.bytes = bytes
    self.count = count
    self.width = width
    mask = (1 &<< UInt64(width)) &- 1
    blockByteCount = Self.headByteCount &+ 2 &* width
  }

  /// The length of the section: whole blocks, and a tail so that any parent is one 64-bit load.
  static func byteCount(count: Int, width: Int) -> Int {
    Layout.blockCount(count) * (headByteCount + 2 * width) + Layout.packedTail
  }

  /// The parent of the taxon in `row`: its ordinal plus one, 0 for a root.
  @inline(__always)
  subscript(row: Int) -> Int {
    parent(row & 15, blockStart: (row &>> 4) &* blockByteCount)
  }

  /// The least parent from `row` to the end of its block.
  @inline(__always)
  func minimumToBlockEnd(from row: Int) -> Int {
    let start = (row &>> 4) &* blockByteCount
    let places = bytes.uint16(at: start &+ 8) &>> UInt16(truncatingIfNeeded: row & 15)
    return parent((row &+ places.trailingZeroBitCount) & 15, blockStart: start)
  }

  /// The least parent from the start of its block to `row`.
  @inline(__always)
  func minimumFromBlockStart(to row: Int) -> Int {
    let start = (row &>> 4) &* blockByteCount
    let place = bytes.uint64(at: start) &>> UInt64(truncatingIfNeeded: (row & 15) &* 4) & 15
    return parent(Int(place), blockStart: start)
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
    let word = bytes.uint64(at: blockStart &+ Self.headByteCount &+ bit &>> 3)
    return Int(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: bit & 7) & mask)
  }
}
