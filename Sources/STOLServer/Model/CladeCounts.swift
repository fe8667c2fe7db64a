import STOLPack
import STOLSystem

/// How much is in each clade of a pack, so that no page walks through a large one.
struct CladeCounts: Sendable {
  let species: CountedTaxa
  /// The species, and what has nothing below it.
  let tips: CountedTaxa
  let tiles: SpeciesTiles
  private let genera: CountedTaxa
  private let assessed: CountedTaxa
  private let threatened: CountedTaxa

  /// - Complexity: O(number of taxa)
  init(of view: borrowing PackView) {
    let count = view.tree.taxonCount
    let (species, genus) = (view.taxa.ranks.row(of: .species), view.taxa.ranks.row(of: .genus))
    let threats = view.taxa.conservationCodes.all.map(Threat.init)
    func threat(of taxon: TaxonOrdinal) -> Threat {
      guard view.taxa.rank(of: taxon) == species else { return .silent }
      let code = Int(view.taxa.conservation(of: taxon).rawValue)
      return threats.indices.contains(code) ? threats[code] : .silent
    }
    let all = CountedTaxa(count) { view.taxa.rank(of: $0) == species }
    self.species = all
    genera = CountedTaxa(count) { view.taxa.rank(of: $0) == genus }
    assessed = CountedTaxa(count) { threat(of: $0) != .silent }
    threatened = CountedTaxa(count) { threat(of: $0) == .threatened }
    tips = CountedTaxa(count) { all.contains($0) || view.tree.isLeaf($0) }
    tiles = SpeciesTiles(of: view, species: all)
  }

  /// How much is in the clade of a taxon, or for nil in the whole tree.
  ///
  /// - Complexity: O(1)
  func facts(of taxon: TaxonOrdinal?, in view: borrowing PackView) -> CladeFacts {
    let clade = taxon.map { view.tree.subtree(of: $0) } ?? view.tree.taxa
    return CladeFacts(
      speciesCount: species.count(in: clade), genusCount: genera.count(in: clade),
      assessedCount: assessed.count(in: clade), threatenedCount: threatened.count(in: clade))
  }

  /// What a category of the Red List says.
  private enum Threat {
    case silent, threatened, other

    init(_ code: String) {
      switch code.uppercased() {
      case "CR", "EN", "VU": self = .threatened
      case "", "NE", "DD", "NA": self = .silent
      default: self = .other
      }
    }
  }
}

/// The counts of the database that was asked for last.
final class CountsCache: Sendable {
  private let last = Locked<(source: SourceFingerprint, counts: CladeCounts)?>(nil)

  /// The counts of a pack.
  ///
  /// - Complexity: O(number of taxa) for the first visit of a database, else O(1).
  func counts(of pack: Pack) -> CladeCounts {
    if let known = last.withLock({ $0 }), known.source == pack.source { return known.counts }
    let counts = CladeCounts(of: pack.view)
    last.withLock { $0 = (pack.source, counts) }
    return counts
  }
}
