import GRDB
import STOLData
import STOLPack

/// An open `favorites.sqlite` that has been checked.
struct FavoritesConnection: Sendable {
  /// The connection.
  let queue: DatabaseQueue
  /// The file that it is to; a name may come to lead to another one.
  let identity: FileIdentity?
  /// Where a damaged file was moved to, if there was one.
  let setAside: String?

  static let fileName = "favorites.sqlite"
  static let version = 1
  private static let lockWait = 5.0

  private static let schema = """
    CREATE TABLE IF NOT EXISTS favorites (
        taxon_id    INTEGER PRIMARY KEY,
        created_at  TEXT NOT NULL
            DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now'))
    );
    CREATE INDEX IF NOT EXISTS idx_favorites_created ON favorites(created_at DESC);
    PRAGMA user_version = \(version);
    """

  /// Opens the file in `folder`, or makes it.
  ///
  /// A damaged one is moved aside first. One process at a time does this, so that two that find the
  /// same damage do not move each other's new file.
  static func open(in directory: DataDirectory) throws(FavoritesError) -> FavoritesConnection {
    let path = directory.favorites + "/" + fileName
    do {
      try createFolder(directory.favorites)
      let lock = try lock(directory.favorites, path)
      defer { _ = lock }
      let isNew = !fileExists(path)
      let opened = try openLocked(path)
      if isNew || opened.setAside != nil {
        for path in [path, directory.favorites, directory.path] { try synchronizeFolder(of: path) }
      }
      return opened
    } catch {
      throw FavoritesError(error, path: path)
    }
  }

  private static func lock(_ folder: String, _ path: String) throws -> FolderLock {
    let latest = ContinuousClock.now + .seconds(lockWait)
    return try FolderLock(path: folder) {
      if ContinuousClock.now > latest { throw FavoritesError.busy(path: path) }
    }
  }

  private static func openLocked(_ path: String) throws -> FavoritesConnection {
    // SQLite calls a read that failed damage too: what can be read the second time is none.
    for _ in 0..<2 {
      guard let queue = try connectUnlessDamaged(path) else { continue }
      return FavoritesConnection(
        queue: queue, identity: FileIdentity(path: path), setAside: nil)
    }
    try requireReadable(path)
    let aside = try setAside(path)
    return FavoritesConnection(
      queue: try connect(path), identity: FileIdentity(path: path), setAside: aside)
  }

  private static func connectUnlessDamaged(_ path: String) throws -> DatabaseQueue? {
    do {
      return try connect(path)
    } catch {
      guard case .damaged = FavoritesError(error, path: path) else { throw error }
      return nil
    }
  }

  /// Reads all bytes.
  ///
  /// - Throws: `PackError.system` if the disk fails.
  private static func requireReadable(_ path: String) throws(PackError) {
    let step = 1 << 20
    for path in [path, path + "-wal"] where fileExists(path) {
      let file = try RegularFile(path: path, followsLinks: true)
      for offset in stride(from: 0, to: file.byteCount, by: step) {
        _ = try file.bytes(at: offset, limit: step)
      }
    }
  }

  private static func connect(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.label = "stol.favorites"
    configuration.busyMode = .timeout(lockWait)
    configuration.prepareDatabase { database in
      // What is deleted is overwritten; a commit waits for the disk.
      try database.execute(
        sql: """
          PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA secure_delete = ON;
          PRAGMA temp_store = MEMORY; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON
          """)
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    do {
      try queue.writeWithoutTransaction { try prepare($0, path) }
      return queue
    } catch {
      try? queue.close()
      throw error
    }
  }

  /// Checks the file, and makes what a new one lacks; nothing is written to one that is whole.
  private static func prepare(_ database: Database, _ path: String) throws {
    let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    guard found <= version else {
      throw FavoritesError.newerVersion(path: path, got: found, expected: version)
    }
    let report = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") ?? "no answer"
    guard report == "ok" else { throw FavoritesError.damaged(path: path, reason: report) }
    let isWhole = try isWhole(database, path)
    try database.execute(sql: "PRAGMA journal_mode = WAL")
    guard !isWhole || found != version else { return }
    try database.inTransaction(.immediate) {
      try database.execute(sql: schema)
      return .commit
    }
  }

  /// Whether table and index are there.
  ///
  /// - Throws: `FavoritesError.damaged` if anything else is.
  private static func isWhole(_ database: Database, _ path: String) throws -> Bool {
    let names = try String.fetchAll(
      database,
      sql: """
        SELECT type || ' ' || name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        ORDER BY 1 DESC
        """)
    let known = ["table favorites", "index idx_favorites_created"]
    if let other = names.first(where: { !known.contains($0) }) {
      throw FavoritesError.damaged(path: path, reason: "unexpected \(other)")
    }
    guard names.contains(known[0]) else { return false }
    let columns = try String.fetchAll(
      database,
      sql: """
        SELECT name || ' ' || upper(type) || ' ' || pk FROM pragma_table_xinfo('favorites')
        """)
    guard columns == ["taxon_id INTEGER 1", "created_at TEXT 0"] else {
      throw FavoritesError.damaged(path: path, reason: "unexpected columns")
    }
    return names == known
  }

  /// Moves the file at `path`, and what SQLite keeps beside it, to the first free name.
  private static func setAside(_ path: String) throws(PackError) -> String {
    let stem = path.dropLast(".sqlite".count)
    let endings = ["-wal", "-shm", ""]
    var number = 1
    while endings.contains(where: { fileExists("\(stem).damaged-\(number).sqlite\($0)") }) {
      number += 1
    }
    let aside = "\(stem).damaged-\(number).sqlite"
    // The database last: SQLite deletes a log that it finds beside a new file.
    for ending in endings where fileExists(path + ending) {
      try moveDurably(path + ending, to: aside + ending)
    }
    return aside
  }
}
