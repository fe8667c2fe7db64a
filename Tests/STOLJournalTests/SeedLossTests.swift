import STOLData
import STOLPack
import Testing

@testable import STOLJournal

/// What of the seeds' layouts the journal cannot keep, and what it writes back.
@Suite("What the seeds' layouts lose")
struct SeedLossTests {
  private static func umilog(_ text: String) throws -> UmiLogReader {
    try UmiLogReader(ByteChunks(Array(text.utf8)))
  }

  private static func `import`(
    _ text: String, into journal: JournalFile, names: ImportNames? = nil
  ) throws -> (rows: [ImportedRow], summary: ImportSummary) {
    var rows: [ImportedRow] = []
    let summary = try journal.importing(try umilog(text), names: names) { rows.append($0) }
    return (rows, summary)
  }

  private static let turtles = """
    {"version":2,
     "sites":[{"id":"b","name":"Blue Corner","visitedCount":3,"createdAt":"2026-01-01T00:00:00Z"}],
     "list_state":[{"site_id":"b","state":"planned"},{"site_id":"b","state":"visited"},
      {"site_id":"x","state":"planned"}],
     "species":[
      {"id":"1","name":"Green turtle","scientific_name":"Chelonia mydas","category":"reptile",
       "rarity":"common","regions":["Pacific"],"imageUrl":"http://x/y.jpg","createdAt":"2026"},
      {"id":"2","name":"Manta","scientific_name":"Mobula birostris","category":"fish"},
      {"id":"3","name":"clownfish"},{"id":"4","name":"Lion","scientific_name":"Panthera leoo"},
      {"id":"3","name":"clownfish"},{"id":"3","name":"shark"},{"name":"nobody"}],
     "dives":[{"id":"d","site_id":"b","date":"2026-03-15","bottom_time":51.51,"max_depth":22.4567,
       "updatedAt":"2026-03-15T12:00:00Z"}],
     "sightings":[{"id":"s","dive_id":"d","species_id":"1","createdAt":"2026"},
      {"id":"t","dive_id":"d","species_id":"3"},{"id":"u","dive_id":"d","species_id":"4"}]}
    """

  @Test func whatUmiLogSaysAndTheJournalDoesNotIsCounted() throws {
    let journal = try TestJournal().open()
    let (rows, summary) = try Self.import(Self.turtles, into: journal)
    let refused = rows.compactMap(\.refusal)
    #expect(refused.map(\.column) == ["name", "id", "site_id"])
    #expect(refused.map(\.value) == ["shark", "", "x"] && refused.map(\.line) == [10, 10, 4])
    #expect(summary.beside.joined == ["species": 3, "list_state": 2])
    #expect(
      summary.beside.leftOut == [
        "version": 1, "sites.visitedCount": 1, "sites.createdAt": 1, "species.category": 2,
        "species.rarity": 1, "species.regions": 1, "species.imageUrl": 1, "species.createdAt": 1,
        "species without a sighting": 1, "dives.bottom_time, rounded": 1,
        "dives.max_depth, rounded": 1, "dives.updatedAt": 1, "sightings.createdAt": 1,
      ])
    #expect(summary.rowCount == 8)
  }

  /// Common names come back, whatever the names lead to.
  @Test(arguments: [nil, .exact, .fuzzy] as [ImportOptions.Acceptance?])
  func commonNamesComeBack(accept: ImportOptions.Acceptance?) throws {
    let pack = try TestTable.pack.get()
    let names = accept.map { ImportNames(in: pack, accept: $0) }
    let journal = try TestJournal().open()
    _ = try Self.import(Self.turtles, into: journal, names: names)
    let identifications = try journal.liveRecords().compactMap { kept -> Identification? in
      if case .identification(let it) = kept.record { it } else { nil }
    }
    #expect(
      identifications.map(\.verbatimName) == ["Chelonia mydas", "clownfish", "Panthera leoo"])
    #expect(identifications[0].remarks == "Green turtle")
    #expect((identifications[0].taxon == nil) == (accept == nil))
    #expect((identifications[2].taxon?.name == "Panthera leo") == (accept == .fuzzy))
    let (bytes, report) = try journal.exported(.umilog)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(
      text.contains("\"name\":\"Green turtle\",\"scientific_name\":\"Chelonia mydas\"")
        && text.contains("\"name\":\"clownfish\"}")
        && text.contains("\"name\":\"Lion\",\"scientific_name\":\"Panthera leoo\""))
    #expect(report.losses["identification.remarks"] == nil)
    let other = try TestJournal().open()
    let (rows, summary) = try Self.import(text, into: other, names: names)
    #expect(rows.allSatisfy { $0.refusal == nil })
    #expect(summary.beside.leftOut == [:])
    #expect(try other.exported(.umilog).bytes == bytes)
    #expect(try Self.import(text, into: journal, names: names).summary.batch == nil)
  }

  /// A remark of somebody's own is no name.
  @Test func aRemarkIsNoCommonName() throws {
    let journal = try TestJournal().open()
    let event = Event(kind: .dive, start: try LocalTime("2026-03-15"))
    let seen = Occurrence(event: event.id)
    var name = Identification(occurrence: seen.id, verbatimName: "Chelonia mydas")
    name.remarks = "by its shell"
    try journal.save([.event(event), .occurrence(seen), .identification(name)])
    let (bytes, report) = try journal.exported(.umilog)
    #expect(String(decoding: bytes, as: UTF8.self).contains("\"name\":\"Chelonia mydas\"}"))
    #expect(report.losses == ["identification.remarks": 1])
  }

  /// Dives at places of every kind go out and in again; where the format has none of it that is counted.
  @Test func divesAtPlacesThatAreNoSitesAreKept() throws {
    let journal = try TestJournal().open()
    var places = Place.Kind.allCases.map { Place(kind: $0, name: "Some \($0.rawValue)") }
    var area = Place(kind: .area, name: "Palau")
    let region = Place(kind: .region, name: "Micronesia")
    area.parent = region.id
    for index in places.indices where places[index].kind == .site { places[index].parent = area.id }
    for index in places.indices where places[index].kind == .spot {
      places[index].parent = places.first { $0.kind == .site }?.id
    }
    places = [region, area] + places
    var records = places.map { JournalRecord.place($0) }
    for place in places {
      var dive = Event(kind: .dive, start: try LocalTime("2026-03-15"))
      dive.place = place.id
      dive.dive = Dive()
      records.append(.event(dive))
    }
    try journal.save(records)
    let (bytes, report) = try journal.exported(.umilog)
    #expect(
      report.losses == [
        "place.parent": 1, "places of dives that are no sites": 5, "places that are regions": 1,
        "places that are areas": 1, "places that are homes": 1, "spots (as sites)": 1,
      ])
    let other = try TestJournal().open()
    let (rows, _) = try Self.import(String(decoding: bytes, as: UTF8.self), into: other)
    #expect(rows.compactMap(\.refusal) == [])
    #expect(try other.liveRecords().count { $0.record.kind == .event } == places.count)
    #expect(try other.exported(.umilog).bytes == bytes)
  }

  @Test(arguments: [
    ("2023-03-15T09:44:00Z", "2023-03-15T10:44:00Z", "2023-03-15T10:44:00"),
    ("2023-03-15T09:44:00Z", "2023-03-15T12:44:00+02:00", nil),
    ("2023-03-15T09:44:00", "2023-03-15T10:44:00Z", nil), ("09:44", "10:44", "2023-03-15T10:44"),
  ])
  func anEndByAnotherClockIsLeftOut(start: String, end: String, kept: String?) throws {
    let journal = try TestJournal().open()
    let (rows, _) = try Self.import(
      """
      {"dives":[{"id":"d","date":"2023-03-15","start_time":"\(start)","end_time":"\(end)"}]}
      """, into: journal)
    #expect(rows.map(\.outcome) == [kept == nil ? .flagged : .new], "\(rows)")
    let ends = try journal.liveRecords().compactMap { record -> String? in
      if case .event(let event) = record.record { event.end?.text } else { nil }
    }
    #expect(ends == [kept].compactMap { $0 })
  }

  /// A tree that nobody has seen has no time, and comes back without a visit.
  @Test func aTreeWithoutAVisitComesBack() throws {
    let journal = try TestJournal().open()
    var tree = Organism()
    tree.position = Position(latitudeE7: 10_000_000, longitudeE7: 20_000_000)
    let orchard = JournalCollection(name: "Orchard")
    tree.collections = [orchard.id]
    try journal.save([
      .collection(orchard), .organism(tree), .note(Note(target: tree.id, text: "planned")),
    ])
    let bytes = try journal.exported(.treetracker).bytes
    let other = try TestJournal().open()
    var rows: [ImportedRow] = []
    _ = try other.importing(try TreeTrackerReader(ByteChunks(bytes), .export)) { rows.append($0) }
    #expect(rows.map(\.outcome) == [.new])
    #expect(try other.exported(.treetracker).bytes == bytes)
    #expect(try other.liveRecords().count { $0.record.kind == .event } == 0)
  }

  // MARK: - Words of the file

  @Test(arguments: [
    ("\"dives\":[{\"id\":\"d\",\"site_id\":\"zz\",\"date\":\"2020\"}]", "site_id", "zz"),
    ("\"sightings\":[{\"id\":\"s\",\"dive_id\":\"yy\"}]", "dive_id", "yy"),
    (
      "\"dives\":[{\"id\":\"d\",\"date\":\"2020\",\"max_depth\":10,\"avg_depth\":14.2}]",
      "avg_depth", "14.2"
    ),
    (
      "\"dives\":[{\"id\":\"d\",\"date\":\"2020\",\"start_pressure\":60,\"end_pressure\":200.5}]",
      "end_pressure", "200.5"
    ),
    ("\"dives\":[{\"id\":\"d\",\"date\":\"2020\",\"temperature\":1e3}]", "temperature", "1e3"),
    ("\"sites\":[{\"id\":\"d\",\"name\":\"a\",\"max_depth\":-7.5}]", "max_depth", "-7.5"),
    ("\"sites\":[{\"id\":\"d\",\"name\":\"a\",\"difficulty\":9}]", "difficulty", "9"),
    (
      "\"dives\":[{\"id\":\"d\",\"date\":\"2020\"}],\"sightings\":[{\"id\":\"s\",\"dive_id\":\"d\",\"count\":-2}]",
      "count", "-2"
    ),
  ])
  func umiLogIsAnsweredInItsOwnWords(tables: String, member: String, value: String) throws {
    let journal = try TestJournal().open()
    var refusals: [ImportRefusal] = []
    let reader = try UmiLogReader(ByteChunks(Array("{\(tables)}".utf8)))
    _ = try journal.importing(reader) { row in if let it = row.refusal { refusals.append(it) } }
    #expect(refusals.map(\.column) == [member] && refusals.map(\.value) == [value])
  }

  /// What is odd is shown as the file has it too.
  @Test func whatIsOddIsShownAsTheFileHasIt() throws {
    let text =
      "{\"dives\":[{\"id\":\"d\",\"date\":\"2020\",\"max_depth\":140.5,\"temperature\":41}]}"
    var flags: [ImportFlag] = []
    let journal = try TestJournal().open()
    _ = try journal.importing(try UmiLogReader(ByteChunks(Array(text.utf8)))) { flags += $0.flags }
    #expect(flags.map(\.column) == ["max_depth", "temperature"])
    #expect(flags.map(\.value) == ["140.5", "41"])
  }
}
