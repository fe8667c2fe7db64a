/// Names between genus and species.
extension NameReader {
  /// Names between genus and species, in parentheses or with a marker.
  mutating func readInfragenus() {
    if next < end, isParenthesised(next),
      isEpithetNext(next + 1) || next + 1 == end && !isName(next)
    {
      let range = words.ranges[next]
      add(.subgenus, (range.lowerBound + 1)..<(range.upperBound - 1))
      next += 1
    }
    if next < end, range(of: .subgenus) == nil, isParenthesised(next),
      next + 1 == end ? isName(next) : isLatin(next)
    {
      // The subgenus itself: "Aus (Bus)", and "Aus (Busella) Cus, 1900", where it is no author.
      let range = words.ranges[next]
      add(.infragenus, (range.lowerBound + 1)..<(range.upperBound - 1))
      next += 1
    }
    while let marker = infragenericMarker() {
      if marker > next { take(.formerAuthorship, to: marker) }
      take(.marker, to: marker + 1)
      take(.infragenus, to: marker + 2)
    }
  }

  /// "(Bus)", "(Bus.)" or "(bus)".
  private func isParenthesised(_ word: Int) -> Bool {
    let range = words.ranges[word]
    guard range.count > 3, words.bytes[range.lowerBound] == UInt8(ascii: "("),
      words.bytes[range.upperBound - 1] == UInt8(ascii: ")")
    else { return false }
    return words.bytes[(range.lowerBound + 1)..<(range.upperBound - 1)].allSatisfy {
      Letters.isASCII($0) || $0 == UInt8(ascii: ".") || $0 >= 0x80 || $0 == UInt8(ascii: "-")
    }
  }

  /// Whether the word in parentheses is written as a name, and not shortened as those of people are.
  private func isName(_ word: Int) -> Bool {
    let range = (words.ranges[word].lowerBound + 1)..<(words.ranges[word].upperBound - 1)
    return range.count > 3 && words.isUpper(range)
      && !Self.latinAuthors.contains(words.bytes, range)
      && !words.contains(range) { $0 == UInt8(ascii: ".") }
  }

  /// Whether the word in parentheses ends as names of taxa do and those of people seldom.
  private func isLatin(_ word: Int) -> Bool {
    let range = (words.ranges[word].lowerBound + 1)..<(words.ranges[word].upperBound - 1)
    guard range.count > 4, words.isUpper(range), !Self.latinAuthors.contains(words.bytes, range)
    else { return false }
    return Self.latinEndings.contains { ending in
      words.bytes[range].suffix(ending.utf8.count).elementsEqual(ending.utf8)
    }
  }

  private static let latinEndings = [
    "us", "um", "ia", "ella", "oides", "opsis", "ops", "yx", "thrix", "cola", "soma", "stoma",
    "phora", "ptera", "cera", "derma", "cythere",
  ]
  private static let latinAuthors = WordSet(
    """
    linnaeus fabricius martius retzius clusius camerarius rivinus junius titius marius paulus claus garcia
    correia heredia faria columbus gravenhorstius thunbergius
    """)

  private func isEpithetNext(_ word: Int) -> Bool {
    isEpithet(word) || (isTimes(word) && isEpithet(word + 1))
      || word < end && NameVocabulary.role(words.bytes, words.ranges[word]) == .doubt
  }

  /// The word before a name between genus and species, perhaps behind authors; nil where there is none.
  private func infragenericMarker() -> Int? {
    for word in next..<end {
      let range = words.ranges[word]
      if words.isLower(range), word + 1 < end, words.isUpper(words.ranges[word + 1]),
        NameVocabulary.role(words.bytes, range) == .infrageneric
          || Self.infragenericWords.contains(words.bytes, range)
      {
        let isAuthors =
          word == next || AuthorshipParser.end(words, next..<word, isStrict: true) != nil
        return isAuthors ? word : nil
      }
      // "[unranked] Bus".
      if words.isWord(word, "[unranked]"), word + 1 < end, words.isUpper(words.ranges[word + 1]) {
        return word
      }
      if isEpithet(word) { return nil }
    }
    return nil
  }

  private static let infragenericWords = WordSet(
    """
    div unr. unranked tribe tribus stirps grex fam. ord. subord. supersubtrib. supergen. subsubsect. subsubgen.
    t.infr. infrag. infragen. subdiv. coh. phalanx
    """)
}
