/// Names that are like a query.
///
/// The probes of a plan find words, the words lead to names (Navarro 2001, section 8.1), and every name
/// is then measured as a whole, unless its only word has been.
extension SearchSession {
  /// Offers the names of the last three match classes; where the query is complete, only those
  /// within the distance as a whole or by whole words.
  mutating func matchSimilar(_ query: SearchQuery, _ view: borrowing PackView, isComplete: Bool) {
    text.splitScalars()
    let count = text.scalars.count
    let limit = max(
      0,
      min(query.maximumDistance ?? Self.distance(ofLetters: count), SearchQuery.greatestDistance))
    // What is similar comes behind what has all the words.
    guard limit > 0, !list.isComplete(through: .acrossNames, distance: 3, view) else { return }
    if !hasPrefetched {
      view.prefetchSearched()
      hasPrefetched = true
    }
    masks.set(text.scalars, text.scalars.indices)
    firstWords.removeAll()
    genus = NameStart()
    start = NameStart()
    endLetters.removeAll(keepingCapacity: true)
    likeLast.removeAll()
    queryLetters = LetterSet(text.scalars)
    leastEdits = 1
    // A query as short as the distance is like the beginning of every name.
    let findsPrefixes = !isComplete && count > limit
    if !findsPrefixes {
      // Where few are wanted, or very many are alike, names a single edit away are mostly enough.
      if limit > 1, query.limit <= Self.fewHits || areManyAlike(view) {
        findNames(.names, 1, query, view)
        if list.isComplete(through: .fuzzyName, distance: 1, view) { return }
        leastEdits = 2
      }
      findNames(.names, limit, query, view)
      if isComplete, text.isQuoted { return }
    } else if text.wordCount > 1 {
      findNames(lastWordIsRare(view) ? .rareBeginnings : .beginnings, limit, query, view)
    } else {
      // What is a single edit away is found in no time and often enough.
      findNames(.beginnings, 1, query, view)
      if limit > 1 {
        leastEdits = 2
        let hasEnough = list.isComplete(through: .fuzzyPrefix, distance: 1, view)
        findNames(hasEnough ? .names : .beginnings, limit, query, view)
      }
    }
    if list.isComplete(through: .fuzzyPrefix, distance: limit, view) { return }
    matchSimilarWords(limit, query, view, findsPrefixes: findsPrefixes)
  }

  /// The distance within which a text of so many letters is sought where none is given: one or two letters, or
  /// signs that are words, are like too much.
  private static func distance(ofLetters count: Int) -> Int { count < 3 ? 0 : count < 5 ? 1 : 2 }

  /// Whether very many names begin as the text does, or end with a few letters as it does.
  private func areManyAlike(_ view: borrowing PackView) -> Bool {
    let last = text.wordCount - 1
    return last > 0
      && (last > 1 && text.wordScalars[last].count < Self.fewLetters
        || rowCount(ofWord: 0, view) > Self.manyNames)
  }

  /// Shorter words are often numbers and letters that very many names have at their end.
  private static let fewLetters = 6
  /// More names are more than are read in the time that those a single edit away are found in.
  private static let manyNames = 1_000

  /// Whether the text is longer than the patterns that words can be held against.
  var isCut: Bool { text.scalars.count > masks.count }

  /// Whether few names have a word that begins with the last one.
  private func lastWordIsRare(_ view: borrowing PackView) -> Bool {
    let words = view.names.vocabulary.words(withPrefix: text.word(text.wordCount - 1))
    return view.postings.rows(of: words).count <= Self.fewNames
  }

  /// About as many names as are measured faster than words within another edit are found.
  private static let fewNames = 2_000

  // MARK: - Plans

  /// Offers the names within `edits` of the query, and unless only whole names are wanted those that
  /// begin so.
  private mutating func findNames(
    _ target: SearchPlan.Target, _ edits: Int, _ query: SearchQuery, _ view: borrowing PackView
  ) {
    if target == .names,
      findNamesByWords(edits, query, view) || findNamesByLastWord(edits, query, view)
    {
      return
    }
    // Names that a text of which only the beginning is looked at is like begin as it does.
    let plan = SearchPlan.plan(
      for: isCut ? .beginnings : target, wordCount: text.wordCount, edits: edits)
    let findsPrefixes = target != .names
    seen.removeAll()
    walk.removeAll()
    finishedWords.removeAll(keepingCapacity: true)
    nearEdits = isCut ? -1 : plan.nearEdits
    let pattern = pattern(plan, word: nil, view)
    rests.start(edits: edits, findsPrefixes: findsPrefixes, plan.target)
    for probe in plan.probes {
      if leavesOutLastWord(probe, edits, findsPrefixes: findsPrefixes, view) { continue }
      let first = walk.found.count
      findWords(probe, plan, pattern, view)
      for index in first..<walk.found.count {
        verifyNames(
          with: walk.found[index], probe.anchor, edits, findsPrefixes: findsPrefixes, query, view)
      }
    }
    verifyRests(query, view)
  }

  /// Finds words that are like one of the query, or begin so, whatever names they stand in.
  mutating func findWords(
    _ target: SearchPlan.Target, _ edits: Int, like word: Int, _ view: borrowing PackView
  ) {
    if edits == 0 { return findWord(word, isBegun: target != .names, view) }
    let plan = SearchPlan.plan(for: target, wordCount: 1, edits: edits)
    let pattern = pattern(plan, word: word, view)
    for probe in plan.probes { findWords(probe, plan, pattern, view) }
  }

  /// The pattern for a plan: a word of the query, or all of it.
  private func pattern(
    _ plan: SearchPlan, word: Int?, _ view: borrowing PackView
  ) -> Probe.Pattern {
    let first = text.wordScalars[word ?? 0]
    let isOneWord = word != nil || text.wordCount == 1
    var pattern = Probe.Pattern(
      letters: word == nil ? text.scalars.indices : first, firstWordCount: first.count,
      hasMoreWords: !isOneWord, isPart: word != nil)
    if !isOneWord {
      pattern.lastSpace = text.wordScalars[text.wordCount - 1].lowerBound - 1
    } else if plan.target == .names {
      pattern.rareEnd = rareEnd(of: word ?? 0, view)
    }
    return pattern
  }

  /// Where the shortest end of a word, a third of it or more, begins that few words share.
  func rareEnd(of word: Int, _ view: borrowing PackView) -> Int {
    let trie = view.names.vocabulary.reversedTrie
    let count = text.wordScalars[word].count
    let bytes = text.wordBytes[word]
    var tail = 0
    var node = trie.root
    var byte = bytes.upperBound
    while tail < count - 1, tail * 3 < count || node.words.count > Self.fewWords {
      var next: WordTrie.Node? = node
      repeat {
        byte -= 1
        next = next.flatMap { trie.child(of: $0, text.bytes[byte]) }
      } while byte > bytes.lowerBound && text.bytes[byte] & 0xC0 == 0x80
      tail += 1
      guard let next else { break }
      node = next
    }
    return count - tail
  }

  /// About as many words as are read faster than another letter is looked up for.
  private static let fewWords = 200

  /// Finds the words that a probe asks for.
  private mutating func findWords(
    _ probe: Probe, _ plan: SearchPlan, _ pattern: Probe.Pattern, _ view: borrowing PackView
  ) {
    if probe.anchor == .anyWord {
      return findWord(text.wordCount - 1, isBegun: plan.target != .names, view)
    }
    let letters =
      probe.anchor == .endOfFirstWord
      ? pattern.letters.prefix(pattern.firstWordCount) : pattern.letters
    walk.find(
      VocabularyWalk.Goal(probe, pattern, findsPrefixes: plan.target != .names), letters,
      of: text.scalars, in: view.names.vocabulary)
  }

  /// Finds a word of the query as it is, or the words that it begins.
  private mutating func findWord(_ index: Int, isBegun: Bool, _ view: borrowing PackView) {
    if isBegun {
      walk.add(view.names.vocabulary.words(withPrefix: text.word(index)))
    } else if let word = view.names.vocabulary.find(text.word(index)) {
      walk.add(word..<word + 1)
    }
  }

  /// Verifies the names that have a word that was found where a probe says.
  private mutating func verifyNames(
    with found: VocabularyWalk.Found, _ anchor: Probe.Anchor, _ edits: Int, findsPrefixes: Bool,
    _ query: SearchQuery, _ view: borrowing PackView
  ) {
    let tooMany = EditAutomaton.tooMany
    let isCut = isCut
    switch anchor {
    case .startOfName, .endOfFirstWord:
      if leavesToRests(found, after: 0, before: text.scalars.count, edits, view) {
        return rests.appendLead(found.words.lowerBound, view)
      }
      if found.words.count == 1, found.continues {
        let word = found.words.lowerBound
        if finishedWords.contains(word) { return }
        if view.postings.rows(of: found.words).count > Self.fewNames { finishedWords.append(word) }
      }
      // All words of a node begin like the query, unless it was cut.
      let node = isCut ? nil : found.node
      let firstKey = HitKey.first(.fuzzyPrefix, distance: node == nil ? 0 : Int(found.reached))
      forEachPromisingWords(in: found.words, below: node, firstKey, view) {
        session, words in
        view.forEachName(beginningWith: words, in: query.filter.clade) { name, words in
          let hasMoreWords = words.count > 1
          if isCut || hasMoreWords && found.continues {
            session.verify(name, words, edits, findsPrefixes: findsPrefixes, query, view)
          } else if !hasMoreWords, found.whole < tooMany {
            session.offer(name, .fuzzyName, Int(found.whole), query, view)
          } else if found.reached < tooMany {
            session.offer(name, .fuzzyPrefix, Int(found.reached), query, view)
          }
        }
      }
    case .endOfName, .anyWord:
      let word = found.words.lowerBound
      if anchor == .endOfName, text.wordCount > 1, edits < 3, !isCut, !findsPrefixes,
        leavesToRestBeforeLastWord(word, edits, view)
      {
        return
      }
      var cursor = MonotoneColumn.Cursor()
      view.forEachName(with: found.words, in: query.filter.clade, binomials: false) { name in
        guard findsPrefixes || mayBegin(name, edits, view) else { return }
        let words = view.names.words(of: name, from: &cursor)
        if anchor == .endOfName {
          guard words.last == word, words.count > 1 ? found.continues : found.whole < tooMany
          else { return }
        }
        verify(name, words, edits, findsPrefixes: findsPrefixes, query, view)
      }
    }
  }

  // MARK: - Measuring

  /// Whether the first word of a name, where the taxon has it at hand, does not rule the name out.
  @inline(__always)
  mutating func mayBegin(_ name: NameOrdinal, _ limit: Int, _ view: borrowing PackView) -> Bool {
    guard let word = view.names.folded.storedFirstWord(ofPhrase: name) else { return true }
    firstWords.prepare(for: limit)
    return firstWords.isPossible(word) ?? isBeginning(word, limit, view)
  }

  /// Whether a name within `limit` edits of the query may begin with a word, which is noted.
  private mutating func isBeginning(
    _ word: Int, _ limit: Int, _ view: borrowing PackView
  ) -> Bool {
    var isPossible = isCut
    if !isCut, !view.names.vocabulary.letters(of: word).exceeds(queryLetters, by: limit) {
      let automaton = EditAutomaton(count: masks.count, distance: limit)
      isPossible = !automaton.step(automaton.start, word: word, view.names.vocabulary, masks).isDead
    }
    firstWords.note(word, isPossible: isPossible)
    return isPossible
  }
}
