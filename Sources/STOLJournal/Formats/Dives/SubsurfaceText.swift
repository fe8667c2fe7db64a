import STOLFormats

/// What Subsurface writes for values.
enum SubsurfaceText {
  /// What is measured.
  enum Kind {
    case length, mass, volume, pressure, temperature

    /// The unit that the journal has it in.
    fileprivate var unit: String {
      switch self {
      case .length: "mm"
      case .mass: "g"
      case .volume: "ml"
      case .pressure: "mbar"
      case .temperature: "ck"
      }
    }
  }

  /// What a text with a unit says, in the unit of the journal; nil for one that says nothing.
  static func value(_ text: String, _ kind: Kind) -> Int? {
    guard let number = WrittenNumber(text) else { return nil }
    switch (kind, number.unit) {
    case (.length, "m"), (.mass, "kg"), (.volume, "l"), (.pressure, "bar"):
      return number.scaled(by: 1000)
    case (.temperature, "C"):
      return number.scaled(by: 100).flatMap { abs($0) < 1_000_000 ? $0 + 27_315 : nil }
    case (.temperature, "K"): return number.scaled(by: 100)
    default: return try? Units.number(text, in: kind.unit, "")
    }
  }

  /// What an attribute says; what is no number with a unit is said.
  static func value(
    _ item: XMLItem, _ name: String, _ kind: Kind, _ draft: inout DiveDraft
  ) -> Int? {
    guard let text = item.attribute(name) else { return nil }
    if let value = value(text, kind) { return value }
    draft.flag(
      "\(item.name).\(name)", text, "(line \(item.line)) is no number with a unit: left out")
    return nil
  }

  /// The thousandths of an attribute in per cent.
  static func permille(_ item: XMLItem, _ name: String, _ draft: inout DiveDraft) -> Int? {
    guard let text = item.attribute(name) else { return nil }
    if let number = WrittenNumber(text), number.unit == "%" { return number.scaled(by: 10) }
    draft.flag("\(item.name).\(name)", text, "(line \(item.line)) is no per cent: left out")
    return nil
  }

  /// "12:34 min", "1:02:03" or "90 s" in seconds.
  static func seconds(_ text: String) -> Int? {
    var (total, part, digitCount, partCount) = (0, 0, 0, 1)
    var rest = text.utf8[...]
    loop: while let byte = rest.first {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        part = part * 10 + Int(byte - UInt8(ascii: "0"))
        digitCount += 1
        guard digitCount <= 9 else { return nil }
      case UInt8(ascii: ":"):
        guard digitCount > 0, partCount < 3 else { return nil }
        total = (total + part) * 60
        (part, digitCount, partCount) = (0, 0, partCount + 1)
      default: break loop
      }
      rest.removeFirst()
    }
    let unit = Substring(rest).trimmed()
    guard digitCount > 0 else { return nil }
    switch (partCount, unit) {
    case (1, "s"), (2, "min"), (2, ""), (3, ""), (3, "h"), (3, "min"): return total + part
    case (1, "min"): return (total + part) * 60
    default: return (try? TimeSpan(text))?.s
    }
  }
}

/// The samples of a computer while they are read.
struct SubsurfaceSamples {
  private var known = DiveSamples()
  /// The tank that a pressure without a number is of, from 0.
  private var sensor = 0
  /// How many samples are before an earlier one, or say no time.
  private var oddCount = 0

  mutating func take(_ item: XMLItem, _ draft: inout DiveDraft) {
    guard let text = item.attribute("time"), let time = SubsurfaceText.seconds(text),
      time <= DiveSamples.lastSecond
    else {
      oddCount += 1
      return
    }
    var pressure: Int?
    for (name, value) in item.attributes {
      switch name {
      case "time", "stol": break
      // One that an export of stol has put between those that were noted.
      case "depth" where item.attribute("stol") != nil: break
      case "depth":
        guard let depth = SubsurfaceText.value(item, name, .length, &draft) else { continue }
        guard let depth = DiveDraft.depth(depth) else {
          draft.flag("sample.depth", value, "(line \(item.line)) cannot be: left out")
          continue
        }
        if !known.depthMm.append(depth, at: time) { oddCount += 1 }
      case "temp":
        guard let temperature = SubsurfaceText.value(item, name, .temperature, &draft) else {
          continue
        }
        guard (20_000...40_000).contains(temperature) else {
          draft.flag("sample.temp", value, "(line \(item.line)) cannot be: left out")
          continue
        }
        if !known.temperatureCk.append(temperature, at: time) { oddCount += 1 }
      case "pressure", "cylpress":
        pressure = SubsurfaceText.value(item, name, .pressure, &draft)
      case "sensor", "cylinderindex":
        sensor = WrittenNumber(value)?.scaled(by: 1) ?? 0
      default:
        if name.hasPrefix("pressure"), let index = Int(name.dropFirst(8)) {
          if let value = SubsurfaceText.value(item, name, .pressure, &draft) {
            add(value, index, at: time, &draft)
          }
        } else {
          draft.leave("sample.\(name)")
        }
      }
    }
    if let pressure { add(pressure, sensor, at: time, &draft) }
  }

  private mutating func add(_ value: Int, _ tank: Int, at time: Int, _ draft: inout DiveDraft) {
    guard (0..<JournalLimits.listCount).contains(tank), (0...500_000).contains(value) else {
      return draft.flag("sample.pressure", "\(value)", "cannot be, or of tank \(tank): left out")
    }
    if !known.pressureMbar[tank + 1, default: DiveSamples.Series()].append(value, at: time) {
      oddCount += 1
    }
  }

  mutating func takeEvent(_ item: XMLItem, _ draft: inout DiveDraft) {
    guard let text = item.attribute("time"), let time = SubsurfaceText.seconds(text),
      time <= DiveSamples.lastSecond,
      let what = draft.name(item.attribute("name"), "event.name")
    else {
      oddCount += 1
      return
    }
    let tank = item.attribute("cylinder").flatMap { WrittenNumber($0)?.scaled(by: 1) }
    known.events.append(
      DiveSamples.Mark(
        timeS: time, what: what,
        tank: tank.flatMap { (0..<JournalLimits.listCount).contains($0) ? $0 + 1 : nil }))
    for (name, _) in item.attributes where !["time", "name", "cylinder"].contains(name) {
      draft.leave("event.\(name)")
    }
  }

  /// All of them.
  func samples(_ draft: inout DiveDraft) -> DiveSamples {
    if oddCount > 0 {
      draft.flag(
        "samples", "\(oddCount)", "left out: before an earlier one, or without a time")
    }
    var samples = known
    // Events need not stand in the order of their times.
    samples.events = known.events.enumerated().sorted {
      ($0.element.timeS, $0.offset) < ($1.element.timeS, $1.offset)
    }.map(\.element)
    return samples
  }
}
