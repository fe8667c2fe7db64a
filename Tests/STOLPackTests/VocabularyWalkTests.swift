@testable import STOLPack
import TestSupport
import Testing

/// Walks over a vocabulary against a look at every word.
struct VocabularyWalkTests {
  /// A vocabulary, patterns to ask it, and how far they are from each word.
  private struct Case {
    var model: VocabularyModel
    var patterns: [[UInt32]]

    init(_ generator: inout SeededGenerator) {
      let source = RandomWords(&generator)
      let count = [5, 60, 300].randomElement(using: &generator) ?? 60
      let words = source.words(count, &generator)
      model = VocabularyModel(words.map(RandomWords.string))
      patterns = (0..<6).map { _ in
        let word = words.randomElement(using: &generator) ?? []
        return Array(source.edited(word, 4, &generator).prefix(80))
      }
      patterns.append(source.word(&generator))
      patterns.append(Array(words[0].prefix(3)))
      patterns.removeAll(where: \.isEmpty)
    }
  }

  private static func goal(
    _ automaton: EditAutomaton, _ limit: Int, findsPrefixes: Bool = false
  ) -> VocabularyWalk.Goal {
    VocabularyWalk.Goal(
      automaton: automaton, wholeCount: automaton.count, firstCount: automaton.count,
      findsPrefixes: findsPrefixes, findsContinuations: false, spaces: nil,
      limit: (word: limit, continued: 0))
  }

  @Test(arguments: TestSeeds.first(100))
  func walksFindWhatAScanFinds(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    let this = Case(&generator)
    let words = this.model.scalars
    let vocabulary = Vocabulary(
      this.model.bytes.rawSpan, directory: this.model.directory, count: words.count)
    var walk = VocabularyWalk()
    var masks = LetterMasks()
    for pattern in this.patterns where pattern.count <= LetterMasks.maximumCount {
      for limit in 0...3 {
        let exact = words.map { StringAlignment.distances(from: pattern, toPrefixesOf: $0) }
        let wholes = exact.map { min($0.last ?? 0, limit + 1) }
        let prefixes = exact.map { min($0.min() ?? 0, limit + 1) }
        let what = "\(pattern) k=\(limit)"
        let automaton = EditAutomaton(count: pattern.count, distance: limit)
        masks.set(pattern, pattern.indices)
        walk.walk(vocabulary, Self.goal(automaton, limit), masks)
        mismatches.compare(Self.wholes(walk, words.count, limit), wholes, what)
        walk.walk(vocabulary, Self.goal(automaton, limit, findsPrefixes: true), masks)
        mismatches.compare(Self.wholes(walk, words.count, limit), wholes, "\(what) with prefixes")
        mismatches.compare(Self.prefixes(walk, words.count, limit), prefixes, "\(what) prefixes")
        mismatches.require(
          walk.found.allSatisfy { $0.words.count == 1 || $0.whole == EditAutomaton.tooMany },
          "\(what): several words that end at once")
        masks.set(pattern, pattern.indices, isReversed: true)
        walk.walkBackwards(vocabulary, Self.goal(automaton, limit), masks)
        mismatches.compare(Self.wholes(walk, words.count, limit), wholes, "\(what) backwards")
        guard limit > 0, limit < 3 else { continue }
        // The two halves of a split budget.
        let cut = Int.random(in: 0...pattern.count, using: &generator)
        let tail = pattern.count - cut
        walk.walkBackwards(
          vocabulary,
          Self.goal(
            EditAutomaton(count: pattern.count, from: (tail, limit > 1 ? tail : nil, nil)), limit),
          masks)
        masks.set(pattern, pattern.indices)
        walk.walk(
          vocabulary,
          Self.goal(
            EditAutomaton(
              count: pattern.count, from: limit == 1 ? (cut, nil, nil) : (0, cut, nil)), limit),
          masks, keepsFound: true)
        mismatches.compare(
          Self.wholes(walk, words.count, limit), wholes, "\(what) cut at \(cut)")
      }
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  /// A pattern that is too long for the automaton is cut, and nothing may be missed.
  @Test(arguments: TestSeeds.first(40))
  func walksForCutPatternsMissNothing(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    let letters: [UInt32] = [0x61, 0x62, 0x44F]
    let long = (0..<90).map { _ in letters.randomElement(using: &generator) ?? 0x61 }
    var source = RandomWords(&generator)
    while source.longest < 30 { source = RandomWords(&generator) }
    let words = VocabularyModel(
      (0..<60).map { _ in
        RandomWords.string(
          source.edited(
            Array(long.prefix(Int.random(in: 55...90, using: &generator))), 3, &generator))
      })
    let scalars = words.scalars
    let vocabulary = Vocabulary(
      words.bytes.rawSpan, directory: words.directory, count: scalars.count)
    var walk = VocabularyWalk()
    var masks = LetterMasks()
    for length in 60...80 {
      let pattern = source.edited(Array(long.prefix(length)), 2, &generator)
      guard pattern.count > LetterMasks.maximumCount else { continue }
      masks.set(pattern, pattern.indices)
      for limit in 0...3 {
        var goal = Self.goal(EditAutomaton(count: masks.count, distance: limit), limit)
        goal.findsPrefixes = true
        goal.limit = nil
        walk.walk(vocabulary, goal, masks)
        walk.trustNothing()
        let found = Set(walk.found.flatMap(\.words))
        for (number, word) in scalars.enumerated()
        where StringAlignment.distance(pattern, toPrefixOf: word) <= limit {
          mismatches.require(found.contains(number), "\(pattern) k=\(limit) \(word)")
        }
      }
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  /// A word behind which a pattern of several words goes on is found, and said to be one.
  @Test(arguments: TestSeeds.first(40))
  func walksFindWordsThatAPatternGoesOnBehind(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    let source = RandomWords(&generator)
    let model = VocabularyModel(source.words(120, &generator).map(RandomWords.string))
    let words = model.scalars
    let vocabulary = Vocabulary(
      model.bytes.rawSpan, directory: model.directory, count: words.count)
    var walk = VocabularyWalk()
    var masks = LetterMasks()
    for round in 0..<12 {
      var pattern = words.randomElement(using: &generator) ?? []
      if round % 3 > 0 { pattern.append(0x20) }
      pattern += words.randomElement(using: &generator) ?? []
      pattern = Array(source.edited(pattern, 2, &generator).prefix(LetterMasks.maximumCount))
      guard !pattern.isEmpty else { continue }
      masks.set(pattern, pattern.indices)
      let hasSpace = pattern.contains(0x20)
      for limit in 1...3 {
        var goal = Self.goal(EditAutomaton(count: pattern.count, distance: limit), limit)
        goal.findsContinuations = true
        goal.limit = (word: limit, continued: hasSpace ? limit : limit - 1)
        walk.walk(vocabulary, goal, masks)
        let continued = Set(walk.found.filter(\.continues).flatMap(\.words))
        let starts = (0..<3).map { $0 < limit ? Optional(0) : nil }
        for (number, word) in words.enumerated() {
          let model = AlignmentModel(
            pattern, word + [0x20], from: (starts[0], starts[1], starts[2]))
          let goesOn = (0...pattern.count).contains {
            model.distance(at: $0, after: word.count + 1) <= limit
          }
          mismatches.require(
            !goesOn || continued.contains(number), "\(pattern) k=\(limit) behind \(word)")
        }
      }
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  /// The distance of each word, as the walk has it.
  private static func wholes(
    _ walk: borrowing VocabularyWalk, _ count: Int, _ limit: Int
  ) -> [Int] {
    distances(walk.found.map { ($0.words, $0.whole) }, count, limit)
  }

  /// The distance of the nearest beginning of each word.
  private static func prefixes(
    _ walk: borrowing VocabularyWalk, _ count: Int, _ limit: Int
  ) -> [Int] {
    distances(walk.found.map { ($0.words, $0.reached) }, count, limit)
  }

  private static func distances(
    _ found: [(words: Range<Int>, distance: UInt8)], _ count: Int, _ limit: Int
  ) -> [Int] {
    var result = [Int](repeating: limit + 1, count: count)
    for (words, distance) in found {
      for word in words { result[word] = min(result[word], Int(distance)) }
    }
    return result
  }
}
