/// A non-decreasing sequence of integers in Elias-Fano code: about 2 + log2(U/n) bits a value.
///
/// PACK.md, "monotone". Elias 1974, Fano 1971; the sampled select is the one of Vigna 2008,
/// "Broadword implementation of rank/select queries". A row outside the sequence reads as 0.
struct MonotoneColumn: ~Escapable {
  private let low: PackedColumn
  private let high: RawSpan
  private let samples: RawSpan
  private let width: Int
  /// The number of values.
  let count: Int

  /// Views a section of `count` values up to `bound`, with `width` low bits each.
  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, count: Int, width: Int, bound: Int) {
    let shape = MonotoneShape(count: count, width: width, bound: bound)
    low = PackedColumn(
      bytes.clamped(0..<(shape.lowByteCount)), count: count, width: width)
    high = bytes.clamped(shape.lowByteCount..<shape.lowByteCount + shape.highByteCount)
    samples = bytes.clamped(shape.lowByteCount + shape.highByteCount..<bytes.byteCount)
    self.width = width
    self.count = count
  }

  /// The value of `row`.
  ///
  /// - Complexity: O(1) where values are spread evenly, O(n / 64) at worst.
  subscript(row: Int) -> Int {
    guard row >= 0, row < count else { return 0 }
    return value(row, highPosition: highPosition(row))
  }

  /// The values of `row` and `row + 1` as a range.
  ///
  /// It is the extent of item `row` where the sequence holds the starts of items and, last, the end.
  /// Decreasing values, which only a corrupt pack has, give an empty range.
  func range(_ row: Int) -> Range<Int> {
    guard row >= 0, row &+ 1 < count else { return 0..<0 }
    let position = highPosition(row)
    let lower = value(row, highPosition: position)
    let upper = value(row &+ 1, highPosition: nextOne(after: position))
    return lower <= upper ? lower..<upper : 0..<0
  }

  /// The values of the first of `rows` and of the one behind the last as a range.
  ///
  /// It is the extent of these items together.
  func range(of rows: Range<Int>) -> Range<Int> {
    if rows.count == 1 { return range(rows.lowerBound) }
    guard rows.lowerBound >= 0, rows.upperBound < count else { return 0..<0 }
    let first = highPosition(rows.lowerBound)
    let isNear = rows.count < MonotoneShape.sampleInterval
    let last = isNear ? one(rows.count, from: first) : highPosition(rows.upperBound)
    let lower = value(rows.lowerBound, highPosition: first)
    let upper = value(rows.upperBound, highPosition: last)
    return lower <= upper ? lower..<upper : 0..<0
  }

  /// Where a walk over rows that mostly ascend is.
  struct Cursor {
    fileprivate var row = Int.min
    fileprivate var position = 0
    fileprivate var value = 0
  }

  /// `range(row)`, from where the last one ended if that is near.
  @inline(__always)
  func range(_ row: Int, from cursor: inout Cursor) -> Range<Int> {
    let ahead = row &- cursor.row
    guard row >= 0, row &+ 1 < count, ahead >= 0, ahead < 16 else {
      return range(row, placing: &cursor)
    }
    var position = cursor.position
    var lower = cursor.value
    if ahead > 0 {
      for _ in 0..<ahead { position = nextOne(after: position) }
      lower = value(row, highPosition: position)
    }
    return range(row, position, lower, placing: &cursor)
  }

  private func range(_ row: Int, placing cursor: inout Cursor) -> Range<Int> {
    guard row >= 0, row &+ 1 < count else { return 0..<0 }
    let position = highPosition(row)
    return range(row, position, value(row, highPosition: position), placing: &cursor)
  }

  @inline(__always)
  private func range(
    _ row: Int, _ position: Int, _ lower: Int, placing cursor: inout Cursor
  ) -> Range<Int> {
    cursor.row = row &+ 1
    cursor.position = nextOne(after: position)
    cursor.value = value(row &+ 1, highPosition: cursor.position)
    return lower <= cursor.value ? lower..<cursor.value : 0..<0
  }

  /// The first row whose value is not below `bound`, or `count`.
  ///
  /// - Complexity: O(log n); the last 64 rows are looked at one after another.
  func lowerBound(_ bound: Int) -> Int {
    // The place of the first row of each interval is stored, so that these are compared at once.
    var first = 0
    var last = (count &+ MonotoneShape.sampleInterval &- 1) / MonotoneShape.sampleInterval
    while first < last {
      let middle = (first &+ last) &>> 1
      let row = middle &* MonotoneShape.sampleInterval
      if value(row, highPosition: sample(middle)) < bound {
        first = middle &+ 1
      } else {
        last = middle
      }
    }
    guard first > 0 else { return 0 }
    var row = (first &- 1) &* MonotoneShape.sampleInterval
    let end = min(count, row &+ MonotoneShape.sampleInterval)
    var position = sample(first &- 1)
    while row < end, value(row, highPosition: position) < bound {
      position = nextOne(after: position)
      row &+= 1
    }
    return row
  }

  /// The position of the first one bit of an interval.
  private func sample(_ interval: Int) -> Int { Int(stored: samples.uint32(at: interval &* 4)) }

  private func value(_ row: Int, highPosition: Int) -> Int {
    let upper = UInt64(truncatingIfNeeded: highPosition &- row) &<< UInt64(width)
    return Int(stored: (upper | low.raw(row)) & 0x7FFF_FFFF_FFFF_FFFF)
  }

  /// The position of one bit number `row` among the high bits.
  private func highPosition(_ row: Int) -> Int {
    let interval = row / MonotoneShape.sampleInterval
    return one(row &- interval &* MonotoneShape.sampleInterval, from: sample(interval))
  }

  /// The position of one bit number `count` of those from `position` on, of which there is one.
  @inline(__always)
  private func one(_ count: Int, from position: Int) -> Int {
    var remaining = count
    var word = high.uint64(at: (position &>> 6) &* 8) & (UInt64.max &<< UInt64(position & 63))
    var wordIndex = position &>> 6
    let wordCount = high.byteCount / 8
    while wordIndex < wordCount {
      let ones = word.nonzeroBitCount
      if remaining < ones { break }
      remaining &-= ones
      wordIndex &+= 1
      word = high.uint64(at: wordIndex &* 8)
      if word == 0 {
        wordIndex = wordWithOnes(from: wordIndex)
        word = high.uint64(at: wordIndex &* 8)
      }
    }
    return wordIndex &* 64 &+ Self.position(ofOne: remaining, in: word)
  }

  /// The position of one bit number `index` of `word`, 64 if there are fewer.
  ///
  /// All bytes are counted at once (Vigna 2008, "Broadword Implementation of Rank/Select Queries",
  /// section 3).
  private static func position(ofOne index: Int, in word: UInt64) -> Int {
    var sums = word &- (word &>> 1 & .bytes(0x55))
    sums = (sums & .bytes(0x33)) &+ (sums &>> 2 & .bytes(0x33))
    // In each byte the number of ones up to its end.
    sums = ((sums &+ sums &>> 4) & .bytes(0x0F)) &* .bytes(1)
    guard index < Int(truncatingIfNeeded: sums &>> 56) else { return 64 }
    let target = UInt64(truncatingIfNeeded: index)
    // The top bits of the bytes whose ones all come before.
    let before = ~((sums | .bytes(0x80)) &- .bytes(1) &* (target &+ 1)) & .bytes(0x80)
    let place = (((before &>> 7) &* .bytes(1)) &>> 56) &* 8
    var remaining = target &- ((sums &<< 8) &>> place & 0xFF)
    var rest = word &>> place
    while remaining > 0 {
      rest &= rest &- 1
      remaining &-= 1
    }
    return Int(truncatingIfNeeded: place) &+ rest.trailingZeroBitCount
  }

  /// The number of the first word of 64 bits from `index` on that is not zero, or that of all.
  ///
  /// Eight at once: behind an item as long as a thousand others, as the list of names of "sp" is, stand
  /// thousands of zeros.
  private func wordWithOnes(from index: Int) -> Int {
    var index = index
    let count = high.byteCount / 8
    while index &+ 8 <= count, high.areZero(sixtyFourAt: index &* 8) { index &+= 8 }
    while index < count, high.uint64(at: index &* 8) == 0 { index &+= 1 }
    return index
  }

  private func nextOne(after position: Int) -> Int {
    var wordIndex = position &>> 6
    var word = high.uint64(at: wordIndex &* 8) & (UInt64.max &<< UInt64(position & 63))
    word &= word &- 1
    if word == 0 {
      wordIndex = min(wordWithOnes(from: wordIndex &+ 1), max(wordIndex, high.byteCount / 8 &- 1))
      word = high.uint64(at: wordIndex &* 8)
    }
    return wordIndex &* 64 &+ word.trailingZeroBitCount
  }
}

/// Where the three parts of an Elias-Fano section lie.
struct MonotoneShape {
  /// How many one bits lie between two samples.
  static let sampleInterval = 64

  let lowByteCount: Int
  let highByteCount: Int
  let sampleByteCount: Int
  var byteCount: Int64 {
    Int64(lowByteCount) + Int64(highByteCount) + Int64(sampleByteCount)
  }

  /// - Precondition: `count` is below 2^32 and `bound >> width` below 2^33, as `Section` checks.
  init(count: Int, width: Int, bound: Int) {
    lowByteCount = Layout.packedByteCount(count: count, width: width)
    let highBitCount = Int64(count) + Int64(bound >> width) + 1
    highByteCount = Int((highBitCount + 63) / 64 * 8)
    sampleByteCount =
      (count / Self.sampleInterval + (count % Self.sampleInterval).signum() + 1) / 2 * 8
  }

  /// The number of low bits that makes the section smallest.
  static func bestWidth(count: Int, bound: Int) -> Int {
    guard count > 0, bound > count else { return 0 }
    return Int.bitWidth - 1 - (bound / count).leadingZeroBitCount
  }
}
