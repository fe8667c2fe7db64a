import STOLJournal

extension Pages {
  /// What was measured of an individual over the years, one drawing for each kind of measure.
  func measureCharts(_ parts: [KeptRecord]) -> Html? {
    var types: [String] = []
    var points: [String: [(day: Int, number: Int)]] = [:]
    for part in parts {
      guard case .measure(let measure) = part.record, let number = measure.number,
        let day = measure.time?.firstDay
      else { continue }
      if points[measure.type] == nil { types.append(measure.type) }
      points[measure.type, default: []].append((day, number))
    }
    let charts = types.compactMap { type -> Html? in
      let series = (points[type] ?? []).sorted { ($0.day, $0.number) < ($1.day, $1.number) }
      return series.count > 1 ? measureChart(type, series) : nil
    }
    guard !charts.isEmpty else { return nil }
    return section("Growth") { charts }
  }

  private func measureChart(_ type: String, _ series: [(day: Int, number: Int)]) -> Html? {
    guard let first = series.first, let last = series.last,
      let high = series.map(\.number).max()
    else { return nil }
    let known = MeasureType.builtIn.first { $0.key == type }
    func written(_ number: Int) -> String { known?.written(number) ?? "\(number)" }
    let (width, height) = (720.0, 220.0)
    let days = Double(max(1, last.day - first.day))
    let points = series.map { point in
      (
        x: 20 + (width - 40) * Double(point.day - first.day) / days,
        y: 24 + (height - 60) * (1 - Double(point.number) / Double(max(1, high)))
      )
    }
    let title = known?.title ?? type
    return tag("figure", .class("frame growth")) {
      tag(
        "svg", .class("picture"), .role("img"),
        .label(
          "\(title) from \(written(first.number)) on \(JournalWords.day(first.day)) to "
            + "\(written(last.number)) on \(JournalWords.day(last.day))"),
        Attribute("viewBox", "0 0 \(width.svg) \(height.svg)"), Attribute("width", width.svg),
        Attribute("height", height.svg), Attribute("font-family", Palette.sans),
        Attribute("font-size", "14")
      ) {
        tag(
          "path", .class("growth-line"),
          Attribute("d", "M" + points.map { "\($0.x.svg) \($0.y.svg)" }.joined(separator: "L")),
          Attribute("fill", "none"), Attribute("stroke", Palette.accent),
          Attribute("stroke-width", "2"))
        for point in points { circle(x: point.x, y: point.y, radius: 4, .end) }
        for (point, value, anchor) in [
          (points[0], first, "start"), (points[points.count - 1], last, "end"),
        ] {
          tag(
            "text", .class("label"), Attribute("x", point.x.svg),
            Attribute("y", (point.y - 10).svg), Attribute("text-anchor", anchor)
          ) { written(value.number) }
          tag(
            "text", .class("label"), Attribute("x", point.x.svg),
            Attribute("y", (height - 8).svg), Attribute("text-anchor", anchor)
          ) { JournalWords.day(value.day) }
        }
      }
      tag("figcaption", .class("note")) { "\(title), from nothing at the bottom." }
    }
  }
}
