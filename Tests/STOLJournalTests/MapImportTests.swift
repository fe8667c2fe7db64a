import Foundation
import STOLFormats
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Maps of other programs")
struct MapImportTests {
  private static let gpx = """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1" xmlns:y="urn:y">
    <metadata><name>all</name><copyright author="Ada"><license>CC0</license></copyright></metadata>
    <wpt lat="47.5" lon=" 8.25 "><ele>402.55</ele><time>2022-03-15T08:00:00Z</time>
      <name>Old
        mill</name><cmt>by the weir</cmt><desc>by the weir</desc><sym>Flag</sym><hdop>1.2</hdop></wpt>
    <wpt lat="-47.50000004" lon="-8.25"><desc>a &lt;b&gt;
    second line</desc></wpt>
    <wpt lat="-8.3" lon="-47.4"><name>Swapped</name></wpt>
    <wpt lat="147.5" lon="8.25"><name>Off the globe</name></wpt>
    <wpt lon="8.25"><name>Nowhere</name></wpt>
    <rte><name>Round</name><rtept lat="47" lon="8"/><rtept lat="47.02" lon="8.04"/></rte>
    <trk><name>Walk</name><desc>wet</desc><trkseg>
      <trkpt lat="47" lon="8"><time>2022-03-15T10:00:00+02:00</time></trkpt>
      <trkpt lat="x" lon="8"/></trkseg><trkseg>
      <trkpt lat="47.02" lon="8.04"><time>2022-03-15T09:30:00.75Z</time></trkpt></trkseg></trk>
    <trk><name>Empty</name></trk>
    <trk><name>Timeless</name><trkseg><trkpt lat="1" lon="179.9"/><trkpt lat="1.1" lon="-179.8"/></trkseg></trk>
    </gpx>
    """

  @Test func waypointsArePlacesAndTracksVisits() throws {
    let home = try TestJournal()
    let journal = try home.open()
    let (rows, summary, format) = try TestMap.import(Self.gpx, into: journal)
    #expect(format == .gpx)
    #expect(
      rows.map(\.outcome) == [.new, .new, .flagged, .refused, .refused, .new, .flagged, .new],
      "\(rows)")
    #expect(rows.map(\.line) == [4, 7, 9, 10, 11, 12, 13, 18])
    #expect(rows[2].flags.map(\.value) == ["-8.3"])
    #expect(rows[3].refusal?.column == "lat" && rows[3].refusal?.value == "147.5")
    #expect(rows[3].refusal?.remedy.contains("swapped") == true)
    #expect(rows[4].refusal?.reason == "is missing")
    #expect(rows[6].flags.map(\.value) == ["x"])
    let places = try journal.placesByName()
    let mill = try #require(places["Old mill"])
    #expect(
      mill.position == Position(latitudeE7: 475_000_000, longitudeE7: 82_500_000, uncertaintyM: 6))
    #expect(mill.elevationCm == 40_255 && mill.kind == .spot)
    #expect(
      try journal.texts(ofNotesOn: mill.id) == ["by the weir", "\u{A9} Ada\nLicence: CC0"])
    let second = try #require(places["a <b>"])
    #expect(second.position == Position(latitudeE7: -475_000_000, longitudeE7: -82_500_000))
    #expect(try journal.texts(ofNotesOn: second.id).first == "a <b>\nsecond line")
    let round = try #require(places["Round"])
    #expect(round.kind == .area)
    #expect(round.position?.latitudeE7 == 470_100_000 && round.position?.longitudeE7 == 80_200_000)
    let timeless = try #require(places["Timeless"])
    #expect(timeless.position?.longitudeE7 == -1_799_500_000)
    let events = try journal.events()
    #expect(events.count == 1)
    let walk = try #require(events.first)
    #expect(walk.start.text == "2022-03-15T10:00:00" && walk.end?.text == "2022-03-15T11:30:00")
    #expect(walk.utcOffsetMin == 120 && walk.remarks == "Walk\nwet" && walk.kind == .visit)
    #expect(walk.position?.latitudeE7 == round.position?.latitudeE7)
    let left = summary.beside.leftOut
    #expect(left["metadata"] == 1 && left["waypoint.sym"] == 1 && left["waypoint.time"] == 1)
    #expect(
      left["track without points"] == 1 && left["points of tracks, but for their middle"] == 4)
    // The same file again changes nothing, and all of it is undone as one.
    let before = try home.dump()
    let again = try TestMap.import(Self.gpx, into: journal)
    #expect(again.summary.batch == nil)
    #expect(try home.dump() == before)
    try journal.undo(batch: summary.batch)
    #expect(try journal.liveRecords().isEmpty)
  }

  @Test(arguments: [
    ("UTF-8", true), ("UTF-8", false), ("UTF-16", true), ("ISO-8859-1", false),
    ("windows-1252", false),
  ])
  func anyEncodingIsRead(name: String, hasMark: Bool) throws {
    let text =
      "<?xml version=\"1.0\" encoding=\"\(name)\"?><gpx><wpt lat=\"1\" lon=\"2\">"
      + "<name>Caf\u{E9}\(name == "ISO-8859-1" ? "" : "\u{20AC}")</name></wpt></gpx>"
    let encoding: String.Encoding =
      switch name {
      case "UTF-16": .utf16LittleEndian
      case "ISO-8859-1": .isoLatin1
      case "windows-1252": .windowsCP1252
      default: .utf8
      }
    var bytes = [UInt8](try #require(text.data(using: encoding)))
    if hasMark { bytes = (name == "UTF-16" ? [0xFF, 0xFE] : [0xEF, 0xBB, 0xBF]) + bytes }
    let journal = try TestJournal().open()
    let (rows, _, format) = try TestMap.import(bytes, into: journal, pieceByteCount: 7)
    #expect(format == .gpx && rows.map(\.outcome) == [.new])
    let places = try journal.placesByName()
    #expect(places.keys.first == "Caf\u{E9}" + (name == "ISO-8859-1" ? "" : "\u{20AC}"))
  }

  /// What stands before the place where a document is broken is kept, and the place is said.
  @Test(arguments: [
    ("</gpx", 5, "not valid XML"), ("<wpt lat=\"1\"", 5, "not valid XML"),
    ("<wpt></trk>", 5, "mismatched"),
    ("<wpt lat=\"1\" lon=\"2\">\(String(repeating: "<a>", count: 80))", 5, "too deep"),
    ("&b;</gpx>", 5, "undefined"),
  ])
  func whatIsWholeOfABrokenFileIsKept(end: String, line: Int, reason: String) throws {
    let journal = try TestJournal().open()
    let text = "<gpx>\n\n\n<wpt lat=\"1\" lon=\"2\"><name>A</name></wpt>\n\(end)"
    let (rows, _, _) = try TestMap.import(text, into: journal)
    #expect(rows.map(\.outcome) == [.new, .refused])
    #expect(rows.last?.refusal?.line == line, "\(rows)")
    #expect(rows.last?.refusal?.reason.contains(reason) == true, "\(rows)")
    #expect(try journal.placesByName().keys.sorted() == ["A"])
  }

  @Test func entitiesAreNotDeclared() throws {
    let journal = try TestJournal().open()
    let text =
      "<!DOCTYPE gpx [<!ENTITY b \"cccc\">]><gpx><wpt lat=\"1\" lon=\"2\"><name>&b;</name></wpt></gpx>"
    let source = try GPXSource(TestTable.stream(Array(text.utf8)))
    let reader = try MapReader(source, .gpx, TableMapping(), acceptsNullIsland: false)
    let (rows, refusals) = try reader.all()
    #expect(rows.isEmpty && refusals.count == 1 && refusals[0].reason.contains("entities"))
    #expect(try journal.liveRecords().isEmpty)
    #expect(throws: JournalError.self) {
      try TestMap.import(Array("<kml/>".utf8), into: journal, as: .gpx)
    }
  }

  private static let geojson = """
    {"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},
    "features":[
    {"type":"Feature","id":7,"geometry":{"type":"Point","coordinates":[8.25,47.5,402]},
      "properties":{"name":"Old mill","description":"wet","height":3,"list":[1]}},
    {"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":
      [[[[179,1],[180,1],[180,2],[179,1]]],[[[-180,1],[-178,1],[-180,2],[-180,1]]]]},"properties":{"title":"Strait"}}]},
    {"type":"Feature","geometry":{"type":"Point","coordinates":[8.2,47.4]},"properties":{"scientificName":"Quercus robur",
      "eventDate":"2022-03-15T09:44:30+01:00","individualCount":3,"coordinateUncertaintyInMeters":12}},
    {"type":"Feature","geometry":{"type":"Point","coordinates":[47.5,98.2]},"properties":{}},
    {"type":"Feature","geometry":null,"properties":{"name":"Nowhere"}},
    {"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1e1,-5]},
      {"type":"LineString","coordinates":[[10,-5],[10.00000001,-5]]}]},"properties":null}
    ]}
    """

  @Test func featuresArePlacesOrOccurrences() throws {
    let home = try TestJournal()
    let journal = try home.open()
    let (rows, summary, format) = try TestMap.import(Self.geojson, into: journal)
    #expect(format == .geojson)
    #expect(rows.map(\.outcome) == [.new, .new, .new, .refused, .refused, .new], "\(rows)")
    #expect(rows.map(\.line) == [3, 5, 7, 9, 10, 11])
    #expect(rows[3].refusal?.remedy.contains("swapped") == true)
    let places = try journal.placesByName()
    #expect(places["Old mill"]?.kind == .spot)
    let strait = try #require(places["Strait"]?.position)
    #expect(strait.latitudeE7 == 15_000_000 && strait.longitudeE7 == -1_795_000_000)
    #expect((160_000...200_000).contains(strait.uncertaintyM ?? 0), "\(strait)")
    #expect(places["-5, 10"]?.kind == .spot)
    let events = try journal.events()
    #expect(events.map(\.start.text) == ["2022-03-15T09:44:30"] && events[0].utcOffsetMin == 60)
    #expect(
      events[0].position
        == Position(latitudeE7: 474_000_000, longitudeE7: 82_000_000, uncertaintyM: 12))
    let left = summary.beside.leftOut
    #expect(left["feature.height"] == 1 && left["feature.list"] == 1)
    #expect(left["feature.shape (kept as its middle)"] == 1)
    let before = try home.dump()
    #expect(try TestMap.import(Self.geojson, into: journal).summary.batch == nil)
    #expect(try home.dump() == before)
  }

  /// Lines and sequences of texts; what is broken on one spoils no other.
  @Test(arguments: ["", "\u{1E}"])
  func featuresMayBeLines(mark: String) throws {
    func line(_ name: String) -> String {
      "\(mark){\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]},\"properties\":{\"name\":\"\(name)\"}}\n"
    }
    let journal = try TestJournal().open()
    let text =
      line("A") + "\(mark){\"type\":\n" + "\(mark)x\n" + line("B") + "\(mark)[1]\n" + line("C")
    let (rows, _, format) = try TestMap.import(text, into: journal)
    #expect(format == .geojson)
    #expect(rows.map(\.outcome) == [.new, .refused, .refused, .new, .refused, .new], "\(rows)")
    #expect(rows.map(\.line) == [1, 2, 3, 4, 5, 6])
    #expect(try journal.placesByName().keys.sorted() == ["A", "B", "C"])
  }

  @Test func positionsThatAreNoDegreesAreRefused() throws {
    let journal = try TestJournal().open()
    let text = Self.geojson.replacing(
      "urn:ogc:def:crs:OGC:1.3:CRS84", with: "urn:ogc:def:crs:EPSG::3857")
    #expect(throws: JournalError.self) { try TestMap.import(text, into: journal) }
    #expect(try journal.liveRecords().isEmpty)
    let end = try #require(Self.geojson.range(of: "\"individualCount\"")).lowerBound
    let (rows, _, _) = try TestMap.import(String(Self.geojson[..<end]), into: journal)
    #expect(rows.map(\.outcome) == [.new, .new, .refused], "\(rows)")
    #expect(rows.last?.refusal?.line == 8)
  }

  private static let kml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>
    <name>Everything</name><Style id="s"/>
    <Folder><name>Dive sites</name>
    <Placemark id="p1"><name>Reef</name><description><![CDATA[<b>deep</b>]]></description>
      <Point><coordinates>134.5,7.25,-20</coordinates></Point></Placemark>
    <Folder><name>Old</name><Placemark><name>Wreck</name><Polygon><outerBoundaryIs><LinearRing><coordinates>
      179.5,1 -179.5,1 -179.5,2 179.5,1</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></Folder>
    <Placemark><name>Bad</name><Point><coordinates>7.25 134.5</coordinates></Point></Placemark>
    </Folder>
    <Placemark><name>Seen</name><TimeStamp><when>2022-03</when></TimeStamp>
      <Point><coordinates>8,47</coordinates></Point></Placemark>
    <Placemark><name>Walk</name><gx:Track><when>2022-03-15T09:00:00Z</when><when>2022-03-15T10:00:00Z</when>
      <gx:coord>8 47 0</gx:coord><gx:coord>8.04 47.02 1</gx:coord></gx:Track></Placemark>
    <Placemark><name>Span</name><TimeSpan><begin>2022-03-15</begin><end>2022-03-17</end></TimeSpan>
      <MultiGeometry><Point><coordinates>8,47</coordinates></Point><LineString><coordinates>8,47 8,48</coordinates>
      </LineString></MultiGeometry></Placemark>
    <Placemark><name>Odd</name><TimeStamp><when>31 February</when></TimeStamp>
      <Point><coordinates>8,47</coordinates></Point></Placemark>
    <NetworkLink/></Document></kml>
    """

  private static func check(_ journal: JournalFile) throws {
    let places = try journal.placesByName()
    #expect(places.keys.sorted() == ["Reef", "Wreck"])
    let reef = try #require(places["Reef"])
    #expect(reef.position == Position(latitudeE7: 72_500_000, longitudeE7: 1_345_000_000))
    #expect(try journal.texts(ofNotesOn: reef.id) == ["<b>deep</b>"])
    #expect(places["Wreck"]?.position?.longitudeE7 == 1_800_000_000)
    let names = try journal.liveRecords().compactMap { kept -> String? in
      if case .collection(let collection) = kept.record { collection.name } else { nil }
    }
    #expect(names.sorted() == ["Dive sites", "Old"])
    let events = try journal.events().sorted { ($0.remarks ?? "") < ($1.remarks ?? "") }
    #expect(events.map(\.remarks) == ["Seen", "Span", "Walk"])
    #expect(events.map(\.start.text) == ["2022-03", "2022-03-15", "2022-03-15T09:00:00"])
    #expect(events.map { $0.end?.text } == [nil, "2022-03-17", "2022-03-15T10:00:00"])
    #expect(events.map(\.utcOffsetMin) == [nil, nil, 0])
  }

  @Test func placemarksArePlacesOrVisits() throws {
    let home = try TestJournal()
    let journal = try home.open()
    let (rows, summary, format) = try TestMap.import(Self.kml, into: journal)
    #expect(format == .kml)
    #expect(
      rows.map(\.outcome) == [.new, .new, .refused, .new, .new, .new, .refused], "\(rows)")
    #expect(rows[2].refusal?.line == 9 && rows[6].refusal?.value == "31 February")
    try Self.check(journal)
    #expect(summary.beside.leftOut["NetworkLink"] == 1)
    let before = try home.dump()
    #expect(try TestMap.import(Self.kml, into: journal).summary.batch == nil)
    #expect(try home.dump() == before)
  }

  /// A zip archive with a file in it that is not compressed.
  private static func archive(_ files: KeyValuePairs<String, [UInt8]>) -> [UInt8] {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    func checksum(_ bytes: [UInt8]) -> Int {
      let sum = bytes.reduce(UInt32.max) { sum, byte in
        (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in
          value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
        }
      }
      return Int(~sum)
    }
    var (zip, directory): ([UInt8], [UInt8]) = ([], [])
    for (name, content) in files {
      let facts =
        bytes(20, 2) + bytes(0, 8) + bytes(checksum(content), 4) + bytes(content.count, 4)
        + bytes(content.count, 4) + bytes(name.utf8.count, 2) + bytes(0, 2)
      directory += bytes(0x0201_4B50, 4) + bytes(20, 2) + facts + bytes(0, 10) + bytes(zip.count, 4)
      directory += name.utf8
      zip += bytes(0x0403_4B50, 4) + facts + name.utf8 + content
    }
    let count = files.count
    return zip + directory + bytes(0x0605_4B50, 4) + bytes(0, 4) + bytes(count, 2)
      + bytes(count, 2) + bytes(directory.count, 4) + bytes(zip.count, 4) + bytes(0, 2)
  }

  @Test func theMainFileOfAnArchiveIsRead() throws {
    let folder = try TemporaryFolder()
    let zip = Self.archive([
      "files/a.png": [1, 2, 3], "b.kml": Array("<kml/>".utf8), "doc.kml": Array(Self.kml.utf8),
    ])
    try Data(zip).write(to: URL(fileURLWithPath: folder("a.kmz")))
    let journal = try TestJournal().open()
    let source = try ImportSource(path: folder("a.kmz")).open(into: journal, ImportOptions())
    #expect(source.format == .kml)
    _ = try journal.importing(source.reader)
    try Self.check(journal)
  }

  @Test func anArchiveIsWritten() throws {
    let journal = try TestJournal().open()
    try journal.save(try Walk().records)
    let folder = try TemporaryFolder()
    let bytes = try journal.exported(.kmz).bytes
    let path = try folder.write(bytes, to: "a.kmz")
    let files = try DarwinCoreFiles(bytes).files
    #expect(files == ["doc.kml": String(decoding: try journal.exported(.kml).bytes, as: UTF8.self)])
    let source = try ImportSource(path: path).open(into: journal, ImportOptions())
    #expect(source.format == .kml)
    let summary = try journal.importing(source.reader)
    #expect(summary.batch == nil && summary.rowCounts[.same] ?? 0 > 0)
  }

  // MARK: - Mappings, shapes

  @Test func elementsAreColumnsOfAMapping() throws {
    let journal = try TestJournal().open()
    let text = """
      <gpx><wpt lat="47" lon="8"><name>Quercus robur</name><time>2022-03-15T09:44:30Z</time>
      <extensions><x:girth xmlns:x="urn:x">1.83</x:girth></extensions></wpt>
      <wpt lat="47" lon="8"><name>Undated</name></wpt></gpx>
      """
    let map = ["name=name", "time=date", "girth=girth_mm:m", "sym=notes"]
    let (rows, summary, _) = try TestMap.import(text, map, into: journal)
    #expect(rows.map(\.outcome) == [.new, .refused], "\(rows)")
    #expect(rows[1].refusal?.reason == "is missing")
    let records = try journal.liveRecords().map(\.record)
    #expect(records.contains { if case .measure(let it) = $0 { it.number == 1830 } else { false } })
    #expect(
      records.contains {
        if case .identification(let it) = $0 { it.verbatimName == "Quercus robur" } else { false }
      })
    #expect(summary.beside.leftOut["mapped \"sym\", which nothing in the file has"] == 1)
    #expect(throws: JournalError.self) {
      try TestMap.import(text, ["name=id", "time=date"], into: journal)
    }
  }

  /// Every point of a shape lies within its metres of its position, however it lies on the globe.
  @Test func allPointsAreWithinTheMetres() {
    var generator = SeededGenerator(seed: 261)
    var crossingCount = 0
    for _ in 0..<2000 {
      let size = [10, 10_000, 5_000_000, 400_000_000].randomElement(using: &generator) ?? 10
      let south = Int.random(in: -900_000_000...(900_000_000 - size), using: &generator)
      let west = Int.random(in: -1_800_000_000...1_800_000_000, using: &generator)
      let points = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
        var east = west + Int.random(in: 0...size, using: &generator)
        if east > 1_800_000_000 { east -= 3_600_000_000 }
        return Position(
          latitudeE7: south + Int.random(in: 0...size, using: &generator), longitudeE7: east)
      }
      var shape = MapShape()
      for point in points { shape.add(point) }
      guard let position = shape.position else {
        Issue.record("no position")
        continue
      }
      #expect(throws: Never.self) { try position.validate() }
      let farthest = points.map { position.distanceM(to: $0) }.max() ?? 0
      #expect(Double(position.uncertaintyM ?? 1) >= farthest)
      // The box is no larger than that in which they were made.
      let diagonal = Position(latitudeE7: 0, longitudeE7: 0).distanceM(
        to: Position(latitudeE7: size / 2, longitudeE7: size / 2))
      #expect(Double(position.uncertaintyM ?? 0) <= diagonal * 1.02 + 3)
      let longitudes = points.map(\.longitudeE7)
      if (longitudes.max() ?? 0) - (longitudes.min() ?? 0) > 1_800_000_000 { crossingCount += 1 }
    }
    #expect(crossingCount > 20)
  }

  // MARK: - Broken and real files

  /// Whatever bytes come, each row gets one outcome, and what is read can be kept.
  @Test func damagedMapsAreReadOrRefused() throws {
    let home = try TestJournal()
    let journal = try home.open()
    try journal.save(try Walk().records)
    let before = try home.dump()
    var seeds = [Self.gpx, Self.geojson, Self.kml].map { Array($0.utf8) }
    for format in MapExportTests.formats { seeds.append(try journal.exported(format).bytes) }
    var options = ImportOptions()
    options.isDryRun = true
    let formats: [ImportFormat] = [.gpx, .geojson, .kml]
    var generator = SeededGenerator(seed: 262)
    var (rowCount, failedCount) = (0, 0)
    for round in 0..<Sweep.count(few: 1500, full: 1_000_000) {
      let seed = round % seeds.count
      let bytes = ReaderFuzzTests.mutated(seeds[seed], &generator)
      do {
        let (rows, summary, _) = try TestMap.import(
          bytes, into: journal, options, as: formats[seed % 3], pieceByteCount: 97)
        rowCount += rows.count
        #expect(summary.rowCount == rows.count)
        #expect(rows.allSatisfy { ($0.outcome == .refused) == ($0.refusal != nil) })
      } catch is JournalError {
        failedCount += 1
      } catch is UnreadFile {
        failedCount += 1
      } catch {
        Issue.record("round \(round): \(error)")
      }
    }
    #expect(rowCount > 2000 && failedCount > 5, "\(rowCount) \(failedCount)")
    #expect(try home.dump() == before && journal.history().count == 1)
  }

  /// As many elements as a reader in Python counted.
  @Test(
    .enabled(if: SharedData.has("reference/journal/gpx")),
    arguments: [
      ("gpx1.1_with_all_fields.gpx", 5, 1, 5), ("gpx1.1_with_extensions.gpx", 1, 0, 0),
      ("route.gpx", 1, 0, 55), ("track-with-extremes.gpx", 1, 25, 0),
      ("unicode_with_bom.gpx", 1, 0, 0), ("submersion_sample.kml", 1, 0, 0),
    ])
  func realFilesAreRead(name: String, rowCount: Int, trackCount: Int, routeCount: Int) throws {
    let path = SharedData.path("reference/journal/gpx/\(name)")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let journal = try TestJournal().open()
    let (rows, summary, _) = try TestMap.import(bytes, into: journal)
    #expect(rows.count == rowCount && rows.allSatisfy { $0.refusal == nil }, "\(rows)")
    let left = summary.beside.leftOut
    #expect(left["points of tracks, but for their middle"] ?? 0 == trackCount)
    #expect(left["points of routes, but for their middle"] ?? 0 == routeCount)
    #expect(try TestMap.import(bytes, into: journal).summary.batch == nil)
    #expect(try journal.check() == [])
  }
}
