@testable import STOLPack
import TestSupport
import Testing

/// What a search keeps its hits in.
struct HitListTests {
  @Test func everyShortArrayIsSorted() {
    for count in 0...6 {
      for number in 0..<(0..<count).reduce(1, { product, _ in product * 4 }) {
        var rest = number
        var array: [Int] = []
        for _ in 0..<count {
          array.append(rest % 4)
          rest /= 4
        }
        let expected = array.sorted()
        sortInPlace(&array, <)
        guard array != expected else { continue }
        Issue.record("\(array), expected \(expected)")
      }
    }
  }

  @Test(arguments: TestSeeds.first(20))
  func arraysOfAnyLengthAreSorted(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    for count in [0, 1, 2, 23, 24, 25, 26, 27, 63, 64, 65, 1000] {
      for most in [0, 1, 3, 1 << 40] {
        var array = (0..<count).map { _ in Int.random(in: 0...most, using: &generator) }
        for start in [array, array.sorted(), array.sorted(by: >)] {
          array = start
          sortInPlace(&array, <)
          mismatches.compare(array, start.sorted(), "\(start)")
          sortInPlace(&array, >)
          mismatches.compare(array, start.sorted(by: >), "\(start) downwards")
        }
      }
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  @Test(arguments: TestSeeds.first(20))
  func nameSetIsASet(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    var names = NameSet()
    for round in 0..<60 {
      names.removeAll()
      var model: Set<UInt32> = []
      // Neighbours, multiples and any numbers; a few rounds grow it, later ones find it large.
      let step: UInt32 = [1, 128, 1 << 20].randomElement(using: &generator) ?? 1
      let count = round % 10 == 3 ? 3_000 : Int.random(in: 0...200, using: &generator)
      for _ in 0..<count {
        let number = UInt32.random(in: 0...2_000, using: &generator) &* step
        mismatches.compare(
          names.insert(NameOrdinal(rawValue: number)), model.insert(number).inserted,
          "\(number) in round \(round)")
      }
      for number in model.sorted() {
        mismatches.require(
          !names.insert(NameOrdinal(rawValue: number)), "\(number) again in round \(round)")
      }
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  @Test func nameSetTakesTheGreatestNumbers() {
    var names = NameSet()
    names.removeAll()
    for number in [0, 1, UInt32.max, UInt32.max - 1] {
      let isNew = names.insert(NameOrdinal(rawValue: number))
      let isNewAgain = names.insert(NameOrdinal(rawValue: number))
      #expect(isNew && !isNewAgain)
    }
  }
}
