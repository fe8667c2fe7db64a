import Foundation
import STOLAnswers
import STOLMatch
import STOLPack

/// The page on which names are matched.
struct MatchPage: Sendable {
  /// What is added to a table where nobody says what.
  static let usualColumns = "status,score,reason,taxonID,acceptedName,rank,family,matchedName"

  let layout: Layout
  let pack: Pack
  /// What was pasted or chosen.
  var file: SentFile?
  var settings: MatchSettings?
  var failure: MatchSettings.Failure?
  var result: Result?

  /// The rows of a table, and what a person has decided of their names.
  struct Result: Sendable {
    let rows: [MatchedRow]
    let choices: [String: String]
  }

  /// What a form says of names by their rows.
  struct Choices: Sendable {
    /// By name: the id of a taxon, or "none".
    private(set) var byName: [String: String] = [:]
    private(set) var decisions = MatchDecisions()

    /// Reads the fields `decision-0` and so on; `keys` are the names of the rows, nil for none.
    init(_ form: Fields, _ keys: [String?]) {
      for (name, value) in form.pairs where name.hasPrefix(MatchPage.decisionField) {
        let text = value.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let row = Int(name.dropFirst(MatchPage.decisionField.count)),
          keys.indices.contains(row),
          let key = keys[row], !text.isEmpty
        else { continue }
        byName[key] = text
        decisions.add(key, text)
      }
    }
  }

  fileprivate static let decisionField = "decision-"

  /// How many rows have each status, in the order of the words.
  static func counts(_ rows: [MatchedRow]) -> [(status: MatchStatus, count: Int)] {
    var counts: [MatchStatus: Int] = [:]
    for row in rows { counts[row.match.status, default: 0] += 1 }
    return MatchStatus.allCases.compactMap { status in counts[status].map { (status, $0) } }
  }

  /// The file that `stol match --review` writes, with what was decided; each name once.
  static func review(
    _ rows: [MatchedRow], _ choices: [String: String], _ pack: Pack
  ) -> [UInt8] {
    let view = pack.view
    var bytes = ReviewRow.header
    var seen: Set<String> = []
    for row in rows where row.needsReview && seen.insert(row.key).inserted {
      bytes += ReviewRow(row.query, row.found, view).line(decision: choices[row.key] ?? "")
    }
    return bytes
  }

  var reply: Reply {
    layout.page(
      Words[result == nil ? .menuMatch : .matchedNames], in: .match, hasTwin: false,
      status: failure?.status ?? 200
    ) {
      tag("h1") { Words[result == nil ? .menuMatch : .matchedNames] }
      if result == nil {
        tag("p", .class("lead")) {
          Words[.matchLead]
        }
      }
      if let failure { problem(failure) }
      if let result { answers(result) }
      section(Words[result == nil ? .yourNames : .matchOthers], class: "names") { form }
      if result == nil, failure == nil { examples }
    }
  }

  // MARK: - Asking

  private func problem(_ failure: MatchSettings.Failure) -> Html {
    tag("div", .class("help"), .role("alert")) {
      tag("p") {
        failure.columns.isEmpty || settings?.nameColumn != nil
          ? "\(failure.title): \(failure.text)." : Words[.noNameColumn]
      }
      if !failure.columns.isEmpty, let file {
        multipart {
          state(file, without: "nameColumn")
          tag("div", .class("field")) {
            tag("label", .for("column")) { Words[.whichColumn] }
            tag("select", .id("column"), .name("nameColumn")) {
              for column in failure.columns { tag("option", .value(column)) { column } }
            }
          }
          button(Words[.matchButton], "match", class: "button main")
        }
      }
    }
  }

  private var form: Html {
    multipart(attribute: Attribute("data-drop", "")) {
      tag("div", .class("field")) {
        tag("label", .for("text")) {
          Words[.namesField]
        }
        tag(
          "textarea", .id("text"), .name("text"), Attribute("rows", "8"),
          Attribute("spellcheck", "false"), Attribute("autocomplete", "off"),
          Attribute("autocapitalize", "none"))
      }
      tag("div", .class("field file")) {
        tag("label", .for("file")) { Words[.orFile] }
        void(
          "input", .type("file"), .id("file"), .name("file"),
          Attribute("accept", ".csv,.tsv,.tab,.txt,text/csv,text/plain,text/tab-separated-values"))
      }
      tag("p", .class("note")) {
        Html(
          .matchLimits,
          [
            "rows": Html(Words.grouped(MatchSettings.greatestRowCount)),
            "command": tag("code", Attribute("dir", "ltr")) { "stol match FILE" },
          ])
      }
      tag(
        "details", .class("filters"),
        Attribute("open", isSet: settings.map { !$0.given.isEmpty } ?? false)
      ) {
        tag("summary") { Words[.options] }
        tag("div", .class("fields")) {
          tag("div") {
            tag("label", .for("min-score")) { Words[.leastScore] }
            void(
              "input", .type("number"), .id("min-score"), .name("minScore"),
              .value("\((settings?.options ?? NameMatcher.Options()).leastScore)"),
              Attribute("min", "0"), Attribute("max", "100"))
          }
          tag("div") {
            tag("label", .for("add")) { Words[.columnsToAdd] }
            void(
              "input", .type("text"), .id("add"), .name("add"),
              .value(settings?.add ?? Self.usualColumns), Attribute("spellcheck", "false"),
              Attribute("autocomplete", "off"))
          }
          tag("label", .class("choose")) {
            void(
              "input", .type("checkbox"), .name("ocr"), .value("yes"),
              Attribute("checked", isSet: settings?.options.allowsScannerErrors ?? false))
            " " + Words[.fromScanner]
          }
        }
      }
      button(Words[.matchButton], "match", class: "button main")
    }
  }

  private var examples: Html {
    Layout.chips(
      Words[.forExample],
      [
        (Words[.threeCats], "Panthera leo (Linnaeus, 1758)\nFelis leo\nPanthera tigriss"),
        (
          Words[.aTable],
          "id,scientificName,family\n1,Quercus robus,Fagaceae\n2,Panthera sp.,Felidae\n"
        ),
      ].map { title, text in (title, Address(.match, .page, ["text": text]), false) })
  }

  /// A form that may have a file.
  private func multipart(attribute: Attribute? = nil, @HtmlBuilder content: () -> Html) -> Html {
    Html(
      element: "form",
      [
        .class("match"), Attribute("method", "post"),
        Attribute("action", Address(.match).text), Attribute("enctype", "multipart/form-data"),
      ] + (attribute.map { [$0] } ?? []),
      Html {
        layout.hidden(RequestGuard.tokenField, layout.token)
        content()
      })
  }

  private func button(_ title: String, _ action: String, class name: String = "button") -> Html {
    tag("button", .type("submit"), .class(name), .name("action"), .value(action)) { title }
  }

  /// The table and the settings, which travel with the page.
  private func state(_ file: SentFile, without omitted: String? = nil) -> Html {
    Html {
      layout.hidden("table", Data(file.bytes).base64EncodedString())
      layout.hidden("fileName", file.name)
      for (name, value) in settings?.given ?? [] where name != omitted {
        layout.hidden(name, value)
      }
    }
  }

  // MARK: - Answers

  private func answers(_ result: Result) -> Html {
    let rows = result.rows
    let open = openNames(result)
    return Html {
      section(Words[.inShort], class: "facts") {
        tag("p", .class("lead")) {
          Words[.rowsTotal, ["rows": Words[.rows, count: rows.count].capitalisedFirst]]
          " "
          open.all > 0
            ? Words[
              .lookAtNames,
              [
                "names": Words[.names, count: open.all], "decided": Words.grouped(open.decided),
              ]]
            : Words[.noneNeedsLook]
        }
        itemList(of: Self.counts(rows)) { status, count in
          tag("b") { Words.grouped(count) }
          " "
          Self.badge(status)
          " \(Self.meaning(status))"
        }
      }
      if let file, !rows.isEmpty {
        section(Words[.rowByRow]) {
          multipart {
            state(file)
            if open.all > 0 {
              tag("p") {
                Words[.chooseMeaning]
              }
              tag("label", .class("choose only")) {
                void("input", .type("checkbox"), .id("only-review"))
                " " + Words[.onlyRowsToLook]
              }
            }
            table(result)
            tag("div", .class("actions")) {
              if open.all > 0 { button(Words[.applyDecisions], "decide", class: "button main") }
              button(
                Words[.downloadTable], "download", class: open.all > 0 ? "button" : "button main")
              if open.all > 0 { button(Words[.downloadDecisions], "review") }
            }
          }
        }
      }
    }
  }

  /// How many names a person should look at, and how many of them are decided.
  private func openNames(_ result: Result) -> (all: Int, decided: Int) {
    let keys = Set(result.rows.filter(\.needsReview).map(\.key))
    return (keys.count, keys.count { result.choices[$0] != nil })
  }

  private static let titles: [Message] = [
    .columnRow, .byName, .columnStatus, .columnScore, .columnWhy, .columnAccepted, .rankTitle,
    .columnFamily, .columnDecision,
  ]

  private func table(_ result: Result) -> Html {
    var firstRows: [String: Int] = [:]
    let hasDecisions = result.rows.contains(where: \.needsReview)
    let titles = hasDecisions ? Self.titles : Self.titles.dropLast()
    var body = Html()
    for (index, row) in result.rows.enumerated() {
      let first = row.needsReview ? firstRows[row.key] : nil
      if row.needsReview, first == nil { firstRows[row.key] = index }
      body += tableRow(index, row, first: first, hasDecisions: hasDecisions, result.choices)
    }
    return tag(
      "div", .class("scroll"), Attribute("tabindex", "0"), .role("region"),
      .label(Words[.rowsLabel])
    ) {
      // On a phone the rows are stacked; the roles keep it a table for whoever listens.
      tag("table", .class("traits stacked matches"), .role("table")) {
        tag("thead", .role("rowgroup")) {
          tag("tr", .role("row")) {
            for title in titles {
              tag("th", Attribute("scope", "col"), .role("columnheader")) { Words[title] }
            }
          }
        }
        tag("tbody", .role("rowgroup")) { body }
      }
    }
  }

  private func tableRow(
    _ index: Int, _ row: MatchedRow, first: Int?, hasDecisions: Bool, _ choices: [String: String]
  ) -> Html {
    let view = pack.view
    func cell(_ title: Message, @HtmlBuilder content: () -> Html) -> Html {
      tag("td", .role("cell"), Attribute("data-label", Words[title]), content: content)
    }
    func text(_ column: MatchColumn) -> String {
      var bytes: [UInt8] = []
      column.append(row.match, row.query, view, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    let address = row.match.taxon.map { view.address(of: $0) }
    return tag(
      "tr", .id("row-\(index + 1)"), .class(row.needsReview ? "review" : nil), .role("row")
    ) {
      cell(.columnRow) { "\(index + 1)" }
      tag("th", Attribute("scope", "row"), .role("rowheader")) {
        Layout.name(row.query.name.isEmpty ? Words[.noName] : row.query.name)
        row.query.authorship.map { authorship in
          tag("span", .class("authorship")) {
            " "
            Layout.name(authorship)
          }
        }
      }
      cell(.columnStatus) { Self.badge(row.match.status) }
      cell(.columnScore) { text(.score) }
      cell(.columnWhy) { text(.reason) }
      cell(.columnAccepted) {
        if let address {
          tag("a", .href(Address(.taxon(address)))) {
            tag("i", .class("scientific"), .lang("la")) { Layout.name(text(.acceptedName)) }
          }
        }
      }
      cell(.rankTitle) { Words.rank(text(.rank)) }
      cell(.columnFamily) { family(of: row.match).map { Layout.name($0) } }
      if hasDecisions {
        cell(.columnDecision) {
          if row.needsReview {
            if let first {
              tag("a", .class("as"), Attribute("href", "#row-\(first + 1)")) {
                Words[.asInRow, ["number": "\(first + 1)"]]
              }
            } else {
              decision(index, row, choices[row.key], view)
            }
          }
        }
      }
    }
  }

  private func family(of match: NameMatch) -> String? {
    let view = pack.view
    guard let taxon = match.taxon,
      let family = (view.tree.ancestors(of: taxon) + [taxon])
        .last(where: { view.taxa.mainRank(of: $0) == .family })
    else { return nil }
    return view.names.scientificName(of: family)
  }

  /// What a person may choose for a name: its candidates, each taxon once, or none of them.
  private func decision(
    _ index: Int, _ row: MatchedRow, _ choice: String?, _ view: borrowing PackView
  ) -> Html {
    let id = Self.decisionField + "\(index)"
    var options: [(value: String, title: String)] = []
    func add(_ taxon: TaxonOrdinal, _ name: NameOrdinal?) {
      guard let value = view.sourceID(of: taxon), !options.contains(where: { $0.value == value })
      else { return }
      options.append((value, title(taxon, name, view)))
    }
    if let taxon = row.found.taxon { add(taxon, row.found.name) }
    for candidate in row.found.candidates { add(candidate.taxon, candidate.name) }
    let isListed = choice == nil || choice == "none" || options.contains { $0.value == choice }
    let label = Words[.whatMeans, ["name": row.key]]
    return Html {
      tag("label", .class("visually-hidden"), .for(id)) { label }
      if options.isEmpty {
        void(
          "input", .type("text"), .id(id), .name(id), .value(choice ?? ""),
          Attribute("placeholder", Words[.idOrNone]), Attribute("spellcheck", "false"),
          Attribute("autocomplete", "off"), Attribute("maxlength", "200"))
      } else {
        tag("select", .id(id), .name(id)) {
          tag("option", .value("")) {
            Words[row.found.taxon == nil ? .notDecided : .asAnswered]
          }
          for (value, title) in options {
            tag("option", .value(value), Attribute("selected", isSet: value == choice)) { title }
          }
          tag("option", .value("none"), Attribute("selected", isSet: choice == "none")) {
            Words[.noneOfThese]
          }
          if !isListed, let choice {
            tag("option", .value(choice), Attribute("selected", isSet: true)) { choice }
          }
        }
      }
    }
  }

  /// A candidate in a line: its name with authors, what that is a synonym of, its rank, what it is in, and
  /// its id.
  private func title(
    _ taxon: TaxonOrdinal, _ name: NameOrdinal?, _ view: borrowing PackView
  ) -> String {
    let accepted = view.names.scientificName(of: taxon)
    var title = accepted
    if let name {
      let authorship = view.record(of: name).authorship
      title = [view.names.text(of: name), authorship].compactMap { $0 }.joined(separator: " ")
      if !view.names.isScientific(name) { title += " → \(accepted)" }
    }
    var place = Words.rank(view.rank(of: taxon).rawValue)
    let named = view.tree.ancestors(of: taxon).filter {
      !view.isImplied($0)
        && view.taxa.mainRank(of: $0).map { $0 == .family || $0 == .kingdom } ?? false
    }
    if let clade = named.last {
      place = Words[.rankIn, ["rank": place, "clade": view.names.scientificName(of: clade)]]
    }
    title += Words.comma + place
    return title + (view.sourceID(of: taxon).map { " (\($0))" } ?? "")
  }

  private static func badge(_ status: MatchStatus) -> Html {
    tag("span", .class("badge status \(status.rawValue)")) {
      Words[word(status)]
    }
  }

  private static func word(_ status: MatchStatus) -> Message {
    switch status {
    case .exact: .matchExact
    case .synonym: .matchSynonym
    case .fuzzy: .matchFuzzy
    case .partial: .matchPartial
    case .ambiguous: .matchAmbiguous
    case .notFound: .matchNotFound
    case .invalid: .matchInvalid
    }
  }

  /// What a status means, in a few words.
  private static func meaning(_ status: MatchStatus) -> String {
    switch status {
    case .exact: Words[.meansExact]
    case .synonym: Words[.meansSynonym]
    case .fuzzy: Words[.meansFuzzy]
    case .partial: Words[.meansPartial]
    case .ambiguous: Words[.meansAmbiguous]
    case .notFound: Words[.meansNotFound]
    case .invalid: Words[.meansInvalid]
    }
  }
}
