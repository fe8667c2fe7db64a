import Foundation
import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLFavorites

@Suite("Favourites")
struct FavoritesTests {
  @Test func anAddedTaxonIsAFavorite() async throws {
    let favorites = try Home().open()
    try await favorites.add(9689)
    #expect(favorites.isFavorite(taxonID: 9689))
    #expect(!favorites.isFavorite(taxonID: 9690))
    #expect(favorites.favoritesCount() == 1)
  }

  @Test func addingTwiceChangesNothing() async throws {
    let favorites = try Home().open()
    try await favorites.add(7)
    let before = try await favorites.allFavorites()
    try await favorites.add(7)
    #expect(favorites.favoritesCount() == 1)
    #expect(try await favorites.allFavorites() == before)
  }

  @Test func aRemovedTaxonIsNoFavorite() async throws {
    let favorites = try Home().open()
    try await favorites.add(7)
    try await favorites.removeFavorite(taxonID: 7)
    #expect(!favorites.isFavorite(taxonID: 7))
    #expect(favorites.favoritesCount() == 0)
  }

  @Test func removingWhatIsNoFavoriteIsNoError() async throws {
    let favorites = try Home().open()
    try await favorites.add(7)
    try await favorites.removeFavorite(taxonID: 8)
    #expect(favorites.favoritesCount() == 1)
  }

  @Test func togglingAddsWhatIsAbsent() async throws {
    let favorites = try Home().open()
    #expect(try await favorites.toggleFavorite(taxonID: 7))
    #expect(favorites.favoritesCount() == 1)
  }

  @Test func togglingRemovesWhatIsPresent() async throws {
    let favorites = try Home().open()
    try await favorites.add(7)
    #expect(try await !favorites.toggleFavorite(taxonID: 7))
    #expect(favorites.favoritesCount() == 0)
  }

  @Test func theOneAddedLastComesFirst() async throws {
    let favorites = try Home().open()
    // Several within one millisecond.
    let ids: [TaxonID] = (1...50).map { TaxonID(rawValue: ($0 * 37) % 101) }
    for id in ids { try await favorites.add(id) }
    #expect(try await favorites.ids == ids.reversed())
    let times = try await favorites.allFavorites().map(\.createdAt)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 > $1 })
  }

  @Test func thereIsNothingAtFirst() async throws {
    let favorites = try Home().open()
    #expect(try await favorites.allFavorites().isEmpty)
    #expect(favorites.favoritesCount() == 0)
    #expect(favorites.recoveredFrom == nil)
  }

  @Test func clearingRemovesAll() async throws {
    let favorites = try Home().open()
    try await favorites.add(1, 2, 3)
    try await favorites.clearAllFavorites()
    #expect(favorites.favoritesCount() == 0)
    #expect(try await favorites.allFavorites().isEmpty)
    #expect(!favorites.isFavorite(taxonID: 2))
    try await favorites.add(2)
    #expect(favorites.isFavorite(taxonID: 2))
  }

  @Test func storageIsCounted() async throws {
    let favorites = try Home().open()
    for id in 1...100 { try await favorites.add(TaxonID(rawValue: Int64(id))) }
    let full = try await favorites.storageBytes()
    #expect(full > 0)
    try await favorites.clearAllFavorites()
    let empty = try await favorites.storageBytes()
    #expect(empty < full && empty <= 16_384, "\(empty) of \(full)")
  }

  @Test func theTableOfTheFirstVersionStaysAsItWas() async throws {
    let home = try Home()
    let favorites = try home.open()
    try await favorites.add(1)
    #expect(
      try home.texts("SELECT name FROM pragma_table_info('favorites')")
        == ["taxon_id", "created_at"])
    #expect(
      try home.texts("SELECT name FROM sqlite_schema ORDER BY name")
        == [
          "favorite_references", "favorite_references_changed",
          "favorite_references_inserted", "favorites", "favorites_inserted",
          "idx_favorites_created",
        ])
    #expect(try home.texts("PRAGMA user_version") == ["3"])
    #expect(try home.texts("PRAGMA journal_mode") == ["wal"])
  }

  @Test func favoritesOutlastTheObject() async throws {
    let home = try Home()
    try await home.open().add(3, 1, 2)
    let again = try home.open()
    #expect(again.favoritesCount() == 3)
    #expect(again.isFavorite(taxonID: 1))
    #expect(try await again.ids == [2, 1, 3])
  }

  @Test func onlyFilesOfItsOwnAreMade() async throws {
    let home = try Home()
    let favorites = try home.open()
    try await favorites.add(1, 2)
    try await favorites.clearAllFavorites()
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == ["Favorites"])
    #expect(try home.names.allSatisfy { $0.hasPrefix("favorites.sqlite") })
    let mode = try FileManager.default.attributesOfItem(atPath: home.directory.favorites)
    #expect(mode[.posixPermissions] as? Int == 0o700)
  }

  @Test func nothingOfAClearedListCanBeRead() async throws {
    let home = try Home()
    let favorites = try home.open()
    let id = TaxonID(rawValue: 0x4142_4344_4546)
    for number: Int64 in 0..<300 {
      try await favorites.add(TaxonID(rawValue: id.rawValue + number))
    }
    let year = try await favorites.allFavorites()[0].createdAt.formatted(.iso8601).prefix(4)
    #expect(try home.allBytes.range(of: Data("ABCDE".utf8)) != nil)
    try await favorites.clearAllFavorites()
    for trace in ["ABCDE", "\(year)-"] {
      #expect(try home.allBytes.range(of: Data(trace.utf8)) == nil, "\(trace)")
    }
  }

  @Test func timesGrowThoughTheClockStands() async throws {
    let home = try Home()
    // Written by a clock that was ahead.
    try home.execute(schema + "INSERT INTO favorites VALUES (5, '2999-01-01T00:00:00.999Z')")
    let favorites = try home.open()
    try await favorites.add(4, 9)
    #expect(try await favorites.ids == [9, 4, 5])
    #expect(
      try home.texts("SELECT created_at FROM favorites ORDER BY created_at") == [
        "2999-01-01T00:00:00.999Z", "2999-01-01T00:00:01.000Z", "2999-01-01T00:00:01.001Z",
      ])
  }

  @Test func rowsWithTimesThatCannotBeReadAreKept() async throws {
    let home = try Home()
    try home.execute(
      schema
        + """
        INSERT INTO favorites VALUES (1, 'zzzz'), (2, ''), (3, x'FF00'), (4, '2026-13-45T99:00:00Z'),
          (5, '2026-01-01 10:00:00'), (6, 42);
        """)
    let favorites = try home.open()
    #expect(favorites.favoritesCount() == 6)
    try await favorites.add(7)
    #expect(try await favorites.ids == [7, 5, 1, 2, 3, 4, 6])
  }

  @Test func operationsMatchAPlainArray() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let home = try Home()
    // 100 to 109 were merged into 0 to 9.
    let current: @Sendable (TaxonID) -> TaxonID = {
      $0.rawValue >= 100 ? TaxonID(rawValue: $0.rawValue - 100) : $0
    }
    var favorites = try home.open(currentID: current)
    var rows: [TaxonID] = []
    for step in 0..<600 {
      let number = Int64.random(in: 0..<20, using: &random)
      let id = TaxonID(rawValue: number < 10 ? number : number + 90)
      let isThere = rows.contains(current(id))
      switch Int.random(in: 0..<40, using: &random) {
      case 0:
        try await favorites.clearAllFavorites()
        rows = []
      case 1...2: favorites = try home.open(currentID: current)
      case 3...15:
        try await favorites.add(id)
        #expect(favorites.isFavorite(taxonID: id), "seed \(seed), step \(step)")
        if !isThere { rows.insert(current(id), at: 0) }
      case 16...25:
        try await favorites.removeFavorite(taxonID: id)
        rows.removeAll { current($0) == current(id) }
      default:
        #expect(try await favorites.toggleFavorite(taxonID: id) == !isThere, "seed \(seed)")
        rows.removeAll { current($0) == current(id) }
        if !isThere { rows.insert(current(id), at: 0) }
      }
      try #require(try await favorites.ids == rows, "seed \(seed), step \(step)")
      let taxa = Set(rows.map(current))
      #expect(favorites.favoritesCount() == taxa.count, "seed \(seed), step \(step)")
      for number in (0..<10).map(Int64.init) {
        let isFavorite = rows.contains { current($0).rawValue == number }
        // The merged id stands for the taxon.
        for id in [number, number + 100] {
          #expect(
            favorites.isFavorite(taxonID: TaxonID(rawValue: id)) == isFavorite,
            "seed \(seed), step \(step), id \(id)")
        }
      }
    }
  }
}

@Suite("Times of favourites")
struct TimestampTests {
  @Test func readsWhatItWrites() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      let value = Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random)
      let time = Timestamp(milliseconds: value)
      #expect(Timestamp(text: time.text) == time)
    }
    #expect(Timestamp(milliseconds: 951_782_400_123).text == "2000-02-29T00:00:00.123Z")
    #expect(Timestamp(milliseconds: .max).text == "9999-12-31T23:59:59.999Z")
    #expect(Timestamp(milliseconds: .max).next.text == "9999-12-31T23:59:59.999Z")
    #expect(Timestamp(milliseconds: .min).text == "0000-01-01T00:00:00.000Z")
  }

  @Test(arguments: [
    "", "2026", "2026-02-30T00:00:00.000Z", "2026-00-01T00:00:00Z", "2026-01-01T24:00:00Z",
    "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1x2Z", "2026-01-01T00:00:00+01:00",
    "2026/01/01T00:00:00Z", "\u{1F981}\u{1F981}\u{1F981}\u{1F981}\u{1F981}",
  ])
  func refusesWhatIsNoTime(_ text: String) {
    #expect(Timestamp(text: text) == nil)
  }
}
