import STOLAnswers
import STOLData
import STOLJournal

extension Pages {
  /// A place with what one's own visits say about it.
  func placePage(_ visit: Visit, _ id: JournalID, _ journal: LocalJournal) async throws -> Reply {
    let (detail, collections) = try await journal.read { file, _ in
      (try file.detail(ofPlace: id), try file.collections())
    }
    guard detail.place.deletedAt == nil, case .place(let place) = detail.place.record else {
      throw JournalError.unknown(id: id, needed: "place")
    }
    var query = SightingQuery()
    (query.region, query.limit) = (id, 50)
    let page = try await journal.sightings(query)
    let facts = detail.facts
    let taxa = seen(page.sightings.compactMap(\.taxon), visit)
    if visit.address.form == .json {
      return .json { json in
        json.text("place", "\(id)")
        json.text("name", place.name)
        json.text("kind", place.kind.rawValue)
        json.position("position", place.position)
        json.number("eventCount", facts.eventCount)
        json.number("diveCount", facts.diveCount)
        json.number("sightingCount", facts.sightingCount)
        json.number("taxonCount", facts.taxonRefCount)
        json.text("firstTime", facts.firstTime)
        json.text("lastTime", facts.lastTime)
        json.objects("sightings", page.sightings) { $0.fields(of: $1, taxa) }
      }
    }
    return journalPage(visit, .place(id), "A place", heading: tag("bdi") { place.name }) {
      if !detail.parents.isEmpty {
        tag("p", .class("lead")) {
          "In "
          detail.parents.reversed().enumerated().map { index, parent in
            Html {
              index > 0 ? ", " : ""
              tag("a", .href(Address(.place(parent.id)))) { tag("bdi") { parent.name } }
            }
          }
        }
      }
      chips(of: facts)
      tag("div", .class("actions")) {
        if let position = place.position {
          tag(
            "a", .class("button"), .href(JournalMapView(around: position).address(JournalFilter()))
          ) { "On the map" }
        }
        tag("a", .class("button"), .href(Address(.new, ["at": "\(id)"]))) { "Note something here" }
      }
      tag("dl", .class("names")) {
        words("Kind", place.kind.rawValue)
        words("Position", place.position.map { JournalWords.position($0) })
        words("Water", place.waterBody)
        words("Where", place.locality)
        words("Country", place.country)
        words(
          "Means to",
          place.states.isEmpty ? nil : place.states.map(\.rawValue).sorted().joined(separator: ", ")
        )
        words("Tags", place.tags.isEmpty ? nil : place.tags.sorted().joined(separator: ", "))
      }
      photoGrid(photos(in: detail.parts), "Photos")
      self.facts(of: detail.parts)
      collecting(visit, id, place.collections, collections)
      section("Seen here") {
        if page.sightings.isEmpty { tag("p") { "Nothing yet." } }
        sightingList(page.sightings, taxa)
        if page.next != nil {
          tag("p", .class("pages")) {
            tag("a", .class("button"), .href(JournalFilter().with { $0.place = id }.address(.list)))
            { "All of them" }
          }
        }
      }
    }
  }

  private func chips(of facts: PlaceFacts) -> Html? {
    var chips = [Words.count(facts.eventCount, "visit", "visits")]
    if facts.diveCount > 0 {
      chips = [Words.count(facts.diveCount, "dive", "dives")]
      if let depth = facts.maxDepthMm { chips.append("to \(JournalWords.metres(depth)) m") }
      if let water = facts.meanWaterCk { chips.append("water \(Temperature.celsius(water))") }
      if let far = facts.meanVisibilityCm {
        chips.append("one sees \(JournalWords.metres(far * 10)) m")
      }
    }
    chips.append(Words.count(facts.taxonRefCount, "taxon", "taxa"))
    if let last = facts.lastTime.flatMap({ try? LocalTime($0) }) {
      chips.append("last on \(JournalWords.time(last))")
    }
    return itemList(class: "quick", of: chips) { $0 }
  }
}
