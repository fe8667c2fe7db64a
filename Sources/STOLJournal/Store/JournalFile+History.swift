public import Foundation
import GRDB

/// One transaction that changed records.
public struct JournalBatch: Equatable, Sendable {
  /// Its number.
  public let id: Int64
  /// When it was.
  public let at: Date
  /// What it was: save, delete, import, relink or undo.
  public let what: String
  /// The batch that it undid.
  public let undoes: Int64?
  /// Whether a later one has undone it.
  public let isUndone: Bool
  /// How many records it changed.
  public let recordCount: Int
}

extension JournalFile {
  /// The batches that can be undone or have been, the last one first.
  ///
  /// - Parameter id: only those that changed the record with this UUID, or what an occurrence was taken for.
  /// - Returns: the batches.
  /// - Throws: `StoreError`
  /// - Complexity: O(number of batches, and of what the given ones changed)
  package func history(of id: JournalID? = nil) throws -> [JournalBatch] {
    try read { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT id, at_ms, what, undoes,
            CASE WHEN ?1 IS NULL OR EXISTS (
                SELECT 1 FROM revision WHERE batch_id = batch.id AND record_uuid IN (
                  SELECT ?1 UNION ALL SELECT n.uuid FROM record o
                    JOIN identification i ON i.occurrence_id = o.id
                    JOIN record n ON n.id = i.id WHERE o.uuid = ?1))
              THEN (SELECT count(*) FROM revision WHERE batch_id = batch.id) END AS n
          FROM batch ORDER BY id DESC
          """, arguments: [id.map { Data($0.bytes) }])
      var undone: Set<Int64> = []
      var batches: [JournalBatch] = []
      while let row = try rows.next() {
        let (batch, undoes) = (try row.value("id") as Int64, try row.value("undoes") as Int64?)
        let isUndone = undone.contains(batch)
        // Those that could undo it came before.
        if let undoes, !isUndone { undone.insert(undoes) }
        guard let count = try row.value("n") as Int? else { continue }
        batches.append(
          JournalBatch(
            id: batch,
            at: Date(timeIntervalSince1970: Double(try row.value("at_ms") as Int64) / 1000),
            what: try row.value("what"), undoes: undoes, isUndone: isUndone, recordCount: count))
      }
      return batches
    }
  }

  /// Puts back what a batch changed, all of it.
  ///
  /// - Parameter id: the batch; nil for the last one that is no undo and was not undone.
  /// - Returns: the batch, and the one that undid it.
  /// - Throws: `JournalError`, where what would be put back was changed since; `StoreError`. Then nothing has
  ///   changed.
  @discardableResult
  package func undo(batch id: Int64? = nil) throws -> (undone: Int64, by: Int64) {
    let target = try id ?? lastToUndo()
    return try change("undo", undoes: target) { writer in
      try Self.undo(target, writer)
      guard let batch = writer.batch else { throw JournalError.nothingToUndo }
      return (target, batch)
    }
  }

  private func lastToUndo() throws -> Int64 {
    let last = try read { database in
      let links = try Self.links(database, after: 0)
      let undone = Self.undone(links)
      return links.first { $0.undoes == nil && !undone.contains($0.id) }?.id
    }
    guard let last else { throw JournalError.nothingToUndo }
    return last
  }

  private static func undo(_ target: Int64, _ writer: RecordWriter) throws {
    let database = writer.database
    let isThere = try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM batch WHERE id = ?)", arguments: [target])
    guard isThere == true else { throw JournalError.unknownBatch(target) }
    let later = try links(database, after: target)
    if let by = later.first(where: { $0.undoes == target && !undone(later).contains($0.id) }) {
      throw JournalError.alreadyUndone(batch: target, by: by.id)
    }
    let counting = Set(later.map(\.id)).subtracting(cancelled(later))
    let revisions = try Row.fetchAll(
      database, sql: "SELECT record_uuid, kind, before FROM revision WHERE batch_id = ?",
      arguments: [target])
    var restored: [StoredRecord] = []
    var removed: [RecordReader.Head] = []
    for revision in revisions {
      let uuid = try revision.uuid("record_uuid")
      let since = try Int64.fetchAll(
        database, sql: "SELECT batch_id FROM revision WHERE record_uuid = ? AND batch_id > ?",
        arguments: [Data(uuid.bytes), target])
      if let batch = since.first(where: counting.contains) {
        throw JournalError.changedSince(batch: target, later: batch, id: uuid)
      }
      let head = try writer.reader.head(uuid)
      try writer.note(
        uuid, try revision.word("kind"), before: try head.map { try writer.reader.stored($0) })
      if let text = try revision.value("before") as String? {
        let before = try JSONDecoder().decode(StoredRecord.self, from: Data(text.utf8))
        restored.append(before)
        try writer.restoreHead(before)
      } else if let head {
        removed.append(head)
      }
    }
    // Those that others of them refer to are there by now.
    for stored in restored {
      try writer.write(stored.record, id: stored.id, isLive: stored.deletedMs == nil)
    }
    for head in removed { try writer.remove(head) }
    // What is deleted again may have got new parts since.
    for stored in restored where stored.deletedMs != nil {
      if try writer.isReferredTo(stored.id) { throw JournalError.inUse(batch: target) }
    }
  }

  private typealias Link = (id: Int64, undoes: Int64?)

  /// The batches after one, the last one first.
  private static func links(_ database: Database, after id: Int64) throws -> [Link] {
    try Row.fetchAll(
      database, sql: "SELECT id, undoes FROM batch WHERE id > ? ORDER BY id DESC", arguments: [id]
    ).map { (try $0.value("id"), try $0.value("undoes")) }
  }

  /// The batches that others have undone that were not undone themselves.
  private static func undone(_ links: [Link]) -> Set<Int64> {
    var undone: Set<Int64> = []
    for link in links where !undone.contains(link.id) {
      if let other = link.undoes { undone.insert(other) }
    }
    return undone
  }

  /// The batches that, two by two, leave everything as it was: one of them and the one that undid it.
  private static func cancelled(_ links: [Link]) -> Set<Int64> {
    let all = Set(links.map(\.id))
    var cancelled: Set<Int64> = []
    for link in links where !cancelled.contains(link.id) {
      if let other = link.undoes, all.contains(other) { cancelled.formUnion([link.id, other]) }
    }
    return cancelled
  }
}
