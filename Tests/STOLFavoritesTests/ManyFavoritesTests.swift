import Foundation
import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLFavorites

/// `Tools/tests/instructions_test.py` counts what opening ten thousand costs.
@Suite("Ten thousand favourites")
struct ManyFavoritesTests {
  private static func filled() throws -> Home {
    let home = try Home()
    try home.execute(
      schema + """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
        INSERT INTO favorites SELECT (i * 7919) % 3000017, strftime('%Y-%m-%dT%H:%M:%fZ',
          1700000000 + i, 'unixepoch') FROM n
        """)
    return home
  }

  @Test(arguments: [false, true])
  func isAskedWithoutTheDisk(_ followsMergedIDs: Bool) throws {
    let home = try Self.filled()
    let pack = try FavoriteListTests.pack()
    let favorites =
      followsMergedIDs
      ? try home.open(in: pack) : try home.open()
    #expect(favorites.favoritesCount() == 10_000)
    try FileManager.default.removeItem(atPath: home.directory.favorites)
    for number in 1...1000 as ClosedRange<Int64> {
      #expect(favorites.isFavorite(taxonID: TaxonID(rawValue: number * 7919 % 3_000_017)))
      #expect(!favorites.isFavorite(taxonID: TaxonID(rawValue: 4_000_000 + number)))
    }
  }

  /// A database in which so many species have ids that lie `apart`, and names of their own.
  private static func pack(_ space: String, apart: Int, count: Int = 150) throws -> Pack {
    let folder = try TemporaryFolder()
    var sql = """
      INSERT INTO dataset VALUES ('id_space', '\(space)');
      INSERT INTO taxa (id, source_id, rank, scientific_name)
        VALUES (100000, '100000', 'kingdom', 'Animalia');
      """
    for number in 0..<count {
      sql += """
        INSERT INTO taxa (id, source_id, parent_id, rank, scientific_name)
          VALUES (\(number * apart), '\(number * apart)', 100000, 'species', 'Genus s\(number)');
        """
    }
    return try Pack(
      path: try Taxonomy.compile(sql, tables: Taxonomy.recordTables, in: folder, "pack"))
  }

  /// However often it is asked, and whatever changes in between.
  @Test func aRetiredIDIsOneWhereItsTaxonIs() async throws {
    let folder = try TemporaryFolder()
    let home = try Home()
    var random = SystemRandomNumberGenerator()
    var stands: [Int64: Int64] = [:]
    var sql = """
      INSERT INTO taxa (id, source_id, rank, scientific_name)
        VALUES (100000, '100000', 'kingdom', 'Animalia');
      """
    for id in 0..<Int64(100) {
      stands[id] = id
      sql += """
        INSERT INTO taxa (id, source_id, parent_id, rank, scientific_name)
          VALUES (\(id), '\(id)', 100000, 'species', 'Genus s\(id)');
        """
    }
    for id in 200..<Int64(400) {
      stands[id] = .random(in: 0..<100, using: &random)
      sql += "INSERT INTO merged_taxa VALUES (\(id), '\(id)', \(stands[id]!));"
    }
    let pack = try Pack(
      path: try Taxonomy.compile(sql, tables: Taxonomy.recordTables, in: folder, "pack"))
    let favorites = try home.open(in: pack)
    var expected: Set<Int64> = []
    for round in 0..<40 {
      let id = Int64.random(in: 0..<500, using: &random)
      if let taxon = stands[id] {
        if expected.remove(taxon) == nil { expected.insert(taxon) }
        _ = try await favorites.toggleFavorite(taxonID: TaxonID(rawValue: id))
      }
      // Few questions and many between two changes.
      for id in Int64(0)..<(round.isMultiple(of: 2) ? 30 : 500) {
        let isOne = stands[id].map { expected.contains($0) } ?? false
        #expect(favorites.isFavorite(taxonID: TaxonID(rawValue: id)) == isOne)
      }
    }
  }

  /// A home whose favourites are the first 140 species of a database, added at once.
  private static func home(of pack: Pack) throws -> Home {
    let home = try Home()
    let view = pack.view
    let file = try FavoritesFile(
      in: home.directory,
      database: FavoriteDatabase(pack: { pack }, takeover: { $0.map { _ in nil } }))
    let references = (0..<140).compactMap { number in
      view.ids.taxon(TaxonID(rawValue: number)).flatMap { view.reference(to: $0) }
    }
    #expect(try file.add(references) == 140)
    return home
  }

  private static let kept = "SELECT count(*) FROM favorite_references WHERE found IS NOT NULL"

  @Test func whatWasFoundIsKeptForOneDatabaseOnly() async throws {
    let (one, two) = (try Self.pack("one", apart: 1), try Self.pack("two", apart: 3))
    let home = try Self.home(of: one)
    #expect(try home.texts(Self.kept) == ["0"])
    for (pack, apart) in [(one, 1), (two, 3), (two, 3), (one, 1), (one, 1)] {
      let favorites = try home.open(in: pack)
      #expect(favorites.favoritesCount() == 140)
      for number in 0..<Int64(150 * apart) {
        let isOne = number.isMultiple(of: Int64(apart)) && number / Int64(apart) < 140
        #expect(favorites.isFavorite(taxonID: TaxonID(rawValue: number)) == isOne)
      }
      #expect(try home.texts(Self.kept) == ["140"])
    }
    // What is added and removed since is known as well.
    var favorites = try home.open(in: one)
    try await favorites.add(145)
    try await favorites.removeFavorite(taxonID: 7)
    favorites = try home.open(in: one)
    #expect(favorites.isFavorite(taxonID: 145) && !favorites.isFavorite(taxonID: 7))
    #expect(favorites.favoritesCount() == 140)
    #expect(try await favorites.allFavorites().first?.reference.name == "Genus s145")
  }

  @Test func aKeyThatAnotherReferenceTakesLeadsWhereThatDoes() async throws {
    let (one, two) = (try Self.pack("one", apart: 1), try Self.pack("two", apart: 3))
    let home = try Self.home(of: one)
    _ = try home.open(in: one)
    // The third is removed; its key goes to the second one of the other database, "Genus s1".
    try await home.open(in: one).removeFavorite(taxonID: 3)
    try await home.open(in: one).removeFavorite(taxonID: 1)
    try await home.open(in: two).add(3)
    let favorites = try home.open(in: one)
    #expect(favorites.isFavorite(taxonID: 1) && !favorites.isFavorite(taxonID: 3))
  }

  /// Another program that knows the second version only.
  @Test func aReferenceChangedInPlaceLeadsWhereItLeadsNow() async throws {
    let one = try Self.pack("one", apart: 1)
    let home = try Self.home(of: one)
    _ = try home.open(in: one)
    #expect(try home.texts(Self.kept) == ["140"])
    try home.execute(
      "UPDATE favorite_references SET id = '145', name = 'Genus s145' WHERE taxon_id = 7")
    let favorites = try home.open(in: one)
    #expect(favorites.isFavorite(taxonID: 145) && !favorites.isFavorite(taxonID: 7))
    try await favorites.removeFavorite(taxonID: 7)
    #expect(favorites.favoritesCount() == 140)
    try await favorites.addFavorite(taxonID: 145)
    #expect(favorites.favoritesCount() == 140)
  }

  /// Another program that copies a row with all that it says.
  @Test func aReferenceThatIsCopiedLeadsWhereItLeadsNow() async throws {
    let one = try Self.pack("one", apart: 1)
    let home = try Self.home(of: one)
    _ = try home.open(in: one)
    try home.execute(
      """
      INSERT OR REPLACE INTO favorite_references SELECT taxon_id, 'one', '145', 'Genus s145', NULL, NULL,
        'species', kingdoms, created_at, found, found_in FROM favorite_references WHERE taxon_id = 7
      """)
    let favorites = try home.open(in: one)
    #expect(favorites.isFavorite(taxonID: 145) && !favorites.isFavorite(taxonID: 7))
  }

  /// Another program that knows the first table only, and favours what has the number in its database.
  @Test(arguments: [
    "DELETE FROM favorites WHERE taxon_id = 7; INSERT INTO favorites (taxon_id) VALUES (7)",
    "INSERT OR REPLACE INTO favorites (taxon_id) VALUES (7)",
  ])
  func aKeyThatIsInsertedAgainIsOfWhatItIsNow(_ change: String) async throws {
    let one = try Self.pack("one", apart: 1)
    let home = try Self.home(of: one)
    _ = try home.open(in: one)
    try home.execute(change)
    let favorites = try home.open(in: one)
    #expect(favorites.favoritesCount() == 140)
    let entry = try await favorites.allFavorites().first { $0.taxonID == 7 }
    #expect(entry?.reference == TaxonReference(idSpace: nil, id: "7"))
  }

  /// A source that gives ids away, even to species of the same genus.
  @Test func anIDThatWasGivenAwayIsNoOtherSpecies() async throws {
    let home = try Home()
    let (before, after) = (try Self.pack("one", apart: 1), try Self.pack("one", apart: 3))
    try await home.open(in: before).add(3, 6)
    // 3 is "Genus s1" now, and 9 "Genus s3".
    var favorites = try home.open(in: after)
    for id in [1, 2, 3, 6, 9] as [TaxonID] { #expect(!favorites.isFavorite(taxonID: id)) }
    let view = after.view
    let outcomes = view.resolve(try await favorites.allFavorites().map(\.reference))
    for outcome in outcomes {
      guard case .ambiguous(let taxa) = outcome else {
        Issue.record("\(outcome)")
        continue
      }
      #expect(taxa.count == 2)
    }
    // Nobody who removes the one that has the id now means these.
    try await favorites.removeFavorite(taxonID: 3)
    #expect(favorites.favoritesCount() == 2)
    try await favorites.add(3)
    #expect(favorites.favoritesCount() == 3)
    favorites = try home.open(in: before)
    #expect(favorites.isFavorite(taxonID: 3) && favorites.isFavorite(taxonID: 6))
    // Nobody can tell whether the other meant the name or the id.
    #expect(!favorites.isFavorite(taxonID: 1) && favorites.favoritesCount() == 3)
    // Of one id both names are there; a name says which is meant.
    var reference = TaxonReference(idSpace: "one", id: "3", name: "Genus s1")
    #expect(try await favorites.removeFavorite(reference))
    #expect(favorites.isFavorite(taxonID: 3) && favorites.favoritesCount() == 2)
    reference.name = ""
    #expect(try await favorites.removeFavorite(reference))
    #expect(!favorites.isFavorite(taxonID: 3))
  }

  @Test(arguments: [
    "ALTER TABLE favorite_references DROP COLUMN found_in",
    "ALTER TABLE favorite_references DROP COLUMN found_in; "
      + "ALTER TABLE favorite_references DROP COLUMN found",
    "DROP INDEX idx_favorites_created",
    "DROP INDEX idx_favorites_created; "
      + "CREATE INDEX idx_favorites_created ON favorites(created_at) WHERE taxon_id > 4",
  ])
  func whatFollowsFromTheRestIsMadeAnew(_ change: String) async throws {
    let home = try Home()
    try await home.open().add(4, 5)
    try home.execute(
      "DROP TRIGGER favorite_references_changed; DROP TRIGGER favorite_references_inserted;"
        + "DROP TRIGGER favorites_inserted;" + change)
    let favorites = try home.open()
    #expect(favorites.recoveredFrom == nil)
    #expect(try await favorites.ids == [5, 4])
    try await favorites.add(6)
    #expect(try await home.open().ids == [6, 5, 4])
    #expect(try home.texts("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") == ["3"])
  }

  /// Without their table no reference may be taken for one that is gone.
  @Test(arguments: ["favorites", "favorite_references"])
  func aFileWithoutATableIsSetAside(_ table: String) async throws {
    let home = try Home()
    try await home.open().add(4, 5)
    try home.execute("DROP TABLE \(table)")
    #expect(try home.open().recoveredFrom != nil)
  }

  /// A trigger that has the name of ours may do anything.
  @Test func anotherTriggerOfTheNameIsDamage() throws {
    let home = try Home()
    _ = try home.open()
    try home.execute(
      """
      DROP TRIGGER favorite_references_changed;
      CREATE TRIGGER favorite_references_changed AFTER INSERT ON favorites BEGIN
        DELETE FROM favorites; END
      """)
    #expect(try home.open().recoveredFrom != nil)
  }

  @Test func aFileOfTheSecondVersionKeepsEverything() async throws {
    let home = try Home()
    try home.execute(
      """
      CREATE TABLE favorites (taxon_id INTEGER PRIMARY KEY, created_at TEXT NOT NULL
        DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')));
      CREATE INDEX idx_favorites_created ON favorites(created_at DESC);
      CREATE TABLE favorite_references (taxon_id INTEGER PRIMARY KEY, id_space TEXT, id TEXT NOT NULL,
        name TEXT, author TEXT, year INTEGER, rank TEXT, kingdoms TEXT, created_at TEXT NOT NULL);
      INSERT INTO favorites VALUES (9689, '2026-01-01T00:00:00.000Z');
      INSERT INTO favorite_references VALUES (9689, 'elsewhere', '9689', 'Genus s4', NULL, NULL, 'species',
        'Animalia', '2026-01-01T00:00:00.000Z');
      PRAGMA user_version = 2;
      """)
    let favorites = try home.open(in: try Self.pack("one", apart: 1))
    #expect(favorites.recoveredFrom == nil)
    #expect(favorites.isFavorite(taxonID: 4) && favorites.favoritesCount() == 1)
    #expect(try await favorites.allFavorites().map(\.reference.written) == ["elsewhere:9689"])
    #expect(try home.texts("PRAGMA user_version") == ["3"])
  }
}
