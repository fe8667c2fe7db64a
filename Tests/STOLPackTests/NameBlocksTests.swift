@testable import STOLPack
import TestSupport
import Testing

/// Sets of blocks of names, and lists of which parts are skipped, against what is read one by one.
struct NameBlocksTests {
  @Test(arguments: [1, 63, 64, 65, 1_000, 5_000_000, 40_000_000])
  func rangesAreTheNamesThatMayBeThere(nameCount: Int) {
    var generator = SeededGenerator(seed: UInt64(nameCount))
    var blocks = NameBlocks()
    var mismatches = Mismatches()
    for _ in 0..<20 {
      blocks.removeAll(nameCount: nameCount)
      var inserted: [Range<Int>] = []
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        let first = Int.random(in: 0..<nameCount, using: &generator)
        let room = min(nameCount - first, Int.random(in: 1...20_000, using: &generator))
        let range = first..<first + Int.random(in: 1...room, using: &generator)
        blocks.insert(TaxonOrdinal(range.lowerBound)..<TaxonOrdinal(range.upperBound))
        inserted.append(range)
      }
      var ranges: [Range<Int>] = []
      blocks.forEachRange { ranges.append($0) }
      for (range, next) in zip(ranges, ranges.dropFirst()) {
        mismatches.compare(range.upperBound < next.lowerBound, true, "\(range) before \(next)")
      }
      // All names of a small set; of a large one those at the ends of ranges and some between.
      var names = nameCount < 10_000 ? Array(0..<nameCount) : []
      for range in ranges + inserted {
        names += [range.lowerBound - 1, range.lowerBound, range.upperBound - 1, range.upperBound]
      }
      for _ in 0..<200 { names.append(Int.random(in: 0..<nameCount, using: &generator)) }
      for name in names where name >= 0 && name < nameCount {
        mismatches.compare(
          ranges.contains { $0.contains(name) }, blocks.mayContain(NameOrdinal(name)), "\(name)")
      }
      for range in inserted {
        mismatches.compare(
          range.allSatisfy { blocks.mayContain(NameOrdinal($0)) }, true, "all of \(range)")
      }
    }
    let first = mismatches.first
    #expect(first == nil)
  }

  @Test func theFirstRowThatIsNotBelowIsThatOfALinearSearch() throws {
    var generator = SeededGenerator(seed: 7)
    var mismatches = Mismatches()
    for _ in 0..<20 {
      let pack = try RandomForest.make(count: 400, &generator).pack()
      let view = pack.view
      for word in 0..<view.names.folded.wordCount {
        let rows = view.postings.rows(of: word)
        for _ in 0..<20 {
          let bound = Int.random(in: 0...view.names.count, using: &generator)
          let start = Int.random(in: rows.lowerBound...rows.upperBound, using: &generator)
          let expected =
            (start..<rows.upperBound).first { view.postings[$0].index >= bound } ?? rows.upperBound
          mismatches.compare(
            view.postings.firstRow(notBelow: bound, from: start, before: rows.upperBound), expected,
            "word \(word), \(bound) from \(start)")
        }
      }
    }
    let first = mismatches.first
    #expect(first == nil)
  }
}

/// First words that are known, against a dictionary.
struct FirstWordsTests {
  @Test func whatIsKnownIsWhatWasNotedLast() {
    var generator = SeededGenerator(seed: 11)
    var words = FirstWords()
    var noted: [Int: Bool] = [:]
    for step in 0..<50_000 {
      if step % 5_000 == 0 {
        words.removeAll()
        words.prepare(for: 1 + step / 5_000 % 3)
        noted = [:]
      }
      let word = Int.random(in: 0..<20_000, using: &generator)
      if let known = words.isPossible(word) {
        #expect(known == noted[word])
      } else {
        let isPossible = Bool.random(using: &generator)
        words.note(word, isPossible: isPossible)
        noted[word] = isPossible
        #expect(words.isPossible(word) == isPossible)
      }
    }
    #expect(!noted.isEmpty)
  }
}
