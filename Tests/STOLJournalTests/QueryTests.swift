import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Asking the journal")
struct QueryTests {
  private static func place(_ name: String, _ latitude: String, _ longitude: String) throws -> Place
  {
    var place = Place(kind: .site, name: name)
    place.position = try Position(latitude: latitude, longitude: longitude)
    return place
  }

  private static func bounds(
    _ south: Int, _ west: Int, _ north: Int, _ east: Int
  ) throws -> Bounds {
    let unit = Position.unitsPerDegree
    return try Bounds(
      southE7: south * unit, westE7: west * unit, northE7: north * unit, eastE7: east * unit)
  }

  @Test func aViewMayCrossTheAntimeridianAndEndAtThePoles() throws {
    let journal = try TestJournal().open()
    let places = try [
      ("Fiji", "-17", "178"), ("Samoa", "-14", "-172"), ("Line", "0", "180"),
      ("Other side", "1", "-180"), ("North Pole", "90", "0"), ("Palau", "7", "134"),
    ].map { try Self.place($0, $1, $2) }
    try journal.save(places.map { .place($0) } + [.place(Place(kind: .region, name: "Nowhere"))])
    func names(_ bounds: Bounds?) throws -> [String] {
      var query = PlaceQuery()
      query.bounds = bounds
      return try journal.places(query).places.map(\.name)
    }
    #expect(
      try names(try Self.bounds(-20, 170, 10, -170)) == ["Fiji", "Line", "Other side", "Samoa"])
    #expect(try names(try Self.bounds(-20, 170, 10, 180)) == ["Fiji", "Line", "Other side"])
    #expect(try names(try Self.bounds(0, -180, 1, -180)) == ["Line", "Other side"])
    #expect(try names(try Self.bounds(90, 0, 90, 0)) == ["North Pole"])
    #expect(try names(try Self.bounds(-90, -180, 90, 180)).count == 6)
    #expect(try names(nil).count == 7)
    #expect(throws: JournalError.self) { try Self.bounds(1, 0, 0, 0) }
    #expect(throws: JournalError.self) { try Self.bounds(0, 0, 91, 0) }
  }

  @Test func placesAreFoundByWhatIsKnownOfThem() throws {
    let journal = try TestJournal().open()
    var (region, area) = (Place(kind: .region, name: "R"), Place(kind: .area, name: "A"))
    area.parent = region.id
    var site = try Self.place("S", "1", "1")
    site.parent = area.id
    site.tags = ["Reef"]
    site.states = [.planned]
    region.states = [.wishlist]
    let collection = JournalCollection(name: "c")
    site.collections = [collection.id]
    var event = Event(kind: .dive, start: try LocalTime("2026-01-01"))
    event.place = site.id
    event.status = .draft
    try journal.save([
      .place(region), .place(area), .place(site), .collection(collection), .event(event),
    ])
    func names(_ change: (inout PlaceQuery) -> Void) throws -> [String] {
      var query = PlaceQuery()
      change(&query)
      return try journal.places(query).places.map(\.name)
    }
    #expect(try names { $0.kinds = [.area, .site] } == ["A", "S"])
    #expect(try names { $0.tag = "reef" } == ["S"])
    #expect(try names { $0.state = .planned } == ["S"])
    #expect(try names { $0.state = .wishlist } == ["R"])
    #expect(try names { $0.collection = collection.id } == ["S"])
    #expect(try names { $0.within = region.id } == ["A", "S"])
    // A draft is no visit.
    #expect(try names { $0.state = .visited } == [])
    event.status = .saved
    try journal.save([.event(event)])
    #expect(try names { $0.state = .visited } == ["S"])
    var query = PlaceQuery()
    query.limit = 2
    let (places, isCut) = try journal.places(query)
    #expect(places.map(\.name) == ["A", "R"] && isCut)
    #expect(throws: JournalError.unknown(id: site.id, needed: "collection")) {
      query.collection = site.id
      _ = try journal.places(query)
    }
  }

  @Test func textIsFoundByBeginningsWithoutCaseAndAccents() throws {
    let journal = try TestJournal().open()
    let walk = try Walk()
    var cafe = Place(kind: .shop, name: "Café Zoë")
    cafe.waterBody = "Mosel"
    try journal.save(walk.records + [.place(cafe)])
    func ids(_ text: String) throws -> [JournalID] { try journal.search(text).hits.map(\.id) }
    #expect(try ids("cafe zo") == [cafe.id])
    #expect(try ids("ZOE MOS") == [cafe.id])
    #expect(try ids("acor gall") == [walk.oak.id])
    #expect(try ids("quercus") == [walk.oak.id])
    #expect(try ids("fog") == [walk.event.id])
    #expect(try ids("singing") == [walk.bird.id])
    #expect(try ids("orch") == [walk.orchard.id])
    #expect(try Set(ids("w")) == [walk.place.id])
    #expect(try ids("orchid").isEmpty)
    let hit = try #require(try journal.search("quercus").hits.first)
    #expect(hit.name == "quercus robur" && hit.scientificName == "Quercus robur")
    let hits = try journal.search("zo").hits + journal.search("fog").hits
    #expect(hits.map(\.name) == ["Café Zoë", ""] && hits.allSatisfy { $0.scientificName == nil })
    for text in [
      "", " ", "\"", "\u{D4E}\"", "a\u{D4E}\"b", "*", "a\" OR \"b", "NEAR(", "^", "-", "name:x",
    ] {
      #expect(throws: Never.self, "\(text)") { try journal.search(text) }
    }
    #expect(try journal.search("quercus", kinds: [.place]).hits.isEmpty)
  }

  /// Letters with strokes, ligatures and the like are those that a keyboard has.
  @Test(arguments: [
    ("Ünïcødé", ["unicode", "ÜNÏ", "ünïcødé", "unicø"]), ("Łódź", ["lodz", "ŁÓDŹ", "Łod"]),
    ("Straße", ["strasse", "STRASSE", "straß"]), ("Ærø", ["aero", "ÆR"]),
    ("Ж Ёлка", ["елка", "ж"]), ("虎の森", ["虎"]), ("a\u{308}b", ["äb", "ab"]),
  ])
  func textIsFoundByItsLetters(name: String, texts: [String]) throws {
    let journal = try TestJournal().open()
    let (place, other) = (Place(kind: .site, name: name), Place(kind: .site, name: "Other"))
    let event = Event(kind: .visit, start: try LocalTime("2026"))
    let note = Note(target: event.id, text: "two\nlines of \(name)")
    try journal.save([.place(place), .place(other), .event(event), .note(note)])
    for text in texts {
      let hits = try journal.search(text).hits
      #expect(Set(hits.map(\.id)) == [place.id, event.id], "\(text)")
      #expect(hits.first?.name == name, "\(text)")
    }
    #expect(try journal.search("lines").hits.map(\.id) == [event.id])
    #expect(try journal.check() == [])
    try journal.rebuild()
    #expect(try journal.check() == [])
  }

  @Test func pagesOfSightingsMeet() throws {
    let journal = try TestJournal().open()
    var records: [JournalRecord] = []
    for day in 1...5 {
      let event = Event(kind: .visit, start: try LocalTime("2026-01-0\(day)"))
      records.append(.event(event))
      for _ in 0..<4 { records.append(.occurrence(Occurrence(event: event.id))) }
    }
    try journal.save(records)
    var query = SightingQuery()
    let all = try journal.sightings(query).sightings
    #expect(all.count == 20)
    #expect(all.map(\.time.text) == all.map(\.time.text).sorted(by: >))
    query.limit = 3
    var paged: [Sighting] = []
    while true {
      let (sightings, next) = try journal.sightings(query)
      paged += sightings
      guard let next else { break }
      query.after = next
    }
    #expect(paged == all)
    query.after = nil
    query.limit = .max
    let (whole, next) = try journal.sightings(query)
    #expect(whole == all && next == nil)
    query = SightingQuery()
    query.days =
      try #require(
        try LocalTime("2026-01-02").dayNumber)...(try #require(
        try LocalTime("2026-01-03").dayNumber))
    #expect(try journal.sightings(query).sightings.count == 8)
  }

  /// What was in a month or a year, and nobody knows when, is found where any day of that is asked for.
  @Test(arguments: [
    ("2026-03-01", "2026-03-31", ["2026-03-15", "2026-03", "2026"]),
    ("2026-03-15", "2026-03-15", ["2026-03-15", "2026-03", "2026"]),
    ("2026-03-31", "2026-04-30", ["2026-03", "2026"]), ("2026-12-31", "2026-12-31", ["2026"]),
    ("2026-04-01", "2026-12-30", ["2026"]), ("2027-01-01", "9998-12-31", []),
    ("1969-12-31", "1970-12-31", ["1969-12"]), ("1970-01-01", "2025-12-31", []),
    ("1969-01-01", "1969-11-30", []), ("9999-12-31", "9999-12-31", ["9999-12", "9999"]),
    ("9999", "9999", ["9999-12", "9999"]), ("0001", "0001", ["0001"]),
  ])
  func monthsAndYearsFitWhereAnyDayDoes(first: String, last: String, expected: [String]) throws {
    let journal = try TestJournal().open()
    for time in ["2026", "2026-03", "2026-03-15", "1969-12", "9999", "9999-12", "0001"] {
      let event = Event(kind: .visit, start: try LocalTime(time))
      try journal.save([.event(event), .occurrence(Occurrence(event: event.id))])
    }
    var query = SightingQuery()
    query.days = try LocalTime(first).firstDay...LocalTime(last).lastDay
    #expect(try journal.sightings(query).sightings.map(\.time.text) == expected)
    // Of an occurrence that has a time of its own that counts.
    let event = Event(kind: .trip, start: try LocalTime("2026"))
    var seen = Occurrence(event: event.id)
    seen.time = try LocalTime("2026-05")
    try journal.save([.event(event), .occurrence(seen)])
    query.days = try LocalTime("2026-05").firstDay...LocalTime("2026-05").lastDay
    #expect(
      try journal.sightings(query).sightings.map(\.time.text) == ["2026-05", "2026"])
    // Without an end as with the year alone.
    query.days = try LocalTime("9999").firstDay...Int.max
    var year = SightingQuery()
    year.years = [9999]
    #expect(try journal.sightings(query).sightings == journal.sightings(year).sightings)
  }

  /// A tag and a collection are those of the occurrence, its organism and its event; facets count what a list has.
  @Test func labelsAreThoseOfOrganismsAndEventsToo() throws {
    let journal = try TestJournal().open()
    let orchard = JournalCollection(name: "Orchard")
    var place = Place(kind: .site, name: "Reef")
    (place.tags, place.collections) = (["old"], [orchard.id])
    var (dive, walk) = (
      Event(kind: .dive, start: try LocalTime("2026")),
      Event(kind: .visit, start: try LocalTime("2026"))
    )
    (walk.place, dive.tags, dive.collections) = (place.id, ["Old", "wet"], [orchard.id])
    var tree = Organism()
    (tree.tags, tree.collections) = (["OLD"], [orchard.id])
    var (own, ofTree, ofDive) = (
      Occurrence(event: walk.id), Occurrence(event: walk.id), Occurrence(event: dive.id)
    )
    let none = Occurrence(event: walk.id)
    (own.tags, own.collections) = (["old"], [orchard.id])
    ofTree.organism = tree.id
    (ofDive.tags, ofDive.organism) = (["old"], tree.id)
    try journal.save([
      .collection(orchard), .place(place), .event(dive), .event(walk), .organism(tree),
      .occurrence(own), .occurrence(ofTree), .occurrence(ofDive), .occurrence(none),
    ])
    var (tagged, collected) = (SightingQuery(), SightingQuery())
    (tagged.tag, collected.collection) = ("old", orchard.id)
    for query in [tagged, collected] {
      let found = try journal.sightings(query).sightings.map(\.occurrence)
      #expect(found.count == 3 && Set(found) == [own.id, ofTree.id, ofDive.id])
    }
    for query in [SightingQuery(), tagged] {
      let tags = try journal.facets(of: query).tags
      #expect(tags.map { $0.value.lowercased() } == ["old", "wet"])
      #expect(tags.map(\.count) == [3, 1])
    }
  }

  /// Of two that were at one moment the one that fits says when.
  @Test(arguments: ["2026", "2026-01", "2026-01-01"])
  func aLifeListSaysOnlyTimesThatCount(time: String) throws {
    let folder = try TemporaryFolder()
    let pack = try Pack(path: try Taxonomy.compile(Taxonomy.cats, in: folder))
    let journal = try TestJournal().open()
    for other in ["2026", "2026-01", "2026-01-01"] {
      let event = Event(kind: .visit, start: try LocalTime(other))
      var seen = Occurrence(event: event.id)
      seen.tags = [other]
      let name = Identification(
        occurrence: seen.id, verbatimName: "a", taxon: taxon(1, "A b"), match: .chosen)
      try journal.save([.event(event), .occurrence(seen), .identification(name)])
    }
    var query = SightingQuery()
    query.tag = time
    let list = try journal.lifeList(query, in: pack)
    #expect(list.map(\.sightingCount) == [1])
    #expect(list.map(\.firstTime.text) == [time] && list.map(\.lastTime.text) == [time])
  }

  @Test func collectionsAreInTheOrderOfTheirNames() throws {
    let journal = try TestJournal().open()
    for name in ["Orchard", "Arboretum", "Reef"] {
      try journal.save([.collection(JournalCollection(name: name))])
    }
    #expect(try journal.collections().map(\.name) == ["Arboretum", "Orchard", "Reef"])
  }

  @Test func keyFiguresCountWhatCounts() throws {
    let journal = try TestJournal().open()
    #expect(try journal.keyFigures() == KeyFigures())
    let walk = try Walk()
    var records = walk.records
    for (depth, seconds, status) in [
      (22_400, 3000, Event.Status.saved), (31_000, 1800, .saved), (90_000, 9999, .draft),
    ] {
      var event = Event(kind: .dive, start: try LocalTime("2026-03-16"))
      var dive = Dive()
      (dive.maxDepthMm, dive.durationS) = (depth, seconds)
      event.dive = dive
      event.status = status
      records.append(.event(event))
    }
    records.append(.event(Event(kind: .dive, start: try LocalTime("2026-03-17"))))
    try journal.save(records)
    var expected = KeyFigures()
    (expected.placeCount, expected.eventCount, expected.organismCount) = (1, 4, 1)
    (expected.sightingCount, expected.taxonRefCount) = (2, 1)
    (expected.diveCount, expected.diveSeconds, expected.maxDepthMm) = (3, 4800, 31_000)
    #expect(try journal.keyFigures() == expected)
    let day = try #require(walk.event.start.dayNumber)
    let calendar = try journal.calendar(day...day + 10)
    #expect(calendar.map(\.day) == [day] && calendar.map(\.sightingCount) == [2])
    #expect(try journal.tags().map(\.name) == ["wet", "wood"])
  }

  @Test func settingsAreKept() throws {
    let home = try TestJournal()
    try home.open().set("last_collection", to: "a")
    #expect(try home.open().setting("last_collection") == "a")
    try home.open().set("last_collection", to: nil)
    #expect(try home.open().setting("last_collection") == nil)
  }

  /// What a taxon is called follows the pack; what the pack has not is called as it was.
  @Test func taxaAreCalledAsThePackCallsThem() throws {
    let folder = try TemporaryFolder()
    let space = "INSERT INTO dataset VALUES ('id_space', 'cats');"
    let pack = try Pack(path: try Taxonomy.compile(Taxonomy.cats + space, in: folder))
    let journal = try TestJournal().open()
    let view = pack.view
    let lion = try #require(view.resolve("Panthera leo").taxon)
    let known = view.reference(to: lion)
    let now = try #require(known)
    var before = now
    before.name = "Felis leo"
    let event = Event(kind: .visit, start: try LocalTime("2026-03-15"))
    var records: [JournalRecord] = [.event(event)]
    for (number, reference) in [before, now, taxon(77, "Felis gone")].enumerated() {
      var seen = Occurrence(event: event.id)
      seen.position = Position(latitudeE7: number, longitudeE7: 0)
      seen.remarks = "roaring"
      records += [
        .occurrence(seen),
        .identification(
          Identification(
            occurrence: seen.id, verbatimName: reference.name, taxon: reference, match: .exact)),
      ]
    }
    try journal.save(records)
    let facets = try journal.facets(of: SightingQuery(), in: pack)
    #expect(facets.taxa.map(\.value.reference) == [before, taxon(77, "Felis gone")])
    #expect(facets.taxa.map(\.value.name) == ["Panthera leo", "Felis gone"])
    #expect(facets.taxa.map(\.value.currentID) == [now.id, nil])
    #expect(facets.taxa.map(\.count) == [2, 1] && facets.taxonCount == 2)
    #expect(try journal.facets(of: SightingQuery(), in: pack, taxonLimit: 1).taxonCount == 2)
    let hits = try journal.search("roaring", in: pack).hits
    #expect(
      Set(hits.map { "\($0.name): \($0.scientificName ?? "")" }) == [
        "Felis leo: Panthera leo", "Panthera leo: Panthera leo", "Felis gone: Felis gone",
      ])
    let dots = try journal.map(of: SightingQuery()).dots
    let names = try journal.names(of: Set(dots.compactMap(\.taxon)), in: pack)
    #expect(dots.count == 3 && names.count == 3)
    #expect(Set(names.values) == ["Panthera leo", "Felis gone"])
    #expect(
      Set(try journal.lifeList(SightingQuery(), in: pack).map(\.name))
        == ["Panthera leo", "Felis gone"])
  }

  /// References to one taxon are one entry, whatever their ids were; what is within a taxon the pack says.
  @Test func lifeListsGoByTheTreeOfThePack() throws {
    let folder = try TemporaryFolder()
    let space = "INSERT INTO dataset VALUES ('id_space', 'cats');"
    let pack = try Pack(path: try Taxonomy.compile(Taxonomy.cats + space, in: folder))
    let journal = try TestJournal().open()
    func reference(_ name: String) throws -> TaxonReference {
      let view = pack.view
      let found = try #require(view.resolve(name).taxon)
      let reference = view.reference(to: found)
      return try #require(reference)
    }
    var records: [JournalRecord] = []
    for (day, name, count) in [
      (1, "Panthera leo", 2), (2, "Canis lupus", 1), (3, "Quercus robur", 1), (4, "Panthera", 1),
      (5, "Panthera leo", 1),
    ] {
      let event = Event(kind: .visit, start: try LocalTime("2026-01-0\(day)"))
      records.append(.event(event))
      for _ in 0..<count {
        let seen = Occurrence(event: event.id)
        records += [
          .occurrence(seen),
          .identification(
            Identification(
              occurrence: seen.id, verbatimName: name, taxon: try reference(name), match: .exact)),
        ]
      }
    }
    // A reference of before, to an id that was merged into the lion's.
    let event = Event(kind: .visit, start: try LocalTime("2025-01-01"))
    let seen = Occurrence(event: event.id)
    var old = try reference("Panthera leo")
    old.id = "106"
    records += [
      .event(event), .occurrence(seen),
      .identification(
        Identification(occurrence: seen.id, verbatimName: "leo", taxon: old, match: .exact)),
    ]
    // Looked for and not seen.
    var absent = Occurrence(event: event.id)
    absent.presence = .absent
    records += [
      .occurrence(absent),
      .identification(
        Identification(
          occurrence: absent.id, verbatimName: "tiger", taxon: try reference("Panthera tigris"),
          match: .exact)),
    ]
    try journal.save(records)
    let list = try journal.lifeList(SightingQuery(), in: pack)
    #expect(
      list.map(\.currentName) == ["Panthera", "Quercus robur", "Canis lupus", "Panthera leo"])
    #expect(list.map(\.sightingCount) == [1, 1, 1, 4])
    #expect(list.last?.firstTime.text == "2025-01-01" && list.last?.lastTime.text == "2026-01-05")
    let facets = try journal.facets(of: SightingQuery(), in: pack)
    #expect(facets.taxonCount == 4 && facets.taxa.map(\.count) == [4, 1, 1, 1])
    #expect(
      facets.taxa.map(\.value.currentName)
        == ["Panthera leo", "Canis lupus", "Quercus robur", "Panthera"])
    let cats = try #require(pack.view.resolve("Felidae").taxon)
    var query = SightingQuery()
    query.taxa = try journal.references(within: cats, in: pack)
    #expect(try journal.lifeList(query, in: pack).map(\.sightingCount) == [1, 4])
    #expect(try journal.sightings(query).sightings.count == 5)
    query.days = try #require(try LocalTime("2026-01-01").dayNumber)...1_000_000
    #expect(try journal.lifeList(query, in: pack).map(\.sightingCount) == [1, 3])
    // The day is that of the place, not of UTC; a month stays one.
    var late = Event(kind: .visit, start: try LocalTime("2026-02-28T23:30"))
    late.utcOffsetMin = -240
    let march = Event(kind: .visit, start: try LocalTime("2026-04"))
    for event in [late, march] {
      let seen = Occurrence(event: event.id)
      let name = Identification(
        occurrence: seen.id, verbatimName: "tiger", taxon: try reference("Panthera tigris"),
        match: .exact)
      try journal.save([.event(event), .occurrence(seen), .identification(name)])
    }
    let tiger = try journal.lifeList(SightingQuery(), in: pack).first
    #expect(tiger?.currentName == "Panthera tigris" && tiger?.sightingCount == 2)
    #expect(tiger?.firstTime.text == "2026-02-28T23:30" && tiger?.lastTime.text == "2026-04")
  }
}
