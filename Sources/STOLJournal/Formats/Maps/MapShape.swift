/// The points of a track, a line or an area, of which one position is kept: the middle of the box around them, with
/// the metres to its farthest corner.
///
/// Points at 0 N 0 E are in the box only where there are no others, for a device is there that does not know where it
/// is.
struct MapShape: Hashable, Sendable {
  /// How many points were added.
  private(set) var count = 0
  /// How many of them are at 0 N 0 E, and not in the box.
  private var nullIslandCount = 0
  private var south = Int.max
  private var north = Int.min
  /// From 180 degrees west on, and from Greenwich on: a shape that crosses 180 degrees is narrow in the latter.
  private var west = Int.max
  private var east = Int.min
  private var westOfGreenwich = Int.max
  private var eastOfGreenwich = Int.min

  private static let turn = 360 * Position.unitsPerDegree

  /// Adds a point, which is on the globe.
  mutating func add(_ point: Position) {
    count += 1
    if point.isNullIsland {
      nullIslandCount += 1
    } else {
      widen(to: point)
    }
  }

  /// Makes 0 N 0 E a place like others.
  mutating func takeNullIsland() {
    guard nullIslandCount > 0 else { return }
    nullIslandCount = 0
    widen(to: Self.nullIsland)
  }

  /// How many points are left out of the box.
  var leftOutCount: Int { nullIslandCount < count ? nullIslandCount : 0 }

  private static let nullIsland = Position(latitudeE7: 0, longitudeE7: 0)

  private mutating func widen(to point: Position) {
    south = min(south, point.latitudeE7)
    north = max(north, point.latitudeE7)
    west = min(west, point.longitudeE7)
    east = max(east, point.longitudeE7)
    let turned = point.longitudeE7 < 0 ? point.longitudeE7 + Self.turn : point.longitudeE7
    westOfGreenwich = min(westOfGreenwich, turned)
    eastOfGreenwich = max(eastOfGreenwich, turned)
  }

  /// Whether all points are at one place.
  var isPoint: Bool {
    count > 0 && (nullIslandCount == count || south == north && west == east)
  }

  /// The position; nil where there is no point.
  ///
  /// That of a single place says nothing of metres.
  var position: Position? {
    guard count > nullIslandCount else { return count > 0 ? Self.nullIsland : nil }
    if isPoint { return Position(latitudeE7: south, longitudeE7: west) }
    let isTurned = eastOfGreenwich - westOfGreenwich < east - west
    let (left, right) = isTurned ? (westOfGreenwich, eastOfGreenwich) : (west, east)
    var middle = left + (right - left) / 2
    if middle > Self.turn / 2 { middle -= Self.turn }
    var centre = Position(latitudeE7: south + (north - south) / 2, longitudeE7: middle)
    guard right - left <= Self.turn / 2 else {
      // What is wider than half of the globe may be anywhere.
      centre.uncertaintyM = Self.greatestM
      return centre
    }
    let farthest = [south, north].flatMap { latitude in
      [left, right].map { longitude in
        centre.distanceM(to: Position(latitudeE7: latitude, longitudeE7: longitude))
      }
    }.max()
    // Distances on a sphere are right within 0.6 %.
    let metres = (farthest ?? 0) * 1.006 + 1
    centre.uncertaintyM = min(Self.greatestM, max(1, Int(metres.rounded(.up))))
    return centre
  }

  private static let greatestM = 20_040_000
}
