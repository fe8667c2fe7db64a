import STOLPack
import STOLSystem

/// How much is in each clade of a pack, so that no page walks through a large one.
///
/// A clade is a range of taxa. What lies before every 64th taxon is kept, half a byte a taxon; the ends of a range
/// are counted.
struct CladeCounts: Sendable {
  /// As many taxa lie between two sums.
  static let blockSize = 64

  /// What lies before each block, the end of the last one too.
  private let sums: [CladeFacts]
  private let reader: Reader

  /// - Complexity: O(number of taxa)
  init(of view: borrowing PackView) {
    let reader = Reader(view)
    let taxa = view.tree.taxa
    var sums: [CladeFacts] = []
    sums.reserveCapacity(taxa.count / Self.blockSize + 1)
    var facts = CladeFacts()
    for taxon in taxa {
      if taxon.index % Self.blockSize == 0 { sums.append(facts) }
      reader.add(taxon, of: view, to: &facts)
    }
    if taxa.count % Self.blockSize == 0 { sums.append(facts) }
    self.sums = sums
    self.reader = reader
  }

  /// How much is in the clade of a taxon, or for nil in the whole tree.
  ///
  /// - Complexity: O(1): at most 128 taxa are looked at.
  func facts(of taxon: TaxonOrdinal?, in view: borrowing PackView) -> CladeFacts {
    let clade = taxon.map { view.tree.subtree(of: $0) } ?? view.tree.taxa
    guard clade.count > 2 * Self.blockSize else {
      return count(clade, from: CladeFacts(), in: view)
    }
    return before(clade.upperBound, in: view) - before(clade.lowerBound, in: view)
  }

  private func before(_ taxon: TaxonOrdinal, in view: borrowing PackView) -> CladeFacts {
    let block = taxon.index / Self.blockSize
    let start = TaxonOrdinal(rawValue: UInt32(block * Self.blockSize))
    return count(start..<taxon, from: sums[block], in: view)
  }

  private func count(
    _ taxa: Clade, from start: CladeFacts, in view: borrowing PackView
  ) -> CladeFacts {
    var facts = start
    for taxon in taxa { reader.add(taxon, of: view, to: &facts) }
    return facts
  }

  /// What a taxon counts as.
  private struct Reader: Sendable {
    private enum Kind {
      case silent, threatened, other

      init(_ code: String) {
        switch code.uppercased() {
        case "CR", "EN", "VU": self = .threatened
        case "", "NE", "DD", "NA": self = .silent
        default: self = .other
        }
      }
    }

    private let species: RankRow?
    private let genus: RankRow?
    /// Of each code of the pack.
    private let kinds: [Kind]

    init(_ view: borrowing PackView) {
      species = view.taxa.ranks.row(of: .species)
      genus = view.taxa.ranks.row(of: .genus)
      kinds = view.taxa.conservationCodes.all.map(Kind.init)
    }

    func add(_ taxon: TaxonOrdinal, of view: borrowing PackView, to facts: inout CladeFacts) {
      let rank = view.taxa.rank(of: taxon)
      if rank == genus { facts.genusCount &+= 1 }
      guard rank == species else { return }
      facts.speciesCount &+= 1
      let code = Int(view.taxa.conservation(of: taxon).rawValue)
      guard kinds.indices.contains(code) else { return }
      if kinds[code] != .silent { facts.assessedCount &+= 1 }
      if kinds[code] == .threatened { facts.threatenedCount &+= 1 }
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
