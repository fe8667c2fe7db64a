import Foundation
import GRDB
import STOLData

/// Reads records of the file.
struct RecordReader {
  /// References that were read, for whoever reads many records.
  final class References {
    var known: [Int64: TaxonReference] = [:]
    static let limit = 16_384
  }

  let database: Database
  var references: References?

  /// What `record` says about a UUID.
  struct Head {
    let id: Int64
    let uuid: JournalID
    let kind: JournalRecord.Kind
    let createdMs: Int64
    let changedMs: Int64
    let deletedMs: Int64?
    /// The column `moments`.
    let momentsText: String?

    /// A live record that is made now.
    init(id: Int64, uuid: JournalID, kind: JournalRecord.Kind, now: Int64) {
      (self.id, self.uuid, self.kind) = (id, uuid, kind)
      (createdMs, changedMs, deletedMs, momentsText) = (now, now, nil, nil)
    }

    init(_ row: some ColumnValues) throws {
      id = try row.value("id")
      uuid = try row.uuid("uuid")
      kind = try row.word("kind")
      createdMs = try row.value("created_ms")
      changedMs = try row.value("changed_ms")
      deletedMs = try row.value("deleted_ms")
      momentsText = try row.value("moments")
    }

    /// When its groups changed.
    func moments() throws -> RecordMoments {
      do {
        return try RecordMoments(createdMs: createdMs, deletedMs: deletedMs, text: momentsText)
      } catch {
        throw RecordReader.broken("the moments of record \(id) are no object of numbers")
      }
    }
  }

  func head(_ id: JournalID) throws -> Head? {
    try first("SELECT * FROM record WHERE uuid = ?", Data(id.bytes)) { row in
      try Head(RecordRow(row: row, indexes: Self.headIndexes))
    }
  }

  /// What `read` gives of the first row of a query, without a copy of it; nil where there is none.
  private func first<Value>(
    _ sql: String, _ argument: some DatabaseValueConvertible, _ read: (Row) throws -> Value
  ) throws -> Value? {
    let rows = try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: [argument])
    return try rows.next().map(read)
  }

  /// Where the columns of `record` are.
  static let headIndexes = JournalLayout.indexes(of: "record")

  func head(_ id: Int64) throws -> Head {
    let head = try first("SELECT * FROM record WHERE id = ?", id) { row in
      try Head(RecordRow(row: row, indexes: Self.headIndexes))
    }
    guard let head else { throw Self.broken("no record \(id)") }
    return head
  }

  static func broken(_ reason: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: reason)
  }

  func stored(_ head: Head) throws -> StoredRecord {
    StoredRecord(
      id: head.id, createdMs: head.createdMs, changedMs: head.changedMs, deletedMs: head.deletedMs,
      moments: head.momentsText, record: try record(head))
  }

  func record(_ head: Head) throws -> JournalRecord {
    let source = RecordSource.of(head.kind)
    let record = try first(source.one, head.id) { row in
      try self.record(head, RecordRow(row: row, indexes: source.indexes))
    }
    guard let record else { throw Self.broken("record \(head.id) is in no table") }
    return record
  }

  /// The record that a row of its source states.
  func record(_ head: Head, _ row: RecordRow) throws -> JournalRecord {
    switch head.kind {
    case .place: .place(try place(head, row))
    case .event: .event(try event(head, row))
    case .organism: .organism(try organism(head, row))
    case .occurrence: .occurrence(try occurrence(head, row))
    case .identification: .identification(try identification(head, row))
    case .note:
      .note(
        Note(
          id: head.uuid, target: try uuid(row, "target_id", "target_uuid"),
          text: try row.value("text"),
          time: try row.time("local_time")))
    case .collection:
      .collection(
        JournalCollection(
          id: head.uuid, name: try row.value("name"), privacy: try row.word("privacy")))
    case .measure: .measure(try measure(head, row))
    case .person: .person(try person(head, row))
    case .photo: .photo(try photo(head, row))
    }
  }

  private func place(_ head: Head, _ row: RecordRow) throws -> Place {
    var place = Place(id: head.uuid, kind: try row.word("kind"), name: try row.value("name"))
    place.parent = try uuidIfAny(row, "parent_id", "parent_uuid")
    place.position = try row.position
    place.elevationCm = try row.valueIfAny("elevation_cm")
    place.locality = try row.valueIfAny("locality")
    place.waterBody = try row.valueIfAny("water_body")
    place.country = try row.valueIfAny("country")
    place.privacy = try row.word("privacy")
    if try row.value("has_dive_site") { place.diveSite = try diveSite(head.id) }
    if try row.value("has_place_state") {
      let states = try String.fetchAll(
        database.cachedStatement(sql: "SELECT state FROM place_state WHERE place_id = ?"),
        arguments: [head.id])
      for state in states { place.states.insert(try Place.State(word: state, field: "state")) }
    }
    (place.tags, place.collections) = try labels(head, row)
    return place
  }

  private func event(_ head: Head, _ row: RecordRow) throws -> Event {
    var event = Event(
      id: head.uuid, kind: try row.word("kind"),
      start: try LocalTime(row.value("local_start"), field: "local_start"))
    event.status = try row.word("status")
    event.parent = try uuidIfAny(row, "parent_id", "parent_uuid")
    event.place = try uuidIfAny(row, "place_id", "place_uuid")
    event.position = try row.position
    event.end = try row.time("local_end")
    event.utcOffsetMin = try row.valueIfAny("utc_offset_min")
    event.protocol = try row.valueIfAny("protocol")
    event.effortValue = try row.valueIfAny("effort_value")
    event.effortUnit = try row.valueIfAny("effort_unit")
    event.isCompleteList = try row.value("is_complete_list")
    event.weather = try row.valueIfAny("weather")
    event.remarks = try row.valueIfAny("remarks")
    event.privacy = try row.word("privacy")
    if try row.value("has_dive") { event.dive = try dive(head.id) }
    if try row.value("has_event_person") { event.persons = try participants(head.id) }
    (event.tags, event.collections) = try labels(head, row)
    return event
  }

  private func dive(_ event: Int64) throws -> Dive? {
    guard
      let row = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM dive WHERE event_id = ?"), arguments: [event])
    else { return nil }
    var dive = Dive()
    dive.number = try row.value("number")
    dive.mode = try row.wordIfAny("mode")
    dive.durationS = try row.value("duration_s")
    dive.bottomS = try row.value("bottom_s")
    dive.maxDepthMm = try row.valueIfAny("max_depth_mm")
    dive.meanDepthMm = try row.value("mean_depth_mm")
    dive.waterMinCk = try row.value("water_min_ck")
    dive.waterMaxCk = try row.value("water_max_ck")
    dive.airCk = try row.value("air_ck")
    dive.visibilityCm = try row.value("visibility_cm")
    dive.currentLevel = try row.value("current_level")
    dive.salinityMgL = try row.value("salinity_mg_l")
    dive.surfaceMbar = try row.value("surface_mbar")
    dive.weightG = try row.value("weight_g")
    dive.suit = try row.value("suit")
    dive.signedMs = try row.value("signed_ms")
    dive.logs = try logs(event)
    let tanks = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT * FROM dive_tank WHERE event_id = ? ORDER BY position"),
      arguments: [event])
    dive.tanks = try tanks.map { row in
      var tank = Dive.Tank()
      tank.volumeMl = try row.value("volume_ml")
      tank.workMbar = try row.value("work_mbar")
      tank.startMbar = try row.value("start_mbar")
      tank.endMbar = try row.value("end_mbar")
      tank.o2Permille = try row.value("o2_permille")
      tank.hePermille = try row.value("he_permille")
      tank.use = try row.wordIfAny("use")
      return tank
    }
    return dive
  }

  private func organism(_ head: Head, _ row: RecordRow) throws -> Organism {
    var organism = Organism(id: head.uuid)
    organism.name = try row.valueIfAny("name")
    organism.place = try uuidIfAny(row, "place_id", "place_uuid")
    organism.position = try row.position
    organism.elevationCm = try row.valueIfAny("elevation_cm")
    organism.status = try row.word("status")
    organism.planted = try row.time("planted")
    organism.privacy = try row.word("privacy")
    (organism.tags, organism.collections) = try labels(head, row)
    return organism
  }

  private func occurrence(_ head: Head, _ row: RecordRow) throws -> Occurrence {
    var occurrence = Occurrence(
      id: head.uuid, event: try uuid(row, "event_id", "event_uuid"))
    occurrence.organism = try uuidIfAny(row, "organism_id", "organism_uuid")
    occurrence.position = try row.position
    occurrence.time = try row.time("local_time")
    occurrence.presence = try row.word("presence")
    occurrence.count = try row.valueIfAny("count")
    occurrence.countKind = try row.wordIfAny("count_kind")
    occurrence.sex = try row.valueIfAny("sex")
    occurrence.lifeStage = try row.valueIfAny("life_stage")
    occurrence.behaviour = try row.valueIfAny("behaviour")
    occurrence.establishment = try row.wordIfAny("establishment")
    occurrence.minDepthMm = try row.valueIfAny("min_depth_mm")
    occurrence.maxDepthMm = try row.valueIfAny("max_depth_mm")
    occurrence.privacy = try row.word("privacy")
    occurrence.remarks = try row.valueIfAny("remarks")
    (occurrence.tags, occurrence.collections) = try labels(head, row)
    return occurrence
  }

  private func identification(_ head: Head, _ row: RecordRow) throws -> Identification {
    var identification = Identification(
      id: head.uuid, occurrence: try uuid(row, "occurrence_id", "occurrence_uuid"),
      verbatimName: try row.value("verbatim_name"))
    identification.qualifier = try row.valueIfAny("qualifier")
    identification.cultivar = try row.valueIfAny("cultivar")
    identification.rootstock = try row.valueIfAny("rootstock")
    identification.taxon = try (row.valueIfAny("taxon_ref_id") as Int64?).map(reference)
    identification.match = try row.word("match")
    identification.date = try row.time("local_date")
    identification.remarks = try row.valueIfAny("remarks")
    return identification
  }

  /// Where a live occurrence was, by its own word or that of its organism, its event or its place.
  func sightingPosition(_ occurrence: Int64) throws -> Position? {
    try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT latitude_e7, longitude_e7, uncertainty_m FROM sighting WHERE occurrence_id = ?
          """), arguments: [occurrence]
    ).flatMap { try $0.position(at: 0) }
  }

  /// The reference in a row of `taxon_ref`.
  func reference(_ id: Int64) throws -> TaxonReference {
    if let known = references?.known[id] { return known }
    guard
      let row = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM taxon_ref WHERE id = ?"), arguments: [id])
    else { throw Self.broken("no reference \(id)") }
    let reference = try Self.reference(row)
    if let references, references.known.count < References.limit {
      references.known[id] = reference
    }
    return reference
  }

  /// The reference that a row of `taxon_ref` states, all columns of which follow each other.
  static func reference(_ row: Row) throws -> TaxonReference {
    let (space, year) = (try row.value(at: 1) as String, try row.value(at: 5) as Int)
    let kingdoms = try row.value(at: 7) as String
    return TaxonReference(
      idSpace: space.isEmpty ? nil : space, id: try row.value(at: 2), name: try row.value(at: 3),
      authorship: try row.value(at: 4), year: year == 0 ? nil : year, rank: try row.value(at: 6),
      kingdoms: kingdoms.split(separator: "\n").map(String.init))
  }

  /// The tags of a record, and the collections that it is in.
  private func labels(_ head: Head, _ row: RecordRow) throws -> (Set<String>, Set<JournalID>) {
    (
      try row.value("has_tagging") ? try tags(head.id) : [],
      try row.value("has_collection_item") ? try collections(head.id) : []
    )
  }

  /// The UUID of the record that a column refers to.
  func uuid(_ row: RecordRow, _ column: String, _ uuidColumn: String) throws -> JournalID {
    guard let uuid = try uuidIfAny(row, column, uuidColumn) else {
      throw Self.broken("nothing in \(column)")
    }
    return uuid
  }

  private func uuidIfAny(
    _ row: RecordRow, _ column: String, _ uuidColumn: String
  ) throws -> JournalID? {
    guard let id = try row.valueIfAny(column) as Int64? else { return nil }
    guard !row.databaseValue(uuidColumn).isNull else { throw Self.broken("no record \(id)") }
    return try row.uuid(uuidColumn)
  }

  func tags(_ id: Int64) throws -> Set<String> {
    try String.fetchSet(
      database.cachedStatement(sql: "SELECT tag FROM tagging WHERE record_id = ?"),
      arguments: [id])
  }

  private func collections(_ id: Int64) throws -> Set<JournalID> {
    let ids = try Int64.fetchAll(
      database.cachedStatement(
        sql: "SELECT collection_id FROM collection_item WHERE record_id = ?"),
      arguments: [id])
    return Set(try ids.map { try head($0).uuid })
  }
}
