/// The folded words of all names, sorted by their UTF-8 bytes, front-coded in blocks of 16.
///
/// PACK.md section 8; Witten, Moffat and Bell 1999, "Managing Gigabytes", section 4.1. Searches
/// compare against the coded form and copy nothing.
struct Vocabulary: ~Escapable {
  private let blocks: MonotoneColumn
  private let text: RawSpan
  /// The number of words.
  let count: Int

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, directory: borrowing Directory, count: Int) {
    blocks = bytes.monotone(.wordBlocks, directory)
    text = bytes.section(.wordText, directory)
    self.count = count
  }

  /// Appends the bytes of `word` to `output`; a word outside the vocabulary appends nothing.
  ///
  /// - Complexity: O(length of the words of one block)
  func append(_ word: Int, to output: inout [UInt8]) {
    guard word >= 0, word < count else { return }
    var cursor = Cursor(self, block: word / Layout.wordsPerBlock)
    let start = output.count
    for _ in 0...(word % Layout.wordsPerBlock) {
      cursor.advance()
      let kept = min(cursor.shared, output.count &- start)
      output.removeLast(output.count &- start &- kept)
      output.append(contentsOf: cursor.suffix)
    }
  }

  /// `word` as text.
  func string(_ word: Int) -> String {
    var bytes: [UInt8] = []
    append(word, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The word with exactly these bytes, or nil.
  ///
  /// - Complexity: O(log n)
  func find(_ query: Span<UInt8>) -> Int? {
    let (word, isEqual) = search(query, skippingPrefixed: false)
    return isEqual ? word : nil
  }

  /// The words that begin with these bytes.
  ///
  /// - Complexity: O(log n)
  func words(withPrefix query: Span<UInt8>) -> Range<Int> {
    let lower = search(query, skippingPrefixed: false).word
    let upper = search(query, skippingPrefixed: true).word
    return lower..<max(lower, upper)
  }

  /// The first word that is not below `query` and, on request, does not begin with it either.
  private func search(
    _ query: Span<UInt8>, skippingPrefixed: Bool
  ) -> (word: Int, isEqual: Bool) {
    var low = 0
    var high = blocks.count &- 1
    while low < high {
      let middle = (low &+ high) &>> 1
      var cursor = Cursor(self, block: middle)
      cursor.advance()
      let (matched, order) = compare(cursor.suffix, query, from: 0)
      let isPassed = order < 0 || (skippingPrefixed ? matched == query.count : order == 0)
      if isPassed { low = middle &+ 1 } else { high = middle }
    }
    guard low > 0 else { return (0, false) }
    return scan(block: low &- 1, for: query, skippingPrefixed: skippingPrefixed)
  }

  /// Scans one block, whose head is not above `query`.
  private func scan(
    block: Int, for query: Span<UInt8>, skippingPrefixed: Bool
  ) -> (word: Int, isEqual: Bool) {
    var cursor = Cursor(self, block: block)
    let first = block &* Layout.wordsPerBlock
    let end = min(first &+ Layout.wordsPerBlock, count)
    // How many bytes the last word shares with the query; that word sorts before the result.
    var matched = 0
    for word in first..<max(first, end) {
      cursor.advance()
      if word > first {
        if cursor.shared > matched { continue }
        if cursor.shared < matched { return (word, false) }
      }
      if skippingPrefixed, word > first, matched == query.count { continue }
      let (total, order) = compare(cursor.suffix, query, from: matched)
      if order == 0, !skippingPrefixed { return (word, true) }
      if order >= 0, !(skippingPrefixed && total == query.count) { return (word, false) }
      matched = total
    }
    return (max(first, end), false)
  }

  /// Compares `query[..<from] + suffix` with `query`: the length of their common prefix, and the
  /// sign of the order.
  private func compare(
    _ suffix: RawSpan, _ query: Span<UInt8>, from: Int
  ) -> (matched: Int, order: Int) {
    var index = 0
    let common = min(suffix.byteCount, query.count &- from)
    while index < common {
      let ours = suffix.uint8(at: index)
      let theirs = query[from &+ index]
      if ours != theirs { return (from &+ index, ours < theirs ? -1 : 1) }
      index &+= 1
    }
    let order = suffix.byteCount &- (query.count &- from)
    return (from &+ index, order.signum())
  }

  /// Reads the words of one block, one after another.
  private struct Cursor: ~Escapable {
    private let text: RawSpan
    private var offset: Int
    private var isHead = true
    /// How many bytes the current word shares with the one before.
    private(set) var shared = 0
    /// The rest of the bytes of the current word.
    private(set) var suffix: RawSpan

    @_lifetime(copy vocabulary)
    init(_ vocabulary: borrowing Vocabulary, block: Int) {
      text = vocabulary.text
      offset = vocabulary.blocks[block]
      suffix = vocabulary.text.clamped(0..<0)
    }

    /// Moves to the next word, which is the first one at the first call.
    @_lifetime(self: copy self)
    mutating func advance() {
      if isHead { isHead = false } else { shared = length() }
      let byteCount = length()
      suffix = text.clamped(offset..<offset &+ byteCount)
      offset &+= byteCount
    }

    /// The next LEB128 number, of at most three bytes.
    @_lifetime(self: copy self)
    private mutating func length() -> Int {
      var value = 0
      var shift = 0
      while shift < 21 {
        let byte = Int(text.uint8(at: offset))
        offset &+= 1
        value |= (byte & 0x7F) &<< shift
        if byte < 0x80 { break }
        shift &+= 7
      }
      return value
    }
  }
}
