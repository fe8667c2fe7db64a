import Foundation
import GRDB
import STOLData
import STOLPack
import STOLSystem
import TestSupport
import Testing

@Suite("Compiling")
struct CompileTests {
  /// A forest with something of everything.
  static let tables = """
    CREATE TABLE schema_version (version INTEGER NOT NULL, applied_at TEXT NOT NULL DEFAULT '');
    INSERT INTO schema_version (version) VALUES (1);
    CREATE TABLE taxa (id INTEGER PRIMARY KEY, parent_id INTEGER, rank TEXT NOT NULL,
      scientific_name TEXT NOT NULL, author TEXT, year INTEGER,
      status TEXT NOT NULL DEFAULT 'accepted', conservation TEXT, further_column BLOB);
    CREATE TABLE names (id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL, name TEXT NOT NULL,
      lang TEXT NOT NULL, name_type TEXT NOT NULL, is_preferred INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE refs (id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL, citation TEXT NOT NULL,
      url TEXT, ref_type TEXT NOT NULL);
    CREATE TABLE traits (id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL, trait_key TEXT NOT NULL,
      trait_value TEXT NOT NULL, unit TEXT, source_ref INTEGER);
    CREATE TABLE dataset (key TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE merged_taxa (id INTEGER PRIMARY KEY, into_id INTEGER NOT NULL);
    CREATE TABLE deleted_taxa (id INTEGER PRIMARY KEY);
    CREATE TABLE unrelated (x);

    """

  static let taxonRows = [
    "(9223372036854775807, NULL, 'domain', 'Eukaryota', NULL, NULL, 'accepted', NULL, NULL)",
    "(-9223372036854775808, NULL, 'domain', 'Viruses', '', -44, 'doubtful', 'NE', x'00')",
    "(2, 9223372036854775807, 'kingdom', 'Animalia', 'Linnaeus', 1758, 'accepted', NULL, NULL)",
    "(3, 2, 'family', 'Felidae', 'Fischer de Waldheim', 1817, 'accepted', NULL, NULL)",
    "(4, 3, 'genus', 'Panthera', 'Oken', 1816, 'accepted', NULL, NULL)",
    "(5, 4, 'species', 'Panthera leo', '(Linnaeus)', 1758, 'accepted', 'VU', NULL)",
    "(6, 4, 'species', 'Panthera tigris', '(Linnaeus)', 1758, 'accepted', 'EN', NULL)",
    "(7, 3, 'genus', 'Felis', NULL, 0, 'accepted', NULL, NULL)",
    "(8, 7, 'species', 'Felis catus', 'M' || char(252) || 'ller', 99999, 'doubtful', 'XX', NULL)",
    "(9, 7, 'species', 'FELIS  ODD spelling-' || char(233), 'Mu' || char(776) || 'ller', -1, "
      + "'accepted', 'LC', NULL)",
    "(10, 7, 'species', 'Felis a' || char(0) || 'b' || char(10), NULL, NULL, 'accepted', NULL, 1)",
    "(11, 4, 'species', 'Panthera leo', NULL, NULL, 'accepted', 'DD', NULL)",
    // Synonyms: a chain of three, and one with children of its own.
    "(20, 5, 'species', 'Felis leo', 'Linnaeus', 1758, 'synonym', NULL, NULL)",
    "(21, 20, 'species', 'Leo leo', NULL, NULL, 'synonym', NULL, NULL)",
    "(22, 21, 'species', 'Leo africanus', NULL, NULL, 'synonym', NULL, NULL)",
    "(23, 4, 'genus', 'Uncia', NULL, NULL, 'synonym', NULL, NULL)",
    "(24, 23, 'species', 'Panthera uncia', NULL, NULL, 'accepted', 'VU', NULL)",
    "(-5, -9223372036854775808, 'family', '" + "猫科', NULL, NULL, 'accepted', NULL, NULL)",
  ]

  static let rest = """
    INSERT INTO names VALUES
      (1, 5, 'Lion', 'en', 'common', 1), (2, 5, 'lion', 'en', 'vernacular', 0),
      (3, 5, 'Löwe', 'de', 'common', 1), (4, 5, 'Lo' || char(776) || 'we', 'de', 'common', 0),
      (5, 5, '狮子', 'zh-Hans', 'common', 1), (6, 5, 'أسد', 'ar', 'common', 1),
      (7, 5, 'शेर', 'hi', 'common', 0), (8, 5, 'İslan IĞDIR', 'tr', 'trade', 0),
      (9, 5, 'Felis nobilis', 'la', 'synonym', 0), (10, 6, 'tab' || char(9) || 'newline' || char(10),
      'en', 'common', 0), (11, 6, 'nul' || char(0) || 'end', 'en', 'common', 0),
      (12, 6, char(27) || '[31mred', 'en', 'common', 0), (13, 6, '🐯', 'x-emoji', 'common', 1),
      (14, 6, ' spaces  all ', 'en', 'common', 0), (15, 20, 'Old lion', 'en', 'common', 0),
      (16, 22, 'Oldest lion', 'en', 'common', 0), (17, 6, char(65279) || 'byte order mark', 'en',
      'common', 0), (18, 6, '-', 'en', 'common', 0), (19, 6, 'Lion', 'en', 'common', 0),
      (20, 6, 'Lion', 'en', 'common', 0);
    INSERT INTO refs VALUES
      (1, 5, 'Linnaeus 1758', 'https://doi.org/10.5962/bhl.title.542', 'taxonomy'),
      (2, 5, 'IUCN', NULL, 'conservation'), (3, 6, 'Other', NULL, 'other');
    INSERT INTO traits VALUES
      (1, 5, 'body_length_mm', '1900', 'mm', 1), (2, 5, 'diet', 'meat', NULL, NULL),
      (3, 5, 'diet', 'fish', NULL, NULL), (4, 5, 'diet', 'meat', 'kg', NULL),
      (5, 6, 'diet', 'meat', '', NULL), (6, 6, 'note', 'é' || char(10) || 'x', NULL, NULL),
      (7, 8, 'note', 'e' || char(769) || char(10) || 'x', NULL, NULL),
      (8, 21, 'from', 'synonym', NULL, NULL);
    INSERT INTO dataset VALUES ('name', 'Everything'), ('release', '2026-01'), ('é', 'Ünï');
    INSERT INTO merged_taxa VALUES (900, 5), (901, 20), (-900, 24), (6, 5);
    INSERT INTO deleted_taxa VALUES (800), (-9223372036854775807), (7), (900);
    """

  static func sql(reversed: Bool = false) -> String {
    let rows = reversed ? taxonRows.reversed() : taxonRows
    return tables + rows.map { "INSERT INTO taxa VALUES \($0);" }.joined(separator: "\n") + rest
  }

  @Test func readsEveryTaxonBack() throws {
    let pack = try TestDatabase.pack(Self.sql())
    try pack.verify()
    let view = pack.view
    let taxa = view.tree.taxa.map { view.taxon($0) }
    // Preorder: roots and siblings by the bytes of their names, then ids.
    let order = taxa.map(\.id.rawValue)
    #expect(order == [.max, 2, 3, 7, 9, 10, 8, 4, 5, 11, 6, 24, .min, -5])
    let parents = Dictionary(uniqueKeysWithValues: taxa.map { ($0.id.rawValue, $0.parentID) })
    #expect(parents[24] == 4)
    #expect(parents[-5] == TaxonID(rawValue: .min))
    func taxon(_ id: Int64) throws -> Taxon { try #require(taxa.first { $0.id.rawValue == id }) }
    let viruses = try taxon(.min)
    #expect(viruses.year == -44 && viruses.status == .provisional)
    #expect(viruses.author == nil && viruses.conservationStatus == "NE")
    #expect(try taxon(7).year == 0)
    #expect(try taxon(9).year == -1)
    #expect(try taxon(8).year == 99_999)
    #expect(try taxon(8).conservationStatus == "XX")
    #expect(try taxon(.max).year == nil)
    #expect(try taxon(5).author == "(Linnaeus)")
    #expect(try taxon(10).scientificName == "Felis a\0b\n")
    #expect(try taxon(9).scientificName == "FELIS  ODD spelling-é")
    #expect(try taxon(-5).scientificName == "猫科")
  }

  @Test func keepsTheBytesOfTextsThatAreCanonicallyEqual() throws {
    let pack = try TestDatabase.pack(Self.sql())
    let view = pack.view
    // "Müller" and "Mu" + diaeresis + "ller" are equal to Swift, but not the same text.
    var authors: [[UInt8]] = []
    var notes: [[UInt8]] = []
    for (id, noted) in [(Int64(8), Int64(6)), (9, 8)] {
      let taxon = try pack.taxon(id)
      authors.append(Array((view.taxon(taxon).author ?? "").utf8))
      let other = try pack.taxon(noted)
      let note = view.traitList(of: other).first { $0.key == "note" }
      notes.append(Array((note?.value ?? "").utf8))
    }
    #expect(authors == [Array("M\u{FC}ller".utf8), Array("Mu\u{308}ller".utf8)])
    #expect(notes == [Array("\u{E9}\nx".utf8), Array("e\u{301}\nx".utf8)])
  }

  @Test func readsEveryNameBack() throws {
    let pack = try TestDatabase.pack(Self.sql())
    let view = pack.view
    let lion = try pack.taxon(5)
    let lionNames = view.furtherNames(of: lion).map {
      "\($0.name)|\($0.language)|\($0.nameType.rawValue)|\($0.isPreferred)"
    }
    // By row of names, then the synonym rows of taxa by id.
    #expect(
      lionNames.map { Array($0.utf8) }
        == [
          "Lion|en|common|true", "lion|en|vernacular|false", "Löwe|de|common|true",
          "Lo\u{308}we|de|common|false", "狮子|zh-Hans|common|true", "أسد|ar|common|true",
          "शेर|hi|common|false", "İslan IĞDIR|tr|trade|false", "Felis nobilis|la|synonym|false",
          "Old lion|en|common|false", "Oldest lion|en|common|false", "Felis leo|la|synonym|false",
          "Leo leo|la|synonym|false", "Leo africanus|la|synonym|false",
        ].map { Array($0.utf8) })
    let tiger = try pack.taxon(6)
    let tigerNames = view.furtherNames(of: tiger).map { Array($0.name.utf8) }
    #expect(
      tigerNames
        == [
          "tab\tnewline\n", "nul\0end", "\u{1B}[31mred", "🐯", " spaces  all ",
          "\u{FEFF}byte order mark", "-", "Lion", "Lion",
        ].map { Array($0.utf8) })
    let panthera = try pack.taxon(4)
    let genera = view.furtherNames(of: panthera).map(\.name)
    #expect(genera == ["Uncia"])
  }

  @Test func readsTraitsDatasetAndRetiredIDsBack() throws {
    let pack = try TestDatabase.pack(Self.sql())
    let view = pack.view
    let lion = try pack.taxon(5)
    let traits = view.traitList(of: lion).map { "\($0.key)|\($0.value)|\($0.unit ?? "none")" }
    #expect(
      traits == [
        "body_length_mm|1900|mm",
        "diet|fish|none", "diet|meat|none",
        "diet|meat|kg",
        "from|synonym|none",
      ])
    let facts = [view.dataset.name, view.dataset.release, view.dataset["é"]]
    #expect(facts == ["Everything", "2026-01", "Ünï"])
    func resolve(_ id: Int64) -> TaxonResolution { view.ids.resolve(TaxonID(rawValue: id)) }
    for id in [Int64(900), 901] {
      let found = resolve(id)
      #expect(found == .merged(lion), "id \(id)")
    }
    // The ids of synonym rows lead to their names.
    for (id, name) in [(Int64(20), "Felis leo"), (21, "Leo leo"), (22, "Leo africanus")] {
      let found = resolve(id)
      #expect(found.taxon == lion, "id \(id)")
      let text = found.name.map { view.names.text(of: $0) }
      #expect(text == name)
      let record = try view.names.record(of: #require(found.name))
      #expect(record.status == .synonym && record.sourceID == String(id))
      #expect(record.rank == .species)
      let resolved = view.ids.resolve(sourceID: String(id))
      #expect(resolved == found)
    }
    let leopard = try pack.taxon(24)
    let negative = resolve(-900)
    #expect(negative == .merged(leopard))
    // Living ids win over merged and deleted ones.
    let living = [resolve(6), resolve(7)]
    #expect(!living.contains(.deleted) && !living.contains(.merged(lion)))
    let deleted = [resolve(800), resolve(.min + 1)]
    #expect(deleted == [.deleted, .deleted])
    let unknown = [resolve(0), resolve(.max - 1), resolve(1)]
    #expect(unknown == [.notFound, .notFound, .notFound])
  }

  @Test(arguments: [
    (Int64.min + 1, Int64.max), (Int64.max, Int64.min + 1), (1 << 60, -(1 << 60)), (1 << 40, 0),
  ])
  func storesAnyYearAndID(_ a: Int64, _ b: Int64) throws {
    let sql =
      TestDatabase.looseTables + "INSERT INTO taxa VALUES "
      + "(\(a), NULL, 'domain', 'A', NULL, \(b), 'accepted', NULL),"
      + "(\(b), \(a), 'family', 'B', NULL, \(a), 'accepted', NULL),"
      + "(7, \(b), 'genus', 'C', NULL, NULL, 'accepted', NULL)"
    let pack = try TestDatabase.pack(sql)
    try pack.verify()
    let view = pack.view
    let taxa = view.tree.taxa.map { view.taxon($0) }
    #expect(taxa.map(\.id.rawValue) == [a, b, 7])
    #expect(taxa.map(\.year) == [Int(b), Int(a), nil])
  }

  @Test func optionalTablesMayBeMissing() throws {
    let pack = try TestDatabase.pack(
      """
      CREATE TABLE schema_version (version);
      INSERT INTO schema_version VALUES (1);
      CREATE TABLE taxa (
        id INTEGER PRIMARY KEY, parent_id INTEGER, rank TEXT, scientific_name TEXT, author TEXT,
        year INTEGER, status TEXT, conservation TEXT);
      INSERT INTO taxa VALUES (1, NULL, 'species', 'Alone', NULL, NULL, 'accepted', NULL);
      """)
    try pack.verify()
    #expect(pack.taxonCount == 1 && pack.nameCount == 0)
    let view = pack.view
    let facts = view.dataset.all.count
    let traits = view.traits.count
    #expect(facts == 0 && traits == 0)
  }

  @Test func compilesTheSameBytesTwice() throws {
    let folder = try TemporaryFolder()
    try TestDatabase.write(Self.sql(), to: folder("a.sqlite"))
    for name in ["a.stolpack", "b.stolpack"] {
      _ = try PackCompiler(path: folder("a.sqlite")).compile(to: folder(name))
    }
    let first = try TestDatabase.bytes(of: folder("a.stolpack"))
    let second = try TestDatabase.bytes(of: folder("b.stolpack"))
    #expect(first == second)
    #expect(try folder.contents == ["a.sqlite", "a.stolpack", "b.stolpack"])
  }

  @Test func leavesTheDatabaseAsItWas() throws {
    let folder = try TemporaryFolder()
    try TestDatabase.write(Self.sql(), to: folder("a.sqlite"))
    let before = try TestDatabase.bytes(of: folder("a.sqlite"))
    _ = try PackCompiler(path: folder("a.sqlite")).compile(to: folder("a.stolpack"))
    #expect(try TestDatabase.bytes(of: folder("a.sqlite")) == before)
  }

  @Test func orderOfTaxonRowsDoesNotMatter() throws {
    // Without a primary key, rows come in the order in which they were inserted.
    func bytes(reversed: Bool) throws -> [UInt8] {
      let sql = Self.sql(reversed: reversed)
        .replacingOccurrences(of: "taxa (id INTEGER PRIMARY KEY", with: "taxa (id INTEGER")
      let pack = try TestDatabase.pack(sql)
      #expect(pack.taxonCount == 14)
      let folder = try TemporaryFolder()
      try TestDatabase.write(sql, to: folder("a.sqlite"))
      _ = try PackCompiler(path: folder("a.sqlite")).compile(to: folder("a.stolpack"))
      return try TestDatabase.bytes(of: folder("a.stolpack"))
    }
    let forward = try bytes(reversed: false)
    let backward = try bytes(reversed: true)
    // All but the header, which holds the fingerprint of the database.
    #expect(forward.count == backward.count)
    #expect(forward.dropFirst(128) == backward.dropFirst(128))
  }

  @Test func readsReferencesFromTheDatabaseBesideThePack() throws {
    let folder = try TemporaryFolder()
    try TestDatabase.write(Self.sql(), to: folder("a.sqlite"))
    _ = try PackCompiler(path: folder("a.sqlite")).compile(to: folder("a.stolpack"))
    let pack = try Pack(path: folder("a.stolpack"))
    let source = try #require(try SourceDatabase(beside: folder("a.stolpack"), of: pack))
    let references = try source.references(of: 5)
    #expect(references.map(\.citation) == ["Linnaeus 1758", "IUCN"])
    #expect(references.map(\.url) == ["https://doi.org/10.5962/bhl.title.542", nil])
    #expect(references.map(\.refType) == ["taxonomy", "conservation"])
    #expect(try source.references(of: 7).isEmpty)
  }

  @Test func hasNoSourceWhereNoDatabaseLiesBeside() throws {
    let folder = try TemporaryFolder()
    try TestDatabase.write(Self.sql(), to: folder("a.sqlite"))
    _ = try PackCompiler(path: folder("a.sqlite")).compile(to: folder("b.stolpack"))
    let pack = try Pack(path: folder("b.stolpack"))
    #expect(try SourceDatabase(beside: folder("b.stolpack"), of: pack) == nil)
  }

  @Test func refusesAFolderNamedLikeTheDatabase() throws {
    let folder = try TemporaryFolder()
    try TestDatabase.write(Self.sql(), to: folder("a.sqlite"))
    _ = try PackCompiler(path: folder("a.sqlite")).compile(to: folder("b.stolpack"))
    try FileManager.default.createDirectory(
      atPath: folder("b.sqlite"), withIntermediateDirectories: false)
    let pack = try Pack(path: folder("b.stolpack"))
    #expect(throws: SystemError.self) {
      _ = try SourceDatabase(beside: folder("b.stolpack"), of: pack)
    }
  }

  @Test(arguments: ["DELETE FROM refs WHERE id = 3", "INSERT INTO dataset VALUES ('x', 'y')"])
  func refusesAnotherDatabaseBesideThePack(_ change: String) throws {
    let folder = try TemporaryFolder()
    try TestDatabase.write(Self.sql(), to: folder("a.sqlite"))
    _ = try PackCompiler(path: folder("a.sqlite")).compile(to: folder("a.stolpack"))
    try TestDatabase.write(change, to: folder("a.sqlite"))
    let pack = try Pack(path: folder("a.stolpack"))
    let error = #expect(throws: PackError.self) {
      try SourceDatabase(beside: folder("a.stolpack"), of: pack)
    }
    guard case .wrongSource = error else {
      Issue.record("unexpected \(String(describing: error))")
      return
    }
  }
}
