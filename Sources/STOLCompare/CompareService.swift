public import STOLSystem
import STOLData
public import STOLPack

/// Compares taxa by their places in the tree and by their traits.
public protocol CompareService: AnyObject, Sendable {
  /// How two taxa are related.
  ///
  /// - Throws: `TaxonomyError` for an id without a taxon.
  func compare(taxonA: TaxonID, taxonB: TaxonID) async throws -> ComparisonResult

  /// How two taxa are related, with common names in `language`, or in what comes nearest to it.
  ///
  /// - Throws: `TaxonomyError` for an id without a taxon.
  func compare(taxonA: TaxonID, taxonB: TaxonID, language: String?) async throws -> ComparisonResult

  /// The closest taxa of the same rank, which for a species are species.
  ///
  /// They are ordered by distance, then scientific name, then id.
  ///
  /// - Parameters:
  ///   - taxonID: the taxon.
  ///   - n: the most relatives, 1 to 100.
  ///   - source: where they come from; both give the same.
  /// - Returns: at most `n` relatives, the taxon itself left out.
  /// - Throws: `CompareError.countOutOfRange`, `TaxonomyError`.
  func topNRelatives(
    of taxonID: TaxonID, n: Int, source: TopNSource
  ) async throws -> [Relative<Taxon>]
}

/// Where relatives come from.
public enum TopNSource: Sendable {
  /// The table `top_n_relatives` of the database where it has enough of them, else computed.
  case precomputed
  /// The tree.
  case computed
}

/// Settings of comparisons.
public struct CompareConfig: Hashable, Sendable {
  /// How many relatives are given where nobody says how many, 1 to 100.
  public var topN = 10
  /// Where relatives come from.
  public var topNSource = TopNSource.computed
  /// Whether traits are compared.
  public var includeTraitSimilarity = true

  /// The usual settings.
  public init() {}
}

/// How two taxa are related.
public struct ComparisonResult: Hashable, Sendable {
  /// The first taxon.
  public let taxonA: Taxon
  /// The second taxon.
  public let taxonB: Taxon
  /// Their common ancestor, the ways to it, and how far they are apart.
  public let kinship: Comparison<Taxon>
  /// What the two have in common, in plain words: "Both are in order Carnivora".
  public let sharedCladeDescription: String
  /// The traits that both have, those in which they differ, and those that are numbers; nil where
  /// they were not asked for.
  public let traits: TraitComparison?
  /// The common names of all taxa of both paths, where a language was asked for.
  public let commonNames: [TaxonID: String]
}

/// Why a comparison cannot be made.
public enum CompareError: StolError, Equatable {
  /// A number of relatives outside 1...100.
  case countOutOfRange(Int)

  /// What kind of trouble it is.
  public var kind: ErrorKind { .usage }

  /// One line: what is wrong, and what is allowed.
  public var description: String {
    switch self {
    case .countOutOfRange(let count): "\(count) relatives asked for; 1 to 100 are allowed"
    }
  }
}
