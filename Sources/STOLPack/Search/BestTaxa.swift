/// The best that the taxa below a node of the trie over the vocabulary can be: PACK.md section 8.
///
/// Where many names begin with the letters of a query, nodes that cannot hold one of the best hits
/// are left out.
struct BestTaxa: ~Escapable {
  private let values: PackedColumn

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, directory: borrowing Directory) {
    values = bytes.packed(.trieBest, directory)
  }

  /// The least that `PackView.prominenceKey` can be for a taxon with a word below `node`.
  ///
  /// - Complexity: O(1)
  @inline(__always)
  func leastKey(below node: Int, _ order: SearchQuery.Order) -> UInt32 {
    let value = UInt32(truncatingIfNeeded: values.raw(node))
    return order == .relevance ? (value &>> 6) &<< 10 : (value & 63) &<< 12
  }

  /// The value of each node of a sound trie.
  ///
  /// - Complexity: O(p) for p names on all posting lists.
  static func values(of view: borrowing PackView) -> [UInt32] {
    var values = [UInt32](repeating: Self.none, count: max(0, view.names.vocabulary.trie.nodeCount))
    if !values.isEmpty { _ = visit(view.names.vocabulary.trie.root, view, &values) }
    return values
  }

  /// What stands for no taxon: the greatest rank and prominence.
  private static let none: UInt32 = 255 << 6 | 63

  private static func visit(
    _ node: WordTrie.Node, _ view: borrowing PackView, _ values: inout [UInt32]
  ) -> UInt32 {
    let trie = view.names.vocabulary.trie
    var least = none
    let ending = trie.ending(at: node).map { $0..<$0 + 1 }
    if let words = node.children.isEmpty ? node.words : ending {
      view.forEachName(with: words) { name in
        least = Self.least(least, value(of: view.names.taxon(of: name), view))
      }
    }
    for child in node.children {
      least = Self.least(least, visit(trie.node(child, below: node), view, &values))
    }
    values[node.index] = least
    return least
  }

  private static func value(of taxon: TaxonOrdinal, _ view: borrowing PackView) -> UInt32 {
    min(UInt32(view.taxa.ranks.position(of: view.taxa.rank(of: taxon))), 255) << 6
      | view.prominenceKey(taxon, .prominence) >> 12
  }

  private static func least(_ a: UInt32, _ b: UInt32) -> UInt32 {
    min(a & ~63, b & ~63) | min(a & 63, b & 63)
  }
}
