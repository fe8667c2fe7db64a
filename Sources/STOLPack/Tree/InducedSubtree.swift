/// The smallest tree that holds given taxa and their common ancestors, and nothing in between.
public struct InducedSubtree: Equatable, Sendable {
  /// One taxon of the tree.
  public struct Node: Equatable, Sendable {
    /// The taxon.
    public let taxon: TaxonOrdinal
    /// The position in `nodes` of the nearest ancestor that is there, or nil for a root.
    public let parent: Int?
    /// Whether the taxon was asked for; others are common ancestors.
    public let isRequested: Bool
  }

  /// The taxa in preorder.
  public let nodes: [Node]
}

extension TreeView {
  /// The tree induced by `taxa`; a forest where they have no common ancestor.
  ///
  /// The LCAs of neighbours in preorder are all LCAs there are.
  ///
  /// - Complexity: O(k log k) for k taxa.
  public func inducedSubtree(_ taxa: some Sequence<TaxonOrdinal>) -> InducedSubtree {
    let requested = Set(taxa)
    var all = requested
    let sorted = requested.sorted()
    for (a, b) in zip(sorted, sorted.dropFirst()) {
      if let ancestor = lowestCommonAncestor(a, b) { all.insert(ancestor) }
    }
    var nodes: [InducedSubtree.Node] = []
    var path: [Int] = []
    for taxon in all.sorted() {
      while let last = path.last, !isAncestor(nodes[last].taxon, of: taxon) { path.removeLast() }
      nodes.append(
        InducedSubtree.Node(
          taxon: taxon, parent: path.last, isRequested: requested.contains(taxon)))
      path.append(nodes.count - 1)
    }
    return InducedSubtree(nodes: nodes)
  }
}
