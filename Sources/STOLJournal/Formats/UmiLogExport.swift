import STOLData
import STOLSystem

/// Writes sites, dives and sightings as the tables of UmiLog, in one JSON object; see `UmiLogReader`.
enum UmiLogExport {
  static func write(
    _ journal: JournalFile, _ query: SightingQuery?, to sink: inout ExportSink
  ) throws -> ExportReport {
    let index = try RecordIndex(journal, query)
    var report = ExportReport()
    let sites = try Self.sites(index, &report)
    let (dives, events) = try Self.dives(index, &report)
    var species: [String] = []
    var seen: Set<JournalID> = []
    var sightings: [String] = []
    for occurrence in index.occurrences {
      guard events.contains(occurrence.event), occurrence.presence == .present else {
        report.lose(
          occurrence.presence == .present
            ? "occurrences outside dives" : "occurrence of what was absent")
        continue
      }
      try report.loseAll(
        of: .occurrence(occurrence),
        but: ["id", "recordKind", "event", "count", "countKind", "remarks"])
      let name = try Self.name(of: occurrence, index, &report)
      if let name, seen.insert(name.id).inserted { species.append(name.row) }
      var row = JSONObjectWriter()
      try row.text("id", "\(occurrence.id)")
      try row.text("dive_id", "\(occurrence.event)")
      try row.text("species_id", name.map { "\($0.id)" })
      row.number("count", occurrence.count)
      try row.text("notes", notes(occurrence.remarks, occurrence.id, index, &report))
      sightings.append(row.json)
    }
    for organism in index.organisms {
      try report.loseAll(of: .organism(organism), but: ["id", "recordKind"])
    }
    report.lose("measures", index.measureCount)
    report.lose("photos", index.photoCount)
    let tables = [
      ("sites", sites.sites), ("dive_shops", sites.shops), ("list_state", sites.states),
      ("species", species), ("dives", dives), ("sightings", sightings),
    ]
    for (number, table) in tables.enumerated() {
      let rows = table.1.isEmpty ? "" : "\n" + table.1.joined(separator: ",\n") + "\n"
      try sink.append((number == 0 ? "{\n" : ",\n") + "\"\(table.0)\":[\(rows)]")
      if !table.1.isEmpty { report.add(table.0, table.1.count) }
    }
    try sink.append("\n}\n")
    return report
  }

  // MARK: - Sites

  private static let heldOfPlace: Set<String> = [
    "id", "recordKind", "kind", "name", "parent", "position.latitudeE7", "position.longitudeE7",
    "locality", "country", "tags", "states", "diveSite.minDepthMm", "diveSite.maxDepthMm",
    "diveSite.description", "diveSite.kind", "diveSite.difficulty", "diveSite.entry",
  ]

  private static func sites(
    _ index: RecordIndex, _ report: inout ExportReport
  ) throws -> (sites: [String], shops: [String], states: [String]) {
    var (sites, shops, states): ([String], [String], [String]) = ([], [], [])
    let visits = Dictionary(
      grouping: index.events.values.filter { $0.status == .saved && $0.kind != .trip }, by: \.place)
    for place in index.places {
      switch place.kind {
      case .region, .area: continue
      case .home:
        report.lose("places that are homes")
        continue
      case .site, .spot, .shop: break
      }
      try report.loseAll(of: .place(place), but: heldOfPlace)
      report.lose("note on a place", index.notes(on: place.id).count)
      let above = ancestors(of: place, index)
      let site = place.diveSite
      let count = visits[place.id]?.count ?? 0
      var row = JSONObjectWriter()
      try row.text("id", "\(place.id)")
      try row.text("name", place.name)
      try row.text("location", place.locality)
      row.number("latitude", place.position?.latitudeE7, decimals: 7)
      row.number("longitude", place.position?.longitudeE7, decimals: 7)
      try row.text("region", above.first { $0.kind == .region }?.name)
      try row.text("area", above.last { $0.kind == .area }?.name)
      try row.text("country", place.country)
      row.number("min_depth", site?.minDepthMm, decimals: 3)
      row.number("max_depth", site?.maxDepthMm, decimals: 3)
      row.number("difficulty", site?.difficulty)
      try row.text("type", site?.kind?.rawValue)
      try row.texts("entry_modes", site?.entry.map { [$0.rawValue] } ?? [])
      try row.text("description", site?.description)
      try row.texts("tags", place.tags.sorted())
      row.bool("wishlist", place.states.contains(.wishlist))
      row.number("visitedCount", count)
      if place.kind == .shop { shops.append(row.json) } else { sites.append(row.json) }
      let words = (count > 0 ? ["visited"] : []) + place.states.sorted().map(\.rawValue)
      for word in words {
        var state = JSONObjectWriter()
        try state.text("site_id", "\(place.id)")
        try state.text("state", word)
        states.append(state.json)
      }
    }
    return (sites, shops, states)
  }

  /// What a place is part of, the nearest first; no more than there may be.
  private static func ancestors(of place: Place, _ index: RecordIndex) -> [Place] {
    var list: [Place] = []
    var next = index.place(place.parent)
    while let place = next, list.count < JournalLimits.nestingCount {
      list.append(place)
      next = index.place(place.parent)
    }
    return list
  }

  // MARK: - Dives

  private static let heldOfDive: Set<String> = [
    "id", "recordKind", "kind", "place", "start", "end", "utcOffsetMin", "weather", "remarks",
    "dive.maxDepthMm", "dive.meanDepthMm", "dive.bottomS", "dive.waterMinCk", "dive.visibilityCm",
    "dive.currentLevel", "dive.signedMs", "dive.tanks.startMbar", "dive.tanks.endMbar",
    "persons.person", "persons.role", "persons.number",
  ]

  private static func dives(
    _ index: RecordIndex, _ report: inout ExportReport
  ) throws -> (rows: [String], ids: Set<JournalID>) {
    var (rows, ids): ([String], Set<JournalID>) = ([], [])
    let events = index.events.values.sorted { ($0.startMs, $0.id) < ($1.startMs, $1.id) }
    for event in events {
      guard event.kind == .dive, event.status == .saved else {
        report.lose(event.kind == .dive ? "drafts" : "events that are no dives")
        continue
      }
      ids.insert(event.id)
      try report.loseAll(of: .event(event), but: heldOfDive)
      rows.append(try row(event, index, &report))
    }
    return (rows, ids)
  }

  private static func row(
    _ event: Event, _ index: RecordIndex, _ report: inout ExportReport
  ) throws -> String {
    let (dive, tank) = (event.dive, event.dive?.tanks.first)
    report.lose("tanks after the first", max(0, (dive?.tanks.count ?? 0) - 1))
    let instructors = event.persons.filter { $0.role == .instructor }.sorted()
    report.lose("persons but for one instructor", event.persons.count - min(1, instructors.count))
    let signed = dive?.signedMs.map { timeText(secondsSince1970: $0 / 1000) + "Z" }
    func text(_ time: LocalTime?) -> String? {
      guard let time, time.hasTimeOfDay else { return nil }
      return ImportTime.text(time, utcOffsetMin: event.utcOffsetMin)
    }
    var row = JSONObjectWriter()
    try row.text("id", "\(event.id)")
    try row.text("site_id", event.place.map { "\($0)" })
    try row.text("date", String(event.start.text.prefix(10)))
    try row.text("start_time", text(event.start))
    try row.text("end_time", text(event.end))
    row.number("max_depth", dive?.maxDepthMm, decimals: 3)
    row.number("avg_depth", dive?.meanDepthMm, decimals: 3)
    row.number("bottom_time", dive?.bottomS.map { ($0 * 1000 + 30) / 60 }, decimals: 3)
    row.number("start_pressure", tank?.startMbar, decimals: 3)
    row.number("end_pressure", tank?.endMbar, decimals: 3)
    row.number("temperature", dive?.waterMinCk.map { $0 - 27_315 }, decimals: 2)
    row.number("visibility", dive?.visibilityCm, decimals: 2)
    row.number("current", dive?.currentLevel)
    try row.text("conditions", event.weather)
    try row.text("notes", notes(event.remarks, event.id, index, &report))
    try row.text("instructor_name", instructors.first.flatMap { index.person($0.person)?.name })
    try row.text("instructor_number", instructors.first?.number)
    row.bool("signed", signed != nil)
    try row.text("updatedAt", signed)
    return row.json
  }

  /// Remarks and notes as one text.
  private static func notes(
    _ remarks: String?, _ id: JournalID, _ index: RecordIndex, _ report: inout ExportReport
  ) -> String? {
    let notes = index.notes(on: id)
    guard !notes.isEmpty else { return remarks }
    report.lose("notes of their own (joined)", notes.count)
    let joined = JoinedNotes.text((remarks.map { [$0] } ?? []) + notes.map(\.text))
    report.lose("\"\(JoinedNotes.separator)\" within a note", joined.changedCount)
    return joined.text
  }

  /// The row of the species that an occurrence was taken for: its name as it was written, which is a scientific one
  /// where it was that of the taxon.
  private static func name(
    of occurrence: Occurrence, _ index: RecordIndex, _ report: inout ExportReport
  ) throws -> (id: JournalID, row: String)? {
    let names = index.identifications(of: occurrence.id)
    guard let name = names.last else { return nil }
    report.lose("identifications before the last", names.count - 1)
    try report.loseAll(
      of: .identification(name), but: ["id", "recordKind", "occurrence", "verbatimName", "match"])
    let written = name.match == .exact ? name.verbatimName : name.taxon?.name
    let scientific = written.flatMap { $0.isEmpty ? nil : $0 }
    let id = JournalID(naming: ["umilog", "species", name.verbatimName, scientific ?? ""])
    var row = JSONObjectWriter()
    try row.text("id", "\(id)")
    try row.text("name", name.verbatimName)
    try row.text("scientific_name", scientific)
    return (id, row.json)
  }
}
