/// The lines of a keyring file, each a word that says what it is and more words.
struct KeyText {
  private let lines: [[Substring]]
  private var next = 0

  /// The number of the line that was read last, from 1.
  private(set) var lineNumber = 1

  /// The text after its first line, which must be `kind`.
  init(_ text: String, kind: String, expected: String) throws(KeyError) {
    var rest = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard rest.first == kind[...] else { throw .wrongKind(expected: expected) }
    guard rest.last == "" else {
      throw .malformed(line: rest.count, reason: "the file ends in the middle of a line")
    }
    rest.removeLast()
    lines = rest.dropFirst().map { $0.split(separator: " ", omittingEmptySubsequences: false) }
  }

  /// The words after `word`, if the next line begins with it.
  mutating func words(after word: String) -> ArraySlice<Substring>? {
    guard next < lines.count, lines[next].first == word[...] else { return nil }
    next += 1
    lineNumber = next + 1
    return lines[next - 1].dropFirst()
  }

  /// Checks that no line is left.
  func finish() throws(KeyError) {
    guard next == lines.count else {
      throw .malformed(line: next + 2, reason: "this line does not belong here")
    }
  }

  /// The keys on the next lines that begin with `word`.
  mutating func keys(after word: String) throws(KeyError) -> [VerifyingKey] {
    var keys: [VerifyingKey] = []
    while let words = words(after: word) {
      keys.append(try VerifyingKey(words: words, line: lineNumber))
    }
    return keys
  }

  /// The ids on the next lines that begin with `word`.
  mutating func ids(after word: String) throws(KeyError) -> [KeyID] {
    var ids: [KeyID] = []
    while let words = words(after: word) {
      guard words.count == 1, let text = words.first, let id = KeyID(text) else {
        throw .malformed(line: lineNumber, reason: "expected a key id")
      }
      ids.append(id)
    }
    return ids
  }

  /// A version: 1 to 2,147,483,647, without zeros in front.
  func version(_ text: Substring?) throws(KeyError) -> Int {
    guard let text, let value = Int32(text), value > 0, String(value) == text else {
      throw .malformed(line: lineNumber, reason: "expected a version from 1 to \(Int32.max)")
    }
    return Int(value)
  }
}
