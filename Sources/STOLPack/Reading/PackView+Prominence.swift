/// What the prominence of a taxon is made of: PACK.md section 6.
public struct ProminenceReasons: Equatable, Sendable {
  /// The prominence.
  public let value: Int
  /// The names of the taxon that are no synonyms.
  public let commonNameCount: Int
  /// How many languages these are of.
  public let languageCount: Int
  /// The traits of the taxon.
  public let traitCount: Int
  /// Whether it has a conservation code.
  public let hasConservationCode: Bool
  /// What all this weighs.
  public let weight: UInt64
  /// What that of the subtree weighs, the taxon included.
  public let subtreeWeight: UInt64
  /// What follows from these; the source states the value where it is another.
  public let computed: Int
}

extension PackView {
  /// What the prominence of a taxon is made of.
  ///
  /// - Complexity: O(n) for n taxa of the subtree and their names.
  public func prominenceReasons(of taxon: TaxonOrdinal) -> ProminenceReasons {
    let facts = prominenceFacts(of: taxon)
    var sum: UInt64 = 0
    for taxon in tree.subtree(of: taxon) { sum += prominenceFacts(of: taxon).weight }
    return ProminenceReasons(
      value: taxa.prominence(of: taxon), commonNameCount: facts.commonNameCount,
      languageCount: facts.languageCount, traitCount: facts.traitCount,
      hasConservationCode: facts.hasConservationCode, weight: facts.weight, subtreeWeight: sum,
      computed: Prominence.value(weight: facts.weight, subtreeWeight: sum))
  }

  private func prominenceFacts(of taxon: TaxonOrdinal) -> Prominence.Facts {
    var facts = Prominence.Facts()
    if taxa.hasCommonName(taxon) {
      var languages: Set<LanguageRow> = []
      for name in names.furtherNames(of: taxon) where names.type(of: name) != .synonym {
        facts.commonNameCount += 1
        languages.insert(names.language(of: name))
      }
      facts.languageCount = languages.count
    }
    facts.traitCount = traits.pairs(of: taxon).count
    facts.hasConservationCode = taxa.conservation(of: taxon).rawValue > 0
    return facts
  }
}
