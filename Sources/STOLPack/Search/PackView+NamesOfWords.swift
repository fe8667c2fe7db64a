/// Which names hold which words: posting lists, and what names take from their parents.
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
