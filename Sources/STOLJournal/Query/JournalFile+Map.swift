import GRDB
import STOLSystem

/// As much of a sighting as a map shows.
public struct SightingDot: Equatable, Sendable {
  /// The occurrence.
  public let occurrence: JournalID
  /// Where it was.
  public let position: Position
  /// What it was.
  public let taxon: TaxonRefID?
  /// On what occasion.
  public let kind: Event.Kind
  /// Whether it is known as an individual.
  public let isIndividual: Bool
}

/// Several that lie near each other.
public struct MapCluster: Equatable, Sendable {
  /// The middle of them: the mean of their latitudes, and of their longitudes.
  public let position: Position
  /// How many they are.
  public let count: Int
  /// The part of the globe that was looked at as one; clusters of one map do not overlap.
  public let bounds: Bounds
}

/// What a map shows: each one, or where they are too many, clusters of them.
public struct JournalMap<Dot: Equatable & Sendable>: Equatable, Sendable {
  /// All of them, or none where there are clusters.
  public var dots: [Dot] = []
  /// The clusters, from south to north and from west to east.
  public var clusters: [MapCluster] = []
  /// Whether clusters count what lies in the bounds, and not also what lies beyond an edge in the same
  /// part of the globe.
  public var isExact = true
}

/// `FROM` and `WHERE` over `sighting s`, with their values.
struct SightingSource {
  let from: String
  var parts: QueryParts
  let values: [Int]

  var sql: String { " FROM \(from)\(parts.sql)" }
  var arguments: StatementArguments { StatementArguments(values) + parts.arguments }
}

extension JournalFile {
  /// What is looked at one by one; what is more is taken from tallies where they can say it.
  static let liveCount = 20_000
  /// The most parts of the globe that are clusters of one map, more or less.
  private static let clusterCount = 256

  /// The sightings that fit as dots, or where they are more than `dotLimit`, as clusters.
  ///
  /// Its page and its limit do not count, and what has no position is not there. Where nothing but bounds
  /// limits what fits, many are taken from tallies of all that the edges of the bounds touch; the answer says so.
  ///
  /// - Complexity: O(number that fit), or where they are many and nothing but bounds limits them O(1)
  package func map(
    of query: SightingQuery, dotLimit: Int = 1000
  ) throws -> JournalMap<SightingDot> {
    let limit = min(max(0, dotLimit), Int(Int32.max))
    var query = query
    query.after = nil
    return try read { database in
      var source = try self.source(query, database)
      source.parts.add("s.latitude_e7 NOT NULL")
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT d.*, r.uuid, o.organism_id NOT NULL AS is_individual FROM (SELECT s.occurrence_id, s.latitude_e7, s.longitude_e7,
              s.uncertainty_m, s.taxon_ref_id, s.kind\(source.sql) LIMIT \(limit + 1)) d
            JOIN record r ON r.id = d.occurrence_id JOIN occurrence o ON o.id = d.occurrence_id
          ORDER BY d.occurrence_id
          """, arguments: source.arguments)
      if rows.count <= limit {
        return JournalMap(
          dots: try rows.compactMap { row in
            guard let position = try row.position else { return nil }
            return SightingDot(
              occurrence: try row.uuid("uuid"), position: position,
              taxon: try (row.value("taxon_ref_id") as Int64?).map(TaxonRefID.init),
              kind: try row.word("kind"), isIndividual: try row.value("is_individual"))
          })
      }
      let cover = try Self.cover(query.bounds)
      if query.isPlain, !query.includesAbsent, MapCell.talliedLevels.contains(cover.level) {
        let (condition, values) = cover.condition
        let rows = try Row.fetchAll(
          database,
          sql: """
            SELECT y, x, sighting_count AS n, latitude_sum_e7 AS latitude,
              longitude_sum_e7 AS longitude FROM cell WHERE \(condition) ORDER BY y, x
            """, arguments: StatementArguments(values))
        let count = rows.reduce(0) { $0 + ($1["n"] as Int) }
        if cover.isExact || count > Self.liveCount {
          return JournalMap(
            clusters: try rows.map { try Self.cluster($0, cover.level) }, isExact: cover.isExact)
        }
      }
      return JournalMap(
        clusters: try Self.clusters(source.sql, source.arguments, "s.", cover.level, database))
    }
  }

  /// The live places that fit as dots by name, or where they are more than its limit, as clusters.
  ///
  /// What has no position is not there.
  ///
  /// - Complexity: O(number that fit)
  package func map(of query: PlaceQuery) throws -> JournalMap<PlaceDot> {
    let limit = min(max(0, query.limit), Int(Int32.max))
    return try read { database in
      let (boxes, values) = QueryParts.ids(try query.bounds ?? Self.globe(), in: "place_box")
      let parts = try self.parts(query, database)
      let sql = """

        FROM (\(boxes)) b CROSS JOIN place p ON p.id = b.id JOIN record r ON r.id = p.id\(parts.sql)
        """
      let arguments = StatementArguments(values) + parts.arguments
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT r.uuid, p.kind, p.name, p.latitude_e7, p.longitude_e7, p.uncertainty_m\(sql)
          LIMIT \(limit + 1)
          """, arguments: arguments)
      if rows.count <= limit {
        let dots = try rows.map(PlaceDot.init)
        return JournalMap(dots: dots.sorted { ($0.name, $0.id) < ($1.name, $1.id) })
      }
      return JournalMap(
        clusters: try Self.clusters(
          sql, arguments, "p.", try Self.cover(query.bounds).level, database))
    }
  }

  /// The rows that a query is about; the way to them that passes over the fewest others.
  func source(_ query: SightingQuery, _ database: Database) throws -> SightingSource {
    var parts = try self.parts(query, database, withBounds: false)
    guard let bounds = query.bounds else {
      return SightingSource(from: "sighting s", parts: parts, values: [])
    }
    if let taxa = query.taxa, try isFew(taxa, database) {
      parts.add(bounds, latitude: "s.latitude_e7", longitude: "s.longitude_e7")
      return SightingSource(from: "sighting s", parts: parts, values: [])
    }
    let (boxes, values) = QueryParts.ids(bounds, in: "sighting_box")
    return SightingSource(
      from: "(\(boxes)) b CROSS JOIN sighting s ON s.occurrence_id = b.id", parts: parts,
      values: values)
  }

  /// Whether some taxa have fewer sightings than are looked at one by one.
  private func isFew(_ taxa: Set<TaxonRefID>, _ database: Database) throws -> Bool {
    let list = taxa.map { String($0.rawValue) }.sorted().joined(separator: ",")
    let count = try Int.fetchOne(
      database,
      sql: """
        SELECT ifnull(sum(sighting_count), 0) FROM taxon_tally
        WHERE taxon_ref_id IN (SELECT value FROM json_each(?))
        """, arguments: ["[\(list)]"])
    return (count ?? 0) <= Self.liveCount
  }

  /// All of the globe.
  static func globe() throws(JournalError) -> Bounds {
    let unit = Position.unitsPerDegree
    return try Bounds(
      southE7: -90 * unit, westE7: -180 * unit, northE7: 90 * unit, eastE7: 180 * unit)
  }

  /// The smallest cells of which not too many cover a part of the globe.
  private static func cover(_ bounds: Bounds?) throws -> MapCover {
    let bounds = try bounds ?? globe()
    var cover = MapCover(bounds, level: MapCell.levels[0])
    for level in MapCell.levels.dropFirst() {
      let finer = MapCover(bounds, level: level)
      guard finer.cellCount <= clusterCount else { break }
      cover = finer
    }
    return cover
  }

  private static func clusters(
    _ sql: String, _ arguments: StatementArguments, _ table: String, _ level: Int,
    _ database: Database
  ) throws -> [MapCluster] {
    let y = MapCell.sql(table + "latitude_e7", limit: 90, level: "\(level)")
    let x = MapCell.sql(table + "longitude_e7", limit: 180, level: "\(level)")
    return try Row.fetchAll(
      database,
      sql: """
        SELECT \(y) AS y, \(x) AS x, count(*) AS n, sum(\(table)latitude_e7) AS latitude,
          sum(\(table)longitude_e7) AS longitude\(sql) GROUP BY 1, 2 ORDER BY 1, 2
        """, arguments: arguments
    ).map { try cluster($0, level) }
  }

  private static func cluster(_ row: Row, _ level: Int) throws -> MapCluster {
    let count: Int = try row.value("n")
    guard count > 0 else { throw RecordReader.broken("a cell without sightings") }
    func mean(_ column: String) throws -> Int {
      try (row.value(column) as Int).flooredDivision(by: count).quotient
    }
    return MapCluster(
      position: Position(latitudeE7: try mean("latitude"), longitudeE7: try mean("longitude")),
      count: count,
      bounds: try MapCell(level: level, y: row.value("y"), x: row.value("x")).bounds())
  }
}
