import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLJournal

/// What follows about places and persons, by going through all records.
extension Oracle {
  /// A place and all that it is part of.
  func above(_ id: JournalID) -> [JournalID] {
    var ids = [id]
    while case .place(let place)? = records[ids[ids.count - 1]]?.record, let parent = place.parent,
      !ids.contains(parent)
    {
      ids.append(parent)
    }
    return ids
  }

  /// The places of what was seen, each with the taxon.
  var placed: [(place: JournalID?, taxon: TaxonReference?)] {
    sightings.filter(\.isPresent).map { seen in
      guard case .occurrence(let occurrence)? = records[seen.occurrence]?.record,
        case .event(let event)? = records[occurrence.event]?.record
      else { return (nil, nil) }
      var place = event.place
      if place == nil, let id = occurrence.organism,
        case .organism(let organism)? = records[id]?.record
      {
        place = organism.place
      }
      return (place, seen.taxon)
    }
  }

  func facts(
    of place: JournalID, _ events: [Event], _ placed: [(place: JournalID?, taxon: TaxonReference?)]
  ) -> PlaceFacts {
    func isWithin(_ other: JournalID?) -> Bool { other.map { above($0).contains(place) } ?? false }
    let there = events.filter { $0.status == .saved && $0.kind != .trip && isWithin($0.place) }
    var facts = PlaceFacts()
    facts.eventCount = there.count
    facts.diveCount = there.filter { $0.kind == .dive }.count
    let dives = there.compactMap(\.dive)
    func mean(_ halves: [Int]) -> Int? {
      halves.isEmpty
        ? nil : Int((Double(halves.reduce(0, +)) / 2 / Double(halves.count)).rounded())
    }
    facts.diveSeconds = dives.compactMap(\.durationS).reduce(0, +)
    facts.maxDepthMm = dives.compactMap(\.maxDepthMm).max()
    facts.meanDepthMm = mean(dives.compactMap(\.meanDepthMm).map { 2 * $0 })
    facts.meanVisibilityCm = mean(dives.compactMap(\.visibilityCm).map { 2 * $0 })
    facts.meanWaterCk = mean(
      dives.compactMap { dive in
        guard let one = dive.waterMinCk ?? dive.waterMaxCk,
          let other = dive.waterMaxCk ?? dive.waterMinCk
        else { return nil }
        return one + other
      })
    let starts = there.map { ($0.start.firstMs(offsetMin: $0.utcOffsetMin), $0.start.text) }
    facts.firstTime = starts.first { $0.0 == starts.map { $0.0 }.min() }?.1
    facts.lastTime = starts.first { $0.0 == starts.map { $0.0 }.max() }?.1
    let seen = placed.filter { isWithin($0.place) }
    facts.sightingCount = seen.count
    facts.taxonRefCount = Set(seen.compactMap(\.taxon)).count
    return facts
  }
}

/// Compares what follows about places and persons.
func compareFacts(
  _ journal: JournalFile, _ oracle: Oracle, _ generator: inout SeededGenerator, _ remark: Comment
) throws {
  let (events, occurrences, placed) = (oracle.events, oracle.occurrences, oracle.placed)
  let (notes, measures, photos) = (oracle.notes, oracle.measures, oracle.photos)
  for place in oracle.places {
    let detail = try journal.detail(ofPlace: place.id)
    #expect(detail.facts == oracle.facts(of: place.id, events, placed), remark)
    #expect(detail.place.record == .place(place), remark)
    #expect(detail.parents.map(\.id) == oracle.above(place.id).dropFirst().reversed(), remark)
    let own = notes.filter { $0.target == place.id }.map(\.id)
    let measured = measures.filter { $0.target == place.id }.map(\.id)
    let shown = photos.filter { $0.target == place.id }.map(\.id)
    #expect(Set(detail.parts.map(\.record.id)) == Set(own + measured + shown), remark)
  }
  for event in events {
    let detail = try journal.detail(ofEvent: event.id)
    #expect(Set(detail.participants.map(\.person)) == Set(event.persons.map(\.person)), remark)
    #expect(detail.participants.count == event.persons.count, remark)
    let seen = occurrences.filter { $0.event == event.id }
    #expect(detail.seen.map(\.occurrence) == seen.map(\.id), remark)
    #expect(
      detail.seen.map(\.verbatimName)
        == seen.map { oracle.identification(of: $0.id)?.verbatimName },
      remark)
  }
  let counted = try journal.persons()
  #expect(counted.map(\.person.id).count == oracle.persons.count, remark)
  for person in counted {
    let taken = events.filter { event in
      event.persons.contains { $0.person == person.person.id }
    }
    #expect(person.eventCount == taken.count, remark)
  }
  // Few difficulties, so that there are some of each.
  for difficulty in 1...5 {
    var query = PlaceQuery()
    query.diveSite.maxDifficulty = difficulty
    query.diveSite.entry = .boat
    let expected = oracle.places.filter {
      $0.diveSite?.entry == .boat && ($0.diveSite?.difficulty ?? 9) <= difficulty
    }
    #expect(Set(try journal.places(query).places.map(\.id)) == Set(expected.map(\.id)), remark)
  }
  for _ in 0..<5 {
    let unit = 10 * Position.unitsPerDegree
    let center = Position(
      latitudeE7: Int.random(in: -9...9, using: &generator) * unit,
      longitudeE7: Int.random(in: -18...18, using: &generator) * unit)
    let radius = Int.random(in: 0...20_100_000, using: &generator)
    var query = PlaceQuery()
    query.limit = .max
    let near = try journal.places(near: center, radiusM: Double(radius), query)
    let expected = oracle.places.compactMap { place in
      place.position.map { (place.id, center.distanceM(to: $0)) }
    }.filter { $0.1 <= Double(radius) }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
    #expect(near.map(\.place.id) == expected.map { $0.0 }, remark)
  }
}

/// Compares the life list with what was seen, in the order in which it was kept; no reference leads to a taxon of the
/// pack, so that each is an entry.
func compareLifeList(
  _ journal: JournalFile, _ present: [Oracle.Seen], in pack: Pack, _ remark: Comment
) throws {
  let list = try journal.lifeList(SightingQuery(), in: pack)
  let moments = present.compactMap { seen in seen.taxon.map { ($0, seen.atMs, seen.time) } }
  #expect(Set(list.map(\.taxon)) == Set(moments.map { $0.0 }), remark)
  var before = Int64.max
  for entry in list {
    // Of one moment the first one that was kept is first, and the last one last.
    let seen = moments.filter { $0.0 == entry.taxon }
    let (first, last) = (seen.map { $0.1 }.min() ?? 0, seen.map { $0.1 }.max() ?? 0)
    #expect(entry.sightingCount == seen.count && entry.outcome == "absent", remark)
    #expect(entry.firstTime == seen.first { $0.1 == first }?.2, remark)
    #expect(entry.lastTime == seen.last { $0.1 == last }?.2, remark)
    #expect(first <= before, remark)
    before = first
  }
}
