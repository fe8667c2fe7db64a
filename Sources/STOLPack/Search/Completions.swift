/// Stored completions of beginnings that many names have: PACK.md section 8.
///
/// Each is a node of the trie over the vocabulary, or some words below one without children, and
/// the first ten names that a search by prefix, best known first, finds for what these begin with.
struct CompletionView: ~Escapable {
  private let words: PackedColumn
  private let names: PackedColumn

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, directory: borrowing Directory) {
    words = bytes.packed(.completeWords, directory)
    names = bytes.packed(.completeName, directory)
  }

  /// The rows of the completions of a node, or of words as `CompletedWords` has them, or nil if there
  /// are none.
  ///
  /// - Complexity: O(log n)
  func rows(of value: UInt64) -> Range<Int>? {
    let row = words.lowerBound(value)
    guard row < words.count, words.raw(row) == value else { return nil }
    return row &* Layout.completionCount..<(row &+ 1) &* Layout.completionCount
  }

  /// The name in `row`.
  subscript(row: Int) -> NameOrdinal { NameOrdinal(names[row]) }
}

/// Some words below a node without children, all of which begin so: PACK.md section 8.
struct CompletedWords {
  let words: Range<Int>
  /// Whether the beginning is the first of these words.
  let isWhole: Bool

  /// What is stored of them, in a trie of so many nodes; nil for more words than one leaf has.
  func stored(nodeCount: Int) -> UInt64? {
    guard !words.isEmpty, words.count <= Layout.trieLeafWordCount else { return nil }
    let set = UInt64(words.lowerBound) &<< 5 | (isWhole ? 16 : 0) | UInt64(words.count &- 1)
    return UInt64(truncatingIfNeeded: nodeCount) &+ set
  }
}

extension Layout {
  /// PACK.md section 8: how many completions are stored for a beginning.
  static let completionCount = 10
  /// PACK.md section 8: beginnings of no more names than this are completed by reading them all.
  static let completedNameCount = 64
}
