import Foundation
import STOLFormats
import TestSupport
import Testing

@testable import STOLJournal

/// Darwin Core archives and tables, read.
@Suite("Darwin Core, read")
struct DarwinCoreReaderTests {
  /// The files of an archive in a folder of their own.
  final class Files {
    private let folder: TemporaryFolder

    init(_ files: KeyValuePairs<String, String>) throws {
      folder = try TemporaryFolder()
      for (name, text) in files {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder(name)))
      }
    }

    /// What reads them, as long as this object lives.
    func reader() throws -> DarwinCoreReader {
      DarwinCoreReader(try #require(try DarwinCoreArchive(path: folder.path)))
    }

    /// What is in them.
    func rows() throws -> (rows: [ImportRow], refusals: [ImportRefusal]) { try reader().all() }

    /// Keeps what is in them.
    func `import`(
      into journal: JournalFile, onRow: (ImportedRow) -> Void = { _ in }
    ) throws -> ImportSummary {
      try journal.importing(try reader()) { onRow($0) }
    }
  }

  /// The element of a meta.xml for a table between whose cells tabs stand.
  static func table(
    _ element: String, _ type: String, _ file: String, _ terms: [String], id: String
  ) -> String {
    let fields = terms.enumerated().map { index, term in
      "<field index=\"\(index + 1)\" term=\"http://rs.tdwg.org/dwc/terms/\(term)\"/>"
    }
    return """
      <\(element) encoding="UTF-8" fieldsTerminatedBy="\\t" linesTerminatedBy="\\n" \
      fieldsEnclosedBy="" ignoreHeaderLines="1" rowType="\(type)">
      <files><location>\(file)</location></files><\(id) index="0"/>
      \(fields.joined(separator: "\n"))
      </\(element)>

      """
  }

  static let terms = "http://rs.tdwg.org/dwc/terms/"
  static let occurrenceTerms = [
    "occurrenceID", "basisOfRecord", "eventDate", "eventTime", "decimalLatitude",
    "decimalLongitude", "coordinateUncertaintyInMeters", "geodeticDatum", "country", "locality",
    "individualCount", "occurrenceStatus", "scientificName", "kingdom", "recordedBy",
    "dataGeneralizations", "minimumDepthInMeters", "license",
  ]
  static let nameTerms = ["identificationID", "scientificName", "dateIdentified", "identifiedBy"]
  static let measureTerms = [
    "measurementType", "measurementValue", "measurementUnit", "measurementDeterminedDate",
  ]

  static let meta =
    "<archive xmlns=\"http://rs.tdwg.org/dwc/text/\">\n"
    + table("core", terms + "Occurrence", "occurrence.txt", occurrenceTerms, id: "id")
    + table("extension", terms + "Identification", "names.txt", nameTerms, id: "coreid")
    + table("extension", terms + "MeasurementOrFact", "measures.txt", measureTerms, id: "coreid")
    + table("extension", "http://rs.gbif.org/terms/1.0/Multimedia", "media.txt", [], id: "coreid")
    + "</archive>\n"
  static let occurrences = [
    ["id"] + occurrenceTerms,
    [
      "1", "urn:uuid:018f0000-0000-7000-8000-000000000001", "HumanObservation",
      "2026-03-15T09:44:30-04:00/2026-03-15T10:00:00-04:00", "", "42.4533", "-76.4807", "12.2",
      "WGS84", "United States", "Beech Wood", "3", "present", "Quercus robur L.", "Plantae",
      "Ada Lark | Bob", "", "", "CC0",
    ],
    [
      "2", "two", "PreservedSpecimen", "2026-03-16", "09:44", "1", "2", "", "NAD27", "",
      "", "0", "absent", "Quercus alba", "", "", "rounded to 0.1 degree", "3.25", "",
    ],
    [
      "3", "three", "HumanObservation", "", "", "", "", "", "", "", "", "", "", "Acer", "", "", "",
      "", "",
    ],
  ].map { $0.joined(separator: "\t") + "\n" }.joined()
  static let names = """
    id\tidentificationID\tscientificName\tdateIdentified\tidentifiedBy
    1\ta\tQuercus\t2026-03-15\tBob
    1\tb\tQuercus alba\t2026-03-16\tBob
    2\tc\tQuercus alba\t2026-03-17\tAda
    9\td\tQuercus alba\t2026-03-17\tAda

    """
  static let measures = """
    id\tmeasurementType\tmeasurementValue\tmeasurementUnit\tmeasurementDeterminedDate
    1\tgirth\t1.83\tm\t2026-03-15
    1\tBark: colour!\tgrey\t\t
    2\tx-leaves\t7\t\t2026

    """

  static func files() throws -> Files {
    try Files([
      "meta.xml": meta, "occurrence.txt": occurrences, "names.txt": names,
      "measures.txt": measures, "media.txt": "id\n1\n",
      "eml.xml": "<eml packageId=\"a.1\"><dataset><title>A</title></dataset></eml>",
    ])
  }

  @Test func anArchiveOfOccurrencesIsRead() throws {
    let journal = try TestJournal().open()
    var rows: [ImportedRow] = []
    let files = try Self.files()
    let summary = try files.import(into: journal) { rows.append($0) }
    // The third has no date, and a name belongs to nothing.
    let refused = rows.compactMap(\.refusal)
    #expect(refused.map(\.line) == [4, 5])
    #expect(refused.map(\.column) == ["occurrence.txt: eventDate", "names.txt: coreid"])
    #expect(refused.map(\.value) == ["", "9"])
    #expect(summary.beside.leftOut["rows of multimedia"] == 1)
    #expect(summary.beside.leftOut["license"] == 1 && summary.namelessCount == 0)
    let records = try journal.liveRecords().map(\.record)
    let events = records.compactMap { record -> Event? in
      if case .event(let event) = record { event } else { nil }
    }
    #expect(events.map(\.start.text) == ["2026-03-15T09:44:30", "2026-03-16T09:44"])
    #expect(events.map { $0.end?.text } == ["2026-03-15T10:00:00", nil])
    #expect(events.map(\.utcOffsetMin) == [-240, nil])
    #expect(events.map { $0.position?.uncertaintyM } == [13, nil])
    #expect(events.map(\.persons.count) == [2, 0])
    let seen = records.compactMap { record -> Occurrence? in
      if case .occurrence(let it) = record { it } else { nil }
    }
    try #require(seen.count == 2)
    #expect("\(seen[0].id)" == "018f0000-0000-7000-8000-000000000001")
    #expect(seen.map(\.count) == [3, 0] && seen.map(\.presence) == [.present, .absent])
    #expect(seen.map(\.privacy) == [.open, .obscured])
    #expect(seen[1].tags == ["PreservedSpecimen", "position obscured"])
    #expect(seen.map(\.minDepthMm) == [nil, 3250])
    // What the core says is the last word, and stands once.
    let names = records.compactMap { record -> String? in
      if case .identification(let it) = record {
        "\(it.verbatimName) \(it.date?.text ?? "-")"
      } else {
        nil
      }
    }
    #expect(
      names == [
        "Quercus 2026-03-15", "Quercus alba 2026-03-16", "Quercus alba 2026-03-17",
        "Quercus robur L. -",
      ])
    let measures = records.compactMap { record -> String? in
      if case .measure(let it) = record {
        "\(it.type) \(it.number ?? -1) \(it.text ?? "-")"
      } else {
        nil
      }
    }
    #expect(measures == ["girth_mm 1830 -", "x-bark__colour -1 grey", "x-leaves 7 -"])
    let again = try files.import(into: journal)
    #expect(again.newRecordCount == 0 && again.batch == nil)
    #expect(try journal.check() == [])
  }

  /// A download of GBIF has its occurrences twice.
  @Test func aVerbatimCopyOfTheCoreIsNoOccurrence() throws {
    let terms = ["occurrenceID", "basisOfRecord", "scientificName", "eventDate"]
    let row = "1\tone\tHumanObservation\tAcer\t2026\n"
    let header = "gbifID\t\(terms.joined(separator: "\t"))\n"
    let files = try Files([
      "meta.xml": "<archive>"
        + Self.table("core", Self.terms + "Occurrence", "occurrence.txt", terms, id: "id")
        + Self.table("extension", Self.terms + "Occurrence", "verbatim.txt", terms, id: "coreid")
        + "</archive>",
      "occurrence.txt": header + row, "verbatim.txt": header + row.replacing("Acer", with: "acer"),
    ])
    let journal = try TestJournal().open()
    let summary = try files.import(into: journal)
    #expect(summary.rowCounts.values.reduce(0, +) == 1)
    #expect(summary.beside.leftOut == ["rows of verbatim occurrence": 1])
  }

  @Test func aDatumThatIsAnotherIsSaid() throws {
    let (rows, _) = try Self.files().rows()
    #expect(rows[1].flags.map(\.column) == ["occurrence.txt: geodeticDatum"])
  }

  static let eventTerms = [
    "parentEventID", "eventDate", "samplingProtocol", "samplingEffort", "decimalLatitude",
    "decimalLongitude", "country", "waterBody",
  ]
  static let eventMeta =
    "<archive xmlns=\"http://rs.tdwg.org/dwc/text/\">\n"
    + table("core", terms + "Event", "event.txt", eventTerms, id: "id")
    + table(
      "extension", terms + "Occurrence", "occurrence.txt",
      ["occurrenceID", "basisOfRecord", "scientificName", "eventDate"], id: "coreid")
    + table(
      "extension", "http://rs.iobis.org/obis/terms/ExtendedMeasurementOrFact", "emof.txt",
      ["occurrenceID"] + measureTerms, id: "coreid")
    + table(
      "extension", "http://rs.tdwg.org/eco/terms/Event", "humboldt.txt",
      ["samplingEffortValue", "samplingEffortUnit", "isTaxonomicScopeFullyReported"], id: "coreid")
    + "</archive>\n"

  @Test func anArchiveOfEventsIsRead() throws {
    let files = try Files([
      "meta.xml": Self.eventMeta,
      "event.txt": """
      id\t\(Self.eventTerms.joined(separator: "\t"))
      dive\ttrip\t2026-03-15T09:00\tUVC\t\t1.5\t2.5\tPalau\tPhilippine Sea
      walk\tnowhere\t2026-03\t\t2 h\t\t\t\t
      trip\t\t2026-03-14/20\t\t\t\t\tPalau\t

      """,
      "occurrence.txt": """
      id\toccurrenceID\tbasisOfRecord\tscientificName\teventDate
      dive\to1\tHumanObservation\tChelonia mydas\t2026-03-15T09:30
      dive\to2\tHumanObservation\tManta\t
      walk\to3\tHumanObservation\tAcer\t

      """,
      "emof.txt": """
      id\toccurrenceID\t\(Self.measureTerms.joined(separator: "\t"))
      dive\to1\tlength\t1.1\tm\t
      dive\t\tvisibility\t20\tm\t

      """,
      "humboldt.txt": """
      id\tsamplingEffortValue\tsamplingEffortUnit\tisTaxonomicScopeFullyReported
      dive\t45\tmin\ttrue

      """,
    ])
    let journal = try TestJournal().open()
    var rows: [ImportedRow] = []
    _ = try files.import(into: journal) { rows.append($0) }
    #expect(rows.allSatisfy { $0.refusal == nil })
    let records = try journal.liveRecords().map(\.record)
    let events = records.compactMap { record -> Event? in
      if case .event(let event) = record { event } else { nil }
    }
    // A trip comes before what is part of it, and one that is part of nothing known last.
    #expect(events.map(\.start.text) == ["2026-03-14", "2026-03-15T09:00", "2026-03"])
    #expect(events.map { $0.end?.text } == ["2026-03-20", nil, nil])
    #expect(events.map(\.parent) == [nil, events[0].id, nil])
    #expect(
      events.map(\.effortValue) == [nil, 45, 2] && events.map(\.effortUnit) == [nil, "min", "h"])
    #expect(events.map(\.isCompleteList) == [false, true, false])
    #expect(events.map(\.protocol) == [nil, "UVC", nil])
    let seen = records.compactMap { record -> Occurrence? in
      if case .occurrence(let it) = record { it } else { nil }
    }
    #expect(seen.map(\.event) == [events[1].id, events[1].id, events[2].id])
    #expect(seen.map { $0.time?.text } == ["2026-03-15T09:30", nil, nil])
    let measures = records.compactMap { record -> String? in
      if case .measure(let it) = record {
        "\(it.type) \(it.number ?? -1) \(it.text ?? "-") \(it.target == seen[0].id)"
      } else {
        nil
      }
    }
    #expect(measures == ["length_mm 1100 - true", "x-visibility -1 20 m false"])
    #expect(rows.contains { $0.flags.contains { $0.column == "parentEventID" } })
    #expect(try journal.check() == [])
  }

  @Test(
    arguments: [
      ("2026-03-15", nil, "2026-03-15", nil, nil), ("2026", nil, "2026", nil, nil),
      ("2026-03-15T09:44Z", nil, "2026-03-15T09:44", nil, 0),
      ("2026-03-15", "19:00:00-05:00", "2026-03-15T19:00:00", nil, -300),
      ("2007-11-13/15", nil, "2007-11-13", "2007-11-15", nil),
      ("2007-03-01/2008-05-11", nil, "2007-03-01", "2008-05-11", nil),
      ("1963/1965", nil, "1963", "1965", nil), ("6/16/2009", nil, "2009-06-16", nil, nil),
      ("16.6.2009", nil, "2009-06-16", nil, nil), ("6/5/2009", nil, "2009", nil, nil),
      ("spring of 1999", nil, "1999", nil, nil), ("5/5/2009", nil, "2009-05-05", nil, nil),
      ("2009-02-31", nil, nil, nil, nil), ("soon", nil, nil, nil, nil),
    ] as [(String, String?, String?, String?, Int?)])
  func timesAreReadAsTheyAreWritten(
    date: String, clock: String?, start: String?, end: String?, offset: Int?
  ) {
    let time = DarwinCoreTime(
      eventDate: date, eventTime: clock, year: nil, month: nil, day: nil, verbatim: nil)
    #expect(time?.start.text == start && time?.end?.text == end && time?.offsetMin == offset)
    #expect((time?.verbatim == nil) == (start != "2009" && start != "1999"))
  }

  @Test func partsOfADateAreADate() {
    func start(_ year: String?, _ month: String?, _ day: String?) -> String? {
      DarwinCoreTime(
        eventDate: nil, eventTime: "8.5", year: year, month: month, day: day, verbatim: "1.2.1998"
      )?.start.text
    }
    #expect(start("2009", "05", "14") == "2009-05-14" && start("2009", "5", nil) == "2009-05")
    #expect(start("2009", nil, nil) == "2009" && start(nil, "5", "3") == "1998")
    #expect(start("2009", "2", "31") == nil && start("2009", "13", nil) == nil)
    #expect(start("2009", "May", nil) == nil && start("0", "5", nil) == nil)
    for (parts, wrong) in [
      (("2009", "2", "31"), "day"), (("2009", "13", "1"), "month"), (("209x", "1", "1"), "year"),
    ] { #expect(DarwinCoreTime.wrongPart(parts.0, parts.1, parts.2) == wrong) }
    #expect(DarwinCoreTime.wrongPart("2009", nil, "77") == nil)
  }

  @Test func whatContradictsADateIsSaid() {
    func doubts(_ date: String, _ year: String?, _ month: String?, _ day: String?) -> [String]? {
      DarwinCoreTime(
        eventDate: date, eventTime: nil, year: year, month: month, day: day, verbatim: nil
      )?.doubts.map(\.column)
    }
    #expect(doubts("2024-05-01", "2024", "5", "01") == [])
    #expect(doubts("2024-05-01", "2023", "1", "1") == ["year"])
    #expect(doubts("2024-05-01T09:44", "2024", "5", "2") == ["day"])
    #expect(doubts("2024-05", "2024", "5", "2") == [])
    #expect(doubts("2024-05-01/2024-06-02", "2024", "6", nil) == [])
  }

  @Test func aDayIsReadByItsNumberInTheYear() {
    func start(_ date: String) -> String? {
      DarwinCoreTime(
        eventDate: date, eventTime: nil, year: nil, month: nil, day: nil, verbatim: nil
      )?.start.text
    }
    #expect(start("2024-123") == "2024-05-02" && start("2024-366") == "2024-12-31")
    #expect(start("2023-001") == "2023-01-01" && start("2023-366") == nil)
    #expect(start("2023-000") == nil && start("2023-1234") == nil)
  }

  /// What was seen in an event is kept, though nobody knows where that was.
  @Test func eventsAreKeptWithoutAPlaceOnTheGlobe() throws {
    let terms = ["eventID", "eventDate", "decimalLatitude", "decimalLongitude"]
    let seen = ["occurrenceID", "eventID", "scientificName"]
    let meta =
      "<archive xmlns=\"http://rs.tdwg.org/dwc/text/\">"
      + Self.table("core", "\(Self.terms)Event", "event.txt", terms, id: "id")
      + Self.table("extension", "\(Self.terms)Occurrence", "seen.txt", seen, id: "coreid")
      + "</archive>"
    let folder = try TemporaryFolder()
    try folder.write(Array(meta.utf8), to: "meta.xml")
    try folder.write(
      Array("id\ta\tb\tc\td\nE1\tE1\t2024\t95\t10\nE2\tE2\t2024\t0\t0\n".utf8), to: "event.txt")
    try folder.write(
      Array("id\ta\tb\tc\nE1\tO1\tE1\tAus bus\nE2\tO2\tE2\tAus bus\n".utf8), to: "seen.txt")
    for accepts in [false, true] {
      let journal = try TestJournal().open()
      var options = ImportOptions()
      options.acceptsNullIsland = accepts
      let open = try OpenImport(
        archiveOfTablesAt: folder.path, as: nil, acceptsNullIsland: accepts)
      var flags: [String] = []
      let summary = try journal.importing(try #require(open).reader, options) { row in
        flags += row.flags.map(\.column)
      }
      #expect(summary.rowCounts[.refused] == nil)
      #expect(flags.contains { $0.hasSuffix("decimalLatitude") })
      #expect(flags.contains("position") == !accepts)
      var positions: [Position?] = []
      try journal.forEachRecord { record in
        if case .event(let event) = record { positions.append(event.position) }
      }
      #expect(positions.compactMap { $0 }.map(\.isNullIsland) == (accepts ? [true] : []))
      #expect(positions.count == 2)
    }
  }

  @Test func columnsOfOneNameAreRefused() {
    for header in ["occurrenceID\tscientificName\toccurrenceID", "id\tsex\tbasisOfRecord\tSex"] {
      #expect(throws: JournalError.self) {
        try DarwinCoreReader(TestTable.stream(Array("\(header)\n".utf8)), fileName: "a.tsv").all()
      }
    }
  }

  @Test func aNameHasOneLine() throws {
    let text = """
      occurrenceID,scientificName,eventDate,locality
      a,Turdus merula,2024,"Old
       wood"

      """
    let (rows, refusals) = try DarwinCoreReader(
      TestTable.stream(Array(text.utf8)), fileName: "a.csv"
    ).all()
    #expect(refusals.isEmpty && rows.map { $0.flags.map(\.column) } == [["locality"]])
    let names = rows[0].records.compactMap { record in
      if case .place(let place) = record { place.name } else { nil }
    }
    #expect(names == ["Old wood"])
  }

  /// What the first row of a file says of an occurrence holds, also where it says what is there.
  @Test func theSameFileChangesNothingThatItSaysTwice() throws {
    let journal = try TestJournal().open()
    let header = "occurrenceID\tscientificName\teventDate\tindividualCount\n"
    func counts(_ lines: [String]) throws -> [Int?] {
      var options = ImportOptions()
      options.updates = true
      let text = header + lines.map { "a\tTurdus merula\t2024\t\($0)\n" }.joined()
      _ = try journal.importing(
        DarwinCoreReader(TestTable.stream(Array(text.utf8)), fileName: "a.tsv"), options)
      var found: [Int?] = []
      try journal.forEachRecord { record in
        if case .occurrence(let occurrence) = record { found.append(occurrence.count) }
      }
      return found
    }
    #expect(try counts(["9"]) == [9])
    for _ in 0..<3 { #expect(try counts(["9", "7"]) == [9]) }
    for _ in 0..<3 { #expect(try counts(["7", "9"]) == [7]) }
  }

  @Test func aCountryAloneIsAPlace() throws {
    let header = "occurrenceID\tscientificName\teventDate\tcountryCode\n"
    let text = header + "a\tTurdus merula\t2024\tDE\nb\tTurdus merula\t2024\tGermany\n"
    let stream = TestTable.stream(Array(text.utf8))
    let (format, whole) = try ImportFormat.detect(stream)
    #expect(format == .dwca)
    let (rows, refusals) = try DarwinCoreReader(whole, fileName: "a.tsv").all()
    #expect(refusals.isEmpty && rows.count == 2)
    let places = rows.map { row in
      row.records.compactMap { record in
        if case .place(let place) = record { place.name } else { nil }
      }
    }
    #expect(places == [["DE"], []])
    #expect(rows.map { $0.flags.map(\.column) } == [[], ["countryCode"]])
  }

  /// The counts of EXPECTED.tsv, and what becomes of the rows.
  @Test(.enabled(if: SharedData.has("reference/journal/dwca")))
  func realArchivesAreRead() throws {
    func imported(_ name: String) throws -> (ImportSummary, [JournalRecord.Kind: Int]) {
      let journal = try TestJournal().open()
      let path = SharedData.path("reference/journal/" + name)
      let open = try ImportSource(path: path).open(into: journal, ImportOptions())
      #expect(open.format == .dwca)
      let summary = try journal.importing(open.reader)
      #expect(try journal.check() == [])
      var kinds: [JournalRecord.Kind: Int] = [:]
      for kept in try journal.liveRecords() { kinds[kept.record.kind, default: 0] += 1 }
      return (summary, kinds)
    }
    for name in ["dwca/dwca-occurrence", "dwca/dwca-occurrence-eml-broken"] {
      let (summary, kinds) = try imported(name)
      // The last row says "May" for when it was.
      #expect(kinds[.occurrence] == 18 && kinds[.identification] == 18, "\(name)")
      #expect(summary.rowCount == 19 && summary.rowCounts[.refused] == 1, "\(name)")
    }
    let (events, kinds) = try imported("dwca/tdwg-event-example")
    #expect(kinds[.event] == 1 && kinds[.occurrence] == 3 && kinds[.measure] == 3)
    #expect(events.rowCounts[.refused] == nil)
    // The same rows with 38 names, two of which are of that row, and another name in the core for each.
    let (history, names) = try imported("dwca/dwca-ref-integrity-issue")
    #expect(names[.occurrence] == 18 && history.rowCounts[.refused] == 3)
    #expect(history.beside.leftOut["rows of identifier"] == 4)
    // Nobody says when it was.
    let (undated, none) = try imported("dwca/dwca-occurrence-no-occurrenceid-no-triple")
    #expect(undated.rowCounts == [.refused: 1] && none.isEmpty)
    let (_, birds) = try imported("dwca/dwca-io_ebird.tab.txt")
    // Two of its eight rows are of one observation.
    #expect(birds[.occurrence] == 7)
    let (wasps, observed) = try imported("inat/observations_dwca.csv")
    #expect(observed[.occurrence] == 50 && wasps.rowCounts[.refused] == nil)
  }

  @Test func itIsKnownByItsColumns() throws {
    func found(_ text: String) throws -> ImportFormat {
      try ImportFormat.detect(TestTable.stream(Array(text.utf8))).format
    }
    #expect(try found("occurrenceID\tbasisOfRecord\tscientificName\n") == .dwca)
    #expect(try found("dwc:catalogNumber,dwc:basisOfRecord,dwc:genus\n") == .dwca)
    #expect(try found("occurrenceID,scientificName\n") == .csv)
    let folder = try TemporaryFolder()
    try Data("a,b\n".utf8).write(to: URL(fileURLWithPath: folder("a.csv")))
    #expect(try DarwinCoreArchive(path: folder.path) == nil)
    #expect(try DarwinCoreArchive(path: folder("a.csv")) == nil)
  }

  @Test func anArchiveOfSomethingElseIsRefused() throws {
    let meta = Self.table("core", Self.terms + "Taxon", "taxon.txt", ["scientificName"], id: "id")
    let files = try Files(["meta.xml": "<archive>\(meta)</archive>", "taxon.txt": "id\tname\n"])
    #expect(throws: FormatError.self) { try files.reader() }
    let missing = try Files(["meta.xml": Self.meta, "occurrence.txt": Self.occurrences])
    #expect(throws: FormatError.self) { try missing.reader() }
  }

  @Test func damagedFilesAreReadOrRefused() throws {
    let journal = try TestJournal().open()
    let folder = try TemporaryFolder()
    let whole = [
      "meta.xml": Self.meta, "occurrence.txt": Self.occurrences, "names.txt": Self.names,
      "measures.txt": Self.measures, "media.txt": "id\n1\n",
    ].mapValues { Array($0.utf8) }
    let order = whole.keys.sorted()
    let signs = Array("\t\n\r\",:/<>=-.019".utf8) + [0, 0xFF, 0xC3]
    for (name, bytes) in whole { try Data(bytes).write(to: URL(fileURLWithPath: folder(name))) }
    for round in 0..<Sweep.count(few: 1000, full: 200_000) {
      var generator = SeededGenerator(seed: UInt64(round))
      let name = order[round % order.count]
      let url = URL(fileURLWithPath: folder(name))
      let bytes = RecordMutation.mutated(whole[name] ?? [], signs, from: 20, &generator)
      try Data(bytes).write(to: url)
      RecordMutation.check(round: round, in: journal) {
        guard let archive = try DarwinCoreArchive(path: folder.path) else {
          throw FormatError.missingFile(path: folder.path, name: "meta.xml")
        }
        return DarwinCoreReader(archive)
      }
      try Data(whole[name] ?? []).write(to: url)
    }
    #expect(try journal.liveRecords().isEmpty && journal.check() == [])
  }
}
