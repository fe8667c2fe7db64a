import STOLAnswers
import STOLData
import STOLJournal
import STOLPack
import STOLSystem

extension Pages {
  /// As many sightings are on a page.
  private static let pageCount = 50

  /// What was seen, the last one first, with the values that limit it.
  func journalList(_ visit: Visit, _ journal: LocalJournal) async throws -> Reply {
    let question = try await question(visit, JournalFilter(visit.query), journal)
    var query = question.query
    query.limit = Self.pageCount
    query.after = visit.query["after"].flatMap { SightingQuery.Cursor($0) }
    let page = try await journal.sightings(query)
    let facets = try await journal.facets(of: question.query)
    // Each has a kind; of one that the list is limited to, the others are counted too.
    let kind = question.filter.kind
    let count = facets.kinds.reduce(0) { $0 + (kind == nil || kind == $1.value ? $1.count : 0) }
    let taxa = seen(
      page.sightings.compactMap(\.taxon) + facets.taxa.map(\.value.reference), visit)
    if visit.address.form == .json {
      return .json { json in
        json.number("count", count)
        json.bool("isExact", facets.isExact)
        json.objects("sightings", page.sightings) { $0.fields(of: $1, taxa) }
        json.text("next", page.next?.text)
        write(facets, to: &json)
      }
    }
    let figures = question.filter.isEmpty ? try await journalFigures(journal) : nil
    if figures?.figures.eventCount == 0, figures?.figures.placeCount == 0 {
      return journalPage(visit, .list, "Journal") { emptyJournal }
    }
    let place = try await placeName(question.filter.place, journal)
    return journalPage(visit, .list, "Journal") {
      if let figures { kpiTiles(figures) }
      filterForm(visit, .list, question)
      chosen(question, .list, place)
      tag("p", .class("lead")) {
        facets.isExact ? "" : "At most "
        facets.isExact
          ? Words.count(count, "sighting", "sightings").capitalisedFirst
          : Words.count(count, "sighting", "sightings")
        " in all. "
        tag("a", .href(question.filter.address(.map))) { "On the map" }
        ". "
        tag("a", .class("to-facets"), Attribute("href", "#narrow")) { "Narrow down" }
      }
      tag("div", .class("journal-columns")) {
        tag("div") {
          sightingList(page.sightings, taxa)
          tag("p", .class("pages")) {
            if visit.query["after"] != nil {
              tag("a", .class("button"), .href(question.filter.address(.list))) { "The last ones" }
            }
            if let next = page.next {
              let fields = question.filter.fields.adding("after", next.text)
              tag(
                "a", .class("button"), .href(Address(.journal(.list), query: fields)),
                Attribute("rel", "next")
              ) { "Earlier ones" }
            }
          }
        }
        facetLinks(question.filter, .list, facets, taxa)
      }
    }
  }

  /// The name of a place that limits a list.
  func placeName(_ id: JournalID?, _ journal: LocalJournal) async throws -> String? {
    guard let id, case .place(let place)? = try await journal.record(id)?.record else { return nil }
    return place.name
  }

  // MARK: - Sightings

  /// Sightings as a list, each with what it was, when and where.
  func sightingList(
    _ sightings: [Sighting], _ taxa: [TaxonReference: SeenTaxon]
  ) -> Html {
    itemList(class: "sightings", of: sightings) { sighting in
      tag("a", .class("taxon"), .href(Address(.sighting(sighting.occurrence)))) {
        sightingName(sighting.taxon, sighting.verbatimName, taxa)
      }
      tag("span", .class("facts-line")) {
        if !sighting.isPresent { tag("span", .class("badge")) { "not seen" } }
        if let count = sighting.count, sighting.isPresent {
          tag("span") { "\(Words.grouped(count)) counted" }
        }
        tag("a", .href(Address(.event(sighting.event)))) {
          tag("time", Attribute("datetime", sighting.time.text)) {
            JournalWords.time(sighting.time)
          }
        }
        if let position = sighting.position {
          tag("a", .href(JournalMapView(around: position).address(JournalFilter()))) {
            JournalWords.position(position)
          }
        }
      }
    }
  }

  /// What something was: the names of its taxon, else what was written.
  func sightingName(
    _ taxon: TaxonReference?, _ verbatimName: String?, _ taxa: [TaxonReference: SeenTaxon]
  ) -> Html {
    if let seen = taxon.flatMap({ taxa[$0] }) { return seen.names }
    return Html {
      tag("bdi") { verbatimName ?? "Something" }
      tag("span", .class("badge status not_found")) { "not identified" }
    }
  }

  // MARK: - Key figures

  /// A few numbers about all of the journal.
  struct JournalFigures: Sendable {
    let figures: KeyFigures
    let speciesCount: Int
    let dayCount: Int
  }

  func journalFigures(_ journal: LocalJournal) async throws -> JournalFigures {
    try await journal.read { file, pack in
      JournalFigures(
        figures: try file.keyFigures(), speciesCount: try file.speciesCount(in: pack),
        dayCount: try file.dayCount())
    }
  }

  private func kpiTiles(_ all: JournalFigures) -> Html {
    let figures = all.figures
    var tiles: [(String, String, JournalRoute?)] = [
      (Words.grouped(all.speciesCount), "species", .life),
      (Words.grouped(figures.sightingCount), "sightings", .map),
      (Words.grouped(all.dayCount), "days", .calendar),
      (Words.grouped(figures.placeCount), "places", nil),
    ]
    if figures.diveCount > 0 {
      tiles.append((Words.grouped(figures.diveCount), "dives", nil))
      tiles.append((JournalWords.hours(figures.diveSeconds), "hours under water", nil))
      if let deepest = figures.maxDepthMm {
        tiles.append((JournalWords.metres(deepest), "metres at the deepest", nil))
      }
    }
    return itemList(class: "tiles", of: tiles) { number, word, route in
      let content = Html {
        tag("b") { number }
        tag("span") { word }
      }
      if let route { tag("a", .href(Address(route))) { content } } else { tag("div") { content } }
    }
  }

  // MARK: - JSON

  private func write(_ facets: SightingFacets, to json: inout RowWriter) {
    json.object("facets") { json in
      json.objects("taxa", facets.taxa) { json, facet in
        json.reference("taxon", facet.value.reference)
        json.text("currentName", facet.value.currentName)
        json.number("count", facet.count)
      }
      json.number("taxonCount", facets.taxonCount)
      json.objects("years", facets.years) { json, facet in
        json.number("year", facet.value)
        json.number("count", facet.count)
      }
      json.objects("months", facets.months) { json, facet in
        json.number("month", facet.value)
        json.number("count", facet.count)
      }
      json.objects("kinds", facets.kinds) { json, facet in
        json.text("kind", facet.value.rawValue)
        json.number("count", facet.count)
      }
      json.objects("tags", facets.tags) { json, facet in
        json.text("tag", facet.value)
        json.number("count", facet.count)
      }
    }
  }
}

/// What the active database calls a taxon; nil where it has it not.
func currentName(of taxon: TaxonReference?, _ taxa: [TaxonReference: SeenTaxon]) -> String? {
  taxon.flatMap { taxa[$0]?.card?.taxon.scientificName }
}

extension RowWriter {
  /// The members of a sighting.
  mutating func fields(of sighting: Sighting, _ taxa: [TaxonReference: SeenTaxon]) {
    text("sighting", "\(sighting.occurrence)")
    text("event", "\(sighting.event)")
    text("verbatimName", sighting.verbatimName)
    reference("taxon", sighting.taxon)
    text("currentName", currentName(of: sighting.taxon, taxa))
    position("position", sighting.position)
    text("time", sighting.time.text)
    bool("isPresent", sighting.isPresent)
    number("count", sighting.count)
  }
}

extension Fields {
  /// The same with one field more.
  func adding(_ name: String, _ value: String?) -> Fields {
    var fields = self
    fields.append(name, value)
    return fields
  }
}
