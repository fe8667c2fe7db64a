import STOLData
import STOLMedia
import STOLSystem

@testable import STOLJournal

/// The tables of a Darwin Core archive, made of records that are all in memory.
final class DarwinCoreOracle {
  let index: OracleIndex
  private let dataset: DatasetDescription
  var report = ExportReport()
  /// How many texts had tabs or line ends.
  private var changedCount = 0
  /// How many positions have more than six decimals.
  private var roundedCount = 0

  /// The tables as texts, the core first.
  private(set) var files: [(name: String, text: String)] = []

  init(
    _ journal: JournalFile, _ sharing: Sharing?, _ dataset: DatasetDescription
  ) throws {
    index = try OracleIndex(journal, nil, sharing, keepsFacts: true)
    self.dataset = dataset
    try writeTables()
    report.lose("line ends and tabs in texts, now spaces", changedCount)
    report.lose("positions beyond six decimals, rounded", roundedCount)
    report.sharing = sharing?.counts ?? SharingCounts()
  }

  private func writeTables() throws {
    let events = index.events.values.sorted { $0.id < $1.id }
    let isOfEvents = events.contains {
      $0.kind == .dive || $0.effortValue != nil || $0.isCompleteList
    }
    func put(
      _ table: DarwinCoreTable, isCore: Bool = false, _ body: (inout Rows) throws -> Void
    ) throws -> Int {
      var rows = Rows(table)
      try body(&rows)
      changedCount += rows.changedCount
      if isCore || rows.count > 0 { files.append((table.fileName, rows.text)) }
      return rows.count
    }
    if isOfEvents {
      let count = try put(.eventCore, isCore: true) { rows in
        for event in self.parentsFirst(events) {
          try rows.add(Self.urn(event.id), self.cells(of: event))
        }
      }
      report.add("events", count)
    }
    let table: DarwinCoreTable = isOfEvents ? .occurrences : .occurrenceCore
    let count = try put(table, isCore: !isOfEvents) { rows in
      // Those that were seen throughout it come first, for they say when the event was.
      let whole = index.occurrences.filter { $0.time == nil }
      for occurrence in whole + index.occurrences.filter({ $0.time != nil }) {
        guard let event = index.events[occurrence.event] else {
          report.lose("occurrences without an event")
          continue
        }
        let id = Self.urn(isOfEvents ? event.id : occurrence.id)
        try rows.add(id, self.cells(of: occurrence, in: event, isOfEvents: isOfEvents))
      }
    }
    report.add("occurrences", count)
    if isOfEvents {
      _ = try put(.surveys) { rows in
        for event in events where event.effortValue != nil || event.isCompleteList {
          try rows.add(Self.urn(event.id), self.survey(event))
        }
      }
    } else {
      _ = try put(.identifications) { rows in
        for occurrence in index.occurrences {
          for name in index.identifications(of: occurrence.id).dropLast() {
            try rows.add(Self.urn(occurrence.id), self.cells(of: name))
          }
        }
      }
    }
    let facts = try put(.measurements) { rows in
      try self.addFacts(&rows, events, isOfEvents: isOfEvents)
    }
    report.add("measurements", facts)
    let photos = try put(.multimedia) { rows in
      for occurrence in index.occurrences {
        let id = Self.urn(isOfEvents ? occurrence.event : occurrence.id)
        for photo in index.photos(of: occurrence.id) {
          if let cells = Self.cells(of: photo) { try rows.add(id, cells) }
        }
      }
    }
    report.lose("photos without an address", index.photoCount - photos)
    countLosses(events, isOfEvents: isOfEvents)
  }

  /// The rows of a table.
  struct Rows {
    private let table: DarwinCoreTable
    private(set) var text: String
    private(set) var count = 0
    private(set) var changedCount = 0

    init(_ table: DarwinCoreTable) {
      self.table = table
      text = table.header
    }

    mutating func add(_ id: String, _ cells: [String: String]) throws {
      text += id
      for column in table.columns {
        text += "\t"
        guard let cell = cells[column.name] else { continue }
        let isOdd = { (scalar: Unicode.Scalar) in scalar.value < 0x20 || scalar.value == 0x7F }
        guard cell.unicodeScalars.contains(where: isOdd) else {
          text += cell
          continue
        }
        changedCount += 1
        text += String(
          cell.map { $0.isNewline || $0.unicodeScalars.contains(where: isOdd) ? " " : $0 })
      }
      text += "\n"
      count += 1
    }
  }

  /// Events so that none comes before what it is part of.
  private func parentsFirst(_ events: [Event]) -> [Event] {
    func depth(_ event: Event) -> Int {
      var (depth, above) = (0, event.parent)
      while let id = above, depth <= JournalLimits.nestingCount {
        depth += 1
        above = index.events[id]?.parent
      }
      return depth
    }
    return events.map { (depth($0), $0) }.sorted { ($0.0, $0.1.id) < ($1.0, $1.1.id) }.map(\.1)
  }

  // MARK: - Cells

  static func urn(_ id: JournalID) -> String { "urn:uuid:\(id)" }

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
  private func put(_ position: Position?, _ cells: inout [String: String]) {
    guard let position else { return }
    guard !position.isNullIsland else { return report.lose("positions at 0 N 0 E") }
    func text(_ value: Int) -> String {
      let rounded = (value.magnitude + 5) / 10
      return DecimalText.text(value < 0 ? -Int(rounded) : Int(rounded), decimals: 6)
    }
    let values = [position.latitudeE7, position.longitudeE7]
    if values.contains(where: { !$0.isMultiple(of: 10) }) { roundedCount += 1 }
    cells["decimalLatitude"] = text(values[0])
    cells["decimalLongitude"] = text(values[1])
    cells["geodeticDatum"] = "WGS84"
    if let metres = position.uncertaintyM, metres <= 5_000_000 {
      cells["coordinateUncertaintyInMeters"] = String(metres)
    }
  }

  private func put(_ place: Place?, _ cells: inout [String: String]) {
    guard let place else { return }
    var above: [String] = []
    var (step, country, water) = (index.place(place.parent), place.country, place.waterBody)
    while let here = step, above.count < JournalLimits.nestingCount {
      above.insert(here.name, at: 0)
      country = country ?? here.country
      water = water ?? here.waterBody
      step = index.place(here.parent)
    }
    if !above.isEmpty { cells["higherGeography"] = above.joined(separator: " | ") }
    cells["locality"] = place.name
    cells["waterBody"] = water
    cells["countryCode"] = country
  }

  private static func joined(_ texts: [String?]) -> String? {
    let texts = texts.compactMap { $0 }
    return texts.isEmpty ? nil : texts.joined(separator: CellText.separator)
  }

  /// What an event says of itself, in its own row or that of an occurrence.
  private func put(_ event: Event, _ cells: inout [String: String]) {
    cells["eventID"] = Self.urn(event.id)
    cells["eventType"] = event.kind.rawValue
    cells["samplingProtocol"] = event.protocol
    if let value = event.effortValue, let unit = event.effortUnit {
      cells["samplingEffort"] = "\(value) \(unit)"
    }
    cells["eventRemarks"] = Self.joined(
      [event.remarks, event.weather] + index.notes(on: event.id).map(\.text))
  }

  private func cells(of event: Event) -> [String: String] {
    var cells: [String: String] = [:]
    put(event, &cells)
    cells["parentEventID"] = event.parent.flatMap { index.events[$0] }.map { Self.urn($0.id) }
    cells["eventDate"] = Self.date(of: event)
    put(index.place(event.place), &cells)
    put(event.position ?? index.place(event.place)?.position, &cells)
    let hidden = index.hidden(of: event.id)
    cells["dataGeneralizations"] = hidden.generalizations
    cells["informationWithheld"] = hidden.withheld
    cells["license"] = dataset.licence.address
    return cells
  }

  private func cells(
    of occurrence: Occurrence, in event: Event, isOfEvents: Bool
  ) -> [String: String] {
    var cells: [String: String] = [:]
    cells["occurrenceID"] = Self.urn(occurrence.id)
    cells["basisOfRecord"] = "HumanObservation"
    cells["occurrenceStatus"] = occurrence.presence.rawValue
    let isAbsent = occurrence.presence == .absent
    cells["individualCount"] = (occurrence.count ?? (isAbsent ? 0 : nil)).map(String.init)
    cells["sex"] = occurrence.sex
    cells["lifeStage"] = occurrence.lifeStage
    cells["behavior"] = occurrence.behaviour
    cells["degreeOfEstablishment"] = occurrence.establishment?.rawValue
    let organism = index.organism(occurrence.organism)
    cells["organismID"] = organism.map { Self.urn($0.id) }
    cells["organismName"] = organism?.name
    let persons = event.persons.sorted().compactMap { index.person($0.person) }
    cells["recordedBy"] = Self.joined(persons.map(\.name))
    if !persons.isEmpty, persons.allSatisfy({ $0.orcid != nil }) {
      cells["recordedByID"] = Self.joined(
        persons.map { $0.orcid.map { "https://orcid.org/\($0)" } })
    }
    cells["minimumDepthInMeters"] = occurrence.minDepthMm.map {
      DecimalText.text($0, decimals: 3)
    }
    cells["maximumDepthInMeters"] = occurrence.maxDepthMm.map {
      DecimalText.text($0, decimals: 3)
    }
    cells["occurrenceRemarks"] = Self.joined(
      [occurrence.remarks] + index.notes(on: occurrence.id).map(\.text))
    if let name = index.identifications(of: occurrence.id).last {
      cells.merge(self.cells(of: name)) { $1 }
    }
    let (seen, held) = (index.hidden(of: occurrence.id), index.hidden(of: event.id))
    cells["dataGeneralizations"] = seen.generalizations ?? held.generalizations
    cells["informationWithheld"] = seen.withheld ?? held.withheld
    cells["license"] = dataset.licence.address
    if isOfEvents {
      cells["eventID"] = Self.urn(event.id)
      cells["eventDate"] = Self.date(of: event, occurrence.time)
      put(occurrence.position ?? organism?.position, &cells)
    } else {
      put(event, &cells)
      cells["eventDate"] = Self.date(of: event, occurrence.time)
      put(index.place(event.place ?? organism?.place), &cells)
      put(index.position(of: occurrence), &cells)
    }
    return cells
  }

  private func cells(of name: Identification) -> [String: String] {
    var cells: [String: String] = [:]
    let taxon = name.taxon
    cells["identificationID"] = Self.urn(name.id)
    let isNamed = !(taxon?.name.isEmpty ?? true)
    cells["scientificName"] = isNamed ? taxon?.name : name.verbatimName
    cells["verbatimIdentification"] = name.verbatimName
    if let taxon {
      cells["taxonID"] = taxon.written
      if isNamed, !taxon.authorship.isEmpty {
        let year = taxon.year.map(String.init) ?? ""
        let hasYear = year.isEmpty || taxon.authorship.contains(year)
        cells["scientificNameAuthorship"] =
          hasYear ? taxon.authorship : "\(taxon.authorship), \(year)"
      }
      if !taxon.rank.isEmpty { cells["taxonRank"] = taxon.rank }
      cells["kingdom"] = taxon.kingdoms.last
    }
    cells["identificationQualifier"] = name.qualifier
    cells["dateIdentified"] = name.date?.text
    cells["identificationRemarks"] = name.remarks
    return cells
  }

  private func survey(_ event: Event) -> [String: String] {
    var cells: [String: String] = [:]
    cells["isSamplingEffortReported"] = event.effortValue == nil ? "false" : "true"
    cells["samplingEffortValue"] = event.effortValue.map(String.init)
    cells["samplingEffortUnit"] = event.effortUnit
    cells["protocolNames"] = event.protocol
    cells["isTaxonomicScopeFullyReported"] = event.isCompleteList ? "true" : "false"
    return cells
  }

  /// A photo that lies somewhere where others find it.
  private static func cells(of photo: Photo) -> [String: String]? {
    guard let source = photo.source, source.hasPrefix("http://") || source.hasPrefix("https://"),
      !source.contains(" ")
    else { return nil }
    var cells = ["type": "StillImage", "identifier": source]
    cells["format"] = "image/\(photo.file.type.rawValue)"
    cells["title"] = photo.caption
    cells["created"] = photo.time.map { text($0, photo.utcOffsetMin) }
    cells["creator"] = photo.author
    cells["license"] = photo.licence
    return cells
  }
}
