import STOLPack
import STOLSystem
import Foundation
import GRDB

/// A taxonomy in SQLite, of schema version 1, 2 or 3: Format/DATABASE.md.
///
/// Opened read-only. Every value is checked for its type and for UTF-8 before it is used.
final class TaxonomyDatabase: Sendable {
  /// The newest schema that this version of stol knows.
  static let supportedSchemaVersion = 3

  let queue: DatabaseQueue
  private let path: String

  /// Opens the database at `path`.
  ///
  /// - Throws: `SystemError`, or `CompileError.unreadable` if it is no SQLite file.
  init(path: String) throws {
    self.path = path
    try requireReadableFile(path)
    var configuration = Configuration()
    configuration.readonly = true
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    }
    do {
      queue = try DatabaseQueue(path: path, configuration: configuration)
    } catch {
      throw Self.unreadable(path, error)
    }
  }

  /// Runs `body` on the database; an error of SQLite becomes one of compiling.
  func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
    do {
      return try queue.read(body)
    } catch let error as CompileError {
      throw error
    } catch let error as SystemError {
      throw error
    } catch {
      throw Self.unreadable(path, error)
    }
  }

  /// Writes a compacted copy of the database to `copyPath`, where no file must be.
  func copy(to copyPath: String) throws {
    do {
      try queue.vacuum(into: copyPath)
    } catch {
      throw Self.unreadable(path, error)
    }
  }

  static func unreadable(_ path: String, _ error: any Error) -> any Error {
    if let code = (error as? DatabaseError)?.resultCode,
      [.SQLITE_IOERR, .SQLITE_FULL].contains(code)
    {
      // SQLite does not tell EIO apart from its like.
      return SystemError(operation: "read", path: path, code: .inputOutput)
    }
    let reason = (error as? DatabaseError).map { $0.message ?? "SQLite code \($0.resultCode)" }
    return CompileError.unreadable(path: path, reason: reason ?? String(describing: error))
  }
}

extension Database {
  /// The version that the table `schema_version` states.
  func taxonomySchemaVersion() throws -> Int {
    try requireColumns(["version"], of: "schema_version")
    return try Int.fetchOne(self, sql: "SELECT CAST(max(version) AS INTEGER) FROM schema_version")
      ?? 0
  }

  /// Checks that a table and its columns are there.
  func requireColumns(_ columns: [String], of table: String) throws {
    guard try tableExists(table) || viewExists(table) else {
      throw CompileError.missing(table: table, column: nil)
    }
    let present = Set(try self.columns(in: table).map { $0.name.lowercased() })
    for column in columns where !present.contains(column) {
      throw CompileError.missing(table: table, column: column)
    }
  }

  /// Whether an optional table is there; if so, its columns must be.
  func hasOptionalTable(_ table: String, columns: [String]) throws -> Bool {
    guard try tableExists(table) || viewExists(table) else { return false }
    try requireColumns(columns, of: table)
    return true
  }
}

/// Reads the values of one row by position, and says what is wrong with them.
struct RowReader {
  let row: Row
  let table: String
  let id: Int64

  /// - Throws: `CompileError.row` if the first column is no integer.
  init(_ row: Row, table: String) throws(CompileError) {
    self.row = row
    self.table = table
    guard case .int64(let id) = (row[0] as DatabaseValue).storage else {
      throw .row(table: table, id: 0, reason: .wrongType(column: "id", expected: "an integer"))
    }
    self.id = id
  }

  /// An integer, or nil for NULL.
  func integer(_ index: Int, _ column: String) throws(CompileError) -> Int64? {
    if row.hasNull(atIndex: index) { return nil }
    switch (row[index] as DatabaseValue).storage {
    case .int64(let value): return value
    case .null: return nil
    default:
      throw .row(table: table, id: id, reason: .wrongType(column: column, expected: "an integer"))
    }
  }

  /// An integer that must be there.
  func requiredInteger(_ index: Int, _ column: String) throws(CompileError) -> Int64 {
    guard let value = try integer(index, column) else {
      throw .row(table: table, id: id, reason: .wrongType(column: column, expected: "an integer"))
    }
    return value
  }

  /// A text that was selected as a blob, so that SQLite repairs nothing; nil for NULL.
  func text(_ index: Int, _ column: String) throws(CompileError) -> String? {
    // Most columns of most rows are empty, which SQLite says at less cost than their value.
    if row.hasNull(atIndex: index) { return nil }
    switch (row[index] as DatabaseValue).storage {
    case .null: return nil
    case .blob(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw .row(table: table, id: id, reason: .invalidUTF8(column: column))
      }
      return text
    default:
      throw .row(table: table, id: id, reason: .wrongType(column: column, expected: "a text"))
    }
  }

  /// A text that must be there.
  func requiredText(_ index: Int, _ column: String) throws(CompileError) -> String {
    guard let text = try text(index, column) else {
      throw .row(table: table, id: id, reason: .emptyText(column: column))
    }
    return text
  }
}
