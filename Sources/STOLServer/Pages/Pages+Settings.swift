import STOLAnswers
import STOLData
import STOLDiagnostics
import STOLFavorites
import STOLMedia

extension Pages {
  /// What can be set, and where to find it.
  func settings(_ visit: Visit) async -> Reply {
    let config = DatabaseConfig(of: snapshot)
    if visit.address.form == .json {
      return .json { json in
        json.text("version", services.version)
        json.number("taxa", config.taxaCount)
        json.number("favorites", services.favorites.favoritesCount())
      }
    }
    let entries: [(String, Route, String)] = [
      (
        "Databases", .databases,
        "\(Self.name(config.source)), \(Words.grouped(config.taxaCount)) taxa. Import, switch, delete."
      ),
      ("Storage", .storage, "What is kept on this computer, and how to delete it."),
      (
        "Favourites", .favorites,
        Words.count(services.favorites.favoritesCount(), "favourite", "favourites") + " saved."
      ),
      ("Privacy", .privacy, "We collect no data. What that means, in plain words."),
      ("Licences and sources", .sources, "Where the names and pictures come from."),
      ("Diagnostics", .diagnostics, "A report for whoever helps with a problem."),
      ("For programs", .api, "Everything here as JSON and SVG."),
    ]
    return layout(visit).page("Settings", in: .settings) {
      tag("h1") { "Settings" }
      Layout.menu(entries)
      tag("p", .class("note")) { services.version }
    }
  }

  static func name(_ source: DatabaseSource) -> String {
    switch source {
    case .bundled: "The built-in database"
    case .reference(let reference): "The reference database \(reference.title)"
    case .file: "A pack that was named at the start"
    }
  }

  // MARK: - Storage

  /// What is kept, its bytes, and how to delete it.
  func storage(_ visit: Visit) async -> Reply {
    let parts = LocalStorage(directory: services.directory).parts()
    let packs = await services.media.availableMediaPacks()
    if visit.address.form == .json {
      return .json { json in
        json.objects("parts", parts) { json, part in
          json.text("part", part.kind.rawValue)
          json.number("byteCount", Int(part.byteCount))
          json.bool("isDeletable", part.isDeletable)
        }
        json.objects("mediaPacks", packs) { json, pack in
          json.text("id", pack.id.text)
          json.text("title", pack.title)
          json.number("imageCount", pack.imageCount)
          json.number("byteCount", Int(pack.byteCount))
          json.text("problem", pack.problem)
        }
      }
    }
    let layout = layout(visit)
    return layout.settingsPage("Storage") {
      tag("p", .class("lead")) {
        "\(Words.bytes(parts.reduce(0) { $0 + $1.byteCount })) are kept on this computer, in "
        tag("code") { services.directory.path }
        "."
      }
      tag("table", .class("traits")) {
        tag("thead") {
          tag("tr") {
            tag("th", Attribute("scope", "col")) { "What" }
            tag("th", Attribute("scope", "col")) { "Size" }
            tag("th", Attribute("scope", "col")) { "Delete" }
          }
        }
        tag("tbody") {
          for part in parts {
            tag("tr") {
              tag("th", Attribute("scope", "row")) { Self.title(part.kind) }
              tag("td") { Words.bytes(part.byteCount) }
              tag("td") { deletion(part) }
            }
          }
        }
      }
      if !packs.isEmpty {
        tag("h2") { "Packs of images" }
        itemList(class: "cards", item: "card", of: packs) { pack in
          tag("b") { Layout.name(pack.title.isEmpty ? pack.id.text : pack.title) }
          " \(Words.count(pack.imageCount, "image", "images")), \(Words.bytes(pack.byteCount))"
          if let problem = pack.problem {
            tag("p", .class("note")) { "\(problem.capitalisedFirst)." }
          }
          if !pack.isBundled {
            layout.action(
              .storage, "Delete", class: "button danger",
              ["action": "remove-media", "pack": pack.id.text])
          }
        }
      }
    }
  }

  private static func title(_ kind: StoredPart.Kind) -> String {
    switch kind {
    case .bundled: "Built-in database"
    case .reference: "Reference database"
    case .favorites: "Favourites"
    case .journal: "Journal"
    case .media: "Images"
    case .keys: "Trusted keys"
    case .diagnostics: "Diagnostics"
    }
  }

  private func deletion(_ part: StoredPart) -> Html {
    let route: Route? =
      switch part.kind {
      case .reference: services.installation == nil ? nil : .databasesDelete
      case .favorites: .favoritesClear
      case .diagnostics: .diagnostics
      case .bundled, .journal, .media, .keys: nil
      }
    guard part.isDeletable, let route else {
      if part.byteCount == 0 { return Html("nothing there") }
      switch part.kind {
      case .bundled: return Html("stays")
      case .media: return Html("below")
      default: return Html("on the command line")
      }
    }
    return tag("a", .class("button danger"), .href(Address(route))) { "Delete…" }
  }

  func changeStorage(_ visit: Visit, _ form: Fields) async throws -> Reply {
    guard form["action"] == "remove-media", let id = form["pack"].flatMap({ MediaPackID($0) })
    else {
      return problem(visit, 400, "Unknown action", "one of: remove-media, with the field pack")
    }
    try await services.media.deleteMediaPack(id: id)
    return .seeOther(Address(.storage))
  }

  // MARK: - Diagnostics

  func diagnostics(_ visit: Visit) async -> Reply {
    let file = DiagnosticFile(in: services.directory)
    if visit.address.form == .json {
      return .json { $0.bool("isEnabled", file.isEnabled) }
    }
    let layout = layout(visit)
    let isOn = file.isEnabled
    return layout.settingsPage("Diagnostics") {
      tag("p", .class("lead")) {
        isOn ? "The log is on." : "The log is off. Nothing is written down."
      }
      tag("p") {
        "The report holds versions, sizes and what failed. It holds no name that was searched, no favourite and no path. You decide who gets it."
      }
      tag("div", .class("actions")) {
        tag("a", .class("button main"), .href(Address(.diagnosticsExport))) { "Save the report" }
        layout.action(
          .diagnostics, isOn ? "Turn the log off and delete it" : "Turn the log on",
          class: isOn ? "button danger" : "button", ["action": isOn ? "off" : "on"])
        if isOn {
          layout.action(
            .diagnostics, "Empty the log", class: "button danger", ["action": "clear"])
        }
      }
    }
  }

  func diagnosticsExport() async -> Reply {
    let file = DiagnosticFile(in: services.directory)
    let report = DiagnosticReport(
      version: services.version, database: DatabaseConfig(of: snapshot),
      storage: LocalStorage(directory: services.directory).parts(), isLogging: file.isEnabled,
      lines: (try? file.lines()) ?? [])
    return .download(report.text, as: "stol-report.txt")
  }

  func changeDiagnostics(_ visit: Visit, _ form: Fields) async throws -> Reply {
    let file = DiagnosticFile(in: services.directory)
    switch form["action"] {
    case "on": try file.enable()
    case "off": try file.disable()
    case "clear": try file.clear()
    default: return problem(visit, 400, "Unknown action", "one of: on, off, clear")
    }
    return .seeOther(Address(.diagnostics))
  }
}
