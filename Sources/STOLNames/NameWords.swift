/// A text as words, which are ranges of its UTF-8.
///
/// Spaces separate words; so does the border between a word and a parenthesis: "bus(Cus)Dus".
struct NameWords {
  private(set) var bytes: [UInt8]
  var ranges: [Range<Int>] = []

  init(_ text: String) {
    bytes = Array(text.utf8)
    ranges.reserveCapacity(8)
    split()
  }

  /// Takes the text that `fill` writes in the place of the one before, in the same memory.
  mutating func refill(_ fill: (inout [UInt8]) -> Void) {
    bytes.removeAll(keepingCapacity: true)
    fill(&bytes)
    ranges.removeAll(keepingCapacity: true)
    split()
  }

  private mutating func split() {
    var start: Int?
    for (index, byte) in bytes.enumerated() {
      if Self.isSpace(byte) {
        if let begin = start { ranges.append(begin..<index) }
        start = nil
        continue
      }
      if byte == UInt8(ascii: "(") {
        // "in(Aus)" but not "(" within a word such as "Aus(?)".
        if let begin = start, begin < index, bytes[index - 1] != UInt8(ascii: "(") {
          ranges.append(begin..<index)
          start = nil
        }
      }
      if start == nil { start = index }
      if byte == UInt8(ascii: ")") {
        if index + 1 < bytes.count, let begin = start, Self.beginsWord(bytes[index + 1]) {
          ranges.append(begin..<(index + 1))
          start = nil
        }
      }
    }
    if let begin = start { ranges.append(begin..<bytes.count) }
    splitMarkers()
  }

  /// Makes two words of "var.aurantiaca", "sect.Aurantiacae" and "sp.A".
  private mutating func splitMarkers() {
    for word in ranges.indices.dropFirst().reversed() {
      let range = ranges[word]
      if range.count > 3, bytes[range.lowerBound] == UInt8(ascii: "s"),
        bytes[range.lowerBound + 1] == UInt8(ascii: "p"),
        bytes[range.lowerBound + 2] == UInt8(ascii: "."),
        Letters.isCapital(bytes[range.lowerBound + 3]) || bytes[range.lowerBound + 3].isDigit
      {
        let rest = range.lowerBound + 3
        ranges[word] = range.lowerBound..<rest
        ranges.insert(rest..<range.upperBound, at: word + 1)
        continue
      }
      guard range.count >= 7, let dot = bytes[range].firstIndex(of: UInt8(ascii: ".")) else {
        continue
      }
      guard dot < range.upperBound - 3, dot > range.lowerBound + 1,
        Letters.isASCII(bytes[dot + 1]), Letters.isSmall(bytes[range.lowerBound]),
        let role = NameVocabulary.role(bytes, range.lowerBound..<(dot + 1)),
        Letters.isSmall(bytes[dot + 1])
          ? role == .infraspecific : role == .infrageneric
      else { continue }
      ranges[word] = range.lowerBound..<(dot + 1)
      ranges.insert((dot + 1)..<range.upperBound, at: word + 1)
    }
  }

  var count: Int { ranges.count }

  /// Letters and what is not ASCII.
  private static func beginsWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0d ~= byte }

  /// The text of words `first` to before `end`, as they are but for their spaces.
  func text(_ words: Range<Int>) -> String {
    guard let first = words.first, words.upperBound <= count else { return "" }
    let all = ranges[first].lowerBound..<ranges[words.upperBound - 1].upperBound
    var last = UInt8(0)
    for byte in bytes[all] {
      if Self.isSpace(byte) && (Self.isSpace(last) || byte != 0x20) { return singleSpaced(all) }
      last = byte
    }
    return String(decoding: bytes[all], as: UTF8.self)
  }

  /// The text of a range of bytes, with single spaces.
  func joined(_ all: Range<Int>) -> String { singleSpaced(all) }

  private func singleSpaced(_ all: Range<Int>) -> String {
    var result: [UInt8] = []
    for byte in bytes[all] {
      if !Self.isSpace(byte) {
        result.append(byte)
      } else if result.last != 0x20 {
        result.append(0x20)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The word without parentheses, brackets, commas and the like around it.
  func core(_ word: Int) -> Range<Int> {
    var range = ranges[word]
    while let first = range.first, Self.isOpening(bytes[first]) {
      range = (first + 1)..<range.upperBound
    }
    while let last = range.last, Self.isClosing(bytes[last]) { range = range.lowerBound..<last }
    return range
  }

  private static func isOpening(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: ",")
  }

  private static func isClosing(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: ",")
      || byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":")
  }

  /// The first scalar of a range, or nil if the range is empty.
  func scalar(_ range: Range<Int>) -> Unicode.Scalar? {
    guard let first = range.first else { return nil }
    let lead = bytes[first]
    if lead < 0x80 { return Unicode.Scalar(lead) }
    let length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
    var value = UInt32(lead & (length == 4 ? 0x07 : length == 3 ? 0x0f : 0x1f))
    for index in (first + 1)..<min(first + length, range.upperBound) {
      value = value << 6 | UInt32(bytes[index] & 0x3f)
    }
    return Unicode.Scalar(value)
  }

  func isUpper(_ range: Range<Int>) -> Bool {
    guard let scalar = scalar(range) else { return false }
    return scalar.isASCII ? "A"..."Z" ~= scalar : scalar.properties.isUppercase
  }

  func isLower(_ range: Range<Int>) -> Bool {
    guard let scalar = scalar(range) else { return false }
    return scalar.isASCII ? "a"..."z" ~= scalar : scalar.properties.isLowercase
  }

  /// Whether the word is exactly this.
  func isWord(_ word: Int, _ text: String) -> Bool {
    word < count && isWord(ranges[word], text)
  }

  /// Whether the bytes of a range are exactly this.
  func isWord(_ range: Range<Int>, _ text: String) -> Bool {
    // Most differ in their length already.
    guard range.count == text.utf8.count else { return false }
    var index = range.lowerBound
    for byte in text.utf8 {
      if bytes[index] != byte { return false }
      index += 1
    }
    return true
  }

  /// Whether it is "×".
  func isTimes(_ range: Range<Int>) -> Bool {
    range.count == 2 && bytes[range.lowerBound] == 0xc3 && bytes[range.lowerBound + 1] == 0x97
  }

  func contains(_ range: Range<Int>, where matches: (UInt8) -> Bool) -> Bool {
    for index in range where matches(bytes[index]) { return true }
    return false
  }
}

extension UInt8 {
  /// Whether it is a digit of ASCII.
  var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
