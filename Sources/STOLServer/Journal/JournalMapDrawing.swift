import STOLAnswers
import STOLJournal

extension Pages {
  /// A map with what moves it.
  func mapFigure(_ drawn: DrawnMap) -> Html {
    let view = drawn.view
    return tag("figure", .class("map")) {
      tag("div", .class("map-frame")) {
        mapPicture(drawn)
        mapControls(drawn)
      }
      tag("figcaption", .class("note")) {
        "A number stands for so many sightings and opens them. "
        MapShape.allCases.map { shape in
          Html {
            tag(
              "svg", .class("legend"), Attribute("viewBox", "-14 -14 28 28"), .hidden,
              Attribute("width", "20"), Attribute("height", "20")
            ) { shape.html(x: 0, y: 0) }
            " \(shape.word). "
          }
        }
        "Land by Natural Earth, at 1:\(MapGround(view: view).isCoarse ? 110 : 50) million"
        view.zoom > 8 ? ": too coarse for this part, and only a hint." : "."
      }
    }
  }

  private func mapPicture(_ drawn: DrawnMap) -> Html {
    let ground = MapGround(view: drawn.view)
    let (width, height) = (JournalMapView.width, JournalMapView.height)
    return tag(
      "svg", .class("picture ground"), .role("group"), .label("Map of what was seen"),
      Attribute("viewBox", "0 0 \(width.svg) \(height.svg)"), Attribute("width", width.svg),
      Attribute("height", height.svg), Attribute("font-family", Palette.sans),
      Attribute("data-z", "\(drawn.view.zoom)")
    ) {
      tag(
        "rect", .class("sea"), Attribute("width", width.svg), Attribute("height", height.svg),
        Attribute("fill", "#D3E4EA"))
      tag(
        "path", .class("land"), Attribute("d", ground.land()), Attribute("fill", "#FBF7F0"),
        Attribute("fill-rule", "evenodd"), Attribute("stroke", Palette.lineStrong),
        Attribute("transform", "scale(.5)"))
      graticule(ground)
      for mark in drawn.marks.reversed() { markLink(mark, drawn) }
      scaleBar(ground)
    }
  }

  private func graticule(_ ground: MapGround) -> Html {
    let (width, height) = (JournalMapView.width, JournalMapView.height)
    let (parallels, meridians) = (ground.parallels, ground.meridians)
    let lines =
      parallels.map { "M0 \($0.at.svg)H\(width.svg)" }
      + meridians.map { "M\($0.at.svg) 0V\(height.svg)" }
    return Html {
      tag(
        "path", .class("graticule"), Attribute("d", lines.joined()), Attribute("fill", "none"),
        Attribute("stroke", Palette.lineStrong), Attribute("stroke-width", "0.5"))
      tag("g", .class("degrees"), .hidden, Attribute("font-size", "13")) {
        for line in parallels where line.at > 20 && line.at < height - 30 {
          tag("text", Attribute("x", "5"), Attribute("y", (line.at - 4).svg)) { line.name }
        }
        for (line, isRare) in Self.apart(meridians.filter { $0.at > 50 && $0.at < width - 60 }) {
          tag(
            "text", .class(isRare ? nil : "often"), Attribute("x", (line.at + 4).svg),
            Attribute("y", "14")
          ) { line.name }
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

  private func scaleBar(_ ground: MapGround) -> Html {
    let scale = ground.scale
    let (right, y) = (JournalMapView.width - 16, JournalMapView.height - 14)
    return tag("g", .class("scale"), .role("img"), .label("This bar is \(scale.name)")) {
      tag(
        "path",
        Attribute(
          "d",
          "M\((right - scale.units).svg) \((y - 6).svg)V\(y.svg)H\(right.svg)V\((y - 6).svg)"),
        Attribute("fill", "none"), Attribute("stroke", Palette.ink), Attribute("stroke-width", "2"))
      tag(
        "text", Attribute("x", right.svg), Attribute("y", (y - 10).svg),
        Attribute("text-anchor", "end"), Attribute("font-size", "14")
      ) { scale.name }
    }
  }

  private func markLink(_ mark: MapMark, _ drawn: DrawnMap) -> Html {
    let name = word(for: mark, drawn)
    return tag("a", .class("mark"), .href(target(of: mark, drawn)), .label(name)) {
      tag("title") { name }
      if let dot = mark.dot {
        tag(
          "circle", .class("target"), Attribute("cx", mark.x.svg), Attribute("cy", mark.y.svg),
          Attribute("r", "22"), Attribute("fill", "none"))
        MapShape(dot).html(x: mark.x, y: mark.y)
        if drawn.marks.count <= 24, let label = dot.taxon.flatMap({ drawn.names[$0] }) {
          let isLeft = mark.x > JournalMapView.width * 0.7
          tag(
            "text", .class("label scientific"),
            Attribute("x", (mark.x + (isLeft ? -16 : 16)).svg),
            Attribute("y", (mark.y + 5).svg), Attribute("text-anchor", isLeft ? "end" : nil),
            Attribute("font-size", "14")
          ) { label }
        }
      } else {
        let radius = min(30, 18 + 1.6 * Double(String(mark.count).count * String(mark.count).count))
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

  private func word(for mark: MapMark, _ drawn: DrawnMap) -> String {
    guard let dot = mark.dot else {
      let counted = Words.count(mark.count, "sighting", "sightings")
      return drawn.view.zoom < JournalMapView.zooms.upperBound
        ? "\(counted): look nearer" : "\(counted): list them"
    }
    let name = dot.taxon.flatMap { drawn.names[$0] } ?? "not identified"
    return "\(name), \(MapShape(dot).word)"
  }
}
