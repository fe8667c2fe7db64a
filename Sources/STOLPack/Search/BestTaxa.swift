/// The greatest prominence of the taxa below a node of the trie over the vocabulary: PACK.md section 8.
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
  func leastKey(below node: Int) -> UInt32 {
    HitKey.distance(ofProminence: Int(truncatingIfNeeded: values.raw(node)))
  }

  /// The value of each node of a sound trie.
  ///
  /// - Complexity: O(p) for p names on all posting lists.
  static func values(of view: borrowing PackView) -> [UInt32] {
    var values = [UInt32](repeating: 0, count: max(0, view.names.vocabulary.trie.nodeCount))
    if !values.isEmpty { _ = visit(view.names.vocabulary.trie.root, view, &values) }
    return values
  }

  private static func visit(
    _ node: WordTrie.Node, _ view: borrowing PackView, _ values: inout [UInt32]
  ) -> UInt32 {
    let trie = view.names.vocabulary.trie
    var greatest: UInt32 = 0
    let ending = trie.ending(at: node).map { $0..<$0 + 1 }
    if let words = node.children.isEmpty ? node.words : ending {
      view.forEachName(with: words) { name in
        greatest = max(greatest, UInt32(view.taxa.prominence(of: view.names.taxon(of: name))))
      }
    }
    for child in node.children {
      greatest = max(greatest, visit(trie.node(child, below: node), view, &values))
    }
    values[node.index] = greatest
    return greatest
  }
}
