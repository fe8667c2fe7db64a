import Foundation
import STOLJournal

/// The part of the globe that a map shows: a middle, and how often the whole is halved.
///
/// Equirectangular: a degree of longitude is as much shorter than one of latitude as it is in the middle. At zoom 0
/// the globe fits; at the last one the map is 10 m wide.
struct JournalMapView: Equatable, Sendable {
  /// The units of the drawing.
  static let width = 720.0
  static let height = 480.0
  static let zooms = 0...22

  /// The middle, in degrees.
  private(set) var latitude: Double
  private(set) var longitude: Double
  private(set) var zoom: Int

  /// A view; what lies beyond the poles is not shown.
  init(latitude: Double, longitude: Double, zoom: Int) {
    self.zoom = min(max(zoom, Self.zooms.lowerBound), Self.zooms.upperBound)
    let half = Self.height / 2 * 360 / Self.width / exp2(Double(self.zoom))
    let most = max(0, 90 - half)
    self.latitude = min(max(latitude, -most), most)
    self.longitude = self.zoom == 0 ? 0 : Self.wrapped(longitude)
  }

  /// The whole globe.
  static let world = JournalMapView(latitude: 0, longitude: 0, zoom: 0)

  /// The surroundings of a position, some hundred metres.
  init(around position: Position) {
    let metres = Double(max(position.uncertaintyM ?? 0, 40)) * 10
    let zoom = Int((log2(40_075_017 / metres)).rounded(.down))
    self.init(latitude: position.latitude, longitude: position.longitude, zoom: zoom)
  }

  /// The view that an address names: "at=51.15,-2.7&z=9"; nil where it names none.
  init?(_ query: Fields) {
    guard let position = query["at"].flatMap({ Self.position($0) }),
      let zoom = query["z"].flatMap({ Int($0) })
    else { return nil }
    self.init(latitude: position.latitude, longitude: position.longitude, zoom: zoom)
  }

  /// The position that a text of an address is: "51.15,-2.7"; nil for another one.
  static func position(_ text: String) -> Position? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    return try? Position(latitude: String(parts[0]), longitude: String(parts[1]))
  }

  /// The view that holds a part of another one, with room around.
  init(left: Double, right: Double, top: Double, bottom: Double, of view: JournalMapView) {
    let share = max((right - left) / Self.width, (bottom - top) / Self.height, 1e-9)
    // The part is to take at most two thirds; one step at least is gone, and not too many at once.
    let steps = Int(log2(0.66 / share).rounded(.down))
    let (x, y) = ((left + right) / 2, (top + bottom) / 2)
    self.init(
      latitude: view.latitude + (Self.height / 2 - y) * view.degreesPerUnit,
      longitude: view.longitude + (x - Self.width / 2) * view.degreesPerUnit / view.shrink,
      zoom: view.zoom + min(max(steps, 1), 4))
  }

  /// Degrees of latitude that a unit of the drawing is.
  var degreesPerUnit: Double { 360 / Self.width / exp2(Double(zoom)) }

  /// How much shorter a degree of longitude is than one of latitude, in the middle.
  var shrink: Double { max(0.02, cos(latitude * .pi / 180)) }

  /// How many degrees of longitude it is wide, at most all of them.
  var longitudeSpan: Double { min(360, Self.width * degreesPerUnit / shrink) }

  /// The metres that a unit of the drawing is.
  var metresPerUnit: Double { degreesPerUnit * 111_195 }

  /// A longitude from -180 up to 180.
  static func wrapped(_ longitude: Double) -> Double {
    let turned = (longitude + 180).truncatingRemainder(dividingBy: 360)
    return (turned < 0 ? turned + 360 : turned) - 180
  }

  /// Where a point is drawn; of the two ways around the globe the shorter one.
  func point(_ latitude: Double, _ longitude: Double) -> (x: Double, y: Double) {
    (
      Self.width / 2 + Self.wrapped(longitude - self.longitude) * shrink / degreesPerUnit,
      Self.height / 2 - (latitude - self.latitude) / degreesPerUnit
    )
  }

  /// The part of the globe.
  func bounds() throws(JournalError) -> Bounds {
    func units(_ degrees: Double) -> Int { Int((degrees * 10_000_000).rounded()) }
    let half = Self.height / 2 * degreesPerUnit
    let (south, north) = (max(-90, latitude - half), min(90, latitude + half))
    let side = longitudeSpan / 2
    let isAll = longitudeSpan >= 360
    return try Bounds(
      southE7: units(south), westE7: units(isAll ? -180 : Self.wrapped(longitude - side)),
      northE7: units(north), eastE7: units(isAll ? 180 : Self.wrapped(longitude + side)))
  }

  /// The same one step nearer or farther, or moved by a part of its width and height.
  func moved(right: Double = 0, up: Double = 0, zoom step: Int = 0) -> JournalMapView {
    JournalMapView(
      latitude: latitude + up * Self.height * degreesPerUnit,
      longitude: longitude + right * Self.width * degreesPerUnit / shrink, zoom: zoom + step)
  }

  /// The point of a drawing, in degrees as exact as a unit of it is.
  func position(x: Double, y: Double) -> Position {
    let latitude = self.latitude + (Self.height / 2 - y) * degreesPerUnit
    let longitude = self.longitude + (x - Self.width / 2) * degreesPerUnit / shrink
    return Position(
      latitudeE7: units(min(90, max(-90, latitude))), longitudeE7: units(Self.wrapped(longitude)))
  }

  /// Degrees in units of 1e-7, with as many decimals as a unit of the drawing is worth.
  private func units(_ degrees: Double) -> Int {
    let decimals = min(7, max(2, 2 + Int((Double(zoom) * 0.30103).rounded(.up))))
    let unit = pow(10, Double(7 - decimals))
    return Int((degrees * 10_000_000 / unit).rounded() * unit)
  }

  /// The fields of an address that name it.
  var fields: Fields {
    func text(_ degrees: Double) -> String { DecimalText.text(units(degrees), decimals: 7) }
    var fields = Fields()
    fields.append("at", "\(text(latitude)),\(text(longitude))")
    fields.append("z", "\(zoom)")
    return fields
  }

  /// The map of it.
  func address(
    _ filter: JournalFilter, _ form: Form = .page, _ choice: MapChoice = MapChoice()
  ) -> Address {
    var query = fields
    for (name, value) in choice.fields.pairs { query.append(name, value) }
    for (name, value) in filter.with({ $0.box = nil }).fields.pairs { query.append(name, value) }
    return Address(.journal(.map), form, query: query)
  }

  /// The view that shows all of some positions; all of the globe where there are none.
  static func holding(_ positions: [Position]) -> JournalMapView {
    guard let first = positions.first else { return .world }
    // Around the first one, so that what lies on both sides of the antimeridian is near.
    let east = positions.map { wrapped($0.longitude - first.longitude) }
    let north = positions.map(\.latitude)
    let (west, far) = (east.min() ?? 0, east.max() ?? 0)
    let (south, top) = (north.min() ?? 0, north.max() ?? 0)
    let middle = (south + top) / 2
    let span = max(
      (far - west) * max(0.02, cos(middle * .pi / 180)) * 1.3, (top - south) * 1.3 * width / height,
      0.004)
    return JournalMapView(
      latitude: middle, longitude: first.longitude + (west + far) / 2,
      zoom: Int(log2(360 / span).rounded(.down)))
  }
}
