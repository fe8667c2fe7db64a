import GRDB

/// A record with what the file notes about it, as `revision.before` keeps it.
struct StoredRecord: Codable, Equatable {
  var id: Int64
  var createdMs: Int64
  var changedMs: Int64
  var deletedMs: Int64?
  var moments: String?
  var record: JournalRecord
}

/// A row of a table, as columns and values.
struct RowValues {
  /// A table, and which of its columns a statement writes.
  struct Form: Hashable {
    let table: String
    fileprivate(set) var columns: UInt64 = 0
  }

  private(set) var form: Form
  private(set) var columns: [String] = ["id"]
  /// What stands in the columns, as GRDB takes it without a copy.
  private(set) var values: [(any DatabaseValueConvertible)?]
  private let leavesOutNull: Bool
  private var position: UInt64 = 0
  private static let usualCount = 24

  /// A row with an id; of one that is new what is NULL need not be written.
  init(_ table: String, id: Int64, isNew: Bool) {
    form = Form(table: table)
    values = [id]
    columns.reserveCapacity(Self.usualCount)
    values.reserveCapacity(Self.usualCount)
    leavesOutNull = isNew
  }

  /// Adds a column; all rows of a table add theirs in one order.
  mutating func set(_ column: String, _ value: (any DatabaseValueConvertible)?) {
    position += 1
    if value == nil, leavesOutNull { return }
    form.columns |= 1 << position
    columns.append(column)
    values.append(value)
  }

  mutating func set(_ column: String, _ time: LocalTime?) { set(column, time?.text) }

  mutating func set(_ position: Position?) {
    set("latitude_e7", position?.latitudeE7)
    set("longitude_e7", position?.longitudeE7)
    set("uncertainty_m", position?.uncertaintyM)
  }

  /// Inserts the row, or changes the one with its id.
  var upsert: String {
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let changes = columns.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    return "INSERT INTO \(form.table) (\(columns.joined(separator: ", "))) VALUES (\(marks)) "
      + "ON CONFLICT (id) DO UPDATE SET \(changes)"
  }
}

/// What has values in columns.
protocol ColumnValues {
  /// What stands in a column; NULL where there is no such column.
  func databaseValue(_ column: String) -> DatabaseValue
}

extension Row: ColumnValues {
  func databaseValue(_ column: String) -> DatabaseValue { self[column] }

  /// Whether there is a value in the column with a number.
  func hasValue(at column: Int) -> Bool { !(self[column] as DatabaseValue).isNull }

  /// The value in the column with a number, as SQLite converts it where it is of another type, which only a damaged
  /// table has: sooner found than by its name, where there are many rows.
  ///
  /// - Throws: `DatabaseError` where there is none.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    at column: Int
  ) throws -> Value {
    do {
      return try decode(Value.self, atIndex: column)
    } catch {
      throw RecordReader.broken("no value in column \(column)")
    }
  }

  /// The UUID in the column with a number.
  func uuid(at column: Int) throws -> JournalID {
    let id = try withUnsafeData(atIndex: column) { $0.flatMap { JournalID(bytes: $0) } }
    guard let id else { throw RecordReader.broken("a UUID without 16 bytes") }
    return id
  }

  /// The position in the column with a number and the two behind it, if there is one.
  func position(at column: Int) throws -> Position? {
    guard let latitude = try value(at: column) as Int?,
      let longitude = try value(at: column + 1) as Int?
    else { return nil }
    return Position(
      latitudeE7: latitude, longitudeE7: longitude, uncertaintyM: try value(at: column + 2))
  }
}

/// A row of which it is known where each column is: GRDB compares names in small letters, one after another.
struct RecordRow: ColumnValues {
  let row: Row
  let indexes: [String: Int]

  func databaseValue(_ column: String) -> DatabaseValue {
    indexes[column].flatMap { row[$0]?.databaseValue } ?? .null
  }
}

extension ColumnValues {
  /// The value in a column, which may be of another type: large files are not read as a whole when they are
  /// opened, and GRDB's subscript ends the process then.
  func value<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
    guard let value = Value.fromDatabaseValue(databaseValue(column)) else {
      throw RecordReader.broken("a value of another type in \(column)")
    }
    return value
  }

  /// The value in a column that may be empty, as most are; nil where it is.
  func valueIfAny<Value: DatabaseValueConvertible>(_ column: String) throws -> Value? {
    let value = databaseValue(column)
    guard !value.isNull else { return nil }
    guard let found = Value.fromDatabaseValue(value) else {
      throw RecordReader.broken("a value of another type in \(column)")
    }
    return found
  }

  /// The position in the columns of that.
  var position: Position? {
    get throws {
      guard let latitude = try valueIfAny("latitude_e7") as Int?,
        let longitude = try valueIfAny("longitude_e7") as Int?
      else { return nil }
      return Position(
        latitudeE7: latitude, longitudeE7: longitude, uncertaintyM: try valueIfAny("uncertainty_m"))
    }
  }

  /// The local time in a column.
  func time(_ column: String) throws -> LocalTime? {
    try (valueIfAny(column) as String?).map { text throws(JournalError) in
      try LocalTime(text, field: column)
    }
  }

  /// The word in a column.
  func word<Word: JournalWord>(_ column: String) throws -> Word {
    try Word(word: value(column), field: column)
  }

  /// The word in a column that may be empty.
  func wordIfAny<Word: JournalWord>(_ column: String) throws -> Word? {
    try (valueIfAny(column) as String?).map { text throws(JournalError) in
      try Word(word: text, field: column)
    }
  }
}
