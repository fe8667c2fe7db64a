/// A taxon in the upper levels of a clade, with the size of what is below it.
package struct CladeSize: Equatable, Sendable {
  /// The taxon.
  package let taxon: TaxonOrdinal
  /// The number of edges from the clade to the taxon; roots are on level 1 of the whole tree.
  package let level: Int
  /// The number of species in its subtree, itself among them.
  package fileprivate(set) var speciesCount: Int
  /// The number of species and of leaves of other ranks: never 0, and additive.
  package fileprivate(set) var size: Int
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

  /// The taxa of a clade down to `levels` below it, in preorder, each with its number of species; for
  /// nil those of the whole tree.
  ///
  /// One pass over depths and ranks: what is open on the way from the clade to the taxon at hand
  /// remembers how much had been counted before it.
  ///
  /// - Complexity: O(number of taxa in the clade)
  package func cladeSizes(of clade: TaxonOrdinal?, levels: Int) -> [CladeSize] {
    let range = (clade.map { tree.subtree(of: $0) } ?? tree.taxa).columnIndices
    let top = clade.map { tree.depth(of: $0) } ?? -1
    let species = taxa.ranks.row(of: .species)
    var list: [CladeSize] = []
    var open: [Int] = []
    var speciesCount = 0
    var size = 0
    var depth = range.isEmpty ? 0 : tree.depths[range.lowerBound]
    for index in range {
      // What a damaged pack places above the clade counts as its child.
      let level = index == clade?.index ? 0 : max(1, depth &- top)
      if level <= levels {
        while let last = open.last, list[last].level >= level {
          list[last].close(speciesCount, size, list.count)
          open.removeLast()
        }
        open.append(list.count)
        list.append(
          CladeSize(
            taxon: TaxonOrdinal(index), level: level, speciesCount: speciesCount, size: size, end: 0
          ))
      }
      let isSpecies = taxa.rank(of: TaxonOrdinal(index)) == species
      let next = index &+ 1 < range.upperBound ? tree.depths[index &+ 1] : 0
      speciesCount &+= isSpecies ? 1 : 0
      size &+= isSpecies || next <= depth ? 1 : 0
      depth = next
    }
    for position in open { list[position].close(speciesCount, size, list.count) }
    return list
  }
}

extension CladeSize {
  /// Turns what had been counted before the taxon into what was counted in it.
  fileprivate mutating func close(_ speciesCount: Int, _ size: Int, _ end: Int) {
    self.speciesCount = speciesCount &- self.speciesCount
    self.size = size &- self.size
    self.end = end
  }
}
