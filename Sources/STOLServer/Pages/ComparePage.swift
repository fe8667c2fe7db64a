import STOLPack

/// The page on which taxa are compared.
struct ComparePage {
  let picks: [Pages.Pick]
  let comparison: TaxaComparison?
  let layout: Layout
  let picture: Html?
  /// Well-known taxa to compare.
  let known: [TaxonCard]

  var reply: Reply {
    layout.page(title, in: .compare, hasTwin: comparison != nil) {
      tag("h1") { comparison == nil ? Words[.sectionCompare] : title }
      if let comparison { result(comparison) }
      form
      if picks.isEmpty, known.count > 1 { examples }
    }
  }

  private var title: String {
    comparison?.cards.map(\.title).formatted ?? Words[.sectionCompare]
  }

  /// Which taxa were named more than once, and so are shown once.
  private var repeated: String? {
    let cards = picks.compactMap(\.card)
    var titles: [String] = []
    for card in cards where cards.count(where: { $0.id == card.id }) > 1 {
      if !titles.contains(card.title) { titles.append(card.title) }
    }
    guard !titles.isEmpty else { return nil }
    return Words[.repeatedTaxa, ["taxa": titles.joined(separator: Words.comma)]]
  }

  // MARK: - Choosing

  private var form: Html {
    tag(
      "form", .class("compare"), Attribute("action", Address(.compare).text),
      .label(Words[.sectionCompare])
    ) {
      if comparison != nil { tag("h2") { Words[.compareOthers] } }
      if comparison == nil, picks.allSatisfy({ $0.card != nil }) {
        tag("p", .class("lead")) {
          picks.count < 2
            ? Words[.whichTwo]
            : Words[.sameTwice, ["taxon": picks[0].card?.title ?? ""]]
        }
      }
      tag("div", .class("picks")) {
        for (index, pick) in (picks + blanks).enumerated() { field(index, pick) }
      }
      tag("button", .type("submit"), .class("button main")) { Words[.sectionCompare] }
    }
  }

  private var examples: Html {
    // The most prominent one with three others.
    let pairs = known.dropFirst().prefix(3).map { (known[0], $0) }
    return Layout.chips(
      Words[.forExample],
      pairs.map { first, second in
        (
          Words[.pairExample, ["first": first.title, "second": second.title]],
          Address(
            .compare, .page, ["taxon": first.address.text, "taxon": second.address.text]), false
        )
      })
  }

  /// A field more than are filled in, and two at least.
  private var blanks: [Pages.Pick] {
    let count = max(
      2 - picks.count, picks.count < Pages.greatestComparedCount && comparison != nil ? 1 : 0)
    return Array(
      repeating: Pages.Pick(text: "", card: nil), count: count)
  }

  private func field(_ index: Int, _ pick: Pages.Pick) -> Html {
    let id = "taxon-\(index)"
    let isWrong = !pick.text.isEmpty && pick.card == nil
    return tag("div", .class("pick")) {
      tag("label", .for(id)) {
        Words[index < 2 ? [Message.firstField, .secondField][index] : .anotherField]
      }
      tag("div", .class("field")) {
        void(
          "input", .type("search"), .id(id), .name("taxon"),
          .value(pick.fieldText),
          Attribute("autocomplete", "off"), Attribute("spellcheck", "false"),
          Attribute("maxlength", "200"),
          Attribute("aria-describedby", isWrong ? "\(id)-help" : nil),
          Attribute("aria-invalid", isWrong ? "true" : nil),
          Attribute("data-complete", Address(.completions, .json).path),
          Attribute("data-fill", ""), Attribute("data-id", pick.card?.address.text))
      }
      if isWrong { help("\(id)-help", index, pick) }
    }
  }

  private func help(_ id: String, _ index: Int, _ pick: Pages.Pick) -> Html {
    tag("div", .class("help"), .id(id)) {
      if pick.candidates.isEmpty {
        tag("p") {
          Words[pick.isOfAnotherDatabase ? .textOfOther : .noNameLike, ["text": pick.text]]
        }
      } else {
        tag("p") { Words[.whichOne, ["text": pick.text]] }
        itemList(class: "choices", of: pick.candidates) { candidate in
          Layout.link(candidate, to: address(replacing: index, with: candidate))
        }
      }
    }
  }

  /// This page with a taxon in place of a text that did not name one.
  private func address(replacing index: Int, with card: TaxonCard) -> Address {
    var query = Fields()
    for (other, pick) in picks.enumerated() {
      let text = pick.card?.address.text ?? pick.text
      query.append("taxon", other == index ? card.address.text : text)
    }
    return Address(.compare, query: query)
  }

  // MARK: - Result

  private func result(_ comparison: TaxaComparison) -> Html {
    Html {
      Layout.cards(comparison.cards) { _ in Html() }
      if let repeated { tag("p", .class("note")) { repeated } }
      section(Words[.inShort], class: "facts") {
        tag("p", .class("lead")) { lead(comparison) }
        if comparison.cards.count <= Self.greatestListedCount {
          itemList(of: comparison.pairs) { pair in sentence(pair, comparison) }
        }
      }
      if comparison.cards.count > Self.greatestListedCount { matrix(comparison) }
      if let picture {
        section(Words[.lineagesMeet]) {
          picture
          if comparison.cards.count == 2 { flight(comparison.cards[0], comparison.cards[1]) }
        }
      }
      traits(comparison)
      Layout.downloads(
        Layout.tables(.compare, layout.visit.query, as: "comparison")
          + [Layout.newick(comparison.cards, as: "comparison")])
    }
  }

  /// A way through the picture of all life.
  private func flight(_ start: TaxonCard, _ end: TaxonCard) -> Html {
    tag("p", .class("actions")) {
      tag(
        "a", .class("button"),
        .href(
          Address(.icicle(nil), .page, ["from": start.address.text, "to": end.address.text]))
      ) { Words[.flyFromTo, ["first": start.title, "second": end.title]] }
    }
  }

  /// As many taxa are compared in sentences, pair by pair; more are compared in a table.
  private static let greatestListedCount = 3

  private func lead(_ comparison: TaxaComparison) -> Html {
    guard let ancestor = comparison.ancestor else {
      return Html(Words[.noAncestor])
    }
    if ancestor.taxon.isImplied { return Html(Words[.onlyImpliedRoot]) }
    return Html {
      if comparison.cards.contains(where: { $0.id == ancestor.id }) {
        Words[comparison.cards.count == 2 ? .holdsOther : .holdsOthers]
      } else {
        Words[.lastAncestor]
      }
      " "
      Layout.link(ancestor)
    }
  }

  private func sentence(_ pair: TaxaComparison.Pair, _ comparison: TaxaComparison) -> Html {
    let (a, b) = (comparison.cards[pair.a], comparison.cards[pair.b])
    return Html {
      tag("b") {
        Html(
          .pairExample,
          [
            "first": Layout.name(a.title, language: a.commonName?.language),
            "second": Layout.name(b.title, language: b.commonName?.language),
          ])
      }
      ": "
      Layout.kinship(a, b, pair.ancestor)
      "."
      if let traits = comparison.traitsOfBoth(pair) {
        " "
        Words[
          .traitsSame, count: traits.same, ["traits": Words[.traits, count: traits.known]]]
      }
    }
  }

  /// Every taxon against every other: their last common ancestor.
  private func matrix(_ comparison: TaxaComparison) -> Html {
    section(Words[.lastAncestors]) {
      tag(
        "div", .class("scroll"), Attribute("tabindex", "0"), .role("region"),
        .label(Words[.ancestorsTitle])
      ) {
        tag("table", .class("traits matrix")) {
          tag("thead") {
            tag("tr") {
              tag("th", Attribute("scope", "col")) { Words[.ofColumn] }
              for card in comparison.cards {
                tag("th", Attribute("scope", "col")) {
                  Layout.name(card.title, language: card.commonName?.language)
                }
              }
            }
          }
          tag("tbody") {
            for (row, card) in comparison.cards.enumerated() {
              tag("tr") {
                tag("th", Attribute("scope", "row")) {
                  Layout.name(card.title, language: card.commonName?.language)
                }
                for column in comparison.cards.indices {
                  tag("td") { cell(row, column, comparison) }
                }
              }
            }
          }
        }
      }
    }
  }

  private func cell(_ row: Int, _ column: Int, _ comparison: TaxaComparison) -> Html {
    guard row != column else { return Html("–") }
    let (a, b) = (min(row, column), max(row, column))
    guard let pair = comparison.pairs.first(where: { $0.a == a && $0.b == b }),
      let ancestor = pair.ancestor
    else { return Html(Words[.none]) }
    return Html {
      tag("a", .href(Address(.taxon(ancestor.address)))) {
        Layout.name(ancestor.title, language: ancestor.commonName?.language)
      }
      " "
      Layout.rank(ancestor.taxon)
      if let traits = comparison.traitsOfBoth(pair) {
        " "
        tag("span", .class("note")) {
          Words[.traitsSameOf, ["same": "\(traits.same)", "known": "\(traits.known)"]]
        }
      }
    }
  }

  private func traits(_ comparison: TaxaComparison) -> Html? {
    let rows = comparison.traitRows
    guard !rows.isEmpty else { return nil }
    let titles = comparison.cards.map(\.title)
    return section(Words[.sameAndDifferent]) {
      tag(
        "div", .class("scroll"), Attribute("tabindex", "0"), .role("region"),
        .label(Words[.traitsLabel])
      ) {
        // On a phone the rows are stacked; the roles keep it a table for whoever listens.
        tag("table", .class("traits stacked"), .role("table")) {
          tag("thead", .role("rowgroup")) {
            tag("tr", .role("row")) {
              for title in [Words[.trait]] + titles + [Words[.isSame]] {
                tag("th", Attribute("scope", "col"), .role("columnheader")) { Layout.name(title) }
              }
            }
          }
          tag("tbody", .role("rowgroup")) {
            for row in rows {
              tag("tr", .class(row.isShared == true ? "shared" : nil), .role("row")) {
                tag("th", Attribute("scope", "row"), .role("rowheader")) {
                  TraitWords.label(row.key, unit: row.unit)
                }
                for (title, traits) in zip(titles, row.traits) {
                  tag("td", .role("cell"), Attribute("data-label", title)) {
                    traits.isEmpty
                      ? Words[.notKnown]
                      : traits.map(TraitWords.value).sorted().joined(separator: Words.comma)
                  }
                }
                tag("td", .role("cell"), Attribute("data-label", Words[.isSame])) {
                  Words[row.isShared.map { $0 ? Message.same : .different } ?? .notKnownOfAll]
                }
              }
            }
          }
        }
      }
    }
  }
}
