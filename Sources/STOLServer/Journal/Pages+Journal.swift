import STOLAnswers
import STOLData
import STOLJournal
import STOLStore
import STOLSystem

extension Pages {
  /// The answer to a visit to the journal, whatever goes wrong; nothing keeps it.
  func journal(_ visit: Visit, _ route: JournalRoute) async -> Reply {
    var reply: Reply
    do {
      reply = try await answer(visit, route)
    } catch StoreError.locked {
      services.journal.close()
      reply = lockedJournal(visit)
    } catch let error as JournalError {
      reply = refused(visit, error)
    } catch let error as any StolError {
      reply = problem(visit, error.kind.httpStatus, error.kind.title, error.description)
    } catch {
      reply = problem(visit, 500, "Something went wrong", "\(error)")
    }
    reply.fields.append(Reply.unkept)
    return reply
  }

  private func answer(_ visit: Visit, _ route: JournalRoute) async throws -> Reply {
    if let form = visit.form {
      switch route {
      case .new: return try await keepEntry(visit, form)
      case .list: return try await changeJournal(visit, form)
      case .import: return try await changeImport(visit, form)
      case .lock: return try await changeLock(visit, form)
      case .map: return try await changeMap(visit, form)
      case .collections: return try await changeCollections(visit, form)
      case .export:
        guard let journal = try services.journal.journal() else {
          return noJournal(visit, .export, status: 409)
        }
        return try await giveOut(visit, form, journal)
      default:
        return problem(visit, 405, "Nothing can be changed here", "Only looking is possible here.")
      }
    }
    if route == .completions { return try await journalCompletions(visit) }
    if route == .new { return try await entryForm(visit) }
    if route == .lock { return try await journalLock(visit) }
    if route == .import { return try await journalImport(visit) }
    if route == .export { return try await journalExport(visit, services.journal.journal()) }
    guard let journal = try services.journal.journal() else {
      if route == .statistics, visit.address.form == .json {
        return .json { JournalStatistics().write(to: &$0) }
      }
      guard visit.address.form == .svg else { return noJournal(visit, route) }
      return route == .map ? emptyMap(visit) : emptyLifeTree(visit)
    }
    switch route {
    case .list: return try await journalList(visit, journal)
    case .life: return try await journalLife(visit, journal)
    case .lifeTree: return try await journalLifeTree(visit, journal)
    case .collections: return try await journalCollections(visit, journal)
    case .collection(let id): return try await collectionPage(visit, id, journal)
    case .calendar: return try await journalCalendar(visit, journal)
    case .map: return try await journalMap(visit, journal)
    case .photos: return try await journalPhotos(visit, journal)
    case .statistics: return try await journalStatistics(visit, journal)
    case .sighting(let id): return try await sightingPage(visit, id, journal)
    case .event(let id): return try await eventPage(visit, id, journal)
    case .place(let id): return try await placePage(visit, id, journal)
    case .organism(let id): return try await organismPage(visit, id, journal)
    case .photo(let id): return try await photo(visit, id, .large, journal)
    case .thumbnail(let id): return try await photo(visit, id, .small, journal)
    case .new, .completions, .export, .import, .lock: return notFound(visit.address.path)
    }
  }

  /// Where there is none, or none of its kind; and what cannot be, with what to do.
  private func refused(_ visit: Visit, _ error: JournalError) -> Reply {
    switch error {
    case .unknown, .unknownBatch, .nothingToUndo:
      problem(visit, 404, "This is not in the journal", error.description)
    case .lostFile: problem(visit, 404, "The photo is gone", error.description)
    case .alreadyUndone, .changedSince, .inUse, .deleted, .identificationChanged, .otherKind:
      problem(visit, 409, "This cannot be done now", error.description)
    default: problem(visit, 400, "This cannot be kept", error.description)
    }
  }

  // MARK: - Without a journal

  /// A journal that is locked shows that, and nothing else.
  private func lockedJournal(_ visit: Visit) -> Reply {
    if visit.isOfProgram {
      return .json(status: 403) {
        $0.text("error", "The journal is locked")
        $0.text("detail", "open it at \(Address(.lock).text), or unlock it: stol journal unlock")
      }
    }
    return layout(visit).page("Journal", in: .journal, hasTwin: false, status: 403) {
      tag("h1", Attribute("data-forget", "")) { "The journal is locked" }
      tag("p", .class("lead")) { "Nothing of it is shown." }
      tag("p") {
        tag("a", .class("button main"), .href(Address(.lock))) { "Open it" }
      }
    }
  }

  /// What a page shows where there is no journal yet: nothing, and how to begin one.
  private func noJournal(_ visit: Visit, _ route: JournalRoute, status: Int = 200) -> Reply {
    guard JournalRoute.fixed.contains(route) else {
      return problem(visit, 404, "This is not in the journal", "There is no journal here yet.")
    }
    if visit.address.form == .json {
      return .json(status: status) { json in
        json.bool("isEmpty", true)
      }
    }
    return journalPage(visit, route, "Journal", status: status) {
      emptyJournal
    }
  }

  /// What stands where nothing was noted yet.
  var emptyJournal: Html {
    tag("div", .class("empty")) {
      tag("p", .class("lead")) {
        "Nothing is noted here yet: trees, dives, walks, and what you saw on them."
      }
      tag("p", .class("actions")) {
        tag("a", .class("button main"), .href(Address(.new))) { "Note something" }
        tag("a", .class("button"), .href(Address(.import))) { "Bring in what you have" }
      }
      tag("p") {
        "To try it with a made-up orchard and a dive trip, type "
        tag("code") { "stol journal demo" }
        " in a terminal."
      }
    }
  }

  // MARK: - The frame

  /// A page of the journal: its title says nothing of what is noted.
  func journalPage(
    _ visit: Visit, _ route: JournalRoute, _ title: String, heading: Html? = nil,
    status: Int = 200, @HtmlBuilder content: () -> Html
  ) -> Reply {
    layout(visit).page(title, in: .journal, status: status) {
      tag("div", .class("journal-head")) {
        tag("h1") { heading ?? Html(title) }
        tag("a", .class("button main"), .href(Address(.new))) { "Note something" }
      }
      Layout.chips(
        "Show",
        [
          ("List", JournalRoute.list), ("Map", .map), ("Calendar", .calendar),
          ("Life list", .life), ("Photos", .photos), ("Collections", .collections),
          ("Statistics", .statistics),
        ].map { ($0.0, Address($0.1), $0.1 == route || $0.1 == .life && route == .lifeTree) })
      notice(visit)
      content()
      journalDoors(route)
    }
  }

  /// What comes into the journal and leaves it, and what keeps others out.
  private func journalDoors(_ route: JournalRoute) -> Html {
    let doors = [
      ("Bring in", JournalRoute.import), ("Give out", .export), ("Lock", .lock),
    ]
    return tag("nav", .class("chips journal-doors"), .label("All of the journal")) {
      tag("span") { "All of it" }
      itemList(of: doors) { text, door in
        tag(
          "a", .class("chip"), .href(Address(door)),
          Attribute("aria-current", door == route ? "page" : nil)
        ) { text }
      }
    }
  }

  /// What has just become of something, and how to undo it.
  private func notice(_ visit: Visit) -> Html? {
    guard let word = visit.query["done"], let sentence = Self.sentences[word] else { return nil }
    let layout = layout(visit)
    let batch = visit.query["batch"].flatMap { Int64($0) }
    return tag("div", .class("help done"), .role("status"), Attribute("data-done", word)) {
      tag("p") { sentence }
      if let origin = visit.query["from"].flatMap({ EntryOrigin($0) }) {
        tag("p") { origin.words }
      }
      if let batch, word != "same" {
        layout.action(
          .journal(.list), word == "undone" ? "Redo" : "Undo",
          ["action": "undo", "batch": "\(batch)"])
      }
    }
  }

  private static let sentences = [
    "new": "It is kept.", "updated": "The change is kept.",
    "same": "It was kept already, and is the same: there is one record of it.",
    "deleted": "It is deleted.", "undone": "That is undone.",
    "identified": "The identification is kept.",
    "collected": "It is in the collection.", "released": "It is not in the collection any more.",
    "map-kept": "The page of the map begins with this one from now on.",
    "map-forgotten": "The page of the map begins with all of yours again.",
  ]

  // MARK: - Changing

  /// Deletes, undoes or identifies, and shows the page of what it was about.
  private func changeJournal(_ visit: Visit, _ form: Fields) async throws -> Reply {
    guard let journal = try services.journal.journal() else {
      return problem(visit, 404, "This is not in the journal", "There is no journal here yet.")
    }
    switch form["action"] {
    case "undo":
      guard let batch = form["batch"].flatMap({ Int64($0) }) else { break }
      let by = try await journal.undo(batch: batch)
      return .seeOther(Address(.list, ["done": "undone", "batch": "\(by)"]))
    case "delete":
      guard let id = form["id"].flatMap({ JournalID($0) }) else { break }
      let outcome = try await journal.delete(id)
      return .seeOther(
        Address(.list, ["done": "deleted", "batch": outcome.batch.map { "\($0)" }]))
    case "identify":
      guard let id = form["id"].flatMap({ JournalID($0) }) else { break }
      return try await identify(visit, id, form, journal)
    default: break
    }
    return problem(
      visit, 400, "Unknown action", "one of: undo, delete, identify, with what it is about")
  }

  /// Adds an identification that a person chose.
  private func identify(
    _ visit: Visit, _ id: JournalID, _ form: Fields, _ journal: LocalJournal
  ) async throws -> Reply {
    guard let taxon = try form["taxon"].flatMap({ try taxonID($0) }),
      let chosen = withView(
        visit,
        { view, _ in
          (try? view.ordinal(of: taxon)).flatMap { view.reference(to: $0) }
        })
    else {
      return problem(
        visit, 400, "No taxon was chosen", "the field \"taxon\" needs an address, as ncbi:9689")
    }
    let written = form["name"] ?? chosen.name
    let identification = Identification(
      id: id.derived("chosen \(chosen.written) \(form["entry"] ?? "")"), occurrence: id,
      verbatimName: written, taxon: chosen, match: .chosen)
    let outcome = try await journal.save([.identification(identification)])
    return .seeOther(
      Address(
        .sighting(id),
        [
          "done": outcome.batch == nil ? "same" : "identified",
          "batch": outcome.batch.map { "\($0)" },
        ]))
  }
}
