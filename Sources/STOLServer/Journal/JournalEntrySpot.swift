import STOLJournal

extension Pages {
  /// Where it was, by a track or a small map.
  func spotFields(_ content: EntryFormContent) -> Html {
    let (values, view) = (content.values, content.map)
    let layout = view.fields
    return tag(
      "details", .class("spot"),
      Attribute("open", isSet: values["mapat"] != nil || values["offset"] != nil)
    ) {
      tag("summary") { "From a track, or on a map" }
      tag("div", .class("pair")) {
        tag("div", .class("field")) {
          tag("label", .for("track")) { "A track (GPX)" }
          void(
            "input", .type("file"), .id("track"), .name("track"),
            Attribute("accept", ".gpx,application/gpx+xml"),
            Attribute("aria-describedby", "track-hint"))
          tag("p", .class("note"), .id("track-hint")) {
            "It says where you were at that time. The track itself is not kept."
          }
        }
        input(
          "offset", "The clock there, ahead of UTC", values,
          hint: "+2 or -5:30; a track tells UTC, and no zone is guessed")
      }
      tag("p", .class("actions")) {
        tag("button", .type("submit"), .class("button"), .name("look"), .value("track")) {
          "Read the position"
        }
      }
      for (name, value) in [("mapat", layout["at"]), ("mapz", layout["z"])] {
        void("input", .type("hidden"), .name(name), .id(name), .value(value ?? ""))
      }
      tag("div", .class("spot-map"), .role("group"), .label("Map")) {
        void(
          "input", .type("image"), .id("spot"), .name("spot"),
          Attribute("src", spotPicture(values, view).text),
          Attribute("alt", "Map: tap where it was"),
          Attribute("width", "\(Int(EntryMapStep.width))"),
          Attribute("height", "\(Int(EntryMapStep.height))"))
        tag("div", .class("spot-moves")) {
          for move in EntryMapStep.Move.allCases {
            tag(
              "button", .type("submit"), .class("button"), .name("move"), .value(move.rawValue),
              .label(move.rawValue.capitalisedFirst)
            ) { tag("span", .hidden) { move.sign } }
          }
        }
      }
      tag("p", .class("note")) {
        "Tap the map where it was: the nearer it is, the more exact. The map is drawn here, and asks nobody."
      }
    }
  }

  /// The small map, with the position that a form says.
  private func spotPicture(_ values: Fields, _ view: JournalMapView) -> Address {
    var address = Address(.journal(.map), .svg, query: view.fields)
    if let position = try? JournalEntry.position(values) {
      address.query.append("spot", "\(position.latitudeText),\(position.longitudeText)")
    }
    address.query.append("size", MapPicture.Size.small.rawValue)
    return address
  }
}
