/// A part of a drawing, in a square of 120 by 120.
struct DrawingPart: Sendable {
  /// The colours that a drawing has.
  enum Tint: String, Sendable {
    case ink, soft, warm, accent, heart, paper, clay, moss

    fileprivate var colour: String {
      switch self {
      case .ink: Palette.ink
      case .soft: Palette.lineStrong
      case .warm: Palette.warm
      case .accent: Palette.accent
      case .heart: Palette.heart
      case .paper: Palette.paper
      case .clay: Palette.branches[0]
      case .moss: Palette.branches[1]
      }
    }
  }

  let html: Html

  /// A shape filled.
  static func fill(_ tint: Tint, _ d: String) -> DrawingPart {
    DrawingPart(html: path(d, Paint(className: "fill-\(tint.rawValue)", fill: tint.colour)))
  }

  /// A line with round ends.
  static func line(_ tint: Tint, _ width: Double, _ d: String) -> DrawingPart {
    let paint = Paint(
      className: "line-\(tint.rawValue)", fill: "none", stroke: tint.colour, strokeWidth: width)
    let ends = [Attribute("stroke-linecap", "round"), Attribute("stroke-linejoin", "round")]
    return DrawingPart(html: path(d, paint, ends))
  }

  /// An ellipse filled.
  static func oval(
    _ tint: Tint, _ x: Double, _ y: Double, _ rx: Double, _ ry: Double
  ) -> DrawingPart {
    fill(
      tint,
      "M\((x - rx).svg) \(y.svg)A\(rx.svg) \(ry.svg) 0 1 1 \((x + rx).svg) \(y.svg)"
        + "A\(rx.svg) \(ry.svg) 0 1 1 \((x - rx).svg) \(y.svg)Z")
  }

  /// A circle filled.
  static func dot(_ tint: Tint, _ x: Double, _ y: Double, _ radius: Double) -> DrawingPart {
    oval(tint, x, y, radius, radius)
  }
}
