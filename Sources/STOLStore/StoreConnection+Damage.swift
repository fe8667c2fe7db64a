import GRDB
import STOLSystem
import STOLTrust

/// Files that nobody but their owner may give up: they take their name once they are made, so that one without
/// content is damaged.
extension StoreConnection {
  /// Makes a new file, which takes its name when all tables are in it.
  static func begin(_ layout: StoreLayout, _ path: String, _ key: DatabaseKey?) throws {
    TemporaryFiles.removeLeftovers(of: path)
    let temporary = TemporaryFiles.name(for: path)
    do {
      try connect(layout, temporary, key, isNew: true).close()
      // Who closes a file brings its log into it, and says nothing where that fails.
      guard !fileExists(temporary + "-wal") else {
        throw StoreError.unusable(path: path, reason: "its log cannot be brought into it")
      }
      try synchronizeFile(temporary)
      try TemporaryFiles.rename(temporary, to: path)
    } catch {
      for ending in ["", "-wal", "-shm", "-journal"] { TemporaryFiles.remove(temporary + ending) }
      throw error
    }
  }

  /// Looks at whether a file is there and empty, or is gone and its log is not: SQLite would begin anew, and delete the log.
  static func requireBegun(_ path: String) throws {
    if try isPresent(path) {
      guard try byteCount(ofFile: path) > 0 else {
        throw StoreError.damaged(path: path, reason: "it is empty")
      }
    } else if let log = try? byteCount(ofFile: path + "-wal"), log > 0 {
      throw StoreError.damaged(path: path, reason: "it is gone, and its log is still there")
    }
  }

  /// The damage that an error shows when a file is opened; nil where it need not be damaged.
  static func damage(
    _ error: any Error, _ layout: StoreLayout, _ path: String
  ) -> StoreError? {
    let found = StoreError(error, path: path)
    if case .damaged = found { return found }
    // SQLite has no other word for a file in a form that it does not know.
    guard layout.remedy != nil, let error = error as? DatabaseError,
      error.resultCode == .SQLITE_ERROR
    else { return nil }
    return .damaged(path: path, reason: error.message ?? "SQLite cannot read it")
  }

  /// What is damaged in the file in a folder, in a line each; nothing where it is whole, or there is none.
  ///
  /// Nothing of it is written.
  ///
  /// - Throws: `StoreError`, where that cannot be said.
  static func damage(
    of layout: StoreLayout, in folder: String, keys: (any StoreKeys)?
  ) throws(StoreError) -> [String] {
    let path = folder + "/" + layout.fileName
    do {
      guard try isPresent(folder) else { return [] }
      let lock = try lock(folder, path)
      defer { _ = lock }
      return try damage(layout, path, try keys?.current())
    } catch {
      throw StoreError(error, path: path, remedy: layout.remedy)
    }
  }

  /// Moves a damaged file in a folder aside and begins a new one; one that is whole stays.
  ///
  /// - Returns: where it is now; nil where nothing is damaged.
  /// - Throws: `StoreError`
  static func giveUp(
    _ layout: StoreLayout, in folder: String, keys: (any StoreKeys)?
  ) throws(StoreError) -> String? {
    let path = folder + "/" + layout.fileName
    do {
      guard try isPresent(folder) else { return nil }
      let lock = try lock(folder, path)
      defer { _ = lock }
      let key = try keys?.current()
      guard try !damage(layout, path, key).isEmpty else { return nil }
      try requireReadable(path)
      let aside = try setAside(path)
      try begin(layout, path, key)
      return aside
    } catch {
      throw StoreError(error, path: path, remedy: layout.remedy)
    }
  }

  private static func damage(
    _ layout: StoreLayout, _ path: String, _ key: DatabaseKey?
  ) throws -> [String] {
    do {
      try requireBegun(path)
      guard try isPresent(path) else { return [] }
      return try withUntouched(layout, path, key) { queue in
        try queue.writeWithoutTransaction { database in
          let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
          let report = try String.fetchAll(database, sql: "PRAGMA integrity_check(20)")
          guard report == ["ok"] else { return report }
          guard version <= layout.version else {
            throw StoreError.newerVersion(path: path, got: version, expected: layout.version)
          }
          _ = try check(database, layout, path, isOlder: 1..<layout.version ~= version)
          return []
        }
      }
    } catch {
      guard case .damaged(_, let reason)? = damage(error, layout, path) else { throw error }
      return [reason]
    }
  }
}
