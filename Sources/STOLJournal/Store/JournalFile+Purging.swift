import GRDB
import STOLStore

/// What a purge removes for good.
public struct Purgeable: Equatable, Sendable {
  /// The records that are deleted.
  public let recordCount: Int
  /// The batches of the history, without which nothing can be undone.
  public let batchCount: Int
  /// The files of photos that nothing else has.
  public var fileCount = 0
}

extension JournalFile {
  /// What `purge` would remove.
  package func purgeable() throws -> Purgeable {
    try read { database in
      func number(_ sql: String) throws -> Int { try Int.fetchOne(database, sql: sql) ?? 0 }
      return Purgeable(
        recordCount: try number("SELECT count(*) FROM record WHERE deleted_ms NOT NULL"),
        batchCount: try number("SELECT count(*) FROM batch"),
        fileCount: try number(
          """
          SELECT count(*) FROM media m WHERE NOT EXISTS (
            SELECT 1 FROM photo p JOIN record r ON r.id = p.id
            WHERE p.media_id = m.id AND r.deleted_ms IS NULL)
          """))
    }
  }

  /// Removes deleted records, the history and the files of photos that nothing has then for good, and overwrites
  /// their bytes in the file of the journal; damaged files that were set aside go too.
  ///
  /// - Returns: what was removed.
  /// - Throws: `StoreError`; then nothing has changed, or, where bytes could not be overwritten, it may be done
  ///   again.
  /// - Complexity: O(n), and for each reference that nobody uses any more O(number of identifications)
  @discardableResult
  package func purge() throws -> Purgeable {
    let removed = try purgeable()
    try file.withDatabase(isChange: true) { database in
      try database.inTransaction(.immediate) {
        // A live record refers to live ones only, and deleted ones go together.
        try database.execute(
          sql: """
            PRAGMA defer_foreign_keys = ON;
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
}
