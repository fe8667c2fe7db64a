/// The checks that names are what searches look for.
extension Verification {
  /// Names: the words of each are those of its folding, and there is one way to store it.
  ///
  /// A name that fails this is shown and cannot be found.
  ///
  /// - Complexity: O(length of all names)
  static func folding(_ view: borrowing PackView, _ header: Header) throws(PackError) {
    var check = FoldingCheck(phrase: header.nameCount)
    for number in 0..<header.anyNameCount {
      try check.check(NameOrdinal(number), view)
    }
    try require(
      check.nextPhrase == header.phraseCount, .phraseStarts, check.nextPhrase,
      "a phrase that is no name")
  }

  /// Words: each has a name.
  static func usedWords(_ bytes: RawSpan, _ header: Header, _ directory: Directory)
    throws(PackError)
  {
    let starts = bytes.packed(.postingStarts, directory)
    for word in 0..<header.wordCount {
      try require(starts[word] < starts[word + 1], .wordText, word, "a word of no name")
    }
  }
}

/// Folds one name after another and compares it with what is stored.
private struct FoldingCheck {
  /// The phrase that the next scientific name has which needs one.
  private(set) var nextPhrase: Int
  private var folder = Folder()
  private var folded: [UInt8] = []
  private var ranges: [Range<Int>] = []
  private var word: [UInt8] = []

  init(phrase: Int) { nextPhrase = phrase }

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
    let style = NameReader.style(of: text, folded: folded)
    guard let phrase = view.names.phrase(of: name) else {
      return try Verification.require(
        style == .firstCapitalised, section, position, "the name is stored in another way")
    }
    try Verification.require(
      view.names.style(ofPhrase: phrase) == style, .phraseStyle, phrase,
      "the name has another style")
    guard isScientific else { return }
    try Verification.require(
      phrase == nextPhrase, section, position, "not the next phrase of a scientific name")
    nextPhrase += 1
    try Verification.require(
      !needsNoPhrase(name, style, view), section, position, "the name needs no phrase")
  }

  /// Whether a name with a phrase is one capitalised word, or the parent's and another.
  private func needsNoPhrase(
    _ name: NameOrdinal, _ style: PhraseStyle, _ view: borrowing PackView
  ) -> Bool {
    guard style == .firstCapitalised else { return false }
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
