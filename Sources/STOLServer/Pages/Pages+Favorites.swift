import STOLAnswers
import STOLData
import STOLFavorites
import STOLPack

extension Pages {
  /// The favourites, in the order asked for.
  func favorites(_ visit: Visit) async throws -> Reply {
    let order = order(visit)
    let list = try await favoriteList(visit, order)
    if visit.address.form.isTable {
      let cards = withView(visit) { view, _ in
        view.counted(self.cards(list.items.compactMap(\.taxon?.id), visit), sources.counts)
      }
      return SavedTable.taxa(cards, visit.address.form, as: "favourites")
    }
    if visit.address.form == .json {
      return .json { json in
        json.objects("favorites", list.items) { json, item in
          json.id("id", item.sourceID, isJSONNumber: item.hasJSONNumberID)
          json.text("scientificName", item.taxon?.scientificName)
          json.text("commonName", item.commonName)
          json.text("rank", item.taxon?.rank.rawValue)
          json.text("conservationStatus", item.taxon?.conservationStatus)
          json.text("outcome", item.outcome)
          json.text("reference", item.entry.reference.written)
          let name = item.entry.reference.name
          json.text("addedName", name.isEmpty ? nil : name)
          json.texts("others", item.others.map(\.reference.written))
        }
      }
    }
    return favoritesPage(visit, list, order, try await favoritesFate())
  }

  /// The names of all favourites as a text, without ids and times.
  func favoritesExport(_ visit: Visit) async throws -> Reply {
    let list = try await favoriteList(visit, .recent)
    return .download(list.exportText, as: "favourites.txt")
  }

  /// Adds or removes; a script gets JSON, a form is sent back to where it was.
  ///
  /// A field "taxon" is an address, which is refused where another database has become active since its page was
  /// shown; a number alone is of the active one. A field "reference" is what this database does not have.
  func changeFavorites(_ visit: Visit, _ form: Fields) async throws -> Reply {
    if form["action"] == "restore" { return try await restoreFavorites() }
    let isRemoval = form["action"] == "remove"
    guard isRemoval || form["action"] == "add" else {
      return problem(
        visit, 400, Words[.unknownAction], Words[.oneOf, ["choices": "add, remove, restore"]])
    }
    var ids: [TaxonID] = []
    var references = form.all("reference").compactMap(Self.reference)
    for text in form.all("taxon") {
      guard let address = TaxonAddress(segment: text) else { continue }
      switch located(address) {
      case .here(let id): ids.append(id)
      case .several: return ofSeveralTaxa(visit, address)
      case .otherDatabase(let idSpace): return ofAnotherDatabase(visit, 409, address, idSpace)
      case .gone where isRemoval && address.idSpace != nil:
        references.append(TaxonReference(idSpace: snapshot.pack.view.idSpace, id: address.id))
      case .gone, .elsewhere: ids.append(TaxonID(sourceText: address.id))
      }
    }
    guard !ids.isEmpty || isRemoval && !references.isEmpty else {
      return problem(
        visit, 400, Words[.noTaxonChosen], Words[.noTaxonChosenText])
    }
    for id in ids {
      if isRemoval {
        try await services.favorites.removeFavorite(taxonID: id)
      } else {
        _ = try snapshot.pack.currentID(of: id)
        try await services.favorites.addFavorite(taxonID: id)
      }
    }
    if isRemoval {
      for reference in references { try await services.favorites.removeFavorite(reference) }
    }
    if visit.address.form == .json {
      return .json { json in
        json.bool("isFavorite", ids.first.map(services.favorites.isFavorite) ?? false)
        json.number("count", services.favorites.favoritesCount())
      }
    }
    let back = form["return"].flatMap(Address.init(returning:)) ?? Address(.favorites)
    return .seeOther(isRemoval ? naming(ids, in: back) : back)
  }

  /// Asks whether all favourites shall go.
  func favoritesClear(_ visit: Visit) -> Reply {
    let count = services.favorites.favoritesCount()
    return confirmation(
      visit, in: .favorites, Words[.clearTitle],
      Words[.clearText, ["favorites": Words[.favorites, count: count].capitalisedFirst]],
      Words[.clearButton], back: .favorites)
  }

  func clearFavorites(_ visit: Visit) async throws -> Reply {
    // Those added last come first.
    let entries = try await services.favorites.allFavorites().reversed()
    services.cleared.keep(entries.map(\.reference))
    try await services.favorites.clearAllFavorites()
    return .seeOther(Address(.favorites, .page, [Self.clearedField: "all"]))
  }

  func favoriteList(_ visit: Visit, _ order: FavoriteList.Order) async throws -> FavoriteList {
    FavoriteList(
      try await services.favorites.allFavorites(), in: snapshot.pack, language: visit.language,
      order: order)
  }

  /// What became of the favourites in the active database; nil where all are what they were.
  func favoritesFate() async throws -> String? {
    let references = try await services.favorites.allFavorites().map(\.reference)
    return FavoritesFate.words(snapshot.pack.view.resolve(references).map(\.word))
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
    back: Route, _ fields: [String: String] = [:]
  ) -> Reply {
    let layout = layout(visit)
    return layout.page(title, in: section) {
      tag("h1") { title }
      tag("p", .class("lead")) { text }
      tag("div", .class("actions")) {
        layout.action(visit.route, button, class: "button danger", fields)
        tag("a", .class("button"), .href(Address(back))) { Words[.keepButton] }
      }
    }
  }

  // MARK: - Page

  private func favoritesPage(
    _ visit: Visit, _ list: FavoriteList, _ order: FavoriteList.Order, _ fate: String?
  ) -> Reply {
    let layout = layout(visit)
    return layout.page(Words[.sectionFavorites], in: .favorites) {
      tag("h1") { Words[.sectionFavorites] }
      undo(layout)
      undoClearing(layout)
      if list.items.isEmpty {
        tag("div", .class("empty")) {
          void(
            "img", Attribute("src", Address(.asset("icon.svg")).text), Attribute("alt", ""),
            Attribute("width", "120"), Attribute("height", "120"))
          tag("p", .class("lead")) { Words[.favoritesHint] }
          tag("p") {
            tag("a", .class("button main"), .href(Address(.search))) { Words[.findSpecies] }
          }
        }
      } else {
        tag("div", .class("actions")) {
          tag("a", .class("button"), .href(Address(.favoritesTree))) { Words[.onTheTree] }
          tag("a", .class("button"), .href(Address(.favoritesExport))) { Words[.exportNames] }
          tag("a", .class("button danger"), .href(Address(.favoritesClear))) { Words[.clearAsk] }
        }
        if let fate { tag("p", .class("note")) { fate } }
        sorting(order)
        items(list, layout)
        Layout.downloads(Layout.tables(.favorites, visit.query, as: "favourites"))
      }
    }
  }

  private func sorting(_ order: FavoriteList.Order) -> Html {
    let choices: [(FavoriteList.Order, String, String?)] = [
      (.recent, Words[.addedLast], nil), (.scientificName, Words[.scientificName], "scientific"),
      (.commonName, Words[.commonName], "common"),
    ]
    return Layout.chips(
      Words[.sortedBy],
      choices.map { choice, title, value in
        (title, Address(.favorites, .page, ["sort": value]), choice == order)
      })
  }

  /// A reference with its name, of which one id may have had several.
  private static func text(of reference: TaxonReference) -> String {
    reference.name.isEmpty ? reference.written : "\(reference.written)\t\(reference.name)"
  }

  /// The reference that a form means; its name stands behind a tab where it is told.
  private static func reference(_ text: String) -> TaxonReference? {
    let parts = text.split(separator: "\t", maxSplits: 1).map(String.init)
    var reference = parts.first.flatMap(TaxonReference.init(written:))
    if parts.count > 1 { reference?.name = parts[1] }
    return reference
  }

  private func address(of taxon: Taxon) -> TaxonAddress {
    TaxonAddress(
      idSpace: snapshot.pack.view.addressSpace, sourceID: taxon.sourceID, id: taxon.id)
  }

  private func items(_ list: FavoriteList, _ layout: Layout) -> Html {
    let cards = pictured(self.cards(list.items.compactMap(\.taxon?.id), layout.visit), layout.visit)
    let shares = CladeShare.amongThemselves(cards.map { $0.facts ?? CladeFacts() })
    let shown = Dictionary(zip(cards.map(\.id), zip(cards, shares))) { first, _ in first }
    return layout.action(
      .favorites, Words[.removeChosen], class: "button",
      ["action": "remove", "return": layout.visit.address.text]
    ) {
      itemList(class: "cards favorites", item: "card", of: list.items) { item in
        tag("label", .class("choose")) {
          void(
            "input", .type("checkbox"), .name(item.taxon == nil ? "reference" : "taxon"),
            .value(item.taxon.map { address(of: $0).text } ?? Self.text(of: item.entry.reference)),
            .label(
              Words[
                .choose,
                ["taxon": item.commonName ?? item.taxon?.scientificName ?? item.title]]))
        }
        if let taxon = item.taxon {
          shown[taxon.id].flatMap { Layout.thumbnail($0.0) }
          tag("div", .class("what")) {
            tag("a", .class("taxon"), .href(Address(.taxon(address(of: taxon))))) {
              item.commonName.map { Layout.common($0) }
              Layout.scientific(taxon)
            }
            " "
            Layout.rank(taxon)
            Layout.conservation(taxon.conservationStatus)
            shown[taxon.id].flatMap { $0.1.html(of: taxon) }
            item.note.map { note in tag("p", .class("note")) { note } }
            item.noteOnOthers.map { note in tag("p", .class("note")) { note } }
          }
        } else {
          tag("div", .class("what")) {
            tag("span", .class("taxon")) { item.title }
            item.note.map { note in tag("p", .class("note")) { note } }
          }
        }
      }
      CladeShare.legend(shares, of: cards.map(\.taxon))
      tag("p", .class("note")) {
        Words[.favoritesTotal, ["favorites": Words[.favorites, count: list.items.count]]]
      }
    }
  }
}

extension FavoriteList.Item {
  /// What it was called when it was added, else its reference.
  fileprivate var title: String {
    entry.reference.name.isEmpty ? entry.reference.written : entry.reference.name
  }

  /// Which other favourites lead to the taxon, in words; nil where there are none.
  fileprivate var noteOnOthers: String? {
    guard !others.isEmpty else { return nil }
    let names = others.map { "\($0.reference.name) (\($0.reference.written))" }
    return Words[.alsoAddedAs, ["names": names.joined(separator: Words.comma)]]
  }

  /// How it was found in the active database, in words; nil where there is nothing to say.
  fileprivate var note: String? {
    let (name, place) = (title, entry.reference.written)
    return switch outcome {
    case "same": isRenamed ? Words[.addedAs, ["name": name]] : nil
    case "merged": Words[.addedAsMerged, ["name": name, "place": place]]
    case "by name": Words[.addedByName, ["place": place]]
    case "by synonym": Words[.addedBySynonym, ["name": name, "place": place]]
    case "deleted": Words[.withdrawn, ["place": place]]
    case "ambiguous": Words[.maybeSeveral, ["place": place]]
    default: Words[.notInDatabase, ["place": place]]
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
