import STOLAnswers
import STOLJournal

extension Pages {
  /// The page about what leaves, with what `fields` say filled in.
  func exportForm(
    _ visit: Visit, _ fields: Fields, _ journal: LocalJournal?, question: JournalQuestion? = nil,
    leaving: JournalLeaving? = nil, error: String? = nil, status: Int = 200
  ) async throws -> Reply {
    let status = error == nil ? status : 400
    if visit.isOfProgram {
      return exportAnswer(question, leaving, error, status)
    }
    let filter = question?.filter ?? JournalFilter(fields)
    var place: String?
    if let journal { place = try await placeName(filter.place, journal) }
    return journalPage(visit, .export, "Give out", status: status) {
      if journal == nil {
        tag("p", .class("lead")) { "Nothing is noted here yet, so nothing can be given out." }
      }
      if let error {
        tag("div", .class("help"), .role("alert")) {
          tag("p") { "Nothing has left. \(error.capitalisedFirst)." }
        }
      }
      if let leaving {
        if status == 409 {
          tag("div", .class("help"), .role("alert")) {
            tag("p") {
              "Nothing has left. It would have been something else than was shown: this is what it is now."
            }
          }
        }
        self.leaving(visit, leaving, filter)
      }
      exportFields(visit, fields, filter, question, place)
    }
  }

  private func exportAnswer(
    _ question: JournalQuestion?, _ leaving: JournalLeaving?, _ error: String?, _ status: Int
  ) -> Reply {
    if let error {
      return .json(status: status) {
        $0.text("error", "Nothing has left")
        $0.text("detail", error)
      }
    }
    return .json(status: status) { json in
      json.texts("formats", ExportFormat.allCases.map(\.rawValue))
      json.text("obstacle", question?.obstacle)
      if let leaving {
        json.object("leaving") { json in
          leaving.write(to: &json)
          json.number("byteCount", leaving.byteCount)
        }
      } else {
        json.null("leaving")
      }
    }
  }

  // MARK: - What leaves

  private func leaving(_ visit: Visit, _ leaving: JournalLeaving, _ filter: JournalFilter) -> Html {
    let choice = leaving.choice
    return tag("section", .class("leaving"), .id("leaving")) {
      tag("h2") { "This leaves" }
      tag("p", .class("lead")) {
        choice.isExact
          ? "For yourself: everything as you noted it, exactly."
          : "For others: who was there never leaves, and of what is threatened, obscured or private they get less."
      }
      countTable("In the file", leaving.written + leaving.positions)
      if !choice.isExact {
        countTable("Less exactly: the month, and a cell of the map", leaving.generalised)
        countTable("Kept from others", leaving.withheld)
        if !leaving.report.sharing.knowsThreats {
          tag("p", .class("note")) {
            "This database says of no taxon that it is threatened: what you have not marked as obscured or private leaves exactly."
          }
        } else if leaving.report.sharing.unknownCount > 0 {
          tag("p", .class("note")) {
            "\(Words.count(leaving.report.sharing.unknownCount, "sighting is", "sightings are").capitalisedFirst) of taxa that this database does not have: whether those are threatened is known by their names alone."
          }
        }
      }
      countTable("What this format has no room for", leaving.losses)
      countTable("Written otherwise, and not lost", leaving.changes)
      if leaving.losses.isEmpty, leaving.generalised.isEmpty, leaving.withheld.isEmpty {
        tag("p") { "Nothing is left out." }
      }
      download(visit, leaving, filter)
    }
  }

  private func countTable(_ title: String, _ lines: [JournalLeaving.Line]) -> Html? {
    guard !lines.isEmpty else { return nil }
    return tag("table", .class("traits counts")) {
      tag("caption") { title }
      tag("tbody") {
        for line in lines {
          tag("tr") {
            tag("th", Attribute("scope", "row")) { tag("bdi") { line.what } }
            tag("td") { Words.grouped(line.count) }
          }
        }
      }
    }
  }

  private func download(
    _ visit: Visit, _ leaving: JournalLeaving, _ filter: JournalFilter
  ) -> Html {
    let layout = layout(visit)
    return tag(
      "form", .class("entry download"), Attribute("method", "post"),
      Attribute("action", Address(.export).text)
    ) {
      layout.hidden(RequestGuard.tokenField, token)
      layout.hidden("shown", leaving.mark)
      for (name, value) in leaving.choice.fields.pairs + filter.fields.pairs {
        layout.hidden(name, value)
      }
      if leaving.choice.format == .archive {
        tag("div", .class("pair")) {
          secretField("passphrase", "Passphrase of the archive", isNew: true)
          secretField("again", "The same again", isNew: true)
        }
        tag("label", .class("choose")) {
          void("input", .type("checkbox"), .name("unsealed"), .value("yes"))
          "Without a passphrase: anybody who has the file can read it"
        }
      }
      tag("button", .type("submit"), .class("button main save")) {
        "Save the file, \(Words.bytes(Int64(leaving.byteCount)))"
      }
    }
  }

  // MARK: - The form

  private func exportFields(
    _ visit: Visit, _ fields: Fields, _ filter: JournalFilter, _ question: JournalQuestion?,
    _ place: String?
  ) -> Html {
    tag("form", .class("entry export"), Attribute("action", Address(.export).text)) {
      tag("h2") { fields["format"] == nil ? "What, and for whom?" : "Something else" }
      tag("fieldset", .class("profiles")) {
        tag("legend") { "For whom is it?" }
        for (word, text) in [
          ("others", "Others: a friend, or everybody"), ("myself", "Myself: everything, exactly"),
        ] {
          tag("label", .class("choose")) {
            void(
              "input", .type("radio"), .name("for"), .value(word),
              Attribute("checked", isSet: word == fields["for"] ?? "others"))
            text
          }
        }
      }
      tag("div", .class("field")) {
        tag("label", .for("format")) { "Format" }
        tag("select", .id("format"), .name("format")) {
          for group in JournalExportChoice.groups {
            tag("optgroup", Attribute("label", group.title)) {
              for (format, text) in group.formats {
                tag(
                  "option", .value(format.rawValue),
                  Attribute(
                    "selected", isSet: format.rawValue == fields["format"] ?? "csv")
                ) { text }
              }
            }
          }
        }
      }
      exportFilter(filter, question, place)
      tag("fieldset", .class("only-dwca")) {
        tag("legend") { "For a Darwin Core archive only" }
        tag("div", .class("pair")) {
          exportText("creator", "Whose records these are", fields)
          exportText("title", "What it is called", fields)
        }
        tag("div", .class("field")) {
          tag("label", .for("licence")) { "What others may do with it" }
          tag("select", .id("licence"), .name("licence")) {
            tag("option", .value("")) { "choose one" }
            for licence in DatasetDescription.Licence.allCases {
              tag(
                "option", .value(licence.rawValue),
                Attribute("selected", isSet: fields["licence"] == licence.rawValue)
              ) { licence.rawValue }
            }
          }
        }
      }
      tag("button", .type("submit"), .class("button main save")) { "Show what would leave" }
      tag("p", .class("note")) { "Nothing leaves by that: the file is saved from the next page." }
    }
  }

  /// The fields that limit what leaves, those of the list.
  private func exportFilter(
    _ filter: JournalFilter, _ question: JournalQuestion?, _ place: String?
  ) -> Html {
    var values = Fields()
    values.append("taxon", question?.card?.title ?? filter.taxon)
    values.append("from", filter.from)
    values.append("to", filter.to)
    let others = filter.with { filter in
      (filter.taxon, filter.kind, filter.from, filter.to) = (nil, nil, nil, nil)
    }
    return tag("fieldset") {
      tag("legend") { "Only some of it" }
      if let obstacle = question?.obstacle {
        tag("div", .class("help")) {
          tag("p") {
            "Nothing is shown for "
            tag("bdi") { filter.taxon ?? "" }
            ": \(obstacle)."
          }
        }
      }
      tag("div", .class("pair")) {
        tag("div", .class("field")) {
          tag("label", .for("taxon")) { "Only what belongs to" }
          void(
            "input", .type("text"), .id("taxon"), .name("taxon"), .value(values["taxon"] ?? ""),
            Attribute("autocomplete", "off"), Attribute("autocapitalize", "none"),
            Attribute("spellcheck", "false"), Attribute("maxlength", "200"),
            Attribute("data-complete", Address(.journal(.completions), .json).path),
            Attribute("data-fill", ""), Attribute("data-id", question?.card?.address.text))
        }
        tag("div", .class("field")) {
          tag("label", .for("kind")) { "Only what was noted on" }
          tag("select", .id("kind"), .name("kind")) {
            tag("option", .value("")) { "anything" }
            for kind in Event.Kind.allCases {
              tag(
                "option", .value(kind.rawValue), Attribute("selected", isSet: kind == filter.kind)
              ) { JournalWords.kind(kind) }
            }
          }
        }
      }
      tag("div", .class("pair")) {
        exportText("from", "From", values, hint: "2025, 2025-05 or 2025-05-04")
        exportText("to", "Up to, all of it", values, hint: "2026")
      }
      if !others.isEmpty {
        let words = [
          others.year.map { "\($0)" }, others.month.map { JournalWords.month($0) },
          others.tag.map { "tag \($0)" }, others.place.map { _ in "at \(place ?? "a place")" },
          others.day, others.box.map { _ in "a part of the map" },
        ].compactMap { $0 }
        tag("p") {
          "Limited already to "
          tag("bdi") { words.joined(separator: ", ") }
          ". "
          tag("a", .href(Address(.export))) { "Take that away" }
        }
        for (name, value) in others.fields.pairs {
          void("input", .type("hidden"), .name(name), .value(value))
        }
      }
    }
  }

  private func exportText(
    _ name: String, _ title: String, _ values: Fields, hint: String? = nil
  ) -> Html {
    tag("div", .class("field")) {
      tag("label", .for(name)) { title }
      void(
        "input", .type("text"), .id(name), .name(name), .value(values[name] ?? ""),
        Attribute("autocomplete", "off"), Attribute("maxlength", "200"),
        Attribute("aria-describedby", hint.map { _ in "\(name)-hint" }))
      if let hint { tag("p", .class("note"), .id("\(name)-hint")) { hint } }
    }
  }
}
