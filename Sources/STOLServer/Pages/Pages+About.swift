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
    let measure = offers.speciesCount > 0 ? Icicle.Cell.Measure.species : .tips
    let layout = layout(visit)
    return layout.page("Look at the tree of life") {
      tag("section", .class("hero")) {
        tag("h1") { "Everything alive is one family" }
        tag("p", .class("lead")) {
          "Look at \(Words.count(offers.speciesCount, "species", "species")) and "
          "\(Words.count(others, "other branch", "other branches")) of the tree of life."
        }
        layout.searchForm("Whom do you want to meet?")
      }
      if !doors.isEmpty {
        section("Begin with one of these") {
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
      section("More to see") {
        Layout.menu([
          ("The tree", .tree(nil), "Walk from the roots to any leaf."),
          (
            "The whole picture", .icicle(nil), "The whole tree at once, sized by \(measure.words)."
          ),
          (
            "Compare", .compare,
            examples.count < 2
              ? "How are two of them related?"
              : "How are these related: \(examples[0].title) and \(examples[1].title)?"
          ),
          ("Match names", .match, "Which taxa do the names of your list mean?"),
          ("Favourites", .favorites, "What you like, on this computer only."),
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
    return layout(visit).settingsPage("Privacy") {
      tag("p", .class("lead")) { "We collect no data." }
      for (title, sentences) in [
        (
          "What you do here stays here",
          [
            "This page comes from your own computer.", "It asks nothing of the internet.",
            "Nobody learns what you search, look at or like.",
          ]
        ),
        (
          "What is kept, and where",
          [
            "Your favourites: which species, what they were called, and when you chose them. Nothing else.",
            "The databases and pictures that you import.",
            "A log, only if you turn it on. It holds no names and nothing about you.",
            "All of it lies in one folder of this computer: \(directory)",
          ]
        ),
        (
          "What is not there",
          [
            "No account, no name, no advertising, no cookies, no tracking.",
            "No update check, no statistics.",
          ]
        ),
        (
          "Who else could look",
          [
            "Other sites in your browser cannot: this server refuses them.",
            "Other programs on this computer can ask it while it runs. It ends when stol serve ends.",
          ]
        ),
      ] {
        section(title) {
          tag("ul") { for sentence in sentences { tag("li") { sentence } } }
        }
      }
      tag("p", .class("actions")) {
        tag("a", .class("button"), .href(Address(.storage))) { "See and delete what is kept" }
      }
    }
  }

  /// Where names and pictures come from, and under which licences.
  func sources(_ visit: Visit) async -> Reply {
    let rows: [(String, String)] = withView(visit) { view, _ in
      [
        ("Dataset", "name"), ("Release", "release"), ("Licence", "licence"), ("Source", "source"),
        ("Citation", "citation"),
      ].compactMap { title, key in view.dataset[key].map { (title, $0) } }
    }
    let sources = withView(visit) { view, _ in view.sources }
    let packs = await services.media.availableMediaPacks()
    if visit.address.form == .json {
      return .json { json in
        json.object("dataset") { json in
          for (title, value) in rows { json.text(title.lowercased(), value) }
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
    return layout(visit).settingsPage("Licences and sources") {
      section("Names and tree") {
        if case .bundled = config.source {
          tag("p") {
            "The built-in database is made from the sources below, each under its own licence."
          }
        }
        if rows.isEmpty {
          tag("p") { "The database does not say more about itself." }
        } else {
          tag("dl", .class("names")) {
            for (title, value) in rows {
              tag("dt") { title }
              tag("dd") { value }
            }
          }
        }
        if !sources.isEmpty {
          tag("h3") { "Made from" }
          itemList(of: sources) { Html($0.statement) }
        }
      }
      section("Images") {
        tag("p") { "Drawings are part of stol. Photographs name their author below each." }
        if !packs.isEmpty {
          itemList(of: packs) { pack in
            Layout.name(pack.title.isEmpty ? pack.id.text : pack.title)
            ": \(pack.licence ?? "each image has a licence of its own")"
          }
        }
      }
      section("Program") {
        tag("p") { "\(services.version). Its code is under the MIT licence." }
      }
    }
  }

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
