extension TreeView {
  /// The deepest taxon with at least a share of the weight of some taxa at it or below it; nil where no
  /// root has, and for no weight at all.
  ///
  /// The clade of more than half of the weight holds the median of the taxa in preorder, so that it is
  /// an ancestor of that one, or the median itself.
  ///
  /// - Parameters:
  ///   - members: taxa, each with a weight that is not negative; the sum of all must be finite. A taxon
  ///     may come again.
  ///   - share: above 0.5, so that there is one such taxon, and 1 at most.
  /// - Returns: the taxon, or nil.
  /// - Complexity: O(k log k + d log k) for k taxa at depth d.
  public func majorityAncestor(
    of members: [(taxon: TaxonOrdinal, weight: Double)], share: Double
  ) -> TaxonOrdinal? {
    precondition(share > 0.5 && share <= 1, "a share of \(share) may be that of several taxa")
    let sorted = members.filter { $0.taxon.index < taxonCount }.sorted { $0.taxon < $1.taxon }
    // The weight before each member.
    var before: [Double] = [0]
    for member in sorted { before.append(before[before.count - 1] + member.weight) }
    guard let total = before.last, total > 0 else { return nil }
    func firstMember(from taxon: TaxonOrdinal) -> Int {
      var low = 0
      var high = sorted.count
      while low < high {
        let middle = (low + high) / 2
        if sorted[middle].taxon < taxon { low = middle + 1 } else { high = middle }
      }
      return low
    }
    var next = sorted.indices.first { before[$0 + 1] * 2 > total }.map { sorted[$0].taxon }
    while let taxon = next {
      let clade = subtree(of: taxon)
      let weight = before[firstMember(from: clade.upperBound)] - before[firstMember(from: taxon)]
      // A sum of shares such as 0.7 is not exact.
      if weight >= share * total * (1 - 1e-12) { return taxon }
      next = parent(of: taxon)
    }
    return nil
  }
}
