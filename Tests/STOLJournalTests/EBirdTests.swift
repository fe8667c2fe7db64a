import STOLFormats
import TestSupport
import Testing

@testable import STOLJournal

/// What eBird gives out of one's own observations, and the record format that it takes.
@Suite("eBird")
struct EBirdTests {
  static let header =
    "Submission ID,Common Name,Scientific Name,Taxonomic Order,Count,State/Province,County,"
    + "Location ID,Location,Latitude,Longitude,Date,Time,Protocol,Duration (Min),All Obs Reported,"
    + "Distance Traveled (km),Area Covered (ha),Number of Observers,Breeding Code,"
    + "Observation Details,Checklist Comments,ML Catalog Numbers\n"
  /// Rows of 19, 21, 22 and 23 cells, by both clocks, with a slash, an unknown species, a form and a count X.
  static let table =
    header + #"""
      S1,Rock Dove (Feral Pigeon),Columba livia (Feral Pigeon),1868,7,US-NY,Tompkins,L9,Sapsucker Woods,42.4799,-76.4511,2022-12-08,06:05 AM,eBird - Traveling Count,131,1,1.282,,2,,,cold
      S1,Mallard/Black Duck,Anas platyrhynchos/rubripes,300,X,US-NY,Tompkins,L9,Sapsucker Woods,42.4799,-76.4511,2022-12-08,06:05 AM,eBird - Traveling Count,131,1,1.282,,2,,far off,cold
      S1,crow sp.,Corvus sp. (crow sp.),400,3,US-NY,Tompkins,L9,Sapsucker Woods,42.4799,-76.4511,2022-12-08,06:05 AM,eBird - Traveling Count,131,1,1.282,,2,FL Recently Fledged Young (Confirmed),"a, ""b""",cold
      S2,Mallard,Anas platyrhynchos,301,12,AU-ACT,,L8,Pond,-35.28,149.11,01-16-2019,18:30,eBird - Area Count,30.5,0,,2.5,1.0,,,,515410561 515410562
      S3,Mallard,Anas platyrhynchos,301,1,XX,,,At sea,0.5,-179.9,2019-02-03,,eBird - Casual Observation,,0,,,
      S4,Mallard,Anas platyrhynchos,301,2,AU-ACT,,L8,Pond,-35.28,149.11,2020-01-16,6:30 PM,eBird - Stationary Count,10,1,,,3,,by the reeds

      """#

  static func reader(_ text: String) throws -> EBirdReader {
    try EBirdReader(TestTable.stream(Array(text.utf8), pieceByteCount: 97), fileName: "a.csv")
  }

  @Test func oneSubmissionIsOneEvent() throws {
    let journal = try TestJournal().open()
    var rows: [ImportedRow] = []
    let summary = try journal.importing(try Self.reader(Self.table)) { rows.append($0) }
    #expect(rows.map(\.outcome) == [.new, .new, .new, .new, .new, .new])
    #expect(rows.map(\.line) == [2, 3, 4, 5, 6, 7])
    #expect(summary.beside.leftOut == ["Taxonomic Order": 6])
    let records = try journal.liveRecords().map(\.record)
    let events = records.compactMap { record -> Event? in
      if case .event(let event) = record { event } else { nil }
    }
    try #require(events.count == 4)
    #expect(
      events.map(\.start.text) == [
        "2022-12-08T06:05", "2019-01-16T18:30", "2019-02-03", "2020-01-16T18:30",
      ])
    #expect(
      events.map { $0.end?.text } == [
        "2022-12-08T08:16", "2019-01-16T19:00:30", nil, "2020-01-16T18:40",
      ])
    #expect(events.map(\.kind) == [.survey, .survey, .visit, .survey])
    #expect(events.map(\.effortValue) == [131, 1830, nil, 10])
    #expect(events.map(\.effortUnit) == ["min", "s", nil, "min"])
    #expect(events.map(\.isCompleteList) == [true, false, false, true])
    #expect(events.map(\.remarks) == ["cold", nil, nil, nil])
    let measures = records.compactMap { record -> String? in
      if case .measure(let it) = record {
        "\(it.type) \(it.text ?? "\(it.number ?? -1)")"
      } else {
        nil
      }
    }
    #expect(
      measures.sorted() == [
        "x-area_m2 25000", "x-distance_m 1282", "x-ml_catalog_numbers 515410561 515410562",
        "x-observers 1", "x-observers 2", "x-observers 3",
      ])
    let counts = records.compactMap { record -> Int?? in
      if case .occurrence(let it) = record { .some(it.count) } else { nil }
    }
    #expect(counts == [7, nil, 3, 12, 1, 2])
    let names = records.compactMap { record -> String? in
      if case .identification(let it) = record { it.verbatimName } else { nil }
    }
    #expect(
      names == [
        "Columba livia (Feral Pigeon)", "Anas platyrhynchos/rubripes", "Corvus sp. (crow sp.)",
        "Anas platyrhynchos", "Anas platyrhynchos", "Anas platyrhynchos",
      ])
    let places = records.compactMap { record -> String? in
      if case .place(let it) = record {
        "\(it.kind.rawValue) \(it.name) \(it.country ?? "-")"
      } else {
        nil
      }
    }
    #expect(
      places == [
        "region US-NY US", "area Tompkins US", "site Sapsucker Woods US", "region AU-ACT AU",
        "site Pond AU", "region XX -", "site At sea -",
      ])
    #expect(try journal.check() == [])
  }

  @Test func theSameFileAgainChangesNothing() throws {
    let home = try TestJournal()
    let journal = try home.open()
    _ = try journal.importing(try Self.reader(Self.table))
    let before = try home.dump()
    // Rows come by species, or by submission.
    let lines = Self.table.split(separator: "\n")
    let turned = ([lines[0]] + lines.dropFirst().reversed()).joined(separator: "\n")
    var rows: [ImportedRow] = []
    let again = try journal.importing(try Self.reader(turned)) { rows.append($0) }
    #expect(again.batch == nil && again.newRecordCount == 0)
    #expect(try home.dump() == before)
    _ = try journal.undo()
    #expect(try journal.liveRecords().isEmpty)
  }

  @Test func itIsKnownByItsHeader() throws {
    func found(_ text: String) throws -> ImportFormat {
      try ImportFormat.detect(TestTable.stream(Array(text.utf8))).format
    }
    #expect(try found(Self.table) == .ebird)
    #expect(try found("\u{FEFF}" + Self.table) == .ebird)
    #expect(try found("\"Submission ID\",\"Common Name\",\"Scientific Name\"\nS1,a,b\n") == .ebird)
    #expect(try found("Common Name,Scientific Name\na,b\n") == .csv)
  }

  @Test(
    arguments: [
      ("S1,Rock", ",Rock", "Submission ID"), ("2022-12-08", "2022-02-31", "Date"),
      ("06:05 AM", "13:05 PM", "Time"), (",7,US-NY", ",seven,US-NY", "Count"),
      (",7,US-NY", ",7.5,US-NY", "Count"), ("42.4799", "142.4799", "Latitude"),
      ("131,1,1.282", "131,2,1.282", "All Obs Reported"),
      ("131,1,1.282", "-5,1,1.282", "Duration (Min)"),
      ("1.282,,2", "1.2.8,,2", "Distance Traveled (km)"),
      ("1.282,,2", "1.282,,2.5", "Number of Observers"),
    ])
  func aBadCellSpoilsItsRowAlone(old: String, new: String, column: String) throws {
    var lines = Self.table.split(separator: "\n").map(String.init)
    let place = try #require(lines[1].firstRange(of: old))
    lines[1].replaceSubrange(place, with: new)
    let journal = try TestJournal().open()
    var rows: [ImportedRow] = []
    _ = try journal.importing(try Self.reader(lines.joined(separator: "\n"))) { rows.append($0) }
    #expect(rows.map(\.outcome).filter { $0 == .refused }.count == 1)
    #expect(rows[0].refusal?.column == column && rows[0].refusal?.line == 2)
    #expect(rows[0].refusal?.remedy.isEmpty == false)
  }

  @Test func aRowWithMoreCellsThanTheHeaderIsRefused() throws {
    let text = Self.header + String(repeating: "a,", count: 23) + "b\n"
    let (rows, refusals) = try Self.reader(text).all()
    #expect(rows.isEmpty && refusals.count == 1 && refusals[0].reason.contains("more cells"))
  }

  @Test func theRecordFormatSaysTheSame() throws {
    let journal = try TestJournal().open()
    _ = try journal.importing(try Self.reader(Self.table))
    let (bytes, report) = try journal.exported(.ebird)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    try #require(lines.count == 6)
    #expect(
      Set(lines) == [
        "Rock Dove (Feral Pigeon),Columba,livia (Feral Pigeon),7,,Sapsucker Woods,42.4799,-76.4511,"
          + "12/08/2022,06:05,NY,US,Traveling,2,131,Y,0.7966,,cold",
        "Mallard/Black Duck,Anas,platyrhynchos/rubripes,X,far off,Sapsucker Woods,42.4799,-76.4511,"
          + "12/08/2022,06:05,NY,US,Traveling,2,131,Y,0.7966,,cold",
        "crow sp.,Corvus,sp. (crow sp.),3,\"a, \"\"b\"\"\",Sapsucker Woods,42.4799,-76.4511,"
          + "12/08/2022,06:05,NY,US,Traveling,2,131,Y,0.7966,,cold",
        "Mallard,Anas,platyrhynchos,12,,Pond,-35.28,149.11,01/16/2019,18:30,ACT,AU,Area,1,31,N,,6.1776,",
        "Mallard,Anas,platyrhynchos,2,by the reeds,Pond,-35.28,149.11,01/16/2020,18:30,ACT,AU,Stationary,"
          + "3,10,Y,,,",
        "Mallard,Anas,platyrhynchos,1,,At sea,0.5,-179.9,02/03/2019,,,,Casual,,,N,,,",
      ])
    #expect(report.lines[0] == "wrote 6 occurrences")
    #expect(report.losses["occurrence.behaviour"] == 1 && report.losses["measures"] == 1)
    #expect(report.losses["seconds of event.effortValue"] == 1)
  }

  /// What others may know but roughly has no whole date, and eBird takes none without.
  @Test func nothingObscuredLeaves() throws {
    let journal = try TestJournal().open()
    _ = try journal.importing(try Self.reader(Self.table))
    let pond = try #require(
      try journal.liveRecords().map(\.record).compactMap { record -> Place? in
        if case .place(let place) = record, place.name == "Pond" { place } else { nil }
      }.first)
    var hidden = pond
    hidden.privacy = .obscured
    try journal.save([.place(hidden)])
    let (bytes, _) = try journal.exported(.ebird, for: .shared(try TestTable.pack.get()))
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(!text.contains("Pond") && !text.contains("149.11") && text.contains("Sapsucker"))
  }

  @Test(.enabled(if: SharedData.has("reference/journal/ebird")))
  func aRealFileIsRead() throws {
    let path = SharedData.path("reference/journal/ebird/myebirdstuff_fixture.csv")
    let journal = try TestJournal().open()
    let open = try ImportSource(path: path).open(into: journal, ImportOptions())
    #expect(open.format == .ebird)
    let summary = try journal.importing(open.reader)
    #expect(summary.rowCount == 150 && summary.rowCounts[.refused] == nil)
    let kinds = try journal.liveRecords().map(\.record.kind)
    #expect(kinds.count { $0 == .event } == 15)
    #expect(kinds.count { $0 == .occurrence } == 150)
    #expect(try journal.check() == [])
  }

  @Test func damagedFilesAreReadOrRefused() throws {
    let home = try TestJournal()
    let journal = try home.open()
    let whole = Array(Self.table.utf8)
    let signs = Array(",;\t\"\n\r\\X:/-.019AMP".utf8) + [0, 0xFF, 0xC3]
    for round in 0..<Sweep.count(few: 2000, full: 200_000) {
      var generator = SeededGenerator(seed: UInt64(round))
      let bytes = RecordMutation.mutated(whole, signs, from: Self.header.utf8.count, &generator)
      RecordMutation.check(round: round, in: journal) {
        try EBirdReader(TestTable.stream(bytes, pieceByteCount: 61), fileName: "a.csv")
      }
    }
    #expect(try journal.liveRecords().isEmpty && journal.check() == [])
  }
}

/// Files of records with something changed in them.
enum RecordMutation {
  /// Bytes with one to eight changes, most of them behind a header.
  static func mutated(
    _ whole: [UInt8], _ signs: [UInt8], from start: Int, _ generator: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = whole
    let isAnywhere = Int.random(in: 0..<8, using: &generator) == 0
    for _ in 0..<Int.random(in: 1...8, using: &generator) where !bytes.isEmpty {
      let first = isAnywhere ? 0 : min(start, bytes.count - 1)
      let place = Int.random(in: first..<bytes.count, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes[place] = signs.randomElement(using: &generator) ?? 0
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(signs.randomElement(using: &generator) ?? 0, at: place)
      case 3: bytes.removeLast(min(bytes.count, Int.random(in: 0...20, using: &generator)))
      default:
        let end = Int.random(in: place..<bytes.count, using: &generator)
        bytes.insert(contentsOf: bytes[place..<min(end, place + 40)], at: place)
      }
    }
    return bytes
  }

  /// Whatever a reader gives, each row gets one outcome and nothing is kept.
  static func check(
    round: Int, in journal: JournalFile, _ reader: () throws -> any ImportReader
  ) {
    do {
      var options = ImportOptions()
      options.isDryRun = true
      var count = 0
      let summary = try journal.importing(try reader(), options) { row in
        count += 1
        #expect((row.outcome == .refused) == (row.refusal != nil), "round \(round)")
        #expect(row.outcome != .flagged || !row.flags.isEmpty, "round \(round)")
      }
      #expect(summary.rowCount == count, "round \(round)")
    } catch is JournalError {
      // It is no such file any more.
    } catch is FormatError {
    } catch {
      Issue.record("round \(round): \(error)")
    }
  }
}
