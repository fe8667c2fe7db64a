import STOLPack
import STOLSystem

/// What the first page and empty fields offer of a database: what is well known in it.
struct FirstOffers: Sendable {
  /// Clades to begin with: the most prominent of the highest ranks that have several.
  let doors: [TaxonOrdinal]
  /// Taxa to look for and to compare: the most prominent species of each door.
  let examples: [TaxonOrdinal]
  let speciesCount: Int

  /// As many doors there are in all.
  private static let greatestCount = 8
  /// The ranks of doors, and how many there are of each at most.
  private static let tiers: [(rank: MainRank, limit: Int)] = [
    (.kingdom, 3), (.domain, 2), (.class, 8), (.order, 8), (.family, 8), (.genus, 8), (.phylum, 8),
  ]

  /// - Complexity: O(number of taxa)
  init(of view: borrowing PackView) {
    var tiers = [[TaxonOrdinal]](repeating: [], count: Self.tiers.count)
    for taxon in view.tree.taxa {
      guard let rank = view.taxa.mainRank(of: taxon), !view.tree.isLeaf(taxon),
        let tier = Self.tiers.firstIndex(where: { $0.rank == rank }), !view.isImplied(taxon)
      else { continue }
      tiers[tier].append(taxon)
    }
    // Only what has a name that people use, where there is any.
    var named: [[TaxonOrdinal]] = []
    for members in tiers { named.append(members.filter { view.taxa.hasCommonName($0) }) }
    if named.contains(where: { $0.count > 1 }) { tiers = named }
    var doors: [TaxonOrdinal] = []
    // A clade that is alone at its rank holds the others, and is no choice; nor is one that holds a door.
    for (tier, members) in tiers.enumerated() where members.count > 1 {
      var free: [TaxonOrdinal] = []
      for taxon in members {
        let clade = view.tree.subtree(of: taxon)
        if !doors.contains(where: clade.contains) { free.append(taxon) }
      }
      let limit = min(Self.tiers[tier].limit, Self.greatestCount - doors.count)
      doors += Self.best(limit, of: free, in: view)
      if doors.count >= Self.greatestCount { break }
    }
    self.doors = doors.isEmpty ? Array(view.tree.roots.prefix(Self.greatestCount)) : doors
    speciesCount = view.speciesCount(in: view.tree.taxa)
    examples = Self.examples(below: self.doors, in: view)
  }

  /// The most prominent of some taxa: those with a common name first.
  private static func best(
    _ count: Int, of taxa: [TaxonOrdinal], in view: borrowing PackView
  ) -> [TaxonOrdinal] {
    var keyed: [(key: Int, taxon: TaxonOrdinal)] = []
    for taxon in taxa { keyed.append((key(of: taxon, in: view), taxon)) }
    return keyed.sorted { ($1.key, $0.taxon) < ($0.key, $1.taxon) }.prefix(count).map(\.taxon)
  }

  private static func key(of taxon: TaxonOrdinal, in view: borrowing PackView) -> Int {
    view.taxa.prominence(of: taxon)
      + (view.taxa.hasCommonName(taxon) ? Prominence.greatest + 1 : 0)
  }

  /// The most prominent species in each of some clades, or where there is none its most prominent leaf, none twice.
  private static func examples(
    below doors: [TaxonOrdinal], in view: borrowing PackView
  ) -> [TaxonOrdinal] {
    let species = view.taxa.ranks.row(of: .species)
    var examples: [TaxonOrdinal] = []
    // The smallest clades first, for what they hold is in larger ones too.
    let clades = doors.map { view.tree.subtree(of: $0) }.sorted { $0.count < $1.count }
    for clade in clades {
      var best: (key: Int, taxon: TaxonOrdinal)?
      for taxon in clade {
        let isSpecies = view.taxa.rank(of: taxon) == species
        guard isSpecies || view.tree.isLeaf(taxon) else { continue }
        let key = key(of: taxon, in: view) + (isSpecies ? 4 * (Prominence.greatest + 1) : 0)
        if key > best?.key ?? -1, !examples.contains(taxon) { best = (key, taxon) }
      }
      if let best { examples.append(best.taxon) }
    }
    return best(examples.count, of: examples, in: view)
  }
}

/// The offers of the database that was asked for last.
final class OffersCache: Sendable {
  private let last = Locked<(source: SourceFingerprint, offers: FirstOffers)?>(nil)

  /// The offers of a pack.
  ///
  /// - Complexity: O(number of taxa) for the first visit of a database, else O(1).
  func offers(of pack: Pack) -> FirstOffers {
    if let known = last.withLock({ $0 }), known.source == pack.source { return known.offers }
    let offers = FirstOffers(of: pack.view)
    last.withLock { $0 = (pack.source, offers) }
    return offers
  }
}
