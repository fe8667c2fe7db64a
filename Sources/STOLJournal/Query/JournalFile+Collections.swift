import GRDB

extension JournalFile {
  /// The live records that are in a collection, those that were kept first at first.
  ///
  /// - Returns: the first of them, and whether there are more.
  /// - Throws: `JournalError.unknown` where no live collection has the UUID; `StoreError`.
  package func members(
    of collection: JournalID, limit: Int
  ) throws -> (records: [KeptRecord], isCut: Bool) {
    let limit = min(max(0, limit), Int(Int32.max))
    return try read { database in
      let reader = RecordReader(database: database)
      let id = try id(of: collection, .collection, database)
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT r.* FROM collection_item i JOIN record r ON r.id = i.record_id
          WHERE i.collection_id = ? AND r.deleted_ms IS NULL ORDER BY r.id LIMIT \(limit + 1)
          """, arguments: [id])
      let records = try rows.prefix(limit).map {
        KeptRecord(try reader.stored(try RecordReader.Head($0)))
      }
      return (records, rows.count > limit)
    }
  }

  /// Puts a record into the collection of a name, which begins where there is none.
  ///
  /// - Returns: the batch that undoes it; nil where it was in it already.
  /// - Throws: `JournalError`, `StoreError`; then nothing has changed.
  package func collect(_ id: JournalID, into name: String) throws -> Int64? {
    let collection = try collection(named: name)
    return try relabel(id, adding: [.collection(collection)]) { $0.insert(collection.id) }
  }

  /// Takes a record out of a collection.
  ///
  /// - Returns: the batch that undoes it; nil where it was not in it.
  /// - Throws: `JournalError`, `StoreError`; then nothing has changed.
  package func release(_ id: JournalID, from collection: JournalID) throws -> Int64? {
    try relabel(id, adding: []) { $0.remove(collection) }
  }

  private func relabel(
    _ id: JournalID, adding records: [JournalRecord], _ change: (inout Set<JournalID>) -> Void
  ) throws -> Int64? {
    // What cannot be in a collection begins none.
    guard let kept = try record(id)?.record else {
      throw JournalError.unknown(id: id, needed: "record")
    }
    _ = try kept.labelled { _, collections in change(&collections) }
    let (results, batch) = try edit([id], adding: records) { record throws(JournalError) in
      try record.labelled { _, collections in change(&collections) }
    }
    let outcome = try results[0].get()
    return outcome == .same ? nil : batch
  }
}
