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
  /// The most places that are given.
  public var limit = 500

  /// All places.
  public init() {}
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
}

extension JournalFile {
  /// The live places that fit, by name, then UUID.
  ///
  /// - Returns: the first of them, and whether there are more.
  /// - Complexity: O(log n + number that fit) within bounds, else O(n log n)
  package func places(_ query: PlaceQuery) throws -> (places: [PlaceDot], isCut: Bool) {
    var parts = QueryParts()
    parts.add("r.deleted_ms IS NULL")
    parts.add(query.bounds, "p.id", in: "place_box")
    if !query.kinds.isEmpty {
      let kinds = query.kinds.map(\.rawValue).sorted()
      parts.add("p.kind IN (\(kinds.map { _ in "?" }.joined(separator: ", ")))", kinds)
    }
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
    return try read { database in
      try add(query.collection, "p.id", to: &parts, database)
      if let within = query.within {
        parts.add(
          """
          p.id IN (WITH RECURSIVE part(id) AS (
            SELECT id FROM place WHERE parent_id = ?
            UNION SELECT place.id FROM place JOIN part ON place.parent_id = part.id)
            SELECT id FROM part)
          """, [try id(of: within, .place, database)])
      }
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT r.uuid, p.kind, p.name, p.latitude_e7, p.longitude_e7, p.uncertainty_m
          FROM place p JOIN record r ON r.id = p.id\(parts.sql)
          ORDER BY p.name, r.uuid LIMIT \(max(0, query.limit) &+ 1)
          """, arguments: parts.arguments)
      let dots = try rows.prefix(max(0, query.limit)).map { row in
        PlaceDot(
          id: try row.uuid("uuid"), kind: try row.word("kind"), name: try row.value("name"),
          position: try row.position)
      }
      return (dots, rows.count > dots.count)
    }
  }

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

extension Row {
  /// The UUID in a column.
  func uuid(_ column: String) throws -> JournalID {
    guard let id = JournalID(bytes: try value(column) as Data) else {
      throw RecordReader.broken("a UUID without 16 bytes")
    }
    return id
  }
}
