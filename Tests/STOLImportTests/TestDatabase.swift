import Foundation
import STOLData
import TestSupport
import Testing

@testable import STOLImport
@testable import STOLTrust

/// Small databases, written by SQL, and containers of them.
enum TestDatabase {
  /// The tables of schema version 1 and a few taxa.
  static let sound = """
    CREATE TABLE schema_version (version INTEGER NOT NULL, applied_at TEXT NOT NULL
      DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ','now')));
    INSERT INTO schema_version VALUES (1, '2026-01-01T00:00:00Z');
    CREATE TABLE taxa (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES taxa(id),
      rank TEXT NOT NULL CHECK (rank IN ('domain','kingdom','genus','species')),
      scientific_name TEXT NOT NULL, author TEXT, year INTEGER,
      status TEXT NOT NULL DEFAULT 'accepted' CHECK (status IN ('accepted','synonym','doubtful')),
      conservation TEXT -- IUCN code: 'LC', don't know
    );
    CREATE INDEX idx_taxa_parent ON taxa(parent_id);
    CREATE INDEX idx_taxa_name ON taxa(scientific_name);
    INSERT INTO taxa (id, parent_id, rank, scientific_name) VALUES
      (1, NULL, 'kingdom', 'Animalia'), (2, 1, 'genus', 'Panthera'), (3, 2, 'species', 'Panthera leo');
    """

  /// Writes a database at `path`.
  static func write(_ sql: String, to path: String) throws {
    let script = path + ".sql"
    try Data(sql.utf8).write(to: URL(fileURLWithPath: script))
    defer { try? FileManager.default.removeItem(atPath: script) }
    let program = """
      import sqlite3, sys; c = sqlite3.connect(sys.argv[1])
      c.executescript(open(sys.argv[2], encoding="utf-8").read()); c.commit()
      """
    let end = try ChildProcess.run("/usr/bin/env", ["python3", "-c", program, path, script])
    try #require(end == .status(0))
  }

  /// Writes a container of a database whose tables `sql` makes.
  static func container(
    _ sql: String = sound, in folder: TemporaryFolder, name: String = "a.stol",
    dataset: String = "test", release: UInt32? = 1, version2: Bool = false
  ) throws -> String {
    let database = folder(name + ".sqlite")
    try write(sql, to: database)
    let time = try #require(BuildTime("2026-01-01T00:00:00Z"))
    let id = try #require(DatasetID(dataset))
    let stated = release.flatMap { Release(dataset: id, number: $0, buildTime: time) }
    let writer = ContainerWriter(
      schemaVersion: 1, release: stated, key: try TestContainer.key)
    if version2 {
      let pack = folder(name + ".stolpack")
      _ = try PackCompiler(path: database).compile(to: pack)
      try writer.writeVersion2(database: database, pack: pack, to: folder(name))
    } else {
      try writer.writeVersion1(database: database, to: folder(name))
    }
    return folder(name)
  }

  /// The same tables with one more species, so that the content differs.
  static let other =
    sound + "\nINSERT INTO taxa (id, parent_id, rank, scientific_name) "
    + "VALUES (4, 2, 'species', 'Panthera onca');"
}
