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
    /// The distance between the word and the first letters of the pattern that were asked for.
    var whole: UInt8
    /// The same for the letters of the first word of the pattern.
    var first: UInt8
    /// The least distance between the pattern and a beginning of the word.
    var reached: UInt8
    /// Whether the pattern may go on after the word and a space.
    var continues: Bool
  }

  /// What to look for.
  struct Goal {
    var automaton: EditAutomaton
    /// How many letters of the pattern `Found.whole` speaks of.
    var wholeCount: Int
    /// How many letters of the pattern `Found.first` speaks of.
    var firstCount: Int
    /// Whether words that begin like the pattern are wanted.
    var findsPrefixes: Bool
    /// Whether words are wanted behind which the pattern may go on.
    var findsContinuations = true
    /// What may follow a word: the automaton that takes the space behind it.
    var spaces: EditAutomaton?
    /// The most edits that a word may take, or nil where the letters of a word are not to be looked
    /// at; and the most that one may take behind which the pattern goes on.
    var limit: (word: Int, continued: Int)?

    /// Whether a word with these letters may be found.
    @inline(__always)
    func allows(_ word: LetterSet, _ masks: borrowing LetterMasks) -> Bool {
      guard let limit else { return true }
      if findsContinuations, isNearBeginning(word, masks, limit.continued) { return true }
      let pattern = masks.letters[masks.count]
      if pattern.exceeds(word, by: limit.word) || word.length &+ limit.word < pattern.length {
        return false
      }
      return findsPrefixes
        || word.length <= pattern.length &+ limit.word && !word.exceeds(pattern, by: limit.word)
    }

    /// Whether a word may be within `limit` of a beginning of the pattern, which is then about as
    /// long as the word.
    @inline(__always)
    private func isNearBeginning(
      _ word: LetterSet, _ masks: borrowing LetterMasks, _ limit: Int
    ) -> Bool {
      guard word.length <= masks.count &+ limit else { return false }
      let most = masks.letters[min(word.length &+ limit, masks.count)]
      let least = masks.letters[max(0, word.length &- limit)]
      return !word.exceeds(most, by: limit) && !least.exceeds(word, by: limit)
    }
  }

  private(set) var found: [Found] = []
  private var states: [EditState] = []
  /// How many more nodes and words may be visited; a sound pack never needs them all.
  private var remaining = 0

  /// Forgets what was found.
  mutating func removeAll() { found.removeAll(keepingCapacity: true) }

  /// Adds words that were found without a walk.
  mutating func add(_ words: Range<Int>, _ distance: UInt8 = 0) {
    found.append(
      Found(
        words: words, whole: distance, first: distance, reached: distance, continues: false))
  }

  /// Makes candidates of all words found, as a pattern that was cut short does.
  mutating func trustNothing() {
    for index in found.indices {
      found[index].whole = 0
      found[index].reached = 0
    }
  }

  /// Looks for words from their first letters on.
  mutating func walk(
    _ vocabulary: borrowing Vocabulary, _ goal: Goal, _ masks: borrowing LetterMasks,
    keepsFound: Bool = false
  ) {
    if !keepsFound { removeAll() }
    start(vocabulary, goal)
    descend(
      vocabulary.trie.root, depth: 0, Walker(vocabulary: vocabulary, goal: goal), masks)
  }

  /// Looks for words from their last letters on; `masks` are those of the reversed pattern.
  mutating func walkBackwards(
    _ vocabulary: borrowing Vocabulary, _ goal: Goal, _ masks: borrowing LetterMasks,
    keepsFound: Bool = false
  ) {
    if !keepsFound { removeAll() }
    start(vocabulary, goal)
    descendBackwards(
      vocabulary.reversedTrie.root, depth: 0, Walker(vocabulary: vocabulary, goal: goal), masks)
  }

  private struct Walker: ~Escapable {
    let vocabulary: Vocabulary
    let goal: Goal

    @_lifetime(copy vocabulary)
    init(vocabulary: borrowing Vocabulary, goal: Goal) {
      self.vocabulary = copy vocabulary
      self.goal = goal
    }
  }

  private mutating func start(_ vocabulary: borrowing Vocabulary, _ goal: Goal) {
    let nodeCount = max(vocabulary.trie.nodeCount, vocabulary.reversedTrie.nodeCount)
    remaining = 2 &* (vocabulary.count &+ (Layout.wordsPerBlock &+ 1) &* nodeCount)
    if states.isEmpty { states = [EditState](repeating: EditState(), count: 64) }
    states[0] = goal.automaton.start
  }

  private mutating func descend(
    _ node: WordTrie.Node, depth: Int, _ walker: borrowing Walker, _ masks: borrowing LetterMasks
  ) {
    let siblings = walker.vocabulary.trie.children(of: node.index)
    if siblings.isEmpty {
      return scan(node.words, walker, masks)
    }
    remaining &-= siblings.count
    guard remaining > 0, depth < Layout.trieMaximumDepth else { return }
    let first = walker.vocabulary.trie.words(of: siblings.lowerBound, siblings, below: node.words)
    if first.lowerBound > node.words.lowerBound {
      note(node.words.lowerBound, states[depth], walker, masks)
    }
    let state = states[depth]
    let isForced =
      state.reached == EditAutomaton.tooMany && walker.goal.automaton.isForced(state)
    let wanted = state.all
    for child in siblings {
      let byte = walker.vocabulary.trie.byte(child)
      if isForced, byte < 0x80 {
        let mask = masks.mask(UInt32(byte))
        if wanted & (mask | mask &>> 1) == 0 { continue }
      }
      let next = walker.goal.automaton.step(state, byte: byte, masks)
      if next.isDead, next.reached == EditAutomaton.tooMany { continue }
      let words = walker.vocabulary.trie.words(of: child, siblings, below: node.words)
      if next.isDead {
        if walker.goal.findsPrefixes { noteAll(words, next) }
        continue
      }
      states[depth &+ 1] = next
      descend(WordTrie.Node(index: child, words: words), depth: depth &+ 1, walker, masks)
    }
  }

  /// Reads the words of a leaf.
  private mutating func scan(
    _ words: Range<Int>, _ walker: borrowing Walker, _ masks: borrowing LetterMasks
  ) {
    let size = Layout.wordsPerBlock
    remaining &-= words.count &+ size
    guard remaining > 0, !words.isEmpty else { return }
    var number = words.lowerBound
    while number < words.upperBound {
      while !walker.goal.allows(walker.vocabulary.letters(of: number), masks) {
        number &+= 1
        if number == words.upperBound { return }
      }
      var cursor = walker.vocabulary.cursor(at: number)
      // The states along the first word of the block, up to where they die.
      var known = 0
      while known < cursor.headCount, !states[known].isDead {
        if known &+ 1 == states.count { growStates() }
        states[known &+ 1] = walker.goal.automaton.step(
          states[known], byte: cursor.headByte(known), masks)
        known &+= 1
      }
      let end = min(words.upperBound, (number / size &+ 1) &* size)
      while true {
        guard walker.goal.allows(walker.vocabulary.letters(of: number), masks) else {
          number &+= 1
          if number == end { break }
          cursor.advance()
          continue
        }
        var state = states[min(cursor.shared, known)]
        if cursor.shared <= known, !state.isDead {
          var index = cursor.shared
          while index < cursor.count {
            state = walker.goal.automaton.step(state, byte: cursor.byte(index), masks)
            if state.isDead { break }
            index &+= 1
          }
        }
        if !state.isDead {
          note(number, state, walker, masks)
        } else if walker.goal.findsPrefixes, state.reached != EditAutomaton.tooMany {
          noteAll(number..<number &+ 1, state)
        }
        number &+= 1
        if number == end { break }
        cursor.advance()
      }
    }
  }

  private mutating func growStates() {
    states.append(contentsOf: repeatElement(EditState(), count: states.count))
  }

  /// Notes a word whose letters lead to `state`.
  @inline(__always)
  private mutating func note(
    _ number: Int, _ state: EditState, _ walker: borrowing Walker, _ masks: borrowing LetterMasks
  ) {
    let whole = state.distance(at: walker.goal.wholeCount)
    let reached = walker.goal.findsPrefixes ? state.reached : EditAutomaton.tooMany
    let first = state.distance(at: walker.goal.firstCount)
    let spaces = walker.goal.spaces ?? walker.goal.automaton
    let continues =
      walker.goal.findsContinuations && !spaces.step(state, masks.mask(0x20)).isDead
    guard continues || min(whole, first, reached) != EditAutomaton.tooMany else { return }
    found.append(
      Found(
        words: number..<number &+ 1, whole: whole, first: first, reached: reached,
        continues: continues))
  }

  private mutating func noteAll(_ words: Range<Int>, _ state: EditState) {
    found.append(
      Found(
        words: words, whole: EditAutomaton.tooMany, first: EditAutomaton.tooMany,
        reached: state.reached, continues: false))
  }

  private mutating func descendBackwards(
    _ node: WordTrie.Node, depth: Int, _ walker: borrowing Walker, _ masks: borrowing LetterMasks
  ) {
    let siblings = walker.vocabulary.reversedTrie.children(of: node.index)
    remaining &-= siblings.isEmpty ? node.words.count : siblings.count
    guard remaining > 0, depth <= Layout.trieMaximumDepth else { return }
    if siblings.isEmpty {
      for place in node.words { matchBackwards(place, depth: depth, walker, masks) }
      return
    }
    let first = walker.vocabulary.reversedTrie.words(
      of: siblings.lowerBound, siblings, below: node.words)
    if first.lowerBound > node.words.lowerBound {
      matchBackwards(node.words.lowerBound, depth: depth, walker, masks)
    }
    let state = states[depth]
    let isForced = walker.goal.automaton.isForced(state)
    let wanted = state.all
    for child in siblings {
      let byte = walker.vocabulary.reversedTrie.byte(child)
      if isForced, byte < 0x80 {
        let mask = masks.mask(UInt32(byte))
        if wanted & (mask | mask &>> 1) == 0 { continue }
      }
      let next = walker.goal.automaton.stepBackwards(state, byte: byte, masks)
      if next.isDead { continue }
      states[depth &+ 1] = next
      let words = walker.vocabulary.reversedTrie.words(of: child, siblings, below: node.words)
      descendBackwards(WordTrie.Node(index: child, words: words), depth: depth &+ 1, walker, masks)
    }
  }

  /// Matches the rest of a word, before its last `depth` bytes.
  private mutating func matchBackwards(
    _ place: Int, depth: Int, _ walker: borrowing Walker, _ masks: borrowing LetterMasks
  ) {
    let number = walker.vocabulary.reversedOrder[place]
    guard walker.goal.allows(walker.vocabulary.letters(of: number), masks) else { return }
    let cursor = walker.vocabulary.cursor(at: number)
    var state = states[depth]
    var index = cursor.count &- depth
    while index > 0 {
      index &-= 1
      state = walker.goal.automaton.stepBackwards(state, byte: cursor.byte(index), masks)
      if state.isDead { return }
    }
    note(number, state, walker, masks)
  }
}
