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
        Words[.settingsDatabases], .databases,
        Words[
          .settingsDatabasesText,
          [
            "database": Self.name(config.source),
            "taxa": Words[.taxaCount, count: config.taxaCount],
          ]]
      ),
      (Words[.packsOfImages], .media, Words[.settingsMediaText]),
      (Words[.partKeys], .keys, Words[.settingsKeysText]),
      (Words[.settingsStorage], .storage, Words[.settingsStorageText]),
      (
        Words[.sectionFavorites], .favorites,
        Words[
          .settingsFavoritesText,
          ["favorites": Words[.favorites, count: services.favorites.favoritesCount()]]]
      ),
      (Words[.sectionJournal], .journal(.lock), Words[.settingsJournalText]),
      (Words[.privacy], .privacy, Words[.settingsPrivacyText]),
      (Words[.licencesTitle], .sources, Words[.licencesText]),
      (Words[.diagnosticsTitle], .diagnostics, Words[.diagnosticsText]),
      (Words[.forPrograms], .api, Words[.programsText]),
    ]
    let layout = layout(visit)
    return layout.page(Words[.sectionSettings], in: .settings) {
      tag("h1") { Words[.sectionSettings] }
      look(layout)
      Layout.menu(entries)
      tag("p", .class("note")) { services.version }
    }
  }

  static func name(_ source: DatabaseSource) -> String {
    switch source {
    case .bundled: Words[.databaseBuiltIn]
    case .reference(let reference): Words[.databaseReference, ["name": reference.title]]
    case .file: Words[.databasePack]
    }
  }

  // MARK: - Language and theme

  /// What the form of the settings says where the browser has the word.
  private static let automatic = "auto"

  /// The form of language and theme.
  private func look(_ layout: Layout) -> Html {
    let choices = services.choices.current
    return section(Words[.lookTitle], class: "look", id: "look") {
      layout.action(.settings, Words[.apply], class: "button main") {
        tag("div", .class("fields")) {
          Layout.select(
            "language", Words[.languageTitle], choices.language?.rawValue ?? Self.automatic,
            [(Self.automatic, Words[.languageAuto], nil)]
              + PageLanguage.allCases.map { ($0.rawValue, $0.ownName, $0.tag) })
          Layout.select(
            "theme", Words[.themeTitle], choices.theme.rawValue,
            [
              (Choices.Theme.system.rawValue, Words[.themeSystem], nil),
              (Choices.Theme.light.rawValue, Words[.themeLight], nil),
              (Choices.Theme.dark.rawValue, Words[.themeDark], nil),
            ])
        }
      }
      tag("p", .class("note")) { Words[.unreviewed] }
      if Words.language != .en {
        tag("p", .class("note"), .lang("en"), Attribute("dir", "ltr")) {
          Words.$language.withValue(.en) { Words[.unreviewed] }
        }
      }
    }
  }

  /// Keeps language and theme, and sends the browser back to where it was.
  func changeSettings(_ visit: Visit, _ form: Fields) throws -> Reply {
    let choices = Choices(form)
    guard form["language"] == Self.automatic || choices.language != nil else {
      let known = [Self.automatic] + PageLanguage.allCases.map(\.rawValue)
      return problem(
        visit, 400, Words[.unknownLanguage],
        Words[.oneOf, ["choices": known.joined(separator: ", ")]])
    }
    guard Choices.Theme(rawValue: form["theme"] ?? "") != nil else {
      let known = Choices.Theme.allCases.map(\.rawValue)
      return problem(
        visit, 400, Words[.unknownTheme],
        Words[.oneOf, ["choices": known.joined(separator: ", ")]])
    }
    try services.choices.keep(choices)
    return .seeOther(form["return"].flatMap(Address.init(returning:)) ?? Address(.settings))
  }

  // MARK: - Storage

  /// What is kept, its bytes, and how to delete it.
  func storage(_ visit: Visit) async -> Reply {
    let parts = LocalStorage(directory: services.directory).parts()
    if visit.address.form == .json {
      let packs = await services.media.availableMediaPacks()
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
    return layout.settingsPage(Words[.settingsStorage]) {
      tag("p", .class("lead")) {
        Html(
          .storageKept,
          [
            "bytes": Html(Words.bytes(parts.reduce(0) { $0 + $1.byteCount })),
            "folder": tag("code", Attribute("dir", "ltr")) { services.directory.path },
          ])
      }
      tag("table", .class("traits")) {
        tag("thead") {
          tag("tr") {
            tag("th", Attribute("scope", "col")) { Words[.what] }
            tag("th", Attribute("scope", "col")) { Words[.sizeTitle] }
            tag("th", Attribute("scope", "col")) { Words[.delete] }
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
    }
  }

  private static func title(_ kind: StoredPart.Kind) -> String {
    switch kind {
    case .bundled: Words[.partBundled]
    case .reference: Words[.partReference]
    case .favorites: Words[.sectionFavorites]
    case .journal: Words[.sectionJournal]
    case .media: Words[.partImages]
    case .keys: Words[.partKeys]
    case .choices: Words[.lookTitle]
    case .diagnostics: Words[.diagnosticsTitle]
    }
  }

  private func deletion(_ part: StoredPart) -> Html {
    let route: Route? =
      switch part.kind {
      case .reference: services.installation == nil ? nil : .databasesDelete
      case .favorites: .favoritesClear
      case .diagnostics: .diagnostics
      case .bundled, .journal, .media, .keys, .choices: nil
      }
    guard part.isDeletable, let route else {
      if part.byteCount == 0 { return Html(Words[.nothingThere]) }
      // Where it is looked after.
      let place: (String, Route)? =
        switch part.kind {
        case .bundled, .reference, .favorites, .diagnostics: nil
        case .media: (Words[.packsOfImages], .media)
        case .keys: (Words[.partKeys], .keys)
        case .journal: (Words[.sectionJournal], .journal(.list))
        case .choices: (Words[.sectionSettings], .settings)
        }
      guard let place else { return Html(Words[.stays]) }
      return tag("a", .href(Address(place.1))) { place.0 }
    }
    return tag("a", .class("button danger"), .href(Address(route))) { Words[.deleteAsk] }
  }

  // MARK: - Diagnostics

  func diagnostics(_ visit: Visit) async -> Reply {
    let file = DiagnosticFile(in: services.directory)
    if visit.address.form == .json {
      return .json { $0.bool("isEnabled", file.isEnabled) }
    }
    let layout = layout(visit)
    let isOn = file.isEnabled
    return layout.settingsPage(Words[.diagnosticsTitle]) {
      tag("p", .class("lead")) {
        Words[isOn ? .logOn : .logOff]
      }
      tag("p") {
        Words[.reportHolds]
      }
      tag("div", .class("actions")) {
        tag("a", .class("button main"), .href(Address(.diagnosticsExport))) { Words[.saveReport] }
        layout.action(
          .diagnostics, Words[isOn ? .turnLogOff : .turnLogOn],
          class: isOn ? "button danger" : "button", ["action": isOn ? "off" : "on"])
        if isOn {
          layout.action(
            .diagnostics, Words[.emptyLog], class: "button danger", ["action": "clear"])
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
    default:
      return problem(
        visit, 400, Words[.unknownAction], Words[.oneOf, ["choices": "on, off, clear"]])
    }
    return .seeOther(Address(.diagnostics))
  }
}
