/// How two taxa are related: `Member` is `TaxonOrdinal` in a view of a pack, and `Taxon` in an app.
public struct Comparison<Member: Hashable & Sendable>: Hashable, Sendable {
  /// The lowest common ancestor, or nil where there is none.
  public let commonAncestor: Member?
  /// From the first taxon up to the common ancestor, both included; to the root if there is none.
  public let pathFromA: [Member]
  /// From the second taxon up to the common ancestor, both included; to the root if there is none.
  public let pathFromB: [Member]
  /// The number of steps between taxa of main ranks on the way from one to the other, or nil where there is no common ancestor.
  public let distance: Int?
  /// Jaccard's similarity of the sets of traits in 0...1, or nil where neither has any.
  public let traitSimilarity: Double?
}

extension Comparison<TaxonOrdinal> {
  /// The same with all that a pack says of each taxon, and with traits only on request.
  package func taxa(
    in view: borrowing PackView, withTraits: Bool
  ) -> Comparison<Taxon> {
    Comparison<Taxon>(
      commonAncestor: commonAncestor.map { view.taxon($0) },
      pathFromA: pathFromA.map { view.taxon($0) }, pathFromB: pathFromB.map { view.taxon($0) },
      distance: distance, traitSimilarity: withTraits ? traitSimilarity : nil)
  }
}

extension PackView {
  /// Compares two taxa.
  ///
  /// - Complexity: O(depth + number of traits)
  public func compare(_ a: TaxonOrdinal, _ b: TaxonOrdinal) -> Comparison<TaxonOrdinal> {
    let ancestor = tree.lowestCommonAncestor(a, b)
    let pairsA = traits.pairs(of: a)
    let pairsB = Set(traits.pairs(of: b))
    let shared = pairsA.count { pairsB.contains($0) }
    let union = pairsA.count + pairsB.count - shared
    return Comparison(
      commonAncestor: ancestor, pathFromA: path(from: a, to: ancestor),
      pathFromB: path(from: b, to: ancestor), distance: linnaeanDistance(a, b),
      traitSimilarity: union == 0 ? nil : Double(shared) / Double(union))
  }

  private func path(from taxon: TaxonOrdinal, to ancestor: TaxonOrdinal?) -> [TaxonOrdinal] {
    var path = [taxon]
    while let last = path.last, last != ancestor, let parent = tree.parent(of: last) {
      path.append(parent)
    }
    return path
  }
}
