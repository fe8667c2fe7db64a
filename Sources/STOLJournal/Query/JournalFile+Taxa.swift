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
  /// The taxa that it may be, where a person has to say which one: a species that was split since.
  public let candidates: [TaxonReference]
  /// How often it was seen.
  public let sightingCount: Int
  /// When it was seen first, as lived.
  public let firstTime: LocalTime
  /// When it was seen last, likewise.
  public let lastTime: LocalTime

  /// What it is called now, or where the pack has it not, what it was called.
  public var name: String { currentName ?? taxon.name }

  /// What tells it from others of the same pack.
  var key: String { currentID ?? "\u{0}" + taxon.written }
}

/// A reference that is not one taxon of a pack.
public struct UnclearReference: Equatable, Sendable {
  /// What the file counts it as.
  public let id: TaxonRefID
  /// The reference as it is kept.
  public let reference: TaxonReference
  /// What it leads to, in a word: "ambiguous", "deleted" or "absent".
  public let outcome: String
  /// The taxa that it may be.
  public let candidates: [TaxonReference]
}

extension JournalFile {
  /// The references that lead to a taxon of a pack, or to one within it; of those that may be several taxa, those
  /// of which all are.
  ///
  /// - Complexity: O(number of references)
  package func references(within taxon: TaxonOrdinal, in pack: Pack) throws -> Set<TaxonRefID> {
    let view = pack.view
    var found: Set<TaxonRefID> = []
    for (id, resolved) in try resolvedReferences(in: pack) {
      // One candidate alone has taken the id of another taxon.
      guard resolved.taxon != nil || resolved.candidates.count > 1 else { continue }
      let others = resolved.taxon.map { [$0] } ?? resolved.candidates
      if others.allSatisfy({ $0 == taxon || view.tree.isAncestor(taxon, of: $0) }) {
        found.insert(id)
      }
    }
    return found
  }

  /// The references of sightings that are not one taxon of a pack: a person has to look at these.
  ///
  /// - Complexity: O(number of references)
  package func unclearReferences(in pack: Pack) throws -> [UnclearReference] {
    let view = pack.view
    let unclear = try resolvedReferences(in: pack).filter { $0.resolved.taxon == nil }
    return try read { database in
      try unclear.filter { id, _ in
        try Bool.fetchOne(
          database.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM sighting WHERE taxon_ref_id = ?)"),
          arguments: [id.rawValue]) ?? false
      }
    }.map { id, resolved in
      UnclearReference(
        id: id, reference: resolved.reference, outcome: resolved.outcome,
        candidates: resolved.candidates.compactMap { view.reference(to: $0) })
    }
  }

  /// What the taxa of some references are called in a pack, or where it has them not, what they were called.
  ///
  /// - Complexity: O(number), and a look-up in the pack for each that nobody asked for before
  package func names(of taxa: Set<TaxonRefID>, in pack: Pack) throws -> [TaxonRefID: String] {
    guard !taxa.isEmpty else { return [:] }
    let known = try read { try resolve(taxa.map(\.rawValue), in: pack, $0) }
    return try Dictionary(
      uniqueKeysWithValues: taxa.map { taxon in
        guard let resolved = known[taxon.rawValue] else {
          throw RecordReader.broken("no reference \(taxon.rawValue)")
        }
        return (taxon, resolved.name)
      })
  }

  /// Every taxon that was seen, the one seen most recently for the first time first.
  ///
  /// References that lead to one taxon of the pack are one entry; one that leads to none is one of its own. Days,
  /// bounds and the like of `query` limit what counts; its page and limit do not.
  ///
  /// - Complexity: O(number of references), and of the sightings that fit where `query` limits them; the whole list is
  ///   found once for each state of the journal
  package func lifeList(_ query: SightingQuery, in pack: Pack) throws -> [LifeEntry] {
    let view = pack.view
    return try lifeTallies(query, in: pack).map { tally in
      LifeEntry(
        taxon: tally.resolved.reference, outcome: tally.resolved.outcome,
        currentID: tally.resolved.currentID, currentName: tally.resolved.currentName,
        candidates: tally.resolved.candidates.compactMap { view.reference(to: $0) },
        sightingCount: tally.count, firstTime: try LocalTime(tally.first.time),
        lastTime: try LocalTime(tally.last.time))
    }
  }

  /// How often a taxon was seen, and when first and last.
  struct LifeTally: Sendable {
    /// The reference of the last one.
    var resolved: ResolvedReference
    var count: Int
    var first: Moment
    var last: Moment

    /// Of one moment, the sighting that was kept first is before others.
    struct Moment: Sendable {
      var ms: Int64
      var id: Int64
      var time: String

      func isBefore(_ other: Moment) -> Bool { (ms, id) < (other.ms, other.id) }
    }
  }

  /// What a life list is made of, in its order.
  func lifeTallies(_ query: SightingQuery, in pack: Pack) throws -> [LifeTally] {
    var query = query
    query.after = nil
    query.includesAbsent = false
    var others = query
    others.taxa = nil
    let isWhole = others.isPlain && query.bounds == nil
    return try read { database in
      guard isWhole, query.taxa == nil else {
        return try lifeTallies(
          try isWhole ? wholeTallies(query.taxa, database) : tallies(query, database), in: pack,
          database)
      }
      return try known(
        \.life, in: pack, database, isKept: { $0.count <= KnownAnswers.tallyLimit }
      ) { try lifeTallies(wholeTallies(nil, database), in: pack, database) }
    }
  }

  private func lifeTallies(
    _ tallies: [ReferenceTally], in pack: Pack, _ database: Database
  ) throws -> [LifeTally] {
    let known = try resolve(tallies.map(\.reference), in: pack, database)
    var places: [TaxonOrdinal: Int] = [:]
    var found: [LifeTally] = []
    places.reserveCapacity(tallies.count)
    found.reserveCapacity(tallies.count)
    for (reference, count, first, last) in tallies {
      guard let resolved = known[reference] else {
        throw RecordReader.broken("a sighting of no reference")
      }
      guard let taxon = resolved.taxon, let place = places[taxon] else {
        if let taxon = resolved.taxon { places[taxon] = found.count }
        found.append(LifeTally(resolved: resolved, count: count, first: first, last: last))
        continue
      }
      // A damaged file may say any number.
      found[place].count &+= count
      if first.isBefore(found[place].first) { found[place].first = first }
      if found[place].last.isBefore(last) {
        (found[place].last, found[place].resolved) = (last, resolved)
      }
    }
    // Numbers are sooner moved than tallies.
    let order = found.enumerated().map { (ms: $1.first.ms, index: $0) }.sorted { a, b in
      guard a.ms == b.ms else { return a.ms > b.ms }
      let (x, y) = (found[a.index].resolved.reference, found[b.index].resolved.reference)
      return (x.name, x.id) < (y.name, y.id)
    }
    return order.map { found[$0.index] }
  }

  private typealias ReferenceTally = (
    reference: Int64, count: Int, first: LifeTally.Moment, last: LifeTally.Moment
  )

  /// What the file tells of each reference, or of some.
  private func wholeTallies(
    _ taxa: Set<TaxonRefID>?, _ database: Database
  ) throws -> [ReferenceTally] {
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT taxon_ref_id, sighting_count, first_ms, first_id, first_time, last_ms, last_id,
            last_time FROM taxon_tally ORDER BY taxon_ref_id
          """))
    var tallies: [ReferenceTally] = []
    while let row = try rows.next() {
      let reference: Int64 = try row.value(at: 0)
      guard taxa?.contains(TaxonRefID(rawValue: reference)) ?? true else { continue }
      func moment(at column: Int) throws -> LifeTally.Moment {
        LifeTally.Moment(
          ms: try row.value(at: column), id: try row.value(at: column + 1),
          time: try row.value(at: column + 2))
      }
      tallies.append(
        (reference, try row.value(at: 1), try moment(at: 2), try moment(at: 5)))
    }
    return tallies
  }

  /// The same of the sightings that fit a query, by going through them.
  private func tallies(_ query: SightingQuery, _ database: Database) throws -> [ReferenceTally] {
    var source = try self.source(query, database)
    source.parts.add("s.taxon_ref_id NOT NULL")
    let rows = try Row.fetchCursor(
      database,
      sql: "SELECT s.taxon_ref_id, s.at_ms, s.occurrence_id, s.local_time\(source.sql)",
      arguments: source.arguments)
    var tallies: [Int64: ReferenceTally] = [:]
    while let row = try rows.next() {
      let reference: Int64 = try row.value("taxon_ref_id")
      let moment = LifeTally.Moment(
        ms: try row.value("at_ms"), id: try row.value("occurrence_id"),
        time: try row.value("local_time"))
      guard var tally = tallies[reference] else {
        tallies[reference] = (reference, 1, moment, moment)
        continue
      }
      tally.count += 1
      if moment.isBefore(tally.first) { tally.first = moment }
      if tally.last.isBefore(moment) { tally.last = moment }
      tallies[reference] = tally
    }
    return tallies.values.sorted { $0.reference < $1.reference }
  }
}
