/// A column of unsigned integers of `width` bits each, least significant bit first, plus a base.
///
/// PACK.md, "packed". A row outside the column reads as the base.
struct PackedColumn: ~Escapable {
  private let bytes: RawSpan
  private let width: Int
  private let mask: UInt64
  /// What is added to every stored value.
  let base: Int64
  /// The number of rows.
  let count: Int

  /// Views a section of `count` values; its length has been checked when the pack was opened.
  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, count: Int, width: Int, base: Int64 = 0) {
    // What `raw` relies on; a section of another length reads as no values.
    let isComplete =
      width <= 64
      && bytes.byteCount >= Layout.packedByteCount(count: count, width: width)
    self.bytes = bytes
    self.count = isComplete ? count : 0
    self.width = width
    self.base = base
    mask = width == 64 ? .max : (1 &<< UInt64(width)) &- 1
  }

  /// The greatest value that `width` bits can hold, as an index.
  var greatestStorableValue: Int { Int(truncatingIfNeeded: mask & 0x7FFF_FFFF) }

  /// The stored value of `row`, without the base.
  ///
  /// - Complexity: O(1)
  @inline(__always)
  func raw(_ row: Int) -> UInt64 {
    guard row >= 0, row < count else { return 0 }
    let bit = Int64(row) &* Int64(width)
    // SAFETY: the row is there, and init has seen that all rows and eight bytes behind them are.
    let word = unsafe bytes.uncheckedUInt64(at: Int(truncatingIfNeeded: bit &>> 3))
    return word &>> UInt64(truncatingIfNeeded: bit & 7) & mask
  }

  /// The value of `row`, as an index.
  @inline(__always)
  subscript(row: Int) -> Int { Int(stored: raw(row)) }

  /// The value of `row`, base included.
  @inline(__always)
  func signed(_ row: Int) -> Int64 { base &+ Int64(bitPattern: raw(row)) }

  /// The first of `rows`, all of the column unless they are given, whose stored value is not below
  /// `key`, where these ascend.
  ///
  /// - Complexity: O(log n)
  func lowerBound(_ key: UInt64, in rows: Range<Int>? = nil) -> Int {
    var low = rows?.lowerBound ?? 0
    var high = rows?.upperBound ?? count
    while low < high {
      let middle = (low &+ high) &>> 1
      if raw(middle) < key { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  /// The values of `row` and `row + 1` as a range of rows of a column of `count`.
  ///
  /// Decreasing values, which only a corrupt pack has, give an empty range.
  @inline(__always)
  func range(_ row: Int, below count: Int) -> Range<Int> {
    guard row >= 0, row &+ 1 < self.count else { return 0..<0 }
    let lower = self[row]
    let upper = min(self[row &+ 1], count)
    return lower <= upper ? lower..<upper : 0..<0
  }
}
