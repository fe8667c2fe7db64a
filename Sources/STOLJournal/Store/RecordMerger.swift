import GRDB

/// Makes one record of two copies of it, one from an archive and one that is there: Format/JOURNAL.md, "Two copies
/// of a journal".
final class RecordMerger {
  private let writer: RecordWriter
  /// The last record that was there before.
  private let lastID: Int64
  /// Whether a live record of the archive holds against one that was changed later.
  private let overrides: Bool
  private var isBegun = false
  /// The kinds of which something came to be part of something else.
  private var nested: Set<JournalRecord.Kind> = []
  /// Identifications of before that stand behind some of the archive.
  private var moved: Set<JournalID> = []

  /// What became of a record; of one that is new, whether it is live.
  enum Outcome { case new, deleted, same, updated }

  init(_ writer: RecordWriter, lastID: Int64, overrides: Bool) {
    (self.writer, self.lastID, self.overrides) = (writer, lastID, overrides)
  }

  // MARK: - A record

  /// Makes one of a record of the archive and of what is there.
  ///
  /// Whether it is live is settled once all of them are there.
  ///
  /// - Throws: `JournalError`, before anything is written; what the database throws.
  func take(_ record: JournalRecord, _ moments: RecordMoments) throws -> Outcome {
    isBegun = true
    for (_, id, kinds) in record.references {
      _ = try writer.id(of: id, kinds, isLive: false)
    }
    if case .photo(let photo) = record { _ = try writer.knownMediaID(photo.file) }
    guard let head = try writer.head(record.id) else {
      let id = try writer.add(record.id, record.kind, moments)
      try write(record, id)
      return moments.isDeleted ? .deleted : .new
    }
    guard head.kind == record.kind else {
      throw JournalError.otherKind(
        id: record.id, found: head.kind.rawValue, needed: record.kind.rawValue)
    }
    let (stored, own) = (try writer.reader.stored(head), try head.moments())
    if own == moments, stored.record == record { return .same }
    let newer = try Self.newer(record, moments, than: stored.record, own)
    var merged = stored.record.taking(newer, from: record)
    let groups = JournalRecord.groups(of: record.kind).map(\.name)
    var times = own.merged(with: moments, groups: groups)
    if overrides, !moments.isDeleted, !times.isDeleted {
      let now = writer.moment(of: head)
      for group in record.groups(since: merged) { times[group] = now }
      merged = record
    }
    try merged.validate()
    if merged == stored.record, times == own { return .same }
    try writer.note(record.id, record.kind, before: stored)
    let isSettled = merged == stored.record && times.isDeleted == own.isDeleted
    let isLive = isSettled ? head.deletedMs == nil : !times.isDeleted
    try writer.set(times, of: head, isLive: isLive)
    if merged == stored.record, isLive == (head.deletedMs == nil) { return .same }
    try write(merged, head.id)
    return .updated
  }

  /// The groups of a record that hold against those of another copy: those that were changed later; at one moment
  /// those whose text is greater.
  private static func newer(
    _ record: JournalRecord, _ moments: RecordMoments, than other: JournalRecord,
    _ others: RecordMoments
  ) throws -> Set<String> {
    var newer: Set<String> = []
    for group in record.groups(since: other) {
      if moments[group] > others[group] { newer.insert(group) }
      guard moments[group] == others[group] else { continue }
      let (own, known) = (try text(of: group, in: record), try text(of: group, in: other))
      if known.lexicographicallyPrecedes(own) { newer.insert(group) }
    }
    return newer
  }

  /// What a group says, as an object with its members.
  private static func text(of group: String, in record: JournalRecord) throws -> [UInt8] {
    let names = JournalRecord.groups(of: record.kind).first { $0.name == group }?.members ?? []
    let members = try JournalLines.members(of: record)
    let parts = names.sorted().compactMap { name in members[name].map { (name, $0) } }
    var text: [UInt8] = []
    for (name, value) in parts {
      text += (text.isEmpty ? "{\"" : ",\"").utf8
      text += "\(name)\":".utf8
      text += value
    }
    return text.isEmpty ? Array("{}".utf8) : text + "}".utf8
  }

  private func write(_ record: JournalRecord, _ id: Int64) throws {
    try writer.write(record, id: id, isLive: false, isValid: true)
    if record.parent != nil { nested.insert(record.kind) }
    if case .identification(let identification) = record {
      try settleOrder(id, of: identification.occurrence)
    }
  }

  /// Lets the identifications of an occurrence stand in the order in which they were made, so that the last one holds.
  ///
  /// Those of the archive stand in its order.
  private func settleOrder(_ id: Int64, of occurrence: JournalID) throws {
    guard let owner = try writer.head(occurrence) else { return }
    let others = try Int64.fetchAll(
      writer.database.cachedStatement(
        sql: "SELECT id FROM identification WHERE occurrence_id = ? AND id <> ? ORDER BY id"),
      arguments: [owner.id, id]
    ).map { try writer.reader.head($0) }.filter { other in
      id <= lastID || other.id <= lastID || moved.contains(other.uuid)
    }
    guard !others.isEmpty else { return }
    let own = try writer.reader.head(id)
    var last = id
    func moveUp(_ head: RecordReader.Head) throws {
      last = try writer.addAgain(head)
      moved.insert(head.uuid)
    }
    func isLater(_ other: RecordReader.Head) -> Bool {
      (own.createdMs, own.uuid) < (other.createdMs, other.uuid)
    }
    if others.contains(where: { $0.id > id && !isLater($0) }) { try moveUp(own) }
    let ownID = last
    let later = others.filter { $0.id < ownID && isLater($0) }
    for other in later.sorted(by: { ($0.createdMs, $0.id) < ($1.createdMs, $1.id) }) {
      try moveUp(other)
    }
  }

  // MARK: - All of them

  /// Settles what follows from all records together.
  ///
  /// - Returns: how many other records that changes.
  func finish() throws -> Int {
    guard isBegun else { return 0 }
    var count = 0
    for kind in JournalRecord.Kind.allCases where nested.contains(kind) {
      count += try settleParents(kind)
    }
    return try count + settleDeletions()
  }

  /// Takes parents away that make a ring or stand too high, those that were said last first.
  private func settleParents(_ kind: JournalRecord.Kind) throws -> Int {
    struct Link {
      let id: Int64
      let parent: Int64
      let moment: Int64
      let uuid: JournalID
    }
    var links: [Link] = []
    let rows = try Row.fetchCursor(
      writer.database,
      sql: """
        SELECT r.*, t.parent_id FROM \(kind.rawValue) t JOIN record r ON r.id = t.id
        WHERE t.parent_id NOT NULL
        """)
    while let row = try rows.next() {
      let head = try RecordReader.Head(row)
      links.append(
        Link(
          id: head.id, parent: try row.value("parent_id"), moment: try head.moments()["parent"],
          uuid: head.uuid))
    }
    links.sort { ($0.moment, $0.uuid) < ($1.moment, $1.uuid) }
    var parents: [Int64: Int64] = [:]
    /// How many levels stand below a record.
    var heights: [Int64: Int] = [:]
    var count = 0
    for link in links {
      var above = [link.parent]
      while let next = above.last.flatMap({ parents[$0] }) { above.append(next) }
      var height = heights[link.id, default: 0] + 1
      guard !above.contains(link.id), above.count + height <= JournalLimits.nestingCount else {
        try letGoOfParent(link.id)
        count += 1
        continue
      }
      parents[link.id] = link.parent
      for id in above where heights[id, default: 0] < height {
        heights[id] = height
        height += 1
      }
    }
    return count
  }

  /// Takes the parent away at the moment at which it was said: in every copy nothing is stronger than that.
  private func letGoOfParent(_ id: Int64) throws {
    let head = try writer.reader.head(id)
    let stored = try writer.reader.stored(head)
    try writer.note(head.uuid, head.kind, before: stored)
    switch stored.record {
    case .place(var place):
      place.parent = nil
      try writer.write(.place(place), id: id, isLive: false)
    case .event(var event):
      event.parent = nil
      try writer.write(.event(event), id: id, isLive: false)
    default: break
    }
  }

  /// Marks those records as deleted that were deleted after all that they say, that no live record refers to, and that
  /// were not deleted together with something that is live.
  private func settleDeletions() throws -> Int {
    let rows = try Row.fetchAll(
      writer.database,
      sql: """
        SELECT * FROM record WHERE deleted_ms NOT NULL OR instr(moments, '"\(RecordMoments.deletion)"')
        ORDER BY id
        """)
    let heads = try rows.map { try RecordReader.Head($0) }
    let settled = try SettledDeletions(heads, writer)
    var count = 0
    for head in heads where settled.isDeleted(head.id) != (head.deletedMs != nil) {
      let stored = try writer.reader.stored(head)
      try writer.note(head.uuid, head.kind, before: stored)
      try writer.set(try head.moments(), of: head, isLive: head.deletedMs != nil)
      try writer.write(stored.record, id: head.id, isLive: false, isValid: true)
      count += 1
    }
    return count
  }
}

/// Which of the records that somebody has deleted are live all the same.
private struct SettledDeletions {
  /// When each was deleted.
  private var moments: [Int64: Int64] = [:]
  private var deleted: Set<Int64> = []
  private var revived: [Int64] = []

  init(_ heads: [RecordReader.Head], _ writer: RecordWriter) throws {
    for head in heads {
      let times = try head.moments()
      moments[head.id] = times.deletedMs
      if times.isDeleted { deleted.insert(head.id) } else { revived.append(head.id) }
    }
    for head in heads where deleted.contains(head.id) {
      let others =
        head.kind == .identification
        ? try Self.occurrence(of: head.id, writer) : try writer.referrers(of: head.id)
      if others.contains(where: { !deleted.contains($0) }) { revive(head.id) }
    }
    while let id = revived.popLast() {
      for reference in try writer.reader.record(writer.reader.head(id)).references {
        if let other = try writer.head(reference.id) { revive(other.id) }
      }
      for part in try Self.parts(of: id, writer)
      where part.isIdentification || moments[part.id] == moments[id] {
        revive(part.id)
      }
    }
  }

  func isDeleted(_ id: Int64) -> Bool { deleted.contains(id) }

  private mutating func revive(_ id: Int64) {
    if deleted.remove(id) != nil { revived.append(id) }
  }

  private static func occurrence(of id: Int64, _ writer: RecordWriter) throws -> [Int64] {
    try Int64.fetchAll(
      writer.database.cachedStatement(
        sql: "SELECT occurrence_id FROM identification WHERE id = ?"), arguments: [id])
  }

  /// What is deleted together with a record.
  private static func parts(
    of id: Int64, _ writer: RecordWriter
  ) throws -> [(id: Int64, isIdentification: Bool)] {
    try Row.fetchAll(
      writer.database.cachedStatement(
        sql: """
          SELECT id, 0 AS is_identification FROM occurrence WHERE event_id = ?1 OR organism_id = ?1
          UNION ALL SELECT id, 0 FROM note WHERE target_id = ?1
          UNION ALL SELECT id, 0 FROM measure WHERE target_id = ?1
          UNION ALL SELECT id, 0 FROM photo WHERE target_id = ?1
          UNION ALL SELECT id, 1 FROM identification WHERE occurrence_id = ?1
          """), arguments: [id]
    ).map { (try $0.value("id"), try $0.value("is_identification") as Int == 1) }
  }
}
