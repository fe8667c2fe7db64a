public import GRDB
public import Logging
public import STOLPack

/// The active database in figures.
public struct DatabaseConfig: Equatable, Sendable {
  /// Which one it is.
  public let source: DatabaseSource
  /// The version of its schema.
  public let schemaVersion: Int
  /// The number of taxa.
  public let taxaCount: Int
  /// The bytes of pack and SQLite file together.
  public let sizeBytes: Int64
}

extension DatabaseConfig {
  /// The figures of a database that is open.
  public init(of active: ActiveDatabase) {
    let database = (try? RegularFile(path: active.databasePath, followsLinks: true).byteCount) ?? 0
    self.init(
      source: active.source, schemaVersion: active.pack.schemaVersion,
      taxaCount: active.pack.taxonCount, sizeBytes: Int64(active.pack.byteCount + database))
  }
}

/// Manages which database is active and gives access to it.
public protocol DatabaseProvider: AnyObject, Sendable {
  /// The active database.
  var activeConfig: DatabaseConfig { get async }

  /// The pack of the active database.
  ///
  /// Whoever keeps it goes on with this one when another database becomes active.
  ///
  /// - Complexity: O(1), without waiting.
  var pack: Pack { get }

  /// Whether the reference database is active.
  var isReferenceDBActive: Bool { get async }

  /// Runs `block` on the SQLite file of the active database, read-only.
  ///
  /// A block finishes on the database that it began with, whatever becomes active meanwhile.
  func read<T: Sendable>(_ block: @escaping @Sendable (Database) throws -> T) async throws -> T

  /// Makes the reference database active; it must have been imported.
  func activateReferenceDB() async throws

  /// Makes the bundled database active, and deletes the reference database if asked to.
  func deactivateReferenceDB(delete: Bool) async throws

  /// Each change of the active database from now on, until the stream is dropped.
  func changes() async -> AsyncStream<DatabaseConfig>
}

/// The databases kept in a data directory.
///
/// Another process may import or switch meanwhile; `reload` finds out.
public actor LocalDatabaseProvider: DatabaseProvider {
  private let directory: DataDirectory
  private let logger: Logger
  private let current: Locked<ActiveDatabase>
  private var queue: DatabaseQueue?
  private var listeners: [Int: AsyncStream<DatabaseConfig>.Continuation] = [:]
  private var listenerCount = 0

  /// Opens the active database of `directory`, after removing what an unfinished import left.
  ///
  /// - Throws: what keeps the bundled database from opening.
  public init(directory: DataDirectory, logger: Logger = Logger(label: "stol.db")) throws {
    self.directory = directory
    self.logger = logger
    ReferenceStore(in: directory).recover()
    let active = try Self.open(directory, logger)
    current = Locked(active)
    queue = Self.queueOfReference(active)
  }

  private static func open(_ directory: DataDirectory, _ logger: Logger) throws -> ActiveDatabase {
    try ActiveDatabase(in: directory, onFallback: { logger.error("\($0)") })
  }

  /// The active database: its pack, and where it lies.
  ///
  /// Whoever keeps it goes on with this one when another one becomes active.
  public nonisolated var database: ActiveDatabase { current.withLock { $0 } }

  /// The pack of the active database.
  public nonisolated var pack: Pack { database.pack }

  /// The active database in figures.
  public var activeConfig: DatabaseConfig { DatabaseConfig(of: database) }

  /// Whether the reference database is active.
  public var isReferenceDBActive: Bool { database.source != .bundled }

  /// Runs `block` on the SQLite file of the active database, read-only.
  public func read<T: Sendable>(
    _ block: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    try await openQueue().read(block)
  }

  /// Makes the reference database active and tells the listeners.
  ///
  /// - Throws: `ReferenceStore.Failure`; then nothing has changed.
  public func activateReferenceDB() async throws {
    _ = try ReferenceStore(in: directory).setActive(true)
    try await reload()
  }

  /// Makes the bundled database active, and deletes the reference database if asked to.
  ///
  /// - Throws: `ReferenceStore.Failure`.
  public func deactivateReferenceDB(delete: Bool) async throws {
    let store = ReferenceStore(in: directory)
    if delete {
      try store.delete()
    } else if try store.installed() != nil {
      _ = try store.setActive(false)
    }
    try await reload()
  }

  /// Each change of the active database from now on, until the stream is dropped.
  public func changes() -> AsyncStream<DatabaseConfig> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: DatabaseConfig.self, bufferingPolicy: .bufferingNewest(1))
    let number = listenerCount
    listenerCount += 1
    listeners[number] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { await self?.forget(number) }
    }
    return stream
  }

  /// Opens what is active now and tells the listeners if that is another database than before.
  public func reload() async throws {
    let active = try Self.open(directory, logger)
    let before = current.withLock { current in
      defer { current = active }
      return current.source
    }
    guard active.source != before else { return }
    queue = Self.queueOfReference(active)
    let config = DatabaseConfig(of: active)
    for listener in listeners.values { listener.yield(config) }
  }

  private func forget(_ number: Int) { listeners[number] = nil }

  /// A connection to the reference database, whose file may be gone by the time it is needed.
  private static func queueOfReference(_ active: ActiveDatabase) -> DatabaseQueue? {
    guard active.source != .bundled else { return nil }
    return try? TaxonomyDatabase(path: active.databasePath).queue
  }

  private func openQueue() throws -> DatabaseQueue {
    if let queue { return queue }
    let opened = try TaxonomyDatabase(path: database.databasePath).queue
    queue = opened
    return opened
  }

}
