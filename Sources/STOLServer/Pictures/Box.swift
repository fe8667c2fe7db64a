/// A rectangle of a picture, in its units.
struct Box: Equatable, Sendable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  /// What is left of it without a margin.
  func inset(_ margin: Double) -> Box {
    Box(
      x: x + margin, y: y + margin, width: max(0, width - 2 * margin),
      height: max(0, height - 2 * margin))
  }

  /// Whether another lies within it, a hundredth left or right.
  func contains(_ box: Box) -> Bool {
    box.x >= x - 0.01 && box.y >= y - 0.01 && box.x + box.width <= x + width + 0.01
      && box.y + box.height <= y + height + 0.01
  }

  /// It as an element, its corners rounded.
  func shape(_ paint: Paint, radius: Double = 0, _ further: [Attribute] = []) -> Html {
    Html(
      element: "rect",
      [
        Attribute("x", x.svg), Attribute("y", y.svg), Attribute("width", width.svg),
        Attribute("height", height.svg), Attribute("rx", radius > 0 ? radius.svg : nil),
      ] + paint.attributes + further, Html())
  }
}

/// A path as an element; `path` is in the language of SVG's attribute `d`.
func path(_ path: String, _ paint: Paint, _ further: [Attribute] = []) -> Html {
  Html(element: "path", [Attribute("d", path)] + further + paint.attributes, Html())
}

/// A circle as an element.
func circle(x: Double, y: Double, radius: Double, _ paint: Paint) -> Html {
  Html(
    element: "circle",
    [Attribute("cx", x.svg), Attribute("cy", y.svg), Attribute("r", radius.svg)]
      + paint.attributes, Html())
}
