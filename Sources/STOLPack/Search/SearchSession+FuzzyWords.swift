/// Names with words that are like those of a query.
extension SearchSession {
  /// Offers names with words that are like those of the query, once names that are like it have been
  /// looked for.
  mutating func matchSimilarWords(
    _ limit: Int, _ query: SearchQuery, _ view: borrowing PackView, findsPrefixes: Bool
  ) {
    let last = text.wordCount - 1
    if last == 0, !isCut { return matchOneSimilarWord(limit, query, view, findsPrefixes) }
    seen.removeAll()
    assignment.setQuery(text)
    setWordLetters(lastIsPrefix: findsPrefixes)
    longLists.removeAll(keepingCapacity: true)
    _ = planShares(limit, view, findsPrefixes: findsPrefixes)
    let nearCount = walk.found.count
    matchShares(limit, nearCount, query, view, findsPrefixes: findsPrefixes)
    guard !longLists.isEmpty else { return }
    // A word that many names have leaves fewer edits to the others.
    let least = longLists.reduce(limit) { min($0, $1.distance) }
    let rowCount = longLists.reduce(0) { $0 + $1.rowCount }
    let cost = planShares(limit - least, view, findsPrefixes: findsPrefixes)
    if cost / Self.askedNamesPerName < rowCount {
      // What is left has one of these words.
      rests.start(edits: limit, findsPrefixes: findsPrefixes, .names)
      for list in longLists { rests.appendLead(list.word, view) }
      longLists.removeAll(keepingCapacity: true)
      matchShares(
        limit, nearCount, query, view, findsPrefixes: findsPrefixes, readsLongLists: true)
    } else {
      for index in longLists.indices {
        let list = longLists[index]
        matchNames(
          with: list.word..<list.word + 1, share: list.share, list.distance, limit, query, view,
          findsPrefixes: findsPrefixes)
      }
    }
  }

  /// A list of very many names, left for later.
  struct LongList {
    var word: Int
    /// The word of the query that the word is like, and the distance between them.
    var share: Int
    var distance: Int
    var rowCount: Int
  }

  /// Lists of more names are not read before others have been thought of.
  private static let longRowCount = 500
  /// So many names are asked for in the time that one is measured.
  private static let askedNamesPerName = 8

  /// Offers the names that have a word within its share of edits.
  private mutating func matchShares(
    _ limit: Int, _ nearCount: Int, _ query: SearchQuery, _ view: borrowing PackView,
    findsPrefixes: Bool, readsLongLists: Bool = false
  ) {
    let last = text.wordCount - 1
    for number in shares.indices {
      let share = shares[number]
      let isPrefix = findsPrefixes && share.word == last
      // A word of which only the beginning is looked at is like those that begin so.
      let isBegun = isPrefix || text.wordScalars[share.word].count > LetterMasks.maximumCount
      if isRepeated(number), !isBegun { continue }
      let isNear = share.word == 0 && !isBegun && share.edits <= nearEdits
      walk.removeAll(but: nearCount)
      if !isNear, !isBegun, share.word == last, share.edits <= likeLast.edits {
        walk.add(likeLast.found)
      } else if !isNear {
        findWords(isBegun ? .beginnings : .names, share.edits, like: share.word, view)
      }
      for index in isNear ? 0..<nearCount : nearCount..<walk.found.count {
        let found = walk.found[index]
        let distance = isNear ? found.first : isBegun ? found.reached : found.whole
        guard distance <= UInt8(share.edits) else { continue }
        if !readsLongLists, found.words.count == 1 {
          let rowCount = view.postings.rows(of: found.words).count
          if rowCount > Self.longRowCount {
            longLists.append(
              LongList(
                word: found.words.lowerBound, share: share.word, distance: Int(distance),
                rowCount: rowCount))
            continue
          }
        }
        matchNames(
          with: found.words, share: share.word, Int(distance), limit, query, view,
          findsPrefixes: findsPrefixes, needsLead: readsLongLists)
      }
    }
  }

  /// Whether an earlier share is of the same word with as many edits.
  private func isRepeated(_ number: Int) -> Bool {
    let share = shares[number]
    // Of two words one must be in front of the other.
    return text.wordCount > 2
      && shares[..<number].contains {
        $0.edits == share.edits && text.isSameWord($0.word, share.word)
      }
  }

  /// Offers the names with one of some words that are like a word of the query, if the others are too.
  private mutating func matchNames(
    with words: Range<Int>, share: Int, _ distance: Int, _ limit: Int, _ query: SearchQuery,
    _ view: borrowing PackView, findsPrefixes: Bool, needsLead: Bool = false
  ) {
    let last = text.wordCount - 1
    let asks =
      needsLead && rests.gatherLeads(for: view.postings.rows(of: words).count, view)
    let needsBinomials = last != 1 || share > 0
    var cursor = MonotoneColumn.Cursor()
    guard !asks || !rests.skips(words, view) else {
      let (blocks, folded) = (rests.blocks, folded(words.lowerBound, view))
      return view.forEachName(
        with: words.lowerBound, in: blocks, in: query.filter.clade, binomials: needsBinomials,
        folded
      ) { name in
        matchName(
          name, with: words, share: share, distance, limit, &cursor, query, view,
          findsPrefixes: findsPrefixes)
      }
    }
    view.forEachName(with: words, in: query.filter.clade, binomials: needsBinomials) { name in
      if asks, !rests.mayHaveLead(name) { return }
      matchName(
        name, with: words, share: share, distance, limit, &cursor, query, view,
        findsPrefixes: findsPrefixes)
    }
  }

  /// Offers a name with one of some words that are like a word of the query, if the others are too.
  @inline(__always)
  private mutating func matchName(
    _ name: NameOrdinal, with words: Range<Int>, share: Int, _ distance: Int, _ limit: Int,
    _ cursor: inout MonotoneColumn.Cursor, _ query: SearchQuery, _ view: borrowing PackView,
    findsPrefixes: Bool
  ) {
    let last = text.wordCount - 1
    let found = view.names.words(of: name, from: &cursor)
    guard found.count > last else { return }
    // Two words in the order of the query are near as a whole, and have been found so.
    if last == 1, found.count == 2, !words.contains(share == 0 ? found.last : found.first) {
      return
    }
    // Every letter of the query but for so many is in one of the words.
    guard mayMatch(letters(of: found, view), limit, needsPrefix: true),
      let least = leastEdits(to: found, limit, view)
    else { return }
    let firstKey = HitKey.first(.fuzzyWords, distance: max(distance, least))
    guard canBeAmongBest(name, firstKey, query, view), seen.insert(name) else { return }
    nameBytes.removeAll(keepingCapacity: true)
    view.names.appendFolded(found, to: &nameBytes)
    let distance = assignment.cost(nameBytes, limit: limit, lastIsPrefix: findsPrefixes)
    if distance <= limit { offer(name, .fuzzyWords, distance, query, view) }
  }

  /// Words of a query that have the same letters.
  struct WordLetters {
    let letters: LetterSet
    /// Whether it is the last word, which a word of a name may go on from.
    let isPrefix: Bool
    /// How many words of the query have them.
    var count = 1
  }

  /// Takes the letters of each word of the query.
  private mutating func setWordLetters(lastIsPrefix: Bool) {
    wordLetters.removeAll(keepingCapacity: true)
    for (index, range) in text.wordScalars.enumerated() {
      let letters = LetterSet(text.scalars[range])
      let isPrefix = lastIsPrefix && index == text.wordCount - 1
      if !isPrefix, let same = wordLetters.firstIndex(where: { $0.letters == letters }) {
        wordLetters[same].count += 1
      } else {
        wordLetters.append(WordLetters(letters: letters, isPrefix: isPrefix))
      }
    }
  }

  /// The fewest edits, as far as letters and lengths tell, between the words of the query and as many of a name;
  /// nil where they are more than `limit`.
  private mutating func leastEdits(
    to words: NameView.Words, _ limit: Int, _ view: borrowing PackView
  ) -> Int? {
    nameLetters.removeAll(keepingCapacity: true)
    let vocabulary = view.names.vocabulary
    for index in 0..<words.count {
      nameLetters.append(vocabulary.letters(of: view.names.word(index, of: words)))
    }
    var left = limit
    // Names that come one after another mostly begin alike, so that the last words rule most of them out.
    for asked in wordLetters.reversed() {
      var missing = asked.count
      var edits = 0
      while missing > 0 {
        guard edits <= left else { return nil }
        for letters in nameLetters {
          let least = asked.letters.leastEdits(
            to: letters, limit: edits, isPrefix: asked.isPrefix)
          guard least == edits else { continue }
          missing &-= 1
          left &-= edits
          if missing == 0 || left < edits { break }
        }
        edits &+= 1
      }
    }
    return limit &- left
  }

  /// Offers names with a word that is like the only one of the query; what the search for names has
  /// found are all such words.
  private mutating func matchOneSimilarWord(
    _ limit: Int, _ query: SearchQuery, _ view: borrowing PackView, _ findsPrefixes: Bool
  ) {
    for index in walk.found.indices {
      let found = walk.found[index]
      let distance = findsPrefixes ? found.reached : found.whole
      guard distance <= UInt8(limit) else { continue }
      let firstKey = HitKey.first(.fuzzyWords, distance: Int(distance))
      forEachPromisingWords(in: found.words, below: found.node, firstKey, view) {
        session, words in
        view.forEachName(with: words, in: query.filter.clade) { name in
          session.offer(name, .fuzzyWords, Int(distance), query, view)
        }
      }
    }
  }

  /// Splits the edits over the words: some word of the query is in the name within its share.
  ///
  /// With shares e1...en of the words and (e1 + 1) + ... + (en + 1) > limit no name within the limit
  /// is without one of them; the split that seems to cost least is taken, by dynamic programming
  /// over the words. Words that `longLists` are like take no part.
  ///
  /// - Returns: about what it costs.
  private mutating func planShares(
    _ limit: Int, _ view: borrowing PackView, findsPrefixes: Bool
  ) -> Int {
    let last = text.wordCount - 1
    let units = limit + 1
    shares.removeAll(keepingCapacity: true)
    planCosts.removeAll(keepingCapacity: true)
    planCosts.append(contentsOf: repeatElement(Share.far, count: units + 1))
    planCosts[0] = 0
    planChoices.removeAll(keepingCapacity: true)
    for index in 0...last {
      let isLeftOut = longLists.contains { $0.share == index }
      let share = share(index, view, isPrefix: findsPrefixes && index == last)
      // The most units first, so that costs of fewer words are still there.
      for total in stride(from: units, through: 0, by: -1) {
        var best = (cost: planCosts[total], own: 0)
        for own in 0...total where own > 0 && !isLeftOut {
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
    return planCosts[units]
  }

  private func share(_ index: Int, _ view: borrowing PackView, isPrefix: Bool) -> Share {
    let vocabulary = view.names.vocabulary
    var names = 0
    if isPrefix {
      names = 2 * view.postings.rows(of: vocabulary.words(withPrefix: text.word(index))).count
    } else if let word = vocabulary.find(text.word(index)) {
      names = view.nameCount(of: word)
    }
    let knownEdits = index == 0 ? nearEdits : index == text.wordCount - 1 ? likeLast.edits : 0
    return Share(
      names: names, allNames: view.names.count, length: text.wordScalars[index].count,
      isPrefix: isPrefix, nearEdits: isPrefix ? 0 : knownEdits)
  }

  /// What it takes to find a word of the query within some edits.
  private struct Share {
    static let far = 1 << 28

    /// About how many names hold the word itself.
    var names: Int
    /// How many names there are.
    var allNames: Int
    var length: Int
    var isPrefix: Bool
    /// The words within so many edits have been found already.
    var nearEdits: Int

    /// About how many names must be measured, the time of a walk counted as such.
    func cost(_ edits: Int) -> Int {
      if edits == 0 { return names }
      // The fewer letters stay as they are, the more words are near.
      let kept = max(0, length - edits)
      let near =
        switch kept {
        // Any word of few letters will do.
        case 0: max(30_000, allNames / 2)
        case 1...2: 30_000
        case 3: 3_000
        case 4: 500
        case 5: 80
        default: 20
        }
      let walk = edits <= nearEdits ? 0 : edits == 1 ? 30 : edits == 2 ? 400 : 3_000
      return walk + names + near * (isPrefix ? 8 : 1)
    }
  }
}

/// The words within some edits of one of the query.
struct LikeWords {
  private(set) var found: [VocabularyWalk.Found] = []
  /// The edits within which all are known; -1 where nothing is.
  private(set) var edits = -1

  mutating func removeAll() {
    found.removeAll(keepingCapacity: true)
    edits = -1
  }

  /// Gives the memory of very many words back.
  mutating func forgetHugeBuffers() {
    if found.capacity > SearchSession.hugeCount { found = [] }
  }

  /// Keeps what a walk has found as whole words, unless more is known.
  mutating func keep(_ words: ArraySlice<VocabularyWalk.Found>, within edits: Int) {
    guard edits > self.edits else { return }
    removeAll()
    self.edits = edits
    for word in words where word.whole <= UInt8(edits) { found.append(word) }
  }
}
