/// What was measured, and what no table has.
extension DarwinCoreExport {
  /// Adds what was measured of events, occurrences and individuals, and what dive computers say.
  func addFacts(
    _ rows: inout Rows, dives: some Sequence<JournalID>, isOfEvents: Bool
  ) throws {
    var written = 0
    func add(_ measure: Measure, _ occurrence: Occurrence) throws {
      let core = isOfEvents ? occurrence.event : occurrence.id
      try rows.add(core, cells(of: measure, occurrence.id))
      written += 1
    }
    let measured = try records.owners(of: .measure, among: .event)
    for id in Set(measured).union(isOfEvents ? Set(dives) : []).sorted() {
      for measure in try records.measures(of: id) {
        if isOfEvents {
          try rows.add(id, cells(of: measure, nil))
          written += 1
        } else if let first = try records.occurrences(of: id).first {
          try add(measure, first)
        }
      }
      guard isOfEvents, let dive = try records.event(id)?.dive else { continue }
      for (type, value, unit) in Self.facts(of: dive) {
        var cells = DarwinCoreCells()
        cells.set(.measurementType, type)
        cells.set(.measurementValue, value)
        cells.set(.measurementUnit, unit)
        try rows.add(id, cells)
      }
    }
    for id in try records.owners(of: .measure, among: .occurrence) {
      guard let occurrence = try records.occurrence(id) else { continue }
      for measure in try records.measures(of: id) { try add(measure, occurrence) }
    }
    for id in try records.owners(of: .measure, among: .organism) {
      let seen = try records.occurrences(of: id)
      for measure in try records.measures(of: id) {
        let then = try seen.first { try records.time(of: $0)?.time == measure.time } ?? seen.first
        if let then { try add(measure, then) }
      }
    }
    report.lose("measures", records.measureCount - written)
  }

  private func cells(of measure: Measure, _ occurrence: JournalID?) -> DarwinCoreCells {
    let known = MeasureType.builtIn.first { $0.key == measure.type }
    var cells = DarwinCoreCells()
    cells.set(.measurementID, measure.id)
    cells.set(.measurementType, measure.type)
    cells.set(.occurrenceID, occurrence)
    if let number = measure.number {
      // A number without a unit has its decimals.
      let isPlain = known == nil || known?.unit != nil
      cells.set(.measurementValue, isPlain ? String(number) : known?.written(number))
      cells.set(.measurementUnit, known?.unit)
      if measure.text != nil { report.lose("measure.text") }
    } else {
      cells.set(.measurementValue, measure.text)
    }
    cells.set(.measurementMethod, measure.method)
    cells.set(.measurementDeterminedDate, measure.time?.text)
    cells.set(.measurementRemarks, measure.remarks)
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

  private func lose(_ what: String, _ isLost: Bool) { if isLost { report.lose(what) } }

  /// Counts what no table has of an event.
  func countLosses(_ event: Event) {
    lose("event.status", event.status != .saved)
    lose("event.privacy", event.privacy != .open)
    lose("event.tags", !event.tags.isEmpty)
    lose("event.collections", !event.collections.isEmpty)
    lose("roles of persons", event.persons.contains { $0.role != .observer || $0.number != nil })
    guard let dive = event.dive else { return }
    lose("dive.tanks", !dive.tanks.isEmpty)
    lose(
      "dive: mode, pressure, weight, suit, signature",
      dive.mode != nil || dive.surfaceMbar != nil || dive.weightG != nil || dive.suit != nil
        || dive.signedMs != nil)
  }

  /// Counts what no table has of an occurrence.
  func countLosses(_ seen: RecordJoin.Seen, isOfEvents: Bool) {
    let occurrence = seen.occurrence
    lose("occurrence.privacy", occurrence.privacy != .open)
    lose("occurrence.tags", !occurrence.tags.isEmpty)
    lose("occurrence.collections", !occurrence.collections.isEmpty)
    lose("occurrence.countKind", occurrence.countKind ?? .exact != .exact)
    if isOfEvents { report.lose("identifications before the last", seen.names.count - 1) }
    for name in seen.names {
      lose("identification.cultivar", name.cultivar != nil)
      lose("identification.rootstock", name.rootstock != nil)
    }
  }

  /// Counts what no table has of individuals and places.
  func countLosses() throws {
    try records.forEach(.organism) { record in
      guard case .organism(let organism) = record else { return }
      lose("organisms without occurrences", !seenOrganisms.contains(organism.id))
      lose("organism.status", organism.status != .unknown)
      lose("organism.planted", organism.planted != nil)
      lose("organism.elevationCm", organism.elevationCm != nil)
      lose("organism.tags", !organism.tags.isEmpty)
      lose("organism.collections", !organism.collections.isEmpty)
    }
    try records.forEach(.place) { record in
      guard case .place(let place) = record else { return }
      lose("place.elevationCm", place.elevationCm != nil)
      lose("place.diveSite", place.diveSite != nil)
      lose("place.tags", !place.tags.isEmpty)
      lose("place.collections", !place.collections.isEmpty)
      lose("place.states", !place.states.isEmpty)
    }
    report.lose("notes on organisms", try records.noteCount(onAll: .organism))
    report.lose("notes on places", try records.noteCount(onAll: .place))
  }
}
