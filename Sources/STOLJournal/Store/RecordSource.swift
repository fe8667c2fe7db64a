/// Where the records of a kind are read from: their table, with the UUIDs of what they refer to, and with whether
/// other tables have rows of theirs.
struct RecordSource: Sendable {
  /// All rows, in the order of their ids.
  let all: String
  /// The row of one id.
  let one: String
  /// Where each column is.
  let indexes: [String: Int]

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
    let rows = "SELECT \(values.joined(separator: ", ")) FROM \(kind.rawValue) t\(joins.joined())"
    all = rows + " ORDER BY t.id"
    one = rows + " WHERE t.id = ?"
    indexes = Dictionary(
      uniqueKeysWithValues: (own + uuids + flags).enumerated().map { ($1, $0) })
  }
}
