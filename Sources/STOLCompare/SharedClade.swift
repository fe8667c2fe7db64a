public import STOLPack

extension PackView {
  /// What two taxa have in common, in plain words.
  ///
  /// "Both are in order Carnivora"; "Panthera leo is in genus Panthera" where one contains the other;
  /// "Both are Panthera leo" where they are the same.
  ///
  /// - Parameter comparison: of two taxa of this pack.
  /// - Returns: a sentence without its full stop.
  public func sharedCladeDescription(of comparison: Comparison<TaxonOrdinal>) -> String {
    guard let ancestor = comparison.commonAncestor else {
      return "They have no common ancestor in this database"
    }
    // Both paths hold at least the taxon itself.
    let (a, b) = (comparison.pathFromA[0], comparison.pathFromB[0])
    let name = names.scientificName(of: ancestor)
    if a == b { return "Both are \(name)" }
    if isImplied(ancestor) { return "They share only a root that no source has" }
    let rank = rank(of: ancestor)
    let clade = rank.rawValue == "no rank" ? name : "\(rank) \(name)"
    if a == ancestor { return "\(names.scientificName(of: b)) is in \(clade)" }
    if b == ancestor { return "\(names.scientificName(of: a)) is in \(clade)" }
    return "Both are in \(clade)"
  }
}
