import GRDB
package import STOLPack
import STOLStore

/// What a purge removes for good.
public struct Purgeable: Equatable, Sendable {
  /// The records that are deleted.
  public let recordCount: Int
  /// The batches of the history, without which nothing can be undone.
  public let batchCount: Int
  /// The files beside the journal that no live photo has, those of a damaged journal that was set aside among them.
  public var fileCount = 0
}

extension JournalFile {
  /// What `purge` would remove.
  ///
  /// - Complexity: O(number of deleted records, batches and files)
  package func purgeable() throws -> Purgeable {
    let fileCount = try unneededFileCount()
    return try read { database in
      func number(_ sql: String) throws -> Int { try Int.fetchOne(database, sql: sql) ?? 0 }
      return Purgeable(
        recordCount: try number("SELECT count(*) FROM record WHERE deleted_ms NOT NULL"),
        batchCount: try number("SELECT count(*) FROM batch"), fileCount: fileCount)
    }
  }

  /// Whether a pack says of any taxon that it is threatened.
  ///
  /// - Complexity: O(number of taxa) where it does not
  package static func knowsThreats(_ pack: Pack) -> Bool {
    let view = pack.view
    return Threats(in: view).areKnown(in: view)
  }

  /// Removes deleted records, the history and the files of photos that nothing has then for good, and overwrites
  /// their bytes in the file of the journal; damaged files that were set aside go too.
  ///
  /// What others may not know for the sake of what is removed then says so itself.
  ///
  /// - Parameter pack: what says which taxa are threatened; nil where nothing does.
  /// - Returns: what was removed.
  /// - Throws: `JournalError`, `StoreError`; then nothing else has changed than words of live records, or, where bytes
  ///   could not be overwritten, it may be done again.
  /// - Complexity: O(n), and for each reference that nobody uses any more O(number of identifications)
  @discardableResult
  package func purge(threatsOf pack: Pack? = nil) throws -> Purgeable {
    let removed = try purgeable()
    try keepWords(pack)
    try file.withDatabase(isChange: true) { database in
      try database.inTransaction(.immediate) {
        // A live record refers to live ones only, and deleted ones go together.
        try database.execute(
          sql: """
            DELETE FROM record WHERE deleted_ms NOT NULL;
            DELETE FROM batch;
            DELETE FROM taxon_ref WHERE id NOT IN (
              SELECT taxon_ref_id FROM identification WHERE taxon_ref_id NOT NULL);
            DELETE FROM media WHERE id NOT IN (SELECT media_id FROM photo);
            INSERT INTO journal_text (journal_text) VALUES ('optimize');
            """)
        return .commit
      }
    }
    try removeOrphans()
    try file.erase()
    return removed
  }

  /// Writes into live records what others may not know of them for the sake of deleted ones alone.
  private func keepWords(_ pack: Pack?) throws {
    _ = try change(SaveKind.save.rawValue) { writer in
      let database = writer.database
      let threatened = try pack.map { try threatenedOccurrences(in: $0, database) } ?? []
      let live = try Set(
        Int64.fetchAll(database, sql: "SELECT id FROM record WHERE deleted_ms IS NULL"))
      let before = try SharingPlan(database, threatened: threatened)
      let after = try SharingPlan(
        database, threatened: threatened.filter { live.contains($0.occurrence) },
        ignoresDeleted: true)
      var words: [Int64: Privacy] = [:]
      for (id, level) in before.levels
      where live.contains(id) && after.level(of: id).stricter(level) != after.level(of: id) {
        words[id] = level
      }
      // A collection that loses all that is in it, and of which nobody may know for that.
      let items = try Row.fetchAll(
        database, sql: "SELECT collection_id, record_id FROM collection_item")
      let members = try items.map { (try $0.value(at: 0) as Int64, try $0.value(at: 1) as Int64) }
      let kept = Set(members.filter { live.contains($0.1) }.map(\.0))
      for (collection, record) in members
      where live.contains(collection) && !kept.contains(collection)
        && before.level(of: record) != .open
      {
        words[collection] = (words[collection] ?? .open).stricter(.obscured)
      }
      for (id, word) in words.sorted(by: { $0.key < $1.key }) {
        let head = try writer.reader.head(id)
        _ = try writer.replace(head, with: writer.reader.record(head).kept(atLeast: word))
      }
    }
  }
}
