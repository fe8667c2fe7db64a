import GRDB

/// Changing what is there by what it is at that moment, so that two who do so at once lose nothing.
extension JournalFile {
  /// Changes live records in one transaction; those that cannot be changed keep none of the others from it.
  ///
  /// - Parameters:
  ///   - ids: the UUIDs of the records, each of which may stand there often.
  ///   - records: what is to be kept with them, as `save` keeps it; each UUID once.
  ///   - isRehearsal: whether nothing is kept.
  ///   - body: what becomes of a record; its UUID and kind stay.
  /// - Returns: what became of each of `ids`, and the batch that undoes all of it.
  /// - Throws: `JournalError` where one of `records`, or what a changed record refers to, cannot be; `StoreError`.
  ///   Then nothing has changed.
  package func edit(
    _ ids: [JournalID], adding records: [JournalRecord] = [], isRehearsal: Bool = false,
    _ body: (JournalRecord) throws(JournalError) -> JournalRecord
  ) throws -> (results: [Result<SaveOutcome.Result, JournalError>], batch: Int64?) {
    for record in records { try record.validate() }
    return try change(SaveKind.save.rawValue, isRehearsal: isRehearsal) { writer in
      for record in records {
        if let head = try writer.reader.head(record.id) {
          guard head.kind == record.kind else {
            throw JournalError.otherKind(
              id: record.id, found: head.kind.rawValue, needed: record.kind.rawValue)
          }
          guard head.deletedMs == nil else { throw JournalError.deleted(id: record.id) }
          _ = try writer.replace(head, with: record)
        } else {
          try writer.write(record, id: try writer.add(record.id, record.kind))
        }
      }
      var results: [Result<SaveOutcome.Result, JournalError>] = []
      for id in ids {
        guard let head = try writer.reader.head(id) else {
          results.append(.failure(.unknown(id: id, needed: "record")))
          continue
        }
        guard head.deletedMs == nil else {
          results.append(.failure(.deleted(id: id)))
          continue
        }
        let record = try writer.reader.record(head)
        let changed: JournalRecord
        do throws(JournalError) {
          changed = try body(record)
          try changed.validate()
          if changed != record, head.kind == .identification {
            throw .identificationChanged(id: id)
          }
          results.append(.success(changed == record ? .same : .updated))
        } catch {
          results.append(.failure(error))
          continue
        }
        _ = try writer.replace(head, with: changed)
      }
      return (results, isRehearsal ? nil : writer.batch)
    }
  }
}

extension RecordWriter {
  /// Puts a record in the place of the one that has its UUID and kind.
  ///
  /// - Returns: whether it is another one.
  func replace(_ head: RecordReader.Head, with record: JournalRecord) throws -> Bool {
    let stored = try reader.stored(head)
    guard stored.record != record else { return false }
    try note(record.id, record.kind, before: stored)
    try touch(head, from: stored.record, to: record)
    try write(record, id: head.id)
    return true
  }
}

extension JournalRecord {
  /// The tags of it, and the collections that it is in; nil where it can have none.
  package var labels: (tags: Set<String>, collections: Set<JournalID>)? {
    switch self {
    case .place(let record): (record.tags, record.collections)
    case .event(let record): (record.tags, record.collections)
    case .organism(let record): (record.tags, record.collections)
    case .occurrence(let record): (record.tags, record.collections)
    case .identification, .note, .collection, .measure, .person, .photo: nil
    }
  }

  /// The record with other tags and collections.
  ///
  /// - Throws: `JournalError.otherKind` where it can have none.
  package func labelled(
    _ change: (inout Set<String>, inout Set<JournalID>) -> Void
  ) throws(JournalError) -> JournalRecord {
    guard var (tags, collections) = labels else {
      throw .otherKind(
        id: id, found: kind.rawValue, needed: "place, event, organism or occurrence")
    }
    change(&tags, &collections)
    switch self {
    case .place(var record):
      (record.tags, record.collections) = (tags, collections)
      return .place(record)
    case .event(var record):
      (record.tags, record.collections) = (tags, collections)
      return .event(record)
    case .organism(var record):
      (record.tags, record.collections) = (tags, collections)
      return .organism(record)
    case .occurrence(var record):
      (record.tags, record.collections) = (tags, collections)
      return .occurrence(record)
    case .identification, .note, .collection, .measure, .person, .photo: return self
    }
  }

  /// The record with a tag, unless it has that in another case.
  package func tagged(_ tags: [String]) throws(JournalError) -> JournalRecord {
    try labelled { all, _ in
      for tag in tags where !all.contains(where: { asciiLowercased($0) == asciiLowercased(tag) }) {
        all.insert(tag)
      }
    }
  }

  /// The record without tags, in whatever case it has them.
  package func untagged(_ tags: [String]) throws(JournalError) -> JournalRecord {
    let gone = Set(tags.map(asciiLowercased))
    return try labelled { all, _ in
      all = all.filter { !gone.contains(asciiLowercased($0)) }
    }
  }
}

extension JournalRecord {
  /// How exactly others may know it, by its own word; nil of what follows from another record.
  package var privacy: Privacy? {
    switch self {
    case .place(let record): record.privacy
    case .event(let record): record.privacy
    case .organism(let record): record.privacy
    case .occurrence(let record): record.privacy
    case .collection(let record): record.privacy
    case .identification, .note, .measure, .person, .photo: nil
    }
  }

  /// The record of which others may know so much.
  ///
  /// - Throws: `JournalError.otherKind` where that follows from another record.
  package func kept(_ privacy: Privacy) throws(JournalError) -> JournalRecord {
    switch self {
    case .place(var record):
      record.privacy = privacy
      return .place(record)
    case .event(var record):
      record.privacy = privacy
      return .event(record)
    case .organism(var record):
      record.privacy = privacy
      return .organism(record)
    case .occurrence(var record):
      record.privacy = privacy
      return .occurrence(record)
    case .collection(var record):
      record.privacy = privacy
      return .collection(record)
    case .identification, .note, .measure, .person, .photo:
      throw .otherKind(
        id: id, found: kind.rawValue, needed: "place, event, organism, occurrence or collection")
    }
  }
}

extension JournalRecord {
  /// The record of which others may know no more than a word says.
  func kept(atLeast word: Privacy) throws(JournalError) -> JournalRecord {
    guard let privacy, word != .open else { return self }
    return try kept(privacy.stricter(word))
  }
}

extension RecordReader {
  /// How exactly others may know a record by its word and those of all that it is in.
  func word(of head: Head) throws -> Privacy {
    var word = Privacy.open
    var known: Set<Int64> = [head.id]
    var waiting = [head]
    while let head = waiting.popLast() {
      let record = try record(head)
      word = word.stricter(record.privacy ?? .open)
      if case .place(let place) = record, place.kind == .home { word = word.stricter(.obscured) }
      let owners = try Row.fetchAll(
        database.cachedStatement(
          sql: """
            SELECT * FROM record WHERE id IN (
              SELECT parent_id FROM place WHERE id = ?1
              UNION ALL SELECT parent_id FROM event WHERE id = ?1
              UNION ALL SELECT place_id FROM event WHERE id = ?1
              UNION ALL SELECT place_id FROM organism WHERE id = ?1
              UNION ALL SELECT event_id FROM occurrence WHERE id = ?1
              UNION ALL SELECT organism_id FROM occurrence WHERE id = ?1
              UNION ALL SELECT collection_id FROM collection_item WHERE record_id = ?1)
            """), arguments: [head.id])
      for row in owners {
        let owner = try Head(row)
        if known.insert(owner.id).inserted { waiting.append(owner) }
      }
    }
    return word
  }
}

extension JournalFile {
  private static let defaultPrivacySetting = "default_privacy"

  /// What others may know of new records, where nobody says it of them.
  package func defaultPrivacy() throws -> Privacy {
    guard let word = try setting(Self.defaultPrivacySetting) else { return .open }
    return try Privacy(word: word, field: Self.defaultPrivacySetting)
  }

  /// Says what others may know of new records.
  package func setDefaultPrivacy(_ privacy: Privacy) throws {
    try set(Self.defaultPrivacySetting, to: privacy.rawValue)
  }
}
