import TestSupport
import Testing

@testable import STOLJournal

/// What several rows of a file say of one thing.
@Suite("Rows of one file that meet")
struct RepeatedRowTests {
  private static let sites = """
    tree,species,date,site
    T1,Quercus robur,2020-05-01,
    T1,Quercus robur,2021-05-01,North Wood
    T9,Acer rubrum,2021-05-01,North Wood

    """
  private static let map = [
    "tree=organism", "species=name", "date=date", "site=place", "=source=city",
    "=organism_tags=old | tall",
  ]

  /// A tree that is put into collections, and has its place from its second row.
  @Test(arguments: [1, 20_000])
  func aPlaceThatComesLaterLeavesTagsAndCollections(stepCount: Int) throws {
    let home = try TestJournal()
    let journal = try home.open()
    var options = ImportOptions()
    options.collection = JournalCollection(name: "Orchard")
    let (rows, summary) = try TestTable.import(
      Self.sites, Self.map, into: journal, options, stepCount: stepCount)
    #expect(rows.map(\.outcome) == [.new, .new, .new])
    let trees = try journal.liveRecords().compactMap { kept -> Organism? in
      if case .organism(let tree) = kept.record { tree } else { nil }
    }
    #expect(trees.count == 2 && trees.allSatisfy { $0.place == trees[0].place && $0.place != nil })
    #expect(trees.allSatisfy { $0.tags == ["old", "tall"] && $0.collections.count == 1 })
    #expect(try journal.check() == [])
    let before = try home.dump()
    let again = try TestTable.import(
      Self.sites, Self.map, into: journal, options, stepCount: stepCount)
    #expect(again.rows.map(\.outcome) == [.same, .same, .same])
    #expect(try home.dump() == before)
    #expect(try journal.undo().undone == summary.batch)
    #expect(try journal.liveRecords().isEmpty && journal.check() == [])
  }

  /// What else a row says otherwise that has a place for a tree is told.
  @Test func aPlaceThatComesLaterHidesNoDifference() throws {
    let journal = try TestJournal().open()
    let text = """
      tree,planted,date,site
      T1,1990,2020,
      T1,1995,2021,North Wood

      """
    let (rows, _) = try TestTable.import(
      text, ["tree=organism", "planted=planted", "date=date", "site=place"], into: journal)
    #expect(rows.map(\.outcome) == [.new, .differs])
    #expect(rows[1].flags.map(\.column) == ["organism.planted"])
    #expect(rows[1].flags.map(\.value) == ["1995"])
    #expect(rows[1].flags[0].reason.contains("'1990', which stays: what was said first holds"))
    #expect(
      try journal.liveRecords().contains {
        if case .organism(let tree) = $0.record { tree.place != nil } else { false }
      })
  }

  /// A journal of trees that are seen here and there, each at least once at home, exported.
  private static func export(seed: UInt64) throws -> [String] {
    var random = RandomRecords(seed: seed)
    let journal = try TestJournal().open()
    let collections = (0..<3).map { JournalCollection(name: "Collection \($0)") }
    let places = (0..<3).map { Place(kind: .site, name: "Place \($0)") }
    var records = collections.map { JournalRecord.collection($0) }
    for var place in places {
      place.tags = random.tags()
      place.states = random.chance(50) ? [.planned, .wishlist] : []
      place.collections = Set(collections.map(\.id).filter { _ in random.chance(40) })
      records.append(.place(place))
    }
    for number in 0..<4 {
      var tree = Organism()
      tree.name = "Tree \(number)"
      tree.place = random.chance(80) ? random.one(of: places, or: places[0]).id : nil
      tree.tags = random.tags()
      tree.status = random.word(or: .unknown)
      tree.planted = try random.maybeTime()
      tree.collections = Set(collections.map(\.id).filter { _ in random.chance(40) })
      records.append(.organism(tree))
      for visit in 0..<random.number(1...4) {
        var event = Event(kind: .visit, start: try random.time())
        // A place that no row names is in no table.
        event.place = visit == 0 ? tree.place : random.chance(50) ? places[0].id : nil
        event.tags = random.tags()
        var seen = Occurrence(event: event.id)
        seen.organism = tree.id
        seen.tags = random.tags()
        records += [.event(event), .occurrence(seen)]
      }
    }
    try journal.save(records)
    return try TestTable.text(of: journal).text.split(separator: "\n").map(String.init)
  }

  /// Rows in any order make the same records as rows of which the first has all facts.
  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func theOrderOfRowsIsOfNoAccount(seed: UInt64) throws {
    let rows = try Self.export(seed: seed)
    var random = RandomRecords(seed: seed)
    let first = try TestJournal().open()
    // Whether the row says where its tree belongs.
    let header = rows[0].split(separator: ",", omittingEmptySubsequences: false)
    let column = try #require(header.firstIndex(of: "organism_place_uuid"))
    func isComplete(_ row: String) -> Bool {
      !row.split(separator: ",", omittingEmptySubsequences: false)[column].isEmpty
    }
    let body = rows.dropFirst()
    let sorted = body.filter(isComplete) + body.filter { !isComplete($0) }
    _ = try TestTable.import(([rows[0]] + sorted).joined(separator: "\n"), into: first)
    let wanted = try TestTable.records(of: first)
    #expect(try first.check() == [])
    for stepCount in [1, 3, 20_000] {
      let journal = try TestJournal().open()
      let shuffled = body.shuffled(using: &random.generator)
      let text = ([rows[0]] + shuffled).joined(separator: "\n")
      let (found, summary) = try TestTable.import(text, into: journal, stepCount: stepCount)
      let odd = found.filter { $0.outcome != .new && $0.outcome != .flagged }
      #expect(odd.isEmpty, "\(odd)")
      #expect(try TestTable.records(of: journal) == wanted)
      #expect(try journal.check() == [])
      #expect(try TestTable.import(text, into: journal).summary.batch == nil)
      #expect(try journal.undo().undone == summary.batch)
      #expect(try journal.liveRecords().isEmpty && journal.check() == [])
    }
  }

  // MARK: - One UUID twice

  private static let id = "11111111-1111-4111-8111-000000000001"

  private static func tree(
    _ members: String, createdAt: String = "2020-03-15T09:44:00Z"
  ) -> String {
    "{\"id\":\"\(id)\",\"latitude\":42.45,\"longitude\":-76.48,\"horizontalAccuracy\":4,"
      + "\(members),\"createdAt\":\"\(createdAt)\"}"
  }

  private static func trees(_ rows: [String]) throws -> TreeTrackerReader {
    try TreeTrackerReader(ByteChunks(Array("[\(rows.joined(separator: ",\n"))]".utf8)), .export)
  }

  private static func `import`(
    _ reader: any ImportReader, into journal: JournalFile, updates: Bool = false
  ) throws -> [ImportedRow] {
    var rows: [ImportedRow] = []
    var options = ImportOptions()
    options.updates = updates
    _ = try journal.importing(reader, options) { rows.append($0) }
    return rows
  }

  private static let first = tree(
    "\"species\":\"Malus domestica\",\"variety\":\"Honeycrisp\",\"notes\":\"by the gate\"")
  /// Rows of the same UUID, with the columns that differ and what stands there.
  private static let others: [(row: String, columns: [String], values: [String])] = [
    (first, [], []),
    (tree("\"species\":\"Malus domestica\""), [], []),
    (
      tree("\"species\":\"Pyrus communis\""), ["identification.verbatimName"],
      ["Pyrus communis"]
    ),
    (
      tree("\"species\":\"Malus domestica\",\"variety\":\"Fuji\",\"rootstock\":\"M9\""),
      ["identification.cultivar", "identification.rootstock"], ["Fuji", "M9"]
    ),
    (
      tree("\"species\":\"Malus domestica\",\"notes\":\"by the pond | dead\""),
      ["note.text", "note"], ["by the pond", "dead"]
    ),
    (
      tree("\"species\":\"\",\"collection\":\"Old\"", createdAt: "2020-03-16T09:44:00Z"),
      ["organism.collections", "event.start", "collection"], ["Old", "2020-03-16T09:44:00", "Old"]
    ),
  ]

  /// Whether a tree comes again in the same file or in a second one, the first holds, and all else is told.
  @Test(arguments: others.indices, [false, true])
  func whatASeedSaidFirstHolds(index: Int, updates: Bool) throws {
    let (row, columns, values) = Self.others[index]
    let home = try TestJournal()
    let journal = try home.open()
    let rows = try Self.import(
      try Self.trees([Self.first, row]), into: journal, updates: updates)
    #expect(rows.map(\.outcome) == [.new, columns.isEmpty ? .same : .differs])
    #expect(Set(rows[1].flags.map(\.column)) == Set(columns))
    #expect(Set(rows[1].flags.map(\.value)) == Set(values))
    #expect(rows[1].flags.allSatisfy { $0.reason.contains("what was said first holds") })
    let alone = try TestJournal().open()
    _ = try Self.import(try Self.trees([Self.first]), into: alone)
    #expect(try journal.liveRecords().map(\.record) == alone.liveRecords().map(\.record))
    #expect(try journal.check() == [])
    // As from a second file.
    let before = try home.dump()
    let second = try Self.import(try Self.trees([row]), into: journal)
    #expect(second[0].outcome == (columns.isEmpty ? .same : .differs))
    #expect(Set(second[0].flags.map(\.column)).isSuperset(of: columns))
    #expect(try home.dump() == before)
  }

  /// Of two rows that may change what was there the first one does.
  @Test func anUpdateIsMadeByTheFirstRow() throws {
    let journal = try TestJournal().open()
    _ = try Self.import(try Self.trees([Self.first]), into: journal)
    let rows = try Self.import(
      try Self.trees([
        Self.tree("\"species\":\"Pyrus communis\""), Self.tree("\"species\":\"Prunus avium\""),
      ]), into: journal, updates: true)
    #expect(rows.map(\.outcome) == [.new, .differs])
    #expect(rows[1].flags.map(\.value) == ["Prunus avium"])
    let names = try journal.liveRecords().compactMap { kept -> String? in
      if case .identification(let name) = kept.record { name.verbatimName } else { nil }
    }
    #expect(names == ["Malus domestica", "Pyrus communis"])
  }

  /// What lies in a member is told by itself, and persons by their names.
  @Test func aDiveDiffersByItsMembers() throws {
    let text = """
      {"dives":[
       {"id":"d","date":"2020-03-15","max_depth":20,"avg_depth":10,"instructor_name":"Mei"},
       {"id":"d","date":"2020-03-15","max_depth":22,"avg_depth":10,"instructor_name":"Ada"}]}
      """
    let journal = try TestJournal().open()
    let rows = try Self.import(try UmiLogReader(ByteChunks(Array(text.utf8))), into: journal)
    #expect(rows.map(\.outcome) == [.new, .differs])
    #expect(rows[1].flags.map(\.column) == ["event.dive.maxDepthMm", "event.persons"])
    #expect(rows[1].flags.map(\.value) == ["22000", "person Ada role instructor"])
    #expect(rows[1].flags[1].reason.contains("'person Mei role instructor', which stays"))
  }

  @Test func aSightingOfUmiLogIsThatOfItsFirstRow() throws {
    let text = """
      {"dives":[{"id":"d","date":"2020-03-15"}],
       "species":[{"id":"1","scientific_name":"Chelonia mydas"},
         {"id":"2","scientific_name":"Manta birostris"}],
       "sightings":[{"id":"s","dive_id":"d","species_id":"1","count":2},
         {"id":"s","dive_id":"d","species_id":"2","count":3}]}
      """
    let journal = try TestJournal().open()
    let rows = try Self.import(try UmiLogReader(ByteChunks(Array(text.utf8))), into: journal)
    #expect(rows.map(\.outcome) == [.new, .new, .differs])
    #expect(
      rows[2].flags.map(\.column) == ["occurrence.count", "identification.verbatimName"])
    #expect(rows[2].flags.map(\.value) == ["3", "Manta birostris"])
  }

  /// Another program made these UUIDs, as Format/JOURNAL.md says how.
  @Test func uuidsOfRowsAreThoseOfTheSpecification() throws {
    let journal = try TestJournal().open()
    let text = "name,date,tag\n lion ,2026,NA\nlion,2026,\\N\nlion,2026,\n"
    _ = try TestTable.import(text, ["name=name", "date=date"], into: journal)
    _ = try TestTable.import(
      "id,name,date\n7,wolf,2026\n", ["id=id", "name=name", "date=date", "=source=Łódź"],
      into: journal)
    let occurrences = try journal.liveRecords().filter { $0.record.kind == .occurrence }
    #expect(
      occurrences.map { "\($0.record.id)" } == [
        "a2fb003c-fae2-86d6-a4c1-5e8db098ee96", "58d4e457-4136-82af-89b8-859f62756789",
        "3fdf5566-9f7d-812a-b2bb-fc21c2f5922d", "f8cf7e51-8fc0-8df3-bce3-83dc33799eea",
      ])
  }
}
