import STOLAnswers
import STOLData
import STOLPack
import STOLSearch

extension Pages {
  /// The most hits of one search.
  static let greatestHitCount = 100
  /// The most completions of one beginning.
  private static let greatestCompletionCount = 20

  /// Search results by any name, misspelt ones too, and filters.
  func search(_ visit: Visit) async throws -> Reply {
    if visit.address.form == .json, let refusal = unfitNumbers(visit, atMost: Self.greatestHitCount)
    {
      return refusal
    }
    let text = visit.query["q"] ?? ""
    let filter = try FilterFields(visit.query, in: snapshot.pack.view)
    let limit = visit.query.number("limit", in: 1...Self.greatestHitCount) ?? 20
    let question = SearchQuestion(
      mode: visit.query["mode"].flatMap(SearchQuery.Mode.init) ?? .auto,
      maximumDistance: visit.query.number("maxDistance", in: 0...3),
      words: .anyForm)
    let found = try await find(question, text, filter.filter, limit, visit)
    if visit.address.form.isTable {
      let hits = withView(visit) { view, _ in
        found.hits.map { hit in
          Hit(result: hit.result, card: view.counted([hit.card], sources.counts)[0])
        }
      }
      return SavedTable.hits(hits, visit.address.form, as: text.isEmpty ? "found" : text)
    }
    return visit.address.form == .json
      ? .json { json in
        write(found.hits, to: &json)
        json.text("status", found.answer.status.rawValue)
        json.taxa("candidates", found.candidates)
      }
      : searchPage(visit, text, filter, found, limit)
  }

  /// Completions of what has been typed so far, for a list below the field.
  func completions(_ visit: Visit) async throws -> Reply {
    if let refusal = unfitNumbers(visit, atMost: Self.greatestCompletionCount) { return refusal }
    let text = visit.query["q"] ?? ""
    let limit = visit.query.number("limit", in: 1...Self.greatestCompletionCount) ?? 8
    let filter = try FilterFields(visit.query, in: snapshot.pack.view).filter
    let pack = snapshot.pack
    let languages = LanguagePreference(visit.language, in: pack.view.names)
    let query = SearchQuery(
      text, words: .asTyped, preferredLanguages: languages.wished, limit: limit)
    let results =
      text.isEmpty ? [] : try await services.search.search(query, filter: filter, in: snapshot)
    let hits = hits(results, in: pack, languages, visit)
    return .json { write(hits, to: &$0) }
  }

  /// What a program is told that asks for what there is not; nil where all fits.
  ///
  /// Pages for people take the nearest number.
  private func unfitNumbers(_ visit: Visit, atMost limit: Int) -> Reply? {
    if let mode = visit.query["mode"], SearchQuery.Mode(rawValue: mode) == nil {
      let known = SearchQuery.Mode.allCases.map(\.rawValue).joined(separator: ", ")
      return problem(visit, 400, "Unknown mode", "one of: \(known)")
    }
    for (name, range) in [("limit", 1...limit), ("maxDistance", 0...3)] {
      guard let text = visit.query[name] else { continue }
      guard let number = Int(text), range.contains(number) else {
        return problem(
          visit, 400, "Unfit number", "\(name) is from \(range.lowerBound) to \(range.upperBound)")
      }
    }
    return nil
  }

  /// The answer to a search, with what a list shows of its taxa.
  struct Found: Sendable {
    let answer: SearchAnswer
    let hits: [Hit]
    let candidates: [TaxonCard]
  }

  /// A hit with what a list shows of its taxon.
  struct Hit: Sendable {
    let result: SearchResult
    let card: TaxonCard
  }

  private func find(
    _ question: SearchQuestion, _ text: String, _ filter: TaxonFilter, _ limit: Int,
    _ visit: Visit
  ) async throws -> Found {
    let byteCount = text.utf8.count
    guard byteCount <= SearchQuery.maximumByteCount else {
      throw SearchError.queryTooLong(byteCount: byteCount)
    }
    let pack = snapshot.pack
    let passing = try filter.resolved(in: pack.view)
    let languages = LanguagePreference(visit.language, in: pack.view.names)
    let answer = try await services.search.withSession { session in
      question.answer(text, passing, languages, limit: limit, in: pack.view, &session)
    }
    return Found(
      answer: answer, hits: hits(answer.results, in: pack, languages, visit),
      candidates: cards(answer.candidates, visit))
  }

  /// Hits with what a list shows of their taxa.
  func hits(
    _ results: [SearchResult], in pack: Pack, _ languages: LanguagePreference, _ visit: Visit
  ) -> [Hit] {
    let isShown = visit.address.form == .page || visit.route == .completions
    let sources = sources
    let view = pack.view
    return results.compactMap { result in
      // A root that no source has is nothing that a text names.
      guard result.sourceID != nil, let taxon = try? view.ordinal(of: result.id) else {
        return nil
      }
      let card = view.card(taxon, languages, services.favorites)
      return Hit(result: result, card: isShown ? view.pictured([card], sources)[0] : card)
    }
  }

  /// Adds hits to a twin for programs.
  func write(_ hits: [Hit], to json: inout RowWriter) {
    json.objects("results", hits) { json, hit in
      Schema.writeFields(of: hit.result, to: &json)
      json.text("address", hit.card.address.text)
      json.text("commonName", hit.card.commonName?.text)
      if let facts = hit.card.facts {
        json.text("thumbnail", hit.card.thumbnail?.text)
        json.number("speciesCount", facts.speciesCount)
      }
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
    _ visit: Visit, _ text: String, _ filter: FilterFields, _ found: Found, _ limit: Int
  ) -> Reply {
    let hits = found.hits
    let layout = layout(visit)
    let title = text.isEmpty ? Words[.sectionSearch] : Words[.quoted, ["text": text]]
    return layout.page(title, in: .search) {
      tag("h1") { Words[.sectionSearch] }
      layout.searchForm(Words[.searchLabel], value: text) {
        filter.controls(snapshot.pack)
      }
      tag("section", .class("results"), .label(Words[.resultsTitle]), .id("results")) {
        if text.isEmpty, filter.isEmpty {
          nothingAsked(visit)
        } else if hits.isEmpty {
          Self.nothingFound(text, filter, found.answer.status)
        } else {
          tag("h2") {
            let count = Words[.results, count: hits.count].capitalisedFirst
            found.answer.isCut ? Words[.orMore, ["count": count]] : count
          }
          Self.sentence(found.answer, text).map { sentence in
            tag("p", .class("lead")) { sentence }
          }
          Self.rows(hits)
          if found.answer.isCut, limit < Self.greatestHitCount {
            tag("p") {
              tag("a", .class("button"), .href(more(visit, limit))) { Words[.showMore] }
            }
          }
          Layout.downloads(
            Layout.tables(.search, visit.query, as: text.isEmpty ? "found" : text))
        }
      }
    }
  }

  private func more(_ visit: Visit, _ limit: Int) -> Address {
    var query = visit.query
    query.set("limit", "\(min(limit * 2 + 10, Self.greatestHitCount))")
    return Address(.search, query: query)
  }

  private func nothingAsked(_ visit: Visit) -> Html {
    Html {
      tag("p", .class("lead")) { Words[.searchHint] }
      Layout.chips(
        Words[.forExample],
        examples(visit).prefix(5).map { card in
          (card.title, Address(.search, .page, ["q": card.title]), false)
        })
    }
  }

  /// How the results answer a text, where none of them simply has it as a name.
  private static func sentence(_ answer: SearchAnswer, _ text: String) -> String? {
    switch answer.status {
    case .ambiguous:
      Words[.calledSo, ["count": Words.grouped(answer.candidates.count), "text": text]]
    case .partial:
      // The engine speaks English.
      Words.language == .en && answer.sentence != nil
        ? answer.sentence : Words[.onlyPart, ["text": text]]
    case .fuzzy: Words[.onlyAlike, ["text": text]]
    case .merged: Words[.mergedText, ["text": text]]
    case .exact, .synonym, .common, .deleted, .notFound, .invalid: nil
    }
  }

  private static func nothingFound(
    _ text: String, _ filter: FilterFields, _ status: AnswerStatus
  ) -> Html {
    Html {
      tag("h2") { Words[.nothingFound] }
      tag("p", .class("lead")) {
        text.isEmpty
          ? Words[.nonePasses]
          : Words[status == .deleted ? .deletedText : .noneAlike, ["text": text]]
      }
      tag("ul") {
        if !filter.isEmpty, !text.isEmpty {
          tag("li") {
            tag("a", .href(Address(.search, .page, ["q": text]))) { Words[.withoutFilters] }
          }
        }
        tag("li") { Words[.tryBeginning] }
        tag("li") {
          tag("a", .href(Address(.tree(nil)))) { Words[.lookInTree] }
        }
      }
    }
  }

  private static func rows(_ hits: [Hit]) -> Html {
    let shares = CladeShare.amongThemselves(hits.map { $0.card.facts ?? CladeFacts() })
    return Html {
      itemList("ol", class: "cards", item: "card", of: zip(hits, shares)) { hit, share in
        row(hit)
        share.html(of: hit.card.taxon)
      }
      CladeShare.legend(shares, of: hits.map(\.card.taxon))
    }
  }

  private static func row(_ hit: Hit) -> Html {
    Html {
      Layout.thumbnail(hit.card)
      tag("a", .class("taxon"), .href(Address(.taxon(hit.card.address)))) {
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
          Words.synonym(hit.result.record.status)
          " "
          tag("i", .class("scientific"), .lang("la")) { marked(hit) }
          hit.result.record.authorship.map {
            Html(" " + Schema.authorship($0, hit.result.record.year))
          }
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
