/// The first bytes of the vocabulary as a tree, so that a word, or what is like it, is found by its
/// letters.
///
/// PACK.md section 8. The words below a node are an interval of an order of words: the vocabulary
/// itself, or, for a trie over their reversed bytes, the reversed order. Nodes are numbered level by
/// level; children of one node follow each other.
struct WordTrie: ~Escapable {
  private let bytes: RawSpan
  private let children: PackedColumn
  private let words: PackedColumn
  private let wordCount: Int

  /// One node and the interval of words below it.
  struct Node {
    var index: Int
    var words: Range<Int>
  }

  @_lifetime(copy bytes)
  init(
    _ bytes: RawSpan, directory: borrowing Directory, letters: Section, children: Section,
    words: Section, wordCount: Int
  ) {
    self.bytes = bytes.section(letters, directory)
    self.children = bytes.packed(children, directory)
    self.words = bytes.packed(words, directory)
    self.wordCount = wordCount
  }

  /// The number of nodes, which bounds every walk.
  var nodeCount: Int { words.count }

  var root: Node { Node(index: 0, words: 0..<wordCount) }

  /// The children of a node; none for a leaf, and none in a damaged pack that leads upwards.
  @inline(__always)
  func children(of node: Int) -> Range<Int> {
    let lower = children[node]
    let upper = min(children[node &+ 1], words.count)
    return lower > node && lower < upper ? lower..<upper : 0..<0
  }

  /// The byte that leads to a node.
  @inline(__always)
  func byte(_ node: Int) -> UInt8 { bytes.uint8(at: node) }

  /// Where the words below `child`, one of `siblings` below `parent`, lie.
  @inline(__always)
  func words(of child: Int, _ siblings: Range<Int>, below parent: Range<Int>) -> Range<Int> {
    let lower = max(words[child], parent.lowerBound)
    let upper =
      child &+ 1 < siblings.upperBound
      ? min(words[child &+ 1], parent.upperBound) : parent.upperBound
    return lower..<max(lower, upper)
  }

  /// The child that `byte` leads to.
  @inline(__always)
  func child(of node: Node, _ byte: UInt8) -> Node? {
    let siblings = children(of: node.index)
    var low = siblings.lowerBound
    var high = siblings.upperBound
    while low < high {
      let middle = (low &+ high) &>> 1
      if self.byte(middle) < byte { low = middle &+ 1 } else { high = middle }
    }
    guard low < siblings.upperBound, self.byte(low) == byte else { return nil }
    return Node(index: low, words: words(of: low, siblings, below: node.words))
  }
}

extension Layout {
  /// PACK.md section 8: a node of a trie with more words than this has children.
  static let trieLeafWordCount = 16
  /// PACK.md section 8: the greatest depth of a trie.
  static let trieMaximumDepth = 16
}
