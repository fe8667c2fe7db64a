extension PackView {
  /// The subtree of `taxon` in Newick format, labels quoted where they must be.
  ///
  /// Taxa for which `isIncluded` is false are left out, with all below them.
  ///
  /// - Complexity: O(size of the subtree)
  public func newick(of taxon: TaxonOrdinal, where isIncluded: (TaxonOrdinal) -> Bool) -> String {
    var text = ""
    // Taxa whose children are still being written, with the number of children so far.
    var open: [(end: Int, label: String, childCount: Int)] = []
    func closeAll(before index: Int) {
      while let last = open.last, last.end <= index {
        if last.childCount > 0 { text += ")" }
        text += last.label
        open.removeLast()
      }
    }
    var index = taxon.index
    let end = tree.subtree(of: taxon).upperBound.index
    while index < end {
      let next = TaxonOrdinal(index)
      let nextEnd = tree.subtree(of: next).upperBound.index
      guard isIncluded(next) else {
        index = nextEnd
        continue
      }
      closeAll(before: index)
      if !open.isEmpty {
        text += open[open.count - 1].childCount == 0 ? "(" : ","
        open[open.count - 1].childCount += 1
      }
      open.append((nextEnd, Self.newickLabel(names.scientificName(of: next)), 0))
      index += 1
    }
    closeAll(before: end)
    return text + ";"
  }

  /// An induced subtree in Newick format; a forest gives one tree a line.
  ///
  /// - Complexity: O(number of nodes)
  public func newick(of tree: InducedSubtree) -> String {
    var children = [[Int]](repeating: [], count: tree.nodes.count)
    var roots: [Int] = []
    for (index, node) in tree.nodes.enumerated() {
      if let parent = node.parent { children[parent].append(index) } else { roots.append(index) }
    }
    // A child comes after its parent, so that all children are written first.
    var texts = [String](repeating: "", count: tree.nodes.count)
    for index in tree.nodes.indices.reversed() {
      let label = Self.newickLabel(names.scientificName(of: tree.nodes[index].taxon))
      let inner = children[index].map { texts[$0] }.joined(separator: ",")
      texts[index] = inner.isEmpty ? label : "(\(inner))\(label)"
    }
    return roots.map { texts[$0] + ";" }.joined(separator: "\n")
  }

  /// Olsen 1990, "Newick's 8:45": a quoted label doubles its quotes.
  static func newickLabel(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2E, 0x2D, 0x80...0xFF: true
      default: false
      }
    }
    guard !isPlain || name.isEmpty else { return name }
    // By scalars: to `Character`, a quote with a mark over it is no quote.
    var quoted = "'"
    for scalar in name.unicodeScalars {
      if scalar == "'" { quoted += "'" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "'"
  }
}
