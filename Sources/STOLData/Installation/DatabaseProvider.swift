import STOLSystem
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
  public init(of active: DatabaseSnapshot) {
    let database = (try? RegularFile(path: active.databasePath, followsLinks: true).byteCount) ?? 0
    self.init(
      source: active.source, schemaVersion: active.pack.schemaVersion,
      taxaCount: active.pack.taxonCount, sizeBytes: Int64(active.pack.byteCount + database))
  }
}

/// What a service asks for its database, once for each call: a provider, or a snapshot, which stays.
public protocol SnapshotSource: Sendable {
  /// The active database as it is now.
  ///
  /// Whoever keeps it goes on with this one when another database becomes active.
  ///
  /// - Complexity: O(1), without waiting.
  func snapshot() -> DatabaseSnapshot
}

extension SnapshotSource {
  /// The pack of the database.
  ///
  /// - Complexity: O(1), without waiting.
  public var pack: Pack { snapshot().pack }
}

/// Manages which database is active and gives access to it.
public protocol DatabaseProvider: AnyObject, SnapshotSource {
  /// The active database.
  var activeConfig: DatabaseConfig { get async }

  /// Whether the reference database is active.
  var isReferenceDBActive: Bool { get async }

  /// Makes the reference database active; it must have been imported.
  ///
  /// - Throws: `ReferenceStore.Failure` where none was imported, `PackError`, `SystemError`.
  func activateReferenceDB() async throws

  /// Makes the bundled database active, and deletes the reference database if asked to.
  ///
  /// - Throws: `ReferenceStore.Failure`, `BundledDatabase.Failure`, `SystemError`.
  func deactivateReferenceDB(delete: Bool) async throws

  /// Each change of the active database from now on, until the stream is dropped.
  func changes() async -> AsyncStream<DatabaseConfig>
}

/// The databases kept in a data directory.
///
/// Another process may import, switch or delete meanwhile; `reloadIfSwitched` finds out.
public actor LocalDatabaseProvider: DatabaseProvider {
  private let directory: DataDirectory
  private let logger: Logger
  private let beforeSwitching: @Sendable () throws -> Void
  private let current: Locked<DatabaseSnapshot>
  /// What `reference.txt` held when the active database was opened.
  private let state: Locked<[UInt8]>
  private var listeners: [Int: AsyncStream<DatabaseConfig>.Continuation] = [:]
  private var listenerCount = 0

  /// Opens the active database of `directory`, after removing what an unfinished import left.
  ///
  /// - Parameters:
  ///   - directory: where databases are kept.
  ///   - logger: is told why a reference cannot be used.
  ///   - beforeSwitching: called before another database is made active; see `ReferenceStore`.
  /// - Throws: `DataDirectoryError` where others could have put something there, and what keeps the bundled
  ///   database from opening.
  public init(
    directory: DataDirectory, logger: Logger = Logger(label: "stol.db"),
    beforeSwitching: @escaping @Sendable () throws -> Void = {}
  ) throws {
    self.directory = directory
    self.logger = logger
    self.beforeSwitching = beforeSwitching
    try directory.check()
    let store = ReferenceStore(in: directory)
    store.recover()
    state = Locked(store.state)
    current = Locked(try Self.open(directory, logger))
  }

  private nonisolated var store: ReferenceStore {
    ReferenceStore(in: directory, beforeSwitching: beforeSwitching)
  }

  private static func open(_ directory: DataDirectory, _ logger: Logger) throws -> DatabaseSnapshot
  {
    try DatabaseSnapshot(in: directory, onFallback: { logger.error("\($0)") })
  }

  /// The active database as it is now.
  public nonisolated func snapshot() -> DatabaseSnapshot { current.withLock { $0 } }

  /// The active database in figures.
  public var activeConfig: DatabaseConfig { DatabaseConfig(of: snapshot()) }

  /// Whether the reference database is active.
  public var isReferenceDBActive: Bool { snapshot().source != .bundled }

  /// Makes the reference database active and tells the listeners.
  ///
  /// - Throws: `ReferenceStore.Failure`; then nothing has changed.
  public func activateReferenceDB() async throws {
    _ = try store.setActive(true)
    try await reload()
  }

  /// Makes the bundled database active, and deletes the reference database if asked to.
  ///
  /// - Throws: `ReferenceStore.Failure`.
  public func deactivateReferenceDB(delete: Bool) async throws {
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

  /// Opens what is active now if another process has installed, switched or deleted a database since; what
  /// cannot be opened is logged, and what was active stays so.
  ///
  /// - Returns: whether something was opened.
  /// - Complexity: O(1); a file of a few lines is read.
  public nonisolated func reloadIfSwitched() async -> Bool {
    guard store.state != state.withLock({ $0 }) else { return false }
    do {
      try await reload()
      return true
    } catch {
      logger.error("\(error)")
      return false
    }
  }

  /// Opens what is active now and tells the listeners if that is another database than before.
  ///
  /// - Throws: as opening does: `ReferenceStore.Failure`, `BundledDatabase.Failure`, `PackError`.
  public func reload() async throws {
    let bytes = store.state
    state.withLock { $0 = bytes }
    let active = try Self.open(directory, logger)
    let before = current.withLock { current in
      defer { current = active }
      return current.source
    }
    guard active.source != before else { return }
    let config = DatabaseConfig(of: active)
    for listener in listeners.values { listener.yield(config) }
  }

  private func forget(_ number: Int) { listeners[number] = nil }
}
