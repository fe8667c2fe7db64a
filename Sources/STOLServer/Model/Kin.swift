import STOLPack

extension PackView {
  /// How many taxa of the rank of a taxon have a given last common ancestor with it.
  ///
  /// - Complexity: O(number of taxa in the ancestor's clade)
  func kinCount(of taxon: TaxonOrdinal, by ancestor: TaxonOrdinal) -> Int {
    let rank = taxa.rank(of: taxon)
    // What is on the branch that leads to the taxon is closer.
    var branch = taxon
    while branch != ancestor, let parent = tree.parent(of: branch), parent != ancestor {
      branch = parent
    }
    let nearer = branch == ancestor ? taxon..<taxon : tree.subtree(of: branch)
    var count = 0
    for other in tree.subtree(of: ancestor) where taxa.rank(of: other) == rank {
      if other != taxon, !nearer.contains(other), !isImplied(other) { count += 1 }
    }
    return count
  }
}
