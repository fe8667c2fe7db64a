/// Names that are like a query.
///
/// Candidates come from walks over the vocabulary with split budgets (Navarro 2001, section 8.1):
/// cut the query in two; of k edits either at most k - 1 lie before the cut, which a walk from the
/// front finds, or none lies behind it, and the name ends exactly as the query does. A swap across
/// the cut counts as one edit behind it. Every candidate is then measured as a whole, so that a net
/// cast too wide costs time and no wrong hit.
extension SearchSession {
  /// Offers the names of the last three match classes; where the query is complete, only those
  /// within the distance as a whole or by whole words.
  mutating func matchSimilar(_ query: SearchQuery, _ view: borrowing PackView, isComplete: Bool) {
    text.splitScalars()
    let count = text.scalars.count
    let limit = max(
      0, min(query.maximumDistance ?? (count < 5 ? 1 : 2), SearchQuery.greatestDistance))
    guard limit > 0 else { return }
    if !hasPrefetched {
      view.prefetchSearched()
      hasPrefetched = true
    }
    seen.removeAll()
    masks.set(text.scalars, text.scalars.indices)
    firstWord = -1
    knowsNearFirstWords = false
    nearFirstWords.removeAll(keepingCapacity: true)
    queryLetters = LetterSet(text.scalars)
    // A query as short as the distance is like the beginning of every name.
    let findsPrefixes = !isComplete && count > limit
    if findsPrefixes, text.wordCount == 1 {
      matchOneWord(limit, query, view)
    } else if findsPrefixes, limit == 2, matchBeginningsWithTwoEdits(query, view) {
      // Whole names were among them.
    } else {
      matchWholeNames(limit, query, view)
      if isComplete, text.isPhrase { return }
      if list.isComplete(through: .fuzzyName, distance: limit, view) { return }
      if findsPrefixes { matchPrefixes(limit, query, view) }
    }
    if list.isComplete(through: .fuzzyPrefix, distance: limit, view) { return }
    matchSimilarWords(limit, query, view, findsPrefixes: findsPrefixes)
  }

  /// Offers names that are near a query of one word or begin so.
  ///
  /// What is a single edit away is found in no time and often enough; else one walk with all edits
  /// finds the rest, whole names among them.
  private mutating func matchOneWord(
    _ limit: Int, _ query: SearchQuery, _ view: borrowing PackView
  ) {
    matchPrefixes(1, query, view)
    if limit > 1, list.isComplete(through: .fuzzyPrefix, distance: 1, view) {
      seen.removeAll()
      matchWholeNames(limit, query, view)
    } else if limit > 1 {
      matchPrefixes(limit, query, view)
    }
  }

  // MARK: - Whole names

  /// Offers names within `limit` edits of the query.
  private mutating func matchWholeNames(
    _ limit: Int, _ query: SearchQuery, _ view: borrowing PackView
  ) {
    let isCut = text.scalars.count > masks.count
    if !isCut, text.wordCount > 1, limit == 2 {
      matchWordsWithTwoEdits(query, view, findsPrefixes: false)
      return matchEndsWithTwoEdits(query, view)
    }
    var cut = 0
    if limit < SearchQuery.greatestDistance, !isCut {
      cut =
        text.wordCount > 1 ? matchLastWord(limit, query, view) : matchTails(limit, query, view)
    }
    let from: (Int?, Int?, Int?) =
      switch limit {
      case 1: (cut, nil, nil)
      case 2: (0, cut, nil)
      default: (0, 0, 0)
      }
    var goal = goal(EditAutomaton(count: masks.count, from: from), limit)
    goal.findsPrefixes = isCut
    walk.walk(view.names.vocabulary, goal, masks)
    verifyFound(limit, query, view)
    if text.wordCount == 1, !isCut {
      noteNearWords()
      knowsNearFirstWords = true
    }
  }

  /// Keeps the words of the last walk that are near the first word of the query.
  private mutating func noteNearWords() {
    for found in walk.found where found.first != EditAutomaton.tooMany {
      nearFirstWords.append((found.words.lowerBound, found.first))
    }
  }

  /// A goal for the whole query, whose masks are set.
  private func goal(_ automaton: EditAutomaton, _ limit: Int) -> VocabularyWalk.Goal {
    VocabularyWalk.Goal(
      automaton: automaton, wholeCount: masks.count,
      firstCount: min(text.wordScalars[0].count, masks.count), findsPrefixes: false, spaces: nil,
      // Where the query has no space, the one behind a word takes an edit.
      limit: text.scalars.count > masks.count
        ? nil : (word: limit, continued: text.wordCount > 1 ? limit : limit - 1))
  }

  /// Verifies names that end with the last word of the query; returns where the space before lies.
  private mutating func matchLastWord(
    _ limit: Int, _ query: SearchQuery, _ view: borrowing PackView
  ) -> Int {
    let last = text.wordCount - 1
    if let word = view.names.vocabulary.find(text.word(last)) {
      view.forEachName(with: word..<word + 1, in: query.filter.clade, binomials: false) { name in
        verify(name, limit, query, view)
      }
    }
    return text.wordScalars[last].lowerBound - 1
  }

  /// Offers names within two edits of a query of several words, or that begin so, of which the first
  /// word tells.
  ///
  /// Let A and B be the halves of the first word, B going on up to the last space, and T that space
  /// and the last word. T is exact: the name has such a word, and that is how it is found elsewhere.
  /// Else at most one edit lies before T. A is exact: a walk finds the first word. Else B is exact
  /// and T takes one edit: where its space stays, the first word of the name ends as that of the
  /// query; where it does not, the name is found elsewhere too. A space put into A is left to the
  /// first walk, which takes spaces as if A had an edit to spare. Swaps across A and B are the first
  /// walk's.
  private mutating func matchWordsWithTwoEdits(
    _ query: SearchQuery, _ view: borrowing PackView, findsPrefixes: Bool
  ) {
    let limit = 2
    let vocabulary = view.names.vocabulary
    let count = masks.count
    let cut = text.wordScalars[text.wordCount - 1].lowerBound - 1
    let first = text.wordScalars[0]
    let half = (first.count + 1) / 2
    // A is exact.
    var goal = goal(EditAutomaton(count: count, from: (half, cut, nil)), limit)
    goal.spaces = EditAutomaton(count: count, from: (0, cut, nil))
    goal.limit = (word: limit, continued: 1)
    goal.findsPrefixes = findsPrefixes
    walk.walk(vocabulary, goal, masks)
    noteNearWords()
    if findsPrefixes {
      offerFoundBeginnings(limit, query, view)
    } else {
      verifyFound(limit, query, view)
    }
    // B is exact, and so is where it ends.
    verifyFirstWords(
      near: text.scalars, first, half: half, findsPrefixes: findsPrefixes, query, view)
    for found in walk.found where found.whole <= 1 {
      nearFirstWords.append((found.words.lowerBound, found.whole))
    }
    knowsNearFirstWords = true
  }

  /// Verifies names of several words of which the first is a pattern with one edit in or at its first
  /// `half` letters.
  private mutating func verifyFirstWords(
    near scalars: [UInt32], _ pattern: Range<Int>, half: Int, findsPrefixes: Bool,
    _ query: SearchQuery, _ view: borrowing PackView
  ) {
    let count = pattern.count
    masks.set(scalars, pattern, isReversed: true)
    let goal = VocabularyWalk.Goal(
      automaton: EditAutomaton(count: count, from: (count - half, nil, nil)), wholeCount: count,
      firstCount: count, findsContinuations: false, limit: (word: 1, continued: 0))
    walk.walkBackwards(view.names.vocabulary, goal, masks)
    masks.set(text.scalars, text.scalars.indices)
    for index in walk.found.indices where walk.found[index].whole <= 1 {
      view.forEachName(beginningWith: walk.found[index].words, in: query.filter.clade) {
        name, _, hasMoreWords in
        if hasMoreWords { verify(name, 2, findsPrefixes: findsPrefixes, query, view) }
      }
    }
  }

  /// Offers names within two edits of a query of several words that end with its last word, or with
  /// all of it but the space, which is edited or swapped with a neighbour.
  private mutating func matchEndsWithTwoEdits(_ query: SearchQuery, _ view: borrowing PackView) {
    let limit = 2
    let count = masks.count
    let last = text.wordScalars[text.wordCount - 1].count
    let half = (text.wordScalars[0].count + 1) / 2
    masks.set(text.scalars, text.scalars.indices, isReversed: true)
    let goal = goal(
      EditAutomaton(count: count, from: (last - 1, count - half - 1, nil)), limit)
    walk.walkBackwards(view.names.vocabulary, goal, masks)
    masks.set(text.scalars, text.scalars.indices)
    verifyFoundEnds(limit, query, view)
  }

  /// Verifies the names that begin with a word that was found.
  private mutating func verifyFound(_ limit: Int, _ query: SearchQuery, _ view: borrowing PackView)
  {
    let tooMany = EditAutomaton.tooMany
    for index in walk.found.indices {
      let found = walk.found[index]
      view.forEachName(beginningWith: found.words, in: query.filter.clade) {
        name, _, hasMoreWords in
        guard
          hasMoreWords && found.continues || !hasMoreWords && found.whole < tooMany
            || found.reached < tooMany
        else { return }
        verify(name, limit, query, view)
      }
    }
  }

  /// Verifies names that end exactly as a query of one word does; returns where that end begins.
  private mutating func matchTails(_ limit: Int, _ query: SearchQuery, _ view: borrowing PackView)
    -> Int
  {
    let vocabulary = view.names.vocabulary
    let count = text.scalars.count
    // The shortest end, of a third of the query or more, that few words share.
    var tail = 0
    var node = vocabulary.reversedTrie.root
    var byte = text.bytes.count
    while tail < count - 1 {
      if tail * 3 >= count, node.words.count <= Self.fewWords { break }
      var next: WordTrie.Node? = node
      repeat {
        byte -= 1
        next = next.flatMap { vocabulary.reversedTrie.child(of: $0, text.bytes[byte]) }
      } while byte > 0 && text.bytes[byte] & 0xC0 == 0x80
      tail += 1
      guard let next else { break }
      node = next
    }
    guard tail > 0 else { return 0 }
    masks.set(text.scalars, text.scalars.indices, isReversed: true)
    walk.walkBackwards(
      vocabulary,
      goal(EditAutomaton(count: count, from: (tail, limit > 1 ? tail : nil, nil)), limit), masks)
    masks.set(text.scalars, text.scalars.indices)
    noteNearWords()
    verifyFoundEnds(limit, query, view)
    return count - tail
  }

  /// Verifies the names that end with a word that was found.
  private mutating func verifyFoundEnds(
    _ limit: Int, _ query: SearchQuery, _ view: borrowing PackView
  ) {
    for index in walk.found.indices {
      let found = walk.found[index]
      let word = found.words.lowerBound
      view.forEachName(with: found.words, in: query.filter.clade, binomials: false) { name in
        let ends = view.names.ends(name)
        guard ends.last == word,
          ends.count == 1 ? found.whole < EditAutomaton.tooMany : found.continues
        else { return }
        verify(name, limit, query, view)
      }
    }
  }

  /// About as many words as are read faster than another letter is looked up for.
  private static let fewWords = 200

  /// Measures a name as a whole, or its beginnings too, and offers it if it or one of them is near.
  private mutating func verify(
    _ name: NameOrdinal, _ limit: Int, findsPrefixes: Bool = false, _ query: SearchQuery,
    _ view: borrowing PackView
  ) {
    guard mayMatch(name, limit, needsPrefix: findsPrefixes, view), seen.insert(name) else { return }
    let result = measure(name, limit, needsPrefix: findsPrefixes, view)
    if result.whole <= UInt8(limit) {
      offer(name, result.whole == 0 ? .exactName : .fuzzyName, Int(result.whole), query, view)
    } else if findsPrefixes, result.prefix <= UInt8(limit) {
      offer(name, .fuzzyPrefix, Int(result.prefix), query, view)
    }
  }

  /// Whether the letters of a name do not rule it out.
  @inline(__always)
  private func mayMatch(
    _ name: NameOrdinal, _ limit: Int, needsPrefix: Bool, _ view: borrowing PackView
  ) -> Bool {
    guard text.scalars.count == masks.count else { return true }
    var letters = LetterSet(rawValue: 0)
    var length = -1
    view.names.forEachWord(of: name) { word in
      let next = view.names.vocabulary.letters(of: word)
      letters.formUnion(next)
      length &+= next.length &+ 1
    }
    // Spaces count as letters.
    if length > letters.length { letters.insertSpace() }
    if length &+ limit < queryLetters.length || queryLetters.exceeds(letters, by: limit) {
      return false
    }
    return needsPrefix
      || length <= queryLetters.length &+ limit && !letters.exceeds(queryLetters, by: limit)
  }

  /// The distances between the query and a name, and between it and a beginning of the name.
  private mutating func measure(
    _ name: NameOrdinal, _ limit: Int, needsPrefix: Bool, _ view: borrowing PackView
  ) -> EditDistance.Result {
    guard text.scalars.count == masks.count else {
      nameBytes.removeAll(keepingCapacity: true)
      view.names.appendFolded(name, to: &nameBytes)
      nameScalars.removeAll(keepingCapacity: true)
      appendScalars(of: nameBytes, to: &nameScalars)
      return editDistance.between(
        text.scalars, text.scalars.indices, nameScalars, limit: limit, needsPrefix: needsPrefix)
    }
    let automaton = EditAutomaton(count: masks.count, distance: limit)
    var state = automaton.start
    switch view.names.form(of: name) {
    case .uninomial(let word):
      state = automaton.step(state, word: word, view.names.vocabulary, masks)
    case .binomial(let genus, let epithet):
      // Species of one genus come one after another.
      if firstWord != genus || firstWordLimit != limit {
        firstWord = genus
        firstWordLimit = limit
        firstWordState = automaton.step(state, word: genus, view.names.vocabulary, masks)
        firstWordState = automaton.step(firstWordState, masks.mask(0x20))
      }
      state = automaton.step(firstWordState, word: epithet, view.names.vocabulary, masks)
    case .phrase:
      var isFirst = true
      view.names.forEachWord(of: name) { word in
        if !isFirst { state = automaton.step(state, masks.mask(0x20)) }
        state = automaton.step(state, word: word, view.names.vocabulary, masks)
        isFirst = false
      }
    }
    return EditDistance.Result(whole: state.distance(at: masks.count), prefix: state.reached)
  }

  // MARK: - Beginnings of names

  /// Offers names that are within `distance` edits of the query as a whole or begin so.
  private mutating func matchPrefixes(
    _ distance: Int, _ query: SearchQuery, _ view: borrowing PackView
  ) {
    seen.removeAll()
    var goal = goal(EditAutomaton(count: masks.count, distance: distance), distance)
    goal.findsPrefixes = true
    walk.walk(view.names.vocabulary, goal, masks)
    offerFoundBeginnings(distance, query, view)
  }

  /// Offers the names that begin with a word that was found, if they or a beginning are near.
  private mutating func offerFoundBeginnings(
    _ distance: Int, _ query: SearchQuery, _ view: borrowing PackView
  ) {
    let tooMany = EditAutomaton.tooMany
    let isCut = text.scalars.count > masks.count
    for index in walk.found.indices {
      let found = walk.found[index]
      // All words of a node begin like the query, unless it was cut.
      let node = isCut ? nil : found.node
      let place = HitKey.first(.fuzzyPrefix, distance: node == nil ? 0 : Int(found.reached))
      forEachPromisingWords(in: found.words, below: node, place, query.order, view) {
        session, words in
        view.forEachName(beginningWith: words, in: query.filter.clade) { name, _, hasMoreWords in
          if isCut || found.continues && hasMoreWords {
            session.verify(name, distance, findsPrefixes: true, query, view)
          } else if !hasMoreWords, found.whole < tooMany {
            session.offer(name, .fuzzyName, Int(found.whole), query, view)
          } else if found.reached < tooMany {
            session.offer(name, .fuzzyPrefix, Int(found.reached), query, view)
          }
        }
      }
    }
  }

  /// Offers names within two edits of a query of several words, or that begin so; returns false,
  /// without having done it, where too many names have words that begin like its last one.
  ///
  /// With A, B and T as in `matchWordsWithTwoEdits`: where T is exact, the name has a word that begins
  /// with the last one. Where A and the space each take an edit and B is exact, the first of two words
  /// of the query and the beginning of the second stand in the name as one word, which a walk finds,
  /// or the space has changed places with a neighbour.
  private mutating func matchBeginningsWithTwoEdits(
    _ query: SearchQuery, _ view: borrowing PackView
  ) -> Bool {
    guard masks.count == text.scalars.count else { return false }
    let limit = 2
    let last = text.wordCount - 1
    let exact = view.names.vocabulary.words(withPrefix: text.word(last))
    guard view.postings.rows(of: exact).count <= fewNames else { return false }
    matchWordsWithTwoEdits(query, view, findsPrefixes: true)
    verifyFurtherWords(exact, query, view)
    guard last == 1 else { return true }
    let half = (text.wordScalars[0].count + 1) / 2
    let cut = text.wordScalars[last].lowerBound - 1
    var goal = goal(
      EditAutomaton(count: masks.count, from: (0, cut, nil), exactEnd: half), limit)
    goal.findsPrefixes = true
    goal.findsContinuations = false
    walk.walk(view.names.vocabulary, goal, masks)
    offerFoundBeginnings(limit, query, view)
    matchSwappedSpaces(half: half, query, view)
    return true
  }

  /// Verifies names of several words where the space between the two of the query has changed places
  /// with a letter: one word is exact and the other has an edit in its first `half` letters, or none.
  ///
  /// The exact one is looked up where few names have it, else the other.
  private mutating func matchSwappedSpaces(
    half: Int, _ query: SearchQuery, _ view: borrowing PackView
  ) {
    let vocabulary = view.names.vocabulary
    let first = text.wordScalars[0]
    let space = text.wordBytes[0].upperBound
    let end = text.wordBytes[1].upperBound
    var before = space - 1
    while before > 0, text.bytes[before] & 0xC0 == 0x80 { before -= 1 }
    var behind = space + 2
    while behind < end, text.bytes[behind] & 0xC0 == 0x80 { behind += 1 }
    nameBytes.removeAll(keepingCapacity: true)
    nameBytes.append(contentsOf: text.bytes[before..<space])
    nameBytes.append(contentsOf: text.bytes[space + 1..<end])
    let longer = vocabulary.words(withPrefix: nameBytes.span)
    if view.postings.rows(of: longer).count <= veryFewNames {
      verifyFurtherWords(longer, query, view)
    } else if first.count > 1 {
      verifyFirstWords(
        near: text.scalars, first.dropLast(), half: half, findsPrefixes: true, query, view)
    }
    let shorter = vocabulary.words(withPrefix: text.bytes.span.extracting(behind..<end))
    if view.postings.rows(of: shorter).count <= veryFewNames {
      verifyFurtherWords(shorter, query, view)
    } else {
      nameScalars.removeAll(keepingCapacity: true)
      nameScalars.append(contentsOf: text.scalars[first])
      nameScalars.append(text.scalars[first.upperBound + 1])
      verifyFirstWords(
        near: nameScalars, nameScalars.indices, half: half, findsPrefixes: true, query, view)
    }
  }

  /// Verifies names that have one of `words` behind the first word.
  private mutating func verifyFurtherWords(
    _ words: Range<Int>, _ query: SearchQuery, _ view: borrowing PackView
  ) {
    view.forEachName(with: words, in: query.filter.clade, binomials: false) { name in
      verify(name, 2, findsPrefixes: true, query, view)
    }
  }
}

extension EditAutomaton {
  /// The state after a word of the vocabulary.
  @inline(__always)
  fileprivate func step(
    _ state: EditState, word: Int, _ vocabulary: borrowing Vocabulary,
    _ masks: borrowing LetterMasks
  ) -> EditState {
    guard !state.isDead else { return state }
    let cursor = vocabulary.cursor(at: word)
    var state = state
    var index = 0
    while index < cursor.count, !state.isDead {
      state = step(state, byte: cursor.byte(index), masks)
      index &+= 1
    }
    return state
  }
}
