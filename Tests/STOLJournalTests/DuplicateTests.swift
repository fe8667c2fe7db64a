import Foundation
import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Duplicates and merging")
struct DuplicateTests {
  @Test(arguments: [
    ("MARTHA", "MARHTA", 0.9611), ("DWAYNE", "DUANE", 0.84), ("DIXON", "DICKSONX", 0.8133),
    ("JELLYFISH", "SMELLYFISH", 0.8963), ("", "", 1), ("a", "", 0), ("a", "a", 1), ("a", "b", 0),
  ])
  func likenessIsThatOfThePapers(a: String, b: String, expected: Double) {
    #expect(abs(JaroWinkler.similarity(a, b) - expected) < 0.00006)
    #expect(abs(JaroWinkler.similarity(b, a) - expected) < 0.00006)
  }

  /// The definition, letter by letter: which letters are common is marked on both sides.
  private static func slow(_ a: String, _ b: String) -> Double {
    let (a, b) = (Array(a), Array(b))
    if a.isEmpty || b.isEmpty { return a == b ? 1 : 0 }
    let window = max(0, max(a.count, b.count) / 2 - 1)
    var (inA, inB) = (Set<Int>(), Set<Int>())
    for i in 0..<a.count {
      for j in 0..<b.count where abs(i - j) <= window && a[i] == b[j] && !inB.contains(j) {
        inA.insert(i)
        inB.insert(j)
        break
      }
    }
    if inA.isEmpty { return 0 }
    let (first, second) = (inA.sorted().map { a[$0] }, inB.sorted().map { b[$0] })
    var half = 0.0
    for (x, y) in zip(first, second) where x != y { half += 0.5 }
    let m = Double(inA.count)
    let jaro = (m / Double(a.count) + m / Double(b.count) + (m - half) / m) / 3
    var prefix = 0
    while prefix < 4, prefix < a.count, prefix < b.count, a[prefix] == b[prefix] { prefix += 1 }
    return jaro + Double(prefix) / 10 * (1 - jaro)
  }

  @Test func likenessIsThatOfItsDefinition() {
    var texts = [""]
    for length in 1...4 {
      texts += texts.filter { $0.count == length - 1 }.flatMap { text in
        ["a", "b", "c"].map { text + $0 }
      }
    }
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<100 {
      texts.append(
        String(
          (0..<Int.random(in: 5...14, using: &generator)).map { _ in
            "aabbcd é".randomElement(using: &generator) ?? "a"
          }))
    }
    for a in texts {
      for b in texts where abs(JaroWinkler.similarity(a, b) - Self.slow(a, b)) > 1e-12 {
        Issue.record("\(a) \(b)")
      }
    }
  }

  private struct Seen {
    var id: JournalID
    var day: String
    var position: Position?
    var taxon: String?
    var words: String
    var organism: JournalID?
    var isPresent: Bool
  }

  @Test(arguments: 0..<Sweep.count(few: 4, full: 300))
  func pairsAreThoseOfBruteForce(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let folder = try TemporaryFolder()
    let space = "INSERT INTO dataset VALUES ('id_space', 'cats');"
    let pack = try Pack(path: try Taxonomy.compile(Taxonomy.cats + space, in: folder))
    let view = pack.view
    let journal = try TestJournal().open()
    let organisms = [Organism(), Organism()]
    var records: [JournalRecord] = organisms.map { .organism($0) }
    var all: [Seen] = []
    for _ in 0..<40 {
      let names = ["Panthera leo", "Panthera", "Felidae", "Panthera tigris", "Quercus robur", nil]
      let seen = Seen(
        id: JournalID(),
        day: ["2026-03-15", "2026-03-16", "2026-03"].randomElement(
          using: &generator) ?? "",
        position: Int.random(in: 0..<8, using: &generator) == 0
          ? nil
          : Position(
            latitudeE7: 700_000_000 + Int.random(in: 0...3000, using: &generator),
            longitudeE7: Bool.random(using: &generator)
              ? 1_799_999_000 : -1_799_999_500 + Int.random(in: 0...3000, using: &generator),
            uncertaintyM: [nil, 3, 30, 100].randomElement(using: &generator) ?? nil),
        taxon: names.randomElement(using: &generator) ?? nil,
        words: ["cat", "CAT", "tree"].randomElement(using: &generator) ?? "",
        organism: Bool.random(using: &generator)
          ? nil : organisms.randomElement(using: &generator)?.id,
        isPresent: Int.random(in: 0..<8, using: &generator) > 0)
      let event = Event(kind: .visit, start: try LocalTime(seen.day))
      var occurrence = Occurrence(id: seen.id, event: event.id)
      (occurrence.organism, occurrence.position) = (seen.organism, seen.position)
      occurrence.presence = seen.isPresent ? .present : .absent
      records += [.event(event), .occurrence(occurrence)]
      var name = Identification(occurrence: seen.id, verbatimName: seen.words)
      if let taxon = seen.taxon {
        let found = try #require(view.resolve(taxon).taxon)
        let stated = view.reference(to: found)
        let reference = try #require(stated)
        (name.taxon, name.match) = (reference, .exact)
      }
      records.append(.identification(name))
      all.append(seen)
    }
    try journal.save(records)
    let lines = [
      "Panthera leo": ["Panthera", "Felidae"], "Panthera tigris": ["Panthera", "Felidae"],
      "Panthera": ["Felidae"],
    ]
    var expected: Set<[JournalID]> = []
    for (index, a) in all.enumerated() {
      for b in all[(index + 1)...] {
        guard a.isPresent, b.isPresent, a.day == b.day, a.day.count == 10,
          let x = a.position, let y = b.position
        else { continue }
        let isOne: Bool
        if let s = a.taxon, let t = b.taxon {
          isOne = s == t || lines[s]?.contains(t) ?? false || lines[t]?.contains(s) ?? false
        } else {
          isOne = a.words.lowercased() == b.words.lowercased()
        }
        guard isOne, a.organism == nil || b.organism == nil || a.organism == b.organism else {
          continue
        }
        let reach = max(10, x.uncertaintyM ?? 0, y.uncertaintyM ?? 0)
        if x.distanceM(to: y) <= Double(reach) { expected.insert([a.id, b.id]) }
      }
    }
    let (pairs, isCut) = try journal.duplicates(in: pack)
    #expect(!isCut && pairs.count == Set(pairs.map { [$0.first, $0.second] }).count)
    #expect(Set(pairs.map { [$0.first, $0.second] }) == expected, "seed \(seed)")
    #expect(pairs.map(\.score) == pairs.map(\.score).sorted(by: >))
    #expect(pairs.allSatisfy { (0...100).contains($0.score) && $0.reasons.count >= 2 })
    if pairs.count > 1 {
      let few = try journal.duplicates(in: pack, limit: 1)
      #expect(few.pairs == [pairs[0]] && few.isCut)
    }
  }

  @Test func whatSpeaksForOneIsSaid() throws {
    let pack = try BundledDatabase.open()
    let journal = try TestJournal().open()
    var event = Event(kind: .visit, start: try LocalTime("2026-03-15T09:44"))
    event.position = Position(latitudeE7: 0, longitudeE7: 0)
    var (a, b) = (Occurrence(event: event.id), Occurrence(event: event.id))
    (a.count, a.countKind, b.count, b.countKind) = (2, .exact, 3, .exact)
    (a.sex, b.sex) = ("female", "female")
    try journal.save([
      .event(event), .occurrence(a), .occurrence(b),
      .identification(
        Identification(occurrence: a.id, verbatimName: "x", taxon: taxon(1, "A b"), match: .exact)),
      .identification(
        Identification(occurrence: b.id, verbatimName: "y", taxon: taxon(1, "A b"), match: .exact)),
    ])
    #expect(
      try journal.duplicates(in: pack).pairs == [
        DuplicatePair(
          first: a.id, second: b.id, score: 80,
          reasons: ["same taxon", "0 m apart", "same time", "counts differ"])
      ])
  }

  @Test func mergingKeepsAllOfBothAndIsUndone() throws {
    let home = try TestJournal()
    let journal = try home.open()
    var (kept, other) = (try Walk(), try Walk())
    kept.oak.remarks = "hollow"
    other.oak.remarks = "by the gate"
    other.oak.lifeStage = "adult"
    other.oak.tags = ["Old"]
    kept.oak.tags = ["old", "tall"]
    other.oak.collections = [other.orchard.id]
    let remark = Identification(occurrence: other.oak.id, verbatimName: "an oak")
    try journal.save(kept.records)
    try journal.save(other.records + [.identification(remark)])
    let before = try home.dump()
    let plan = try journal.merge(other.oak.id, into: kept.oak.id, isRehearsal: true)
    #expect(plan.batch == nil && plan.moved == [.identification: 2, .note: 1])
    #expect(plan.filledVisit == nil)
    #expect(try home.dump() == before)
    let outcome = try journal.merge(other.oak.id, into: kept.oak.id)
    #expect(outcome.moved == plan.moved)
    #expect(try journal.check() == [])
    guard case .occurrence(let merged)? = try journal.record(kept.oak.id)?.record else {
      Issue.record("no occurrence")
      return
    }
    #expect(merged.remarks == "hollow\nby the gate" && merged.lifeStage == "adult")
    #expect(merged.tags == ["old", "tall"] && merged.collections == [other.orchard.id])
    #expect(merged.event == kept.event.id && merged.organism == kept.tree.id)
    let parts = try journal.parts(of: kept.oak.id).map(\.record)
    let names = parts.compactMap { part in
      if case .identification(let name) = part { name.verbatimName } else { nil }
    }
    // What held holds on.
    #expect(names == ["quercus robur", "quercus robur", "an oak", "quercus robur"])
    #expect(parts.count { $0.kind == .note } == 2)
    #expect(try journal.record(other.oak.id)?.deletedAt != nil)
    // The other event has a bird, and stays.
    #expect(try journal.record(other.event.id)?.deletedAt == nil)
    try journal.undo(batch: outcome.batch)
    #expect(try home.dump() == before)
    #expect(try journal.check() == [])
  }

  @Test func whereTheOtherOneWasIsKept() throws {
    let journal = try TestJournal().open()
    let day = try LocalTime("2026-03-15")
    let reef = Place(kind: .site, name: "Reef")
    let (first, last) = (Event(kind: .visit, start: day), Event(kind: .visit, start: day))
    var (second, dive) = (
      Event(kind: .visit, start: try LocalTime("2026-03-15T10:30")), Event(kind: .dive, start: day)
    )
    let position = Position(latitudeE7: 100_000_000, longitudeE7: 200_000_000, uncertaintyM: 3)
    (second.position, dive.position) = (position, position)
    (second.place, second.protocol, second.utcOffsetMin) = (reef.id, "net", 60)
    (second.effortValue, second.effortUnit) = (5, "min")
    second.end = try LocalTime("2026-03-15T11:00")
    second.privacy = .obscured
    let seen = [first, second, last, dive].map { Occurrence(event: $0.id) }
    try journal.save(
      [.place(reef)] + [first, second, last, dive].map { .event($0) }
        + seen.map { .occurrence($0) })
    func event(_ id: JournalID) throws -> Event? {
      if case .event(let event)? = try journal.record(id)?.record { event } else { nil }
    }
    func sighting(_ id: JournalID) throws -> Sighting? {
      try journal.sightings(SightingQuery()).sightings.first { $0.occurrence == id }
    }
    // The visit that stays says what the one that goes did, but for its times.
    let plan = try journal.merge(seen[1].id, into: seen[0].id, isRehearsal: true)
    let outcome = try journal.merge(seen[1].id, into: seen[0].id)
    #expect(plan.filledVisit == first.id && outcome.filledVisit == first.id)
    var expected = second
    (expected.id, expected.start, expected.end) = (first.id, day, nil)
    #expect(try event(first.id) == expected)
    #expect(try sighting(seen[0].id)?.position == position)
    // It says so alone, so that who moves it moves what was seen.
    var kept = seen[0]
    kept.privacy = .obscured
    #expect(try journal.record(kept.id)?.record == .occurrence(kept))
    #expect(try journal.record(second.id)?.deletedAt != nil)
    // A dive stays as it is, and what was seen says where.
    try journal.merge(seen[3].id, into: seen[2].id)
    #expect(try event(last.id) == last && event(dive.id) == dive)
    #expect(try sighting(seen[2].id)?.position == position)
    #expect(try journal.check() == [])
    try journal.undo()
    try journal.undo(batch: outcome.batch)
    #expect(try event(first.id) == first && sighting(seen[0].id)?.position == nil)
    #expect(try event(second.id) == second && journal.check() == [])
  }

  @Test func whatWasSeenAndWhatWasNotAreNotOne() throws {
    let journal = try TestJournal().open()
    let event = Event(kind: .visit, start: try LocalTime("2026-03-15"))
    var (seen, absent) = (Occurrence(event: event.id), Occurrence(event: event.id))
    absent.presence = .absent
    seen.count = 7
    try journal.save([.event(event), .occurrence(seen), .occurrence(absent)])
    for (stays, goes) in [(seen, absent), (absent, seen)] {
      #expect(throws: JournalError.self) { try journal.merge(goes.id, into: stays.id) }
    }
    #expect(try journal.sightings(SightingQuery()).sightings.map(\.count) == [7])
  }

  @Test func aVisitThatHasNothingLeftGoes() throws {
    let journal = try TestJournal().open()
    let (one, two) = (
      Event(kind: .visit, start: try LocalTime("2026-03-15")),
      Event(kind: .visit, start: try LocalTime("2026-03-15"))
    )
    let (a, b) = (Occurrence(event: one.id), Occurrence(event: two.id))
    try journal.save([.event(one), .event(two), .occurrence(a), .occurrence(b)])
    try journal.merge(b.id, into: a.id)
    #expect(try journal.record(two.id)?.deletedAt != nil)
    #expect(try journal.keyFigures().eventCount == 1)
    #expect(throws: JournalError.deleted(id: b.id)) { try journal.merge(b.id, into: a.id) }
    #expect(throws: JournalError.self) { try journal.merge(a.id, into: a.id) }
    #expect(throws: JournalError.self) { try journal.merge(one.id, into: a.id) }
    #expect(throws: JournalError.self) { try journal.merge(JournalID(), into: a.id) }
    let third = Event(kind: .visit, start: try LocalTime("2026"))
    try journal.save([.event(third)])
    #expect(throws: JournalError.self) { try journal.merge(third.id, into: one.id) }
    #expect(try journal.check() == [])
  }

  @Test func placesAndOrganismsAreMerged() throws {
    let home = try TestJournal()
    let journal = try home.open()
    var (kept, other) = (try Walk(), try Walk())
    other.place.country = "US"
    other.place.states = [.planned]
    var child = Place(kind: .spot, name: "Gate")
    child.parent = other.place.id
    // The one that stays is part of the one that goes.
    kept.place.parent = other.place.id
    kept.tree.status = .unknown
    other.tree.status = .alive
    try journal.save(other.records + [.place(child)])
    try journal.save(kept.records)
    let before = try home.dump()
    let batch = try journal.merge(other.place.id, into: kept.place.id).batch
    guard case .place(let place)? = try journal.record(kept.place.id)?.record,
      case .place(let gate)? = try journal.record(child.id)?.record,
      case .event(let event)? = try journal.record(other.event.id)?.record
    else {
      Issue.record("no records")
      return
    }
    #expect(place.parent == nil && place.country == "US" && place.states == [.planned, .wishlist])
    #expect(gate.parent == kept.place.id && event.place == kept.place.id)
    try journal.merge(other.tree.id, into: kept.tree.id)
    guard case .organism(let tree)? = try journal.record(kept.tree.id)?.record else {
      Issue.record("no organism")
      return
    }
    #expect(tree.status == .alive && tree.collections == [kept.orchard.id, other.orchard.id])
    #expect(try journal.check() == [])
    try journal.undo()
    try journal.undo(batch: batch)
    #expect(try home.dump() == before)
  }

  @Test func likePlacesNearEachOtherAreFound() throws {
    var generator = SeededGenerator(seed: 7)
    let journal = try TestJournal().open()
    let names = [
      "Blue Corner", "Blue corner", "Blue Cornér", "Blue Corner Wall", "German Channel",
      "Germany Channel", "Ngemelis",
    ]
    var places: [Place] = []
    for index in 0..<120 {
      var place = Place(
        kind: index % 5 == 0 ? .shop : .site, name: names.randomElement(using: &generator) ?? "")
      if index % 11 != 0 {
        place.position = Position(
          latitudeE7: Int.random(in: 70_000_000...70_100_000, using: &generator),
          longitudeE7: Bool.random(using: &generator)
            ? 1_799_999_000 : -1_799_999_000 + Int.random(in: 0...50_000, using: &generator))
      }
      if index % 7 == 3 { place.parent = places[index / 2].id }
      places.append(place)
    }
    try journal.save(places.map { .place($0) })
    func above(_ place: Place) -> [JournalID] {
      guard let parent = places.first(where: { $0.id == place.parent }) else { return [] }
      return [parent.id] + above(parent)
    }
    var expected: [[JournalID]: Double] = [:]
    for (index, a) in places.enumerated() {
      for b in places[(index + 1)...] {
        guard let x = a.position, let y = b.position, a.kind == b.kind,
          x.distanceM(to: y) <= 250, !above(a).contains(b.id), !above(b).contains(a.id)
        else { continue }
        let plain = [a.name, b.name].map { $0.lowercased().replacing("é", with: "e") }
        let alike = Self.slow(plain[0], plain[1])
        if alike >= 0.92 { expected[[a.id, b.id]] = alike }
      }
    }
    let found = try journal.placeDuplicates()
    #expect(
      found.count > 20 && Set(found.map { [$0.first.id, $0.second.id] }) == Set(expected.keys))
    for pair in found {
      #expect(abs(pair.similarity - (expected[[pair.first.id, pair.second.id]] ?? 0)) < 1e-12)
      #expect(pair.distanceM <= 250)
    }
    #expect(found.map(\.similarity) == found.map(\.similarity).sorted(by: >))
    #expect(try journal.placeDuplicates(distanceM: 0, similarity: 1).count < found.count)
  }
}
