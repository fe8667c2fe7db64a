/// How many species, and how many tiles of a picture of all life, any clade has, without a walk through it.
///
/// A tile is a species, or the top of a branch in which no species is known: what has the same area as every
/// other in a picture that is true to species. What lies within a species has no tile of its own.
package struct SpeciesTiles: Sendable {
  private let species: CountedBits
  private let tiles: CountedBits

  /// Counts the species and tiles of a tree.
  ///
  /// - Complexity: O(number of taxa)
  package init(of view: borrowing PackView) {
    let count = view.tree.taxonCount
    var isSpecies = [UInt64](repeating: 0, count: count / 64 + 1)
    if let row = view.taxa.ranks.row(of: .species) {
      for index in 0..<count where view.taxa.rank(of: TaxonOrdinal(index)) == row {
        isSpecies[index >> 6] |= 1 << UInt64(index & 63)
      }
    }
    species = CountedBits(isSpecies)
    var isTile = isSpecies
    var index = 0
    while index < count {
      let clade = view.tree.subtree(of: TaxonOrdinal(index)).columnIndices
      let isTop = species.count(in: clade) == 0
      if isTop { isTile[index >> 6] |= 1 << UInt64(index & 63) }
      let isWhole = isTop || isSpecies[index >> 6] >> UInt64(index & 63) & 1 == 1
      index = isWhole ? clade.upperBound : index + 1
    }
    tiles = CountedBits(isTile)
  }

  /// The number of species in a clade.
  ///
  /// - Complexity: O(1)
  package func speciesCount(in clade: Clade) -> Int { species.count(in: clade.columnIndices) }

  /// The number of tiles in a clade, 0 for one within a tile.
  ///
  /// - Complexity: O(1)
  package func tileCount(in clade: Clade) -> Int { tiles.count(in: clade.columnIndices) }
}

/// Bits, and how many of them are set before each word.
private struct CountedBits: Sendable {
  private let words: [UInt64]
  private let counts: [UInt32]

  init(_ words: [UInt64]) {
    self.words = words
    var count: UInt32 = 0
    counts = words.map { word in
      defer { count += UInt32(word.nonzeroBitCount) }
      return count
    }
  }

  /// How many bits are set in a range.
  func count(in range: Range<Int>) -> Int {
    count(before: range.upperBound) - count(before: range.lowerBound)
  }

  private func count(before index: Int) -> Int {
    let below = words[index >> 6] & ((1 << UInt64(index & 63)) - 1)
    return Int(counts[index >> 6]) + below.nonzeroBitCount
  }
}
