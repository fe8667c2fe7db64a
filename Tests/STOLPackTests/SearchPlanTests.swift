import TestSupport
import Testing

@testable import STOLPack

/// Every plan against every way to misspell queries of different letters.
struct SearchPlanTests {
  /// A query and where it may be cut.
  private struct Query {
    let words: [[UInt32]]
    let pattern: Probe.Pattern
    var text: [UInt32] { MatchOracle.joined(words) }

    /// `rareEnd` is what depends on a vocabulary.
    init(_ lengths: [Int], rareEnd: Int = 0, isPart: Bool = false) {
      var letters = "aeiosrnltucmpdhg".unicodeScalars.map(\.value)[...]
      words = lengths.map { length in
        defer { letters.removeFirst(length) }
        return Array(letters.prefix(length))
      }
      let count = lengths.reduce(lengths.count - 1, +)
      pattern = Probe.Pattern(
        letters: 0..<count, firstWordCount: lengths[0], hasMoreWords: lengths.count > 1,
        isPart: isPart, lastSpace: count - lengths[lengths.count - 1] - 1, rareEnd: rareEnd)
    }
  }

  /// Queries for a plan: short words, the first of them long enough for a space in its first half.
  private static func queries(for plan: SearchPlan, isPart: Bool = false) -> [Query] {
    var shapes: [[Int]] = plan.edits < 3 ? [[1], [2], [3], [4], [6]] : [[1], [2], [4], [5]]
    if plan.edits < 3 {
      shapes += (1...4).flatMap { one in (1...4).map { [one, $0] } }
      shapes += [[6, 1], [5, 2], [1, 1, 1], [2, 1, 2], [5, 1, 1]]
    } else {
      shapes += [[1, 1], [2, 2], [4, 1], [1, 4], [3, 2], [1, 1, 1]]
    }
    shapes.removeAll { shape in
      // A query as short as the distance is like the beginning of every name.
      !plan.wordCounts.contains(shape.count) || isPart && shape.count > 1
        || plan.target != .names && shape.reduce(shape.count - 1, +) <= plan.edits
    }
    return shapes.flatMap { shape in
      let usesRareEnd = plan.probes.contains { $0.budgets.contains { $0.cut == .rareEnd } }
      let cuts = usesRareEnd ? Array(1...shape[0]) : [0]
      return cuts.map { Query(shape, rareEnd: $0, isPart: isPart) }
    }
  }

  /// All texts within some edits of a text, letters and spaces put in and replaced.
  private static func misspelt(_ text: [UInt32], _ edits: Int) -> [[UInt32]] {
    let added: [UInt32] = [0x79, 0x20]
    var texts: Set<[UInt32]> = [text]
    var last = texts
    for _ in 0..<edits {
      var next: Set<[UInt32]> = []
      for text in last {
        for place in 0...text.count {
          let rest = min(1, text.count - place)
          for count in 0...rest {
            var shorter = text
            shorter.removeSubrange(place..<place + count)
            next.insert(shorter)
            for letter in added {
              var changed = shorter
              changed.insert(letter, at: place)
              next.insert(changed)
            }
          }
          guard rest > 0, place + 1 < text.count else { continue }
          var swapped = text
          swapped.swapAt(place, place + 1)
          next.insert(swapped)
        }
      }
      last = next.subtracting(texts)
      texts.formUnion(next)
    }
    return Array(texts)
  }

  private static func words(_ text: [UInt32]) -> [[UInt32]] {
    text.split(separator: 0x20).map(Array.init)
  }

  /// The state of a word as a walk has it, or nil where the walk passes it by.
  private static func found(
    _ word: [UInt32], _ probe: Probe, _ plan: SearchPlan, _ query: Query
  ) -> VocabularyWalk.Found? {
    let goal = VocabularyWalk.Goal(probe, query.pattern, findsPrefixes: plan.target != .names)
    let letters = goal.needsMoreWords ? query.words[0] : query.text
    var masks = LetterMasks()
    masks.set(letters, letters.indices, isReversed: goal.isReversed)
    guard LetterFilter(goal, masks).allows(LetterSet(word), masks) else { return nil }
    var state = goal.automaton.start
    for letter in goal.isReversed ? word.reversed() : word where !state.isDead {
      state = goal.automaton.step(state, masks.mask(letter))
    }
    return goal.found(0, state, masks)
  }

  /// How far a name is by a probe, or nil where it does not find it; 0 where it will be measured.
  private static func distance(
    _ name: [[UInt32]], _ probe: Probe, _ plan: SearchPlan, _ query: Query
  ) -> Int? {
    let tooMany = EditAutomaton.tooMany
    switch probe.anchor {
    case .anyWord:
      let last = query.words[query.words.count - 1]
      let isFound = (name.count > 1 ? name[1...] : name[...]).contains {
        plan.target == .names ? $0 == last : $0.starts(with: last)
      }
      return isFound ? 0 : nil
    case .endOfName:
      guard let found = found(name[name.count - 1], probe, plan, query) else { return nil }
      return (name.count > 1 ? found.continues : found.whole < tooMany) ? 0 : nil
    case .startOfName, .endOfFirstWord:
      guard let found = found(name[0], probe, plan, query) else { return nil }
      if name.count > 1, found.continues { return 0 }
      if name.count == 1, found.whole < tooMany { return Int(found.whole) }
      return found.reached < tooMany ? Int(found.reached) : nil
    }
  }

  /// The first name that a plan loses, or says to be farther away than it is.
  private static func loss(_ plan: SearchPlan, _ query: Query) -> String? {
    let endings = plan.target == .names ? [""] : ["", "y", "yd", " y", "y d"]
    for text in misspelt(query.text, plan.edits) {
      for ending in endings {
        let name = words(text + ending.unicodeScalars.map(\.value))
        guard !name.isEmpty else { continue }
        let distances = StringAlignment.distances(
          from: query.text, toPrefixesOf: MatchOracle.joined(name))
        let whole = distances[distances.count - 1]
        let nearest =
          plan.target == .names || whole <= plan.edits ? whole : distances.min() ?? whole
        guard nearest <= plan.edits else { continue }
        let found = plan.probes.compactMap { distance(name, $0, plan, query) }.min()
        if found ?? .max > nearest {
          return "\(name.map(RandomWords.string)) of \(RandomWords.string(query.text)), "
            + "\(plan.target) within \(plan.edits)"
        }
      }
    }
    return nil
  }

  @Test(arguments: SearchPlan.table.indices)
  func everyPlanMissesNothing(row: Int) {
    let plan = SearchPlan.table[row]
    let queries = Self.queries(for: plan)
    let losses = queries.compactMap { Self.loss(plan, $0) }
    #expect(!queries.isEmpty && losses.isEmpty)
  }

  /// A test that no plan could fail would prove nothing.
  @Test(arguments: SearchPlan.table.indices)
  func everyProbeIsNeeded(row: Int) {
    let plan = SearchPlan.table[row]
    for left in plan.probes.indices {
      var probes = plan.probes
      probes.remove(at: left)
      let broken = SearchPlan(
        plan.target, plan.wordCounts, plan.edits, near: plan.nearEdits, probes)
      let isBroken = Self.queries(for: plan).contains { Self.loss(broken, $0) != nil }
      #expect(isBroken, "without probe \(left)")
    }
  }

  /// Words that are like the first one of the query are found on the way.
  @Test(arguments: SearchPlan.table.indices)
  func everyPlanFindsTheWordsNearTheFirst(row: Int) {
    let plan = SearchPlan.table[row]
    var mismatches = Mismatches()
    for query in Self.queries(for: plan) {
      for word in Self.misspelt(query.words[0], plan.nearEdits)
      where !word.isEmpty && !word.contains(0x20) {
        let distance = StringAlignment.distance(query.words[0], word)
        guard distance <= plan.nearEdits else { continue }
        let found = plan.probes.filter { $0.anchor != .anyWord }
          .compactMap { Self.found(word, $0, plan, query)?.first }.min()
        mismatches.compare(found.map(Int.init), distance, "\(word) near \(query.words)")
      }
    }
    let first = mismatches.first
    #expect(first == nil)
  }

  /// Plans for queries of one word find words wherever they stand.
  @Test(arguments: SearchPlan.table.indices)
  func everyPlanForOneWordFindsWords(row: Int) {
    let plan = SearchPlan.table[row]
    var mismatches = Mismatches()
    for query in Self.queries(for: plan, isPart: true) {
      for text in Self.misspelt(query.text, plan.edits) where !text.contains(0x20) {
        for word in plan.target == .names ? [text] : [text, text + [0x79, 0x64]] {
          let distances = StringAlignment.distances(from: query.text, toPrefixesOf: word)
          let distance = plan.target == .names ? distances[word.count] : distances.min() ?? 9
          guard !word.isEmpty, distance <= plan.edits else { continue }
          let found = plan.probes.compactMap { Self.found(word, $0, plan, query) }
            .map { Int(plan.target == .names ? $0.whole : $0.reached) }.min()
          mismatches.compare(found, distance, "\(word) like \(query.words)")
        }
      }
    }
    let first = mismatches.first
    #expect(first == nil)
  }

  @Test(arguments: [SearchPlan.Target.names, .beginnings, .rareBeginnings])
  func everyQueryHasAPlan(target: SearchPlan.Target) {
    for edits in 1...3 {
      for wordCount in target == .rareBeginnings ? 2...256 : 1...256 {
        let plan = SearchPlan.plan(for: target, wordCount: wordCount, edits: edits)
        #expect(
          plan.target == target && plan.edits == edits && plan.wordCounts.contains(wordCount))
      }
    }
  }
}
