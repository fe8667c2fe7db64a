import GRDB

/// An occurrence with all that a row of a table says of it, or a place or an individual alone.
struct TableParts {
  let occurrence: Occurrence?
  let event: Event?
  let organism: Organism?
  /// The place of the event, else of the individual.
  let place: Place?
  let identification: Identification?
  /// The notes of each of these.
  let notes: [JournalID: [Note]]
  /// What was measured of the individual or the occurrence when it was seen, by what it is.
  let measures: [String: Measure]
  /// The names of the collections that they are in.
  let collections: [JournalID: [String]]
  /// What others may not know of the occurrence, where it is obscured.
  private(set) var hidden: (generalizations: String?, withheld: String?) = (nil, nil)

  /// Where it was; nil where no cell says that.
  var position: Position? {
    occurrence?.position ?? organism?.position ?? event?.position ?? place?.position
  }

  /// Reads what others may have of an occurrence that is not open, and of its parts; nil for nothing.
  init?(
    shared head: RecordReader.Head, _ reader: RecordReader, by sharing: Sharing
  ) throws {
    func shared(_ id: Int64?) throws -> SharedRecord? {
      guard let id else { return nil }
      let head = try reader.head(id)
      return try sharing.shared(try reader.record(head), head, reader)
    }
    // What is said of it is left out, and counted; so is its event, if nobody else may know that.
    let said = try Int64.fetchAll(
      reader.database.cachedStatement(
        sql: """
          WITH target(id) AS (
            SELECT ?1 UNION SELECT event_id FROM occurrence WHERE id = ?1
            UNION SELECT organism_id FROM occurrence WHERE id = ?1),
          part(id) AS (
            SELECT event_id FROM occurrence WHERE id = ?1
            UNION SELECT n.id FROM target JOIN note n ON n.target_id = target.id
            UNION SELECT m.id FROM target JOIN measure m ON m.target_id = target.id)
          SELECT r.id FROM part JOIN record r ON r.id = part.id AND r.deleted_ms IS NULL
          """), arguments: [head.id])
    for id in said { _ = try shared(id) }
    guard
      let row = try Row.fetchOne(
        reader.database.cachedStatement(
          sql: """
            SELECT event_id, organism_id, (
              SELECT max(id) FROM identification WHERE occurrence_id = occurrence.id) AS name_id
            FROM occurrence WHERE id = ?
            """), arguments: [head.id]),
      let seen = try shared(head.id), case .occurrence(let occurrence) = seen.record,
      case .event(let event)? = try shared(row.value("event_id") as Int64?)?.record
    else { return nil }
    (self.occurrence, self.event) = (occurrence, event)
    hidden = (seen.generalizations, seen.withheld)
    if occurrence.organism != nil,
      case .organism(let found)? = try shared(row.value("organism_id") as Int64?)?.record
    {
      organism = found
    } else {
      organism = nil
    }
    if case .identification(let found)? = try shared(row.value("name_id") as Int64?)?.record {
      identification = found
    } else {
      identification = nil
    }
    (place, notes, measures, collections) = (nil, [:], [:], [:])
  }

  /// Reads the parts of an occurrence that is open, and counts what is in no cell.
  init(
    _ head: RecordReader.Head, _ reader: RecordReader, _ sharing: Sharing?,
    _ report: inout JournalTable.Report
  ) throws {
    guard case .occurrence(let occurrence) = try reader.record(head) else {
      throw RecordReader.broken("occurrence \(head.id) is none")
    }
    func record(_ id: JournalID?) throws -> JournalRecord? {
      guard let id, let head = try reader.head(id) else { return nil }
      return try reader.record(head)
    }
    guard case .event(let event) = try record(occurrence.event) else {
      throw RecordReader.broken("occurrence \(head.id) is in no event")
    }
    var organism: Organism?
    if case .organism(let found) = try record(occurrence.organism) { organism = found }
    var place: Place?
    if case .place(let found) = try record(event.place ?? organism?.place) { place = found }
    let database = reader.database
    let names = try Int64.fetchAll(
      database.cachedStatement(
        sql: "SELECT id FROM identification WHERE occurrence_id = ? ORDER BY id DESC"),
      arguments: [head.id])
    var identification: Identification?
    if let last = names.first {
      let head = try reader.head(last)
      var record: JournalRecord? = try reader.record(head)
      // Of a name who gave it may be left out.
      if let sharing, let whole = record {
        record = try sharing.shared(whole, head, reader)?.record
      }
      if case .identification(let found) = record { identification = found }
    }
    var notes: [JournalID: [Note]] = [:]
    var collections: [JournalID: [String]] = [:]
    let targets: [JournalRecord?] = [
      .occurrence(occurrence), .event(event), organism.map(JournalRecord.organism),
      place.map(JournalRecord.place),
    ]
    for target in targets.compactMap({ $0 }) {
      notes[target.id] = try Self.notes(of: target.id, reader, sharing)
      collections[target.id] = try target.collections.compactMap { id -> String? in
        if case .collection(let collection) = try record(id) { collection.name } else { nil }
      }.sorted()
    }
    func leave(_ what: String, _ count: Int = 1) {
      if count > 0 { report.leftOut[what, default: 0] += count }
    }
    leave("earlier identifications", max(0, names.count - 1))
    let measures = try Self.measures(of: [occurrence.id, organism?.id], reader, sharing)
    var shown: [String: Measure] = [:]
    for measure in measures {
      let isThen = measure.time == nil || measure.time == event.start
      let isOfOrganism = measure.target == organism?.id
      let isPlain =
        measure.method == nil && measure.remarks == nil
        && (measure.number == nil || measure.text == nil) && measure.isToldByText
      if isThen, isPlain, isOfOrganism || organism == nil, shown[measure.type] == nil {
        shown[measure.type] = measure
        if measure.time == nil { leave("times of measures") }
      } else {
        leave("measures")
      }
    }
    self.occurrence = occurrence
    self.event = event
    self.organism = organism
    self.place = place
    self.identification = identification
    self.notes = notes
    self.measures = shown
    self.collections = collections
  }

  /// The parts of an occurrence, an individual or a place, as others may have them; measures are none of them.
  init(
    _ seen: RecordJoin.Seen?, of organism: Organism?, at place: Place?, in records: RecordJoin
  ) throws {
    let occurrence = seen?.occurrence
    event = try records.event(occurrence?.event)
    self.occurrence = occurrence
    self.organism = organism
    self.place = try place ?? records.place(event?.place ?? organism?.place)
    identification = seen?.names.last
    measures = [:]
    let targets: [JournalRecord?] = [
      occurrence.map(JournalRecord.occurrence), event.map(JournalRecord.event),
      organism.map(JournalRecord.organism), self.place.map(JournalRecord.place),
    ]
    var (notes, collections): ([JournalID: [Note]], [JournalID: [String]]) = ([:], [:])
    for target in targets.compactMap({ $0 }) {
      notes[target.id] =
        try target.id == occurrence?.id ? seen?.notes ?? [] : records.notes(on: target.id)
      collections[target.id] = try records.collectionNames(target.collections)
    }
    (self.notes, self.collections) = (notes, collections)
    if let seen {
      hidden = seen.hidden
    } else if let organism {
      hidden = try records.hidden(of: organism.id)
    }
  }

  private static func measures(
    of targets: [JournalID?], _ reader: RecordReader, _ sharing: Sharing?
  ) throws -> [Measure] {
    var measures: [Measure] = []
    for target in targets {
      guard let target, let head = try reader.head(target) else { continue }
      let ids = try Int64.fetchAll(
        reader.database.cachedStatement(
          sql: """
            SELECT m.id FROM measure m JOIN record r ON r.id = m.id AND r.deleted_ms IS NULL
            WHERE m.target_id = ? ORDER BY m.id
            """), arguments: [head.id])
      for id in ids {
        if case .measure(let measure) = try Self.record(id, reader, sharing) {
          measures.append(measure)
        }
      }
    }
    return measures
  }

  private static func notes(
    of target: JournalID, _ reader: RecordReader, _ sharing: Sharing?
  ) throws -> [Note] {
    guard let head = try reader.head(target) else { return [] }
    let ids = try Int64.fetchAll(
      reader.database.cachedStatement(
        sql: """
          SELECT n.id FROM note n JOIN record r ON r.id = n.id AND r.deleted_ms IS NULL
          WHERE n.target_id = ? ORDER BY n.id
          """), arguments: [head.id])
    return try ids.compactMap { id -> Note? in
      if case .note(let note) = try Self.record(id, reader, sharing) { note } else { nil }
    }
  }

  /// What is said about a record, as others may have it; what they may not have is counted.
  private static func record(
    _ id: Int64, _ reader: RecordReader, _ sharing: Sharing?
  ) throws -> JournalRecord? {
    let head = try reader.head(id)
    let record = try reader.record(head)
    guard let sharing else { return record }
    return try sharing.shared(record, head, reader)?.record
  }
}
