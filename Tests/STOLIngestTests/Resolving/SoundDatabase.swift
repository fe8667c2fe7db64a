import GRDB
import STOLData
import STOLIngest
import STOLPack
import TestSupport
import Testing

/// What holds for every database, whatever the source was.
enum SoundDatabase {
  /// Queries that must find nothing.
  static let violations = [
    "a parent that is not there":
      "SELECT id FROM taxa WHERE parent_id NOT IN (SELECT id FROM taxa)",
    "a taxon above itself": """
    WITH RECURSIVE below(id) AS (
      SELECT id FROM taxa WHERE parent_id IS NULL
      UNION ALL SELECT taxa.id FROM taxa JOIN below ON taxa.parent_id = below.id)
    SELECT id FROM taxa EXCEPT SELECT id FROM below
    """,
    "an id of two kinds": """
    SELECT id FROM (
      SELECT id FROM taxa UNION ALL SELECT id FROM collapsed_taxa UNION ALL SELECT id FROM merged_taxa
      UNION ALL SELECT id FROM deleted_taxa)
    GROUP BY id HAVING count(*) > 1
    """,
    "a merged id that leads nowhere":
      "SELECT id FROM merged_taxa WHERE into_id NOT IN (SELECT id FROM taxa)",
    "a source id of nothing": """
    SELECT id FROM source_ids EXCEPT SELECT id FROM taxa EXCEPT SELECT id FROM collapsed_taxa
    EXCEPT SELECT id FROM merged_taxa
    """,
    "a foreign key of nothing": "SELECT * FROM pragma_foreign_key_check",
    "a text that is empty": """
    SELECT id FROM taxa WHERE scientific_name = '' OR author = '' UNION ALL
    SELECT id FROM names WHERE name = '' UNION ALL SELECT id FROM refs WHERE citation = ''
    """,
  ]

  /// What of it does not hold in a database.
  static func faults(_ database: Database) throws -> [String] {
    try violations.filter { try Row.fetchOne(database, sql: $0.value) != nil }.keys.sorted()
  }

  /// Notes what does not hold in the database at `path`; packs it as well.
  static func check(
    _ path: String, _ report: IngestReport, packsIn folder: TemporaryFolder?,
    _ comment: @autoclosure () -> String
  ) throws {
    let queue = try DatabaseQueue(path: path)
    let faults = try queue.read { try Self.faults($0) }
    try queue.close()
    #expect(faults.isEmpty, "\(comment())")
    for source in report.sources {
      #expect(source.unaccounted.isEmpty, "\(comment())")
    }
    guard let folder else { return }
    _ = try PackCompiler(path: path).compile(to: folder("sound.stolpack"))
    try Pack(path: folder("sound.stolpack")).verify()
  }
}
