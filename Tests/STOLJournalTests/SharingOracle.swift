import Foundation

@testable import STOLJournal

/// What others may know of records, by the words of Format/JOURNAL.md and nothing else: all rules again and again
/// over all records, until nothing changes.
struct SharingOracle {
  private(set) var hidden: Set<JournalID> = []
  private(set) var isPrivate: Set<JournalID> = []
  private(set) var wide: Set<JournalID> = []

  private var places: [JournalID: Place] = [:]
  private var events: [JournalID: Event] = [:]
  private var organisms: [JournalID: Organism] = [:]
  private var occurrences: [JournalID: Occurrence] = [:]
  private var collections: [JournalID: JournalCollection] = [:]
  private var notes: [JournalID: Note] = [:]
  private var photos: [JournalID: Photo] = [:]
  private var measures: [JournalID: Measure] = [:]
  /// What is said of something open at a time, or in a photo of another place, that would say too much.
  private var hiddenFacts: Set<JournalID> = []
  private var threats: [JournalID: [String]] = [:]
  /// Records that nobody gets, but that go on keeping others from being known, with the moments of their deletion.
  private let deletedAt: [JournalID: Date]

  /// Takes `threat` for what the database says of a name or an ancestor: "CR", "EN", "VU"; nil for anything else.
  init(
    _ records: [JournalRecord], deletedAt: [JournalID: Date] = [:],
    threat: (Identification) -> String?
  ) {
    self.deletedAt = deletedAt
    for record in records {
      switch record {
      case .place(let it): places[it.id] = it
      case .event(let it): events[it.id] = it
      case .organism(let it): organisms[it.id] = it
      case .occurrence(let it): occurrences[it.id] = it
      case .collection(let it): collections[it.id] = it
      case .identification(let it):
        if let code = threat(it) { threats[it.occurrence, default: []].append(code) }
      case .note(let it): notes[it.id] = it
      case .photo(let it): photos[it.id] = it
      case .measure(let it): measures[it.id] = it
      case .person: break
      }
    }
    decide()
  }

  func level(_ id: JournalID) -> Privacy {
    if let photo = photos[id] { return level(of: photo) }
    if let target = notes[id]?.target ?? measures[id]?.target {
      return level(target).stricter(hiddenFacts.contains(id) ? .obscured : .open)
    }
    return isPrivate.contains(id) ? .private : hidden.contains(id) ? .obscured : .open
  }

  /// A file leaves with one photo alone, unless all that it is of is open.
  private func level(of photo: Photo) -> Privacy {
    let twins = photos.values.filter { $0.file == photo.file }
    func ownLevel(_ photo: Photo) -> Privacy {
      level(photo.target).stricter(hiddenFacts.contains(photo.id) ? .obscured : .open)
    }
    if twins.count > 1, twins.contains(where: { ownLevel($0) != .open }) { return .private }
    let isOfNothing =
      level(photo.target) != .open && (places[photo.target] != nil || notes[photo.target] != nil)
    return isOfNothing ? .private : ownLevel(photo)
  }

  // MARK: - Where and when

  func position(_ id: JournalID) -> Position? {
    if let place = places[id] { return place.position }
    if let event = events[id] { return event.position ?? places[event.place]?.position }
    if let organism = organisms[id] {
      return organism.position ?? places[organism.place]?.position
    }
    guard let seen = occurrences[id], let event = events[seen.event] else { return nil }
    let organism = organisms[seen.organism]
    return seen.position ?? organism?.position ?? event.position
      ?? places[event.place ?? organism?.place]?.position
  }

  /// All months from a time to another one, as a range.
  private func range(_ start: LocalTime?, _ end: LocalTime? = nil) -> [ClosedRange<String>] {
    guard let start else { return [] }
    func first(_ text: String) -> String {
      text.count < 7 ? text + "-01" : String(text.prefix(7))
    }
    func last(_ text: String) -> String { text.count < 7 ? text + "-12" : String(text.prefix(7)) }
    let low = first(start.text)
    return [low...max(low, max(last(start.text), end.map { last($0.text) } ?? ""))]
  }

  /// The months in which it may have been.
  private func months(_ id: JournalID) -> [ClosedRange<String>] {
    if let event = events[id] { return range(event.start, event.end) }
    if let organism = organisms[id] { return range(organism.planted) }
    guard let seen = occurrences[id], let event = events[seen.event] else { return [] }
    return range(event.start, event.end) + range(seen.time)
  }

  /// What a photo is about, in the end.
  private func about(_ photo: Photo) -> JournalID { notes[photo.target]?.target ?? photo.target }

  /// The months of a photo that says where it was taken.
  private func months(_ photo: Photo) -> [ClosedRange<String>] {
    let about = about(photo)
    let event = events[about] ?? events[occurrences[about]?.event]
    return range(event?.start, event?.end) + range(photo.time)
  }

  /// Whether it is an event, an organism or an occurrence.
  func isSeen(_ id: JournalID) -> Bool {
    events[id] != nil || organisms[id] != nil || occurrences[id] != nil
  }

  /// A record, and what it is of, in or at.
  func belongings(_ id: JournalID) -> Set<JournalID> {
    let owners: [JournalID?] = [
      id, events[id]?.place, organisms[id]?.place, occurrences[id]?.event,
      occurrences[id]?.organism,
    ]
    return Set(owners.compactMap { $0 })
  }

  /// The row and the column of a cell with sides of so many degrees times 10,000,000.
  func cell(_ position: Position, _ side: Double) -> [Double] {
    let east = position.longitudeE7 == 1_800_000_000 ? -1_800_000_000 : position.longitudeE7
    let row = ((Double(position.latitudeE7) + 900_000_000) / side).rounded(.down)
    return [
      min(row, 1_800_000_000 / side - 1),
      ((Double(east) + 1_800_000_000) / side).rounded(.down),
    ]
  }

  // MARK: - Rules

  private func word(_ id: JournalID) -> Privacy {
    if let place = places[id], place.kind == .home, place.privacy == .open { return .obscured }
    return places[id]?.privacy ?? events[id]?.privacy ?? organisms[id]?.privacy
      ?? occurrences[id]?.privacy ?? collections[id]?.privacy ?? .open
  }

  /// What a record lies in, whose word is its own too.
  private func containers(_ id: JournalID) -> [JournalID] {
    let collections = [
      places[id]?.collections, events[id]?.collections, organisms[id]?.collections,
      occurrences[id]?.collections,
    ]
    return owners(id) + collections.compactMap { $0 }.joined()
  }

  /// The same without collections.
  private func owners(_ id: JournalID) -> [JournalID] {
    let owners: [JournalID?] = [
      places[id]?.parent, events[id]?.parent, events[id]?.place, organisms[id]?.place,
      occurrences[id]?.event, occurrences[id]?.organism,
    ]
    return owners.compactMap { $0 }
  }

  /// Hides what lies in a small cell with something of which it would say where that is.
  private mutating func hideNear(_ spots: Set<JournalID>, _ all: [JournalID]) {
    struct Spot {
      let position: Position
      let months: [ClosedRange<String>]
      let isWide: Bool
    }
    var found: [Spot] = spots.compactMap { id in
      position(id).map { Spot(position: $0, months: months(id), isWide: wide.contains(id)) }
    }
    for photo in photos.values {
      let about = about(photo)
      guard let position = photo.position, spots.contains(about) else { continue }
      found.append(
        Spot(position: position, months: months(photo), isWide: wide.contains(about)))
    }
    func near(_ here: Position, _ when: [ClosedRange<String>]) -> [Spot] {
      found.filter { spot in
        let side = spot.isWide ? 5_000_000.0 : 1_000_000
        if cell(here, side / 10) == cell(spot.position, side / 10) { return true }
        return cell(here, side / 5) == cell(spot.position, side / 5)
          && spot.months.contains { month in when.contains { $0.overlaps(month) } }
      }
    }
    var news: [(id: JournalID, isWide: Bool)] = []
    for id in all where !hidden.contains(id) {
      let kind = places[id]?.kind
      guard let here = position(id), kind != .region, kind != .area else { continue }
      let spots = near(here, months(id))
      if !spots.isEmpty { news.append((id, spots.contains(where: \.isWide))) }
    }
    hidden.formUnion(news.map(\.id))
    wide.formUnion(news.filter(\.isWide).map(\.id))
    func look(_ id: JournalID, _ here: Position?, _ when: [ClosedRange<String>]) {
      if let here, !when.isEmpty || photos[id]?.position != nil, !near(here, when).isEmpty {
        hiddenFacts.insert(id)
      }
    }
    for note in notes.values { look(note.id, position(note.target), range(note.time)) }
    for it in measures.values { look(it.id, position(it.target), range(it.time)) }
    for photo in photos.values {
      if let own = photo.position {
        look(photo.id, own, months(photo))
      } else {
        look(photo.id, position(about(photo)), range(photo.time))
      }
    }
  }

  private mutating func decide() {
    let all = Array(places.keys) + events.keys + organisms.keys + occurrences.keys
    var words: [JournalID: Privacy] = [:]
    func stated(_ id: JournalID) -> Privacy {
      containers(id).reduce(word(id)) { $0.stricter(words[$1] ?? word($1)) }
    }
    repeat {
      let before = words
      for id in all { words[id] = stated(id) }
      if before == words { break }
    } while true
    isPrivate = Set(all.filter { words[$0] == .private })

    func says(_ id: JournalID) -> Bool { words[id] != .open }
    var held = Set(occurrences.keys.filter { says($0) || threats[$0] != nil })
      .union(organisms.keys.filter(says))
    var heldWide = Set(occurrences.keys.filter { threats[$0]?.contains("CR") ?? false })
    grow(&held) { held in
      for it in occurrences.values {
        guard let organism = it.organism else { continue }
        if held.contains(it.id) { held.insert(organism) }
        if held.contains(organism) { held.insert(it.id) }
      }
    }
    grow(&heldWide) { wide in
      for it in occurrences.values {
        guard let organism = it.organism else { continue }
        if wide.contains(it.id) { wide.insert(organism) }
        if wide.contains(organism) { wide.insert(it.id) }
      }
    }
    let heldEvents = Set(
      events.values.filter { event in
        says(event.id)
          || occurrences.values.contains { $0.event == event.id && held.contains($0.id) }
      }.map(\.id))
    let known = places
    func isSpot(_ place: JournalID?) -> JournalID? {
      guard let place = known[place], place.kind != .region, place.kind != .area else {
        return nil
      }
      return place.id
    }
    let heldPlaces = Set(places.keys.filter(says))
      .union(heldEvents.compactMap { isSpot(events[$0]?.place) })
      .union(held.compactMap { isSpot(organisms[$0]?.place) })

    hidden = held.union(heldEvents).union(heldPlaces)
    wide = heldWide
    close(held, heldEvents, isSpot)
    hideNear(held.union(heldEvents).union(heldPlaces), all)
    close(held, heldEvents, isSpot)
    // What has parts, none of which is open.
    var before: Set<JournalID>
    repeat {
      before = hidden
      for id in all where !hidden.contains(id) {
        let parts = all.filter { owners($0).contains(id) }
        // Those that are live, as it is, or were when it was deleted.
        let own = parts.filter { deletedAt[$0] == deletedAt[id] }
        let hasLeft = deletedAt[id] != nil && events[id]?.kind == .trip
        if hasLeft || parts.contains(where: hidden.contains), own.allSatisfy(hidden.contains) {
          hidden.insert(id)
        }
      }
      close(held, heldEvents, isSpot)
    } while hidden != before
    let kept = isPrivate
    for id in Array(events.keys) + organisms.keys {
      let own = occurrences.values.filter { $0.event == id || $0.organism == id }
      let live = own.filter { deletedAt[$0.id] == nil }
      if own.contains(where: { kept.contains($0.id) }),
        live.allSatisfy({ kept.contains($0.id) })
      {
        isPrivate.insert(id)
      }
    }
  }

  private func grow(_ set: inout Set<JournalID>, _ step: (inout Set<JournalID>) -> Void) {
    var count = -1
    while count != set.count {
      count = set.count
      step(&set)
    }
  }

  /// What lies within what is hidden is hidden, and the event of an occurrence; what belongs together has one grid.
  private mutating func close(
    _ held: Set<JournalID>, _ heldEvents: Set<JournalID>, _ isSpot: (JournalID?) -> JournalID?
  ) {
    var (hidden, wide) = (hidden, wide)
    grow(&hidden) { hidden in
      for it in places.values where it.parent.map(hidden.contains) ?? false { hidden.insert(it.id) }
      for it in events.values where it.place.map(hidden.contains) ?? false { hidden.insert(it.id) }
      for it in organisms.values where it.place.map(hidden.contains) ?? false {
        hidden.insert(it.id)
      }
      for it in occurrences.values {
        if hidden.contains(it.event) || it.organism.map(hidden.contains) ?? false {
          hidden.insert(it.id)
        }
        if hidden.contains(it.id) { hidden.insert(it.event) }
      }
    }
    grow(&wide) { wide in
      for it in places.values where it.parent.map(wide.contains) ?? false { wide.insert(it.id) }
      for it in events.values {
        if it.place.map(wide.contains) ?? false { wide.insert(it.id) }
        if wide.contains(it.id), heldEvents.contains(it.id), let place = isSpot(it.place) {
          wide.insert(place)
        }
      }
      for it in organisms.values {
        if it.place.map(wide.contains) ?? false { wide.insert(it.id) }
        if wide.contains(it.id), held.contains(it.id), let place = isSpot(it.place) {
          wide.insert(place)
        }
      }
      for it in occurrences.values {
        if wide.contains(it.event) { wide.insert(it.id) }
        if wide.contains(it.id) { wide.insert(it.event) }
        guard let organism = it.organism, hidden.contains(organism) else { continue }
        if wide.contains(organism) { wide.insert(it.id) }
        if wide.contains(it.id) { wide.insert(organism) }
      }
    }
    (self.hidden, self.wide) = (hidden, wide)
  }
}

extension Dictionary {
  /// The value of a key that there may be.
  fileprivate subscript(_ key: Key?) -> Value? { key.flatMap { self[$0] } }
}
