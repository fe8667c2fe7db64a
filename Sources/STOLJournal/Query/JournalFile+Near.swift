import GRDB

/// A place and how far away it is.
public struct NearPlace: Equatable, Sendable {
  /// The place.
  public let place: PlaceDot
  /// The metres to it.
  public let distanceM: Double
}

extension JournalFile {
  /// The live places within a distance of a position, the nearest first; of equally near ones by UUID.
  ///
  /// - Parameters:
  ///   - position: from where.
  ///   - radiusM: the metres; what is exactly so far is given too.
  ///   - kinds: of which kinds; none means all.
  ///   - limit: the most that are given.
  /// - Returns: the nearest of them, and whether there are more.
  /// - Throws: `JournalError` for a position that is not on the globe; `StoreError`.
  /// - Complexity: O(log n + number in the box around the circle)
  package func places(
    near position: Position, withinM radiusM: Int, kinds: Set<Place.Kind> = [], limit: Int = 50
  ) throws -> (places: [NearPlace], isCut: Bool) {
    var query = PlaceQuery()
    query.bounds = try Bounds(around: position, radiusM: radiusM)
    query.kinds = kinds
    query.limit = .max - 1
    let near = try places(query).places.compactMap { dot -> NearPlace? in
      guard let other = dot.position else { return nil }
      let distance = position.distanceM(to: other)
      return distance <= Double(radiusM) ? NearPlace(place: dot, distanceM: distance) : nil
    }.sorted { ($0.distanceM, $0.place.id) < ($1.distanceM, $1.place.id) }
    return (Array(near.prefix(max(0, limit))), near.count > max(0, limit))
  }
}

extension Bounds {
  /// A box in which all is that is within some metres of a position, and hardly more.
  ///
  /// - Throws: `JournalError.invalid` for a position that is not on the globe.
  init(around position: Position, radiusM: Int) throws(JournalError) {
    try position.validate()
    let unit = Double(Position.unitsPerDegree)
    let degree = 6_371_008.8 * Double.pi / 180
    // A little more, for what rounding takes.
    let reach = min(180, Double(max(0, radiusM)) / degree * 1.000_001 + 0.000_001)
    let (south, north) = (position.latitude - reach, position.latitude + reach)
    func units(_ degrees: Double, _ limit: Double) -> Int {
      Int((min(limit, max(-limit, degrees)) * unit).rounded())
    }
    var (west, east) = (-180.0, 180.0)
    if south > -90, north < 90 {
      // The meridians that touch the circle, by Napier's rules.
      let ratio = sine(reach * .pi / 180) / cosine(position.latitude * .pi / 180)
      if ratio < 1 {
        let width = arcSine(ratio) * 180 / .pi * 1.000_001 + 0.000_001
        if width < 180 {
          (west, east) = (position.longitude - width, position.longitude + width)
          if west < -180 { west += 360 }
          if east > 180 { east -= 360 }
        }
      }
    }
    try self.init(
      southE7: units(south, 90), westE7: units(west, 180), northE7: units(north, 90),
      eastE7: units(east, 180))
  }
}
