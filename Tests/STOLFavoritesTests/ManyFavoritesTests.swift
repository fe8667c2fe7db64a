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
}
