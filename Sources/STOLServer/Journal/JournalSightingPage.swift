import STOLAnswers
import STOLData
import STOLJournal

extension Pages {
  /// Something that was seen: what it was taken for, when, where, and its photos.
  func sightingPage(
    _ visit: Visit, _ id: JournalID, _ journal: LocalJournal
  ) async throws -> Reply {
    let (kept, parts, event, thresholds, position, collections) = try await journal.read {
      file, _ in
      guard let kept = try file.record(id), kept.deletedAt == nil,
        case .occurrence(let seen) = kept.record
      else { throw JournalError.unknown(id: id, needed: "occurrence") }
      let event = try file.detail(ofEvent: seen.event)
      return (
        seen, try file.parts(of: id), event, try file.accuracyThresholds(),
        try file.position(ofOccurrence: id), try file.collections()
      )
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
            tag("dt") { "The name" }
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
      collecting(visit, id, kept.collections, collections)
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
}
