import GRDB

/// What merging two records did, or would do.
public struct MergeOutcome: Equatable, Sendable {
  /// How many records of each kind were of the other one, and are of the one that stays.
  public let moved: [JournalRecord.Kind: Int]
  /// The visit that says now what that of the other one said; nil where none does.
  public let filledVisit: JournalID?
  /// The batch that undoes it; nil of a rehearsal.
  public let batch: Int64?
}

/// Making one of two: Format/JOURNAL.md, "Merging".
extension JournalFile {
  /// Makes one record of two of a kind: occurrences, organisms or places.
  ///
  /// All that refers to the other one then refers to the one that stays: identifications, notes, whatever there is.
  /// What the one that stays says it goes on to say; where it says nothing it says what the other one did, and
  /// it has the tags, states and collections of both. The other one is deleted.
  ///
  /// - Parameters:
  ///   - other: the UUID of the live record that goes.
  ///   - kept: the UUID of the live record that stays.
  ///   - isRehearsal: whether nothing is to be kept.
  /// - Returns: what was moved.
  /// - Throws: `JournalError`, `StoreError`; then nothing has changed.
  @discardableResult
  package func merge(
    _ other: JournalID, into kept: JournalID, isRehearsal: Bool = false
  ) throws -> MergeOutcome {
    guard other != kept else {
      throw JournalError.invalid(
        field: "uuid", value: "\(other)", remedy: "another one than the record that stays")
    }
    return try change("merge", isRehearsal: isRehearsal) { writer in
      let (stays, goes) = (try writer.liveHead(kept), try writer.liveHead(other))
      guard stays.kind == goes.kind else {
        throw JournalError.invalid(
          field: "uuid", value: "\(other)",
          remedy: "of the kind \(stays.kind.rawValue), as the record that stays; "
            + "this one is of the kind \(goes.kind.rawValue)")
      }
      let (a, b) = (try writer.reader.record(stays), try writer.reader.record(goes))
      try Self.requireOnePresence(a, b)
      let visit = try writer.mergedVisit(a, b)
      let position = try visit == nil ? writer.positionToKeep(of: goes, for: stays) : nil
      // The one that stays may be in less than the other one was.
      let word = try writer.reader.word(of: goes)
      guard let merged = try a.merged(with: b)?.at(position).kept(atLeast: word) else {
        throw JournalError.invalid(
          field: "kind", value: stays.kind.rawValue, remedy: "occurrence, organism or place")
      }
      try merged.validate()
      let holding = try writer.identification(of: stays)
      var moved: [JournalRecord.Kind: Int] = [:]
      for id in try writer.liveReferrers(of: goes.id) where id != stays.id {
        let head = try writer.reader.head(id)
        try writer.change(head) { $0.replacing(other, by: kept) }
        moved[head.kind, default: 0] += 1
      }
      var filled: JournalID?
      if let visit {
        let event = try visit.event.kept(atLeast: word)
        try event.validate()
        if try event != writer.reader.record(visit.head) {
          try writer.change(visit.head) { _ in event }
          filled = event.id
        }
      }
      if merged != a { try writer.change(stays) { _ in merged } }
      try writer.holdAgain(holding, stays)
      var deletion = Deletion(writer: writer)
      try deletion.delete(goes)
      return MergeOutcome(
        moved: moved, filledVisit: filled, batch: isRehearsal ? nil : writer.batch)
    }
  }
}

extension JournalFile {
  /// What was seen and what was looked for in vain are not one.
  private static func requireOnePresence(
    _ a: JournalRecord, _ b: JournalRecord
  ) throws(JournalError) {
    guard case .occurrence(let one) = a, case .occurrence(let two) = b,
      one.presence != two.presence
    else { return }
    throw .invalid(
      field: "presence", value: two.presence.rawValue,
      remedy: "\(one.presence.rawValue), as that of the record that stays: edit one of them before")
  }
}

extension JournalRecord {
  /// An occurrence at a position, unless it has one; other records as they are.
  fileprivate func at(_ position: Position?) -> JournalRecord {
    guard case .occurrence(var occurrence) = self else { return self }
    occurrence.position = occurrence.position ?? position
    return .occurrence(occurrence)
  }
}

extension RecordWriter {
  /// Where a sighting was that goes, if nothing says where the one was that stays.
  fileprivate func positionToKeep(
    of goes: RecordReader.Head, for stays: RecordReader.Head
  ) throws -> Position? {
    try reader.sightingPosition(stays.id) == nil ? reader.sightingPosition(goes.id) : nil
  }

  /// The visit of an occurrence that stays, as it is with what the visit of the other one says, but for its times; nil
  /// where they are not two visits with nothing but these occurrences.
  fileprivate func mergedVisit(
    _ a: JournalRecord, _ b: JournalRecord
  ) throws -> (head: RecordReader.Head, event: JournalRecord)? {
    guard case .occurrence(let one) = a, case .occurrence(let two) = b,
      let stays = try reader.head(one.event), let goes = try reader.head(two.event),
      stays.id != goes.id, case .event(let kept) = try reader.record(stays),
      case .event(var other) = try reader.record(goes), kept.kind == .visit, other.kind == .visit,
      try occurrenceCount(of: stays) == 1, try occurrenceCount(of: goes) == 1
    else { return nil }
    other.end = nil
    return (stays, JournalRecord.event(kept).merged(over: .event(other)))
  }

  private func occurrenceCount(of event: RecordReader.Head) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT count(*) FROM occurrence o JOIN record r ON r.id = o.id
          WHERE o.event_id = ? AND r.deleted_ms IS NULL
          """), arguments: [event.id]) ?? 0
  }

  fileprivate func liveHead(_ id: JournalID) throws -> RecordReader.Head {
    guard let head = try reader.head(id) else {
      throw JournalError.unknown(id: id, needed: "record")
    }
    guard head.deletedMs == nil else { throw JournalError.deleted(id: id) }
    return head
  }

  /// Writes a live record as it is to be.
  fileprivate func change(
    _ head: RecordReader.Head, _ body: (JournalRecord) -> JournalRecord
  ) throws {
    let stored = try reader.stored(head)
    try note(head.uuid, head.kind, before: stored)
    let record = body(stored.record)
    try touch(head, from: stored.record, to: record)
    try write(record, id: head.id)
  }

  /// The identification that holds of an occurrence.
  fileprivate func identification(of occurrence: RecordReader.Head) throws -> Int64? {
    try Int64.fetchOne(
      database, sql: "SELECT max(id) FROM identification WHERE occurrence_id = ?",
      arguments: [occurrence.id])
  }

  /// Adds an identification once more where it holds no longer because others came to its occurrence.
  fileprivate func holdAgain(_ id: Int64?, _ occurrence: RecordReader.Head) throws {
    guard let id, try identification(of: occurrence) != id,
      case .identification(var again) = try reader.record(try reader.head(id))
    else { return }
    again.id = JournalID()
    try write(.identification(again), id: try add(again.id, .identification))
  }
}
