import GRDB
import STOLData
package import STOLPack

/// Two records that may be one, entered twice.
public struct DuplicatePair: Equatable, Sendable {
  /// The one that was kept first.
  public let first: JournalID
  /// The other.
  public let second: JournalID
  /// How likely they are one, from 0 to 100; not a probability, only an order.
  public let score: Int
  /// Why, a few words each.
  public let reasons: [String]
}

extension JournalFile {
  /// Pairs of sightings that may be one: on one local day, of one taxon or of one within the other or with the same
  /// words, not of different individuals, and within 10 m or as much as one of their positions is uncertain.
  ///
  /// Nothing changes: `merge` does that, for whoever says so.
  ///
  /// - Parameters:
  ///   - query: the sightings among which they are looked for.
  ///   - pack: what says which taxa are within others.
  ///   - limit: the most pairs that are given.
  /// - Returns: the pairs, the most likely first, then by UUID, and whether there are more.
  /// - Throws: `JournalError`, `StoreError`
  /// - Complexity: O(n log n + number of pairs that lie near each other on one day)
  package func duplicates(
    _ query: SightingQuery = SightingQuery(), in pack: Pack, limit: Int = 1000
  ) throws -> (pairs: [DuplicatePair], isCut: Bool) {
    let limit = min(max(0, limit), Int(Int32.max))
    var query = query
    query.after = nil
    query.includesAbsent = false
    let view = pack.view
    var taxa: [Int64: TaxonOrdinal] = [:]
    for (reference, resolved) in try resolvedReferences(in: pack) {
      taxa[reference.rawValue] = resolved.taxon
    }
    let sightings = try datedSightings(query)
    var pairs: [Pair] = []
    var isCut = false
    var start = 0
    while start < sightings.count {
      let end =
        sightings[start...].firstIndex { $0.day != sightings[start].day } ?? sightings.count
      let day = sightings[start..<end].sorted { $0.position.latitudeE7 < $1.position.latitudeE7 }
      start = end
      let widest = day.reduce(0) { max($0, $1.reachM) }
      for (index, a) in day.enumerated() {
        for b in day[(index + 1)...] {
          // So far to the north nothing is near enough, nor is what follows.
          let north = b.position.latitudeE7 - a.position.latitudeE7
          if Double(north) * Dated.metresPerUnit > Double(widest) { break }
          var related = a.taxon == b.taxon ? Relation.same : .none
          if related == .none, let x = a.taxon.flatMap({ taxa[$0] }),
            let y = b.taxon.flatMap({ taxa[$0] })
          {
            if x == y {
              related = .same
            } else if view.tree.isAncestor(x, of: y) || view.tree.isAncestor(y, of: x) {
              related = .within
            }
          }
          guard let (score, reasons) = a.likeness(to: b, related) else { continue }
          pairs.append((min(a.id, b.id), max(a.id, b.id), score, reasons))
          if pairs.count >= max(Self.pairCount, 2 * limit) {
            (pairs, isCut) = (Array(Self.sorted(pairs).prefix(limit)), true)
          }
        }
      }
    }
    let shown = Self.sorted(pairs).prefix(limit)
    return try read { database in
      let reader = RecordReader(database: database)
      return (
        try shown.map { pair in
          DuplicatePair(
            first: try reader.head(pair.first).uuid, second: try reader.head(pair.second).uuid,
            score: pair.score, reasons: pair.reasons)
        }, isCut || pairs.count > shown.count
      )
    }
  }

  private typealias Pair = (first: Int64, second: Int64, score: Int, reasons: [String])

  /// So many pairs are held at most before those that nobody will see are let go of.
  private static let pairCount = 1_000_000

  private static func sorted(_ pairs: [Pair]) -> [Pair] {
    pairs.sorted { ($1.score, $0.first, $0.second) < ($0.score, $1.first, $1.second) }
  }

  /// The present sightings with a day and a position, day by day.
  private func datedSightings(_ query: SightingQuery) throws -> [Dated] {
    try read { database in
      var source = try self.source(query, database)
      source.parts.add("s.day NOT NULL")
      source.parts.add("s.latitude_e7 NOT NULL")
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT d.*, o.organism_id, o.count, o.sex, o.life_stage, i.verbatim_name,
            length(coalesce(o.local_time, e.local_start)) > 10 AS has_time
          FROM (SELECT s.*\(source.sql)) d JOIN occurrence o ON o.id = d.occurrence_id
            JOIN event e ON e.id = d.event_id
            LEFT JOIN identification i ON i.id = (
              SELECT max(id) FROM identification WHERE occurrence_id = d.occurrence_id)
          ORDER BY d.day
          """, arguments: source.arguments)
      var sightings: [Dated] = []
      while let row = try rows.next() {
        if let sighting = try Dated(row) { sightings.append(sighting) }
      }
      return sightings
    }
  }
}

/// How the taxa of two sightings are to each other.
private enum Relation {
  /// One taxon, or none of both.
  case same
  /// One is within the other.
  case within
  /// Neither.
  case none
}

/// A sighting with a day and a position.
private struct Dated {
  let id: Int64
  let day: Int
  let taxon: Int64?
  let position: Position
  private let atMs: Int64
  private let hasTime: Bool
  private let organism: Int64?
  private let count: Int?
  private let sex, lifeStage: String?
  private let name: String?

  init?(_ row: Row) throws {
    guard let position = try row.position else { return nil }
    self.position = position
    (id, day) = (try row.value("occurrence_id"), try row.value("day"))
    (taxon, organism) = (try row.value("taxon_ref_id"), try row.value("organism_id"))
    (atMs, hasTime) = (try row.value("at_ms"), try row.value("has_time"))
    (count, sex) = (try row.value("count"), try row.value("sex"))
    lifeStage = try row.value("life_stage")
    name = try (row.value("verbatim_name") as String?).map { Folder.fold($0) }
  }

  /// The metres of 1e-7 degree of latitude, a little less than they are.
  static let metresPerUnit = 0.0111

  /// Within so many metres it may be one with another, unless that one's position is less certain.
  var reachM: Int { max(10, position.uncertaintyM ?? 0) }

  func likeness(to other: Dated, _ related: Relation) -> (score: Int, reasons: [String])? {
    if let organism, let others = other.organism, organism != others { return nil }
    var score = 0
    var reasons: [String] = []
    func add(_ points: Int, _ reason: String) {
      score += points
      reasons.append(reason)
    }
    if related == .within {
      add(30, "one taxon within the other")
    } else if related == .same, taxon != nil {
      add(50, "same taxon")
    } else if taxon == nil || other.taxon == nil, let name, name == other.name {
      add(40, "same name")
    } else {
      return nil
    }
    let distance = position.distanceM(to: other.position)
    guard distance <= Double(max(reachM, other.reachM)) else { return nil }
    add(distance <= 10 ? 20 : 10, "\(Int(distance.rounded())) m apart")
    if hasTime, other.hasTime {
      let seconds = abs(atMs - other.atMs) / 1000
      if seconds == 0 {
        add(20, "same time")
      } else {
        reasons.append("\((seconds + 59) / 60) min apart")
      }
    }
    if organism != nil, organism == other.organism { add(10, "same individual") }
    if let count, let others = other.count, count != others { add(-10, "counts differ") }
    if let sex, let others = other.sex, sex != others { add(-20, "sexes differ") }
    if let lifeStage, let others = other.lifeStage, lifeStage != others {
      add(-20, "life stages differ")
    }
    return (max(0, score), reasons)
  }
}
