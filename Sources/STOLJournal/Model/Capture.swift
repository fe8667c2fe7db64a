/// Something that was seen, entered at once: what it was, where and when.
///
/// The UUIDs of its records follow from one: what is entered again under that is the same again.
public struct Capture: Equatable, Sendable {
  /// The UUID of the occurrence.
  public var id: JournalID
  /// What it was, as it was written and read.
  public var reading: NameReading
  /// When it was, by the clock of that place.
  public var time: LocalTime
  /// The minutes that this clock was ahead of UTC; nil where nobody knows.
  public var utcOffsetMin: Int?
  /// Where it was.
  public var position: Position?
  /// How many; 0 of what was looked for and not seen.
  public var count: Int?
  /// Tags of the occurrence.
  public var tags: Set<String> = []
  /// Who may know where it was.
  public var privacy = Privacy.open
  /// The collection that the occurrence is in, which need not be there yet.
  public var collection: JournalCollection?
  /// Something to say about it.
  public var note: String?

  /// A capture of which only what and when is known.
  public init(id: JournalID = JournalID(), reading: NameReading, time: LocalTime) {
    self.id = id
    self.reading = reading
    self.time = time
  }

  /// A visit of its own, the collection, the occurrence, what it was taken for, and the note.
  public var records: [JournalRecord] {
    var event = Event(id: id.derived("event"), kind: .visit, start: time)
    event.utcOffsetMin = utcOffsetMin
    event.position = position
    var occurrence = Occurrence(id: id, event: event.id)
    if let count { occurrence.take(count: count) }
    occurrence.tags = tags
    occurrence.privacy = privacy
    var records: [JournalRecord] = [.event(event)]
    if let collection {
      occurrence.collections = [collection.id]
      records.append(.collection(collection))
    }
    records += [
      .occurrence(occurrence),
      .identification(reading.identification(of: id, id: id.derived("identification"))),
    ]
    if let note {
      records.append(.note(Note(id: id.derived("note"), target: id, text: note)))
    }
    return records
  }

  /// The same, where some of them are there already: what is not said stays as it is.
  ///
  /// - Parameters:
  ///   - isTimed: whether somebody said when it was.
  ///   - known: gives the live record with a UUID.
  /// - Returns: the records as they are to be kept.
  /// - Throws: what `known` throws.
  public func records(
    isTimed: Bool, over known: (JournalID) throws -> JournalRecord?
  ) throws -> [JournalRecord] {
    try records.map { record in
      switch (record, try known(record.id)) {
      case (.event(let new), .event(var old)?):
        if isTimed { old.start = new.start }
        old.utcOffsetMin = new.utcOffsetMin ?? old.utcOffsetMin
        old.position = new.position ?? old.position
        return .event(old)
      case (.occurrence(let new), .occurrence(var old)?):
        if let count { old.take(count: count) }
        if !new.tags.isEmpty { old.tags = new.tags }
        old.privacy = new.privacy
        old.collections.formUnion(new.collections)
        return .occurrence(old)
      default: return record
      }
    }
  }
}

extension Occurrence {
  /// Takes how many there were; 0 says that it was looked for and not seen.
  public mutating func take(count: Int, _ kind: CountKind = .exact) {
    presence = count == 0 ? .absent : .present
    (self.count, countKind) = (count, count == 0 ? nil : kind)
  }
}
