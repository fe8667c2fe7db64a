/// Takes out of a line of a log what tells of a person: paths, quoted texts, ids of taxa.
///
/// Names that were searched reach a log only in quotes or in paths; whoever writes a message keeps
/// to that. What looks like either is taken out, even where it is harmless.
enum Redaction {
  /// The line without them.
  ///
  /// - Complexity: O(length)
  static func redact(_ line: String) -> String {
    var result = ""
    var wordBefore: Substring = ""
    var rest = Substring(line.replacing("\n", with: " ").replacing("\r", with: " "))
    while let character = rest.first {
      if let closing = quotes[character] {
        // A quote that nobody closes hides the rest of the line.
        result += "<text>"
        rest = rest.dropFirst()
        rest = rest.firstIndex(of: closing).map { rest[$0...].dropFirst() } ?? ""
        continue
      }
      guard !character.isWhitespace else {
        result.append(character)
        rest = rest.dropFirst()
        continue
      }
      let end = rest.firstIndex { $0.isWhitespace || quotes[$0] != nil } ?? rest.endIndex
      result += redact(word: rest[..<end], after: wordBefore)
      wordBefore = rest[..<end]
      rest = rest[end...]
    }
    return result
  }

  private static let quotes: [Character: Character] = [
    "\"": "\"", "“": "”", "„": "“", "«": "»", "'": "'", "‘": "’", "`": "`",
  ]

  /// A word, or what it stands for.
  private static func redact(word: Substring, after wordBefore: Substring) -> String {
    let trailing = word.reversed().prefix { ":;,.)".contains($0) }.count
    let core = word.dropLast(trailing)
    let kept = String(word.suffix(trailing))
    if core.contains("/") || core.contains("\\") || core.hasPrefix("~") || core.contains("@") {
      return "<path>" + kept
    }
    // A file by its name alone.
    if let dot = core.lastIndex(of: "."), core[core.index(after: dot)...].first?.isLetter == true {
      return "<file>" + kept
    }
    // Ids of taxa; counts of few digits and codes of errors stay.
    if !core.isEmpty, core.allSatisfy({ $0.isNumber || $0 == "-" }),
      core.count > 4 || ["taxon", "taxa", "id"].contains(wordBefore)
    {
      return "<number>" + kept
    }
    return String(word)
  }
}
