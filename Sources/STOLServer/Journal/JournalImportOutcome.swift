import STOLAnswers
import STOLData
import STOLJournal

extension Pages {
  /// What would become of the file that waits.
  func waiting(_ visit: Visit, _ upload: JournalUpload, _ outcome: ImportOutcome) -> Html {
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
    (.deleted, "deleted there, and kept as that"),
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

  // MARK: - What is done

  /// What became of a file.
  func finished(_ visit: Visit, _ name: String, _ outcome: ImportOutcome) -> Html {
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
