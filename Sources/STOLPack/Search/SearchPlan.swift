/// How names like a query are looked for: by probes, each of which finds some of them and which
/// together miss none.
///
/// A search scheme (Kucherov, Salikhov and Tsur 2014): the edits between a query and a name lie
/// somewhere along the query, and wherever they lie, some probe allows for them there. What probes
/// find is measured, so that a net cast too wide costs time and no wrong hit.
struct SearchPlan: Sendable {
  /// What a plan finds.
  enum Target: Sendable {
    /// Names within the edits of the query.
    case names
    /// These and names that begin so.
    case beginnings
    /// The same, where few names have a word that begins with the last one of the query.
    case rareBeginnings
  }

  let target: Target
  /// How many words the queries have.
  let wordCounts: ClosedRange<Int>
  /// The most edits between query and name.
  let edits: Int
  /// All words within so many edits of the first word of the query are found on the way.
  let nearEdits: Int
  let probes: [Probe]

  /// All plans; the comments tell why nothing is missed.
  static let table = [
    // Of k edits either few lie before a cut or few behind it.
    SearchPlan(
      .names, oneWord, 1, near: 1, [.end(1, [.none(.rareEnd)]), .start(1, [.none(.rareEnd)])]),
    SearchPlan(
      .names, oneWord, 2, near: 2, [.end(2, [.none(.rareEnd)]), .start(2, [.one(.rareEnd)])]),
    SearchPlan(.names, oneWord, 3, near: 3, [.end(3, [.one(.half)]), .start(3, [.one(.half)])]),
    SearchPlan(.names, moreWords, 1, near: 0, [.lastWord, .start(1, [.none(.lastSpace)])]),
    // Let A and B be the halves of the first word, B going on up to the last space, and T that space
    // and the last word. A is exact; or B is, and T has an edit that leaves its space alone; or T is.
    // A space put into A while T has an edit is left to the first probe.
    SearchPlan(
      .names, moreWords, 2, near: 1,
      [
        .start(2, [.none(.half), .one(.lastSpace)], atSpaces: [.one(.lastSpace)]),
        .firstWord(1, [.none(.half)]), .end(2, [.none(.lastSpace), .one(.half)]),
      ]),
    SearchPlan(
      .names, moreWords, 3, near: 1, [.start(3, [.one(.lastSpace)]), .end(3, [.one(.lastSpace)])]),
    // Where T is exact, the name has a word that begins with the last one.
    SearchPlan(
      .rareBeginnings, moreWords, 1, near: 0, [.lastWord, .start(1, [.none(.lastSpace)])]),
    SearchPlan(.rareBeginnings, moreWords, 2, near: 1, [.lastWord, .start(2, [.one(.lastSpace)])]),
    SearchPlan(.rareBeginnings, moreWords, 3, near: 2, [.lastWord, .start(3, [.two(.lastSpace)])]),
    // There is no end to start from.
    SearchPlan(.beginnings, anyWords, 1, near: 1, [.start(1)]),
    SearchPlan(.beginnings, anyWords, 2, near: 2, [.start(2)]),
    SearchPlan(.beginnings, anyWords, 3, near: 3, [.start(3)]),
  ]

  private static let oneWord = 1...1
  private static let moreWords = 2...Int.max
  private static let anyWords = 1...Int.max

  init(
    _ target: Target, _ wordCounts: ClosedRange<Int>, _ edits: Int, near: Int, _ probes: [Probe]
  ) {
    self.target = target
    self.wordCounts = wordCounts
    self.edits = edits
    nearEdits = near
    self.probes = probes
  }

  /// The plan for a query of `wordCount` words.
  static func plan(for target: Target, wordCount: Int, edits: Int) -> SearchPlan {
    for plan in table
    where plan.target == target && plan.edits == edits && plan.wordCounts.contains(wordCount) {
      return plan
    }
    return table[table.count - 1]
  }
}

/// One step of a plan: which words may stand at one position of a name.
struct Probe: Sendable {
  /// Which word of a name the pattern is held against.
  enum Anchor: Sendable {
    /// The first word, read from its first letter on; the pattern is the whole query.
    case startOfName
    /// The last word, read from its last letter on; the pattern is the whole query.
    case endOfName
    /// The first word of several, read from its last letter on; the pattern is the first word.
    case endOfFirstWord
    /// Any word, but for the genus of a species; the pattern is the last word, as it is.
    case anyWord
  }

  /// A position in a pattern.
  enum Cut: Sendable {
    /// Behind the first half of the first word.
    case half
    /// Before the last space.
    case lastSpace
    /// Before the shortest end, a third of the pattern or more, that few words share.
    case rareEnd
  }

  /// At most so many edits before a cut, or behind it where the pattern is read from its end.
  struct Budget: Sendable {
    let edits: Int
    let cut: Cut

    static func none(_ cut: Cut) -> Budget { Budget(edits: 0, cut: cut) }
    static func one(_ cut: Cut) -> Budget { Budget(edits: 1, cut: cut) }
    static func two(_ cut: Cut) -> Budget { Budget(edits: 2, cut: cut) }
  }

  let anchor: Anchor
  /// The most edits.
  let edits: Int
  let budgets: [Budget]
  /// The budgets that the space behind a word is held to, and what follows it.
  let spaceBudgets: [Budget]

  init(_ anchor: Anchor, _ edits: Int, _ budgets: [Budget], atSpaces: [Budget]? = nil) {
    self.anchor = anchor
    self.edits = edits
    self.budgets = budgets
    spaceBudgets = atSpaces ?? budgets
  }

  static func start(
    _ edits: Int, _ budgets: [Budget] = [], atSpaces: [Budget]? = nil
  ) -> Probe {
    Probe(.startOfName, edits, budgets, atSpaces: atSpaces)
  }

  static func end(_ edits: Int, _ budgets: [Budget]) -> Probe { Probe(.endOfName, edits, budgets) }

  static func firstWord(_ edits: Int, _ budgets: [Budget]) -> Probe {
    Probe(.endOfFirstWord, edits, budgets)
  }

  static let lastWord = Probe(.anyWord, 0, [])
}

extension Probe {
  /// What words are held against: the letters of a query or of one of its words, and its cuts.
  struct Pattern {
    var letters: Range<Int>
    var firstWordCount: Int
    var hasMoreWords: Bool
    /// Whether it is only one word of the query, so that nothing is asked of what follows.
    var isPart: Bool
    var lastSpace = 0
    var rareEnd = 0

    /// The number of letters before a cut.
    func position(of cut: Cut) -> Int {
      switch cut {
      case .half: (firstWordCount + 1) / 2
      case .lastSpace: lastSpace
      case .rareEnd: rareEnd
      }
    }
  }
}

extension VocabularyWalk.Goal {
  /// What a probe looks for.
  init(_ probe: Probe, _ pattern: Probe.Pattern, findsPrefixes: Bool) {
    let isReversed = probe.anchor != .startOfName
    needsMoreWords = probe.anchor == .endOfFirstWord
    let letterCount = needsMoreWords ? pattern.firstWordCount : pattern.letters.count
    let count = min(letterCount, LetterMasks.maximumCount)
    func held(to budgets: [Probe.Budget]) -> EditAutomaton {
      var automaton = EditAutomaton(count: count, distance: probe.edits)
      for budget in budgets {
        let position = pattern.position(of: budget.cut)
        automaton.allow(budget.edits, before: isReversed ? letterCount - position : position)
      }
      return automaton
    }
    automaton = held(to: probe.budgets)
    if !pattern.isPart, !needsMoreWords { spaces = held(to: probe.spaceBudgets) }
    self.isReversed = isReversed
    self.findsPrefixes = findsPrefixes
    if needsMoreWords || !isReversed || !pattern.hasMoreWords {
      firstCount = min(pattern.firstWordCount, count)
    }
    if letterCount == count { wordEdits = probe.edits }
    // Where the pattern has no space, the one behind a word takes an edit; where it has and budgets end
    // there, the last edit is made behind it, or swaps it with a neighbour.
    continuedEdits =
      !pattern.hasMoreWords
      ? probe.edits - 1 : probe.budgets.isEmpty ? probe.edits : max(1, probe.edits - 1)
  }
}
