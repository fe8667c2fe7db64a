import STOLFormats

/// What UDDF writes for values.
enum UDDFText {
  /// What a file of stol has for the program: identifiers in it have UUIDs in them.
  static let generator = "stol"
  /// The words for currents, from none to very strong.
  static let currents = [
    "no-current", "very-mild-current", "mild-current", "moderate-current", "hard-current",
    "very-hard-current",
  ]

  /// The paragraphs of notes, one a line.
  static func paragraphs(_ item: XMLItem) -> String {
    let paragraphs = item.children.filter { $0.name == "para" }.map(\.text)
    return ((item.text.isEmpty ? [] : [item.text]) + paragraphs).joined(separator: "\n")
  }

  /// Degrees as decimal numbers, in which an exponent may be.
  static func position(_ latitude: String, _ longitude: String) throws(JournalError) -> Position {
    func number(_ text: String, _ field: String) throws(JournalError) -> Int {
      guard let written = WrittenNumber(text), written.unit.isEmpty,
        let number = written.scaled(by: 10_000_000)
      else { throw .invalid(field: field, value: text, remedy: "degrees as a number with a point") }
      return number
    }
    let position = Position(
      latitudeE7: try number(latitude, "latitude"), longitudeE7: try number(longitude, "longitude"))
    try position.validate()
    return position
  }
}

/// A dive of UDDF while it is read.
struct UDDFDive {
  private let definitions: UDDFDefinitions
  var draft: DiveDraft
  private var log = Dive.Log()
  private var samples = DiveSamples()
  /// The numbers of tanks by the mix and the name that they have, from 1.
  private var tanks: [String: Int] = [:]
  private var oddCount = 0

  init(_ definitions: UDDFDefinitions, _ draft: DiveDraft) {
    (self.definitions, self.draft) = (definitions, draft)
  }

  /// The dive with what its computer recorded.
  func finished() -> DiveDraft {
    var draft = draft
    if oddCount > 0 {
      draft.flag(
        "waypoints", "\(oddCount)", "left out: before an earlier one, or without a time")
    }
    if log != Dive.Log() || !samples.isEmpty { draft.add(log, samples, "samples") }
    return draft
  }

  /// The number that an element says, in the unit of the journal.
  private mutating func number(_ item: XMLItem, by factor: Int, over ratio: Int = 1) -> Int? {
    // Some write elements for what they do not know.
    if item.text.isEmpty { return nil }
    if let written = WrittenNumber(item.text), written.unit.isEmpty,
      let number = written.scaled(by: factor, over: ratio)
    {
      return number
    }
    draft.flag(item.name, item.text, "(line \(item.line)) is no number: left out")
    return nil
  }

  private mutating func set(
    _ path: WritableKeyPath<Dive, Int?>, _ column: String, _ item: XMLItem, by factor: Int,
    over ratio: Int = 1
  ) {
    guard let value = number(item, by: factor, over: ratio) else { return }
    draft.dive[keyPath: path] = value
    draft.note(column, item.name, item.text)
  }

  // MARK: - Before and after

  mutating func takeBefore(_ item: XMLItem) {
    for child in item.children {
      switch child.name {
      case "datetime": break
      case "divenumber":
        set(\.number, "number", child, by: 1)
        if draft.dive.number == 0 { draft.dive.number = nil }
      case "airtemperature": set(\.airCk, "air_ck", child, by: 100)
      case "link": takeLink(child.attribute("ref") ?? "", child)
      case "buddyref", "divesiteref", "diverref": takeLink(child.text, child)
      case "equipmentused": takeEquipment(child)
      case "surfacepressure": set(\.surfaceMbar, "surface_mbar", child, by: 1, over: 100)
      default: draft.leave("informationbeforedive.\(child.name)")
      }
    }
  }

  private mutating func takeLink(_ key: String, _ item: XMLItem) {
    if let site = definitions.sites[key] {
      draft.event.place = site
    } else if let buddy = definitions.buddies[key] {
      draft.addPerson(buddy, .buddy, "buddy", definitions.ownID(key))
    } else if let computer = definitions.computers[key] {
      log = computer
    } else if let suit = definitions.suits[key] {
      draft.dive.suit = draft.name(suit, "suit")
    } else if !definitions.owners.contains(key), !definitions.others.contains(key) {
      draft.flag(
        item.name, key, "(line \(item.line)) is the id of nothing before it: left out")
    }
  }

  private mutating func takeEquipment(_ item: XMLItem) {
    for child in item.children {
      switch child.name {
      case "leadquantity":
        set(\.weightG, "weight_g", child, by: 1000)
        if draft.dive.weightG == 0 { draft.dive.weightG = nil }
      case "link": takeLink(child.attribute("ref") ?? "", child)
      default: draft.leave("equipmentused.\(child.name)")
      }
    }
  }

  mutating func takeAfter(_ item: XMLItem) {
    for child in item.children {
      switch child.name {
      case "greatestdepth": set(\.maxDepthMm, "max_depth_mm", child, by: 1000)
      case "averagedepth": set(\.meanDepthMm, "mean_depth_mm", child, by: 1000)
      case "diveduration": set(\.durationS, "duration_s", child, by: 1)
      case "lowesttemperature": set(\.waterMinCk, "water_min_ck", child, by: 100)
      case "highesttemperature": set(\.waterMaxCk, "water_max_ck", child, by: 100)
      case "visibility": set(\.visibilityCm, "visibility_cm", child, by: 100)
      case "notes": draft.addRemarks(UDDFText.paragraphs(child), "notes")
      case "equipmentused": takeEquipment(child)
      case "current":
        draft.dive.currentLevel = UDDFText.currents.firstIndex(of: child.text)
        if draft.dive.currentLevel == nil {
          draft.flag("current", child.text, "is no word for a current: left out")
        }
      case "rating":
        let value = child.child("ratingvalue").flatMap { number($0, by: 1) }
        if let value, (1...10).contains(value) { draft.addMeasure("x-rating_of_10", value) }
      default: draft.leave("informationafterdive.\(child.name)")
      }
    }
  }

  // MARK: - Tanks and waypoints

  mutating func takeTank(_ item: XMLItem) {
    var tank = Dive.Tank()
    var sources: [String: ImportMember] = [:]
    let number = draft.dive.tanks.count + 1
    for child in item.children {
      switch child.name {
      case "link":
        let key = child.attribute("ref") ?? ""
        if let mix = definitions.mixes[key] {
          (tank.o2Permille, tank.hePermille) = mix
          if tank.hePermille == 0 { tank.hePermille = nil }
          tanks[key] = tanks[key] ?? number
        } else if let volume = definitions.tanks[key] {
          tank.volumeMl = tank.volumeMl ?? volume
        } else if !definitions.others.contains(key) {
          draft.flag(
            "tankdata.link", key, "(line \(child.line)) is the id of nothing before it: left out")
        }
      case "tankvolume":
        sources["volume_ml"] = ImportMember(name: child.name, shown: child.text)
        tank.volumeMl = self.number(child, by: 1_000_000)
        if tank.volumeMl == 0 { tank.volumeMl = nil }
      case "tankpressurebegin":
        sources["start_mbar"] = ImportMember(name: child.name, shown: child.text)
        tank.startMbar = self.number(child, by: 1, over: 100)
      case "tankpressureend":
        sources["end_mbar"] = ImportMember(name: child.name, shown: child.text)
        tank.endMbar = self.number(child, by: 1, over: 100)
      default: draft.leave("tankdata.\(child.name)")
      }
    }
    if let key = item.attribute("id") { tanks[key] = number }
    draft.add(tank, "tankdata", sources)
  }

  mutating func takeSamples(_ item: XMLItem) {
    for child in item.children {
      if child.name == "waypoint" {
        takeWaypoint(child)
      } else {
        draft.leave("samples.\(child.name)")
      }
    }
    samples.events = samples.events.enumerated().sorted {
      ($0.element.timeS, $0.offset) < ($1.element.timeS, $1.offset)
    }.map(\.element)
  }

  private mutating func takeWaypoint(_ item: XMLItem) {
    guard let text = item.child("divetime")?.text, let time = WrittenNumber(text)?.scaled(by: 1),
      (0...DiveSamples.lastSecond).contains(time)
    else {
      oddCount += 1
      return
    }
    for child in item.children {
      switch child.name {
      case "divetime": break
      case "depth":
        guard let depth = number(child, by: 1000) else { continue }
        guard let depth = DiveDraft.depth(depth) else {
          draft.flag("depth", child.text, "(line \(child.line)) cannot be: left out")
          continue
        }
        if !samples.depthMm.append(depth, at: time) { oddCount += 1 }
      case "temperature":
        guard let temperature = number(child, by: 100) else { continue }
        guard (20_000...40_000).contains(temperature) else {
          draft.flag(
            "temperature", child.text,
            "(line \(child.line)) cannot be in kelvin, which UDDF has: left out")
          continue
        }
        if !samples.temperatureCk.append(temperature, at: time) { oddCount += 1 }
      case "tankpressure": takePressure(child, at: time)
      case "switchmix":
        let key = child.attribute("ref") ?? ""
        if definitions.mixes[key] == nil {
          draft.flag("switchmix", key, "(line \(child.line)) is the id of no mix before it")
        }
        samples.events.append(
          DiveSamples.Mark(timeS: time, what: "gaschange", tank: tanks[key]))
      case "alarm":
        if let what = draft.name(child.text, "alarm") {
          samples.events.append(DiveSamples.Mark(timeS: time, what: what))
        }
      case "divemode": takeMode(child.attribute("type") ?? "")
      default: draft.leave("waypoint.\(child.name)")
      }
    }
  }

  private mutating func takePressure(_ item: XMLItem, at time: Int) {
    let tank = item.attribute("ref").map { tanks[$0] } ?? 1
    guard let tank, (1...JournalLimits.listCount).contains(tank) else {
      return draft.flag(
        "tankpressure", item.attribute("ref") ?? "", "(line \(item.line)) is of no tank: left out")
    }
    guard let pressure = number(item, by: 1, over: 100), (0...500_000).contains(pressure) else {
      return draft.flag("tankpressure", item.text, "(line \(item.line)) cannot be: left out")
    }
    if !samples.pressureMbar[tank, default: DiveSamples.Series()].append(pressure, at: time) {
      oddCount += 1
    }
  }

  /// The way to breathe that is named first is that of the dive.
  private mutating func takeMode(_ type: String) {
    guard draft.dive.mode == nil else { return }
    switch type {
    case "opencircuit": draft.dive.mode = .openCircuit
    case "closedcircuit": draft.dive.mode = .closedCircuit
    case "semiclosedcircuit": draft.dive.mode = .semiClosedCircuit
    case "apnoe", "apnea": draft.dive.mode = .free
    default: draft.flag("divemode", type, "is no way to dive: left out")
    }
  }
}
