/// Computes the completions that a pack stores, from the leaves of the trie up.
///
/// The best names below a node are among the best below its children and those of the word that ends
/// there, so that every name is looked at once for each of its words, however many beginnings they have.
struct CompletionBuilder: ~Copyable {
  /// A node of the trie and the names that complete its letters.
  typealias Entry = (node: Int, names: [UInt32])

  /// A name that completes some letters.
  private struct Completion {
    /// The order of its taxon: how well known it is, then its position by name.
    var order: UInt64
    /// The order of the names of one taxon.
    var nameOrder: UInt64
    var name: UInt32
  }

  /// The first few completions of different taxa.
  private struct Best {
    private(set) var completions: [Completion] = []
    let limit: Int

    init(limit: Int) { self.limit = limit }

    mutating func insert(_ new: Completion) {
      if completions.count == limit, let last = completions.last, last.order < new.order { return }
      var place = completions.count
      while place > 0, completions[place - 1].order > new.order { place -= 1 }
      if place > 0, completions[place - 1].order == new.order {
        if new.nameOrder < completions[place - 1].nameOrder { completions[place - 1] = new }
        return
      }
      if completions.count == limit { completions.removeLast() }
      completions.insert(new, at: place)
    }
  }

  /// What is kept of the names below a node.
  private struct Below {
    /// Names of which the first word is below it.
    var beginnings = Best(limit: Layout.completionCount)
    /// Names of which another word is: of these taxa fewer than ten may turn out to have one of the
    /// former where several nodes come together, or ten have and these are not needed.
    var others = Best(limit: 2 * Layout.completionCount)

    mutating func insert(_ below: Below) {
      for completion in below.beginnings.completions { beginnings.insert(completion) }
      for completion in below.others.completions { others.insert(completion) }
    }
  }

  /// By taxon: how well known it is, and its position by name.
  private let orders: [UInt64]
  /// How many names hold the words before each one.
  private var nameCounts: [Int] = [0]
  private var text = QueryText()
  private var path: [UInt8] = []
  private var entries: [Entry] = []

  private init(_ view: borrowing PackView) {
    let positions = view.namePositions()
    orders = positions.indices.map { index in
      UInt64(view.prominenceKey(TaxonOrdinal(index), .prominence)) << 32 | UInt64(positions[index])
    }
    nameCounts.reserveCapacity(view.names.vocabulary.count + 1)
    for word in 0..<view.names.vocabulary.count {
      nameCounts.append(nameCounts[word] + view.nameCount(of: word))
    }
  }

  /// The completions of a pack, by ascending node.
  ///
  /// - Complexity: O(p) for p names on all posting lists, and the order of all taxa by name.
  static func completions(of pack: Pack) -> [Entry] {
    let view = pack.view
    var builder = CompletionBuilder(view)
    _ = builder.visit(view.names.vocabulary.trie.root, view)
    return builder.entries.sorted { $0.node < $1.node }
  }

  private mutating func visit(_ node: WordTrie.Node, _ view: borrowing PackView) -> Below {
    var below = Below()
    let trie = view.names.vocabulary.trie
    if node.children.isEmpty {
      insert(node.words, into: &below, view)
    } else {
      if let word = trie.ending(at: node) { insert(word..<word + 1, into: &below, view) }
      for child in node.children {
        path.append(trie.byte(trie.record(child)))
        below.insert(visit(trie.node(child, below: node), view))
        path.removeLast()
      }
    }
    store(below, node, view)
    return below
  }

  /// Keeps the best names with one of these words.
  private func insert(_ words: Range<Int>, into below: inout Below, _ view: borrowing PackView) {
    view.forEachName(beginningWith: words, in: nil) { name, _ in
      below.beginnings.insert(completion(name, view))
    }
    view.forEachName(with: words, binomials: false) { name in
      guard !words.contains(view.names.ends(name).first) else { return }
      below.others.insert(completion(name, view))
    }
  }

  private func completion(_ name: NameOrdinal, _ view: borrowing PackView) -> Completion {
    let taxon = view.names.taxon(of: name).index
    return Completion(
      order: taxon < orders.count ? orders[taxon] : .max, nameOrder: view.names.order(of: name),
      name: name.rawValue)
  }

  /// Stores the completions of a node that many names have: first those that equal its letters, then those
  /// that begin with them.
  private mutating func store(
    _ below: Below, _ node: WordTrie.Node, _ view: borrowing PackView
  ) {
    let words = node.words.clamped(to: 0..<nameCounts.count - 1)
    guard !path.isEmpty,
      nameCounts[words.upperBound] - nameCounts[words.lowerBound] > Layout.completedNameCount
    else { return }
    // Not what ends within a scalar, or folds to something else where it is cut.
    let letters = path
    text.set(letters.span)
    guard text.bytes == letters else { return }
    var equal = Best(limit: Layout.completionCount)
    let first = words.lowerBound
    if view.names.vocabulary.cursor(at: first).count == path.count {
      view.forEachName(beginningWith: first..<first + 1, in: nil) { name, words in
        if words.count == 1 { equal.insert(completion(name, view)) }
      }
    }
    var found: [Completion] = []
    for completion in equal.completions + below.beginnings.completions + below.others.completions
    where found.count < Layout.completionCount {
      if !found.contains(where: { $0.order == completion.order }) { found.append(completion) }
    }
    guard found.count == Layout.completionCount else { return }
    entries.append((node.index, found.map { $0.name }))
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
