package import GRDB
import STOLSystem
import STOLTrust

/// Connections that read a file while others change it: each sees it as it was when it began to read.
///
/// They take no lock, for SQLite lets nobody wait who only reads a file with a log. They neither commit nor
/// checkpoint, so that they have no part in the bug that the lock of `StoreFile` is there for.
struct StoreReaders: Sendable {
  private let pool: DatabasePool
  private let identity: FileIdentity?
  /// More than these wait for each other.
  private static let count = 4

  /// Readers of the file that a connection is to.
  fileprivate init(_ layout: StoreLayout, _ path: String, beside connection: StoreConnection) throws
  {
    try self.init(layout, path, connection.queue.configuration, identity: connection.identity)
  }

  /// Readers of a file that others are at work on, and that is therefore not looked through.
  ///
  /// - Throws: `StoreError.busy` where it is not made yet, or of another version.
  fileprivate init(_ layout: StoreLayout, _ path: String, _ key: DatabaseKey?) throws {
    guard let identity = FileIdentity(path: path) else { throw StoreError.busy(path: path) }
    try self.init(
      layout, path, try StoreConnection.configuration(key, path), identity: identity)
    let version = try read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    guard version == layout.version else { throw StoreError.busy(path: path) }
  }

  private init(
    _ layout: StoreLayout, _ path: String, _ usual: Configuration, identity: FileIdentity?
  ) throws {
    var configuration = usual
    configuration.readonly = true
    configuration.maximumReaderCount = Self.count
    configuration.prepareDatabase { database in
      for function in layout.functions { database.add(function: function) }
    }
    self.identity = identity
    pool = try DatabasePool(path: path, configuration: configuration)
  }

  /// Whether they are of the file with this identity.
  fileprivate func areOf(_ found: FileIdentity?) -> Bool { found != nil && found == identity }

  fileprivate func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try pool.unsafeRead(body)
  }

  fileprivate func watch<Result>(_ body: (Database) throws -> Result) throws -> Result {
    // The one connection of the pool that always is the same.
    try pool.writeWithoutTransaction(body)
  }
}

extension StoreFile {
  /// Runs `body`, which changes nothing, without waiting for anybody who changes the file.
  ///
  /// Several may read at once. Where nothing can be written, what is read is the copy in memory.
  ///
  /// - Parameter body: what is read; once more where SQLite finds an index damaged, which is made anew then.
  /// - Returns: what `body` does.
  /// - Throws: `StoreError`
  package func withReader<Result>(
    _ body: (Database) throws -> Result
  ) throws(StoreError) -> Result {
    do {
      return try currentReaders()?.read(body) ?? withDatabase(body)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return try withDatabase(body)
    } catch {
      throw StoreError(error, path: path, remedy: layout.remedy)
    }
  }

  /// Runs `body`, which changes nothing, on a connection that nothing else reads by.
  ///
  /// It is the same one, with the same label, as long as the file is the same one: `PRAGMA data_version` tells
  /// there whether anybody has changed the file.
  ///
  /// - Returns: what `body` does; nil where there is but a copy in memory, which nobody changes.
  /// - Throws: `StoreError`
  package func withWatcher<Result>(
    _ body: (Database) throws -> Result
  ) throws(StoreError) -> Result? {
    do {
      return try currentReaders()?.watch(body)
    } catch {
      throw StoreError(error, path: path, remedy: layout.remedy)
    }
  }

  /// Readers of the file that is there now; nil where there is but a copy in memory.
  private func currentReaders() throws -> StoreReaders? {
    let found = FileIdentity(path: path)
    if let known = readers.withLock({ $0 }), known.areOf(found) { return known }
    if connection.withLock({ $0 }) == nil, found != nil {
      // Whoever is at work on it has looked at it.
      try keys?.prepare()
      let opened = try StoreReaders(layout, path, try keys?.current())
      readers.withLock { $0 = opened }
      return opened
    }
    guard var current = connection.withLock({ $0 }), current.refusal == nil else { return nil }
    if found == nil || current.identity != found {
      // Opens what is there now.
      try withDatabase { _ in }
      guard let fresh = connection.withLock({ $0 }), fresh.refusal == nil else { return nil }
      current = fresh
    }
    let opened = try StoreReaders(layout, path, beside: current)
    // Another file may have taken the name meanwhile.
    guard opened.areOf(FileIdentity(path: path)) else { return nil }
    readers.withLock { $0 = opened }
    return opened
  }
}
