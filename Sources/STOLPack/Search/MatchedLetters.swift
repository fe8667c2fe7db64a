/// Finds the letters of a name that a query matched, to mark them.
public enum MatchedLetters {
  /// The parts of `name` that equal words of `query`, or that its words begin, in folded form.
  ///
  /// - Returns: ranges in order, not overlapping.
  /// - Complexity: O(length of both, times the number of words)
  public static func ranges(of query: String, in name: String) -> [Range<String.Index>] {
    var wanted = FoldedQuery(query).words
    var result: [Range<String.Index>] = []
    for word in name.split(whereSeparator: \.isWhitespace) {
      let folded = Array(Folder.fold(String(word)).utf8)
      let matching = wanted.indices.filter { folded.starts(with: wanted[$0]) }
      guard let match = matching.max(by: { wanted[$0].count < wanted[$1].count }) else { continue }
      result.append(word.startIndex..<end(of: wanted[match], in: word))
      wanted.remove(at: match)
    }
    return result
  }

  /// Where the shortest beginning of `word` that folds to `query` ends.
  private static func end(of query: [UInt8], in word: Substring) -> String.Index {
    var index = word.startIndex
    while index < word.endIndex {
      index = word.index(after: index)
      if Folder.fold(String(word[..<index])).utf8.count >= query.count { break }
    }
    return index
  }
}
