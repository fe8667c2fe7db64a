/// The text of a query, folded, as bytes, scalars and words.
struct QueryText {
  /// The folded text in UTF-8, and where its words lie.
  private(set) var bytes: [UInt8] = []
  private(set) var wordBytes: [Range<Int>] = []
  /// The folded text as scalars, and where its words lie, once `splitScalars` has been called.
  private(set) var scalars: [UInt32] = []
  private(set) var wordScalars: [Range<Int>] = []
  /// Whether the text stood in double quotes.
  private(set) var isQuoted = false
  /// Whether the text has nothing but white space.
  private(set) var isBlank = false
  private var folder = Folder()

  var wordCount: Int { wordBytes.count }

  /// Whether folding leaves nothing of the text.
  var isEmpty: Bool { bytes.isEmpty }

  /// Takes a text in UTF-8; double quotes around it are no part of it, unless they are to be kept.
  mutating func set(_ text: Span<UInt8>, keepsQuotes: Bool = false) {
    let quote = UInt8(ascii: "\"")
    isQuoted =
      !keepsQuotes && text.count > 1 && text[0] == quote && text[text.count - 1] == quote
    folder.fold(isQuoted ? text.extracting(1..<text.count - 1) : text, into: &bytes)
    findWords(in: bytes, &wordBytes)
    isBlank = bytes.isEmpty && Self.isWhitespace(text)
  }

  private static func isWhitespace(_ text: Span<UInt8>) -> Bool {
    var index = 0
    while index < text.count {
      let (scalar, byteCount) = decodeScalar(text, at: index)
      guard Unicode.Scalar(scalar)?.properties.isWhitespace ?? false else { return false }
      index += byteCount
    }
    return true
  }

  /// The bytes of a word.
  @_lifetime(borrow self)
  func word(_ index: Int) -> Span<UInt8> { bytes.span.extracting(wordBytes[index]) }

  /// Whether two words are equal.
  func isSameWord(_ a: Int, _ b: Int) -> Bool { bytes[wordBytes[a]] == bytes[wordBytes[b]] }

  /// Whether a word stands inside a longer one of the text, or is the same as one before it.
  ///
  /// - Complexity: O(length of the word), times O(length of the text)
  func isInsideAnother(_ index: Int) -> Bool {
    let word = wordBytes[index]
    for (number, other) in wordBytes.enumerated() {
      guard other.count > word.count || other.count == word.count && number < index else {
        continue
      }
      for start in other.lowerBound...other.upperBound &- word.count {
        var shared = 0
        while shared < word.count, bytes[start &+ shared] == bytes[word.lowerBound &+ shared] {
          shared &+= 1
        }
        if shared == word.count { return true }
      }
    }
    return false
  }

  /// Whether the text is the beginning of a word that is being typed, and so short that it is hardly a whole one.
  func isBarelyBegun(_ query: SearchQuery) -> Bool {
    query.words == .asTyped && wordCount == 1 && Self.isBarelyBegun(bytes.span)
  }

  /// Whether a beginning has fewer than three scalars: PACK.md section 8.
  static func isBarelyBegun(_ bytes: Span<UInt8>) -> Bool {
    var count = 0
    for index in bytes.indices where bytes[index] & 0xC0 != 0x80 { count &+= 1 }
    return count < 3
  }

  /// Whether all letters are of scripts that are written without spaces between words.
  var isWithoutSpaces: Bool {
    var index = 0
    let bytes = bytes.span
    while index < bytes.count {
      let (scalar, byteCount) = decodeScalar(bytes, at: index)
      guard scalar == 0x20 || WordGrams.isOfScriptWithoutSpaces(scalar) else { return false }
      index &+= byteCount
    }
    return !bytes.isEmpty
  }

  /// Fills `scalars` and `wordScalars`.
  mutating func splitScalars() {
    scalars.removeAll(keepingCapacity: true)
    appendScalars(of: bytes, to: &scalars)
    findWords(in: scalars, &wordScalars)
  }
}

/// Where the words of a folded text lie, which has single spaces between them.
@inline(__always)
func findWords(in text: [some FixedWidthInteger], _ words: inout [Range<Int>]) {
  words.removeAll(keepingCapacity: true)
  var start = 0
  for index in 0...text.count where index == text.count || text[index] == 0x20 {
    if index > start { words.append(start..<index) }
    start = index + 1
  }
}

/// Appends the scalars of a text in UTF-8; a byte that belongs to none becomes U+FFFD.
func appendScalars(of text: [UInt8], to scalars: inout [UInt32]) {
  appendScalars(of: text.span, to: &scalars)
}

/// Appends the scalars of a text in UTF-8; a byte that belongs to none becomes U+FFFD.
func appendScalars(of bytes: Span<UInt8>, to scalars: inout [UInt32]) {
  var index = 0
  while index < bytes.count {
    let (scalar, byteCount) = decodeScalar(bytes, at: index)
    scalars.append(scalar)
    index &+= byteCount
  }
}

/// The scalar at `index` and the number of its bytes; U+FFFD and 1 where there is none.
@inline(__always)
func decodeScalar(_ bytes: Span<UInt8>, at index: Int) -> (scalar: UInt32, byteCount: Int) {
  let lead = bytes[index]
  if lead < 0x80 { return (UInt32(lead), 1) }
  let byteCount = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
  guard lead >= 0xC2, lead <= 0xF4, index &+ byteCount <= bytes.count else { return (0xFFFD, 1) }
  var scalar = UInt32(lead) & (0x7F &>> UInt32(byteCount))
  for offset in 1..<byteCount {
    let byte = bytes[index &+ offset]
    guard byte & 0xC0 == 0x80 else { return (0xFFFD, 1) }
    scalar = scalar &<< 6 | UInt32(byte & 0x3F)
  }
  let least: UInt32 = byteCount == 4 ? 0x10000 : byteCount == 3 ? 0x800 : 0x80
  guard scalar >= least, scalar <= 0x10FFFF, scalar & 0xFFFF_F800 != 0xD800 else {
    return (0xFFFD, 1)
  }
  return (scalar, byteCount)
}
