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
      result == nil ? "Match names" : "Matched names", in: .match, hasTwin: false,
      status: failure?.status ?? 200
    ) {
      tag("h1") { result == nil ? "Match names" : "Matched names" }
      if result == nil {
        tag("p", .class("lead")) {
          "Which taxa do the names of your list mean? They may have authors, other endings and misspellings."
        }
      }
      if let failure { problem(failure) }
      if let result { answers(result) }
      section(result == nil ? "Your names" : "Match others", class: "names") { form }
      if result == nil, failure == nil { examples }
    }
  }

  // MARK: - Asking

  private func problem(_ failure: MatchSettings.Failure) -> Html {
    tag("div", .class("help"), .role("alert")) {
      tag("p") {
        failure.columns.isEmpty || settings?.nameColumn != nil
          ? "\(failure.title): \(failure.text)." : "No column of this table is known to hold names."
      }
      if !failure.columns.isEmpty, let file {
        multipart {
          state(file, without: "nameColumn")
          tag("div", .class("field")) {
            tag("label", .for("column")) { "Which column has the names?" }
            tag("select", .id("column"), .name("nameColumn")) {
              for column in failure.columns { tag("option", .value(column)) { column } }
            }
          }
          button("Match", "match", class: "button main")
        }
      }
    }
  }

  private var form: Html {
    multipart(attribute: Attribute("data-drop", "")) {
      tag("div", .class("field")) {
        tag("label", .for("text")) {
          "Names, one a line, or a table whose first line names its columns"
        }
        tag(
          "textarea", .id("text"), .name("text"), Attribute("rows", "8"),
          Attribute("spellcheck", "false"), Attribute("autocomplete", "off"),
          Attribute("autocapitalize", "none"))
      }
      tag("div", .class("field file")) {
        tag("label", .for("file")) { "Or a file: CSV, TSV, or one name a line" }
        void(
          "input", .type("file"), .id("file"), .name("file"),
          Attribute("accept", ".csv,.tsv,.tab,.txt,text/csv,text/plain,text/tab-separated-values"))
      }
      tag("p", .class("note")) {
        "Up to \(Words.grouped(MatchSettings.greatestRowCount)) rows and 1 MiB at once; for longer tables there is "
        tag("code") { "stol match FILE" }
        ". Nothing of it is kept."
      }
      tag(
        "details", .class("filters"),
        Attribute("open", isSet: settings.map { !$0.given.isEmpty } ?? false)
      ) {
        tag("summary") { "Options" }
        tag("div", .class("fields")) {
          tag("div") {
            tag("label", .for("min-score")) { "Least score of an answer, 0 to 100" }
            void(
              "input", .type("number"), .id("min-score"), .name("minScore"),
              .value("\((settings?.options ?? NameMatcher.Options()).leastScore)"),
              Attribute("min", "0"), Attribute("max", "100"))
          }
          tag("div") {
            tag("label", .for("add")) { "Columns to add" }
            void(
              "input", .type("text"), .id("add"), .name("add"),
              .value(settings?.add ?? Self.usualColumns), Attribute("spellcheck", "false"),
              Attribute("autocomplete", "off"))
          }
          tag("label", .class("choose")) {
            void(
              "input", .type("checkbox"), .name("ocr"), .value("yes"),
              Attribute("checked", isSet: settings?.options.allowsScannerErrors ?? false))
            " They come from a scanner"
          }
        }
      }
      button("Match", "match", class: "button main")
    }
  }

  private var examples: Html {
    Layout.chips(
      "For example",
      [
        ("Three cats", "Panthera leo (Linnaeus, 1758)\nFelis leo\nPanthera tigriss"),
        ("A table", "id,scientificName,family\n1,Quercus robus,Fagaceae\n2,Panthera sp.,Felidae\n"),
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
      section("In short", class: "facts") {
        tag("p", .class("lead")) {
          "\(Words.count(rows.count, "row", "rows").capitalisedFirst)."
          open.all > 0
            ? " Look at \(Words.count(open.all, "name", "names")): \(Words.grouped(open.decided)) decided."
            : " None needs a look."
        }
        itemList(of: Self.counts(rows)) { status, count in
          tag("b") { Words.grouped(count) }
          " "
          Self.badge(status)
          " \(Self.meaning(status))"
        }
      }
      if let file, !rows.isEmpty {
        section("Row by row") {
          multipart {
            state(file)
            if open.all > 0 {
              tag("p") {
                "Choose what a name means; it counts for all rows of that name. Then apply it, or download the table at once."
              }
              tag("label", .class("choose only")) {
                void("input", .type("checkbox"), .id("only-review"))
                " Only rows to look at"
              }
            }
            table(result)
            tag("div", .class("actions")) {
              if open.all > 0 { button("Apply decisions", "decide", class: "button main") }
              button(
                "Download the table", "download", class: open.all > 0 ? "button" : "button main")
              if open.all > 0 { button("Download decisions", "review") }
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

  private static let titles = [
    "Row", "Name", "Status", "Score", "Why", "Accepted name", "Rank", "Family", "Decision",
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
      "div", .class("scroll"), Attribute("tabindex", "0"), .role("region"), .label("Rows")
    ) {
      // On a phone the rows are stacked; the roles keep it a table for whoever listens.
      tag("table", .class("traits stacked matches"), .role("table")) {
        tag("thead", .role("rowgroup")) {
          tag("tr", .role("row")) {
            for title in titles {
              tag("th", Attribute("scope", "col"), .role("columnheader")) { title }
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
    func cell(_ title: String, @HtmlBuilder content: () -> Html) -> Html {
      tag("td", .role("cell"), Attribute("data-label", title), content: content)
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
      cell("Row") { "\(index + 1)" }
      tag("th", Attribute("scope", "row"), .role("rowheader")) {
        Layout.name(row.query.name.isEmpty ? "(no name)" : row.query.name)
        row.query.authorship.map { authorship in
          tag("span", .class("authorship")) {
            " "
            Layout.name(authorship)
          }
        }
      }
      cell("Status") { Self.badge(row.match.status) }
      cell("Score") { text(.score) }
      cell("Why") { text(.reason) }
      cell("Accepted name") {
        if let address {
          tag("a", .href(Address(.taxon(address)))) {
            tag("i", .class("scientific"), .lang("la")) { Layout.name(text(.acceptedName)) }
          }
        }
      }
      cell("Rank") { text(.rank) }
      cell("Family") { family(of: row.match).map { Layout.name($0) } }
      if hasDecisions {
        cell("Decision") {
          if row.needsReview {
            if let first {
              tag("a", .class("as"), Attribute("href", "#row-\(first + 1)")) {
                "as in row \(first + 1)"
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
    let label = "What “\(row.key)” means"
    return Html {
      tag("label", .class("visually-hidden"), .for(id)) { label }
      if options.isEmpty {
        void(
          "input", .type("text"), .id(id), .name(id), .value(choice ?? ""),
          Attribute("placeholder", "an id, or none"), Attribute("spellcheck", "false"),
          Attribute("autocomplete", "off"), Attribute("maxlength", "200"))
      } else {
        tag("select", .id(id), .name(id)) {
          tag("option", .value("")) { row.found.taxon == nil ? "Not decided" : "As answered" }
          for (value, title) in options {
            tag("option", .value(value), Attribute("selected", isSet: value == choice)) { title }
          }
          tag("option", .value("none"), Attribute("selected", isSet: choice == "none")) {
            "None of these"
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
    title += ", \(view.rank(of: taxon).rawValue)"
    let named = view.tree.ancestors(of: taxon).filter {
      !view.isImplied($0)
        && view.taxa.mainRank(of: $0).map { $0 == .family || $0 == .kingdom } ?? false
    }
    if let clade = named.last { title += " in \(view.names.scientificName(of: clade))" }
    return title + (view.sourceID(of: taxon).map { " (\($0))" } ?? "")
  }

  private static func badge(_ status: MatchStatus) -> Html {
    tag("span", .class("badge status \(status.rawValue)")) {
      status.rawValue.replacing("_", with: " ")
    }
  }

  /// What a status means, in a few words.
  private static func meaning(_ status: MatchStatus) -> String {
    switch status {
    case .exact: "the name stands so in this database, or you decided"
    case .synonym: "another name of a taxon"
    case .fuzzy: "another ending, or a letter or two differ"
    case .partial: "only a part is known: a higher taxon is given"
    case .ambiguous: "several taxa fit equally"
    case .notFound: "nothing here is near enough"
    case .invalid: "it cannot be read as a name"
    }
  }
}
