import Foundation

/// Records by what they belong to, all in memory, for formats of small journals that put several into one.
struct RecordIndex {
  private(set) var collections: [JournalID: String] = [:]
  private(set) var places: [Place] = []
  private(set) var events: [JournalID: Event] = [:]
  private(set) var organisms: [Organism] = []
  /// Those of what was there and of what was not.
  private(set) var occurrences: [Occurrence] = []
  /// Whether it is for others, who have of what is obscured a cell of the grid alone.
  let isShared: Bool
  private(set) var measureCount = 0
  private(set) var photoCount = 0
  private var placesByID: [JournalID: Place] = [:]
  private var persons: [JournalID: Person] = [:]
  private var organismsByID: [JournalID: Organism] = [:]
  private var identifications: [JournalID: [Identification]] = [:]
  private var notes: [JournalID: [Note]] = [:]
  private var occurrencesByOwner: [JournalID: [Occurrence]] = [:]

  /// The records of a query as others may have them, or with nil as they are.
  init(_ journal: JournalFile, _ query: SightingQuery?, _ sharing: Sharing?) throws {
    isShared = sharing != nil
    try journal.forEachRecord(of: query, by: sharing) { add($0.record) }
  }

  /// Some records as they are.
  init(of records: [JournalRecord]) {
    isShared = false
    for record in records { add(record) }
  }

  private mutating func add(_ record: JournalRecord) {
    switch record {
    case .collection(let it): collections[it.id] = it.name
    case .place(let it):
      places.append(it)
      placesByID[it.id] = it
    case .event(let it): events[it.id] = it
    case .organism(let it):
      organisms.append(it)
      organismsByID[it.id] = it
    case .occurrence(let it):
      occurrences.append(it)
      occurrencesByOwner[it.event, default: []].append(it)
      if let organism = it.organism { occurrencesByOwner[organism, default: []].append(it) }
    case .identification(let it): identifications[it.occurrence, default: []].append(it)
    case .note(let it): notes[it.target, default: []].append(it)
    case .person(let it): persons[it.id] = it
    case .measure: measureCount += 1
    case .photo: photoCount += 1
    }
  }

  func place(_ id: JournalID?) -> Place? { id.flatMap { placesByID[$0] } }
  func organism(_ id: JournalID?) -> Organism? { id.flatMap { organismsByID[$0] } }
  func person(_ id: JournalID) -> Person? { persons[id] }
  /// The notes on a record, in their order.
  func notes(on id: JournalID) -> [Note] { notes[id] ?? [] }
  /// What an occurrence was taken for, the last of which holds.
  func identifications(of id: JournalID) -> [Identification] { identifications[id] ?? [] }

  /// The occurrences of an event or an organism, the earliest first.
  func occurrences(of id: JournalID) -> [Occurrence] {
    (occurrencesByOwner[id] ?? []).enumerated()
      .sorted { (startMs($0.element), $0.offset) < (startMs($1.element), $1.offset) }
      .map(\.element)
  }

  /// The names of collections, in their order.
  func collectionNames(_ ids: Set<JournalID>) -> [String] {
    ids.compactMap { collections[$0] }.sorted()
  }

  /// When an occurrence was: its own time, else the beginning of the event.
  func time(of occurrence: Occurrence) -> (time: LocalTime, utcOffsetMin: Int?)? {
    guard let event = events[occurrence.event] else { return nil }
    return (occurrence.time ?? event.start, event.utcOffsetMin)
  }

  /// Where an occurrence was, as Format/JOURNAL.md says it of sightings.
  func position(of occurrence: Occurrence) -> Position? {
    let (event, organism) = (events[occurrence.event], organism(occurrence.organism))
    return occurrence.position ?? organism?.position ?? event?.position
      ?? place(event?.place ?? organism?.place)?.position
  }

  /// Where an organism is, else where it was seen last.
  func position(of organism: Organism) -> Position? {
    organism.position ?? place(organism.place)?.position
      ?? occurrences(of: organism.id).reversed().lazy.compactMap { position(of: $0) }.first
  }

  private func startMs(_ occurrence: Occurrence) -> Int64 {
    time(of: occurrence).map { $0.time.firstMs(offsetMin: $0.utcOffsetMin) } ?? .max
  }
}

/// Several notes as one text, as formats with one field for them have it.
enum JoinedNotes {
  /// What stands between them.
  static let separator = " | "

  /// The texts, one after the other; a separator within one becomes " / ".
  ///
  /// - Returns: the text, nil where there is none, and in how many a separator was changed.
  static func text(_ texts: [String]) -> (text: String?, changedCount: Int) {
    var count = 0
    let clean = texts.map { text in
      let parts = text.components(separatedBy: separator)
      if parts.count > 1 { count += 1 }
      return parts.joined(separator: " / ")
    }
    return (clean.isEmpty ? nil : clean.joined(separator: separator), count)
  }

  /// The texts that were joined.
  static func parts(of text: String) -> [String] { text.components(separatedBy: separator) }
}
