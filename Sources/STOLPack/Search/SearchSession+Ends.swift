/// Queries that are longer than the patterns that words can be held against.
///
/// Only the beginning of such a query, or only its end, can be held against words. A hundred thousand names may begin
/// as it does, as those of strains of a virus do; but few end so, where its last word is long.
extension SearchSession {
  /// Shorter last words are like those of very many names.
  private static let leastLastWord = 8
  /// Of words that more names have, those are looked for that stand before them.
  private static let manyNames = 64
  /// About as many names as are read in the time that those are that begin alike.
  private static let mostNames = 8_000

  /// Offers the names within `edits` of a query by their last words, each of which is within the edits of an end
  /// of the query or, longer than a pattern, ends so; or by the words before a last word that very many names have.
  ///
  /// - Returns: whether that was done.
  mutating func findNamesByLastWord(
    _ edits: Int, _ query: SearchQuery, _ view: borrowing PackView
  ) -> Bool {
    let last = text.wordCount - 1
    guard isCut, last > 0, text.wordScalars[last].count >= Self.leastLastWord else { return false }
    var goal = VocabularyWalk.Goal()
    goal.automaton = EditAutomaton(count: masks.count, distance: edits)
    goal.spaces = goal.automaton
    goal.isReversed = true
    goal.findsPrefixes = true
    walk.removeAll()
    walk.find(goal, text.scalars.indices, of: text.scalars, in: view.names.vocabulary)
    walk.findBefore(in: view.names.vocabulary) {
      view.postings.rows(of: $0..<$0 + 1).count > Self.manyNames
    }
    var count = 0
    for found in walk.found { count += view.postings.rows(of: found.words).count }
    guard count <= Self.mostNames else { return false }
    seen.removeAll()
    nearEdits = -1
    for index in walk.found.indices {
      var cursor = MonotoneColumn.Cursor()
      // A last word that takes the one before it from the parent is on a list of its own.
      view.forEachName(with: walk.found[index].words, in: query.filter.clade) { name in
        verify(name, view.names.words(of: name, from: &cursor), edits, query, view)
      }
    }
    return true
  }
}
