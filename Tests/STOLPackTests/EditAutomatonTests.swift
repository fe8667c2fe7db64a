@testable import STOLPack
import TestSupport
import Testing

/// The bit-parallel automaton against a table of truths.
struct EditAutomatonTests {
  /// Every schedule of starts up to behind the pattern, none before that of fewer edits.
  private static func schedules(_ count: Int) -> [AlignmentModel.Schedule] {
    let starts: [Int?] = (0...count + 1).map { $0 } + [nil]
    return starts.indices.flatMap { one in
      starts[one...].indices.flatMap { two in
        starts[two...].map { (starts[one], starts[two], $0) }
      }
    }
  }

  private static func automaton(
    _ count: Int, _ from: AlignmentModel.Schedule
  ) -> EditAutomaton {
    let starts = [from.0, from.1, from.2].compactMap { $0 }
    var automaton = EditAutomaton(count: count, distance: starts.count)
    for (edits, start) in starts.enumerated() { automaton.allow(edits, before: start) }
    return automaton
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
      let starts = (0..<3).map { _ in Int.random(in: -1...count + 1, using: &generator) }.sorted()
      let distance = Int.random(in: 0...3, using: &generator)
      func start(_ edits: Int) -> Int? { edits < distance ? starts[edits] : nil }
      var schedules: [AlignmentModel.Schedule] = [
        (0, 0, 0), (0, 0, nil), (0, nil, nil), (nil, nil, nil), (start(0), start(1), start(2)),
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
    let automaton = automaton(pattern.count, from)
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
