import GRDB
import STOLData
import STOLPack
import STOLStore
import STOLSystem

/// What is read of the file, and what others have changed in it.
extension FavoritesFile {
  /// Whether another connection has changed the file since it was read.
  func hasChanged(_ database: Database) throws -> Bool {
    let version =
      try Int64.fetchOne(
        database.cachedStatement(sql: "PRAGMA data_version")) ?? 0
    return memory.withLock { $0.dataVersion } != version
  }

  /// Reads the rows again if another connection has changed them.
  func refresh(_ database: Database) throws {
    if try hasChanged(database) { _ = try readAll(database) }
  }

  /// Reads what all rows lead to: those of which it is kept without their references.
  ///
  /// - Returns: whether each row has a reference and each reference a row.
  func readAll(_ database: Database) throws -> Bool {
    let version = try Int64.fetchOne(database, sql: "PRAGMA data_version") ?? 0
    let mark = self.database.mark()
    let referenceCount =
      try Int.fetchOne(database, sql: "SELECT count(*) FROM favorite_references") ?? 0
    var favorites = FavoriteSet(capacity: referenceCount)
    var withReference = 0
    var isWhole = true
    var others = 0
    // Both by key: to go along both at once takes half as long as a join.
    let keys = try Int64.fetchAll(database, sql: "SELECT taxon_id FROM favorites ORDER BY taxon_id")
    var place = 0
    let cursor = try Row.fetchCursor(
      database,
      sql: "SELECT taxon_id, found, found_in FROM favorite_references ORDER BY taxon_id")
    while let row = try cursor.next() {
      let key: Int64 = row[0]
      while place < keys.count, keys[place] < key {
        place += 1
        others += 1
        isWhole = false
      }
      guard place < keys.count, keys[place] == key else { continue }
      place += 1
      withReference += 1
      if let mark, let taxon = row[1] as Int64?, row[2] as Int64? == mark {
        favorites.insert(key, TaxonID(rawValue: taxon))
      } else {
        others += 1
      }
    }
    if place < keys.count {
      others += keys.count - place
      isWhole = false
    }
    var found: [Found] = []
    if others > 0 {
      let rows = try Row.fetchAll(
        database, sql: Self.selection + " WHERE r.found IS NULL OR r.found_in IS NOT ?",
        arguments: [mark])
      let references = rows.map(Self.reference)
      for ((row, reference), taxon) in zip(
        zip(rows, references), self.database.taxa(references))
      {
        favorites.insert(row[0], reference, taxon)
        if let taxon { found.append((row[0], taxon)) }
      }
    }
    memory.withLock { memory in
      memory = Memory(favorites: favorites, dataVersion: version)
      if let mark, found.count >= Self.manyFound { memory.toKeep = (found, mark) }
    }
    return isWhole && withReference == referenceCount
  }

  /// A row and the taxon that it leads to.
  typealias Found = (key: Int64, taxon: TaxonID)
  /// So many are looked up again each time as soon as they are kept.
  private static let manyFound = 100

  /// Keeps what many rows lead to in this database, so that the next one to open the file need not look it
  /// up; where nothing can be written, that one does.
  func keepWhatWasFound(_ database: Database) {
    guard file.refusal == nil,
      let (found, mark) = memory.withLock({ memory in
        defer { memory.toKeep = nil }
        return memory.toKeep
      })
    else { return }
    try? database.inTransaction(.immediate) {
      let statement = try database.cachedStatement(
        sql: "UPDATE favorite_references SET found = ?, found_in = ? WHERE taxon_id = ?")
      for row in found {
        try statement.execute(arguments: [row.taxon.rawValue, mark, row.key])
      }
      return .commit
    }
  }

  /// Gives rows without a reference one, as version 1 and other apps write them, and drops references of
  /// rows that other apps have removed.
  ///
  /// Those of a database that cannot be opened wait, unless it is for good: then nobody will know what they
  /// are.
  func takeOver(_ database: Database, forGood: Bool = false) throws {
    let sql = """
      SELECT f.taxon_id, f.created_at FROM favorites f
      LEFT JOIN favorite_references r USING (taxon_id) WHERE r.taxon_id IS NULL
      """
    let isOrphan = "taxon_id NOT IN (SELECT taxon_id FROM favorites)"
    let hasOrphans = try Bool.fetchOne(
      database, sql: "SELECT EXISTS (SELECT 1 FROM favorite_references WHERE \(isOrphan))")
    let hasOld = try Bool.fetchOne(database, sql: "SELECT EXISTS (\(sql))")
    guard hasOrphans == true || hasOld == true else { return }
    try database.inTransaction(.immediate) {
      try database.execute(sql: "DELETE FROM favorite_references WHERE \(isOrphan)")
      let rows = try Row.fetchAll(database, sql: sql).map { row in
        (id: TaxonID(rawValue: row[0]), text: String.fromDatabaseValue(row[1]) ?? "")
      }
      let references = self.database.takeover(
        rows.map { row in
          (id: row.id, time: (Timestamp(text: row.text) ?? Timestamp(milliseconds: 0)).date)
        })
      for (row, found) in zip(rows, references) {
        let unknown = forGood ? TaxonReference(idSpace: nil, id: String(row.id.rawValue)) : nil
        guard let reference = found ?? unknown else { continue }
        try Self.insert(reference, key: row.id.rawValue, at: row.text, database)
      }
      return .commit
    }
  }
}
