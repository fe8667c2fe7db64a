import TestSupport
import Testing

/// The distances of brute force over real names against the full matrix.
struct BoundedDistanceTests {
  /// The distances of `a` to all prefixes of `b`, by the recurrence of the definition.
  private static func distances(_ a: [UInt32], _ b: [UInt32]) -> [Int] {
    var rows = [Array(0...b.count)]
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = min(rows[i][j] + (a[i] == b[j] ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, rows[i - 1][j - 1] + 1)
        }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[a.count]
  }

  @Test func boundedDistancesEqualTheMatrix() {
    let seed = UInt64.random(in: 0...0xFFFF_FFFF)
    var generator = SeededGenerator(seed: seed)
    func text() -> [UInt32] {
      (0..<Int.random(in: 0...9, using: &generator)).map { _ in
        UInt32.random(in: 0..<3, using: &generator)
      }
    }
    var wrong: [String] = []
    for _ in 0..<200_000 {
      let a = text()
      let b = text()
      let expected = Self.distances(a, b)
      for bound in 0...4 {
        let whole = BoundedDistance.whole(a, b, within: bound)
        let prefix = BoundedDistance.prefix(a, b, within: bound)
        let bounded = { (distance: Int) in distance <= bound ? distance : BoundedDistance.far }
        guard
          whole != bounded(expected.last ?? 0) || prefix != bounded(expected.min() ?? 0),
          wrong.count < 5
        else { continue }
        wrong.append("\(a) \(b) within \(bound): \(whole) \(prefix), expected \(expected)")
      }
    }
    #expect(wrong == [], "seed \(seed)")
  }
}
