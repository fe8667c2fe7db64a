import GRDB
package import STOLData
package import STOLStore
import STOLSystem

/// An error of what calls a change, not of the file: it undoes the change, and is thrown as it was.
struct ForeignError: Error {
  let error: any Error

  /// Runs what is no work on the file.
  static func wrapping<Value>(_ body: () throws -> Value) throws(ForeignError) -> Value {
    do { return try body() } catch { throw ForeignError(error: error) }
  }
}

/// The file that the journal is kept in, and the only code that reads or changes it.
///
/// Any thread may call anything; changes wait for the disk, and for other processes that use the file. What
/// returns has been kept; what throws has changed nothing.
package final class JournalFile: Sendable {
  let file: StoreFile
  /// What knows whether it is locked, and opens it.
  let keys: JournalKeys
  /// What references lead to in the pack that was asked last.
  let knownReferences = Locked(KnownReferences())
  /// Numbers about all of it, as they were counted last.
  let knownAnswers = Locked(KnownAnswers())
  private let clock: @Sendable () -> Int64
  private let readsBeside: Bool
  /// Where a journal lies that goes with this.
  private let temporaryFolder: PrivateFolder?

  /// Opens the journal of `directory`, or begins an empty one.
  ///
  /// - Parameters:
  ///   - directory: where it is kept; the folder is for its owner only.
  ///   - readsBeside: whether reading waits for nobody, by connections of its own, which take a millisecond each.
  ///   - passphrase: gives that of a locked one; asked once, and not under any lock.
  /// - Throws: `StoreError`; `.kept` for a damaged file, which stays as it is; `.locked` without a passphrase.
  package convenience init(
    in directory: DataDirectory, readsBeside: Bool = false,
    passphrase: @escaping PassphraseSource = { nil }
  ) throws(StoreError) {
    try self.init(folder: directory.journal, readsBeside: readsBeside, passphrase: passphrase)
  }

  /// Whether there is a journal in `directory`, or what only a journal leaves there.
  package static func isPresent(in directory: DataDirectory) -> Bool {
    let stem = JournalLayout.fileName.dropLast("sqlite".count)
    return fileNames(inFolder: directory.journal).contains {
      $0.hasPrefix(stem) || $0 == KeyFile.name
    }
  }

  /// An empty journal for what keeps nothing; its file goes with it.
  ///
  /// - Throws: `StoreError`, `SystemError`
  package static func temporary() throws -> JournalFile {
    try JournalFile(temporaryIn: PrivateFolder())
  }

  /// Opens the journal in a folder, or begins an empty one there; `clock` gives the milliseconds since 1970.
  package init(
    folder: String, readsBeside: Bool = false, passphrase: @escaping PassphraseSource = { nil },
    clock: (@Sendable () -> Int64)? = nil
  ) throws(StoreError) {
    self.readsBeside = readsBeside
    self.clock = clock ?? { currentMilliseconds() }
    temporaryFolder = nil
    keys = JournalKeys(folder, passphrase: passphrase)
    file = try StoreFile(
      JournalLayout.layout, in: folder, readsBeside: readsBeside, keys: keys
    ) { _ in }
  }

  private init(temporaryIn folder: consuming PrivateFolder) throws(StoreError) {
    readsBeside = false
    clock = { currentMilliseconds() }
    keys = JournalKeys(folder.path, passphrase: { nil })
    file = try StoreFile(JournalLayout.layout, in: folder.path, keys: keys) { _ in }
    temporaryFolder = .some(folder)
  }

  /// The milliseconds since 1970 by the clock of this file.
  func now() -> Int64 { clock() }

  /// Where it is.
  package var path: String { file.path }

  /// The damaged files that were ever set aside and are still there.
  package var damagedFiles: [String] { file.damagedFiles }

  /// What is damaged in the file of the journal, in a line each; nothing where it is whole, or there is none.
  ///
  /// - Throws: `StoreError`, where that cannot be said.
  /// - Complexity: O(length of the file)
  package static func damage(
    in directory: DataDirectory, passphrase: @escaping PassphraseSource = { nil }
  ) throws(StoreError) -> [String] {
    try StoreFile.damage(
      of: JournalLayout.layout, in: directory.journal,
      keys: JournalKeys(directory.journal, passphrase: passphrase))
  }

  /// Keeps a damaged file as `journal.damaged-N.sqlite` and begins an empty journal; one that is whole stays.
  ///
  /// - Returns: where the damaged one is now; nil where nothing is damaged.
  /// - Throws: `StoreError`
  /// - Complexity: O(length of the file)
  package static func setAside(
    in directory: DataDirectory, passphrase: @escaping PassphraseSource = { nil }
  ) throws(StoreError) -> String? {
    try StoreFile.giveUp(
      JournalLayout.layout, in: directory.journal,
      keys: JournalKeys(directory.journal, passphrase: passphrase))
  }

  /// The bytes that it takes.
  package func storageBytes() throws(StoreError) -> Int64 { try file.storageBytes() }

  // MARK: - Reading

  /// Runs `body` on a state of the file that nobody changes meanwhile.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    guard readsBeside else { return try readAlone(body) }
    return try file.withReader { database in
      try Self.keepingJournalErrors { try Self.oneState(database, body) }
    }.get()
  }

  /// The same while nobody else changes it, on a connection that may write: SQLite checks indexes of texts by
  /// statements that insert.
  func readAlone<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try file.withDatabase { database in
      try Self.keepingJournalErrors { try Self.oneState(database, body) }
    }.get()
  }

  /// The same for what asks again and again whether anything has changed; see `StoreFile.withWatcher`.
  func watch<Value>(_ body: (Database) throws -> Value) throws -> Value? {
    try file.withWatcher { try Self.oneState($0, body) }
  }

  private static func oneState<Value>(
    _ database: Database, _ body: (Database) throws -> Value
  ) throws -> Value {
    var value: Value?
    try database.inTransaction(.deferred) {
      value = try body(database)
      return .commit
    }
    guard let value else { throw RecordReader.broken("nothing was read") }
    return value
  }

  /// The record with a UUID and what the file notes about it; nil where there is none.
  package func record(_ id: JournalID) throws -> KeptRecord? {
    try read { database in
      let reader = RecordReader(database: database)
      return try reader.head(id).map { KeptRecord(try reader.stored($0)) }
    }
  }

  // MARK: - Changing

  /// Keeps records, all of them or none.
  ///
  /// A record whose UUID is there takes the place of what was there, unless it is the same, which changes
  /// nothing. They may refer to each other, in any order.
  ///
  /// - Parameters:
  ///   - records: each UUID once.
  ///   - files: those of photos among them, which are there before anything refers to them.
  ///   - what: the word for it in the history.
  /// - Returns: what became of each, in their order.
  /// - Throws: `JournalError` where a record says what cannot be; `StoreError`. Then nothing has changed.
  /// - Complexity: O(number of records, and of the occurrences at their places, events and organisms)
  @discardableResult
  package func save(
    _ records: [JournalRecord], files: [PhotoFile] = [], as what: SaveKind = .save
  ) throws -> SaveOutcome {
    try save(records, files, as: what, isRehearsal: false)
  }

  /// What `save` would make of records; nothing is kept.
  ///
  /// - Throws: what `save` throws.
  package func rehearse(_ records: [JournalRecord]) throws -> SaveOutcome {
    try save(records, [], as: .import, isRehearsal: true)
  }

  private func save(
    _ records: [JournalRecord], _ files: [PhotoFile], as what: SaveKind, isRehearsal: Bool
  ) throws -> SaveOutcome {
    var seen: Set<JournalID> = []
    for record in records {
      try record.validate()
      guard seen.insert(record.id).inserted else {
        throw JournalError.invalid(
          field: "uuid", value: "\(record.id)", remedy: "once in an entry: give each record its own"
        )
      }
    }
    return try change(what.rawValue, isRehearsal: isRehearsal) { writer in
      try keep(files)
      var results: [SaveOutcome.Result] = []
      var changed: [(JournalRecord, id: Int64)] = []
      for record in records {
        guard let head = try writer.reader.head(record.id) else {
          changed.append((record, try writer.add(record.id, record.kind)))
          results.append(.new)
          continue
        }
        guard head.kind == record.kind else {
          throw JournalError.otherKind(
            id: record.id, found: head.kind.rawValue, needed: record.kind.rawValue)
        }
        guard head.deletedMs == nil else { throw JournalError.deleted(id: record.id) }
        let stored = try writer.reader.stored(head)
        if stored.record == record {
          results.append(.same)
          continue
        }
        if record.kind == .identification {
          throw JournalError.identificationChanged(id: record.id)
        }
        try writer.note(record.id, record.kind, before: stored)
        try writer.touch(head, from: stored.record, to: record)
        changed.append((record, head.id))
        results.append(.updated)
      }
      for (record, id) in changed { try writer.write(record, id: id, isValid: true) }
      return SaveOutcome(results: results, batch: isRehearsal ? nil : writer.batch)
    }
  }

  /// Runs `body` in one transaction, durable when this returns, or undone if it is but a rehearsal.
  func change<Value>(
    _ what: String, undoes: Int64? = nil, isRehearsal: Bool = false, isLarge: Bool = false,
    _ body: (RecordWriter) throws -> Value
  ) throws -> Value {
    try file.withDatabase(isChange: true) { database in
      let usual = isLarge ? try Self.enlargeCache(database) : nil
      defer { Self.setCache(usual, database) }
      return try Self.keepingJournalErrors {
        var value: Value?
        do {
          try database.inTransaction(.immediate) {
            let writer = try RecordWriter(database, what: what, now: clock(), undoes: undoes)
            value = try body(writer)
            try writer.finish()
            return writer.batch == nil || isRehearsal ? .rollback : .commit
          }
        } catch let error as DatabaseError {
          // Foreign keys are looked at when the transaction ends.
          guard let undoes, error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY else {
            throw error
          }
          throw JournalError.inUse(batch: undoes)
        }
        guard let value else { throw RecordReader.broken("nothing was done") }
        return value
      }
    }.get()
  }

  /// Lets more of the file lie in memory, for what goes through all of it.
  ///
  /// - Returns: what `setCache` makes it as before with.
  static func enlargeCache(_ database: Database) throws -> Int? {
    let usual = try Int.fetchOne(database, sql: "PRAGMA cache_size")
    setCache(-largeCacheKiB, database)
    return usual
  }

  /// Sets how much of the file may lie in memory, in the words of SQLite; nil changes nothing.
  static func setCache(_ size: Int?, _ database: Database) {
    // What fails leaves it as it is, which is merely slower or larger.
    if let size { try? database.execute(sql: "PRAGMA cache_size = \(size)") }
  }

  private static let largeCacheKiB = 64 << 10

  /// What `body` gives, with an error that is none of the file as a value, which the store would take for one.
  private static func keepingJournalErrors<Value>(
    _ body: () throws -> Value
  ) throws -> Result<Value, any Error> {
    do {
      return .success(try body())
    } catch let error as JournalError {
      return .failure(error)
    } catch let error as ForeignError {
      return .failure(error.error)
    }
  }
}
