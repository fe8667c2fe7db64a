/// Takes out of a line of a log what tells of a person: paths, quoted texts, ids of taxa.
///
/// The last of several walls: nothing that was searched is given to a log in the first place. What
/// only looks like it is taken out too.
enum Redaction {
  /// The line without them.
  ///
  /// - Complexity: O(length)
  static func redact(_ line: String) -> String {
    var words: [Substring] = []
    var isInPath = false
    for word in withoutQuotes(line).split(whereSeparator: \.isWhitespace) {
      let core = word.trimmingSuffix(while: { ":;,.)".contains($0) })
      let isEnd = core.endIndex < word.endIndex
      if isInPath {
        // A path may hold spaces: it ends where a sentence goes on.
        if isEnd {
          words.append("<path>" + word[core.endIndex...])
          isInPath = false
        }
      } else if core.contains(where: { "/\\~@".contains($0) }) {
        isInPath = !isEnd
        if isEnd { words.append("<path>" + word[core.endIndex...]) }
      } else {
        words.append(redacted(core, after: words.last ?? "") + word[core.endIndex...])
      }
    }
    if isInPath { words.append("<path>") }
    return words.joined(separator: " ")
  }

  private static let quotes = "\"“”„«»'‘’`"

  /// The line without what lies between its first quote and its last one.
  private static func withoutQuotes(_ line: String) -> String {
    guard let first = line.firstIndex(where: quotes.contains),
      let last = line.lastIndex(where: quotes.contains)
    else { return line }
    // A quote that nobody closes hides the rest of the line.
    let rest = first == last ? "" : line[line.index(after: last)...]
    return line[..<first] + "<text>" + rest
  }

  /// A word, or what it stands for.
  private static func redacted(_ word: Substring, after before: Substring) -> Substring {
    // A file by its name alone.
    if let dot = word.lastIndex(of: "."), word[word.index(after: dot)...].first?.isLetter == true {
      return "<file>"
    }
    // Ids of taxa; counts of few digits and codes of errors stay.
    let isNumber = !word.isEmpty && word.allSatisfy { $0.isNumber || $0 == "-" }
    if isNumber, word.count > 3 || ["taxon", "taxa", "id", "of"].contains(before) {
      return "<number>"
    }
    return word
  }
}

extension Substring {
  /// The text without the characters at its end that satisfy `predicate`.
  fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
    var rest = self
    while let last = rest.last, predicate(last) { rest.removeLast() }
    return rest
  }
}
