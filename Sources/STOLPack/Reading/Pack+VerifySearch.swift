/// The checks of what only searches use.
extension Verification {
  /// The code of the words, tries, reversed order and letters: what the vocabulary gives.
  static func tries(
    _ view: borrowing PackView, _ bytes: RawSpan, _ directory: Directory
  ) throws(PackError) {
    let vocabulary = view.names.vocabulary
    var text: [UInt8] = []
    var ends: [Int] = []
    var scalars: [UInt32] = []
    var grams = WordGramBuilder(wordCount: vocabulary.count)
    for word in 0..<vocabulary.count {
      let start = text.count
      vocabulary.append(word, to: &text)
      ends.append(text.count)
      scalars.removeAll(keepingCapacity: true)
      appendScalars(of: text.span.extracting(start..<text.count), to: &scalars)
      try require(
        vocabulary.letters(of: word) == LetterSet(scalars), .wordLetters, word, "other letters")
      grams.note(word, scalars)
    }
    try require(grams.bytes, .wordGrams, bytes, directory)
    func range(_ word: Int) -> Range<Int> { (word == 0 ? 0 : ends[word - 1])..<ends[word] }
    var links: [UInt32] = []
    for link in Grammar.links {
      let text = Array(link.utf8)
      if let word = vocabulary.find(text.span) { links.append(UInt32(word)) }
    }
    try require(links.sorted(), .linkWords, bytes, directory)
    // There is one way to code the words.
    let coded = FrontCode(count: ends.count, bytes: text, word: range)
    try require(coded.text.map(UInt32.init), .wordText, bytes, directory)
    try require(coded.blocks, .wordBlocks, bytes, directory)
    let trie = WordTrieBuilder(count: ends.count) { word, depth in
      depth < range(word).count ? text[range(word).lowerBound + depth] : nil
    }
    try require(trie.records, .trieNodes, bytes, directory)
    let reversed = ReversedOrder(count: ends.count, bytes: text, word: range)
    try require(reversed.words, .reverseOrder, bytes, directory)
    let reversedTrie = WordTrieBuilder(count: ends.count) { position, depth in
      let range = range(Int(reversed.words[position]))
      return depth < range.count ? text[range.upperBound - 1 - depth] : nil
    }
    try require(reversedTrie.records, .reverseNodes, bytes, directory)
  }

  /// The table of whole names: what the words of names give.
  static func wholeNames(
    _ view: borrowing PackView, _ bytes: RawSpan, _ directory: Directory
  ) throws(PackError) {
    var folded: [UInt8] = []
    var hashes: [UInt64] = []
    hashes.reserveCapacity(view.names.count)
    for number in 0..<view.names.count {
      folded.removeAll(keepingCapacity: true)
      view.names.appendFolded(NameOrdinal(number), to: &folded)
      hashes.append(NameHash.hash(folded.span))
    }
    let table = WholeNameTable(hashes)
    try require(table.values, .hashNames, bytes, directory)
    let starts = bytes.monotone(.hashStarts, directory)
    for (bucket, start) in table.starts.enumerated() {
      try require(
        starts[bucket] == start, .hashStarts, bucket, "\(starts[bucket]) where \(start) belongs")
    }
  }

  /// Stored completions: those that a search finds without them.
  static func completions(
    _ pack: Pack, _ bytes: RawSpan, _ directory: Directory
  ) throws(PackError) {
    try require(BestTaxa.values(of: pack.view), .trieBest, bytes, directory)
    let completions = CompletionBuilder.completions(of: pack)
    try require(completions.map { $0.words }, .completeWords, bytes, directory)
    try require(completions.flatMap { $0.names }, .completeName, bytes, directory)
  }

  /// A section holds exactly these values.
  static func require(
    _ expected: [some UnsignedInteger], _ section: Section, _ bytes: RawSpan, _ directory: Directory
  ) throws(PackError) {
    let entry = directory[section]
    try require(entry.count == expected.count, section, entry.count, "another number of values")
    let column = bytes.packed(section, directory)
    let plain = bytes.section(section, directory)
    for (row, value) in expected.enumerated() {
      let got = section.encoding == .bytes ? UInt64(plain.uint8(at: row)) : column.raw(row)
      try require(got == UInt64(value), section, row, "\(got) where \(value) belongs")
    }
  }
}
