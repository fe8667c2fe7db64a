/// Names that have the words of a query inside their own.
extension SearchSession {
  /// Offers names of which some word holds the first word of the query anywhere, some the second, and so on; one may hold
  /// several.
  ///
  /// - Complexity: O(b + w + n) for b blocks of the vocabulary, w words in those that may hold the words of the
  ///   query, and n names with the one that the fewest names have.
  mutating func matchInsideWords(_ query: SearchQuery, _ view: borrowing PackView) {
    text.splitScalars()
    around.removeAll()
    var rarest = 0
    var least = Int.max
    // What has a word has what stands inside it: of "a a a" one is looked for.
    for index in 0..<text.wordCount where !text.isInsideAnother(index) {
      around.find(index, of: text, in: view)
      guard let range = around.ranges.last, !range.isEmpty else { return }
      var count = 0
      for word in around.words[range] { count &+= view.postings.rows(of: word).count }
      if count < least { (rarest, least) = (around.ranges.count - 1, count) }
    }
    let isOnly = text.wordCount == 1
    let firstKey = HitKey.first(.allWords, distance: 0)
    around.sortByProminence(rarest, in: view)
    for (leastKey, word) in around.inOrder {
      // What follows has no taxon that is known better.
      if firstKey | leastKey > list.bound { return }
      // What begins with the only word has been found before.
      if isOnly, lastWords.contains(word) { continue }
      view.forEachName(with: word..<word + 1, in: query.filter.clade) { name in
        guard around.ranges.count == 1 || isAroundAll(name, view) else { return }
        offer(name, .allWords, 0, query, view)
      }
    }
  }

  /// Whether a name has a word around each word of the query.
  private mutating func isAroundAll(_ name: NameOrdinal, _ view: borrowing PackView) -> Bool {
    nameWords.removeAll(keepingCapacity: true)
    view.names.forEachWord(of: name) { nameWords.append($0) }
    return around.ranges.indices.allSatisfy { index in
      nameWords.contains { around.contains($0, around: index) }
    }
  }
}

/// The words of a vocabulary that have those of a query somewhere.
struct WordsAround {
  /// For each word of the query that was looked for the words around it, ascending.
  private(set) var words: [Int] = []
  /// Where those of each one lie.
  private(set) var ranges: [Range<Int>] = []
  /// The words around one word of the query, and the least key that a taxon with it, or with a word near it, may have.
  private(set) var inOrder: [(leastKey: UInt32, word: Int)] = []
  private var rows: [UInt8] = []
  /// The blocks of the vocabulary that may have words around one, and which of their words may be it.
  private var blocks: [(block: Int, words: UInt32)] = []
  /// A sum of what was read ahead, so that it is read.
  private var readAhead: UInt64 = 0

  mutating func removeAll() {
    words.removeAll(keepingCapacity: true)
    ranges.removeAll(keepingCapacity: true)
  }

  /// Gives the memory of a huge search back.
  mutating func forgetHugeBuffers() {
    if words.capacity > SearchSession.hugeCount { words = [] }
    if inOrder.capacity > SearchSession.hugeCount { inOrder = [] }
    if blocks.capacity > SearchSession.hugeCount { blocks = [] }
  }

  /// Appends the words that have a word of the query somewhere.
  mutating func find(_ index: Int, of text: borrowing QueryText, in view: borrowing PackView) {
    let scalars = text.scalars.span.extracting(text.wordScalars[index])
    rows.removeAll(keepingCapacity: true)
    WordGrams.appendRows(of: scalars, to: &rows)
    var letters = LetterSet(rawValue: 0)
    for position in scalars.indices { letters = letters.inserting(scalars[position]) }
    let bytes = text.word(index)
    let vocabulary = view.names.vocabulary
    let first = words.count
    // All sets first, for they are read side by side; the texts of few blocks follow.
    blocks.removeAll(keepingCapacity: true)
    view.wordGrams.forEachBlock(in: rows) { block in
      let words = vocabulary.wordsWithLetters(letters, inBlock: block)
      guard words != 0 else { return }
      blocks.append((block, words))
      readAhead ^= vocabulary.touch(block)
    }
    for (block, some) in blocks {
      vocabulary.forEachWord(of: some, inBlock: block, having: bytes) { words.append($0) }
    }
    ranges.append(first..<words.count)
  }

  /// Puts the words around one of those looked for into `inOrder`, those of the best known taxa first.
  mutating func sortByProminence(_ index: Int, in view: borrowing PackView) {
    let trie = view.names.vocabulary.trie
    inOrder.removeAll(keepingCapacity: true)
    var node = trie.root
    var leastKey: UInt32 = 0
    for word in words[ranges[index]] {
      // Words ascend; some of one node follow each other.
      if inOrder.isEmpty || !node.children.isEmpty || !node.words.contains(word) {
        node = trie.lastNode(of: word)
        leastKey = view.bestTaxa.leastKey(below: node.index)
      }
      inOrder.append((leastKey, word))
    }
    sortInPlace(&inOrder) { ($0.leastKey, $0.word) < ($1.leastKey, $1.word) }
  }

  /// Whether a word is one of those around one of those looked for.
  func contains(_ word: Int, around index: Int) -> Bool {
    var low = ranges[index].lowerBound
    var high = ranges[index].upperBound
    while low < high {
      let middle = (low &+ high) &>> 1
      if words[middle] < word { low = middle &+ 1 } else { high = middle }
    }
    return low < ranges[index].upperBound && words[low] == word
  }
}
