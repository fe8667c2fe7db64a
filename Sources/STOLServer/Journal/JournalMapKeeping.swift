import STOLJournal

extension Pages {
  /// Under which key the journal keeps the map that its page begins with, so that a locked journal says nothing of it.
  private static let mapKey = "explorer_map"

  /// The query of the map that the page begins with; nil where nobody has chosen one.
  func keptMap(_ journal: LocalJournal) async throws -> Fields? {
    let text = try await journal.read { file, _ in try file.setting(Self.mapKey) }
    return text.flatMap { Fields(parsing: $0) }
  }

  /// Keeps a map for the next time, or lets go of the one that is kept.
  func changeMap(_ visit: Visit, _ form: Fields) async throws -> Reply {
    guard let journal = try services.journal.journal() else { return noMap(visit) }
    switch form["action"] {
    case "keep":
      guard let query = form["map"].flatMap({ Fields(parsing: $0) }),
        let view = JournalMapView(query)
      else { break }
      // What the page understands, and nothing else.
      let address = view.address(JournalFilter(query), .page, MapChoice(query))
      let text = address.query.text
      try await journal.change { try $0.set(Self.mapKey, to: text) }
      var shown = address
      shown.query.append("done", "map-kept")
      return .seeOther(shown)
    case "forget":
      try await journal.change { try $0.set(Self.mapKey, to: nil) }
      return .seeOther(Address(.map, ["fit": "all", "done": "map-forgotten"]))
    default: break
    }
    return problem(
      visit, 400, "Unknown action", "one of: keep, with the map that is meant, and forget")
  }

  private func noMap(_ visit: Visit) -> Reply {
    problem(visit, 404, "This is not in the journal", "There is no journal here yet.")
  }

  /// Buttons that keep a map for the next time, or let go of it.
  func mapKeeping(_ visit: Visit, _ drawn: DrawnMap, _ isKept: Bool) -> Html {
    let layout = layout(visit)
    return tag("div", .class("actions map-keeping")) {
      layout.action(
        .journal(.map), "Begin with this map next time",
        ["action": "keep", "map": drawn.address(drawn.view).query.text])
      if isKept {
        layout.action(.journal(.map), "Begin with all of mine", ["action": "forget"])
      }
    }
  }
}
