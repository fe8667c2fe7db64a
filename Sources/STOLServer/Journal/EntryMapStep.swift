import STOLJournal

/// What somebody does on the small map of a form: taps it, or moves it.
///
/// It works without scripts: the map is a button that sends where it was pressed.
struct EntryMapStep: Sendable {
  /// How wide and high the map is on the page, so that a browser says where it was pressed in these units.
  static let width = 270.0
  static let height = 180.0
  /// A finger is no more exact.
  private static let finger = 8.0

  /// A way to move it.
  enum Move: String, CaseIterable, Sendable {
    case nearer, farther, west, north, south, east

    var sign: String {
      switch self {
      case .nearer: "+"
      case .farther: "−"
      case .west: "←"
      case .north: "↑"
      case .south: "↓"
      case .east: "→"
      }
    }

    func view(after view: JournalMapView) -> JournalMapView {
      switch self {
      case .nearer: view.moved(zoom: 2)
      case .farther: view.moved(zoom: -2)
      case .west: view.moved(right: -0.5)
      case .north: view.moved(up: 0.5)
      case .south: view.moved(up: -0.5)
      case .east: view.moved(right: 0.5)
      }
    }
  }

  private let move: Move?
  private let point: (x: Double, y: Double)?
  /// Whether a spot was tapped.
  var isTap: Bool { point != nil }

  /// What a form says; nil where it is about something else.
  init?(_ form: Fields) {
    move = form["move"].flatMap { Move(rawValue: $0) }
    if let x = form["spot.x"].flatMap({ Double($0) }),
      let y = form["spot.y"].flatMap({ Double($0) })
    {
      point = (x, y)
    } else {
      point = nil
    }
    guard move != nil || point != nil else { return nil }
  }

  /// Takes the position into a form, as exact as it was tapped; the part of the globe that is shown next.
  ///
  /// A button that is pressed by a key says its corner, and no position.
  func apply(to form: inout Fields, _ view: JournalMapView) -> JournalMapView {
    var next = view
    if let point, point.x > 0 || point.y > 0, (0...Self.width).contains(point.x),
      (0...Self.height).contains(point.y)
    {
      let scale = JournalMapView.width / Self.width
      let position = view.position(x: point.x * scale, y: point.y * scale)
      form.set("at", "\(position.latitudeText), \(position.longitudeText)")
      form.set("accuracy", "\(Self.uncertaintyM(view))")
      next = JournalMapView(
        latitude: position.latitude, longitude: position.longitude, zoom: view.zoom + 2)
    } else if let move {
      next = move.view(after: view)
    }
    for (name, value) in [("mapat", next.fields["at"]), ("mapz", next.fields["z"])] {
      form.set(name, value)
    }
    return next
  }

  /// Within how many metres a tap is, rounded up to two digits.
  static func uncertaintyM(_ view: JournalMapView) -> Int {
    let metres = finger * JournalMapView.width / width * view.metresPerUnit
    var (whole, unit) = (max(1, Int(metres.rounded(.up))), 1)
    while whole >= 100 {
      whole = (whole + 9) / 10
      unit *= 10
    }
    return whole * unit
  }
}
