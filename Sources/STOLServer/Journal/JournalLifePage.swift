import STOLAnswers
import STOLData
import STOLJournal

extension Pages {
  /// As many taxa are on a page.
  private static let lifePageCount = 100

  /// Every taxon that was seen, with when it was seen first and last.
  func journalLife(_ visit: Visit, _ journal: LocalJournal) async throws -> Reply {
    let question = try await question(visit, JournalFilter(visit.query), journal)
    let entries = try await journal.lifeList(question.query)
    let isByName = visit.query["sort"] == "name"
    let sorted =
      isByName
      ? entries.sorted {
        ($0.name, $0.taxon.written) < ($1.name, $1.taxon.written)
      } : entries
    if visit.address.form == .json {
      return .json { json in
        json.number("count", sorted.count)
        json.objects("taxa", sorted) { json, entry in
          json.reference("taxon", entry.taxon)
          json.text("outcome", entry.outcome)
          json.text("currentName", entry.currentName)
          json.number("sightingCount", entry.sightingCount)
          json.text("firstTime", entry.firstTime.text)
          json.text("lastTime", entry.lastTime.text)
          json.texts("candidates", entry.candidates.map(\.written))
        }
      }
    }
    let start = visit.query.number("from", in: 0...max(0, sorted.count - 1)) ?? 0
    let shown = Array(sorted.dropFirst(start).prefix(Self.lifePageCount))
    let taxa = seen(shown.map(\.taxon), visit)
    let place = try await placeName(question.filter.place, journal)
    func page(_ from: Int, _ byName: Bool) -> Address {
      Address(
        .journal(.life),
        query: question.filter.fields.adding("sort", byName ? "name" : nil)
          .adding("from", from > 0 ? "\(from)" : nil))
    }
    return journalPage(visit, .life, "Life list") {
      filterForm(visit, .life, question)
      chosen(question, .life, place)
      tag("p", .class("lead")) {
        "\(Words.count(sorted.count, "taxon was", "taxa were").capitalisedFirst) seen: species, and "
        "what could be told no nearer."
      }
      lifeOrders(question.filter, isByName: isByName, isTree: false)
      if shown.isEmpty {
        tag("p") { "Nothing yet." }
      } else {
        lifeTable(shown, taxa, question.filter)
      }
      tag("p", .class("pages")) {
        if start > 0 {
          tag("a", .class("button"), .href(page(max(0, start - Self.lifePageCount), isByName))) {
            "Those before"
          }
        }
        if start + shown.count < sorted.count {
          tag("a", .class("button"), .href(page(start + shown.count, isByName))) { "Those after" }
        }
      }
    }
  }

  private func lifeTable(
    _ entries: [LifeEntry], _ taxa: [TaxonReference: SeenTaxon], _ filter: JournalFilter
  ) -> Html {
    tag("table", .class("traits stacked life")) {
      tag("thead") {
        tag("tr") {
          for title in ["What", "Seen first", "Seen last", "How often"] {
            tag("th", Attribute("scope", "col")) { title }
          }
        }
      }
      tag("tbody") {
        for entry in entries {
          let seen = taxa[entry.taxon]
          tag("tr") {
            tag("th", Attribute("scope", "row")) {
              if let card = seen?.card {
                tag("a", .class("taxon"), .href(Address(.taxon(card.address)))) {
                  seen?.names ?? Html()
                }
              } else {
                seen?.names ?? Html(entry.taxon.name)
              }
              if let remark = seen?.remark { tag("p", .class("note")) { remark } }
            }
            tag("td", Attribute("data-label", "Seen first")) { JournalWords.time(entry.firstTime) }
            tag("td", Attribute("data-label", "Seen last")) { JournalWords.time(entry.lastTime) }
            tag("td", Attribute("data-label", "How often")) {
              tag(
                "a",
                .href(
                  filter.with { $0.taxon = seen?.filterText ?? entry.taxon.written }.address(.list)),
                .label("\(Words.grouped(entry.sightingCount)) times: show them")
              ) { Words.grouped(entry.sightingCount) }
            }
          }
        }
      }
    }
  }
}
