import STOLData
import STOLJournal
import STOLPack

extension Pages {
  /// The page with the form, its fields as `values` say.
  func entryPage(
    _ visit: Visit, _ values: Fields, places: [String], card: TaxonCard?, error: String? = nil
  ) -> Reply {
    let layout = layout(visit)
    let profile = values["kind"].flatMap { JournalEntry.Profile(rawValue: $0) } ?? .walk
    let isAgain = visit.query["again"] != nil && visit.form == nil
    var reply = layout.page(
      "Note something", in: .journal, hasTwin: false, status: error == nil ? 200 : 400
    ) {
      tag("nav", .class("breadcrumb"), .label("Breadcrumb")) {
        tag("ol") { tag("li") { tag("a", .href(Address(.list))) { "Journal" } } }
      }
      tag("h1") { isAgain ? "The same again" : "Note something" }
      if let error {
        tag("div", .class("help"), .role("alert"), .id("wrong")) {
          tag("p") { "It is not kept yet. \(error.capitalisedFirst)." }
          if visit.file != nil { tag("p") { "Choose the photo again, too." } }
        }
      }
      tag(
        "form", .class("entry"), Attribute("method", "post"), Attribute("data-entry", ""),
        Attribute("action", Address(.new).text), Attribute("enctype", "multipart/form-data")
      ) {
        layout.hidden(RequestGuard.tokenField, token)
        layout.hidden("id", values["id"] ?? "")
        for name in ["organism", "placeid"] {
          if let value = values[name] { layout.hidden(name, value) }
        }
        profiles(profile)
        whatFields(values, card)
        whenAndWhere(values, places)
        treeFields(values)
        diveFields(values)
        moreFields(values)
        tag("p", .class("review"), .id("review"), Attribute("aria-live", "polite")) {
          review(values, card)
        }
        tag("button", .type("submit"), .class("button main save")) { "Keep it" }
      }
    }
    // Only here, and only where somebody presses the button, a page asks where it is.
    reply.fields.append(
      ("permissions-policy", "camera=(), geolocation=(self), microphone=()"))
    return reply
  }

  private func profiles(_ current: JournalEntry.Profile) -> Html {
    tag("fieldset", .class("profiles")) {
      tag("legend") { "What is it about?" }
      for (profile, word) in [
        (JournalEntry.Profile.walk, "A walk or visit"), (.tree, "A tree"), (.dive, "A dive"),
      ] {
        tag("label", .class("choose")) {
          void(
            "input", .type("radio"), .name("kind"), .value(profile.rawValue),
            .id("kind-\(profile.rawValue)"), Attribute("checked", isSet: profile == current))
          word
        }
      }
    }
  }

  private func whatFields(_ values: Fields, _ card: TaxonCard?) -> Html {
    tag("div", .class("pair")) {
      tag("div", .class("field wide")) {
        tag("label", .for("what")) { "What did you see?" }
        void(
          "input", .type("text"), .id("what"), .name("taxon"),
          .value(card?.title ?? values["taxon"] ?? ""), Attribute("autocomplete", "off"),
          Attribute("autocapitalize", "none"), Attribute("spellcheck", "false"),
          Attribute("maxlength", "500"), Attribute("aria-describedby", "what-hint"),
          Attribute("data-complete", Address(.journal(.completions), .json).path),
          Attribute("data-fill", ""), Attribute("data-id", card?.address.text))
        tag("p", .class("note"), .id("what-hint")) {
          if let card {
            "That is "
            SeenTaxon.scientific(card.taxon.scientificName)
            "."
          } else {
            "A name that is known letter for letter is taken for its taxon; one that is merely alike never is."
          }
        }
      }
      input("count", "How many?", values, hint: "4, 4+ or ~40; 0 for none")
    }
  }

  private func whenAndWhere(_ values: Fields, _ places: [String]) -> Html {
    Html {
      tag("div", .class("pair")) {
        input(
          "when", "When, by the clock there", values, hint: "2026-05-04 09:44, or 2026-05, or 2026")
        tag("div", .class("field")) {
          tag("label", .for("place")) { "Place" }
          void(
            "input", .type("text"), .id("place"), .name("place"), .value(values["place"] ?? ""),
            Attribute("list", "places"), Attribute("maxlength", "200"),
            Attribute("autocomplete", "off"), Attribute("aria-describedby", "place-hint"))
          tag("datalist", .id("places")) {
            for place in places { tag("option", .value(place)) }
          }
          tag("p", .class("note"), .id("place-hint")) { "A name that is new makes a new place." }
        }
      }
      tag("div", .class("pair")) {
        input("at", "Where exactly", values, hint: "latitude, longitude: 42.45331, -76.48070")
        input(
          "accuracy", "Within how many metres?", values,
          hint:
            "under 5 excellent, under 10 good, under 15 acceptable, under 20 marginal, else poor",
          mode: "numeric")
      }
      tag("p", .class("locate"), .id("locate"), Attribute("hidden", isSet: true))
    }
  }

  private func treeFields(_ values: Fields) -> Html {
    tag("fieldset", .class("only-tree")) {
      tag("legend") { "The tree" }
      if values["organism"] != nil {
        tag("p", .class("note")) { "This is one more visit to the same tree." }
      } else {
        input(
          "individual", "Its name or number", values,
          hint: "so that it can be visited again: Row 1, tree 3")
      }
      input(
        "measure", "Measures", values, hint: "girth=1.83m, height=12m, health=good")
    }
  }

  private func diveFields(_ values: Fields) -> Html {
    tag("fieldset", .class("only-dive")) {
      tag("legend") { "The dive" }
      tag("div", .class("pair")) {
        input("depth", "Deepest point, in metres", values, hint: "12, or 40ft", mode: "decimal")
        input("duration", "How long, in minutes", values, hint: "46, or 1h5min")
      }
      tag("div", .class("pair")) {
        input("tank", "Tank", values, hint: "12l,200-60bar,EAN32")
        input("water", "Water, in °C", values, hint: "28, or 82F")
      }
      input("visibility", "How far one saw, in metres", values, hint: "25", mode: "decimal")
    }
  }

  private func moreFields(_ values: Fields) -> Html {
    Html {
      tag("div", .class("field not-tree")) {
        tag("label", .for("more")) { "What else, one a line" }
        tag(
          "textarea", .id("more"), .name("more"), Attribute("rows", "4"),
          Attribute("spellcheck", "false"), Attribute("aria-describedby", "more-hint")
        ) { values["more"] ?? "" }
        tag("p", .class("note"), .id("more-hint")) { "Chelonia mydas=2, Pterois volitans=0" }
      }
      tag("div", .class("field")) {
        tag("label", .for("note")) { "Note" }
        tag("textarea", .id("note"), .name("note"), Attribute("rows", "3")) { values["note"] ?? "" }
      }
      tag("div", .class("pair")) {
        tag("div", .class("field")) {
          tag("label", .for("photo")) { "Photo" }
          void(
            "input", .type("file"), .id("photo"), .name("photo"), Attribute("accept", "image/*"))
        }
        input("tags", "Tags, commas between", values, hint: "blossom, veteran")
      }
      tag("div", .class("field")) {
        tag("label", .for("privacy")) { "What others may know of where it was, in what you share" }
        tag("select", .id("privacy"), .name("privacy")) {
          for (word, text) in [
            ("open", "The exact spot"), ("obscured", "Only the surroundings"),
            ("private", "Nothing"),
          ] {
            tag(
              "option", .value(word),
              Attribute("selected", isSet: word == values["privacy"] ?? "open")
            ) { text }
          }
        }
      }
    }
  }

  private func input(
    _ name: String, _ title: String, _ values: Fields, hint: String, mode: String? = nil
  ) -> Html {
    tag("div", .class("field")) {
      tag("label", .for(name)) { title }
      void(
        "input", .type("text"), .id(name), .name(name), .value(values[name] ?? ""),
        Attribute("autocomplete", "off"), Attribute("maxlength", "500"),
        Attribute("inputmode", mode), Attribute("aria-describedby", "\(name)-hint"))
      tag("p", .class("note"), .id("\(name)-hint")) { hint }
    }
  }

  /// What is about to be kept, in a line.
  private func review(_ values: Fields, _ card: TaxonCard?) -> Html {
    let parts = [
      card?.title ?? values["taxon"], values["count"].map { "\($0)" },
      values["depth"].map { "\($0) m" }, values["duration"].map { "\($0) min" }, values["when"],
      values["place"], values["at"], values["accuracy"].map { "within \($0) m" },
    ].compactMap { $0 }
    return Html { tag("bdi") { parts.joined(separator: ", ") } }
  }
}
