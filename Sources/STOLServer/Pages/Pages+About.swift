import STOLAnswers
import STOLData
import STOLFavorites
import STOLMedia
import STOLPack

extension Pages {
  /// The first page: a search field, the main branches, and what else there is.
  func home(_ visit: Visit) async -> Reply {
    let config = DatabaseConfig(of: snapshot)
    if visit.address.form == .json {
      return .json { json in
        json.number("taxa", config.taxaCount)
        json.number("favorites", services.favorites.favoritesCount())
        json.text("openapi", Address(.openAPI).text)
      }
    }
    let offers = services.offers.offers(of: snapshot.pack)
    let doors = pictured(cards(offers.doors, visit), visit)
    let examples = cards(offers.examples, visit)
    let others = config.taxaCount - offers.speciesCount
    let layout = layout(visit)
    return layout.page(Words[.homeTitle]) {
      tag("section", .class("hero")) {
        tag("h1") { Words[.homeHeading] }
        tag("p", .class("lead")) {
          Words[
            .homeLead,
            [
              "species": Words[.species, count: offers.speciesCount],
              "branches": Words[.otherBranches, count: others],
            ]]
        }
        layout.searchForm(Words[.homeSearch])
      }
      if !doors.isEmpty {
        section(Words[.homeDoors]) {
          itemList(class: "doors", of: doors) { card in
            tag("a", .class("door"), .href(Address(.tree(card.address)))) {
              void(
                "img",
                Attribute("src", (card.thumbnail ?? Address(.drawing(card.address), .svg)).text),
                Attribute("alt", ""), Attribute("width", "96"), Attribute("height", "96"))
              tag("span", .class("names")) { Layout.names(card) }
            }
          }
        }
      }
      section(Words[.homeMore]) {
        Layout.menu([
          (Words[.menuTree], .tree(nil), Words[.menuTreeText]),
          (
            Words[.menuPicture], .icicle(nil),
            Words[offers.speciesCount > 0 ? .menuPictureBySpecies : .menuPictureByTips]
          ),
          (
            Words[.sectionCompare], .compare,
            examples.count < 2
              ? Words[.menuCompare]
              : Words[
                .menuCompareTwo, ["first": examples[0].title, "second": examples[1].title]]
          ),
          (Words[.menuMatch], .match, Words[.menuMatchText]),
          (Words[.sectionFavorites], .favorites, Words[.menuFavoritesText]),
        ])
      }
    }
  }

  /// What happens to what a visitor does, in plain words.
  func privacy(_ visit: Visit) async -> Reply {
    if visit.address.form == .json {
      return .json { json in
        json.bool("collectsData", false)
        json.bool("usesNetwork", false)
        json.texts("keeps", ["favorites", "database", "images", "keys", "diagnostics"])
      }
    }
    let directory = services.directory.path
    let parts: [(Message, [String])] = [
      (.privacyStays, [Words[.privacyOwn], Words[.privacyInternet], Words[.privacyNobody]]),
      (
        .privacyKept,
        [
          Words[.privacyFavorites], Words[.privacyChoices], Words[.privacyDatabases],
          Words[.privacyLog], Words[.privacyFolder, ["folder": directory]],
        ]
      ),
      (.privacyAbsent, [Words[.privacyNoAccount], Words[.privacyNoUpdate]]),
      (.privacyOthers, [Words[.privacySites], Words[.privacyPrograms]]),
    ]
    return layout(visit).settingsPage(Words[.privacy]) {
      tag("p", .class("lead")) { Words[.privacyLead] }
      for (title, sentences) in parts {
        section(Words[title]) {
          tag("ul") { for sentence in sentences { tag("li") { sentence } } }
        }
      }
      tag("p", .class("actions")) {
        tag("a", .class("button"), .href(Address(.storage))) { Words[.seeAndDelete] }
      }
    }
  }

  /// Where names and pictures come from, and under which licences.
  func sources(_ visit: Visit) async -> Reply {
    let rows: [(title: Message, key: String, value: String)] = withView(visit) { view, _ in
      [
        (Message.datasetName, "name"), (.datasetRelease, "release"), (.datasetLicence, "licence"),
        (.datasetSource, "source"), (.datasetCitation, "citation"),
      ].compactMap { title, key in view.dataset[key].map { (title, key, $0) } }
    }
    let sources = withView(visit) { view, _ in view.sources }
    let packs = await services.media.availableMediaPacks()
    if visit.address.form == .json {
      return .json { json in
        json.object("dataset") { json in
          for (_, key, value) in rows { json.text(Self.member(key), value) }
        }
        json.objects("mediaPacks", packs) { json, pack in
          json.text("title", pack.title)
          json.text("licence", pack.licence)
        }
        json.array("sources") { json in
          for source in sources { Schema.write(nil, source, to: &json) }
        }
      }
    }
    let config = DatabaseConfig(of: snapshot)
    return layout(visit).settingsPage(Words[.licencesTitle]) {
      section(Words[.namesAndTree]) {
        if case .bundled = config.source {
          tag("p") {
            Words[.builtInSources]
          }
        }
        if rows.isEmpty {
          tag("p") { Words[.saysNoMore] }
        } else {
          tag("dl", .class("names")) {
            for (title, _, value) in rows {
              tag("dt") { Words[title] }
              tag("dd") { tag("bdi") { value } }
            }
          }
        }
        if !sources.isEmpty {
          tag("h3") { Words[.madeFrom] }
          itemList(of: sources) { source in tag("bdi") { source.statement } }
        }
      }
      section(Words[.partImages]) {
        tag("p") { Words[.drawingsAndPhotos] }
        if !packs.isEmpty {
          itemList(of: packs) { pack in
            Layout.name(pack.title.isEmpty ? pack.id.text : pack.title)
            ": "
            pack.licence ?? Words[.ownLicence]
          }
        }
      }
      section(Words[.programTitle]) {
        tag("p") { Words[.programLicence, ["version": services.version]] }
      }
    }
  }

  /// The member of the twin for a key of the dataset.
  private static func member(_ key: String) -> String { key == "name" ? "dataset" : key }

  /// What programs can ask.
  func api(_ visit: Visit) -> Reply {
    let examples = examples(visit)
    // As many as the examples need, whatever there is.
    let names = examples.map(\.taxon.scientificName) + ["Name"]
    let known = examples.map(\.address.text) + ["first", "second"]
    return layout(visit).page("For programs") {
      Layout.settingsCrumb
      tag("h1") { "For programs" }
      tag("p", .class("lead")) {
        "Every page has a twin in JSON: put "
        tag("code") { ".json" }
        " before the question mark; "
        tag("code") { Address(.matchNames).path }
        " matches names. Every picture has one in "
        tag("code") { ".svg" }
        "."
      }
      tag("p") {
        "The description for tools: "
        tag("a", .href(Address(.openAPI))) { "openapi.json" }
        ". The version of the interface is \(API.version); within it, members are only added."
      }
      itemList(of: [
        (Address(.search, .json, ["q": names[0]]), "search by any name, misspelt ones too"),
        (Address(.completions, .json, ["q": String(names[0].prefix(3))]), "completions"),
        (Address(.tree(nil), .json), "the roots of the tree"),
        (
          Address(.compare, .json, ["taxon": known[0], "taxon": known[1]]), "compare two or more"
        ),
        (Address(.matchNames, .page, ["name": names[0]]), "match a name"),
        (
          Address(.ancestor, .page, ["taxon": known[0], "taxon": known[1]]), "where lineages meet"
        ),
        (
          Address(.subtree, .page, ["taxon": known[0], "format": "newick"]),
          "a tree for other programs"
        ),
        (Address(.favorites, .json), "favourites"),
        (Address(.databases, .json), "databases"),
      ]) { address, text in
        tag("a", .href(address)) { tag("code") { address.text } }
        ": \(text)"
      }
    }
  }
}
