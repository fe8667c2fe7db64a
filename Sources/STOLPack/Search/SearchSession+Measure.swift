/// How far whole names are from a query.
extension SearchSession {
  /// Decides whether a name is near enough: measures it as a whole, or its beginnings too, and offers
  /// it if it or one of them is within `limit` edits.
  @inline(__always)
  mutating func verify(
    _ name: NameOrdinal, _ words: NameView.Words, _ limit: Int, findsPrefixes: Bool = false,
    _ query: SearchQuery, _ view: borrowing PackView
  ) {
    guard let length = possibleLength(of: words, limit, needsPrefix: findsPrefixes, view)
    else { return }
    // A longer name can only begin as the query does.
    let isLonger = findsPrefixes && !isCut && length > queryLetters.length &+ limit
    let firstKey = HitKey.first(isLonger ? .fuzzyPrefix : .fuzzyName, distance: leastEdits)
    guard canBeAmongBest(name, firstKey, query, view), seen.insert(name) else { return }
    let result = measure(name, words, limit, needsPrefix: findsPrefixes, view)
    if result.whole <= UInt8(limit) {
      offer(name, result.whole == 0 ? .exactName : .fuzzyName, Int(result.whole), query, view)
    } else if findsPrefixes, result.prefix <= UInt8(limit) {
      offer(name, .fuzzyPrefix, Int(result.prefix), query, view)
    }
  }

  // MARK: - Letters

  /// How many letters a name has, with a space between each two words; nil where its letters, or what it begins
  /// with, rule out that it is within `limit` edits, or that one of its beginnings is.
  @inline(__always)
  private mutating func possibleLength(
    of words: NameView.Words, _ limit: Int, needsPrefix: Bool, _ view: borrowing PackView
  ) -> Int? {
    if words.count > 2 {
      let second = view.names.word(1, of: words)
      if start.first == words.first, start.second == second {
        if start.limit != limit, !isCut { measureStart(limit, view) }
        if start.limit == limit {
          if start.isDead { return nil }
          let rest = letters(of: words, from: 2, NameLetters(), view)
          guard start.mayGo(onWith: rest, needsPrefix: needsPrefix) else { return nil }
          return start.letters.length &+ 1 &+ rest.length
        }
      }
    } else if words.count == 2, genus.first == words.first, !isCut {
      if genus.limit != limit { measureGenus(limit, view) }
      if genus.isDead { return nil }
      var rest = NameLetters()
      rest.add(view.names.vocabulary.letters(of: words.last))
      guard genus.mayGo(onWith: rest, needsPrefix: needsPrefix) else { return nil }
      return genus.letters.length &+ 1 &+ rest.length
    }
    let letters = letters(of: words, view)
    return mayMatch(letters, limit, needsPrefix: needsPrefix) ? letters.length : nil
  }

  /// The letters of a name.
  @inline(__always)
  mutating func letters(of words: NameView.Words, _ view: borrowing PackView) -> NameLetters {
    guard words.count > 2 else {
      if words.count == 2, genus.first != words.first {
        genus = NameStart(words.first, -1, view.names.vocabulary)
      }
      return letters(of: words, from: 0, NameLetters(), view)
    }
    let second = view.names.word(1, of: words)
    if words.first != start.first || second != start.second {
      start = NameStart(words.first, second, view.names.vocabulary)
    }
    return letters(of: words, from: 2, start.letters, view)
  }

  /// `letters` and those of the words of a name from the one number `first` on.
  @inline(__always)
  private func letters(
    of words: NameView.Words, from first: Int, _ letters: NameLetters, _ view: borrowing PackView
  ) -> NameLetters {
    var letters = letters
    var index = first
    while index < words.count {
      letters.add(view.names.vocabulary.letters(of: view.names.word(index, of: words)))
      index &+= 1
    }
    letters.addSpaces()
    return letters
  }

  /// Whether the letters of a name do not rule it out.
  @inline(__always)
  func mayMatch(_ letters: NameLetters, _ limit: Int, needsPrefix: Bool) -> Bool {
    guard isCut else {
      return letters.mayBe(queryLetters, within: limit, needsPrefix: needsPrefix)
    }
    if queryLetters.exceeds(letters.set, by: limit)
      || !needsPrefix && letters.set.exceeds(queryLetters, by: limit)
    {
      return false
    }
    // A word as long as lengths are counted may be longer.
    let count = text.scalars.count
    return (needsPrefix || letters.length <= count &+ limit)
      && (letters.set.isLong || letters.length &+ limit >= count)
  }

  // MARK: - Distances

  /// Holds the word of `genus` against the query.
  private mutating func measureGenus(_ limit: Int, _ view: borrowing PackView) {
    setEndLetters()
    let automaton = EditAutomaton(count: masks.count, distance: limit)
    let state = automaton.step(
      automaton.start, word: genus.first, view.names.vocabulary, masks)
    genus.set(automaton.step(state, masks.mask(0x20)), limit: limit, endLetters)
  }

  /// Holds the words of `start` against the query.
  private mutating func measureStart(_ limit: Int, _ view: borrowing PackView) {
    setEndLetters()
    let automaton = EditAutomaton(count: masks.count, distance: limit)
    var state = automaton.start
    if genus.first == start.first, genus.limit == limit {
      state = genus.state
    } else {
      state = automaton.step(state, word: start.first, view.names.vocabulary, masks)
      state = automaton.step(state, masks.mask(0x20))
    }
    state = automaton.step(state, word: start.second, view.names.vocabulary, masks)
    start.set(automaton.step(state, masks.mask(0x20)), limit: limit, endLetters)
  }

  private mutating func setEndLetters() {
    guard endLetters.isEmpty else { return }
    for _ in 0...text.scalars.count { endLetters.append(LetterSet(rawValue: 0)) }
    for position in text.scalars.indices.reversed() {
      endLetters[position] = endLetters[position &+ 1].inserting(text.scalars[position])
    }
  }

  /// The distances between the query and a name, and between it and a beginning of the name.
  private mutating func measure(
    _ name: NameOrdinal, _ words: NameView.Words, _ limit: Int, needsPrefix: Bool,
    _ view: borrowing PackView
  ) -> EditDistance.Result {
    guard !isCut else {
      nameBytes.removeAll(keepingCapacity: true)
      view.names.appendFolded(name, to: &nameBytes)
      nameScalars.removeAll(keepingCapacity: true)
      appendScalars(of: nameBytes, to: &nameScalars)
      return editDistance.between(
        text.scalars, text.scalars.indices, nameScalars, limit: limit, needsPrefix: needsPrefix)
    }
    let automaton = EditAutomaton(count: masks.count, distance: limit)
    var state = automaton.start
    var index = 0
    if words.count > 2 {
      if start.limit != limit { measureStart(limit, view) }
      state = start.state
      index = 2
    } else if words.count > 1 {
      if genus.limit != limit { measureGenus(limit, view) }
      state = genus.state
      index = 1
    }
    while index < words.count {
      let word = view.names.word(index, of: words)
      state = automaton.step(state, word: word, view.names.vocabulary, masks)
      index &+= 1
      if index < words.count { state = automaton.step(state, masks.mask(0x20)) }
    }
    return EditDistance.Result(whole: state.distance(at: masks.count), prefix: state.reached)
  }
}

extension EditAutomaton {
  /// The state after a word of the vocabulary.
  @inline(__always)
  func step(
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
