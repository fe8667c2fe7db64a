@testable import STOLJournal

/// What was measured, and what no table has.
extension DarwinCoreOracle {
  /// Adds what was measured of events, occurrences and individuals, and what dive computers say.
  func addFacts(_ rows: inout Rows, _ events: [Event], isOfEvents: Bool) throws {
    var written = 0
    func add(_ measure: Measure, _ occurrence: Occurrence) throws {
      let core = isOfEvents ? occurrence.event : occurrence.id
      try rows.add(Self.urn(core), cells(of: measure, Self.urn(occurrence.id)))
      written += 1
    }
    for event in events {
      for measure in index.measures(of: event.id) {
        if isOfEvents {
          try rows.add(Self.urn(event.id), cells(of: measure, nil))
          written += 1
        } else if let first = index.occurrences(of: event.id).first {
          try add(measure, first)
        }
      }
      guard isOfEvents, let dive = event.dive else { continue }
      for (type, value, unit) in Self.facts(of: dive) {
        var cells = ["measurementType": type, "measurementValue": value]
        cells["measurementUnit"] = unit
        try rows.add(Self.urn(event.id), cells)
      }
    }
    for occurrence in index.occurrences {
      for measure in index.measures(of: occurrence.id) { try add(measure, occurrence) }
    }
    for organism in index.organisms {
      let measures = index.measures(of: organism.id)
      guard !measures.isEmpty else { continue }
      let seen = index.occurrences(of: organism.id)
      for measure in measures {
        let then = seen.first { index.time(of: $0)?.time == measure.time } ?? seen.first
        if let then { try add(measure, then) }
      }
    }
    report.lose("measures", index.measureCount - written)
  }

  private func cells(of measure: Measure, _ occurrence: String?) -> [String: String] {
    let known = MeasureType.builtIn.first { $0.key == measure.type }
    var cells = ["measurementID": Self.urn(measure.id), "measurementType": measure.type]
    cells["occurrenceID"] = occurrence
    if let number = measure.number {
      // A number without a unit has its decimals.
      let isPlain = known == nil || known?.unit != nil
      cells["measurementValue"] = isPlain ? String(number) : known?.written(number)
      cells["measurementUnit"] = known?.unit
      if measure.text != nil { report.lose("measure.text") }
    } else {
      cells["measurementValue"] = measure.text
    }
    cells["measurementMethod"] = measure.method
    cells["measurementDeterminedDate"] = measure.time?.text
    cells["measurementRemarks"] = measure.remarks
    return cells
  }

  /// What is measured of a dive, each with its unit.
  private static func facts(of dive: Dive) -> [(type: String, value: String, unit: String?)] {
    var facts: [(type: String, value: String, unit: String?)] = []
    func add(_ type: String, _ value: Int?, _ decimals: Int, _ unit: String?) {
      if let value { facts.append((type, DecimalText.text(value, decimals: decimals), unit)) }
    }
    add("dive number", dive.number, 0, nil)
    add("duration of the dive", dive.durationS, 0, "s")
    add("bottom time", dive.bottomS, 0, "s")
    add("maximum depth", dive.maxDepthMm, 3, "m")
    add("mean depth", dive.meanDepthMm, 3, "m")
    add("minimum water temperature", dive.waterMinCk, 2, "K")
    add("maximum water temperature", dive.waterMaxCk, 2, "K")
    add("air temperature", dive.airCk, 2, "K")
    add("visibility", dive.visibilityCm, 2, "m")
    add("current from 0 to 5", dive.currentLevel, 0, nil)
    add("salinity", dive.salinityMgL, 0, "mg/l")
    return facts
  }

  /// Counts what no table has.
  func countLosses(_ events: [Event], isOfEvents: Bool) {
    func lose(_ what: String, _ isLost: Bool) { if isLost { report.lose(what) } }
    for event in events {
      let isSeen = !index.occurrences(of: event.id).isEmpty
      lose("events without occurrences", !isOfEvents && !isSeen)
      lose("event.parent", !isOfEvents && event.parent != nil)
      lose("event.status", event.status != .saved)
      lose("event.privacy", event.privacy != .open)
      lose("event.tags", !event.tags.isEmpty)
      lose("event.collections", !event.collections.isEmpty)
      lose("roles of persons", event.persons.contains { $0.role != .observer || $0.number != nil })
      guard let dive = event.dive else { continue }
      lose("dive.tanks", !dive.tanks.isEmpty)
      lose(
        "dive: mode, pressure, weight, suit, signature",
        dive.mode != nil || dive.surfaceMbar != nil || dive.weightG != nil || dive.suit != nil
          || dive.signedMs != nil)
    }
    for occurrence in index.occurrences {
      lose("occurrence.privacy", occurrence.privacy != .open)
      lose("occurrence.tags", !occurrence.tags.isEmpty)
      lose("occurrence.collections", !occurrence.collections.isEmpty)
      lose("occurrence.countKind", occurrence.countKind ?? .exact != .exact)
      let names = index.identifications(of: occurrence.id)
      if isOfEvents { report.lose("identifications before the last", names.count - 1) }
      for name in names {
        lose("identification.cultivar", name.cultivar != nil)
        lose("identification.rootstock", name.rootstock != nil)
      }
    }
    for organism in index.organisms {
      lose("organisms without occurrences", index.occurrences(of: organism.id).isEmpty)
      lose("organism.status", organism.status != .unknown)
      lose("organism.planted", organism.planted != nil)
      lose("organism.elevationCm", organism.elevationCm != nil)
      lose("organism.tags", !organism.tags.isEmpty)
      lose("organism.collections", !organism.collections.isEmpty)
      report.lose("notes on organisms", index.notes(on: organism.id).count)
    }
    for place in index.places {
      lose("place.elevationCm", place.elevationCm != nil)
      lose("place.diveSite", place.diveSite != nil)
      lose("place.tags", !place.tags.isEmpty)
      lose("place.collections", !place.collections.isEmpty)
      lose("place.states", !place.states.isEmpty)
      report.lose("notes on places", index.notes(on: place.id).count)
    }
  }
}
