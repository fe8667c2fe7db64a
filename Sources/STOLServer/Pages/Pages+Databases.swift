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
    return layout.settingsPage(Words[.settingsDatabases]) {
      tag("p", .class("lead")) {
        Words[
          .databaseAnswers,
          [
            "database": Self.name(config.source),
            "taxa": Words[.taxaCount, count: config.taxaCount],
            "bytes": Words.bytes(config.sizeBytes),
          ]]
      }
      if let fate {
        tag("p", .class("note")) {
          "\(fate) "
          tag("a", .href(Address(.favorites))) { Words[.seeFavorites] }
        }
      }
      if services.installation == nil {
        tag("p") {
          Html(.startedForPack, ["option": tag("code", Attribute("dir", "ltr")) { "--pack" }])
        }
      } else {
        reference(installed, forecast, layout)
        importing(state, layout)
      }
    }
  }

  /// What names of databases to import end with.
  static let databaseEnding = ".stol"

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
    // The engine's sentences are English.
    tag("div", .lang("en"), Attribute("dir", "ltr")) {
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
    section(Words[.partReference]) {
      if let installed {
        tag("p") {
          let name = installed.title.capitalisedFirst
          let made = installed.buildTime.map {
            Words[.madeOn, ["name": name, "day": String($0.prefix(10))]]
          }
          made ?? Words[.installedReference, ["name": name]]
          " "
          Words[installed.isActive ? .itAnswers : .itIsKept]
        }
        tag("div", .class("actions")) {
          if installed.isActive {
            layout.action(
              .databases, Words[.switchToBuiltIn], ["action": "deactivate"])
          } else {
            layout.action(
              .databases, Words[.switchTo, ["name": installed.title]], class: "button main",
              ["action": "activate"])
          }
          tag("a", .class("button danger"), .href(Address(.databasesDelete))) { Words[.deleteAsk] }
        }
        if let forecast { Self.words(forecast) }
      } else {
        tag("p") { Words[.noneInstalled] }
      }
    }
  }

  private func importing(_ state: Imports.State, _ layout: Layout) -> Html {
    tag("section", .id("import"), Attribute("data-import", Address(.databasesImport).text)) {
      tag("h2") { Words[.importDatabase] }
      if state.isBusy {
        tag("p") {
          Words[.importRuns]
          " "
          tag("a", .href(Address(.databasesImport))) { Words[.seeHowFar] }
        }
      } else {
        if state == .waiting {
          tag("p") {
            Words[.databaseWaits]
            " "
            tag("a", .href(Address(.databasesImport))) { Words[.seeChanges] }
          }
        } else if case .untrusted = state {
          tag("p") {
            Words[.fileWaits]
            " "
            tag("a", .href(Address(.databasesImport))) { Words[.decide] }
          }
        }
        tag("p") {
          Html(.importHint, ["ending": Self.code(Self.databaseEnding)])
        }
        layout.action(
          .databasesImport, Words[.importButton], class: "button main", hasFile: true
        ) {
          tag("label", .class("choose")) {
            void("input", .type("checkbox"), .name("downgrade"), .value("yes"))
            " " + Words[.takeOlder]
          }
          tag("label", .class("choose")) {
            void("input", .type("checkbox"), .name("replace"), .value("yes"))
            " " + Words[.takeOther]
          }
          // The file comes last: what is to be done with it is known by then.
          tag("div", .class("field"), .id("path-field")) {
            tag("label", .for("path")) { Words[.filePath] }
            void(
              "input", .type("text"), .id("path"), .name("path"),
              Attribute("autocomplete", "off"), Attribute("spellcheck", "false"),
              Attribute("placeholder", "/home/me/Downloads/mammals.stol"))
          }
          Self.fileField(Self.databaseEnding)
        }
      }
      trust
    }
  }

  /// Whose signatures are accepted, and where to decide that.
  private var trust: Html {
    let keys = (try? Keyring(folder: services.directory.keys))?.trustedKeys ?? []
    return tag("p") {
      keys.isEmpty
        ? Words[.noKey] : Words[.whomYouTrust, ["keys": Words[.keys, count: keys.count]]] + "."
      " "
      tag("a", .href(Address(.keys))) { Words[.partKeys] }
    }
  }

  // MARK: - Changes

  func changeDatabase(_ visit: Visit, _ form: Fields) async throws -> Reply {
    guard let installation = services.installation else {
      return problem(visit, 409, Words[.cannotSwitch], Words[.startedForOnePack])
    }
    switch form["action"] {
    case "activate": try await installation.activateReferenceDB()
    case "deactivate": try await installation.deactivateReferenceDB(delete: false)
    default:
      return problem(
        visit, 400, Words[.unknownAction], Words[.oneOf, ["choices": "activate, deactivate"]])
    }
    try await services.favorites.reload()
    return .seeOther(Address(.databases))
  }

  func databasesDelete(_ visit: Visit) async -> Reply {
    let installed = try? ReferenceStore(in: services.directory).installed()
    guard services.installation != nil, let installed else { return .seeOther(Address(.databases)) }
    return confirmation(
      visit, in: .settings, Words[.deleteReferenceTitle],
      Words[.deleteReferenceText, ["name": installed.title.capitalisedFirst]], Words[.delete],
      back: .databases)
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
      case "retry": await imports.retry()
      default:
        return problem(
          visit, 400, Words[.unknownAction], Words[.oneOf, ["choices": "install, cancel, retry"]])
      }
      return .seeOther(Address(.databasesImport))
    }
    guard services.installation != nil else {
      return problem(visit, 409, Words[.cannotImport], Words[.startedForOnePack])
    }
    guard let path = form["path"] else {
      return problem(visit, 400, Words[.noFileNamed], Words[.sayWhere])
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
    return layout.page(Words[.importButton], in: .settings, refreshingAfter: state.isBusy ? 1 : nil)
    {
      Layout.settingsCrumb
      switch state {
      case .none:
        tag("h1") { Words[.noImport] }
      case .receiving(let byteCount):
        tag("h1") { Words[.importing] }
        Self.progress(
          0, Words[.haveArrived, ["bytes": Words.bytes(byteCount)]], of: .databasesImport)
      case .running(let stage, let fraction):
        tag("h1") { Words[.importing] }
        Self.progress(Int(fraction * 100), stage: stage, of: .databasesImport)
        layout.action(.databasesImport, Words[.cancel], ["action": "cancel"])
      case .waiting:
        tag("h1") { Words[.importThis] }
        tag("p", .class("lead")) { Words[.canBeInstalled] }
        if let forecast { Self.words(forecast) }
        layout.action(
          .databasesImport, Words[.installIt], class: "button main", ["action": "install"])
        layout.action(.databasesImport, Words[.cancel], ["action": "cancel"])
      case .untrusted(let signer):
        decision(signer, from: .databasesImport, layout)
      case .done(let title):
        tag("h1") { Words[.isInstalled] }
        tag("p", .class("lead")) { Words[.answersNow, ["name": title.capitalisedFirst]] }
      case .failed(let refusal):
        tag("h1") { Words[.notImported] }
        refusal.html(ending: Self.databaseEnding)
      }
      tag("p") {
        tag("a", .class("button"), .href(Address(.databases))) { Words[.settingsDatabases] }
      }
    }
  }

  /// A bar of what is done in a stage.
  static func progress(_ percent: Int, stage: String, of route: Route) -> Html {
    progress(
      percent,
      Words[
        .progressStage,
        ["percent": Words[.percent, ["number": "\(percent)"]], "stage": stage]], of: route)
  }

  static func progress(_ percent: Int, _ text: String, of route: Route) -> Html {
    tag(
      "section", .label(Words[.progressLabel]),
      Attribute("data-progress", Address(route, .json).text)
    ) {
      tag("progress", Attribute("max", "100"), .value("\(percent)"), .label(Words[.progressLabel]))
      tag("p") { text }
    }
  }
}
