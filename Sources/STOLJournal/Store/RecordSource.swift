import Foundation
import GRDB

/// Where the records of a kind are read from: their table, with the UUIDs of what they refer to, and with whether
/// other tables have rows of theirs.
struct RecordSource: Sendable {
  /// All rows, in the order of their ids.
  let all: String
  /// The row of one id.
  let one: String
  /// Where each column is.
  let indexes: [String: Int]
  /// The values of a row, the table `t` that they are of, and what is joined to it.
  private let values, table, joins: String

  static func of(_ kind: JournalRecord.Kind) -> RecordSource {
    switch kind {
    case .place: places
    case .event: events
    case .organism: organisms
    case .occurrence: occurrences
    case .identification: identifications
    case .note: notes
    case .collection: collections
    case .measure: measures
    case .person: persons
    case .photo: photos
    }
  }

  private static let labels: [(table: String, key: String)] = [
    ("tagging", "record_id"), ("collection_item", "record_id"),
  ]
  private static let places = RecordSource(
    .place, references: ["parent"],
    parts: [("dive_site", "place_id"), ("place_state", "place_id")] + labels)
  private static let events = RecordSource(
    .event, references: ["parent", "place"],
    parts: [("dive", "event_id"), ("event_person", "event_id")] + labels)
  private static let organisms = RecordSource(.organism, references: ["place"], parts: labels)
  private static let occurrences = RecordSource(
    .occurrence, references: ["event", "organism"], parts: labels)
  private static let identifications = RecordSource(.identification, references: ["occurrence"])
  private static let notes = RecordSource(.note, references: ["target"])
  private static let collections = RecordSource(.collection)
  private static let measures = RecordSource(.measure, references: ["target"])
  private static let persons = RecordSource(.person)
  private static let photos = RecordSource(.photo, references: ["target"])

  private init(
    _ kind: JournalRecord.Kind, references: [String] = [],
    parts: [(table: String, key: String)] = []
  ) {
    let own = JournalLayout.columns(of: kind.rawValue)
    let uuids = references.map { "\($0)_uuid" }
    let flags = parts.map { "has_\($0.table)" }
    let values =
      own.map { "t.\($0)" } + references.map { "to_\($0).uuid" }
      + parts.map { "EXISTS (SELECT 1 FROM \($0.table) WHERE \($0.key) = t.id)" }
    let joins = references.map { " LEFT JOIN record to_\($0) ON to_\($0).id = t.\($0)_id" }
    self.values = values.joined(separator: ", ")
    table = "\(kind.rawValue) t"
    self.joins = joins.joined()
    let rows = "SELECT \(self.values) FROM \(table)\(self.joins)"
    all = rows + " ORDER BY t.id"
    one = rows + " WHERE t.id = ?"
    indexes = Dictionary(
      uniqueKeysWithValues: (own + uuids + flags).enumerated().map { ($1, $0) })
  }

  /// The rows of live records, each with its UUID behind its columns.
  ///
  /// - Parameters:
  ///   - condition: which of them, as SQL; nil for all.
  ///   - order: the columns that they are in the order of.
  /// - Returns: SQL.
  func live(where condition: String? = nil, by order: String) -> String {
    // The table comes first, whatever SQLite knows of it, so that no row need be sorted.
    "SELECT \(values), r.uuid FROM \(table) CROSS JOIN record r ON r.id = t.id\(joins) "
      + "WHERE r.deleted_ms IS NULL AND \(condition ?? "TRUE") ORDER BY \(order)"
  }

  /// What such a row says about the UUID of its record.
  func head(_ kind: JournalRecord.Kind, _ row: Row) throws -> RecordReader.Head {
    let record = RecordRow(row: row, indexes: indexes)
    guard let uuid = JournalID(bytes: try row.value(at: indexes.count) as Data) else {
      throw RecordReader.broken("no UUID in uuid")
    }
    return RecordReader.Head(id: try record.value("id"), uuid: uuid, kind: kind, now: 0)
  }
}
