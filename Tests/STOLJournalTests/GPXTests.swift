import Foundation
import STOLData
import STOLFormats
import STOLSystem
import TestSupport
import Testing

@testable import STOLJournal

@Suite("GPX, fixes and the spool")
struct GPXTests {
  /// The elements of a waypoint in the order of the schema of GPX 1.1.
  private static let order = [
    "ele", "time", "magvar", "geoidheight", "name", "cmt", "desc", "src", "link", "sym", "type",
    "fix", "sat", "hdop", "vdop", "pdop", "ageofdgpsdata", "dgpsid", "extensions",
  ]

  private static func parse(_ bytes: [UInt8]) throws -> STOLFormats.XMLElement {
    try STOLFormats.XMLParser.parse(bytes, limit: 64 << 20)
  }

  @Test func aWalkAsWaypoints() throws {
    let journal = try TestJournal().open()
    var walk = try Walk()
    let ids = (0..<6).map { index in
      JournalID("0192f3a4-5b6c-7d8e-9fab-cdef0123456\(index)") ?? JournalID()
    }
    walk.place.id = ids[0]
    (walk.tree.id, walk.girth.target) = (ids[1], ids[1])
    walk.tree.place = ids[0]
    walk.tree.elevationCm = 25_150
    walk.event.id = ids[4]
    walk.event.place = ids[0]
    walk.oak.id = ids[2]
    (walk.oak.event, walk.oak.organism) = (ids[4], ids[1])
    walk.oakName.occurrence = ids[2]
    walk.bird.id = ids[3]
    walk.bird.event = ids[4]
    walk.bird.position = Position(latitudeE7: -1, longitudeE7: 1_800_000_000)
    walk.note = Note(id: ids[5], target: ids[2], text: "Two acorns,\nand \"galls\" <&>")
    try journal.save(walk.records)
    let (bytes, report) = try journal.exported(.gpx)
    func cells(_ pairs: KeyValuePairs<String, String>) -> String {
      pairs.map { "<stol:\($0.key)>\($0.value)</stol:\($0.key)>" }.joined()
    }
    let note = "Two acorns,&#10;and &quot;galls&quot; &lt;&amp;&gt;"
    let wood = cells([
      "place": "Beech Wood", "place_kind": "site", "place_states": "wishlist",
      "place_tags": "wet | wood", "place_latitude": "42.45331", "place_longitude": "-76.4807",
      "place_uncertainty_m": "30",
    ])
    let oak = cells([
      "occurrence_uuid": "\(ids[2])", "event_uuid": "\(ids[4])", "organism_uuid": "\(ids[1])",
      "place_uuid": "\(ids[0])", "event_place_uuid": "\(ids[0])",
      "organism_place_uuid": "\(ids[0])", "name": "quercus robur", "match": "exact",
      "taxon": "test:13", "taxon_name": "Quercus robur", "taxon_author": "L.",
      "taxon_year": "1758", "taxon_rank": "species", "taxon_kingdoms": "Animalia", "count": "1",
      "count_kind": "exact", "notes": note, "event_kind": "visit", "date": "2026-03-15T09:44",
      "utc_offset_min": "-240", "weather": "fog", "organism": "Old oak",
      "organism_collections": "Orchard", "organism_elevation_cm": "25150",
    ])
    let bird = cells([
      "occurrence_uuid": "\(ids[3])", "event_uuid": "\(ids[4])", "place_uuid": "\(ids[0])",
      "event_place_uuid": "\(ids[0])", "occurrence_latitude": "-0.0000001",
      "occurrence_longitude": "180", "behaviour": "singing",
      "occurrence_time": "2026-03-15T10:00:30", "event_kind": "visit",
      "date": "2026-03-15T09:44", "utc_offset_min": "-240", "weather": "fog",
    ])
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="stol test" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:stol="urn:stol:journal:1">
        <wpt lat="42.45331" lon="-76.4807"><name>Beech Wood</name><type>site</type><extensions>\
        <stol:place_uuid>\(ids[0])</stol:place_uuid>\(wood)</extensions></wpt>
        <wpt lat="42.45331" lon="-76.4807"><ele>251.5</ele><time>2026-03-15T13:44:00Z</time>\
        <name>Old oak</name><desc>\(note)</desc>\
        <type>organism</type><extensions>\(oak)\(wood)</extensions></wpt>
        <wpt lat="-0.0000001" lon="-180"><time>2026-03-15T14:00:30Z</time><name>\(ids[3])</name>\
        <type>occurrence</type><extensions>\(bird)\(wood)</extensions></wpt>
        </gpx>

        """)
    #expect(report.written.map(\.count) == [3])
    #expect(report.losses == ["event.persons.person": 1, "event.persons.role": 1, "measures": 1])
    #expect(report.losses["control characters (replaced)"] == nil)
  }

  /// Whatever texts say, the document is well-formed, keeps the order of the schema, and holds the texts but for
  /// characters that XML 1.0 has none of, which are counted.
  @Test(arguments: [UInt64(61), 62, 63])
  func randomJournalsAreWellFormed(seed: UInt64) throws {
    let journal = try TestJournal().open()
    var maker = RandomRecords(seed: seed)
    let records = try (0..<400).compactMap { _ in try maker.next() }
    try journal.save(records)
    let (bytes, report) = try journal.exported(.gpx)
    let root = try Self.parse(bytes)
    #expect(root.name == "gpx" && root.attributes["version"] == "1.1")
    #expect(root.children.count == report.written.first?.count ?? 0)
    var hasTime = false
    for point in root.children {
      #expect(point.name == "wpt")
      let places = point.children.map { Self.order.firstIndex(of: $0.name) ?? -1 }
      #expect(
        places == places.sorted() && !places.contains(-1) && Set(places).count == places.count)
      let longitude = Double(point.attributes["lon"] ?? "") ?? 999
      #expect((-180..<180).contains(longitude))
      #expect((-90...90).contains(Double(point.attributes["lat"] ?? "") ?? 999))
      let extensions = try #require(point.child("extensions"))
      let offset = extensions.child("utc_offset_min").flatMap { Int($0.text) }
      let local = (extensions.child("occurrence_time") ?? extensions.child("date"))
        .flatMap { try? LocalTime($0.text) }
      if let time = point.child("time") {
        let moment = try #require(ImportTime(time.text))
        #expect(moment.utcOffsetMin == 0)
        let (offset, local) = (try #require(offset), try #require(local))
        #expect(local.firstSecond - offset * 60 == moment.time.firstSecond && local.hasTimeOfDay)
        hasTime = true
      } else {
        #expect(offset == nil || local?.hasTimeOfDay != true || local?.text.prefix(4) != "2026")
      }
      let type = try #require(point.child("type")?.text)
      let kind = ["organism", "occurrence"].contains(type) ? type : "place"
      let id = try #require(extensions.child("\(kind)_uuid").flatMap { JournalID($0.text) })
      let record = try #require(records.first { $0.id == id })
      #expect(record.kind.rawValue == kind)
      if case .place(let place) = record { #expect(point.child("name")?.text == place.name) }
    }
    #expect(hasTime)
  }

  @Test func whatXMLCannotHoldIsReplacedAndCounted() throws {
    var xml = XMLText()
    let text = "a\u{0}\u{1}\u{8}\u{B}\u{1F}\u{FFFE}\u{FFFF}\u{7F}\u{85}\u{FFFD}\r\n\t🌳]]>'"
    let element = try Self.parse(Array(xml.element("a", text).utf8))
    let replaced = String(repeating: "\u{FFFD}", count: 7)
    #expect(
      Array(element.text.unicodeScalars)
        == Array("a\(replaced)\u{7F}\u{85}\u{FFFD}\r\n\t🌳]]>'".unicodeScalars))
    #expect(xml.replacedCount == 7)
    #expect(xml.element("a", nil) == "")
  }

  // MARK: - Tracks and sentences

  @Test func theBestPointOfATrackIsTaken() throws {
    let text = """
      <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="9" lon="9"/>
      <trk><trkseg>
      <trkpt lat="1.00000004" lon="2"><ele>10.456</ele><time>2026-03-15T09:44:30+01:00</time><hdop>4.01</hdop></trkpt>
      <trkpt lat="1.5" lon="2.5"><time>2026-03-15T09:44:30</time>
        <extensions><x><accuracy>3.2</accuracy></x></extensions></trkpt>
      <trkpt lat="91" lon="2"/><trkpt lon="2"/><trkpt lat="a" lon="2"/>
      </trkseg><trkseg><trkpt lat="3" lon="4"/></trkseg></trk></gpx>
      """
    let fixes = try GPXTrack.fixes(Array(text.utf8))
    #expect(
      fixes == [
        PositionFix(
          position: Position(latitudeE7: 10_000_000, longitudeE7: 20_000_000, uncertaintyM: 21),
          elevationCm: 1046, seconds: 1_773_564_270),
        PositionFix(
          position: Position(latitudeE7: 15_000_000, longitudeE7: 25_000_000, uncertaintyM: 4)),
        PositionFix(position: Position(latitudeE7: 30_000_000, longitudeE7: 40_000_000)),
      ])
    var choice = FixChoice(goodM: 10)
    #expect(fixes.map { choice.take($0) } == [true, true, false])
    #expect(choice.best == fixes[1] && choice.isGood && choice.count == 3)
    var strict = FixChoice(goodM: 4)
    strict.take(fixes[1])
    #expect(!strict.isGood)
    #expect(try GPXTrack.read(Array(text.utf8)).faultCount == 3)
    let points = text.replacing("trk", with: "rte")
    #expect(try GPXTrack.fixes(Array(points.utf8)).map(\.position.latitudeE7) == [90_000_000])
  }

  @Test(arguments: ["", "<kml/>", "<gpx>", "<!DOCTYPE a [<!ENTITY b \"c\">]><gpx>&b;</gpx>"])
  func whatIsNoGPXIsRefused(text: String) {
    #expect(throws: JournalError.self) { try GPXTrack.fixes(Array(text.utf8)) }
  }

  @Test(.enabled(if: SharedData.has("reference/journal/gpx")))
  func realFilesAreRead() throws {
    let counts = [
      "gpx1.1_with_all_fields.gpx": 1, "gpx1.1_with_extensions.gpx": 1,
      "track-with-extremes.gpx": 8,
    ]
    for (name, least) in counts {
      let data = try Data(
        contentsOf: URL(fileURLWithPath: SharedData.path("reference/journal/gpx/\(name)")))
      #expect(try GPXTrack.fixes(Array(data)).count >= least, "\(name)")
    }
  }

  private static func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(0, ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
  }

  private static func fixes(_ text: String) throws -> (fixes: [PositionFix], faultCount: Int) {
    var reader = NMEAReader(ByteChunks(Array(text.utf8)))
    var fixes: [PositionFix] = []
    while let fix = try reader.next() { fixes.append(fix) }
    return (fixes, reader.faultCount)
  }

  @Test func sentencesWithARightChecksumAreFixes() throws {
    // The example that descriptions of NMEA 0183 have, with its checksum.
    let known = "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n"
    let (fixes, faults) = try Self.fixes(known)
    #expect(
      fixes == [
        PositionFix(
          position: Position(
            latitudeE7: 481_173_000, longitudeE7: 115_166_667, uncertaintyM: 5),
          elevationCm: 54_540)
      ])
    #expect(faults == 0)
    let dated =
      "garbage\r\n\n"
      + Self.sentence("GPRMC,235959,A,4807.038,N,01131.000,E,022.4,084.4,150326,003.1,W")
      + Self.sentence("GNGGA,235959.50,0000.0001,S,17959.9999,W,2,12,12.3,-5,M,,,,")
      + Self.sentence("GPGSV,1,1,00")
    let (later, laterFaults) = try Self.fixes(dated)
    #expect(
      later == [
        PositionFix(
          position: Position(latitudeE7: -17, longitudeE7: -1_799_999_983, uncertaintyM: 62),
          elevationCm: -500, seconds: 1_773_619_199)
      ])
    #expect(laterFaults == 1)
  }

  @Test(arguments: [
    "GPGGA,123519,4807.038,N,01131.000,E,0,08,0.9,545.4,M,46.9,M,,",
    "GPGGA,123519,4807.038,N,01131.000,E,8,08,0.9,545.4,M,46.9,M,,",
    "GPGGA,123519,4860.000,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,",
    "GPGGA,123519,9100.000,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,",
    "GPGGA,123519,4807.038,X,01131.000,E,1,08,0.9,545.4,M,46.9,M,,",
    "GPGGA,123519,,,,,1,08,0.9,545.4,M,46.9,M,,", "GPGGA,1", "GPGGA",
  ])
  func sentencesWithoutAFixAreNone(body: String) throws {
    #expect(try Self.fixes(Self.sentence(body)).fixes == [])
  }

  @Test func wrongAndLongSentencesAreCounted() throws {
    let good = Self.sentence("GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,")
    let bad = [
      good.replacing("545.4", with: "545.5"), good.replacing("*", with: ""),
      "$" + String(repeating: "A", count: 5000) + "\n", "$*00\r\n", "$GPGGA*ZZ\n",
    ]
    let (fixes, faults) = try Self.fixes(bad.joined() + good)
    #expect(fixes.count == 1 && faults == bad.count)
  }

  /// A receiver that does not know where it is says 0 N 0 E, as exactly as it can.
  @Test func aFixAtNullIslandIsNotTheBest() throws {
    let origin = PositionFix(position: Position(latitudeE7: 0, longitudeE7: 0, uncertaintyM: 1))
    let good = PositionFix(position: Position(latitudeE7: 5, longitudeE7: 0, uncertaintyM: 8))
    var choice = FixChoice(goodM: 10)
    #expect([origin, good, origin].map { choice.take($0) } == [false, true, false])
    #expect(choice.best == good && choice.count == 1 && choice.nullIslandCount == 2)
    var accepting = FixChoice(goodM: 10, acceptsNullIsland: true)
    #expect([origin, good].map { accepting.take($0) } == [true, false])
    #expect(accepting.best == origin && accepting.nullIslandCount == 0)
  }

  @Test func fixesThatAreNowhereAreCounted() throws {
    let text = ["4807.038,N", "9507.038,N", "4860.000,N"].map {
      Self.sentence("GPGGA,123519,\($0),01131.000,E,1,08,0.9,545.4,M,46.9,M,,")
    }.joined()
    let pieces = Locked([text])
    var reader = NMEAReader(
      ByteChunks { buffer, _ in
        buffer = pieces.withLock { $0.isEmpty ? [] : Array($0.removeFirst().utf8) }
      })
    var count = 0
    while try reader.next() != nil { count += 1 }
    #expect(count == 1 && reader.strayCount == 2 && reader.faultCount == 0)
  }

  /// A receiver never ends: no more is read than is needed.
  @Test func aGoodFixEndsTheWaiting() throws {
    let good = Self.sentence("GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,")
    let poor = Self.sentence("GPGGA,123518,4807.000,N,01131.000,E,1,08,9.9,545.4,M,46.9,M,,")
    let pieces = Locked([poor, good])
    let asked = Locked(0)
    var reader = NMEAReader(
      ByteChunks { buffer, _ in
        asked.withLock { $0 += 1 }
        buffer = pieces.withLock { $0.isEmpty ? [] : Array($0.removeFirst().utf8) }
      })
    var choice = FixChoice(goodM: 10)
    while !choice.isGood, let fix = try reader.next() { choice.take(fix) }
    #expect(choice.best?.position.uncertaintyM == 5 && choice.count == 2)
    #expect(asked.withLock { $0 } == 2)
  }

  // MARK: - Names of files, layouts, the spool

  @Test func filesAreNamedByWhatIsInThemAndWhen() {
    let seconds = 1_773_585_022
    #expect(
      ExportFormat.treetracker.fileName(collection: nil, at: seconds)
        == "trees_2026-03-15_143022.json")
    #expect(
      ExportFormat.gpx.fileName(collection: "Victoria's Orchard", at: seconds)
        == "victorias_orchard_2026-03-15_143022.gpx")
    #expect(
      ExportFormat.jsonl.fileName(collection: "../ / \u{0}", at: seconds)
        == "journal_2026-03-15_143022.jsonl")
    let long = ExportFormat.json.fileName(
      collection: String(repeating: "ä", count: 300), at: seconds)
    #expect(long.utf8.count <= 160 && long.hasPrefix("ää"))
  }

  @Test(
    arguments: [
      ("{\"recordKind\":\"note\"}", .jsonl), ("{\"id\":\"a\",\"recordKind\":\"not", .jsonl),
      ("{\"version\":1,\"format\":\"stol-journal\",\"records\":[{\"a\"", .json),
      (" [ {\"id\":1,\"lat\":2,\"species\":\"a", .treetracker),
      ("[{\"capturedAt\":\"", .watchtree), ("{\"sites\":[{\"id\"", .umilog), ("{\"a\":1}", nil),
      ("[", nil), ("", nil), ("id,name\n1,2", nil), ("<gpx/>", nil),
      ("{\"type\":\"FeatureCollection\"", .geojson), ("{\"features\":[{\"a", .geojson),
      ("\u{1E}{\"type\":\"Feature\"", .geojson), ("{\"type\":\"a\",\"features\":[]}", nil),
    ] as [(String, JSONLayout?)])
  func layoutsAreKnownByTheirMembers(text: String, layout: JSONLayout?) {
    #expect(JSONLayout.detect(Array(text.utf8)) == layout)
  }

  @Test func aSpoolMovesWhatIsSafe() throws {
    let folder = try TemporaryFolder()
    let journal = try TestJournal().open()
    func put(_ name: String, _ text: String) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder(name)))
    }
    func names(_ name: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: name).sorted()
    }
    let line =
      "{\"recordKind\":\"collection\",\"id\":\"0192f3a45b6c7d8e9fabcdef0123456%\",\"name\":\"A\"}\n"
    try put("b.jsonl", line.replacing("%", with: "1"))
    try put("a.jsonl", line.replacing("%", with: "2") + line.replacing("%", with: "3"))
    try put("c.jsonl", "{\n")
    try put(".d.jsonl", line.replacing("%", with: "4"))
    try put("e.jsonl.tmp", line.replacing("%", with: "5"))
    var outcomes: [String] = []
    func run(failing: String? = nil) throws {
      outcomes = []
      try Spool(folder: folder.path).run { path in
        try journal.keepRows(of: JournalLinesReader(try ByteChunks(path: path)))
        if path.hasSuffix(failing ?? "\0") { throw JournalError.nothingToUndo }
      } onFile: { name, outcome in
        outcomes.append(outcome == .done ? name : "!" + name)
      }
    }
    // Kept, but the process ends before the file is moved: it waits, and is imported again.
    try run(failing: "b.jsonl")
    #expect(outcomes == ["a.jsonl", "!b.jsonl", "!c.jsonl"])
    #expect(try journal.liveRecords().count == 3)
    let batches = try journal.history().count
    try run()
    #expect(outcomes == ["b.jsonl", "!c.jsonl"])
    #expect(try journal.history().count == batches)
    #expect(try names(folder.path + "/done") == ["a.jsonl", "b.jsonl"])
    #expect(try names(folder.path) == [".d.jsonl", "c.jsonl", "done", "e.jsonl.tmp"])
    // Another file of the same name takes the place of none.
    try put("a.jsonl", line.replacing("%", with: "6"))
    try run()
    #expect(try names(folder.path + "/done") == ["2-a.jsonl", "a.jsonl", "b.jsonl"])
    #expect(try journal.liveRecords().count == 4)
  }
}
