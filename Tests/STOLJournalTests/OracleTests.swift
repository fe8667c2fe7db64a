import GRDB
import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLJournal

/// The journal as plain values: whatever the file says is compared with this.
struct Oracle {
  struct Kept: Equatable {
    var record: JournalRecord
    var isDeleted = false
    /// When it was added, among all: of identifications the last one holds.
    var order: Int
  }

  private(set) var records: [JournalID: Kept] = [:]
  private var count = 0

  mutating func put(_ record: JournalRecord) {
    count += 1
    let order = records[record.id]?.order ?? count
    records[record.id] = Kept(record: record, order: order)
  }

  func live(_ kind: JournalRecord.Kind) -> [JournalRecord] {
    records.values.filter { !$0.isDeleted && $0.record.kind == kind }
      .sorted { $0.order < $1.order }.map(\.record)
  }

  func isLive(_ id: JournalID) -> Bool { records[id].map { !$0.isDeleted } ?? false }

  var places: [Place] {
    live(.place).compactMap { if case .place(let it) = $0 { it } else { nil } }
  }
  var events: [Event] {
    live(.event).compactMap { if case .event(let it) = $0 { it } else { nil } }
  }
  var organisms: [Organism] {
    live(.organism).compactMap { if case .organism(let it) = $0 { it } else { nil } }
  }
  var occurrences: [Occurrence] {
    live(.occurrence).compactMap { if case .occurrence(let it) = $0 { it } else { nil } }
  }
  var notes: [Note] { live(.note).compactMap { if case .note(let it) = $0 { it } else { nil } } }
  var measures: [Measure] {
    live(.measure).compactMap { if case .measure(let it) = $0 { it } else { nil } }
  }
  var photos: [Photo] {
    live(.photo).compactMap { if case .photo(let it) = $0 { it } else { nil } }
  }
  var persons: [Person] {
    live(.person).compactMap { if case .person(let it) = $0 { it } else { nil } }
  }

  private func event(_ id: JournalID) -> Event? {
    if case .event(let it)? = records[id]?.record { it } else { nil }
  }
  private func organism(_ id: JournalID?) -> Organism? {
    if let id, case .organism(let it)? = records[id]?.record { it } else { nil }
  }
  private func place(_ id: JournalID?) -> Place? {
    if let id, case .place(let it)? = records[id]?.record { it } else { nil }
  }

  func identification(of occurrence: JournalID) -> Identification? {
    records.values.sorted { $0.order < $1.order }.compactMap { kept in
      if case .identification(let it) = kept.record, it.occurrence == occurrence { it } else { nil }
    }.last
  }

  /// What counts, as the specification says.
  struct Seen: Equatable {
    var occurrence: JournalID
    var taxon: TaxonReference?
    var position: Position?
    var atMs: Int64
    var time: LocalTime
    var day: Int?
    var isPresent: Bool
  }

  var sightings: [Seen] {
    occurrences.compactMap { occurrence in
      guard let event = event(occurrence.event), isLive(event.id), event.status == .saved else {
        return nil
      }
      let organism = organism(occurrence.organism)
      let place = place(event.place ?? organism?.place)
      let position = occurrence.position ?? organism?.position ?? event.position ?? place?.position
      let time = occurrence.time ?? event.start
      return Seen(
        occurrence: occurrence.id, taxon: identification(of: occurrence.id)?.taxon,
        position: position,
        atMs: Int64((time.firstSecond - (event.utcOffsetMin ?? 0) * 60) * 1000),
        time: time, day: time.dayNumber, isPresent: occurrence.presence == .present)
    }
  }

  /// The words of the live records.
  var words: [JournalID: Set<String>] {
    var texts: [JournalID: [String?]] = [:]
    func add(_ id: JournalID, _ text: [String?]) { texts[id, default: []] += text }
    for place in places {
      add(
        place.id,
        [place.name, place.locality, place.waterBody, place.country, place.diveSite?.season]
          + [place.diveSite?.description] + Array(place.tags))
    }
    for event in events {
      add(event.id, [event.protocol, event.weather, event.remarks] + Array(event.tags))
    }
    for organism in organisms { add(organism.id, [organism.name] + Array(organism.tags)) }
    for occurrence in occurrences {
      let name = identification(of: occurrence.id)
      add(
        occurrence.id,
        [occurrence.behaviour, occurrence.remarks, name?.verbatimName, name?.taxon?.name]
          + Array(occurrence.tags))
    }
    for case .collection(let collection) in live(.collection) {
      add(collection.id, [collection.name])
    }
    for person in persons { add(person.id, [person.name]) }
    for note in notes { add(note.target, [note.text]) }
    return texts.mapValues { parts in
      Set(
        parts.compactMap { $0 }.flatMap { $0.lowercased().split { !$0.isLetter } }.map(String.init))
    }
  }

  // MARK: - Deleting

  /// How exactly others may know a record by its word and those of all that it is in.
  private func word(_ id: JournalID) -> Privacy {
    guard let record = records[id]?.record else { return .open }
    var word = record.privacy ?? .open
    if case .place(let place) = record, place.kind == .home { word = word.stricter(.obscured) }
    let members = ["parent", "place", "collections"]
    let owners = record.references.filter { members.contains($0.member) }
    return owners.reduce(word) { $0.stricter(self.word($1.id)) }
  }

  /// Deletes a record, and a visit of which nothing else is left.
  mutating func delete(_ id: JournalID) {
    guard isLive(id) else { return }
    deletePart(id)
    guard case .occurrence(let seen)? = records[id]?.record, let visit = event(seen.event),
      isLive(visit.id), isEmpty(visit), visit.weather == nil, visit.remarks == nil,
      !visit.isCompleteList, visit.tags.isEmpty, visit.collections.isEmpty,
      !events.contains(where: { $0.parent == visit.id })
    else { return }
    deletePart(visit.id)
  }

  private func isEmpty(_ visit: Event) -> Bool {
    visit.kind == .visit && !occurrences.contains { $0.event == visit.id }
      && !notes.contains { $0.target == visit.id } && !measures.contains { $0.target == visit.id }
      && !photos.contains { $0.target == visit.id }
  }

  private mutating func deletePart(_ id: JournalID) {
    guard isLive(id), let kept = records[id] else { return }
    let word = self.word(id)
    func put(_ record: JournalRecord, _ oracle: inout Self) {
      guard let own = record.privacy else { return }
      oracle.put((try? record.kept(own.stricter(word))) ?? record)
    }
    switch kept.record {
    case .place(let place):
      for var child in places where child.parent == id {
        child.parent = nil
        put(.place(child), &self)
      }
      for var event in events where event.place == id {
        event.place = nil
        event.position = event.position ?? place.position
        put(.event(event), &self)
      }
      for var organism in organisms where organism.place == id {
        organism.place = nil
        organism.position = organism.position ?? place.position
        put(.organism(organism), &self)
      }
    case .event:
      for occurrence in occurrences where occurrence.event == id { deletePart(occurrence.id) }
      for var part in events where part.parent == id {
        part.parent = nil
        put(.event(part), &self)
      }
    case .organism:
      let own = occurrences.filter { $0.organism == id }
      for occurrence in own { deletePart(occurrence.id) }
      for event in Set(own.map(\.event)) where isLive(event) {
        if let visit = self.event(event), isEmpty(visit) { deletePart(event) }
      }
    case .occurrence:
      for (other, kept) in records {
        if case .identification(let name) = kept.record, name.occurrence == id {
          records[other]?.isDeleted = true
        }
      }
    case .collection:
      for record in records.values where !record.isDeleted {
        let without = record.record.leaving(id)
        if without != record.record { put(without, &self) }
      }
    case .person:
      for var event in events where event.persons.contains(where: { $0.person == id }) {
        event.persons = event.persons.filter { $0.person != id }
        self.put(.event(event))
      }
    case .identification, .note, .measure, .photo: break
    }
    for note in notes where note.target == id { deletePart(note.id) }
    for photo in photos where photo.target == id { records[photo.id]?.isDeleted = true }
    for measure in measures where measure.target == id { records[measure.id]?.isDeleted = true }
    records[id]?.isDeleted = true
  }

  mutating func restore(_ id: JournalID, _ kept: Kept?) { records[id] = kept }
}

@Suite("The journal against brute force")
struct OracleTests {
  private static let folder = Result { try TemporaryFolder() }
  /// A pack to which none of the references leads.
  private static let pack = Result {
    try Pack(path: try Taxonomy.compile(Taxonomy.cats, in: try folder.get()))
  }
  private static let words = ["oak", "beech", "shark", "gull", "wood", "reef", "fog", "deep"]

  /// Random records that refer to what is there.
  private struct Maker {
    var generator: SeededGenerator
    let taxa = (1...6).map { taxon($0, "\(OracleTests.words[$0]) \(OracleTests.words[$0 - 1])") }

    mutating func chance(_ percent: Int) -> Bool {
      Int.random(in: 0..<100, using: &generator) < percent
    }
    mutating func one<Value>(of values: [Value]) -> Value? {
      values.randomElement(using: &generator)
    }
    mutating func word() -> String { one(of: OracleTests.words) ?? "" }
    mutating func text() -> String? { chance(40) ? word() + " " + word() : nil }
    mutating func tags() -> Set<String> { chance(30) ? [word()] : [] }
    mutating func position() -> Position? {
      guard chance(50) else { return nil }
      let unit = Position.unitsPerDegree
      // Few values, so that edges meet.
      return Position(
        latitudeE7: Int.random(in: -9...9, using: &generator) * 10 * unit,
        longitudeE7: Int.random(in: -9...9, using: &generator) * 20 * unit,
        uncertaintyM: chance(50) ? Int.random(in: 1...50, using: &generator) : nil)
    }
    mutating func time() throws -> LocalTime {
      let day = Int.random(in: 1...5, using: &generator)
      let text = one(of: [
        "2026", "2026-01", "1899-12-0\(day)", "2026-01-0\(day)", "2026-01-0\(day)T23:5\(day)",
        "1969-12-31T23:59:5\(day)",
      ])
      return try LocalTime(text ?? "")
    }
    mutating func id(_ ids: [JournalID]) -> JournalID? { chance(60) ? one(of: ids) : nil }
    mutating func collections(_ oracle: Oracle) -> Set<JournalID> {
      Set([id(oracle.live(.collection).map(\.id))].compactMap { $0 })
    }

    mutating func place(_ id: JournalID, _ oracle: Oracle) -> JournalRecord {
      var place = Place(id: id, kind: one(of: Place.Kind.allCases) ?? .spot, name: word())
      place.position = position()
      place.locality = text()
      place.tags = tags()
      place.states = chance(30) ? [.wishlist] : []
      if case .place(let before)? = oracle.records[id]?.record {
        place.parent = before.parent
      } else if let parent = self.id(oracle.places.map(\.id)), oracle.above(parent).count < 6 {
        place.parent = parent
      }
      if chance(50), place.kind == .site || place.kind == .spot {
        var site = DiveSite()
        site.difficulty = Int.random(in: 1...5, using: &generator)
        (site.season, site.description) = (text(), text())
        site.entry = one(of: [nil, .shore, .boat]) ?? nil
        place.diveSite = site
      }
      place.privacy = one(of: Privacy.allCases) ?? .open
      place.collections = collections(oracle)
      return .place(place)
    }

    mutating func event(_ id: JournalID, _ oracle: Oracle) throws -> JournalRecord {
      var event = Event(
        id: id, kind: one(of: Event.Kind.allCases) ?? .visit, start: try time())
      event.status = chance(15) ? .draft : .saved
      event.place = self.id(oracle.places.map(\.id))
      event.position = position()
      event.utcOffsetMin = chance(50) ? Int.random(in: -12...12, using: &generator) * 60 : nil
      event.weather = text()
      event.tags = tags()
      for role in Participant.Role.allCases where chance(20) {
        if let person = one(of: oracle.persons) {
          event.persons.insert(
            Participant(person: person.id, role: role, number: chance(30) ? word() : nil))
        }
      }
      event.collections = collections(oracle)
      if event.kind == .dive, chance(70) {
        var dive = Dive()
        let depth = Int.random(in: 0...40_000, using: &generator)
        dive.maxDepthMm = chance(80) ? depth : nil
        dive.meanDepthMm = chance(50) ? depth / 2 : nil
        dive.durationS = chance(50) ? depth / 10 : nil
        dive.waterMinCk = chance(50) ? 28_000 + depth / 100 : nil
        dive.waterMaxCk = chance(50) ? 29_000 + depth / 100 : nil
        dive.visibilityCm = chance(50) ? depth / 7 : nil
        dive.tanks = chance(50) ? [Dive.Tank()] : []
        event.dive = dive
      }
      return .event(event)
    }

    mutating func organism(_ id: JournalID, _ oracle: Oracle) -> JournalRecord {
      var organism = Organism(id: id)
      organism.name = text()
      organism.place = self.id(oracle.places.map(\.id))
      organism.position = position()
      organism.collections = collections(oracle)
      return .organism(organism)
    }

    mutating func occurrence(_ id: JournalID, _ oracle: Oracle) throws -> JournalRecord? {
      guard let event = one(of: oracle.events) else { return nil }
      var occurrence = Occurrence(id: id, event: event.id)
      occurrence.organism = self.id(oracle.organisms.map(\.id))
      occurrence.position = position()
      occurrence.time = try chance(30) ? time() : nil
      occurrence.presence = chance(15) ? .absent : .present
      occurrence.remarks = text()
      occurrence.tags = tags()
      return .occurrence(occurrence)
    }

    mutating func identification(_ oracle: Oracle) -> JournalRecord? {
      guard let occurrence = one(of: oracle.occurrences) else { return nil }
      guard chance(70), let taxon = one(of: taxa) else {
        return .identification(
          Identification(occurrence: occurrence.id, verbatimName: word()))
      }
      return .identification(
        Identification(
          occurrence: occurrence.id, verbatimName: word(), taxon: taxon, match: .exact))
    }

    mutating func note(_ oracle: Oracle) -> JournalRecord? {
      let targets = [.place, .event, .organism, .occurrence].flatMap { oracle.live($0) }
      return one(of: targets).map { .note(Note(target: $0.id, text: word())) }
    }

    mutating func photo(_ id: JournalID, _ oracle: Oracle) throws -> JournalRecord? {
      let targets = [.place, .event, .organism, .occurrence, .note].flatMap { oracle.live($0) }
      guard let target = one(of: targets)?.id else { return nil }
      let number = UInt8.random(in: 0...2, using: &generator)
      let file = try PhotoFile(PhotoSample.full.jpeg(number: number), name: nil)
      var photo = Photo(id: id, target: target, file: file.file)
      photo.caption = text()
      return .photo(photo)
    }

    mutating func measure(_ id: JournalID, _ oracle: Oracle) -> JournalRecord? {
      let targets = [.place, .event, .organism, .occurrence].flatMap { oracle.live($0) }
      guard let target = one(of: targets)?.id else { return nil }
      return .measure(
        Measure(
          id: id, target: target, type: chance(50) ? "girth_mm" : "x-own",
          number: Int.random(in: 0...9000, using: &generator), text: text()))
    }

    /// A new record, or another one under a UUID that is there.
    mutating func record(_ oracle: Oracle) throws -> JournalRecord? {
      let kinds: [JournalRecord.Kind] = [
        .place, .place, .event, .event, .organism, .occurrence, .occurrence, .identification, .note,
        .collection, .measure, .person, .photo,
      ]
      let kind = one(of: kinds) ?? .place
      let old = chance(30) ? one(of: oracle.live(kind))?.id : nil
      let id = old ?? JournalID()
      switch kind {
      case .place: return place(id, oracle)
      case .event: return try event(id, oracle)
      case .organism: return organism(id, oracle)
      case .occurrence: return try occurrence(id, oracle)
      case .identification: return identification(oracle)
      case .note: return note(oracle)
      case .collection: return .collection(JournalCollection(id: id, name: word()))
      case .measure: return measure(id, oracle)
      case .person: return .person(Person(id: id, name: word()))
      case .photo: return try photo(id, oracle)
      }
    }
  }

  private static func compare(
    _ journal: JournalFile, _ oracle: Oracle, _ maker: inout Maker, _ remark: Comment
  ) throws {
    for (id, kept) in oracle.records {
      let found = try #require(try journal.record(id), remark)
      #expect(found.record == kept.record, remark)
      #expect((found.deletedAt != nil) == kept.isDeleted, remark)
    }
    let sightings = oracle.sightings
    var query = SightingQuery()
    query.includesAbsent = true
    query.limit = .max
    let found = try journal.sightings(query).sightings
    #expect(found.count == sightings.count, remark)
    let times = Dictionary(uniqueKeysWithValues: sightings.map { ($0.occurrence, $0.atMs) })
    let order = found.map { times[$0.occurrence] ?? .min }
    #expect(order == order.sorted(by: >), remark)
    for expected in sightings {
      let seen = found.first { $0.occurrence == expected.occurrence }
      #expect(seen?.taxon == expected.taxon && seen?.position == expected.position, remark)
      #expect(seen?.isPresent == expected.isPresent && seen?.time == expected.time, remark)
    }
    // Boxes.
    for _ in 0..<5 {
      let unit = 10 * Position.unitsPerDegree
      let south = Int.random(in: -9...9, using: &maker.generator)
      let bounds = try Bounds(
        southE7: south * unit, westE7: Int.random(in: -18...18, using: &maker.generator) * unit,
        northE7: Int.random(in: south...9, using: &maker.generator) * unit,
        eastE7: Int.random(in: -18...18, using: &maker.generator) * unit)
      query.bounds = bounds
      let within = Set(try journal.sightings(query).sightings.map(\.occurrence))
      // Longitude 180 is -180 too.
      func contains(_ position: Position) -> Bool {
        var other = position
        other.longitudeE7 = -position.longitudeE7
        return bounds.contains(position)
          || abs(position.longitudeE7) == 18 * unit && bounds.contains(other)
      }
      #expect(
        within == Set(sightings.filter { $0.position.map(contains) ?? false }.map(\.occurrence)),
        remark)
      var placeQuery = PlaceQuery()
      placeQuery.bounds = bounds
      let places = oracle.places.filter { $0.position.map(contains) ?? false }
        .sorted { ($0.name, $0.id) < ($1.name, $1.id) }.map(\.id)
      #expect(try journal.places(placeQuery).places.map(\.id) == places, remark)
      // Of many, the first ones by name.
      placeQuery.limit = 1
      let first = try journal.places(placeQuery)
      #expect(first.places.map(\.id) == Array(places.prefix(1)), remark)
      #expect(first.isCut == (places.count > 1), remark)
    }
    // Text.
    let words = oracle.words
    for word in Self.words {
      let beginning = String(word.prefix(Int.random(in: 1...word.count, using: &maker.generator)))
      let hits = try journal.search(beginning, limit: .max, in: try Self.pack.get()).hits.map(\.id)
      let expected = words.filter { $0.value.contains { $0.hasPrefix(beginning) } }.map(\.key)
      #expect(hits.count == Set(hits).count && Set(hits) == Set(expected), remark)
    }
    // Tallies.
    let present = sightings.filter(\.isPresent)
    try compareLifeList(journal, present, in: pack.get(), remark)
    let calendar = try journal.calendar(-1_000_000...1_000_000)
    let byDay = Dictionary(grouping: present.compactMap(\.day)) { $0 }.mapValues(\.count)
    #expect(
      Dictionary(uniqueKeysWithValues: calendar.map { ($0.day, $0.sightingCount) }) == byDay, remark
    )
    let figures = try journal.keyFigures()
    #expect(figures.sightingCount == present.count, remark)
    #expect(figures.placeCount == oracle.places.count, remark)
    #expect(figures.organismCount == oracle.organisms.count, remark)
    let saved = oracle.events.filter { $0.status == .saved }
    #expect(figures.eventCount == saved.count, remark)
    #expect(figures.diveCount == saved.filter { $0.kind == .dive }.count, remark)
    #expect(
      figures.diveSeconds == saved.compactMap { $0.dive?.durationS }.reduce(0, +), remark)
    #expect(figures.maxDepthMm == saved.compactMap { $0.dive?.maxDepthMm }.max(), remark)
    try compareFacts(journal, oracle, &maker.generator, remark)
    #expect(try journal.check() == [], remark)
  }

  /// Random edits, deletions and undos, after which all that can be asked is compared.
  @Test(arguments: 0..<Sweep.count(few: 6, full: 600))
  func randomEditsLeaveWhatTheyShould(seed: Int) throws {
    let home = try TestJournal()
    var journal = try home.open()
    var oracle = Oracle()
    var maker = Maker(generator: SeededGenerator(seed: UInt64(seed)))
    /// What each batch changed: what was there before it.
    var changes: [Int64: [JournalID: Oracle.Kept?]] = [:]
    func note(_ batch: Int64?, _ before: Oracle, _ after: Oracle) {
      guard let batch else { return }
      let ids = Set(before.records.keys).union(after.records.keys)
      changes[batch] = [:]
      for id in ids where before.records[id] != after.records[id] {
        changes[batch]?[id] = .some(before.records[id])
      }
    }
    for step in 1...120 {
      let before = oracle
      switch Int.random(in: 0..<100, using: &maker.generator) {
      case 0..<70:
        var records: [JournalRecord] = []
        for _ in 0..<Int.random(in: 1...4, using: &maker.generator) {
          guard let record = try maker.record(oracle),
            !records.contains(where: { $0.id == record.id })
          else { continue }
          records.append(record)
          oracle.put(record)
        }
        note(try journal.save(records).batch, before, oracle)
      case 70..<85:
        let kinds: [JournalRecord.Kind] = [
          .place, .event, .organism, .occurrence, .note, .collection, .measure, .person, .photo,
        ]
        guard let record = maker.one(of: kinds.flatMap { oracle.live($0) }) else { continue }
        oracle.delete(record.id)
        note(try journal.delete(record.id).batch, before, oracle)
      case 85..<97:
        guard let batch = maker.one(of: changes.keys.sorted().suffix(6)) else { continue }
        do {
          let (_, by) = try journal.undo(batch: batch)
          for (id, kept) in changes[batch] ?? [:] { oracle.restore(id, kept) }
          note(by, before, oracle)
        } catch is JournalError {
          // Then nothing has changed, which the comparison finds.
        }
      default: journal = try home.open()
      }
      if step % 20 == 0 {
        try Self.compare(journal, oracle, &maker, "seed \(seed), step \(step)")
      }
    }
    let before = try home.dump()
    try journal.rebuild()
    #expect(try home.dump() == before)
  }
}
