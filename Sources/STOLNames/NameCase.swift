/// Gives names that are written in capitals, or all in small letters, the case that the codes ask for.
package enum NameCase {
  /// A scientific name in the case that it should have, or nil where it has it, or where nobody can
  /// tell what of the text is name.
  ///
  /// "PANTHERA LEO" and "panthera leo" are *Panthera leo*; authors behind a name in capitals keep one
  /// capital each. Only texts of the letters A to Z, with a rank that says how many words are name, are
  /// touched: a name in another case may be a code, as "BOLD:AAA1234" and "SARS". Words that are no names,
  /// as "INCERTAE SEDIS", stay.
  ///
  /// - Parameters:
  ///   - text: the name, perhaps with its authorship.
  ///   - rank: its rank.
  /// - Returns: the name and what stood behind it, or nil.
  /// - Complexity: O(length)
  package static func repaired(_ text: String, rank: SourceRank?) -> String? {
    guard let rank, rank.level != nil, !isUsual(text) else { return nil }
    let words = text.split(separator: " ").map(String.init)
    let nameCount = rank.isBelowSpecies ? 3 : rank.canonicalName.hasSuffix("species") ? 2 : 1
    guard words.count >= nameCount else { return nil }
    guard !words.contains(where: { noNames.contains($0.lowercased()) }) else { return nil }
    let name = words.prefix(nameCount)
    guard name.allSatisfy({ $0.utf8.count > 2 && $0.utf8.allSatisfy(isLetter) }) else { return nil }
    if name.allSatisfy({ $0.utf8.allSatisfy(isCapital) }) {
      // One word in capitals may be an abbreviation.
      guard nameCount > 1 || name[0].utf8.count > 5 else { return nil }
      let authors = words.dropFirst(nameCount).map { word in
        word.utf8.allSatisfy { !isLetter($0) || isCapital($0) } ? capitalised(word) : word
      }
      let rest = name.dropFirst().map { $0.lowercased() }
      return ([capitalised(name[0])] + rest + authors).joined(separator: " ")
    }
    guard !name.contains(where: { $0.utf8.contains(where: isCapital) }), nameCount > 1 else {
      return nil
    }
    return ([capitalised(name[0])] + words.dropFirst()).joined(separator: " ")
  }

  /// The name of a higher taxon in the case that it should have, or nil where it has it.
  ///
  /// "FELIDAE" and "felidae" are Felidae. Abbreviations, several words, and words that are no names stay.
  ///
  /// - Complexity: O(length)
  package static func repairedHigherTaxon(_ text: String) -> String? {
    guard !isUsual(text), text.utf8.count > 3, text.utf8.allSatisfy(isLetter) else { return nil }
    guard text.utf8.allSatisfy(isCapital) || !text.utf8.contains(where: isCapital) else {
      return nil
    }
    return noNames.contains(text.lowercased()) ? nil : capitalised(text)
  }

  /// Words that stand in place of a name where nothing is known.
  private static let noNames: Set = [
    "unknown", "unclassified", "unassigned", "unidentified", "undetermined", "unplaced", "unranked",
    "uncertain", "uncultured", "environmental", "undefined", "indet", "incertae", "sedis",
    "various", "other", "others", "none", "null", "missing", "absent",
  ]

  /// Whether a text begins as names do, with a capital and a small letter.
  private static func isUsual(_ text: String) -> Bool {
    var bytes = text.utf8.makeIterator()
    guard let first = bytes.next(), let second = bytes.next() else { return true }
    return isCapital(first) && isLetter(second) && !isCapital(second)
  }

  /// Its first letter as a capital, all others small: "(LINNAEUS," is "(Linnaeus,".
  private static func capitalised(_ word: String) -> String {
    var result = ""
    var isInside = false
    for character in word.lowercased() {
      result += !isInside && character.isLetter ? character.uppercased() : String(character)
      isInside = character.isLetter
    }
    return result
  }

  private static func isCapital(_ byte: UInt8) -> Bool { byte >= 0x41 && byte <= 0x5A }
  private static func isLetter(_ byte: UInt8) -> Bool { isCapital(byte & 0xDF) }
}
