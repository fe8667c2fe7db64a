import Foundation
import GRDB

/// A place, and how far away it is.
public struct NearPlace: Equatable, Sendable {
  /// The place.
  public let place: PlaceDot
  /// The metres to it.
  public let distanceM: Double
}

extension Bounds {
  /// A part of the globe that has all that lies within a distance of a point, and more.
  init(around center: Position, radiusM: Double) throws(JournalError) {
    let unit = Double(Position.unitsPerDegree)
    // A thousandth more than the sphere needs, and a millimetre: what is too much is left out later.
    let angle = (max(0, radiusM) * 1.001 + 0.001) / Position.earthRadiusM
    let latitude = center.latitude * .pi / 180
    func units(_ radians: Double) -> Double { radians * 180 / .pi * unit }
    let (low, high) = (-90 * Position.unitsPerDegree, 90 * Position.unitsPerDegree)
    let south = max(low, Int(units(max(latitude - angle, -.pi)).rounded(.down)))
    let north = min(high, Int(units(min(latitude + angle, .pi)).rounded(.up)))
    guard south > low, north < high else {
      try self.init(
        southE7: south, westE7: 2 * low, northE7: north, eastE7: 2 * high)
      return
    }
    let half = Int(units(asin(min(1, sin(angle) / cos(latitude)))).rounded(.up)) + 1
    var (west, east) = (center.longitudeE7 - half, center.longitudeE7 + half)
    if 2 * half >= 4 * high {
      (west, east) = (2 * low, 2 * high)
    } else {
      if west < 2 * low { west += 4 * high }
      if east > 2 * high { east -= 4 * high }
    }
    try self.init(
      southE7: south, westE7: west, northE7: north, eastE7: east)
  }
}

extension JournalFile {
  /// The live places next to a point by the great circle, the nearest first, then by UUID.
  ///
  /// - Parameters:
  ///   - center: the point.
  ///   - radiusM: only those within so many metres; nil for all.
  ///   - query: what else limits them, but for bounds; of its `limit` the nearest are given.
  /// - Returns: the places, each with its distance.
  /// - Throws: `JournalError`, `StoreError`
  /// - Complexity: O(number within some times the distance of the last one)
  package func places(
    near center: Position, radiusM: Double? = nil, _ query: PlaceQuery = PlaceQuery()
  ) throws -> [NearPlace] {
    try center.validate()
    let limit = max(0, query.limit)
    let most = Double.pi * Position.earthRadiusM
    let radius = min(radiusM ?? most, most)
    guard limit > 0, radius >= 0 else { return [] }
    return try read { database in
      let parts = try self.parts(query, database)
      // Few are looked for nearby at first, and then four times as far.
      var reach = min(radius, 10_000)
      while true {
        let bounds = try Bounds(around: center, radiusM: reach)
        let (boxes, values) = QueryParts.ids(bounds, in: "place_box")
        let rows = try Row.fetchAll(
          database,
          sql: """
            SELECT r.uuid, p.kind, p.name, p.latitude_e7, p.longitude_e7, p.uncertainty_m
            FROM (\(boxes)) b CROSS JOIN place p ON p.id = b.id
              JOIN record r ON r.id = p.id\(parts.sql)
            """, arguments: StatementArguments(values) + parts.arguments)
        let found = try rows.compactMap { row -> NearPlace? in
          let dot = try PlaceDot(row)
          guard let position = dot.position else { return nil }
          return NearPlace(place: dot, distanceM: center.distanceM(to: position))
        }.filter { $0.distanceM <= reach }
        if reach >= radius || found.count >= limit {
          return Array(
            found.sorted { ($0.distanceM, $0.place.id) < ($1.distanceM, $1.place.id) }
              .prefix(limit))
        }
        reach = min(radius, reach * 4)
      }
    }
  }

  /// The shops next to a place, the nearest first.
  ///
  /// - Throws: `JournalError` where there is no such place, or it has no position; `StoreError`
  package func shops(near place: JournalID, limit: Int = 10) throws -> [NearPlace] {
    guard case .place(let site)? = try record(place)?.record else {
      throw JournalError.unknown(id: place, needed: "place")
    }
    guard let position = site.position else {
      throw JournalError.invalid(
        field: "place", value: site.name, remedy: "one with a position: say where it is")
    }
    var query = PlaceQuery()
    query.kinds = [.shop]
    query.limit = limit
    return try places(near: position, query)
  }
}
