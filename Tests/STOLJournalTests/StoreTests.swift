import Foundation
import GRDB
import STOLData
import STOLStore
import STOLSystem
import Testing

@testable import STOLJournal

@Suite("The file of the journal")
struct StoreTests {
  @Test func aWalkIsKeptAsItWasSaved() throws {
    let home = try TestJournal()
    let walk = try Walk()
    let outcome = try home.open().save(walk.records)
    #expect(outcome.results == Array(repeating: .new, count: walk.records.count))
    let journal = try home.open()
    for record in walk.records {
      let kept = try #require(try journal.record(record.id))
      #expect(kept.record == record)
      #expect(kept.deletedAt == nil && kept.createdAt == kept.changedAt)
    }
    #expect(try journal.check() == [])
    #expect(try journal.record(JournalID()) == nil)
  }

  @Test func everyFieldIsKept() throws {
    let journal = try TestJournal().open()
    var (region, place) = (Place(kind: .region, name: "Palau"), Place(kind: .shop, name: "Sam's"))
    region.country = "PW"
    place.parent = region.id
    place.elevationCm = -12
    (place.locality, place.waterBody) = ("Koror", "Pacific")
    place.states = [.wishlist, .planned]
    let collection = JournalCollection(name: "Trip")
    place.privacy = .obscured
    var reef = Place(kind: .site, name: "Blue Corner")
    var site = DiveSite()
    (site.kind, site.entry, site.difficulty, site.water) = (.wall, .boat, 4, .salt)
    (site.minDepthMm, site.maxDepthMm) = (8000, 30_000)
    (site.season, site.description) = ("November to April", "Hooks.\nSharks.")
    reef.diveSite = site
    var ada = Person(name: "Ada")
    ada.orcid = "0000-0002-1694-233X"
    let ben = Person(name: "Ben")
    place.collections = [collection.id]
    var trip = Event(kind: .trip, start: try LocalTime("2026"))
    trip.status = .draft
    var event = Event(kind: .dive, start: try LocalTime("2026-03-15T09:44"))
    event.parent = trip.id
    event.place = place.id
    event.position = Position(latitudeE7: 71_340_000, longitudeE7: 1_342_200_000)
    event.end = try LocalTime("2026-03-15T10:36:07")
    event.utcOffsetMin = 540
    (event.protocol, event.weather, event.remarks) = ("transect", "sun", "line 1\nline 2")
    event.isCompleteList = true
    (event.effortValue, event.effortUnit) = (45, "min")
    event.persons = [
      Participant(person: ada.id, role: .instructor, number: "PADI 7"),
      Participant(person: ada.id, role: .buddy), Participant(person: ben.id, role: .guide),
    ]
    event.tags = ["Deep", "réef"]
    var dive = Dive()
    (dive.number, dive.mode, dive.durationS) = (212, .closedCircuit, 3127)
    (dive.maxDepthMm, dive.meanDepthMm) = (22_400, 14_100)
    (dive.waterMinCk, dive.waterMaxCk, dive.airCk) = (30_115, 30_215, 30_415)
    (dive.visibilityCm, dive.currentLevel, dive.surfaceMbar) = (2500, 3, 1013)
    (dive.weightG, dive.suit) = (4000, "3 mm")
    (dive.bottomS, dive.salinityMgL, dive.signedMs) = (2700, 35_000, 1_773_600_000_000)
    var tank = Dive.Tank()
    (tank.volumeMl, tank.startMbar, tank.endMbar) = (12_000, 200_000, 60_000)
    (tank.o2Permille, tank.hePermille) = (320, 0)
    (tank.workMbar, tank.use) = (232_000, .bottom)
    dive.tanks = [tank, Dive.Tank()]
    event.dive = dive
    var organism = Organism()
    (organism.name, organism.status) = ("Manta 7", .alive)
    organism.elevationCm = 3
    organism.planted = try LocalTime("1999-04")
    var seen = Occurrence(event: event.id)
    seen.organism = organism.id
    seen.position = Position(latitudeE7: 71_340_001, longitudeE7: 1_342_200_001, uncertaintyM: 5)
    seen.time = try LocalTime("2026-03-15T10:00")
    (seen.count, seen.countKind) = (2, .least)
    (seen.sex, seen.lifeStage, seen.behaviour) = ("female", "adult", "feeding")
    (seen.establishment, seen.remarks) = (.wild, "close")
    (seen.minDepthMm, seen.maxDepthMm) = (5000, 7000)
    seen.privacy = .private
    var length = Measure(target: seen.id, type: "length_mm", number: 3500, text: "3.5 m")
    (length.method, length.time) = ("laser", try LocalTime("2026-03-15T10:01"))
    length.remarks = "twice"
    let own = Measure(target: event.id, type: "x-swell_cm", number: -3)
    var absent = Occurrence(event: event.id)
    (absent.presence, absent.count) = (.absent, 0)
    var name = Identification(
      occurrence: seen.id, verbatimName: "Mobula  cf. birostris 'x'",
      taxon: TaxonReference(idSpace: nil, id: "a b"), match: .chosen)
    (name.qualifier, name.cultivar, name.rootstock) = ("cf. birostris", "x", "M111")
    (name.date, name.remarks) = (try LocalTime("2026-04-01"), "by the spots")
    let note = Note(target: organism.id, text: "n")
    let file = try PhotoFile(PhotoSample.full.heic(), name: "oak.heic")
    var photo = file.photo(of: note.id)
    (photo.caption, photo.ordinal, photo.author) = ("At the\ngate", 2, "Ada")
    (photo.licence, photo.source) = ("CC0", "https://example.org/oak.heic")
    let records: [JournalRecord] = [
      .place(region), .place(place), .event(trip), .event(event), .organism(organism),
      .occurrence(seen), .occurrence(absent), .identification(name), .collection(collection),
      .note(note), .photo(photo), .place(reef), .person(ada), .person(ben),
      .measure(length), .measure(own),
    ]
    try journal.save(records, files: [file])
    for record in records { #expect(try journal.record(record.id)?.record == record) }
    #expect(try journal.check() == [])
    // As text too, which the history is.
    for record in records {
      let text = try JSONEncoder().encode(record)
      #expect(try JSONDecoder().decode(JournalRecord.self, from: text) == record)
    }
  }

  @Test func savingTheSameAgainChangesNoByte() throws {
    let home = try TestJournal()
    let walk = try Walk()
    let journal = try home.open()
    try journal.save(walk.records)
    let before = try home.dump()
    let outcome = try journal.save(walk.records.reversed())
    #expect(outcome.results.allSatisfy { $0 == .same } && outcome.batch == nil)
    #expect(try home.dump() == before)
    #expect(try journal.history().count == 1)
  }

  @Test func aChangedRecordIsUpdatedAndItsTimesWithIt() throws {
    let journal = try TestJournal().open()
    var walk = try Walk()
    try journal.save(walk.records)
    walk.event.weather = "rain"
    let outcome = try journal.save(walk.records)
    #expect(outcome.results.filter { $0 == .updated }.count == 1)
    let kept = try #require(try journal.record(walk.event.id))
    #expect(kept.record == .event(walk.event) && kept.changedAt > kept.createdAt)
    let other = try #require(try journal.record(walk.oak.id))
    #expect(other.changedAt == other.createdAt)
    #expect(try journal.check() == [])
  }

  @Test func oneBadRecordKeepsAllFromBeingSaved() throws {
    let home = try TestJournal()
    let journal = try home.open()
    let before = try home.dump()
    let walk = try Walk()
    var lone = Occurrence(event: JournalID())
    #expect(throws: JournalError.unknown(id: lone.event, needed: "event")) {
      try journal.save(walk.records + [.occurrence(lone)])
    }
    lone.event = walk.place.id
    #expect(throws: JournalError.otherKind(id: walk.place.id, found: "place", needed: "event")) {
      try journal.save(walk.records + [.occurrence(lone)])
    }
    #expect(throws: JournalError.self) {
      try journal.save(walk.records + [.place(Place(kind: .site, name: ""))])
    }
    #expect(throws: JournalError.self) { try journal.save(walk.records + [.event(walk.event)]) }
    #expect(try home.dump() == before)
    #expect(try journal.history().isEmpty)
  }

  @Test(arguments: [Int.min, -1081, 1081, .max])
  func anOffsetThatCannotBeIsRefused(offset: Int) throws {
    let home = try TestJournal()
    let journal = try home.open()
    var walk = try Walk()
    try journal.save(walk.records)
    let before = try home.dump()
    walk.event.utcOffsetMin = offset
    #expect(throws: JournalError.self) { try journal.save([.event(walk.event)]) }
    #expect(try home.dump() == before)
  }

  /// What somebody else wrote is refused where it would be written again, and is else let be.
  @Test(arguments: [Int.min, .max])
  func anOffsetThatSomebodyElseWroteEndsNothing(offset: Int) throws {
    let home = try TestJournal()
    let journal = try home.open()
    let walk = try Walk()
    try journal.save(walk.records)
    try home.inside {
      try $0.execute(sql: "UPDATE event SET utc_offset_min = ?", arguments: [offset])
    }
    #expect(try journal.sightings(SightingQuery()).sightings.count == 2)
    #expect(
      try journal.check().contains { $0.hasPrefix("record") && $0.contains("utc_offset_min") })
    #expect(throws: JournalError.self) { try journal.delete(walk.place.id) }
    try journal.delete(walk.event.id)
    #expect(throws: JournalError.self) { try journal.undo() }
    #expect(try journal.record(walk.event.id)?.deletedAt != nil)
  }

  @Test func aUUIDStaysWithItsKind() throws {
    let journal = try TestJournal().open()
    let walk = try Walk()
    try journal.save(walk.records)
    #expect(throws: JournalError.otherKind(id: walk.oak.id, found: "occurrence", needed: "place")) {
      try journal.save([.place(Place(id: walk.oak.id, kind: .site, name: "A"))])
    }
  }

  @Test func identificationsAreAddedAndNeverChanged() throws {
    let journal = try TestJournal().open()
    var walk = try Walk()
    try journal.save(walk.records)
    walk.oakName.verbatimName = "Quercus petraea"
    #expect(throws: JournalError.identificationChanged(id: walk.oakName.id)) {
      try journal.save([.identification(walk.oakName)])
    }
    #expect(throws: JournalError.identificationChanged(id: walk.oakName.id)) {
      try journal.delete(walk.oakName.id)
    }
    let second = Identification(
      occurrence: walk.oak.id, verbatimName: "Q. petraea", taxon: taxon(14, "Quercus petraea"),
      match: .chosen)
    try journal.save([.identification(second)])
    #expect(try journal.sightings(SightingQuery()).sightings.last?.taxon == second.taxon)
    let history = try journal.parts(of: walk.oak.id).map(\.record)
    #expect(
      history.filter { $0.kind == .identification } == [
        .identification(try Walk.original(of: walk)), .identification(second),
      ])
    #expect(history.count == 3)
    #expect(try journal.check() == [])
  }

  @Test func nothingIsItsOwnParentOrStandsTooDeep() throws {
    let journal = try TestJournal().open()
    var places = (1...8).map { Place(kind: .area, name: "\($0)") }
    for index in 1..<8 { places[index].parent = places[index - 1].id }
    try journal.save(places.map { .place($0) })
    var ninth = Place(kind: .area, name: "9")
    ninth.parent = places[7].id
    #expect(throws: JournalError.nesting(id: ninth.id, limit: 8)) {
      try journal.save([.place(ninth)])
    }
    var above = Place(kind: .area, name: "0")
    try journal.save([.place(above)])
    places[0].parent = above.id
    #expect(throws: JournalError.nesting(id: places[0].id, limit: 8)) {
      try journal.save([.place(places[0])])
    }
    above.parent = above.id
    #expect(throws: JournalError.nesting(id: above.id, limit: 8)) {
      try journal.save([.place(above)])
    }
    places[0].parent = places[2].id
    #expect(throws: JournalError.self) { try journal.save([.place(places[0])]) }
    #expect(try journal.check() == [])
  }

  @Test func twoThatHaveItOpenSeeEachOthersChanges() throws {
    let home = try TestJournal()
    let (first, second) = (try home.open(), try home.open())
    let walk = try Walk()
    try first.save(walk.records)
    #expect(try second.record(walk.oak.id)?.record == .occurrence(walk.oak))
    try second.delete(walk.oak.id)
    #expect(try first.record(walk.oak.id)?.deletedAt != nil)
    #expect(try first.check() == [])
  }

  @Test func aNewerFileIsLeftAsItIs() throws {
    let home = try TestJournal()
    try home.open().save(try Walk().records)
    try home.inside { try $0.execute(sql: "PRAGMA user_version = 2") }
    #expect(throws: StoreError.newerVersion(path: home.path, got: 2, expected: 1)) {
      try home.open()
    }
  }

  @Test(arguments: [
    "CREATE TABLE other (a)", "CREATE VIEW other AS SELECT 1", "DROP TABLE day_tally",
    "CREATE VIRTUAL TABLE other USING fts5(a)", "DROP TABLE place_box",
    "DROP TABLE place_box; CREATE VIRTUAL TABLE place_box USING rtree(id, a, b)",
    "ALTER TABLE place ADD COLUMN other TEXT",
    "DROP TABLE setting; CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "DROP TABLE setting; CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID, STRICT",
    "CREATE TRIGGER other AFTER INSERT ON place BEGIN SELECT 1; END",
  ])
  func whatIsNoJournalIsLeftAsItIs(sql: String) throws {
    let home = try TestJournal()
    try home.open().save(try Walk().records)
    try home.inside { try $0.execute(sql: sql) }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: home.path))
    let error = #expect(throws: StoreError.self) { try home.open() }
    #expect(error?.kind == .damaged)
    #expect(try JournalFile.damage(in: home.directory).count == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: home.path)) == bytes)
  }

  @Test func whatIsRemovedIsOverwritten() throws {
    let home = try TestJournal()
    // Who closes the file last brings the log into it.
    func isInTheFile() throws -> Bool {
      try Data(contentsOf: URL(fileURLWithPath: home.path)).range(of: Data("quagga".utf8)) != nil
    }
    try home.open().set("last_collection", to: "quagga")
    #expect(try isInTheFile())
    try home.open().set("last_collection", to: nil)
    #expect(try !isInTheFile())
  }

  /// Whoever made the folder or the file, and with whatever rights.
  @Test func allIsItsOwnersAlone() throws {
    let home = try TestJournal()
    let folder = home.directory.journal
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    for _ in 0..<2 {
      let journal = try home.open()
      try journal.set("last_collection", to: "a")
      #expect(try mode(folder) == 0o700)
      for ending in ["", "-wal", "-shm"] { #expect(try mode(home.path + ending) == 0o600) }
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: home.path)
    }
  }

  /// The statements of the specification make the very tables that the program makes.
  @Test func theSpecificationIsTheSchema() throws {
    let root = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
      url.deletingLastPathComponent()
    }
    let text = try String(
      contentsOf: root.appendingPathComponent("Format/JOURNAL.md"), encoding: .utf8)
    let blocks = text.components(separatedBy: "```").filter { $0.hasPrefix("sql\n") }
    let sql = blocks.map { $0.dropFirst(4) }.joined(separator: "\n")
    let stated = try DatabaseQueue()
    try stated.write { try $0.execute(sql: sql) }
    let home = try TestJournal()
    _ = try home.open()
    func shape(_ database: Database) throws -> [String] {
      let tables = try Row.fetchAll(
        database,
        sql: "SELECT name, type, ncol, wr, strict FROM pragma_table_list ORDER BY name")
      let columns = try Row.fetchAll(
        database,
        sql: """
          SELECT t.name, x.* FROM pragma_table_list t, pragma_table_xinfo(t.name) x
          ORDER BY t.name, x.cid
          """)
      let keys = try Row.fetchAll(
        database,
        sql: """
          SELECT t.name, x.* FROM pragma_table_list t, pragma_foreign_key_list(t.name) x
          ORDER BY t.name, x.id
          """)
      let indexes = try Row.fetchAll(
        database,
        sql: """
          SELECT i.name, i.tbl_name, x.seqno, x.name, x.coll FROM sqlite_schema i,
            pragma_index_xinfo(i.name) x WHERE i.type = 'index' ORDER BY i.name, x.seqno
          """)
      return (tables + columns + keys + indexes).map(\.description)
    }
    let expected = try stated.read(shape)
    #expect(expected.count > 200)
    #expect(try home.inside(shape) == expected)
  }
}

extension Walk {
  /// The identification as it was before a test changed its words.
  static func original(of walk: Walk) throws -> Identification {
    var name = walk.oakName
    name.verbatimName = "quercus robur"
    return name
  }

  @Test func openingASoundFileLeavesItsIndexes() throws {
    let home = try TestJournal()
    try home.open().save(try Walk().records)
    func version() throws -> Int? {
      try home.inside { try Int.fetchOne($0, sql: "PRAGMA schema_version") }
    }
    let before = try version()
    #expect(try home.open().check() == [])
    #expect(try version() == before)
    // One that lacks a row is made anew.
    try home.inside {
      try $0.execute(
        sql: """
          UPDATE sighting SET day = NULL; PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = replace(sql, 'day IS NULL', 'day = 5')
            WHERE name = 'sighting_dayless'
          """)
      try $0.execute(sql: "REINDEX sighting_dayless")
    }
    let journal = try home.open()
    #expect(try version() != before)
    try journal.rebuild()
    #expect(try journal.check() == [])
  }
}
