/// Names that have the words of a query inside their own.
extension SearchSession {
  /// Offers names of which some word holds the first word of the query anywhere, some the second, and so on; one may hold
  /// several.
  ///
  /// - Complexity: O(b + w + n) for b blocks of the vocabulary, w words in those that may hold the words of the
  ///   query, and n names with the one that the fewest names have; O(log w) more for each word that is looked at.
  mutating func matchInsideWords(_ query: SearchQuery, _ view: borrowing PackView) {
    text.splitScalars()
    around.removeAll()
    var rarest = 0
    var least = Int.max
    // What has a word has what stands inside it: of "a a a" one is looked for.
    for index in 0..<text.wordCount where !text.isInsideAnother(index) {
      let count = around.find(index, of: text, in: view)
      guard count > 0 else { return }
      if count < least { (rarest, least) = (around.setCount - 1, count) }
    }
    let isOnly = text.wordCount == 1
    let firstKey = HitKey.first(.allWords, distance: 0)
    around.gather(rarest, in: view)
    while let (leastKey, word) = around.next() {
      // What follows has no taxon that is known better.
      if firstKey | leastKey > list.bound { return }
      // What begins with the only word has been found before.
      if isOnly, lastWords.contains(word) { continue }
      view.forEachName(with: word..<word + 1, in: query.filter.clade) { name in
        guard around.setCount == 1 || isAroundAll(name, view) else { return }
        offer(name, .allWords, 0, query, view)
      }
    }
  }

  /// Whether a name has a word around each word of the query.
  private mutating func isAroundAll(_ name: NameOrdinal, _ view: borrowing PackView) -> Bool {
    nameWords.removeAll(keepingCapacity: true)
    view.names.forEachWord(of: name) { nameWords.append($0) }
    return (0..<around.setCount).allSatisfy { index in
      nameWords.contains { around.contains($0, around: index) }
    }
  }
}

/// The words of a vocabulary that have those of a query somewhere.
struct WordsAround {
  /// For each word of the query that was looked for, a bit for every word of the vocabulary: set where that has it.
  private var bits: [UInt64] = []
  /// So many were looked for.
  private(set) var setCount = 0
  /// Of one of those, the words that are still to come.
  ///
  /// Each is below the least key that a taxon with it, or with a word near it, may have; none is less than the one at
  /// half its index (Williams 1964, "Algorithm 232: Heapsort").
  private var coming: [UInt64] = []
  private var rows: [UInt8] = []
  /// The blocks of the vocabulary that may have words around one, and which of their words may be it.
  private var blocks: [(block: Int, words: UInt32)] = []
  /// A sum of what was read ahead, so that it is read.
  private var readAhead: UInt64 = 0

  mutating func removeAll() {
    bits.removeAll(keepingCapacity: true)
    setCount = 0
  }

  /// Gives the memory of a huge search back.
  mutating func forgetHugeBuffers() {
    if bits.capacity > SearchSession.hugeCount { bits = [] }
    if coming.capacity > SearchSession.hugeCount { coming = [] }
    if blocks.capacity > SearchSession.hugeCount { blocks = [] }
  }

  /// Finds the words that have a word of the query somewhere.
  ///
  /// - Returns: on how many lists of names these are.
  mutating func find(
    _ index: Int, of text: borrowing QueryText, in view: borrowing PackView
  ) -> Int {
    let scalars = text.scalars.span.extracting(text.wordScalars[index])
    rows.removeAll(keepingCapacity: true)
    WordGrams.appendRows(of: scalars, to: &rows)
    var letters = LetterSet(rawValue: 0)
    for position in scalars.indices { letters = letters.inserting(scalars[position]) }
    let bytes = text.word(index)
    let vocabulary = view.names.vocabulary
    // All sets first, for they are read side by side; the texts of few blocks follow.
    blocks.removeAll(keepingCapacity: true)
    view.wordGrams.forEachBlock(in: rows) { block in
      let words = vocabulary.wordsWithLetters(letters, inBlock: block)
      guard words != 0 else { return }
      blocks.append((block, words))
      readAhead ^= vocabulary.touch(block)
    }
    let first = bits.count
    bits.append(contentsOf: repeatElement(0, count: Self.setLength(view)))
    setCount += 1
    var nameCount = 0
    var lists = MonotoneColumn.Cursor()
    for (block, some) in blocks {
      vocabulary.forEachWord(of: some, inBlock: block, having: bytes) { word in
        bits[first &+ word &>> 6] |= 1 &<< UInt64(word & 63)
        nameCount &+= view.postings.rows(of: word, from: &lists).count
      }
    }
    return nameCount
  }

  /// The length of a set with a bit for every word.
  private static func setLength(_ view: borrowing PackView) -> Int {
    (view.names.vocabulary.count &+ 63) / 64
  }

  /// Has `next` give the words around one of those looked for.
  mutating func gather(_ index: Int, in view: borrowing PackView) {
    let trie = view.names.vocabulary.trie
    coming.removeAll(keepingCapacity: true)
    var node = trie.root
    var leastKey: UInt32 = 0
    let length = Self.setLength(view)
    for position in 0..<length {
      var set = bits[index * length + position]
      while set != 0 {
        let word = position &<< 6 &+ set.trailingZeroBitCount
        set &= set &- 1
        // Words ascend; some of one node follow each other.
        if coming.isEmpty || !node.children.isEmpty || !node.words.contains(word) {
          node = trie.lastNode(of: word)
          leastKey = view.bestTaxa.leastKey(below: node.index)
        }
        coming.append(UInt64(leastKey) &<< 32 | UInt64(UInt32(truncatingIfNeeded: word)))
      }
    }
    for start in stride(from: coming.count / 2 - 1, through: 0, by: -1) { sink(from: start) }
  }

  /// The word that comes next, those of the best known taxa first, and the least key that a taxon with it may have.
  ///
  /// - Complexity: O(log w) for w words that are still to come.
  mutating func next() -> (leastKey: UInt32, word: Int)? {
    guard let first = coming.first, let last = coming.popLast() else { return nil }
    if !coming.isEmpty {
      coming[0] = last
      sink(from: 0)
    }
    return (UInt32(truncatingIfNeeded: first &>> 32), Int(UInt32(truncatingIfNeeded: first)))
  }

  private mutating func sink(from start: Int) {
    let key = coming[start]
    var position = start
    while true {
      var child = 2 &* position &+ 1
      guard child < coming.count else { break }
      if child &+ 1 < coming.count, coming[child &+ 1] < coming[child] { child &+= 1 }
      guard coming[child] < key else { break }
      coming[position] = coming[child]
      position = child
    }
    coming[position] = key
  }

  /// Whether a word is one of those around one of those looked for.
  @inline(__always)
  func contains(_ word: Int, around index: Int) -> Bool {
    let length = bits.count / setCount
    // A damaged name may have any word.
    guard word &>> 6 < length else { return false }
    return bits[index &* length &+ word &>> 6] &>> UInt64(word & 63) & 1 != 0
  }
}
