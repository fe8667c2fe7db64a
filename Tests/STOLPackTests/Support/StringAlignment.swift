/// Optimal string alignment distance as the textbook has it: one full matrix, no shortcut.
enum StringAlignment {
  /// The distances between `a` and every prefix of `b`, the empty one first, `b` itself last.
  static func distances(from a: [UInt32], toPrefixesOf b: [UInt32]) -> [Int] {
    let width = b.count + 1
    // The entry of row i and column j is the distance of the first i of `a` to the first j of `b`.
    var matrix = [Int](repeating: 0, count: (a.count + 1) * width)
    for column in 0...b.count { matrix[column] = column }
    for row in a.indices.map({ $0 + 1 }) {
      matrix[row * width] = row
      for column in b.indices.map({ $0 + 1 }) {
        let isSame = a[row - 1] == b[column - 1]
        var least = matrix[(row - 1) * width + column - 1] + (isSame ? 0 : 1)
        least = min(least, matrix[(row - 1) * width + column] + 1)
        least = min(least, matrix[row * width + column - 1] + 1)
        if row > 1, column > 1, a[row - 1] == b[column - 2], a[row - 2] == b[column - 1] {
          least = min(least, matrix[(row - 2) * width + column - 2] + 1)
        }
        matrix[row * width + column] = least
      }
    }
    return Array(matrix.suffix(width))
  }

  /// The distance between two texts.
  static func distance(_ a: [UInt32], _ b: [UInt32]) -> Int {
    distances(from: a, toPrefixesOf: b).last ?? 0
  }

  /// The least distance between `a` and a prefix of `b`.
  static func distance(_ a: [UInt32], toPrefixOf b: [UInt32]) -> Int {
    distances(from: a, toPrefixesOf: b).min() ?? 0
  }
}
