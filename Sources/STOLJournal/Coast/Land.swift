import Foundation

/// The land of the Earth as a coarse map has it: polygons of Natural Earth, made by Tools/make-coast.
///
/// Lakes are land, the Caspian Sea is not. Islands that are too small for the map are not there.
package struct Land: Sendable {
  /// What a map can say of a point.
  package enum Side: String, Sendable {
    /// It is on land, and the coast is far.
    case land
    /// It is in the sea, and the coast is far.
    case sea
    /// The coast is so near that the map cannot say.
    case coast
  }

  /// A corner, in hundredths of a degree.
  package struct Corner: Hashable, Sendable {
    package let latitude, longitude: Int
  }

  /// At 1:110 million, as small as a map of the world can be.
  package static let coarse = decoded(LandTable110.text)
  /// At 1:50 million.
  package static let fine = decoded(LandTable50.text)

  /// Closed lines, the first corner not repeated.
  ///
  /// What an odd number of them surrounds is land. None crosses the antimeridian: there, and at the pole, are
  /// edges that are no coast.
  package let rings: [[Corner]]
  /// Islands that are too small for the map to have a line.
  package let islands: [Corner]

  private struct Edge {
    let a, b: Corner
    /// Whether it is a coast, and no edge of the map.
    let isCoast: Bool
  }

  /// The edges that touch each degree of latitude from the south pole on.
  private let bands: [[Edge]]

  package init(rings: [[Corner]], islands: [Corner] = []) {
    self.rings = rings
    self.islands = islands
    var bands = [[Edge]](repeating: [], count: Self.bandCount)
    for ring in rings {
      for (index, a) in ring.enumerated() {
        let b = ring[index + 1 == ring.count ? 0 : index + 1]
        let isEdgeOfMap =
          a.longitude == b.longitude && abs(a.longitude) == 180 * Self.unitsPerDegree
          || a.latitude == b.latitude && abs(a.latitude) == 90 * Self.unitsPerDegree
        let edge = Edge(a: a, b: b, isCoast: !isEdgeOfMap)
        let (low, high) = (min(a.latitude, b.latitude), max(a.latitude, b.latitude))
        for band in Self.band(low)...Self.band(high) { bands[band].append(edge) }
      }
    }
    self.bands = bands
  }

  private static let unitsPerDegree = 100
  private static let bandCount = 180

  private static func band(_ latitude: Int) -> Int {
    min(bandCount - 1, max(0, latitude / unitsPerDegree + (latitude < 0 ? 89 : 90)))
  }

  /// Whether a point is on land, if one believes the map: a ray to the east crosses an odd number of edges.
  ///
  /// - Complexity: O(number of edges in one degree of latitude)
  package func contains(_ position: Position) -> Bool {
    let (x, y) = (position.longitudeE7, position.latitudeE7)
    let scale = Position.unitsPerDegree / Self.unitsPerDegree
    var isInside = false
    for edge in bands[Self.band(Self.floored(y, scale))] {
      let (low, high) =
        edge.a.latitude < edge.b.latitude ? (edge.a, edge.b) : (edge.b, edge.a)
      // Half-open, so that a corner counts once.
      guard low.latitude * scale <= y, y < high.latitude * scale else { continue }
      let (dx, dy) = (high.longitude - low.longitude, high.latitude - low.latitude)
      // The edge is to the east of the point: all in whole numbers below 2^63.
      if (x - low.longitude * scale) * dy < dx * (y - low.latitude * scale) { isInside.toggle() }
    }
    return isInside
  }

  /// Whether a coast or an island of the map lies within some metres of a point.
  ///
  /// - Complexity: O(number of edges within as many degrees of latitude)
  package func isCoast(within metres: Double, of position: Position) -> Bool {
    let reach = metres / Self.metresPerDegree + 0.01
    let (south, north) = (position.latitude - reach, position.latitude + reach)
    func band(_ degrees: Double) -> Int {
      Self.band(Int((min(90, max(-90, degrees)) * Double(Self.unitsPerDegree)).rounded(.down)))
    }
    let plane = Plane(center: position)
    for band in band(south)...band(north) {
      for edge in bands[band] where edge.isCoast {
        if plane.distanceM(from: edge.a, to: edge.b) <= metres { return true }
      }
    }
    return islands.contains { plane.distanceM(from: $0, to: $0) <= metres }
  }

  /// What the map can say of a point that is not within some metres of a coast.
  package func side(of position: Position, marginM: Double = Land.marginM) -> Side {
    if isCoast(within: marginM, of: position) { return .coast }
    return contains(position) ? .land : .sea
  }

  /// Within so many metres of a coast nothing is said.
  package static let marginM = 20_000.0

  private static let metresPerDegree = Position.earthRadiusM * .pi / 180

  private static func floored(_ value: Int, _ divisor: Int) -> Int {
    value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor)
  }

  /// The surroundings of a point as if they were flat.
  private struct Plane {
    let center: Position
    let shrink: Double

    init(center: Position) {
      self.center = center
      shrink = cos(center.latitude * .pi / 180)
    }

    /// The metres from the center to the nearest point of a line.
    func distanceM(from a: Corner, to b: Corner) -> Double {
      let metres = Land.metresPerDegree
      let scale = Double(Land.unitsPerDegree)
      var east = Double(a.longitude) / scale - center.longitude
      if east > 180 { east -= 360 }
      if east < -180 { east += 360 }
      let (x, y) = (
        east * shrink * metres, (Double(a.latitude) / scale - center.latitude) * metres
      )
      // From there the line goes on, wherever the other side of the globe begins.
      let dx = Double(b.longitude - a.longitude) / scale * shrink * metres
      let dy = Double(b.latitude - a.latitude) / scale * metres
      let length = dx * dx + dy * dy
      let share = length == 0 ? 0 : min(1, max(0, -(x * dx + y * dy) / length))
      let (nearX, nearY) = (x + share * dx, y + share * dy)
      return (nearX * nearX + nearY * nearY).squareRoot()
    }
  }

  // MARK: - The tables

  /// The map that a table of Tools/make-coast states: the number of rings, then of each the number of corners and
  /// their differences, latitude first, then the islands likewise as one ring; all as LEB128 with the sign in the
  /// lowest bit, in Base64.
  private static func decoded(_ text: String) -> Land {
    let bytes = Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data()
    var rest = bytes[...]
    func number() -> Int {
      var (value, shift) = (0, 0)
      while let byte = rest.popFirst(), shift < 56 {
        value |= Int(byte & 0x7F) << shift
        shift += 7
        if byte < 0x80 { break }
      }
      return value >> 1 ^ -(value & 1)
    }
    func ring() -> [Corner] {
      let count = min(max(0, number()), rest.count)
      var (latitude, longitude) = (0, 0)
      return (0..<count).map { _ in
        latitude += number()
        longitude += number()
        return Corner(latitude: latitude, longitude: longitude)
      }
    }
    let count = min(max(0, number()), rest.count)
    let rings = (0..<count).map { _ in ring() }
    return Land(rings: rings, islands: ring())
  }
}
