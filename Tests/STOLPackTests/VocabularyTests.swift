@testable import STOLPack
import TestSupport
import Testing

/// The front-coded vocabulary against a sorted array.
struct VocabularyTests {
  /// All strings over {a, b, c} of 1 to `length` letters.
  private static func strings(upTo length: Int) -> [String] {
    var result: [String] = []
    var last = [""]
    for _ in 0..<length {
      last = last.flatMap { start in ["a", "b", "c"].map { start + $0 } }
      result += last
    }
    return result
  }

  @Test func everySubsetOfShortWordsIsFoundExactly() {
    let words = Self.strings(upTo: 2)
    let queries = [""] + Self.strings(upTo: 3) + ["d", "ad", "\u{1}", "z"]
    var mismatches = Mismatches()
    for subset in 0..<1 << words.count {
      let chosen = words.indices.filter { subset >> $0 & 1 == 1 }.map { words[$0] }
      Self.check(chosen, queries, &mismatches)
    }
    let first = mismatches.first
    #expect(first == nil)
  }

  @Test func allWordsOfUpToFourLettersAreFound() {
    var mismatches = Mismatches()
    let words = Self.strings(upTo: 4)
    Self.check(words, [""] + Self.strings(upTo: 5) + ["d", "ad", "cccd"], &mismatches)
    // Every vocabulary that lacks one word, or holds the words from one on, crosses blocks anew.
    for index in words.indices {
      var fewer = words
      fewer.remove(at: index)
      Self.check(fewer, [""] + words, &mismatches)
      Self.check(Array(words[index...]), [""] + words, &mismatches)
    }
    let first = mismatches.first
    #expect(first == nil)
  }

  @Test(arguments: TestSeeds.first(20))
  func randomWordsAreFoundAsInASortedArray(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    let alphabets = ["abc", "aé", "лев獅子", "a\u{7F}\u{80}\u{7FF}\u{FFFF}\u{10FFFF}", "x-'9ß"]
    for alphabet in alphabets {
      let letters = alphabet.unicodeScalars.map { String($0) }
      func word(_ most: Int) -> String {
        (0..<Int.random(in: 1...most, using: &generator)).map { _ in
          letters[Int.random(in: 0..<letters.count, using: &generator)]
        }.joined()
      }
      let longest = [4, 9, 300].randomElement(using: &generator) ?? 4
      let words = (0..<Int.random(in: 0...150, using: &generator)).map { _ in word(longest) }
      let queries = [""] + (0..<50).map { _ in word(4) } + words.map { String($0.dropLast()) }
      Self.check(words, queries + words, &mismatches)
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  /// Words of every length around those that take another byte, in many blocks and at many depths.
  @Test func longWordsAreFound() {
    var mismatches = Mismatches()
    let lengths = [1, 14, 15, 16, 17, 29, 30, 31, 142, 143, 144, 400]
    var words: [String] = []
    for shared in lengths {
      for length in lengths {
        words.append(
          String(repeating: "m", count: shared) + "n" + String(repeating: "é", count: length))
      }
      words.append(String(repeating: "m", count: shared))
    }
    words.append(String(repeating: "m", count: 40_000))
    words.append(String(repeating: "m", count: 30_000) + String(repeating: "n", count: 20_000))
    Self.check(
      words, words + words.map { $0 + "x" } + words.map { String($0.dropLast()) }, &mismatches)
    let first = mismatches.first
    #expect(first == nil)
  }

  @Test(arguments: TestSeeds.first(20))
  func triesAreThoseOfTheDefinition(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let letters = ["a", "b", "é", "獅", "🦁"].shuffled(using: &generator).prefix(3)
    let longest = Int.random(in: 1...12, using: &generator)
    let model = VocabularyModel(
      (0..<Int.random(in: 0...400, using: &generator)).map { _ in
        (0..<Int.random(in: 1...longest, using: &generator)).map { _ in
          letters.randomElement(using: &generator) ?? "a"
        }.joined()
      })
    let words = model.words
    let built = Self.trie(words)
    #expect(built == model.trie.values, "seed \(seed)")
    var places: [Range<Int>] = []
    var text: [UInt8] = []
    for word in words {
      places.append(text.count..<text.count + word.count)
      text += word
    }
    let reversed = ReversedOrder(count: words.count, bytes: text) { places[$0] }
    #expect(reversed.words.map(Int.init) == model.reversedOrder, "seed \(seed)")
    let reversedTrie = Self.trie(model.reversedOrder.map { words[$0].reversed() })
    #expect(reversedTrie == model.reversedTrie.values, "seed \(seed)")
  }

  /// The trie of the writer.
  private static func trie(_ words: [[UInt8]]) -> [UInt64] {
    WordTrieBuilder(count: words.count) { word, depth in
      depth < words[word].count ? words[word][depth] : nil
    }.records
  }

  /// Compares every answer with that of the sorted array.
  ///
  /// Simple enough to be trusted: an array, `==` and `starts(with:)` on bytes.
  private static func check(
    _ words: [String], _ queries: [String], _ mismatches: inout Mismatches
  ) {
    let model = VocabularyModel(words)
    let sorted = model.words
    let vocabulary = Vocabulary(
      model.bytes.rawSpan, directory: model.directory, count: sorted.count)

    for (number, word) in sorted.enumerated() {
      var got: [UInt8] = [1, 2]
      vocabulary.append(number, to: &got)
      mismatches.compare(got, [1, 2] + word, "word \(number) of \(words)")
    }
    for number in [-1, sorted.count, Int.max] {
      mismatches.compare(vocabulary.string(number), "", "word \(number) of \(words)")
    }
    for (number, letters) in model.scalars.enumerated() {
      mismatches.compare(
        vocabulary.letters(of: number), LetterSet(letters), "letters of \(number) of \(words)")
      mismatches.compare(
        LetterSet(letters).rawValue, VocabularyModel.letters(letters),
        "letters of \(number) of \(words)")
    }
    for query in queries {
      let bytes = Array(query.utf8)
      mismatches.compare(
        vocabulary.find(bytes.span), sorted.firstIndex(of: bytes), "\(query) in \(words)")
      let first = sorted.firstIndex { !$0.lexicographicallyPrecedes(bytes) } ?? sorted.count
      let prefixed = sorted.filter { $0.starts(with: bytes) }.count
      let got = vocabulary.words(withPrefix: bytes.span)
      if prefixed > 0 || !got.isEmpty {
        mismatches.compare(
          got, first..<first + prefixed, "words that begin with \(query) in \(words)")
      }
    }
  }
}
