/// Parts of a query, where the other part is a word that very many names have.
///
/// A hundred thousand names begin with "Lepidoptera sp.", and half a million end with "sp.". Of a name
/// that shares such a word with the query, the rest must be like the rest of the query: the distance
/// between two texts is that between what is left of them without an equal beginning or end, and for
/// any beginning of a name it is the least, over the beginnings of the query, of what the two
/// beginnings and the two rests take. So words like those of the rest are looked for, and their names,
/// which are fewer, are measured.
struct RestList {
  /// A part of the query that names may hold, with at most so many edits.
  struct Rest {
    var letters: Range<Int>
    var edits: Int

    /// Whether what is within the edits of `other` is within those of this too.
    func covers(_ other: Rest) -> Bool {
      letters.upperBound == other.letters.upperBound
        && edits >= other.edits + abs(letters.lowerBound - other.letters.lowerBound)
    }
  }

  private(set) var all: [Rest] = []
  /// The words of which every name that is looked for has one.
  private(set) var leads: [Int] = []
  /// The number of names on the lists of `leads`.
  private var leadRowCount = 0
  /// The number of names on the lists of words like those of the rests.
  private var rowCount = 0
  /// The names with one of `leads`, once it is worth while to have them.
  private(set) var blocks = NameBlocks()
  private var hasBlocks = false
  private var folded: [UInt8] = []
  /// The edits that names may have as a whole.
  private(set) var edits = 0
  private(set) var findsPrefixes = false
  private(set) var target = SearchPlan.Target.names

  mutating func start(edits: Int, findsPrefixes: Bool, _ target: SearchPlan.Target) {
    all.removeAll(keepingCapacity: true)
    leads.removeAll(keepingCapacity: true)
    leadRowCount = 0
    rowCount = 0
    hasBlocks = false
    self.edits = edits
    self.findsPrefixes = findsPrefixes
    self.target = target
  }

  mutating func append(_ rest: Rest) { all.append(rest) }

  /// Notes a word whose names are looked for by rests.
  mutating func appendLead(_ word: Int, _ view: borrowing PackView) {
    leads.append(word)
    leadRowCount += view.postings.rows(of: word..<word + 1).count
  }

  /// A name on the list of a lead takes less time than another by so much.
  private static let leadRowsPerName = 256

  /// Has the names of the leads at hand where they are few beside those on further lists of `count`.
  ///
  /// - Returns: whether names are to be asked for.
  mutating func gatherLeads(for count: Int, _ view: borrowing PackView) -> Bool {
    rowCount += count
    if hasBlocks { return true }
    guard rowCount > leadRowCount / Self.leadRowsPerName else { return false }
    hasBlocks = true
    blocks.removeAll(nameCount: view.names.count)
    for word in leads {
      blocks.insert(view.postings.rows(of: word..<word + 1), view)
      // Species are not on the list of their genus.
      folded.removeAll(keepingCapacity: true)
      view.names.vocabulary.append(word, to: &folded)
      let bytes = folded
      let text = FoldedText(folded: bytes.span)
      var rows = view.wholeNames.rows(for: text)
      while let name = view.wholeNames.next(&rows) {
        guard view.names.isScientific(name) else { continue }
        blocks.insert(view.tree.subtree(of: TaxonOrdinal(name.index)))
      }
    }
    return true
  }

  /// Whether `name` may have one of the leads.
  @inline(__always)
  func mayHaveLead(_ name: NameOrdinal) -> Bool { blocks.mayContain(name) }

  /// Whether a list is so long that what lies between the names of the leads is worth to be skipped.
  @inline(__always)
  func skips(_ words: Range<Int>, _ view: borrowing PackView) -> Bool {
    words.count == 1 && view.postings.rows(of: words).count > Self.skippedRowCount
  }

  /// Shorter lists are read as a whole.
  private static let skippedRowCount = 1_000

  /// Forgets all but the first `count`.
  mutating func removeAll(but count: Int) { all.removeLast(all.count - count) }

  /// Whether what is looked for already has all names that `rest` has.
  func covers(_ rest: Rest) -> Bool { all.contains { $0.covers(rest) } }

  /// Whether what is looked for besides the rest number `index` has all names that it has; of two that have the
  /// same the first is looked for.
  func coversAgain(_ index: Int) -> Bool {
    all.indices.contains { other in
      other != index && all[other].covers(all[index])
        && (other < index || !all[index].covers(all[other]))
    }
  }
}

extension SearchSession {
  /// Fewer names are rather read than looked for in another way.
  private static let fewRows = 128
  /// Shorter ends of a query whose last word may go on are not looked for alone.
  private static let leastBeginning = 4
  /// About as many names as are read in the time that it takes to find words within 0 to 3 edits.
  private static let walkCosts = [20, 1_000, 8_000, 60_000]
  /// About how many words are within one edit of one of so many letters.
  private static let nearOnce = [1_000, 1_000, 200, 250, 100, 40, 10]
  /// About how many words are within two edits of one of so many letters.
  private static let nearTwice = [5_000, 5_000, 5_000, 6_000, 4_000, 1_500, 400, 100, 30]

  /// Whether the names that a probe finds by the last word of the query are looked for by the words
  /// before it.
  mutating func leavesOutLastWord(
    _ probe: Probe, _ edits: Int, findsPrefixes: Bool, _ view: borrowing PackView
  ) -> Bool {
    // Only the word as it is has all edits before it.
    guard !isCut, !findsPrefixes, text.wordCount > 1, edits < 3,
      probe.anchor == .anyWord || probe.anchor == .endOfName,
      let word = view.names.vocabulary.find(text.word(text.wordCount - 1))
    else { return false }
    return leavesToRestBeforeLastWord(word, edits, view)
  }

  /// Whether the names with a last word of which the letters behind the last space of the query are the
  /// end, if not all, are looked for by the words before it.
  ///
  /// Where the last space of such a name stands so many letters before that of the query, so many edits
  /// are made behind it, which leaves as many to the letters before it as it has fewer of them.
  mutating func leavesToRestBeforeLastWord(
    _ word: Int, _ edits: Int, _ view: borrowing PackView
  ) -> Bool {
    let rest = RestList.Rest(
      letters: 0..<text.wordScalars[text.wordCount - 1].lowerBound - 1, edits: edits)
    guard view.postings.rows(of: word).count > cost(of: rest, view) else { return false }
    if !rests.covers(rest) { rests.append(rest) }
    rests.appendLead(word, view)
    return true
  }

  /// Whether the names that hold a word that was found, where the letters from `start` on lead to, are
  /// looked for by the words behind it.
  mutating func leavesToRests(
    _ found: VocabularyWalk.Found, after start: Int, before end: Int, _ edits: Int,
    _ view: borrowing PackView
  ) -> Bool {
    let tooMany = EditAutomaton.tooMany
    guard !isCut, found.continues, found.node == nil, found.reached == tooMany else { return false }
    let word = found.words.lowerBound
    let rowCount = view.postings.rows(of: word).count
    guard rowCount > Self.fewRows else { return false }
    let automaton = EditAutomaton(count: masks.count, distance: edits)
    var state = automaton.step(automaton.start(at: start), word: word, view.names.vocabulary, masks)
    // Not where no further word is needed.
    if min(state.reached, state.distance(at: end)) < tooMany { return false }
    state = automaton.step(state, masks.mask(0x20))
    let firstNew = rests.all.count
    var cost = 0
    for level in 0...edits {
      // What begins with the other letter of a swap has that letter more than what is behind the two.
      var positions = state.level(level) | state.swap(afterEdits: level) &<< 2
      while positions != 0 {
        let position = positions.trailingZeroBitCount
        positions &= positions &- 1
        guard position < end else {
          // Nothing is left of the query, but perhaps of the name.
          if position == end, level < edits || rests.findsPrefixes { return forget(firstNew) }
          continue
        }
        let rest = RestList.Rest(letters: position..<end, edits: edits - level)
        // Very many names have a word that begins with a few letters.
        if rests.findsPrefixes, rest.letters.count < Self.leastBeginning { return forget(firstNew) }
        if rests.covers(rest) { continue }
        rests.append(rest)
        cost += self.cost(of: rest, view)
        if cost > rowCount { return forget(firstNew) }
      }
    }
    return true
  }

  private mutating func forget(_ count: Int) -> Bool {
    rests.removeAll(but: count)
    return false
  }

  /// About how many names must be read for a rest, the time of finding words counted as such.
  private func cost(of rest: RestList.Rest, _ view: borrowing PackView) -> Int {
    let vocabulary = view.names.vocabulary
    // Of several words the last one decides, to which the others lead.
    let index = text.wordScalars.lastIndex { $0.lowerBound < rest.letters.upperBound } ?? 0
    let word = text.wordScalars[index].clamped(to: rest.letters)
    let isWhole = word == text.wordScalars[index]
    let isPrefix = rests.findsPrefixes && rest.letters.upperBound == text.scalars.count
    var rowCount = 0
    if isWhole, isPrefix {
      rowCount = view.postings.rows(of: vocabulary.words(withPrefix: text.word(index))).count
    } else if isWhole, let word = vocabulary.find(text.word(index)) {
      rowCount = view.postings.rows(of: word).count
    }
    if rest.edits == 0 { return Self.walkCosts[0] + rowCount }
    if isPrefix {
      // Names hold many of them each.
      let kept = max(0, word.count - rest.edits)
      let near = kept > 5 ? 20 : kept > 4 ? 80 : kept > 3 ? 500 : kept > 2 ? 5_000 : 50_000
      return Self.walkCosts[rest.edits] + rowCount + near * 64
    }
    var near = Self.nearCount(word.count, rest.edits)
    let first = text.wordScalars.first { $0.upperBound > rest.letters.lowerBound } ?? word
    if first.lowerBound < word.lowerBound {
      near += Self.nearCount(first.clamped(to: rest.letters).count, 1)
    }
    return Self.walkCosts[rest.edits] + rowCount + near * Self.listCost
  }

  /// About as many names as are read one after another in the time that the list of a word is looked up in.
  static let listCost = 8

  /// About how many words are within so many edits of one of `count` letters.
  static func nearCount(_ count: Int, _ edits: Int) -> Int {
    let counts = edits == 1 ? nearOnce : nearTwice
    return counts[min(count, counts.count - 1)] * (edits > 2 ? 20 : 1)
  }

  /// Verifies the names that hold words like those of the rests.
  mutating func verifyRests(_ query: SearchQuery, _ view: borrowing PackView) {
    var index = 0
    let foundCount = walk.found.count
    while index < rests.all.count {
      let rest = rests.all[index]
      index += 1
      if rests.coversAgain(index - 1) { continue }
      // The names with the last word as it is are found elsewhere.
      let lastWord = text.wordScalars[text.wordCount - 1]
      let hasLastWord =
        rest.letters.upperBound == lastWord.upperBound
        && rest.letters.lowerBound <= lastWord.lowerBound && text.wordCount > 1
        && rests.target != .beginnings
      if hasLastWord, rest.edits == 0 { continue }
      verify(rest, hasLastWord: hasLastWord, query, view)
      if rest.letters == lastWord, !rests.findsPrefixes {
        likeLast.keep(walk.found[foundCount...], within: rest.edits)
      }
      walk.removeAll(but: foundCount)
    }
  }

  private mutating func verify(
    _ rest: RestList.Rest, hasLastWord: Bool, _ query: SearchQuery, _ view: borrowing PackView
  ) {
    let isLast = rest.letters.upperBound == text.scalars.count
    let findsPrefixes = isLast && rests.findsPrefixes
    let letters = rest.letters
    let firstIndex = text.wordScalars.firstIndex { $0.upperBound > letters.lowerBound } ?? 0
    let lastIndex = text.wordScalars.lastIndex { $0.lowerBound < letters.upperBound } ?? 0
    let firstWord = text.wordScalars[firstIndex]
    let startsWord = firstWord.lowerBound == letters.lowerBound
    let target: SearchPlan.Target = findsPrefixes ? rests.target : .names
    var pattern = Probe.Pattern(
      letters: letters, firstWordCount: firstWord.upperBound - letters.lowerBound,
      hasMoreWords: firstIndex < lastIndex, isPart: false)
    if pattern.hasMoreWords {
      pattern.lastSpace = text.wordScalars[lastIndex].lowerBound - 1 - letters.lowerBound
    } else if startsWord, target == .names {
      pattern.rareEnd = rareEnd(of: firstIndex, view)
    }
    guard rest.edits > 0, startsWord, target != .rareBeginnings || pattern.hasMoreWords else {
      let probe = Probe.start(rest.edits)
      return verify(probe, pattern, target, rest, query, view)
    }
    let plan = SearchPlan.plan(
      for: target, wordCount: lastIndex - firstIndex + 1, edits: rest.edits)
    for probe in plan.probes {
      if pattern.hasMoreWords, probe.anchor == .anyWord || probe.anchor == .endOfName {
        // The last word as it is, or nearly so where three edits are allowed.
        if hasLastWord { continue }
        guard probe.anchor == .anyWord || rest.edits < 3 else {
          verify(probe, pattern, target, rest, query, view)
          continue
        }
        verifyNames(withWord: lastIndex, rest, query, view)
      } else {
        verify(probe, pattern, target, rest, query, view)
      }
    }
  }

  /// Verifies the names that hold a word of the query as it is, which is the last one of a rest.
  private mutating func verifyNames(
    withWord index: Int, _ rest: RestList.Rest, _ query: SearchQuery, _ view: borrowing PackView
  ) {
    guard let word = view.names.vocabulary.find(text.word(index)) else { return }
    let shorter = RestList.Rest(
      letters: rest.letters.lowerBound..<text.wordScalars[index].lowerBound - 1, edits: rest.edits)
    if view.postings.rows(of: word).count > 4 * cost(of: shorter, view) {
      if !rests.covers(shorter) { rests.append(shorter) }
      return
    }
    verifyNames(with: word..<word + 1, rest, isFirst: false, query, view)
  }

  private mutating func verify(
    _ probe: Probe, _ pattern: Probe.Pattern, _ target: SearchPlan.Target, _ rest: RestList.Rest,
    _ query: SearchQuery, _ view: borrowing PackView
  ) {
    let letters =
      probe.anchor == .endOfFirstWord
      ? rest.letters.prefix(pattern.firstWordCount) : rest.letters
    let first = walk.found.count
    walk.find(
      VocabularyWalk.Goal(probe, pattern, findsPrefixes: target != .names), letters,
      of: text.scalars, in: view.names.vocabulary)
    let isFirst = rest.letters.lowerBound == 0 && probe.anchor != .endOfName
    for index in first..<walk.found.count {
      let found = walk.found[index]
      if probe.anchor != .endOfName,
        leavesToRests(
          found, after: rest.letters.lowerBound, before: rest.letters.upperBound, rest.edits, view)
      {
        continue
      }
      let firstKey = HitKey.first(
        .fuzzyPrefix, distance: found.node == nil ? 0 : Int(found.reached))
      forEachPromisingWords(in: found.words, below: found.node, firstKey, view) {
        session, words in
        session.verifyNames(with: words, rest, isFirst: isFirst, query, view)
      }
    }
  }

  /// The letters of a word.
  mutating func folded(_ word: Int, _ view: borrowing PackView) -> [UInt8] {
    wordBytes.removeAll(keepingCapacity: true)
    view.names.vocabulary.append(word, to: &wordBytes)
    return wordBytes
  }

  /// Verifies the names that hold, or begin with, some words.
  private mutating func verifyNames(
    with words: Range<Int>, _ rest: RestList.Rest, isFirst: Bool, _ query: SearchQuery,
    _ view: borrowing PackView
  ) {
    let (edits, findsPrefixes) = (rests.edits, rests.findsPrefixes)
    let asks = rests.gatherLeads(for: view.postings.rows(of: words).count, view)
    if isFirst {
      view.forEachName(beginningWith: words, in: query.filter.clade) { name, words in
        if asks, !rests.mayHaveLead(name) { return }
        verify(name, words, edits, findsPrefixes: findsPrefixes, query, view)
      }
    } else {
      // Names that take their first word from their parent have it nowhere else.
      let needsBinomials = rest.letters.lowerBound == 0
      var cursor = MonotoneColumn.Cursor()
      if asks, rests.skips(words, view) {
        let (blocks, folded) = (rests.blocks, folded(words.lowerBound, view))
        view.forEachName(
          with: words.lowerBound, in: blocks, in: query.filter.clade, binomials: needsBinomials,
          folded
        ) { name in
          guard findsPrefixes || mayBegin(name, edits, view) else { return }
          let words = view.names.words(of: name, from: &cursor)
          verify(name, words, edits, findsPrefixes: findsPrefixes, query, view)
        }
        return
      }
      view.forEachName(with: words, in: query.filter.clade, binomials: needsBinomials) { name in
        if asks, !rests.mayHaveLead(name) { return }
        guard findsPrefixes || mayBegin(name, edits, view) else { return }
        let words = view.names.words(of: name, from: &cursor)
        verify(name, words, edits, findsPrefixes: findsPrefixes, query, view)
      }
    }
  }
}
