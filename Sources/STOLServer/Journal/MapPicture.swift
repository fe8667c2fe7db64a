import STOLAnswers
import STOLJournal

/// A map as a drawing: a part of a page, a file, or the small map of a form.
struct MapPicture {
  /// How large it is seen.
  enum Size: String {
    /// As large as its units.
    case whole
    /// Less than half of that.
    case small
  }

  private let drawn: DrawnMap
  private let size: Size
  private let ground: MapGround

  /// A drawing of a map.
  init(_ drawn: DrawnMap, size: Size = .whole) {
    (self.drawn, self.size) = (drawn, size)
    ground = MapGround(view: drawn.view)
  }

  private static let (width, height) = (JournalMapView.width, JournalMapView.height)
  /// As many names have room.
  private static let labelCount = 24

  /// What it shows, in words.
  private var title: String {
    drawn.choice.subject == .sightings ? "Map of what was seen" : "Map of places"
  }

  /// It as a part of a page: marks are links.
  var inline: Html {
    tag(
      "svg", .class("picture ground"), .role("group"), .label(title),
      Attribute("viewBox", "0 0 \(Self.width.svg) \(Self.height.svg)"),
      Attribute("width", Self.width.svg), Attribute("height", Self.height.svg),
      Attribute("font-family", Palette.sans), Attribute("data-z", "\(drawn.view.zoom)")
    ) {
      base
      for mark in drawn.marks.reversed() { link(mark) }
      scaleBar
    }
  }

  /// It as a file in the light colours, without links.
  var document: [UInt8] {
    let root = tag(
      "svg", Attribute("xmlns", "http://www.w3.org/2000/svg"), .role("img"),
      Attribute("viewBox", "0 0 \(Self.width.svg) \(Self.height.svg)"),
      Attribute("width", Self.width.svg), Attribute("height", Self.height.svg),
      Attribute("font-family", Palette.sans), Attribute("fill", Palette.ink)
    ) {
      tag("title") { title }
      base
      for mark in drawn.marks.reversed() {
        tag("g") {
          tag("title") { drawn.word(for: mark) }
          picture(of: mark)
        }
      }
      if let position = drawn.position { cross(position) }
      scaleBar
    }
    return Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8) + root.bytes + [0x0A]
  }

  // MARK: - Ground

  private var base: Html {
    Html {
      tag(
        "rect", .class("sea"), Attribute("width", Self.width.svg),
        Attribute("height", Self.height.svg), Attribute("fill", "#D3E4EA"))
      tag(
        "path", .class("land"), Attribute("d", ground.land()), Attribute("fill", "#FBF7F0"),
        Attribute("fill-rule", "evenodd"), Attribute("stroke", Palette.lineStrong),
        Attribute("transform", "scale(.5)"))
      graticule
    }
  }

  private var graticule: Html {
    let (parallels, meridians) = (ground.parallels, ground.meridians)
    let lines =
      parallels.map { "M0 \($0.at.svg)H\(Self.width.svg)" }
      + meridians.map { "M\($0.at.svg) 0V\(Self.height.svg)" }
    return Html {
      tag(
        "path", .class("graticule"), Attribute("d", lines.joined()), Attribute("fill", "none"),
        Attribute("stroke", Palette.lineStrong), Attribute("stroke-width", "0.5"))
      if size == .whole {
        tag("g", .class("degrees"), .hidden, Attribute("font-size", "13")) {
          for line in parallels where line.at > 20 && line.at < Self.height - 30 {
            tag("text", Attribute("x", "5"), Attribute("y", (line.at - 4).svg)) { line.name }
          }
          for (line, isRare) in Self.apart(
            meridians.filter { $0.at > 50 && $0.at < Self.width - 60 })
          {
            tag(
              "text", .class(isRare ? nil : "often"), Attribute("x", (line.at + 4).svg),
              Attribute("y", "14")
            ) { line.name }
          }
        }
      }
    }
  }

  /// The meridians whose names do not touch, each with whether that holds for the larger letters of a phone too.
  private static func apart(_ lines: [MapGround.Line]) -> [(MapGround.Line, isRare: Bool)] {
    var (end, rareEnd) = (0.0, 0.0)
    return lines.compactMap { line in
      guard line.at > end else { return nil }
      let length = Double(line.name.count)
      end = line.at + 8.5 * length + 8
      let isRare = line.at > rareEnd
      if isRare { rareEnd = line.at + 15 * length + 8 }
      return (line, isRare)
    }
  }

  private var scaleBar: Html {
    let scale = ground.scale
    let (right, y) = (Self.width - 16, Self.height - 14)
    return tag("g", .class("scale"), .role("img"), .label("This bar is \(scale.name)")) {
      tag(
        "path",
        Attribute(
          "d",
          "M\((right - scale.units).svg) \((y - 6).svg)V\(y.svg)H\(right.svg)V\((y - 6).svg)"),
        Attribute("fill", "none"), Attribute("stroke", Palette.ink), Attribute("stroke-width", "2"))
      tag(
        "text", Attribute("x", right.svg), Attribute("y", (y - 10).svg),
        Attribute("text-anchor", "end"), Attribute("font-size", size == .small ? "34" : "14")
      ) { scale.name }
    }
  }

  // MARK: - Marks

  private func link(_ mark: MapMark) -> Html {
    let name = drawn.word(for: mark)
    return tag("a", .class("mark"), .href(drawn.target(of: mark)), .label(name)) {
      tag("title") { name }
      if drawn.shape(of: mark) != nil {
        tag(
          "circle", .class("target"), Attribute("cx", mark.x.svg), Attribute("cy", mark.y.svg),
          Attribute("r", "22"), Attribute("fill", "none"))
      }
      picture(of: mark)
    }
  }

  private func picture(of mark: MapMark) -> Html {
    guard let shape = drawn.shape(of: mark) else { return cluster(mark) }
    return Html {
      shape.html(x: mark.x, y: mark.y)
      if size == .whole, drawn.marks.count <= Self.labelCount, let label = drawn.name(of: mark) {
        let isLeft = mark.x > Self.width * 0.7
        tag(
          "text", .class(drawn.areScientific ? "label scientific" : "label"),
          Attribute("x", (mark.x + (isLeft ? -16 : 16)).svg),
          Attribute("y", (mark.y + 5).svg), Attribute("text-anchor", isLeft ? "end" : nil),
          Attribute("font-style", drawn.areScientific ? "italic" : nil),
          Attribute("font-size", "14")
        ) { Self.cut(label) }
      }
    }
  }

  /// A name that has room on a map.
  private static func cut(_ name: String) -> String {
    name.count > 40 ? name.prefix(39) + "…" : name
  }

  private func cluster(_ mark: MapMark) -> Html {
    let radius = min(30, 18 + 1.6 * Double(String(mark.count).count * String(mark.count).count))
    return Html {
      tag(
        "circle", .class("cluster"), Attribute("cx", mark.x.svg), Attribute("cy", mark.y.svg),
        Attribute("r", radius.svg), Attribute("fill", Palette.surface),
        Attribute("stroke", Palette.accent), Attribute("stroke-width", "3"))
      tag(
        "text", .class("number"), Attribute("x", mark.x.svg), Attribute("y", (mark.y + 5).svg),
        Attribute("text-anchor", "middle"), Attribute("font-size", "15")
      ) { Self.short(mark.count) }
    }
  }

  /// A number in at most four letters: "999", "1.2k", "35k", "2M".
  static func short(_ count: Int) -> String {
    switch count {
    case ..<1000: return "\(count)"
    case ..<10_000: return "\(count / 1000).\(count / 100 % 10)k"
    case ..<1_000_000: return "\(count / 1000)k"
    default: return "\(count / 1_000_000)M"
    }
  }

  /// A position that somebody is about to note.
  private func cross(_ position: Position) -> Html {
    let (x, y) = drawn.view.point(position.latitude, position.longitude)
    return tag(
      "path",
      Attribute(
        "d",
        "M\((x - 34).svg) \(y.svg)H\((x - 10).svg)M\((x + 10).svg) \(y.svg)H\((x + 34).svg)"
          + "M\(x.svg) \((y - 34).svg)V\((y - 10).svg)M\(x.svg) \((y + 10).svg)V\((y + 34).svg)"),
      Attribute("fill", "none"), Attribute("stroke", Palette.heart),
      Attribute("stroke-width", "7"), Attribute("stroke-linecap", "round"))
  }
}
