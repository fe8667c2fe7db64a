/// The folded words of names, and no more: small, as what is looked up most copies it.
struct FoldedNames: ~Escapable {
  /// The number of words of the vocabulary.
  let wordCount: Int
  private let taxonCount: Int
  private let scientific: PackedColumn
  private let parents: ParentColumn
  private let phraseStarts: MonotoneColumn
  private let phraseWords: PackedColumn
  private let words: FrontCodedTexts

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, header: Header, directory: borrowing Directory) {
    wordCount = header.wordCount
    taxonCount = header.taxonCount
    scientific = bytes.packed(.scientificName, directory)
    parents = ParentColumn(
      bytes.section(.parent, directory), count: header.taxonCount,
      width: directory[.parent].width)
    phraseStarts = bytes.monotone(.phraseStarts, directory)
    phraseWords = bytes.packed(.phraseWords, directory)
    words = FrontCodedTexts(
      bytes.section(.wordText, directory), blocks: bytes.packed(.wordBlocks, directory))
  }

  /// How `name` is stored.
  ///
  /// - Complexity: O(1)
  @inline(__always)
  func form(of name: NameOrdinal) -> NameView.Form {
    guard name.index < taxonCount else { return .phrase(name.index &- taxonCount) }
    let stored = scientific[name.index]
    let word = stored &>> 1
    guard word < wordCount else { return .phrase(stored &- 2 &* wordCount) }
    guard stored & 1 == 1 else { return .uninomial(word) }
    let parent = parents[name.index] &- 1
    guard parent >= 0, parent < name.index else { return .uninomial(word) }
    return .binomial(genus: scientific[parent] &>> 1, epithet: word)
  }

  /// Whether the folded form of `name` is `text`.
  ///
  /// - Complexity: O(length)
  @inline(__always)
  func isFolded(_ name: NameOrdinal, _ text: borrowing FoldedText) -> Bool {
    switch form(of: name) {
    case .uninomial(let word): return end(of: word, in: text, from: 0) == text.count
    case .binomial(let genus, let epithet):
      guard let space = end(of: genus, in: text, from: 0), text.byte(space) == UInt8(ascii: " ")
      else { return false }
      return end(of: epithet, in: text, from: space &+ 1) == text.count
    case .phrase(let phrase): return isFolded(phrase: phrase, text)
    }
  }

  @inline(__always)
  private func isFolded(phrase: Int, _ text: borrowing FoldedText) -> Bool {
    // Each word but the first takes a space before it, so that no damage makes this longer than the text.
    var last = -1
    for row in phraseStarts.range(phrase).clamped(to: 0..<phraseWords.count) {
      guard last < 0 || text.byte(last) == UInt8(ascii: " "),
        let end = end(of: phraseWords[row], in: text, from: last &+ 1)
      else { return false }
      last = end
    }
    return last == text.count
  }

  /// Where `word` ends if it stands in `text` from `start` on, else nil; none outside the vocabulary
  /// stands anywhere.
  @inline(__always)
  private func end(of word: Int, in text: borrowing FoldedText, from start: Int) -> Int? {
    word < wordCount ? words.end(of: word, in: text, from: start) : nil
  }
}
