/// Who named a taxon, and what stands behind that.
extension NameReader {
  /// The authors with their year, then what limits or comments the name.
  mutating func readAuthorship() {
    guard kind == .scientific else { return }
    // "[sic]", "(sic)" between a name and its authors.
    if next + 1 < end, words.isWord(words.core(next), "sic") { take(.skipped, to: next + 1) }
    readAuthors()
    if next < end, meaning(next) == .phrase { take(.phrase, to: end) }
  }

  /// The authors with their year; a year alone is kept, but is nobody's.
  mutating func readAuthors() {
    var last = next
    var hasAuthor = false
    var hasYear = false
    var hasPage = false
    scanning: for word in next..<end {
      if hasYear, isBehindYear(word) { break scanning }
      let meaning = meaning(word)
      switch meaning {
      case .author:
        if hasAuthor, isOfOther(word, isBehindYear: hasYear) { break scanning }
        hasAuthor = true
        hasYear = false
        last = word + 1
      case .year:
        // "(1998 publ., 1999)" is no year but a remark.
        if words.bytes[words.ranges[word].lowerBound] == UInt8(ascii: "("), !isClosed(word) {
          break scanning
        }
        hasYear = true
        last = word + 1
        // "1913. Next sentence".
        if words.bytes[words.ranges[word]].last == UInt8(ascii: ".") { break scanning }
      // "van" before nothing is nobody.
      case .link:
        hasYear = false
        if isSon(word) || isBracket(word) { last = word + 1 }
      case .other where !hasPage && isPageWithin(word):
        hasPage = true
        last = word + 1
      case .phrase, .other: break scanning
      }
    }
    guard last > next else { return }
    var start = words.ranges[next].lowerBound
    while start < words.ranges[last - 1].upperBound,
      Letters.isComma(words.bytes[start]) || NameWords.isSpace(words.bytes[start])
    {
      start += 1
    }
    let range = start..<withoutMarks(words.ranges[last - 1].upperBound, from: start)
    // Commas alone say nothing.
    if !range.isEmpty { add(hasAuthor ? .authorship : .skipped, range) }
    // A year without authors may be that of a find.
    if hasAuthor { year = yearOfDescription(range) }
    next = last
  }

  /// Whether what stands behind a year is no part of the authorship: the year in which it came out, behind
  /// the one that it bears, "1973 [1974]", a remark in parentheses, what follows a semicolon.
  private func isBehindYear(_ word: Int) -> Bool {
    let first = words.bytes[words.ranges[word].lowerBound]
    if first == UInt8(ascii: "[") { return true }
    let last = words.bytes[words.ranges[word - 1].upperBound - 1]
    return last == UInt8(ascii: ";") || first == UInt8(ascii: "(") && !isClosed(word - 1)
  }

  /// Whether an author behind others is no part of the authorship.
  ///
  /// Such is one behind a year, unless parentheses end there; one in parentheses behind one outside, since
  /// those in parentheses come first (ICZN 51.3, ICN 49), but for the initials of that one.
  private func isOfOther(_ word: Int, isBehindYear: Bool) -> Bool {
    let last = words.bytes[words.ranges[word - 1].upperBound - 1]
    if isBehindYear { return last != UInt8(ascii: ")") && !isWithinParentheses(word) }
    let range = words.ranges[word]
    guard words.bytes[range.lowerBound] == UInt8(ascii: "("), last != UInt8(ascii: ")"),
      !isLink(word - 1)
    else { return false }
    return !(isClosed(word) && words.contains(range) { $0 == UInt8(ascii: ".") })
      && !isSource(before: word)
  }

  private func isLink(_ word: Int) -> Bool {
    word < next || NameVocabulary.role(words.bytes, words.core(word)) == .connector
  }

  /// Whether the authors before a word are those of a work: "Smith in Jones (Brown)".
  private func isSource(before word: Int) -> Bool {
    (next..<word).contains { words.isWord($0, "in") }
  }

  private func isWithinParentheses(_ word: Int) -> Bool {
    var depth = 0
    for index in words.ranges[next].lowerBound..<words.ranges[word].lowerBound {
      if words.bytes[index] == UInt8(ascii: "(") { depth += 1 }
      if words.bytes[index] == UInt8(ascii: ")") { depth -= 1 }
    }
    return depth > 0
  }

  /// Whether a second name begins: "Aus bus, Aus cus".
  private func isGenusAgain(_ word: Int) -> Bool {
    guard word + 1 < end, Letters.isSmall(words.bytes[words.ranges[word + 1].lowerBound]),
      isEpithet(word + 1), let genus = range(of: .uninomial)
    else { return false }
    return words.bytes[words.core(word)].elementsEqual(words.bytes[genus])
  }

  private func meaning(_ word: Int) -> AuthorshipParser.Meaning {
    let first = words.bytes[words.ranges[word].lowerBound]
    if Letters.isCapital(first) {
      if first == UInt8(ascii: "M") || first == UInt8(ascii: "P"), isPhraseInCapitals(word) {
        return .phrase
      }
      if isGenusAgain(word) || isSpecimen(word) { return .other }
      return AuthorshipParser.meaning(words, word, before: end)
    }
    if !Letters.isSmall(first) {
      if words.isWord(word, "(?)") { return .author }
      if isQuoted(word) { return .other }
      if isQuotedYear(word) || isDoubtedYear(word) { return .year }
      if words.isWord(word, "(auct.)") || words.isWord(word, "(Auct.)"), isBeforeCapital(word) {
        return .author
      }
      if isPhraseInCapitals(word) { return .phrase }
      if isSpecimen(word) { return .other }
    }
    let core = words.core(word)
    // Who has changed the diagnosis belongs to the authors of bacteria.
    if words.isWord(core, "emend.") || words.isWord(core, "emend"), isBeforeCapital(word) {
      return .link
    }
    if words.isWord(core, "fide") || words.isWord(core, "ms") || isForPart(word) { return .phrase }
    if Self.sons.contains(words.bytes, core) || words.isWord(core, "others")
      || isFurtherParticle(word) || hasArticle(core)
    {
      return .link
    }
    // "s. Smith", as Smith has used it.
    if word == next, words.isWord(core, "s."), isBeforeCapital(word) { return .phrase }
    // "Of me": an author who does not say who that is.
    if words.isWord(core, "mihi") || words.isWord(core, "mihi.") { return .phrase }
    // What gardens call a plant has no author, unless somebody took the name up: "hort. ex Bus".
    if isGarden(word) { return words.isWord(word + 1, "ex") ? .author : .phrase }
    return AuthorshipParser.meaning(words, word, before: end)
  }

  private func isBeforeCapital(_ word: Int) -> Bool {
    word + 1 < end && words.isUpper(words.core(word + 1))
  }

  /// Whether a manuscript is meant, or "pro parte" in capitals at the end.
  private func isPhraseInCapitals(_ word: Int) -> Bool {
    let core = words.core(word)
    return words.isWord(core, "MS") || words.isWord(core, "MS.") || isForPart(word)
  }

  /// "29" of "(Bus, 1898: 29) Cus".
  private func isPageWithin(_ word: Int) -> Bool {
    guard word > next, words.bytes[words.ranges[word].lowerBound].isDigit,
      words.bytes[words.ranges[word - 1].upperBound - 1] == UInt8(ascii: ":")
    else { return false }
    return isWithinParentheses(word)
  }

  /// "f.", "fil.", "al.".
  private func isSon(_ word: Int) -> Bool {
    let core = words.core(word)
    switch NameVocabulary.role(words.bytes, core) {
    case .filius: return true
    case .connector: return words.bytes[core].starts(with: "al".utf8)
    default: return Self.sons.contains(words.bytes, core) || words.isWord(core, "others")
    }
  }

  /// Who of several of one name an author is.
  private static let sons = WordSet("junior senior jnr jnr. snr snr. sr filia fils pere")

  /// "dela" before a surname, which is an epithet elsewhere.
  func isFurtherParticle(_ word: Int) -> Bool {
    Self.furtherParticles.contains(words.bytes, words.ranges[word]) && word + 1 < end
      && !isEpithet(word + 1)
  }

  private static let furtherParticles = WordSet("dela dell' d' abd abdel abu bou ould")

  /// Whether "pro parte" stands here in capitals, as the last words, or shortened with more attached.
  private func isForPart(_ word: Int) -> Bool {
    let range = words.ranges[word]
    guard word > next, range.count > 1, words.bytes[range.lowerBound + 1] == UInt8(ascii: ".")
    else {
      return false
    }
    if words.bytes[range].starts(with: "p.p.".utf8) { return true }
    guard words.bytes[words.ranges[word - 1].upperBound - 1] == UInt8(ascii: ",") else {
      return false
    }
    return words.isWord(word, "P.P.") && word + 1 == end
      || words.isWord(word, "P.") && words.isWord(word + 1, "P.") && word + 2 == end
  }

  /// "'Red'": what a cultivar is called, or a word that was quoted; nobody's name begins so.
  private func isQuoted(_ word: Int) -> Bool {
    let range = words.ranges[word]
    guard range.count > 2, words.bytes[range.lowerBound] == UInt8(ascii: "'") else { return false }
    return words.isUpper((range.lowerBound + 1)..<range.upperBound)
  }

  /// The year that a work bears, in quotes.
  private func isQuotedYear(_ word: Int) -> Bool {
    let range = words.core(word)
    guard range.count == 6, Self.isQuote(words.bytes[range.lowerBound]),
      Self.isQuote(words.bytes[range.upperBound - 1])
    else { return false }
    return AuthorshipParser.isYear(words.bytes, (range.lowerBound + 1)..<(range.upperBound - 1))
  }

  /// "?1900".
  private func isDoubtedYear(_ word: Int) -> Bool {
    let range = words.ranges[word]
    return words.bytes[range.lowerBound] == UInt8(ascii: "?")
      && AuthorshipParser.isYear(words.bytes, (range.lowerBound + 1)..<range.upperBound)
  }

  private func isClosed(_ word: Int) -> Bool {
    words.bytes[words.ranges[word]].contains(UInt8(ascii: ")"))
  }

  private func isGarden(_ word: Int) -> Bool {
    let range = words.core(word)
    return words.bytes[range].starts(with: "ht.".utf8)
      || words.bytes[range].starts(with: "hort.".utf8)
  }

  private func isBracket(_ word: Int) -> Bool {
    words.core(word).isEmpty && !words.bytes[words.ranges[word]].contains(UInt8(ascii: "("))
  }

  /// The end of a range without commas and other marks.
  private func withoutMarks(_ end: Int, from start: Int) -> Int {
    var end = end
    while end > start, Letters.isComma(words.bytes[end - 1]) { end -= 1 }
    // The letter of a list of works: "1900a".
    if end - start > 5, Letters.isSmall(words.bytes[end - 1]), words.bytes[end - 2].isDigit {
      end -= 1
    }
    return end
  }

  /// The year within the first parentheses where they hold authors; else the first one.
  private func yearOfDescription(_ range: Range<Int>) -> Int? {
    var end = range.upperBound
    if words.bytes[range].first == UInt8(ascii: "("),
      let close = words.bytes[range].firstIndex(of: UInt8(ascii: ")")), close + 1 < end,
      // "(Smith) 1900" has no other authors than those.
      words.contains(close..<end, where: { Letters.isCapital($0) || $0 >= 0x80 })
    {
      end = close
    }
    for index in range.lowerBound..<end
    where index == range.lowerBound || !words.bytes[index - 1].isDigit {
      if let year = AuthorshipParser.yearValue(words.bytes, index), index + 4 <= end { return year }
    }
    return nil
  }
}
