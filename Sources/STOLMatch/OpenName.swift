import STOLPack

/// Names in open nomenclature, such as that of an oak whose species is not known.
package enum OpenName {
  /// Words after which nothing is part of a name.
  private static let markers = ["sp", "spp", "cf", "aff", "nr", "indet", "species"]
  /// The same, where a full stop follows: without one they may be the beginning of an epithet.
  private static let abbreviations = ["spec", "gr", "agg"]
  /// Words that end an open name, and within a name stand before a word of it.
  private static let lastWords = ["ssp", "subsp", "var"]
  /// Words before a marker that belong to it.
  private static let companions = ["gen", "et", "n", "nov", "indet"]

  /// What stands before the first marker, which is no part of any name; nil without one.
  ///
  /// Case counts for nothing; white space of any kind, `_`, and signs but hyphens and apostrophes stand
  /// between words. Digits may follow "sp" at once.
  ///
  /// - Complexity: O(length)
  package static func certainPart(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let text = text.contains { $0 >= 0x80 } ? withPlainSpaces(text) : text
    var index = text.startIndex
    while index < text.endIndex {
      let start = index
      while index < text.endIndex, isWordByte(text[index]) { index += 1 }
      if start > text.startIndex, index - start >= 2, isMarker(start..<index, text) {
        return nameBefore(start, text)
      }
      if index == start { index += 1 }
    }
    return nil
  }

  private static func isMarker(_ word: Range<Int>, _ text: ArraySlice<UInt8>) -> Bool {
    var stem = text[word]
    guard let first = stem.first, "acginsv".utf8.contains(first.lowercasedASCII) else {
      return false
    }
    let digits = stem.reversed().prefix { isDigit($0) }.count
    stem = stem.dropLast(digits)
    guard digits == 0 || equals(stem, markers.prefix(2)) else { return false }
    if equals(stem, markers) { return true }
    let isDotted = word.upperBound < text.endIndex && text[word.upperBound] == UInt8(ascii: ".")
    if isDotted, equals(stem, abbreviations) { return true }
    let isLast = !text[word.upperBound...].contains(where: isWordByte)
    // "var" without a full stop may be the beginning of an epithet.
    return isLast && equals(stem, isDotted ? lastWords[...] : lastWords.dropLast())
  }

  /// The words before a marker but its companions; nil where no letter is left.
  private static func nameBefore(_ marker: Int, _ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var name = text[..<marker]
    while true {
      while let last = name.last, !isWordByte(last), last != UInt8(ascii: ")") { name.removeLast() }
      let word = name.suffix(while: isWordByte)
      guard word.count < name.count, equals(word, companions) else { break }
      name.removeLast(word.count)
    }
    return name.contains { isWordByte($0) && !isDigit($0) } ? name : nil
  }

  private static func equals(
    _ word: some Collection<UInt8>, _ words: some Sequence<String>
  ) -> Bool {
    words.contains { $0.utf8.elementsEqual(word.lazy.map(\.lowercasedASCII)) }
  }

  /// The text with a space for every character that is white space.
  private static func withPlainSpaces(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var plain: [UInt8] = []
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      if scalar.properties.isWhitespace {
        plain.append(UInt8(ascii: " "))
      } else {
        plain += String(scalar).utf8
      }
    }
    return plain[...]
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "'"), 0x80...:
      true
    default: false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}

extension ArraySlice<UInt8> {
  fileprivate func suffix(while predicate: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    var start = endIndex
    while start > startIndex, predicate(self[start - 1]) { start -= 1 }
    return self[start...]
  }
}
