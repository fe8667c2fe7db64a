import GRDB

/// What tallies count of a sighting.
struct CountedSighting {
  let isPresent: Bool
  let taxon: Int64?
  let day: Int64?
  let position: Position?
  let year: Int
  let month: Int?
  let kind: String

  static let columns = [
    "is_present", "taxon_ref_id", "day", "latitude_e7", "longitude_e7", "year", "month", "kind",
  ]

  /// From the values of `columns`.
  init(_ values: [DatabaseValue]) throws {
    func value<Value: DatabaseValueConvertible>(_ index: Int) throws -> Value {
      guard let value = Value.fromDatabaseValue(values[index]) else {
        throw RecordReader.broken("a value of another type in \(Self.columns[index])")
      }
      return value
    }
    isPresent = try value(0)
    taxon = try value(1)
    day = try value(2)
    let (latitude, longitude) = (try value(3) as Int?, try value(4) as Int?)
    position = latitude.flatMap { latitude in
      longitude.map { Position(latitudeE7: latitude, longitudeE7: $0) }
    }
    year = try value(5)
    month = try value(6)
    kind = try value(7)
  }
}

/// The tallies of parts of the globe: `cell` and `facet_tally`.
struct CellTallies {
  private struct Change {
    var count = 0
    var latitudes = 0
    var longitudes = 0

    mutating func add(_ position: Position, _ number: Int) {
      count += number
      latitudes += number * position.latitudeE7
      longitudes += number * position.longitudeE7
    }
  }

  private struct FacetKey: Hashable {
    let cell: CellKey
    let value: FacetValue
  }

  /// A cell in few bytes, in the order of the tables.
  private struct CellKey: Hashable, Comparable {
    let level: Int8
    let y, x: Int32

    init(_ cell: MapCell) {
      level = Int8(truncatingIfNeeded: cell.level)
      y = Int32(truncatingIfNeeded: cell.y)
      x = Int32(truncatingIfNeeded: cell.x)
    }

    static func < (a: CellKey, b: CellKey) -> Bool {
      (a.level, a.y, a.x) < (b.level, b.y, b.x)
    }
  }

  private enum FacetValue: Hashable {
    case taxon(Int64)
    case year(Int)
    case month(Int)
    case kind(String)

    init?(_ facet: String, _ word: String) {
      let number = Int(word)
      switch (facet, number) {
      case ("taxon", let number?): self = .taxon(Int64(number))
      case ("year", let number?): self = .year(number)
      case ("month", let number?): self = .month(number)
      case ("kind", _): self = .kind(word)
      default: return nil
      }
      // "07" is no number of a table.
      guard words.value == word else { return nil }
    }

    /// In which of so many parts it is counted, where all do not fit into memory.
    func part(of count: Int) -> Int {
      switch self {
      case .taxon(let id): Int(id.magnitude % UInt64(count))
      case .year(let number), .month(let number): Int(number.magnitude % UInt(count))
      case .kind: 0
      }
    }

    var words: (facet: String, value: String) {
      switch self {
      case .taxon(let id): ("taxon", "\(id)")
      case .year(let year): ("year", "\(year)")
      case .month(let month): ("month", "\(month)")
      case .kind(let kind): ("kind", kind)
      }
    }
  }

  private var cells: [CellKey: Change] = [:]
  private var facets: [FacetKey: Int] = [:]
  /// Of how many parts of the values of facets which one is counted.
  private var part = (index: 0, count: 1)

  init() {}

  /// Counts one of so many parts of the values of facets.
  init(part index: Int, of count: Int) { part = (index, count) }

  private static let levels = MapCell.talliedLevels.map { "SELECT \($0) AS level" }
    .joined(separator: " UNION ALL ")
  private static let facetLevels = MapCell.facetLevels.map { "SELECT \($0) AS level" }
    .joined(separator: " UNION ALL ")

  /// The rows of `cell` as they follow from sightings: the smallest cells, and then those that they lie in.
  static let cellRows = """
    SELECT level, y >> (12 - level) AS y, x >> (12 - level) AS x, sum(n) AS sighting_count,
      sum(latitude) AS latitude_sum_e7, sum(longitude) AS longitude_sum_e7
    FROM (SELECT \(MapCell.sql("latitude_e7", limit: 90, level: "12")) AS y,
        \(MapCell.sql("longitude_e7", limit: 180, level: "12")) AS x, count(*) AS n,
        sum(latitude_e7) AS latitude, sum(longitude_e7) AS longitude
      FROM sighting WHERE is_present AND latitude_e7 NOT NULL GROUP BY 1, 2)
      JOIN (\(levels)) GROUP BY 1, 2, 3
    """

  /// The rows of `facet_tally`, likewise; those of level 0 have what has no position, too.
  static let facetRows = """
    SELECT level, CASE level WHEN 0 THEN 0 ELSE y >> (8 - level) END AS y,
      CASE level WHEN 0 THEN 0 ELSE x >> (8 - level) END AS x, facet, value,
      sum(n) AS sighting_count
    FROM (
      SELECT \(MapCell.sql("latitude_e7", limit: 90, level: "8")) AS y,
        \(MapCell.sql("longitude_e7", limit: 180, level: "8")) AS x, facet,
        CASE facet WHEN 'taxon' THEN CAST(taxon_ref_id AS TEXT) WHEN 'year' THEN CAST(year AS TEXT)
          WHEN 'month' THEN CAST(month AS TEXT) ELSE kind END AS value, count(*) AS n
      FROM sighting JOIN (SELECT 'taxon' AS facet UNION ALL SELECT 'year'
        UNION ALL SELECT 'month' UNION ALL SELECT 'kind')
      WHERE is_present GROUP BY 1, 2, 3, 4)
      JOIN (\(facetLevels))
    WHERE value NOT NULL AND (level = 0 OR y NOT NULL) GROUP BY 1, 2, 3, 4, 5
    """

  /// Counts a sighting once more, or once less.
  mutating func count(_ sighting: CountedSighting, _ number: Int) {
    if let position = sighting.position {
      for level in MapCell.talliedLevels {
        let cell = CellKey(MapCell(level: level, containing: position))
        cells[cell, default: Change()].add(position, number)
      }
    }
    for level in MapCell.facetLevels {
      let cell =
        level == 0
        ? MapCell(level: 0, y: 0, x: 0)
        : sighting.position.map { MapCell(level: level, containing: $0) }
      guard let key = cell.map(CellKey.init) else { continue }
      func add(_ value: FacetValue) {
        guard part.count == 1 || value.part(of: part.count) == part.index else { return }
        facets[FacetKey(cell: key, value: value), default: 0] += number
      }
      if let taxon = sighting.taxon { add(.taxon(taxon)) }
      add(.year(sighting.year))
      if let month = sighting.month { add(.month(month)) }
      add(.kind(sighting.kind))
    }
  }

  /// Writes what has changed.
  func write(_ database: Database) throws {
    for (cell, change) in cells.sorted(by: { $0.key < $1.key }) {
      try database.cachedStatement(
        sql: """
          INSERT INTO cell (level, y, x, sighting_count, latitude_sum_e7, longitude_sum_e7)
          VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (level, y, x) DO UPDATE SET
            sighting_count = sighting_count + excluded.sighting_count,
            latitude_sum_e7 = latitude_sum_e7 + excluded.latitude_sum_e7,
            longitude_sum_e7 = longitude_sum_e7 + excluded.longitude_sum_e7
          """
      ).execute(arguments: [
        cell.level, cell.y, cell.x, change.count, change.latitudes, change.longitudes,
      ])
      guard change.count <= 0 else { continue }
      try database.cachedStatement(
        sql: "DELETE FROM cell WHERE level = ? AND y = ? AND x = ? AND sighting_count = 0"
      ).execute(arguments: [cell.level, cell.y, cell.x])
    }
    for (key, change) in facets.sorted(by: { $0.key.cell < $1.key.cell }) where change != 0 {
      let (facet, value) = key.value.words
      try database.cachedStatement(
        sql: """
          INSERT INTO facet_tally (level, y, x, facet, value, sighting_count)
          VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (level, y, x, facet, value) DO UPDATE SET
            sighting_count = sighting_count + excluded.sighting_count
          """
      ).execute(arguments: [key.cell.level, key.cell.y, key.cell.x, facet, value, change])
      guard change < 0 else { continue }
      try database.cachedStatement(
        sql: """
          DELETE FROM facet_tally WHERE level = ? AND y = ? AND x = ? AND facet = ? AND value = ?
            AND sighting_count = 0
          """
      ).execute(arguments: [key.cell.level, key.cell.y, key.cell.x, facet, value])
    }
  }

  /// Whether `cell` holds what was counted, and nothing else.
  func areCellsStored(in database: Database) throws -> Bool {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT level, y, x, sighting_count, latitude_sum_e7, longitude_sum_e7 FROM cell
        """)
    var count = 0
    while let row = try rows.next() {
      let numbers = Array(row.databaseValues).map { Int.fromDatabaseValue($0) ?? 0 }
      let key = CellKey(MapCell(level: numbers[0], y: numbers[1], x: numbers[2]))
      guard let change = cells[key], change.count == numbers[3], change.latitudes == numbers[4],
        change.longitudes == numbers[5]
      else { return false }
      count += 1
    }
    return count == cells.count
  }

  /// Whether `facet_tally` holds what was counted, and nothing else of its part.
  func areFacetsStored(in database: Database) throws -> Bool {
    let rows = try Row.fetchCursor(
      database, sql: "SELECT level, y, x, sighting_count, facet, value FROM facet_tally")
    var count = 0
    while let row = try rows.next() {
      let values = Array(row.databaseValues)
      let numbers = values.prefix(4).map { Int.fromDatabaseValue($0) ?? 0 }
      let cell = CellKey(MapCell(level: numbers[0], y: numbers[1], x: numbers[2]))
      guard let facet = String.fromDatabaseValue(values[4]),
        let word = String.fromDatabaseValue(values[5]), let value = FacetValue(facet, word)
      else { return false }
      guard value.part(of: part.count) == part.index else { continue }
      guard facets[FacetKey(cell: cell, value: value)] == numbers[3] else { return false }
      count += 1
    }
    return count == facets.count
  }
}
