/// Some taxa of a pack, counted so that every clade says at once how many of them it has.
///
/// A bit a taxon, and before each word of them how many are set: the directory of one level of Jacobson (1989,
/// "Space-efficient Static Trees and Graphs"), 1.5 bits a taxon in all.
package struct CountedTaxa: Sendable {
  private let words: [UInt64]
  private let counts: [UInt32]

  /// Those of the first `taxonCount` taxa that fit.
  ///
  /// - Complexity: O(number of taxa)
  package init(_ taxonCount: Int, where isIncluded: (TaxonOrdinal) -> Bool) {
    var words = [UInt64](repeating: 0, count: taxonCount / 64 + 1)
    for index in 0..<taxonCount where isIncluded(TaxonOrdinal(index)) {
      words[index >> 6] |= 1 << UInt64(index & 63)
    }
    self.init(words)
  }

  /// Those whose bits are set, of which there is a word more than the taxa fill.
  init(_ words: [UInt64]) {
    self.words = words
    var count: UInt32 = 0
    counts = words.map { word in
      defer { count += UInt32(word.nonzeroBitCount) }
      return count
    }
  }

  /// The bits as they are, for other sets that begin with these.
  var bits: [UInt64] { words }

  /// Whether a taxon is one of them.
  ///
  /// - Complexity: O(1)
  package func contains(_ taxon: TaxonOrdinal) -> Bool {
    words[taxon.index >> 6] >> UInt64(taxon.index & 63) & 1 == 1
  }

  /// How many of them a clade has.
  ///
  /// - Complexity: O(1)
  package func count(in clade: Clade) -> Int {
    let range = clade.columnIndices
    return count(before: range.upperBound) - count(before: range.lowerBound)
  }

  private func count(before index: Int) -> Int {
    let below = words[index >> 6] & ((1 << UInt64(index & 63)) - 1)
    return Int(counts[index >> 6]) + below.nonzeroBitCount
  }
}
