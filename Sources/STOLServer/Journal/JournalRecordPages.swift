import STOLAnswers
import STOLData
import STOLJournal
import STOLPack
import STOLSystem

extension Pages {
  // MARK: - A sighting

  /// Something that was seen: what it was taken for, when, where, and its photos.
  func sightingPage(
    _ visit: Visit, _ id: JournalID, _ journal: LocalJournal
  ) async throws -> Reply {
    let (kept, parts, event, thresholds, position) = try await journal.read { file, _ in
      guard let kept = try file.record(id), kept.deletedAt == nil,
        case .occurrence(let seen) = kept.record
      else { throw JournalError.unknown(id: id, needed: "occurrence") }
      let event = try file.detail(ofEvent: seen.event)
      // Its own, else that of the individual, the event or the place, as lists and maps have it.
      var position = seen.position
      if position == nil, let organism = seen.organism,
        case .organism(let record)? = try file.record(organism)?.record
      {
        position = record.position
      }
      if position == nil, case .event(let record) = event.event.record {
        position = record.position ?? event.places.last?.position
      }
      return (seen, try file.parts(of: id), event, try file.accuracyThresholds(), position)
    }
    let identifications = parts.compactMap { part in
      if case .identification(let record) = part.record { record } else { nil }
    }
    if visit.address.form == .json {
      return .json { json in
        json.text("sighting", "\(id)")
        json.text("event", "\(kept.event)")
        json.text("organism", kept.organism.map { "\($0)" })
        json.bool("isPresent", kept.presence == .present)
        json.number("count", kept.count)
        json.position("position", position)
        json.objects("identifications", identifications) { json, record in
          json.text("verbatimName", record.verbatimName)
          json.reference("taxon", record.taxon)
          json.text("match", record.match.rawValue)
        }
        json.texts("photos", photos(in: parts).map { "\($0.id)" })
      }
    }
    let current = identifications.last
    let taxa = seen(identifications.compactMap(\.taxon), visit)
    let reading =
      current.map { $0.taxon == nil } == true
      ? try await journal.reading(of: current?.verbatimName ?? "") : nil
    let heading = sightingName(current?.taxon, current?.verbatimName, taxa)
    return journalPage(visit, .sighting(id), "A sighting", heading: heading) {
      tag("p", .class("lead")) { summary(of: kept, event, position, thresholds) }
      afterSaving(visit, kept, event, position)
      if let reading { question(visit, id, reading) }
      tag("dl", .class("names")) {
        if let seen = current?.taxon.flatMap({ taxa[$0] }) {
          if let card = seen.card {
            tag("dt") { "Kind of life" }
            tag("dd") { Layout.link(card) }
          }
          if let remark = seen.remark {
            tag("dt") { "In this database" }
            tag("dd") { remark }
          }
        }
        if let current {
          tag("dt") { "Written as" }
          tag("dd") { tag("bdi") { current.verbatimName } }
        }
        tag("dt") { "Seen on" }
        tag("dd") {
          tag("a", .href(Address(.event(kept.event)))) { eventTitle(event) }
        }
        if let organism = kept.organism {
          tag("dt") { "Individual" }
          tag("dd") { tag("a", .href(Address(.organism(organism)))) { "All its visits" } }
        }
        words("Sex", kept.sex)
        words("Stage of life", kept.lifeStage)
        words("It was", kept.behaviour)
        words("How it came there", kept.establishment?.rawValue)
        words("Tags", kept.tags.isEmpty ? nil : kept.tags.sorted().joined(separator: ", "))
        words("Remarks", kept.remarks)
      }
      photoGrid(photos(in: parts), "Photos")
      facts(of: parts)
      history(identifications)
      deletion(visit, id, "Delete this sighting")
    }
  }

  /// One line: when, how many, where and how exactly.
  private func summary(
    of occurrence: Occurrence, _ event: EventDetail, _ position: Position?,
    _ thresholds: AccuracyClass.Thresholds
  ) -> String {
    guard case .event(let record) = event.event.record else { return "" }
    var parts = [JournalWords.time(occurrence.time ?? record.start)]
    if occurrence.presence == .absent { parts.append("looked for and not seen") }
    if let count = occurrence.count, occurrence.presence == .present {
      let word = occurrence.countKind == .least ? " or more" : ""
      parts.append(
        (occurrence.countKind == .about ? "about " : "") + Words.grouped(count) + word)
    }
    if let place = event.places.last { parts.append(place.name) }
    if let position {
      parts.append(JournalWords.point(position))
      if let metres = position.uncertaintyM {
        parts.append(JournalWords.accuracy(metres, thresholds))
      }
    }
    return parts.joined(separator: ", ")
  }

  /// What one does next: the same again, right here.
  private func afterSaving(
    _ visit: Visit, _ kept: Occurrence, _ event: EventDetail, _ position: Position?
  ) -> Html? {
    guard case .event(let record) = event.event.record else { return nil }
    return tag("div", .class("actions")) {
      if record.kind != .dive {
        tag(
          "a", .class(visit.query["done"] == nil ? "button" : "button main"),
          .href(Address(.new, ["again": "\(kept.id)"]))
        ) { "The same again here" }
      }
      tag("a", .class("button"), .href(Address(.new, ["beside": "\(kept.id)"]))) {
        "Something else here"
      }
      if let position {
        tag("a", .class("button"), .href(JournalMapView(around: position).address(JournalFilter())))
        { "On the map" }
      }
    }
  }

  /// What a name may mean that is no identification: a person says so, or leaves it as it is.
  private func question(_ visit: Visit, _ id: JournalID, _ reading: NameReading) -> Html {
    let layout = layout(visit)
    let suggestions = seen(reading.suggestions.map(\.taxon), visit)
    return tag("div", .class("help")) {
      tag("p") {
        "It is kept as you wrote it, and not identified: \(reading.reason). "
        reading.suggestions.isEmpty ? "" : "Is it one of these?"
      }
      itemList(class: "choices", of: reading.suggestions.prefix(6)) { suggestion in
        if let card = suggestions[suggestion.taxon]?.card {
          tag("span") {
            Layout.names(card)
            " "
            Layout.rank(card.taxon)
            tag("span", .class("note")) { " \(suggestion.difference)" }
          }
          layout.action(
            .journal(.list), "It is this",
            [
              "action": "identify", "id": "\(id)", "taxon": card.address.text,
              "name": reading.verbatimName,
            ])
        }
      }
    }
  }

  /// What it was taken for before, where it was taken for several things.
  private func history(_ identifications: [Identification]) -> Html? {
    guard identifications.count > 1 else { return nil }
    return tag("details", .class("part")) {
      tag("summary") { "What it was taken for" }
      itemList("ol", of: identifications) { record in
        tag("bdi") { record.verbatimName }
        if let taxon = record.taxon {
          ": "
          SeenTaxon.scientific(taxon.name)
          " (\(record.match.rawValue))"
        }
      }
    }
  }

  // MARK: - A place

  /// A place with what one's own visits say about it.
  func placePage(_ visit: Visit, _ id: JournalID, _ journal: LocalJournal) async throws -> Reply {
    let detail = try await journal.read { file, _ in try file.detail(ofPlace: id) }
    guard detail.place.deletedAt == nil, case .place(let place) = detail.place.record else {
      throw JournalError.unknown(id: id, needed: "place")
    }
    var query = SightingQuery()
    (query.region, query.limit) = (id, 50)
    let page = try await journal.sightings(query)
    let facts = detail.facts
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
        json.objects("sightings", page.sightings) { $0.fields(of: $1) }
      }
    }
    let taxa = seen(page.sightings.compactMap(\.taxon), visit)
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

  // MARK: - An individual

  /// A tree, or another individual, through the years.
  func organismPage(
    _ visit: Visit, _ id: JournalID, _ journal: LocalJournal
  ) async throws -> Reply {
    let (kept, parts) = try await journal.read { file, _ in
      guard let kept = try file.record(id), kept.deletedAt == nil,
        case .organism(let organism) = kept.record
      else { throw JournalError.unknown(id: id, needed: "organism") }
      return (organism, try file.parts(of: id))
    }
    var query = SightingQuery()
    (query.organism, query.includesAbsent, query.limit) = (id, true, 500)
    let page = try await journal.sightings(query)
    if visit.address.form == .json {
      return .json { json in
        json.text("organism", "\(id)")
        json.text("name", kept.name)
        json.text("status", kept.status.rawValue)
        json.text("planted", kept.planted?.text)
        json.position("position", kept.position)
        json.objects("sightings", page.sightings) { $0.fields(of: $1) }
      }
    }
    let taxa = seen(page.sightings.compactMap(\.taxon), visit)
    let latest = page.sightings.first
    let place = try await placeName(kept.place, journal)
    return journalPage(
      visit, .organism(id), "An individual",
      heading: Html {
        if let name = kept.name {
          tag("bdi") { name }
        } else {
          sightingName(latest?.taxon, latest?.verbatimName, taxa)
        }
      }
    ) {
      tag("p", .class("lead")) {
        if kept.name != nil, let latest { sightingName(latest.taxon, latest.verbatimName, taxa) }
        ", \(kept.status.rawValue)"
        if let planted = kept.planted { ", planted \(JournalWords.time(planted))" }
        if let place, let id = kept.place {
          ", at "
          tag("a", .href(Address(.place(id)))) { tag("bdi") { place } }
        }
      }
      tag("div", .class("actions")) {
        if let latest {
          tag("a", .class("button main"), .href(Address(.new, ["again": "\(latest.occurrence)"]))) {
            "Visit it again"
          }
        }
        if let position = kept.position {
          tag(
            "a", .class("button"), .href(JournalMapView(around: position).address(JournalFilter()))
          ) { "On the map" }
        }
      }
      measureCharts(parts)
      section("Through the years") { timeline(page.sightings, parts, taxa) }
      photoGrid(photos(in: parts), "Photos")
      deletion(visit, id, "Delete this individual")
    }
  }

  /// Visits, notes and measures of an individual by year, the last one first.
  private func timeline(
    _ sightings: [Sighting], _ parts: [KeptRecord], _ taxa: [TaxonReference: SeenTaxon]
  ) -> Html {
    var moments: [(day: Int, Html)] = sightings.map { sighting in
      (
        sighting.time.firstDay,
        Html {
          tag("a", .href(Address(.sighting(sighting.occurrence)))) {
            JournalWords.time(sighting.time)
          }
          sighting.isPresent ? ", visited" : ", not found"
        }
      )
    }
    for part in parts {
      switch part.record {
      case .note(let note):
        guard let time = note.time else { continue }
        moments.append(
          (
            time.firstDay,
            Html {
              "\(JournalWords.time(time)): "; tag("bdi") { note.text }
            }
          ))
      case .measure(let measure):
        guard let time = measure.time else { continue }
        moments.append(
          (
            time.firstDay,
            Html {
              "\(JournalWords.time(time)): "; measureText(measure)
            }
          ))
      default: continue
      }
    }
    moments.sort { $0.day > $1.day }
    let years = moments.map { CivilDate(days: $0.day).year }
    var order: [Int] = []
    for year in years where order.last != year { order.append(year) }
    return itemList("ol", class: "years", of: order) { year in
      tag("h3") { "\(year)" }
      itemList(of: zip(years, moments).filter { $0.0 == year }.map(\.1.1)) { $0 }
    }
  }
}
