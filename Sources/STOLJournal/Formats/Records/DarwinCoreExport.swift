import STOLData
import STOLFormats
import STOLMedia
import STOLSystem

/// Writes occurrences as a Darwin Core archive: with a core of events where there was effort or a dive, else of occurrences.
final class DarwinCoreExport {
  let records: RecordJoin
  private let dataset: DatasetDescription
  var report = ExportReport()
  /// How many texts had tabs or line ends.
  private var changedCount = 0
  /// How many positions have more than six decimals.
  private var roundedCount = 0
  /// The individuals of which there are occurrences.
  var seenOrganisms: Set<JournalID> = []
  /// The event of the occurrence before, and what stands in the rows of all of its occurrences.
  private var event: (event: Event, cells: DarwinCoreCells)?

  /// Writes an archive.
  ///
  /// - Parameters:
  ///   - journal: the journal.
  ///   - query: which sightings; nil for all of them.
  ///   - sharing: what others may have; nil for all of it.
  ///   - dataset: what the archive says of itself.
  ///   - write: gets the bytes of it.
  /// - Returns: what was written, and what is not in it.
  /// - Throws: `StoreError`, `FormatError`; what `write` throws.
  static func write(
    _ journal: JournalFile, _ query: SightingQuery?, _ sharing: Sharing?,
    _ dataset: DatasetDescription, to write: @escaping ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    let id = try journal.sharedNames().name(of: JournalID(naming: ["dwc", "dataset"]))
    let zip = try ZipWriter(write)
    let (tables, report) = try journal.withRecords(of: query, by: sharing) { records in
      let export = DarwinCoreExport(records: records, dataset: dataset)
      let tables = try export.writeTables(zip)
      export.report.lose("line ends and tabs in texts, now spaces", export.changedCount)
      export.report.lose("positions beyond six decimals, rounded", export.roundedCount)
      return (tables, export.report)
    }
    func put(_ name: String, _ text: String) throws {
      try zip.begin(name)
      try zip.append(Array(text.utf8))
    }
    try put("meta.xml", DarwinCoreTable.meta(core: tables[0], Array(tables.dropFirst())))
    let privacy = sharing.map { sharing in
      let what = sharing.counts.knowsThreats ? "known to be threatened, or hidden," : "hidden"
      return "Of what is \(what) only the cell of a fixed grid and the month are given."
    }
    try put("eml.xml", dataset.eml(id: id, privacy: privacy))
    try zip.finish()
    return report
  }

  private init(records: RecordJoin, dataset: DatasetDescription) {
    self.records = records
    self.dataset = dataset
  }

  /// An event, as far as it is to be known before it is written.
  struct EventMark {
    let id: JournalID
    /// How many events it is part of, one in another.
    let depth: Int32
    let isSurvey: Bool
    let isDive: Bool
  }

  /// Writes the tables, and gives those that there are, the core first.
  private func writeTables(_ zip: ZipWriter) throws -> [DarwinCoreTable] {
    let (events, isOfEvents) = try markedEvents()
    var tables: [DarwinCoreTable] = []
    func put(
      _ table: DarwinCoreTable, isCore: Bool = false, _ body: (inout Rows) throws -> Void
    ) throws -> Int {
      var rows = try Rows(zip: zip, table: table, isCore: isCore)
      try body(&rows)
      try rows.finish()
      changedCount += rows.changedCount
      if isCore || rows.count > 0 { tables.append(table) }
      return rows.count
    }
    if isOfEvents {
      let count = try put(.eventCore, isCore: true) { rows in
        // None comes before what it is part of.
        for mark in events.sorted(by: { ($0.depth, $0.id) < ($1.depth, $1.id) }) {
          if let event = try records.event(mark.id) {
            try rows.add(event.id, try cells(of: event))
          }
        }
      }
      report.add("events", count)
    }
    let table: DarwinCoreTable = isOfEvents ? .occurrences : .occurrenceCore
    let count = try put(table, isCore: !isOfEvents) { rows in
      try addOccurrences(&rows, eventCount: events.count, isOfEvents: isOfEvents)
    }
    report.add("occurrences", count)
    if isOfEvents {
      _ = try put(.surveys) { rows in
        for mark in events where mark.isSurvey {
          if let event = try records.event(mark.id) { try rows.add(event.id, survey(event)) }
        }
      }
    } else {
      _ = try put(.identifications) { rows in
        for id in try records.owners(of: .identification, among: .occurrence, atLeast: 2) {
          for name in try records.identifications(of: id).dropLast() {
            try rows.add(id, cells(of: name))
          }
        }
      }
    }
    let facts = try put(.measurements) { rows in
      try addFacts(&rows, dives: events.lazy.filter(\.isDive).map(\.id), isOfEvents: isOfEvents)
    }
    report.add("measurements", facts)
    let photos = try put(.multimedia) { rows in
      for id in try records.owners(of: .photo, among: .occurrence) {
        guard let occurrence = try records.occurrence(id) else { continue }
        for photo in try records.photos(of: id) {
          if let cells = Self.cells(of: photo) {
            try rows.add(isOfEvents ? occurrence.event : id, cells)
          }
        }
      }
    }
    report.lose("photos without an address", records.photoCount - photos)
    try countLosses()
    return tables
  }

  /// The events in the order of their UUIDs, and whether they are the core.
  private func markedEvents() throws -> (events: [EventMark], isOfEvents: Bool) {
    var events: [EventMark] = []
    var depths: [JournalID: Int32] = [:]
    var (isOfEvents, partCount) = (false, 0)
    try records.forEach(.event) { record in
      guard case .event(let event) = record else { return }
      countLosses(event)
      // What it is part of comes before it.
      let depth = event.parent.map { (depths[$0] ?? 0) + 1 } ?? 0
      if depth > 0 {
        depths[event.id] = depth
        partCount += 1
      }
      let isSurvey = event.effortValue != nil || event.isCompleteList
      if isSurvey || event.kind == .dive { isOfEvents = true }
      events.append(
        EventMark(id: event.id, depth: depth, isSurvey: isSurvey, isDive: event.dive != nil))
    }
    if !isOfEvents { report.lose("event.parent", partCount) }
    return (events.sorted { $0.id < $1.id }, isOfEvents)
  }

  private func addOccurrences(_ rows: inout Rows, eventCount: Int, isOfEvents: Bool) throws {
    var seenEvents: Set<JournalID> = []
    // Those that were seen throughout it come first, for they say when the event was.
    for isTimed in [false, true] {
      try records.forEachOccurrence(isTimed: isTimed) { seen in
        countLosses(seen, isOfEvents: isOfEvents)
        let occurrence = seen.occurrence
        if let organism = occurrence.organism { seenOrganisms.insert(organism) }
        if event?.event.id != occurrence.event {
          event = try records.event(occurrence.event).map { event in
            (event, try cells(inEachRowOf: event, isOfEvents: isOfEvents))
          }
          if event != nil, !isOfEvents { seenEvents.insert(occurrence.event) }
        }
        guard let (event, cells) = event else {
          return report.lose("occurrences without an event")
        }
        try rows.add(
          isOfEvents ? event.id : occurrence.id,
          try self.cells(of: seen, in: event, cells, isOfEvents: isOfEvents))
      }
    }
    if !isOfEvents { report.lose("events without occurrences", eventCount - seenEvents.count) }
  }

  /// The rows of a table, which is begun with its first one, or as the core.
  struct Rows {
    let zip: ZipWriter
    let table: DarwinCoreTable
    private(set) var count = 0
    var changedCount = 0
    private var isBegun = false
    private var bytes: [UInt8] = []
    private static let step = 1 << 16

    init(zip: ZipWriter, table: DarwinCoreTable, isCore: Bool) throws {
      self.zip = zip
      self.table = table
      if isCore { try begin() }
    }

    private mutating func begin() throws {
      isBegun = true
      try zip.begin(table.fileName)
      bytes += table.header.utf8
    }

    mutating func add(_ id: JournalID, _ cells: DarwinCoreCells) throws {
      if !isBegun { try begin() }
      table.add(id, cells, to: &bytes, &changedCount)
      count += 1
      if bytes.count >= Self.step { try finish() }
    }

    mutating func finish() throws {
      try zip.append(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
  }

  // MARK: - Cells

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
  private func put(_ position: Position?, _ cells: inout DarwinCoreCells) {
    guard let position else { return }
    guard !position.isNullIsland else { return report.lose("positions at 0 N 0 E") }
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

  private func cells(of event: Event) throws -> DarwinCoreCells {
    var cells = DarwinCoreCells()
    try put(event, &cells)
    cells.set(.parentEventID, try records.event(event.parent)?.id)
    cells.set(.eventDate, Self.date(of: event))
    let place = try records.place(event.place)
    try put(place, &cells)
    put(event.position ?? place?.position, &cells)
    try putTerms(of: event, &cells)
    return cells
  }

  /// What stands in the row of each occurrence of an event, unless it says otherwise.
  private func cells(inEachRowOf event: Event, isOfEvents: Bool) throws -> DarwinCoreCells {
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

  private func cells(
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
      put(occurrence.position ?? organism?.position, &cells)
    } else {
      if event.place == nil { try put(try records.place(organism?.place), &cells) }
      put(try records.position(of: occurrence), &cells)
    }
    return cells
  }

  private func cells(of name: Identification) -> DarwinCoreCells {
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

  private func survey(_ event: Event) -> DarwinCoreCells {
    var cells = DarwinCoreCells()
    cells.set(.isSamplingEffortReported, event.effortValue == nil ? "false" : "true")
    cells.set(.samplingEffortValue, event.effortValue)
    cells.set(.samplingEffortUnit, event.effortUnit)
    cells.set(.protocolNames, event.protocol)
    cells.set(.isTaxonomicScopeFullyReported, event.isCompleteList ? "true" : "false")
    return cells
  }

  /// A photo that lies somewhere where others find it.
  private static func cells(of photo: Photo) -> DarwinCoreCells? {
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
