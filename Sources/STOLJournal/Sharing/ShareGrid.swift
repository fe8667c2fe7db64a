/// The fixed cells in whose centres positions lie of which others may know roughly where they are.
///
/// They are the same for everybody and always, so that many exports together say no more than one. A cell of half a
/// degree has the cells of a tenth in it.
enum ShareGrid {
  /// The centre of the cell that a position is in, with somewhat more than half of its diagonal as the uncertainty.
  ///
  /// What is known less exactly than that stays so.
  ///
  /// - Parameters:
  ///   - position: where something is.
  ///   - anchors: the centres of cells of what it belongs to. The first that says where the position is as truly is
  ///     its own: two cells for what is one would tell that it is near their border.
  ///   - isWide: whether cells have sides of half a degree.
  /// - Returns: the centre.
  static func centre(
    of position: Position, near anchors: [Position] = [], isWide: Bool
  ) -> Position {
    for anchor in anchors {
      if let found = cell(at: anchor, holding: position, isWide: isWide) { return found }
    }
    let side = side(isWide: isWide)
    return uncertain(cell(position, side), position, side)
  }

  /// The centre of a cell with the uncertainty that it has as the place of a position; nil where it is not there.
  static func cell(
    at centre: Position, holding position: Position, isWide: Bool
  ) -> Position? {
    let side = side(isWide: isWide)
    let radius = Double(radiusM(centre, side))
    guard
      centre == cell(position, side)
        || centre.distanceM(to: position) + Double(known(position)) <= radius
    else { return nil }
    return uncertain(centre, position, side)
  }

  private static func uncertain(_ centre: Position, _ position: Position, _ side: Int) -> Position {
    var centre = centre
    let (radius, known) = (radiusM(centre, side), known(position))
    centre.uncertaintyM = min(known > radius ? radius + known : radius, 20_040_000)
    return centre
  }

  /// How far from a position it may be.
  private static func known(_ position: Position) -> Int {
    min(max(position.uncertaintyM ?? 0, 0), 20_000_000)
  }

  /// The side of the cells in which, or in such that touch them, what lies is in one spot.
  static let spotSide = 10_000

  /// The centres of the cell of a grid that a position is in, and of those that touch it.
  static func around(_ position: Position, _ side: Int) -> [Position] {
    let centre = cell(position, side)
    let half = 180 * Position.unitsPerDegree
    return (-1...1).flatMap { north in
      (-1...1).map { east in
        let longitude = centre.longitudeE7 + east * side
        let turn = longitude > half ? -2 * half : longitude < -half ? 2 * half : 0
        return Position(
          latitudeE7: centre.latitudeE7 + north * side, longitudeE7: longitude + turn)
      }
    }
  }

  /// The side of a cell.
  static func side(isWide: Bool) -> Int { isWide ? 5_000_000 : 1_000_000 }

  /// The centre of the cell of a grid that a position is in.
  static func cell(_ position: Position, _ side: Int) -> Position {
    let degree = Position.unitsPerDegree
    // 180 degrees east are 180 degrees west.
    let isEdge = position.longitudeE7 >= 180 * degree
    return Position(
      latitudeE7: middle(position.latitudeE7, limit: 90 * degree, side),
      longitudeE7: middle(
        isEdge ? -180 * degree : position.longitudeE7, limit: 180 * degree, side))
  }

  private static func middle(_ value: Int, limit: Int, _ side: Int) -> Int {
    let index = (min(max(value, -limit), limit) + limit) / side
    return min(index, 2 * limit / side - 1) * side + side / 2 - limit
  }

  /// Five quarters of the metres from the centre of a cell to the farthest of its corners, rounded up.
  ///
  /// With the corners alone what lies around one of them would be in four cells, which meet there.
  private static func radiusM(_ centre: Position, _ side: Int) -> Int {
    let corners = [-side / 2, side / 2].map { north in
      Position(
        latitudeE7: centre.latitudeE7 + north, longitudeE7: centre.longitudeE7 + side / 2)
    }
    return corners.map { Int((centre.distanceM(to: $0) * 1.25).rounded(.up)) }.max() ?? 0
  }
}
