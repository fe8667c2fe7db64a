import STOLData
import STOLJournal
import STOLPack

/// What the form for a note shows.
struct EntryFormContent: Sendable {
  /// What its fields say.
  var values: Fields
  /// The names of places that are known.
  var places: [String]
  /// The taxon that it is about, where one was picked.
  var card: TaxonCard?
  /// The part of the globe on its small map.
  var map: JournalMapView
  /// What has just become of it, in words.
  var said: String?
}

extension Pages {
  /// The page with the form.
  func entryPage(_ visit: Visit, _ content: EntryFormContent, error: String? = nil) -> Reply {
    let layout = layout(visit)
    let (values, card) = (content.values, content.card)
    let profile = values["kind"].flatMap { JournalEntry.Profile(rawValue: $0) } ?? .walk
    let isAgain = visit.query["again"] != nil && visit.form == nil
    // What is typed into a locked journal is nowhere else.
    let isPrivate = (try? JournalLock.isLocked(in: services.directory)) ?? true
    var reply = layout.page(
      "Note something", in: .journal, hasTwin: false, status: error == nil ? 200 : 400
    ) {
      tag("nav", .class("breadcrumb"), .label("Breadcrumb")) {
        tag("ol") { tag("li") { tag("a", .href(Address(.list))) { "Journal" } } }
      }
      tag("h1") { isAgain ? "The same again" : "Note something" }
      if error != nil || content.said != nil { entryNotice(visit, content.said, error) }
      tag("div", .id("draft"), Attribute("data-private", isSet: isPrivate))
      tag(
        "form", .class("entry"), Attribute("method", "post"), Attribute("data-entry", ""),
        Attribute("action", Address(.new).text), Attribute("enctype", "multipart/form-data")
      ) {
        layout.hidden(RequestGuard.tokenField, token)
        layout.hidden("id", values["id"] ?? "")
        for name in ["organism", "placeid"] {
          if let value = values[name] { layout.hidden(name, value) }
        }
        // Whoever presses Enter in a field means the first button of the form.
        tag(
          "button", .type("submit"), .class("visually-hidden"), Attribute("tabindex", "-1"),
          .hidden
        ) { "Keep it" }
        profiles(profile)
        whatFields(values, card)
        whenAndWhere(values, content.places)
        spotFields(content)
        treeFields(values)
        diveFields(values)
        moreFields(values)
        tag("p", .class("review"), .id("review"), Attribute("aria-live", "polite")) {
          tag("bdi") { EntryReview.line(values, card?.title) }
        }
        tag("div", .class("actions")) {
          tag("button", .type("submit"), .class("button main save")) { "Keep it" }
          tag("noscript") {
            tag("button", .type("submit"), .class("button"), .name("look"), .value("all")) {
              "Look it over first"
            }
          }
        }
        tag("p", .class("note"), .id("draft-hint")) {
          isPrivate
            ? "The journal is locked with a passphrase, so no draft of this is kept anywhere: what is typed here is lost with the page."
            : "Without scripts no draft is kept: most browsers fill these fields again when the page is loaded again, and nothing is in the journal before you keep it."
        }
      }
    }
    // Only here, and only where somebody presses the button, a page asks where it is.
    reply.fields.append(
      ("permissions-policy", "camera=(), geolocation=(self), microphone=()"))
    return reply
  }

  /// What has become of a form, or what is wrong in it.
  private func entryNotice(_ visit: Visit, _ said: String?, _ error: String?) -> Html {
    tag("div", .class("help"), .role(error == nil ? "status" : "alert"), .id("wrong")) {
      if let error { tag("p") { "It is not kept yet. \(error.capitalisedFirst)." } }
      if let said { tag("p") { said } }
      if visit.file(of: "photo") != nil { tag("p") { "Choose the photo again, too." } }
      if error != nil, visit.file(of: "track") != nil {
        tag("p") { "Choose the track again, too." }
      }
    }
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
}
