/// Who named a taxon, and what stands behind that.
extension NameReader {
  /// The authors with their year, then what limits or comments the name.
  mutating func readAuthorship() {
    guard kind == .scientific else { return }
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
      switch meaning(word) {
      case .author:
        hasAuthor = true
        last = word + 1
      case .year:
        // "(1998 publ., 1999)" is no year but a remark.
        if words.bytes[words.ranges[word].lowerBound] == UInt8(ascii: "("), !isClosed(word) {
          break scanning
        }
        // The year in which it came out, behind the one that it bears: "1973 [1974]".
        if hasYear, words.bytes[words.ranges[word].lowerBound] == UInt8(ascii: "[") {
          break scanning
        }
        hasYear = true
        last = word + 1
        // "1913. Next sentence".
        if words.bytes[words.ranges[word]].last == UInt8(ascii: ".") { break scanning }
      // "van" before nothing is nobody.
      case .link: if isSon(word) || isBracket(word) { last = word + 1 }
      case .other where !hasPage && isPageWithin(word):
        hasPage = true
        last = word + 1
      case .phrase, .other: break scanning
      }
    }
    guard last > next else { return }
    let start = words.ranges[next].lowerBound
    let range = start..<withoutMarks(words.ranges[last - 1].upperBound, from: start)
    // Commas alone say nothing.
    if !range.isEmpty { add(hasAuthor ? .authorship : .skipped, range) }
    year = yearOfDescription(range)
    next = last
  }

  private func meaning(_ word: Int) -> AuthorshipParser.Meaning {
    if words.isWord(word, "(?)") { return .author }
    if words.isWord(word, "ex.") || words.isWord(word, "in.") { return .link }
    // Who has changed the diagnosis belongs to the authors of bacteria.
    if words.isWord(word, "emend.") || words.isWord(word, "emend"), word + 1 < end,
      words.isUpper(words.core(word + 1))
    {
      return .link
    }
    if isQuoted(word) { return .other }
    if words.isWord(word, "fide") || words.isWord(word, "MS") || words.isWord(word, "ms") {
      return .phrase
    }
    // What gardens call a plant has no author, unless somebody took the name up: "hort. ex Bus".
    if isGarden(word) { return words.isWord(word + 1, "ex") ? .author : .phrase }
    return AuthorshipParser.meaning(words, word, before: end)
  }

  /// "29" of "(Bus, 1898: 29) Cus".
  private func isPageWithin(_ word: Int) -> Bool {
    guard word > next, words.bytes[words.ranges[word].lowerBound].isDigit,
      words.bytes[words.ranges[word - 1].upperBound - 1] == UInt8(ascii: ":")
    else { return false }
    var depth = 0
    for index in words.ranges[next].lowerBound..<words.ranges[word].lowerBound {
      if words.bytes[index] == UInt8(ascii: "(") { depth += 1 }
      if words.bytes[index] == UInt8(ascii: ")") { depth -= 1 }
    }
    return depth > 0
  }

  /// "f.", "fil.", "al.".
  private func isSon(_ word: Int) -> Bool {
    let core = words.core(word)
    let role = NameVocabulary.role(words.bytes, core)
    guard role == .filius || role == .connector else { return false }
    return role == .filius || words.bytes[core].starts(with: "al".utf8)
  }

  /// "'Red'": what a cultivar is called.
  private func isQuoted(_ word: Int) -> Bool {
    let range = words.ranges[word]
    let quote = UInt8(ascii: "'")
    guard range.count > 3, words.bytes[range.lowerBound] == quote,
      words.isUpper(
        (range.lowerBound + 1)..<range.upperBound)
    else { return false }
    return words.bytes[range.upperBound - 1] == quote
      || word + 1 < end && words.bytes[words.ranges[word + 1].upperBound - 1] == quote
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
    return end
  }

  /// The year within the first parentheses where they hold authors; else the first one.
  private func yearOfDescription(_ range: Range<Int>) -> Int? {
    var end = range.upperBound
    if words.bytes[range].first == UInt8(ascii: "("),
      let close = words.bytes[range].firstIndex(of: UInt8(ascii: ")")), close + 1 < end
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
