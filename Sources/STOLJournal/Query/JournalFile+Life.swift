import GRDB
public import STOLData
package import STOLPack
import STOLSystem

/// By what the taxa that were seen are counted.
public enum LifeGroup: String, JournalWord {
  /// By year.
  case year
  /// By month of the year, from 1.
  case month
  /// By the country of the place.
  case country
  /// By the place itself.
  case place
}

/// What was seen in a year, a month, a country or at a place.
public struct LifeCount: Equatable, Sendable {
  /// The year, the month, the two letters of the country, or the UUID of the place; nil for what has none.
  public let value: String?
  /// What the place is called; nil of anything else.
  public let name: String?
  /// How many taxa were seen.
  public let taxonCount: Int
  /// How many of those were seen for the first time ever: of one moment, where it was kept first.
  public let newCount: Int
  /// How many sightings there were.
  public let sightingCount: Int
}

/// A species, and how often it or what is within it was seen.
public struct PopularSpecies: Equatable, Sendable {
  /// The species as the pack calls it.
  public let taxon: TaxonReference
  /// How often.
  public let sightingCount: Int
}

/// How much there was on a day, or in a month.
public struct PeriodCount: Equatable, Sendable {
  /// The first day of it, as `LocalTime` counts them.
  public let firstDay: Int
  /// How many sightings.
  public let sightingCount: Int
}

extension JournalFile {
  /// How many taxa, and how many new ones, were seen in each year, month, country or place.
  ///
  /// References that lead to one taxon of the pack are one; one that leads to none is one of its own.
  ///
  /// - Parameters:
  ///   - query: what counts; what is new, all of the journal says.
  ///   - group: by what.
  ///   - pack: what says which references are one.
  /// - Returns: the groups that have any, those of years and months in order, others by name; last what has none.
  /// - Throws: `JournalError`, `StoreError`
  /// - Complexity: O(number that fit + number of references)
  package func lifeCounts(
    _ query: SightingQuery, by group: LifeGroup, in pack: Pack
  ) throws -> [LifeCount] {
    var query = query
    query.after = nil
    query.includesAbsent = false
    // Of references that lead to one taxon the first one stands for all.
    var keys: [Int64: Int64] = [:]
    var firsts: [TaxonOrdinal: Int64] = [:]
    for (reference, resolved) in try resolvedReferences(in: pack) {
      let id = reference.rawValue
      guard let taxon = resolved.taxon else {
        keys[id] = id
        continue
      }
      keys[id] = firsts[taxon, default: id]
      firsts[taxon] = keys[id]
    }
    let column =
      switch group {
      case .year: "s.year"
      case .month: "s.month"
      case .country, .place: "s.place_id"
      }
    struct Tally {
      var taxa: Set<Int64> = []
      var newCount = 0
      var sightingCount = 0
    }
    return try read { database in
      let places = group == .country ? try Self.countries(database) : [:]
      func text(_ number: Int64?) -> String? {
        group == .country ? number.flatMap { places[$0] } : number.map(String.init)
      }
      var tallies: [String?: Tally] = [:]
      let source = try self.source(query, database)
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT \(column), s.taxon_ref_id, count(*)\(source.sql) GROUP BY 1, 2
          """, arguments: source.arguments)
      while let row = try rows.next() {
        let value = text(row[0])
        tallies[value, default: Tally()].sightingCount += row[2] as Int
        if let taxon = row[1] as Int64? {
          tallies[value, default: Tally()].taxa.insert(keys[taxon] ?? taxon)
        }
      }
      for (first, count) in try Self.firstSightings(keys, source, column, database) {
        tallies[text(first), default: Tally()].newCount += count
      }
      return try tallies.map { value, tally in
        var (shown, name) = (value, nil as String?)
        if group == .place, let id = value.flatMap({ Int64($0) }) {
          let head = try RecordReader(database: database).head(id)
          shown = "\(head.uuid)"
          name = try String.fetchOne(
            database, sql: "SELECT name FROM place WHERE id = ?", arguments: [id])
        }
        return LifeCount(
          value: shown, name: name, taxonCount: tally.taxa.count, newCount: tally.newCount,
          sightingCount: tally.sightingCount)
      }.sorted { Self.order($0, group) < Self.order($1, group) }
    }
  }

  private static func order(_ count: LifeCount, _ group: LifeGroup) -> (Int, String, String) {
    let value = count.value ?? ""
    // What has none comes last.
    let isNumber = group == .year || group == .month
    return (
      count.value == nil ? .max : isNumber ? Int(value) ?? 0 : 0, count.name ?? "", value
    )
  }

  /// The groups in which taxa were seen for the first time, each with how many, where that is among what a
  /// query is about.
  private static func firstSightings(
    _ keys: [Int64: Int64], _ source: SightingSource, _ column: String, _ database: Database
  ) throws -> [(group: Int64?, count: Int)] {
    var earliest: [Int64: (ms: Int64, id: Int64)] = [:]
    let rows = try Row.fetchCursor(
      database, sql: "SELECT taxon_ref_id, first_ms, first_id FROM taxon_tally")
    while let row = try rows.next() {
      let reference: Int64 = try row.value("taxon_ref_id")
      let first = (ms: try row.value("first_ms") as Int64, id: try row.value("first_id") as Int64)
      let key = keys[reference] ?? reference
      if let known = earliest[key], known <= first { continue }
      earliest[key] = first
    }
    let list = earliest.values.map { String($0.id) }.joined(separator: ",")
    var source = source
    source.parts.add("s.occurrence_id IN (SELECT value FROM json_each(?))", ["[\(list)]"])
    return try Row.fetchAll(
      database, sql: "SELECT \(column) AS place, count(*) AS n\(source.sql) GROUP BY 1",
      arguments: source.arguments
    ).map { (try $0.value("place"), try $0.value("n")) }
  }

  /// The country of each place, or where it has none of the nearest that it is part of.
  private static func countries(_ database: Database) throws -> [Int64: String] {
    let rows = try Row.fetchAll(database, sql: "SELECT id, parent_id, country FROM place")
    var known: [Int64: (parent: Int64?, country: String?)] = [:]
    for row in rows {
      known[try row.value("id")] = (try row.value("parent_id"), try row.value("country"))
    }
    return known.compactMapValues { place in
      var (place, depth) = (place, 1)
      while place.country == nil, depth < JournalLimits.nestingCount,
        let parent = place.parent.flatMap({ known[$0] })
      {
        (place, depth) = (parent, depth + 1)
      }
      return place.country
    }
  }

  /// The taxa that were seen for the first time ever within some days, the last one first, and what was seen of them
  /// then; where nobody knows the day, any of its month or year may be it.
  ///
  /// - Complexity: O(number of references)
  package func newTaxa(
    _ days: ClosedRange<Int>, _ query: SightingQuery = SightingQuery(), in pack: Pack
  ) throws -> [LifeEntry] {
    var query = query
    query.days = nil
    let new = try lifeList(query, in: pack).filter { $0.firstTime.mayBe(within: days) }
    let keys = Set(new.map(\.key))
    query.days = days
    return try lifeList(query, in: pack).filter { keys.contains($0.key) }
  }

  /// The species that were seen most often, with all that is within them, the most frequent first.
  ///
  /// What is identified as a genus or the like is no species. A reference that leads to no taxon of the pack is a
  /// species of its own where it was one when it was named, as it is an entry of its own in the life list.
  ///
  /// - Complexity: that of `lifeList`
  package func popularSpecies(
    _ query: SightingQuery, in pack: Pack, limit: Int = 20
  ) throws -> [PopularSpecies] {
    let view = pack.view
    let counts = try speciesCounts(query, in: pack)
    var popular = counts.unknown
    popular += counts.known.compactMap { taxon, count in
      view.reference(to: taxon).map { PopularSpecies(taxon: $0, sightingCount: count) }
    }
    return popular.sorted {
      ($1.sightingCount, $0.taxon.name, $0.taxon.written)
        < ($0.sightingCount, $1.taxon.name, $1.taxon.written)
    }.prefix(max(0, limit)).map { $0 }
  }

  /// How often each species of the pack was seen, and those that lead to no taxon of it.
  private func speciesCounts(
    _ query: SightingQuery, in pack: Pack
  ) throws -> (known: [TaxonOrdinal: Int], unknown: [PopularSpecies]) {
    let view = pack.view
    let species = view.taxa.ranks.row(of: .species)
    var known: [TaxonOrdinal: Int] = [:]
    var unknown: [PopularSpecies] = []
    for tally in try lifeTallies(query, in: pack) {
      guard let taxon = tally.resolved.taxon else {
        let reference = tally.resolved.reference
        if reference.rank == Self.speciesRank {
          unknown.append(PopularSpecies(taxon: reference, sightingCount: tally.count))
        }
        continue
      }
      let lineage = [taxon] + view.tree.ancestors(of: taxon)
      guard let found = lineage.first(where: { view.taxa.rank(of: $0) == species }) else {
        continue
      }
      known[found, default: 0] &+= tally.count
    }
    return (known, unknown)
  }

  static let speciesRank = "species"

  /// How many species were seen.
  package func speciesCount(in pack: Pack) throws -> Int {
    let counts = try speciesCounts(SightingQuery(), in: pack)
    return counts.known.count + counts.unknown.count
  }

  /// How many sightings each month has that has any, in order; what was in a year, and nobody knows when, is in
  /// none.
  ///
  /// - Parameter days: the first and the last day; what was in a month, and nobody knows when, counts where any day of
  ///   it lies within.
  /// - Returns: the months.
  /// - Throws: `StoreError`
  /// - Complexity: O(number of days that have any)
  package func monthlyCounts(_ days: ClosedRange<Int>) throws -> [PeriodCount] {
    try read { database in
      let within = days.clamped(to: LocalTime.dayRange)
      let (first, last) = (
        CivilDate(days: within.lowerBound), CivilDate(days: within.upperBound)
      )
      var counts: [Int: Int] = [:]
      func add(_ year: Int, _ month: Int, _ count: Int) {
        counts[CivilDate(year: year, month: month, day: 1).days, default: 0] += count
      }
      for row in try Row.fetchAll(
        database,
        sql: "SELECT day, sighting_count FROM day_tally WHERE day BETWEEN ? AND ?",
        arguments: [days.lowerBound, days.upperBound])
      {
        let date = CivilDate(days: row[0])
        add(date.year, date.month, row[1])
      }
      for row in try Row.fetchAll(
        database,
        sql: """
          SELECT year, month, count(*) FROM sighting
          WHERE day IS NULL AND year * 12 + month BETWEEN ? AND ? AND is_present
          GROUP BY year, month
          """, arguments: [first.year * 12 + first.month, last.year * 12 + last.month])
      {
        add(row[0], row[1], row[2])
      }
      return counts.sorted { $0.key < $1.key }.map {
        PeriodCount(firstDay: $0.key, sightingCount: $0.value)
      }
    }
  }
}
