import STOLJournal

/// The shape of a pin, which says on what occasion something was seen.
enum MapShape: String, CaseIterable {
  case tree, dive, walk

  init(_ dot: SightingDot) {
    self = dot.isIndividual || dot.kind == .planting ? .tree : dot.kind == .dive ? .dive : .walk
  }

  var word: String {
    switch self {
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
      }
    return tag(
      "path", .class("pin \(rawValue)"), Attribute("d", outline),
      Attribute("transform", x == 0 && y == 0 ? nil : "translate(\(x.svg) \(y.svg))"),
      Attribute("fill", Palette.warm), Attribute("stroke", Palette.surface),
      Attribute("stroke-width", "2"))
  }
}
