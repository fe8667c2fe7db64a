import STOLSystem

/// The months that a time may be in, counted from the year 0.
struct Months {
  private let first: Int
  private let last: Int

  /// The months from a local time to another one.
  init?(_ start: String?, _ end: String? = nil) {
    guard let start, let (first, ownLast) = Self.range(start) else { return nil }
    self.first = first
    last = max(ownLast, end.flatMap { Self.range($0)?.last } ?? ownLast)
  }

  private static func range(_ text: String) -> (first: Int, last: Int)? {
    let parts = text.prefix(7).split(separator: "-").map { Int($0) }
    guard let found = parts.first, let year = found, (0...9999).contains(year) else { return nil }
    guard parts.count > 1, let month = parts[1] else { return (year * 12, year * 12 + 11) }
    return (year * 12 + month - 1, year * 12 + month - 1)
  }

  func overlaps(_ other: Months) -> Bool { first <= other.last && other.first <= last }
}

/// Where something is that others may not know exactly, and the search for what lies near it.
struct NearSpots {
  /// Where what lies nearer says where it is, whenever that was.
  static let sameSpotM = 100.0
  /// Where what lies nearer says where it is, if it was in the same month.
  static let sameWalkM = 1000.0

  private struct Spot {
    let position: Position
    let months: [Months]
    let isWide: Bool
  }

  /// Spots by hundredths of a degree of latitude, each row from west to east.
  private var rows: [Int: [Spot]] = [:]
  private static let rowUnits = 100_000

  private static func row(_ position: Position) -> Int {
    position.latitudeE7.flooredDivision(by: rowUnits).quotient
  }

  var isEmpty: Bool { rows.isEmpty }

  mutating func add(_ position: Position, _ months: [Months], isWide: Bool) {
    rows[Self.row(position), default: []].append(
      Spot(position: position, months: months, isWide: isWide))
  }

  /// Puts the spots in order, before any search.
  mutating func sort() {
    rows = rows.mapValues { $0.sorted { $0.position.longitudeE7 < $1.position.longitudeE7 } }
  }

  /// Whether a position lies near one of the spots, and whether near one of a wide cell; nil where it does not.
  func isWide(near position: Position, _ months: [Months]) -> Bool? {
    let degree = Double(Position.unitsPerDegree)
    let latitude = min(abs(position.latitude) + 0.02, 90) * .pi / 180
    // A degree of latitude has at least 110 km; more than a kilometre more is looked at near a pole.
    let units = Self.sameWalkM / 110_000 / max(cosine(latitude), 1e-6) * degree
    let reach = Int(min(units, 360 * degree)) + 1
    var found: Bool?
    for row in Self.row(position) - 1...Self.row(position) + 1 {
      guard let spots = rows[row] else { continue }
      // The same meridian has two numbers, and so has what is around it.
      for turn in [-360, 0, 360] {
        let middle = position.longitudeE7 &+ turn * Position.unitsPerDegree
        var index = spots.partitioningIndex { $0.position.longitudeE7 >= middle &- reach }
        while index < spots.count, spots[index].position.longitudeE7 <= middle &+ reach {
          let spot = spots[index]
          index += 1
          let distance = spot.position.distanceM(to: position)
          let isNear =
            distance <= Self.sameSpotM
            || distance <= Self.sameWalkM
              && spot.months.contains { month in months.contains { $0.overlaps(month) } }
          guard isNear else { continue }
          if spot.isWide { return true }
          found = false
        }
      }
    }
    return found
  }
}

extension Array {
  /// The index of the first element of which `isBehind` holds, which it does of all behind it too.
  fileprivate func partitioningIndex(_ isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
