@testable import STOLPack
import TestSupport
import Testing

/// The banded table, letter sets and the assignment of words against brute force.
struct EditDistanceTests {
  @Test func allShortTexts() {
    var mismatches = Mismatches()
    var distance = EditDistance()
    let texts = Misspelling.allTexts(of: ["a", "b", "c"], upTo: 5)
      .map { $0.unicodeScalars.map(\.value) }
    for a in texts where (1...4).contains(a.count) {
      for b in texts { Self.check(a, b, &distance, &mismatches) }
    }
    let first = mismatches.first
    #expect(first == nil)
  }

  @Test(arguments: TestSeeds.first(100))
  func randomTextsOfAnyLength(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    var distance = EditDistance()
    for _ in 0..<20 {
      let source = RandomWords(&generator)
      var a: [UInt32] = []
      let length = Int.random(in: 1...150, using: &generator)
      while a.count < length { a += source.word(&generator) }
      a = Array(a.prefix(length))
      var b = source.edited(a, 5, &generator)
      if Bool.random(using: &generator) { b += source.word(&generator) }
      Self.check(a, b, &distance, &mismatches)
      if !b.isEmpty { Self.check(b, a, &distance, &mismatches) }
      Self.check(a, source.word(&generator), &distance, &mismatches)
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  private static func check(
    _ pattern: [UInt32], _ text: [UInt32], _ distance: inout EditDistance,
    _ mismatches: inout Mismatches
  ) {
    let exact = StringAlignment.distances(from: pattern, toPrefixesOf: text)
    let scalars = [7, 8] + pattern + [9]
    for limit in 0...3 {
      func limited(_ value: Int?) -> UInt8 {
        let value = value ?? 0
        return value <= limit ? UInt8(value) : EditAutomaton.tooMany
      }
      let range = 2..<2 + pattern.count
      let whole = distance.between(scalars, range, text, limit: limit)
      mismatches.compare(whole.whole, limited(exact.last), "\(pattern) - \(text), \(limit)")
      let both = distance.between(scalars, range, text, limit: limit, needsPrefix: true)
      mismatches.compare(
        both, EditDistance.Result(whole: limited(exact.last), prefix: limited(exact.min())),
        "\(pattern) - \(text), \(limit) with prefix")
    }
  }

  // MARK: - Letter sets

  @Test(arguments: TestSeeds.first(100))
  func lettersRuleOutNoWordWithinTheLimit(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    for _ in 0..<50 {
      let source = RandomWords(&generator)
      let a = source.word(&generator)
      let b = source.edited(a, 3, &generator)
      let distance = StringAlignment.distance(a, b)
      let (one, other) = (LetterSet(a), LetterSet(b))
      mismatches.compare(one.length, min(a.count, 63), "\(a)")
      for limit in distance...max(distance, 3) where limit <= 3 {
        mismatches.require(
          !one.exceeds(other, by: limit) && !other.exceeds(one, by: limit)
            && abs(one.length - other.length) <= limit, "\(a) \(b) \(limit)")
      }
      // What is ruled out is so for a reason.
      let bits = (VocabularyModel.letters(a), VocabularyModel.letters(b))
      let missing = (bits.0 & ~bits.1 & (1 << 26 - 1)).nonzeroBitCount
      for limit in 0...3 {
        mismatches.compare(one.exceeds(other, by: limit), missing > limit, "\(a) \(b) \(limit)")
      }
      var union = one
      union.formUnion(other)
      mismatches.compare(union.rawValue << 6, LetterSet(a + b).rawValue << 6, "\(a) and \(b)")
      mismatches.compare(union.length, max(one.length, other.length), "\(a) and \(b)")
      union.insertSpace()
      mismatches.compare(union.rawValue << 6, LetterSet(a + [32] + b).rawValue << 6, "\(a), \(b)")
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  // MARK: - Assignment

  @Test(arguments: TestSeeds.first(100))
  func wordsAreAssignedAsTheRecursionDoes(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    var assignment = WordAssignment()
    var text = QueryText()
    for _ in 0..<10 {
      let source = RandomWords(&generator)
      let name = (0..<Int.random(in: 0...5, using: &generator)).map { _ in source.word(&generator) }
      let count = Int.random(in: 1...5, using: &generator)
      let query = (0..<count).map { _ in
        let word = name.randomElement(using: &generator) ?? source.word(&generator)
        let part = Bool.random(using: &generator) ? Array(word.prefix(5)) : word
        let edited = source.edited(part, 1, &generator)
        return edited.isEmpty ? [0x61] : edited
      }
      let bytes = RandomWords.utf8(MatchOracle.joined(query))
      text.set(bytes.span)
      text.splitScalars()
      // What folds to something else says nothing here.
      guard text.bytes == bytes else { continue }
      assignment.setQuery(text)
      for limit in 0...3 {
        for lastIsPrefix in [false, true] {
          let costs = query.enumerated().map { index, word in
            name.map {
              lastIsPrefix && index == count - 1
                ? StringAlignment.distance(word, toPrefixOf: $0)
                : StringAlignment.distance(word, $0)
            }
          }
          let expected = MatchOracle.leastSum(costs[...], Set(name.indices), budget: limit)
          let got = assignment.cost(
            RandomWords.utf8(MatchOracle.joined(name)), limit: limit, lastIsPrefix: lastIsPrefix)
          mismatches.compare(
            got, expected ?? WordAssignment.far, "\(query) in \(name), \(limit) \(lastIsPrefix)")
        }
      }
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }
}
