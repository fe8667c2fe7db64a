import STOLTrust
import Foundation
import STOLAnswers
import STOLData
import STOLFavorites
import STOLImport
import STOLPack

extension Pages {
  /// Which databases are there, which one answers, and how to import another.
  func databases(_ visit: Visit) async -> Reply {
    // Files may have been mended, though what is active is what it was.
    if let installation = services.installation, (try? await installation.reload()) != nil {
      try? await services.favorites.reload()
    }
    let config = DatabaseConfig(of: snapshot)
    let installed = try? ReferenceStore(in: services.directory).installed()
    if visit.address.form == .json {
      return .json { json in
        json.text("active", Self.key(config.source))
        json.number("taxa", config.taxaCount)
        json.number("byteCount", Int(config.sizeBytes))
        json.bool("canSwitch", services.installation != nil)
        Schema.write("reference", installed, to: &json)
      }
    }
    let state = await imports.state
    let layout = layout(visit)
    let forecast = await forecast(installed)
    let fate = try? await favoritesFate()
    return layout.settingsPage("Databases") {
      tag("p", .class("lead")) {
        "\(Self.name(config.source)) answers now. It has \(Words.grouped(config.taxaCount)) taxa and takes \(Words.bytes(config.sizeBytes))."
      }
      if let fate {
        tag("p", .class("note")) {
          "\(fate) "
          tag("a", .href(Address(.favorites))) { "See favourites" }
        }
      }
      if services.installation == nil {
        tag("p") {
          "The explorer was started for one pack. To switch databases, start it without "
          tag("code") { "--pack" }
          "."
        }
      } else {
        reference(installed, forecast, layout)
        importing(state, layout)
      }
    }
  }

  private static func key(_ source: DatabaseSource) -> String {
    switch source {
    case .bundled: "bundled"
    case .reference: "reference"
    case .file: "file"
    }
  }

  /// As many favourites are named that another database does not have.
  private static let shownLostCount = 12

  /// What becomes of favourites when the other database answers.
  private func forecast(_ installed: InstalledReference?) async -> FavoriteForecast? {
    guard let installed, services.installation != nil,
      let entries = try? await services.favorites.allFavorites(), !entries.isEmpty
    else { return nil }
    let path = ReferenceStore(in: services.directory).packPath(installed)
    let other = installed.isActive ? try? BundledDatabase.open() : try? Pack(path: path)
    return other.map { FavoriteForecast(entries, now: snapshot.pack, then: $0) }
  }

  /// The same in words, before anybody switches.
  private static func words(_ forecast: FavoriteForecast) -> Html {
    Html {
      tag("p", .class("note")) { "If you switch: \(forecast.summary)." }
      if !forecast.lost.isEmpty {
        tag("p", .class("note")) {
          "Not in it: "
          forecast.lost.prefix(shownLostCount).compactMap(\.nameNow).joined(separator: ", ")
          forecast.lost.count > shownLostCount
            ? " and \(forecast.lost.count - shownLostCount) more." : "."
        }
      }
    }
  }

  private func reference(
    _ installed: InstalledReference?, _ forecast: FavoriteForecast?, _ layout: Layout
  ) -> Html {
    section("Reference database") {
      if let installed {
        tag("p") {
          "\(installed.title.capitalisedFirst)"
          installed.buildTime.map { ", made on \($0.prefix(10))" } ?? ""
          installed.isActive ? ". It answers." : ". It is kept, and does not answer."
        }
        tag("div", .class("actions")) {
          if installed.isActive {
            layout.action(
              .databases, "Switch to the built-in database", ["action": "deactivate"])
          } else {
            layout.action(
              .databases, "Switch to \(installed.title)", class: "button main",
              ["action": "activate"])
          }
          tag("a", .class("button danger"), .href(Address(.databasesDelete))) { "Delete…" }
        }
        if let forecast { Self.words(forecast) }
      } else {
        tag("p") { "None is installed. The built-in database is always there." }
      }
    }
  }

  private func importing(_ state: Imports.State, _ layout: Layout) -> Html {
    tag("section", .id("import"), Attribute("data-import", Address(.databasesImport).text)) {
      tag("h2") { "Import a database" }
      if state.isBusy {
        tag("p") {
          "An import is running. "
          tag("a", .href(Address(.databasesImport))) { "See how far it is" }
        }
      } else {
        if state == .waiting {
          tag("p") {
            "A database waits for your word. "
            tag("a", .href(Address(.databasesImport))) { "See what it would change" }
          }
        }
        tag("p") {
          "A file that ends in "
          tag("code") { ".stol" }
          ", signed by somebody whom you trust. It is checked before anything changes; what is installed now stays if something is wrong."
        }
        layout.action(.databasesImport, "Import", class: "button main") {
          tag("div", .class("field file"), Attribute("hidden", isSet: true), .id("file-field")) {
            tag("label", .for("file")) { "Choose a file" }
            void("input", .type("file"), .id("file"), Attribute("accept", ".stol"))
          }
          tag("div", .class("field"), .id("path-field")) {
            tag("label", .for("path")) { "Where the file lies on this computer" }
            void(
              "input", .type("text"), .id("path"), .name("path"),
              Attribute("autocomplete", "off"), Attribute("spellcheck", "false"),
              Attribute("placeholder", "/home/me/Downloads/mammals.stol"))
          }
          tag("label", .class("choose")) {
            void("input", .type("checkbox"), .name("downgrade"), .value("yes"))
            " Take an older release, too"
          }
          tag("label", .class("choose")) {
            void("input", .type("checkbox"), .name("replace"), .value("yes"))
            " Take another dataset than the one installed"
          }
        }
      }
      keys
    }
  }

  /// Whose signatures are accepted.
  private var keys: Html {
    let keys = (try? Keyring(folder: services.directory.keys))?.trustedKeys ?? []
    return tag("details", .class("part")) {
      tag("summary") { "Whom you trust: \(Words.count(keys.count, "key", "keys"))" }
      if keys.isEmpty {
        tag("p") { "No key is trusted yet." }
      } else {
        itemList(of: keys) { key in tag("code") { key.id.description } }
      }
      tag("p") {
        "Trust is given on the command line, where nobody else can ask you for it: "
        tag("code") { "stol db keys add NAME.pub --dataset ID" }
      }
    }
  }

  // MARK: - Changes

  func changeDatabase(_ visit: Visit, _ form: Fields) async throws -> Reply {
    guard let installation = services.installation else {
      return problem(visit, 409, "Nothing can be switched", "the explorer was started for one pack")
    }
    switch form["action"] {
    case "activate": try await installation.activateReferenceDB()
    case "deactivate": try await installation.deactivateReferenceDB(delete: false)
    default: return problem(visit, 400, "Unknown action", "one of: activate, deactivate")
    }
    try await services.favorites.reload()
    return .seeOther(Address(.databases))
  }

  func databasesDelete(_ visit: Visit) async -> Reply {
    let installed = try? ReferenceStore(in: services.directory).installed()
    guard services.installation != nil, let installed else { return .seeOther(Address(.databases)) }
    return confirmation(
      visit, in: .settings, "Delete the reference database?",
      "\(installed.title.capitalisedFirst) will be gone. The built-in database will answer.",
      "Delete", back: .databases)
  }

  func deleteDatabase(_ visit: Visit) async throws -> Reply {
    guard let installation = services.installation else { return .seeOther(Address(.databases)) }
    try await installation.deactivateReferenceDB(delete: true)
    try await services.favorites.reload()
    return .seeOther(Address(.databases))
  }

  // MARK: - Import

  func beginImport(_ visit: Visit, _ form: Fields) async -> Reply {
    if let action = form["action"] {
      switch action {
      case "cancel": await imports.cancel()
      case "install": await imports.install()
      default: return problem(visit, 400, "Unknown action", "one of: install, cancel")
      }
      return .seeOther(Address(.databasesImport))
    }
    guard services.installation != nil else {
      return problem(visit, 409, "Nothing can be imported", "the explorer was started for one pack")
    }
    guard let path = form["path"] else {
      return problem(visit, 400, "No file was named", "Say where the file lies.")
    }
    // A person may write "~/Downloads/..." as in a shell.
    let file = NSString(string: path).expandingTildeInPath
    await imports.begin(file, options: ReferenceImport.Options(form))
    return .seeOther(Address(.databasesImport))
  }

  /// How far the import is; the page loads itself again until it has ended.
  func databasesImport(_ visit: Visit) async -> Reply {
    if visit.address.form == .json { return await imports.reply() }
    let state = await imports.state
    let forecast = await imports.forecast
    let layout = layout(visit)
    return layout.page("Import", in: .settings, refreshingAfter: state.isBusy ? 1 : nil) {
      Layout.settingsCrumb
      switch state {
      case .none:
        tag("h1") { "No import is running" }
      case .receiving(let byteCount):
        tag("h1") { "Importing" }
        progress(0, "\(Words.bytes(byteCount)) have arrived.")
      case .running(let stage, let fraction):
        let percent = Int(fraction * 100)
        tag("h1") { "Importing" }
        progress(percent, "\(percent) %: \(stage).")
        layout.action(.databasesImport, "Cancel", ["action": "cancel"])
      case .waiting:
        tag("h1") { "Import this database?" }
        tag("p", .class("lead")) { "It is checked and can be installed. It would answer at once." }
        if let forecast { Self.words(forecast) }
        layout.action(
          .databasesImport, "Install it", class: "button main", ["action": "install"])
        layout.action(.databasesImport, "Cancel", ["action": "cancel"])
      case .done(let title):
        tag("h1") { "The database is installed" }
        tag("p", .class("lead")) { "\(title.capitalisedFirst) answers now." }
      case .failed(let reason):
        tag("h1") { "The database was not imported" }
        tag("p", .class("lead")) { "Nothing has changed: \(reason)." }
      }
      tag("p") {
        tag("a", .class("button"), .href(Address(.databases))) { "Databases" }
      }
    }
  }

  private func progress(_ percent: Int, _ text: String) -> Html {
    tag(
      "section", .label("Progress"),
      Attribute("data-progress", Address(.databasesImport, .json).text)
    ) {
      tag("progress", Attribute("max", "100"), .value("\(percent)"), .label("Progress"))
      tag("p") { text }
    }
  }
}
