public import STOLData
public import STOLPack

/// Compares taxa of the active database, from its pack.
public final class LocalCompareService: CompareService {
  private let provider: any SnapshotSource
  private let config: CompareConfig
  /// How many relatives may be asked for.
  public static let relativeCounts = 1...100

  /// A service over the active database of a provider, or over a snapshot.
  public init(provider: any SnapshotSource, config: CompareConfig = CompareConfig()) {
    self.provider = provider
    self.config = config
  }

  /// How two taxa are related; see `CompareService`.
  public func compare(taxonA: TaxonID, taxonB: TaxonID) throws(TaxonomyError) -> ComparisonResult {
    try compare(taxonA: taxonA, taxonB: taxonB, language: nil, withNames: false)
  }

  /// How two taxa are related, with common names in `language`, or what comes nearest to it.
  public func compare(
    taxonA: TaxonID, taxonB: TaxonID, language: String?
  ) throws(TaxonomyError) -> ComparisonResult {
    try compare(taxonA: taxonA, taxonB: taxonB, language: language, withNames: true)
  }

  private func compare(
    taxonA: TaxonID, taxonB: TaxonID, language: String?, withNames: Bool
  ) throws(TaxonomyError) -> ComparisonResult {
    let pack = provider.pack
    let view = pack.view
    let (a, b) = (try view.ordinal(of: taxonA), try view.ordinal(of: taxonB))
    let comparison = view.compare(a, b)
    let (pathA, pathB) = (comparison.pathFromA, comparison.pathFromB)
    var commonNames: [TaxonID: String] = [:]
    if withNames {
      let languages = LanguagePreference(language, in: view.names)
      for taxon in pathA + pathB {
        guard let name = view.commonName(of: taxon, in: languages) else { continue }
        commonNames[view.ids[taxon]] = view.names.text(of: name)
      }
    }
    let traits =
      config.includeTraitSimilarity
      ? TraitComparison(view.traitList(of: a), view.traitList(of: b)) : nil
    return ComparisonResult(
      taxonA: view.taxon(a), taxonB: view.taxon(b),
      kinship: comparison.taxa(in: view, withTraits: config.includeTraitSimilarity),
      sharedCladeDescription: view.sharedCladeDescription(of: comparison),
      traits: traits, commonNames: commonNames)
  }

  /// As many of the closest taxa of the same rank as the settings say.
  ///
  /// - Throws: `CompareError.countOutOfRange`, `TaxonomyError`.
  public func topNRelatives(of taxonID: TaxonID) async throws -> [Relative<Taxon>] {
    try await topNRelatives(of: taxonID, n: config.topN, source: config.topNSource)
  }

  /// The closest taxa of the same rank; see `CompareService`.
  public func topNRelatives(
    of taxonID: TaxonID, n: Int, source: TopNSource
  ) async throws -> [Relative<Taxon>] {
    guard Self.relativeCounts.contains(n) else { throw CompareError.countOutOfRange(n) }
    let snapshot = provider.snapshot()
    let pack = snapshot.pack
    if case .precomputed = source {
      let id = try pack.currentID(of: taxonID)
      // Without such a table, or without a database beside the pack, they are computed.
      if let rows = try? await StoredRelative.rows(of: id, limit: n, from: snapshot),
        rows.count == n,
        let results = Self.results(rows, pack.view)
      {
        return results
      }
    }
    let view = pack.view
    let relatives = view.relatives(of: try view.ordinal(of: taxonID), limit: n)
    var results: [Relative<Taxon>] = []
    for relative in relatives {
      results.append(
        Relative(
          taxon: view.taxon(relative.taxon), commonAncestor: view.taxon(relative.commonAncestor),
          distance: relative.distance, tieCount: relative.tieCount))
    }
    return results
  }

  /// Stored rows with their taxa; nil if the pack lacks one.
  private static func results(
    _ rows: [StoredRelative], _ view: borrowing PackView
  ) -> [Relative<Taxon>]? {
    var results: [Relative<Taxon>] = []
    for row in rows {
      guard let taxon = try? view.ordinal(of: row.relativeID),
        let ancestor = try? view.ordinal(of: row.ancestorID)
      else { return nil }
      results.append(
        Relative(
          taxon: view.taxon(taxon), commonAncestor: view.taxon(ancestor), distance: row.distance,
          tieCount: nil))
    }
    return results
  }
}
