import GRDB
import GRDBSQLite
import STOLPack
import STOLSystem
import TestSupport
import Testing

@testable import STOLJournal

/// What questions cost, in steps of SQLite's virtual machine.
@Suite("What the journal reads")
struct StepTests {
  private final class Counter: Sendable {
    let hundreds = Locked(0)
  }

  /// The steps that `body` takes in a journal, in hundreds.
  private func steps(_ journal: JournalFile, _ body: () throws -> Void) throws -> Int {
    let counter = Counter()
    try journal.read { database in
      // SAFETY: the handler gets the counter unretained, and is gone before the counter goes.
      unsafe sqlite3_progress_handler(
        database.sqliteConnection, 100,
        { context in
          guard let context = unsafe context else { return 1 }
          let counter = unsafe Unmanaged<Counter>.fromOpaque(context).takeUnretainedValue()
          counter.hundreds.withLock { $0 += 1 }
          return 0
        }, Unmanaged.passUnretained(counter).toOpaque())
    }
    let result = Result { try body() }
    // SAFETY: no handler.
    try journal.read { unsafe sqlite3_progress_handler($0.sqliteConnection, 0, nil, nil) }
    try result.get()
    return counter.hundreds.withLock { $0 }
  }

  /// One moment, 100,000 sightings: a fifth within two degrees, and of that a fifth of one taxon.
  private func fill(_ home: TestJournal) throws {
    try home.inside { database in
      try database.inTransaction {
        try database.execute(sql: Self.rows)
        return .commit
      }
    }
  }

  private static let rows = """
    CREATE TEMP TABLE number AS WITH RECURSIVE number(n) AS (
      SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 100000) SELECT n FROM number;
    INSERT INTO record VALUES (1, zeroblob(16), 'event', 0, 0, NULL, NULL);
    INSERT INTO event (id, kind, status, local_start, start_ms, end_ms, is_complete_list, privacy)
      VALUES (1, 'visit', 'saved', '1970', 0, 31535999999, 0, 'open');
    INSERT INTO record SELECT n + 1, CAST(printf('%016d', n) AS BLOB), 'occurrence', 0, 0, NULL, NULL
      FROM number;
    INSERT INTO occurrence (id, event_id, latitude_e7, longitude_e7, presence, privacy)
      SELECT n + 1, 1, n * 1000, 0, 'present', 'open' FROM number;
    INSERT INTO taxon_ref SELECT n, '', n, 'A', '', 0, '', '' FROM number WHERE n <= 3;
    INSERT INTO record SELECT n + 100001, CAST(printf('%016d', n + 1000000) AS BLOB),
      'identification', 0, 0, NULL, NULL FROM number;
    INSERT INTO identification (id, occurrence_id, verbatim_name, taxon_ref_id, match)
      SELECT n + 100001, n + 1, 'a', 1 + (n > 4000) + (n > 20000), 'exact' FROM number;
    """

  /// Five times as many sightings take five times as many steps, and not the square of that.
  @Test func aListTakesStepsForEachSightingOnce() throws {
    let home = try TestJournal()
    let journal = try home.open()
    try fill(home)
    try journal.rebuild()
    func query(_ change: (inout SightingQuery) -> Void) -> SightingQuery {
      var query = SightingQuery()
      query.limit = .max
      change(&query)
      return query
    }
    func bounds(to northE7: Int) throws -> SightingQuery {
      let bounds = try Bounds(southE7: 0, westE7: -1, northE7: northE7, eastE7: 1)
      return query { $0.bounds = bounds }
    }
    let (one, two) = (TaxonRefID(rawValue: 1), TaxonRefID(rawValue: 2))
    for (few, all, count) in [
      (try bounds(to: 20_000_000), try bounds(to: 100_000_000), 20_000),
      (query { $0.taxa = [one] }, query { $0.taxa = [one, two] }, 4_000),
    ] {
      func cost(_ query: SightingQuery, _ expected: Int) throws -> Int {
        var given = 0
        let steps = try steps(journal) { _ = try journal.eachSighting(query) { _ in given += 1 } }
        #expect(given == expected && steps > expected / 100)
        return steps
      }
      let (part, whole) = (try cost(few, count), try cost(all, 5 * count))
      #expect(whole < 6 * part, "\(part) and \(whole) hundred steps")
    }
  }

  /// What tallies say takes the same few steps, however many sightings there are.
  @Test func lifeListsAndFiguresReadNoSightings() throws {
    let folder = try TemporaryFolder()
    let pack = try Pack(path: try Taxonomy.compile(Taxonomy.cats, in: folder))
    let home = try TestJournal()
    let journal = try home.open()
    try fill(home)
    try journal.rebuild()
    var list: [LifeEntry] = []
    let life = try steps(journal) { list = try journal.lifeList(SightingQuery(), in: pack) }
    #expect(list.map(\.sightingCount).sorted() == [4_000, 16_000, 80_000])
    var count = 0
    let figures = try steps(journal) { count = try journal.keyFigures().sightingCount }
    #expect(count == 100_000)
    #expect(life < 10 && figures < 10, "\(life) and \(figures) hundred steps")
  }

  /// Of 20,000 places within bounds the first ones by name are found without looking at all of them.
  @Test func theFirstPlacesOfManyAreFoundSoon() throws {
    let home = try TestJournal()
    let journal = try home.open()
    try home.inside {
      try $0.execute(
        sql: """
          CREATE TEMP TABLE number AS WITH RECURSIVE number(n) AS (
            SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 20000) SELECT n FROM number;
          INSERT INTO record SELECT n, CAST(printf('%016d', n) AS BLOB), 'place', 0, 0,
            CASE n % 10 WHEN 0 THEN 1 END, NULL FROM number;
          INSERT INTO place (id, kind, name, latitude_e7, longitude_e7, privacy)
            SELECT n, 'spot', printf('%05d', n * 7919 % 20000 / 2), n, n, 'open' FROM number
          """)
    }
    try journal.rebuild()
    func places(_ limit: Int) throws -> (names: [String], steps: Int) {
      var query = PlaceQuery()
      query.bounds = try Bounds(southE7: 1, westE7: 1, northE7: 20_000, eastE7: 20_000)
      query.limit = limit
      var names: [String] = []
      let steps = try steps(journal) { names = try journal.places(query).places.map(\.name) }
      return (names, steps)
    }
    let (all, few) = (try places(.max), try places(500))
    #expect(all.names.count == 18_000 && few.names == Array(all.names.prefix(500)))
    #expect(all.names == all.names.sorted() && 10 * few.steps < all.steps)
  }

  @Test func aListEndsAtItsLimitAndSaysSo() throws {
    let journal = try TestJournal().open()
    let event = Event(kind: .visit, start: try LocalTime("2026-01-01"))
    let seen = (0..<3).map { _ in Occurrence(event: event.id) }
    try journal.save([.event(event)] + seen.map { .occurrence($0) })
    var query = SightingQuery()
    for (limit, isCut) in [(2, true), (3, false), (Int.max, false)] {
      query.limit = limit
      var given: [JournalID] = []
      #expect(try journal.eachSighting(query) { given.append($0.occurrence) } == isCut)
      #expect(given == Array(seen.map(\.id).reversed().prefix(limit)))
    }
    // Meanwhile the file is free for others.
    var given = 0
    let isCut = try journal.eachSighting(query) { sighting in
      given += 1
      try journal.delete(sighting.occurrence)
    }
    #expect(given == 3 && !isCut)
  }
}
