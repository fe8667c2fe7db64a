/// One pack that stays the active database, with the SQLite file beside it if there is one.
///
/// For a pack that lies anywhere; a data directory has `LocalDatabaseProvider`.
public final class SinglePackProvider: DatabaseProvider {
  private let database: DatabaseSnapshot

  /// Opens the pack at `path`.
  ///
  /// - Throws: `SystemError`, `PackError`.
  /// - Complexity: O(1)
  public init(path: String) throws { database = try DatabaseSnapshot(packAt: path) }

  /// The pack and the file beside it, always the same.
  public func snapshot() -> DatabaseSnapshot { database }

  /// The pack in figures.
  public var activeConfig: DatabaseConfig { DatabaseConfig(of: database) }

  /// False: there is no other database.
  public var isReferenceDBActive: Bool { false }

  /// - Throws: `ReferenceStore.Failure.notInstalled`, always.
  public func activateReferenceDB() async throws { throw ReferenceStore.Failure.notInstalled }

  /// Does nothing: no reference database is active.
  ///
  /// - Throws: nothing: there is only one database.
  public func deactivateReferenceDB(delete: Bool) async throws {}

  /// A stream that has ended: nothing ever changes.
  public func changes() -> AsyncStream<DatabaseConfig> { AsyncStream { $0.finish() } }
}
