import STOLFormats

/// A position that a receiver told, with how exact it takes it to be.
public struct PositionFix: Hashable, Sendable {
  /// Where it is; `uncertaintyM` is nil where the receiver does not say how exact that is.
  public var position: Position
  /// Metres above the sea, times 100.
  public var elevationCm: Int?
  /// When it was, in seconds since 1970; nil where that is not told.
  public var seconds: Int?

  init(position: Position, elevationCm: Int? = nil, seconds: Int? = nil) {
    self.position = position
    self.elevationCm = elevationCm
    self.seconds = seconds
  }

  /// Metres within which a receiver's position lies that has a dilution of precision of 1: what is usual without
  /// corrections, and twice the standard deviation.
  static let metresPerDilution = 5

  /// The metres for a dilution of precision, as "1.5", rounded up; nil for a text that is none.
  static func uncertaintyM(dilution text: String) -> Int? {
    guard let thousandths = DecimalText.value(text, decimals: 3),
      (1...99_000).contains(thousandths)
    else { return nil }
    return max(1, (thousandths * metresPerDilution + 999) / 1000)
  }
}

/// Reads the points of a GPX file, 1.0 or 1.1, as fixes: track points, else waypoints.
///
/// How exact a point is says an element `accuracy` in its extensions, in metres, else `hdop`.
package enum GPXTrack {
  /// The most bytes of a file.
  package static let byteLimit = 64 << 20

  /// The fixes of a file in its order; points that are nowhere on the globe are passed over.
  ///
  /// - Throws: `JournalError.invalid` for a file that is no GPX.
  package static func fixes(_ bytes: [UInt8]) throws(JournalError) -> [PositionFix] {
    try read(bytes).fixes
  }

  /// The fixes of a file in its order, and how many points are nowhere on the globe.
  ///
  /// - Throws: `JournalError.invalid` for a file that is no GPX.
  package static func read(
    _ bytes: [UInt8]
  ) throws(JournalError) -> (fixes: [PositionFix], faultCount: Int) {
    let root: XMLElement
    do {
      root = try XMLParser.parse(bytes, limit: byteLimit)
    } catch {
      throw .invalid(field: "GPX", value: "", remedy: error.description)
    }
    guard root.name == "gpx" else {
      throw .invalid(field: "GPX", value: root.name, remedy: "a document whose root is gpx")
    }
    let tracks = root.children.filter { $0.name == "trk" }
    let points = tracks.flatMap(\.children).filter { $0.name == "trkseg" }.flatMap(\.children)
      .filter { $0.name == "trkpt" }
    let all = points.isEmpty ? root.children.filter { $0.name == "wpt" } : points
    let fixes = all.compactMap(fix)
    return (fixes, all.count - fixes.count)
  }

  private static func text(_ element: XMLElement?) -> String? {
    element.map { $0.wholeText }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Within how many metres a point lies; nil where nothing says so.
  static func uncertaintyM(_ point: XMLElement) -> Int? {
    let accuracy = text(point.child("extensions")?.descendant("accuracy"))
      .flatMap { DecimalText.value($0, decimals: 3) }
    if let accuracy, (1...20_040_000_000).contains(accuracy) { return (accuracy + 999) / 1000 }
    return text(point.child("hdop")).flatMap { PositionFix.uncertaintyM(dilution: $0) }
  }

  private static func fix(_ point: XMLElement) -> PositionFix? {
    guard let latitude = point.attributes["lat"], let longitude = point.attributes["lon"],
      var position = try? Position(latitude: latitude, longitude: longitude)
    else { return nil }
    position.uncertaintyM = uncertaintyM(point)
    let elevation = text(point.child("ele")).flatMap { DecimalText.value($0, decimals: 2) }
    let time = text(point.child("time")).flatMap { ImportTime($0) }
    let offset = time?.utcOffsetMin
    return PositionFix(
      position: position,
      elevationCm: elevation.flatMap { Organism.elevationRange.contains($0) ? $0 : nil },
      seconds: offset.flatMap { offset in time.map { $0.time.firstSecond - offset * 60 } })
  }
}
