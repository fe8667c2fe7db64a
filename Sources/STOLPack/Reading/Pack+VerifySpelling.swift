/// The checks that names are what searches look for.
extension Verification {
  /// Shapes: each has phrases, those of more phrases come first, and phrases state theirs in one way.
  static func shapes(_ bytes: RawSpan, _ header: Header, _ directory: Directory) throws(PackError) {
    let shapes: StringTable<NameShape> = bytes.strings(.shapes, directory)
    let stored = bytes.packed(.phraseShape, directory)
    let phrases = bytes.monotone(.spellingPhrase, directory)
    let numbers = bytes.packed(.spellingShape, directory)
    let common = Layout.commonShapeCount
    var uses = [Int](repeating: 0, count: shapes.count)
    var row = 0
    var textCount = 0
    for phrase in 0..<header.phraseCount {
      var number = stored[phrase]
      try require(
        number == common || number < min(shapes.count, common), .phraseShape, phrase,
        "out of range")
      if number == common {
        try require(
          row < phrases.count && phrases[row] == phrase, .spellingPhrase, row,
          "phrase \(phrase) has no shape")
        number = numbers[row]
        try require(
          number >= min(shapes.count, common)
            && (number < shapes.count || number == shapes.count + textCount),
          .spellingShape, row, "a common shape, or not the next spelling")
        row += 1
      }
      if number < shapes.count { uses[number] += 1 } else { textCount += 1 }
    }
    try require(row == phrases.count, .spellingPhrase, row, "a phrase that states its shape")
    try require(
      textCount + 1 == directory[.spellingStarts].count, .spellingStarts, textCount,
      "a spelling of no phrase")
    let texts = shapes.all
    for shape in texts.indices {
      try require(uses[shape] > 0, .shapes, shape, "no phrase has the shape")
      guard shape > 0 else { continue }
      try require(
        uses[shape - 1] > uses[shape]
          || uses[shape - 1] == uses[shape]
            && texts[shape - 1].utf8.lexicographicallyPrecedes(texts[shape].utf8),
        .shapes, shape, "the shapes are out of order")
    }
  }

  /// Texts of names that no shape gives.
  static func spellings(_ bytes: RawSpan, _ directory: Directory) throws(PackError) {
    let starts = bytes.monotone(.spellingStarts, directory)
    let text = bytes.section(.spellingText, directory)
    for row in 0..<max(0, starts.count - 1) {
      let range = starts.range(row)
      try require(range.upperBound <= text.byteCount, .spellingStarts, row, "out of range")
      try require(
        range.count <= Layout.maximumNameByteCount && text.clamped(range).isUTF8, .spellingText,
        range.lowerBound, "not valid UTF-8, or too long")
    }
    try require(
      starts[0] == 0 && starts[starts.count - 1] == text.byteCount, .spellingStarts,
      starts.count - 1, "not the whole text")
  }

  /// Names: the words of each are those of its folding, and there is one way to store it.
  ///
  /// A name that fails this is shown and cannot be found.
  ///
  /// - Complexity: O(length of all names)
  static func folding(_ view: borrowing PackView, _ header: Header) throws(PackError) {
    var check = FoldingCheck()
    for number in 0..<header.anyNameCount {
      try check.check(NameOrdinal(number), view)
    }
  }

  /// Words: each has a name.
  static func usedWords(_ bytes: RawSpan, _ header: Header, _ directory: Directory)
    throws(PackError)
  {
    let starts = bytes.monotone(.postingStarts, directory)
    for word in 0..<header.wordCount {
      try require(starts[word] < starts[word + 1], .wordText, word, "a word of no name")
    }
  }
}

/// Folds one name after another and compares it with what is stored.
private struct FoldingCheck {
  private var folder = Folder()
  private var folded: [UInt8] = []
  private var ranges: [Range<Int>] = []
  private var word: [UInt8] = []
  private var shape: [UInt8] = []

  mutating func check(_ name: NameOrdinal, _ view: borrowing PackView) throws(PackError) {
    let isScientific = view.names.isScientific(name)
    let (section, position) =
      isScientific
      ? (Section.scientificName, name.index)
      : (Section.phraseWords, name.index - view.taxonCount)
    var text: [UInt8] = []
    view.names.appendText(of: name, to: &text)
    folder.fold(text.span, into: &folded)
    findWords(in: folded, &ranges)
    var isSame = true
    var count = 0
    view.names.forEachWord(of: name) { number in
      guard isSame, count < ranges.count else { return isSame = false }
      word.removeAll(keepingCapacity: true)
      view.names.vocabulary.append(number, to: &word)
      isSame = word.elementsEqual(folded[ranges[count]])
      count += 1
    }
    try Verification.require(
      isSame && count == ranges.count, section, position,
      "the words are not those of the name's folding")
    let hasShape = NameShape.find(text.span, folded: folded, into: &shape)
    let isCapitalised = NameShape.isCapitalised(text.span, folded: folded)
    guard let phrase = view.names.phrase(of: name) else {
      return try Verification.require(
        isCapitalised, section, position, "the name is stored in another way")
    }
    var isSpelled = !hasShape
    if case .shape(let row) = view.names.spellings.spelling(ofPhrase: phrase) {
      let symbols = view.names.spellings.symbols(ofShape: row)
      isSpelled = hasShape && symbols.copied().elementsEqual(shape)
    }
    try Verification.require(
      isSpelled, .phraseShape, phrase, "the name has another shape")
    guard isScientific else { return }
    try Verification.require(
      !(isCapitalised && needsNoPhrase(name, view)), section, position, "the name needs no phrase")
  }

  /// Whether a capitalised name with a phrase is one word, or the parent's and another.
  private func needsNoPhrase(_ name: NameOrdinal, _ view: borrowing PackView) -> Bool {
    if ranges.count == 1 { return true }
    guard ranges.count == 2,
      let parent = view.tree.parent(of: TaxonOrdinal(name.index)),
      case .uninomial(let genus) = view.names.form(of: NameOrdinal(parent.index))
    else { return false }
    var word: [UInt8] = []
    view.names.vocabulary.append(genus, to: &word)
    return word.elementsEqual(folded[ranges[0]])
  }
}
