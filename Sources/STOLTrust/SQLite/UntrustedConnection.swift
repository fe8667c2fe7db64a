import CSQLite

/// A connection to a SQLite file that nobody has checked yet: read-only, defensive, without triggers,
/// views and trust in the schema, with limits on lengths and memory before anything is read.
///
/// GRDB reads the schema as soon as it opens a file, so that it comes too late for these limits.
/// SQLite, "Defense Against The Dark Arts", https://www.sqlite.org/security.html.
@safe
package final class UntrustedConnection {
  /// What SQLite said.
  package struct Failure: Error {
    package let code: Int32
    package let message: String
    package var isInterruption: Bool { code & 0xFF == SQLITE_INTERRUPT }
    /// Whether the system failed, and the file may be sound.
    package var isSystems: Bool {
      [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL].contains(code & 0xFF)
    }
  }

  // SAFETY: open from `init` to `deinit`, and used by one thread.
  private nonisolated(unsafe) var connection: OpaquePointer?
  private let isCancelled: () -> Bool

  /// The longest value and the longest statement, in bytes.
  private static let limits: [(Int32, Int32)] = [
    (SQLITE_LIMIT_LENGTH, 1 << 20), (SQLITE_LIMIT_SQL_LENGTH, 1 << 16),
    (SQLITE_LIMIT_COLUMN, 64), (SQLITE_LIMIT_EXPR_DEPTH, 32),
    (SQLITE_LIMIT_COMPOUND_SELECT, 3), (SQLITE_LIMIT_VDBE_OP, 25_000),
    (SQLITE_LIMIT_FUNCTION_ARG, 16), (SQLITE_LIMIT_ATTACHED, 0),
    (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 64), (SQLITE_LIMIT_VARIABLE_NUMBER, 10),
    (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
  ]

  /// Opens the file at `path`; `isCancelled` is asked while statements run.
  package init(path: String, isCancelled: @escaping () -> Bool) throws(Failure) {
    self.isCancelled = isCancelled
    HeapCap.raise()
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
    // SAFETY: the path is a NUL-terminated copy; the connection is closed in `deinit` even if this
    // fails, as SQLite asks for.
    let code = unsafe sqlite3_open_v2(path, &connection, flags, nil)
    guard code == SQLITE_OK, let connection = unsafe connection else { throw failure(code) }
    for (limit, value) in Self.limits { _ = unsafe sqlite3_limit(connection, limit, value) }
    let distrust = unsafe stol_sqlite3_distrust(connection)
    guard distrust == SQLITE_OK else { throw failure(distrust) }
    // SAFETY: the handler gets self unretained, and is gone when self goes.
    unsafe sqlite3_progress_handler(
      connection, 20_000,
      { context in
        guard let context = unsafe context else { return 1 }
        let connection = unsafe Unmanaged<UntrustedConnection>.fromOpaque(context)
        return unsafe connection.takeUnretainedValue().isCancelled() ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
    _ = try rows("PRAGMA cell_size_check = ON")
    _ = try rows("PRAGMA mmap_size = 0")
    _ = try rows("PRAGMA cache_size = -16384")
  }

  deinit {
    // SAFETY: the last use; all statements have been finalized.
    unsafe sqlite3_close_v2(connection)
    HeapCap.lower()
  }

  /// The rows of a statement, every value as text, NULL as nil; at most `limit` of them.
  ///
  /// - Throws: `Failure`, for more rows too.
  package func rows(_ sql: String, limit: Int = 1_000) throws(Failure) -> [[String?]] {
    var statement: OpaquePointer?
    // SAFETY: the text is a NUL-terminated copy; the statement is finalized below, or nil.
    let prepared = unsafe sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
    guard prepared == SQLITE_OK, let statement = unsafe statement else { throw failure(prepared) }
    // SAFETY: finalized once, after its last use.
    defer { unsafe sqlite3_finalize(statement) }
    var rows: [[String?]] = []
    while true {
      let code = unsafe sqlite3_step(statement)
      if code == SQLITE_DONE { return rows }
      guard code == SQLITE_ROW else { throw failure(code) }
      guard rows.count < limit else {
        throw Failure(code: SQLITE_TOOBIG, message: "more than \(limit) rows")
      }
      var row: [String?] = []
      for column in 0..<(unsafe sqlite3_column_count(statement)) {
        // SAFETY: the text lives until the next step; it is copied, up to its NUL.
        row.append(unsafe sqlite3_column_text(statement, column).map { unsafe String(cString: $0) })
      }
      rows.append(row)
    }
  }

  private func failure(_ code: Int32) -> Failure {
    // SAFETY: the message lives until the next call and is copied.
    let message =
      unsafe connection == nil ? sqlite3_errstr(code) : sqlite3_errmsg(connection)
    return Failure(code: code, message: unsafe String(cString: message.unsafelyUnwrapped))
  }
}
