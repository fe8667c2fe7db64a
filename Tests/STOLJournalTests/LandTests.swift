import TestSupport
import Testing

@testable import STOLJournal

@Suite("Land and sea")
struct LandTests {
  private static func position(_ latitude: Double, _ longitude: Double) -> Position {
    Position(
      latitudeE7: Int((latitude * 1e7).rounded()), longitudeE7: Int((longitude * 1e7).rounded()))
  }

  @Test(arguments: [
    ("Vienna", 48.2082, 16.3738), ("Moscow", 55.75, 37.62), ("Kansas", 38.5, -98.0),
    ("Alice Springs", -23.7, 133.87), ("Timbuktu", 16.77, -3.0), ("the South Pole", -90, 0),
    ("Antarctica", -87, 179.99), ("Lesotho", -29.6, 28.2), ("Chukotka", 67.5, 176.0),
  ])
  func landIsLand(name: String, latitude: Double, longitude: Double) {
    let point = Self.position(latitude, longitude)
    for land in [Land.coarse, Land.fine] {
      #expect(land.contains(point) && land.side(of: point) == .land, "\(name)")
    }
  }

  @Test(arguments: [
    ("the middle of the Pacific", 0.0, -150.0), ("the Atlantic", 30, -40),
    ("the Indian Ocean", -30, 80), ("the North Pole", 90, 0), ("the Bering Sea", 58, 180),
    ("the Bering Sea", 58, -180), ("the Caspian Sea", 42, 50.5), ("the North Sea", 56, 3),
  ])
  func seaIsSea(name: String, latitude: Double, longitude: Double) {
    let point = Self.position(latitude, longitude)
    for land in [Land.coarse, Land.fine] {
      #expect(!land.contains(point) && land.side(of: point) == .sea, "\(name)")
    }
  }

  @Test(arguments: [
    ("Blue Corner, Palau", 7.1338, 134.2206), ("Ras Mohammed", 27.73, 34.25),
    ("Blue Hole, Belize", 17.3157, -87.5343),
    ("Monterey", 36.6, -121.89), ("Silver Bank", 20.6, -69.7), ("Sipadan", 4.115, 118.63),
  ])
  func noDiveThereIsOnLand(name: String, latitude: Double, longitude: Double) {
    #expect(Land.fine.side(of: Self.position(latitude, longitude)) != .land, "\(name)")
  }

  @Test(arguments: [
    ("Nauru", -0.53, 166.93), ("Malé", 4.175, 73.51), ("Bermuda", 32.3, -64.78),
    ("Koror", 7.34, 134.48), ("Funafuti", -8.52, 179.2),
  ])
  func noTreeOnSmallIslandsIsInTheSea(name: String, latitude: Double, longitude: Double) {
    #expect(Land.fine.side(of: Self.position(latitude, longitude)) != .sea, "\(name)")
  }

  /// All edges of all rings, in decimal numbers: whether a ray to the north crosses an odd number.
  private static func slow(_ land: Land, _ latitude: Double, _ longitude: Double) -> Bool {
    var count = 0
    for ring in land.rings {
      for (index, corner) in ring.enumerated() {
        let next = ring[(index + 1) % ring.count]
        let (ax, ay) = (Double(corner.longitude) / 100, Double(corner.latitude) / 100)
        let (bx, by) = (Double(next.longitude) / 100, Double(next.latitude) / 100)
        guard (ax > longitude) != (bx > longitude) else { continue }
        if ay + (longitude - ax) / (bx - ax) * (by - ay) > latitude { count += 1 }
      }
    }
    return count % 2 == 1
  }

  /// The metres to the nearest of many points on all coasts, or nil where no corner is near.
  private static func slowDistance(_ land: Land, _ point: Position) -> Double {
    var least = Double.infinity
    func look(_ latitude: Double, _ longitude: Double) {
      least = min(least, point.distanceM(to: position(latitude, longitude)))
    }
    for ring in land.rings {
      for (index, a) in ring.enumerated() {
        let b = ring[(index + 1) % ring.count]
        if abs(a.longitude) == 18_000, a.longitude == b.longitude { continue }
        if abs(a.latitude) == 9000, a.latitude == b.latitude { continue }
        // So far to the north or the south nothing is near.
        guard Double(max(a.latitude, b.latitude)) / 100 > point.latitude - 2,
          Double(min(a.latitude, b.latitude)) / 100 < point.latitude + 2
        else { continue }
        let steps = max(1, max(abs(a.latitude - b.latitude), abs(a.longitude - b.longitude)) / 2)
        guard steps < 4000 else { continue }
        for step in 0...steps {
          let share = Double(step) / Double(steps)
          look(
            (Double(a.latitude) + share * Double(b.latitude - a.latitude)) / 100,
            (Double(a.longitude) + share * Double(b.longitude - a.longitude)) / 100)
        }
      }
    }
    for island in land.islands {
      look(Double(island.latitude) / 100, Double(island.longitude) / 100)
    }
    return least
  }

  @Test func everyPointIsWhereTheLinesSay() {
    var generator = SeededGenerator(seed: 8)
    for (land, count) in [(Land.coarse, 2000), (Land.fine, 200)] {
      var isLand = 0
      for _ in 0..<count {
        // Half a unit beside the grid, so that no corner is hit.
        let latitude = Double(Int.random(in: -9000..<9000, using: &generator)) / 100 + 0.005
        let longitude = Double(Int.random(in: -18_000..<18_000, using: &generator)) / 100 + 0.005
        let expected = Self.slow(land, latitude, longitude)
        #expect(
          land.contains(Self.position(latitude, longitude)) == expected, "\(latitude) \(longitude)")
        isLand += expected ? 1 : 0
      }
      // By degrees, not by area.
      #expect(isLand > count / 5 && isLand < count / 2)
    }
  }

  @Test func theCoastIsAsNearAsItsLines() {
    var generator = SeededGenerator(seed: 9)
    let land = Land.coarse
    let corners = land.rings.flatMap { $0 }
    var isNear = 0
    for _ in 0..<60 {
      guard let corner = corners.randomElement(using: &generator) else { continue }
      let latitude =
        Double(corner.latitude) / 100 + Double.random(in: -0.5...0.5, using: &generator)
      let longitude = Double(corner.longitude) / 100 + Double.random(in: -1...1, using: &generator)
      guard abs(latitude) < 85, abs(longitude) < 180 else { continue }
      let point = Self.position(latitude, longitude)
      let distance = Self.slowDistance(land, point)
      // A flat Earth, and points 2 km apart.
      if distance < 19_000 { #expect(land.side(of: point) == .coast, "\(point) \(distance)") }
      if distance > 21_500 { #expect(land.side(of: point) != .coast, "\(point) \(distance)") }
      isNear += distance < 19_000 ? 1 : 0
    }
    #expect(isNear > 8)
  }

  @Test func cornersCountOnce() {
    let square = [(0, 0), (0, 100), (100, 100), (100, 0)].map {
      Land.Corner(latitude: $0, longitude: $1)
    }
    let hole = [(40, 40), (40, 60), (60, 60), (60, 40)].map {
      Land.Corner(latitude: $0, longitude: $1)
    }
    let land = Land(rings: [square, hole])
    for (latitude, longitude, isLand) in [
      (0.1, 0.1, true), (0.5, 0.5, false), (0.4, 0.1, true), (0.4, 0.9, true), (0.6, 0.1, true),
      (0.6, 0.9, true), (1.1, 0.5, false), (0.5, -0.1, false), (0.5, 1.1, false),
      (-0.1, 0.5, false),
    ] {
      #expect(
        land.contains(Self.position(latitude, longitude)) == isLand, "\(latitude) \(longitude)")
    }
  }
}
