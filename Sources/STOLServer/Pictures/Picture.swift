/// A drawing as a value: for a page, or as a file of its own.
struct Picture: Sendable {
  /// A part of a drawing.
  enum Mark: Sendable {
    case shape(Html)
    case label(Label)
    /// Marks that lead to another page, and what is there.
    case link(to: Address, title: String, [Mark])
  }

  /// What kind of picture it is, as a class.
  let kind: String
  let title: String
  let description: String
  let width: Double
  let height: Double
  /// What is added on each side, for the edges of what lies at the border.
  let margin: Double
  let marks: [Mark]
  /// What begins the ids of its elements; different for each picture of a page.
  let idPrefix: String

  /// A drawing; its ids begin with its kind and the taxon that it shows.
  init(
    kind: String, id: String, title: String, description: String, width: Double, height: Double,
    margin: Double = 1, marks: [Mark]
  ) {
    self.kind = kind
    self.title = title
    self.description = description
    self.width = width
    self.height = height
    self.margin = margin
    self.marks = marks
    idPrefix = "\(kind)-\(id)"
  }

  /// It as a part of a page.
  var inline: Html {
    svg(
      [
        .class("picture \(kind)"),
        .role(marks.contains { $0.isLink } ? "group" : "img"),
        Attribute("aria-labelledby", "\(idPrefix)-title \(idPrefix)-description"),
      ], id: idPrefix, marks.map { $0.html(withLinks: true, mirroredAt: mirror) })
  }

  /// It as a file in the light colours, without links.
  var document: [UInt8] {
    let paper = whole.shape(.paper)
    let root = svg(
      [
        Attribute("xmlns", "http://www.w3.org/2000/svg"), .role("img"),
      ], id: nil, [paper] + marks.map { $0.html(withLinks: false, mirroredAt: mirror) })
    return Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8) + root.bytes + [0x0A]
  }

  /// What lies at `x` lies at this less `x` where lines run from right to left; nil elsewhere.
  ///
  /// Drawings look where they look.
  private var mirror: Double? {
    Words.language.isRightToLeft && kind != "drawing" ? width : nil
  }

  private var whole: Box {
    Box(x: -margin, y: -margin, width: width + 2 * margin, height: height + 2 * margin)
  }

  private func svg(_ attributes: [Attribute], id: String?, _ parts: [Html]) -> Html {
    Html(
      element: "svg",
      attributes + [
        Attribute(
          "viewBox", "\(whole.x.svg) \(whole.y.svg) \(whole.width.svg) \(whole.height.svg)"),
        Attribute("width", whole.width.svg), Attribute("height", whole.height.svg),
        Attribute("font-family", Palette.sans),
      ],
      Html {
        Html(element: "title", [Attribute("id", id.map { $0 + "-title" })], Html(title))
        Html(element: "desc", [Attribute("id", id.map { $0 + "-description" })], Html(description))
        parts
      })
  }
}

extension Picture.Mark {
  var isLink: Bool {
    if case .link = self { true } else { false }
  }

  func html(withLinks: Bool, mirroredAt mirror: Double?) -> Html {
    switch self {
    case .shape(let html):
      guard let mirror else { return html }
      return tag("g", Attribute("transform", "matrix(-1 0 0 1 \(mirror.svg) 0)")) { html }
    case .label(let label): return label.html(mirroredAt: mirror)
    case .link(let address, let title, let marks):
      let content = Html {
        tag("title") { title }
        marks.map { $0.html(withLinks: withLinks, mirroredAt: mirror) }
      }
      return withLinks ? tag("a", .href(address)) { content } : tag("g") { content }
    }
  }
}

/// How much room a picture has.
enum PictureFormat: String, CaseIterable, Sendable {
  /// On a large screen.
  case wide
  /// On a phone.
  case narrow

  /// How wide and high at least whatever can be touched must be.
  ///
  /// 44 px where the picture is shrunk to four fifths on a phone, to eleven twelfths elsewhere.
  var smallestTarget: Double { self == .wide ? 48 : 56 }
}
