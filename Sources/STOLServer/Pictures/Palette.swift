/// The light colours of LOOK.md, for pictures that leave the page and its style sheet.
enum Palette {
  static let paper = "#FBF7F0"
  static let surface = "#FFFFFF"
  static let sunken = "#F3EBDD"
  static let ink = "#2B2620"
  static let inkSoft = "#5C5347"
  static let line = "#DDD0BC"
  static let lineStrong = "#857661"
  static let accent = "#1F6B4A"
  static let warm = "#9C4019"
  static let warmSoft = "#FBE6D8"
  static let heart = "#B3263E"
  /// `--branch-1` to `--branch-8`.
  static let branches = [
    "#F2D8C9", "#DDE8CF", "#D3E4EA", "#EADFC0", "#E4D6E8", "#CFE6DC", "#F0D3D6", "#D9DCEB",
  ]
  static let sans = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
  static let serif =
    "'Iowan Old Style', 'Palatino Linotype', Palatino, 'Book Antiqua', Georgia, serif"
}

/// How a part of a picture is coloured: by a class on a page, by attributes in a file.
///
/// A rule of a style sheet overrules an attribute, so that both always stand there.
struct Paint: Sendable {
  let className: String
  let fill: String
  var stroke: String?
  var strokeWidth = 1.0

  /// A cell of a branch, 1 to 8, or of none.
  static func cell(branch: Int) -> Paint {
    guard Palette.branches.indices.contains(branch - 1) else {
      return Paint(className: "cell", fill: Palette.sunken, stroke: Palette.lineStrong)
    }
    return Paint(
      className: "cell branch-\(branch)", fill: Palette.branches[branch - 1],
      stroke: Palette.lineStrong)
  }
  /// An ancestor of what is shown.
  static let ancestor = Paint(
    className: "ancestor", fill: Palette.surface, stroke: Palette.lineStrong)
  /// A line from a taxon to what is below it.
  static let edge = Paint(
    className: "edge", fill: "none", stroke: Palette.lineStrong, strokeWidth: 2)
  /// A line that two or more taxa have in common.
  static let shared = Paint(
    className: "edge shared", fill: "none", stroke: Palette.warm, strokeWidth: 4)
  /// A taxon on a line.
  static let stop = Paint(
    className: "stop", fill: Palette.surface, stroke: Palette.lineStrong, strokeWidth: 2)
  /// The taxon that a picture is about.
  static let end = Paint(
    className: "stop end", fill: Palette.accent, stroke: Palette.accent, strokeWidth: 2)
  /// A common ancestor.
  static let fork = Paint(
    className: "fork", fill: Palette.warmSoft, stroke: Palette.warm, strokeWidth: 3)
  /// What nobody sees but what can be touched.
  static let target = Paint(className: "target", fill: "none")
  /// What a rank stands on.
  static let badge = Paint(className: "badge", fill: Palette.warmSoft)
  /// A favourite.
  static let heart = Paint(className: "heart", fill: Palette.heart)
  /// What lies behind a file's picture.
  static let paper = Paint(className: "paper", fill: Palette.paper)

  var attributes: [Attribute] {
    [
      .class(className), Attribute("fill", fill), Attribute("stroke", stroke),
      Attribute("stroke-width", stroke == nil ? nil : strokeWidth.svg),
    ]
  }
}

extension Double {
  /// The number as SVG has it, to a tenth.
  var svg: String {
    let tenths = Int((self * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }
}
