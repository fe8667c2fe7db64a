import STOLAnswers
import STOLJournal

extension Pages {
  /// Links that move a map.
  func mapControls(_ drawn: DrawnMap) -> Html {
    let view = drawn.view
    let ends = JournalMapView.zooms
    let steps: [(String, String, JournalMapView?, key: String)] = [
      ("Nearer", "+", view.zoom < ends.upperBound ? view.moved(zoom: 1) : nil, "+"),
      ("Farther", "−", view.zoom > ends.lowerBound ? view.moved(zoom: -1) : nil, "-"),
      ("West", "←", view.zoom > 0 ? view.moved(right: -0.5) : nil, "ArrowLeft"),
      ("North", "↑", view.zoom > 0 ? view.moved(up: 0.5) : nil, "ArrowUp"),
      ("South", "↓", view.zoom > 0 ? view.moved(up: -0.5) : nil, "ArrowDown"),
      ("East", "→", view.zoom > 0 ? view.moved(right: 0.5) : nil, "ArrowRight"),
      ("The world", "World", .world, "0"),
    ]
    return tag("nav", .class("map-controls"), .label("Move the map")) {
      for (title, sign, next, key) in steps {
        if let next {
          tag(
            "a", .class("button"), .href(drawn.address(next)), .label(title),
            Attribute("data-key", key)
          ) { tag("span", .hidden) { sign } }
        }
      }
      tag("a", .class("button"), .href(drawn.addressOfAll), .label("All of mine")) {
        tag("span", .hidden) { "Mine" }
      }
    }
  }

  /// The same as a table.
  func markTable(_ drawn: DrawnMap) -> Html {
    tag("details", .class("part"), Attribute("open", isSet: drawn.marks.count <= 12)) {
      tag("summary") { "The same as a table" }
      if drawn.marks.isEmpty {
        tag("p") {
          drawn.choice.subject == .sightings
            ? "Nothing was noted on this part of the globe."
            : "No such place is on this part of the globe."
        }
      } else {
        tag("table", .class("traits")) {
          tag("thead") {
            tag("tr") {
              for title in ["What", "How many", "Where"] {
                tag("th", Attribute("scope", "col")) { title }
              }
            }
          }
          tag("tbody") {
            for mark in drawn.marks {
              tag("tr") {
                tag("th", Attribute("scope", "row")) {
                  tag("a", .class("taxon"), .href(drawn.target(of: mark))) {
                    switch drawn.name(of: mark) {
                    case let name? where drawn.areScientific: SeenTaxon.scientific(name)
                    case let name?: tag("bdi") { name }
                    case nil: "Several"
                    }
                  }
                }
                tag("td") { Words.grouped(mark.count) }
                tag("td") { JournalWords.position(drawn.position(of: mark)) }
              }
            }
          }
        }
      }
    }
  }
}
