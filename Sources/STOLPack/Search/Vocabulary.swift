/// The folded words of all names, sorted by their UTF-8 bytes, front-coded in blocks of 16.
///
/// PACK.md section 8; Witten, Moffat and Bell 1999, "Managing Gigabytes", section 4.1. Each word
/// shares its beginning with the first word of its block, so that any one is read without the others.
/// Searches compare against the coded form and copy nothing.
struct Vocabulary: ~Escapable {
  /// A reader of the words of one block.
  typealias Cursor = FrontCodedTexts.Cursor

  private let coded: FrontCodedTexts
  /// The number of words.
  let count: Int
  /// The trie of their first letters.
  let trie: WordTrie
  private let letterSets: RawSpan
  /// The words in the order of their reversed bytes.
  let reversedOrder: PackedColumn
  /// The trie of their last letters, over that order.
  let reversedTrie: WordTrie

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, directory: borrowing Directory, count: Int) {
    coded = FrontCodedTexts(
      bytes.section(.wordText, directory), blocks: bytes.packed(.wordBlocks, directory))
    self.count = count
    trie = WordTrie(
      bytes, directory: directory, section: .trieNodes, wordCount: count)
    letterSets = bytes.section(.wordLetters, directory)
    reversedOrder = bytes.packed(.reverseOrder, directory)
    reversedTrie = WordTrie(
      bytes, directory: directory, section: .reverseNodes, wordCount: count)
  }

  /// Appends the bytes of `word` to `output`; a word outside the vocabulary appends nothing.
  ///
  /// - Complexity: O(length)
  func append(_ word: Int, to output: inout [UInt8]) {
    guard word >= 0, word < count else { return }
    coded.append(word, to: &output)
  }

  /// A reader that stands at `word`.
  @inline(__always) @_lifetime(copy self)
  func cursor(at word: Int) -> Cursor { coded.cursor(at: word) }

  /// A sum of what is read of a block first, so that what is read of many does not wait for memory in turn.
  @inline(__always)
  func touch(_ block: Int) -> UInt64 {
    coded.touch(coded.blockOffset(of: block &* Layout.wordsPerBlock))
  }

  /// The letters of `word`.
  @inline(__always)
  func letters(of word: Int) -> LetterSet {
    LetterSet(rawValue: letterSets.uint32(at: word &* 4))
  }

  /// The letters of four words; none where fewer are there.
  @inline(__always)
  func letters(ofFourFrom word: Int) -> SIMD4<UInt32> { letterSets.fourUInt32(at: word &* 4) }

  /// `word` as text.
  func string(_ word: Int) -> String {
    var bytes: [UInt8] = []
    append(word, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The word with exactly these bytes, or nil.
  ///
  /// - Complexity: O(length)
  func find(_ query: Span<UInt8>) -> Int? {
    let (node, depth) = descend(query)
    guard depth == query.count || node.children.isEmpty else { return nil }
    // The word that ends where it has children comes first.
    let words = depth == query.count ? node.words.prefix(1) : node.words
    let found = lowerBound(of: query, in: words, isPastPrefix: false)
    return found.isEqual ? found.word : nil
  }

  /// Which words of a block have all of some letters, as far as their sets tell: one bit for each.
  @inline(__always)
  func wordsWithLetters(_ letters: LetterSet, inBlock block: Int) -> UInt32 {
    let first = block &* Layout.wordsPerBlock
    if first &+ Layout.wordsPerBlock > count {
      // The last few are not read at once.
      var words: UInt32 = 0
      for word in first..<max(first, count) where !letters.exceeds(self.letters(of: word), by: 0) {
        words |= 1 &<< UInt32(truncatingIfNeeded: word &- first)
      }
      return words
    }
    var words = SIMD4<UInt32>.zero
    var bits = SIMD4<UInt32>(1, 2, 4, 8)
    for word in stride(from: first, to: first &+ Layout.wordsPerBlock, by: 4) {
      words |= bits.replacing(with: 0, where: letters.exceedsEach(self.letters(ofFourFrom: word)))
      bits &<<= 4
    }
    return words.wrappedSum()
  }

  /// Calls `body` with those of some words of a block that have some bytes anywhere, ascending.
  ///
  /// - Complexity: O(length of the words), times O(length of the bytes)
  @inline(__always)
  func forEachWord(
    of words: UInt32, inBlock block: Int, having bytes: Span<UInt8>, _ body: (Int) -> Void
  ) {
    let first = block &* Layout.wordsPerBlock
    var cursor = cursor(at: first)
    // A word that shares that much with the first one has them too.
    let enough = cursor.end(of: bytes, from: 0) ?? .max
    var left = words
    var word = first
    while true {
      if left & 1 != 0 {
        if cursor.shared >= enough
          || cursor.end(of: bytes, from: max(0, cursor.shared &- bytes.count &+ 1)) != nil
        {
          body(word)
        }
      }
      left &>>= 1
      if left == 0 { return }
      cursor.advance()
      word &+= 1
    }
  }

  /// The words that begin with these bytes.
  ///
  /// - Complexity: O(length)
  func words(withPrefix query: Span<UInt8>) -> Range<Int> {
    let (node, depth) = descend(query)
    guard depth < query.count else { return node.words }
    return node.children.isEmpty ? beginning(with: query, in: node.words).words : 0..<0
  }

  /// Those of the words below a node without children that begin with these bytes.
  private func beginning(with query: Span<UInt8>, in words: Range<Int>) -> CompletedWords {
    let first = lowerBound(of: query, in: words, isPastPrefix: false)
    let rest = first.word..<words.upperBound
    let end = lowerBound(of: query, in: rest, isPastPrefix: true).word
    return CompletedWords(words: first.word..<end, isWhole: first.isEqual)
  }

  /// The node that exactly these bytes lead to.
  func node(of query: Span<UInt8>) -> WordTrie.Node? {
    let (node, depth) = descend(query)
    return depth == query.count ? node : nil
  }

  /// What the completions of these bytes are stored for: the node that they lead to, or, where that has
  /// no children and they go on, the words below it that begin with them.
  func completed(by query: Span<UInt8>) -> (node: WordTrie.Node, below: CompletedWords?) {
    let (node, depth) = descend(query)
    guard depth < query.count else { return (node, nil) }
    guard node.children.isEmpty else { return (node, CompletedWords(words: 0..<0, isWhole: false)) }
    return (node, beginning(with: query, in: node.words))
  }

  /// The words whose first byte is one of a to z.
  ///
  /// - Complexity: O(log of the number of different first bytes)
  var letterWords: Range<Int> {
    let first = trie.firstWord(from: UInt8(ascii: "a"), below: trie.root)
    let end = trie.firstWord(from: UInt8(ascii: "z") + 1, below: trie.root)
    return first..<max(first, end)
  }

  /// The last node on the way of `query` and the number of bytes that lead there.
  private func descend(_ query: Span<UInt8>) -> (node: WordTrie.Node, depth: Int) {
    var node = trie.root
    var depth = 0
    while depth < query.count, let next = trie.child(of: node, query[depth]) {
      node = next
      depth &+= 1
    }
    return (node, depth)
  }

  /// The first of `words` that is not less than `query`, or that neither is nor begins with it, or
  /// the end of `words`; and whether it equals `query`.
  private func lowerBound(
    of query: Span<UInt8>, in words: Range<Int>, isPastPrefix: Bool
  ) -> (word: Int, isEqual: Bool) {
    guard !words.isEmpty else { return (words.upperBound, false) }
    // The last block that does not begin with more.
    let size = Layout.wordsPerBlock
    var block = words.lowerBound / size
    var last = (words.upperBound &- 1) / size
    while block < last {
      let middle = (block &+ last &+ 1) &>> 1
      let head = cursor(at: middle &* size)
      let common = commonPrefix(head, query)
      if isLess(head, query, from: common, isPastPrefix) || isEqual(head, query, from: common) {
        block = middle
      } else {
        last = middle &- 1
      }
    }
    var cursor = cursor(at: block &* size)
    let common = commonPrefix(cursor, query)
    let end = min(words.upperBound, (block &+ 1) &* size)
    for word in block &* size..<end {
      if word % size > 0 { cursor.advance() }
      guard word >= words.lowerBound else { continue }
      // What leaves the first word of the block before `query` does is greater than both.
      if cursor.shared < min(common, cursor.headCount), word % size > 0 { return (word, false) }
      if !isLess(cursor, query, from: common, isPastPrefix) {
        return (word, isEqual(cursor, query, from: common))
      }
    }
    return (end, false)
  }

  /// Whether a word that has `common` bytes in common with `query` comes before it.
  @inline(__always)
  private func isLess(
    _ word: borrowing Cursor, _ query: Span<UInt8>, from common: Int, _ isPastPrefix: Bool
  ) -> Bool {
    var index = common
    while index < query.count {
      if index >= word.count { return true }
      if word.byte(index) != query[index] { return word.byte(index) < query[index] }
      index &+= 1
    }
    return isPastPrefix
  }

  private func isEqual(
    _ word: borrowing Cursor, _ query: Span<UInt8>, from common: Int
  ) -> Bool {
    guard word.count == query.count else { return false }
    var index = common
    while index < query.count, word.byte(index) == query[index] { index &+= 1 }
    return index >= query.count
  }

  /// How many bytes the first word of a block and `query` have in common.
  @inline(__always)
  private func commonPrefix(_ cursor: borrowing Cursor, _ query: Span<UInt8>) -> Int {
    let end = min(query.count, cursor.headCount)
    var index = 0
    while index < end, cursor.headByte(index) == query[index] { index &+= 1 }
    return index
  }
}
