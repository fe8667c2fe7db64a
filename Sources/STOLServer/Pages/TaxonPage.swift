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
        lineage
        below
        tag("div", .class("columns")) {
          names
          traits
        }
        relatives
        references
      }
    }
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
        tag("p", .class("note")) { "\(old) has been merged into this." }
      }
      tag("div", .class("actions")) {
        layout.heart(card)
        tag(
          "a", .class("button"), .href(Address(.compare, .page, ["taxon": card.address.text]))
        ) { "Compare with…" }
        if card.hasChildren {
          tag("a", .class("button"), .href(Address(.tree(card.address)))) { "Look inside" }
          tag("a", .class("button"), .href(Address(.icicle(card.address)))) { "As a picture" }
        } else if let parent = found.ancestors.last {
          tag("a", .class("button"), .href(Address(.tree(parent.address)))) { "In the tree" }
        }
      }
    }
  }

  private var authorship: String? {
    guard let author = card.taxon.author else { return card.taxon.year.map { "\($0)" } }
    return Schema.authorship(author, card.taxon.year)
  }

  private var picture: Html {
    tag("figure", .class("portrait")) {
      if let image = found.image {
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
        tag("figcaption") {
          if image.taxonID != card.id,
            let owner = found.ancestors.first(where: { $0.id == image.taxonID })
          {
            "Of "
            Layout.clade(owner)
            ", to which it belongs: "
          }
          "\(image.title). By \(image.author), \(image.licence)."
        }
      } else {
        void(
          "img", Attribute("src", Address(.drawing(card.address), .svg).text), Attribute("alt", ""),
          Attribute("width", "240"), Attribute("height", "240"))
        tag("figcaption") { found.depiction.sentence }
      }
    }
  }

  /// One fact a sentence.
  private var facts: Html {
    section("In short", class: "facts") {
      itemList(of: sentences) { sentence in sentence }
    }
  }

  private var sentences: [Html] {
    var list: [Html] = []
    let rank =
      Words.says(card.taxon.rank)
      ? "is \(Words.withArticle(card.taxon.rank.rawValue))" : "has no rank"
    if let parent = found.ancestors.last, !parent.taxon.isImplied {
      list.append(
        Html {
          "This \(rank) in "
          Layout.clade(parent)
          "."
        })
    } else {
      list.append(Html("This \(rank) and a root of the tree."))
    }
    if found.childCount > 0 {
      list.append(
        Html("It has \(Words.count(found.childCount, "branch", "branches")) directly below it."))
    }
    list += [found.facts.sentence, found.facts.threat].compactMap { $0.map { Html($0) } }
    if let code = card.taxon.conservationStatus {
      let (title, sentence) = Words.conservation(code)
      list.append(Html("Red List status: \(title.lowercased()). \(sentence)"))
    }
    if let closest = found.closest {
      let isTie = closest.kinCount > 1
      list.append(
        Html {
          isTie
            ? "One of its \(Words.grouped(closest.kinCount)) closest relatives of the same rank here is "
            : "Its closest relative of the same rank here is "
          tag("a", .href(Address(.taxon(closest.card.address)))) {
            Layout.name(closest.card.title, language: closest.card.commonName?.language)
          }
          ": "
          Layout.kinship(card, closest.card, closest.ancestor, isTie ? "all" : "both")
          "."
        })
    }
    let count = found.names.languages.count { !["", "und"].contains($0.language) }
    if count > 0 {
      list.append(Html("It has names in \(Words.count(count, "language", "languages"))."))
    }
    return list
  }

  private var below: Html? {
    guard !found.children.isEmpty else { return nil }
    return section("Directly below") {
      itemList(class: "cards", item: "card", of: zip(found.children, found.shares)) {
        child, share in
        Layout.link(child)
        share?.html(of: child.taxon)
      }
      if found.childCount > found.children.count {
        tag("p") {
          "These are the best known. "
          tag("a", .class("button"), .href(Address(.tree(card.address)))) {
            "All \(Words.grouped(found.childCount))"
          }
        }
      }
    }
  }

  /// Names in more languages than these are folded away, or what follows them would be far below.
  private static let openLanguageCount = 12

  private var names: Html? {
    guard !found.names.languages.isEmpty || !found.names.synonyms.isEmpty else { return nil }
    let count = found.names.languages.count
    return tag(
      "details", .class("part"), Attribute("open", isSet: count <= Self.openLanguageCount)
    ) {
      tag("summary") {
        tag("h2") { "Names" }
        if count > Self.openLanguageCount {
          tag("span", .class("count")) { " in \(count) languages" }
        }
      }
      tag("dl", .class("names")) {
        for group in found.names.languages {
          tag("dt") { Words.language(group.language) }
          tag("dd") {
            for (index, name) in group.names.enumerated() {
              if index > 0 { ", " }
              Layout.name(name.name, language: name.language)
            }
          }
        }
        if !found.names.synonyms.isEmpty {
          tag("dt") { "Other scientific names (synonyms)" }
          tag("dd") {
            for (index, name) in found.names.synonyms.enumerated() {
              if index > 0 { ", " }
              tag("i", .lang("la")) { tag("bdi") { name.name } }
            }
          }
        }
      }
    }
  }

  private var traits: Html? {
    guard !found.traits.isEmpty else { return nil }
    return tag("details", .class("part"), Attribute("open", isSet: true)) {
      tag("summary") { tag("h2") { "What it is like" } }
      tag("table", .class("traits")) {
        for group in TraitWords.Group.allCases { rows(of: group) }
      }
    }
  }

  /// The traits of a group; its name where there are others.
  private func rows(of group: TraitWords.Group) -> Html? {
    let all = grouped
    let rows = all.filter { TraitWords.group($0.0) == group }
    guard !rows.isEmpty else { return nil }
    return tag("tbody") {
      if rows.count < all.count {
        tag("tr") {
          tag("th", .class("group"), Attribute("scope", "rowgroup"), Attribute("colspan", "2")) {
            group.rawValue
          }
        }
      }
      for (key, values) in rows {
        tag("tr") {
          tag("th", Attribute("scope", "row")) { TraitWords.label(key, unit: values.first?.unit) }
          tag("td") { values.map(TraitWords.value).joined(separator: ", ") }
        }
      }
    }
  }

  /// The traits by key, keys in the order of their first.
  private var grouped: [(String, [Trait])] {
    var keys: [String] = []
    for trait in found.traits where !keys.contains(trait.key) { keys.append(trait.key) }
    return keys.map { key in (key, found.traits.filter { $0.key == key }) }
  }

  private var relatives: Html? {
    // A word like "clade" does not make two taxa alike.
    guard !found.relatives.isEmpty, found.hasPlacedRank else { return nil }
    return section("Closest relatives", id: "relatives") {
      itemList("ol", class: "cards", item: "card", of: found.relatives) { relative in
        Layout.link(relative.card)
        tag("span", .class("note")) {
          Layout.kinship(card, relative.card, relative.ancestor)
          if let tie = Words.tie(relative.kinCount) { ", \(tie)" }
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
        tag("h2") { "References" }
        tag("span", .class("count")) { " \(references.count)" }
      }
      itemList("ol", class: "references", of: references.enumerated()) { index, reference in
        tag("span", .id("reference-\(index)")) {
          reference.text
        }
        // Nothing is opened: the address is text to copy.
        tag(
          "button", .type("button"), .class("button copy"), Attribute("hidden", isSet: true),
          Attribute(
            "data-copy", reference.citation + (reference.url.map { " \($0)" } ?? ""))
        ) { "Copy" }
      }
    }
  }

  private var lineage: Html? {
    guard !found.ancestors.isEmpty else { return nil }
    return tag("p", .class("actions")) {
      tag("a", .class("button"), .href(Address(.lineage(card.address)))) {
        "The way here as a picture"
      }
    }
  }
}
