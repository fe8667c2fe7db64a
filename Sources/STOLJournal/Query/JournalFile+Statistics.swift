import GRDB
import STOLData
package import STOLPack
import STOLSystem

extension JournalFile {
  /// What the sightings that fit amount to; its page and its limit do not count, nor does what was absent.
  ///
  /// - Parameters:
  ///   - query: what counts.
  ///   - pack: what says which references are of one species.
  /// - Returns: the numbers.
  /// - Throws: `JournalError`, `StoreError`
  /// - Complexity: O(number that fit + number of references); of all, once for each state of the journal
  package func statistics(
    of query: SightingQuery = SightingQuery(), in pack: Pack
  ) throws -> JournalStatistics {
    var query = query
    query.after = nil
    query.includesAbsent = false
    let isWhole = query.isPlain && query.bounds == nil
    return try read { database in
      guard isWhole else { return try statistics(of: query, isWhole: false, in: pack, database) }
      return try known(\.statistics, in: pack, database) {
        try statistics(of: query, isWhole: true, in: pack, database)
      }
    }
  }

  private func statistics(
    of query: SightingQuery, isWhole: Bool, in pack: Pack, _ database: Database
  ) throws -> JournalStatistics {
    var tally = StatisticsTally(species: try speciesKeys(in: pack, database))
    let source = try self.source(query, database)
    // As `FacetCounts` does: not by the index of taxa, by which each sighting would be read for itself.
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT s.taxon_ref_id, s.year, s.month, s.kind, min(s.day), count(s.day),
          count(*)\(source.sql) GROUP BY +s.taxon_ref_id, 2, 3, 4
        """, arguments: source.arguments)
    while let row = try rows.next() { try tally.add(row) }
    var statistics = tally.statistics
    try Self.addEvents(to: &statistics, isWhole ? nil : source, database)
    return statistics
  }

  /// Counts the events of what fits, or with nil all that are saved, and what is known of dives among them.
  private static func addEvents(
    to statistics: inout JournalStatistics, _ source: SightingSource?, _ database: Database
  ) throws {
    let events = """
      SELECT e.id, e.kind FROM event e JOIN record r ON r.id = e.id AND r.deleted_ms IS NULL
      WHERE e.status = 'saved'\(source.map { " AND e.id IN (SELECT s.event_id\($0.sql))" } ?? "")
      """
    let arguments = source?.arguments ?? StatementArguments()
    let rows = try Row.fetchAll(
      database, sql: "SELECT kind, count(*) FROM (\(events)) GROUP BY kind", arguments: arguments)
    for row in rows {
      let kind: Event.Kind = try row.word("kind")
      let count: Int = try row.value(at: 1)
      if let place = statistics.occasions.firstIndex(where: { $0.kind == kind }) {
        statistics.occasions[place].eventCount = count
      } else {
        statistics.occasions.append(.init(kind: kind, eventCount: count))
      }
    }
    let order = Event.Kind.allCases
    statistics.occasions.sort {
      (order.firstIndex(of: $0.kind) ?? 0) < (order.firstIndex(of: $1.kind) ?? 0)
    }
    let dives = try Row.fetchOne(
      database,
      sql: """
        SELECT ifnull(sum(d.duration_s), 0), max(d.max_depth_mm)
        FROM (\(events)) e JOIN dive d ON d.event_id = e.id WHERE e.kind = 'dive'
        """, arguments: arguments)
    if let dives {
      statistics.diveSeconds = try dives.value(at: 0)
      statistics.maxDepthMm = try dives.value(at: 1)
    }
  }

  /// What species each reference is of: of references to one species, or to what is within it, the first one stands
  /// for all.
  private func speciesKeys(in pack: Pack, _ database: Database) throws -> [Int64: Int64] {
    let view = pack.view
    let species = view.taxa.ranks.row(of: .species)
    var keys: [Int64: Int64] = [:]
    var firsts: [TaxonOrdinal: Int64] = [:]
    for (reference, resolved) in try resolvedReferences(in: pack, database) {
      let id = reference.rawValue
      guard let taxon = resolved.taxon else {
        if resolved.reference.rank == Self.speciesRank { keys[id] = id }
        continue
      }
      let lineage = [taxon] + view.tree.ancestors(of: taxon)
      guard let found = lineage.first(where: { view.taxa.rank(of: $0) == species }) else {
        continue
      }
      keys[id] = firsts[found, default: id]
      firsts[found] = keys[id]
    }
    return keys
  }
}

/// Adds up rows of references, years, months and kinds of events.
private struct StatisticsTally {
  /// What species each reference is of.
  let species: [Int64: Int64]
  private var all = JournalStatistics()
  private var years: [Int: JournalStatistics.Year] = [:]
  private var speciesOfYears: [Int: Set<Int64>] = [:]
  private var speciesOfMonths: [Int: Set<Int64>] = [:]
  private var occasions: [Event.Kind: JournalStatistics.Occasion] = [:]
  private var speciesOfOccasions: [Event.Kind: Set<Int64>] = [:]
  /// The first day of each species, and the first year.
  private var firsts: [Int64: (day: Int, year: Int)] = [:]

  init(species: [Int64: Int64]) { self.species = species }

  mutating func add(_ row: Row) throws {
    let kind: Event.Kind = try row.word("kind")
    // A damaged file may say any number.
    let year = min(max(try row.value(at: 1) as Int, 1), 9999)
    let month = (try row.value(at: 2) as Int?).flatMap { (1...12).contains($0) ? $0 : nil }
    let count: Int = try row.value(at: 6)
    all.sightingCount += count
    years[year, default: .init(year: year)].sightingCount += count
    if let month { all.months[month - 1].sightingCount += count }
    occasions[kind, default: .init(kind: kind)].sightingCount += count
    guard let key = (try row.value(at: 0) as Int64?).flatMap({ species[$0] }) else {
      all.otherSightingCount += count
      return
    }
    speciesOfYears[year, default: []].insert(key)
    if let month { speciesOfMonths[month, default: []].insert(key) }
    speciesOfOccasions[kind, default: []].insert(key)
    var day = CivilDate(year: year, month: month ?? 1, day: 1).days
    if let first = try row.value(at: 4) as Int?, try row.value(at: 5) as Int == count {
      day = first
    }
    if let known = firsts[key], (known.day, known.year) <= (day, year) { return }
    firsts[key] = (day, year)
  }

  var statistics: JournalStatistics {
    var all = all
    all.speciesCount = firsts.count
    for (key, year) in years {
      var year = year
      year.speciesCount = speciesOfYears[key]?.count ?? 0
      year.newSpeciesCount = firsts.values.count { $0.year == key }
      all.years.append(year)
    }
    all.years.sort { $0.year < $1.year }
    for place in all.months.indices {
      all.months[place].speciesCount = speciesOfMonths[place + 1]?.count ?? 0
    }
    for (kind, occasion) in occasions {
      var occasion = occasion
      occasion.speciesCount = speciesOfOccasions[kind]?.count ?? 0
      all.occasions.append(occasion)
    }
    var count = 0
    for (day, new) in Dictionary(grouping: firsts.values, by: \.day).sorted(by: { $0.key < $1.key })
    {
      count += new.count
      all.steps.append(.init(day: day, speciesCount: count))
    }
    return all
  }
}
