import STOLAnswers
import STOLData
import STOLJournal

extension Pages {
  /// As many sightings, and as many other records, are on the page of a collection.
  private static let shownCount = 50

  /// The collections, each with how much is in it.
  func journalCollections(_ visit: Visit, _ journal: LocalJournal) async throws -> Reply {
    let collections = try await journal.read { file, _ in try file.collections() }
    if visit.address.form == .json {
      return .json { json in
        json.objects("collections", collections) { json, collection in
          json.text("collection", collection.id.map { "\($0)" })
          json.text("name", collection.name)
          json.number("recordCount", collection.count)
        }
      }
    }
    return journalPage(visit, .collections, "Collections") {
      tag("p", .class("lead")) {
        collections.isEmpty
          ? "Nothing is collected yet. The page of a sighting, a place, an event or an individual can put it into a collection."
          : "\(Words.count(collections.count, "collection", "collections").capitalisedFirst)."
      }
      itemList(class: "cards menu", item: "card", of: collections) { collection in
        if let id = collection.id {
          tag("a", .href(Address(.collection(id)))) { tag("bdi") { collection.name } }
        }
        tag("p") { Words.count(collection.count, "record", "records") }
      }
    }
  }

  /// A collection with what is in it, and a map of that.
  func collectionPage(
    _ visit: Visit, _ id: JournalID, _ journal: LocalJournal
  ) async throws -> Reply {
    guard let kept = try await journal.record(id), kept.deletedAt == nil,
      case .collection(let collection) = kept.record
    else { throw JournalError.unknown(id: id, needed: "collection") }
    let (members, isCut) = try await journal.read { file, _ in
      try file.members(of: id, limit: 500)
    }
    var query = SightingQuery()
    (query.collection, query.limit) = (id, Self.shownCount)
    let page = try await journal.sightings(query)
    let taxa = seen(page.sightings.compactMap(\.taxon), visit)
    if visit.address.form == .json {
      return .json { json in
        json.text("collection", "\(id)")
        json.text("name", collection.name)
        json.text("privacy", collection.privacy.rawValue)
        json.objects("records", members) { json, member in
          json.text("record", "\(member.record.id)")
          json.text("kind", member.record.kind.rawValue)
          json.text("name", Self.name(of: member.record))
          json.text("href", Address(of: member.record)?.text)
        }
        json.bool("isCut", isCut)
        json.objects("sightings", page.sightings) { $0.fields(of: $1, taxa) }
      }
    }
    let filter = JournalFilter().with { $0.collection = id }
    let question = JournalQuestion(filter: filter, query: filter.query)
    let drawn = try await drawnMap(JournalMapView(visit.query), MapChoice(), question, journal)
    let others = members.map(\.record).filter { record in
      if case .occurrence = record { false } else { true }
    }
    return journalPage(
      visit, .collection(id), "A collection", heading: tag("bdi") { collection.name }
    ) {
      tag("p", .class("lead")) {
        isCut ? "More than " : ""
        Words.count(members.count, "record", "records")
        ": what was seen, and places, events and individuals with all that was seen there. "
        tag("a", .href(filter.address(.list))) { "As a list" }
        "."
      }
      if collection.privacy != .open {
        tag("p", .class("note")) {
          collection.privacy == .private
            ? "What you share says nothing of where all this was."
            : "What you share says only in which surroundings all this was."
        }
      }
      if !drawn.marks.isEmpty { mapFigure(drawn) }
      section("Seen") {
        if page.sightings.isEmpty { tag("p") { "Nothing yet." } }
        sightingList(page.sightings, taxa)
        if page.next != nil {
          tag("p", .class("pages")) {
            tag("a", .class("button"), .href(filter.address(.list))) { "All of them" }
          }
        }
      }
      if !others.isEmpty {
        section("Places, events and individuals") {
          itemList(class: "sightings", of: others.prefix(Self.shownCount)) { record in
            if let address = Address(of: record) {
              tag("a", .class("taxon"), .href(address)) {
                tag("bdi") { Self.name(of: record) ?? record.kind.rawValue }
              }
            }
            tag("span", .class("facts-line")) { tag("span") { record.kind.rawValue } }
          }
        }
      }
      tag("p", .class("note")) {
        "Deleted, it lets go of what is in it, which stays."
      }
      deletion(visit, id, "Delete this collection")
    }
  }

  /// What a record is called.
  private static func name(of record: JournalRecord) -> String? {
    switch record {
    case .place(let place): place.name
    case .organism(let organism): organism.name
    case .event(let event):
      "\(JournalWords.oneKind(event.kind).capitalisedFirst) on \(JournalWords.time(event.start))"
    default: nil
    }
  }

  // MARK: - Changing

  /// Puts a record into a collection, or takes it out.
  func changeCollections(_ visit: Visit, _ form: Fields) async throws -> Reply {
    guard let journal = try services.journal.journal() else {
      return problem(visit, 404, "This is not in the journal", "There is no journal here yet.")
    }
    guard let id = form["id"].flatMap({ JournalID($0) }) else {
      return problem(visit, 400, "No record was chosen", "the field \"id\" needs a UUID")
    }
    let batch: Int64?
    let word: String
    switch form["action"] {
    case "add":
      guard let name = form["name"] else {
        return problem(visit, 400, "No collection was named", "type its name")
      }
      batch = try await journal.change { try $0.collect(id, into: name) }
      word = "collected"
    case "remove":
      guard let collection = form["collection"].flatMap({ JournalID($0) }) else {
        return problem(
          visit, 400, "No collection was chosen", "the field \"collection\" needs a UUID")
      }
      batch = try await journal.change { try $0.release(id, from: collection) }
      word = "released"
    default:
      return problem(
        visit, 400, "Unknown action", "one of: add, remove, with the record that is meant")
    }
    var address = try await journal.record(id).flatMap { Address(of: $0.record) } ?? Address(.list)
    address.query.append("done", word)
    address.query.append("batch", batch.map { "\($0)" })
    return .seeOther(address)
  }

  /// The collections that a record is in, and a field that puts it into another one.
  func collecting(
    _ visit: Visit, _ id: JournalID, _ own: Set<JournalID>, _ all: [CountedName]
  ) -> Html {
    let layout = layout(visit)
    let mine = all.filter { $0.id.map(own.contains) ?? false }
    return tag("details", .class("part collecting"), Attribute("open", isSet: !mine.isEmpty)) {
      tag("summary") { "Collections" }
      itemList(class: "choices", of: mine) { collection in
        if let other = collection.id {
          tag("a", .class("taxon"), .href(Address(.collection(other)))) {
            tag("bdi") { collection.name }
          }
          layout.action(
            .journal(.collections), "Take it out",
            ["action": "remove", "id": "\(id)", "collection": "\(other)"])
        }
      }
      layout.action(
        .journal(.collections), "Put it there", ["action": "add", "id": "\(id)"]
      ) {
        tag("div", .class("field")) {
          tag("label", .for("collection")) { "Name of a collection, or of a new one" }
          void(
            "input", .type("text"), .id("collection"), .name("name"),
            Attribute("list", "collections"), Attribute("maxlength", "200"),
            Attribute("autocomplete", "off"))
          tag("datalist", .id("collections")) {
            for name in all.prefix(200).map(\.name) { tag("option", .value(name)) }
          }
        }
      }
    }
  }
}
