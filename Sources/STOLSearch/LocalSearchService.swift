public import STOLData
import STOLMatch
public import STOLPack
import STOLSystem

/// Searches the pack of the active database.
///
/// Holds one or more search sessions, whose memory is used again and again; each answers one query
/// at a time. A query whose task was cancelled while it waited is not asked any more, so that on each
/// keystroke the one before can be cancelled.
public final class LocalSearchService: SearchService {
  private let provider: any SnapshotSource
  private let workers: [SearchWorker]
  /// How many queries each session has been given and not answered yet.
  private let waiting: Locked<[Int]>

  /// A service over the active database of `provider`.
  ///
  /// - Parameters:
  ///   - provider: gives the pack.
  ///   - sessionCount: how many queries are answered at the same time; each session keeps some
  ///     hundred kilobytes.
  public init(provider: any SnapshotSource, sessionCount: Int = 1) {
    self.provider = provider
    workers = (0..<max(1, sessionCount)).map { _ in SearchWorker() }
    waiting = Locked(workers.map { _ in 0 })
  }

  /// Finds taxa by any of their names; see `SearchService`.
  public func search(
    query: String, rank: TaxonRank?, maxResults: Int
  ) async throws -> [SearchResult] {
    do {
      return try await search(
        SearchQuery(query, limit: maxResults), filter: TaxonFilter(rank: rank))
    } catch SearchError.unknownValue {
      // A database without taxa of a rank does not make a search for them wrong.
      return []
    }
  }

  /// Completes the beginning of a name, the best known taxa first.
  ///
  /// - Throws: `SearchError.queryTooLong`, `CancellationError`.
  public func autocomplete(prefix: String, maxResults: Int) async throws -> [String] {
    try await completions(of: prefix, maxResults: maxResults).map(\.matchedName)
  }

  /// The completions of the beginning of a name with what is known of each, the best known first.
  ///
  /// - Throws: `SearchError.queryTooLong`, `CancellationError`.
  public func completions(of prefix: String, maxResults: Int) async throws -> [SearchResult] {
    try await search(
      SearchQuery(prefix, words: .asTyped, limit: maxResults), filter: TaxonFilter())
  }

  /// Finds taxa with every setting that the engine has.
  ///
  /// A text that no name has as a whole, in its beginning or by its words, but that is a name with its
  /// authors behind it, as "Panthera leo (Linnaeus, 1758)", finds the taxa whose name it is, unless what
  /// is known of their authors contradicts.
  ///
  /// - Parameters:
  ///   - query: text, mode, distance, order and limit; its own filter is replaced.
  ///   - filter: which taxa may be hit. With a filter a blank text lists all that pass.
  ///   - snapshot: the database to search; nil for the active one.
  /// - Returns: the first hits of a total order.
  /// - Throws: `SearchError`, `CancellationError`.
  public func search(
    _ query: SearchQuery, filter: TaxonFilter, in snapshot: DatabaseSnapshot? = nil
  ) async throws -> [SearchResult] {
    let byteCount = query.text.utf8.count
    guard byteCount <= SearchQuery.maximumByteCount else {
      throw SearchError.queryTooLong(byteCount: byteCount)
    }
    let pack = (snapshot ?? provider.snapshot()).pack
    var asked = query
    asked.filter = try filter.resolved(in: pack.view)
    let query = asked
    return try await withSession { session in
      let view = pack.view
      session.search(query, in: view)
      let hits = Self.authored(query, in: view, session.hits) ?? session.hits
      var results: [SearchResult] = []
      results.reserveCapacity(hits.count)
      for hit in hits { results.append(SearchResult(hit, query: query.text, in: view)) }
      return results
    }
  }

  /// The hits of a name with its authors behind it; nil where the text is none, or where what was found
  /// is not only similar to it.
  private static func authored(
    _ query: SearchQuery, in view: borrowing PackView, _ hits: [SearchHit]
  ) -> [SearchHit]? {
    guard hits.first.map({ $0.matchClass >= .fuzzyName && $0.distance > 0 }) ?? true else {
      return nil
    }
    let text = Array(query.text.utf8)[...]
    guard AuthoredNames.mayHaveAuthors(text) else { return nil }
    var authored = AuthoredNames()
    let uses = authored.uses(of: text, passing: query.filter, in: view)
    return uses.isEmpty
      ? nil : uses.prefix(max(0, query.limit)).map { SearchHit(identified: $0.taxon, $0.name) }
  }

  /// Lets `body` search with the session that has the least to do, when its turn comes.
  ///
  /// - Throws: what `body` throws, and `CancellationError`.
  package func withSession<Value: Sendable>(
    _ body: @Sendable (inout SearchSession) throws -> Value
  ) async throws -> Value {
    let number = waiting.withLock { waiting in
      let number = waiting.indices.min { waiting[$0] < waiting[$1] } ?? 0
      waiting[number] += 1
      return number
    }
    defer { waiting.withLock { $0[number] -= 1 } }
    return try await workers[number].answer(body)
  }
}

/// A search session that answers one query at a time.
private actor SearchWorker {
  private var session = SearchSession()

  func answer<Value: Sendable>(
    _ body: @Sendable (inout SearchSession) throws -> Value
  ) throws -> Value {
    try Task.checkCancellation()
    return try body(&session)
  }
}
