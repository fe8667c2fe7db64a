import STOLData
import TestSupport
import Testing

@testable import STOLJournal

/// The layouts of Tree Tracker and UmiLog, in and out.
@Suite("Layouts of the seeds")
struct SeedLayoutTests {
  private static let id = "0192f3a4-5b6c-7d8e-9fab-cdef01234567"

  private static func trees(_ text: String, _ layout: TreeTrackerReader.Layout = .export) throws
    -> TreeTrackerReader
  {
    try TreeTrackerReader(ByteChunks(Array(text.utf8)), layout)
  }

  // MARK: - Tree Tracker

  private static let orchard = """
    [
      {"id": "\(id)", "latitude": 42.45331, "longitude": -76.4807, "horizontalAccuracy": 4.2,
       "altitude": 251.5, "species": "Malus domestica", "variety": "Honeycrisp", "rootstock": "M111",
       "collection": "Victoria's Orchard", "createdAt": "2026-03-15T14:30:22Z",
       "updatedAt": "2026-04-01T08:00:00Z", "notes": "first | second", "photos": ["AAAA", "BBBB"]},
      {"id": "0192F3A4-5B6C-7D8E-9FAB-CDEF01234568", "latitude": -0.5e1, "longitude": 180,
       "horizontalAccuracy": 12, "species": "", "createdAt": 795364222.75, "altitude": null,
       "notes": [{"id": "0192f3a4-5b6c-7d8e-9fab-cdef01234569", "text": "dated",
         "createdAt": "2026-03-16T10:00:00-04:00", "photos": ["CCCC"]}, "plain", ""],
       "health": "good"}
    ]
    """

  @Test func treesBecomeOrganismsSeenOnVisits() throws {
    let reader = try Self.trees(Self.orchard)
    let (rows, refusals) = try reader.all()
    #expect(refusals == [] && rows.map(\.line) == [2, 6])
    #expect(reader.photoCount == 3)
    #expect(reader.beside.leftOut == ["horizontalAccuracy, rounded": 1, "updatedAt": 1])
    #expect(rows[0].flags.map(\.column) == ["photos"] && rows[0].flags[0].value == "2")
    #expect(rows[1].flags.map(\.column) == ["photos", "health"])
    #expect(rows.allSatisfy { !$0.keepsNames })
    var (organisms, events, names): ([Organism], [Event], [Identification]) = ([], [], [])
    var (notes, collections): ([Note], [JournalCollection]) = ([], [])
    for record in rows.flatMap(\.records) {
      switch record {
      case .organism(let it): organisms.append(it)
      case .event(let it): events.append(it)
      case .identification(let it): names.append(it)
      case .note(let it): notes.append(it)
      case .collection(let it): collections.append(it)
      default: break
      }
    }
    #expect(organisms.map(\.id.description) == [Self.id, "0192f3a4-5b6c-7d8e-9fab-cdef01234568"])
    #expect(
      organisms[0].position
        == Position(latitudeE7: 424_533_100, longitudeE7: -764_807_000, uncertaintyM: 5))
    #expect(organisms[0].elevationCm == 25_150 && organisms[1].elevationCm == nil)
    #expect(
      organisms[1].position
        == Position(latitudeE7: -50_000_000, longitudeE7: 1_800_000_000, uncertaintyM: 12))
    #expect(organisms[0].collections == [collections[0].id])
    #expect(collections.map(\.name) == ["Victoria's Orchard"])
    #expect(events.map(\.start.text) == ["2026-03-15T14:30:22", "2026-03-16T14:30:22"])
    #expect(events.map(\.utcOffsetMin) == [0, 0])
    #expect(names.map(\.verbatimName) == ["Malus domestica"])
    #expect(names[0].cultivar == "Honeycrisp" && names[0].rootstock == "M111")
    #expect(notes.map(\.text) == ["first", "second", "dated", "plain"])
    #expect(Set(notes.map(\.id)).count == 4)
    #expect(notes[2].id.description == "0192f3a4-5b6c-7d8e-9fab-cdef01234569")
    #expect(notes.map { $0.time?.text } == [nil, nil, "2026-03-16T10:00:00", nil])
  }

  @Test func treesGoInAndOutAndInAgain() throws {
    let journal = try TestJournal().open()
    try journal.keepRows(of: try Self.trees(Self.orchard))
    let (bytes, report) = try journal.exported(.treetracker)
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        [
        {"id":"\(Self.id)","latitude":42.45331,"longitude":-76.4807,"horizontalAccuracy":5,\
        "altitude":251.5,"species":"Malus domestica","variety":"Honeycrisp","rootstock":"M111",\
        "collection":"Victoria's Orchard","createdAt":"2026-03-15T14:30:22Z","notes":"first | second"},
        {"id":"0192f3a4-5b6c-7d8e-9fab-cdef01234568","latitude":-5,"longitude":180,\
        "horizontalAccuracy":12,"species":"","createdAt":"2026-03-16T14:30:22Z",\
        "notes":"dated | plain"}
        ]

        """)
    #expect(report.written.map(\.count) == [2])
    #expect(report.losses == ["note.time": 1, "notes of their own (joined)": 4])
    #expect(JSONLayout.detect(bytes) == .treetracker)
    let other = try TestJournal().open()
    try other.keepRows(of: try Self.trees(String(decoding: bytes, as: UTF8.self)))
    let again = try other.exported(.treetracker).bytes
    #expect(again == bytes)
    #expect(try other.check() == [])
  }

  /// Notes come apart where the export joined them; a " | " within one is changed by it, and counted.
  @Test func notesComeBackOneByOne() throws {
    let journal = try TestJournal().open()
    let event = Event(kind: .visit, start: try LocalTime("2026-03-15"))
    var (tree, seen) = (Organism(), Occurrence(event: event.id))
    tree.position = Position(latitudeE7: 1, longitudeE7: 1)
    seen.organism = tree.id
    let texts = ["In full blossom", "31 kg | of apples", "|", "one /", "a\nb"]
    try journal.save(
      [.event(event), .organism(tree), .occurrence(seen)]
        + texts.map { .note(Note(target: tree.id, text: $0)) })
    let (bytes, report) = try journal.exported(.treetracker)
    #expect(report.losses["\" | \" within a note"] == 1)
    let other = try TestJournal().open()
    try other.keepRows(of: try Self.trees(String(decoding: bytes, as: UTF8.self)))
    let notes = try other.parts(of: tree.id).compactMap { kept -> String? in
      if case .note(let note) = kept.record { note.text } else { nil }
    }
    #expect(notes == ["In full blossom", "31 kg / of apples", "|", "one /", "a\nb"])
    #expect(try other.exported(.treetracker).bytes == bytes)
  }

  /// What is of no organism is a tree of its own; what cannot be held is counted.
  @Test func occurrencesOfNoOrganismAreTreesToo() throws {
    let journal = try TestJournal().open()
    let walk = try Walk()
    try journal.save(walk.records)
    let (bytes, report) = try journal.exported(.treetracker)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(
      text.contains("\"id\":\"\(walk.tree.id)\"") && text.contains("\"id\":\"\(walk.bird.id)\""))
    #expect(!text.contains("\(walk.oak.id)"))
    #expect(text.contains("\"createdAt\":\"2026-03-15T09:44:00-04:00\""))
    #expect(text.contains("\"createdAt\":\"2026-03-15T10:00:30-04:00\""))
    #expect(
      text.contains("\"species\":\"quercus robur\"") && text.contains("\"collection\":\"Orchard\""))
    #expect(text.contains("\"latitude\":42.45331"))
    #expect(report.losses["event.weather"] == 1 && report.losses["occurrence.behaviour"] == 1)
    #expect(report.losses["organism.name"] == 1 && report.losses["place.name"] == 1)
    #expect(report.losses["identification.taxon.name"] == 1)
    #expect(report.losses["organism.status"] == nil && report.losses["occurrence.presence"] == nil)
  }

  @Test(arguments: [
    ("{\"id\":\"7\",\"latitude\":1,\"longitude\":2,\"createdAt\":\"2026\"}", "id", "UUID"),
    ("{\"latitude\":1,\"longitude\":2,\"createdAt\":\"2026\"}", "id", "missing"),
    ("{\"id\":\"\(id)\",\"longitude\":2,\"createdAt\":\"2026\"}", "latitude", "missing"),
    (
      "{\"id\":\"\(id)\",\"latitude\":91,\"longitude\":2,\"createdAt\":\"2026\"}", "latitude", "-90"
    ),
    (
      "{\"id\":\"\(id)\",\"latitude\":\"1\",\"longitude\":2,\"createdAt\":\"2026\"}", "latitude",
      "number"
    ),
    (
      "{\"id\":\"\(id)\",\"latitude\":1,\"lat\":1,\"longitude\":2,\"createdAt\":\"2026\"}", "lat",
      "one of them"
    ),
    (
      "{\"id\":\"\(id)\",\"latitude\":1,\"longitude\":2,\"accuracy\":-1,\"createdAt\":\"2026\"}",
      "accuracy", "above 0"
    ),
    (
      "{\"id\":\"\(id)\",\"latitude\":1,\"longitude\":2,\"species\":\"a\"}", "createdAt",
      "missing"
    ),
    (
      "{\"id\":\"\(id)\",\"latitude\":1,\"longitude\":2,\"createdAt\":\"15/03/2026\"}", "createdAt",
      "2026-03-15"
    ),
    (
      "{\"id\":\"\(id)\",\"latitude\":1,\"longitude\":2,\"createdAt\":1e30}", "createdAt",
      "2026-03-15"
    ),
    (
      "{\"id\":\"\(id)\",\"latitude\":1,\"longitude\":2,\"createdAt\":\"2026\",\"altitude\":1e40}",
      "altitude", "smaller"
    ),
    (
      "{\"id\":\"\(id)\",\"latitude\":1,\"longitude\":2,\"createdAt\":\"2026\",\"species\":\"a\\nb\"}",
      "species", "one line"
    ),
    ("7", "", "object"),
  ])
  func aTreeThatCannotBeIsRefusedByItsMember(text: String, column: String, reason: String) throws {
    let good = "{\"id\":\"\(Self.id)\",\"latitude\":1,\"longitude\":2,\"createdAt\":\"2026\"}"
    let (rows, refusals) = try Self.trees("[\(good),\n\(text),\n\(good)]").all()
    #expect(rows.map(\.line) == [1, 3])
    #expect(refusals.map(\.line) == [2] && refusals.map(\.column) == [column])
    let words = refusals.map { "\($0.reason) \($0.remedy)" }.joined()
    #expect(words.contains(reason), "\(words)")
  }

  @Test func whatTheWatchSendsMakesOneTreeHoweverOftenItCame() throws {
    let one = """
      {"id":"\(Self.id)","latitude":1.5,"longitude":2.5,"horizontalAccuracy":24.5,"altitude":3,\
      "species":"Acer sp.","notes":"by the gate","capturedAt":"2026-03-15T09:44:30.123+02:00"}
      """
    let short = """
      {"id":"0192f3a4-5b6c-7d8e-9fab-cdef01234568","lat":1,"lon":2,"accuracy":3,"altitude":null,\
      "species":"","notes":"","capturedAt":"2026-03-15T09:44:30Z"}
      """
    for text in ["[\(one),\(short)]", "\(one)\n\(short)\n", one + short] {
      #expect(JSONLayout.detect(Array(text.utf8)) == .watchtree)
      let journal = try TestJournal().open()
      try journal.keepRows(of: try Self.trees(text, .watch))
      let records = try journal.liveRecords().map(\.record)
      try journal.keepRows(of: try Self.trees(text, .watch))
      #expect(try journal.liveRecords().map(\.record) == records)
      #expect(records.count { $0.kind == .organism } == 2)
      #expect(records.count { $0.kind == .note } == 1)
      #expect(records.count { $0.kind == .identification } == 1)
      let event = records.first { $0.kind == .event }
      guard case .event(let visit)? = event else {
        Issue.record("no event")
        return
      }
      #expect(visit.start.text == "2026-03-15T09:44:30" && visit.utcOffsetMin == 120)
    }
    // A line that is broken spoils no other.
    let (rows, refusals) = try Self.trees("\(one)\n{\"id\":\n\(short)", .watch).all()
    #expect(rows.map(\.line) == [1, 3] && refusals.map(\.line) == [2])
  }

  // MARK: - UmiLog

  static let dives = """
    {"sites":[
      {"id":"blue","name":"Blue Corner","location":"Off Ngemelis","latitude":7.1333,"longitude":134.2205,
       "region":"Micronesia","area":"Palau","country":"PW","avg_depth":18.5,"max_depth":30.25,
       "difficulty":4,"type":"Wall","description":"Hooks and sharks","wishlist":true,"visitedCount":3,
       "tags":["drift","sharks"],"entry_modes":["boat"],"createdAt":"2026-01-01T00:00:00Z"},
      {"id":"pier","name":"The Pier","region":"Micronesia","country":"Palau","type":"Muck","min_depth":2}],
     "list_state":[{"site_id":"blue","state":"visited"},{"site_id":"pier","state":"planned"},
      {"site_id":"pier","state":"visited"},{"site_id":"pier","state":"loved"}],
     "species":[{"id":"1","name":"Green turtle","scientific_name":"Chelonia mydas","category":"Reptile"},
      {"id":"2","name":"clownfish"}],
     "dives":[
      {"id":"d1","site_id":"blue","date":"2026-03-15","start_time":"9:44","end_time":"10:36","max_depth":22.4,
       "avg_depth":12.0,"bottom_time":51.5,"start_pressure":200,"end_pressure":60.5,"temperature":27.15,
       "visibility":25,"current":3,"conditions":"calm","notes":"Two mantas","instructor_name":"Mei",
       "instructor_number":"123","signed":true,"updatedAt":"2026-03-15T12:00:00Z"},
      {"id":"d2","date":"2026-03-16T08:00:00+09:00","start_time":"2026-03-16T08:00:00+09:00",
       "current":"ripping","signed":0}],
     "sightings":[
      {"id":"s1","dive_id":"d1","species_id":"1","count":2,"notes":"asleep"},
      {"id":"s2","dive_id":"d1","species_id":"2"},
      {"id":"s3","dive_id":"d2","species_id":"9"}]}
    """

  private static func umilog(_ text: String) throws -> UmiLogReader {
    try UmiLogReader(ByteChunks(Array(text.utf8)))
  }

  @Test func sitesDivesAndSightingsAreRead() throws {
    #expect(JSONLayout.detect(Array(Self.dives.utf8)) == .umilog)
    let (rows, refusals) = try Self.umilog(Self.dives).all()
    #expect(rows.map(\.line) == [2, 6, 12, 16, 19, 20])
    #expect(refusals.map(\.line) == [8, 21] && refusals.map(\.column) == ["state", "species_id"])
    var (places, events, names): ([Place], [Event], [Identification]) = ([], [], [])
    for record in rows.flatMap(\.records) {
      if case .place(let it) = record { places.append(it) }
      if case .event(let it) = record { events.append(it) }
      if case .identification(let it) = record { names.append(it) }
    }
    let sites = places.filter { $0.kind == .site }
    #expect(sites.map(\.name) == ["Blue Corner", "The Pier"])
    #expect(sites[0].position == Position(latitudeE7: 71_333_000, longitudeE7: 1_342_205_000))
    #expect(sites[0].country == "PW" && sites[0].states == [.wishlist])
    #expect(sites[0].tags == ["drift", "sharks"] && sites[0].locality == "Off Ngemelis")
    #expect(sites[0].diveSite?.maxDepthMm == 30_250 && sites[0].diveSite?.kind == .wall)
    #expect(sites[0].diveSite?.difficulty == 4 && sites[0].diveSite?.entry == .boat)
    #expect(sites[1].tags == ["Palau", "Muck"] && sites[1].states == [.planned])
    #expect(sites[1].diveSite?.minDepthMm == 2000)
    let area = places.first { $0.id == sites[0].parent }
    #expect(area?.name == "Palau" && area?.kind == .area)
    #expect(places.first { $0.id == area?.parent }?.name == "Micronesia")
    #expect(area?.parent == sites[1].parent)
    #expect(rows[0].flags.map(\.column) == ["avg_depth"])
    #expect(rows[1].flags.map(\.column) == ["country", "type", "state"])
    let dive = try #require(events.first?.dive)
    #expect(events[0].place == sites[0].id && events[0].start.text == "2026-03-15T09:44")
    #expect(events[0].end?.text == "2026-03-15T10:36" && events[0].utcOffsetMin == nil)
    #expect(dive.maxDepthMm == 22_400 && dive.meanDepthMm == 12_000 && dive.bottomS == 3090)
    #expect(dive.tanks.map(\.startMbar) == [200_000] && dive.tanks.map(\.endMbar) == [60_500])
    #expect(dive.waterMinCk == 30_030 && dive.visibilityCm == 2500 && dive.currentLevel == 3)
    #expect(dive.signedMs == 1_773_576_000_000 && events[0].persons.count == 1)
    #expect(events[0].persons.first?.number == "123" && events[0].weather == "calm")
    #expect(events[1].utcOffsetMin == 540 && events[1].remarks == "current: ripping")
    #expect(events[1].dive?.signedMs == nil && rows[3].flags.map(\.column) == ["current"])
    #expect(names.map(\.verbatimName) == ["Chelonia mydas", "clownfish"])
  }

  @Test func divesGoInAndOutAndInAgain() throws {
    let journal = try TestJournal().open()
    let clean = Self.dives.replacing(
      ",\n  {\"site_id\":\"pier\",\"state\":\"visited\"},{\"site_id\":\"pier\",\"state\":\"loved\"}",
      with: ""
    ).replacing(",\n  {\"id\":\"s3\",\"dive_id\":\"d2\",\"species_id\":\"9\"}", with: "")
    try journal.keepRows(of: try Self.umilog(clean))
    let (bytes, report) = try journal.exported(.umilog)
    let written = String(decoding: bytes, as: UTF8.self)
    #expect(
      report.written.map(\.what) == ["sites", "list_state", "species", "dives", "sightings"])
    #expect(report.written.map(\.count) == [2, 3, 2, 2, 2] && report.losses == [:])
    #expect(written.contains("\"bottom_time\":51.5,\"start_pressure\":200,\"end_pressure\":60.5"))
    #expect(written.contains("\"temperature\":27.15,\"visibility\":25,\"current\":3"))
    #expect(written.contains("\"region\":\"Micronesia\",\"area\":\"Palau\",\"country\":\"PW\""))
    #expect(written.contains("\"signed\":true,\"updatedAt\":\"2026-03-15T12:00:00Z\""))
    #expect(written.contains("\"wishlist\":true,\"visitedCount\":1"))
    #expect(JSONLayout.detect(bytes) == .umilog)
    let other = try TestJournal().open()
    try other.keepRows(of: try Self.umilog(written))
    #expect(try other.exported(.umilog).bytes == bytes)
    #expect(try other.check() == [])
    // In the journal that it is from it adds nothing.
    let before = try journal.liveRecords().map(\.record)
    let (rows, _) = try Self.umilog(written).all()
    let known = Set(before.map(\.id))
    let added = rows.flatMap(\.records).filter { !known.contains($0.id) }
    #expect(added == [])
  }

  /// Every depth, pressure, temperature and time that the journal can hold comes back as it was.
  @Test func numbersComeBackAsTheyWere() throws {
    var generator = SeededGenerator(seed: 51)
    for _ in 0..<50 {
      let journal = try TestJournal().open()
      var event = Event(kind: .dive, start: try LocalTime("2026-03-15T09:44:30"))
      var dive = Dive()
      dive.bottomS = Int.random(in: 0...20_000, using: &generator)
      dive.maxDepthMm = Int.random(in: 100_000...200_000, using: &generator)
      dive.meanDepthMm = Int.random(in: 0...100_000, using: &generator)
      dive.waterMinCk = Int.random(in: 26_000...31_000, using: &generator)
      dive.visibilityCm = Int.random(in: 0...10_000, using: &generator)
      var tank = Dive.Tank()
      tank.startMbar = Int.random(in: 100_000...300_000, using: &generator)
      tank.endMbar = Int.random(in: 0...100_000, using: &generator)
      dive.tanks = [tank]
      event.dive = dive
      try journal.save([.event(event)])
      let text = String(decoding: try journal.exported(.umilog).bytes, as: UTF8.self)
      let (rows, refusals) = try Self.umilog(text).all()
      #expect(refusals == [] && rows.flatMap(\.records) == [.event(event)])
    }
  }

  @Test func whatUmiLogHasNoWordForIsCounted() throws {
    let journal = try TestJournal().open()
    try journal.save(try Walk().records)
    let report = try journal.exported(.umilog).report
    #expect(report.written.map(\.what) == ["sites", "list_state"])
    #expect(report.losses["events that are no dives"] == 1)
    #expect(report.losses["occurrences outside dives"] == 2)
    #expect(report.losses["organism.name"] == 1)
    #expect(report.losses["place.position.uncertaintyM"] == 1)
  }

  @Test(
    arguments: [
      ("0", "0"), ("-12.5", "-12.5"), ("1e2", "100"), ("1.5E+2", "150"), ("-1.25e-3", "-0.00125"),
      ("0.001e3", "1"), ("12e-1", "1.2"), ("1e60", "1" + String(repeating: "0", count: 60)),
      ("1e61", nil), ("1e999999999999999999999", nil), ("1e-9223372036854775808", nil),
      ("0e0", "0"), ("10e-1", "1.0"),
    ] as [(String, String?)])
  func exponentsAreWrittenOut(digits: String, plain: String?) {
    #expect(ImportObject.plainDigits(digits) == plain)
  }

  @Test(
    arguments: [
      ("2026-03-15T09:44:30Z", "2026-03-15T09:44:30", 0),
      ("2026-03-15T09:44Z", "2026-03-15T09:44", 0),
      ("2026-03-15 09:44:30.5+0530", "2026-03-15T09:44:30", 330),
      ("2026-03-15T09:44:30.123456-04", "2026-03-15T09:44:30", -240),
      ("2026-03-15T09:44:30-12:00", "2026-03-15T09:44:30", -720),
      ("2026-03-15", "2026-03-15", nil), ("2026", "2026", nil),
      ("2026-03-15T09:44:30.5", "2026-03-15T09:44:30", nil),
      ("2026-03-15Z", nil, nil), ("2026-03-15T09:44:30.Z", nil, nil),
      ("2026-03-15T09:44:30+5", nil, nil), ("2026-03-15T09:44:30+05:61", nil, nil),
      ("2026-02-30T09:44:30Z", nil, nil), ("2026-03-15T09:44:30+aa:00", nil, nil), ("", nil, nil),
    ] as [(String, String?, Int?)])
  func timesAreReadAsTheyWereLived(text: String, local: String?, offset: Int?) {
    let time = ImportTime(text)
    #expect(time?.time.text == local && time?.utcOffsetMin == offset)
  }
}
