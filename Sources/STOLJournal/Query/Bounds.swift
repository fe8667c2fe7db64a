/// A part of the globe between two parallels and two meridians; one that is west of itself crosses the
/// antimeridian.
public struct Bounds: Hashable, Sendable {
  /// The southern and the northern parallel, in 1e-7 degree.
  public let southE7, northE7: Int
  /// The western and the eastern meridian, in 1e-7 degree.
  public let westE7, eastE7: Int

  /// A part of the globe, edges and all.
  ///
  /// - Throws: `JournalError.invalid` where an edge is not on the globe, or south lies north.
  public init(southE7: Int, westE7: Int, northE7: Int, eastE7: Int) throws(JournalError) {
    for (latitude, longitude) in [(southE7, westE7), (northE7, eastE7)] {
      try Position(latitudeE7: latitude, longitudeE7: longitude).validate()
    }
    guard southE7 <= northE7 else {
      throw .invalid(
        field: "south", value: DecimalText.text(southE7, decimals: 7),
        remedy: "at most north, which is \(DecimalText.text(northE7, decimals: 7))")
    }
    self.southE7 = southE7
    self.northE7 = northE7
    self.westE7 = westE7
    self.eastE7 = eastE7
  }

  /// Whether a position lies in it.
  public func contains(_ position: Position) -> Bool {
    (southE7...northE7).contains(position.latitudeE7)
      && longitudes.contains { $0.contains(position.longitudeE7) }
  }

  /// The longitudes of it: two ranges where it crosses the antimeridian.
  var longitudes: [ClosedRange<Int>] {
    let limit = 180 * Position.unitsPerDegree
    // Both names of the antimeridian are one line.
    if westE7 <= eastE7 {
      var ranges = [westE7...eastE7]
      if eastE7 == limit, westE7 > -limit { ranges.append(-limit...(-limit)) }
      if westE7 == -limit, eastE7 < limit { ranges.append(limit...limit) }
      return ranges
    }
    return [westE7...limit, -limit...eastE7]
  }
}
