/// The tiles of a picture of all life: its species, and the tops of branches in which no species is known.
///
/// Each has the same area in a picture that is true to species. What lies within a species has no tile of its own.
package struct SpeciesTiles: Sendable {
  private let tiles: CountedTaxa

  /// Finds the tiles of a tree with these species.
  ///
  /// - Complexity: O(number of taxa)
  package init(of view: borrowing PackView, species: CountedTaxa) {
    let count = view.tree.taxonCount
    var isTile = species.bits
    var index = 0
    while index < count {
      let taxon = TaxonOrdinal(index)
      let clade = view.tree.subtree(of: taxon)
      let isTop = species.count(in: clade) == 0
      if isTop { isTile[index >> 6] |= 1 << UInt64(index & 63) }
      index = isTop || species.contains(taxon) ? clade.columnIndices.upperBound : index + 1
    }
    tiles = CountedTaxa(isTile)
  }

  /// The number of tiles in a clade, 0 for one within a tile.
  ///
  /// - Complexity: O(1)
  package func count(in clade: Clade) -> Int { tiles.count(in: clade) }
}
