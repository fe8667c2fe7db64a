extension TableReader {
  /// The bytes of a field, valid UTF-8, as they are; none where the row ends before.
  @_lifetime(borrow self)
  package func bytes(_ index: Int) -> Span<UInt8> {
    let range = index < row.ends.count ? row.range(index) : 0..<0
    return isInScratch ? scratch.span.extracting(range) : window.span.extracting(range)
  }

  /// Whether a field is not there, has nothing but spaces, or a word that means nothing.
  package func isEmpty(_ index: Int) -> Bool { trimmed(index).isEmpty }

  /// The text of a field without ASCII spaces around it, "" if it is empty.
  package func text(_ index: Int) -> String {
    let range = trimmed(index)
    return String(decoding: isInScratch ? scratch[range] : window[range], as: UTF8.self)
  }

  /// The text of a field as it is, "" where the row ends before.
  package func wholeText(_ index: Int) -> String {
    let range = index < row.ends.count ? row.range(index) : 0..<0
    return String(decoding: isInScratch ? scratch[range] : window[range], as: UTF8.self)
  }

  /// The number in a field, if it is a whole decimal one and fits.
  package func integer(_ index: Int) -> Int64? {
    let range = trimmed(index)
    let span = isInScratch ? scratch.span.extracting(range) : window.span.extracting(range)
    guard !span.isEmpty else { return nil }
    let isNegative = span[0] == 0x2D
    let start = isNegative || span[0] == 0x2B ? 1 : 0
    guard start < span.count else { return nil }
    var value: Int64 = 0
    for offset in start..<span.count {
      let digit = span[offset] &- 0x30
      guard digit < 10 else { return nil }
      let (product, isOver) = value.multipliedReportingOverflow(by: 10)
      // Downwards, for there is one more negative number.
      let (sum, isBelow) = product.subtractingReportingOverflow(Int64(digit))
      if isOver || isBelow { return nil }
      value = sum
    }
    return isNegative ? value : value == .min ? nil : -value
  }

  /// Whether a field, without spaces around it, is this word.
  package func equals(_ index: Int, _ word: String) -> Bool {
    let range = trimmed(index)
    guard range.count == word.utf8.count else { return false }
    let span = isInScratch ? scratch.span.extracting(range) : window.span.extracting(range)
    var offset = 0
    for byte in word.utf8 {
      if span[offset] != byte { return false }
      offset += 1
    }
    return true
  }

  /// Where a field is, without what does not count.
  private func trimmed(_ index: Int) -> Range<Int> {
    guard index < fieldCount else { return 0..<0 }
    let range = row.range(index)
    let span = isInScratch ? scratch.span : window.span
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, Self.isSpace(span[start]) { start += 1 }
    while start < end, Self.isSpace(span[end - 1]) { end -= 1 }
    let count = end - start
    if count == 2, span[start] == 0x5C, span[start + 1] == 0x4E { return 0..<0 }
    guard layout.areNullWordsEmpty, count > 0, span[start] == 0x4E else { return start..<end }
    if count == 2, span[start + 1] == 0x41 { return 0..<0 }
    if count == 4, span[start + 1] == 0x55, span[start + 2] == 0x4C, span[start + 3] == 0x4C {
      return 0..<0
    }
    return start..<end
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
}
