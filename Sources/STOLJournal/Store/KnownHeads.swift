import GRDB

/// Rows of `record` that a change has read or added, for many records refer to one, and which UUIDs have none, for
/// most records of an import are new.
struct KnownHeads {
  private let reader: RecordReader
  private var heads: [JournalID: RecordReader.Head] = [:]
  private static let headLimit = 16_384
  /// The UUIDs of all records, once many were asked for that are not there.
  private var possible: PossibleIDs?
  private var missingCount = 0
  /// So many are looked for in the file before all that it has are read.
  private let missingLimit: Int

  /// What knows none yet, of a file of which the highest id of a record is `lastID`.
  init(_ reader: RecordReader, lastID: Int64) {
    self.reader = reader
    missingLimit = 1024 + Int(clamping: lastID / 16)
  }

  /// What `record` says about a UUID.
  mutating func head(_ uuid: JournalID) throws -> RecordReader.Head? {
    if let known = heads[uuid] { return known }
    if let possible, !possible.mayContain(uuid) { return nil }
    guard let head = try reader.head(uuid) else {
      missingCount += 1
      if missingCount == missingLimit { possible = try reader.possibleIDs() }
      return nil
    }
    remember(head)
    return head
  }

  /// Takes note of a row that was read.
  mutating func remember(_ head: RecordReader.Head) {
    if heads.count >= Self.headLimit { heads.removeAll(keepingCapacity: true) }
    heads[head.uuid] = head
  }

  /// Takes note that there is a row now.
  mutating func add(_ uuid: JournalID) { possible?.insert(uuid) }

  /// Forgets a row, which changes.
  mutating func forget(_ uuid: JournalID) { heads[uuid] = nil }
}

extension RecordReader {
  /// The UUIDs of all records.
  fileprivate func possibleIDs() throws -> PossibleIDs {
    var possible = PossibleIDs()
    let rows = try Row.fetchCursor(database, sql: "SELECT uuid FROM record")
    while let row = try rows.next() { possible.insert(try row.uuid("uuid")) }
    return possible
  }
}
