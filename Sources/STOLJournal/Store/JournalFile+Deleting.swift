import GRDB

/// Deleting, which marks records and lets go of what refers to them: Format/JOURNAL.md, "Records".
extension JournalFile {
  /// Marks a record as deleted, with what is its own; what refers to it otherwise lets go of it.
  ///
  /// - Parameter id: the UUID of a live record, which is no identification.
  /// - Returns: the batch that undoes it, and the UUIDs of all that was deleted; no batch where it was
  ///   deleted already.
  /// - Throws: `JournalError`, `StoreError`; then nothing has changed.
  @discardableResult
  package func delete(_ id: JournalID) throws -> (batch: Int64?, deleted: [JournalID]) {
    let (batch, deleted) = try delete([id])
    return (batch, deleted.flatMap { $0 })
  }

  /// Marks records as deleted as `delete(_:)` does, all in one batch, or none.
  ///
  /// - Parameters:
  ///   - ids: the UUIDs of live records.
  ///   - isRehearsal: whether nothing is to be changed.
  /// - Returns: the batch, and for each UUID those that were deleted with it, itself among them; none where it was
  ///   deleted already.
  /// - Throws: `JournalError`, `StoreError`; then nothing has changed.
  package func delete(
    _ ids: [JournalID], isRehearsal: Bool = false
  ) throws -> (batch: Int64?, deleted: [[JournalID]]) {
    try change("delete", isRehearsal: isRehearsal) { writer in
      var deleted: [[JournalID]] = []
      for id in ids {
        guard let head = try writer.reader.head(id) else {
          throw JournalError.unknown(id: id, needed: "record")
        }
        guard head.kind != .identification else {
          throw JournalError.identificationChanged(id: id)
        }
        var deletion = Deletion(writer: writer)
        if head.deletedMs == nil { try deletion.delete(head) }
        deleted.append(deletion.deleted)
      }
      return (isRehearsal ? nil : writer.batch, deleted)
    }
  }
}

/// One deletion and all that comes of it.
struct Deletion {
  let writer: RecordWriter
  private(set) var deleted: [JournalID] = []

  /// When the last of them was deleted.
  private var latestMs: Int64 = .min

  init(writer: RecordWriter) { self.writer = writer }

  /// Deletes a record with what is its own, all in one moment: who brings it back brings that back with it.
  mutating func delete(_ head: RecordReader.Head) throws {
    let firstIndex = deleted.count
    let record = try writer.reader.record(head)
    try deletePart(head)
    // A visit that is left of a sighting says where and when that was.
    if case .occurrence(let occurrence) = record { try deleteIfEmpty(occurrence.event) }
    for uuid in deleted[firstIndex...] {
      guard let part = try writer.reader.head(uuid), part.deletedMs != latestMs else { continue }
      _ = try writer.markDeleted(part, notBefore: latestMs)
    }
  }

  private mutating func deletePart(_ head: RecordReader.Head) throws {
    let stored = try writer.reader.stored(head)
    /// What it is left by stays as it is kept from others.
    let word = try writer.reader.word(of: head)
    switch stored.record {
    case .place(let place):
      try letGo("SELECT id FROM place WHERE parent_id = ?", head, word) { record in
        guard case .place(var child) = record else { return record }
        child.parent = nil
        return .place(child)
      }
      try letGo("SELECT id FROM event WHERE place_id = ?", head, word) { record in
        guard case .event(var event) = record else { return record }
        event.place = nil
        event.position = event.position ?? place.position
        return .event(event)
      }
      try letGo("SELECT id FROM organism WHERE place_id = ?", head, word) { record in
        guard case .organism(var organism) = record else { return record }
        organism.place = nil
        organism.position = organism.position ?? place.position
        return .organism(organism)
      }
    case .event:
      try deleteAll("SELECT id FROM occurrence WHERE event_id = ?", head)
      try letGo("SELECT id FROM event WHERE parent_id = ?", head, word) { record in
        guard case .event(var part) = record else { return record }
        part.parent = nil
        return .event(part)
      }
    case .organism:
      let visits = try Int64.fetchAll(
        writer.database,
        sql: """
          SELECT DISTINCT e.id FROM occurrence o JOIN event e ON e.id = o.event_id
            JOIN record r ON r.id = e.id JOIN record x ON x.id = o.id AND x.deleted_ms IS NULL
          WHERE o.organism_id = ? AND e.kind = 'visit' AND r.deleted_ms IS NULL
          """, arguments: [head.id])
      try deleteAll("SELECT id FROM occurrence WHERE organism_id = ?", head)
      for visit in visits where try isEmpty(visit) {
        try deletePart(try writer.reader.head(visit))
      }
    case .occurrence:
      try deleteAll("SELECT id FROM identification WHERE occurrence_id = ?", head)
    case .collection:
      try letGo(
        "SELECT record_id FROM collection_item WHERE collection_id = ?", head, word
      ) { record in
        record.leaving(head.uuid)
      }
    case .person:
      try letGo("SELECT DISTINCT event_id FROM event_person WHERE person_id = ?", head) { record in
        guard case .event(var event) = record else { return record }
        event.persons = event.persons.filter { $0.person != head.uuid }
        return .event(event)
      }
    case .identification, .note, .measure, .photo: break
    }
    try deleteAll("SELECT id FROM note WHERE target_id = ?", head)
    try deleteAll("SELECT id FROM measure WHERE target_id = ?", head)
    try deleteAll("SELECT id FROM photo WHERE target_id = ?", head)
    try writer.note(head.uuid, head.kind, before: stored)
    try writer.derived.note(head.kind, head.id)
    latestMs = try max(latestMs, writer.markDeleted(head))
    deleted.append(head.uuid)
  }

  /// Deletes a visit that has nothing left, and says nothing of its own.
  private mutating func deleteIfEmpty(_ id: JournalID) throws {
    guard let head = try writer.reader.head(id), head.deletedMs == nil,
      case .event(let event) = try writer.reader.record(head), event.kind == .visit,
      event.weather == nil, event.remarks == nil, event.tags.isEmpty, event.collections.isEmpty,
      !event.isCompleteList, try isEmpty(head.id), try writer.liveReferrers(of: head.id).isEmpty
    else { return }
    try deletePart(head)
  }

  /// Whether a visit has no live occurrence, note, measure or photo.
  private func isEmpty(_ visit: Int64) throws -> Bool {
    try Bool.fetchOne(
      writer.database,
      sql: """
        SELECT NOT EXISTS (SELECT 1 FROM record r WHERE r.deleted_ms IS NULL AND r.id IN (
          SELECT id FROM occurrence WHERE event_id = ?1 UNION ALL
          SELECT id FROM note WHERE target_id = ?1 UNION ALL
          SELECT id FROM measure WHERE target_id = ?1 UNION ALL
          SELECT id FROM photo WHERE target_id = ?1))
        """, arguments: [visit]) ?? false
  }

  /// Deletes the live records among some.
  private mutating func deleteAll(_ sql: String, _ owner: RecordReader.Head) throws {
    for id in try Int64.fetchAll(writer.database, sql: sql, arguments: [owner.id]) {
      let head = try writer.reader.head(id)
      if head.deletedMs == nil { try deletePart(head) }
    }
  }

  /// Changes the live records among some, which others may know no more exactly than a word says.
  private func letGo(
    _ sql: String, _ owner: RecordReader.Head, _ word: Privacy = .open,
    _ change: (JournalRecord) -> JournalRecord
  ) throws {
    for id in try Int64.fetchAll(writer.database, sql: sql, arguments: [owner.id]) {
      let head = try writer.reader.head(id)
      guard head.deletedMs == nil else { continue }
      let stored = try writer.reader.stored(head)
      try writer.note(head.uuid, head.kind, before: stored)
      let record = try change(stored.record).kept(atLeast: word)
      try writer.touch(head, from: stored.record, to: record)
      try writer.write(record, id: id)
    }
  }
}

extension JournalRecord {
  /// The record without a collection.
  func leaving(_ collection: JournalID) -> JournalRecord {
    switch self {
    case .place(var record):
      record.collections.remove(collection)
      return .place(record)
    case .event(var record):
      record.collections.remove(collection)
      return .event(record)
    case .organism(var record):
      record.collections.remove(collection)
      return .organism(record)
    case .occurrence(var record):
      record.collections.remove(collection)
      return .occurrence(record)
    case .identification, .note, .collection, .measure, .person, .photo: return self
    }
  }
}
