import GRDB

/// A query put together from conditions, each with its values.
struct QueryParts {
  private(set) var conditions: [String] = []
  private(set) var arguments = StatementArguments()

  mutating func add(_ condition: String, _ values: [(any DatabaseValueConvertible)?] = []) {
    conditions.append(condition)
    arguments += StatementArguments(values)
  }

  /// That a column is one of some values; none of them means any.
  mutating func add(_ column: String, oneOf values: [some DatabaseValueConvertible]) {
    guard !values.isEmpty else { return }
    add("\(column) IN (\(values.map { _ in "?" }.joined(separator: ", ")))", values)
  }

  /// That a column is one of the ids in an R*Tree that lie in a part of the globe.
  mutating func add(_ bounds: Bounds?, _ column: String, in boxes: String) {
    guard let bounds else { return }
    let (sql, values) = Self.ids(bounds, in: boxes)
    add("\(column) IN (\(sql))", values)
  }

  /// That two columns, a latitude and a longitude, lie in a part of the globe.
  mutating func add(_ bounds: Bounds?, latitude: String, longitude: String) {
    guard let bounds else { return }
    let ranges = bounds.longitudes
    let parts = ranges.map { _ in "\(longitude) BETWEEN ? AND ?" }
    add(
      "\(latitude) BETWEEN ? AND ? AND (\(parts.joined(separator: " OR ")))",
      [bounds.southE7, bounds.northE7] + ranges.flatMap { [$0.lowerBound, $0.upperBound] })
  }

  /// The ids in an R*Tree that lie in a part of the globe, each once.
  static func ids(_ bounds: Bounds, in boxes: String) -> (sql: String, values: [Int]) {
    let ranges = bounds.longitudes
    let parts = ranges.map { _ in
      "SELECT id FROM \(boxes) WHERE min_lat >= ? AND max_lat <= ? AND min_lon >= ? AND max_lon <= ?"
    }
    return (
      parts.joined(separator: " UNION ALL "),
      ranges.flatMap { [bounds.southE7, bounds.northE7, $0.lowerBound, $0.upperBound] }
    )
  }

  /// That a record has a tag.
  mutating func add(tag: String?, _ column: String) {
    guard let tag else { return }
    add("\(column) IN (SELECT record_id FROM tagging WHERE tag = ?)", [tag])
  }

  /// `WHERE` with all conditions, or nothing.
  var sql: String { conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ") }
}
