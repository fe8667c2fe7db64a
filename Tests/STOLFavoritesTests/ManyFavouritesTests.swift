import Foundation
import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLFavorites

/// Prints figures, and fails only far from the goals: machines are noisy.
@Suite("Speed of favourites", .serialized)
struct SpeedTests {
  private static let tolerance = 5.0

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

  @Test func opensTenThousandInFiveMilliseconds() throws {
    let home = try Self.filled()
    _ = try home.open()
    let best = try (0..<20).map { _ in
      let start = ContinuousClock.now
      let favorites = try home.open()
      let time = ContinuousClock.now - start
      #expect(favorites.favouritesCount() == 10_000)
      return time
    }.sorted()
    let milliseconds = best[10] / .milliseconds(1)
    let fastest = best[0] / .milliseconds(1)
    print("open 10,000 favourites: median \(milliseconds) ms, best \(fastest) ms")
    #expect(milliseconds <= 5 * Self.tolerance)
  }

  @Test(arguments: [false, true])
  func asksInAHundredNanoseconds(_ followsMergedIDs: Bool) throws {
    let home = try Self.filled()
    let pack = try FavouriteListTests.pack()
    let favorites =
      followsMergedIDs
      ? try home.open(currentID: LocalFavorites.currentID(in: pack)) : try home.open()
    for isFavourite in [true, false] {
      // Ids of favourites, and others.
      let ids = (1...1000).map { (number: Int64) -> TaxonID in
        TaxonID(rawValue: isFavourite ? number * 7919 % 3_000_017 : 4_000_000 + number)
      }
      var found = 0
      let times = (0..<50).map { _ in
        let start = ContinuousClock.now
        for id in ids where favorites.isFavourite(taxonID: id) { found += 1 }
        return (ContinuousClock.now - start) / .nanoseconds(ids.count)
      }.sorted()
      #expect(found == (isFavourite ? 50 * ids.count : 0))
      let title = "isFavourite, \(isFavourite), \(followsMergedIDs ? "with" : "without") a pack"
      print("\(title): median \(times[25]) ns, best \(times[0]) ns")
      #expect(times[25] <= 100 * Self.tolerance)
    }
  }
}
