/// Computes the completions that a pack stores, from the leaves of the trie up.
///
/// The best names below a node are among the best below its children and those of the word that ends
/// there, so that every name is looked at once for each of its words, however many beginnings they have.
struct CompletionBuilder: ~Copyable {
  /// A node of the trie, or words below one, as they are stored, and the names that complete them.
  typealias Entry = (words: UInt64, names: [UInt32])

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

  /// What is kept of the names with some words: of the taxa of one kind fewer than ten may turn out to be of
  /// another kind as well, or ten are and these are not needed.
  private struct Below {
    private static let limit = 2 * Layout.completionCount
    /// Names that are no more than the first of them: scientific ones, and others.
    var scientific = Best(limit: limit)
    var equal = Best(limit: limit)
    /// Names that hold the first of them as their head, and otherwise.
    var heads = Best(limit: limit)
    var wholes = Best(limit: limit)
    /// Names of which the first word is one of them.
    var beginnings = Best(limit: limit)
    /// Names of which another word is.
    var others = Best(limit: limit)

    /// Those in which the first word is whole, in order.
    var whole: [Completion] {
      scientific.completions + equal.completions + heads.completions + wholes.completions
    }

    /// Adds a name of several words, one of which is the first of them.
    mutating func insert(_ completion: Completion, hasHead: Bool) {
      if hasHead { heads.insert(completion) } else { wholes.insert(completion) }
    }

    /// Adds those with further words.
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
  private var nameWords: [Int] = []
  private var path: [UInt8] = []
  private var entries: [Entry] = []

  private init(_ view: borrowing PackView) {
    let positions = view.namePositions()
    orders = positions.indices.map { index in
      UInt64(view.prominenceKey(TaxonOrdinal(index))) << 32 | UInt64(positions[index])
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
    return builder.entries.sorted { $0.words < $1.words }
  }

  private mutating func visit(_ node: WordTrie.Node, _ view: borrowing PackView) -> Below {
    let trie = view.names.vocabulary.trie
    if node.children.isEmpty { return visitLeaf(node, view) }
    let ending = trie.ending(at: node)
    var below = Below()
    if let ending { below = bestNames(with: ending..<ending + 1, view) }
    for child in node.children {
      path.append(trie.byte(trie.record(child)))
      below.insert(visit(trie.node(child, below: node), view))
      path.removeLast()
    }
    store(below, UInt64(node.index), isWhole: ending != nil, node.words, view)
    return below
  }

  private mutating func visitLeaf(_ node: WordTrie.Node, _ view: borrowing PackView) -> Below {
    guard hasManyNames(node.words) else { return bestNames(with: node.words, view) }
    var belows: [Below] = []
    for word in node.words { belows.append(bestNames(with: word..<word + 1, view)) }
    let words = node.words.map { word in
      var bytes: [UInt8] = []
      view.names.vocabulary.append(word, to: &bytes)
      return bytes
    }
    let below = Self.joined(belows[...])
    let isWhole = words.first == path
    let isStored = store(below, UInt64(node.index), isWhole: isWhole, node.words, view)
    let depth = path.count
    for place in words.indices {
      storeBeginnings(of: place, longerThan: depth, words, belows, below: node, isStored, view)
    }
    path.removeLast(path.count - depth)
    return below
  }

  /// Stores the completions of the beginnings of a word below a leaf that no word before it has.
  private mutating func storeBeginnings(
    of place: Int, longerThan depth: Int, _ words: [[UInt8]], _ belows: [Below],
    below node: WordTrie.Node, _ isNodeStored: Bool, _ view: borrowing PackView
  ) {
    let word = words[place]
    var last: UInt64?
    for count in depth + 1..<max(depth + 1, word.count + 1) {
      path = Array(word.prefix(count))
      if place > 0, words[place - 1].starts(with: path) { continue }
      let end = words[place...].firstIndex { !$0.starts(with: path) } ?? words.count
      let first = node.words.lowerBound
      let set = CompletedWords(
        words: first + place..<first + end, isWhole: count == word.count)
      // Where all words go on, the completions are those of the node.
      if set.words == node.words, !set.isWhole, isNodeStored { continue }
      let nodeCount = view.names.vocabulary.trie.nodeCount
      guard let stored = set.stored(nodeCount: nodeCount), stored != last else { continue }
      let below = Self.joined(belows[place..<end])
      if store(below, stored, isWhole: set.isWhole, set.words, view) { last = stored }
    }
  }

  private static func joined(_ belows: ArraySlice<Below>) -> Below {
    var result = belows.first ?? Below()
    for below in belows.dropFirst() { result.insert(below) }
    return result
  }

  /// The best names with these words; of several words, which no beginning equals, those in which one is
  /// whole are not told from the others.
  private mutating func bestNames(with words: Range<Int>, _ view: borrowing PackView) -> Below {
    var below = Below()
    var buffer = nameWords
    view.forEachName(beginningWith: words, in: nil) { name, found in
      let completion = completion(name, view)
      below.beginnings.insert(completion)
      guard words.count == 1 else { return }
      if found.count > 1 {
        below.insert(completion, hasHead: view.isHead(found.first, of: name, &buffer))
      } else if view.names.isScientific(name) {
        below.scientific.insert(completion)
      } else {
        below.equal.insert(completion)
      }
    }
    view.forEachName(with: words, binomials: false) { name in
      guard !words.contains(view.names.ends(name).first) else { return }
      let completion = completion(name, view)
      below.others.insert(completion)
      guard words.count == 1 else { return }
      below.insert(completion, hasHead: view.isHead(words.lowerBound, of: name, &buffer))
    }
    nameWords = buffer
    return below
  }

  private func completion(_ name: NameOrdinal, _ view: borrowing PackView) -> Completion {
    let taxon = view.names.taxon(of: name).index
    return Completion(
      order: taxon < orders.count ? orders[taxon] : .max, nameOrder: view.names.order(of: name),
      name: name.rawValue)
  }

  private func hasManyNames(_ words: Range<Int>) -> Bool {
    let words = words.clamped(to: 0..<nameCounts.count - 1)
    return nameCounts[words.upperBound] - nameCounts[words.lowerBound] > Layout.completedNameCount
  }

  /// Stores the completions of the letters of `path`, if many names have them: first those in which these are a
  /// word, then those that begin with them.
  ///
  /// - Returns: whether they are stored.
  @discardableResult
  private mutating func store(
    _ below: Below, _ stored: UInt64, isWhole: Bool, _ words: Range<Int>,
    _ view: borrowing PackView
  ) -> Bool {
    guard !path.isEmpty, hasManyNames(words) else { return false }
    // Not what ends within a scalar, or folds to something else where it is cut.
    let letters = path
    text.set(letters.span)
    guard text.bytes == letters else { return false }
    let whole =
      !isWhole
      ? []
      : QueryText.isBarelyBegun(letters.span)
        ? below.scientific.completions + below.equal.completions : below.whole
    var found: [Completion] = []
    for completion in whole + below.beginnings.completions + below.others.completions
    where found.count < Layout.completionCount {
      if !found.contains(where: { $0.order == completion.order }) { found.append(completion) }
    }
    guard found.count == Layout.completionCount else { return false }
    entries.append((stored, found.map { $0.name }))
    return true
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
