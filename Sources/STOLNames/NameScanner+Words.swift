/// What single words of a name are.
extension NameScanner {
  func role(_ word: Int) -> NameVocabulary.Role? {
    NameVocabulary.role(words.bytes, words.ranges[word])
  }

  /// A capital and letters after it; all capitals, hyphens and, at the end of an abbreviation, a full stop.
  func isNameWord(_ range: Range<Int>) -> Bool {
    var hasLower = false
    var hasInnerCapital = false
    for index in range {
      switch words.bytes[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): hasLower = true
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        if index > range.lowerBound, words.bytes[index - 1] != UInt8(ascii: "-") {
          hasInnerCapital = true
        }
      case UInt8(ascii: "-"): break
      case UInt8(ascii: "."): if index != range.upperBound - 1 || range.count > 4 { return false }
      case 0x80...0xff: break
      default: return false
      }
    }
    return !(hasLower && hasInnerCapital)
  }

  /// "(Aus)".
  func isParenthesisedName(_ word: Int) -> Bool {
    let range = words.ranges[word]
    guard range.count > 2, words.bytes[range.lowerBound] == UInt8(ascii: "("),
      words.bytes[range.upperBound - 1] == UInt8(ascii: ")")
    else { return false }
    let inner = (range.lowerBound + 1)..<(range.upperBound - 1)
    return words.isUpper(inner)
      && (isNameWord(inner) || words.bytes[inner].last == UInt8(ascii: "."))
  }

  func isTimes(_ word: Int) -> Bool {
    words.isTimes(words.ranges[word]) || words.ranges[word].count == 1 && role(word) == .times
  }

  /// Whether the word is a plain epithet.
  func isEpithet(_ word: Int) -> Bool { word < end && isEpithet(words.ranges[word]) }

  func isEpithet(_ range: Range<Int>) -> Bool {
    isEpithetShape(range) && NameVocabulary.role(words.bytes, range) == nil
  }

  /// Article 23 of the botanical, 11.8 of the zoological code: lower case, letters and hyphens.
  func isEpithetShape(_ range: Range<Int>) -> Bool {
    guard range.count > 1, words.isLower(range) else { return false }
    for index in range {
      switch words.bytes[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...0xff: break
      case UInt8(ascii: "-"), UInt8(ascii: "'"):
        if index == range.upperBound - 1 { return false }
      default: return false
      }
    }
    return true
  }

  /// The epithet to which "×" is attached.
  func afterTimes(_ range: Range<Int>) -> Range<Int>? {
    guard range.count > 3, words.isTimes(range.lowerBound..<(range.lowerBound + 2)) else {
      return nil
    }
    let rest = (range.lowerBound + 2)..<range.upperBound
    return isEpithet(rest) ? rest : nil
  }

  /// A marker of a rank below species with an epithet after it.
  func isMarker(_ word: Int) -> Bool {
    guard word + 1 < end, words.isLower(words.ranges[word]) else { return false }
    switch role(word) {
    case .infraspecific: break
    case .filius:
      // "f." and "f" alone of those can be a form.
      let range = words.ranges[word]
      guard words.bytes[range.lowerBound] == UInt8(ascii: "f"),
        range.count == 1
          || range.count == 2 && words.bytes[range.lowerBound + 1] == UInt8(ascii: ".")
      else { return false }
    default: return false
    }
    return isEpithet(word + 1) || afterTimes(words.ranges[word + 1]) != nil
      || isTimes(word + 1) && isEpithet(word + 2)
  }

  /// A word that opens a quotation which is closed: the epithet of a cultivar.
  func isQuotation(_ word: Int) -> Bool {
    guard let first = words.scalar(words.ranges[word]) else { return false }
    let closing: Unicode.Scalar
    switch first {
    case "'", "\"": closing = first
    case "‘": closing = "’"
    case "“": closing = "”"
    default: return false
    }
    let bytes = Array(String(closing).utf8)
    for later in word..<end {
      let range = words.ranges[later]
      if range.count > bytes.count, words.bytes[range].suffix(bytes.count).elementsEqual(bytes) {
        return true
      }
    }
    return false
  }
}
