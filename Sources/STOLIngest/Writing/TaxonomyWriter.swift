import STOLSystem
import GRDB

/// Writes a taxonomy database, which takes its name only once it is complete.
final class TaxonomyWriter {
  private let path: String
  private let temporaryPath: String
  /// The version that is written.
  let schemaVersion: Int
  private let queue: DatabaseQueue
  private let onStep: (String, Int) -> Void
  private let isCancelled: () -> Bool
  private var rowCount = 0
  private static let reportInterval = 1 << 15

  /// Begins the database that is to be at `path`.
  init(
    path: String, schemaVersion: Int, onStep: @escaping (String, Int) -> Void,
    isCancelled: @escaping () -> Bool
  ) throws {
    self.path = path
    self.schemaVersion = schemaVersion
    self.onStep = onStep
    self.isCancelled = isCancelled
    temporaryPath = TemporaryFiles.name(for: path)
    TemporaryFiles.remove(temporaryPath)
    TemporaryFiles.add(temporaryPath)
    do {
      var configuration = Configuration()
      configuration.foreignKeysEnabled = false
      // One transaction from the first row to the last.
      configuration.allowsUnsafeTransactions = true
      configuration.prepareDatabase { database in
        // Whatever goes wrong, the file goes away: it needs no journal.
        try database.execute(
          sql: """
            PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;
            PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = FILE
            """)
      }
      queue = try DatabaseQueue(path: temporaryPath, configuration: configuration)
      try queue.inDatabase { database in
        try database.execute(
          sql: schemaVersion == 1 ? TaxonomySchema.firstTables : TaxonomySchema.newestTables)
        try database.execute(sql: "BEGIN")
      }
    } catch {
      TemporaryFiles.remove(temporaryPath)
      throw Self.failure(path, error)
    }
  }

  deinit { TemporaryFiles.remove(temporaryPath) }

  /// Runs `body` on the database; an error of SQLite becomes one of ingesting.
  func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
    do { return try queue.inDatabase(body) } catch { throw Self.failure(path, error) }
  }

  /// Counts a row for progress.
  ///
  /// - Throws: `IngestError.cancelled` if the caller wants no more.
  func countRow(_ step: String) throws {
    rowCount += 1
    guard rowCount % Self.reportInterval == 0 else { return }
    onStep(step, rowCount)
    if isCancelled() { throw IngestError.cancelled }
  }

  /// Ends the transaction and makes the indexes.
  func makeIndexes(withFullText: Bool, appliedAt: String) throws {
    try write { database in
      try database.execute(
        sql: "INSERT INTO schema_version VALUES (?, ?)", arguments: [schemaVersion, appliedAt])
      try database.execute(sql: "COMMIT")
      let further = schemaVersion == 1 ? [] : [TaxonomySchema.sourceIndex]
      for (number, index) in (TaxonomySchema.indexes + further).enumerated() {
        onStep("indexing", number + 1)
        if isCancelled() { throw IngestError.cancelled }
        try database.execute(sql: index)
      }
      if withFullText {
        onStep("indexing the full text", TaxonomySchema.indexes.count + further.count + 1)
        try database.execute(sql: TaxonomySchema.fullText)
      }
    }
  }

  /// Closes the file, makes it durable and gives it its name.
  func finish() throws {
    do {
      try queue.close()
      try synchronizeFile(temporaryPath)
      try TemporaryFiles.rename(temporaryPath, to: path)
    } catch {
      throw Self.failure(path, error)
    }
  }

  private static func failure(_ path: String, _ error: any Error) -> any Error {
    switch error {
    case is IngestError, is SystemError: error
    case let error as DatabaseError
    where error.resultCode == .SQLITE_FULL || isDiskFull(at: path):
      SystemError(operation: "write", path: path, code: .noSpace)
    case let error as DatabaseError where error.resultCode == .SQLITE_IOERR:
      SystemError(operation: "write", path: path, code: .inputOutput)
    case let error as DatabaseError:
      IngestError.database(path: path, reason: error.message ?? "SQLite code \(error.resultCode)")
    default: IngestError.database(path: path, reason: String(describing: error))
    }
  }
}
