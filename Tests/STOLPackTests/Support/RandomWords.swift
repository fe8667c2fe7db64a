import TestSupport

/// Random words of few letters, so that many are alike, and patterns that are near them.
struct RandomWords {
  /// Letters of one, two, three and four bytes; some share all bytes but the first or the last, some
  /// a bit of `LetterSet`.
  static let alphabets: [[UInt32]] = [
    [0x61, 0x62], [0x61, 0x62, 0x63, 0x7A], [0x61, 0xE9, 0x3A9], [0xE9, 0x169, 0x1E9, 0x44F],
    [0x7345, 0x7346, 0x5B50], [0x1F981, 0x1F985, 0x1F345], [0x61, 0x7FF, 0x800, 0xFFFF, 0x10000],
    [0x2D, 0x27, 0x39, 0x78, 0xDF], [0x61, 0x44F, 0x7345, 0x1F981, 0x10FFFF],
    [0x61, 0x65, 0x437, 0x431, 0x438], [0x61, 0x65, 0x69, 0x6F, 0x73, 0x72, 0x6A, 0x6B],
  ]

  let letters: [UInt32]
  let longest: Int

  init(_ generator: inout SeededGenerator) {
    letters = Self.alphabets.randomElement(using: &generator) ?? [0x61]
    longest = [3, 6, 12, 30, 80].randomElement(using: &generator) ?? 6
  }

  /// 1 to `longest` letters.
  func word(_ generator: inout SeededGenerator) -> [UInt32] {
    (0..<Int.random(in: 1...longest, using: &generator)).map { _ in letter(&generator) }
  }

  func letter(_ generator: inout SeededGenerator) -> UInt32 {
    letters.randomElement(using: &generator) ?? 0x61
  }

  /// Words of which many are others with a few edits.
  func words(_ count: Int, _ generator: inout SeededGenerator) -> [[UInt32]] {
    var words = [word(&generator)]
    while words.count < count {
      let other = words.randomElement(using: &generator) ?? []
      let isNew = Int.random(in: 0..<3, using: &generator) == 0
      let next = isNew ? word(&generator) : edited(other, 3, &generator)
      if !next.isEmpty { words.append(next) }
    }
    return words
  }

  /// `word` with up to `count` edits.
  func edited(
    _ word: [UInt32], _ count: Int, _ generator: inout SeededGenerator
  ) -> [UInt32] {
    var result = word
    for _ in 0..<Int.random(in: 0...count, using: &generator) {
      let place = Int.random(in: 0...result.count, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0 where place < result.count: result.remove(at: place)
      case 1 where place < result.count: result[place] = letter(&generator)
      case 2 where place + 1 < result.count: result.swapAt(place, place + 1)
      default: result.insert(letter(&generator), at: place)
      }
    }
    return result
  }

  static func string(_ scalars: some Sequence<UInt32>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars.compactMap(Unicode.Scalar.init))
    return String(text)
  }

  static func utf8(_ scalars: some Sequence<UInt32>) -> [UInt8] { Array(string(scalars).utf8) }
}
