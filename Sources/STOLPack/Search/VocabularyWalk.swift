/// Finds the words of a vocabulary that a pattern may stand for, give or take a few edits.
///
/// A depth-first walk over the trie carries the states of an edit automaton along and turns back
/// where they die; the words of a leaf are read from their front code, so that what two neighbours
/// share is matched once. The reversed trie is walked in the same way from the ends of the words.
struct VocabularyWalk {
  /// Words that the walk has found.
  struct Found {
    /// Words of the vocabulary; more than one only where all begin with what `reached` tells of.
    var words: Range<Int>
    /// The node of the trie whose words they are, if they are all of one.
    var node: Int?
    /// The distance between the word and the pattern.
    var whole: UInt8
    /// The distance between the word and the first word of the query, where it was asked for.
    var first: UInt8
    /// The least distance between the pattern and a beginning of the word.
    var reached: UInt8
    /// Whether more words of a name may follow.
    var continues: Bool
  }

  /// What to look for.
  struct Goal {
    var automaton = EditAutomaton(count: 0, distance: 0)
    /// What may follow a word: the automaton that takes the space behind it, or nil for nothing.
    var spaces: EditAutomaton?
    /// Whether words are read from their last letters on.
    var isReversed = false
    /// Whether any words may follow one that is like the pattern.
    var needsMoreWords = false
    /// Whether words that begin like the pattern are wanted.
    var findsPrefixes = false
    /// How many letters of the pattern `Found.first` speaks of, or more than there are.
    var firstCount = LetterMasks.maximumCount + 1
    /// The most edits of a word, or nil where the letters of a word are not to be looked at.
    var wordEdits: Int?
    /// The most edits of a word behind which the pattern goes on.
    var continuedEdits = 0

    /// What there is to say of a word whose letters lead to `state`, if it is to be found.
    @inline(__always)
    func found(_ word: Int, _ state: EditState, _ masks: borrowing LetterMasks) -> Found? {
      let tooMany = EditAutomaton.tooMany
      var whole = state.distance(at: masks.count)
      let first = state.distance(at: firstCount)
      let reached = findsPrefixes ? state.reached : tooMany
      var continues = false
      if needsMoreWords {
        continues = whole < tooMany
        whole = tooMany
      } else if let spaces {
        continues = !spaces.step(state, masks.mask(0x20)).isDead
      }
      guard continues || min(whole, first, reached) < tooMany else { return nil }
      return Found(
        words: word..<word &+ 1, whole: whole, first: first, reached: reached, continues: continues)
    }
  }

  private(set) var found: [Found] = []
  private var goal = Goal()
  private var masks = LetterMasks()
  private var filter = LetterFilter()
  /// Nodes still to be visited, `top` of them.
  private var stack: [Step] = []
  private var top = 0
  /// How many more nodes and words may be visited; a sound pack never needs them all.
  private var remaining = 0

  /// A node on the way and the state of its letters.
  private struct Step {
    var node: WordTrie.Node
    var depth: Int
    var state: EditState
  }

  /// Forgets what was found but for the first `count` of it.
  mutating func removeAll(but count: Int = 0) { found.removeLast(found.count - count) }

  /// Gives the memory of a huge walk back.
  mutating func forgetHugeBuffers() {
    if found.capacity > SearchSession.hugeCount { found = [] }
    if stack.count > SearchSession.hugeCount { stack = [] }
  }

  /// Adds words that were found without a walk.
  mutating func add(_ words: Range<Int>) {
    found.append(
      Found(
        words: words, whole: 0, first: EditAutomaton.tooMany, reached: 0, continues: false))
  }

  /// Adds words that another walk has found.
  mutating func add(_ words: [Found]) { found.append(contentsOf: words) }

  /// Looks for words like a pattern of `scalars`, and adds them to what was found.
  mutating func find(
    _ goal: Goal, _ pattern: Range<Int>, of scalars: [UInt32], in vocabulary: borrowing Vocabulary
  ) {
    self.goal = goal
    self.masks.set(scalars, pattern, isReversed: goal.isReversed)
    let masks = masks
    filter = LetterFilter(goal, masks)
    if goal.isReversed {
      walk(vocabulary.reversedTrie, from: goal.automaton.start, vocabulary, masks)
    } else {
      walk(vocabulary.trie, from: goal.automaton.start, vocabulary, masks)
    }
  }

  /// Replaces those of the words found last, by a goal read from the end, that `isPassed` says, by the words that may
  /// stand before them.
  mutating func findBefore(in vocabulary: borrowing Vocabulary, _ isPassed: (Int) -> Bool) {
    var start = EditState()
    for index in found.indices.reversed() {
      let word = found[index].words.lowerBound
      guard isPassed(word) else { continue }
      var state = goal.automaton.start
      let cursor = vocabulary.cursor(at: word)
      for byte in (0..<cursor.count).reversed() {
        state = goal.automaton.stepBackwards(state, byte: cursor.byte(byte), masks)
      }
      start.formUnion(goal.automaton.step(state, masks.mask(0x20)))
      found.remove(at: index)
    }
    if !start.isDead { walk(vocabulary.reversedTrie, from: start, vocabulary, masks) }
  }

  private mutating func walk(
    _ trie: borrowing WordTrie, from start: EditState, _ vocabulary: borrowing Vocabulary,
    _ masks: borrowing LetterMasks
  ) {
    remaining = 2 &* (vocabulary.count &+ trie.nodeCount)
    top = 0
    enter(trie.root, depth: 0, start, vocabulary, masks)
    while top > 0, remaining > 0 {
      top &-= 1
      visit(stack[top], trie, vocabulary, masks)
    }
  }

  /// Reads the words of a leaf at once, and leaves another node for later.
  @inline(__always)
  private mutating func enter(
    _ node: WordTrie.Node, depth: Int, _ state: EditState, _ vocabulary: borrowing Vocabulary,
    _ masks: borrowing LetterMasks
  ) {
    guard !node.children.isEmpty else {
      return read(node.words, depth: depth, state, vocabulary, masks)
    }
    guard depth < Layout.trieMaximumDepth else { return }
    let step = Step(node: node, depth: depth, state: state)
    if top < stack.count { stack[top] = step } else { stack.append(step) }
    top &+= 1
  }

  private mutating func visit(
    _ step: Step, _ trie: borrowing WordTrie, _ vocabulary: borrowing Vocabulary,
    _ masks: borrowing LetterMasks
  ) {
    let node = step.node
    remaining &-= node.children.count
    if let position = trie.ending(at: node) {
      read(position..<position &+ 1, depth: step.depth, step.state, vocabulary, masks)
    }
    // Once the pattern has been reached, words that begin so need no further letter.
    guard masks.isASCII, !goal.findsPrefixes || step.state.reached == EditAutomaton.tooMany,
      goal.automaton.isForced(step.state)
    else {
      for child in node.children { visit(child, step, trie, vocabulary, masks) }
      return
    }
    // Only the next two letters of some beginning lead on.
    var positions = masks.positions(after: step.state.all)
    while positions != 0 {
      let letter = masks.letter(positions.trailingZeroBitCount)
      positions &= ~masks.mask(UInt32(letter))
      if let child = trie.index(of: letter, below: node) {
        visit(child, step, trie, vocabulary, masks)
      }
    }
  }

  @inline(__always)
  private mutating func visit(
    _ child: Int, _ step: Step, _ trie: borrowing WordTrie, _ vocabulary: borrowing Vocabulary,
    _ masks: borrowing LetterMasks
  ) {
    let record = trie.record(child)
    let byte = trie.byte(record)
    let next =
      goal.isReversed
      ? goal.automaton.stepBackwards(step.state, byte: byte, masks)
      : goal.automaton.step(step.state, byte: byte, masks)
    let isDead = next.isDead
    if isDead, !goal.findsPrefixes || next.reached == EditAutomaton.tooMany { return }
    let node = trie.node(child, record, trie.record(child &+ 1), below: step.node)
    if isDead { return noteAll(node, next, vocabulary) }
    enter(node, depth: step.depth &+ 1, next, vocabulary, masks)
  }

  /// Reads words of which the first `depth` bytes, or the last, have led to `start`.
  private mutating func read(
    _ positions: Range<Int>, depth: Int, _ start: EditState, _ vocabulary: borrowing Vocabulary,
    _ masks: borrowing LetterMasks
  ) {
    remaining &-= positions.count
    var position = positions.lowerBound
    while position < positions.upperBound {
      let number = goal.isReversed ? vocabulary.reversedOrder[position] : position
      position &+= 1
      if !goal.isReversed, filter.rejects(vocabulary.letters(ofFourFrom: number)) {
        position &+= 3
        continue
      }
      guard filter.allows(vocabulary.letters(of: number), masks) else { continue }
      let cursor = vocabulary.cursor(at: number)
      var state = start
      if goal.isReversed {
        var index = cursor.count &- depth
        while index > 0, !state.isDead {
          index &-= 1
          state = goal.automaton.stepBackwards(state, byte: cursor.byte(index), masks)
        }
      } else {
        var index = depth
        while index < cursor.count, !state.isDead {
          state = goal.automaton.step(state, byte: cursor.byte(index), masks)
          index &+= 1
        }
      }
      if !state.isDead {
        note(number, state, masks)
      } else if goal.findsPrefixes, state.reached != EditAutomaton.tooMany {
        noteAll(number..<number &+ 1, nil, state)
      }
    }
  }

  /// Notes a word whose letters lead to `state`.
  private mutating func note(
    _ number: Int, _ state: EditState, _ masks: borrowing LetterMasks
  ) {
    if let word = goal.found(number, state, masks) { found.append(word) }
  }

  /// Notes all words of a node, whose letters lead to `state`.
  private mutating func noteAll(
    _ node: WordTrie.Node, _ state: EditState, _ vocabulary: borrowing Vocabulary
  ) {
    guard goal.isReversed else { return noteAll(node.words, node.index, state) }
    // In the order of their ends.
    for position in node.words {
      let number = vocabulary.reversedOrder[position]
      noteAll(number..<number &+ 1, nil, state)
    }
  }

  private mutating func noteAll(_ words: Range<Int>, _ node: Int?, _ state: EditState) {
    found.append(
      Found(
        words: words, node: node, whole: EditAutomaton.tooMany, first: EditAutomaton.tooMany,
        reached: state.reached, continues: false))
  }
}

/// Tells by their letters which words need not be read.
struct LetterFilter {
  private var pattern = LetterSet(rawValue: 0)
  /// More than the longest word where the letters are not to be looked at.
  private var wordLimit = Int.max
  /// Less than 0 where nothing follows a word.
  private var continuedLimit = -1
  private var findsPrefixes = false

  init() {}

  init(_ goal: VocabularyWalk.Goal, _ masks: borrowing LetterMasks) {
    guard let limit = goal.wordEdits else { return }
    pattern = masks.letters[masks.count]
    wordLimit = limit
    if goal.spaces != nil { continuedLimit = goal.continuedEdits }
    findsPrefixes = goal.findsPrefixes
  }

  /// Whether none of four words may be found; it is not said of zeros.
  @inline(__always)
  func rejects(_ words: SIMD4<UInt32>) -> Bool {
    if wordLimit > 2 || words.w == 0 { return false }
    let four = SIMD4<UInt32>(repeating: pattern.rawValue)
    let extra = (words & ~four) & LetterSet.bits
    let missing = (four & ~words) & LetterSet.bits
    func dropped(_ bits: SIMD4<UInt32>, _ count: Int) -> SIMD4<UInt32> {
      let one = bits & (bits &- 1)
      return count > 1 ? one & (one &- 1) : one
    }
    var rest = dropped(missing, wordLimit)
    if !findsPrefixes { rest |= dropped(extra, wordLimit) }
    var allowed = rest .== 0
    if continuedLimit >= 0 {
      allowed .|= (continuedLimit > 0 ? dropped(extra, continuedLimit) : extra) .== 0
    }
    return !any(allowed)
  }

  /// Whether a word with these letters may be found.
  @inline(__always)
  func allows(_ word: LetterSet, _ masks: borrowing LetterMasks) -> Bool {
    if wordLimit == Int.max { return true }
    if word.length &+ wordLimit >= pattern.length, !pattern.exceeds(word, by: wordLimit),
      findsPrefixes
        || word.length <= pattern.length &+ wordLimit && !word.exceeds(pattern, by: wordLimit)
    {
      return true
    }
    return continuedLimit >= 0 && !word.exceeds(pattern, by: continuedLimit)
      && isNearBeginning(word, masks)
  }

  /// Whether a word may be within the limit of a beginning of the pattern, which is then about as
  /// long as the word.
  private func isNearBeginning(_ word: LetterSet, _ masks: borrowing LetterMasks) -> Bool {
    guard word.length <= masks.count &+ continuedLimit else { return false }
    let most = masks.letters[min(word.length &+ continuedLimit, masks.count)]
    let least = masks.letters[max(0, word.length &- continuedLimit)]
    return !word.exceeds(most, by: continuedLimit) && !least.exceeds(word, by: continuedLimit)
  }
}
