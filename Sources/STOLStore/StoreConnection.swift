package import GRDB
import STOLSystem
import STOLTrust

/// How a file of what a person keeps is laid out.
package struct StoreLayout: Sendable {
  /// Its name in its folder, which ends in ".sqlite".
  package let fileName: String
  /// The newest version, as `PRAGMA user_version` states it.
  package let version: Int
  /// Makes what is missing of tables and indexes and states the version; run again, it changes nothing.
  package let schema: String
  /// The columns of each table as "name TYPE", the place in its key behind them; those that older versions
  /// do not have come last, and are added.
  package let tables: [String: [String]]
  package let indexes: Set<String>
  /// Of indexes of some rows only, which ones: what stands behind WHERE.
  package let partialIndexes: [String: String]
  /// Tables that are STRICT, each with its columns that are never NULL.
  package let strictTables: [String: Set<String>]
  /// Triggers by name: what stands behind the name when one is made.
  package let triggers: [String: String]
  /// Virtual tables by name: what stands behind the name when one is made.
  ///
  /// The tables in which they keep their own are not named anywhere.
  package let virtualTables: [String: String]
  /// What statements of the file's owner call by name; nothing in the file itself does.
  package let functions: [DatabaseFunction]
  /// A file of more bytes is not read as a whole when it is opened.
  package let checkedByteCount: Int
  /// What a person can do about a damaged file, where nobody else may give it up.
  ///
  /// Then it stays where it is, and nothing is kept until that is done. Nil where a damaged file is moved aside and a
  /// new one begun.
  package let remedy: String?

  package init(
    fileName: String, version: Int, schema: String, tables: [String: [String]],
    indexes: Set<String>, triggers: [String: String] = [:], virtualTables: [String: String] = [:],
    partialIndexes: [String: String] = [:], strictTables: [String: Set<String>] = [:],
    functions: [DatabaseFunction] = [], checkedByteCount: Int = .max, remedy: String? = nil
  ) {
    self.fileName = fileName
    self.version = version
    self.schema = schema
    self.tables = tables
    self.indexes = indexes
    self.partialIndexes = partialIndexes
    self.triggers = triggers
    self.virtualTables = virtualTables
    self.strictTables = strictTables
    self.functions = functions
    self.checkedByteCount = checkedByteCount
    self.remedy = remedy
  }
}

/// An open file of a `StoreLayout` that has been checked.
struct StoreConnection: Sendable {
  /// The connection.
  let queue: DatabaseQueue
  /// The file that it is to; a name may come to lead to another one.
  let identity: FileIdentity?
  /// Where a damaged file was moved to, if there was one.
  let setAside: String?
  /// Why nothing can be kept; then this is a copy in memory.
  let refusal: StoreError?

  private static let lockWait = 5.0
  /// How long the end of a connection waits for those that are at work.
  private static let closeWait = 0.2
  /// Connections that are left open.
  private static let left = Locked<[DatabaseQueue]>([])
  /// How many connections this process has set up.
  private static let openedCount = Locked(0)

  /// Opens the file in `folder`, or makes it; where nothing can be written, a copy of it in memory.
  ///
  /// A damaged one is moved aside first, or stays where it is and is an error, as the layout says. One process at
  /// a time does this, so that two that find the same damage do not move each other's new file. Nobody but its owner
  /// may read what is there.
  ///
  /// - Parameters:
  ///   - layout: what it is.
  ///   - folder: where it lies, in a folder of this user's.
  ///   - waits: whether to wait for others that are at work on the file; not, they are an error at once.
  ///   - keys: what knows whether it is encrypted, and how; nil for one that never is.
  /// - Returns: the connection.
  /// - Throws: `StoreError`.
  static func open(
    _ layout: StoreLayout, in folder: String, waits: Bool = true,
    keys: (any StoreKeys)? = nil
  ) throws(StoreError) -> StoreConnection {
    let path = folder + "/" + layout.fileName
    do {
      try createFolder(folder)
      makeOwnersOnly(folder)
      let lock = try lock(folder, path, seconds: waits ? lockWait : 0)
      defer { _ = lock }
      let key = try keys?.current()
      let isNew = try !isPresent(path)
      guard isNew || canWrite(path) else {
        throw SystemError(operation: "write to", path: path, code: .permissionDenied)
      }
      if layout.remedy != nil {
        try requireBegun(path)
        if isNew { try begin(layout, path, key) }
      }
      let opened = try openLocked(layout, path, key)
      for ending in ["", "-wal", "-shm"] { makeOwnersOnly(path + ending) }
      if isNew || opened.setAside != nil {
        let above = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? "."
        for path in [path, folder, above] { try synchronizeFolder(of: path) }
      }
      return opened
    } catch {
      let error = StoreError(error, path: path, remedy: layout.remedy)
      guard let refusal = refusal(of: error, folder, path) else { throw error }
      return try openCopy(layout, in: folder, refusal, keys)
    }
  }

  /// Closes the connection, which writes what waits in the log into the file.
  ///
  /// Where others are at work on the file it is left open until the process ends, and the log for the next one to
  /// write: without the lock that must not be done.
  func close(in folder: String) {
    guard refusal == nil else {
      try? queue.close()
      return
    }
    do {
      let lock = try Self.lock(folder, folder, seconds: Self.closeWait)
      defer { _ = lock }
      try? queue.close()
    } catch is StoreError {
      Self.left.withLock { $0.append(queue) }
    } catch {
      // Nobody is at work in a folder that is gone.
      try? queue.close()
    }
  }

  /// Waits for the lock on `folder`, but not for ever.
  static func lock(
    _ folder: String, _ path: String, seconds: Double = lockWait
  ) throws -> FolderLock {
    let latest = ContinuousClock.now + .seconds(seconds)
    return try FolderLock(path: folder) {
      if ContinuousClock.now > latest { throw StoreError.busy(path: path) }
    }
  }

  private static func openLocked(
    _ layout: StoreLayout, _ path: String, _ key: DatabaseKey?
  ) throws -> StoreConnection {
    var damage: StoreError?
    // SQLite calls a read that failed damage too: what can be read the second time is none.
    for _ in 0..<2 {
      do {
        return StoreConnection(
          queue: try connect(layout, path, key), identity: FileIdentity(path: path), setAside: nil,
          refusal: nil)
      } catch {
        guard let found = self.damage(error, layout, path) else { throw error }
        damage = found
      }
    }
    try requireReadable(path)
    if let damage, layout.remedy != nil { throw damage }
    let aside = try setAside(path)
    return StoreConnection(
      queue: try connect(layout, path, key, isNew: true), identity: FileIdentity(path: path),
      setAside: aside, refusal: nil)
  }

  /// Reads all bytes.
  ///
  /// - Throws: `SystemError` if the disk fails.
  static func requireReadable(_ path: String) throws(SystemError) {
    if fileExists(path) { try DatabaseBytes(path: path).read() }
    if fileExists(path + "-wal") { try RegularFile(path: path + "-wal", followsLinks: true).read() }
  }

  static func connect(
    _ layout: StoreLayout, _ path: String, _ key: DatabaseKey?, isNew: Bool = false
  ) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: path, configuration: configuration(key, path))
    do {
      try queue.writeWithoutTransaction { database in
        for function in layout.functions { database.add(function: function) }
        try prepare(database, layout, path, isNew: isNew)
      }
      return queue
    } catch {
      try? queue.close()
      throw error
    }
  }

  /// How a connection is set up; its label is that of no other one but of readers of the same file.
  static func configuration(_ key: DatabaseKey?, _ path: String) throws(StoreError) -> Configuration
  {
    guard key == nil || DatabaseKey.isUsable else { throw .noEncryption(path: path) }
    var configuration = Configuration()
    let number = openedCount.withLock { count in
      count += 1
      return count
    }
    configuration.label = "stol.store \(number)"
    configuration.busyMode = .timeout(lockWait)
    configuration.prepareDatabase { database in
      try database.setKey(key)
      // What is deleted is overwritten; a commit waits for the disk.
      try database.execute(
        sql: """
          PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA secure_delete = ON;
          PRAGMA temp_store = MEMORY; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON
          """)
    }
    return configuration
  }

  /// Checks the file, and makes what a new one lacks; nothing is written to one that is whole.
  static func prepare(
    _ database: Database, _ layout: StoreLayout, _ path: String, isNew: Bool = false
  ) throws {
    let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    guard found <= layout.version else {
      throw StoreError.newerVersion(path: path, got: found, expected: layout.version)
    }
    // A file that takes its name once it is made is never without a version.
    guard found > 0 || isNew || layout.remedy == nil else {
      throw StoreError.damaged(path: path, reason: "a file of something else, or an empty one")
    }
    let isChecked = try isSmall(database, layout)
    if isChecked {
      // Some versions of SQLite count here what an index has, which is made anew below.
      let report = try String.fetchAll(database, sql: "PRAGMA quick_check(20)")
      if let fault = report.first(where: {
        $0 != "ok" && !$0.hasPrefix("wrong # of entries in index ")
      }) {
        throw StoreError.damaged(path: path, reason: fault)
      }
    }
    let (isWhole, additions) = try check(
      database, layout, path, isOlder: found < layout.version)
    try database.execute(sql: "PRAGMA journal_mode = WAL")
    guard !isWhole || found != layout.version else {
      if isChecked { try mendIndexes(database, layout) }
      return
    }
    try database.inTransaction(.immediate) {
      for addition in additions { try database.execute(sql: addition) }
      try database.execute(sql: layout.schema)
      for (table, text) in layout.virtualTables {
        try database.execute(sql: "CREATE VIRTUAL TABLE IF NOT EXISTS \(table) \(text)")
      }
      for (trigger, text) in layout.triggers {
        try database.execute(sql: "CREATE TRIGGER IF NOT EXISTS \(trigger) \(text)")
      }
      return .commit
    }
    if found > 0, isChecked { try mendIndexes(database, layout) }
  }

  /// Whether the file is small enough to be read as a whole whenever it is opened.
  private static func isSmall(_ database: Database, _ layout: StoreLayout) throws -> Bool {
    guard layout.checkedByteCount < .max else { return true }
    let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
    let size = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
    return pages <= layout.checkedByteCount / max(size, 1)
  }

  /// Makes indexes anew that cannot be those of the layout, or have another number of entries than their table has
  /// rows.
  ///
  /// A quick check leaves out what an index says, which is nothing that the table does not; where it is wrong in
  /// another way, SQLite says so when it is used, and `StoreFile` makes it anew then.
  private static func mendIndexes(_ database: Database, _ layout: StoreLayout) throws {
    let indexes = try Row.fetchAll(
      database,
      sql: "SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL")
    for row in indexes {
      let name = try row.decode(String.self, atIndex: 0)
      let index = name.quotedDatabaseIdentifier
      let table = try row.decode(String.self, atIndex: 1).quotedDatabaseIdentifier
      let rows = layout.partialIndexes[name].map { " WHERE \($0)" } ?? ""
      // SQLite counts rows where it likes, whatever it is told, but sums where it is told, if it can.
      let inIndex = try? Int.fetchOne(
        database, sql: "SELECT sum(1) FROM \(table) INDEXED BY \(index)\(rows)")
      let inTable = try Int.fetchOne(
        database, sql: "SELECT sum(1) FROM \(table) NOT INDEXED\(rows)")
      if inIndex == inTable { continue }
      try database.inTransaction(.immediate) {
        try database.execute(sql: "DROP INDEX \(index)")
        try database.execute(sql: layout.schema)
        return .commit
      }
    }
  }

  /// Whether all tables and indexes are there, and what adds the columns that an older version lacks.
  ///
  /// - Throws: `StoreError.damaged` if anything else is there.
  static func check(
    _ database: Database, _ layout: StoreLayout, _ path: String, isOlder: Bool
  ) throws -> (isWhole: Bool, additions: [String]) {
    let names = Set(
      try String.fetchAll(
        database,
        sql: """
          SELECT type || ' ' || name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
          """)
    ).subtracting(try shadows(database, layout))
    let tables = Array(layout.tables.keys) + Array(layout.virtualTables.keys)
    let known = Set(tables.map { "table \($0)" })
      .union(layout.indexes.map { "index \($0)" })
      .union(layout.triggers.keys.map { "trigger \($0)" })
    if let other = names.subtracting(known).min() {
      throw StoreError.damaged(path: path, reason: "unexpected \(other)")
    }
    for (trigger, expected) in layout.triggers where names.contains("trigger \(trigger)") {
      let found = try String.fetchOne(
        database, sql: "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?",
        arguments: [trigger])
      guard found == "CREATE TRIGGER \(trigger) \(expected)" else {
        throw StoreError.damaged(path: path, reason: "unexpected trigger \(trigger)")
      }
    }
    for (table, expected) in layout.virtualTables where names.contains("table \(table)") {
      let found = try String.fetchOne(
        database, sql: "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?",
        arguments: [table])
      guard found == "CREATE VIRTUAL TABLE \(table) \(expected)" else {
        throw StoreError.damaged(path: path, reason: "unexpected table \(table)")
      }
    }
    if !isOlder, let missing = tables.filter({ !names.contains("table \($0)") }).min() {
      throw StoreError.damaged(path: path, reason: "no table \(missing)")
    }
    var additions: [String] = []
    for (table, expected) in layout.tables where names.contains("table \(table)") {
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT name || ' ' || upper(type) || ' ' || pk AS stated, name, "notnull"
          FROM pragma_table_xinfo(?)
          """, arguments: [table])
      let columns = try rows.map { try $0.decode(String.self, forColumn: "stated") }
      guard !columns.isEmpty, expected.starts(with: columns) else {
        throw StoreError.damaged(path: path, reason: "unexpected columns")
      }
      additions += expected.dropFirst(columns.count).map { column in
        "ALTER TABLE \(table) ADD COLUMN \(column.dropLast(" 0".count))"
      }
      guard let required = layout.strictTables[table] else { continue }
      let isStrict = try Bool.fetchOne(
        database,
        sql: "SELECT strict FROM pragma_table_list WHERE schema = 'main' AND name = ?",
        arguments: [table])
      let filled = try rows.filter { $0["notnull"] }.map {
        try $0.decode(String.self, forColumn: "name")
      }
      guard isStrict == true, required.isSubset(of: filled) else {
        throw StoreError.damaged(path: path, reason: "table \(table) takes values of any type")
      }
    }
    return (names == known && additions.isEmpty, additions)
  }

  /// The tables in which virtual ones keep their own, as SQLite tells them: "table place_box_node".
  private static func shadows(_ database: Database, _ layout: StoreLayout) throws -> Set<String> {
    guard !layout.virtualTables.isEmpty else { return [] }
    return Set(
      try String.fetchAll(
        database, sql: "SELECT 'table ' || name FROM pragma_table_list WHERE type = 'shadow'"))
  }

  /// Moves the file at `path`, and what SQLite keeps beside it, to the first free name.
  static func setAside(_ path: String) throws(SystemError) -> String {
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
