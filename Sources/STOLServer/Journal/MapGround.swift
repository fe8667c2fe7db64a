import Foundation
import STOLJournal

/// What lies below the marks of a map: land, and lines of the globe.
struct MapGround {
  let view: JournalMapView

  /// The land as the attribute `d` of a path, of the map at 1:110 million or 1:50 million.
  ///
  /// Corners that lie nearer to each other than a unit are left out, and what is outside the drawing is cut off.
  ///
  /// - Complexity: O(number of corners of the map)
  func land() -> String {
    let land = isCoarse ? Land.coarse : Land.fine
    var text = ""
    for ring in land.rings {
      // Each part of the globe stands beside itself, so that no edge of the map cuts through the drawing.
      for shift in [-360.0, 0, 360] where touches(ring, shift) {
        let corners = clipped(
          ring.map { corner in
            point(Double(corner.latitude) / 100, Double(corner.longitude) / 100 + shift)
          })
        append(corners, to: &text)
      }
    }
    return text
  }

  /// Whether a map of the world is exact enough.
  var isCoarse: Bool { view.zoom < 3 }

  private typealias Point = (x: Double, y: Double)
  /// So far beyond the drawing land is cut off, so that the cut is not seen.
  private static let margin = 6.0

  private func point(_ latitude: Double, _ longitude: Double) -> Point {
    (
      JournalMapView.width / 2
        + (longitude - view.longitude) * view.shrink / view.degreesPerUnit,
      JournalMapView.height / 2 - (latitude - view.latitude) / view.degreesPerUnit
    )
  }

  private func touches(_ ring: [Land.Corner], _ shift: Double) -> Bool {
    let side = JournalMapView.width / 2 * view.degreesPerUnit / view.shrink + 1
    let half = JournalMapView.height / 2 * view.degreesPerUnit + 1
    var (west, east, south, north) = (Int.max, Int.min, Int.max, Int.min)
    for corner in ring {
      (west, east) = (min(west, corner.longitude), max(east, corner.longitude))
      (south, north) = (min(south, corner.latitude), max(north, corner.latitude))
    }
    guard west <= east else { return false }
    return Double(west) / 100 + shift <= view.longitude + side
      && Double(east) / 100 + shift >= view.longitude - side
      && Double(south) / 100 <= view.latitude + half
      && Double(north) / 100 >= view.latitude - half
  }

  /// The part of a polygon in the drawing: one edge of it after another cuts off what lies behind it
  /// (Sutherland and Hodgman 1974).
  private func clipped(_ points: [Point]) -> [Point] {
    let (low, right) = (-Self.margin, JournalMapView.width + Self.margin)
    let bottom = JournalMapView.height + Self.margin
    var points = points
    func cut(_ isInside: (Point) -> Bool, _ crossing: (Point, Point) -> Point) {
      guard var last = points.last else { return }
      var kept: [Point] = []
      kept.reserveCapacity(points.count)
      for point in points {
        if isInside(point) != isInside(last) { kept.append(crossing(last, point)) }
        if isInside(point) { kept.append(point) }
        last = point
      }
      points = kept
    }
    func atX(_ x: Double) -> (Point, Point) -> Point {
      { a, b in (x, a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)) }
    }
    func atY(_ y: Double) -> (Point, Point) -> Point {
      { a, b in (a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y), y) }
    }
    cut({ $0.x >= low }, atX(low))
    cut({ $0.x <= right }, atX(right))
    cut({ $0.y >= low }, atY(low))
    cut({ $0.y <= bottom }, atY(bottom))
    return points
  }

  /// Adds a closed line in whole units, each corner by its difference to the one before.
  private func append(_ points: [Point], to text: inout String) {
    var corners: [(x: Int, y: Int)] = []
    for point in points {
      let corner = (x: Int((point.x * 2).rounded()), y: Int((point.y * 2).rounded()))
      if let last = corners.last, abs(last.x - corner.x) + abs(last.y - corner.y) < 4 { continue }
      corners.append(corner)
    }
    guard corners.count > 2 else { return }
    var last = corners[0]
    text += "M\(last.x) \(last.y)l"
    for (index, corner) in corners.dropFirst().enumerated() {
      let (x, y) = (corner.x - last.x, corner.y - last.y)
      text += index > 0 && x >= 0 ? " \(x)" : "\(x)"
      text += y >= 0 ? " \(y)" : "\(y)"
      last = corner
    }
    text += "z"
  }

  // MARK: - Lines of the globe

  /// A parallel or a meridian.
  struct Line {
    let degrees: Double
    /// Where it is drawn: the y of a parallel, the x of a meridian.
    let at: Double
    let name: String
  }

  /// The degrees between lines: so that some four to nine are seen.
  private var step: Double {
    let wanted = JournalMapView.height * view.degreesPerUnit / 4
    for step in [45.0, 30, 20, 10, 5, 2, 1] where step <= wanted { return step }
    let magnitude = pow(10, log10(wanted).rounded(.down))
    return [5, 2, 1].map { $0 * magnitude }.first { $0 <= wanted } ?? magnitude
  }

  private func name(_ degrees: Double, _ positive: String, _ negative: String) -> String {
    let decimals = max(0, Int((-log10(step)).rounded(.up)))
    let text = String(format: "%.\(decimals)f", abs(degrees))
    return abs(degrees) < step / 2 ? "0°" : "\(text)° \(degrees > 0 ? positive : negative)"
  }

  /// The parallels that are seen.
  var parallels: [Line] {
    let half = JournalMapView.height / 2 * view.degreesPerUnit
    let (south, north) = (max(-90, view.latitude - half), min(90, view.latitude + half))
    return multiples(from: south, to: north).map { latitude in
      Line(
        degrees: latitude,
        at: JournalMapView.height / 2 - (latitude - view.latitude) / view.degreesPerUnit,
        name: name(latitude, "N", "S"))
    }
  }

  /// The meridians that are seen.
  var meridians: [Line] {
    let side = view.longitudeSpan / 2
    return multiples(from: view.longitude - side, to: view.longitude + side).map { longitude in
      Line(
        degrees: longitude,
        at: JournalMapView.width / 2
          + (longitude - view.longitude) * view.shrink / view.degreesPerUnit,
        name: name(JournalMapView.wrapped(longitude), "E", "W"))
    }
  }

  private func multiples(from low: Double, to high: Double) -> [Double] {
    let (first, last) = ((low / step).rounded(.up), (high / step).rounded(.down))
    guard first <= last, last - first < 40 else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }

  /// A bar of so many units, and the metres that it is in the middle of the map.
  var scale: (units: Double, name: String) {
    let most = 160 * view.metresPerUnit
    let magnitude = pow(10, log10(most).rounded(.down))
    let metres = [5, 2, 1].map { $0 * magnitude }.first { $0 <= most } ?? magnitude
    let name =
      metres >= 1000
      ? "\(Words.grouped(Int((metres / 1000).rounded()))) km"
      : metres >= 1
        ? "\(Int(metres.rounded())) m" : "\(Int((metres * 100).rounded())) cm"
    return (metres / view.metresPerUnit, name)
  }
}
