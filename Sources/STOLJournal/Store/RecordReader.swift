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
      id = try row.value("id")
      uuid = try row.uuid("uuid")
      kind = try row.word("kind")
      createdMs = try row.value("created_ms")
      changedMs = try row.value("changed_ms")
      deletedMs = try row.value("deleted_ms")
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
          id: head.uuid, target: try self.head(row.value("target_id") as Int64).uuid,
          text: try row.value("text"),
          time: try row.time("local_time")))
    case .collection: .collection(JournalCollection(id: head.uuid, name: try row.value("name")))
    case .measure: .measure(try measure(head, row))
    case .person: .person(try person(head, row))
    }
  }

  private func place(_ head: Head, _ row: Row) throws -> Place {
    var place = Place(id: head.uuid, kind: try row.word("kind"), name: try row.value("name"))
    place.parent = try uuid(row.value("parent_id"))
    place.position = try row.position
    place.elevationCm = try row.value("elevation_cm")
    place.locality = try row.value("locality")
    place.waterBody = try row.value("water_body")
    place.country = try row.value("country")
    place.privacy = try row.word("privacy")
    place.diveSite = try diveSite(head.id)
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
      start: try LocalTime(row.value("local_start"), field: "local_start"))
    event.status = try row.word("status")
    event.parent = try uuid(row.value("parent_id"))
    event.place = try uuid(row.value("place_id"))
    event.position = try row.position
    event.end = try row.time("local_end")
    event.utcOffsetMin = try row.value("utc_offset_min")
    event.protocol = try row.value("protocol")
    event.effortValue = try row.value("effort_value")
    event.effortUnit = try row.value("effort_unit")
    event.isCompleteList = try row.value("is_complete_list")
    event.weather = try row.value("weather")
    event.remarks = try row.value("remarks")
    event.dive = try dive(head.id)
    event.persons = try participants(head.id)
    (event.tags, event.collections) = (try tags(head.id), try collections(head.id))
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
    dive.maxDepthMm = try row.value("max_depth_mm")
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

  private func organism(_ head: Head, _ row: Row) throws -> Organism {
    var organism = Organism(id: head.uuid)
    organism.name = try row.value("name")
    organism.place = try uuid(row.value("place_id"))
    organism.position = try row.position
    organism.elevationCm = try row.value("elevation_cm")
    organism.status = try row.word("status")
    organism.planted = try row.time("planted")
    (organism.tags, organism.collections) = (try tags(head.id), try collections(head.id))
    return organism
  }

  private func occurrence(_ head: Head, _ row: Row) throws -> Occurrence {
    var occurrence = Occurrence(
      id: head.uuid, event: try self.head(row.value("event_id") as Int64).uuid)
    occurrence.organism = try uuid(row.value("organism_id"))
    occurrence.position = try row.position
    occurrence.time = try row.time("local_time")
    occurrence.presence = try row.word("presence")
    occurrence.count = try row.value("count")
    occurrence.countKind = try row.wordIfAny("count_kind")
    occurrence.sex = try row.value("sex")
    occurrence.lifeStage = try row.value("life_stage")
    occurrence.behaviour = try row.value("behaviour")
    occurrence.establishment = try row.wordIfAny("establishment")
    occurrence.minDepthMm = try row.value("min_depth_mm")
    occurrence.maxDepthMm = try row.value("max_depth_mm")
    occurrence.privacy = try row.word("privacy")
    occurrence.remarks = try row.value("remarks")
    (occurrence.tags, occurrence.collections) = (try tags(head.id), try collections(head.id))
    return occurrence
  }

  private func identification(_ head: Head, _ row: Row) throws -> Identification {
    var identification = Identification(
      id: head.uuid, occurrence: try self.head(row.value("occurrence_id") as Int64).uuid,
      verbatimName: try row.value("verbatim_name"))
    identification.qualifier = try row.value("qualifier")
    identification.cultivar = try row.value("cultivar")
    identification.rootstock = try row.value("rootstock")
    identification.taxon = try (row.value("taxon_ref_id") as Int64?).map(reference)
    identification.match = try row.word("match")
    identification.date = try row.time("local_date")
    identification.remarks = try row.value("remarks")
    return identification
  }

  /// The reference in a row of `taxon_ref`.
  func reference(_ id: Int64) throws -> TaxonReference {
    guard
      let row = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM taxon_ref WHERE id = ?"), arguments: [id])
    else { throw Self.broken("no reference \(id)") }
    return try Self.reference(row)
  }

  /// The reference that the columns of `taxon_ref` state.
  static func reference(_ row: Row) throws -> TaxonReference {
    let (space, year) = (try row.value("id_space") as String, try row.value("year") as Int)
    let kingdoms = try row.value("kingdoms") as String
    return TaxonReference(
      idSpace: space.isEmpty ? nil : space, id: try row.value("id_text"),
      name: try row.value("name"), authorship: try row.value("author"),
      year: year == 0 ? nil : year, rank: try row.value("rank"),
      kingdoms: kingdoms.split(separator: "\n").map(String.init))
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
