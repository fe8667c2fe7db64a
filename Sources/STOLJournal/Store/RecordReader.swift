import Foundation
import GRDB
import STOLData

/// Reads records of the file.
struct RecordReader {
  let database: Database

  /// What `record` says about a UUID.
  struct Head {
    let id: Int64
    let uuid: JournalID
    let kind: JournalRecord.Kind
    let createdMs: Int64
    let changedMs: Int64
    let deletedMs: Int64?

    init(_ row: Row) throws {
      id = row["id"]
      let bytes: Data = row["uuid"]
      guard let uuid = JournalID(bytes: bytes) else {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a UUID without 16 bytes")
      }
      self.uuid = uuid
      kind = try row.word("kind")
      createdMs = row["created_ms"]
      changedMs = row["changed_ms"]
      deletedMs = row["deleted_ms"]
    }
  }

  func head(_ id: JournalID) throws -> Head? {
    try Row.fetchOne(
      database.cachedStatement(sql: "SELECT * FROM record WHERE uuid = ?"),
      arguments: [Data(id.bytes)]
    ).map(Head.init)
  }

  func head(_ id: Int64) throws -> Head {
    guard
      let row = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM record WHERE id = ?"), arguments: [id])
    else { throw Self.broken("no record \(id)") }
    return try Head(row)
  }

  /// The UUID of a record that another one refers to.
  func uuid(_ id: Int64?) throws -> JournalID? { try id.map { try head($0).uuid } }

  static func broken(_ reason: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: reason)
  }

  func stored(_ head: Head) throws -> StoredRecord {
    StoredRecord(
      id: head.id, createdMs: head.createdMs, changedMs: head.changedMs, deletedMs: head.deletedMs,
      record: try record(head))
  }

  func record(_ head: Head) throws -> JournalRecord {
    guard
      let row = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM \(head.kind.rawValue) WHERE id = ?"),
        arguments: [head.id])
    else { throw Self.broken("record \(head.id) is in no table") }
    return switch head.kind {
    case .place: .place(try place(head, row))
    case .event: .event(try event(head, row))
    case .organism: .organism(try organism(head, row))
    case .occurrence: .occurrence(try occurrence(head, row))
    case .identification: .identification(try identification(head, row))
    case .note:
      .note(
        Note(
          id: head.uuid, target: try self.head(row["target_id"] as Int64).uuid, text: row["text"],
          time: try row.time("local_time")))
    case .collection: .collection(JournalCollection(id: head.uuid, name: row["name"]))
    }
  }

  private func place(_ head: Head, _ row: Row) throws -> Place {
    var place = Place(id: head.uuid, kind: try row.word("kind"), name: row["name"])
    place.parent = try uuid(row["parent_id"])
    place.position = row.position
    place.elevationCm = row["elevation_cm"]
    place.locality = row["locality"]
    place.waterBody = row["water_body"]
    place.country = row["country"]
    let states = try String.fetchAll(
      database.cachedStatement(sql: "SELECT state FROM place_state WHERE place_id = ?"),
      arguments: [head.id])
    for state in states { place.states.insert(try Place.State(word: state, field: "state")) }
    (place.tags, place.collections) = (try tags(head.id), try collections(head.id))
    return place
  }

  private func event(_ head: Head, _ row: Row) throws -> Event {
    var event = Event(
      id: head.uuid, kind: try row.word("kind"),
      start: try LocalTime(row["local_start"], field: "local_start"))
    event.status = try row.word("status")
    event.parent = try uuid(row["parent_id"])
    event.place = try uuid(row["place_id"])
    event.position = row.position
    event.end = try row.time("local_end")
    event.utcOffsetMin = row["utc_offset_min"]
    event.protocol = row["protocol"]
    event.isCompleteList = row["is_complete_list"]
    event.weather = row["weather"]
    event.remarks = row["remarks"]
    event.dive = try dive(head.id)
    (event.tags, event.collections) = (try tags(head.id), try collections(head.id))
    return event
  }

  private func dive(_ event: Int64) throws -> Dive? {
    guard
      let row = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM dive WHERE event_id = ?"), arguments: [event])
    else { return nil }
    var dive = Dive()
    dive.number = row["number"]
    dive.mode = try row.wordIfAny("mode")
    dive.durationS = row["duration_s"]
    dive.maxDepthMm = row["max_depth_mm"]
    dive.meanDepthMm = row["mean_depth_mm"]
    dive.waterMinCk = row["water_min_ck"]
    dive.waterMaxCk = row["water_max_ck"]
    dive.airCk = row["air_ck"]
    dive.visibilityCm = row["visibility_cm"]
    dive.currentLevel = row["current_level"]
    dive.surfaceMbar = row["surface_mbar"]
    dive.weightG = row["weight_g"]
    dive.suit = row["suit"]
    let tanks = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT * FROM dive_tank WHERE event_id = ? ORDER BY position"),
      arguments: [event])
    dive.tanks = tanks.map { row in
      var tank = Dive.Tank()
      tank.volumeMl = row["volume_ml"]
      tank.startMbar = row["start_mbar"]
      tank.endMbar = row["end_mbar"]
      tank.o2Permille = row["o2_permille"]
      tank.hePermille = row["he_permille"]
      return tank
    }
    return dive
  }

  private func organism(_ head: Head, _ row: Row) throws -> Organism {
    var organism = Organism(id: head.uuid)
    organism.name = row["name"]
    organism.place = try uuid(row["place_id"])
    organism.position = row.position
    organism.elevationCm = row["elevation_cm"]
    organism.status = try row.word("status")
    organism.planted = try row.time("planted")
    (organism.tags, organism.collections) = (try tags(head.id), try collections(head.id))
    return organism
  }

  private func occurrence(_ head: Head, _ row: Row) throws -> Occurrence {
    var occurrence = Occurrence(
      id: head.uuid, event: try self.head(row["event_id"] as Int64).uuid)
    occurrence.organism = try uuid(row["organism_id"])
    occurrence.position = row.position
    occurrence.time = try row.time("local_time")
    occurrence.presence = try row.word("presence")
    occurrence.count = row["count"]
    occurrence.countKind = try row.wordIfAny("count_kind")
    occurrence.sex = row["sex"]
    occurrence.lifeStage = row["life_stage"]
    occurrence.behaviour = row["behaviour"]
    occurrence.establishment = try row.wordIfAny("establishment")
    occurrence.minDepthMm = row["min_depth_mm"]
    occurrence.maxDepthMm = row["max_depth_mm"]
    occurrence.remarks = row["remarks"]
    (occurrence.tags, occurrence.collections) = (try tags(head.id), try collections(head.id))
    return occurrence
  }

  private func identification(_ head: Head, _ row: Row) throws -> Identification {
    var identification = Identification(
      id: head.uuid, occurrence: try self.head(row["occurrence_id"] as Int64).uuid,
      verbatimName: row["verbatim_name"])
    identification.qualifier = row["qualifier"]
    identification.cultivar = row["cultivar"]
    identification.rootstock = row["rootstock"]
    identification.taxon = try (row["taxon_ref_id"] as Int64?).map(reference)
    identification.match = try row.word("match")
    identification.date = try row.time("local_date")
    identification.remarks = row["remarks"]
    return identification
  }

  /// The reference in a row of `taxon_ref`.
  func reference(_ id: Int64) throws -> TaxonReference {
    guard
      let row = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM taxon_ref WHERE id = ?"), arguments: [id])
    else { throw Self.broken("no reference \(id)") }
    return Self.reference(row)
  }

  /// The reference that the columns of `taxon_ref` state.
  static func reference(_ row: Row) -> TaxonReference {
    let (space, year) = (row["id_space"] as String, row["year"] as Int)
    return TaxonReference(
      idSpace: space.isEmpty ? nil : space, id: row["id_text"], name: row["name"],
      authorship: row["author"], year: year == 0 ? nil : year, rank: row["rank"],
      kingdoms: (row["kingdoms"] as String).split(separator: "\n").map(String.init))
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
