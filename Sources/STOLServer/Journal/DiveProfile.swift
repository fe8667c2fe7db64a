import Foundation
import STOLJournal

/// What a dive computer noted, as a drawing: depth downwards, temperature and pressure over it.
struct DiveProfile {
  private let samples: DiveSamples
  private let number: Int

  init(_ samples: DiveSamples, number: Int) { (self.samples, self.number) = (samples, number) }

  private static let (width, height) = (720.0, 300.0)
  private static let (left, bottom) = (44.0, 28.0)
  /// As many points of a line are drawn.
  private static let pointCount = 360

  private var lastSecond: Int { max(1, samples.depthMm.timeS.last ?? 1) }
  private var deepestMm: Int { max(1000, samples.depthMm.value.max() ?? 1000) }

  /// The drawing with its words.
  func figure(_ computer: String?) -> Html? {
    guard samples.depthMm.count > 1 else { return nil }
    let minutes = (lastSecond + 30) / 60
    let title = "Depth over \(minutes) minutes, down to \(JournalWords.metres(deepestMm)) metres"
    return tag("figure", .class("frame dive-profile")) {
      tag(
        "svg", .class("picture"), .role("img"), .label(title),
        Attribute("viewBox", "0 0 \(Self.width.svg) \(Self.height.svg)"),
        Attribute("width", Self.width.svg), Attribute("height", Self.height.svg),
        Attribute("font-family", Palette.sans), Attribute("font-size", "14")
      ) {
        axes
        tag(
          "path", .class("water"), Attribute("d", area), Attribute("fill", "#D3E4EA"),
          Attribute("stroke", Palette.lineStrong), Attribute("stroke-width", "2"))
        line(samples.temperatureCk, "temperature", "8 4")
        for (_, series) in samples.pressureMbar.sorted(by: { $0.key < $1.key }) {
          line(series, "pressure", "2 4")
        }
      }
      tag("figcaption", .class("note")) {
        if let computer { tag("bdi") { computer }; ". " }
        "The filled line is the depth. "
        if let (low, high) = range(samples.temperatureCk) {
          "Dashed: the water, \(Temperature.celsius(low)) to \(Temperature.celsius(high)). "
        }
        for (tank, series) in samples.pressureMbar.sorted(by: { $0.key < $1.key }) {
          if let (low, high) = range(series) {
            "Dotted: tank \(tank), \(high / 1000) to \(low / 1000) bar. "
          }
        }
      }
    }
  }

  private func range(_ series: DiveSamples.Series) -> (Int, Int)? {
    guard let low = series.value.min(), let high = series.value.max() else { return nil }
    return (low, high)
  }

  private func x(_ second: Int) -> Double {
    Self.left + (Self.width - Self.left) * Double(second) / Double(lastSecond)
  }

  private func y(_ share: Double) -> Double { 8 + (Self.height - Self.bottom - 16) * share }

  /// A series with few enough points, the last one too.
  private func thinned(_ series: DiveSamples.Series) -> [(second: Int, value: Int)] {
    let step = max(1, series.count / Self.pointCount)
    var places = Array(stride(from: 0, to: series.count, by: step))
    if let last = places.last, last != series.count - 1 { places.append(series.count - 1) }
    return places.map { (series.timeS[$0], series.value[$0]) }
  }

  private var area: String {
    let points = thinned(samples.depthMm).map { sample in
      "\(x(sample.second).svg) \(y(Double(sample.value) / Double(deepestMm)).svg)"
    }
    return
      "M\(x(0).svg) \(y(0).svg)L\(points.joined(separator: "L"))L\(x(lastSecond).svg) \(y(0).svg)Z"
  }

  /// A line between its lowest value at the bottom and its highest at the top.
  private func line(_ series: DiveSamples.Series, _ name: String, _ dashes: String) -> Html? {
    guard series.count > 1, let (low, high) = range(series) else { return nil }
    let points = thinned(series).map { sample in
      let share = high > low ? Double(high - sample.value) / Double(high - low) : 0.5
      return "\(x(min(sample.second, lastSecond)).svg) \(y(0.1 + 0.8 * share).svg)"
    }
    return tag(
      "path", .class(name), Attribute("d", "M" + points.joined(separator: "L")),
      Attribute("fill", "none"), Attribute("stroke", Palette.warm), Attribute("stroke-width", "2"),
      Attribute("stroke-dasharray", dashes))
  }

  private var axes: Html {
    let metres = Double(deepestMm) / 1000
    let depthStep = [5.0, 10, 20, 50, 100, 500, 1000].first { metres / $0 <= 5 } ?? 5000
    let minutes = Double(lastSecond) / 60
    let timeStep = [5.0, 10, 15, 30, 60, 240, 1440].first { minutes / $0 <= 8 } ?? 10_000
    return tag("g", .class("axes")) {
      for depth in stride(from: 0, through: metres, by: depthStep) {
        let level = y(depth / metres)
        tag(
          "path", Attribute("d", "M\(Self.left.svg) \(level.svg)H\(Self.width.svg)"),
          Attribute("stroke", Palette.line))
        tag(
          "text", Attribute("x", (Self.left - 6).svg), Attribute("y", (level + 5).svg),
          Attribute("text-anchor", "end")
        ) { "\(Int(depth)) m" }
      }
      for minute in stride(from: timeStep, through: minutes, by: timeStep) {
        tag(
          "text", Attribute("x", x(Int(minute * 60)).svg),
          Attribute("y", (Self.height - 8).svg), Attribute("text-anchor", "end")
        ) { "\(Int(minute)) min" }
      }
    }
  }
}
