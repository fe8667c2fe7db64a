@testable import STOLJournal

/// Records by what they belong to, all in memory: what an export finds in the file it finds here too.
struct OracleIndex {
  private(set) var collections: [JournalID: String] = [:]
  private(set) var places: [Place] = []
  private(set) var events: [JournalID: Event] = [:]
  private(set) var organisms: [Organism] = []
  /// Those of what was there and of what was not.
  private(set) var occurrences: [Occurrence] = []
  private(set) var measureCount = 0
  /// By what they are of; empty unless they are asked for.
  private var measures: [JournalID: [Measure]] = [:]
  private var photos: [JournalID: [Photo]] = [:]
  private let keepsFacts: Bool
  private(set) var photoCount = 0
  /// How many notes say when they were written.
  private(set) var timedNoteCount = 0
  /// The records of which others may know less, by the UUIDs under which they have them; where facts are kept, also
  /// those from which something was taken alone.
  private(set) var limited: [JournalID: SharedRecord] = [:]
  private var placesByID: [JournalID: Place] = [:]
  private var persons: [JournalID: Person] = [:]
  private var organismsByID: [JournalID: Organism] = [:]
  private var identifications: [JournalID: [Identification]] = [:]
  private var notes: [JournalID: [Note]] = [:]
  private var occurrencesByOwner: [JournalID: [Occurrence]] = [:]

  /// The records of a query as others may have them, or with nil as they are.
  init(
    _ journal: JournalFile, _ query: SightingQuery?, _ sharing: Sharing?,
    keepsFacts: Bool = false
  ) throws {
    self.keepsFacts = keepsFacts
    try journal.forEachRecord(of: query, by: sharing) { shared in
      add(shared.record)
      let says = keepsFacts && (shared.generalizations != nil || shared.withheld != nil)
      if shared.isObscured || says { limited[shared.record.id] = shared }
    }
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
    case .note(let it):
      notes[it.target, default: []].append(it)
      if it.time != nil { timedNoteCount += 1 }
    case .person(let it): persons[it.id] = it
    case .measure(let it):
      measureCount += 1
      if keepsFacts { measures[it.target, default: []].append(it) }
    case .photo(let it):
      photoCount += 1
      if keepsFacts { photos[it.target, default: []].append(it) }
    }
  }

  func place(_ id: JournalID?) -> Place? { id.flatMap { placesByID[$0] } }
  func organism(_ id: JournalID?) -> Organism? { id.flatMap { organismsByID[$0] } }
  func person(_ id: JournalID) -> Person? { persons[id] }
  /// The notes on a record, in their order.
  func notes(on id: JournalID) -> [Note] { notes[id] ?? [] }
  /// What was measured of a record, where that is kept.
  func measures(of id: JournalID) -> [Measure] { measures[id] ?? [] }
  /// The photos of a record, where they are kept.
  func photos(of id: JournalID) -> [Photo] { photos[id] ?? [] }
  /// What others may not know of a record, where that is kept.
  func hidden(of id: JournalID) -> (generalizations: String?, withheld: String?) {
    let record = limited[id]
    return (record?.generalizations, record?.withheld)
  }
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
