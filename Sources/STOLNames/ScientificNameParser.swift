/// Takes scientific names apart: what names the taxon, who named it, when, and what limits the name.
///
/// A scanner over words that knows a hundred of them (`NameVocabulary`); it follows the forms of the
/// zoological code, articles 4 to 6, and of the International Code of Nomenclature for algae, fungi,
/// and plants, articles 18 to 24 and H.1 to H.6. A name is either read to its end or kept whole, as
/// `NameParts.Kind.informal`: no letter is lost or invented. The rules:
///
/// - Daggers are removed. So is "?" that stands alone or hangs on a word of a name that can be read;
///   the name is uncertain. "cf.", "aff." and a bracket at the beginning make it uncertain too, but it stays whole.
/// - "x", "X" and "×" before a genus or an epithet become "× ".
/// - Markers of ranks stay as the source has them, but "ssp." becomes "subsp.".
/// - The authorship is that of the last epithet; that of an autonym is the one of the species.
/// - A capital after a genus is an author, unless the rank is that of species or lower, or a separate
///   authorship says that it is none.
package enum ScientificNameParser {
  /// The parts of a name.
  ///
  /// - Parameters:
  ///   - name: With or without authorship, already cleaned.
  ///   - authorship: What the source says in a column of its own; it wins over what `name` says.
  ///   - rank: What the source says about the rank.
  ///   - mayHoldAuthorship: Whether `name` may hold an authorship at all; those of NCBI never do.
  /// - Returns: The parts; a name that cannot be read to its end is whole in `canonicalName`.
  /// - Complexity: O(n)
  package static func parse(
    _ name: String, authorship: String? = nil, rank: SourceRank? = nil,
    mayHoldAuthorship: Bool = true
  ) -> NameParts {
    let (unmarked, isExtinct, isUncertain) = withoutMarks(name)
    let words = NameWords(unmarked)
    let given = authorship.map(trimmingSpaces) ?? ""
    var scanner = NameScanner(
      words: words, end: words.count, rank: rank, hasGivenAuthorship: !given.isEmpty,
      mayHoldAuthorship: mayHoldAuthorship)
    if !given.isEmpty { scanner.end = wordsBefore(given, words, rank) }
    var parts = scanner.read()
    // "Mollusca not assigned" is a place in a tree, not a use of the name Mollusca.
    if parts.phrase.hasPrefix("not assigned") {
      parts = NameParts(canonicalName: words.text(0..<scanner.end))
      parts.kind = .informal
    }
    if !given.isEmpty {
      let separate = AuthorshipParser.parse(given)
      let phrase = parts.phrase
      parts.take(separate)
      // The name may repeat what the separate authorship says.
      if !separate.phrase.isEmpty, phrase.hasSuffix(separate.phrase) { parts.phrase = phrase }
    }
    if isExtinct { parts.isExtinct = true }
    if isUncertain {
      parts.isUncertain = true
      if parts.kind != .scientific {
        // Kept whole, with its marks: "? macularis Presl" is nothing without its first word.
        let marked = NameWords(isExtinct ? withoutDaggers(name) : name)
        let end = given.isEmpty ? marked.count : wordsBefore(given, marked, rank)
        parts.canonicalName = marked.text(0..<end)
      }
    }
    return parts
  }

  /// How many words there are before the authorship with which the text ends; all if it does not.
  ///
  /// An epithet that the column of authors repeats stays, without which the name has too few words for its
  /// rank: "Zea mays everta", subspecies, by "everta".
  private static func wordsBefore(
    _ authorship: String, _ words: NameWords, _ rank: SourceRank?
  ) -> Int {
    guard let last = words.ranges.last?.upperBound else { return 0 }
    let suffix = authorship.utf8
    let start = last - suffix.count
    guard start > 0, words.bytes[start..<last].elementsEqual(suffix) else { return words.count }
    guard let count = words.ranges.firstIndex(where: { $0.lowerBound == start }), count > 0 else {
      return words.count
    }
    let isWord = suffix.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-")
    }
    guard isWord else { return count }
    let species = SourceRank.species.level ?? 0
    let level = rank?.level ?? species
    let least = level < species ? 1 : level == species ? 2 : 3
    let isAfterMarker = words.bytes[words.ranges[count - 1].upperBound - 1] == UInt8(ascii: ".")
    return count < least || isAfterMarker ? words.count : count
  }

  private static func withoutDaggers(_ name: String) -> String {
    String(String.UnicodeScalarView(name.unicodeScalars.filter { $0 != "†" && $0 != "‡" }))
  }

  /// The text without daggers and question marks that are no part of a name.
  private static func withoutMarks(
    _ name: String
  ) -> (text: String, isExtinct: Bool, isUncertain: Bool) {
    var mayHave = false
    for byte in name.utf8 where byte == 0xe2 || byte == UInt8(ascii: "?") { mayHave = true }
    guard mayHave else { return (name, false, false) }
    var isExtinct = false
    var isUncertain = false
    var scalars: [Unicode.Scalar] = []
    for scalar in name.unicodeScalars {
      if scalar == "†" || scalar == "‡" {
        isExtinct = true
        scalars.append(" ")
      } else {
        scalars.append(scalar)
      }
    }
    var words: [String] = []
    for var word in scalars.split(separator: " ") {
      let before = word.count
      let isYear = word.contains { "0"..."9" ~= $0 }
      while !isYear, word.first == "?" { word.removeFirst() }
      while !isYear, word.last == "?" { word.removeLast() }
      if word.count < before { isUncertain = true }
      if !word.isEmpty { words.append(String(String.UnicodeScalarView(word))) }
    }
    return (words.joined(separator: " "), isExtinct, isUncertain)
  }
}
