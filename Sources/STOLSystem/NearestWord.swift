/// What may have been meant by a word that nobody knows.
package enum NearestWord {
  /// "; did you mean 'genus'?", or nothing where no word is near.
  ///
  /// - Complexity: O(words)
  package static func suggestion(for word: String, among known: some Sequence<String>) -> String {
    let nearest = known.map { ($0, distance($0.lowercased(), word.lowercased())) }
      .min { $0.1 < $1.1 }
    guard let (name, distance) = nearest, distance <= max(2, word.count / 3) else { return "" }
    return "; did you mean '\(name)'?"
  }

  /// How many letters must be changed, added or removed: Levenshtein 1966.
  ///
  /// - Complexity: O(product of the lengths), of which 64 letters count.
  private static func distance(_ first: String, _ second: String) -> Int {
    let (a, b) = (Array(first.prefix(64)), Array(second.prefix(64)))
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var corner = row[0]
      row[0] = i + 1
      for j in b.indices {
        let above = row[j + 1]
        row[j + 1] = min(above + 1, row[j] + 1, corner + (letter == b[j] ? 0 : 1))
        corner = above
      }
    }
    return row[b.count]
  }
}
