/// Names with the words of a query as they are.
extension SearchSession {
  enum Matching {
    /// Names that hold all words.
    case wholeWords
    /// Names that hold all words, the last one as the beginning of a word.
    case prefix
    /// Names that hold the words next to each other.
    case quoted
  }

  /// Offers the names of the first three match classes.
  mutating func matchWords(_ matching: Matching, _ query: SearchQuery, _ view: borrowing PackView) {
    let count = text.wordCount
    wordNumbers.removeAll(keepingCapacity: true)
    lastWords = 0..<0
    for index in 0..<count {
      wordNumbers.append(view.names.vocabulary.find(text.word(index)))
      if index < count - 1, wordNumbers[index] == nil, matching != .prefix { return }
    }
    if matching == .prefix {
      lastWords = view.names.vocabulary.words(withPrefix: text.word(count - 1))
    } else if let last = wordNumbers[count - 1] {
      lastWords = last..<last + 1
    }
    guard !lastWords.isEmpty else { return }
    // The words are read from the rarest list.
    var rarest: Int?
    var least = lastWords.count > 1 ? Int.max : view.nameCount(of: lastWords.lowerBound)
    for index in 0..<count - 1 {
      guard let word = wordNumbers[index] else { return }
      let nameCount = view.nameCount(of: word)
      if nameCount < least || rarest == nil && lastWords.count > 1 {
        rarest = word
        least = nameCount
      }
    }
    if let rarest {
      matchNames(with: rarest..<rarest + 1, matching, query, view)
    } else if count == 1, matching == .prefix {
      matchBeginnings(query, view)
    } else {
      matchNames(with: lastWords, matching, query, view)
    }
  }

  /// Takes the stored completions of the query, if it has any: one name a taxon, in the order of hits.
  mutating func completeFromStore(_ query: SearchQuery, _ view: borrowing PackView) -> Bool {
    guard usesStoredCompletions, query.order == .prominence,
      query.limit <= Layout.completionCount + (isOneFewerEnough ? 1 : 0),
      query.mode == .auto || query.mode == .prefix,
      text.wordCount == 1, !text.isQuoted, query.filter.isEmpty
    else { return false }
    let (node, below) = view.names.vocabulary.completed(by: text.word(0))
    guard let rows = storedRows(node, below, view) else { return false }
    wordNumbers.removeAll(keepingCapacity: true)
    if let below {
      lastWords = below.words
      wordNumbers.append(below.isWhole ? below.words.lowerBound : nil)
    } else {
      lastWords = node.words
      wordNumbers.append(view.names.vocabulary.find(text.word(0)))
    }
    for row in rows.prefix(query.limit) {
      let name = view.completions[row]
      guard name.index < view.names.count, let matchClass = wordClass(of: name, .prefix, view)
      else { continue }
      let taxon = view.names.taxon(of: name)
      let key = HitKey.first(matchClass, distance: 0) | view.prominenceKey(taxon, query.order)
      addHit(taxon, name, key)
    }
    return true
  }

  /// The rows of the completions of the words below a node, or of some of them.
  private func storedRows(
    _ node: WordTrie.Node, _ below: CompletedWords?, _ view: borrowing PackView
  ) -> Range<Int>? {
    // Where all words below a node go on, longer beginnings of them are completed as it is.
    if below.map({ $0.words == node.words && !$0.isWhole }) ?? true,
      let rows = view.completions.rows(of: UInt64(node.index))
    {
      return rows
    }
    let nodeCount = view.names.vocabulary.trie.nodeCount
    return below?.stored(nodeCount: nodeCount).flatMap { view.completions.rows(of: $0) }
  }

  /// Offers names that begin with the only word of the query, then names in which another word does.
  private mutating func matchBeginnings(_ query: SearchQuery, _ view: borrowing PackView) {
    let whole = wordNumbers[0]
    if let whole {
      view.forEachName(beginningWith: whole..<whole + 1, in: query.filter.clade) {
        name, words in
        offer(name, words.count > 1 ? .namePrefix : .exactName, 0, query, view)
      }
    }
    forEachPromisingLastWords(.namePrefix, query, view) { session, words in
      view.forEachName(beginningWith: words, in: query.filter.clade) { name, words in
        if words.first != whole { session.offer(name, .namePrefix, 0, query, view) }
      }
    }
    if list.isComplete(through: .namePrefix, distance: 0, view) { return }
    let lastWords = lastWords
    forEachPromisingLastWords(.allWords, query, view) { session, words in
      view.forEachName(with: words, in: query.filter.clade, binomials: false) { name in
        guard !lastWords.contains(view.names.ends(name).first) else { return }
        session.offer(name, .allWords, 0, query, view)
      }
    }
  }

  /// Calls `body` with those of the words that begin with the only word of the query that may have
  /// one of the best names.
  private mutating func forEachPromisingLastWords(
    _ matchClass: MatchClass, _ query: SearchQuery, _ view: borrowing PackView,
    _ body: (inout SearchSession, Range<Int>) -> Void
  ) {
    let node = view.names.vocabulary.node(of: text.word(0))?.index
    let firstKey = HitKey.first(matchClass, distance: 0)
    forEachPromisingWords(in: lastWords, below: node, firstKey, query.order, view, body)
  }

  private mutating func matchNames(
    with words: Range<Int>, _ matching: Matching, _ query: SearchQuery, _ view: borrowing PackView
  ) {
    view.forEachName(with: words, in: query.filter.clade) { name in
      guard let matchClass = wordClass(of: name, matching, view) else { return }
      offer(name, matchClass, 0, query, view)
    }
  }

  /// The class, one of the first three, of a name, or nil.
  private mutating func wordClass(
    of name: NameOrdinal, _ matching: Matching, _ view: borrowing PackView
  ) -> MatchClass? {
    nameWords.removeAll(keepingCapacity: true)
    view.names.forEachWord(of: name) { nameWords.append($0) }
    let last = wordNumbers.count - 1
    guard nameWords.count > last else { return nil }
    if stands(at: 0) {
      let isWhole = nameWords.count == last + 1 && nameWords[last] == wordNumbers[last]
      return isWhole && !(matching == .quoted && hasNameInQuotes) ? .exactName : .namePrefix
    }
    if matching == .quoted {
      for position in 1..<max(1, nameWords.count - last) where stands(at: position) {
        return .allWords
      }
      return nil
    }
    for index in 0..<last {
      guard let position = nameWords.firstIndex(where: { $0 == wordNumbers[index] }) else {
        return nil
      }
      nameWords.remove(at: position)
    }
    return nameWords.contains { lastWords.contains($0) } ? .allWords : nil
  }

  /// Whether the words of the query stand in the name from `position` on.
  private func stands(at position: Int) -> Bool {
    let last = wordNumbers.count - 1
    for index in 0..<last where nameWords[position + index] != wordNumbers[index] { return false }
    return lastWords.contains(nameWords[position + last])
  }
}

extension PackView {
  /// Calls `body` with every name that holds one of `words` and, if given, names a taxon of `clade`;
  /// names that take the word from their parent only on request.
  @inline(__always)
  func forEachName(
    with words: Range<Int>, in clade: Clade? = nil, binomials: Bool = true,
    _ body: (NameOrdinal) -> Void
  ) {
    for row in postings.rows(of: words) {
      let name = postings[row]
      guard name.index < names.count else { continue }
      body(name)
      if binomials { forEachBinomial(under: name, in: clade, body) }
    }
  }

  /// Calls `body` with every name that holds `word` and may be in `blocks`, as `forEachName(with:in:binomials:_:)`
  /// does with all, without reading those in between; `folded` are the letters of `word`.
  @inline(__always)
  func forEachName(
    with word: Int, in blocks: NameBlocks, in clade: Clade?, binomials: Bool, _ folded: [UInt8],
    _ body: (NameOrdinal) -> Void
  ) {
    let rows = postings.rows(of: word)
    var row = rows.lowerBound
    blocks.forEachRange { range in
      row = postings.firstRow(notBelow: range.lowerBound, from: row, before: rows.upperBound)
      while row < rows.upperBound {
        let name = postings[row]
        guard name.index < range.upperBound else { return }
        row &+= 1
        if name.index < names.count { body(name) }
      }
    }
    guard binomials else { return }
    // What takes the word from its parent may be in the set where the parent is not.
    let text = FoldedText(folded: folded.span)
    var parents = wholeNames.rows(for: text)
    while let name = wholeNames.next(&parents) {
      forEachBinomial(under: name, in: clade) { if blocks.mayContain($0) { body($0) } }
    }
  }

  /// Calls `body` with every name whose first word is one of `words`, and the words of the name.
  @inline(__always)
  func forEachName(
    beginningWith words: Range<Int>, in clade: Clade?,
    _ body: (NameOrdinal, NameView.Words) -> Void
  ) {
    var lists = MonotoneColumn.Cursor()
    var cursor = MonotoneColumn.Cursor()
    for word in words {
      for row in postings.rows(of: word, from: &lists) {
        let name = postings[row]
        guard name.index < names.count else { continue }
        switch names.storedForm(of: name) {
        case .uninomial:
          body(name, names.words(ofUninomial: word))
          forEachBinomial(under: name, in: clade) {
            body($0, names.words(ofBinomial: $0, genus: word))
          }
        case .binomial:
          // On the list for its second word; if that is its first too, its genus has given it.
          continue
        case .phrase:
          // Most names of a frequent word begin with another, which the taxon has at hand.
          if let first = names.folded.storedFirstWord(ofPhrase: name), first != word { continue }
          let found = names.words(of: name, from: &cursor)
          if found.first == word { body(name, found) }
        }
      }
    }
  }

  /// Calls `body` with the names that take their first word from the one-word name `name`.
  ///
  /// - Complexity: O(log n) for each child of the taxon.
  @inline(__always)
  func forEachBinomial(
    under name: NameOrdinal, in clade: Clade?, _ body: (NameOrdinal) -> Void
  ) {
    guard names.isScientific(name), case .uninomial = names.storedForm(of: name) else { return }
    let clade = clade?.columnIndices
    let parent = name.index &+ 1
    var index = parent
    // A child lies behind the subtree of the one before; what has another parent ends them.
    while index < tree.taxonCount, tree.storedParent(index) == parent {
      if names.storedForm(of: NameOrdinal(index)) == .binomial, clade?.contains(index) ?? true {
        body(NameOrdinal(index))
      }
      let child = TaxonOrdinal(index)
      index = tree.isLeaf(child) ? index &+ 1 : max(index &+ 1, tree.end(of: child).index)
      if let clade, index >= clade.upperBound { return }
    }
  }

  /// About how many names hold `word`.
  func nameCount(of word: Int) -> Int {
    let rows = postings.rows(of: word)
    var count = rows.count
    for row in rows.prefix(16) where names.isScientific(postings[row]) {
      let taxon = TaxonOrdinal(postings[row].index)
      if !tree.isLeaf(taxon) { count &+= tree.subtree(of: taxon).count &- 1 }
    }
    return count
  }
}
