import Foundation
import STOLFormats
import STOLMedia
import STOLTrust
import TestSupport
import Testing

@testable import STOLJournal

/// The files of a Darwin Core archive as texts.
struct DarwinCoreFiles {
  var files: [String: String]

  init(files: [String: String]) { self.files = files }

  init(_ archive: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let source = try SourceFiles(path: try folder.write(archive, to: "a.zip"))
    files = [:]
    for name in source.names {
      files[name] = String(decoding: try source.contents(of: name, limit: 1 << 24), as: UTF8.self)
    }
  }

  /// The rows of a table, each by its columns.
  func rows(_ name: String) -> [[String: String]] {
    let lines = (files[name] ?? "").split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    guard let header = lines.first else { return [] }
    return lines.dropFirst().map { Dictionary(zip(header, $0)) { $1 } }
  }

  /// Writes another text into a column of the first row; one that there is not is added.
  mutating func set(_ name: String, _ term: String, _ text: String) {
    var lines = (files[name] ?? "").split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    let column = term.split(separator: "/").last.map(String.init) ?? term
    if !lines[0].contains(column) {
      let count = lines[0].count
      for index in lines.indices { lines[index].append(index == 0 ? column : "") }
      let whole = term.contains("/") ? term : "http://rs.tdwg.org/dwc/terms/\(term)"
      var meta = files["meta.xml"] ?? ""
      if let place = meta.range(of: "<location>\(name)</location>"),
        let end = meta.range(
          of: "</", range: meta.index(place.upperBound, offsetBy: 8)..<meta.endIndex)
      {
        meta.insert(
          contentsOf: "<field index=\"\(count)\" term=\"\(whole)\"/>", at: end.lowerBound)
      }
      files["meta.xml"] = meta
    }
    if let index = lines[0].firstIndex(of: column) { lines[1][index] = text }
    files[name] = lines.map { $0.joined(separator: "\t") + "\n" }.joined()
  }

  /// Replaces the first place of a text.
  mutating func replace(_ name: String, _ old: String, _ new: String) {
    guard var text = files[name], let place = text.firstRange(of: old) else { return }
    text.replaceSubrange(place, with: new)
    files[name] = text
  }
}

/// Darwin Core archives that are written, and the keys of GBIF's validator.
@Suite("Darwin Core, written")
struct DarwinCoreExportTests {
  /// A walk, with what each table of an archive needs.
  private static func walk() throws -> (walk: Walk, records: [JournalRecord]) {
    var walk = try Walk()
    walk.oak.minDepthMm = 1500
    walk.oak.maxDepthMm = 2500
    walk.event.position = Position(latitudeE7: 424_533_110, longitudeE7: -764_807_000)
    walk.place.country = "US"
    walk.oakName.date = try LocalTime("2026-03-16")
    var first = Identification(occurrence: walk.oak.id, verbatimName: "Quercus sp.")
    first.date = try LocalTime("2026-03-15")
    var file = MediaFile(
      sha256: SHA256.digest(of: [1]), type: .jpeg, byteCount: 10, width: 2, height: 2)
    file.orientation = 1
    var photo = Photo(target: walk.oak.id, file: file)
    photo.source = "https://a.example/1.jpeg"
    photo.time = try LocalTime("2026-03-15T09:50")
    let others = walk.records.filter { $0.id != walk.oakName.id }
    return (
      walk,
      others + [.identification(first), .photo(photo), .identification(walk.oakName)]
    )
  }

  private static func archive(dives: Bool = false) throws -> DarwinCoreFiles {
    let journal = try TestJournal().open()
    var (walk, records) = try walk()
    if dives {
      walk.event.kind = .dive
      walk.event.effortValue = 45
      walk.event.effortUnit = "min"
      var dive = Dive()
      dive.maxDepthMm = 18_300
      dive.waterMinCk = 29_915
      walk.event.dive = dive
      records = records.map { $0.id == walk.event.id ? .event(walk.event) : $0 }
    }
    try journal.save(records)
    return try DarwinCoreFiles(try journal.exported(.dwca).bytes)
  }

  @Test func whereNobodySaysMoreOccurrencesAreTheCore() throws {
    let archive = try Self.archive()
    #expect(
      archive.files.keys.sorted() == [
        "eml.xml", "extendedmeasurementorfact.txt", "identification.txt", "meta.xml",
        "multimedia.txt", "occurrence.txt",
      ])
    let rows = archive.rows("occurrence.txt")
    try #require(rows.count == 2)
    let oak = try #require(rows.first { $0["scientificName"] == "Quercus robur" })
    #expect(oak["id"] == oak["occurrenceID"] && oak["id"]?.hasPrefix("urn:uuid:") == true)
    #expect(oak["eventDate"] == "2026-03-15T09:44-04:00" && oak["countryCode"] == "US")
    #expect(oak["decimalLatitude"] == "42.453311" && oak["decimalLongitude"] == "-76.4807")
    #expect(oak["individualCount"] == "1" && oak["minimumDepthInMeters"] == "1.5")
    #expect(oak["scientificNameAuthorship"] == "L., 1758" && oak["taxonID"] == "test:13")
    #expect(oak["verbatimIdentification"] == "quercus robur" && oak["recordedBy"] == "Ada Lark")
    #expect(oak["organismName"] == "Old oak" && oak["locality"] == "Beech Wood")
    #expect(oak["occurrenceRemarks"] == "Two acorns, and galls")
    let bird = try #require(rows.first { $0["behavior"] == "singing" })
    #expect(bird["eventDate"] == "2026-03-15T10:00:30-04:00")
    #expect(archive.rows("identification.txt").map { $0["scientificName"] } == ["Quercus sp."])
    let girth = archive.rows("extendedmeasurementorfact.txt")
    #expect(girth.map { $0["measurementType"] } == ["girth_mm"] && girth[0]["id"] == oak["id"])
    #expect(girth[0]["measurementValue"] == "1830" && girth[0]["measurementUnit"] == "mm")
    let eml = try XMLParser.parse(Array((archive.files["eml.xml"] ?? "").utf8), limit: 1 << 16)
    #expect(eml.descendant("surName")?.wholeText == "Lark")
    #expect(eml.descendant("givenName")?.wholeText == "Ada B.")
  }

  @Test func whereThereIsEffortEventsAreTheCore() throws {
    let archive = try Self.archive(dives: true)
    #expect(
      archive.files.keys.sorted() == [
        "eml.xml", "event.txt", "extendedmeasurementorfact.txt", "humboldt.txt", "meta.xml",
        "multimedia.txt", "occurrence.txt",
      ])
    let events = archive.rows("event.txt")
    try #require(events.count == 1)
    #expect(events[0]["samplingEffort"] == "45 min" && events[0]["eventType"] == "dive")
    #expect(archive.rows("occurrence.txt").allSatisfy { $0["id"] == events[0]["id"] })
    #expect(archive.rows("humboldt.txt").map { $0["samplingEffortValue"] } == ["45"])
    let facts = archive.rows("extendedmeasurementorfact.txt").map {
      "\($0["measurementType"] ?? "") \($0["measurementValue"] ?? "") \($0["measurementUnit"] ?? "")"
    }
    #expect(facts.contains("maximum depth 18.3 m") && facts.contains("girth_mm 1830 mm"))
    #expect(facts.contains("minimum water temperature 299.15 K"))
  }

  /// What comes back is what was written, but for what the report names.
  @Test(arguments: [false, true])
  func whatIsWrittenComesBack(dives: Bool) throws {
    let archive = try Self.archive(dives: dives)
    let folder = try TemporaryFolder()
    for (name, text) in archive.files { try folder.write(Array(text.utf8), to: name) }
    let journal = try TestJournal().open()
    let reader = DarwinCoreReader(try #require(try DarwinCoreArchive(path: folder.path)))
    var rows: [ImportedRow] = []
    _ = try journal.importing(reader) { rows.append($0) }
    #expect(rows.allSatisfy { $0.refusal == nil })
    let again = try DarwinCoreFiles(try journal.exported(.dwca).bytes)
    func cells(_ files: DarwinCoreFiles, _ name: String, _ columns: [String]) -> [[String]] {
      files.rows(name).map { row in columns.map { row[$0] ?? "" } }.sorted { $0[0] < $1[0] }
    }
    let columns = [
      "occurrenceID", "basisOfRecord", "occurrenceStatus", "individualCount", "behavior",
      "organismID", "organismName", "minimumDepthInMeters", "maximumDepthInMeters",
      "occurrenceRemarks", "eventID", "eventDate",
    ]
    #expect(cells(archive, "occurrence.txt", columns) == cells(again, "occurrence.txt", columns))
    if !dives {
      let more = [
        "occurrenceID", "recordedBy", "verbatimIdentification", "identificationID", "locality",
        "decimalLatitude", "decimalLongitude", "eventRemarks", "countryCode",
      ]
      #expect(cells(archive, "occurrence.txt", more) == cells(again, "occurrence.txt", more))
      let names = ["identificationID", "verbatimIdentification", "dateIdentified"]
      #expect(
        cells(archive, "identification.txt", names) == cells(again, "identification.txt", names))
    } else {
      let events = ["eventID", "eventDate", "samplingEffort", "locality", "decimalLatitude"]
      #expect(cells(archive, "event.txt", events) == cells(again, "event.txt", events))
    }
    #expect(try journal.check() == [])
  }

  @Test func whatHasNoTableIsCounted() throws {
    let journal = try TestJournal().open()
    try journal.save(try Self.walk().records)
    let report = try journal.exported(.dwca).report
    #expect(report.lines[0] == "wrote 2 occurrences, 1 measurement")
    #expect(report.losses["place.tags"] == 1 && report.losses["organism.collections"] == 1)
    #expect(report.losses["positions beyond six decimals, rounded"] == nil)
    #expect(report.losses["line ends and tabs in texts, now spaces"] == 1)
  }

  @Test func othersAreToldThatTheyAreNotToldAll() throws {
    let journal = try TestJournal().open()
    var (walk, records) = try Self.walk()
    walk.oak.privacy = .obscured
    records = records.map { $0.id == walk.oak.id ? .occurrence(walk.oak) : $0 }
    try journal.save(records)
    let pack = try TestTable.pack.get()
    let archive = try DarwinCoreFiles(try journal.exported(.dwca, for: .shared(pack)).bytes)
    let rows = archive.rows("occurrence.txt")
    #expect(!rows.isEmpty && rows.allSatisfy { $0["dataGeneralizations"]?.isEmpty == false })
    #expect(rows.allSatisfy { $0["informationWithheld"]?.isEmpty == false })
    #expect(rows.allSatisfy { $0["eventDate"] == "2026-03" })
    let all = archive.files.values.joined()
    for word in ["Beech", "Ada Lark", "42.4533", "\(walk.oak.id)"] { #expect(!all.contains(word)) }
    #expect(GBIFChecker(archive.files).found.isEmpty)
  }

  @Test func aDescriptionNeedsNames() {
    #expect(throws: JournalError.self) { try DatasetDescription(licence: .by, creator: " ") }
    #expect(throws: JournalError.self) {
      try DatasetDescription(licence: .by, creator: "Ada", title: "Birds")
    }
  }

  // MARK: - The keys of GBIF's validator

  @Test(arguments: [false, true])
  func noKeyHasAReason(dives: Bool) throws {
    #expect(GBIFChecker(try Self.archive(dives: dives).files).found.isEmpty)
  }

  /// A change of an archive: a text in a column, or another text in a file.
  struct Change: Sendable {
    let key: GBIFKey
    let file: String
    let old: String
    let new: String
    var isCell = true

    static func cell(_ key: GBIFKey, _ term: String, _ text: String) -> Change {
      Change(key: key, file: "occurrence.txt", old: term, new: text)
    }

    static func text(_ key: GBIFKey, _ file: String, _ old: String, _ new: String) -> Change {
      Change(key: key, file: file, old: old, new: new, isCell: false)
    }
  }

  private static let changes: [Change] = [
    .text(.DWCA_UNREADABLE, "", "", ""), .text(.DWCA_META_XML_NOT_FOUND, "meta.xml", "", ""),
    .text(.DWCA_META_XML_SCHEMA, "meta.xml", "</archive>", ""),
    .text(.RECORD_IDENTIFIER_NOT_FOUND, "meta.xml", "<id index=\"0\"/>", ""),
    .text(
      .CORE_ROWTYPE_UNDETERMINED, "meta.xml",
      "rowType=\"http://rs.tdwg.org/dwc/terms/Occurrence\"", "rowType=\"\""),
    .text(.EML_NOT_FOUND, "eml.xml", "", ""),
    .text(.EML_GBIF_SCHEMA, "eml.xml", "<contact>", "<keeper>"),
    .text(.UNKNOWN_ROWTYPE, "meta.xml", "terms/Identification\"", "terms/Guess\""),
    .text(.REQUIRED_TERM_MISSING, "meta.xml", "terms/basisOfRecord", "terms/sex"),
    .text(.UNKNOWN_TERM, "meta.xml", "terms/behavior", "terms/behaviour"),
    .cell(.RECORD_NOT_UNIQUELY_IDENTIFIED, "id", ""),
    .text(.RECORD_REFERENTIAL_INTEGRITY_VIOLATION, "identification.txt", "\nurn", "\nother"),
    .text(.COLUMN_MISMATCH, "occurrence.txt", "\tHumanObservation", ""),
    .text(.TITLE_MISSING_OR_TOO_SHORT, "eml.xml", "Observations of a field journal", "Birds"),
    .text(
      .DESCRIPTION_MISSING_OR_TOO_SHORT, "eml.xml",
      "Organisms that were seen at places, as they were noted in a field journal kept with stol.",
      "Birds"),
    .text(.LICENSE_MISSING_OR_UNKNOWN, "eml.xml", "licenses/by/4.0", "licenses/by-sa/4.0"),
    .text(.RESOURCE_CREATOR_MISSING_OR_INCOMPLETE, "eml.xml", "<surName>Lark", "<surName>"),
    .cell(.COORDINATE_OUT_OF_RANGE, "decimalLongitude", "-200"),
    .cell(.COORDINATE_INVALID, "decimalLatitude", "north"),
    .cell(.COORDINATE_ROUNDED, "decimalLatitude", "42.4533111"),
    .cell(.PRESUMED_SWAPPED_COORDINATE, "decimalLatitude", "100"),
    .cell(.GEODETIC_DATUM_INVALID, "geodeticDatum", "mine"),
    .cell(.GEODETIC_DATUM_ASSUMED_WGS84, "geodeticDatum", ""),
    .cell(.COORDINATE_REPROJECTED, "geodeticDatum", "NAD27"),
    .cell(.COORDINATE_PRECISION_INVALID, "coordinatePrecision", "7"),
    .cell(.COORDINATE_UNCERTAINTY_METERS_INVALID, "coordinateUncertaintyInMeters", "-1"),
    .cell(.COUNTRY_INVALID, "countryCode", "U"), .cell(.COUNTRY_MISMATCH, "country", "Palau"),
    .cell(.CONTINENT_INVALID, "continent", "Atlantis"),
    .cell(.RECORDED_DATE_INVALID, "eventDate", "15.3.2026"),
    .cell(.RECORDED_DATE_UNLIKELY, "eventDate", "1203"),
    .cell(.RECORDED_DATE_MISMATCH, "year", "2025"),
    .cell(.DEPTH_NON_NUMERIC, "minimumDepthInMeters", "deep"),
    .cell(.DEPTH_NOT_METRIC, "minimumDepthInMeters", "5ft"),
    .cell(.DEPTH_UNLIKELY, "maximumDepthInMeters", "12000"),
    .cell(.DEPTH_MIN_MAX_SWAPPED, "minimumDepthInMeters", "9000"),
    .cell(.ELEVATION_NON_NUMERIC, "minimumElevationInMeters", "high"),
    .cell(.ELEVATION_NOT_METRIC, "minimumElevationInMeters", "5ft"),
    .cell(.ELEVATION_UNLIKELY, "minimumElevationInMeters", "20000"),
    .cell(.MODIFIED_DATE_INVALID, "http://purl.org/dc/terms/modified", "soon"),
    .cell(.MODIFIED_DATE_UNLIKELY, "http://purl.org/dc/terms/modified", "2999"),
    .cell(.IDENTIFIED_DATE_INVALID, "dateIdentified", "soon"),
    .cell(.IDENTIFIED_DATE_UNLIKELY, "dateIdentified", "2999"),
    .cell(.BASIS_OF_RECORD_INVALID, "basisOfRecord", "Guess"),
    .cell(.TYPE_STATUS_INVALID, "typeStatus", "nice"),
    .cell(.INDIVIDUAL_COUNT_INVALID, "individualCount", "-3"),
    .cell(.REFERENCES_URI_INVALID, "http://purl.org/dc/terms/references", "a book"),
    .text(.MULTIMEDIA_URI_INVALID, "multimedia.txt", "https://a.example", "a.example"),
    .text(.MULTIMEDIA_DATE_INVALID, "multimedia.txt", "2026-03-15T09:50", "spring"),
  ]

  @Test(arguments: changes)
  func eachKeyIsFound(change: Change) throws {
    var archive = try Self.archive()
    if change.file.isEmpty {
      archive.files = [:]
    } else if change.isCell {
      archive.set(change.file, change.old, change.new)
    } else if change.old.isEmpty {
      archive.files[change.file] = nil
    } else {
      #expect(archive.files[change.file]?.contains(change.old) == true)
      archive.replace(change.file, change.old, change.new)
    }
    #expect(GBIFChecker(archive.files).found.contains(change.key))
  }

  /// Keys that take more than one cell.
  @Test func keysOfSeveralCellsAreFound() throws {
    func found(_ cells: KeyValuePairs<String, String>) throws -> Set<GBIFKey> {
      var archive = try Self.archive()
      for (term, text) in cells { archive.set("occurrence.txt", term, text) }
      return GBIFChecker(archive.files).found
    }
    #expect(
      try found(["decimalLatitude": "0", "decimalLongitude": "0"]).contains(.ZERO_COORDINATE))
    #expect(
      try found(["minimumElevationInMeters": "20", "maximumElevationInMeters": "10"])
        == [.ELEVATION_MIN_MAX_SWAPPED])
    let far = try found(["decimalLatitude": "91", "geodeticDatum": "NAD27"])
    #expect(
      far.isSuperset(of: [.COORDINATE_REPROJECTION_FAILED, .COORDINATE_REPROJECTION_SUSPICIOUS]))
  }

  @Test func allKeysAreLookedAt() {
    let tested = Set(Self.changes.map(\.key)).union([
      .ZERO_COORDINATE, .ELEVATION_MIN_MAX_SWAPPED, .COORDINATE_REPROJECTION_FAILED,
      .COORDINATE_REPROJECTION_SUSPICIOUS,
    ])
    #expect(Set(GBIFKey.allCases).subtracting(tested) == Set(GBIFKey.undecided.keys))
  }
}
