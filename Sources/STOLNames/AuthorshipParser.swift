/// Reads authorships: who named a taxon, when, and what limits the name.
///
/// Articles 46 to 50 of the International Code of Nomenclature for algae, fungi, and plants, 51 of the
/// zoological code. What a citation says about use ("sensu", "auct.", "non", "nec", "emend.", "nom.
/// illeg.", "s. str.", "p. p.") is no authorship and goes to `phrase`, with all that follows it.
package enum AuthorshipParser {
  /// The parts of an authorship that stands alone; no letter of it is lost.
  ///
  /// - Complexity: O(n)
  package static func parse(_ text: String) -> Authorship {
    let words = NameWords(text)
    return scan(words, 0..<words.count, isStrict: false) ?? Authorship()
  }

  /// The years that can be those of a description.
  package static let years = 1700...2100

  /// The authorship that the words are, or nil if they are none and the reader is strict.
  static func scan(_ words: NameWords, _ range: Range<Int>, isStrict: Bool) -> Authorship? {
    guard let end = end(words, range, isStrict: isStrict) else { return nil }
    var result = Authorship()
    result.phrase = words.text(end..<range.upperBound)
    result.text = trimmed(words.text(range.lowerBound..<end))
    result.year = year(in: result.text)
    return result
  }

  /// The word behind the authorship that the words are, where what limits the name begins, or nil if they
  /// are none and the reader is strict.
  static func end(_ words: NameWords, _ range: Range<Int>, isStrict: Bool) -> Int? {
    var hasAuthor = false
    var hasYear = false
    var end = range.upperBound
    var depth = 0
    scanning: for word in range {
      let opens = words.contains(words.ranges[word]) { $0 == UInt8(ascii: "(") }
      switch meaning(words, word, before: range.upperBound) {
      case .author: hasAuthor = true
      case .year: hasYear = true
      case .link: break
      case .phrase where depth == 0:
        end = word
        break scanning
      case .phrase: break
      case .other where hasYear && isPage(words, word):
        end = word
        break scanning
      case .other: if isStrict { return nil }
      }
      if opens || words.contains(words.ranges[word], where: { $0 == UInt8(ascii: ")") }) {
        for byte in words.bytes[words.ranges[word]] {
          if byte == UInt8(ascii: "(") { depth += 1 }
          if byte == UInt8(ascii: ")") { depth -= 1 }
        }
      }
    }
    return isStrict && !hasAuthor && end == range.upperBound ? nil : end
  }

  /// "1830: 196".
  private static func isPage(_ words: NameWords, _ word: Int) -> Bool {
    words.bytes[words.ranges[word - 1]].last == UInt8(ascii: ":")
      && words.bytes[words.ranges[word]].first?.isDigit ?? false
  }

  /// What a word does in an authorship.
  enum Meaning { case author, year, link, phrase, other }

  static func meaning(_ words: NameWords, _ word: Int, before end: Int) -> Meaning {
    let core = words.core(word)
    let dot = UInt8(ascii: ".")
    guard let first = words.scalar(core) else { return .link }
    switch NameVocabulary.role(words.bytes, core) {
    case .phrase:
      // "Ms. Smith" and "S. L. Schultes" are people.
      let isLong = core.count > 3 && words.bytes[core].dropLast().allSatisfy { $0 != dot }
      return words.isLower(core) || isLong ? .phrase : .author
    case .connector, .filius: return .link
    case .anonymous: return .author
    case .particle:
      return isShortPhrase(words, word, core, before: end)
        ? .phrase : words.isUpper(core) ? .author : .link
    case .informal, .doubt, .times, .cultivar: return .other
    case .infraspecific, .infrageneric: return words.isUpper(core) ? .author : .other
    case nil: break
    }
    if isShortPhrase(words, word, core, before: end) { return .phrase }
    // "‘t Hart", with either of the curly apostrophes.
    if core.count == 4, first == "‘" || first == "’", words.bytes[core].last == UInt8(ascii: "t") {
      return .link
    }
    if "0"..."9" ~= first { return isYear(words.bytes, core) ? .year : .other }
    return isAuthor(words, core) ? .author : .other
  }

  /// Whether a phrase of two abbreviations begins here.
  ///
  /// They are: "s. l.", "s. str.", "p. p.".
  private static func isShortPhrase(
    _ words: NameWords, _ word: Int, _ core: Range<Int>, before end: Int
  ) -> Bool {
    guard core.count == 2, words.bytes[core.lowerBound + 1] == UInt8(ascii: "."), word + 1 < end
    else { return false }
    let next = words.core(word + 1)
    guard words.isLower(next), next.count <= 4 else { return false }
    let text = String(decoding: words.bytes[next], as: UTF8.self)
    switch words.bytes[core.lowerBound] {
    case UInt8(ascii: "s"): return ["l.", "str.", "lat.", "s.", "l", "str"].contains(text)
    case UInt8(ascii: "p"): return text == "p." || text == "p"
    default: return false
    }
  }

  /// Letters, at least one capital, full stops, hyphens and apostrophes; a year may hang on a comma.
  private static func isAuthor(_ words: NameWords, _ core: Range<Int>) -> Bool {
    var hasCapital = words.isUpper(core)
    for index in core {
      switch words.bytes[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...0xff: break
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): hasCapital = true
      case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "'"), UInt8(ascii: ","),
        UInt8(ascii: "&"), UInt8(ascii: "`"), UInt8(ascii: ";"), UInt8(ascii: "("),
        UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"):
        break
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let before = index == core.lowerBound ? 0 : words.bytes[index - 1]
        // "Smith1900" as well.
        let isAfterMark =
          before == UInt8(ascii: ",") || before == UInt8(ascii: ".") || before == UInt8(ascii: "(")
          || Letters.isSmall(before)
        return hasCapital && isAfterMark && isYear(words.bytes, index..<core.upperBound)
      default: return false
      }
    }
    return hasCapital || hasForeignCapital(words, core)
  }

  /// Capitals that are not ASCII, scripts without capitals, and letters such as that of "ʻAziz".
  private static func hasForeignCapital(_ words: NameWords, _ core: Range<Int>) -> Bool {
    guard words.contains(core, where: { $0 >= 0x80 }) else { return false }
    return String(decoding: words.bytes[core], as: UTF8.self).unicodeScalars.contains {
      !$0.isASCII && $0.properties.isAlphabetic && !$0.properties.isLowercase
    }
  }

  /// "1758", "1758a", "1845-1846", "1845/46", "198?", "1758]?".
  static func isYear(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    guard range.count >= 4 else { return false }
    let start = range.lowerBound
    guard bytes[start] == UInt8(ascii: "1") || bytes[start] == UInt8(ascii: "2") else {
      return false
    }
    guard bytes[start + 1].isDigit, bytes[start + 2].isDigit else { return false }
    guard bytes[start + 3].isDigit || bytes[start + 3] == UInt8(ascii: "?") else { return false }
    var letters = 0
    for index in (start + 4)..<range.upperBound {
      switch bytes[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): letters += 1
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if index == start + 4 { return false }
      case UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "]"),
        UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: "."),
        UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "&"), 0x80...0xff:
        break
      default: return false
      }
    }
    return letters <= 1
  }

  /// Without the commas, semicolons and colons at its end.
  private static func trimmed(_ text: String) -> String {
    guard let last = text.utf8.last, isMark(last) else { return text }
    var bytes = Array(text.utf8)
    while let last = bytes.last, isMark(last) { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":")
      || byte == 0x20
  }

  /// The first year in the text.
  package static func year(in text: String) -> Int? {
    let bytes = Array(text.utf8)
    for index in bytes.indices where index == 0 || !bytes[index - 1].isDigit {
      if let year = yearValue(bytes, index) { return year }
    }
    return nil
  }

  /// The year of description that four digits at `start` are, or nil.
  static func yearValue(_ bytes: [UInt8], _ start: Int) -> Int? {
    guard start + 4 <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[start..<(start + 4)] {
      guard byte.isDigit else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    if start + 4 < bytes.count, bytes[start + 4].isDigit { return nil }
    return years.contains(value) ? value : nil
  }
}
