/// What the nodes of a tree in Newick format are called.
public enum NewickLabel: String, CaseIterable, Sendable {
  /// Scientific names.
  case name
  /// Ids, as the source writes them; an implied root has none.
  case id
}

extension PackView {
  /// The subtree of `taxon` in Newick format, labels quoted where they must be.
  ///
  /// Taxa for which `isIncluded` is false are left out, with all below them.
  ///
  /// - Parameters:
  ///   - taxon: the root.
  ///   - labels: what the nodes are called.
  ///   - collapses: whether taxa with a single child are left out, that child in their place.
  ///   - isIncluded: which taxa are there.
  /// - Returns: one line.
  /// - Complexity: O(size of the subtree)
  public func newick(
    of taxon: TaxonOrdinal, labels: NewickLabel = .name, collapses: Bool = false,
    where isIncluded: (TaxonOrdinal) -> Bool
  ) -> String {
    var nodes: [InducedSubtree.Node] = []
    // The positions of the taxon before and of those above it.
    var path: [Int] = []
    var index = taxon.index
    let end = tree.subtree(of: taxon).upperBound.index
    while index < end {
      let next = TaxonOrdinal(index)
      guard isIncluded(next) else {
        index = max(index + 1, tree.end(of: next).index)
        continue
      }
      while let last = path.last, !tree.isAncestor(nodes[last].taxon, of: next) {
        path.removeLast()
      }
      nodes.append(
        InducedSubtree.Node(taxon: next, parent: path.last, isRequested: next == taxon))
      path.append(nodes.count - 1)
      index += 1
    }
    let text = newick(of: InducedSubtree(nodes: nodes), labels: labels, collapses: collapses)
    // A tree of no taxa is an empty label.
    return text.isEmpty ? ";" : text
  }

  /// An induced subtree in Newick format; a forest gives one tree a line.
  ///
  /// - Parameters:
  ///   - tree: the nodes, in preorder.
  ///   - labels: what the nodes are called.
  ///   - collapses: whether nodes with a single child are left out, unless they were asked for.
  /// - Returns: a line for each tree, the last one without its end.
  /// - Complexity: O(number of nodes)
  public func newick(
    of tree: InducedSubtree, labels: NewickLabel = .name, collapses: Bool = false
  ) -> String {
    let tree = collapses ? tree.collapsed() : tree
    var text = ""
    // Nodes whose children are still being written.
    var open: [(node: Int, hasChildren: Bool)] = []
    func close() {
      guard let last = open.popLast() else { return }
      if last.hasChildren { text += ")" }
      text += label(of: tree.nodes[last.node].taxon, labels)
      if open.isEmpty { text += ";" }
    }
    for (number, node) in tree.nodes.enumerated() {
      while let last = open.last, last.node != node.parent { close() }
      if open.isEmpty {
        if number > 0 { text += "\n" }
      } else {
        text += open[open.count - 1].hasChildren ? "," : "("
        open[open.count - 1].hasChildren = true
      }
      open.append((number, false))
    }
    while !open.isEmpty { close() }
    return text
  }

  private func label(of taxon: TaxonOrdinal, _ labels: NewickLabel) -> String {
    switch labels {
    case .name: Self.newickLabel(names.scientificName(of: taxon))
    case .id: sourceID(of: taxon).map { Self.newickLabel($0) } ?? ""
    }
  }

  /// Olsen 1990, "Newick's 8:45": a quoted label doubles its quotes.
  ///
  /// What would end a line or turn one around is written as its number, `\u{a}`.
  static func newickLabel(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2E, 0x2D, 0x80...0xFF: true
      default: false
      }
    }
    let isQuoted = !isPlain || name.isEmpty
    if !isQuoted, name.utf8.allSatisfy({ $0 < 0x80 }) { return name }
    var label = isQuoted ? "'" : ""
    // By scalars: to `Character`, a quote with a mark over it is no quote.
    for scalar in name.unicodeScalars {
      guard !isHarmful(scalar) else {
        label += "\\u{" + String(scalar.value, radix: 16) + "}"
        continue
      }
      if scalar == "'" { label += "'" }
      label.unicodeScalars.append(scalar)
    }
    return isQuoted ? label + "'" : label
  }

  /// Whether a scalar is a control, ends a line or turns the direction of writing.
  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
      true
    default: false
    }
  }
}

extension InducedSubtree {
  /// The same without nodes that have a single child, unless they were asked for.
  ///
  /// - Complexity: O(number of nodes)
  public func collapsed() -> InducedSubtree {
    var childCounts = [Int](repeating: 0, count: nodes.count)
    for node in nodes { if let parent = node.parent { childCounts[parent] += 1 } }
    var number = -1
    return keeping { node in
      number += 1
      return childCounts[number] != 1 || node.isRequested
    }
  }

  /// The nodes for which `isKept` holds, which is asked in their order; what is below others goes to
  /// what is above them.
  ///
  /// - Complexity: O(number of nodes)
  package func keeping(_ isKept: (Node) -> Bool) -> InducedSubtree {
    var kept: [Node] = []
    // Where each node or, for one that is left out, what is above it, stands among those kept.
    var positions: [Int?] = []
    for node in nodes {
      let parent = node.parent.flatMap { positions[$0] }
      guard isKept(node) else {
        positions.append(parent)
        continue
      }
      positions.append(kept.count)
      kept.append(Node(taxon: node.taxon, parent: parent, isRequested: node.isRequested))
    }
    return InducedSubtree(nodes: kept)
  }
}
