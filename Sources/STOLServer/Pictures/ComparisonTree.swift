import STOLPack

/// How a few taxa are related: what they share, where their ways part, and the way of each.
struct ComparisonTree: Sendable {
  /// A taxon on the way from the common ancestor to one of those compared.
  struct Node: Equatable, Sendable {
    let label: TaxonLabel
    /// The position in `nodes` of the taxon above it, or nil for the first of a tree.
    let parent: Int?
    let isCompared: Bool
    /// Whether ways part here.
    var isFork: Bool
  }

  /// From the root to above the common ancestor.
  let trunk: [TaxonLabel]
  /// The common ancestor and all below it on the way to a taxon compared, in preorder; where there is
  /// no common ancestor, whole ways from their roots.
  private(set) var nodes: [Node] = []
  let hasCommonAncestor: Bool

  /// The comparison of some taxa, eight at most to remain readable.
  ///
  /// - Complexity: O(k · depth) for k taxa.
  init(
    of taxa: [TaxonOrdinal], in view: borrowing PackView,
    _ preference: borrowing LanguagePreference
  ) {
    let ancestor = view.tree.lowestCommonAncestor(taxa)
    hasCommonAncestor = ancestor != nil
    trunk = TaxonLabel.labels(
      of: ancestor.map { view.tree.ancestors(of: $0) } ?? [], in: view, preference)
    let compared = Set(taxa)
    var all = compared
    for taxon in compared {
      var next: TaxonOrdinal? = taxon
      while let step = next {
        all.insert(step)
        next = step == ancestor ? nil : view.tree.parent(of: step)
      }
    }
    var positions: [TaxonOrdinal: Int] = [:]
    var childCounts: [Int] = []
    for taxon in all.sorted() {
      let parent = taxon == ancestor ? nil : view.tree.parent(of: taxon).flatMap { positions[$0] }
      if let parent { childCounts[parent] += 1 }
      positions[taxon] = nodes.count
      childCounts.append(0)
      nodes.append(
        Node(
          label: TaxonLabel(taxon, in: view, preference), parent: parent,
          isCompared: compared.contains(taxon), isFork: false))
    }
    for position in nodes.indices {
      nodes[position].isFork = childCounts[position] > 1 || (position == 0 && hasCommonAncestor)
    }
  }

  /// The common ancestor of all, or nil if they have none.
  var commonAncestor: TaxonLabel? { hasCommonAncestor ? nodes.first?.label : nil }

  /// The taxa compared, in preorder.
  var compared: [TaxonLabel] { nodes.filter(\.isCompared).map(\.label) }

  /// The same taxa as lists: what is shared, then what is below it.
  var list: Html {
    Html {
      if !trunk.isEmpty {
        itemList("ol", class: "trunk", of: trunk) { $0.item(to: Address(.taxon($0.address))) }
      }
      nestedLists(nodes.map(\.parent)) { index in
        let label = nodes[index].label
        label.item(to: Address(.taxon(label.address)))
        if index == 0, hasCommonAncestor { Words.comma + Words[.commonAncestor] }
      }
    }
  }
}
