/// Reads the tables of UmiLog as one JSON object: sites, dive_shops, list_state, species, dives, sightings, each a list
/// of rows with the columns of that table.
///
/// Lengths are in metres, pressures in bar, temperatures in degrees Celsius, times of dives in minutes, as the
/// app shows them. Ids that are no UUIDs name one.
package final class UmiLogReader: ImportReader {
  private var rows: [(table: Table, row: Result<ImportObject, ImportRefusal>)] = []
  private var position = 0
  private var species = UmiLogSpecies()
  private var states: [String: Set<String>] = [:]
  /// The sites and shops of the file.
  private var sites: Set<String> = []
  /// How many dives there were at each site.
  private var diveCounts: [String: Int] = [:]
  private var counts = ImportBeside()
  /// More than a life of dives.
  static let byteLimit = 256 << 20

  package var roundTrip: RoundTripFormat? { .umilog }

  private enum Table: String, CaseIterable {
    // In the order in which rows refer to each other.
    case species
    case listState = "list_state"
    case sites
    case shops = "dive_shops"
    case dives
    case sightings
  }

  /// Reads what `chunks` gives.
  ///
  /// - Throws: `JournalError.invalid` for a file that is no such object; what `chunks` throws.
  package init(_ chunks: ByteChunks) throws {
    let bytes = try chunks.rest(limit: Self.byteLimit)
    let root: JSONNode
    do {
      root = try JSONScanner.document(bytes)
    } catch {
      throw JournalDocumentReader.error(error, in: bytes)
    }
    guard case .object(let members) = root.value else {
      throw JournalError.invalid(
        field: "file", value: root.shown, remedy: "an object with sites, dives and sightings")
    }
    let tables = Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.node) })
    for table in [Table.sites, .shops] { sites.formUnion(Self.ids(in: tables[table.rawValue])) }
    for (name, node) in tables where Table(rawValue: name) == nil {
      if case .null = node.value { continue }
      counts.leave([name])
    }
    for table in Table.allCases { collect(table, tables[table.rawValue], bytes) }
  }

  /// What of the rows so far is in no record of its own; which species have no sighting, the end of the file shows.
  package var beside: ImportBeside {
    var all = counts
    if species.usedCount > 0 { all.joined[Table.species.rawValue] = species.usedCount }
    if species.unusedCount > 0 { all.leftOut["species without a sighting"] = species.unusedCount }
    return all
  }

  private static func ids(in table: JSONNode?) -> [String] {
    guard case .list(let rows)? = table?.value else { return [] }
    return rows.compactMap { $0["id"]?.shown }
  }

  private func collect(_ table: Table, _ node: JSONNode?, _ bytes: [UInt8]) {
    guard let node, case .list(let list) = node.value else { return }
    var counter = LineCounter()
    for row in list {
      let line = counter.place(of: row.range.lowerBound, in: bytes).line
      guard case .object = row.value else {
        let refusal = ImportRefusal(
          line: line, column: table.rawValue, value: row.shown, reason: "no row",
          remedy: "an object in { }")
        rows.append((table, .failure(refusal)))
        continue
      }
      let object = ImportObject(row, line: line)
      switch table {
      case .species: remember(object)
      case .listState: rememberState(object)
      case .dives:
        if let site = row["site_id"]?.shown { diveCounts[site, default: 0] += 1 }
        rows.append((table, .success(object)))
      case .sites, .shops, .sightings: rows.append((table, .success(object)))
      }
    }
  }

  private func remember(_ row: ImportObject) {
    var row = row
    do {
      try species.add(&row)
    } catch {
      rows.append((.species, .failure(error)))
    }
    leave(row, .species)
  }

  /// Counts what of a row is not kept as it is.
  private func leave(_ row: ImportObject, _ table: Table) {
    counts.leave(row.left.map { "\(table.rawValue).\($0)" })
  }

  private func rememberState(_ row: ImportObject) {
    guard let site = row.node["site_id"]?.shown, let state = row.node["state"]?.shown else {
      let refusal = row.refusal("state", "", "without site_id or state", "both")
      return rows.append((.listState, .failure(refusal)))
    }
    guard ["visited", "wishlist", "planned"].contains(state) else {
      let refusal = row.refusal("state", state, "no state", "visited, wishlist or planned")
      return rows.append((.listState, .failure(refusal)))
    }
    guard sites.contains(site) else {
      let refusal = row.refusal(
        "site_id", site, "no site of the file", "the id of one of its sites")
      return rows.append((.listState, .failure(refusal)))
    }
    states[site, default: []].insert(state)
    counts.joined[Table.listState.rawValue, default: 0] += 1
  }

  package func next() throws -> Result<ImportRow, ImportRefusal>? {
    guard position < rows.count else { return nil }
    defer { position += 1 }
    let (table, row) = rows[position]
    switch row {
    case .failure(let refusal): return .failure(refusal)
    case .success(var object):
      do {
        let row =
          switch table {
          case .sites: try site(&object, .site)
          case .shops: try site(&object, .shop)
          case .dives: try dive(&object)
          case .sightings, .species, .listState: try sighting(&object)
          }
        leave(object, table)
        return .success(row)
      } catch {
        return .failure(error)
      }
    }
  }

  private static func id(
    _ column: String, _ kind: String, _ object: inout ImportObject
  ) throws(ImportRefusal) -> JournalID {
    guard let id = try object.id(column, naming: ["umilog", kind]) else {
      throw object.refusal(column, "", "missing", "what tells the row from others")
    }
    return id
  }

  // MARK: - Sites

  private func site(
    _ object: inout ImportObject, _ kind: Place.Kind
  ) throws(ImportRefusal) -> ImportRow {
    let key = object.node["id"]?.shown ?? ""
    guard let name = try object.text("name") else {
      throw object.refusal("name", "", "missing", "what the site is called")
    }
    var place = Place(
      id: try Self.id("id", kind.rawValue, &object), kind: kind, name: name)
    place.position = try object.position(
      ("latitude", "lat"), ("longitude", "lon"), ("accuracy", "horizontalAccuracy"))
    place.locality = try object.text("location")
    if let country = try object.text("country") {
      if country.utf8.count == 2 {
        place.country = country
      } else {
        place.tags.insert(country)
        object.flag("country", country, "kept as a tag: the journal has countries as two letters")
      }
    }
    var records: [JournalRecord] = []
    for (column, kind) in [("region", Place.Kind.region), ("area", .area)] {
      guard let name = try object.text(column) else { continue }
      var parent = Place(
        id: JournalID(naming: ["umilog", column, name, place.parent?.description ?? ""]),
        kind: kind, name: name)
      parent.parent = place.parent
      place.parent = parent.id
      records.append(.place(parent))
    }
    if kind == .site { try setDiveSite(&place, &object) }
    if try object.flag(named: "wishlist") ?? false { place.states.insert(.wishlist) }
    for state in states[key] ?? [] {
      if let state = Place.State(rawValue: state) {
        place.states.insert(state)
      } else if diveCounts[key] == nil {
        object.flag("state", state, "left out: the journal has it where there is a dive")
      }
    }
    place.tags.formUnion(try texts("tags", &object) + texts("notable_features", &object))
    for column in ["avg_depth", "avg_temp", "avg_visibility", "visibility_mean", "temp_mean"] {
      guard let (name, member) = try object.take([column]) else { continue }
      object.flag(name, member.shown, "left out: the journal takes means from dives")
    }
    // The journal counts visits itself.
    if let (_, member) = try object.take(["visitedCount"]),
      Int(member.shown) != diveCounts[key] ?? 0
    {
      object.leave("visitedCount")
    }
    object.leave("createdAt", "updatedAt")
    object.flagTheRest()
    return try object.row(records + [.place(place)], Self.sourcesOfSite)
  }

  /// What fields of records are made of.
  private static let sourcesOfSite: KeyValuePairs = [
    "name": "name", "locality": "location", "min_depth_mm": "min_depth",
    "max_depth_mm": "max_depth", "difficulty": "difficulty", "tag": "tags",
    "description": "description",
  ]

  private func setDiveSite(
    _ place: inout Place, _ object: inout ImportObject
  ) throws(ImportRefusal) {
    var site = DiveSite()
    site.minDepthMm = try object.value("min_depth", decimals: 3)
    site.maxDepthMm = try object.value("max_depth", decimals: 3)
    site.description = try object.text("description")
    if let type = try object.text("type") {
      site.kind = DiveSite.Kind(rawValue: type.lowercased())
      if site.kind == nil {
        place.tags.insert(type)
        object.flag("type", type, "kept as a tag: the journal has no such kind of site")
      }
    }
    if let difficulty = try object.text("difficulty") {
      site.difficulty = Int(difficulty)
      if site.difficulty == nil {
        place.tags.insert(difficulty)
        object.flag(
          "difficulty", difficulty, "kept as a tag: the journal has numbers from 1 to 5")
      }
    }
    let entries = try texts("entry_modes", &object)
    site.entry = entries.count == 1 ? DiveSite.Entry(rawValue: entries[0].lowercased()) : nil
    if site.entry == nil { place.tags.formUnion(entries) }
    if !site.isEmpty { place.diveSite = site }
  }

  /// A list of texts.
  private func texts(
    _ column: String, _ object: inout ImportObject
  ) throws(ImportRefusal) -> [String] {
    guard let (name, member) = try object.take([column]) else { return [] }
    guard case .list(let list) = member.value else {
      throw object.refusal(name, member.shown, "no list", "a list of texts in [ ]")
    }
    var texts: [String] = []
    for node in list {
      guard case .text(let text) = node.value else {
        throw object.refusal(name, node.shown, "no text", "a text in quotation marks")
      }
      texts.append(text)
    }
    return texts
  }

  // MARK: - Dives

  private func dive(_ object: inout ImportObject) throws(ImportRefusal) -> ImportRow {
    let id = try Self.id("id", "dive", &object)
    let (start, end) = try times(&object)
    var event = Event(id: id, kind: .dive, start: start.time)
    (event.end, event.utcOffsetMin) = (end?.time, start.utcOffsetMin)
    event.place = try object.id("site_id", naming: ["umilog", Place.Kind.site.rawValue])
    event.weather = try object.text("conditions")
    var remarks = [try object.text("notes")].compactMap { $0 }
    var dive = Dive()
    dive.maxDepthMm = try object.value("max_depth", decimals: 3)
    dive.meanDepthMm = try object.value("avg_depth", decimals: 3)
    dive.bottomS = try object.value("bottom_time", decimals: 3).map { thousandths in
      let seconds = (thousandths * 60 + 500) / 1000
      if UmiLogExport.minutes(seconds) != thousandths { object.leave(rounded: "bottom_time") }
      return seconds
    }
    dive.waterMinCk = try object.value("temperature", decimals: 2).map { $0 + 27_315 }
    dive.visibilityCm = try object.value("visibility", decimals: 2)
    if let current = try object.text("current") {
      dive.currentLevel = Int(current)
      if dive.currentLevel == nil {
        remarks.append("current: \(current)")
        object.flag("current", current, "kept in the remarks: the journal has numbers from 0 to 5")
      }
    }
    var tank = Dive.Tank()
    tank.startMbar = try object.value("start_pressure", decimals: 3)
    tank.endMbar = try object.value("end_pressure", decimals: 3)
    if tank != Dive.Tank() { dive.tanks = [tank] }
    var records: [JournalRecord] = []
    let number = try object.text("instructor_number")
    if let name = try object.text("instructor_name") {
      let person = Person(id: JournalID(naming: ["umilog", "person", name]), name: name)
      event.persons = [Participant(person: person.id, role: .instructor, number: number)]
      records.append(.person(person))
    } else if let number {
      object.flag("instructor_number", number, "left out: the instructor has no name")
    }
    dive.signedMs = try signedMs(&object)
    event.dive = dive
    event.remarks = remarks.isEmpty ? nil : remarks.joined(separator: "\n")
    object.flagTheRest()
    return try object.row(records + [.event(event)], Self.sourcesOfDive)
  }

  private static let sourcesOfDive: KeyValuePairs = [
    "event.place": "site_id", "local_end": "end_time", "max_depth_mm": "max_depth",
    "mean_depth_mm": "avg_depth", "bottom_s": "bottom_time", "start_mbar": "start_pressure",
    "end_mbar": "end_pressure", "water_min_ck": "temperature", "visibility_cm": "visibility",
    "current_level": "current", "weather": "conditions", "remarks": "notes",
    "name": "instructor_name", "number": "instructor_number", "signed_ms": "updatedAt",
  ]

  /// When a dive that is signed was: when the row was written last.
  private func signedMs(_ object: inout ImportObject) throws(ImportRefusal) -> Int? {
    let isSigned = try object.flag(named: "signed") ?? false
    let (updated, created) = (try object.time("updatedAt"), try object.time("createdAt"))
    // Of a dive that was signed the later one says when; a member that is missing is not counted.
    if !isSigned || updated != nil { object.leave("createdAt") }
    guard isSigned else {
      object.leave("updatedAt")
      return nil
    }
    guard let time = updated ?? created, let offset = time.utcOffsetMin else {
      object.flag("signed", "true", "left out: nobody says when it was signed")
      return nil
    }
    return (time.time.firstSecond - offset * 60) * 1000
  }

  /// The beginning and the end: dates with times, or times of the day beside `date`.
  private func times(
    _ object: inout ImportObject
  ) throws(ImportRefusal) -> (start: ImportTime, end: ImportTime?) {
    let date = try object.text("date")
    func time(_ column: String) throws(ImportRefusal) -> ImportTime? {
      guard let (name, member) = try object.take([column]) else { return nil }
      var text = member.shown
      if let date, (4...8).contains(text.utf8.count), text.contains(":") {
        text =
          "\(date.prefix(10))T" + (text.utf8.dropFirst().first == UInt8(ascii: ":") ? "0" : "")
          + text
      }
      guard let time = ImportTime(text) else {
        throw object.refusal(name, member.shown, "no time", "a time as 2026-03-15T09:44 or 09:44")
      }
      return time
    }
    let (start, end) = (try time("start_time"), try time("end_time"))
    if let start {
      guard let end else { return (start, nil) }
      if end.utcOffsetMin != start.utcOffsetMin {
        object.flag("end_time", end.time.text, "left out: it is by another clock than the start")
        return (start, nil)
      }
      guard end.time.lastSecond < start.time.firstSecond else { return (start, end) }
      object.flag("end_time", end.time.text, "left out: it is before the start")
      return (start, nil)
    }
    guard let date else { throw object.refusal("date", "", "missing", "the day of the dive") }
    guard let day = ImportTime(date) else {
      throw object.refusal("date", date, "no date", "a date as 2026-03-15")
    }
    return (day, nil)
  }

  // MARK: - Sightings

  private func sighting(_ object: inout ImportObject) throws(ImportRefusal) -> ImportRow {
    let id = try Self.id("id", "sighting", &object)
    var occurrence = Occurrence(id: id, event: try Self.id("dive_id", "dive", &object))
    occurrence.count = try object.value("count", decimals: 0)
    occurrence.countKind = occurrence.count == nil ? nil : .exact
    occurrence.remarks = try object.text("notes")
    var records: [JournalRecord] = [.occurrence(occurrence)]
    if let key = try object.text("species_id") {
      guard let identification = species.identification(key, of: id) else {
        throw object.refusal(
          "species_id", key, "no species of the file", "a row of species with this id and a name")
      }
      records.append(.identification(identification))
    }
    object.leave("createdAt")
    object.flagTheRest()
    return try object.row(
      records, ["occurrence.event": "dive_id", "count": "count", "remarks": "notes"])
  }
}
