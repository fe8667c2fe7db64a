extension TreeView {
  /// The lowest common ancestor of two taxa, or nil where they have different roots.
  ///
  /// In preorder, the LCA of u < v is the least parent of the taxa in (u, v]: a range minimum. Whole
  /// blocks between the two come from the sparse table, the two ends from the minima stored in their
  /// blocks. Bender and Farach-Colton 2000; Fischer and Heun 2007.
  ///
  /// - Complexity: O(1)
  @inline(never)
  public func lowestCommonAncestor(_ a: TaxonOrdinal, _ b: TaxonOrdinal) -> TaxonOrdinal? {
    let first = min(a, b).index
    let last = max(a, b).index
    guard first < last else { return a }
    guard last < taxonCount else { return nil }
    let stored = leastStoredParent(from: first &+ 1, through: last)
    // Only a corrupt pack fails the second test.
    guard stored > 0, stored <= first &+ 1 else { return nil }
    return TaxonOrdinal(stored &- 1)
  }

  /// The lowest common ancestor of any number of taxa, or nil for none and for different roots.
  ///
  /// It is that of the first and the last in preorder.
  ///
  /// - Complexity: O(k) for k taxa.
  public func lowestCommonAncestor(_ taxa: some Sequence<TaxonOrdinal>) -> TaxonOrdinal? {
    var first: TaxonOrdinal?
    var last: TaxonOrdinal?
    for taxon in taxa {
      first = min(first ?? taxon, taxon)
      last = max(last ?? taxon, taxon)
    }
    guard let first, let last else { return nil }
    return lowestCommonAncestor(first, last)
  }

  /// The lowest common ancestor found by walking up from the one with the higher ordinal: the
  /// baseline of the benchmarks.
  ///
  /// - Complexity: O(depth)
  @inline(never)
  public func lowestCommonAncestorByWalking(_ a: TaxonOrdinal, _ b: TaxonOrdinal) -> TaxonOrdinal? {
    var a = a.index &+ 1
    var b = b.index &+ 1
    while a != b, a > 0, b > 0 {
      if a > b {
        let up = storedParent(a &- 1)
        guard up < a else { return nil }
        a = up
      } else {
        let up = storedParent(b &- 1)
        guard up < b else { return nil }
        b = up
      }
    }
    return a == b && a > 0 ? TaxonOrdinal(a &- 1) : nil
  }

  /// The number of edges of the whole tree between two taxa, or nil where they have different roots.
  ///
  /// - Complexity: O(1)
  public func distance(_ a: TaxonOrdinal, _ b: TaxonOrdinal) -> Int? {
    guard let ancestor = lowestCommonAncestor(a, b) else { return nil }
    return depth(of: a) &+ depth(of: b) &- 2 &* depth(of: ancestor)
  }

  /// The least stored parent in `first...last`.
  @inline(__always)
  private func leastStoredParent(from first: Int, through last: Int) -> Int {
    let firstBlock = first &>> 4
    let lastBlock = last &>> 4
    if firstBlock == lastBlock { return parents.minimumInBlock(from: first, through: last) }
    var least = min(
      parents.minimumToBlockEnd(from: first), parents.minimumFromBlockStart(to: last))
    let between = lastBlock &- firstBlock &- 1
    if between > 0 {
      let level = Int.bitWidth &- 1 &- between.leadingZeroBitCount
      least = min(least, minimum(level: level, block: firstBlock &+ 1))
      least = min(least, minimum(level: level, block: lastBlock &- (1 &<< level)))
    }
    return least
  }
}
