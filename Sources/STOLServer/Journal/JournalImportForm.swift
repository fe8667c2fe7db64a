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

  /// The form for another file.
  func again(_ visit: Visit) -> Html {
    section("Another file", id: "another") { sendForm(visit) }
  }

  /// A button that lets go of the file that waits.
  func dropForm(_ visit: Visit) -> Html {
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

  /// What the columns of a table mean, for a person to look over.
  func mappingForm(
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
}
