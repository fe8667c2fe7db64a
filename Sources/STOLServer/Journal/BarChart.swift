import STOLJournal

/// What the charts of numbers have in common.
private enum Chart {
  static let (width, height) = (720.0, 260.0)

  /// A drawing with a sentence below it.
  static func figure(
    _ name: String, _ title: String, _ caption: String, @HtmlBuilder _ content: () -> Html
  ) -> Html {
    tag("figure", .class(name)) {
      tag(
        "svg", .class("picture"), .role("img"), .label(title),
        Attribute("viewBox", "0 0 \(width.svg) \(height.svg)"),
        Attribute("width", width.svg), Attribute("height", height.svg),
        Attribute("font-family", Palette.sans), Attribute("font-size", "14")
      ) { content() }
      tag("figcaption", .class("note")) { caption }
    }
  }

  static func label(
    _ text: String, _ x: Double, _ y: Double, name: String = "label", anchor: String = "middle"
  ) -> Html {
    tag(
      "text", .class(name), Attribute("x", x.svg), Attribute("y", y.svg),
      Attribute("text-anchor", anchor)
    ) { text }
  }
}

/// Bars beside each other, each with its number above it and its name below.
struct BarChart {
  /// A bar.
  struct Bar {
    /// What stands below it.
    let name: String
    let value: Int
    /// How much of it is drawn stronger, from below.
    var part = 0
  }

  let title: String
  let bars: [Bar]
  private static let (foot, head) = (30.0, 26.0)

  init(_ title: String, _ bars: [Bar]) { (self.title, self.bars) = (title, bars) }

  /// The drawing with its words; nil where there is nothing to draw.
  func figure(_ caption: String) -> Html? {
    guard let most = bars.map(\.value).max(), most > 0 else { return nil }
    let step = Chart.width / Double(bars.count)
    let room = Chart.height - Self.foot - Self.head
    // Where names or numbers have no room beside each other, some are left out; all are in the table.
    let every = max(1, Int((56 / step).rounded(.up)))
    return Chart.figure("frame bars", title, caption) {
      tag(
        "path", .class("ground-line"),
        Attribute("d", "M0 \((Chart.height - Self.foot).svg)H\(Chart.width.svg)"),
        Attribute("stroke", Palette.lineStrong))
      for (place, bar) in bars.enumerated() {
        let middle = step * (Double(place) + 0.5)
        let top = Self.head + room * (1 - Double(bar.value) / Double(most))
        rectangle("bar", middle, step, from: top, to: Chart.height - Self.foot)
        if bar.part > 0 {
          rectangle(
            "bar new", middle, step,
            from: Self.head + room * (1 - Double(bar.part) / Double(most)),
            to: Chart.height - Self.foot)
        }
        if place % every == 0 {
          let number = Words.grouped(bar.value)
          // Of larger letters on a phone it would have no room.
          let isLong = Double(number.utf8.count) * 15 > step * Double(every)
          if bar.value > 0 {
            Chart.label(number, middle, top - 7, name: isLong ? "label often" : "label")
          }
          Chart.label(bar.name, middle, Chart.height - 9)
        }
      }
    }
  }

  private func rectangle(
    _ name: String, _ middle: Double, _ step: Double, from top: Double, to bottom: Double
  ) -> Html {
    let width = min(step * 0.7, 64)
    return tag(
      "rect", .class(name), Attribute("x", (middle - width / 2).svg), Attribute("y", top.svg),
      Attribute("width", width.svg), Attribute("height", max(0, bottom - top).svg),
      Attribute("fill", name == "bar" ? Palette.branches[1] : Palette.accent),
      Attribute("stroke", Palette.lineStrong))
  }
}

/// A line that goes up by steps over days.
struct StepChart {
  let title: String
  let steps: [JournalStatistics.Step]
  /// As many steps are drawn; more could not be told apart.
  private static let shownCount = 700

  init(_ title: String, _ steps: [JournalStatistics.Step]) {
    (self.title, self.steps) = (title, steps)
  }

  /// The drawing with its words; nil for less than two steps.
  func figure(_ caption: String) -> Html? {
    guard steps.count > 1, let first = steps.first, let last = steps.last else { return nil }
    let days = Double(max(1, last.day - first.day))
    let most = Double(max(1, last.speciesCount))
    func x(_ day: Int) -> Double { 8 + (Chart.width - 16) * Double(day - first.day) / days }
    func y(_ count: Int) -> Double { 26 + (Chart.height - 60) * (1 - Double(count) / most) }
    let every = max(1, steps.count / Self.shownCount)
    var path = "M\(x(first.day).svg) \(y(0).svg)"
    for (place, step) in steps.enumerated() where place % every == 0 || place == steps.count - 1 {
      path += "H\(x(step.day).svg)V\(y(step.speciesCount).svg)"
    }
    return Chart.figure("frame steps", title, caption) {
      tag(
        "path", .class("step-line"), Attribute("d", path), Attribute("fill", "none"),
        Attribute("stroke", Palette.accent), Attribute("stroke-width", "2"))
      Chart.label(JournalWords.day(first.day), x(first.day), Chart.height - 9, anchor: "start")
      Chart.label(JournalWords.day(last.day), x(last.day), Chart.height - 9, anchor: "end")
      Chart.label(
        Words.count(last.speciesCount, "species", "species"), x(last.day),
        y(last.speciesCount) - 8, anchor: "end")
    }
  }
}
