/// How well known taxa are, from what their source says of them: PACK.md section 6, "Prominence".
public enum Prominence {
  /// The greatest prominence; the least is 0.
  public static let greatest = 63

  /// The logarithm of a weight to the base of the fourth root of two, rounded down between powers of two as if it were
  /// linear there: 4 k + m for a weight of k + 1 bits, of which m are the two behind the first.
  static func logarithm(_ weight: UInt64) -> Int {
    guard weight > 0 else { return 0 }
    let exponent = 63 - weight.leadingZeroBitCount
    let behind = exponent >= 2 ? weight >> UInt64(exponent - 2) : weight << UInt64(2 - exponent)
    return 4 * exponent + Int(behind & 3)
  }

  /// What is known of one taxon.
  struct Facts {
    /// Its names that are no synonyms, and the languages of these.
    var commonNameCount = 0
    var languageCount = 0
    var traitCount = 0
    var hasConservationCode = false

    /// 1 for a taxon of which there is only the name.
    var weight: UInt64 {
      let names = commonNameCount > 0 ? 16 + 2 * commonNameCount + 8 * languageCount : 0
      return UInt64(1 + names + 4 * traitCount + (hasConservationCode ? 8 : 0))
    }
  }

  /// The prominence of all taxa: what a source states, else the logarithm of the own weight, or half that of the
  /// sum over the subtree if this is more.
  ///
  /// - Parameters:
  ///   - facts: what is known of each taxon, in preorder.
  ///   - stated: nil where the source states none.
  ///   - parents: the parent of each taxon plus one, 0 for a root.
  /// - Returns: one for each taxon.
  /// - Complexity: O(n)
  static func values(_ facts: [Facts], stated: [Int?], parents: [UInt32]) -> [UInt32] {
    var sums = facts.map(\.weight)
    for taxon in sums.indices.reversed() where parents[taxon] > 0 {
      sums[Int(parents[taxon]) - 1] += sums[taxon]
    }
    return facts.indices.map { taxon in
      UInt32(stated[taxon] ?? value(weight: facts[taxon].weight, subtreeWeight: sums[taxon]))
    }
  }

  /// What follows from the weight of a taxon and from that of its subtree.
  static func value(weight: UInt64, subtreeWeight: UInt64) -> Int {
    min(greatest, max(logarithm(weight), logarithm(subtreeWeight) / 2))
  }
}
