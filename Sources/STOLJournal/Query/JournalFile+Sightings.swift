import GRDB
public import STOLData
import STOLSystem

/// Which sightings are asked for.
public struct SightingQuery: Sendable {
  /// Behind which sighting a page begins: the last one of the page before.
  public struct Cursor: Hashable, Sendable {
    let atMs: Int64
    let id: Int64
  }

  /// The part of the globe.
  public var bounds: Bounds?
  /// The references that it is of; see `JournalFile.references(within:in:)`.
  public var taxa: Set<TaxonRefID>?
  /// The first and the last day, as `LocalTime` counts them; what was in a month or a year, and nobody knows when,
  /// fits where any day of it does.
  public var days: ClosedRange<Int>?
  /// The years in which it was; none means all.
  public var years: Set<Int> = []
  /// The months, from 1; what was in a year, and nobody knows when, is in none.
  public var months: Set<Int> = []
  /// The kinds of events in which it was; none means all.
  public var kinds: Set<Event.Kind> = []
  /// The place of it.
  public var place: JournalID?
  /// The place of it, or one that this is part of, directly or not.
  public var region: JournalID?
  /// The country of its place, or where that has none of the nearest one that it is part of.
  public var country: String?
  /// The event in which it was.
  public var event: JournalID?
  /// The individual.
  public var organism: JournalID?
  /// A collection that the occurrence, its organism or its event is in.
  public var collection: JournalID?
  /// A tag of the occurrence, its organism or its event.
  public var tag: String?
  /// Whether what was looked for and not seen is given too.
  public var includesAbsent = false
  /// Where the page begins.
  public var after: Cursor?
  /// The most sightings that are given.
  public var limit = 1000

  /// All sightings.
  public init() {}

  /// Whether nothing but bounds and absence limits what fits.
  var isPlain: Bool {
    taxa == nil && days == nil && years.isEmpty && months.isEmpty && kinds.isEmpty
      && place == nil && region == nil && country == nil && event == nil && organism == nil
      && collection == nil && tag == nil && after == nil
  }
}

/// A reference to a taxon as one file counts it.
public struct TaxonRefID: Hashable, Sendable {
  let rawValue: Int64
}

/// An occurrence that counts, as lists and maps show it.
public struct Sighting: Equatable, Sendable {
  /// The occurrence.
  public let occurrence: JournalID
  /// The event.
  public let event: JournalID
  /// What somebody wrote that it is; nil where nobody did.
  public let verbatimName: String?
  /// The taxon, as the database called it then.
  public internal(set) var taxon: TaxonReference?
  /// Where it was.
  public let position: Position?
  /// When it was, as lived: its own time, else the beginning of the event.
  public let time: LocalTime
  /// Whether it was there.
  public let isPresent: Bool
  /// How many.
  public let count: Int?
}

extension JournalFile {
  /// The sightings that fit, the last one first.
  ///
  /// - Returns: the first of them, and where the next page begins, if there is one.
  /// - Complexity: O(n log n) for the n that fit within bounds or taxa, for every page; else O(log n + limit)
  package func sightings(
    _ query: SightingQuery
  ) throws -> (sightings: [Sighting], next: SightingQuery.Cursor?) {
    try read { database in
      let found = try cursors(query, database)
      let shown = found.prefix(max(0, query.limit))
      let sightings = try Self.pages(shown).flatMap { try self.sightings($0, database) }
      return (sightings, found.count > shown.count ? shown.last : nil)
    }
  }

  /// Gives all sightings that fit to `body`, the last one first.
  ///
  /// They are looked for but once, and read a thousand at a time. In between others may use the file: `body` may
  /// take its time, and what is deleted meanwhile is left out.
  ///
  /// - Returns: whether there are more than the limit of the query.
  /// - Throws: what `body` throws; `JournalError`, `StoreError`.
  /// - Complexity: O(n log n)
  package func eachSighting(
    _ query: SightingQuery, _ body: (Sighting) throws -> Void
  ) throws -> Bool {
    let found = try read { try cursors(query, $0) }
    let shown = found.prefix(max(0, query.limit))
    for page in Self.pages(shown) {
      for sighting in try read({ try sightings(page, $0) }) { try body(sighting) }
    }
    return found.count > shown.count
  }

  /// The sightings that fit, the last one first, and one more than the limit, if there is one.
  private func cursors(
    _ query: SightingQuery, _ database: Database
  ) throws -> [SightingQuery.Cursor] {
    var page = query
    page.after = nil
    // Where nothing else says which they are, boxes do.
    let source =
      try page.isPlain
      ? self.source(query, database)
      : SightingSource(from: "sighting s", parts: parts(query, database), values: [])
    // In the order of an index all that does not fit would be passed over; what fits is fewer.
    let at = query.bounds == nil && query.taxa == nil ? "s.at_ms" : "+s.at_ms"
    // One more than the greatest limit is negative, which SQLite takes for none.
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT s.at_ms, s.occurrence_id\(source.sql)
        ORDER BY \(at) DESC, s.occurrence_id DESC LIMIT \(max(0, query.limit) &+ 1)
        """, arguments: source.arguments)
    var found: [SightingQuery.Cursor] = []
    while let row = try rows.next() {
      found.append(
        SightingQuery.Cursor(atMs: try row.value(at: 0), id: try row.value(at: 1)))
    }
    return found
  }

  private static func pages(
    _ cursors: ArraySlice<SightingQuery.Cursor>
  ) -> [ArraySlice<SightingQuery.Cursor>] {
    stride(from: 0, to: cursors.count, by: 1000).map { cursors.dropFirst($0).prefix(1000) }
  }

  /// The sightings with some ids, in their order.
  private func sightings(
    _ cursors: ArraySlice<SightingQuery.Cursor>, _ database: Database
  ) throws -> [Sighting] {
    let list = cursors.map { String($0.id) }.joined(separator: ",")
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: """
          SELECT s.taxon_ref_id, s.latitude_e7, s.longitude_e7, s.uncertainty_m, s.is_present,
            s.local_time, o.count, r.uuid, x.uuid, i.verbatim_name
          FROM json_each(?) j CROSS JOIN sighting s ON s.occurrence_id = j.value
            JOIN occurrence o ON o.id = s.occurrence_id
            JOIN record r ON r.id = s.occurrence_id JOIN record x ON x.id = s.event_id
            LEFT JOIN identification i ON i.id = (
              SELECT max(id) FROM identification WHERE occurrence_id = s.occurrence_id)
          ORDER BY j.key
          """), arguments: ["[\(list)]"])
    var references: [Int64?] = []
    var sightings: [Sighting] = []
    references.reserveCapacity(cursors.count)
    sightings.reserveCapacity(cursors.count)
    while let row = try rows.next() {
      references.append(try row.value(at: 0))
      sightings.append(
        Sighting(
          occurrence: try row.uuid(at: 7), event: try row.uuid(at: 8),
          verbatimName: try row.value(at: 9), taxon: nil, position: try row.position(at: 1),
          time: try LocalTime(row.value(at: 5), field: "local_time"),
          isPresent: try row.value(at: 4), count: try row.value(at: 6)))
    }
    let taxa = try written(Set(references.compactMap { $0 }), database)
    for (index, reference) in references.enumerated() {
      guard let reference else { continue }
      guard let taxon = taxa[reference] else {
        throw RecordReader.broken("no reference \(reference)")
      }
      sightings[index].taxon = taxon
    }
    return sightings
  }

  /// The occurrences of some records: of an event or an organism all of them, of an occurrence itself.
  private static func occurrences(of records: String) -> String {
    """
    SELECT id FROM occurrence WHERE id IN (\(records))
    UNION ALL SELECT id FROM occurrence WHERE organism_id IN (\(records))
    UNION ALL SELECT id FROM occurrence WHERE event_id IN (\(records))
    """
  }

  /// The conditions of a query over `sighting s`.
  func parts(
    _ query: SightingQuery, _ database: Database, withBounds: Bool = true
  ) throws -> QueryParts {
    var parts = QueryParts()
    if withBounds { parts.add(query.bounds, "s.occurrence_id", in: "sighting_box") }
    if let taxa = query.taxa {
      let list = taxa.map { String($0.rawValue) }.sorted().joined(separator: ",")
      parts.add("s.taxon_ref_id IN (SELECT value FROM json_each(?))", ["[\(list)]"])
    }
    if let days = query.days {
      let within = days.clamped(to: LocalTime.dayRange)
      let (first, last) = (
        CivilDate(days: within.lowerBound), CivilDate(days: within.upperBound)
      )
      parts.add(
        """
        (s.day BETWEEN ? AND ? OR s.day IS NULL AND CASE WHEN s.month IS NULL
          THEN s.year BETWEEN ? AND ? ELSE s.year * 12 + s.month BETWEEN ? AND ? END)
        """,
        [
          days.lowerBound, days.upperBound, first.year, last.year, first.year * 12 + first.month,
          last.year * 12 + last.month,
        ])
      // What was in a year, and nobody knows when, is kept with its first moment.
      let newYear = CivilDate(year: first.year, month: 1, day: 1).days
      parts.add(momentsOf: newYear...within.upperBound)
    }
    parts.add("s.year", oneOf: query.years.sorted())
    if let first = query.years.min(), let last = query.years.max() {
      let (first, last) = (max(0, min(first, 10_000)), max(0, min(last, 10_000)))
      parts.add(
        momentsOf: CivilDate(year: first, month: 1, day: 1)
          .days...CivilDate(year: last, month: 12, day: 31).days)
    }
    parts.add("s.month", oneOf: query.months.sorted())
    parts.add("s.kind", oneOf: query.kinds.map(\.rawValue).sorted())
    if let place = query.place {
      parts.add("s.place_id = ?", [try id(of: place, .place, database)])
    }
    if let region = query.region {
      parts.add(
        "s.place_id IN (\(Self.partsOfPlace))", [try id(of: region, .place, database)])
    }
    if let country = query.country {
      parts.add("s.place_id IN (\(Self.placesOfCountry))", [country])
    }
    if let event = query.event {
      parts.add(
        "s.occurrence_id IN (SELECT id FROM occurrence WHERE event_id = ?)",
        [try id(of: event, .event, database)])
    }
    if let organism = query.organism {
      parts.add(
        "s.occurrence_id IN (SELECT id FROM occurrence WHERE organism_id = ?)",
        [try id(of: organism, .organism, database)])
    }
    if let collection = query.collection {
      let id = try id(of: collection, .collection, database)
      let items = "SELECT record_id FROM collection_item WHERE collection_id = ?"
      parts.add("s.occurrence_id IN (\(Self.occurrences(of: items)))", [id, id, id])
    }
    if let tag = query.tag {
      let tagged = "SELECT record_id FROM tagging WHERE tag = ?"
      parts.add("s.occurrence_id IN (\(Self.occurrences(of: tagged)))", [tag, tag, tag])
    }
    if !query.includesAbsent { parts.add("s.is_present") }
    if let after = query.after {
      parts.add("(s.at_ms, s.occurrence_id) < (?, ?)", [after.atMs, after.id])
    }
    return parts
  }
}

extension QueryParts {
  /// That a sighting was at a moment of some days, whatever its offset from UTC: what an index finds, for conditions on
  /// what clocks said to be tried on.
  fileprivate mutating func add(momentsOf days: ClosedRange<Int>) {
    let dayMs = 86_400_000
    add(
      "s.at_ms BETWEEN ? AND ?", [(days.lowerBound - 2) * dayMs, (days.upperBound + 3) * dayMs])
  }
}
