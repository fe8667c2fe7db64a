import STOLSystem
package import STOLStore
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
    var favorites: FavoriteSet
    /// SQLite's `data_version`, which every change of another connection alters.
    var dataVersion: Int64
  }

  private enum Change {
    case add(TaxonID, current: TaxonID)
    case remove(current: TaxonID, rows: [TaxonID])
    case clear
  }

  private static let layout = StoreLayout(
    fileName: "favorites.sqlite", version: 1,
    schema: """
      CREATE TABLE IF NOT EXISTS favorites (
          taxon_id    INTEGER PRIMARY KEY,
          created_at  TEXT NOT NULL
              DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now'))
      );
      CREATE INDEX IF NOT EXISTS idx_favorites_created ON favorites(created_at DESC);
      PRAGMA user_version = 1;
      """,
    tables: ["favorites": ["taxon_id INTEGER 1", "created_at TEXT 0"]],
    indexes: ["idx_favorites_created"])

  private let currentID: @Sendable (TaxonID) -> TaxonID
  private let file: StoreFile
  private let memory: Locked<Memory>

  /// Opens the favourites of `directory`, or begins with none.
  package init(
    in directory: DataDirectory, currentID: @escaping @Sendable (TaxonID) -> TaxonID,
    logger: Logger
  ) throws(StoreError) {
    self.currentID = currentID
    let memory = Locked(Memory(favorites: FavoriteSet([], currentID: currentID), dataVersion: -1))
    self.memory = memory
    file = try StoreFile(Self.layout, in: directory.favorites) { setAside in
      memory.withLock { $0.dataVersion = -1 }
      guard let setAside else { return }
      logger.error(
        "the favourites were damaged and have been set aside: \(setAside); none are left")
    }
    try reload()
  }

  /// Where the favourites are kept.
  package var path: String { file.path }

  /// Where a damaged file was moved to when this one was opened, or nil.
  package var recoveredFrom: String? { file.recoveredFrom }

  /// The damaged files that were ever set aside and are still there.
  package var damagedFiles: [String] { file.damagedFiles }

  // MARK: - From memory

  /// Whether the taxon is a favourite.
  package func contains(_ id: TaxonID) -> Bool {
    memory.withLock { $0.favorites.contains(id) }
  }

  /// The number of favourite taxa.
  package var count: Int { memory.withLock { $0.favorites.count } }

  // MARK: - Reading

  /// Reads all rows again.
  package func reload() throws(StoreError) {
    try file.withDatabase { database in
      try database.inTransaction(.deferred) { try readAll(database) }
    }
  }

  /// All rows, the one added last first; of one time by id.
  package func entries() throws(StoreError) -> [FavoriteEntry] {
    try file.withDatabase { database in
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
      return rows.map { row in FavoriteEntry(taxonID: row.id, createdAt: row.time.date) }
    }
  }

  /// The bytes of the file and of the log that SQLite keeps beside it until nobody uses it.
  package func storageBytes() throws(StoreError) -> Int64 { try file.storageBytes() }

  // MARK: - Changing

  /// Adds a taxon; returns whether it was none before.
  package func add(_ id: TaxonID) throws(StoreError) -> Bool {
    let current = currentID(id)
    var wasFavorite = false
    // One more id of a favourite taxon gets a row too, so that it answers as one from now on.
    let added = try change { favorites in
      wasFavorite = favorites.contains(current)
      return favorites.contains(id) ? nil : .add(id, current: current)
    }
    return added != nil && !wasFavorite
  }

  /// Removes a taxon; returns whether it was one before.
  package func remove(_ id: TaxonID) throws(StoreError) -> Bool {
    let current = currentID(id)
    return try change { Self.removal(of: id, current, from: $0) } != nil
  }

  /// Adds or removes a taxon; returns whether it is one now.
  package func toggle(_ id: TaxonID) throws(StoreError) -> Bool {
    let current = currentID(id)
    let change = try change { favorites in
      Self.removal(of: id, current, from: favorites) ?? .add(id, current: current)
    }
    if case .add = change { return true }
    return false
  }

  /// Removes all rows, their bytes from the disk, and the damaged files that were set aside.
  package func clear() throws(StoreError) {
    _ = try change { _ in .clear }
    try file.erase()
  }

  private static func removal(
    of id: TaxonID, _ current: TaxonID, from favorites: FavoriteSet
  ) -> Change? {
    guard favorites.contains(current) || favorites.contains(id) else { return nil }
    // Where another database has become active since the rows were read, their ids count.
    let taxon =
      favorites.taxon(ofRow: id) ?? (favorites.contains(current) ? current : id)
    return .remove(current: taxon, rows: favorites.rows(of: taxon))
  }

  /// Carries out what `plan` wants, durably, on what the file holds at that moment.
  private func change(_ plan: (FavoriteSet) -> Change?) throws(StoreError) -> Change? {
    try file.withDatabase { database in
      var planned: Change?
      try database.inTransaction(.immediate) {
        try refresh(database)
        planned = memory.withLock { plan($0.favorites) }
        guard let planned else { return .rollback }
        try Self.execute(planned, database)
        return .commit
      }
      guard let planned else { return nil }
      memory.withLock { memory in
        switch planned {
        case .add(let id, let current): memory.favorites.insert(id, current: current)
        case .remove(let current, let rows): memory.favorites.remove(current, rows: rows)
        case .clear: memory.favorites.removeAll()
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

  // MARK: - What others changed

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
    let favorites = FavoriteSet(ids.map(TaxonID.init(rawValue:)), currentID: currentID)
    memory.withLock { $0 = Memory(favorites: favorites, dataVersion: version) }
    return .commit
  }
}
