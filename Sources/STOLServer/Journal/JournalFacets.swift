import STOLData
import STOLJournal

extension Pages {
  /// A field that limits a page to a taxon; it completes where scripts run.
  func filterForm(
    _ visit: Visit, _ route: JournalRoute, _ question: JournalQuestion,
    _ kept: Fields = Fields()
  ) -> Html {
    tag(
      "form", .class("search narrow"), .role("search"), .label("Of one kind of life"),
      Attribute("action", Address(route).text)
    ) {
      tag("label", .for("only")) { "Only what belongs to" }
      tag("div", .class("field")) {
        void(
          "input", .type("search"), .id("only"), .name("taxon"),
          .value(question.card?.title ?? question.filter.taxon ?? ""),
          Attribute("placeholder", "orchids, oaks, sharks"),
          Attribute("autocomplete", "off"), Attribute("autocapitalize", "none"),
          Attribute("spellcheck", "false"), Attribute("maxlength", "200"),
          Attribute("data-complete", Address(.journal(.completions), .json).path),
          Attribute("data-fill", ""), Attribute("data-id", question.card?.address.text))
        tag("button", .type("submit"), .class("button")) { "Show" }
      }
      let rest = question.filter.with { $0.taxon = nil }.fields.pairs + kept.pairs
      for (name, value) in rest { void("input", .type("hidden"), .name(name), .value(value)) }
      if let obstacle = question.obstacle {
        tag("div", .class("help")) {
          tag("p") {
            "Nothing is shown for "
            tag("bdi") { question.filter.taxon ?? "" }
            ": \(obstacle)."
          }
          choices(question, route)
        }
      }
    }
  }

  private func choices(_ question: JournalQuestion, _ route: JournalRoute) -> Html? {
    guard !question.candidates.isEmpty else { return nil }
    return itemList(class: "choices", of: question.candidates) { candidate in
      let filter = question.filter.with { $0.taxon = candidate.written }
      tag("a", .class("taxon"), .href(filter.address(route))) {
        SeenTaxon.scientific(candidate.name)
      }
      tag("span", .class("badge rank")) { candidate.rank }
    }
  }

  /// What a page is limited to, each with a link that takes it away.
  func chosen(_ question: JournalQuestion, _ route: JournalRoute, _ place: String?) -> Html? {
    let filter = question.filter
    var parts: [(String, JournalFilter)] = []
    if let taxon = question.card?.title ?? filter.taxon {
      parts.append((taxon, filter.with { $0.taxon = nil }))
    }
    if let year = filter.year { parts.append(("\(year)", filter.with { $0.year = nil })) }
    if let month = filter.month {
      parts.append((JournalWords.month(month), filter.with { $0.month = nil }))
    }
    if let kind = filter.kind {
      parts.append((JournalWords.kind(kind), filter.with { $0.kind = nil }))
    }
    if let tag = filter.tag { parts.append(("tag \(tag)", filter.with { $0.tag = nil })) }
    if filter.place != nil {
      parts.append(("at \(place ?? "a place")", filter.with { $0.place = nil }))
    }
    if filter.collection != nil {
      parts.append(("of a collection", filter.with { $0.collection = nil }))
    }
    if let day = filter.day { parts.append((day, filter.with { $0.day = nil })) }
    if let from = filter.from { parts.append(("from \(from)", filter.with { $0.from = nil })) }
    if let to = filter.to { parts.append(("up to \(to)", filter.with { $0.to = nil })) }
    if filter.box != nil { parts.append(("a part of the map", filter.with { $0.box = nil })) }
    guard !parts.isEmpty else { return nil }
    return tag("nav", .class("chips"), .label("Limited to")) {
      tag("span") { "Only" }
      itemList(of: parts) { text, other in
        tag(
          "a", .class("chip"), Attribute("aria-current", "true"), .href(other.address(route)),
          .label("Only \(text): take that away")
        ) {
          tag("bdi") { text }
          tag("span", .hidden) { "×" }
        }
      }
    }
  }

  /// The values that sightings have, each a link with how many have it.
  func facetLinks(
    _ filter: JournalFilter, _ route: JournalRoute, _ facets: SightingFacets,
    _ taxa: [TaxonReference: SeenTaxon]
  ) -> Html {
    tag("aside", .class("facets"), .id("narrow"), .label("Narrow down")) {
      tag("h2") { "Narrow down" }
      group(
        "Year",
        facets.years.map { facet in
          (
            Html("\(facet.value)"), facet.count, filter.with { $0.year = facet.value },
            filter.year == facet.value
          )
        }, route)
      group(
        "Month",
        facets.months.map { facet in
          (
            Html(JournalWords.month(facet.value)), facet.count,
            filter.with { $0.month = facet.value }, filter.month == facet.value
          )
        }, route)
      group(
        "Noted on",
        facets.kinds.map { facet in
          (
            Html(JournalWords.kind(facet.value)), facet.count,
            filter.with { $0.kind = facet.value }, filter.kind == facet.value
          )
        }, route)
      group(
        "Tag",
        facets.tags.prefix(20).map { facet in
          (
            tag("bdi") { facet.value }, facet.count, filter.with { $0.tag = facet.value },
            filter.tag == facet.value
          )
        }, route)
      group(
        facets.taxonCount > facets.taxa.count
          ? "Most often, of \(Words.grouped(facets.taxonCount)) taxa" : "Taxon",
        facets.taxa.map { facet in
          let seen = taxa[facet.value.reference]
          let text = seen?.filterText ?? facet.value.reference.written
          return (
            seen?.names ?? SeenTaxon.scientific(facet.value.name), facet.count,
            filter.with { $0.taxon = text }, filter.taxon == text
          )
        }, route)
    }
  }

  private func group(
    _ title: String, _ values: [(Html, Int, JournalFilter, isCurrent: Bool)],
    _ route: JournalRoute
  ) -> Html? {
    guard !values.isEmpty else { return nil }
    return Html {
      tag("h3") { title }
      itemList(of: values) { name, count, filter, isCurrent in
        tag(
          "a", .href(filter.address(route)), Attribute("aria-current", isCurrent ? "true" : nil)
        ) {
          tag("span") { name }
          tag("span", .class("count")) { " \(Words.grouped(count))" }
        }
      }
    }
  }
}
