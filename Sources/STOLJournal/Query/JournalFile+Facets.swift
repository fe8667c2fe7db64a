import GRDB
public import STOLData
package import STOLPack

/// A value that sightings have, and how many of them have it.
public struct FacetCount<Value: Equatable & Sendable>: Equatable, Sendable {
  /// The value.
  public let value: Value
  /// How many sightings have it.
  public let count: Int
}

/// A taxon that sightings have.
public struct FacetTaxon: Equatable, Sendable {
  /// What it was called; of several references that lead to one taxon of the pack, the one that was added first.
  public let reference: TaxonReference
  /// The id of that taxon, as its source writes it; nil where the reference leads to none.
  public let currentID: String?
  /// What that taxon is called in the pack.
  public let currentName: String?

  init(_ resolved: ResolvedReference) {
    reference = resolved.reference
    (currentID, currentName) = (resolved.currentID, resolved.currentName)
  }

  /// What it is called now, or where the pack has it not, what it was called.
  public var name: String { currentName ?? reference.name }
}

/// The values that the sightings of a query have, each with how many have it.
///
/// Where a query limits one of them, that one is counted as if it did not, so that others can be chosen.
public struct SightingFacets: Equatable, Sendable {
  /// The taxa, the most frequent first.
  public var taxa: [FacetCount<FacetTaxon>] = []
  /// How many taxa there are.
  public var taxonCount = 0
  /// The years, the last one first.
  public var years: [FacetCount<Int>] = []
  /// The months, from 1.
  public var months: [FacetCount<Int>] = []
  /// The kinds of events, by name.
  public var kinds: [FacetCount<Event.Kind>] = []
  /// The tags of occurrences, their organisms and their events, by name.
  public var tags: [FacetCount<String>] = []
  /// Whether all counts are of what fits, and not also of what lies beyond an edge of the bounds.
  public var isExact = true
}

extension JournalFile {
  /// The values that the present sightings of a query have.
  ///
  /// Where nothing but bounds limits a query that has many, the counts are taken from tallies of the parts of the
  /// globe that the edges of the bounds touch, unless these have more than twice as many; the answer says so.
  ///
  /// - Parameters:
  ///   - query: its page and its limit do not count.
  ///   - pack: what says which references are one taxon.
  ///   - taxonLimit: the most taxa that are given.
  /// - Returns: the values.
  /// - Throws: `JournalError`, `StoreError`
  /// - Complexity: O(number that fit), or where they are many and nothing but bounds limits them
  ///   O(number of tallies)
  package func facets(
    of query: SightingQuery, in pack: Pack, taxonLimit: Int = 20
  ) throws -> SightingFacets {
    var query = query
    query.after = nil
    query.includesAbsent = false
    return try read { database in
      var facets = SightingFacets()
      func counts(_ query: SightingQuery, isExact: Bool) throws -> FacetCounts {
        if query.isPlain, let cover = try Self.talliedCover(query.bounds, database) {
          let holdsMore = query.bounds != nil && !cover.isExact
          if !holdsMore || !isExact {
            facets.isExact = !holdsMore
            return try FacetCounts(cover, database)
          }
        }
        return try FacetCounts(try self.source(query, database), database)
      }
      var counted = try counts(query, isExact: false)
      // What a query limits is counted as if it did not.
      func without(_ change: (inout SightingQuery) -> Void) throws -> FacetCounts {
        var other = query
        change(&other)
        return try counts(other, isExact: true)
      }
      if query.taxa != nil { counted.taxa = try without { $0.taxa = nil }.taxa }
      if !query.years.isEmpty { counted.years = try without { $0.years = [] }.years }
      if !query.months.isEmpty { counted.months = try without { $0.months = [] }.months }
      if !query.kinds.isEmpty { counted.kinds = try without { $0.kinds = [] }.kinds }
      var untagged = query
      untagged.tag = nil
      facets.tags = try tags(of: untagged, database)
      let taxa = try taxa(counted.taxa, in: pack, database)
      facets.taxonCount = taxa.count
      facets.taxa = Array(taxa.prefix(max(0, taxonLimit)))
      facets.years = counted.years.sorted { $0.key > $1.key }
        .map { FacetCount(value: $0.key, count: $0.value) }
      facets.months = counted.months.sorted { $0.key < $1.key }
        .map { FacetCount(value: $0.key, count: $0.value) }
      facets.kinds = try counted.kinds.sorted { $0.key < $1.key }
        .map { FacetCount(value: try Event.Kind(word: $0.key, field: "kind"), count: $0.value) }
      return facets
    }
  }

  /// The taxa that references lead to, the most frequent first, and of those that are as frequent those that were added
  /// first.
  private func taxa(
    _ counts: [Int64: Int], in pack: Pack, _ database: Database
  ) throws -> [FacetCount<FacetTaxon>] {
    let ids = counts.keys.sorted()
    let known = try resolve(ids, in: pack, database)
    var taxa: [(resolved: ResolvedReference, count: Int)] = []
    var indices: [TaxonOrdinal: Int] = [:]
    for id in ids {
      guard let resolved = known[id], let count = counts[id] else {
        throw RecordReader.broken("a sighting of no reference")
      }
      if let index = resolved.taxon.flatMap({ indices[$0] }) {
        // A damaged file may say any number.
        taxa[index].count &+= count
      } else {
        if let taxon = resolved.taxon { indices[taxon] = taxa.count }
        taxa.append((resolved, count))
      }
    }
    let order = taxa.indices.sorted { (taxa[$1].count, $0) < (taxa[$0].count, $1) }
    return order.map { FacetCount(value: FacetTaxon(taxa[$0].resolved), count: taxa[$0].count) }
  }

  private func tags(
    of query: SightingQuery, _ database: Database
  ) throws -> [FacetCount<String>] {
    // Records with tags are few: what fits is looked for among them.
    var parts = try self.parts(query, database, withBounds: false)
    parts.add(query.bounds, latitude: "s.latitude_e7", longitude: "s.longitude_e7")
    // Tags of organisms and events are fewer still, and count where the occurrence has not the same one.
    let isOther = "NOT EXISTS (SELECT 1 FROM tagging x WHERE x.record_id = o.id AND x.tag = t.tag)"
    return try Row.fetchAll(
      database,
      sql: """
        WITH other(tag, id) AS MATERIALIZED (
          SELECT t.tag COLLATE NOCASE, o.id
          FROM tagging t CROSS JOIN occurrence o ON o.organism_id = t.record_id WHERE \(isOther)
          UNION
          SELECT t.tag COLLATE NOCASE, o.id
          FROM tagging t CROSS JOIN occurrence o ON o.event_id = t.record_id WHERE \(isOther))
        SELECT min(name) AS tag, sum(number) AS n FROM (
          SELECT min(t.tag) AS name, count(*) AS number
          FROM tagging t CROSS JOIN sighting s ON s.occurrence_id = t.record_id\(parts.sql)
          GROUP BY t.tag
          UNION ALL
          SELECT min(t.tag), count(*)
          FROM other t CROSS JOIN sighting s ON s.occurrence_id = t.id\(parts.sql)
          GROUP BY t.tag COLLATE NOCASE)
        GROUP BY name COLLATE NOCASE ORDER BY name COLLATE NOCASE
        """, arguments: parts.arguments + parts.arguments
    ).map { FacetCount(value: try $0.value("tag"), count: try $0.value("n")) }
  }

  /// The cells whose tallies answer for a part of the globe; nil where it is better to look at each sighting.
  private static func talliedCover(_ bounds: Bounds?, _ database: Database) throws -> MapCover? {
    guard let bounds else { return MapCover(try globe(), level: 0) }
    func count(_ cover: MapCover) throws -> Int {
      let (condition, values) = cover.condition
      return try Int.fetchOne(
        database, sql: "SELECT ifnull(sum(sighting_count), 0) FROM cell WHERE \(condition)",
        arguments: StatementArguments(values)) ?? 0
    }
    let covers = MapCell.talliedLevels.map { MapCover(bounds, level: $0) }
    guard let finest = covers.last(where: { $0.cellCount <= 4096 }) else { return nil }
    let number = try count(finest)
    guard number > liveCount else { return nil }
    let tallied = covers.filter { MapCell.facetLevels.contains($0.level) && $0.cellCount <= 4096 }
    return try tallied.last { try count($0) <= 2 * number }
  }
}

/// How many sightings have each value.
private struct FacetCounts {
  var taxa: [Int64: Int] = [:]
  var years: [Int: Int] = [:]
  var months: [Int: Int] = [:]
  var kinds: [String: Int] = [:]

  /// Counts one by one.
  init(_ source: SightingSource, _ database: Database) throws {
    // By the index of taxa each sighting would be read for itself: it is to be found, and not put in order.
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT s.taxon_ref_id, s.year, s.month, s.kind, count(*)\(source.sql)
        GROUP BY +s.taxon_ref_id, 2, 3, 4
        """, arguments: source.arguments)
    while let row = try rows.next() {
      let count: Int = row[4]
      if let taxon = row[0] as Int64? { taxa[taxon, default: 0] += count }
      years[row[1], default: 0] += count
      if let month = row[2] as Int? { months[month, default: 0] += count }
      kinds[row[3], default: 0] += count
    }
  }

  /// Takes the counts of some cells.
  init(_ cover: MapCover, _ database: Database) throws {
    let (condition, values) = cover.condition
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT facet, value, sum(sighting_count) AS n FROM facet_tally WHERE \(condition)
        GROUP BY facet, value
        """, arguments: StatementArguments(values))
    for row in rows {
      let (facet, value) = (try row.value("facet") as String, try row.value("value") as String)
      let count = try row.value("n") as Int
      switch (facet, Int64(value)) {
      case ("taxon", let taxon?): taxa[taxon] = count
      case ("year", let year?): years[Int(year)] = count
      case ("month", let month?): months[Int(month)] = count
      case ("kind", nil): kinds[value] = count
      default: throw RecordReader.broken("a tally of \(facet) \(value)")
      }
    }
  }
}
