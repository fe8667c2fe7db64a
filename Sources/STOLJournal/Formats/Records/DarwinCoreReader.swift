package import STOLFormats

/// Reads a Darwin Core archive with a core of occurrences or of events, or one table of occurrences.
///
/// Tables are read one after another, and no row of any is kept, so that memory does not grow with them but for
/// the ids of rows that extensions know by others. Of an archive with a history of identifications the core is read once more at the end,
/// for what it says is what holds.
package final class DarwinCoreReader: ImportReader {
  /// A table, and what becomes of its rows; nil of one that says nothing.
  private struct Pass {
    let open: () throws -> ForeignTable
    /// Whether cells are counted that nobody asks for.
    var countsRest = true
    let make: (DarwinCoreRow) throws -> ImportRow?
  }

  private var passes: [Pass] = []
  private var table: ForeignTable?
  private var done = ImportBeside()
  private var doneByteCount = 0
  private let identity: String
  /// Rows of events that wait for the row of what they are part of.
  private var waiting: [JournalID: [ImportRow]] = [:]
  /// Rows of events that wait no longer, each behind that of what it is part of.
  private var ready: [ImportRow] = []
  private var events: Set<JournalID> = []
  /// How surveys were done, by the id of their event.
  private var surveys: [String: DarwinCoreSurvey] = [:]
  /// The records of core rows whose own ids are not those by which extensions know them.
  private var aliases: [JournalID: JournalID] = [:]
  /// What occurrences were taken for last in their history, as the UUID of that name.
  private var lastNames: [JournalID: JournalID] = [:]
  /// The lines of rows that are none.
  private var refused: Set<String> = []
  private let hasHistory: Bool
  private let hasExtensions: Bool
  /// When events were that several rows have, by the first of them.
  private var starts: [JournalID: DarwinCoreSpan] = [:]
  private static let startLimit = 1 << 17
  private static let surveyLimit = 1 << 18

  /// Reads an archive.
  package init(_ archive: DarwinCoreArchive) {
    identity = archive.identity
    hasHistory = archive.has("identification")
    hasExtensions = archive.parts.count > 1
    let isOfEvents = archive.core == DarwinCoreArchive.event
    func add(
      _ type: String, countsRest: Bool = true,
      _ make: @escaping (DarwinCoreRow) throws -> ImportRow?
    ) {
      for (found, part) in archive.parts where found == type {
        passes.append(
          Pass(open: { try archive.open(part) }, countsRest: countsRest, make: make))
      }
    }
    if isOfEvents {
      add(DarwinCoreArchive.survey) { [unowned self] row in self.survey(row) }
      add(DarwinCoreArchive.event) { [unowned self] row in try self.event(row) }
    }
    add(DarwinCoreArchive.occurrence) { [unowned self] row in
      try self.occurrence(row, isOfEvents: isOfEvents)
    }
    if !isOfEvents, hasHistory {
      add("identification") { [unowned self] row in try self.identification(row) }
      add(DarwinCoreArchive.occurrence, countsRest: false) { [unowned self] row in
        try self.lastName(row)
      }
    }
    for type in ["measurementorfact", "extendedmeasurementorfact"] {
      add(type) { [unowned self] row in try self.measure(row, isOfEvents: isOfEvents) }
    }
    let known: Set<String> = [
      DarwinCoreArchive.event, DarwinCoreArchive.survey, DarwinCoreArchive.occurrence,
      "identification", "measurementorfact", "extendedmeasurementorfact",
    ]
    for type in Set(archive.parts.map(\.type)).subtracting(known).sorted() {
      add(type, countsRest: false) { [unowned self] _ in
        self.done.leave(["rows of \(type)"])
        return nil
      }
    }
  }

  /// Reads a table of occurrences whose columns are called as terms of Darwin Core.
  ///
  /// - Parameters:
  ///   - stream: the file, at its beginning.
  ///   - fileName: what it is called.
  package init(_ stream: SourceStream, fileName: String) {
    (identity, hasHistory, hasExtensions) = ("", false, false)
    let open = { try ForeignTable(stream, fileName: fileName, key: ColumnMap.key) }
    passes = [
      Pass(open: open) { [unowned self] row in try self.occurrence(row, isOfEvents: false) }
    ]
  }

  /// Whether the first bytes of a file are the header of such a table.
  static func isHeader(_ head: [UInt8]) -> Bool {
    let names = Set(TableHeader.names(in: head).map(ColumnMap.key))
    if names.isSuperset(of: ["occurrenceid", "scientificname"]),
      !names.isDisjoint(with: ["eventdate", "decimallatitude"])
    {
      return true
    }
    return names.contains("basisofrecord")
      && !names.isDisjoint(with: ["occurrenceid", "catalognumber", "gbifid", "id"])
      && !names.isDisjoint(with: ["scientificname", "genus", "vernacularname", "eventdate"])
  }

  package var beside: ImportBeside {
    var all = done
    if let table { all.add(table.beside) }
    return all
  }

  package var byteCount: Int? { doneByteCount + (table?.byteCount ?? 0) }

  package func next() throws -> Result<ImportRow, ImportRefusal>? {
    while true {
      if !ready.isEmpty { return .success(ready.removeFirst()) }
      guard let table else {
        guard !passes.isEmpty else { return nil }
        let next = try passes[0].open()
        next.countsRest = passes[0].countsRest
        self.table = next
        continue
      }
      let make = passes[0].make
      let row = DarwinCoreRow(table: table, identity: identity)
      guard let found = try table.next({ try make(row) }) else {
        if let row = orphan() { return .success(row) }
        done.add(table.beside)
        doneByteCount += table.byteCount
        passes.removeFirst()
        self.table = nil
        continue
      }
      switch found {
      case .failure(let refusal):
        if hasHistory { refused.insert("\(table.prefix)\(refusal.line)") }
        return .failure(refusal)
      case .success(let made): if let made { return .success(made) }
      }
    }
  }

  // MARK: - Events

  private func survey(_ row: DarwinCoreRow) -> ImportRow? {
    guard let id = row.coreID else { return nil }
    guard surveys.count < Self.surveyLimit else {
      row.table.leave("rows of surveys beyond \(Self.surveyLimit)")
      return nil
    }
    surveys[id] = DarwinCoreSurvey(row)
    return nil
  }

  private func event(_ row: DarwinCoreRow) throws -> ImportRow? {
    guard let stated = row.table.text("eventID") ?? row.coreID else {
      throw row.table.refusal("eventID", "is missing", "each event needs one")
    }
    let id = row.named(DarwinCoreArchive.event, stated)
    link(row, DarwinCoreArchive.event, row.coreID, id)
    let made = try row.event(id, surveys[row.coreID ?? stated])
    // What it is part of comes first.
    if let parent = row.table.text("parentEventID").map({
      row.named(DarwinCoreArchive.event, $0)
    }), parent != id {
      guard events.contains(parent) else {
        waiting[parent, default: []].append(made)
        return nil
      }
    }
    begin(id)
    return made
  }

  /// Takes rows that waited for an event.
  private func begin(_ id: JournalID) {
    events.insert(id)
    for row in waiting.removeValue(forKey: id) ?? [] {
      ready.append(row)
      for case .event(let event) in row.records { begin(event.id) }
    }
  }

  /// A row whose event is part of one that is not there.
  private func orphan() -> ImportRow? {
    // The first of them, so that the same file always gives the same.
    guard
      let (parent, rows) = waiting.min(by: {
        ($0.value.first?.line ?? 0) < ($1.value.first?.line ?? 0)
      }), var row = rows.first
    else { return nil }
    waiting[parent] = rows.count > 1 ? Array(rows.dropFirst()) : nil
    for (index, record) in row.records.enumerated() {
      guard case .event(var event) = record else { continue }
      event.parent = nil
      row.records[index] = .event(event)
      begin(event.id)
    }
    row.flags.append(
      ImportFlag(column: "parentEventID", value: "", reason: "is the id of no event of the file"))
    return row
  }

  // MARK: - Occurrences

  /// Notes of which record other tables speak by a text.
  private func link(_ row: DarwinCoreRow, _ kind: String, _ text: String?, _ id: JournalID) {
    guard hasExtensions, let text else { return }
    let known = row.linkName(kind, text)
    if known != id { aliases[known] = id }
  }

  /// The record of which a table speaks by a text.
  private func linked(_ row: DarwinCoreRow, _ kind: String, _ text: String?) -> JournalID? {
    text.map { text in
      let known = row.linkName(kind, text)
      return aliases[known] ?? known
    }
  }

  private func occurrence(_ row: DarwinCoreRow, isOfEvents: Bool) throws -> ImportRow? {
    let id = row.occurrenceID(besideCore: isOfEvents)
    let text = isOfEvents ? row.text("occurrenceID") : row.coreID
    link(row, DarwinCoreArchive.occurrence, text, id)
    if isOfEvents { row.table.take("eventID") }
    let event = isOfEvents ? linked(row, DarwinCoreArchive.event, row.coreID) : nil
    if starts.count >= Self.startLimit { starts.removeAll(keepingCapacity: true) }
    return try row.occurrence(id, in: event, hasName: !hasHistory || isOfEvents, &starts)
  }

  private func identification(_ row: DarwinCoreRow) throws -> ImportRow? {
    guard let owner = linked(row, DarwinCoreArchive.occurrence, row.coreID),
      let name = try row.identification(of: owner)
    else { return nil }
    lastNames[owner] = JournalID(naming: [name.verbatimName])
    return try row.extension([.identification(name)], "identification.occurrence")
  }

  /// What the core calls an occurrence, where its history ends otherwise.
  private func lastName(_ row: DarwinCoreRow) throws -> ImportRow? {
    let id = row.occurrenceID(besideCore: false)
    guard !refused.contains("\(row.table.prefix)\(row.table.line)"),
      let name = try row.identification(of: id),
      lastNames[id] != JournalID(naming: [name.verbatimName])
    else { return nil }
    return try row.extension([.identification(name)], "identification.occurrence")
  }

  private func measure(_ row: DarwinCoreRow, isOfEvents: Bool) throws -> ImportRow? {
    let stated = isOfEvents ? row.text("occurrenceID") : nil
    let core = isOfEvents ? DarwinCoreArchive.event : DarwinCoreArchive.occurrence
    let target =
      linked(row, DarwinCoreArchive.occurrence, stated) ?? linked(row, core, row.coreID)
    guard let target, let measure = try row.measure(of: target) else { return nil }
    return try row.extension([.measure(measure)], "measure.target")
  }
}

extension ImportBeside {
  /// Adds what another table left.
  mutating func add(_ other: ImportBeside) {
    joined.merge(other.joined, uniquingKeysWith: +)
    leftOut.merge(other.leftOut, uniquingKeysWith: +)
  }
}

/// How a survey was done, as the Humboldt extension says it.
struct DarwinCoreSurvey {
  var effort: String?
  var unit: String?
  var `protocol`: String?
  var isCompleteList = false

  init(_ row: DarwinCoreRow) {
    effort = row.table.text("samplingEffortValue")
    unit = row.table.text("samplingEffortUnit")
    self.protocol = row.table.first("protocolNames", "samplingProtocol", "protocolDescriptions")
    isCompleteList = row.table.text("isTaxonomicScopeFullyReported")?.lowercased() == "true"
  }
}
