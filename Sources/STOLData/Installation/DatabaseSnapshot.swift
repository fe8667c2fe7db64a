import GRDB
public import STOLPack
import STOLSystem

/// Which database answers.
public enum DatabaseSource: Equatable, Sendable {
  /// The one that every stol carries inside.
  case bundled
  /// The one that was imported.
  case reference(InstalledReference)
  /// A pack that lies anywhere.
  case file(path: String)
}

/// The database that answers at one moment: its pack, and the SQLite file of the same taxa.
///
/// Whatever needs several answers that fit together takes one snapshot and asks it alone. It keeps
/// answering, from the files that it opened, when another database becomes active or its files are
/// deleted. Cheap to copy.
public struct DatabaseSnapshot: Sendable {
  /// The pack.
  public let pack: Pack
  /// Where it lies; nil for the bundled one, which is in the program.
  public let packPath: String?
  /// The SQLite database that it was compiled from; the bundled one is there once it has been needed.
  public let databasePath: String
  /// Which one it is.
  public let source: DatabaseSource
  let connection: DatabaseConnection

  /// Opens the reference database if it is active, else the bundled one.
  ///
  /// A pack of another stol, or a damaged one, is compiled again. A reference that cannot be used is
  /// deactivated, and the bundled database opened.
  ///
  /// - Parameters:
  ///   - directory: where databases are kept.
  ///   - onPreparing: called before a pack is compiled, which may take seconds.
  ///   - onFallback: called with a line that says why the reference cannot be used.
  /// - Throws: what keeps the bundled database from opening.
  /// - Complexity: O(1), unless a pack has to be compiled.
  public init(
    in directory: DataDirectory, onPreparing: () -> Void = {},
    onFallback: (_ reason: String) -> Void = { _ in }
  ) throws {
    let store = ReferenceStore(in: directory)
    do {
      if let active = try Self.openReference(store, onPreparing) {
        self = active
        return
      }
    } catch {
      _ = try? store.setActive(false)
      let failure = error as? ReferenceStore.Failure
      onFallback(
        "the reference database cannot be used: \(failure?.reason ?? "\(error)"); the built-in one "
          + "answers; to have it back: "
          + (failure == nil ? "stol db activate, or: " : "") + "stol db import FILE.stol")
    }
    try self.init(bundledIn: directory)
  }

  /// Opens what is active and changes nothing.
  ///
  /// - Throws: what is wrong with the reference, if it is active and cannot be used.
  public init(asItIsIn directory: DataDirectory) throws {
    let store = ReferenceStore(in: directory)
    if let (reference, pack) = try store.openActive() {
      self.init(store, reference, pack)
    } else {
      try self.init(bundledIn: directory)
    }
  }

  private init(bundledIn directory: DataDirectory) throws {
    let bundled = BundledDatabase(in: directory)
    pack = try BundledDatabase.open()
    packPath = nil
    databasePath = bundled.databasePath
    source = .bundled
    connection = DatabaseConnection { try bundled.opened().queue }
  }

  /// Opens a pack that lies anywhere, with the SQLite file beside it, which need not be there.
  ///
  /// - Throws: `SystemError`, `PackError`.
  /// - Complexity: O(1)
  public init(packAt path: String) throws {
    let opened = try Pack(path: path)
    pack = opened
    packPath = path
    databasePath = SourceDatabase.path(beside: path) ?? path + ".sqlite"
    source = .file(path: path)
    connection = DatabaseConnection {
      guard let database = try SourceDatabase(beside: path, of: opened) else {
        throw TaxonomyError.noDatabase(packPath: path)
      }
      return database.queue
    }
  }

  private static func openReference(
    _ store: ReferenceStore, _ onPreparing: () -> Void
  ) throws -> DatabaseSnapshot? {
    do {
      guard let (reference, pack) = try store.openActive() else { return nil }
      return DatabaseSnapshot(store, reference, pack)
    } catch is PackError {
      // A pack of another stol, or a damaged one: what it was compiled from may be sound.
      guard let reference = try store.installed() else { return nil }
      onPreparing()
      return DatabaseSnapshot(store, reference, try store.compileAgain(reference))
    }
  }

  private init(_ store: ReferenceStore, _ reference: InstalledReference, _ pack: Pack) {
    self.pack = pack
    packPath = store.packPath(reference)
    databasePath = store.databasePath(reference)
    source = .reference(reference)
    let path = databasePath
    connection = DatabaseConnection { try TaxonomyDatabase(path: path).queue }
    // By the time it is needed, the file may be gone.
    connection.open()
  }

  /// The references for a taxon, from the SQLite file.
  ///
  /// - Throws: `TaxonomyError` for an id without a taxon or a pack without a database;
  ///   `SystemError`, `PackError.wrongSource` or `CompileError` if that cannot be read.
  public func references(for taxonID: TaxonID) async throws -> [TaxonCitation] {
    let id = try pack.currentID(of: taxonID)
    do {
      return try await connection.read { try SourceDatabase.references(of: id, in: $0) }
    } catch let error as DatabaseError {
      throw TaxonomyDatabase.unreadable(databasePath, error)
    }
  }
}

extension DatabaseSnapshot: SnapshotSource {
  /// Itself.
  public func snapshot() -> DatabaseSnapshot { self }
}

/// A SQLite file that is opened when it is first read, and then stays open.
final class DatabaseConnection: Sendable {
  private let opening: @Sendable () throws -> DatabaseQueue
  private let queue = Locked<DatabaseQueue?>(nil)

  init(_ opening: @escaping @Sendable () throws -> DatabaseQueue) { self.opening = opening }

  /// Opens the file, if that is possible.
  func open() { _ = opened() }

  /// Runs `body` on the file, read-only.
  func read<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws -> T
  ) async throws -> T {
    try await opened().get().read(body)
  }

  private func opened() -> Result<DatabaseQueue, any Error> {
    queue.withLock { queue in
      if let queue { return .success(queue) }
      let result = Result { try opening() }
      queue = try? result.get()
      return result
    }
  }
}
