/// The hash of folded names and where they are in the table of whole names: PACK.md section 8.
struct NameHash {
  /// The number of names of all kinds.
  let nameCount: Int
  /// The number of buckets.
  let bucketCount: Int
  /// The number of tags, by which the names of a bucket are told apart.
  let tagCount: UInt64

  init(nameCount: Int) {
    self.nameCount = nameCount
    bucketCount = nameCount / 2 &+ 1
    let bits = UInt64(nameCount).significantBitCount
    tagCount = nameCount == 0 ? 1 : (1 &<< UInt64(bits &+ 1)) / UInt64(nameCount)
  }

  /// The bucket of a hash and its tag, by which the names of a bucket are told apart.
  @inline(__always)
  func slot(of hash: UInt64) -> (bucket: Int, tag: UInt64) {
    let slot = hash.multipliedFullWidth(by: UInt64(bucketCount))
    let tag = slot.low.multipliedFullWidth(by: tagCount).high
    return (Int(truncatingIfNeeded: slot.high), tag)
  }

  /// The hash of a folded text.
  ///
  /// - Complexity: O(length), eight bytes at once.
  @inline(__always)
  static func hash(_ text: borrowing FoldedText) -> UInt64 {
    var state = start ^ UInt64(truncatingIfNeeded: text.count)
    var offset = 0
    while offset &+ 8 <= text.count {
      state = mixed(state ^ text.eight(offset))
      offset &+= 8
    }
    if offset < text.count { state = mixed(state ^ text.few(offset, text.count &- offset)) }
    return mixed(state ^ start)
  }

  /// The hash of a folded text.
  ///
  /// - Complexity: O(length)
  static func hash(_ folded: Span<UInt8>) -> UInt64 { hash(FoldedText(folded: folded)) }

  private static var start: UInt64 { 0x9E37_79B9_7F4A_7C15 }

  @inline(__always)
  private static func mixed(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    return product.high ^ product.low
  }
}

/// The names of a pack by the hash of their folded text: PACK.md section 8.
///
/// It only says where a name may be: whether a name that it gives equals a text is told by the name.
struct WholeNameView: ~Escapable {
  private let shape: NameHash
  private let starts: MonotoneColumn
  private let values: PackedColumn

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, header: Header, directory: borrowing Directory) {
    shape = NameHash(nameCount: header.anyNameCount)
    starts = bytes.monotone(.hashStarts, directory)
    values = bytes.packed(.hashNames, directory)
  }

  /// Rows of the table, and what its values are above the numbers of names.
  struct Rows {
    fileprivate(set) var range: Range<Int>
    fileprivate let least: UInt64
  }

  /// Where names that equal a folded text are.
  ///
  /// - Complexity: O(length)
  @inline(__always)
  func slot(of text: borrowing FoldedText) -> (bucket: Int, tag: UInt64) {
    shape.slot(of: NameHash.hash(text))
  }

  /// The rows of names that may equal a folded text; all that do are among them.
  ///
  /// - Complexity: O(length), and O(log m) for m names of one bucket.
  @inline(__always)
  func rows(for text: borrowing FoldedText) -> Rows { rows(in: slot(of: text)) }

  /// Appends names in some slots, two of each at most: with more the one that is meant is hardly the first.
  func appendCandidates(of slots: [(bucket: Int, tag: UInt64)], to names: inout [NameOrdinal]) {
    for slot in slots {
      var rows = rows(in: slot)
      for _ in 0..<2 {
        guard let name = next(&rows) else { break }
        names.append(name)
      }
    }
  }

  @inline(__always)
  private func rows(in slot: (bucket: Int, tag: UInt64)) -> Rows {
    let (bucket, tag) = slot
    let least = tag &* UInt64(shape.nameCount)
    let range = starts.range(bucket)
    let end = min(range.upperBound, values.count)
    var lower = min(range.lowerBound, end)
    if end &- lower > 8 { lower = values.lowerBound(least, in: lower..<end) }
    while lower < end, values.raw(lower) < least { lower &+= 1 }
    return Rows(range: lower..<end, least: least)
  }

  /// The next name of `rows`, which is taken from them; nil after the last one.
  @inline(__always)
  func next(_ rows: inout Rows) -> NameOrdinal? {
    guard !rows.range.isEmpty else { return nil }
    let number = values.raw(rows.range.lowerBound) &- rows.least
    guard number < UInt64(shape.nameCount) else { return nil }
    rows.range = rows.range.lowerBound &+ 1..<rows.range.upperBound
    return NameOrdinal(rawValue: UInt32(truncatingIfNeeded: number))
  }
}
