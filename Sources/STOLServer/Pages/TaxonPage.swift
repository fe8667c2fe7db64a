import STOLAnswers
import STOLData
import STOLMedia
import STOLPack

/// The page of a taxon.
struct TaxonPage {
  let found: TaxonDescription
  let layout: Layout

  private var card: TaxonCard { found.card }

  var reply: Reply {
    layout.page(card.title, in: .tree) {
      layout.breadcrumb(found.ancestors, current: card) { .taxon($0) }
      tag("article") {
        tag("div", .class("intro")) {
          head
          picture
          facts
        }
        for part in [pictures, below] where !part.isShort { part.html }
        if shortParts.count == 1, let relatives {
          tag("div", .class("beside")) {
            shortParts
            relatives
          }
        } else {
          tag("div", .class("columns")) { shortParts }
          relatives
        }
        references
      }
    }
  }

  /// A part of the page, and whether it is so short that another fits beside it.
  private typealias Part = (html: Html?, isShort: Bool)

  /// What stands side by side where there is room, so that a page of few facts has no empty half.
  private var shortParts: [Html] {
    ([pictures, below].filter(\.isShort).map(\.html) + [names, traits]).compactMap(\.self)
  }

  private var head: Html {
    tag("header", .class("title")) {
      tag("h1") { Layout.names(card) }
      tag("p", .class("badges")) {
        Layout.rank(card.taxon)
        Layout.conservation(card.taxon.conservationStatus)
        if let authorship { tag("span", .class("authorship")) { authorship } }
      }
      found.mergedFrom.map { old in
        tag("p", .class("note")) { Words[.mergedFrom, ["old": old]] }
      }
      tag("div", .class("actions")) {
        layout.heart(card)
        tag(
          "a", .class("button"), .href(Address(.compare, .page, ["taxon": card.address.text]))
        ) { Words[.compareWith] }
        if card.hasChildren {
          tag("a", .class("button"), .href(Address(.tree(card.address)))) { Words[.lookInside] }
          tag("a", .class("button"), .href(Address(.icicle(card.address)))) { Words[.asPicture] }
        } else if let parent = found.ancestors.last {
          tag("a", .class("button"), .href(Address(.tree(parent.address)))) { Words[.inTheTree] }
        }
        if !found.ancestors.isEmpty {
          tag("a", .class("button"), .href(Address(.lineage(card.address)))) {
            Words[.wayAsPicture]
          }
        }
      }
    }
  }

  private var authorship: String? {
    guard let author = card.taxon.author else { return card.taxon.year.map { "\($0)" } }
    return Schema.authorship(author, card.taxon.year)
  }

  private var picture: Html {
    tag(
      "figure", .class("portrait"), Attribute("data-gallery", found.image == nil ? nil : "")
    ) {
      if let image = found.image {
        tag("a", .class("enlarge"), .href(Address(.image(card.address)))) {
          // Not every browser shows every type: one that does not takes the drawing.
          tag("picture") {
            void(
              "source", .type("image/\(image.type.rawValue)"),
              Attribute("srcset", Address(.image(card.address)).text))
            void(
              "img", Attribute("src", Address(.drawing(card.address), .svg).text),
              Attribute("alt", image.title.isEmpty ? card.title : image.title),
              Attribute("width", "240"))
          }
        }
        tag("figcaption") {
          if image.taxonID != card.id,
            let owner = found.ancestors.first(where: { $0.id == image.taxonID })
          {
            Html(.pictureOf, ["clade": Layout.clade(owner)])
            " "
          }
          Words[
            .credit, ["title": image.title, "author": image.author, "licence": image.licence]]
        }
      } else {
        void(
          "img", Attribute("src", Address(.drawing(card.address), .svg).text), Attribute("alt", ""),
          Attribute("width", "240"), Attribute("height", "240"))
        tag("figcaption") { found.depiction.sentence }
      }
    }
  }

  /// Further pictures, of it and of what is in it.
  private var pictures: Part {
    guard !found.pictures.isEmpty else { return (nil, false) }
    let html = section(Words[.picturesTitle], class: "excerpt") {
      Pages.gallery(found.pictures)
      if found.pictureCount > 1 {
        tag("p") {
          tag("a", .class("button"), .href(Address(.pictures(card.address)))) {
            Words[.allPictures, count: found.pictureCount]
          }
        }
      }
    }
    return (html, found.pictures.count < 3)
  }

  /// One fact a sentence.
  private var facts: Html {
    section(Words[.inShort], class: "facts") {
      itemList(of: TaxonFacts(found: found).sentences) { sentence in sentence }
    }
  }

  private var below: Part {
    guard !found.children.isEmpty else { return (nil, false) }
    let html = section(Words[.directlyBelow], id: "below") {
      if found.childCount > 1 { orders }
      itemList(class: "cards", item: "card", of: found.children) { child in
        Layout.link(child)
        child.facts.flatMap {
          CladeShare(facts: $0, total: found.facts.speciesCount).html(of: child.taxon)
        }
      }
      if found.childCount > found.children.count {
        tag("p") {
          switch found.order {
          case .name: Words[.firstByName]
          case .size: Words[.largestOnes]
          case .prominence: Words[.bestKnown]
          }
          " "
          tag(
            "a", .class("button"),
            .href(
              Address(
                .tree(card.address), .page,
                ["sort": found.order == .name ? nil : found.order.rawValue]))
          ) { Words[.allOfThem, ["count": Words.grouped(found.childCount)]] }
        }
      }
      downloads
    }
    return (html, found.children.count < 3)
  }

  private var downloads: Html {
    let name = card.taxon.scientificName
    var query = Fields()
    query.append("sort", found.order == .name ? nil : found.order.rawValue)
    return Layout.downloads(
      Layout.tables(.tree(card.address), query, as: name)
        + (found.isSmall ? [Layout.newick([card], as: name)] : []))
  }

  private var orders: Html {
    Layout.chips(
      Words[.sortedBy],
      // Where nothing is a species, all are of one size.
      [ChildOrder.prominence, .size, .name].filter {
        $0 != .size || found.facts.speciesCount > 1 || found.order == .size
      }.map { order in
        (
          order.title,
          Address(
            .taxon(card.address), .page, ["sort": order == .prominence ? nil : order.rawValue]),
          order == found.order
        )
      })
  }

  /// Names in more languages than these are folded away, or what follows them would be far below.
  private static let openLanguageCount = 12
  private var hasManyLanguages: Bool {
    found.names.languages.count > Self.openLanguageCount
  }

  private var names: Html? {
    guard !found.names.languages.isEmpty || !found.names.synonyms.isEmpty else { return nil }
    let count = found.names.languages.count
    return tag(
      "details", .class("part"), Attribute("open", isSet: !hasManyLanguages),
      // Where scripts run, a field among so many finds one.
      Attribute("data-filter", hasManyLanguages ? Words[.languageOrName] : nil)
    ) {
      tag("summary") {
        tag("h2") { Words[.namesTitle] }
        if hasManyLanguages {
          tag("span", .class("count")) { " " + Words[.inLanguages, count: count] }
        }
      }
      tag("dl", .class("names")) {
        for group in found.names.languages {
          tag("div") {
            tag("dt") { Words.language(group.language) }
            tag("dd") {
              for (index, name) in group.names.enumerated() {
                if index > 0 { Words.comma }
                Layout.name(name.name, language: name.language)
              }
            }
          }
        }
        if !found.names.synonyms.isEmpty {
          tag("div") {
            tag("dt") { Words[.synonyms] }
            tag("dd") { itemList(class: "synonyms", of: found.names.synonyms, content: synonym) }
          }
        }
      }
    }
  }

  /// A synonym with its author, and what it is where it is not simply another name.
  private func synonym(_ name: TaxonName) -> Html {
    Html {
      tag("i", .lang("la")) { tag("bdi") { name.name } }
      name.record.authorship.map { author in
        tag("span", .class("authorship")) { " " + Schema.authorship(author, name.record.year) }
      }
      if let status = name.record.status, ![.synonym, .accepted].contains(status) {
        tag("span", .class("note")) { " \(status.rawValue)" }
      }
    }
  }

  private var traits: Html? {
    let groups = TraitSheet(of: found.traits).groups
    guard !groups.isEmpty else { return nil }
    return tag("details", .class("part"), Attribute("open", isSet: true)) {
      tag("summary") { tag("h2") { Words[.traitsTitle] } }
      tag("table", .class("traits")) {
        for group in groups {
          tag("tbody") {
            if groups.count > 1 {
              tag("tr") {
                tag(
                  "th", .class("group"), Attribute("scope", "rowgroup"), Attribute("colspan", "2")
                ) { group.title }
              }
            }
            for row in group.rows {
              tag("tr") {
                tag("th", Attribute("scope", "row")) {
                  row.label
                  row.meaning.map { meaning in tag("span", .class("note")) { meaning } }
                }
                tag("td") { row.values.joined(separator: Words.comma) }
              }
            }
          }
        }
      }
    }
  }

  private var relatives: Html? {
    // A word like "clade" does not make two taxa alike.
    guard !found.relatives.isEmpty, found.hasPlacedRank else { return nil }
    return section(Words[.relatives], id: "relatives") {
      Layout.cards(in: "ol", found.relatives.map(\.card)) { place in
        let relative = found.relatives[place]
        return tag("span", .class("note")) {
          Layout.kinship(card, relative.card, relative.ancestor)
          if let tie = Words.tie(relative.kinCount) { Words.comma + tie }
        }
      }
    }
  }

  private var references: Html? {
    if let failure = found.referencesFailure {
      return tag("p", .class("note")) { "\(failure.capitalisedFirst)." }
    }
    guard let references = found.references, !references.isEmpty else { return nil }
    return tag("details", .class("part")) {
      tag("summary") {
        tag("h2") { Words[.references] }
        tag("span", .class("count")) { " \(references.count)" }
      }
      itemList("ol", class: "references", of: references.enumerated()) { index, reference in
        tag("span", .id("reference-\(index)")) {
          tag("bdi") { reference.text }
        }
        // Nothing is opened: the address is text to copy.
        tag(
          "button", .type("button"), .class("button copy"), Attribute("hidden", isSet: true),
          Attribute(
            "data-copy", reference.citation + (reference.url.map { " \($0)" } ?? ""))
        ) { Words[.copy] }
      }
    }
  }
}
