import STOLData

/// Makes records of the row of a table.
struct TableRecords {
  let row: TableRow
  /// What the row is about.
  let id: JournalID
  /// Where its identifiers are from.
  let source: String
  /// Whether the table is an export of the journal.
  let isOwn: Bool
  /// Whether a row is about an individual.
  let hasOrganism: Bool
  /// Whether a row is a place by itself, and what it says of no other record is of that.
  var isOfPlace = false

  private var records: [JournalRecord] = []
  private var collections: [JournalID: JournalCollection] = [:]

  init(row: TableRow, id: JournalID, source: String, isOwn: Bool, hasOrganism: Bool) {
    self.row = row
    self.id = id
    self.source = source
    self.isOwn = isOwn
    self.hasOrganism = hasOrganism
  }

  /// The records, where the row is, and what is odd.
  ///
  /// - Throws: `ImportRefusal`
  mutating func make() throws -> (row: ImportRow, position: Position?) {
    // An export says of each name how it is matched; a table that somebody made like one need not.
    let isMatched = row.text(.match) != nil || row.text(.name) == nil
    var result = ImportRow(line: row.line, records: [], keepsNames: isOwn && isMatched)
    result.cells = isOwn ? nil : row
    result.timesMeasuresByEvents = isOwn
    for (path, field) in [
      ("event.place", TableField.eventPlace), ("organism.place", .organismPlace),
    ] {
      guard isOwn, let text = row.text(field) else { continue }
      result.members[path] = ImportMember(name: row.column(of: field), shown: text)
    }
    let position = try row.position(.latitude, .longitude, .uncertainty)
    let place = try makePlace()
    var event = try makeEvent(place)
    let organism = try makeOrganism(place, position)
    var occurrence = try makeOccurrence(event, organism)
    if organism == nil, let position {
      if row.text(.event) == nil {
        event.position = position
      } else {
        occurrence.position = position
      }
    }
    if let place { records.append(.place(place)) }
    records.append(.event(event))
    if let organism { records.append(.organism(organism)) }
    records.append(.occurrence(occurrence))
    if let (identification, isCommon) = try makeIdentification() {
      records.append(.identification(identification))
      result.hasCommonName = isCommon
    } else if !isOwn, let column = row.nameColumn {
      result.flags.append(ImportFlag(column: column, value: "", reason: "has no name"))
    }
    for measure in try row.measures(of: organism?.id ?? id, at: event.start) {
      do { try measure.validate() } catch {
        throw row.refusal(error, ofMeasure: measure.type)
      }
      records.append(.measure(measure))
    }
    addNotes(.notes, id)
    addNotes(.eventNotes, event.id)
    addNotes(.organismNotes, organism?.id)
    addNotes(.placeNotes, place?.id)
    result.records = try finished()
    result.hints = TableField.hints.compactMap { field in
      row.text(field).map { ImportRow.Hint(rank: field.rawValue, name: $0) }
    }
    // A name that is not put together from the genus has to agree with it.
    if row.text(.name) != nil, let genus = row.text(.genus) {
      result.hints.append(ImportRow.Hint(rank: "genus", name: genus))
    }
    result.commonName = row.text(.vernacular)
    return (result, position)
  }

  /// The records of a place or an individual without an occurrence.
  ///
  /// - Throws: `ImportRefusal`
  mutating func makeWithoutOccurrence() throws -> ImportRow {
    var result = ImportRow(line: row.line, records: [], keepsNames: isOwn)
    result.cells = isOwn ? nil : row
    let place = try makePlace()
    if let place { records.append(.place(place)) }
    addNotes(.placeNotes, place?.id)
    if isOfPlace {
      addNotes(.notes, place?.id)
      addNotes(.remarks, place?.id)
    }
    if let organism = try makeOrganism(place, nil) {
      records.append(.organism(organism))
      addNotes(.organismNotes, organism.id)
    }
    result.records = try finished()
    return result
  }

  /// What was made so far, each looked at, behind the collections that it names.
  private func finished() throws -> [JournalRecord] {
    for record in records {
      do { try record.validate() } catch { throw row.refusal(error) }
    }
    let named = collections.values.sorted { $0.name < $1.name }
    return named.map { JournalRecord.collection($0) } + records
  }

  private func shared(_ kind: String, _ words: String...) -> JournalID {
    JournalID(naming: [kind, source] + words)
  }

  // MARK: - Records

  private mutating func makePlace() throws -> Place? {
    let name = row.text(.place) ?? row.text(.locality) ?? row.text(.waterBody) ?? row.text(.country)
    guard let name else { return nil }
    let isRegion = row.text(.place) == nil && row.text(.locality) == nil
    var place = Place(
      id: try placeID(name), kind: try row.word(.placeKind) ?? (isRegion ? .region : .site),
      name: name)
    place.position = try row.position(.placeLatitude, .placeLongitude, .placeUncertainty)
    place.elevationCm = try row.whole(.placeElevation)
    if isOfPlace {
      place.position =
        try place.position ?? row.position(.latitude, .longitude, .uncertainty)
      place.elevationCm = try place.elevationCm ?? row.whole(.elevation)
    }
    place.privacy = try row.word(.placePrivacy) ?? .open
    place.locality = row.text(.locality)
    place.waterBody = row.text(.waterBody)
    place.country = row.text(.country)
    for word in row.list(.placeStates) {
      do {
        place.states.insert(try Place.State(word: word, field: TableField.placeStates.rawValue))
      } catch { throw row.refusal(error, of: .placeStates) }
    }
    place.tags = try tags(.placeTags)
    place.collections = try addCollections(.placeCollections)
    if isOfPlace {
      place.tags.formUnion(try tags(.tags))
      place.collections.formUnion(try addCollections(.collections))
    }
    return place
  }

  /// The UUID of a place: that of its identifier, else of its name, and where it is if that is all that a row says.
  private func placeID(_ name: String) throws -> JournalID {
    if let id = try row.uuid(.placeUUID) { return id }
    let country = row.text(.country) ?? ""
    guard isOfPlace else { return shared("place", name, country) }
    if let text = row.text(.id) { return TableRow.uuid(text) ?? shared("place", text) }
    return shared(
      "place", name, country, row.text(.latitude) ?? "", row.text(.longitude) ?? "")
  }

  private mutating func makeEvent(_ place: Place?) throws -> Event {
    guard let (start, offset) = try startTime() else {
      throw row.refusal(
        .date, "is missing", "give one; =date=2026 in the mapping is the date of all rows")
    }
    let id =
      try row.uuid(.eventUUID) ?? row.text(.event).map { shared("event", $0) }
      ?? self.id.derived("event")
    var event = Event(
      id: id, kind: try row.word(.eventKind) ?? (hasOrganism ? .survey : .visit), start: start)
    event.status = try row.word(.eventStatus) ?? .saved
    event.place = try isOwn ? row.uuid(.eventPlace) : place?.id
    let end = try row.time(.end)
    event.end = end?.time
    let seen = try row.time(.occurrenceTime)?.offsetMin
    event.utcOffsetMin = try row.whole(.utcOffset) ?? offset ?? end?.offsetMin ?? seen
    try requireClock(of: event, row.text(.time) == nil ? .date : .time, offset)
    try requireClock(of: event, .end, end?.offsetMin)
    try requireClock(of: event, .occurrenceTime, seen)
    event.position = try row.position(.eventLatitude, .eventLongitude, .eventUncertainty)
    event.protocol = row.text(.protocol)
    event.effortValue = try row.whole(.effortValue)
    event.effortUnit = row.text(.effortUnit)
    event.isCompleteList = try row.truth(.isCompleteList)
    event.weather = row.text(.weather)
    event.remarks = row.text(.eventRemarks)
    event.privacy = try row.word(.eventPrivacy) ?? .open
    event.tags = try tags(.eventTags)
    event.collections = try addCollections(.eventCollections)
    return event
  }

  /// Makes sure that a time is by the clock of its event: else it would be another moment.
  private func requireClock(of event: Event, _ field: TableField, _ offsetMin: Int?) throws {
    guard let offsetMin, let known = event.utcOffsetMin, offsetMin != known else { return }
    throw row.refusal(
      field, "is by a clock \(offsetMin) minutes ahead of UTC, and that of the event is \(known)",
      "write all times of a row by one clock")
  }

  /// The date with the time of day, if that stands by itself.
  private func startTime() throws -> (LocalTime, Int?)? {
    guard let (date, offset) = try row.time(.date) else { return nil }
    guard let text = row.text(.time) else { return (date, offset) }
    guard !date.hasTimeOfDay, date.dayNumber != nil,
      let (clock, own) = CellText.clock(text, isAlone: true)
    else {
      throw row.refusal(
        .time, "is no time of that day",
        "9:44, 09:44:30 or 9:44 PM, with an offset as Z or -0400 or none, and a whole date")
    }
    do {
      return (try LocalTime("\(date.text)T\(clock)", field: "time"), own ?? offset)
    } catch { throw row.refusal(error, of: .time) }
  }

  private mutating func makeOrganism(_ place: Place?, _ position: Position?) throws -> Organism? {
    let known = try row.uuid(.organismUUID)
    guard known != nil || hasOrganism && !isOwn else {
      guard let elevation = row.text(.elevation), place == nil, !elevation.isEmpty else {
        return nil
      }
      throw row.refusal(
        .elevation, "is of nothing", "map an individual or a place too, or leave it out")
    }
    let name = row.text(.organism)
    var organism = Organism(
      id: known ?? name.map { shared("organism", $0) } ?? id.derived("organism"))
    organism.name = name
    organism.place = try isOwn ? row.uuid(.organismPlace) : place?.id
    organism.position =
      try row.position(.organismLatitude, .organismLongitude, .organismUncertainty) ?? position
    organism.elevationCm = try row.whole(.organismElevation) ?? row.whole(.elevation)
    organism.status = try row.word(.organismStatus) ?? .unknown
    organism.planted = try row.time(.planted)?.time
    organism.privacy = try row.word(.organismPrivacy) ?? .open
    organism.tags = try tags(.organismTags)
    organism.collections = try addCollections(.organismCollections)
    return organism
  }

  private mutating func makeOccurrence(_ event: Event, _ organism: Organism?) throws -> Occurrence {
    var occurrence = Occurrence(id: id, event: event.id)
    occurrence.organism = organism?.id
    occurrence.position = try row.position(
      .occurrenceLatitude, .occurrenceLongitude, .occurrenceUncertainty)
    occurrence.time = try row.time(.occurrenceTime)?.time
    occurrence.presence = try row.word(.presence) ?? .present
    occurrence.count = try isOwn ? row.whole(.count) : row.count(.count)
    occurrence.countKind = try row.word(.countKind)
    if !isOwn, occurrence.countKind == nil, occurrence.count != nil {
      occurrence.countKind = .exact
    }
    occurrence.sex = row.text(.sex)
    occurrence.lifeStage = row.text(.lifeStage)
    occurrence.behaviour = row.text(.behaviour)
    occurrence.establishment = try row.word(.establishment)
    occurrence.minDepthMm = try row.whole(.minDepth)
    occurrence.maxDepthMm = try row.whole(.maxDepth)
    occurrence.privacy = try row.word(.occurrencePrivacy) ?? .open
    occurrence.remarks = row.text(.remarks)
    occurrence.tags = try tags(.tags)
    occurrence.collections = try addCollections(.collections)
    return occurrence
  }

  /// The identification, and whether its name is a common one, for want of another.
  private func makeIdentification() throws -> (Identification, isCommon: Bool)? {
    let parts = [TableField.genus, .species, .infraspecies].compactMap { row.text($0) }
    let joined = parts.isEmpty ? nil : parts.joined(separator: " ")
    let words = [row.text(.name) ?? joined, row.text(.authorship)].compactMap { $0 }
    let scientific = words.isEmpty ? row.text(.cultivar) : words.joined(separator: " ")
    let common = row.text(.vernacular)
    guard let first = scientific ?? common else { return nil }
    let beside = [TableField.qualifier, .cultivar, .rootstock].map { row.text($0) ?? "" }
    var identification = Identification(
      id: id.derived("identification \(([first] + beside).joined(separator: "\n"))"),
      occurrence: id, verbatimName: first)
    identification.qualifier = row.text(.qualifier)
    identification.cultivar = row.text(.cultivar)
    identification.rootstock = row.text(.rootstock)
    identification.match = try row.word(.match) ?? .none
    identification.taxon = try taxon()
    identification.date = try row.time(.identified)?.time
    let remarks = [row.text(.identificationRemarks), scientific == nil ? nil : common]
      .compactMap { $0 }
    identification.remarks = remarks.isEmpty ? nil : remarks.joined(separator: "; ")
    return (identification, scientific == nil)
  }

  private func taxon() throws -> TaxonReference? {
    guard let text = row.text(.taxon) else { return nil }
    guard var taxon = TaxonReference(written: text) else {
      throw row.refusal(
        .taxon, "is no reference to a taxon", "a word, a colon and an id: ncbi:9689")
    }
    taxon.name = row.text(.taxonName) ?? ""
    taxon.authorship = row.text(.taxonAuthor) ?? ""
    taxon.year = try row.whole(.taxonYear)
    taxon.rank = row.text(.taxonRank) ?? ""
    taxon.kingdoms = row.list(.taxonKingdoms)
    return taxon
  }

  // MARK: - Lists

  private func texts(_ field: TableField) -> [String] {
    if isOwn { return row.list(field) }
    let parts = (row.text(field) ?? "").split { $0 == "|" || $0 == ";" }
    return parts.map { $0.trimmed() }.filter { !$0.isEmpty }
  }

  private func tags(_ field: TableField) throws -> Set<String> {
    let tags = Set(texts(field))
    do { try requireTags(tags) } catch { throw row.refusal(error, of: field) }
    return tags
  }

  /// The collections that a cell names.
  private mutating func addCollections(_ field: TableField) throws -> Set<JournalID> {
    var ids: Set<JournalID> = []
    for name in texts(field) {
      let collection = JournalCollection(id: JournalID(naming: ["collection", name]), name: name)
      do { try collection.validate() } catch { throw row.refusal(error, of: field) }
      collections[collection.id] = collection
      ids.insert(collection.id)
    }
    return ids
  }

  private mutating func addNotes(_ field: TableField, _ target: JournalID?) {
    guard let target, let text = row.text(field) else { return }
    for (index, part) in (isOwn ? CellText.split(text) : [text]).enumerated() {
      records.append(
        .note(Note(id: target.derived("note \(index) \(part)"), target: target, text: part)))
    }
  }
}
