import STOLAnswers
import STOLJournal

extension Pages {
  /// A map with what moves it.
  func mapFigure(_ drawn: DrawnMap) -> Html {
    let view = drawn.view
    return tag("figure", .class("map")) {
      tag("div", .class("map-frame")) {
        MapPicture(drawn).inline
        mapControls(drawn)
      }
      tag("figcaption", .class("note")) {
        "A number stands for so many \(drawn.choice.subject == .sightings ? "sightings" : "places") and opens them. "
        MapShape.shapes(of: drawn.choice.subject).map { shape in
          Html {
            tag(
              "svg", .class("legend"), Attribute("viewBox", "-14 -14 28 28"), .hidden,
              Attribute("width", "20"), Attribute("height", "20")
            ) { shape.html(x: 0, y: 0) }
            " \(shape.word). "
          }
        }
        "Land by Natural Earth, at 1:\(MapGround(view: view).isCoarse ? 110 : 50) million"
        view.zoom > 8 ? ": too coarse for this part, and only a hint. " : ". "
        tag(
          "a", .href(drawn.address(view, .svg)), Attribute("download", "map.svg")
        ) { "As a drawing to print" }
        "."
      }
    }
  }

  /// What may be on the map, and what stands beside its pins.
  func mapChoices(_ drawn: DrawnMap) -> Html {
    let (view, choice) = (drawn.view, drawn.choice)
    return Html {
      Layout.chips(
        "On the map",
        MapChoice.Subject.allCases.map { subject in
          (
            subject.title, view.address(drawn.filter, .page, choice.with { $0.subject = subject }),
            subject == choice.subject
          )
        })
      if choice.subject == .sightings {
        Layout.chips(
          "Names",
          MapChoice.Label.allCases.map { label in
            (
              label.title, view.address(drawn.filter, .page, choice.with { $0.label = label }),
              label == choice.label
            )
          })
      }
    }
  }
}
