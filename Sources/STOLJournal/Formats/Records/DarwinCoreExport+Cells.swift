import STOLData
import STOLFormats
import STOLMedia
import STOLSystem

/// What stands in the cells of the tables.
extension DarwinCoreExport {
  /// A time of ISO 8601 with the offset of the clock, where it has a time of day and that is known.
  static func text(_ time: LocalTime, _ offsetMin: Int?) -> String {
    guard time.hasTimeOfDay, let offsetMin else { return time.text }
    let size = abs(offsetMin)
    return time.text + (offsetMin < 0 ? "-" : "+") + (size / 60).digits(2) + ":"
      + (size % 60).digits(2)
  }

  private static func date(of event: Event, _ time: LocalTime? = nil) -> String {
    if let time { return text(time, event.utcOffsetMin) }
    let start = text(event.start, event.utcOffsetMin)
    return event.end.map { "\(start)/\(text($0, event.utcOffsetMin))" } ?? start
  }

  /// A position, unless it is one that GBIF takes for none.
  private func put(_ position: Position?, isObscured: Bool, _ cells: inout DarwinCoreCells) {
    guard let position else { return }
    guard !position.isNullIsland else { return report.lose("positions at 0 N 0 E") }
    report.addPosition(position, isObscured: isObscured)
    func cell(_ value: Int) -> DarwinCoreCells.Cell {
      let rounded = Int((value.magnitude + 5) / 10)
      return .decimal(value < 0 ? -rounded : rounded, places: 6)
    }
    let (latitude, longitude) = (position.latitudeE7, position.longitudeE7)
    if !latitude.isMultiple(of: 10) || !longitude.isMultiple(of: 10) { roundedCount += 1 }
    cells[.decimalLatitude] = cell(latitude)
    cells[.decimalLongitude] = cell(longitude)
    cells.set(.geodeticDatum, "WGS84")
    if let metres = position.uncertaintyM, metres <= 5_000_000 {
      cells.set(.coordinateUncertaintyInMeters, metres)
    }
  }

  private func put(_ place: Place?, _ cells: inout DarwinCoreCells) throws {
    guard let place else { return }
    var above: [String] = []
    var (step, country, water) = (
      try records.place(place.parent), place.country, place.waterBody
    )
    while let here = step, above.count < JournalLimits.nestingCount {
      above.insert(here.name, at: 0)
      country = country ?? here.country
      water = water ?? here.waterBody
      step = try records.place(here.parent)
    }
    if !above.isEmpty { cells.set(.higherGeography, above.joined(separator: " | ")) }
    cells.set(.locality, place.name)
    cells.set(.waterBody, water)
    cells.set(.countryCode, country)
  }

  private static func joined(_ texts: [String?]) -> String? {
    let texts = texts.compactMap { $0 }
    return texts.isEmpty ? nil : texts.joined(separator: CellText.separator)
  }

  /// What an event says of itself, in its own row or that of an occurrence.
  private func put(_ event: Event, _ cells: inout DarwinCoreCells) throws {
    cells.set(.eventID, event.id)
    cells.set(.eventType, event.kind.rawValue)
    cells.set(.samplingProtocol, event.protocol)
    if let value = event.effortValue, let unit = event.effortUnit {
      cells.set(.samplingEffort, "\(value) \(unit)")
    }
    cells.set(
      .eventRemarks,
      Self.joined([event.remarks, event.weather] + (try records.notes(on: event.id)).map(\.text)))
  }

  /// What others may not know of an event, and what may be done with the row.
  private func putTerms(of event: Event, _ cells: inout DarwinCoreCells) throws {
    let hidden = try records.hidden(of: event.id)
    cells.set(.dataGeneralizations, hidden.generalizations)
    cells.set(.informationWithheld, hidden.withheld)
    cells.set(.license, dataset.licence.address)
  }

  func cells(of event: Event) throws -> DarwinCoreCells {
    var cells = DarwinCoreCells()
    try put(event, &cells)
    cells.set(.parentEventID, try records.event(event.parent)?.id)
    cells.set(.eventDate, Self.date(of: event))
    let place = try records.place(event.place)
    try put(place, &cells)
    put(
      event.position ?? place?.position,
      isObscured: try records.hidden(of: event.id).generalizations != nil, &cells)
    try putTerms(of: event, &cells)
    return cells
  }

  /// What stands in the row of each occurrence of an event, unless it says otherwise.
  func cells(inEachRowOf event: Event, isOfEvents: Bool) throws -> DarwinCoreCells {
    var cells = DarwinCoreCells()
    cells.set(.basisOfRecord, "HumanObservation")
    let persons = try event.persons.sorted().compactMap { try records.person($0.person) }
    cells.set(.recordedBy, Self.joined(persons.map(\.name)))
    if !persons.isEmpty, persons.allSatisfy({ $0.orcid != nil }) {
      cells.set(
        .recordedByID, Self.joined(persons.map { $0.orcid.map { "https://orcid.org/\($0)" } }))
    }
    try putTerms(of: event, &cells)
    cells.set(.eventID, event.id)
    cells.set(.eventDate, Self.date(of: event))
    if !isOfEvents {
      try put(event, &cells)
      try put(try records.place(event.place), &cells)
    }
    return cells
  }

  func cells(
    of seen: RecordJoin.Seen, in event: Event, _ common: DarwinCoreCells, isOfEvents: Bool
  ) throws -> DarwinCoreCells {
    var cells = common
    let occurrence = seen.occurrence
    cells.set(.occurrenceID, occurrence.id)
    cells.set(.occurrenceStatus, occurrence.presence.rawValue)
    cells.set(.individualCount, occurrence.count ?? (occurrence.presence == .absent ? 0 : nil))
    cells.set(.sex, occurrence.sex)
    cells.set(.lifeStage, occurrence.lifeStage)
    cells.set(.behavior, occurrence.behaviour)
    cells.set(.degreeOfEstablishment, occurrence.establishment?.rawValue)
    let organism = try records.organism(occurrence.organism)
    cells.set(.organismID, organism?.id)
    cells.set(.organismName, organism?.name)
    cells.set(.minimumDepthInMeters, millimetres: occurrence.minDepthMm)
    cells.set(.maximumDepthInMeters, millimetres: occurrence.maxDepthMm)
    cells.set(.occurrenceRemarks, Self.joined([occurrence.remarks] + seen.notes.map(\.text)))
    if let name = seen.names.last { put(name, &cells) }
    let hidden = seen.hidden
    if let text = hidden.generalizations { cells.set(.dataGeneralizations, text) }
    if let text = hidden.withheld { cells.set(.informationWithheld, text) }
    if let time = occurrence.time { cells.set(.eventDate, Self.date(of: event, time)) }
    if isOfEvents {
      put(
        occurrence.position ?? organism?.position, isObscured: hidden.generalizations != nil,
        &cells)
    } else {
      if event.place == nil { try put(try records.place(organism?.place), &cells) }
      put(
        try records.position(of: occurrence), isObscured: hidden.generalizations != nil, &cells)
    }
    return cells
  }

  func cells(of name: Identification) -> DarwinCoreCells {
    var cells = DarwinCoreCells()
    put(name, &cells)
    return cells
  }

  private func put(_ name: Identification, _ cells: inout DarwinCoreCells) {
    let taxon = name.taxon
    cells.set(.identificationID, name.id)
    let isNamed = !(taxon?.name.isEmpty ?? true)
    cells.set(.scientificName, isNamed ? taxon?.name : name.verbatimName)
    cells.set(.verbatimIdentification, name.verbatimName)
    if let taxon {
      cells.set(.taxonID, taxon.written)
      if isNamed, !taxon.authorship.isEmpty {
        let year = taxon.year.map(String.init) ?? ""
        let hasYear = year.isEmpty || Self.contains(taxon.authorship, digits: year)
        cells.set(
          .scientificNameAuthorship, hasYear ? taxon.authorship : "\(taxon.authorship), \(year)")
      }
      if !taxon.rank.isEmpty { cells.set(.taxonRank, taxon.rank) }
      cells.set(.kingdom, taxon.kingdoms.last)
    }
    cells.set(.identificationQualifier, name.qualifier)
    cells.set(.dateIdentified, name.date?.text)
    cells.set(.identificationRemarks, name.remarks)
  }

  /// Whether digits stand in a text: where their bytes do not, its letters need not be looked at.
  private static func contains(_ text: String, digits: String) -> Bool {
    let (text8, digits8) = (text.utf8, digits.utf8)
    var start = text8.startIndex
    while let found = text8[start...].firstIndex(of: digits8.first ?? 0) {
      if text8[found...].starts(with: digits8) { return text.contains(digits) }
      start = text8.index(after: found)
    }
    return false
  }

  func survey(_ event: Event) -> DarwinCoreCells {
    var cells = DarwinCoreCells()
    cells.set(.isSamplingEffortReported, event.effortValue == nil ? "false" : "true")
    cells.set(.samplingEffortValue, event.effortValue)
    cells.set(.samplingEffortUnit, event.effortUnit)
    cells.set(.protocolNames, event.protocol)
    cells.set(.isTaxonomicScopeFullyReported, event.isCompleteList ? "true" : "false")
    return cells
  }

  /// A photo that lies somewhere where others find it.
  static func cells(of photo: Photo) -> DarwinCoreCells? {
    guard let source = photo.source, source.hasPrefix("http://") || source.hasPrefix("https://"),
      !source.contains(" ")
    else { return nil }
    var cells = DarwinCoreCells()
    cells.set(.type, "StillImage")
    cells.set(.identifier, source)
    cells.set(.format, "image/\(photo.file.type.rawValue)")
    cells.set(.title, photo.caption)
    cells.set(.created, photo.time.map { text($0, photo.utcOffsetMin) })
    cells.set(.creator, photo.author)
    cells.set(.license, photo.licence)
    return cells
  }
}
