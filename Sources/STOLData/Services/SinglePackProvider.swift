public import GRDB
public import STOLPack

/// One pack that stays the active database, with the SQLite file beside it if there is one.
///
/// For a pack that lies anywhere; a data directory has `LocalDatabaseProvider`.
public actor SinglePackProvider: DatabaseProvider {
  /// The pack.
  public nonisolated let pack: Pack
  private let packPath: String
  private var queue: DatabaseQueue?

  /// Opens the pack at `path`.
  ///
  /// - Throws: `PackError`.
  /// - Complexity: O(1)
  public init(path: String) throws {
    packPath = path
    pack = try Pack(path: path)
  }

  /// The pack in figures.
  public var activeConfig: DatabaseConfig {
    DatabaseConfig(
      source: .file(path: packPath), schemaVersion: pack.schemaVersion,
      taxaCount: pack.taxonCount, sizeBytes: Int64(pack.byteCount))
  }

  /// False: there is no other database.
  public var isReferenceDBActive: Bool { false }

  /// Runs `block` on the SQLite file beside the pack, read-only.
  ///
  /// - Throws: `TaxonomyError.noDatabase`, `PackError.wrongSource`.
  public func read<T: Sendable>(
    _ block: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    try await openQueue().read(block)
  }

  /// - Throws: `ReferenceStore.Failure.notInstalled`, always.
  public func activateReferenceDB() async throws { throw ReferenceStore.Failure.notInstalled }

  /// Does nothing: no reference database is active.
  public func deactivateReferenceDB(delete: Bool) async throws {}

  /// A stream that has ended: nothing ever changes.
  public func changes() -> AsyncStream<DatabaseConfig> { AsyncStream { $0.finish() } }

  private func openQueue() throws -> DatabaseQueue {
    if let queue { return queue }
    guard let database = try SourceDatabase(beside: packPath, of: pack) else {
      throw TaxonomyError.noDatabase(packPath: packPath)
    }
    queue = database.queue
    return database.queue
  }
}
