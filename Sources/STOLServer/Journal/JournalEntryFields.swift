import STOLJournal

extension Pages {
  /// What is said of a tree.
  func treeFields(_ values: Fields) -> Html {
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

  /// What is said of a dive.
  func diveFields(_ values: Fields) -> Html {
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

  /// What else may be said.
  func moreFields(_ values: Fields) -> Html {
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

  /// A field for a line of text.
  func input(
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
}
