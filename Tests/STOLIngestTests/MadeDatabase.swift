import Foundation
import GRDB
import STOLIngest
import TestSupport

/// A database that was made of a source, and the report of it.
struct MadeDatabase {
  let report: IngestReport
  let queue: DatabaseQueue
  private let folder: TemporaryFolder

  /// Ingests what lies at `path`.
  init(_ kind: SourceKind, _ path: String, mappingPath: String? = nil) throws {
    folder = try TemporaryFolder()
    let source = IngestSource(kind: kind, path: path, mappingPath: mappingPath)
    report = try Ingestion(source).write(to: folder("made.sqlite"))
    queue = try DatabaseQueue(path: folder("made.sqlite"))
  }

  /// Ingests files that are written first.
  init(_ kind: SourceKind, files: [String: String]) throws {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(Array(text.utf8), to: name) }
    try self.init(kind, folder.path)
  }

  /// The rows of a query, each as its values with "|" between them.
  func rows(_ sql: String) throws -> [String] {
    try queue.read { database in
      try Row.fetchAll(database, sql: sql).map { row in
        row.databaseValues.map { $0.isNull ? "-" : "\($0)" }
          .map { $0.trimmingCharacters(in: ["\""]) }.joined(separator: "|")
      }
    }
  }

  /// Taxa as "rank name < parent".
  var taxa: [String] {
    get throws {
      try rows(
        """
        SELECT t.rank || ' ' || t.scientific_name || coalesce(' ' || t.author, '')
          || CASE t.status WHEN 'accepted' THEN '' ELSE ' ?' END
          || coalesce(' < ' || p.scientific_name, '')
        FROM taxa t LEFT JOIN taxa p ON p.id = t.parent_id ORDER BY 1
        """)
    }
  }

  /// Synonyms as "name author = taxon".
  var synonyms: [String] {
    get throws {
      try rows(
        """
        SELECT n.name || coalesce(' ' || n.author, '') || ' = ' || t.scientific_name
        FROM names n JOIN taxa t ON t.id = n.taxon_id
        WHERE n.name_type = 'synonym' ORDER BY 1
        """)
    }
  }

  /// Traits as "taxon key=value".
  var traits: [String] {
    get throws {
      try rows(
        """
        SELECT scientific_name || ' ' || trait_key || '=' || trait_value || coalesce(' ' || unit, '')
        FROM traits JOIN taxa ON taxa.id = taxon_id ORDER BY 1
        """)
    }
  }

  /// What became of the rows of a file.
  func outcomes(_ file: String) -> [String: Int] {
    report.sources[0].files.first { $0.name == file }?.outcomes ?? [:]
  }

  /// Files whose rows are not accounted for.
  var unaccounted: [String] { report.sources.flatMap(\.unaccounted) }

  /// How often something odd was found.
  func count(_ finding: String) -> Int { report.sources[0].findings[finding]?.count ?? 0 }
}
