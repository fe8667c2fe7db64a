/// Stored completions of beginnings that many names have: PACK.md section 8.
///
/// Each is a node of the trie over the vocabulary and the first ten names that a search by prefix,
/// best known first, finds for its letters.
struct CompletionView: ~Escapable {
  private let nodes: PackedColumn
  private let names: PackedColumn

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, directory: borrowing Directory) {
    nodes = bytes.packed(.completeNode, directory)
    names = bytes.packed(.completeName, directory)
  }

  /// The rows of the completions of a node, or nil if there are none.
  ///
  /// - Complexity: O(log n)
  func rows(of node: Int) -> Range<Int>? {
    let row = nodes.lowerBound(UInt64(node))
    guard row < nodes.count, nodes[row] == node else { return nil }
    return row &* Layout.completionCount..<(row &+ 1) &* Layout.completionCount
  }

  /// The name in `row`.
  subscript(row: Int) -> NameOrdinal { NameOrdinal(names[row]) }
}

extension Layout {
  /// PACK.md section 8: how many completions are stored for a beginning.
  static let completionCount = 10
  /// PACK.md section 8: beginnings of no more names than this are completed by reading them all.
  static let completedNameCount = 64
}
