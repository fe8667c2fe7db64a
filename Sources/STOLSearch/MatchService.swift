public import STOLData
public import STOLMatch
public import STOLPack

/// Matches names as people write them to taxa of the active database.
public protocol MatchService: AnyObject, Sendable {
  /// What a name stands for, with reasons.
  ///
  /// - Throws: `CancellationError`.
  func match(_ query: MatchQuery) async throws -> MatchResult

  /// What many names stand for, in their order.
  ///
  /// - Throws: `CancellationError`, soon after the task was cancelled.
  func match(_ queries: [MatchQuery]) async throws -> [MatchResult]
}

/// What a name stands for, in values that an app may keep.
public struct MatchResult: Sendable {
  /// A name that was weighed.
  public struct Candidate: Sendable {
    /// The id of the taxon.
    public let taxonID: TaxonID
    /// The id as the source writes it.
    public let sourceID: String?
    /// The name that was weighed: of the taxon, or a synonym of it.
    public let name: String
    /// Who gave the name.
    public let authorship: String?
    /// How the name differs from what was asked for.
    public let difference: NameDifference
    /// What each part of the comparison gave.
    public let points: [MatchPoint]
  }

  /// What became of the name.
  public let status: MatchStatus
  /// The taxon; nil where it is none, or several.
  public let taxon: Taxon?
  /// The name that matched; nil for a common ancestor.
  public let matchedName: String?
  /// How many of a hundred such answers are right.
  public let score: Int
  /// The letters that have to be changed.
  public let edits: Int
  /// Why, in a few words.
  public let reason: String
  /// What was weighed, the best first.
  public let candidates: [Candidate]

  init(_ match: NameMatch, _ view: borrowing PackView) {
    status = match.status
    taxon = match.taxon.map { view.taxon($0) }
    matchedName = match.name.map { view.names.text(of: $0) }
    score = match.score
    edits = match.edits
    reason = match.reason
    candidates = match.candidates.map { candidate in
      Candidate(
        taxonID: view.ids[candidate.taxon], sourceID: view.sourceID(of: candidate.taxon),
        name: view.names.text(of: candidate.name),
        authorship: view.record(of: candidate.name).authorship, difference: candidate.difference,
        points: candidate.points)
    }
  }
}

/// Matches names in the pack of the active database, one batch at a time.
public actor LocalMatchService: MatchService {
  private let provider: any SnapshotSource
  private var matcher: NameMatcher

  /// A service over the active database of `provider`.
  public init(
    provider: any SnapshotSource, options: NameMatcher.Options = NameMatcher.Options()
  ) {
    self.provider = provider
    matcher = NameMatcher(options: options)
  }

  /// What a name stands for; see `MatchService`.
  public func match(_ query: MatchQuery) async throws -> MatchResult {
    try Task.checkCancellation()
    let pack = provider.snapshot().pack
    return MatchResult(matcher.match(query, in: pack.view), pack.view)
  }

  /// What many names stand for; see `MatchService`.
  public func match(_ queries: [MatchQuery]) async throws -> [MatchResult] {
    let pack = provider.snapshot().pack
    let view = pack.view
    var results: [MatchResult] = []
    results.reserveCapacity(queries.count)
    for query in queries {
      try Task.checkCancellation()
      results.append(MatchResult(matcher.match(query, in: view), view))
    }
    return results
  }
}
