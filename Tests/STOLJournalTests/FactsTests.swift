import STOLData
import Testing

@testable import STOLJournal

@Suite("Measures, sites and persons in the journal")
struct FactsTests {
  private let home: TestJournal
  private let journal: JournalFile
  private let walk: Walk

  init() throws {
    home = try TestJournal()
    journal = try home.open()
    walk = try Walk()
    try journal.save(walk.records)
  }

  @Test(arguments: [
    ("0000-0002-1825-0097", true), ("0000-0002-1694-233X", true), ("0000-0001-5109-3700", true),
    ("0000-0002-1825-0098", false), ("0000-0002-1694-233x", false), ("0000000218250097", false),
    ("0000-0002-1825-009", false), ("0000-0002-1825-0097-", false), ("000X-0002-1825-0097", false),
    ("", false), ("https://orcid.org/0000-0002-1825-0097", false), ("0000-0002-18250-097", false),
  ])
  func anORCIDHasACheckDigit(text: String, isOne: Bool) throws {
    #expect(Person.isORCID(text) == isOne)
    var person = Person(name: "Ada")
    person.orcid = text
    if isOne {
      try journal.save([.person(person)])
    } else {
      #expect(throws: JournalError.self) { try journal.save([.person(person)]) }
    }
  }

  /// A slip in one digit, or two neighbours that changed places, is found.
  @Test func slipsOfThePenAreFound() {
    let digits = Array("0000000218250097")
    func written(_ digits: [Character]) -> String {
      stride(from: 0, to: 16, by: 4).map { String(digits[$0..<$0 + 4]) }.joined(separator: "-")
    }
    #expect(Person.isORCID(written(digits)))
    for place in 0..<16 {
      for digit in "0123456789" where digit != digits[place] {
        var other = digits
        other[place] = digit
        #expect(!Person.isORCID(written(other)))
      }
      if place > 0, digits[place] != digits[place - 1] {
        var other = digits
        other.swapAt(place, place - 1)
        #expect(!Person.isORCID(written(other)))
      }
    }
  }

  @Test func aPersonLeavesItsEvents() throws {
    let before = try home.dump()
    #expect(try journal.persons().map(\.eventCount) == [1])
    #expect(try journal.search("lark").hits.map(\.id) == [walk.ada.id])
    let (_, deleted) = try journal.delete(walk.ada.id)
    #expect(deleted == [walk.ada.id])
    guard case .event(let event)? = try journal.record(walk.event.id)?.record else {
      Issue.record("gone")
      return
    }
    #expect(event.persons.isEmpty)
    #expect(try journal.persons().isEmpty && journal.search("lark").hits.isEmpty)
    #expect(throws: JournalError.deleted(id: walk.ada.id)) {
      try journal.save([.event(walk.event)])
    }
    #expect(try journal.check() == [])
    try journal.undo()
    #expect(try home.dump() == before)
  }

  @Test func onlyPersonsTakePart() throws {
    var event = walk.event
    event.persons = [Participant(person: walk.place.id, role: .buddy)]
    #expect(throws: JournalError.otherKind(id: walk.place.id, found: "place", needed: "person")) {
      try journal.save([.event(event)])
    }
    event.persons = [Participant(person: JournalID(), role: .buddy)]
    #expect(throws: JournalError.self) { try journal.save([.event(event)]) }
  }

  @Test func aMeasureGoesWithItsTarget() throws {
    let before = try home.dump()
    try journal.delete(walk.tree.id)
    #expect(try journal.record(walk.girth.id)?.deletedAt != nil)
    #expect(throws: JournalError.deleted(id: walk.tree.id)) {
      try journal.save([.measure(Measure(target: walk.tree.id, type: "stems", number: 1))])
    }
    try journal.undo()
    #expect(try home.dump() == before)
    for target in [walk.girth.id, walk.ada.id, walk.oakName.id] {
      #expect(throws: JournalError.self) {
        try journal.save([.measure(Measure(target: target, type: "stems", number: 1))])
      }
    }
    // It can be changed and deleted by itself.
    var girth = walk.girth
    girth.number = 1840
    #expect(try journal.save([.measure(girth)]).results == [.updated])
    try journal.delete(girth.id)
    #expect(try journal.parts(of: walk.tree.id).map(\.record.kind) == [.occurrence])
    #expect(try journal.check() == [])
  }

  @Test func aVisitWithAMeasureOutlivesItsTree() throws {
    let visit = Event(kind: .visit, start: try LocalTime("2026-04-01"))
    var seen = Occurrence(event: visit.id)
    seen.organism = walk.tree.id
    let measure = Measure(target: visit.id, type: "x-rain_mm", number: 3)
    try journal.save([.event(visit), .occurrence(seen), .measure(measure)])
    try journal.delete(walk.tree.id)
    #expect(try journal.record(visit.id)?.deletedAt == nil)
    #expect(try journal.record(measure.id)?.deletedAt == nil)
    #expect(try journal.check() == [])
  }

  @Test func aSiteIsFoundByWhatADiverAsks() throws {
    func site(_ name: String, _ change: (inout DiveSite) -> Void) -> Place {
      var (place, site) = (Place(kind: .site, name: name), DiveSite())
      change(&site)
      place.diveSite = site
      return place
    }
    var easy = site("Easy") { ($0.difficulty, $0.entry, $0.kind) = (1, .shore, .reef) }
    let hard = site("Hard") { ($0.difficulty, $0.kind, $0.water) = (5, .wreck, .salt) }
    try journal.save([.place(easy), .place(hard)])
    func names(_ change: (inout DiveSiteFilter) -> Void) throws -> [String] {
      var query = PlaceQuery()
      change(&query.diveSite)
      return try journal.places(query).places.map(\.name)
    }
    #expect(try names { _ in } == ["Beech Wood", "Easy", "Hard"])
    #expect(try names { $0.maxDifficulty = 4 } == ["Easy"])
    #expect(try names { $0.maxDifficulty = 5 } == ["Easy", "Hard"])
    #expect(try names { $0.kinds = [.wreck, .cave] } == ["Hard"])
    #expect(try names { ($0.kinds, $0.entry) = ([.wreck], .shore) } == [])
    #expect(try names { $0.water = .salt } == ["Hard"])
    easy.diveSite?.description = "Turtles at dusk"
    try journal.save([.place(easy)])
    #expect(try journal.search("turtl dusk").hits.map(\.id) == [easy.id])
    easy.diveSite = nil
    try journal.save([.place(easy)])
    #expect(try journal.search("turtl").hits.isEmpty && names { $0.entry = .shore } == [])
    #expect(try journal.check() == [])
  }

  @Test func whatDivesSayAboutASiteFollows() throws {
    var (region, site) = (Place(kind: .region, name: "Palau"), Place(kind: .site, name: "Corner"))
    site.parent = region.id
    (region.country, site.tags) = ("PW", ["sharks"])
    var records: [JournalRecord] = [.place(region), .place(site)]
    for (day, depth, mean, low, high, status) in [
      (2, 20_000, 10_000, 30_100, 30_200, Event.Status.saved),
      (1, 30_000, 13_000, 30_000, 30_000, .saved),
      (3, 90_000, 80_000, 29_000, 29_000, .draft),
    ] as [(Int, Int, Int, Int, Int, Event.Status)] {
      var event = Event(kind: .dive, start: try LocalTime("2026-01-0\(day)"))
      (event.place, event.status) = (site.id, status)
      var dive = Dive()
      (dive.maxDepthMm, dive.meanDepthMm, dive.durationS) = (depth, mean, 3000)
      (dive.waterMinCk, dive.waterMaxCk, dive.visibilityCm) = (low, high, 2001)
      event.dive = dive
      let seen = Occurrence(event: event.id)
      records += [.event(event), .occurrence(seen)]
    }
    let note = Note(target: site.id, text: "hooks")
    try journal.save(records + [.note(note)])
    let detail = try journal.detail(ofPlace: site.id)
    var expected = PlaceFacts()
    (expected.eventCount, expected.diveCount, expected.diveSeconds) = (2, 2, 6000)
    (expected.firstTime, expected.lastTime) = ("2026-01-01", "2026-01-02")
    (expected.meanDepthMm, expected.maxDepthMm) = (11_500, 30_000)
    (expected.meanWaterCk, expected.meanVisibilityCm) = (30_075, 2001)
    expected.sightingCount = 2
    #expect(detail.facts == expected)
    #expect(detail.parents.map(\.name) == ["Palau"])
    #expect(detail.parts.map(\.record) == [.note(note)])
    #expect(try journal.detail(ofPlace: region.id).facts == expected)
    #expect(throws: JournalError.unknown(id: walk.event.id, needed: "place")) {
      try journal.detail(ofPlace: walk.event.id)
    }
    let event = try journal.detail(ofEvent: walk.event.id)
    #expect(event.participants.map(\.name) == ["Ada Lark"])
    #expect(event.places.map(\.name) == ["Beech Wood"])
    #expect(event.seen.map(\.scientificName) == ["Quercus robur", nil])
    #expect(try FactLines.line(of: detail).contains("\"maxDepthMm\":30000"))
    #expect(try FactLines.line(of: event).contains("\"name\":\"Ada Lark\""))
  }

  @Test func shopsAreFoundByTheirDistance() throws {
    func place(_ name: String, _ kind: Place.Kind, _ at: (String, String)) throws -> Place {
      var place = Place(kind: kind, name: name)
      place.position = try Position(latitude: at.0, longitude: at.1)
      return place
    }
    let places = try [
      place("Near", .shop, ("7.01", "134")), place("Nearer", .shop, ("7", "134.005")),
      place("Site", .site, ("7.001", "134")), place("Far", .shop, ("8", "134")),
    ]
    try journal.save(places.map { .place($0) } + [.place(Place(kind: .shop, name: "Nowhere"))])
    let center = try Position(latitude: "7", longitude: "134")
    func names(_ metres: Int, _ kinds: Set<Place.Kind> = [.shop], limit: Int = 9) throws -> [String]
    {
      var query = PlaceQuery()
      query.kinds = kinds
      query.limit = limit
      return try journal.places(near: center, radiusM: Double(metres), query).map(\.place.name)
    }
    #expect(try names(50_000) == ["Nearer", "Near"])
    #expect(try names(200_000) == ["Nearer", "Near", "Far"])
    #expect(try names(1000) == ["Nearer"] && names(100) == [])
    #expect(try names(50_000, []) == ["Site", "Nearer", "Near"])
    #expect(try names(50_000, limit: 1) == ["Nearer"])
    let near = try #require(try journal.places(near: center, radiusM: 50_000).first)
    #expect(Int(near.distanceM.rounded()) == 111)
  }

  @Test func placesAreFoundByName() throws {
    let twin = Place(kind: .spot, name: "beech wood")
    try journal.save([.place(twin)])
    #expect(try journal.places(named: "Beech Wood").map(\.id) == [walk.place.id])
    #expect(try Set(journal.places(named: "BEECH WOOD").map(\.id)) == [walk.place.id, twin.id])
    #expect(try journal.places(named: "Beech").isEmpty)
    try journal.delete(twin.id)
    #expect(try journal.places(named: "beech wood").map(\.id) == [walk.place.id])
  }

  @Test func manyAreTaggedAtOnce() throws {
    let before = try home.dump()
    let strange = JournalID()
    let ids = [walk.place.id, walk.oak.id, strange, walk.note.id, walk.place.id]
    let rehearsed = try journal.edit(ids, isRehearsal: true) { record throws(JournalError) in
      try record.tagged(["WET", "new"])
    }
    #expect(rehearsed.batch == nil)
    #expect(try home.dump() == before)
    let (results, batch) = try journal.edit(ids) { record throws(JournalError) in
      try record.tagged(["WET", "new"])
    }
    #expect(results.map { try? $0.get() } == [.updated, .updated, nil, nil, .same])
    #expect(results.map { try? $0.get() } == rehearsed.results.map { try? $0.get() })
    #expect(throws: JournalError.unknown(id: strange, needed: "record")) { try results[2].get() }
    #expect(throws: JournalError.self) { try results[3].get() }
    guard case .place(let place)? = try journal.record(walk.place.id)?.record else {
      Issue.record("gone")
      return
    }
    #expect(place.tags == ["wood", "wet", "new"])
    let tagged = try journal.edit([walk.place.id]) { record throws(JournalError) in
      try record.untagged(["Wood", "other"])
    }
    #expect(tagged.batch != nil)
    #expect(try Set(journal.tags().map { $0.name.lowercased() }) == ["new", "wet"])
    try journal.undo()
    try journal.undo()
    #expect(batch != nil)
    #expect(try home.dump() == before)
    try journal.delete(walk.bird.id)
    let gone = try journal.edit([walk.bird.id]) { record throws(JournalError) in record }
    #expect(throws: JournalError.deleted(id: walk.bird.id)) { try gone.results[0].get() }
    #expect(gone.batch == nil)
  }

  @Test func whatGoesIntoANewCollectionIsOneBatch() throws {
    let reefs = JournalCollection(name: "Reefs")
    let (results, batch) = try journal.edit(
      [walk.place.id], adding: [.collection(reefs)]
    ) { record throws(JournalError) in
      try record.labelled { _, collections in collections.insert(reefs.id) }
    }
    #expect(try results[0].get() == .updated)
    #expect(try journal.collections().map(\.count) == [1, 1])
    #expect(try journal.undo().undone == batch)
    #expect(try journal.collections().map(\.name) == ["Orchard"])
    #expect(try journal.check() == [])
  }
}
