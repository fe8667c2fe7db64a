/// Every small forest, for tests that leave none out.
enum SmallForests {
  /// All ways to give each taxon a parent before it, or none.
  static func parents(_ size: Int) -> [[Int?]] {
    var result: [[Int?]] = [[]]
    for taxon in 0..<size {
      result = result.flatMap { parents in
        ([nil] + (0..<taxon).map { Int?($0) }).map { parents + [$0] }
      }
    }
    return result
  }

  /// In how many ways `exponent` taxa get one of `base` things each.
  static func power(_ base: Int, _ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { product, _ in product * base }
  }
}
