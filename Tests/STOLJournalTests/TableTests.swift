import STOLData
import STOLFormats
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Tables of the journal")
struct TableTests {
  /// A journal with every field that a table has, and texts that need care.
  private static func fill(_ journal: JournalFile) throws {
    var walk = try Walk()
    walk.place.position = Position(latitudeE7: -1, longitudeE7: 1_800_000_000, uncertaintyM: 1)
    walk.place.elevationCm = -4250
    walk.place.locality = "=1+1"
    walk.place.waterBody = "-sea"
    walk.place.country = "NA"
    walk.place.states = [.planned, .wishlist]
    walk.place.collections = [walk.orchard.id]
    walk.event.end = try LocalTime("2026-03-15T10:44")
    walk.event.position = Position(latitudeE7: 900_000_000, longitudeE7: 0)
    walk.event.protocol = "@ \"walk\", slow"
    walk.event.isCompleteList = true
    walk.event.remarks = "two\nlines\r\n\tand \\u{202e} \u{202E} \\n"
    walk.event.tags = ["'=x", "''+", "a; b"]
    walk.event.collections = [walk.orchard.id]
    walk.tree.elevationCm = 100_000
    walk.tree.status = .alive
    walk.tree.planted = try LocalTime("1998")
    walk.tree.position = Position(latitudeE7: 12, longitudeE7: -12, uncertaintyM: 7)
    walk.tree.tags = ["old"]
    walk.oak.position = Position(latitudeE7: 3, longitudeE7: 4)
    walk.oak.sex = " f "
    walk.oak.lifeStage = "\u{301}mark first"
    walk.oak.behaviour = "\\"
    walk.oak.establishment = .cultivated
    walk.oak.minDepthMm = 0
    walk.oak.maxDepthMm = 12
    walk.oak.remarks = "'\tapostrophe\u{FEFF}"
    walk.oak.countKind = .least
    walk.oak.tags = ["NULL", "\\N"]
    walk.bird.presence = .absent
    walk.bird.remarks = "\"quoted\""
    walk.oakName.qualifier = "cf."
    walk.oakName.cultivar = "Fastigiata"
    walk.oakName.rootstock = "M9"
    walk.oakName.date = try LocalTime("2026-03-16T08:00")
    walk.oakName.remarks = "+why"
    walk.oakName.taxon?.kingdoms = ["Eukaryota", "Viridiplantae"]
    walk.note.time = nil
    walk.place.privacy = .private
    walk.bird.privacy = .obscured
    walk.event.effortValue = 90
    walk.event.effortUnit = "min"
    func measure(_ type: String, _ number: Int?, _ text: String? = nil) -> JournalRecord {
      var measure = Measure(target: walk.tree.id, type: type, number: number, text: text)
      measure.time = walk.event.start
      return .measure(measure)
    }
    // Persons, and measures with a method, have no column.
    walk.event.persons = []
    let records = walk.records.filter { $0.kind != .person && $0.kind != .measure }
    try journal.save(
      records + [
        .note(Note(target: walk.oak.id, text: "\u{301}second")),
        .note(Note(target: walk.event.id, text: "of the event")),
        measure("girth_mm", 1830), measure("ph_x100", 650), measure("health", nil, "good"),
        measure("x-bark_mm", -7), measure("x-moss", nil, "=much"),
        .note(Note(target: walk.tree.id, text: "of the tree")),
        .note(Note(target: walk.place.id, text: "of the place")),
        .identification(Identification(occurrence: walk.bird.id, verbatimName: "Turdus sp.")),
      ])
  }

  /// Exported and imported into an empty journal, all that columns hold is there again, field by field.
  @Test(arguments: JournalTable.Form.allCases, JournalTable.IDForm.allCases)
  func anExportIsImportedWithoutLoss(form: JournalTable.Form, ids: JournalTable.IDForm) throws {
    let journal = try TestJournal().open()
    try Self.fill(journal)
    let (text, report) = try TestTable.text(of: journal, as: form, ids: ids)
    let whole = JournalTable.Report(
      rowCount: 2, exactPositionCount: 2, changedTextCount: 0, leftOut: [:])
    #expect(report == whole)
    let home = try TestJournal()
    let other = try home.open()
    let (rows, summary) = try TestTable.import(text, into: other, looksUpNames: true)
    #expect(rows.allSatisfy { $0.outcome == .new || $0.outcome == .flagged }, "\(rows)")
    #expect(summary.rowCount == 2)
    #expect(try TestTable.records(of: other) == TestTable.records(of: journal))
    #expect(try TestTable.text(of: other, as: form, ids: ids).text == text)
    #expect(try other.check() == [])
    // Into the journal that has them, and once more into the other one: nothing changes.
    let before = try home.dump()
    for target in [journal, other] {
      let (rows, summary) = try TestTable.import(text, into: target)
      #expect(rows.map(\.outcome) == [.same, .same] && summary.batch == nil, "\(rows)")
      var options = ImportOptions()
      options.updates = true
      #expect(try TestTable.import(text, into: target, options).summary.batch == nil)
    }
    #expect(try home.dump() == before)
  }

  /// Numbers are cells as they are, whatever their sign; texts that a spreadsheet would calculate are none.
  @Test(arguments: [
    (JournalTable.Form.csv, "'-sea", "'=1+1", "'''+ |"), (.tsv, "-sea", "=1+1", "''+ |"),
  ])
  func onlyTextsOfCSVAreGuarded(
    form: JournalTable.Form, water: String, locality: String, tags: String
  ) throws {
    let journal = try TestJournal().open()
    try Self.fill(journal)
    let text = try TestTable.text(of: journal, as: form).text
    let separator: Character = form == .csv ? "," : "\t"
    let cells = Set(text.split { $0 == separator || $0.isNewline })
    for cell in ["-0.0000001", "-0.0000012", "-4250", "-240", "-7", water, locality] {
      #expect(cells.contains(cell[...]), "\(cell) in \(cells)")
    }
    #expect(cells.contains { $0.hasPrefix(tags) }, "\(cells)")
  }

  @Test func notesAreJoinedAndCounted() throws {
    let journal = try TestJournal().open()
    let event = Event(kind: .visit, start: try LocalTime("2020"))
    let seen = Occurrence(event: event.id)
    try journal.save([
      .event(event), .occurrence(seen), .note(Note(target: seen.id, text: "one | two")),
      .note(Note(target: seen.id, text: "three", time: try LocalTime("2020"))),
    ])
    let (text, report) = try TestTable.text(of: journal)
    #expect(text.contains(",one / two | three,"))
    #expect(report.changedTextCount == 1 && report.leftOut == ["times of notes": 1])
    let other = try TestJournal().open()
    _ = try TestTable.import(text, into: other)
    let notes = try other.liveRecords().compactMap { kept -> String? in
      if case .note(let note) = kept.record { note.text } else { nil }
    }
    #expect(notes == ["one / two", "three"])
  }

  @Test func whatNoRowSaysIsCounted() throws {
    let journal = try TestJournal().open()
    let walk = try Walk()
    var dive = Event(kind: .dive, start: try LocalTime("2020"))
    dive.dive = Dive()
    try journal.save(
      walk.records + [
        .event(dive), .organism(Organism()), .place(Place(kind: .home, name: "Home")),
        .identification(Identification(occurrence: walk.oak.id, verbatimName: "elm")),
      ])
    let report = try TestTable.text(of: journal).report
    #expect(
      report.leftOut == [
        "events without occurrences": 1, "individuals without occurrences": 1, "dives": 1,
        "places without occurrences": 1, "earlier identifications": 1,
        "times of notes": 1, "persons": 1, "persons of events": 1,
      ])
  }

  @Test func parentsHaveNoColumnAndAreCounted() throws {
    let journal = try TestJournal().open()
    let region = Place(kind: .region, name: "Palau")
    var (reef, wreck) = (Place(kind: .site, name: "Reef"), Place(kind: .site, name: "Wreck"))
    (reef.parent, wreck.parent) = (region.id, region.id)
    let trip = Event(kind: .trip, start: try LocalTime("2020"))
    var (dive, walk) = (
      Event(kind: .dive, start: try LocalTime("2020-01")),
      Event(kind: .visit, start: try LocalTime("2020-02"))
    )
    (dive.parent, dive.place, dive.dive) = (trip.id, reef.id, Dive())
    let (first, second) = (Occurrence(event: dive.id), Occurrence(event: dive.id))
    walk.place = wreck.id
    var tagged = Occurrence(event: walk.id)
    tagged.tags = ["chosen"]
    try journal.save([
      .place(region), .place(reef), .place(wreck), .event(trip), .event(dive), .event(walk),
      .occurrence(first), .occurrence(second), .occurrence(tagged),
    ])
    let report = try TestTable.text(of: journal).report
    #expect(
      report.leftOut == [
        "parents of events": 1, "parents of places": 2, "events without occurrences": 1,
        "places without occurrences": 1, "dives": 1,
      ])
    // Of chosen occurrences what is theirs counts.
    var query = SightingQuery()
    query.tag = "chosen"
    let chosen = try JournalTable.write(journal, query, as: .csv, to: { _ in })
    #expect(chosen.rowCount == 1 && chosen.leftOut == ["parents of places": 1])
  }

  /// A tree that was seen elsewhere first has its place from the row that names it.
  @Test(arguments: [true, false])
  func aPlaceMayStandInALaterRow(isSeenAtHome: Bool) throws {
    let journal = try TestJournal().open()
    let (orchard, shop) = (Place(kind: .site, name: "Orchard"), Place(kind: .shop, name: "Shop"))
    var tree = Organism()
    tree.place = orchard.id
    var events = [Event(kind: .visit, start: try LocalTime("2019"))]
    events[0].place = shop.id
    if isSeenAtHome { events.append(Event(kind: .visit, start: try LocalTime("2020"))) }
    var records: [JournalRecord] = [.place(orchard), .place(shop), .organism(tree)]
    for event in events {
      var seen = Occurrence(event: event.id)
      seen.organism = tree.id
      records += [.event(event), .occurrence(seen)]
    }
    try journal.save(records)
    let (text, report) = try TestTable.text(of: journal)
    #expect(
      report.leftOut
        == (isSeenAtHome ? [:] : ["places of individuals": 1, "places without occurrences": 1]))
    for stepCount in [1, 20_000] {
      let home = try TestJournal()
      let other = try home.open()
      let (rows, summary) = try TestTable.import(text, into: other, stepCount: stepCount)
      #expect(rows.allSatisfy { $0.outcome == .new }, "\(rows)")
      #expect(try other.check() == [])
      guard isSeenAtHome else { continue }
      #expect(try TestTable.records(of: other) == TestTable.records(of: journal))
      #expect(try TestTable.import(text, into: other).summary.batch == nil)
      #expect(try other.undo().undone == summary.batch)
      #expect(try other.liveRecords().isEmpty && other.check() == [])
    }
  }

  @Test func textsOfACellComeApartAgain() {
    let letters = Array("a| \u{301}/\u{1F333}")
    for seed in 0..<2000 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let texts = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        String(
          (0..<Int.random(in: 1...5, using: &generator)).map { _ in
            letters.randomElement(using: &generator) ?? "a"
          })
      }
      var count = 0
      let cell = CellText.joined(texts, &count)
      let parts = CellText.split(cell)
      #expect(parts.count == texts.count, "\(seed): \(texts)")
      let changed = zip(parts, texts).filter { Array($0.utf8) != Array($1.utf8) }
      #expect(changed.count == count, "\(seed): \(texts)")
      #expect(
        zip(parts, texts).allSatisfy { part, text in
          part.utf8.elementsEqual(text.utf8) || text.contains("|")
        }, "\(seed): \(texts)")
    }
  }

  // MARK: - Mappings

  @Test(arguments: [
    ("DBH=dbh_mm", "DBH=dbh_mm:in"), ("DBH=dbh", "DBH=dbh_mm:cm"), ("alt=elevation", ":m"),
    ("DBH=dbh_mm:kg", "one of"), ("x=nothing", "no field"), ("x", "COLUMN=FIELD"),
    ("x=name:cm", "no unit"), ("=country", "=FIELD=VALUE"), ("=dates=mdx", "dmy"),
    ("=dbh_mm=3", "not that of all rows"),
  ])
  func aMappingThatIsNoneIsRefused(text: String, remedy: String) throws {
    do {
      _ = try TableMapping([text])
      Issue.record("read")
    } catch {
      #expect(error.description.contains(remedy), "\(error)")
    }
  }

  @Test func aMappingIsThatOfItsTable() throws {
    for (map, remedy) in [
      (["x=name"], "no such column"), (["b=name"], "several columns"), ([], "--propose"),
      (["a=name", "c=name"], "says that already"),
    ] {
      #expect {
        _ = try TestTable.reader("a,b,b,c\n1,2,3,4\n", map)
      } throws: { error in
        "\(error)".contains(remedy)
      }
    }
    let long = String(repeating: "a,", count: 1 << 19) + "b"
    for (text, remedy) in [
      ("", "empty"), ("\n \n", "empty"), (long + "\na,b\n1,2\n", "first row is that long"),
    ] {
      #expect {
        _ = try TestTable.reader(text, ["a=name"])
      } throws: { error in
        "\(error)".contains(remedy)
      }
    }
    let reader = try TestTable.reader("a,b,c\n1,2,3\n", ["a=name"])
    #expect(reader.unread == ["b", "c"])
  }

  @Test func aFileOfEntriesIsAMapping() throws {
    let text = "# trees\n\na=name\r\nDBH (cm)=dbh_mm:cm\n=date=2019\n=decimal=comma\n=dates=dmy\n"
    let mapping = try TableMapping(contentsOf: text)
    #expect(mapping.entries.map(\.column) == ["a", "DBH (cm)"])
    #expect(mapping.constants == [.date: "2019"])
    #expect(mapping.hasDecimalComma == true && mapping.dates == .dmy)
  }

  @Test func aProposalLeavesWhatAPersonHasToSay() throws {
    let text = """
      TreeID,Botanic,Lat,Lon,DBH,Height (m),Planted,Park
      1,Quercus robur,42,-76,12,7,3/4/2001,North

      """
    let proposal = try TableProposal.text(
      of: TestTable.stream(Array(text.utf8)), fileName: "trees.csv")
    let lines = proposal.split(separator: "\n").map(String.init)
    for line in [
      "TreeID=id", "Botanic=name", "Lat=latitude", "Lon=longitude", "# DBH=dbh_mm:?",
      "Height (m)=height_cm:m", "Planted=planted", "Park=place", "# =date=?", "=source=trees",
    ] {
      #expect(lines.contains(line), "\(line) in\n\(proposal)")
    }
    #expect(proposal.contains("=dates=?"))
    let unnamed = try TableProposal.text(
      of: TestTable.stream(Array(text.utf8)), fileName: ImportFormat.standardInput)
    #expect(unnamed.contains("\n# =source=?"))
    // What it says is a mapping once that is said.
    _ = try TableMapping(contentsOf: proposal + "DBH=dbh_mm:in\n=date=2019\n")
  }

  // MARK: - Cells

  @Test(arguments: [
    ("2026", "2026", nil as Int?), ("2026-3", "2026-03", nil), ("2026/03/15", "2026-03-15", nil),
    ("20260315", "2026-03-15", nil), ("3/2026", "2026-03", nil), ("15.3.2026", "2026-03-15", nil),
    ("15/3/2026 9:44", "2026-03-15T09:44", nil),
    ("2026-03-15T09:44:30.5Z", "2026-03-15T09:44:30", 0),
    ("2026-03-15 09:44-04:30", "2026-03-15T09:44", -270),
    ("2026-03-15 12:05 AM", "2026-03-15T00:05", nil),
    ("2026-03-15 12:05pm", "2026-03-15T12:05", nil),
  ])
  func datesAreRead(text: String, time: String, offset: Int?) throws {
    let read = try CellText.time(text, .dmy, "date")
    #expect(read.time.text == time && read.offsetMin == offset)
  }

  @Test(arguments: [
    "15.3.26", "2026-13", "2026-02-30", "1/2/2026/4", "today", "2026-03-15 25:00", "2026-03 9:44",
    "2026-03-15 13:00 PM", "", "-", "//", "32/1/2026", "0000",
    "99999999999999999999",
  ])
  func whatIsNoDateIsRefused(text: String) {
    #expect(throws: JournalError.self) { _ = try CellText.time(text, .dmy, "date") }
  }

  @Test func dayAndMonthAreNotGuessed() throws {
    #expect(try CellText.time("3/4/2026", .mdy, "date").time.text == "2026-03-04")
    #expect(try CellText.time("3/4/2026", .dmy, "date").time.text == "2026-04-03")
    for order in [nil, TableMapping.DateOrder.ymd] {
      #expect {
        _ = try CellText.time("30/4/2026", order, "date")
      } throws: { error in
        "\(error)".contains("--dates dmy")
      }
    }
  }

  @Test(arguments: [
    ("1.5", nil as Bool?, "1.5" as String?), ("1,5", nil, "1.5"), ("1,234", nil, nil),
    ("1,234", true, "1.234"), ("1,5", false, nil), ("1.5", true, nil), ("1.234,5", nil, nil),
    ("1,2,3", nil, nil), ("1.2.3", nil, nil), ("\u{2212}7", nil, "-7"),
  ])
  func decimalCommasAreRead(text: String, hasComma: Bool?, number: String?) {
    #expect(CellText.number(text, hasDecimalComma: hasComma) == number)
  }

  /// Where other cells have decimal commas, above or below, a point may part thousands: nobody guesses.
  @Test(arguments: [
    "50,5;10,5;20,5\n50,5;10,5;1.234\n", "50.5;10.5;1.234\n50.5;10.5;20,5\n",
    "50,5;10,5;1.234\n", "50.5;10.512;+1.234\n50.5;10.5;20,5",
  ])
  func aPointBesideDecimalCommasIsAsked(rows: String) throws {
    let lines = rows.split(separator: "\n").enumerated().map { "Acer \($0);\($1)" }
    let text = "name;lat;lon;dbh\n" + lines.joined(separator: "\n") + "\n"
    let map = ["name=name", "lat=latitude", "lon=longitude", "dbh=dbh_mm:cm", "=date=2026"]
    let (found, summary) = try TestTable.import(text, map, into: try TestJournal().open())
    let refused = found.compactMap(\.refusal)
    #expect(refused.count == 1 && summary.rowCount == lines.count, "\(refused)")
    #expect(refused.first?.description.contains("of a point say what it is by --decimal") == true)
    // Who says what it is is believed, and a point of decimals alone is none of thousands.
    for plain in ["1.5", "0.234", "1234"] {
      let text = text.replacing("1.234", with: plain)
      let (rows, _) = try TestTable.import(text, map, into: try TestJournal().open())
      #expect(rows.allSatisfy { $0.refusal == nil }, "\(rows)")
    }
    let commas = map + ["=decimal=comma"]
    let stated = try TestTable.import(text, commas, into: try TestJournal().open()).rows
    #expect(stated.contains { $0.refusal != nil })
  }

  @Test func aCommaOfDegreesPartsNoThousands() throws {
    let journal = try TestJournal().open()
    let (rows, _) = try TestTable.import(
      "lat;lon;when\n42,453;-76,48;2019\n", ["lat=latitude", "lon=longitude", "when=date"],
      into: journal)
    let id = try #require(rows[0].id)
    let seen = try journal.sightings(SightingQuery()).sightings.first { $0.occurrence == id }
    #expect(seen?.position == Position(latitudeE7: 424_530_000, longitudeE7: -764_800_000))
  }

  @Test func aPHIsReadByTheWordForItsColumn() throws {
    for (word, cell) in [("ph", "6.85"), ("ph_x100", "685")] {
      let journal = try TestJournal().open()
      _ = try TestTable.import(
        "acid,when\n\(cell),2026\n", ["acid=\(word)", "when=date"], into: journal)
      let numbers = try journal.liveRecords().compactMap { kept in
        if case .measure(let measure) = kept.record { measure.number } else { nil }
      }
      #expect(numbers == [685])
    }
    let journal = try TestJournal().open()
    try Self.fill(journal)
    let text = try TestTable.text(of: journal).text
    #expect(text.contains("ph_x100") && text.contains("650") && !text.contains("6.5,"))
  }

  /// A table that begins as an export does need not say how its names were matched.
  @Test func namesOfATableWithUUIDsAreLookedUp() throws {
    let journal = try TestJournal().open()
    let ids = [JournalID(), JournalID(), JournalID()]
    let text = """
      occurrence_uuid,name,date\n\(ids[0]),Panthera leo,2026-03-04\n
      """
    _ = try TestTable.import(text, into: journal, looksUpNames: true)
    func taxon(_ id: JournalID) throws -> String? {
      try journal.sightings(SightingQuery()).sightings.first { $0.occurrence == id }?.taxon?.name
    }
    #expect(try taxon(ids[0]) == "Panthera leo")
    var options = ImportOptions()
    options.updates = true
    let again = try TestTable.import(text, into: journal, options, looksUpNames: true)
    #expect(again.summary.batch == nil && again.rows.map(\.outcome) == [.same])
    // What an export says of a name holds.
    let matched = """
      occurrence_uuid,name,match,date\n\(ids[1]),Panthera leo,none,2026-04-04\n\(ids[2]),Panthera leo,,2026-05-04\n
      """
    _ = try TestTable.import(matched, into: journal, looksUpNames: true)
    #expect(try taxon(ids[1]) == nil && taxon(ids[2]) == "Panthera leo")
  }
}
