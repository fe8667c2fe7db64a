import STOLData
import STOLFormats
import Testing

@testable import STOLJournal

@Suite("Importing tables")
struct ImportTests {
  private static let trees = """
    id,botanic,lat,lon,DBH,year
    1,Quercus robur,42.1,-76.1,10,2019
    2,Nothing known,42.2,-76.2,,2019
    3,Quercus robur,42.3,-76.3,20.5,2019

    """
  private static let map = [
    "id=id", "botanic=name", "lat=latitude", "lon=longitude", "year=date", "=organism_status=alive",
  ]

  private static func count(
    _ summary: ImportSummary, _ outcome: ImportedRow.Outcome
  ) -> Int { summary.rowCounts[outcome] ?? 0 }

  @Test func aTableIsKeptAndUndoneAsOne() throws {
    let journal = try TestJournal().open()
    let (rows, summary) = try TestTable.import(
      Self.trees, Self.map, into: journal, looksUpNames: true)
    #expect(rows.map(\.outcome) == [.new, .new, .new] && rows.map(\.line) == [2, 3, 4])
    #expect(summary.rowCount == 3 && summary.newRecordCount == 12)
    #expect(summary.namedCount == 3 && summary.unresolvedCount == 1)
    #expect(try journal.check() == [])
    let (sightings, _) = try journal.sightings(SightingQuery())
    #expect(sightings.count == 3)
    let oak = try #require(sightings.first { $0.occurrence == rows[0].id })
    #expect(oak.verbatimName == "Quercus robur" && oak.taxon?.name == "Quercus robur")
    #expect(oak.position == Position(latitudeE7: 421_000_000, longitudeE7: -761_000_000))
    #expect(oak.time.text == "2019")
    #expect(try journal.history().map(\.what) == ["import"])
    #expect(try journal.undo().undone == summary.batch)
    #expect(try journal.liveRecords().isEmpty && journal.check() == [])
  }

  @Test func theSameFileAgainChangesNothing() throws {
    let home = try TestJournal()
    let journal = try home.open()
    _ = try TestTable.import(Self.trees, Self.map, into: journal, looksUpNames: true)
    let before = try home.dump()
    var options = ImportOptions()
    for updates in [false, true] {
      options.updates = updates
      let (rows, summary) = try TestTable.import(
        Self.trees, Self.map, into: journal, options, looksUpNames: true)
      #expect(rows.map(\.outcome) == [.same, .same, .same])
      #expect(summary.batch == nil && summary.newRecordCount == 0)
    }
    #expect(try home.dump() == before)
    #expect(try journal.history().count == 1)
  }

  @Test func rowsWithoutIdentifiersAreToldByTheirCells() throws {
    let home = try TestJournal()
    let journal = try home.open()
    let text = "name,when\nred oak,2019\nelm,2019\nred oak,2019\n"
    let map = ["name=name", "when=date"]
    let (rows, _) = try TestTable.import(text, map, into: journal)
    #expect(rows.map(\.outcome) == [.new, .new, .new] && Set(rows.map(\.id)).count == 3)
    let before = try home.dump()
    #expect(
      try TestTable.import(text, map, into: journal).rows.allSatisfy { $0.outcome == .same })
    #expect(try home.dump() == before)
    // One more of the same is new, wherever it stands.
    let more = "name,when\nelm,2019\nred oak,2019\nred oak,2019\nred oak,2019\n"
    #expect(
      try TestTable.import(more, map, into: journal).rows.map(\.outcome)
        == [.same, .same, .same, .new])
  }

  @Test func whatIsThereStaysUnlessItIsUpdated() throws {
    let journal = try TestJournal().open()
    _ = try TestTable.import(Self.trees, Self.map, into: journal)
    let changed = Self.trees.split(separator: "\n").map(String.init)
    let text = [
      changed[0], changed[1].replacing("42.1", with: "43"), changed[2], "4,Elm,1,1,,2020",
    ].joined(separator: "\n")
    let (rows, _) = try TestTable.import(text, Self.map, into: journal)
    #expect(rows.map(\.outcome) == [.differs, .same, .new])
    #expect(rows[0].flags.map(\.column) == ["organism.position"])
    #expect(rows[0].flags.map(\.reason).joined().contains("--update"))
    let first = try #require(rows[0].id)
    func latitude() throws -> Int? {
      let (sightings, _) = try journal.sightings(SightingQuery())
      return sightings.first { $0.occurrence == first }?.position?.latitudeE7
    }
    #expect(try latitude() == 421_000_000)
    var options = ImportOptions()
    options.updates = true
    let (again, summary) = try TestTable.import(text, Self.map, into: journal, options)
    #expect(again.map(\.outcome) == [.updated, .same, .same])
    #expect(summary.updatedRecordCount == 1)
    #expect(try latitude() == 430_000_000)
    try journal.undo()
    #expect(try latitude() == 421_000_000)
    #expect(try journal.check() == [])
  }

  @Test func aDryRunKeepsNothingAtAll() throws {
    let home = try TestJournal()
    let journal = try home.open()
    try journal.save(try Walk().records)
    let before = try home.dump()
    var options = ImportOptions()
    options.isDryRun = true
    options.collection = JournalCollection(name: "Trees")
    let (rows, summary) = try TestTable.import(Self.trees, Self.map, into: journal, options)
    #expect(rows.map(\.outcome) == [.new, .new, .new] && summary.batch == nil)
    #expect(try home.dump() == before)
    #expect(try journal.history().count == 1)
  }

  @Test func oneBadRowSpoilsNoOtherUnlessItIsStrict() throws {
    let home = try TestJournal()
    let journal = try home.open()
    let text = Self.trees + "5,Elm,north,-76,,2019\n6,Elm,42,-76,,2019\n"
    var options = ImportOptions()
    options.isStrict = true
    let before = try home.dump()
    #expect {
      _ = try TestTable.import(text, Self.map, into: journal, options)
    } throws: { error in
      (error as? ImportRefusal)?.line == 5
    }
    #expect(try home.dump() == before && journal.history().isEmpty)
    let (rows, summary) = try TestTable.import(text, Self.map, into: journal)
    #expect(rows.map(\.outcome) == [.new, .new, .new, .refused, .new])
    #expect(Self.count(summary, .new) == 4 && Self.count(summary, .refused) == 1)
    #expect(summary.rowCount == rows.count)
  }

  /// Each of section "Refused" of the design, with its line, column, value and reason.
  @Test(arguments: [
    ("x,0,2019,,,,", "lat", "x", "is no number"),
    ("91,0,2019,,,,", "lat", "91", "is not on the globe"),
    ("-76.1,400,2019,,,,", "lon", "400", "is not on the globe"),
    ("1,,2019,,,,", "lon", "", "is missing"),
    ("0.0,0,2019,,,,", "lat", "0.0", "is 0 N 0 E"), ("1,1,,,,,", "when", "", "is missing"),
    ("1,1,2019-02-30,,,,", "when", "2019-02-30", "cannot be"),
    ("1,1,3/4/2019,,,,", "when", "3/4/2019", "cannot be"),
    ("1,1,2019-03-02,2019-03-01,,,", "until", "2019-03-01", "cannot be"),
    ("1,1,2019,,2,absent,", "n", "2", "cannot be"), ("1,1,2019,,0,,", "n", "0", "cannot be"),
    ("1,1,2019,,2.5,,", "n", "2.5", "is no whole number"),
    ("1,1,2019,,,maybe,", "seen", "maybe", "cannot be"),
    ("1,1,2019,,,,tall", "h", "tall", "is no number"),
    ("1,1,2019,,,,1e3", "h", "1e3", "is no number"),
    ("1,1,2019,,,,99999999999999999999", "h", "99999999999999999999", "is no number"),
    ("1,1,2019,,,,1,2", "", "", "has more cells than the header"),
  ])
  func whatCannotBeIsRefusedByItsColumn(
    row: String, column: String, value: String, reason: String
  ) throws {
    let journal = try TestJournal().open()
    let text = "lat,lon,when,until,n,seen,h\n1,1,2019,,,,\n\(row)\n"
    let map = [
      "lat=latitude", "lon=longitude", "when=date", "until=end", "n=count", "seen=presence",
      "h=organism_elevation_cm:m",
    ]
    let (rows, summary) = try TestTable.import(text, map, into: journal)
    let refusal = try #require(rows.last?.refusal)
    #expect(rows.map(\.outcome) == [.new, .refused])
    #expect(refusal.line == 3 && refusal.column == column && refusal.value == value, "\(refusal)")
    #expect(refusal.reason.hasPrefix(reason) && !refusal.remedy.isEmpty, "\(refusal)")
    #expect(summary.rowCount == 2)
  }

  @Test func nullIslandIsAPlaceForWhoSaysSo() throws {
    let journal = try TestJournal().open()
    var options = ImportOptions()
    options.acceptsNullIsland = true
    let (rows, _) = try TestTable.import(
      "lat,lon,when\n0,0,2019\n", ["lat=latitude", "lon=longitude", "when=date"], into: journal,
      options)
    #expect(rows.map(\.outcome) == [.new])
    // Somebody has accepted it: the export says so, which is flagged and kept.
    let lines = try journal.exported(.jsonl).bytes
    let other = try TestJournal().open()
    let reader = try JSONLayout.jsonl.reader(ByteChunks(lines))
    var outcomes: [ImportedRow.Outcome] = []
    _ = try other.importing(reader, ImportOptions()) { outcomes.append($0.outcome) }
    #expect(outcomes == [.flagged, .new])
    #expect(try other.exported(.jsonl).bytes == lines)
    let table = try TestTable.text(of: journal).text
    let third = try TestJournal().open()
    let (kept, _) = try TestTable.import(table, into: third)
    #expect(kept.map(\.outcome) == [.flagged])
    #expect(kept.first?.flags.first?.reason.contains("0 N 0 E") == true)
    #expect(try TestTable.text(of: third).text == table)
  }

  /// What is said shows what stands in the file, in its unit.
  @Test(arguments: [
    ("-5,8,10,2019,1", "DBH", "-5", true), ("600,8,10,2019,1", "DBH", "600", false),
    ("5,20,10,2019,1", "acc", "20", false), ("5,20040000,10,2019,1", "acc", "20040000", false),
    ("5,20040001,10,2019,1", "acc", "20040001", true), ("5,8,500,2019,1", "depth", "500", false),
    ("5,8,10,2999-01-02,1", "when", "2999-01-02", false),
    ("5,8,10,2019,99999", "alt", "99999", true),
  ])
  func messagesShowTheCellsOfTheFile(
    row: String, column: String, value: String, isRefused: Bool
  ) throws {
    let journal = try TestJournal().open()
    let map = [
      "DBH=dbh_mm:in", "acc=organism_uncertainty_m:m", "depth=max_depth_mm:ft", "when=date",
      "alt=organism_elevation_cm:m", "lat=organism_latitude", "lon=organism_longitude",
    ]
    let (rows, _) = try TestTable.import(
      "DBH,acc,depth,when,alt,lat,lon\n\(row),1,1\n", map, into: journal)
    let shown = try #require(rows.first)
    #expect(shown.outcome == (isRefused ? .refused : .flagged))
    #expect((shown.refusal?.column ?? shown.flags.first?.column) == column, "\(shown)")
    #expect((shown.refusal?.value ?? shown.flags.first?.value) == value, "\(shown)")
    #expect(shown.flags.count == (isRefused ? 0 : 1), "\(shown)")
  }

  @Test func rowsWithoutANameAreCounted() throws {
    let journal = try TestJournal().open()
    let (rows, summary) = try TestTable.import(
      "date\n2020-01-01\n2020-01-02\n", ["date=date"], into: journal)
    #expect(rows.map(\.outcome) == [.new, .new] && summary.namelessCount == 2)
    let (others, some) = try TestTable.import(
      "date,g,s,who\n2020-02-01,Quercus,robur,a\n2020-02-02,,,b\n2020-02-03,,robur,c\n",
      ["date=date", "g=genus", "s=species", "who=tags"], into: journal)
    #expect(others.map(\.outcome) == [.new, .flagged, .new] && some.namelessCount == 1)
    let flagged = try #require(others.first { $0.outcome == .flagged })
    #expect(
      flagged.line == 3
        && flagged.flags == [ImportFlag(column: "g", value: "", reason: "has no name")])
    // In what the journal wrote names have lines of their own.
    let lines = try journal.exported(.jsonl).bytes
    let reader = try JSONLayout.jsonl.reader(ByteChunks(lines))
    let again = try TestJournal().open().importing(reader, ImportOptions())
    #expect(again.namelessCount == 0 && again.rowCounts[.flagged] == nil)
  }

  /// A time of day may have an offset, as in Darwin Core; two times are none.
  @Test(arguments: [
    ("19:00:00Z", "2020-01-02T19:00:00", 0), ("9:44", "2020-01-02T09:44", nil),
    ("09:44:30-04:00", "2020-01-02T09:44:30", -240), ("9:44 PM +0530", "2020-01-02T21:44", 330),
    ("09:44+01:00", "2020-01-02T09:44", 60), ("09:44-0400", "2020-01-02T09:44", -240),
    ("9:44-10:30", nil, nil), ("9:44 - 10:30", nil, nil), ("Z", nil, nil), ("25:00Z", nil, nil),
    ("09:44+99:00", nil, nil),
  ])
  func timesOfDayMayHaveAnOffset(cell: String, start: String?, offsetMin: Int?) throws {
    let journal = try TestJournal().open()
    let (rows, _) = try TestTable.import(
      "day,eventTime\n2020-01-02,\(cell)\n", ["day=date", "eventTime=time"], into: journal)
    let event = try journal.liveRecords().compactMap { kept -> Event? in
      if case .event(let event) = kept.record { event } else { nil }
    }.first
    #expect(event?.start.text == start && event?.utcOffsetMin == offsetMin)
    #expect(rows.map(\.outcome) == [start == nil ? .refused : .new], "\(rows)")
  }

  /// Of two clocks nobody could tell which one the event has.
  @Test(arguments: [
    ("2020-01-02T09:44Z", "", "2020-01-02T10:00Z", "2020-01-02T09:50Z", 0),
    ("2020-01-02T09:44", "60", "2020-01-02T10:00", "", 60),
    ("2020-01-02T09:44+01:00", "60", "2020-01-02T10:00", "2020-01-02T09:50+0100", 60),
    ("2020-01-02T09:44", "", "2020-01-02T10:00+01:00", "", 60),
    ("2020-01-02T09:44", "", "", "2020-01-02T09:50-04:00", -240),
    ("2020-01-02T09:44Z", "60", "", "", nil),
    ("2020-01-02T09:44Z", "", "2020-01-02T11:00+01:00", "", nil),
    ("2020-01-02T09:44", "60", "", "2020-01-02T09:50Z", nil),
  ])
  func timesOfARowAreByOneClock(
    start: String, offset: String, end: String, seen: String, offsetMin: Int?
  ) throws {
    let journal = try TestJournal().open()
    let (rows, _) = try TestTable.import(
      "a,b,c,d\n\(start),\(offset),\(end),\(seen)\n",
      ["a=date", "b=utc_offset_min", "c=end", "d=occurrence_time"], into: journal)
    #expect(rows.map(\.outcome) == [offsetMin == nil ? .refused : .new], "\(rows)")
    let offsets = try journal.liveRecords().compactMap { kept -> Int? in
      if case .event(let event) = kept.record { event.utcOffsetMin } else { nil }
    }
    #expect(offsets == [offsetMin].compactMap { $0 })
  }

  /// eBird has an X for what was there and nobody counted.
  @Test(arguments: [("X", nil, true), ("x", nil, true), ("3", 3, true), ("XX", nil, false)])
  func anXIsSomeThatNobodyCounted(cell: String, count: Int?, isKept: Bool) throws {
    let journal = try TestJournal().open()
    let (rows, _) = try TestTable.import(
      "when,n\n2020,\(cell)\n", ["when=date", "n=count"], into: journal)
    #expect(rows.map(\.outcome) == [isKept ? .new : .refused])
    let sightings = try journal.sightings(SightingQuery()).sightings
    #expect(sightings.map(\.isPresent) == (isKept ? [true] : []))
    #expect(sightings.first?.count == count)
  }

  @Test func whatIsOddIsKeptAndFlagged() throws {
    let journal = try TestJournal().open()
    let text = """
      lat,lon,acc,when,depth
      42.45,-76.48,19,2019,10
      42.45,-76.48,20,2019,10
      42.45,-76.48,5,2999,10
      42.45,-76.48,5,2019,131
      -76.48,42.45,5,2019,10
      42.46,-76.48,5,2019

      """
    let map = [
      "lat=latitude", "lon=longitude", "acc=uncertainty_m:m", "when=date", "depth=max_depth_mm:m",
    ]
    let (rows, summary) = try TestTable.import(text, map, into: journal)
    #expect(
      rows.map(\.outcome) == [.new] + Array(repeating: ImportedRow.Outcome.flagged, count: 5),
      "\(rows)")
    #expect(summary.rowCount == 6 && Self.count(summary, .flagged) == 5)
    let reasons = rows.dropFirst().map { $0.flags.map(\.reason).joined() }
    for (reason, word) in zip(reasons, ["20 m", "future", "130 m", "swapped", "fewer cells"]) {
      #expect(reason.contains(word))
    }
    #expect(try journal.keyFigures().sightingCount == 6)
  }

  @Test func anIdentifierIsThatOfOneRow() throws {
    let journal = try TestJournal().open()
    let (rows, _) = try TestTable.import(
      "id,when\n7,2019\n7,2020\n", ["id=id", "when=date"], into: journal)
    #expect(rows.map(\.outcome) == [.new, .refused])
    #expect(rows[1].refusal?.column == "id" && rows[1].refusal?.value == "7")
  }

  @Test func identifiersAreThoseOfTheirSource() throws {
    let journal = try TestJournal().open()
    let text = "id,when\n7,2019\n"
    let map = ["id=id", "when=date"]
    let first = try TestTable.import(text, map + ["=source=Cornell"], into: journal).rows[0]
    let second = try TestTable.import(text, map + ["=source=Fitzroy"], into: journal).rows[0]
    #expect(first.outcome == .new && second.outcome == .new && first.id != second.id)
    let third = try TestTable.import(text, map + ["=source=Cornell"], into: journal).rows[0]
    #expect(third.outcome == .same && third.id == first.id)
  }

  @Test(arguments: ["id", "organism"])
  func identifiersNeedASource(field: String) throws {
    let stream = TestTable.stream(Array("ID,when\n7,2019\n".utf8))
    let mapping = try TableMapping(["ID=\(field)", "when=date"])
    let error = #expect(throws: JournalError.self) {
      try TableImportReader(stream, fileName: "a.csv", mapping: mapping)
    }
    #expect("\(String(describing: error))".contains("ID=\(field)"))
    #expect(error?.description.contains("--source") == true)
  }

  /// Two cities that count their trees from 1, taken for one.
  @Test func rowsThatSayOtherwiseThanWhatIsThereDiffer() throws {
    let journal = try TestJournal().open()
    let first = """
      ID,LON,LAT,NAME
      1,10,50,Quercus robur
      2,11,51,Fagus sylvatica
      3,12,52,Acer

      """
    let second = """
      ID,LON,LAT,NAME
      1,20,40,Acer rubrum
      2,11.0005,51,Fagus sylvatica
      3,12,52,Acer rubrum
      4,13,53,Acer rubrum

      """
    let position = ["LON=longitude", "LAT=latitude", "NAME=name"]
    let identified = position + ["ID=id", "=date=2020", "=organism_status=alive"]
    _ = try TestTable.import(first, identified, into: journal, looksUpNames: true)
    let lines = try JournalLines.text(of: journal)
    let (rows, summary) = try TestTable.import(
      second, identified, into: journal, looksUpNames: true)
    #expect(rows.map(\.outcome) == [.differs, .same, .differs, .new])
    #expect(summary.rowCounts == [.differs: 2, .same: 1, .new: 1])
    #expect(rows[0].flags.map(\.column) == ["organism.position", "identification.verbatimName"])
    #expect(rows[0].flags.map(\.value) == ["40, 20", "Acer rubrum"])
    #expect(rows[1].flags.count == 1 && rows[1].flags[0].reason.contains("35 m"))
    #expect(rows[2].flags.map(\.column) == ["identification.verbatimName"])
    #expect(rows[2].flags[0].reason.contains("'Acer', which stays"))
    #expect(try JournalLines.text(of: journal).hasPrefix(lines))
    // A year later, by their tags.
    let tagged = position + ["ID=organism", "=source=tags"]
    _ = try TestTable.import(first, tagged + ["=date=2020"], into: journal, looksUpNames: true)
    let (later, _) = try TestTable.import(
      second, tagged + ["=date=2021"], into: journal, looksUpNames: true)
    #expect(later.map(\.outcome) == [.differs, .flagged, .new, .new])
    #expect(later[0].flags.map(\.column) == ["organism.position", "identification"])
    #expect(later[0].flags[1].reason.contains("Quercus robur"))
    #expect(try journal.check() == [])
  }

  /// What an earlier row of a file said of what both share stands, and that is told.
  @Test func rowsOfAFileThatSayOtherwiseOfOneThingDiffer() throws {
    let journal = try TestJournal().open()
    let text = """
      tag,park,name,planted,when
      7,North,elm,1990,2019
      7,North,elm,1990,2020
      7,North,elm,1991,2021
      8,North,oak,,2021
      8,North,oak,1950,2022

      """
    let map = ["tag=organism", "park=place", "name=name", "planted=planted", "when=date"]
    let (rows, _) = try TestTable.import(text, map, into: journal)
    #expect(rows.map(\.outcome) == [.new, .new, .differs, .new, .differs])
    #expect(rows[2].flags.map(\.column) == ["organism.planted"])
    #expect(try journal.keyFigures().sightingCount == 5)
    #expect(try journal.check() == [])
  }

  @Test func whatWasSeenThereThatDayMayBeADuplicate() throws {
    let journal = try TestJournal().open()
    let walk = try Walk()
    try journal.save(walk.records)
    let day = "2021-03-15"
    let text = """
      what,lat,lon,when
      Quercus robur,42.45331,-76.4807,\(day)
      Quercus robur,42.4534,-76.4807,2021-03-16
      Quercus robur,42.46,-76.4807,\(day)

      """
    let map = ["what=name", "lat=latitude", "lon=longitude", "when=date"]
    var event = Event(kind: .visit, start: try LocalTime(day))
    event.position = Position(latitudeE7: 424_533_100, longitudeE7: -764_807_000)
    let seen = Occurrence(event: event.id)
    let reading = try #require(
      try TestTable.import(
        "what,when\nQuercus robur,2001\n", ["what=name", "when=date"], into: journal,
        looksUpNames: true
      ).rows[0].id)
    let taxon = try #require(
      try journal.sightings(SightingQuery()).sightings.first { $0.occurrence == reading }?.taxon)
    try journal.save([
      .event(event), .occurrence(seen),
      .identification(
        Identification(
          occurrence: seen.id, verbatimName: "oak", taxon: taxon, match: .exact)),
    ])
    let (rows, summary) = try TestTable.import(text, map, into: journal, looksUpNames: true)
    #expect(rows.map(\.outcome) == [.duplicate, .new, .new])
    #expect(rows[0].flags.last?.value == seen.id.description)
    #expect(Self.count(summary, .duplicate) == 1 && summary.rowCount == 3)
    #expect(try journal.check() == [])
  }

  @Test func allGoesIntoACollection() throws {
    let journal = try TestJournal().open()
    var options = ImportOptions()
    options.collection = JournalCollection(name: "Campus")
    _ = try TestTable.import(Self.trees, Self.map, into: journal, options)
    _ = try TestTable.import(
      "what,when,in\nelm,2019,Campus; Old\n", ["what=name", "when=date", "in=collection"],
      into: journal)
    let counts = try journal.collections().map { "\($0.name) \($0.count)" }
    #expect(counts == ["Campus 4", "Old 1"])
    #expect(try journal.check() == [])
  }

  @Test func manyRowsAreOneBatchAndLeaveAllRight() throws {
    let journal = try TestJournal().open()
    var text = "id,what,lat,lon,when\n"
    for index in 0..<300 {
      text += "\(index),Quercus robur,4\(index % 10).\(index),\(index % 180),20\(10 + index % 9)\n"
    }
    let map = ["id=id", "what=name", "lat=latitude", "lon=longitude", "when=date"]
    // The first one makes derived tables anew, the second one goes step by step.
    let (_, first) = try TestTable.import(
      text, map, into: journal, looksUpNames: true, stepCount: 250)
    #expect(first.rowCount == 300 && first.newRecordCount == 900)
    let (_, second) = try TestTable.import(
      text, map + ["=source=again"], into: journal, stepCount: 250)
    #expect(second.rowCount == 300)
    #expect(try journal.check() == [])
    #expect(try journal.history().map(\.recordCount) == [900, 900])
    try journal.undo()
    #expect(try journal.keyFigures().sightingCount == 300)
    #expect(try journal.check() == [])
  }

  /// Lines with names that differ by a letter, and what becomes of them.
  @Test(arguments: [
    ("Quercus robus", "Quercus robur"), ("Cerbis canadensiz", nil), ("Quercuss robur", nil),
    ("Panthera leoo", "Panthera leo"), ("Quercus robus ?", nil), ("Quercus robus Dead", nil),
  ])
  func aLetterIsForgivenWhereSomebodySaysSo(name: String, taxon: String?) throws {
    for accept in ImportOptions.Acceptance.allCases {
      let names = ImportNames(in: try TestTable.pack.get(), accept: accept)
      let written = Identification(occurrence: JournalID(), verbatimName: name)
      let resolved = names.resolve(written, hints: [])
      #expect(resolved.verbatimName == name && resolved.id == written.id)
      #expect(resolved.taxon?.name == (accept == .fuzzy ? taxon : nil), "\(resolved)")
      // It says for ever that nobody picked it.
      #expect(resolved.match == (resolved.taxon == nil ? .none : .fuzzy))
      try resolved.validate()
    }
  }
}
