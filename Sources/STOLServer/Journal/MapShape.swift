import STOLJournal

/// The shape of a pin, which says on what occasion something was seen, or what kind of place it is.
enum MapShape: String, CaseIterable {
  case tree, dive, walk
  case place, wish

  init(_ dot: SightingDot) {
    self = dot.isIndividual || dot.kind == .planting ? .tree : dot.kind == .dive ? .dive : .walk
  }

  /// The shapes that a map of something has.
  static func shapes(of subject: MapChoice.Subject) -> [MapShape] {
    switch subject {
    case .sightings: [.tree, .dive, .walk]
    case .places: [.place, .wish]
    case .wishlist: [.wish]
    }
  }

  var word: String {
    switch self {
    case .place: "a place"
    case .wish: "a place on the wishlist"
    case .tree: "a tree or another individual"
    case .dive: "on a dive"
    case .walk: "on a walk or visit"
    }
  }

  /// It as a part of a drawing, with its middle at a point.
  func html(x: Double, y: Double) -> Html {
    let outline =
      switch self {
      case .tree: "M0-12L10 6H3V12H-3V6H-10Z"
      case .dive: "M0-12C8-3 10 1 10 4A10 9 0 0 1-10 4C-10 1-8-3 0-12Z"
      case .walk: "M0-10L10 0L0 10L-10 0Z"
      case .place: "M-8-10H8V10H-8Z"
      case .wish: "M0-13L3.5-4.5L12.5-4L5.5 2L8 11L0 6L-8 11L-5.5 2L-12.5-4L-3.5-4.5Z"
      }
    return tag(
      "path", .class("pin \(rawValue)"), Attribute("d", outline),
      Attribute("transform", x == 0 && y == 0 ? nil : "translate(\(x.svg) \(y.svg))"),
      Attribute("fill", Palette.warm), Attribute("stroke", Palette.surface),
      Attribute("stroke-width", "2"))
  }
}
