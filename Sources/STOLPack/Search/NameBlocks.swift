/// A set of names that may say yes for one that is not in it, but never no for one that is.
///
/// One bit stands for a block of names that come one after another, as those with a word mostly do:
/// what has a genus or an "unclassified" clade in its name lies below it. So the set of a hundred
/// thousand names is small enough to be emptied and asked in no time.
struct NameBlocks {
  /// At most so many blocks, 64 KB of bits.
  private static let mostBlocks = SearchSession.hugeCount * 64

  private var bits: [UInt64] = []
  /// A block has two to this power names.
  private var shift = 0

  /// Empties the set, for the names of a pack with so many.
  mutating func removeAll(nameCount: Int) {
    shift = 0
    while nameCount &>> shift >= Self.mostBlocks { shift += 1 }
    let count = nameCount &>> shift / 64 + 1
    if bits.count == count {
      for index in bits.indices { bits[index] = 0 }
    } else {
      bits = [UInt64](repeating: 0, count: count)
    }
  }

  /// Adds the names on some rows of a list, on which they ascend.
  ///
  /// - Complexity: O(log m) for m names that come one after another.
  mutating func insert(_ rows: Range<Int>, _ view: borrowing PackView) {
    var start = rows.lowerBound
    var count = 1
    while start < rows.upperBound {
      var end = min(start &+ 2 &* count, rows.upperBound)
      let first = view.postings[start].index
      // Half of so many, until few others lie between them.
      while end &- start > 1,
        view.postings[end &- 1].index &- first > 2 &* (end &- start) &+ 1 &<< shift
      {
        end = start &+ (end &- start) &>> 1
      }
      insert(first, through: view.postings[end &- 1].index)
      count = end &- start
      start = end
    }
  }

  /// Adds the scientific names of a clade.
  mutating func insert(_ clade: Clade) {
    guard let last = clade.last else { return }
    insert(clade.lowerBound.index, through: last.index)
  }

  private mutating func insert(_ first: Int, through last: Int) {
    let block = first &>> shift
    let end = min(last &>> shift, bits.count &* 64 &- 1)
    guard block <= end else { return }
    let (word, lastWord) = (block &>> 6, end &>> 6)
    let head = UInt64.max &<< UInt64(block & 63)
    let tail = UInt64.max &>> UInt64(63 &- end & 63)
    guard word < lastWord else {
      bits[word] |= head & tail
      return
    }
    bits[word] |= head
    for between in word &+ 1..<lastWord { bits[between] = .max }
    bits[lastWord] |= tail
  }

  /// Calls `body` with the names of blocks that follow one another, in ascending order.
  ///
  /// - Complexity: O(blocks / 64 + ranges)
  @inline(__always)
  func forEachRange(_ body: (Range<Int>) -> Void) {
    var block = 0
    while block &>> 6 < bits.count {
      let ahead = bits[block &>> 6] &>> UInt64(block & 63)
      guard ahead != 0 else {
        block = (block | 63) &+ 1
        continue
      }
      block &+= ahead.trailingZeroBitCount
      var end = block
      while end &>> 6 < bits.count {
        let ones = (~(bits[end &>> 6] &>> UInt64(end & 63))).trailingZeroBitCount
        end &+= ones
        if ones == 0 || end & 63 != 0 { break }
      }
      body(block &<< shift..<end &<< shift)
      block = end
    }
  }

  /// Whether `name` may be in the set.
  @inline(__always)
  func mayContain(_ name: NameOrdinal) -> Bool {
    let block = name.index &>> shift
    return block &>> 6 < bits.count && bits[block &>> 6] &>> UInt64(block & 63) & 1 == 1
  }
}
