@testable import STOLPack
import TestSupport
import Testing

/// The bit-parallel automaton against a table of truths.
struct EditAutomatonTests {
  /// Every schedule of starts up to behind the pattern, in any order.
  private static func schedules(_ count: Int) -> [AlignmentModel.Schedule] {
    let starts: [Int?] = [nil] + (0...count + 1).map { $0 }
    return starts.flatMap { one in
      starts.flatMap { two in starts.map { (one, two, $0) } }
    }
  }

  @Test(arguments: 0...4)
  func everyPatternOfTwoLettersUnderEverySchedule(length: Int) {
    var mismatches = Mismatches()
    let texts = Misspelling.allTexts(of: ["a", "b", "c"], upTo: 5)
      .filter { $0.utf8.count == 5 }.map { $0.unicodeScalars.map(\.value) }
    let patterns = Misspelling.allTexts(of: ["a", "b"], upTo: length)
      .filter { $0.utf8.count == length }.map { $0.unicodeScalars.map(\.value) }
    for pattern in patterns {
      var masks = LetterMasks()
      masks.set(pattern, pattern.indices)
      for from in Self.schedules(length) {
        for text in texts { Self.check(pattern, text, from, masks, &mismatches) }
      }
    }
    let first = mismatches.first
    #expect(first == nil)
  }

  @Test(arguments: TestSeeds.first(200))
  func randomPatternsForwardsAndBackwards(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    for _ in 0..<20 {
      let source = RandomWords(&generator)
      let pattern = Array(source.word(&generator).prefix(LetterMasks.maximumCount))
      let text = source.edited(pattern, 4, &generator)
      let count = pattern.count
      func start() -> Int? {
        Int.random(in: 0..<4, using: &generator) == 0
          ? nil : Int.random(in: -1...count + 1, using: &generator)
      }
      var schedules: [AlignmentModel.Schedule] = [
        (0, 0, 0), (0, 0, nil), (0, nil, nil), (nil, nil, nil), (start(), start(), start()),
      ]
      let cut = Int.random(in: 0...count, using: &generator)
      schedules += [(cut, nil, nil), (0, cut, nil), (cut, cut, nil), (cut / 2, cut, nil)]
      var masks = LetterMasks()
      for from in schedules {
        masks.set(pattern, pattern.indices)
        Self.check(pattern, text, from, masks, &mismatches)
        // Within other scalars, read from the end.
        masks.set([1] + pattern + [2], 1..<count + 1, isReversed: true)
        Self.check(
          pattern.reversed(), text.reversed(), from, masks, isReversed: true, &mismatches)
      }
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  @Test(arguments: 0...3)
  func distanceIsASchedule(distance: Int) {
    var masks = LetterMasks()
    let pattern: [UInt32] = [97, 98, 99]
    masks.set(pattern, pattern.indices)
    let starts = (0..<3).map { $0 < distance ? Optional(0) : nil }
    let one = EditAutomaton(count: 3, distance: distance)
    let other = EditAutomaton(count: 3, from: (starts[0], starts[1], starts[2]))
    var (a, b) = (one.start, other.start)
    for letter in [99, 97, 98, 120, 99] as [UInt32] {
      #expect(a.all == b.all && a.reached == b.reached)
      a = one.step(a, masks.mask(letter))
      b = other.step(b, masks.mask(letter))
    }
  }

  @Test func masksTakeTheFirstLettersOnly() {
    let scalars = (0..<100).map { UInt32($0 % 7 + 0x44F) }
    var masks = LetterMasks()
    for isReversed in [false, true] {
      masks.set(scalars, 10..<90, isReversed: isReversed)
      #expect(masks.count == 62 && masks.letters.count == 63)
      for scalar in UInt32(0x44E)...0x457 {
        let part = isReversed ? Array(scalars[10..<90].reversed()) : Array(scalars[10..<90])
        let expected = (0..<62).reduce(UInt64(0)) { $0 | (part[$1] == scalar ? 1 << $1 : 0) }
        #expect(masks.mask(scalar) == expected)
      }
    }
  }

  /// Compares the state after every letter with the table.
  private static func check(
    _ pattern: [UInt32], _ text: [UInt32], _ from: AlignmentModel.Schedule,
    _ masks: borrowing LetterMasks, isReversed: Bool = false, _ mismatches: inout Mismatches
  ) {
    let model = AlignmentModel(pattern, text, from: from)
    let automaton = EditAutomaton(count: pattern.count, from: from)
    var state = automaton.start
    for read in 0...text.count {
      if read > 0 {
        let mask = masks.mask(text[read - 1])
        let isSkipped =
          automaton.isForced(state) && state.reached == EditAutomaton.tooMany
          && state.all & (mask | mask >> 1) == 0
        let old = state
        let bytes = RandomWords.utf8(CollectionOfOne(text[read - 1]))
        for byte in isReversed ? bytes.reversed() : bytes {
          state =
            isReversed
            ? automaton.stepBackwards(state, byte: byte, masks)
            : automaton.step(state, byte: byte, masks)
        }
        mismatches.require(
          !isSkipped || state.isDead && state.reached == EditAutomaton.tooMany,
          "forced, \(pattern) \(text) \(from) after \(read)")
        mismatches.require(
          !old.isDead || state.isDead, "risen, \(pattern) \(text) \(from) after \(read)")
      }
      let got = (0...pattern.count).map { Int(state.distance(at: $0)) }
      let expected = (0...pattern.count).map { model.distance(at: $0, after: read) }
      mismatches.compare(got, expected, "\(pattern) \(text) \(from) after \(read)")
      mismatches.compare(
        Int(state.reached), model.reached[read], "reached, \(pattern) \(text) \(from) after \(read)"
      )
    }
  }
}
