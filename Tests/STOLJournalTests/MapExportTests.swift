import STOLFormats
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Maps that the journal writes")
struct MapExportTests {
  static let formats: [ExportFormat] = [.gpx, .geojson, .kml]

  private static let homeID = JournalID()
  private static let saplingID = JournalID()

  /// A walk with all that a map can hold.
  private static func walk() throws -> [JournalRecord] {
    var walk = try Walk()
    walk.event.persons = []
    walk.event.isCompleteList = true
    walk.event.status = .draft
    walk.note.time = nil
    walk.note.text = "Two acorns,\r\nand \"galls\" <&> ]]>\t\u{2028}🌳"
    walk.bird.position = Position(
      latitudeE7: -1, longitudeE7: 1_800_000_000, uncertaintyM: 3)
    walk.bird.count = 3
    walk.bird.countKind = .about
    walk.tree.elevationCm = -1_205
    walk.tree.status = .alive
    walk.place.locality = " two  spaces "
    let home = Place(id: homeID, kind: .home, name: "Home, = sweet")
    let sapling = Organism(id: saplingID)
    return walk.records.filter { $0.kind != .person && $0.kind != .measure } + [
      .place(home), .organism(sapling),
      .note(Note(target: walk.event.id, text: "of the event")),
      .note(Note(target: walk.tree.id, text: "of the tree")),
      .note(Note(target: walk.place.id, text: "of the place")),
      .identification(Identification(occurrence: walk.bird.id, verbatimName: "Turdus sp.")),
    ]
  }

  /// Exported and imported into an empty journal, all that a map holds is there again, field by field; once more, and
  /// into the journal that it is of, it changes nothing.
  @Test(arguments: formats)
  func anExportComesBack(format: ExportFormat) throws {
    let journal = try TestJournal().open()
    try journal.save(try Self.walk())
    let (bytes, report) = try journal.exported(format)
    let home = try TestJournal()
    let other = try home.open()
    let (rows, summary, found) = try TestMap.import(bytes, into: other, pieceByteCount: 61)
    #expect(found.rawValue == format.rawValue)
    #expect(
      rows.allSatisfy { [.new, .flagged, .same].contains($0.outcome) && $0.refusal == nil },
      "\(rows)")
    #expect(summary.beside == ImportBeside())
    var expected = try TestTable.records(of: journal)
    if format == .geojson {
      #expect(report.losses == [:])
    } else {
      // Those have no position, which points have.
      for id in [Self.homeID, Self.saplingID] { expected[id] = nil }
      #expect(report.losses == ["place without a position": 1, "organism without a position": 1])
    }
    #expect(try TestTable.records(of: other) == expected)
    #expect(try other.exported(format).bytes == bytes)
    #expect(try other.check() == [])
    let before = try home.dump()
    for target in [journal, other] {
      for updates in [false, true] {
        var options = ImportOptions()
        options.updates = updates
        let (rows, summary, _) = try TestMap.import(bytes, into: target, options)
        #expect(rows.allSatisfy { $0.outcome == .same } && summary.batch == nil, "\(rows)")
      }
    }
    #expect(try home.dump() == before)
  }

  /// Of random journals too, whatever has parents, persons or dives that a map does not hold.
  @Test(arguments: formats, 0..<Sweep.count(few: 3, full: 60))
  func randomExportsChangeNothing(format: ExportFormat, seed: Int) throws {
    let made = try SharingJournals(seed: UInt64(seed))
    let home = try TestJournal()
    let journal = try home.open()
    try journal.save(made.records, files: made.files)
    let before = try home.dump()
    let bytes = try journal.exported(format).bytes
    let (rows, summary, _) = try TestMap.import(bytes, into: journal)
    #expect(rows.allSatisfy { $0.outcome == .same }, "\(rows.filter { $0.outcome != .same })")
    #expect(summary.batch == nil && !rows.isEmpty)
    #expect(try home.dump() == before)
  }

  @Test func waypointsThatWereMovedAreSaid() throws {
    let journal = try TestJournal().open()
    try journal.save(try Self.walk())
    let text = String(decoding: try journal.exported(.gpx).bytes, as: UTF8.self)
    let moved = text.replacing("<wpt lat=\"42.45331\"", with: "<wpt lat=\"42.5\"")
    let (rows, summary, _) = try TestMap.import(moved, into: journal)
    #expect(summary.batch == nil)
    let movedRows = rows.map { row in row.flags.contains { $0.value == "42.5" } }
    #expect(movedRows == [true, true, false], "\(rows)")
  }

  @Test func featuresAreWhatOtherProgramsRead() throws {
    let journal = try TestJournal().open()
    try journal.save(try Self.walk())
    let bytes = try journal.exported(.geojson).bytes
    let node = try JSONScanner.document(bytes)
    guard case .list(let features)? = node["features"]?.value else {
      Issue.record("no features")
      return
    }
    #expect(node["type"]?.shown == "FeatureCollection" && features.count == 5)
    for feature in features {
      #expect(feature["type"]?.shown == "Feature")
      #expect(feature["id"].flatMap { JournalID($0.shown) } != nil)
      guard case .object? = feature["properties"]?.value else {
        Issue.record("no properties")
        continue
      }
      guard let geometry = feature["geometry"] else { continue }
      guard case .list(let numbers)? = geometry["coordinates"]?.value else {
        Issue.record("no coordinates")
        continue
      }
      #expect(geometry["type"]?.shown == "Point" && numbers.count == 2)
      #expect((-180...180).contains(Double(numbers[0].shown) ?? 999))
      #expect((-90...90).contains(Double(numbers[1].shown) ?? 999))
    }
    #expect(features.filter { $0["geometry"] == nil }.count == 2)
  }

  @Test func placemarksAreInTheOrderOfTheSchema() throws {
    let journal = try TestJournal().open()
    try journal.save(try Self.walk())
    let root = try STOLFormats.XMLParser.parse(try journal.exported(.kml).bytes, limit: 1 << 20)
    let document = try #require(root.child("Document"))
    #expect(root.name == "kml" && document.children.count == 3)
    for placemark in document.children {
      let order = ["name", "description", "TimeStamp", "ExtendedData", "Point"]
      let places = placemark.children.map { order.firstIndex(of: $0.name) ?? -1 }
      #expect(places == places.sorted() && !places.contains(-1))
    }
    #expect(
      document.children[1].child("TimeStamp")?.child("when")?.text == "2026-03-15T13:44:00Z")
  }
}
