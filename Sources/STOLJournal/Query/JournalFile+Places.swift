import Foundation
import GRDB

/// Which places are asked for.
public struct PlaceQuery: Sendable {
  /// What somebody means to do there, or has done.
  public enum State: String, JournalWord {
    /// One wishes to go there.
    case wishlist
    /// One will go there.
    case planned
    /// A saved event was there.
    case visited
  }

  /// The part of the globe; nil for all places, those without a position too.
  public var bounds: Bounds?
  /// The kinds; none means all.
  public var kinds: Set<Place.Kind> = []
  /// Whether it is on a list, or was visited.
  public var state: State?
  /// A tag that it has.
  public var tag: String?
  /// A collection that it is in.
  public var collection: JournalID?
  /// The place that it is part of, directly or not.
  public var within: JournalID?
  /// Which dive sites.
  public var diveSite = DiveSiteFilter()
  /// Its country, or where it has none that of the nearest place that it is part of.
  public var country: String?
  /// The most places that are given.
  public var limit = 500

  /// All places.
  public init() {}

  /// Whether nothing but bounds limits what fits.
  var isPlain: Bool {
    kinds.isEmpty && state == nil && tag == nil && collection == nil && within == nil
      && diveSite == DiveSiteFilter() && country == nil
  }
}

/// As much of a place as a map or a list shows.
public struct PlaceDot: Equatable, Sendable {
  /// Which place it is.
  public let id: JournalID
  /// What kind of place it is.
  public let kind: Place.Kind
  /// What it is called.
  public let name: String
  /// Where it is.
  public let position: Position?

  init(_ row: Row) throws {
    id = try row.uuid("uuid")
    kind = try row.word("kind")
    name = try row.value("name")
    position = try row.position
  }
}

extension JournalFile {
  /// The live places that fit, by name, then UUID.
  ///
  /// - Returns: the first of them, and whether there are more.
  /// - Complexity: O(log n + number that fit) within bounds, or where nothing else limits them and they are many
  ///   O(n · limit / number that fit); else O(n log n)
  package func places(_ query: PlaceQuery) throws -> (places: [PlaceDot], isCut: Bool) {
    let limit = min(max(0, query.limit), Int(Int32.max))
    return try read { database in
      var parts = try self.parts(query, database)
      var places = "place p"
      if let bounds = query.bounds, query.isPlain, try isDense(bounds, limit, database) {
        places += " INDEXED BY place_name"
        parts.add(bounds, latitude: "p.latitude_e7", longitude: "p.longitude_e7")
      } else {
        parts.add(query.bounds, "p.id", in: "place_box")
      }
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT r.uuid, p.kind, p.name, p.latitude_e7, p.longitude_e7, p.uncertainty_m
          FROM \(places) CROSS JOIN record r ON r.id = p.id\(parts.sql)
          ORDER BY p.name, r.uuid LIMIT \(limit + 1)
          """, arguments: parts.arguments)
      let dots = try Array(rows.map(PlaceDot.init))
      return (Array(dots.prefix(limit)), dots.count > limit)
    }
  }

  /// Whether so many places are within bounds that the first ones by name are found sooner in an index of all names
  /// than by sorting those within.
  private func isDense(_ bounds: Bounds, _ limit: Int, _ database: Database) throws -> Bool {
    let most = 4 * limit
    let (boxes, values) = QueryParts.ids(bounds, in: "place_box")
    let count = try Int.fetchOne(
      database, sql: "SELECT count(*) FROM (\(boxes) LIMIT \(most + 1))",
      arguments: StatementArguments(values))
    return count ?? 0 > most
  }

  /// The conditions of a query over `place p` and its `record r`, but for bounds.
  func parts(_ query: PlaceQuery, _ database: Database) throws -> QueryParts {
    var parts = QueryParts()
    parts.add("r.deleted_ms IS NULL")
    parts.add("p.kind", oneOf: query.kinds.map(\.rawValue).sorted())
    switch query.state {
    case .visited?:
      parts.add(
        """
        EXISTS (SELECT 1 FROM event e JOIN record x ON x.id = e.id
          WHERE e.place_id = p.id AND e.status = 'saved' AND x.deleted_ms IS NULL)
        """)
    case let state?:
      parts.add("p.id IN (SELECT place_id FROM place_state WHERE state = ?)", [state.rawValue])
    case nil: break
    }
    parts.add(tag: query.tag, "p.id")
    parts.add(query.diveSite, "p.id")
    try add(query.collection, "p.id", to: &parts, database)
    if let within = query.within {
      let id = try id(of: within, .place, database)
      parts.add("p.id IN (\(Self.partsOfPlace)) AND p.id <> ?", [id, id])
    }
    if let country = query.country {
      parts.add("p.id IN (\(Self.placesOfCountry))", [country])
    }
    return parts
  }

  /// A place and all that is part of it, directly or not.
  static let partsOfPlace = """
    WITH RECURSIVE part(id) AS (SELECT ?
      UNION SELECT place.id FROM place JOIN part ON place.parent_id = part.id) SELECT id FROM part
    """

  /// The places of a country, those among them that say so by what they are part of.
  static let placesOfCountry = """
    WITH RECURSIVE part(id) AS (SELECT id FROM place WHERE country = ?
      UNION SELECT place.id FROM place JOIN part ON place.parent_id = part.id
        WHERE place.country IS NULL) SELECT id FROM part
    """

  /// The condition that a record is in a collection.
  func add(
    _ collection: JournalID?, _ column: String, to parts: inout QueryParts, _ database: Database
  ) throws {
    guard let collection else { return }
    parts.add(
      "\(column) IN (SELECT record_id FROM collection_item WHERE collection_id = ?)",
      [try id(of: collection, .collection, database)])
  }

  /// The id of a live record that a query names.
  func id(of uuid: JournalID, _ kind: JournalRecord.Kind, _ database: Database) throws -> Int64 {
    guard let head = try RecordReader(database: database).head(uuid), head.kind == kind,
      head.deletedMs == nil
    else { throw JournalError.unknown(id: uuid, needed: kind.rawValue) }
    return head.id
  }
}

extension ColumnValues {
  /// The UUID in a column.
  func uuid(_ column: String) throws -> JournalID {
    guard let id = JournalID(bytes: try value(column) as Data) else {
      throw RecordReader.broken("a UUID without 16 bytes")
    }
    return id
  }
}
