public import STOLData
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
      SearchQuery(prefix, order: .prominence, limit: maxResults), filter: TaxonFilter())
  }

  /// Finds taxa with every setting that the engine has.
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
      var results: [SearchResult] = []
      results.reserveCapacity(session.hits.count)
      for hit in session.hits { results.append(SearchResult(hit, query: query.text, in: view)) }
      return results
    }
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
