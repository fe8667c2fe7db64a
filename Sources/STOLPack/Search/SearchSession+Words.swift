/// Names with the words of a query, as they are or in another form.
extension SearchSession {
  enum Matching {
    /// Names that hold all words.
    case wholeWords
    /// Names that hold all words, the last one as the beginning of a word.
    case prefix
    /// Names that hold the words next to each other.
    case quoted
  }

  /// Offers the names of the classes up to `allWords`.
  mutating func matchWords(_ matching: Matching, _ query: SearchQuery, _ view: borrowing PackView) {
    findWords(matching, query, view)
    let last = text.wordCount - 1
    if last == 0, matching == .prefix { return matchOnlyWord(query, view) }
    if last > 0, query.words == .anyForm, query.mode != .contains, matching != .quoted {
      offerJoinedNames(query, view)
    }
    // The names are read from the rarest lists.
    var rarest = last
    var least = Int.max
    for index in 0...last {
      guard !formRanges[index].isEmpty || index == last && !lastWords.isEmpty else { return }
      if index == last, !isWhole(lastWords) { continue }
      let count = nameCount(ofWord: index, view)
      if count < least { (rarest, least) = (index, count) }
    }
    for position in formRanges[rarest] {
      let word = forms[position].word
      matchNames(with: word..<word + 1, matching, query, view)
    }
    if rarest == last, !isWhole(lastWords) { matchNames(with: lastWords, matching, query, view) }
  }

  /// Fills `wordNumbers`, `lastWords` and the forms of each word.
  private mutating func findWords(
    _ matching: Matching, _ query: SearchQuery, _ view: borrowing PackView
  ) {
    let last = text.wordCount - 1
    wordNumbers.removeAll(keepingCapacity: true)
    forms.removeAll(keepingCapacity: true)
    formRanges.removeAll(keepingCapacity: true)
    for index in 0...last {
      let word = view.names.vocabulary.find(text.word(index))
      let first = forms.count
      if let word { forms.append(WordForm(word: word, inflections: WordForm.everywhere)) }
      if query.words == .anyForm, query.mode != .contains, matching != .quoted {
        appendForms(ofWord: index, from: first, view)
      }
      wordNumbers.append(word)
      formRanges.append(first..<forms.count)
    }
    lastWords = 0..<0
    if matching == .prefix {
      lastWords = view.names.vocabulary.words(withPrefix: text.word(last))
    } else if let word = wordNumbers[last] {
      lastWords = word..<word + 1
    }
  }

  /// Appends the other forms of a word of the query that the vocabulary has; its own are those from `first` on.
  private mutating func appendForms(
    ofWord index: Int, from first: Int, _ view: borrowing PackView
  ) {
    let range = text.wordBytes[index]
    guard range.count >= WordForms.leastCount else { return }
    candidate.removeAll(keepingCapacity: true)
    candidate.append(contentsOf: text.bytes[range])
    candidate.append(UInt8(ascii: ","))
    appendForm(from: first, WordForm.everywhere, endsPart: true, view)
    let inflections = view.names.grammar.inflections
    for inflection in Grammar.Inflection.allCases {
      let bit: UInt16 = 1 << UInt16(inflection.rawValue)
      guard inflections & bit > 0 else { continue }
      stem.removeAll(keepingCapacity: true)
      stem.append(contentsOf: text.bytes[range])
      WordForms.stem(&stem, inflection)
      for number in 0..<WordForms.candidateCount(ofStem: stem, inflection) {
        WordForms.makeCandidate(number, ofStem: stem, inflection, &candidate)
        guard candidate.count >= WordForms.leastCount else { continue }
        otherStem.removeAll(keepingCapacity: true)
        otherStem.append(contentsOf: candidate)
        WordForms.stem(&otherStem, inflection)
        guard otherStem == stem else { continue }
        appendForm(from: first, bit, endsPart: false, view)
        candidate.append(UInt8(ascii: ","))
        appendForm(from: first, bit, endsPart: true, view)
      }
    }
  }

  /// Notes `candidate` among the forms from `first` on, if it is a word.
  private mutating func appendForm(
    from first: Int, _ inflections: UInt16, endsPart: Bool, _ view: borrowing PackView
  ) {
    guard let word = view.names.vocabulary.find(candidate.span) else { return }
    for position in first..<forms.count where forms[position].word == word {
      return forms[position].inflections |= inflections
    }
    forms.append(WordForm(word: word, inflections: inflections, endsPart: endsPart))
  }

  /// About how many names hold a word of the query in any form.
  private func nameCount(ofWord index: Int, _ view: borrowing PackView) -> Int {
    var count = 0
    for position in formRanges[index] { count &+= view.nameCount(of: forms[position].word) }
    return count
  }

  /// Whether the words that begin with the last one of the query are no more than that.
  private func isWhole(_ words: Range<Int>) -> Bool {
    words.isEmpty || words.count == 1 && words.lowerBound == wordNumbers[wordNumbers.count - 1]
  }

  /// Takes the stored completions of the query, if it has any: one name a taxon, in the order of hits.
  mutating func completeFromStore(_ query: SearchQuery, _ view: borrowing PackView) -> Bool {
    guard usesStoredCompletions, query.words == .asTyped, query.preferredLanguages.isEmpty,
      query.limit <= Layout.completionCount + (isOneFewerEnough ? 1 : 0),
      query.mode == .auto || query.mode == .prefix,
      text.wordCount == 1, !text.isQuoted, query.filter.isEmpty
    else { return false }
    let (node, below) = view.names.vocabulary.completed(by: text.word(0))
    guard let rows = storedRows(node, below, view) else { return false }
    let whole: Int?
    if let below {
      lastWords = below.words
      whole = below.isWhole ? below.words.lowerBound : nil
    } else {
      lastWords = node.words
      whole = view.names.vocabulary.find(text.word(0))
    }
    wordNumbers.removeAll(keepingCapacity: true)
    wordNumbers.append(whole)
    forms.removeAll(keepingCapacity: true)
    if let whole { forms.append(WordForm(word: whole, inflections: WordForm.everywhere)) }
    formRanges.removeAll(keepingCapacity: true)
    formRanges.append(forms.indices)
    for row in rows.prefix(query.limit) {
      let name = view.completions[row]
      guard name.index < view.names.count,
        let matchClass = wordClass(of: name, .prefix, query, view)
      else { continue }
      let taxon = view.names.taxon(of: name)
      let firstKey = HitKey.first(matchClass, distance: 0)
      addHit(taxon, name, key(of: name, taxon, matchClass, firstKey, query, view))
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

  // MARK: - One word

  /// Offers names that hold the only word of the query, then names that begin so, then names in which another
  /// word does.
  private mutating func matchOnlyWord(_ query: SearchQuery, _ view: borrowing PackView) {
    let whole = wordNumbers[0]
    if let whole, text.isBarelyBegun(query) {
      view.forEachName(beginningWith: whole..<whole + 1, in: query.filter.clade) { name, words in
        offer(name, words.count > 1 ? .namePrefix : .exactName, 0, query, view)
      }
    } else {
      for position in formRanges[0] {
        let form = forms[position]
        view.forEachName(with: form.word..<form.word + 1, in: query.filter.clade) { name in
          offerWhole(name, form, query, view)
        }
      }
    }
    if list.isComplete(through: .wholeWords, distance: 0, view) { return }
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

  /// Offers a name that holds a form of the only word of the query.
  private mutating func offerWhole(
    _ name: NameOrdinal, _ form: WordForm, _ query: SearchQuery, _ view: borrowing PackView
  ) {
    guard form.inflections & view.inflections(of: name) > 0 else { return }
    let ends = view.names.ends(name)
    if ends.count == 1 {
      return offer(name, form.word == wordNumbers[0] ? .exactName : .exactForm, 0, query, view)
    }
    // What comes too late with its head comes too late without.
    let taxon = view.names.taxon(of: name)
    guard HitKey.first(.headWord, distance: 0) | view.leadingKey(taxon) <= list.bound else {
      return
    }
    let isHead = form.endsPart || view.isHead(form.word, of: name, &nameWords)
    offer(name, isHead ? .headWord : .wholeWords, 0, query, view)
  }

  /// Calls `body` with those of the words that begin with the only word of the query that may have
  /// one of the best names.
  private mutating func forEachPromisingLastWords(
    _ matchClass: MatchClass, _ query: SearchQuery, _ view: borrowing PackView,
    _ body: (inout SearchSession, Range<Int>) -> Void
  ) {
    let node = view.names.vocabulary.node(of: text.word(0))?.index
    let firstKey = HitKey.first(matchClass, distance: 0)
    forEachPromisingWords(in: lastWords, below: node, firstKey, view, body)
  }

  // MARK: - Several words

  private mutating func matchNames(
    with words: Range<Int>, _ matching: Matching, _ query: SearchQuery, _ view: borrowing PackView
  ) {
    view.forEachName(with: words, in: query.filter.clade) { name in
      guard let matchClass = wordClass(of: name, matching, query, view) else { return }
      offer(name, matchClass, 0, query, view)
    }
  }

  /// The class of a name up to `allWords`, or nil.
  private mutating func wordClass(
    of name: NameOrdinal, _ matching: Matching, _ query: SearchQuery, _ view: borrowing PackView
  ) -> MatchClass? {
    nameWords.removeAll(keepingCapacity: true)
    view.names.forEachWord(of: name) { nameWords.append($0) }
    let last = wordNumbers.count - 1
    guard nameWords.count > last else { return nil }
    let begins = stands(at: 0)
    if begins, nameWords.count == last + 1, nameWords[last] == wordNumbers[last],
      !(matching == .quoted && hasNameInQuotes)
    {
      return .exactName
    }
    if matching == .quoted { return quotedClass(of: name, view) }
    if matching == .prefix, text.isBarelyBegun(query) {
      if begins { return .namePrefix }
      return nameWords.contains { lastWords.contains($0) } ? .allWords : nil
    }
    let inflections = view.inflections(of: name)
    if nameWords.count == last + 1,
      nameWords.indices.allSatisfy({ isForm(nameWords[$0], ofWord: $0, inflections) })
    {
      return .exactForm
    }
    let hasHead = nameWords.indices.contains { position in
      guard let form = firstForm(nameWords[position], inflections) else { return false }
      return form.endsPart || view.isHead(position, of: nameWords, name)
    }
    for index in 0..<last {
      guard let position = position(ofWord: index, inflections) else { return nil }
      nameWords[position] = -1
    }
    if position(ofWord: last, inflections) != nil { return hasHead ? .headWord : .wholeWords }
    if begins { return .namePrefix }
    return matching == .prefix && nameWords.contains { lastWords.contains($0) } ? .allWords : nil
  }

  /// The class of a name that holds the words of the query next to each other, or nil.
  private mutating func quotedClass(of name: NameOrdinal, _ view: borrowing PackView) -> MatchClass?
  {
    let last = wordNumbers.count - 1
    let isThere = (0..<nameWords.count - last).contains { stands(at: $0) }
    guard isThere else { return nil }
    let hasHead = nameWords.indices.contains { position in
      wordNumbers.contains(nameWords[position]) && view.isHead(position, of: nameWords, name)
    }
    return hasHead ? .headWord : .wholeWords
  }

  /// Where a word of the query stands in `nameWords`: as it is, else in its first other form.
  private func position(ofWord index: Int, _ inflections: UInt16) -> Int? {
    nameWords.firstIndex { $0 == wordNumbers[index] }
      ?? nameWords.firstIndex { isForm($0, ofWord: index, inflections) }
  }

  /// Whether a word of a name is a form of a word of the query.
  private func isForm(_ word: Int, ofWord index: Int, _ inflections: UInt16) -> Bool {
    for position in formRanges[index]
    where forms[position].word == word && forms[position].inflections & inflections > 0 {
      return true
    }
    return false
  }

  /// What a word of a name is a form of.
  private func firstForm(_ word: Int, _ inflections: UInt16) -> WordForm? {
    for form in forms where form.word == word && form.inflections & inflections > 0 { return form }
    return nil
  }

  /// Whether the words of the query stand in the name from `position` on.
  private func stands(at position: Int) -> Bool {
    let last = wordNumbers.count - 1
    for index in 0..<last where nameWords[position + index] != wordNumbers[index] { return false }
    return lastWords.contains(nameWords[position + last])
  }

  // MARK: - Several names

  /// Offers taxa of which each word of the query is in some name, the last one perhaps as a beginning; of their
  /// names those that hold one of the words.
  ///
  /// - Complexity: O(n) for n names of the taxa that have a name with the rarest word.
  mutating func matchAcrossNames(_ query: SearchQuery, _ view: borrowing PackView) {
    let last = wordNumbers.count - 1
    guard last > 0, last < UInt64.bitWidth, !text.isQuoted else { return }
    var rarest: Int?
    var least = Int.max
    for index in 0...last where index < last || isWhole(lastWords) {
      guard !formRanges[index].isEmpty else { return }
      let count = nameCount(ofWord: index, view)
      if count < least { (rarest, least) = (index, count) }
    }
    guard let rarest else { return }
    var before: TaxonOrdinal?
    for position in formRanges[rarest] {
      let word = forms[position].word
      view.forEachName(with: word..<word + 1, in: query.filter.clade) { name in
        let taxon = view.names.taxon(of: name)
        if taxon != before { offerAcrossNames(of: taxon, query, view) }
        before = taxon
      }
    }
  }

  /// Offers the names of a taxon that hold a word of the query, if they hold all of them together.
  private mutating func offerAcrossNames(
    of taxon: TaxonOrdinal, _ query: SearchQuery, _ view: borrowing PackView
  ) {
    let further = view.names.furtherNames(of: taxon)
    var found = wordsFound(in: NameOrdinal(taxon.index), view)
    for name in further { found |= wordsFound(in: name, view) }
    guard found == 1 &<< UInt64(wordNumbers.count) &- 1 else { return }
    if wordsFound(in: NameOrdinal(taxon.index), view) > 0 {
      offer(NameOrdinal(taxon.index), .acrossNames, 0, query, view)
    }
    for name in further where wordsFound(in: name, view) > 0 {
      offer(name, .acrossNames, 0, query, view)
    }
  }

  /// The words of the query that a name holds, the last one perhaps as a beginning; as bits.
  private func wordsFound(in name: NameOrdinal, _ view: borrowing PackView) -> UInt64 {
    let inflections = view.inflections(of: name)
    let last = wordNumbers.count - 1
    var found: UInt64 = 0
    view.names.forEachWord(of: name) { word in
      for index in 0...last
      where isForm(word, ofWord: index, inflections) || index == last && lastWords.contains(word) {
        found |= 1 &<< UInt64(index)
      }
    }
    return found
  }
}
