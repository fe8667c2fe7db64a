import GRDB
import STOLData
import STOLIngest
import STOLPack
import TestSupport
import Testing

/// What holds for every database, whatever the source was.
enum SoundDatabase {
  /// Queries that must find nothing, in every version of the schema.
  static let violations = [
    "a parent that is not there":
      "SELECT id FROM taxa WHERE parent_id NOT IN (SELECT id FROM taxa)",
    "a taxon above itself": """
    WITH RECURSIVE below(id) AS (
      SELECT id FROM taxa WHERE parent_id IS NULL
      UNION ALL SELECT taxa.id FROM taxa JOIN below ON taxa.parent_id = below.id)
    SELECT id FROM taxa EXCEPT SELECT id FROM below
    """,
    "a foreign key of nothing": "SELECT * FROM pragma_foreign_key_check",
    "a text that is empty": """
    SELECT id FROM taxa WHERE scientific_name = '' OR author = '' OR rank = '' UNION ALL
    SELECT id FROM names WHERE name = '' UNION ALL SELECT id FROM refs WHERE citation = ''
    """,
  ]

  /// The same, in the newest version.
  static let newestViolations = [
    "an id of two kinds": """
    SELECT id FROM (
      SELECT id FROM taxa UNION ALL SELECT id FROM merged_taxa UNION ALL SELECT id FROM deleted_taxa)
    GROUP BY id HAVING count(*) > 1
    """,
    "a merged id that leads nowhere":
      "SELECT id FROM merged_taxa WHERE into_id NOT IN (SELECT id FROM taxa)",
    "a taxon without the id of its source, or an implied root with one":
      "SELECT id FROM taxa WHERE (source_id IS NULL) <> (id = -1)",
    "an implied root that is none":
      "SELECT id FROM taxa WHERE id = -1 AND (parent_id IS NOT NULL OR source IS NOT NULL)",
    "an id of the source that two taxa have":
      "SELECT source_id FROM taxa GROUP BY source_id HAVING count(*) > 1",
    "a row without a source": """
    SELECT id FROM taxa WHERE source IS NULL AND id <> -1 UNION ALL
    SELECT id FROM names WHERE source IS NULL UNION ALL SELECT id FROM refs WHERE source IS NULL
    UNION ALL SELECT id FROM traits WHERE source IS NULL
    """,
    "a status that no name has": """
    SELECT id FROM names WHERE CASE name_type WHEN 'synonym' THEN coalesce(status, '') NOT IN
      ('synonym','homotypic','heterotypic','misapplied','misspelling','equivalent','acronym',
       'in-part','includes','ambiguous') ELSE status IS NOT NULL END
    """,
    "a reference of a name of another taxon": """
    SELECT refs.id FROM refs JOIN names ON names.id = name_id WHERE names.taxon_id <> refs.taxon_id
    """,
    "a record with an empty text": """
    SELECT id FROM taxa WHERE '' IN (source_id, code, status_text, sensu) UNION ALL
    SELECT id FROM names WHERE '' IN (source_id, author, rank, status_text, code, sensu)
    """,
  ]

  /// What of it does not hold in a database.
  static func faults(_ database: Database) throws -> [String] {
    let isNewest = try database.tableExists("sources")
    let queries = isNewest ? violations.merging(newestViolations) { $1 } : violations
    return try queries.filter { try Row.fetchOne(database, sql: $0.value) != nil }.keys.sorted()
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
