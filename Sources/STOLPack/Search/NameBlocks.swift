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
    let end = min(last &>> shift, bits.count &* 64 &- 1)
    var block = first &>> shift
    while block <= end {
      bits[block &>> 6] |= 1 &<< UInt64(block & 63)
      block &+= 1
    }
  }

  /// Whether `name` may be in the set.
  @inline(__always)
  func mayContain(_ name: NameOrdinal) -> Bool {
    let block = name.index &>> shift
    return block &>> 6 < bits.count && bits[block &>> 6] &>> UInt64(block & 63) & 1 == 1
  }
}
