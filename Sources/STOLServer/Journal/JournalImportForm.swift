import STOLAnswers
import STOLData
import STOLJournal

extension Pages {
  /// The page of an import, as far as it is.
  func importPage(
    _ visit: Visit, _ state: JournalUploads.State, wrong: String? = nil, status: Int = 200
  ) -> Reply {
    journalPage(visit, .import, "Bring in", status: status) {
      if let wrong {
        tag("div", .class("help"), .role("alert")) { tag("p") { "\(wrong)." } }
      }
      switch state {
      case .none:
        tag("p", .class("lead")) {
          "What other programs wrote, or this one: nothing is kept before you have seen what would become of it."
        }
        sendForm(visit)
      case .unreadable(let upload, let reason, let proposal):
        unreadable(visit, upload, reason, proposal)
      case .waiting(let upload, let outcome): waiting(visit, upload, outcome)
      case .done(_, let name, let outcome): finished(visit, name, outcome)
      }
    }
  }

  private func sendForm(_ visit: Visit) -> Html {
    let layout = layout(visit)
    return tag(
      "form", .class("entry send"), Attribute("method", "post"),
      Attribute("action", Address(.import).text), Attribute("enctype", "multipart/form-data")
    ) {
      layout.hidden(RequestGuard.tokenField, token)
      layout.hidden("action", "send")
      tag("div", .class("field")) {
        tag("label", .for("file")) { "The file, up to 64 MB" }
        void(
          "input", .type("file"), .id("file"), .name("file"),
          Attribute("aria-describedby", "file-hint"))
        tag("p", .class("note"), .id("file-hint")) {
          "MyEBirdData.csv of eBird, tables of iNaturalist, GPX, KML, GeoJSON, dive logs of Subsurface, UDDF and FIT, Darwin Core archives, what Tree Tracker and UmiLog export, tables as CSV, and whatever this journal has given out. What it is shows in the file itself."
        }
      }
      tag("label", .class("choose")) {
        void("input", .type("checkbox"), .name("photos"), .value("skip"))
        "Leave out photos"
      }
      tag("details") {
        tag("summary") { "It is an archive with a passphrase" }
        secretField("passphrase", "Passphrase of the archive", isNew: false)
      }
      tag("button", .type("submit"), .class("button main save")) { "Look into it" }
    }
  }

  private func again(_ visit: Visit) -> Html {
    section("Another file", id: "another") { sendForm(visit) }
  }

  private func dropForm(_ visit: Visit) -> Html {
    layout(visit).action(.journal(.import), "Let go of it", ["action": "drop"])
  }

  // MARK: - What cannot be read

  private func unreadable(
    _ visit: Visit, _ upload: JournalUpload, _ reason: String, _ proposal: String?
  ) -> Html {
    Html {
      tag("div", .class("help"), .role("alert")) {
        tag("p") {
          tag("bdi") { upload.name }
          " cannot be read so, and nothing of it is kept: "
          tag("bdi") { reason }
          "."
        }
      }
      if let proposal { mappingForm(visit, upload, proposal, isOpen: true) }
      dropForm(visit)
      again(visit)
    }
  }

  private func mappingForm(
    _ visit: Visit, _ upload: JournalUpload, _ mapping: String, isOpen: Bool
  ) -> Html {
    let layout = layout(visit)
    return tag("details", Attribute("open", isSet: isOpen)) {
      tag("summary") { "What its columns mean" }
      tag(
        "form", .class("entry"), Attribute("method", "post"),
        Attribute("action", Address(.import).text)
      ) {
        layout.hidden(RequestGuard.tokenField, token)
        layout.hidden("action", "look")
        layout.hidden("upload", upload.id)
        tag("div", .class("field")) {
          tag("label", .for("map")) { "One a line: column=field, or column=field:unit" }
          tag(
            "textarea", .id("map"), .name("map"), Attribute("rows", "12"),
            Attribute("spellcheck", "false"), Attribute("aria-describedby", "map-hint")
          ) { mapping }
          tag("p", .class("note"), .id("map-hint")) {
            "A line that begins with # says nothing: take that away from what you mean. Inches or centimetres are never guessed. "
            "=source=Orchard book says where its identifiers are from."
          }
        }
        tag("button", .type("submit"), .class("button save")) { "Look again" }
      }
    }
  }

  // MARK: - What waits

  private func waiting(_ visit: Visit, _ upload: JournalUpload, _ outcome: ImportOutcome) -> Html {
    let taxa = seen(outcome.questions.flatMap(\.candidates).map(\.taxon), visit)
    let layout = layout(visit)
    return Html {
      tag("p", .class("lead")) {
        tag("bdi") { upload.name }
        " would become this. Nothing of it is kept yet."
      }
      summaryTable("Its rows", outcome)
      notTaken(outcome)
      oddRows(outcome)
      if let mapping = outcome.mapping { mappingForm(visit, upload, mapping, isOpen: false) }
      tag(
        "form", .class("entry decide"), Attribute("method", "post"),
        Attribute("action", Address(.import).text)
      ) {
        layout.hidden(RequestGuard.tokenField, token)
        layout.hidden("action", "import")
        layout.hidden("upload", upload.id)
        questions(outcome, taxa)
        tag("p") { Self.secondImport(outcome) }
        tag("button", .type("submit"), .class("button main save")) { "Bring it in" }
      }
      dropForm(visit)
      again(visit)
    }
  }

  /// What becomes of the rows that are there already, and of all of them when the file comes again.
  private static func secondImport(_ outcome: ImportOutcome) -> String {
    let counts = outcome.summary.rowCounts
    let known = counts[.same] ?? 0
    let differing = counts[.differs] ?? 0
    var sentences: [String] = []
    if known > 0 {
      sentences.append(
        "\(Words.count(known, "row is", "rows are").capitalisedFirst) there already, and stay as they are."
      )
    }
    if differing > 0 {
      sentences.append(
        "\(Words.count(differing, "row says", "rows say").capitalisedFirst) otherwise than what is there, which stays."
      )
    }
    sentences.append(
      "The same file again would change nothing, and all of it can be undone as one.")
    return sentences.joined(separator: " ")
  }

  private func summaryTable(_ title: String, _ outcome: ImportOutcome) -> Html {
    let counts = outcome.summary.rowCounts
    return tag("table", .class("traits counts"), .id("rows")) {
      tag("caption") {
        "\(title): \(Words.grouped(outcome.summary.rowCount)), read as \(outcome.format.rawValue)"
      }
      tag("tbody") {
        for (kind, word) in Self.outcomeWords {
          if let count = counts[kind] {
            tag("tr") {
              tag("th", Attribute("scope", "row")) { word }
              tag("td") { Words.grouped(count) }
            }
          }
        }
      }
    }
  }

  private static let outcomeWords: [(ImportedRow.Outcome, String)] = [
    (.new, "new"), (.updated, "changed"), (.flagged, "taken, though something is odd"),
    (.duplicate, "taken, though something like it is there"), (.same, "there already"),
    (.differs, "otherwise than what is there, which stays"), (.refused, "refused"),
  ]

  private func notTaken(_ outcome: ImportOutcome) -> Html? {
    let left = outcome.summary.beside.leftOut.sorted { $0.key < $1.key }
    guard !outcome.unread.isEmpty || !left.isEmpty else { return nil }
    return tag("details") {
      tag("summary") { "What is not taken" }
      tag("ul") {
        for column in outcome.unread {
          tag("li") {
            "The column "
            tag("bdi") { column }
          }
        }
        for (what, count) in left {
          tag("li") {
            tag("bdi") { what }
            ": \(Words.count(count, "row", "rows"))"
          }
        }
      }
    }
  }

  private func oddRows(_ outcome: ImportOutcome) -> Html? {
    guard outcome.odd.count > 0 else { return nil }
    return section("Rows to look at", id: "odd") {
      tag("table", .class("traits stacked")) {
        tag("thead") {
          tag("tr") {
            for title in ["Line", "It is", "Where", "Why"] {
              tag("th", Attribute("scope", "col")) { title }
            }
          }
        }
        tag("tbody") {
          for row in outcome.odd.shown { row.reasons.map { oddRow(row, $0) } }
        }
      }
      if outcome.odd.count > outcome.odd.shown.count {
        tag("p", .class("note")) {
          "And \(Words.grouped(outcome.odd.count - outcome.odd.shown.count)) more."
        }
      }
    }
  }

  private func oddRow(_ row: ImportedRow, _ reason: ImportedRow.Reason) -> Html {
    tag("tr") {
      tag("th", Attribute("scope", "row")) { "\(row.line)" }
      tag("td", Attribute("data-label", "It is")) {
        switch row.outcome {
        case .refused: "refused"
        case .differs: "there, and stays so"
        default: "taken"
        }
      }
      tag("td", Attribute("data-label", "Where")) {
        tag("bdi") { reason.column }
        if !reason.value.isEmpty {
          ": "
          tag("bdi") { String(reason.value.prefix(80)) }
        }
      }
      tag("td", Attribute("data-label", "Why")) {
        tag("bdi") { reason.reason }
        if !reason.remedy.isEmpty {
          ": "
          tag("bdi") { reason.remedy }
        }
      }
    }
  }

  // MARK: - Names

  /// As many names are asked about on the page.
  private static let shownQuestionCount = 100

  private func questions(
    _ outcome: ImportOutcome, _ taxa: [TaxonReference: SeenTaxon]
  ) -> Html? {
    guard !outcome.questions.isEmpty else { return nil }
    let asked = outcome.questions.filter { !$0.candidates.isEmpty }
    let shown = asked.prefix(Self.shownQuestionCount)
    let unknown = outcome.questions.filter(\.candidates.isEmpty)
    return tag("div", .class("decisions"), .id("names")) {
      if !shown.isEmpty {
        tag("h2") {
          "\(Words.count(asked.count, "name needs", "names need").capitalisedFirst) a decision"
        }
        tag("p") {
          "They are not known letter for letter, or stand for several. What you leave open stays as it is written."
        }
        for question in shown { decision(question, taxa) }
        if asked.count > shown.count {
          tag("p", .class("note")) {
            "\(Words.grouped(asked.count - shown.count)) more stay open; each can be decided on the page of its sighting."
          }
        }
      }
      if !unknown.isEmpty {
        tag("p", .class("note")) {
          "\(Words.count(unknown.count, "name is", "names are").capitalisedFirst) like none that is known, and stay as written: "
          tag("bdi") {
            unknown.prefix(12).map(\.verbatimName).joined(separator: ", ")
              + (unknown.count > 12 ? ", …" : "")
          }
        }
      }
    }
  }

  private func decision(_ question: NameQuestion, _ taxa: [TaxonReference: SeenTaxon]) -> Html {
    let name = Self.decisionPrefix + question.key
    return tag("fieldset", .class("decision")) {
      tag("legend") {
        tag("bdi") { question.verbatimName }
        ", \(Words.count(question.rowCount, "row", "rows"))"
      }
      tag("p", .class("note")) { "\(question.reason.capitalisedFirst)." }
      for candidate in question.candidates {
        tag("label", .class("choose")) {
          void(
            "input", .type("radio"), .name(name), .value(candidate.taxon.written))
          tag("span") {
            taxa[candidate.taxon]?.names ?? SeenTaxon.scientific(candidate.taxon.name)
            " "
            tag("span", .class("badge rank")) { candidate.taxon.rank }
          }
        }
      }
      tag("label", .class("choose")) {
        void(
          "input", .type("radio"), .name(name), .value(""), Attribute("checked", isSet: true))
        "Leave it open"
      }
    }
  }

  // MARK: - What is done

  private func finished(_ visit: Visit, _ name: String, _ outcome: ImportOutcome) -> Html {
    let batch = outcome.summary.batch
    return Html {
      tag("div", .class("help done"), .role("status")) {
        tag("p") {
          tag("bdi") { name }
          batch == nil
            ? " was there already: nothing has changed."
            : " is in the journal: \(Words.count(outcome.summary.newRecordCount, "new record", "new records"))."
        }
        if let batch {
          layout(visit).action(
            .journal(.list), "Undo all of it", ["action": "undo", "batch": "\(batch)"])
        }
      }
      summaryTable("Its rows", outcome)
      if outcome.decidedCount > 0 || !outcome.questions.isEmpty {
        tag("p") {
          "\(Words.count(outcome.decidedCount, "name was", "names were").capitalisedFirst) decided; "
          "\(Words.count(outcome.questions.count, "name stays", "names stay")) as written."
        }
      }
      notTaken(outcome)
      oddRows(outcome)
      tag("p", .class("actions")) {
        tag("a", .class("button main"), .href(Address(.list))) { "See the journal" }
        tag("a", .class("button"), .href(Address(.map))) { "On the map" }
      }
      again(visit)
    }
  }
}
