import STOLAnswers
import STOLData
import STOLJournal

extension Pages {
  /// Marks that are nearer to each other are one.
  private static let nearest = 46.0
  /// As many sightings or places are looked at one by one.
  private static let dotLimit = 600

  /// Where things were seen: a map without tiles, and the same as a table.
  func journalMap(_ visit: Visit, _ journal: LocalJournal) async throws -> Reply {
    var query = visit.query
    if query.pairs.isEmpty, let kept = try await keptMap(journal) { query = kept }
    let choice = MapChoice(query)
    let asked = choice.subject == .sightings ? JournalFilter(query) : JournalFilter()
    let question = try await question(visit, asked.with { $0.box = nil }, journal)
    var drawn = try await drawnMap(JournalMapView(query), choice, question, journal)
    switch visit.address.form {
    case .json: return .json { write(drawn, to: &$0) }
    case .svg:
      drawn.position = query["spot"].flatMap { JournalMapView.position($0) }
      return Self.drawing(drawn, query)
    case .page, .csv, .tsv: break
    }
    let isKept = try await keptMap(journal) != nil
    if choice.subject != .sightings {
      return journalPage(visit, .map, "Map") {
        mapLead(drawn)
        mapPart(visit, drawn, isKept)
      }
    }
    let facets = try await journal.facets(of: question.query)
    let taxa = seen(facets.taxa.map(\.value.reference), visit)
    let place = try await placeName(question.filter.place, journal)
    var kept = drawn.view.fields
    for (name, value) in choice.fields.pairs { kept.append(name, value) }
    return journalPage(visit, .map, "Map") {
      filterForm(visit, .map, question, kept)
      chosen(question, .map, place)
      mapLead(drawn)
      tag("div", .class("journal-columns map-columns")) {
        mapPart(visit, drawn, isKept)
        facetLinks(question.filter, .map, facets, taxa)
      }
    }
  }

  /// A map without anything on it, as a drawing.
  func emptyMap(_ visit: Visit) -> Reply {
    var drawn = DrawnMap(
      view: JournalMapView(visit.query) ?? .world, filter: JournalFilter(),
      choice: MapChoice(visit.query))
    drawn.position = visit.query["spot"].flatMap { JournalMapView.position($0) }
    return Self.drawing(drawn, visit.query)
  }

  private static func drawing(_ drawn: DrawnMap, _ query: Fields) -> Reply {
    let size = query["size"].flatMap { MapPicture.Size(rawValue: $0) } ?? .whole
    return Reply(
      contentType: "image/svg+xml; charset=utf-8", bytes: MapPicture(drawn, size: size).document)
  }

  private func mapLead(_ drawn: DrawnMap) -> Html {
    let counted = drawn.counted(drawn.count)
    return tag("p", .class("lead")) {
      drawn.isExact ? counted.capitalisedFirst : "About \(counted)"
      " on this part of the globe. "
      if !drawn.isExact { "What lies just beyond its edges is counted too. " }
      if drawn.choice.subject == .sightings {
        tag("a", .href(drawn.listAddress)) { "As a list" }
        "."
      }
    }
  }

  /// What a script puts another map into.
  private func mapPart(_ visit: Visit, _ drawn: DrawnMap, _ isKept: Bool) -> Html {
    tag("div", .id("map-part"), Attribute("data-map", "")) {
      mapChoices(drawn)
      mapFigure(drawn)
      markTable(drawn)
      mapKeeping(visit, drawn, isKept)
    }
  }

  private func write(_ drawn: DrawnMap, to json: inout RowWriter) {
    json.number("latitude", exact: drawn.view.latitude)
    json.number("longitude", exact: drawn.view.longitude)
    json.number("zoom", drawn.view.zoom)
    json.text("show", drawn.choice.subject.rawValue)
    json.number("count", drawn.count)
    json.bool("isExact", drawn.isExact)
    json.objects("marks", drawn.marks) { json, mark in
      json.number("count", mark.count)
      json.position("position", drawn.position(of: mark))
      json.text("sighting", mark.dot.map { "\($0.occurrence)" })
      json.text("place", drawn.place(of: mark).map { "\($0.id)" })
      json.text(
        "name", drawn.place(of: mark)?.name ?? mark.dot.flatMap { drawn.names[$0.occurrence] })
      json.text("shape", drawn.shape(of: mark)?.rawValue)
      json.text("href", drawn.target(of: mark).text)
    }
  }

  // MARK: - What is on it

  /// A map of what a question is about; without a view one that holds all of that.
  func drawnMap(
    _ stated: JournalMapView?, _ choice: MapChoice, _ question: JournalQuestion,
    _ journal: LocalJournal
  ) async throws -> DrawnMap {
    guard choice.subject == .sightings else {
      return try await placesMap(stated, choice, journal)
    }
    var filter = question.filter
    filter.box = nil
    var query = question.query
    query.bounds = nil
    let view: JournalMapView
    if let stated {
      view = stated
    } else {
      let globe = try await journal.map(of: query, dotLimit: Self.dotLimit)
      view = .holding(globe.dots.map(\.position) + globe.clusters.map(\.position))
    }
    query.bounds = try view.bounds()
    let map = try await journal.map(of: query, dotLimit: Self.dotLimit)
    var drawn = DrawnMap(view: view, filter: filter, choice: choice)
    drawn.isExact = map.isExact
    drawn.marks = MapMark.gathered(
      map.dots.map { view.mark($0.position, 1, $0) }
        + map.clusters.map { view.mark($0.position, $0.count) }, nearerThan: Self.nearest)
    let dots = drawn.marks.compactMap(\.dot)
    drawn.names = try await journal.read { file, pack in
      if choice.label == .variety {
        return try file.writtenNames(of: Set(dots.map(\.occurrence)))
      }
      let names = try file.names(of: Set(dots.compactMap(\.taxon)), in: pack)
      return Dictionary(
        dots.compactMap { dot in
          dot.taxon.flatMap { names[$0] }.map { (dot.occurrence, $0) }
        }, uniquingKeysWith: { first, _ in first })
    }
    return drawn
  }

  /// A map of places, or of those where somebody wishes to go.
  private func placesMap(
    _ stated: JournalMapView?, _ choice: MapChoice, _ journal: LocalJournal
  ) async throws -> DrawnMap {
    var query = PlaceQuery()
    (query.state, query.limit) = (choice.subject == .wishlist ? .wishlist : nil, Self.dotLimit)
    let view: JournalMapView
    if let stated {
      view = stated
    } else {
      let globe = try await journal.map(of: query)
      view = .holding(globe.dots.compactMap(\.position) + globe.clusters.map(\.position))
    }
    query.bounds = try view.bounds()
    let map = try await journal.map(of: query)
    var drawn = DrawnMap(view: view, filter: JournalFilter(), choice: choice)
    var marks: [MapMark] = []
    for dot in map.dots {
      guard let mark = dot.position.map({ view.mark($0, 1) }) else { continue }
      drawn.places[DrawnMap.Spot(x: mark.x, y: mark.y)] = dot
      marks.append(mark)
    }
    marks += map.clusters.map { view.mark($0.position, $0.count) }
    drawn.marks = MapMark.gathered(marks, nearerThan: Self.nearest)
    (query.state, query.limit) = (.wishlist, 10_000)
    drawn.wished = Set(try await journal.places(query).places.map(\.id))
    return drawn
  }
}

extension JournalMapView {
  /// A mark where a position is drawn; of a cell at the edge the middle may lie beyond that.
  fileprivate func mark(_ position: Position, _ count: Int, _ dot: SightingDot? = nil) -> MapMark {
    let point = point(position.latitude, position.longitude)
    return MapMark(
      x: min(max(point.x, 0), Self.width), y: min(max(point.y, 0), Self.height), count: count,
      dot: dot)
  }
}
