import STOLAnswers
import STOLData
import STOLFavorites
import STOLPack

extension Pages {
  /// The favourites, in the order asked for.
  func favorites(_ visit: Visit) async throws -> Reply {
    let order = order(visit)
    let list = try await favoriteList(visit, order)
    if visit.address.form == .json {
      return .json { json in
        json.objects("favorites", list.items) { json, item in
          json.number("id", item.id)
          json.text("scientificName", item.taxon?.scientificName)
          json.text("commonName", item.commonName)
          json.text("rank", item.taxon?.rank.rawValue)
          json.text("conservationStatus", item.taxon?.conservationStatus)
        }
      }
    }
    return favoritesPage(visit, list, order)
  }

  /// The names of all favourites as a text, without ids and times.
  func favoritesExport(_ visit: Visit) async throws -> Reply {
    let list = try await favoriteList(visit, .recent)
    return .download(list.exportText, as: "favourites.txt")
  }

  /// Adds, removes or toggles; a script gets JSON, a form is sent back to where it was.
  func changeFavorites(_ visit: Visit, _ form: Fields) async throws -> Reply {
    let ids = form.all("taxon").compactMap { TaxonID(decimal: $0) }
    guard !ids.isEmpty || form["action"] == "remove" else {
      return problem(visit, 400, "No taxon was chosen", "the field \"taxon\" needs an id")
    }
    for id in ids {
      switch form["action"] {
      case "add":
        _ = try snapshot.pack.currentID(of: id)
        try await services.favorites.addFavorite(taxonID: id)
      case "remove": try await services.favorites.removeFavorite(taxonID: id)
      default:
        return problem(visit, 400, "Unknown action", "one of: add, remove")
      }
    }
    if visit.address.form == .json {
      return .json { json in
        json.bool("isFavorite", ids.first.map(services.favorites.isFavorite) ?? false)
        json.number("count", services.favorites.favoritesCount())
      }
    }
    return .seeOther(form["return"].flatMap(Address.init(returning:)) ?? Address(.favorites))
  }

  /// Asks whether all favourites shall go.
  func favoritesClear(_ visit: Visit) -> Reply {
    let count = services.favorites.favoritesCount()
    return confirmation(
      visit, in: .favorites, "Remove all favourites?",
      "\(Words.count(count, "favourite", "favourites").capitalisedFirst) will be gone for good.",
      "Remove all", back: .favorites)
  }

  func clearFavorites(_ visit: Visit) async throws -> Reply {
    try await services.favorites.clearAllFavorites()
    return .seeOther(Address(.favorites))
  }

  func favoriteList(_ visit: Visit, _ order: FavoriteList.Order) async throws -> FavoriteList {
    FavoriteList(
      try await services.favorites.allFavorites(), in: snapshot.pack, language: visit.language,
      order: order)
  }

  private func order(_ visit: Visit) -> FavoriteList.Order {
    switch visit.query["sort"] {
    case "scientific": .scientificName
    case "common": .commonName
    default: .recent
    }
  }

  /// A question before something is deleted; without a script and with one the same.
  func confirmation(
    _ visit: Visit, in section: Section, _ title: String, _ text: String, _ button: String,
    back: Route
  ) -> Reply {
    let layout = layout(visit)
    return layout.page(title, in: section) {
      tag("h1") { title }
      tag("p", .class("lead")) { text }
      tag("div", .class("actions")) {
        layout.action(visit.route, button, class: "button danger")
        tag("a", .class("button"), .href(Address(back))) { "Keep" }
      }
    }
  }

  // MARK: - Page

  private func favoritesPage(
    _ visit: Visit, _ list: FavoriteList, _ order: FavoriteList.Order
  ) -> Reply {
    let layout = layout(visit)
    return layout.page("Favourites", in: .favorites) {
      tag("h1") { "Favourites" }
      if list.items.isEmpty {
        tag("div", .class("empty")) {
          void(
            "img", Attribute("src", Address(.asset("icon.svg")).text), Attribute("alt", ""),
            Attribute("width", "120"), Attribute("height", "120"))
          tag("p", .class("lead")) { "Touch the heart of any species to save it here." }
          tag("p") { tag("a", .class("button main"), .href(Address(.search))) { "Find a species" } }
        }
      } else {
        tag("div", .class("actions")) {
          tag("a", .class("button"), .href(Address(.favoritesTree))) { "On the tree" }
          tag("a", .class("button"), .href(Address(.favoritesExport))) { "Export names" }
          tag("a", .class("button danger"), .href(Address(.favoritesClear))) { "Remove all…" }
        }
        sorting(order)
        items(list, layout)
      }
    }
  }

  private func sorting(_ order: FavoriteList.Order) -> Html {
    let choices: [(FavoriteList.Order, String, String?)] = [
      (.recent, "Added last", nil), (.scientificName, "Scientific name", "scientific"),
      (.commonName, "Common name", "common"),
    ]
    return Layout.chips(
      "Sorted by",
      choices.map { choice, title, value in
        (title, Address(.favorites, .page, ["sort": value]), choice == order)
      })
  }

  private func items(_ list: FavoriteList, _ layout: Layout) -> Html {
    layout.action(
      .favorites, "Remove chosen", class: "button",
      ["action": "remove", "return": layout.visit.address.text]
    ) {
      itemList(class: "cards favorites", item: "card", of: list.items) { item in
        tag("label", .class("choose")) {
          void(
            "input", .type("checkbox"), .name("taxon"), .value("\(item.id.rawValue)"),
            .label("Choose \(item.commonName ?? item.taxon?.scientificName ?? "this one")"))
        }
        if let taxon = item.taxon {
          void(
            "img", .class("thumb"), Attribute("src", Address(.drawing(taxon.id), .svg).text),
            Attribute("alt", ""), Attribute("width", "48"), Attribute("height", "48"),
            Attribute("loading", "lazy"))
          tag("div", .class("what")) {
            tag("a", .class("taxon"), .href(Address(.taxon(taxon.id)))) {
              item.commonName.map { Layout.common($0) }
              Layout.scientific(taxon)
            }
            " "
            Layout.rank(taxon)
            Layout.conservation(taxon.conservationStatus)
          }
        } else {
          tag("span") { "Not in this database (id \(item.id.rawValue))" }
        }
      }
      tag("p", .class("note")) { Words.count(list.items.count, "favourite", "favourites") + "." }
    }
  }
}

extension Address {
  /// Where a form says that it came from: a path of this server, and nothing else.
  init?(returning text: String) {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let query = Fields(parsing: parts.dropFirst().first ?? ""),
      let address = Address(path: String(parts[0]), query: query)
    else { return nil }
    self = address
  }
}
