import STOLPack

/// A part of the explorer that the navigation leads to.
enum Section: CaseIterable, Sendable {
  case tree, search, compare, match, favorites, journal, settings

  /// What it is called.
  var title: String {
    switch self {
    case .tree: Words[.sectionTree]
    case .search: Words[.sectionSearch]
    case .compare: Words[.sectionCompare]
    case .match: Words[.sectionMatch]
    case .favorites: Words[.sectionFavorites]
    case .journal: Words[.sectionJournal]
    case .settings: Words[.sectionSettings]
    }
  }

  var route: Route {
    switch self {
    case .tree: .tree(nil)
    case .search: .search
    case .compare: .compare
    case .match: .match
    case .favorites: .favorites
    case .journal: .journal(.list)
    case .settings: .settings
    }
  }
}

/// What all pages have around their content.
struct Layout: Sendable {
  let visit: Visit
  let token: String
  let favoriteCount: Int
  var theme = Choices.Theme.system

  /// A whole page.
  func page(
    _ title: String, in section: Section? = nil, hasTwin: Bool = true,
    refreshingAfter seconds: Int? = nil, status: Int = 200, @HtmlBuilder content: () -> Html
  ) -> Reply {
    let language = Words.language
    // The journal speaks English alone.
    let isEnglish = section == .journal && language != .en
    let root = tag("html", .lang(language.tag), Self.direction(language)) {
      tag("head") {
        void("meta", Attribute("charset", "utf-8"))
        void(
          "meta", .name("viewport"), Attribute("content", "width=device-width, initial-scale=1"))
        void(
          "meta", .name("color-scheme"),
          Attribute("content", theme == .system ? "light dark" : theme.rawValue))
        if let seconds {
          // Where scripts run, they follow what happens without loading the page again.
          tag("noscript") {
            void("meta", Attribute("http-equiv", "refresh"), Attribute("content", "\(seconds)"))
          }
        }
        tag("title") { "\(title) – \(Words[.siteName])" }
        void("link", Attribute("rel", "icon"), .href(Address(.asset("icon.svg"))))
        // Before the others, which have what people ask for beyond that.
        if theme != .light {
          void(
            "link", Attribute("rel", "stylesheet"), .href(Address(.asset("dark.css"))),
            Attribute("media", theme == .dark ? nil : "(prefers-color-scheme: dark)"))
        }
        for sheet in ["look.css", "pictures.css"] + (section == .journal ? ["journal.css"] : []) {
          void("link", Attribute("rel", "stylesheet"), .href(Address(.asset(sheet))))
        }
        if hasTwin, visit.route.forms.contains(.json) {
          void(
            "link", Attribute("rel", "alternate"), .type("application/json"),
            .href(Address(visit.route, .json, query: visit.query)))
        }
        tag("script", .type("module"), Attribute("src", Address(.asset("main.js")).text))
        void(
          "link", Attribute("rel", "modulepreload"),
          .href(Address(.asset("words-\(language.tag).js"))))
      }
      tag("body") {
        tag("a", .class("skip"), Attribute("href", "#main")) { Words[.skip] }
        header(section, hasField: status == 200 && [.home, .search].contains(visit.route))
        if isEnglish {
          tag(
            "main", .id("main"), Attribute("tabindex", "-1"), .lang("en"), Attribute("dir", "ltr")
          ) {
            Words.$language.withValue(.en) { content() }
          }
        } else {
          tag("main", .id("main"), Attribute("tabindex", "-1"), content: content)
        }
        footer
        tag("p", .id("status"), .class("visually-hidden"), .role("status"))
      }
    }
    return Reply(
      status: status, contentType: "text/html; charset=utf-8", bytes: Html.document(root),
      fields: [("content-language", language.tag)])
  }

  /// Where its lines run, said where that is not from left to right.
  private static func direction(_ language: PageLanguage) -> Attribute {
    Attribute("dir", language.isRightToLeft ? "rtl" : "ltr")
  }

  /// A page below the settings.
  func settingsPage(_ title: String, @HtmlBuilder content: () -> Html) -> Reply {
    page(title, in: .settings) {
      Self.settingsCrumb
      tag("h1") { title }
      content()
    }
  }

  /// The way back to the settings.
  static var settingsCrumb: Html {
    tag("nav", .class("breadcrumb"), .label(Words[.breadcrumb])) {
      tag("ol") { tag("li") { tag("a", .href(Address(.settings))) { Words[.sectionSettings] } } }
    }
  }

  private func header(_ section: Section?, hasField: Bool) -> Html {
    tag("header", .class("site")) {
      tag("a", .class("brand"), .href(Address(.home))) {
        void("img", Attribute("src", Address(.asset("icon.svg")).text), Attribute("alt", ""))
        tag("span") { Words[.siteName] }
      }
      if !hasField { finder }
      tag("nav", .label(Words[.mainNavigation])) {
        itemList(of: Section.allCases) { other in
          tag(
            "a", .href(Address(other.route)),
            Attribute(
              "aria-current",
              other != section ? nil : other.route == visit.route ? "page" : "true")
          ) {
            other.icon.html
            other.title
            if other == .favorites {
              tag("span", .class("count"), .id("favorite-count")) {
                favoriteCount > 0 ? " \(Words.grouped(favoriteCount))" : ""
              }
            }
          }
        }
      }
    }
  }

  /// The search field of every page that has none of its own.
  private var finder: Html {
    tag(
      "form", .class("find"), .role("search"), .label(Words[.find]),
      Attribute("action", Address(.search).text)
    ) {
      tag("label", .class("visually-hidden"), .for("find")) { Words[.findName] }
      tag("div", .class("field")) {
        Self.searchField("find", "", [Attribute("placeholder", Words[.findName]), Self.keys])
        tag("button", .type("submit"), .class("button"), .label(Words[.find])) { Icon.search.html }
      }
    }
  }

  /// The keys that lead to a search field, where scripts run.
  private static let keys = Attribute("aria-keyshortcuts", "/ Control+K")

  private static func searchField(_ id: String, _ value: String, _ further: [Attribute]) -> Html {
    Html(
      void: "input",
      [
        .type("search"), .id(id), .name("q"), .value(value),
        Attribute("autocomplete", "off"), Attribute("autocapitalize", "none"),
        Attribute("spellcheck", "false"), Attribute("maxlength", "200"),
        Attribute("data-complete", Address(.completions, .json).path),
        Attribute(
          "data-taxon", Address(.taxon(TaxonAddress(short: 0))).path.dropLast(1).description),
      ] + further)
  }

  private var footer: Html {
    tag("footer", .class("site")) {
      tag("p") { Words[.footerLocal] }
      itemList(
        of: [(Message.privacy, Route.privacy), (.sources, .sources), (.forPrograms, .api)]
      ) { title, route in
        tag("a", .href(Address(route))) { Words[title] }
      }
      languageSwitch
    }
  }

  /// A button for each language, by its own name; no script is needed.
  private var languageSwitch: Html {
    tag(
      "form", .class("languages"), Attribute("method", "post"), .label(Words[.languageTitle]),
      Attribute("action", Address(.settings).text)
    ) {
      hidden(RequestGuard.tokenField, token)
      hidden("theme", theme.rawValue)
      hidden("return", visit.form == nil ? visit.address.text : Address(visit.route).text)
      PageLanguage.allCases.map { other in
        tag(
          "button", .type("submit"), .name("language"), .value(other.rawValue),
          .lang(other.tag), Attribute("dir", other.isRightToLeft ? "rtl" : "ltr"),
          Attribute("aria-current", other == Words.language ? "true" : nil)
        ) { other.ownName }
      }
    }
  }

  // MARK: - Pieces

  /// A name of the database, in its language and kept apart from the letters around it.
  static func name(_ text: String, language: String? = nil) -> Html {
    tag("bdi", .lang(language.flatMap { $0.isEmpty ? nil : $0 })) { text }
  }

  /// A scientific name, in italics.
  static func scientific(_ taxon: Taxon) -> Html {
    tag("i", .class("scientific"), .lang("la")) { tag("bdi") { taxon.scientificName } }
  }

  /// A common name before a scientific one.
  static func common(_ text: String, language: String? = nil) -> Html {
    Html {
      tag("span", .class("common")) { name(text.capitalisedFirst, language: language) }
      " "
    }
  }

  /// The names of a taxon: the common one first, then the scientific one.
  static func names(_ card: TaxonCard) -> Html {
    Html {
      card.commonName.map { common($0.text, language: $0.language) }
      scientific(card.taxon)
    }
  }

  /// A clade in a sentence, as in "the family Felidae (cats)".
  static func clade(_ card: TaxonCard) -> Html {
    let name = scientific(card.taxon)
    let clade =
      Words.says(card.taxon.rank)
      ? Html(
        .cladeRanked, ["rank": Html(Words.rank(card.taxon.rank.rawValue)), "name": name]) : name
    guard let common = card.commonName else { return clade }
    return Html(
      .cladeNamed,
      ["clade": clade, "name": self.name(common.text, language: common.language)])
  }

  /// What two taxa have in common, by their last common ancestor, as in "both are in the family Felidae
  /// (cats)"; with "all" in place of "both" where it holds for others too.
  static func kinship(
    _ a: TaxonCard, _ b: TaxonCard, _ ancestor: TaxonCard?, isOfAll: Bool = false
  ) -> Html {
    guard let ancestor else { return Html(Words[.kinApart]) }
    if ancestor.taxon.isImplied { return Html(Words[.kinImplied]) }
    for (inner, outer) in [(a, b), (b, a)] where outer.id == ancestor.id {
      return Html(
        .kinInside,
        [
          "taxon": name(inner.title, language: inner.commonName?.language), "clade": clade(outer),
        ])
    }
    return Html(isOfAll ? .kinAll : .kinBoth, ["clade": clade(ancestor)])
  }

  /// The rank as a badge.
  static func rank(_ taxon: Taxon) -> Html {
    tag("span", .class("badge rank")) { Words.rank(taxon.rank.rawValue) }
  }

  /// The Red List status as a badge: its letters and its word.
  static func conservation(_ code: String?) -> Html? {
    guard let code else { return nil }
    let title = Words.conservationTitle(code)
    return tag("span", .class("badge conservation \(Words.danger(code))")) {
      tag("abbr", Attribute("title", title)) { code }
      tag("span", .class("word")) { " \(title)" }
    }
  }

  /// A small picture or drawing beside a name; nothing where none fits, or none was asked for.
  static func thumbnail(_ card: TaxonCard) -> Html? {
    guard let address = card.thumbnail else { return nil }
    return void(
      "img", .class("thumb"), Attribute("src", address.text),
      Attribute("alt", ""), Attribute("width", "48"), Attribute("height", "48"),
      Attribute("loading", "lazy"))
  }

  /// A link to a taxon with its names and badges, as lists show it.
  static func link(_ card: TaxonCard, to address: Address? = nil) -> Html {
    Html {
      thumbnail(card)
      tag("a", .class("taxon"), .href(address ?? Address(.taxon(card.address)))) { names(card) }
      " "
      rank(card.taxon)
      conservation(card.taxon.conservationStatus)
    }
  }

  /// Cards of taxa of which none holds all others: each with how much is in it, what a bar means, and what else there is
  /// to say of the one at a place.
  static func cards(
    in name: StaticString = "ul", _ cards: [TaxonCard], further: (Int) -> Html
  ) -> Html {
    let shares = CladeShare.amongThemselves(cards.map { $0.facts ?? CladeFacts() })
    return Html {
      itemList(name, class: "cards", item: "card", of: cards.indices) { place in
        link(cards[place])
        shares[place].html(of: cards[place].taxon)
        further(place)
      }
      CladeShare.legend(shares, of: cards.map(\.taxon))
    }
  }

  /// The way from the root to a taxon, each step a link.
  func breadcrumb(_ ancestors: [TaxonCard], current: TaxonCard?, to route: (TaxonAddress) -> Route)
    -> Html
  {
    tag("nav", .class("breadcrumb"), .label(Words[.lineage])) {
      tag("ol") {
        if case .tree = visit.route {
          tag("li") {
            tag("a", .href(Address(.tree(nil)))) { Words[.wholeTree] }
          }
        }
        for card in ancestors {
          tag("li") {
            tag("a", .href(Address(route(card.address)))) {
              tag("span", .class("common")) {
                Self.name(card.title, language: card.commonName?.language)
              }
            }
          }
        }
        if let current {
          tag("li") {
            tag("span", Attribute("aria-current", "page")) {
              Self.name(current.title, language: current.commonName?.language)
            }
          }
        }
      }
    }
  }

  /// Pages to go to, and what is there.
  static func menu(_ entries: [(title: String, route: Route, text: String)]) -> Html {
    itemList(class: "cards menu", item: "card", of: entries) { title, route, text in
      tag("a", .href(Address(route))) { title }
      tag("p") { text }
    }
  }

  /// The heart of a taxon: a button that adds it to the favourites, or removes it.
  func heart(_ card: TaxonCard) -> Html {
    let word = Words[card.isFavorite ? .favorite : .add]
    return tag(
      "form", .class("heart"), Attribute("method", "post"),
      Attribute("action", Address(.favorites).text)
    ) {
      hidden(RequestGuard.tokenField, token)
      hidden("taxon", card.address.text)
      hidden("action", card.isFavorite ? "remove" : "add")
      hidden("return", visit.address.text)
      tag(
        "button", .type("submit"), Attribute("aria-pressed", card.isFavorite ? "true" : "false"),
        .label(Words[.ofTaxon, ["word": word, "taxon": card.title]])
      ) {
        Icon.heart.html
        tag("span", .class("word")) { word }
      }
    }
  }

  /// Links of one kind beside each other, the one that is in force marked.
  static func chips(_ title: String, _ links: [(String, Address, isCurrent: Bool)]) -> Html {
    tag("nav", .class("chips"), .label(title)) {
      tag("span") { title }
      itemList(of: links) { text, address, isCurrent in
        tag(
          "a", .class("chip"), .href(address),
          Attribute("aria-current", isCurrent ? "true" : nil)
        ) { text }
      }
    }
  }

  /// A field of a form that nobody sees.
  func hidden(_ name: String, _ value: String) -> Html {
    void("input", .type("hidden"), .name(name), .value(value))
  }

  /// A field in which one of several is chosen.
  static func select(
    _ name: String, _ label: String, _ chosen: String?,
    _ choices: [(value: String, title: String, language: String?)]
  ) -> Html {
    tag("div", .class("select")) {
      tag("label", .for("choice-\(name)")) { label }
      tag("select", .id("choice-\(name)"), .name(name)) {
        for (value, title, language) in choices {
          tag(
            "option", .value(value), .lang(language),
            Attribute("selected", isSet: value == chosen)
          ) { title }
        }
      }
    }
  }

  /// A form that changes something when its button is pressed.
  func action(
    _ route: Route, _ button: String, class name: String = "button",
    _ fields: [String: String] = [:], hasFile: Bool = false,
    @HtmlBuilder content: () -> Html = { Html() }
  ) -> Html {
    tag(
      "form", Attribute("method", "post"), Attribute("action", Address(route).text),
      Attribute("enctype", hasFile ? "multipart/form-data" : nil)
    ) {
      hidden(RequestGuard.tokenField, token)
      for (name, value) in fields.sorted(by: { $0.key < $1.key }) { hidden(name, value) }
      content()
      tag("button", .type("submit"), .class(name)) { button }
    }
  }

  /// A search field with its button; it works as a form, and completes where scripts run.
  func searchForm(
    _ label: String, value: String = "", @HtmlBuilder content: () -> Html = { Html() }
  ) -> Html {
    tag(
      "form", .class("search"), .role("search"), .label(label),
      Attribute("action", Address(.search).text)
    ) {
      tag("label", .for("q")) { label }
      tag("div", .class("field")) {
        Self.searchField("q", value, [Self.keys])
        tag("button", .type("submit"), .class("button main")) { Words[.find] }
      }
      content()
    }
  }
}
