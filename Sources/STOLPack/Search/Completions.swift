/// Stored completions of beginnings that many names have: PACK.md section 8.
///
/// Each is a node of the trie over the vocabulary and the first ten names that a search by prefix,
/// best known first, finds for its letters.
struct CompletionView: ~Escapable {
  private let nodes: PackedColumn
  private let names: PackedColumn

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, directory: borrowing Directory) {
    nodes = bytes.packed(.completeNode, directory)
    names = bytes.packed(.completeName, directory)
  }

  /// The rows of the completions of a node, or nil if there are none.
  ///
  /// - Complexity: O(log n)
  func rows(of node: Int) -> Range<Int>? {
    let row = nodes.lowerBound(UInt64(node))
    guard row < nodes.count, nodes[row] == node else { return nil }
    return row &* Layout.completionCount..<(row &+ 1) &* Layout.completionCount
  }

  /// The name in `row`.
  subscript(row: Int) -> NameOrdinal { NameOrdinal(names[row]) }
}

extension Layout {
  /// PACK.md section 8: how many completions are stored for a beginning.
  static let completionCount = 10
  /// PACK.md section 8: beginnings of no more names than this are completed by reading them all.
  static let completedNameCount = 64
}

/// Computes the completions that a pack stores.
struct CompletionBuilder: ~Copyable {
  private var session = SearchSession()
  private let query = SearchQuery(
    "", mode: .prefix, order: .prominence, limit: Layout.completionCount)
  /// How many names hold the words before each one.
  private var nameCounts: [Int] = [0]
  private var path: [UInt8] = []
  private var entries: [Entry] = []
  /// Of so many builders this one takes every so-manieth node.
  private let share: (number: Int, count: Int)
  private var nodeCount = 0

  private init(share: (number: Int, count: Int)) { self.share = share }

  /// A node of the trie and the names that complete its letters.
  typealias Entry = (node: Int, names: [UInt32])

  /// The completions of the nodes that share `number` of `count` takes, in no order; `positions` are
  /// those of `namePositions`.
  static func entries(
    of pack: Pack, _ positions: [UInt32], share number: Int, of count: Int
  ) -> [Entry] {
    let view = pack.view
    var builder = CompletionBuilder(share: (number, count))
    builder.session.list.namePositions = positions
    builder.session.usesStoredCompletions = false
    builder.nameCounts.reserveCapacity(view.names.vocabulary.count + 1)
    for word in 0..<view.names.vocabulary.count {
      builder.nameCounts.append(builder.nameCounts[word] + view.nameCount(of: word))
    }
    builder.visit(view.names.vocabulary.trie.root, view)
    return builder.entries
  }

  private mutating func visit(_ node: WordTrie.Node, _ view: borrowing PackView) {
    let words = node.words.clamped(to: 0..<nameCounts.count - 1)
    guard nameCounts[words.upperBound] - nameCounts[words.lowerBound] > Layout.completedNameCount
    else { return }
    nodeCount += 1
    if !path.isEmpty, nodeCount % share.count == share.number {
      let text = path
      session.search(text.span, query, in: view)
      // Not what ends within a scalar, or folds to something else where it is cut.
      if session.hits.count == Layout.completionCount, session.text.bytes == path {
        entries.append((node.index, session.hits.map { UInt32($0.name.rawValue) }))
      }
    }
    guard path.count < Layout.trieMaximumDepth else { return }
    let trie = view.names.vocabulary.trie
    for child in node.children {
      path.append(trie.byte(trie.record(child)))
      visit(trie.node(child, below: node), view)
      path.removeLast()
    }
  }
}

extension PackView {
  /// The position of each taxon among all by its scientific name (UTF-8 bytes), then by id.
  ///
  /// - Complexity: O(n log n) comparisons for n taxa, which mostly look at eight bytes; 20 bytes a taxon
  ///   and the names while it is at work.
  func namePositions() -> [UInt32] {
    var bytes: [UInt8] = []
    var ends: [Int] = [0]
    var taxa: [(beginning: UInt64, taxon: UInt32)] = []
    taxa.reserveCapacity(taxonCount)
    for index in 0..<taxonCount {
      names.appendText(of: NameOrdinal(index), to: &bytes)
      var beginning: UInt64 = 0
      for offset in ends[index]..<ends[index] + 8 {
        beginning = beginning &<< 8 | (offset < bytes.count ? UInt64(bytes[offset]) : 0)
      }
      ends.append(bytes.count)
      taxa.append((beginning, UInt32(truncatingIfNeeded: index)))
    }
    taxa.sort { a, b in
      if a.beginning != b.beginning { return a.beginning < b.beginning }
      let (a, b) = (Int(a.taxon), Int(b.taxon))
      let (nameA, nameB) = (bytes[ends[a]..<ends[a + 1]], bytes[ends[b]..<ends[b + 1]])
      if nameA.elementsEqual(nameB) { return ids[TaxonOrdinal(a)] < ids[TaxonOrdinal(b)] }
      return nameA.lexicographicallyPrecedes(nameB)
    }
    var positions = [UInt32](repeating: 0, count: taxonCount)
    for (position, entry) in taxa.enumerated() {
      positions[Int(entry.taxon)] = UInt32(truncatingIfNeeded: position)
    }
    return positions
  }
}
