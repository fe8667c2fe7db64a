import Foundation
import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLFavorites

/// Rows of version 1, which have a number and a time only: of which database each is a favourite.
@Suite("Favourites of version 1")
struct TakeoverTests {
  /// A home with a reference database of birds, installed in February, in which 9689 is a swallow.
  private struct Birds {
    let home: Home
    let store: ReferenceStore

    init(isActive: Bool = true, favorites rows: String = "") throws {
      home = try Home()
      let directory = home.directory
      store = ReferenceStore(
        in: directory, beforeSwitching: { try FavoriteTakeover.run(in: directory) })
      try home.execute(schema + rows)
      try install(["Cecropis abyssinica", "Ninox novaeseelandiae"], isActive: isActive)
    }

    /// Installs a database that has 9689 and 9694 under these names.
    func install(_ names: [String], isActive: Bool = true) throws {
      let folder = try TemporaryFolder()
      var sql = "INSERT INTO dataset VALUES ('id_space', 'avi');"
      for (id, name) in zip([9689, 9694], names) {
        sql += """
          INSERT INTO taxa (id, source_id, rank, scientific_name)
            VALUES (\(id), '\(id)', 'species', '\(name)');
          """
      }
      let pack = try Taxonomy.compile(sql, tables: Taxonomy.recordTables, in: folder, "made")
      var staging = try store.stage()
      for (from, to) in [
        (folder("made.sqlite"), ReferenceStore.databaseName), (pack, ReferenceStore.packName),
      ] {
        try FileManager.default.copyItem(atPath: from, toPath: staging.folder + "/" + to)
        try Self.setTime("2026-02-01T00:00:00Z", of: staging.folder + "/" + to)
      }
      let digest = try Pack(path: pack).source.sha256
      _ = try staging.install { generation in
        InstalledReference(
          generation: generation, isActive: isActive, dataset: nil, releaseNumber: 0,
          buildTime: nil, keyID: "0",
          digest: digest.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined())
      }
    }

    /// The file that says which reference is installed.
    var state: String { store.folder + "/reference.txt" }

    static func setTime(_ time: String, of path: String) throws {
      let date = try Date(time, strategy: .iso8601)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }

    /// What the favourites refer to, the one added first at first, as whoever opens them finds it.
    func references(_ database: FavoriteDatabase? = nil) async throws -> [String] {
      let pack = try BundledDatabase.open()
      let favorites = try LocalFavorites(
        directory: home.directory,
        database: database ?? FavoriteDatabase(pack, directory: home.directory))
      return try await favorites.allFavorites().reversed().map {
        $0.reference.written + " " + $0.reference.name
      }
    }
  }

  /// A row from before the birds and one from after them.
  private static let rows = """
    INSERT INTO favorites VALUES (9689, '2026-01-01T00:00:00.000Z'),
      (9694, '2026-03-01T00:00:00.000Z');
    """
  private static let taken = ["ncbi:9689 Panthera leo", "avi:9694 Ninox novaeseelandiae"]

  @Test func theTimeOfARowTellsItsDatabase() async throws {
    let birds = try Birds()
    try birds.home.execute(Self.rows)
    #expect(try await birds.references() == Self.taken)
  }

  /// Whoever opens favourites first, rows are of what was active when they were added.
  @Test func rowsAreTakenOverBeforeAnotherDatabaseAnswers() async throws {
    var birds = try Birds()
    try birds.home.execute(Self.rows)
    try birds.install(["Quercus robur", "Quercus rubra"])
    #expect(try await birds.references() == Self.taken)

    birds = try Birds()
    try birds.home.execute(Self.rows)
    try birds.store.delete()
    #expect(try await birds.references() == Self.taken)

    birds = try Birds(isActive: false, favorites: Self.rows)
    _ = try birds.store.setActive(true)
    #expect(
      try await birds.references() == ["ncbi:9689 Panthera leo", "ncbi:9694 Panthera tigris"])
  }

  /// A reference that does not answer any more has the rows of the time when it did.
  @Test func rowsOfADeactivatedReferenceAreItsOwn() async throws {
    let birds = try Birds()
    _ = try birds.store.setActive(false)
    try Birds.setTime("2026-04-01T00:00:00Z", of: birds.state)
    try birds.home.execute(
      Self.rows + "INSERT INTO favorites VALUES (9696, '2026-05-01T00:00:00.000Z');")
    _ = try birds.store.setActive(true)
    #expect(try await birds.references() == Self.taken + ["ncbi:9696 Puma concolor"])
  }

  @Test func rowsWaitForAReferenceThatCannotBeOpened() async throws {
    let birds = try Birds()
    try birds.home.execute(Self.rows)
    let waiting = ["ncbi:9689 Panthera leo", "unstated:9694 "]
    let state = try String(contentsOfFile: birds.state, encoding: .utf8)
    try "stol-refer".write(toFile: birds.state, atomically: false, encoding: .utf8)
    for _ in 0..<2 { #expect(try await birds.references() == waiting) }
    #expect(try await birds.references(FavoriteDatabase.none).last == waiting.last)
    try state.write(toFile: birds.state, atomically: false, encoding: .utf8)

    let reference = try #require(try birds.store.installed())
    let (database, pack) = (birds.store.databasePath(reference), birds.store.packPath(reference))
    try FileManager.default.moveItem(atPath: database, toPath: database + ".away")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: pack))
    try Data("of another stol".utf8).write(to: URL(fileURLWithPath: pack))
    try Birds.setTime("2026-02-01T00:00:00Z", of: pack)
    #expect(try await birds.references() == waiting)
    // A pack of another stol is made again of its database.
    try FileManager.default.moveItem(atPath: database + ".away", toPath: database)
    #expect(try await birds.references() == Self.taken)
    try bytes.write(to: URL(fileURLWithPath: pack))
  }

  /// Once what could have told is gone, a number is a number; it can be removed.
  @Test func rowsOfALostReferenceAreNumbersForGood() async throws {
    let birds = try Birds()
    try birds.home.execute(Self.rows)
    try "stol-refer".write(toFile: birds.state, atomically: false, encoding: .utf8)
    let file = try FavoritesFile(in: birds.home.directory, database: .none)
    #expect(try file.remove(TaxonReference(idSpace: nil, id: "9689")))
    #expect(try await birds.references() == ["unstated:9694 "])
    try birds.store.delete()
    #expect(try await birds.references() == ["unstated:9694 "])
    #expect(try birds.home.texts("SELECT id FROM favorite_references") == ["9694"])
  }

  @Test func withoutFavoritesNothingIsMade() throws {
    let home = try Home()
    #expect(try FavoriteTakeover.run(in: home.directory) == nil)
    #expect(!FileManager.default.fileExists(atPath: home.directory.favorites))
  }
}
