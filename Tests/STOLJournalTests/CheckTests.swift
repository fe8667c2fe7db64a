import GRDB
import STOLStore
import Testing

@testable import STOLJournal

@Suite("What a check finds")
struct CheckTests {
  @Test(arguments: [
    ("UPDATE sighting SET day = day + 1", "sighting"),
    (
      "DELETE FROM sighting WHERE occurrence_id = (SELECT max(occurrence_id) FROM sighting)",
      "sighting"
    ),
    ("UPDATE taxon_tally SET sighting_count = 7", "taxon_tally"),
    ("UPDATE taxon_tally SET last_ms = last_ms + 1", "taxon_tally"),
    ("UPDATE taxon_tally SET first_id = first_id + 1", "taxon_tally"),
    ("UPDATE taxon_tally SET last_time = '2026'", "taxon_tally"),
    ("UPDATE sighting SET local_time = '2026'", "sighting"),
    ("UPDATE batch SET byte_count = byte_count + 1", "batch"),
    ("INSERT INTO day_tally VALUES (1, 1)", "day_tally"),
    ("UPDATE cell SET latitude_sum_e7 = latitude_sum_e7 + 1 WHERE level = 8", "cell"),
    ("DELETE FROM cell WHERE level = 12", "cell"),
    ("UPDATE facet_tally SET sighting_count = 9 WHERE facet = 'year'", "facet_tally"),
    ("INSERT INTO facet_tally VALUES (8, 0, 0, 'kind', 'dive', 1)", "facet_tally"),
    ("UPDATE sighting SET month = 4", "sighting"),
    ("DELETE FROM place_box", "place_box"),
    ("UPDATE sighting_box SET min_lon = min_lon - 1", "sighting_box"),
    ("DELETE FROM journal_text WHERE name LIKE 'Beech%'", "journal_text"),
    ("INSERT INTO journal_text (rowid, name, body) VALUES (99, 'a', 'b')", "journal_text"),
    ("UPDATE note SET text = 'other'", "journal_text"),
    ("UPDATE place SET latitude_e7 = 900000001", "record"),
    ("UPDATE place SET longitude_e7 = NULL", "place_box"),
    ("UPDATE event SET kind = 'party'", "record"),
    ("UPDATE event SET local_start = '2026-02-30'", "record"),
    ("UPDATE event SET start_ms = start_ms + 1", "event"),
    ("UPDATE occurrence SET local_day = 1 WHERE local_time NOT NULL", "occurrence"),
    ("UPDATE record SET kind = 'event' WHERE kind = 'place'", "place"),
    ("UPDATE record SET deleted_ms = 1 WHERE kind = 'place'", "event"),
    ("UPDATE record SET deleted_ms = 1 WHERE kind = 'collection'", "collection_item"),
    ("UPDATE record SET deleted_ms = 1 WHERE kind = 'person'", "event_person"),
    ("UPDATE record SET deleted_ms = 1 WHERE kind = 'organism'", "measure"),
    ("UPDATE measure SET type = 'girth'", "record"), ("UPDATE measure SET number = -1", "record"),
    ("UPDATE person SET name = 'Bob'", "journal_text"),
    ("UPDATE person SET orcid = '1'", "record"), ("UPDATE event_person SET role = 'x'", "record"),
    ("UPDATE place SET privacy = 'secret'", "record"),
    ("INSERT INTO dive_site (place_id) SELECT id FROM place", "record"),
    ("INSERT INTO dive_site (place_id, season) SELECT id, 'May' FROM place", "journal_text"),
    ("UPDATE record SET uuid = x'00' WHERE kind = 'place'", "record"),
    ("PRAGMA foreign_keys = OFF; UPDATE note SET target_id = 999", "note"),
    ("UPDATE record SET deleted_ms = 1 WHERE kind = 'note'", "photo"),
    ("UPDATE record SET changed_ms = changed_ms + 1", "record"),
    ("UPDATE record SET moments = '{'", "record"),
    ("UPDATE record SET moments = '{\"x\":1}'", "record"),
    ("UPDATE record SET moments = '{\"name\":1}'", "record"),
    ("UPDATE media SET sha256 = x'00'", "record"), ("UPDATE media SET width = 0", "record"),
    ("UPDATE media SET type = 'gif'", "record"), ("UPDATE photo SET ordinal = 0", "record"),
    ("PRAGMA foreign_keys = OFF; DELETE FROM media", "photo"),
    (
      """
      UPDATE event SET kind = 'dive'; INSERT INTO dive (event_id) SELECT id FROM event;
      INSERT INTO dive_log (event_id, position, samples) SELECT id, 1, x'00' FROM event
      """, "record"
    ),
  ])
  func everyFaultIsNamed(sql: String, table: String) throws {
    let home = try TestJournal()
    let walk = try Walk()
    let photo = try PhotoFile(PhotoSample.full.jpeg(), name: nil).photo(of: walk.note.id)
    try home.open().save(walk.records + [.photo(photo)])
    try home.inside { try $0.execute(sql: sql) }
    let faults = try home.open().check()
    #expect(faults.contains { $0.hasPrefix(table) }, "\(faults)")
  }

  /// In a file too large to be read as a whole when it is opened a value may be of another type.
  @Test func aValueOfAnotherTypeIsNamed() throws {
    let home = try TestJournal()
    let journal = try home.open()
    let walk = try Walk()
    try journal.save(walk.records)
    func setSchema(_ expression: String) throws {
      try home.inside {
        try $0.execute(
          sql: """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = \(expression) WHERE name = 'place'
            """)
      }
    }
    try setSchema("replace(sql, 'STRICT', '')")
    try home.inside { try $0.execute(sql: "UPDATE place SET latitude_e7 = 'north'") }
    try setSchema("sql || 'STRICT'")
    let faults = try journal.check()
    #expect(
      !faults.isEmpty
        && faults.allSatisfy { $0.hasPrefix("file: ") && $0.contains("place.latitude_e7") },
      "\(faults)")
    let error = #expect(throws: StoreError.self) { try journal.record(walk.place.id) }
    guard case .kept(home.path, _, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(throws: StoreError.self) { try journal.liveRecords() }
    #expect(throws: StoreError.self) { try journal.places(PlaceQuery()) }
  }

  @Test func aRebuildMendsWhatFollowsFromTheRecords() throws {
    let home = try TestJournal()
    let journal = try home.open()
    try journal.save(try Walk().records)
    let before = try home.dump()
    try home.inside {
      try $0.execute(
        sql: """
          DELETE FROM sighting; DELETE FROM place_box; DELETE FROM sighting_box;
          DELETE FROM journal_text; UPDATE day_tally SET sighting_count = 9; DELETE FROM taxon_tally
          """)
    }
    // Tallies and boxes of sightings follow from sightings, of which none is left.
    let tables = try journal.check().compactMap { $0.split(separator: ":").first }
    #expect(
      Set(tables)
        == ["sighting", "day_tally", "cell", "facet_tally", "place_box", "journal_text"])
    try journal.rebuild()
    #expect(try journal.check() == [])
    #expect(try home.dump() == before)
  }
}
