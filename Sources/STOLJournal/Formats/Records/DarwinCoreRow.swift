import STOLFormats
import STOLSystem

/// A row of Darwin Core, and the records that are made of it.
struct DarwinCoreRow {
  let table: ForeignTable
  /// What tells the data of the archive from those of others.
  let identity: String

  func text(_ term: String) -> String? { table.text(term) }

  // MARK: - Identity

  /// What links the row to others.
  var coreID: String? { text(DarwinCoreArchive.coreID) }

  /// The UUID of what a text names: the UUID that it is, else one of the text, which is of its data set alone unless it
  /// is a URI.
  func named(_ kind: String, _ text: String) -> JournalID {
    if let id = Self.uuid(text) { return id }
    if kind == DarwinCoreArchive.occurrence, let number = Self.number(ofINaturalist: text) {
      return INaturalistObservation.occurrence(number)
    }
    return Self.named(kind, text, of: source)
  }

  private static func named(
    _ kind: String, _ text: String, of source: @autoclosure () -> String
  ) -> JournalID {
    JournalID(naming: ["dwc", kind] + (text.contains(":") ? [] : [source()]) + [text])
  }

  /// The UUID of the same, for a table that need not say whose its ids are.
  func linkName(_ kind: String, _ text: String) -> JournalID {
    Self.uuid(text) ?? Self.named(kind, text, of: identity)
  }

  /// The UUID that a text is, by itself or as a URN.
  static func uuid(_ text: String) -> JournalID? {
    JournalID(text.hasPrefix("urn:uuid:") ? String(text.dropFirst(9)) : text)
  }

  /// The number of an observation at iNaturalist, which its tables and answers have too.
  private static func number(ofINaturalist text: String) -> String? {
    let rest = text.split(separator: "/", omittingEmptySubsequences: false)
    guard rest.count == 5, rest[0].hasPrefix("http"), rest[2] == "www.inaturalist.org",
      rest[3] == "observations", !rest[4].isEmpty, rest[4].utf8.areDigits
    else { return nil }
    return String(rest[4])
  }

  /// What ids without a colon are of.
  private var source: String {
    if !identity.isEmpty { return identity }
    let known = table.first("datasetID", "datasetKey", "datasetName", "collectionCode")
    return known ?? text("institutionCode") ?? ""
  }

  /// The UUID of an occurrence.
  ///
  /// - Parameter besideCore: whether the row is of an extension, so that what links it is the id of another.
  /// - Returns: the UUID, which the same row always gets.
  func occurrenceID(besideCore: Bool) -> JournalID {
    let kind = DarwinCoreArchive.occurrence
    if let id = text("occurrenceID") { return named(kind, id) }
    if let number = text("catalogNumber") {
      let collection = [text("institutionCode"), text("collectionCode")].map { $0 ?? "" }
      return JournalID(
        naming: ["dwc", kind] + (besideCore ? [source] : []) + collection + [number])
    }
    if let id = besideCore ? nil : coreID ?? table.first("gbifID", "id") { return named(kind, id) }
    return JournalID(naming: ["dwc", "row", source] + table.cells)
  }

  // MARK: - Events

  /// A row of an event core.
  func event(_ id: JournalID, _ survey: DarwinCoreSurvey?) throws -> ImportRow {
    let (places, place) = self.places()
    var (event, records) = try makeEvent(id)
    event.place = place
    do { event.position = try position() } catch let refusal as ImportRefusal {
      // What was seen in it is not lost for that.
      table.flags.append(
        ImportFlag(
          column: refusal.column, value: refusal.value,
          reason: refusal.reason + "; the position was left out"))
    }
    event.parent = text("parentEventID").map { named(DarwinCoreArchive.event, $0) }
    if event.parent == id { event.parent = nil }
    if let survey {
      event.protocol = event.protocol ?? survey.protocol
      event.isCompleteList = event.isCompleteList || survey.isCompleteList
      if event.effortValue == nil, let value = survey.effort {
        setEffort(of: &event, "\(value) \(survey.unit ?? "")", &records)
      }
    }
    records += try elevations(of: id, event.start)
    return try row(places + [.event(event)] + records)
  }

  /// An event, with persons before it and what is said about it behind it.
  private func makeEvent(_ id: JournalID) throws -> (Event, [JournalRecord]) {
    let time = try eventTime()
    let kind = text("eventType").flatMap { Event.Kind(rawValue: $0.lowercased()) }
    let effort = text("samplingEffort")
    let how = text("samplingProtocol")
    var event = Event(
      id: id, kind: kind ?? (how == nil && effort == nil ? .visit : .survey), start: time.start)
    (event.end, event.utcOffsetMin) = (time.end, time.offsetMin)
    event.protocol = how
    var records: [JournalRecord] = []
    if let effort { setEffort(of: &event, effort, &records) }
    if let size = text("sampleSizeValue") {
      let words = [size, text("sampleSizeUnit")].compactMap { $0 }.joined(separator: " ")
      records.append(.measure(measure(id, "x-sample_size", words, at: time.start)))
    }
    let remarks = [text("eventRemarks"), text("fieldNotes"), time.verbatim].compactMap { $0 }
    event.remarks = remarks.isEmpty ? nil : remarks.joined(separator: "\n")
    return (event, records)
  }

  private func measure(
    _ target: JournalID, _ type: String, _ text: String, at time: LocalTime
  ) -> Measure {
    var measure = Measure(
      id: target.derived("\(type) \(text)"), target: target, type: type, text: text)
    measure.time = time
    return measure
  }

  /// Keeps an effort as a whole number and its unit, or as the words that it is.
  private func setEffort(
    of event: inout Event, _ text: String, _ records: inout [JournalRecord]
  ) {
    let words = text.split(separator: " ", maxSplits: 1)
    if words.count == 2, let value = Int(words[0]), value >= 0 {
      (event.effortValue, event.effortUnit) = (value, words[1].trimmed())
    } else {
      records.append(
        .measure(measure(event.id, "x-sampling_effort", text.trimmed(), at: event.start)))
    }
  }

  /// When it was, by what of several terms says it.
  private func eventTime() throws -> DarwinCoreTime {
    let time = DarwinCoreTime(
      eventDate: text("eventDate"), eventTime: text("eventTime"), year: text("year"),
      month: text("month"), day: text("day"), verbatim: text("verbatimEventDate"))
    guard let time else {
      var column =
        text("eventDate") == nil && text("verbatimEventDate") != nil
        ? "verbatimEventDate" : "eventDate"
      if let year = text("year") {
        column = DarwinCoreTime.wrongPart(year, text("month"), text("day")) ?? column
      }
      throw table.refusal(
        column,
        text(column) == nil
          ? "is missing" : column.hasSuffix("Date") ? "is no time" : "is none of a date",
        "the journal needs to know when it was, if only the year: 2026, 2026-03-15 or "
          + "2026-03-15T09:44-04:00")
    }
    for (column, reason) in time.doubts { table.flag(column, reason) }
    return time
  }

  // MARK: - Places

  /// The places that a row names, the largest first, and the smallest of them.
  private func places() -> ([JournalRecord], JournalID?) {
    let code = text("countryCode").flatMap { code in
      code.utf8.count == 2 && code.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) ? code : nil
    }
    if code == nil, text("countryCode") != nil {
      table.flag("countryCode", "is no code of two capitals, and was left out")
    }
    let water = line("waterBody")
    var places: [Place] = []
    var path: [String] = []
    func add(_ kind: Place.Kind, _ name: String?) {
      guard let name else { return }
      path.append(name)
      var place = Place(
        id: JournalID(naming: ["dwc", "place", code ?? "", kind.rawValue] + path), kind: kind,
        name: name)
      place.parent = places.last?.id
      place.country = code
      places.append(place)
    }
    add(.region, line("country"))
    add(.region, line("stateProvince"))
    add(.area, line("county"))
    add(.area, line("municipality"))
    let (stated, verbatim) = (line("locality"), line("verbatimLocality"))
    let name = stated ?? verbatim
    if let site = name ?? water {
      path += [text("locationID") ?? "", water ?? ""]
      add(name == nil ? .region : .site, site)
      places[places.count - 1].waterBody = water
    }
    if places.isEmpty { add(.region, code) }
    return (places.map { .place($0) }, places.last?.id)
  }

  /// A text as one line, for names have no more.
  private func line(_ column: String) -> String? {
    guard let text = text(column), text.contains(where: \.isNewline) else { return text(column) }
    table.flag(column, "has several lines, which are one now")
    return text.split(whereSeparator: \.isNewline).map { $0.trimmed() }.joined(separator: " ")
  }

  private func position() throws -> Position? {
    let position = try table.position(
      "decimalLatitude", "decimalLongitude", within: "coordinateUncertaintyInMeters")
    if let datum = text("geodeticDatum"), position != nil, !Self.isWGS84(datum) {
      table.flag("geodeticDatum", "is none of WGS 84: the position was taken as it stands")
    }
    return position
  }

  private static func isWGS84(_ datum: String) -> Bool {
    let letters = datum.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return letters.contains("wgs84") || letters.contains("wgs1984") || letters.contains("4326")
      || letters.contains("worldgeodeticsystem1984") || letters == "unknown"
      || letters == "notrecorded"
  }

  private func elevations(of target: JournalID, _ time: LocalTime) throws -> [JournalRecord] {
    let terms = [
      ("x-elevation_cm", "minimumElevationInMeters"),
      ("x-elevation_max_cm", "maximumElevationInMeters"),
    ]
    var records: [JournalRecord] = []
    for (type, term) in terms {
      guard let number = try table.number(term, times: 100) else { continue }
      var measure = Measure(
        id: target.derived("\(type) \(number)"), target: target, type: type, number: number)
      measure.time = time
      records.append(.measure(measure))
    }
    return records
  }

  // MARK: - Occurrences

  /// A row of an occurrence.
  ///
  /// - Parameters:
  ///   - id: its UUID.
  ///   - known: the event that it is in; nil where the row itself says what there is to know of it.
  ///   - hasName: whether the row is the one that says what it was taken for.
  ///   - starts: the beginnings of events by earlier rows: what says another time is of an occurrence at that.
  /// - Returns: the row.
  /// - Throws: `ImportRefusal`
  func occurrence(
    _ id: JournalID, in known: JournalID?, hasName: Bool,
    _ starts: inout [JournalID: DarwinCoreSpan]
  ) throws -> ImportRow {
    var records: [JournalRecord] = []
    var occurrence = Occurrence(id: id, event: known ?? id.derived("event"))
    let position = try position()
    var start: LocalTime?
    if known == nil {
      let stated = text("eventID")
      if let stated { occurrence.event = named(DarwinCoreArchive.event, stated) }
      let (places, place) = self.places()
      var (event, beside) = try makeEvent(occurrence.event)
      event.place = place
      let (persons, participants) = self.persons()
      event.persons = participants
      if stated == nil { event.position = position } else { occurrence.position = position }
      if stated != nil {
        if let first = starts[event.id], first.start != event.start, event.start.hasTimeOfDay {
          occurrence.time = event.start
          (event.start, event.end) = (first.start, first.end)
        }
        starts[event.id] = starts[event.id] ?? DarwinCoreSpan(start: event.start, end: event.end)
      }
      start = event.start
      records = places + persons + [.event(event)] + beside
    } else {
      occurrence.position = position
      if text("eventDate") != nil, let time = try? eventTime(), time.start.hasTimeOfDay {
        occurrence.time = time.start
      }
    }
    let organism = organism()
    if let organism {
      occurrence.organism = organism.id
      records.append(.organism(organism))
    }
    try fill(&occurrence)
    let notes = withheld(&occurrence)
    records += [.occurrence(occurrence)] + notes
    if let condition = text("reproductiveCondition") {
      var measure = Measure(
        id: id.derived("phenology \(condition)"), target: id, type: "phenology", text: condition)
      measure.time = start
      records.append(.measure(measure))
    }
    if let start { records += try elevations(of: id, start) }
    if hasName, let name = try identification(of: id) {
      records.append(.identification(name))
    } else if hasName {
      table.flag("scientificName", "has no name")
    }
    var row = try row(records)
    // Its names stand elsewhere.
    row.namesFollow = !hasName
    return row
  }

  private func fill(_ occurrence: inout Occurrence) throws {
    let status = text("occurrenceStatus")?.lowercased()
    var count = try table.whole("individualCount")
    if text("organismQuantity") != nil,
      let type = text("organismQuantityType")?.lowercased()
    {
      if type.hasPrefix("individual"), count == nil {
        count = try table.whole("organismQuantity")
      } else if !type.hasPrefix("individual") {
        table.leave("organismQuantity")
      }
    }
    switch status {
    case "absent": occurrence.presence = .absent
    case "present", nil: if status == nil, count == 0 { occurrence.presence = .absent }
    default: table.flag("occurrenceStatus", "is neither present nor absent: kept as present")
    }
    occurrence.count = count
    if count != nil, occurrence.presence == .present { occurrence.countKind = .exact }
    occurrence.sex = text("sex")
    occurrence.lifeStage = text("lifeStage")
    occurrence.behaviour = text("behavior")
    occurrence.establishment = establishment()
    occurrence.minDepthMm = try table.number("minimumDepthInMeters", times: 1000)
    occurrence.maxDepthMm = try table.number("maximumDepthInMeters", times: 1000)
    occurrence.remarks = text("occurrenceRemarks")
    let kinds = ["humanobservation", "machineobservation", "observation", "occurrence"]
    if let kind = text("basisOfRecord"),
      !kinds.contains(ColumnMap.key(kind))
    {
      occurrence.tags.insert(kind)
    }
  }

  private func establishment() -> Occurrence.Establishment? {
    let means = table.first("degreeOfEstablishment", "captive", "establishmentMeans")
    switch means?.lowercased() {
    case "wild", "native", "endemic": return .wild
    case "captive", "cultivated", "managed": return .cultivated
    case "escaped", "released": return .escaped
    case nil: return nil
    default:
      table.leave("establishmentMeans")
      return nil
    }
  }

  private func organism() -> Organism? {
    let name = text("organismName")
    guard let stated = text("organismID") else { return nil }
    var organism = Organism(id: named("organism", stated))
    organism.name = name
    return organism
  }

  /// Keeps as notes what others were not told, and hides what was made less exact from others again.
  private func withheld(_ occurrence: inout Occurrence) -> [JournalRecord] {
    let (general, hidden) = (text("dataGeneralizations"), text("informationWithheld"))
    let words = ["oordinate", "osition", "ocation", "place"]
    if general != nil || words.contains(where: { hidden?.contains($0) ?? false }) {
      occurrence.privacy = .obscured
      occurrence.tags.insert(INaturalistObservation.obscuredTag)
    }
    let id = occurrence.id
    var notes: [JournalRecord] = []
    for (name, text) in [("dataGeneralizations", general), ("informationWithheld", hidden)] {
      guard let text else { continue }
      notes.append(
        .note(Note(id: id.derived("note \(name)"), target: id, text: "\(name): \(text)")))
    }
    return notes
  }

  // MARK: - Rows

  /// A row of an extension, which says something of a record of the core.
  func `extension`(_ records: [JournalRecord], _ path: String) throws -> ImportRow {
    var made = try row(records)
    made.members[path] = ImportMember(name: table.prefix + "coreid", shown: coreID ?? "")
    return made
  }

  private func row(_ records: [JournalRecord]) throws -> ImportRow {
    var row = try table.row(records, Self.sources)
    for rank in ["kingdom", "phylum", "class", "order", "family"] {
      if let name = text(rank) { row.hints.append(ImportRow.Hint(rank: rank, name: name)) }
    }
    row.commonName = text("vernacularName")
    if row.commonName != nil, text("scientificName") == nil, text("genus") == nil,
      text("verbatimIdentification") == nil
    {
      (row.hasCommonName, row.commonName) = (true, nil)
    }
    return row
  }

  private static let sources: KeyValuePairs = [
    "date": "eventDate", "latitude": "decimalLatitude", "longitude": "decimalLongitude",
    "uncertainty_m": "coordinateUncertaintyInMeters", "name": "locality",
    "count": "individualCount",
    "min_depth_mm": "minimumDepthInMeters", "max_depth_mm": "maximumDepthInMeters", "sex": "sex",
    "life_stage": "lifeStage", "behaviour": "behavior", "protocol": "samplingProtocol",
    "verbatim_name": "scientificName", "qualifier": "identificationQualifier",
    "local_end": "eventDate", "effort_value": "samplingEffort", "text": "measurementValue",
    "number": "measurementValue", "method": "measurementMethod", "tag": "basisOfRecord",
    "utc_offset_min": "eventDate",
  ]
}
