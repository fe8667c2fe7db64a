import STOLPack

/// The page on which taxa are compared.
struct ComparePage {
  let picks: [Pages.Pick]
  let comparison: TaxaComparison?
  let layout: Layout
  let picture: Html?

  var reply: Reply {
    layout.page(title, in: .compare, hasTwin: comparison != nil) {
      tag("h1") { comparison == nil ? "Compare" : title }
      if let comparison { result(comparison) }
      form
      if picks.isEmpty { examples }
    }
  }

  private var title: String {
    comparison?.cards.map(\.title).formatted ?? "Compare"
  }

  // MARK: - Choosing

  private var form: Html {
    tag("form", .class("compare"), Attribute("action", Address(.compare).text), .label("Compare")) {
      if comparison != nil { tag("h2") { "Compare others" } }
      if comparison == nil, picks.allSatisfy({ $0.card != nil }) {
        tag("p", .class("lead")) {
          picks.count < 2
            ? "Which two do you want to compare?"
            : "These are the same: \(picks[0].card?.title ?? ""). Choose another one."
        }
      }
      tag("div", .class("picks")) {
        for (index, pick) in (picks + blanks).enumerated() { field(index, pick) }
      }
      tag("button", .type("submit"), .class("button main")) { "Compare" }
    }
  }

  private var examples: Html {
    let pairs = [("lion", "tiger"), ("lion", "oak"), ("blue whale", "honeybee")]
    return Layout.chips(
      "For example",
      pairs.map { first, second in
        (
          "\(first) and \(second)".capitalisedFirst,
          Address(.compare, .page, ["taxon": first, "taxon": second]), false
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
      tag("label", .for(id)) { index < 2 ? ["First", "Second"][index] : "Another" }
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
          pick.isOfAnotherDatabase
            ? "“\(pick.text)” is of another database." : "No name is like “\(pick.text)”."
        }
      } else {
        tag("p") { "Which “\(pick.text)”?" }
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
      itemList(class: "cards", item: "card", of: comparison.cards) { card in Layout.link(card) }
      section("In short", class: "facts") {
        if let ancestor = comparison.ancestor {
          tag("p", .class("lead")) {
            "Their last common ancestor here: "
            Layout.link(ancestor)
          }
        }
        itemList(of: comparison.pairs) { pair in sentence(pair, comparison) }
      }
      if let picture {
        section("Where their lineages meet") {
          picture
        }
      }
      traits(comparison)
    }
  }

  private func sentence(_ pair: TaxaComparison.Pair, _ comparison: TaxaComparison) -> Html {
    Html {
      if comparison.cards.count > 2 {
        tag("b") {
          Layout.name(comparison.cards[pair.a].title)
          " and "
          Layout.name(comparison.cards[pair.b].title)
        }
        ": "
      }
      "\(pair.sentence). \(Words.distance(pair.distance))"
      if let similarity = pair.traitSimilarity, comparison.traits.allSatisfy({ !$0.isEmpty }) {
        " They share \(Int((similarity * 100).rounded())) % of what is known about them."
      }
    }
  }

  private func traits(_ comparison: TaxaComparison) -> Html? {
    let rows = comparison.traitRows
    guard !rows.isEmpty else { return nil }
    let titles = comparison.cards.map(\.title)
    return section("What is the same, what differs") {
      tag("div", .class("scroll"), Attribute("tabindex", "0"), .role("region"), .label("Traits")) {
        // On a phone the rows are stacked; the roles keep it a table for whoever listens.
        tag("table", .class("traits stacked"), .role("table")) {
          tag("thead", .role("rowgroup")) {
            tag("tr", .role("row")) {
              for title in ["Trait"] + titles + ["Same?"] {
                tag("th", Attribute("scope", "col"), .role("columnheader")) { Layout.name(title) }
              }
            }
          }
          tag("tbody", .role("rowgroup")) {
            for row in rows {
              tag("tr", .class(row.isShared == true ? "shared" : nil), .role("row")) {
                tag("th", Attribute("scope", "row"), .role("rowheader")) {
                  Words.trait(row.key, unit: row.unit)
                }
                for (title, values) in zip(titles, row.values) {
                  tag("td", .role("cell"), Attribute("data-label", title)) {
                    values.isEmpty ? "not known" : values.joined(separator: ", ")
                  }
                }
                tag("td", .role("cell"), Attribute("data-label", "Same?")) {
                  row.isShared.map { $0 ? "same" : "different" } ?? "not known of all"
                }
              }
            }
          }
        }
      }
    }
  }
}
