import Foundation
import GRDB
import STOLData

/// Changes records within one transaction, and notes what they were before and what follows from them.
///
/// Rows of `record` come first, so that records may refer to each other in any order; foreign keys are looked
/// at when the transaction ends.
final class RecordWriter {
  let database: Database
  let reader: RecordReader
  let now: Int64
  private let what: String
  private let undoes: Int64?
  /// The batch, once anything has changed.
  private(set) var batch: Int64?
  /// The bytes of what the batch has kept of records as they were.
  private var byteCount = 0
  var derived: DerivedTables
  /// Places and events whose parents are to be looked at.
  private var nested: [(table: String, id: Int64, uuid: JournalID)] = []
  /// The rows of references that were written, and the statements of tables.
  var references: [TaxonReference: Int64] = [:]
  private var upserts: [RowValues.Form: Statement] = [:]
  private static let upsertLimit = 256
  /// The highest id of a record that was written: they are added and first written in one order.
  private var lastWritten: Int64 = 0
  private var heads: KnownHeads

  init(_ database: Database, what: String, now: Int64, undoes: Int64? = nil) throws {
    self.database = database
    self.what = what
    self.now = now
    self.undoes = undoes
    reader = RecordReader(database: database)
    derived = try DerivedTables(database: database)
    heads = KnownHeads(reader, lastID: derived.lastBefore)
  }

  // MARK: - Rows of `record`

  /// Adds a record of which nothing but its UUID and kind is there yet.
  func add(_ uuid: JournalID, _ kind: JournalRecord.Kind) throws -> Int64 {
    // That it was not there is noted of all that were added in the end.
    _ = try begunBatch()
    let id = try insertHead(id: nil, uuid, kind, RowTimes(RecordMoments(createdMs: now)))
    heads.remember(RecordReader.Head(id: id, uuid: uuid, kind: kind, now: now))
    return id
  }

  /// Adds a record that was made and changed elsewhere.
  func add(
    _ uuid: JournalID, _ kind: JournalRecord.Kind, _ moments: RecordMoments
  ) throws -> Int64 {
    _ = try begunBatch()
    return try insertHead(id: nil, uuid, kind, RowTimes(moments))
  }

  /// The columns of `record` that say when.
  private struct RowTimes {
    let created: Int64
    let changed: Int64
    let deleted: Int64?
    let moments: String?

    init(_ stored: StoredRecord) {
      (created, changed) = (stored.createdMs, stored.changedMs)
      (deleted, moments) = (stored.deletedMs, stored.moments)
    }

    init(_ times: RecordMoments, isLive: Bool? = nil) {
      let isLive = isLive ?? !times.isDeleted
      (created, changed) = (times.createdMs, times.changedMs)
      (deleted, moments) = (isLive ? nil : times.deletedMs, times.text(isLive: isLive))
    }
  }

  /// What `record` says about a UUID.
  func head(_ uuid: JournalID) throws -> RecordReader.Head? { try heads.head(uuid) }

  private func insertHead(
    id: Int64?, _ uuid: JournalID, _ kind: JournalRecord.Kind, _ times: RowTimes
  ) throws -> Int64 {
    try database.cachedStatement(
      sql: """
        INSERT INTO record (id, uuid, kind, created_ms, changed_ms, deleted_ms, moments)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      id, Data(uuid.bytes), kind.rawValue, times.created, times.changed, times.deleted,
      times.moments,
    ])
    heads.add(uuid)
    return database.lastInsertedRowID
  }

  private func setTimes(_ id: Int64, _ times: RowTimes) throws {
    try database.cachedStatement(
      sql: """
        UPDATE record SET created_ms = ?, changed_ms = ?, deleted_ms = ?, moments = ? WHERE id = ?
        """
    ).execute(arguments: [times.created, times.changed, times.deleted, times.moments, id])
  }

  /// Sets when a record changed, and whether it is live; nil where that follows from it alone.
  func set(_ moments: RecordMoments, of head: RecordReader.Head, isLive: Bool? = nil) throws {
    heads.forget(head.uuid)
    try setTimes(head.id, RowTimes(moments, isLive: isLive))
  }

  /// Now, as a moment of a record: a clock that was set back makes nothing older than it was, nor as old.
  func moment(of head: RecordReader.Head) -> Int64 {
    head.changedMs > now ? min(head.changedMs, .max - 1) + 1 : now
  }

  /// Notes that a live record comes to say something else now.
  func touch(
    _ head: RecordReader.Head, from old: JournalRecord, to new: JournalRecord
  ) throws {
    var moments = try head.moments()
    let moment = moment(of: head)
    for group in new.groups(since: old) { moments[group] = moment }
    try set(moments, of: head, isLive: true)
  }

  /// Marks a record as deleted, and gives when that was.
  func markDeleted(_ head: RecordReader.Head, notBefore least: Int64 = .min) throws -> Int64 {
    var moments = try head.moments()
    let moment = max(moment(of: head), least)
    moments.deletedMs = moment
    try set(moments, of: head, isLive: false)
    return moment
  }

  /// The batch, which begins with its first change.
  private func begunBatch() throws -> Int64 {
    if let batch { return batch }
    try database.cachedStatement(
      sql: "INSERT INTO batch (at_ms, what, undoes, byte_count) VALUES (?, ?, ?, 0)"
    ).execute(arguments: [now, what, undoes])
    let begun = database.lastInsertedRowID
    batch = begun
    return begun
  }

  /// Keeps what a record was before this batch, for the first of its changes.
  func note(_ uuid: JournalID, _ kind: JournalRecord.Kind, before: StoredRecord?) throws {
    let batch = try begunBatch()
    if let before, derived.isNew(before.id) { return }
    let text = try before.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    try database.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO revision (batch_id, record_uuid, kind, before) VALUES (?, ?, ?, ?)
        """
    ).execute(arguments: [batch, Data(uuid.bytes), kind.rawValue, text])
    if database.changesCount > 0 { byteCount += text?.utf8.count ?? 0 }
  }

  /// Puts the row of `record` back as it was, or adds it again under the id that it had.
  func restoreHead(_ stored: StoredRecord) throws {
    heads.forget(stored.record.id)
    var head = try reader.head(stored.record.id)
    if let moved = head, moved.id != stored.id {
      try remove(moved)
      head = nil
    }
    if let head {
      try setTimes(head.id, RowTimes(stored))
    } else {
      _ = try insertHead(
        id: stored.id, stored.record.id, stored.record.kind, RowTimes(stored))
    }
  }

  /// Gives an identification, to which nothing refers, the highest id, so that it stands behind all others.
  ///
  /// - Returns: that id.
  func addAgain(_ head: RecordReader.Head) throws -> Int64 {
    let stored = try reader.stored(head)
    try note(head.uuid, head.kind, before: stored)
    try remove(head)
    let id = try insertHead(id: nil, head.uuid, head.kind, RowTimes(stored))
    try write(stored.record, id: id, isLive: false, isValid: true)
    return id
  }

  /// Removes a record with all rows that are its own.
  func remove(_ head: RecordReader.Head) throws {
    heads.forget(head.uuid)
    try derived.note(head.kind, head.id)
    try derived.forget(head)
    try database.cachedStatement(sql: "DELETE FROM record WHERE id = ?")
      .execute(arguments: [head.id])
  }

  // MARK: - Rows of its kind

  /// Writes all that a record says.
  ///
  /// - Parameters:
  ///   - record: the record, which has a row in `record`.
  ///   - id: the id of that.
  ///   - isLive: whether what it refers to must be live too.
  ///   - isValid: whether it is known that it says what can be.
  /// - Throws: `JournalError` where it says what cannot be, or what it refers to is not there; what the
  ///   database throws.
  func write(
    _ record: JournalRecord, id: Int64, isLive: Bool = true, isValid: Bool = false
  ) throws {
    // What is put back, or lets go of another record, may be what somebody else wrote into the file.
    if !isValid { try record.validate() }
    var row = RowValues(record.kind.rawValue, id: id, isNew: isFirst(id))
    /// The occurrence that is identified, or what a note is about.
    var owner: Int64?
    func reference(
      _ column: String, _ uuid: JournalID?, _ kinds: JournalRecord.Kind...
    ) throws {
      let id = try uuid.map { try self.id(of: $0, kinds, isLive: isLive) }
      row.set(column, id)
      if column == "occurrence_id" || column == "target_id" { owner = id }
    }
    switch record {
    case .place(let place):
      row.set("kind", place.kind.rawValue)
      row.set("name", place.name)
      try reference("parent_id", place.parent, .place)
      row.set(place.position)
      row.set("elevation_cm", place.elevationCm)
      row.set("locality", place.locality)
      row.set("water_body", place.waterBody)
      row.set("country", place.country)
      row.set("privacy", place.privacy.rawValue)
    case .event(let event):
      row.set("kind", event.kind.rawValue)
      row.set("status", event.status.rawValue)
      try reference("parent_id", event.parent, .event)
      try reference("place_id", event.place, .place)
      row.set(event.position)
      row.set("local_start", event.start)
      row.set("local_end", event.end)
      row.set("utc_offset_min", event.utcOffsetMin)
      row.set("start_ms", event.startMs)
      row.set("end_ms", event.endMs)
      row.set("start_day", event.start.dayNumber)
      row.set("protocol", event.protocol)
      row.set("effort_value", event.effortValue)
      row.set("effort_unit", event.effortUnit)
      row.set("is_complete_list", event.isCompleteList)
      row.set("weather", event.weather)
      row.set("remarks", event.remarks)
      row.set("privacy", event.privacy.rawValue)
    case .organism(let organism):
      row.set("name", organism.name)
      try reference("place_id", organism.place, .place)
      row.set(organism.position)
      row.set("elevation_cm", organism.elevationCm)
      row.set("status", organism.status.rawValue)
      row.set("planted", organism.planted)
      row.set("privacy", organism.privacy.rawValue)
    case .occurrence(let occurrence):
      try reference("event_id", occurrence.event, .event)
      try reference("organism_id", occurrence.organism, .organism)
      row.set(occurrence.position)
      row.set("local_time", occurrence.time)
      row.set("local_ms", occurrence.time?.firstMs(offsetMin: nil))
      row.set("local_day", occurrence.time?.dayNumber)
      row.set("presence", occurrence.presence.rawValue)
      row.set("count", occurrence.count)
      row.set("count_kind", occurrence.countKind?.rawValue)
      row.set("sex", occurrence.sex)
      row.set("life_stage", occurrence.lifeStage)
      row.set("behaviour", occurrence.behaviour)
      row.set("establishment", occurrence.establishment?.rawValue)
      row.set("min_depth_mm", occurrence.minDepthMm)
      row.set("max_depth_mm", occurrence.maxDepthMm)
      row.set("privacy", occurrence.privacy.rawValue)
      row.set("remarks", occurrence.remarks)
    case .identification(let identification):
      try reference("occurrence_id", identification.occurrence, .occurrence)
      row.set("verbatim_name", identification.verbatimName)
      row.set("qualifier", identification.qualifier)
      row.set("cultivar", identification.cultivar)
      row.set("rootstock", identification.rootstock)
      row.set("taxon_ref_id", try identification.taxon.map(rememberedID))
      row.set("match", identification.match.rawValue)
      row.set("local_date", identification.date)
      row.set("remarks", identification.remarks)
    case .note(let note):
      try reference("target_id", note.target, .place, .event, .organism, .occurrence)
      row.set("local_time", note.time)
      row.set("text", note.text)
    case .collection(let collection):
      row.set("name", collection.name)
      row.set("privacy", collection.privacy.rawValue)
    case .measure(let measure):
      try reference("target_id", measure.target, .place, .event, .organism, .occurrence)
      row.set("type", measure.type)
      row.set("number", measure.number)
      row.set("text", measure.text)
      row.set("method", measure.method)
      row.set("local_time", measure.time)
      row.set("remarks", measure.remarks)
    case .person(let person):
      row.set("name", person.name)
      row.set("orcid", person.orcid)
    case .photo(let photo):
      try reference("target_id", photo.target, .place, .event, .organism, .occurrence, .note)
      row.set("media_id", try mediaID(photo.file))
      row.set("name", photo.name)
      row.set("caption", photo.caption)
      row.set("ordinal", photo.ordinal)
      row.set("local_time", photo.time)
      row.set("utc_offset_min", photo.utcOffsetMin)
      row.set(photo.position)
      row.set("elevation_cm", photo.elevationCm)
      row.set("author", photo.author)
      row.set("licence", photo.licence)
      row.set("source", photo.source)
    }
    // What followed from the record as it was changes too.
    if !derived.isNew(id) { try derived.note(record.kind, id) }
    try statement(for: row).execute(arguments: StatementArguments(row.values))
    try writeParts(record, id: id, isLive: isLive)
    lastWritten = max(lastWritten, id)
    if let owner {
      derived.note(record.kind, of: owner)
    } else {
      try derived.note(record.kind, id)
    }
    // What stands under none is too deep for none: those that stand under it are looked at.
    if record.parent != nil { nested.append((record.kind.rawValue, id, record.id)) }
  }

  /// Whether it is sure that nothing of a record has been written but its row of `record`.
  func isFirst(_ id: Int64) -> Bool { derived.isNew(id) && id > lastWritten }

  /// The statement that writes a row.
  private func statement(for row: RowValues) throws -> Statement {
    if let known = upserts[row.form] { return known }
    let statement = try database.makeStatement(sql: row.upsert)
    if upserts.count < Self.upsertLimit { upserts[row.form] = statement }
    return statement
  }

  /// The id of a record that another one refers to.
  ///
  /// - Throws: `JournalError`, where it is not there, is of another kind, or is deleted and must not be.
  func id(
    of uuid: JournalID, _ kinds: [JournalRecord.Kind], isLive: Bool
  ) throws -> Int64 {
    func words(_ kinds: [JournalRecord.Kind]) -> String {
      kinds.map(\.rawValue).joined(separator: " or ")
    }
    guard let head = try head(uuid) else {
      throw JournalError.unknown(id: uuid, needed: words(kinds))
    }
    guard kinds.contains(head.kind) else {
      throw JournalError.otherKind(id: uuid, found: head.kind.rawValue, needed: words(kinds))
    }
    guard head.deletedMs == nil || !isLive else { throw JournalError.deleted(id: uuid) }
    return head.id
  }

  /// The records that refer to one, those in a collection among them.
  private static let referrers = """
    SELECT id FROM place WHERE parent_id = ?1
    UNION SELECT id FROM event WHERE parent_id = ?1 OR place_id = ?1
    UNION SELECT id FROM organism WHERE place_id = ?1
    UNION SELECT id FROM occurrence WHERE event_id = ?1 OR organism_id = ?1
    UNION SELECT id FROM identification WHERE occurrence_id = ?1
    UNION SELECT id FROM note WHERE target_id = ?1
    UNION SELECT id FROM measure WHERE target_id = ?1
    UNION SELECT id FROM photo WHERE target_id = ?1
    UNION SELECT event_id FROM event_person WHERE person_id = ?1
    UNION SELECT record_id FROM collection_item WHERE collection_id = ?1
    """

  /// The records that refer to a record, deleted ones too.
  func referrers(of id: Int64) throws -> [Int64] {
    try Int64.fetchAll(database.cachedStatement(sql: Self.referrers), arguments: [id])
  }

  /// The live records that refer to a record, those that were kept first at first.
  func liveReferrers(of id: Int64) throws -> [Int64] {
    try Int64.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT id FROM record WHERE deleted_ms IS NULL AND id IN (\(Self.referrers)) ORDER BY id
          """), arguments: [id])
  }

  /// Whether a live record refers to a record.
  func isReferredTo(_ id: Int64) throws -> Bool { try !liveReferrers(of: id).isEmpty }

  // MARK: - The end

  /// Brings all that follows from the records up to date, and forgets old batches.
  func finish() throws {
    try noteAdded()
    for (table, id, uuid) in nested { try requireShallow(table, id, uuid) }
    try derived.refresh()
    guard let batch else { return }
    if byteCount > 0 {
      try database.cachedStatement(sql: "UPDATE batch SET byte_count = ? WHERE id = ?")
        .execute(arguments: [byteCount, batch])
    }
    try trimHistory(before: batch)
  }

  /// Notes that the records which this batch added were not there.
  private func noteAdded() throws {
    guard let batch else { return }
    // In the order of both indexes, and of so many at once as are sorted in little memory; the sign keeps SQLite from
    // going through all UUIDs for it.
    var last = derived.lastBefore
    while let next = try Int64.fetchOne(
      database.cachedStatement(
        sql: "SELECT max(id) FROM (SELECT id FROM record WHERE id > ? ORDER BY id LIMIT ?)"),
      arguments: [last, Self.notedCount])
    {
      try database.cachedStatement(
        sql: """
          INSERT OR IGNORE INTO revision (batch_id, record_uuid, kind)
          SELECT ?, uuid, kind FROM record WHERE id > ? AND id <= ? ORDER BY +uuid
          """
      ).execute(arguments: [batch, last, next])
      last = next
    }
  }

  private static let notedCount = 200_000

  /// Looks at the parents above a record and, where it has such, at how deep others lie below.
  private func requireShallow(_ table: String, _ id: Int64, _ uuid: JournalID) throws {
    let limit = JournalLimits.nestingCount
    let above = try Int.fetchOne(
      database.cachedStatement(
        sql: """
          WITH RECURSIVE above(id, depth) AS (
            SELECT ?1, 1 UNION
            SELECT t.parent_id, depth + 1 FROM above JOIN \(table) t ON t.id = above.id
            WHERE t.parent_id IS NOT NULL AND depth <= ?2)
          SELECT max(depth) FROM above
          """), arguments: [id, limit])
    let below = try depthBelow(table, id)
    guard (above ?? 0) + below <= limit else {
      throw JournalError.nesting(id: uuid, limit: limit)
    }
  }

  /// How many levels of others lie below a record, where it is there already; one more than the limit at most.
  func depthBelow(_ kind: JournalRecord.Kind, _ uuid: JournalID) throws -> Int {
    guard let head = try head(uuid) else { return 0 }
    return try depthBelow(kind.rawValue, head.id)
  }

  private func depthBelow(_ table: String, _ id: Int64) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(
        sql: """
          WITH RECURSIVE below(id, depth) AS (
            SELECT ?1, 0 UNION
            SELECT t.id, depth + 1 FROM below JOIN \(table) t ON t.parent_id = below.id
            WHERE depth <= ?2)
          SELECT max(depth) FROM below
          """), arguments: [id, JournalLimits.nestingCount]) ?? 0
  }

  private func trimHistory(before batch: Int64) throws {
    let day: Int64 = 86_400_000
    func removeOldest(where isOld: (Row) throws -> Bool) throws {
      while let oldest = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM batch ORDER BY id LIMIT 1")),
        try oldest.value("id") as Int64 != batch, try isOld(oldest)
      {
        try database.cachedStatement(sql: "DELETE FROM batch WHERE id = ?")
          .execute(arguments: [try oldest.value("id") as Int64])
      }
    }
    try removeOldest { try $0.value("at_ms") < now - Int64(JournalLimits.historyDays) * day }
    guard batch % 256 == 0 else { return }
    var byteCount =
      try Int.fetchOne(database, sql: "SELECT ifnull(sum(byte_count), 0) FROM batch") ?? 0
    try removeOldest { oldest in
      guard byteCount > JournalLimits.historyByteCount, try oldest.value("at_ms") < now - day else {
        return false
      }
      // A damaged file may say any number.
      byteCount &-= try oldest.value("byte_count")
      return true
    }
  }
}
