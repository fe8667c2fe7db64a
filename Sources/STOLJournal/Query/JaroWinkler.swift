/// How alike two texts are, from 0 to 1.
///
/// Jaro, "Advances in record-linkage methodology as applied to matching the 1985 census of Tampa, Florida",
/// Journal of the American Statistical Association 84 (1989); with what Winkler adds for beginnings that
/// agree, "String comparator metrics and enhanced decision rules in the Fellegi-Sunter model of record
/// linkage" (1990): a tenth of what is missing for each of up to four letters.
enum JaroWinkler {
  /// - Complexity: O(product of the lengths)
  static func similarity(_ a: String, _ b: String) -> Double {
    let (a, b) = (Array(a.unicodeScalars), Array(b.unicodeScalars))
    let plain = jaro(a, b)
    let prefix = zip(a, b).prefix(4).prefix { $0 == $1 }.count
    return plain + Double(prefix) * 0.1 * (1 - plain)
  }

  private static func jaro(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Double {
    guard !a.isEmpty, !b.isEmpty else { return a.isEmpty && b.isEmpty ? 1 : 0 }
    // Letters are common that are equal and not farther apart than this.
    let reach = max(0, max(a.count, b.count) / 2 - 1)
    var isTaken = [Bool](repeating: false, count: b.count)
    var common: [Unicode.Scalar] = []
    for (index, letter) in a.enumerated() {
      let first = min(b.count, max(0, index - reach))
      let window = first..<max(first, min(b.count, index + reach + 1))
      guard let found = window.first(where: { !isTaken[$0] && b[$0] == letter }) else {
        continue
      }
      isTaken[found] = true
      common.append(letter)
    }
    guard !common.isEmpty else { return 0 }
    let others = b.indices.filter { isTaken[$0] }.map { b[$0] }
    let transposed = zip(common, others).count { $0 != $1 }
    let count = Double(common.count)
    return
      (count / Double(a.count) + count / Double(b.count)
      + (count - Double(transposed) / 2) / count) / 3
  }
}
