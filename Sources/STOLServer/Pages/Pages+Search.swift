import STOLAnswers
import STOLData
import STOLPack
import STOLSearch

extension Pages {
  /// The most hits of one search.
  static let greatestHitCount = 100

  /// Search results by any name, misspelt ones too, and filters.
  func search(_ visit: Visit) async throws -> Reply {
    let text = visit.query["q"] ?? ""
    let filter = try FilterFields(visit.query)
    let limit = visit.query.number("limit", in: 1...Self.greatestHitCount) ?? 20
    let hits: [Hit]
    if text.isEmpty, filter.isEmpty {
      hits = []
    } else {
      // A filter alone lists the best known first.
      let query = SearchQuery(
        text, mode: visit.query["mode"].flatMap(SearchQuery.Mode.init) ?? .auto,
        order: text.isEmpty ? .prominence : .relevance, limit: limit)
      hits = try await find(query, filter.filter, visit)
    }
    return visit.address.form == .json
      ? .json { write(hits, to: &$0) }
      : searchPage(visit, text, filter, hits, limit)
  }

  /// Completions of what has been typed so far, for a list below the field.
  func completions(_ visit: Visit) async throws -> Reply {
    let text = visit.query["q"] ?? ""
    let limit = visit.query.number("limit", in: 1...20) ?? 8
    let hits =
      text.isEmpty
      ? []
      : try await find(
        SearchQuery(text, order: .prominence, limit: limit), TaxonFilter(), visit)
    return .json { write(hits, to: &$0) }
  }

  /// A hit with what a list shows of its taxon.
  struct Hit: Sendable {
    let result: SearchResult
    let card: TaxonCard
  }

  private func find(
    _ query: SearchQuery, _ filter: TaxonFilter, _ visit: Visit
  ) async throws -> [Hit] {
    let results = try await services.search.search(query, filter: filter, in: snapshot)
    return withView(visit) { view, languages in
      results.compactMap { result in
        guard let taxon = try? view.ordinal(of: result.id) else { return nil }
        return Hit(result: result, card: view.card(taxon, languages, services.favorites))
      }
    }
  }

  private func write(_ hits: [Hit], to json: inout RowWriter) {
    json.objects("results", hits) { json, hit in
      Schema.writeFields(of: hit.result, to: &json)
      json.text("commonName", hit.card.commonName?.text)
      json.array("marks") { json in
        let units = hit.result.matchedName.utf16
        for range in hit.result.matchedRanges {
          json.array(nil) { json in
            json.number(nil, units.distance(from: units.startIndex, to: range.lowerBound))
            json.number(nil, units.distance(from: units.startIndex, to: range.upperBound))
          }
        }
      }
    }
  }

  // MARK: - Page

  private func searchPage(
    _ visit: Visit, _ text: String, _ filter: FilterFields, _ hits: [Hit], _ limit: Int
  ) -> Reply {
    let layout = layout(visit)
    let title = text.isEmpty ? "Search" : "“\(text)”"
    return layout.page(title, in: .search) {
      tag("h1") { "Search" }
      layout.searchForm("Name of an animal, a plant, or anything alive", value: text) {
        filter.controls(snapshot.pack)
      }
      tag("section", .class("results"), .label("Results"), .id("results")) {
        if text.isEmpty, filter.isEmpty {
          Self.nothingAsked
        } else if hits.isEmpty {
          Self.nothingFound(text, filter)
        } else {
          tag("h2") {
            Words.count(hits.count, "result", "results").capitalisedFirst
            hits.count == limit ? " or more" : ""
          }
          itemList("ol", class: "cards", item: "card", of: hits) { Self.row($0) }
          if hits.count == limit, limit < Self.greatestHitCount {
            tag("p") {
              tag("a", .class("button"), .href(more(visit, limit))) { "Show more" }
            }
          }
        }
      }
    }
  }

  private func more(_ visit: Visit, _ limit: Int) -> Address {
    var query = visit.query
    query.set("limit", "\(min(limit * 2 + 10, Self.greatestHitCount))")
    return Address(.search, query: query)
  }

  private static var nothingAsked: Html {
    Html {
      tag("p", .class("lead")) { "Type a name. It may be misspelt: stol finds what you mean." }
      Layout.chips(
        "For example",
        ["lion", "oak", "honeybee", "Tyrannosaurus"].map {
          ($0, Address(.search, .page, ["q": $0]), false)
        })
    }
  }

  private static func nothingFound(_ text: String, _ filter: FilterFields) -> Html {
    Html {
      tag("h2") { "Nothing found" }
      tag("p", .class("lead")) {
        text.isEmpty
          ? "No taxon of this database passes these filters."
          : "No name in this database is like “\(text)”."
      }
      tag("ul") {
        if !filter.isEmpty, !text.isEmpty {
          tag("li") {
            tag("a", .href(Address(.search, .page, ["q": text]))) { "Search without filters" }
          }
        }
        tag("li") { "Try the beginning of the name only." }
        tag("li") {
          tag("a", .href(Address(.tree(nil)))) { "Look for it in the tree" }
        }
      }
    }
  }

  private static func row(_ hit: Hit) -> Html {
    Html {
      tag("a", .class("taxon"), .href(Address(.taxon(hit.card.id)))) {
        switch hit.result.matchType {
        case .scientific:
          hit.card.commonName.map { Layout.common($0.text, language: $0.language) }
          tag("i", .class("scientific"), .lang("la")) { marked(hit) }
        case .synonym: Layout.names(hit.card)
        case .common:
          tag("span", .class("common")) { marked(hit) }
          " "
          Layout.scientific(hit.card.taxon)
        }
      }
      " "
      Layout.rank(hit.card.taxon)
      Layout.conservation(hit.card.taxon.conservationStatus)
      if hit.result.matchType == .synonym {
        tag("span", .class("note")) {
          "also called "
          tag("i", .class("scientific"), .lang("la")) { marked(hit) }
        }
      }
    }
  }

  /// The name that matched, its matched letters marked.
  private static func marked(_ hit: Hit) -> Html {
    let name = hit.result.matchedName
    var html = Html()
    var end = name.startIndex
    for range in hit.result.matchedRanges {
      html += Html(String(name[end..<range.lowerBound]))
      html += tag("mark") { String(name[range]) }
      end = range.upperBound
    }
    html += Html(String(name[end...]))
    return tag("bdi") { html }
  }
}
