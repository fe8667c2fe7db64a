import GRDB
package import Logging
package import STOLData
package import STOLPack

/// The file that favourites are kept in, and the only code that reads or changes it.
///
/// Any thread may call anything; changes wait for the disk. `LocalFavorites` is the same without
/// waiting.
package final class FavoritesFile: Sendable {
  private struct Memory {
    var favourites: FavouriteSet
    /// SQLite's `data_version`, which every change of another connection alters.
    var dataVersion: Int64
  }

  private enum Change {
    case add(TaxonID, current: TaxonID)
    case remove(current: TaxonID, rows: [TaxonID])
    case clear
  }

  /// The file was moved or deleted by somebody else.
  private struct Replaced: Error {}

  private let directory: DataDirectory
  private let logger: Logger
  private let currentID: @Sendable (TaxonID) -> TaxonID
  private let connection: Locked<FavoritesConnection>
  private let memory: Locked<Memory>
  private let setAside: Locked<String?>

  /// Opens the favourites of `directory`, or begins with none.
  package init(
    in directory: DataDirectory, currentID: @escaping @Sendable (TaxonID) -> TaxonID,
    logger: Logger
  ) throws(FavoritesError) {
    self.directory = directory
    self.currentID = currentID
    self.logger = logger
    let opened = try FavoritesConnection.open(in: directory)
    connection = Locked(opened)
    memory = Locked(Memory(favourites: FavouriteSet([], currentID: currentID), dataVersion: -1))
    setAside = Locked(nil)
    note(opened)
    try reload()
  }

  /// Where the favourites are kept.
  package var path: String { directory.favorites + "/" + FavoritesConnection.fileName }

  /// Where a damaged file was moved to when this one was opened, or nil.
  package var recoveredFrom: String? { setAside.withLock { $0 } }

  /// The damaged files that were ever set aside and are still there.
  package var damagedFiles: [String] {
    fileNames(inFolder: directory.favorites)
      .filter { $0.hasPrefix("favorites.damaged-") && $0.hasSuffix(".sqlite") }.sorted()
      .map { directory.favorites + "/" + $0 }
  }

  // MARK: - From memory

  /// Whether the taxon is a favourite.
  package func contains(_ id: TaxonID) -> Bool {
    memory.withLock { $0.favourites.contains(id) }
  }

  /// The number of favourite taxa.
  package var count: Int { memory.withLock { $0.favourites.count } }

  // MARK: - Reading

  /// Reads all rows again.
  package func reload() throws(FavoritesError) {
    try withDatabase { database in
      try database.inTransaction(.deferred) { try readAll(database) }
    }
  }

  /// All rows, the one added last first; of one time by id.
  package func entries() throws(FavoritesError) -> [FavouriteEntry] {
    try withDatabase { database in
      var rows: [(id: TaxonID, time: Timestamp)] = []
      try database.inTransaction(.deferred) {
        try refresh(database)
        let cursor = try Row.fetchCursor(
          database, sql: "SELECT taxon_id, created_at FROM favorites")
        while let row = try cursor.next() {
          let value: DatabaseValue = row[1]
          // A time that cannot be read is the earliest; the row is kept.
          let time = String.fromDatabaseValue(value).flatMap(Timestamp.init(text:))
          rows.append((TaxonID(rawValue: row[0]), time ?? Timestamp(milliseconds: 0)))
        }
        return .commit
      }
      rows.sort { a, b in a.time == b.time ? a.id < b.id : a.time > b.time }
      return rows.map { row in FavouriteEntry(taxonID: row.id, createdAt: row.time.date) }
    }
  }

  /// The bytes of the file and of the log that SQLite keeps beside it until nobody uses it.
  package func storageBytes() throws(FavoritesError) -> Int64 {
    let pages = try withDatabase { database in
      let count = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
      return try (Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0) * count
    }
    let log = try? RegularFile(path: path + "-wal", followsLinks: false).byteCount
    return pages + Int64(log ?? 0)
  }

  // MARK: - Changing

  /// Adds a taxon; returns whether it was none before.
  package func add(_ id: TaxonID) throws(FavoritesError) -> Bool {
    let current = currentID(id)
    var wasFavourite = false
    // One more id of a favourite taxon gets a row too, so that it answers as one from now on.
    let added = try change { favourites in
      wasFavourite = favourites.contains(current)
      return favourites.contains(id) ? nil : .add(id, current: current)
    }
    return added != nil && !wasFavourite
  }

  /// Removes a taxon; returns whether it was one before.
  package func remove(_ id: TaxonID) throws(FavoritesError) -> Bool {
    let current = currentID(id)
    return try change { Self.removal(of: id, current, from: $0) } != nil
  }

  /// Adds or removes a taxon; returns whether it is one now.
  package func toggle(_ id: TaxonID) throws(FavoritesError) -> Bool {
    let current = currentID(id)
    let change = try change { favourites in
      Self.removal(of: id, current, from: favourites) ?? .add(id, current: current)
    }
    if case .add = change { return true }
    return false
  }

  /// Removes all rows, their bytes from the disk, and the damaged files that were set aside.
  package func clear() throws(FavoritesError) {
    _ = try change { _ in .clear }
    do {
      try withDatabase { database in
        try database.execute(sql: "VACUUM")
        let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        guard row?[0] == 0 else { throw FavoritesError.busy(path: path) }
      }
      for path in damagedFiles {
        for ending in ["-wal", "-shm", ""] { try removeDurably(path + ending) }
      }
    } catch {
      throw .notErased(path: path, reason: "\(error)")
    }
  }

  private static func removal(
    of id: TaxonID, _ current: TaxonID, from favourites: FavouriteSet
  ) -> Change? {
    guard favourites.contains(current) || favourites.contains(id) else { return nil }
    // Where another database has become active since the rows were read, their ids count.
    let taxon =
      favourites.taxon(ofRow: id) ?? (favourites.contains(current) ? current : id)
    return .remove(current: taxon, rows: favourites.rows(of: taxon))
  }

  /// Carries out what `plan` wants, durably, on what the file holds at that moment.
  private func change(_ plan: (FavouriteSet) -> Change?) throws(FavoritesError) -> Change? {
    try withDatabase { database in
      var planned: Change?
      try database.inTransaction(.immediate) {
        try refresh(database)
        planned = memory.withLock { plan($0.favourites) }
        guard let planned else { return .rollback }
        try Self.execute(planned, database)
        return .commit
      }
      guard let planned else { return nil }
      memory.withLock { memory in
        switch planned {
        case .add(let id, let current): memory.favourites.insert(id, current: current)
        case .remove(let current, let rows): memory.favourites.remove(current, rows: rows)
        case .clear: memory.favourites.removeAll()
        }
      }
      return planned
    }
  }

  private static func execute(_ change: Change, _ database: Database) throws {
    switch change {
    case .add(let id, _):
      let statement = try database.cachedStatement(
        sql: "INSERT OR IGNORE INTO favorites (taxon_id, created_at) VALUES (?, ?)")
      try statement.execute(arguments: [id.rawValue, try nextTime(database).text])
    case .remove(_, let rows):
      let statement = try database.cachedStatement(sql: "DELETE FROM favorites WHERE taxon_id = ?")
      for row in rows { try statement.execute(arguments: [row.rawValue]) }
    case .clear: try database.execute(sql: "DELETE FROM favorites")
    }
  }

  /// The time of a new row: now, but later than any other.
  private static func nextTime(_ database: Database) throws -> Timestamp {
    let statement = try database.cachedStatement(
      sql: "SELECT created_at FROM favorites ORDER BY created_at DESC")
    let cursor = try DatabaseValue.fetchCursor(statement)
    while let value = try cursor.next() {
      if let last = String.fromDatabaseValue(value).flatMap(Timestamp.init(text:)) {
        return max(.now, last.next)
      }
    }
    return .now
  }

  // MARK: - The connection

  /// Reads the rows again if another connection has changed them.
  private func refresh(_ database: Database) throws {
    let version =
      try Int64.fetchOne(
        database.cachedStatement(sql: "PRAGMA data_version")) ?? 0
    guard memory.withLock({ $0.dataVersion }) != version else { return }
    _ = try readAll(database)
  }

  private func readAll(_ database: Database) throws -> Database.TransactionCompletion {
    let version = try Int64.fetchOne(database, sql: "PRAGMA data_version") ?? 0
    let ids = try Int64.fetchAll(database, sql: "SELECT taxon_id FROM favorites")
    let favourites = FavouriteSet(ids.map(TaxonID.init(rawValue:)), currentID: currentID)
    memory.withLock { $0 = Memory(favourites: favourites, dataVersion: version) }
    return .commit
  }

  /// Runs `body` alone on the connection, which is made anew where the file is another one by now.
  private func withDatabase<Result>(
    _ body: (Database) throws -> Result
  ) throws(FavoritesError) -> Result {
    var isRetry = false
    while true {
      let current = connection.withLock { $0 }
      do {
        return try current.queue.writeWithoutTransaction { database in
          guard current.identity == FileIdentity(path: path) || isRetry else { throw Replaced() }
          return try body(database)
        }
      } catch is Replaced {
        isRetry = true
        let opened = try FavoritesConnection.open(in: directory)
        connection.withLock { $0 = opened }
        memory.withLock { $0.dataVersion = -1 }
        note(opened)
      } catch {
        throw FavoritesError(error, path: path)
      }
    }
  }

  private func note(_ opened: FavoritesConnection) {
    guard let aside = opened.setAside else { return }
    setAside.withLock { $0 = aside }
    logger.error("the favourites were damaged and have been set aside: \(aside); none are left")
  }
}
