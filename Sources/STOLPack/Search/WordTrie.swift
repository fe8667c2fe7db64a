/// The first bytes of the vocabulary as a tree, so that a word, or what is like it, is found by its
/// letters.
///
/// PACK.md section 8. The words below a node are an interval of an order of words: the vocabulary
/// itself, or, for a trie over their reversed bytes, the reversed order. Nodes are numbered level by
/// level; children of one node follow each other. All of a node is one record, and what is not in
/// it stands in the next, so that a visit touches one cache line.
struct WordTrie: ~Escapable {
  private let records: PackedColumn
  private let wordWidth: UInt64
  private let wordMask: UInt64
  private let wordCount: Int

  /// One node, the interval of words below it, and its children.
  struct Node {
    var index: Int
    var words: Range<Int>
    /// None for a leaf, and none in a damaged pack that leads upwards.
    var children: Range<Int>
  }

  /// What is stored of a node.
  typealias Record = UInt64

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, directory: borrowing Directory, section: Section, wordCount: Int) {
    records = bytes.packed(section, directory)
    wordWidth = UInt64(WordTrieRecord.wordWidth(wordCount))
    wordMask = (1 &<< wordWidth) &- 1
    self.wordCount = wordCount
  }

  /// The number of nodes, which bounds every walk.
  var nodeCount: Int { records.count &- 1 }

  var root: Node {
    Node(index: 0, words: 0..<wordCount, children: children(of: 0, record(0), record(1)))
  }

  /// The node `index` with `words` below it.
  func node(_ index: Int, words: Range<Int>) -> Node {
    Node(
      index: index, words: words, children: children(of: index, record(index), record(index &+ 1)))
  }

  /// What is stored of a node.
  @inline(__always)
  func record(_ node: Int) -> Record { records.raw(node) }

  /// The byte that leads to a node.
  @inline(__always)
  func byte(_ record: Record) -> UInt8 { UInt8(truncatingIfNeeded: record) }

  @inline(__always)
  private func firstWord(_ record: Record) -> Int {
    Int(truncatingIfNeeded: record &>> 8 & wordMask)
  }

  @inline(__always)
  private func firstChild(_ record: Record) -> Int {
    Int(truncatingIfNeeded: record &>> (8 &+ wordWidth))
  }

  @inline(__always)
  private func children(of node: Int, _ record: Record, _ next: Record) -> Range<Int> {
    let lower = firstChild(record)
    let upper = min(firstChild(next), nodeCount)
    return lower > node && lower < upper ? lower..<upper : 0..<0
  }

  /// The node `index`, a child of `parent`, from its record and the next.
  @inline(__always)
  func node(_ index: Int, _ record: Record, _ next: Record, below parent: Node) -> Node {
    let lower = max(firstWord(record), parent.words.lowerBound)
    let upper =
      index &+ 1 < parent.children.upperBound
      ? min(firstWord(next), parent.words.upperBound) : parent.words.upperBound
    return Node(
      index: index, words: lower..<max(lower, upper), children: children(of: index, record, next))
  }

  /// The node `index`, a child of `parent`.
  @inline(__always)
  func node(_ index: Int, below parent: Node) -> Node {
    node(index, record(index), record(index &+ 1), below: parent)
  }

  /// The word that ends where `node` has children, if there is one.
  @inline(__always)
  func ending(at node: Node) -> Int? {
    guard !node.children.isEmpty,
      firstWord(record(node.children.lowerBound)) > node.words.lowerBound
    else { return nil }
    return node.words.lowerBound
  }

  /// The last node on the way to a word: one without children, or where the word ends.
  ///
  /// - Complexity: O(depth), times O(log of the number of children)
  func lastNode(of word: Int) -> Node {
    var node = root
    while !node.children.isEmpty {
      var low = node.children.lowerBound
      var high = node.children.upperBound
      while low < high {
        let middle = (low &+ high) &>> 1
        if firstWord(record(middle)) <= word { low = middle &+ 1 } else { high = middle }
      }
      guard low > node.children.lowerBound else { return node }
      node = self.node(low &- 1, below: node)
    }
    return node
  }

  /// The child that `byte` leads to.
  @inline(__always)
  func child(of node: Node, _ byte: UInt8) -> Node? {
    index(of: byte, below: node).map { self.node($0, below: node) }
  }

  /// The number of the child that `byte` leads to.
  @inline(__always)
  func index(of byte: UInt8, below node: Node) -> Int? {
    let child = firstChild(from: byte, below: node)
    guard child < node.children.upperBound, self.byte(record(child)) == byte else { return nil }
    return child
  }

  /// The first word below the children whose byte is `byte` or a greater one, or where the words below
  /// `node` end.
  func firstWord(from byte: UInt8, below node: Node) -> Int {
    let child = firstChild(from: byte, below: node)
    guard child < node.children.upperBound else { return node.words.upperBound }
    return self.node(child, below: node).words.lowerBound
  }

  /// The number of the first child whose byte is `byte` or a greater one, or one past the last child.
  @inline(__always)
  private func firstChild(from byte: UInt8, below node: Node) -> Int {
    var low = node.children.lowerBound
    var high = node.children.upperBound
    while low < high {
      let middle = (low &+ high) &>> 1
      if self.byte(record(middle)) < byte { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}

/// How a node of a trie is stored: its byte, its first word, its first child, from the lowest bit.
enum WordTrieRecord {
  /// The bits that the number of a word, or the number of words, takes.
  static func wordWidth(_ wordCount: Int) -> Int { UInt64(wordCount).significantBitCount }

  static func encoded(byte: UInt8, word: UInt32, child: UInt32, wordCount: Int) -> UInt64 {
    UInt64(byte) | UInt64(word) << 8 | UInt64(child) << UInt64(8 + wordWidth(wordCount))
  }
}

extension Layout {
  /// PACK.md section 8: a node of a trie with more words than this has children.
  static let trieLeafWordCount = 16
  /// PACK.md section 8: the greatest depth of a trie.
  static let trieMaximumDepth = 16
}
