import Foundation
import GRDB
import STOLData
import STOLPack
import STOLSystem
import TestSupport
import Testing

@Suite("Errors of compiling")
struct CompileErrorTests {
  /// A database that must be refused.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let sql: String
    let expected: CompileError
    var testDescription: String { name }

    /// A row that breaks a rule, in the loose tables beside four good taxa.
    init(_ name: String, _ sql: String, _ table: String, _ id: Int64, _ fault: RowFault) {
      self.name = name
      self.sql = TestDatabase.looseTables + TestDatabase.goodTaxa + sql
      expected = .row(table: table, id: id, reason: fault)
    }

    /// A database made of `sql` alone.
    init(_ name: String, whole sql: String, _ expected: CompileError) {
      self.name = name
      self.sql = sql
      self.expected = expected
    }
  }

  static let rowCases: [Case] = [
    Case(
      "duplicate id",
      "INSERT INTO taxa (id, parent_id, rank, scientific_name) VALUES "
        + "(4, 3, 'species', 'Panthera onca')", "taxa", 4, .duplicateID),
    Case("empty rank", taxon(5, "3", rank: "''"), "taxa", 5, .emptyText(column: "rank")),
    Case(
      "unknown status", taxon(5, "3", status: "'valid'"), "taxa", 5, .unknownStatus("valid")),
    Case(
      "unknown name type", name("'Lion'", type: "'nickname'"), "names", 1,
      .unknownNameType("nickname")),
    Case("unknown parent", taxon(5, "77"), "taxa", 5, .unknownParent(77)),
    Case("own parent", taxon(5, "5"), "taxa", 5, .cycle),
    Case(
      "synonym without parent", taxon(5, "NULL", status: "'synonym'"), "taxa", 5,
      .synonymWithoutAcceptedTaxon),
    Case(
      "synonym of an unknown taxon", taxon(5, "77", status: "'synonym'"), "taxa", 5,
      .unknownParent(77)),
    Case(
      "synonym of itself", taxon(5, "5", status: "'synonym'"), "taxa", 5, .cycle),
    Case(
      "empty scientific name", taxon(5, "3", name: "''"), "taxa", 5,
      .emptyText(column: "scientific_name")),
    Case(
      "scientific name that is NULL", taxon(5, "3", name: "NULL"), "taxa", 5,
      .emptyText(column: "scientific_name")),
    Case("empty name", name("''"), "names", 1, .emptyText(column: "name")),
    Case("empty trait key", trait(key: "''"), "traits", 1, .emptyText(column: "trait_key")),
    Case("rank that is NULL", taxon(5, "3", rank: "NULL"), "taxa", 5, .emptyText(column: "rank")),
    Case(
      "text as parent", taxon(5, "'x'"), "taxa", 5,
      .wrongType(column: "parent_id", expected: "an integer")),
    Case(
      "real as parent", taxon(5, "3.5"), "taxa", 5,
      .wrongType(column: "parent_id", expected: "an integer")),
    Case(
      "text as year", taxon(5, "3", year: "'MDCCLVIII'"), "taxa", 5,
      .wrongType(column: "year", expected: "an integer")),
    Case(
      "text as id", "INSERT INTO taxa (id, rank, scientific_name) VALUES ('x', 'domain', 'X')",
      "taxa", 0, .wrongType(column: "id", expected: "an integer")),
    Case(
      "id that is NULL",
      "INSERT INTO taxa (id, rank, scientific_name) VALUES (NULL, 'domain', 'X')",
      "taxa", 0, .wrongType(column: "id", expected: "an integer")),
    Case(
      "text as taxon of a name", name("'Lion'", taxon: "'x'"), "names", 1,
      .wrongType(column: "taxon_id", expected: "an integer")),
    Case(
      "taxon of a trait that is NULL", trait(taxon: "NULL"), "traits", 1,
      .wrongType(column: "taxon_id", expected: "an integer")),
    Case(
      "text as target of a merged id", "INSERT INTO merged_taxa VALUES (9, 'x')", "merged_taxa", 9,
      .wrongType(column: "into_id", expected: "an integer")),
    Case(
      "text as deleted id", "INSERT INTO deleted_taxa VALUES ('x')", "deleted_taxa", 0,
      .wrongType(column: "id", expected: "an integer")),
  ]

  static let idSpaceCases = [
    "WoRMS", "Bad Space!", "2x", "a:b", "é", String(repeating: "a", count: 33), "unstated",
    "unstated-1a2b3c4d", "unstated-",
  ]
  .map { word in
    Case(
      word, "INSERT INTO dataset VALUES ('name', 'X'), ('id_space', '\(word)')", "dataset", 2,
      .noIDSpace(word))
  }

  static let invalidTextCases: [Case] = [
    Case("rank", taxon(5, "3", rank: bad), "taxa", 5, .invalidUTF8(column: "rank")),
    Case(
      "scientific_name", taxon(5, "3", name: bad), "taxa", 5,
      .invalidUTF8(column: "scientific_name")),
    Case("author", taxon(5, "3", author: bad), "taxa", 5, .invalidUTF8(column: "author")),
    Case("status", taxon(5, "3", status: bad), "taxa", 5, .invalidUTF8(column: "status")),
    Case(
      "conservation", taxon(5, "3", conservation: bad), "taxa", 5,
      .invalidUTF8(column: "conservation")),
    Case("name", name(bad), "names", 1, .invalidUTF8(column: "name")),
    Case("lang", name("'Lion'", language: bad), "names", 1, .invalidUTF8(column: "lang")),
    Case("name_type", name("'Lion'", type: bad), "names", 1, .invalidUTF8(column: "name_type")),
    Case("trait_key", trait(key: bad), "traits", 1, .invalidUTF8(column: "trait_key")),
    Case("trait_value", trait(value: bad), "traits", 1, .invalidUTF8(column: "trait_value")),
    Case("unit", trait(unit: bad), "traits", 1, .invalidUTF8(column: "unit")),
    Case(
      "dataset key", "INSERT INTO dataset VALUES (\(bad), 'x')", "dataset", 1,
      .invalidUTF8(column: "key")),
    Case(
      "dataset value", "INSERT INTO dataset VALUES ('name', \(bad))", "dataset", 1,
      .invalidUTF8(column: "value")),
    Case(
      "surrogate in a name", name("CAST(x'eda080' AS TEXT)"), "names", 1,
      .invalidUTF8(column: "name")),
    Case(
      "overlong form in a name", name("CAST(x'c080' AS TEXT)"), "names", 1,
      .invalidUTF8(column: "name")),
  ]

  /// Every text column with one byte more than a text may have.
  static let longTextCases: [Case] = [
    Case("scientific_name", taxon(5, "3", name: long), "taxa", 5, tooLong("scientific_name")),
    Case("author", taxon(5, "3", author: long), "taxa", 5, tooLong("author")),
    Case("conservation", taxon(5, "3", conservation: long), "taxa", 5, tooLong("conservation")),
    Case("name", name(long), "names", 1, tooLong("name")),
    Case("lang", name("'Lion'", language: long), "names", 1, tooLong("lang")),
    Case("trait_key", trait(key: long), "traits", 1, tooLong("trait_key")),
    Case("trait_value", trait(value: long), "traits", 1, tooLong("trait_value")),
    Case("unit", trait(unit: long), "traits", 1, tooLong("unit")),
    Case(
      "dataset value", "INSERT INTO dataset VALUES ('name', \(long))", "dataset", 1,
      tooLong("value")),
  ]

  static let tableCases: [Case] = [
    Case("no tables", whole: "CREATE TABLE x (y)", .missing(table: "schema_version", column: nil)),
    Case(
      "no taxa table",
      whole: "CREATE TABLE schema_version (version); "
        + "INSERT INTO schema_version VALUES (1)", .missing(table: "taxa", column: nil)),
    Case(
      "no version column", whole: "CREATE TABLE schema_version (x)",
      .missing(table: "schema_version", column: "version")),
    Case(
      "newer schema",
      whole: TestDatabase.looseTables + TestDatabase.goodTaxa
        + "UPDATE schema_version SET version = 4", .schemaTooNew(found: 4, supported: 3)),
    Case(
      "old and newer schema",
      whole: TestDatabase.looseTables + TestDatabase.goodTaxa
        + "INSERT INTO schema_version VALUES (7)", .schemaTooNew(found: 7, supported: 3)),
    Case("no taxa", whole: TestDatabase.looseTables, .empty),
  ]

  static let columns: [(table: String, column: String)] =
    ["id", "parent_id", "rank", "scientific_name", "author", "year", "status", "conservation"]
    .map { ("taxa", $0) }
    + ["id", "taxon_id", "name", "lang", "name_type", "is_preferred"].map { ("names", $0) }
    + ["id", "taxon_id", "trait_key", "trait_value", "unit"].map { ("traits", $0) }
    + [
      ("dataset", "key"), ("dataset", "value"), ("merged_taxa", "id"), ("merged_taxa", "into_id"),
      ("deleted_taxa", "id"),
    ]

  @Test(arguments: rowCases)
  func namesTableRowAndReason(_ test: Case) throws { try expectRefusal(test) }

  @Test(arguments: idSpaceCases)
  func refusesWhatIsNoWordForAnIDSpace(_ test: Case) throws {
    try expectRefusal(test)
    #expect(test.expected.description.contains("id_space"))
  }

  @Test(arguments: ["ncbi", "made-up", "x_2", "unstatedly", String(repeating: "a", count: 32)])
  func takesAWordForAnIDSpace(_ word: String) throws {
    let pack = try TestDatabase.pack(
      TestDatabase.looseTables + TestDatabase.goodTaxa
        + "INSERT INTO dataset VALUES ('id_space', '\(word)')")
    let idSpace = pack.view.idSpace
    #expect(idSpace == word)
  }

  @Test(arguments: invalidTextCases)
  func refusesTextThatIsNotUTF8(_ test: Case) throws { try expectRefusal(test) }

  @Test(arguments: longTextCases)
  func refusesTextOf65_537Bytes(_ test: Case) throws { try expectRefusal(test) }

  @Test(arguments: tableCases)
  func refusesSchemaThatIsNotVersion1(_ test: Case) throws { try expectRefusal(test) }

  @Test(arguments: columns)
  func namesTheMissingColumn(_ table: String, _ column: String) throws {
    let sql = TestDatabase.looseTables + TestDatabase.goodTaxa
    let rename = "ALTER TABLE \(table) RENAME COLUMN \(column) TO other"
    try expectRefusal(
      Case(column, whole: sql + rename, .missing(table: table, column: column)))
  }

  @Test(arguments: [2, 5])
  func namesARowOfTheCycle(length: Int) throws {
    var sql = TestDatabase.looseTables + TestDatabase.goodTaxa
    for step in 0..<length {
      let parent = 100 + (step + 1) % length
      sql += Self.taxon(Int64(100 + step), "\(parent)", rank: "'genus'") + ";"
    }
    // Leads into the cycle, but is no part of it.
    sql += Self.taxon(50, "100")
    try expectCycle(sql, ids: 100..<Int64(100 + length))
  }

  @Test(arguments: [2, 5])
  func namesARowOfTheCycleAmongSynonyms(length: Int) throws {
    var sql = TestDatabase.looseTables + TestDatabase.goodTaxa
    for step in 0..<length {
      let parent = 100 + (step + 1) % length
      sql += Self.taxon(Int64(100 + step), "\(parent)", status: "'synonym'") + ";"
    }
    sql += Self.taxon(50, "100", status: "'synonym'")
    try expectCycle(sql, ids: 100..<Int64(100 + length))
  }

  @Test func namesARowOfACycleThatRunsThroughASynonym() throws {
    let sql =
      TestDatabase.looseTables + TestDatabase.goodTaxa + Self.taxon(100, "101", rank: "'genus'")
      + ";" + Self.taxon(101, "100", status: "'synonym'")
    try expectCycle(sql, ids: 100..<102)
  }

  @Test func refusesAChainOf300Taxa() throws {
    var sql = TestDatabase.looseTables
    for id in 1...300 { sql += Self.taxon(Int64(id), id == 1 ? "NULL" : "\(id - 1)") + ";" }
    try expectRefusal(
      Case("300", whole: sql, .row(table: "taxa", id: 257, reason: .tooDeep)))
  }

  @Test func allows255Ancestors() throws {
    var sql = TestDatabase.looseTables
    for id in 1...256 { sql += Self.taxon(Int64(id), id == 1 ? "NULL" : "\(id - 1)") + ";" }
    let pack = try TestDatabase.pack(sql)
    #expect(pack.taxonCount == 256)
    try pack.verify()
  }

  @Test func allowsNamesOf65_536Bytes() throws {
    let whole = "replace(hex(zeroblob(32768)), '00', 'ab')"
    let pack = try TestDatabase.pack(
      TestDatabase.looseTables + TestDatabase.goodTaxa + Self.taxon(5, "3", name: whole) + ";"
        + Self.name(whole) + ";" + Self.trait(value: whole))
    try pack.verify()
    let view = pack.view
    let taxon = try pack.taxon(5)
    let length = view.names.scientificName(of: taxon).utf8.count
    #expect(length == 65_536)
    let lion = try pack.taxon(4)
    let lengths = view.furtherNames(of: lion).map(\.name.utf8.count)
    #expect(lengths == [65_536])
  }

  /// Files that are no SQLite database.
  enum BadFile: CaseIterable {
    case text, truncated, corruptPage
  }

  @Test(arguments: BadFile.allCases)
  func refusesWhatIsNoSQLiteFile(_ kind: BadFile) throws {
    let folder = try TemporaryFolder()
    let path = folder("bad.sqlite")
    switch kind {
    case .text: try Data("id,name\n1,Lion\n".utf8).write(to: URL(fileURLWithPath: path))
    case .truncated, .corruptPage: try Self.writeDamaged(to: path, truncated: kind == .truncated)
    }
    let error = try Self.refusal(of: path, in: folder)
    guard case .unreadable(let named, let reason) = error else {
      Issue.record("unexpected \(error)")
      return
    }
    #expect(named == path)
    #expect(!reason.isEmpty && !reason.contains("\n"))
  }

  @Test(arguments: [true, false])
  func reportsWhyADatabaseCannotBeOpened(isFolder: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder("bad.sqlite")
    if isFolder {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
    let error = #expect(throws: SystemError.self) {
      try PackCompiler(path: path).compile(to: folder("a.stolpack"))
    }
    #expect(error?.path == path)
  }

  @Test func refusesAnEmptyFile() throws {
    let folder = try TemporaryFolder()
    let path = folder("empty.sqlite")
    try Data().write(to: URL(fileURLWithPath: path))
    // To SQLite it is a database without tables.
    let error = try Self.refusal(of: path, in: folder)
    #expect(error == .missing(table: "schema_version", column: nil))
  }

  @Test func reportsAnOutputFolderThatCannotBeWritten() throws {
    let folder = try TemporaryFolder()
    try TestDatabase.write(
      TestDatabase.looseTables + TestDatabase.goodTaxa, to: folder("a.sqlite"))
    let error = #expect(throws: SystemError.self) {
      try PackCompiler(path: folder("a.sqlite")).compile(to: folder("absent/a.stolpack"))
    }
    #expect(error?.code == .noSuchFile)
    #expect(error?.path.hasPrefix(folder("absent/a.stolpack")) == true)
    #expect(try folder.contents == ["a.sqlite"])
  }

  @Test func reportsAnOutputPathThatIsAFolder() throws {
    let folder = try TemporaryFolder()
    try TestDatabase.write(
      TestDatabase.looseTables + TestDatabase.goodTaxa, to: folder("a.sqlite"))
    try FileManager.default.createDirectory(
      atPath: folder("a.stolpack"), withIntermediateDirectories: false)
    #expect(throws: SystemError.self) {
      try PackCompiler(path: folder("a.sqlite")).compile(to: folder("a.stolpack"))
    }
    #expect(try folder.contents == ["a.sqlite", "a.stolpack"])
  }

  /// Each kind of warning twice.
  static let warnings =
    TestDatabase.looseTables + TestDatabase.goodTaxa + """
      INSERT INTO taxa VALUES
        (10, 4, 'genus', 'Wrong', NULL, NULL, 'accepted', NULL),
        (11, 3, 'genus', 'Wrongtoo', NULL, NULL, 'accepted', NULL),
        (12, 4, 'genus', 'Leo', NULL, NULL, 'synonym', NULL),
        (13, 12, 'family', 'Leonidae', NULL, NULL, 'synonym', NULL),
        (14, 3, 'species', 'Panthera a', NULL, NULL, 'accepted', 'XX'),
        (15, 3, 'species', 'Panthera b', NULL, NULL, 'accepted', 'lc');
      INSERT INTO names VALUES (1, 99, 'A', 'en', 'common', 0), (2, 98, 'B', 'en', 'common', 0),
        (3, 4, 'Lion', 'en', 'common', 1);
      INSERT INTO traits VALUES (5, 99, 'k', 'v', NULL, NULL), (6, 98, 'k', 'v', NULL, NULL);
      INSERT INTO merged_taxa VALUES (20, 99), (21, 98), (22, 4);
      """

  @Test func countsWarnings() throws {
    let folder = try TemporaryFolder()
    try TestDatabase.write(Self.warnings, to: folder("a.sqlite"))
    let report = try PackCompiler(path: folder("a.sqlite")).compile(to: folder("a.stolpack"))
    let found = report.warnings.map { "\($0.kind) \($0.count) \($0.firstID)" }
    #expect(
      found == [
        "rankNotBelowParent 2 10", "synonymRank 2 12", "orphanName 2 1", "orphanTrait 2 5",
        "unknownConservationCode 2 14", "orphanMergedID 2 20",
      ])
    #expect(report.nameCount == 3)
    #expect(report.traitCount == 0)
    try Pack(path: folder("a.stolpack")).verify()
  }

  @Test func strictMakesTheFirstWarningAnError() throws {
    let folder = try TemporaryFolder()
    try TestDatabase.write(Self.warnings, to: folder("a.sqlite"))
    let error = try Self.refusal(of: folder("a.sqlite"), in: folder, strict: true)
    guard case .warning(let warning) = error else {
      Issue.record("unexpected \(error)")
      return
    }
    #expect(warning.kind == .rankNotBelowParent && warning.count == 2 && warning.firstID == 10)
  }

  @Test func strictAllowsWhatHasNoWarning() throws {
    let folder = try TemporaryFolder()
    try TestDatabase.write(
      TestDatabase.looseTables + TestDatabase.goodTaxa, to: folder("a.sqlite"))
    let compiler = PackCompiler(path: folder("a.sqlite"), treatsWarningsAsErrors: true)
    let report = try compiler.compile(to: folder("a.stolpack"))
    #expect(report.taxonCount == 4 && report.warnings.isEmpty)
  }

  @Test(arguments: rowCases + invalidTextCases + tableCases)
  func describesTheErrorInOneLine(_ test: Case) {
    let text = test.expected.description
    #expect(!text.isEmpty && !text.contains("\n") && !text.contains("Optional("))
  }

  /// `Tools/tests/steps_test.py` counts what such a chain costs.
  @Test func followsAChainOf20_000Synonyms() throws {
    let sql =
      TestDatabase.looseTables + TestDatabase.goodTaxa + """
        WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 20100)
        INSERT INTO taxa (id, parent_id, rank, scientific_name, status)
        SELECT i, CASE i WHEN 100 THEN 4 ELSE i - 1 END, 'species', 'Synonym ' || i, 'synonym' FROM n
        """
    let pack = try TestDatabase.pack(sql)
    #expect(pack.nameCount == 20_001)
  }
}

extension CompileErrorTests {
  private static let bad = "CAST(x'ff' AS TEXT)"
  private static let long = "replace(hex(zeroblob(32768)), '00', 'ab') || 'c'"

  private static func tooLong(_ column: String) -> RowFault {
    .textTooLong(column: column, byteCount: 65_537)
  }

  private static func taxon(
    _ id: Int64, _ parent: String, rank: String = "'species'", name: String = "'Panthera nova'",
    author: String = "NULL", year: String = "NULL", status: String = "'accepted'",
    conservation: String = "NULL"
  ) -> String {
    "INSERT INTO taxa VALUES "
      + "(\(id), \(parent), \(rank), \(name), \(author), \(year), \(status), \(conservation))"
  }

  private static func name(
    _ name: String, taxon: String = "4", language: String = "'en'", type: String = "'common'"
  ) -> String {
    "INSERT INTO names VALUES (1, \(taxon), \(name), \(language), \(type), 0)"
  }

  private static func trait(
    taxon: String = "4", key: String = "'diet'", value: String = "'meat'", unit: String = "NULL"
  ) -> String {
    "INSERT INTO traits VALUES (1, \(taxon), \(key), \(value), \(unit), NULL)"
  }

  private func expectRefusal(_ test: Case) throws {
    let folder = try TemporaryFolder()
    try TestDatabase.write(test.sql, to: folder("a.sqlite"))
    let error = try Self.refusal(of: folder("a.sqlite"), in: folder)
    #expect(error == test.expected)
  }

  private func expectCycle(_ sql: String, ids: Range<Int64>) throws {
    let folder = try TemporaryFolder()
    try TestDatabase.write(sql, to: folder("a.sqlite"))
    let error = try Self.refusal(of: folder("a.sqlite"), in: folder)
    guard case .row("taxa", let id, .cycle) = error else {
      Issue.record("unexpected \(error)")
      return
    }
    #expect(ids.contains(id))
  }

  /// Compiles what must be refused, once over an older pack and once where none is; checks that
  /// neither leaves a trace.
  private static func refusal(
    of database: String, in folder: TemporaryFolder, strict: Bool = false
  ) throws -> CompileError {
    let older = Data("an older pack".utf8)
    try older.write(to: URL(fileURLWithPath: folder("old.stolpack")))
    let before = try folder.contents
    let compiler = PackCompiler(path: database, treatsWarningsAsErrors: strict)
    let first = #expect(throws: CompileError.self) {
      try compiler.compile(to: folder("old.stolpack"))
    }
    let second = #expect(throws: CompileError.self) {
      try compiler.compile(to: folder("new.stolpack"))
    }
    #expect(first == second)
    #expect(try folder.contents == before)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder("old.stolpack"))) == older)
    return try #require(first)
  }

  /// A database of many pages, cut short or with a page in the middle overwritten.
  private static func writeDamaged(to path: String, truncated: Bool) throws {
    let rows = """
      WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO taxa (id, parent_id, rank, scientific_name)
      SELECT i, 3, 'species', 'Panthera nova ' || i FROM n
      """
    try TestDatabase.write(TestDatabase.looseTables + TestDatabase.goodTaxa + rows, to: path)
    let url = URL(fileURLWithPath: path)
    var data = try Data(contentsOf: url)
    if truncated {
      data = data.prefix(data.count / 2)
    } else {
      let middle = data.count / 2 / 4096 * 4096
      data.replaceSubrange(middle..<middle + 4096, with: Data(repeating: 0xFF, count: 4096))
    }
    try data.write(to: url)
  }
}
