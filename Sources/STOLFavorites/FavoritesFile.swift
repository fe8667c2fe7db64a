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
  struct Memory {
    var favorites: FavoriteSet
    /// SQLite's `data_version`, which every change of another connection alters.
    var dataVersion: Int64
    /// What rows lead to in the database with a mark, where that is still to be kept.
    var toKeep: (found: [Found], mark: Int64)?
  }

  /// What is to be done: with a taxon of the active database, and the reference to it.
  private enum Change {
    case add(TaxonReference, TaxonID)
    case remove(TaxonReference, TaxonID, keys: [Int64])
    case clear

    /// The number of rows that are removed one by one.
    var removedCount: Int {
      if case .remove(_, _, let keys) = self { keys.count } else { 0 }
    }
  }

  /// What the file is called.
  static let fileName = "favorites.sqlite"

  private static let layout = StoreLayout(
    fileName: fileName, version: 3,
    schema: """
      CREATE TABLE IF NOT EXISTS favorites (
          taxon_id    INTEGER PRIMARY KEY,
          created_at  TEXT NOT NULL
              DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now'))
      );
      CREATE INDEX IF NOT EXISTS idx_favorites_created ON favorites(created_at DESC);
      CREATE TABLE IF NOT EXISTS favorite_references (
          taxon_id    INTEGER PRIMARY KEY,
          id_space    TEXT,
          id          TEXT NOT NULL,
          name        TEXT,
          author      TEXT,
          year        INTEGER,
          rank        TEXT,
          kingdoms    TEXT,
          created_at  TEXT NOT NULL,
          found       INTEGER,
          found_in    INTEGER
      );
      PRAGMA user_version = 3;
      """,
    tables: [
      "favorites": ["taxon_id INTEGER 1", "created_at TEXT 0"],
      "favorite_references": [
        "taxon_id INTEGER 1", "id_space TEXT 0", "id TEXT 0", "name TEXT 0", "author TEXT 0",
        "year INTEGER 0", "rank TEXT 0", "kingdoms TEXT 0", "created_at TEXT 0",
        "found INTEGER 0", "found_in INTEGER 0",
      ],
    ],
    indexes: ["idx_favorites_created"],
    // Whoever changes a reference in place may not know that what it led to was kept.
    triggers: [
      "favorite_references_changed": """
      AFTER UPDATE OF id_space, id, name, author, year, rank, kingdoms ON favorite_references BEGIN
        UPDATE favorite_references SET found = NULL, found_in = NULL WHERE taxon_id = new.taxon_id;
      END
      """,
      // Another app that deletes a row and inserts its key again means what the key is of now.
      "favorites_inserted": """
      AFTER INSERT ON favorites BEGIN
        DELETE FROM favorite_references WHERE taxon_id = new.taxon_id;
      END
      """,
      "favorite_references_inserted": """
      AFTER INSERT ON favorite_references WHEN new.found IS NOT NULL BEGIN
        UPDATE favorite_references SET found = NULL, found_in = NULL WHERE taxon_id = new.taxon_id;
      END
      """,
    ])

  let database: FavoriteDatabase
  let file: StoreFile
  let memory: Locked<Memory>

  /// Opens the favourites of `directory`, or begins with none.
  package init(
    in directory: DataDirectory, database: FavoriteDatabase,
    logger: Logger = Logger(label: "stol.favorites", factory: { _ in SwiftLogNoOpLogHandler() })
  ) throws(StoreError) {
    self.database = database
    let memory = Locked(Memory(favorites: FavoriteSet(), dataVersion: -1))
    self.memory = memory
    file = try StoreFile(
      Self.layout, in: directory.favorites, onOpening: Self.noting(in: memory, logger))
    try reload()
  }

  /// The favourites of `directory`, whose file is opened when it is first used; none is one before.
  package init(later directory: DataDirectory, database: FavoriteDatabase, logger: Logger) {
    self.database = database
    let memory = Locked(Memory(favorites: FavoriteSet(), dataVersion: -1))
    self.memory = memory
    file = StoreFile(
      later: Self.layout, in: directory.favorites, onOpening: Self.noting(in: memory, logger))
  }

  /// What is done whenever the file has been opened: what is in memory is read again.
  private static func noting(
    in memory: Locked<Memory>, _ logger: Logger
  ) -> @Sendable (_ setAside: String?) -> Void {
    { setAside in
      memory.withLock { $0.dataVersion = -1 }
      guard let setAside else { return }
      logger.error(
        "the favourites were damaged and have been set aside: \(setAside); none are left")
    }
  }

  /// Where the favourites are kept.
  package var path: String { file.path }

  /// Why none can be added or removed, or nil.
  package var refusal: StoreError? { file.refusal }

  /// Where a damaged file was moved to when this one was opened, or nil.
  package var recoveredFrom: String? { file.recoveredFrom }

  /// The damaged files that were ever set aside and are still there.
  package var damagedFiles: [String] { file.damagedFiles }

  // MARK: - From memory

  /// Whether the taxon is a favourite; of an id that the database does not know, whether that is one.
  package func contains(_ id: TaxonID) -> Bool {
    let database = database
    return memory.withLock { memory in
      if let known = memory.favorites.knows(id, in: database) { return known }
      if let taxon = database.current(id) { return taxon != id && memory.favorites.contains(taxon) }
      return memory.favorites.isAbsent(id, in: database)
    }
  }

  /// The number of favourite taxa.
  package var count: Int { memory.withLock { $0.favorites.count } }

  // MARK: - Reading

  /// Gives all rows without a reference one, before the databases that could tell are gone.
  package func takeOverForGood() throws(StoreError) {
    try file.withDatabase { try takeOver($0, forGood: true) }
  }

  /// Reads all rows again.
  package func reload() throws(StoreError) {
    try file.withDatabase { database in
      var isWhole = false
      try database.inTransaction(.deferred) {
        isWhole = try readAll(database)
        return .commit
      }
      if !isWhole {
        try takeOver(database)
        try database.inTransaction(.deferred) {
          _ = try readAll(database)
          return .commit
        }
      }
      keepWhatWasFound(database)
    }
  }

  /// All rows, the one added last first; of one time by key.
  package func entries() throws(StoreError) -> [FavoriteEntry] {
    try file.withDatabase { database in
      var entries: [(entry: FavoriteEntry, time: Timestamp)] = []
      if try hasChanged(database) { try takeOver(database) }
      try database.inTransaction(.deferred) {
        try refresh(database)
        let cursor = try Row.fetchCursor(database, sql: Self.selection)
        while let row = try cursor.next() {
          // A time that cannot be read is the earliest; the row is kept.
          let value: DatabaseValue = row[8]
          let time =
            String.fromDatabaseValue(value).flatMap(Timestamp.init(text:))
            ?? Timestamp(milliseconds: 0)
          let entry = FavoriteEntry(
            taxonID: TaxonID(rawValue: row[0]), reference: Self.reference(row),
            createdAt: time.date)
          entries.append((entry, time))
        }
        return .commit
      }
      entries.sort { a, b in
        a.time == b.time ? a.entry.taxonID < b.entry.taxonID : a.time > b.time
      }
      return entries.map(\.entry)
    }
  }

  /// All rows; those that wait to be taken over are ids of nobody knows what.
  static let selection = """
    SELECT f.taxon_id, r.id_space, r.id, r.name, r.author, r.year, r.rank, r.kingdoms,
      f.created_at
    FROM favorites f LEFT JOIN favorite_references r USING (taxon_id)
    """

  static func reference(_ row: Row) -> TaxonReference {
    func text(_ index: Int) -> String? { String.fromDatabaseValue(row[index]) }
    return TaxonReference(
      idSpace: text(1), id: text(2) ?? String(row[0] as Int64), name: text(3) ?? "",
      authorship: text(4) ?? "",
      year: Int.fromDatabaseValue(row[5]), rank: text(6) ?? "",
      kingdoms: text(7)?.split(separator: "\n").map(String.init) ?? [])
  }

  /// The bytes of the file and of the log that SQLite keeps beside it until nobody uses it.
  package func storageBytes() throws(StoreError) -> Int64 { try file.storageBytes() }

  // MARK: - Changing

  /// Adds a taxon; returns whether it was none before.
  package func add(_ id: TaxonID) throws(StoreError) -> Bool {
    let (reference, taxon) = current(id)
    return try change { favorites in
      favorites.keys(taxon, reference).isEmpty ? .add(reference, taxon) : nil
    } != nil
  }

  /// Adds references, all at once; returns how many there were not before.
  ///
  /// Those that lead to one taxon are all kept: elsewhere they may be several.
  package func add(_ references: [TaxonReference]) throws(StoreError) -> Int {
    let taxa = database.taxa(references)
    var count = 0
    try file.withDatabase(isChange: true) { database in
      if try hasChanged(database) { try takeOver(database) }
      try database.inTransaction(.immediate) {
        count = 0
        try refresh(database)
        var favorites = memory.withLock { $0.favorites }
        func identity(_ reference: TaxonReference) -> [String] {
          [reference.written, reference.name]
        }
        let rows = try Row.fetchAll(database, sql: Self.selection)
        var stored = Set(rows.map { identity(Self.reference($0)) })
        for (reference, taxon) in zip(references, taxa) {
          let isThere = taxon.map { favorites.contains($0) } ?? favorites.isAbsent(reference)
          // Without a name nothing tells it from what it leads to.
          guard !(isThere && reference.name.isEmpty), stored.insert(identity(reference)).inserted
          else { continue }
          let key = try Self.insert(reference, at: try Self.nextTime(database).text, database)
          favorites.insert(key, reference, taxon)
          count += 1
        }
        return .commit
      }
      memory.withLock { $0.dataVersion = -1 }
      try database.inTransaction(.deferred) {
        _ = try readAll(database)
        return .commit
      }
    }
    return count
  }

  /// Removes a taxon; returns the number of favourites that led to it.
  package func remove(_ id: TaxonID) throws(StoreError) -> Int {
    let (reference, taxon) = current(id)
    return try change { Self.removal(of: taxon, reference, from: $0) }?.removedCount ?? 0
  }

  /// Adds or removes a taxon; returns the number of favourites that led to it and were removed, 0 where it is
  /// one now.
  package func toggle(_ id: TaxonID) throws(StoreError) -> Int {
    let (reference, taxon) = current(id)
    let change = try change { favorites in
      Self.removal(of: taxon, reference, from: favorites) ?? .add(reference, taxon)
    }
    return change?.removedCount ?? 0
  }

  /// Removes what has this reference, wherever that leads; returns whether there was such a one.
  ///
  /// With a name only what has the same, or none: a source may give an id away.
  package func remove(_ reference: TaxonReference) throws(StoreError) -> Bool {
    let found = try entries().contains {
      $0.reference.id == reference.id && $0.reference.idSpace == reference.idSpace
    }
    guard found else { return false }
    try file.withDatabase(isChange: true) { database in
      try database.inTransaction(.immediate) {
        if reference.idSpace == nil {
          try database.execute(
            sql: """
              DELETE FROM favorites WHERE CAST(taxon_id AS TEXT) = ?
                AND taxon_id NOT IN (SELECT taxon_id FROM favorite_references)
              """, arguments: [reference.id])
        }
        for table in ["favorites", "favorite_references"] {
          // The references last, for they say which rows are meant.
          try database.execute(
            sql: """
              DELETE FROM \(table) WHERE taxon_id IN (SELECT taxon_id FROM favorite_references
                WHERE id = ?1 AND id_space IS ?2 AND (?3 = '' OR ifnull(name, ?3) = ?3))
              """, arguments: [reference.id, reference.idSpace, reference.name])
        }
        return .commit
      }
    }
    try reload()
    return true
  }

  /// The taxon that an id stands for in the active database, the id itself where that has none, and the
  /// reference to it.
  private func current(_ id: TaxonID) -> (TaxonReference, TaxonID) {
    (database.reference(id), database.current(id) ?? id)
  }

  /// Removes all rows, their bytes from the disk, and the damaged files that were set aside.
  package func clear() throws(StoreError) {
    _ = try change { _ in .clear }
    try file.erase()
  }

  private static func removal(
    of taxon: TaxonID, _ reference: TaxonReference, from favorites: FavoriteSet
  ) -> Change? {
    let keys = favorites.keys(taxon, reference)
    return keys.isEmpty ? nil : .remove(reference, taxon, keys: keys)
  }

  /// Carries out what `plan` wants, durably, on what the file holds at that moment.
  private func change(_ plan: (FavoriteSet) -> Change?) throws(StoreError) -> Change? {
    try file.withDatabase(isChange: true) { database in
      if try hasChanged(database) { try takeOver(database) }
      var planned: Change?
      var key: Int64 = 0
      try database.inTransaction(.immediate) {
        try refresh(database)
        planned = memory.withLock { plan($0.favorites) }
        guard let planned else { return .rollback }
        key = try Self.execute(planned, database)
        return .commit
      }
      guard let planned else { return nil }
      memory.withLock { memory in
        switch planned {
        case .add(let reference, let taxon):
          memory.favorites.insert(key, reference, self.database.current(taxon))
        case .remove(let reference, let taxon, let keys):
          memory.favorites.remove(keys, taxon, reference)
        case .clear: memory.favorites.removeAll()
        }
      }
      return planned
    }
  }

  /// Carries out a change; returns the key of a new row.
  private static func execute(_ change: Change, _ database: Database) throws -> Int64 {
    switch change {
    case .add(let reference, _):
      return try insert(reference, at: try nextTime(database).text, database)
    case .remove(_, _, let keys):
      for table in ["favorites", "favorite_references"] {
        let statement = try database.cachedStatement(sql: "DELETE FROM \(table) WHERE taxon_id = ?")
        for key in keys { try statement.execute(arguments: [key]) }
      }
    case .clear:
      try database.execute(sql: "DELETE FROM favorites; DELETE FROM favorite_references")
    }
    return 0
  }

  /// Inserts a favourite under its number, where that is free, else under a negative one.
  private static func insert(
    _ reference: TaxonReference, at time: String, _ database: Database
  ) throws -> Int64 {
    var key = TaxonID(sourceText: reference.id)
    let isTaken = try database.cachedStatement(
      sql: "SELECT EXISTS (SELECT 1 FROM favorites WHERE taxon_id = ?)")
    if try key.standsForText || Bool.fetchOne(isTaken, arguments: [key.rawValue]) ?? true {
      let least =
        try Int64.fetchOne(
          database.cachedStatement(sql: "SELECT min(taxon_id) FROM favorites")) ?? 0
      key = TaxonID(rawValue: min(least, 0) - 1)
    }
    try database.cachedStatement(
      sql: "INSERT INTO favorites (taxon_id, created_at) VALUES (?, ?)"
    ).execute(arguments: [key.rawValue, time])
    try insert(reference, key: key.rawValue, at: time, database)
    return key.rawValue
  }

  static func insert(
    _ reference: TaxonReference, key: Int64, at time: String, _ database: Database
  ) throws {
    func stated(_ text: String) -> String? { text.isEmpty ? nil : text }
    try database.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO favorite_references (taxon_id, id_space, id, name, author, year, rank,
          kingdoms, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      key, reference.idSpace, reference.id, stated(reference.name), stated(reference.authorship),
      reference.year, stated(reference.rank),
      stated(reference.kingdoms.joined(separator: "\n")), time,
    ])
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
}
