import GRDB

/// The tallies of parts of the globe: `cell` and `facet_tally`.
struct CellTallies {
  private struct Change {
    var count = 0
    var latitudes = 0
    var longitudes = 0
  }

  private struct FacetKey: Hashable {
    let cell: MapCell
    let facet: String
    let value: String
  }

  private var cells: [MapCell: Change] = [:]
  private var facets: [FacetKey: Int] = [:]

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

  /// Counts a row of `sighting` once more, or once less.
  mutating func count(_ sighting: Row, _ number: Int) throws {
    let position = try sighting.position
    if let position {
      for level in MapCell.talliedLevels {
        let cell = MapCell(level: level, containing: position)
        cells[cell, default: Change()].count += number
        cells[cell, default: Change()].latitudes += number * position.latitudeE7
        cells[cell, default: Change()].longitudes += number * position.longitudeE7
      }
    }
    let values = [
      ("taxon", try (sighting.value("taxon_ref_id") as Int64?).map(String.init)),
      ("year", try (sighting.value("year") as Int?).map(String.init)),
      ("month", try (sighting.value("month") as Int?).map(String.init)),
      ("kind", try sighting.value("kind") as String?),
    ]
    for level in MapCell.facetLevels {
      let cell =
        level == 0
        ? MapCell(level: 0, y: 0, x: 0) : position.map { MapCell(level: level, containing: $0) }
      guard let cell else { continue }
      for case (let facet, let value?) in values {
        facets[FacetKey(cell: cell, facet: facet, value: value), default: 0] += number
      }
    }
  }

  /// Writes what has changed.
  func write(_ database: Database) throws {
    for (cell, change) in cells {
      let key: StatementArguments = [cell.level, cell.y, cell.x]
      try database.cachedStatement(
        sql: """
          INSERT INTO cell (level, y, x, sighting_count, latitude_sum_e7, longitude_sum_e7)
          VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (level, y, x) DO UPDATE SET
            sighting_count = sighting_count + excluded.sighting_count,
            latitude_sum_e7 = latitude_sum_e7 + excluded.latitude_sum_e7,
            longitude_sum_e7 = longitude_sum_e7 + excluded.longitude_sum_e7
          """
      ).execute(arguments: key + [change.count, change.latitudes, change.longitudes])
      guard change.count <= 0 else { continue }
      try database.cachedStatement(
        sql: "DELETE FROM cell WHERE level = ? AND y = ? AND x = ? AND sighting_count = 0"
      ).execute(arguments: key)
    }
    for (facet, change) in facets where change != 0 {
      let key: StatementArguments = [
        facet.cell.level, facet.cell.y, facet.cell.x, facet.facet, facet.value,
      ]
      try database.cachedStatement(
        sql: """
          INSERT INTO facet_tally (level, y, x, facet, value, sighting_count)
          VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (level, y, x, facet, value) DO UPDATE SET
            sighting_count = sighting_count + excluded.sighting_count
          """
      ).execute(arguments: key + [change])
      guard change < 0 else { continue }
      try database.cachedStatement(
        sql: """
          DELETE FROM facet_tally WHERE level = ? AND y = ? AND x = ? AND facet = ? AND value = ?
            AND sighting_count = 0
          """
      ).execute(arguments: key)
    }
  }
}
