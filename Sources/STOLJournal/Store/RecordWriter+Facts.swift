import Foundation
import GRDB
import STOLData
import STOLFormats
import STOLMedia
import STOLTrust

extension RecordWriter {
  /// The row of `media` for a file that is there.
  ///
  /// - Throws: `JournalError.invalid` where the file is said to be something else than it is; what the database
  ///   throws.
  func knownMediaID(_ file: MediaFile) throws -> Int64? {
    let known = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT * FROM media WHERE sha256 = ?"),
      arguments: [Data(file.sha256.bytes)])
    guard let known else { return nil }
    let other = try RecordReader.mediaFile(known)
    guard other == file else {
      throw JournalError.invalid(
        field: "file", value: "\(file.sha256)",
        remedy: "the journal has it as \(other.type), \(other.byteCount) bytes, \(other.width) x "
          + "\(other.height) pixels: say the same")
    }
    return try known.value("id")
  }

  /// The row of `media` for a file; a new one is added.
  func mediaID(_ file: MediaFile) throws -> Int64 {
    if let known = try knownMediaID(file) { return known }
    try database.cachedStatement(
      sql: """
        INSERT INTO media (sha256, type, byte_count, width, height, orientation)
        VALUES (?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      Data(file.sha256.bytes), file.type.rawValue, file.byteCount, file.width, file.height,
      file.orientation,
    ])
    return database.lastInsertedRowID
  }

  /// Writes what there is to dive at, at a place.
  func write(_ site: DiveSite?, of place: Int64) throws {
    if !isFirst(place) {
      try database.cachedStatement(sql: "DELETE FROM dive_site WHERE place_id = ?")
        .execute(arguments: [place])
    }
    guard let site else { return }
    try database.cachedStatement(
      sql: """
        INSERT INTO dive_site (place_id, kind, entry, difficulty, min_depth_mm, max_depth_mm, water,
          season, description) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      place, site.kind?.rawValue, site.entry?.rawValue, site.difficulty, site.minDepthMm,
      site.maxDepthMm, site.water?.rawValue, site.season, site.description,
    ])
  }

  /// Writes who took part in an event.
  func write(_ participants: Set<Participant>, of event: Int64, isLive: Bool) throws {
    if !isFirst(event) {
      try database.cachedStatement(sql: "DELETE FROM event_person WHERE event_id = ?")
        .execute(arguments: [event])
    }
    for participant in participants.sorted() {
      try database.cachedStatement(
        sql: "INSERT INTO event_person (event_id, person_id, role, number) VALUES (?, ?, ?, ?)"
      ).execute(arguments: [
        event, try id(of: participant.person, [.person], isLive: isLive),
        participant.role.rawValue, participant.number,
      ])
    }
  }

  /// The row of `taxon_ref` for a reference, which many of one import have.
  func rememberedID(_ reference: TaxonReference) throws -> Int64 {
    if let id = references[reference] { return id }
    let id = try referenceID(reference)
    references[reference] = id
    return id
  }

  func writeParts(_ record: JournalRecord, id: Int64, isLive: Bool) throws {
    switch record {
    case .place(let place):
      try replace("place_state", "place_id", id, "state", place.states.map(\.rawValue).sorted())
      try write(place.diveSite, of: id)
      try write(place.tags, place.collections, of: id, isLive: isLive)
    case .event(let event):
      try write(event.dive, of: id)
      try write(event.persons, of: id, isLive: isLive)
      try write(event.tags, event.collections, of: id, isLive: isLive)
    case .organism(let organism):
      try write(organism.tags, organism.collections, of: id, isLive: isLive)
    case .occurrence(let occurrence):
      try write(occurrence.tags, occurrence.collections, of: id, isLive: isLive)
    case .identification, .note, .collection, .measure, .person, .photo: break
    }
  }

  private func write(
    _ tags: Set<String>, _ collections: Set<JournalID>, of id: Int64, isLive: Bool
  ) throws {
    try replace("tagging", "record_id", id, "tag", tags.sorted())
    let ids = try collections.map { try self.id(of: $0, [.collection], isLive: isLive) }
    try replace("collection_item", "record_id", id, "collection_id", ids.sorted())
  }

  /// Makes some values those of a record in a table of two columns.
  private func replace(
    _ table: String, _ key: String, _ id: Int64, _ column: String,
    _ values: [some DatabaseValueConvertible]
  ) throws {
    if !isFirst(id) {
      try database.cachedStatement(sql: "DELETE FROM \(table) WHERE \(key) = ?")
        .execute(arguments: [id])
    }
    guard !values.isEmpty else { return }
    let statement = try database.cachedStatement(
      sql: "INSERT INTO \(table) (\(key), \(column)) VALUES (?, ?)")
    for value in values { try statement.execute(arguments: [id, value]) }
  }

  private func write(_ dive: Dive?, of event: Int64) throws {
    if !isFirst(event) {
      try database.cachedStatement(sql: "DELETE FROM dive WHERE event_id = ?")
        .execute(arguments: [event])
    }
    guard let dive else { return }
    try database.cachedStatement(
      sql: """
        INSERT INTO dive (event_id, number, mode, duration_s, bottom_s, max_depth_mm, mean_depth_mm,
          water_min_ck, water_max_ck, air_ck, visibility_cm, current_level, salinity_mg_l,
          surface_mbar, weight_g, suit, signed_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      event, dive.number, dive.mode?.rawValue, dive.durationS, dive.bottomS, dive.maxDepthMm,
      dive.meanDepthMm, dive.waterMinCk, dive.waterMaxCk, dive.airCk, dive.visibilityCm,
      dive.currentLevel, dive.salinityMgL, dive.surfaceMbar, dive.weightG, dive.suit,
      dive.signedMs,
    ])
    for (index, tank) in dive.tanks.enumerated() {
      try database.cachedStatement(
        sql: """
          INSERT INTO dive_tank (event_id, position, volume_ml, work_mbar, start_mbar, end_mbar,
            o2_permille, he_permille, use) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        event, index + 1, tank.volumeMl, tank.workMbar, tank.startMbar, tank.endMbar,
        tank.o2Permille, tank.hePermille, tank.use?.rawValue,
      ])
    }
    for (index, log) in dive.logs.enumerated() {
      let samples = log.packed.isEmpty ? nil : Data(try Zstd.compress(log.packed))
      try database.cachedStatement(
        sql: """
          INSERT INTO dive_log (event_id, position, model, serial, fingerprint, local_start, samples)
          VALUES (?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        event, index + 1, log.model, log.serial, log.fingerprint, log.start?.text, samples,
      ])
    }
  }

  /// The row of `taxon_ref` for a reference; a new one is added.
  private func referenceID(_ reference: TaxonReference) throws -> Int64 {
    if let known = try knownID(of: reference) { return known }
    try database.cachedStatement(
      sql: """
        INSERT INTO taxon_ref (id_space, id_text, name, author, year, rank, kingdoms)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: Self.values(of: reference))
    return database.lastInsertedRowID
  }

  /// The row of `taxon_ref` for a reference that is there.
  func knownID(of reference: TaxonReference) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT id FROM taxon_ref WHERE id_space = ? AND id_text = ? AND name = ? AND author = ?
            AND year = ? AND rank = ? AND kingdoms = ?
          """), arguments: Self.values(of: reference))
  }

  private static func values(of reference: TaxonReference) -> StatementArguments {
    [
      reference.idSpace ?? "", reference.id, reference.name, reference.authorship,
      reference.year ?? 0, reference.rank, reference.kingdoms.joined(separator: "\n"),
    ]
  }
}
