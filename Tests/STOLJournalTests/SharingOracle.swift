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
  private var threats: [JournalID: [String]] = [:]

  /// Takes `threat` for what the database says of a name or an ancestor: "CR", "EN", "VU"; nil for anything else.
  init(_ records: [JournalRecord], threat: (Identification) -> String?) {
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
      case .measure, .person: break
      }
    }
    decide()
  }

  func level(_ id: JournalID) -> Privacy {
    if let photo = photos[id] { return level(of: photo) }
    if let note = notes[id] { return level(note.target) }
    return isPrivate.contains(id) ? .private : hidden.contains(id) ? .obscured : .open
  }

  /// A file leaves with one photo alone, unless all that it is of is open.
  private func level(of photo: Photo) -> Privacy {
    let twins = photos.values.filter { $0.file == photo.file }
    let levels = twins.map { level($0.target) }
    if twins.count > 1, levels.contains(where: { $0 != .open }) { return .private }
    let isOfNothing =
      level(photo.target) != .open && (places[photo.target] != nil || notes[photo.target] != nil)
    return isOfNothing ? .private : level(photo.target)
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

  /// The days of all months in which it may have been, each as a range.
  private func months(_ id: JournalID) -> [ClosedRange<String>] {
    func range(_ start: LocalTime?, _ end: LocalTime?) -> [ClosedRange<String>] {
      guard let start else { return [] }
      func first(_ text: String) -> String {
        text.count < 7 ? text + "-01" : String(text.prefix(7))
      }
      func last(_ text: String) -> String { text.count < 7 ? text + "-12" : String(text.prefix(7)) }
      let low = first(start.text)
      return [low...max(low, max(last(start.text), end.map { last($0.text) } ?? ""))]
    }
    if let event = events[id] { return range(event.start, event.end) }
    guard let seen = occurrences[id], let event = events[seen.event] else { return [] }
    return range(event.start, event.end) + range(seen.time, nil)
  }

  // MARK: - Rules

  private func word(_ id: JournalID) -> Privacy {
    places[id]?.privacy ?? events[id]?.privacy ?? organisms[id]?.privacy
      ?? occurrences[id]?.privacy ?? collections[id]?.privacy ?? .open
  }

  /// What a record lies in, whose word is its own too.
  private func containers(_ id: JournalID) -> [JournalID] {
    if let it = places[id] { return [it.parent].compactMap { $0 } + it.collections }
    if let it = events[id] { return [it.parent, it.place].compactMap { $0 } + it.collections }
    if let it = organisms[id] { return [it.place].compactMap { $0 } + it.collections }
    if let it = occurrences[id] {
      return [it.event, it.organism].compactMap { $0 } + it.collections
    }
    return []
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
    let spots = held.union(heldEvents).union(heldPlaces).sorted()
    var near: [(JournalID, isWide: Bool)] = []
    for id in all where !hidden.contains(id) {
      guard let here = position(id) else { continue }
      let others = spots.filter { spot in
        guard let there = position(spot) else { return false }
        let distance = here.distanceM(to: there)
        return distance <= 100
          || distance <= 1000
            && months(spot).contains { a in months(id).contains { $0.overlaps(a) } }
      }
      if !others.isEmpty { near.append((id, others.contains(where: wide.contains))) }
    }
    for (id, isWide) in near {
      hidden.insert(id)
      if isWide { wide.insert(id) }
    }
    close(held, heldEvents, isSpot)
    let kept = isPrivate
    for id in Array(events.keys) + organisms.keys {
      let own = occurrences.values.filter { $0.event == id || $0.organism == id }
      if !own.isEmpty, own.allSatisfy({ kept.contains($0.id) }) { isPrivate.insert(id) }
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
