import STOLSystem
import Foundation
import GRDB
import STOLFormats
import STOLNames

/// A source that is an SQLite database, opened read-only; no value in it is trusted.
final class SourceDatabase {
  let path: String
  private let queue: DatabaseQueue
  private let log: Log
  /// The columns of each table, in lower case.
  private let columns: [String: Set<String>]

  /// Opens the database at `path`, or the one in the folder there.
  ///
  /// - Throws: `FormatError.unreadable`, for archives with what to do about them.
  init(path: String) throws {
    let path = try Self.database(at: path)
    self.path = path
    log = Log(of: path)
    do {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.prepareDatabase { database in
        try database.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
      }
      queue = try DatabaseQueue(path: Self.address(of: path), configuration: configuration)
      columns = try queue.read { database in
        var columns: [String: Set<String>] = [:]
        let tables = try String.fetchAll(
          database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        for table in tables where !table.hasPrefix("sqlite_") {
          columns[table.lowercased()] = Set(
            try database.columns(in: table).map { $0.name.lowercased() })
        }
        return columns
      }
    } catch {
      log.removeIndex()
      throw Self.failure(path, error)
    }
  }

  deinit {
    try? queue.close()
    log.removeIndex()
  }

  /// What SQLite opens: a file in WAL mode without a log as one that nobody changes, for else SQLite
  /// leaves an empty log and its index beside it.
  private static func address(of path: String) -> String {
    guard Log(of: path).byteCount == 0 else { return path }
    return URL(fileURLWithPath: path).absoluteString + "?immutable=1"
  }

  /// The log beside a database in WAL mode, which holds what is not in the database yet.
  private struct Log {
    let path: String
    let byteCount: Int
    let date: Date?
    /// Whether somebody has the database open, or had it when the power went.
    let hasIndex: Bool

    init(of database: String) {
      path = database
      let values = try? URL(fileURLWithPath: database + "-wal")
        .resourceValues(forKeys: [.fileSizeKey, .contentModificationDateKey])
      byteCount = values?.fileSize ?? 0
      date = values?.contentModificationDate
      hasIndex = fileExists(database + "-shm")
    }

    /// Removes the index that SQLite makes for who reads the log, and leaves there for who may not write.
    func removeIndex() {
      let now = Log(of: path)
      // Who has written since has it open, and needs the index.
      guard !hasIndex, now.hasIndex, now.byteCount == byteCount, now.date == date else { return }
      try? FileManager.default.removeItem(atPath: path + "-shm")
    }
  }

  /// The tables, sorted.
  var tables: [String] { columns.keys.sorted() }

  func has(_ table: String, _ names: String...) -> Bool {
    guard let present = columns[table] else { return false }
    return names.allSatisfy(present.contains)
  }

  /// Checks that a table and its columns are there.
  ///
  /// - Throws: `FormatError.missingColumn`, which names the table.
  func require(_ table: String, _ names: String...) throws {
    guard let present = columns[table] else {
      throw FormatError.unreadable(
        path: path, reason: "it has no table \(table); is it a source of this kind?")
    }
    for name in names where !present.contains(name) {
      throw FormatError.missingColumn(file: "\(path), table \(table)", column: name)
    }
  }

  /// The columns of a table in their order, as they are written.
  func columns(of table: String) throws -> [String] {
    do {
      return try queue.read { try $0.columns(in: table).map(\.name) }
    } catch {
      throw Self.failure(path, error)
    }
  }

  /// The next rows of a query that is asked in parts, each with `rowid` first.
  ///
  /// - Parameters:
  ///   - sql: with `?1` for the last `rowid` of the part before, and `LIMIT`.
  ///   - last: that `rowid`.
  /// - Returns: the rows.
  /// - Throws: `FormatError`
  func rows(_ sql: String, after last: Int64) throws -> [SourceRow] {
    do {
      return try queue.read { database in
        try Row.fetchAll(database, sql: sql, arguments: [last]).map { SourceRow(row: $0) }
      }
    } catch {
      throw Self.failure(path, error)
    }
  }

  /// A column as SQL, or NULL where the table lacks it.
  func column(_ table: String, _ name: String) -> String {
    has(table, name) ? "\"\(name)\"" : "NULL"
  }

  /// Gives `body` each row of a query.
  func forEachRow(
    _ sql: String, _ body: (SourceRow) throws -> Void
  ) throws {
    do {
      try queue.read { database in
        let rows = try Row.fetchCursor(database, sql: sql)
        while let row = try rows.next() { try body(SourceRow(row: row)) }
      }
    } catch {
      throw Self.failure(path, error)
    }
  }

  private static func failure(_ path: String, _ error: any Error) -> any Error {
    if error is FormatError || error is SystemError || error is IngestError { return error }
    let reason = (error as? DatabaseError)?.message ?? String(describing: error)
    return FormatError.unreadable(path: path, reason: reason)
  }

  /// The database file that a path leads to.
  private static func database(at path: String) throws -> String {
    let files = try SourceFiles(path: path)
    let isFolder = (try? FileManager.default.contentsOfDirectory(atPath: path)) != nil
    for name in files.names {
      let lower = name.lowercased()
      guard !isFolder || [".sqlite", ".sqlite3", ".db"].contains(where: lower.hasSuffix) else {
        continue
      }
      guard try files.open(name).next().starts(with: ForeignFile.databaseMagic) else { continue }
      if isFolder { return path + "/" + name }
      if try isDatabase(path) { return path }
      throw FormatError.unreadable(
        path: path, reason: "\(name) is in an archive; unpack it first and name the file")
    }
    throw FormatError.unreadable(path: path, reason: "there is no SQLite database in it")
  }

  private static func isDatabase(_ path: String) throws -> Bool {
    let file = try RegularFile(path: path, followsLinks: true)
    let magic = ForeignFile.databaseMagic
    return try file.bytes(at: 0, limit: magic.count) == magic
  }
}

/// A row of a source, whose values may be of any type.
struct SourceRow {
  let row: Row

  /// The whole number in a column, also one that is written as a text.
  func integer(_ index: Int) -> Int64? {
    switch (row[index] as DatabaseValue).storage {
    case .int64(let value): value
    case .string(let text): Int64(trimmingSpaces(text))
    default: nil
    }
  }

  /// The text in a column, "" for none.
  func text(_ index: Int) -> String {
    switch (row[index] as DatabaseValue).storage {
    case .string(let text): trimmingSpaces(text)
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .blob(let bytes): String(decoding: bytes, as: UTF8.self)
    case .null: ""
    }
  }
}
