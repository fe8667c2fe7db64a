/// A line of text in a picture, and the space that it needs.
///
/// A picture cannot ask a browser how wide a text is, so it estimates, rather too much: what does
/// not fit by the estimate is left out.
struct Label: Equatable, Sendable {
  /// What the text is.
  enum Role: String, Sendable {
    case name = "label"
    case scientific = "label scientific"
    case soft = "label soft"
    case rank = "label rank"

    fileprivate var colour: String {
      switch self {
      case .name: Palette.ink
      case .scientific, .soft: Palette.inkSoft
      case .rank: Palette.warm
      }
    }
  }

  /// The height of a line.
  static let lineHeight = 20.0

  let piece: TextPiece
  /// Where it lies, by estimate.
  let box: Box
  /// Whether it stands in the middle of its box; else it begins where that does.
  var isCentred = false
  /// Whether it runs downwards.
  var isVertical = false

  /// A text whose line begins at `x` and is centred on `y`.
  init(_ piece: TextPiece, x: Double, middle y: Double) {
    self.piece = piece
    box = Box(x: x, y: y - Self.lineHeight / 2, width: piece.width, height: Self.lineHeight)
  }

  /// A text in the middle of a box, or nil where it does not fit.
  init?(_ piece: TextPiece, in box: Box) {
    let x = box.x + (box.width - piece.width) / 2
    self.init(piece, x: x, middle: box.y + box.height / 2)
    isCentred = true
    guard box.contains(self.box) else { return nil }
  }

  /// A text that runs down the middle of a box, or nil where it does not fit.
  init?(_ piece: TextPiece, down box: Box) {
    self.piece = piece
    isVertical = true
    let length = piece.width
    self.box = Box(
      x: box.x + (box.width - Self.lineHeight) / 2, y: box.y + (box.height - length) / 2,
      width: Self.lineHeight, height: length)
    guard box.contains(self.box) else { return nil }
  }

  /// The size of the letters: 12 px still where a picture of 360 has 280 px, on the smallest phone.
  static let size = 15.5

  /// It as an element: a `text` of its own, so that directions of writing do not mix.
  ///
  /// In a picture that is mirrored it ends where it began; Latin names keep their own direction.
  func html(mirroredAt mirror: Double? = nil) -> Html {
    // Half the height of small letters and a little more.
    let baseline = Self.size * 0.35
    let role = piece.role
    func across(_ x: Double) -> Double { mirror.map { $0 - x } ?? x }
    let middle = (x: across(box.x + box.width / 2), y: box.y + box.height / 2)
    // The direction is said, so that what is the start of a line is certain.
    let isLatin = role == .scientific
    let start = mirror == nil || !isLatin ? nil : "end"
    let position: [Attribute] =
      isVertical
      ? [
        Attribute("y", baseline.svg), Attribute("text-anchor", "middle"),
        Attribute("transform", "translate(\(middle.x.svg) \(middle.y.svg)) rotate(90)"),
      ]
      : [
        Attribute("x", (isCentred ? middle.x : across(box.x)).svg),
        Attribute("y", (middle.y + baseline).svg),
        Attribute("text-anchor", isCentred ? "middle" : start),
        Attribute("direction", mirror.map { _ in isLatin ? "ltr" : "rtl" }),
      ]
    return Html(
      element: "text",
      position + [
        .class(role.rawValue), .lang(role == .scientific ? "la" : piece.language),
        Attribute("font-size", Self.size.svg),
        Attribute("font-family", role == .scientific ? Palette.serif : nil),
        Attribute("font-style", role == .scientific ? "italic" : nil),
        Attribute("fill", role.colour),
      ], Html(piece.text))
  }
}

extension Label {
  /// How wide a text is, rather too wide.
  static func width(of text: String) -> Double {
    var width = 0.0
    for scalar in text.unicodeScalars { width += Self.width(of: scalar) }
    return width * size
  }

  /// How wide a character is in the widest of the usual typefaces, in em.
  private static func width(of scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "i", "j", "l", "f", "t", "I", "J", "r", " ", ".", ",", ":", ";", "'", "-", "(", ")", "/":
      0.42
    case "m", "w", "M", "W", "+", "æ", "œ", "Æ", "Œ", "@", "%", "&": 1
    case "A"..."Z": 0.79
    case "\u{0600}"..."\u{06FF}": 0.75
    case "a"..."z", "0"..."9": 0.65
    case "\u{00C0}"..."\u{00DE}": 0.79
    case "\u{00DF}"..."\u{024F}": 0.79
    case "\u{1100}"..."\u{11FF}", "\u{2E80}"..."\u{A4CF}", "\u{A960}"..."\u{A97F}",
      "\u{AC00}"..."\u{D7FF}", "\u{F900}"..."\u{FAFF}", "\u{FE10}"..."\u{FE6F}",
      "\u{FF00}"..."\u{FFEF}", "\u{1F000}"..."\u{3FFFF}":
      1.05
    default: 0.9
    }
  }
}
