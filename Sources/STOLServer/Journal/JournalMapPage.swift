import STOLAnswers
import STOLData
import STOLJournal
import STOLPack
import STOLSystem

/// A map that is ready to be drawn.
struct DrawnMap: Sendable {
  var view: JournalMapView
  var filter: JournalFilter
  var marks: [MapMark] = []
  /// Whether the counts are of what the map shows, and of nothing beyond its edges.
  var isExact = true
  /// What the marks are that stand for one sighting.
  var names: [TaxonRefID: String] = [:]

  /// How many sightings the marks stand for.
  var count: Int { marks.reduce(0) { $0 + $1.count } }
}

extension Pages {
  /// Marks that are nearer to each other are one.
  private static let nearest = 46.0
  /// As many sightings are looked at one by one.
  private static let dotLimit = 600

  /// Where things were seen: a map without tiles, and the same as a table.
  func journalMap(_ visit: Visit, _ journal: LocalJournal) async throws -> Reply {
    let question = try await question(
      visit, JournalFilter(visit.query).with { $0.box = nil }, journal)
    let drawn = try await drawnMap(visit, question, journal)
    if visit.address.form == .json {
      return .json { json in
        json.number("latitude", exact: drawn.view.latitude)
        json.number("longitude", exact: drawn.view.longitude)
        json.number("zoom", drawn.view.zoom)
        json.number("count", drawn.count)
        json.bool("isExact", drawn.isExact)
        json.objects("marks", drawn.marks) { json, mark in
          json.number("count", mark.count)
          json.position("position", position(of: mark, drawn.view))
          json.text("sighting", mark.dot.map { "\($0.occurrence)" })
          json.text("name", mark.dot?.taxon.flatMap { drawn.names[$0] })
          json.text("shape", mark.dot.map { MapShape($0).rawValue })
          json.text("href", target(of: mark, drawn).text)
        }
      }
    }
    let facets = try await journal.facets(of: question.query)
    let taxa = seen(facets.taxa.map(\.value.reference), visit)
    let place = try await placeName(question.filter.place, journal)
    return journalPage(visit, .map, "Map") {
      filterForm(visit, .map, question, drawn.view.fields)
      chosen(question, .map, place)
      tag("p", .class("lead")) {
        drawn.isExact ? "" : "About "
        drawn.isExact
          ? Words.count(drawn.count, "sighting", "sightings").capitalisedFirst
          : Words.count(drawn.count, "sighting", "sightings")
        " on this part of the globe. "
        if !drawn.isExact { "What lies just beyond its edges is counted too. " }
        tag("a", .href(listAddress(drawn))) { "As a list" }
        "."
      }
      tag("div", .class("journal-columns map-columns")) {
        tag("div", .id("map-part"), Attribute("data-map", "")) {
          mapFigure(drawn)
          markTable(drawn)
        }
        facetLinks(question.filter, .map, facets, taxa)
      }
    }
  }

  private func listAddress(_ drawn: DrawnMap) -> Address {
    let box = (try? drawn.view.bounds()).map { JournalFilter.text($0) }
    return drawn.filter.with { $0.box = drawn.view.zoom == 0 ? nil : box }.address(.list)
  }

  private func drawnMap(
    _ visit: Visit, _ question: JournalQuestion, _ journal: LocalJournal
  ) async throws -> DrawnMap {
    var filter = question.filter
    filter.box = nil
    var query = question.query
    query.bounds = nil
    let view: JournalMapView
    if let stated = JournalMapView(visit.query) {
      view = stated
    } else {
      let globe = try await journal.map(of: query, dotLimit: Self.dotLimit)
      view = .holding(globe)
    }
    query.bounds = try view.bounds()
    let map = try await journal.map(of: query, dotLimit: Self.dotLimit)
    var drawn = DrawnMap(view: view, filter: filter)
    drawn.isExact = map.isExact
    func mark(_ position: Position, _ count: Int, _ dot: SightingDot? = nil) -> MapMark {
      let point = view.point(position.latitude, position.longitude)
      // Of a cell at the edge the middle may lie beyond it.
      return MapMark(
        x: min(max(point.x, 0), JournalMapView.width),
        y: min(max(point.y, 0), JournalMapView.height), count: count, dot: dot)
    }
    let marks =
      map.dots.map { mark($0.position, 1, $0) } + map.clusters.map { mark($0.position, $0.count) }
    drawn.marks = MapMark.gathered(marks, nearerThan: Self.nearest)
    let taxa = Set(drawn.marks.compactMap { $0.dot?.taxon })
    drawn.names = try await journal.read { file, _ in try file.names(of: taxa) }
    return drawn
  }

  private func position(of mark: MapMark, _ view: JournalMapView) -> Position {
    func units(_ degrees: Double) -> Int { Int((degrees * 10_000_000).rounded()) }
    if let dot = mark.dot { return dot.position }
    let latitude = view.latitude + (JournalMapView.height / 2 - mark.y) * view.degreesPerUnit
    let longitude =
      view.longitude + (mark.x - JournalMapView.width / 2) * view.degreesPerUnit / view.shrink
    return Position(
      latitudeE7: units(min(90, max(-90, latitude))),
      longitudeE7: units(JournalMapView.wrapped(longitude)))
  }

  /// Where a mark leads: to its sighting, nearer to what it stands for, or where that is one spot to a list.
  private func target(of mark: MapMark, _ drawn: DrawnMap) -> Address {
    if let dot = mark.dot { return Address(.sighting(dot.occurrence)) }
    let view = drawn.view
    guard view.zoom < JournalMapView.zooms.upperBound else { return listAddress(drawn) }
    return JournalMapView(
      left: mark.left, right: mark.right, top: mark.top, bottom: mark.bottom, of: view
    ).address(drawn.filter)
  }

  // MARK: - Drawing

  private func mapFigure(_ drawn: DrawnMap) -> Html {
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

  private func mapControls(_ drawn: DrawnMap) -> Html {
    let view = drawn.view
    let ends = JournalMapView.zooms
    let steps: [(String, String, JournalMapView?, key: String)] = [
      ("Nearer", "+", view.zoom < ends.upperBound ? view.moved(zoom: 1) : nil, "+"),
      ("Farther", "−", view.zoom > ends.lowerBound ? view.moved(zoom: -1) : nil, "-"),
      ("West", "←", view.zoom > 0 ? view.moved(right: -0.5) : nil, "ArrowLeft"),
      ("North", "↑", view.zoom > 0 ? view.moved(up: 0.5) : nil, "ArrowUp"),
      ("South", "↓", view.zoom > 0 ? view.moved(up: -0.5) : nil, "ArrowDown"),
      ("East", "→", view.zoom > 0 ? view.moved(right: 0.5) : nil, "ArrowRight"),
      ("The world", "World", .world, "0"),
    ]
    return tag("nav", .class("map-controls"), .label("Move the map")) {
      for (title, sign, next, key) in steps {
        if let next {
          tag(
            "a", .class("button"), .href(next.address(drawn.filter)), .label(title),
            Attribute("data-key", key)
          ) { tag("span", .hidden) { sign } }
        }
      }
      tag("a", .class("button"), .href(drawn.filter.address(.map)), .label("All of mine")) {
        tag("span", .hidden) { "Mine" }
      }
    }
  }

  // MARK: - Table

  private func markTable(_ drawn: DrawnMap) -> Html {
    tag("details", .class("part"), Attribute("open", isSet: drawn.marks.count <= 12)) {
      tag("summary") { "The same as a table" }
      if drawn.marks.isEmpty {
        tag("p") { "Nothing was noted on this part of the globe." }
      } else {
        tag("table", .class("traits")) {
          tag("thead") {
            tag("tr") {
              for title in ["What", "How many", "Where"] {
                tag("th", Attribute("scope", "col")) { title }
              }
            }
          }
          tag("tbody") {
            for mark in drawn.marks {
              tag("tr") {
                tag("th", Attribute("scope", "row")) {
                  tag("a", .class("taxon"), .href(target(of: mark, drawn))) {
                    if let dot = mark.dot {
                      dot.taxon.flatMap { drawn.names[$0] }.map { SeenTaxon.scientific($0) }
                        ?? Html("not identified")
                    } else {
                      "Several"
                    }
                  }
                }
                tag("td") { Words.grouped(mark.count) }
                tag("td") { JournalWords.position(position(of: mark, drawn.view)) }
              }
            }
          }
        }
      }
    }
  }
}

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
