import Foundation
import STOLData
import TestSupport
import Testing

@testable import STOLImport

/// Signed databases that nobody should have signed.
@Suite("Hostile databases")
struct HostileDatabaseTests {
  /// What is added to a sound database, and why it must not be there.
  static let additions: [(name: String, sql: String)] = {
    var all: [(String, String)] = []
    let tables = ["taxa", "schema_version", "names", "dataset"]
    let key = ["schema_version": "version", "dataset": "key"]
    let names =
      "CREATE TABLE names (id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL, "
      + "name TEXT NOT NULL, lang TEXT NOT NULL, name_type TEXT NOT NULL, is_preferred INTEGER);"
    func add(_ name: String, _ sql: String) { all.append((name, sql)) }
    for table in tables {
      let prefix =
        table == "names"
        ? names : table == "dataset" ? "CREATE TABLE dataset (key TEXT, value TEXT);" : ""
      let column = key[table] ?? "id"
      for event in ["INSERT", "UPDATE", "DELETE"] {
        for time in ["BEFORE", "AFTER"] {
          add(
            "trigger \(time) \(event) on \(table)",
            prefix + "CREATE TRIGGER t \(time) \(event) ON \(table) BEGIN SELECT 1; END;")
        }
      }
      for expression in [
        "abs(rowid)", "length(rowid)", "1 + rowid", "rowid || 'x'", "CASE WHEN rowid THEN 2 END",
      ] {
        let replaced = expression.replacing("rowid", with: column)
        add(
          "index over \(replaced) of \(table)", prefix + "CREATE INDEX i ON \(table)(\(replaced));")
      }
      for condition in ["1", "rowid > 0", "rowid IN (1, 2)"] {
        add(
          "partial index of \(table) where \(condition)",
          prefix + "CREATE INDEX i ON \(table)(\(column)) WHERE "
            + condition.replacing("rowid", with: column) + ";")
      }
      for (number, check) in [
        "length(x) > 0", "x IN (SELECT 1)", "abs(x) > 1", "printf('%*d', 1000000000, 1) = ''",
        "\"hex\"(x) = ''", "x LIKE lower(x)", "x > (abs(1))", "(((length(x)))) > 1",
        "x IN (1, length(x))", "NOT(hex(x) = 'z')",
      ].enumerated() where !check.contains("SELECT") {
        add(
          "check \(number) in a column of \(table)",
          prefix + "ALTER TABLE \(table) ADD COLUMN x INTEGER CHECK (\(check));")
      }
      for (number, generated) in ["1", "id + 1", "hex(zeroblob(9))", "'a' || 'b'"].enumerated() {
        let value = generated == "id + 1" ? "\(column) + 1" : generated
        add(
          "generated column \(number) of \(table)",
          prefix + "ALTER TABLE \(table) ADD COLUMN x AS (\(value)) VIRTUAL;")
      }
    }
    for view in ["v", "names", "refs", "traits", "dataset", "merged_taxa", "deleted_taxa"] {
      add("view \(view)", "CREATE VIEW \(view) AS SELECT 1 AS id, 2 AS taxon_id;")
      add(
        "endless view \(view)",
        "CREATE VIEW \(view) AS WITH RECURSIVE r(id) AS (SELECT 1 UNION ALL SELECT id FROM r) "
          + "SELECT id FROM r;")
    }
    for table in ["evil", "names", "fts_other", "fts_taxa_evil"] {
      add("virtual table \(table), fts5", "CREATE VIRTUAL TABLE \(table) USING fts5(x);")
      add("virtual table \(table), rtree", "CREATE VIRTUAL TABLE \(table) USING rtree(id, a, b);")
      add("virtual table \(table), fts4", "CREATE VIRTUAL TABLE \(table) USING fts4(x);")
    }
    add("virtual table fts_taxa, rtree", "CREATE VIRTUAL TABLE fts_taxa USING rtree(id, a, b);")
    for count in [1, 2, 100, 2_000] {
      add(
        "\(count) further tables",
        (0..<count).map { "CREATE TABLE further\($0) (x);" }.joined())
    }
    for table in [
      "Taxa2", "users", "config", "sqlitesequence", "taxa_old", "refs2", "fts_taxa_extra", "täxa",
      "taxa\u{0301}",
    ] {
      add("table \(table)", "CREATE TABLE \"\(table)\" (x);")
    }
    for number in 1...20 {
      // Nested ever deeper, in a constraint that calls nothing.
      let depth = number * 4
      let condition =
        String(repeating: "(", count: depth) + "1" + String(repeating: ")", count: depth)
      add(
        "a constraint of depth \(depth), and a call",
        "ALTER TABLE taxa ADD COLUMN x INTEGER CHECK (\(condition) OR abs(x) > 0);")
    }
    for megabytes in [2, 20, 200] {
      for column in ["scientific_name", "author", "conservation"] {
        add(
          "\(megabytes) MB in \(column)",
          "UPDATE taxa SET \(column) = zeroblob(\(megabytes) << 20) WHERE id = 3;")
      }
    }
    for (table, columns) in [
      ("taxa", ["source_id", "code", "status_text", "sensu"]),
      ("names", ["source_id", "author", "rank", "status", "status_text", "code", "sensu"]),
      ("merged_taxa", ["source_id"]), ("deleted_taxa", ["source_id"]),
      ("sources", ["kind", "name", "release", "licence", "citation", "url"]),
    ] {
      let made =
        table == "taxa"
        ? "" : table == "names" ? names : "CREATE TABLE \(table) (id INTEGER PRIMARY KEY, into_id);"
      let row =
        table == "names"
        ? "INSERT INTO names VALUES (1, 3, 'x', 'la', 'synonym', 0);"
        : table == "taxa" ? "" : "INSERT INTO \(table) VALUES (99, 3);"
      for column in columns {
        add(
          "2 MB in \(column) of \(table)",
          made + row + "ALTER TABLE \(table) ADD COLUMN \(column) TEXT;"
            + "UPDATE \(table) SET \(column) = zeroblob(2 << 20);")
      }
    }
    for version in ["2", "99", "-1", "'x'", "9e99", "x'00'"] {
      add("schema version \(version)", "UPDATE schema_version SET version = \(version);")
    }
    add("two schema versions", "INSERT INTO schema_version VALUES (7, '');")
    add("one schema version twice", "INSERT INTO schema_version SELECT * FROM schema_version;")
    add("no schema version", "DELETE FROM schema_version;")
    add("no table of schema versions", "DROP TABLE schema_version;")
    add("no table of taxa", "DROP TABLE taxa;")
    add("no taxa", "DELETE FROM taxa;")
    add("a cycle", "UPDATE taxa SET parent_id = 3 WHERE id = 1;")
    add(
      "an unknown parent", "PRAGMA foreign_keys = OFF; UPDATE taxa SET parent_id = 77 WHERE id = 2;"
    )
    add("WAL mode", "PRAGMA journal_mode = WAL;")
    for (number, sql) in [
      "UPDATE sqlite_schema SET sql = 'CREATE TABLE taxa(id)' WHERE name = 'taxa'",
      "UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'taxa'",
      "UPDATE sqlite_schema SET rootpage = 99999 WHERE name = 'taxa'",
      "UPDATE sqlite_schema SET sql = 'nonsense' WHERE name = 'taxa'",
      "UPDATE sqlite_schema SET sql = NULL WHERE name = 'taxa'",
      "UPDATE sqlite_schema SET type = 'view' WHERE name = 'taxa'",
      "UPDATE sqlite_schema SET name = 'x' WHERE name = 'idx_taxa_name'",
      "UPDATE sqlite_schema SET tbl_name = 'x' WHERE name = 'idx_taxa_name'",
      "UPDATE sqlite_schema SET sql = replace(hex(zeroblob(40000)), '00', '(') WHERE name = 'taxa'",
    ].enumerated() {
      add("schema \(number) written by hand", "PRAGMA writable_schema = ON; \(sql);")
    }
    return all
  }()

  private struct Endless: Error {}
  private static let stepLimit = 10_000

  @Test(arguments: additions.indices)
  func isRefusedAndChangesNothing(_ index: Int) throws {
    let (name, sql) = Self.additions[index]
    let folder = try TemporaryFolder()
    let path: String
    do {
      path = try TestDatabase.container(TestDatabase.sound + sql, in: folder, release: nil)
    } catch {
      Issue.record("\(name): could not be made: \(error)")
      return
    }
    let directory = DataDirectory(override: folder("home"))
    // Also asked between so many steps of SQLite, for statements that have no end.
    var stepCount = 0
    let error = #expect(throws: (any Error).self, "\(name)") {
      _ = try ReferenceImport(
        of: path, into: directory, trusting: try TestContainer.keyring
      ).run { _ in
        stepCount += 1
        if stepCount > Self.stepLimit { throw Endless() }
      }
    }
    #expect(!(error is Endless), "\(name)")
    #expect(try ReferenceStore(in: directory).installed() == nil, "\(name)")
    let left = try FileManager.default.contentsOfDirectory(atPath: directory.databases)
    #expect(left == [], "\(name)")
  }

  @Test(arguments: [
    (2, "it is in WAL mode"), (3, "its header states versions 3 and 3 of SQLite's file format"),
  ])
  func saysWhatTheVersionsOfTheFileFormatAre(_ version: UInt8, _ words: String) throws {
    let folder = try TemporaryFolder()
    try TestDatabase.write(TestDatabase.sound, to: folder("a.sqlite"))
    var bytes = try folder.bytes(of: "a.sqlite")
    (bytes[18], bytes[19]) = (version, version)
    try Data(TestContainer.signed(body: TestContainer.gzip(bytes)))
      .write(to: URL(fileURLWithPath: folder("a.stol")))
    let directory = DataDirectory(override: folder("home"))
    let error = #expect(throws: (any Error).self) {
      _ = try ReferenceImport(
        of: folder("a.stol"), into: directory, trusting: try TestContainer.keyring
      ).run()
    }
    #expect("\(try #require(error))".contains(words))
  }

  @Test func thereAreManyKinds() {
    print("\(Self.additions.count) hostile databases")
    #expect(Self.additions.count >= 200)
  }

  @Test func whatTheSchemaHoldsIsLetIn() throws {
    let folder = try TemporaryFolder()
    let tables = """
      CREATE TABLE names (id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL REFERENCES taxa(id)
        ON DELETE CASCADE, name TEXT NOT NULL, lang TEXT NOT NULL, name_type TEXT NOT NULL
        CHECK (name_type IN ('common','synonym','vernacular','trade')), is_preferred INTEGER
        NOT NULL DEFAULT 0);
      CREATE INDEX idx_names_taxon ON names(taxon_id);
      CREATE TABLE refs (id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL, citation TEXT NOT NULL,
        url TEXT, ref_type TEXT NOT NULL);
      CREATE TABLE traits (id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL, trait_key TEXT NOT NULL,
        trait_value TEXT NOT NULL, unit TEXT, source_ref INTEGER REFERENCES refs(id));
      CREATE TABLE euler_tour (seq INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL, depth INTEGER);
      CREATE TABLE first_occurrence (taxon_id INTEGER PRIMARY KEY, seq INTEGER NOT NULL);
      CREATE TABLE top_n_relatives (taxon_id INTEGER NOT NULL, relative_id INTEGER NOT NULL,
        rank_order INTEGER NOT NULL, PRIMARY KEY (taxon_id, rank_order));
      CREATE VIRTUAL TABLE fts_taxa USING fts5(scientific_name, content='', tokenize='unicode61');
      INSERT INTO names VALUES (1, 3, 'lion', 'en', 'common', 1);
      ANALYZE;
      """
    let path = try TestDatabase.container(TestDatabase.sound + tables, in: folder, release: nil)
    let directory = DataDirectory(override: folder("home"))
    let installed = try ReferenceImport(
      of: path, into: directory, trusting: try TestContainer.keyring
    ).run()
    #expect(installed.isActive)
  }

  @Test(arguments: [
    ("CREATE TABLE t (x CHECK (x IN ('a', 'b(c)')))", false),
    ("CREATE TABLE t (x CHECK (x > 1 AND (x < 2 OR x IN (5))))", false),
    ("CREATE TABLE t (x DEFAULT (strftime('now')), y CHECK (y NOT IN (1)))", false),
    ("CREATE TABLE t (x -- check (hex(1)), don't\n CHECK (x = 1))", false),
    ("CREATE TABLE t (x CHECK (hex(x)))", true),
    ("CREATE TABLE t (x CHECK (x = 1 /* ' */ AND abs (x) > 1))", true),
    ("CREATE TABLE t (x check(\"hex\"(x)))", true),
    ("CREATE TABLE t (x CHECK ([hex](x)), y)", true),
    ("CREATE TABLE t (x CHECK -- (\n (hex(x)))", true),
  ])
  func findsCallsInConstraints(_ sql: String, _ calls: Bool) {
    #expect(ConstraintText(sql).callsFunctions == calls, "\(sql)")
  }
}
