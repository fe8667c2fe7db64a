/// Names between genus and species.
extension NameReader {
  /// Names between genus and species, in parentheses or with a marker.
  mutating func readInfragenus() {
    // "Aus (cf.) bus".
    if next < end, NameVocabulary.role(words.bytes, withoutBrackets(words.ranges[next])) == .doubt {
      return
    }
    readMarkedSubgenus()
    readSubgenusMarks()
    // "Aus (Bus) (Cus) dus".
    while next + 2 < end, isParenthesised(next), isParenthesised(next + 1), isName(next),
      isName(next + 1), isEpithet(next + 2)
    {
      let range = words.ranges[next]
      add(.subgenus, (range.lowerBound + 1)..<(range.upperBound - 1))
      next += 1
    }
    if next + 1 < end, words.isWord(next, "(?)"), isEpithet(next + 1) {
      marks.insert(.isUncertain)
      next += 1
    }
    if next < end, range(of: .subgenus) == nil || isEpithetNext(next + 1), isParenthesised(next),
      isEpithetNext(next + 1) || next + 1 == end && !isName(next)
    {
      let range = words.ranges[next]
      add(.subgenus, (range.lowerBound + 1)..<(range.upperBound - 1))
      next += 1
    }
    if next < end, range(of: .subgenus) == nil, isParenthesised(next),
      next + 1 == end ? isName(next) && !endsAsPeople(next) : isLatin(next) || isGenus(next)
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

  /// Takes away what stands at a subgenus and is no part of it: a doubt, "(Bus?) cus", a comma behind it.
  ///
  /// It passes over "(s. str.)", the subgenus that is called as its genus.
  private mutating func readSubgenusMarks() {
    guard next + 1 < end else { return }
    var range = words.ranges[next]
    let first = words.bytes[range.lowerBound]
    guard first == UInt8(ascii: "(") || first == UInt8(ascii: "[") else { return }
    if next + 2 < end, words.isWord(next, "(s."), isEpithet(next + 2),
      Self.ownSubgenus.contains(words.bytes, words.ranges[next + 1])
    {
      take(.skipped, to: next + 2)
      return
    }
    guard isEpithet(next + 1), range.count > 4, words.isUpper(words.core(next)) else { return }
    if Letters.isComma(words.bytes[range.upperBound - 1]) {
      range = range.lowerBound..<(range.upperBound - 1)
    }
    let close = range.upperBound - 1
    // "(Bus?)" and "[Bus]" hold names as "(Bus)" does.
    if words.bytes[close] == UInt8(ascii: ")"), words.bytes[close - 1] == UInt8(ascii: "?") {
      marks.insert(.isUncertain)
      add(.subgenus, (range.lowerBound + 1)..<(close - 1))
      next += 1
    } else if first == UInt8(ascii: "["), words.bytes[close] == UInt8(ascii: "]"),
      words.bytes[(range.lowerBound + 1)..<close].allSatisfy(Letters.isASCII)
    {
      add(.subgenus, (range.lowerBound + 1)..<close)
      next += 1
    } else {
      words.ranges[next] = range
    }
  }

  private static let ownSubgenus = WordSet("str.) str) s.) s) lat.) lat) l.) l)")

  /// Takes a marker and a name in parentheses between genus and species or at the end.
  private mutating func readMarkedSubgenus() {
    guard next + 1 < end, words.bytes[words.ranges[next].lowerBound] == UInt8(ascii: "("),
      NameVocabulary.role(words.bytes, words.core(next)) == .infrageneric,
      words.bytes[words.ranges[next + 1].upperBound - 1] == UInt8(ascii: ")"),
      words.isUpper(words.core(next + 1))
    else { return }
    add(.marker, words.core(next))
    let role: Role = isEpithetNext(next + 2) ? .subgenus : .infragenus
    add(role, words.core(next + 1))
    next += 2
  }

  /// "(Bus)", "(Bus.)" or "(bus)".
  func isParenthesised(_ word: Int) -> Bool {
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

  /// "Aus (Aus)".
  private func isGenus(_ word: Int) -> Bool {
    guard let genus = range(of: .uninomial), genus.count > 3 else { return false }
    let range = (words.ranges[word].lowerBound + 1)..<(words.ranges[word].upperBound - 1)
    return words.bytes[range].elementsEqual(words.bytes[genus])
  }

  /// Whether the word in parentheses ends in a consonant that no name under the codes ends in.
  private func endsAsPeople(_ word: Int) -> Bool {
    let last = words.bytes[words.ranges[word].upperBound - 2]
    return "bcdfghjklpqtvwz".utf8.contains(last)
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
      || word < end && isOpenWord(words.ranges[word])
  }

  /// "cf.", "sp.".
  func isOpenWord(_ range: Range<Int>) -> Bool {
    let role = NameVocabulary.role(words.bytes, range)
    return role == .doubt || role == .informal && words.isLower(range)
  }

  /// The word before a name between genus and species, perhaps behind authors; nil where there is none.
  private func infragenericMarker() -> Int? {
    for word in next..<end {
      let range = words.ranges[word]
      if word + 1 < end, words.isUpper(words.ranges[word + 1]),
        words.isLower(range)
          && (NameVocabulary.role(words.bytes, range) == .infrageneric
            || Self.infragenericWords.contains(words.bytes, range)
              && !(word == 1 && isKnownEpithet(1, of: words.ranges[0])))
          || Self.capitalMarkers.contains(where: { words.isWord(range, $0) }),
        !isEpithetOfMarker(word)
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

  /// "ser" of "Aus ser Bus, 1900", whose second word has a comma and a year as only authors have.
  private func isEpithetOfMarker(_ word: Int) -> Bool {
    let author = words.ranges[word + 1]
    return word == next && word + 2 < end && words.bytes[author.upperBound - 1] == UInt8(ascii: ",")
      && words.bytes[words.ranges[word].upperBound - 1] != UInt8(ascii: ".")
      && AuthorshipParser.isYear(words.bytes, words.core(word + 2))
  }

  private static let infragenericWords = WordSet(
    """
    div unr. unranked tribe tribus stirps grex fam. ord. subord. supersubtrib. supergen. subsubsect. subsubgen.
    t.infr. infrag. infragen. subdiv. coh. phalanx
    tr trib ser subser subtrib subtr supertrib supersect superser subfam fam nothoser. nothosect nothoser nothosubg.
    nothosubgen nothogen. infragenus superfam. supersubgen. subdivisio divisio
    """)
  private static let capitalMarkers = ["Subg.", "Subgen.", "Subgenus", "Sect.", "Subsect."]
}
