import Foundation
import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Life lists, statistics and what is near")
struct LifeTests {
  /// What was seen, when and where.
  private struct Seen {
    var name: String
    var date: String
    var place: Int?
    var isPresent: Bool
  }

  private static let names = [
    "Panthera leo", "Panthera tigris", "Panthera", "Canis lupus", "Quercus robur", "Felidae",
    // In no database; the one is a species, the other a genus.
    "Absentia nova", "Absentia",
  ]

  @Test(arguments: 0..<Sweep.count(few: 4, full: 200))
  func countsAreThoseOfBruteForce(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let folder = try TemporaryFolder()
    let space = "INSERT INTO dataset VALUES ('id_space', 'cats');"
    let pack = try Pack(path: try Taxonomy.compile(Taxonomy.cats + space, in: folder))
    let view = pack.view
    let journal = try TestJournal().open()
    var region = Place(kind: .region, name: "Palau")
    region.country = "PW"
    var (reef, wreck, farm) = (
      Place(kind: .site, name: "Reef"), Place(kind: .site, name: "Wreck"),
      Place(kind: .home, name: "Farm")
    )
    (reef.parent, wreck.parent) = (region.id, reef.id)
    farm.country = "AT"
    let places = [region, reef, wreck, farm]
    var records: [JournalRecord] = places.map { .place($0) }
    var all: [Seen] = []
    for _ in 0..<60 {
      let dates = [
        "2024", "2025-03", "2025-03-01", "2025-03-07", "2026-01-31", "2026-01-31T00:00",
        "2026-02-01", "2025-12-31",
      ]
      let seen = Seen(
        name: Self.names.randomElement(using: &generator) ?? "",
        date: dates.randomElement(using: &generator) ?? "",
        place: [nil, 0, 1, 2, 3].randomElement(using: &generator) ?? nil,
        isPresent: Int.random(in: 0..<6, using: &generator) > 0)
      var event = Event(kind: .visit, start: try LocalTime(seen.date))
      event.place = seen.place.map { places[$0].id }
      var occurrence = Occurrence(event: event.id)
      occurrence.presence = seen.isPresent ? .present : .absent
      var reference = taxon(7, seen.name)
      if seen.name.hasPrefix("Absentia") {
        reference.rank = seen.name.contains(" ") ? "species" : "genus"
        reference.id = reference.rank
      } else {
        let found = try #require(view.resolve(seen.name).taxon)
        let stated = view.reference(to: found)
        reference = try #require(stated)
      }
      // Some references are of before; the name decides then.
      if !seen.name.hasPrefix("Absentia"), Bool.random(using: &generator) {
        (reference.idSpace, reference.id) = ("old", "x")
      }
      all.append(seen)
      records += [
        .event(event), .occurrence(occurrence),
        .identification(
          Identification(
            occurrence: occurrence.id, verbatimName: seen.name, taxon: reference, match: .exact)),
      ]
    }
    try journal.save(records)
    let present = all.filter(\.isPresent)
    // When each was seen first: of one moment, the one that was kept first.
    func firstMoment(_ seen: Seen) throws -> Int64 {
      try LocalTime(seen.date).firstMs(offsetMin: nil)
    }
    var firsts: [String: Int] = [:]
    for (index, seen) in all.enumerated() where seen.isPresent {
      if let known = firsts[seen.name], try firstMoment(all[known]) <= firstMoment(seen) {
        continue
      }
      firsts[seen.name] = index
    }
    func country(_ place: Int?) -> String? { place.map { $0 < 3 ? "PW" : "AT" } }
    let groups: [(LifeGroup, (Seen) -> String?)] = [
      (.year, { String($0.date.prefix(4)) }),
      (.month, { $0.date.count > 4 ? Int($0.date.dropFirst(5).prefix(2)).map { "\($0)" } : nil }),
      (.country, { country($0.place) }),
      (.place, { $0.place.map { "\(places[$0].id)" } }),
    ]
    for isInPalau in [false, true] {
      var query = SightingQuery()
      if isInPalau { query.country = "PW" }
      func fits(_ seen: Seen) -> Bool { !isInPalau || country(seen.place) == "PW" }
      for (group, value) in groups {
        let counts = try journal.lifeCounts(query, by: group, in: pack)
        let expected = Dictionary(grouping: present.filter(fits), by: value)
        #expect(Set(counts.map(\.value)) == Set(expected.keys), "\(group)")
        for count in counts {
          let seen = expected[count.value] ?? []
          #expect(count.sightingCount == seen.count, "\(group)")
          #expect(count.taxonCount == Set(seen.map(\.name)).count, "\(group)")
          let new = firsts.values.filter { fits(all[$0]) && value(all[$0]) == count.value }
          #expect(count.newCount == new.count, "\(group) \(count)")
        }
        #expect(counts.dropLast().allSatisfy { $0.value != nil }, "what has none is last")
      }
      let list = try journal.lifeList(query, in: pack)
      let seen = Dictionary(grouping: present.filter(fits)) { $0.name }
      #expect(
        Set(list.map { $0.currentName ?? $0.taxon.name }) == Set(seen.keys)
          && list.count == seen.count)
      for entry in list {
        // Of one moment the first one that was kept is first, and the last one last.
        let all = seen[entry.currentName ?? entry.taxon.name] ?? []
        let moments = try all.map(firstMoment)
        let first = moments.firstIndex { $0 == moments.min() }.map { all[$0].date }
        let last = moments.lastIndex { $0 == moments.max() }.map { all[$0].date }
        #expect(entry.sightingCount == all.count)
        #expect(entry.firstTime.text == first && entry.lastTime.text == last)
      }
      let popular = try journal.popularSpecies(query, in: pack)
      let species = Dictionary(
        grouping: present.filter {
          fits($0) && $0.name.contains(" ")
        }
      ) { $0.name }.mapValues(\.count)
      #expect(
        Dictionary(uniqueKeysWithValues: popular.map { ($0.taxon.name, $0.sightingCount) })
          == species)
      #expect(popular.map(\.sightingCount) == popular.map(\.sightingCount).sorted(by: >))
    }
    let species = Set(present.map(\.name).filter { $0.contains(" ") })
    #expect(try journal.speciesCount(in: pack) == species.count)
    // New this year.
    let days = try LocalTime("2026").firstDay...LocalTime("2026").lastDay
    let new = try journal.newTaxa(days, in: pack)
    #expect(
      Set(new.map { $0.currentName ?? $0.taxon.name })
        == Set(firsts.values.filter { all[$0].date.hasPrefix("2026") }.map { all[$0].name }))
    for entry in new {
      // And how often then; what somebody saw some day of a year may have been in any other part of it.
      let name = entry.currentName ?? entry.taxon.name
      #expect(
        entry.sightingCount == present.count { $0.name == name && $0.date.hasPrefix("2026") })
    }
    // By month.
    let months = try journal.monthlyCounts(-1_000_000...1_000_000)
    let byMonth = Dictionary(grouping: present.filter { $0.date.count > 4 }) {
      String($0.date.prefix(7))
    }
    #expect(months.count == byMonth.count)
    for month in months {
      let text = try byMonth.keys.first { try LocalTime($0).firstDay == month.firstDay } ?? ""
      #expect(byMonth[text]?.count == month.sightingCount)
    }
    let march = try LocalTime("2025-03")
    #expect(
      try journal.monthlyCounts(march.firstDay...march.lastDay).map(\.sightingCount)
        == [byMonth["2025-03"]?.count].compactMap { $0 })
    // What was in March may have been on any day of it.
    for (days, dates) in [
      (march.firstDay + 1...march.lastDay, ["2025-03", "2025-03-07"]),
      (march.firstDay + 7...march.lastDay + 9, ["2025-03"]),
      (march.lastDay + 1...march.lastDay + 9, []),
    ] {
      let count = present.count { dates.contains($0.date) }
      #expect(
        try journal.monthlyCounts(days).map(\.sightingCount) == (count == 0 ? [] : [count]))
    }
    // At a place and in what is part of it.
    var query = SightingQuery()
    query.region = reef.id
    query.limit = .max
    #expect(
      try journal.sightings(query).sightings.count
        == present.count { $0.place == 1 || $0.place == 2 })
  }

  /// What references lead to is found out but once, and for each pack and each file anew.
  @Test func aLifeListGoesByThePackAndTheFileThatAreAskedFor() throws {
    let folder = try TemporaryFolder()
    let space = "INSERT INTO dataset VALUES ('id_space', 'cats');"
    let pack = try Pack(path: try Taxonomy.compile(Taxonomy.cats + space, in: folder))
    let renamed = Taxonomy.cats.replacing("Panthera leo", with: "Leo leo")
    let other = try Pack(path: try Taxonomy.compile(renamed + space, in: folder, "renamed"))
    func see(_ name: String, _ date: String, _ journal: JournalFile) throws -> JournalID {
      let view = pack.view
      let found = try #require(view.resolve(name).taxon)
      let stated = view.reference(to: found)
      let event = Event(kind: .visit, start: try LocalTime(date))
      let seen = Occurrence(event: event.id)
      let identification = Identification(
        occurrence: seen.id, verbatimName: name, taxon: try #require(stated), match: .exact)
      try journal.save([.event(event), .occurrence(seen), .identification(identification)])
      return event.id
    }
    let home = try TestJournal()
    let journal = try home.open()
    func names(_ pack: Pack) throws -> [String?] {
      try journal.lifeList(SightingQuery(), in: pack).map(\.currentName)
    }
    _ = try see("Panthera leo", "2026-01-01", journal)
    let tiger = try see("Panthera tigris", "2026-01-02", journal)
    for _ in 0..<2 {
      #expect(try names(pack) == ["Panthera tigris", "Panthera leo"])
      #expect(try names(other) == ["Panthera tigris", "Leo leo"])
    }
    // Somebody else removes a reference and adds another one.
    do {
      let second = try home.open()
      try second.delete(tiger)
      try second.purge()
      _ = try see("Canis lupus", "2026-01-03", second)
    }
    #expect(try names(pack) == ["Canis lupus", "Panthera leo"])
    // Another file comes under the name of this one.
    let elsewhere = try TestJournal()
    do { _ = try see("Quercus robur", "2026-01-04", try elsewhere.open()) }
    for ending in ["-wal", "-shm", ""] {
      try? FileManager.default.removeItem(atPath: home.path + ending)
    }
    try FileManager.default.copyItem(atPath: elsewhere.path, toPath: home.path)
    #expect(try names(pack) == ["Quercus robur"])
  }

  /// A species that was split, one that is gone, and one whose id is another taxon's now.
  @Test func whatIsNotOneTaxonIsShownWithItsSightings() throws {
    let folder = try TemporaryFolder()
    let space = "INSERT INTO dataset VALUES ('id_space', 'cats');"
    let old = try Pack(path: try Taxonomy.compile(Taxonomy.cats + space, in: folder, "old"))
    let new = try Pack(
      path: try Taxonomy.compile(
        """
        INSERT INTO taxa (id, parent_id, rank, scientific_name) VALUES
          (1, NULL, 'kingdom', 'Metazoa'), (2, 1, 'family', 'Felidae'), (5, 2, 'genus', 'Panthera'),
          (7, 5, 'species', 'Panthera tigris'), (60, 5, 'species', 'Panthera africana'),
          (61, 5, 'species', 'Panthera asiatica'), (10, 1, 'species', 'Hirundo rustica');
        INSERT INTO names (id, taxon_id, name, lang, name_type, is_preferred) VALUES
          (1, 60, 'Panthera leo', 'la', 'synonym', 0), (2, 61, 'Panthera leo', 'la', 'synonym', 0);
        INSERT INTO dataset VALUES ('id_space', 'cats');
        """, in: folder, "new"))
    let home = try TestJournal()
    let journal = try home.open()
    let event = Event(kind: .visit, start: try LocalTime("2026-01-01"))
    let tree = Organism()
    var records: [JournalRecord] = [.event(event), .organism(tree)]
    var seen: [String: [JournalID]] = [:]
    let view = old.view
    for name in ["Panthera leo", "Panthera tigris", "Canis lupus", "Panthera leo", "Quercus robur"]
    {
      let found = try #require(view.resolve(name).taxon)
      let stated = view.reference(to: found)
      var reference = try #require(stated)
      // Lions are from a database with other ids.
      if name == "Panthera leo" { (reference.idSpace, reference.id) = ("other", "x") }
      var occurrence = Occurrence(event: event.id)
      if name == "Panthera leo", seen[name] == nil { occurrence.organism = tree.id }
      seen[name, default: []].append(occurrence.id)
      records += [
        .occurrence(occurrence),
        .identification(
          Identification(
            occurrence: occurrence.id, verbatimName: name, taxon: reference, match: .exact)),
      ]
    }
    try journal.save(records)
    let list = try journal.lifeList(SightingQuery(), in: new)
    let byName = Dictionary(uniqueKeysWithValues: list.map { ($0.taxon.name, $0) })
    #expect(
      byName.mapValues(\.outcome) == [
        "Panthera leo": "ambiguous", "Panthera tigris": "same", "Canis lupus": "ambiguous",
        "Quercus robur": "absent",
      ])
    #expect(
      byName["Panthera leo"].map { Set($0.candidates.map(\.name)) }
        == ["Panthera africana", "Panthera asiatica"])
    #expect(byName["Panthera leo"]?.sightingCount == 2)
    #expect(byName["Panthera tigris"]?.candidates == [])
    let unclear = try journal.unclearReferences(in: new)
    #expect(Set(unclear.map(\.reference.name)) == ["Panthera leo", "Canis lupus", "Quercus robur"])
    var query = SightingQuery()
    for reference in unclear {
      query.taxa = [reference.id]
      let sightings = try journal.sightings(query).sightings
      #expect(Set(sightings.map(\.occurrence)) == Set(seen[reference.reference.name] ?? []))
      #expect(reference.candidates == byName[reference.reference.name]?.candidates)
    }
    // Whichever it is, it is a cat; but a wolf is no swallow.
    for (clade, count) in [
      ("Felidae", 3), ("Panthera", 3), ("Panthera africana", 0), ("Metazoa", 3),
      ("Hirundo rustica", 0),
    ] {
      let newView = new.view
      query.taxa = try journal.references(
        within: try #require(newView.resolve(clade).taxon), in: new)
      #expect(try journal.sightings(query).sightings.count == count, "\(clade)")
    }
    #expect(try journal.unclearReferences(in: old).map(\.reference.name) == [])
    // One of the two lions lives in Africa.
    let lions = Set(unclear.filter { $0.reference.name == "Panthera leo" }.map(\.id))
    let newView = new.view
    let african = newView.reference(to: try #require(newView.resolve("Panthera africana").taxon))
    let asian = newView.reference(to: try #require(newView.resolve("Panthera asiatica").taxon))
    let africa = try #require(african)
    let asia = try #require(asian)
    var there = SightingQuery()
    there.organism = tree.id
    let before = try home.dump()
    #expect(try journal.decide(lions, is: africa, of: there, isRehearsal: true).count == 1)
    #expect(try home.dump() == before)
    #expect(try journal.decide(lions, is: africa, of: there).count == 1)
    #expect(try journal.decide(lions, is: asia).count == 1)
    #expect(try journal.decide(lions, is: asia).count == 0)
    #expect(
      try journal.unclearReferences(in: new).map(\.reference.name).sorted()
        == ["Canis lupus", "Quercus robur"])
    let now = try journal.lifeList(SightingQuery(), in: new)
    #expect(
      Set(now.map { "\($0.taxon.name) \($0.outcome) \($0.sightingCount)" }) == [
        "Panthera africana same 1", "Panthera asiatica same 1", "Panthera tigris same 1",
        "Canis lupus ambiguous 1", "Quercus robur absent 1",
      ])
    let first = try journal.parts(of: try #require(seen["Panthera leo"]?.first)).map(\.record)
    guard case .identification(let last)? = first.last else {
      Issue.record("no identification")
      return
    }
    #expect(first.count == 2 && last.match == .chosen && last.verbatimName == "Panthera leo")
    #expect(last.taxon == africa)
    #expect(try journal.check() == [])
    _ = try journal.undo()
    _ = try journal.undo()
    #expect(try home.dump() == before)
  }

  @Test func nearPlacesAreThoseOfBruteForce() throws {
    var generator = SeededGenerator(seed: 4)
    let journal = try TestJournal().open()
    let unit = Position.unitsPerDegree
    func position(_ generator: inout SeededGenerator) -> Position {
      let isFar = Bool.random(using: &generator)
      let latitudes = isFar ? -90 * unit...90 * unit : -90 * unit...(-89) * unit
      return Position(
        latitudeE7: Int.random(in: latitudes, using: &generator),
        longitudeE7: isFar && Bool.random(using: &generator)
          ? (Bool.random(using: &generator) ? 179 : -180) * unit
            + Int.random(in: 0...unit, using: &generator)
          : Int.random(in: -180 * unit...180 * unit, using: &generator))
    }
    var places: [Place] = []
    for index in 0..<120 {
      var place = Place(kind: index % 3 == 0 ? .shop : .site, name: "\(index)")
      place.position = index == 7 ? nil : position(&generator)
      places.append(place)
    }
    try journal.save(places.map { .place($0) })
    for step in 0..<60 {
      let center = position(&generator)
      var query = PlaceQuery()
      query.limit = [1, 3, 500][step % 3]
      if step % 2 == 0 { query.kinds = [.shop] }
      let radius: Double? =
        step % 5 == 0 ? nil : Double(Int.random(in: 0...20_000_000, using: &generator))
      let expected = places.compactMap { place -> (Double, JournalID)? in
        guard let there = place.position, step % 2 != 0 || place.kind == .shop else { return nil }
        let distance = center.distanceM(to: there)
        return distance <= radius ?? .infinity ? (distance, place.id) : nil
      }.sorted { $0 < $1 }.prefix(query.limit)
      let found = try journal.places(near: center, radiusM: radius, query)
      #expect(found.map(\.place.id) == expected.map { $0.1 }, "\(center) \(radius ?? -1)")
      #expect(found.map(\.distanceM) == expected.map { $0.0 })
    }
    let site = try #require(places.first { $0.kind == .site && $0.position != nil })
    let shops = try journal.shops(near: site.id, limit: 4)
    #expect(shops.count == 4 && shops.allSatisfy { $0.place.kind == .shop })
    #expect(throws: JournalError.self) { try journal.shops(near: places[7].id) }
  }

  @Test func aCircleIsWithinItsBounds() throws {
    var generator = SeededGenerator(seed: 5)
    let unit = Position.unitsPerDegree
    for _ in 0..<2000 {
      let edges = [-90 * unit, 90 * unit, 0]
      let center = Position(
        latitudeE7: Bool.random(using: &generator)
          ? edges.randomElement(using: &generator) ?? 0
          : Int.random(in: -90 * unit...90 * unit, using: &generator),
        longitudeE7: Int.random(in: -180 * unit...180 * unit, using: &generator))
      let other = Position(
        latitudeE7: Int.random(in: -90 * unit...90 * unit, using: &generator),
        longitudeE7: Int.random(in: -180 * unit...180 * unit, using: &generator))
      let bounds = try Bounds(around: center, radiusM: center.distanceM(to: other))
      #expect(bounds.contains(other), "\(center) \(other) \(bounds)")
    }
  }
}
