import STOLData
import STOLFormats
import STOLMedia
import STOLSystem

/// Writes occurrences as a Darwin Core archive: with a core of events where there was effort or a dive, else of occurrences.
final class DarwinCoreExport {
  let records: RecordJoin
  let dataset: DatasetDescription
  var report = ExportReport()
  /// How many texts had tabs or line ends.
  var changedCount = 0
  /// How many positions have more than six decimals.
  var roundedCount = 0
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
}
