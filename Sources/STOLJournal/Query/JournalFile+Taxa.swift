import GRDB
public import STOLData
package import STOLPack

/// A taxon that was seen, and how often.
public struct LifeEntry: Equatable, Sendable {
  /// The taxon as it was called when it was seen last; of several references that lead to one taxon.
  public let taxon: TaxonReference
  /// What the reference leads to in the pack, in a word or two: `ReferenceOutcome.word`.
  public let outcome: String
  /// The id of that taxon, as its source writes it.
  public let currentID: String?
  /// What it is called in the pack.
  public let currentName: String?
  /// How often it was seen.
  public let sightingCount: Int
  /// When it was seen first, as lived.
  public let firstTime: LocalTime
  /// When it was seen last, likewise.
  public let lastTime: LocalTime
}

extension JournalFile {
  /// The references that lead to a taxon of a pack, or to one within it.
  ///
  /// - Complexity: O(number of references)
  package func references(within taxon: TaxonOrdinal, in pack: Pack) throws -> Set<TaxonRefID> {
    let stored = try references()
    let view = pack.view
    var found: Set<TaxonRefID> = []
    for (reference, outcome) in zip(stored, view.resolve(stored.map { $0.reference })) {
      guard let other = outcome.taxon else { continue }
      if other == taxon || view.tree.isAncestor(taxon, of: other) { found.insert(reference.id) }
    }
    return found
  }

  /// What some references are called.
  package func names(of taxa: Set<TaxonRefID>) throws -> [TaxonRefID: String] {
    guard !taxa.isEmpty else { return [:] }
    return try read { database in
      let reader = RecordReader(database: database)
      return try Dictionary(
        uniqueKeysWithValues: taxa.map { ($0, try reader.reference($0.rawValue).name) })
    }
  }

  /// All references of the file.
  func references() throws -> [(id: TaxonRefID, reference: TaxonReference)] {
    try read { database in
      try Row.fetchAll(database, sql: "SELECT * FROM taxon_ref ORDER BY id").map { row in
        (TaxonRefID(rawValue: try row.value("id")), try RecordReader.reference(row))
      }
    }
  }

  /// Every taxon that was seen, the one seen most recently for the first time first.
  ///
  /// References that lead to one taxon of the pack are one entry; one that leads to none is one of its own. Days,
  /// bounds and the like of `query` limit what counts; its page and limit do not.
  ///
  /// - Complexity: O(number of references), and of the sightings that fit where `query` limits them
  package func lifeList(_ query: SightingQuery, in pack: Pack) throws -> [LifeEntry] {
    var query = query
    query.after = nil
    var others = query
    others.taxa = nil
    let isWhole = others.isPlain && query.bounds == nil
    query.includesAbsent = false
    let rows = try read { database in
      let rows: [Row]
      if isWhole {
        rows = try Row.fetchAll(database, sql: Self.described(Self.wholeTallies))
      } else {
        var parts = try self.parts(query, database)
        parts.add("s.taxon_ref_id NOT NULL")
        rows = try Row.fetchAll(
          database, sql: Self.described(Self.tallies(parts.sql)), arguments: parts.arguments)
      }
      return try rows.filter { row in
        try query.taxa?.contains(TaxonRefID(rawValue: row.value("taxon_ref_id"))) ?? true
      }.map { row in
        guard let first = try row.time("first_time"), let last = try row.time("last_time") else {
          throw RecordReader.broken("a sighting without its event")
        }
        return Tally(
          reference: try RecordReader.reference(row), count: try row.value("n"),
          first: (try row.value("first_ms"), first), last: (try row.value("last_ms"), last))
      }
    }
    return Self.entries(rows, in: pack)
  }

  private struct Tally {
    var reference: TaxonReference
    var count: Int
    var first: Moment
    var last: Moment
  }

  private typealias Moment = (ms: Int64, time: LocalTime)

  /// How often each reference was seen, and the first and the last sighting of it.
  private static let wholeTallies = """
    SELECT t.taxon_ref_id, t.sighting_count AS n, t.first_ms, t.last_ms,
      (SELECT occurrence_id FROM sighting WHERE taxon_ref_id = t.taxon_ref_id
        AND at_ms = t.first_ms AND is_present LIMIT 1) AS first_id,
      (SELECT occurrence_id FROM sighting WHERE taxon_ref_id = t.taxon_ref_id
        AND at_ms = t.last_ms AND is_present LIMIT 1) AS last_id
    FROM taxon_tally t
    """

  /// The same of the sightings that fit conditions; SQLite takes `id` from the row of the minimum or maximum.
  private static func tallies(_ conditions: String) -> String {
    """
    WITH fit AS MATERIALIZED (
      SELECT s.taxon_ref_id, s.at_ms, s.occurrence_id AS id
      FROM sighting s JOIN occurrence o ON o.id = s.occurrence_id\(conditions))
    SELECT * FROM (SELECT taxon_ref_id, count(*) AS n, min(at_ms) AS first_ms, id AS first_id
        FROM fit GROUP BY taxon_ref_id)
      JOIN (SELECT taxon_ref_id, max(at_ms) AS last_ms, id AS last_id
        FROM fit GROUP BY taxon_ref_id) USING (taxon_ref_id)
    """
  }

  /// Tallies with their references, and with when the first and the last sighting were, as lived.
  private static func described(_ tallies: String) -> String {
    """
    SELECT w.taxon_ref_id, w.n, w.first_ms, w.last_ms, x.id_space, x.id_text, x.name, x.author,
      x.year, x.rank, x.kingdoms, coalesce(f.local_time, fe.local_start) AS first_time,
      coalesce(l.local_time, le.local_start) AS last_time
    FROM (\(tallies)) w CROSS JOIN taxon_ref x ON x.id = w.taxon_ref_id
      LEFT JOIN occurrence f ON f.id = w.first_id LEFT JOIN event fe ON fe.id = f.event_id
      LEFT JOIN occurrence l ON l.id = w.last_id LEFT JOIN event le ON le.id = l.event_id
    """
  }

  private static func entries(_ tallies: [Tally], in pack: Pack) -> [LifeEntry] {
    let view = pack.view
    let outcomes = view.resolve(tallies.map(\.reference))
    var places: [TaxonOrdinal: Int] = [:]
    var found: [(tally: Tally, outcome: ReferenceOutcome)] = []
    for (tally, outcome) in zip(tallies, outcomes) {
      guard let taxon = outcome.taxon, let place = places[taxon] else {
        if let taxon = outcome.taxon { places[taxon] = found.count }
        found.append((tally, outcome))
        continue
      }
      var both = found[place].tally
      if tally.last.ms > both.last.ms {
        both.reference = tally.reference
        found[place].outcome = outcome
      }
      // A damaged file may say any number.
      both.count &+= tally.count
      if tally.first.ms < both.first.ms { both.first = tally.first }
      if tally.last.ms > both.last.ms { both.last = tally.last }
      found[place].tally = both
    }
    return found.sorted {
      ($1.tally.first.ms, $0.tally.reference.name, $0.tally.reference.id)
        < ($0.tally.first.ms, $1.tally.reference.name, $1.tally.reference.id)
    }.map { tally, outcome in
      LifeEntry(
        taxon: tally.reference, outcome: outcome.word,
        currentID: outcome.taxon.flatMap { view.sourceID(of: $0) },
        currentName: outcome.taxon.map { view.names.scientificName(of: $0) },
        sightingCount: tally.count, firstTime: tally.first.time,
        lastTime: tally.last.time)
    }
  }
}
