/// Names with words that are like those of a query.
extension SearchSession {
  /// Offers names with words that are like those of the query.
  mutating func matchSimilarWords(
    _ limit: Int, _ query: SearchQuery, _ view: borrowing PackView, findsPrefixes: Bool
  ) {
    let last = text.wordCount - 1
    if last == 0, text.scalars.count == masks.count {
      // The last walk for beginnings of names has found the beginnings of all words.
      if !findsPrefixes { findWords(0, limit, isPrefix: false, view) }
      for index in walk.found.indices {
        let found = walk.found[index]
        let distance = findsPrefixes ? found.reached : found.whole
        guard distance <= UInt8(limit) else { continue }
        let place = HitKey.first(.fuzzyWords, distance: Int(distance))
        forEachPromisingWords(in: found.words, below: found.node, place, query.order, view) {
          session, words in
          view.forEachName(with: words, in: query.filter.clade) { name in
            session.offer(name, .fuzzyWords, Int(distance), query, view)
          }
        }
      }
      return
    }
    seen.removeAll()
    assignment.setQuery(text)
    planShares(limit, view, findsPrefixes: findsPrefixes)
    // Two words in the order of the query are near as a whole, and have been found so.
    let isPair = last == 1
    for place in shares.indices {
      let share = shares[place]
      let isPrefix = findsPrefixes && share.word == last
      findWords(share.word, share.edits, isPrefix: isPrefix, view)
      for index in walk.found.indices {
        let found = walk.found[index]
        guard (isPrefix ? found.reached : found.whole) <= UInt8(share.edits) else { continue }
        let words = found.words
        let needsBinomials = !isPair || share.word > 0
        view.forEachName(with: words, in: query.filter.clade, binomials: needsBinomials) { name in
          let ends = view.names.ends(name)
          guard ends.count > last else { return }
          if isPair, ends.count == 2,
            !words.contains(share.word == 0 ? ends.last : ends.first)
          {
            return
          }
          guard seen.insert(name) else { return }
          nameBytes.removeAll(keepingCapacity: true)
          view.names.appendFolded(name, to: &nameBytes)
          let distance = assignment.cost(nameBytes, limit: limit, lastIsPrefix: findsPrefixes)
          if distance <= limit { offer(name, .fuzzyWords, distance, query, view) }
        }
      }
    }
  }

  /// Finds the words of the vocabulary within `edits` of a word of the query, or those that begin so.
  private mutating func findWords(
    _ index: Int, _ edits: Int, isPrefix: Bool, _ view: borrowing PackView
  ) {
    let vocabulary = view.names.vocabulary
    walk.removeAll()
    if edits == 0 {
      if isPrefix {
        walk.add(vocabulary.words(withPrefix: text.word(index)))
      } else if let word = vocabulary.find(text.word(index)) {
        walk.add(word..<word + 1)
      }
      return
    }
    if index == 0, !isPrefix, knowsNearFirstWords, edits == (text.wordCount > 1 ? 1 : edits) {
      for near in nearFirstWords where near.distance <= edits {
        walk.add(near.word..<near.word + 1, near.distance)
      }
      return
    }
    let scalars = text.wordScalars[index]
    let count = min(scalars.count, LetterMasks.maximumCount)
    let isCut = count < scalars.count
    var goal = VocabularyWalk.Goal(
      automaton: EditAutomaton(count: count, distance: edits), wholeCount: count,
      firstCount: count, findsPrefixes: false, findsContinuations: false, spaces: nil,
      limit: isCut ? nil : (word: edits, continued: 0))
    if !isPrefix, !isCut, edits < SearchQuery.greatestDistance {
      // At most `edits - 1` edits before the cut, or none behind it.
      let cut = (count + 1) / 2
      let tail = count - cut
      masks.set(text.scalars, scalars, isReversed: true)
      goal.automaton = EditAutomaton(count: count, from: (tail, edits > 1 ? tail : nil, nil))
      walk.walkBackwards(vocabulary, goal, masks, keepsFound: true)
      goal.automaton = EditAutomaton(
        count: count, from: edits == 1 ? (cut, nil, nil) : (0, cut, nil))
    }
    masks.set(text.scalars, scalars)
    goal.findsPrefixes = isPrefix || isCut
    walk.walk(vocabulary, goal, masks, keepsFound: true)
    if isCut { walk.trustNothing() }
  }

  /// Splits the edits over the words: some word of the query is in the name within its share.
  ///
  /// With shares e1...en of the words and (e1 + 1) + ... + (en + 1) > limit no name within the limit
  /// is without one of them; the split that seems to cost least is taken, by dynamic programming
  /// over the words.
  private mutating func planShares(_ limit: Int, _ view: borrowing PackView, findsPrefixes: Bool) {
    let last = text.wordCount - 1
    let units = limit + 1
    shares.removeAll(keepingCapacity: true)
    planCosts.removeAll(keepingCapacity: true)
    planCosts.append(contentsOf: repeatElement(Share.far, count: units + 1))
    planCosts[0] = 0
    planChoices.removeAll(keepingCapacity: true)
    for index in 0...last {
      let share = share(index, view, isPrefix: findsPrefixes && index == last)
      // The most units first, so that costs of fewer words are still there.
      for total in stride(from: units, through: 0, by: -1) {
        var best = (cost: planCosts[total], own: 0)
        for own in 0...total where own > 0 {
          let cost = planCosts[total - own] + share.cost(own - 1)
          if cost < best.cost { best = (cost, own) }
        }
        planCosts[total] = best.cost
        planChoices.append(best.own)
      }
    }
    var left = units
    for index in stride(from: last, through: 0, by: -1) where left > 0 {
      let own = planChoices[index * (units + 1) + units - left]
      if own > 0 { shares.append((word: index, edits: own - 1)) }
      left -= own
    }
  }

  private func share(_ index: Int, _ view: borrowing PackView, isPrefix: Bool) -> Share {
    let vocabulary = view.names.vocabulary
    var names = 0
    if isPrefix {
      names = 2 * view.postings.rows(of: vocabulary.words(withPrefix: text.word(index))).count
    } else if let word = vocabulary.find(text.word(index)) {
      names = view.nameCount(of: word)
    }
    return Share(
      names: names, length: text.wordScalars[index].count, isPrefix: isPrefix,
      isNearKnown: index == 0 && knowsNearFirstWords)
  }

  /// What it takes to find a word of the query within some edits.
  private struct Share {
    static let far = 1 << 40

    /// About how many names hold the word itself.
    var names: Int
    var length: Int
    var isPrefix: Bool
    /// Whether the words within one edit are known already.
    var isNearKnown: Bool

    /// About how many names must be measured, the time of a walk counted as such.
    func cost(_ edits: Int) -> Int {
      if edits == 0 { return names }
      // The fewer letters stay as they are, the more words are near.
      let kept = max(0, length - edits)
      let near = kept > 5 ? 20 : kept > 4 ? 80 : kept > 3 ? 500 : kept > 2 ? 3_000 : 30_000
      let walk = edits == 1 ? (isNearKnown ? 0 : 30) : edits == 2 ? 400 : 3_000
      return walk + names + near * (isPrefix ? 8 : 1)
    }
  }
}
