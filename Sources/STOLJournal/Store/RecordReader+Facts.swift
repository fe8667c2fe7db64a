import Foundation
import GRDB
import STOLFormats
import STOLTrust

extension RecordReader {
  func photo(_ head: Head, _ row: RecordRow) throws -> Photo {
    var photo = Photo(
      id: head.uuid, target: try uuid(row, "target_id", "target_uuid"),
      file: try mediaFile(row.value("media_id")))
    photo.name = try row.value("name")
    photo.caption = try row.value("caption")
    photo.ordinal = try row.value("ordinal")
    photo.time = try row.time("local_time")
    photo.utcOffsetMin = try row.value("utc_offset_min")
    photo.position = try row.position
    photo.elevationCm = try row.value("elevation_cm")
    photo.author = try row.value("author")
    photo.licence = try row.value("licence")
    photo.source = try row.value("source")
    return photo
  }

  /// The file in a row of `media`.
  func mediaFile(_ id: Int64) throws -> MediaFile {
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT * FROM media WHERE id = ?"), arguments: [id])
    guard let row else { throw Self.broken("no file \(id)") }
    return try Self.mediaFile(row)
  }

  /// The file that the columns of `media` state.
  static func mediaFile(_ row: Row) throws -> MediaFile {
    guard let digest = Digest(try row.value("sha256") as Data) else {
      throw broken("no SHA-256 digest in sha256")
    }
    return MediaFile(
      sha256: digest, type: try row.word("type"), byteCount: try row.value("byte_count"),
      width: try row.value("width"), height: try row.value("height"),
      orientation: try row.value("orientation"))
  }

  /// What dive computers recorded of a dive.
  func logs(_ event: Int64) throws -> [Dive.Log] {
    let rows = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT * FROM dive_log WHERE event_id = ? ORDER BY position"),
      arguments: [event])
    return try rows.map { row in
      var log = Dive.Log()
      if let samples = try row.value("samples") as Data? {
        guard
          let packed = try? Zstd.decompress(
            Array(samples), path: "samples", limit: JournalLimits.samplesByteCount),
          let known = Dive.Log(packed: packed), !packed.isEmpty
        else { throw Self.broken("no samples in dive_log of record \(event)") }
        log = known
      }
      log.model = try row.value("model")
      log.serial = try row.value("serial")
      log.fingerprint = try row.value("fingerprint")
      log.start = try row.time("local_start")
      return log
    }
  }

  func measure(_ head: Head, _ row: RecordRow) throws -> Measure {
    var measure = Measure(
      id: head.uuid, target: try uuid(row, "target_id", "target_uuid"),
      type: try row.value("type"), number: try row.value("number"), text: try row.value("text"))
    measure.method = try row.value("method")
    measure.time = try row.time("local_time")
    measure.remarks = try row.value("remarks")
    return measure
  }

  func person(_ head: Head, _ row: RecordRow) throws -> Person {
    var person = Person(id: head.uuid, name: try row.value("name"))
    person.orcid = try row.value("orcid")
    return person
  }

  /// What there is to dive at, at a place.
  func diveSite(_ place: Int64) throws -> DiveSite? {
    guard
      let row = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT * FROM dive_site WHERE place_id = ?"),
        arguments: [place])
    else { return nil }
    var site = DiveSite()
    site.kind = try row.wordIfAny("kind")
    site.entry = try row.wordIfAny("entry")
    site.difficulty = try row.value("difficulty")
    site.minDepthMm = try row.value("min_depth_mm")
    site.maxDepthMm = try row.value("max_depth_mm")
    site.water = try row.wordIfAny("water")
    site.season = try row.value("season")
    site.description = try row.value("description")
    return site
  }

  /// Who took part in an event.
  func participants(_ event: Int64) throws -> Set<Participant> {
    let rows = try Row.fetchAll(
      database.cachedStatement(sql: "SELECT * FROM event_person WHERE event_id = ?"),
      arguments: [event])
    return Set(
      try rows.map { row in
        Participant(
          person: try head(row.value("person_id") as Int64).uuid, role: try row.word("role"),
          number: try row.value("number"))
      })
  }
}
