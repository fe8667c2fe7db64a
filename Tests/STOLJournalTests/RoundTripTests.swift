import STOLData
import TestSupport
import Testing

@testable import STOLJournal

/// Files that the journal wrote itself, read again into the journal that they are from.
@Suite("Files that come back")
struct RoundTripTests {
  private static let formats: [ExportFormat] = [.treetracker, .umilog, .subsurface, .uddf]

  private static func reader(
    _ text: String, _ format: ExportFormat
  ) throws -> any ImportReader {
    let chunks = ByteChunks(Array(text.utf8))
    return switch format {
    case .treetracker: try TreeTrackerReader(chunks, .export)
    case .umilog: try UmiLogReader(chunks)
    case .subsurface: try SubsurfaceReader(chunks)
    case .uddf: try UDDFReader(chunks)
    case .csv, .tsv: try TestTable.reader(text)
    default: JournalLinesReader(chunks)
    }
  }

  private static func text(of journal: JournalFile, _ format: ExportFormat) throws -> String {
    String(decoding: try journal.exported(format).bytes, as: UTF8.self)
  }

  @discardableResult private static func `import`(
    _ text: String, _ format: ExportFormat, into journal: JournalFile, updates: Bool = false,
    names: ImportNames? = nil
  ) throws -> [ImportedRow] {
    var options = ImportOptions()
    options.updates = updates
    var rows: [ImportedRow] = []
    _ = try journal.importing(reader(text, format), options, names: names) { rows.append($0) }
    return rows
  }

  /// Expects that the journal's own file changes nothing of it.
  private static func expectSame(
    _ journal: JournalFile, _ format: ExportFormat, names: ImportNames? = nil,
    _ what: String = ""
  ) throws {
    let text = try text(of: journal, format)
    let before = try JournalLines.text(of: journal)
    for updates in [false, true] {
      let rows = try Self.import(text, format, into: journal, updates: updates, names: names)
      let others = rows.filter { $0.outcome != .same }
      #expect(others.isEmpty, "\(what) \(format) \(updates): \(others.prefix(3))")
      let after = try JournalLines.text(of: journal)
      #expect(after == before, "\(what) \(format) \(updates)")
    }
  }

  // MARK: - What nobody changed

  @Test(arguments: formats, 1...10)
  func randomJournalsStayAsTheyAre(format: ExportFormat, seed: UInt64) throws {
    var maker = RandomRecords(seed: seed &* 7919)
    let journal = try TestJournal().open()
    var records: [JournalRecord] = []
    while records.count < 250 { if let record = try maker.next() { records.append(record) } }
    try journal.save(records.filter { $0.kind != .photo })
    try Self.expectSame(journal, format, "seed \(seed)")
    #expect(try journal.check() == [])
  }

  @Test(arguments: formats + [.jsonl, .csv, .tsv])
  func theDemoJournalStaysAsItIs(format: ExportFormat) throws {
    let journal = try TestJournal().open()
    let pack = try TestTable.pack.get()
    try journal.save(try DemoJournal.records(in: pack))
    let isOther = Self.formats.contains(format)
    try Self.expectSame(
      journal, format, names: isOther ? ImportNames(in: pack, accept: .exact) : nil)
  }

  /// A dive that says all that one can say.
  private struct Trip {
    var region = Place(kind: .region, name: "Palau")
    var site = Place(kind: .site, name: "Blue Corner")
    var dive: Event
    let ada = Person(name: "Ada")
    let bo = Person(name: "Bo, Jr")
    var turtle: Occurrence
    var name: Identification

    init() throws {
      site.parent = region.id
      site.position = Position(latitudeE7: 70_000_000, longitudeE7: 1_340_000_000, uncertaintyM: 20)
      var kind = DiveSite()
      (kind.kind, kind.difficulty, kind.water) = (.wall, 3, .salt)
      site.diveSite = kind
      dive = Event(kind: .dive, start: try LocalTime("2020-03-15T09:44"))
      dive.end = try LocalTime("2020-03-15T10:36")
      dive.utcOffsetMin = 540
      dive.place = site.id
      dive.remarks = "R"
      dive.tags = ["reef"]
      dive.persons = [
        Participant(person: ada.id, role: .buddy), Participant(person: bo.id, role: .guide),
        Participant(person: ada.id, role: .instructor, number: "7"),
      ]
      var log = Dive()
      (log.number, log.mode, log.durationS, log.bottomS) = (77, .openCircuit, 3120, 3001)
      (log.maxDepthMm, log.meanDepthMm, log.visibilityCm) = (22_000, 12_345, 2500)
      (log.waterMinCk, log.waterMaxCk, log.weightG) = (29_915, 30_115, 4000)
      (log.suit, log.signedMs) = ("5 mm", 1_584_300_000_123)
      var tank = Dive.Tank()
      (tank.volumeMl, tank.startMbar, tank.endMbar) = (12_000, 200_000, 60_000)
      (tank.o2Permille, tank.use) = (320, .bottom)
      log.tanks = [tank, Dive.Tank()]
      dive.dive = log
      turtle = Occurrence(event: dive.id)
      (turtle.count, turtle.countKind) = (2, .least)
      name = Identification(
        occurrence: turtle.id, verbatimName: "Chelonia mydas", taxon: taxon(1, "Chelonia mydas"),
        match: .exact)
      name.qualifier = "cf."
    }

    var records: [JournalRecord] {
      [
        .place(region), .place(site), .event(dive), .person(ada), .person(bo), .occurrence(turtle),
        .identification(name), .note(Note(target: dive.id, text: "own")),
        .note(Note(target: turtle.id, text: "big")),
        .measure(Measure(target: dive.id, type: "x-rating", number: 4)),
        .measure(Measure(target: dive.id, type: "x-rating_of_10", number: 8)),
      ]
    }
  }

  @Test(arguments: formats)
  func whatAFormatHasNoPlaceForStays(format: ExportFormat) throws {
    let journal = try TestJournal().open()
    try journal.save(try Trip().records)
    try Self.expectSame(journal, format)
  }

  /// Dives that have a position and no place have a site in a log of Subsurface.
  @Test func positionsOfDivesBecomeNoPlaces() throws {
    let journal = try TestJournal().open()
    var (dive, other) = (
      Event(kind: .dive, start: try LocalTime("2026-03-15")),
      Event(kind: .dive, start: try LocalTime("2026-03-16"))
    )
    dive.position = Position(latitudeE7: 511_500_000, longitudeE7: -27_000_000, uncertaintyM: 9)
    let region = Place(kind: .region, name: "Sea")
    other.place = region.id
    try journal.save([.event(dive), .event(other), .place(region)])
    try Self.expectSame(journal, .subsurface)
  }

  /// UmiLog counts the visits that it has, which are dives: a file says the same once it was read.
  @Test func aSiteThatWasVisitedWithoutADiveComesBack() throws {
    let journal = try TestJournal().open()
    var visit = Event(kind: .visit, start: try LocalTime("2020-03-15"))
    let site = Place(kind: .site, name: "Blue Corner")
    visit.place = site.id
    try journal.save([.event(visit), .place(site)])
    let text = try Self.text(of: journal, .umilog)
    let other = try TestJournal().open()
    try Self.import(text, .umilog, into: other)
    #expect(try Self.text(of: other, .umilog) == text)
  }

  // MARK: - What somebody changed

  /// Gives what became of the records of a trip whose file somebody changed.
  private static func changed(
    _ format: ExportFormat, _ old: String, to new: String, updates: Bool = true
  ) throws -> (trip: Trip, rows: [ImportedRow], records: [JournalRecord]) {
    let journal = try TestJournal().open()
    let trip = try Trip()
    try journal.save(trip.records)
    let text = try text(of: journal, format)
    #expect(text.contains(old), "\(text)")
    let rows = try Self.import(
      text.replacing(old, with: new), format, into: journal, updates: updates)
    #expect(try journal.check() == [])
    return (trip, rows, try journal.liveRecords().map(\.record))
  }

  @Test(arguments: [
    (ExportFormat.umilog, "\"max_depth\":22", "\"max_depth\":23.5"),
    (.subsurface, "max=\"22 m\"", "max=\"23.5 m\""),
    (.uddf, "<greatestdepth>22</greatestdepth>", "<greatestdepth>23.5</greatestdepth>"),
  ])
  func oneMemberIsChangedAlone(format: ExportFormat, old: String, new: String) throws {
    var (trip, rows, records) = try Self.changed(format, old, to: new)
    trip.dive.dive?.maxDepthMm = 23_500
    #expect(records.contains(.event(trip.dive)), "\(records)")
    #expect(records.count == trip.records.count)
    #expect(rows.count { $0.outcome == .updated } == 1 && rows.count { $0.outcome == .same } > 0)
    let kept = try Self.changed(format, old, to: new, updates: false)
    #expect(kept.records.contains(.event(kept.trip.dive)))
    let flags = kept.rows.flatMap(\.flags)
    #expect(flags.map(\.column) == ["event.dive.maxDepthMm"], "\(flags)")
    #expect(flags.map(\.value) == ["23500"] && kept.rows.count { $0.outcome == .differs } == 1)
  }

  /// Who is added is added; who is there is nobody else, and roles that a format has not stay.
  @Test func personsAreAddedToThoseThatAreThere() throws {
    let (trip, _, records) = try Self.changed(
      .subsurface, "<buddy>Ada</buddy>", to: "<buddy>Ada, Cy</buddy>")
    let persons = records.compactMap { record in
      if case .person(let person) = record { person } else { nil }
    }
    #expect(persons.map(\.name) == ["Ada", "Bo, Jr", "Cy"])
    var dive = trip.dive
    dive.persons.insert(Participant(person: try #require(persons.last).id, role: .buddy))
    #expect(records.contains(.event(dive)))
    let gone = try Self.changed(.subsurface, "<buddy>Ada</buddy>", to: "")
    dive = gone.trip.dive
    dive.persons.remove(Participant(person: gone.trip.ada.id, role: .buddy))
    #expect(gone.records.contains(.event(dive)))
  }

  @Test func aTankKeepsWhatAFormatHasNotOfIt() throws {
    var (trip, _, records) = try Self.changed(
      .umilog, "\"end_pressure\":60", to: "\"end_pressure\":50.5")
    trip.dive.dive?.tanks[0].endMbar = 50_500
    #expect(records.contains(.event(trip.dive)))
  }

  /// Where nothing is changed, nothing is made for it.
  @Test func aRegionOfWhatStaysIsNotMade() throws {
    let (_, rows, records) = try Self.changed(
      .umilog, "\"region\":\"Palau\"", to: "\"region\":\"Yap\"", updates: false)
    #expect(rows.count { $0.outcome == .differs } == 1)
    #expect(records.count { $0.kind == .place } == 2, "\(records)")
    let moved = try Self.changed(.umilog, "\"region\":\"Palau\"", to: "\"region\":\"Yap\"").records
    #expect(moved.count { $0.kind == .place } == 3)
  }

  // MARK: - Trees

  private static func walk() throws -> (Walk, [JournalRecord]) {
    var walk = try Walk()
    walk.tree.position = walk.place.position
    let name = Identification(occurrence: walk.bird.id, verbatimName: "Turdus sp.")
    return (walk, walk.records + [.identification(name)])
  }

  @Test func anotherSpeciesIsOneOfTheVisitThatIsThere() throws {
    let (walk, records) = try Self.walk()
    let journal = try TestJournal().open()
    try journal.save(records)
    try Self.expectSame(journal, .treetracker)
    let text = try Self.text(of: journal, .treetracker)
      .replacing("quercus robur", with: "Quercus petraea")
      .replacing("2026-03-15T10:00:30", with: "2026-03-15T11:00:30")
    let rows = try Self.import(text, .treetracker, into: journal)
    #expect(rows.map(\.outcome) == [.differs, .differs], "\(rows)")
    #expect(try journal.liveRecords().count == records.count)
    try Self.import(text, .treetracker, into: journal, updates: true)
    let after = try journal.liveRecords().map(\.record)
    let names = after.compactMap { record -> Identification? in
      if case .identification(let it) = record, it.occurrence == walk.oak.id { it } else { nil }
    }
    #expect(names.map(\.verbatimName) == ["quercus robur", "Quercus petraea"])
    var bird = walk.bird
    bird.time = try LocalTime("2026-03-15T11:00:30")
    #expect(after.contains(.occurrence(bird)) && after.contains(.event(walk.event)))
    #expect(after.count == records.count + 1)
    #expect(try journal.check() == [])
  }
}
