import STOLFormats
import TestSupport
import Testing

@testable import STOLJournal

/// Tables and answers of iNaturalist, and what its importer takes.
@Suite("iNaturalist")
struct INaturalistTests {
  static let header =
    "id,observed_on_string,observed_on,time_observed_at,time_zone,user_login,user_name,"
    + "quality_grade,url,tag_list,description,captive_cultivated,place_guess,latitude,longitude,"
    + "positional_accuracy,private_place_guess,private_latitude,private_longitude,"
    + "public_positional_accuracy,geoprivacy,taxon_geoprivacy,coordinates_obscured,species_guess,"
    + "scientific_name,common_name,iconic_taxon_name,taxon_id,taxon_kingdom_name\n"
  static let table =
    header + #"""
      1,2019-08-13 7:02:39 PM CDT,2019-08-13,2019-08-14 00:02:39 UTC,Central Time (US & Canada),ada,Ada Lark,research,https://a.example/1,"wet, wood","On a stone, ""blue""",false,"Urbandale, IA",41.621928,-93.732823,77,,,,77,,,false,Calopteryx maculata,Calopteryx maculata,Ebony Jewelwing,Insecta,84481,
      2,Tue Aug 13 2019 19:02:00 GMT+0545 (NPT),2019-08-13,2019-08-13 13:17:00 UTC,Kathmandu,ada,Ada Lark,needs_id,,,,true,Somewhere,27.7,85.3,,,,,28341,,obscured,true,,Quercus,,Plantae,1,Plantae
      3,yesterday,2019-08-14,2019-08-14 23:57:25 UTC,UTC,bob,,casual,,,,,Bog,10.1,20.2,5,Deep Bog,10.1234567,20.7654321,28000,obscured,,true,a moth,,,,,
      4,,2019-08-15,,UTC,,,casual,,,,,,,,,,,,,private,,,Carabus,Carabus auratus,,,,

      """#

  static let answer = #"""
    {
      "total_results": 3, "page": 1,
      "results": [
        {"id": 1, "quality_grade": "research", "observed_on": "2021-10-25",
         "time_observed_at": "2021-10-25T22:07:23-05:00", "obscured": true, "geoprivacy": null,
         "taxon_geoprivacy": "obscured", "location": "41.6,-93.7", "positional_accuracy": 5,
         "public_positional_accuracy": 28341, "tags": ["wet"], "captive": false, "photos": [],
         "description": "By day", "place_guess": "Iowa", "user": {"login": "ada", "name": "Ada Lark"},
         "species_guess": "a", "taxon": {"name": "Aus bus", "rank": "species",
         "preferred_common_name": "Common Aus", "iconic_taxon_name": "Insecta"},
         "identifications": [
           {"id": 12, "created_at": "2021-10-27T01:02:03+00:00", "taxon": {"name": "Aus bus"},
            "user": {"login": "bob"}, "body": "Sure"},
           {"id": 11, "created_at": "2021-10-26T01:02:03+00:00", "taxon": {"name": "Aus"},
            "user": {"login": "ada"}, "body": null}]},
        {"id": 2, "quality_grade": "casual", "observed_on": "2021-10-26", "time_observed_at": null,
         "private_location": "1.25,2.5", "location": "1.1,2.2", "obscured": true,
         "positional_accuracy": 7, "geoprivacy": "obscured", "photos": [{"id": 3}], "taxon": null},
        {"id": 3, "quality_grade": "casual", "observed_on": null, "time_observed_at": null}
      ]
    }
    """#

  private static func reader(_ text: String) throws -> any ImportReader {
    let stream = TestTable.stream(Array(text.utf8), pieceByteCount: 97)
    let (format, whole) = try ImportFormat.detect(stream)
    #expect(format == .inaturalist)
    return try #require(try format.recordReader(whole, fileName: "a"))
  }

  private static func events(_ rows: [ImportRow]) -> [Event] {
    rows.flatMap(\.records).compactMap { record in
      if case .event(let event) = record { event } else { nil }
    }
  }

  private static func occurrences(_ rows: [ImportRow]) -> [Occurrence] {
    rows.flatMap(\.records).compactMap { record in
      if case .occurrence(let occurrence) = record { occurrence } else { nil }
    }
  }

  private static func names(_ rows: [ImportRow]) -> [String] {
    rows.flatMap(\.records).compactMap { record in
      if case .identification(let name) = record { name.verbatimName } else { nil }
    }
  }

  @Test func aTableIsRead() throws {
    let (rows, refusals) = try Self.reader(Self.table).all()
    #expect(refusals.isEmpty)
    let events = Self.events(rows)
    try #require(events.count == 4)
    #expect(
      events.map(\.start.text) == [
        "2019-08-13T19:02:39", "2019-08-13T19:02", "2019-08-14", "2019-08-15",
      ])
    #expect(events.map(\.utcOffsetMin) == [-300, 345, nil, nil])
    let places = events.map { $0.position.map { "\($0.latitudeText) \($0.longitudeText)" } }
    #expect(places == ["41.621928 -93.732823", "27.7 85.3", "10.1234567 20.7654321", nil])
    #expect(events.map { $0.position?.uncertaintyM } == [77, 28341, 5, nil])
    let seen = Self.occurrences(rows)
    #expect(seen.map(\.privacy) == [.open, .obscured, .obscured, .private])
    #expect(seen.map(\.tags) == [["wet", "wood"], ["position obscured"], [], []])
    #expect(seen.map(\.establishment) == [.wild, .cultivated, nil, nil])
    #expect(seen.map(\.remarks) == ["On a stone, \"blue\"", nil, nil, nil])
    #expect(
      Self.names(rows) == ["Calopteryx maculata", "Quercus", "a moth", "Carabus auratus"])
    #expect(rows[0].hints == [ImportRow.Hint(rank: "class", name: "Insecta")])
    #expect(rows[0].commonName == "Ebony Jewelwing" && rows[2].commonName == nil)
    let journal = try TestJournal().open()
    let summary = try journal.importing(try Self.reader(Self.table))
    // Within 20 m or more is worth a look.
    #expect(summary.rowCounts == [.new: 2, .flagged: 2])
    #expect(summary.beside.leftOut["quality_grade"] == 4)
    let again = try journal.importing(try Self.reader(Self.table))
    #expect(again.batch == nil && again.newRecordCount == 0)
    #expect(try journal.check() == [])
  }

  @Test func anAnswerIsReadWithItsHistory() throws {
    let (rows, refusals) = try Self.reader(Self.answer).all()
    #expect(rows.count == 2 && refusals.map(\.column) == ["observed_on"])
    let events = Self.events(rows)
    try #require(events.count == 2)
    #expect(events.map(\.start.text) == ["2021-10-25T22:07:23", "2021-10-26"])
    #expect(events.map(\.utcOffsetMin) == [-300, nil])
    #expect(events.map { $0.position?.uncertaintyM } == [28341, 7])
    #expect(events.map { $0.position?.latitudeE7 } == [416_000_000, 12_500_000])
    let seen = Self.occurrences(rows)
    #expect(seen.map(\.tags) == [["wet", "position obscured"], []])
    #expect(seen.map(\.privacy) == [.obscured, .obscured])
    // What it is called now is the last of its history.
    #expect(Self.names(rows) == ["Aus", "Aus bus"])
    #expect(rows[0].line == 4 && refusals[0].line > rows[1].line)
    // An observation is the same whatever form it came in.
    let table = try Self.reader(Self.table).all().rows
    #expect(Self.occurrences(table)[0].id == seen[0].id)
  }

  @Test func aListIsAnAnswerToo() throws {
    let text = #"[{"id":5,"quality_grade":"casual","observed_on":"2021-01-02"},7]"#
    let (rows, refusals) = try Self.reader(text).all()
    #expect(rows.count == 1 && refusals.count == 1)
  }

  @Test(
    arguments: [
      (",2019-08-13,2019", ",,2019", "observed_on"),
      (",2019-08-13,2019", ",2019-02-31,2019", "observed_on"),
      ("41.621928", "141.62", "latitude"), ("41.621928", "", "latitude"),
      ("-93.732823,77", "-93.732823,x", "positional_accuracy"),
      ("\",false,", "\",maybe,", "captive_cultivated"),
    ])
  func aBadCellSpoilsItsRowAlone(old: String, new: String, column: String) throws {
    var text = Self.table
    text.replaceSubrange(try #require(text.firstRange(of: old)), with: new)
    let (rows, refusals) = try Self.reader(text).all()
    #expect(rows.count == 3 && refusals.map(\.column) == [column])
    #expect(refusals.map(\.line) == [2])
  }

  @Test func theImporterGetsWhatItTakes() throws {
    let journal = try TestJournal().open()
    _ = try journal.importing(try Self.reader(Self.table))
    let (bytes, report) = try journal.exported(.inaturalist)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(lines[0] + "\n" == INaturalistExport.header)
    #expect(
      Set(lines.dropFirst()) == [
        "Calopteryx maculata,2019-08-13T19:02:39-05:00,\"On a stone, \"\"blue\"\"\","
          + "\"Urbandale, IA\",41.621928,-93.732823,\"wet,wood\",open",
        "Quercus,2019-08-13T19:02:00+05:45,,Somewhere,27.7,85.3,,obscured",
        "a moth,2019-08-14,,Deep Bog,10.1234567,20.7654321,,obscured",
        "Carabus auratus,2019-08-15,,,,,,private",
      ])
    #expect(report.losses["occurrence.establishment"] == 2)
    // Of what others may know but roughly nobody knows the day.
    let shared = try journal.exported(.inaturalist, for: .shared(try TestTable.pack.get())).bytes
    let text = String(decoding: shared, as: UTF8.self)
    for word in ["Bog", "10.12", "27.7", "Carabus"] { #expect(!text.contains(word)) }
  }

  @Test(.enabled(if: SharedData.has("reference/journal/inat")))
  func realFilesAreRead() throws {
    let folder = SharedData.path("reference/journal/inat/")
    for (name, count) in [("observations_export.csv", 47), ("observations_without_coords.json", 1)]
    {
      let journal = try TestJournal().open()
      let open = try ImportSource(path: folder + name).open(into: journal, ImportOptions())
      #expect(open.format == .inaturalist)
      let summary = try journal.importing(open.reader)
      #expect(summary.rowCount == count && summary.rowCounts[.refused] == nil, "\(name)")
      let events = try journal.liveRecords().map(\.record).compactMap { record -> Event? in
        if case .event(let event) = record { event } else { nil }
      }
      #expect(events.count == count && events.allSatisfy(\.start.hasTimeOfDay), "\(name)")
      #expect(events.allSatisfy { $0.utcOffsetMin != nil }, "\(name)")
    }
  }

  /// An answer is known without what nobody asked it for.
  @Test func anAnswerWithoutItsGradeIsKnown() throws {
    let observation = #"{"id":5,"uuid":"x","observed_on":"2021-01-02","taxon":{"name":"Aus"}}"#
    for text in ["{\"total_results\":1,\"results\":[\(observation)]}", "[\(observation)]"] {
      #expect(try Self.reader(text).all().rows.count == 1)
    }
    // On one line an observation is told by its number.
    let bad = #"{"total_results":1,"results":[{"id":7,"observed_on":"x","location":"abc"}]}"#
    let refusals = try Self.reader(bad).all().refusals
    #expect(refusals.map(\.column) == ["observation 7, observed_on"])
    #expect(refusals.map(\.reason) == ["is no date"])
  }

  @Test(arguments: [
    (#"{"total_results":0,"page":1,"per_page":30,"results":[]}"#, "no observation"),
    (#"{"error":{"original":{"error":"Not Found"},"status":404},"status":"404"}"#, "is an error"),
  ])
  func anAnswerWithoutObservationsSaysSo(text: String, reason: String) throws {
    do {
      _ = try Self.reader(text)
      Issue.record("read")
    } catch let error as JournalError {
      #expect(error.description.contains(reason) && error.description.contains("iNaturalist"))
    }
  }

  @Test func anObservationThatIsTooLargeIsRefusedAlone() throws {
    let zeros = String(repeating: "0,", count: INaturalistJSONReader.nodeLimit) + "0"
    let text =
      "{\"total_results\":2,\"results\":[\n{\"id\":1,\"observed_on\":\"2021-01-02\",\"z\":[\(zeros)]},\n"
      + "{\"id\":2,\"observed_on\":\"2021-01-02\",\"description\":\"\\ud800\"}]}"
    let (rows, refusals) = try Self.reader(text).all()
    #expect(rows.count == 1 && rows[0].flags.count == 1 && refusals.map(\.line) == [2])
  }

  @Test func damagedFilesAreReadOrRefused() throws {
    let journal = try TestJournal().open()
    let table = Array(Self.table.utf8)
    let answer = Array(Self.answer.utf8)
    let signs = Array(",;\t\"\n\\X:/-.019AMPT{}[]".utf8) + [0, 0xFF, 0xC3]
    for round in 0..<Sweep.count(few: 2000, full: 200_000) {
      var generator = SeededGenerator(seed: UInt64(round))
      let isTable = round.isMultiple(of: 2)
      let bytes = RecordMutation.mutated(
        isTable ? table : answer, signs, from: isTable ? Self.header.utf8.count : 60, &generator)
      RecordMutation.check(round: round, in: journal) {
        if isTable {
          return try INaturalistTableReader(
            TestTable.stream(bytes, pieceByteCount: 61), fileName: "a.csv")
        }
        return try INaturalistJSONReader(ByteChunks(bytes))
      }
    }
    #expect(try journal.liveRecords().isEmpty && journal.check() == [])
  }
}
