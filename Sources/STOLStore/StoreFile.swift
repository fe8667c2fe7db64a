package import GRDB
import STOLSystem

/// A SQLite file of what a person keeps: one for each kind of thing, and the only way to it.
///
/// Made when it is missing, checked when it is opened; a damaged one is moved aside, or left as it is, never deleted. A
/// commit waits for the disk. Another process may use the file too: one at a time has the lock on the folder
/// while it uses the file, but for readers of their own. SQLite 3.7.0 to 3.51.2 can lose a commit that another
/// connection's checkpoint meets (https://sqlite.org/wal.html, "The WAL-Reset Bug").
package final class StoreFile: Sendable {
  /// The file was moved or deleted by somebody else.
  private struct Replaced: Error {}

  let layout: StoreLayout
  private let folder: String
  let connection: Locked<StoreConnection?>
  /// What reads beside whoever changes the file, once somebody has asked for it.
  let readers = Locked<StoreReaders?>(nil)
  private let setAside: Locked<String?>
  /// What knows whether it is encrypted, and how; nil for one that never is.
  let keys: (any StoreKeys)?
  private let onOpening: @Sendable (_ setAside: String?) -> Void

  /// Opens the file of `layout` in `folder`, or makes it.
  ///
  /// - Parameters:
  ///   - layout: what it is.
  ///   - folder: where it lies; made for its owner only.
  ///   - readsBeside: whether it is opened later, where others are at work on it: who reads by `withReader` waits for
  ///     nobody.
  ///   - keys: what knows whether it is encrypted, and how; nil for one that never is.
  ///   - onOpening: called whenever the file has been opened, again where it is another one by then,
  ///     with the place that a damaged one was moved to.
  /// - Throws: `StoreError`; a damaged file is an error where the layout has a remedy for it.
  package init(
    _ layout: StoreLayout, in folder: String, readsBeside: Bool = false,
    keys: (any StoreKeys)? = nil,
    onOpening: @escaping @Sendable (_ setAside: String?) -> Void
  ) throws(StoreError) {
    self.layout = layout
    self.folder = folder
    self.keys = keys
    self.onOpening = onOpening
    do {
      try keys?.prepare()
      let opened = try StoreConnection.open(layout, in: folder, waits: !readsBeside, keys: keys)
      connection = Locked(opened)
      setAside = Locked(opened.setAside)
      onOpening(opened.setAside)
    } catch {
      guard readsBeside, case .busy = error else { throw error }
      connection = Locked(nil)
      setAside = Locked(nil)
    }
  }

  /// The file of `layout` in `folder`, which is opened when it is first used.
  ///
  /// - Parameters:
  ///   - layout: what it is.
  ///   - folder: where it lies.
  ///   - onOpening: as above.
  package init(
    later layout: StoreLayout, in folder: String,
    onOpening: @escaping @Sendable (_ setAside: String?) -> Void
  ) {
    self.layout = layout
    self.folder = folder
    keys = nil
    self.onOpening = onOpening
    connection = Locked(nil)
    setAside = Locked(nil)
  }

  deinit {
    // The last connection that is closed writes the log into the file, which readers cannot.
    readers.withLock { $0 = nil }
    connection.withLock { $0 }?.close(in: folder)
  }

  /// Where the file is.
  package var path: String { folder + "/" + layout.fileName }

  /// Why nothing can be kept, or nil; then what is read is a copy in memory.
  package var refusal: StoreError? { connection.withLock { $0?.refusal } }

  /// Where a damaged file was moved to last, or nil.
  package var recoveredFrom: String? { setAside.withLock { $0 } }

  /// The damaged files that were ever set aside and are still there.
  package var damagedFiles: [String] { Self.damagedFiles(of: layout, in: folder) }

  /// The damaged files of `layout` that were ever set aside in `folder` and are still there.
  package static func damagedFiles(of layout: StoreLayout, in folder: String) -> [String] {
    let stem = layout.fileName.dropLast(".sqlite".count)
    return fileNames(inFolder: folder)
      .filter { $0.hasPrefix("\(stem).damaged-") && $0.hasSuffix(".sqlite") }.sorted()
      .map { folder + "/" + $0 }
  }

  /// What is damaged in the file of `layout` in `folder`, in a line each; nothing where it is whole, or there is none.
  ///
  /// - Throws: `StoreError`, where that cannot be said.
  /// - Complexity: O(length of the file)
  package static func damage(
    of layout: StoreLayout, in folder: String, keys: (any StoreKeys)? = nil
  ) throws(StoreError) -> [String] {
    try keys?.prepare()
    return try StoreConnection.damage(of: layout, in: folder, keys: keys)
  }

  /// Moves a damaged file aside and begins a new one, as its owner has decided; one that is whole stays.
  ///
  /// - Returns: where it is now; nil where nothing is damaged.
  /// - Throws: `StoreError`
  /// - Complexity: O(length of the file)
  package static func giveUp(
    _ layout: StoreLayout, in folder: String, keys: (any StoreKeys)? = nil
  ) throws(StoreError) -> String? {
    try keys?.prepare()
    return try StoreConnection.giveUp(layout, in: folder, keys: keys)
  }

  /// The bytes of the file and of the log that SQLite keeps beside it until nobody uses it.
  package func storageBytes() throws(StoreError) -> Int64 {
    let pages = try withReader { database in
      let count = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
      return try (Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0) * count
    }
    let log = try? byteCount(ofFile: path + "-wal")
    return pages + Int64(log ?? 0)
  }

  /// Overwrites the bytes of what has been removed, and deletes the damaged files.
  package func erase() throws(StoreError) {
    do {
      try withDatabase(isChange: true) { database in
        try database.execute(sql: "VACUUM")
        let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        guard row?[0] == 0 else { throw StoreError.busy(path: path) }
      }
      for path in damagedFiles {
        for ending in ["-wal", "-shm", ""] { try removeDurably(path + ending) }
      }
    } catch let error as StoreError where error == .noSpace(path: path) {
      throw .notErased(path: path, reason: "no space left on the disk: free some")
    } catch {
      throw .notErased(path: path, reason: "\(error)")
    }
  }

  /// Runs `body` alone on the connection, which is made anew where the file is another one by now.
  ///
  /// - Parameters:
  ///   - isChange: whether `body` changes what a person keeps, which a copy in memory must not seem to do.
  ///   - body: what is done.
  /// - Returns: what `body` does.
  /// - Throws: `StoreError`; `.readOnly` or `.noSpace` of a change where nothing can be written.
  package func withDatabase<Result>(
    isChange: Bool = false, _ body: (Database) throws -> Result
  ) throws(StoreError) -> Result {
    var isRetry = false
    var isMended = false
    while true {
      do {
        // By now the file may be one that can be written.
        guard let current = connection.withLock({ $0 }), current.refusal == nil || isRetry else {
          throw Replaced()
        }
        if let refusal = current.refusal {
          guard !isChange else { throw refusal }
          return try current.queue.writeWithoutTransaction(body)
        }
        return try current.queue.writeWithoutTransaction { database in
          guard current.identity == FileIdentity(path: path) || isRetry else { throw Replaced() }
          // Whoever in this process uses the file waits for the queue; those of others for the lock.
          let lock = try StoreConnection.lock(folder, path)
          defer { _ = lock }
          return try body(database)
        }
      } catch is Replaced {
        isRetry = true
        try keys?.prepare()
        let opened = try StoreConnection.open(layout, in: folder, keys: keys)
        connection.withLock { $0 = opened }
        if let aside = opened.setAside { setAside.withLock { $0 = aside } }
        onOpening(opened.setAside)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT && !isMended {
        isMended = true
        guard makeIndexesAnew() else {
          throw StoreError(error, path: path, remedy: layout.remedy)
        }
      } catch {
        throw StoreError(error, path: path, remedy: layout.remedy)
      }
    }
  }

  /// Makes all indexes anew from their tables; returns whether that could be done.
  private func makeIndexesAnew() -> Bool {
    guard let queue = connection.withLock({ $0?.queue }) else { return false }
    do {
      try queue.writeWithoutTransaction { database in
        let lock = try StoreConnection.lock(folder, path)
        defer { _ = lock }
        try database.execute(sql: "REINDEX")
      }
      return true
    } catch {
      return false
    }
  }
}
