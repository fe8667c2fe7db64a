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

  /// Where a mark lies on the globe.
  func position(of mark: MapMark, _ view: JournalMapView) -> Position {
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
  func target(of mark: MapMark, _ drawn: DrawnMap) -> Address {
    if let dot = mark.dot { return Address(.sighting(dot.occurrence)) }
    let view = drawn.view
    guard view.zoom < JournalMapView.zooms.upperBound else { return listAddress(drawn) }
    return JournalMapView(
      left: mark.left, right: mark.right, top: mark.top, bottom: mark.bottom, of: view
    ).address(drawn.filter)
  }
}
