/// The folded words of names, and no more: small, as what is looked up most copies it.
struct FoldedNames: ~Escapable {
  /// The number of words of the vocabulary.
  let wordCount: Int
  private let taxonCount: Int
  private let furtherCount: Int
  private let scientific: PackedColumn
  private let parents: ParentColumn
  /// A bit for each taxon, and before each 64 of them how many are set.
  private let marks: RawSpan
  private let markCounts: PackedColumn
  private let phraseStarts: MonotoneColumn
  private let phraseWords: PackedColumn
  private let words: FrontCodedTexts

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, header: Header, directory: borrowing Directory) {
    wordCount = header.wordCount
    taxonCount = header.taxonCount
    furtherCount = header.nameCount
    scientific = bytes.packed(.scientificName, directory)
    parents = ParentColumn(
      bytes.section(.parent, directory), count: header.taxonCount,
      width: directory[.parent].width)
    marks = bytes.section(.phraseMarks, directory)
    markCounts = bytes.packed(.phraseCounts, directory)
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
    guard name.index < taxonCount else { return .phrase(name.index &- taxonCount, first: -1) }
    let stored = scientific[name.index]
    let word = stored &>> 1
    guard word < wordCount else {
      return .phrase(phrase(of: name.index), first: storedFirstWord(ofPhrase: name) ?? -1)
    }
    guard stored & 1 == 1 else { return .uninomial(word) }
    let parent = parents[name.index] &- 1
    guard parent >= 0, parent < name.index else { return .uninomial(word) }
    return .binomial(genus: scientific[parent] &>> 1, epithet: word)
  }

  /// The first word of a name that is stored as a phrase, where it stands with the taxon.
  ///
  /// - Complexity: O(1)
  @inline(__always)
  func storedFirstWord(ofPhrase name: NameOrdinal) -> Int? {
    guard name.index < taxonCount else { return nil }
    let first = scientific[name.index] &- 2 &* wordCount
    return first >= 0 && first < wordCount ? first : nil
  }

  /// The number of the phrase that the scientific name of `taxon` is, one of those that are.
  @inline(__always)
  private func phrase(of taxon: Int) -> Int {
    let place = UInt64(truncatingIfNeeded: taxon & 63)
    let before = marks.uint64(at: (taxon &>> 6) &* 8) & ((1 &<< place) &- 1)
    return furtherCount &+ markCounts[taxon &>> 6] &+ before.nonzeroBitCount
  }

  /// Appends the first and the last word of each name, where it has them.
  func appendWords(of names: [NameOrdinal], to words: inout [Int]) {
    for name in names {
      switch form(of: name) {
      case .uninomial(let word): words.append(word)
      case .binomial(let genus, let epithet):
        words.append(genus)
        words.append(epithet)
      case .phrase(let phrase, let first):
        let rows = phraseStarts.range(phrase).clamped(to: 0..<phraseWords.count)
        if first >= 0 {
          words.append(first)
        } else if !rows.isEmpty {
          words.append(phraseWords[rows.lowerBound])
        }
        if let last = rows.last { words.append(phraseWords[last]) }
      }
    }
  }

  /// Appends where the text of each word is.
  func appendPlaces(ofWords words: [Int], to offsets: inout [Int]) {
    for word in words { offsets.append(self.words.blockOffset(of: word)) }
  }

  /// Reads the texts of words at some places, and gives a sum of them.
  func touchTexts(at offsets: [Int]) -> UInt64 {
    var sum: UInt64 = 0
    for offset in offsets { sum ^= words.touch(offset) }
    return sum
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
    case .phrase(let phrase, let first): return isFolded(phrase: phrase, first: first, text)
    }
  }

  @inline(__always)
  private func isFolded(
    phrase: Int, first: Int, _ text: borrowing FoldedText
  ) -> Bool {
    // Each word but the first takes a space before it, so that no damage makes this longer than the text.
    var last = -1
    if first >= 0 {
      guard let end = end(of: first, in: text, from: 0) else { return false }
      last = end
    }
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
