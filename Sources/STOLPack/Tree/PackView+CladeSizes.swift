/// A taxon in the upper levels of a clade, with the size of what is below it.
package struct CladeSize: Equatable, Sendable {
  /// The taxon.
  package let taxon: TaxonOrdinal
  /// The number of edges from the clade to the taxon; roots are on level 1 of the whole tree.
  package let level: Int
  /// The number of species in its subtree, itself among them.
  package let speciesCount: Int
  /// The number of species and of leaves of other ranks: never 0, and additive.
  package let size: Int
  /// Where in the list the first taxon stands that is not in its subtree.
  package fileprivate(set) var end: Int
}

extension PackView {
  /// The number of species in a clade.
  ///
  /// - Complexity: O(number of taxa in the clade)
  package func speciesCount(in clade: Clade) -> Int {
    guard let species = taxa.ranks.row(of: .species) else { return 0 }
    var count = 0
    for taxon in clade { count &+= taxa.rank(of: taxon) == species ? 1 : 0 }
    return count
  }

  /// The taxa of a clade down to `levels` below it, in preorder, each with how much is in it; for nil those of
  /// the whole tree.
  ///
  /// - Parameters:
  ///   - clade: the clade, or nil.
  ///   - levels: how many edges down.
  ///   - species: the species of the pack.
  ///   - tips: its species and the leaves of other ranks.
  /// - Returns: the taxa.
  /// - Complexity: O(number of taxa given)
  package func cladeSizes(
    of clade: TaxonOrdinal?, levels: Int, species: CountedTaxa, tips: CountedTaxa
  ) -> [CladeSize] {
    let range = (clade.map { tree.subtree(of: $0) } ?? tree.taxa).columnIndices
    let top = clade.map { tree.depth(of: $0) } ?? -1
    var list: [CladeSize] = []
    var open: [Int] = []
    var index = range.lowerBound
    while index < range.upperBound {
      let taxon = TaxonOrdinal(index)
      // What a damaged pack places above the clade counts as its child.
      let level = index == clade?.index ? 0 : max(1, tree.depths[index] &- top)
      let subtree = tree.subtree(of: taxon)
      while let last = open.last, list[last].level >= level {
        list[last].end = list.count
        open.removeLast()
      }
      open.append(list.count)
      list.append(
        CladeSize(
          taxon: taxon, level: level, speciesCount: species.count(in: subtree),
          size: tips.count(in: subtree), end: 0))
      index = level < levels ? index &+ 1 : max(index &+ 1, subtree.columnIndices.upperBound)
    }
    for position in open { list[position].end = list.count }
    return list
  }
}
