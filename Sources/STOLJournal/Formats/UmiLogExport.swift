import STOLData
import STOLSystem

/// Writes sites, dives and sightings as the tables of UmiLog, in one JSON object; see `UmiLogReader`.
enum UmiLogExport {
  static func write(
    _ journal: JournalFile, _ query: SightingQuery?, _ sharing: Sharing?, to sink: inout ExportSink
  ) throws -> ExportReport {
    var report = ExportReport()
    try write(RecordIndex(journal, query, sharing), to: &sink, &report)
    return report
  }

  static func write(
    _ index: RecordIndex, to sink: inout ExportSink, _ report: inout ExportReport
  ) throws {
    let sites = try Self.sites(index, &report)
    let (dives, events) = try Self.dives(index, sites.ids, &report)
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
  }

  // MARK: - Sites

  private static let heldOfPlace: Set<String> = [
    "id", "recordKind", "kind", "name", "parent", "position.latitudeE7", "position.longitudeE7",
    "locality", "country", "tags", "states", "diveSite.minDepthMm", "diveSite.maxDepthMm",
    "diveSite.description", "diveSite.kind", "diveSite.difficulty", "diveSite.entry",
  ]

  private static func sites(
    _ index: RecordIndex, _ report: inout ExportReport
  ) throws -> (sites: [String], shops: [String], states: [String], ids: Set<JournalID>) {
    var (sites, shops, states): ([String], [String], [String]) = ([], [], [])
    var (ids, named): (Set<JournalID>, Set<JournalID>) = ([], [])
    let visits = Dictionary(
      grouping: index.events.values.filter { $0.status == .saved && $0.kind == .dive }, by: \.place)
    for place in index.places where isSite(place) {
      ids.insert(place.id)
      try report.loseAll(of: .place(place), but: heldOfPlace)
      if place.kind == .spot { report.lose("spots (as sites)") }
      let above = ancestors(of: place, index)
      let region = above.first { $0.kind == .region }
      let area = above.last { $0.kind == .area }
      named.formUnion([region, area].compactMap { $0?.id })
      if let parent = place.parent, parent != region?.id, parent != area?.id {
        report.lose("place.parent")
      }
      let site = place.diveSite
      report.addPosition(place.position, isObscured: false)
      let count = visits[place.id]?.count ?? 0
      var row = JSONObjectWriter()
      try row.text("id", "\(place.id)")
      try row.text("name", place.name)
      try row.text("location", place.locality)
      row.number("latitude", place.position?.latitudeE7, decimals: 7)
      row.number("longitude", place.position?.longitudeE7, decimals: 7)
      try row.text("region", region?.name)
      try row.text("area", area?.name)
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
    for place in index.places {
      report.lose("note on a place", index.notes(on: place.id).count)
      if named.contains(place.id) {
        try report.loseAll(
          of: .place(place), but: ["id", "recordKind", "kind", "name", "parent"])
      } else if !isSite(place) {
        report.lose("places that are \(place.kind.rawValue)s")
      }
    }
    return (sites, shops, states, ids)
  }

  /// Whether a place has a row: a region or an area is a word of its sites.
  private static func isSite(_ place: Place) -> Bool {
    switch place.kind {
    case .site, .spot, .shop: true
    case .region, .area, .home: false
    }
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
    _ index: RecordIndex, _ sites: Set<JournalID>, _ report: inout ExportReport
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
      var event = event
      if let place = event.place, !sites.contains(place) {
        event.place = nil
        report.lose("places of dives that are no sites")
      }
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
    row.number("bottom_time", dive?.bottomS.map(minutes), decimals: 3)
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

  /// Thousandths of a minute, to the nearest.
  static func minutes(_ seconds: Int) -> Int { (seconds * 1000 + 30) / 60 }

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

  private static let heldOfName: Set<String> = [
    "id", "recordKind", "occurrence", "verbatimName", "match",
  ]

  /// The row of the species that an occurrence was taken for: its name as it was written, which is a scientific one
  /// where it was that of the taxon.
  private static func name(
    of occurrence: Occurrence, _ index: RecordIndex, _ report: inout ExportReport
  ) throws -> (id: JournalID, row: String)? {
    let names = index.identifications(of: occurrence.id)
    guard let name = names.last else { return nil }
    report.lose("identifications before the last", names.count - 1)
    let common = UmiLogSpecies.commonName(of: name)
    try report.loseAll(
      of: .identification(name),
      but: Self.heldOfName.union(common == nil ? [] : ["remarks"]))
    let isScientific = common != nil || name.match == .exact
    let written = isScientific ? name.verbatimName : name.taxon?.name
    let scientific = written.flatMap { $0.isEmpty ? nil : $0 }
    let shown = common ?? name.verbatimName
    let id = JournalID(naming: ["umilog", "species", shown, scientific ?? ""])
    var row = JSONObjectWriter()
    try row.text("id", "\(id)")
    try row.text("name", shown)
    try row.text("scientific_name", scientific)
    return (id, row.json)
  }
}
