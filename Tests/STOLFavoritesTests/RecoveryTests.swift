import STOLStore
import Foundation
import GRDB
import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLFavorites

@Suite("Damaged and shared favourites")
struct RecoveryTests {
  private static let damages = [
    "garbage", "short", "cut", "overwritten", "column", "table", "trigger",
  ]

  @Test(arguments: damages)
  func aDamagedFileIsSetAside(_ damage: String) async throws {
    let home = try Home()
    try home.execute(schema)
    try home.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO favorites (taxon_id) SELECT i FROM n
      """)
    var bytes = try #require(FileManager.default.contents(atPath: home.file))
    switch damage {
    case "garbage": bytes = Data("This is no database at all. ".utf8) + Data(count: 5000)
    case "short": bytes = Data("SQLite format 3\0".utf8)
    case "cut": bytes = bytes.prefix(bytes.count / 2)
    case "overwritten": bytes.replaceSubrange(8192..<12_288, with: Data(repeating: 7, count: 4096))
    case "column": try home.execute("ALTER TABLE favorites ADD COLUMN user TEXT")
    case "table": try home.execute("CREATE TABLE devices (id TEXT)")
    default:
      try home.execute(
        "CREATE TRIGGER t AFTER INSERT ON favorites BEGIN DELETE FROM favorites; END")
    }
    if ["column", "table", "trigger"].contains(damage) {
      bytes = try #require(FileManager.default.contents(atPath: home.file))
    } else {
      try home.writeFile(bytes)
    }
    let aside = home.directory.favorites + "/favorites.damaged-1.sqlite"
    let favorites = try home.open()
    #expect(favorites.recoveredFrom == aside)
    #expect(favorites.damagedFiles == [aside])
    #expect(favorites.favoritesCount() == 0)
    #expect(FileManager.default.contents(atPath: aside) == bytes)
    try await favorites.add(1)
    try home.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try home.writeFile(Data("garbage again".utf8))
    // The open connection finds a file of the same identity; a new one finds the damage.
    let again = try home.open()
    #expect(again.damagedFiles.count == 2)
    #expect(try home.open().recoveredFrom == nil)
    // Whoever clears wants nothing left of any list.
    try await again.add(2)
    try await again.clearAllFavorites()
    #expect(again.damagedFiles.isEmpty)
    #expect(try home.names.allSatisfy { !$0.contains("damaged") })
  }

  @Test func aFileWithoutVersionIsCompleted() async throws {
    let home = try Home()
    try home.execute(
      "CREATE TABLE favorites (taxon_id INTEGER PRIMARY KEY, created_at TEXT NOT NULL);"
        + "INSERT INTO favorites VALUES (8, '2026-01-01T00:00:00.000Z')")
    let favorites = try home.open()
    #expect(try await favorites.ids == [8])
    #expect(try home.texts("PRAGMA user_version") == ["3"])
    #expect(favorites.recoveredFrom == nil)
  }

  @Test func aNewerVersionIsRefusedAndLeftAlone() throws {
    let home = try Home()
    try home.execute("CREATE TABLE favorites (a, b, c); PRAGMA user_version = 4")
    let before = try home.allBytes
    #expect(throws: StoreError.newerVersion(path: home.file, got: 4, expected: 3)) {
      try home.open()
    }
    #expect(try home.allBytes == before)
    #expect(try home.names == ["favorites.sqlite"])
  }

  @Test func aFileThatCannotBeOpenedIsNotDamaged() throws {
    let home = try Home()
    try FileManager.default.createDirectory(atPath: home.file, withIntermediateDirectories: true)
    do {
      _ = try home.open()
      Issue.record("opened a folder")
    } catch {
      guard case .unusable = error as? StoreError else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(try home.names == ["favorites.sqlite"])
  }

  @Test func aFolderInWhichNothingCanBeWrittenIsAnError() throws {
    let directory = DataDirectory(override: "/proc/1")
    #expect(throws: StoreError.self) { try LocalFavorites(directory: directory) }
  }

  @Test func aLockedFileIsBusyAndNotDamaged() async throws {
    let home = try Home()
    let favorites = try home.open()
    try await favorites.add(1)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: home.file, configuration: configuration)
    try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    await #expect(throws: StoreError.busy(path: home.file)) { try await favorites.add(2) }
    try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
    try await favorites.add(2)
    #expect(try await favorites.ids == [2, 1])
    #expect(favorites.damagedFiles == [])
  }

  @Test func twoAtOnceLoseNothing() async throws {
    let home = try Home()
    // Both begin with the same damage.
    try home.writeFile(Data("garbage".utf8))
    async let one = home.open()
    async let two = home.open()
    let both = try await [one, two]
    #expect(both.filter { $0.recoveredFrom != nil }.count == 1)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, favorites) in both.enumerated() {
        for step in 0..<200 {
          group.addTask {
            try await favorites.add(TaxonID(rawValue: Int64(number * 200 + step)))
          }
        }
      }
      try await group.waitForAll()
    }
    for favorites in both {
      let entries = try await favorites.allFavorites()
      #expect(Set(entries.map(\.taxonID.rawValue)) == Set(0..<400))
      #expect(Set(entries.map(\.createdAt)).count == 400)
      #expect(favorites.favoritesCount() == 400)
    }
  }

  @Test func eachSeesWhatTheOtherDid() async throws {
    let home = try Home()
    let (one, two) = (try home.open(), try home.open())
    try await one.add(1, 2)
    try await two.reload()
    #expect(two.isFavorite(taxonID: 1))
    try await two.removeFavorite(taxonID: 2)
    #expect(try await one.toggleFavorite(taxonID: 2))
    #expect(try await two.ids == [2, 1])
    try await one.clearAllFavorites()
    #expect(try await two.ids.isEmpty)
    #expect(two.favoritesCount() == 0)
  }

  @Test func aFileThatWasMovedAwayIsMadeAgain() async throws {
    let home = try Home()
    let favorites = try home.open()
    try await favorites.add(1)
    for name in try home.names {
      try FileManager.default.removeItem(atPath: home.directory.favorites + "/" + name)
    }
    try await favorites.add(2)
    #expect(try await favorites.ids == [2])
    #expect(try await home.open().ids == [2])
  }

  @Test func mergedTaxaAreOneFavorite() async throws {
    let home = try Home()
    try await home.open().add(900, 5)
    // Then 900 and 901 were merged into 8.
    let current: @Sendable (TaxonID) -> TaxonID = { [900, 901].contains($0) ? 8 : $0 }
    let favorites = try home.open(currentID: current)
    for id in [8, 900, 5] as [TaxonID] { #expect(favorites.isFavorite(taxonID: id)) }
    #expect(favorites.favoritesCount() == 2)
    try await favorites.add(8, 901)
    #expect(favorites.isFavorite(taxonID: 901))
    #expect(favorites.favoritesCount() == 2)
    // What is a favourite already gets no further row.
    #expect(try await favorites.ids == [5, 900])
    try await favorites.reload()
    for id in [8, 900, 901, 5] as [TaxonID] { #expect(favorites.isFavorite(taxonID: id)) }
    #expect(favorites.favoritesCount() == 2)
    try await favorites.removeFavorite(taxonID: 901)
    #expect(try await favorites.ids == [5])
    for id in [8, 900, 901] as [TaxonID] { #expect(!favorites.isFavorite(taxonID: id)) }
    #expect(try await favorites.toggleFavorite(taxonID: 900))
    #expect(try await !favorites.toggleFavorite(taxonID: 8))
    #expect(favorites.favoritesCount() == 1)
  }

  /// Nothing stands in an index that its table does not have: it is made anew, and nothing is set aside.
  @Test(arguments: [
    "DELETE FROM favorites WHERE taxon_id = 5",
    "INSERT INTO favorites VALUES (77, '2026-01-01T00:00:00.000Z')",
    "UPDATE favorites SET created_at = '1999-01-01T00:00:00.000Z' WHERE taxon_id = 5",
  ])
  func anIndexThatSaysOtherwiseIsMadeAnew(_ change: String) async throws {
    let home = try Home()
    try await home.open().add(4, 5, 6)
    let index = "FROM sqlite_schema WHERE name = 'idx_favorites_created'"
    let page = try home.texts("SELECT rootpage \(index)")[0]
    let sql = try home.texts("SELECT sql \(index)")[0]
    try home.execute("PRAGMA writable_schema = ON; DELETE \(index)")
    try home.execute(change)
    try home.execute(
      """
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema
        VALUES ('index', 'idx_favorites_created', 'favorites', \(page), '\(sql)')
      """)
    #expect(try home.texts("PRAGMA integrity_check") != ["ok"])
    let favorites = try home.open()
    #expect(favorites.recoveredFrom == nil)
    let kept = try home.texts("SELECT taxon_id FROM favorites NOT INDEXED")
    #expect(favorites.favoritesCount() == kept.count)
    for id in [4, 5, 6] as [TaxonID] { try await favorites.removeFavorite(taxonID: id) }
    try await favorites.add(8)
    #expect(try home.texts("PRAGMA integrity_check") == ["ok"])
    #expect(try await home.open().ids == (kept.contains("77") ? [8, 77] : [8]))
  }
}
