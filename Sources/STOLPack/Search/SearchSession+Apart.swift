/// Words of a query that no single edit touches two of.
///
/// An edit changes one word, or, where it takes a space away, replaces it or swaps it with a neighbour, the two
/// beside it. Of words with another one between each two it touches one at most; so that a name within k edits of
/// a query has one of any k + 1 of them just as it is.
extension SearchSession {
  /// About as many names as are read in the time that another way to them takes at least.
  private static let fewRows = 400
  private static let manyRows = 16_000

  /// Offers the names within `edits` of the query by words of it that lie apart, where few names have any.
  ///
  /// - Returns: whether that was done.
  mutating func findNamesByWords(
    _ edits: Int, _ query: SearchQuery, _ view: borrowing PackView
  ) -> Bool {
    let count = text.wordCount
    guard count > 2 * edits, count <= Self.mostWords else { return false }
    apart.removeAll(keepingCapacity: true)
    let cost = chooseWords(edits + 1, view)
    // The names that begin with the first word are what is read else, most of them where only the beginning of the
    // text is held against words.
    let usual = isCut ? Self.manyRows : min(rowCount(ofWord: 0, view) / 16, Self.manyRows)
    guard cost <= max(Self.fewRows, usual) else { return false }
    seen.removeAll()
    walk.removeAll()
    nearEdits = -1
    for (number, index) in apart.enumerated() {
      // The list of a word is read once.
      if index > 0, apart[..<number].contains(where: { text.isSameWord($0, index) }) { continue }
      guard let word = view.names.vocabulary.find(text.word(index)) else { continue }
      var cursor = MonotoneColumn.Cursor()
      // Only as the first word of a name it may come from the parent.
      view.forEachName(
        with: word..<word + 1, in: query.filter.clade, binomials: index == 0
      ) { name in
        guard mayBegin(name, edits, view) else { return }
        let words = view.names.words(of: name, from: &cursor)
        verify(name, words, edits, query, view)
      }
    }
    return true
  }

  /// Queries of more words are looked for in another way.
  private static let mostWords = 24

  /// About how many names have a word of the query.
  func rowCount(ofWord index: Int, _ view: borrowing PackView) -> Int {
    guard let word = view.names.vocabulary.find(text.word(index)) else { return 0 }
    return view.nameCount(of: word)
  }

  /// Chooses so many words, none beside another, that the fewest names have, by dynamic programming.
  ///
  /// - Returns: about how many names have them.
  private mutating func chooseWords(_ wanted: Int, _ view: borrowing PackView) -> Int {
    let count = text.wordCount
    let far = 1 << 40
    // costs[chosen][i]: the least for so many of the first i words; i - 2 for one before, which must lie apart.
    planCosts.removeAll(keepingCapacity: true)
    planCosts.append(contentsOf: repeatElement(far, count: (wanted + 1) * (count + 2)))
    planChoices.removeAll(keepingCapacity: true)
    let row = count + 2
    for index in 0..<row { planCosts[index] = 0 }
    for index in 0..<count {
      planChoices.append(rowCount(ofWord: index, view))
    }
    for chosen in 1...wanted {
      for index in 0..<count {
        let taken = planCosts[(chosen - 1) * row + index] + planChoices[index]
        planCosts[chosen * row + index + 2] = min(planCosts[chosen * row + index + 1], taken)
      }
    }
    var index = count - 1
    for chosen in stride(from: wanted, to: 0, by: -1) {
      while index > 0, planCosts[chosen * row + index + 2] == planCosts[chosen * row + index + 1] {
        index -= 1
      }
      guard index >= 0 else { break }
      apart.append(index)
      index -= 2
    }
    return planCosts[wanted * row + count + 1]
  }
}
