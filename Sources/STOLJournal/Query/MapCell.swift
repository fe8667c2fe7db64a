/// One of equal parts of the globe in degrees: 2 to the power of `level` from south to north, and as many from
/// west to east.
struct MapCell: Hashable, Sendable {
  /// How many times the globe was halved each way.
  let level: Int
  /// Its place from the south, and from the west.
  let y, x: Int

  /// The levels whose cells are counted as they change.
  static let talliedLevels = [4, 6, 8, 10, 12]
  /// The levels for which facets are counted so; 0 is all there is, with or without a position.
  static let facetLevels = [0, 4, 8]
  /// The levels of clusters.
  static let levels = Array(stride(from: 4, through: 20, by: 2))

  init(level: Int, y: Int, x: Int) { (self.level, self.y, self.x) = (level, y, x) }

  /// The cell in which a position lies.
  init(level: Int, containing position: Position) {
    self.level = level
    y = Self.index(of: position.latitudeE7, limit: 90, level)
    x = Self.index(of: position.longitudeE7, limit: 180, level)
  }

  /// The place of a coordinate of -limit to limit degrees; the last cell has both of its edges.
  static func index(of coordinate: Int, limit: Int, _ level: Int) -> Int {
    let half = limit * Position.unitsPerDegree
    return min((1 << level) - 1, ((coordinate + half) << level) / (2 * half))
  }

  /// The same in SQL, for a column and the name or number of a level.
  static func sql(_ column: String, limit: Int, level: String) -> String {
    let half = limit * Position.unitsPerDegree
    return "min((1 << \(level)) - 1, ((\(column) + \(half)) << \(level)) / \(2 * half))"
  }

  /// The coordinates in the cells of a row or a column.
  static func span(_ indexes: ClosedRange<Int>, limit: Int, _ level: Int) -> ClosedRange<Int> {
    let half = limit * Position.unitsPerDegree
    func start(_ index: Int) -> Int { (index * 2 * half + (1 << level) - 1) >> level - half }
    let isLast = indexes.upperBound == (1 << level) - 1
    return start(indexes.lowerBound)...(isLast ? half : start(indexes.upperBound + 1) - 1)
  }

  /// The part of the globe that it is.
  func bounds() throws(JournalError) -> Bounds {
    let latitudes = Self.span(y...y, limit: 90, level)
    let longitudes = Self.span(x...x, limit: 180, level)
    return try Bounds(
      southE7: latitudes.lowerBound, westE7: longitudes.lowerBound, northE7: latitudes.upperBound,
      eastE7: longitudes.upperBound)
  }
}

/// The cells of one level that a part of the globe touches.
struct MapCover {
  let level: Int
  let rows: ClosedRange<Int>
  /// One range, or two that do not meet.
  let columns: [ClosedRange<Int>]
  /// Whether nothing in these cells lies outside of the part.
  let isExact: Bool

  init(_ bounds: Bounds, level: Int) {
    self.level = level
    func index(_ coordinate: Int, _ limit: Int) -> Int {
      MapCell.index(of: coordinate, limit: limit, level)
    }
    rows = index(bounds.southE7, 90)...index(bounds.northE7, 90)
    let longitudes = bounds.longitudes
    // The other name of the antimeridian is a line, and no part of the map.
    let wide = longitudes.filter { $0.count > 1 }
    let parts = wide.isEmpty ? longitudes : wide
    var columns = parts.map { index($0.lowerBound, 180)...index($0.upperBound, 180) }
    if columns.count == 2, columns[0].overlaps(columns[1]) {
      columns = [0...(1 << level) - 1]
    }
    self.columns = columns
    isExact =
      parts.count == longitudes.count && columns.count == parts.count
      && MapCell.span(rows, limit: 90, level) == bounds.southE7...bounds.northE7
      && zip(columns, parts).allSatisfy { MapCell.span($0, limit: 180, level) == $1 }
  }

  /// How many cells they are.
  var cellCount: Int { rows.count * columns.reduce(0) { $0 + $1.count } }

  /// The condition that a row of a table with `level`, `y` and `x` is one of them, with its values.
  var condition: (sql: String, values: [Int]) {
    let ranges = columns.map { _ in "x BETWEEN ? AND ?" }.joined(separator: " OR ")
    return (
      "level = ? AND y BETWEEN ? AND ? AND (\(ranges))",
      [level, rows.lowerBound, rows.upperBound]
        + columns.flatMap { [$0.lowerBound, $0.upperBound] }
    )
  }
}
