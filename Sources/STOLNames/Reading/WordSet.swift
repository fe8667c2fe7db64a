/// A few words of ASCII, looked up without allocation.
struct WordSet {
  private let words: Set<NameVocabulary.Key>
  /// By first letter: the lengths that its words have.
  private let lengths: [UInt32]

  /// The words of a text.
  init(_ text: String) {
    var lengths = [UInt32](repeating: 0, count: 128)
    var words: Set<NameVocabulary.Key> = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      guard let key = NameVocabulary.Key(word), let first = word.utf8.first else { continue }
      words.insert(key)
      lengths[Int(Letters.lower(first))] |= 1 << UInt32(word.utf8.count)
    }
    self.words = words
    self.lengths = lengths
  }

  /// Whether a range is one of them, in any case.
  func contains(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    guard let first = range.first, bytes[first] < 0x80, range.count < 32,
      lengths[Int(Letters.lower(bytes[first]))] & 1 << UInt32(range.count) != 0
    else { return false }
    return NameVocabulary.Key(bytes, range).map(words.contains) ?? false
  }
}
