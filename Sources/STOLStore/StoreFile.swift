package import GRDB
import STOLSystem

/// A SQLite file of what a person keeps: one for each kind of thing, and the only way to it.
///
/// Made when it is missing, checked when it is opened; a damaged one is moved aside, never deleted. A
/// commit waits for the disk. Another process may use the file too.
package final class StoreFile: Sendable {
  /// The file was moved or deleted by somebody else.
  private struct Replaced: Error {}

  private let layout: StoreLayout
  private let folder: String
  private let connection: Locked<StoreConnection>
  private let setAside: Locked<String?>
  private let onOpening: @Sendable (_ setAside: String?) -> Void

  /// Opens the file of `layout` in `folder`, or makes it.
  ///
  /// - Parameters:
  ///   - layout: what it is.
  ///   - folder: where it lies; made for its owner only.
  ///   - onOpening: called whenever the file has been opened, again where it is another one by then,
  ///     with the place that a damaged one was moved to.
  /// - Throws: `StoreError`; a damaged file is no error.
  package init(
    _ layout: StoreLayout, in folder: String,
    onOpening: @escaping @Sendable (_ setAside: String?) -> Void
  ) throws(StoreError) {
    self.layout = layout
    self.folder = folder
    self.onOpening = onOpening
    let opened = try StoreConnection.open(layout, in: folder)
    connection = Locked(opened)
    setAside = Locked(opened.setAside)
    onOpening(opened.setAside)
  }

  /// Where the file is.
  package var path: String { folder + "/" + layout.fileName }

  /// Where a damaged file was moved to last, or nil.
  package var recoveredFrom: String? { setAside.withLock { $0 } }

  /// The damaged files that were ever set aside and are still there.
  package var damagedFiles: [String] {
    let stem = layout.fileName.dropLast(".sqlite".count)
    return fileNames(inFolder: folder)
      .filter { $0.hasPrefix("\(stem).damaged-") && $0.hasSuffix(".sqlite") }.sorted()
      .map { folder + "/" + $0 }
  }

  /// The bytes of the file and of the log that SQLite keeps beside it until nobody uses it.
  package func storageBytes() throws(StoreError) -> Int64 {
    let pages = try withDatabase { database in
      let count = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
      return try (Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0) * count
    }
    let log = try? RegularFile(path: path + "-wal", followsLinks: false).byteCount
    return pages + Int64(log ?? 0)
  }

  /// Overwrites the bytes of what has been removed, and deletes the damaged files.
  package func erase() throws(StoreError) {
    do {
      try withDatabase { database in
        try database.execute(sql: "VACUUM")
        let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        guard row?[0] == 0 else { throw StoreError.busy(path: path) }
      }
      for path in damagedFiles {
        for ending in ["-wal", "-shm", ""] { try removeDurably(path + ending) }
      }
    } catch {
      throw .notErased(path: path, reason: "\(error)")
    }
  }

  /// Runs `body` alone on the connection, which is made anew where the file is another one by now.
  package func withDatabase<Result>(
    _ body: (Database) throws -> Result
  ) throws(StoreError) -> Result {
    var isRetry = false
    while true {
      let current = connection.withLock { $0 }
      do {
        return try current.queue.writeWithoutTransaction { database in
          guard current.identity == FileIdentity(path: path) || isRetry else { throw Replaced() }
          return try body(database)
        }
      } catch is Replaced {
        isRetry = true
        let opened = try StoreConnection.open(layout, in: folder)
        connection.withLock { $0 = opened }
        if let aside = opened.setAside { setAside.withLock { $0 = aside } }
        onOpening(opened.setAside)
      } catch {
        throw StoreError(error, path: path)
      }
    }
  }
}
