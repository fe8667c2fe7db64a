import GRDB
import STOLSystem
package import STOLTrust

/// The file of a store while nobody else may change it and nothing in this process has it open.
package struct ClosedStore: ~Copyable {
  private let layout: StoreLayout
  private let lock: FolderLock
  /// Where it is.
  package let path: String

  /// Waits for others that are at work on the file.
  ///
  /// - Throws: `StoreError`
  package init(_ layout: StoreLayout, in folder: String) throws(StoreError) {
    self.layout = layout
    path = folder + "/" + layout.fileName
    do { lock = try StoreConnection.lock(folder, path) } catch {
      throw StoreError(error, path: path, remedy: layout.remedy)
    }
  }

  /// Whether the file can be read with a key, or without one; a damaged one counts as such that can.
  ///
  /// - Throws: `StoreError`
  package func isOpen(to key: DatabaseKey?) throws(StoreError) -> Bool {
    do {
      guard try isPresent(path) else { return false }
      // One that may write takes its log away again.
      let queue = try DatabaseQueue(
        path: path, configuration: try StoreConnection.configuration(key, path))
      defer { try? queue.close() }
      // An empty file can be read with any key, and is none that was begun here.
      let count = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
      return count ?? 0 > 0
    } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
      return false
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return true
    } catch {
      throw StoreError(error, path: path, remedy: layout.remedy)
    }
  }

  /// Writes the file anew with another key, or without one; it takes its place once all of it is there, and can
  /// be read.
  ///
  /// - Parameters:
  ///   - old: the key that it has; nil for none.
  ///   - new: the key that it gets; nil for none.
  ///   - onReady: called when nothing is left but to take its place.
  /// - Throws: `StoreError`; what `onReady` throws. Then it is what it was.
  /// - Complexity: O(length of the file)
  package func rewrite(
    from old: DatabaseKey?, to new: DatabaseKey?, onReady: () throws -> Void
  ) throws {
    let temporary = TemporaryFiles.name(for: path)
    TemporaryFiles.removeLeftovers(of: path)
    TemporaryFiles.add(temporary)
    do {
      try StoreConnection.requireBegun(path)
      try writeCopy(temporary, from: old, to: new)
      try onReady()
      // The log is empty, and nobody writes one: whoever reads the old file goes on with what it has open.
      for ending in ["-wal", "-shm"] { try removeDurably(path + ending) }
      try TemporaryFiles.rename(temporary, to: path)
    } catch {
      for ending in ["", "-wal", "-shm", "-journal"] { TemporaryFiles.remove(temporary + ending) }
      throw error
    }
  }

  private func writeCopy(
    _ temporary: String, from old: DatabaseKey?, to new: DatabaseKey?
  ) throws {
    do {
      let queue = try StoreConnection.connect(layout, path, old)
      defer { try? queue.close() }
      try queue.writeWithoutTransaction { database in
        let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        guard row?[0] == 0 else { throw StoreError.busy(path: path) }
      }
      // Nobody else may read it from its beginning on.
      try createFile(temporary, [], isOwnersOnly: true)
      try queue.copy(to: StoreConnection.uri(of: temporary), key: new)
      let copy = try StoreConnection.connect(layout, temporary, new)
      let report = Result {
        try copy.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
      }
      try copy.close()
      guard try report.get() == "ok", !fileExists(temporary + "-wal") else {
        throw StoreError.unusable(path: path, reason: "its copy cannot be read")
      }
      try synchronizeFile(temporary)
    } catch {
      throw StoreError(error, path: path, remedy: layout.remedy)
    }
  }
}
