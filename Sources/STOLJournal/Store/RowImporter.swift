import Foundation
import GRDB

/// Keeps the rows of a file within one transaction, each with all of its records or none.
///
/// A row, whose names have been looked up, is looked at as a whole before anything of it is written.
final class RowImporter {
  let writer: RecordWriter
  let options: ImportOptions
  var summary = ImportSummary()
  /// The last record that was there before.
  let lastID: Int64
  /// The UUIDs under which others have records of this journal, once they are needed.
  var givenAway: Set<JournalID>?
  /// Records of before that this file has changed, or had a row for.
  private(set) var updated: Set<JournalID> = []
  /// The collections of the file, each with the one of its name in the journal.
  private var collections: [JournalID: JournalID] = [:]
  /// Records that several rows share, as some of them said and as they are.
  private var said: [JournalID: JournalRecord] = [:]
  private static let saidLimit = 4096
  private var writtenCount = 0
  /// What makes one of records of an archive and of those that are there.
  let merger: RecordMerger
  /// The format of the file, where the journal's own may come back with less than it keeps.
  let roundTrip: RoundTripFormat?
  /// The dives that have a site of their own in a log of Subsurface, by the UUIDs of these, once they are needed.
  var siteDives: [JournalID: JournalID]?
  /// So many records are written before what follows from those of before is brought up to date.
  private let stepCount: Int

  init(
    _ writer: RecordWriter, _ options: ImportOptions, of roundTrip: RoundTripFormat?,
    stepCount: Int
  ) throws {
    self.stepCount = stepCount
    self.roundTrip = roundTrip
    self.writer = writer
    self.options = options
    // What is counted of a sighting takes less than what is noted of a record.
    writer.derived.heldCount = 2 * stepCount
    lastID = try Int64.fetchOne(writer.database, sql: "SELECT max(id) FROM record") ?? 0
    merger = RecordMerger(writer, lastID: lastID, overrides: options.updates)
  }

  /// What is to be done with a record.
  enum Step {
    case add(JournalRecord)
    case update(JournalRecord, RecordReader.Head, before: StoredRecord)
    /// A record of an earlier row gets what that did not say.
    case complete(JournalRecord, RecordReader.Head)

    var isUpdate: Bool { if case .update = self { true } else { false } }

    func isAddition(of id: JournalID?) -> Bool {
      if case .add(let record) = self { record.id == id } else { false }
    }

    /// The record as it will be.
    var record: JournalRecord {
      switch self {
      case .add(let record), .update(let record, _, _), .complete(let record, _): record
      }
    }
  }

  /// Keeps a row, or says why not.
  func take(_ result: Result<ImportRow, ImportRefusal>) throws -> ImportedRow {
    let row: ImportedRow
    switch result {
    case .failure(let refusal): row = refused(refusal)
    case .success(let found):
      do {
        row = try keep(found)
      } catch let refusal as ImportRefusal {
        row = refused(refusal)
      }
    }
    summary.rowCounts[row.outcome, default: 0] += 1
    return row
  }

  private func refused(_ refusal: ImportRefusal) -> ImportedRow {
    ImportedRow(
      line: refusal.line, outcome: .refused, id: nil, flags: [], refusal: refusal)
  }

  private func keep(_ row: ImportRow) throws -> ImportedRow {
    if row.records.isEmpty, !row.flags.isEmpty {
      // All of it was left out, which is said.
      return ImportedRow(
        line: row.line, outcome: .flagged, id: nil, flags: row.flags, refusal: nil)
    }
    if try isGivenAway(row) {
      summary.ownSharedCount += 1
      return ImportedRow(
        line: row.line, outcome: .same, id: row.records.first?.id, flags: [], refusal: nil)
    }
    if let lost = row.lost { throw lost }
    if let moments = row.moments { return try merge(row, moments) }
    let (news, known) = try news(in: row)
    if news.records.isEmpty, let known {
      return ImportedRow(line: row.line, outcome: .same, id: known, flags: row.flags, refusal: nil)
    }
    let records = try collected(news)
    var flags = row.flags
    let odd = RowChecks.flags(
      of: row.records, nowMs: writer.now, acceptsNullIsland: options.acceptsNullIsland)
    flags += odd.filter { !row.hasExtent || $0.column != "uncertainty_m" }.map(row.shown)
    var (steps, differences) = try self.steps(for: records, row)
    if isNameless(row.records, row) { summary.namelessCount += 1 }
    let shown = records.first { $0.kind == .occurrence } ?? records.first
    differences += try takeOut(of: &steps, shown, in: records, row)
    try requireShallow(steps, line: row.line)
    differences += try otherTaxa(in: records, steps)
    flags += differences.map(\.flag)
    let differs = differences.contains { !$0.isSlight }
    // Also where the row says what is there: a later one says it otherwise then.
    if options.updates, let shown, !steps.contains(where: { $0.isAddition(of: shown.id) }) {
      updated.insert(shown.id)
    }
    guard !steps.isEmpty else {
      return ImportedRow(
        line: row.line, outcome: differs ? .differs : .same, id: shown?.id, flags: flags,
        refusal: nil)
    }
    try write(steps)
    var outcome: ImportedRow.Outcome = steps.contains(where: \.isUpdate) ? .updated : .new
    if !flags.isEmpty { outcome = .flagged }
    if let flag = try duplicate(in: records, steps) {
      flags.append(flag)
      outcome = .duplicate
    }
    if differs { outcome = .differs }
    return ImportedRow(line: row.line, outcome: outcome, id: shown?.id, flags: flags, refusal: nil)
  }

  /// Whether it was seen, and nobody says what it was; in an export of the journal names have lines of their own.
  private func isNameless(_ records: [JournalRecord], _ row: ImportRow) -> Bool {
    !row.keepsNames && !row.namesFollow && records.contains { $0.kind == .occurrence }
      && !records.contains { $0.kind == .identification }
  }

  // MARK: - Looking at a row

  /// The records of a row in the collections of the journal, and in that which all are put into.
  private func collected(_ row: ImportRow) throws -> [JournalRecord] {
    let hasCollections = row.records.contains { $0.kind == .collection }
    guard hasCollections || !collections.isEmpty || options.collection != nil else {
      return row.records
    }
    var records: [JournalRecord] = []
    for record in row.records {
      if case .collection(let collection) = record {
        let known = try knownCollection(collection, of: row)
        collections[collection.id] = known
        if known == options.collection?.id { continue }
        var collection = collection
        collection.id = known
        records.append(.collection(collection))
      } else {
        records.append(record)
      }
    }
    if let collection = options.collection {
      for index in records.indices where isCollected(records[index]) {
        records[index].collections.insert(collection.id)
      }
      records.insert(.collection(collection), at: 0)
    }
    for index in records.indices {
      let mapped = Set(records[index].collections.map { collections[$0] ?? $0 })
      if mapped != records[index].collections { records[index].collections = mapped }
    }
    return records
  }

  /// The live collection with the UUID or else the name of one; where there is none, the UUID for it.
  ///
  /// A journal may have two of one name, which are two wherever its records are read.
  private func knownCollection(
    _ collection: JournalCollection, of row: ImportRow
  ) throws -> JournalID {
    if let known = collections[collection.id] { return known }
    if let chosen = options.collection, chosen.name == collection.name { return chosen.id }
    let head = try writer.head(collection.id)
    if let head, head.deletedMs == nil { return collection.id }
    let bytes = try Data.fetchOne(
      writer.database.cachedStatement(
        sql: """
          SELECT r.uuid FROM collection c JOIN record r ON r.id = c.id
          WHERE c.name = ? AND r.deleted_ms IS NULL AND r.id <= ? ORDER BY r.id LIMIT 1
          """), arguments: [collection.name, row.keepsNames ? lastID : .max])
    if let found = bytes.flatMap({ JournalID(bytes: $0) }) { return found }
    // One that was deleted is another one from now on.
    var id = collection.id
    while try writer.head(id)?.deletedMs != nil { id = id.derived("again") }
    return id
  }

  private func isCollected(_ record: JournalRecord) -> Bool {
    switch record {
    case .organism: true
    case .occurrence(let occurrence): occurrence.organism == nil
    default: false
    }
  }

  /// What is to be done with the records of a row.
  ///
  /// - Throws: `ImportRefusal`, what the database throws.
  private func steps(
    for records: [JournalRecord], _ row: ImportRow
  ) throws -> (steps: [Step], differences: [ImportDifference]) {
    let line = row.line
    let acceptsNullIsland = options.acceptsNullIsland || row.keepsNames
    func refusal(_ error: JournalError, _ member: String = "id") -> ImportRefusal {
      ImportRefusal(error, line: line, column: member).shown(by: row.members)
    }
    guard !records.isEmpty else {
      throw ImportRefusal(
        line: line, column: "", value: "", reason: "says nothing", remedy: "take it out")
    }
    var kinds: [JournalID: JournalRecord.Kind] = [:]
    for record in records {
      do { try record.validate() } catch { throw refusal(error) }
      if let kind = kinds.updateValue(record.kind, forKey: record.id) {
        throw kind == record.kind
          ? ImportRefusal(
            line: line, column: "uuid", value: "\(record.id)", reason: "is there twice",
            remedy: "give each record its own")
          : refusal(
            .otherKind(id: record.id, found: kind.rawValue, needed: record.kind.rawValue))
      }
      if let position = record.position, position.isNullIsland, !acceptsNullIsland {
        throw RowChecks.nullIsland(line: line)
      }
      if case .photo(let photo) = record {
        do {
          _ = try writer.knownMediaID(photo.file)
        } catch let error as JournalError {
          throw refusal(error)
        }
      }
    }
    var steps: [Step] = []
    var differences: [ImportDifference] = []
    for record in records {
      let head = try writer.head(record.id)
      if let head {
        guard head.kind == record.kind else {
          throw refusal(
            .otherKind(id: record.id, found: head.kind.rawValue, needed: record.kind.rawValue))
        }
        guard head.deletedMs == nil else { throw refusal(.deleted(id: record.id)) }
        // What an earlier row said of what they share stands, and identifications are never changed.
        if head.id > lastID || updated.contains(record.id) || record.kind == .identification {
          // Names that are looked up again may lead elsewhere by now.
          guard record.kind != .identification || row.keepsNames, said[record.id] != record else {
            continue
          }
          let stored = try writer.reader.record(head)
          let completed = completed(stored, by: record)
          if completed != stored { steps.append(.complete(completed, head)) }
          differences += try self.differences(of: record, from: completed, in: records)
        } else {
          let stored = try writer.reader.stored(head)
          let merged = record.merged(over: stored.record)
          if stored.record == merged { continue }
          do { try merged.validate() } catch { throw refusal(error) }
          steps.append(.update(merged, head, before: stored))
        }
      } else if try isSaid(record, row) {
        continue
      } else {
        steps.append(.add(record))
      }
      for (member, id, needed) in record.references
      where kinds[id].map({ !needed.contains($0) }) ?? true {
        var words: String { needed.map(\.rawValue).joined(separator: " or ") }
        let path = "\(record.kind.rawValue).\(member)"
        let place = row.members[path] == nil ? member : path
        if let kind = kinds[id] {
          throw refusal(.otherKind(id: id, found: kind.rawValue, needed: words), place)
        }
        guard let head = try writer.head(id) else {
          throw refusal(.unknown(id: id, needed: words), place)
        }
        guard needed.contains(head.kind) else {
          throw refusal(.otherKind(id: id, found: head.kind.rawValue, needed: words), place)
        }
        guard head.deletedMs == nil else { throw refusal(.deleted(id: id), place) }
      }
    }
    return (steps, differences)
  }

  /// What a record says otherwise than what is there of it, and stays; nothing where it says the same, or less.
  private func differences(
    of record: JournalRecord, from stored: JournalRecord, in records: [JournalRecord]
  ) throws -> [ImportDifference] {
    let merged = record.merged(over: stored)
    guard merged == stored else {
      return try ImportDifference.all(
        of: merged, from: stored, record.kind == .identification ? .needsOwnID : .firstHolds
      ) { try name(of: $0, in: records) }
    }
    if said.count >= Self.saidLimit { said = [:] }
    said[record.id] = record
    return []
  }

  /// An individual of an earlier row with its place, where that row did not say it: a row names one place, and whoever
  /// has a place may have been seen elsewhere first.
  private func completed(_ known: JournalRecord, by record: JournalRecord) -> JournalRecord {
    guard case .organism(let new) = record, let place = new.place,
      case .organism(var known) = known, known.place == nil
    else { return known }
    known.place = place
    return .organism(known)
  }

  /// Whether what a record was of has the same note, or is identified so, under another UUID.
  private func isSaid(_ record: JournalRecord, _ row: ImportRow) throws -> Bool {
    guard lastID > 0 else { return false }
    switch record {
    case .note(let note):
      guard let target = try writer.head(note.target), target.id <= lastID else {
        return false
      }
      return try Bool.fetchOne(
        writer.database.cachedStatement(
          sql: """
            SELECT EXISTS (SELECT 1 FROM note n JOIN record r ON r.id = n.id
              WHERE n.target_id = ? AND n.text = ? AND r.deleted_ms IS NULL)
            """), arguments: [target.id, note.text]) ?? false
    case .measure(let measure):
      guard let target = try writer.head(measure.target), target.id <= lastID else {
        return false
      }
      return try Bool.fetchOne(
        writer.database.cachedStatement(
          sql: """
            SELECT EXISTS (SELECT 1 FROM measure m JOIN record r ON r.id = m.id
              WHERE m.target_id = ? AND m.type = ? AND m.number IS ? AND m.text IS ?
                AND (m.local_time IS ? OR ? AND m.local_time IS NULL) AND r.deleted_ms IS NULL)
            """),
        arguments: [
          target.id, measure.type, measure.number, measure.text, measure.time?.text,
          row.timesMeasuresByEvents,
        ])
        ?? false
    case .identification(var identification):
      guard let target = try writer.head(identification.occurrence), target.id <= lastID,
        let known = try lastIdentification(of: target.id)
      else { return false }
      identification.id = known.id
      return identification == known
    default: return false
    }
  }

  // MARK: - Writing it

  private func write(_ steps: [Step]) throws {
    var written: [(JournalRecord, id: Int64)] = []
    for step in steps {
      switch step {
      case .add(let record):
        written.append((record, try writer.add(record.id, record.kind)))
        summary.newRecordCount += 1
        if case .identification(let identification) = record {
          summary.namedCount += 1
          if identification.taxon == nil { summary.unresolvedCount += 1 }
        }
      case .update(let record, let head, let before):
        try writer.note(record.id, record.kind, before: before)
        try writer.touch(head, from: before.record, to: record)
        updated.insert(record.id)
        written.append((record, head.id))
        summary.updatedRecordCount += 1
      case .complete(let record, let head):
        // What was made in this batch is as it was made.
        if head.id <= lastID {
          try writer.touch(head, from: try writer.reader.record(head), to: record)
        }
        written.append((record, head.id))
      }
    }
    for (record, id) in written { try writer.write(record, id: id, isValid: true) }
    try countWritten(written.count)
  }

  /// Brings up to date now and then what follows from records that were there before.
  func countWritten(_ count: Int) throws {
    writtenCount += count
    summary.batch = writer.batch
    guard writtenCount >= stepCount else { return }
    writtenCount = 0
    try writer.derived.refreshNoted()
  }

  // MARK: - Duplicates

  /// What was there already of the same taxon on the same day and at the same place.
  private func duplicate(in records: [JournalRecord], _ steps: [Step]) throws -> ImportFlag? {
    guard lastID > 0 else { return nil }
    for case .add(.occurrence(let occurrence)) in steps where occurrence.presence == .present {
      guard let position = position(of: occurrence, in: records),
        let day = (occurrence.time ?? time(of: occurrence.event, in: records))?.dayNumber
      else { continue }
      let organism = try occurrence.organism.flatMap { try writer.head($0)?.id }
      let start = Int64(day) * 86_400_000
      let found = try Row.fetchAll(
        writer.database.cachedStatement(
          sql: """
            SELECT r.uuid, s.latitude_e7, s.longitude_e7, s.uncertainty_m
            FROM identification i JOIN record n ON n.id = i.occurrence_id AND n.uuid = ?1
              JOIN sighting s ON s.taxon_ref_id = i.taxon_ref_id AND s.at_ms BETWEEN ?2 AND ?3
              JOIN occurrence o ON o.id = s.occurrence_id JOIN record r ON r.id = o.id
            WHERE s.day = ?4 AND s.is_present AND s.occurrence_id <= ?5
              AND (o.organism_id IS NULL OR ?6 IS NULL OR o.organism_id = ?6)
            """),
        arguments: [
          Data(occurrence.id.bytes), start - 86_400_000, start + 2 * 86_400_000, day, lastID,
          organism,
        ])
      for row in found {
        guard let other = try row.position, let bytes = try row.value("uuid") as Data?,
          let id = JournalID(bytes: bytes)
        else { continue }
        let limit = max(10, position.uncertaintyM ?? 0, other.uncertaintyM ?? 0)
        let distance = position.distanceM(to: other)
        if distance <= Double(limit) {
          return ImportFlag(
            column: "", value: "\(id)",
            reason: "the same taxon was seen on that day \(Int(distance.rounded())) m away")
        }
      }
    }
    return nil
  }

  private func position(of occurrence: Occurrence, in records: [JournalRecord]) -> Position? {
    let owners = [occurrence.id, occurrence.organism, occurrence.event].compactMap { $0 }
    for owner in owners {
      if let position = records.first(where: { $0.id == owner })?.position { return position }
    }
    return nil
  }

  private func time(of event: JournalID, in records: [JournalRecord]) -> LocalTime? {
    records.first { $0.id == event }?.time
  }
}
